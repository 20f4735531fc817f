"""Knowledge that changes, told in short stories, each through all three doors: what is served, then and now."""

import json
from itertools import groupby, permutations
from typing import Any

import pytest

from memstrata_integrations import Fact, as_of
from tests.shared_data import ROOT

from .doors import KINDS, Door
from .llama import NOISE, A, B, C
from .stories import (
    ANYTHING,
    Step,
    at,
    delete,
    go_through,
    keeps,
    note,
    put,
    refuses,
    retract,
    serves,
    state,
    unchanged,
    undo,
)

TIMEOUT = "The API timeout is 30 seconds."
REMARK = "A plain remark."
PAGE = {"source": "page.md"}
ON_80, ON_81, ASK = "The Harbor API listens on port 80.", "The Harbor API listens on port 81.", "Ask Ann."
OF_80, NOT_80 = {"$contains": "port 80"}, {"$not_contains": "port 80"}
BRILL, CORE, LEFT = "Ada works for Brill.", "Ada works for Core.", "Ada no longer works for Brill."
ENDING = [
    put(BRILL, ids=["brill"], valid_from="2024-02-01"), put(LEFT, ids=["left"], valid_from="2024-06-01"),
    put(CORE, ids=["core"], valid_from="2024-04-01"), put("Ada works for Dorn.", ids=["dorn"], valid_from="2024-01-01"),
]  # fmt: skip
TWELVE = json.loads((ROOT / "eval" / "benchmarks" / "published_twelve.json").read_text(encoding="utf-8"))
HEARD: list[Any] = []
RUI, ANA = "The manager is Rui.", "The manager is Ana."
RAISED = "The retry limit of the Lomond gateway was raised from 5 to 8."
EVERYTHING = "memstrata-write-0-9000000000000000000"
SET, UNSET = "The billing API port is", "The billing API port is no longer set."


def delete_text(clause: dict[str, Any], gone: int) -> Step:
    """Delete by a condition on the text, which reaches so many texts, whatever moment is asked about around it."""

    def call(d: Door) -> Any:
        with as_of("2024-06-05"):
            return d.collection.delete(where_document=clause)

    return call, {"deleted": gone}


def update(row_id: str, text: str, **how: Any) -> Step:
    return lambda d: d.collection.update([row_id], documents=[text], **how), ANYTHING


def again(told: str, source: dict[str, Any]) -> list[Step]:
    """Write (+) and delete (-) the sentences a and b under their ids, one a day."""
    steps = []
    for day, (sign, name) in enumerate(told.split(), start=2):
        write = put({"a": A, "b": B}[name], ids=[name], metadatas=[source])
        steps += [at(f"2024-06-{day:02}T00:00:00"), write if sign == "+" else delete(name)]
    return steps


def purge(row_id: str) -> Step:
    return lambda d: d.store.purge([row_id]), ANYTHING


def undo_part(tenant: str) -> Step:
    """Take back what lies in a scope of the write that was noted."""
    return lambda d: d.store.undo(d.noted["write"].id, scope={"env": tenant}), ANYTHING


REDACTED = [put(f"{ON_80} {ASK}", ids=["page"]), at("2024-06-10T00:00:00"), put(ON_81, ids=["new"])]
IN_PROD, IN_STAGING = {"where": {"env": "prod"}}, {"where": {"env": "staging"}}
SCOPED = put(A, B, metadatas=[{"env": "prod"}, {"env": "staging"}], ids=["prod", "staging"])
README = ["Version: 1.2.0\nPort: 8080\nLicense: MIT", "Version: 2.0.1\nPort: 9090\nLicense: Apache-2.0"]
APART = [
    ("The staging API port is 8080.", "The production API port is 9090."), (A, "Is the API port 9090?"),
    (A, "We plan to set the API port to 9090 next year."), (A, "If the API port is 9090, the proxy fails."),
    (A, "The API host is example.org."), ("Atlas depends on Redis.", "Atlas depends on Kafka."),
    ("Ann speaks French.", "Ann speaks Danish."), ("The API supports JSON.", "The API supports XML."),
    ("I think it rains too often.", "I think it rains too rarely."),
    ("The timeout is 30 seconds.", "The timeout is long."),
]  # fmt: skip

