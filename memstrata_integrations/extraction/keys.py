"""Keys: a clause to its subject, its relation and its value. Everything but the value is in the key."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.extraction import phrases
from memstrata_integrations.extraction.clauses import Link
from memstrata_integrations.extraction.phrases import Phrase, Value, canonical_words, find_value, is_light, read_phrase
from memstrata_integrations.extraction.relations import Relation, Vocabulary, attribute
from memstrata_integrations.extraction.tokens import EXACT, MARK, NAME, QUANTITY, WORD, Token, flags_of
from memstrata_integrations.extraction.values import NAMED, is_placeholder
from memstrata_integrations.extraction.words import Flag, lemma_and_flags


class Said(NamedTuple):
    """A clause, as far as its key is concerned."""

    text: str  # the sentence
    subject: Sequence[Token]
    link: Link
    predicate: Sequence[Token]  # what stands behind the verb
    vocabulary: Vocabulary
    anything: bool = False  # every relation has one value, so that names may retire in frames, too


class Key(NamedTuple):
    """What a clause states."""

    subject: Phrase
    relation: Relation | str  # of the table, or the frame: the clause's words with a hole for the value
    value: Value | None  # `None`: whatever it was, it ended
    after: str = ""  # what stands behind the value
    ended: bool = False  # the value holds no longer


_HAVING = frozenset("have use carry get offer run come ship start begin open feature give see".split())
UNIQUE = frozenset(
    "main head chief best primary first only official working headline title default sole lead top second third".split()
)
_KIN = {
    (w,) for w in "friend colleague brother sister sibling son daughter child cousin aunt uncle nephew niece".split()
}
_CHOSEN = frozenset("favorite prefer preferred default usual best-selling".split())
_LIMITING = frozenset("at most least up to a max maximum min minimum of only no more less than about exactly".split())
_STATES = dict.fromkeys("on enabled active true".split(), "on") | {"open": "open", "closed": "closed"}
_STATES |= dict.fromkeys("off disabled inactive false".split(), "off")
_PAIR = re.compile(r"[A-Z]\w*/[A-Z]\w*|\d+/\d+")  # "Alice/Bob": two, and no path
_PLACES = frozenset(("lives in", "is at", "is held at", "is based in", "is served at"))
_ARTICLES = Flag.DET | Flag.SKIP | Flag.INDEFINITE
_ENOUGH = 4  # words that tell one function from another
_TIMES = frozenset("time date day weekday month".split())
_BOUNDS = frozenset("until till after before by since from for".split())
_SPANS = frozenset("day week period".split())
_UNKNOWN: tuple[Relation | None, bool] = None, False
_SEVERAL = "it may have several such values"
_UNNAMED = "a name or a word, in a relation that nothing says has one value"
_NO_VALUE = "no value that the grammar can tell"


def _has_many(tokens: Sequence[Token]) -> bool:
    """Whether a subject's head is a noun of which there may be several: "a member of X is", "my brother is"."""
    head = phrases.head_of(tokens)
    return head is not None and head.flags & Flag.AMONG > 0 and UNIQUE.isdisjoint(t.lower for t in tokens)


