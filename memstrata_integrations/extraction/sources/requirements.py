"""Requirements: the lines of requirements and constraints files, and the entries of lists of dependencies."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from memstrata_integrations.extraction.sources.entries import Found

__all__ = ["Pin", "pin_at", "read_requirements"]

_NAME = re.compile(r"\s*[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?\s*(?:\[[^\]]*\])?\s*")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTIONS = re.compile(r"\s--?[a-z][\w-]*[= ].*$", re.DOTALL)
_CHECKOUT = re.compile(
    r"(?:-e\s+|--editable[ =])?(?:git|hg|svn|bzr)\+[^\s@#]+(?:@[^\s@#/]+/[^\s@#]*)?@(?P<ref>[^\s@#]+)"
    r"#(?:[^\s#]*&)?egg=(?P<name>[\w.-]+)"
)
_VIA = re.compile(r"\s*#\s+via\b")
_VIA_MORE = re.compile(r"\s*#\s{2,}\S")


class Pin(NamedTuple):
    """A requirement with a version, a range or an address.

    Attributes:
        name: The normalised name, with extras and the environment marker.
        start: Where the version starts in the text, without a single "==".
        end: Where it ends.
        exact: Whether it names one version.
    """

    name: str
    start: int
    end: int
    exact: bool


@lru_cache(maxsize=8192)
def _read(line: str) -> tuple[str, int, int, bool] | None:
    try:
        requirement = Requirement(line)
    except (InvalidRequirement, ValueError):
        return None
    named = _NAME.match(line)
    if named is None:
        return None
    start = named.end()
    end = len(line)
    if requirement.marker is not None:
        end = line.rfind(";", 0, line.find(";", start) + 1) if requirement.url is None else line.rfind(";", start)
    part = line[start:end]
    if requirement.url is not None:
        start += part.index("@") + 1
        part = line[start:end]
    bare = part.strip().strip("()").strip()
    if not bare:
        return "", 0, 0, False
    start = line.index(bare, start)
    end = start + len(bare)
    exact = False
    single = re.match(r"={2,3}\s*", bare)
    if single is not None and "," not in bare:
        exact = "*" not in bare
        start += single.end() if exact else 0
    name: str = canonicalize_name(requirement.name)
    if requirement.extras:
        name += f"[{','.join(sorted(requirement.extras))}]"
    if requirement.marker is not None:
        name += f";{requirement.marker}"
    return name, start, end, exact


def pin_at(text: str, start: int, end: int) -> Pin | None:
    """Read the requirement at a place; `None` if it is none, or names no version.

    Example:
        >>> pin_at("Foo_Bar[x] >=1.2,<2 ; python_version < '3.9'", 0, 44)
        Pin(name='foo-bar[x];python_version < "3.9"', start=11, end=19, exact=False)
    """
    if end - start > 500:
        return None
    found = _read(text[start:end])
    if found is None or not found[0]:
        return None
    return Pin(found[0], start + found[1], start + found[2], found[3])


def read_requirements(text: str) -> Found:
    """Read the lines of a requirements or constraints file."""
    found = Found()
    statement: list[int] | None = None  # the span of the pin above, for the comments that belong to it
    annotated = False
    for start, end in logical_lines(text):
        line = text[start:end]
        stripped = line.strip()
        if not stripped:
            statement = None
            continue
        if stripped[0] == "#":
            if statement is not None and (_VIA.match(line) or (annotated and _VIA_MORE.match(line))):
                annotated = True
                last = found.entries[-1]
                found.entries[-1] = last._replace(span=(last.span[0], end))
            else:
                statement = None
            continue
        annotated = False
        statement = None
        begin = start + len(line) - len(line.lstrip())
        stop = start + len(line.rstrip())
        cut = _COMMENT.search(text[begin:stop].split("\n", 1)[0])
        bare_end = begin + cut.start() if cut is not None else stop
        checkout = _CHECKOUT.match(text, begin, stop)
        if checkout is not None:
            found.structural = True
            name = canonicalize_name(checkout["name"])
            found.pin(None, name, checkout.span("ref"), text, (begin, stop), "checkout")
            continue
        if stripped[0] == "-":
            found.structural = found.structural or re.match(r"--?[a-z]", stripped) is not None
            found.prose = True
            continue
        options = _OPTIONS.search(text[begin:bare_end])
        if options is not None:
            bare_end = begin + options.start()
        while bare_end > begin and text[bare_end - 1] in " \t\\\n\r":
            bare_end -= 1
        pin = pin_at(text, begin, bare_end)
        if pin is None:
            known = _read(text[begin:bare_end]) if bare_end - begin <= 500 else None
            found.structural = found.structural or known is not None
            found.prose = True
            continue
        found.structural = True
        found.pin(None, pin.name, (pin.start, pin.end), text, (begin, stop), "requirement")
        statement = [begin, stop]
    return found


def logical_lines(text: str) -> list[tuple[int, int]]:
    r"""Return the spans of lines, a line that ends in a backslash with the next.

    Example:
        >>> logical_lines("a \\\n b\nc")
        [(0, 6), (7, 8)]
    """
    spans: list[tuple[int, int]] = []
    start = pos = 0
    while pos <= len(text):
        end = text.find("\n", pos)
        end = len(text) if end < 0 else end
        pos = end + 1
        if text.endswith(("\\", "\\\r"), start, end) and pos <= len(text) and text[start] != "#":
            continue
        spans.append((start, end))
        start = pos
    if start < len(text):
        spans.append((start, len(text)))
    return spans
