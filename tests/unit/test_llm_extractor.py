"""A model's triples become facts as far as the statements bear them out; what cannot be read stays prose."""

from __future__ import annotations

import copy
import inspect
import json
import logging
import multiprocessing
import pickle
import re
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction import Extraction, Extractor, GrammarExtractor
from memstrata_integrations.extraction.answers import parse_answer, triples_of
from memstrata_integrations.extraction.cache import AnswerCache
from memstrata_integrations.extraction.chain import ChainExtractor, merged
from memstrata_integrations.extraction.grounding import asserts
from memstrata_integrations.extraction.llm import LLMExtractor
from memstrata_integrations.extraction.models import ChatModel, ExtractionError, from_llama_index
from memstrata_integrations.facts import Fact
from memstrata_integrations.relations import Relation

Said = Mapping[str, Sequence[tuple[str, ...]]]
SETTLED = "Over in the billing team they have settled on 45 seconds as the connect timeout."
SETTLED_TRIPLE = ("connect timeout of the billing team", "is", "45 seconds")
NUMBERED = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)


def never(seconds: float) -> None:
    """Fail a test that would wait."""
    pytest.fail(f"slept for {seconds} s")


def answer(said: Said, human: str) -> str:
    """Answer as a good model would: what `said` has for each statement, and nothing for the others."""
    entries = []
    for number, statement in NUMBERED.findall(human):
        triples = [t for part, listed in said.items() if part in statement for t in listed]
        facts = [dict(zip(("subject", "relation", "object", "cardinality"), t, strict=False)) for t in triples]
        entries.append({"n": int(number), "facts": facts})
    return json.dumps({"statements": entries})


class FakeModel:
    """A chat model in the shape of LangChain's: `invoke` takes messages and gives a message."""

    def __init__(self, said: Said | Callable[[str], str], *, name: str = "fake", temperature: float = 0) -> None:
        self.said = said
        self.model = name
        self.temperature = temperature
        self.asked: list[str] = []
        self._lock = threading.Lock()

    def invoke(self, messages: Any) -> str:
        human = messages[-1][1] if messages[-1][1].startswith("Statements:") else messages[1][1]
        with self._lock:
            self.asked.append(human)
        return self.said(human) if callable(self.said) else answer(self.said, human)

    @property
    def statements(self) -> list[str]:
        """Every statement it was asked about."""
        return [statement for human in self.asked for _, statement in NUMBERED.findall(human)]


def reading(said: Said | Callable[[str], str], **options: Any) -> LLMExtractor:
    """An extractor over a fake model that never sleeps."""
    return LLMExtractor(FakeModel(said), **{"sleep": never, **options})


def keys(extraction: Extraction) -> list[tuple[str, str, str | None]]:
    return [(f.subject, f.relation, f.object) for f in extraction.facts]


# -- grounding -----------------------------------------------------------------------------


def test_free_prose_gives_a_fact_that_says_where_it_comes_from() -> None:
    """A grounded triple becomes a functional fact over its statement, named after prompt and hash."""
    extractor = reading({"settled": [SETTLED_TRIPLE]})
    assert isinstance(extractor, Extractor)
    [found] = extractor.extract([SETTLED])
    [fact] = found.facts
    assert (fact.subject, fact.relation, fact.object, fact.value, fact.dimension) == (
        canonical_subject(SETTLED_TRIPLE[0]), "is", "45 seconds", "45", "duration")  # fmt: skip
    assert fact.span == (0, len(SETTLED))
    assert fact.rule == f"llm:extract_triples@{extractor.prompt.sha256[:8]}"
    assert (fact.cardinality, fact.local, fact.narrative, found.prose) == ("functional", False, False, False)
    assert extractor.stats.as_dict() == {
        **dict.fromkeys(extractor.stats.as_dict(), 0), "statements": 1, "requests": 1, "facts": 1}  # fmt: skip


SAME_FACT: list[tuple[str, tuple[str, str, str]]] = [
    ("The billing API listens on port 8080.", ("billing API", "listens on", "8080")),
    ("The connect timeout of the billing service is 30 seconds.", ("billing service connect timeout", "is", "30")),
    ("Alice works for Acme Corp.", ("Alice", "works for", "Acme")),
    ("Alice's manager is Bob.", ("Alice's manager", "is", "Bob")),
    ("In staging, the API port is 8081.", ("API port", "is", "8081")),
    ("Redis is pinned to 7.2.4.", ("Redis", "is pinned to", "7.2.4")),
    ("The office of Northwind is located in Hamburg.", ("Northwind office", "is located in", "Hamburg")),
    ("The mayor of Ulm is Gunter Czisch.", ("mayor of Ulm", "is", "Gunter Czisch")),
    ("The search index is stored in /var/lib/search.", ("search index", "is_stored_in", "/var/lib/search")),
    ("The retry limit for uploads is 5.", ("retry limit", "is", "5")),
    ("Debug mode is set to off.", ("debug mode", "is set to", "off")),
    ("The standup is at 9:30.", ("standup", "is at", "9:30")),
    ("Invoices of the shop are kept for 10 years.", ("shop invoices", "is kept for", "10 years")),
    ("The license of the project is MIT.", ("project license", "is", "MIT")),
    ("MAX_RETRIES is set to 5.", ("MAX_RETRIES", "=", "5")),
    ("Shelf 3 takes at most 40 boxes.", ("shelf", "accepts at most", "40 boxes")),
    ("The function `load_manifest()` reads the plugin manifest from disk.",
     ("function that reads the plugin manifest from disk", "is named", "load_manifest()")),
    ("# Mailer\n\nThe port is 25.", ("port", "is", "25")),
    ("timeout: 30", ("timeout", "is", "30")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "triple"), SAME_FACT)
