"""Sentences that say a plain thing in another order: "v4 is the current version", "uses Argo CD as its deploy tool".

Each frame names a subject in words of the sentence, a relation, and the place of the one value; the plain
sentence that these make ("the deploy tool of Larch" "is" "Argo CD") is then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import Verb, masked, read_complement
from memstrata_integrations.extraction.sentences.copular import read_copular
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, Needles, signs_of
from memstrata_integrations.extraction.sentences.frames_of_acts import (
    ACTING,
    TOOL_VERBS,
    _active,
    _interval,
    _passive,
    _sets,
    _tool_does,
)
from memstrata_integrations.extraction.sentences.frames_of_change import (
    CHANGED,
    _joined,
    _replaced,
    _took_on,
    _was_changed,
    _was_replaced,
    _we_changed,
)
from memstrata_integrations.extraction.sentences.frames_of_roles import (
    _agent,
    _as_its,
    _as_role,
    _holds,
    _named_version,
    _new_role,
    _of_measure,
    _reversed,
    _set_to_the,
    _that,
    _to_the,
    _version_of,
)
from memstrata_integrations.extraction.sentences.frames_of_states import (
    OF_OFFICES,
    _at_a_rate,
    _capped,
    _does,
    _elected,
    _handed_on,
    _in_file,
    _passed,
    _times_out,
    _turned,
)
from memstrata_integrations.extraction.sentences.framing import Frame, quiet
from memstrata_integrations.extraction.sentences.verbs import participles
from memstrata_integrations.relations import relation_of
from memstrata_integrations.words import word_set

__all__ = ["read_frame"]

_LONGEST = 300

_AT_WORK = re.compile(r"(?P<who>I|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?) (?:am|is) (?:at|with) (?=[A-Z])")


def read_frame(core: str, changed: bool) -> Claim | None:
    """Read a sentence of a known frame; the places of the claim are those of `core`.

    Args:
        core: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.
    """
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    if changed and (work := _AT_WORK.match(hidden)) is not None:
        claim = _judged(core, Frame(work["who"], "works at", work.end(), len(core), "at work", True))
        if claim is not None:
            return claim
    for reader in _FITTING(signs_of(hidden)):
        frame = reader(core, hidden)
        if frame is not None:
            claim = _judged(core, frame)
            if claim is not None:
                return claim
    return None


def _judged(core: str, frame: Frame) -> Claim | None:
    """Judge the plain sentence that a frame makes."""
    relation = relation_of(frame.surface)
    subject = " ".join(frame.subject.split())
    if relation is None or not subject or not (frame.sound or subject_is_sound(masked(subject), subject)):
        return None
    written = core[frame.start : frame.end].rstrip()
    if written[-1:] in ",;:" or not quiet(written):
        return None
    plain = f"{subject} {frame.surface} {written}"
    pos = len(plain) - len(written)
    verb = Verb(len(subject) + 1, pos - 1, relation, len(frame.surface.split()))
    claim = read_complement(plain, subject, verb, 0, pos) or (read_copular(plain) if relation.name == "is" else None)
    if claim is None or claim.start < pos:
        return None
    shift = frame.start - pos
    return claim._replace(
        start=claim.start + shift, end=claim.end + shift, rule=f"frame: {frame.rule}", narrative=frame.change
    )


_READERS: tuple[tuple[Callable[[str, str], Frame | None], Needles], ...] = (
    (_times_out, word_set("out")),
    (
        _at_a_rate,
        (
            word_set("of"),
            word_set("rate interval frequency speed level depth resolution temperature price size default"),
        ),
    ),
    (
        _handed_on,
        (
            word_set("receives gets takes collects to over bought acquired for at"),
            word_set(
                "receives gets takes collects taken took bought acquired sold handed transferred moved migrated "
                "upgraded switched updated bumped ported converted charges charge asks ask wants "
                "sells sell offers offer serves serve lets let hires hire rents rent pay"
            ),
        ),
    ),
    (
        _capped,
        (
            word_set("to at of most than"),
            word_set(
                "limits caps restricts bounds allows allow permits permit accepts accept supports tolerates admits "
                "takes grants enforces imposes"
            ),
        ),
    ),
    (_turned, word_set("on off enabled disabled")),
    (_passed, word_set("to under")),
    (_in_file, word_set("in to")),
    (_elected, (word_set("as As of for at in"), OF_OFFICES)),
    (_was_replaced, word_set("replaced superseded succeeded")),
    (_replaced, word_set("replaced swapped switched moved migrated changed gone")),
    (_took_on, word_set("as")),
    (_version_of, word_set("version used uses at requires runs targets")),
    (_interval, word_set("every interval frequency period rate")),
    (
        _to_the,
        (
            word_set("to the a"),
            word_set(
                "switched moved changed migrated upgraded converted gone went shifted uses use runs configured set "
                "comes follows applies"
            ),
        ),
    ),
    (_holds, word_set("size of number rank grade")),
    (_was_changed, (word_set("to at"), CHANGED)),
    (_we_changed, (word_set("to"), CHANGED)),
    (_new_role, word_set("new different")),
    (_as_its, word_set("as for")),
    (_agent, word_set("in It owns leads heads manages runs operates chairs coaches open handles maintains")),
    (
        _joined,
        (
            word_set("joined moved relocated transferred reassigned switched in"),
            word_set("joined join moved relocated transferred reassigned switched lives live resides living"),
        ),
    ),
    (_named_version, word_set("version")),
    (_set_to_the, (word_set("the"), word_set("is are"), word_set("to with for use on in under"))),
    (
        _that,
        (
            word_set("The the My Our"),
            word_set("is are lives listens"),
            word_set(
                "that which who whom where I we they he she you used chosen employed shown sent returned needed given "
                "granted reserved set allotted assigned configured required served issued"
            ),
        ),
    ),
    (_active, (word_set("to in at on with from under using for"), ACTING)),
    (_tool_does, TOOL_VERBS),
    (_does, word_set("the our my all of for in on at")),
    (
        _passive,
        (
            word_set("is are gets get"),
            word_set("by with via through using from to into in at on under as against"),
            participles,
        ),
    ),
    (_as_role, word_set("As")),
    (
        _sets,
        (
            word_set("to at"),
            word_set("sets set pins pin limits limit caps cap holds hold locks lock fixes keeps configures"),
        ),
    ),
    (
        _of_measure,
        (
            word_set("a an the its their"),
            word_set(
                "of has have charges charge gets get accepts accept allows allow offers offer enforces enforce imposes "
                "impose assumes assume carries carry takes take comes come uses use permits permit needs requires "
                "applies apply keeps keep runs sets set"
            ),
        ),
    ),
    (_reversed, word_set("is remains as become became promoted elected appointed named chosen")),
)
"""Readers in order, each with the words of which a sentence must hold one (`None`: any sentence)."""
_FITTING = Dispatch(_READERS)
