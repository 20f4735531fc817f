"""The command line of the evaluation: ``python -m eval list | run | report | calibrate | probe | bench``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from memstrata_integrations.errors import InvalidInputError, MemstrataError

__all__ = ["main"]

_DEFAULT = Path("eval/results/latest")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; errors are told in a line, with the way out.

    Returns:
        0, or 2 when it could not be done; 130 when interrupted.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] in (["probe"], ["bench"]):  # they have options of their own
        return _apart(words[0], words[1:])
    chosen = _parser().parse_args(words)
    try:
        return int(chosen.call(chosen))
    except MemstrataError as error:
        print(f"python -m eval: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("python -m eval: interrupted; the same command goes on where it stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval", description="The evaluation of memstrata_integrations.")
    commands = parser.add_subparsers(required=True, metavar="list | run | report | calibrate | probe | bench")

    listing = commands.add_parser("list", help="benchmarks, conditions and stock alternatives")
    listing.set_defaults(call=_list)

    run = commands.add_parser("run", help="run benchmarks through conditions, record every question, and report")
    run.add_argument("--out", type=Path, default=_DEFAULT, metavar="DIR", help=f"records go here ({_DEFAULT})")
    run.add_argument("--offline", action="store_true", help="deterministic stand-ins for every model (the default)")
    run.add_argument("--llm", metavar="ollama:MODEL", help="answers, reranks, gates and extracts")
    run.add_argument("--judge", metavar="ollama:MODEL", help="judges correctness (as --llm unless given)")
    run.add_argument("--fabrication-judge", metavar="ollama:MODEL", help="as --judge unless given")
    run.add_argument("--verifier", metavar="ollama:MODEL", help="as --judge unless given")
    run.add_argument("--base-url", help="of the Ollama server, http://localhost:11434 unless given")
    run.add_argument("--embedding", help="minilm, lexical or ollama:MODEL; minilm where it is installed, else lexical")
    run.add_argument("--benchmarks", help="names, separated by commas; all of ours unless given")
    run.add_argument("--conditions", help="names, separated by commas; all ten unless given")
    run.add_argument("--no-alternatives", action="store_true", help="leave the stock alternatives out")
    run.add_argument("--locomo", type=Path, action="append", default=[], metavar="FILE", help="a LoCoMo file as well")
    run.add_argument("--longmemeval", type=Path, metavar="FILE", help="a LongMemEval file as well")
    run.add_argument("--fact-consolidation", type=Path, metavar="FILE", help="a FactConsolidation file as well")
    run.add_argument("--git-history", type=Path, metavar="DIR", help="mined git histories as well, every record")
    run.add_argument("--limit", type=int, metavar="N", help="only the first N items of each benchmark")
    run.add_argument("--k", type=int, default=5, help="passages in a context (5)")
    run.set_defaults(call=_run)

    report = commands.add_parser("report", help="write report.md, report.html and plots from a run's records")
    report.add_argument("directory", type=Path, nargs="?", default=_DEFAULT)
    report.add_argument("--readme", type=Path, metavar="README.md", help="also rewrite the figures in this file")
    report.set_defaults(call=_report)

    calibrate = commands.add_parser("calibrate", help="what cosine similarity can tell apart")
    calibrate.add_argument("--embedding")
    calibrate.set_defaults(call=_calibrate)

    commands.add_parser("probe", help="what the grammar retires, and what it retires wrongly (--help for options)")
    commands.add_parser("bench", help="what the store costs beside stock Chroma (--help for options)")
    return parser


def _apart(command: str, words: list[str]) -> int:
    from eval import bench, probe

    sys.argv = [f"python -m eval {command}", *words]
    (probe if command == "probe" else bench).main()
    return 0


def _list(_: argparse.Namespace) -> int:
    from eval import benchmarks
    from eval.conditions import ALTERNATIVES, CONDITIONS
    from eval.plan import BENCHMARKS

    for name in BENCHMARKS:
        loaded = benchmarks.load(name)
        print(f"{name:<20} {len(loaded.turns):>4} turns {len(loaded.questions):>4} questions   {loaded.about}")
    print(f"\nconditions:    {', '.join(CONDITIONS)}\nalternatives:  {', '.join(ALTERNATIVES)}")
    print("by path:       --locomo, --longmemeval, --fact-consolidation, --git-history")
    return 0


def _run(chosen: argparse.Namespace) -> int:
    from eval.conditions import ALTERNATIVES, CONDITIONS
    from eval.plan import BENCHMARKS
    from eval.run import Chosen, run

    if chosen.offline and chosen.llm:
        raise InvalidInputError("--offline and --llm exclude each other")
    if not chosen.llm and (chosen.judge or chosen.fabrication_judge or chosen.verifier):
        raise InvalidInputError("a judge or verifier needs --llm ollama:MODEL, which answers")
    if (chosen.limit is not None and chosen.limit < 1) or chosen.k < 1:
        raise InvalidInputError(f"--limit {chosen.limit} and --k {chosen.k} must be at least 1")
    run(
        Chosen(
            out=chosen.out,
            benchmarks=_names(chosen.benchmarks, BENCHMARKS, "benchmark"),
            conditions=_names(chosen.conditions, (*CONDITIONS, *ALTERNATIVES), "condition", CONDITIONS),
            alternatives=() if chosen.no_alternatives or chosen.conditions else ALTERNATIVES,
            llm=chosen.llm,
            judge=chosen.judge,
            fabrication_judge=chosen.fabrication_judge,
            verifier=chosen.verifier,
            base_url=chosen.base_url,
            embedding=chosen.embedding,
            locomo=tuple(chosen.locomo),
            longmemeval=chosen.longmemeval,
            fact_consolidation=chosen.fact_consolidation,
            git_history=chosen.git_history,
            limit=chosen.limit,
            k=chosen.k,
        )
    )
    print(f"records: {chosen.out}")
    return _report(argparse.Namespace(directory=chosen.out, readme=None))


def _names(given: str | None, known: Sequence[str], what: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
    if given is None:
        return tuple(known if default is None else default)
    names = tuple(dict.fromkeys(name.strip() for name in given.split(",") if name.strip()))
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else "known: " + ", ".join(known)
            raise InvalidInputError(f"there is no {what} {name!r}; {hint}")
    if not names:
        raise InvalidInputError(f"no {what} is named; known: {', '.join(known)}")
    return names


def _report(chosen: argparse.Namespace) -> int:
    from eval import reports

    built = reports.build(chosen.directory)
    for path in built.write(chosen.directory):
        print(path)
    if chosen.readme is not None:
        reports.rewrite(chosen.readme, built)
        print(chosen.readme)
    return 0


def _calibrate(chosen: argparse.Namespace) -> int:
    from eval.calibration import calibrate
    from eval.models import embedder
    from eval.run import default_embedding

    found: dict[str, Any] = dict(calibrate(embedder(chosen.embedding or default_embedding())))
    found.pop("similarities", None)
    print(json.dumps(found, indent=1))
    return 0
