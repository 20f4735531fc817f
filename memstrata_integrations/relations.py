"""The vocabulary of relations: the built-in table (`relation_table`), and what users add to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.facts import Cardinality
from memstrata_integrations.relation_table import RELATIONS, Relation
from memstrata_integrations.words import word_set

__all__ = [
    "ADVERBS",
    "BUILT_IN",
    "FUNCTIONAL",
    "RELATIONS",
    "VERBS",
    "Relation",
    "Vocabulary",
    "canonical_relation",
    "cardinality_of",
    "known",
    "relation_name",
    "relation_of",
]


FUNCTIONAL: tuple[str, ...] = tuple(r.name for r in RELATIONS if r.cardinality == "functional")
"""The canonical names of the functional relations: with a subject, all the keys it can have."""

_AUXILIARIES = {"are": "is", "am": "is", "'s": "is", "have": "has"}
_ADVERBS = word_set("now currently already still just presently officially always")
ADVERBS = _ADVERBS
"""Adverbs that may stand after the first word of a verb and mean nothing for its relation."""
_MOST_REMEMBERED = 1024
_SLOTS = frozenset(r.slot for r in RELATIONS)


def _forms(phrase: str) -> tuple[str, ...]:
    """Return a phrase in the third person and as I, you, we and they say it."""
    first, _, rest = phrase.partition(" ")
    if first.isalpha() and first.endswith("s") and first not in ("is", "has"):
        return phrase, f"{_base(first)} {rest}".strip()
    return (phrase,)


def _third(verb: str) -> str:
    return verb[:-1] + "ies" if verb.endswith("y") else verb + "es"


def _base(verb: str) -> str:
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


class Vocabulary:
    """The relations of one extractor: the built-in table, what a user adds to it, and what a user overrides.

    Args:
        relations: Entries to add. One with the name of a built-in entry replaces it; its aliases
            and those of the built-in entry both count.
        cardinalities: Relation to how many values it has; a relation that the table lacks is
            added under that name.

    Example:
        >>> vocabulary = Vocabulary(cardinalities={"mirrors": "functional", "resides in": "set"})
        >>> vocabulary.cardinality_of("mirrors"), vocabulary.cardinality_of("lives in")
        ('functional', 'set')
    """

    def __init__(
        self, relations: Iterable[Relation] = (), cardinalities: Mapping[str, Cardinality] | None = None
    ) -> None:
        self._by_name = {r.name: r for r in RELATIONS}
        owner = {form: r.name for r in RELATIONS for form in _phrases(r)}
        for relation in relations:
            _require_relation(relation)
            name = _normal(relation.name)
            name = owner.get(name, name)
            for alias in relation.aliases:
                if _normal(alias) in self._by_name and _normal(alias) != name:
                    raise InvalidInputError(
                        f"alias {alias!r} of relation {relation.name!r} is a relation itself; give that one "
                        f"what you need: Relation({_normal(alias)!r}, ...)"
                    )
            known = self._by_name.get(name)
            aliases = (*(known.aliases if known else ()), *(_normal(a) for a in relation.aliases))
            self._by_name[name] = entry = replace(relation, name=name, aliases=aliases)
            owner.update(dict.fromkeys(_phrases(entry), name))
        for written, cardinality in (cardinalities or {}).items():
            if cardinality not in get_args(Cardinality):
                raise InvalidInputError(
                    f"cardinalities[{written!r}]={cardinality!r} is none of {', '.join(get_args(Cardinality))}"
                )
            name = owner.get(_normal(written), _normal(written))
            known = self._by_name.get(name)
            entry = known or Relation(name, cardinality, "a user's policy names it")
            self._by_name[name] = replace(entry, cardinality=cardinality)
            owner.update(dict.fromkeys(_phrases(entry), name))
        self._owner = owner
        self._read: dict[str, Relation | None] = {}
        self.verbs = self._verb_table()
        """First word of a verb -> (its other words, relation), the longest first."""
        self.by_second = {first: _by_second(entries) for first, entries in self.verbs.items()}
        """First word of a verb -> second word ("" for none) -> entries, the longest first."""
        self.bases = frozenset(f for f in self.verbs if f + "s" in self.verbs or _third(f) in self.verbs)
        """The first words that are verbs after "I", "we" and a plural only."""

    def __reduce__(self) -> Any:
        return "BUILT_IN" if self is BUILT_IN else super().__reduce__()

    def relation_of(self, text: str) -> Relation | None:
        """Return the table's entry for a relation as written."""
        if text not in self._read:
            if len(self._read) > _MOST_REMEMBERED:
                self._read.clear()
            name = self._owner.get(_normal(text))
            self._read[text] = None if name is None else self._by_name[name]
        return self._read[text]

    def cardinality_of(self, name: str) -> Cardinality:
        """Return how many values a canonical relation has at a time."""
        found = self._by_name.get(name)
        return found.cardinality if found else "unknown"

    @property
    def functional(self) -> tuple[str, ...]:
        """The canonical names of the functional relations."""
        return tuple(r.name for r in self._by_name.values() if r.cardinality == "functional")

    def _verb_table(self) -> dict[str, tuple[tuple[tuple[str, ...], Relation], ...]]:
        table: dict[str, list[tuple[tuple[str, ...], Relation]]] = {}
        for form, name in self._owner.items():
            if form[:1].isalpha():
                first, *rest = form.split()
                table.setdefault(first, []).append((tuple(rest), self._by_name[name]))
        for auxiliary, verb in _AUXILIARIES.items():
            if auxiliary.isalpha():
                table[auxiliary] = table[verb]
        return {first: tuple(sorted(rests, key=lambda r: -len(r[0]))) for first, rests in table.items()}


