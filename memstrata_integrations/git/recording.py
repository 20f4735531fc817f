"""Facts of a repository, as values of their time, and how they are written into a store."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from memstrata_integrations.errors import InvalidInputError

__all__ = ["FactName", "GitFact", "GitSummary", "bar", "record_git_facts"]

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
    """What `record_git_facts` did.

    Attributes:
        asserted: How many values were written, and how many of them again, in other words.
        ended: How many facts were retracted.
        changed: How many statements lost their validity to a later one.
        retired: How many rows are no longer served.
    """

    asserted: int = 0
    ended: int = 0
    changed: int = 0
    retired: int = 0

    def __str__(self) -> str:
        return (
            f"wrote {self.asserted} values and {self.ended} endings; {self.changed} statements changed, "
            f"{self.retired} rows retired"
        )


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
    recorder = _Recorder(store, batch_size, dict(scope or {}))
    with bar(progress, "recording", "facts", None) as update:
        for fact in facts:
            recorder.take(fact)
            update(1)
        recorder.flush()
    return recorder.summary


class _Recorder:
    """Gathers assertions into batches, and writes each ending after what came before it of its fact."""

    def __init__(self, store: Any, batch_size: int, scope: dict[str, Any]) -> None:
        if not callable(getattr(store, "retract", None)) or not (
            hasattr(store, "add_texts") or hasattr(store, "write")
        ):
            raise InvalidInputError(f"store={store!r} takes no dated texts; give a TemporalVectorStore")
        self.store = store
        self.batch_size = batch_size
        self.scope = scope
        self.pending: list[GitFact] = []
        self.names: set[FactName] = set()
        self.summary = GitSummary()

    def take(self, fact: GitFact) -> None:
        if fact.ended or fact.restated:
            self.end(fact)
        if fact.ended:
            return
        self.pending.append(fact)
        self.names.add((fact.subject, fact.relation))
        if len(self.pending) >= self.batch_size:
            self.flush()

    def end(self, fact: GitFact) -> None:
        """End what is recorded of a fact; other words for it, recorded after this, hold from that instant on."""
        if (fact.subject, fact.relation) in self.names:
            self.flush()
        scope = {**{k: v for k, v in fact.metadata.items() if k in _PLACE_FIELDS}, **self.scope}
        changes = self.store.retract(fact.subject, fact.relation, at=fact.valid_from, scope=scope)
        self.count(ended=int(fact.ended), changes=changes)

    def flush(self) -> None:
        if not self.pending:
            return
        texts = [f.text for f in self.pending]
        metadatas = [{**f.metadata, **self.scope} for f in self.pending]
        dates = [f.valid_from for f in self.pending]
        if hasattr(self.store, "add_texts"):
            self.store.add_texts(texts, metadatas, valid_from=dates)
            changes = self.store.last_changes
        else:
            changes = self.store.write(documents=texts, metadatas=metadatas, valid_from=dates)
        self.count(asserted=len(texts), changes=changes)
        self.pending, self.names = [], set()

    def count(self, *, asserted: int = 0, ended: int = 0, changes: Any) -> None:
        s = self.summary
        changed, retired = (0, 0) if changes is None else (len(changes), changes.retired)
        self.summary = GitSummary(s.asserted + asserted, s.ended + ended, s.changed + changed, s.retired + retired)


class bar:  # noqa: N801 - used as a function
    """A progress bar where somebody sees it."""

    def __init__(self, wanted: bool, what: str, unit: str, total: int | None) -> None:
        self._bar: Any = None
        if wanted and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=total, desc=what, unit=f" {unit}", mininterval=0.5)

    def __enter__(self) -> Callable[[int], object]:
        return self._bar.update if self._bar is not None else lambda _: None

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
