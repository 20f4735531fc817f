"""Facts stated outright: `facts=`, `add_facts`, records, `supersedes=`; in both doors and the collection.

And pairs that look like an update: told to whoever decides, and nothing is retired.
"""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.ledger.facts import Fact

from .doors import KINDS, Door
from .stories import ANYTHING, Step, at, each_day, go_through, keeps, note, put, refuses, retract, state, undo, values

DAYS = [f"2024-{month:02}-01" for month in range(1, 13)]
ANN, BO, CY, DAN = "Ask Ann about invoices.", "Bo answers what concerns invoices.", "Ask Cy about invoices.", "Ask Dan."
CHECKOUT = "Checkout listens on port 80."
PATIENCE = "Checkout gives up after 30 s."
SVC, SVC_TIMEOUT = "Svc-3 times out after 10 s. Ann owns svc-3.", "Svc-3 times out after 10 s."
SEVERAL = [
    *("allergic to", "children", "languages", "hobbies", "medication", "works on", "requires", "is allergic to"),
    *("allergic_to", "has visited", "programming languages", "email addresses", "is a fan of", "has pet"),
]
BOTH_WAYS = (False, True)


def harbor(port: int) -> str:
    return f"The Harbor API listens on port {port}."


def timeout(value: str) -> str:
    return f"The timeout of checkout is {value}."


def replaces(old: str, text: str, *, later: bool, **how: Any) -> list[Step]:
    """A text takes the place of a stored one: it says so itself, or that is said later; both answer alike."""
    if later:
        return [put(text, ids=["new"], **how), (lambda d: d.store.supersede(old, "new"), ANYTHING)]
    return [put(text, ids=["new"], supersedes=[old], **how)]


