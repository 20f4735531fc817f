"""The command line of the evaluation: ``python -m eval list | run | report | compare | show | ...``."""

import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from eval.arguments import Parser, positive, told, unknown
from eval.spec import PARTS
from memstrata_integrations.errors import InvalidInputError

_DEFAULT = Path("eval/results/latest")
_EMBEDDING = "minilm, lexical or ollama:MODEL; minilm where it is installed, else lexical"
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
    return told(lambda: _called(words))


def _called(words: list[str]) -> int:
    if words[:1] == ["probe"]:  # it and bench have options of their own
        from eval import probe

        return probe.main(words[1:])
    if words[:1] == ["bench"]:
        from eval import bench

        return bench.main(words[1:])
    chosen = _parser().parse_args(words)
    if getattr(chosen, "preset", None):
        chosen = _parser(_PAPER).parse_args(words)
    chosen.command = words
    return int(chosen.call(chosen))


def _parser(preset: Mapping[str, Any] | None = None) -> Parser:
    parser = Parser(
        prog="python -m eval",
        description="The evaluation. A taste in a minute: python -m eval run --limit 3 --embedding lexical",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="benchmarks, conditions and stock alternatives")
    listing.set_defaults(call=_list)

    run = commands.add_parser("run", help="run benchmarks through conditions, record every question, and report")
    run.add_argument("--out", type=Path, default=_DEFAULT, metavar="DIR", help=f"records go here ({_DEFAULT})")
    run.add_argument("--preset", choices=["paper"], help="the publication's matrix, models and extractor, from Ollama")
    run.add_argument("--limit", type=positive, metavar="N", help="only the first N items of each benchmark")
    run.add_argument("--k", type=positive, default=5, metavar="N", help="passages in a context (5)")
    run.add_argument("--budget", type=positive, default=3000, metavar="N", help="estimated tokens of a context (3000)")
    run.add_argument("--embedding", metavar="NAME", help=_EMBEDDING)
    what = run.add_argument_group("what is run")
    what.add_argument("--benchmarks", metavar="NAMES", help="separated by commas; all of ours unless given")
    what.add_argument(
        "--conditions", metavar="NAMES", help="separated by commas; unless given, all, and the stock alternatives"
    )
    what.add_argument("--no-alternatives", action="store_true", help="leave the stock alternatives out")
    for part, told_of in PARTS.items():
        leave = f"leave out {told_of}"
        what.add_argument(f"--no-{part}", dest="without", action="append_const", const=part, default=[], help=leave)
    brought = run.add_argument_group("what you bring", "The first three may be given several times.")
    for dest, option, metavar, about in (
        ("own_conditions", "--condition", "FILE.py:NAME", "a memory of your own; or PACKAGE.MODULE:NAME"),
        ("own_benchmarks", "--benchmark", "FILE", "a benchmark of your own: FILE.jsonl, or FILE.py:NAME"),
    ):
        brought.add_argument(option, dest=dest, action="append", default=[], metavar=metavar, help=about)
    brought.add_argument("--locomo", type=Path, action="append", default=[], metavar="FILE", help="a LoCoMo file")
    brought.add_argument("--longmemeval", type=Path, metavar="FILE", help="a LongMemEval file")
    brought.add_argument("--fact-consolidation", type=Path, metavar="FILE", help="a FactConsolidation file")
    brought.add_argument("--git-history", type=Path, metavar="DIR", help="mined git histories")
    brought.add_argument("--locked-rules", type=Path, metavar="FILE", help="what no passage may go against, by line")
    models = run.add_argument_group("models", "Without --llm, deterministic stand-ins take every role.")
    models.add_argument("--offline", action="store_true", help="the stand-ins, which is the default")
    for role, about in (
        ("llm", "answers, reranks, gates and reads facts"),
        ("judge", "of answers; ollama:qwen2.5-coder:3b unless given"),
        ("fabrication-judge", "ollama:llama3.2:3b unless given"),
        ("verifier", "as --judge unless given"),
    ):
        models.add_argument(f"--{role}", metavar="ollama:MODEL", help=about)
    models.add_argument("--base-url", metavar="URL", help="of Ollama; OLLAMA_HOST or http://127.0.0.1:11434")
    models.add_argument("--cache", type=Path, metavar="FILE", help="keeps their answers (DIR/answers.sqlite3)")
    models.add_argument("--max-tokens", type=positive, default=1024, metavar="N", help="of an answer (1024)")
    models.add_argument("--context", type=positive, default=8192, metavar="N", help="tokens that one sees (8192)")
    models.add_argument(
        "--timeout", type=float, default=300, metavar="SECONDS", help="without a piece of an answer (300)"
    )
    models.add_argument(
        "--on-error", choices=("record", "stop"), default="record", help="what a failed call does (record)"
    )
    models.add_argument("--extractor", choices=("grammar", "llm", "both"), help="reads facts; both with --llm")
    models.add_argument("--triples", choices=("one", "several"), default="one", help="facts read of a statement (one)")
    run.set_defaults(call=_run, **(preset or {}))

    report = commands.add_parser("report", help="write report.md, report.html and plots from a run's records")
    report.add_argument("directory", type=Path, nargs="?", default=_DEFAULT, metavar="RUN", help=f"({_DEFAULT})")
    report.add_argument("--readme", type=Path, metavar="README.md", help="also rewrite the figures in this file")
    report.set_defaults(call=_report)

    compare = commands.add_parser("compare", help="how a run differs from another, cell by cell, with intervals")
    compare.add_argument("a", type=Path, metavar="A", help="directory of the first run")
    compare.add_argument("b", type=Path, metavar="B", help="of the second")
    compare.add_argument("--json", action="store_true", help="every cell, the equal ones as well, as JSON")
    compare.set_defaults(call=_compare)

    show = commands.add_parser("show", help="one question whole: every condition's context, answer and verdicts")
    show.add_argument("directory", type=Path, metavar="RUN")
    show.add_argument("sample", metavar="QUESTION", help="its id, such as domain-01")
    show.set_defaults(call=_show)

    calibrate = commands.add_parser("calibrate", help="what cosine similarity can tell apart")
    calibrate.add_argument("--embedding", metavar="NAME", help=_EMBEDDING)
    calibrate.set_defaults(call=_calibrate)

    commands.add_parser("probe", help="what the grammar retires, and what it retires wrongly (--help for options)")
    commands.add_parser("bench", help="what the store costs beside stock Chroma (--help for options)")
    return parser