def test_one_fact_has_one_key_whoever_reads_it(text: str, triple: tuple[str, str, str]) -> None:
    """Subject, relation, value, dimension and locality are those that the grammar gives the same sentence."""
    [by_rule] = GrammarExtractor().extract([text])
    [by_model] = reading({"": [triple]}).extract([text])

    def told(found: Extraction) -> list[tuple[Any, ...]]:
        return [(f.subject, f.relation, f.object, f.value, f.dimension, f.local, f.span) for f in found.facts]

    assert told(by_model) == told(by_rule) != []
    assert by_model.prose == by_rule.prose


@pytest.mark.parametrize(
    ("text", "triple", "reason"),
    [
        (SETTLED, ("connect timeout of the billing team", "is", "60 seconds"), "object"),
        (SETTLED, ("connect timeout of the billing team", "is", "forty-five seconds"), "object"),
        (SETTLED, ("connect timeout of the billing team", "is", "5 seconds"), "object"),
        ("The wiki runs on Python >=3.11.", ("wiki", "requires python", "3.11"), "object"),
        ("The fee of the club comes to $50.", ("fee of the club", "is", "50"), "object"),
        (SETTLED, ("connect timeout of the mailer", "is", "45 seconds"), "subject"),
        (SETTLED, ("read timeout", "is", "45 seconds"), "subject"),
        (SETTLED, ("45 seconds", "is", "45 seconds"), "subject"),
        (SETTLED, ("they", "is", "45 seconds"), "subject"),
        ("His salary is 50,000 euros.", ("salary", "is", "50,000 euros"), "subject"),
        ("The function `parse()` raises `ValueError`.",
         ("function that raises ValueError", "is named", "parse()"), "subject"),
        (SETTLED, ("connect timeout of the billing team", "was agreed to be", "45 seconds"), "relation"),
        (SETTLED, ("connect timeout of the billing team", "mirrors", "45 seconds"), "relation"),
        ("The mailer depends on zlib.", ("mailer", "is", "zlib"), "relation"),
        ("The Vienna office opens at 8:30.", ("office", "is", "Vienna"), "value"),
        ("The ferry costs just under 100 euros.", ("ferry", "costs", "100 euros"), "value"),
        ("The mail hosts are a.example and b.example.", ("mail hosts", "is", "a.example"), "value"),
        ("The mail hosts are a.example and b.example.", ("mail hosts", "is", "b.example"), "value"),
        ("The quorum size is 3, but the cluster has 5 nodes.", ("cluster", "is", "3"), "subject"),
        ("The backup lives in 30 minutes.", ("backup", "is located at", "30 minutes"), "value"),
        ("The most annoying bug is #4410.", ("bug", "is", "#4410"), "subject"),
        ("The server is Apache.", ("server", "is", "Apache"), "value"),
        ("Alice is a nurse.", ("Alice", "is", "nurse"), "value"),
        ("The harbour pub is expensive.", ("harbour pub", "is", "expensive"), "value"),
        ("Alice's friend is Bob.", ("Alice's friend", "is", "Bob"), "value"),
        ("The mailer listens on every port.", ("mailer", "listens on", "every port"), "value"),
    ],
)  # fmt: skip
def test_what_the_statement_does_not_bear_out_is_dropped_and_counted(
    text: str, triple: tuple[str, str, str], reason: str
) -> None:
    """An invented object, subject or relation, or no value at all: no fact, the text stays, one rejection."""
    extractor = reading({"": [triple]})
    assert extractor.extract([text]) == [Extraction((), True)]
    assert getattr(extractor.stats, f"rejected_{reason}") == 1
    assert extractor.stats.rejected == 1


@pytest.mark.parametrize(
    ("text", "subject", "value", "expected"),
    [
        ("The timeout for reads in staging is 30 seconds.", "timeout", "30 seconds", "timeout for reads in staging"),
        ("The read timeout is 30 seconds.", "timeout", "30 seconds", "read timeout"),
        ("The timeout is 30 seconds in config.py.", "timeout", "30 seconds", "timeout in config.py"),
        ("The start date of the course is 2 September.", "course", "2 September", "course"),
        ("The rate limit for paid accounts is 600 requests per minute.", "rate", "600 requests per minute",
         "limit for paid accounts"),
        ("For uploads, the timeout is 30 seconds.", "timeout", "30 seconds", "timeout for uploads"),
        ("The limit that applies to uploads is 30 MB.", "limit", "30 MB", "limit for uploads that apply"),
        ("The timeout used by uploads went up to 45 seconds.", "timeout", "45 seconds", "timeout of uploads"),
        ("Alice pays 30 euros a month for the gym membership.", "gym membership", "30 euros a month",
         "gym membership of Alice"),
        ("My desk phone has the extension 4410.", "desk phone extension", "4410", "my desk phone extension"),
        ("Shelf 4 now has a limit of 40 boxes.", "limit", "40 boxes", "box limit of shelf 4"),
    ],
)  # fmt: skip
def test_a_qualifier_that_the_model_leaves_out_is_put_back(text: str, subject: str, value: str, expected: str) -> None:
    """What a sentence attaches to a subject belongs to the key, or look-alikes would share it."""
    [found] = reading({"": [(subject, "is", value)]}).extract([text])
    assert [sorted(f.subject.split()) for f in found.facts] == [sorted(canonical_subject(expected).split())]


