"""Finding facts by words: those they were told in, those they are shown in, and near ones."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from memstrata_integrations.chroma.both import pages
from memstrata_integrations.chroma.fields import FACTS, TO, decode, user_metadata
from memstrata_integrations.chroma.keying import Keying, sources_of
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.chroma.origins import SOURCE_FIELDS, SPEAKER_FIELDS, names_part
from memstrata_integrations.chroma.scoping import Scope, lies_in, scope_of, within
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.phrases import read_phrase
from memstrata_integrations.extraction.relations import Relation, Vocabulary, key_of_triple
from memstrata_integrations.extraction.tokens import QUANTITY, tokenize
from memstrata_integrations.extraction.words import Flag, lemma_and_flags
from memstrata_integrations.ledger.facts import FactKey
from memstrata_integrations.ledger.rows import Row, RowFact
from memstrata_integrations.ledger.time import MIN_TIME, OPEN

_PAGE = 5_000
_NEAR = 5  # suggestions
_ALIKE = 0.6  # of two names, by their characters
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"-?\d+")
_MADE = frozenset(("in", "count", "i", "we"))  # words of canonical names that may stand for others
_LIGHT = Flag.PREP | Flag.DET | Flag.AUX


@dataclass(frozen=True, slots=True)
class _Asked:
    """What somebody asks about, in the forms in which facts can be compared with it."""

    keys: frozenset[tuple[str, str]]  # canonical (subject, relation)
    words: frozenset[str]  # of the subject, and of the relation where one is named
    parts: frozenset[str]  # the same as written, paths and identifiers cut into words
    relation: str | None

    def may_be_in(self, keying: Keying) -> Callable[[str], bool]:
        """Return what tells of the JSON of a row whether a fact may go by this name, or hold its words."""
        return naming((name for name, _ in self.keys), keying, (self.words, self.parts))

    def is_exactly(self, fact: RowFact, keying: Keying) -> bool:
        """Whether a fact goes by this name."""
        if canonical_key(fact.subject, fact.relation, keying) in self.keys:
            return True
        told, shown = _words(keying, fact.subject, fact.relation), _words(keying, fact.subject)
        return self.words == told or (self.relation is None and self.words == shown)

    def is_within(self, fact: RowFact, keying: Keying) -> bool:
        """Whether a fact's name holds all these words, or what they stand for."""
        subject, relation = canonical_key(fact.subject, fact.relation, keying)
        told = {*subject.split(), *_words(keying, fact.subject, fact.relation)}
        if any(kind == relation and {*name.split()} <= told for name, kind in self.keys if kind != "is"):
            return True
        parts = _parts(f"{fact.subject} {fact.relation}") | told
        return bool(self.words) and (self.words <= told or self.parts <= parts)


def _asked(subject: str, relation: str | None, keying: Keying) -> _Asked:
    if relation is None:
        keys = [(keying.vocabulary.named(name), kind) for name, kind in _keys_of_name(subject, keying.vocabulary)]
    else:
        keys = [canonical_key(subject, relation, keying), (subject, relation)]
    said = (subject,) if relation is None else (subject, relation)
    words = _words(keying, *said)
    parts = frozenset(p for p in _parts(" ".join(said)) if not lemma_and_flags(p)[1] & _LIGHT)
    return _Asked(frozenset(keys), words or parts, parts, relation)


