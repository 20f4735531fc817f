"""LlamaIndex post-processors: one drops superseded nodes, whatever store they come from, one packs the others."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from memstrata_integrations.chroma.sieve import superseded
from memstrata_integrations.context import ambient
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Extractor
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.ledger.time import Instant, system_clock, to_instant
from memstrata_integrations.options import refuse_unknown
from memstrata_integrations.packing import check_budget, pack_blocks

_KNOWN = ("valid_from_field", "valid_to_field", "as_of", "scope", "extractor", "policy", "clock")
_STOCK = ("callback_manager", "class_name")  # they come along when LlamaIndex copies or loads one
_PACKED = "packed_node_ids"


class TemporalPostprocessor(BaseNodePostprocessor):
    """Temporal post-processor: drops superseded nodes from any retriever's result.

    For people who keep their own store. It follows the rules of the ledger, within what was retrieved: a later
    statement that wasn't retrieved supersedes nothing, so retrieve some more nodes than you need. Only dated nodes
    supersede or are superseded; nodes of one date, and nodes without a date, are all kept.

    Args:
        valid_from_field (str): metadata field that dates a node (``"date"``)
        valid_to_field (Optional[str]): metadata field that says until when it holds
        as_of: valid time that is asked about; by default what `with as_of(t):` says, else now
        scope (Sequence[str]): metadata fields that separate facts
        extractor (Optional[Extractor]): reads the facts; by default the grammar
        policy (Optional[SupersessionPolicy]): what may supersede what

    Examples:
        ```python
        newest = TemporalPostprocessor(valid_from_field="date")
        query_engine = index.as_query_engine(similarity_top_k=10, node_postprocessors=[newest])
        ```
    """

    valid_from_field: str = "date"
    valid_to_field: str | None = None
    as_of: Any = None
    scope: tuple[str, ...] = ()

    _extractor: Extractor = PrivateAttr()
    _policy: SupersessionPolicy = PrivateAttr()
    _clock: Callable[[], int | datetime | float] = PrivateAttr()  # a function as its default would be bound

    def __init__(
        self,
        valid_from_field: str = "date",
        valid_to_field: str | None = None,
        as_of: Instant | None = None,
        scope: Sequence[str] = (),
        *,
        extractor: Extractor | None = None,
        policy: SupersessionPolicy | None = None,
        clock: Callable[[], int | datetime | float] = system_clock,
        **kwargs: Any,
    ) -> None:
        refuse_unknown("TemporalPostprocessor", kwargs, _KNOWN, _STOCK)
        if isinstance(scope, str):
            raise InvalidInputError(f"scope={scope!r} is one string; give a tuple of metadata fields, ({scope!r},)")
        if as_of is not None:
            to_instant(as_of, name="as_of")
        fields: dict[str, Any] = {
            "valid_from_field": valid_from_field,
            "valid_to_field": valid_to_field,
            "as_of": as_of,
        }
        super().__init__(**fields, scope=tuple(scope), **kwargs)  # type: ignore[call-arg]
        self._policy = policy or SupersessionPolicy()
        if extractor is None:
            from memstrata_integrations.extraction import GrammarExtractor

            extractor = GrammarExtractor()
        self._extractor = extractor.with_policy(self._policy) if hasattr(extractor, "with_policy") else extractor
        self._clock = clock

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "TemporalPostprocessor"

    def _instant(self) -> int:
        if self.as_of is not None:
            return to_instant(self.as_of, name="as_of")
        around = next((instant for instant in ambient() if instant is not None), None)
        if around is not None:
            return around
        now = self._clock()
        return now if isinstance(now, int) and not isinstance(now, bool) else to_instant(now, name="clock()")

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        """Return the nodes that are not superseded, in order, with their scores."""
        texts = [n.node.get_content(metadata_mode=MetadataMode.NONE) for n in nodes]
        rules: dict[str, Any] = {"extractor": self._extractor, "policy": self._policy, "scope": self.scope}
        dates: dict[str, Any] = {"valid_from_field": self.valid_from_field, "valid_to_field": self.valid_to_field}
        gone = superseded(texts, [n.node.metadata for n in nodes], instant=self._instant(), **rules, **dates)
        return [node for node, drop in zip(nodes, gone, strict=True) if not drop]


class PackPostprocessor(BaseNodePostprocessor):
    """Packs nodes so that what the model reads of them never exceeds a budget of tokens, by the rules of `pack`.

    Put it last. It returns one node for each source, so that ``response.source_nodes`` and citations go on working: a
    copy of the source's best node, with its id, score and metadata, whose text is that source's part of the block, and
    whose ``metadata["packed_node_ids"]`` lists the nodes that went into it. No metadata reaches the model, since the
    source is named in the text: the default synthesizer gives it exactly the block. Nodes without text (images) pass
    as they are, behind the others, and are not counted.

    Args:
        budget (int): the most tokens that the nodes may have together, a positive integer
        count_tokens (Optional[Callable[[str], int]]): the tokens of a text; by default an upper estimate
        sources (bool): name the source above its statements
        dates (bool): say from and until when a node is valid; needs a store with ``show_validity=True``

    Examples:
        ```python
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
        refuse_unknown("PackPostprocessor", kwargs, ("budget", "count_tokens", "sources", "dates"), _STOCK)
        super().__init__(budget=check_budget(budget), sources=sources, dates=dates, **kwargs)  # type: ignore[call-arg]
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
        silent = [n for n in nodes if not n.node.get_content().strip()]
        query = query_bundle.query_str if query_bundle is not None else None
        blocks = pack_blocks(spoken, self.budget, query, self._count_tokens, self.sources, self.dates)
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
