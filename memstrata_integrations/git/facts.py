"""Dated facts from the history of a git repository: what its files stated, from when, until when.

Each version of a file is read by the readers of `extraction.sources`, along the mainline (first parents) and dated by
commit. Needs the `git` command; nothing is fetched, checked out or run. The facts are values of their time, which
`record_git_facts` writes into a store.
"""

import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from tqdm import tqdm

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.sources.entries import fact_of
from memstrata_integrations.extraction.sources.kinds import kind_of, source_of
from memstrata_integrations.extraction.sources.reader import entries_of, read_source
from memstrata_integrations.git.paths import Wanted, holds_conflict, parses
from memstrata_integrations.git.repository import Git
from memstrata_integrations.ledger.facts import KeyedFact
from memstrata_integrations.ledger.time import OPEN, Instant, to_micros

__all__ = ["GitFact", "GitSummary", "git_facts", "record_git_facts"]

logger = logging.getLogger("memstrata_integrations")

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_TICK = timedelta(microseconds=1)  # the unit of the ledger
_DAY = timedelta(days=1)
_MOST_NAMED = 5
_MOST_BROKEN = 3  # versions in a row
_PLACE_FIELDS = ("source", "file_path", "section")  # with these of its text, the store knows a fact's key
FactName: TypeAlias = "tuple[str, str]"
"""Subject and relation."""


