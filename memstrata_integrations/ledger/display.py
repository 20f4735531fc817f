"""How a history is shown: clipped text, a table, and bars."""

import html
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from memstrata_integrations.errors import MissingDependencyError
from memstrata_integrations.ledger.time import MIN_TIME, OPEN, format_time

if TYPE_CHECKING:
    from memstrata_integrations.ledger.history import TimelineEntry

_HEAD = ("valid from", "valid to", "value", "status", "id", "statement")
_WIDTHS = (32, 32, 40, 12, 36, 72)


def clip(text: str, limit: int) -> str:
    """Return a text on one line of at most `limit` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def rows_of(entries: "Sequence[TimelineEntry]") -> list[tuple[str, str, str, str, str, str]]:
    """Return (from, to, object, status, id, statement) for each interval, as text."""
    found = []
    for entry in entries:
        for interval in entry.intervals or (None,):
            start = "never" if interval is None else _day(interval.start, "always")
            if entry.status == "ending" and entry.asserted:
                start = _day(entry.asserted[0].start, "always")
            end = "" if interval is None else _day(interval.end, "open")
            found.append((start, end, entry.object or "", entry.status, entry.id, entry.statement))
    return sorted(found, key=lambda r: (r[0] not in ("always",), r[0]))


def table(title: str, rows: Sequence[Sequence[str]]) -> str:
    """Return rows under a title, in columns."""
    cells = [[clip(c, limit) for c, limit in zip(row, _WIDTHS, strict=True)] for row in (_HEAD, *rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(_HEAD))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join([*filter(None, [title]), lines[0], "  ".join("-" * w for w in widths), *lines[1:]])


def html_table(title: str, rows: Sequence[Sequence[str]]) -> str:
    """Return rows under a title, as HTML."""
    head = "".join(f"<th>{h}</th>" for h in _HEAD)
    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in r) + "</tr>" for r in rows)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def bars(entries: "Sequence[TimelineEntry]", now: int, ax: Any) -> Any:
    """Draw what is valid at `now` (µs) in another colour; see `Timeline.plot`."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingDependencyError(
            "Timeline.plot needs matplotlib: pip install 'memstrata-integrations[eval]'"
        ) from error
    if ax is None:
        _, ax = plt.subplots(figsize=(9, 0.5 + 0.45 * max(2, len(entries))))
    spans = [(i, e) for e in entries for i in e.intervals]
    values = list(dict.fromkeys(e.object or clip(e.statement, 40) for _, e in spans))
    finite = [t for i, _ in spans for t in (i.start, i.end) if MIN_TIME < t < OPEN]
    shown = now if now < OPEN - 1 else max(finite, default=0)
    low, high = min([*finite, shown], default=0), max([*finite, shown], default=0)
    margin = max((high - low) // 20, 86_400_000_000)
    for interval, entry in spans:
        start, end = max(interval.start, low - margin), min(interval.end, high + margin)
        row = values.index(entry.object or clip(entry.statement, 40))
        begins = _moment(start)
        colour = "#3a7d44" if now in interval else "#b8c4bb"
        ax.barh(row, _moment(end) - begins, left=begins, height=0.6, color=colour)
    ax.set_yticks(range(len(values)), values)
    ax.invert_yaxis()
    ax.set_xlabel("valid time (UTC)")
    ax.axvline(_moment(shown), color="#444444", linewidth=1, linestyle=":")
    titles = list(dict.fromkeys(f"{e.subject} {e.relation}" for e in entries if e.subject))
    ax.set_title(clip("; ".join(titles), 90))
    return ax


def _day(micros: int, otherwise: str) -> str:
    text = format_time(micros)
    if text is None:
        return otherwise
    return text.removesuffix("T00:00:00+00:00").removesuffix("+00:00")


def _moment(micros: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=micros)
