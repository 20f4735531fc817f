"""Random and mutated texts through the grammar: none may raise. Run ``python -m eval.probes.fuzz``."""

import argparse
import random
import time
from collections.abc import Iterator

from eval.pairs import read
from memstrata_integrations import GrammarExtractor

_ALPHABET = "abcdefghij ABC 0123456789 .,:;-_=/\\'\"`()[]{}<>|#*@$%&+~^!?\n\t éß漢🙂¤’“”—→\x00"
_PIECES = """is|are|to|from|at|of|as|its|the|a|every|now|instead of|was changed to|has been moved to|uses|version|'s|,|
:|=|\n|\n# |- |\n| |no longer|there are 3|1e-6|12:30|2024-05-01|$5|v1.2.3|`x`|NAME_OF|Ana Ruiz|???|...|right now|
Actually|Note to self:|and|or|that|which|who|(|)|—|->""".replace("|\n", "|").split("|")


def fuzzed(count: int, seed: int = 0) -> Iterator[str]:
    """Yield texts: of random characters, of pieces, and sentences with pieces cut out, put in and swapped."""
    source = random.Random(seed)
    sentences = [row["first"] for row in read(["value_only", "reworded", "lookalike"], ["worked"])]
    for n in range(count):
        if n % 4 == 0:
            yield "".join(source.choices(_ALPHABET, k=source.randrange(120)))
            continue
        words = source.choice(sentences).split(" ")
        if n % 4 == 1:
            words = [source.choice((*_PIECES, *words)) for _ in range(source.randrange(24))]
        for _ in range(source.randrange(1, 5) if words else 0):
            at = source.randrange(len(words))
            cut = source.randrange(len(words[at]) + 1)
            words[at : at + source.randrange(2)] = source.choice(
                (
                    [source.choice(_PIECES)],
                    [source.choice(source.choice(sentences).split(" "))],
                    [words[at][:cut] + source.choice(_ALPHABET) + words[at][cut:]],
                    [""],
                )
            )
        yield " ".join(words)


def check(text: str, grammar: GrammarExtractor) -> int:
    """Return how many facts a text gives.

    Raises:
        AssertionError: If the grammar has a fault in it, or gives an object that isn't there word for word.
    """
    [found] = grammar.extract([text])
    assert all(why != "a fault of the grammar" for _, _, why in found.unread), text
    for fact in found.facts:
        start, end = fact.span
        assert 0 <= start < end <= len(text), (text, fact)
        assert fact.object is None or fact.object in text[start:end], (text, fact)
    return len(found.facts)


def main() -> None:
    """Read every text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    grammar, begun = GrammarExtractor(), time.perf_counter()
    facts = sum(check(text, grammar) for text in fuzzed(chosen.count, chosen.seed))
    print(f"{chosen.count} texts, {facts} facts, no fault, {time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
