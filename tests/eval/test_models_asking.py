"""Asking a model that is not there, slow, or breaks off: what stops a run, what is waited for, and what is kept."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from eval.models import chat_roles, embedder
from eval.models.asking import Asking, Limits, asked_model, chat_model
from eval.spec import Spent
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from memstrata_integrations.extraction.cache import AnswerCache
from memstrata_integrations.prompts import load_prompt
from tests.conformance.servers import SLOW_LIMIT_S, Ollama, closed_port, serving

from .test_models_chat import GOOD, NAME


def test_each_model_is_asked_for_one_word_first(server: Ollama) -> None:
    chat_roles(NAME, judge=NAME, fabrication_judge=NAME, base_url=server.url)
    assert len(server.requests) == 1


def test_a_refused_connection_stops_the_run_before_it_starts() -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    with pytest.raises(MissingDependencyError, match=r"qwen2\.5-coder:7b cannot be reached.*ollama serve.*--base-url"):
        chat_roles(NAME, base_url=url)
    with pytest.raises(MissingDependencyError, match="ollama pull nomic-embed-text"):
        embedder("ollama:nomic-embed-text", base_url=url)


@pytest.mark.parametrize("part", ["llm", "judge", "fabrication_judge", "verifier"])
def test_a_missing_model_stops_the_run_before_it_starts(server: Ollama, part: str) -> None:
    playing = {"llm": NAME, "judge": NAME, "fabrication_judge": NAME, part: "ollama:llama9:1b"}
    with pytest.raises(MissingDependencyError, match="ollama pull llama9:1b"):
        chat_roles(**playing, base_url=server.url)


def test_a_server_that_goes_away_is_an_error_and_no_verdict() -> None:
    asking = Asking(waits=(0.01,))
    gone = asked_model(NAME, base_url=f"http://127.0.0.1:{closed_port()}", asking=asking)
    with pytest.raises(MissingDependencyError, match="cannot be reached"):
        gone.ask(load_prompt("rerank"), "anything")


def test_a_server_that_comes_back_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    state, port, asking, slept = Ollama(), closed_port(), Asking(), []
    state.reply = lambda request: GOOD
    with ExitStack() as stack:

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            if len(slept) == 2:
                stack.enter_context(serving(state, port))

        monkeypatch.setattr("eval.models.asking.sleep", sleep)
        model = asked_model(NAME, base_url=f"http://127.0.0.1:{port}", asking=asking)
        assert model.ask(load_prompt("verify"), "anything") == json.loads(GOOD)
    assert slept == [1, 2]
    assert asking.troubles == []


def model_of(server: Ollama, **how: Any) -> tuple[Asking, Any]:
    """Return the asking of the server's model as it verifies, and what does it."""
    asking = Asking(**how)
    model = asked_model(NAME, base_url=server.url, asking=asking)
    return asking, lambda *spent: model.ask(load_prompt("verify"), "anything", *spent)


def test_an_answer_that_breaks_off_is_asked_for_once_more(server: Ollama) -> None:
    """The second, whole answer counts; what breaks off again and again is a failed call, and no verdict."""
    asking, verify = model_of(server)
    server.reply, server.cut = lambda request: GOOD, 1
    assert (verify(), asking.troubles) == (json.loads(GOOD), [])
    server.cut = 9
    assert verify() is None
    assert [(role, failed) for role, _, failed in asking.troubles] == [("verifier", True)]


def test_a_slow_answer_is_a_failed_call_and_the_fifth_in_a_row_ends_the_run(server: Ollama) -> None:
    """It is not asked again, since it would be as slow; with ``stop`` the first ends the run."""
    server.slow = True
    limits = Limits(timeout=SLOW_LIMIT_S)
    asking, verify = model_of(server, limits=limits)
    assert [verify() for _ in range(4)] == [None] * 4
    assert [(role, failed) for role, _, failed in asking.troubles] == [("verifier", True)] * 4
    assert len(server.requests) == 4
    for ends in (verify, model_of(server, limits=limits, stop=True)[1]):
        with pytest.raises(MissingDependencyError, match="gave no answer"):
            ends()


def test_answers_are_kept_by_model_limits_and_prompt(server: Ollama, tmp_path: Path) -> None:
    server.reply = lambda request: GOOD
    cache, spent = AnswerCache(tmp_path / "answers.sqlite3"), (Spent(), Spent())
    assert [model_of(server, cache=cache)[1](each) for each in spent] == [json.loads(GOOD)] * 2
    assert len(server.requests) == 1
    assert (spent[0].calls, spent[0].tokens) == (spent[1].calls, spent[1].tokens)
    assert spent[1].saved > spent[0].saved == 0
    other, verify = model_of(server, cache=cache, limits=Limits(max_tokens=99))
    assert verify() == json.loads(GOOD)
    assert (len(server.requests), other.kept()) == (2, (1, 1))


@pytest.mark.parametrize("name", ["qwen", "ollama:", ":7b", "nobody:model"])
def test_a_name_without_a_provider_is_refused(name: str) -> None:
    with pytest.raises((InvalidInputError, MissingDependencyError), match=r"ollama:qwen2\.5-coder:7b|langchain"):
        chat_model(name)
