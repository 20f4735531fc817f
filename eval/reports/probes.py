"""What is measured apart from the main run: extraction, look-alikes, dates, git histories."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from eval.probe import TITLES
from eval.reports import published
from eval.reports.tables import code, name_of, percent, table, told_by, word
from eval.reports.tally import OURS, Rate, Tally, grouped, plain, rate_of

SPLITS = {
    "first": "at first sight",
    "to break": "at first sight, written to break a grammar",
    "fresh": "fresh",
    "counted": "counted, never read",
    "worked": "worked on",
}
"""What was done with a set of pairs, the untouched first."""


def extraction(tally: Tally) -> str:
    """Return what the extractor retires, rightly and wrongly, on pairs written without sight of it."""
    parts = []
    rows = tally.records.of("probe")
    if rows:
        sets: dict[tuple[str, str], dict[str, Rate]] = {}
        for row in sorted(rows, key=lambda row: (list(SPLITS).index(row["half"]), row["set"])):
            sets.setdefault((row["set"], row["half"]), {})[row["measure"]] = Rate.over(row["groups"])
        measures = ("clean supersession", "false supersession")
        body = [
            [f"{TITLES[name]} ({SPLITS[half]})", *(found[m].line() if m in found else "–" for m in measures)]
            for (name, half), found in sets.items()
        ]
        parts += [
            f"*No model reads or judges; extractor: {tally.made_with('extractor')}.*\n",
            table(["pairs", "retired as it should be", "retired wrongly"], body),
            "Intervals resample authors: how an author writes matters more than how many pairs there are.\n",
        ]
    theirs = published.published()["extraction_probe"]
    body = []
    for benchmark, figure in (
        ("code_mutation", theirs["code_mutation_clean_supersession"]),
        ("fair_contradiction", theirs["fair_contradiction_clean_supersession"]),
    ):
        if (ours := tally.coverage([benchmark], OURS)).n:
            body.append([f"{code(benchmark)}: retired, successor served", ours.line(), f"*{percent(figure)}*"])
    for condition, figure in theirs["fair_contradiction_accuracy"].items():
        if (ours := tally.rate("correct", ["fair_contradiction"], condition)).n:
            what = f"{code('fair_contradiction')}: answered right by {name_of(condition, tally)}"
            body.append([what, ours.line(), f"*{percent(figure)}*"])
    if body:
        parts += [told_by(tally, "reader", "correctness"), table(["", "ours", "*published*"], body)]
    return "\n".join(parts)


def lost_pairs(tally: Tally, condition: str) -> list[str]:
    """Return the look-alike pairs of which a statement is lost when all are told to one store."""
    lost = [turn for cell in tally.cells(["collision"], condition) for turn in cell["lost"]]
    return sorted({turn.removesuffix("-first").removesuffix("-second") for turn in lost})


def collision(tally: Tally) -> str:
    """Return what look-alikes retire that they must not: in one store, and one pair a store."""
    conditions = [c for c in (*tally.conditions, *tally.alternatives) if tally.cells(["collision"], c)]
    conditions = [c for c in conditions if c != "no_memory"]
    pairs = tally.records.of("pair")
    parts = []
    if conditions:
        rows = [
            [name_of(c, tally), tally.lost(["collision"], c).line(), tally.rate("hit", ["collision"], c).line()]
            for c in conditions
        ]
        parts += [
            "### All in one store\n",
            told_by(tally),
            table(["", "statements lost", "value of the first in the context"], rows),
        ]
    alone = tally.ordered(row["condition"] for row in pairs)
    if alone:
        rows = []
        for title, same in (("another value", False), ("the same value", True), ("all", None)):
            some = [row for row in pairs if same is None or row["same_value"] is same]
            rows.append([title, *(_lost([row for row in some if row["condition"] == c]).line() for c in alone)])
        parts += [
            "### One pair a store: the first is lost\n",
            told_by(tally),
            table(["the second has", *(name_of(c, tally) for c in alone)], rows),
        ]
    parts += _by_kind(tally, pairs, alone)
    return "\n".join(parts)


def _by_kind(tally: Tally, pairs: Sequence[dict[str, Any]], alone: Sequence[str]) -> list[str]:
    kinds = Counter(tally.kinds("collision").values()) or Counter({row["pair"]: row["kind"] for row in pairs}.values())
    if not kinds:
        return []
    kind_of = tally.kinds("collision")
    together = [c for c in (OURS, "temporal_v6_lossy", "v6_no_verify") if tally.cells(["collision"], c)]
    lost = {c: Counter(kind_of[pair] for pair in lost_pairs(tally, c) if pair in kind_of) for c in together}
    rows = []
    for kind, n in sorted(kinds.items(), key=lambda item: (-item[1], item[0])):
        own = [row for row in pairs if row["kind"] == kind]
        rows.append(
            [
                plain(kind.replace("_", " ")),
                *(Rate(lost[c][kind], n).stacked() for c in together),
                *(_lost([row for row in own if row["condition"] == c]).stacked() for c in alone),
            ]
        )
    header = [
        "kind",
        *(f"{name_of(c, tally)}, one store" for c in together),
        *(f"{name_of(c, tally)}, alone" for c in alone),
    ]
    return ["### By kind: pairs of which a statement is lost\n", told_by(tally), table(header, rows)]


def _lost(rows: Sequence[dict[str, Any]]) -> Rate:
    return Rate(sum(row["lost"] for row in rows), len(rows))


def _probed(tally: Tally, benchmark: str, condition: str) -> dict[str, list[Any]]:
    """Return the answers by what is asked: now, at a date, or where nothing is valid."""
    found: dict[str, list[Any]] = {"now": [], "past": [], "nothing": []}
    for row in tally.answers([benchmark], condition):
        found["nothing" if row["expects_nothing"] else "past" if row["as_of"] else "now"].append(row)
    return found


def _dated(tally: Tally, benchmark: str, conditions: Iterable[str]) -> str:
    rows = []
    for condition in conditions:
        probed = _probed(tally, benchmark, condition)
        rows.append(
            [
                name_of(condition, tally),
                *(
                    rate_of(probed[when], m).stacked()
                    for when in ("now", "past")
                    for m in ("hit", "exposed", "correct")
                ),
                *(rate_of(probed["nothing"], m).stacked() for m in ("exposed", "correct")),
            ]
        )
    header = [
        *("", "now: value in context", "now: another in it", "now: right"),
        *("past: value in context", "past: another in it", "past: right"),
        *("no value then: one in it", "no value then: says so"),
    ]
    return told_by(tally, "reader", "correctness") + table(header, rows)


def timeline(tally: Tally) -> str:
    """Return what is found now, at past dates, and where nothing was valid."""
    conditions = [c for c in (*tally.conditions, *tally.alternatives) if tally.answers(["timeline"], c)]
    if not conditions:
        return ""
    return (
        _dated(tally, "timeline", conditions)
        + "\nFacts with three to seven dated values, some of them late, reverted or ended. Only this package and "
        "stock with dates can be asked for a date; the others answer for now. Intervals resample facts. A set that was "
        "worked on.\n"
    )


def git_history(tally: Tally) -> str:
    """Return what stock Chroma, dates and ours say of public git histories, and all conditions of fewer keys."""
    rows = tally.records.of("git")
    systems = tally.ordered(row["condition"] for row in rows)
    parts = []
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["kind"], row["probe"], row["condition"]), []).append(row)
        groups.setdefault(("**all**", row["probe"], row["condition"]), []).append(row)
    for probe, title in (
        ("now", "The value now"),
        ("past", "The value at a past date"),
        ("removed", "What was removed"),
    ):
        kinds = sorted({key[0] for key in groups if key[1] == probe}, key=lambda kind: (kind.startswith("*"), kind))
        for m in ("exposed", "told_ended") if probe == "removed" else ("hit", "hit_at_1", "exposed"):
            body = [
                [
                    kind if kind.startswith("*") else code(kind),
                    *(_git(groups.get((kind, probe, c), []), m).stacked() for c in systems),
                ]
                for kind in kinds
            ]
            if body:
                parts += [f"### {title}: {_GIT[m]}\n", told_by(tally), table(["", *map(word, systems)], body)]
    if rows:
        n = len({row["repo"] for row in rows})
        asked = Counter(row["key"] for row in tally.records.of("git", condition=OURS, probe="past"))
        ten = sum(of for _, of in asked.most_common(10)) / max(asked.total(), 1)
        parts.append(
            f"Intervals resample the {n} repositories. The data is not shipped. Of {len(asked)} keys with a past, ten "
            f"have {100 * ten:.0f} % of its probes. The sentences are made of mined subjects, relations and values, "
            "one form a kind, which is kinder to a grammar than people's words; they were looked at while it grew.\n"
        )
    conditions = [c for c in tally.conditions if tally.answers(["git_sample"], c)]
    if conditions:
        parts += ["### A sample of keys through every condition\n", _dated(tally, "git_sample", conditions)]
    return "\n".join(parts)


_GIT = {
    "hit": "right in the context",
    "hit_at_1": "right on top",
    "exposed": "wrong in the context",
    "told_ended": "its ending on top, or nothing of it",
}


def _git(rows: Sequence[dict[str, Any]], field: str) -> Rate:
    return grouped((row["repo"], row[field]) for row in rows)
