"""The plots: little ink, labels beside what they name, colours that the colour-blind can tell apart.

Each is drawn once and given as PNG (white ground, for README) and as SVG whose ink is the page's text colour.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from eval.reports import published
from eval.reports.tally import EVOLVING, OURS, SIX, STATIC, Rate, Tally, mean

__all__ = ["DRAWN", "Plot", "draw", "drawable"]

INK, FAINT, OWN, STALE = "#1c1c1c", "#858585", "#2b83ba", "#d1662b"
_CLASSES = {"duplicate": "#2b83ba", "merge": "#009e73", "contradict": "#d1662b", "novel": "#858585"}
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "axes.linewidth": 0.6,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "svg.hashsalt": "eval",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
_WIDTH = 5.4


@dataclass(frozen=True, slots=True)
class Plot:
    """One plot.

    Attributes:
        name: Of the file.
        about: What a reader sees, in a sentence.
        png: For README.
        svg: For the page.
    """

    name: str
    about: str
    png: bytes
    svg: str


def draw(tally: Tally) -> dict[str, Plot]:
    """Return every plot that the records have something for, by name."""
    found = {}
    with mpl.rc_context({**mpl.rcParamsDefault, **_STYLE}):
        for name, (about, drawn) in DRAWN.items():
            figure = drawn(tally)
            if figure is not None:
                found[name] = Plot(name, about, _png(figure), _svg(figure, name))
    return found


def drawable(tally: Tally) -> tuple[str, ...]:
    """Return the names of the plots that the records have something for, without rendering them."""
    return tuple(name for name, (_, drawn) in DRAWN.items() if drawn(tally) is not None)


def _png(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=150, facecolor="white", bbox_inches="tight", metadata={"Software": None})
    return file.getvalue()


def _svg(figure: Figure, name: str) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None})
    text = file.getvalue()[file.getvalue().index("<svg") :].replace(INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", text)


def _colour(condition: str) -> str:
    return OWN if condition.startswith("temporal") else INK


def _rows(axes: Axes, names: Sequence[str]) -> None:
    """Give each row a name, the first on top, and no other furniture."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    for label in axes.get_yticklabels():
        label.set_color(_colour(label.get_text()))
        label.set_fontweight("bold" if label.get_text() == OURS else "normal")


def _percents(axes: Axes) -> None:
    axes.set_xlim(-3, 103)
    axes.set_xticks([0, 50, 100], ["0", "50", "100 %"])


@contextmanager
def _panels(rows: int, columns: int, height: float) -> Iterator[tuple[Figure, list[Axes]]]:
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    made = figure.subplots(rows, columns, squeeze=False, sharey=columns > 1 and rows == 1)
    yield figure, list(made.flat)


def _stale(tally: Tally) -> Figure | None:
    """Superseded values by condition: packed, and answered."""
    names = [c for c in (*tally.conditions, *tally.alternatives) if tally.rate("exposed", EVOLVING, c).n]
    if not names:
        return None
    with _panels(1, 2, 0.9 + 0.27 * len(names)) as (figure, (packed, answered)):
        for axes, measure, title in (
            (packed, "exposed", "a superseded value\nis in the context"),
            (answered, "stale", "a superseded value\nis answered (○ published)"),
        ):
            for y, name in enumerate(names):
                rate = tally.rate(measure, EVOLVING, name)
                _whisker(axes, y, rate, _colour(name))
            _percents(axes)
            _rows(axes, names)
            axes.set_title(title)
        theirs = [
            (y, figure_)
            for y, name in enumerate(names)
            if (figure_ := _published_rate(name, "stale_fact_error_rate", EVOLVING)) is not None
        ]
        if theirs:
            answered.plot([x for _, x in theirs], [y for y, _ in theirs], "o", mfc="none", mec=FAINT, ms=7, mew=1)
    return figure


def _whisker(axes: Axes, y: float, rate: Rate, colour: str) -> None:
    if rate.bounds is None or rate.share is None:
        return
    low, high = rate.bounds
    axes.plot([low * 100, high * 100], [y, y], color=colour, lw=1.2, alpha=0.45, solid_capstyle="butt")
    axes.plot([rate.share * 100], [y], "o", color=colour, ms=5)


