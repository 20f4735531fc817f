"""What the grammar retires, and what it retires wrongly, on pairs written without sight of the code.

Run ``python -m eval.probe``. The odd half of the pairs may be looked at (``--show``), the even half is
only counted; ``1mod4`` and ``3mod4`` split the odd half in two, so that the one may check what was tuned on
the other. Every rate stands with its 95 % Wilson interval. A text that says more than the one fact is not retired:
readers get it without that statement, which is counted as withdrawn.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction, Fact

ROOT = Path(__file__).resolve().parent.parent
HALVES = ("odd", "even", "all", "1mod4", "3mod4")
_EARLIER, _FRESH = ROOT / "tests" / "data", ROOT / "eval" / "pairs"
SETS = {
    "plain_evolving": _EARLIER / "plain_evolving.jsonl",
    "lookalikes": _EARLIER / "lookalikes.jsonl",
    **{
        name: _FRESH / f"{name}.jsonl"
        for name in (
            *("evolving", "rephrased", "assistant", "lookalikes_a", "lookalikes_b", "lookalikes_c"),
            *("evolving_d", "rephrased_d", "assistant_e", "lookalikes_e"),
            *("evolving_f", "lookalikes_f"),
            *("evolving_g", "rephrased_g", "assistant_h", "lookalikes_h"),
            *("evolving_i", "lookalikes_i"),
            *("evolving_j", "rephrased_j", "assistant_k", "lookalikes_k"),
            *("evolving_l", "rephrased_l", "lookalikes_l"),
            *("evolving_m", "lookalikes_m"),
            *("evolving_n", "rephrased_n", "assistant_o", "lookalikes_o"),
            *("evolving_p", "rephrased_p", "lookalikes_p", "lookalikes_q"),
            *("evolving_r", "lookalikes_r"),
            *("evolving_s", "rephrased_s", "assistant_u", "lookalikes_u", "lookalikes_v"),
            *("evolving_w", "rephrased_w", "assistant_x", "lookalikes_x", "lookalikes_y"),
            *("evolving_z", "rephrased_z", "assistant_z", "lookalikes_za", "lookalikes_zb", "lookalikes_zc"),
            *("evolving_zd", "rephrased_zd", "assistant_zd"),
            *("evolving_ac", "rephrased_ac", "assistant_ac", "lookalikes_ac"),
        )
    },
}


class Outcome(NamedTuple):
    """What came of one pair: whether it should, whether it did, and whether at least the statement is withdrawn."""

    pair: dict[str, Any]
    wanted: bool
    retired: bool
    covered: bool
    withdrawn: bool


def wilson(hits: int, n: int) -> str:
    """Return a rate with its count and 95 % interval."""
    if not n:
        return "none"
    z, p = 1.96, hits / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{hits}/{n} = {p:.1%} [{max(0.0, centre - half):.1%}, {min(1.0, centre + half):.1%}]"


def superseded_by(earlier: Extraction, later: Extraction) -> list[Fact]:
    """Return the facts of the earlier text that the later one supersedes."""
    stated = {(f.subject, f.relation, f.dimension): f for f in later.facts if f.cardinality == "functional"}
    endings = {(f.subject, f.relation, f.value) for f in later.facts if f.object is None}
    return [
        fact
        for fact in earlier.facts
        if fact.cardinality == "functional"
        and (
            not endings.isdisjoint((fact.subject, fact.relation, value) for value in ("", fact.value))
            or (
                (other := stated.get((fact.subject, fact.relation, fact.dimension))) is not None
                and other.value != fact.value
            )
        )
    ]


def retired_by(earlier: Extraction, later: Extraction) -> bool:
    """Whether the whole of the earlier text would be retired."""
    if earlier.prose or not earlier.facts:
        return False
    held = [f for f in earlier.facts if not f.beside]
    return len(superseded_by(Extraction(tuple(held), False), later)) == len(held)


def withdrawn_by(pair: Mapping[str, Any], earlier: Extraction, later: Extraction) -> bool:
    """Whether readers get the earlier text without its value, in whatever else it says.

    Where a pair does not say which words are the value, any statement of the text counts.
    """
    gone = superseded_by(earlier, later)
    if "value_first" not in pair or retired_by(earlier, later):
        return bool(gone)
    left = pair["first"]
    for start, end in sorted({f.span for f in gone}, reverse=True):
        left = left[:start] + left[end:]
    return bool(gone) and pair["value_first"] not in left


def retires(grammar: GrammarExtractor, first: str, second: str) -> bool:
    """Whether writing `second` after `first` would retire the whole of `first`."""
    earlier, later = grammar.extract([first, second])
    return retired_by(earlier, later)


def pairs(name: str, half: str) -> list[dict[str, Any]]:
    """Return the pairs of a set; `half` is one of `HALVES`."""
    rows = [json.loads(line) for line in SETS[name].read_text(encoding="utf-8").splitlines() if line.strip()]
    return [r for r in rows if _belongs(int(r["id"].split("-")[-1]), half)]


def _belongs(number: int, half: str) -> bool:
    if half.endswith("mod4"):
        return number % 4 == int(half[0])
    return half == "all" or (number % 2 == 1) == (half == "odd")


def outcomes(grammar: GrammarExtractor, name: str, half: str) -> list[Outcome]:
    """Return what comes of each pair of a set."""
    found = []
    for pair in pairs(name, half):
        earlier, later = grammar.extract([pair["first"], pair["second"]])
        wanted = pair.get("supersedes", name == "plain_evolving")
        covered = any(f.cardinality == "functional" for f in earlier.facts)
        withdrawn = withdrawn_by(pair, earlier, later)
        found.append(Outcome(pair, wanted, retired_by(earlier, later), covered, withdrawn))
    return found


def report(name: str, half: str, found: list[Outcome], *, show: bool, kinds: bool) -> None:
    """Print the rows of one set, and its misses if they may be seen."""
    for wanted, title in ((True, "clean supersession"), (False, "false supersession")):
        some = [o for o in found if o.wanted is wanted]
        if not some:
            continue
        covered = sum(o.covered for o in some)
        print(
            f"{name:<15} {half:<6} {title:<19} {wilson(sum(o.retired for o in some), len(some)):<34} "
            f"coverage {covered}/{len(some)} = {covered / len(some):.1%}, "
            f"withdrawn {sum(o.withdrawn for o in some)}"
        )
        if kinds:
            hits = Counter(o.pair["kind"] for o in some if o.retired)
            total = Counter(o.pair["kind"] for o in some)
            print("    " + ", ".join(f"{kind} {hits[kind]}/{n}" for kind, n in sorted(total.items())))
        if show:
            for outcome in some:
                if outcome.retired != wanted:
                    pair = outcome.pair
                    print("   ", pair["id"], pair["kind"], "|", pair["first"], "|", pair["second"])


def main() -> None:
    """Count what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", dest="sets", action="append", choices=sorted(SETS), help="default: all")
    parser.add_argument("--half", choices=HALVES, default="even")
    parser.add_argument("--show", action="store_true", help="print the misses (never those of the even half)")
    parser.add_argument("--kinds", action="store_true", help="print the counts of each kind of pair")
    arguments = parser.parse_args()
    if arguments.show and arguments.half in ("even", "all"):
        parser.error("--show prints pairs of the odd half only: give --half odd, 1mod4 or 3mod4")
    grammar = GrammarExtractor()
    for name in arguments.sets or SETS:
        found = outcomes(grammar, name, arguments.half)
        report(name, arguments.half, found, show=arguments.show, kinds=arguments.kinds)


if __name__ == "__main__":
    main()
