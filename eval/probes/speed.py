"""How fast the grammar reads: plain statements, pages, and being imported. Run ``python -m eval.probes.speed``."""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from eval.pages_corpus import read_pages
from eval.pairs import read
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.statements import statements

_IMPORT = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def texts() -> list[str]:
    """Return every text of the plainest pairs, those that differ in the value alone."""
    return [row[side] for row in read(["value_only"]) for side in ("first", "second")]


def main() -> None:
    """Measure, each round with texts that no cache has seen; the times are of one core."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    grammar = GrammarExtractor()
    told, pages = texts(), [text[:800] for page in read_pages() for text in page.revisions.values()]
    count = sum(len(statements(text)) for text in told)
    grammar.extract(told)
    rate = count / _median(lambda n: grammar.extract(_new(told, n)), rounds)
    print(f"{rate:,.0f} statements a second ({count:,} statements of {len(told):,} texts)")
    page = _median(lambda n: grammar.extract(_new(pages, n)), rounds) / len(pages)
    print(f"{page * 1000:.2f} ms a page of 800 characters ({len(pages)} pages)")
    name = "memstrata_integrations.extraction"
    taken = [subprocess.check_output([sys.executable, "-c", _IMPORT.format(name)], text=True) for _ in range(rounds)]
    print(f"{statistics.median(map(float, taken)):.3f} s to import {name}")


def _new(told: list[str], n: int) -> list[str]:
    return [text.replace("the ", f"the q{n}x{k} ", 1) for k, text in enumerate(told)]


def _median(call: Callable[[int], object], rounds: int) -> float:
    taken = []
    for n in range(rounds):
        begun = time.process_time()
        call(n)
        taken.append(time.process_time() - begun)
    return statistics.median(taken)


if __name__ == "__main__":
    main()
