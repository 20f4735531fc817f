"""Pairs that look like an update and were not linked: told to whoever decides, and nothing is retired."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memstrata_integrations.errors import InvalidInputError

OLD = "Grab the spare keys from Lena Brandt upstairs."
NEW = "Grab the spare keys from Omar Haddad upstairs."
OTHER = "Nets dry on the wall behind the chapel."


@pytest.fixture
def told(make_temporal: Callable[..., Any]) -> Callable[..., Any]:
    """Open a store with two texts that nothing links, told two months apart, and another one."""

    def make(old: str = OLD, new: str = NEW, **options: Any) -> Any:
        store = make_temporal(**options)
        store.add_texts([OTHER], ids=["other"], valid_from="2024-01-01")
        store.add_texts([old], ids=["old"], valid_from="2024-02-01")
        store.add_texts([new], ids=["new"], valid_from="2024-04-01")
        assert sorted(store.get()["ids"]) == ["new", "old", "other"]
        return store

    return make


def test_another_value_in_the_same_words(told: Callable[..., Any]) -> None:
    """What differs is told, and why it was not linked; both go on being served."""
    store = told()
    [pair] = store.suspects()
    assert (pair.old, pair.new) == ("old", "new")
    assert (pair.old_statement, pair.new_statement) == (OLD, NEW)
    assert (pair.old_value, pair.new_value, pair.kind) == ("Lena Brandt", "Omar Haddad", "name")
    assert pair.why == "neither has a key"
    assert "'Omar Haddad'" in str(pair)
    assert "2024-04-01" in str(pair)
    assert sorted(store.get()["ids"]) == ["new", "old", "other"]


def test_accepting_a_pair_retires_the_earlier_one(told: Callable[..., Any]) -> None:
    """It is listed no more, and the past has it."""
    store = told()
    [pair] = store.suspects()
    store.supersede(pair.old, pair.new)
    assert sorted(store.get()["ids"]) == ["new", "other"]
    assert store.suspects() == []
    assert "old" in store.get(as_of="2024-03-01")["ids"]


@pytest.mark.parametrize("wide", [False, True])
def test_a_dismissed_pair_is_not_shown_until_a_text_is_another(told: Callable[..., Any], *, wide: bool) -> None:
    """It is these two texts that are no update, and not whatever stands under their ids."""
    store = told()
    store.dismiss("old", "new")
    assert not [p for p in store.suspects(wide=wide) if p.new == "new"]
    store.add_texts(["Grab the spare keys from Ines Duarte upstairs."], ids=["new"], valid_from="2024-05-01")
    assert [(p.old, p.new) for p in store.suspects(wide=wide) if p.new == "new"] == [("old", "new")]
    with pytest.raises(InvalidInputError, match="nobody"):
        store.dismiss("old", "nobody")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD, OLD.replace("upstairs", "downstairs")),  # no value is another
        (OLD, "Omar Haddad waters the garden on most days."),
        ("Grab the keys from Lena Brandt at 8:30.", "Grab the keys from Omar Haddad at 9:15."),
    ],
    ids=["same values", "other words", "two kinds of values"],
)
def test_what_does_not_look_like_an_update(told: Callable[..., Any], old: str, new: str) -> None:
    """Two kinds of values, or none, or few words in common: too little to show it to a person."""
    assert told(old, new).suspects() == []


def test_what_is_kept_apart_by_its_source_says_so(make_temporal: Callable[..., Any]) -> None:
    """There the way out is a policy, or a source."""
    store = make_temporal()
    for n, source in enumerate("ab"):
        store.add_texts([f"The port is 8{n}."], [{"source": source}], valid_from=f"2024-0{n + 1}-01")
    assert [p.why for p in store.suspects()] == ["they are kept apart by their sources, or their headings"]


def test_a_pair_lies_in_one_scope(told: Callable[..., Any], make_temporal: Callable[..., Any]) -> None:
    """Of two tenants nothing is compared, and each is told of its own."""
    store = make_temporal(scope=("tenant",))
    for n, (tenant, text) in enumerate([("a", OLD), ("b", NEW), ("b", OLD)]):
        day = f"2024-0{n + 1}-01"
        store.add_texts([text], [{"tenant": tenant}], ids=[f"{tenant}-{n}"], valid_from=day)
    for wide in (False, True):
        assert store.suspects(scope={"tenant": "a"}, wide=wide) == []
        assert [(p.old, p.new) for p in store.suspects(scope={"tenant": "b"}, wide=wide)] == [("b-1", "b-2")]
    with pytest.raises(InvalidInputError, match="tenant"):
        store.suspects()


def test_the_newest_come_first_and_no_more_than_asked_for(make_temporal: Callable[..., Any]) -> None:
    """`k` counts pairs, `look_at` the newest texts that are compared."""
    store = make_temporal()
    for n, name in enumerate(["Ann Lee", "Bo Falk", "Cy Moss", "Di Roth"]):
        store.add_texts([f"Grab the spare keys from {name} upstairs."], ids=[name], valid_from=f"2024-0{n + 1}-01")
    assert [p.new for p in store.suspects()] == ["Di Roth"] * 3 + ["Cy Moss"] * 2 + ["Bo Falk"]
    assert {p.new for p in store.suspects(k=2)} == {"Di Roth"}
    assert {p.new for p in store.suspects(look_at=1)} == {"Di Roth"}
    assert [p.new for p in store.suspects(wide=True)] == ["Di Roth", "Cy Moss", "Bo Falk"]


def test_other_words_for_a_fact_are_found_wide(told: Callable[..., Any]) -> None:
    """Each text with the earlier one that is nearest to it, and of both the statements that share most words."""
    store = told(f"{OLD} Rain is likely.", "The spare keys upstairs: Omar has them, Lena Brandt moved.")
    assert store.suspects() == []
    pairs = {p.new: p for p in store.suspects(wide=True)}
    assert pairs["new"].old == "old"
    assert pairs["new"].old_statement == OLD
    assert (pairs["new"].old_value, pairs["new"].kind) == ("", "")
    assert "is near old" in str(pairs["new"])
    assert "other" not in pairs


@pytest.mark.parametrize("wide", [False, True])
def test_what_says_the_same_is_no_suspect(told: Callable[..., Any], *, wide: bool) -> None:
    """A text that is told again says nothing that the first one does not."""
    assert "new" not in {p.new for p in told(OTHER.replace("Nets", "Clothes"), OTHER).suspects(wide=wide)}


def test_neighbours_of_another_scope_or_time_do_not_crowd_a_pair_out(make_temporal: Callable[..., Any]) -> None:
    """However many texts of another tenant, and earlier versions of its own, are nearer."""
    store = make_temporal(scope=("tenant",))
    own, other = [{"tenant": "a"}], [{"tenant": "b"}]
    store.add_texts([OLD], own, ids=["old"], valid_from="2023-01-01")
    for n in range(12):
        store.add_texts([f"{NEW} {n}"], own, ids=["new"], valid_from=f"2024-01-{n + 1:02}")
        store.add_texts([f"{NEW} {n}"], other, valid_from="2024-01-01")
    assert [(p.old, p.new) for p in store.suspects(scope=own[0], wide=True)] == [("old", "new")]
