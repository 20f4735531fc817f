"""The parts of a sentence that lays down a rule: its words and values, what stands in front, the subject, the verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.sentences.lexicon import EMBEDDING, IMPERATIVES, PREPOSITIONS
from memstrata_integrations.extraction.sentences.rule_words import BOUND, CODE, CONDITIONS, ORDERS
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import THIRD, base_of, is_participle, is_past
from memstrata_integrations.units import CURRENCY_WORDS, MONTHS, NUMBER_WORDS, WEEKDAYS
from memstrata_integrations.words import singular, word_set

__all__ = ["WHOSE", "Parts", "Token", "Value", "may_hold_value", "parts_of", "tokens_in", "values_in"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_STARTERS = word_set("the our its you we all each every")
_LONGEST_FRONT = 9
_TOKEN = re.compile(r"`[^`]*`\S*|\"[^\"]*\"\S*|\S+")
_BARE_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?= [A-Za-z(])")
_DAYS = frozenset(WEEKDAYS) | frozenset(m for m in MONTHS if m != "may")
_COPULA = re.compile(r" (?:is|has|was|does)\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_SPOKEN = word_set("once twice noon midnight midday")
# Of the words in letters, these alone may be a value, or begin one
_SPEAKING = _DAYS | _SPOKEN | frozenset(NUMBER_WORDS) | frozenset(CURRENCY_WORDS)
_MARKS_OF_VALUES = re.compile(r"[\d`@]")
_WORDS_OF_VALUES = frozenset(NUMBER_WORDS) | frozenset(WEEKDAYS) | _SPOKEN
# After these a number counts; after another noun it tells one of several apart
_GOVERNORS = PREPOSITIONS | word_set(
    "most least than every after only last first next before about until the as up exceed exceeds exceeding past "
    "beyond dial enter type press code pin extension above below max maximum minimum is are be another equals"
)
_NO_MEASURES = frozenset(("time", "date", "day", "weekday", "version"))

_MODALS = word_set("is are can may must cannot has have does do needs need gets get will becomes remains stays")
_SEVERAL = word_set("have do need get")  # with a plural subject
WHOSE = word_set("the a an both its their my our your every each any this that these those no some all")
_RELATIVE = word_set("that which who")
_NO_FRONT_ENDS = PREPOSITIONS | WHOSE | _MODALS | word_set("and or than as")
_SUBORDINATING = word_set("if when once whenever unless because while where whereas though although")
_FRONTING = PREPOSITIONS | word_set(
    "if when once whenever unless until as after before while where to twice every each"
)
_NO_SUBJECTS = word_set(
    "it its this that these those they he she him her his their there here i some most many few several other another "
    "such certain various both either neither none nobody what how why nothing something someone somebody one who "
    "which and or but so then also not never my me now first next finally no"
)
_FEW = (["no", "more"], ["no", "fewer"])
_OPENING_PLURALS = word_set("you we people staff children anyone all")
_BOTH_TENSES = word_set("set put cut shut let split read left hit cast spread")
_BEFORE_PARTICIPLES = _MODALS | word_set("be been not automatically being only")


class Token(NamedTuple):
    """A word of the sentence, in lower case and without punctuation."""

    start: int
    end: int
    word: str


class Value(NamedTuple):
    """A typed value: where it stands, where the rest starts, and what kind it is."""

    start: int
    end: int
    rest: int
    kind: str
    dimension: str

    @property
    def measures(self) -> bool:
        """Whether it is a quantity, and no time, date or version."""
        return self.kind == "number" and self.dimension.partition(":")[0] not in _NO_MEASURES


class Parts(NamedTuple):
    """A sentence taken apart.

    Attributes:
        text: The sentence.
        tokens: Its words and where they stand.
        words: The words alone.
        front: Where its main clause starts.
        main: The first word of the main clause.
        verb: The verb of the main clause; in an order its first word.
        order: Whether it tells the reader to do something.
    """

    text: str
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    front: int
    main: int
    verb: int
    order: bool

    @property
    def subject(self) -> tuple[str, ...]:
        """The words before the verb."""
        return self.words[self.main : self.verb]

    @property
    def head(self) -> str:
        """The noun that the subject is about: "tokens" of "the tokens of the gate", "fees" of "fees charged by it"."""
        words = self.subject
        for n, word in enumerate(words):
            reduced = n + 1 < len(words) and is_participle(word) and words[n + 1] in PREPOSITIONS
            if n and (word in PREPOSITIONS or word in _RELATIVE or word == "whose" or reduced):
                return words[n - 1]
        return words[-1] if words else ""

    @property
    def act(self) -> str:
        """The verb."""
        return self.words[self.verb]

    @property
    def done(self) -> str:
        """The word behind the verb: the participle of a passive."""
        return self.words[self.verb + 1] if self.verb + 1 < len(self.words) else ""

    def place(self, value: Value) -> str:
        """Say in which part a value stands."""
        if value.end <= self.front:
            return "front"
        if value.end <= self.tokens[self.verb].start:
            return "subject"
        if self.text[: value.start].endswith((" or after ", " or every ", " or within ")):
            return "main"  # "when it is closed, or after 8 hours"
        between = [t.word for t in self.tokens[self.verb + 1 :] if t.end <= value.start]
        return "main" if _SUBORDINATING.isdisjoint(between) and _RELATIVE.isdisjoint(between) else "back"


def may_hold_value(text: str) -> bool:
    """Whether a text may hold a typed value: never wrongly false."""
    return _MARKS_OF_VALUES.search(text) is not None or not _WORDS_OF_VALUES.isdisjoint(
        text.lower().replace("-", " ").split()
    )


@lru_cache(maxsize=64)
def tokens_in(text: str) -> tuple[Token, ...]:
    """Return the words of a sentence; what is quoted is one word."""
    return tuple([Token(m.start(), m.end(), m[0].strip(_TRIM).lower()) for m in _TOKEN.finditer(text)])


@lru_cache(maxsize=64)
def values_in(text: str) -> tuple[Value, ...]:
    """Return the typed values of a sentence, without the numbers that tell one of several apart."""
    found: list[Value] = []
    free = 0
    for token in tokens_in(text):
        start = token.start + (text[token.start] == "(")
        if start < free or not token.word or token.word == "one":
            continue
        typed = _typed(text, start, token)
        if typed is not None:
            free = typed[2]
            value = Value(*typed, canonical_value(text[typed[0] : typed[1]])[1])
            if not _is_label(text, value):
                found.append(value)
    return tuple(found)


def _typed(text: str, start: int, token: Token) -> tuple[int, int, int, str] | None:
    first = text[start]
    if first.isalpha() and token.word.isalpha() and token.word[1:].islower() and token.word not in _SPEAKING:
        return None  # a word of the language that names no value
    spoken = token.word.partition("-")[0] in NUMBER_WORDS or token.word in _SPOKEN
    spoken = spoken or (first.isupper() and token.word in CURRENCY_WORDS)
    if not (first.isdigit() or first in '$€£¥`"+-' or spoken or token.word in _DAYS or is_identifier(token.word)):
        return None
    typed = find_typed(text, start, len(text))
    if typed is None:
        bare = _BARE_NUMBER.match(text, start)
        stop = bare.end() if bare else token.end
        if bare is None and (token.word not in NUMBER_WORDS or text[stop - 1 : stop] in ",;)"):
            return None
        return start, stop, stop, "number"
    if typed[3] == "name":
        return None
    if typed[3] == "number" and (copula := _COPULA.search(text, typed[0], typed[1])) is not None:
        return typed[0], copula.start(), copula.start(), "number"  # "a minimum of 1 is required"
    return typed


def _is_label(text: str, value: Value) -> bool:
    """Whether a number tells one of several apart: "priority 1", "in 2019", "Node 18"."""
    if value.kind != "number" or value.dimension != "number":
        return False
    if _YEAR.match(text, value.start, value.end):
        return True
    before = text[: value.start].rstrip(' (`"')
    word = before.rpartition(" ")[2].strip(_TRIM)
    if not word.isalpha() or word.lower() in _GOVERNORS:
        return False
    return base_of(word.lower()) is None and CODE.search(before) is None and not word[0].isupper()


@lru_cache(maxsize=64)
def parts_of(text: str) -> Parts | None:
    """Take apart a sentence of the present, or an order; `None` for any other sentence."""
    tokens = tokens_in(text)
    words = tuple([t.word for t in tokens])
    front = _front_of(text, tokens, words)
    main = next((n for n, t in enumerate(tokens) if front is not None and t.start >= front), None)
    if front is None or main is None or main + 1 >= len(tokens):
        return None
    opener = main + (words[main] == "please")
    order = words[opener] in ORDERS and (main == 0 or front > 0)
    if order:
        return Parts(text, tokens, words, front, main, main, True)
    if words[main] in IMPERATIVES or words[main] in EMBEDDING:
        return None
    verb = _main_verb(text, tokens, main)
    if verb is None:
        return None
    parts = Parts(text, tokens, words, front, main, verb, False)
    return parts if _has_subject(parts) and not _tells_past(parts) else None


def _front_of(text: str, tokens: Sequence[Token], words: Sequence[str]) -> int | None:
    """Return where the main clause starts, `None` if a clause before it has no end."""
    if words[0] not in _FRONTING or BOUND.search(" ".join(words[:2])):
        return 0
    at = text.find(", ")
    while at >= 0:
        following = text[at + 2 :].partition(" ")[0].strip(_TRIM).lower()
        if following not in _FRONTING or following in ("every", "each"):
            return at + 2
        at = text.find(", ", at + 2)
    if words[0] in ("every", "each"):
        return 0
    if words[0] not in PREPOSITIONS and words[0] not in ("after", "before"):
        return None
    for token, earlier in zip(tokens[2:_LONGEST_FRONT], words[1:], strict=False):
        if token.word in _STARTERS and earlier not in _NO_FRONT_ENDS and earlier not in THIRD:
            return token.start  # "On a free plan you can keep 3 of them", "After five failures the gate is shut"
    return None


def _main_verb(text: str, tokens: Sequence[Token], main: int) -> int | None:
    """Return the place of the verb of the main clause, those of relative clauses left out."""
    relative = 0
    several = _is_several([t.word for t in tokens[main : main + 5]])
    n = main + 1
    while n < len(tokens):
        word, earlier = tokens[n].word, tokens[n - 1].word
        following = tokens[n + 1].word if n + 1 < len(tokens) else ""
        if word in _RELATIVE and earlier != "so" and not (word == "that" and earlier in PREPOSITIONS):
            relative += 1
        elif _is_verb(word, "" if relative and earlier in _RELATIVE else earlier, following, several):
            if not relative:
                return n
            relative -= 1
            while n + 1 < len(tokens) and (tokens[n + 1].word in ("not", "been", "be") or is_past(tokens[n + 1].word)):
                n += 1
        n += 1
    return next((n for n in range(main + 2, len(tokens) - 1) if _may_be_verb(text, tokens, n)), None)


def _is_several(words: list[str]) -> bool:
    """Whether a subject that begins so is a plural."""
    first = words[0]
    if singular(first) != first or first in _OPENING_PLURALS:
        return True
    for n, word in enumerate(words[1:], 1):
        if word in PREPOSITIONS or word in _RELATIVE:
            return False
        following = words[n + 1] if n + 1 < len(words) else ""
        if singular(word) != word and (word not in THIRD or following in _MODALS or base_of(following) == following):
            return True
    return False


def _is_verb(word: str, earlier: str, following: str, several: bool) -> bool:
    if earlier in WHOSE or earlier in PREPOSITIONS or earlier == "to":
        return False
    if word in _MODALS:
        return several or word not in _SEVERAL
    if following in _MODALS or following in _RELATIVE or not following:
        return False
    if word in THIRD:
        return not (several and base_of(following) == following and following not in PREPOSITIONS)
    return several and base_of(word) == word and earlier not in ("and", "or")


def _may_be_verb(text: str, tokens: Sequence[Token], n: int) -> bool:
    """Whether a word that no list has may be a verb in the third person: "The file exposes Teal on"."""
    word, earlier, following = tokens[n].word, tokens[n - 1].word, tokens[n + 1].word
    if not word.isalpha() or singular(word) == word or singular(earlier) != earlier or not earlier.isalpha():
        return False
    if earlier in WHOSE or earlier in PREPOSITIONS or following in _RELATIVE:
        return False
    named = not following.islower() or text[tokens[n + 1].start].isupper()
    return following in WHOSE or following in PREPOSITIONS or following == "again" or named


def _has_subject(parts: Parts) -> bool:
    words = list(parts.subject)
    if parts.front and words in (["it"], ["they"]):
        return parts.words[0] in CONDITIONS  # "When the pump overheats, it shuts down"
    return bool(words) and (words[0] not in _NO_SUBJECTS or words[:2] in _FEW)


def _tells_past(parts: Parts) -> bool:
    """Whether the main clause tells what happened."""
    words = parts.words
    for n in range(parts.main + 1, min(parts.verb + 2, len(words) - 1)):
        if not is_past(words[n]) or words[n] in _BOTH_TENSES or words[n - 1] in _BEFORE_PARTICIPLES:
            continue
        following = words[n + 1]
        if n >= parts.verb or not (following in PREPOSITIONS or following.isalpha()):
            return True  # no "tokens issued by teal last", nor "failed jobs are retried"
    return False
