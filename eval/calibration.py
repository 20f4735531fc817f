"""What cosine similarity can tell apart: duplicates, details to merge, contradictions, and what is new.

98 labelled pairs of our own. The surprise gate of the `v6` baselines takes its thresholds from here, for the embedding
in use; the package itself uses no threshold.
"""

import json
import statistics
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from eval.benchmarks.manifest import entry
from memstrata_integrations.embeddings import NamedEmbeddings

LABELS = ("duplicate", "merge", "contradict", "novel")

GATE_THRESHOLDS = {"minilm": (0.98, 0.62), "lexical": (0.9, 0.5)}
"""Embedding to the recommended (tau_dup, tau_novel), as `calibrate` finds them; a test computes them again."""

_NAMES = {"all-MiniLM-L6-v2": "minilm", "lexical-512-v1": "lexical"}
_SURE = 0.9  # precision from which on a duplicate may be dropped unasked
_TAU_DUP = tuple(n / 100 for n in range(80, 99))
_TAU_NOVEL = tuple(n / 100 for n in range(50, 86))


def calibrate(embedding: NamedEmbeddings) -> dict[str, Any]:
    """Measure an embedding on the labelled pairs.

    What the gate takes for a duplicate it drops unasked, so recommended is the lowest duplicate threshold with a
    precision of at least 0.9; where none has it, the highest that was swept, so that the judge is asked about nearly
    everything: kindest to the gate. The novel threshold is the one of the best F1, of equals the lowest, which asks
    most.

    Returns:
        ``embedding``; ``classes``: cosine per label; ``auroc`` of duplicate against the rest; ``sweep_dup`` (a
        duplicate from tau on) and ``sweep_novel`` (novel below tau) with precision, recall, F1 and the number n that is
        taken for it; ``best_precision`` of the duplicate sweep; ``recommended``: tau_dup and tau_novel;
        ``similarities``: label and cosine of each pair. A figure over nothing is `None`.
    """
    pairs = [json.loads(line) for line in entry("calibration").path.read_text(encoding="utf-8").splitlines()]
    first, second = (np.asarray(embedding.embed_documents([pair[side] for pair in pairs])) for side in "ab")
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    cosines = [round(float(cosine), 6) for cosine in (first * second).sum(axis=1) / lengths]
    measured = [(pair["label"], cosine) for pair, cosine in zip(pairs, cosines, strict=True)]
    duplicate, novel = ([label == wanted for label, _ in measured] for wanted in ("duplicate", "novel"))
    sweep_dup = [sweep(tau, duplicate, [cosine >= tau for cosine in cosines]) for tau in _TAU_DUP]
    sweep_novel = [sweep(tau, novel, [cosine < tau for cosine in cosines]) for tau in _TAU_NOVEL]
    sure = [row["tau"] for row in sweep_dup if (row["precision"] or 0.0) >= _SURE]
    return {
        "embedding": embedding.name,
        "classes": {wanted: _spread(cosine for label, cosine in measured if label == wanted) for wanted in LABELS},
        "auroc": round(auroc(cosines, duplicate), 4),
        "sweep_dup": sweep_dup,
        "sweep_novel": sweep_novel,
        "best_precision": max(row["precision"] or 0.0 for row in sweep_dup),
        "recommended": {
            "tau_dup": min(sure, default=_TAU_DUP[-1]),
            "tau_novel": max(sweep_novel, key=lambda row: (row["f1"] or 0.0, -row["tau"]))["tau"],
        },
        "similarities": [list(pair) for pair in measured],
    }


def gate_thresholds(embedding: NamedEmbeddings) -> tuple[float, float]:
    """Return the recommended (tau_dup, tau_novel): known ones as they are, of any other embedding measured now."""
    known = GATE_THRESHOLDS.get(_NAMES.get(embedding.name, ""))
    if known is not None:
        return known
    found = calibrate(embedding)["recommended"]
    return found["tau_dup"], found["tau_novel"]


def sweep(tau: float, wanted: Sequence[bool], taken: Sequence[bool]) -> dict[str, Any]:
    """Return precision, recall and F1 of what a threshold takes for a class.

    Example:
        >>> sweep(0.9, [True, True, False], [True, False, False])
        {'tau': 0.9, 'precision': 1.0, 'recall': 0.5, 'f1': 0.6667, 'n': 1}
    """
    n, hits = sum(taken), sum(w and t for w, t in zip(wanted, taken, strict=True))
    return {
        "tau": tau,
        "precision": round(hits / n, 4) if n else None,
        "recall": round(hits / sum(wanted), 4),
        "f1": round(2 * hits / (n + sum(wanted)), 4),
        "n": n,
    }


def auroc(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """Return how often a positive scores above a negative, ties half: the area under the ROC curve.

    Source: J. A. Hanley and B. J. McNeil, The meaning and use of the area under a ROC curve (1982).

    Example:
        >>> auroc([0.9, 0.8, 0.8, 0.1], [True, True, False, False])
        0.875
    """
    of = np.asarray(scores, dtype=float)
    is_ = np.asarray(positive, dtype=bool)
    apart = of[is_][:, None] - of[~is_][None, :]
    return float(((apart > 0) + 0.5 * (apart == 0)).mean())


def _spread(cosines: Iterable[float]) -> dict[str, Any]:
    some = list(cosines)
    return {
        "n": len(some),
        "mean": round(statistics.fmean(some), 4),
        "median": round(statistics.median(some), 4),
        "min": round(min(some), 4),
        "max": round(max(some), 4),
    }
