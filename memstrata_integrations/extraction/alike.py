"""What else a sentence of change may have been told as: its value under the keys of all readers.

"The token lives in .envrc" and "The token now lives in Vault" say one thing, but a path, a host, a name and a common
word are read by different rules, some of which leave room for others. A sentence that announces a change therefore acts
on the key of each rule that reads the same value in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import read_sentence
from memstrata_integrations.extraction.sentences.everyday import read_everyday
from memstrata_integrations.extraction.sentences.frames import read_frame
from memstrata_integrations.extraction.sentences.governing import read_governed
from memstrata_integrations.extraction.sentences.of_late import read_of_late
from memstrata_integrations.extraction.sentences.plain import read_plain
from memstrata_integrations.extraction.sentences.regular import read_regular
from memstrata_integrations.extraction.sentences.roles import read_role
from memstrata_integrations.extraction.sentences.singles import read_single
from memstrata_integrations.extraction.sentences.stating import read_stating
from memstrata_integrations.extraction.sentences.transitives import read_transitive
from memstrata_integrations.extraction.sentences.weak import read_habit
from memstrata_integrations.extraction.sentences.whereabouts import read_whereabouts
from memstrata_integrations.relations import relation_of
from memstrata_integrations.words import word_set

__all__ = ["as_release", "claims_alike"]

_READERS: tuple[Callable[[str], Claim | None], ...] = (
    lambda core: read_sentence(core, 0, len(core)),
    lambda core: read_role(core, 0, len(core)),
    lambda core: read_frame(core, True),
    read_plain,
    read_stating,
    read_governed,
    read_everyday,
    read_whereabouts,
    read_regular,
    read_single,
    read_transitive,
    lambda core: read_habit(core, True),
    lambda core: read_of_late(core, True),
)


_POSTURES = word_set("sleep sit stand lie hang live stay kept stored parked hidden housed placed moored berthed")
_PLACES = ("in", "on", "at", "under", "behind", "by")


_IS, _VERSION, _PIN = relation_of("is"), relation_of("has version"), relation_of("is pinned to")
_RELEASE = re.compile(r"v?\d+(?:\.\d+){1,2}(?!\.\d)[\w+-]*\Z")  # no address


def as_release(core: str, claim: Claim) -> Iterator[Claim]:
    """Yield the other keys of a new release: "Pandas is 2.2.1", "has version 2.2.1" and "is pinned to 2.2.1".

    Each acts on what was told in the other words, and on nothing where nobody told it so.
    """
    told = claim.changed and claim.start >= 0 and claim.relation in (_IS, _VERSION, _PIN)
    if not told or not _RELEASE.match(core[claim.start : claim.end]):
        return
    for relation in (_IS, _VERSION, _PIN):
        if relation is not None and relation != claim.relation:
            expected = "version" if relation is _VERSION else None
            yield claim._replace(relation=relation, expected=expected, narrative=True, beside=True)


def claims_alike(core: str, claim: Claim) -> Iterator[Claim]:
    """Yield what other rules read with the value of a claim, as changes; the places are those of `core`."""
    known = {(claim.subject, claim.relation.name)}
    for reader in _READERS:
        found = reader(core)
        if found is None or found.start < 0 or (found.subject, found.relation.name) in known:
            continue
        if found.end == claim.end or found.start == claim.start:
            known.add((found.subject, found.relation.name))
            yield found._replace(narrative=True, changed=True, beside=True)
            yield from _elsewhere(found)
    yield from _elsewhere(claim)


def _elsewhere(claim: Claim) -> Iterator[Claim]:
    """Yield the keys of where something was before: who now sleeps in the cupboard no longer sleeps on the sofa."""
    act, _, rest = claim.subject.partition(" ")
    posture, _, where = act.partition("-")
    if posture in _POSTURES and where in _PLACES and claim.relation.name == "is done thus":
        for other in _PLACES:
            if other != where:
                subject = f"{posture}-{other} {rest}"
                yield claim._replace(subject=subject, narrative=True, changed=True, beside=True)
