"""The plain sentences with a noun for what a sentence says with a verb: quantities, doings, doers, offices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from memstrata_integrations.extraction.sentences.appointed import office_cores
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, signs_of
from memstrata_integrations.extraction.sentences.doer_acts import OF_DOERS, doer_cores
from memstrata_integrations.extraction.sentences.doings import OF_DOINGS
from memstrata_integrations.extraction.sentences.happenings import OF_MOMENTS
from memstrata_integrations.extraction.sentences.pointers import OF_POINTERS
from memstrata_integrations.extraction.sentences.quantities import OF_QUANTITIES, quantity_cores
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.verb_nouns import OF_VERB_NOUNS
from memstrata_integrations.extraction.sentences.wording import Core

__all__ = ["named_cores"]

_LONGEST, _LONGEST_OF_ALL = 200, 240


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
    for reader in dict.fromkeys(_FITTING(signs)):
        yield from reader(core, hidden)
    yield from office_cores(core)


def _put(
    reader: Callable[[str, str], tuple[str | tuple[int, ...], ...] | None], core: Core, hidden: str
) -> Iterator[Core]:
    told = reader(core.text, hidden) if len(core.text) <= _LONGEST else None
    if told is not None:
        yield put(core, told)


_FITTING: Dispatch[Callable[[Core, str], Iterator[Core]]] = Dispatch(
    (
        *((quantity_cores, needles) for _, needles in OF_QUANTITIES),
        *(
            (partial(_put, reader), needles)
            for reader, needles in (*OF_DOINGS, *OF_POINTERS, *OF_MOMENTS, *OF_VERB_NOUNS)
        ),
        *((doer_cores, needles) for _, needles in OF_DOERS),
    )
)
