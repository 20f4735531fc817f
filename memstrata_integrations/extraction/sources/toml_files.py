"""TOML files and fragments: statement by statement, each read by the TOML parser."""

import re
import sys
from collections import Counter
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from memstrata_integrations.extraction.sources.entries import (
    LONGEST_VALUE,
    Found,
    Written,
    escape,
    join,
    of_object,
    whole_line,
    written,
)
from memstrata_integrations.extraction.sources.kinds import Piece
from memstrata_integrations.extraction.sources.lines import pin_at

_KEY = r"(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')"
_KEYS = rf"(?P<key>{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)"
_STATEMENT = re.compile(rf"[ \t]*{_KEYS}[ \t]*=[ \t]*(?P<value>[^\s=])")
_HEADER = re.compile(rf"^[ \t]*(?P<open>\[\[?)[ \t]*{_KEYS}[ \t]*\]\]?[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_NAMED = re.compile(r"^[ \t]*(?:\[|(?P<field>name|id)[ \t]*=[ \t]*(?P<value>[^\n]*))", re.MULTILINE)
_QUOTES = "\"'"
_PART = re.compile(_KEY)
# What of a value's line can hold a bracket or a quote
_TOKEN = re.compile(r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n]')
_VERSION = re.compile(r"\bversion[ \t]*=[ \t]*(?:\"([^\"\n]+)\"|'([^'\n]+)')")
_LONE_STRING = re.compile(r"[ \t]*(?P<string>\"[^\"\n]+\"|'[^'\n]+')[ \t]*,?[ \t]*(?:#[^\n]*)?\r?$")
_TABLES_OF_PINS = frozenset(("dependencies", "dev-dependencies", "build-dependencies", "packages", "dev-packages"))
_LISTS_OF_PINS = frozenset(("project.dependencies", "build-system.requires"))
_TABLES_OF_LISTS = frozenset(("project.optional-dependencies", "dependency-groups", "tool.pdm.dev-dependencies"))
_OWN = {f"{table}.version": "has version" for table in ("project", "tool.poetry", "package")}
_OWN["project.requires-python"] = "requires python"


def read_toml(piece: Piece) -> Found:
    """Read a TOML text.

    What stands above the first header belongs to a table that cannot be seen, and gives no key unless metadata names
    it; `requires-python` and a lone exact version in ``pyproject.toml`` need none. A table of an array is named by its
    `name` or `id`, if no other has it.
    """
    return _Reader(piece).read()


class _Reader:
    def __init__(self, piece: Piece) -> None:
        self.text, self.found = piece.text, Found(piece.text)
        self.given = self.section = piece.section
        self.project = piece.source.name == "pyproject.toml"
        # of several lines the one may belong to this list, and the other to that
        self.alone = self.project and "\n" not in piece.text.strip()
        headers = [m for m in _HEADER.finditer(piece.text) if m["open"] == "[["]
        # an element's own tables may stand above the first element that a piece shows
        self.arrays = {_joined(m["key"]) for m in headers}
        self.names = {m.start(): self.name_below(m) for m in headers}
        self.counts = Counter(self.names.values())
        self.torn = False

    def name_below(self, header: re.Match[str]) -> str | None:
        """Return what a table of an array is called by its naming field."""
        field = _NAMED.search(self.text, header.end())
        if field is None or not field["field"]:
            return None
        value = written(self.text, *field.span("value"), comments=True)
        return None if value is None else join(_joined(header["key"]), f"[{field['field']}={value.value}]")

    def read(self) -> Found:
        text, found, pos = self.text, self.found, 0
        while pos < len(text):
            end = text.find("\n", pos)
            end = len(text) if end < 0 else end
            header = _HEADER.match(text, pos, end)
            statement = _STATEMENT.match(text, pos, end) if header is None else None
            if header is not None:
                self.header(header)
            elif statement is not None:
                stop = self.end_of(statement.start("value"))
                if stop is None:
                    found.prose = found.structural = True
                    break  # the text is cut inside of this value
                self.statement(statement, stop)
                end = stop
            elif text[pos:end].strip() and text[pos:end].lstrip()[0] != "#":
                self.fragment(pos, end)
            pos = end + 1
        if self.torn:  # a string of several lines was cut: what is inside of it, and what outside, nobody knows
            found.entries.clear()
            found.prose = True
        return found

    def end_of(self, start: int) -> int | None:
        """Return where the statement's last line ends, `None` if the text is cut before."""
        text, depth, pos = self.text, 0, start
        while (token := _TOKEN.search(text, pos)) is not None:
            word, pos = token[0], token.end()
            if word == "\n" and depth <= 0:
                return token.start()
            if len(word) == 3 and word in ('"""', "'''"):
                pos = text.find(word, pos) + 3
                if pos < 3:
                    return None
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(word, 0)
        return len(text) if depth == 0 else None

    def header(self, header: re.Match[str]) -> None:
        self.found.structural = True
        self.found.covered.append(header.span())
        section = _joined(header["key"])
        if header["open"] == "[[":
            name = self.names.get(header.start())
            self.section = name if self.counts[name] == 1 else None
        else:
            parts = section.split(".")
            inside = any(".".join(parts[:n]) in self.arrays for n in range(1, len(parts)))
            self.section = None if inside else section  # a table of one of several

    def statement(self, match: re.Match[str], stop: int) -> None:
        text, found, start = self.text, self.found, match.start("key")
        span = (start, start + len(text[start:stop].rstrip()))
        value: Any = None
        try:
            value = tomllib.loads(text[slice(*span)].replace("\r\n", "\n"))
        except (ValueError, RecursionError):
            self.torn = self.torn or '"""' in text[slice(*span)] or "'''" in text[slice(*span)]
        parts = [p.strip(_QUOTES) for p in _PART.findall(match["key"])]
        for part in parts:
            value = value.get(part) if isinstance(value, dict) else None
        if value is None:
            found.prose = True
            return
        found.structural = True
        section = self.section
        if section is None and self.project and parts == ["requires-python"]:
            section = "project"  # no other table has it
        if section is None:
            found.prose = True
            return
        for part in parts[:-1]:
            section = join(section, part)
        self.pair(section, parts[-1], value, match.start("value"), span)

    def pair(self, section: str, name: str, value: Any, start: int, span: tuple[int, int]) -> None:
        found, text = self.found, self.text
        whole = join(section, name)
        if isinstance(value, list) and _lists_pins(whole):
            self.requirements(whole, start, span)
            found.covered.append((span[0], start))
            return
        pins = section.rpartition(".")[2] in _TABLES_OF_PINS
        version = _VERSION.search(text, start, span[1]) if isinstance(value, dict) and pins else None
        place = self.place(value, start, span[1])
        exact = isinstance(value, str) and place is not None and place.end - place.start == len(value)
        if version is not None and version[version.lastindex or 1] == value.get("version"):
            found.pin(section, name, version.span(version.lastindex or 1), span, "dependency")
        elif place is None or (pins and isinstance(value, dict)):
            found.prose = True
        elif exact and pins:
            relation = "requires python" if name == "python" else "is pinned to"
            found.pin(section, name, place[:2], span, "dependency", relation=relation)
        elif whole in _OWN:
            found.pin(section, name, place[:2], span, "version", relation=_OWN[whole])
        else:
            found.setting(section, name, place, span, "key")

    def place(self, value: Any, start: int, stop: int) -> Written | None:
        """Return where a value stands; of a list the whole, if all in it are single values."""
        text = self.text
        if isinstance(value, (list, dict)):
            close = text.rfind("]" if isinstance(value, list) else "}", start, stop) + 1
            nested = isinstance(value, list) and any(isinstance(item, (list, dict)) for item in value)
            long = close - start > LONGEST_VALUE
            return None if not value or nested or long else Written(start, close, of_object(value))
        if isinstance(value, str) and text.startswith(('"""', "'''"), start):
            return None
        place = written(text, start, stop, comments=True)
        return None if place is None else place._replace(value=of_object(value, text[place.start : place.end]))

    def requirements(self, section: str, start: int, span: tuple[int, int]) -> None:
        """Take the requirements out of a list."""
        for quoted in _TOKEN.finditer(self.text, start, span[1]):
            pin = pin_at(self.text, quoted.start() + 1, quoted.end() - 1) if quoted[0][0] in "\"'" else None
            if pin is not None:
                line = whole_line(self.text, quoted.start(), quoted.end())
                self.found.pin(section, pin.name, (pin.start, pin.end), line, "requirement")

    def fragment(self, start: int, end: int) -> None:
        """Read a line that is no statement: one of a list that began before this text, perhaps."""
        found, line = self.found, self.text[start:end]
        self.torn = self.torn or '"""' in line or "'''" in line
        lone = _LONE_STRING.match(self.text, start, end)
        pin = pin_at(self.text, lone.start("string") + 1, lone.end("string") - 1) if lone is not None else None
        listed = self.given if self.given is not None and _lists_pins(self.given) else None
        found.structural = found.structural or lone is not None or line.strip() in ("]", "],", "}", "[")
        if lone is None or pin is None or found.covered or not (listed or (self.alone and pin.exact)):
            found.prose = True
        else:
            span = (lone.start("string"), start + len(line.rstrip()))
            found.pin(listed or "?", pin.name, (pin.start, pin.end), span, "requirement")


def _lists_pins(section: str) -> bool:
    return section in _LISTS_OF_PINS or section.rpartition(".")[0] in _TABLES_OF_LISTS


def _joined(key: str) -> str:
    return ".".join(escape(part.strip(_QUOTES)) for part in _PART.findall(key))
