"""Subjects without what only attaches or spells out: "used by", "recovery point objective"."""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.words import Phrases, lower_words, word_set

__all__ = ["in_plain_words"]

# "the batch size used by the trainer" is the trainer's
_USED_BY = re.compile(
    r"(?P<what>[\w`)-]+) (?:(?:used|employed|applied|enforced|configured|in force|in use) "
    r"(?:by|in|for|on|at|with|of)|(?:accepted|expected|emitted|generated|issued|returned|produced|required|sent"
    r"|provided|supported|imposed|exposed|computed|allowed|set) by) (?=\S)"
)
# "our mail relay" is the mail relay of whoever speaks, as "the mail relay" is; "our cat" is no other's
_OUR = re.compile(r"\b[Oo]ur (?=[\w-]+ [\w-]+)")
_INNER_ARTICLE = re.compile(r"(?<= of )(?:A|An|The|Each|Every|All) (?=[a-z])")
_STAGE_ENV = re.compile(
    r"\b(?P<stage>staging|production|prod|development|dev|test|testing|QA|CI|UAT|sandbox|preview|demo|canary)"
    r" (?:environment|env)\b",
)
_CONSUMED = word_set(
    "memory ram disk cpu space storage bandwidth power energy water fuel gas heat oil time budget quota capacity "
    "traffic money amount share volume data electricity quantity number resources credit credits tokens"
)
_MOST_WORDS = 12  # of a name; a longer subject is a description
# "the current theme" is the theme; what flows is no time
_CURRENT = re.compile(
    r"(?:(?<=[Tt]he )|(?<=['’]s )|(?<=s['’] ))current (?!(?:account|affairs|draw|consumption|rating|limit|sensor|flow"
    r"|density|meter|transformer|project|task|read|book|job|issue|state|status|event|events|season|year|week|month|day"
    r"|time|value|favou?rite)\b)(?=[A-Za-z])"
)
_USED = word_set(
    "used employed applied enforced configured force use accepted expected emitted generated issued returned produced "
    "required sent provided supported imposed exposed computed allowed set"
)
_SPELT_OUT = {
    "recovery point objective": "rpo",
    "recovery time objective": "rto",
    "time to live": "ttl",
    "time-to-live": "ttl",
    "service level agreement": "sla",
    "service level objective": "slo",
    "chief executive officer": "ceo",
    "chief executive": "ceo",
    "chief technology officer": "cto",
    "chief financial officer": "cfo",
    "chief operating officer": "coo",
    "maximum transmission unit": "mtu",
    "end of life": "eol",
    "general practitioner": "gp",
    "postal code": "postcode",
    "post code": "postcode",
    "zip code": "postcode",
    "postal codes": "postcodes",
    "upper limit": "limit",
    "garbage collection": "gc",
    "multi-factor authentication": "mfa",
    "two-factor authentication": "2fa",
    "single sign-on": "sso",
    "content delivery network": "cdn",
    "virtual private network": "vpn",
    "database administrator": "dba",
    "data protection officer": "dpo",
    "continuous integration": "ci",
    "load balancer": "lb",
    "estimated time of arrival": "eta",
    "chief information security officer": "ciso",
    "chief information officer": "cio",
    "human resources": "hr",
    "date of birth": "birthday",
}
_LONG_FORM = re.compile(r"\b(?:" + "|".join(_SPELT_OUT) + r")\b", re.IGNORECASE)
_LONG_PHRASES = Phrases(_SPELT_OUT)
_LONG_WORDS = frozenset(phrase.split()[-1] for phrase in _SPELT_OUT)
_TELLING = _USED | _LONG_WORDS | {"current", "our"}
# "the function `load`" is `load`, of whose name there is no other in its module
_OF_CODE = re.compile(r"(?:[Tt]he )?(?:function|method|class|constant|script|command|variable|module) (?=\S+\Z)")
_CAPITALS = re.compile(r"[A-Z]{2}")
_ACRONYM = re.compile(
    r"\b(?:RPO|RTO|TTL|SLA|SLO|CEO|CTO|CFO|COO|MTU|EOL|GP|GC|MFA|2FA|SSO|CDN|VPN|DBA|DPO|CI|LB|ETA|CISO|CIO|HR)\b"
)


def in_plain_words(subject: str) -> str:
    """Return a subject without the words that only attach: "the size used by X" is "the size of X".

    Example:
        >>> in_plain_words("The batch size used by the trainer")
        'The batch size of the trainer'
    """
    lower = subject.lower()
    words = lower.split()
    telling = not _TELLING.isdisjoint(words)
    small = subject[1:].islower()  # nothing below puts in a capital
    if telling and "current" in words and len(words) < _MOST_WORDS:
        subject = _CURRENT.sub("", subject)
    if telling and not _USED.isdisjoint(words) and len(words) < _MOST_WORDS:
        subject = _USED_BY.sub(_of_user, subject)
    if telling and "our" in words:
        subject = _OUR.sub("the ", subject)
    if not small and " of " in subject:
        subject = _INNER_ARTICLE.sub(lambda m: m[0].lower(), subject)
    if "env" in lower:
        subject = _STAGE_ENV.sub(r"\g<stage>", subject)
    if len(words) < 4 and is_identifier(subject.rpartition(" ")[2].strip("`'\"")):
        subject = _OF_CODE.sub("", subject)
    if telling and not _LONG_WORDS.isdisjoint(words) and _may_have_long_form(subject):
        subject = _LONG_FORM.sub(lambda m: _SPELT_OUT[m[0].lower()], subject)
    if not small and _CAPITALS.search(subject):
        subject = _ACRONYM.sub(lambda m: m[0].lower(), subject)
    return subject


def _may_have_long_form(subject: str) -> bool:
    """Whether a subject may hold a phrase that has a short form: beside a mark, its words are not split off."""
    return not subject.replace(" ", "").isalnum() or _LONG_PHRASES.may_be_in(lower_words(subject))


def _of_user(match: re.Match[str]) -> str:
    """Put "of" for "used by", but for what is used up: the memory used is not the memory there is."""
    return match[0] if match["what"].lower() in _CONSUMED else f"{match['what']} of "
