"""Progress bars, for whoever watches."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memstrata_integrations.chroma.arguments import read_flag


@contextmanager
def progress_bar(wanted: bool, what: str, total: int | None = None) -> Iterator[Any]:
    """Yield a tqdm bar, of `total` rows if that is known, or one that does nothing where nobody would see it."""
    if not read_flag("progress", wanted) or not sys.stderr.isatty():
        yield _Unseen()
        return
    from tqdm import tqdm

    with tqdm(unit="row", desc=what, total=total) as bar:
        yield bar


class _Unseen:
    """Stands for a bar; one of tqdm's that is disabled would start a thread all the same."""

    disable = True

    def update(self, n: int) -> None:
        """Do nothing."""

    def reset(self, total: int) -> None:
        """Do nothing."""
