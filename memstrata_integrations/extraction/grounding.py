"""What of a model's answer may become a fact: only what the statement itself says, in the grammar's terms.

The model proposes a triple; the grammar then judges the plain sentence that the triple makes ("the
connect timeout of the mailer" "is" "30 seconds"), so that both give one fact one key and one value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from memstrata_integrations.canonical import canonical_value, content_words, is_identifier
from memstrata_integrations.extraction.aliases import Aliases
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.evidence import bears_out
from memstrata_integrations.extraction.grammar import GrammarExtractor
from memstrata_integrations.extraction.grammar import _fact as fact_of_claim
from memstrata_integrations.extraction.grammar import _is_sound as is_sound
from memstrata_integrations.extraction.qualifying import completed, slotted
from memstrata_integrations.extraction.sentences.clauses import masked, subject_is_sound
from memstrata_integrations.extraction.sentences.complements import Verb, read_complement
from memstrata_integrations.extraction.sentences.lexicon import (
    EMBEDDING,
    FINITE_VERBS,
    IMPERATIVES,
    SHARED_ROLES,
    SUBJECT_STOPPERS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.retold import is_for_once, is_undone
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import THIRD
from memstrata_integrations.extraction.sentences.wording import core_of
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.facts import Cardinality, Fact
from memstrata_integrations.relations import Relation, Vocabulary
from memstrata_integrations.values import METHODS
from memstrata_integrations.words import singular, word_set

__all__ = ["Reading", "Rejection", "Triple", "asserts", "ground"]

Rejection = Literal["object", "subject", "relation", "value", "unasserted"]
"""Why a triple is dropped: its object is no span of the statement; its subject says what the statement
doesn't, or names nothing; its relation is not in the vocabulary, or not what the statement says; its value is none
of that relation; or the statement doesn't say that the value holds."""

LONGEST_STATEMENT = 600  # characters


class Triple(NamedTuple):
    """What a model says that a statement states. Never an id, and never a time."""

    subject: str
    relation: str
    object: str
    cardinality: str = ""


class Reading(NamedTuple):
    """How triples are read.

    Attributes:
        vocabulary: The relations there are.
        grammar: What reads the plain sentence of a triple, with the user's relations and aliases.
        rule: The name to give to the facts' rule.
        aliases: Other names of subjects.
        sure: The relations that a user calls functional: there a model's doubt doesn't count.
    """

    vocabulary: Vocabulary
    grammar: GrammarExtractor
    rule: str
    aliases: Aliases | None = None
    sure: frozenset[str] = frozenset()


_TRIM = "\"'`()[]{}.,;:!?*“”‘’"
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’"}
_SPOKEN_QUOTES = {'"': '"', "“": "”", "«": "»"}
_ASKING = re.compile(r"\?+(?=[\s\"'”’)\]*_]|\Z)")
_CONNECTIVES = word_set(
    "with and or but because although since after before so as thus hence therefore however also while from for then"
)
_NEARLY = word_set("over under above below some than between least most upwards well say")
_LISTS_ON = re.compile(r"[\"'`”]?(?:\s*,\s+(?:and\s+|or\s+)?|\s+(?:and|or|&)\s+)")
_NAMING_SLOTS = frozenset(("address", "name", "place", "identifier", "file", "team"))
_MEASURES = frozenset(
    (
        "duration",
        "months",
        "size",
        "bits",
        "bitrate",
        "percent",
        "frequency",
        "m",
        "count",
        "rate",
        "money",
        "date",
        "day",
    )
)
# A sentence that opens so is an order, a question or a test
_ORDERS = IMPERATIVES - _CONNECTIVES
_PERFECT = word_set("has have having 've i've we've they've it's")
# "We plan a limit of 5": of people these are verbs
_INTENDING = word_set("plan plans aim aims expect expects need needs try tries target targets vote votes dream wait")
# One time in the past, whatever it was
_EVENTS = word_set(
    "bought sold spent met saw ate drank visited ordered attended watched flew drove walked scored happened occurred"
)
_PEOPLE = word_set("i we they you he she people everybody everyone")
_IN_MONTH = word_set("in since of early late mid on last this next")
# Sentences of change: they act on the key, and stay as they are
_CHANGED = word_set(
    "renamed bumped upgraded downgraded updated changed raised increased lowered reduced decreased moved switched "
    "migrated replaced swapped doubled halved extended shortened cut dropped relocated transferred rose fell climbed "
    "went gone"
)
_BEFORE_VALUE = re.compile(r"[\w$€£¥+\-−.@/~^<>!%#]\Z")
_AFTER_VALUE = re.compile(r"[\w%@]|[.:/_-]\w")
_PER = re.compile(r", per\b")
_ROLE = re.compile(r"(?P<kind>(?:[Tt]he )?[\w -]{1,40}?) (?:that|which|who) (?P<verb>\w+) (?P<rest>.+)", re.DOTALL)
# It tells no case in which something holds
_OPENER = re.compile(
    r"(?:In the end|At (?:long )?last|After all|All in all|With us|As it (?:happens|turns out)|In short|In fact"
    r"|Long story short|By now|As things stand|For the record|Good news|Finally|Meanwhile),?\s+"
)
_POSSESSIVE = ("'s", "’s", "s'", "s’")
_DETERMINERS = word_set("the my our a an this that")
_SEPARATORS = re.compile(r"[=:,;|()\[\]{}\"'`“”‘’]")


