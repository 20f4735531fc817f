"""The forty invented pages of `corpus`, in dated revisions, and how their words are found in texts."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
WORDS = 3
"""How many words of a statement go with its value at least."""


@dataclass(frozen=True)
class Said:
    """What a page says of a fact from a date on; no value and no statement once it says nothing."""

    since: str
    value: str | None
    statement: str | None


@dataclass(frozen=True)
class Changing:
    """A fact that changes."""

    id: str
    question: str
    said: tuple[Said, ...]

    def at(self, day: str) -> Said:
        """Return what the page says at a date."""
        return next((s for s in reversed(self.said) if s.since <= day), Said("", None, None))

    def others(self, day: str) -> list[Said]:
        """Return what it says at other dates with another value."""
        holds = self.at(day).value
        return [s for s in self.said if s.value is not None and s.value != holds]


@dataclass(frozen=True)
class Static:
    """A fact that doesn't change."""

    id: str
    question: str
    value: str
    statement: str


@dataclass(frozen=True)
class Page:
    """A page in all its revisions, by date."""

    source: str
    title: str
    revisions: dict[str, str]
    changing: tuple[Changing, ...]
    static: tuple[Static, ...]

    @cached_property
    def squeezed(self) -> dict[str, str]:
        """The revisions with single blanks."""
        return {day: squeeze(text) for day, text in self.revisions.items()}


def read_pages(limit: int | None = None) -> list[Page]:
    """Return the pages of both corpora, of each in turn, with their edits applied.

    Raises:
        ValueError: If an edit doesn't apply at exactly one place.
    """
    halves = [sorted((CORPUS / part).glob("*.jsonl")) for part in ("a", "b")]
    files = [path for pair in zip(*halves, strict=True) for path in pair]
    return [_read_page(path) for path in files[:limit]]


def _read_page(path: Path) -> Page:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    head = lines[0]
    text = path.with_suffix(".md").read_text("utf-8")
    revisions = {head["first"]: text}
    for edit in (line for line in lines if line["kind"] == "edit"):
        if text.count(edit["old"]) != 1:
            raise ValueError(f"{path.name}: {edit['old']!r} occurs {text.count(edit['old'])} times on {edit['date']}")
        text = text.replace(edit["old"], edit["new"])
        revisions[edit["date"]] = text
    changing = tuple(
        Changing(
            line["id"],
            line["question"],
            tuple(Said(v["from"], v["value"], s) for v, s in zip(line["values"], line["statements"], strict=True)),
        )
        for line in lines
        if line["kind"] == "fact"
    )
    static = tuple(
        Static(line["id"], line["question"], line["value"], line["statement"])
        for line in lines
        if line["kind"] == "static"
    )
    return Page(f"{path.parent.name}/{path.stem}.md", head["title"], revisions, changing, static)


# -- finding words in texts -------------------------------------------------------------------


def squeeze(text: str) -> str:
    """Return a text with single blanks."""
    return " ".join(text.split())


def count(text: str, words: str) -> int:
    """Return how often words stand in a text, at the bounds of words; both squeezed."""
    before = r"(?<!\w)" if words[:1].isalnum() else ""
    after = r"(?!\w)" if words[-1:].isalnum() else ""
    return len(re.findall(before + re.escape(words) + after, text))


def in_its_words(statement: str, value: str, enough: Callable[[str], bool]) -> str:
    """Return a value with as many words of its statement on either side as are `enough`, three at least."""
    said, value = squeeze(statement), squeeze(value)
    start = max(said.find(value), 0)
    words = [m.span() for m in re.finditer(r"\S+", said)]
    first = next(n for n, (_, end) in enumerate(words) if end > start)
    last = max(n for n, (begin, _) in enumerate(words) if begin < start + max(len(value), 1))
    for around in range(WORDS, len(words)):
        found = said[words[max(first - around, 0)][0] : words[min(last + around, len(words) - 1)][1]]
        if enough(found):
            return found
    return said


def shape(page: Page, said: Said) -> str:
    """Return what a statement looks like on its page."""
    text = page.revisions[said.since]
    statement = re.compile(r"\s+".join(re.escape(w) for w in (said.statement or "").split()))
    found = statement.search(text)
    assert found is not None, said
    line = text[text.rfind("\n", 0, found.start()) + 1 :].split("\n", 1)[0].strip()
    if text[: found.start()].count("```") % 2:
        return "line of code or configuration"
    if line.startswith("|"):
        return "table row"
    if re.match(r"[-*+] |\d+[.)] ", line):
        return "list item"
    if re.match(r"\S[^.]{0,40}: \S", line) and len(line) < 90:
        return "field: value"
    return "sentence"
