"""Asking a model: the two frameworks and plain objects, one triple and several, the cache, and what goes wrong."""

import logging
import pickle
import sqlite3
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from pydantic import Field

from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction import Extraction, Extractor, GrammarExtractor
from memstrata_integrations.extraction.llm import ExtractionError, LLMExtractor
from memstrata_integrations.extraction.models import Answer, triples_of
from memstrata_integrations.prompts import load_prompt
from tests.conformance.servers import NUMBERED, Said, answered

BANK = "Acme went with N26 as primary bank."
TEAM = "Dana is the new head of Platform."
SAID = {BANK: [("Acme", "primary bank", "N26")], TEAM: [("head of Platform", "is", "Dana")]}
answer = partial(answered, said=SAID)


class Plain:
    def __init__(self, reply: Callable[[str], str] = answer) -> None:
        self.reply = reply
        self.systems: list[str] = []
        self.asked: list[str] = []

    def invoke(self, messages: Any) -> str:
        self.systems.append(messages[0][1])
        self.asked.append(messages[-1][1])
        return self.reply(messages[-1][1])


def objects(found: Sequence[Extraction]) -> list[list[str | None]]:
    return [[f.object for f in extraction.facts] for extraction in found]


def test_one_triple_a_statement() -> None:
    """By default each statement is asked about alone, and gives one fact at most."""
    both = [("Acme", "primary bank", "N26"), ("Acme", "bank", "N26")]
    model = Plain(lambda q: answer(q, said={**SAID, BANK: both}))
    extractor = LLMExtractor(model)
    assert isinstance(extractor, Extractor)
    found = extractor.extract([f"{BANK} {TEAM}", "# Banks\n\nWhich one? Thanks!"])
    assert objects(found) == [["N26", "Dana"], []]
    assert [NUMBERED.findall(q)[0][1] for q in sorted(model.asked)] == [BANK, TEAM]
    assert [e.prose for e in found] == [False, True]
    assert [reason for *_, reason in found[1].unread] == ["a question", "a single word"]
    assert found[0].facts[0].rule == f"llm:extract_triple@{load_prompt('extract_triple').sha256[:8]}"
    assert [f"{BANK} {TEAM}"[slice(*f.span)] for f in found[0].facts] == [BANK, TEAM]


def test_several_triples_a_text() -> None:
    """A text is asked about at once, under its headings; each triple is held to the statement whose number it has."""
    model = Plain()
    found = LLMExtractor(model, triples="several").extract([f"# News\n\n{BANK} {TEAM}"], [{"Header 1": "Bulletin"}])
    assert objects(found) == [["N26", "Dana"]]
    assert model.asked == [f"Statements:\n1. [Under: Bulletin > News] {BANK}\n2. [Under: Bulletin > News] {TEAM}"]
    swapped = Plain(lambda q: answer(q, said={BANK: SAID[TEAM], TEAM: SAID[BANK]}))
    assert objects(LLMExtractor(swapped, triples="several").extract([f"{BANK} {TEAM}"])) == [[]]


REVOLUT = "Acme went with Revolut as primary bank."
GATE, CABIN = "The gate opens at 9:00, and Ann keeps the key.", "Ann has a cabin in Bergen."
REFUSED = "(Acme, primary bank, Revolut): the value does not stand in the statement: 'Revolut'"
LIVES = [("Ann Berg", "lives in", "Bergen")]
UNSAID = "(Ann Berg, lives in, Bergen): the subject says what the statement doesn't: berg"
READ: dict[str, tuple[str, Said, dict[str, Any], list[str], bool, set[str]]] = {  # values, prose, reasons
    "a refusal has a reason": (BANK, {BANK: [("Acme", "primary bank", "Revolut")]}, {}, [], True, {REFUSED}),
    "grounding is strict by default": (CABIN, {CABIN: LIVES}, {}, [], True, {UNSAID}),
    "grounding may be limited to the value": (CABIN, {CABIN: LIVES}, {"grounding": "value"}, ["Bergen"], False, set()),
    "what a text states in two ways is told apart by something unseen": (
        f"{BANK} {REVOLUT}", {**SAID, REVOLUT: [("Acme", "primary bank", "Revolut")]}, {}, [], True,
        {"the text states two values of it"}),
    "a clause without a fact is prose": (GATE, {GATE: [("gate", "opens at", "9:00")]}, {}, ["9:00"], True, set()),
}  # fmt: skip


