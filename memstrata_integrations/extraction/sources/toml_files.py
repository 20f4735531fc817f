"""TOML files and fragments: statement by statement, each read by the TOML parser."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from memstrata_integrations.extraction.sources.entries import LONGEST_VALUE, Found, Written, join, whole_line, written
from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.sources.requirements import pin_at
from memstrata_integrations.extraction.sources.scalars import of_object

__all__ = ["read_toml"]

_KEY = r"(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')"
_STATEMENT = re.compile(rf"[ \t]*(?P<key>{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)[ \t]*=[ \t]*(?P<value>[^\s=])")
_HEADER = re.compile(
    rf"[ \t]*(?P<open>\[\[?)[ \t]*(?P<key>{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)[ \t]*\]\]?[ \t]*(?:#[^\n]*)?\r?$"
)
_ARRAY = re.compile(rf"^[ \t]*\[\[[ \t]*(?P<key>{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)[ \t]*\]\]", re.MULTILINE)
_PART = re.compile(_KEY)
# What of a value's line can hold a bracket or a quote
_TOKEN = re.compile(r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n]')
_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)'")
_VERSION = re.compile(r"\bversion[ \t]*=[ \t]*(\"[^\"\n]*\"|'[^'\n]*')")
_LONE_STRING = re.compile(r"[ \t]*(?P<string>\"[^\"\n]+\"|'[^'\n]+')[ \t]*,?[ \t]*(?:#[^\n]*)?\r?$")
_NAMES = ("name", "id")
_MOST_LINES = 2000


def read_toml(text: str, source: Source, section: str | None) -> Found:
    """Read a TOML text.

    What stands above the first header belongs to a table that cannot be seen, and gives no key
    unless metadata names it; `requires-python` and exact versions in ``pyproject.toml`` need
    none. A table of an array is named by its `name` or `id`, if no other has it.

    Args:
        text: The text.
        source: The file.
        section: The table that the text starts in, if metadata names it ("" for the top).
    """
    return _Reader(text, source, section).read()


class _Reader:
    def __init__(self, text: str, source: Source, section: str | None) -> None:
        self.text = text
        self.source = source
        self.section = section
        self.found = Found()
        self.project = source.name == "pyproject.toml"
        # of several lines the one may belong to this list, and the other to that
        self.alone = self.project and len(text.strip().split("\n")) == 1
        self.arrays: dict[str, list[str | None]] = {}
        # an element's own tables may stand above the first element that a piece shows
        self.listed = tuple({_joined(m["key"]) + "." for m in _ARRAY.finditer(text)})
        self.torn = False

    def read(self) -> Found:
        text, found = self.text, self.found
        pos = 0
        while pos < len(text):
            end = text.find("\n", pos)
            end = len(text) if end < 0 else end
            line = text[pos:end].strip()
            if not line or line[0] == "#":
                pos = end + 1
                continue
            header = _HEADER.match(text, pos, end)
            statement = _STATEMENT.match(text, pos, end) if header is None else None
            if header is not None:
                self.header(header, pos, end)
            elif statement is not None:
                stop = self.end_of(statement.start("value"))
                if stop is None:
                    found.prose = found.structural = True
                    break  # the text is cut inside of this value
                self.statement(statement, stop)
                end = stop
            else:
                self.fragment(pos, end)
            pos = end + 1
        if self.torn:  # a string of several lines was cut: what is inside of it, and what outside, nobody knows
            found.entries.clear()
            found.prose = True
        for names in self.arrays.values():
            for name in {n for n in names if n is not None and names.count(n) > 1}:
                found.entries = [e for e in found.entries if not (e.section or "").startswith(name)]
                found.prose = True
        return found

    def end_of(self, start: int) -> int | None:
        """Return where the statement's last line ends, `None` if the text is cut before."""
        text, depth, pos = self.text, 0, start
        while True:
            token = _TOKEN.search(text, pos)
            if token is None:
                return len(text) if depth == 0 else None
            word, pos = token[0], token.end()
            if word in ('"""', "'''"):
                close = text.find(word, pos)
                if close < 0:
                    return None
                pos = close + 3
            elif word in "[{":
                depth += 1
            elif word in "]}":
                depth -= 1
            elif word == "\n" and depth <= 0:
                return token.start()

    def header(self, header: re.Match[str], start: int, end: int) -> None:
        self.found.structural = True
        self.found.covered.append((start, end))
        self.section = _joined(header["key"])
        if header["open"] == "[[":
            name = self.name_below(end)
            whole = None if name is None else join(self.section, f"[{name}]")
            self.arrays.setdefault(self.section, []).append(whole)
            self.section = whole
        elif self.section.startswith(self.listed):
            self.section = None  # a table of one of several

    def name_below(self, pos: int) -> str | None:
        """Return the naming field of a table of an array."""
        for line in self.text[pos + 1 : pos + 5000].split("\n"):
            if line.lstrip().startswith("["):
                return None
            field = _STATEMENT.match(line)
            if field is not None and field["key"] in _NAMES:
                value = written(line, field.start("value"), len(line), comments=True)
                return None if value is None else f"{field['key']}={value.value}"
        return None

    def statement(self, match: re.Match[str], stop: int) -> None:
        text, found = self.text, self.found
        start = match.start("key")
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        span = (start, stop)
        if text.count("\n", start, stop) > _MOST_LINES:
            found.prose = True
            return
        try:
            value: Any = tomllib.loads(text[start:stop].replace("\r\n", "\n").rstrip("\r"))
        except (ValueError, RecursionError):
            found.prose = True
            self.torn = self.torn or '"""' in text[start:stop] or "'''" in text[start:stop]
            return
        found.structural = True
        parts = [_bare(p) for p in _PART.findall(match["key"])]
        for part in parts:
            if not isinstance(value, dict) or part not in value:
                found.prose = True
                return
            value = value[part]
        section, name = self.section, parts[-1]
        if section is None and self.project and parts == ["requires-python"]:
            section = "project"  # no other table has it
        if section is None:
            found.prose = True
            self.unseen(_joined(match["key"]), value, match.start("value"), span)
            return
        inner, count = section, len(found.entries)
        for part in parts[:-1]:
            inner = join(inner, part)
        self.pair(inner, name, value, match.start("value"), span)
        if inner != section:  # alone, the statement has its key if it is read in the section where it stands
            found.entries[count:] = [
                e._replace(section=section, key=e.place) if e.span == span else e for e in found.entries[count:]
            ]

    def unseen(self, name: str, value: Any, start: int, span: tuple[int, int]) -> None:
        """Take the exact versions out of a list of requirements whose table cannot be seen: they belong to the list."""
        if self.alone and isinstance(value, list) and all(isinstance(item, str) for item in value):
            self.requirements(f"?.{name}", start, span, exact=True)

    def pair(self, section: str, name: str, value: Any, start: int, span: tuple[int, int]) -> None:
        found = self.found
        if isinstance(value, list) and self.lists_requirements(section, name):
            self.requirements(join(section, name), start, span)
            found.covered.append((span[0], start))
            return
        if isinstance(value, dict):
            self.inline(section, name, value, start, span)
            return
        place = self.place(value, start, span[1])
        above, _, last = section.rpartition(".")
        if place is None:
            found.prose = True
        elif (
            name == "version"
            and isinstance(value, str)
            and self.is_pin(above)
            and place.end - place.start == len(value)
        ):
            # a table of its own says what `rand = "0.8"` says
            found.pin(section, unquote(last), (place.start, place.end), self.text, span, "dependency")
            found.entries[-1] = found.entries[-1]._replace(key=section)
        elif isinstance(value, str) and place.end - place.start == len(value) and self.is_pin(section):
            relation = "requires python" if name == "python" else "is pinned to"
            found.pin(section, name, (place.start, place.end), self.text, span, "dependency", relation=relation)
        elif (section, name) in (("project", "version"), ("tool.poetry", "version"), ("package", "version")):
            found.pin(section, name, place[:2], self.text, span, "version", relation="has version")
        elif (section, name) == ("project", "requires-python"):
            found.pin(section, name, place[:2], self.text, span, "version", relation="requires python")
        else:
            found.setting(section, name, place, span, "key")

    def place(self, value: Any, start: int, stop: int) -> Written | None:
        """Return where a value stands; of a list the whole, if all in it are single values."""
        text = self.text
        if isinstance(value, list):
            flat = value and not any(isinstance(item, (list, dict)) for item in value)
            close = text.rfind("]", start, stop) + 1
            if not flat or close - start > LONGEST_VALUE:
                return None
            return Written(start, close, of_object(value))
        if isinstance(value, str) and text.startswith(('"""', "'''"), start):
            return None
        place = written(text, start, stop, comments=True)
        return None if place is None else place._replace(value=of_object(value, text[place.start : place.end]))

    def inline(self, section: str, name: str, value: dict[str, Any], start: int, span: tuple[int, int]) -> None:
        version = _VERSION.search(self.text, start, span[1])
        if isinstance(value.get("version"), str) and self.is_pin(section) and version is not None:
            inside = (version.start(1) + 1, version.end(1) - 1)
            if inside[1] > inside[0]:
                self.found.pin(section, name, inside, self.text, span, "dependency")
                return
        close = self.text.rfind("}", start, span[1]) + 1
        if self.is_pin(section) or not value or close - start > LONGEST_VALUE:
            self.found.prose = True
            return
        self.found.setting(section, name, Written(start, close, of_object(value)), span, "table")

    def is_pin(self, section: str) -> bool:
        """Whether a table maps packages to versions."""
        last = section.rpartition(".")[2]
        return last in ("dependencies", "dev-dependencies", "build-dependencies", "packages", "dev-packages")

    def lists_requirements(self, section: str, name: str) -> bool:
        if (section, name) in (("project", "dependencies"), ("build-system", "requires")):
            return True
        return section in ("project.optional-dependencies", "dependency-groups", "tool.pdm.dev-dependencies")

    def requirements(self, section: str, start: int, span: tuple[int, int], *, exact: bool = False) -> None:
        """Take the requirements out of a list."""
        for quoted in _strings(self.text, start, span[1]):
            pin = pin_at(self.text, quoted.start() + 1, quoted.end() - 1)
            line = whole_line(self.text, quoted.start(), min(quoted.end(), span[1]))
            if pin is None or (exact and not pin.exact):
                self.found.prose = True
                continue
            self.found.pin(section, pin.name, (pin.start, pin.end), self.text, line, "requirement")

    def fragment(self, start: int, end: int) -> None:
        """Read a line that is no statement: one of a list that began before this text, perhaps."""
        line = self.text[start:end]
        self.torn = self.torn or '"""' in line or "'''" in line
        lone = _LONE_STRING.match(self.text, start, end)
        pin = pin_at(self.text, lone.start("string") + 1, lone.end("string") - 1) if lone is not None else None
        given = self.section if self.section is not None and self.given(self.section) else None
        if lone is None or pin is None or not (given or (self.alone and pin.exact)) or self.found.covered:
            self.found.prose = True
            self.found.structural = self.found.structural or lone is not None or line.strip() in ("]", "],", "}", "[")
            return
        self.found.structural = True
        span = (lone.start("string"), start + len(line.rstrip()))
        self.found.pin(given or "?", pin.name, (pin.start, pin.end), self.text, span, "requirement")

    def given(self, section: str) -> bool:
        """Whether the section that metadata names is a list of requirements."""
        above, _, last = section.rpartition(".")
        return self.lists_requirements(above, last)


def _strings(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the strings of a list, those in comments left out."""
    pos = start
    while pos < end:
        token = _TOKEN.search(text, pos, end)
        if token is None:
            return
        pos = token.end()
        quoted = _STRING.fullmatch(text, token.start(), token.end())
        if quoted is not None:
            yield quoted


def _joined(key: str) -> str:
    section = ""
    for part in _PART.findall(key):
        section = join(section, _bare(part))
    return section


def _bare(part: str) -> str:
    return part[1:-1] if part[:1] in "\"'" else part