@pytest.mark.parametrize(
    "text",
    [
        "Is the connect timeout of the billing team 45 seconds?",
        "The connect timeout of the billing team is not 45 seconds.",
        "The connect timeout of the billing team isn't 45 seconds.",
        "The connect timeout of the billing team should be 45 seconds.",
        "We plan a connect timeout of the billing team of 45 seconds.",
        "If it helps, the connect timeout of the billing team is 45 seconds.",
        "Bob said the connect timeout of the billing team is 45 seconds.",
        "\"The connect timeout of the billing team is 45 seconds.\"",
        "The connect timeout of the billing team was 45 seconds.",
        "The connect timeout of the billing team used to be 45 seconds.",
        "Set the connect timeout of the billing team to 45 seconds.",
        "Maybe the connect timeout of the billing team is 45 seconds.",
        "They'll take 45 seconds as the connect timeout of the billing team.",
        "# Ideas\n\nThe connect timeout of the billing team is 45 seconds.",
        "```python\n# The connect timeout of the billing team is 45 seconds.\n```\nText.",
    ],
)  # fmt: skip
def test_what_asserts_nothing_gives_no_fact_even_if_the_model_says_so(text: str) -> None:
    """Questions, negations, plans, reports, past events and orders are not even asked about."""
    extractor = reading({"": [SETTLED_TRIPLE]})
    assert extractor.extract([text])[0].facts == ()
    assert extractor.stats.gated >= 1


def test_words_that_only_look_like_a_plan_or_the_past_do_no_harm() -> None:
    """The present perfect, "used by" and the month of May assert."""
    assert asserts("The mailer has been listening on port 25 since May 2024.")
    assert asserts("The timeout used by uploads is 45 seconds.")
    assert not asserts("The mailer may listen on port 25.")
    assert not asserts("The mailer had been listening on port 25.")


def test_a_statement_of_change_acts_on_the_key_and_stays() -> None:
    """The new value is asserted, the old one is no part of the key, and the text stays prose."""
    text = "We raised the upload limit of the gateway from 10 MB to 25 MB."
    [found] = reading({"": [("upload limit of the gateway", "is", "25 MB")]}).extract([text])
    assert keys(found) == [("gateway upload limit", "is", "25 MB")]
    assert found.facts[0].narrative
    assert found.prose


def test_the_table_goes_before_the_model_and_unknown_never_supersedes() -> None:
    """The user's word goes before the table's, that before the model's; no model makes a relation functional.

    Where the model itself says that there may be several, a fact supersedes only if the user calls it functional.
    """
    mirrors = [Relation("mirrors", "unknown", "who knows")]
    text = "The wiki depends on Postgres. Replica-2 mirrors primary-1. The port of the mailer is 25."
    said = {
        "depends": [("wiki", "depends on", "Postgres", "functional")],
        "mirrors": [("Replica-2", "mirrors", "primary-1", "functional")],
        "mailer": [("port of the mailer", "is", "25", "set")],
    }
    [found] = reading(said, relations=mirrors).extract([text])
    assert [f.cardinality for f in found.facts] == ["set", "unknown", "set"]
    assert found.prose
    extractor = reading(said, relations=mirrors)
    knowing = extractor.with_cardinalities({"mirrors": "functional", "is": "functional"})
    assert [f.cardinality for f in knowing.extract([text])[0].facts] == ["set", "functional", "functional"]
    assert extractor.stats.doubted == 0
    assert "mirrors" in knowing.functional
    assert "mirrors" not in extractor.functional
    assert knowing.stats is extractor.stats
    assert extractor.with_cardinalities({}) is extractor


@pytest.mark.parametrize(("said", "supersedes"), [("set", False), ("unknown", False), ("functional", True), ("", True)])
def test_the_doubt_of_the_model_is_a_veto(said: str, supersedes: bool) -> None:
    """With "set" and "unknown" a model keeps its fact from superseding, and is counted; no field is no doubt."""
    extractor = reading({"settled": [(*SETTLED_TRIPLE, said)] if said else [SETTLED_TRIPLE]})
    [fact] = extractor.extract([SETTLED])[0].facts
    assert (fact.cardinality == "functional") == supersedes
    assert extractor.stats.doubted == (not supersedes)


def test_a_text_that_states_two_values_states_neither() -> None:
    """Two values of one key in one text: something unseen tells them apart."""
    text = "The timeout of the mailer is 30 seconds. The timeout of the mailer is 40 seconds."
    said = {
        "30": [("timeout of the mailer", "is", "30 seconds")],
        "40": [("timeout of the mailer", "is", "40 seconds")],
    }
    extractor = reading(said)
    assert extractor.extract([text]) == [Extraction((), True)]
    assert extractor.stats.contradictory == 2


