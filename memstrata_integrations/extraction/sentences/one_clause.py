"""One clause of several that states something, wherever it stands: what the other clauses say stays in the key.

"Because the old scanners cannot do TLS 1.3, the minimum version is 1.1", "The console shows only a week, whereas the
CLI keeps 30 days of history", "Our second oven, the one in the yard, is serviced by Falk". Each run of clauses is tried
on its own, the longest first, and then what stands around an inserted one. Two such sentences meet only where all their
other clauses are the same, so that these may tell of the past and may compare; they may not leave open what holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.words import word_set

__all__ = ["Run", "runs_of_clauses", "with_pronoun"]

_MOST_CUTS = 5
_LEAST_WORDS = 3
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_JOINING = "whereas|while|because|although|though|since|before|after|until|unless|so that|and"
_CUT = re.compile(
    r"[,;] (?:(?:and|but|so|yet|whereas|while|though|although|because|since|where|then) )?| [–—-] "
    rf"| (?:{_JOINING}) (?=(?:the|its?|our|their|my|they|we|you|an?|all|every|each|[A-Z`]) )"
)
_MAY_BE_CUT = re.compile(rf"[,;] | [–—-] | (?:{_JOINING}) ")
_NO_CLAUSES = word_set(
    "which who whom whose that to for with without in on at by of from as if when once including such like and or but "
    "not"
)
# Words that leave open whether anything holds, or in which of several cases
_DOUBTING = word_set(
    "if would could might should shall probably perhaps maybe possibly allegedly apparently supposedly said says say "
    "told tells claims claimed heard think thinks thought believe believes guess hope hopes imagine suppose example "
    "instance plan plans planned planning propose proposed proposal suggest suggested soon tomorrow yesterday ago "
    "formerly previously originally usually often sometimes occasionally mostly generally benchmark experiment average "
    "estimated some several few many certain another various"
)
_HEDGED = re.compile(
    r"\b(?:according to|in (?:my|our|his|her|their) (?:view|opinion|experience|eyes)|typically|arguably|personally"
    r"|to my mind|word is|rumou?r has it)\b",
    re.IGNORECASE,
)
# What a pronoun of the clause is read as; no word of the key
_STAND_INS = {"it": "The gadget", "they": "The gadgets", "its": "The gadget's", "their": "The gadgets'"}
_STAND_IN = re.compile(r"\b(?:[Tt]he )?gadgets?(?:['’]s?)?(?= |\Z)")


class Run(NamedTuple):
    """Clauses that may state something on their own.

    Attributes:
        pieces: What the plain sentence is made of: words that are put in, and where the others stand in the text.
        said: The words of the other clauses.
        pronoun: The pronoun that it begins with, for which another word is put in.
    """

    pieces: tuple[str | tuple[int, int], ...]
    said: str
    pronoun: str = ""


def runs_of_clauses(text: str) -> Iterator[Run]:
    """Yield the runs of clauses of a sentence, the longest and last first.

    Example:
        >>> text = "The console shows one week, whereas the CLI keeps 30 days"
        >>> [[text[slice(*p)] if isinstance(p, tuple) else p for p in run.pieces] for run in runs_of_clauses(text)]
        [['T', 'he CLI keeps 30 days'], ['T', 'he console shows one week']]
    """
    if _MAY_BE_CUT.search(text) is None:
        return
    cuts = [m.span() for m in _CUT.finditer(masked(text))]
    if not 0 < len(cuts) <= _MOST_CUTS:
        return
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    count = len(starts)
    for length in range(count - 1, 0, -1):
        for first in range(count - length, -1, -1):
            start, end = starts[first], ends[first + length - 1]
            opener, _, rest = text[start:end].partition(" ")
            said = f"{text[:start]} {text[end:]}".strip(" ,;–—-")
            if rest.count(" ") + 2 < _LEAST_WORDS or opener.lower() in _NO_CLAUSES or _leaves_open(said):
                continue
            named = _STAND_INS.get(opener.lower())
            lead = (opener[:1].upper(), start + 1) if named is None else (named, start + len(opener))
            yield Run((lead[0], (lead[1], end)), said, opener.lower() if named else "")
    for length in range(count - 2, 0, -1):
        for first in range(1, count - length):
            start, end = ends[first - 1], starts[first + length]
            said = text[start:end].strip(" ,;–—-")
            if text[start:end].startswith((", ", " – ", " — ", " - ")) and not _leaves_open(said):
                yield Run(((0, start), (end - 1, len(text))), said)


def with_pronoun(subject: str, pronoun: str) -> str:
    """Put the pronoun back that a clause began with."""
    return _STAND_IN.sub(pronoun, subject) if pronoun else subject


def _leaves_open(said: str) -> bool:
    words = said.split()
    if all(not w[:1].islower() or w in ("and", "or") for w in words):
        return True  # "The winner is Alice, Bob and Carol"
    if "?" in said or _HEDGED.search(said) is not None:
        return True
    return not _DOUBTING.isdisjoint([w.strip(_TRIM) for w in said.lower().split()])
