"""Everything in one store: what true texts would be lost there. Run ``python -m eval.probes.one_store``.

All texts of the pairs, and the dialogues, are told in order. What is superseded that no pair asks for is printed with
what did it, to be judged by eye; only facts of the split ``worked`` are shown. ``--sources`` says what shares a source,
as pages and users do: bare statements ("The port is 8000.") of two authors are of one port where all share one.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from eval.pairs import read
from eval.probe import superseded_by
from eval.statistics import rate
from memstrata_integrations import GrammarExtractor, SupersessionPolicy
from memstrata_integrations.extraction import Extraction, KeyedFact

_DIALOGUES = Path(__file__).resolve().parents[3] / "shared" / "data" / "locomo"


class Told(NamedTuple):
    """One text, and which earlier one it is said to supersede."""

    id: str
    text: str
    source: str = ""
    replaces: str = ""
    shown: bool = True


def of_pairs(sources: str) -> Iterator[Told]:
    """Yield the texts of the pairs, every first before its second; `sources` is ``one``, ``author`` or ``pair``."""
    for row in read(["value_only", "reworded", "assistant", "lookalike"]):
        source = {"one": "", "author": row["author"], "pair": row["id"]}[sources]
        first, shown = f"{row['id']}/1", row["split"] == "worked"
        yield Told(first, row["first"], source, shown=shown)
        yield Told(f"{row['id']}/2", row["second"], source, first if row["supersedes"] else "", shown)


def of_dialogues(directory: Path) -> Iterator[Told]:
    """Yield the turns of dialogues; each speaker is a source."""
    for path in sorted(directory.glob("*.json")):
        for key, turns in json.loads(path.read_text(encoding="utf-8")).items():
            for turn in turns if key.startswith("session_") and isinstance(turns, list) else ():
                yield Told(f"{path.stem}/{turn['dia_id']}", turn["text"], f"{path.stem}/{turn['speaker']}")


def lost(texts: Iterable[Told]) -> Iterator[tuple[Told, Told, KeyedFact]]:
    """Yield each fact that a later text supersedes: its text, the later one, and the fact."""
    texts, policy = list(texts), SupersessionPolicy()
    live: dict[tuple[str, tuple[str, str]], list[tuple[Told, KeyedFact]]] = {}
    for told, extraction in zip(texts, GrammarExtractor().extract([t.text for t in texts]), strict=True):
        for new in extraction.facts:
            held = live.setdefault((told.source if policy.confines(new) else "", new.key), [])
            gone = [(t, f) for t, f in held if superseded_by(Extraction((f,)), Extraction((new,)))]
            yield from ((t, told, f) for t, f in gone)
            held[:] = [pair for pair in held if pair not in gone] + [(told, new)] * (not new.change)


def main() -> None:
    """Tell everything to one store, and print what it would lose."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--dialogues", type=Path, default=_DIALOGUES)
    parser.add_argument("--sources", choices=("one", "author", "pair"), default="author")
    chosen = parser.parse_args()
    texts = [*of_pairs(chosen.sources), *of_dialogues(chosen.dialogues)]
    found = list(lost(texts))
    beside = [(old, new, fact) for old, new, fact in found if new.replaces != old.id]
    print(f"{len(texts):,} texts; superseded as pairs say: {len(found) - len(beside)}")
    print(f"superseded besides: {rate(len(beside), len(texts))}")
    for old, new, fact in beside:
        if old.shown and new.shown:
            print(f"  {' | '.join(fact.key)}\n    - {old.id}: {old.text!r}\n    + {new.id}: {new.text!r}")


if __name__ == "__main__":
    main()
