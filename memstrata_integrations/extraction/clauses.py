"""Clauses: stretches of a sentence that have a verb, what only stands around them, and what speaks against one."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from memstrata_integrations.extraction.phrases import head_of, is_plural
from memstrata_integrations.extraction.tokens import MARK, NAME, WORD, Token, flags_of
from memstrata_integrations.extraction.words import Flag


class Segment(NamedTuple):
    """A stretch between two cuts: a clause, or what stands around one."""

    opener: str  # the mark or the word that opens it; empty for the first
    tokens: Sequence[Token]


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
    plural: bool = False  # it is said of several: "are"


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
_NO_CUT = frozenset("before after since until till once as".split())  # behind a comma or a bracket alone
_LEAD_INS = frozenset(
    """sorry correction actually scratch fyi note reminder btw ps nb psa ok okay hi hey hello so well right heads-up
update anyway yes yep oh ah please warning by the way just you know for record as of today from now on heads up course
in fact quick usual these days at moment""".split()
)
_DEPENDING = Flag.SUB | Flag.REL | Flag.MODAL | Flag.WAS  # "Should the valve stick, ..."
_CUTTING = Flag.MARK | Flag.SUB | Flag.AND


def clauses(tokens: Sequence[Token]) -> list[Clause]:
    """Return the clauses of a sentence, each with the segments that stand before and behind it."""
    found: list[Clause] = []
    before: list[Segment] = []
    subject: list[Segment] = []  # the one that may be a subject whose verb stands behind an aside
    cut = _segments(tokens) if flags_of(tokens) & _CUTTING else [Segment("", tokens)]
    for n, segment in enumerate(cut):
        own, first, more = segment.tokens, segment.tokens[0], n + 1 < len(cut)
        if n and first.lower == "so" and len(own) > 1:
            own, first = own[1:], own[1]
        dependent = segment.opener in CONDITIONS or first.flags & (_DEPENDING if more else Flag.SUB | Flag.REL) > 0
        if more and not (found or before or subject) and all(t.lower in _LEAD_INS or t.lower[0] == "@" for t in own):
            continue  # "By the way, ..."
        joined = bool(subject) or (bool(found) and segment.opener in ("and", "but", ";", "or"))
        aside = dependent or segment.opener == "(" or (not found and first.flags & Flag.PREP and _is_front(cut, n))
        link = None if aside else find_link(own, joined=joined)
        if link is None and found:
            found[-1].behind.append(segment)
        elif link is None:
            if dependent or first.flags & Flag.PREP or (subject and segment.opener != ":"):
                before.append(segment)
            else:
                before, subject = [*before, *subject], [segment]
        else:
            opener = segment.opener
            if link.start == 0 and subject and not found and opener != ":":
                shift, own, opener = len(subject[0].tokens), [*subject[0].tokens, *own], ""
                link, subject = link._replace(start=shift, end=link.end + shift), []
            found.append(Clause(own, link, opener, [*before, *subject], []))
            before, subject = [], []
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
        if token.sort == MARK:
            cuts = token.lower in _CUTS
        elif n == start or not token.flags & _CUTTING:
            continue
        else:
            subordinate = token.lower not in _NO_CUT or (token.lower == "as" and tokens[n - 1].sort == MARK)
            cuts = subordinate if token.flags & Flag.SUB else _begins_clause(tokens, start, n)
        if cuts:
            if n > start:
                found.append(Segment(opener, tokens[start:n]))
            opener, start = token.lower, n + (token.sort == MARK or token.flags & Flag.AND > 0)
    if start < len(tokens):
        found.append(Segment(opener, tokens[start:]))
    return found


def _begins_clause(tokens: Sequence[Token], start: int, n: int) -> bool:
    """Whether "and" joins two clauses or predicates, and not two nouns."""
    if find_link(tokens[start:n]) is None:
        return False
    cuts = (k for k in range(n + 1, len(tokens)) if tokens[k].sort == MARK and tokens[k].lower in _CUTS)
    return find_link(tokens[n + 1 : next(cuts, len(tokens))], joined=True) is not None


def _is_front(cut: Sequence[Segment], n: int) -> bool:
    """Whether a phrase with a preposition only opens the clause behind the comma: "With jumbo frames on, ..."."""
    if n + 1 >= len(cut) or cut[n + 1].opener != "," or cut[n + 1].tokens[0].flags & (Flag.REL | Flag.SUB):
        return False
    link = find_link(cut[n + 1].tokens)
    return link is not None and link.start > 0


_AUX, _VERB, _REL, _OWNER = Flag.AUX, Flag.VERB, Flag.REL, Flag.OWNER  # what every word is asked
_FINITE = Flag.S_FORM | Flag.BASE | Flag.PAST
_GOVERNS = Flag.DET | Flag.INDEFINITE | Flag.PREP
_TELLING = Flag.AUX | Flag.VERB | Flag.REL
_PASSED = Flag.NOT | Flag.SKIP | Flag.HEDGE
_PEOPLE = frozenset("i you we they people staff police children".split())
_STATES = frozenset(("enabled", "disabled", "closed"))


def find_link(tokens: Sequence[Token], *, joined: bool = False) -> Link | None:
    """Return the verb of a clause; if it is `joined`, another clause before it has the subject."""
    chosen = passive = -1
    strong = relative = False
    for n, token in enumerate(tokens):
        flags = token.flags
        if not flags & _TELLING:
            continue
        if flags & _REL and n:
            relative = token.lower != "that" or chosen < 0  # "says that"
            continue
        aux = bool(flags & _AUX) and not flags & _OWNER
        if relative and flags & _VERB and n + 1 < len(tokens) and tokens[n + 1].flags & _AUX:
            relative = False  # "the host that Postbox uses is"
            continue
        if not (n or joined) or not (aux or _is_verb(tokens, n)):
            continue
        if relative or (n == passive + 1 and flags & Flag.DONE):  # "the job that rebuilds it", "that are sent by"
            passive = n if relative and aux else -1
            relative = False
        elif chosen < 0:
            chosen, strong = n, aux
        elif aux and not strong and not tokens[chosen].flags & Flag.MIND:
            chosen, strong = n, True  # "the version CI uses is ...": the first belonged to the noun
    return None if chosen < 0 else _read_link(tokens, chosen)


def _is_verb(tokens: Sequence[Token], n: int) -> bool:
    """Whether a word that is no auxiliary is a finite verb here."""
    token = tokens[n]
    flags = token.flags
    if token.sort != WORD or n + 1 >= len(tokens):
        return False
    if n == 0:
        return bool(flags & (Flag.S_FORM | Flag.PAST))
    end = _subject_end(tokens, n)
    previous, following = tokens[end - 1], tokens[n + 1]
    if not flags & _FINITE or previous.lower == "to" or (previous.flags & _GOVERNS and not previous.flags & _REL):
        return False
    if (previous.sort == MARK and previous.lower != ".") or following.lemma == "of" or following.flags & _AUX:
        return False
    if flags & Flag.S_FORM:
        return True
    if not flags & Flag.BASE:  # "the parser used by the repo is ..."
        finite = Flag.AUX | Flag.S_FORM | Flag.BASE
        reduced = flags & Flag.DONE and following.flags & Flag.PREP
        return not (reduced and any(t.flags & finite and not t.flags & Flag.COMMON for t in tokens[n + 1 :]))
    head = head_of(tokens[:end])  # of several, so that its verb has its base form
    return previous.lower in _PEOPLE or (head is not None and is_plural(head))


def _subject_end(tokens: Sequence[Token], n: int) -> int:
    """Return where the subject of a verb at a place ends: before "now", and before "no longer"."""
    while n > 1 and tokens[n - 1].flags & Flag.SKIP:
        n -= 1
    return n - 2 if n > 2 and tokens[n - 1].lower == "longer" and tokens[n - 2].lower == "no" else n


def _read_link(tokens: Sequence[Token], start: int) -> Link:
    """Read auxiliaries, adverbs and the main verb from where the verb begins."""
    n, size = start, len(tokens)
    words: tuple[str, ...]
    said = 0  # the flags of its auxiliaries
    ended = False
    while n < size:
        token = tokens[n]
        flags = token.flags
        if flags & _AUX and not flags & _OWNER:
            said |= flags
        elif token.lower == "longer" and n and tokens[n - 1].lower == "no":
            ended = True
        elif flags & _PASSED and (n > start or flags & Flag.NOT):
            said |= flags & Flag.NOT
        else:
            break
        n += 1
    be, helped = said & Flag.BE, said & (Flag.BE | Flag.HAVE)
    main = tokens[n] if n < size and tokens[n].sort == WORD and not (be and tokens[n].lower in _STATES) else None
    # "is set to" and "is run by", but "is open until"
    governs = n + 1 < size and tokens[n + 1].flags & Flag.PREP
    done = main is not None and main.flags & Flag.DONE and (governs or not main.flags & Flag.BASE)
    if main is None or (helped and not (done or (be and main.flags & Flag.ING))):
        words, main, end = ("be" if be else "have" if helped else "do",), None, n
    else:
        words, end = ("be", main.lemma) if be and done else (main.lemma,), n + 1
    negated, first = said & Flag.NOT > 0, tokens[start]
    begin = _subject_end(tokens, start)
    if any(t.lower == "longer" for t in tokens[begin:start]):  # "no longer works for"
        negated = ended = True
    if negated and not ended:
        told = [t.lower for t in tokens]
        ended = "anymore" in told or told[-2:] == ["any", "more"]
    past = mind = False
    if main is not None:
        finite = main.flags & (Flag.PAST | Flag.BASE | Flag.S_FORM) == Flag.PAST
        past = not said and (finite if main.flags & _VERB else main.lower.endswith("ed"))
        if main.flags & Flag.MIND:
            clausal = flags_of(tokens[end:]) & (Flag.AUX | Flag.S_FORM | Flag.REL)
            mind = clausal > 0 or (end < size and tokens[end].lower == "to")
    return Link(
        begin, end, words, negated, past or said & Flag.WAS > 0, said & Flag.MODAL > 0,
        said & Flag.HAVE > 0 and words != ("have",), mind, ended,
        first.lower == "are" or first.flags & (Flag.BASE | Flag.S_FORM) == Flag.BASE,
    )  # fmt: skip


_FLAGS = (
    (Flag.HEDGE, "a hedge, or a plan"),
    (Flag.EARLIER, "what was"),
    (Flag.SEVERAL, "one of several"),
    (Flag.NOT, "a negation"),
)
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
_PARTIAL = frozenset("some many few half part most none several only".split())
_TASTES = frozenset("best worst nicest finest greatest coolest funniest prettiest ugliest annoying tasty".split())
_SUSPECT = Flag.HEDGE | Flag.EARLIER | Flag.SEVERAL | Flag.NOT


def veto(
    front: Sequence[Token], tokens: Sequence[Token], link: Link, *, past: bool = False, ended: bool = False
) -> str:
    """Return why a clause states nothing that holds now; empty if nothing speaks against it.

    `front` stands before it. `past`: what was counts as well, as in sentences of change. `ended`: it is so no longer.
    """
    if link.modal:
        return "what may, should or will be"
    if (link.past or link.perfect) and not past:
        return "what was"
    if link.mind:
        return "an opinion"
    told = [*front, *tokens] if front else tokens
    first = told[0]
    number = first.kind in ("number", "percent") or first.kind.startswith("count:")
    if number and len(told) > 1 and told[1].lower == "of":
        return "some of several"
    for n, token in enumerate(told if flags_of(told) & _SUSPECT else ()):
        for flag, reason in _FLAGS:
            negation = flag == Flag.NOT and (ended or n < len(front))
            if token.flags & flag and token.sort != NAME and not negation and not (past and flag == Flag.EARLIER):
                return reason
    words = [t.lower for t in told]
    reason = next(filter(None, map(_PAIRS.get, pairwise(words))), "")
    if reason or first.lower in _PARTIAL:
        return reason or "some of several"
    return "an opinion" if not _TASTES.isdisjoint(words) else "a question" if "?" in words else ""
