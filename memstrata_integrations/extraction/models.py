"""Asking a language model, whichever framework it comes from; neither of them is imported before it is there."""

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
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
    """Return the triples in an answer: a structured output, a message, or text with JSON in it, else a `ValueError`."""
    if isinstance(answer, Mapping) and "parsed" in answer:  # of with_structured_output(include_raw=True)
        answer = answer["raw"] if answer["parsed"] is None else answer["parsed"]
    answer = answer.model_dump() if isinstance(answer, Answer) else answer
    if isinstance(answer, (Mapping, list)) or answer is None:
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
        told = re.sub(r" at 0x[0-9a-f]+|\w*(?:key|token|secret|password)\w*=(['\"]).*?\1", "", repr(self.model))
        unknown = not isinstance(self.model, BaseModel) or re.search(r"[Ll]ambda|<locals>", told)
        return None if unknown else f"{type(self.model).__module__}.{type(self.model).__qualname__} {told}"

    def ask(self, system: str, questions: Sequence[str]) -> list[list[Triple] | BaseException]:
        """Return for each question the triples that the model gives, or why it gives none."""
        pool = ThreadPoolExecutor(self.most)
        asked = [pool.submit(self._answer, system, question) for question in questions]
        missing, answered = set(asked), set(asked)
        try:
            while missing and answered:  # until nothing comes any more, whatever a client without a time limit does
                answered, missing = wait(missing, self._timeout, FIRST_COMPLETED)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        silent = TimeoutError(f"no answer within {self._timeout} s; timeout= allows more")
        return [silent if one in missing else one.exception() or one.result() for one in asked]

    def _answer(self, system: str, question: str) -> list[Triple]:
        model = self.model
        if callable(getattr(model, "with_retry", None)):  # of LangChain
            with suppress(NotImplementedError):  # a model that knows no schemas: the prompt alone asks for JSON
                if callable(getattr(type(model), "with_structured_output", None)):  # not of one that is bound
                    model = model.with_structured_output(Answer, include_raw=True)
            model = model.with_retry(stop_after_attempt=self._retries + 1)
        elif callable(predict := getattr(model, "structured_predict", None)):
            template = import_module("llama_index.core.prompts").ChatPromptTemplate
            prompt = template.from_messages([("system", "{system}"), ("user", "{question}")])
            return triples_of(predict(Answer, prompt, system=system, question=question))
        return triples_of(model.invoke([("system", system), ("human", question)]))
