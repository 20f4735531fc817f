"""Dates that a call names by metadata field, and arguments that look like dates."""

from __future__ import annotations

import logging
import uuid

import chromadb
import pytest

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.langchain import TemporalVectorStore

from .lexical import LexicalEmbeddings

NEWER, OLDER = "The Foo port is 2.", "The Foo port is 1."
DATED = [{"date": "2024-05-01"}, {"date": "2024-01-01"}]


@pytest.fixture
def store() -> TemporalVectorStore:
    """An empty store in memory."""
    return TemporalVectorStore(f"dates-{uuid.uuid4()}", LexicalEmbeddings(), client=chromadb.EphemeralClient())


def test_a_call_names_the_field_that_dates_its_texts(store: TemporalVectorStore) -> None:
    """`valid_from_field=` of the call dates the texts, whatever their order."""
    store.add_texts([NEWER, OLDER], DATED, valid_from_field="date")
    assert store.get()["documents"] == [NEWER]


async def test_the_field_of_a_call_counts_asynchronously_too(store: TemporalVectorStore) -> None:
    """The async twin honours it as well."""
    await store.aadd_texts([NEWER, OLDER], DATED, valid_from_field="date")
    assert store.get()["documents"] == [NEWER]


@pytest.mark.parametrize("name", ["validfrom", "valid_form", "valid_fromfield"])
def test_a_misspelt_date_is_refused(store: TemporalVectorStore, name: str) -> None:
    """A keyword that looks like a misspelt date is an error that names the right one; others are ignored."""
    with pytest.raises(InvalidInputError, match=f"{name}.*did you mean valid_from"):
        store.add_texts([NEWER], **{name: "2024-01-01"})
    assert store.get()["ids"] == []
    store.add_texts([NEWER], batch_size=100)


def test_a_field_that_no_text_has_is_warned_of(store: TemporalVectorStore, caplog: pytest.LogCaptureFixture) -> None:
    """Where the field that should date the texts is in none of them, the log says that their order decides."""
    with caplog.at_level(logging.WARNING, logger="memstrata_integrations"):
        store.add_texts([NEWER], DATED[:1], valid_from_field="dat")
    assert "'dat'" in caplog.text
