"""The roles that a language model plays in an evaluation, and their deterministic stand-ins; embeddings."""

from eval.models.asking import Asking, Limits, asked_model, reading
from eval.models.chat import chat_roles
from eval.models.embedders import embedder
from eval.models.offline import offline_roles

__all__ = ["Asking", "Limits", "asked_model", "chat_roles", "embedder", "offline_roles", "reading"]
