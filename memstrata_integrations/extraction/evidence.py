"""Whether a statement says the relation that a model reads in it, and says that it holds.

"Ann ran a marathon in Bergen" names Ann and Bergen, and nobody lives there for it. A model that misreads it
would retire where Ann lives. So the clause of the value must hold a word for the relation, its verbs must be words
for it, and nothing there may refuse, try, doubt or quote it. In doubt the triple is dropped: a supersession is
missed, and nothing vanishes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from memstrata_integrations.canonical import canonical_value, content_words
from memstrata_integrations.extraction.relation_words import (
    ANY,
    APPOINTING,
    BEING,
    BEING_NAMED,
    CHANGING,
    DOUBTING,
    EMPLOYING,
    HOLDING,
    LEADING,
    REFUSING,
    UNMOVED,
    WORDS,
)
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.misdirected import is_of_others
from memstrata_integrations.extraction.sentences.verbs import THIRD, is_past
from memstrata_integrations.extraction.tokens import Token, tokens_of
from memstrata_integrations.relations import Relation
from memstrata_integrations.words import word_set

__all__ = ["bears_out"]

_SMALL = word_set("be been being is are am has have a an the of in on at to for by with from as it its and or up out")
_COPULAS = word_set("is are am be been being 's 're 'm i'm it's they're we're")
_AUXILIARIES = _COPULAS | word_set("has have having get gets got gotten 've i've we've they've you've do does")
_GETTING = word_set("get gets got gotten getting")
_OFF = word_set("off around out")
_BESIDE_HOME = word_set("with from near")  # "lives with her aunt in Lyon", "moved from Ghent to Lyon"
_HAVING = word_set("has have having 've i've we've they've you've do does")
_MARKS = re.compile(r"\b(?:now|currently|presently|nowadays|these days|from today|from now on|new|final)\b|[:=→–—]|->")
_BREAKS = word_set(
    "because while whilst although though whereas but which who whose where when if since so after before unless once"
)
_TEMPORAL = word_set("after since when while before")
_MODIFIED_BY = word_set("a an the our my your his her its their of in on at for with from this these no some")
_OPENED_BY = word_set("for as on at in of with under regarding concerning")
_ARTICLES = word_set("a an the our my your his her their")
_TOWARDS = word_set("to into onto at for over as with →")
_LINKING = word_set("as for to is are be at in on")
_LINKS = PREPOSITIONS | _LINKING | word_set("below above near around beyond past toward towards than twice half not")
_AWAY = word_set("past off beyond beside besides against behind near than but versus vs minus plus except unlike about")
_AWAY_FROM_AMOUNTS = _AWAY | word_set("from by")
_AWAY_FROM_NAMES = _AWAY | word_set("of over under after before")
_COMING_FROM = word_set("opens starts begins runs") | word_set("is_served_at is_read_from is_built_from")
_MEASURED = frozenset(
    (
        "duration",
        "months",
        "size",
        "number",
        "count",
        "rate",
        "percent",
        "money",
        "version",
        "date",
        "day",
        "time",
        "weekday",
    )
)
_AMOUNTS = frozenset("0123456789$€£¥<>=~^")
_PRONOUNS = word_set("i we they you he she it who that somebody everyone")
# A phrase of doubt, of difference, or of a while
_DISCLAIMED = re.compile(
    r"\b(?:it(?: is|['’]s) (?!(?:clear|true|certain|official|settled|decided|agreed|confirmed|final|a fact|great|good"
    r"|nice|important|known)\b)"
    r"[\w -]{1,40} that"
    r"|close to|(?:any|every)thing but|all but|(?:other|rather) than|instead of|far from|(?:false|untrue|wrong) that"
    r"|(?:myth|rumou?r|lie|joke|legend|idea|notion|claim|theory|suspicion|fear|hope|assumption|guess) (?:that|is|has)"
    r"|(?:second|holiday|summer|weekend|nursing|foster|care|retirement|childhood|former) home"
    r"|in the way|on the verge|(?:short|ahead|in excess) of"
    r"|for (?:an?|one|the) (?:day|week|month|while|bit|moment|hour|night|weekend|test|trial|demo|sprint|season|summer)"
    r"|in (?:theory|jest|(?:a|the) (?:dream|past|old|previous|former|demo|simulation|test|movie|film|novel|game|draft))"
    r"|by (?:mistake|accident|error)|on (?:paper|trial|probation|loan|vacation|holiday|leave|paternity leave)"
    r"|(?:old|stale|draft|alleged|supposed) (?:docs?|documentation|wiki|readme|runbook|manual|page|notes?|code)"
    r"|as an? (?:test|trial|joke|experiment|stopgap|guess|workaround|placeholder|precaution)|stopgap|placeholder)\b",
    re.IGNORECASE,
)
# "Some nodes got 30", but no "for some reason"
_OF_MANY = re.compile(
    r"(?:and |but )?(?:most|many|several|some|few|various|certain|other)\b(?! (?:reason|time|day))", re.IGNORECASE
)
_BECAUSE = re.compile(r"because of\W*\Z", re.IGNORECASE)
# "This week the limit is 5", but "Ann moved to Bergen this week"
_FOR_NOW = re.compile(
    r"\b(?:this|one|that) (?:week|weekend|month|evening|afternoon|morning|time|sprint|summer|winter)\b", re.IGNORECASE
)
# "Raising the limit to 5 broke the login"
_DOING = re.compile(
    r"(?!During|Following|Morning|Evening|Spring|King)[A-Z][a-z]+ing\b(?! (?:from|with|on|in|today|now|forward|at|to))"
)


def bears_out(
    sentence: str, place: tuple[int, int], subject: str, entry: Relation
) -> Literal["relation", "unasserted"] | None:
    """Return what a statement lacks to state a relation: its words, or that it holds; `None` if nothing.

    Args:
        sentence: The statement.
        place: Where the value stands in it.
        subject: The subject, with what the statement attaches to it.
        entry: The relation that a model says.

    Example:
        >>> from memstrata_integrations.relations import known
        >>> [bears_out(s, (len(s) - 6, len(s)), "Ann", known("lives in"))
        ...  for s in ("Ann moved to Bergen", "Ann ran a race in Bergen", "Ann declined a move to Bergen")]
        [None, 'relation', 'unasserted']
    """
    own = content_words(subject)
    around = _around(sentence, place, own)
    if is_of_others(sentence) or _DISCLAIMED.search(around) is not None:
        return "unasserted"
    written = sentence[place[0] : place[1]]
    amount = written[0] in _AMOUNTS or canonical_value(written)[1].partition(":")[0] in _MEASURED
    clause = _Clause(sentence, place, own)
    words = _words_of(entry.name, (*entry.aliases, *entry.nouns), amount=amount)
    if clause.is_doubted(words) or (_FOR_NOW.search(around) is not None and not clause.moves()):
        return "unasserted"
    if words is _ANY:
        return None
    neutral = words if entry.name in UNMOVED or entry.name not in WORDS else words | _SETTLING
    sound = not clause.turns_away(entry, amount=amount) and not clause.has_other_verbs(neutral)
    if entry.name in UNMOVED:
        sound = sound and not clause.has_object(words, LEADING.get(entry.name, PREPOSITIONS))
    if sound and entry.name == "is":
        sound = not clause.acts(_stems(BEING if amount else BEING_NAMED)) and clause.links(amount=amount)
    return None if sound and clause.says(words, amount=amount) else "relation"


class _Clause:
    """The clause of a value: its words before the value and behind it, but for the value's."""

    def __init__(self, sentence: str, place: tuple[int, int], own: frozenset[str]) -> None:
        self.tokens = tokens = tokens_of(sentence, [place])
        cut = sum(1 for t in tokens if t.start < place[0])
        self.sentence, self.place, self.own = sentence, place, own
        start = _opening(tokens, cut)
        self.right = tokens[cut : _closing(tokens, cut)]
        self.left = tokens[start:cut]
        if start and not any(self._is_verb(self.left, n) for n in range(len(self.left))) and not self.right:
            self.left = tokens[_opening(tokens, start - 1) : cut]  # "we agreed, at last, on 5"
        if self.left and start and tokens[start - 1].bare.lower() in _TEMPORAL:
            mine = next((n for n, t in enumerate(self.left) if _is_own(t, own)), 0)
            later = self.left[mine:]  # "After we merged the teams the limit is 5"
            self.left = later if any(self._is_verb(later, n) for n in range(len(later))) else self.left

    def is_doubted(self, words: frozenset[str]) -> bool:
        """Whether a word of the sentence refuses or doubts; what was done before ("quit Acme and joined") does not."""
        joined = self._joined(words)
        before = self.left[0].start if self.left else 0, self.left[joined].start if joined else 0
        told = (t for t in self.tokens if not before[0] <= t.start < before[1] and not self._is_own(t))
        if any(_stem(t.bare.lower()) in _DOUBTED for t in told):
            return True
        said = self.sentence[before[0] : self.place[0]]
        return _OF_MANY.match(said) is not None or _BECAUSE.search(said) is not None

    def moves(self) -> bool:
        """Whether the last verb before the value tells what was done, and not how things are."""
        last = self._last_verb(frozenset())
        if last is None:
            return False
        verb = self.left[last].bare.lower()
        return verb not in _AUXILIARIES and (is_past(verb) or _stem(verb) in _CHANGED or verb.endswith("ing"))

    def turns_away(self, entry: Relation, *, amount: bool) -> bool:
        """Whether the word before the value leads elsewhere: "by 5", "past Friday", "beside Bob"."""
        last = next((t.bare.lower() for t in reversed(self.left) if t.bare.lower() not in _ARTICLES), "")
        if last == "from" and (entry.name.split()[0] in _COMING_FROM or entry.name.replace(" ", "_") in _COMING_FROM):
            return False
        if entry.name == "is":
            owner = self.sentence.startswith(("'s ", "’s "), self.place[1])
            return owner or last in (_AWAY_FROM_AMOUNTS if amount else _AWAY_FROM_NAMES)
        if (leading := LEADING.get(entry.name)) is not None:
            return (last in PREPOSITIONS or last in _AWAY) and last not in leading
        told = " ".join((entry.name, *entry.aliases)).split()
        return last in _AWAY_FROM_AMOUNTS and last not in told

    def has_other_verbs(self, words: frozenset[str]) -> bool:
        """Whether a verb of the clause says something else than the relation."""
        joined = self._joined(words)
        for side in (self.left, self.right):
            for n, token in enumerate(side):
                if n < joined and side is self.left:
                    continue
                if (
                    self._is_own(token)
                    or token.bare.lower() in _AUXILIARIES
                    or _stem(token.bare.lower()) in _LIGHT | words
                ):
                    continue
                if self._is_verb(side, n) and (side is self.left or n == 0 or is_past(token.bare.lower())):
                    return True
        first = self.left[0] if self.left else None
        doing = first is not None and first.start == 0 and not self._is_own(first)
        return doing and _DOING.match(self.sentence) is not None

    def acts(self, words: frozenset[str]) -> bool:
        """Whether the subject does something to the value: "The lead chose Bob", "The port replaced 80"."""
        last = self._last_verb(words)
        mine = [n for n, t in enumerate(self.left[: last or 0]) if self._is_own(t)]
        if last is None or not mine or any(t.bare.lower() in _OPENED_BY for t in self.left[: mine[0]]):
            return False
        between = self.left[mine[-1] + 1 : last]
        if any(t.bare.lower() in _PRONOUNS or t.bare[:1].isupper() for t in between):
            return False
        verb = self.left[last].bare.lower()
        passive = any(t.bare.lower() in _COPULAS | _GETTING for t in between) and (is_past(verb) or verb.endswith("n"))
        return not passive and verb not in _AUXILIARIES and _stem(verb) not in words

    def has_object(self, words: frozenset[str], leading: frozenset[str]) -> bool:
        """Whether the verb is done to something else, or to the value: "settled a case in Lyon", "hired Globex"."""
        last = self._last_verb(words)
        if last is None:
            return False
        behind = [t.bare.lower() for t in self.left[last + 1 :]]
        if behind and behind[0] in PREPOSITIONS | _OFF and behind[0] not in leading | _BESIDE_HOME:
            return True  # "lives off a shop in Lyon"
        if len(behind) > 1 and behind[0] in _ARTICLES and (words | _GROUPS).isdisjoint(map(_stem, behind)):
            return True
        passive = any(t.bare.lower() in _AUXILIARIES - _HAVING for t in self.left[:last])
        mine = any(self._is_own(t) for t in self.left[:last])
        return mine and not passive and _stem(self.left[last].bare.lower()) in _EMPLOYED

    def links(self, *, amount: bool) -> bool:
        """Whether the words between the value and its subject leave it the value: "5 as the limit", no "5 with it"."""
        if not any(self._is_own(t) for t in self.left):
            between: list[str] = []
            for token in self.right:
                if self._is_own(token):
                    return next((w for w in reversed(between) if w in _LINKS), "as") in _LINKING
                between.append(token.bare.lower())
            return True
        last = next((n for n in range(len(self.left) - 1, -1, -1) if self.left[n].bare.lower() in _COPULAS), None)
        if amount or last is None:
            return True
        behind = [t.bare.lower() for t in self.left[last + 1 :]]
        # "The lead is proud of Bob", but "is held by Bob"
        return PREPOSITIONS.isdisjoint(behind) or any(is_past(w) for w in behind)

    def says(self, words: frozenset[str], *, amount: bool) -> bool:
        """Whether a word for the relation stands from the last verb before the value on."""
        last = self._last_verb(words)
        said = [t for t in self.left[last or 0 :] if not self._is_own(t)]
        towards = any(t.bare.lower() in _TOWARDS for t in said)
        for token in [*said, *(t for t in self.right if not self._is_own(t))]:
            stem = _stem(token.bare.lower())
            if stem in words and (towards or stem not in _CHANGED or token.start > self.place[0]):
                return True
        if amount and last is None:
            return _MARKS.search(_around(self.sentence, self.place, frozenset())) is not None
        return False

    def _joined(self, words: frozenset[str]) -> int:
        """Return where the last of several verbs starts that one subject has: "Mia packed up and moved to Lyon"."""
        pairs = range(len(self.left) - 2, 0, -1)
        joining = (
            n + 1
            for n in pairs
            if self.left[n].bare.lower() in ("and", "then")
            and _stem(self.left[n + 1].bare.lower()) in words
            and is_past(self.left[n + 1].bare.lower())
        )
        return next(joining, 0)

    def _last_verb(self, words: frozenset[str]) -> int | None:
        numbers = (n for n in range(len(self.left) - 1, -1, -1) if self._is_verb(self.left, n, words))
        return next(numbers, None)

    def _is_verb(self, side: Sequence[Token], n: int, words: frozenset[str] = frozenset()) -> bool:
        lower = side[n].bare.lower()
        if self._is_own(side[n]):
            return False
        before = side[n - 1] if n else None
        if lower in _AUXILIARIES or _stem(lower) in words:
            return True
        if lower.endswith("ing") and before is not None and before.bare.lower() in _COPULAS:
            return True  # "is evaluating"
        if is_past(lower):
            return before is None or before.bare.lower() not in _MODIFIED_BY
        if lower not in THIRD or before is None:
            return lower in THIRD and side is self.right and n == 0
        named = before.bare[:1].isupper() or before.bare.lower() in _PRONOUNS or self._is_own(before)
        return named or (n > 1 and side[n - 2].bare.lower() in _ARTICLES)

    def _is_own(self, token: Token) -> bool:
        return _is_own(token, self.own)


