"""Noun phrases: what two ways to name one thing have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.extract.tokens import EXACT, MARK, NAME, QUANTITY, WORD, Token
from memstrata_integrations.extract.words import Flag

__all__ = ["Phrase", "canonical_words", "is_name", "read_phrase"]

_NEAR = frozenset("in at on within inside".split())
_SKIPPED = Flag.DET | Flag.SKIP
_ABSTRACT = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ing", "age", "ship", "ware", "ism", "ics")


class Phrase(NamedTuple):
    """What a subject names."""

    core: tuple[str, ...]  # canonical words, the head last: "the port of X" and "X's port" are ("x", "port")
    qualifiers: tuple[str, ...] = ()  # what else narrows it: "in staging", "that CI uses", sorted
    named: bool = False  # it names an entity: a proper name or an identifier
    definite: bool = False  # it is one thing: "the", "my", "X's", or a name
    several: bool = False  # it is several things: "A and B"
    vague: bool = False  # it is any one of its kind: "an office"
    owned: int = 0  # how many words of the core name whom it belongs to: one in ("acme", "port")
    shown: str = ""  # as people wrote it

    @property
    def key(self) -> str:
        """The canonical subject."""
        places = [q for q in self.qualifiers if q.startswith(("in ", "for "))]  # "port in staging": staging's port
        core = " ".join((*(q.partition(" ")[2] for q in places), *self.core))
        others = "; ".join(q for q in self.qualifiers if q not in places)
        return f"{core} ({others})" if others else core


def is_name(tokens: Sequence[Token], n: int, text: str) -> bool:
    """Whether the n-th token is a proper name, and not a word that opens a sentence or an acronym of the trade."""
    token = tokens[n]
    if token.sort != NAME:
        return False
    written = text[token.start : token.end]
    if written.isupper() and len(written) < 6:
        return False
    if not written[0].isupper():
        return False
    if token.start and text[: token.start].strip(" \"'“(*_`"):
        return True  # a capital within a sentence
    following = tokens[n + 1] if n + 1 < len(tokens) else None
    if following is not None and following.lower in ("'s", "'"):
        return True
    if following is not None and following.sort == NAME:
        return not token.flags
    if any(c.isupper() for c in written[1:]):
        return True
    if token.flags or following is None or token.lower.endswith(_ABSTRACT):
        return False
    if token.lower.endswith("s") and token.lemma != token.lower:
        return False  # a plural, perhaps
    return bool(following.flags & (Flag.AUX | Flag.S_FORM | Flag.AND | Flag.SKIP | Flag.NOT))


def canonical_words(tokens: Sequence[Token]) -> list[str]:
    """Return the words of a stretch that enter a key, in order."""
    found = []
    for token in tokens:
        if token.sort == MARK or token.flags & _SKIPPED or token.lower in ("'s", "'"):
            continue
        if token.sort == WORD:
            found.append("in" if token.lemma in _NEAR else token.lemma)
        elif token.sort == NAME:
            found.append(token.lemma if token.flags else token.lower)
        elif token.sort == QUANTITY:
            found.append(f"{token.lemma} {token.kind}" if token.kind != "number" else token.lemma)
        else:
            found.append(token.lemma)
    return found


def read_phrase(tokens: Sequence[Token], text: str) -> Phrase:
    """Read a subject with its qualifiers.

    Example:
        >>> from memstrata_integrations.extract.tokens import tokenize
        >>> [read_phrase(tokenize(t), t).key for t in ("The timeout of the billing service in staging", "Ann's phone")]
        ['billing service timeout (in staging)', 'ann phone']
    """
    groups: list[tuple[str, list[str]]] = [("", [])]  # what binds it, its words
    named = definite = several = vague = clause = False
    owned = 0
    last = len(tokens) - 1
    for n, token in enumerate(tokens):
        sort, flags = token.sort, token.flags
        if sort == MARK:
            continue
        if sort != WORD:
            if token.lower == "new" and n == 0 and n < last and tokens[1].sort == WORD:
                continue
            if sort == EXACT or (sort == NAME and is_name(tokens, n, text)):
                named = True
                definite = definite or len(groups) == 1
            groups[-1][1].extend(canonical_words((token,)))
            continue
        if flags & Flag.PREP and not clause and n < last:
            link = "of" if token.lemma in ("of", "for") else "in" if token.lemma in _NEAR else token.lemma
            groups.append((link, [] if link == "of" else [link]))
        elif not clause and n and flags & Flag.REL:
            clause = True
            groups.append(("that", []))
        elif flags & Flag.AND and not clause:
            several = several or (len(groups) == 1 and token.lower != "but")
        elif flags & Flag.DET and not flags & Flag.INDEFINITE:
            definite = definite or n == 0
        elif token.lower in ("'s", "'"):
            definite = True
            owned = len(groups[0][1]) if len(groups) == 1 else owned
        elif flags & Flag.INDEFINITE and not clause and token.lower not in ("each", "every", "any"):
            vague = True
            if token.lower in ("another", "some"):
                groups[-1][1].append(token.lemma)
        elif token.lower == "current" or (token.lower == "new" and (n == 0 or (definite and groups[0][1]))):
            continue  # "Ann's new address" is her address
        elif not flags & (Flag.SKIP | Flag.INDEFINITE) or token.lower in ("each", "every", "another", "any"):
            if flags & (Flag.OWNER | Flag.SPEAKER):
                definite = True
                owned = owned or (n == 0)
            participle = flags & (Flag.DONE | Flag.ING) and not flags & (Flag.BASE | Flag.S_FORM)
            groups[-1][1].append("in" if token.lemma in _NEAR else token.lower if participle else token.lemma)
    for n in range(len(groups) - 1, 0, -1):
        if groups[n][0] == "of":
            words = groups.pop(n)[1]
            if groups[n - 1][1] == ["number"]:
                groups[n - 1][1][-1] = "count"  # "the number of houses" is no house number
            if n == 1:
                owned = len(words) + (owned if groups[0][1] else 0)
            groups[n - 1][1][:0] = words  # "the port of X" is X's port
    core = groups[0][1]
    if (owned or len(groups) > 1) and not vague and tokens and not tokens[0].lower.endswith("s"):
        definite = True  # "Incident manager for the northern region"
    qualifiers = sorted(" ".join(words) for _, words in groups[1:] if words)
    return Phrase(tuple(core), tuple(qualifiers), named, definite, several, vague, owned, _written(tokens, text))


def _written(tokens: Sequence[Token], text: str) -> str:
    """Return tokens as they stand in the text, without the article in front."""
    own = tokens[1:] if len(tokens) > 1 and tokens[0].flags & Flag.DET else tokens
    whole = own and own[0].start < own[-1].end
    return text[own[0].start : own[-1].end] if whole else " ".join(text[t.start : t.end] for t in own if t.end)