def test_one_statement_may_give_several_facts_but_not_to_the_single_prompt() -> None:
    """`extract_triples` takes every grounded triple, `extract_triple` one."""
    text = "Our mailer listens on port 25 and the wiki listens on port 80."
    said = {"": [("mailer", "listens on", "25"), ("wiki", "listens on", "80")]}
    [several] = reading(said).extract([text])
    assert [f.object for f in several.facts] == ["25", "80"]
    assert "mailer" not in several.facts[1].subject
    twice = [SETTLED_TRIPLE, ("billing team", "is", "45 seconds")]
    [one] = reading({"": twice}, prompt="extract_triple").extract([SETTLED])
    assert [f.object for f in one.facts] == ["45 seconds"]
    assert one.facts[0].rule.startswith("llm:extract_triple@")


@pytest.mark.parametrize(("text", "prose"), [("", True), ("# Ports", False), ("Alice likes tea.", True)])
def test_a_text_without_facts_is_prose_unless_it_is_only_a_heading(text: str, prose: bool) -> None:
    """As the grammar has it: a heading alone says nothing, and an empty text is left alone."""
    assert reading({}).extract([text]) == [Extraction((), prose)] == GrammarExtractor().extract([text])


def test_prose_is_false_only_when_every_statement_is_covered() -> None:
    """One statement that gives no fact makes the text prose, wherever it stands."""
    said = {"settled": [SETTLED_TRIPLE]}
    covered, not_covered = reading(said).extract([SETTLED, f"{SETTLED} The chapel is quiet."])
    assert not covered.prose
    assert not_covered.prose
    assert len(not_covered.facts) == 1


# -- answers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrapped",
    [
        "{}",
        "```json\n{}\n```",
        "Sure! Here it is:\n\n{}\n\nLet me know if you need more.",
        "<think>[1] looks like {{a fact}}</think>{}",
    ],
)
def test_json_is_found_in_whatever_stands_around_it(wrapped: str) -> None:
    """Code fences, courtesies and thoughts are looked past, without asking again."""
    extractor = reading(lambda human: wrapped.replace("{}", answer({"": [SETTLED_TRIPLE]}, human)))
    assert len(extractor.extract([SETTLED])[0].facts) == 1
    assert extractor.stats.requests == 1


def test_other_shapes_of_the_same_answer_are_understood() -> None:
    """A bare list, one entry without a list, and entries by number; an entry twice or out of range is none."""
    fact = {"subject": "a", "relation": "is", "object": 1, "id": "x", "valid_from": "2020-01-01"}
    assert parse_answer(json.dumps([{"n": "1", "facts": [fact]}]), 1) == {0: [fact]}
    assert parse_answer(json.dumps({"facts": [fact]}), 1) == {0: [fact]}
    assert parse_answer(json.dumps({"1": [fact], "2": []}), 2) == {0: [fact], 1: []}
    assert parse_answer(json.dumps({"statements": [{"n": 3, "facts": []}]}), 2) is None
    assert parse_answer(json.dumps({"statements": [{"n": 1, "facts": []}, {"n": 1, "facts": []}]}), 2) is None
    assert parse_answer('{"statements": [{"n": 1, "facts": [', 1) is None
    assert parse_answer("[" * 100_000, 1) is None
    draft, corrected = ({"statements": [{"n": 1, "facts": facts}]} for facts in ([fact], []))
    assert parse_answer(f"{json.dumps(draft)}\nThat is a plan. Corrected:\n{json.dumps(corrected)}", 1) == {0: []}
    triples, malformed = triples_of([fact, {"subject": "a"}, "no", {**fact, "object": None}])
    assert ([t.object for t in triples], malformed) == (["1"], 3)


def test_a_broken_answer_is_asked_for_again() -> None:
    """The second answer counts."""
    broken = iter(["I think it is 45 seconds."])
    extractor = reading(lambda human: next(broken, answer({"": [SETTLED_TRIPLE]}, human)))
    assert len(extractor.extract([SETTLED])[0].facts) == 1
    assert (extractor.stats.requests, extractor.stats.unparsed, extractor.stats.failed) == (2, 1, 0)