def _published_rate(condition: str, metric: str, benchmarks: Sequence[str]) -> float | None:
    """Return a published rate over several benchmarks in percent."""
    rate = published.over(metric, benchmarks, condition)
    return None if rate is None else 100 * rate


def _scatter(tally: Tally) -> Figure | None:
    """Static against evolving: in the context, and answered."""
    names = [c for c in tally.conditions if tally.rate("hit", STATIC, c).n and tally.rate("hit", EVOLVING, c).n]
    if not names:
        return None
    panels = (
        ("hit", "clean", "in the context (no model)", "value in it, %", "value and no stale one, %", False),
        ("correct", "correct", "answered right (○ published)", "right, %", "right, %", True),
    )
    with _panels(2, 1, 7.6) as (figure, axes_of):
        for axes, (still, moving, title, along, up, beside) in zip(axes_of, panels, strict=True):
            points: dict[str, tuple[float, float]] = {}
            for name in names:
                x, y = tally.rate(still, STATIC, name).share, tally.rate(moving, EVOLVING, name).share
                if x is not None and y is not None:
                    points[name] = (100 * x, 100 * y)
            for name, (x, y) in points.items():
                if beside:
                    px, py = (_published_rate(name, "answer_accuracy", group) for group in (STATIC, EVOLVING))
                    if px is not None and py is not None:
                        axes.plot([x, px], [y, py], color=FAINT, lw=0.8, ls=":")
                        axes.plot([px], [py], "o", mfc="none", mec=FAINT, ms=5, mew=1)
                axes.plot([x], [y], "o", color=_colour(name), ms=6, zorder=3)
            axes.set_xlim(-4, 160)
            axes.set_ylim(-6, 106)
            axes.set_xticks([0, 50, 100])
            axes.set_yticks([0, 50, 100])
            axes.spines["bottom"].set_bounds(0, 100)
            axes.spines["left"].set_bounds(0, 100)
            axes.set_xlabel(f"facts that do not change: {along}", loc="left")
            axes.set_ylabel(f"facts that change: {up}")
            axes.set_title(title)
            _beside(axes, {name: (y, x) for name, (x, y) in points.items()}, at=106, gap=6)
    return figure


def _beside(axes: Axes, points: dict[str, tuple[float, float]], *, at: float, gap: float, valued: bool = False) -> None:
    """Write names in a column at `at`, as near to the height of their points as they fit, with a line to each.

    Args:
        axes: Where.
        points: Name to height and place along.
        at: Where along the names stand.
        gap: How far apart they must be.
        valued: Whether the height of the point is written as well.
    """
    ordered = sorted(points.items(), key=lambda item: item[1])
    heights = _apart([point[0] for _, point in ordered], gap)
    for (name, point), height in zip(ordered, heights, strict=True):
        axes.plot([point[1], at - 0.5], [point[0], height], color=FAINT, lw=0.4, zorder=1, clip_on=False)
        weight = "bold" if name == OURS else "normal"
        text = f"{name}: {point[0]:g}" if valued else name
        axes.text(at, height, text, color=_colour(name), va="center", fontsize=8, fontweight=weight)


def _apart(wanted: Sequence[float], gap: float) -> list[float]:
    """Move sorted heights as little as it takes for each to be `gap` above the one below."""
    groups: list[tuple[float, int]] = []  # centre, members
    for height in wanted:
        centre, members = height, 1
        while groups and centre - groups[-1][0] < gap * (members + groups[-1][1]) / 2:
            below, n = groups.pop()
            centre, members = (centre * members + below * n) / (members + n), members + n
        groups.append((centre, members))
    return [centre + gap * (place - (n - 1) / 2) for centre, n in groups for place in range(n)]


