"""Vetoes: why a clause states no value that holds now. One flat list, applied to each clause."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from memstrata_integrations.extraction.tokens import NAME, Token
from memstrata_integrations.extraction.verbs import Link
from memstrata_integrations.extraction.words import Flag

__all__ = ["veto"]

_FLAGS = (
    (Flag.HEDGE, "a hedge"),
    (Flag.LATER, "a plan"),
    (Flag.EARLIER, "what was"),
    (Flag.SEVERAL, "one of several"),
    (Flag.NOT, "a negation"),
)
_SUSPECT = Flag.HEDGE | Flag.LATER | Flag.EARLIER | Flag.SEVERAL | Flag.NOT | Flag.MIND
_PHRASES = {
    "what was": "used to|last night|last week|last month|last year|last time|back in|for once|this time",
    "one of several": "as well|one of|among others",
    "an example": "such as|for example|for instance",
    "an opinion": "my opinion|my mind|my view|ask me",
    "a plan": "going to|plan to|plans to|about to|next week|next month|next year|next quarter",
    "what may be": "would be|as if|looks like|seems to|appears to|tends to|in theory|at random",
    "a quotation": "according to",
    "a hedge": "so far|more or|or so|kind of|sort of|for now|now and|today only|some days",
    "a negation": "instead of|rather than|other than",
}
_PAIRS = {tuple(p.split()): reason for reason, pairs in _PHRASES.items() for p in pairs.split("|")}
_FIRSTS = frozenset(first for first, _ in _PAIRS)
_PARTIAL = frozenset("some many few half part most none several only".split())
_TASTES = frozenset("best worst nicest finest greatest coolest funniest prettiest ugliest annoying tasty".split())


def veto(
    front: Sequence[Token], tokens: Sequence[Token], link: Link, *, past: bool = False, ended: bool = False
) -> str:
    """Return why a clause states nothing that holds now; empty if nothing speaks against it.

    `front` stands before it. `past`: what was counts as well, as in sentences of change. `ended`: it is so no longer.
    """
    if link.negated and not ended:
        return "a negation"
    if link.modal:
        return "what may, should or will be"
    if (link.past or link.perfect) and not past:
        return "what was"
    if link.mind:
        return "an opinion"
    told = [*front, *tokens] if front else tokens
    flags = 0
    for token in told:
        flags |= token.flags
    if flags & _SUSPECT:
        for n, token in enumerate(told):
            for flag, reason in _FLAGS:
                negation = flag == Flag.NOT and (ended or n < len(front))
                if token.flags & flag and token.sort != NAME and not negation and not (past and flag == Flag.EARLIER):
                    return reason
    words = [t.lower for t in told]
    if not _FIRSTS.isdisjoint(words):
        for pair in pairwise(words):
            if pair in _PAIRS:
                return _PAIRS[pair]
    first = told[0]
    number = first.kind in ("number", "percent") or first.kind.startswith("count:")
    if first.lower in _PARTIAL or (number and len(told) > 1 and told[1].lower == "of"):
        return "some of several"
    if not _TASTES.isdisjoint(words):
        return "an opinion"
    return "a question" if "?" in words else ""