def _is_own(token: Token, own: frozenset[str]) -> bool:
    return bool(token.words) and token.words <= own


def _around(sentence: str, place: tuple[int, int], own: frozenset[str]) -> str:
    """Return a sentence without its value and without the words of its subject."""
    return " ".join("¤" if _is_own(t, own) else sentence[t.start : t.end] for t in tokens_of(sentence, [place]))


def _opening(tokens: Sequence[Token], n: int) -> int:
    """Return where the clause opens of which the word before `n` is one."""
    while n > 0 and not (tokens[n - 1].closes and tokens[n - 1].bare) and tokens[n - 1].bare.lower() not in _BREAKS:
        n -= 1
    return n


def _closing(tokens: Sequence[Token], n: int) -> int:
    """Return where the clause closes of which the word at `n` is one."""
    while n < len(tokens) and tokens[n].bare.lower() not in _BREAKS:
        n += 1
        if tokens[n - 1].closes:
            break
    return n


@lru_cache(maxsize=512)
def _words_of(name: str, phrases: tuple[str, ...], *, amount: bool) -> frozenset[str]:
    """Return the stems that say a relation, by its name, its aliases and its nouns."""
    told = [w for phrase in (name, *phrases) for w in phrase.split()]
    if name == "is":
        return _stems([*(HOLDING if amount else APPOINTING), *CHANGING])
    more = WORDS.get(name, frozenset())
    if more is ANY:
        return _ANY
    moved = frozenset() if name in UNMOVED or name not in WORDS else CHANGING
    return _stems([*(w for w in told if w not in _SMALL), *more, *moved])