MINE = [f"My bleep is {n}." for n in (2210, 2214, 2215)]

STORIES: dict[str, list[Step]] = {
    "each past moment of A, B, A, A, B is still answered with what held then, and with what was known then": [
        *(step for n, text in enumerate([A, B, A, A, B], 2) for step in (at(f"2024-06-{n:02}T12:00:00"), put(text))),
        at("2024-07-01T00:00:00"),
        *(serves(*said, **{axis: f"2024-06-{day:02}T18:00:00"}) for axis in ("as_of", "known_at")
          for day, said in enumerate([[], [A], [B], [A], [A], [B], [B]], 1)),
        (lambda d: [v for v, _ in groupby(d.store.history(statement=A).values)], ["8080", "9090", "8080", "9090"]),
    ],
    "of contradicting sentences in one undated call the last one holds, whichever of them has metadata": [
        put(A, B), serves(B),
        put(B, A, metadatas=[{}, {"x": 1}]), serves(A),
        put(A, B, metadatas=[{"x": 1}, {}]), serves(B),
        put(C, A, B, metadatas=[{"x": 1}, {}, {"x": 2}]), serves(B),
    ],
    "`include_superseded=True` shows superseded rows to every reader, and a filter alone brings none back": [
        put(A, ids=["a"], metadatas=[{"rev": 1}]),
        put(B, ids=["b"], metadatas=[{"rev": 2}]),
        serves(A, B, include_superseded=True),
        serves(A, include_superseded=True, where={"rev": 1}),
        serves(where={"rev": 1}),
        (lambda d: d.texts("a", "b", include_superseded=True), {"a": A, "b": B}),
        (lambda d: d.texts("a", "b"), {"b": B}),
    ],
    "a read with k gives k live rows, however many superseded ones lie nearer": [
        put(*(f"The API port is {n}." for n in range(2000, 2150))),
        (lambda d: "The API port is 2149." in (found := d.search("The API port is 2050.", 4)) and len(found), 4),
    ],
    "a list gives each text its own date": [
        put(B, A, valid_from=["2022-01-01", "2020-01-01"]),
        serves(B), serves(A, as_of="2021-06-01"),
    ],
    "a text without any fact is served only within the dates that it was given": [
        put("Hello from the fair!", ids=["fair"], valid_from="2024-01-01", valid_to="2024-02-01"),
        (lambda d: d.texts("fair"), {}),
        (lambda d: d.texts("fair", as_of="2024-01-15"), {"fair": "Hello from the fair!"}),
        (lambda d: d.search("fair", 1, as_of="2024-01-15"), ["Hello from the fair!"]),
    ],
    "`history` and `retract` take the subject as a person writes it, without a relation; it ends from now on": [
        put(A, valid_from="2020-01-01"), put(B, valid_from="2021-01-01"),
        (lambda d: d.store.history("the API port").values, ["8080", "9090"]),
        (lambda d: d.store.history("the harbour port").values, []),
        retract("The API port"), serves(), serves(B, as_of="2022-01-01"),
    ],
    "`plan` names what a write would supersede, and writes nothing": [
        put(A), (lambda d: [(c.old, c.new) for c in d.store.plan([B, "Nets dry."])], [("8080", "9090")]),
        (lambda d: "8080" in str(d.store.plan([B])), True), keeps(A, include_superseded=True),
    ],
    **{f"a bare statement is superseded by a later one, {how}": [
        *(put(*part, metadatas=[place] * len(part), **dates) for part in parts), keeps(parts[-1][-1]),
    ] for how, parts, place, dates in (
        ("of the same place of a changed page", [[RUI], [ANA]], {"source": "branches.pdf", "page": 3}, {}),
        ("without a source, in the order of a call", [[RUI, ANA]], {}, {}),
        ("of what a user says, in the order of a call",
         [["I live in Porto.", "I live in Braga."]], {"user_id": "u"}, {}),
        ("dated, of one source", [["The port is 8080.", "The port is 9090."]], {"source": "ticket-7"},
         {"valid_from": ["2024-01-01", "2024-02-01"]}),
    )},
    **{f"what two sections of a page say of one name has no key: {later}": [
        put(A, B, metadatas=[{"source": "ops.md", "h2": h2} for h2 in ("Staging", "Production")]), keeps(A, B),
        put(C, metadatas=[{"source": later, "h2": "Test"}]), keeps(A, B, C),
    ] for later in ("ops.md", "other.md")},
    "equal statements of one page are no contradiction": [
        put(RUI, "As said: the manager is Rui.", "Rui is fine.", metadatas=[{"source": "a.md"}] * 3),
        put(ANA, metadatas=[{"source": "a.md"}]), (lambda d: [t in d.served() for t in (ANA, RUI)], [True, False]),
    ],
    "a sentence of ending ends what was set, of whatever kind, and is prose; told again it changes nothing": [
        put(f"{SET} 8080.", ids=["0"]), put(UNSET, ids=["1"]), keeps(UNSET), put(UNSET, ids=["1"]), keeps(UNSET),
    ],
    "a sentence of ending that names a value ends it, also told again, and nothing that comes later": [
        put(BRILL, ids=["a"], valid_from="2024-01-01"),
        *[put(LEFT, ids=["b"], valid_from="2024-02-01"), keeps(LEFT)] * 2,
        put(CORE, ids=["c"], valid_from="2024-03-01"), put(LEFT, ids=["b"], valid_from="2024-02-01"),
        keeps(CORE, LEFT), keeps(BRILL, as_of="2024-01-15"),
    ],
    "a sentence of ending counts what was valid at its own date": [
        put(CORE, valid_from="2024-03-01"), put(BRILL, valid_from="2024-01-01"), put(LEFT, valid_from="2024-02-01"),
        keeps(BRILL, as_of="2024-01-15"), keeps(LEFT, as_of="2024-02-15"), keeps(CORE, LEFT),
    ],
    "a sentence of ending ends nothing of another value alone": [
        put(CORE, valid_from="2024-01-01"), put(LEFT, valid_from="2024-02-01"), keeps(CORE, LEFT),
    ],
    **{f"an ending of one value leaves the others, whenever each was told: {order}": [
        *(ENDING[n] for n in order), keeps(CORE, LEFT),
    ] for order in permutations(range(4))},
    "an ending that is purged goes on ending: what was over does not come back, and what is told late stays": [
        *ENDING[:2], purge("left"), keeps(), ENDING[2], keeps(CORE),
    ],
    "an ending whose value is purged names nobody else, nor once it is purged itself": [
        *ENDING[:3], purge("brill"), keeps(CORE, LEFT), (lambda d: d.store.verify(), []), purge("left"), keeps(CORE),
    ],
    "an ending that is taken back never was": [*ENDING[:2], undo("left"), keeps(BRILL)],
    "the same ending again, undated and of what is over, is no news": [
        *ENDING[:3], (lambda d: d.noted.update(told=str(d.store.history("Ada"))), ANYTHING),
        *[put(LEFT, ids=["left"])] * 2, (lambda d: str(d.store.history("Ada")) == d.noted["told"], True),
        keeps(CORE, LEFT),
    ],
    "an ending ends a value that was stated outright, and leaves another": [
        state(Fact("Ada", "works for", "Brill", valid_from="2024-02-01")), put(LEFT, valid_from="2024-06-01"),
        keeps(LEFT), state(Fact("Ada", "works for", "Core", valid_from="2024-04-01")), keeps(LEFT, CORE),
    ],
    **{f"one text ends a value and states the next; without it, both sentences are gone: {both}": [
        ENDING[0], put(both, ids=["both"], valid_from="2024-06-01"), keeps(both),
        (lambda d: [e.object for e in d.store.history("Ada", "works for").at("2024-07-01")], ["Core"]),
        undo("both"), keeps(BRILL),
    ] for both in (f"{LEFT} {CORE}", f"{CORE} {LEFT}")},
    "a text that ends what it states says neither": [
        ENDING[0], put(f"{LEFT} {BRILL}", valid_from="2024-06-01"), keeps(BRILL, f"{LEFT} {BRILL}"),
    ],
    "of the published scenarios the later state is all that is served, and the earlier one in the past": [
        *(put(s[state], valid_from=day) for s in TWELVE
          for state, day in (("state_a", "2024-01-01"), ("state_b", "2024-06-01"))),
        (lambda d: {*d.served(as_of="2024-08-01")} - {*NOISE}, {s["state_b"] for s in TWELVE}),
        (lambda d: {*d.served(as_of="2024-03-01")} - {*NOISE}, {s["state_a"] for s in TWELVE}),
    ],
    "a span of all times undoes nothing, and is no document's id": [
        state(Fact("checkout", "timeout", "30 s")), refuses("nothing of write", lambda d: d.store.undo(EVERYTHING)),
        refuses("no write of document", lambda d: d.store.undo(f"memstrata-write-{'1' * 5000}-2")),
        refuses("this package's own", lambda d: d.tell("A text.", row_id=EVERYTHING)),
        keeps("The timeout of checkout is 30 s."),
    ],
    "a write of which some texts, the first and the last, changed nothing is undone by its id": [
        state(*(Fact(n, "is", 1) for n in "ac"), ids=["1", "3"]),
        state(*(Fact(n, "is", 1) for n in "abc"), ids=["1", "2", "3"]),
        (lambda d: d.store.undo(d.collection.last_changes.id), ANYTHING), (lambda d: len(d.served()), len(NOISE) + 2),
    ],
    "a write of which a part was undone is undone by its id": [
        state(*(Fact(n, "is", 1) for n in "ab"), ids=["1", "2"]), note("write"), undo("2"),
        (lambda d: d.store.undo(d.noted["write"].id), ANYTHING), keeps(),
    ],
    "a text told again after it was superseded stands though its first telling is taken back": [
        put(A, ids=["a"]), note("first"), put(B, ids=["b"]), put(A, ids=["a"]), undo("first"), keeps(A),
        undo("a"), keeps(B),
    ],
    "what was known of a version is known when it is undone, asked by id or by a filter": [
        put("The first wording.", ids=["b"], metadatas=[{"rev": 1}]),
        put("The second wording.", ids=["b"], metadatas=[{"rev": 2}]),
        at("2024-06-03T12:00:00"), undo("b"), keeps("The first wording."),
        *((lambda d, asked=asked: d.collection.get(**asked, known_at="2024-06-02")["documents"], told)  # type: ignore[misc]
          for asked, told in (({"ids": ["b"]}, ["The second wording."]), ({"where": {"rev": 1}}, []),
                              ({"where": {"rev": {"$lte": 2}}}, ["The second wording."]))),
    ],
    **{f"an update that tells nothing is not undone as the write before it: {ids}": [
        put(A, ids=["a"]), (lambda d, ids=ids, how=how: d.collection.update(ids, **how), ANYTHING),  # type: ignore[misc]
        refuses("nothing", lambda d: d.collection.undo(d.collection.last_changes)), keeps(A),
    ] for ids, how in ((["a"], {"metadatas": [{"page": 2}]}), (["b"], {"documents": ["Ask Ann."]}))},
    "an update may be dated: the new version holds from that date on": [
        put(A, ids=["page"], valid_from="2020-01-01"), update("page", B, valid_from="2022-01-01"),
        serves(B), serves(A, as_of="2021-01-01"),
    ],
    "a history prints the values of a fact in order, with their dates, ids and sentences": [
        put(A, ids=["first"], valid_from="2020-01-01"), put(B, ids=["second"], valid_from="2022-01-01"),
        (lambda d: [w in str(d.store.history(id="first")) for w in ("8080", "2020-01-01", "2022-01-01", "first", A)],
         [True] * 5),
        (lambda d: [(e.id, e.status) for e in d.store.history("API port")],
         [("first", "superseded"), ("second", "current")]),
        (lambda d: [e.id for e in d.store.history("API port").at("2021-01-01")], ["first"]),
        (lambda d: [e.id for e in d.store.history("API port").current], ["second"]),
    ],
    "`explain` names the sentence and the value that a text replaced": [
        put(A, ids=["a"]), put(B, ids=["b"]),
        (lambda d: [part in str(d.store.explain("b")) for part in (B, "8080")], [True, True]),
    ],
    "`explain` tells what is not compared and why, ten of them, and nothing of what is over": [
        *(put(f"# Billing\n\n- Region: eu-{n}\n- Replicas: {n}", ids=[f"{n}"],
              metadatas=[{"source": "a.md" if n == 13 else "b.md"}], valid_to="2025-02-01" if n == 4 else None)
          for n in range(3, 14)), at("2025-03-01"),
        (lambda d: [w.split("says ")[1] for w in d.store.explain("3").apart if "5 says" in w or "13 says" in w],
         [f"{value}, {why}" for n, why in (
             (5, "under other titles, or beside other fields or names"), (13, "of another source"))
          for value in (f"'eu-{n}'", f"'{n}'")]),
        (lambda d: [str(d.store.explain("3")).count(w) for w in ("not compared:", "8 more not compared", "'4'")],
         [10, 1, 0]),
    ],
    "a change acts on the one key that it names, on the old value alone, and stays as prose": [
        put("The retry limit of the Lomond gateway is 5.", ids=["stated"]), put(RAISED, ids=["moved"]), keeps(RAISED),
        (lambda d: "tells a change, retry limit of the Lomond gateway" in str(d.store.explain("moved")), True),
        (lambda d: [str(d.store.explain("moved")).count(w) for w in ("was raised from 5 to 8", "states")], [1, 0]),
    ],
    "deletion by text leaves a page of which that text was taken out": [
        *REDACTED, delete_text(OF_80, 0), keeps(ASK, ON_81), delete_text({"$contains": "Ask"}, 1), keeps(ON_81),
    ],
    "deletion by text reaches superseded rows": [
        put(ON_80), at("2024-06-10T00:00:00"), put(ON_81), delete_text(OF_80, 1),
        keeps(ON_81), keeps(ON_81, include_superseded=True),
    ],
    "deletion by text leaves a page whose earlier version alone has it, and reaches all versions of one that ended": [
        put(f"{ON_80} {ASK}", ids=["page"]), at("2024-06-10T00:00:00"), put(f"{ON_81} {ASK}", ids=["page"]),
        delete_text(OF_80, 0), keeps(f"{ON_81} {ASK}"),
        retract("Harbor API"), keeps(ASK), delete_text(OF_80, 0),
        at("2024-06-20T00:00:00"), put(ON_81, ids=["page"]), at("2024-06-21T00:00:00"),
        retract("Harbor API"), keeps(), delete_text({"$contains": "Ask"}, 1),
        keeps(include_superseded=True),
    ],
    "deletion by what a text does not say counts what is shown": [
        *REDACTED, delete_text({"$and": [NOT_80, {"$contains": "Ask"}]}, 1), keeps(ON_81),
    ],
    **{f"bare fields of two sources never touch: {field}": [
        put(*README, metadatas=[{field: "a/README.md"}, {field: "b/README.md"}], ids=["a", "b"]), keeps(*README),
    ] for field in ("source", "file_path", "url", "path", "file_name", "title", "user_id", "session_id")},
    **{f"who speaks is who I am: {field}": [
        put(*MINE[:2], metadatas=[{"source": "chat", field: "Ann"}, {"source": "chat", field: "Bo"}]), keeps(*MINE[:2]),
        put(MINE[2], metadatas=[{"source": "chat", field: "Bo"}]), keeps(MINE[0], MINE[2]),
        (lambda d, who={"source": "chat", field: "Ann"}: d.store.retract("My bleep", "is", scope=who), ANYTHING),
        keeps(MINE[2]),
    ] for field in ("author", "role")},
    **{f"other qualifiers, questions, plans, conditions, sets and opinions retire nothing: {pair[1]}": [
        put(*pair, ids=["1", "2"]), keeps(*pair), delete("1", "2"), put(*pair[::-1], ids=["3", "4"]), keeps(*pair),
    ] for pair in APART},
}  # fmt: skip

