"""Dated facts from the history of a git repository: what its files stated, from when, until when.

Each version of a file is read by the readers of `extraction.sources`, along the mainline (first
parents) and dated by commit. Needs the `git` command; nothing is fetched, checked out or run.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from memstrata_integrations._git import Git
from memstrata_integrations._git_clock import Clock
from memstrata_integrations._git_paths import Wanted
from memstrata_integrations._git_readable import holds_conflict, parses
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.sources.entries import Entry, fact_of
from memstrata_integrations.extraction.sources.kinds import kind_of, source_of
from memstrata_integrations.extraction.sources.reader import entries_of, read_source
from memstrata_integrations.facts import Fact
from memstrata_integrations.time import Instant, to_micros

__all__ = ["GitFact", "GitSummary", "git_facts", "record_git_facts"]

logger = logging.getLogger("memstrata_integrations")

_MOST_BROKEN = 3  # versions in a row
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

    A value is yielded when it appears, changes, or is worded otherwise, an ending when its name,
    its section or its file disappears, or when two places of a file contradict each other.
    Statements that say nothing without their surroundings (return annotations) are left out.

    The order is that of the mainline. Commits of one second, and those whose dates run backwards,
    count a microsecond after the one before them: at a second itself the first of its commits
    counts, right after it the last. A commit dated far ahead takes all later ones with it, and is
    logged as a warning.

    A version that cannot be read (it does not parse though the one before did, holds the marks of a
    conflict, or is no text) changes nothing, until a later one can; that is logged as a warning,
    once for each file. From the fourth in a row that does not parse a file is read as far as it goes.
    What of `paths` the history never had is logged as a warning once all of it
    is read, with the paths that come near.

    Args:
        repository: A working tree, or a bare repository.
        paths: Paths from the repository's root, or absolute ones inside of it, exact or with ``*``
            (within a folder), ``**/`` (any folders), ``?``; by default every file of a known kind,
            vendored folders and lock files left out.
        rev: The commit, branch or tag where the history ends.
        since: What ended before is left out; what stood then is dated as it began.
        until: Commits after this are left out; its second is read to the end.
        source: The name of the repository in the metadata; by default the address of its
            remote `origin`, else its folder's name (of a worktree that of the main checkout).
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
    bounds = [None if t is None else to_micros(t, name=n) for n, t in (("since", since), ("until", until))]
    history = _History(git, source if source is not None else git.identity())
    return history.facts(commit, wanted, bounds[0], bounds[1], progress)


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
    with _bar(progress, "recording", "facts", None) as update:
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


# -- history --------------------------------------------------------------------------------------


class _Early:
    """What stands before the history that is asked for."""

    def __init__(self) -> None:
        self.facts: dict[tuple[str, str, str], list[GitFact]] = {}

    def take(self, fact: GitFact) -> None:
        key = (fact.metadata["file_path"], fact.subject, fact.relation)
        if fact.ended:
            self.facts.pop(key, None)
        elif fact.restated:
            self.facts[key].append(fact)
        else:
            self.facts[key] = [fact]

    def left(self) -> Iterator[GitFact]:
        yield from sorted((fact for facts in self.facts.values() for fact in facts), key=lambda f: f.valid_from)


class _Standing(NamedTuple):
    """A fact that a file states, and its statement."""

    fact: Fact
    text: str
    section: str | None


@dataclass(slots=True)
class _History:
    """What the files state, commit by commit.

    Attributes:
        git: The repository.
        source: Its name.
        files: What each file states.
        loose: Files that don't follow the grammar of their kind: templates, code of another age.
        broken: Files of which a version could not be read, told already.
        failed: How many versions of a file in a row did not parse.
        unread: How many statements say no key without their surroundings.
    """

    git: Git
    source: str
    files: dict[str, dict[FactName, _Standing]] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    failed: dict[str, int] = field(default_factory=dict)
    unread: int = 0

    def facts(
        self, commit: str, wanted: Wanted, since: int | None, until: int | None, progress: bool
    ) -> Iterator[GitFact]:
        total = self.git.count(commit) if progress and sys.stderr.isatty() else None
        standing = _Early() if since is not None else None
        clock = Clock()
        with self.git.blobs() as blob, _bar(progress, "reading", "commits", total) as update:
            for sha, seconds, changed in self.git.log(commit):
                update(1)
                at = clock.tick(sha, seconds)
                if until is not None and clock.seconds * 1_000_000 > until:  # its second is read to the end
                    break
                if standing is not None and since is not None and to_micros(at) >= since:
                    yield from standing.left()
                    standing = None
                for path, content in changed:
                    if not wanted(path):
                        continue
                    for fact in self.file(path, "" if content is None else blob(content), sha, at):
                        if standing is None:
                            yield fact
                        else:
                            standing.take(fact)
        if standing is not None:
            yield from standing.left()
        history = f"the history of {self.source}{'' if until is None else ', until then'}"
        for complaint in wanted.complaints():
            logger.warning("paths: %s (in %s)", complaint, history)
        for complaint in clock.complaints(int(time.time())):
            logger.warning("%s (in %s)", complaint, history)
        if self.unread:
            logger.info("%d statements of %s say no key without their surroundings; left out", self.unread, self.source)

    def file(self, path: str, text: str | None, commit: str, at: datetime) -> Iterator[GitFact]:
        """Yield what a new version of a file changes; nothing if the version (`None`: no text) cannot be read."""
        before = self.files.get(path, {})
        after = None if text is None or holds_conflict(text) else self.read(path, text, before)
        if after is None or (after != before and not self.follows(path, text or "", bool(before))):
            if before and path not in self.broken:
                self.broken.add(path)
                logger.warning("%s cannot be read in commit %s of %s: until it can, what it stated before counts",
                               path, commit[:12], self.source)  # fmt: skip
            return
        for name, was in before.items():
            if name not in after:
                yield self.made(path, was, commit, at, ended=True)
        for name, now in after.items():
            known = before.get(name)
            if known is None or known.fact.value != now.fact.value:
                yield self.made(path, now, commit, at)
            elif known is not now:
                yield replace(self.made(path, now, commit, at), restated=True)
        if after:
            self.files[path] = after
        else:
            self.files.pop(path, None)

    def follows(self, path: str, text: str, known: bool) -> bool:
        """Whether a text follows the grammar of its file's kind, as far as the file (`known` already) did of late.

        A few versions may be broken; a file of which more in a row are is something else now (a template).
        """
        if parses(text, kind_of(path) or ""):
            self.loose.discard(path)
            self.failed.pop(path, None)
            return True
        if path in self.loose:
            return True
        self.failed[path] = self.failed.get(path, 0) + 1
        if known and self.failed[path] <= _MOST_BROKEN:
            return False
        self.loose.add(path)
        return True

    def read(self, path: str, text: str, before: Mapping[FactName, _Standing]) -> dict[FactName, _Standing]:
        """Return what a file states and its statements alone say again; of what did not change, as it was."""
        metadata = {"file_path": path}
        source = source_of(metadata)
        found: dict[FactName, _Standing] = {}
        if source is None:
            return found
        for entry in entries_of(text, metadata):
            if entry.rule == "return":
                continue  # "-> None" says nothing where its function is not beside it
            fact = fact_of(source, text, entry)
            name = (fact.subject, fact.relation)
            known = before.get(name)
            standing = _Standing(fact, text[fact.span[0] : fact.span[1]], _section_of(source.kind, entry))
            same = known is not None and known.fact.value == fact.value
            if known is not None and same and _wording(known.text) == _wording(standing.text):
                found[name] = known
                continue
            alone = self.alone(path, standing)
            if alone is not None:
                found[name] = alone
            elif known is not None and same:
                found[name] = known  # its former words say it still
            else:
                self.unread += 1
        return found

    def alone(self, path: str, standing: _Standing) -> _Standing | None:
        """Return a statement as it says its key without its surroundings, `None` if it does not.

        Without its line break, one that ends "http://a/" or "==5.*" reads like one that a splitter cut.
        """
        for text in (standing.text, standing.text + "\n"):
            candidate = standing._replace(text=text)
            if self.says_alone(path, candidate):
                return candidate
        return None

    def says_alone(self, path: str, standing: _Standing) -> bool:
        extraction = read_source(standing.text, _metadata(path, standing.section))
        if extraction is None or extraction.prose:
            return False
        wanted = (standing.fact.subject, standing.fact.relation, standing.fact.value)
        return all((f.subject, f.relation, f.value) == wanted for f in extraction.facts)

    def made(self, path: str, standing: _Standing, commit: str, at: datetime, *, ended: bool = False) -> GitFact:
        metadata = {**_metadata(path, standing.section), "source": self.source, "commit": commit}
        fact = standing.fact
        return GitFact(standing.text, metadata, at, fact.subject, fact.relation, None if ended else fact.object, ended)


def _metadata(path: str, section: str | None) -> dict[str, str]:
    return {"file_path": path} if section is None else {"file_path": path, "section": section}


def _section_of(kind: str, entry: Entry) -> str | None:
    if kind == "python" and entry.mark == ":":
        return f"{entry.section}()"
    return entry.section


def _wording(text: str) -> str:
    """Return a statement without the comma behind it, which comes and goes with what is written below."""
    return text.rstrip(" \t\r\n,")


class _bar:  # noqa: N801 - used as a function
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
