"""What happened, told in front of what holds since: "Efrem can't make it, so the best man is Laszlo".

An event tells why a statement is made. It says neither of which thing it holds nor in which case, and is no part of its
key, unless it brings in what the statement speaks of: "Staging was rebuilt: the port is 81".
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.verbs import is_past
from memstrata_integrations.words import word_set

__all__ = ["behind_event", "is_event"]

_MOST_WORDS = 9
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
# What leaves a clause open, or tells in which case the next one holds
_DOUBTING = word_set(
    "maybe perhaps probably think guess hope hopes plan plans planned suppose supposed if unless until till would "
    "should might but not never no allegedly said says told apparently reportedly joking kidding except only usually "
    "opened added created started launched built dreamt dreamed dream recall remember know knew sure certain wonder "
    "heard read forgot believe believed imagine imagined wish wished pretend pretended hoped planned asked wants want"
)
_FRONTING = word_set(
    "had were should when while once after before since if as because although though whenever that which who so and"
)
# What keeps somebody from something
_HINDERED = word_set("can't cannot couldn't won't has")
_SAYING = word_set("called texted messaged emailed rang phoned wrote mailed")
_INTRODUCED = re.compile(r"\b(?:[Aa]n?|[Aa]nother|[Tt]wo|[Tt]hree|[Ss]everal|[Ss]ome) [a-z]")
_US = word_set("us me our my we i")
_OWN = re.compile(
    r"(?:[Mm]y|[Oo]ur|I|[Ww]e)\b|(?:[Tt]he )?(?:[\w’'-]+ ){1,6}?(?:of|for|at|with) (?:the |my |our )?[\w’'-]+"
)


def behind_event(text: str, start: int, end: int) -> int:
    """Return where a sentence says who has a role now, behind what became of somebody; its start if it does not.

    Example:
        >>> said = "Jonna can't do it any more, the babysitter is Wiebke"
        >>> said[behind_event(said, 0, len(said)) :]
        'the babysitter is Wiebke'
    """
    gone = _GONE.match(text, start, end)
    return gone.end() if gone is not None and _ROLE_IS.match(text, gone.end(), end) is not None else start


# Only somebody falls ill or hands in a notice
_GONE = re.compile(
    r"(?!(?:The|An?|Our|My|We|I|It|They|This|All|No) )[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)? (?:has |had to )?"
    r"(?:quit|resign(?:ed)?|retired?|step(?:ped)? (?:down|back)|fell ill|(?:called|call) in sick|moved away|gave notice"
    r"|(?:can['’]t|couldn['’]t|cannot) (?:do|make) it(?= any)|died|passed away|handed in (?:his|her|their) notice"
    r"|got (?:sick|ill)|broke (?:his|her) [a-z]+)"
    r"(?: any ?more| (?:last|this) [a-z]+| yesterday| today| for good)?(?:,|;|:| and|,? so) "
)
_ROLE_IS = re.compile(r"[Tt]he (?:[a-z-]+ ){1,3}is (?:now )?[A-Z]")


def is_event(said: str, clause: str, link: str = "") -> bool:
    """Whether what stands before a clause only tells why it is said.

    Args:
        said: The words before it.
        clause: The clause.
        link: What links the two, if that is known.

    Example:
        >>> is_event("Efrem can't make it", "the best man is Laszlo", ", so ")
        True
        >>> is_event("Staging was rebuilt", "the port is 81", ": ")
        False
    """
    words = [w.strip(_TRIM).lower().replace("’", "'") for w in said.split()]
    if words and words[-1] == "so":
        words, link = words[:-1], "so"
    if not 1 < len(words) <= _MOST_WORDS or not _DOUBTING.isdisjoint(words) or words[0] in PREPOSITIONS:
        return False
    if words[0].endswith(("ing", "ed")) or words[0] in _FRONTING:
        return False
    told = next((n for n, w in enumerate(words) if n and (is_past(w) or w in _HINDERED or w in _SAYING)), 0)
    if not told or words[told - 1] in ("be", "is", "are", "gets"):
        return False
    if _INTRODUCED.search(said) is not None and "so" not in link.split():
        return False  # "My sister found a flat: the rent is 700"
    if _OWN.match(clause) is not None:
        return True
    if not clause.rstrip(" .!").rpartition(" ")[2][:1].isupper():
        return False  # "Teal moved, so the port is 81": that of Teal
    passive = words[told] in ("was", "were") or words[told + 1 : told + 2] == ["been"]
    return not passive and ("so" in link.split() or words[told] in _SAYING or not _US.isdisjoint(words))