def _require_relation(given: Any) -> None:
    if not isinstance(given, Relation):
        raise InvalidInputError(
            f"relation {given!r} is no Relation; write Relation({str(given)!r}, 'functional', 'why it has one value') "
            f"of memstrata_integrations.relations, or name it in cardinalities={{{str(given)!r}: 'functional'}}"
        )
    if isinstance(given.aliases, str):
        raise InvalidInputError(f"aliases={given.aliases!r} of relation {given.name!r} must be a tuple of phrases")
    known = get_args(Cardinality)
    if given.cardinality not in known:
        raise InvalidInputError(
            f"cardinality={given.cardinality!r} of relation {given.name!r} is none of {', '.join(known)}"
        )
    if given.slot not in _SLOTS:
        raise InvalidInputError(
            f"slot={given.slot!r} of relation {given.name!r} is none of {', '.join(sorted(_SLOTS))}; "
            "'free' takes anything named or typed"
        )


_Entries = tuple[tuple[tuple[str, ...], Relation], ...]


def _by_second(entries: _Entries) -> dict[str, _Entries]:
    found: dict[str, _Entries] = {}
    for rest, relation in entries:
        second = rest[0] if rest else ""
        found[second] = (*found.get(second, ()), (rest, relation))
    return found


def _phrases(relation: Relation) -> list[str]:
    return [form for phrase in (relation.name, *relation.aliases) for form in _forms(phrase)]


def _normal(text: str) -> str:
    words = [w for w in text.casefold().split() if w not in _ADVERBS]
    if words and words[0] in _AUXILIARIES:
        words[0] = _AUXILIARIES[words[0]]
    return " ".join(words)


BUILT_IN = Vocabulary()
"""The vocabulary without anything of a user's."""

VERBS = BUILT_IN.verbs
"""The verbs of the built-in table."""


def canonical_relation(text: str) -> str | None:
    """Return the canonical name of a relation, `None` if the table lacks it.

    Example:
        >>> canonical_relation("is currently set to"), canonical_relation("works for"), canonical_relation("mirrors")
        ('is', 'works for', None)
    """
    found = BUILT_IN.relation_of(text)
    return found.name if found else None


def relation_name(text: str) -> str:
    """Return the name under which facts hold a relation, also one that only a user's vocabulary knows.

    Example:
        >>> relation_name("is currently set to"), relation_name("Are mirrored by")
        ('is', 'is mirrored by')
    """
    return canonical_relation(text) or _normal(text)


def cardinality_of(name: str) -> Cardinality:
    """Return how many values a canonical relation has at a time.

    Example:
        >>> cardinality_of("is"), cardinality_of("depends on"), cardinality_of("mirrors")
        ('functional', 'set', 'unknown')
    """
    return BUILT_IN.cardinality_of(name)


def relation_of(text: str) -> Relation | None:
    """Return the built-in table's entry for a relation as written."""
    return BUILT_IN.relation_of(text)


def known(name: str) -> Relation:
    """Return an entry that the built-in table must have."""
    found = BUILT_IN.relation_of(name)
    if found is None:
        raise AssertionError(f"the relation table lacks {name!r}")
    return found