_IRREGULAR = {
    form: base
    for base, forms in {
        "be": "is are am been being",
        "have": "has",
        "become": "becoming",
        "bring": "brought",
        "build": "built",
        "choose": "chose chosen",
        "come": "came",
        "draw": "drew drawn",
        "fall": "fell fallen",
        "find": "found",
        "get": "got gotten",
        "give": "gave given",
        "go": "goes went gone",
        "grow": "grew grown",
        "hold": "held",
        "keep": "kept",
        "lead": "led",
        "leave": "left",
        "lie": "lay lain lying",
        "make": "made",
        "mean": "meant",
        "pay": "paid",
        "rise": "rose risen",
        "run": "ran",
        "say": "said",
        "sell": "sold",
        "send": "sent",
        "shrink": "shrank shrunk",
        "sit": "sat",
        "stand": "stood",
        "stick": "stuck",
        "take": "took taken",
        "tell": "told",
        "write": "wrote written",
        "forbid": "forbade forbidden",
        "withdraw": "withdrew withdrawn",
        "mistake": "mistook mistaken",
        "dream": "dreamt",
    }.items()
    for form in forms.split()
}


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Return what the forms of a word have in common: "settle", "settled", "settling" are one."""
    word = _IRREGULAR.get(word, word).removesuffix("'s").removesuffix("’s")
    stem = word
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
            break
    return stem[:-1] if stem != word and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls" else stem


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(_stem(w) for w in words)


_GROUPS = _stems(("staff", "team", "crew"))  # "joined the staff of Globex"
_EMPLOYED = _stems(EMPLOYING)
_LIGHT = _stems(
    ("make", "take", "find", "start", "begin", "come", "go", "verify", "check")
)  # "has found a place to live in Lyon"
# "We went with 7.2 as the Redis version": besides a word for the relation, these say nothing else
_SETTLING = _stems([*HOLDING, *APPOINTING])
_ANY = _stems(ANY)
_CHANGED = _stems(CHANGING)
_DOUBTED = _stems([*REFUSING, *DOUBTING])
