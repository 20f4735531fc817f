"""Acts that leave room for others: "Flour is supplied by Kornhof" says nothing of the other mills.

A verb with its preposition, what its subject is and the form of its value show whether, as people say it, there is
one such value at a time. Where there may well be several, plain statements stand side by side, and one that announces
a change takes the place of those before it; "only" and its like make one of several again.
"""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.units import MONTHS, NUMBER_WORDS
from memstrata_integrations.words import word_set

__all__ = ["leaves_room"]


def _acts(table: dict[str, str]) -> dict[str, frozenset[str]]:
    return {preposition: word_set(done) for preposition, done in table.items()}


# Of which even one definite thing has several at a time: backers, checks, materials, forms on offer
_SHARED = _acts(
    {
        "by": "supplied funded sponsored subsidised subsidized supported endorsed used visited crossed surrounded "
        "inspired influenced loved joined attended praised accepted recognised recognized cited co-funded co-owned "
        "certified recommended reported taught liked followed quoted",
        "with": "tested linted documented monitored instrumented scanned profiled decorated filled seasoned flavoured "
        "flavored garnished paired compatible packed installed",
        "using": "tested linted documented monitored scanned profiled",
        "in": "sold available spoken translated tested certified licensed featured listed mentioned",
        "on": "available sold tested supported booked reserved installed featured listed",
        "via": "distributed installed available sold",
        "of": "made",
        "as": "served available sold exported packaged distributed",
        "to": "sold available exported exposed sync syncs ships replicated mirrored licensed linked attached",
        "at": "sold taught",
        "from": "visible",
        "for": "available suitable used",
    }
)
# Of which a whole kind, named by one plain word, has several: "Photos are stored in S3", and on the phone
_BY_KIND = _acts(
    {
        "by": "delivered shipped made produced grown baked brewed cooked reviewed triaged tested taught printed "
        "donated fed carried translated checked",
        "in": "stored kept saved tracked logged cached grown made produced filed archived published run executed held "
        "taught lodged",
        "on": "stored kept saved tracked logged published",
        "to": "written saved logged delivered backed sent",
        "at": "stored kept made bought",
        "from": "bought ordered imported shipped sent dispatched",
        "as": "stored saved published",
        "with": "cooked made baked served paid",
    }
)
# What is watched by several at once: for its load, its logs and its safety
_WATCHED = word_set(
    "cluster service server app application site website system network database host machine pod deployment api stack "
    "platform node nodes queue job pipeline gateway backend frontend"
)
_GATHER = word_set("meets meet sits sit convenes convene gathers gather")
_MOMENTS = frozenset(MONTHS) | word_set(
    "easter christmas pentecost ramadan noon midnight dawn dusk spring summer autumn winter"
)
_SEATS = word_set("board staff committee council jury panel faculty roster")
_SOLE = word_set("only solely exclusively alone always main mainly primary primarily official officially sole single")
_ARTICLES = word_set("the a an our my his her their its")
_BE = word_set("is are get gets")
_ADMITTED = word_set("allowed permitted supported accepted valid")
_OF_MANY = word_set(
    "method verb format browser language database origin host type character extension protocol scope platform "
    "currency device card"
)
_MORE = ("also ", "additionally ", "another ")
_PLACING = frozenset("/\\@#:_0123456789")  # what names one place rather than a kind of them


def leaves_room(core: str, start: int, end: int) -> bool:
    """Whether there may well be another value beside the one at these places of a sentence.

    Example:
        >>> leaves_room("Flour is supplied by Kornhof", 21, 28), leaves_room("The app is built with Bazel", 22, 27)
        (True, False)
    """
    if core.startswith(_MORE, start):
        return True  # "is also JPEG"
    words = core[:start].lower().split()
    while words and words[-1] in _ARTICLES:
        words.pop()
    if len(words) < 3 or not _SOLE.isdisjoint(core.lower().split()):
        return False
    *subject, done, preposition = words
    if preposition in _BE and not _ADMITTED.isdisjoint(words[:-2]) and done in _OF_MANY:
        return True  # "The supported browser is Firefox"
    if preposition == "of" and done in _SEATS:
        return subject[-1] == "the"  # on the board of Audi, and of Bosch
    if done in _SHARED.get(preposition, ()):
        definite = "for" in subject or (preposition == "of" and subject[0] in ("our", "my"))  # "lunch for the office"
        counted = core[start : start + 1].isdigit() or core[start:end].partition(" ")[0].lower() in NUMBER_WORDS
        counted = counted and done in ("available", "replicated", "mirrored")  # "available in 5 languages"
        return not definite and not counted
    if done in _GATHER:  # in May and in October; that says nothing of where
        return not _MOMENTS.isdisjoint(core[start:end].lower().split())
    if done == "monitored" and preposition == "by":
        return not _WATCHED.isdisjoint(subject)
    if done in ("up", "out", "down"):  # "is backed up to"
        *subject, done = subject
    if len(subject) != 2 or subject[1] not in _BE or done not in _BY_KIND.get(preposition, ()):
        return False
    return (is_plural(subject[0]) or core[1:2].islower()) and _PLACING.isdisjoint(core[start:end])
