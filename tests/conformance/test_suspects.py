"""Pairs that look like an update and were not linked: told to whoever decides, and nothing is retired."""

from __future__ import annotations

from typing import Any

import pytest

from .doors import Door
from .stories import ANYTHING, Step, go_through, holds, keeps, put, refuses, supersede

OLD = "Grab the spare keys from Lena Brandt upstairs."
NEW = "Grab the spare keys from Omar Haddad upstairs."
OTHER = "Nets dry on the wall beside the church."
KEYS = "The spare keys upstairs: Omar has them, Lena Brandt moved."
NAMES = ["Ann Lee", "Bo Falk", "Cy Moss", "Di Roth"]
OF_A, OF_B = {"tenant": "a"}, {"tenant": "b"}
EITHER = (False, True)


def told(old: str = OLD, new: str = NEW) -> list[Step]:
    """Write two texts that nothing links, told two months apart, and another one; all are served."""
    return [
        *(put(text, ids=[i], valid_from=day) for i, text, day in (
            ("other", OTHER, "2024-01-01"), ("old", old, "2024-02-01"), ("new", new, "2024-04-01"))),
        holds({"old": old, "new": new, "other": OTHER}),
    ]  # fmt: skip


def suspects(*pairs: tuple[str, str], new: str | None = None, **how: Any) -> Step:
    """These pairs of ids are suspects, earlier and later; or those of which this is the later one."""
    return lambda d: [(p.old, p.new) for p in d.store.suspects(**how) if new in (None, p.new)], list(pairs)


def later(*ids: str, **how: Any) -> Step:
    return lambda d: [p.new for p in d.store.suspects(**how)], list(ids)


STORIES: dict[str, list[Step]] = {
    "another value in the same words: what differs is told, and why it was not linked; both are served": [
        *told(), suspects(("old", "new")),
        (lambda d: [(p.old_statement, p.new_statement, p.old_value, p.new_value, p.kind, p.why)
                    for p in d.store.suspects()],
         [(OLD, NEW, "Lena Brandt", "Omar Haddad", "name", "neither has a key")]),
        (lambda d: [w in str(d.store.suspects()[0]) for w in ("'Omar Haddad'", "2024-04-01")], [True, True]),
        keeps(OLD, NEW, OTHER),
    ],
    "accepting a pair retires the earlier one: it is listed no more, and the past has it": [
        *told(), supersede("old", "new"), keeps(NEW, OTHER), suspects(), keeps(OLD, OTHER, as_of="2024-03-01"),
    ],
    **{f"a dismissed pair is not shown until a text is another, {'wide' * wide}": [
        *told(), (lambda d: d.store.dismiss("old", "new"), ANYTHING), suspects(new="new", wide=wide),
        put("Grab the spare keys from Ines Duarte upstairs.", ids=["new"], valid_from="2024-05-01"),
        suspects(("old", "new"), new="new", wide=wide), refuses("nobody", lambda d: d.store.dismiss("old", "nobody")),
    ] for wide in EITHER},
    **{f"{why} are too little to show it to a person": [*told(*pair), suspects()] for why, pair in {
        "the same values": (OLD, OLD.replace("upstairs", "downstairs")),
        "other words": (OLD, "Omar Haddad waters the garden on most days."),
        "two kinds of values": ("Grab the keys from Lena Brandt at 8:30.", "Grab the keys from Omar Haddad at 9:15."),
    }.items()},
    "what is kept apart by its source says so: there the way out is a policy, or a source": [
        *(put(f"The port is 8{n}.", metadatas=[{"source": f"{n}.md"}], valid_from=f"2024-0{n}-01") for n in (1, 2)),
        (lambda d: [p.why.partition(",")[0] for p in d.store.suspects()], ["they are kept apart by their sources"]),
    ],
    "the newest come first, no more than `k`, of the newest texts that it shall `look_at`": [
        *(put(OLD.replace("Lena Brandt", name), ids=[name], valid_from=f"2024-0{n}-01")
          for n, name in enumerate(NAMES, 1)),
        later(*["Di Roth"] * 3, *["Cy Moss"] * 2, "Bo Falk"), later(*["Di Roth"] * 2, k=2),
        later(*["Di Roth"] * 3, look_at=1), later("Di Roth", "Cy Moss", "Bo Falk", wide=True),
    ],
    "other words for a fact are found wide: of both texts the statements that share most words": [
        *told(f"{OLD} Rain is likely.", KEYS), suspects(), suspects(("old", "new"), new="new", wide=True),
        (lambda d: [(p.old_statement, p.old_value, p.kind, "is near old" in str(p)) for p in d.store.suspects(wide=True)
                    if p.new == "new"], [(OLD, "", "", True)]),
        suspects(new="other", wide=True),
    ],
    **{f"what says the same is no suspect, {'wide' * wide}": [
        *told(OTHER.replace("Nets", "Clothes"), OTHER), suspects(new="new", wide=wide),
    ] for wide in EITHER},
}  # fmt: skip
SCOPED: dict[str, list[Step]] = {
    "of two tenants nothing is compared, and each is told of its own": [
        *(put(text, ids=[f"{tenant['tenant']}-{n}"], metadatas=[tenant], valid_from=f"2024-0{n + 1}-01")
          for n, (tenant, text) in enumerate([(OF_A, OLD), (OF_B, NEW), (OF_B, OLD)])),
        *(suspects(scope=OF_A, wide=wide) for wide in EITHER),
        *(suspects(("b-1", "b-2"), scope=OF_B, wide=wide) for wide in EITHER),
        refuses("tenant", lambda d: d.store.suspects()),
    ],
    "however many texts of another tenant, and earlier versions of its own, are nearer, a pair is found": [
        put(OLD, ids=["old"], metadatas=[OF_A], valid_from="2023-01-01"),
        *(step for n in range(12) for step in (
            put(f"{NEW} {n}", ids=["new"], metadatas=[OF_A], valid_from=f"2024-01-{n + 1:02}"),
            put(f"{NEW} {n}", metadatas=[OF_B], valid_from="2024-01-01"))),
        suspects(("old", "new"), scope=OF_A, wide=True),
    ],
}  # fmt: skip


@pytest.mark.parametrize("story", [*STORIES, *SCOPED])
def test_what_looks_like_an_update_is_told(story: str) -> None:
    options = {"scope": ("tenant",)} if story in SCOPED else {}
    go_through(Door("langchain", **options), {**STORIES, **SCOPED}[story])
