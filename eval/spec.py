"""The words of the evaluation: what a benchmark, a condition and a model's role are.

Everything here is plain data and protocols. Benchmarks are declarations; conditions are stores with a write path and
a read path; roles are what a language model would do, or its deterministic stand-in.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

Regime = Literal["static", "evolving", "quarantined", "collision", "timeline"]
Abstention = Literal["allowed", "forced"]
Verdict = Literal["correct", "stale", "abstained", "wrong"]
Relevance = Literal["SUPPORTED", "IRRELEVANT", "CONFLICTS"]
GateVerdict = Literal["duplicate", "merge", "contradict", "novel"]

PARTS = {
    "forced": "answers of a reader that may not abstain",
    "pairs": "look-alikes, one pair a store",
    "growth": "growth, and deep histories",
    "calibration": "what cosine can tell apart",
    "probe": "the grammar's pairs",
}
"""What a run has beside its matrix, and can do without."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One text, in the order in which it is told.

    Attributes:
        id: Unique within the benchmark.
        text: What is said, one or more sentences.
        stays: Whether the text must still be served at the end. False only for a text that a later turn makes stale
            (or ends), and for a sentence of ending itself, which may go or stay: `None`.
        ended_by: The id of the turn that makes it stale, for texts with ``stays=False``.
        valid_from: When it became true, for benchmarks with dates; else `None`: told order is the only signal.
        metadata: Fields that every condition may store (``source``, ``speaker``, ``session``, ...).
        sample: The item of the benchmark that it belongs to, if any.
    """

    id: str
    text: str
    stays: bool | None = True
    ended_by: str | None = None
    valid_from: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    sample: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with what may and may not be answered.

    Attributes:
        id: Unique within the benchmark.
        text: The question, as a user would ask it.
        answers: Accepted surface forms of the right answer, best first; empty when nothing is valid then: the right
            answer is to abstain.
        stale: Surface forms of superseded (or not yet valid) values.
        as_of: The instant that it asks about, UTC; `None` is now.
        evidence: Ids of the turns that hold the answer.
        sample: The item of the benchmark that it belongs to.
        kind: What sort of item it is, for breakdowns.
    """

    id: str
    text: str
    answers: tuple[str, ...]
    stale: tuple[str, ...] = ()
    as_of: datetime | None = None
    evidence: tuple[str, ...] = ()
    sample: str | None = None
    kind: str = ""

    @property
    def told(self) -> str:
        """The question as every reader is told it: of a past date, with the date."""
        return self.text if self.as_of is None else f"{self.text} (As of {instant(self.as_of)}.)"


def instant(at: datetime) -> str:
    """Return a date as readers are shown it, with the time of day where that isn't midnight."""
    return at.isoformat()[:10] if (at.hour, at.minute) == (0, 0) else at.isoformat(timespec="minutes")[:16]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A sequence of turns in one store, then questions.

    Attributes:
        name: As in tables and on the command line.
        version: Of the data; another sentence is another version.
        regime: Which table it belongs to.
        turns: In the order in which they are told.
        questions: Asked after all turns.
        sha256: Of the data file.
        about: One sentence for the report.
    """

    name: str
    version: str
    regime: Regime
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    sha256: str
    about: str


@dataclass(frozen=True, slots=True)
class Passage:
    """One retrieved text, as it goes into the context.

    Attributes:
        text: The packed text (a sentence, a redacted chunk, or a triple).
        turns: Ids of the turns that it comes from (several when texts were merged).
        score: Cosine distance, lower is closer, where the condition has one.
    """

    text: str
    turns: tuple[str, ...] = ()
    score: float | None = None


@dataclass(slots=True)
class Spent:
    """What model roles cost: calls and tokens, in and out; offline stand-ins count calls as well.

    An answer from a cache counts as what it cost when it was asked for; `saved` are the seconds of those answers.
    """

    calls: int = 0
    tokens: int = 0
    saved: float = 0.0

    def add(self, calls: int, tokens: int, saved: float = 0.0) -> None:
        """Count some more."""
        self.calls += calls
        self.tokens += tokens
        self.saved += saved


class Trouble(NamedTuple):
    """What could not be had of a model in a role: a call that failed may yet be made, an answer of no use stays one."""

    role: str
    why: str
    failed: bool = False


class Condition(Protocol):
    """A memory under test: built fresh for one benchmark, told its turns in order, then asked."""

    name: str

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Tell it some turns, in order; may be called several times."""
        ...

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return at most `k` passages, in the order of packing; `as_of` counts where the condition has a past."""
        ...

    def active(self) -> list[Passage]:
        """Return everything that could still be served now."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reader answered.

    Attributes:
        text: The answer, or `None` when it abstained.
        reason: Why, in a few words, for the record.
    """

    text: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a judge says of a new text beside stored ones.

    Attributes:
        verdict: What becomes of the new text.
        place: Which of the stored texts it is about, from 0.
        merged: Of a merge, the text that takes the place of both.
    """

    verdict: GateVerdict
    place: int = 0
    merged: str | None = None


class Reader(Protocol):
    """Answers a question from packed passages."""

    def answer(self, question: str, passages: Sequence[Passage], *, abstention: Abstention) -> Answer:
        """Answer, or abstain where that is allowed."""
        ...


@dataclass(frozen=True, slots=True)
class Roles:
    """The models of a run, or their stand-ins; `names` goes into every record's manifest.

    Attributes:
        reader: Answers.
        correctness: ``(question, answers, stale, answer) -> Verdict``, or `None` when it gave no usable verdict.
        fabrication: ``(question, passages, answer) -> bool``: whether the answer holds what the passages do not.
        verifier: ``(question, passage text, locked rules) -> Relevance``: no candidate may go against a rule.
        gate_judge: ``(new text, stored texts, nearest first) -> Compared``.
        inferable: ``(text) -> bool``: whether a model would know it anyway.
        candidates: ``(turn text) -> statements`` of it that are worth keeping.
        rerank: ``(question, texts) -> relevance 1 to 10 of each``: what stands behind the stock reranker.
        ask: ``(roles and texts of messages) -> JSON text, or None``: the answering model as somebody else's memory may
            ask it on writing, counted and kept like all calls; `None` offline.
        on_write, on_read: What the roles spent.
        names: Role to the name of the model or stand-in.
        prompts: Prompt name to ``version:sha256``, of the prompts in use; empty offline.
        troubles: Answers that could not be had or read, or quoted nothing real, since somebody last looked.
    """

    reader: Reader
    correctness: Callable[[str, Sequence[str], Sequence[str], Answer], Verdict | None]
    fabrication: Callable[[str, Sequence[Passage], Answer], bool | None]
    verifier: Callable[[str, str, Sequence[str]], Relevance]
    gate_judge: Callable[[str, Sequence[str]], Compared]
    inferable: Callable[[str], bool]
    candidates: Callable[[str], Sequence[str]]
    rerank: Callable[[str, Sequence[str]], Sequence[float]]
    ask: Callable[[list[tuple[str, str]]], str | None] | None = None
    on_write: Spent = field(default_factory=Spent)
    on_read: Spent = field(default_factory=Spent)
    names: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
