"""Facts that somebody states outright: their keys, the sentences they are stored as, and rows that are records."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from memstrata_integrations.chroma.fields import NODE_FIELDS
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.phrases import Phrase
from memstrata_integrations.extraction.relations import Relation, Vocabulary, key_of_triple, spoken
from memstrata_integrations.extraction.sentences import GENERIC
from memstrata_integrations.extraction.statements import statements
from memstrata_integrations.extraction.values import canonical_value
from memstrata_integrations.extraction.words import Flag, lemma_and_flags, singular
from memstrata_integrations.ledger.facts import Cardinality, Confinement, Extraction, Fact, KeyedFact
from memstrata_integrations.ledger.rows import content_hash
from memstrata_integrations.options import FactTemplate

_SAID = Flag.AUX | Flag.S_FORM | Flag.PAST


def sentence_of(fact: Fact, template: FactTemplate | None = None) -> str:
    """Return the sentence that a fact is stored as.

    Example:
        >>> sentence_of(Fact("checkout", "timeout", "30 s")), sentence_of(Fact("Ann", "works for", "Acme"))
        ('The timeout of checkout is 30 s.', 'Ann works for Acme.')
        >>> sentence_of(Fact("I", "is allergic to", "nuts")), sentence_of(Fact("checkout", "owner", None))
        ('I am allergic to nuts.', 'checkout: owner has ended.')
    """
    if fact.statement is not None:
        return fact.statement
    if callable(template):
        return template(fact)
    value = written(fact.value)
    if template is not None:
        try:
            return template.format(subject=fact.subject, relation=fact.relation, value="" if value is None else value)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            raise InvalidInputError(
                f"fact_template={template!r} may hold {{subject}}, {{relation}} and {{value}}, no more ({error!r})"
            ) from error
    if value is None:
        return f"{fact.subject}: {fact.relation} has ended."
    relation = fact.relation.strip().removeprefix("the ").removeprefix("The ")
    words, speaks = _words(relation), fact.subject == "I"
    (base, first), last = lemma_and_flags(words[0].lower()), lemma_and_flags(words[-1].lower())[1]
    verb = first & _SAID or (len(words) > 1 and first & Flag.BASE)
    if verb and not first & Flag.COMMON and relation not in _LISTS:
        if speaks and words[0].lower().endswith("s") and words[0].lower() != "was":
            words[0] = "am" if base == "be" else base
        return f"{fact.subject} {' '.join(words)} {value}."
    if last & Flag.PREP:
        return f"{fact.subject} {'am' if speaks else 'is'} {' '.join(words)} {value}."
    return f"My {relation} is {value}." if speaks else f"The {relation} of {fact.subject} is {value}."


def _words(relation: str) -> list[str]:
    """Return the words of a relation, also of one written as an identifier."""
    return relation.replace("_", " ").split() or [relation]


def written(value: Any) -> str | None:
    """Return a fact's value as text; `None` for an ending."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, date) else str(value)


def keyed(fact: Fact, text: str, vocabulary: Vocabulary, *, rule: str = "stated") -> KeyedFact:
    """Return a stated fact with its key, and where it stands in its text; a statement must stand there."""
    start = 0 if fact.statement is None else text.find(fact.statement)
    if start < 0:
        raise InvalidInputError(
            f"the statement {fact.statement!r} of {fact.subject!r} does not stand in its text, {text[:80]!r}; give it "
            "word for word, or leave it out to mean the whole text"
        )
    end = start + len(text if fact.statement is None else fact.statement)
    subject, relation = key_of_triple(fact.subject, fact.relation, "", vocabulary)
    value = written(fact.value)
    canonical, kind = ("", "") if value is None else canonical_value(value)
    name = relation.name if isinstance(relation, Relation) else relation
    if _cardinality(fact.relation, value, relation, vocabulary) != "functional":
        if value is None:
            raise InvalidInputError(
                f"{fact.relation!r} has several values; retract({fact.subject!r}, {fact.relation!r}, value=...) ends "
                "one of them, and without value= all"
            )
        name = f"{name} = {canonical}"  # each of its values is a fact of its own
    key, confined = (vocabulary.named(subject.key), name), _confined(fact.subject, subject)
    told = (fact.subject, fact.relation, value, key, canonical, kind, (start, end), rule)
    return KeyedFact(*told, confined=confined, change=value is None, stated=True)


