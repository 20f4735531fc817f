"""What the rules say of one instant, by quantifying over assertions: slow, plain, and on its own.

Written from the text of the design (rule 1, and the bounds of a document's versions), not from
the code under test; nothing but the fields of the dataclasses is shared with it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

NOW_KNOWN = 2**63 - 2
"""A transaction time at which everything recorded is known, and everything undone is undone."""


def _considered(assertion: Any, instant: int, known_at: int) -> bool:
    """Whether it was recorded by then, not undone by then, and covers the instant."""
    recorded = assertion.recorded_at <= known_at
    undone = assertion.undone_at <= known_at
    return recorded and not undone and assertion.valid_from <= instant < assertion.valid_to


def _higher(one: Any, other: Any) -> bool:
    mine, its = ((a.valid_from, a.authority, a.recorded_at, a.id) for a in (one, other))
    return bool(mine > its)


def stands(assertion: Any, key: Iterable[Any], instant: int, known_at: int = NOW_KNOWN) -> bool:
    """Whether what one of a key's assertions states is live at an instant: rule 1, word for word."""
    if assertion.value is None or assertion.ghost or not _considered(assertion, instant, known_at):
        return False
    rivals = [other for other in key if other.value != assertion.value and other.ends in (None, assertion.value)]
    return not any(_considered(other, instant, known_at) and _higher(other, assertion) for other in rivals)


def _writings(rows: Iterable[Any]) -> list[tuple[str, Any]]:
    return [(row.id, edition) for row in rows for edition in row.editions]


def _document_at(versions: Sequence[Any], instant: int, known_at: int) -> set[str]:
    """Return the rows that a document stood for at an instant, its first version not yet reaching back."""
    found = set()
    for row_id, edition in _writings(versions):
        if edition.value is None or not _considered(edition, instant, known_at):
            continue
        rivals = [
            other
            for other_id, other in _writings(versions)
            if (other.value is None or other_id != row_id) and _considered(other, instant, known_at)
        ]
        if not any(_higher(other, edition) for other in rivals):
            found.add(row_id)
    return found


def in_window(row: Any, rows: Iterable[Any], instant: int, known_at: int = NOW_KNOWN) -> bool:
    """Whether a row's document stood for it at an instant.

    The earliest version reaches back for ever, but to where its document is said to have been over, and an only one
    holds always.
    """
    versions = [r for r in rows if r.document_id == row.document_id]
    if not any(r.editions for r in versions):
        return True
    known = [(i, e) for i, e in _writings(versions) if e.recorded_at <= known_at < e.undone_at]
    contents = [(e, i) for i, e in known if e.value is not None]
    if len({i for _, i in contents}) == 1 and len(contents) == len(known):
        return any(row.id == i for _, i in contents)
    begun = min((e.valid_from for e, _ in contents), default=None)
    if begun is None or instant >= begun:
        return row.id in _document_at(versions, instant, known_at)
    first = [(e, i) for e, i in contents if e.valid_from == begun]
    earliest = [i for e, i in first if not any(_higher(other, e) for other, _ in first)]
    over = any(e.value is None and e.valid_from <= instant < e.valid_to for _, e in known)
    return not over and row.id in earliest


def _key_of(rows: Iterable[Any], fact: Any) -> list[tuple[Any, Any]]:
    return [
        (row, assertion)
        for row in rows
        for other in row.facts
        if (other.digest, other.dimension) == (fact.digest, fact.dimension)
        for assertion in (*other.assertions, *other.held)
    ]


def fact_live(fact: Any, row: Any, rows: Sequence[Any], instant: int, known_at: int = NOW_KNOWN) -> bool:
    """Whether a fact of a row is served at an instant: it stands, and so does its version."""
    if not in_window(row, rows, instant, known_at):
        return False
    key = _key_of(rows, fact)
    if any(a.precedence > 0 for _, a in key):
        return any(_stands_ranked(a, key, rows, instant, known_at) for a in fact.assertions)
    return any(stands(a, [a for _, a in key], instant, known_at) for a in fact.assertions)


def _stands_ranked(assertion: Any, key: Any, rows: Sequence[Any], instant: int, known_at: int) -> bool:
    """Whether a statement is live where authority goes before dates, and only for what is still said.

    A retraction, of no rank, ends what began before it; what is told later counts anew.
    """
    known = [(r, a) for r, a in key if _considered(a, instant, known_at)]
    ends = [a for _, a in key if a.precedence < 0 and a.recorded_at <= known_at < a.undone_at]
    known = [
        (r, a) for r, a in known if a.precedence < 0 or not any(e.valid_from <= instant and _higher(e, a) for e in ends)
    ]

    def displaces(one: Any, other: Any) -> bool:
        mine, its = max(one.precedence, 0), max(other.precedence, 0)
        higher = mine > its or (mine == its and _higher(one, other))
        return higher and one.value != other.value and one.ends in (None, other.value)

    def still(row: Any, one: Any) -> bool:
        ended = any(e.value is None and displaces(e, one) for _, e in known)
        return in_window(row, rows, instant, known_at) and not ended

    if assertion.value is None or assertion.ghost or not any(a is assertion for _, a in known):
        return False
    return not any(displaces(a, assertion) and (still(r, a) or _higher(a, assertion)) for r, a in known)


def row_visible(row: Any, rows: Sequence[Any], instant: int, known_at: int = NOW_KNOWN) -> bool:
    """Whether a reader gets a row: some of its plain facts or its remainder, within its version's bounds."""
    if not in_window(row, rows, instant, known_at):
        return False
    if any(_considered(a, instant, known_at) for a in row.prose):
        return True
    return any(not f.narrative and fact_live(f, row, rows, instant, known_at) for f in row.facts)
