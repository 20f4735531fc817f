"""Noun phrases: what two ways to name one thing have in common; and which words of a clause may be its value."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memstrata_integrations.extraction.tokens import EXACT, MARK, NAME, QUANTITY, WORD, Token
from memstrata_integrations.extraction.values import NAMED, TITLES, canonical_value
from memstrata_integrations.extraction.words import Flag

_NEAR = frozenset("in at on within inside".split())
_SKIPPED = Flag.DET | Flag.SKIP
_LEADING = Flag.PREP | Flag.DET | Flag.INDEFINITE | Flag.SKIP
_PREP, _DET, _INDEFINITE, _REL = Flag.PREP, Flag.DET, Flag.INDEFINITE, Flag.REL
_TELLING = _LEADING | Flag.REL | Flag.AND | Flag.OWNER | Flag.SPEAKER | Flag.DONE | Flag.ING | Flag.BE
_ABSTRACT = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ing", "age", "ship", "ware", "ism", "ics")
# A name before one of these is that of a system, also behind "the": "the Harbor API", and not "the Docker image"
_SYSTEMS = frozenset(
    """api app application cluster database db gateway library platform queue server service system team tool
    worker""".split()
)
_LEADING_HEAD = Flag.DET | Flag.INDEFINITE | Flag.OWNER | Flag.PREP
_BEHIND_HEAD = Flag.PREP | Flag.REL | Flag.DONE | Flag.ING


def head_of(tokens: Iterable[Token]) -> Token | None:
    """Return the noun that a phrase is about: the last word before a preposition or a clause of its own."""
    head = None
    for token in tokens:
        if head is not None and token.flags & _BEHIND_HEAD and not token.flags & Flag.BASE:
            break
        if token.sort in (WORD, NAME) and not token.flags & _LEADING_HEAD:
            head = token
    return head


def is_plural(token: Token) -> bool:
    """Whether a noun shows that it is several."""
    return token.lower.endswith("s") and token.lemma != token.lower


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
        return self.key_with(())

    def key_with(self, more: Sequence[str]) -> str:
        """Return the canonical subject, narrowed by more qualifiers."""
        core, narrows = " ".join(self.core), sorted((*self.qualifiers, *more)) if more else self.qualifiers
        if not narrows:
            return core
        places = [q for q in narrows if q.startswith(("in ", "for "))]  # "port in staging": staging's port
        others = "; ".join(q for q in narrows if q not in places)
        core = " ".join((*(q.partition(" ")[2] for q in places), core))
        return f"{core} ({others})" if others else core


def is_name(tokens: Sequence[Token], n: int, text: str) -> bool:
    """Whether the n-th token is a proper name, and not a word that opens a sentence or an acronym of the trade."""
    token, written = tokens[n], text[tokens[n].start : tokens[n].end]
    if token.sort != NAME or not written[0].isupper() or (written.isupper() and len(written) < 6):
        return False
    before = text[: token.start].rstrip(" \"'“(*_`")
    if before and before[-1] != ":":
        return True  # a capital within a sentence
    following = tokens[n + 1] if n + 1 < len(tokens) else None
    if following is not None and (following.lower in ("'s", "'") or following.sort == NAME):
        return following.sort != NAME or not token.flags
    if any(c.isupper() for c in written[1:]):
        return True
    if token.flags or following is None or is_plural(token) or token.lower.endswith(_ABSTRACT):
        return False
    return bool(following.flags & (Flag.AUX | Flag.S_FORM | Flag.AND | Flag.SKIP | Flag.NOT))


def is_code(token: Token) -> bool:
    """Whether an exact token is a name within some program, of which others may have one alike."""
    return token.sort == EXACT and (token.lower[0] in "`-" or "_" in token.lower or "(" in token.lower)


def canonical_words(tokens: Iterable[Token]) -> list[str]:
    """Return the words of a stretch that enter a key, in order."""
    found = []
    for token in tokens:
        sort = token.sort
        if sort in (WORD, NAME):
            if not token.flags & _SKIPPED and token.lower not in ("'s", "'"):
                near = sort == WORD and token.lemma in _NEAR
                found.append("in" if near else token.lemma if sort == WORD or token.flags else token.lower)
        elif sort == QUANTITY and token.kind != "number":
            amount = token.lower if token.kind.startswith("count:") and "." in token.lower else token.lemma
            found.append(f"{amount} {token.kind}")  # "the 3.10 docs" are not "the 3.1 docs"
        elif sort != MARK:
            found.append(token.lemma)
    return found


def read_phrase(tokens: Sequence[Token], text: str) -> Phrase:
    """Read a subject with its qualifiers: "The timeout of the billing service" is a "billing service timeout"."""
    words: list[str] = []  # of the group at hand
    groups: list[tuple[str, list[str]]] = [("", words)]  # what binds it, its words
    named = definite = several = vague = clause = False
    owned = 0
    described = False  # "the", "my": what follows describes a thing, whatever name is in it
    last = len(tokens) - 1
    for n, token in enumerate(tokens):
        sort, flags, lower = token.sort, token.flags, token.lower
        if flags & (_DET | Flag.OWNER | Flag.SPEAKER) and not words and lower[0] != "'":
            described = True
        if sort == WORD:
            if not flags & _TELLING and lower not in ("new", "current", "'"):
                words.append(token.lemma)
            elif flags & _PREP and not clause and n < last:
                link = "of" if token.lemma in ("of", "for") else "in" if token.lemma in _NEAR else token.lemma
                words = [] if link == "of" else [link]
                described = link != "of"
                groups.append((link, words))
            elif flags & _REL and not clause and n:
                clause, words = True, []
                groups.append(("that", words))
            elif flags & Flag.AND and not clause:
                several = several or (len(groups) == 1 and lower != "but")
            elif flags & _DET and not flags & _INDEFINITE:
                definite = definite or n == 0
            elif lower in ("'s", "'"):
                definite = True
                owned = len(words) if len(groups) == 1 else owned
            elif flags & _INDEFINITE and not clause and lower not in ("each", "every", "any"):
                vague = True
                words += [token.lemma] if lower in ("another", "some") else []
            elif lower == "current" or (lower == "new" and (n == 0 or (definite and groups[0][1]))):
                continue  # "Ann's new address" is her address
            elif not flags & (Flag.SKIP | _INDEFINITE) or lower in ("each", "every", "another", "any"):
                if flags & (Flag.OWNER | Flag.SPEAKER):
                    definite = True
                    owned = owned or (n == 0)
                participle = flags & (Flag.DONE | Flag.ING) and not flags & (Flag.BASE | Flag.S_FORM)
                words.append("in" if token.lemma in _NEAR else lower if participle else token.lemma)
        elif sort != MARK and not (lower == "new" and n == 0 and sort == NAME and n < last and tokens[1].sort == WORD):
            following = tokens[n + 1] if n < last else None
            # "Health checks are answered"
            plural = following is not None and following.sort == WORD and following.flags & Flag.S_FORM
            if sort == EXACT or (sort == NAME and not plural and is_name(tokens, n, text)):
                of_kind = following is not None and following.lemma in _SYSTEMS  # "the Harbor API"
                named = named or not ((described and not of_kind) or is_code(token))
                definite = definite or len(groups) == 1
            said = [token.lemma if flags else lower] if sort == NAME and not flags & _SKIPPED else None
            words += said or canonical_words((token,))
    for n in range(len(groups) - 1, 0, -1):
        if groups[n][0] == "of":
            words = groups.pop(n)[1]
            if groups[n - 1][1] == ["number"]:
                groups[n - 1][1][-1] = "count"  # "the number of houses" is no house number
            if n == 1:
                owned = len(words) + (owned if groups[0][1] else 0)
            groups[n - 1][1][:0] = words  # "the port of X" is X's port
    if (owned or len(groups) > 1) and not vague and tokens and not tokens[0].lower.endswith("s"):
        definite = True  # "Incident manager for the northern region"
    narrows = tuple(sorted(" ".join(words) for _, words in groups[1:] if words)) if len(groups) > 1 else ()
    own = tokens[1:] if len(tokens) > 1 and tokens[0].flags & _DET else tokens
    whole = own and own[0].start < own[-1].end  # of "his" a name stands in its place
    shown = text[own[0].start : own[-1].end] if whole else " ".join(text[t.start : t.end] for t in own if t.end)
    return Phrase(tuple(groups[0][1]), narrows, named and not vague, definite, several, vague, owned, shown)


class Value(NamedTuple):
    """A value: its tokens, where it stands in the text, and its canonical form."""

    tokens: Sequence[Token]
    span: tuple[int, int]
    canonical: str
    kind: str
    typed: bool  # it shows its kind itself: a measure, a date, a version, an image


_INNER = frozenset("of and & de da van von der den la le du the del di zu al bin 's".split())


def value_of(text: str, tokens: Sequence[Token]) -> Value:
    """Return the value that some tokens of a text are."""
    first, last = tokens[0], tokens[-1]
    sort, span = first.sort, (first.start, last.end)
    if len(tokens) == 1 and first.kind and sort != NAME:
        return Value(tokens, span, first.lemma, first.kind, sort == QUANTITY or first.kind.startswith("image of"))
    canonical, kind = canonical_value(text[first.start : last.end])
    if sort == QUANTITY or (sort in (NAME, WORD) and kind not in (*NAMED, "country")):
        canonical, kind = " ".join(text[first.start : last.end].casefold().split()), "name"  # "12 Harbour Street"
    return Value(tokens, span, canonical, kind, kind.startswith("image of"))


def is_light(token: Token) -> bool:
    """Whether a word before a value only leads to it: a preposition, an article, "at least"."""
    return token.sort == WORD and bool(token.flags & _LEADING)


def name_end(tokens: Sequence[Token], start: int) -> int:
    """Return where the name ends that begins at a place: "Mr. Petrakis", "Bank of Oslo", "the Amory family"."""
    end = start
    for n in range(start, len(tokens)):
        token = tokens[n]
        named_behind = n + 1 < len(tokens) and tokens[n + 1].sort == NAME
        if token.sort == NAME or (token.sort in (EXACT, WORD) and token.kind == "name:1"):
            end = n + 1
        elif n == start:
            if not (token.kind == "number" and named_behind):  # "12 Harbour Street"
                break
        elif token.sort == QUANTITY and token.kind.startswith(("version", "number")):
            end = n + 1
        elif token.lower == ".":
            before = tokens[n - 1]
            if before.lower not in TITLES and not (before.sort == NAME and len(before.lower) == 1):
                break
        elif not (named_behind and token.lower in _INNER):
            break
    return end


def is_whole_name(tokens: Sequence[Token]) -> bool:
    """Whether tokens are one name, its article aside, or one exact value."""
    begin = 1 if tokens and tokens[0].flags & Flag.DET else 0
    exact = len(tokens) == 1 and tokens[0].sort in (QUANTITY, EXACT)
    return exact or (begin < len(tokens) and name_end(tokens, begin) == len(tokens))


def find_value(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the one span of a predicate that may be its value: a measure, else an exact token, else a name."""
    sorts = [t.sort for t in tokens]
    if QUANTITY in sorts:
        first = sorts.index(QUANTITY)
        if tokens[first].kind == "number" and (end := name_end(tokens, first)) > first + 1:
            return first, end
        return (first, first + 1) if sorts.count(QUANTITY) == 1 or all(map(is_light, tokens[:first])) else None
    if EXACT in sorts:
        first = sorts.index(EXACT)
        direct = all(map(is_light, tokens[:first]))
        if not direct and sorts.count(EXACT) > 1:
            return None
        return first, max(name_end(tokens, first) if tokens[first].kind == "name:1" and direct else 0, first + 1)
    name = next((n for n, t in enumerate(tokens) if t.sort == NAME or t.kind), None)
    if name is None:
        return None
    end = name_end(tokens, name)
    alone = all(t.sort != NAME for t in tokens[end:])
    return (name, end) if alone or all(map(is_light, tokens[:name])) else None
