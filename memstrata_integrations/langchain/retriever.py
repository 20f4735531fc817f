"""The LangChain retriever that can ask about the past."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config
from langchain_core.runnables.utils import ConfigurableFieldSpec
from langchain_core.vectorstores import VectorStoreRetriever
from pydantic import model_validator
from typing_extensions import override

from memstrata_integrations.chroma.surface import TimeSurface
from memstrata_integrations.context import ambient
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.time import format_time


class TemporalRetriever(VectorStoreRetriever):
    """Retriever over a `TemporalVectorStore` that can ask about the past.

    The time asked about is, in this order: the keyword ``as_of`` of the call, the configurable ``as_of`` of the config,
    ``search_kwargs``, the field, ``with as_of(t):``, now. The same holds for ``known_at``.

    Example:
        ```python
        retriever = TemporalRetriever(vectorstore=store, k=4)
        retriever.invoke("Which port?", as_of="2024-03-01")
        retriever.with_config(configurable={"as_of": "2024-03-01"}).invoke("Which port?")
        ```
    """

    k: int | None = None
    """How many documents to return; by default as `search_kwargs` or the store says."""

    as_of: Any = None
    """Valid time that is asked about."""

    known_at: Any = None
    """Transaction time that is asked about."""

    scope: Mapping[str, Any] | None = None
    """Whose knowledge is asked for, in a store with ``scope=``."""

    include_superseded: bool = False
    """Return what is not valid, too."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_misspelt(cls, given: Any) -> Any:
        """Refuse a misspelt time, which pydantic would drop, and the answer would be for now."""
        for name in given if isinstance(given, dict) else ():
            near = get_close_matches(str(name).lower(), ("as_of", "known_at", "include_superseded"), n=1, cutoff=0.75)
            if near and name not in cls.model_fields:
                raise InvalidInputError(f"{name}={given[name]!r} is no argument; did you mean {near[0]}=?")
        return given

    _CONFIGURABLE: ClassVar[dict[str, tuple[str, str]]] = {
        "as_of": ("As of", "Valid time that is asked about: datetime, date, ISO 8601 text or epoch seconds."),
        "known_at": ("Known at", "Transaction time that is asked about."),
    }

    @property
    @override
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        """What ``with_config(configurable=...)`` may set."""
        told = self._CONFIGURABLE.items()
        return [*super().config_specs, *(ConfigurableFieldSpec(i, Any, name, about) for i, (name, about) in told)]

    def _asked(self, config: RunnableConfig | None, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the keywords with the times that the config names."""
        configurable = ensure_config(config).get("configurable") or {}
        named = {n: configurable[n] for n in self._CONFIGURABLE if configurable.get(n) is not None}
        return _merged(named, kwargs)

    def _search_arguments(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Merge fields, search_kwargs and the call's keywords, the last first."""
        fields = {"k": self.k, "as_of": self.as_of, "known_at": self.known_at, "scope": self.scope}
        fields["include_superseded"] = self.include_superseded or None
        return _merged({k: v for k, v in fields.items() if v is not None}, self.search_kwargs, kwargs)

    @override
    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Return documents for a query; ``as_of``, ``known_at``, ``k`` and search keywords may be given."""
        return super().invoke(input, config, **self._asked(config, kwargs))

    @override
    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Like `invoke`, asynchronously."""
        return await super().ainvoke(input, config, **self._asked(config, kwargs))

    @override
    def _get_ls_params(self, **kwargs: Any) -> Any:
        """Add the times that are asked about to the run's tracing metadata."""
        asked = self._search_arguments(kwargs)
        params: dict[str, Any] = dict(super()._get_ls_params(**kwargs))
        for name, around in zip(self._CONFIGURABLE, ambient(), strict=True):
            if asked.get(name) is not None:
                params[name] = str(asked[name])
            elif around is not None:
                params[name] = format_time(around)
        return params

    @override
    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        return super()._get_relevant_documents(query, run_manager=run_manager, **self._call_arguments(kwargs))

    @override
    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        return await super()._aget_relevant_documents(query, run_manager=run_manager, **self._call_arguments(kwargs))

    def _call_arguments(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        if not isinstance(self.vectorstore, TimeSurface):
            raise InvalidInputError(
                f"TemporalRetriever needs a TemporalVectorStore, got {type(self.vectorstore).__name__}"
            )
        return self._search_arguments(kwargs)


def _merged(*sources: Mapping[str, Any]) -> dict[str, Any]:
    """Return all keywords, later ones before earlier ones; `None` goes before nothing."""
    merged: dict[str, Any] = {}
    for given in sources:
        merged.update({k: v for k, v in given.items() if v is not None or k not in merged})
    return merged
