"""LlamaIndex nodes and filters to and from Chroma's columns."""

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship, TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters
from llama_index.core.vector_stores.utils import (
    legacy_metadata_dict_to_node,
    metadata_dict_to_node,
    node_to_metadata_dict,
)

from memstrata_integrations.chroma.arguments import check_text, check_value
from memstrata_integrations.chroma.fields import NODE_FIELDS
from memstrata_integrations.chroma.lookup import Lookup
from memstrata_integrations.chroma.plan import Origin
from memstrata_integrations.errors import InvalidInputError, from_signal_handler
from memstrata_integrations.options import PREFIX

_CONTENT = NODE_FIELDS[0]
REF_DOC = "document_id"
_SOURCE = "1"  # NodeRelationship.SOURCE, as it stands in the stored JSON
_OPERATORS = {"==": "$eq", "!=": "$ne", ">": "$gt", "<": "$lt", ">=": "$gte", "<=": "$lte", "in": "$in", "nin": "$nin"}
_CONDITIONS = {"and": "$and", "or": "$or"}
_COMPARABLE = (str, bool, int, float)


def columns(nodes: Sequence[BaseNode], *, flat: bool, embedded: bool = True) -> dict[str, list[Any]]:
    """Return ids, documents, metadatas and (if `embedded`) embeddings of nodes, as stock stores them.

    Raises:
        InvalidInputError: If one is no node or has no embedding, or its metadata is not flat.
    """
    for n, node in enumerate(nodes):
        if not isinstance(node, BaseNode):
            raise InvalidInputError(f"node {n} is {node!r}; give nodes, for instance TextNode(text=...)")
    if embedded and (bare := [n.node_id for n in nodes if n.embedding is None]):
        raise InvalidInputError(
            f"{len(bare)} of {len(nodes)} nodes have no embedding, {bare[0]!r} first; add them through an index or a "
            "pipeline with an embed_model, or set node.embedding. Nothing was written."
        )
    metadatas = []
    for node in nodes:
        try:
            metadata = node_to_metadata_dict(node, remove_text=True, flat_metadata=flat)
        except ValueError as error:
            raise InvalidInputError(f"node {node.node_id!r}: {error}") from error
        metadatas.append({k: "" if v is None else v for k, v in metadata.items()})
    documents = [node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]
    ids = [node.node_id for node in nodes]
    found: dict[str, list[Any]] = {"ids": ids, "documents": documents, "metadatas": metadatas}
    return {**found, "embeddings": [node.get_embedding() for node in nodes]} if embedded else found


def uncut(document: Document) -> TextNode:
    """Return the one node of a document that no splitter cuts."""
    return TextNode(
        text=document.get_content(metadata_mode=MetadataMode.NONE),
        metadata=document.metadata,
        relationships={NodeRelationship.SOURCE: document.as_related_node_info()},
    )


def origin_of(node: BaseNode) -> Origin | None:
    """Return the document that a node is a part of, if its source names a version (a hash)."""
    source = node.source_node
    if source is None or not source.hash:
        return None
    return Origin(REF_DOC, source.node_id, source.hash, _stored_version)


def _stored_source(metadata: Mapping[str, Any], field: str) -> str | None:
    """Return the ``node_id`` or the ``hash`` of the document that a stored node is a part of."""
    try:
        found = json.loads(metadata[_CONTENT])["relationships"][_SOURCE][field]
    except (KeyError, ValueError, TypeError):
        return None
    return found if isinstance(found, str) else None


_stored_version = partial(_stored_source, field="hash")


def ids_of_document(lookup: Lookup, ref_doc_id: str) -> list[str]:
    """Return the ids of a document's nodes; a document added without a splitter is its own node."""
    found: dict[str, None] = {}
    for row_id, record in (lookup.fetch([ref_doc_id]) if ref_doc_id else {}).items():
        metadata = record["metadata"]
        if metadata and _CONTENT in metadata and _stored_source(metadata, "node_id") is None:
            found[row_id] = None
    records = lookup.fetch(lookup.ids_in(REF_DOC, [ref_doc_id]))
    # stock marks a node without a source with "None"
    own = (i for i, r in records.items() if ref_doc_id != "None" or _stored_source(r["metadata"], "node_id") == "None")
    found.update(dict.fromkeys(lookup.named_by(list(own))))
    return list(found)


