"""Asking a language model, whichever framework it comes from; none of them is imported here."""

from __future__ import annotations

import asyncio
import contextvars
import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from typing import Any, Literal, NamedTuple

from memstrata_integrations.errors import InvalidInputError, MemstrataError

__all__ = ["ChatModel", "ExtractionError", "Failure", "Message", "from_llama_index", "read_failure"]

Message = tuple[Literal["system", "human", "ai"], str]

_UNREACHABLE = frozenset(("TransportError", "APIConnectionError", "ConnectError", "ConnectionError"))
_TRANSIENT_STATUS = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
# What makes two models answer differently, by the names that LangChain and LlamaIndex classes give it
_NAMES = ("model", "model_name", "model_id", "deployment_name", "azure_deployment", "repo_id")
_PARAMETERS = (
    *("temperature", "seed", "top_p", "top_k", "min_p", "num_ctx", "num_predict", "max_tokens", "repeat_penalty"),
    *("repeat_last_n", "tfs_z", "mirostat", "mirostat_eta", "mirostat_tau", "presence_penalty", "frequency_penalty"),
    *("stop", "reasoning", "thinking", "format", "json_mode", "context_window", "additional_kwargs", "model_kwargs"),
    *("base_url", "api_base", "endpoint", "system_prompt"),
)
# Fields that change no answer, or that nobody else may see
_UNTOLD = re.compile(
    r"api_?key|secret|password|credential|(?:access|auth|bearer|hub|api)_?token|authori[sz]ation|headers|client|callback|rate_limiter"
    r"|^(?:name|cache|verbose|tags|metadata|profile|keep_alive|validate_\w+|custom_get_token_ids|custom_\w+_type"
    r"|disable_streaming|streaming|(?:request_)?timeout|max_retries|http_\w+|config|config_factories)$",
    re.IGNORECASE,
)
_MOST_NESTED = 12


class ExtractionError(MemstrataError):
    """A model could not be asked, or gave no answer that can be read; the message says what to do."""


class Failure(NamedTuple):
    """Why a request failed.

    Attributes:
        kind: "unreachable", "timeout", "missing" (no such model), "server", or "error".
        transient: Whether asking again may help.
        message: What happened and the way out.
    """

    kind: Literal["unreachable", "timeout", "missing", "server", "error"]
    transient: bool
    message: str


class ChatModel:
    """One way to ask for the two kinds of models.

    LangChain chat models and runnables are asked by ``invoke`` and ``ainvoke``, LlamaIndex LLMs
    by ``complete`` and ``acomplete``. ``ChatOllama`` gets the JSON schema of the answer as its
    ``format``, unless it has one of its own; other models are held to JSON by the prompt alone.
    """

    def __init__(self, model: Any, schema: Mapping[str, Any] | None, timeout: float | None = None) -> None:
        """Wrap `model`.

        Args:
            model: The model.
            schema: JSON schema of the answer.
            timeout: Seconds to wait for one answer, `None` for as long as the model's own client does.

        Raises:
            InvalidInputError: If the object is neither kind of model.
        """
        self.model = model
        self._timeout = timeout
        self._llama = not callable(getattr(model, "invoke", None))
        if self._llama and not callable(getattr(model, "complete", None)):
            raise InvalidInputError(
                f"{model!r} is no chat model: accepted are LangChain chat models (with invoke) and LlamaIndex LLMs "
                "(with complete)"
            )
        bare = _unbound(model)
        self._ollama = any(c.__name__ in ("ChatOllama", "Ollama") for c in type(bare).__mro__)
        self._options: dict[str, Any] = {}
        if not self._llama and self._ollama and schema is not None and not _bound(model).get("format"):
            self._options = {"format": dict(schema)} if not getattr(bare, "format", None) else {}
        self.name = str(next((v for n in _NAMES if (v := _attribute(bare, n))), type(bare).__name__))

    def identity(self) -> str | None:
        """Return what answers depend on besides the question: classes, models, parameters; sorted JSON, no secrets.

        `None` if that cannot be told: of a function, or of an object that names no model.
        """
        try:
            told = _told(self.model, 0)
        except _UnknownError:
            return None
        return json.dumps([told, self._options], sort_keys=True, default=repr)

    def ask(self, messages: Sequence[Message]) -> str:
        """Return the model's answer as text.

        Raises:
            TimeoutError: If it takes longer than the time limit.
        """
        if self._timeout is None:
            return self._ask(messages)
        # A daemon thread: one that never returns must not keep the process alive
        answers: list[str] = []
        errors: list[BaseException] = []

        def run() -> None:
            try:
                answers.append(self._ask(messages))
            except BaseException as error:  # it is raised again by the caller's thread
                errors.append(error)

        context = contextvars.copy_context()
        worker = threading.Thread(target=context.run, args=(run,), daemon=True, name="memstrata-model")
        worker.start()
        worker.join(self._timeout)
        if errors:
            raise errors[0]
        if not answers:
            raise TimeoutError(f"no answer within {self._timeout} s")
        return answers[0]

    async def aask(self, messages: Sequence[Message]) -> str:
        """Return what `ask` does, without blocking the event loop."""
        return await asyncio.wait_for(self._aask(messages), self._timeout)

    def _ask(self, messages: Sequence[Message]) -> str:
        if self._llama:
            return _text(self.model.complete(_flat(messages)))
        return _text(self.model.invoke(list(messages), **self._options))

    async def _aask(self, messages: Sequence[Message]) -> str:
        if self._llama:
            if callable(getattr(self.model, "acomplete", None)):
                return _text(await self.model.acomplete(_flat(messages)))
        elif callable(getattr(self.model, "ainvoke", None)):
            return _text(await self.model.ainvoke(list(messages), **self._options))
        return await asyncio.to_thread(self._ask, messages)

    def failure(self, error: BaseException) -> Failure:
        """Say what an exception of a request means, and what to do."""
        return read_failure(error, self.name, ollama=self._ollama, address=_attribute(_unbound(self.model), "base_url"))

    def __repr__(self) -> str:
        return f"{type(_unbound(self.model)).__name__}({self.name!r})"


