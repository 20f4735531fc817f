"""What `eval.bench` measured, as a table and as plots of cost against rows and against depth."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_DRAWN = ("read now, k=4", "read now, k=4, filter", "read as of, k=4", "read known at, k=4", "write 1 row, superseding")


def line(record: dict[str, Any]) -> str:
    """Return a line to print of a case."""
    return (
        f"    {record['case']:<34} stock {record['stock_ms']:9.2f} ms (p95 {record['stock_p95_ms']:9.2f})   "
        f"ours {record['ours_ms']:9.2f} ms (p95 {record['ours_p95_ms']:9.2f})   ratio {record['ratio']:6.2f}"
    )


def table(records: Sequence[dict[str, Any]]) -> str:
    """Return the cases as a Markdown table."""
    rows = [
        f"| {r['facts']:,} x {r['versions']} | {r['case']} | {r['stock_ms']:.2f} | {r['ours_ms']:.2f} "
        f"| {r['stock_p95_ms']:.2f} | {r['ours_p95_ms']:.2f} | {r['ratio']:.2f} |"
        for r in records
        if "ratio" in r
    ]
    head = ["| facts x versions | case | stock, ms | ours, ms | stock p95 | ours p95 | ratio |"]
    head.append("|---|---|--:|--:|--:|--:|--:|")
    held = [f"{r['what']}: {r['bytes']}" for r in records if "bytes" in r]
    return "\n".join([f"{os.cpu_count()} cores.", "", *head, *rows, "", *held, ""])


def write(directory: Path, records: Sequence[dict[str, Any]]) -> None:
    """Write the records, the table, and the plots where there is something to compare."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(r) + "\n" for r in records)
    (directory / "bench.jsonl").write_text(lines, encoding="utf-8")
    (directory / "bench.md").write_text(table(records), encoding="utf-8")
    _draw(directory / "bench_rows.png", records, "rows")
    _draw(directory / "bench_depth.png", records, "versions")


def _draw(file: Path, records: Sequence[dict[str, Any]], over: str) -> None:
    """Plot ratios over rows (facts of two versions at most), or over versions a fact."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.4, 3.4), layout="constrained")
    axes = figure.subplots()
    for case in _DRAWN:
        chosen = [r for r in records if r.get("case") == case and (over == "versions" or r["versions"] <= 2)]
        points = sorted((r["facts"] * r["versions"] if over == "rows" else r["versions"], r["ratio"]) for r in chosen)
        if len({x for x, _ in points}) > 1:
            axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=case)
    axes.axhline(1, color="#858585", linewidth=0.6)
    axes.set(xscale="log", ylim=(0, None), ylabel="time beside stock")
    axes.set_xlabel("rows" if over == "rows" else "versions a fact")
    if axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
        figure.savefig(file, dpi=150)