def _keys_of_name(name: str, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """Return the keys that may be meant by a name alone: "billing API port" is what the billing API listens on."""
    phrase = read_phrase(tokenize(name), name)
    relation, n = vocabulary.noun(phrase.core[1:])
    owned = [] if relation is None else [(phrase._replace(core=phrase.core[:-n]).key, relation.name)]
    return [(phrase.key, "is"), *owned]


def _words(keying: Keying, *said: str) -> frozenset[str]:
    """Return the canonical words of a name in any order, with those of what an alias stands for."""
    told = (read_phrase(tokenize(part), part) for part in said)
    parts = (words for phrase in told for words in (phrase.core, *(q.split() for q in phrase.qualifiers)))
    found = frozenset(w for words in parts for w in words if not lemma_and_flags(w)[1] & _LIGHT)
    for alias, name in keying.vocabulary.aliases.items():
        if found.issuperset(alias.split()):
            found = found.difference(alias.split()).union(name.split())
    return found


def canonical_key(subject: str, relation: str, keying: Keying) -> tuple[str, str]:
    """Return the key that a sentence with this subject and relation would have."""
    phrase, found = key_of_triple(subject, relation, "", keying.vocabulary)
    return keying.vocabulary.named(phrase.key), found.name if isinstance(found, Relation) else found


@lru_cache(maxsize=8192)
def _parts(name: str) -> frozenset[str]:
    """Return the words within a path, an identifier or any other name."""
    return frozenset(_WORD.findall(name.lower()))


def find(
    lookup: Lookup, keying: Keying, subject: str, relation: str | None, scope: Mapping[str, Any], *, loosely: bool
) -> tuple[list[Row], set[int]]:
    """Return the rows that state facts about a subject, and the keys of those facts.

    Args:
        lookup, keying: Looks into the collection; gives its texts their keys.
        subject, relation: As a text told it, as a history shows it, in any order of words; as people say it.
        scope: Values of scope or source fields, or of what names a part of a source (`section`). With all of these that
            a fact has, or of a subject that names an entity, the key is known and asked for; else every row is looked
            at, since sources may have facts of the same name.
        loosely: If nothing goes by exactly this name, take what holds all its words.
    """
    if not isinstance(subject, str) or not subject.strip():
        raise InvalidInputError(f"subject={subject!r} is empty; name what the fact is about")
    if relation is not None and (not isinstance(relation, str) or not relation.strip()):
        raise InvalidInputError(
            f"relation={relation!r} is empty; name it as people do ('port', 'listens on'), or leave it out"
        )
    for name in scope:
        known_fields = (*keying.scope, *SOURCE_FIELDS, *SPEAKER_FIELDS)
        if name not in known_fields and not names_part(name):
            raise InvalidInputError(f"scope names {name!r}, which separates no facts here; known are {known_fields!r}")
    asked = _asked(subject, relation, keying)
    own = [(name, scope.get(name)) for name in keying.scope]
    source = sources_of(scope, subject)
    exact: set[int] = set()
    if relation is not None:
        pairs = [own, [*own, *source]] if source else [own]
        digests = {FactKey.of(p, *key).digest() for p in pairs for key in asked.keys}
        rows = lookup.rows_by_key(digests)
        if rows and (len(scope) > len(own) or read_phrase(tokenize(subject), subject).named):
            return rows, digests
        exact = {f.digest for row in rows for f in row.facts} & digests
    known = bool(exact)  # then only sources may have others of the same name
    loose: set[int] = set()
    for fact in _facts_in(lookup, keying, scope, asked.may_be_in(keying)):
        if fact.digest not in exact and (fact.local or not known) and asked.is_exactly(fact, keying):
            exact.add(fact.digest)
        elif loosely and not exact and asked.is_within(fact, keying):
            loose.add(fact.digest)
    found = exact or loose
    return (lookup.rows_by_key(found) if found else []), found


def near_names(
    lookup: Lookup, keying: Keying, subject: str, relation: str | None, scope: Mapping[str, Any]
) -> list[str]:
    """Return the names of the facts that are nearest to what was asked for, the nearest first."""
    wanted = f"{subject} {relation or ''}".strip().lower()
    words = _parts(wanted)
    scores: dict[str, float] = {}
    for fact in _facts_in(lookup, keying, scope):
        name = f"{fact.subject!r}, {fact.relation!r}"
        if name not in scores:
            told = f"{fact.subject} {fact.relation if relation else ''}".strip().lower()
            shared = len(words & _parts(f"{fact.subject} {fact.relation}")) / max(len(words), 1)
            close = SequenceMatcher(None, wanted, told).ratio() if len(scores) < _PAGE else 0.0
            scores[name] = max(shared * 0.9, close)
    ranked = sorted((-score, name) for name, score in scores.items() if score >= _ALIKE)
    return [name for _, name in ranked[:_NEAR]]


def _facts_in(
    lookup: Lookup, keying: Keying, scope: Mapping[str, Any], wanted: Callable[[str], bool] | None = None
) -> Iterator[RowFact]:
    """Yield the facts that lie in a scope, of rows that are `wanted`; of a confined one the source must fit, too."""
    lies = scope_of(scope, [name for name in keying.scope if name in scope])
    for row, metadata in rows_and_metadata(lookup, lies, wanted=wanted):
        if lies_in(metadata, lies):
            for fact in row.facts:
                if not (fact.local and any(metadata.get(name) != value for name, value in scope.items())):
                    yield fact


def rows_and_metadata(
    lookup: Lookup,
    scope: Scope = (),
    *,
    ending: tuple[int, int] = (MIN_TIME, OPEN),
    wanted: Callable[[str], bool] | None = None,
) -> Iterator[tuple[Row, Mapping[str, Any]]]:
    """Yield every keyed row, of one scope or all, with what its user said of it, a page at a time.

    Args:
        lookup: Looks into the collection.
        scope: With values, some rows of other scopes may still be among them.
        ending: Between which instants, µs, a row ends at the latest, both included.
        wanted: Tells by the JSON of a row whether it may be one: the others are not even decoded.
    """
    ids = None if wanted is None else lookup.telling(wanted, *ending)
    if ids is None:
        span = {"$and": [{TO: {"$gte": ending[0]}}, {TO: {"$lte": ending[1]}}]}
        ids = lookup.collection.get(where=within(scope, span), include=[])["ids"]
    for page in pages(ids, _PAGE):
        for row_id, record in lookup.fetch(page).items():
            if wanted is None or wanted(record["metadata"].get(FACTS, "")):
                yield decode(row_id, record["metadata"]), user_metadata(record["metadata"]) or {}


def naming_times(first: int, last: int) -> Callable[[str], bool]:
    """Return what tells of the JSON of a row whether a transaction time of a span, µs, stands in it."""
    ends = [str(first), str(last)]
    # all numbers between two of one length begin as both do, which few rows hold
    begins = os.path.commonprefix(ends) if len(ends[0]) == len(ends[1]) else ""  # noqa: RUF071
    return lambda told: begins in told and any(first <= int(n) <= last for n in _NUMBER.findall(told))


def naming(names: Iterable[str], keying: Keying, several: Iterable[frozenset[str]] = ()) -> Callable[[str], bool]:
    """Return what tells of the JSON of a row whether all words of one of some canonical names may stand in it.

    Or `several` words, in any order.
    """
    names = list(names)
    wanted = [_parts(name) - _MADE for name in (*names, *map(" ".join, several))]
    if not all(wanted) or any(t.sort == QUANTITY for name in names for t in tokenize(name)):
        return lambda told: True  # a number may be written in several ways
    aliases = [(_parts(alias), _parts(name)) for alias, name in keying.vocabulary.aliases.items()]

    def may_name(told: str) -> bool:
        written = set(_WORD.findall(told.lower()))
        found = written.union(map(_lemma, written))
        for alias, name in aliases:
            if alias <= found:
                found |= name
        return "\\" in told or any(words <= found for words in wanted)

    return may_name


@lru_cache(maxsize=65_536)
def _lemma(word: str) -> str:
    return lemma_and_flags(word)[0]
