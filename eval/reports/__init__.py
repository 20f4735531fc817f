"""Reports: Markdown, one self-contained page, plots, and README's figures, from a run's records and nothing else.

``build(directory)`` reads records and writes nothing; the same records give the same bytes.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from eval.records import read
from eval.reports import answers, contexts, cosines, depth, first, made_with, probes, shortfalls, stores
from eval.reports.block import BEGIN, END, block, replaced
from eval.reports.page import page
from eval.reports.plots import DRAWN, HEADLINE, draw, drawable, under_pictures
from eval.reports.tally import Tally
from memstrata_integrations.errors import InvalidInputError

__all__ = ["Report", "build", "markdown", "readme", "rewrite"]

_GAP = re.compile(r"\n{3,}")
_TITLE = "What the evaluation found"
_OPEN = "Where it falls short"
_SECTIONS = (
    (_OPEN, (shortfalls.shortfalls,)),
    ("Deep histories", (depth.deep,)),
    ("Benchmarks of your own", (contexts.own,)),
    ("Extraction", (probes.extraction,)),
    ("Data of others", (depth.others, contexts.by_path)),
    ("What is in the context", ("stale", contexts.no_model)),
    ("Differences, question by question", (answers.paired,)),
    ("Stock alternatives", (contexts.alternatives,)),
    ("Look-alikes that must not supersede", (probes.collision,)),
    ("Dates", (probes.timeline,)),
    ("Public git histories", (probes.git_history,)),
    ("Answers: the eight by six", (answers.matrix,)),
    ("Stale answers and abstentions", (answers.stale_and_abstained,)),
    ("Fabrication", (answers.fabrication,)),
    ("Without abstention", (answers.forced,)),
    ("Ablations", (contexts.ablations,)),
    ("Active facts and compression", (stores.active,)),
    ("Growth", ("growth",)),
    ("Packed tokens", (stores.packed_tokens,)),
    ("Latency", (stores.latency,)),
    ("Model calls", (stores.calls,)),
    ("Beside stock Chroma", (stores.cost,)),
    ("What cosine similarity can tell apart", ("cosines", cosines.calibration)),
    ("Made with", (made_with.made_with,)),
)
"""Headings, each with the plots (by name) and the parts that stand under it; one without any records is left out. All
but the first are folded."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is made of a run's records.

    Attributes:
        markdown: ``report.md``.
        html: ``report.html``, with every plot inside.
        plots: PNGs by the name of the file, without its ending.
        readme: The block of figures for README.
    """

    markdown: str
    html: str
    plots: dict[str, bytes]
    readme: str

    def write(self, directory: Path) -> list[Path]:
        """Write the files into a directory and return their paths."""
        (directory / "plots").mkdir(parents=True, exist_ok=True)
        texts = {directory / "report.md": self.markdown, directory / "report.html": self.html}
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8", newline="\n")
        images = {directory / "plots" / f"{name}.png": png for name, png in self.plots.items()}
        for path, png in images.items():
            path.write_bytes(png)
        return [*texts, *images]


def build(directory: Path) -> Report:
    """Make the report of a run.

    Raises:
        InvalidInputError: If the directory holds no readable run, or one without a record.
    """
    records = read(directory)
    if not records.rows:
        raise InvalidInputError(f"{directory} holds a run without a record; the command that began it goes on with it")
    tally = Tally(records)
    drawn = draw(tally)
    sections = _sections(tally, tuple(drawn))
    lead = _lead(tally, tuple(drawn))
    return Report(
        markdown=_markdown(lead, sections),
        html=page(_TITLE, lead, sections, _OPEN, {name: plot.svg for name, plot in drawn.items()}),
        plots={name: plot.png for name, plot in drawn.items()},
        readme=block(tally, directory, tuple(drawn)),
    )


def markdown(directory: Path) -> str:
    """Return ``report.md`` without drawing anything: what a test compares."""
    tally = Tally(read(directory))
    drawn = drawable(tally)
    return _markdown(_lead(tally, drawn), _sections(tally, drawn))


def readme(directory: Path) -> str:
    """Return README's block of figures, markers included."""
    tally = Tally(read(directory))
    return block(tally, directory, drawable(tally))


def rewrite(path: Path, report: Report) -> None:
    """Put a report's figures between the markers of a file.

    Raises:
        InvalidInputError: If the file has no such markers.
    """
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(replaced(text, report.readme), encoding="utf-8", newline="\n")
    except ValueError as absent:
        raise InvalidInputError(f"{path} has no lines {BEGIN} and {END}, once each and in this order") from absent


def _lead(tally: Tally, drawn: tuple[str, ...]) -> str:
    picture = " ".join(_image(name) for name in HEADLINE if name in drawn)
    parts = [
        made_with.taste(tally) + first.sentence(tally) + picture,
        under_pictures(tally, drawn),
        first.first_table(tally, chief=True),
        _folded("more rows, and answers of a reader", first.first_table(tally, chief=False), first.as_well(tally)),
        "Each rate stands with its count and its 95 % interval: by resampling what varies independently (fact, author, "
        "repository) where probes share it, Wilson's otherwise. The line above a table says who read, judged, embedded "
        "and extracted. What is marked *published* was published of the method with other data and models, and was not "
        "measured here.\n",
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def _folded(summary: str, *parts: str) -> str:
    inside = "\n".join(filter(None, parts))
    return f"<details><summary>{summary}</summary>\n\n{inside}\n</details>\n" if inside else ""


def _image(name: str) -> str:
    return f"![{DRAWN[name][0]}](plots/{name}.png)"


def _sections(tally: Tally, drawn: tuple[str, ...]) -> list[tuple[str, str]]:
    found = []
    for title, parts in _SECTIONS:
        texts = []
        for part in parts:
            if not isinstance(part, str):
                texts.append(part(tally))
            elif part in drawn:
                texts.append(f"{_image(part)}\n")
        if any(texts):
            found.append((title, _GAP.sub("\n\n", "\n".join(filter(None, texts)))))
    return found


def _markdown(lead: str, sections: list[tuple[str, str]]) -> str:
    shown = []
    for title, text in sections:
        folded = title != _OPEN
        inside = _folded("show", text) if folded else text
        shown.append(f"## {title}\n\n{inside}")
    return f"# {_TITLE}\n\n{lead}\n" + "\n".join(shown)
