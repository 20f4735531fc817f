"""The vocabulary that users extend: new relations, and other cardinalities for known ones."""

from __future__ import annotations

import pytest

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction import Extraction, Fact, GrammarExtractor
from memstrata_integrations.policy import SupersessionPolicy
from memstrata_integrations.relations import FUNCTIONAL, Relation, Vocabulary, relation_name


def read(grammar: GrammarExtractor, text: str) -> Extraction:
    [found] = grammar.extract([text])
    return found


def only(grammar: GrammarExtractor, text: str) -> Fact:
    found = read(grammar, text)
    assert len(found.facts) == 1, (text, found)
    assert not found.prose
    return found.facts[0]


MIRRORS = GrammarExtractor(cardinalities={"mirrors": "functional"})


def test_a_verb_of_the_policy_becomes_a_relation() -> None:
    """A verb that the built-in table lacks is read once a policy names it, and by no other extractor."""
    first, second = only(MIRRORS, "replica-2 mirrors primary-1."), only(MIRRORS, "replica-2 now mirrors primary-3.")
    assert (first.subject, first.relation, first.object, first.cardinality) == (
        "replica-2",
        "mirrors",
        "primary-1",
        "functional",
    )
    assert (first.subject, first.relation, first.dimension) == (second.subject, second.relation, second.dimension)
    assert first.value != second.value
    assert read(GrammarExtractor(), "replica-2 mirrors primary-1.") == Extraction((), True)


@pytest.mark.parametrize(
    "text",
    [
        "replica-2 mirrors primary-1 and primary-3.",
        "Does replica-2 mirror primary-1?",
        "replica-2 should mirror primary-1.",
        "If idle, replica-2 mirrors primary-1.",
        "It mirrors primary-1.",
        "replica-2 mirrors whatever it finds.",
        "The best replica mirrors primary-1.",
    ],
)
def test_a_users_verb_obeys_the_same_rules(text: str) -> None:
    """Lists, questions, plans, negations, conditions, pronouns and opinions assert no value for any verb."""
    assert read(MIRRORS, text) == Extraction((), True)


def test_a_base_form_is_a_verb_after_its_subject_only() -> None:
    """A base form after "I" or a plural is a verb; in "the mirror port" it is a noun."""
    assert only(MIRRORS, "I mirror primary-1.").relation == "mirrors"
    assert only(MIRRORS, "The mirror port is 8080.").relation == "is"


def test_relations_bring_aliases_and_a_slot() -> None:
    """An entry of a user's own has other phrasings and decides what its value must look like."""
    on_call = Relation(
        "escalates to", "functional", "one next level", ("hands over to", "is escalated to"), slot="name"
    )
    grammar = GrammarExtractor([on_call])
    facts = [
        only(grammar, text)
        for text in ("Alerts escalate to Kim Sato.", "Alerts hand over to Lee Ray.", "Alerts are escalated to Ann Mo.")
    ]
    assert {(f.relation, f.dimension) for f in facts} == {("escalates to", "full name")}
    assert len({f.value for f in facts}) == 3
    assert read(grammar, "Alerts escalate to 5 MB.") == Extraction((), True)
    assert "escalates to" in grammar.functional
    assert "escalates to" not in FUNCTIONAL


def test_a_relation_of_several_values_supersedes_nothing() -> None:
    """What is declared set-valued or unknown gives no fact, as with the built-in table."""
    for cardinality in ("set", "unknown"):
        grammar = GrammarExtractor(cardinalities={"mirrors": cardinality})
        assert read(grammar, "replica-2 mirrors primary-1.") == Extraction((), True)
        assert "mirrors" not in grammar.functional


@pytest.mark.parametrize(
    ("relation", "text"),
    [
        ("lives in", "Alice lives in Berlin."),
        ("resides in", "Alice lives in Berlin."),
        ("is", "The port is 8080."),
        ("=", "MAX_SIZE=5"),
        ("is pinned to", "numpy==1.26.4"),
        ("is named", "load_config() returns the parsed settings."),
    ],
)
def test_a_known_relation_can_be_stopped(relation: str, text: str) -> None:
    """An override to set-valued silences a relation by any of its names, in sentences and lines."""
    assert read(GrammarExtractor(), text).facts
    assert read(GrammarExtractor(cardinalities={relation: "set"}), text) == Extraction((), True)


def test_a_set_valued_relation_can_be_made_to_supersede() -> None:
    """An override to functional works the other way."""
    grammar = GrammarExtractor(cardinalities={"depends on": "functional"})
    facts = [only(grammar, f"The service depends on {name}.") for name in ("libxml2", "Redis", "zlib-ng2")]
    assert {(f.relation, f.cardinality, f.dimension) for f in facts} == {("depends on", "functional", "text")}
    assert read(GrammarExtractor(), "The service depends on libxml2.").facts == ()
    assert only(grammar, "The service relies on libxml2.").relation == "depends on"


def test_cardinalities_are_added_to_an_extractor() -> None:
    """A store hands its policy to the extractor it was given; the policy goes first."""
    grammar = GrammarExtractor([Relation("mirrors", "set", "many copies")], {"feeds": "functional"})
    both = grammar.with_cardinalities({"mirrors": "functional"})
    assert grammar.with_cardinalities({}) is grammar
    assert only(both, "replica-2 mirrors primary-1.").object == "primary-1"
    assert only(both, "replica-2 feeds search-1.").object == "search-1"
    assert read(grammar, "replica-2 mirrors primary-1.").facts == ()
    assert "mirrors" in repr(both)
    assert repr(GrammarExtractor()) == "GrammarExtractor()"


def test_policies_keep_relations_under_the_names_of_facts() -> None:
    """What a policy is given as an alias is found under the name that facts hold."""
    policy = SupersessionPolicy(cardinalities={"Mirrors": "functional", "resides in": "set", "throws": "functional"})
    assert policy.cardinalities == {"mirrors": "functional", "lives in": "set", "raises": "functional"}
    fact = only(GrammarExtractor(cardinalities=policy.cardinalities), "replica-2 mirrors primary-1.")
    assert relation_name("Mirrors") == fact.relation
    assert policy.asserts(fact, {})
    assert not policy.asserts(only(GrammarExtractor(), "Alice lives in Berlin."), {})
    with pytest.raises(InvalidInputError, match="twice"):
        SupersessionPolicy(cardinalities={"lives in": "set", "resides in": "functional"})
    with pytest.raises(InvalidInputError, match="names no relation"):
        SupersessionPolicy(cardinalities={" ": "set"})


def test_a_vocabulary_reads_relations_by_every_name() -> None:
    """Built-in names, a user's names, aliases of both; anything else is unknown."""
    vocabulary = Vocabulary([Relation("mirrors", "functional", "one source", ("copies",))], {"uses": "functional"})
    names = {
        t: (r.name if (r := vocabulary.relation_of(t)) else None) for t in ("copies", "makes use of", "is", "eats")
    }
    assert names == {"copies": "mirrors", "makes use of": "uses", "is": "is", "eats": None}
    assert vocabulary.cardinality_of("uses") == "functional"
    assert vocabulary.cardinality_of("eats") == "unknown"
