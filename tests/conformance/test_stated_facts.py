"""Facts stated outright: `facts=`, `add_facts`, records, `supersedes=`; in both doors and the collection."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstrata_integrations import SupersessionPolicy
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Fact

from .doors import KINDS, Door

DAYS = [f"2024-{month:02}-01" for month in range(1, 13)]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Each door in turn."""
    return str(request.param)


@pytest.fixture
def door(kind: str) -> Iterator[Door]:
    """A store of each kind."""
    found = Door(kind)
    yield found
    found.close()


def test_a_stated_fact_takes_the_place_of_the_earlier_one(door: Door) -> None:
    """Dates, endings and the past hold for stated facts as for any other."""
    door.tell("Checkout times out after 30 s.", facts=[Fact("checkout", "timeout", "30 s")], valid_from="2024-03-01")
    later = Fact("checkout", "timeout", "45 s", valid_from="2024-06-01")
    door.store.add_facts([later, Fact("checkout", "owner", "Ann")])
    assert door.served() == ["The owner of checkout is Ann.", "The timeout of checkout is 45 s."]
    assert door.served(as_of="2024-04-01") == ["Checkout times out after 30 s."]
    door.clock.set("2025-02-01")
    door.store.add_facts(Fact("checkout", "owner", None))
    assert door.served() == ["The timeout of checkout is 45 s."]
    assert door.store.history("checkout", "timeout").values == ["30 s", "45 s"]
    assert door.store.history("checkout owner").values == ["Ann"]
    assert door.store.verify() == []


def test_a_sentence_and_a_stated_fact_have_one_key(door: Door) -> None:
    """What the grammar reads and what is stated outright meet, whichever comes first."""
    door.tell("The billing API listens on port 8080.", valid_from="2024-01-01")
    door.store.add_facts([Fact("billing API", "port", 9090, valid_from="2024-02-01")])
    assert door.served() == ["The port of billing API is 9090."]
    door.tell("The billing API listens on port 7070.", valid_from="2024-03-01")
    assert door.served() == ["The billing API listens on port 7070."]
    door.tell("The port of the billing API is 6060.", valid_from="2023-01-01")
    assert door.served(as_of="2023-06-01") == ["The port of the billing API is 6060."]
    assert door.served() == ["The billing API listens on port 7070."]
    assert door.store.verify() == []


@pytest.mark.parametrize("trust", [0, 9])
@pytest.mark.parametrize("day", ["2024-01-01", "2024-09-01"])
def test_an_ending_that_nobody_wrote_is_never_served(kind: str, trust: int, day: str) -> None:
    """Told late, refused by authority or outdated by a new value, it would be news of something else."""
    door = Door(kind, policy=SupersessionPolicy(authority="trust"))
    door.store.add_facts([Fact("checkout", "owner", "Ann")], metadatas=[{"trust": 5}], valid_from="2024-06-01")
    door.store.add_facts([Fact("checkout", "owner", None)], metadatas=[{"trust": trust}], valid_from=day)
    over = trust == 9
    assert door.served() == ([] if over else ["The owner of checkout is Ann."])
    door.store.add_facts([Fact("checkout", "owner", "Bo")], metadatas=[{"trust": 9}], valid_from="2024-10-01")
    assert door.served() == ["The owner of checkout is Bo."]
    told = door.tell("Bo has left checkout.", {"trust": 9}, facts=[Fact("checkout", "owner", None)])
    assert door.served() == ["Bo has left checkout."]
    assert told
    assert door.store.verify() == []


@pytest.mark.parametrize(("own", "dates"), [("2024-05-01", {}), ("2024-05-01", {"valid_from": "2024-01-01"})])
def test_a_text_has_one_date(door: Door, own: str, dates: dict[str, str]) -> None:
    """A fact without a date does not take that of its neighbour."""
    said = "Svc-3 times out after 10 s. Ann owns svc-3."
    facts = [Fact("svc-3", "timeout", "10 s", statement=said[:28]), Fact("svc-3", "owner", "Ann", valid_from=own)]
    with pytest.raises(InvalidInputError, match="date a text of its own"):
        door.tell(said, facts=facts, **dates)


