"""Declarations and their documentation, one to a line: signatures, bases, imports, defaults that a remark names.

"def fetch(url: str, retries: int = 3) -> bytes:" sets the defaults of one function; "`retries` -- number of attempts, 3
by default" says the same in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["LITERAL_GROUPS", "plain", "read_declared", "setting_of"]

_IS = known("is")
LITERAL_GROUPS = ("double", "single", "bare")
"""The groups of a literal: in double quotes, in single ones, in none."""
# Names that many functions bear: of which of them, the line does not say
_COMMON = word_set(
    "main run get set put post init setup start stop open close read write load save call process handle update"
    " create"
    " delete add remove execute build make parse render connect send test foo bar baz func fn f g callback"
    " handler wrapper decorator inner"
)
_SIGNATURE = re.compile(
    r"(?:export |default |async |pub |public |private |static |suspend |fun(?= ))*(?:def|function|fun|func) "
    r"(?P<name>[A-Za-z_]\w*)\((?P<parameters>[^(){}]*(?:\([^()]*\)[^(){}]*)*)\)"
    r"(?P<returns> ?(?:->|:) ?(?P<type>[\w.\[\], |<>]+?))? ?(?::|\{|=>|;)?(?: ?(?:\.\.\.|\}))?\Z"
)
# "class A(Base):", "class A extends B {": what one class is derived from; a line with several bases says none
_CLASS = re.compile(
    r"(?:export |default |public |abstract |final |sealed )*class (?P<key>[A-Za-z_]\w*)(?:\(| extends "
    r"| ?: ?(?:public )?)"
    r"(?P<bare>[A-Za-z_][\w.]*(?:\[[\w, ]+\]|<[\w, ]+>)?)\)? ?[:{]?(?: ?(?:pass|\.\.\.|\}))?(?:\s+(?:#"
    r"|//) (?P<note>.*))?\Z"
)
_TYPEDEF = re.compile(r"typedef (?P<bare>[A-Za-z_][\w :<>*]*?) (?P<key>[A-Za-z_]\w*);\Z")
# "`retries` -- number of attempts, 3 by default", "@param depth how deep, default 3", "- `MAX` (int, 100): bound"
_SAID_DEFAULT = r"(?:\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)'|`?(?P<bare>-?\d[\w.]*(?: [a-z]+)?|[A-Za-z_][\w./-]*)`?)"
_DOCUMENTED = re.compile(
    r"(?:[-*•] )?(?P<mark>@param (?:\{[^}]*\} )?|:param (?:\w+ )?|)`?(?P<key>--?[A-Za-z][\w-]*"
    r"|[A-Za-z_$][\w$.]*)`?(?P<type> \([^)]*\))?"
    r"(?::| --| [–—-]|,|) (?P<what>[A-Za-z][^|\n]{3,120}?)(?:[,;.]| \()? ?(?:[Dd]efault(?:s to| is|s)?[ =:]+)"
    + _SAID_DEFAULT
    + r"\)?\.?\Z"
)
_BY_DEFAULT = re.compile(
    r"(?:[-*•] )?(?P<mark>@param (?:\{[^}]*\} )?|:param (?:\w+ )?|)`?(?P<key>--?[A-Za-z][\w-]*"
    r"|[A-Za-z_$][\w$.]*)`?(?P<type> \([^)]*\))?"
    r"(?::| --| [–—-]|,|) (?P<what>[A-Za-z][^|\n]{3,120}?)[,;] " + _SAID_DEFAULT + r" by default\.?\Z"
)
_TYPED_DEFAULT = re.compile(
    r"(?:[-*•] )?(?P<mark>`?)(?P<key>[A-Za-z_-][\w.-]*)`? \((?P<type>int|integer|str|string|bool|boolean|float"
    r"|number|duration|size"
    r"|path|enum|secs?|seconds|ms), " + _SAID_DEFAULT + r"\)(?::| --| [–—-]) (?P<what>[A-Za-z][^|\n]{3,120})\Z"
)
_PARAMETER = re.compile(r"(?P<declared>[^=]+?) ?= ?(?P<value>\S.*)\Z")


def setting_of(subject: str, match: re.Match[str], rule: str) -> Claim | None:
    """Make the claim of a literal in one of three forms."""
    given = match.groupdict()
    span = match.span(next(g for g in LITERAL_GROUPS if given.get(g) is not None))
    return Claim(subject, _IS, *span, f"lone line: {rule}", "setting", local=True)


def plain(rest: str) -> str:
    """Return a piece of a line without its punctuation."""
    return "".join(c if c.isalnum() or c in "_-." else " " for c in rest)


def read_declared(line: str) -> Claim | None:
    """Read a declaration that stands alone; the places of the claim are those of `line`."""
    for needle, reader in _READERS:
        if needle in line and (claim := reader(line)) is not None:
            return claim
    return None


def _signature(line: str) -> Claim | None:
    """Read the defaults of "def fetch(url: str, retries: int = 3) -> bytes:", and its type where it has none."""
    match = _SIGNATURE.match(line)
    if match is None:
        return None
    name, parameters = match["name"], match["parameters"]
    parts = _split(parameters)
    if name.startswith(("_", "test")) or (len(parts) < 2 and name.lower() in _COMMON):
        return None
    said: list[str] = []
    spans: list[tuple[int, int]] = []
    pos = match.start("parameters")
    for part in parts:
        begin = pos + len(part) - len(part.lstrip())
        pos += len(part) + 1
        bare = part.strip()
        if bare.split(":")[0].strip() in ("self", "cls", "this", "&self"):
            return None  # of which class, the line does not say
        default = _PARAMETER.match(bare)
        said.append("".join((default["declared"] if default else bare).split()))
        if default is not None and default["value"] == "...":
            return None  # one of several signatures
        if default is not None:
            spans.append((begin + default.start("value"), begin + default.end("value")))
    returns = "".join((match["returns"] or "").split())
    if spans:
        subject = f"defaults of def:{name} with {' '.join(said)} {returns}"
        return Claim(subject, _IS, spans[0][0], spans[-1][1], "lone line: defaults", "text", local=True)
    if match["type"] is None:
        return None
    subject = f"type of def:{name} with {' '.join(said)}"
    return Claim(subject, _IS, *match.span("type"), "lone line: returns", "text", local=True)


def _class(line: str) -> Claim | None:
    """Read "class CartSerializer(BaseSerializer):"."""
    match = _CLASS.match(line)
    if match is None or match["key"].lower() in ("meta", "config") or match["bare"] in ("public", "object"):
        return None
    return setting_of(f"base of class:{match['key']} {plain(match['note'] or '')}", match, "base")


def _typedef(line: str) -> Claim | None:
    """Read "typedef unsigned long hash_t;"."""
    match = _TYPEDEF.match(line)
    return setting_of(f"type of typedef:{match['key']}", match, "typedef") if match else None


def _documented(line: str) -> Claim | None:
    """Read "`retries` -- number of attempts, 3 by default"."""
    match = _TYPED_DEFAULT.match(line)
    if match is None and "efault" in line:
        match = _BY_DEFAULT.match(line) or _DOCUMENTED.match(line)
    if match is None:
        return None
    key = match["key"]
    named = (
        match["mark"]
        or "`" in line[: match.end("key") + 1]
        or is_identifier(key)
        or key.startswith("-")
        or match["type"]
    )
    if not named or (match["bare"] or "").lower() in ("none", "null", "to", "is", "value", "and", "or"):
        return None
    return setting_of(f"default of name:{key} for {plain(match['what'])}", match, "documented")


def _split(parameters: str) -> list[str]:
    """Split parameters at their commas, but for those within brackets and quotes."""
    parts, depth, start, quote = [], 0, 0, ""
    for n, char in enumerate(parameters):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([{<":
            depth += 1
        elif char in ")]}" or (char == ">" and parameters[n - 1] not in "-="):
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(parameters[start:n])
            start = n + 1
    return [*parts, parameters[start:]]


_READERS: tuple[tuple[str, Callable[[str], Claim | None]], ...] = (
    ("def ", _signature),
    ("fun", _signature),
    ("efault", _documented),
    (", ", _documented),
    ("class ", _class),
    ("typedef ", _typedef),
)
"""Readers in order, each with what a line must hold."""
