"""Plain sentences of what a thing has one of: "The theme of the fair is water", "Grandma's room is upstairs".

Which noun it is decides what may complete it: a name or a noun, or a grade ("critical", "read committed"). What an
adjective says of other things ("The theme is ugly") is no value of theirs.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import describes, is_adjective
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.dispatch import Rules
from memstrata_integrations.extraction.sentences.lexicon import (
    COMPARISONS,
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    PERSON_ROLES,
    PREPOSITIONS,
    THINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.plain_nouns import (
    ALSO_NOUNS,
    GRADED,
    GRADES,
    NAMED,
    OFFICES,
    ONE_AT_MOST,
    ONE_OF_A_KIND,
    PICTURED,
    PLACED,
)
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import is_participle, is_past
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["COPULAR", "read_copular"]

COPULAR = "copular"
"""What the names of these rules begin with."""
_IS = known("is")
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_MOST_WORDS = 6
_COPULA = re.compile(r" (?:is|remains|stays|(?<=pronouns )are) (?=\S)")
_ARTICLE = re.compile(r"(?P<some>an? )|the |The ")
# A cron expression, a blood group, a formation, a resolution
_WHOLE = re.compile(
    r"(?:(?:[\d*/,?-]+ ){4}[\w*/,?#-]+|(?:AB?|B|O) ?(?:positive|negative|[+-])|\d(?:-\d){2,3}|\d{3,4}p|[248]K"
    r"|(?:she|he|they|ze|xe)/(?:her|him|them|zir|xem))\Z"
)
_PHRASES = re.compile(
    r"(?:in person|on[ -]site|by (?:appointment|invitation)|on demand|in (?:progress|review|beta|alpha|production"
    r"|transit|testing|development)|on hold|under (?:review|construction|embargo)|read (?:un)?committed"
    r"|repeatable read|at (?:least|most) once|exactly once)\Z"
)
# Of several, or of none yet
_UNSETTLED = word_set(
    "possible potential proposed likely suggested former ex past previous rejected candidate tentative prospective "
    "alternative additional extra another optional"
)
_PLACING = ("in ", "at ", "on ", "by ", "with ", "from ")
_STOREY = re.compile(r"(?:upstairs|downstairs|in the (?:attic|basement|cellar))\Z")
_NO_VALUE = (
    UNASSERTED
    | CONJUNCTIONS
    | DEICTIC
    | FINITE_VERBS
    | COMPARISONS
    | word_set(
        "unknown unclear undecided secret confidential open-ended own other what whatever up some any every each many "
        "several various all most few just only"
    )
)


def _stated(core: str, hidden: str) -> Claim | None:
    """Read what the one attribute of a thing is."""
    copula = _COPULA.search(hidden)
    if copula is None or (head := _head(core, hidden, copula.start())) is None:
        return None
    subject = core[: copula.start()].strip()
    if head in PLACED and _STOREY.match(hidden, copula.end()) is not None:
        return Claim(f"storey of {subject}", _IS, copula.end(), len(core), f"{COPULAR}: storey", "text")
    words = [w.strip(_TRIM).lower() for w in subject.rpartition(", ")[2].split()]
    at = words.index(head) if head in words else 0
    before = words[at - 1] if at else ""
    sole = (before in ONE_AT_MOST and head not in _NO_SOLE) or before in ONE_OF_A_KIND.get(head, ())
    if head in THINGS and not sole and head not in NAMED:
        return None
    named = head in NAMED or sole
    graded = head in GRADED and not (head == "level" and "log" in words)  # where "high" says how much is logged
    if not (named or graded):
        return None
    value = _value(core, hidden, copula.end(), named=named, graded=graded, pictured=head in PICTURED)
    if value is None:
        return None
    start, end, tail = value
    return Claim(f"{subject} {tail}".strip(), _IS, start, end, f"{COPULAR}: {head}", "text")


def _day_of(core: str, hidden: str) -> Claim | None:
    """Read "Payday is the last Friday of the month"."""
    match = _DAY_OF.match(core)
    if match is None or not subject_is_sound(match["what"], match["what"]):
        return None
    whose = None if " " in match["what"] else True  # of whoever says "payday"
    return Claim(match["what"], _IS, *match.span("value"), f"{COPULAR}: day", "text", local=whose)


_DAY_OF = re.compile(
    r"(?P<what>(?:[A-Z][\w’'-]* (?:[a-z]+ ){0,3})?"
    r"(?:[Pp]ayday|[Dd]ay|[Dd]eadline|[Mm]eeting|[Dd]elivery|[Cc]ollection)"
    r"(?: (?:of|for|in|at) [^,;:]{2,50}?)?) is (?:on )?(?:the )?"
    r"(?P<value>(?:first|second|third|fourth|last|\d{1,2}(?:st|nd|rd|th)) (?:working |business )?"
    r"(?:day|[A-Z][a-z]+day) (?:of|in) (?:the|each|every) (?:month|week|quarter|year|term))\Z"
)


def _head(core: str, hidden: str, end: int) -> str | None:
    """Return the head noun of a subject that is one thing's own."""
    whole = core[:end].strip()
    fronted, _, subject = whole.rpartition(", ")  # "In the annex, the floor"
    words = [w.strip(_TRIM).lower() for w in subject.split()]
    if not words or len(whole.split()) < 2 or not subject_is_sound(hidden[:end], whole):
        return None
    owned = words[0] in ("my", "our") or any(w.endswith(("'s", "’s", "s'", "s’")) for w in subject.split())
    told_of = bool(fronted) or len(words) > 2
    if not owned and not (told_of and (words[0] == "the" or not {"of", "for"}.isdisjoint(words[1:-1]))):
        return None
    head = head_phrase(words)[0]
    front = words[: words.index(head)] if head in words else words
    if (is_plural(head) and head != "pronouns") or not _UNSETTLED.isdisjoint(front):
        return None
    return head


