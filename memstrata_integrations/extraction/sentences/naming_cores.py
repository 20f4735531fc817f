"""The plain sentences with a noun for what a sentence says with a verb: of quantities, doings, doers and offices."""

from __future__ import annotations

from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.appointed import office_cores
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, signs_of
from memstrata_integrations.extraction.sentences.doer_acts import OF_DOERS, doer_cores
from memstrata_integrations.extraction.sentences.doings import OF_DOINGS
from memstrata_integrations.extraction.sentences.happenings import OF_MOMENTS
from memstrata_integrations.extraction.sentences.pointers import OF_POINTERS
from memstrata_integrations.extraction.sentences.quantities import OF_QUANTITIES, quantity_cores
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.wording import Core

__all__ = ["named_cores"]

_LONGEST, _LONGEST_OF_ALL = 200, 240
_FITTING = Dispatch((*OF_DOINGS, *OF_POINTERS, *OF_MOMENTS))


def named_cores(core: Core) -> Iterator[Core]:
    """Yield the plain sentences that a sentence may stand for.

    Example:
        >>> def plain(sentence: str) -> list[str]:
        ...     return [core.text for core in named_cores(Core(sentence, None, 0, False, ""))]
        >>> plain("The hall seats 180"), plain("The dough rests for 40 minutes")
        (['The capacity of the hall is 180'], ['The resting time of the dough is 40 minutes'])
        >>> plain("You will find the archive in room 31"), plain("The app launches on 3 May")
        (['The archive is in room 31'], ['The launch date of the app is 3 May'])
    """
    if len(core.text) > _LONGEST_OF_ALL:
        return
    hidden = masked(core.text)
    signs = signs_of(hidden)
    if OF_QUANTITIES(signs):
        yield from quantity_cores(core)
    for reader in _FITTING(signs) if len(core.text) <= _LONGEST else ():
        if (told := reader(core.text, hidden)) is not None:
            yield put(core, told)
    if OF_DOERS(signs):
        yield from doer_cores(core)
    yield from office_cores(core)
