"""Asking a chat model by a prompt and reading its JSON answer, or finding that it cannot be read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema  # type: ignore[import-untyped]
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from eval.metrics import estimate_tokens
from eval.spec import Spent
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from memstrata_integrations.prompts import Prompt

__all__ = ["AskedModel", "asked_model", "chat_model"]

_TIMEOUT = 600  # seconds for one answer of a local server
_UNREACHABLE = frozenset(("ConnectionError", "TransportError", "APIConnectionError", "TimeoutError"))
_NOT_FOUND = 404

Message = tuple[str, str]


class AskedModel:
    """A chat model that answers by the JSON schema of a prompt.

    ``ChatOllama`` gets the schema as its ``format``; another model that can, answers by ``with_structured_output``; the
    rest are held to it by the prompt alone. An answer that is not JSON by the schema is asked for once more.

    Args:
        model: The chat model.
        name: As in tables and manifests.
    """

    def __init__(self, model: BaseChatModel, name: str) -> None:
        self.name = name
        self._model = model
        self._ollama = type(model).__module__.startswith("langchain_ollama")

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
        """Return the answer to a prompt, or `None` if it cannot be read, not even the second time.

        Args:
            prompt: What is asked for.
            told: What it is asked about.
            spent: Where calls and tokens are counted.
            marks: What the prompt's text is filled in with.

        Raises:
            MissingDependencyError: If the model does not answer at all.
        """
        messages: list[Message] = [("system", prompt.render(**marks)), ("human", told)]
        for _ in range(2):
            text, tokens = self._answer(messages, prompt)
            if spent is not None:
                spent.add(1, tokens)
            try:
                return _read(text, prompt.schema or {})
            except ValueError as unreadable:
                again = f"That cannot be read: {unreadable}. Answer once more, with JSON as asked for and nothing else."
                messages = [*messages, ("ai", text), ("human", again)]
        return None

    def _answer(self, messages: list[Message], prompt: Prompt) -> tuple[str, int]:
        try:
            message = self._invoke(messages, prompt)
        except Exception as error:  # the models' clients have no common root
            raise self._unavailable(error) from error
        text = json.dumps(message.tool_calls[0]["args"]) if message.tool_calls else str(message.text)
        usage = message.usage_metadata
        estimate = estimate_tokens(" ".join(said for _, said in messages)) + estimate_tokens(text)
        return text, usage["total_tokens"] if usage else estimate

    def _invoke(self, messages: list[Message], prompt: Prompt) -> AIMessage:
        schema = dict(prompt.schema or {})
        if self._ollama:
            return self._model.invoke(messages, format=schema)
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
        if not _UNREACHABLE.isdisjoint(kind.__name__ for kind in type(error).__mro__):
            way_out = "`ollama serve` starts it, and " if self._ollama else ""
            return MissingDependencyError(
                f"the server of {self.name} cannot be reached ({told}): is it running? {way_out}--base-url says where "
                "it is; without --llm a run needs no server"
            )
        return MissingDependencyError(f"{self.name} gave no answer ({told}); without --llm a run needs no model")


def asked_model(model: str | BaseChatModel, *, base_url: str | None = None) -> AskedModel:
    """Return a model to ask: one that is given, or the one that `chat_model` makes of a name."""
    if isinstance(model, BaseChatModel):
        return AskedModel(model, f"{type(model).__name__}:{getattr(model, 'model', None) or 'unnamed'}")
    return AskedModel(chat_model(model, base_url=base_url), model)


def chat_model(name: str, *, base_url: str | None = None) -> BaseChatModel:
    """Return a chat model at temperature 0.

    Args:
        name: "ollama:" and a model of an Ollama server, such as "ollama:qwen2.5-coder:7b" (seed 0); or
            "provider:model" as LangChain's ``init_chat_model`` takes it.
        base_url: Where Ollama answers; ``OLLAMA_HOST`` by default.

    Raises:
        InvalidInputError: If the name has no provider.
        MissingDependencyError: If the provider's package is not installed.
    """
    provider, _, model = name.partition(":")
    if not (provider and model):
        raise InvalidInputError(f"{name!r} names no chat model; such as ollama:qwen2.5-coder:7b, or provider:model")
    if provider != "ollama":
        return _of_provider(name)
    try:
        from langchain_ollama import ChatOllama
    except ImportError as error:
        raise MissingDependencyError(
            f"{name} needs langchain-ollama: pip install 'memstrata-integrations[ollama]'"
        ) from error
    options = {"trust_env": False, "timeout": _TIMEOUT}  # a proxy must not see what goes to a server on this machine
    return ChatOllama(model=model, base_url=base_url, temperature=0, seed=0, client_kwargs=options)


def _of_provider(model: str) -> BaseChatModel:
    try:
        from langchain.chat_models import init_chat_model

        return init_chat_model(model, temperature=0)
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
