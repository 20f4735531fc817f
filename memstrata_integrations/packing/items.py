"""The statements of texts, with what each stands under: headings, parents, table heads, fences. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memstrata_integrations.extraction.statements import statements
from memstrata_integrations.packing.chunks import Chunk, Piece

__all__ = ["Item", "items_of"]

_SHORT = 3  # words: a shorter sentence leans on the one before it
_LEANING = re.compile(
    r"(?:it|its|they|their|this|that|these|those|he|she|his|her|both|such|here|there|the (?:former|latter|same))\b",
    re.I,
)
_SETTINGS = frozenset("yaml yml toml ini env dotenv properties conf cfg requirements".split())


@dataclass(slots=True)
class Item:
    """A statement, or what stands around statements: a heading, the head of a table, a fence.

    Attributes:
        piece: Number of the text it stands in.
        text: The item as written.
        gap: What stands between it and the item before.
        lead: The indent and the list marker before it, if it begins a line.
        block: The first item of its paragraph or line.
        ranks: The documents it came from, best first.
        needs: Items it cannot stand without.
        wishes: Items to keep if they fit: headings, the line that introduces a list.
        leans: The item that a sentence such as "It listens on 80." speaks of; -1 for none.
        key: What makes it a repetition.
        context: It says nothing without the items that need it.
        counts: It is chosen for its own sake.
        rule: A horizontal rule.
    """

    piece: int
    text: str
    gap: str
    lead: str
    block: int
    ranks: tuple[int, ...]
    needs: list[int] = field(default_factory=list)
    wishes: list[int] = field(default_factory=list)
    leans: int = -1
    key: tuple[str, ...] = ()
    context: bool = False
    counts: bool = False
    rule: bool = False

    @property
    def rank(self) -> int:
        """Its place among what was found."""
        return self.ranks[0]

    @property
    def said(self) -> str:
        """Its words, whatever the spaces between them."""
        return " ".join(self.text.split())


def items_of(pieces: Sequence[tuple[Chunk, Piece]], *, by_source: bool) -> list[Item]:
    """Return all items in the order in which they are written, what repeats marked as not counting."""
    items: list[Item] = []
    for number, (chunk, piece) in enumerate(pieces):
        _Outline(items, number, piece, chunk.group[1] if by_source else "").read()
    used = {i for item in items for i in (*item.needs, *item.wishes)}
    keys: set[tuple[str, ...]] = set()
    forms: dict[str, list[Item]] = {}
    for n in sorted(range(len(items)), key=lambda n: (items[n].rank, n)):
        item = items[n]
        if item.rule or (item.context and n in used):
            continue
        known = forms.setdefault(item.said, [])
        bare = not any(item.key[2:])  # nothing is seen of what it stands under
        item.counts = item.key not in keys and not (known and bare)
        if item.counts:
            keys.add(item.key)
            known.append(item)
    for same in forms.values():
        for item in same if len(same) > 1 else ():  # told apart only by what they stand under
            item.needs += item.wishes
            if item.leans >= 0:
                item.needs.append(item.leans)
    return items


def _spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of the statements of a text; a code block that holds no settings is one."""
    listed = statements(text)
    n = 0
    while n < len(listed):
        statement = listed[n]
        if statement.fence is not None:
            first = n
            while n < len(listed) and listed[n].paragraph == statement.paragraph:
                n += 1
            block = listed[first:n]
            if (statement.fence.split() or [""])[0] in _SETTINGS:
                yield from (("fence" if s.kind == "mark" else "setting", s.start, s.end) for s in block)
            else:
                yield "code", block[0].start, block[-1].end
            continue
        n += 1
        body = text[statement.start : statement.end]
        kind = statement.kind
        if kind == "mark":
            kind = "head" if "|" in body else "section" if body[0] == "[" else "rule"
        yield _KINDS.get(kind, kind), statement.start, statement.end


_KINDS = {"line": "field", "quote": "prose", "code": "prose"}


