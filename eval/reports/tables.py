"""Tables in Markdown, and the words that stand in and above them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from eval.reports.tally import Rate, Tally

__all__ = [
    "NO_MODEL",
    "by_benchmark",
    "code",
    "listed",
    "name_of",
    "number",
    "percent",
    "table",
    "told_by",
    "with_published",
]

_STANDS_ON = {"advanced_rag": "rerank", "v6_no_verify": "gate_judge", "v6": "verifier", "v6+infer": "verifier"}
"""The role that decides what a condition is: its model stands beside the condition's name."""

NO_MODEL = "no reader and no judge of answers"


def code(text: object) -> str:
    """Return text as a code span that cannot break a table."""
    return f"`{str(text).replace('`', '').replace('|', '¦')}`"


def name_of(condition: str, tally: Tally) -> str:
    """Return the name of a condition, with the model that it stands on, or what stands in for it."""
    if condition not in _STANDS_ON:
        return code(condition)
    return f"{code(condition)} ({tally.model(_STANDS_ON[condition]).removesuffix(' (offline)')})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table: the first column to the left, the others to the right."""
    lines = [_line(header), _line([":--"] + ["--:"] * (len(header) - 1)), *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def by_benchmark(
    tally: Tally, conditions: Sequence[str], benchmarks: Sequence[str], cell: Callable[[str, str], str]
) -> str:
    """Return a table of conditions by benchmarks; `cell` is given benchmark and condition."""
    rows = [[name_of(c, tally), *(cell(b, c) for b in benchmarks)] for c in conditions]
    return table(["condition", *map(code, benchmarks)], rows)


def with_published(ours: Rate | str, published: float | None, *, unit: str = " %") -> str:
    """Return a cell with the published figure below ours; shares are turned into percent."""
    shown = ours if isinstance(ours, str) else ours.stacked()
    if published is None:
        return shown
    figure = f"{published * 100:.1f} %" if unit == " %" else f"{published:,.{0 if unit == ' ms' else 1}f}{unit}"
    return f"{shown}<br>*published {figure}*"


def percent(share: float | None) -> str:
    """Return a share in percent."""
    return "–" if share is None else f"{share * 100:.1f} %"


def number(value: float | None, digits: int = 1, unit: str = "") -> str:
    """Return a figure; of nothing, a dash."""
    return "–" if value is None else f"{value:,.{digits}f}{unit}"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Return names as code, the first few and how many more there are."""
    shown = ", ".join(map(code, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def told_by(tally: Tally, *roles: str) -> str:
    """Return the line above a table that says who made it: models, embedding, extractor, number of passages."""
    parts = [f"{role.replace('_', ' ')}: {tally.model(role)}" for role in roles] or [NO_MODEL]
    parts += [
        f"embedding: {tally.made_with('embedding')}",
        f"extractor of the temporal conditions: {tally.made_with('extractor')}",
        f"top {tally.made_with('k')}",
    ]
    return f"*{'; '.join(parts)}.*\n\n"
