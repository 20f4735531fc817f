"""The grammar: statements to facts, without a model, a network or a clock."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from memstrata_integrations.canonical import canonical_subject, is_identifier
from memstrata_integrations.extraction.aliases import Aliases
from memstrata_integrations.extraction.amounts import in_digits, in_plain_digits, is_amount, place_of
from memstrata_integrations.extraction.chain import Composable
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.line import (
    field_claims,
    has_caption,
    line_in_words,
    lone_line,
    noted_claims,
    scoped_claims,
    taken_back,
)
from memstrata_integrations.extraction.making import fact_of_claim
from memstrata_integrations.extraction.markup import read_marked_up
from memstrata_integrations.extraction.note_lines import note_claims
from memstrata_integrations.extraction.pages import Page, headings_of
from memstrata_integrations.extraction.readers import DESCRIBED
from memstrata_integrations.extraction.records import UNNAMED, captions_of, is_shown, records_of
from memstrata_integrations.extraction.sentence import beside_ending, sentence_claims
from memstrata_integrations.extraction.sentences.alternations import one_name
from memstrata_integrations.extraction.sentences.asides import is_quoting
from memstrata_integrations.extraction.sentences.endings import endings_of, without_restated
from memstrata_integrations.extraction.sentences.folding import folded_name
from memstrata_integrations.extraction.sentences.fronts import condition_of, under_front
from memstrata_integrations.extraction.sentences.hedges import is_hedged
from memstrata_integrations.extraction.sentences.idioms import is_logged, is_no_value, may_be_idiom
from memstrata_integrations.extraction.sentences.lines import pin_claim, row_claims
from memstrata_integrations.extraction.sentences.misdirected import is_misdirected, starts_later
from memstrata_integrations.extraction.sentences.of_speaker import LONGEST_TURN, of_the_speaker
from memstrata_integrations.extraction.sentences.pointing import numbers_a_record, points
from memstrata_integrations.extraction.sentences.retold import is_for_once, is_undone, otherwise_compared
from memstrata_integrations.extraction.sentences.retractions import frames_all
from memstrata_integrations.extraction.sentences.ruling import OF_A_KIND
from memstrata_integrations.extraction.sentences.scaffolding import opens_with_remark
from memstrata_integrations.extraction.sentences.setting_names import in_words
from memstrata_integrations.extraction.sentences.shared import is_shared
from memstrata_integrations.extraction.sentences.states_of_days import is_standing_order
from memstrata_integrations.extraction.sentences.unsaid import with_unsaid
from memstrata_integrations.extraction.statements import Statement, statements, suppresses
from memstrata_integrations.extraction.tables import Cell
from memstrata_integrations.extraction.telling import as_told, in_place_of, key_of, may_act, told_of, told_otherwise
from memstrata_integrations.facts import Cardinality, Extraction, Fact, is_beside
from memstrata_integrations.relations import BUILT_IN, Relation, Vocabulary, relation_name
from memstrata_integrations.words import unaccented, word_set

__all__ = ["GrammarExtractor"]

logger = logging.getLogger("memstrata_integrations")

_LONG_PROSE = 200  # characters: from here on a text may have been cut at its edges
# Words at which no sentence starts in lower case, unless it was cut
_INNER_STARTS = word_set(
    "of and or but to in for with which that who by as is are was were be from on at than then because so while"
)


class GrammarExtractor(Composable):
    """Reads facts by rule: deterministic, and in doubt silent.

    Args:
        relations: Verbs to read besides those of the built-in table, with their aliases.
        cardinalities: Relation to how many values it has at a time, as in a policy; goes before
            both tables, and makes a relation of a verb that neither has.
        aliases: Other names of subjects, each with the name that it stands for.

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
        self,
        relations: Iterable[Relation] = (),
        cardinalities: Mapping[str, Cardinality] | None = None,
        *,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self._relations = tuple(relations)
        self._aliases = Aliases(aliases) if aliases else None
        self._named = dict(aliases or {})
        self._cardinalities = dict(cardinalities or {})
        plain = not self._relations and not self._cardinalities
        self._vocabulary = BUILT_IN if plain else Vocabulary(self._relations, self._cardinalities)

    @property
    def functional(self) -> tuple[str, ...]:
        """The canonical names of the relations whose facts can supersede."""
        return self._vocabulary.functional

    @property
    def aliases(self) -> dict[str, str]:
        """Other names of subjects, each with the name that it stands for."""
        return dict(self._named)

    def with_cardinalities(self, cardinalities: Mapping[str, Cardinality]) -> GrammarExtractor:
        """Return an extractor that also knows these relations; they go before its own."""
        if not cardinalities:
            return self
        return GrammarExtractor(self._relations, {**self._cardinalities, **cardinalities}, aliases=self._named)

    def canonical_key(self, subject: str, relation: str | None = None) -> tuple[str, str | None]:
        """Return the subject and relation under which facts hold what a user names.

        Example:
            >>> GrammarExtractor(aliases={"k8s": "kubernetes"}).canonical_key("K8s's owner", "is")
            ('kubernetes', 'is owned by')
        """
        name = relation_name(relation) if relation is not None else None
        resolved = self._aliases.resolve(subject) if self._aliases else subject
        if (spelt := in_words(resolved)) is not None:
            resolved = spelt.subject
        if name in (None, "is"):
            resolved, verb = folded_name(resolved)
            if verb is None:
                resolved, verb = one_name(resolved)
            name = verb or name
        return canonical_subject(resolved), name

    def keys_of_name(self, name: str) -> list[tuple[str, str]]:
        """Return the keys that facts have which are told as "NAME is VALUE", whatever kind of value it is.

        Example:
            >>> ("alice phone", "is") in GrammarExtractor().keys_of_name("Alice's phone number")
            True
        """
        sentences = [f"{opening}{name} is {value}." for opening in ("", "The ") for value in _SAMPLES]
        facts = [f for found in self.extract(sentences) for f in found.facts if not f.narrative]
        owner = canonical_subject(name.partition(" of ")[2] or name.replace("’", "'").rpartition("'s ")[0])
        keys = dict.fromkeys((f.subject, f.relation) for f in facts)
        return [(s, r) for s, r in keys if r != "is" or not set(s.split()) <= set(owner.split())]

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return what each text states, in order.

        A text whose metadata names the file that it is a piece of is read as such, with exact keys.
        """
        if metadatas is None:
            return [self._soundly(text, None) for text in texts]
        return [self._soundly(text, metadata) for text, metadata in zip(texts, metadatas, strict=True)]

    def _soundly(self, text: str, metadata: Mapping[str, Any] | None) -> Extraction:
        """Read a text; a fault of a rule costs its facts, and not the write of all the others."""
        try:
            return self._extract(text, metadata)
        except Exception:
            logger.exception("a fault of the grammar, please report it; this text is kept as prose: %.200r", text)
            return Extraction((), True)

    def _extract(self, text: str, metadata: Mapping[str, Any] | None) -> Extraction:
        if metadata:
            from memstrata_integrations.extraction.sources import read_source

            found = read_source(text, metadata)
            if found is not None:
                return self._known(found)
        return read_marked_up(text, partial(self._read_plainly, metadata=metadata))

    def _read_plainly(self, text: str, metadata: Mapping[str, Any] | None) -> Extraction:
        """Read a text as if its letters had no accents and its amounts were digits; values are given as they stand."""
        plain = in_digits(unaccented(text))
        found = _read(plain, self._vocabulary, self._aliases, metadata)
        return found if plain == text else _as_written(found, plain, text)

    def _known(self, found: Extraction) -> Extraction:
        """Leave out facts of relations that a user says do not supersede."""
        if self._vocabulary is BUILT_IN:
            return found
        kept = tuple(f for f in found.facts if self._vocabulary.cardinality_of(f.relation) == "functional")
        return Extraction(kept, found.prose or len(kept) < len(found.facts))

    def __repr__(self) -> str:
        given = [f"relations={self._relations!r}"] * bool(self._relations)
        given += [f"cardinalities={self._cardinalities!r}"] * bool(self._cardinalities)
        given += [f"aliases={self._named!r}"] * bool(self._named)
        return f"GrammarExtractor({', '.join(given)})"


_SPEAKERS = frozenset(("i", "we"))
_OF_ONE_USER = ("user_id", "session_id")

_SAMPLES = ("5", "30 seconds", "5 MB", "5 euros", "100 requests per minute", "555 010 0199", "v1.2.3", "/a/b", "Monday",
            "4 May 2031", "9:00", "Ann Example", "Oslo", "5 Elm Street", "every 5 minutes", "a@b.example")  # fmt: skip
"""A value of each kind that may decide how a fact is keyed."""


class _Found:
    """The facts of one text, and whether it says anything else."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.prose = False

    def read(self, spoken: tuple[list[Claim], bool]) -> list[Claim]:
        """Take the claims of a sentence, and whether some clause of it says something else."""
        self.prose = self.prose or spoken[1]
        return spoken[0]

    def add_beside(self, fact: Fact) -> None:
        """Add what a sentence acts on besides the key that it states, unless that is the same."""
        key = fact.subject, fact.relation, fact.dimension
        if all(key != (f.subject, f.relation, f.dimension) for f in self.facts):
            self.facts.append(fact)

    def add(self, facts: Iterable[Fact], vocabulary: Vocabulary) -> None:
        """Add facts that may have more than one value for all that a user says."""
        for fact in facts:
            if vocabulary is BUILT_IN or vocabulary.cardinality_of(fact.relation) == "functional":
                self.facts.append(fact)
            else:
                self.prose = True