class _Outline:
    """Reads the items of one text, with what each stands under."""

    def __init__(self, items: list[Item], number: int, piece: Piece, source: str) -> None:
        self.items, self.number, self.piece, self.source = items, number, piece, source
        self.headings: list[tuple[int, int]] = []
        self.section: list[int] = []
        self.head: list[int] = []
        self.fence: list[int] = []
        self.parents: list[tuple[int, int]] = []
        self.intro: list[int] = []
        self.topic = -1

    def read(self) -> None:
        text, pos, before = self.piece.text, 0, ""
        for kind, start, end in _spans(text):
            gap = text[pos:start]
            n = len(self.items)
            fresh = "\n" in gap or not before
            lead = gap.rpartition("\n")[2] if fresh else ""
            goes_on = bool(before) and (
                not fresh or (kind == before == "sentence" and gap.count("\n") == 1 and not lead.strip())
            )
            ranks = sorted({rank for a, b, rank in self.piece.origins if a < end and start < b})
            ranks = ranks or [min(rank for _, _, rank in self.piece.origins)]  # a fence that was added
            block = self.items[-1].block if goes_on else n
            item = Item(self.number, text[start:end], gap, lead, block, tuple(ranks), rule=kind == "rule")
            self.items.append(item)
            self.place(item, kind, n)
            pos, before = end, kind

    def place(self, item: Item, kind: str, n: int) -> None:
        """Note what an item stands under, and what now stands above the next."""
        if kind == "heading":
            level = len(item.text) - len(item.text.lstrip("#")) or (1 if item.text[-1] == "=" else 2)
            while self.headings and self.headings[-1][0] >= level:
                self.headings.pop()
            item.wishes = [i for _, i in self.headings]
            self.headings.append((level, n))
            self.section, self.parents, self.intro = [], [], []
        else:
            item.wishes = [i for _, i in self.headings]
            self.under(item, kind, n)
        item.context = item.context or kind in ("heading", "section", "head", "fence")
        self.head = [] if kind not in ("head", "row") else [*self.head, n] if kind == "head" else self.head
        self.section = [n] if kind == "section" else self.section
        item.key = self.key(item, kind, n)

    def under(self, item: Item, kind: str, n: int) -> None:
        if item.block != n:
            item.needs = list(self.items[item.block].needs)
            item.wishes = list(self.items[item.block].wishes)
        else:
            if kind in ("field", "pin"):
                item.needs += self.section
            elif kind == "row":
                item.needs += self.head
            elif kind == "fence":
                self.fenced(item, n)
            elif kind == "setting":
                item.needs += self.fence
            self.nest(item, kind, n)
            marked = bool(item.lead.strip())
            if marked or kind not in ("sentence", "prose"):
                item.wishes += self.intro
            elif not item.needs:
                self.intro = []
        if kind in ("sentence", "prose") and item.text.endswith(":") and not item.lead.strip():
            self.intro, item.context = [n], True

    def fenced(self, item: Item, n: int) -> None:
        """Open a block of settings, or close it: each line needs both fences."""
        self.parents = []
        if not self.fence:
            self.fence = [n]
            return
        item.needs = [self.fence[0]]
        for i in range(self.fence[0], n):
            self.items[i].needs.append(n)
        self.fence = []

    def nest(self, item: Item, kind: str, n: int) -> None:
        """Find the list item or the ``key:`` that a line is indented under."""
        indent = len(item.lead.expandtabs(4)) - len(item.lead.expandtabs(4).lstrip())
        marked = bool(item.lead.strip())
        while self.parents:
            depth, i = self.parents[-1]
            above = self.items[i]
            listed = marked and depth == indent and not above.lead.strip() and above.text.endswith(":")
            if depth < indent or (listed and " " not in above.text):
                break
            self.parents.pop()
        if self.parents:
            above = self.items[self.parents[-1][1]]
            if above.lead.strip() or above.text.endswith(":"):
                item.needs.append(self.parents[-1][1])
                above.context = above.context or above.text.endswith(":")
        if kind not in ("fence", "rule", "head", "row"):
            self.parents.append((indent, n))

    def key(self, item: Item, kind: str, n: int) -> tuple[str, ...]:
        """Return what two items have in common if the second says nothing new."""
        opener = self.items[item.block]
        if opener.lead.strip() or item.needs or kind in ("field", "pin", "row", "setting"):
            above = [self.items[i].said for i in (*(i for _, i in self.headings), *item.needs)]
            return (item.said, self.source, *above)
        if kind in ("sentence", "prose") and (_LEANING.match(item.text) or len(item.text.split()) < _SHORT):
            item.leans = self.topic
            return (item.said, self.source, self.items[self.topic].said if self.topic >= 0 else "")
        if kind in ("sentence", "prose", "heading"):
            self.topic = n
        return (item.said, "")
