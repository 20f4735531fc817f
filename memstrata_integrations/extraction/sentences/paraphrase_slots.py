"""What the templates of paraphrases are made of: sets, and the patterns of their slots."""

from __future__ import annotations

from typing import NamedTuple

from memstrata_integrations.words import word_set

__all__ = ["CLAUSE", "CODE", "MACROS", "NAME", "ParaphraseSet"]

_KIN = (
    r"(?:wife|husband|partner|mum|mom|mother|dad|father|brother|sister|son|daughter|boyfriend|girlfriend|aunt|uncle"
    r"|grandma|grandpa|boss|flatmate|roommate|boy|girl|colleague)"
)
_WHO = (
    rf"(?P<who>I|[Ww]e|(?:[Mm]y|[Oo]ur) {_KIN}(?: [A-Z][\w’-]*)?"
    r"|(?!(?:They|He|She|It|This|That|There|The)\b)[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)"
)
_WHOSE = rf"(?:(?P<mine>[Mm]y|[Oo]ur)|(?P<owner>(?:[Mm]y|[Oo]ur) {_KIN}|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)['’]s)"
_SWITCHED = r"(?:have |has )?(?:just |recently )?(?:switched|moved|changed|transferred|gone|went|upgraded|downgraded)"
_HAS = r"(?:have |has )?(?:just |recently |finally )?(?:(?:been|was|were|got) )?"
NAME = r"(?P<v>(?:the )?[A-Z0-9][\w.’'&+-]*(?: (?:(?:of|de|du|la|and|the|&) )?[A-Z0-9&][\w.’'&+-]*){0,4})"
CODE = r"(?P<v>[A-Z]?-?\d[\w.-]*)"
CLAUSE = {"WHO": _WHO, "WHOSE": _WHOSE, "WHOM": r"(?P<whom>me|us|(?:[Mm]y|[Oo]ur) [a-z]+|[A-Z][\w’-]*)"}
"""Who speaks or is spoken of, as a subject, as an owner and as an object."""
MACROS = {
    "HAS": _HAS,
    "SWITCHED": _SWITCHED,
    "ITS": r"(?:,| -| –|:) (?:that|which|it)(?:['’]s| is) (?:now )?",
    "SPLIT": r"(?:,|;|:| and| –)",
    "BACK": r"(?: back| forward| up)?",
    "FROM": r"(?: from .+?)?",
    "OWN": r"(?:my|our|his|her)",
    "SHIFTED": r"(?:moved|pushed|rescheduled|shifted|postponed|changed)",
    "REASSIGNED": r"(?:moved|transferred|reassigned|switched|assigned|joined|joining|shifted|put)(?: over)?",
    "NOW": r"(?: now)?(?: (?:I|we|he|she)(?:['’]m|['’]re|['’]s| am| are| is)?)?(?: now)?",
    "KIND": r"(?:phone |mobile |cell )?",
    "PLEASE": r"(?:please )?(?:use|try|save|note|dial)",
}
"""What stands for a piece of a pattern in a template."""


class ParaphraseSet(NamedTuple):
    """Sentences that tell one fact.

    Attributes:
        key: What the fact is, in one word or two.
        needles: The words of which each of its sentences holds one.
        slots: The patterns of V, X and Y.
        templates: The sentences.
    """

    key: str
    needles: frozenset[str]
    slots: dict[str, str]
    templates: tuple[str, ...]

    @classmethod
    def of(cls, key: str, needles: str, templates: str, **slots: str) -> ParaphraseSet:
        """Make a set of its templates, one in a line."""
        return cls(key, word_set(needles), slots, tuple(t.strip() for t in templates.strip().splitlines()))
