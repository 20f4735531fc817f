"""What cosine similarity can tell apart, with the published figures beside ours."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from eval.calibration import auroc
from eval.reports.published import published
from eval.reports.tables import code, number, percent, table
from eval.reports.tally import Tally, plain


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
            "The published pairs are as many of each class, in other sentences.\n",
        ]
    return "\n".join(parts)


def _classes(found: Mapping[str, Any]) -> str:
    theirs = published()["calibration"]["classes"]
    shown = ("mean", "median", "min", "max")
    rows = [
        [label, str(row["n"]), *(f"{row[name]:.3f}<br>*published {theirs[label][name]:.3f}*" for name in shown)]
        for label, row in found["classes"].items()
    ]
    return table(["cosine of", "n", "mean", "median", "lowest", "highest"], rows)


def _reached(found: Mapping[str, Any]) -> str:
    theirs, tau = published()["calibration"], found["recommended"]
    rows = [
        [
            "AUROC, duplicate against the rest",
            _auroc(found, {"merge", "contradict", "novel"}),
            f"*{theirs['auroc']:.3f}*",
        ],
        ["AUROC, duplicate against contradict", _auroc(found, {"contradict"}), "–"],
        [
            "best precision of any duplicate threshold",
            percent(found["best_precision"]),
            f"*{percent(theirs['best_precision'])}*",
        ],
    ]
    for name in ("tau_dup", "tau_novel"):
        rows.append([f"recommended {code(name)}", f"{tau[name]:.2f}", f"*{theirs['recommended'][name]:.2f}*"])
    return table(["", "ours", "*published*"], rows)


def _auroc(found: Mapping[str, Any], others: Collection[str]) -> str:
    """Return the area with its interval, resampling the pairs of each side."""
    sides = [np.asarray([c for label, c in found["similarities"] if label in some]) for some in ({"duplicate"}, others)]
    if not all(len(side) for side in sides):
        return "–"
    random = np.random.default_rng(0)
    ones = [True] * len(sides[0]) + [False] * len(sides[1])
    drawn = [auroc([c for side in sides for c in random.choice(side, len(side))], ones) for _ in range(2_000)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return f"{auroc([c for side in sides for c in side], ones):.3f} [{low:.2f}, {high:.2f}]"


def _duplicate(found: Mapping[str, Any]) -> str:
    theirs = {round(row["tau"], 2): row for row in published()["calibration"]["sweep_dup"]}
    rows = []
    for row in found["sweep_dup"]:
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
        for row in found["sweep_novel"]
    ]
    return table(["threshold", "taken for it", "precision", "recall", "F1"], rows)