def from_llama_index(llm: Any) -> Any:
    """Return a LlamaIndex LLM in the shape of a LangChain chat model: an object with ``invoke`` and ``ainvoke``.

    `LLMExtractor` takes LlamaIndex LLMs as they are; this is for code that wants the other shape.
    """
    return _Invokable(llm)


class _Invokable:
    """A LlamaIndex LLM that can be invoked."""

    def __init__(self, llm: Any) -> None:
        if not callable(getattr(llm, "complete", None)):
            raise InvalidInputError(f"{llm!r} is no LlamaIndex LLM: it has no method complete(prompt)")
        self.bound = llm
        self.kwargs: dict[str, Any] = {}
        self._model = ChatModel(llm, None)

    def invoke(self, messages: Sequence[Message] | str, **options: Any) -> str:
        """Return the answer as text."""
        return self._model.ask([("human", messages)] if isinstance(messages, str) else messages)

    async def ainvoke(self, messages: Sequence[Message] | str, **options: Any) -> str:
        """Return the answer as text."""
        return await self._model.aask([("human", messages)] if isinstance(messages, str) else messages)


def read_failure(error: BaseException, model: str, *, ollama: bool = False, address: Any = None) -> Failure:
    """Say what an exception of a request means, by its type and status, never by another library's text.

    Args:
        error: What was raised.
        model: The model's name, for the message.
        ollama: Whether an Ollama server was asked.
        address: Where, if it is known.
    """
    kinds = {c.__name__ for c in type(error).__mro__}
    told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    where = f" at {address}" if address else ""
    status = getattr(error, "status_code", None)
    if isinstance(error, TimeoutError) or any("Timeout" in k for k in kinds):
        return Failure(
            "timeout",
            True,
            f"{model!r}{where} gave no answer in time ({told}): allow it more with timeout= or in its client, or ask "
            "for less at once with a smaller batch_size=",
        )
    if isinstance(error, ConnectionError) or kinds & _UNREACHABLE:
        start = "`ollama serve` starts it, and " if ollama else ""
        return Failure(
            "unreachable",
            True,
            f"the server of {model!r}{where} cannot be reached ({told}): is it running? {start}base_url= says where",
        )
    if status == 404:
        pull = f"`ollama pull {model}` gets it" if ollama else "check its name"
        return Failure("missing", False, f"the server{where} has no model {model!r} ({told}): {pull}")
    if status in _TRANSIENT_STATUS:
        return Failure("server", True, f"the server of {model!r}{where} failed ({told}): look at its log")
    return Failure("error", False, f"asking {model!r}{where} failed ({told})")


class _UnknownError(Exception):
    """Something does not tell what it is."""


