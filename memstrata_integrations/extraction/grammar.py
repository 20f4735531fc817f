"""The grammar: statements to facts, without a model, a network or a clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from memstrata_integrations.canonical import canonical_subject, content_words, is_identifier
from memstrata_integrations.extraction.changes import read_change
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.clauses import read_sentence
from memstrata_integrations.extraction.constructions import read_construction
from memstrata_integrations.extraction.entities import first_person, names_entity
from memstrata_integrations.extraction.lexicon import DURATION_NOUNS, GENERIC, VERSION_NOUNS
from memstrata_integrations.extraction.lines import field_claim, identifies, pin_claim, read_field, row_claims
from memstrata_integrations.extraction.roles import read_role
from memstrata_integrations.extraction.statements import Statement, statements, suppresses
from memstrata_integrations.facts import Cardinality, Extraction, Fact
from memstrata_integrations.relations import BUILT_IN, Relation, Vocabulary
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["GrammarExtractor"]

_LONG_PROSE = 200  # characters: from here on a text may have been cut at its edges
_LONGEST_SENTENCE = 600
# Words at which no sentence starts in lower case, unless it was cut
_INNER_STARTS = word_set(
    "of and or but to in for with which that who by as is are was were be from on at than then because so while"
)
_TRIM = "\"'`.,()"
_OF_PACKAGES = frozenset(("is pinned to", "has version"))


class GrammarExtractor:
    """Reads facts by rule: deterministic, and in doubt silent.

    Args:
        relations: Verbs to read besides those of the built-in table, with their aliases.
        cardinalities: Relation to how many values it has at a time, as in a policy; goes before
            both tables, and makes a relation of a verb that neither has.

    Example:
        >>> [extraction] = GrammarExtractor().extract(["The timeout of the billing service is 30 seconds."])
        >>> fact = extraction.facts[0]
        >>> fact.subject, fact.relation, fact.object, fact.value, extraction.prose
        ('billing service timeout', 'is', '30 seconds', '30', False)
        >>> mirrors = GrammarExtractor(cardinalities={"mirrors": "functional"})
        >>> [(f.subject, f.relation, f.object) for f in mirrors.extract(["replica-2 mirrors primary-1."])[0].facts]
        [('replica-2', 'mirrors', 'primary-1')]
    """

    def __init__(
        self, relations: Iterable[Relation] = (), cardinalities: Mapping[str, Cardinality] | None = None
    ) -> None:
        self._relations = tuple(relations)
        self._cardinalities = dict(cardinalities or {})
        plain = not self._relations and not self._cardinalities
        self._vocabulary = BUILT_IN if plain else Vocabulary(self._relations, self._cardinalities)

    @property
    def functional(self) -> tuple[str, ...]:
        """The canonical names of the relations whose facts can supersede."""
        return self._vocabulary.functional

    def with_cardinalities(self, cardinalities: Mapping[str, Cardinality]) -> GrammarExtractor:
        """Return an extractor that also knows these relations; they go before its own."""
        if not cardinalities:
            return self
        return GrammarExtractor(self._relations, {**self._cardinalities, **cardinalities})

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return what each text states, in order; the metadata plays no part."""
        return [_read(text, self._vocabulary) for text in texts]

    def __repr__(self) -> str:
        given = [f"relations={self._relations!r}"] * bool(self._relations)
        given += [f"cardinalities={self._cardinalities!r}"] * bool(self._cardinalities)
        return f"GrammarExtractor({', '.join(given)})"


