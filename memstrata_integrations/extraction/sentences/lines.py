"""Line formats: pins, ``KEY=value``, ``key: value``, table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import code_at, code_of, expected_of_role
from memstrata_integrations.extraction.sentences.lexicon import (
    CODE_NOUNS,
    CONJUNCTIONS,
    DEICTIC,
    FIELD_NOUNS,
    FINITE_VERBS,
    IDENTIFYING_STRONG,
    IDENTIFYING_WEAK,
    IMPERATIVES,
    LABELS,
    MANY_ROLES,
    MEASURES,
    OBSERVING,
    PERSON_ROLES,
    PREPOSITIONS,
    SUBJECT_STOPPERS,
    UNASSERTED,
    WORD_ROLES,
)
from memstrata_integrations.extraction.sentences.pointing import comes_again, one_of_several
from memstrata_integrations.extraction.sentences.slots import find_quoted, find_typed, qualifiers
from memstrata_integrations.relations import known
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["Field", "field_claim", "identifies", "is_field", "is_pin", "pin_claim", "read_field", "row_claims"]


class Field(NamedTuple):
    """A key, a separator and a value, as places in the text."""

    key: str
    separator: str
    start: int
    end: int


_FIELD = re.compile(
    r"(?:(?:export|ENV|const|final|static|readonly) )?"
    r"(?P<key>[*`_]{0,2}[A-Za-z_@$/.\[][\w ./\[\]()'’&*`@$-]{0,60}?[*`_]{0,2})"
    r"(?P<sep>\s*:(?:\*\*|__)?(?=\s)|\s+(?:->|=>|→)(?=\s)|\s*(?<![=!<>+*/%|&^-])=(?![=~>])|:\*\*)\s*(?P<value>\S.*)$"
)
# "pub const WINDOW_BYTES: usize = 65_536;", "static final int LIMIT = 5;", "let limit: u32 = 5"
_CONSTANT = re.compile(
    r"(?:(?:pub|public|private|protected|internal|export (?=const|let|var)|static|final|const|constexpr|let|var"
    r"|val|readonly|int|long|float|double"
    r"|bool|boolean|char|string|String|auto|unsigned|size_t|u?int\d+_t|def|local|my|our) )+"
    r"(?P<key>[A-Z][A-Z0-9_]*)(?: ?: ?[\w<>&'\[\]. ]+?)?(?P<sep> ?:?= ?)(?P<value>[^\s=].*?);?(?:\s*(?://|#).*)?$"
)
_PIN = re.compile(
    r"(?P<name>[A-Za-z0-9@][\w./@-]*(?:\[[\w, -]*\])?)"
    r"(?P<spec>(?:===?|>=|<=|~=|!=|<|>) ?[\w.*+!-]+(?:, ?(?:===?|>=|<=|~=|!=|<|>) ?[\w.*+!-]+)*"
    r"| (?:===?|>=|<=|~=) ?[\w*+!-]*\.[\w.*+!-]+(?:, ?(?:===?|>=|<=|~=|!=|<|>) ?[\w.*+!-]+)*)"
    r"(?P<marker>\s*;[^#]*)?(?:\s*\\)?(?:\s+#.*|\s+--hash.*)?$"
)
_ACTION = re.compile(r"(?:uses: *)?[\"']?(?P<name>@?[\w.-]+/[\w./-]+)@(?P<spec>[\w.+-]+)[\"']?(?:\s+#.*)?$")
_IMAGE = re.compile(
    r"FROM (?:--platform=\S+ )?(?P<name>[\w./-]+(?::\d+/[\w./-]+)?):(?P<spec>[\w.-]+)(?: AS (?P<stage>\S+))?$",
    re.IGNORECASE,
)
_RELEASE = r"(?P<spec>[v^~]?(?:[<>=~!]{1,2} ?)?\d[\w.*+-]*)"
# Other ecosystems' lines; "bare" says the key is the package alone, else it is told apart by the word before it
_GEM = re.compile(
    r"(?P<how>gem|pod) [\"'](?P<name>[\w./-]+)[\"'], *[\"']" + _RELEASE + r"[\"'](?:, *[a-z_]+: *[\w:\[\]\"', ]+)?$"
)
_MAVEN = re.compile(
    r"(?P<how>[a-z]\w*(?:[iI]mplementation|[aA]pi|Only|Processor|[cC]lasspath)|implementation|api|kapt|ksp|classpath)"
    r"(?:\(| )[\"'](?P<name>[\w.-]+:[\w.-]+):" + _RELEASE + r"[\"']\)?$"
)
_INLINE = re.compile(
    r"(?P<name>[A-Za-z][\w.-]*) = \{(?P<rest>[^{}]*?)\bversion = \"" + _RELEASE + r"\"(?P<more>[^{}]*)\}$"
)
# A number with two dots or a sign of a range: what else stands so in JSON is no version of a package
_JSON = re.compile(r"\"(?P<name>@?[a-z][\w./-]*)\": \"(?P<spec>[\^~]\d[\w.+-]*|\d+\.\d+\.\d+[\w.+-]*)\",?$")
_GO = re.compile(
    r"(?:require )?(?P<name>(?:[\w-]+\.)+[a-z]+/[\w./-]+) (?P<spec>v\d+\.\d+\.\d+[\w.+-]*)(?: // indirect)?$"
)
_AT_VERSION = re.compile(r"(?P<name>[a-z][\w.-]*)@(?P<spec>[v^~]?\d+(?:\.\d+)+[\w.+-]*)$")
_NO_PACKAGES = word_set(
    "version node npm yarn pnpm python engine engines schema api lockfileversion target date time price release main "
    "name id value default since ip host title min max minimum maximum"
)
_DIRECTIVE = re.compile(
    r"(?P<key>[a-z]+(?:_[a-z0-9]+)+)(?P<sep> +)(?P<value>-?\d+(?:\.\d+)?[a-zA-Z%]{0,2}|on|off);(?:\s*#.*)?$"
)
# "`RETRIES: 3`", and what it is for
_CODED = re.compile(
    r"`(?P<field>[\w@$./\[\]-]+(?:: | ?= ?)[^`\n]{1,200})`(?:[.,;]?\s*$|,? [—–-] |, | \("
    r"| (?:in|of|on|for) (?=[\w`./-]+\.?$))"
)
# "Port — 8080", "**Port** - 8080": a name and a few words, nothing else
_DASHED = re.compile(
    r"(?:(?P<mark>\*\*|__|`)(?P<key>[A-Za-z_][\w ./'-]{0,40})(?P=mark) [—–-]"
    r"|(?P<bare>[A-Za-z_][\w/-]*(?: [\w/-]+){0,3}) [—–])"
    r" (?P<value>[^\s—–,;:][^—–,;:]{0,60})$"
)
_COMMENT = re.compile(r"\s+(?:#|//)\s.*$")
_REMARK = re.compile(
    r", (?!(?:in|on|for|at|only|but|except|unless|if|when|and|or|not|under|during|with|from"
    r"|until)\b)[a-z][^,;:\d]*\Z"
)
_CHANNELS = word_set("stable unstable beta alpha lts nightly preview edge canary dev testing experimental rc insider")
_PLACEHOLDER = re.compile(
    r"[<{]|\$[({]|%[({]|your[-_ ]|xxx|\.\.\.|…|(?:tbd|see|ask|refer|contact|various|depends|n/a|null|none)\b"
    r"|[-?]$|[|>][+-]?$",
    re.IGNORECASE,
)
_MOST_WORDS = 6
_OF_AN_ATTRIBUTE = re.compile(r" (?:->|=>|→) |[a-z]{3} (?:set|(?:[a-z]+ed|cut)(?: from .+)?) to ")
_COUNT = re.compile(r"\d[\d,]* (?!degrees)[a-z]{3,}s\Z")
_LITERAL = re.compile(r"[\[({].*[\])}]$")
_IS = known("is")
_PINNED = known("is pinned to")
_NUMBERING = word_set("id uuid number no nr key reference")
# A text that starts so describes its key, and is no value of it
_OPENERS = word_set("the a an to for how whether if which what used list number name set")
_MEASURES = word_set(
    "latency uptime duration score grade rank count rate amount total weight height width depth length"
)
_ACTS_ON_ROWS = word_set("insert update delete select where merge upsert replace and or on")
_TYPES = word_set("int str bool float list dict string integer boolean object array any bytes tuple set number")
_CALL = re.compile(r"[\w)\]]\(|\s[-+*/%&|]\s")
_NUMERIC_KINDS = ("number", "technical")
_COMPANIONS = word_set("friend neighbour neighbor colleague")
# "Former head coach", "Possible venue": of several, or of none yet
_UNSETTLED = word_set("former ex possible potential proposed likely suggested rejected candidate tentative prospective")
_DUTIES = frozenset(("on-call", "on call", "oncall", "on duty", "responsible", "point of contact", "primary contact"))

_ROLES_OF_ONE = PERSON_ROLES - _COMPANIONS


def is_pin(line: str) -> bool:
    """Whether a line names a thing and its version, and nothing else."""
    return _pin_match(line) is not None


def _pin_match(line: str) -> re.Match[str] | None:
    if len(line) > 500:
        return None
    if "=" in line or "<" in line or ">" in line:
        found = _PIN.match(line)
        if found is not None and any(c.isdigit() for c in found["spec"]):
            return found
    first = line[:1]
    if first == '"':
        found = _JSON.match(line)
        return found if found is not None and found["name"].lower() not in _NO_PACKAGES else None
    if ('"' in line or "'" in line) and first.isalpha():
        found = _INLINE.match(line) if line[-1] == "}" else _GEM.match(line) or _MAVEN.match(line)
        if found is not None:
            return found
    if "@" in line:
        return _ACTION.match(line) or _AT_VERSION.match(line)
    if " v" in line and "/" in line:
        return _GO.match(line)
    return _IMAGE.match(line) if first in ("F", "f") and line[:5].upper() == "FROM " else None


def pin_claim(text: str, start: int, end: int) -> Claim | None:
    """Read a pinned requirement, action or image.

    Example:
        >>> claim = pin_claim("numpy==1.26.4", 0, 13)
        >>> claim.subject, "numpy==1.26.4"[claim.start : claim.end]
        ('numpy', '1.26.4')
    """
    found = _pin_match(text[start:end])
    if found is None:
        return None
    if found.re is _JSON and (text[:start].strip() or text[end:].strip()):
        return None  # which of the lists of dependencies it stands in cannot be seen
    spec_start, spec_end = found.span("spec")
    spec = found["spec"]
    lead = len(spec) - len(spec.lstrip())
    bare = spec.strip()
    if "," not in bare:
        lead += len(bare) - len(bare.lstrip("= "))
    subject = found["name"]
    if found.re is _MAVEN:
        subject += f" ({found['how']})"
    marker = found.groupdict().get("marker")
    if marker:
        subject += " (" + "".join(marker.strip("; ").split()).replace('"', "'") + ")"
    stage = found.groupdict().get("stage")
    expected = f"stage {stage}" if stage else "version"  # another stage of the build may have another image
    return Claim(subject, _PINNED, start + spec_start + lead, start + spec_end, "pin", expected)


@lru_cache(maxsize=8)
def read_field(text: str, start: int, end: int) -> Field | None:
    """Read a key and its value from a line, without judging them."""
    line = text[start:end]
    if len(line) <= 300 and "=" in line and " " in line and (constant := _CONSTANT.match(line)):
        return Field(constant["key"], "=", start + constant.start("value"), start + constant.end("value"))
    if line[:1] == "`" and (coded := _CODED.match(line)) is not None:
        return read_field(text, start + coded.start("field"), start + coded.end("field"))
    match = _FIELD.match(line) if len(line) <= 2000 else None
    if match is None and line[-1:] == ";" and len(line) <= 200:
        directive = _DIRECTIVE.match(line)
        if directive is not None:
            return Field(directive["key"], "=", start + directive.start("value"), start + directive.end("value"))
    if match is None and len(line) <= 120 and (dashed := _DASHED.match(line)) is not None:
        key, value = dashed["key"] or dashed["bare"], dashed["value"].rstrip(" .")
        start += dashed.start("value")
        return Field(key, ":", start, start + len(value)) if len(value.split()) <= _MOST_WORDS else None
    if match is None:
        return None
    key = match["key"].strip("*`_ \t") if match["key"][:1] in "*`" else match["key"].strip().strip("*`")
    if not key or len(key.split()) > 6 or match["key"].count("`") % 2:  # "f() takes `x" is no key
        return None
    separator = "=" if match["sep"].strip() == "=" else ":"
    if separator == "=" and " " in key and not OBSERVING.isdisjoint(key.lower().split()):
        return None
    value_start, value_end = match.span("value")
    value = line[value_start:value_end]
    if value[0] not in "\"'`":
        comment = _COMMENT.search(value)
        if comment is not None:
            value_end = value_start + comment.start()
        elif value[0] == "#":
            return None
    else:
        quoted = find_quoted(value, 0, len(value))
        if quoted is not None and value[quoted[2] :].lstrip()[:1] in ("#", "/", ";", ","):
            value_end = value_start + quoted[2]
    value = line[value_start:value_end].rstrip()
    while value and value[-1] in ";,*" and not value.endswith("**/"):
        value = value[:-1].rstrip()
    if len(value) > 1 and value[-1] == "." and value[-2] != ".":
        value = value[:-1]
    if not value:
        return None
    return Field(key, separator, start + value_start, start + value_start + len(value))


def is_field(line: str) -> bool:
    """Whether a line looks like a key with a value."""
    if ":" not in line and "=" not in line and ";" not in line and "->" not in line and "→" not in line:
        return (" — " in line or " – " in line or " - " in line) and read_field(line, 0, len(line)) is not None
    return read_field(line, 0, len(line)) is not None


def identifies(key: str) -> str | None:
    """Whether a field says which record this is: "strong", "weak" or `None`.

    Example:
        >>> [identifies(k) for k in ("Ticket", "Order number", "Phone number", "Name", "Author-email")]
        ['strong', 'strong', None, 'weak', None]
    """
    words = key.lower().replace("_", " ").replace("-", " ").replace("#", " ").split()
    if not words or len(words) > 3:
        return None
    if words[0] in IDENTIFYING_STRONG and (len(words) == 1 or words[-1] in _NUMBERING):
        return "strong"
    if words[-1] == "id" or (len(words) > 1 and words[0] in IDENTIFYING_WEAK and words[-1] in _NUMBERING):
        return "strong"
    return "weak" if words[-1] == "name" or (len(words) == 1 and words[0] in IDENTIFYING_WEAK) else None


_A_LINE = re.compile(r"`?(?:from [\w.]+ import |import [\w.{*]|use [\w:]+::|#include |require\()")


def field_claim(text: str, found: Field, listed: bool, headed: bool) -> Claim | None:
    """Judge a field: a claim, or `None` where it is a label, a list, a dialogue or a placeholder."""
    key, start, end = found.key, found.start, found.end
    if key.startswith(("New ", "new ")) and found.separator == ":" and len(key.split()) > 2:
        key = key[4:]  # it takes the place of the old one
    value = text[start:end]
    words = key.split()
    if not _key_is_sound(words, found.separator) or comes_again(words, value):
        return None
    if _PLACEHOLDER.match(value) or value[-1] in "?!{[(" or value.lower() in _TYPES:
        return None
    if _extends(key, value):
        return None  # "PATH=$PATH:/opt/bin", and once more
    if key.count("(") != key.count(")") or key.count("[") != key.count("]"):
        return None
    if found.separator == "=" and (_CALL.search(value) or (len(words) > 1 and any(is_identifier(w) for w in words))):
        return None  # an expression of a program
    if found.separator == "=" and len(words) > 1 and words[-1].startswith("-"):
        return None  # a command with an option: "ls --color=auto"
    if found.separator == ":" and "_" in key and _describes(value, key):
        return None
    if _A_LINE.match(value):
        return None  # "main.py: `from a import b`": one of the lines of a file
    if found.separator == ":" and key[0] in "[.":
        return None  # the target of a link
    named = found.separator == "=" or any(is_identifier(w) for w in words) or key.isupper()
    expected = "setting" if named else None
    last = words[-1].strip("()").lower()
    head = _head_of(words)
    if expected and len(words) > 1 and any(w.lower() == head and not is_identifier(w) for w in words):
        expected = None  # "root volume size of ci-3": a plain noun has the value that it shows
    in_words = len(words) > 1 or last in FIELD_NOUNS
    if expected and in_words and not key.isupper() and not any(is_identifier(w) for w in words):
        expected = None  # "timeout = 5" is "the timeout is 5", as "scale factor = 2" is "the scale factor is 2"
    known = (
        named
        or last in FIELD_NOUNS
        or words[0].lower() in FIELD_NOUNS
        or head in FIELD_NOUNS
        or (head in CODE_NOUNS and len(words) > 1)
    )
    person = head in _ROLES_OF_ONE and (len(words) > 1 or head not in MANY_ROLES)
    known = known or person or key.lower() in _DUTIES
    unknown_name = not known and words[0][0].isupper() and not (listed or headed)
    if found.separator == ":" and not named and (coded := code_of(words)) and code_at(text, start, end):
        return Claim(key, _IS, start, end, "line: :", expected_of_role(key, value) or coded)
    if found.separator == ":" and head == "address" and len(words) > 1 and value[0].isdigit():
        return Claim(key, _IS, start, end, "line: :", "address")
    if value[0] == "@" and (head in MANY_ROLES or (head.endswith("s") and not head.endswith(("ss", "us")))):
        return None  # "Reviewer: @ann": and another one
    typed = find_typed(text, start, end)
    if typed is not None:
        tail = qualifiers(text[typed[2] : end])
        if tail is None and typed[3] in ("number", "date") and _REMARK.match(text, typed[2], end):
            remark = text[typed[2] + 2 : end]
            tail = f"of {remark}" if remark in _CHANNELS else ""  # "Version: 1.2, stable"
        if tail and typed[3] in ("name", "quoted"):
            tail = None
        if tail is not None and not (typed[3] in ("name", "quoted", "boolean", "date") and not known):
            if len(words) == 1 and unknown_name:
                return None
            if typed[3] == "name" and head.endswith("s") and not head.endswith("ss"):
                return None
            if not known and typed[3] not in _NUMERIC_KINDS:
                return None
            subject = f"{key} {tail}" if tail else key
            if not known and _COUNT.match(value) and canonical_value(value)[1].startswith("count"):
                return None  # "Gorse fire station: 4 engines" says what it has
            if expected is None and typed[3] == "name":
                expected = expected_of_role(key, text[typed[0] : typed[1]])
            return Claim(subject, _IS, typed[0], typed[1], f"line: {found.separator}", expected)
    if unknown_name or not known:
        return None
    return _text_value(text, found, words, expected)


def _extends(key: str, value: str) -> bool:
    """Whether a value holds what the variable held before."""
    name = key.rpartition(" ")[2]
    return "$" in value and re.search(rf"\$\{{?{re.escape(name)}\b", value) is not None


def _head_of(words: Sequence[str]) -> str:
    """Return the head noun of a key: "code" of "Error code for an expired coupon"."""
    for n, word in enumerate(words):
        if n and word.lower() in PREPOSITIONS:
            return words[n - 1].strip("()").lower()
    return words[-1].strip("()").lower()


def _describes(value: str, key: str) -> bool:
    """Whether a value says in words what a setting is: "directory for cached files", "maximum size" of `max_size`."""
    words = value.split()
    if len(words) < 2 or not all(w.isalpha() and w.islower() for w in words):
        return False
    return not {"of", "for"}.isdisjoint(words) or not set(key.lower().split("_")).isdisjoint(words)


def _key_is_sound(words: Sequence[str], separator: str) -> bool:
    first = words[0].strip("*`()").lower()
    if len(words) == 1 and first in LABELS and separator == ":":
        return False
    if (first in IMPERATIVES or first in SUBJECT_STOPPERS) and not is_identifier(words[0]):
        return False
    if separator == "=" and first in _ACTS_ON_ROWS and len(words) > 1:  # "INSERT INTO limits SET rate = 5"
        return False
    if first in PREPOSITIONS or first in _UNSETTLED:
        return False
    for word in words:
        bare = word.strip("*`()").lower()
        if bare in UNASSERTED or bare in DEICTIC or bare in FINITE_VERBS or bare in CONJUNCTIONS:
            return False
    return True


def _text_value(text: str, found: Field, words: Sequence[str], expected: str | None) -> Claim | None:
    value = text[found.start : found.end]
    parts = value.split()
    if found.separator == "=":
        literal = _LITERAL.match(value) is not None
        if len(parts) > 1 and not literal:
            return None
        if not literal and any(c in value for c in "()+|&,"):
            return None
    else:
        last = _head_of(words)
        if (
            last not in FIELD_NOUNS
            and words[0].lower() not in FIELD_NOUNS
            and not is_identifier(last)
            and (len(words) > 1 or len(parts) > 1)
        ):
            return None
        if last not in FIELD_NOUNS and words[0].isupper() and not is_identifier(last):  # "FLAC: improved"
            return None
        if len(parts) == 2 and parts[0] == "the" and parts[1].islower() and last in WORD_ROLES:
            start = found.start + 4
            return Claim(" ".join(words), _IS, start, found.end, f"line: {found.separator}", expected or "text")
        if "  " in value or (len(parts) > 1 and (parts[0].lower() in _OPENERS or value[0].isdigit())):
            return None
        plural = last.endswith("s") and not last.endswith(("ss", "us", "is", "as"))
        if plural or len(parts) > 6 or any(c in value for c in ",;:") or len(value) > 80:
            return None
        measured = parts[0].lower() in MEASURES and any(c.isdigit() for c in value)
        if measured or _OF_AN_ATTRIBUTE.search(value):
            return None  # "release script: batch size set to 7000", "sync job: interval 5 minutes"
        for part in parts:
            bare = part.strip("\"'`().").lower()
            if bare in UNASSERTED or bare in FINITE_VERBS or bare in DEICTIC or bare in CONJUNCTIONS:
                return None
            if bare in ("i", "we"):
                return None
    return Claim(" ".join(words), _IS, found.start, found.end, f"line: {found.separator}", expected or "text")


def row_claims(text: str, start: int, end: int, header: Sequence[str]) -> Iterator[Claim]:
    """Yield one claim for each typed cell of a table row; the first cell names the row."""
    pos = start + (text[start] == "|")
    spans: list[tuple[int, int]] = []
    while pos < end:
        bar = text.find("|", pos, end)
        stop = end if bar < 0 else bar
        if bar >= 0 or text[pos:stop].strip():
            spans.append((pos, stop))
        pos = stop + 1
    if len(spans) != len(header) or len(spans) < 2:
        return
    name = text[spans[0][0] : spans[0][1]].strip().strip("*`")
    if not name or len(name) > 80 or name[0].isdigit() or not _key_is_sound(name.split(), "|"):
        return
    for (left, right), column in zip(spans[1:], header[1:], strict=True):
        cell = text[left:right]
        begin = left + len(cell) - len(cell.lstrip())
        finish = begin + len(cell.strip())
        words = column.strip("*`").split()
        if begin >= finish or not words or len(words) > 5 or not _key_is_sound(words, "|"):
            continue
        if one_of_several(header[0], column):
            continue
        typed = find_typed(text, begin, finish)
        if typed is None or text[typed[2] : finish].strip() or (typed[3] == "boolean" and len(header) > 2):
            continue
        last = words[-1].lower()
        if last in _MEASURES or not (last in FIELD_NOUNS or last in ("value", "default", "setting")):
            continue  # a table of measurements, perhaps one of many
        yield Claim(f"{' '.join(words)} of {name}", _IS, typed[0], typed[1], "row")
