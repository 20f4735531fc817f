"""A writer is killed at any moment: what it acknowledged is there, and nothing stale beside it."""

import pytest

from memstrata_integrations.chroma import tombstones


@pytest.mark.slow
def test_what_is_killed_amid_any_operation_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kills of the campaign: amid versions, `sync`, `undo`, purges, adoption, compaction, or a repair."""
    monkeypatch.setitem(tombstones._COST, "n", 2)  # the campaign sets it, for its own process
    from . import kills

    outcomes = kills.campaign(4, seed=7, served=False, operations=70)
    assert outcomes.total() == 4
    assert set(outcomes) <= set(kills.GOOD), outcomes