def test_a_batch_that_cannot_be_read_is_halved_down_to_the_statement_at_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One statement on which the model fails costs that statement only; it stays prose, counted and warned of once."""
    texts = [SETTLED.replace("45", str(n)) for n in range(40, 48)]

    def choke(human: str) -> str:
        said = {f"{n} seconds": [(*SETTLED_TRIPLE[:2], f"{n} seconds")] for n in range(40, 48)}
        return '{"statements": [{"n": 1, ' if "43 seconds" in human else answer(said, human)

    extractor = reading(choke)
    with caplog.at_level(logging.WARNING):
        found = extractor.extract(texts)
        extractor.extract(texts)
    assert [len(f.facts) for f in found] == [1, 1, 1, 0, 1, 1, 1, 1]
    assert [f.prose for f in found] == [False, False, False, True, False, False, False, False]
    assert extractor.stats.failed == 2  # one in each call
    assert [r.levelname for r in caplog.records] == ["WARNING"]
    with pytest.raises(ExtractionError, match="not with the JSON"):
        reading(choke, on_error="raise").extract(texts)


def test_a_model_that_never_answers_with_json_is_given_up_on() -> None:
    """Three single statements in a row without a readable answer end the call; one that is at fault does not."""
    texts = [SETTLED.replace("45", str(n)) for n in range(100, 200)]
    extractor = reading(lambda _: "I would rather not.", max_concurrency=1)
    assert all(e.prose for e in extractor.extract(texts))
    assert extractor.stats.requests < 20
    assert extractor.stats.failed == 100


def test_a_structured_output_is_understood() -> None:
    """`with_structured_output` gives a dict, a pydantic object, or both the raw and the parsed answer."""

    class Parsed:
        def __init__(self, content: Any) -> None:
            self._content = content

        def model_dump(self) -> Any:
            return self._content

    for shape in (dict, Parsed, lambda said: {"raw": "...", "parsed": said}):
        extractor = reading(lambda human, shape=shape: shape(json.loads(answer({"": [SETTLED_TRIPLE]}, human))))
        assert len(extractor.extract([SETTLED])[0].facts) == 1


# -- asking --------------------------------------------------------------------------------


def test_statements_share_requests_and_equal_ones_are_asked_once() -> None:
    """Twenty statements in batches of eight are three requests; a repetition is none; order is kept."""
    texts = [SETTLED.replace("45", str(n)) for n in range(20, 40)]
    said = {f"{n} seconds": [(*SETTLED_TRIPLE[:2], f"{n} seconds")] for n in range(20, 40)}
    model = FakeModel(said)
    extractor = LLMExtractor(model, max_concurrency=3, sleep=never)
    found = extractor.extract([*texts, *texts])
    assert [f.facts[0].object for f in found] == [f"{n} seconds" for n in range(20, 40)] * 2
    assert len(model.asked) == 3
    assert len(model.statements) == 20
    assert extractor.stats.facts == 40
    extractor.stats.reset()
    assert set(extractor.stats.as_dict().values()) == {0}


def test_headings_go_along() -> None:
    """The model sees what a statement stands under, and the key gets it."""
    model = FakeModel({"port": [("port", "is", "25")]})
    [found] = LLMExtractor(model).extract(["# Mailer\n\nThe port is 25."])
    assert model.statements == ["[Under: Mailer] The port is 25."]
    assert keys(found) == keys(GrammarExtractor().extract(["# Mailer\n\nThe port is 25."])[0])
    assert "mailer" in found.facts[0].subject


class MissingError(Exception):
    status_code = 404


@pytest.mark.parametrize(
    ("error", "requests", "words"),
    [
        (ConnectionRefusedError("refused"), 3, "is it running"),
        (TimeoutError(), 3, "no answer in time"),
        (MissingError("gone"), 1, "no model 'fake'"),
        (PermissionError("key"), 1, "PermissionError"),
    ],
)
async def test_a_model_that_cannot_be_asked_leaves_prose(
    error: Exception, requests: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What may pass is tried again after growing pauses; then the text is prose, counted, warned of once, or raised."""
    pauses: list[float] = []

    def fail(human: str) -> str:
        raise error

    extractor = reading(fail, sleep=pauses.append)
    with caplog.at_level(logging.WARNING):
        assert extractor.extract([SETTLED]) == [Extraction((), True)]
    assert (extractor.stats.requests, extractor.stats.failed) == (requests, 1)
    assert pauses == [0.5, 1.0][: requests - 1]
    assert words in caplog.text
    assert await extractor.aextract([SETTLED]) == [Extraction((), True)]
    assert len(caplog.records) == 1
    strict = reading(fail, sleep=pauses.append, on_error="raise")
    with pytest.raises(ExtractionError, match=words) as raised:
        strict.extract([SETTLED])
    assert raised.value.__cause__ is error
    with pytest.raises(ExtractionError, match=words):
        await strict.aextract([SETTLED])


def test_a_fault_that_passes_costs_nothing() -> None:
    """The third try succeeds."""
    faults = iter([ConnectionResetError(), TimeoutError()])

    def recover(human: str) -> str:
        if fault := next(faults, None):
            raise fault
        return answer({"": [SETTLED_TRIPLE]}, human)

    extractor = reading(recover, sleep=lambda _: None)
    assert len(extractor.extract([SETTLED])[0].facts) == 1
    assert (extractor.stats.retries, extractor.stats.failed) == (2, 0)


def test_a_server_that_is_not_there_is_not_asked_for_every_batch() -> None:
    """After one refusal the rest of the call is given up, and counted."""

    def refuse(human: str) -> str:
        raise ConnectionRefusedError

    extractor = reading(refuse, max_concurrency=1, batch_size=1, retries=0)
    extractor.extract([SETTLED.replace("45", str(n)) for n in range(9)])
    assert (extractor.stats.requests, extractor.stats.failed) == (1, 9)


def test_a_slow_answer_is_not_waited_for() -> None:
    """`timeout` bounds the wait for models whose client has no limit of its own."""
    release = threading.Event()

    def hang(human: str) -> str:
        release.wait(30)
        return ""

    assert inspect.signature(LLMExtractor).parameters["timeout"].default == 300
    extractor = reading(hang, timeout=0.05, retries=0)
    assert extractor.extract([SETTLED]) == [Extraction((), True)]
    assert extractor.stats.failed == 1
    release.set()


async def test_async_is_the_same_without_blocking() -> None:
    """`ainvoke` is awaited where there is one; without it `invoke` runs in a thread."""

    class Awaited(FakeModel):
        async def ainvoke(self, messages: Any) -> str:
            return self.invoke(messages)

    for kind in (FakeModel, Awaited):
        extractor = LLMExtractor(kind({"settled": [SETTLED_TRIPLE]}), batch_size=1)
        found = await extractor.aextract([SETTLED, "Nets dry on the wall.", SETTLED])
        assert found == extractor.extract([SETTLED, "Nets dry on the wall.", SETTLED])
        assert [len(f.facts) for f in found] == [1, 0, 1]