@pytest.mark.parametrize("what", READ)
def test_what_is_read_of_a_text(what: str) -> None:
    text, said, options, values, prose, reasons = READ[what]
    extractor = LLMExtractor(Plain(lambda q: answer(q, said=said)), **options)
    [found] = extractor.extract([text])
    assert ([f.object for f in found.facts], found.prose) == (values, prose)
    assert {reason for *_, reason in found.unread} == reasons
    assert all(text[slice(*f.span)] == text.partition(", and")[0] for f in found.facts)
    if reasons == {REFUSED}:
        counted = "rejected: the value does not stand in the statement"
        assert extractor.stats == {"asked": 1, "cached": 0, "facts": 0, counted: 1}


ANSWERS: list[tuple[Any, list[tuple[str, str, str, bool | None, int]]]] = [
    ('Sure: ```json\n{"subject": "a", "relation": "b", "value": 5}\n```', [("a", "b", "5", None, 1)]),
    ('<think>{"a": 1}</think>[{"subject": "a", "relation": "b", "object": "c", "n": 2}]', [("a", "b", "c", None, 2)]),
    ('{"all": [{"n": 3, "facts": [{"subject": "a", "relation": "b", "object": "c"}]}]}', [("a", "b", "c", None, 3)]),
    ('{"facts": []}', []),
    ({"raw": None, "parsed": Answer(facts=[]), "parsing_error": None}, []),
    ({"raw": '{"facts": [{"subject": "a", "relation": "b", "value": "c", "single_valued": true}]}', "parsed": None},
     [("a", "b", "c", True, 1)]),
    (None, []),
]  # fmt: skip


@pytest.mark.parametrize(("said", "triples"), ANSWERS)
def test_answers_are_read_as_models_give_them(said: Any, triples: list[Any]) -> None:
    assert [(t.subject, t.relation, t.value, t.single_valued, t.n) for t in triples_of(said)] == triples


def test_what_is_no_answer_is_an_error() -> None:
    for said in ("I would rather not.", '{"facts": [{"subject": "a"}]}', '{"subject": "a", "relation": ""}'):
        with pytest.raises(ValueError):
            triples_of(said)


def test_a_broken_answer_costs_one_text(caplog: pytest.LogCaptureFixture) -> None:
    def reply(question: str) -> str:
        if "Raising" in question:
            raise RuntimeError("out of memory")
        return "no JSON" if "Broken" in question else answer(question)

    extractor = LLMExtractor(Plain(reply))
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        found = extractor.extract(["Broken it is.", BANK, "Raising it is."])
    assert objects(found) == [[], ["N26"], []]
    assert [e.prose for e in found] == [True, False, True]
    assert "no JSON in the answer 'no JSON'" in found[0].unread[0][2]
    assert "RuntimeError: out of memory" in found[2].unread[0][2]
    assert (extractor.stats["failed"], len(caplog.records)) == (2, 1)
    with pytest.raises(ExtractionError, match="out of memory") as raised:
        LLMExtractor(Plain(reply), on_error="raise").extract(["Raising it is."])
    assert isinstance(raised.value.__cause__, RuntimeError)


def test_a_model_that_is_silent_costs_its_text_and_no_more() -> None:
    def reply(question: str) -> str:
        time.sleep(3 if "Slow" in question else 0)
        return answer(question)

    started = time.monotonic()
    found = LLMExtractor(Plain(reply), timeout=0.3).extract(["Slow it is.", BANK])
    assert time.monotonic() - started < 2
    assert objects(found) == [[], ["N26"]]
    assert "no answer within 0.3 s" in found[0].unread[0][2]