def _cosines(tally: Tally) -> Figure | None:
    """How close the pairs of each class lie."""
    found = tally.records.of("calibration")
    if not found:
        return None
    with _panels(len(found), 1, 3.1 * len(found)) as (figure, axes_of):
        for axes, record in zip(axes_of, found, strict=True):
            for y, (label, colour) in enumerate(_CLASSES.items()):
                values = sorted(cosine for known, cosine in record["similarities"] if known == label)
                heights = [y + offset for offset in _swarm(values, width=0.012, step=0.11)]
                axes.plot(values, heights, "o", color=colour, ms=3.6, mew=0, alpha=0.8)
                middle = record["classes"][label]["median"]
                axes.plot([middle, middle], [y - 0.4, y + 0.4], color=INK, lw=1.2)
                axes.annotate(f"{middle:.2f}", (middle, y - 0.42), ha="center", va="bottom", fontsize=8)
            _rows(axes, [f"{label} ({record['classes'][label]['n']})" for label in _CLASSES])
            axes.set_ylim(len(_CLASSES) - 0.4, -0.75)
            axes.set_xlabel(
                f"cosine of the two sentences ({record['embedding']}); line: median\n"
                f"duplicates against the rest: AUROC {record['auroc']:.2f}",
                loc="left",
            )
    return figure


def _swarm(values: Sequence[float], *, width: float, step: float) -> list[float]:
    """Return an offset for each of the sorted values, so that close ones lie beside each other."""
    offsets: list[float] = []
    for n, value in enumerate(values):
        taken = {offsets[m] for m in range(n) if value - values[m] < width}
        free = (sign * step * k for k in range(len(values) + 1) for sign in (1, -1))
        offsets.append(next(offset for offset in free if offset not in taken))
    return offsets


def _growth(tally: Tally) -> Figure | None:
    """Texts that can be served, as updates come in."""
    lines: dict[str, list[tuple[int, int]]] = {}
    for row in tally.records.of("growth"):
        lines.setdefault(row["condition"], []).append((row["ingested"], row["active"]))
    if not lines:
        return None
    far = max(x for line in lines.values() for x, _ in line)
    high = max(y for line in lines.values() for _, y in line)
    with _panels(1, 1, 3.4) as (figure, [axes]):
        for name in tally.ordered(lines):
            line = lines[name]
            axes.plot(*zip(*sorted(line), strict=True), color=_colour(name), lw=2 if name == OURS else 1.2)
        axes.set_xlim(0, far * 1.42)
        axes.set_ylim(0, high * 1.05)
        axes.set_xticks([0, far // 2, far])
        axes.set_yticks([0, high])
        axes.spines["bottom"].set_bounds(0, far)
        axes.set_xlabel("texts told (fifty facts, set anew in each round)", loc="left")
        axes.set_title("texts that can be served")
        ends = {name: (float(max(line)[1]), float(far)) for name, line in lines.items()}
        _beside(axes, ends, at=far * 1.04, gap=high * 0.065, valued=True)
    return figure


def _latency(tally: Tally) -> Figure | None:
    """Retrieval times, static and evolving."""
    names = [c for c in tally.conditions if c != "no_memory" and tally.answers(SIX, c)]
    if not names:
        return None
    with _panels(1, 2, 0.9 + 0.27 * len(names)) as (figure, panels):
        for axes, title, group in zip(panels, ("nothing changes", "facts change"), (STATIC, EVOLVING), strict=True):
            for y, name in enumerate(names):
                average = mean(tally.numbers("retrieval_ms", group, name))
                high = tally.percentile("retrieval_ms", group, name, 95)
                if average is None or high is None:
                    continue
                axes.plot([average, high], [y, y], color=_colour(name), lw=1.2, alpha=0.45)
                axes.plot([average], [y], "o", color=_colour(name), ms=5)
                axes.plot([high], [y], "|", color=_colour(name), ms=8)
                axes.annotate(f"{average:.1f}", (average, y - 0.16), ha="center", va="bottom", fontsize=7)
            axes.set_xscale("log")
            axes.xaxis.set_minor_locator(NullLocator())
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
            axes.margins(x=0.12)
            _rows(axes, names)
            axes.set_title(title)
            axes.set_xlabel("ms: mean, to 95th percentile", loc="left")
        low = min(axes.get_xlim()[0] for axes in panels)
        high_ = max(axes.get_xlim()[1] for axes in panels)
        for axes in panels:
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high_ < 30 * low else (1,)))
            axes.set_xlim(low, high_)
    return figure


