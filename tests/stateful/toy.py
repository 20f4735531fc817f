"""A toy language with facts that can be counted on, its extractor, and a clock that a test moves."""

import hashlib
import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from memstrata_integrations.chroma.plan import Origin
from memstrata_integrations.ledger.facts import Extraction, KeyedFact
from memstrata_integrations.ledger.time import to_instant
from memstrata_integrations.redaction import Stated, redact

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DIMENSIONS = 4


class ToyExtractor:
    """Reads texts such as ``k1=a; k2=b; more words``.

    ``k1=a`` is a fact, ``k1=`` says that k1 has no value any more, ``k1->a`` tells of a change to
    ``a`` (both stay as prose), ``has k1=a`` is a value beside others, and the rest is prose.
    """

    def extract(self, texts: Sequence[str], metadatas: Any = None) -> list[Extraction]:
        return [_read(text) for text in texts]


def _read(text: str) -> Extraction:
    facts: list[KeyedFact] = []
    prose = False
    start = 0
    for part in text.split("; "):
        span = (start, start + len(part))
        start = span[1] + 2
        narrative = "->" in part
        subject, sign, value = part.partition("->" if narrative else "=")
        if not sign or " " in subject:
            prose = True
            continue
        confined = "bare" if subject == "local" else ""
        said = subject, "is", value or None, (subject, "is"), value, "", span, "toy"
        facts.append(KeyedFact(*said, confined=confined, change=narrative or not value))
    return Extraction(tuple(facts), prose)


def facts_of(told: Iterable[tuple[int, Sequence[str]]]) -> list[tuple[int, str, str]]:
    """Return the facts that texts begin with, from when on each is told."""
    first = [(at, text.split("; ")[0]) for at, texts in told for text in texts]
    return [(at, *said.split("=")) for at, said in first if "=" in said]  # type: ignore[misc]


def left_of(text: str, at: int, facts: Sequence[tuple[int, str, str]]) -> list[str]:
    """Return what is served of a text that is told from an instant on: all, a part or nothing.

    Its fact is live while none of a later date says otherwise (rule 1).
    """
    first = text.split("; ")[0]
    mine = facts_of([(at, [text])])
    live = not any(key == k and value != v and start > at for _, key, value in mine for start, k, v in facts)
    stated = [Stated((0, len(first)), value, live) for _, _, value in mine]
    return [redact(text, stated)] if live or ";" in text else []


def vector(text: str) -> list[float]:
    """Return the unit vector of a text, the same one each time, ``(DIMENSIONS,)``."""
    digest = hashlib.blake2b(text.encode(), digest_size=DIMENSIONS * 2).digest()
    numbers = [int.from_bytes(digest[n : n + 2], "big") - 32768.5 for n in range(0, len(digest), 2)]
    length = math.sqrt(sum(n * n for n in numbers))
    return [n / length for n in numbers]


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the squared Euclidean distance, Chroma's default; lower is closer."""
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def moment(micros: int) -> datetime:
    """Return µs since the epoch as a time that callers may pass."""
    return EPOCH + timedelta(microseconds=micros)


class TestClock:
    """Shows µs since the epoch, and moves when it is told to; a time may be given as a text, too."""

    __test__ = False

    def __init__(self, now: int | str) -> None:
        self.set(now)

    def __call__(self) -> int:
        return self.now

    def set(self, now: int | str) -> None:
        self.now = to_instant(now) if isinstance(now, str) else now

    def advance(self, by: int) -> None:
        self.now += by


def _columns(texts: dict[str, str], metadata: Any, valid_from: int | None) -> dict[str, Any]:
    vectors, at = [vector(text) for text in texts.values()], None if valid_from is None else moment(valid_from)
    return {"ids": list(texts), "embeddings": vectors, "metadatas": [metadata] * len(texts), "valid_from": at}


def write(store: Any, metadata: Any = None, /, *, valid_from: int | None = None, **texts: str) -> Any:
    """Write texts by id in one call, all with the same metadata and from the same time on, µs."""
    return store.write(list(texts.values()), **_columns(texts, metadata, valid_from))


def _version_of(metadata: Any) -> str | None:
    return (metadata or {}).get("version")


def write_version(store: Any, document: str, version: str, valid_from: int | None = None, **parts: str) -> Any:
    """Write the parts of one version of a document, which take the place of those of another one."""
    about = {"document": document, "version": version}
    items = store.session.read(list(parts.values()), **_columns(parts, about, valid_from))
    for item in items:
        item.origin = Origin("document", document, version, _version_of)
    return store.session.write(items)


def nearest(store: Any, k: int = 1000, **how: Any) -> list[str]:
    return list(store.query(query_embeddings=[vector("target")], n_results=k, **how)["documents"][0])


def read(store: Any) -> dict[str, Any]:
    return {"get": sorted(store.get()["documents"]), "query": sorted(nearest(store)), "count": store.count()}


def answers(*texts: str) -> dict[str, Any]:
    return {"get": sorted(texts), "query": sorted(texts), "count": len(texts)}