def test_a_model_that_is_not_there_is_not_asked_a_thousand_times() -> None:
    model = Plain(Mock(side_effect=ConnectionError("refused")))
    extractor = LLMExtractor(model, max_concurrency=2)
    found = extractor.extract([f"Number {n} is here." for n in range(100)])
    assert (len(model.asked), extractor.stats["failed"], len(found)) == (16, 100, 100)
    assert all("refused" in e.unread[0][2] for e in found)


WRONG: list[dict[str, Any]] = [
    {"triples": "two"}, {"grounding": "loose"}, {"on_error": "ignore"}, {"timeout": 0}, {"max_concurrency": 0},
    {"retries": -1}, {"prompt": "extract_everything"}, {"cache": "answers.sqlite3"}, {"aliases": {"a": 1}},
]  # fmt: skip


@pytest.mark.parametrize("given", WRONG)
def test_what_cannot_be_used_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        LLMExtractor(Plain(), **given)
    with pytest.raises(InvalidInputError, match="no language model"):
        LLMExtractor(lambda messages: "")


def test_answers_are_cached_and_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "answers.sqlite3"
    model = Plain()
    runs: tuple[tuple[str, Any, int], ...] = (
        ("a", "one", 1), ("a", "one", 1), ("b", "one", 2), ("b", "several", 3), ("b", "several", 3)
    )  # fmt: skip
    for name, triples, asked in runs:
        extractor = LLMExtractor(model, cache=path, cache_name=name, triples=triples)
        assert objects(extractor.extract([BANK, BANK])) == [["N26"], ["N26"]]
        assert len(model.asked) == asked
    assert b"primary bank" in path.read_bytes()
    extractor.forget([BANK])
    assert b"primary bank" not in path.read_bytes()
    extractor.extract([BANK])
    assert len(model.asked) == 4


def test_no_failure_is_cached_and_true_is_in_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    replies = iter(["no JSON", answer(f"1. {BANK}")])
    extractor = LLMExtractor(Plain(lambda q: next(replies)), cache=True, cache_name="m")
    assert [objects(extractor.extract([BANK])) for _ in range(3)] == [[[]], [["N26"]], [["N26"]]]
    assert extractor.stats["cached"] == 1
    assert (tmp_path / "memstrata" / "answers.sqlite3").exists()


def test_a_damaged_cache_is_warned_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "a.sqlite3"
    path.write_bytes(b"this is no database, however long one looks at it" * 100)
    extractor = LLMExtractor(Plain(), cache=path, cache_name="m")
    with caplog.at_level(logging.WARNING, "memstrata_integrations"):
        assert [objects(extractor.extract([BANK])) for _ in range(2)] == [[["N26"]]] * 2
    assert len([r for r in caplog.records if "cannot be used" in r.message]) == 1
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(path).execute("SELECT 1 FROM answers")


async def test_in_a_chain_the_model_is_asked_about_what_the_grammar_left() -> None:
    model = Plain()
    chain = GrammarExtractor() | LLMExtractor(model)
    found = chain.extract(["The billing API listens on port 8080.", BANK])
    assert objects(found) == [["8080"], ["N26"]]
    assert [NUMBERED.findall(q)[0][1] for q in model.asked] == [BANK]
    assert chain.stats["facts"] == 1
    assert await chain.aextract([BANK, "Hello there."]) == chain.extract([BANK, "Hello there."])
    assert repr(LLMExtractor(model)) == "LLMExtractor(Plain, prompt='extract_triple.v2')"


def test_a_policy_is_known_to_prompt_and_grounding() -> None:
    said = {"Acme partners with Zeta.": [("Acme", "partners with", "Zeta")]}
    model = Plain(lambda q: answer(q, said=said))
    plain = LLMExtractor(model)
    for policy, expected in (
        (SupersessionPolicy(), "unknown"),
        (SupersessionPolicy(cardinalities={"partners with": "functional"}), "functional"),
        (SupersessionPolicy(unknown="functional"), "functional"),
    ):
        [found] = plain.with_policy(policy).extract(list(said))
        assert [f.cardinality for f in found.facts] == [expected]
    assert ['"partners with"' in system for system in model.systems] == [False, True, False]
    assert plain.stats["facts"] == 3


