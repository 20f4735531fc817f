"""Sets of sentences that tell one fact of a person: "I'm on the Basic plan at Fennel", "my Fennel plan is Basic".

A template is a sentence with slots: WHO and WHOSE are who speaks or is spoken of, V is the value, X what else belongs
to the key; a verb in braces agrees with its subject. `others` makes all sentences of a set from one of them.

* A template with "~" leaves room for others until a change is announced: it is read under the key of its set.
* One with ">" reports a change itself, one with "=" does not; neither is made from another, and they are patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.complements import bare_words_of
from memstrata_integrations.extraction.sentences.dispatch import Dispatch
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.paraphrase_slots import CLAUSE, MACROS
from memstrata_integrations.extraction.sentences.paraphrases_of_days import OF_DAYS
from memstrata_integrations.extraction.sentences.paraphrases_of_ties import OF_TIES
from memstrata_integrations.extraction.sentences.verbs import third_of

__all__ = ["Told", "others", "told_by"]

_LONGEST = 160
_TRIM = "'\".,:;!"
_SETS = (*OF_TIES, *OF_DAYS)
_SLOT = re.compile(rf"WHOSE|WHOM|WHO|\b[VXY](?![a-z])|(?:{'|'.join(MACROS)})|\{{\w+\}}")
_IRREGULAR = {"be": ("(?:am|are)", "is"), "have": ("have", "has"), "go": ("go", "goes"), "do": ("do", "does")}
_NO_WHO = frozenset(("it", "this", "that", "there", "who", "what", "they", "the", "he", "she", "here"))


class Told(NamedTuple):
    """What a sentence tells by a template.

    Attributes:
        group: The set that the template belongs to.
        weak: Whether it leaves room for others.
        change: Whether it reports a change itself.
        who: Who speaks or is spoken of, as a subject.
        value: Where the value stands.
        x, y: What else belongs to the key.
    """

    group: int
    weak: bool
    change: bool
    who: str
    value: tuple[int, int]
    said: str
    x: str
    y: str

    @property
    def key(self) -> str:
        """The subject of a weak reading."""
        return " ".join(w for w in (f"{_owner(self.who)} {_SETS[self.group].key}", self.y or self.x) if w)


class _Forms(NamedTuple):
    """The templates of one set, and a pattern that matches where one of them does."""

    any_of: re.Pattern[str]
    templates: tuple[_Template, ...]


class _Template(NamedTuple):
    pattern: re.Pattern[str]
    group: int
    weak: bool
    change: bool


def _verb(base: str) -> str:
    plural, third = _IRREGULAR.get(base) or (base, third_of(base))
    return rf"(?:{plural}|{third})"


def _compiled(template: str, slots: dict[str, str]) -> re.Pattern[str]:
    seen: set[str] = set()

    def fill(match: re.Match[str]) -> str:
        slot = match[0]
        if slot[0] == "{":
            return _verb(slot[1:-1])
        if slot in MACROS:
            return _SLOT.sub(fill, MACROS[slot])
        if slot in seen:
            return r"(?:my|our|his|her|their)" if slot == "WHOSE" else slots.get(slot, r"\S+").replace("(?P<x>", "(?:")
        seen.add(slot)
        if slot == "WHOSE" and "WHO" in seen:
            return r"(?:my|our|his|her|their)"
        return CLAUSE.get(slot) or slots[slot]

    return re.compile(_SLOT.sub(fill, template) + r"\Z")


_GROUP = re.compile(r"\(\?P<\w+>")


@lru_cache(maxsize=2)
def _templates(*, weak: bool) -> Dispatch[_Forms]:
    """Return the templates of each set, or those of them that leave room for others."""
    readers: list[tuple[_Forms, frozenset[str] | None]] = []
    for n, one in enumerate(_SETS):
        forms = tuple(
            _Template(_compiled(t.lstrip("~>="), one.slots), n, t.startswith("~"), t.startswith(">"))
            for t in one.templates
            if t.startswith("~") or not weak
        )
        if forms:
            any_of = "|".join(_GROUP.sub("(?:", form.pattern.pattern) for form in forms)
            readers.append((_Forms(re.compile(any_of), forms), one.needles))
    return Dispatch(readers)


def told_by(said: str, *, weak: bool) -> Told | None:
    """Return what a sentence tells by a template.

    Args:
        said: The sentence, without its full stop and what wraps it.
        weak: Whether only the templates are meant that leave room for others.

    Example:
        >>> told = told_by("I have the Basic plan", weak=True)
        >>> told.key if told else None
        'My plan'
    """
    if len(said) > _LONGEST:
        return None
    lower = said[:1].lower() + said[1:]
    for forms in _templates(weak=weak)(bare_words_of(said)):
        if forms.any_of.match(said) is None and (lower == said or forms.any_of.match(lower) is None):
            continue
        for form in forms.templates:
            match = form.pattern.match(said) or (form.pattern.match(lower) if not form.weak and lower != said else None)
            if match is None:
                continue
            groups = match.groupdict()
            who = _speaker(groups)
            if not who or who.split()[0].lower() in _NO_WHO or not quiet(match["v"]):
                continue
            return Told(
                form.group,
                form.weak,
                form.change,
                who,
                match.span("v"),
                match["v"],
                groups.get("x") or "",
                groups.get("y") or "",
            )
    return None


def _speaker(groups: dict[str, str | None]) -> str:
    who = groups.get("who") or groups.get("owner")
    if who:
        return who
    mine = groups.get("mine")
    if mine:
        return "I" if mine.lower() == "my" else "We"
    whom = groups.get("whom")
    return {"me": "I", "us": "We"}.get(whom or "", whom or "I")


def _owner(who: str) -> str:
    return {"i": "My", "we": "Our"}.get(who.lower()) or f"{who}'s"


def others(told: Told) -> Iterator[str]:
    """Yield all plain sentences of the set, of who speaks and with the same value.

    Example:
        >>> told = told_by("I have been moved to the ledger team", weak=False)
        >>> list(others(told))[:2] if told else None
        ['I am on the ledger team', 'I work on the ledger team']
    """
    for who in ("I", "We") if told.who.lower() == "we" else (told.who,):
        plural = who in ("I", "We")
        whose = _owner(who).lower() if plural else _owner(who)
        whom = {"I": "me", "We": "us"}.get(who, who)

        def fill(
            match: re.Match[str], who: str = who, plural: bool = plural, whose: str = whose, whom: str = whom
        ) -> str:
            slot = match[0]
            if slot[0] == "{":
                base = slot[1:-1]
                if base == "be":
                    return "am" if who == "I" else "are" if plural else "is"
                return base if plural else (_IRREGULAR.get(base) or (base, third_of(base)))[1]
            return {"WHO": who, "WHOSE": whose, "WHOM": whom, "V": told.said, "X": told.x, "Y": told.y}[slot]

        weak = False
        for template in _SETS[told.group].templates:
            if template.startswith((">", "=")) or (template.startswith("~") and weak):
                continue
            weak = weak or template.startswith("~")  # they share a key
            sentence = _SLOT.sub(fill, template.lstrip("~"))
            if f" a {told.x} " in sentence and told.x[:1].lower() in "aeiou" and told.x:
                sentence = sentence.replace(f" a {told.x} ", f" an {told.x} ")
            yield sentence[0].upper() + sentence[1:]