def asserts(sentence: str) -> bool:
    """Whether a statement may assert a value that holds now, whatever a model says of it.

    Questions, orders, plans, conditions, doubts, negations, reported and quoted speech, past
    events and additions do not; the words are those by which the grammar tells them.

    Example:
        >>> [asserts(s) for s in ("They settled on 45 seconds.", "Is it 45?", "We should use 45.", "It isn't 45.")]
        [True, False, False, False]
    """
    bare = sentence.strip()
    ending = bare.rstrip("\"'”’)]*_ ")
    if not ending or len(bare) > LONGEST_STATEMENT or ending[-1] in "?…:" or ending.endswith("..."):
        return False
    if _SPOKEN_QUOTES.get(bare[0]) == bare.rstrip(".!")[-1:]:
        return False
    hidden = masked(bare)
    if _ASKING.search(hidden):
        return False
    words = [w.strip(_TRIM).replace("’", "'") for w in hidden.split()]
    if words and words[0].lower() in _ORDERS and not words[0].isupper():
        return False
    for n, word in enumerate(words):
        lower = word.lower()
        if lower.endswith(("n't", "'ll", "'d")):
            return False
        before = words[n - 1].lower() if n else ""
        after = words[n + 1].lower() if n + 1 < len(words) else ""
        if (lower in _INTENDING and (before in _PEOPLE or after == "to")) or (lower == "to" and after == "be"):
            return False
        if lower in _EVENTS:
            return False
        if lower not in UNASSERTED or lower == "since":
            continue
        if lower == "been" and before in _PERFECT:  # "has been listening on" holds now
            continue
        if lower == "used" and after != "to":  # "is used by" is no past
            continue
        if word == "May" and (before in _IN_MONTH or after[:1].isdigit() or before[:1].isdigit()):
            continue
        return False
    return True


