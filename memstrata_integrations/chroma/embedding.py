"""What makes vectors of texts: the user's choice, of whatever kind, or a collection's own; never Chroma's by itself."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from chromadb.api.types import EMBEDDING_KEY, DefaultEmbeddingFunction
from chromadb.errors import InvalidArgumentError

from memstrata_integrations.chroma.arguments import read_vectors
from memstrata_integrations.chroma.clients import stored_metadata
from memstrata_integrations.chroma.damage import telling_damage
from memstrata_integrations.chroma.directory import applying
from memstrata_integrations.chroma.fields import EMBEDDING, NODE_FIELDS
from memstrata_integrations.chroma.progress import progress_bar
from memstrata_integrations.errors import InvalidInputError

if TYPE_CHECKING:
    from memstrata_integrations.chroma.plan import Item

_LARGE = 1_000  # texts of which somebody may wait to see how far they are embedded
_AT_ONCE = 256

Embed = Callable[[list[Any]], Any]
"""Returns a vector for each text, float32, ``(n, dim)``."""

Vector = npt.NDArray[np.float32]


class DimensionMismatchError(InvalidInputError, InvalidArgumentError):
    """Vectors of another dimension than the collection's; also Chroma's own error."""


def embedder(embedding_function: Any) -> Embed:
    """Return what makes vectors of texts, of LangChain's, LlamaIndex's or Chroma's kind; refuse anything else."""
    methods = (getattr(embedding_function, n, None) for n in ("embed_documents", "get_text_embedding_batch"))
    call: Embed | None = next((c for c in (*methods, embedding_function) if callable(c)), None)
    if call is None:
        raise InvalidInputError(f"embedding_function={embedding_function!r} embeds nothing; give what made the vectors")
    return call


def query_embedder(embedding_function: Any) -> Embed:
    """Return what makes vectors of questions, which some models embed otherwise than texts."""
    for kind, name in (("embed_documents", "embed_query"), ("get_text_embedding_batch", "get_query_embedding")):
        if callable(getattr(embedding_function, kind, None)):
            one = getattr(embedding_function, name)
            return lambda texts: [one(text) for text in texts]
    call: Embed | None = getattr(embedding_function, "embed_query", None)
    return call if callable(call) else embedder(embedding_function)


def own_function(collection: Any) -> Any:
    """Return the embedding function that somebody gave a collection; `None` for Chroma's default, that nobody chose."""
    given = (f for f in _functions(collection) if f is not None)
    return next((f for f in given if not isinstance(f, DefaultEmbeddingFunction)), None)


def _functions(collection: Any) -> Iterator[Any]:
    """Yield where Chroma looks for one, in that order."""
    yield collection._embedding_function
    yield collection.configuration.get("embedding_function")
    schema = collection.schema
    if schema is not None:
        for part in (schema.keys.get(EMBEDDING_KEY), schema.defaults):
            index = part.float_list.vector_index if part is not None and part.float_list is not None else None
            yield None if index is None else index.config.embedding_function


def identity(embedding_function: Any) -> str | None:
    """Return the name under which vectors can be compared, where what makes them has one."""
    name = getattr(embedding_function, "name", None)
    named = type(embedding_function).__module__.startswith("memstrata_integrations") and isinstance(name, str)
    return name if named else None


def check_identity(collection: Any, embedding_function: Any, path: str | None) -> None:
    """Refuse embeddings of another name than those that a collection was made with; an empty one takes the name."""
    name = identity(embedding_function)
    if name is None:
        return
    recorded = (collection.metadata or {}).get(EMBEDDING)
    if recorded is not None and recorded != name:
        raise InvalidInputError(
            f"collection {collection.name!r} was embedded with {recorded!r}, not with {name!r}; "
            f"open it with default_embeddings(prefer=...) of that name, or re-embed it into another collection"
        )
    with applying(collection), telling_damage(collection, path):
        empty = recorded is None and collection.count() == 0
    if empty:
        metadata = {**stored_metadata(collection), EMBEDDING: name}
        if not any(str(k).startswith("hnsw:") for k in metadata):  # Chroma refuses to write those back
            collection.modify(metadata=metadata)


def vectors_of(embed: Embed, contents: Sequence[Any]) -> list[Any]:
    """Return vectors, float32, ``(dim,)`` each, one for each text, or say that it were more or fewer."""
    vectors = read_vectors(embed(list(contents))) or []
    if len(vectors) != len(contents):
        raise InvalidInputError(f"the embedding function returned {len(vectors)} vectors for {len(contents)} texts")
    return vectors


