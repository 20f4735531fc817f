"""The readers of one plain sentence, in the order in which they are asked, and what else a change says."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import chain

from memstrata_integrations.extraction.alike import as_release, claims_alike
from memstrata_integrations.extraction.claims import Claim, is_loose, without_dashes
from memstrata_integrations.extraction.sentences.acting import read_act
from memstrata_integrations.extraction.sentences.advice import read_advice
from memstrata_integrations.extraction.sentences.changes import CHANGE_WORDS, read_change
from memstrata_integrations.extraction.sentences.clauses import read_sentence
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.constructions import read_construction
from memstrata_integrations.extraction.sentences.copular import read_copular
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, Rules, signs_of
from memstrata_integrations.extraction.sentences.doers import DOER_WORDS, read_doer
from memstrata_integrations.extraction.sentences.duties import read_duty
from memstrata_integrations.extraction.sentences.everyday import read_everyday
from memstrata_integrations.extraction.sentences.frames import read_frame
from memstrata_integrations.extraction.sentences.fronts import unsaid_front
from memstrata_integrations.extraction.sentences.governing import read_governed
from memstrata_integrations.extraction.sentences.having_done import own_cores
from memstrata_integrations.extraction.sentences.held import read_held
from memstrata_integrations.extraction.sentences.inverted import inverted_claims
from memstrata_integrations.extraction.sentences.labels import read_label
from memstrata_integrations.extraction.sentences.measures import read_measure
from memstrata_integrations.extraction.sentences.moments import read_moment
from memstrata_integrations.extraction.sentences.naming import read_naming
from memstrata_integrations.extraction.sentences.naming_cores import named_cores
from memstrata_integrations.extraction.sentences.noted import read_noted
from memstrata_integrations.extraction.sentences.of_late import read_of_late
from memstrata_integrations.extraction.sentences.of_people import cores_of_people
from memstrata_integrations.extraction.sentences.personal import read_coded, read_personal
from memstrata_integrations.extraction.sentences.plain import read_plain
from memstrata_integrations.extraction.sentences.pointers import TASK_WORDS, read_task
from memstrata_integrations.extraction.sentences.regular import read_regular, read_routine
from memstrata_integrations.extraction.sentences.reordering import plain_cores
from memstrata_integrations.extraction.sentences.roles import read_role
from memstrata_integrations.extraction.sentences.room import leaves_room
from memstrata_integrations.extraction.sentences.rule_frames import names_act
from memstrata_integrations.extraction.sentences.several import may_be_another
from memstrata_integrations.extraction.sentences.signatures import SIGNATURE_WORDS, read_signature
from memstrata_integrations.extraction.sentences.singles import read_single
from memstrata_integrations.extraction.sentences.states import read_state
from memstrata_integrations.extraction.sentences.stating import read_stating
from memstrata_integrations.extraction.sentences.systems import STATED_WORDS, SYSTEM_WORDS, read_stated, read_system
from memstrata_integrations.extraction.sentences.technical import read_technical
from memstrata_integrations.extraction.sentences.transitives import (
    FORM_WORDS,
    TAKEN_WORDS,
    read_form,
    read_taken,
    read_transitive,
)
from memstrata_integrations.extraction.sentences.using import read_use
from memstrata_integrations.extraction.sentences.value_tails import unsaid_scope
from memstrata_integrations.extraction.sentences.weak import read_habit
from memstrata_integrations.extraction.sentences.whereabouts import read_whereabouts
from memstrata_integrations.extraction.sentences.wishes import WISH_WORDS, read_wish
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.relations import BUILT_IN, Vocabulary
from memstrata_integrations.words import word_set

__all__ = ["DESCRIBED", "placed_claims"]

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
    "hopefully if whether think thinks guess hope hopes believe believes wish imo imho supposedly allegedly apparently "
    "reportedly rumored rumoured purportedly ostensibly"
)
# What is denied of a thing asserts no value of it, wherever it stands: "We don't use Siren as our alert tool"
_DENYING = word_set(
    "not never Never Don't Don’t don't doesn't didn't isn't aren't wasn't haven't hasn't hadn't ain't don’t doesn’t "
    "didn’t isn’t aren’t wasn’t haven’t hasn’t hadn’t nobody Nobody no-one Neither neither nor hardly scarcely barely "
    "nowhere refuse refuses refused decline declines declined avoid avoids stopped ceased"
)
_UNSURE = _OPEN_WORDS | _DENYING
# "a shipment it doesn't have gets you a 404", "must not exceed 5 MB"
_BEFORE_DENIAL = word_set("that which who it he she they you must may can shall")
# Tables that stand side by side share one look at the words of a sentence
_read_service = Rules((*read_stating.rules, *read_governed.rules), 220)
_read_daily = Rules((*read_everyday.rules, *read_advice.rules, *read_whereabouts.rules, *read_regular.rules))
# "Half of the fleet is on version 12": and the other half on 13
_OF_A_SHARE = re.compile(
    r"(?:[Hh]alf|[Pp]arts?|[Mm]uch) (?:of (?:the|our|my|its|all) |(?:the|our|my) )"
    r"|\d[\d.]* ?(?:%|percent|per cent) of (?:the|our|my|all) "
)
DESCRIBED = " described as: "  # what follows are words about a function, and no words of the sentence


def placed_claims(core: Core, vocabulary: Vocabulary, *, alike: bool = True) -> list[Claim]:
    """Read a sentence or a clause; the places of the claims are those of the text.

    Args:
        core: The sentence.
        vocabulary: The relations to read.
        alike: Whether one that announces a change acts on what other rules read with its value, too.
    """
    inverted = inverted_claims(core, partial(placed_claims, vocabulary=vocabulary, alike=alike))
    if inverted and not is_loose(inverted[0]):
        return inverted
    claim: Claim | None = None
    whole = core.text
    for named in chain(cores_of_people(core), named_cores(core)):
        found = _core_claim(named, vocabulary)
        if found is not None and not (is_loose(found) and _core_claim(core, vocabulary) is not None):
            core, claim = named, found
            break
    claim = claim or _core_claim(core, vocabulary)
    if claim is None or is_loose(claim):
        for turned in chain(own_cores(core), plain_cores(core)):
            found = _core_claim(turned, vocabulary)
            if found is not None and (claim is None or not is_loose(found) or names_act(core.text)):
                core, claim = turned, found
                break
    if claim is None and inverted:
        return inverted
    here = claim is not None and claim.start >= 0 and DESCRIBED not in core.text
    if claim is not None and here and leaves_room(core.text, claim.start, claim.end):
        changed = core.changed or claim.narrative
        claim = read_habit(core.text, changed) or read_of_late(core.text, changed)
    if claim is None or may_be_another(claim.subject, claim.relation.name):
        return []
    changed = core.changed or claim.narrative
    if claim.start >= 0:  # also what the sentence says in an order of its own
        before, value, behind = whole.partition(core.text[claim.start : claim.end])
        if value and (scope := unsaid_scope(claim.subject, behind)):
            claim = claim._replace(subject=f"{claim.subject}{scope}")
        if value and (front := unsaid_front(claim.subject, before)):
            claim = claim._replace(subject=f"{claim.subject} {front}")
    claims = [claim._replace(changed=changed) if changed != claim.changed else claim]
    if claims[0].changed:
        claims += [claims[0]._replace(relation=r, narrative=True) for r in _SIBLINGS.get(claim.relation.name, ())]
    if alike and core.changed and claim.start >= 0:
        claims += chain(claims_alike(core.text, claim), as_release(core.text, claims[0]))
    told_so = claim.narrative and claim.start >= 0 and claim.rule != "personal"
    if told_so and (habit := read_habit(core.text, True)) is not None and habit.narrative:
        claims += [habit] if habit.start != claim.start or habit.relation != claim.relation else []
    placed = [(without_dashes(c), core.span(c.start, c.end)) for c in claims]
    return [
        c if span == (c.start, c.end) else c._replace(start=span[0], end=span[1])
        for c, span in placed
        if span is not None
    ]


def _is_open(sentence: str) -> bool:
    """Whether a sentence leaves open what holds, or denies it."""
    hidden = masked(sentence)
    known = words_of(hidden)
    if _UNSURE.isdisjoint(known):
        return False
    if not _OPEN_WORDS.isdisjoint(known):
        return True
    words = hidden.split()
    return any(
        word in _DENYING and (not n or (words[n - 1] not in _BEFORE_DENIAL and words[n - 1][-1] not in ",;:"))
        for n, word in enumerate(words[:-1])
    )


def _core_claim(core: Core, vocabulary: Vocabulary) -> Claim | None:
    """Read a sentence without its wrapping; the places are those of the core."""
    return _claim_of(core.text, core.changed, core.present or core.changed, vocabulary)


@lru_cache(maxsize=128)  # what a sentence stands for, and what is left of it, is often the same in several ways
def _claim_of(sentence: str, changed: bool, present: bool, vocabulary: Vocabulary) -> Claim | None:
    if (_is_open(sentence) and DESCRIBED not in sentence) or _OF_A_SHARE.match(sentence) is not None:
        return None
    hidden = masked(sentence)
    signs = signs_of(hidden) if hidden == sentence else signs_of(hidden) | signs_of(sentence)
    for read in _EARLY(signs):
        if (claim := read(sentence)) is not None:
            return claim
    if (claim := read_sentence(sentence, 0, len(sentence), vocabulary)) is not None:
        return claim
    for read in _late(changed, present)(signs):
        if (claim := read(sentence)) is not None:
            return claim
    return None


_Reader = Callable[[str], Claim | None]
# Readers in order, each with the words of which a sentence must hold one (`None`: any sentence)
_EARLY: Dispatch[_Reader] = Dispatch(
    (
        (read_stated, STATED_WORDS),
        (lambda sentence: read_change(sentence, 0, len(sentence)), CHANGE_WORDS),
        (read_doer, DOER_WORDS),
        (read_task, TASK_WORDS),
        (lambda sentence: read_construction(sentence, 0, len(sentence)), None),
        (read_coded, None),
    )
)


@lru_cache(maxsize=4)
def _late(changed: bool, present: bool) -> Dispatch[_Reader]:
    """Return the readers of what has no verb of the vocabulary, for a sentence whose wrapping says this of it."""
    return Dispatch(
        (
            (lambda sentence: read_role(sentence, 0, len(sentence)), word_set("the")),
            (read_copular, read_copular.needles),
            (read_taken, TAKEN_WORDS),  # "black" is no thing that one takes
            (partial(read_personal, changed=changed), None),
            (partial(read_moment, present=present), None if present else word_set("currently presently")),
            (read_act, read_act.needles),
            (read_form, FORM_WORDS),
            (partial(read_frame, changed=changed), None),
            (read_signature, SIGNATURE_WORDS),
            (read_routine, word_set("at")),
            (read_measure, None),
            (read_plain, None),
            (read_naming, None),
            (read_use, None),
            (_read_service, _read_service.needles),
            (read_label, None),
            (read_technical, None),
            (read_system, SYSTEM_WORDS),
            (read_noted, None),
            (read_duty, None),
            (_read_daily, _read_daily.needles),
            (read_state, None),
            (read_single, None),
            (read_transitive, None),
            (partial(read_wish, changed=changed), WISH_WORDS),
            (read_held, None),
            (partial(read_habit, changed=changed), None),
            (partial(read_of_late, changed=changed), None),
        )
    )
