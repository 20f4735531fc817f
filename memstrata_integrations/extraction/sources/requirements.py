"""Requirements: the lines of requirements and constraints files, and the entries of lists of dependencies."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from memstrata_integrations.extraction.sources.entries import Found
from memstrata_integrations.extraction.sources.kinds import Piece

__all__ = ["Pin", "logical_lines", "pin_at", "read_requirements"]

_FORM = re.compile(r"(\s*[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?\s*(?:\[[^\]]*\])?\s*\(?\s*@?\s*)(.*)\Z", re.DOTALL)
_EXACT = re.compile(r"={2,3}\s*(?=[^,*]*\Z)")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTIONS = re.compile(r"\s--?[a-z][\w-]*[= ].*$", re.DOTALL)
_VIA = re.compile(r"\s+#(?: via\b|\s{2,}\S)")
_LONGEST = 500  # characters of a requirement


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
def _read(line: str) -> Pin | None:
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
    found = _read(text[start:end]) if end - start <= _LONGEST else None
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
            found.structural = found.structural or (len(bare) <= _LONGEST and _read(bare) is not None)
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
