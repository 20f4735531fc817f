"""What the grammar retires, and what it retires wrongly, on pairs written without sight of the code.

Run ``python -m eval.probe``. The odd half of the pairs may be looked at (``--show``), the even half is
only counted. Every rate stands with its 95 % Wilson interval.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

from memstrata_integrations import GrammarExtractor

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"


def wilson(hits: int, n: int) -> str:
    """Return a rate with its count and 95 % interval."""
    if not n:
        return "none"
    z, p = 1.96, hits / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{hits}/{n} = {p:.1%} [{max(0.0, centre - half):.1%}, {min(1.0, centre + half):.1%}]"


def retires(grammar: GrammarExtractor, first: str, second: str) -> bool:
    """Whether writing `second` after `first` would retire the whole of `first`."""
    earlier, later = grammar.extract([first, second])
    if earlier.prose or not earlier.facts:
        return False
    stated = {(f.subject, f.relation, f.dimension): f for f in later.facts if f.cardinality == "functional"}
    return all(
        fact.cardinality == "functional"
        and (other := stated.get((fact.subject, fact.relation, fact.dimension))) is not None
        and (other.object is None or other.value != fact.value)
        for fact in earlier.facts
    )


def pairs(name: str, half: str) -> list[dict[str, Any]]:
    """Return the pairs of a file; `half` is odd, even or all."""
    rows = [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line.strip()]
    return [r for r in rows if half == "all" or (int(r["id"].split("-")[-1]) % 2 == 1) == (half == "odd")]


def main() -> None:
    """Count both halves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("odd", "even", "all"), default="even")
    parser.add_argument("--show", action="store_true", help="print the misses (odd half only)")
    arguments = parser.parse_args()
    grammar = GrammarExtractor()
    for name, wanted, title in (
        ("plain_evolving.jsonl", True, "clean supersession"),
        ("lookalikes.jsonl", False, "false supersession"),
    ):
        found = [(row, retires(grammar, row["first"], row["second"])) for row in pairs(name, arguments.half)]
        print(f"{title} ({arguments.half} half): {wilson(sum(r for _, r in found), len(found))}")
        kinds = Counter(row["kind"] for row, _ in found)
        hits = Counter(row["kind"] for row, r in found if r)
        print("  " + ", ".join(f"{kind} {hits[kind]}/{n}" for kind, n in sorted(kinds.items())))
        if arguments.show and arguments.half == "odd":
            for row, r in found:
                if r != wanted:
                    print("   ", row["id"], row["kind"], "|", row["first"], "|", row["second"])


if __name__ == "__main__":
    main()
