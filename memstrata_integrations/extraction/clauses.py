"""Clauses: where a sentence is cut, and which stretch is a clause, qualifies one, or only remarks on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from memstrata_integrations.extraction.tokens import MARK, NAME, WORD, Token
from memstrata_integrations.extraction.verbs import Link, find_link
from memstrata_integrations.extraction.words import Flag

__all__ = ["CONDITIONS", "REMARKS", "Clause", "Segment", "clauses", "tells_event"]


class Segment(NamedTuple):
    """A stretch between two cuts."""

    opener: str  # the mark or the word that opens it; empty for the first
    tokens: Sequence[Token]


class Clause(NamedTuple):
    """A clause with its surroundings."""

    tokens: Sequence[Token]
    link: Link
    opener: str  # the mark or word that opens it
    before: list[Segment]  # the segments around it that are no clauses of their own
    behind: list[Segment]


_CUTS = frozenset((",", ";", ":", "–", "—", "--", "-", "(", ")", "..."))
CONDITIONS = frozenset("if when whenever unless once while after before until till provided as".split())
"""Words that open what belongs to the key."""
REMARKS = frozenset("because since although though whereas so but".split())
"""Words that open what does not."""
_PHRASAL = frozenset("before after since until till once".split())
_LEAD_INS = frozenset(
    """sorry correction actually scratch fyi note reminder btw ps nb psa ok okay hi hey hello so well right heads-up
update anyway yes yep oh ah please warning by the way just you know for record as of today from now on heads up course
in fact quick usual these days at moment""".split()
)
"""Words that only lead in: "By the way", "Quick reminder"."""


def clauses(tokens: Sequence[Token]) -> list[Clause]:
    """Return the clauses of a sentence, each with the segments that stand before and behind it."""
    found: list[Clause] = []
    before: list[Segment] = []
    subject: Segment | None = None  # what may be a subject whose verb stands behind an aside
    cut = _segments(tokens)
    if len(cut) == 1 and not cut[0].opener:
        link = None if cut[0].tokens[0].flags & (Flag.SUB | Flag.REL) else find_link(cut[0].tokens)
        return [] if link is None else [Clause(cut[0].tokens, link, "", [], [])]
    for n, segment in enumerate(cut):
        own, first = segment.tokens, segment.tokens[0]
        concluded = first.lower == "so" and n > 0
        if concluded and len(own) > 1:
            own, first = own[1:], own[1]
        dependent = segment.opener in CONDITIONS or (segment.opener in REMARKS and not concluded)
        inverted = n + 1 < len(cut) and first.flags & (Flag.MODAL | Flag.WAS)  # "Should the valve stick, ..."
        dependent = dependent or bool(first.flags & (Flag.SUB | Flag.REL) or inverted)
        leads = not (found or before or subject) and n + 1 < len(cut)
        if leads and all(t.lower in _LEAD_INS or t.lower[0] == "@" for t in own):
            continue
        joined = subject is not None or (bool(found) and segment.opener in ("and", "but", ";", "or"))
        aside = dependent or segment.opener == "(" or (not found and first.flags & Flag.PREP and _is_front(cut, n))
        link = None if aside else find_link(own, joined=joined)
        if link is None and found:
            found[-1].behind.append(segment)
        elif link is None:
            if dependent or first.flags & Flag.PREP or (subject is not None and segment.opener != ":"):
                before.append(segment)
            else:
                before += [subject] if subject is not None else []
                subject = segment
        elif link.start == 0 and subject is not None and not found and segment.opener != ":":
            shift = len(subject.tokens)
            whole = [*subject.tokens, *own]
            found.append(Clause(whole, link._replace(start=shift, end=link.end + shift), "", before, []))
            before, subject = [], None
        else:
            before += [subject] if subject is not None else []
            found.append(Clause(own, link, segment.opener, before, []))
            before, subject = [], None
    return found


def tells_event(tokens: Sequence[Token]) -> bool:
    """Whether a stretch tells what happened: "I miscounted"; "New tariff" says nothing of the kind."""
    first = tokens[0]
    if not (first.flags & (Flag.SPEAKER | Flag.PRONOUN | Flag.DET | Flag.OWNER) or first.sort == NAME):
        return False
    happened, opens = Flag.PAST | Flag.WAS | Flag.HAVE, Flag.DET | Flag.OWNER | Flag.PREP
    return any(
        t.flags & happened or (t.sort == WORD and not t.flags and t.lower.endswith("ed") and not before.flags & opens)
        for before, t in pairwise(tokens)
    )


def _segments(tokens: Sequence[Token]) -> list[Segment]:
    """Cut at commas, dashes, colons, brackets, subordinators, and where "and" begins a clause."""
    found: list[Segment] = []
    opener, start = "", 0
    for n, token in enumerate(tokens):
        flags = token.flags
        if token.sort == MARK:
            cuts = token.lower in _CUTS
        elif n == start or not flags & (Flag.SUB | Flag.AND):
            continue
        else:
            cuts = _subordinates(tokens, n) if flags & Flag.SUB else _begins_clause(tokens, start, n)
        if cuts:
            if n > start:
                found.append(Segment(opener, tokens[start:n]))
            opener, start = token.lower, n + (token.sort == MARK or flags & Flag.AND > 0)
    if start < len(tokens):
        found.append(Segment(opener, tokens[start:]))
    return found


def _to_next_cut(tokens: Sequence[Token], start: int) -> Sequence[Token]:
    end = start
    while end < len(tokens) and not (tokens[end].sort == MARK and tokens[end].lower in _CUTS):
        end += 1
    return tokens[start:end]


def _subordinates(tokens: Sequence[Token], n: int) -> bool:
    """Whether a word opens a clause here, and no phrase: "before it gives up", but "before merging"."""
    word = tokens[n].lower
    if word == "as":
        return tokens[n - 1].sort == MARK
    if word not in _PHRASAL:
        return True
    rest = _to_next_cut(tokens, n + 1)
    finite = Flag.AUX & ~Flag.OWNER
    return any(
        t.flags & finite or (t.flags & Flag.VERB and rest[k].flags & (Flag.PRONOUN | Flag.SPEAKER))
        for k, t in enumerate(rest[1:])
    )


def _begins_clause(tokens: Sequence[Token], start: int, n: int) -> bool:
    """Whether "and" joins two clauses or predicates, and not two nouns."""
    joins = find_link(tokens[start:n]) is not None
    return joins and find_link(_to_next_cut(tokens, n + 1), joined=True) is not None


def _is_front(cut: Sequence[Segment], n: int) -> bool:
    """Whether a phrase with a preposition only opens the clause behind the comma: "With jumbo frames on, ..."."""
    if n + 1 >= len(cut) or cut[n + 1].opener != "," or cut[n + 1].tokens[0].flags & (Flag.REL | Flag.SUB):
        return False
    link = find_link(cut[n + 1].tokens)
    return link is not None and link.start > 0
