"""A sentence as people write it: what stands around its fact, its clauses, and what is left of it."""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.claims import Claim, is_loose
from memstrata_integrations.extraction.readers import placed_claims
from memstrata_integrations.extraction.sentences.afterthoughts import afterthought, describes_name
from memstrata_integrations.extraction.sentences.beside_remarks import cores_between_remarks
from memstrata_integrations.extraction.sentences.comments import spoken_part
from memstrata_integrations.extraction.sentences.corrections import corrected_core, replaced_core
from memstrata_integrations.extraction.sentences.endings import endings_of
from memstrata_integrations.extraction.sentences.events import behind_event, is_event
from memstrata_integrations.extraction.sentences.joined import clauses_of, is_verb
from memstrata_integrations.extraction.sentences.lasting import lasting_core
from memstrata_integrations.extraction.sentences.lone_slots import read_lone_slot
from memstrata_integrations.extraction.sentences.one_clause import runs_of_clauses, with_pronoun
from memstrata_integrations.extraction.sentences.reordering import prescribed_cores, put
from memstrata_integrations.extraction.sentences.room import leaves_room
from memstrata_integrations.extraction.sentences.ruling import read_rule
from memstrata_integrations.extraction.sentences.scaffolding import (
    clauses_in_subject,
    is_remark,
    of_one_case,
)
from memstrata_integrations.extraction.sentences.states import HAPPENS
from memstrata_integrations.extraction.sentences.supplements import without_supplements
from memstrata_integrations.extraction.sentences.surroundings import bare_cores, prefix_of
from memstrata_integrations.extraction.sentences.trailing import accompanies, asserts, clauses_behind
from memstrata_integrations.extraction.sentences.wording import Core, core_of, turned_core
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.facts import Fact
from memstrata_integrations.relations import Vocabulary
from memstrata_integrations.words import holds_any, word_set

__all__ = ["LONGEST_SENTENCE", "OF_THEN", "beside_ending", "sentence_claims"]

LONGEST_SENTENCE = 600
# "First we raised it", "when I was five": a change that others came after
OF_THEN = re.compile(
    r"\b(?:when|while) (?:I|we|he|she|they|you) (?:was|were)\b|\bbefore that\b|\bback then\b"
    r"|\b(?:First|Then|Earlier),? "
)
_IN_OF_THEN = ("hen", "while ", "before that", "First", "Earlier")  # one of them in each match
_EVENTFUL = ("after ", "within ", "every ", "once ")  # "is closed after 10 minutes" is no state
# A core leaves these out, though they say of what kind a bound is
_BOUNDING = word_set("can may must has have need needs to you")
# What may open a statement behind a remark; no name is among these
_OPENING = word_set(
    "a an the our my each every all both no when whenever if once unless while until as after before since because to "
    "in on at for with within under up by from during among most users customers there it it's it’s what where"
)
_RELATIVE_PRONOUNS = word_set("that which who whom whose where")


