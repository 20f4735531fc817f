"""What a sentence states that puts its value first or last, read as the plain sentence: "the panel listens on 8080".

The value is put where the clause lacks it (see `gaps`), and the plain sentence is judged by the ordinary readers. The
noun in "the port the panel listens on" must go without saying in the fact that they read: "the team that I work in" is
not where I work, and has a key of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memstrata_integrations.extraction.claims import Claim, is_loose
from memstrata_integrations.extraction.sentences.as_its import AS_ITS, roles_of
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.gaps import DETERMINERS, Gap, Word, does, gaps_of, words_at
from memstrata_integrations.extraction.sentences.inversions import GATE, Inversion, inversions_of
from memstrata_integrations.extraction.sentences.inverted_parts import contact_of, doer_turned, kept_in
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.units import MONTHS
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import singular, word_set

__all__ = ["inverted_claims"]

_Pieces = tuple[str | tuple[int, ...], ...]
_Read = Callable[[Core], list[Claim]]
_LONGEST = 200
_THUS = "is done thus"
_UNSAID = PREPOSITIONS | DETERMINERS | word_set("port version release status level host code number")
_LOWERED = re.compile(r"(?:The|An?|My|Our|His|Her|Its|Their|In|On|At|Under|Behind|After|Every|From|By|With)(?= )")
_RAISED = re.compile(r"(?:the|an?|my|our|his|her|its|their|all|every|each|we|you|they|he|she|it)(?= |\Z)")
_OWNERS = {"i": "My", "we": "Our", "they": "Their", "you": "Your"}
# Who has or uses a thing of a kind: it is the thing's own
_HAVING = word_set("have use employ carry serve")
_KINDS_OF = {
    "drive": word_set("car van truck motorbike"),
    "play": word_set("instrument"),
    "follow": word_set("diet schedule routine curriculum convention"),
    "run": word_set("database framework runtime engine os"),
}
_MINE = frozenset(("go to", "see", "attend", "bank with", "shop at", "train at", "work with"))
_NO_BELONGINGS = word_set("thing way time place person people one movie film book reason day man woman team company")
_OF_PEOPLE = word_set("person man woman guy")
_ANY = word_set("thing one")
_PLACES = word_set("place spot location")
_PLACING = word_set("in on at under behind inside after before every from until during for")
_TIMES = word_set("day date time hour moment month year")
_TOOLS = word_set("tool program software utility")
# Nouns that say no more than what kind of value, slot or relation it is that a plain sentence has
_KINDS: dict[str, frozenset[str]] = {}
for _nouns, _kinds in {
    "day": "weekday day date",
    "date": "day date",
    "time hour moment": "time hour",
    "year": "year",
    "month": "month",
    "city town village": "city place",
    "file": "file path",
    "path": "path directory file address",
    "folder directory": "directory path address",
    "port": "port",
    "version release": "version",
    "language": "written",  # "is written in"
    "channel": "channel sink",
    "address": "address email host",
    "url": "url address",
    "host": "host",
    "company firm organisation organization employer": "organisation",
    "amount sum price": "money",
    "duration period": "duration months",
    "length": "length",
    "weight": "mass",
    "percentage": "percent",
    "temperature": "temperature degree",
    "speed": "speed",
    "size": "size",
}.items():
    _KINDS |= dict.fromkeys(_nouns.split(), word_set(_kinds))
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_WHEN = {"time": " at ", "hour": " at ", "weekday": " on ", "day": " on ", "date": " on "}
_WHEN |= {"month": " in ", "year": " in "}
_BY_ITSELF = word_set("last take run go")  # "lasts 5 minutes", but "is kept for 5 minutes"
_MARKS = word_set("threshold level point mark limit")  # "the threshold at which"
_LIVING = word_set("live lives living headquartered based meet meets boards board")  # in one place, of one kind
_MOVING = word_set("go goes come comes lead leads sent routed posted delivered forwarded shipped uploaded taken")


def inverted_claims(core: Core, read: _Read) -> list[Claim]:
    """Return what a sentence states that puts its value first or last.

    Args:
        core: The sentence.
        read: Reads a plain sentence; the places of its claims are those of the text.
    """
    text = core.text
    if len(text) > _LONGEST:
        return []
    hidden = masked(text)
    loose: list[Claim] = []
    thus: list[Claim] = []
    if not AS_ITS.isdisjoint(words_of(hidden)):
        for pieces in roles_of(text, hidden):
            if (claims := read(put(core, pieces))) and not is_loose(claims[0]):
                return claims
    if GATE.isdisjoint(words_of(hidden)):
        return []
    for found in inversions_of(text, hidden):
        for pieces, said in _plain(text, hidden, found):
            claims = read(put(core, pieces))
            if not claims or not _of_value(core, found, claims) or not _without_saying(text, found, claims[0], said):
                continue
            if is_loose(claims[0]):
                loose = loose or claims
            elif found.link and claims[0].relation.name == _THUS:
                thus = thus or claims  # "is served at" is known, where "is served in" is one way among others
            else:
                return claims
    return thus or loose


def _of_value(core: Core, found: Inversion, claims: list[Claim]) -> bool:
    """Whether what was read has the value for its object, and says all else that stands there."""
    span = core.span(*found.value)
    if span is None:
        return False
    noun = core.text[slice(*found.noun)]
    for claim in claims:
        if claim.beside or claim.start < 0:
            continue
        if claim.start < span[0] or span[1] < claim.end:
            return False
        first, last = claim.start - span[0], claim.end - span[0]
        value = core.text[slice(*found.value)]
        said = _bare_words(f"{claim.subject} {noun}") | _UNSAID
        if not _bare_words(f"{value[:first]} {value[last:]}") <= said:
            return False  # "Ann says 8080 is the port the panel listens on"
    return True


def _bare_words(text: str) -> set[str]:
    """Return the words of a text in one form: small, in the singular, without what is around them."""
    words = (w.strip("`'\"’,.()").lower().removesuffix("'s").removesuffix("’s") for w in text.split())
    return {singular(part) for word in words for part in (word, *word.split("-")) if part}


def _without_saying(text: str, found: Inversion, claim: Claim, said: bool) -> bool:
    """Whether the noun of an inversion is in the key, or says no more than what the value is."""
    start, end = found.noun
    if said or start == end:
        return True
    *others, head = [w.lower().strip("`") for w in text[start:end].split()]
    value = text[slice(*found.value)]
    known = _bare_words(f"{claim.subject} {value}")
    if any(singular(w) not in known for w in others):
        return False
    if head in _ANY or singular(head) in known or head in claim.relation.nouns:
        return True
    if head in _MARKS and found.link == "at":
        return True
    if head in _OF_PEOPLE:
        return value[:1].isupper() or value.startswith(("the ", "my ", "our "))
    if head in _PLACES:
        return True
    if head in _TOOLS:
        return " " not in value
    kind = f"{canonical_value(value)[1]} {claim.expected or ''} {claim.relation.slot}"
    return not _KINDS.get(head, frozenset()).isdisjoint((*re.split(r"\W+", kind), *known))


def _plain(text: str, hidden: str, found: Inversion) -> Iterator[tuple[_Pieces, bool]]:
    """Yield plain sentences, and whether the noun is in each of them."""
    words = words_at(hidden, *found.clause)
    front: _Pieces = ((0, found.front),) if found.front else ()
    if front and text[found.front - 2] != ",":
        front = ((0, found.front - 1), ", ")
    value = _value(text, found, bool(front))
    if does(words):
        first = text[slice(*found.value)]
        if first.islower() and first.isalpha():
            return  # "make is what builds the site", and Hugo does, too
        if not found.link:
            yield (*front, *value, " ", found.clause), False
            for pieces in doer_turned(text, found.value, words):
                yield (*front, *pieces), False
        return
    for pieces in (*contact_of(text, found.value, words), *kept_in(text, hidden, found.value, found.clause)):
        yield (*front, *pieces), False
    if not found.link and words[-1].text not in PREPOSITIONS:
        head = text[slice(*found.noun)].rpartition(" ")[2].lower()
        found = found._replace(link="when" if head in _TIMES else "where" if head in _PLACES else "")
    gaps = list(gaps_of(words, bool(found.link) or _is_placing(text, found)))
    for gap in gaps:
        if gap.verb != "run":
            yield from _owned(text, found, gap, front)
        start, end = found.clause
        lead: _Pieces = (*front, (start, gap.place)) if front else _raised(text, start, gap.place)
        if not front and gap.verb == "cost" and not gap.at_end:
            whole = text[gap.place + 1].upper(), (gap.place + 2, end), ", ", *_small(text, start, gap.place)
            yield (*whole, " ", *_value(text, found, True)), False
        for before, behind in _links(text, found, gap, words):
            tail: _Pieces = ((gap.place, end),) if gap.place < end else ()
            yield (*lead, before, *_value(text, found, True), behind, *tail), False
            if _is_label(text, found):
                yield (*lead, before, found.noun, " ", found.value, behind, *tail), True
    for gap in gaps:
        if gap.verb == "run":
            yield from _owned(text, found, gap, front)
    if gaps and found.noun[0] < found.noun[1] and found.first:
        said: _Pieces = (*front, "the " if front else "The ", (found.noun[0], found.clause[1]))
        yield (*said, " is ", *_value(text, found, True)), True


def _is_label(text: str, found: Inversion) -> bool:
    """Whether a noun may stand before the value: "port 8080", "host b14"."""
    noun, value = text[slice(*found.noun)], text[slice(*found.value)]
    return bool(noun) and " " not in f"{noun}{value}" and any(map(str.isdigit, value))


def _is_placing(text: str, found: Inversion) -> bool:
    """Whether a value says where or when by itself: "It's on Monday that they empty the bin"."""
    return text[slice(*found.value)].partition(" ")[0].lower() in _PLACING


def _links(text: str, found: Inversion, gap: Gap, words: list[Word]) -> Iterator[tuple[str, str]]:
    """Yield what stands before a value and behind it in the plain sentence."""
    value = text[slice(*found.value)]
    first = value.partition(" ")[0].lower()
    kind = canonical_value(value)[1].partition(":")[0]
    link = found.link
    if link == "" or first in PREPOSITIONS or first in ("every", "after"):
        yield " ", ""
    elif link == "where":
        by_kind = {"path": ("in", "at"), "number": ("on", "at"), "url": ("at",), "host": ("at", "on")}
        plain = kind not in by_kind and not any(c.isdigit() or c in "./" for c in value)
        if plain and _LIVING.isdisjoint(w.text for w in words):
            return  # "Hull is where I work": in Hull, at Acme
        goes = ("to",) if not _MOVING.isdisjoint(w.text for w in words) else ()
        for preposition in (*goes, *by_kind.get(kind, ("in", "at", "on"))):
            yield f" {preposition} ", ""
    elif link == "when":
        if first in MONTHS or _YEAR.match(value):
            yield " in ", ""
        elif kind in _WHEN:
            yield _WHEN[kind], ""
    elif link == "how long":
        yield " " if gap.verb in _BY_ITSELF else " for ", ""
    elif link == "how many times":
        yield " ", " times"
    elif link.startswith("how many "):
        if " " not in value:
            yield " ", link.removeprefix("how many")
    elif link in ("how much", "how often"):
        yield " ", ""
    else:
        yield f" {link} ", ""


def _owned(text: str, found: Inversion, gap: Gap, front: _Pieces) -> Iterator[tuple[_Pieces, bool]]:
    """Yield "The cache of the service is Redis" for "Redis is the cache the service uses"."""
    noun: _Pieces = (found.noun,)
    words = text[slice(*found.noun)].split()
    if found.link.startswith("how many ") and gap.verb == "have":
        noun, words = (f"number of {found.link.removeprefix('how many ')}",), ["number"]
    elif found.link or not words:
        return
    done = text[gap.subject : gap.place].split()
    if text[slice(*found.clause)].partition(" ")[0].lower() in ("i", "we") and " ".join(done) in _MINE:
        if words[-1].lower() not in _NO_BELONGINGS:
            yield _as_own(text, found, gap, front, noun), True
        return
    if done[1:] not in ([], ["on"]) or (done[1:] and gap.verb != "run"):
        return  # "is used for", "uses on"
    if gap.verb == "have" and text[slice(*found.clause)].partition(" ")[0] == "I":
        return  # the car I have, and the one I drive
    if not (gap.verb in _HAVING or words[-1] in _KINDS_OF.get(gap.verb, ())):
        return
    if words[-1].lower() in text[slice(*found.value)].lower().split():
        return  # "Python 3.12 is the Python the app uses"
    yield _as_own(text, found, gap, front, noun), True


def _as_own(text: str, found: Inversion, gap: Gap, front: _Pieces, noun: _Pieces) -> _Pieces:
    """Put "the theme the wiki uses is dark" as "the theme of the wiki is dark", "the doctor I see" as "my doctor"."""
    start, end = found.clause
    tail: _Pieces = ((gap.place, end),) if gap.place < end else ()
    owner = text[start : gap.subject].lower()
    said = (*tail, " is ", *_value(text, found, True))
    if owner in _OWNERS:
        mine = _OWNERS[owner]
        return (*front, mine.lower() if front else mine, " ", *noun, *said)
    return (*front, "the " if front else "The ", *noun, " of ", *_small(text, start, gap.subject), *said)


def _value(text: str, found: Inversion, inside: bool) -> _Pieces:
    """Return a value as it stands inside of a sentence, or opens one."""
    start, end = found.value
    if inside:
        return _small(text, start, end)
    return _raised(text, start, end)


def _small(text: str, start: int, end: int) -> _Pieces:
    return ((start, end, 1),) if _LOWERED.match(text, start, end) else ((start, end),)


def _raised(text: str, start: int, end: int) -> _Pieces:
    """Return a piece as a sentence opens: with a capital where an article or an owner stands there."""
    if _RAISED.match(text, start, end):
        return text[start].upper(), (start + 1, end)
    return ((start, end),)
