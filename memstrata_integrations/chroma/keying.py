"""How a text comes to have keys: by what is stated of it, by its metadata, or by an extractor."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any

from memstrata_integrations.chroma.explicit import keyed, record_of, stated_in_text
from memstrata_integrations.chroma.fields import MAX_KEYS, NODE_FIELDS, decode, user_metadata
from memstrata_integrations.chroma.lookup import Record
from memstrata_integrations.chroma.origins import part_of, source_of, speaker_of
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.extraction.chain import merged
from memstrata_integrations.extraction.relations import Vocabulary
from memstrata_integrations.ledger.facts import Extraction, Extractor, Fact, FactKey, KeyedFact, checked
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.ledger.rows import RowFact, TimelineKey, content_hash
from memstrata_integrations.redaction import SUPERSEDED

_KNOWN = 50_000  # described subjects that are kept in mind

Pairs = Sequence[tuple[str, Any]]


@dataclass(frozen=True)
class Keying:
    """What gives the texts of one store their keys; its attributes are those of `Options`."""

    extractor: Extractor | None
    _: KW_ONLY
    scope: tuple[str, ...]
    policy: SupersessionPolicy
    key_fields: tuple[str, ...] = ()
    value_field: str | None = None

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The relations that are known, for what is stated and asked for in a user's own words."""
        known = (getattr(e, "vocabulary", None) for e in getattr(self.extractor, "extractors", (self.extractor,)))
        own = next((v for v in known if isinstance(v, Vocabulary)), None)
        return own or Vocabulary(cardinalities=self.policy.cardinalities)

    def extract(self, items: Sequence[Item]) -> None:
        """Give items what they state; an extractor is asked about what is not stated or recorded already."""
        for item in items:
            text = item.document or ""
            record = record_of(text, item.effective, self.key_fields, self.value_field)
            item.extraction = Extraction() if record is None else Extraction((record,), prose=False)
            if item.stated:
                stated = stated_in_text(item.stated, text, self.vocabulary)
                more = () if record is None else (record,)
                item.extraction = replace(stated, facts=(*more, *stated.facts), prose=stated.prose and not more)
        if self.key_fields and self.value_field is None:
            _join_parts(items)
        left = [i for i in items if i.document is not None and (i.extraction.unread or not i.extraction.facts)]
        if self.extractor is None or not left:
            return
        texts = [i.document or "" for i in left]
        found = checked(self.extractor, self.extractor.extract(texts, [i.metadata for i in left]), len(left))
        rule = type(self.extractor).__name__
        for item, text, extraction in zip(left, texts, found, strict=True):
            # a fact of somebody's own extractor is compared with values of its kind, as what is read is
            told = (
                replace(keyed(f, text, self.vocabulary, rule=rule), stated=False) if isinstance(f, Fact) else f
                for f in extraction.facts
            )
            extraction = replace(extraction, facts=tuple(told))
            item.extraction = merged(item.extraction, extraction) if item.extraction.facts else extraction

    def row_facts(self, item: Item, metadata: Mapping[str, Any]) -> tuple[tuple[RowFact, ...], bool, int]:
        """Return the keyed facts of a text, whether it says more, and how many went without a key."""
        scope = [(name, metadata.get(name)) for name in self.scope]
        prose = item.extraction.prose
        found: list[RowFact] = []
        times: Counter[int] = Counter()
        over = 0
        for fact in item.extraction.facts:
            if (
                not isinstance(fact, KeyedFact)
                or not self.policy.asserts(fact, metadata)
                or SUPERSEDED in (fact.object or "")
            ):
                prose = True
                continue
            digest = self.key(fact, scope, metadata).digest()
            if (digest not in times and len(times) == MAX_KEYS) or times[digest] == MAX_KEYS:
                over, prose = over + 1, True  # more keys than a row may have, or a text that repeats itself without end
                continue
            times[digest] += 1
            prose = prose or (fact.change and not fact.stated)
            value, ends = (None, fact.value or None) if fact.object is None else (fact.value, None)
            told = (fact.subject, fact.relation, fact.kind, fact.object, value, fact.span, fact.rule)
            made = RowFact(digest, *told, local=self.policy.confines(fact), narrative=fact.change, ends=ends)
            found.append(made.of_any_kind() if fact.stated else made)
        clear = _clear(found)
        return tuple(clear), prose or len(clear) < len(found) or not found, over

    def keys_changed(self, item: Item, record: Record, before: Record) -> bool:
        """Whether a row's metadata, merged with an item's, gives its facts other keys than are stored."""
        row = decode(item.id, record["metadata"], record["document"])
        was = user_metadata(before["metadata"]) or {}
        facts, _, _ = self.row_facts(item, {**(user_metadata(record["metadata"]) or {}), **(item.metadata or {})})
        if read_alike(facts, row.facts):  # but perhaps without the title of the piece before it
            return [f.digest for f in facts] != [f.digest for f in self.row_facts(item, was)[0]]
        return [(f.digest, f.value) for f in facts] != [(f.digest, f.value) for f in row.facts]

    def key(self, fact: KeyedFact, scope: Pairs, metadata: Mapping[str, Any]) -> FactKey:
        """Return the key of a fact; one that is confined to its source has that in it."""
        source = sources_of(metadata, fact.subject) if self.policy.confines(fact) else ()
        return FactKey.of((*scope, *source), *fact.key)