def _confined(said: str, subject: Phrase) -> Confinement:
    """Say whether a stated subject only describes a thing of its source ("the CEO", "I"); "checkout" names one."""
    if subject.named:
        return ""
    if subject.core[:1] == ("i",) or (len(subject.core) == 1 and subject.core[0] in GENERIC):
        return "bare"
    return "described" if lemma_and_flags(said.split()[0].lower())[1] & (Flag.DET | Flag.OWNER | Flag.PRONOUN) else ""


_PLURALS = ("children", "people", "men", "women")
_OFTEN = frozenset(
    "allergic attend diagnosed friends has interested learn play require use visit volunteer work write".split()
)
"""What somebody is, does or has more than once, unless the relation says of what: "uses", "works on"."""
_LISTS = frozenset("addresses contacts emails files labels links notes phones tags".split())
"""Plurals that might be verbs."""
_SOME = frozenset("citizen fan interest pet restriction".split()) | _LISTS
"""Nouns of which somebody has several."""
_NUMBERED = frozenset("codes dates extensions ids numbers ports versions vlans years".split())
"""Plurals of which a number names one, and does not count them."""


def has_several_values(subject: str, relation: str, value: str | None, vocabulary: Vocabulary) -> bool:
    """Whether each value of a stated relation is a fact of its own."""
    known = key_of_triple(subject, relation, "", vocabulary)[1]
    return _cardinality(relation, value, known, vocabulary) != "functional"


def _cardinality(said: str, value: str | None, relation: Relation | str, vocabulary: Vocabulary) -> Cardinality:
    """Return how many values a stated relation has: one, unless its words say otherwise ("depends on", "owns")."""
    words = _words(said.lower().strip().removesuffix(" of"))
    while len(words) > 1 and lemma_and_flags(words[0])[1] & (Flag.AUX | Flag.DET):  # "is allergic to", "has visited"
        del words[0]
    own, turned = vocabulary.verbs.get(spoken(" ".join(words)), (None, False))
    relation = own if own is not None and own in vocabulary.own else relation
    flags, last = [lemma_and_flags(w)[1] for w in words], words[-1]
    plural = last in _PLURALS or (
        singular(last) != last and (len(words) > 1 or not flags[-1] & Flag.S_FORM)  # "languages", "email addresses"
    )
    several = plural and (last in _NUMBERED or not (value or "").isdigit())  # "replicas": 3
    if isinstance(relation, Relation):
        noun = several and spoken(said) not in vocabulary.verbs and relation not in vocabulary.own
        return "set" if turned or noun else relation.cardinality  # who owns one thing may own another
    several = several or bool(flags[0] & Flag.MANY or flags[-1] & Flag.AMONG) or last in _SOME
    bare = len(words) == 1 or last in ("to", "in", "on", "with")
    often = bare and not _OFTEN.isdisjoint((words[0], lemma_and_flags(words[0])[0]))
    return "set" if several or often else "functional"


def stated_in_text(facts: Sequence[Fact], text: str, vocabulary: Vocabulary) -> Extraction:
    """Return the facts that somebody states of a text; what they don't cover is left for an extractor."""
    found = tuple(keyed(fact, text, vocabulary) for fact in facts)
    rest = [s for s in statements(text) if s.kind not in ("heading", "mark")]
    uncovered = [s for s in rest if all(s.start >= f.span[1] or f.span[0] >= s.end for f in found)]
    unread = tuple((s.start, s.end, "no fact was given for it") for s in uncovered)
    own = [f.change and text != sentence_of(fact) for f, fact in zip(found, facts, strict=True)]  # somebody's words
    several = any(f.cardinality != "functional" for f in found) or any(own)
    return Extraction(found, bool(unread) or several, unread)


