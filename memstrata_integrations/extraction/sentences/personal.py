"""What a person has one of, in whatever words it is told: "I train at the Forge", "my new gym is the Forge".

A plain verb phrase leaves room for others ("I bank with Fennel"), so such sentences stand side by side under the key of
the noun. A sentence that announces a change comes to the plain sentences of all the other words for the same thing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import is_adjective
from memstrata_integrations.extraction.sentences.belongings import (
    BELONGINGS,
    BRANDS,
    HELPERS,
    NO_EDITORS,
    OF_KINDS,
    SOLE,
    Belonging,
)
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import FINITE_VERBS, NON_NAMES, PREPOSITIONS
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.paraphrases import told_by
from memstrata_integrations.extraction.sentences.slots import qualifiers
from memstrata_integrations.extraction.sentences.verbs import THIRD, gerund_of, is_past, third_of
from memstrata_integrations.extraction.sentences.weak import SIDE_BY_SIDE
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = [
    "DOINGS",
    "KINSHIP",
    "NOUNS",
    "VALUES",
    "branded",
    "fits",
    "helper_of",
    "owner_of",
    "read_coded",
    "read_personal",
    "told_frame",
]

_LATE, _IS, _THUS = known("does of late"), known("is"), known("is done thus")
# "Mum's room is 12B": no size of 12 bytes
_CODED = re.compile(
    r"(?P<subject>(?:[Mm]y|[Oo]ur|[A-Z][\w’-]*['’]s) (?!.*\b(?:size|limit|quota|buffer|cache|memory"
    r"|heap)\b)(?:[a-z-]+ ){0,3}?"
    r"[a-z-]+(?: (?:at|in|on) (?:the )?[\w’-]+)?) is (?:number )?(?P<value>\d{1,3}[A-Z]|[A-Z]\d{1,3})\Z"
)
# "My coffee order is a flat white": what somebody has of this kind is one, though common words name it
_WORDED = re.compile(
    r"(?P<subject>(?:[Mm]y|[Oo]ur|[A-Z][\w’-]*['’]s) (?:[a-z][\w-]* ){0,3}?(?:order|medicine|medication|vitamin"
    r"|supplement|nickname"
    r"|handle|ringtone|costume|tipple|cocktail|topping|cereal|breakfast|lunch|snack|dessert|screen name|stage name"
    r"|pen name"
    r"|code name|call sign)) is (?:an? |the )?(?P<value>[a-z][a-z-]+(?: [a-z][a-z-]+){0,2})\Z"
)
_LONGEST = 160
_RULE = "personal"
KINSHIP = (
    "wife husband partner spouse mum mom mother dad father brother sister son daughter boyfriend girlfriend fiancé "
    "fiancée aunt uncle grandma grandpa grandmother grandfather boss roommate flatmate kid boy girl"
)
_WHO = (
    rf"(?P<who>I|[Ww]e|(?:[Mm]y|[Oo]ur) (?:{KINSHIP.replace(' ', '|')})(?: [A-Z][\w’'-]*)?"
    r"|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)"
)
_ADVERB = r"(?:(?:always|usually|mostly|normally|generally|only|just) )?"
VALUES = {
    "name": r"(?P<value>(?:the )?[A-Z0-9][\w.’'&+-]*(?: (?:(?:of|de|du|la|and|the|&) )?[A-Z0-9&][\w.’'&+-]*){0,4})",
    "product": r"(?:an? |the |my |our )(?:(?:new|used|second-hand|little|old) )?"
    r"(?P<value>(?:[a-z]+ )?(?:i[A-Z]\w*|[A-Z][\w.’'&+-]*)(?: [A-Z0-9][\w.’'&+-]*){0,4})",
    "thing": r"(?P<value>[a-zA-Z][\w-]*(?: [a-z][\w-]*){0,2}?)",
}
_TAIL = r"(?P<tail> [^,;:]+)?\Z"
_OPENING = re.compile(rf"{_WHO} {_ADVERB}(?P<verb>[a-z]+) ")  # of every frame
_OWN_WORDS = re.compile(r"\b(?:my|WHOM)\b")
_NO_THINGS = (
    PREPOSITIONS
    | FINITE_VERBS
    | word_set(
        "hard a an the my our his her it this that these those for a lot more less too very full part time all every "
        "each no abroad here there home alone together again early late well much many first"
    )
)
_OWNER = {"i": "My", "we": "Our"}
# With these no sentence about a person starts
_NOBODY = word_set(
    "The A An This That These Those It There If When To For In On At By With Each Every All No Use Set Run"
)


def _verb_forms(verb: str) -> str:
    return r"(?:am|is|are)" if verb == "am" else r"(?:have|has)" if verb == "have" else f"(?:{verb}|{third_of(verb)})"


def _frame(frame: str, kind: str) -> re.Pattern[str]:
    """Compile a verb phrase: "train at" -> who trains at what."""
    verb, _, rest = (frame if "{}" in frame else f"{frame} {{}}").partition(" ")
    spoken = re.escape(rest).replace(r"\{\}", "{}").replace(r"\ ", " ")
    spoken = _OWN_WORDS.sub(r"(?:my|our|his|her|their|the)", spoken).replace("{}", VALUES[kind])
    return re.compile(rf"{_WHO} {_ADVERB}{_verb_forms(verb)} {spoken}{_TAIL}")


@lru_cache(maxsize=1)
def _frames() -> dict[str, tuple[tuple[re.Pattern[str], Belonging], ...]]:
    """Return the patterns of all frames by the forms of their verb."""
    found: dict[str, list[tuple[re.Pattern[str], Belonging]]] = {}
    for belonging in BELONGINGS:
        for frame in belonging.frames:
            verb = frame.split(" ", 1)[0]
            forms = (
                ("am", "is", "are") if verb == "am" else ("have", "has") if verb == "have" else (verb, third_of(verb))
            )
            pattern = _frame(frame, belonging.kind)
            for form in forms:
                found.setdefault(form, []).append((pattern, belonging))
    return {form: tuple(patterns) for form, patterns in found.items()}


NOUNS = {noun: Belonging((noun,), ()) for noun, _ in HELPERS}
NOUNS |= {noun: belonging for belonging in BELONGINGS for noun in belonging.nouns}
_PRODUCT_NOUNS = {noun: b.nouns[0] for b in BELONGINGS if b.kind == "product" for noun in b.nouns}
_OWNED_PRODUCT = re.compile(
    rf"(?:(?P<own>[Mm]y|[Oo]ur|(?P<whose>[A-Z][\w’-]*)['’]s) (?P<noun>{'|'.join(_PRODUCT_NOUNS)}) is"
    r"|(?P<who>I|[Ww]e|[A-Z][\w’-]*) (?:use|uses|have|has|own|owns|(?:am|is|are) (?:on"
    r"|using))) an? (?P<value>i?[A-Z][\w’'+.-]*"
    r"(?: [A-Z0-9][\w’'+.-]*){0,3})\Z"
)
_BRAND = re.compile(
    r"(?P<article>an? |the |my |our |his |her )?(?:new |used |second-hand )?(?P<name>i?[A-Z1-9][^,;:]*)\Z"
)


def read_personal(core: str, changed: bool) -> Claim | None:
    """Read a verb phrase that tells one thing of a person; the places of the claim are those of `core`.

    Args:
        core: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.
    """
    if core.partition(" ")[0] in _NOBODY:
        return None
    if (found := told_frame(core)) is not None:
        match, belonging, tail = found
        noun = belonging.nouns[0]
        return _beside(f"{owner_of(match['who'])} {noun} {tail}".strip(), noun, match.span("value"), changed)
    if (owned := _OWNED_PRODUCT.match(core)) is not None and (kind := _product_of(owned)) is not None:
        who = owned["who"] or owned["whose"] or ("I" if owned["own"].lower() == "my" else "We")
        return _beside(f"{owner_of(who)} {kind}", kind if owned["noun"] else f"a {kind}", owned.span("value"), changed)
    if (plain := told_by(core, weak=True)) is not None:
        return _beside(plain.key, plain.key.split(" ", 1)[-1].split()[0], plain.value, changed)
    if (helping := helper_of(core)) is not None:
        match, nouns = helping
        owner = "our" if " us" in core or " our " in core else "my"
        return _beside(f"{owner} {nouns[0]}", nouns[0], match.span("value"), changed)
    return None


def _beside(subject: str, kind: str, span: tuple[int, int], changed: bool) -> Claim | None:
    """Make a claim of the one thing of its kind, or one that stands beside others unless it announces a change."""
    if kind in SOLE:
        return Claim(subject, _THUS, *span, _RULE, "text")
    return Claim(subject, _LATE, *span, _RULE, f"{SIDE_BY_SIDE}: {kind}", narrative=changed)


def read_coded(core: str) -> Claim | None:
    """Read "Mum's room is 12B" and "My coffee order is a flat white"; the places of the claim are those of `core`."""
    if " is " in core and (worded := _WORDED.match(core)) is not None:
        said = worded["value"].split()
        plain = _NO_THINGS.isdisjoint(said) and not is_adjective(worded["value"]) and not is_past(said[0])
        if plain and not is_opinion(said) and quiet(worded["value"]):
            return Claim(worded["subject"], _IS, *worded.span("value"), _RULE, "text")
    coded = _CODED.match(core) if core[-1:].isupper() or core[-1:].isdigit() else None
    if coded is None or not quiet(coded["subject"]):
        return None
    return Claim(coded["subject"], _IS, *coded.span("value"), _RULE, "code")


def told_frame(core: str) -> tuple[re.Match[str], Belonging, str] | None:
    """Return the frame that a sentence has, what it tells and which qualifiers follow."""
    if len(core) > _LONGEST:
        return None
    opening = _OPENING.match(core)
    for pattern, belonging in _frames().get(opening["verb"], ()) if opening is not None else ():
        match = pattern.match(core)
        if match is None or not fits(match["value"], belonging):
            continue
        tail = qualifiers(match["tail"] or "")
        if tail is not None and quiet(match["value"]) and match["who"].lower() not in ("it", "this", "that", "there"):
            return match, belonging, "" if belonging.nouns[0] == "major" else tail
    return None


def fits(value: str, belonging: Belonging) -> bool:
    """Whether a value may be one of the kind that a belonging has."""
    words = value.split()
    if belonging.kind == "thing":
        if not _NO_THINGS.isdisjoint(w.lower() for w in words) or is_opinion(words):
            return False
        kinds = OF_KINDS.get(belonging.nouns[0])
        if kinds is not None:
            return words[-1].lower() in kinds or any(c.isdigit() for c in value)
        return not value.endswith("ing")
    if value.lower() in NON_NAMES or value.lower() in ("i", "a"):
        return False
    return belonging.nouns[0] != "editor" or words[0] not in NO_EDITORS


def owner_of(who: str) -> str:
    """Return somebody as an owner: "My", "Ida's"."""
    return _OWNER.get(who.lower()) or f"{who}'s"


def _product_of(owned: re.Match[str]) -> str | None:
    """Return what a thing is that somebody owns, by its noun or its well-known name."""
    if owned["noun"]:
        return _PRODUCT_NOUNS[owned["noun"]]
    belonging = branded(f"a {owned['value']}")
    return belonging.nouns[0] if belonging is not None else None


def branded(value: str) -> Belonging | None:
    """Return what a well-known name is a name of."""
    match = _BRAND.match(value)
    if match is None:
        return None
    name = match["name"].split(" for ")[0].split(" at ")[0].strip()
    noun = BRANDS.get(name.lower())
    if noun is None and match["article"]:
        words = name.lower().split()
        made = (" ".join(words[:n]) + " " for n in (3, 2, 1) if n <= len(words))
        noun = next((BRANDS[m] for m in made if m in BRANDS), None)
    return NOUNS.get(noun) if noun is not None else None


def helper_of(said: str) -> tuple[re.Match[str], tuple[str, ...]] | None:
    """Return who does something for somebody, and what such a one is called."""
    words = said.split(" ", 5)[1:5]
    for word in words:
        for pattern, nouns in _HELPING.get(word, ()):
            match = pattern.match(said)
            if match is not None and match["value"].split()[0].lower() not in ("i", "we", "he", "she", "they", "it"):
                return match, nouns
    return None


_GERUNDS = {
    "coaches": "coaching",
    "teaches": "teaching",
    "does": "doing",
    "fixes": "fixing",
    "cuts": "cutting",
    "babysits": "babysitting",
    "supervises": "supervising",
    "advises": "advising",
}
DOINGS = {noun: tuple(d.strip() for d in doings.split(",")) for noun, doings in HELPERS}


def _helping() -> dict[str, list[tuple[re.Pattern[str], tuple[str, ...]]]]:
    """Return the patterns of what helpers do by its verb, each with all nouns for who does it."""
    nouns: dict[str, list[str]] = {}
    for noun, doings in DOINGS.items():
        for doing in doings:
            nouns.setdefault(doing, []).append(noun)
    found: dict[str, list[tuple[re.Pattern[str], tuple[str, ...]]]] = {}
    for doing, who in nouns.items():
        verb = doing.split(" ", 1)[0]
        gerund = _GERUNDS.get(verb) or gerund_of(THIRD.get(verb) or verb.removesuffix("s"))
        spoken = doing.replace("my ", r"(?:my|our|the) ").replace("WHOM", r"(?:me|us)")
        pattern = re.compile(
            r"(?P<value>(?:(?:Mr|Mrs|Ms|Dr|Prof|Professor)\.? )?[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,2}|[Mm]y [a-z]+) "
            rf"(?:{spoken}|is {gerund}{spoken[len(verb) :]})\Z"
        )
        found.setdefault(verb, []).append((pattern, tuple(who)))
        found.setdefault(gerund, []).append((pattern, tuple(who)))
    return found


_HELPING = _helping()