def node_of(row_id: str, text: str | None, metadata: Mapping[str, Any] | None) -> BaseNode:
    """Return the node that a row holds; a row that another door wrote is a plain `TextNode`.

    Args:
        row_id: The id that its user knows.
        text: Its text.
        metadata: Its metadata as a reader gets it; validity, if shown, goes into both exclusion lists.
    """
    found = dict(metadata or {})
    validity = {k: found.pop(k) for k in list(found) if k.startswith(PREFIX)}
    node = _restored(row_id, text, found)
    if validity:
        node.metadata.update(validity)
        for excluded in (node.excluded_embed_metadata_keys, node.excluded_llm_metadata_keys):
            excluded += [k for k in validity if k not in excluded]
    return node


def _restored(row_id: str, text: str | None, metadata: dict[str, Any]) -> BaseNode:
    named: dict[str, Any] = {"text": text or "", "id_": row_id}
    if _CONTENT in metadata:
        kept = {k: v for k, v in metadata.items() if k not in NODE_FIELDS}
        try:
            node = metadata_dict_to_node(metadata, text=text)
        except Exception as error:  # whatever wrote that JSON, the text is still there
            if from_signal_handler(error):
                raise
            return TextNode(**named, metadata=kept)
        if node.node_id != row_id:
            node.id_ = row_id
        for key, value in kept.items():  # another door may have changed it in place
            held = node.metadata.get(key)
            rounded = isinstance(held, float) and isinstance(value, float) and math.isclose(held, value, rel_tol=1e-15)
            if key not in node.metadata or (("" if held is None else held) != value and not rounded):
                node.metadata[key] = value
        return node
    if "node_info" in metadata:
        with suppress(ValueError, TypeError, AttributeError):
            own, info, relationships = legacy_metadata_dict_to_node(metadata)
            place = {"start_char_idx": info.get("start"), "end_char_idx": info.get("end")}
            return TextNode(**named, **place, metadata=own, relationships=relationships)
    return TextNode(**named, metadata=metadata)


def where_of(filters: MetadataFilters | Sequence[MetadataFilters] | None) -> dict[str, Any] | None:
    """Return Chroma's ``where`` for metadata filters, nested ones included; `None` for no filter.

    Raises:
        InvalidInputError: For what is no filter, an operator or condition that Chroma lacks, or a value that it cannot
            compare.
    """
    if filters is None:
        return None
    joined = "$and"
    if isinstance(filters, MetadataFilters):
        condition = getattr(filters.condition, "value", filters.condition) or "and"
        if condition not in _CONDITIONS:
            raise InvalidInputError(f"filter condition {condition!r} is not supported by Chroma; use 'and' or 'or'")
        joined = _CONDITIONS[condition]
        clauses = [where_of(part) if isinstance(part, MetadataFilters) else _clause(part) for part in filters.filters]
    elif isinstance(filters, (list, tuple)):
        clauses = [where_of(f) for f in filters]
    else:
        raise InvalidInputError(f"filters={filters!r}; give MetadataFilters(filters=[...]), or a list of them")
    given = [clause for clause in clauses if clause is not None]
    return {joined: given} if len(given) > 1 else next(iter(given), None)


def _clause(part: MetadataFilter) -> dict[str, Any]:
    operator = getattr(part.operator, "value", part.operator) or "=="
    if operator not in _OPERATORS:
        raise InvalidInputError(
            f"filter operator {operator!r} (on {part.key!r}) is not supported by Chroma; it has {', '.join(_OPERATORS)}"
        )
    check_text(part.key, "the key of a filter")
    for one in part.value if isinstance(part.value, (list, tuple)) else (part.value,):
        check_value(one, f"filter on {part.key!r}")
    if part.key.startswith(PREFIX):
        raise InvalidInputError(f"metadata {part.key!r} is reserved; ask about time with as_of= or known_at=")
    if refused := _refused(operator, part.value):
        raise InvalidInputError(f"{part.key!r} {operator} {part.value!r}: {refused}")
    return {part.key: {_OPERATORS[operator]: part.value}}


def _refused(operator: str, value: Any) -> str | None:
    """Return why Chroma cannot compare with a value; `None` if it can."""
    if operator in (">", "<", ">=", "<="):
        numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
        return None if numeric else "Chroma compares numbers only"
    if operator not in ("in", "nin"):
        return None if isinstance(value, _COMPARABLE) else "Chroma compares text, numbers and booleans only"
    if not isinstance(value, (list, tuple)) or not value:
        return "give a list of at least one value"
    alike = all(isinstance(v, _COMPARABLE) for v in value) and len({type(v) for v in value}) == 1
    return None if alike else "Chroma wants values of one type, text or numbers"
