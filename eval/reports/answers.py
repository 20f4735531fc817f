"""What was answered: sections of the report that depend on a reader and on judges."""

from collections.abc import Callable, Sequence
from functools import partial

from eval.benchmarks import EVOLVING
from eval.plan import FORCED
from eval.reports import published
from eval.reports.tables import by_benchmark, code, table, told_by, with_published, word
from eval.reports.tally import BASELINE, OURS, SIX, Tally
from eval.spec import Abstention


def _present(tally: Tally, names: Sequence[str]) -> list[str]:
    return [name for name in names if name in tally.benchmarks]


def _table(
    tally: Tally,
    conditions: Sequence[str],
    benchmarks: Sequence[str],
    measure: str,
    theirs: Callable[[str, str], float | None],
    *roles: str,
    abstention: Abstention = "allowed",
) -> str:
    """Return a measure by condition and benchmark, what was published of it, and a line that says who made it."""

    def cell(benchmark: str, condition: str) -> str:
        ours = tally.rate(measure, [benchmark], condition, abstention=abstention)
        return with_published(ours, theirs(benchmark, condition))

    return told_by(tally, *roles) + by_benchmark(tally, conditions, benchmarks, cell)


def matrix(tally: Tally) -> str:
    """Return answer accuracy: the eight published conditions, and those that a user brought, on the six benchmarks."""
    benchmarks = _present(tally, SIX)
    conditions = [name for name in (*published.CONDITIONS, *tally.own_conditions) if name in tally.conditions]
    if not benchmarks or not conditions:
        return ""
    theirs = partial(published.figure, "answer_accuracy")
    return (
        _table(tally, conditions, benchmarks, "correct", theirs, "reader", "correctness")
        + "\nShare of questions answered correctly; abstaining is allowed, and not correct here. Unscored answers are "
        "left out of the counts. *Published* figures come from other sentences, "
        "models and embeddings.\n"
    )


def stale_and_abstained(tally: Tally) -> str:
    """Return how often the superseded value was answered, and how often nothing was."""
    evolving, six = _present(tally, EVOLVING), _present(tally, SIX)
    every, judged = tally.conditions, ("reader", "correctness")
    if not six:
        return ""
    parts = []
    if evolving:
        theirs = partial(published.figure, "stale_fact_error_rate")
        parts += ["### The superseded value was answered\n", _table(tally, every, evolving, "stale", theirs, *judged)]
    if evolving and "string judge" not in tally.model("correctness"):
        parts += [
            "### The superseded value stands in the answer, by a string judge\n",
            _table(tally, every, evolving, "stale_by_string", lambda *_: None, "reader"),
        ]
    parts += [
        "### Nothing was answered\n",
        _table(tally, every, six, "abstained", _published_abstention, *judged)
        + "\nPublished abstentions are the questions without an attempted answer.\n",
    ]
    return "\n".join(parts)


def _published_abstention(benchmark: str, condition: str) -> float | None:
    tried = published.figure("attempted_answers", benchmark, condition)
    return None if tried is None else 1 - tried / published.QUESTIONS[benchmark]


def fabrication(tally: Tally) -> str:
    """Return how often an answer held what the context does not: of all questions, and of attempted answers."""
    six = _present(tally, SIX)
    parts = []
    for title, measure, metric in (
        ("Of all questions", "fabricated", "fabricated_context_rate"),
        ("Of attempted answers", "fabricated_of_attempted", "conditional_fabrication_rate"),
    ):
        theirs = partial(published.figure, metric)
        cells = _table(tally, tally.conditions, six, measure, theirs, "reader", "fabrication")
        parts += [f"### {title}\n", cells]
    return "\n".join(parts if six else [])


def forced(tally: Tally) -> str:
    """Return what readers say that may not abstain."""
    names = [c for c in FORCED if any(tally.answers([b], c, abstention="forced") for b in EVOLVING)]
    benchmarks = [b for b in EVOLVING if any(tally.answers([b], c, abstention="forced") for c in names)]
    parts = []
    for title, measure, metric, judge in (
        ("Correct", "correct", "answer_accuracy", "correctness"),
        ("The superseded value", "stale", "stale_fact_error_rate", "correctness"),
        ("Fabricated, of attempted", "fabricated_of_attempted", "conditional_fabrication_rate", "fabrication"),
    ):
        theirs = partial(published.forced, metric)
        cells = _table(tally, names, benchmarks, measure, theirs, "reader", judge, abstention="forced")
        parts += [f"### {title}\n", cells]
    return "\n".join(parts if names else [])


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
        + f"\n{word(OURS).capitalize()} minus {word(BASELINE)} in percentage points, paired by question, with "
        "the number of pairs and the 95 % percentile interval of 10,000 bootstrap resamples of questions, or of facts "
        f"where several dates of one are asked for (seed {tally.seed}). The first two columns need no reader.\n"
    )


def _difference(value: float, low: float, high: float, *, n: int) -> str:
    return f"{_points(value, 1)} (n {n})<br>[{_points(low)}, {_points(high)}]"


def _points(share: float, digits: int = 0) -> str:
    shown = round(share * 100, digits) + 0.0
    return f"{shown:+.{digits}f}" if shown else f"{0:.{digits}f}"
