"""Words: sets of them, and light inflection."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["COMMON_PLURALS", "Phrases", "holds_any", "lower_words", "singular", "unaccented", "word_set"]

_PLAIN_LETTERS = {
    number: base[0]
    for number in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    if (base := unicodedata.normalize("NFD", chr(number)))[0].isascii()
} | str.maketrans("ØøŁłĐđÐðÞþÆæŒœßıĦħŊŋ", "OoLlDdDdTtAaOosiHhNn")


def unaccented(text: str) -> str:
    """Return a text with plain letters for Latin ones with accents, one for one: every place stays what it was.

    Example:
        >>> unaccented("Łukasz Żak, Malmö")
        'Lukasz Zak, Malmo'
    """
    return text if text.isascii() else text.translate(_PLAIN_LETTERS)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that is a list of words.

    Example:
        >>> sorted(word_set("the a an"))
        ['a', 'an', 'the']
    """
    return frozenset(text.split())


def holds_any(text: str, signs: Iterable[str]) -> bool:
    """Whether a text holds one of some characters or pieces.

    Example:
        >>> holds_any("Oslo, Norway", ",;:"), holds_any("In Oslo", (" who ", " which "))
        (True, False)
    """
    for sign in signs:  # takes less time than `any`, and most sentences hold none
        if sign in text:
            break
    else:
        return False
    return True


@lru_cache(maxsize=256)
def lower_words(text: str) -> frozenset[str]:
    """Return the words of a text in lower case; several rules ask for those of one subject.

    Example:
        >>> sorted(lower_words("The port of the Relay"))
        ['of', 'port', 'relay', 'the']
    """
    return frozenset(text.lower().split())


class Phrases:
    """Phrases in lower case, of which a text of whole words may hold one.

    Example:
        >>> phrases = Phrases(["weight limit", "max load"])
        >>> phrases.may_be_in(lower_words("The limit of the weight")), phrases.may_be_in(lower_words("The limit"))
        (True, False)
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_last: dict[str, list[frozenset[str]]] = {}
        for phrase in phrases:
            self._by_last.setdefault(phrase.split()[-1], []).append(word_set(phrase))
        self._lasts = frozenset(self._by_last)

    def may_be_in(self, words: frozenset[str]) -> bool:
        """Whether a text of these words has all the words of one of the phrases."""
        if self._lasts.isdisjoint(words):
            return False
        return any(phrase <= words for last in words & self._lasts for phrase in self._by_last[last])


# Words whose s is no ending, and names that another word would be taken for
_WHOLE = word_set(
    "news series species always perhaps besides dns tls css aws gcs sms rss gps https jenkins rails attrs requests "
    "postgres kubernetes kerberos tailwindcss nodejs windows mercedes ads ios macos sports physics mathematics "
    "ethics economics politics analytics diabetes does has its his hers ours yours theirs yes this thus lens"
)
# A capital makes these no name: "Retries: 3", "Settings page"
COMMON_PLURALS = word_set(
    "retries connections workers replicas threads requests users settings options tokens headers routes endpoints "
    "tags labels errors warnings logs events messages jobs tasks queues tables columns rows files directories paths "
    "ports hosts servers services nodes clusters instances regions zones sessions cookies keys secrets limits attempts "
    "seconds minutes hours days results records items entries details notes credentials permissions roles groups"
)
_IN_AS = word_set("replicas schemas quotas areas cameras lambdas ideas formulas agendas")
_KEPT_ENDINGS = ("ss", "us", "is", "as", "os", "'s")


def singular(word: str) -> str:
    """Return a lower-case word without the s of a plural or of the third person.

    Example:
        >>> [singular(w) for w in ("retries", "boxes", "connections", "redis", "status")]
        ['retry', 'box', 'connection', 'redis', 'status']
    """
    if len(word) < 4 or word[-1] != "s" or word in _WHOLE or word.endswith(_KEPT_ENDINGS):
        return word[:-1] if word in _IN_AS else word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]
