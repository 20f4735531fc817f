"""Drops what is superseded among a few texts, for people who keep their own store."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memstrata_integrations.chroma.keying import Keying
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Extractor
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.ledger.rows import RowFact
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, to_instant, to_micros

logger = logging.getLogger("memstrata_integrations")


def superseded(
    texts: Sequence[str],
    metadatas: Sequence[Mapping[str, Any] | None],
    *,
    extractor: Extractor,
    policy: SupersessionPolicy,
    scope: Sequence[str],
    valid_from_field: str,
    valid_to_field: str | None,
    instant: int,
) -> list[bool]:
    """Tell for each text whether nothing that it says holds at an instant, as far as the others show.

    The rules are those of the ledger. Only what is dated can supersede, or be superseded: among undated texts nobody
    knows which came later, nor between two of one date. `instant` is valid time, µs; the rest is as in `Options`.
    """
    keying = Keying(extractor, scope=tuple(scope), policy=policy)
    items = [Item(str(n), True, text, dict(m or {})) for n, (text, m) in enumerate(zip(texts, metadatas, strict=True))]
    keying.extract(items)
    starts = [_date(m, valid_from_field, to_instant) for m in metadatas]
    ends = [OPEN if valid_to_field is None else _date(m, valid_to_field, to_micros) or OPEN for m in metadatas]
    spans = list(zip(starts, ends, strict=True))
    read = [keying.row_facts(item, item.metadata or {})[:2] for item in items]
    weights = [policy.authority_of(item.metadata or {}) for item in items]
    ranks = [(w * policy.ranks_sources, start or MIN_TIME, w) for w, (start, _) in zip(weights, spans, strict=True)]

    def beaten(n: int, fact: RowFact) -> bool:
        return spans[n][0] is not None and any(
            other.timeline == fact.timeline
            and other.value != fact.value
            and start is not None
            and rank > ranks[n]
            and start <= instant < end
            for (facts, _), rank, (start, end) in zip(read, ranks, spans, strict=True)
            for other in facts
        )

    found = []
    for n, (facts, prose) in enumerate(read):
        start, end = spans[n]
        told = [f for f in facts if not f.narrative]
        covered = (MIN_TIME if start is None else start) <= instant < end
        found.append(not covered or (bool(told) and not prose and all(beaten(n, f) for f in told)))
    return found


def _date(metadata: Mapping[str, Any] | None, field: str, read: Callable[..., int]) -> int | None:
    value = (metadata or {}).get(field)
    if value is None or value == "":
        return None
    try:
        return read(value, name=field)
    except InvalidInputError as error:
        logger.warning("a date that cannot be read counts as none: %s", error)
        return None
