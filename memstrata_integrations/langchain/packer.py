"""A LangChain runnable that turns retrieved documents into a context block within a budget of tokens."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import ConfigDict
from typing_extensions import override

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.packing import check_budget, pack

PackerInput = Sequence[Document] | Mapping[str, Any]


class Packer(RunnableSerializable[PackerInput, str]):
    """Packs documents into one text that never exceeds a budget of tokens, by the rules of `pack`.

    It stands behind a retriever, where `format_docs` stands in most chains. Of documents alone, position decides what
    goes when the budget is short; of ``{"context": documents, "question": text}``, as retrieval chains have it (under
    `documents_key` and `question_key`; the question may be missing), the words of the question do. The other arguments
    are those of `pack`; `llm.get_num_tokens` fits as `count_tokens`.

    Example:
        ```python
        chain = {"context": retriever | Packer(budget=1500), "question": RunnablePassthrough()} | prompt | model
        # or, so that the question decides what is kept
        packed = RunnablePassthrough.assign(context=Packer(budget=1500))
        chain = {"context": retriever, "question": RunnablePassthrough()} | packed | prompt | model
        ```
    """

    budget: int = 2000
    count_tokens: Callable[[str], int] | None = None
    sources: bool = True
    dates: bool = False
    separator: str = "\n\n"
    documents_key: str = "context"
    question_key: str = "question"

    model_config = ConfigDict(extra="forbid")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "budget": check_budget(kwargs.get("budget", 2000))})

    @override
    def invoke(self, input: PackerInput, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Return the context block of a list of documents, best first, or of a mapping that holds one."""
        return self._call_with_config(self._pack, input, config, **kwargs)

    def _pack(self, given: PackerInput) -> str:
        found = given if isinstance(given, Mapping) else {self.documents_key: given}
        if self.documents_key not in found:
            raise InvalidInputError(
                f"Packer looks for documents under {self.documents_key!r}, got {sorted(found)}; set documents_key="
            )
        question = found.get(self.question_key)
        options = {name: getattr(self, name) for name in ("budget", "count_tokens", "sources", "dates", "separator")}
        return pack(found[self.documents_key], query=question if isinstance(question, str) else None, **options)
