"""Dated assertions mined from public git histories: sentences to tell, and what is true when.

The data lies beside the repository and is never copied into it. Only a record's subject, relation, object and commit
date are told; the truth is computed from the dates alone.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from eval.spec import Benchmark, Question, Turn
from memstrata_integrations.errors import InvalidInputError

KINDS = ("dependency_pin", "config_value", "package_version", "python_requires", "function_rename", "api_route")
_NEEDED = ("repo", "path", "subject", "relation", "object", "commit_date")
_GONE = ("line_removed", "file_deleted")


@dataclass(frozen=True, slots=True)
class GitAssertion:
    """One observed assertion, or an ending.

    Attributes:
        key: A hash of the fact's identity.
        repo: A hash of the repository.
        sentence: What is told; `None` of an ending.
        subject, relation: As mined.
        valid_from: The commit's date, UTC.
        value: The object as mined; `None` of an ending.
        removal: How it ended, of endings.
    """

    key: str
    repo: str
    sentence: str | None
    subject: str
    relation: str
    valid_from: datetime
    value: str | None = None
    removal: str | None = None

    @property
    def ended(self) -> str:
        """Return the sentence that says that the fact is no longer true."""
        return f"{self.subject} is no longer {self.relation.removeprefix('is ')} anything."


@dataclass(frozen=True, slots=True)
class GitProbe:
    """One question about one key.

    Attributes:
        key: As the assertions'.
        question: Names no value.
        probe: What it asks: the value now, at a past date, or of a fact that was removed.
        as_of: The instant, or `None` for now.
        truth: The sentence that is true then; `None` where nothing is.
        wrong: Every other sentence of the key.
        ended: The sentence that says that it is no longer true.
        versions: How many stretches of values the key has in all.
        repo: A hash of the repository.
    """

    key: str
    question: str
    probe: Literal["now", "past", "removed"]
    as_of: datetime | None
    truth: str | None
    wrong: frozenset[str]
    ended: str
    versions: int
    repo: str


@dataclass(frozen=True, slots=True)
class GitKind:
    """One kind of facts: what is told, in order of arrival, what is asked, and the SHA-256 of the file."""

    kind: str
    assertions: tuple[GitAssertion, ...]
    probes: tuple[GitProbe, ...]
    sha256: str


def load_kind(directory: Path, kind: str, *, keys: int = 150, limit: int | None = None) -> GitKind:
    """Load one of the six files.

    Args:
        directory: Where they lie.
        kind: One of `KINDS`.
        keys: How many keys, by a fixed draw, with their whole histories.
        limit: Take only so many of these.

    Raises:
        InvalidInputError: If the file is missing or not as described.
    """
    path = directory / f"{kind}.jsonl"
    assertions = list(_assertions(path))
    by_key: dict[str, list[GitAssertion]] = {}
    for assertion in assertions:
        by_key.setdefault(assertion.key, []).append(assertion)
    drawn = random.Random(0).sample(sorted(by_key), min(keys, len(by_key)))[:limit]
    kept = {key: history for key, history in by_key.items() if key in set(drawn)}
    probes = tuple(probe for history in kept.values() for probe in _probes(history))
    told = tuple(a for a in assertions if a.key in kept)
    return GitKind(kind, told, probes, hashlib.sha256(path.read_bytes()).hexdigest())


def _assertions(path: Path) -> Iterator[GitAssertion]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as absent:
        raise InvalidInputError(
            f"{path} cannot be read ({absent.strerror}); --git-history names the folder that holds {', '.join(KINDS)}"
        ) from absent
    for number, line in enumerate(lines, 1):
        try:
            record: dict[str, Any] = json.loads(line)
            missing = [name for name in _NEEDED if name not in record]
            at = datetime.fromisoformat(record.get("commit_date", ""))
        except (ValueError, TypeError, AttributeError) as broken:
            raise InvalidInputError(f"{path} line {number} is no record of a git history: {broken}") from broken
        if missing:
            raise InvalidInputError(f"{path} line {number} lacks {', '.join(missing)}")
        identity = "\0".join((record["repo"], record["path"], record.get("key", ""), record["subject"]))
        value = record["object"]
        yield GitAssertion(
            _hashed(identity),
            _hashed(record["repo"]),
            None if value is None else f"{record['subject']} {record['relation']} {value}.",
            record["subject"],
            record["relation"],
            at,
            value,
            record.get("removal"),
        )


def _hashed(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def stretches(history: Sequence[GitAssertion]) -> list[tuple[GitAssertion, datetime | None]]:
    """Return what was true of a key, one stretch after the other, each with its end (`None`: it lasts).

    Of two records of one instant the later one counts; the same value twice in a row is one stretch.
    """
    at_instant = {assertion.valid_from: assertion for assertion in history}
    changes: list[GitAssertion] = []
    for instant in sorted(at_instant):
        if not changes or at_instant[instant].sentence != changes[-1].sentence:
            changes.append(at_instant[instant])
    ends: list[datetime | None] = [later.valid_from for _, later in pairwise(changes)]
    return list(zip(changes, [*ends, None], strict=True))


def _probes(history: Sequence[GitAssertion]) -> Iterator[GitProbe]:
    told = {a.sentence for a in history if a.sentence is not None}
    first, spans = history[0], stretches(history)
    question = _question(first)
    versions = sum(assertion.sentence is not None for assertion, _ in spans)

    def probe(what: Literal["now", "past", "removed"], as_of: datetime | None, truth: str | None) -> GitProbe:
        wrong = frozenset(told - {truth})
        return GitProbe(first.key, question, what, as_of, truth, wrong, first.ended, versions, first.repo)

    for assertion, end in spans:
        if end is None:
            if assertion.sentence is not None:
                yield probe("now", None, assertion.sentence)
            elif assertion.removal in _GONE and told:
                yield probe("removed", None, None)
        elif assertion.sentence is not None:
            yield probe("past", assertion.valid_from + (end - assertion.valid_from) / 2, assertion.sentence)


def _question(assertion: GitAssertion) -> str:
    verb, _, rest = assertion.relation.partition(" ")
    if verb not in ("is", "are"):
        return f"{assertion.subject} {assertion.relation} what?"
    article = "" if assertion.subject.casefold().startswith(("the ", "a ", "an ")) else "the "
    return f"What {verb} {article}{assertion.subject} {rest}".rstrip() + "?"


def sample(directory: Path, *, keys: int = 300, seed: int = 0) -> Benchmark:
    """Return a fixed sample of keys, from all files, as turns and questions for any condition.

    An ending is told as a sentence, since most conditions can be told in no other way.
    """
    histories: dict[str, list[GitAssertion]] = {}
    digest = hashlib.sha256()
    for kind in KINDS:
        digest.update((directory / f"{kind}.jsonl").read_bytes() if (directory / f"{kind}.jsonl").is_file() else b"")
        for assertion in _assertions(directory / f"{kind}.jsonl"):
            histories.setdefault(assertion.key, []).append(assertion)
    changing = sorted(key for key, history in histories.items() if len(history) > 1)
    picked = set(random.Random(seed).sample(changing, min(keys, len(changing))))
    chosen = {key: history for key, history in histories.items() if key in picked}
    turns = sorted((turn for history in chosen.values() for turn in _turns(history)), key=_date)
    questions = tuple(q for history in chosen.values() for q in _asked(history))
    about = f"{len(chosen)} keys of public git histories"
    return Benchmark("git_sample", "v1", "timeline", tuple(turns), questions, digest.hexdigest(), about)


def _date(turn: Turn) -> datetime:
    assert turn.valid_from is not None
    return turn.valid_from


def _turns(history: Sequence[GitAssertion]) -> Iterator[Turn]:
    valid = stretches(history)[-1][0].sentence
    for n, assertion in enumerate(history):
        text = assertion.sentence or assertion.ended
        stays = None if assertion.sentence is None else assertion.sentence == valid
        yield Turn(
            f"{assertion.repo}-{assertion.key}-{n}", text, stays, valid_from=assertion.valid_from, sample=assertion.key
        )


def _asked(history: Sequence[GitAssertion]) -> Iterator[Question]:
    values = {a.sentence: a.value for a in history if a.sentence is not None and a.value is not None}
    for n, probe in enumerate(_probes(history)):
        answers = () if probe.truth is None else (values[probe.truth],)
        stale = tuple(sorted(values[sentence] for sentence in probe.wrong))
        kind = "nothing valid" if probe.truth is None else probe.probe
        yield Question(
            f"{probe.repo}-{probe.key}-{n}", probe.question, answers, stale, probe.as_of, sample=probe.key, kind=kind
        )