def entries(name: str, given: Any, count: int, single: type, listed: str, entry: str) -> list[Any]:
    """Return what is given of each of `count` texts: for one a `single` thing or a list of them, else an entry each.

    `None` counts as empty. What may be given for one text, `listed`, and for each of several, `entry`, an error tells.
    """
    wanted = _wanted(name, listed, entry)
    if given is None:
        return [()] * count
    found = [given] if isinstance(given, single) else given
    if isinstance(found, (str, bytes, Mapping)) or not isinstance(found, Sequence):
        raise InvalidInputError(f"{name}={given!r}: {wanted}")
    if count == 1 and all(isinstance(one, single) for one in found):
        found = [found]
    if len(found) != count:
        raise InvalidInputError(f"{name} holds {len(found)} entries for {count} texts; {wanted}")
    return [() if one is None else one for one in found]


def _wanted(name: str, listed: str, entry: str) -> str:
    return f"give {name}={listed} for one text, one entry ({entry}, or None) each for several"


def facts_of_texts(given: Any, count: int) -> list[tuple[Fact, ...]]:
    """Return the facts of each of `count` texts, see `entries`."""
    one, each = "[Fact(subject, relation, value)]", "a Fact, a list"
    told = [(e,) if isinstance(e, Fact) else e for e in entries("facts", given, count, Fact, one, each)]
    for own in told:
        if not isinstance(own, Sequence) or not all(isinstance(f, Fact) for f in own):
            raise InvalidInputError(f"facts holds {own!r}; {_wanted('facts', one, each)}")
    return [tuple(own) for own in told]


def record_of(
    text: str | None, metadata: Mapping[str, Any], key_fields: Sequence[str], value_field: str | None
) -> KeyedFact | None:
    """Return the fact that a row's metadata states exactly; `None` where it does not name all of the key.

    Without a value field, or in a row that lacks it, the row is its own value.
    """
    if not key_fields or any(metadata.get(name) is None for name in key_fields):
        return None
    pairs = json.dumps([[name, metadata[name]] for name in sorted(key_fields)], sort_keys=True)
    held = None if value_field is None else metadata.get(value_field)
    body = text or ""
    told = {name: value for name, value in metadata.items() if name not in NODE_FIELDS}
    own = content_hash(body + json.dumps(told, sort_keys=True, default=str))
    subject = " ".join(str(metadata[name]) for name in key_fields)
    shown, value = (" ".join(body.split())[:80], own) if held is None else (str(held), json.dumps(held))
    key, span = (f"record {pairs}", "is"), (0, len(body))
    return KeyedFact(subject, value_field or "is", shown, key, value, "record", span, "record", stated=True)


def stated_again(facts: Sequence[Any], text: str) -> tuple[Fact, ...]:
    """Return what somebody stated outright of a stored text, from its stored facts."""
    return tuple(
        Fact(f.subject, f.relation, f.object, statement=text[slice(*f.span)] or None)
        for f in facts
        if f.rule == "stated"
    )


def stated(facts: Any) -> list[Fact]:
    """Return facts as a list; one may come alone."""
    listed = [facts] if isinstance(facts, Fact) else facts
    if isinstance(listed, (str, bytes, Mapping)) or not isinstance(listed, Sequence):
        raise InvalidInputError(f"facts={facts!r}; give a list of Fact(subject, relation, value)")
    for n, fact in enumerate(listed):
        if not isinstance(fact, Fact):
            raise InvalidInputError(f"fact {n} is {fact!r}; give Fact(subject, relation, value)")
    return list(listed)
