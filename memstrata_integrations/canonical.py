"""Canonical subjects and values: what two phrasings of one fact have in common.

A subject becomes a bag of its content words: modifiers in alphabetical order, then the head
noun, which keeps "the owner's project" apart from "the project's owner". Phrases of direction
("from a", "per user", "without b") stay bound to their preposition.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import COMMON_PLURALS, singular, unaccented, word_set

__all__ = ["canonical_subject", "canonical_value", "content_words", "is_identifier"]

_DETERMINERS = word_set("the a an")
# Words that say when or how sure, never what
_DROPPED = word_set("now currently already still just presently officially simply only is are am be been being")
# Prepositions that only attach: "the timeout of the parser" is "the parser timeout"
_LINKS = word_set("of for in on at within inside that which who whose where and named called")
# Prepositions that change what is meant: their phrase stays bound to them
_DIRECTIONS = word_set(
    "from to into onto before after over under above below between than without via by until since against through "
    "as versus per with behind toward towards except across during not no"
)
# Of these a phrase tells in which case something holds, also where nothing else is left of a subject
_SCOPING = word_set("before after over under above below between without until since except during with")
_WITHIN = word_set("in on at within inside")
_RELATIVE = word_set("that which who whom")
_OWNING = frozenset(("of", "'s"))
_PROPER = re.compile(r"[A-Z][a-z]")
_SKIPPED = _DETERMINERS | _DROPPED
_BINDING = _LINKS | _DIRECTIONS
# Class words that add nothing beside the name of the thing: "the timeout parameter", "the variable DEBUG"
_CLASS_WORDS = word_set("value setting parameter option variable constant flag argument var param arg const")
# Class words that never are the head beside an identifier: "the function load_config"
_TYPE_WORDS = _CLASS_WORDS | word_set(
    "function method class module package library command file script constant field attribute property argument flag "
    "table column topic queue bucket endpoint route job"
)
_SYNONYMS = {
    "maximum": "max",
    "maximal": "max",
    "minimum": "min",
    "minimal": "min",
    "configuration": "config",
    "database": "db",
    "ram": "memory",
    "mem": "memory",
    "dir": "directory",
    "folder": "directory",
    "repository": "repo",
    "production": "prod",
    "prod": "prod",
    "development": "dev",
    "environment": "env",
    "application": "app",
    "colour": "color",
    "favourite": "favorite",
    "fave": "favorite",
    "fav": "favorite",
    "e-mail": "email",
    "licence": "license",
    "doc": "documentation",
    "docs": "documentation",
    "telephone": "phone",
    "timezone": "time-zone",
    "mine": "i",
    "my": "i",
    "me": "i",
    "our": "we",
    "ours": "we",
    "us": "we",
}
_ABBREVIATED = word_set("ram mem dir")
_OPPOSED = word_set(
    "read write client server source target input output primary secondary local remote inner outer parent child user "
    "admin sender receiver master replica soft hard upper lower front back left right min max daily weekly monthly "
    "connect connection request response upload download send receive public private internal external first second "
    "old new start end up down top bottom head tail guest host buyer seller key value row column producer consumer"
)
# Of these one belongs to another as well as the other way round
_SWAPPING = word_set(
    "client server source target input output parent child user admin sender receiver master replica guest host buyer "
    "seller row column producer consumer request response owner manager assistant neighbor neighbour plumber boss "
    "teacher doctor sister brother mother father wife husband friend landlord tenant coach captain deputy agent "
    "customer supplier vendor partner son daughter uncle aunt cousin scheduler worker cache resolver proxy gateway "
    "queue broker"
)
_SPECIAL = re.compile(r"[_/\\@{}$<>=#*|~^%:+\[\]\d]|\w[.(]\w|[a-z][A-Z]|^[.\-]\w|^\w+\(")
_QUOTED = {"'": "'", '"': '"', "`": "`", "“": "”", "‘": "’"}
_NAMING = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ(`'\"")
_NAMED_ON = re.compile(r"[A-Z]\S* (?:& )?[A-Z]")  # a name of several words at the start
_TRAILING = ",;:.!?"
_DASHES = frozenset("-–—")
_LONGEST_CACHED = 256  # characters of a subject whose words are remembered


def canonical_subject(text: str) -> str:
    """Return the canonical form of a subject with its qualifiers.

    Word order inside a phrase, determiners, plural endings, case, accents and "of" against "'s" make no
    difference; identifiers, paths and versions stay as they are. Two roles keep their order where it is not that of
    the alphabet ("user<admin": the user limit of the admin group). Applied to its own result it changes nothing.

    Args:
        text: A subject as written, without its value.

    Returns:
        Content words joined by single spaces, the head noun last.

    Example:
        >>> canonical_subject("The timeout of the billing service in staging")
        'billing service staging timeout'
        >>> canonical_subject("In staging, the billing service's timeout")
        'billing service staging timeout'
    """
    if not text.isascii():
        text = unaccented(text)
    if len(text) <= 400:
        return _canonical_subject(text)
    return _canonical_subject.__wrapped__(text)


def content_words(text: str) -> frozenset[str]:
    """Return the canonical words of a text, whatever binds them.

    Example:
        >>> sorted(content_words("the distance from Berlin to Rome"))
        ['berlin', 'distance', 'rome']
    """
    words = set()
    for token in text.split():
        word, *_ = _word(token)
        if word and word not in _DETERMINERS and word not in _BINDING:
            words.add(_SYNONYMS.get(word, word))
    return frozenset(words - _DROPPED)


def is_identifier(word: str) -> bool:
    """Whether a word is a technical name rather than a word of the language.

    Example:
        >>> [is_identifier(w) for w in ("MAX_SIZE", "ci.yml", "loadConfig", "timeout", "Alice")]
        [True, True, True, False, False]
    """
    if word.isalpha() and word[1:].islower():  # "timeout", "Alice": the usual case
        return False
    return _SPECIAL.search(word) is not None


@lru_cache(maxsize=8192)
def _canonical_subject(text: str) -> str:
    groups: list[list[str]] = []
    names: set[str] = set()  # words that could change places with one another
    proper: set[str] = set()  # of these, the names of people and places
    links: list[str] = []  # what opened each group: "", a link, a direction, or "'s" for what a possessor owns
    group: list[str] = []
    link = ""
    swapping = 0  # words that one of two roles may have
    words = text.split()
    read = _cached_part if len(text) <= _LONGEST_CACHED else _part
    for n, token in enumerate(words):
        sort, word, possessive, opens, closes, is_name, stands_apart = read(token)
        if sort == _SMALL or not word:
            continue
        if sort == _CAPITAL:
            if n or word != "A":
                group.append(word)
            continue
        if sort == _BINDS:
            if group:
                groups.append(group)
                links.append(link)
                group = []
            elif link == "except" and word in _LINKS:
                continue  # "except for uploads" excepts them
            link = word
            continue
        if token in _DASHES and group and n + 1 < len(words):  # "Harriers - head coach" is whose it is
            groups.append(group)
            links.append("'s")
            group, link = [], ""
            continue
        if is_name and group and group[-1] in _CLASS_WORDS:  # "the environment variable DEBUG" is DEBUG
            group.pop()
            if group and group[-1] in ("env", "feature", "config"):
                group.pop()
        if opens and group:
            groups.append(group)
            links.append(link)
            group, link = [], "("
        group.append(word)
        if stands_apart or (token[0] in _NAMING and (n or _NAMED_ON.match(text))):
            names.add(word)
        if (n or possessive) and _PROPER.match(token):
            proper.add(word)
        if word in _SWAPPING:
            swapping += 1
        if possessive or closes:
            groups.append(group)
            links.append(link)
            # what follows a possessor inherits its place: "of Alice's manager" is no head, "Alice's manager" is
            group, link = [], (link if possessive else "")
            if possessive:
                links[-1] = "'s"
                if link == "of" and len(links) == 2 and not links[0] and groups[0][-1] in names - _OPPOSED:
                    link, links[0] = "", "'s"  # "the Duchy of Elgar's capital"
    if group:
        groups.append(group)
        links.append(link)
    if not groups:
        return " ".join(text.split()).casefold()
    return _join(groups, links, names, proper, swapping > 1)


_Part = tuple[str, str, bool, bool, bool, bool, bool]
_SMALL, _CAPITAL, _BINDS, _CONTENT = "small", "capital", "binds", "content"


def _part(token: str) -> _Part:
    """Return what a token is in a subject: its sort, its word, what `_word` tells of it, whether others bind to it."""
    stripped = token.rstrip(_TRAILING)
    if _is_capital_name(stripped):
        return _CAPITAL, stripped, False, False, False, False, False
    lower = token.lower().rstrip(_TRAILING)
    if lower in _SKIPPED:
        return _SMALL, lower, False, False, False, False, False
    if lower in _BINDING:
        return _BINDS, lower, False, False, False, False, False
    word, possessive, opens, closes, is_name = _word(token)
    word = _SYNONYMS.get(word, word)
    return _CONTENT, word, possessive, opens, closes, is_name, is_name or word in _OPPOSED


_cached_part = lru_cache(maxsize=16384)(_part)


def _is_capital_name(token: str) -> bool:
    """Whether capitals make a name of what would be a small word: "server A", "the US region"."""
    if not token.isupper() or not token.isalpha() or len(token) > 3:
        return False
    if len(token) == 1:
        return token == "A"  # but where it opens a subject
    lower = token.lower()
    return (lower in _SYNONYMS and lower not in _ABBREVIATED) or lower in _BINDING or lower in _SKIPPED


def _join(groups: list[list[str]], links: list[str], names: set[str], proper: set[str], may_swap: bool) -> str:
    """Order the words: modifiers sorted, then the head; bind the phrases that could change places."""
    main = links.index("") if "" in links else next((n for n, link in enumerate(links) if link != "'s"), 0)
    # Class words go first, so that what is left decides the head
    alone = len(groups) == 1
    first = groups[main]
    for n, words in enumerate(groups):
        if words[-1] in _CLASS_WORDS:  # but "with the flag on"
            groups[n] = _without_class_word(words, alone or links[n] in ("with", "without", "for"))
    if not groups[main]:
        order = (*range(main, len(groups)), *range(main))
        main = next((n for n in order if groups[n] and links[n] not in _DIRECTIONS), main)
        if not groups[main]:
            main = next((n for n, words in enumerate(groups) if words), main)
            groups[main] = groups[main] or first  # "the variable of the setting": class words are all there is
    if links[main] in _SCOPING:  # "costs ... before noon": nothing but the phrase is left
        groups[main] = [f"{links[main]}:{'+'.join(sorted(groups[main]))}"]
    head_words = groups[main]
    head = _head(head_words)
    rest = head_words[:-1] if head == head_words[-1] else [*head_words[:-2], head_words[-1]]
    # "the ambassador of Norway in Chile" is not "the ambassador of Chile in Norway"
    sole = {links[n] for n, words in enumerate(groups) if n != main and len(words) == 1 and words[0] in proper}
    apart = not sole.isdisjoint(_WITHIN) and not sole.isdisjoint(_OWNING)
    # "the Docker version in the Python image" is not "the Python version in the Docker image"
    bind = not names.isdisjoint(rest)
    for n, words in enumerate(groups):
        if n == main or not words:
            continue
        if links[n] in _DIRECTIONS:
            rest.append(f"{links[n]}:{'+'.join(sorted(words))}")
        elif links[n] in _RELATIVE and words[0] in proper and words[-1] not in proper:
            rest.extend((f"by:{words[0]}", *words[1:]))  # "the office that Leeds supplies", "... that supplies Leeds"
        elif apart and links[n] in _WITHIN and len(words) == 1 and words[0] in proper:
            rest.append(f"in:{words[0]}")
        elif bind and len(words) > 1 and not names.isdisjoint(words[:-1]):
            rest.append("+".join(sorted(words)))
        else:
            rest.extend(words)
    if may_swap:
        inwards = [n for n in (*range(main), *range(len(groups) - 1, main, -1)) if links[n] not in _DIRECTIONS]
        swapped = [w for n in (*inwards, main) for w in groups[n] if w in _SWAPPING and w != head]
        if len(set(swapped)) > 1 and swapped != sorted(swapped):
            rest.append("<".join(swapped))  # "the user limit of the admin group", "the admin limit of the user group"
    rest.sort()
    rest.append(head)
    return " ".join(rest)


def _without_class_word(words: list[str], alone: bool) -> list[str]:
    """Leave out the class word that words end with."""
    if len(words) == 1:
        return words if alone else []
    kept = words[:-1]
    return kept[:-1] if len(kept) > 1 and kept[-1] == "env" and words[-1] == "variable" else kept


def _head(words: list[str]) -> str:
    # "the function load_config" is "the load_config function"
    if len(words) > 1 and words[-2] in _TYPE_WORDS and words[-1] not in _TYPE_WORDS and is_identifier(words[-1]):
        return words[-2]
    return words[-1]


def _word(token: str) -> tuple[str, bool, bool, bool, bool]:
    """Return a token's canonical word; whether it is a possessor, opens a phrase, closes one, is a name in code."""
    opens = token[0] == "("
    stripped = token.rstrip(_TRAILING)
    closes = stripped != token and token[-1] in ",;"
    if not stripped:
        return "", False, opens, True, False
    if opens and (stripped[-1] == ")" or ")" not in stripped):
        closes = closes or stripped[-1] == ")"
        stripped = stripped[1:].removesuffix(")")
    elif stripped[-1] == ")" and "(" not in stripped:
        stripped = stripped[:-1]
        closes = True
    possessive = False
    if stripped[-2:] in ("'s", "’s"):
        stripped, possessive = stripped[:-2], True
    elif stripped[-2:] in ("s'", "s’") and stripped[0] not in "'’‘":
        stripped, possessive = stripped[:-1], True
    quoted = len(stripped) > 1 and _QUOTED.get(stripped[0]) == stripped[-1]
    stripped = stripped[1:-1] if quoted else stripped.strip("'\"`“”‘’")
    stripped = stripped.removesuffix("()")
    if not stripped:
        return "", possessive, opens, closes, False
    if is_identifier(stripped):
        return stripped, possessive, opens, closes, True
    is_name = quoted or (len(stripped) > 2 and stripped.isupper())
    lower = stripped.casefold()
    base = lower if "-" in lower else singular(lower)
    if base != lower and quoted:  # a mention, not a word: 'tags' is not 'tag'
        base = f"'{lower}'"
    elif base != lower and stripped[0].isupper() and lower not in COMMON_PLURALS:
        # perhaps a name: Williams is not William
        base = stripped
    return base, possessive, opens, closes, is_name
