"""A sentence as people write it: what stands around its fact, its clauses, and what is left of it."""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.readers import is_loose, placed_claims
from memstrata_integrations.extraction.sentences.comments import spoken_part
from memstrata_integrations.extraction.sentences.endings import endings_of
from memstrata_integrations.extraction.sentences.joined import clauses_of
from memstrata_integrations.extraction.sentences.lasting import lasting_core
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.ruling import read_rule
from memstrata_integrations.extraction.sentences.scaffolding import (
    clauses_in_subject,
    is_remark,
    of_one_case,
)
from memstrata_integrations.extraction.sentences.states import HAPPENS
from memstrata_integrations.extraction.sentences.surroundings import bare_cores, prefix_of
from memstrata_integrations.extraction.sentences.trailing import accompanies, asserts, clauses_behind
from memstrata_integrations.extraction.sentences.wording import Core, core_of, turned_core
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.facts import Fact
from memstrata_integrations.relations import Vocabulary
from memstrata_integrations.words import word_set

__all__ = ["LONGEST_SENTENCE", "OF_THEN", "beside_ending", "sentence_claims"]

LONGEST_SENTENCE = 600
# "First we raised it", "when I was five": a change that others came after
OF_THEN = re.compile(
    r"\b(?:when|while) (?:I|we|he|she|they|you) (?:was|were)\b|\bbefore that\b|\bback then\b"
    r"|\b(?:First|Then|Earlier),? "
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
    if of_one_case(text[start:end]) or OF_THEN.search(text, start, end):
        return [], False
    start, end, news = spoken_part(text, start, end)
    core = core_of(text, start, end)
    core = core._replace(changed=core.changed or news)
    claims = placed_claims(core, vocabulary)
    if not claims and (turned := turned_core(core) or lasting_core(core)) is not None:
        claims = placed_claims(turned, vocabulary)
    if claims and claims[0].rule == "doer" and (ruled := _ruled_claims(core)):
        return ruled, False  # "Teal answers calls within 2 hours" tells by when, rather than who
    if claims and all(c.relation.name == "does of late" for c in claims):
        defined = _defined_claims(core, vocabulary)
        late = [c._replace(beside=True) for c in claims if c.narrative]
        claims = [*defined, *late] if defined else claims
    if claims and not (" so " in text[start:end] and all(c.narrative or c.changed for c in claims)):
        return claims, False
    silent: list[str] = []
    whole = core
    # "Odile moved to Lyon, so my tutor is Camille" tells two things
    for clause in clauses_of(text, start, end)[1 if claims else 0 :]:
        core = clause.core._replace(changed=clause.core.changed or clause.changed)
        said = placed_claims(core, vocabulary) or _bared_claims(core, vocabulary, 0) or _ruled_claims(core)
        place = (clause.start, clause.end)
        claims += [c._replace(subject=_beside(c.subject, clause.beside), clause=place) for c in said]
        silent += [] if said or is_remark(text[clause.start : clause.end]) else [text[clause.start : clause.end]]
    if silent and len(claims) == 1 and not claims[0].narrative and accompanies(" ".join(silent)):
        # "The list is sorted, and it holds 5 names" as a whole
        return [*claims, claims[0]._replace(subject=f"{claims[0].subject} with {' '.join(silent)}", clause=None)], False
    if not claims and (prefix := prefix_of(text[start:end])) is not None:
        claims, more = sentence_claims(text, statement._replace(start=start + prefix.length), vocabulary)
        return [c._replace(subject=f"{c.subject} {prefix.said}".strip()) for c in claims], more
    if not claims and (bared := _bared_claims(whole, vocabulary)):
        ruled = _ruled_claims(whole) if bared[0].rule == "doer" else []
        return ruled or bared, False
    if not claims and (shortened := _shortened_claims(whole, vocabulary) or _ruled_claims(whole)):
        return shortened, False
    return claims, bool(silent)


def _beside(subject: str, clause: str) -> str:
    """Put the clause that brings in what a subject speaks of into the key."""
    return f"{subject} with {clause}" if clause else subject


def _ruled_claims(core: Core) -> list[Claim]:
    """Read a rule; the places of the claim are those of the text."""
    claim = read_rule(core.text)
    span = core.span(claim.start, claim.end) if claim is not None else None
    return [] if claim is None or span is None else [claim._replace(start=span[0], end=span[1], changed=core.changed)]


def beside_ending(
    text: str, statement: Statement, in_place: Callable[[str], list[Fact]], vocabulary: Vocabulary
) -> list[Claim]:
    """Read the clauses beside one that ends something: "Kim no longer leads it; the lead is Ann"."""
    end = statement.start + len(text[statement.start : statement.end].rstrip(" \n\t.!"))
    core = core_of(text, statement.start, end)
    if " no longer " in text[statement.start : end] and " no longer " not in core.text:
        return placed_claims(core, vocabulary)  # "Ann no longer sings, she dances"
    clauses = clauses_of(text, statement.start, end)
    return [
        claim._replace(clause=(clause.start, clause.end))
        for clause in clauses
        if len(clauses) > 1 and not endings_of(text, clause.start, clause.end, in_place)
        for claim in placed_claims(clause.core._replace(changed=clause.core.changed or clause.changed), vocabulary)
    ]


def _shortened_claims(core: Core, vocabulary: Vocabulary) -> list[Claim]:
    """Read a sentence without the clauses that hang behind it, whose words stay in the key."""
    if not asserts(core.text):
        return []
    for stop, said in clauses_behind(core.text):
        shorter = put(core, ((0, stop),))
        if claims := placed_claims(shorter, vocabulary) or _bared_claims(shorter, vocabulary, 0):
            return [c._replace(subject=f"{c.subject} with {said}") for c in claims if c.rule != HAPPENS]
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
