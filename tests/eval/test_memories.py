"""mem0 and Graphiti as memories under test: their real packages, with a scripted model."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timezone
from importlib.util import find_spec
from typing import Any

import pytest

from eval.conditions import Settings
from eval.models import embedder, offline_roles
from eval.spec import Passage, Roles, Turn
from memstrata_integrations.errors import InvalidInputError

# not importorskip: mem0 reads when it is imported whether it may send telemetry, and the adapter forbids it before
has_mem0 = pytest.mark.skipif(find_spec("mem0") is None, reason="needs the extra [eval-mem0]")

SAID = (Turn("a", "The port of Alder is 8080."), Turn("b", "Morning, everybody!"))


def told(ask: object) -> list[list[Passage]]:
    from eval.conditions.of_mem0 import Mem0

    with closing(Mem0(embedder("lexical"), replace(offline_roles(), ask=ask), Settings())) as memory:
        memory.ingest(SAID)
        return [memory.retrieve("What is the port of Alder?", k=1), memory.active()]


@has_mem0
def test_without_a_model_every_turn_is_kept_as_it_is() -> None:
    nearest, held = told(None)
    assert nearest == [Passage(SAID[0].text, ("a",))]
    assert sorted(held, key=lambda p: p.turns) == [Passage(turn.text, (turn.id,)) for turn in SAID]


@has_mem0
def test_with_a_model_what_it_makes_of_a_turn_is_kept_and_an_answer_that_is_missing_is_nothing() -> None:
    def ask(messages: Sequence[tuple[str, str]]) -> str | None:
        assert [role for role, _ in messages] == ["system", "user"]
        port = "8080" in messages[-1][1].rpartition("New Messages")[2]
        return json.dumps({"memory": [{"id": "0", "text": "Alder: port 8080"}]}) if port else None

    assert told(ask) == [[Passage("Alder: port 8080", ("a",))]] * 2


has_graphiti = pytest.mark.skipif(
    not all(map(find_spec, ("graphiti_core", "kuzu"))), reason="needs the extra [eval-graphiti]"
)

MAY, JUNE = (datetime(2026, month, 1, tzinfo=timezone.utc) for month in (5, 6))
TURNS = (
    Turn("old", "The port of Alder is 8080.", valid_from=MAY),
    Turn("new", "The port of Alder is 9090.", valid_from=JUNE),
    Turn("chat", "Morning, everybody!", valid_from=JUNE),
)
OLD, NEW = Passage("Alder listens on port 8080", ("old",)), Passage("Alder listens on port 9090", ("new",))


def reads(messages: Sequence[tuple[str, str]]) -> str:
    """Answer as a model would that knows the ports of Alder, in the forms that Graphiti asks for."""
    told = messages[-1][1]
    said = re.search(r"<CURRENT[ _]MESSAGE>.*port of Alder is (\d+).*</CURRENT", told, re.DOTALL)
    since = re.search(r"<REFERENCE_TIME>\s*(\S+ \S+)", told)
    ports, dates = (found.groups() if found else () for found in (said, since))
    named = [{"name": name, "entity_type_id": 0} for port in ports for name in ("Alder", port)]
    facts = [
        {"source_entity_name": "Alder", "target_entity_name": port, "relation_type": "LISTENS_ON",
         "fact": f"Alder listens on port {port}", "valid_at": date}
        for port in ports for date in dates
    ]  # fmt: skip
    answers = {
        "ExtractedEntities": {"extracted_entities": named},
        "ExtractedEdges": {"edges": facts},
        "EdgeDuplicate": {"duplicate_facts": [], "contradicted_facts": [0]},
        "SummarizedEntities": {"summaries": []},
    }
    return json.dumps(next(answer for form, answer in answers.items() if f'"title": "{form}"' in told))


def memory(ask: Callable[..., str | None] | None, roles: Roles | None = None) -> Any:
    from eval.conditions.of_graphiti import Graphiti

    return closing(Graphiti(embedder("lexical"), replace(roles or offline_roles(), ask=ask), Settings()))


@has_graphiti
def test_a_fact_that_another_contradicts_is_served_of_its_own_time_and_not_now() -> None:
    with memory(reads) as graphiti:
        graphiti.ingest(TURNS)
        asked = [graphiti.retrieve("What is the port of Alder?", k=5, as_of=at) for at in (None, MAY)]
        assert [*asked, graphiti.active()] == [[NEW], [OLD], [NEW]]


@has_graphiti
def test_of_a_turn_whose_answer_is_missing_or_of_no_use_nothing_is_remembered_and_the_next_is() -> None:
    answers = iter([None, '{"prose": 1}'])
    roles = offline_roles()
    with memory(lambda messages: next(answers, None) if "8080" in messages[-1][1] else reads(messages), roles) as one:
        one.ingest([TURNS[0], TURNS[0], *TURNS[1:]])
        assert one.active() == [NEW]
    assert [trouble.role for trouble in roles.troubles] == ["graphiti"]


@has_graphiti
def test_without_a_model_it_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="give --llm"):
        memory(None)
