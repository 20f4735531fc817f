"""What stands in front of a statement and says where, when or for whom it holds: "On Windows, ...", "Bob: ..."."""

from __future__ import annotations

import re
from dataclasses import replace

from memstrata_integrations.canonical import canonical_subject, content_words
from memstrata_integrations.extraction.sentences.scoped import scope_of
from memstrata_integrations.facts import Fact

__all__ = ["condition_of", "under_front", "unsaid_front"]

_ADJUNCT = re.compile(
    r"(?!By default\b)(?:In|On|At|For|With|Without|Via|Under|During|Within|Inside|Outside|Behind|Beyond|Above|Below"
    r"|Beneath|Per|From"
    r"|After|Before|While|When|Whenever|Where|Wherever|If|Unless|Until|Till|Over|Against|Among|Between|Across"
    r"|Throughout|Despite|Near|By|As|Upstairs|Downstairs|Abroad|Overseas|Overnight|Off-peak|Outdoors|Indoors|Online"
    r"|Offline|Remotely|Locally|Internally|Externally)\b[^,;:.!?]{0,60}, (?=\S)"
)
_CONDITION = re.compile(
    r"(?:When (?:(?:the|an?|your|my|our|it) )?(?:[\w-]+ ){0,3}?(?:is|are|isn['’]t|aren['’]t|has|have|gets?)"
    r"|Provided|Providing|Assuming|Supposing|Where|Wherever|Whenever|Among|Amongst|Except|If|As long as|So long as"
    r"|Unless (?!(?:[a-z]+ )?otherwise|told|stated|specified|configured|set|noted)|Only|Beneath|Beyond|Alongside"
    r"|Aboard|Amid|Upstairs|Downstairs|Abroad|Overseas|Off-peak|Outdoors|Indoors|Online|Offline|Onstage|Remotely"
    r"|Locally|Internally|Externally|Regionally|Nationally)\b[^,;:.!?]{0,60}, (?=\S)"
)
_LIMIT = re.compile(
    r", (?:[\w'’-]+ ){0,4}(?:excepted|excluded|excl|only|aside|apart)[.!]?\Z"
    r"|, (?:(?:at least|but|though|but only|though only|only|even) (?:for|in|on|at|if|when|where|with|during|to|under)"
    r"|except|excepting|excluding|bar|barring|provided|unless|whenever|wherever) [^,;]{2,60}\Z"
    r"|(?<=\w),? (?:so|as) long as [^,;]{2,60}\Z"
)
# "I got a second phone; my number is ...": beside the first
_ADDED = re.compile(
    r"[^.!?]{0,60}\b(?:an? (?:second|third|additional|extra|further)|two|both) [a-z][^.!?,;:]{0,40}[,;:] "
    r"(?=(?:and |so )?(?:the|my|our|its|his|her|their) )"
)
_JOINTS = re.compile(r"[+_`.-]")
_OF_SPEAKER = frozenset(("i", "we", "my", "our"))
_MARKED = re.compile(
    r"(?:(?i:staging|production|prod|dev|development|test|testing|qa|legacy|preview|sandbox)(?: [a-z]+)?:"
    r"|\[[^\]\n]{1,40}\]|\([^()\n]{1,40}\)|[A-Z][\w./-]*(?: [\w./-]+){0,2} [–—-]) (?=\S)"
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
    found = _ADJUNCT.match(sentence) or _MARKED.match(sentence)
    if found is not None:
        said = found[0].rstrip(" ,–—-")
    elif ": " in sentence[:60] and (scope := scope_of(sentence)) is not None:
        said = scope.said
        if not _parts(said).isdisjoint(_parts(subject)):
            return ""  # "Log rotation: hourly" speaks of it
    else:
        return ""
    return said if not content_words(said) <= content_words(subject) else ""


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
    found = _CONDITION.match(sentence) or _LIMIT.search(sentence) or _ADDED.match(sentence)
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
    front = unsaid_front(fact.subject, before) or condition_of(fact.subject, sentence, fact.object or "")
    said = " ".join(filter(None, (front, above)))
    return replace(fact, subject=canonical_subject(f"{fact.subject} of {said}")) if said else fact
