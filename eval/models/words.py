"""How the offline stand-ins see a text: its statements, their words, and the one place where two of them differ.

Word forms only; nothing here knows what a sentence means, and nothing of it comes from the package's extractor.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from eval.metrics import normal

_TOKEN = re.compile(r"[/@.]?\w+(?:[./:@+\-]+\w+)*/?")
_SETTING = re.compile(r"^[\s\-*]*([\w.\-]+)\s*[:=](?!/)")
_PART = re.compile(r"[^\W_]+")
_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'“`(\[])|\s*\n+\s*")
_NO_BREAK = re.compile(r"\b(?:[A-Z]|Dr|Mr|Mrs|Ms|St|No|vs|e\.g|i\.e|etc|approx)\.$")
_DATE = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}\S*)?"
_DATED = re.compile(
    rf"^\s*(?:[\[(](?:[a-z ]+ )?{_DATE}[^\])]*[\])]\s*[:,]?|{_DATE}\s*[:,|–]|{_DATE}\s+-)\s*", re.IGNORECASE
)
_ENDS = re.compile(
    r"\b(?:no longer|any ?more|any longer|stopped|discontinued|ceased|was (?:removed|dropped|retired)|"
    r"(?:has|have) been (?:removed|dropped|retired|shut down|switched off))\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[`\"“]([^`\"“”]+)[`\"”]")
_STOP_WORDS = frozenset(
    """
    a about after all also an and any are as at be been before but by can could did do does for from given go goes had
    has have he her his how i if in into is it its many me much my no not of on one or our out over per she should so
    some that the their them then there these they this to under up us use uses used was we were what when where which
    who whom whose why will with would you your
    """.split()
)
_NEGATIONS = frozenset(("not", "no", "never", "isnt", "arent", "doesnt", "dont", "didnt", "cannot", "cant", "wont"))
_SHORTEST_STEM = 3
_LONGEST_DIFFERENCE = 6  # words on either side
_LEAST_SHARED = 0.4  # of the longer statement


def statements(text: str) -> list[str]:
    """Return the sentences and lines of a text, without a date in front of it.

    Example:
        >>> statements("[2024-01-01] The port is 7000. Ask Ann.")
        ['The port is 7000.', 'Ask Ann.']
    """
    found: list[str] = []
    for piece in _BREAK.split(_DATED.sub("", text, count=1)):
        if found and _NO_BREAK.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece.strip():
            found.append(piece.strip())
    return found


@lru_cache(maxsize=65_536)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, lower case; identifiers, paths, versions and numbers stay whole.

    Example:
        >>> tokens("`POST /v1/shipments` at Galleon's, pinned to 1.10.13.")
        ('post', '/v1/shipments', 'at', 'galleons', 'pinned', 'to', '1.10.13')
    """
    return tuple(_TOKEN.findall(normal(text)))


@lru_cache(maxsize=65_536)
def content(text: str) -> frozenset[str]:
    """Return the stems of the words that say something; of the name of a setting, its parts as well.

    Example:
        >>> sorted(content("MERLIN_WORKERS=12")), sorted(content("How many workers does Merlin run with?"))
        (['12', 'merlin', 'merlin_workers', 'worker'], ['merlin', 'run', 'worker'])
    """
    named = _SETTING.match(text)
    parts = _PART.findall(named[1].casefold()) if named else []
    return frozenset(_stem(word) for word in (*tokens(text), *parts) if word not in _STOP_WORDS)


def _stem(word: str) -> str:
    if not word.isalpha():
        return word
    if word.endswith("s") and not word.endswith(("ss", "us")):
        word = word[:-3] + "y" if word.endswith("ies") else word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            doubled = word[-1] == word[-2] and word[-1] not in "lsz"
            word = word[:-1] if doubled else word
            break
    return word.removesuffix("e")


def values(text: str) -> frozenset[str]:
    """Return the words that look like values: with a digit or a sign inside, a capital after the first word, or quoted.

    Example:
        >>> sorted(values("The helper is called `retry`, Ann says: with_backoff, 3 times."))
        ['3', 'ann', 'retry', 'with_backoff']
    """
    words = frozenset(tokens(text))
    found = {word for word in words if not word.isalpha()}
    for statement in statements(text):
        for chunk in statement.split()[1:]:
            if chunk.lstrip("([*_").removeprefix("I'")[:1].isupper() and chunk != "I":
                found.update(tokens(chunk))
    for quoted in _QUOTED.findall(text):
        found.update(tokens(quoted))
    return words & found  # a stray quotation mark cuts words that are none


def ends(statement: str) -> bool:
    """Whether a statement says that something stopped being so.

    Example:
        >>> ends("Tarn stopped keeping recordings."), ends("Tarn keeps no recordings.")
        (True, False)
    """
    return _ENDS.search(statement) is not None


def denies(statement: str) -> bool:
    """Whether a statement says that something is not so, or not any more.

    Example:
        >>> denies("The flag isn't on."), denies("The flag is on.")
        (True, False)
    """
    return ends(statement) or not _NEGATIONS.isdisjoint(tokens(statement))


def weights(wanted: Collection[str], among: Sequence[Collection[str]]) -> dict[str, float]:
    """Return how much each wanted word tells: the fewer texts have it, the more (smoothed inverse document frequency).

    Source: K. Spärck Jones, A statistical interpretation of term specificity (1972); smoothed so that no word weighs
    nothing.
    """
    return {w: math.log(1 + (len(among) + 1) / (1 + sum(w in words for words in among))) for w in wanted}


def coverage(weight: Mapping[str, float], words: Collection[str]) -> float:
    """Return which share of the weight the words have, 0 to 1; the same in whatever order they come."""
    whole = math.fsum(weight.values())
    return math.fsum(w for word, w in weight.items() if word in words) / whole if whole else 0.0


def difference(one: str, other: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the words in which two statements differ, if that is one short place in the same words; else `None`.

    What stands between their common start and their common end; a speaker in front is left out of account.

    Example:
        >>> difference("The port of Ash is 7000.", "The port of Ash is 7070.")
        (('7000',), ('7070',))
        >>> difference("The port of Ash is 7000.", "Ash has three doors.") is None
        True
    """
    a, b = (tokens(_without_speaker(statement)) for statement in (one, other))
    if a == b:
        return None
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    own, others = a[start : len(a) - end], b[start : len(b) - end]
    if max(len(own), len(others)) > _LONGEST_DIFFERENCE or start + end < _LEAST_SHARED * max(len(a), len(b)):
        return None
    return own, others


def _without_speaker(statement: str) -> str:
    speaker, colon, said = statement.partition(": ")
    return said if colon and re.fullmatch(r"[\w.@\-]+", speaker) and len(said.split()) > 3 else statement