def key_of(said: Said) -> Key | str:
    """Return the key of a clause with its value, or why it has none."""
    if len(said.subject) == 1 and (demoted := _demoted(said)) and isinstance(key := key_of(demoted), Key):
        return key
    subject, predicate, copula = read_phrase(said.subject, said.text), said.predicate, said.link.words == ("be",)
    said = _of_user(said, subject) if said.vocabulary.own else said
    if copula and (special := _turned(said) or _state(said, subject)) is not None:
        return special
    if len(said.subject) == 3 and said.subject[2].sort == EXACT and (called := _called(said)) is not None:
        return called
    if said.link.words[0] == "be" and subject.core[:1] == ("i",) and subject.core[1:] in _KIN and not said.anything:
        return _SEVERAL  # "my friend is called Ann", "my daughter is 4"
    place = find_value(predicate)
    if place is None:
        return _plain_word(said, subject)
    begin, end = place
    if begin and end == begin + 1 and predicate[begin - 1].sort == NAME:  # "lives at Harbour Street 12"
        street = next((n + 1 for n in range(begin - 1, -1, -1) if predicate[n].sort != NAME), 0)
        placed = " ".join([*said.link.words, *(t.lemma for t in predicate[:street] if not t.flags & _ARTICLES)])
        relation, _ = said.vocabulary.verbs.get(placed, _UNKNOWN)
        begin = street if relation is not None and relation.name in _PLACES else begin
    lead, behind = predicate[:begin], predicate[end:]
    value = phrases.value_of(said.text, predicate[begin:end])
    if is_placeholder(value.canonical):
        return "a placeholder"
    if flags_of(lead) & Flag.AND or (not value.typed and _is_one_of_several(said, subject, value)):
        return _SEVERAL
    noun = bool(behind) and behind[0].sort == WORD and not behind[0].flags & Flag.PREP
    if noun and value.typed and "-" in value.tokens[0].lower:
        return _NO_VALUE  # "a 2-year warranty"
    spoken = " ".join([*said.link.words, *(t.lemma for t in lead if not t.flags & _ARTICLES)])
    relation, inverse = said.vocabulary.verbs.get(spoken, _UNKNOWN)
    found: Key | str | None = None
    if relation is not None and not (inverse and value.typed):
        if relation.cardinality != "functional":
            return _SEVERAL
        if inverse:
            return _inverse(said, relation)
        if said.vocabulary.admits(relation, value.kind) and (value.typed or lead or not copula):
            found = _of_table(said, subject, relation, value)
    if found is None and copula:
        found = _of_copula(said, subject, lead, value)
    found = found or _of_frame(said, subject, lead, value)
    return found if isinstance(found, str) or not behind else found._replace(after=" ".join(canonical_words(behind)))


def _of_user(said: Said, phrase: Phrase) -> Said:
    """A noun that the user calls one-valued is, whatever nouns of its kind are."""
    relation, _ = said.vocabulary.noun(phrase.core)
    own = relation is not None and relation in said.vocabulary.own and relation.cardinality == "functional"
    return said._replace(anything=True) if own else said


def _is_one_of_several(said: Said, subject: Phrase, value: Value) -> bool:
    """Whether a name or a word is one of several: of things in general, of what one likes; or is several itself."""
    if any(t.lower == "and" for t in value.tokens) or _PAIR.fullmatch(said.text, *value.span) is not None:
        return True
    some = not (subject.definite or subject.named or subject.qualifiers or subject.owned)
    if some and said.link.plural and value.tokens[0].sort in (NAME, WORD):
        return True
    last = said.subject[-1].flags if len(said.subject) > 2 else 0  # "the film I liked"
    return last & Flag.MANY > 0 and last & (Flag.S_FORM | Flag.PAST) > 0 and not last & Flag.COMMON


def _called(said: Said) -> Key | None:
    """Read "The function NAME(...) looks up a user by its key": what does that is called NAME."""
    article, noun, name = said.subject
    told = [t for t in said.predicate if t.sort != MARK and not t.flags & (Flag.PREP | _ARTICLES)]
    if article.lower != "the" or not name.lower.rstrip("`").endswith(")") or len(told) < _ENOUGH:
        return None
    holder = Phrase((noun.lemma,), definite=True, shown=said.text[article.start : noun.end])
    frame = " ".join(["_", *said.link.words, *canonical_words(said.predicate)])
    return Key(holder, frame, phrases.value_of(said.text, (name,)))


def _of_table(said: Said, subject: Phrase, relation: Relation, value: Value) -> Key | str:
    """Return the key of a relation that the table has."""
    copula = said.link.words == ("be",)
    many = subject.vague or (copula and (not subject.definite or _has_many(said.subject)))
    if many and not (value.typed or said.anything):
        return _SEVERAL
    found: Relation | str = relation
    if relation.name == "is named" and said.subject[-1].sort == WORD and not copula:
        subject, found = attribute(subject, said.vocabulary, value.kind)  # "the mayor is called Ann"
    return Key(subject, found, value)


