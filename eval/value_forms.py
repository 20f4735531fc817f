"""Whether an update is caught however its value is written: "30 days", "a fortnight", "1 000", "€13,50".

Pairs that differ in their value alone, and of which the later supersedes the earlier, get other values of the same
kind in other forms, and are read again. A low row names a form that the grammar does not read, or does not read
where the pairs have it. Only odd halves of the pairs are used.

Run ``python -m eval.value_forms [--kind duration] [--show 3]``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NamedTuple

from eval.probe import SETS, pairs, retires, wilson
from memstrata_integrations import GrammarExtractor

_UNIT = re.compile(
    r"(?: ?(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|percent|[KMGT]i?B|euros?|dollars?"
    r"|pounds?|EUR|USD|[ap]\.?m\.?|°C|km|kg|m)\b|%)(?!\w)"
)
_MARK = re.compile(r"[$€£]\Z")
_VALUE = re.compile(r"(.*?)([.,;!`\"')]*)\Z", re.DOTALL)
_TWO_ARTICLES = re.compile(r"\b(?:an?|the) (?=(?:an?|the|my) )")

KINDS = {
    "number": r"\d[\d,.]*",
    "duration": r"\d[\d.,]* ?(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?)",
    "clock": r"\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?",
    "money": r"[$€£]\d[\d.,]*|\d[\d.,]* (?:euros?|dollars?|pounds?|EUR|USD)",
    "percent": r"\d[\d.]* ?(?:%|percent)",
    "size": r"\d[\d.]* ?[KMGT]i?B",
    "date": r"(?:\d{1,2} [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2})(?: \d{4})?",
    "person": r"[A-Z][a-z]+ [A-Z][a-z]+",
    "version": r"v?\d+(?:\.\d+)+",
}
FORMS = {
    "number": (
        "1,200;2,400|twelve;fifteen|1 000;2 500|10k;25k|a dozen;ten|5.5;6.5|1.5 million;2 million|five hundred;600"
    ),
    "duration": (
        "an hour;two hours|half an hour;an hour|90 seconds;2 minutes|a year;two years"
        "|3 working days;5 working days|1h30;2h15|a week;10 days|30 days;3 months"
        "|a quarter of an hour;20 minutes|5 mins;10 mins|an hour and a half;two hours"
        "|2 to 3 days;4 to 5 days|3-5 days;5-7 days|90s;2m|1 hr 20;1 hr 40"
    ),
    "clock": (
        "noon;1 pm|midnight;2 am|half past nine;half past ten|18h30;19h30|six o'clock;seven o'clock"
        "|19:00 UTC;21:00 UTC|7pm;8pm|12 noon;1 pm|0900;1000|9 sharp;10 sharp"
    ),
    "money": (
        "CHF 40;CHF 55|40 kronor;55 kronor|₹500;₹700|15 Swiss francs;18 Swiss francs|30k euros;45k euros"
        "|$1.5m;$2m|1 200 €;1 500 €|€1.200;€1.500|twelve euros;fifteen euros|a euro;two euros|€12.50;€13,50"
        "|12,50 €;13,50 €|€10-15;€15-20"
    ),
    "percent": "half;a third|0.5 %;0.75 %|ten percent;twelve percent|12,5 %;15 %|3 per cent;4 per cent",
    "size": "2 GiB;4 GiB|64k;128k|10MB;20MB|1G;2G|512M;1G|half a gigabyte;1 GB",
    "date": (
        "March 12th;March 15th|12/03/2026;15/03/2026|the 12th;the 15th|end of March;end of April"
        "|mid-March;mid-April|the third of May;the fourth of May|2026-03-12;2026-04-01"
        "|Friday, 13 March;Friday, 20 March|spring;summer"
    ),
    "person": (
        "Ida;Ben|Dr. Rossi;Dr. Kemp|de la Cruz;van Dam|Amir al-Sayed;Omar bin Said|J.R. Hartley;B. Kemp"
        "|ida;ben|@ida;@ben|Ida Rossi-Kemp;Ben von Stein|the Falcon team;the Otter team"
        "|Rossi & Sons;Kemp Brothers"
    ),
    "version": "22 LTS;24 LTS|3.x;4.x|2.0-beta;2.0|v12;v13|2026.1;2026.2|>=3.9;>=3.11",
}
"""Kind to pairs of values, the earlier before the semicolon."""


class Frame(NamedTuple):
    """A sentence without its value."""

    before: str
    behind: str

    def with_value(self, value: str) -> str:
        """Return the sentence with a value in it."""
        return _TWO_ARTICLES.sub("", f"{self.before}{value}{self.behind}")


def split(text: str, other: str) -> tuple[Frame, str]:
    """Return what two sentences have in common, as it stands in the first, and the value of the first."""
    ours, theirs = re.split(r"(\s+)", text), re.split(r"(\s+)", other)
    shortest = min(len(ours), len(theirs))
    same = next((n for n in range(shortest) if ours[n] != theirs[n]), shortest)
    ends = next((n for n in range(shortest - same) if ours[-1 - n] != theirs[-1 - n]), shortest - same)
    before, value, behind = (
        "".join(ours[:same]),
        "".join(ours[same : len(ours) - ends]),
        "".join(ours[len(ours) - ends :]),
    )
    bare = _VALUE.match(value)
    if bare is not None:
        value, behind = bare[1], bare[2] + behind
    if re.fullmatch(r"[\d.,:]+", value) and (unit := _UNIT.match(behind)) is not None:
        value, behind = value + unit[0], behind[unit.end() :]
    if value[:1].isdigit() and (mark := _MARK.search(before)) is not None:
        value, before = mark[0] + value, before[: mark.start()]
    return Frame(before, behind), value


def frames(grammar: GrammarExtractor) -> Iterator[tuple[str, Frame, Frame]]:
    """Yield the kind of the value of each pair that is caught as it stands, and its two sentences without it."""
    for name in SETS:
        for pair in pairs(name, "odd"):
            wanted = pair.get("supersedes", name == "plain_evolving")
            if not wanted or not retires(grammar, pair["first"], pair["second"]):
                continue
            (first, one), (second, other) = split(pair["first"], pair["second"]), split(pair["second"], pair["first"])
            for kind, shape in KINDS.items():
                if re.fullmatch(shape, one) and re.fullmatch(shape, other):
                    yield kind, first, second
                    break


def main() -> None:
    """Print how many pairs are caught in each form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, help="one kind of value alone")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N pairs of each form that are not caught"
    )
    arguments = parser.parse_args()
    grammar = GrammarExtractor()
    known = list(frames(grammar))
    for kind, forms in FORMS.items():
        of_kind = [(first, second) for k, first, second in known if k == kind]
        if arguments.kind not in (None, kind) or not of_kind:
            continue
        for form in forms.split("|"):
            earlier, later = form.split(";")
            written = [(first.with_value(earlier), second.with_value(later)) for first, second in of_kind]
            missed = [(a, b) for a, b in written if not retires(grammar, a, b)]
            print(f"{kind:<9} {earlier + ' / ' + later:<38} {wilson(len(written) - len(missed), len(written))}")
            for a, b in missed[: arguments.show]:
                print(f"    {a} => {b}")


if __name__ == "__main__":
    main()