def test_a_llama_index_llm_is_asked_as_it_is() -> None:
    """An object with `complete` is enough; `from_llama_index` gives it LangChain's shape."""

    class Completion:
        def __init__(self, text: str) -> None:
            self.text = text

    class Llm:
        model = "llama"

        def complete(self, prompt: str) -> Completion:
            return Completion(answer({"settled": [SETTLED_TRIPLE]}, prompt.partition("Statements:")[2]))

    assert len(LLMExtractor(Llm()).extract([SETTLED])[0].facts) == 1
    assert len(LLMExtractor(from_llama_index(Llm())).extract([SETTLED])[0].facts) == 1


@pytest.mark.parametrize(
    "options",
    [{"batch_size": 0}, {"max_concurrency": 0}, {"retries": -1}, {"timeout": 0}, {"on_error": "shrug"},
     {"prompt": "nothing"}],
)  # fmt: skip
def test_options_that_cannot_be_used_are_refused(options: dict[str, Any]) -> None:
    """The message names the option and what is accepted."""
    with pytest.raises(InvalidInputError, match=next(iter(options.values())) if "prompt" in options else "="):
        LLMExtractor(FakeModel({}), **options)


def test_what_is_no_model_is_refused() -> None:
    """An object that can be neither invoked nor completed."""
    with pytest.raises(InvalidInputError, match="no chat model"):
        LLMExtractor(object())


# -- cache ---------------------------------------------------------------------------------


def test_answers_are_kept_across_runs_and_only_for_the_same_question(tmp_path: Path) -> None:
    """Another model, another parameter, another prompt or another text is asked anew."""
    path = tmp_path / "deep" / "answers.sqlite3"
    said = {"settled": [SETTLED_TRIPLE]}
    first = LLMExtractor(FakeModel(said), cache=path)
    found = first.extract([SETTLED])
    again = LLMExtractor(FakeModel({}), cache=path)
    assert again.extract([SETTLED]) == found
    assert (again.stats.requests, again.stats.cached, again.stats.facts) == (0, 1, 1)
    for other in (
        LLMExtractor(FakeModel(said, name="other"), cache=path),
        LLMExtractor(FakeModel(said, temperature=1), cache=path),
        LLMExtractor(FakeModel(said), cache=path, prompt="extract_triple"),
        LLMExtractor(FakeModel(said), cache=path, cardinalities={"mirrors": "functional"}),
    ):
        other.extract([SETTLED])
        assert other.stats.requests == 1
    again.forget([SETTLED])
    again.extract([SETTLED])
    assert again.stats.requests == 1


class Piece:
    """Some part of a chain of LangChain's."""

    def __init__(self, said: Said = {}, **parts: Any) -> None:  # noqa: B006 - never written to
        self.said = said
        self.__dict__.update(parts)

    def invoke(self, messages: Any) -> str:
        return answer(self.said, messages[-1][1])


def identity(model: Any) -> str | None:
    return ChatModel(model, None).identity()


def test_another_model_within_a_chain_is_another_one() -> None:
    """Steps, bound arguments and fallbacks are looked through; a secret stays out, a function cannot be told."""
    one, other = FakeModel({}, name="one"), FakeModel({}, name="other")
    wrapped: list[Callable[[Any], Any]] = [
        lambda m: m,
        lambda m: Piece(steps=[Piece(model="prompt"), m]),
        lambda m: Piece(bound=m, kwargs={"stop": ["x"]}),
        lambda m: Piece(runnable=one, fallbacks=[m]),
        lambda m: Piece(bound=Piece(steps=[m]), kwargs={}),
    ]
    for wrap in wrapped:
        assert identity(wrap(one)) == identity(wrap(one)) is not None
        assert identity(wrap(one)) != identity(wrap(other))
    assert identity(Piece(bound=one, kwargs={"stop": ["x"]})) != identity(Piece(bound=one, kwargs={"stop": ["y"]}))
    for name in ("tfs_z", "repeat_last_n", "mirostat_tau", "base_url"):
        assert identity(Piece(model="a", **{name: "1"})) != identity(Piece(model="a", **{name: "2"}))
    keyed = identity(Piece(bound=one, kwargs={"api_key": "sk-12345", "stop": None}))
    assert keyed is not None
    assert "sk-12345" not in keyed
    assert identity(Piece(func=lambda _: "")) is identity(Piece()) is None
    assert identity(Piece(steps=[one, Piece(func=print)])) is None