def test_a_statement_in_a_page_is_what_goes(door: Door) -> None:
    """A fact with its statement covers that statement alone; the rest of the text is read and served."""
    page = "Checkout gives up after 30 s. The Harbor API listens on port 8080. Ask Ann."
    door.tell(page, facts=[Fact("checkout", "patience", "30 s", statement="Checkout gives up after 30 s.")])
    door.store.add_facts(Fact("checkout", "patience", "60 s"))
    assert "The Harbor API listens on port 8080. Ask Ann." in door.served()
    door.tell("The Harbor API listens on port 9090.")
    assert "Ask Ann." in door.served()


def test_supersedes_names_what_is_replaced(door: Door) -> None:
    """A text takes the place of another by its word, whatever both say, and undo takes it back."""
    old = door.tell("Ask Ann about invoices.")
    door.clock.set("2025-01-02")
    door.tell("Bo answers what concerns invoices.", supersedes=[old])
    assert door.served() == ["Bo answers what concerns invoices."]
    assert door.served(as_of="2025-01-01T12:00:00") == ["Ask Ann about invoices."]
    assert [c.kind for c in door.collection.last_changes or ()] == ["superseded"]
    door.store.undo(door.collection.last_changes)
    assert "Ask Ann about invoices." in door.served()


@pytest.mark.parametrize("told", ["Bo answers what concerns invoices.", "Checkout listens on port 80. Bo answers."])
@pytest.mark.parametrize("dated", [False, True])
def test_both_ways_to_supersede_answer_alike_about_the_past(kind: str, told: str, dated: bool) -> None:
    """What takes another text's place, said with it or later, begins where that one ends."""
    answers = []
    for later in (False, True):
        door = Door(kind)
        old = door.tell("Ask Ann about invoices.")
        door.clock.set("2025-01-05")
        dates = {"valid_from": "2025-01-03"} if dated else {}
        new = door.tell(told, **dates, **({} if later else {"supersedes": [old]}))
        door.clock.set("2025-01-06")
        if later:
            door.store.supersede(old, new)
        assert door.collection.verify() == []
        days = ("2024-12-01", "2025-01-02", "2025-01-04", "2025-01-05T12:00:00", "2025-01-06")
        answers.append([door.served(as_of=day) for day in days])
        door.close()
    assert answers[0] == answers[1]
    assert told not in answers[0][1]


@pytest.mark.parametrize("later", [False, True])
def test_what_takes_a_place_for_a_while_gives_it_back(door: Door, later: bool) -> None:
    """A text with an end of its own takes another's place until then."""
    old = door.tell("Ask Ann about invoices. Checkout listens on port 80.", valid_from="2024-12-01")
    door.clock.set("2025-01-02")
    told = "Bo answers what concerns invoices."
    new = door.tell(told, valid_to="2025-01-09", **({} if later else {"supersedes": [old]}))
    if later:
        door.store.supersede(old, new)
    assert door.served() == [told]
    assert door.served(as_of="2025-01-09") == ["Ask Ann about invoices. Checkout listens on port 80."]
    assert door.collection.verify() == []


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("began", ["2024-06-01", None, "2024-08-01"])
def test_what_takes_a_place_for_a_while_from_its_beginning_on(door: Door, began: str | None, later: bool) -> None:
    """The place was another's from the day on which that began, or from an earlier one, and is given back."""
    told = {} if began is None else {"valid_from": began}
    old = door.tell("Ask Ann about invoices.", **told)
    door.clock.set("2025-01-02")
    how = {} if later else {"supersedes": [old]}
    new = door.tell("Bo answers.", valid_from="2024-06-01", valid_to="2030-01-01", **how)
    if later:
        door.store.supersede(old, new)
    for day in ("2024-07-01", "2024-09-01", "2025-01-02", "2029-01-01"):
        assert door.served(as_of=day) == ["Bo answers."]
    assert door.served(as_of="2030-02-01") == ["Ask Ann about invoices."]
    assert door.served(as_of="2024-05-01") == (["Ask Ann about invoices."] if began is None else [])
    assert door.collection.verify() == []


