"""What a statement attaches to a subject belongs to the key, whether a model repeats it or not.

A model that reads "The timeout for reads in staging is 30" and calls the subject "timeout" would make
one key of two facts. Here the words that stand beside the subject are put back. In doubt a word is
added: a key too fine misses a supersession, a key too coarse hides a true fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memstrata_integrations.canonical import content_words, is_identifier
from memstrata_integrations.extraction.occasions import occasions
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    EMBEDDING,
    FINITE_VERBS,
    PREPOSITIONS,
    SUBJECT_STOPPERS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.trimming import changes
from memstrata_integrations.extraction.tokens import PARTICLES, TRIM, Token, is_agent, is_particle, is_verb, tokens_of
from memstrata_integrations.extraction.tokens import before as before_value
from memstrata_integrations.relations import ADVERBS, BUILT_IN
from memstrata_integrations.words import word_set

__all__ = ["completed", "slotted"]

_ARTICLES = word_set("the a an")
_OF_AUTHOR = word_set("my our")
_POINTING = word_set("his her its their your this that these those such")
_ENVIRONMENTS = word_set(
    "staging production prod dev development test testing qa canary preview sandbox local locally uat demo beta alpha "
    "primary secondary replica standby backup internal external public private remote mobile desktop weekdays weekends"
)
_RELATIVES = word_set("that which who whom whose where used named called")
_ATTACHING = (PREPOSITIONS | _RELATIVES | word_set("to after before without than")) - word_set("as")
_VERBS = word_set(
    "settled agreed decided chose picked went came stands sits lies stays remains holds counts waits listens runs "
    "lives works pays costs raised lowered increased reduced decreased bumped upgraded downgraded moved switched "
    "changed updated renamed replaced migrated set configured uses use using keep kept rose fell climbed dropped cut "
    "doubled halved extended shortened takes took gets got has have had is are am be been being"
)
_PARTICIPLES = word_set("set kept built held led run")
_GONE = word_set("gone risen fallen grown shrunk")
_KNOWN_VERBS = frozenset(form.split()[0] for form in BUILT_IN.verbs)
_FLUFF = word_set(
    "thanks yes well ok okay btw fyi please good great sadly luckily happily finally folks everybody everyone people "
    "team update news reminder hi hello hey since as by over within"
)
_STOPS = _ARTICLES | _VERBS | CONJUNCTIONS | FINITE_VERBS | DEICTIC | SUBJECT_STOPPERS | ADVERBS
_NOT_NAMES = word_set("i we") | _STOPS | PREPOSITIONS | EMBEDDING | UNASSERTED | _FLUFF | _OF_AUTHOR
_FROM_OLD = re.compile(r"\bfrom\s+(?P<old>(?:[^\s,;]+\s+){1,4})to\s+[\"'`]?\Z", re.IGNORECASE)
_UP_FROM = re.compile(r"[\"'`]?,?\s*\(?(?:up|down|raised|lowered|changed)\s+from\s+(?P<old>[^,;()]+)", re.IGNORECASE)
_COUNTED = word_set("for of per with in on version release phase line level v no number")
_LINKED = re.compile(r"\b(?:is|are|as)\s+(?:now\s+)?(?:(?:the|our|my|a|an)\s+)?[\"'`]?\Z", re.IGNORECASE)
_MOST_WORDS = 8  # of one attached phrase


def completed(
    sentence: str,
    place: tuple[int, int],
    subject: str,
    above: frozenset[str],
    relation: str,
    others: Sequence[tuple[int, int]] = (),
    taken: frozenset[str] = frozenset(),
    named_by: Sequence[str] = (),
) -> str | None:
    """Return a subject with everything that the sentence attaches to it.

    Args:
        sentence: The statement.
        place: Where the object stands in it.
        subject: The subject as a model words it, all of its content words in the sentence.
        above: Content words of the headings, which the key gets anyhow.
        relation: The relation as the model words it.
        others: Where the objects of other triples stand.
        taken: Content words of the subjects of other triples.
        named_by: What the relation calls its value, as "listens on" calls it a port.

    Returns:
        The subject, in the sentence's own words where it stands there in one piece; `None` if it
        points to something outside the sentence ("his", "this").

    Example:
        >>> completed("The read timeout for uploads in staging is 30", (43, 45), "timeout", frozenset(), "is")
        'read timeout for uploads in staging'
    """
    tokens = tokens_of(sentence, [place, *others], occasions(sentence, place))
    own = content_words(subject)
    covered = own | above | content_words(relation)
    exempt = _replaced(sentence, place)
    covered |= _naming(tokens, place, named_by)
    window = _window(tokens, own, place)
    if window is not None:
        subject = sentence[tokens[window[0]].start : tokens[window[1]].end].strip(TRIM.replace("`", "") + " ")
    added: set[str] = set()
    if window is not None and (number := _number_after(tokens, window[1], place)):
        subject = f"{subject} {number.bare}"
        added |= number.words
    for n, token in enumerate(tokens):
        if not token.words & own or token.words & taken - own:
            continue
        left = _left(tokens, n, covered | added, place)
        if left is None:
            return None
        if left:
            words = " ".join(t.bare for t in left)
            inside = window is not None and window[0] == n
            subject = f"{words} {subject}" if inside else f"{subject} of {words}"
            added |= frozenset(w for t in left for w in t.words)
    if window is not None:
        right = _right(tokens, window[1], covered | added, place)
        if right and not subject.endswith(right[-1].bare):
            subject = " ".join([subject, *(t.bare for t in right)])
            added |= frozenset(w for t in right for w in t.words)
    if all(w in _PARTICIPLES or w.endswith("ed") for w in own) and not added:
        return None  # a verb
    ends = [n for n, t in enumerate(tokens) if t.words & (own | added)]
    ends += [n for n, t in enumerate(tokens) if changes([t.bare.lower()]) or t.bare.lower() in PARTICLES]
    ends += [n for n, t in enumerate(tokens) if t.start >= place[1]][:1] and [before_value(tokens, place)]
    if tokens and tokens[0].bare.lower() in PREPOSITIONS:
        ends.append(-1)
    attached: list[tuple[str, frozenset[str]]] = []
    for n in ends:
        attached += _phrases(tokens, n, place, exempt)
    for phrase, said in attached:
        if not said <= covered | added | taken:
            subject = f"{subject} {phrase}"
            added |= said
    for n, token in enumerate(tokens):
        if token.words <= covered | added | taken or any(a <= token.start < b for a, b in exempt):
            continue
        if _is_specific(token, n):
            if _is_value(sentence, token, tokens[n - 1] if n else None, place):
                return None
            subject = f"{subject} in {token.bare}"
            added |= token.words
    return subject


def slotted(sentence: str, place: tuple[int, int], subject: str, *, named: bool) -> bool:
    """Whether a value stands where a sentence has the value of a subject, and the subject is none itself.

    In "The Vienna office opens at 8:30" Vienna is the value of nothing, and "8:30" no subject.

    Args:
        sentence: The statement.
        place: Where the value stands in it.
        subject: The subject as a model words it.
        named: Whether the relation gives the subject its name, as "the module `auth`" does.
    """
    own = content_words(subject)
    tokens = tokens_of(sentence, [place])
    typed = find_typed(sentence, place[0], len(sentence))
    measured = typed is not None and typed[3] in ("number", "date", "boolean")
    mine = [n for n, t in enumerate(tokens) if t.words & own]
    for n in mine:
        bare = tokens[n].bare
        if not any(c.isdigit() for c in bare) or is_identifier(bare.strip("0123456789:%.,")):
            continue
        if bare[0].isalpha() and not {"-", "_"}.isdisjoint(bare):
            continue  # "replica-2" is a name, "8:30" is none
        before = tokens[n - 1] if n else None
        numbering = before is not None and not before.closes and before.words <= own
        numbering = numbering and before is not None and before.bare.lower() not in _KNOWN_VERBS
        if n and not numbering and tokens[n - 1].bare.lower() not in _COUNTED:
            return False
    if measured or named or not mine:
        return True
    first = next((t for t in tokens if t.start >= place[1]), None)
    last = tokens[before_value(tokens, place)] if tokens[0].start < place[0] else None
    if last is not None and last.words & own and not last.closes and sentence[last.end : place[0]].strip() in ("", "`"):
        return False  # "the table `users` is partitioned"
    if first is not None and first.words & own and not sentence[place[1] : first.start].strip("`\"' "):
        return False  # "the `users` table is partitioned"
    if any(tokens[n].start < place[0] for n in mine):
        return True
    return _LINKED.search(sentence[place[1] : tokens[mine[0]].start]) is not None


def _naming(tokens: Sequence[Token], place: tuple[int, int], names: Sequence[str]) -> frozenset[str]:
    """Return the word right before a value that the relation says as well: "through port 9090" is "listens on"."""
    n = before_value(tokens, place)
    if n < 0 or tokens[n].closes or tokens[n].bare.lower() not in names:
        return frozenset()
    alone = n > 0 and tokens[n - 1].bare.lower() in (*_ATTACHING, *_ARTICLES)
    return tokens[n].words if alone else frozenset()


def _window(tokens: Sequence[Token], own: frozenset[str], place: tuple[int, int]) -> tuple[int, int] | None:
    """Find the one piece of the sentence that is the subject: its words, articles and prepositions, nothing else."""
    for first, opening in enumerate(tokens):
        if not opening.words & own:
            continue
        seen: frozenset[str] = frozenset()
        for last in range(first, min(len(tokens), first + 24)):
            token = tokens[last]
            if opening.start < place[0] <= token.start:
                break
            lower = token.bare.lower()
            if token.words and not token.words <= own and lower not in PREPOSITIONS:
                break
            if not token.words and lower not in _ATTACHING and lower not in _ARTICLES:
                break
            seen |= token.words & own
            if seen == own:
                return first, last
            if token.closes:
                break
    return None


def _number_after(tokens: Sequence[Token], n: int, place: tuple[int, int]) -> Token | None:
    """Return what numbers the last word of the subject: "Shelf 3", "server A"."""
    if n + 1 == len(tokens) or tokens[n].closes or tokens[n].start < place[0] <= tokens[n + 1].start:
        return None
    bare = tokens[n + 1].bare
    return tokens[n + 1] if bare.isdigit() or (len(bare) == 1 and bare.isupper() and bare != "I") else None


def _left(tokens: Sequence[Token], n: int, covered: frozenset[str], place: tuple[int, int]) -> list[Token] | None:
    """Return what stands right before a word of the subject and says which one; `None` if that points elsewhere."""
    found: list[Token] = []
    while n > 0:
        governor = _governor(tokens, n, covered, place)
        if governor is not None:
            found, n = [*tokens[governor:n], *found], governor
            continue
        token, following = tokens[n - 1], tokens[n]
        lower = token.bare.lower().removesuffix("'s").removesuffix("’s")
        if token.closes or following.opens or token.start < place[0] <= following.start:
            break
        if lower in _POINTING:
            return None
        if lower in _OF_AUTHOR and not token.words <= covered:
            found.insert(0, token)
            break
        which = lower.endswith("ed") and n > 1 and tokens[n - 2].bare.lower() in (*_ARTICLES, *_OF_AUTHOR)
        if token.words <= covered or (not which and (lower in _STOPS or lower in PREPOSITIONS or lower.endswith("ly"))):
            break
        if lower in UNASSERTED or lower in _FLUFF or is_verb(tokens, n - 1):
            break
        if lower[:1].isdigit() and not found:
            return None  # "5 nodes" is a value
        found.insert(0, token)
        n -= 1
    return found


def _governor(tokens: Sequence[Token], n: int, covered: frozenset[str], place: tuple[int, int]) -> int | None:
    """Return the noun that a word is only the complement of, as "date" is of "course" in "the date of the course"."""
    at = n - 1
    while at > 0 and tokens[at].bare.lower() in _ARTICLES:
        at -= 1
    if at > 0 and tokens[at].bare.lower().endswith("ing") and not tokens[at].words <= covered:
        at -= 1  # "the endpoint for creating a project"
    if at <= 0 or tokens[at].bare.lower() not in PREPOSITIONS or tokens[at].opens:
        return None
    noun = tokens[at - 1]
    lower = noun.bare.lower()
    if noun.closes or noun.words <= covered or lower in _NOT_NAMES or lower.endswith(("ly", "ed")):
        return None
    if noun.start < place[0] <= tokens[n].start:
        return None
    return at - 1


def _right(tokens: Sequence[Token], n: int, covered: frozenset[str], place: tuple[int, int]) -> list[Token]:
    """Return what stands right after the last word of the subject and is no verb: "limit" after "rate"."""
    found: list[Token] = []
    while n + 1 < len(tokens):
        token, following = tokens[n], tokens[n + 1]
        lower = following.bare.lower()
        if token.closes or following.opens or token.start < place[0] <= following.start:
            break
        if lower in _NOT_NAMES or lower in _KNOWN_VERBS or lower.endswith(("ly", "ed")) or following.words <= covered:
            break
        if lower in _GONE or is_particle(tokens, n + 1, place):
            break
        found.append(following)
        n += 1
    return found


def _is_value(sentence: str, token: Token, before: Token | None, place: tuple[int, int]) -> bool:
    """Whether a word that nobody claims is a value itself: then the model may have taken the wrong one for it."""
    typed = find_typed(sentence, token.start, len(sentence))
    counted = sentence[typed[0] : typed[1]].split() if typed is not None else []
    alone = len(counted) == 1 or (len(counted) == 2 and counted[1] in FINITE_VERBS)  # "shelf 4 has"
    if alone and counted[0] == token.bare and token.bare.isdigit() and before is not None:
        # "Shelf 4" numbers the shelf
        return before.closes or before.bare.lower() in (*_STOPS, *_ATTACHING, *_KNOWN_VERBS)
    if token.bare.isdigit() or (typed is not None and typed[3] in ("number", "date")):
        return True
    if token.start < place[1]:
        return False
    return before is None or before.start < place[0] or before.bare.lower() not in (*_ATTACHING, *_ARTICLES)


def _phrases(
    tokens: Sequence[Token], n: int, place: tuple[int, int], exempt: Sequence[tuple[int, int]]
) -> list[tuple[str, frozenset[str]]]:
    """Return the phrases that follow a word directly, each with its content words."""
    found: list[tuple[str, frozenset[str]]] = []
    if n >= 0 and tokens[n].closes and tokens[n].end <= place[0]:
        return found
    at = n + 1
    while at < len(tokens):
        opening = tokens[at]
        lower = opening.bare.lower()
        done = lower.endswith("ed") and at + 1 < len(tokens) and tokens[at + 1].bare.lower() in PREPOSITIONS
        if (lower not in _ATTACHING and not done) or any(a <= opening.start < b for a, b in exempt):
            break
        if at > n + 1 and tokens[at - 1].closes:
            break
        phrase, words = [opening.bare], opening.words if done or lower in _RELATIVES else frozenset[str]()
        at += 1
        while at < len(tokens) and len(phrase) <= _MOST_WORDS:
            token, earlier = tokens[at], tokens[at - 1]
            lower = token.bare.lower()
            if earlier.closes or earlier.start < place[0] <= token.start or lower in _ATTACHING:
                break
            if lower in _ARTICLES and words:
                break  # "in winter the class": the next thing
            if (lower in _STOPS and lower not in _ARTICLES) or is_agent(tokens, at):
                break
            phrase.append(token.bare)
            words |= token.words
            at += 1
        between = [t.bare.lower() for t in tokens[at:] if t.start < place[0]]
        moves = all(w in _ATTACHING or w in PARTICLES for w in between) or (between[0] == "to" and changes([phrase[0]]))
        if done and opening.start < place[0] and moves:
            break  # a verb, and its preposition governs the value: "raised to"
        if (len(phrase) > 1 and words) or done:
            found.append((" ".join(phrase), words))
        else:
            break
    return found


def _replaced(sentence: str, place: tuple[int, int]) -> list[tuple[int, int]]:
    """Return where an earlier value stands: it is no part of the key."""
    found = []
    if old := _FROM_OLD.search(sentence, 0, place[0]):
        found.append((old.start(), place[0]))
    if old := _UP_FROM.match(sentence, place[1]):
        found.append(old.span())
    return found


def _is_specific(token: Token, n: int) -> bool:
    """Whether a word names something by itself: an identifier, a number, a name, an environment."""
    bare = token.bare
    lower = bare.lower().removesuffix("'s").removesuffix("’s")
    if lower in _ENVIRONMENTS:
        return True
    if lower in _NOT_NAMES:
        return False
    if is_identifier(bare) or any(c.isdigit() for c in bare):
        return True
    if not bare[0].isupper() or lower == "i":
        return False
    return bool(n) or not lower.endswith(("ly", "ing", "ed"))
