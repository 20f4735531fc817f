"""What each element of the grammar buys and costs: it is left out, and the pairs are read again."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from types import MappingProxyType
from typing import Any, NamedTuple
from unittest.mock import patch

from eval.pairs import Row
from eval.probe import Count, Reads, outcomes, total
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction import Extraction, KeyedFact, sentences, statements
from memstrata_integrations.extraction.clauses import Segment
from memstrata_integrations.extraction.phrases import Phrase
from memstrata_integrations.extraction.relations import Relation
from memstrata_integrations.extraction.values import NAMED
from memstrata_integrations.extraction.words import Flag, lemma_and_flags

LEAST = 0.3
"""Points that an element must buy, of one kind of pairs at least, unless it keeps true texts."""
_KINDS = ("value_only", "reworded", "assistant", "change")


class Element(NamedTuple):
    """What stands in an element's place."""

    patches: Mapping[str, Any] = MappingProxyType(
        {}
    )  # names within memstrata_integrations.extraction, and what is put there
    fact: Callable[[KeyedFact], KeyedFact | None] = lambda fact: fact  # what becomes of each fact that was read


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _unread(*_: Any, **__: Any) -> str:
    return "left out"


def _rules(*left_out: str) -> Element:
    return Element(fact=lambda fact: None if fact.rule in left_out else fact)


def _kinds(*left_out: str) -> Element:
    return Element(fact=lambda fact: None if fact.kind in left_out else fact)


def _without_headings(text: str, headings: Sequence[str] = ()) -> list[Any]:
    return [s._replace(headings=()) for s in statements.statements(text, ())]


_WHOLE_KEY: Any = Phrase.key_with


def _about_nothing(*args: Any) -> Any:
    facts, rest, _, reason = sentences.read_sentence(*args)
    return facts, rest, "", reason


ELEMENTS: dict[str, Element] = {
    "vetoes": Element({"sentences.veto": lambda *_, **__: ""}),
    "quotations, examples, what is cut off": Element({"grammar.unheard": lambda *_: ""}),
    "what has several values": Element(
        {
            "keys._has_many": lambda _: False,
            "keys.lemma_and_flags": lambda word: (lemma_and_flags(word)[0], lemma_and_flags(word)[1] & ~Flag.MANY),
        }
    ),
    "qualifiers in the key": Element({"phrases.Phrase.key_with": lambda phrase, _: " ".join(phrase.core)}),
    "the order of words in the key": Element(
        {"phrases.Phrase.key_with": lambda phrase, more: " ".join(sorted(_WHOLE_KEY(phrase, more).split()))}
    ),
    "kinds of values kept apart": Element(fact=lambda fact: replace(fact, kind="")),
    "sentences of change": _rules("change"),
    "the relation table": Element(
        {"relations._table": lambda: ((Relation("left out", ("left out",), ("left out",)),), frozenset())}
    ),
    "nouns of the relation table": Element(
        {f"{m}.attribute": lambda subject, *_: (subject, "is") for m in ("keys", "lines", "sentences")}
    ),
    "frames of clauses": _rules("frame"),
    "names and words as values": _kinds(*NAMED, "country", "setting"),
    "plain words as values": Element({"keys._plain_word": _unread}),
    "lines and pins": _rules("line", "pin"),
    "rows of tables": _rules("row"),
    "headings": Element({"grammar.statements": _without_headings}),
    "clauses and qualifiers told apart": Element({"clauses._segments": lambda tokens: [Segment("", tokens)]}),
    "words for now left out": Element({"sentences._shed": lambda tokens: tokens}),
    "pronouns": Element(
        {"sentences.Spoken._resolved": lambda _, subject: subject, "grammar.read_sentence": _about_nothing}
    ),
    "X is the owner of Y": Element({"keys._turned": _nothing}),
    "X owns Y": Element({"keys._inverse": _unread}),
    "we sign Y with X, there are 3 in Y": Element({"keys._demoted": _nothing}),
    "Y has a limit of 5": Element({"keys._held": _nothing}),
    "the function X does Y": Element({"keys._called": _nothing}),
    "Y is off": Element({"keys._state": _nothing}),
}
"""The elements, in the order of the table."""


@contextmanager
def leaving_out(element: Element) -> Iterator[Reads]:
    """Read without an element; the grammar is whole again afterwards."""
    with ExitStack() as stack:
        for name, instead in element.patches.items():
            stack.enter_context(patch(f"memstrata_integrations.extraction.{name}", instead))
        grammar = GrammarExtractor()
        yield lambda texts: [_kept(extraction, element) for extraction in grammar.extract(texts)]


def _kept(extraction: Extraction, element: Element) -> Extraction:
    facts = tuple(fact for read in extraction.facts if (fact := element.fact(read)) is not None)
    return Extraction(facts, extraction.prose or len(facts) < len(extraction.facts), extraction.unread)


def _counts(name: str, rows: Sequence[Row]) -> dict[str, Count]:
    with leaving_out(ELEMENTS.get(name, Element())) as reads:
        found = list(outcomes(reads, rows))
    return {kind: total(o for o in found if o.row["kind"] == kind) for kind in {row["kind"] for row in rows}}


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line for each element: points of clean supersession that it buys, and how many more are false without."""
    some = [r for r in rows if r["kind"] != "group"]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        whole, *each = pool.map(partial(_counts, rows=some), ["", *ELEMENTS])
    kinds = [kind for kind in _KINDS if kind in whole and whole[kind].asked]
    lost, kept = _lost(whole)
    yield f"points that each buys, and how many more than {lost} of {kept} are false without it"
    yield f"{'left out':<40}" + "".join(f"{kind:>12}" for kind in kinds) + f"{'false':>8}"
    for name, without in zip(ELEMENTS, each, strict=True):
        buys = [100 * (whole[k].ended - without[k].ended) / whole[k].asked for k in kinds]
        more = _lost(without)[0] - lost
        idle = "" if max(buys, default=0) >= LEAST or more > 0 else "   buys nothing"
        yield f"{name:<40}" + "".join(f"{b:>+12.1f}" for b in buys) + f"{more:>+8}{idle}"


def _lost(counts: dict[str, Count]) -> tuple[int, int]:
    return sum(c.lost for c in counts.values()), sum(c.kept for c in counts.values())