def ground(
    text: str, statement: Statement, triple: Triple, reading: Reading, beside: Sequence[Triple] = ()
) -> Fact | Rejection:
    """Make a fact of a triple, or say why it is none.

    Args:
        text: The whole text.
        statement: The statement that the triple was read in.
        triple: What the model says.
        reading: The vocabulary, and how to read by it.
        beside: The other triples of the statement: what they name is theirs.

    Returns:
        The fact, its object a verbatim span of the statement and its key and value as the
        grammar writes them, or the reason why there is none.
    """
    vocabulary = reading.vocabulary
    entry = vocabulary.relation_of(_surface(triple.relation))
    if entry is None:
        return "relation"
    sentence = text[statement.start : statement.end].rstrip()
    if sentence[-1:] in ".!":
        sentence = sentence[:-1]
    place = _find(sentence, triple.object)
    if place is None:
        return "object"
    start, end = place
    around = f"{sentence[:start]} ¤ {sentence[end:]}"
    above = " ".join((*statement.headings, *statement.parents))
    triple = triple._replace(subject=_as_written(triple.subject, f"{around} {above}"))
    if not _says(around, above, triple, sentence[start:end]) or not _sound(triple.subject):
        return "subject"
    if _of_another(sentence, start, end, entry, vocabulary):
        return "relation"
    if _one_of_several(sentence, start, end, triple):
        return "value"
    said, at = _without_opener(sentence, place, triple.subject)
    said, at = _core(said, at, content_words(triple.subject) - content_words(above))
    theirs = [p for t in beside if (p := _find(said, t.object)) and p != at]
    taken = frozenset(w for t in beside for w in content_words(t.subject))
    named = entry.name == "is named" and _ROLE.fullmatch(triple.subject) is not None
    if not slotted(sentence, place, triple.subject, named=named):
        return "value"
    subject = completed(
        said, at, triple.subject, content_words(above), triple.relation, theirs, taken, named_by=entry.nouns
    )
    if subject is None:
        return "subject"
    if entry.cardinality != "functional":
        return _loose(text, statement, triple, entry, subject, place, reading)
    if is_opinion(subject.split()):
        return "subject"
    fact = _in_plain_words(statement, subject, sentence[start:end], entry, reading)
    claim = _judged(sentence, place, subject, entry, triple.relation)
    if (fact is None and claim is None) or not _fits(entry, sentence[start:end]):
        return "value"
    lacking = None if named else bears_out(sentence, place, subject, entry)
    if lacking is not None:
        return lacking
    narrative = any(w.strip(_TRIM).lower() in _CHANGED for w in around.split())
    if fact is None and claim is not None:
        offset = statement.start
        claim = claim._replace(start=claim.start + offset, end=claim.end + offset, rule=reading.rule)
        fact = fact_of_claim(text, statement, claim._replace(narrative=narrative), reading.aliases)
    if fact is None:
        return "value"
    fact = replace(fact, span=(statement.start, statement.end), rule=reading.rule, narrative=narrative)
    if not is_sound(text, fact):
        return "value"
    if narrative and (is_undone(text, statement.end) or is_for_once(sentence, [fact])):
        return "unasserted"
    if triple.cardinality in ("set", "unknown") and entry.name not in reading.sure:
        fact = replace(fact, cardinality="set" if triple.cardinality == "set" else "unknown")
    return fact


def _in_plain_words(statement: Statement, subject: str, value: str, entry: Relation, reading: Reading) -> Fact | None:
    """Return the fact that the grammar reads in "The X is V.", if it reads that one there and nothing else."""
    if entry.name != "is" or statement.parents:
        return None
    first, *more = subject.split()
    named = first[0].isupper() and all(w[0].isupper() for w in more)
    bare = named or first.lower() in _DETERMINERS or is_identifier(first) or first.endswith(_POSSESSIVE)
    above = "".join(f"{'#' * min(n, 6)} {heading}\n\n" for n, heading in enumerate(statement.headings, 1))
    article = "" if bare else "The "
    found = reading.grammar.extract([f"{above}{article}{subject} is {value}."])[0]
    fact = found.facts[0] if len(found.facts) == 1 else None
    clean = fact is not None and not found.prose and not fact.narrative and fact.object == value
    return fact if clean else None


def _surface(relation: str) -> str:
    """Return a relation as a phrase, also when it is written as a name: "listens_on", "listensOn"."""
    phrase = relation.strip().strip("\"'`.")
    if " " not in phrase:
        phrase = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", phrase.replace("_", " ").replace("-", " "))
    return " ".join(phrase.lower().split())


