"""Progress bars, for whoever watches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memstrata_integrations.chroma.arguments import read_flag

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(wanted: bool, what: str, total: int | None = None) -> Iterator[Any]:
    """Yield a tqdm bar, of `total` rows if that is known; it shows nothing where nobody would see it."""
    from tqdm import tqdm

    hidden = not read_flag("progress", wanted) or not sys.stderr.isatty()
    with tqdm(unit="row", desc=what, total=total, disable=hidden) as bar:
        yield bar