@pytest.mark.parametrize("began", ["2024-06-01", "2024-08-01", None])
def test_a_value_that_takes_the_place_of_a_later_one_for_a_while_is_served(door: Door, began: str | None) -> None:
    """From its own date to its own end; then the other one holds."""
    old = door.tell("The Harbor API listens on port 8080.", **({} if began is None else {"valid_from": began}))
    door.clock.set("2025-01-02")
    new = "The Harbor API listens on port 9090."
    door.tell(new, valid_from="2024-06-01", valid_to="2030-01-01", supersedes=[old])
    for day in ("2024-07-01", "2024-09-01", "2025-01-02", "2029-01-01"):
        assert door.served(as_of=day) == [new]
    assert door.served(as_of="2030-02-01") == ["The Harbor API listens on port 8080."]
    door.store.undo(door.collection.last_changes)
    assert door.served() == ["The Harbor API listens on port 8080."]
    assert door.collection.verify() == []


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("then", ["2026-01-01", "2024-05-01"])
def test_all_versions_of_a_document_give_way(door: Door, then: str, later: bool) -> None:
    """Also one that is yet to come, and one that the newest had replaced already."""
    for told, day in (("Ask Ann about invoices.", "2024-01-01"), ("Ask Cy about invoices.", then)):
        door.tell(told, row_id="a", valid_from=day)
    door.clock.set("2025-01-02")
    new = door.tell("Bo answers.", valid_from="2024-03-01", **({} if later else {"supersedes": ["a"]}))
    changes = door.store.supersede("a", new) if later else door.collection.last_changes
    for day in ("2024-04-01", "2024-06-01", "2025-01-02", "2027-01-01"):
        assert door.served(as_of=day) == ["Bo answers."]
    assert door.served(as_of="2024-02-01") == ["Ask Ann about invoices."]
    assert door.collection.verify() == []
    door.store.undo(changes)
    assert "Ask Cy about invoices." in door.served(as_of="2027-01-01")


@pytest.mark.parametrize("later", [False, True])
def test_the_past_of_an_undated_text_is_its_own_until_its_place_was_taken(door: Door, later: bool) -> None:
    """Also where that was before anybody wrote it down."""
    old = door.tell("Ask Ann about invoices.")
    door.clock.set("2025-01-02")
    new = door.tell("Bo answers.", valid_from="2024-06-01", **({} if later else {"supersedes": [old]}))
    if later:
        door.store.supersede(old, new)
    assert door.served(as_of="2024-05-01") == ["Ask Ann about invoices."]
    for day in ("2024-07-01", "2025-01-01T12:00:00", "2025-01-02"):
        assert door.served(as_of=day) == ["Bo answers."]
    assert door.collection.verify() == []


@pytest.mark.parametrize("at", ["2024-04-01", None])
def test_a_retraction_ends_what_took_a_place_for_all_of_its_time(door: Door, at: str | None) -> None:
    """Also from where the other one would have begun; what is told anew is another word."""
    old = door.tell("The Harbor API listens on port 1.", valid_from="2025-06-01" if at is None else "2024-06-01")
    door.tell("The Harbor API listens on port 2.", valid_from="2024-03-01", supersedes=[old])
    changes = door.store.retract("Harbor API", "listens on", at=at)
    assert door.served(as_of="2025-07-01") == []
    assert door.served(as_of="2024-03-15") == ["The Harbor API listens on port 2."]
    door.store.undo(changes)
    assert door.served(as_of="2025-07-01") == ["The Harbor API listens on port 2."]
    door.store.retract("Harbor API", "listens on", at=at)
    door.clock.set("2025-01-02")
    door.tell("The Harbor API listens on port 3.")
    for day in ("2025-01-03", "2025-05-01", "2025-07-01"):
        assert door.served(as_of=day) == ["The Harbor API listens on port 3."]
    assert door.collection.verify() == []


