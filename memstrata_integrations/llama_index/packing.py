"""A LlamaIndex post-processor that trims retrieved nodes to a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from memstrata_integrations.options import refuse_unknown
from memstrata_integrations.packing import check_budget, pack_blocks

_PACKED = "packed_node_ids"


class PackPostprocessor(BaseNodePostprocessor):
    """Packs nodes so that what the model reads of them never exceeds a budget of tokens, by the rules of `pack`.

    Put it last. It returns one node for each source, so that ``response.source_nodes`` and citations go on working: a
    copy of the source's best node, with its id, score and metadata, whose text is that source's part of the block, and
    whose ``metadata["packed_node_ids"]`` lists the nodes that went into it. No metadata reaches the model, since the
    source is named in the text: the default synthesizer gives it exactly the block. Nodes without text (images) pass
    as they are, behind the others, and are not counted.

    Args:
        budget (int): the most tokens that the nodes may have together
        count_tokens (Optional[Callable[[str], int]]): the tokens of a text; by default an upper estimate
        sources (bool): name the source above its statements
        dates (bool): say from and until when a node is valid; needs a store with ``show_validity=True``

    Raises:
        InvalidInputError: If the budget is no positive integer.

    Examples:
        ```python
        from memstrata_integrations.llama_index import PackPostprocessor

        engine = index.as_query_engine(similarity_top_k=10, node_postprocessors=[PackPostprocessor(budget=1500)])
        ```
    """

    budget: int = 2000
    sources: bool = True
    dates: bool = False

    _count_tokens: Callable[[str], int] | None = PrivateAttr(default=None)

    def __init__(
        self,
        budget: int = 2000,
        *,
        count_tokens: Callable[[str], int] | None = None,
        sources: bool = True,
        dates: bool = False,
        **kwargs: Any,
    ) -> None:
        known = ("budget", "count_tokens", "sources", "dates")
        refuse_unknown("PackPostprocessor", kwargs, known, ("callback_manager", "class_name"))
        fields: dict[str, Any] = {"budget": check_budget(budget), "sources": sources, "dates": dates, **kwargs}
        super().__init__(**fields)
        self._count_tokens = count_tokens

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "PackPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        """Return one node for each source, best first; the nodes given stay as they are."""
        spoken = [n for n in nodes if n.node.get_content().strip()]
        query = query_bundle.query_str if query_bundle is not None else None
        blocks = pack_blocks(spoken, self.budget, query, self._count_tokens, self.sources, self.dates)
        silent = [n for n in nodes if not n.node.get_content().strip()]
        return [_packed(block.text, [spoken[rank] for rank in block.ranks]) for block in blocks] + silent


def _packed(text: str, nodes: list[NodeWithScore]) -> NodeWithScore:
    """Return a copy of the first node with another text, all metadata of which is kept from the model."""
    node = nodes[0].node.model_copy()
    node.metadata = {**node.metadata, _PACKED: [n.node.node_id for n in nodes]}
    node.excluded_llm_metadata_keys = list(node.metadata)
    node.excluded_embed_metadata_keys = [*node.excluded_embed_metadata_keys, _PACKED]
    node.embedding = None
    node.set_content(text)
    return NodeWithScore(node=node, score=nodes[0].score)
