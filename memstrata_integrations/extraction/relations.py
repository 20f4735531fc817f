"""The vocabulary of relations: the built-in table, and what a user adds to it; the keys of what is stated outright."""

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import product
from typing import Any, get_args

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.phrases import Phrase, read_phrase
from memstrata_integrations.extraction.tokens import tokenize
from memstrata_integrations.extraction.words import Flag, lemma_and_flags
from memstrata_integrations.ledger.facts import Cardinality

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation in the words people use for it."""

    name: str  # how it is shown and asked for
    verbs: tuple[str, ...] = ()  # how it is said: "listens on"
    nouns: tuple[str, ...] = ()  # what its value is called: "port"
    cardinality: Cardinality = "functional"
    kinds: tuple[str, ...] = ()  # the kinds of its values, where they are known
    owned: bool = False  # its noun must have an owner: "the release's manager" is one, a "release manager" is a thing
    word: bool = False  # a plain word in lower case may be its value
    past: bool = False  # it holds of what was, too ("was founded by")

    def __post_init__(self) -> None:
        for name in ("verbs", "nouns", "kinds"):
            if not isinstance(given := getattr(self, name), tuple):
                raise InvalidInputError(f"Relation({self.name!r}, {name}={given!r}): it must be a tuple of texts")
        _require_cardinality(f"Relation({self.name!r}, cardinality={self.cardinality!r})", self.cardinality)


def _require_cardinality(where: str, given: Any) -> None:
    if given not in get_args(Cardinality):
        raise InvalidInputError(f"{where} is none of {', '.join(get_args(Cardinality))}")


def spoken(phrase: str) -> str:
    """Return a verb phrase in base forms: "is owned by" is "be own by"."""
    words = ((word, *lemma_and_flags(word)) for word in phrase.lower().split())
    left_out = Flag.DET | Flag.SKIP | Flag.INDEFINITE
    return " ".join(lemma for word, lemma, flags in words if not flags & left_out or word in ("each", "every"))


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[Relation, ...], frozenset[str]]:
    path = files("memstrata_integrations.extraction").joinpath("relations.toml")
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    each, worded = read.pop("each"), read.pop("worded")
    found = [
        Relation(
            name, _listed(entry.get("says", name)), _listed(entry.get("noun", "")), owned=entry.get("owned", False),
            kinds=tuple(entry.get("kinds", "").split()), word=entry.get("word", False),
        )
        for name, entry in read.items()
    ]  # fmt: skip
    found += [Relation(phrase, (phrase,), word=True) for phrase in _listed(each["says"])]
    return tuple(found), frozenset(worded["nouns"].split())


def _listed(text: str) -> tuple[str, ...]:
    """Return the phrases of a list: "is stored|kept in|at" are four."""
    phrases = ([word.split("|") for word in phrase.split()] for phrase in text.split(",") if phrase.strip())
    return tuple(" ".join(words) for phrase in phrases for words in product(*phrase))


def _core(noun: str) -> tuple[str, ...]:
    return tuple(lemma_and_flags(w)[0] for w in noun.lower().split())


class Vocabulary:
    """What one grammar knows of relations, and of other names; its arguments are those of `GrammarExtractor`.

    Example:
        >>> vocabulary = Vocabulary(cardinalities={"mirrors": "functional", "author of": "functional"})
        >>> vocabulary.verbs["mirror"][0].name, vocabulary.noun(("dune", "author"))[0].name
        ('mirrors', 'author')
    """

    def __init__(
        self, relations: Iterable[Relation] = (), cardinalities: Mapping[str, Cardinality] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        built_in, self.worded = _table()
        self.own = list(relations)
        known = [*self.own, *built_in]
        for name, cardinality in (cardinalities or {}).items():
            made = _named(name, cardinality)
            said, cores = spoken(name), {_core(n) for n in (name, *made.nouns)}
            for n, relation in enumerate(known):
                if said in map(spoken, relation.verbs) or not cores.isdisjoint(map(_core, relation.nouns)):
                    made = known[n] = replace(relation, cardinality=cardinality, word=True)
                    break
            else:
                known.insert(0, made)
            self.own.append(made)
        self.verbs: dict[str, tuple[Relation, bool]] = {}
        self.nouns: dict[tuple[str, ...], Relation] = {}
        for relation in known:
            for verb in relation.verbs:
                self.verbs.setdefault(spoken(verb), (relation, False))
                if verb.startswith("is ") and verb.endswith(" by") and verb.count(" ") == 2:
                    self.verbs.setdefault(spoken(verb[3:-3]), (relation, True))  # "is taught by Ann", "Ann teaches"
            for noun in relation.nouns:
                self.nouns.setdefault(_core(noun), relation)
        self._heads = {noun[-1]: len(noun) for noun in sorted(self.nouns, key=len)}  # the most words before each head
        self.aliases = _checked(aliases or {})
        words = "|".join(map(re.escape, sorted(self.aliases, key=len, reverse=True)))
        self._aliases = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])") if words else None

    def named(self, key: str) -> str:
        """Return a canonical subject with every alias in it replaced by the name that it stands for."""
        return key if self._aliases is None else self._aliases.sub(lambda m: self.aliases[m[0]], key)

    def admits(self, relation: Relation, kind: str) -> bool:
        """Whether a relation has values of a kind; an empty one may be any."""
        return not kind or not relation.kinds or kind.split(":")[0].split("/")[0] in relation.kinds

    def noun(self, core: tuple[str, ...]) -> tuple[Relation | None, int]:
        """Return the relation whose noun ends a subject, and how many words the noun has."""
        for n in range(min(self._heads.get(core[-1], 0), len(core)) if core else 0, 0, -1):
            if (found := self.nouns.get(core[-n:])) is not None:
                return found, n
        return None, 0


def _named(name: Any, cardinality: Any) -> Relation:
    if not isinstance(name, str) or not name.strip():
        raise InvalidInputError(f"cardinalities[{name!r}] names no relation; say it as people do: 'was founded by'")
    _require_cardinality(f"cardinalities[{name!r}]={cardinality!r}", cardinality)
    words = name.split()
    first = lemma_and_flags(words[0].lower())[1]
    noun = words[-1] == "of" or not first & (Flag.VERB | Flag.AUX)
    if noun and len(words) > 1 and not first & (Flag.BE | Flag.HAVE):
        title = " ".join(words[:-1] if words[-1] == "of" else words)
        return Relation(title, nouns=(title,), cardinality=cardinality, word=True)
    past = bool(first & (Flag.WAS | Flag.PAST)) and not first & Flag.BASE
    nouns = (name,) if len(words) == 1 and noun else ()
    return Relation(name, verbs=(name,), nouns=nouns, cardinality=cardinality, word=True, past=past)


def _checked(aliases: Any) -> dict[str, str]:
    """Return canonical aliases; one must be text, and no name that stands for another one itself."""
    names = [n for pair in aliases.items() for n in pair] if isinstance(aliases, Mapping) else [None]
    if not all(isinstance(n, str) and n.strip() for n in names):
        raise InvalidInputError(f'aliases={aliases!r} must map one name to another: {{"k8s": "kubernetes"}}')
    found = {spoken(alias): spoken(name) for alias, name in aliases.items()}
    for alias, name in found.items():
        if found.get(name, name) != name or (len(found) < len(aliases)):
            raise InvalidInputError(f"aliases={aliases!r}: {alias!r} or {name!r} stands for yet another name")
    return found


def attribute(subject: Phrase, vocabulary: Vocabulary, kind: str) -> tuple[Phrase, Relation | str]:
    """Return X and the relation of "the NOUN of X is"; else the subject as it stands and "is"."""
    core = subject.core
    relation, n = vocabulary.noun(core)
    if n == len(core):  # a noun alone has no owner, but a shorter one within it may: "the team's lead"
        shorter, n = vocabulary.noun(core[1:])
        relation = shorter if shorter is relation else None
    if relation is None or not vocabulary.admits(relation, kind) or (relation.owned and subject.owned != len(core) - n):
        return subject, "is"
    return Phrase(core[:-n], *subject[1:]), relation


def key_of_triple(subject: str, relation: str, kind: str, vocabulary: Vocabulary) -> tuple[Phrase, Relation | str]:
    """Return the canonical subject and relation of what somebody states outright: a verb, a noun, or "is".

    `kind`: that of the value, or empty where the key must not depend on it.

    Example:
        >>> phrase, relation = key_of_triple("the billing API", "port", "number", Vocabulary())
        >>> phrase.key, relation.name
        ('billing api', 'listens on')
    """
    phrase = read_phrase(tokenize(subject), subject)
    relation = relation.strip().removesuffix(" of")
    said = spoken(relation)
    noun = said == relation.lower() and " " not in said and phrase.core[:1] not in (("i",), ("we",))  # its "cost"
    for form in (said, spoken(relation.replace("_", " "))):
        if form in vocabulary.verbs and not noun:
            return phrase, vocabulary.verbs[form][0]
    words = said.split()
    if words in (["be"], ["="], []):
        return attribute(phrase, vocabulary, kind)
    first = lemma_and_flags(words[0])[1] | lemma_and_flags(relation.lower().split()[0])[1]
    if first & Flag.AUX or (first & Flag.S_FORM and not first & Flag.COMMON):
        return phrase, f"{said} _"
    own = read_phrase(tokenize(relation), relation)
    core = (*phrase.core, *own.core)
    whole = phrase._replace(core=core, owned=len(phrase.core), qualifiers=(*phrase.qualifiers, *own.qualifiers))
    return attribute(whole, vocabulary, kind)
