"""What a text on its way in makes of the row that holds it: pure, as all of the ledger."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

from memstrata_integrations.ledger.rows import DELETED, PROSE, WHOLE, Edition, Row, RowFact, TimelineKey
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, Interval
from memstrata_integrations.ledger.timeline import Assertion, Intervals


@dataclass(frozen=True, slots=True)
class Incoming:
    """A text on its way in.

    Attributes:
        id: Under which id.
        content: Hash of the text.
        facts: What it states, without assertions.
        prose: Whether it says anything else.
        recorded_at: Transaction time, µs.
        valid_from, valid_to: As the caller dated it, µs; `None` if undated.
        authority: Higher wins among equal ``valid_from``.
        precedence: Higher wins whatever the dates, between facts; versions of one document go by date.
        anew: Timelines of which its source has said otherwise in between, so that it asserts
            what it says of them anew, even after a deletion.
        keeps: It is part of a document that changed elsewhere: what it repeats is no newer.
        whole: It is told with all that its source holds, see `WHOLE`.
        again: That it was told with this date before makes it no retry.
        together: If `whole`, and undated: when the first of them was told, µs.
    """

    id: str
    content: str
    facts: tuple[RowFact, ...]
    prose: bool
    recorded_at: int
    valid_from: int | None = None
    valid_to: int | None = None
    authority: int = 0
    precedence: int = 0
    anew: frozenset[TimelineKey] = frozenset()
    keeps: bool = False
    whole: bool = False
    again: bool = False
    together: int | None = None

    def edition(self) -> Assertion:
        """Return the assertion that its document holds this text."""
        made = self.assertion(PROSE, self.recorded_at if self.together is None else self.together)
        return replace(made, precedence=WHOLE) if self.whole else made

    def assertion(self, value: str | None, default_from: int, ends: str | None = None) -> Assertion:
        """Return the assertion of `value`, or of the end of one, that this text makes."""
        return Assertion(
            value=value,
            valid_from=default_from if self.valid_from is None else self.valid_from,
            recorded_at=self.recorded_at,
            id=self.id,
            valid_to=OPEN if self.valid_to is None else self.valid_to,
            authority=self.authority,
            precedence=0 if value == PROSE else self.precedence,
            ends=ends,
        )

    @property
    def at(self) -> int:
        """From when it holds, unless its facts say otherwise, µs."""
        return self.recorded_at if self.valid_from is None else self.valid_from


def version(new: Incoming, earlier: Iterable[RowFact] = ()) -> Row:
    """Return the row of a text. Unkeyed text, undated, has always been valid.

    Written undated, a fact with the same object as one of `earlier`, of its document, keeps the dates of that:
    fixing a typo in an old page makes what it says no newer.
    """
    past = list(earlier) if new.valid_from is None else []
    facts = (replace(f, assertions=(new.assertion(f.value, new.recorded_at, f.ends),)) for f in new.facts)
    return Row(
        id=new.id,
        document_id=new.id,
        content=new.content,
        facts=tuple(_carried(f, past, new) for f in facts),
        prose=(new.assertion(PROSE, MIN_TIME),) if new.prose else (),
        editions=(new.edition(),),
    )


def _carried(fact: RowFact, earlier: Sequence[RowFact], new: Incoming) -> RowFact:
    past = [a for f in earlier if f.same_fact(fact) for a in f.assertions if _holds(a, new.recorded_at)]
    if not past or fact.timeline in new.anew:
        return fact
    kept = replace(max(past, key=lambda a: a.rank), recorded_at=new.recorded_at, id=new.id)
    if new.valid_to is not None:
        if new.valid_to <= kept.valid_from:
            return fact
        kept = replace(kept, valid_to=new.valid_to)
    return replace(fact, assertions=(kept,))


def said_again(row: Row, edition: Edition) -> Incoming:
    """Return what a row says when an edition of its source begins, as told with that."""
    at, recorded_at = edition
    own = [a for a in row.stated if a.undone_at == OPEN]
    return Incoming(
        id=row.document_id,
        content=row.content,
        facts=row.facts,
        prose=bool(row.prose),
        recorded_at=recorded_at,
        valid_from=at,
        authority=max(a.authority for a in own),
        precedence=max(a.precedence for a in own),
        anew=frozenset(f.timeline for f in row.facts if any(at in i for i in f.live)),
        keeps=True,
        whole=True,
    )


def same_content(old: Row, new: Incoming) -> bool:
    """Whether a text that is stored is the same, and was read alike."""
    return (
        old.content == new.content
        and bool(old.prose) == new.prose
        and len(old.facts) == len(new.facts)
        and all(map(RowFact.same_fact, old.facts, new.facts))
    )


def outlasted(row: Row, versions: Sequence[Row], new: Incoming) -> list[Assertion]:
    """Return the deletions of a document that `new`, which began before them, outlasts: it stood for that text then.

    Who writes a document again, whatever its date, means that it is there. What keeps a version from coming stays.
    """
    until, told = OPEN if new.valid_to is None else new.valid_to, new.edition()
    ends = [e for e in row.ends if e.precedence == DELETED and e.rank > told.rank and e.valid_from < until]
    begun = {start for v in versions for start in v.begun} if ends else ()
    ends = [e for e in ends if e.valid_from <= e.recorded_at or e.valid_from not in begun]
    if new.valid_from is None or not ends:
        return []
    deleted = max(e.valid_from for e in ends)
    before = [(e.rank, v) for v in versions for e in v.contents if deleted in e.interval]
    rank, newest = max(before, key=lambda one: one[0], default=((), row))
    return ends if told.rank > rank or same_content(newest, new) else []


def called_off(row: Row, versions: Sequence[Row], new: Incoming, lifted: Container[int] = ()) -> list[int]:
    """Return when versions would have begun that ended with their document, by an end that `new` comes after, µs.

    It goes on beyond these, as beyond those of deletions that were `lifted` (their transaction times): they ended so
    that they would not come, and nothing else does then.
    """
    ends = [e for e in row.editions if e.value is None and e.valid_to == OPEN and e.precedence != WHOLE]
    # outlasted since, or not; and what was deleted ends with the end of what outlasted it
    over = {e.recorded_at for e in ends if e.valid_from <= new.at or e.recorded_at in lifted}
    over |= {e.recorded_at for e in ends if e.precedence == DELETED and e.recorded_at <= new.at}
    until = OPEN if new.valid_to is None else new.valid_to
    off = [e for e in ends if e.undone_at == OPEN and new.at < e.valid_from < until and e.recorded_at in over]
    starts = {e.valid_from for e in off}
    own = new.edition().rank
    begun = [(v.contents, c) for v in versions if starts for c in v.contents if c.valid_from in starts]
    # told for that time since, not what goes on beyond it
    told = [c for made, c in begun if all(o.recorded_at != c.recorded_at or o.valid_from >= c.valid_from for o in made)]
    found = {e.valid_from for e in off if all(c.valid_from != e.valid_from or c.rank < e.rank for c in told)}
    # what stands for another text then, and was told as newer, goes on
    newer = [v for v in versions if max((c.rank for c in v.contents if c.valid_from not in starts), default=()) > own]
    return sorted(s for s in found if not any(s in w for v in newer for w in v.windows))


def repeats(row: Row, new: Incoming) -> bool:
    """Whether `new` is a dated write that this row has taken in already."""
    again = new.assertion(PROSE, new.recorded_at).interval
    return new.valid_from is not None and any(e.interval == again for e in row.contents)


def restated(row: Row, new: Incoming, over: Container[int]) -> tuple[Row, list[tuple[int, Assertion]]]:
    """Return `row` after the same content was written again, and the new assertions by the indices of their facts.

    A date not given before is a new assertion. Undated, it changes nothing while the statement
    is valid until the end that it names, if any, and is a new assertion once it was superseded.
    A document that comes back undated after its deletion says what it said: its facts keep their dates.
    Live intervals are not updated yet. `over` are the endings among its facts of which nothing is live when it is
    written: told again, undated, they add nothing.
    """
    added: list[tuple[int, Assertion]] = []
    facts = list(row.facts)
    editions, prose = row.editions, row.prose
    back = new.valid_from is None and not any(new.recorded_at in w for w in row.windows)
    # of a source's edition it stands by this one too, if another one is taken back
    again = new.again or (new.whole and new.valid_from is not None)
    for n, fact in enumerate(facts):
        holds = any(_holds(a, new.recorded_at) for a in fact.assertions)
        kept = (back or new.keeps) and holds and fact.timeline not in new.anew
        if kept or (not again and _says_nothing_new(fact.assertions, fact.live, new, fact.value)):
            continue
        if holds and n in over and new.valid_from is None and new.valid_to is None:
            continue
        assertion = new.assertion(fact.value, new.recorded_at, fact.ends)
        facts[n] = replace(fact, assertions=(*fact.assertions, assertion))
        added.append((n, assertion))
    holds = any(_holds(a, new.recorded_at) for a in prose)
    if prose and not (back and holds) and (again or not _says_nothing_new(prose, row.prose_live(), new)):
        prose = (*prose, new.assertion(PROSE, new.recorded_at))
    # what is said anew stands by an edition of its own, if the earlier one is taken back
    if added or prose is not row.prose or again or not _says_nothing_new(row.editions, row.windows, new):
        editions = (*editions, new.edition())
    return replace(row, facts=tuple(facts), prose=prose, editions=editions), added


def _holds(assertion: Assertion, instant: int) -> bool:
    """Whether an assertion stands and covers an instant by its own word."""
    return assertion.undone_at == OPEN and instant in assertion.interval


def _says_nothing_new(
    assertions: Sequence[Assertion], live: Intervals, new: Incoming, value: str | None = PROSE
) -> bool:
    standing = [a for a in assertions if a.undone_at == OPEN]
    end = OPEN if new.valid_to is None else new.valid_to
    if new.valid_from is None:
        holds = any(new.recorded_at in i for i in live)
        told = [a for a in standing if new.recorded_at in a.interval]
        return holds and bool(told) and max(told, key=lambda a: a.rank).valid_to == end
    return any(a.value == value and a.interval == Interval(new.valid_from, end) for a in standing)
