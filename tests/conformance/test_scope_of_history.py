"""What one scope asks of the ledger never shows another scope's facts."""

from __future__ import annotations

import pytest

from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.lexical import LexicalEmbeddings

SAID = [
    ("plan", "My plan is Gold.", "My plan is Silver."),
    ("home port", "The Vega's home port is Bari.", "The Vega's home port is Split."),
    ("port", "The Vega's home port is Bari.", "The Vega's home port is Split."),
    ("Vega home port", "The Vega's home port is Bari.", "The Vega's home port is Split."),
]


@pytest.mark.parametrize(("asked", "ours", "theirs"), SAID)
def test_a_near_subject_finds_only_facts_of_the_scope(asked: str, ours: str, theirs: str) -> None:
    store = TemporalVectorStore(f"scoped-{abs(hash((asked, ours)))}", LexicalEmbeddings(), scope=("tenant",))
    store.add_texts([ours, theirs], [{"tenant": "a"}, {"tenant": "b"}])
    shown = str(store.history(asked, scope={"tenant": "a"}))
    assert ours in shown
    assert theirs not in shown


def test_a_subject_that_only_another_scope_knows_is_not_found() -> None:
    store = TemporalVectorStore("scoped-other", LexicalEmbeddings(), scope=("tenant",))
    store.add_texts(["The Vega's home port is Split."], [{"tenant": "b"}])
    assert "Split" not in str(store.history("Vega home port", scope={"tenant": "a"}))


def test_a_bare_subject_of_another_source_is_not_shown_where_a_source_is_named() -> None:
    store = TemporalVectorStore("scoped-source", LexicalEmbeddings())
    store.add_texts(["The port is 8080.", "The port is 9090."], [{"source": "a.md"}, {"source": "b.md"}])
    shown = str(store.history("port", scope={"source": "a.md"}))
    assert "8080" in shown
    assert "9090" not in shown


def test_the_history_of_an_id_lies_in_the_scope_that_is_named() -> None:
    store = TemporalVectorStore("scoped-id", LexicalEmbeddings(), scope=("tenant",))
    store.add_texts(["The Vega's home port is Split."], [{"tenant": "b"}], ids=["b1"])
    assert "Split" not in str(store.history(id="b1", scope={"tenant": "a"}))
    assert "Split" in str(store.history(id="b1", scope={"tenant": "b"}))
