"""Pieces of the sentences that people say of themselves, and what one of their rules is."""

from __future__ import annotations

import re
from typing import NamedTuple

from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.words import word_set

__all__ = [
    "AMOUNT",
    "BEST",
    "DELIVERY",
    "EVENT",
    "HAND_IN",
    "HEDGE",
    "KIN",
    "MONEY",
    "MONTHLY",
    "NUMBER",
    "PLACE",
    "SUBSCRIBED",
    "TIME_SPAN",
    "TRANSPORT",
    "WHO",
    "WHOSE",
    "YEARLY",
    "Rule",
    "rule_of",
]

NUMBER = rf"(?:\d[\d.,:]*|(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?: and a half)?)"
KIN = (
    r"(?:(?:grand|step|god|half-)?(?:mother|father|brother|sister|son|daughter)(?:-in-law)?|wife|husband|partner|mum|mom"
    r"|dad|boyfriend|girlfriend|aunt|uncle|cousin|nephew|niece|grandma|grandpa|boss|flatmate|roommate|boy|girl|dog|cat"
    r"|horse|rabbit|hamster|puppy|kitten|pony|parrot)"
)
WHO = rf"(?P<who>I|[Ww]e|[Mm]y {KIN}(?: [A-Z][\w’-]*)?|(?!(?:It|This|That|There|Here)\b)[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)"
WHOSE = rf"(?:(?P<mine>[Mm]y|[Oo]ur)|(?P<who>[Mm]y {KIN}|[A-Z][\w’-]*['’]s [a-z]+|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)['’]s)"
AMOUNT = (
    r"(?:(?:[$€£]|[A-Z]{3} )\d[\d.,]*k?|\d[\d.,]*k? ?(?:[€£$]|euros?|dollars?|bucks|pounds|quid|francs|kroner|kronor"
    r"|[A-Z]{3})\b)"
)
MONEY = rf"(?P<v>{AMOUNT})"
HEDGE = r"(?:(?:about|around|roughly|approximately|only|just|some|exactly|now) )?"
TIME_SPAN = r"(?:minutes?|mins?|hours?|hrs?)"
MONTHLY = r"(?: (?:a|per|each|every) month| monthly)?"
YEARLY = r"(?: (?:a|per|each) year| yearly| annually| per annum)?"
SUBSCRIBED = r"(?: (?:subscription|membership|plan|account|package))?"
EVENT = r"(?P<event>\d+(?:\.\d+)? ?(?:k|km|m|miles?|metres|meters)|(?:half[- ])?marathon|mile|parkrun)"
TRANSPORT = r"(?:flight|train|bus|coach|ferry|plane|boat|ship|shuttle|connection)"
DELIVERY = r"(?:parcel|package|order|delivery|shipment|[a-z]+ delivery|[a-z]+ order|letter)"
HAND_IN = r"(?:hand in|submit|turn in|finish|deliver|return|complete|file|send in|hand over)"
BEST = r"(?:personal best|pb|PB|PR|personal record|best time|best|record|time)"
PLACE = r"(?P<v>[A-Z][^,;:]*)"


class Rule(NamedTuple):
    """A sentence of a person, and the plain one that says the same.

    Attributes:
        pattern: The sentence.
        plain: The plain sentence; what stands in braces is a group of the pattern, or who speaks.
        needles: Words of which the sentence has one.
    """

    pattern: re.Pattern[str]
    plain: str
    needles: frozenset[str]


def rule_of(needles: str, pattern: str, plain: str) -> Rule:
    """Make a rule of its words, its pattern and its plain sentence."""
    return Rule(re.compile(pattern), plain, word_set(needles))
