"""Facts of a repository, as values of their time, and how they are written into a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from tqdm import tqdm

from memstrata_integrations.errors import InvalidInputError

_PLACE_FIELDS = ("source", "file_path", "section")  # with these of its text, the store knows a fact's key

FactName: TypeAlias = "tuple[str, str]"
"""Subject and relation."""


@dataclass(frozen=True, slots=True)
class GitFact:
    """From a commit on, a file states a value; or, with `ended`, states it no more.

    Attributes:
        text: The statement, verbatim, with its line break where its value would read as cut off without
            ("HOSTS=*"); of an ending the one that was there last.
        metadata: What has to be stored with the text so that the text alone gives this key:
            `file_path`, `source` (the repository), `section` where the key has one, `commit`.
        valid_from: When it was committed, UTC; a microsecond after the commit before it, if that claims the
            same second or a later one.
        subject: Canonical subject.
        relation: Canonical relation.
        object: The value as written; `None` for an ending.
        ended: Whether the fact ends here, with nothing in its place.
        restated: Whether the value stays as it is, and only its statement is worded otherwise from here on
            (its comment, its hashes, its annotation).
    """

    text: str
    metadata: Mapping[str, str]
    valid_from: datetime
    subject: str
    relation: str
    object: str | None
    ended: bool = False
    restated: bool = False


@dataclass(frozen=True, slots=True)
class GitSummary:
    """What `record_git_facts` did."""

    asserted: int = 0
    """How many values were written, or written again in other words."""
    ended: int = 0
    """How many facts were retracted."""
    changed: int = 0
    """How many statements lost their validity to a later one."""
    retired: int = 0
    """How many rows are no longer served."""


def record_git_facts(
    store: Any,
    facts: Iterable[GitFact],
    *,
    batch_size: int = 256,
    scope: Mapping[str, Any] | None = None,
    progress: bool = True,
) -> GitSummary:
    """Write facts into a store, in order, each with its date.

    A value that is only worded otherwise is one row still, now and at each date: the row with the
    words of that time. Recording a history again, or when it has grown, adds what is new.

    Args:
        store: A `TemporalVectorStore` or a `TemporalCollection`.
        facts: From `git_facts`.
        batch_size: How many texts a write takes.
        scope: Values of the store's scope fields, stored with every text.
        progress: Show a progress bar on a terminal.

    Raises:
        InvalidInputError: If the store takes no dated texts.
    """
    if batch_size < 1:
        raise InvalidInputError(f"batch_size={batch_size!r} must be 1 or more")
    if not callable(getattr(store, "retract", None)) or not (hasattr(store, "add_texts") or hasattr(store, "write")):
        raise InvalidInputError(f"store={store!r} takes no dated texts; give a TemporalVectorStore")
    chosen = dict(scope or {})
    counts: Counter[str] = Counter()
    pending: list[GitFact] = []

    def count(changes: Any, **others: int) -> None:
        counts.update(others, changed=len(changes), retired=changes.retired)

    def flush() -> None:
        if not pending:
            return
        texts, dates = [f.text for f in pending], [f.valid_from for f in pending]
        metadatas = [{**f.metadata, **chosen} for f in pending]
        if hasattr(store, "add_texts"):
            store.add_texts(texts, metadatas, valid_from=dates)
        else:
            store.write(texts, metadatas=metadatas, valid_from=dates)
        count(store.last_changes, asserted=len(texts))
        pending.clear()

    for fact in tqdm(facts, "recording", unit=" facts", disable=None if progress else True):
        name = (fact.subject, fact.relation)
        if fact.ended or fact.restated:  # other words for a value hold from the instant on at which it ends
            if any((f.subject, f.relation) == name for f in pending):
                flush()
            place = {field: fact.metadata[field] for field in _PLACE_FIELDS if field in fact.metadata}
            changes = store.retract(*name, at=fact.valid_from, scope={**place, **chosen})
            count(changes, ended=int(fact.ended))
        if not fact.ended:
            pending.append(fact)
        if len(pending) >= batch_size:
            flush()
    flush()
    return GitSummary(**counts)