STORIES: dict[str, list[Step]] = {
    "a stated fact takes the place of the earlier one; dates, endings and the past hold as for any other": [
        put("Checkout times out after 30 s.", facts=[Fact("checkout", "timeout", "30 s")], valid_from="2024-03-01"),
        state(Fact("checkout", "timeout", "45 s", valid_from="2024-06-01"), Fact("checkout", "owner", "Ann")),
        keeps("The owner of checkout is Ann.", timeout("45 s")),
        keeps("Checkout times out after 30 s.", as_of="2024-04-01"),
        at("2025-02-01"), state(Fact("checkout", "owner", None)), keeps(timeout("45 s")),
        values(["30 s", "45 s"], "checkout", "timeout"), values(["Ann"], "checkout owner"),
    ],
    "a sentence and a stated fact have one key, whichever comes first": [
        put("The billing API listens on port 8080.", valid_from="2024-01-01"),
        state(Fact("billing API", "port", 9090, valid_from="2024-02-01")), keeps("The port of billing API is 9090."),
        put("The billing API listens on port 7070.", valid_from="2024-03-01"),
        put("The port of the billing API is 6060.", valid_from="2023-01-01"),
        keeps("The port of the billing API is 6060.", as_of="2023-06-01"),
        keeps("The billing API listens on port 7070."),
    ],
    **{f"a text has one date: a fact without a date does not take that of its neighbour: {dates}": [
        refuses("date a text of its own", lambda d, dates=dates: d.tell(SVC, facts=[  # type: ignore[misc]
            Fact("svc-3", "timeout", "10 s", statement=SVC_TIMEOUT),
            Fact("svc-3", "owner", "Ann", valid_from="2024-05-01"),
        ], **dates)),
    ] for dates in ({}, {"valid_from": "2024-01-01"})},
    "a fact with its statement covers that alone; the rest of the text is read and served": [
        put(f"{PATIENCE} {harbor(8080)} Ask Ann.", facts=[[Fact("checkout", "patience", "30 s", statement=PATIENCE)]]),
        state(Fact("checkout", "patience", "60 s")),
        keeps(f"{harbor(8080)} Ask Ann.", "The patience of checkout is 60 s."),
        put(harbor(9090)), keeps("Ask Ann.", harbor(9090), "The patience of checkout is 60 s."),
    ],
    "a text takes the place of another by its word, whatever both say, and undo takes it back": [
        put(ANN, ids=["old"]), at("2025-01-02"), put(BO, supersedes=["old"]), keeps(BO),
        keeps(ANN, as_of="2025-01-01T12:00:00"),
        (lambda d: [c.kind for c in d.collection.last_changes or ()], ["superseded"]), undo(), keeps(ANN),
        (lambda d: [(c.kind, c.old) for c in d.collection.last_changes or ()], [("restored", ANN)]),
    ],
    "undo of a version tells which text is served again": [
        put(ANN, ids=["a"]), put(BO, ids=["a"]), (lambda d: d.store.undo("a"), ANYTHING), keeps(ANN),
        (lambda d: [(c.kind, c.old, c.row_id) for c in d.collection.last_changes or ()], [("restored", ANN, "a")]),
    ],
    "`explain` names what took the place of a text by its word, and whose place a text took, until that is undone": [
        put(ANN, ids=["old"]), put(CY, ids=["other"]), at("2025-01-02"), put(BO, ids=["new"], supersedes=["old"]),
        (lambda d: [(e.by, e.instead_of) for e in map(d.store.explain, ("old", "new", "other"))],
         [(("new",), ()), ((), ("old",)), ((), ())]),
        (lambda d: ["taken by new" in str(d.store.explain("old")), "nothing supersedes" in str(d.store.explain("old"))],
         [True, False]),
        (lambda d: "took the place of old" in str(d.store.explain("new")), True),
        undo(), (lambda d: [d.store.explain("old").by, d.store.explain("other").instead_of], [(), ()]),
    ],
    "of two stored texts one can be said to have taken the place of the other, and undo takes that back": [
        put(ANN, ids=["old"]), at("2025-01-02"), *replaces("old", BO, later=True),
        keeps(BO), undo(), keeps(ANN, BO),
    ],
    **{f"what takes a place begins where the other ends, {'later' * later}, {told}, {dates}": [
        put(ANN, ids=["old"]), at("2025-01-05"), *replaces("old", told, later=later, **dates), at("2025-01-06"),
        *each_day(ANN, days="2024-12-01 2025-01-02"), keeps(told if dates else ANN, as_of="2025-01-04"),
        *each_day(told, days="2025-01-05T12:00:00 2025-01-06"),
    ] for later in BOTH_WAYS for told in (BO, f"{CHECKOUT} {BO}") for dates in ({}, {"valid_from": "2025-01-03"})},
    **{f"what takes a place for a while gives it back at its end, {'later' * later}": [
        put(f"{ANN} {CHECKOUT}", ids=["old"], valid_from="2024-12-01"), at("2025-01-02"),
        *replaces("old", BO, later=later, valid_to="2025-01-09"),
        keeps(BO), keeps(f"{ANN} {CHECKOUT}", as_of="2025-01-09"),
    ] for later in BOTH_WAYS},
    **{f"what takes a place for a while has it from its own beginning on, {'later' * later}, {began}": [
        put(ANN, ids=["old"], valid_from=began), at("2025-01-02"),
        *replaces("old", BO, later=later, valid_from="2024-06-01", valid_to="2030-01-01"),
        *each_day(BO, days="2024-07-01 2024-09-01 2025-01-02 2029-01-01"), keeps(ANN, as_of="2030-02-01"),
        keeps(*([ANN] if began is None else []), as_of="2024-05-01"),
    ] for later in BOTH_WAYS for began in ("2024-06-01", None, "2024-08-01")},
    **{f"a value that takes the place of a later one for a while is served; then the other one holds: {began}": [
        put(harbor(8080), ids=["old"], valid_from=began), at("2025-01-02"),
        put(harbor(9090), valid_from="2024-06-01", valid_to="2030-01-01", supersedes=["old"]),
        *each_day(harbor(9090), days="2024-07-01 2024-09-01 2025-01-02 2029-01-01"),
        keeps(harbor(8080), as_of="2030-02-01"), undo(), keeps(harbor(8080)),
    ] for began in ("2024-06-01", "2024-08-01", None)},
    **{f"all versions of a document give way, one to come and one replaced already too, {'later' * later}, {then}": [
        put(ANN, ids=["old"], valid_from="2024-01-01"), put(CY, ids=["old"], valid_from=then), at("2025-01-02"),
        *replaces("old", BO, later=later, valid_from="2024-03-01"),
        *each_day(BO, days="2024-04-01 2024-06-01 2025-01-02 2027-01-01"), keeps(ANN, as_of="2024-02-01"), undo(),
        (lambda d: CY in d.served(as_of="2027-01-01"), True),
    ] for later in BOTH_WAYS for then in ("2026-01-01", "2024-05-01")},
    **{f"the past of an undated text is its own until its place was taken, before it was written, {'later' * later}": [
        put(ANN, ids=["old"]), at("2025-01-02"), *replaces("old", BO, later=later, valid_from="2024-06-01"),
        keeps(ANN, as_of="2024-05-01"), *each_day(BO, days="2024-07-01 2025-01-01T12:00:00 2025-01-02"),
    ] for later in BOTH_WAYS},
    **{f"a retraction ends what took a place for all of its time; what is told anew is another word: {end}": [
        put(harbor(1), ids=["old"], valid_from="2024-06-01" if end else "2025-06-01"),
        put(harbor(2), valid_from="2024-03-01", supersedes=["old"]),
        retract("Harbor API", "listens on", at=end), keeps(as_of="2025-07-01"), keeps(harbor(2), as_of="2024-03-15"),
        undo(), keeps(harbor(2), as_of="2025-07-01"), retract("Harbor API", "listens on", at=end),
        at("2025-01-02"), put(harbor(3)), *each_day(harbor(3), days="2025-01-03 2025-05-01 2025-07-01"),
    ] for end in ("2024-04-01", None)},
    "what took the place of a plan is over with the next value, and comes back no later": [
        put(harbor(1), ids=["old"], valid_from="2025-06-01"),
        put(harbor(2), valid_from="2024-03-01", supersedes=["old"]), keeps(harbor(2), as_of="2025-07-01"),
        at("2025-01-02"), put(harbor(3)), note("third"), at("2025-01-03"),
        put(harbor(4)), keeps(harbor(2), as_of="2024-12-01"), keeps(harbor(3), as_of="2025-01-02T12:00:00"),
        *each_day(harbor(4), days="2025-05-01 2025-07-01"),
        undo(), keeps(harbor(3), as_of="2025-07-01"), undo("third"), keeps(harbor(2), as_of="2025-07-01"),
    ],
    "a document that will be replaced can be written until then": [
        put(DAN, ids=["old"], valid_from="2024-03-01"), put(CY, valid_from="2025-06-01", supersedes=["old"]),
        (lambda d: d.collection.update(["old"], documents=[BO]), ANYTHING),
        keeps(BO), keeps(CY, as_of="2025-07-01"),
    ],
    "what takes a place from an earlier date on is served where the other one, told of a later time, is over": [
        put(harbor(8080), ids=["old"]), put(harbor(9090), valid_from="2024-06-01", supersedes=["old"]),
        keeps(harbor(9090)), keeps(harbor(9090), as_of="2024-07-01"), at("2025-01-02"),
        put(harbor(7070), valid_from="2024-09-01"),
        keeps(harbor(9090), as_of="2024-08-01"), keeps(harbor(7070), as_of="2024-10-01"), keeps(harbor(7070)),
    ],
    **{f"what holds until a date and is told again without an end holds on; a third time is no news: {ids}, {told}": [
        put(told, ids=ids, valid_from="2024-12-01", valid_to="2025-01-09"),
        at("2025-01-05"), put(told, ids=ids), at("2025-01-06"), put(told, ids=ids),
        (lambda d: [*(d.collection.last_changes or ())], []),
        at("2025-01-12"), (lambda d: {*d.served()}, {told}),
    ] for ids in (["a"], None) for told in (harbor(8080), ANN)},
    "what is told again while it covers another value holds on, and not by an older word of its own": [
        put(harbor(8080), ids=["a"], valid_from="2024-10-01"), put(harbor(9090), ids=["b"], valid_from="2024-11-01"),
        put(harbor(8080), ids=["a"], valid_from="2024-12-01", valid_to="2025-01-09"),
        at("2025-01-05"), put(harbor(8080), ids=["a"]), keeps(harbor(8080), as_of="2025-01-12"),
    ],
    "what takes the place of what took a place is served, each dated before what it replaces": [
        put(harbor(7070), ids=["1"]), put(harbor(8080), ids=["2"], valid_from="2024-09-01", supersedes=["1"]),
        put(harbor(9090), valid_from="2024-06-01", supersedes=["2"]),
        *each_day(harbor(9090), days="2024-07-01 2024-10-01 2025-01-01T12:00:00"),
    ],
    "`explain` speaks of what a search returns under the id, and not of a version that is yet to come": [
        put(harbor(8080), ids=["a"], valid_from="2024-10-01"), put(harbor(9090), ids=["a"], valid_from="2030-01-01"),
        (lambda d: [(e.status, [s.object for s in e.statements]) for e in [d.store.explain("a")]],
         [("current", ["8080"])]),
    ],
    "of two texts that took one place each holds it: what undoes one brings nothing back that the other replaces": [
        put(ANN, ids=["old"]), at("2025-01-02"), put(BO, supersedes=["old"]), note("first"),
        at("2025-01-03"), put(CY, supersedes=["old"]), note("second"),
        undo("first"), keeps(CY), keeps(ANN, as_of="2025-01-02T12:00:00"), undo("second"), keeps(ANN),
    ],
    **{f"a read refuses what it does not know, since a misspelt time would be answered for now: {asked}": [
        refuses("did you mean", lambda d, asked=asked: d.collection.get(**asked)),  # type: ignore[misc]
        refuses("did you mean", lambda d, asked=asked: d.collection.query(  # type: ignore[misc]
            query_embeddings=[[1.0] * 64], **asked)),
    ] for asked in ({"asof": "2024-01-01"}, {"known": 1}, {"include_supersede": True})},
    "a retraction of what is not there names the facts that are nearest, and changes nothing": [
        state(Fact("checkout", "timeout", "45 s")), refuses(
            "'checkout', 'timeout'", lambda d: d.store.retract("chekout", "timeout")), keeps(timeout("45 s")),
        retract("checkout", "timeout"), keeps(),
    ],
    "`plan` takes what a write takes, says what would happen, and what has no key": [
        state(Fact("checkout", "timeout", "45 s")),
        (lambda d: [([(c.old, c.new) for c in p.superseded], [u.statement for u in p.unread]) for p in [d.store.plan(
            ["It takes 60 s.", "Maybe it is 5."], facts=[Fact("checkout", "timeout", "60 s"), None])]],
         [([("45 s", "60 s")], ["Maybe it is 5."])]),
        keeps(timeout("45 s")),
    ],
}  # fmt: skip

