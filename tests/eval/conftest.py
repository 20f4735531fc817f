"""What tests of the evaluation share: conditions that are closed after the test, and a server of models."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from eval.conditions import Settings, build
from eval.models import embedder, offline_roles
from eval.spec import Condition, Roles
from tests.conformance.servers import server

__all__ = ["opened", "server"]

Opened = Callable[..., Condition]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Make conditions over the lexical embedding, and the offline roles unless others are given."""
    held: list[Condition] = []

    def make(name: str, roles: Roles | None = None, **settings: Any) -> Condition:
        embedding = embedder("lexical")
        held.append(build(name, embedding, roles or offline_roles(), Settings.of(embedding, **settings)))
        return held[-1]

    yield make
    for condition in held:
        condition.close()
