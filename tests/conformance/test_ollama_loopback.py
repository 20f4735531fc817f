"""The model extractor through the real `langchain_ollama` client, against a loopback server with its protocol."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.extraction import Extraction, GrammarExtractor
from memstrata_integrations.extraction.llm import ExtractionError, LLMExtractor
from memstrata_integrations.extraction.models import Answer
from tests.shared_data import ROOT

from .doors import Door
from .servers import DIRECT, MODEL, SLOW_LIMIT_S, Ollama, closed_port, server

__all__ = ["server"]

pytest.importorskip("langchain_ollama", reason="needs the extra [ollama]")

SETTLED = "Over in the billing team they have settled on 45 seconds as the connect timeout."
TRIPLE = ("connect timeout of the billing team", "is", "45 seconds")

Read = Callable[[LLMExtractor, list[str]], Any]


@pytest.fixture(params=["sync", "async"])
def read(request: pytest.FixtureRequest) -> Read:
    """`extract` and `aextract` in turn; the result is awaited by both."""

    async def called(extractor: LLMExtractor, texts: list[str]) -> list[Extraction]:
        return await extractor.aextract(texts) if request.param == "async" else extractor.extract(texts)

    return called


def quick(model: Any, **options: Any) -> LLMExtractor:
    """An extractor that doesn't ask again."""
    return LLMExtractor(model, **{"retries": 0, **options})


async def test_good_json(server: Ollama, read: Read) -> None:
    """The schema goes along as `format`, with temperature and seed, and the triple becomes a fact."""
    server.says({"settled": [TRIPLE]})
    [found] = await read(quick(server.chat()), [SETTLED])
    assert [(f.subject, f.relation, f.object) for f in found.facts] == [TRIPLE]
    assert not found.prose
    [request] = server.requests
    assert set(request["format"]["properties"]) == set(Answer.model_fields)
    assert request["options"] == {"temperature": 0, "seed": 0}
    assert [m["role"] for m in request["messages"]] == ["system", "user"]
    assert '"listens on"' in request["messages"][0]["content"]


async def test_broken_json(server: Ollama, read: Read, caplog: pytest.LogCaptureFixture) -> None:
    """The text is prose, counted and warned of; at temperature 0 asking again would give the same."""
    server.reply = lambda request: '{"facts": [{"n": 1, "subject": "connect'
    extractor = quick(server.chat(), retries=2)
    [found] = await read(extractor, [SETTLED])
    assert (found.facts, found.prose, len(server.requests), extractor.stats["failed"]) == ((), True, 1, 1)
    assert "no JSON in the answer" in caplog.text


async def test_a_slow_answer(server: Ollama, read: Read, caplog: pytest.LogCaptureFixture) -> None:
    server.slow = True
    extractor = quick(server.chat(client_kwargs={**DIRECT, "timeout": SLOW_LIMIT_S}))
    assert [e.prose for e in await read(extractor, [SETTLED])] == [True]
    assert "Timeout" in caplog.text


async def test_a_refused_connection(read: Read, caplog: pytest.LogCaptureFixture) -> None:
    """Prose, warned of once in the client's words; asked again as often as `retries` says."""
    caplog.set_level("WARNING", "memstrata_integrations")
    chat = Ollama().chat(base_url=f"http://127.0.0.1:{closed_port()}")
    extractor = quick(chat)
    for _ in range(2):
        assert [e.prose for e in await read(extractor, [SETTLED])] == [True]
    assert extractor.stats["failed"] == 2
    assert len([r for r in caplog.records if r.name.startswith("memstrata")]) == 1
    with pytest.raises(ExtractionError, match="ConnectError"):
        await read(quick(chat, on_error="raise"), [SETTLED])


async def test_a_missing_model(server: Ollama, read: Read) -> None:
    """The message is the server's."""
    with pytest.raises(ExtractionError, match=r"qwen2.5-coder:70b' not found"):
        await read(quick(server.chat(model="qwen2.5-coder:70b"), on_error="raise"), [SETTLED])


async def test_answers_are_cached_by_model_and_text(server: Ollama, read: Read, tmp_path: Path) -> None:
    """A second run asks nothing; another temperature does."""
    server.says({"settled": [TRIPLE]})
    path = tmp_path / "answers.sqlite3"
    found = await read(quick(server.chat(), cache=path), [SETTLED])
    assert await read(quick(server.chat(), cache=path), [SETTLED]) == found
    assert len(server.requests) == 1
    await read(quick(server.chat(temperature=0.5), cache=path), [SETTLED])
    assert len(server.requests) == 2


def test_free_prose_supersedes_thanks_to_the_model(server: Ollama) -> None:
    """In a chain the model is asked only about what the grammar left; its fact closes the grammar's, and is closed."""
    server.says({"settled": [TRIPLE], "Folks": [(TRIPLE[0], "is", "5 seconds")]})
    model = quick(server.chat(), on_error="raise")
    policy = SupersessionPolicy(cardinalities={"mirrors": "functional"})
    door = Door("collection", extractor=GrammarExtractor() | model, policy=policy)

    def write(row_id: str, text: str, now: str) -> list[str]:
        door.clock.set(now)
        door.tell(text, row_id=row_id)
        return sorted(door.texts())

    write("a", "The billing team's connect timeout is 30 seconds.", "2024-06-01")
    assert server.requests == []
    assert write("b", SETTLED, "2024-06-02") == ["b"]
    assert server.statements == [SETTLED]
    invented = "Folks in the billing team like the connect timeout as it stands."
    assert write("c", invented, "2024-06-03") == ["b", "c"]
    assert write("d", "The billing team's connect timeout is 60 seconds.", "2024-06-04") == ["c", "d"]
    assert sorted(door.texts(as_of="2024-06-01T18:00:00")) == ["a", "c"]  # unkeyed text is always valid
    assert "llm:extract_triple@" in str(door.store.explain("b"))
    assert (model.stats["facts"], model.stats["rejected: the value does not stand in the statement"]) == (1, 1)
    server.reply = lambda request: "no JSON"
    with pytest.raises(ExtractionError):
        write("e", "Somebody in the billing team chose 70 seconds for the connect timeout.", "2024-06-05")
    assert sorted(door.texts()) == ["c", "d"]


@pytest.mark.slow
def test_the_example_runs(server: Ollama) -> None:
    """`examples/llm_extractor.py` shows a supersession with a server, and without one says what to do."""
    server.says({"settled": [TRIPLE]})

    def run(url: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "examples/llm_extractor.py", "--base-url", url, "--model", MODEL]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=120)

    done = run(server.url)
    assert done.returncode == 0, done.stderr
    assert "45 seconds" in done.stdout
    failed = run(f"http://127.0.0.1:{closed_port()}")
    assert failed.returncode == 1
    assert "ollama serve" in failed.stderr
    assert "Traceback" not in failed.stderr