def _of_copula(said: Said, subject: Phrase, lead: Sequence[Token], value: Value) -> Key | str | None:
    """Return the key of "the timeout is 30 s"; `None` if it is none such."""
    placed = len(lead) == 1 and value.typed and lead[0].lemma in ("at", "on", "in")  # "is at 9:15", "is on Monday"
    if lead and not (placed or (all(map(is_light, lead)) and not flags_of(lead) & Flag.PREP)):
        return None
    unique = (subject.definite or said.subject[0].lower in UNIQUE) and not _has_many(said.subject)
    if not (value.typed or said.anything or (unique and not (subject.several or subject.vague or _indefinite(lead)))):
        return _SEVERAL
    limit = " ".join(canonical_words(lead)) if lead and not placed else ""
    holder, relation = attribute(subject, said.vocabulary, value.kind)
    return Key(holder, f"is {limit} _" if limit else relation, value)


def _of_frame(said: Said, subject: Phrase, lead: Sequence[Token], value: Value) -> Key | str:
    """Return the key of any other clause: its words, with a hole where the value stands."""
    if not said.anything:
        limited = all(t.lower in _LIMITING for t in lead)
        if _indefinite(lead) and not limited:
            return _held(said, subject, lead, value) or _SEVERAL
        spans = lead and lead[-1].lemma in _SPANS and value.kind == "number"
        if (value.kind in _TIMES and not (lead and lead[-1].lemma in _BOUNDS)) or spans:
            return _SEVERAL  # "swims on Monday", "is free in period 3": the table says what happens once
        many = lemma_and_flags(said.link.words[-1])[1] & Flag.MANY
        if many and not (limited and value.kind.startswith(("count:", "rate:"))):
            return _SEVERAL
        first = value.tokens[0].sort
        if not value.typed and first in (NAME, WORD):
            return _UNNAMED
        governed = flags_of(lead) & Flag.PREP and said.link.words[-1] != "have"
        if not value.typed and first == EXACT and (subject.vague or not governed):
            return _SEVERAL
    return Key(subject, " ".join([*said.link.words, *canonical_words(lead), "_"]), value)


def _indefinite(lead: Sequence[Token]) -> bool:
    """Whether what stands before a value is any one of its kind: "has a node on", "a fix for"."""
    return any(t.flags & Flag.INDEFINITE and t.lower not in ("each", "every", "any") for t in lead) if lead else False


def _held(said: Said, subject: Phrase, lead: Sequence[Token], value: Value) -> Key | None:
    """Read "X has a limit of 5" as the limit of X."""
    nouns = [t for t in lead[:-1] if not t.flags & _ARTICLES]
    plain = lead[0].flags & Flag.INDEFINITE and not any(t.flags & Flag.PREP for t in nouns)
    if not (nouns and plain and value.typed and lead[-1].lemma == "of" and said.link.words[-1] in _HAVING):
        return None
    whole = subject._replace(core=(*subject.core, *canonical_words(nouns)), owned=len(subject.core))
    return Key(*attribute(whole, said.vocabulary, value.kind), value)


def _demoted(said: Said) -> Said | None:
    """Read "we sign webhooks with X" as webhooks signed with X."""
    predicate, words = said.predicate, said.link.words
    if said.subject[0].lower not in ("we", "they", "you") or len(words) != 1 or words[0] in ("be", "have"):
        return None
    stops = Flag.PREP | Flag.SKIP
    ends = (n for n, t in enumerate(predicate) if t.sort == QUANTITY or (t.flags & stops and t.lower != "of"))
    n = next(ends, 0)
    if not n or predicate[0].flags & Flag.INDEFINITE:
        return None
    passive = said.link._replace(words=("be", *words))
    return said._replace(subject=predicate[:n], link=passive, predicate=predicate[n:])


def _inverse(said: Said, relation: Relation) -> Key | str:
    """Read "Ann owns the parser" as whose owner is Ann."""
    owned = read_phrase(said.predicate, said.text)
    if not owned.definite or owned.vague or owned.several or not phrases.is_whole_name(said.subject):
        return _UNNAMED
    return Key(owned, relation, phrases.value_of(said.text, _without_article(said.subject)))


