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
from memstrata_integrations.extraction.chain import Composable
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.making import fact_of_claim
from memstrata_integrations.extraction.pages import Page, headings_of
from memstrata_integrations.extraction.records import UNNAMED, captions_of, records_of, remarked_scope
from memstrata_integrations.extraction.sentences.acting import read_act
from memstrata_integrations.extraction.sentences.advice import read_advice
from memstrata_integrations.extraction.sentences.alternations import one_name
from memstrata_integrations.extraction.sentences.asides import is_aside, is_doubted
from memstrata_integrations.extraction.sentences.changes import read_change
from memstrata_integrations.extraction.sentences.clauses import read_sentence
from memstrata_integrations.extraction.sentences.code_lines import read_code_line
from memstrata_integrations.extraction.sentences.comparing import plain_value
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.constructions import read_construction
from memstrata_integrations.extraction.sentences.duties import read_duty
from memstrata_integrations.extraction.sentences.endings import endings_of, without_restated
from memstrata_integrations.extraction.sentences.everyday import read_everyday
from memstrata_integrations.extraction.sentences.folding import folded_name
from memstrata_integrations.extraction.sentences.frames import read_frame
from memstrata_integrations.extraction.sentences.governing import read_governed
from memstrata_integrations.extraction.sentences.held import read_held
from memstrata_integrations.extraction.sentences.joined import clauses_of
from memstrata_integrations.extraction.sentences.labels import read_label
from memstrata_integrations.extraction.sentences.lasting import lasting_core
from memstrata_integrations.extraction.sentences.lines import field_claim, pin_claim, read_field, row_claims
from memstrata_integrations.extraction.sentences.measures import read_measure
from memstrata_integrations.extraction.sentences.naming import read_naming
from memstrata_integrations.extraction.sentences.noted import read_noted
from memstrata_integrations.extraction.sentences.of_late import read_of_late
from memstrata_integrations.extraction.sentences.plain import read_plain
from memstrata_integrations.extraction.sentences.pointing import is_caption, numbers_a_record, points
from memstrata_integrations.extraction.sentences.regular import read_regular
from memstrata_integrations.extraction.sentences.reordering import plain_cores
from memstrata_integrations.extraction.sentences.retold import MAY_TELL, is_undone, retold
from memstrata_integrations.extraction.sentences.roles import read_role
from memstrata_integrations.extraction.sentences.several import may_be_another
from memstrata_integrations.extraction.sentences.signatures import read_signature
from memstrata_integrations.extraction.sentences.stating import read_stating
from memstrata_integrations.extraction.sentences.surroundings import bare_cores, prefix_of
from memstrata_integrations.extraction.sentences.technical import read_technical
from memstrata_integrations.extraction.sentences.using import read_use
from memstrata_integrations.extraction.sentences.weak import read_habit
from memstrata_integrations.extraction.sentences.whereabouts import read_whereabouts
from memstrata_integrations.extraction.sentences.wishes import read_wish
from memstrata_integrations.extraction.sentences.wording import Core, core_of, turned_core
from memstrata_integrations.extraction.statements import Statement, statements, suppresses
from memstrata_integrations.extraction.tables import Cell
from memstrata_integrations.facts import Cardinality, Extraction, Fact
from memstrata_integrations.relations import BUILT_IN, Relation, Vocabulary, relation_name
from memstrata_integrations.words import word_set

__all__ = ["GrammarExtractor"]

logger = logging.getLogger("memstrata_integrations")

