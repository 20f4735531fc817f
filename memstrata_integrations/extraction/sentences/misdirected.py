"""Changes that are told of something else than the value which a key of theirs holds.

"The tech lead switched to Neovim" names no other lead, "max_conn was renamed to pool_size" no other number of
connections, "Our competitor raised the fee" no fee of ours, and "From next Monday on" nothing that holds today.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.frames_of_change import NO_HOMES
from memstrata_integrations.extraction.sentences.lexicon import CLOUD_REGION, PERSON_ROLES
from memstrata_integrations.facts import Fact
from memstrata_integrations.places import CITIES
from memstrata_integrations.units import MONTHS
from memstrata_integrations.words import word_set

__all__ = ["is_misdirected", "is_of_others", "starts_later"]

_LATER = re.compile(
    r"\b(?:[Aa]s of|[Ff]rom|[Ss]tarting|[Bb]eginning|[Ee]ffective) next "
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|week|month|year|quarter|spring|summer|autumn|fall|winter|term|season|sprint)"
)
_TURNED = re.compile(r"\b(?:switched|moved|converted|defected|transferred|migrated)\b")
_MOVED = re.compile(r"\b(?:moved|relocated|migrated|transferred|shifted)\b")
_RENAMED = re.compile(r"\brenamed\b")
_TITLED = re.compile(r"(?:Dr|Mr|Mrs|Ms|Prof|St|Sir|Lady)\b")
_SITE = re.compile(rf"(?:{CLOUD_REGION}|[a-z]+(?:-[a-z]+)*-?\d+)\Z")
_OTHERS = re.compile(
    r"(?:(?:[Oo]ur|[Tt]heir|[Tt]he|[Aa]|[Aa]n|[Oo]ne|[Mm]y) )?(?:other |former |old )?"
    r"(?:competitors?|rivals?|fork|[Uu]pstream|[Dd]ownstream|neighbou?rs?|vendor of|other)\b"
)
# "The reverted commit set the timeout to 45": and does so no more
_VOID = re.compile(
    r"(?:\S+ ){1,2}(?:reverted|rejected|abandoned|withdrawn|cancelled|canceled|discarded|declined|unmerged) "
    r"(?:commit|patch|change|pull request|PR|merge request|MR|proposal|draft|branch|release|deploy(?:ment)?|rollout)\b"
)
_HEARSAY = re.compile(r"(?:Rumou?r|Gossip|Hearsay|Legend) has ")
# "The mailer refuses a timeout of 30 seconds", and one of 45 as well
_REFUSED = re.compile(
    r"\b(?:refuse|reject|forbid|disallow|decline|ignore|lack|survive)s? an? [\w-]+(?: [\w-]+)? of (?:more |less )?\W?\Z"
)
_BY_PACKAGE = re.compile(
    r"(?!we |they |i |you |it |he |she |who |someone |somebody )[a-z][\w.-]* (?:has |have )?(?:just )?"
    r"(?:bumped|raised|upgraded|downgraded|pinned|lowered|changed|updated) (?!to |from |by )[\w@/.-]+ (?:to|from) "
)
# "in May 2020": what came of it since is another story
_LONG_AGO = re.compile(rf" in (?:{'|'.join(m for m in MONTHS if len(m) > 2)}) (?:19|20)\d\d[.!]?\Z", re.IGNORECASE)
_HOMES = frozenset(("lives in", "is based in"))
_PLACED = word_set("venue seat office headquarters hq city town place location base home host region site")


def _is_marker(sentence: str) -> bool:
    """Whether somebody who sets something is none who sets it for all: "FIXME", "Large deployments", "Someday"."""
    found = _SETS.match(sentence) if " set the " in sentence else None
    if found is None:
        return False
    words = found["who"].split()
    if words[0].lower().replace("’", "'").partition("'")[0] in _DETERMINERS:
        return False
    if len(words) > 1:
        return not all(w[0].isupper() and w.isalpha() for w in words)
    return words[0].isupper() or not words[0].isalpha() or words[0].endswith(_PLURALS) or words[0].lower() in _NOTES


_SETS = re.compile(r"(?P<who>[@\w][^,;:]{0,60}?) set the \S")
_PLURALS = ("rs", "ts", "ds", "ls", "ms", "ps", "gs", "ks")  # "Users", "Tests"; but Jonas, Iris, James
_DETERMINERS = word_set("i we they you he she it the our my their her his this that somebody someone nobody who")
_NOTES = word_set("maybe someday later backlog reminder suggestion idea wishlist fixme todo hack xxx perhaps")


def _names_role(sentence: str, head: str) -> bool:
    """Whether a change says as what: "moved to pnpm as its package manager"."""
    said = _AS_ITS.search(sentence)
    return said is not None and head in said["role"].lower().split()


_AS_ITS = re.compile(r"\b(?:[Aa]s (?:its|their|our|my|the)|[Ff]or (?:its|their)) (?P<role>[a-z][a-z -]*)")


def starts_later(sentence: str) -> bool:
    """Whether a sentence says what will hold.

    Example:
        >>> starts_later("As of next Monday, standup is at 10:00"), starts_later("As of Monday, standup is at 10:00")
        (True, False)
    """
    return "next " in sentence and _LATER.search(sentence) is not None


def is_of_others(sentence: str) -> bool:
    """Whether a sentence opens with somebody whose settings are not ours.

    Example:
        >>> is_of_others("Our competitor raised the fee to 9"), is_of_others("Our team raised the fee to 9")
        (True, False)
    """
    return _OTHERS.match(sentence) is not None


def is_misdirected(sentence: str, fact: Fact) -> bool:
    """Whether a fact that a change brings about is not what the change is about.

    Args:
        sentence: The sentence that tells the change.
        fact: A fact that it brings about.
    """
    if fact.object is None:
        return False
    value = fact.object
    if fact.relation in _HOMES and (value.lower() in NO_HOMES or value.startswith("Team ")):
        return True
    if _HEARSAY.match(sentence) is not None:
        return True
    if not fact.narrative:
        return fact.relation == "is done thus" and _REFUSED.search(sentence.partition(value)[0]) is not None
    head = fact.subject.rpartition(" ")[2]
    if (
        _LONG_AGO.search(sentence) is not None
        or _is_marker(sentence)
        or is_of_others(sentence)
        or _VOID.match(sentence) is not None
        or _BY_PACKAGE.match(sentence) is not None
    ):
        return True
    if fact.relation != "is":
        return False
    if is_identifier(head) and _RENAMED.search(sentence) is not None:
        return True
    if head in PERSON_ROLES and _TURNED.search(sentence) is not None and not _names_role(sentence, head):
        return " from " not in sentence and _TITLED.match(value) is None and " " not in value
    if " from " in sentence or head in _PLACED or _MOVED.search(sentence) is None:
        return False
    return _SITE.fullmatch(value) is not None or value.casefold() in CITIES
