"""Mines dated assertions from git repositories, in the format that ``--git-history`` reads.

``python -m eval.mine REPOSITORY... --out DIR`` writes what their settings, pins and required versions of Python were,
commit by commit, as the package's readers of formats read them (`memstrata_integrations.git`). The sentences that
the evaluation makes of it are read by the grammar, which is another part. The committed figures rest on other files,
which were mined by scripts of their own: see ``eval/README.md``.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from eval.arguments import Parser, told
from eval.benchmarks.git_history import KINDS
from memstrata_integrations.git import GitFact, git_facts

_KINDS = {
    "is pinned to": ("dependency_pin", "pin", "is pinned to"),
    "requires python": ("python_requires", "Python requirement", "requires python"),
    "is": ("config_value", "", "is set to"),
}


def records(facts: Iterable[GitFact]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the kind and the record of each fact with a short value, and of its ending."""
    for fact in facts:
        if fact.relation not in _KINDS or fact.restated or len((fact.object or "").splitlines()) > 1:
            continue
        kind, what, relation = _KINDS[fact.relation]
        repository, path = fact.metadata["source"], fact.metadata["file_path"]
        name = " ".join(filter(None, (fact.subject.rpartition("#")[2], what)))
        yield (
            kind,
            {
                "repo": repository,
                "path": path,
                "commit": fact.metadata["commit"],
                "subject": f"{name} in {path} of {repository}",
                "relation": relation,
                "object": None if fact.ended else fact.object,
                "commit_date": fact.valid_from.isoformat(),
                "key": f"{path}|{fact.subject}|{fact.relation}",
                **({"removal": "line_removed"} if fact.ended else {}),
            },
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, those of kinds that are not mined empty; returns 0, or 2 where a repository cannot be read."""
    parser = Parser(prog="python -m eval.mine", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPOSITORY", help="with its whole history")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the files go")
    return told(lambda: _mine(parser.parse_args(arguments)))


def _mine(chosen: argparse.Namespace) -> None:
    lines: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for repository in chosen.repositories:
        for kind, record in records(git_facts(repository)):
            lines[kind].append(json.dumps(record, ensure_ascii=False) + "\n")
    chosen.out.mkdir(parents=True, exist_ok=True)
    for kind, some in lines.items():
        (chosen.out / f"{kind}.jsonl").write_text("".join(some), encoding="utf-8")
        print(f"{kind}: {len(some)}")


if __name__ == "__main__":
    raise SystemExit(main())