OPTIONED: dict[str, tuple[dict[str, Any], list[Step]]] = {
    "dates are read from the metadata fields that the store names, which stay": (
        {"valid_from_field": "since", "valid_to_field": "until"}, [
        put(B, A, REMARK, metadatas=[{"since": "2022-01-01"}, {"since": "2020-01-01", "until": "2021-01-01"}, {}]),
        serves(B), serves(A, as_of="2020-06-01"), serves(as_of="2021-06-01"), serves(B, where={"since": "2022-01-01"}),
    ]),
    "a `valid_from` given in the call goes before the one in the metadata": ({"valid_from_field": "since"}, [
        put(A, metadatas=[{"since": "2020-01-01"}], valid_from="2022-01-01"),
        serves(as_of="2021-01-01"), serves(A, as_of="2022-06-01"),
    ]),
    "another tenant's write, named by its id, is taken back in that tenant's scope alone": ({"scope": ("env",)}, [
        SCOPED, note("write"), refuses("undo needs scope", lambda d: d.store.undo(d.noted["write"].id)),
        refuses("nothing of write", undo_part("test")[0]),
        serves(B, **IN_STAGING), undo("write"), serves(**IN_PROD), serves(**IN_STAGING),
    ]),
    "each tenant takes back its part of a write of several, whoever wrote first or last in it": ({"scope": ("env",)}, [
        put(A, B, TIMEOUT, metadatas=[{"env": e} for e in ("prod", "staging", "prod")]), note("write"),
        undo_part("staging"), keeps(A, TIMEOUT, **IN_PROD), keeps(**IN_STAGING),
        refuses("was undone already", undo_part("staging")[0]), undo_part("prod"), keeps(**IN_PROD),
    ]),
    "a document is not undone in another scope": ({"scope": ("env",)}, [
        put(A, ids=["1"], metadatas=[{"env": "prod"}]), put(B, ids=["2"], metadatas=[{"env": "prod"}]),
        *(refuses("no write of document", lambda d, e=e: d.store.undo("2", scope={"env": e}))  # type: ignore[misc]
          for e in ("staging", "nobody")),
        keeps(B, **IN_PROD), undo("2", scope={"env": "prod"}), keeps(A, **IN_PROD),
    ]),
    **{f"what was deleted while superseded can be stated again: {how}, {source}, {told}": ({"on_delete": how}, [
        *again(told, source),
        # where history is kept and nothing tells that both are of one source, what comes back while another one's
        # statement stands against it says what it said, and no later (rule 15)
        serves(*([A] if how == "purge" or source or not told.startswith("+a +b -a +a") else
                 [] if told.endswith("-b") else [B])),
    ]) for how in ("purge", "retire") for source in ({}, {"source": "ops.md"}) for told in (
        "+a +b -a +a", "+a +b -a +a -b", "+a -a +b -b +a", "+a +b -a -b +a", "+a +b -b -a +a -a +a")},
    "a page that is deleted with its history kept, and split anew, is no newer": ({"on_delete": "retire"}, [
        put(ON_80, ids=["a"], metadatas=[{"source": "ops.md"}]), at("2024-06-05T00:00:00"),
        put(ON_81, metadatas=[{"source": "news.md"}]), delete("a"), at("2024-06-20T00:00:00"),
        put(ON_80, ids=["a2"], metadatas=[{"source": "ops.md"}]), keeps(ON_81),
    ]),
    **{f"what is written after a deletion goes on beyond versions that were to come: {n}": ({"on_delete": "retire"}, [
        put(B, ids=["a"], valid_from="2024-01-01"), put(A, ids=["a"], valid_from="2090-01-01"),
        at("2024-06-05T00:00:00"), delete("a"), (lambda d: d.noted.update(gone=d.collection.last_changes), None),
        keeps(as_of="2091-01-01"), at("2024-06-06T00:00:00"), put(text, ids=["a"], **dates), keeps(text),
        keeps(*beyond, as_of="2091-01-01"), keeps(B, as_of="2024-06-01"),
        (lambda d: d.store.undo(d.noted["gone"]), ANYTHING), keeps(text), keeps(A, as_of="2091-01-01"), undo("a"),
        keeps(B), keeps(A, as_of="2091-01-01"),
    ]) for n, (text, dates, beyond) in enumerate([
        (A, {}, [A]), (B, {}, [B]), (ON_81, {}, [ON_81]), (ASK, {"valid_from": "2024-06-06"}, [ASK]),
        (ASK, {"valid_to": "2085-01-01"}, []), (A, {"valid_to": "2085-01-01"}, []),
    ])},
    **{f"what was announced and is deleted before it comes closes nothing: {how}": ({"on_delete": how}, [
        put(A, ids=["a"], valid_from="2024-01-01"), put(B, ids=["b"], valid_from="2024-07-01"), delete("b"),
        *(keeps(A, as_of=day) for day in ("2024-06-15", "2024-07-02")), (lambda d: d.store.verify(), []),
        *([undo(), keeps(B, as_of="2024-07-02"), delete("b")] if how == "retire" else []),
        put(B, ids=["b"], valid_from="2024-07-01"), keeps(B, as_of="2024-07-02"), keeps(A), note("told"),
        put(B, ids=["b"], valid_from="2024-07-01"), undo("told"), keeps(A, as_of="2024-07-02"),
    ]) for how in ("purge", "retire")},
    "a piece that is told again alone, without the title that a splitter left before it, is no news": ({}, [
        put("# Kite\n\nIt is a bird.", "The port is 80.", ids=["1", "2"], metadatas=[PAGE] * 2), at("2024-06-02"),
        unchanged(put("The port is 80.", ids=["2"], metadatas=[PAGE])),
        (lambda d: d.collection.update(ids=["2"], metadatas=[PAGE]), ANYTHING),
        put("# Tern\n\nIt is a bird.", "The port is 81.", metadatas=[PAGE] * 2), at("2024-06-03"),
        put("# Kite\n\nIt is a bird too.", "The port is 82.", metadatas=[PAGE] * 2),
        (lambda d: sorted(t for t in d.served() if "port is" in t), ["The port is 81.", "The port is 82."]),
    ]),
    **{f"a filter deletes a document by its newest version alone: {how}": ({"on_delete": how}, [
        put(ASK, ids=["page"], metadatas=[{"status": "draft"}]), put(A, ids=["page"], metadatas=[{"status": "final"}]),
        (lambda d: d.collection.delete(where={"status": "draft"}), {"deleted": 0}), keeps(A),
        (lambda d, how=how: ASK in d.served(include_superseded=True), how == "retire"),  # type: ignore[misc]
        (lambda d: d.store.verify(), []),
        (lambda d: d.collection.delete(where={"status": "final"}), {"deleted": 1}), keeps(),
    ]) for how in ("purge", "retire")},
    "what is told again after a withdrawn announcement is no newer on its day": ({"on_delete": "retire"}, [
        put(A, ids=["a"], valid_from="2023-01-01"), put(B, ids=["b"], valid_from="2023-06-01"),
        put(ON_81, ids=["a"], valid_from="2090-01-01"), delete("a"), put(A, ids=["a"], valid_from="2023-01-01"),
        keeps(B), keeps(B, as_of="2091-01-01"), (lambda d: d.store.verify(), []),
    ]),
    "of what is told after a withdrawn announcement the newest goes on beyond it": ({"on_delete": "retire"}, [
        put(A, ids=["a"], valid_from="2090-01-01"), delete("a"), put(B, ids=["a"]),
        put(ON_81, ids=["a"], valid_from="2023-05-01"), keeps(B), keeps(B, as_of="2091-01-01"),
        (lambda d: d.store.verify(), []),
    ]),
    "a deletion stands when what outlasted it late is taken back, whatever came since": ({"on_delete": "retire"}, [
        put(ASK, ids=["a"], valid_from="2024-01-01"), at("2024-06-05"), delete("a"), at("2024-06-07"),
        put(A, ids=["a"], valid_from="2024-06-06"), note("new"), put(B, ids=["a"], valid_from="2024-06-03"), undo(),
        keeps(as_of="2024-06-05T12:00"), undo("new"), keeps(),
    ]),
    "what is told after a withdrawn announcement goes on beyond it": ({"on_delete": "retire"}, [
        put(ASK, ids=["a"], valid_from="2024-01-01"), put(A, ids=["a"], valid_from="2024-07-01"), delete("a"),
        put(ASK, ids=["a"], valid_from="2024-01-01"), at("2024-06-05"), put(B, ids=["a"], valid_from="2024-06-05"),
        keeps(B), keeps(B, as_of="2024-07-02"),
    ]),
    **{f"what is written again after a deletion, with a date before it, goes on: {text}, {begun}": (
        {"on_delete": "retire"}, [
        put(f"{A} {ASK}", ids=["a"], valid_from="2024-01-01"), put(B, valid_from="2024-03-01"),
        at("2024-06-05T00:00:00"), delete("a"), note("gone"), at("2024-06-06T00:00:00"),
        put(text, ids=["a"], valid_from=begun), keeps(*now), keeps(*now, as_of="2024-06-05T12:00"),
        keeps(B, known_at="2024-06-05T12:00"), undo(), keeps(B), undo("gone"), keeps(ASK, B),
    ]) for text, begun, now in (
        (f"{A} {ASK}", "2024-01-01", [ASK, B]), (f"{A} {ASK}", "2023-01-01", [ASK, B]), (ASK, "2024-02-01", [ASK, B]),
        (f"{A} {ASK}", "2024-05-01", [f"{A} {ASK}"]), (ON_81, "2024-05-01", [ON_81, B]))},
    **{f"updating a deleted id changes nothing, as updating any that doesn't exist: {how}": ({"on_delete": how}, [
        put(A, REMARK, ids=["a", "remark"]), at("2024-06-02T00:00:00"), delete("a", "remark"),
        at("2024-06-03T00:00:00"), update("a", B), update("remark", "Another."), keeps(), serves(),
    ]) for how in ("purge", "retire")},
    "an ending that was taken back is not dropped from what was known before": ({"stale": "drop"}, [
        put(BRILL, ids=["job"]), at("2024-06-02T00:00:00"), put(LEFT, ids=["end"]), keeps(LEFT),
        at("2024-06-03T00:00:00"), undo("end"), put("Ada works for Brill still."),
        keeps(LEFT, known_at="2024-06-02T12:00"),
    ]),
    **{f"what is left of a text that is over is a version of its own, since nobody is shown it: {how}": (
        {"on_delete": "retire"}, [
        put(f"{ON_80} {ASK}", ids=["page"], valid_from="2024-01-01", **dates), at("2024-07-01T00:00:00"), *over,
        keeps(), put(ASK, ids=["page"]), keeps(ASK),
    ]) for how, dates, over in (
        ("bounded", {"valid_to": "2024-06-05"}, []), ("undone", {}, [undo("page")]),
        ("retired", {}, [delete("page")]))},
    "`on_change` hears of each write that superseded something, and of what": ({"on_change": HEARD.append}, [
        (lambda d: HEARD.clear(), ANYTHING), put(A), put(B), (lambda d: "8080" in str(HEARD[-1]), True),
    ]),
    **{f"deletion by text ends what is shown and has it, and leaves what has it no more: {how}": ({"on_delete": how}, [
        *REDACTED, delete_text(OF_80, 0), keeps(ASK, ON_81), delete_text({"$contains": "port 81"}, 1), keeps(ASK),
        delete_text({"$not_regex": "port"}, 1), keeps(),
    ]) for how in ("purge", "retire")},
    "`history` and `retract` act within the scope that they name": ({"scope": ("env",)}, [
        SCOPED, (lambda d: d.store.history("API port", scope={"env": "prod"}).values, ["8080"]),
        retract("API port", scope={"env": "prod"}), serves(**IN_PROD), serves(B, **IN_STAGING),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("story", STORIES)
def test_a_story_is_served_as_it_went(kind: str, story: str) -> None:
    """Some prose that has nothing to do with the facts lies beside them."""
    door = Door(kind, now="2024-06-01T12:00:00")
    door.write(*NOISE)
    go_through(door, [*STORIES[story], (lambda d: d.store.verify(), [])])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("story", OPTIONED)
def test_a_story_in_a_store_with_options(kind: str, story: str) -> None:
    options, steps = OPTIONED[story]
    go_through(Door(kind, now="2024-06-01T12:00:00", **options), steps)
