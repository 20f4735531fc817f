"""The plots: little ink, labels beside what they name, colours that the colour-blind can tell apart.

Each is drawn once and given as PNG (white ground, for README) and as SVG whose ink is the page's text colour.
"""

import io
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from eval.benchmarks import EVOLVING
from eval.reports import published
from eval.reports.tables import WORDS, word
from eval.reports.tally import BASELINE, CUT, DATED, DROPPING, OURS, WIDE, Rate, Tally, mean

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
_WIDTH, _PANEL = 5.4, 3.1
_SHADES = {BASELINE: FAINT, DATED: STALE, WIDE: "#a07b1f", CUT: "#009e73"}
_SHADES |= dict(zip(DROPPING, ("#7b3294", "#cc79a7"), strict=True)) | {OURS: OWN}


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
    axes.set_yticks(range(len(names)), [word(name) if name in WORDS else name for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    named = {word(name): name for name in names}
    for label in axes.get_yticklabels():
        name = named.get(label.get_text(), "")
        label.set_color(_colour(name))
        label.set_fontweight("bold" if name == OURS else "normal")


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
        if tally.model("reader").startswith("extractive"):
            answered.set_xlabel(
                "0 also where the reader abstains: two\nundated values conflict", loc="left", fontsize=8
            )
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


def _beside(axes: Axes, points: dict[str, tuple[float, float]], *, at: float, gap: float) -> None:
    """Write names and heights in a column at `at`, as near to the height of their points as fits, with a line to each.

    Args:
        axes: Where.
        points: Name to height and place along.
        at: Where along the names stand.
        gap: How far apart they must be.
    """
    ordered = sorted(points.items(), key=lambda item: item[1])
    heights = _apart([point[0] for _, point in ordered], gap)
    for (name, point), height in zip(ordered, heights, strict=True):
        axes.plot([point[1], at - 0.5], [point[0], height], color=FAINT, lw=0.4, zorder=1, clip_on=False)
        weight = "bold" if name == OURS else "normal"
        text = f"{word(name)}: {point[0]:g}"
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
        axes.set_xlabel("texts told: fifty facts of one template, set anew in each round", loc="left")
        axes.set_title("texts that can be served")
        ends = {name: (float(max(line)[1]), float(far)) for name, line in lines.items()}
        _beside(axes, ends, at=far * 1.04, gap=high * 0.065)
    return figure


def _short(condition: str) -> str:
    """Return the name of a condition where there is little room."""
    return word(condition).removeprefix("stock, ").replace("stock with", "with").replace(", one text", ", one")


def _panel(tally: Tally, title: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(_PANEL, _PANEL), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    return figure, axes


def _lines(axes: Axes, lines: Mapping[str, Sequence[tuple[int, float]]], far: float) -> None:
    """Draw a line for each system over the number of versions, named at its end."""
    for name, line in lines.items():
        width, dashes = (2, "-") if name == OURS else (1.2, "--" if name == DATED else "-")  # stock may lie below it
        axes.plot(*zip(*line, strict=True), color=_SHADES[name], lw=width, ls=dashes, marker="o", ms=3)
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks([x for x, _ in next(iter(lines.values()))], [str(x) for x, _ in next(iter(lines.values()))])
    axes.set_xlabel("versions of each fact, each at its own pace", loc="left")
    axes.set_ylim(-0.04 * far, 1.06 * far)
    ends = sorted((line[-1][1], name) for name, line in lines.items())
    heights = _apart([y for y, _ in ends], far * 0.1)
    for n in reversed(range(len(heights))):  # none stands in the title
        heights[n] = min(heights[n], far - (len(heights) - 1 - n) * far * 0.1)
    for (_, name), height in zip(ends, heights, strict=True):
        axes.annotate(
            _short(name), (lines[name][-1][0], height), xytext=(5, 0),
            textcoords="offset points", color=_SHADES[name], va="center", fontsize=8, annotation_clip=False,
            fontweight="bold" if name == OURS else "normal",
        )  # fmt: skip


def _shaded(tally: Tally) -> list[str]:
    told = {row["condition"] for row in tally.records.of("history", asked="now")}
    return [c for c in _SHADES if c in told]


def under_pictures(tally: Tally, drawn: Collection[str]) -> str:
    """Say which line of the headline's pictures cannot be seen."""
    depths = {row["versions"] for row in tally.records.of("history", asked="now")}
    hidden = all(tally.served(BASELINE, "now", d) == tally.served(DATED, "now", d) for d in depths)
    if not hidden or not {"now", "crowded"} <= set(drawn):
        return ""
    return "In the first two pictures the line of stock Chroma lies under that of stock with dates."


def _now(tally: Tally) -> Figure | None:
    """What of the current values is in the context, by the number of versions."""
    depths = sorted({row["versions"] for row in tally.records.of("history", asked="now")})
    if not depths or not _shaded(tally):
        return None
    figure, axes = _panel(tally, "current value in the context, %")
    shown = _shaded(tally)
    _lines(axes, {c: [(d, 100 * (tally.served(c, "now", d).share or 0)) for d in depths] for c in shown}, 100)
    for c, d in product(shown, depths):
        low, high = tally.served(c, "now", d).bounds or (0, 0)
        axes.plot([d, d], [100 * low, 100 * high], color=_SHADES[c], lw=1, alpha=0.35)
    axes.set_yticks([0, 50, 100])
    return figure


def _crowded(tally: Tally) -> Figure | None:
    """How many superseded versions stand in the context."""
    depths = sorted({row["versions"] for row in tally.records.of("history", asked="now")})
    if not depths or not _shaded(tally):
        return None
    k = int(tally.manifest.get("k", 5))
    figure, axes = _panel(tally, f"superseded versions among the {k} texts")
    found = {
        c: [(d, mean([row["others"] for row in tally.history(c, "now", d)]) or 0.0) for d in depths]
        for c in _shaded(tally)
    }
    _lines(axes, found, k)
    axes.set_yticks([0, k])
    return figure


def _then(tally: Tally) -> Figure | None:
    """What of past values, and of look-alikes that are all true, is in the context."""
    if not tally.served(OURS, "past", 100).n:
        return None
    figure, axes = _panel(tally, "value asked for in the context, %")
    shown = _shaded(tally)
    asked: tuple[tuple[str, Callable[[str], Rate]], ...] = (
        ("at a past date,\n100 versions", partial(tally.served, asked="past", versions=100)),
        ("look-alikes,\nall true", partial(tally.rate, "hit", ["collision"])),
    )
    for y, (_, of) in enumerate(asked):
        for n, name in enumerate(shown):
            rate = of(name)
            at = y + (n - (len(shown) - 1) / 2) * 0.95 / len(shown)
            _whisker(axes, at, rate, _SHADES[name])
            if rate.share is not None:
                axes.annotate(
                    _short(name), (100 * rate.share, at), xytext=(0, 4),
                    textcoords="offset points", ha="right" if rate.share > 0.5 else "left", fontsize=7,
                    color=_SHADES[name],
                )  # fmt: skip
    _percents(axes)
    axes.set_yticks(range(len(asked)), [title for title, _ in asked])
    axes.set_ylim(len(asked) - 0.4, -0.6)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure


HEADLINE = ("crowded", "now", "then")
"""The picture of the first screen, in three parts that stand side by side where there is room."""

DRAWN: dict[str, tuple[str, Callable[[Tally], Figure | None]]] = {
    "now": ("How often the current value is in the context as facts get more versions", _now),
    "then": ("How often the value of a past date, and the one asked for among look-alikes, is in the context", _then),
    "crowded": ("How many superseded versions stand in the context as facts get more versions", _crowded),
    "stale": ("How often each condition packs, and answers, a superseded value where facts change", _stale),
    "cosines": ("Cosine similarity of duplicate, mergeable, contradicting and novel pairs of sentences", _cosines),
    "growth": ("Texts that each condition could serve as fifty facts are updated twenty times", _growth),
}
"""Name of the file to what it shows and who draws it."""