def read_alike(facts: Sequence[RowFact], others: Sequence[RowFact]) -> bool:
    """Whether facts are the same as they are told, whatever their keys."""
    told, known = ([replace(f, digest=0, assertions=(), held=(), live=()) for f in some] for some in (facts, others))
    return told == known


def _clear(facts: Sequence[RowFact]) -> list[RowFact]:
    """Leave out where a text contradicts itself, it states neither, and endings of what a value of it ends already."""
    values: dict[TimelineKey, set[str | None]] = {f.timeline: set() for f in facts}
    for fact in facts:
        values[fact.timeline] |= {fact.value} - {None}
    kept = [f for f in facts if f.ends is None or not values[f.timeline] - {f.ends}]
    for fact in kept:
        values[fact.timeline].add(fact.value)
    return [f for f in kept if len(values[f.timeline]) == 1]


def _join_parts(items: Sequence[Item]) -> None:
    """Let the parts of one record have one value: they don't replace each other.

    They are those of one document; of texts of one call and date, those with one metadata, but for where they start.
    """
    parts: dict[Any, list[Item]] = {}
    for item in items:
        if len(item.extraction.facts) == 1:
            told = {k: v for k, v in (item.metadata or {}).items() if k not in (*NODE_FIELDS, "start_index")}
            alike = (item.valid_from, item.valid_to, json.dumps(told, sort_keys=True, default=str))
            whose = alike if item.origin is None else (item.origin.field, item.origin.id, item.origin.version)
            parts.setdefault((whose, item.extraction.facts[0].key), []).append(item)  # type: ignore[union-attr]
    for together in parts.values():
        values = sorted(i.extraction.facts[0].value for i in together)
        for item in together if len(together) > 1 else ():
            fact = replace(item.extraction.facts[0], value=content_hash(" ".join(values)))
            item.extraction = replace(item.extraction, facts=(fact,))


def sources_of(metadata: Mapping[str, Any], subject: str) -> list[tuple[str, Any]]:
    """Return what a key holds of the source that a fact about a subject, as it is shown, is confined to."""
    told = (*source_of(metadata), *part_of(metadata), *speaker_of(subject, metadata))
    return [(f"source:{name}", value) for name, value in told]


def kept_apart(items: Sequence[Item], keying: Keying, known: dict[Any, tuple[Any, str]]) -> list[str]:
    """Return what of a batch reads like facts of another source, in `known`, and is not compared with them."""
    found = []
    for item in items:
        source = source_of(item.merged)
        scope = tuple(str(item.merged.get(name)) for name in keying.scope)
        for fact in item.extraction.facts:
            if not isinstance(fact, KeyedFact) or fact.confined != "described" or not keying.policy.confines(fact):
                continue
            place, value = known.get((scope, fact.key, fact.kind), (source, fact.value))
            if place != source and value != fact.value:
                own, other = (", ".join(f"{k}={v!r}" for k, v in one) or "no source" for one in (source, place))
                found.append(f"{fact.subject} | {fact.relation} of {own}, with that of {other}")
            known[scope, fact.key, fact.kind] = (source, fact.value)
    if len(known) > _KNOWN:
        known.clear()
    return found
