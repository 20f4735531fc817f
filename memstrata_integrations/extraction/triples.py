"""Triples: subject, relation and value in somebody's own words, under the key that a sentence would give them."""

from __future__ import annotations

from memstrata_integrations.extraction.keys import attribute
from memstrata_integrations.extraction.phrases import Phrase, read_phrase
from memstrata_integrations.extraction.relations import Relation, Vocabulary, spoken
from memstrata_integrations.extraction.tokens import tokenize
from memstrata_integrations.extraction.words import Flag, lemma_and_flags

__all__ = ["key_of_triple", "keys_of_name", "words_of"]


def key_of_triple(subject: str, relation: str, kind: str, vocabulary: Vocabulary) -> tuple[Phrase, Relation | str]:
    """Return the canonical subject and relation of what somebody states outright.

    Args:
        subject: As they say it: "checkout", "the billing API".
        relation: A verb ("listens on"), a noun ("timeout", "author of"), or "is".
        kind: The kind of the value, or empty where the key must not depend on it.
        vocabulary: The relations that are known.

    Example:
        >>> phrase, relation = key_of_triple("the billing API", "port", "number", Vocabulary())
        >>> phrase.key, relation.name
        ('billing api', 'listens on')
    """
    phrase = read_phrase(tokenize(subject), subject)
    relation = relation.strip().removesuffix(" of")
    said = spoken(relation)
    found, _ = vocabulary.verbs.get(said, (None, False))
    if found is not None:
        return phrase, found
    words = said.split()
    if words in (["be"], ["="], []):
        entry, holder = attribute(phrase, vocabulary, kind)
        return holder, entry
    first = lemma_and_flags(words[0])[1] | lemma_and_flags(relation.lower().split()[0])[1]
    if first & Flag.AUX or (first & Flag.S_FORM and not first & Flag.COMMON):
        return phrase, f"{said} _"
    noun = read_phrase(tokenize(relation), relation)
    core = (*phrase.core, *noun.core)
    whole = phrase._replace(core=core, owned=len(phrase.core), qualifiers=(*phrase.qualifiers, *noun.qualifiers))
    entry, holder = attribute(whole, vocabulary, kind)
    return holder, entry


def keys_of_name(name: str, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """Return the keys that may be meant by a name alone: "billing API port" is what the billing API listens on.

    Args:
        name: What a fact is about, in whatever words.
        vocabulary: The relations that are known.
    """
    phrase = read_phrase(tokenize(name), name)
    found = {(phrase.key, "is"): None}
    relation = vocabulary.noun(phrase.core)
    for n in range(1, min(vocabulary.longest, len(phrase.core) - 1) + 1):
        if relation is not None and vocabulary.nouns.get(phrase.core[-n:]) is relation:
            found[phrase._replace(core=phrase.core[:-n]).key, relation.name] = None
    return list(found)


def words_of(*parts: str) -> frozenset[str]:
    """Return the canonical words of what somebody says, whatever their order: for finding facts by their words.

    Example:
        >>> sorted(words_of("the port of the billing API"))
        ['api', 'billing', 'port']
    """
    found: set[str] = set()
    for part in parts:
        phrase = read_phrase(tokenize(part), part)
        found.update(w for words in (phrase.core, *(q.split() for q in phrase.qualifiers)) for w in words)
    return frozenset(w for w in found if not lemma_and_flags(w)[1] & (Flag.PREP | Flag.DET | Flag.AUX))
