"""What stands around a statement and says where, when or for whom it holds: "On Windows, ...", "Bob: ..."."""

from __future__ import annotations

import re
from dataclasses import replace

from memstrata_integrations.canonical import canonical_subject, content_words
from memstrata_integrations.extraction.sentences.lexicon import EVENTS
from memstrata_integrations.extraction.sentences.scaffolding import CHAT_WORDS
from memstrata_integrations.extraction.sentences.scoped import TALKING, scope_of
from memstrata_integrations.facts import Fact
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import holds_any, singular, word_set

__all__ = ["condition_of", "under_front", "unsaid_front"]

_PLACES = (
    "Upstairs|Downstairs|Abroad|Overseas|Off-peak|Outdoors|Indoors|Online|Offline|Onstage|Remotely|Locally|Internally"
    "|Externally|Regionally|Nationally|Beneath|Beyond|Alongside|Aboard|Among|Amongst|Amid|Where|Wherever|Whenever|If"
)
_ADJUNCT = re.compile(
    r"(?!By default\b|By the way\b|In fact\b|In short\b|In general\b|For the record\b|For your information\b|At last\b)"
    rf"(?:{_PLACES}|In|On|At|For|With|Without|Via|Under|During|Within|Inside|Outside|Behind|Above|Below|Per|From|After"
    r"|Before|While|When|Unless|Until|Till|Over|Against|Between|Across|Throughout|Near|By|As (?:a |an |root|admin)"
    r"|Overnight)\b[^,;:.!?]{0,60}, (?=\S)"
)
_CONDITION = re.compile(
    r"(?:When (?:(?:the|an?|your|my|our|it) )?(?:[\w-]+ ){0,3}?(?:is|are|isn['’]t|aren['’]t|has|have|gets?)"
    r"|(?!If you (?:must|want|really|care|ask|need)|Where was I|If (?:I|we) (?:remember|recall|may))"
    rf"(?:{_PLACES}|Provided|Providing|Assuming|Supposing|Except|As long as|So long as|Only)"
    r"|Unless (?!(?:[a-z]+ )?otherwise|told|stated|specified|configured|set|noted))\b[^,;:.!?]{0,60}, (?=\S)"
)
_LIMIT = re.compile(
    r", (?:[\w'’-]+ ){0,4}(?:excepted|excluded|excl|only|aside|apart)[.!]?\Z"
    r"|, (?:(?:at least|but|though|but only|though only|only|even) (?:for (?!now)|in|on|at (?!the moment)|if|when|where"
    r"|with|during|to|under)|except|excepting|excluding|bar|barring|provided|unless|whenever|wherever) ?[^,;]{2,60}\Z"
    r"|(?<=\w),? (?:so|as) long as [^,;]{2,60}\Z"
)
# "I got a second phone; my number is ...": beside the first
_ADDED = re.compile(
    r"[^.!?]{0,60}\b(?:an? (?:second|third|additional|extra|further)|two|both) (?:[a-z-]+ )?(?P<noun>[a-z-]+)[,;:] "
    r"(?=(?:and |so )?(?:the|my|our|its|his|her|their) )"
)
_PARTING = (", ", ": ", "; ", " long as ")  # one of them in each match of `_CONDITION`, `_LIMIT` and `_ADDED`
_MARKED = re.compile(
    r"(?:(?i:staging|production|prod|dev|development|test|testing|qa|legacy|preview|sandbox)(?: [a-z]+)?:"
    r"|\[[^\]\n]{1,40}\]|\([^()\n]{1,40}\)|[A-Z][\w./-]{0,40}(?: [\w./-]{1,40}){0,2} [–—-]) (?=\S)"
)
_MARKS = (": ", "] ", ") ", " - ", " – ", " — ")  # one of them in each match of `_MARKED`
_REMARKS = word_set(
    "question update thing point note reason delay opinion chance look thought time try attempt day week hour minute"
)
_JOINTS = re.compile(r"[+_`.-]")
_OF_SPEAKER = frozenset(("i", "we", "my", "our"))
# When a change was made, or where it was told, says nothing of what it changed
_OF_TIMES = (
    frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | EVENTS
    | word_set(
        "today yesterday tomorrow tonight week month year quarter morning afternoon evening night day time sprint "
        "release migration merger move reshuffle upgrade incident outage end start beginning effect deploy"
    )
)
_OF_TALK = (
    CHAT_WORDS
    | TALKING
    | word_set(
        "ps pps fyi edit edited tl;dr oops report meeting sync standup retro minutes decisions agenda wrote weekly "
        "daily monthly re fwd"
    )
)


