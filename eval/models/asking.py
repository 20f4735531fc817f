"""Asking a chat model by a prompt and reading its JSON answer, or finding that it cannot be had.

A long run survives its models: answers are kept on disk by model, parameters and prompt, a call that fails is a trouble
of the sample that it was made for, and only a server that stays away, or fails again and again, ends the run.
"""

import hashlib
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from time import sleep
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import jsonschema  # type: ignore[import-untyped]
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from eval.metrics import estimate_tokens
from eval.spec import Spent, Trouble
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from memstrata_integrations.prompts import Prompt

if TYPE_CHECKING:
    from memstrata_integrations.extraction.cache import AnswerCache

logger = logging.getLogger(__name__)

_AWAY = frozenset(("ConnectError", "ConnectionRefusedError", "APIConnectionError"))
_UNREACHABLE = frozenset(("ConnectionError", "TransportError", "APIConnectionError"))
_TIMEOUTS = frozenset(("TimeoutException", "TimeoutError", "APITimeoutError"))
_NOT_FOUND = 404
_HOPELESS = 5  # calls that failed one after the other
_ROLES = {
    "answer": "reader",
    "judge_correctness": "correctness",
    "judge_fabrication": "fabrication",
    "verify": "verifier",
    "consolidate": "gate_judge",
    "infer_check": "inferable",
    "extract": "candidates",
}  # of prompts that have another name