_LONG_PROSE = 200  # characters: from here on a text may have been cut at its edges
_LONGEST_SENTENCE = 600
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
        if name in (None, "is"):
            resolved, verb = folded_name(resolved)
            if verb is None:
                resolved, verb = one_name(resolved)
            name = verb or name
        return canonical_subject(resolved), name

    def keys_of_name(self, name: str) -> list[tuple[str, str]]:
        """Return the keys that facts have which are told as "NAME is VALUE", whatever kind of value it is.

        Example:
            >>> GrammarExtractor().keys_of_name("Alice's phone number")
            [('alice phone', 'is')]
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
        return _read(text, self._vocabulary, self._aliases, metadata)

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


# A change closes what other words say of the same thing: who moved a meeting moved its start
_SIBLINGS = {
    name: tuple(found for other in others if (found := BUILT_IN.relation_of(other)) is not None)
    for name, others in {
        "works for": ("works at",),
        "works at": ("works for",),
    }.items()
}


# Words that leave open whether anything holds: no rule reads past them
_OPEN_WORDS = word_set(
    "should could might would shall won't wouldn't couldn't shouldn't maybe perhaps probably possibly likely unlikely "
    "hopefully if whether think thinks guess hope hopes believe believes wish imo imho supposedly allegedly apparently"
)


_MINE = word_set("my our")
_DESCRIBED = " described as: "  # what follows are words about a function, and no words of the sentence
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

    def add(self, facts: Iterable[Fact], vocabulary: Vocabulary) -> None:
        """Add facts that may have more than one value for all that a user says."""
        for fact in facts:
            if vocabulary is BUILT_IN or vocabulary.cardinality_of(fact.relation) == "functional":
                self.facts.append(fact)
            else:
                self.prose = True


def _read(
    text: str,
    vocabulary: Vocabulary,
    aliases: Aliases | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Extraction:
    found = _Found()
    listed = list(statements(text, headings_of(metadata)))
    page = Page(text, listed, metadata)
    found.add(page.facts, vocabulary)
    found.prose = found.prose or page.prose
    spoken = [s for s in page.rest if s.kind != "context"]
    if not spoken and not page.facts:
        return Extraction((), False) if listed else Extraction()
    quoted_blocks = any(not s.fenced for s in spoken)
    records = records_of(text, spoken)
    captions = captions_of(text, listed) if len(listed) > 1 else {}
    context_lines: list[Statement] = []
    last = len(spoken) - 1
    knows_user = metadata is not None and any(metadata.get(field) for field in _OF_ONE_USER)
    for n, statement in enumerate(spoken):
        if (
            statement.kind == "prose"
            or (statement.fenced and quoted_blocks)
            or suppresses(statement.headings)
            or _taken_back(text, statement, spoken[n + 1] if n < last else None)
            or records.get(n) == UNNAMED
        ):
            found.prose = True
            continue
        if statement.kind == "sentence":
            if (n == 0 and _starts_inside(text, statement, len(spoken))) or (
                n == last and _ends_inside(text, statement)
            ):
                found.prose = True
                continue
            in_place = partial(_in_place_of, statement, vocabulary, aliases)
            if ended := endings_of(text, statement.start, statement.end, in_place):
                found.add([f for e in ended if (f := page.confined(e, statement)) is not None], vocabulary)
                found.prose = True
                continue
            claims = found.read(_sentence_claims(text, statement, vocabulary))
            if claims and _points(text[statement.start : statement.end], knows_user):
                claims = []
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
            if not claims and not statement.listed and n not in records and not _has_caption(text, statement):
                claims = found.read(_sentence_claims(text, statement, vocabulary))
        tales = _told_of(text, statement, vocabulary, aliases)
        if tales:
            claims = [c for c in claims if c.narrative]
        if (tales or any(c.narrative for c in claims)) and is_undone(text, statement.end):
            claims, tales, found.prose = [c for c in claims if not c.narrative], [], True
        if vocabulary is not BUILT_IN:
            claims = [c for c in claims if vocabulary.cardinality_of(c.relation.name) == "functional"]
        if not statement.headings and not statement.parents:
            claims = [c for c in claims if c.relation.name != "is" or not numbers_a_record(c.subject)]
        cells = page.beside(claims, statement)
        if not claims and not cells:
            found.prose = True
        stated: list[Claim | Cell] = [*claims, *cells]
        if cells:
            stated.sort(key=attrgetter("start"))
        for claim in stated:
            told = claim.fact if isinstance(claim, Cell) else fact_of_claim(text, statement, claim, aliases)
            if told.local and isinstance(claim, Claim) and (caption := captions.get(statement.start)):
                beneath = statement._replace(parents=(caption, *statement.parents))
                told = replace(fact_of_claim(text, beneath, claim, aliases), local=True)
            fact = page.confined(told, statement)
            if fact is None:
                found.prose = True
                continue
            if vocabulary is not BUILT_IN and vocabulary.cardinality_of(fact.relation) != "functional":
                found.prose = True  # "Alice's employer is Acme" is "works for", which a user may have stopped
                continue
            found.facts.append(fact)
            found.prose = found.prose or fact.narrative
        known = {(f.subject, f.relation, f.dimension) for f in found.facts} if tales else ()
        for tale in tales:
            if (tale.subject, tale.relation, tale.dimension) not in known:
                found.add([f] if (f := page.confined(tale, statement)) is not None else [], vocabulary)
            found.prose = True
    if page.facts:
        found.facts.sort(key=lambda fact: fact.span[0])
    if not found.facts and len(spoken) == 1 and (line := _lone_line(text, spoken[0])) is not None:
        found.add([fact_of_claim(text, spoken[0], line, aliases)], vocabulary)
        found.prose = False
    _drop_contradictions(found)
    found.facts = without_restated(found.facts)
    if context_lines and not found.facts:
        found.prose = True
    return Extraction(tuple(found.facts), found.prose or not found.facts)


def _has_caption(text: str, statement: Statement) -> bool:
    field = read_field(text, statement.start, statement.end)
    return field is not None and is_caption(field.key)


def _points(sentence: str, knows_user: bool) -> bool:
    return _DESCRIBED not in sentence and points(sentence, knows_user=knows_user)


def _lone_line(text: str, statement: Statement) -> Claim | None:
    """Read a text that is one line of code or a note, unless it is the number of a record or taken back."""
    line = read_code_line(text)
    if line is None or _taken_back(text, statement, None):
        return None
    key = text[: line.start].rstrip(" =:\"'")
    if numbers_a_record(line.subject) or numbers_a_record(key) or is_caption(key.strip()):
        return None
    return line


def _taken_back(text: str, statement: Statement, following: Statement | None) -> bool:
    """Whether a comment behind a statement leaves open whether it holds."""
    if statement.kind not in ("sentence", "field"):
        return False
    return (is_doubted(said := text[statement.start : statement.end]) and _DESCRIBED not in said) or (
        following is not None and following.kind == "sentence" and is_aside(text[following.start : following.end])
    )


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


def _sentence_claims(text: str, statement: Statement, vocabulary: Vocabulary) -> tuple[list[Claim], bool]:
    """Return the claims of a sentence, or else of its clauses, and whether a clause makes none."""
    start, end = statement.start, statement.end
    while end > start and text[end - 1] in " \n\t":
        end -= 1
    if end - start > _LONGEST_SENTENCE or end == start or text[end - 1] in "?…:" or text.endswith("...", start, end):
        return [], False
    if text[end - 1] in ".!":
        end -= 1
    core = core_of(text, start, end)
    claims = _placed_claims(core, vocabulary)
    if not claims and (turned := turned_core(core) or lasting_core(core)) is not None:
        claims = _placed_claims(turned, vocabulary)
    if claims and not (all(c.narrative for c in claims) and " so " in text[start:end]):
        return claims, False
    silent = False
    # "Odile moved to Lyon, so my tutor is Camille" tells two things
    for clause in clauses_of(text, start, end)[1 if claims else 0 :]:
        core = clause.core._replace(changed=clause.core.changed or clause.changed)
        said = _placed_claims(core, vocabulary)
        claims += [c._replace(clause=(clause.start, clause.end)) for c in said]
        silent = silent or not said
    if not claims and (prefix := prefix_of(text[start:end])) is not None:
        claims, silent = _sentence_claims(text, statement._replace(start=start + prefix.length), vocabulary)
        return [c._replace(subject=f"{c.subject} {prefix.said}".strip()) for c in claims], silent
    if not claims and (bared := _bared_claims(core_of(text, start, end), vocabulary)):
        return bared, False
    return claims, silent


def _bared_claims(core: Core, vocabulary: Vocabulary, deeper: int = 1) -> list[Claim]:
    """Read a sentence without a part of it, whose words stay in the key."""
    for bare in bare_cores(core):
        claims = _placed_claims(bare.core, vocabulary)
        if not claims and deeper:
            claims = _bared_claims(bare.core, vocabulary, deeper - 1)
        if claims:
            here = True if bare.local else None
            return [c._replace(subject=f"{c.subject} {bare.said}", local=here or c.local) for c in claims]
    return []


def _in_place_of(statement: Statement, vocabulary: Vocabulary, aliases: Aliases | None, sentence: str) -> list[Fact]:
    """Return the facts of a sentence that is put in the place of a statement, under what stands above that."""
    if points(sentence):
        return []
    place = statement._replace(kind="sentence", start=0, end=len(sentence))
    claims = _placed_claims(core_of(sentence, 0, len(sentence))._replace(changed=True), vocabulary)
    named = [c for c in claims if statement.headings or c.relation.name != "is" or not numbers_a_record(c.subject)]
    return [fact_of_claim(sentence, place, claim, aliases) for claim in named]


def _told_of(text: str, statement: Statement, vocabulary: Vocabulary, aliases: Aliases | None) -> list[Fact]:
    """Return what a sentence or a line of change says of now, or what the clauses of one do."""
    start, end = statement.start, statement.end
    if statement.kind not in ("sentence", "field") or end - start > _LONGEST_SENTENCE:
        return []
    if MAY_TELL.isdisjoint(text[start:end].split()) or text[end - 1] in "?…:" or text.endswith("...", start, end):
        return []
    end = start + len(text[start:end].rstrip(" \n\t.!"))
    span = statement.start, statement.end
    read = partial(_in_place_of, statement, vocabulary, aliases)
    if points(text[start:end]):
        return []
    core = core_of(text, start, end)
    told = retold(core, span, read)
    if told and " so " not in text[start:end]:
        return told
    whole = text[start:end]
    if len(core.text) < len(whole) and not _MINE.isdisjoint(whole.split()):  # "x, that's my phone now"
        told = told or retold(core._replace(text=whole), span, read)
    return told + [
        fact
        for clause in clauses_of(text, start, end)
        for fact in retold(
            clause.core._replace(changed=clause.core.changed or clause.changed), (clause.start, clause.end), read
        )
    ]


def _placed_claims(core: Core, vocabulary: Vocabulary) -> list[Claim]:
    """Read a sentence or a clause; the places of the claims are those of the text."""
    claim = _core_claim(core, vocabulary)
    if claim is None or _is_loose(claim):
        for turned in plain_cores(core):
            found = _core_claim(turned, vocabulary)
            if found is not None and (claim is None or not _is_loose(found)):
                core, claim = turned, found
                break
    if claim is None or may_be_another(claim.subject, claim.relation.name):
        return []
    changed = core.changed or claim.narrative
    claims = [claim._replace(changed=changed) if changed != claim.changed else claim]
    if claims[0].changed:
        claims += [claims[0]._replace(relation=r, narrative=True) for r in _SIBLINGS.get(claim.relation.name, ())]
    if claim.narrative and claim.start >= 0 and (habit := read_habit(core.text, True)) is not None and habit.narrative:
        claims += [habit] if habit.start != claim.start or habit.relation != claim.relation else []
    placed = [(c, core.span(c.start, c.end)) for c in claims]
    return [
        c if span == (c.start, c.end) else c._replace(start=span[0], end=span[1])
        for c, span in placed
        if span is not None
    ]


def _is_loose(claim: Claim) -> bool:
    """Whether a claim is of the sentence as it stands: all its words make the key, or leave room for others."""
    return claim.rule == "measure" or claim.relation.name == "does of late"


def _core_claim(core: Core, vocabulary: Vocabulary) -> Claim | None:
    """Read a sentence without its wrapping; the places are those of the core."""
    sentence, end = core.text, len(core.text)
    if not _OPEN_WORDS.isdisjoint(words_of(masked(sentence))) and _DESCRIBED not in sentence:
        return None
    return (
        read_change(sentence, 0, end)
        or read_construction(sentence, 0, end)
        or read_sentence(sentence, 0, end, vocabulary)
        or read_role(sentence, 0, end)
        or read_act(sentence)
        or read_frame(sentence, core.changed)
        or read_signature(sentence)
        or read_measure(sentence)
        or read_plain(sentence)
        or read_naming(sentence)
        or read_use(sentence)
        or read_stating(sentence)
        or read_governed(sentence)
        or read_label(sentence)
        or read_technical(sentence)
        or read_noted(sentence)
        or read_duty(sentence)
        or read_everyday(sentence)
        or read_advice(sentence)
        or read_whereabouts(sentence)
        or read_regular(sentence)
        or read_wish(sentence, core.changed)
        or read_held(sentence)
        or read_habit(sentence, core.changed)
        or read_of_late(sentence, core.changed)
    )


def _field_claims(text: str, statement: Statement, record: str | None) -> list[Claim]:
    field = read_field(text, statement.start, statement.end)
    if field is None:
        return []
    if statement.listed or field.key in ("uses", "image"):
        pinned = pin_claim(text, field.start, field.end) if field.key == "uses" else None
        if pinned is not None:
            return [pinned._replace(end=min(pinned.end, field.end))]
    claim = field_claim(text, field, statement.listed, bool(statement.headings))
    if claim is None or is_caption(field.key):
        return []
    if field.key.lower() == "image" and ":" in (image := text[claim.start : claim.end].strip("\"'")):
        claim = claim._replace(subject=f"{claim.subject} of {plain_value(image.rpartition(':')[0])}")
    if scope := remarked_scope(text[field.end : statement.end]):
        claim = claim._replace(subject=f"{claim.subject} in {scope}")
    if record:
        # "PROJ-12" is one ticket everywhere, "12" is not
        own = any(c.isalpha() for w in record.split() for c in w if any(d.isdigit() for d in w))
        subject, rule = f"{claim.subject} of {record}", f"{claim.rule} of a record"
        claim = claim._replace(subject=subject, rule=rule, local=None if own else True)
    return [claim]


def _drop_contradictions(found: _Found) -> None:
    """Drop what one text states in two ways: something unseen tells them apart."""
    if len(found.facts) < 2:
        return
    values: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for fact in found.facts:
        if not fact.narrative:
            values.setdefault((fact.subject, fact.relation), set()).add((fact.value, fact.dimension))
    if any(len(v) > 1 for v in values.values()):
        found.facts = [f for f in found.facts if f.narrative or len(values[f.subject, f.relation]) == 1]
        found.prose = True


_fact = fact_of_claim  # the name under which model-based extractors know it
