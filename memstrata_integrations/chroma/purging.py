"""`purge`: what is erased, and how it is told what could not be."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata_integrations.chroma import amending, erasing, inspection, tombstones
from memstrata_integrations.chroma.arguments import read_flag, read_ids, read_scope
from memstrata_integrations.chroma.session import Session
from memstrata_integrations.errors import ErasureIncompleteError, InvalidInputError
from memstrata_integrations.ledger.changes import Changes

logger = logging.getLogger("memstrata_integrations")


def purge(session: Session, ids: Any, subject: str | None, scope: Mapping[str, Any] | None, tombstone: bool) -> Changes:
    """Erase documents, or all that is about a subject, or in a scope; see `TimeSurface.purge`."""
    whole = ids is None and subject is None and bool(session.options.scope)
    if (ids is None) == (subject is None) and not whole:
        raise InvalidInputError("purge takes either ids or subject=, and exactly one of them")
    named = read_scope(scope) if ids is not None else session.require_scope("purge", scope)
    unfinished = erasing.Unfinished(session.state)
    begun, lasting, asked = bool(unfinished), read_flag("tombstone", tombstone), []
    with session.writing() as now:
        if whole:
            ids = session.matching(None, session.scoped(None, named), None, None, purge=True)
            if not ids and not begun:
                logger.warning("purge: nothing is stored in scope=%r", named)
        elif subject is None:
            asked = read_ids(ids)
            missing = set(asked) - session.lookup.fetch(asked).keys()
            if missing and not begun:
                told = f"{len(missing)} of {len(asked)} ids, {min(missing)!r} among them"
                logger.warning("purge: nothing is stored under %s; in LlamaIndex's store they are node ids", told)
            ids = session.lookup.ids_within(asked, named)
        else:
            try:
                ids = inspection.documents_about(session, subject, named)
            except InvalidInputError:
                if not begun:
                    raise
                ids = []  # it may have gone with the call that was interrupted
        if lasting:
            fields = session.options.scope
            gone = asked if not begun or set(fields) <= set(named) else []  # else laid by the call that was cut off
            tombstones.lay(session.lookup, ids, gone, named, fields)
        changes = erase(session, ids, unfinished, now)
        remains = erasing.finish(session.collection, session.state)
    changes = session.remember(replace(changes, remains=(*remains.unfinished, *remains.out_of_reach)))
    for where in remains.out_of_reach:
        logger.warning("what was purged may still be found: %s", where)
    if remains.unfinished:
        raise ErasureIncompleteError(
            f"it is deleted and served to nobody, and still held by {'; '.join(remains.unfinished)}. Call purge "
            "again, or verify(repair=True), when no other process reads the directory",
            changes=changes,
        )
    return changes


def erase(session: Session, ids: Sequence[str], unfinished: erasing.Unfinished, now: int) -> Changes:
    """Delete documents, and what neighbours and the extractor keep of them; the files still hold them.

    What an earlier purge, that was cut off, was to delete goes first, and is told to nobody.
    """
    rest = unfinished.rest(session.lookup.collection.get(include=[])["ids"]) if unfinished.cut_off else []
    others = [i for i in rest if i not in set(ids)]
    unfinished.begin(session.collection.name, (*others, *ids))
    forget = getattr(session.keying.extractor, "forget", None)
    for part in (others, ids):
        amending.forget_nodes(session, part)
        if forget is not None:  # an extractor may keep what a model said of these texts
            forget(inspection.texts_of(session, part))
        changes = amending.delete(session, part, now, retire=False)
    unfinished.begin(session.collection.name, ())
    return changes
