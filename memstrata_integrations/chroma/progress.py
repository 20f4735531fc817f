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
    """Yield a tqdm bar, of `total` rows if that is known, or `None` when nobody would see it."""
    if not read_flag("progress", wanted) or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit="row", desc=what, total=total) as bar:
        yield bar
