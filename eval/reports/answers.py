"""What was answered: sections of the report that depend on a reader and on judges."""

from __future__ import annotations

from collections.abc import Sequence

from eval.reports import published
from eval.reports.tables import by_benchmark, code, name_of, percent, table, told_by, with_published
from eval.reports.tally import BASELINE, EVOLVING, OURS, SIX, Tally

__all__ = ["differences", "fabrication", "forced", "matrix", "paired", "stale_and_abstained"]

_FORCED = ("naive_rag", "advanced_rag", "temporal_v6")


def _present(tally: Tally, names: Sequence[str]) -> list[str]:
    return [name for name in names if name in tally.benchmarks]


def _eight(tally: Tally) -> list[str]:
    return [name for name in published.CONDITIONS if name in tally.conditions]


def matrix(tally: Tally) -> str:
    """Return answer accuracy: the eight published conditions on the six benchmarks."""
    benchmarks, conditions = _present(tally, SIX), _eight(tally)
    if not benchmarks or not conditions:
        return ""
    missing, n = tally.unscored()
    return (
        told_by(tally, "reader", "correctness")
        + by_benchmark(
            tally,
            conditions,
            benchmarks,
            lambda b, c: with_published(tally.rate("correct", [b], c), published.figure("answer_accuracy", b, c)),
        )
        + "\nShare of questions answered correctly; abstaining is allowed, and not correct here. Unscored answers are "
        f"left out of the counts: {missing} of {n} in the whole run. *Published* figures come from other sentences, "
        "models and embeddings.\n"
    )


def stale_and_abstained(tally: Tally) -> str:
    """Return how often the superseded value was answered, and how often nothing was."""
    evolving, six = _present(tally, EVOLVING), _present(tally, SIX)
    if not six:
        return ""
    parts = []
    if evolving:
        parts += [
            "### The superseded value was answered\n",
            told_by(tally, "reader", "correctness")
            + by_benchmark(
                tally,
                tally.conditions,
                evolving,
                lambda b, c: with_published(
                    tally.rate("stale", [b], c), published.figure("stale_fact_error_rate", b, c)
                ),
            ),
        ]
    parts += [
        "### Nothing was answered\n",
        told_by(tally, "reader", "correctness")
        + by_benchmark(
            tally,
            tally.conditions,
            six,
            lambda b, c: with_published(tally.rate("abstained", [b], c), _published_abstention(b, c)),
        )
        + "\nPublished abstentions are the questions without an attempted answer.\n",
    ]
    return "\n".join(parts)


def _published_abstention(benchmark: str, condition: str) -> float | None:
    tried = published.figure("attempted_answers", benchmark, condition)
    return None if tried is None else 1 - tried / published.QUESTIONS[benchmark]


def fabrication(tally: Tally) -> str:
    """Return how often an answer held what the context does not: of all questions, and of attempted answers."""
    six = _present(tally, SIX)
    if not six:
        return ""
    parts = []
    for title, measure, metric in (
        ("Of all questions", "fabricated", "fabricated_context_rate"),
        ("Of attempted answers", "fabricated_of_attempted", "conditional_fabrication_rate"),
    ):
        cells = by_benchmark(
            tally,
            tally.conditions,
            six,
            lambda b, c, measure=measure, metric=metric: with_published(  # type: ignore[misc]
                tally.rate(measure, [b], c), published.figure(metric, b, c)
            ),
        )
        parts += [f"### {title}\n", told_by(tally, "reader", "fabrication") + cells]
    return "\n".join(parts)


def forced(tally: Tally) -> str:
    """Return what readers say that may not abstain."""
    names = [c for c in _FORCED if any(tally.answers([b], c, abstention="forced") for b in EVOLVING)]
    benchmarks = [b for b in EVOLVING if any(tally.answers([b], c, abstention="forced") for c in names)]
    if not names:
        return ""
    parts = []
    for title, measure, metric, judge in (
        ("Correct", "correct", "answer_accuracy", "correctness"),
        ("The superseded value", "stale", "stale_fact_error_rate", "correctness"),
        ("Fabricated, of attempted", "fabricated_of_attempted", "conditional_fabrication_rate", "fabrication"),
    ):
        cells = by_benchmark(
            tally,
            names,
            benchmarks,
            lambda b, c, measure=measure, metric=metric: with_published(  # type: ignore[misc]
                tally.rate(measure, [b], c, abstention="forced"), published.forced(metric, b, c)
            ),
        )
        parts += [f"### {title}\n", told_by(tally, "reader", judge) + cells]
    return "\n".join(parts)


