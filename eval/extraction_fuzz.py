"""Random and mutated texts through the grammar: none may raise. Run ``python -m eval.extraction_fuzz``."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from eval.extraction_speed import texts_of
from memstrata_integrations import GrammarExtractor

_ALPHABET = "abcdefghij ABC 0123456789 .,:;-_=/\\'\"`()[]{}<>|#*@$%&+~^!?\n\t éß漢🙂¤’“”—→\x00"
_PIECES = (
    " is ",
    " are ",
    " to ",
    " from ",
    " at ",
    " of ",
    " as ",
    " its ",
    " the ",
    " a ",
    " every ",
    " now",
    " instead of ",
    " was changed to ",
    " has been moved to ",
    " uses ",
    " version ",
    "'s ",
    ", ",
    ": ",
    " = ",
    "\n",
    "\n# ",
    "- ",
    "| ",
    " no longer ",
    " there are 3 ",
    "1e-6",
    "12:30",
    "2024-05-01",
    "$5",
    "v1.2.3",
    "`x`",
    "NAME_OF",
    "Ana Ruiz",
    "???",
    "...",
    " right now ",
    "Actually ",
    "Note to self: ",
    " and ",
    " or ",
    " that ",
    " which ",
    " who ",
    " (",
    ") ",
    " — ",
    " -> ",
)


def fuzzed(count: int, seed: int = 0) -> Iterator[str]:
    """Yield texts: of random characters, of pieces, and sentences with pieces cut out, put in and swapped."""
    source = random.Random(seed)
    sentences = texts_of("odd")
    for n in range(count):
        if n % 4 == 0:
            yield "".join(source.choices(_ALPHABET, k=source.randrange(120)))
            continue
        if n % 4 == 1:
            yield "".join(
                source.choice((*_PIECES, *source.choice(sentences).split(" "))) for _ in range(source.randrange(24))
            )
            continue
        words = source.choice(sentences).split(" ")
        for _ in range(source.randrange(1, 5)):
            at = source.randrange(len(words) + 1)
            what = source.randrange(4)
            if what == 0:
                words.insert(at, source.choice(_PIECES).strip(" "))
            elif what == 1 and len(words) > 1:
                del words[min(at, len(words) - 1)]
            elif what == 2:
                words.insert(at, source.choice(source.choice(sentences).split(" ")))
            else:
                word = words[min(at, len(words) - 1)]
                cut = source.randrange(len(word) + 1)
                words[min(at, len(words) - 1)] = word[:cut] + source.choice(_ALPHABET) + word[cut:]
        yield " ".join(words)


def main() -> None:
    """Read every text; an exception names the text that caused it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    grammar = GrammarExtractor()
    begun = time.perf_counter()
    facts = 0
    for text in fuzzed(arguments.count, arguments.seed):
        try:
            found = grammar._extract(text, None)
        except Exception as error:
            raise AssertionError(f"{text!r} raised {error!r}") from error
        for fact in found.facts:
            facts += 1
            start, end = fact.span
            if not 0 <= start < end <= len(text) or (fact.object is not None and fact.object not in text[start:end]):
                raise AssertionError(f"{text!r} gave {fact}")
    print(f"{arguments.count} texts, {facts} facts, no exception, {time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
