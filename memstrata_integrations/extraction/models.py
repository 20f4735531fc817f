"""Asking a language model, whichever framework it comes from; neither of them is imported before it is there."""

from __future__ import annotations

import json
import queue
import re
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from importlib import import_module
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from memstrata_integrations.errors import InvalidInputError, MemstrataError


class ExtractionError(MemstrataError):
    """A model could not be asked, or gave no answer that can be read; the message says what to do."""


class Triple(BaseModel):
    """One fact that a statement states. Never an id, and never a time."""

    model_config = ConfigDict(coerce_numbers_to_str=True, str_strip_whitespace=True, str_min_length=1)

    n: int = Field(1, description="number of the statement")
    subject: str = Field(description="what it is about, in the statement's own words")
    relation: str = Field(description="a noun or a verb, from the list or in the statement's own words")
    value: str = Field(description="a piece of the statement, copied letter by letter")
    single_valued: bool | None = Field(None, description="whether the subject has one such value at a time")


class Answer(BaseModel):
    """The facts that the statements state; perhaps none."""

    facts: list[Triple]


def triples_of(answer: Any) -> list[Triple]:
    """Return the triples in an answer: a structured output, a message, or text with JSON in it.

    Raises:
        ValueError: If it is no answer of that form.
    """
    if isinstance(answer, Mapping) and "parsed" in answer:  # of with_structured_output(include_raw=True)
        answer = answer["raw"] if answer["parsed"] is None else answer["parsed"]
    if isinstance(answer, Answer) or answer is None:
        return [] if answer is None else answer.facts
    if isinstance(answer, (Mapping, list)):
        return _nested(answer)
    if calls := getattr(answer, "tool_calls", None):  # of a message whose arguments are not of the schema
        return _nested([call["args"] for call in calls])
    text = getattr(answer, "content", answer)
    if isinstance(text, list):  # blocks: texts, thoughts
        text = "".join(b.get("text", "") if isinstance(b, Mapping) else b for b in text)
    text = re.sub(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", "", str(text), flags=re.DOTALL)
    for opening in list(re.finditer(r"[{\[]", text))[:40]:
        with suppress(json.JSONDecodeError, RecursionError):
            return _nested(json.JSONDecoder().raw_decode(text, opening.start())[0])
    raise ValueError(f"no JSON in the answer {text[:80]!r}")


def _nested(said: Any, n: Any = 1) -> list[Triple]:
    """Return the triples in JSON, however they are nested; `n` is the number of their statement."""
    if isinstance(said, Mapping):
        n = said.get("n", n)
        if "subject" in said:
            return [Triple.model_validate({"n": n, "value": said.get("object"), **said})]
        said = list(said.values())
    return [triple for part in said for triple in _nested(part, n)] if isinstance(said, list) else []


class ChatModel:
    """One way to ask a LangChain chat model, a LlamaIndex LLM, or any object with ``invoke`` that returns JSON."""

    def __init__(self, model: Any, *, retries: int, timeout: float | None, max_concurrency: int) -> None:
        if not any(callable(getattr(model, name, None)) for name in ("invoke", "structured_predict")):
            raise InvalidInputError(
                f"{model!r} is no language model: give a LangChain chat model, a LlamaIndex LLM, or an object whose "
                "invoke(messages) returns JSON"
            )
        self.model, self.most, self._retries, self._timeout = model, max_concurrency, retries, timeout

    def identity(self) -> str | None:
        """Return what answers depend on: class and parameters; `None` if that cannot be told, as of a function."""
        told = re.sub(r" at 0x[0-9a-f]+", "", repr(self.model))
        told = re.sub(r"\w*(?:key|token|secret|password)\w*=(['\"]).*?\1", "", told)
        unknown = not isinstance(self.model, BaseModel) or re.search(r"[Ll]ambda|<locals>", told)
        return None if unknown else f"{type(self.model).__module__}.{type(self.model).__qualname__} {told}"

    def ask(self, system: str, questions: Sequence[str]) -> list[list[Triple] | Exception]:
        """Return for each question the triples that the model gives, or why it gives none."""
        answers: queue.Queue[tuple[int, Any]] = queue.Queue()

        def run() -> None:
            try:
                deque(map(answers.put, self._answers(system, questions)), maxlen=0)
            except Exception as error:  # it is the answer to all that have none
                answers.put((-1, error))

        # A daemon thread: the call returns in time, whatever a client without a time limit does
        threading.Thread(target=run, daemon=True, name="memstrata-model").start()
        found: dict[int, Any] = {}
        while len(found) < len(questions) and -1 not in found:
            try:
                found.update([answers.get(timeout=self._timeout)])
            except queue.Empty:
                found[-1] = TimeoutError(f"no answer within {self._timeout} s; timeout= allows more")
        return [found[n] if n in found else found[-1] for n in range(len(questions))]

    def _runnable(self) -> Any:
        """Return a LangChain model with schema, retries and parser; `None` if it is none of LangChain's."""
        model = self.model
        if not callable(getattr(model, "with_retry", None)):
            return None
        with suppress(NotImplementedError):  # a model that knows no schemas: the prompt alone asks for JSON
            if callable(getattr(type(model), "with_structured_output", None)):  # not of one that is bound
                model = model.with_structured_output(Answer, include_raw=True)
        return model.with_retry(stop_after_attempt=self._retries + 1) | triples_of

    def _answers(self, system: str, questions: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Yield places and answers as they come."""
        if (runnable := self._runnable()) is not None:
            asked, config = [[("system", system), ("human", q)] for q in questions], {"max_concurrency": self.most}
            yield from runnable.batch_as_completed(asked, config, return_exceptions=True)
            return
        with ThreadPoolExecutor(self.most) as pool:
            places = {pool.submit(self._answer, system, q): n for n, q in enumerate(questions)}
            for done in as_completed(places):
                yield places[done], done.exception() or done.result()

    def _answer(self, system: str, question: str) -> list[Triple]:
        if not callable(predict := getattr(self.model, "structured_predict", None)):
            return triples_of(self.model.invoke([("system", system), ("human", question)]))
        template = import_module("llama_index.core.prompts").ChatPromptTemplate
        prompt = template.from_messages([("system", "{system}"), ("user", "{question}")])
        return triples_of(predict(Answer, prompt, system=system, question=question))
