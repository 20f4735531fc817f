"""A campaign of kills: ``python -m tests.faults.kills --times 200 --seed 1 [--server]``.

A worker process goes through a fixed sequence of operations (writes, versions, `sync`, `retract`, `undo`, `delete`,
`purge`, `adopt`, `verify(repair=True)`, `compact`) on a collection whose index Chroma persists every few rows, says
after each that it is acknowledged, and is killed at a random moment; with ``--server`` it is the worker or `chroma run`
itself, by turns. Then a fresh process must serve what the last acknowledged operation left, or the whole one under way
(of `adopt`, which goes on where it stopped, a part), by every way of reading; an index that Chroma left damaged is
repaired first, and counted. Without a server every third index is damaged for good measure, and its repair killed.
"""

import argparse
import itertools
import json
import random
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from memstrata_integrations import TemporalCollection, repair
from memstrata_integrations.chroma import compacting, rebuild, tombstones
from memstrata_integrations.errors import IndexDamagedError
from tests.conformance.servers import chroma_run
from tests.stateful.opening import in_memory, open_store, store_at
from tests.stateful.toy import read, vector

NAME = "killed"
OPERATIONS = 200
KINDS, ADOPT = 12, 9
MENDED = "repaired after a repair that was killed"
GOOD = ("as it was", "repaired", MENDED)
ANSWER_LIMIT_S = 120
State = dict[str, Any]
tombstones._COST["n"] = 2  # what a digest costs is no part of this


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Return the vectors of texts, ``(n, 4)``."""
    return [vector(t) for t in texts]


def operate(store: TemporalCollection, n: int) -> None:
    """Do the n-th operation; which one, and on what, depends on n alone."""
    round_, kind = divmod(n, KINDS)
    if kind in (0, 4):
        texts = [f"k{i}=r{n}" for i in range(6)]
        store.write(texts, ids=[f"w{n}-{i}" for i in range(6)])
    elif kind == 1:
        store.write([f"page of round {round_}; p=v{n}", f"k0=x{n}; and prose {n}"], ids=["page", f"m{n}"])
    elif kind == 2:
        store.sync("manual", [f"s{i}=t{n % 3}" for i in range(4)] + [f"section {n}"])
    elif kind == 3:
        store.retract("k1")
    elif kind == 5:
        store.undo(f"w{n - 1}-2")
    elif kind == 6:
        store.delete(ids=[f"w{n - 2}-3", f"w{n - 6}-4"])
    elif kind == 7:
        store.purge([f"w{n - 3}-5"], tombstone=True)
    elif kind == 8:  # by other code
        texts = [f"a{i // 2}=s{n}-{i}" for i in range(6)]
        dates = [{"day": f"{1900 + round_}-01-0{i + 1}"} for i in range(6)]
        ids = [f"s{n}-{i}" for i in range(6)]
        store.session.collection.add(ids=ids, documents=texts, metadatas=dates, embeddings=embed(texts))
    elif kind == ADOPT:
        with mock.patch.object(store.session.writer, "batch_limit", return_value=4):  # in three parts
            store.adopt("day", progress=False)
    elif kind == ADOPT + 1:
        store.verify(repair=True)
    else:
        store.compact()


def seen(store: TemporalCollection) -> State:
    """Return what is served, by every way of reading."""
    return {**read(store), "all": sorted(store.get(include_superseded=True)["documents"])}


def expected(operations: int) -> list[State]:
    """Return what is served after each number of operations, from a collection in memory that nobody kills."""
    store = open_store(in_memory(), embedding_function=embed)
    states = [seen(store)]
    for n in range(operations):
        operate(store, n)
        states.append(seen(store))
    return states


def opened(where: str) -> TemporalCollection:
    """Open the collection of a directory, or of a server at a port."""
    return store_at(where, NAME, 10, embedding_function=embed)


def work(where: str) -> None:
    """Operate until killed, and say what is acknowledged."""
    compacting.IN_FLIGHT = 0  # on a server `compact` leaves what ended within the last minute: all that there is
    store = opened(where)
    for n in range(OPERATIONS):
        operate(store, n)
        print(n, flush=True)


def mend(path: str) -> None:
    """Repair in pages of a few rows until killed, and say after each that it was embedded."""
    rebuild._PAGE = 4
    pages = itertools.count()

    def embed_page(texts: Sequence[str]) -> list[list[float]]:
        print(next(pages), flush=True)
        time.sleep(0.01)
        return embed(texts)

    repair(path, NAME, embed_page, progress=False)


def check(where: str, path: str, last: str) -> None:
    """Tell what a fresh process is served, what `verify` finds, and whether the index had to be repaired."""
    repaired = False
    try:
        found = seen(opened(where))
    except IndexDamagedError:
        if where.isdigit():
            raise
        repair(path, NAME, embed, progress=False)
        repaired, found = True, seen(opened(where))
    store = opened(where)
    store.write(["noise"], ids=["noise"])  # whoever writes next takes back what was cut off
    store.delete(ids=["noise"])
    if (int(last) + 1) % KINDS == ADOPT:
        store.adopt("day", progress=False)
    told = store.verify()
    if told and all("call it again" in line for line in told):
        told = store.verify(repair=True)  # a purge that was cut off before it had deleted all
    print(json.dumps({"seen": found, "after": seen(store), "verify": told, "repaired": repaired}))


JOBS = {"work": work, "mend": mend, "check": check}


def process(job: str, *arguments: str) -> list[str]:
    """Return the command of a process that does a job."""
    return [sys.executable, "-m", "tests.faults.kills", "--job", job, *arguments]


def trial(path: str, chance: random.Random, states: Sequence[State], *, served: bool) -> str:
    """Kill once; return what came of it: "as it was", "repaired", or what is wrong."""
    if not served:
        last = killed("work", path, chance)
        indexes = list(Path(path).glob("*/index_metadata.pickle")) if chance.random() < 1 / 3 else []
        for index in indexes:
            index.write_bytes(b"damaged")
        if indexes:
            killed("mend", path, chance)
        outcome = judged(path, path, last, states)
        return MENDED if indexes and outcome in GOOD else outcome
    with chroma_run(path) as (port, server):
        last = killed("work", str(port), chance, server if chance.random() < 0.5 else None)
        if server.poll() is None:
            return judged(str(port), path, last, states)
    try:
        with chroma_run(path) as (port, _):
            return judged(str(port), path, last, states)
    except RuntimeError:
        repair(path, NAME, embed, progress=False)
        with chroma_run(path) as (port, _):
            return judged(str(port), path, last, states).replace("as it was", "repaired")


def killed(job: str, where: str, chance: random.Random, instead: subprocess.Popen[bytes] | None = None) -> int:
    """Let a worker work, kill it (or the server) amid an operation, and return the last one acknowledged."""
    worker = subprocess.Popen(process(job, where), stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
    assert worker.stdout is not None
    wanted, last = chance.randrange(1, 40 if job == "work" else 12), -1
    while last < wanted:
        ready, _, _ = select.select([worker.stdout], [], [], ANSWER_LIMIT_S)
        line = worker.stdout.readline() if ready else ""
        if not line and job == "mend" and ready and worker.wait() == 0:
            break  # it came to its end
        if not line:
            worker.kill()
            raise AssertionError(f"the worker ended after operation {last}")
        last = int(line)
    time.sleep(chance.random() * 0.05)
    (instead or worker).kill()
    (instead or worker).wait()
    worker.wait(timeout=ANSWER_LIMIT_S)
    return max([last, *(int(line) for line in worker.stdout.read().split())])


def judged(where: str, path: str, last: int, states: Sequence[State]) -> str:
    """Compare what a fresh process is served with what may be."""
    command = process("check", where, path, str(last))
    done = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_LIMIT_S, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    found = json.loads(done.stdout.splitlines()[-1])
    for moment in ("seen", "after"):
        want = states[last + 1]
        in_part = (last + 1) % KINDS == ADOPT and adopted_in_part(found[moment], want, states[last + 2])
        if found[moment] not in (want, states[last + 2]) and not (in_part and moment == "seen"):
            wrong = [name for name in want if found[moment][name] != want[name]]
            return f"after operation {last}, {moment}: {wrong} {found[moment]} != {want}"
    if found["verify"]:
        return f"after operation {last}: verify finds {found['verify'][:3]}"
    return "repaired" if found["repaired"] else "as it was"


def adopted_in_part(found: State, before: State, after: State) -> bool:
    """Whether some rows of those that an adoption hides are served still, by every way of reading."""
    rows = found["get"]
    same = rows == found["query"] and len(rows) == found["count"]
    return same and set(after["get"]) <= set(rows) <= set(before["get"])


def campaign(times: int, seed: int, *, served: bool, operations: int = OPERATIONS) -> Counter[str]:
    """Kill `times` times, before so many operations are done, and return how often what came of it."""
    chance = random.Random(seed)
    states = expected(operations)
    outcomes: Counter[str] = Counter()
    for n in range(times):
        path = tempfile.mkdtemp()
        try:
            outcome = trial(path, chance, states, served=served)
        except RuntimeError as error:
            outcome = f"could not be read: {error}"
        outcomes[outcome] += 1
        if outcome in GOOD:
            shutil.rmtree(path)
        else:
            print(f"kill {n} of seed {seed}: {outcome} (kept in {path})", flush=True)
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", action="store_true", help="against `chroma run`, which is killed every other time")
    parser.add_argument("--job", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.job:
        job, *arguments = given.job
        JOBS[job](*arguments)
    else:
        for outcome, n in campaign(given.times, given.seed, served=given.server).most_common():
            print(f"{n:5} {outcome}")


if __name__ == "__main__":
    main()
