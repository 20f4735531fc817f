"""How many statements a second the grammar reads on one core. Run ``python -m eval.extraction_speed``."""

from __future__ import annotations

import argparse
import statistics
import time

from eval.probe import SETS, pairs
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.statements import statements


def texts_of(half: str) -> list[str]:
    """Return every sentence of the sets of pairs."""
    return [row[side] for name in SETS for row in pairs(name, half) for side in ("first", "second")]


def main() -> None:
    """Measure, with every cache warm and with texts that no cache has seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    texts = texts_of("odd")
    count = sum(1 for t in texts for s in statements(t) if s.kind != "context")
    grammar = GrammarExtractor()
    grammar.extract(texts)
    for title, vary in (("seen before", False), ("never seen", True)):
        rates = []
        for n in range(arguments.rounds):
            # a name of its own makes each text new to every cache
            batch = [t.replace("the ", f"the q{n}x{k} ", 1) for k, t in enumerate(texts)] if vary else texts
            begun = time.process_time()
            grammar.extract(batch)
            rates.append(count / (time.process_time() - begun))
        rate = statistics.median(rates)
        print(f"{title:<12} {rate:>9,.0f} statements/s on one core ({count} statements, {len(texts)} texts)")


if __name__ == "__main__":
    main()
