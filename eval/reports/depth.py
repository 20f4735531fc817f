"""Deep histories, and the data of others: what is counted without a reader, by fact, by repository or by question."""

from eval.reports.first import facts
from eval.reports.tables import number, table, told_by, word
from eval.reports.tally import OURS, OURS_DATED, RIVALS, Rate, Tally, mean, plain

SYSTEMS = (*RIVALS, OURS, OURS_DATED)
_ASKED = (
    ("past", "at past dates"),
    ("corrected", "at a date, corrected later"),
    ("known before", "the same date, as it was known before"),
)
_PARTS = {
    "twelve": "The twelve scenarios of the publication, through both doors",
    "fact_consolidation": "FactConsolidation",
    "locomo": "LoCoMo, by the evidence of its questions",
}


def deep(tally: Tally) -> str:
    """Return what is in the context after 1, 5, 20 and 100 versions, and of the past, at both paces."""
    rows = tally.records.of("history", asked="now")
    parts = []
    for pace in dict.fromkeys(row["pace"] for row in rows):
        depths = sorted({row["versions"] for row in rows})
        systems = [c for c in (*SYSTEMS, *tally.own_conditions) if tally.served(c, "now", depths[-1], pace=pace).n]
        title = "All facts change at once, and nothing is told after" if pace == "together" else "Each at its own pace"
        body = []
        for c in systems:
            now = [tally.served(c, "now", depth, pace=pace).stacked() for depth in depths]
            then = [tally.served(c, asked, depths[-1], pace=pace).stacked() for asked, _ in _ASKED]
            last = tally.history(c, "now", depths[-1], pace=pace)
            spent = [number(mean([row[field] for row in last])) for field in ("others", "tokens")]
            lost = [row["others"] for row in tally.history(c, "statements lost", depths[-1], pace=pace)]
            body.append([word(c), *now, *then, *spent, str(sum(lost))])
        header = ["value in the context", *(f"after {d} version{'s' * (d > 1)}" for d in depths)]
        header += [what for _, what in _ASKED]
        header += [f"other versions in it, after {depths[-1]}", "tokens", "unrelated statements lost"]
        parts += [f"### {title}\n", told_by(tally), table(header, body)]
    if not parts:
        return ""
    parts.append(
        f"Each fact is {facts(tally)}, and no hour or date; it gets a new value a week, counted up by one, and is "
        "asked for by the sentence without it. The versions of a fact differ in "
        "the number alone: nothing is easier for a grammar, and nothing harder for cosine. Who shows as many texts as "
        "asked for fills the context, so the tokens differ with what is shown.\n"
    )
    return "\n".join([*parts, _git_by_depth(tally)])


def _git_by_depth(tally: Tally) -> str:
    systems = [c for c in SYSTEMS if tally.git(c, "now", "hit").n]
    spans = (("1", range(1, 2)), ("2 to 4", range(2, 5)), ("5 to 19", range(5, 20)), ("20 and more", range(20, 10_000)))
    body = [
        [
            word(c),
            *(tally.git(c, probe, "hit", versions=span).stacked() for probe in ("now", "past") for _, span in spans),
        ]
        for c in systems
    ]
    if not body:
        return ""
    header = [
        "value in the context",
        *(f"{probe}: {title} version{'s' * (title != '1')}" for probe in ("now", "past") for title, _ in spans),
    ]
    return f"### Real histories, by how many versions a setting has had\n\n{told_by(tally)}{table(header, body)}"


def others(tally: Tally) -> str:
    """Return the data of others, if the run was given any."""
    rows = [row for row in tally.records.of("count") if row["groups"]]
    parts = []
    for part, title in _PARTS.items():
        for of in dict.fromkeys(row["set"] for row in rows if row["part"] == part):
            own = [row for row in rows if row["part"] == part and row["set"] == of]
            measures = list(dict.fromkeys(row["measure"] for row in own))
            body = []
            for condition in tally.ordered(row["condition"] for row in own):
                rates = {row["measure"]: Rate.over(row["groups"]) for row in own if row["condition"] == condition}
                body.append([word(condition), *(rates[m].line() if m in rates else "–" for m in measures)])
            of = "" if part == "twelve" else f": {_SET[part]} {plain(of)} of its file"
            parts += [f"### {title}{of}\n", told_by(tally), table(["", *measures], body)]
        parts += [_ABOUT[part]] if parts and any(row["part"] == part for row in rows) else []
    return "\n".join(parts)


_SET = {"fact_consolidation": "context number", "locomo": "dialogue number"}
_ABOUT = {
    "twelve": "All 24 sentences are told to one store, one after the other.\n",
    "fact_consolidation": (
        "Numbered facts of which the later one counts. The benchmark gives each relation one value, though many have "
        "several in life, so the package is told as a policy that an unknown relation has one; the line without is "
        "what it does of itself. This set was worked on.\n"
    ),
    "locomo": (
        "Conversations, in which next to nothing may retire anything: the share of the turns named as evidence that is "
        "in the context, by question, and the turns that can't be served any more.\n"
    ),
}
