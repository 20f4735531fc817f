"""README's figures: a block between two markers, made from records by a command and never by hand."""

import os
import re
from collections.abc import Collection
from pathlib import Path

from eval.reports.first import first_table, sentence
from eval.reports.made_with import taste
from eval.reports.plots import DRAWN, HEADLINE, under_pictures
from eval.reports.tally import Tally

BEGIN, END = "<!-- eval:begin -->", "<!-- eval:end -->"
_ROOT = Path(__file__).resolve().parents[2]
_BETWEEN = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)


def block(tally: Tally, directory: Path, drawn: Collection[str]) -> str:
    """Return the block, markers included; it links to the report where that lies in this repository."""
    made = (
        f"No reader and no judge; embedded by {tally.made_with('embedding')}, top {tally.made_with('k')}; rates with "
        f"count and 95 % interval, by what varies independently (fact, author, repository). "
        f"{under_pictures(tally, drawn)} {_records(tally)}"
    )
    parts = [BEGIN, taste(tally).strip(), sentence(tally).strip()]
    where = _where(directory)
    if where is not None:
        parts.append(" ".join(f"![{DRAWN[name][0]}]({where}/plots/{name}.png)" for name in HEADLINE if name in drawn))
    parts.append(first_table(tally, chief=True).partition("\n\n")[2].strip())
    if where is not None:
        made += (
            f" Everything, with what falls short first: [{where}/report.md]({where}/report.md). "
            f"This block is made by `python -m eval report {where} --readme README.md`."
        )
    return "\n\n".join(filter(None, [*parts, made, END]))


def _records(tally: Tally) -> str:
    revision = str(tally.manifest.get("git") or "unknown")[:7]
    return f"Records of revision `{revision}`{' with uncommitted changes' * bool(tally.manifest.get('dirty'))}."


def _where(directory: Path) -> str | None:
    inside = os.path.relpath(directory.resolve(), _ROOT)
    return None if inside.startswith("..") else Path(inside).as_posix()


def replaced(text: str, new: str) -> str:
    """Return text with the block between its markers replaced.

    Raises:
        ValueError: If it does not have both markers, once each and in order.
    """
    if text.count(BEGIN) != 1 or text.count(END) != 1 or not _BETWEEN.search(text):
        raise ValueError("no block")
    return _BETWEEN.sub(lambda _: new, text)
