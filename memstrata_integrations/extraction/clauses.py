"""A sentence of prose: the one governed verb and its subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.complements import Verb, is_technical, masked, read_complement
from memstrata_integrations.extraction.lexicon import (
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
from memstrata_integrations.extraction.opinions import is_opinion
from memstrata_integrations.relations import ADVERBS, BUILT_IN, Vocabulary
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.values import METHODS

__all__ = ["masked", "read_sentence", "subject_is_sound"]

_TOKEN = re.compile(r"\S+")
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_MASK = "¤"
_DESCRIBED = "described as:"
_MAX_SUBJECT_WORDS = 16
_OF_A_KIND = frozenset(("costs", "lasts", "weighs", "is valid for", "expires after", "times out after"))
_PRICED = re.compile(r" (?:[$€£¥] ?\d|[\d.,]+ ?(?:[$€£¥]|euros?\b|dollars?\b|pounds?\b))")
_MANY = frozenset(("i", "we", "they", "you", "people", "children", "men", "women"))


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
    verbs = list(_verbs(hidden, vocabulary))
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
    # "open pin in package.json is pinned to 1" opens with no order: a name stands before such a verb
    strong = verb.words > 1 and is_technical(subject)
    said = hidden[:stop]
    if (
        said[:2] in ("A ", "An")[:1]
        and (verb.relation.name in _OF_A_KIND or (verb.relation.name == "is" and _PRICED.match(hidden, verb.end)))
        and any(w in PREPOSITIONS for w in said.split()[2:])
    ):
        said = "The" + said[1:]  # "A ticket for the museum costs 5 euros"
        subject = "The" + subject[1:]
    if not subject_is_sound(said, subject, EMBEDDING if strong else IMPERATIVES):
        return None
    pos = verb.end
    while pos < len(sentence) and sentence[pos] in " \t\n":
        pos += 1
    return read_complement(sentence, subject, verb, start, pos)


def _verbs(hidden: str, vocabulary: Vocabulary) -> Iterator[Verb]:
    tokens = [(m.start(), m.end(), m[0].lower()) for m in _TOKEN.finditer(hidden)]
    table, bases = vocabulary.by_second, vocabulary.bases
    n = 0
    while n < len(tokens):
        start, _, word = tokens[n]
        by_second = table.get(word)
        counted = n and tokens[n - 1][2].replace(",", "").isdigit()  # "is 50 calls a minute"
        counted = counted and any(t[2] in ("is", "are") for t in tokens[: n - 1])
        if by_second is None or counted or (word == "am" and (not n or tokens[n - 1][2] != "i")):  # "9:30 am"
            n += 1
            continue
        alone = word in bases and not (n and (tokens[n - 1][2] in _MANY or tokens[n - 1][2][-1] == "s"))
        if alone and not any(t[2][-1] == "s" for t in tokens[1 : n - 1]) and not (n > 1 and tokens[0][2][-1] == "s"):
            n += 1  # "the API call limit"
            continue
        after = n + 1
        while after < len(tokens) and tokens[after][2] in ADVERBS:
            after += 1
        entries = by_second.get(tokens[after][2], ()) if after < len(tokens) else ()
        for rest, relation in (*entries, *by_second.get("", ())):
            if alone and not rest:
                continue
            stop = after + len(rest)
            if relation.slot == "time" and (stop >= len(tokens) or tokens[stop][2] in PREPOSITIONS):
                continue  # "debug mode is on", "the flag is on in production"
            if stop <= len(tokens) and all(tokens[after + k][2] == w for k, w in enumerate(rest)):
                last = tokens[stop - 1][1]
                yield Verb(start, last, relation, 1 + len(rest))
                n = stop
                break
        else:
            n += 1


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


@lru_cache(maxsize=2048)
def subject_is_sound(hidden: str, subject: str, openers: frozenset[str] = IMPERATIVES) -> bool:
    """Whether a subject names one thing, in words that assert."""
    words = hidden.split()
    if not words or len(words) > _MAX_SUBJECT_WORDS:
        return False
    first = words[0].strip(_TRIM).lower()
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
    if first in NUMBER_WORDS and openers is IMPERATIVES:
        return False
    if (
        len(words) <= 2
        and words[-1].strip(_TRIM).lower() in ANAPHORIC
        and not (words[0].endswith(("'s", "’s")) or first in ("my", "our"))
    ):
        return False
    for word, following in zip(words, [*words[1:], ""], strict=True):
        bare = word.strip(_TRIM).lower()
        if bare in ("kept", "made", "used", "run") and following == "by":
            continue
        if bare in UNASSERTED or bare in DEICTIC or bare in CONJUNCTIONS or bare in FINITE_VERBS:
            return False
        if bare in SUBJECT_STOPPERS and bare != "a" and bare != "an":
            return False
        if word[-1] in ";:!?" or (word[-1] == "." and len(word) > 4):
            return False
    if words[-1].lower() in PREPOSITIONS or words[-1] in ("the", "a", "an") or is_opinion(words):
        return False
    return bool(subject.strip(_TRIM + " "))
