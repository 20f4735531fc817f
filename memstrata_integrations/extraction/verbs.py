"""Verbs: which word of a clause is its verb, and how it is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.extraction.tokens import MARK, NAME, WORD, Token
from memstrata_integrations.extraction.words import Flag

__all__ = ["Link", "find_link"]


class Link(NamedTuple):
    """The verb of a clause."""

    start: int  # where its words stand among the clause's tokens
    end: int
    words: tuple[str, ...]  # its base forms: ("be", "own")
    negated: bool = False
    past: bool = False
    modal: bool = False
    perfect: bool = False
    mind: bool = False  # it is a verb of saying or thinking, with a clause of its own
    ended: bool = False  # it says that something is so no longer
    early: bool = False  # it was so at first: "was initially raised"
    plural: bool = False  # it is said of several: "are"


_OPENS_NOUN = Flag.DET | Flag.INDEFINITE | Flag.OWNER | Flag.PREP
_TELLING = Flag.AUX | Flag.VERB | Flag.REL
_PEOPLE = frozenset("i you we they people staff police children".split())
_STATES = frozenset(("enabled", "disabled", "closed"))


def find_link(tokens: Sequence[Token], *, joined: bool = False) -> Link | None:
    """Return the verb of a clause, with its auxiliaries; `None` if it has none.

    `joined`: it may begin with its verb, since another clause before it has the subject.
    """
    chosen = -1
    strong = relative = False
    for n, token in enumerate(tokens):
        flags = token.flags
        if not flags & _TELLING:
            continue
        if flags & Flag.REL and n:
            relative = token.lower != "that" or chosen < 0  # "says that"
            continue
        aux = bool(flags & Flag.AUX) and not flags & Flag.OWNER
        if relative and flags & Flag.VERB and n + 1 < len(tokens) and tokens[n + 1].flags & Flag.AUX:
            relative = False  # "the host that Postbox uses is"
            continue
        if not (n or joined) or not (aux or _is_verb(tokens, n, known=chosen >= 0)):
            continue
        if relative:  # "the job that rebuilds the index"
            relative = False
        elif chosen < 0:
            chosen, strong = n, aux
        elif aux and not strong and not tokens[chosen].flags & Flag.MIND:
            chosen, strong = n, True  # "the version CI uses is ...": the first belonged to the noun
    return None if chosen < 0 else _read(tokens, chosen)


def _is_verb(tokens: Sequence[Token], n: int, *, known: bool) -> bool:
    """Whether a word that is no auxiliary is a finite verb here; `known` if the clause has one already."""
    token = tokens[n]
    flags, sort = token.flags, token.sort
    if sort != WORD or n + 1 >= len(tokens):
        return False
    following = tokens[n + 1]
    if n == 0:
        return bool(flags & (Flag.S_FORM | Flag.PAST))
    if not flags & Flag.VERB:
        return False
    previous = tokens[n - 1]
    if previous.lower == "to" or (previous.flags & (_OPENS_NOUN & ~Flag.OWNER) and not previous.flags & Flag.REL):
        return False
    if (previous.sort == MARK and previous.lower != ".") or following.lemma == "of" or following.flags & Flag.AUX:
        return False
    if flags & Flag.S_FORM:
        return True
    if flags & Flag.PAST and not flags & Flag.BASE:  # "the parser used by the repo is ..."
        if flags & Flag.DONE and following.flags & Flag.PREP:
            finite = Flag.AUX | Flag.S_FORM | Flag.BASE
            return not any(t.flags & finite and not t.flags & Flag.COMMON for t in tokens[n + 1 :])
        return True
    return bool(flags & (Flag.BASE | Flag.PAST)) and _is_plural(tokens, n)


def _is_plural(tokens: Sequence[Token], n: int) -> bool:
    """Whether what stands before a place is several, so that its verb has its base form."""
    if tokens[n - 1].lower in _PEOPLE:
        return True
    head = None
    for token in tokens[:n]:
        inner = head is not None and token.flags & (Flag.DONE | Flag.ING) and not token.flags & Flag.BASE
        if token.flags & (Flag.PREP | Flag.REL) or inner:
            break
        if token.sort in (WORD, NAME) and not token.flags & _OPENS_NOUN:
            head = token
    return head is not None and head.lower.endswith("s") and head.lemma != head.lower


def _read(tokens: Sequence[Token], start: int) -> Link:
    """Read auxiliaries, adverbs and the main verb from where the verb begins."""
    n, size = start, len(tokens)
    said = 0
    must = ended = False
    while n < size:
        token = tokens[n]
        if token.lower == "no" and n + 1 < size and tokens[n + 1].lower == "longer":
            said, ended, n = said | Flag.NOT, True, n + 2
        elif token.flags & Flag.AUX and not token.flags & Flag.OWNER:
            if token.flags & Flag.HAVE and n + 1 < size and tokens[n + 1].lower == "to":
                must, n = True, n + 2
                continue
            said, n = said | token.flags, n + 1
        elif token.flags & Flag.NOT or (n > start and token.flags & (Flag.SKIP | Flag.HEDGE)):
            said, n = said | (token.flags & Flag.NOT), n + 1
        elif said and token.lower.endswith("ly") and n + 1 < size and tokens[n + 1].flags & (Flag.DONE | Flag.ING):
            n += 1
        else:
            break
    words, end, main = _main_verb(tokens, n, said)
    must = must or bool(said & Flag.MUST)
    past = bool(said & Flag.WAS) or (main is not None and not said and _is_past(main))
    modal = bool(said & (Flag.MODAL | Flag.WILL))
    negated = bool(said & Flag.NOT)
    if start > 1 and tokens[start - 2].lower == "no" and tokens[start - 1].lower == "longer":  # "no longer works for"
        start, negated, ended = start - 2, True, True
    ended = ended or (negated and any(t.lower == "anymore" for t in tokens))
    mind = main is not None and bool(main.flags & Flag.MIND)
    clausal = Flag.AUX | Flag.S_FORM | Flag.REL
    mind = mind and any(t.flags & clausal or (t.lower == "to" and n == end) for n, t in enumerate(tokens[end:], end))
    perfect = bool(said & Flag.HAVE) and words != ("have",)
    words = ("must", *words) if must else words
    early = any(t.flags & Flag.EARLIER for t in tokens[start:end])
    plural = tokens[start].lower == "are" or tokens[start].flags & (Flag.BASE | Flag.S_FORM) == Flag.BASE
    return Link(start, end, words, negated, past, modal, perfect, mind, ended, early, plural)


def _is_past(main: Token) -> bool:
    if not main.flags & Flag.VERB:
        return main.lower.endswith("ed")
    return bool(main.flags & Flag.PAST) and not main.flags & (Flag.BASE | Flag.S_FORM)


def _main_verb(tokens: Sequence[Token], n: int, said: int) -> tuple[tuple[str, ...], int, Token | None]:
    """Return base forms of the main verb, where it ends, and the word; `n`, `said`: the auxiliaries' end and flags."""
    main = tokens[n] if n < len(tokens) else None
    following = tokens[n + 1] if n + 1 < len(tokens) else None
    be = bool(said & Flag.BE)
    if main is None or main.sort != WORD or (be and main.lower in _STATES):
        return ("be" if be else "have" if said & Flag.HAVE else "do",), n, None
    if said & (Flag.BE | Flag.HAVE):
        # "is set to" and "is run by", but "is open until"
        governs = following is not None and following.flags & Flag.PREP
        if main.flags & Flag.DONE and (governs or not main.flags & Flag.BASE):
            return ("be", main.lemma) if be else (main.lemma,), n + 1, main
        if be and main.flags & Flag.ING:
            return (main.lemma,), n + 1, main
        return ("be" if be else "have",), n, None
    if said & (Flag.MODAL | Flag.WILL | Flag.DO | Flag.MUST) and not main.flags & Flag.BASE:
        return ("do",), n, None
    return (main.lemma,), n + 1, main
