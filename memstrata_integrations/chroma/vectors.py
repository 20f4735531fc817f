"""Vectors of texts that were embedded while reading."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from memstrata_integrations.errors import InvalidInputError

_KEPT = 4096

Vector = npt.NDArray[np.float32]


class VectorCache:
    """Vectors of texts by digest; the least recently used ones go."""

    def __init__(self, size: int = _KEPT) -> None:
        """Begin with none, and keep at most `size`."""
        self._size = size
        self._lock = threading.Lock()
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()

    def __len__(self) -> int:
        return len(self._vectors)

    def clear(self) -> None:
        """Drop them all."""
        with self._lock:
            self._vectors.clear()

    def vectors(self, texts: Sequence[str], embed: Callable[[list[str]], Any]) -> list[Vector]:
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