class _Found:
    """The facts of one text, and whether it says anything else."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.prose = False


def _read(text: str, vocabulary: Vocabulary) -> Extraction:
    found = _Found()
    listed = list(statements(text))
    spoken = [s for s in listed if s.kind != "context"]
    if not spoken:
        return Extraction((), False) if listed else Extraction()
    quoted_blocks = any(not s.fenced for s in spoken)
    records = _records(text, spoken)
    context_lines: list[Statement] = []
    last = len(spoken) - 1
    for n, statement in enumerate(spoken):
        if statement.kind == "prose" or (statement.fenced and quoted_blocks) or suppresses(statement.headings):
            found.prose = True
            continue
        if statement.kind == "sentence":
            if (n == 0 and _starts_inside(text, statement, len(spoken))) or (
                n == last and _ends_inside(text, statement)
            ):
                found.prose = True
                continue
            claims = _sentence_claims(text, statement, vocabulary)
        elif statement.kind == "row":
            claims = list(row_claims(text, statement.start, statement.end, statement.header))
        elif statement.kind == "pin":
            pinned = pin_claim(text, statement.start, statement.end)
            claims = [pinned] if pinned else []
        else:
            if n in records and records[n] is None:
                context_lines.append(statement)
                continue
            claims = _field_claims(text, statement, records.get(n))
        if vocabulary is not BUILT_IN:
            claims = [c for c in claims if vocabulary.cardinality_of(c.relation.name) == "functional"]
        if not claims:
            found.prose = True
        for claim in claims:
            found.facts.append(_fact(text, statement, claim))
            found.prose = found.prose or claim.narrative
    _drop_contradictions(found)
    if context_lines and not found.facts:
        found.prose = True
    return Extraction(tuple(found.facts), found.prose or not found.facts)


def _starts_inside(text: str, statement: Statement, count: int) -> bool:
    """Whether the first sentence was cut off at its start."""
    if statement.headings or statement.listed or text[: statement.start].strip():
        return False
    first = text[statement.start : statement.end].split(None, 1)[0]
    if not first[0].islower() or is_identifier(first):
        return False
    return count > 1 or first in _INNER_STARTS


def _ends_inside(text: str, statement: Statement) -> bool:
    """Whether the last sentence was cut off at its end."""
    return (
        not statement.listed
        and len(text) > _LONG_PROSE
        and text[statement.end - 1] not in ".!?\"'”’)`"
        and not text[statement.end :].strip()
        and statement.end - statement.start < len(text.strip())
    )


def _sentence_claims(text: str, statement: Statement, vocabulary: Vocabulary) -> list[Claim]:
    start, end = statement.start, statement.end
    while end > start and text[end - 1] in " \n\t":
        end -= 1
    if end - start > _LONGEST_SENTENCE or end == start or text[end - 1] in "?…:" or text.endswith("...", start, end):
        return []
    if text[end - 1] in ".!":
        end -= 1
    claim = (
        read_change(text, start, end)
        or read_construction(text, start, end)
        or read_sentence(text, start, end, vocabulary)
        or read_role(text, start, end)
    )
    return [claim] if claim else []


def _records(text: str, spoken: Sequence[Statement]) -> dict[int, str | None]:
    """Map the fields of a record to the words that say which one it is, its identifying fields to `None`."""
    groups: dict[int, list[tuple[int, str, str]]] = {}
    known: dict[int, set[str]] = {}
    extra = 0
    current: dict[int, int] = {}
    for n, statement in enumerate(spoken):
        if statement.kind != "field":
            continue
        field = read_field(text, statement.start, statement.end)
        if field is None:
            continue
        group = current.get(statement.record, statement.record)
        key = field.key.casefold()
        if key in known.get(group, set()) and identifies(field.key):
            extra -= 1
            group = current[statement.record] = extra
        known.setdefault(group, set()).add(key)
        groups.setdefault(group, []).append((n, field.key, text[field.start : field.end].strip("\"'`")))
    found: dict[int, str | None] = {}
    for members in groups.values():
        if len(members) < 2:
            continue
        ranked = [(identifies(key), n, f"{key} {value}") for n, key, value in members]
        rank = "strong" if any(r[0] == "strong" for r in ranked) else "weak"
        chosen = [(n, words) for kind, n, words in ranked if kind == rank]
        if not chosen or len(chosen) == len(members):
            continue
        name = " ".join(words for _, words in chosen)
        for n, *_ in members:
            found[n] = name
        for n, _ in chosen:
            found[n] = None
    return found


def _field_claims(text: str, statement: Statement, record: str | None) -> list[Claim]:
    field = read_field(text, statement.start, statement.end)
    if field is None:
        return []
    if statement.listed or field.key in ("uses", "image"):
        pinned = pin_claim(text, field.start, field.end) if field.key == "uses" else None
        if pinned is not None:
            return [pinned._replace(end=min(pinned.end, field.end))]
    claim = field_claim(text, field, statement.listed, bool(statement.headings))
    if claim is None:
        return []
    if record:
        # "PROJ-12" is one ticket everywhere, "12" is not
        own = any(c.isalpha() for w in record.split() for c in w if any(d.isdigit() for d in w))
        claim = claim._replace(subject=f"{claim.subject} of {record}", local=None if own else True)
    return [claim]


def _fact(text: str, statement: Statement, claim: Claim) -> Fact:
    bare = claim.subject
    subject = _with_surroundings(bare, statement)
    canonical = canonical_subject(subject)
    span = (statement.start, statement.end)
    relation = claim.relation.name
    local = claim.local
    if local is None:
        local = not _is_global(bare, relation, statement)
    if claim.start < 0:
        return Fact(canonical, relation, None, "", "none", span, claim.rule, "functional", local, True)
    written = text[claim.start : claim.end]
    expected = claim.expected or _expected(bare, canonical, relation)
    value, dimension = canonical_value(written, "pin" if relation == "is pinned to" else expected)
    free = relation == "is" or claim.relation.slot == "free"
    if free and claim.expected != "name" and dimension in ("name", "identifier"):
        dimension, value = "text", value.casefold()  # a licence is "MIT" or "Apache-2.0"
    return Fact(
        canonical,
        relation,
        written,
        value,
        dimension,
        span,
        claim.rule,
        claim.relation.cardinality,
        local,
        claim.narrative,
    )


def _with_surroundings(subject: str, statement: Statement) -> str:
    above = (*reversed(statement.parents), *reversed(statement.headings))
    if not above:
        return subject
    words = content_words(subject)
    for heading in above:
        if not content_words(heading) <= words:
            subject += f" of {heading}"
    return subject


def _is_global(bare: str, relation: str, statement: Statement) -> bool:
    if first_person(bare):
        return False
    if any(names_entity(h, title=True) for h in statement.headings):
        return True
    if statement.kind == "sentence":
        # a name of a package stands without article, capital or underscore
        return names_entity(bare) or (relation in _OF_PACKAGES and bare.isalpha() and bare.lower() not in GENERIC)
    if statement.kind == "field":
        linked = any(w in ("of", "for") or w.endswith(("'s", "’s")) for w in bare.split())
        return linked and len(bare.split()) > 1 and names_entity(bare)
    return False


def _expected(bare: str, canonical: str, relation: str) -> str | None:
    """Return the dimension that the subject of "is" decides, if it does."""
    if relation not in ("is", "defaults to"):
        return None
    words = bare.split()
    if " " not in canonical and (is_identifier(canonical) or any(w.strip(_TRIM) == canonical.upper() for w in words)):
        return "setting"
    for before, word in pairwise(words):
        if before.lower() == "in" and is_identifier(word) and ("/" in word or "." in word):
            return "setting"
    head = canonical.rpartition(" ")[2]
    if head in VERSION_NOUNS:
        return "version"
    if head in DURATION_NOUNS:
        return "duration"
    return "endpoint" if head in ("endpoint", "route") else None


def _drop_contradictions(found: _Found) -> None:
    """Drop what one text states in two ways: something unseen tells them apart."""
    values: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for fact in found.facts:
        if not fact.narrative:
            values.setdefault((fact.subject, fact.relation), set()).add((fact.value, fact.dimension))
    if any(len(v) > 1 for v in values.values()):
        found.facts = [f for f in found.facts if f.narrative or len(values[f.subject, f.relation]) == 1]
        found.prose = True
