"""Many keys of public git histories, through stock Chroma, ways of dates, and ours: now, at past dates, after removals.

The rows of one kind share a store. Records hold hashes of the key and the repository, and no text of the data.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from langchain_core.embeddings import Embeddings

from eval.benchmarks.git_history import GitAssertion, GitKind, GitProbe
from eval.records import Recorder
from eval.systems import RIVALS, Dated, Ending, KeyKnown, Ours, OursKeyed, System, Told

SYSTEMS = (*RIVALS, KeyKnown, Ours, OursKeyed)
_BATCH = 256


def run_git(
    kinds: Iterable[GitKind],
    embedding: Embeddings,
    recorder: Recorder,
    *,
    k: int,
    step: Callable[[], object] = lambda: None,
) -> None:
    """Tell every system each kind's assertions, ask every probe, and record whether the answer held the right thing.

    Args:
        kinds: What `eval.benchmarks.git_history.load_kind` gives.
        embedding: Of all systems; one that remembers vectors makes those of the questions outside of the times.
        recorder: Where the records go.
        k: How many texts an answer has.
        step: Called after each probe.
    """
    for kind in (kind for kind in kinds if kind.probes):
        wanted = [[p for p in kind.probes if not recorder.has(_named(kind, p, one.name))] for one in SYSTEMS]
        embedding.embed_documents([probe.question for probe in kind.probes])
        loaded = max(assertion.valid_from for assertion in kind.assertions)
        for made, probes in zip(SYSTEMS, wanted, strict=True):
            system: System = made(embedding)
            for batch in _batches(kind.assertions) if probes else ():
                _tell(system, batch, loaded)
            for probe in probes:
                recorder.write(_record(kind, probe, system, k))
                step()
            for _ in range(len(kind.probes) - len(probes)):
                step()


def _tell(system: System, batch: Sequence[GitAssertion], now: datetime) -> None:
    """Tell a batch, or that a fact ended."""
    if batch[0].sentence is None:
        [gone] = batch
        system.end(Ending(gone.ended, gone.valid_from, gone.subject, gone.relation, gone.key), now)
    else:
        system.tell(
            [Told(told.sentence, told.valid_from, told.key) for told in batch if told.sentence is not None], now
        )


def _record(kind: GitKind, probe: GitProbe, system: System, k: int) -> dict[str, Any]:
    started = time.perf_counter()
    found = system.ask(probe.question, k, as_of=probe.as_of, key=probe.key)
    texts = [Dated.undated(passage.text) for passage in found]
    milliseconds = (time.perf_counter() - started) * 1000
    own = [text for text in texts if text in probe.wrong or text in (probe.truth, probe.ended)]
    return {
        **_named(kind, probe, system.name),
        "hit": None if probe.truth is None else probe.truth in texts,
        "hit_at_1": None if probe.truth is None else texts[:1] == [probe.truth],
        "exposed": not probe.wrong.isdisjoint(texts),
        "told_ended": (not own or own[0] == probe.ended) if probe.truth is None else None,
        "versions": probe.versions,
        "repo": probe.repo,
        "ms": round(milliseconds, 2),
    }


def _named(kind: GitKind, probe: GitProbe, system: str) -> dict[str, Any]:
    when = None if probe.as_of is None else probe.as_of.isoformat()
    named = {"condition": system, "kind": kind.kind, "probe": probe.probe, "key": probe.key}
    return {"type": "git", **named, "as_of": when}


def _batches(assertions: Sequence[GitAssertion]) -> Iterator[list[GitAssertion]]:
    """Yield assertions in batches, and each ending by itself, in order."""
    for ending, run in groupby(assertions, key=lambda assertion: assertion.sentence is None):
        members = list(run)
        size = 1 if ending else _BATCH
        yield from (members[first : first + size] for first in range(0, len(members), size))
