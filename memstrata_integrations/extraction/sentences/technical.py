"""What documentation, tickets and runbooks say of technical things, in readers that each know a class of sentences."""

from __future__ import annotations

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.conventions import OF_CUSTOM
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, signs_of
from memstrata_integrations.extraction.sentences.labelled import LABELLED
from memstrata_integrations.extraction.sentences.specifying import SPECIFYING
from memstrata_integrations.extraction.sentences.terms import OF_TERMS

__all__ = ["read_technical"]

_SHORTEST, _LONGEST = 10, 240
_FITTING = Dispatch((*SPECIFYING, *OF_TERMS, *OF_CUSTOM, *LABELLED))


def read_technical(core: str) -> Claim | None:
    """Read what is laid down for a technical thing; the places of the claim are those of `core`."""
    if not _SHORTEST <= len(core) <= _LONGEST:
        return None
    hidden = masked(core)
    for reader in _FITTING(signs_of(hidden)):
        claim = reader(core, hidden)
        if claim is not None:
            return claim
    return None
