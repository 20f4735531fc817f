"""Taking over rows that other code wrote into the collection: they are keyed where they stand."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata_integrations.chroma.amending import Amendment
from memstrata_integrations.chroma.fields import TO, decode, latest_in, user_metadata
from memstrata_integrations.chroma.inspection import rows_written_over
from memstrata_integrations.chroma.intake import Dating
from memstrata_integrations.chroma.lookup import Record
from memstrata_integrations.chroma.plan import Item, Plan
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.time import MIN_TIME, OPEN
from memstrata_integrations.options import PREFIX

logger = logging.getLogger("memstrata_integrations")


def adopt(session: Session, dating: Dating, now: int, *, dry_run: bool, bar: Any) -> Changes:
    """Key rows that other code wrote; see `TemporalCollection.adopt`."""
    lookup = session.lookup
    over = [] if dry_run else rows_written_over(lookup)
    if over:
        logger.warning("%d rows were written over by other code: what they said before is forgotten", len(over))
    told: dict[str, int] = {}  # when: what took its place is newer
    for some in session.writer.parts(over):
        told |= _forget(session, some, now)
    keyed = set(lookup.collection.get(where={TO: {"$gte": -(2**62)}}, include=[])["ids"])
    foreign = [i for i in lookup.collection.get(include=[])["ids"] if i not in keyed]
    records = lookup.fetch(foreign, ("documents",))
    metadatas = {i: user_metadata(r["metadata"]) for i, r in records.items()}
    items = [
        Item(row_id, False, records[row_id]["document"], metadata, valid_from=start, valid_to=end, adopted=True)
        for (row_id, metadata), (start, end) in zip(
            metadatas.items(), dating.read(None, None, list(metadatas.values()), metadatas), strict=True
        )
    ]
    items.sort(key=lambda i: OPEN if i.valid_from is None else i.valid_from)
    bar.reset(total=len(items))
    parts: list[Changes] = []
    size = len(items) if dry_run else max(session.writer.batch_limit() // 2, 1)
    for start in range(0, len(items), size or 1):
        part = items[start : start + size]
        session.keying.extract(part)
        for item in part:
            if item.valid_from is None and item.extraction.facts:
                # it has been served as always valid, and is older than what is dated here
                item.valid_from = told.get(item.id, MIN_TIME)
        plans = [session.planner.plan(part, now)] if dry_run else session.planned(part, now)
        parts += (_adopted(session, plan, records, dry_run) for plan in plans)
        bar.update(len(part))
    return Changes.joined(parts) if parts else Changes((now, now), committed=not dry_run)


def _forget(session: Session, row_ids: Sequence[str], now: int) -> dict[str, int]:
    """Leave rows in whose place other code has put another text as it would have: new, and without a past.

    It returns when what was there before had been told last, µs.
    """
    lookup = session.lookup
    own = lookup.fetch(row_ids)
    held = {i: r["metadata"] for i, r in {**lookup.fetch(lookup.archived_ids(row_ids)), **own}.items()}
    if (history := lookup.both.history) is not None:
        moved = history.get(ids=list(own), include=["metadatas"])
        held.update(zip(moved["ids"], moved["metadatas"], strict=True))
    doomed = [decode(i, metadata) for i, metadata in held.items()]
    peers = lookup.rows_by_key({f.digest for r in doomed for f in r.facts})
    amendment = Amendment(session, (*peers, *doomed), now)
    amendment.ledger.delete([r.id for r in doomed])
    for row_id in own:
        del amendment.ledger.removed[row_id]
    amendment.write("ended")
    lookup.both.drop_copies()
    session.state.table.forget(list(own))
    reserved = {i: {name: None for name in r["metadata"] or () if name.startswith(PREFIX)} for i, r in own.items()}
    if ids := [i for i in own if reserved[i]]:
        with session.state.flipping():
            lookup.collection.update(ids=ids, metadatas=[reserved[i] for i in ids])
    for row_id in own:
        session.state.records.pop(row_id, None)
    return {i: latest_in(held[i]) for i in own}


def _adopted(session: Session, plan: Plan, records: Mapping[str, Record], dry_run: bool) -> Changes:
    """Write down the keys of rows that other code wrote, unless it is a dry run."""
    rows, policy = plan.ledger.rows, session.options.policy
    hidden = sum(1 for i in plan.fresh if not rows[i].visible(plan.last)) + len(plan.retired())
    changes = replace(plan.changes(committed=not dry_run), added=0, confirmed=0, retired=hidden)
    if not dry_run:
        if policy.guarded:
            policy.check(hidden, session.collection.count(), str(plan.changes(committed=False)))
        rows.update((i, rows[i].adopted()) for i in plan.fresh)
        plan.records.update((i, records[i]) for i in plan.fresh)  # they are stored already: their metadata is changed
        plan.metadata_only, plan.fresh = {i: {} for i in plan.fresh}, {}
        session.writer.commit(plan)
        for row_id in plan.metadata_only:  # whoever wrote them may do so again
            session.state.records.pop(row_id, None)
    return changes
