"""How much and how many, told in several constructions: counts, lengths, amounts had, limits and periods."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor

_READ = GrammarExtractor()


def _supersedes(first: str, second: str) -> bool:
    before, after = _READ.extract([first, second])
    new = {(f.subject, f.relation, f.dimension): f.value for f in after.facts}
    return any(new.get((f.subject, f.relation, f.dimension), f.value) != f.value for f in before.facts)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # counts
        ("The load_rows function takes 3 arguments.", "load_rows is a function with 5 arguments."),
        ("There are 3 arguments in the signature of load_rows.", "The number of arguments load_rows takes is 5."),
        ("What load_rows takes is 3 arguments.", "5 arguments are taken by load_rows."),
        ("load_rows's argument count stands at 3.", "As of today, load_rows has 5 arguments."),
        ("The `Lease` struct has 9 fields.", "There are 14 fields in the `Lease` struct."),
        ("The beacon cluster has 7 nodes.", "9 is how many nodes the beacon cluster has."),
        ("The number of nodes the beacon cluster has is 7.", "The beacon cluster has a total of 9 nodes."),
        ("The harbour app has 17 overdue tickets.", "The number of overdue tickets in the harbour app is 23."),
        ("The harbour app has 17 overdue tickets.", "23 is the number of overdue tickets in the harbour app."),
        ("Harbour app: 17 overdue tickets", "The harbour app has 23 overdue tickets."),
        ("Oakfield Paper employs 120 people.", "140 is the number of people Oakfield Paper employs."),
        ("At Oakfield Paper, 120 people are employed.", "Oakfield Paper has 140 employees."),
        ("The mailer retries a failed send 3 times.", "5 is how many times the mailer retries a failed send."),
        ("The mailer makes 3 retries on a failed send.", "There are 5 retries for a failed send in the mailer."),
        ("The Linden is a hotel with 40 rooms.", "The Linden has 52 rooms."),
        ("The settings page has 3 flags.", "The number of flags on the settings page is 4."),
        # lengths
        ("The Ledger class is 340 lines long.", "The length of the Ledger class is 515 lines."),
        ("Ledger class: 340 lines", "There are 515 lines in the Ledger class."),
        ("The Ledger class has a length of 340 lines.", "515 is the number of lines the Ledger class has."),
        ("The field guide is 210 pages long.", "The field guide has 260 pages."),
        # what something has of an amount
        ("The ledger has an RPO of 4 hours.", "The RPO of the ledger is 1 hour."),
        ("The claims system has an RPO of 4 hours.", "The RPO of the claims system is 1 hour."),
        ("`max_pool_size` on the replica = 40", "The replica has a `max_pool_size` of 60."),
        (
            "RabbitMQ's prefetch count is 1 for the badge printer.",
            "For the badge printer, we use a RabbitMQ prefetch of 9.",
        ),
        ("The lease has an end date of March 2026.", "The end date of the lease is June 2027."),
        # one dimension
        ("The cellar thermostat is set to 21 degrees.", "I've turned the cellar thermostat down to 18."),
        ("Cellar thermostat: 21 degrees", "The cellar thermostat's setting is 18 degrees."),
        ("The connection pool of the wiki holds 20 connections.", "The size of the wiki's connection pool is 35."),
        ("The connection pool of the wiki is set to 20.", "The connection pool of the wiki is set to 35 connections."),
        # limits and periods
        ("The most memory the crawler may use is 2 GB.", "The memory limit of the crawler is 4 GB."),
        ("88 characters is the longest a title can be in the wiki.", "The maximum title length in the wiki is 120."),
        ("The most hits the finder returns on one page is 50.", "The finder returns at most 80 hits per page."),
        ("It takes 15 minutes for a login token to expire.", "A login token expires after 30 minutes."),
        (
            "On the portal, it takes 15 minutes for a token to expire.",
            "30 minutes is how long a token on the portal lasts.",
        ),
        ("`dial()` waits 5 seconds before it times out.", "The timeout of `dial()` is 20 seconds."),
        ("30 days is how long audit trails are kept.", "The period for which audit trails are retained is 60 days."),
        ("How long audit trails are kept is 30 days.", "Audit trails are kept for 60 days."),
        ("Uploads through the badge form are limited to 5 MB.", "The upload limit of the badge form is 9 MB."),
        ("The tram API is rate-limited to 60 requests per minute.", "The rate limit of the tram API is 90 per minute."),
        ("Clients may call /route 10 times a second.", "The rate limit of /route is 40 calls per second."),
        ("The tours endpoint accepts at most 8 guests.", "Max guests for the tours endpoint is 15."),
        ("The tests cover 73 percent of the parser package.", "The test coverage of the parser package is 91 percent."),
        (
            "91 percent of the parser package is covered by tests.",
            "The parser package's test coverage comes to 73 percent.",
        ),
        ("The badge form's upload limit sits at 5 MB.", "The upload limit of the badge form is 9 MB."),
        ("My weight currently stands at 71 kilos.", "I weigh 68 kilos."),
    ],
)
def test_amounts_told_otherwise_are_one(first: str, second: str) -> None:
    assert _supersedes(first, second)
    assert _supersedes(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The settings page has 3 flags.", "The settings page has 12 options."),
        ("There are 3 flags in the settings page.", "There are 12 parameters in the settings page."),
        ("`parse()` takes 2 arguments.", "`parse()` takes 3 keyword arguments."),
        ("`parse()` takes 2 arguments.", "`render()` takes 3 arguments."),
        ("The Ledger class has 515 lines.", "The Ledger class has 12 lines of comments."),
        ("The number of nodes the beacon cluster has is 7.", "The number of nodes the tide cluster has is 9."),
        ("The number of nodes the beacon cluster has is 7.", "The number of spare nodes the beacon cluster has is 2."),
        ("The number of nodes the beacon cluster has is 7.", "The number of disks the beacon cluster has is 9."),
        ("The number of nodes the beacon cluster has is 7.", "The number of nodes the beacon cluster needs is 9."),
        (
            "The number of nodes the beacon cluster has in Oslo is 7.",
            "The number of nodes the beacon cluster has in Rome is 9.",
        ),
        ("7 is the number of nodes the beacon cluster has.", "9 was the number of nodes the beacon cluster had."),
        ("Harbour app: 17 overdue tickets", "Harbour desk: 40 closed tickets"),
        ("Ann is a trainer with 3 dogs.", "Ann is a trainer with 2 cats."),
        ("Ann is a nurse with 12 years in oncology.", "Ann is a nurse with 20 years in surgery."),
        ("4 arguments are taken by load_rows.", "5 arguments are taken by load_cells."),
        ("The number of people employed by Acme is 40.", "The number of people insured by Acme is 90."),
        ("The field guide is 40 pages long.", "The summary is 2 pages long."),
        ("The field guide is 40 pages long.", "The field guide may be 50 pages long."),
        ("The field guide is 40 pages long.", "The page limit of the field guide is 50 pages."),
        ("The ledger has an RPO of 4 hours.", "The ledger has an RTO of 8 hours."),
        ("The ledger has an RPO of 4 hours.", "The archive has an RPO of 8 hours."),
        ("The ledger has an RPO of 4 hours.", "The ledger had an RPO of 8 hours."),
        ("The lab has a VM of 4 GB.", "The lab has a VM of 8 GB."),
        ("The hotel has a room of 20 m2.", "The hotel has a room of 30 m2."),
        ("Ann has a loan of 5000 euros.", "Ann has a loan of 9000 euros."),
        ("Ann has a son of 12.", "Ann has a son of 9."),
        ("The repo has a file of 4 MB.", "The repo has a file of 9 MB."),
        ("For the badge printer, we use a prefetch of 9.", "For the label printer, we use a prefetch of 4."),
        ("For the badge printer, we use a prefetch of 9.", "For the badge printer, we use a timeout of 9 seconds."),
        ("The lease has an end date of March 2026.", "The lease has a start date of June 2024."),
        ("We use a timeout of 5 seconds in staging.", "We use a timeout of 9 seconds in production."),
        ("The cellar thermostat is set to 21 degrees.", "The cellar thermostat is set to 18 at night."),
        ("The oven is set to 180 degrees.", "The oven is 3 years old."),
        (
            "The minimum size of the connection pool of the wiki is 5.",
            "The wiki's connection pool holds 75 connections.",
        ),
        ("The connection pool of the wiki holds 75 connections.", "The thread pool of the wiki holds 20 threads."),
        ("The most memory the crawler may use is 2 GB.", "The most disk the crawler may use is 20 GB."),
        ("The most memory the crawler may use is 2 GB.", "The memory the crawler uses is 1 GB."),
        (
            "88 characters is the longest a title can be in the wiki.",
            "120 characters is the longest a line can be in the wiki.",
        ),
        ("It takes 15 minutes for an access token to expire.", "It takes 30 days for a refresh token to expire."),
        ("It takes 15 minutes for an access token to expire.", "It takes 2 seconds for an access token to load."),
        ("`dial()` waits 5 seconds before it times out.", "`dial()` waits 9 seconds before it retries."),
        ("30 days is how long audit trails are kept.", "60 days is how long access logs are kept."),
        ("Uploads through the badge form are limited to 5 MB.", "Uploads through the API are limited to 90 MB."),
        (
            "Uploads through the badge form are limited to 5 MB.",
            "Downloads through the badge form are limited to 90 MB.",
        ),
        ("Clients may call /route 10 times a second.", "Admins may call /route 50 times a second."),
        ("Clients may call /route 10 times a second.", "Clients may call /stops 50 times a second."),
        ("The gallery endpoint accepts at most 8 images.", "The gallery endpoint returns at most 20 images."),
        ("The tests cover 80 percent of the parser.", "The integration tests cover 40 percent of the parser."),
        ("The tests cover 80 percent of the parser.", "The tests cover 70 percent of the lexer."),
        ("My weight is 70 kilos.", "My target weight is 65 kilos."),
        ("The bill comes to 40 euros.", "The tip on the bill comes to 10 percent."),
    ],
)
def test_amounts_of_other_things_are_kept(first: str, second: str) -> None:
    assert not _supersedes(first, second)
    assert not _supersedes(second, first)


def test_a_size_is_no_address() -> None:
    for said in ("The badge form's upload limit sits at 50 MB.", "We've raised the upload limit on the form to 50 MB."):
        assert all(f.relation != "lives at" for f in _READ.extract([said])[0].facts)


def test_what_is_quoted_stays_in_the_key() -> None:
    [fact] = _READ.extract(["There are 14 fields in the `Lease` struct."])[0].facts
    assert "lease" in fact.subject
