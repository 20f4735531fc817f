"""A LangChain runnable that turns retrieved documents into a context block within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import ConfigDict
from typing_extensions import override

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.packing.block import check_budget, pack

__all__ = ["Packer"]

PackerInput = Sequence[Document] | Mapping[str, Any]


class Packer(RunnableSerializable[PackerInput, str]):
    """Packs documents into one text that never exceeds a budget of tokens.

    It stands behind a retriever, where `format_docs` stands in most chains. What it keeps and
    what it drops is said in `memstrata_integrations.packing.block.pack`.

    Args of the constructor are those of `pack`: `budget`, `count_tokens`, `sources`, `dates`,
    `separator`. For documents alone, position decides what goes when the budget is short; give
    ``{"context": documents, "question": text}``, as retrieval chains have it, and the words of the
    question do.

    Example:
        ```python
        from memstrata_integrations.langchain import Packer

        chain = (
            {"context": retriever | Packer(budget=1500), "question": RunnablePassthrough()}
            | prompt
            | model
        )
        # or, so that the question decides what is kept
        packed = RunnablePassthrough.assign(context=Packer(budget=1500))
        chain = {"context": retriever, "question": RunnablePassthrough()} | packed | prompt | model
        ```
    """

    budget: int = 2000
    """The most tokens the block may have."""

    count_tokens: Callable[[str], int] | None = None
    """Returns the number of tokens of a text; by default an upper estimate (`llm.get_num_tokens` fits)."""

    sources: bool = True
    """Name the source above its statements."""

    dates: bool = False
    """Say from and until when a document is valid; needs a store with ``show_validity=True``."""

    separator: str = "\n\n"
    """What stands between sources."""

    documents_key: str = "context"
    """Where the documents are if the input is a mapping."""

    question_key: str = "question"
    """Where the question is if the input is a mapping; it may be missing."""

    model_config = ConfigDict(extra="forbid")

    def __init__(self, **kwargs: Any) -> None:
        """Check the budget.

        Raises:
            InvalidInputError: If it is no positive integer.
        """
        if "budget" in kwargs:
            kwargs["budget"] = check_budget(kwargs["budget"])
        super().__init__(**kwargs)

    @override
    def invoke(self, input: PackerInput, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Return the context block of documents, best first.

        Raises:
            InvalidInputError: If the input is no list of documents, and no mapping that holds one.
        """
        return self._call_with_config(self._pack, input, config, **kwargs)

    def _pack(self, given: PackerInput) -> str:
        documents: Any = given
        question: Any = None
        if isinstance(given, Mapping):
            if self.documents_key not in given:
                raise InvalidInputError(
                    f"Packer looks for documents under {self.documents_key!r} and got {sorted(given)}; "
                    "set documents_key="
                )
            documents, question = given[self.documents_key], given.get(self.question_key)
        return pack(
            documents,
            budget=self.budget,
            query=question if isinstance(question, str) else None,
            count_tokens=self.count_tokens,
            sources=self.sources,
            dates=self.dates,
            separator=self.separator,
        )