def paired(tally: Tally) -> str:
    """Return differences between our method and stock retrieval, question by question."""
    if not {OURS, BASELINE} <= set(tally.conditions):
        return ""
    evolving = _present(tally, EVOLVING)
    groups: dict[str, list[str]] = {}
    for name in tally.benchmarks:
        groups.setdefault(code(name.split(":")[0] + " (by path)" if ":" in name else name), []).append(name)
    if len(evolving) > 1:
        groups["**the four that change**"] = evolving
    rows = []
    for title, benchmarks in groups.items():
        cells, n = [], 0
        for measure in ("hit", "exposed", "correct", "stale"):
            n, found = tally.difference(measure, benchmarks)
            cells.append("–" if found is None else _difference(*found, n=n))
        rows.append([title, *cells])
    return (
        told_by(tally, "reader", "correctness")
        + table(["benchmark", "value in context", "stale value in context", "answered right", "answered stale"], rows)
        + f"\n{code(OURS)} minus {code(BASELINE)} in percentage points, paired by question, with the number of pairs "
        "and the 95 % percentile interval of 10,000 bootstrap resamples "
        f"(seed {tally.seed}). The first two columns need no reader.\n"
    )


def _difference(value: float, low: float, high: float, *, n: int) -> str:
    return f"{_points(value, 1)} (n {n})<br>[{_points(low)}, {_points(high)}]"


def _points(share: float, digits: int = 0) -> str:
    shown = round(share * 100, digits) + 0.0
    return f"{shown:+.{digits}f}" if shown else f"{0:.{digits}f}"


def differences(tally: Tally) -> str:
    """Return where our answers differ from the published ones, and what differs between the two set-ups."""
    benchmarks = _present(tally, SIX)
    rows, reasons = [], []
    compared = inside = 0
    for condition in _eight(tally):
        better: list[str] = []
        worse: list[str] = []
        for benchmark in benchmarks:
            rate, figure = (
                tally.rate("correct", [benchmark], condition),
                published.figure("answer_accuracy", benchmark, condition),
            )
            if figure is None or rate.bounds is None or rate.share is None:
                continue
            compared += 1
            low, high = rate.bounds
            if round(low, 3) <= figure <= round(high, 3):
                inside += 1
            else:
                (better if rate.share > figure else worse).append(
                    f"{code(benchmark)} {percent(rate.share)} (*published {percent(figure)}*)"
                )
        if better or worse:
            rows.append([name_of(condition, tally), "<br>".join(better) or "–", "<br>".join(worse) or "–"])
            reasons.append(f"* {code(condition)}: {_why(condition, tally)}.\n")
    if not compared:
        return ""
    return (
        f"Of {compared} cells with a published accuracy, {inside} of ours have it inside their 95 % interval.\n\n"
        + (
            told_by(tally, "reader", "correctness") + table(["condition", "ours is higher", "ours is lower"], rows)
            if rows
            else ""
        )
        + ("\nWhy they may differ:\n\n" + "".join(reasons) if reasons else "")
        + f"\n{_set_ups(tally)}"
    )


def _set_ups(tally: Tally) -> str:
    theirs = published.published()["reference_set_up"]
    return (
        f"Every cell differs in its sentences: ours were written for this repository. Reader here: "
        f"{tally.model('reader')}; reference set-up: {theirs['reader']}. Embedding here: "
        f"{tally.made_with('embedding')}; reference set-up: {theirs['embedding']}. These records can't "
        "tell how much each of them matters: that takes a run with the reference models.\n"
    )


_COMMON = "other sentences, and another reader and embedding where they are named below"


def _why(condition: str, tally: Tally) -> str:
    """Return what, beside sentences, reader and embedding, is another thing here than in the published set-up."""

    def stands_in(role: str) -> bool:
        return tally.model(role).endswith("(offline)")

    if condition == "advanced_rag" and stands_in("rerank"):
        return "the reranker is a lexical stand-in here, no language model"
    if condition.startswith("v6"):
        gate = "the gate's judge is a lexical stand-in here" if stands_in("gate_judge") else ""
        check = "so is the verifier" if condition != "v6_no_verify" and stands_in("verifier") else ""
        return ", and ".join(filter(None, (gate, check))) or _COMMON
    if condition.startswith("temporal"):
        return f"facts are extracted by {tally.made_with('extractor')} here"
    return _COMMON