def _find(sentence: str, value: str) -> tuple[int, int] | None:
    """Return where a value stands in a sentence as a whole, quotes around it left out."""
    words = value.split()
    if value.lower() in SUBJECT_STOPPERS or not words or len(value) > LONGEST_STATEMENT:
        return None
    for written in dict.fromkeys((" ".join(words), " ".join(words).strip("\"'`“”‘’").rstrip(".,;"))):
        if not written.strip():
            continue
        for match in re.finditer(r"\s+".join(re.escape(w) for w in written.split()), sentence):
            start, end = match.span()
            before, after = sentence[:start], sentence[end:]
            cut = _BEFORE_VALUE.search(before) and match[0][0] not in "$€£¥+-−/@~^<>=!#"
            cut = cut or before.rpartition(" ")[0].rpartition(" ")[2] in METHODS  # of "POST /users"
            if cut or (before and before[-1].isalnum()) or before.endswith(("<=", ">=", "!=", "~=")):
                continue
            if _AFTER_VALUE.match(after) and match[0][-1] not in "/%":
                continue
            return _whole(sentence, start, end)
    return None


def _whole(sentence: str, start: int, end: int) -> tuple[int, int]:
    """Take the unit and the rest of a name that a model left out: "30" of "30 seconds" is another value."""
    if start and _QUOTES.get(sentence[start - 1]) == sentence[end : end + 1] != "":
        return start, end
    typed = find_typed(sentence, start, len(sentence))
    more = sentence[end : typed[1]].strip().lower() if typed is not None else ""
    if more in FINITE_VERBS or ("." in sentence[start:end] and more in THIRD):
        return start, end  # "16.0 is the version", "16.0 serves as the version"
    return (start, typed[1]) if typed is not None and typed[0] == start and typed[1] > end else (start, end)


def _without_opener(sentence: str, place: tuple[int, int], subject: str) -> tuple[str, tuple[int, int]]:
    """Return a statement without what only opens it, and where its value stands there: "In the end, ..."."""
    opener = _OPENER.match(sentence, 0, place[0])
    if opener is None or content_words(opener[0]) & content_words(subject):
        return sentence, place
    cut = opener.end()
    return sentence[cut:], (place[0] - cut, place[1] - cut)


def _core(sentence: str, place: tuple[int, int], own: frozenset[str]) -> tuple[str, tuple[int, int]]:
    """Return a statement without what people say around its fact, and where its value stands there.

    "I'm living in Sheffield now" is "I am living in Sheffield". The statement itself where the subject
    or the value doesn't stand in that, and where what is left out may say of which case it speaks.
    """
    core = core_of(sentence, 0, len(sentence))
    if core.places is None or _PER.search(sentence, place[1]):
        return sentence, place
    kept = [n for n, at in enumerate(core.places) if place[0] <= at < place[1]]
    if len(kept) != place[1] - place[0]:
        return sentence, place
    start, end = kept[0], kept[-1] + 1
    if end - start != len(kept) or not own <= content_words(f"{core.text[:start]} {core.text[end:]}"):
        return sentence, place
    return core.text, (start, end)


def _as_written(subject: str, said: str) -> str:
    """Return a subject with the capitals and endings that its words have in the statement."""
    written: dict[str, str] = {}
    for token in said.split():
        bare = token.strip(_TRIM)
        for form in (bare.lower(), singular(bare.lower())):
            written.setdefault(form, bare)
    known = {t.strip(_TRIM) for t in said.split()}
    words = []
    for token in subject.split():
        bare = token.strip(_TRIM)
        lower = bare.lower()
        if not bare or bare in known or is_identifier(bare) or lower in SUBJECT_STOPPERS or not bare.isalpha():
            words.append(token)
        else:
            words.append(token.replace(bare, written.get(lower) or written.get(singular(lower)) or bare))
    return " ".join(words)


def _says(around: str, above: str, triple: Triple, written: str) -> bool:
    """Whether a statement without its value, or what it stands under, has the content words of a subject."""
    words = content_words(triple.subject)
    there = content_words(around) | content_words(_SEPARATORS.sub(" ", around)) | content_words(above)
    if written.rstrip("`").endswith("()"):  # the brackets say it
        there |= {"function"}
    return bool(words) and words <= there


def _sound(subject: str) -> bool:
    """Whether a subject names one thing; a role is judged without its verb."""
    subject = subject.strip()
    role = _ROLE.fullmatch(subject)
    if role is not None:
        if role["verb"].lower() in SHARED_ROLES:
            return False
        subject = f"{role['kind']} of {role['rest']}"
    return subject_is_sound(masked(subject), subject, EMBEDDING)


