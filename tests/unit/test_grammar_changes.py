"""Statements of change act on the key that the plain statement of the same fact has, in every ordinary form of it."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Fact

GRAMMAR = GrammarExtractor()


def _ends(fact: Fact, later: list[Fact]) -> bool:
    """Whether later facts close an earlier one."""
    same = [f for f in later if (f.subject, f.relation) == (fact.subject, fact.relation)]
    return any(
        f.value in ("", fact.value) if f.object is None else f.dimension == fact.dimension and f.value != fact.value
        for f in same
    )


CHANGED = [
    # Amounts, in any voice and with any agent
    ("wal_keep_size is 1 GB on the orders primary.", "wal_keep_size on the orders primary went from 1 GB to 4 GB."),
    ("The JVM heap of the search indexer is 4G.", "We raised the search indexer's JVM heap to 12G."),
    ("The voting age in Sundra is 18.", "Sundra lowered the voting age to 16."),
    ("Voting age in Sundra: 18", "Sundra has lowered its voting age from 18 to 16."),
    ("The connection pool has a size of 20.", "Connection pool size: raised from 20 to 50."),
    ("max_connections = 100", "max_connections: 100 -> 250"),
    ("The constant MAX_DEPTH is 32.", "Set MAX_DEPTH to 64 (was 32)."),
    ("ARENA_BLOCK: 64 KiB", "Doubled ARENA_BLOCK from 64 KiB to 128 KiB."),
    ("My rent is 1,200 euros.", "My landlord raised the rent to 1,350 euros."),
    ("The hotel's check-in time is 14:00.", "The hotel has pushed its check-in time back to 15:00."),
    ("The trial lasts 14 days.", "The trial was shortened to 7 days."),
    ("The events index has 5 shards.", "The events index was resharded from 5 to 12 shards."),
    ("The base price of the Corsa is 18,900 euros.", "Opal raised the base price of the Corsa to 19,900 euros."),
    ("The rate limit is 100 calls a minute.", "The rate limit has been cut to 60 calls a minute because of abuse."),
    # Versions
    ("urllib3 is pinned to 1.26.18.", "Bump urllib3 from 1.26.18 to 2.2.1"),
    ("uses: actions/cache@v3", "Replaced actions/cache@v3 by actions/cache@v4."),
    ("The Helm chart is at version 4.2.0.", "Helm chart upgraded from 4.2.0 to 4.3.1"),
    ("Kubernetes on the edge cluster is at 1.27.", "The edge cluster was upgraded from Kubernetes 1.27 to 1.29."),
    # Places
    ("The staging cluster of Helio is hosted in Frankfurt.", "We moved Helio's staging cluster to Zurich."),
    ("The staging cluster of Helio is located in Frankfurt.", "Helio's staging cluster was relocated to Zurich."),
    ("The plugin loader resides in core/loader.py.", "Moved the plugin loader from core/loader.py to lib/loader.py."),
    ("`Scheduler` is defined in jobs/core.py.", "`Scheduler` was moved out of jobs/core.py into jobs/timer.py."),
    ("The `users` table is stored in MySQL.", "The `users` table has been migrated from MySQL to Postgres."),
    ("The Kestrel docs site is built with Sphinx.", "The Kestrel docs site was ported from Sphinx to MkDocs."),
    ("The venue of Sunniva's dinner is Trattoria Nino.", "Sunniva's dinner has been moved to Osteria Blu."),
    # Times
    ("The daily standup is at 9:30.", "The daily standup has been moved to 10:15."),
    ("My doctor's appointment is on Tuesday at 3 pm.", "They moved my doctor's appointment to Thursday at 11 am."),
    ("The release date of Orbit 3 is May 5.", "The release of Orbit 3 slipped from May 5 to May 19."),
    ("The alarm is set for 6:30.", "I've reset the alarm for 7:00."),
    ("The backup window starts at 02:00.", "With effect from 3 March, the backup window starts at 03:30."),
    # Names and states
    ("The default branch of the docs repo is master.", "The default branch of the docs repo was renamed to main."),
    ("The function that trims wav is called `clip`.", "The function that trims wav was renamed from `clip` to `cut`."),
    ("The feature flag `new_checkout` is disabled.", "The feature flag `new_checkout` was flipped to enabled."),
    ("The default encoding is latin-1.", "The default encoding used to be latin-1 but is utf-8 now."),
    ("cors.allowed_origin is https://a.example", "`cors.allowed_origin` now reads https://b.example."),
    ("Fernanda's favourite author is Le Guin.", "Fernanda's favourite author has changed to Calvino."),
    ("Lina's bank is Nordbank.", "Lina switched banks from Nordbank to Openfield."),
    ("`retry()` waits 2 seconds.", "`retry()` was changed to wait 5 seconds."),
    # Roles and charges
    ("Zephyr Motors is led by Carla Ruiz.", "Dmitra Kolos now leads Zephyr Motors."),
    ("The editor of The Fathom is Rosa Quill.", "Rosa Quill was succeeded by Hugh Bo as editor of The Fathom."),
    ("The mayor of Pellworth is Ann Dacre.", "The mayor of Pellworth was replaced by Giles Frome."),
    ("The identity provider is Okta.", "We swapped out Okta as the identity provider for Keycloak."),
    ("The primary of the ledger cluster is lr-1.", "Node lr-3 was promoted to primary of the ledger cluster."),
    ("The captain of the Ravens is Ida Bo.", "The captaincy of the Ravens passed from Ida Bo to Lu Wen."),
    ("libfennel is maintained by the core team.", "Maintenance of libfennel was handed over to the tools team."),
    ("The dashboard is owned by the growth team.", "Ownership of the dashboard was transferred to the platform team."),
    ("The book club's host is Petra.", "Petra handed hosting of the book club to Lenka."),
    ("My brother Anton studies at Uppsala.", "My brother Anton transferred from Uppsala to Lund."),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), CHANGED, ids=[second[:60] for _, second in CHANGED])
def test_a_change_closes_the_plain_statement(first: str, second: str) -> None:
    """Whoever changed it, in whichever voice: what held before holds no longer."""
    earlier, later = GRAMMAR.extract([first, second])
    assert earlier.facts
    assert all(_ends(fact, list(later.facts)) for fact in earlier.facts)


_OF_NOW = ("With ", "`cors", "Dmitra Kolos now leads ")  # states as of now


@pytest.mark.parametrize("text", [second for _, second in CHANGED if not second.startswith(_OF_NOW)])
def test_a_change_stays_as_prose(text: str) -> None:
    """That it was changed remains true; each object stands in the text as it is."""
    found = GRAMMAR.extract([text])[0]
    assert found.prose
    assert all(f.object is None or f.object in text for f in found.facts)
    assert len({(f.subject, f.relation) for f in found.facts}) < 24
