"""Counting what a chat model spends where somebody else calls it."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from eval.metrics import estimate_tokens
from eval.spec import Spent

__all__ = ["counted"]


class _Count(BaseCallbackHandler):
    """Adds each answer's call and tokens to `spent`; tokens are estimated where the model gives no usage."""

    def __init__(self, spent: Spent) -> None:
        self._spent = spent
        self._told: dict[Any, int] = {}

    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], *, run_id: Any, **kwargs: Any
    ) -> None:
        """Remember how long the question is."""
        self._told[run_id] = sum(estimate_tokens(str(m.text)) for batch in messages for m in batch)

    def on_llm_end(self, response: LLMResult, *, run_id: Any, **kwargs: Any) -> None:
        """Count the answer."""
        told = self._told.pop(run_id, 0)
        for generation in (g for batch in response.generations for g in batch):
            usage = (
                getattr(generation.message, "usage_metadata", None) if isinstance(generation, ChatGeneration) else None
            )
            self._spent.add(1, usage["total_tokens"] if usage else told + estimate_tokens(generation.text))


def counted(model: BaseChatModel, spent: Spent) -> BaseChatModel:
    """Return the model, whose calls are counted in `spent` from now on."""
    callbacks = model.callbacks
    kept = list(callbacks) if isinstance(callbacks, list) else []
    return model.model_copy(update={"callbacks": [*kept, _Count(spent)]})
