"""mem0 as a memory under test: its real package, with a scripted model."""

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec

import pytest

from eval.conditions import Settings
from eval.models import embedder, offline_roles
from eval.spec import Passage, Turn

# not importorskip: mem0 reads when it is imported whether it may send telemetry, and the adapter forbids it before
pytestmark = pytest.mark.skipif(find_spec("mem0") is None, reason="needs the extra [eval-mem0]")

TURNS = (Turn("a", "The port of Alder is 8080."), Turn("b", "Morning, everybody!"))


def told(ask: object) -> list[list[Passage]]:
    from eval.conditions.of_mem0 import Mem0

    memory = Mem0(embedder("lexical"), replace(offline_roles(), ask=ask), Settings())
    try:
        memory.ingest(TURNS)
        return [memory.retrieve("What is the port of Alder?", k=1), memory.active()]
    finally:
        memory.close()


def test_without_a_model_every_turn_is_kept_as_it_is() -> None:
    nearest, held = told(None)
    assert nearest == [Passage(TURNS[0].text, ("a",))]
    assert sorted(held, key=lambda p: p.turns) == [Passage(turn.text, (turn.id,)) for turn in TURNS]


def test_with_a_model_what_it_makes_of_a_turn_is_kept_and_an_answer_that_is_missing_is_nothing() -> None:
    def ask(messages: Sequence[tuple[str, str]]) -> str | None:
        assert [role for role, _ in messages] == ["system", "user"]
        port = "8080" in messages[-1][1].rpartition("New Messages")[2]
        return json.dumps({"memory": [{"id": "0", "text": "Alder: port 8080"}]}) if port else None

    assert told(ask) == [[Passage("Alder: port 8080", ("a",))]] * 2