def _value(
    core: str, hidden: str, pos: int, *, named: bool, graded: bool, pictured: bool
) -> tuple[int, int, str] | None:
    """Return where a value stands, and what qualifies the sentence behind it."""
    if (whole := _WHOLE.match(core, pos)) is not None:
        return *whole.span(), ""
    if graded and (fixed := _PHRASES.match(core, pos)) is not None:
        return *fixed.span(), ""
    article = _ARTICLE.match(core, pos)
    start = article.end() if article else pos
    found = find_typed(core, start, len(core))
    if found is not None and found[3] in ("name", "quoted", "technical"):
        tail = qualifiers(core[found[2] :])
        if tail is not None:
            return None if core[found[0] : found[1]].lower() in _NO_VALUE else (found[0], found[1], tail)
    elif found is not None:
        return None
    words = hidden[start:].split()
    n = next((n for n, w in enumerate(words) if w.lower() in PREPOSITIONS - {"of"} and n), len(words))
    phrase = " ".join(words[:n])
    if any(c.isdigit() for c in phrase):
        return None  # "is replicated 3 times"
    if not 1 <= n <= _MOST_WORDS or hidden[start : start + len(phrase)] != phrase or words[0].lower() in PREPOSITIONS:
        return None
    bares = [w.strip(_TRIM).lower() for w in words[:n]]
    if not _NO_VALUE.isdisjoint(bares) or any(w[-1] in ",;:" or "¤" in w for w in words[:n]) or is_opinion(bares):
        return None
    if (bares[0].endswith("ly") and bares[0] not in GRADES) or (n == 1 and not article and bares[0].endswith("ing")):
        return None
    tail = qualifiers(core[start + len(phrase) :])
    if tail is None or (tail and article is None and (is_participle(bares[-1]) or is_past(bares[-1]))):
        return None  # "is set in the file"
    if not article and not _is_named(bares, named=named, graded=graded):
        return None
    if describes(phrase) or (article and article["some"] and not (pictured and n < 3 and not is_adjective(bares[0]))):
        return None  # "is a mess", "is a big improvement"
    if article and article["some"] and tail.startswith(_PLACING):
        return start, len(core), ""  # "a weekend in Vienna"
    return start, start + len(phrase), tail


def _is_named(bares: list[str], *, named: bool, graded: bool) -> bool:
    """Whether words without an article name something, or grade it."""
    phrase = " ".join(bares)
    if graded and (not GRADES.isdisjoint((bares[-1], phrase)) or (len(bares) > 1 and bares[0] in GRADES)):
        return True
    if bares[-1] in ALSO_NOUNS:
        return True
    return not is_adjective(phrase) and not any(is_participle(w) or is_past(w) for w in (bares[0], bares[-1]))


_NO_SOLE = (
    PERSON_ROLES
    | OFFICES
    | word_set(
        "thing way benefit advantage problem issue reason idea point difference disadvantage aim task purpose argument "
        "worry concern effect obstacle"
    )
)
_NOUNS = NAMED | GRADED | PLACED | ONE_AT_MOST | frozenset(ONE_OF_A_KIND)
read_copular = Rules(((_stated, _NOUNS), (_day_of, word_set("month week quarter year term"))))
"""Reads what a thing has one of."""