def _told(model: Any, depth: int) -> Any:
    """Return what a model, or a chain of runnables around one, says about itself.

    Raises:
        _UnknownError: If a part of it says nothing: a function may be any other one tomorrow.
    """
    kind = f"{type(model).__module__}.{type(model).__qualname__}"
    if depth > _MOST_NESTED or callable(getattr(model, "func", None)) or callable(getattr(model, "afunc", None)):
        raise _UnknownError(kind)
    steps = getattr(model, "steps", None)
    if isinstance(steps, Sequence):
        return [kind, [_told(step, depth + 1) for step in steps]]
    if (bound := getattr(model, "bound", None)) is not None:
        return [kind, _told(bound, depth + 1), _plain(getattr(model, "kwargs", None), depth), _chosen(model, depth)]
    if (runnable := getattr(model, "runnable", None)) is not None:
        fallbacks = getattr(model, "fallbacks", None) or ()
        return [kind, _told(runnable, depth + 1), [_told(f, depth + 1) for f in fallbacks]]
    told = {n: v for n in (*_NAMES, *_PARAMETERS) if (v := _attribute(model, n)) is not None}
    fields = getattr(type(model), "model_fields", None)
    if isinstance(fields, Mapping):  # pydantic's
        told |= {n: getattr(model, n, None) for n in fields}
    if isinstance(own := getattr(model, "_identifying_params", None), Mapping):
        told |= own
    held = {**told, **(getattr(model, "__pydantic_private__", None) or {})}
    within = [_told(part, depth + 1) for part in held.values() if callable(getattr(part, "invoke", None))]
    if (metadata := getattr(model, "metadata", None)) is not None and callable(getattr(model, "complete", None)):
        told["metadata model name"] = getattr(metadata, "model_name", None)
    if not told and not isinstance(fields, Mapping):
        raise _UnknownError(kind)
    return [kind, _plain(told, depth), within, _chosen(model, depth)]


def _chosen(model: Any, depth: int) -> Any:
    """Return what was chosen of a configurable model: ``with_config(configurable={"model": ...})``."""
    config = getattr(model, "config", None)
    return _plain(config.get("configurable"), depth) if isinstance(config, Mapping) else None


def _plain(value: Any, depth: int) -> Any:
    """Return a value as JSON, without what is secret; an object by what it says about itself."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if depth > _MOST_NESTED:
        raise _UnknownError
    if isinstance(value, Mapping):
        return {str(k): _plain(v, depth + 1) for k, v in value.items() if not _UNTOLD.search(str(k))}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(v, depth + 1) for v in value]
    if isinstance(value, type) or (callable(value) and not callable(getattr(value, "invoke", None))):
        name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
        if "<lambda>" in name or "<locals>" in name or name == ".":
            raise _UnknownError(name)
        return name
    if callable(getattr(value, "get_secret_value", None)):
        return None
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name), depth + 1) for f in fields_of(value)}
    if isinstance(getattr(type(value), "model_fields", None), Mapping) or callable(getattr(value, "invoke", None)):
        return _told(value, depth + 1)
    return f"{type(value).__module__}.{type(value).__qualname__}: {getattr(value, 'value', '')}"


def _flat(messages: Sequence[Message]) -> str:
    """Return a conversation as one prompt."""
    told = {"system": "", "human": "", "ai": "You answered:\n"}
    return "\n\n".join(told[role] + text for role, text in messages)


def _text(answer: Any) -> str:
    """Return the text of an answer: a string, a message, a completion, or what a structured output was parsed to."""
    if isinstance(answer, Mapping):
        parsed = answer.get("parsed")
        return json.dumps(answer, default=repr) if parsed is None else _text(parsed)
    content = getattr(answer, "content", None)
    if content is None:
        if callable(dump := getattr(answer, "model_dump", None)) and not hasattr(answer, "text"):
            return json.dumps(dump(), default=repr)
        content = getattr(answer, "text", answer)
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):  # blocks of a message: text, thoughts, tool calls
        parts = [b if isinstance(b, str) else b.get("text", "") for b in content if isinstance(b, (str, Mapping))]
        return "".join(p for p in parts if isinstance(p, str))
    return str(content)


def _unbound(model: Any) -> Any:
    """Return the model itself beneath ``bind`` and ``with_config``."""
    for _ in range(8):
        inner = getattr(model, "bound", None)
        if inner is None:
            break
        model = inner
    return model


def _bound(model: Any) -> dict[str, Any]:
    """Return the arguments that ``bind`` fixed."""
    found: dict[str, Any] = {}
    for _ in range(8):
        inner = getattr(model, "bound", None)
        if inner is None:
            break
        kwargs = getattr(model, "kwargs", None)
        found = {**(kwargs if isinstance(kwargs, Mapping) else {}), **found}
        model = inner
    return found


def _attribute(model: Any, name: str) -> Any:
    found = getattr(model, name, None)
    return None if callable(found) else found