def _without_article(tokens: Sequence[Token]) -> Sequence[Token]:
    return tokens[1:] if tokens[0].flags & Flag.DET else tokens


def _turned(said: Said) -> Key | str | None:
    """Read "Ann Lee is the owner of the parser" as whose owner is Ann Lee; `None` if it is no such sentence."""
    predicate = said.predicate
    if not predicate or not phrases.is_whole_name(said.subject):
        return None
    possessor = predicate[0].sort == NAME and any(t.lower in ("'s", "'") for t in predicate)
    if not possessor and (not predicate[0].flags & (Flag.DET | Flag.OWNER) or predicate[0].flags & Flag.INDEFINITE):
        return None
    described = read_phrase(predicate, said.text)
    if (_has_many(predicate) or described.vague or described.several) and not _of_user(said, described).anything:
        return _SEVERAL
    value = phrases.value_of(said.text, _without_article(said.subject))
    return Key(*attribute(described, said.vocabulary, value.kind), value)


def _state(said: Said, subject: Phrase) -> Key | None:
    """Read "the flag is off in production"."""
    if not said.predicate or said.predicate[0].lower not in _STATES:
        return None
    first, *rest = said.predicate
    placed = not rest or (rest[0].flags & Flag.PREP and (not first.flags & Flag.PREP or rest[0].lower in ("in", "for")))
    if subject.vague or not placed or any(t.sort == QUANTITY for t in rest):
        return None
    value = Value((first,), (first.start, first.end), _STATES[first.lower], "state", typed=False)
    return Key(subject, "is", value, " ".join(canonical_words(rest)))


_JUDGED = frozenset(
    """bad better boring broken cheap clean clear common complex correct difficult easy enough expensive fair fine good
    great hard important insecure nice old perfect popular pretty ready right safe short simple small strong unique
    useful wrong""".split()
)


def _plain_word(said: Said, subject: Phrase) -> Key | str:
    """Read a plain word as a value, where the relation is one that has such values."""
    predicate, vocabulary = said.predicate, said.vocabulary
    n = next((n for n, t in enumerate(predicate) if not t.flags & (Flag.PREP | Flag.SKIP)), len(predicate))
    words = " ".join([*said.link.words, *(t.lemma for t in predicate[:n] if t.flags & Flag.PREP)])
    relation, inverse = vocabulary.verbs.get(words, _UNKNOWN)
    found: Relation | str | None = None
    if words == "be":
        worded = subject.core and (subject.core[-1] in vocabulary.worded or not _CHOSEN.isdisjoint(subject.core[:-1]))
        noun, _ = vocabulary.noun(subject.core)
        if subject.definite and (worded or (noun is not None and (noun.word or noun in vocabulary.own))):
            subject, found = attribute(subject, vocabulary, "name:1")
    elif relation is not None and relation.word and relation.cardinality == "functional":
        found = None if inverse or subject.vague else relation
    if found is None and said.anything and not inverse:
        found = f"{words} _"
    rest = predicate[n:]
    # "My favourite food is cheap", "The log level is configurable": of what kind, not which
    if found is None or (rest and (rest[0].lower in _JUDGED or rest[0].lower.endswith(("able", "ible")))):
        return _NO_VALUE
    stops = Flag.PREP | Flag.REL | Flag.AND | Flag.SUB | Flag.AUX | Flag.PRONOUN | Flag.NOT
    end = next((k for k, t in enumerate(rest) if t.sort not in (WORD, NAME) or t.flags & stops), len(rest))
    begin = 1 if end > 1 and rest[0].flags & (Flag.DET | Flag.INDEFINITE) == Flag.DET else 0
    several = end < len(rest) and rest[end].flags & Flag.AND
    end = 0 if words == "be" and rest[end - 1 : end] and rest[end - 1].lower.endswith("ed") else end  # "is protected"
    if not 0 < end - begin <= 3 or rest[begin].flags & (Flag.INDEFINITE | Flag.OWNER) or several:
        return _NO_VALUE
    return Key(subject, found, phrases.value_of(said.text, rest[begin:end]), " ".join(canonical_words(rest[end:])))


