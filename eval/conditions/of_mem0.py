"""mem0 as a memory under test: ``--condition eval.conditions.of_mem0:Mem0``, with the extra ``eval-mem0``."""

import os
from collections.abc import Sequence
from datetime import datetime
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from langchain_core.embeddings import Embeddings

from eval.conditions.settings import Settings
from eval.spec import Passage, Roles, Turn
from memstrata_integrations.errors import MissingDependencyError

_WHOSE = {"user_id": "eval"}
_ALL = 100_000


class Mem0:
    """mem0's ``Memory`` as ``pip install mem0ai`` gives it, over its default store, told turn by turn.

    It embeds with the run's embedding and asks the run's answering model. Without a model it stores each turn as it is,
    which leaves nothing of mem0 but its retrieval. ``as_of`` is ignored: the open-source version has none.
    """

    name = "mem0"

    def __init__(self, embedding: Embeddings, roles: Roles, settings: Settings) -> None:
        os.environ.setdefault("MEM0_TELEMETRY", "False")  # read when it is imported
        try:
            from mem0 import Memory
        except ImportError as error:
            raise MissingDependencyError(f"pip install 'memstrata-integrations[eval-mem0]' ({error})") from error
        self._folder = TemporaryDirectory()
        replaced = {"provider": "openai", "config": {"api_key": "unused"}}
        size = len(embedding.embed_query("size"))
        vectors = {"collection_name": "eval", "path": f"{self._folder.name}/vectors", "embedding_model_dims": size}
        config = {"llm": replaced, "embedder": replaced, "vector_store": {"provider": "qdrant", "config": vectors}}
        self._memory = Memory.from_config({**config, "history_db_path": f"{self._folder.name}/history.db"})
        self._memory.embedding_model = SimpleNamespace(
            embed=lambda text, action=None: embedding.embed_query(text),
            embed_batch=lambda texts, action=None: embedding.embed_documents(texts),
        )
        ask = roles.ask
        self._infer = ask is not None
        if ask is not None:  # an answer that cannot be had or read is empty, which mem0 takes for nothing to remember
            self._memory.llm = SimpleNamespace(
                generate_response=lambda messages, **_: ask([(m["role"], m["content"]) for m in messages]) or ""
            )
        self._turns: dict[str, list[str]] = {}

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Add the turns, one after the other; what mem0 makes of one comes from it."""
        for turn in turns:
            for made in self._memory.add(turn.text, infer=self._infer, **_WHOSE)["results"]:
                self._turns.setdefault(made["id"], []).append(turn.id)

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` best, in mem0's order."""
        return self._passages(self._memory.search(question, top_k=k, filters=dict(_WHOSE), threshold=0.0))

    def active(self) -> list[Passage]:
        """Return every memory."""
        return self._passages(self._memory.get_all(filters=dict(_WHOSE), top_k=_ALL))

    def close(self) -> None:
        """Close the store and delete it."""
        self._memory.close()
        self._folder.cleanup()

    def _passages(self, found: dict[str, Any]) -> list[Passage]:
        return [Passage(one["memory"], tuple(self._turns.get(one["id"], ()))) for one in found["results"]]