def sentence_claims(text: str, statement: Statement, vocabulary: Vocabulary) -> tuple[list[Claim], bool]:
    """Return the claims of a sentence, or else of its clauses, and whether a clause makes none."""
    start, end = statement.start, statement.end
    while end > start and text[end - 1] in " \n\t":
        end -= 1
    if end - start > LONGEST_SENTENCE or end == start or text[end - 1] in "?…:" or text.endswith("...", start, end):
        return [], False
    if text[end - 1] in ".!":
        end -= 1
    sentence = text[start:end]
    if of_one_case(sentence) or (holds_any(sentence, _IN_OF_THEN) and OF_THEN.search(text, start, end)):
        return [], False
    if described := _described_claims(text, statement, end, vocabulary):
        return described, False
    if right := _right_claims(text, start, end, vocabulary):
        return right, False
    start, end, news = spoken_part(text, start, end)
    if (behind := behind_event(text, start, end)) > start:
        start, news = behind, True
    core = core_of(text, start, end)
    core = core.told(news)
    core = without_supplements(core) or core
    opener, _, rest = core.text.partition(" ")
    if opener in _OPENING and ": " not in rest and core.place(0) != statement.start:  # but "Update from Ida: her ..."
        core = core._replace(text=core.text[0].upper() + core.text[1:])  # "Therefore, a ticket costs 5 euros"
    claims = placed_claims(core, vocabulary)
    if not claims and (turned := turned_core(core) or lasting_core(core)) is not None:
        claims = placed_claims(turned, vocabulary)
    if claims and claims[0].rule == "doer" and (ruled := _ruled_claims(core)):
        return ruled, False  # "Teal answers calls within 2 hours" tells by when, rather than who
    remarks = holds_any(core.text, ",;:!.–—-") and any(_may_hold_remark(c) for c in claims if not c.beside)
    if remarks and (own := _claims_between_remarks(text, start, end, vocabulary, own=True)):
        # "Treated myself, my screen is 27 inch": the remark is no part of the key
        return own, own[0].clause is not None
    if claims and claims[0].relation.name == "does of late" and all(c.relation.name == "does of late" for c in claims):
        defined = _defined_claims(core, vocabulary)
        late = [c._replace(beside=True) for c in claims if c.narrative]
        claims = [*defined, *late] if defined else _rather_plain(claims, text, core, end)
    if claims and not (" so " in text[start:end] and all(c.narrative or c.changed for c in claims)):
        return claims, False
    silent: list[str] = []
    whole = core
    # "Odile moved to Lyon, so my tutor is Camille" tells two things
    for clause in clauses_of(text, start, end)[1 if claims else 0 :]:
        core = clause.core.told(clause.changed)
        said = placed_claims(core, vocabulary) or _bared_claims(core, vocabulary, 0) or _ruled_claims(core)
        place = (clause.start, clause.end)
        claims += [c._replace(subject=_beside(c.subject, clause.beside), clause=place) for c in said]
        silent += [] if said or is_remark(text[clause.start : clause.end]) else [text[clause.start : clause.end]]
    told_why = silent and text.startswith(silent[0], start) and is_event(silent[0], "", "so")
    if silent and not told_why and len(claims) == 1 and not claims[0].narrative and accompanies(" ".join(silent)):
        # "The list is sorted, and it holds 5 names" as a whole
        return [*claims, claims[0]._replace(subject=f"{claims[0].subject} with {' '.join(silent)}", clause=None)], False
    if not claims and (own := _claims_between_remarks(text, start, end, vocabulary, own=True)):
        return own, own[0].clause is not None
    if not claims and (prefix := prefix_of(text[start:end])) is not None:
        claims, more = sentence_claims(text, statement._replace(start=start + prefix.length), vocabulary)
        return [c._replace(subject=f"{c.subject} {prefix.said}".strip()) for c in claims], more
    if not claims and (bared := _bared_claims(whole, vocabulary)):
        ruled = _ruled_claims(whole) if bared[0].rule == "doer" else []
        return ruled or _rather_plain(bared, text, whole, end), False
    if not claims and (shortened := _shortened_claims(whole, vocabulary) or _ruled_claims(whole)):
        return _rather_plain(shortened, text, whole, end), False
    if not claims:
        if plain := _plain_claims(text, whole, end):
            return plain, False
        if between := _claims_between_remarks(text, start, end, vocabulary):
            return between, between[0].clause is not None
        if one := _one_clause_claims(whole, vocabulary):
            return one, False
    return claims, bool(silent)


def _right_claims(text: str, start: int, end: int, vocabulary: Vocabulary) -> list[Claim]:
    """Read what is so in place of what a sentence says to be wrong or over: "Ann isn't my tutor any more, it's Tom"."""
    core = corrected_core(text, start, end) or replaced_core(text, start, end)
    return placed_claims(core, vocabulary) if core is not None else []


def _described_claims(text: str, statement: Statement, end: int, vocabulary: Vocabulary) -> list[Claim]:
    """Read a statement behind which something is added that describes its value."""
    if ", " not in text[statement.start : end] or (cut := afterthought(text, statement.start, end)) is None:
        return []
    claims, more = sentence_claims(text, statement._replace(end=cut), vocabulary)
    if more or any(c.clause is not None or c.narrative for c in claims):
        return []
    if describes_name(text[cut:end]) and not all(text[c.start : c.start + 1].isupper() for c in claims):
        return []
    return claims


def _rather_plain(claims: list[Claim], text: str, core: Core, end: int) -> list[Claim]:
    """Return the one value of a sentence, if any, where claims only say what goes on beside other things."""
    habits = all(c.relation.name == "does of late" and c.rule in ("habit", "of late") for c in claims)
    if not habits or not (plain := _plain_claims(text, core, end)):
        return claims
    return [*plain, *(c._replace(beside=True) for c in claims if c.narrative)]


def _plain_claims(text: str, core: Core, end: int) -> list[Claim]:
    """Read a rule, or the one value of a sentence; all its words are the key, also "can", which a core leaves out."""
    start = core.place(0) if core.text and core.place(0) >= 0 else core.start
    uncut = Core(text[start:end], None, start, core.changed, "")
    left_out = set(text[start:end].split()) - set(core.text.split())
    if core.places is not None and -1 not in core.places and _BOUNDING.isdisjoint(left_out):
        uncut = core  # only since when it holds was left out
    for said in (uncut, *prescribed_cores(uncut)):
        for reader in (read_rule, read_lone_slot):
            if claims := _ruled_claims(said, reader):
                return claims
    return []


