"""What a speaker adds behind a statement that is complete: "My GP is Dr. Ho, a friend of Ida's", "It is Bo, he's new".

Such words describe the value, or say more of it; the sentence would be true of the same thing without them, so they are
no part of its key. What may tell for whom, where, when or on what condition a statement holds is no afterthought: "My
boss is Bo, at the library" leaves room for another boss.
"""

from __future__ import annotations

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.joined import is_verb
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.words import word_set

__all__ = ["afterthought", "describes_name"]

_LONGEST, _MOST_WORDS = 200, 9
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
# What leaves a clause open, takes back what stands before it, or says in which case it holds
_DOUBTING = word_set(
    "maybe perhaps probably think guess hope hopes plan plans planned suppose supposed if unless until till would "
    "should might but not never no allegedly said says told apparently reportedly joking kidding except only usually "
    "mostly normally sometimes when while during weekdays weekends otherwise"
)
_ANAPHORS = word_set("he she it they him her them his its their he's she's it's they're")
_NEAR = word_set("next near opposite behind beside close")
# With these an apposition tells one of several: "the older one", "the morning trainer", "a part-time job"
_CONTRASTING = PREPOSITIONS - word_set("of") | word_set(
    "one ones only other others another same day days night nights morning mornings evening evenings afternoon weekend "
    "weekends weekday weekdays week weeks month months year term summer winter half part-time full-time time times "
    "first second third new old older younger elder eldest youngest big small left right main backup secondary primary "
    "original former previous current next last each every both all either and or nor but not no never "
    "default maximum minimum usual who which that"
)


def afterthought(text: str, start: int, end: int) -> int | None:
    """Return where what is added behind a statement starts, its comma included; `None` if nothing is.

    Args:
        text: The whole text.
        start: Where the sentence starts.
        end: Where it ends, its full stop left out.

    Example:
        >>> said = "My GP is Dr. Ho, a friend of Ida's"
        >>> said[: afterthought(said, 0, len(said))]
        'My GP is Dr. Ho'
    """
    if end - start > _LONGEST:
        return None
    said, comma, tail = masked(text[start:end]).rpartition(", ")
    words = _words(tail)
    if not comma or ", " in said or len(said.split()) < 3 or not 1 < len(words) <= _MOST_WORDS:
        return None
    if "¤" in tail or any(c in tail for c in ":;=()") or (tail[:1].isupper() and not _speaks(words)):
        return None  # "Oslo, Norway"
    return start + len(said) if _speaks(words) or _is_name_like(words, tail) else None


def describes_name(tail: str) -> bool:
    """Whether words behind a statement describe a value that is a name, and would describe no other."""
    return not _speaks(_words(tail.lstrip(" ,")))


def _words(part: str) -> list[str]:
    return [w.strip(_TRIM).lower().replace("’", "'") for w in part.split()]


def _speaks(words: list[str]) -> bool:
    """Whether words are a clause that speaks of what stands before it: "she's strict", "I always miss it"."""
    if _ANAPHORS.isdisjoint(words) or not _DOUBTING.isdisjoint(words) or words[0] in PREPOSITIONS:
        return False
    return "'" in words[0] or any(map(is_verb, words[1:4]))


def _is_name_like(words: list[str], tail: str) -> bool:
    """Whether words are what somebody or something is, or where it lies: "a med student", "next to the bank"."""
    if any(c.isdigit() for c in tail) or any(map(is_identifier, words)):
        return False
    if words[0] in _NEAR:
        return True
    return words[0] in ("a", "an", "the") and _CONTRASTING.isdisjoint(words)