def _as_written(found: Extraction, plain: str, text: str) -> Extraction:
    """Give the values of a text that was read without its accents, and in digits, as they stand in it."""
    facts = []
    for fact in found.facts:
        at = place_of(fact.object, plain, fact.span) if fact.object else -1
        written = text[at : at + len(fact.object)] if fact.object and at >= 0 else fact.object
        if written != fact.object:
            fact = replace(fact, object=written)
        subject, value = in_plain_digits(fact.subject, text, plain), fact.value
        if any(map(str.isalpha, value)):  # and no date or time, whose zeros are its own
            value = in_plain_digits(value, text, plain)
        if (subject, value) != (fact.subject, fact.value):
            fact = replace(fact, subject=canonical_subject(subject), value=value)
        facts.append(fact)
    return Extraction(tuple(facts), found.prose)


def _read(
    text: str,
    vocabulary: Vocabulary,
    aliases: Aliases | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Extraction:
    found = _Found()
    listed = list(statements(text, headings_of(metadata)))
    page = Page(text, listed, metadata)
    if page.facts:
        found.add(page.facts, vocabulary)
    found.prose = page.prose or found.prose
    spoken = [s for s in page.rest if s.kind != "context"]
    if not spoken and not page.facts:
        return Extraction((), False) if listed else Extraction()
    several = len(listed) > 1
    quoted_blocks = several and any(not s.fenced for s in spoken)  # beside a fenced one
    records = records_of(text, spoken)
    captions = captions_of(text, listed) if several else {}
    context_lines: list[Statement] = []
    last = len(spoken) - 1
    changed: list[Fact] = []
    knows_user = metadata is not None and any(metadata.get(field) for field in _OF_ONE_USER)
    refused = len(spoken) != 1
    framed = refused and frames_all(text[spoken[0].start : spoken[0].end]) if spoken else False
    for n, statement in enumerate(spoken):
        said = text[statement.start : statement.end]
        if (
            statement.kind == "prose"
            or (framed and statement.headings == spoken[0].headings)
            or (statement.fenced and quoted_blocks)
            or (statement.headings and suppresses(statement.headings))
            or (captions and is_shown(captions.get(statement.start, "")))
            or taken_back(text, statement, spoken[n + 1] if n < last else None)
            or records.get(n) == UNNAMED
            or is_logged(text, statement.start)
            or is_quoting(said)
        ):
            found.prose = True
            refused = refused or text[:1] != "|"
            continue
        acting = may_act(said)
        if n not in records and (noted := note_claims(text, statement, vocabulary)):
            claims, acting, statement = noted, False, statement._replace(kind="sentence")
        elif statement.kind == "sentence":
            if (n == 0 and not said[0].isupper() and _starts_inside(text, statement, len(spoken))) or (
                n == last and len(text) > _LONG_PROSE and _ends_inside(text, statement)
            ):
                found.prose = True
                continue
            in_place = partial(in_place_of, statement, vocabulary, aliases) if acting else None
            if in_place and (ended := endings_of(text, statement.start, statement.end, in_place)):
                found.add([f for e in ended if (f := page.confined(e, statement)) is not None], vocabulary)
                found.prose = True
                for beside in beside_ending(text, statement, in_place, vocabulary):
                    told = page.confined(fact_of_claim(text, statement, beside, aliases), statement)
                    found.add([told] if told is not None else [], vocabulary)
                continue
            claims = found.read(sentence_claims(text, statement, vocabulary))
            if claims and DESCRIBED not in said and points(said, knows_user=knows_user):
                claims = [c for c in claims if c.rule == OF_A_KIND]
        elif statement.kind == "row":
            claims = list(row_claims(text, statement.start, statement.end, statement.header))
        elif statement.kind == "pin":
            pinned = pin_claim(text, statement.start, statement.end)
            claims = [pinned] if pinned else []
        else:
            if n in records and records[n] is None:
                context_lines.append(statement)
                continue
            claims = noted_claims(text, statement, vocabulary) or field_claims(text, statement, records.get(n))
            if not claims and not statement.listed and n not in records and not has_caption(text, statement):
                claims = found.read(sentence_claims(text, statement, vocabulary))
        if not claims and statement.kind in ("sentence", "field"):
            claims = scoped_claims(text, statement, vocabulary)
        tales = told_of(text, statement, vocabulary, aliases) if acting else []
        ordered = bool(tales) and is_standing_order(said)
        if tales and not ordered:
            claims, tales = as_told(text, statement, claims, tales)
        once = bool(tales) and is_for_once(said, tales)
        followed = statement.end < len(text)  # what takes a change back stands behind it
        if once or (followed and (tales or any(c.narrative for c in claims)) and is_undone(text, statement.end)):
            claims, tales, found.prose = [c for c in claims if not c.narrative], [], True
        if vocabulary is not BUILT_IN:
            claims = [c for c in claims if vocabulary.cardinality_of(c.relation.name) == "functional"]
        if not statement.headings and not statement.parents:
            claims = [c for c in claims if c.relation.name != "is" or not numbers_a_record(c.subject)]
        if claims and (
            condition := condition_of(claims[0].subject, said, text[max(0, claims[0].start) : claims[0].end])
        ):
            claims = [c._replace(subject=f"{c.subject} {condition}") for c in claims]
        cells = page.beside(claims, statement) if page.cells else []
        if not claims and not cells:
            found.prose = True
        stated: list[Claim | Cell] = [*claims, *cells]
        if cells:
            stated.sort(key=attrgetter("start"))
        for claim in stated:
            told = claim.fact if isinstance(claim, Cell) else fact_of_claim(text, statement, claim, aliases)
            if isinstance(claim, Claim) and (told.local or captions):
                spoken_of = statement.kind != "sentence" or _SPEAKERS.isdisjoint(told.subject.split())
                if spoken_of and (caption := captions.get(statement.start)):
                    beneath = statement._replace(parents=(caption, *statement.parents))
                    told = replace(fact_of_claim(text, beneath, claim, aliases), local=told.local)
            alone = len(claims) == 1 or all(c.start == claim.start for c in claims)
            if told.local and isinstance(claim, Claim) and alone:
                told = with_unsaid(text, statement, told)
            fact = page.confined(told, statement)
            if fact is None:
                found.prose = True
                continue
            if vocabulary is not BUILT_IN and vocabulary.cardinality_of(fact.relation) != "functional":
                found.prose = True  # "Alice's employer is Acme" is "works for", which a user may have stopped
                continue
            if isinstance(claim, Claim) and claim.beside:
                found.add_beside(replace(fact, beside=True))
                continue
            found.facts.append(fact)
            found.prose = found.prose or (fact.narrative and not is_beside(fact, found.facts))
            if isinstance(claim, Claim) and (claim.changed or fact.narrative):
                found.facts += otherwise_compared(fact)
                changed += [fact] * (not fact.narrative)
        if tales:
            tales = [
                under_front(with_unsaid(text, statement, tale), said, captions.get(statement.start)) for tale in tales
            ]
        known = {(f.subject, f.relation, f.dimension) for f in found.facts} if tales else ()
        for tale in tales:
            if (tale.subject, tale.relation, tale.dimension) not in known:
                found.add([f] if (f := page.confined(tale, statement)) is not None else [], vocabulary)
            found.prose = found.prose or not (ordered or tale.beside)
        for tale in (
            told_otherwise(text, statement, vocabulary, aliases) if (acting or statement.start) and not once else ()
        ):
            tale = under_front(with_unsaid(text, statement, tale), said, captions.get(statement.start))
            if (f := page.confined(tale, statement)) is None:
                continue
            if is_beside(f, found.facts):
                found.add_beside(replace(f, beside=True))
            elif all(key_of(f) != key_of(known_fact) for known_fact in found.facts):
                found.add([f], vocabulary)
                found.prose = True
    if page.facts:
        found.facts.sort(key=lambda fact: fact.span[0])
    if not found.facts and len(spoken) == 1 and (line := lone_line(text, spoken[0])) is not None:
        found.add([fact_of_claim(text, spoken[0], line, aliases)], vocabulary)
        found.prose = False
    if not found.facts and not refused:
        place = spoken[0]._replace(kind="sentence")
        for claim in line_in_words(text, vocabulary):
            told = fact_of_claim(text, place, claim, aliases)
            found.add([told, *(otherwise_compared(told) if claim.changed else ())], vocabulary)
        found.prose = found.prose and all(f.narrative for f in found.facts)
    valued = [f for f in found.facts if _is_sound(text, f)]
    found.facts, found.prose = valued, found.prose or len(valued) < len(found.facts)
    if len(valued) > 1:
        _drop_contradictions(found)
        found.facts = without_restated(found.facts)
    if context_lines and not found.facts:
        found.prose = True
    told_anew = [f for f in found.facts if f.narrative]
    if len(text) <= LONGEST_TURN and (changed or told_anew):
        found.facts += of_the_speaker([*changed, *(f for f in told_anew if not f.beside)])
    facts = found.facts
    if told_anew:
        facts = [replace(f, beside=True) if is_beside(f, found.facts) else f for f in found.facts]
    return Extraction(tuple(facts), found.prose or not facts)


def _starts_inside(text: str, statement: Statement, count: int) -> bool:
    """Whether the first sentence was cut off at its start."""
    if statement.headings or statement.listed or text[: statement.start].strip():
        return False
    first = text[statement.start : statement.end].split(None, 1)[0]
    if not first[0].islower() or is_identifier(first):
        return False
    return count > 1 or (first in _INNER_STARTS and not opens_with_remark(text[statement.start : statement.end]))


def _ends_inside(text: str, statement: Statement) -> bool:
    """Whether the last sentence of a long text was cut off at its end."""
    return (
        not statement.listed
        and text[statement.end - 1] not in ".!?\"'”’)`"
        and not text[statement.end :].strip()
        and statement.end - statement.start < len(text.strip())
    )


def _is_sound(text: str, fact: Fact) -> bool:
    """Whether a fact has one value at a time, and its sentence says that it has it now."""
    if _is_idle(text, fact) or is_shared(fact):
        return False
    if (fact.narrative or "chang" in fact.rule) and is_amount(fact.subject):
        return False  # "The fee rose $2 to $12": by how much is nothing that has a price
    sentence = text[fact.span[0] : fact.span[1]]
    return not starts_later(sentence) and not is_misdirected(sentence, fact)


def _is_idle(text: str, fact: Fact) -> bool:
    """Whether a fact has no value but an idiom or a placeholder: "built with care", "the owner is TBA"."""
    if fact.object is None:
        return False
    if is_hedged(fact.object, fact.dimension) or is_no_value(fact.object):
        return True
    if not may_be_idiom(fact.object):
        return False
    before = text[fact.span[0] : text.find(fact.object, fact.span[0])].split()
    return is_no_value(fact.object, before[-1] if before and before[-1] not in ("a", "the") else "".join(before[-2:-1]))


def _drop_contradictions(found: _Found) -> None:
    """Drop what one text states in two ways: something unseen tells them apart."""
    values: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for fact in found.facts:
        if not fact.narrative:
            values.setdefault((fact.subject, fact.relation), set()).add((fact.value, fact.dimension))
    if any(len(v) > 1 for v in values.values()):
        found.facts = [f for f in found.facts if f.narrative or len(values[f.subject, f.relation]) == 1]
        found.prose = True


_fact = fact_of_claim  # the name under which model-based extractors know it
