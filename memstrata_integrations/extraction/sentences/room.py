"""Acts that leave room for others: "Flour is supplied by Kornhof" says nothing of the other mills.

A verb with its preposition, what its subject is and the form of its value show whether, as people say it, there is
one such value at a time. Where there may well be several, plain statements stand side by side, and one that announces
a change takes the place of those before it; "only" and its like make one of several again.
"""

from __future__ import annotations

import re
from itertools import pairwise

from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.units import MONTHS, NUMBER_WORDS
from memstrata_integrations.words import word_set

__all__ = ["has_several", "leaves_room"]


def _acts(table: dict[str, str]) -> dict[str, frozenset[str]]:
    return {preposition: word_set(done) for preposition, done in table.items()}


# Of which even one definite thing has several at a time: backers, checks, materials, forms on offer
_SHARED = _acts(
    {
        "by": "supplied funded sponsored subsidised subsidized supported endorsed used visited crossed surrounded "
        "inspired influenced loved joined attended praised accepted recognised recognized cited co-funded co-owned "
        "certified recommended reported taught liked followed quoted co-hosted",
        "with": "tested linted documented monitored instrumented scanned profiled decorated filled seasoned flavoured "
        "flavored garnished paired compatible packed installed twinned "
        "partnered affiliated allied associated",
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


def has_several(done: str, prep: str) -> bool:
    """Whether even one definite thing may have several at a time of what is said so: "is tested with", "is sold at"."""
    return done in _SHARED.get(prep, ())


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
_CLASSES = word_set("class course lesson seminar workshop masterclass tutorial")
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
# Of these whoever does it has several objects, unless they are counted: "receives 88.4 MHz", and no "40 calls"
_OPEN_ENDED = word_set(
    "receive receives accept accepts stock stocks carry carries sell sells feature features recognise recognises "
    "recognize "
    "recognizes understand understands"
)
_NO_PLURALS = word_set("as is plus unless whereas watts volts hertz amps")
_INCLUDING = word_set("include includes including comprise comprises")
_BESIDES = re.compile(
    r",? (?:in (?:places|parts|spots)|here and there|among(?:st)? (?:others|other things)|etc\b"
    r"|for (?:example|instance))"
)
_AMONG = re.compile(r", (?:among(?:st)? (?:others|other things)|for (?:example|instance)|e\.g\.),? ")
# What is on offer has several forms; how many is another matter
_OFFERING = word_set("come comes carry carries stock stocks sell sells offer offers order orders")
_FORMS = word_set(
    "sizes colours colors flavours flavors shades styles versions languages models formats lengths widths editions"
)
_CHOOSING = word_set("pay choose pick order select buy book rent")  # "You can pay in 3 instalments"
# "The hotel has a room for 90 euros", and another one; but one garden
_HAS_A = re.compile(r" (?:has|have) an? (?:(?!that|which)[a-z-]+ ){0,2}?(?P<what>[a-z-]+) (?:with|for|at)\Z")
_ONLY_ONE = word_set(
    "battery screen display tank engine motor boiler garden yard lift elevator budget limit cap quota pool capacity "
    "kitchen "
    "roof tower hull memory disk drive buffer cache queue cpu processor camera warranty guarantee contract term "
    "deposit "
    "fund membership staff workforce board council population catalogue hall stage stadium auditorium "
    "alarm alert threshold ceiling floor minimum maximum"
)
_FETCHING = word_set(
    "loads load reads read fetches fetch imports import embeds embed includes include pulls pull downloads"
)
_READING = word_set("reads parses understands")
_AS_ONE = frozenset(("a", "an", "with"))  # no other first word behind "is" makes its value one of several
_ENVIRONMENTS = word_set("staging production prod dev development test testing qa preview demo sandbox")
_SENDING = word_set("sends send posts post writes write emails email mails mail submits submit pushes push")
_GOODS = word_set(
    "beans coffee bread flour milk meat fish vegetables fruit eggs wine beer flowers wood honey cheese tea herbs fuel "
    "steel"
)
_COINS = word_set("coins coin notes bills banknotes cards tokens")
_PROGRAMMES = word_set("podcast show programme broadcast webinar")
_NAME_SERVER = re.compile(r"(?:dns|ns)-?\d")
_CHECKS = word_set("ci tests test suite builds build pipeline")
_SYSTEMS = ("ubuntu", "windows", "macos", "debian", "fedora", "alpine", "python", "node", "java")
_RUNNING = word_set("run runs build builds pass passes execute executes tested built")
_INSTALLING = word_set("installer installers setup wizard uninstaller program malware virus")
_OF_A_CLASS = word_set(
    "language languages database framework tool library engine system format protocol provider dialect store broker "
    "platform"
)
_ADDED = word_set("sugar honey lemon cinnamon sweetener cardamom ginger mint ice syrup")
_PLACING_TO = word_set("from on via through by with")
_MODALS = word_set("can may could might")
_FINDING = word_set("reached contacted called found phoned emailed seen rung accessed configured changed set adjusted")
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
    front, rest = core[:start], core[end:]
    if (rest and _BESIDES.match(rest) is not None) or ("," in front and _AMONG.search(front) is not None):
        return True
    words = front.lower().split()
    if words and _is_one_of(front.rstrip(), words, core[start:end], rest):
        return _SOLE.isdisjoint(core.lower().split())
    while words and words[-1] in _ARTICLES:
        words.pop()
    return len(words) > 2 and _is_shared(words, core, start, end) and _SOLE.isdisjoint(core.lower().split())


def _is_shared(words: list[str], core: str, start: int, end: int) -> bool:
    """Whether an act, by its verb and preposition at the end of the words before a value, leaves room for others."""
    *subject, done, preposition = words
    permitted = subject[-1] == "be" and preposition in _PLACING_TO and not core[start : start + 1].isdigit()
    if permitted and done not in _FINDING and not _MODALS.isdisjoint(subject[-3:-1]):
        return True  # "may be collected on Friday", "can also be ordered from Rye"
    if preposition in _BE and not _ADMITTED.isdisjoint(words[:-2]) and done in _OF_MANY:
        return True  # "The supported browser is Firefox"
    if preposition == "of" and done in _SEATS:
        return subject[-1] == "the"  # on the board of Audi, and of Bosch
    if done in _SHARED.get(preposition, ()):
        definite = "for" in subject or (preposition == "of" and subject[0] in ("our", "my"))  # "lunch for the office"
        # "The yoga class is taught by Marisol"; who teaches "the class" may be one of two
        taught = done == "taught" and preposition == "by" and subject[0] in ("the", "our", "my") and len(subject) > 3
        definite = definite or (taught and "are" not in subject and not _CLASSES.isdisjoint(subject))
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


def _is_one_of(front: str, words: list[str], written: str, rest: str) -> bool:
    """Whether a verb, an indefinite article or the form of a value show it to be one of several."""
    last, said = words[-1], written.lower().split()
    if last in ("is", "are") and said[0] not in _AS_ONE and _READING.isdisjoint(words[-2:]):
        return False
    near = [w.strip(",.") for w in rest.split(None, 3)[:3]] if rest else []
    following = near[0] if near else ""
    if last in _INCLUDING:
        return following != "of" and not _is_counted(said, near)
    if last in ("a", "an") or said[0] in ("a", "an"):
        if said[-1] in _OF_A_CLASS:  # "a JVM language" is whichever
            return True
        last = words[-2] if len(words) > 2 and last in ("a", "an") else last
    if last in _OPEN_ENDED:
        return not _is_counted(said, near)
    if said[0] == "with" and said[-1] in _ADDED and said[1] not in NUMBER_WORDS:
        return "take" in words or "takes" in words or "drink" in words
    if last in ("in", "size") and not _OFFERING.isdisjoint(words):
        return _FORMS.isdisjoint((*said, following))
    if not _CHOOSING.isdisjoint(words) and words[1:2] in (["can"], ["may"]):
        return last in ("in", "by", "with", "via", "at", "for")
    if last in ("with", "for", "at") and (had := _HAS_A.search(front)) is not None:
        return had["what"] not in _ONLY_ONE
    if last == "by":
        return _NAME_SERVER.match(said[0]) is not None or ("hosted" in words and not _PROGRAMMES.isdisjoint(words))
    if last == "from":
        return (
            words[-2] in ("range", "ranges") or _acts_on_one(words, _FETCHING) or (words[0] != "i" and _gets_its(words))
        )
    if last == "on":
        return said[0].startswith(_SYSTEMS) and words[-2] in _RUNNING and not _CHECKS.isdisjoint(words)
    if last == "to" and (_acts_on_one(words, _SENDING) or (words[-2] == "deployed" and said[0] in _ENVIRONMENTS)):
        return True
    if last in ("take", "takes") and not _COINS.isdisjoint((*said, *near)):
        return True
    if words[-2:-1] and words[-2] in _READING and said[0][0].isdigit() and last not in PREPOSITIONS:
        return True  # "reads YAML 1.1"
    return words[-2:] == ["writes", "to"] and len(words) < 5 and not _INSTALLING.isdisjoint(words)


def _is_counted(said: list[str], near: list[str]) -> bool:
    """Whether a value is so many of something, or so much per something."""
    return any((w.endswith("s") and w.isalpha() and w not in _NO_PLURALS) or w == "per" for w in (*said[1:], *near))


def _acts_on_one(words: list[str], verbs: frozenset[str]) -> bool:
    return any(a in verbs and b in ("a", "an") for a, b in pairwise(words))


def _gets_its(words: list[str]) -> bool:
    owned = any(a in ("gets", "buys", "orders", "sources") and b in ("its", "their") for a, b in pairwise(words))
    return owned and not _GOODS.isdisjoint(words)