Message = tuple[str, str]
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a model may use up.

    Attributes:
        max_tokens: Of an answer.
        context: Tokens that it sees, question and answer together; Ollama cuts off what is beyond, and says nothing.
        timeout: Seconds without a piece of an answer.
    """

    max_tokens: int = 1024
    context: int = 8192
    timeout: float = 300


@dataclass(slots=True)
class Asking:
    """What all models of a run share."""

    limits: Limits = field(default_factory=Limits)
    cache: "AnswerCache | None" = None  # answers on disk
    stop: bool = False  # whether a call that fails ends the run
    waits: tuple[float, ...] = (1, 2, 4, 8, 15, 30)  # seconds, for a server that is away
    troubles: list[Trouble] = field(default_factory=list)  # since somebody last looked
    sources: set[bytes] = field(default_factory=set)  # what the models are known by in the cache

    def kept(self) -> tuple[int, int]:
        """Return how many answers the cache has of the models of the run, and of others or with other limits."""
        if self.cache is None or not self.cache.path.exists():
            return 0, 0
        try:
            with closing(sqlite3.connect(self.cache.path)) as connection:
                found = dict(connection.execute("SELECT text, COUNT(*) FROM answers GROUP BY text"))
        except sqlite3.Error:  # the cache itself warns of a file that cannot be used
            return 0, 0
        own = sum(found.get(source, 0) for source in self.sources)
        return own, sum(found.values()) - own


class AskedModel:
    """A chat model that answers by the JSON schema of a prompt.

    ``ChatOllama`` gets the schema as its ``format``; another model that can, answers by ``with_structured_output``; the
    rest are held to it by the prompt alone. An answer that is not JSON by the schema is asked for once more.

    Args:
        model: The chat model.
        name: As in tables and manifests.
        asking: Limits, cache and troubles; those of a run are one object.
        named: Whether the name and the limits tell what the model is, so that its answers may be kept.
    """

    def __init__(self, model: BaseChatModel, name: str, asking: Asking | None = None, *, named: bool = False) -> None:
        self.name = name
        self._model = model
        self._asking = asking or Asking()
        self._cache = self._asking.cache if named else None
        self._failures = 0
        self._ollama = type(model).__module__.startswith("langchain_ollama")
        limits = self._asking.limits
        self._source = _digest(name, limits.max_tokens, limits.context)
        self._asking.sources.add(self._source)

    def check(self) -> None:
        """Ask for one word, so that a run that cannot work does not start.

        Raises:
            MissingDependencyError: If no answer comes.
        """
        try:
            self._model.invoke([("human", "Answer with the word ready.")])
        except Exception as error:  # whatever keeps it from answering, the run must not start
            raise self._unavailable(error) from error

    def ask(self, prompt: Prompt, told: str, spent: Spent | None = None, **marks: str) -> dict[str, Any] | None:
        """Return the answer to a prompt, or `None` if it cannot be had or read, not even the second time.

        Args:
            prompt: What is asked for.
            told: What it is asked about.
            spent: Where calls and tokens are counted.
            marks: What the prompt's text is filled in with.

        Raises:
            MissingDependencyError: If the model's server is away, or fails time after time.
        """
        messages: list[Message] = [("system", prompt.render(**marks)), ("human", told)]
        return self.said(messages, prompt, lambda text: _read(text, prompt.schema or {}), spent)

    def said(
        self, messages: list[Message], prompt: Prompt, read: Callable[[str], _Read], spent: Spent | None = None
    ) -> _Read | None:
        """Return what `read` makes of the answer to some messages, as `ask` does; it raises ``ValueError`` of none."""
        why = ""
        for _ in range(2):
            answer = self._answer(messages, prompt)
            if answer is None:
                return None
            if spent is not None:
                spent.add(1, answer["tokens"], answer["saved"])
            try:
                return read(answer["text"])
            except ValueError as unreadable:
                why = str(unreadable)
                again = f"That cannot be read: {why}. Answer once more, with JSON as asked for and nothing else."
                messages = [*messages, ("ai", answer["text"]), ("human", again)]
        self._asking.troubles.append(Trouble(_ROLES.get(prompt.name, prompt.name), f"unreadable: {why}"[:200]))
        return None

    def _answer(self, messages: list[Message], prompt: Prompt) -> dict[str, Any] | None:
        """Return text and tokens of an answer, and the seconds that the cache saved; `None` if the call failed."""
        key = _digest(self._source.hex(), messages, prompt.schema)
        if self._cache is not None and (known := self._cache.get([key]).get(key)):
            return {**known, "saved": known["seconds"]}
        started = time.perf_counter()
        message = self._called(messages, prompt)
        if message is None:
            return None
        text = json.dumps(message.tool_calls[0]["args"]) if message.tool_calls else str(message.text)
        usage = message.usage_metadata
        estimate = estimate_tokens(" ".join(said for _, said in messages)) + estimate_tokens(text)
        found = {
            "text": text,
            "tokens": usage["total_tokens"] if usage else estimate,
            "seconds": round(time.perf_counter() - started, 3),
        }
        if self._cache is not None:
            self._cache.put([(key, self._source, found)])
        return {**found, "saved": 0.0}

    def _called(self, messages: list[Message], prompt: Prompt) -> AIMessage | None:
        """Return the model's message, or `None` if the call failed and the run goes on.

        A server that is away is waited for; what breaks off is asked for once more, what is too slow is not.
        """
        waits, again = iter(self._asking.waits), True
        while True:
            try:
                message = self._invoke(messages, prompt)
            except Exception as error:  # the models' clients have no common root
                kinds = {kind.__name__ for kind in type(error).__mro__}
                away = not _AWAY.isdisjoint(kinds)
                if away and (wait := next(waits, None)) is not None:
                    logger.warning("%s is away (%s): asking again in %s s", self.name, error, wait)
                    sleep(wait)
                    continue
                if again and not away and _TIMEOUTS.isdisjoint(kinds):
                    again = False
                    continue
                self._failures += 1
                absent = away or getattr(error, "status_code", None) == _NOT_FOUND
                if absent or self._asking.stop or self._failures == _HOPELESS:
                    raise self._unavailable(error) from error
                why = f"no answer: {type(error).__name__}: {error}"[:200]
                self._asking.troubles.append(Trouble(_ROLES.get(prompt.name, prompt.name), why, failed=True))
                return None
            self._failures = 0
            return message

    def _invoke(self, messages: list[Message], prompt: Prompt) -> AIMessage:
        schema = dict(prompt.schema or {})
        if self._ollama:
            message = self._model.invoke(messages, format=schema)
            if not message.response_metadata.get("done_reason"):
                raise EOFError("the answer broke off")
            return message
        try:
            described = {"title": prompt.name, "description": "The answer.", **schema}
            structured = self._model.with_structured_output(described, include_raw=True)
        except NotImplementedError:
            return self._model.invoke(messages)
        found: Any = structured.invoke(messages)
        raw: AIMessage = found["raw"]
        return raw

    def _unavailable(self, error: Exception) -> MissingDependencyError:
        told = f"{type(error).__name__}: {error}"
        model = self.name.partition(":")[2]
        if getattr(error, "status_code", None) == _NOT_FOUND:
            way_out = f"`ollama pull {model}` gets it" if self._ollama else "check its name"
            return MissingDependencyError(f"there is no model {self.name} ({told}): {way_out}")
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if not _TIMEOUTS.isdisjoint(kinds):
            limit = self._asking.limits.timeout
            return MissingDependencyError(
                f"{self.name} gave no answer within {limit} s ({told}): --timeout allows more, and the same command "
                "goes on with a run that stopped"
            )
        if not _UNREACHABLE.isdisjoint(kinds):
            way_out = "`ollama serve` starts it, and " if self._ollama else ""
            return MissingDependencyError(
                f"the server of {self.name} cannot be reached ({told}): is it running? {way_out}--base-url says where "
                "it is; the same command goes on with a run that stopped, and without --llm a run needs no server"
            )
        return MissingDependencyError(
            f"{self.name} gave no answer ({told}); the same command goes on with a run that stopped, and without --llm "
            "a run needs no model"
        )


def reading(asked: AskedModel, prompt: Prompt, read: Callable[[str], object], spent: Spent) -> SimpleNamespace:
    """Return a model as `LLMExtractor` takes it: its calls are counted and kept, and a failed one states no fact."""

    def text(answer: str) -> str:
        read(answer)
        return answer

    return SimpleNamespace(invoke=lambda messages: asked.said(messages, prompt, text, spent) or '{"facts": []}')


def asked_model(model: str | BaseChatModel, *, base_url: str | None = None, asking: Asking | None = None) -> AskedModel:
    """Return a model to ask: one that is given, or the one that `chat_model` makes of a name."""
    if isinstance(model, BaseChatModel):
        return AskedModel(model, f"{type(model).__name__}:{getattr(model, 'model', None) or 'unnamed'}", asking)
    limits = asking.limits if asking else Limits()
    return AskedModel(chat_model(model, base_url=base_url, limits=limits), model, asking, named=True)


def chat_model(name: str, *, base_url: str | None = None, limits: Limits | None = None) -> BaseChatModel:
    """Return a chat model at temperature 0.

    Args:
        name: "ollama:" and a model of an Ollama server, such as "ollama:qwen2.5-coder:7b" (seed 0); or
            "provider:model" as LangChain's ``init_chat_model`` takes it.
        base_url: Where Ollama answers; ``OLLAMA_HOST`` by default.
        limits: Of each call.

    Raises:
        InvalidInputError: If the name has no provider.
        MissingDependencyError: If the provider's package is not installed.
    """
    limits = limits or Limits()
    provider, _, model = name.partition(":")
    if not (provider and model):
        raise InvalidInputError(f"{name!r} names no chat model; such as ollama:qwen2.5-coder:7b, or provider:model")
    if provider != "ollama":
        return _of_provider(name, limits)
    try:
        from langchain_ollama import ChatOllama
    except ImportError as error:
        raise MissingDependencyError(
            f"{name} needs langchain-ollama: pip install 'memstrata-integrations[ollama]'"
        ) from error
    return ChatOllama(
        model=model,
        base_url=base_url,
        temperature=0,
        seed=0,
        num_predict=limits.max_tokens,
        num_ctx=limits.context,
        # a proxy must not see what goes to a server on this machine
        client_kwargs={"trust_env": False, "timeout": limits.timeout},
    )


def _of_provider(model: str, limits: Limits) -> BaseChatModel:
    try:
        from langchain.chat_models import init_chat_model

        return init_chat_model(model, temperature=0, max_tokens=limits.max_tokens, timeout=limits.timeout)
    except ImportError as error:
        raise MissingDependencyError(f"{model} needs the package langchain and its provider's: {error}") from error
    except ValueError as error:
        raise InvalidInputError(f"{model!r} names no chat model ({error}); such as ollama:qwen2.5-coder:7b") from error


def _read(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON object in an answer; a code fence or a sentence around it is left out.

    Raises:
        ValueError: If there is none by the schema.
    """
    found: Any = json.loads(text[text.find("{") : text.rfind("}") + 1])
    try:
        jsonschema.validate(found, schema)
    except jsonschema.ValidationError as wrong:
        raise ValueError(wrong.message) from wrong
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")
    return found


def _digest(*parts: object) -> bytes:
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()
