"""Deterministic stand-ins for the models: always at hand, the same on every machine, and no language models.

They compare words. That makes them fail in ways that can be foretold, and each says how. What they measure is what was
put into the context; how well a language model would read it, they cannot say.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eval.metrics import mentions, normal
from eval.models.words import content, coverage, denies, difference, ends, statements, tokens, values, weights
from eval.spec import Abstention, Answer, Compared, GateVerdict, Passage, Relevance, Roles, Spent, Verdict

_LEAST_COVERAGE = 0.5  # of the question's weight, in the statement that answers it
_ELSEWHERE = 0.5  # what a word counts that stands in another statement of the passage
_LEAST_SUPPORT = 0.5  # of the question's words, in a candidate that is SUPPORTED
_REWORDED = 0.5  # shared words (Jaccard) of two texts that say the same with the same values
_SHOWN_DATE = re.compile(r"\[(\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?)\]")
_REPLACED = 3  # words on either side of a contradiction


@dataclass(frozen=True, slots=True)
class _Statement:
    text: str
    matched: frozenset[str]
    score: float
    date: str = ""


class ExtractiveReader:
    """Answers with the statement that shares most with the question.

    Words are weighed by how few statements have them; a word that stands elsewhere in the same passage counts half; of
    equals the first in passage order wins; a question is no answer. It abstains when less than half of the question's
    weight is met, when the statement says that something ended, and when another statement that meets the same words of
    the question differs from it in one short place: two values for one thing. Where the context shows dates, the newest
    of these counts, of those until the date that is asked about. Forced, it gives the top-ranked one.

    How it fails: it takes a sibling for the thing where the question says it in other words, misses a conflict that is
    worded differently, takes two values that may hold at once for a conflict, and never puts two statements together.
    """

    def __init__(self, spent: Spent | None = None) -> None:
        self._spent = Spent() if spent is None else spent

    def answer(self, question: str, passages: Sequence[Passage], *, abstention: Abstention) -> Answer:
        """Answer with one statement of the passages, or abstain where that is allowed."""
        self._spent.add(1, 0)
        question, _, asked = question.partition(" (As of ")
        found = _scored(question, [passage.text for passage in passages])
        if asked:
            found = [statement for statement in found if statement.date <= asked.rstrip(".)")]
        if not found:
            return Answer(None, "no passages")
        best = max(found, key=lambda statement: statement.score)
        if abstention == "forced":
            return Answer(best.text, "forced")
        if best.score < _LEAST_COVERAGE:
            return Answer(None, "nothing matches")
        rivals = [other for other in found if _conflict(best, other) or (best.date and _ended(best, other))]
        newest = max([best, *rivals], key=lambda statement: statement.date)
        if rivals and [one.date for one in (best, *rivals)].count(newest.date) > 1:
            return Answer(None, "two values")
        if ends(newest.text):
            return Answer(None, "it ended")
        return Answer(newest.text, "newest" if rivals else "best match")


def _scored(question: str, passages: Sequence[str]) -> list[_Statement]:
    split = [statements(passage) for passage in passages]
    words = [[content(statement) for statement in parts] for parts in split]
    weight = weights(content(question), [one for parts in words for one in parts])
    found = []
    for passage, parts, sets in zip(passages, split, words, strict=True):
        shown = _SHOWN_DATE.match(passage)
        together = frozenset().union(*sets)
        for part, own in zip(parts, sets, strict=True):
            if part.endswith("?"):
                continue
            score = coverage(weight, own) + _ELSEWHERE * coverage(weight, together - own)
            found.append(_Statement(part, own & weight.keys(), score, shown[1] if shown else ""))
    return found


def _conflict(best: _Statement, other: _Statement) -> bool:
    """Whether two statements say the same of what is asked, but for one short place that both fill, or that denies."""
    if best.matched != other.matched or (apart := difference(best.text, other.text)) is None:
        return False
    return all(apart) or denies(best.text) != denies(other.text)


def _ended(best: _Statement, other: _Statement) -> bool:
    """Whether a statement of ending speaks of what the best one does."""
    return ends(other.text) and best.matched == other.matched


def stands(form: str, text: str, others: Sequence[str] = ()) -> bool:
    """Whether a value stands in a text by itself, and not as a part of one of the other, longer values.

    Example:
        >>> stands("orders", "It is orders v2.", others=["orders v2"]), stands("orders", "It is orders.")
        (False, True)
    """
    shown = normal(text)
    for other in others:
        if normal(form) != normal(other) and mentions(other, [form]) and mentions(shown, [other]):
            shown = shown.replace(normal(other), " , ")
    return mentions(shown, [form])


def offline_verdict(question: str, accepted: Sequence[str], stale: Sequence[str], answer: Answer) -> Verdict:
    """Judge an answer by the values that stand in it.

    An accepted value and no superseded one is correct, the reverse is stale, both or neither is wrong. Where nothing is
    accepted, abstaining is correct.

    How it fails: an answer that denies the value counts as if it gave it, and a right value in words that are not
    listed counts as wrong.
    """
    if answer.text is None:
        return "abstained" if accepted else "correct"
    right = any(stands(form, answer.text, stale) for form in accepted)
    gone = any(stands(form, answer.text, accepted) for form in stale)
    if right:
        return "wrong" if gone else "correct"
    return "stale" if gone else "wrong"


def fabricated(question: str, passages: Sequence[Passage], answer: Answer) -> bool:
    """Whether a word of the answer that looks like a value stands neither in a passage nor in the question.

    How it fails: plain words can be made up unseen, and the same value in another notation counts as made up. An
    extractive reader never fabricates, by construction.
    """
    if answer.text is None:
        return False
    held = frozenset().union(tokens(question), *(tokens(passage.text) for passage in passages))
    return not values(answer.text) <= held


def graded(question: str, texts: Sequence[str]) -> list[float]:
    """Grade texts from 1 to 10 by the weight of the question's words that they have.

    How it fails: a superseded text has the same words as the one that holds, so it gets the same grade; a paraphrase
    gets a low one.
    """
    words = [content(text) for text in texts]
    weight = weights(content(question), words)
    return [1 + 9 * coverage(weight, own) for own in words]


def verified(question: str, text: str, rules: Sequence[str] = ()) -> Relevance:
    """Say SUPPORTED when a text has half of the question's words and words beside them.

    CONFLICTS when its best statement says that something ended, or stands beside one with another value, in the text or
    in a locked rule.

    How it fails: it supports what is superseded and what is about a sibling, since both have the question's words, and
    rejects what answers in other words.
    """
    wanted, own = content(question), content(text)
    if not wanted or len(wanted & own) < _LEAST_SUPPORT * len(wanted) or own <= wanted:
        return "IRRELEVANT"
    found = _scored(question, [text])
    best = max(found, key=lambda statement: statement.score, default=None)
    if best is None:
        return "IRRELEVANT"
    beside = [*found, *_scored(question, rules)]
    return "CONFLICTS" if ends(best.text) or any(_conflict(best, other) for other in beside) else "SUPPORTED"


def compared(new: str, stored: str) -> tuple[GateVerdict, str | None]:
    """Compare a new text with a stored one; of a merge, with the merged text.

    The same words, or most of them with the same values, are a duplicate; all the stored words and more are a merge,
    and so is the same with other details; one short place that differs, or a denial, is a contradiction; everything
    else is novel.

    How it fails: two siblings that differ in nothing but their name contradict each other, and a rewording with other
    words is novel.
    """
    fresh, known = content(new), content(stored)
    apart = difference(new, stored)
    if apart is not None and denies(new) != denies(stored):
        return "contradict", None
    if fresh <= known:
        return "duplicate", None
    if known < fresh:
        return "merge", new
    if apart is not None and all(0 < len(side) <= _REPLACED for side in apart):
        return "contradict", None
    if len(fresh & known) >= _REWORDED * len(fresh | known):
        same = _telling(new) == _telling(stored)
        return ("duplicate", None) if same else ("merge", f"{stored} {new}")
    return "novel", None


def compared_with_all(new: str, stored: Sequence[str]) -> Compared:
    """Compare a new text with stored ones: the first, in their order, that it is not novel beside."""
    for place, text in enumerate(stored):
        verdict, merged = compared(new, text)
        if verdict != "novel":
            return Compared(verdict, place, merged)
    return Compared("novel")


def _telling(text: str) -> frozenset[str]:
    return frozenset(word for word in tokens(text) if not word.isalpha())


def inferable(text: str) -> bool:
    """Whether a text holds nothing particular: no number, no identifier, no name.

    How it fails: it knows nothing of the world, so a decision in plain words counts as what anybody would say, and a
    truism with a name in it does not.
    """
    return not values(text)


def as_it_stands(text: str) -> list[str]:
    """Return a turn as its own single candidate; of an empty one, nothing."""
    return [text] if text.strip() else []


def offline_roles() -> Roles:
    """Return every role as its deterministic stand-in; calls are counted as a model's would be, tokens are none."""
    on_write, on_read = Spent(), Spent()

    def gate_judge(new: str, stored: Sequence[str]) -> Compared:
        on_write.add(1, 0)
        return compared_with_all(new, stored)

    def known_anyway(text: str) -> bool:
        on_write.add(1, 0)
        return inferable(text)

    def candidates(text: str) -> Sequence[str]:
        on_write.add(1, 0)
        return as_it_stands(text)

    def verifier(question: str, text: str, rules: Sequence[str]) -> Relevance:
        on_read.add(1, 0)
        return verified(question, text, rules)

    def rerank(question: str, texts: Sequence[str]) -> Sequence[float]:
        on_read.add(1, 0)
        return graded(question, texts)

    return Roles(
        reader=ExtractiveReader(on_read),
        correctness=offline_verdict,
        fabrication=fabricated,
        verifier=verifier,
        gate_judge=gate_judge,
        inferable=known_anyway,
        candidates=candidates,
        rerank=rerank,
        on_write=on_write,
        on_read=on_read,
        names={
            "reader": "extractive (offline)",
            "correctness": "string judge (offline)",
            "fabrication": "string judge (offline)",
            "verifier": "lexical (offline)",
            "gate_judge": "lexical (offline)",
            "inferable": "lexical (offline)",
            "candidates": "as is (offline)",
            "rerank": "lexical (offline)",
        },
    )