CHANGED = frozenset(
    """raise lower increase decrease reduce change update bump move switch upgrade downgrade extend lengthen shorten cut
adjust revise set reset put bring push correct fix lift drop rise fall grow shrink go climb jump postpone reschedule
delay shift relocate migrate convert transfer trim widen double halve amend rename""".split()
)
_PLACED = frozenset("move switch go relocate migrate transfer push bring put shift".split())
_PARTICLES = frozenset("up down back forward over out away again".split())
OVER = frozenset("originally temporarily briefly ago formerly once historically previously earlier initially".split())


def change_of(said: Said) -> Key | None:
    """Return the key that a clause changes, with what holds now, or what ended if that is named: "from 5 to 8"."""
    predicate = said.predicate
    verb = said.link.words[-1]
    if verb not in CHANGED or any(t.lower in OVER or t.lower == "as" for t in predicate):
        return None
    passive = said.link.words[:1] == ("be",) and len(said.link.words) > 1
    n = next((n for n, t in enumerate(predicate) if t.lemma in ("from", "to")), len(predicate))
    named = [t for t in predicate[:n] if t.lower not in _PARTICLES]
    if (passive and any(not t.flags & (Flag.SKIP | Flag.PREP) for t in named)) or _has_many(named or said.subject):
        return None
    # "the limit was raised to", "the limit rose to", "we raised the limit to"
    holder = read_phrase(said.subject if passive or not named else named, said.text)
    if not holder.core or holder.vague or holder.several or holder.core in (("i",), ("we",)):
        return None
    ended, rest = _behind(said.text, predicate, n, "from")
    value, rest = _behind(said.text, predicate, rest, "to")
    if value is None or (ended is None and predicate[n].lemma == "from"):
        return None
    if verb in _PLACED and ended is None and value.kind in (*NAMED, "country", "path"):
        return None  # "The archive moved to S3" names no attribute that S3 is a value of
    after = " ".join(canonical_words(predicate[rest:]))
    return Key(*attribute(holder, said.vocabulary, value.kind), ended or value, after, ended=ended is not None)


def _behind(text: str, tokens: Sequence[Token], n: int, preposition: str) -> tuple[Value | None, int]:
    """Return the value behind a preposition, and where it ends."""
    if n >= len(tokens) or tokens[n].lemma != preposition:
        return None, n
    end = len(tokens)
    start = next((k for k in range(n + 1, end) if not is_light(tokens[k]) or tokens[k].lower == "a"), end)
    stop = next((k for k in range(start, end) if tokens[k].lemma in ("to", "from")), end)
    found = find_value(tokens[start:stop])
    end = start + found[1] if found is not None and found[0] == 0 else phrases.name_end(tokens[:stop], start)
    if end == start:  # a plain word or two
        barred = Flag.PREP | Flag.AND | Flag.INDEFINITE | Flag.OWNER
        while end < min(stop, start + 2) and tokens[end].sort in (WORD, NAME) and not tokens[end].flags & barred:
            end += 1
    return (phrases.value_of(text, tokens[start:end]), end) if end > start else (None, n)


def curated(said: Said) -> tuple[Key, int]:
    """Return the key of a statement that gives one value, as curated facts do, and where the value begins.

    It is all from the first name on, or else what stands behind the last preposition: "plays the position of center".
    """
    predicate = said.predicate
    start = next((n for n, t in enumerate(predicate) if t.kind), None)
    if start is None:
        start = max((n + 1 for n, t in enumerate(predicate) if t.flags & Flag.PREP), default=0)
        while start < len(predicate) and is_light(predicate[start]):
            start += 1
    value = phrases.value_of(said.text, predicate[start:]) if start < len(predicate) else None
    if value is not None and (value.kind in (*NAMED, "country", "path") or start + 1 < len(predicate)):
        value = value._replace(kind="name", canonical=" ".join(said.text[slice(*value.span)].casefold().split()))
    frame = " ".join([*said.link.words, *canonical_words(predicate[:start]), "_"])
    return Key(read_phrase(said.subject, said.text), frame, value), start
