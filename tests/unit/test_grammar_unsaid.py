"""What is said before a bare subject tells whose it is; of a remark and of what a change came from only a name does."""

from __future__ import annotations

import pytest

from eval.probe import retires, superseded_by
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Staging update: the version is 1.2", "Production update: the version is 1.1"),
        ("The upload limit is 20 MB.", "Japan update: the upload limit is 5 MB."),
        ("api: set timeout to 30s", "web: set timeout to 10s"),
        ("[api] set timeout to 30s", "[web] set timeout to 10s"),
        ("Step 1: Set the oven to 220 °C.", "Step 4: Set the oven to 180 °C."),
        ("The code is 44.", "Talked to York: the code is 55"),
        ("The code is 44.", "I checked the annex: the code is 55"),
        ("The code is 44.", "You can use the annex; the code is 55"),
        ("The code is 44.", "The code is 55, but this only holds for the annex."),
        ("The upload limit is 20 MB.", "The upload limit is 5 MB, but that is for guests."),
        ("Due to the strike in Leeds, the delay is 4 days.", "Due to the strike in York, the delay is 5 days."),
        ("The upload limit is 20 MB.", "After that, the upload limit is 5 MB."),
        ("The north branch raised the fee to 5 euros.", "The south branch raised the fee to 6 euros."),
        ("The fee is 4 euros.", "The club in York raised the fee to 5 euros."),
        ("Half of the fleet is on version 12.", "Half of the fleet is on version 13."),
        ("The board meets in May.", "The board meets in Graz."),
        ("Call me Kit.", "Call me Christopher at work."),
        ("The data is replicated to Oslo.", "The data is replicated to Malmö."),
        ("Anna is certified in AWS.", "Anna is certified in Azure."),
    ],
)
def test_two_things_under_one_bare_name_both_stay(first: str, second: str) -> None:
    earlier, later = GRAMMAR.extract([first, second])
    assert not superseded_by(earlier, later)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The port is 80.", "Quick update: the port is 81."),
        ("The retro is on Monday.", "hey all, the retro is on Tuesday now"),
        ("The essay is due Friday at noon.", "Extension granted: the essay is due Monday at noon."),
        ("The wedding is at St Olave's Church.", "The church flooded, so the wedding is at the town hall now."),
        ("Bins go out on Tuesday night.", "The council changed it: bins go out on Sunday night."),
        ("My desk is A4.", "Moved to York last week, my desk is C9."),
        ("Gran's carer is Blessing.", "The agency swapped them round, Gran's carer is Patrice now."),
        ("The limit is 5 MB.", "Since the audit in York, the limit is 9 MB."),
        ("The fee is 4 euros.", "The board raised the fee to 5 euros."),
        ("The standup is at 9:30.", "Priya moved the standup to 10:00."),
        ("Half board at the Lido costs 80 euros.", "Half board at the Lido costs 95 euros."),
        ("Each shard is replicated to three zones.", "Each shard is replicated to two zones."),
    ],
)
def test_a_remark_and_what_a_change_came_from_do_not(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)
