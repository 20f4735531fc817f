"""Short words for the examples: write this, and what are readers told?"""

from collections.abc import Callable, Sequence

from memstrata_integrations.ledger.rows import DELETED, Row
from memstrata_integrations.ledger.undoing import undo as take_back

from .lockstep import NumberedLedger, ReferenceLedger, Text, digest, incoming, write_one

AnyLedger = NumberedLedger | ReferenceLedger
Make = Callable[[], AnyLedger]
Step = Callable[[AnyLedger], object]
A, B, C = (Text(((1, value, False),)) for value in "ABC")
A_REWORDED = Text(((1, "A", False),), wording=1)
PROSE, OTHER_PROSE = Text(()), Text((), wording=1)
MIXED = Text(((1, "A", False),), prose=True)


def served(ledger: AnyLedger, instant: int, known_at: int | None = None) -> str:
    """Return what readers are told: values, or `p` for prose, sorted."""
    found = []
    for row in ledger.view(instant, known_at):
        values = [f.value or "" for f in row.facts if known_at is not None or any(instant in i for i in f.live)]
        found.append("".join(values) or "p")
    return " ".join(sorted(found))


def over_time(ledger: AnyLedger, instants: Sequence[int], known_at: int | None = None) -> list[str]:
    return [served(ledger, t, known_at) for t in instants]


def snapshot(ledger: AnyLedger) -> dict[str, Row]:
    return dict(ledger.rows)


def put(row_id: str, text: Text, recorded_at: int, *dated: int | None, authority: int = 0) -> Step:
    return lambda ledger: ledger.write(incoming(row_id, text, recorded_at, *dated, authority=authority))


def confirm(text: Text, recorded_at: int, *dated: int | None, taken_by: str | None) -> Step:
    """Write without an id; this row takes the text, or none."""

    def step(ledger: AnyLedger) -> None:
        new = incoming(f"new{recorded_at}", text, recorded_at, *dated)
        assert write_one(ledger, new, explicit=False) == taken_by

    return step


def retract(at: int, recorded_at: int | None = None, *, key: int = 1, dated: bool = False, closes: bool = True) -> Step:
    def step(ledger: AnyLedger) -> None:
        assert bool(ledger.retract((digest(key), ""), at, recorded_at or at, dated=dated)) is closes

    return step


def undo(write: int, recorded_at: int, document: str | None = None, *, reopens: bool = True) -> Step:
    def step(ledger: AnyLedger) -> None:
        assert bool(take_back(ledger, write, write, recorded_at, document)) is reopens

    return step


def end(row_id: str, at: int, recorded_at: int, *, until: int) -> Step:
    """End a document for a while, by another's word."""
    return lambda ledger: ledger.end(row_id, at, recorded_at, until=until)


def retire(row_id: str, recorded_at: int) -> Step:
    return lambda ledger: ledger.end(row_id, recorded_at, recorded_at, precedence=DELETED)


def delete(*ids: str) -> Step:
    def step(ledger: AnyLedger) -> None:
        ledger.delete(list(ids))
        ledger.settle()

    return step


def go_through(ledger: AnyLedger, steps: list[Step]) -> None:
    for step in steps:
        step(ledger)
