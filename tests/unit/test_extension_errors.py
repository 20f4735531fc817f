"""What a user gives to extend the package is refused with the way out, never with a raw error."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction import ChainExtractor, Extraction, GrammarExtractor, KeyedFact, Relation
from memstrata_integrations.ledger.facts import checked, require_extractor
from memstrata_integrations.ledger.policy import SupersessionPolicy

GOOD = KeyedFact("billing API", "listens on", "80", ("billing api", "listens on"), "80", "number", (0, 4), "mine")
names = itertools.count()


class Returning:
    def __init__(self, found: Any) -> None:
        self.found = found

    def extract(self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None) -> Any:
        return self.found

    def __repr__(self) -> str:
        return "Returning()"


class TakingTexts:
    def extract(self, texts: Sequence[str]) -> list[Extraction]:
        return [Extraction() for _ in texts]


@pytest.mark.parametrize(("make", "way_out"), [
    (lambda: GrammarExtractor(["mirrors"]), r"Relation\('mirrors'"),  # type: ignore[list-item]
    (lambda: GrammarExtractor([Relation("mirrors", ("mirrors",), cardinality="single")]), "'single'.*functional"),  # type: ignore[arg-type]
    (lambda: GrammarExtractor([Relation("mirrors", "mirrors")]), "must be a tuple"),  # type: ignore[arg-type]
    (lambda: GrammarExtractor(aliases={"PG": ["Postgres"]}), "must map one name to another"),  # type: ignore[dict-item]
    (lambda: GrammarExtractor(unknown="any"), "neither 'typed' nor 'functional'"),
    (lambda: SupersessionPolicy(unknown="any"), "neither 'typed' nor 'functional'"),  # type: ignore[arg-type]
    (lambda: SupersessionPolicy(one_world="yes"), "neither True nor False"),  # type: ignore[arg-type]
    (lambda: SupersessionPolicy(max_retired_share="10%"), "0.1 for 10 %"),  # type: ignore[arg-type]
    (lambda: SupersessionPolicy(max_retired=2.5), "whole number of rows"),  # type: ignore[arg-type]
    (lambda: SupersessionPolicy(max_retired=True), "whole number of rows"),
    (lambda: SupersessionPolicy(cardinalities=["mirrors"]), "must map relations"),  # type: ignore[arg-type]
    (lambda: GrammarExtractor(cardinalities={"mirrors": "many"}), "is none of"),  # type: ignore[dict-item]
    (lambda: require_extractor(GrammarExtractor), r"is a class.*GrammarExtractor\(\)"),
    (lambda: require_extractor(TakingTexts()), r"must take \(texts, metadatas\)"),
    (lambda: ChainExtractor(object()), r"no method extract\(texts, metadatas\)"),
])  # fmt: skip
def test_what_cannot_be_used_is_refused_when_it_is_given(make: Callable[[], Any], way_out: str) -> None:
    with pytest.raises(InvalidInputError, match=way_out):
        make()


def test_relations_may_be_given_as_an_iterator() -> None:
    """They are looked at more than once."""
    relation = Relation("mirrors", ("mirrors",))
    assert repr(GrammarExtractor(iter([relation]))) == repr(GrammarExtractor([relation])) != "GrammarExtractor()"


WRONG_RESULTS: list[tuple[Any, str]] = [
    (None, "None; it must give one Extraction"), ([], "0 results for 1 texts"),
    ([[GOOD]], r"for text 0.*Extraction\(facts="), ([{"facts": []}], "memstrata_integrations.extraction"),
    ([Extraction({GOOD})], "must be a tuple of Fact"),  # type: ignore[arg-type]
    ([Extraction((("billing api", "listens on", "80"),))], "each must be a Fact"),  # type: ignore[arg-type]
    ([Extraction((replace(GOOD, value=80),))], "value=80; it must be text"),  # type: ignore[arg-type]
    ([Extraction((replace(GOOD, object=80),))], "object=80"),  # type: ignore[arg-type]
    ([Extraction((replace(GOOD, span=None),))], "span=None"),  # type: ignore[arg-type]
    ([Extraction((replace(GOOD, key="port"),))], "key='port'"),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("found", "way_out"), WRONG_RESULTS)
def test_what_an_extractor_returns_is_checked(found: Any, way_out: str) -> None:
    with pytest.raises(InvalidInputError, match=f"(?s)Returning.*{way_out}"):
        checked(Returning(found), found, 1)
    with pytest.raises(InvalidInputError, match=f"(?s)Returning.*{way_out}"):
        ChainExtractor(Returning(found)).extract(["text"])
    good = [Extraction((GOOD,), False)]
    assert checked(Returning(good), good, 1) == good


def test_a_store_refuses_the_same_before_it_writes() -> None:
    pytest.importorskip("langchain_chroma")
    from memstrata_integrations.embeddings import LexicalEmbeddings
    from memstrata_integrations.langchain import TemporalVectorStore

    def store(extractor: Any) -> TemporalVectorStore:
        return TemporalVectorStore(f"refusals{next(names)}", LexicalEmbeddings(), extractor=extractor)

    for wrong in (GrammarExtractor, TakingTexts(), "grammer"):
        with pytest.raises(InvalidInputError, match="extract"):
            store(wrong)
    writing = store(Returning([[GOOD]]))
    with pytest.raises(InvalidInputError, match="Extraction"):
        writing.add_texts(["The billing API listens on port 80."])
    assert writing.get()["ids"] == []
