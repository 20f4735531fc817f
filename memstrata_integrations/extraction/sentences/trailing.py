"""The clauses that hang behind a statement: conditions, purposes, consequences, remarks on how it is meant.

"The client tries 3 times before it gives up", "Tokens last an hour, counted from the login", "Set by default to 20 to
save memory", "The list is sorted by name unless you ask otherwise". What is left without them is read as a plain
sentence, and their words stay in the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS, REMINDING
from memstrata_integrations.extraction.sentences.opinions import is_opinion, may_judge
from memstrata_integrations.extraction.sentences.verbs import BASES, THIRD, is_past, verb_of_gerund
from memstrata_integrations.words import holds_any, singular, word_set

__all__ = ["SENT", "accompanies", "asserts", "clauses_behind"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_LEAST_WORDS, _MOST_WORDS = 3, 26
_SUBORDINATING = word_set(
    "before after until till once when whenever unless while whereas although though because since where which "
    "whose whom provided except without regardless depending unlike plus whatever over via using"
)
_ELLIPTICAL = word_set("cannot can may must is are has have does do never not only then no it they its their at")
_OPENING = PREPOSITIONS | word_set(
    "to so as even but not never never only always usually which who whose half all most each both some none and no it "
    "they its their relative subject unless if plus minus including excluding counting please see also day around "
    "whether regardless independent rather instead the a next near alongside beside beneath above below along together "
    "separate away close behind outside compressed sorted"
)
_PRONOUNS = word_set("it they the you all its their")
_PERIODS = word_set("morning afternoon evening night day weekday week weekend month quarter year hour term season")
_TO_GOVERNORS = word_set(
    "set need needs have has had able allowed used required due unable expected ready going want wants free entitled "
    "up close next according about set try tries supposed likely here there left how when where"
)
_AUXILIARIES = word_set("is are be been being gets get has have the a an of")
SENT = REMINDING | word_set("email mail message newsletter sms call invitation follow-up")
"""Of these several are sent, each at its own time."""
_SPEAKERS = word_set("we us our")
# Words before which a clause of its own may start
_BREAKING = _SUBORDINATING | word_set("before after until till and but every each so to by for in rather instead as")
_BREAK = re.compile(
    r"(?P<mark>[,;] | [–—-] )| (?P<hidden>¤)|(?<=[\w¤]) (?=(?P<word>"
    + "|".join(sorted(_BREAKING))
    + r") (?P<next>[\w`¤'’]+))"
)
# Words that leave open whether anything holds, or say it of one try, of an example or of another time
_DOUBTING = word_set(
    "would could might should shall probably perhaps maybe possibly potentially presumably allegedly apparently "
    "supposedly hypothetically hopefully likely unlikely seems seem appears appear according said says say saying told "
    "tells claims claimed claim heard reportedly reported think thinks thought believe believes guess hope hopes wish "
    "imo imho opinion rumour rumor imagine suppose supposing assuming assume pretend example instance e.g eg i.e "
    "fiction dream game novel plan plans planned planning going propose proposed proposes proposal suggest suggested "
    "consider considering intend intends tbd tba todo eventually soon tomorrow tonight yesterday today ago formerly "
    "previously originally initially recently usually typically often sometimes occasionally rarely mostly generally "
    "normally benchmark benchmarks experiment simulation measured observed average averaged estimate estimated "
    "also too another additionally either neither was were had did became i me my mine he she him her his hers"
)
_AHEAD = ("week", "month", "year", "release", "sprint", "quarter", "night", "time")
_DOUBTS = tuple(
    [f" {nth} {time}" for nth in ("next", "last") for time in _AHEAD] + [" for now", " such as ", " used to "]
)
# "when the job was accepted", "unless told otherwise", "the planned date": these say nothing of the statement
_HARMLESS = re.compile(
    r"\b(?:as soon as|for good\b|(?:when|whenever|if|once|after|since|before|until|unless|that|which|who|where)\b"
    r"(?: [^\s,;]+){1,8}? (?:was|were|had|did)\b|unless (?:[^\s,;]+ ){0,5}(?:says?|told|asked) otherwise"
    r"|(?:the|its|their|a|an|each|every) (?:planned|estimated|expected|average|likely|reported|measured|observed"
    r"|claimed|suggested|proposed) |(?:the|an?|each|every|on|our|your|this) (?:[a-z-]+ )?plans?\b(?! to\b))"
)


@lru_cache(maxsize=32)
def asserts(words: str) -> bool:
    """Whether words say how things are: no doubt, no plan, no story, no example.

    Example:
        >>> asserts("before it gives up"), asserts("if all goes well, I think"), asserts("as we planned")
        (True, False, False)
    """
    said = f" {words.lower()} "
    bares = [w.strip(_TRIM) for w in said.split()]
    if _DOUBTING.isdisjoint(bares) and not may_judge(bares) and not holds_any(said, _DOUBTS):
        return True  # whatever of it is harmless
    said = _HARMLESS.sub(" ", said)
    bares = [w.strip(_TRIM) for w in said.split()]
    if not _DOUBTING.isdisjoint(bares) or holds_any(said, _DOUBTS):
        return False
    return not is_opinion(said.replace(" least ", " ").split())


def accompanies(clause: str) -> bool:
    """Whether a clause of the present may stand beside a statement, as a part of it.

    Example:
        >>> accompanies("and cannot be extended"), accompanies("so we moved")
        (True, False)
    """
    words = [w.strip(_TRIM).lower() for w in clause.split()]
    finite = any(is_past(w) and not _before_participle(words[:n]) for n, w in enumerate(words))
    return bool(words) and not finite and asserts(clause) and _SPEAKERS.isdisjoint(words)


def _before_participle(words: list[str]) -> bool:
    return not _AUXILIARIES.isdisjoint(words[-2:])


def clauses_behind(text: str) -> Iterator[tuple[int, str]]:
    """Yield where the main clause may end, with the words behind it that belong to the key: its last clause, then all.

    Example:
        >>> list(clauses_behind("The client waits 5 seconds before it tries again, unless told otherwise"))
        [(48, 'unless told otherwise'), (26, 'before it tries again, unless told otherwise')]
    """
    if "$(" in text:  # a command has clauses of its own
        return
    hidden = masked(text)
    places = [m.start() for m in _BREAK.finditer(hidden) if _breaks(text, m)]
    for at in dict.fromkeys((*places[-1:], *places[:1])):
        said = text[at:].lstrip(" ,;–—-")
        if _LEAST_WORDS <= len(text[:at].split()) <= _MOST_WORDS and not said.startswith("if ") and asserts(said):
            yield at, said


def _opens_clause(text: str) -> bool:
    """Whether words behind a comma are no item of a list, and no verb of the main clause."""
    word, _, rest = text.partition(" ")
    if word in ("and", "but", "or", "so", "then"):
        word, _, rest = rest.partition(" ")
        return word.strip(_TRIM) in _ELLIPTICAL or word in THIRD or word in _OPENING
    return (
        word in _OPENING
        or word in _SUBORDINATING
        or word.endswith(("ing", "able", "ible"))
        or (is_past(word) and " " in rest)
    )


def _breaks(text: str, match: re.Match[str]) -> bool:
    """Whether a clause of its own may start here."""
    if match["mark"] is not None:
        return match["mark"] != ", " or _opens_clause(text[match.end() :])
    if match["hidden"] is not None:
        return text[match.start("hidden")] == "("
    word, following = match["word"], match["next"]
    before = text[: match.start()].rpartition(" ")[2].strip(_TRIM).lower()
    if word in ("before", "after") and any(singular(w) in SENT for w in text[: match.start()].lower().split()):
        return False  # "Reminders go out a day before it": and a week before it
    if word in ("until", "till"):
        return following in _PRONOUNS  # until Friday it is so, and no longer
    if word in _SUBORDINATING:
        return before not in _SUBORDINATING and before not in ("and", "or", "but", "as", "than", "not", "only")
    if word in ("and", "but"):
        return following in _ELLIPTICAL or following in THIRD
    if word in ("every", "each"):
        return following in _PERIODS and before not in ("of", "for", "in", "on", "at", "and", "or")
    if word == "so":
        return following in ("that", "as", "the", "you", "they", "it")
    if word == "to":
        acts = following == "be" or following in BASES
        return acts and before not in _TO_GOVERNORS and not is_past(before)
    if word in ("by", "for"):
        return verb_of_gerund(following) != following
    if word == "in":
        return following in ("order", "case", "addition")
    return word in ("rather", "instead", "as") and following in ("than", "of", "long", "soon", "you", "they", "it")