def _one_clause_claims(core: Core, vocabulary: Vocabulary) -> list[Claim]:
    """Read one clause of several, whichever states something; the words of the others stay in the key."""
    for run in runs_of_clauses(core.text):
        clause = put(core, run.pieces)
        claims = placed_claims(clause, vocabulary) or _bared_claims(clause, vocabulary, 0)
        if not claims or any(map(is_loose, claims)):
            readers = (read_rule, read_lone_slot)
            claims = next((found for reader in readers if (found := _ruled_claims(clause, reader))), [])
        claims = claims or _shortened_claims(clause, vocabulary)
        if claims and not any(is_loose(c) or c.narrative or c.rule == HAPPENS for c in claims):
            if not run.pronoun and is_event(run.said, clause.text):
                return claims
            return [c._replace(subject=f"{with_pronoun(c.subject, run.pronoun)} with {run.said}") for c in claims]
    return []


def _may_hold_remark(claim: Claim) -> bool:
    return is_loose(claim) or is_verb(claim.subject.partition(" ")[0])


def _claims_between_remarks(
    text: str, start: int, end: int, vocabulary: Vocabulary, *, own: bool = False
) -> list[Claim]:
    """Read what a sentence says between remarks of its speaker; `own`: only of the speaker, behind a remark."""
    for first, last, core in cores_between_remarks(text, start, end, own=own):
        if claims := placed_claims(core, vocabulary):
            # "small update on my side" says nothing that is worth to be kept by itself
            place = None if is_remark(f"{text[start:first]} {text[last:end]}") else (first, last)
            return [c._replace(clause=place) for c in claims]
    return []


def _beside(subject: str, clause: str) -> str:
    """Put the clause that brings in what a subject speaks of into the key."""
    return f"{subject} with {clause}" if clause else subject


def _ruled_claims(core: Core, reader: Callable[[str], Claim | None] = read_rule) -> list[Claim]:
    """Read a rule, or the one value of a sentence; the places of the claim are those of the text."""
    claim = reader(core.text)
    span = core.span(claim.start, claim.end) if claim is not None else None
    if claim is None or span is None or leaves_room(core.text, claim.start, claim.end):
        return []
    return [claim._replace(start=span[0], end=span[1], changed=core.changed)]


def beside_ending(
    text: str, statement: Statement, in_place: Callable[[str], list[Fact]], vocabulary: Vocabulary
) -> list[Claim]:
    """Read the clauses beside one that ends something: "Kim no longer leads it; the lead is Ann"."""
    end = statement.start + len(text[statement.start : statement.end].rstrip(" \n\t.!"))
    if right := _right_claims(text, statement.start, end, vocabulary):
        return right
    core = core_of(text, statement.start, end)
    if " no longer " in text[statement.start : end] and " no longer " not in core.text:
        return placed_claims(core._replace(changed=True), vocabulary)  # "Ann no longer sings, she dances"
    clauses = clauses_of(text, statement.start, end)
    return [
        claim._replace(clause=(clause.start, clause.end))
        for clause in clauses
        if len(clauses) > 1 and not endings_of(text, clause.start, clause.end, in_place)
        for claim in placed_claims(clause.core.told(True), vocabulary)
    ]


def _shortened_claims(core: Core, vocabulary: Vocabulary) -> list[Claim]:
    """Read a sentence without the clauses that hang behind it, whose words stay in the key."""
    if not asserts(core.text):
        return []
    for stop, said in clauses_behind(core.text):
        shorter = put(core, ((0, stop),))
        if claims := placed_claims(shorter, vocabulary) or _bared_claims(shorter, vocabulary, 0):
            event = said.startswith(_EVENTFUL)
            kept = [c for c in claims if c.rule != HAPPENS and not (event and c.rule.startswith("state"))]
            return [c._replace(subject=f"{c.subject} with {said}") for c in kept]
    return []


def _defined_claims(core: Core, vocabulary: Vocabulary) -> list[Claim]:
    """Read "The authority whose root the gate trusts is Norrland" as what one definite thing is."""
    for begin, stop, said in clauses_in_subject(core.text):
        if said.partition(" ")[0] in _RELATIVE_PRONOUNS:
            claims = placed_claims(put(core, ((0, begin), (stop, len(core.text)))), vocabulary)
            if claims and not any(map(is_loose, claims)):
                return [c._replace(subject=f"{c.subject} {said}") for c in claims]
    return []


def _bared_claims(core: Core, vocabulary: Vocabulary, deeper: int = 1) -> list[Claim]:
    """Read a sentence without a part of it, whose words stay in the key."""
    for bare in bare_cores(core):
        claims = placed_claims(bare.core, vocabulary)
        if not claims and deeper:
            claims = _bared_claims(bare.core, vocabulary, deeper - 1)
        if claims:
            here = True if bare.local else None
            claims = [c for c in claims if c.rule != HAPPENS]
            return [c._replace(subject=f"{c.subject} {bare.said}", local=here or c.local) for c in claims]
    return []
