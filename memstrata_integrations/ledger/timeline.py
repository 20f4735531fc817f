"""Validity as a pure function of the assertions of one fact key.

At an instant ``t``, as known at ``s``, take the assertions recorded by ``s``, not undone by
``s``, whose own interval covers ``t``. They rank by (precedence, valid_from, authority, recorded_at, id).
**A statement is live at ``t`` when its own assertion covers ``t`` and none with another
value, or without one, that covers ``t`` ranks higher.** An assertion without a value that names
the one that it ends stands against that one alone, and precedence counts while its document
says it (`outranking`). Everything in this module follows from that; nothing here reads a clock or a store.
"""

from bisect import insort
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias, TypeVar

from memstrata_integrations.ledger.time import OPEN, Interval, intersect, normalise, subtract

Intervals: TypeAlias = tuple[Interval, ...]
"""Disjoint intervals of valid time, sorted."""

EVERYWHERE = -1
"""The precedence of a retraction: whatever it ends, it ends."""

StatementT = TypeVar("StatementT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Assertion:
    """A claim that a key has a value over an interval of valid time; immutable.

    Attributes:
        value: The value in canonical form, or `None`: a retraction, it has no value any more.
        valid_from: When it began to hold, µs since the epoch, UTC.
        recorded_at: When the ledger learned it, µs.
        id: Which row it came from; the last tie-breaker.
        valid_to: When it ended by its own word, µs; `OPEN` if it said nothing of an end.
        authority: Which of two assertions with one ``valid_from`` prevails; higher wins.
        undone_at: When it was taken back, µs; `OPEN` if it stands.
        ghost: Its row was deleted. It still closes what it closed, and states nothing itself.
        precedence: Which of two assertions prevails whatever their dates; higher wins. All alike unless the policy
            has authorities that decide. `EVERYWHERE`, of a retraction: it ends what began before it, whatever its
            precedence.
        ends: Of a retraction: the one value that it ends, in canonical form; `None` for whatever the key has.
    """

    value: str | None
    valid_from: int
    recorded_at: int
    id: str = ""
    valid_to: int = OPEN
    authority: int = 0
    undone_at: int = OPEN
    ghost: bool = False
    precedence: int = 0
    ends: str | None = None

    @property
    def rank(self) -> tuple[int, int, int, int, str]:
        """Which of two covering assertions prevails: the greater."""
        return (max(self.precedence, 0), self.valid_from, self.authority, self.recorded_at, self.id)

    @property
    def interval(self) -> Interval:
        """The assertion's own valid time, whatever others say."""
        return Interval(self.valid_from, self.valid_to)

    def known_at(self, instant: int) -> bool:
        """Whether a reader at transaction time `instant` (µs) knew it and it stood."""
        return self.recorded_at <= instant < self.undone_at

    def against(self, value: str | None) -> bool:
        """Whether it displaces what has that value, if it ranks higher."""
        return self.value != value and self.ends in (None, value)

    def blocks(self, other: "Assertion") -> bool:
        """Whether it displaces `other` wherever both cover."""
        return self.against(other.value) and self.rank > other.rank


def live_intervals(
    assertions: Sequence[Assertion], windows: Sequence[Intervals] = (), *, known_at: int = OPEN - 1
) -> list[Intervals]:
    """Return when each assertion's statement is live: never for retractions, ghosts, and what was not known.

    Args:
        assertions: All assertions of one key, in any order.
        windows: For each one, when its document says it, see `outranking`; by default always.
        known_at: The transaction time that is asked about, µs; by default all that is recorded and not undone.

    Example:
        >>> a = Assertion("8080", valid_from=1, recorded_at=1)
        >>> b = Assertion("9090", valid_from=5, recorded_at=2)
        >>> [str(len(i)) + ":" + str(i[0].end) for i in live_intervals([a, b])][0]
        '1:5'
    """
    if not is_ranked(assertions):
        return _swept(assertions, known_at)
    assertions = _ended(assertions, known_at)
    if not windows:
        return _swept(assertions, known_at)
    found: list[Intervals] = [()] * len(assertions)
    standing = outranking(assertions, windows, known_at)
    for level in {max(a.precedence, 0) for a in assertions}:
        alike = [replace(a, precedence=min(a.precedence, level)) for a in assertions]
        above = [
            replace(a, valid_from=i.start, valid_to=i.end)
            for a, stands in zip(assertions, standing, strict=True)
            for i in (stands if a.precedence > level else ())
        ]
        for n, live in enumerate(_swept([*alike, *above], known_at)[: len(alike)]):
            if max(assertions[n].precedence, 0) == level:
                found[n] = live
    return found


def outranking(assertions: Sequence[Assertion], windows: Sequence[Intervals], known_at: int) -> list[Intervals]:
    """Return when each assertion of a key outranks those of lower precedence: while its document says it.

    Not when that is over, nor after an ending of it. From then on it ranks among those as one of them, by its date, so
    that what it superseded stays so and what is told later counts.
    """
    ends = [e for e in assertions if e.value is None and e.known_at(known_at)]
    return [
        subtract(intersect((a.interval,), window), *(e.interval for e in ends if e.blocks(a)))
        for a, window in zip(assertions, windows, strict=True)
    ]


def _swept(assertions: Sequence[Assertion], known_at: int) -> list[Intervals]:
    known = sorted(
        (n for n, a in enumerate(assertions) if a.known_at(known_at) and a.valid_from < a.valid_to),
        key=lambda n: assertions[n].rank,
    )
    pieces: list[list[Interval]] = [[] for _ in assertions]
    edges = sorted({edge for n in known for edge in (assertions[n].valid_from, assertions[n].valid_to)})
    coming = sorted(range(len(known)), key=lambda place: assertions[known[place]].valid_from)
    first = 0
    places: list[int] = []
    for start, end in pairwise(edges):
        places = [p for p in places if assertions[known[p]].valid_to > start]
        while first < len(coming) and assertions[known[coming[first]]].valid_from <= start:
            insort(places, coming[first])
            first += 1
        covering = [known[p] for p in places]  # in order of rank
        if not covering:
            continue
        above: set[str | None] = set()  # values of what ranks strictly higher
        level: set[str | None] = set()
        ended: set[str | None] = set()  # and those that a retraction there names
        ending: set[str | None] = set()
        rank = None
        for n in reversed(covering):
            assertion = assertions[n]
            if assertion.rank != rank:
                above |= level
                ended |= ending
                level, ending, rank = set(), set(), assertion.rank
                if len(above) > 1 or None in above:
                    break
            if assertion.ends is not None:
                ending.add(assertion.ends)
                continue
            level.add(assertion.value)
            stands = above <= {assertion.value} and assertion.value not in ended
            if stands and assertion.value is not None and not assertion.ghost:
                pieces[n].append(Interval(start, end))
    return [normalise(p) for p in pieces]


def is_ranked(assertions: Iterable[Assertion]) -> bool:
    """Whether some of the assertions of a key prevail whatever their dates."""
    return any(a.precedence > 0 for a in assertions)


def _ended(assertions: Sequence[Assertion], known_at: int) -> list[Assertion]:
    """Return assertions that cover nothing after a retraction of their key: what is told after it is told anew."""
    ends = [a for a in assertions if a.precedence == EVERYWHERE and a.known_at(known_at)]

    def until(a: Assertion) -> int:
        later = (max(e.valid_from, a.valid_from) for e in ends if e.rank[1:] > a.rank[1:])
        return min([a.valid_to, *later])

    return [a if a.precedence == EVERYWHERE else replace(a, valid_to=until(a)) for a in assertions]


def assert_late(
    new: Assertion,
    statements: Mapping[StatementT, tuple[Sequence[Assertion], Intervals]],
) -> tuple[Intervals, dict[StatementT, Intervals]]:
    """Insert one assertion into a timeline of which only a part is at hand.

    A later assertion can only close, and only where it covers: what each statement keeps is
    what it had, less what the new assertion takes. So the result equals `live_intervals` over
    the whole key, as long as `statements` holds every statement that is live after
    ``new.valid_from`` and every assertion with ``valid_from >= new.valid_from``.

    Args:
        new: The assertion that is added; its rank may be anywhere.
        statements: Each statement's assertions (retractions and ghosts kept with it included), and when it is live.

    Returns:
        When the new one's statement is live by it, and the new intervals of each statement that loses some.
    """
    own: Intervals = () if new.value is None or new.ghost else (new.interval,)
    losses: dict[StatementT, Intervals] = {}
    covered, rank = (new.interval,), new.rank
    for statement, (assertions, intervals) in statements.items():
        for other in assertions:
            if other.undone_at == OPEN and other.against(new.value) and other.rank > rank:
                own = subtract(own, other.interval)
        taken = intersect(intervals, covered) if intervals else ()
        stated = [a for a in assertions if a.value is not None and not a.ghost and a.undone_at == OPEN] if taken else []
        if not stated or not new.against(stated[0].value):
            continue
        # An instant stays live if an own assertion that outranks the new one covers it.
        for own_assertion in stated:
            if own_assertion.rank > rank:
                taken = subtract(taken, own_assertion.interval)
        if taken:
            losses[statement] = subtract(intervals, *taken)
    return own, losses


def bury(assertions: Iterable[Assertion], value: str | None) -> tuple[Assertion, ...]:
    """Turn a deleted row's assertions into ghosts: their times stay, what they said goes.

    A ghost closes what its assertion closed, so nothing superseded comes back. It does not close statements of the
    same value, which is why it keeps `value` as long as a surviving row states that; without one it becomes a bare
    retraction. The row's id goes, too, and its precedence: who is gone does not keep others from speaking.
    """
    return tuple(
        replace(a, value=None if a.value is None else value, id="", ghost=True, precedence=0) for a in assertions
    )


def undo_at(assertion: Assertion, instant: int) -> Assertion:
    """Return `assertion` taken back at transaction time `instant`; earlier readers keep it."""
    return assertion if assertion.undone_at != OPEN else replace(assertion, undone_at=instant)