@dataclass(frozen=True, slots=True)
class GitFact:
    """From a commit on, a file states a value; or, with `ended`, states it no more.

    Attributes:
        text: The statement, verbatim, with its line break where its value would read as cut off without ("HOSTS=*"); of
            an ending the one that was there last.
        metadata: What has to be stored with the text so that the text alone gives this key: `file_path`, `source` (the
            repository), `section` where the key has one, `commit`.
        valid_from: When it was committed, UTC, see `Clock`.
        subject, relation: Canonical ones.
        object: The value as written; `None` for an ending.
        ended: Whether the fact ends here, with nothing in its place.
        restated: Whether only its statement is worded otherwise from here on (its comment, its hashes, its annotation).
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

    asserted: int = 0  # values that were written, or written again in other words
    ended: int = 0  # facts that were retracted
    changed: int = 0  # statements that lost their validity to a later one
    retired: int = 0  # rows that are no longer served


def git_facts(
    repository: str | os.PathLike[str],
    paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str] | None = None,
    *,
    rev: str = "HEAD",
    since: Instant | None = None,
    until: Instant | None = None,
    source: str | None = None,
    progress: bool = True,
) -> Iterator[GitFact]:
    """Yield what the files of a repository stated, in the order of its mainline.

    A value is yielded when it appears, changes, or is worded otherwise; an ending when its name, its section or its
    file disappears, or when two places of a file contradict each other. Statements that say nothing without their
    surroundings (return annotations) are left out.

    Commits of one second, and those whose dates run backwards, count a microsecond after the one before them: at a
    second itself the first of its commits counts, right after it the last. A commit dated far ahead takes all later
    ones with it. A version that cannot be read (it does not parse though the one before did, holds the marks of a
    conflict, or is no text) changes nothing until a later one can; from the fourth in a row that does not parse a file
    is read as far as it goes. These, and paths that the history never had, are logged as warnings.

    Args:
        repository: A working tree, or a bare repository.
        paths: Paths from the repository's root, or absolute ones inside of it, exact or with ``*`` (within a folder),
            ``**/`` (any folders), ``?``; by default every file of a known kind, but vendored folders and lock files.
        rev: The commit, branch or tag where the history ends.
        since: What ended before is left out; what stood then is dated as it began.
        until: Commits after this are left out; its second is read to the end.
        source: The name of the repository in the metadata; by default the address of its remote `origin`, else its
            folder's name (of a worktree that of the main checkout).
        progress: Show a progress bar on a terminal.

    Raises:
        InvalidInputError: If there is no repository, no such commit, or a path lies outside.
        MissingDependencyError: If git is not installed.
        StorageError: If git fails on the way.

    Example:
        ``store`` holds the facts of a checkout, with their past::

            record_git_facts(store, git_facts("path/to/checkout", ["requirements.txt", "**/*.toml"]))
    """
    git = Git(repository)
    commit = git.resolve(rev)
    wanted = Wanted(paths, git.top())
    last = OPEN if until is None else to_micros(until, name="until")
    history = _History(git, git.identity() if source is None else source)
    facts = history.facts(commit, wanted, last, progress)
    return facts if since is None else _from(to_micros(since, name="since"), facts)


def _from(since: int, facts: Iterable[GitFact]) -> Iterator[GitFact]:
    """Leave out what had ended by then; what stood then comes first, by its date."""
    standing: dict[FactName, list[GitFact]] = {}
    for fact in facts:
        name = (fact.subject, fact.relation)
        if to_micros(fact.valid_from) >= since:
            yield from _by_date(standing)
            standing.clear()
            yield fact
        elif fact.ended:
            standing.pop(name, None)
        else:
            standing[name] = [*(standing[name] if fact.restated else ()), fact]
    yield from _by_date(standing)


def _by_date(standing: Mapping[FactName, list[GitFact]]) -> list[GitFact]:
    return sorted(chain.from_iterable(standing.values()), key=lambda fact: fact.valid_from)


class Clock:
    """Instants of commits, strictly increasing along the mainline.

    A rebase dates many commits by one second, and some commits claim an earlier date than the one before them. Each
    then counts a microsecond after the one before it: two values of one key at one instant would contradict each other.
    So a commit's instant depends on what came before it alone, and is the same however much of the history is read.

    Attributes:
        latest: The latest date that a commit claimed.

    Example:
        >>> clock = Clock()
        >>> [clock.tick(sha, seconds).isoformat()[17:-6] for sha, seconds in (("a", 7), ("b", 7), ("c", 5), ("d", 9))]
        ['07', '07.000001', '07.000002', '09']
    """

    def __init__(self) -> None:
        self.latest = _EPOCH
        self._leader = ""
        self._at = _EPOCH - _TICK
        self._held_back: Counter[tuple[str, datetime]] = Counter()  # by a commit dated a day or more ahead of them

    def tick(self, commit: str, seconds: int) -> datetime:
        """Return when the next commit counts, that claims a date (seconds since the epoch)."""
        claimed = _EPOCH + timedelta(seconds=seconds)
        if claimed >= self.latest:
            self._leader, self.latest = commit, claimed
        elif claimed < self.latest - _DAY:
            self._held_back[self._leader, self.latest] += 1
        self._at = max(self._at + _TICK, claimed)
        return self._at

    def complaints(self) -> Iterator[str]:
        """Name the commits that are dated far ahead of the ones after them."""
        for (commit, date), count in self._held_back.most_common(_MOST_NAMED):
            told = f"{count} later commits, dated earlier, count as of then"
            yield f"commit {commit[:12]} is dated {date.isoformat()}; {told}"


class _Standing(NamedTuple):
    """A fact that a file states, and its statement."""

    fact: KeyedFact
    text: str
    section: str | None


@dataclass(slots=True)
class _History:
    """What the files state, commit by commit."""

    git: Git
    source: str
    files: dict[str, dict[FactName, _Standing]] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)  # the files of which it was said that a version cannot be read
    failed: dict[str, int] = field(default_factory=dict)  # how many versions in a row did not parse

    def facts(self, commit: str, wanted: Wanted, until: int, progress: bool) -> Iterator[GitFact]:
        clock = Clock()
        total = self.git.count(commit) if progress else None
        bar = tqdm(self.git.log(commit), "reading", total, unit=" commits", disable=None if progress else True)
        with self.git.blobs() as text_of, bar as commits:
            for sha, seconds, changed in commits:
                at = clock.tick(sha, seconds)
                if to_micros(clock.latest) > until:  # its second is read to the end
                    break
                for path, blob in changed:
                    if wanted(path):
                        yield from self.file(path, "" if blob is None else text_of(blob), sha, at)
        where = self.source if until == OPEN else f"{self.source}, until then"
        for complaint in chain((f"paths: {said}" for said in wanted.complaints()), clock.complaints()):
            logger.warning("%s (in the history of %s)", complaint, where)

    def file(self, path: str, text: str | None, commit: str, at: datetime) -> Iterator[GitFact]:
        """Yield what a new version of a file changes; nothing if the version (`None`: no text) cannot be read."""
        before = self.files.get(path, {})
        after = None if text is None or holds_conflict(text) else self.read(path, text, before)
        if after is None or (after != before and not self.follows(path, text or "", bool(before), bool(after))):
            if before and path not in self.told:
                self.told.add(path)
                logger.warning("%s cannot be read in commit %s of %s: until it can, what it stated before counts",
                               path, commit[:12], self.source)  # fmt: skip
            return
        self.files[path] = after
        for name, was in before.items():
            if name not in after:
                yield self.made(path, was, commit, at, ended=True)
        for name, now in after.items():
            known = before.get(name)
            if known is not now:
                same = known is not None and known.fact.value == now.fact.value
                yield self.made(path, now, commit, at, restated=same)

    def follows(self, path: str, text: str, known: bool, read: bool) -> bool:
        """Whether a text follows the grammar of its file's kind, as far as the file (`known` already) did of late.

        A few versions may be broken; a file of which more in a row are, and in which something is `read`, is something
        else now (a template), as is one that was so from the start.
        """
        if parses(text, kind_of(path) or ""):
            self.failed.pop(path, None)
            return True
        if known and not read:
            return False
        self.failed[path] = self.failed.get(path, 0) + 1 if known else _MOST_BROKEN + 1
        return self.failed[path] > _MOST_BROKEN

    def read(self, path: str, text: str, before: Mapping[FactName, _Standing]) -> dict[FactName, _Standing]:
        """Return what a file states and its statements alone say again; of what did not change, as it was."""
        metadata = {"file_path": path}
        source = source_of(metadata)
        if source is None:
            return {}
        found: dict[FactName, _Standing] = {}
        for entry in entries_of(text, metadata):
            fact = fact_of(source, text, entry)
            name = (fact.subject, fact.relation)
            of_function = source.kind == "python" and entry.mark == ":"
            section = f"{entry.section}()" if of_function else entry.section
            standing = _Standing(fact, text[slice(*fact.span)], section)
            known = before.get(name)
            if known is not None and known.fact.value != fact.value:
                known = None
            if known is None or _wording(known.text) != _wording(standing.text):
                known = self.alone(path, standing) or known  # its former words say it still
            if known is not None:
                found[name] = known
        return found

    def alone(self, path: str, standing: _Standing) -> _Standing | None:
        """Return a statement as it says its key without its surroundings, `None` if it does not.

        Without its line break, one that ends "http://a/" or "==5.*" reads like one that a splitter cut.
        """
        wanted = (standing.fact.subject, standing.fact.relation, standing.fact.value)
        for text in (standing.text, standing.text + "\n"):
            found = read_source(text, _metadata(path, standing.section))
            if found and not found.prose and all((f.subject, f.relation, f.value) == wanted for f in found.facts):
                return standing._replace(text=text)
        return None

    def made(
        self, path: str, standing: _Standing, commit: str, at: datetime, *, ended: bool = False, restated: bool = False
    ) -> GitFact:
        metadata = {**_metadata(path, standing.section), "source": self.source, "commit": commit}
        fact = standing.fact
        value = None if ended else fact.object
        return GitFact(standing.text, metadata, at, fact.subject, fact.relation, value, ended, restated)


def _metadata(path: str, section: str | None) -> dict[str, str]:
    return {"file_path": path} if section is None else {"file_path": path, "section": section}


def _wording(text: str) -> str:
    """Return a statement without the comma behind it, which comes and goes with what is written below."""
    return text.rstrip(" \t\r\n,")


def record_git_facts(
    store: Any,
    facts: Iterable[GitFact],
    *,
    batch_size: int = 256,
    scope: Mapping[str, Any] | None = None,
    progress: bool = True,
) -> GitSummary:
    """Write facts into a store, in order, each with its date.

    A value that is only worded otherwise is one row still, now and at each date: the row with the words of that time.
    Recording a history again, or when it has grown, adds what is new.

    Args:
        store: A `TemporalVectorStore` or a `TemporalCollection`; `InvalidInputError` for another one.
        facts: From `git_facts`.
        batch_size: How many texts a write takes.
        scope: Values of the store's scope fields, stored with every text.
        progress: Show a progress bar on a terminal.
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
        if pending:
            write = store.add_texts if hasattr(store, "add_texts") else store.write
            metadatas, dates = [{**f.metadata, **chosen} for f in pending], [f.valid_from for f in pending]
            write([f.text for f in pending], metadatas=metadatas, valid_from=dates)
            count(store.last_changes, asserted=len(pending))
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
