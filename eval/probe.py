"""What the grammar supersedes, and what it supersedes wrongly, on pairs written without sight of the code.

Run ``python -m eval probe``. Sets that nobody has worked on come first. ``--authors`` counts by author; ``--show``
prints misses, of the split ``worked`` only; ``--ablate`` leaves out one element of the grammar at a time. Rates stand
with their counts and 95 % Wilson intervals. ``--add FILE --author NAME --kind KIND`` appends a set as ``fresh``.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from eval.arguments import Parser, told
from eval.pairs import KINDS, SPLITS, Row, add, read
from eval.statistics import rate
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction import Extraction, KeyedFact

Reads = Callable[[Sequence[str]], list[Extraction]]


class Outcome(NamedTuple):
    """What came of one row: of `asked` facts that should end `ended` did, of `kept` ones `lost` were lost."""

    row: Row
    ended: int = 0
    asked: int = 0
    lost: int = 0
    kept: int = 0

    @property
    def missed(self) -> bool:
        """Whether it is not all as it should be."""
        return self.ended < self.asked or self.lost > 0


class Count(NamedTuple):
    """Sums of outcomes."""

    ended: int = 0
    asked: int = 0
    lost: int = 0
    kept: int = 0


def superseded_by(earlier: Extraction, later: Extraction) -> list[KeyedFact]:
    """Return the facts of the earlier text that the later one supersedes or ends."""
    acting = [f for f in later.facts if f.cardinality == "functional"]
    return [
        fact
        for fact in earlier.facts
        if fact.cardinality == "functional"
        and not fact.change
        and any(
            new.value in ("", fact.value) if new.object is None else new.kind == fact.kind and new.value != fact.value
            for new in acting
            if new.key == fact.key
        )
    ]


def retired_by(earlier: Extraction, later: Extraction) -> bool:
    """Whether the whole of the earlier text would be retired: clean supersession."""
    gone = superseded_by(earlier, later)
    return bool(gone) and not earlier.prose and len(gone) == len(earlier.facts)


def retires(grammar: GrammarExtractor, first: str, second: str) -> bool:
    """Whether writing `second` after `first` would retire the whole of `first`."""
    earlier, later = grammar.extract([first, second])
    return retired_by(earlier, later)


def outcomes(reads: Reads, rows: Iterable[Row]) -> Iterator[Outcome]:
    """Yield what comes of each row."""
    for row in rows:
        if row["kind"] == "change":
            told, *facts = reads([row["change"], *row["ends"], *row["stays"]])
            gone = [bool(superseded_by(fact, told)) for fact in facts]
            n = len(row["ends"])
            yield Outcome(row, sum(gone[:n]), n, sum(gone[n:]), len(gone) - n)
        elif row["kind"] == "group":  # each construction with the one value, then every other one with the other
            old, new = (reads([s.replace("{v}", value) for s in row["sentences"]]) for value in row["values"])
            links = [retired_by(a, b) for i, a in enumerate(old) for j, b in enumerate(new) if i != j]
            yield Outcome(row, sum(links), len(links))
        else:
            earlier, later = reads([row["first"], row["second"]])
            if row["supersedes"]:  # of several lines, a part is to go
                ended = bool(superseded_by(earlier, later)) if "\n" in row["first"] else retired_by(earlier, later)
                yield Outcome(row, ended=int(ended), asked=1)
            else:
                yield Outcome(row, lost=int(bool(superseded_by(earlier, later))), kept=1)


def total(found: Iterable[Outcome]) -> Count:
    """Return the sums of outcomes."""
    return Count(*map(sum, zip((0, 0, 0, 0), *((o.ended, o.asked, o.lost, o.kept) for o in found), strict=True)))


# -- printing ---------------------------------------------------------------------------------

TITLES = {
    "value_only": "value only", "reworded": "reworded", "assistant": "told to an assistant", "lookalike": "look-alikes",
    "change": "sentences of change", "group": "one fact in many constructions",
}  # fmt: skip


def lines_of(found: Sequence[Outcome], splits: Sequence[str]) -> Iterator[str]:
    """Yield a line for each split and kind: what was superseded of what should be, and of what should not."""
    for split in sorted(splits, key=("fresh", "counted", "worked").index):
        of_split = [o for o in found if o.row["split"] == split]
        if of_split:
            authors = len({o.row["author"] for o in of_split})
            yield f"\n{split}: {len(of_split):,} rows by {authors} authors"
        for kind in KINDS:
            some = [o for o in of_split if o.row["kind"] == kind]
            if some:
                ended, asked, lost, kept = total(some)
                parts = [f"superseded {rate(ended, asked)}"] * bool(asked) + [f"false {rate(lost, kept)}"] * bool(kept)
                yield f"  {TITLES[kind]:<31} {'   '.join(parts)}"
        kept = [o for o in of_split if o.kept and o.row["kind"] != "change"]
        if kept:
            yield f"  {'all that must not':<31} false {rate(sum(o.lost for o in kept), len(kept))}"


def by_author(found: Sequence[Outcome]) -> Iterator[str]:
    """Yield a line for each author."""
    yield f"{'author':<8}" + "".join(f"{TITLES[kind]:>22}" for kind in KINDS[:3]) + f"{'false':>18}"
    for author in dict.fromkeys(o.row["author"] for o in found if o.row["kind"] not in ("change", "group")):
        own = [o for o in found if o.row["author"] == author and o.row["kind"] not in ("change", "group")]
        cells = [[o for o in own if o.row["kind"] == kind and o.asked] for kind in KINDS[:3]]
        told = [f"{sum(o.ended for o in some)}/{len(some)} {_percent(some)}" if some else "-" for some in cells]
        lost, kept = sum(o.lost for o in own), sum(o.kept for o in own)
        yield f"{author:<8}" + "".join(f"{cell:>22}" for cell in told) + f"{f'{lost}/{kept}' if kept else '-':>18}"


def _percent(some: Sequence[Outcome]) -> str:
    return f"{sum(o.ended for o in some) / len(some):.0%}"


def shown(reads: Reads, outcome: Outcome) -> str:
    """Return one miss as its texts, and what was read in them."""
    row = outcome.row
    texts = [row.get("first", row.get("change")), row.get("second"), *row.get("ends", ()), *row.get("stays", ())]
    said = [text for text in texts if text is not None]
    lines = [f"  {'FALSE' if outcome.lost else 'MISS'} {row['id']} ({row.get('topic', '')})"]
    for text, extraction in zip(said, reads(said), strict=True):
        facts = "; ".join(f"{' | '.join(f.key)} = {f.value!r} ({f.kind})" for f in extraction.facts)
        lines.append(f"    {text!r}\n      {facts or ', '.join(u[2] for u in extraction.unread) or 'no fact'}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Count what was asked for."""
    parser = Parser(prog="python -m eval probe", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kind", action="append", choices=KINDS, help="default: all; with --add, of what is added")
    parser.add_argument("--split", action="append", choices=SPLITS, help="default: all")
    parser.add_argument("--author", help="this author only; with --add, whose set it is")
    parser.add_argument("--authors", action="store_true", help="count by author")
    parser.add_argument("--show", action="store_true", help="print the misses of the split `worked`")
    parser.add_argument("--ablate", action="store_true", help="what each element of the grammar buys and costs")
    parser.add_argument("--add", type=Path, metavar="FILE", help="append a set (JSON lines) as split `fresh`")
    parser.add_argument("--asked-for", default="", help="with --add, what its author was asked for")
    chosen = parser.parse_args(arguments)
    if chosen.add is not None:
        if not chosen.author or not chosen.kind:
            parser.error("--add needs --author NAME and --kind KIND")
        print(f"{add(chosen.add, chosen.author, chosen.kind[0], chosen.asked_for)} rows added")
        return 0
    rows = read(chosen.kind or KINDS, chosen.split or SPLITS, chosen.author)
    if not rows:
        parser.error("there are no such rows")
    if chosen.ablate:
        from eval.ablation import table

        print("\n".join(table(rows)))
        return 0
    reads = GrammarExtractor().extract
    found = list(outcomes(reads, rows))
    print("\n".join(lines_of(found, chosen.split or SPLITS)))
    if chosen.authors:
        print("", *by_author(found), sep="\n")
    if chosen.show:
        misses = [o for o in found if o.missed and o.row["split"] == "worked" and o.row["kind"] != "group"]
        print("", *(shown(reads, o) for o in misses), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(told(main))
