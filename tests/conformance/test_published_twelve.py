"""The twelve scenarios that the method's publication prints, through both doors and the collection."""

from __future__ import annotations

import json

import pytest

from tests.shared_data import ROOT

from .test_stated_facts import Door

TWELVE = json.loads((ROOT / "eval" / "benchmarks" / "published_twelve.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["collection", "langchain", "llama_index"])
def test_the_later_state_is_all_that_is_served(kind: str) -> None:
    """Told one after the other into one store: the later state is served, and the earlier one in the past."""
    door = Door(kind)
    for scenario in TWELVE:
        door.tell(scenario["state_a"], valid_from="2024-01-01")
        door.tell(scenario["state_b"], valid_from="2024-06-01")
    assert door.served() == sorted(scenario["state_b"] for scenario in TWELVE)
    assert door.served(as_of="2024-03-01") == sorted(scenario["state_a"] for scenario in TWELVE)
    door.close()
