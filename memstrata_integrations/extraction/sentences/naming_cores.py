"""The plain sentences with a noun for what a sentence says with a verb: of quantities, doings, doers and offices."""

from __future__ import annotations

from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.appointed import office_cores
from memstrata_integrations.extraction.sentences.doer_acts import doer_cores
from memstrata_integrations.extraction.sentences.doings import doing_cores
from memstrata_integrations.extraction.sentences.happenings import moment_cores
from memstrata_integrations.extraction.sentences.pointers import pointer_cores
from memstrata_integrations.extraction.sentences.quantities import quantity_cores
from memstrata_integrations.extraction.sentences.wording import Core

__all__ = ["named_cores"]


def named_cores(core: Core) -> Iterator[Core]:
    """Yield the plain sentences that a sentence may stand for.

    Example:
        >>> [c.text for c in named_cores(Core("The hall seats 180", None, 0, False, ""))]
        ['The capacity of the hall is 180']
    """
    yield from quantity_cores(core)
    yield from doing_cores(core)
    yield from doer_cores(core)
    yield from office_cores(core)
    yield from pointer_cores(core)
    yield from moment_cores(core)
