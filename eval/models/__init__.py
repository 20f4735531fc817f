"""The roles that a language model plays in an evaluation, and their deterministic stand-ins; embeddings."""

from __future__ import annotations

from eval.models.asking import chat_model
from eval.models.chat import chat_roles
from eval.models.counted import counted
from eval.models.embedders import embedder
from eval.models.offline import offline_roles

__all__ = ["chat_model", "chat_roles", "counted", "embedder", "offline_roles"]
