"""Whether a true fact is kept when another one holds elsewhere: "... in the annex", "On Windows, ...", "(guests) ...".

Pairs of which the later supersedes the earlier get a phrase that limits where, when or for whom the one of them holds.
Neither may supersede the other then. What is left is printed by phrase: some of it is no sentence that anybody would
write, and a phrase behind a remark ("..., which is enough, in the annex") may limit the remark alone. Only odd halves
of the pairs are used; the phrases (``eval/pairs/scopes``) were written without sight of the code.

Run ``python -m eval.other_scopes [--place behind] [--phrases 1] [--show 3]``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from eval.probe import SETS, pairs, retired_by, wilson
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction

PHRASES = Path(__file__).resolve().parent / "pairs" / "scopes"
PLACES = ("behind", "front", "after_subject", "before_noun")
_STOP = re.compile(r"[.!]*\s*\Z")
_VERB = re.compile(r"(?<=[a-z]) (?=(?:is|are|has|runs|uses|lives|takes|costs|closes|opens|starts) )")
_NOUN = re.compile(r"(?:\A|(?<=\s))(?:[Tt]he|[Mm]y|[Oo]ur) (?=[a-z`])")
_OPENER = re.compile(r"(?:The|My|Our|We|A|An|It|In|On|At|For|She|He|They|This|From|Please)\b")
_APART = ("\n", ": ", ") ", "] ", "- ", "– ", "— ")  # what stands behind these keeps its capital letter


def limited(text: str, place: str, phrases: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each phrase and the text with it.

    Args:
        text: A statement.
        place: Where the phrases stand, one of `PLACES`.
        phrases: The phrases.
    """
    for phrase in phrases:
        if place == "front":
            lowered = text[0].lower() + text[1:] if _OPENER.match(text) and not phrase.endswith(_APART) else text
            yield phrase, phrase + lowered
            continue
        slot = {"behind": _STOP, "after_subject": _VERB, "before_noun": _NOUN}[place].search(text)
        if slot is not None:
            at = slot.end() if place == "before_noun" else slot.start()
            yield phrase, f"{text[:at]}{phrase}{' ' if place == 'before_noun' else ''}{text[at:]}"


def caught(grammar: GrammarExtractor) -> Iterator[tuple[str, str, Extraction, Extraction]]:
    """Yield the pairs of which the later supersedes the earlier, and what was read of them."""
    for name in SETS:
        for pair in pairs(name, "odd"):
            if pair.get("supersedes", name == "plain_evolving"):
                earlier, later = grammar.extract([pair["first"], pair["second"]])
                if retired_by(earlier, later):
                    yield pair["first"], pair["second"], earlier, later


def main() -> None:
    """Print how many facts are lost that hold beside one another, by phrase."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--place", choices=PLACES, help="one place alone")
    parser.add_argument("--phrases", choices=sorted(p.stem for p in PHRASES.glob("*.json")), help="one list alone")
    parser.add_argument("--each", type=int, default=6, metavar="N", help="phrases that each statement gets (6)")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N pairs of each phrase that are lost")
    arguments = parser.parse_args()
    grammar, rng = GrammarExtractor(), random.Random(0)
    known = list(caught(grammar))
    for path in sorted(PHRASES.glob("*.json")):
        for place, phrases in json.loads(path.read_text(encoding="utf-8")).items():
            if arguments.place not in (None, place) or arguments.phrases not in (None, path.stem):
                continue
            tried, lost = 0, defaultdict(list)
            for first, second, earlier, later in known:
                for text, other, limits_first in ((first, second, True), (second, first, False)):
                    for phrase, said in limited(text, place, rng.sample(phrases, arguments.each)):
                        read = grammar.extract([said])[0]
                        tried += 1
                        if retired_by(read, later) if limits_first else retired_by(earlier, read):
                            lost[phrase].append((said, other) if limits_first else (other, said))
            print(f"{path.stem:<3} {place:<14} {wilson(sum(map(len, lost.values())), tried)}")
            for phrase, found in sorted(lost.items(), key=lambda item: -len(item[1])) if arguments.show else ():
                print(f"  {phrase!r} {len(found)}")
                for first, second in found[: arguments.show]:
                    print(f"    {first!r} => {second!r}")


if __name__ == "__main__":
    main()
