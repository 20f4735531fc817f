"""Whether a fact is recognised in another grammatical construction: "The port is V", "V is the port it listens on".

Each group (``eval/pairs/groups``) states one fact in six to eight constructions. Every one of them, with a first value,
should be retired by every other with a second one. Sentences of different groups of a file state different facts: none
may retire a sentence of another group.

The first file was worked on; the second was counted before and then opened; the third is only counted, ``--show``
refuses it.

Run ``python -m eval.other_constructions [--groups 1] [--kinds] [--show]``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from eval.probe import retired_by, wilson
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction

GROUPS = Path(__file__).resolve().parent / "pairs" / "groups"
COUNTED_ONLY = frozenset({"3"})


def with_value(sentence: str, value: str) -> str:
    """Return a sentence with its value, in capitals where a word opens it.

    Example:
        >>> with_value("{v} is what it returns.", "a tuple"), with_value("{v} is where it lives.", "src/tax.py")
        ('A tuple is what it returns.', 'src/tax.py is where it lives.')
    """
    text = sentence.replace("{v}", value)
    opens = sentence.startswith("{v}") and value.split()[0].isalpha()
    return text[0].upper() + text[1:] if opens else text


def groups(name: str) -> list[dict[str, Any]]:
    """Return the groups of a file, each with its `id`, `kind`, `values` (two) and `sentences`."""
    return [json.loads(line) for line in (GROUPS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines() if line]


def linked(grammar: GrammarExtractor, group: Mapping[str, Any]) -> Iterator[tuple[int, int, bool]]:
    """Yield each ordered pair of the sentences of a group, and whether the later retires the earlier."""
    said = [grammar.extract([with_value(s, value) for s in group["sentences"]]) for value in group["values"][:2]]
    for first, second in permutations(range(len(group["sentences"])), 2):
        yield first, second, retired_by(said[0][first], said[1][second])


def confused(grammar: GrammarExtractor, every: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the sentences of different groups of which the one would retire the other."""
    held: defaultdict[tuple[str, str, str], list[tuple[str, str, Extraction]]] = defaultdict(list)
    found: dict[tuple[str, str], None] = {}
    for group in every:
        for value in group["values"][:2]:
            texts = [with_value(s, value) for s in group["sentences"]]
            for text, read in zip(texts, grammar.extract(texts), strict=True):
                for fact in read.facts:
                    held[fact.subject, fact.relation, fact.dimension].append((group["id"], text, read))
    for same in held.values():
        for (group_id, text, read), (other_id, other, later) in permutations(same, 2):
            if group_id != other_id and retired_by(read, later):
                found[text, other] = None
    return list(found)


def main() -> None:
    """Print the share of the pairs that are linked, by file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = sorted(p.stem for p in GROUPS.glob("*.jsonl"))
    parser.add_argument("--groups", choices=names, help="one file alone")
    parser.add_argument("--kinds", action="store_true", help="by kind, too")
    parser.add_argument("--show", action="store_true", help="print each sentence with its links and its facts")
    arguments = parser.parse_args()
    chosen = [arguments.groups] if arguments.groups else names
    if arguments.show and not COUNTED_ONLY.isdisjoint(chosen):
        parser.error(f"the files {', '.join(sorted(COUNTED_ONLY))} are only counted; choose another with --groups")
    grammar = GrammarExtractor()
    for name in chosen:
        tried, hits = Counter[str](), Counter[str]()
        alone = sentences = 0
        for group in groups(name):
            links = Counter[int]()
            for first, second, hit in linked(grammar, group):
                tried[group["kind"]] += 1
                hits[group["kind"]] += hit
                links.update({first: hit, second: hit})
            sentences += len(group["sentences"])
            alone += sum(not links[n] for n in range(len(group["sentences"])))
            if arguments.show:
                show(grammar, group, links)
        print(f"{name}: pairs linked {wilson(hits.total(), tried.total())}, linked to none {alone}/{sentences}")
        for kind in sorted(tried) if arguments.kinds else ():
            print(f"   {kind:<28} {hits[kind]}/{tried[kind]} = {hits[kind] / tried[kind]:.0%}")
        mixed = confused(grammar, groups(name))
        print(f"   of different groups {len(mixed)} retire one another")
        for text, other in mixed if arguments.show else ():
            print(f"   {text!r} => {other!r}")


def show(grammar: GrammarExtractor, group: Mapping[str, Any], links: Mapping[int, int]) -> None:
    """Print the sentences of a group, each with the number of its links and its first facts."""
    print(f"{group['id']} {group['kind']} {group['values']}")
    for n, sentence in enumerate(group["sentences"]):
        read = grammar.extract([with_value(sentence, group["values"][1])])[0]
        facts = "; ".join(f"{f.subject} | {f.relation} | {f.value}" for f in read.facts[:2])
        print(f"   {links[n]:>2} {sentence} -> {facts}")


if __name__ == "__main__":
    main()
