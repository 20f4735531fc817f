"""The command line of the evaluation: ``python -m eval list | run | report | compare | show | ...``."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from eval.spec import PARTS
from memstrata_integrations.errors import InvalidInputError, MemstrataError

__all__ = ["main"]

_DEFAULT = Path("eval/results/latest")
_SKIPPED = "leave that part out"
_PAPER = {
    "llm": "ollama:qwen2.5-coder:7b",
    "judge": "ollama:qwen2.5-coder:3b",
    "fabrication_judge": "ollama:qwen2.5-coder:3b",
    "verifier": "ollama:qwen2.5-coder:3b",
    "embedding": "ollama:nomic-embed-text",
    "extractor": "llm",
    "benchmarks": "domain,locomo,code_mutation,config_migration,dependency_bump,api_evolution",
    "conditions": "no_memory,naive_rag,advanced_rag,v6_no_verify,v6,v6+infer,temporal_v6_lossy,temporal_v6",
    "without": ["pairs", "growth", "probe"],
}
"""The publication's matrix, with the answers that may not abstain beside it, its models and its extractor."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; errors are told in a line, with the way out.

    Returns:
        0, or 2 when it could not be done; 130 when interrupted.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] in (["probe"], ["bench"]):  # they have options of their own
        return _apart(words[0], words[1:])
    chosen = _parser().parse_args(words)
    if getattr(chosen, "preset", None):
        chosen = _parser(_PAPER).parse_args(words)
    try:
        return int(chosen.call(chosen))
    except MemstrataError as error:
        print(f"python -m eval: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("python -m eval: interrupted; the same command goes on where it stopped", file=sys.stderr)
        return 130


def _parser(preset: Mapping[str, Any] | None = None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval", description="The evaluation of memstrata_integrations.")
    commands = parser.add_subparsers(
        required=True, metavar="list | run | report | compare | show | calibrate | probe | bench"
    )

    listing = commands.add_parser("list", help="benchmarks, conditions and stock alternatives")
    listing.set_defaults(call=_list)

    run = commands.add_parser("run", help="run benchmarks through conditions, record every question, and report")
    run.add_argument("--out", type=Path, default=_DEFAULT, metavar="DIR", help=f"records go here ({_DEFAULT})")
    run.add_argument("--preset", choices=["paper"], help="the publication's matrix, models and extractor, from Ollama")
    run.add_argument("--offline", action="store_true", help="deterministic stand-ins for every model (the default)")
    run.add_argument("--llm", metavar="ollama:MODEL", help="answers, reranks, gates and extracts")
    run.add_argument("--judge", metavar="ollama:MODEL", help="ollama:qwen2.5-coder:3b unless given")
    run.add_argument("--fabrication-judge", metavar="ollama:MODEL", help="ollama:llama3.2:3b unless given")
    run.add_argument("--verifier", metavar="ollama:MODEL", help="as --judge unless given")
    run.add_argument("--base-url", help="of the Ollama server, http://localhost:11434 unless given")
    run.add_argument("--cache", type=Path, metavar="FILE", help="answers of models are kept here (DIR/answers.sqlite3)")
    run.add_argument("--max-tokens", type=int, default=1024, help="of an answer of a model (1024)")
    run.add_argument("--context", type=int, default=8192, help="tokens that a model sees (8192)")
    run.add_argument("--timeout", type=float, default=300, help="seconds without a piece of an answer (300)")
    run.add_argument("--on-error", choices=("record", "stop"), default="record", help="when a call of a model fails")
    run.add_argument("--embedding", help="minilm, lexical or ollama:MODEL; minilm where it is installed, else lexical")
    run.add_argument("--benchmarks", help="names, separated by commas; all of ours unless given")
    run.add_argument("--conditions", help="names, separated by commas; all unless given; your own are run besides")
    run.add_argument(
        "--condition",
        dest="own_conditions",
        action="append",
        default=[],
        metavar="FILE.py:NAME",
        help="a memory of your own",
    )
    run.add_argument(
        "--benchmark",
        dest="own_benchmarks",
        action="append",
        default=[],
        metavar="FILE.jsonl",
        help="yours; or FILE.py:NAME",
    )
    run.add_argument("--no-alternatives", action="store_true", help="leave the stock alternatives out")
    for part in PARTS:
        run.add_argument(f"--no-{part}", dest="without", action="append_const", const=part, default=[], help=_SKIPPED)
    run.add_argument("--locomo", type=Path, action="append", default=[], metavar="FILE", help="a LoCoMo file as well")
    run.add_argument("--longmemeval", type=Path, metavar="FILE", help="a LongMemEval file as well")
    run.add_argument("--fact-consolidation", type=Path, metavar="FILE", help="a FactConsolidation file as well")
    run.add_argument("--git-history", type=Path, metavar="DIR", help="mined git histories as well")
    run.add_argument("--limit", type=int, metavar="N", help="only the first N items of each benchmark")
    run.add_argument("--k", type=int, default=5, help="passages in a context (5)")
    run.add_argument("--budget", type=int, default=3000, help="tokens of a context, as they are estimated (3000)")
    run.add_argument("--extractor", choices=("grammar", "llm", "both"), help="reads facts; both with --llm")
    run.add_argument(
        "--triples", choices=("one", "several"), default="one", help="facts a model may read of a statement"
    )
    run.add_argument("--locked-rules", type=Path, metavar="FILE", help="what no passage may go against, a line each")
    run.set_defaults(call=_run, **(preset or {}))

    report = commands.add_parser("report", help="write report.md, report.html and plots from a run's records")
    report.add_argument("directory", type=Path, nargs="?", default=_DEFAULT)
    report.add_argument("--readme", type=Path, metavar="README.md", help="also rewrite the figures in this file")
    report.set_defaults(call=_report)

    compare = commands.add_parser("compare", help="how a run differs from another, cell by cell, with intervals")
    compare.add_argument("a", type=Path, metavar="A")
    compare.add_argument("b", type=Path, metavar="B")
    compare.set_defaults(call=_compare)

    show = commands.add_parser("show", help="one question whole: every condition's context, answer and verdicts")
    show.add_argument("directory", type=Path, metavar="RUN")
    show.add_argument("sample", metavar="QUESTION")
    show.set_defaults(call=_show)

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
    from eval.models import Limits
    from eval.plan import BENCHMARKS
    from eval.records import read
    from eval.run import Chosen, run

    if chosen.offline and chosen.llm:
        raise InvalidInputError("--offline and --llm exclude each other")
    if not chosen.llm and (chosen.judge or chosen.fabrication_judge or chosen.verifier):
        raise InvalidInputError("a judge or verifier needs --llm ollama:MODEL, which answers")
    if not chosen.llm and chosen.extractor in ("llm", "both"):
        raise InvalidInputError(f"--extractor {chosen.extractor} needs --llm ollama:MODEL, which reads")
    if (chosen.limit is not None and chosen.limit < 1) or chosen.k < 1 or chosen.budget < 1:
        raise InvalidInputError(
            f"--limit {chosen.limit}, --k {chosen.k} and --budget {chosen.budget} must be at least 1"
        )
    if not 0 < chosen.max_tokens < chosen.context or chosen.timeout <= 0:
        raise InvalidInputError(
            f"--max-tokens {chosen.max_tokens} must be less than --context {chosen.context}, and --timeout "
            f"{chosen.timeout} above 0"
        )
    chosen.alternatives = () if chosen.no_alternatives or chosen.conditions else ALTERNATIVES
    chosen.benchmarks = _names(chosen.benchmarks, BENCHMARKS, "benchmark")
    own = [spec.rpartition(":")[2] for spec in chosen.own_conditions]
    named = _names(chosen.conditions, (*CONDITIONS, *ALTERNATIVES, *own), "condition", CONDITIONS)
    chosen.conditions = tuple(name for name in named if name not in own)  # which are run in any case
    chosen.locked_rules = _lines(chosen.locked_rules)
    chosen.limits = Limits(chosen.max_tokens, chosen.context, chosen.timeout)
    given: dict[str, Any] = {field.name: getattr(chosen, field.name) for field in fields(Chosen)}
    given |= {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    run(Chosen(**given))
    print(f"records: {chosen.out}")
    errors = Counter(error.partition(":")[0] for row in read(chosen.out).rows for error in row.get("errors", ()))
    if errors:
        told = ", ".join(f"{what} {n}" for what, n in errors.most_common())
        print(f"answers of models that are missing or of no use, each recorded with its sample: {told}")
        print("the same command makes the calls that failed once more")
    return _report(argparse.Namespace(directory=chosen.out, readme=None))


def _lines(path: Path | None) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path else []
    except (OSError, UnicodeDecodeError) as unreadable:
        raise InvalidInputError(f"{path} cannot be read: {unreadable}") from unreadable
    return tuple(line.strip() for line in lines if line.strip())


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


def _compare(chosen: argparse.Namespace) -> int:
    from eval.looking import compared
    from eval.records import read

    print(compared(read(chosen.a), read(chosen.b)))
    return 0


def _show(chosen: argparse.Namespace) -> int:
    from eval.looking import shown
    from eval.records import read

    print(shown(read(chosen.directory), chosen.sample))
    return 0


def _calibrate(chosen: argparse.Namespace) -> int:
    from eval.calibration import calibrate
    from eval.models import embedder
    from eval.run import default_embedding

    found: dict[str, Any] = dict(calibrate(embedder(chosen.embedding or default_embedding())))
    found.pop("similarities", None)
    print(json.dumps(found, indent=1))
    return 0