def test_what_took_the_place_of_a_plan_is_over_with_the_next_value(door: Door) -> None:
    """It holds in the place of the plan until then, and comes back no later."""
    old = door.tell("The Harbor API listens on port 1.", valid_from="2025-06-01")
    door.tell("The Harbor API listens on port 2.", valid_from="2024-03-01", supersedes=[old])
    assert door.served(as_of="2025-07-01") == ["The Harbor API listens on port 2."]
    door.clock.set("2025-01-02")
    door.tell("The Harbor API listens on port 3.")
    third = door.collection.last_changes
    door.clock.set("2025-01-03")
    door.tell("The Harbor API listens on port 4.")
    for day, port in (("2024-12-01", 2), ("2025-01-02T12:00:00", 3), ("2025-05-01", 4), ("2025-07-01", 4)):
        assert door.served(as_of=day) == [f"The Harbor API listens on port {port}."]
    door.store.undo(door.collection.last_changes)
    assert door.served(as_of="2025-07-01") == ["The Harbor API listens on port 3."]
    door.store.undo(third)
    assert door.served(as_of="2025-07-01") == ["The Harbor API listens on port 2."]
    assert door.collection.verify() == []


def test_a_document_that_will_be_replaced_can_be_written_until_then(door: Door) -> None:
    """Its successor is planned."""
    old = door.tell("Ask Dan.", valid_from="2024-03-01")
    door.tell("Ask Cy.", valid_from="2025-06-01", supersedes=[old])
    door.collection.update([old], documents=["Ask Bo."])
    assert door.served() == ["Ask Bo."]
    assert door.served(as_of="2025-07-01") == ["Ask Cy."]
    assert door.collection.verify() == []


def test_what_takes_a_place_from_an_earlier_date_on_is_served(door: Door) -> None:
    """It holds where the other one, told of a later time, is over."""
    old = door.tell("The Harbor API listens on port 8080.")
    new = "The Harbor API listens on port 9090."
    door.tell(new, valid_from="2024-06-01", supersedes=[old])
    assert door.served() == [new]
    assert door.served(as_of="2024-07-01") == [new]
    door.clock.set("2025-01-02")
    door.tell("The Harbor API listens on port 7070.", valid_from="2024-09-01")
    assert door.served(as_of="2024-08-01") == [new]
    assert door.served(as_of="2024-10-01") == door.served() == ["The Harbor API listens on port 7070."]
    assert door.collection.verify() == []


@pytest.mark.parametrize("row_id", ["a", None])
@pytest.mark.parametrize("told", ["The Harbor API listens on port 8080.", "Ask Ann about invoices."])
def test_what_holds_until_a_date_and_is_told_again_holds_on(door: Door, told: str, row_id: str | None) -> None:
    """Told again without an end, while it holds, it has none any more; told a third time it is no news."""
    door.tell(told, row_id=row_id, valid_from="2024-12-01", valid_to="2025-01-09")
    door.clock.set("2025-01-05")
    door.tell(told, row_id=row_id)
    door.clock.set("2025-01-06")
    door.tell(told, row_id=row_id)
    assert not door.collection.last_changes or not door.collection.last_changes.changes
    door.clock.set("2025-01-12")
    assert set(door.served()) == {told}
    assert door.collection.verify() == []


def test_what_is_told_again_while_it_covers_another_value_holds_on(door: Door) -> None:
    """An older word of its own, which that value had superseded, is not what it holds by."""
    first, second = "The Harbor API listens on port 8080.", "The Harbor API listens on port 9090."
    door.tell(first, row_id="a", valid_from="2024-10-01")
    door.tell(second, row_id="b", valid_from="2024-11-01")
    door.tell(first, row_id="a", valid_from="2024-12-01", valid_to="2025-01-09")
    door.clock.set("2025-01-05")
    door.tell(first, row_id="a")
    assert door.served(as_of="2025-01-12") == [first]


