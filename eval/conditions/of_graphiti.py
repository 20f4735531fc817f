"""Graphiti as a memory under test: ``--condition eval.conditions.of_graphiti:Graphiti``, extra ``eval-graphiti``."""

import asyncio
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timezone
from typing import Any

from langchain_core.embeddings import Embeddings
from pydantic import BaseModel, ValidationError

from eval.conditions.settings import Settings
from eval.conditions.told_dates import ToldDates
from eval.spec import Passage, Roles, Trouble, Turn
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError

os.environ.setdefault("GRAPHITI_TELEMETRY_ENABLED", "false")  # read when it is imported
try:
    import graphiti_core
    from graphiti_core.cross_encoder.client import CrossEncoderClient
    from graphiti_core.driver.kuzu_driver import KuzuDriver
    from graphiti_core.edges import EntityEdge
    from graphiti_core.embedder import EmbedderClient
    from graphiti_core.llm_client import LLMClient
    from graphiti_core.search.search_filters import ComparisonOperator, DateFilter, SearchFilters
except ImportError as error:
    raise MissingDependencyError(f"pip install 'memstrata-integrations[eval-graphiti]' ({error})") from error


class Graphiti:
    """Graphiti over an embedded Kuzu database, told turn by turn, each with its date, or one by the order of telling.

    It embeds with the run's embedding and asks the run's answering model; without one it can read nothing. What it
    serves are the facts that hold, now or at ``as_of``, by its own search and its own filters on dates.
    """

    name = "graphiti"

    def __init__(self, embedding: Embeddings, roles: Roles, settings: Settings) -> None:
        if roles.ask is None:
            raise InvalidInputError("graphiti reads every text by a model: give --llm ollama:MODEL")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The Kuzu backend is deprecated")
            self._driver = KuzuDriver()
        self._graph = graphiti_core.Graphiti(
            graph_driver=self._driver, llm_client=_Asked(roles), embedder=_Embedded(embedding), cross_encoder=_Unused()
        )
        self._loop = asyncio.new_event_loop()
        # Graphiti's own call makes no index of words with Kuzu, and no search works without
        self._loop.run_until_complete(self._driver.graph_ops.build_indices_and_constraints(self._driver))
        self._dates = ToldDates()
        self._turns: dict[str, str] = {}

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Add the turns, one after the other; of one whose answers are missing or of no use nothing is remembered."""
        for turn, date in zip(turns, self._dates.of(turns), strict=True):
            added = self._graph.add_episode(turn.id, turn.text, "a turn", reference_time=date)
            try:
                self._turns[self._loop.run_until_complete(added).episode.uuid] = turn.id
            except ValidationError:
                continue

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` best facts that hold then, in Graphiti's order."""
        at = as_of or self._dates.now
        since = [[_date("<=", at)], [DateFilter(comparison_operator=ComparisonOperator.is_null)]]
        until = [[_date(">", at)], [DateFilter(comparison_operator=ComparisonOperator.is_null)]]
        held = SearchFilters(valid_at=since, invalid_at=until)
        found = self._graph.search(question, num_results=k, search_filter=held)
        return self._passages(self._loop.run_until_complete(found))

    def active(self) -> list[Passage]:
        """Return every fact that has no end, or a later one."""
        if not self._turns:
            return []
        found = self._loop.run_until_complete(self._graph.edges.entity.get_by_group_ids([""]))
        ends = ((edge, edge.invalid_at) for edge in found)
        now = self._dates.now
        return self._passages(edge for edge, end in ends if end is None or end.replace(tzinfo=timezone.utc) > now)

    def close(self) -> None:
        """Close the database, which is in memory."""
        self._driver.client.close()
        self._driver.db.close()
        self._loop.close()

    def _passages(self, edges: Iterable[EntityEdge]) -> list[Passage]:
        return [Passage(edge.fact, tuple(self._turns[one] for one in edge.episodes)) for edge in edges]


def _date(operator: str, at: datetime) -> DateFilter:
    return DateFilter(date=at, comparison_operator=ComparisonOperator(operator))


class _Asked(LLMClient):
    def __init__(self, roles: Roles) -> None:
        super().__init__(None)
        self._roles = roles

    async def _generate_response(
        self, messages: Any, response_model: type[BaseModel] | None = None, *_: Any, **__: Any
    ) -> dict[str, Any]:
        """Return an answer by the schema that is asked for, or raise ``ValidationError``."""
        ask: Callable[..., str | None] = self._roles.ask
        text = ask([(message.role, message.content) for message in messages])
        try:
            return response_model.model_validate_json(text or "").model_dump()
        except ValidationError as error:
            if text is not None:
                why = f"no {response_model.__name__}: {error.errors()[0]['msg']}"
                self._roles.troubles.append(Trouble("graphiti", why[:200]))
            raise


class _Embedded(EmbedderClient):
    def __init__(self, embedding: Embeddings) -> None:
        self._embedding = embedding

    async def create(self, input_data: str | list[str]) -> list[float]:
        text = input_data if isinstance(input_data, str) else input_data[0]
        return self._embedding.embed_query(text)

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        return self._embedding.embed_documents(input_data_list)


class _Unused(CrossEncoderClient):
    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        raise NotImplementedError("Graphiti's basic search has no cross encoder")