def embedded_text(document: str | None, metadata: Mapping[str, Any] | None) -> str | None:
    r"""Return what is embedded of a row: its text; of a LlamaIndex node also the metadata that embedding models see.

    Example:
        >>> node = {"metadata": {"page": 3, "seen": 1}, "excluded_embed_metadata_keys": ["seen"]}
        >>> embedded_text("The port is 80.", {"_node_content": json.dumps(node)})
        'page: 3\n\nThe port is 80.'
    """
    content = (metadata or {}).get(NODE_FIELDS[0])
    if document is None or not isinstance(content, str):
        return document
    try:
        node = json.loads(content)
        hidden = set(node.get("excluded_embed_metadata_keys") or ())
        line = node.get("metadata_template", "{key}: {value}")
        shown = [line.format(key=k, value=str(v)) for k, v in (node.get("metadata") or {}).items() if k not in hidden]
        above = node.get("metadata_separator", "\n").join(shown).strip()
        template = node.get("text_template", "{metadata_str}\n\n{content}")
        return str(template.format(content=document, metadata_str=above).strip()) if above else document
    except (ValueError, TypeError, AttributeError, KeyError, IndexError):
        return document  # whatever wrote that JSON, the text is still there


class Embedding:
    """What makes the vectors of one collection.

    Attributes:
        function: What the user chose to embed with, for the store.
        as_stock: Whether Chroma's own default embeds where nobody chose anything, as in stock LangChain.
    """

    def __init__(self, collection: Any, function: Any, progress: bool | None) -> None:
        """Embed for a chromadb `Collection`; `progress` tells whether how far it is may be shown."""
        if function is not None:
            embedder(function)
        self.collection = collection
        self.function = function
        self.as_stock = False
        self._progress = progress

    def chosen(self) -> Any:
        """Return what embeds texts and questions: what the user chose, for the store or for the collection."""
        found = own_function(self.collection) if self.function is None else self.function
        if found is None and self.as_stock:
            return DefaultEmbeddingFunction()
        if found is None:
            raise InvalidInputError(
                f"nothing was chosen to embed texts of collection {self.collection.name!r} with; give embeddings=, or "
                "embedding_function= when you open it (embed_model= of LlamaIndex's store). Chroma's default downloads "
                "a model, and is taken only if you ask for it: embedding_function=DefaultEmbeddingFunction()"
            )
        return found

    def embed(self, items: "Sequence[Item]", contents: Sequence[Any]) -> None:
        """Make the vectors of items, and show how far that is where it takes long and somebody may watch."""
        embed, wanted = embedder(self.chosen()), self._progress
        if wanted is None:
            wanted = threading.current_thread() is threading.main_thread()
        with progress_bar(wanted and len(items) > _LARGE, "embed", len(items)) as bar:
            size = len(items) if bar.disable else _AT_ONCE
            for start in range(0, len(items), size):
                part = items[start : start + size]
                self.attach(part, embed(list(contents[start : start + size])))
                bar.update(len(part))

    def attach(self, items: "Sequence[Item]", embeddings: Any) -> None:
        """Give items their vectors, float32, ``(n, dim)``."""
        for item, vector in zip(items, vectors_of(lambda _: embeddings, items), strict=True):
            item.embedding = vector

    def content_of(self, item: "Item") -> Any:
        """Return what is embedded of an item: its text, its picture, or what its URI leads to."""
        if item.document is not None:
            return embedded_text(item.document, item.metadata)
        if item.image is not None:
            return item.image
        if item.uri is None or self.collection._data_loader is None:
            raise InvalidInputError(f"there is nothing to embed of row {item.id!r}; give embeddings=")
        return self.collection._data_loader([item.uri])[0]

    def check_dimension(self, vector: Any, error: InvalidArgumentError) -> None:
        """Raise `DimensionMismatchError` if that is why Chroma refused a vector."""
        held = self.collection.get(limit=1, include=["embeddings"])["embeddings"]
        if vector is not None and len(held) > 0 and len(held[0]) != len(vector):
            raise DimensionMismatchError(
                f"collection {self.collection.name!r} holds vectors of {len(held[0])} dimensions, got {len(vector)}; "
                "embed with the model that the collection was made with"
            ) from error


class VectorCache:
    """Vectors of texts by digest; the least recently used ones go."""

    def __init__(self, size: int = 4096) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()

    def __len__(self) -> int:
        return len(self._vectors)

    def clear(self) -> None:
        """Drop them all."""
        with self._lock:
            self._vectors.clear()

    def vectors(self, texts: Sequence[str], embed: Embed) -> list[Vector]:
        """Return a vector for each text; those that are not known are made in one call."""
        named = [(hashlib.blake2b(t.encode("utf-8", "surrogatepass"), digest_size=16).digest(), t) for t in texts]
        with self._lock:
            known = {name: self._vectors[name] for name, _ in named if name in self._vectors}
        new = {name: text for name, text in named if name not in known}
        if new:
            made = embed(list(new.values()))
            if len(made) != len(new):
                raise InvalidInputError(f"the embedding function returned {len(made)} vectors for {len(new)} texts")
            known.update((name, np.asarray(v, dtype=np.float32)) for name, v in zip(new, made, strict=True))
        with self._lock:
            for name, _ in named:
                self._vectors[name] = known[name]
                self._vectors.move_to_end(name)
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return [known[name] for name, _ in named]