def test_what_takes_the_place_of_what_took_a_place_is_served(door: Door) -> None:
    """Each is dated before what it replaces."""
    said = [f"The Harbor API listens on port {port}." for port in (7070, 8080, 9090)]
    first = door.tell(said[0])
    second = door.tell(said[1], valid_from="2024-09-01", supersedes=[first])
    door.tell(said[2], valid_from="2024-06-01", supersedes=[second])
    for day in ("2024-07-01", "2024-10-01", "2025-01-01T12:00:00"):
        assert door.served(as_of=day) == [said[2]]
    assert door.collection.verify() == []


def test_a_version_that_is_yet_to_come_does_not_explain_the_one_that_is_served(door: Door) -> None:
    """`explain` speaks of what a search returns under the id."""
    door.tell("The Harbor API listens on port 8080.", row_id="a", valid_from="2024-10-01")
    door.tell("The Harbor API listens on port 9090.", row_id="a", valid_from="2030-01-01")
    found = door.store.explain("a")
    assert (found.status, [s.object for s in found.statements]) == ("current", ["8080"])


def test_of_two_texts_that_took_one_place_each_holds_it(door: Door) -> None:
    """What undoes one brings nothing back that the other one replaces."""
    old = door.tell("Ask Ann about invoices.")
    door.clock.set("2025-01-02")
    door.tell("Bo answers what concerns invoices.", supersedes=[old])
    first = door.collection.last_changes
    door.clock.set("2025-01-03")
    door.tell("Invoices are for Cy.", supersedes=[old])
    second = door.collection.last_changes
    door.store.undo(first)
    assert door.served() == ["Invoices are for Cy."]
    assert door.served(as_of="2025-01-02T12:00:00") == ["Ask Ann about invoices."]
    door.store.undo(second)
    assert door.served() == ["Ask Ann about invoices."]


@pytest.mark.parametrize("relation", ["depends on", "ships with"])
def test_all_values_of_a_relation_that_has_several_are_ended(kind: str, relation: str) -> None:
    """One that the table knows, and one that the policy names: each value is a fact, and one retraction ends all."""
    door = Door(kind, policy=SupersessionPolicy(cardinalities={"ships with": "set"}))
    door.store.add_facts([Fact("Kite", relation, value) for value in ("libfoo", "libbar")])
    assert len(door.served()) == 2
    door.store.retract("Kite", relation)
    assert door.served() == []
    assert door.collection.verify() == []


def test_supersede_and_undo_later(door: Door) -> None:
    """Of two stored texts one can be said to have taken the place of the other."""
    old = door.tell("Ask Ann about invoices.")
    door.clock.set("2025-01-02")
    new = door.tell("Bo answers what concerns invoices.")
    door.clock.set("2025-01-03")
    changes = door.store.supersede(old, new)
    assert door.served() == ["Bo answers what concerns invoices."]
    door.store.undo(changes)
    assert door.served() == ["Ask Ann about invoices.", "Bo answers what concerns invoices."]


def test_records_are_keyed_by_their_metadata(kind: str) -> None:
    """With `key_fields` the metadata is the key, exactly; scopes and dates apply."""
    door = Door(kind, key_fields=("service", "setting"), value_field="value", scope=("tenant",))
    row = {"service": "checkout", "setting": "timeout", "tenant": "a"}
    door.tell("row one", {**row, "value": 30}, valid_from="2024-01-01")
    door.tell("row two", {**row, "value": 45}, valid_from="2024-02-01")
    door.tell("another setting", {**row, "setting": "retries", "value": 45})
    door.tell("another tenant", {**row, "tenant": "b", "value": 60})
    door.tell("the same value again", {**row, "value": 45}, valid_from="2024-03-01")
    both = ["another setting", "row two", "the same value again"]
    assert door.served(scope={"tenant": "a"}) == both
    assert door.served(scope={"tenant": "a"}, as_of="2024-01-15") == ["another setting", "row one"][1:]
    assert door.served(scope={"tenant": "b"}) == ["another tenant"]
    door.close()