def _of_another(sentence: str, start: int, end: int, entry: Relation, vocabulary: Vocabulary) -> bool:
    """Whether the verb right before a value is one that holds several, and not the one that the model says."""
    words = [w for w in sentence[max(0, start - 60) : start].lower().split() if w not in ("a", "an", "the")]
    if sentence[end:].lstrip().startswith("as "):  # "uses 45 seconds as the timeout"
        return False
    for count in (3, 2, 1):
        known = vocabulary.relation_of(" ".join(words[-count:])) if len(words) >= count else None
        if known is not None:
            return known.cardinality == "set" and known.name != entry.name
    return False


def _one_of_several(sentence: str, start: int, end: int, triple: Triple) -> bool:
    """Whether a value is one of a list, or only near the true one: "8080 and 9090", "just under 100"."""
    words = sentence[:start].lower().rstrip("\"'`“ ").split()
    last = words[-1].strip("(") if words else ""
    nearly = last in _NEARLY or (words[-2:] == ["up", "to"] and not _went_up(words[:-2], triple.subject))
    if nearly and last not in _surface(triple.relation).split():
        return True
    after = _LISTS_ON.match(sentence, end)
    if after is not None and find_typed(sentence, after.end(), len(sentence)) is not None:
        return True
    if last not in ("and", "or", "&") and not sentence[:start].rstrip().endswith(","):
        return False
    stop = start - len(sentence[:start]) + len(sentence[:start].rstrip())
    stop = sentence.rfind(" ", 0, stop) if last in ("and", "or", "&") else stop - 1
    before = sentence[: max(stop, 0)].rstrip(" ,")
    return any(
        (typed := find_typed(before, m.start(), len(before))) is not None and typed[2] == len(before)
        for m in re.finditer(r"\S+", before)
    )


def _went_up(words: Sequence[str], subject: str) -> bool:
    """Whether "up to" tells where something went: "went up to", "bumped the API up to", not "has a limit of up to"."""
    verb = max((n for n, w in enumerate(words) if w in _CHANGED), default=-1)
    return verb >= 0 and content_words(" ".join(words[verb + 1 :])) <= content_words(subject.lower())


def _fits(entry: Relation, written: str) -> bool:
    """Whether a value may stand in a relation at all: no place is 30 minutes, and no price is a name."""
    dimension = canonical_value(written)[1].partition(":")[0]
    if entry.name == "costs":
        return dimension in ("money", "number", "count", "rate")
    return entry.slot not in _NAMING_SLOTS or dimension not in _MEASURES


def _judged(sentence: str, place: tuple[int, int], subject: str, entry: Relation, relation: str) -> Claim | None:
    """Let the grammar judge the plain sentence of a triple; the claim's places are those of the statement."""
    start, end = place
    if start and _QUOTES.get(sentence[start - 1]) == sentence[end : end + 1] != "":
        start, end = start - 1, end + 1
    surface = _surface(relation)
    if not surface.replace(" ", "").isalpha():
        surface = entry.name
    plain = f"{subject} {surface} {sentence[start:end]}"
    pos = len(plain) - (end - start)
    verb = Verb(len(subject) + 1, pos - 1, entry, len(surface.split()))
    claim = read_complement(plain, subject, verb, 0, pos)
    if claim is None or claim.start < pos:
        return None
    return claim._replace(start=claim.start - pos + start, end=claim.end - pos + start)


def _loose(
    text: str,
    statement: Statement,
    triple: Triple,
    entry: Relation,
    subject: str,
    place: tuple[int, int],
    reading: Reading,
) -> Fact:
    """Make a fact that never supersedes; the model may only tell what the table leaves unknown."""
    start, end = statement.start + place[0], statement.start + place[1]
    fact = fact_of_claim(text, statement, Claim(subject, entry, start, end, reading.rule), reading.aliases)
    cardinality: Cardinality = entry.cardinality
    if cardinality == "unknown" and triple.cardinality == "set":
        cardinality = "set"
    value, dimension = canonical_value(text[start:end])
    return replace(fact, cardinality=cardinality, value=value, dimension=dimension)