def test_a_langchain_model_without_schemas_is_held_to_json_by_the_prompt(tmp_path: Path) -> None:
    models = pytest.importorskip("langchain_core.language_models", reason="needs the extra [langchain]")
    model = models.FakeListChatModel(responses=[answer(f"1. {BANK}")])
    extractor = LLMExtractor(model, cache=tmp_path / "a.sqlite3")
    for one in (extractor, pickle.loads(pickle.dumps(extractor))):
        assert objects(one.extract([BANK])) == [["N26"]]
    assert one.stats["cached"] == 1
    other = models.FakeListChatModel(responses=["{}"])
    assert objects(LLMExtractor(other, cache=tmp_path / "a.sqlite3").extract([BANK])) == [[]]
    runnables = pytest.importorskip("langchain_core.runnables")
    with pytest.raises(InvalidInputError, match="cache_name"):
        LLMExtractor(runnables.RunnableLambda(lambda m: "{}") | model, cache=True)
    assert objects(LLMExtractor(runnables.RunnableLambda(lambda m: m) | model).extract([BANK])) == [["N26"]]


def test_a_langchain_model_is_asked_with_its_structured_output() -> None:
    """The schema goes along as a tool; arguments that are not of the schema are read as far as they can be."""
    chat = pytest.importorskip("langchain_core.language_models.chat_models", reason="needs the extra [langchain]")
    from langchain_core.messages import AIMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class Tool(chat.BaseChatModel):  # type: ignore[misc, name-defined]
        arguments: dict[str, Any]
        tools: list[Any] = Field(default_factory=list)
        asked: list[int] = Field(default_factory=list)
        failures: int = 0

        @property
        def _llm_type(self) -> str:
            return "tool"

        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            self.tools.extend(t.__name__ for t in tools)
            return self

        def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> ChatResult:
            self.asked.append(len(messages))
            if len(self.asked) <= self.failures:
                raise ConnectionError("try again")
            call = {"name": "Answer", "args": self.arguments, "id": "1"}
            return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))])

    fact = {"subject": "Acme", "relation": "primary bank", "value": "N26"}
    for arguments in ({"facts": [fact]}, {"facts": {"first": fact}}):
        model = Tool(arguments=arguments)
        assert objects(LLMExtractor(model).extract([BANK])) == [["N26"]]
        assert (model.tools, model.asked) == (["Answer"], [2])
    assert objects(LLMExtractor(Tool(arguments={"facts": [fact]}, failures=1), retries=1).extract([BANK])) == [["N26"]]


@pytest.mark.parametrize("triples", ["one", "several"])
def test_a_llama_index_llm_is_asked_by_structured_predict(triples: Any, tmp_path: Path) -> None:
    llms = pytest.importorskip("llama_index.core.llms", reason="needs the extra [llama-index]")

    class Local(llms.CustomLLM):  # type: ignore[misc, name-defined]
        asked: list[str] = Field(default_factory=list)

        @property
        def metadata(self) -> Any:
            return llms.LLMMetadata(model_name="local")

        def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
            self.asked.append(prompt)
            return llms.CompletionResponse(text=answered(prompt, {**SAID, "The {x} is 5 m.": [("{x}", "is", "5 m")]}))

        def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
            raise NotImplementedError

    model = Local()
    for _ in range(2):
        extractor = LLMExtractor(model, triples=triples, cache=tmp_path / "a.sqlite3", cache_name="local")
        assert objects(extractor.extract([f"{BANK} The {{x}} is big.", TEAM])) == [["N26"], ["Dana"]]
    assert len(model.asked) == (3 if triples == "one" else 2)
    assert any("The {x} is big." in prompt for prompt in model.asked)
