"""What words in the place of a value are: a name, a class, a nation, who does it, or how a thing is.

"The namesake is Ada" and "the namesake is a physicist" are both true, as are "the format is CSV" and "the format is
human-readable": values of other sorts are never compared.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.adjectives import describes, is_adjective
from memstrata_integrations.extraction.sentences.lexicon import DEMONYMS, PERSON_ROLES
from memstrata_integrations.extraction.sentences.plain_nouns import ALSO_NOUNS
from memstrata_integrations.words import word_set

__all__ = ["is_class", "is_doer", "is_manner", "is_nation", "says_how", "says_something"]

_DESCRIBING = ("al", "ive", "ic", "ant", "ent", "ary", "ed", "ing", "able", "ous", "ful", "less")
# Of what formats, queues and people are said to be
_HOW = word_set(
    "compliant compatible certified oriented readable based blind friendly aware safe neutral proof bound columnar "
    "binary textual tabular lossless lossy proprietary fifo lifo oss gdpr hipaa"
)
_BY_TRADE = re.compile(r"(?!vegetarian)[a-z]{3,}(?:(?<!l)ist|ian)")
_NATIONS = DEMONYMS - word_set("zulu latin persian republican democrat democratic liberal conservative")
_CLASSES = PERSON_ROLES | word_set(
    "woman man boy girl mammal reptile bird fish insect plant licence license recipe developer volunteer machine robot "
    "veteran newcomer beginner expert god goddess saint hero"
)
_OF_NATIONS = word_set("language nationality citizenship cuisine tongue subtitle accent dialect passport translation")


def is_doer(written: str, before: str) -> bool:
    """Whether something is sorted by somebody, "by Ann", "by the server", rather than "by name"."""
    return written[0].isupper() or before.endswith(("by the ", "by a ", "by an ")) or written.startswith(("the ", "a "))


def is_class(written: str, before: str) -> bool:
    """Whether a value is one of a class, in common words: "a physicist"."""
    article, _, noun = written.partition(" ")
    if article not in ("a", "an"):
        article, noun = before.rpartition(" ")[0].rpartition(" ")[2], written
    head = noun.rpartition(" ")[2]
    return article in ("a", "an") and noun.islower() and (head in _CLASSES or _BY_TRADE.fullmatch(head) is not None)


def is_manner(written: str) -> bool:
    """Whether a value says how a thing is, whatever thing it is: "PCI compliant", "row-oriented"."""
    return written.lower().replace("-", " ").rpartition(" ")[2] in _HOW


def is_nation(written: str, head: str) -> bool:
    """Whether a value says of which nation one is, where its noun asks for no such thing."""
    return head not in _OF_NATIONS and written.casefold() in _NATIONS


def says_how(written: str) -> bool:
    """Whether words behind a noun that any name completes say how it is: "ugly", "case-sensitive"."""
    last = written.lower().split()[-1]
    said = is_adjective(written) or is_adjective(last) or describes(written)
    return (written[0].islower() or "-" in written) and last not in ALSO_NOUNS and said


def says_something(written: str) -> bool:
    """Whether a value is plain words that say something of a thing, rather than name it."""
    if is_identifier(written) or (written[0].isupper() and "-" not in written):
        return False
    if not written.islower() or not written.replace(" ", "").replace("-", "").isalpha():
        return is_adjective(written)
    return " " in written or is_adjective(written) or (len(written) > 5 and written.endswith(_DESCRIBING))
