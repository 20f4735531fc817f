"""Stock's LlamaIndex store and ours side by side: a corpus of prose in both, the same call to both, short filters."""

import asyncio
import copy
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from .llama import pairs, part, plain

Pair = tuple[Any, Any]
THINGS = ["harbour", "orchard", "archive", "quarry", "chapel", "viaduct", "foundry", "granary", "meadow", "lantern"]
TEAMS = ["sea", "hill", "town"]


def corpus() -> list[TextNode]:
    """Thirty nodes of prose of five documents, with metadata of every type that LlamaIndex lets through."""
    nodes = []
    for n in range(30):
        thing = THINGS[n % 10]
        metadata: dict[str, Any] = {"n": n, "weight": n / 4, "share": 0.9107644182793333, "team": TEAMS[n % 3]}
        if n % 2:
            metadata["draft"] = n % 4 == 1
        if n % 7 == 0:
            metadata["note"] = None
        words = f"Wanderers of year {n} praised the {thing} and its {THINGS[(n * 7 + 3) % 10]} at dusk."
        nodes.append(part(f"doc-{n // 6}", f"hash-{n // 6}", words, f"node-{n:02}", metadata=metadata))
    return nodes


@contextmanager
def stock_and_ours(client: Any, nodes: list[TextNode]) -> Iterator[Pair]:
    with pairs(client) as make:
        pair = make()
        same(pair, "add", nodes)
        yield pair


@pytest.fixture
def empty(client: Any) -> Iterator[Pair]:
    with stock_and_ours(client, []) as pair:
        yield pair


def _with_corpus(client: Any) -> Iterator[Pair]:
    with stock_and_ours(client, corpus()) as pair:
        yield pair


filled = pytest.fixture(_with_corpus, scope="module", name="filled")  # for tests that only read
own = pytest.fixture(_with_corpus, name="own")  # for tests that change it


def same(pair: Pair, method: str, *arguments: Any, **keywords: Any) -> Any:
    """Call a method on both, assert that they answer alike, and return stock's answer."""
    stock, ours = (getattr(s, method)(*copy.deepcopy(arguments), **copy.deepcopy(keywords)) for s in pair)
    if inspect.iscoroutine(stock):
        stock, ours = asyncio.run(stock), asyncio.run(ours)
    assert plain(ours) == plain(stock), f"{method}{keywords}"
    return stock


def both_refuse(pair: Pair, method: str, *arguments: Any, **keywords: Any) -> str:
    """Assert that both raise, ours an error that says what is wrong, and return its text."""
    stock, ours = pair
    with pytest.raises(Exception):  # noqa: B017 - whatever stock happens to raise
        getattr(stock, method)(*arguments, **keywords)
    with pytest.raises((ValueError, TypeError)) as caught:
        getattr(ours, method)(*arguments, **keywords)
    return str(caught.value)


def f(key: str, operator: str, value: Any) -> MetadataFilter:
    return MetadataFilter(key=key, operator=FilterOperator(operator), value=value)


def both_of(*parts: Any) -> MetadataFilters:
    return MetadataFilters(filters=list(parts), condition=FilterCondition.AND)


def either(*parts: Any) -> MetadataFilters:
    return MetadataFilters(filters=list(parts), condition=FilterCondition.OR)
