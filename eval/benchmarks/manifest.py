"""Which file holds which benchmark, and which content it must have.

``python -m eval.benchmarks.manifest`` writes ``manifest.json`` anew after a file was changed on purpose; another
sentence is another version.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from eval.spec import Regime
from memstrata_integrations.errors import InvalidInputError

DIRECTORY = Path(__file__).resolve().parent
_LICENCE = "Apache-2.0"
_FILES: dict[str, tuple[str, Regime, str]] = {
    "domain": ("domain.v1.jsonl", "static", "facts of invented projects, each said once"),
    "locomo": ("dialogue.v1.json", "static", "a conversation of three friends over six sessions"),
    "code_mutation": (
        "code_mutation.v1.jsonl",
        "evolving",
        "functions, endpoints, modules, variables that are renamed",
    ),
    "config_migration": ("config_migration.v1.jsonl", "evolving", "settings, limits, ports, pools, flags that change"),
    "dependency_bump": ("dependency_bump.v1.jsonl", "evolving", "versions, pins, ranges, base images that change"),
    "api_evolution": ("api_evolution.v1.jsonl", "evolving", "paths, methods, parameters, signatures that change"),
    "fair_contradiction": ("fair_contradiction.v1.jsonl", "quarantined", "a change inside free prose of many values"),
    "collision": ("collision.v1.jsonl", "collision", "look-alikes of which neither may retire the other"),
    "timeline": ("timeline.v1.jsonl", "timeline", "dated values with late arrivals, reverts and endings"),
    "calibration": ("calibration.v1.jsonl", "static", "pairs labelled duplicate, merge, contradict or novel"),
}


class Entry(NamedTuple):
    """One benchmark's file, found to be what the manifest says."""

    path: Path
    version: str
    regime: Regime
    sha256: str
    about: str


def entry(name: str) -> Entry:
    """Return a benchmark's file.

    Raises:
        InvalidInputError: If the file is missing, or its hash is another one than the manifest's.
    """
    file, regime, about = _FILES[name]
    path = DIRECTORY / file
    known: dict[str, Any] = json.loads((DIRECTORY / "manifest.json").read_text(encoding="utf-8"))[file]
    try:
        found = _sha256(path)
    except OSError as absent:
        raise InvalidInputError(f"{path} cannot be read ({absent}); restore it from the repository") from absent
    if found != known["sha256"]:
        raise InvalidInputError(
            f"{path} has SHA-256 {found}, manifest.json says {known['sha256']}; restore the file, or, if it was "
            "changed on purpose, give it a new version and run python -m eval.benchmarks.manifest"
        )
    return Entry(path, known["version"], regime, found, about)


def made() -> dict[str, dict[str, Any]]:
    """Return the manifest as the files would have it."""
    return {
        file: {
            "sha256": _sha256(DIRECTORY / file),
            "version": file.split(".")[1],
            "items": _items(DIRECTORY / file),
            "licence": _LICENCE,
            "about": about,
        }
        for file, _, about in sorted(_FILES.values())
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _items(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    return len(json.loads(text)["questions"]) if path.suffix == ".json" else len(text.splitlines())


if __name__ == "__main__":
    (DIRECTORY / "manifest.json").write_text(json.dumps(made(), indent=1) + "\n", encoding="utf-8")
