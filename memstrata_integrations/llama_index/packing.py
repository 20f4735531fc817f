"""A LlamaIndex post-processor that trims retrieved nodes to a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from memstrata_integrations.options import refuse_unknown
from memstrata_integrations.packing.block import check_budget, pack_blocks

__all__ = ["PackPostprocessor"]

_KNOWN = ("budget", "count_tokens", "sources", "dates")
_STOCK = ("callback_manager", "class_name")

_PACKED = "packed_node_ids"


class PackPostprocessor(BaseNodePostprocessor):
    r"""Packs nodes so that what the model reads of them never exceeds a budget of tokens.

    What it keeps and what it drops is said in `memstrata_integrations.packing.block.pack`; the words of
    the query decide within a node. It returns one node for each source, not one for all, so that
    ``response.source_nodes`` and citations go on working: a copy of the source's best node, with its
    id, score, relationships and metadata, whose text is that source's part of the block. The nodes
    that went into it are listed in ``metadata["packed_node_ids"]``. No metadata of it reaches the
    model, since the line with the source is in the text: the default synthesizer, which joins nodes by a
    blank line, gives the model exactly the block. ``start_char_idx``
    and ``end_char_idx`` remain those of the best node. Nodes without text (images) pass as they are,
    behind the others, and are not counted.

    Put it last: what comes after it sees packed text, and nodes that others add are not counted.

    Args:
        budget (int): the most tokens that the nodes may have together
        count_tokens (Optional[Callable[[str], int]]): returns the number of tokens of a text; by
            default an upper estimate
        sources (bool): name the source above its statements
        dates (bool): say from and until when a node is valid; needs a store with
            ``show_validity=True``

    Examples:
        ```python
        from memstrata_integrations.llama_index import PackPostprocessor

        query_engine = index.as_query_engine(
            similarity_top_k=10,
            node_postprocessors=[PackPostprocessor(budget=1500)],
        )
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
        """Check the budget.

        Raises:
            InvalidInputError: If it is no positive integer.
        """
        refuse_unknown("PackPostprocessor", [k for k in kwargs if k not in _STOCK], _KNOWN)
        super().__init__(
            budget=check_budget(budget),  # type: ignore[call-arg]
            sources=sources,
            dates=dates,
            **kwargs,
        )
        self._count_tokens = count_tokens

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "PackPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        """Return one node for each source, best first; the nodes given stay as they are."""
        silent = [n for n in nodes if not n.node.get_content().strip()]
        spoken = [n for n in nodes if n.node.get_content().strip()]
        blocks = pack_blocks(
            spoken,
            budget=self.budget,
            query=query_bundle.query_str if query_bundle is not None else None,
            count_tokens=self._count_tokens,
            sources=self.sources,
            dates=self.dates,
        )
        return [_packed(block.text, [spoken[rank] for rank in block.ranks]) for block in blocks] + silent


def _packed(text: str, nodes: list[NodeWithScore]) -> NodeWithScore:
    """Return a copy of the first node with another text, all metadata of which is kept from the model."""
    best = nodes[0]
    node = best.node.model_copy()
    node.metadata = {**node.metadata, _PACKED: [n.node.node_id for n in nodes]}
    node.excluded_llm_metadata_keys = list(node.metadata)
    node.excluded_embed_metadata_keys = [*node.excluded_embed_metadata_keys, _PACKED]
    node.embedding = None
    node.set_content(text)
    return NodeWithScore(node=node, score=best.score)
