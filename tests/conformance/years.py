"""A port that changes every New Year, for tests of the time that is asked about."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.documents import Document

from memstrata_integrations import as_of
from memstrata_integrations.langchain import TemporalVectorStore

from .conftest import StillClock
from .lexical import LexicalEmbeddings

QUESTION = "What is the API port?"
YEARS = range(2011, 2020)
NEWEST = 2019


def statement(year: int) -> str:
    """The sentence that holds from 1 January of a year on."""
    return f"The API port is {year * 4}."


def year_of(documents: list[Document]) -> int:
    """Return the year whose sentence is the only one found."""
    [document] = documents
    found = [year for year in YEARS if document.page_content == statement(year)]
    assert found, document
    return found[0]


def middle(year: int) -> str:
    """A day within a year."""
    return f"{year}-06-15"


@pytest.fixture(scope="module")
def store(client: Any) -> Iterator[Any]:
    """A port that changes every New Year, written on the day, so that valid and transaction time agree; only read."""
    clock = StillClock("2011-01-01T00:00:00")
    opened = TemporalVectorStore(
        client=client,
        collection_name=f"channels-{uuid.uuid4().hex}",
        embedding_function=LexicalEmbeddings(),
        collection_configuration={"hnsw": {"space": "cosine"}},
        clock=clock,
    )
    for year in YEARS:
        clock.set(f"{year}-01-01T00:00:00")
        opened.add_texts([statement(year)], ids=[str(year)])
    clock.set("2024-06-01T12:00:00")
    yield opened
    opened.delete_collection()


@pytest.fixture(params=["as_of", "known_at"])
def axis(request: pytest.FixtureRequest) -> str:
    """Valid time and transaction time in turn: each channel carries both."""
    return str(request.param)


def inside(time: dict[str, Any]) -> Any:
    """Open a block that asks about `as_of` or `known_at`."""
    return as_of(time.get("as_of"), known_at=time.get("known_at"))


def within(call: Callable[[], list[Document]], time: dict[str, Any]) -> list[Document]:
    """Ask inside a block."""
    with inside(time):
        return call()
