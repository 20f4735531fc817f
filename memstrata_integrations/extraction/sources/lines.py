"""Files of lines: requirements, environments, properties, INI, and files that hold one value."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from memstrata_integrations.extraction.sources.entries import LONGEST_VALUE, Found, Written, in_words, in_yaml, written
from memstrata_integrations.extraction.sources.kinds import Piece

_VARIABLE = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][\w.]*)\s?=(?P<value>.*)$", re.DOTALL)
_PROPERTY = re.compile(r"[ \t\f]*(?P<name>(?:[^\s=:\\]|\\.)+)[ \t\f]*(?P<mark>[=:])[ \t\f]*(?P<value>.*)\Z")
_NEXT_PART = re.compile(r"^[#!]---[ \t]*$", re.MULTILINE)
_SECTION = re.compile(r"\[(?P<header>[^\]\n]+)\]\s*(?:[#;].*)?$")
_OPTION = re.compile(r"(?P<name>[^\s:=#;\[][^:=\n]{0,100}?)\s*[:=](?P<value>[^\n]*)$")
_SENTENCE = re.compile(r"[A-Za-z][\w'’,-]*(?: [\w'’(),-]+){3,}")
_LISTS = frozenset(("install_requires", "tests_require", "setup_requires", "requires", "build_requires", "deps"))
_LONGEST_LINE = 5000
_FORM = re.compile(r"(\s*[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?\s*(?:\[[^\]]*\])?\s*\(?\s*@?\s*)(.*)\Z", re.DOTALL)
_EXACT = re.compile(r"={2,3}\s*(?=[^,*]*\Z)")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTIONS = re.compile(r"\s--?[a-z][\w-]*[= ].*$", re.DOTALL)
_VIA = re.compile(r"\s+#(?: via\b|\s{2,}\S)")
_LONGEST_PIN = 500  # characters of a requirement


def _lines(text: str) -> Iterator[tuple[int, int]]:
    pos = 0
    for line in text.split("\n"):
        yield pos, pos + len(line.rstrip())
        pos += len(line) + 1


def read_single(piece: Piece) -> Found:
    """Read a file that is one value, like ``.python-version``; of several lines nothing."""
    found = Found(piece.text)
    lines = [(s, e) for s, e in _lines(piece.text) if e > s and piece.text[s:e].lstrip()[:1] != "#"]
    value = (
        written(piece.text, *lines[0]) if len(lines) == 1 and len(piece.text[slice(*lines[0])].split()) == 1 else None
    )
    found.structural = value is not None
    if value is not None:
        found.setting(None, piece.source.name, value, (value.start, value.end), "single value")
    return found


def read_env(piece: Piece) -> Found:
    """Read ``KEY=value`` lines; what a quote holds that stays open, or began before the text, is no variable."""
    text, closing = piece.text, ""
    found = Found(text)
    for start, end in _lines(text):
        line = text[start:end]
        if closing:
            found.prose = True
            closing = "" if closing in line else closing
            continue
        if not line or line.lstrip()[:1] == "#":
            continue
        match = _VARIABLE.match(text, start, end) if len(line) <= _LONGEST_LINE else None
        if match is None:
            found.prose = True
            if line.count('"') % 2 or line.count("'") % 2:
                found.entries.clear()  # what stands above it may be inside of a quotation that began before the text
            continue
        found.structural = True
        bare = match["value"].strip()
        sign = Written(match.start("value") - 1, match.start("value"), "")  # it stands for what is empty
        value = written(text, *match.span("value"), comments=True) if bare else sign
        if value is None:  # a quote that does not close is cut
            found.prose = True
            closing = bare[0] if bare[0] in "'\"" and bare[0] not in bare[1:] else ""
            continue
        found.setting(None, match["name"], value, (start + len(line) - len(line.lstrip()), end), "variable")
    return found


def read_properties(piece: Piece) -> Found:
    """Read the lines of a properties file with a sign between name and value; values that go on have no key."""
    text = piece.text
    found = Found(text)
    goes_on = text[:1].isspace()  # a piece that begins amid a value, perhaps
    several = _NEXT_PART.search(text) is not None  # parts, each of a profile
    for start, end in _lines(text):
        line, before = text[start:end], goes_on
        goes_on = (len(line) - len(line.rstrip("\\"))) % 2 == 1 and (before or line.lstrip()[:1] not in "#!")
        if not before and (not line or line.lstrip()[0] in "#!"):
            continue
        match = _PROPERTY.match(text, start, end) if len(line) <= LONGEST_VALUE else None
        # "Note: this is what the port is for"
        if match is None or before or goes_on or (match["mark"] == ":" and len(match["value"].split()) > 3):
            found.prose = True
            found.structural = found.structural or goes_on
            continue
        found.structural, found.prose = True, found.prose or several
        begin = match.start("value") - (not match["value"])  # the sign stands for what is empty
        name, value = re.sub(r"\\(.)", r"\1", match["name"]), Written(begin, end, in_words(match["value"]))
        if not several:
            found.setting(None, name, value, (match.start("name"), end), "property", mark=":")
    return found


def read_ini(piece: Piece) -> Found:
    """Read the options of an INI file, as `configparser` divides it; above the first header only in a known section."""
    text, section = piece.text, piece.section
    found = Found(text)
    if section is not None and _lists_requirements(*section.rpartition(":")[::2]):
        found.structural = True
        _pins(found, section, 0, len(text))
        return found
    option, indent, stop = None, 0, 0
    inside = section is not None
    for start, end in _lines(text):
        line = text[start:end].lstrip()
        begin = end - len(line)
        if not line or line[0] in "#;":
            continue
        if option is not None and begin - start > indent:
            stop = end
            continue
        _option(found, piece, section, option, stop)
        option = None
        header = _SECTION.match(line)
        if header is not None:
            section, inside = header["header"].strip(), True
            found.structural = True
            found.covered.append((begin, end))
            continue
        match = _OPTION.match(text, begin, end) if len(line) <= _LONGEST_LINE else None
        if match is None or (not section and _SENTENCE.match(match["name"])) or (begin > start and not inside):
            found.prose = True  # or the rest of an option that began before this text
            continue
        found.structural = True
        option, indent, stop = match, begin - start, end
    _option(found, piece, section, option, stop)
    return found


def _lists_requirements(section: str, name: str) -> bool:
    return name in _LISTS or section == "options.extras_require"


def _option(found: Found, piece: Piece, section: str | None, option: re.Match[str] | None, stop: int) -> None:
    if option is None:
        return
    name, span, start = option["name"].strip(), (option.start("name"), stop), option.start("value")
    setup = piece.source.name == "setup.cfg"
    if section is None and setup and name == "python_requires":
        section = "options"  # no other section has it
    if section is None:
        found.prose = True
        return
    if _lists_requirements(section, name):
        _pins(found, f"{section}:{name}", start, stop)
        found.covered.append((span[0], start))
        return
    several = "\n" in found.text[start:stop]
    value = written(found.text, start, stop, comments=not several, plain=in_yaml)
    if value is None:
        found.prose = found.prose or bool(found.text[start:stop].strip())
        found.covered.append(span)
    elif setup and (section, name) in (("metadata", "version"), ("options", "python_requires")):
        relation = "has version" if name == "version" else "requires python"
        found.pin(section, name, (value.start, value.end), span, "option", relation=relation, mark=":")
    else:
        parts = [part.strip() for part in value.value.split("\n")] if several else [value.value]
        plain = "\n".join(p for p in parts if not several or (p and p[0] not in "#;"))
        found.setting(section, name, value._replace(value=plain), span, "option", mark=":")


def _pins(found: Found, section: str, start: int, stop: int) -> None:
    text = found.text
    for pos, end in _lines(text[start:stop]):
        line = text[start + pos : start + end]
        begin = start + end - len(line.lstrip())
        limit = start + pos + len(line.partition(" #")[0].rstrip())
        if begin >= limit or text[begin] in "#;":
            continue
        pin = pin_at(text, begin, limit)
        if pin is None:
            found.prose = True
            continue
        found.pin(section, pin.name, (pin.start, pin.end), (begin, start + end), "option of requirements", mark=":")


class Pin(NamedTuple):
    """A requirement with a version, a range or an address.

    Attributes:
        name: The normalised name, with extras and the environment marker.
        start, end: Where the version stands in the text, without a single "==".
        exact: Whether it names one version.
    """

    name: str
    start: int
    end: int
    exact: bool


@lru_cache(maxsize=8192)
def _requirement(line: str) -> Pin | None:
    """Read a requirement; one without a version has it end where it starts."""
    try:
        requirement = Requirement(line)
    except (InvalidRequirement, ValueError):
        return None
    form = _FORM.match(line)
    if form is None:
        return None
    rest = form[2]
    if requirement.marker is not None:
        rest = rest.split(" ;" if requirement.url is not None else ";")[0]
    bare = rest.strip().rstrip(")").rstrip()
    name: str = canonicalize_name(requirement.name)
    if requirement.extras:
        name += f"[{','.join(sorted(requirement.extras))}]"
    if requirement.marker is not None:
        name += f";{requirement.marker}"
    start, end = form.end(1), form.end(1) + len(bare)
    exact = _EXACT.match(bare)
    return Pin(name, start + (exact.end() if exact is not None else 0), end, exact is not None)


def pin_at(text: str, start: int, end: int) -> Pin | None:
    """Read the requirement at a place; `None` if it is none, or names no version.

    Example:
        >>> pin_at("Foo_Bar[x] >=1.2,<2 ; python_version < '3.9'", 0, 44)
        Pin(name='foo-bar[x];python_version < "3.9"', start=11, end=19, exact=False)
    """
    found = _requirement(text[start:end]) if end - start <= _LONGEST_PIN else None
    if found is None or found.start == found.end:
        return None
    return found._replace(start=start + found.start, end=start + found.end)


def read_requirements(piece: Piece) -> Found:
    """Read the lines of a requirements or constraints file."""
    text = piece.text
    found, pinned = Found(text), False  # whether a pin stands above, to which comments may belong
    for start, end in logical_lines(text):
        line = text[start:end]
        begin, stop = start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        if begin >= stop or text[begin] == "#":
            pinned = pinned and _VIA.match(line) is not None
            if pinned:
                last = found.entries[-1]
                found.entries[-1] = last._replace(span=(last.span[0], stop))
            continue
        if text[begin] == "-":
            found.structural = found.structural or re.match(r"--?[a-z]", line.lstrip()) is not None
        else:
            bare = _COMMENT.sub("", text[begin:stop].split("\n", 1)[0]) if "#" in line else text[begin:stop]
            bare = _OPTIONS.sub("", bare).rstrip(" \t\\\n\r")
            pin = pin_at(text, begin, begin + len(bare))
            if pin is not None:
                found.pin(None, pin.name, (pin.start, pin.end), (begin, stop), "requirement")
                pinned = True
                continue
            found.structural = found.structural or (len(bare) <= _LONGEST_PIN and _requirement(bare) is not None)
        found.prose, pinned = True, False
    found.structural = found.structural or bool(found.entries)
    return found


def logical_lines(text: str) -> list[tuple[int, int]]:
    r"""Return the spans of lines, a line that ends in a backslash with the next.

    Example:
        >>> logical_lines("a \\\n b\nc")
        [(0, 6), (7, 8)]
    """
    spans: list[tuple[int, int]] = []
    start = pos = 0
    for line in text.split("\n"):
        end = pos + len(line)
        pos = end + 1
        if end < len(text) and line.rstrip("\r").endswith("\\") and text[start] != "#":
            continue
        spans.append((start, end))
        start = pos
    return spans