def unsaid_front(subject: str, sentence: str) -> str:
    """Return what stands in front of a statement and limits it, unless its subject says it.

    Args:
        subject: The subject as read.
        sentence: The sentence up to its value.

    Example:
        >>> unsaid_front("my editor", "On Windows, I use ")
        'On Windows'
    """
    found = _ADJUNCT.match(sentence) if ", " in sentence else None
    if found is None and holds_any(sentence, _MARKS):
        found = _MARKED.match(sentence)
    if found is not None:
        said = found[0].rstrip(" ,–—-")
    elif ": " in sentence[:60] and (scope := scope_of(sentence)) is not None:
        said = scope.said
        if not _parts(said).isdisjoint(_parts(subject)):
            return ""  # "Log rotation: hourly" speaks of it
    else:
        return ""
    return said if said and not content_words(said) <= content_words(subject) else ""


def _parts(said: str) -> frozenset[str]:
    return content_words(_JOINTS.sub(" ", said).lower())


def condition_of(subject: str, sentence: str, value: str = "") -> str:
    """Return the condition under which a statement holds, unless its subject says it.

    Args:
        subject: The subject as read.
        sentence: The whole sentence.
        value: The value, which may stand in the condition: "When the disk is 90 % full, ...".

    Example:
        >>> condition_of("price", "Provided you are a member, the price is $5")
        'Provided you are a member'
        >>> condition_of("price", "The price is $5, Tuesdays excepted.")
        'Tuesdays excepted'
    """
    if not holds_any(sentence, _PARTING):
        return ""
    found = _CONDITION.match(sentence) or _LIMIT.search(sentence)
    if found is None and (added := _ADDED.match(sentence)) is not None:
        found = None if singular(added["noun"]) in _REMARKS else added
    said = found[0].strip(" ,;:.!") if found is not None else ""
    if value and value in said:
        return ""
    return said if said and not content_words(said) <= content_words(subject) else ""


def under_front(fact: Fact, sentence: str, above: str | None = None) -> Fact:
    """Return a fact of a change with what stands in front of its sentence, or above it, as a part of its key.

    Args:
        fact: The fact.
        sentence: The sentence.
        above: A title or a fragment above the sentence.
    """
    if above and not _OF_SPEAKER.isdisjoint(fact.subject.split()):
        above = None  # what belongs to one who speaks does so under any title
    before = sentence.partition(fact.object)[0] if fact.object else sentence
    front = unsaid_front(fact.subject, before)
    condition = condition_of(fact.subject, sentence, fact.object or "")
    said = " ".join(dict.fromkeys(s for s in (front, condition, above) if s and _limits(s)))
    return replace(fact, subject=canonical_subject(f"{fact.subject} of {said}")) if said else fact


def _limits(said: str) -> bool:
    """Whether words limit what a change is of, rather than say when it was made or where it was told."""
    words = [w.strip(".,;:!()[]#*'\"").lower() for w in said.split()]
    words = [w for w in words if len(w) > 2 or w in ("ps", "re")]
    if any(c.isdigit() for c in said) and not any(w.isalpha() and len(w) > 2 and w not in _OF_TALK for w in words):
        return False
    known = {w for word in words for w in (word, singular(word))}
    return known.isdisjoint(_OF_TIMES) and known.isdisjoint(_OF_TALK)
