"""What cosine similarity can tell apart, with the published figures beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eval.reports.published import published
from eval.reports.tables import code, number, percent, table
from eval.reports.tally import Tally, plain

__all__ = ["calibration"]


def calibration(tally: Tally) -> str:
    """Return cosines by class, what a threshold can reach, and what is recommended."""
    parts = []
    for found in tally.records.of("calibration"):
        pairs = sum(row["n"] for row in found["classes"].values())
        label = (
            f"*Embedding: {plain(found['embedding'])}; published: {published()['reference_set_up']['embedding']}; "
            f"{pairs} labelled pairs; no model judges.*\n"
        )
        parts += [
            *(label, _classes(found)),
            *(label, _reached(found)),
            *("### A duplicate from this cosine on\n", label, _duplicate(found)),
            *("### Novel below this cosine\n", label, _novel(found)),
            "Every third and every fifth of the thresholds that were swept. The published pairs are as many of each "
            "class, in other sentences.\n",
        ]
    return "\n".join(parts)


def _classes(found: Mapping[str, Any]) -> str:
    theirs = published()["calibration"]["classes"]
    shown = ("mean", "median", "min", "max")
    rows = [
        [
            label,
            str(row["n"]),
            *(f"{row[name]:.3f}<br>*published {theirs[label][name]:.3f}*" for name in shown),
        ]
        for label, row in found["classes"].items()
    ]
    return table(["cosine of", "n", "mean", "median", "lowest", "highest"], rows)


def _reached(found: Mapping[str, Any]) -> str:
    theirs, tau = published()["calibration"], found["recommended"]
    rows = [
        ["AUROC, duplicate against the rest", f"{found['auroc']:.3f}", f"*{theirs['auroc']:.3f}*"],
        [
            "best precision of any duplicate threshold",
            percent(found["best_precision"]),
            f"*{percent(theirs['best_precision'])}*",
        ],
    ]
    for name in ("tau_dup", "tau_novel"):
        rows.append([f"recommended {code(name)}", f"{tau[name]:.2f}", f"*{theirs['recommended'][name]:.2f}*"])
    return table(["", "ours", "*published*"], rows)


def _duplicate(found: Mapping[str, Any]) -> str:
    theirs = {round(row["tau"], 2): row for row in published()["calibration"]["sweep_dup"]}
    rows = []
    for row in found["sweep_dup"][::3]:
        known = theirs.get(round(row["tau"], 2), {})
        both = [
            percent(row[name]) + (f"<br>*published {percent(known[name])}*" if known else "")
            for name in ("precision", "recall")
        ]
        rows.append([f"{row['tau']:.2f}", str(row["n"]), *both, number(row["f1"], 3)])
    return table(["threshold", "taken for one", "precision", "recall", "F1"], rows)


def _novel(found: Mapping[str, Any]) -> str:
    rows = [
        [f"{row['tau']:.2f}", str(row["n"]), percent(row["precision"]), percent(row["recall"]), number(row["f1"], 3)]
        for row in found["sweep_novel"][::5]
    ]
    return table(["threshold", "taken for it", "precision", "recall", "F1"], rows)
