"""What a statement of change leaves true: plans, parts, a while, another scope or subject, events, one of several."""

from __future__ import annotations

import pytest

from .kept import assert_kept, pairs_of

KEPT = """
The audit cluster runs in Frankfurt.
    We will move the audit cluster to Zurich.
    We plan to move the audit cluster to Zurich in May.
    Some of the audit cluster was moved to Zurich.
    One node of the audit cluster was moved to Zurich.
The audit cluster is hosted in Frankfurt.
    The audit cluster was moved to Zurich for the weekend.
    The audit cluster was temporarily moved to Zurich.
    We moved the billing cluster to Zurich.
    We moved the audit logs to Zurich.
    The backups of the audit cluster were moved to Zurich.
    The audit cluster was not moved to Zurich.
    The audit cluster was almost moved to Zurich.
    They asked us to move the audit cluster to Zurich.
    If the audit cluster was moved to Zurich, latency would drop.
    Nobody moved the audit cluster to Zurich.
    The audit cluster was moved to tears.
    The staging audit cluster was moved to Zurich.
The standup is at 9:30.
    The standup was moved to 10:15 on Monday.
    This week the standup was moved to 10:15.
    Today's standup was moved to 10:15.
    The standup was moved to 10:15 during the holidays.
    The design standup was moved to 10:15.
The log retention is 30 days.
    The log retention was raised to 90 days during the incident.
    The log retention was raised to 90 days for two weeks.
    The log retention in staging was raised to 90 days.
    The log retention was raised to 90 days, then reverted.
    The log retention was raised to 90 days and then lowered again.
    The log retention should be raised to 90 days.
    It was proposed that the log retention be raised to 90 days.
    The log retention had been raised to 90 days before the rollback.
    Raise the log retention to 90 days.
    Once, the log retention was raised to 90 days by mistake.
    The log retention is raised to 90 days whenever an audit starts.
    Why was the log retention raised to 90 days?
    The request to raise the log retention to 90 days was denied.
The voting age in Sundra is 18.
    Morvane lowered the voting age to 16.
    Sundra lowered the drinking age to 16.
    Sundra lowered the voting age for local elections to 16.
    Sundra wants to lower the voting age to 16.
    Parliament voted to lower the voting age in Sundra to 16.
Kestrel Air's baggage fee is 30 euros.
    Marta lowered the baggage fee to 20 euros.
Marta's rate is 90 euros an hour.
    Marta raised the interest rate to 5%.
Marta's rent is 900 euros.
    Marta raised her tenants' rent to 1,000 euros.
My rent is 900 euros.
    My landlord raised his neighbour's rent to 1,000 euros.
urllib3 is pinned to 1.26.18.
    Bump urllib3-mock from 1.26.18 to 2.2.1
    The docs of urllib3 were moved to 2.2.1.
    Bump urllib3 to 2.2.1 in the examples
Zephyr Motors is led by Carla Ruiz.
    Dmitra Kolos now leads Zephyr Motors Europe.
    Dmitra Kolos now leads the sales team of Zephyr Motors.
    Dmitra Kolos now leads by example.
    Dmitra Kolos succeeded Ann Roe as head of design at Zephyr Motors.
The coach of FC Varda is Tomas Brandl.
    Erik Solheim replaced Tomas Brandl as coach of FC Morva.
    Erik Solheim replaced Ivo Lenz as assistant coach of FC Varda.
The captain of FC Varda is Tomas Brandl.
    Erik Solheim was replaced by Ivo Lenz in the second half.
    Tomas Brandl was replaced by Ivo Lenz at half-time.
The build server is Jenkins.
    The build server was replaced by Kim last night.
The front door key is under the mat.
    The front door was replaced by Ivo.
The primary of the ledger cluster is lr-1.
    Node lr-3 was promoted to replica of the ledger cluster.
    Node lr-3 was promoted to primary of the orders cluster.
The parser is maintained by Ann.
    Ownership of the lexer was transferred to Bo.
    Ann handed her notes on the parser over to Bo.
    Ann handed the review of the parser over to Bo.
Nimbus Cargo is based in Antwerp.
    Nimbus Cargo relocated its archive to Rotterdam.
    Nimbus Cargo relocated twelve trucks to Rotterdam.
    Nimbus Cargo moved a container from Lagos to Rotterdam.
    Nimbus Cargo considered relocating its headquarters to Rotterdam.
The shop opens at 9 am.
    The shop was open from 10 to 4 on Sunday.
The talk is at 9:00.
    The talk went from 10:00 to 11:00.
The tour goes from Bergen to Oslo.
    The tour went from Bergen to Oslo.
The price of the Pro plan is $29 a month.
    The price of the Team plan went up to $35 a month.
    The price of the Pro plan went up to $35 a month for new customers.
    The price of the Pro plan was cut to $19 a month for Black Friday.
    Some customers switched from the Pro plan to the Team plan.
    The price of the Pro plan was raised by $5.
Our CI runs on Jenkins.
    Another team switched its CI from Jenkins to GitHub Actions.
    The mobile team switched its CI from Jenkins to GitHub Actions.
The users table is stored in MySQL.
    The users table was copied from MySQL to Postgres.
    Half of the users table was migrated from MySQL to Postgres.
    The migration of the users table from MySQL to Postgres failed.
    The users table can be migrated from MySQL to Postgres.
    The users_archive table was migrated from MySQL to Postgres.
The ticket OPS-3 is assigned to Priya.
    OPS-31 was reassigned from Priya to Marcus.
OPS-3 is assigned to Priya.
    The review of OPS-3 was assigned to Marcus.
The slide deck is in the shared drive.
    I switched to the next slide.
The volume is 40%.
    The volume was turned up to 60% for the chorus.
The flag is at the town hall.
    The flag was raised to half-mast.
Anna lives in Berlin.
    Anna went from Berlin to Paris by train.
    Anna's parcel was moved to Paris.
    Anna moved her office to Paris.
Anna is 40.
    Anna was raised in Paris.
The bridge is 40 m long.
    The bridge was raised to let a ship pass.
The cut-off is 5 pm.
    The cut-off was moved to 6 pm just this once.
max_depth = 32
    example: max_depth: 32 -> 64
The team is led by Ruiz.
    The team was led by Ruiz and is now disbanded.
The trial lasts 14 days.
    The trial was extended to 30 days for universities.
    The trial of John Smith was moved to 30 May.
The quota is 5 GB.
    The quota was increased from 3 GB to 4 GB in 2019.
The default port is 7100.
    In 2018 the default port was changed to 7000.
The owner of the dashboard is Lee.
    The owner of the dashboard moved to Oslo.
    The owner of the dashboard was promoted to director.
The linter is flake8.
    We discussed switching the linter from flake8 to ruff.
    We switched the linter from flake8 to ruff on a branch.
    We tried switching the linter from flake8 to ruff.
    Switch the linter from flake8 to ruff.
The museum's director is Ana Reis.
    Ana Reis took over as director of the gallery.
    Leo Pont took over as acting director of the museum.
The release process is owned by Zoltan.
    Zoltan handed part of the release process over to Mei.
    Zoltan took over the release notes from Mei.
Refunds are handled by the Lisbon office.
    Refunds over 500 euros were taken over by the Kraków office.
The head chef is Mona.
    The sous-chef was replaced by Rui.
"""


@pytest.mark.parametrize(("first", "second"), pairs_of(KEPT), ids=lambda text: text[:50])
def test_what_changes_something_else_closes_nothing(first: str, second: str) -> None:
    """A true fact that vanishes is worse than a stale one that stays."""
    assert_kept(first, second)