def _cost(tally: Tally) -> Figure | None:
    """What each condition asks of models, and how much it packs."""
    benchmarks = [name for name in SIX if name in tally.benchmarks]
    names = [
        c for c in tally.conditions if c != "no_memory" and tally.cells(benchmarks, c) and tally.answers(benchmarks, c)
    ]
    if not names:
        return None

    def written(name: str) -> float:
        cells = tally.cells(benchmarks, name)
        return float(sum(cell["write_calls"] for cell in cells) / sum(cell["ingested"] for cell in cells))

    panels: Iterable[tuple[str, Callable[[str], float | None], str]] = (
        ("model calls\na turn told", written, ".2f"),
        ("model calls\na question", lambda name: mean(tally.numbers("read_calls", benchmarks, name)), ".1f"),
        ("tokens packed\na question", lambda name: mean(tally.numbers("packed_tokens", benchmarks, name)), ".0f"),
    )
    with _panels(1, 3, 1.0 + 0.27 * len(names)) as (figure, axes_of):
        for axes, (title, value_of, shape) in zip(axes_of, panels, strict=True):
            values = [value_of(name) or 0.0 for name in names]
            _bars(axes, names, values, [format(value, shape) for value in values])
            axes.set_title(title, fontsize=9)
    return figure


def _bars(axes: Axes, names: Sequence[str], values: Sequence[float], shown: Sequence[str]) -> None:
    axes.barh(range(len(names)), values, height=0.5, color=[OWN if n.startswith("temporal") else FAINT for n in names])
    for y, (value, text) in enumerate(zip(values, shown, strict=True)):
        axes.annotate(text, (value, y), xytext=(3, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_xlim(0, (max(values) or 1) * 1.35)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    _rows(axes, names)


def _overhead(tally: Tally) -> Figure | None:
    """What the store costs beside stock Chroma."""
    rows: list[dict[str, Any]] = tally.records.of("cost")
    if not rows:
        return None
    with _panels(1, 1, 0.9 + 0.3 * len(rows)) as (figure, [axes]):
        for y, row in enumerate(rows):
            axes.plot([1, row["ratio"]], [y, y], color=OWN, lw=1.2)
            axes.plot([row["ratio"]], [y], "o", color=OWN, ms=5)
            told = f"{row['ratio']:.2f} ({row['ours_ms']:.1f} against {row['stock_ms']:.1f} ms)"
            axes.annotate(
                told, (max(row["ratio"], 1), y), xytext=(6, 0), textcoords="offset points", va="center", fontsize=8
            )
        axes.axvline(1, color=FAINT, lw=0.8)
        far = max(1.0, *(row["ratio"] for row in rows))
        axes.set_xlim(0, far * 1.6)
        axes.set_xticks([0, 1], ["0", "stock"])
        _rows(axes, [row["what"] for row in rows])
        axes.set_title("time as a multiple of stock Chroma's")
    return figure


DRAWN: dict[str, tuple[str, Callable[[Tally], Figure | None]]] = {
    "stale": ("How often each condition packs, and answers, a superseded value where facts change", _stale),
    "static_evolving": ("Each condition on facts that do not change against facts that do", _scatter),
    "cosines": ("Cosine similarity of duplicate, mergeable, contradicting and novel pairs of sentences", _cosines),
    "growth": ("Texts that each condition could serve as fifty facts are updated twenty times", _growth),
    "latency": ("Retrieval times of each condition, where nothing changes and where facts change", _latency),
    "cost": ("Model calls when writing and reading, and packed tokens, of each condition", _cost),
    "overhead": ("Time of writes and reads as a multiple of stock Chroma's", _overhead),
}
"""Name of the file to what it shows and who draws it."""
