"""A sentence of prose: the one governed verb and its subject."""

from __future__ import annotations

import re
from functools import lru_cache

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import (
    Verb,
    is_technical,
    masked,
    read_complement,
    spans_of,
)
from memstrata_integrations.extraction.sentences.lexicon import (
    ANAPHORIC,
    CONJUNCTIONS,
    DEICTIC,
    EMBEDDING,
    FINITE_VERBS,
    IMPERATIVES,
    PREPOSITIONS,
    SUBJECT_STOPPERS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion, may_judge
from memstrata_integrations.relations import ADVERBS, BUILT_IN, Vocabulary, known
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.values import METHODS
from memstrata_integrations.words import word_set

__all__ = ["masked", "read_sentence", "subject_is_sound"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_MARKS = re.compile(f"[{re.escape(_TRIM)}]")
_MASK = "¤"
# "is an hour" and "is a week": an amount, and no class
_IS_AN_AMOUNT = re.compile(
    r"is an? (?:second|minute|hour|day|week|fortnight|month|year)(?=\Z|[,;)]| (?:in|on|for|at|by)\b)"
)
_DESCRIBED = "described as:"
_MAX_SUBJECT_WORDS = 16
_OF_A_KIND = frozenset(("costs", "lasts", "weighs", "is valid for", "expires after", "times out after"))
_PRICED = re.compile(r" (?:[$€£¥] ?\d|[\d.,]+ ?(?:[$€£¥]|euros?\b|dollars?\b|pounds?\b))")
_AMOUNT = re.compile(r"[$€£¥]?\d")
_DAILY = frozenset(("train", "bus", "tram", "ferry", "boat", "flight", "service", "admission", "entry", "post"))
_MERELY = frozenset(("possible", "tentative", "prospective"))
_RELEASED = frozenset(("stable", "released", "published", "tagged", "supported"))
_MANY = frozenset(("i", "we", "they", "you", "people", "children", "men", "women"))
_NO_SUBJECT_WORDS = UNASSERTED | DEICTIC | CONJUNCTIONS | FINITE_VERBS | (SUBJECT_STOPPERS - {"a", "an"})
_BREAKS = frozenset(";:!?.")
_ONE_OF_A_KIND = re.compile(r"(?P<front>(?:At|In|On|For|Under|Within) [^,]{3,60}, )?[Aa]n? ")
_LIVED = word_set("liked loved met saw visited watched enjoyed ate tried heard hated read finished bought")
_DONE_BY = frozenset(("kept", "made", "used", "run"))
# "the theme of this year's fair", "the engineer on call this week": there is one of each
_OF_NOW = re.compile(
    r"\b[Tt]his (?=(?:year|season|term|semester|week|month|quarter|sprint|summer|winter|spring|autumn|cycle|edition"
    r"|weekend)(?:['’]s [A-Za-z]| ?\Z))"
)


def read_sentence(text: str, start: int, end: int, vocabulary: Vocabulary = BUILT_IN) -> Claim | None:
    """Read the fact that a sentence states.

    Args:
        text: The whole text.
        start: Where the sentence starts.
        end: Where it ends, its full stop left out.
        vocabulary: The relations to read.

    Returns:
        The claim, or `None` when the sentence states no single current value.
    """
    sentence = text[start:end]
    hidden = masked(sentence)
    described = hidden.find(_DESCRIBED)
    verbs = _verbs(hidden, vocabulary)
    if not verbs:
        return None
    if described >= 0:
        verbs = [v for v in verbs if v.words > 1 and v.start > described]
        if not verbs:
            return None
        verb = verbs[-1]
        hidden = hidden[:described] + _MASK * (verb.start - described - 1) + hidden[verb.start - 1 :]
    else:
        governing = _governing(verbs)
        if governing is None:
            return None
        verb = governing
    if verb.words == 2 and _IS_AN_AMOUNT.match(hidden, verb.start):
        verb = verb._replace(end=verb.start + 2, relation=known("is"), words=1)
    if verb.relation.cardinality != "functional":
        return None
    stop = verb.start
    before, _, adverb = hidden[:stop].rstrip().rpartition(" ")
    if before and adverb.lower() in ADVERBS:  # "Alice now lives in Berlin"
        stop = len(before)
    subject = sentence[:stop].strip()
    if (
        subject.isalpha()
        and subject[-1] == "s"
        and sentence[verb.start : verb.end].split()[0] in ("are", "go", "get", "have")
    ):
        subject = subject[0].lower() + subject[1:]  # "Invoices go to": no name
    if subject.rpartition(" ")[2] in _LIVED:
        return None  # "The book I liked is Dune", and so is Emma
    # "open pin in package.json is pinned to 1" opens with no order: a name stands before such a verb
    strong = verb.words > 1 and is_technical(subject)
    said = hidden[:stop]
    kind = _ONE_OF_A_KIND.match(said)
    if (
        kind is not None
        and (verb.relation.name in _OF_A_KIND or (verb.relation.name == "is" and _PRICED.match(hidden, verb.end)))
        and (kind["front"] or any(w in PREPOSITIONS or not w.islower() for w in said.split()[1:]))
    ):  # "A ticket for the museum costs 5 euros", "At the garage, an oil change costs 89 euros"
        said, subject = (f"{kind['front'] or ''}The {words[kind.end() :]}" for words in (said, subject))
    if not subject_is_sound(said, subject, EMBEDDING if strong else IMPERATIVES):
        return None
    pos = verb.end
    while pos < len(sentence) and sentence[pos] in " \t\n":
        pos += 1
    return read_complement(sentence, subject, verb, start, pos)


def _verbs(hidden: str, vocabulary: Vocabulary) -> list[Verb]:
    words = hidden.lower().split()
    table, bases = vocabulary.by_second, vocabulary.bases
    places = [n for n, word in enumerate(words) if word in table]
    if not places:
        return []
    spans = spans_of(hidden)
    found: list[Verb] = []
    free = 0  # the first word that belongs to no verb yet
    for n in places:
        word, by_second = words[n], table[words[n]]
        if n < free or (n and hidden[spans[n][0]].isupper() and not hidden.isupper()):
            continue  # "Croft End on Mondays"
        earlier = words[n - 1] if n else ""
        counted = earlier.replace(",", "").isdigit() and ("is" in words[: n - 1] or "are" in words[: n - 1])
        if counted or (word == "am" and earlier != "i"):  # "is 50 calls a minute", "9:30 am"
            continue
        alone = word in bases and not (earlier in _MANY or earlier.endswith("s"))
        if alone and not any(w[-1] == "s" for w in words[1 : n - 1]) and not (n > 1 and words[0][-1] == "s"):
            continue  # "the API call limit"
        after = n + 1
        while after < len(words) and words[after] in ADVERBS:
            after += 1
        entries = by_second.get(words[after], ()) if after < len(words) else ()
        for rest, relation in (*entries, *by_second.get("", ())):
            stop = after + len(rest)
            if alone and not rest and not (relation.name in _OF_A_KIND and _AMOUNT.match(" ".join(words[stop:][:2]))):
                continue
            if relation.slot == "time" and (stop >= len(words) or words[stop] in PREPOSITIONS):
                continue  # "debug mode is on", "the flag is on in production"
            if words[after:stop] == list(rest):
                found.append(Verb(spans[n][0], spans[stop - 1][1], relation, 1 + len(rest)))
                free = stop
                break
    return found


def _governing(verbs: list[Verb]) -> Verb | None:
    """Return the verb that governs the sentence, `None` if several could."""
    if len(verbs) == 1:
        return verbs[0]
    strong = [v for v in verbs if v.words > 1 and v.relation.cardinality == "functional"]
    if strong:
        verb = strong[-1]
        # a technical subject may hold words that look like verbs ("uses", "imports"), never "is"
        others = [v for v in verbs if v is not verb]
        if all(o.end <= verb.start and o.words == 1 and o.relation.cardinality != "functional" for o in others):
            return verb
        return None
    return None


def _is_pair(words: list[str]) -> bool:
    """Whether "and" links two names: "Nora and Tim", "Elm and 3rd"."""
    return len(words) > 2 and words[0][0].isupper() and (words[2][0].isupper() or words[2][0].isdigit())


@lru_cache(maxsize=2048)
def subject_is_sound(hidden: str, subject: str, openers: frozenset[str] = IMPERATIVES) -> bool:
    """Whether a subject names one thing, in words that assert."""
    hidden = _OF_NOW.sub("the ", hidden) if "his " in hidden else hidden
    words = hidden.split()
    if not words or len(words) > _MAX_SUBJECT_WORDS:
        return False
    bares = [w.strip(_TRIM).lower() for w in words] if _MARKS.search(hidden) is not None else hidden.lower().split()
    first = bares[0]
    comma = hidden.find(",")
    if comma >= 0:
        # a fronted adjunct, and nothing else, may end in a comma
        if first not in PREPOSITIONS or "," in hidden[comma + 1 :] or comma > 60:
            return False
        head = hidden[comma + 1 :].split()
        if not head or head[0].lower() in SUBJECT_STOPPERS:
            return False
    elif first in PREPOSITIONS:
        return False
    method = words[0] in METHODS and len(words) > 1 and words[1][0] == "/"  # "DELETE /sessions" is no order
    if (
        not method
        and not (comma >= 0 and first in PREPOSITIONS)
        and (first in openers or first in SUBJECT_STOPPERS)
        and not is_identifier(words[0].strip(_TRIM))
    ):
        return False
    if not _MERELY.isdisjoint(bares[:2]):
        return False  # "the possible venue": one of several, or none
    if first in NUMBER_WORDS and openers is IMPERATIVES:
        return False
    if len(words) <= 2 and bares[-1] in ANAPHORIC and not (words[0].endswith(("'s", "’s")) or first in ("my", "our")):
        return False
    if not _NO_SUBJECT_WORDS.isdisjoint(bares) or not _BREAKS.isdisjoint([w[-1] for w in words]):
        for n, (word, bare) in enumerate(zip(words, bares, strict=True)):
            breaks = word[-1] in ";:!?" or (word[-1] == "." and len(word) > 4)
            after = bares[n + 1] if n + 1 < len(bares) else ""
            if (bare == "last" and after in _DAILY | _RELEASED) or (bare == "no" and after[:1].isdigit()):
                continue  # "the last train to Ness", "the last stable release", "the No. 14 bus"
            if bare == "and" and n > 1 and bares[n - 2] in PREPOSITIONS and _is_pair(words[n - 1 : n + 2]):
                continue  # "the wedding of Nora and Tim"
            if (bare in _NO_SUBJECT_WORDS or breaks) and not (bare in _DONE_BY and after == "by"):
                return False
    if words[-1].lower() in PREPOSITIONS or words[-1] in ("the", "a", "an"):
        return False
    if ("*" in hidden or may_judge(bares)) and is_opinion(words):
        return False
    return bool(subject.strip(_TRIM + " "))