def _list(_: Namespace) -> int:
    from eval import benchmarks
    from eval.conditions import ALTERNATIVES, CONDITIONS

    for name in benchmarks.NAMES:
        loaded = benchmarks.load(name)
        print(f"{name:<20} {len(loaded.turns):>4} turns {len(loaded.questions):>4} questions   {loaded.about}")
    print(f"\nconditions:    {', '.join(CONDITIONS)}\nalternatives:  {', '.join(ALTERNATIVES)}")
    print("by path:       --locomo, --longmemeval, --fact-consolidation, --git-history")
    return 0


def _run(chosen: Namespace) -> int:
    from eval.benchmarks import NAMES
    from eval.conditions import ALTERNATIVES, CONDITIONS
    from eval.models import Limits
    from eval.records import read
    from eval.run import Chosen, run

    if chosen.offline and chosen.llm:
        raise InvalidInputError("--offline and --llm exclude each other")
    if not chosen.llm and (chosen.judge or chosen.fabrication_judge or chosen.verifier):
        raise InvalidInputError("a judge or verifier needs --llm ollama:MODEL, which answers")
    if not chosen.llm and chosen.extractor in ("llm", "both"):
        raise InvalidInputError(f"--extractor {chosen.extractor} needs --llm ollama:MODEL, which reads")
    if chosen.max_tokens >= chosen.context:
        raise InvalidInputError(f"--max-tokens {chosen.max_tokens} must be less than --context {chosen.context}")
    if not chosen.timeout > 0:
        raise InvalidInputError(f"--timeout {chosen.timeout} must be above 0")
    chosen.alternatives = () if chosen.no_alternatives or chosen.conditions else ALTERNATIVES
    chosen.benchmarks = _names(chosen.benchmarks, NAMES, "benchmark")
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
    return _report(Namespace(directory=chosen.out, readme=None))


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
            raise unknown(what, name, known)
    if not names:
        raise InvalidInputError(f"no {what} is named; known: {', '.join(known)}")
    return names


def _report(chosen: Namespace) -> int:
    from eval import reports

    built = reports.build(chosen.directory)
    for path in built.write(chosen.directory):
        print(path)
    if chosen.readme is not None:
        reports.rewrite(chosen.readme, built)
        print(chosen.readme)
    return 0


def _compare(chosen: Namespace) -> int:
    from eval.looking import compared
    from eval.records import read

    found = compared(read(chosen.a), read(chosen.b))
    cells = [cell._asdict() for cell in found.cells]
    print(json.dumps({**found._asdict(), "cells": cells}, indent=1) if chosen.json else found.text())
    return 0


def _show(chosen: Namespace) -> int:
    from eval.looking import shown
    from eval.records import read

    print(shown(read(chosen.directory), chosen.sample))
    return 0


def _calibrate(chosen: Namespace) -> int:
    from eval.calibration import calibrate
    from eval.models import embedder
    from eval.run import default_embedding

    found: dict[str, Any] = dict(calibrate(embedder(chosen.embedding or default_embedding())))
    found.pop("similarities", None)
    print(json.dumps(found, indent=1))
    return 0