def test_a_model_that_cannot_be_told_is_cached_under_a_name_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Another one's answers would be served: a warning names the way out."""
    path = tmp_path / "answers.sqlite3"
    said = {"settled": [SETTLED_TRIPLE]}
    with caplog.at_level(logging.WARNING):
        unknown = LLMExtractor(Piece(said, func=print), cache=path)
    assert "cache_name=" in caplog.text
    unknown.extract([SETTLED])
    unknown.forget([SETTLED])
    assert not path.exists()
    for name, requests in (("first", 1), ("first", 0), ("second", 1)):
        named = LLMExtractor(Piece(said, func=print), cache=path, cache_name=name)
        assert len(named.extract([SETTLED])[0].facts) == 1
        assert named.stats.requests == requests
    assert LLMExtractor(FakeModel(said), cache=False).extract([SETTLED])[0].facts


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))], ids=["copy", "pickle"])
def test_extractors_can_be_copied_and_sent(copied: Callable[[Any], Any], tmp_path: Path) -> None:
    """Locks stay behind, the cache is opened again; counts go along."""
    model = Piece({"settled": [SETTLED_TRIPLE]}, model="sent")
    extractor = LLMExtractor(model, cache=tmp_path / "answers.sqlite3", cardinalities={"mirrors": "functional"})
    found = extractor.extract([SETTLED])
    for one in (extractor, GrammarExtractor() | extractor, LLMExtractor(model)):
        other = copied(one)
        assert other.extract([SETTLED]) == found
        assert repr(other) == repr(one)
    assert copied(extractor).stats.requests == 1


def test_answers_that_failed_are_not_kept(tmp_path: Path) -> None:
    """What could not be read is asked about again by the next run."""
    path = tmp_path / "answers.sqlite3"
    reading(lambda _: "nothing", cache=path).extract([SETTLED])
    later = reading({"settled": [SETTLED_TRIPLE]}, cache=path)
    assert len(later.extract([SETTLED])[0].facts) == 1


@pytest.mark.parametrize("damage", ["no database at all" * 100, "truncated", "nonsense inside"])
def test_a_damaged_cache_is_set_aside(damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A warning, the old file under another name, and a new cache."""
    path = tmp_path / "answers.sqlite3"
    said = {"settled": [SETTLED_TRIPLE]}
    if damage.startswith("no database"):
        path.write_text(damage)
    else:
        reading(said, cache=path).extract([SETTLED])
        if damage == "truncated":
            content = path.read_bytes()
            path.write_bytes(content[: len(content) // 2] + b"\xff" * 512)
        else:
            with sqlite3.connect(path) as connection:
                connection.execute("UPDATE answers SET answer = 'no json'")
            connection.close()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert len(reading(said, cache=path).extract([SETTLED])[0].facts) == 1
    assert len([r for r in caplog.records if "damaged" in r.message]) == 1
    assert (tmp_path / "answers.sqlite3.damaged-1").exists()
    assert len(AnswerCache(path)) == 1


def test_a_cache_that_cannot_be_used_is_gone_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A folder in place of the file: one warning, and the model is asked."""
    extractor = reading({"settled": [SETTLED_TRIPLE]}, cache=tmp_path)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert len(extractor.extract([SETTLED])[0].facts) == 1
    assert len([r for r in caplog.records if "not cached" in r.message]) == 1
    assert extractor.stats.requests == 2


def _fill(path: str, start: int) -> None:
    cache = AnswerCache(path)
    for n in range(start, start + 100):
        cache.put_many([(n.to_bytes(4, "big"), {"n": n})])


def test_threads_and_processes_share_a_cache(tmp_path: Path) -> None:
    """Two processes and four threads lose nothing of what they write."""
    path = tmp_path / "answers.sqlite3"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_fill, args=(str(path), 1000 * n)) for n in range(2)]
    for process in processes:
        process.start()
    shared = AnswerCache(path)
    threads = [
        threading.Thread(target=lambda s=s: [shared.put_many([(n.to_bytes(4, "big"), n)]) for n in range(s, s + 50)])
        for s in range(10_000, 14_000, 1000)
    ]
    for thread in threads:
        thread.start()
    for worker in (*threads, *processes):
        worker.join(60)
    assert [p.exitcode for p in processes] == [0, 0]
    assert len(shared) == 400
    assert shared.get_many([(1042).to_bytes(4, "big"), b"none"]) == {(1042).to_bytes(4, "big"): {"n": 1042}}


# -- chains --------------------------------------------------------------------------------


def test_the_model_sees_only_what_the_grammar_left() -> None:
    """Texts that the grammar covers are not asked about, nor are its statements in other texts."""
    model = FakeModel({"settled": [SETTLED_TRIPLE]})
    chain = GrammarExtractor() | LLMExtractor(model, sleep=never)
    assert isinstance(chain, ChainExtractor)
    covered = "The mailer listens on port 25."
    mixed = f"{covered} {SETTLED}"
    found = chain.extract([covered, mixed, "The chapel is quiet.", ""])
    assert model.statements == [SETTLED, "The chapel is quiet."]
    assert [[f.relation for f in e.facts] for e in found] == [["listens on"], ["listens on", "is"], [], []]
    assert [e.prose for e in found] == [False, False, True, True]
    assert [f.span for f in found[1].facts] == [(0, len(covered)), (len(covered) + 1, len(mixed))]
    assert chain.stats.facts == 1


def test_other_names_count_for_the_model_as_well() -> None:
    """`aliases=` of its own, or those of the grammar before it in a chain."""
    said = {"K8s": [("K8s version", "is", "1.29")], "Kubernetes": [("Kubernetes version", "is", "1.31")]}
    texts = ["They ended up with 1.29 as the K8s version.", "They ended up with 1.31 as the Kubernetes version."]
    aliases = {"k8s": "kubernetes"}
    chain = GrammarExtractor(aliases=aliases) | reading(said)
    for extractor in (reading(said, aliases=aliases), chain, GrammarExtractor() | reading(said, aliases=aliases)):
        one, other = extractor.extract(texts)
        assert (one.facts[0].subject, one.facts[0].relation) == (other.facts[0].subject, other.facts[0].relation)
    assert chain.stats.facts == 2
    own = GrammarExtractor(aliases=aliases) | reading(said, aliases={"k8s": "cluster"})
    assert own.extract(texts)[0].facts[0].subject != chain.extract(texts)[0].facts[0].subject
    with pytest.raises(InvalidInputError, match="in other capitals"):
        reading(said, aliases={"K8s": "kubernetes", "k8s": "cluster"})


