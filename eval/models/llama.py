"""A LlamaIndex LLM in front of the rerank role, so that the stock `LLMRerank` can be used as it is.

It understands the one prompt that `LLMRerank` sends and answers in the form that it reads. What grades the documents is
the role: a chat model, or its lexical stand-in.
"""

from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import CustomLLM
from llama_index.core.prompts.default_prompts import DEFAULT_CHOICE_SELECT_PROMPT

from eval.spec import Roles
from memstrata_integrations.errors import InvalidInputError

_HEAD, _REST = DEFAULT_CHOICE_SELECT_PROMPT.get_template().split("{context_str}")
_ASKED, _TAIL = _REST.split("{query_str}")


class RerankLLM(CustomLLM):
    """Grades documents by a rerank role; it can do nothing else."""

    _roles: Roles = PrivateAttr()

    def __init__(self, roles: Roles) -> None:
        super().__init__()
        self._roles = roles

    @property
    def metadata(self) -> LLMMetadata:
        """Return the name of what grades."""
        return LLMMetadata(model_name=self._roles.names.get("rerank", "rerank"))

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Return a line for each document that is relevant at all, best first."""
        question, documents = read_prompt(prompt)
        grades = self._roles.rerank(question, documents)
        ranked = sorted(enumerate(grades, 1), key=lambda entry: -entry[1])
        lines = [f"Doc: {number}, Relevance: {round(grade)}" for number, grade in ranked if grade > 1]
        return CompletionResponse(text="\n".join(lines))

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """Yield the whole answer at once."""
        yield self.complete(prompt, formatted, **kwargs)


def read_prompt(prompt: str) -> tuple[str, list[str]]:
    """Return the question and the documents of the prompt that `LLMRerank` sends.

    Raises:
        InvalidInputError: If it is another prompt.
    """
    shown, asked, question = prompt.removesuffix(_TAIL).removeprefix(_HEAD).rpartition(_ASKED)
    if not (asked and prompt.startswith(_HEAD) and prompt.endswith(_TAIL)):
        raise InvalidInputError(f"not the choice-select prompt of LLMRerank: {prompt[:80]!r}...")
    documents: list[str] = []
    rest = "\n\n" + shown
    while rest:
        _, found, rest = rest.partition(f"\n\nDocument {len(documents) + 1}:\n")
        if not found:
            break
        documents.append(rest.partition(f"\n\nDocument {len(documents) + 2}:\n")[0])
    return question, documents


def rerank_llm(roles: Roles) -> RerankLLM:
    """Return what ``LLMRerank(llm=...)`` takes."""
    return RerankLLM(roles)
