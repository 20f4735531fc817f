"""A process that opens a collection and does what it is told, one JSON line each way."""

import gc
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from memstrata_integrations.chroma import state as _state
from memstrata_integrations.chroma.collection import TemporalCollection
from memstrata_integrations.errors import StoreLockedError
from tests.stateful.opening import store_at
from tests.stateful.toy import read, write


def fork(store: TemporalCollection) -> dict[str, Any]:
    """Let a forked child try to take the lock."""
    child = os.fork()
    if child == 0:
        status = 2
        try:
            _state.shared_state(store.session.collection).open_for_writing(store.session.collection._client)
            status = 0
        except StoreLockedError:
            status = 1
        finally:
            gc.collect()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return {"child": ("locked", "refused", "failed")[os.waitstatus_to_exitcode(status)]}


COMMANDS: dict[str, Callable[..., dict[str, Any]]] = {
    "write": lambda store, texts: {"ids": list(write(store, **texts).ids)},
    "read": read,
    "verify": lambda store: {"found": store.verify()},
    "fork": fork,
}


def main(where: str, place: str) -> None:
    store = store_at(where, **json.loads(place))
    print(json.dumps({"opened": True}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        try:
            found = COMMANDS[command.pop("do")](store, **command)
        except Exception as error:
            found = {"error": type(error).__name__, "message": str(error)}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