def test_lines_of_a_record_are_left_to_the_grammar() -> None:
    """A field of a ticket is no fact by itself; the lines that name the ticket are covered by the others."""
    model = FakeModel({"settled": [SETTLED_TRIPLE]})
    chain = GrammarExtractor() | LLMExtractor(model)
    [found] = chain.extract([f"Ticket: PROJ-12\nPriority: high\n\n{SETTLED}"])
    assert model.statements == [SETTLED]
    assert len(found.facts) == 2
    assert not found.prose


async def test_chains_unfold_and_behave_alike_when_awaited() -> None:
    """`a | b | c` is one chain of three; cardinalities reach every member; `aextract` says the same."""
    said = {"settled": [SETTLED_TRIPLE], "mirrors": [("Replica-2", "mirrors", "primary-1")]}

    class Nothing:
        def extract(self, texts: Sequence[str], metadatas: Any = None) -> list[Extraction]:
            return [Extraction() for _ in texts]

    chain = Nothing() | LLMExtractor(FakeModel(said)) | GrammarExtractor()
    assert len(chain.extractors) == 3
    knowing = chain.with_cardinalities({"mirrors": "functional"})
    texts = [SETTLED, "Replica-2 mirrors primary-1.", "The mailer listens on port 25."]
    found = knowing.extract(texts)
    assert [[f.relation for f in e.facts] for e in found] == [["is"], ["mirrors"], ["listens on"]]
    assert found == await knowing.aextract(texts)
    assert "mirrors" in knowing.functional
    assert chain.with_cardinalities({}) is chain
    assert knowing.stats is chain.stats


def test_a_chain_takes_extractors_only() -> None:
    """Anything without `extract` is refused."""
    with pytest.raises(TypeError):
        _ = LLMExtractor(FakeModel({})) | 5  # type: ignore[operator]
    with pytest.raises(InvalidInputError, match="no extractor"):
        ChainExtractor(GrammarExtractor(), "grammar")

    class Short:
        def extract(self, texts: Sequence[str], metadatas: Any = None) -> list[Extraction]:
            return []

    with pytest.raises(InvalidInputError, match="0 results for 1 texts"):
        ChainExtractor(Short()).extract(["x"])


def test_facts_of_two_extractors_that_contradict_fall_together() -> None:
    """The grammar's value and the model's of one key in one text: neither stands."""
    text = "The port of the mailer is 25. For the port of the mailer they chose 26."
    chain = GrammarExtractor() | reading({"chose": [("port of the mailer", "is", "26")]})
    assert chain.extract([text]) == [Extraction((), True)]


def test_a_later_fact_of_a_statement_that_has_one_is_left_out() -> None:
    """Merging goes by statement, and an earlier extractor's word stands."""
    text = "The port is 25. The chapel is quiet."
    port = Fact("port", "is", "25", "25", "number", (0, 15), "a")
    other = Fact("port", "listens on", "25", "25", "port", (0, 15), "b")
    quiet = Fact("chapel", "is", "quiet", "quiet", "text", (16, 36), "b")
    both = merged(text, Extraction((port,), True), Extraction((other, quiet), False))
    assert both == Extraction((port, quiet), False)
    assert merged(text, Extraction((port,), True), Extraction((other,), True)) == Extraction((port,), True)
    assert merged(text, Extraction((port,), False), Extraction((quiet,), True)) == Extraction((port,), False)


@dataclass
class _Options:
    seed: int


def test_what_tells_two_models_apart_is_told() -> None:
    """A choice of a configurable model, a model within another, and a bound object of options are the model's too."""
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.runnables import ConfigurableField

    model = FakeListChatModel(responses=["a"])
    choice = model.configurable_fields(sleep=ConfigurableField(id="sleep"))
    chosen = [choice.with_config(configurable={"sleep": n}) for n in (1, 2)]
    assert identity(chosen[0]) != identity(chosen[1])
    assert identity(model.bind(options=_Options(0))) != identity(model.bind(options=_Options(1)))
    assert identity(model.bind(options=_Options(0))) == identity(model.bind(options=_Options(0)))


@pytest.mark.parametrize("name", ["", 5, True])
def test_a_name_for_the_cache_is_a_name(name: Any) -> None:
    with pytest.raises(InvalidInputError, match="cache_name"):
        reading(lambda human: "{}", cache_name=name)


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), 1e10, "5"])
def test_a_time_limit_is_some_seconds(timeout: Any) -> None:
    with pytest.raises(InvalidInputError, match="timeout"):
        reading(lambda human: "{}", timeout=timeout)


def test_a_number_of_thousands_of_figures_is_no_fault() -> None:
    answers = ['{"statements": [{"n": "' + "9" * 5000 + '", "facts": []}]}', '{"' + "9" * 5000 + '": []}']
    for said in answers:
        assert reading(lambda human, said=said: said).extract(["They settled on 45 for it."])[0].prose
