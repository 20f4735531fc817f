"""Taking back what was recorded: what that closed is open again, and earlier readers keep what they were answered."""

from collections.abc import Container, Sequence
from dataclasses import replace

from memstrata_integrations.ledger.ledger import Ledger
from memstrata_integrations.ledger.rows import DELETED, WHOLE, RowFact, TimelineKey
from memstrata_integrations.ledger.time import OPEN
from memstrata_integrations.ledger.timeline import Assertion, undo_at


def undo(ledger: Ledger, first: int, last: int, instant: int, only: str | None = None) -> bool:
    """Take back what was recorded from `first` to `last` (µs); return whether there was anything.

    Of a document `only`, its own assertions are taken back. The rows at hand must include every row that shares a key
    with one of that write.
    """
    own = None if only is None else {i for i, r in ledger.rows.items() if r.document_id == only}
    times = range(first, last + 1)
    gone = [(r.document_id, e) for r in ledger.rows.values() for e in r.whole if e.recorded_at in times]
    found = _take_back(ledger, times, instant, own)
    if gone:
        _leave_out_again(ledger, gone)
    return found


def undo_since(ledger: Ledger, row_ids: Container[str], since: int, instant: int) -> bool:
    """Take back all that rows said from a transaction time on (µs); return whether there was anything.

    Other versions of their documents are another's word. The rows at hand must include every row that shares a key
    with one of them, or whose place one took by its word.
    """
    own = [r for i, r in ledger.rows.items() if i in row_ids]
    times = {a.recorded_at for r in own for a in r.stated if a.recorded_at >= since}
    return _take_back(ledger, times, instant, row_ids)


def told_in(a: Assertion, times: Container[int]) -> bool:
    """Whether a write of some transaction times told it: also a deletion that counts again, see `_end_again`."""
    return a.recorded_at in times or (a.precedence == DELETED and a.valid_from in times)


def _take_back(ledger: Ledger, times: Container[int], instant: int, only: Container[str] | None) -> bool:
    """Take back what was recorded at some times: all of it, or what the rows `only` said themselves."""

    def undone(a: Assertion) -> Assertion:
        return undo_at(a, instant) if told_in(a, times) else a

    touched: dict[TimelineKey, None] = {}
    documents: dict[str, None] = {}
    for row in list(ledger.rows.values()):
        own = undone if only is None or row.id in only else _same
        after = row.mapped(own, undone if only is None else _same, undone)
        if after != row:
            touched.update(dict.fromkeys(f.timeline for f in row.facts))
            documents[row.document_id] = None
            ledger.change(after)
    for document_id in documents:
        _end_again(ledger, document_id, times, instant)
        _restore(ledger, document_id, times)
        _leave_to_come(ledger, document_id, times, instant)
        ledger.recut(document_id)
        ledger.promote(document_id)
    ledger.follow()
    ledger.settle(touched)
    return bool(documents)


def _end_again(ledger: Ledger, document_id: str, times: Container[int], instant: int) -> None:
    """Let deletions that a write of some transaction times had outlasted count again, unless another one does, too."""
    versions = ledger.versions(document_id)
    contents = [e for v in versions for e in v.contents]

    def stood(end: Assertion) -> Assertion:
        return max((e for e in contents if end.valid_from in e.interval), key=lambda e: e.rank, default=end)

    for row in versions:
        over = [e for e in row.editions if e.precedence == DELETED and e.undone_at in times]
        over = [e for e in over if stood(e).recorded_at <= e.recorded_at]
        again = (replace(e, recorded_at=instant, undone_at=OPEN) for e in over)  # so that the past stays as it was
        if over:
            ledger.change(replace(row, editions=(*row.editions, *again)))


def _restore(ledger: Ledger, document_id: str, times: Container[int]) -> None:
    """Let what a write of some transaction times had corrected count again, unless another one has, too."""
    versions = ledger.versions(document_id)
    ends = [e for v in versions for e in v.ends if e.valid_to == OPEN]

    def again(_: RowFact, a: Assertion) -> Assertion:
        others = (e.recorded_at for e in ends if e.valid_from <= a.valid_from)
        return replace(a, undone_at=max(others, default=OPEN)) if a.undone_at in times else a

    for row in versions:
        ledger.remake(row, again)


def _leave_to_come(ledger: Ledger, document_id: str, times: Container[int], instant: int) -> None:
    """Let versions that were called off come again: what was written after that goes on beyond them no more."""
    versions = ledger.versions(document_id)
    ends = [e for v in versions for e in v.editions if e.value is None and e.precedence != WHOLE]
    standing = {e.valid_from for e in ends if e.undone_at == OPEN}
    off = {e.valid_from for e in ends if e.recorded_at in times and e.valid_from > e.recorded_at} - standing
    for row in versions if off else ():
        told = (e for e in row.editions if e.value is not None)
        began = {e.recorded_at: e.valid_from for e in sorted(told, key=lambda e: -e.valid_from)}

        def beyond(a: Assertion, began: dict[int, int] = began) -> Assertion:
            goes_on = a.valid_from in off and began.get(a.recorded_at, a.valid_from) < a.valid_from
            return undo_at(a, instant) if goes_on else a

        ledger.change(row.mapped(beyond, _same, _same))


def _leave_out_again(ledger: Ledger, gone: Sequence[tuple[str, Assertion]]) -> None:
    """End what an edition left out, which was taken back, where the next one that is known begins.

    That one found it ended, and had not to end it.
    """
    told = [e for document_id in {d for d, _ in gone} for r in ledger.versions(document_id) for e in r.whole]
    at = min((e.valid_from, e.recorded_at) for _, e in gone)
    ahead = sorted(edition for e in told if (edition := (e.valid_from, e.recorded_at)) >= at)[:1]
    for document_id in {d for d, e in gone if ahead and e.value is None}:
        own, (start, recorded_at) = ledger.versions(document_id), ahead[0]
        held = [e for r in own for e in r.whole if e.value is not None]
        there = any(r.first_told < recorded_at for r in own) or held
        again = any(e.valid_from == start and e.recorded_at >= recorded_at for e in held)
        if there and not again and any(r.stands(start) for r in own):
            ledger.silence(document_id, start, recorded_at, precedence=WHOLE)


def _same(a: Assertion) -> Assertion:
    return a