def test_a_record_without_a_value_field_is_its_own_value(kind: str) -> None:
    """A later row with the same key replaces the earlier one, with its history kept."""
    door = Door(kind, key_fields=("ticket",))
    first = door.tell("Printer broken, see Ann.", {"ticket": 7})
    door.clock.set("2025-02-01")
    door.tell("Printer repaired.", {"ticket": 7})
    door.tell("Door stuck.", {"ticket": 8})
    assert door.served() == ["Door stuck.", "Printer repaired."]
    assert door.served(as_of="2025-01-15") == ["Printer broken, see Ann."]
    assert door.store.history(id=first)
    door.close()


@pytest.mark.parametrize("asked", [{"asof": "2024-01-01"}, {"known": 1}, {"include_supersede": True}])
def test_a_read_refuses_what_it_does_not_know(door: Door, asked: dict[str, Any]) -> None:
    """A misspelt time would be answered for now."""
    for read in (door.collection.get, lambda **kw: door.collection.query(query_embeddings=[[1.0] * 64], **kw)):
        with pytest.raises(InvalidInputError, match="did you mean"):
            read(**asked)


def test_a_retract_of_what_is_not_there_raises(door: Door) -> None:
    """It names the facts that are nearest, and changes nothing."""
    door.store.add_facts([Fact("checkout", "timeout", "45 s")])
    with pytest.raises(InvalidInputError, match="'checkout', 'timeout'"):
        door.store.retract("chekout", "timeout")
    assert door.served() == ["The timeout of checkout is 45 s."]
    door.store.retract("checkout", "timeout")
    assert door.served() == []


def test_plan_says_what_would_happen(door: Door) -> None:
    """`plan` takes what a write takes, and says what has no key and why."""
    door.store.add_facts([Fact("checkout", "timeout", "45 s")])
    planned = door.store.plan(["It takes 60 s.", "Maybe it is 5."], facts=[Fact("checkout", "timeout", "60 s"), None])
    assert [(c.old, c.new) for c in planned.superseded] == [("45 s", "60 s")]
    assert [u.statement for u in planned.unread] == ["Maybe it is 5."]
    assert door.served() == ["The timeout of checkout is 45 s."]


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


def test_one_world_lets_descriptions_meet(kind: str) -> None:
    """Confinement says so in the changes, and can be chosen away."""
    apart, together = Door(kind), Door(kind, policy=SupersessionPolicy(one_world=True))
    for door in (apart, together):
        door.tell("The CEO is Ann Lee.", {"source": "a.md"}, valid_from="2024-01-01")
        door.tell("The CEO is Bo Grey.", {"source": "b.md"}, valid_from="2024-02-01")
        door.tell("Status: open", {"source": "a.md"})
        door.tell("Status: closed", {"source": "b.md"})
    statuses = ["Status: closed", "Status: open"]
    assert apart.served() == sorted(["The CEO is Ann Lee.", "The CEO is Bo Grey.", *statuses])
    assert together.served() == sorted(["The CEO is Bo Grey.", *statuses])
    apart.close()
    together.close()


SEVERAL = ["allergic to", "children", "languages", "hobbies", "medication", "works on", "requires"]


@pytest.mark.parametrize("relation", SEVERAL)
def test_what_there_may_be_several_of_is_kept(relation: str) -> None:
    """A relation in the plural, or one that people have more than once, keeps all its values."""
    door = Door("collection")
    door.store.add_facts([Fact("Ann", relation, "nuts"), Fact("Ann", relation, "milk")])
    assert len(door.served()) == 2