ROW = {"service": "checkout", "setting": "timeout", "tenant": "a"}
CEOS = ["The CEO is Ann Lee.", "The CEO is Bo Grey."]
STATUSES = ["Status: closed", "Status: open"]
OPTIONED: dict[str, tuple[dict[str, Any], list[Step]]] = {
    **{f"an ending that nobody wrote is never served, were it told late, refused or outdated: {trust}, {day}": (
        {"policy": SupersessionPolicy(authority="trust")}, [
        state(Fact("checkout", "owner", "Ann"), metadatas=[{"trust": 5}], valid_from="2024-06-01"),
        state(Fact("checkout", "owner", None), metadatas=[{"trust": trust}], valid_from=day),
        keeps(*([] if trust == 9 else ["The owner of checkout is Ann."])),
        state(Fact("checkout", "owner", "Bo"), metadatas=[{"trust": 9}], valid_from="2024-10-01"),
        keeps("The owner of checkout is Bo."),
        put("Bo has left checkout.", metadatas=[{"trust": 9}], facts=[Fact("checkout", "owner", None)]),
        keeps("Bo has left checkout."),
    ]) for trust in (0, 9) for day in ("2024-01-01", "2024-09-01")},
    **{f"each value of a relation that has several, or is a plural, is a fact; one retraction ends all: {relation}": (
        {"policy": SupersessionPolicy(cardinalities={"ships with": "set", "shipped with": "set"})}, [
        state(*(Fact("Kite", relation, value) for value in ("libfoo", "libbar"))), (lambda d: len(d.served()), 2),
        refuses("'libfoo'", lambda d, r=relation: d.store.retract("Kite", r, value="libbaz")),  # type: ignore[misc]
        retract("Kite", relation, value="libbar"), (lambda d: "libfoo" in "".join(d.served()) and len(d.served()), 1),
        undo(), retract("Kite", relation), keeps(),
    ]) for relation in ("depends on", "ships with", "is shipped with", *SEVERAL)},
    **{f"a count has one value at a time: {name}": ({}, [
        state(Fact("Kite", name, 3)), state(Fact("Kite", name, 5)), keeps(f"The {name} of Kite is 5."),
    ]) for name in ("replicas", "max_connections")},
    "a stated fact is found, and ended, by the statement that it was given; what was undone does not end it": ({}, [
        state(Fact("Kite", "dentist", "Roth", statement="Roth does Kite's teeth."), Fact("Kite", "owner", "Ann")),
        (lambda d: d.store.history(statement="Roth does Kite's teeth.").values, ["Roth"]),
        retract("Kite", statement="Roth does Kite's teeth."), keeps("The owner of Kite is Ann."),
        state(Fact("Kite", "knows", "Bo")), undo(), state(Fact("Kite", "knows", "Cy"), valid_from="2023-10-01"),
        retract("Kite", "knows", at="2024-01-01"), state(Fact("Kite", "knows", "Bo"), valid_from="2023-05-01"),
        keeps("Kite knows Bo.", "The owner of Kite is Ann."),
    ]),
    **{f"what stands side by side in a table is two facts, and has several values where its name says so: {one}": ({}, [
        state(Fact(*one, "12 EUR"), Fact(*other, "7 EUR"), valid_from="2024-01-01"),
        (lambda d: len(d.served()), 2),
    ]) for one, other in (
        (("Widget", "price"), ("Widget", "cost")), (("Ann Lee", "phone"), ("Ann Lee", "mobile")),
        (("Acme", "address"), ("Acme", "url")), (("db-1", "location"), ("db-1", "site")),
        (("db-1", "owner"), ("db-1", "belongs to")), (("db-1", "platform"), ("db-1", "runtime")),
        (("C", "rate"), ("C++", "rate")), (("C", "rate"), ("C#", "rate")), (("0042", "fee"), ("42", "fee")),
        (("001A0000006Vm9r", "fee"), ("001A0000006Vm9R", "fee")), (("glasses", "price"), ("glass", "price")),
        *((("db-1", name),) * 2 for name in ("tags", "emails", "labels", "contacts", "addresses")),
    )},
    **{f"numbers are as they are written: {was}, {now}": ({}, [
        state(Fact("Harbor API", name, was), valid_from="2024-01-01"),
        state(Fact("Harbor API", name, now), valid_from="2024-06-01"),
        values([was, now], "Harbor API", name), (lambda d: len(d.served()), 1),
    ]) for name, was, now in (("version", "1.1", "1.10"), ("door code", "0012", "12"), ("pin", "1.2", "1.20"))},
    "what one call states under two names of one key has none, and is served": ({}, [
        state(Fact("Kite", "owner", "Ann"), Fact("Kite", "is owned by", "Bo")),
        keeps("The owner of Kite is Ann.", "Kite is owned by Bo."),
        (lambda d: [*d.collection.last_changes.reasons], ["the call states another value of it under another name"]),
        state(Fact("Kite", "owner", "Ann"), Fact("Kite", "is owned by", "Ann"), Fact("Kite", "Owner", "Cy")),
        keeps(*["The owner of Kite is Ann."] * 2, *["Kite is owned by Bo.", "Kite is owned by Ann."],
              "The Owner of Kite is Cy."),
    ]),
    "a record counts beside what is stated of its text, and is ended by that": (
        {"key_fields": ("host",), "value_field": "port"}, [
        put("web-1 has 80.", metadatas=[{"host": "web-1", "port": 80}], facts=[Fact("web-1", "owner", "Ann")]),
        put("web-1 has 90.", metadatas=[{"host": "web-1", "port": 90}]), values(["80", "90"], "web-1", "port"),
        retract("web-1", statement="web-1 has 90."), values(["80", "90"], "web-1", "port"),
        (lambda d: len(d.store.history("web-1", "port").current), 0),
    ]),
    "with `key_fields` the metadata is the key of a record, exactly; scopes and dates apply": (
        {"key_fields": ("service", "setting"), "value_field": "value", "scope": ("tenant",)}, [
        put("row one", metadatas=[{**ROW, "value": 30}], valid_from="2024-01-01"),
        put("row two", metadatas=[{**ROW, "value": 45}], valid_from="2024-02-01"),
        put("another setting", metadatas=[{**ROW, "setting": "retries", "value": 45}]),
        put("another tenant", metadatas=[{**ROW, "tenant": "b", "value": 60}]),
        put("the same value again", metadatas=[{**ROW, "value": 45}], valid_from="2024-03-01"),
        keeps("another setting", "row two", "the same value again", scope={"tenant": "a"}),
        keeps("row one", scope={"tenant": "a"}, as_of="2024-01-15"), keeps("another tenant", scope={"tenant": "b"}),
    ]),
    "a record without a value field is its own value: a later row replaces it, and its history is kept": (
        {"key_fields": ("ticket",)}, [
        put("Printer broken, see Ann.", ids=["first"], metadatas=[{"ticket": 7}]), at("2025-02-01"),
        put("Printer repaired.", metadatas=[{"ticket": 7}]), put("Door stuck.", metadatas=[{"ticket": 8}]),
        keeps("Door stuck.", "Printer repaired."), keeps("Printer broken, see Ann.", as_of="2025-01-15"),
        (lambda d: bool(d.store.history(id="first")), True),
    ]),
    "a record that a splitter cut stands whole, and a later version takes the place of all of it": (
        {"key_fields": ("ticket",)}, [
        put("Printer broken.", "See Ann.", "Or Bo.", metadatas=[{"ticket": 7}] * 3, valid_from="2024-01-01"),
        keeps("Or Bo.", "Printer broken.", "See Ann."),
        put("It is repaired.", "Ask Cy.", metadatas=[{"ticket": 7, "start_index": n} for n in (0, 16)]),
        keeps("Ask Cy.", "It is repaired."), keeps("Or Bo.", "Printer broken.", "See Ann.", as_of="2024-06-01"),
    ]),
    **{f"descriptions of two sources meet in one world, bare fields never: {one_world}": (
        {"policy": SupersessionPolicy(one_world=one_world)}, [
        put(CEOS[0], metadatas=[{"source": "a.md"}], valid_from="2024-01-01"),
        put(CEOS[1], metadatas=[{"source": "b.md"}], valid_from="2024-02-01"),
        *(put(text, metadatas=[{"source": source}]) for text, source in zip(STATUSES, ("b.md", "a.md"), strict=True)),
        keeps(*(CEOS[1:] if one_world else CEOS), *STATUSES),
    ]) for one_world in (False, True)},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("story", [*STORIES, *OPTIONED])
def test_a_story_is_served_as_it_went(kind: str, story: str) -> None:
    options, steps = OPTIONED.get(story) or ({}, STORIES[story])
    go_through(Door(kind, **options), [*steps, (lambda d: d.store.verify(), [])])


VALUES = st.sampled_from(["30 s", "45 s", "45 seconds", 8080, "8081", "Ann", "on", None])
TOLD = st.lists(st.tuples(st.integers(0, 11), st.sampled_from(["port", "owner"]), VALUES), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(told=TOLD, seed=st.integers(0, 9))
def test_stated_facts_are_what_a_plain_model_says(told: list[tuple[int, str, Any]], seed: int) -> None:
    """In any order of arrival, of any kinds, with endings: at each date the last value before it, and only that."""
    door = Door("collection")
    dated = list({(month, relation): (month, relation, value) for month, relation, value in told}.values())
    random.Random(seed).shuffle(dated)
    for month, relation, value in dated:
        text = f"{relation} {value} {month}"
        door.store.write([text], facts=[Fact("gateway", relation, value)], valid_from=DAYS[month])
    canon = {"45 seconds": "45 s", "8081": 8081}
    for now in range(12):
        wanted = set()
        for relation in ("port", "owner"):
            past = sorted((m, v) for m, r, v in dated if r == relation and m <= now and v is not None)
            ends = [m for m, r, v in dated if r == relation and m <= now and v is None]
            if past and (not ends or max(ends) < past[-1][0]):
                value = canon.get(past[-1][1], past[-1][1])  # type: ignore[call-overload]
                since = max([m for m, v in past if canon.get(v, v) != value] + ends, default=-1)  # type: ignore[call-overload]
                wanted |= {f"{relation} {v} {m}" for m, v in past if m > since}
            wanted |= {f"{relation} None {m}" for m in ends}
        assert set(door.served(as_of=DAYS[now])) == wanted
    assert door.store.verify() == []
    door.close()


# -- pairs that look like an update and were not linked --------------------------------------------

OLD = "Grab the spare keys from Lena Brandt upstairs."
NEW = "Grab the spare keys from Omar Haddad upstairs."
OTHER = "Nets dry on the wall beside the church."
KEYS = "The spare keys upstairs: Omar has them, Lena Brandt moved."
NAMES = ["Ann Lee", "Bo Falk", "Cy Moss", "Di Roth"]
OF_A, OF_B = {"tenant": "a"}, {"tenant": "b"}


def told(old: str = OLD, new: str = NEW) -> list[Step]:
    return [
        *(put(text, ids=[i], valid_from=day) for i, text, day in (
            ("other", OTHER, "2024-01-01"), ("old", old, "2024-02-01"), ("new", new, "2024-04-01"))),
        keeps(old, new, OTHER),
    ]  # fmt: skip


def suspects(*pairs: tuple[str, str], new: str | None = None, **how: Any) -> Step:
    """These pairs of ids are suspects, earlier and later; or those of which this is the later one."""
    return lambda d: [(p.old, p.new) for p in d.store.suspects(**how) if new in (None, p.new)], list(pairs)


def later(*ids: str, **how: Any) -> Step:
    return lambda d: [p.new for p in d.store.suspects(**how)], list(ids)


SUSPECTED: dict[str, list[Step]] = {
    "another value in the same words: what differs is told, and why it was not linked; both are served": [
        *told(), suspects(("old", "new")),
        (lambda d: [(p.old_statement, p.new_statement, p.old_value, p.new_value, p.kind, p.why)
                    for p in d.store.suspects()],
         [(OLD, NEW, "Lena Brandt", "Omar Haddad", "name", "neither has a key")]),
        (lambda d: [w in str(d.store.suspects()[0]) for w in ("'Omar Haddad'", "2024-04-01")], [True, True]),
        keeps(OLD, NEW, OTHER),
    ],
    "accepting a pair retires the earlier one: it is listed no more, and the past has it": [
        *told(), (lambda d: d.store.supersede("old", "new"), ANYTHING),
        keeps(NEW, OTHER), suspects(), keeps(OLD, OTHER, as_of="2024-03-01"),
    ],
    **{f"a dismissed pair is not shown until a text is another, {'wide' * wide}": [
        *told(), (lambda d: d.store.dismiss("old", "new"), ANYTHING), suspects(new="new", wide=wide),
        put("Grab the spare keys from Ines Duarte upstairs.", ids=["new"], valid_from="2024-05-01"),
        suspects(("old", "new"), new="new", wide=wide), refuses("nobody", lambda d: d.store.dismiss("old", "nobody")),
    ] for wide in BOTH_WAYS},
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
    ] for wide in BOTH_WAYS},
}  # fmt: skip
SCOPED: dict[str, list[Step]] = {
    "of two tenants nothing is compared, and each is told of its own": [
        *(put(text, ids=[f"{tenant['tenant']}-{n}"], metadatas=[tenant], valid_from=f"2024-0{n + 1}-01")
          for n, (tenant, text) in enumerate([(OF_A, OLD), (OF_B, NEW), (OF_B, OLD)])),
        *(suspects(scope=OF_A, wide=wide) for wide in BOTH_WAYS),
        *(suspects(("b-1", "b-2"), scope=OF_B, wide=wide) for wide in BOTH_WAYS),
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


@pytest.mark.parametrize("story", [*SUSPECTED, *SCOPED])
def test_what_looks_like_an_update_is_told(story: str) -> None:
    options = {"scope": ("tenant",)} if story in SCOPED else {}
    go_through(Door("langchain", **options), {**SUSPECTED, **SCOPED}[story])
