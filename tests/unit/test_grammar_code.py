"""Statements about code, APIs, dependencies and configuration as their writers make them, and what looks like them."""

from __future__ import annotations

import pytest

from eval.probe import retired_by
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()

EVOLVING = [
    # what stands around the statement stays in the key
    ("In Brightwater's ledger package, the class that holds open invoices is {}.", "`Book`", "`OpenInvoices`"),
    ("In production the log retention is {}.", "14 days", "30 days"),
    ("In Fernway the retry count is {}.", "4", "6"),
    ("By default the importer reads {} rows per batch.", "500", "2000"),
    ("If omitted, `tray` defaults to {}.", "`upper`", "`manual`"),
    ("The alias for the search index, used by the kiosk, is {}.", "`parcels`", "`parcels_live`"),
    ("The import job, which runs on the depot server, uses a batch size of {}.", "100", "250"),
    ("The gateway listens on {}, which the firewall lets through.", "8080", "8443"),
    ("The step that charges the card is handled by {}.", "`charge_card`", "`capture_payment`"),
    ("Tallow needs Node {} or later.", "18", "20"),
    # chats, tickets and commits
    ("omar.b: fyi the helper that trims barcodes is now {}", "`strip_code`", "`clean_barcode`"),
    ("Tomas (platform): the artefact registry for Python wheels is {}", "devpi", "Nexus"),
    ("VOX-212: the voice queue is named {}.", "`vox-inbound`", "`vox-calls`"),
    ("[OPS-88] The depot sync runs every {}.", "30 seconds", "60 seconds"),
    ("refactor: the parser class is called {}", "`TariffParser`", "`RateParser`"),
    ("per ACR-77 the max label width is {}", "80 mm", "104 mm"),
    # orders of use
    ("Run {} to build the documentation.", "`make docs`", "`tox -e docs`"),
    ("To restart the gateway, run {}.", "`systemctl restart gw`", "`gwctl restart`"),
    ("To rotate the signing key, call {}.", "`rotate()`", "`rotate_key()`"),
    ("Call {} to empty the write buffer.", "`flush()`", "`drain()`"),
    ("POST to {} to create a booking.", "`/v1/bookings`", "`/v2/reservations`"),
    ("To list the open berths, send a GET request to {}.", "`/berths`", "`/harbour/berths`"),
    ("Set {} to point the ledger at its database.", "`LEDGER_DB`", "`LEDGER_DATABASE_URL`"),
    ("Pass {} to choose where the report goes.", "`--out`", "`--output-dir`"),
    ("Import the client from {}.", "`orchard.client`", "`orchard.api.client`"),
    ("`FieldReader` is imported from {}.", "`acre.io`", "`acre.readers`"),
    ("Deploy the portal with {}.", "`./deploy.sh`", "`make release`"),
    ("You get a session by calling {}.", "`connect()`", "`open_client()`"),
    # names
    ("The report generator goes by the name {}.", "`repgen`", "`reportly`"),
    ("The package known as {} holds the lighting rules.", "`lumen-core`", "`lumen-base`"),
    ("What the portal has in its timeout setting is {}.", "30 seconds", "90 seconds"),
    ("{} is what the reading model has in its depth column.", "`tide_level`", "`water_level`"),
    ("The CI job that runs integration tests is named {}.", "`it`", "`integration`"),
    ("The column for the harbour name is {}.", "`harbour`", "`harbour_name`"),
    # signatures
    ("`load_route` returns a {}.", "list", "generator"),
    ("The `weight` field of a parcel is a {}.", "string", "number"),
    ("`connect()` raises {} when the buoy is unreachable.", "`IOError`", "`LinkDown`"),
    ("`parse_manifest` takes {}.", "one argument", "two arguments"),
    ("The class `Tray` extends {}.", "`Device`", "`Peripheral`"),
    # services
    ("Updating a berth uses {}.", "PUT", "PATCH"),
    ("Uploading a label needs the {} scope.", "`labels:write`", "`media:write`"),
    ("A new berth is created by sending POST to {}.", "`/berths`", "`/v2/moorings`"),
    ("Successful deletes on the berth API come back with {}.", "200", "204"),
    ("The billing service depends on pydantic {}.", "1.10", "2.7"),
    ("The deploy workflow uses `actions/cache@{}`.", "v3", "v4"),
    ("The portal expects Postgres on port {}.", "5432", "6543"),
    ("The nightly export is scheduled at {}.", "02:15", "03:40"),
    ("Amounts in the API are expressed in {}.", "cents", "euros"),
    ("A reference may be at most {} characters long.", "20", "35"),
    ("PgBouncer runs in {} mode.", "session", "transaction"),
    ("Printer logs are rotated {}.", "daily", "weekly"),
    # what verbs and prepositions govern
    ("Passwords are hashed with {}.", "bcrypt", "argon2id"),
    ("Requests to the label API carry the API key in the {} header.", "`X-Key`", "`X-Api-Token`"),
    ("Lockfiles for Quillon are produced by {}.", "Poetry", "PDM"),
    ("Secrets for the portal are kept in {}.", "Vault", "AWS Secrets Manager"),
    ("Packages are published to the {} registry.", "Nexus", "Artifactory"),
    ("Release branches of Petrel are cut from {}.", "`develop`", "`main`"),
    ("The orders service talks to the stock service over {}.", "REST", "gRPC"),
    ("The web app reads rates from {}.", "`/rates`", "`/fx/latest`"),
    ("The cart page gets its prices from {}.", "`/prices`", "`/v2/price-list`"),
    ("`Money` comes from the {} module.", "`shop.money`", "`shop.types`"),
    ("`Planner` lives in the {} module.", "`core`", "`scheduling`"),
    ("The tariff code is passed in the {} query parameter.", "`tariff`", "`rate`"),
]
KEPT = [
    # another adjunct, aside, ticket or speaker is another key; a doubt, an example or a plan is no statement
    ("In Harbour, the queue for labels is `a`.", "In Depot, the queue for labels is `b`."),
    ("In staging the queue for labels is `a`.", "In production the queue for labels is `b`."),
    ("In the draft, the queue might be `a`.", "In the draft, the queue might be `b`."),
    ("In May the retry count is 4.", "In June the retry count is 6."),
    ("In my view, the queue for labels is `a`.", "In my view, the queue for labels is `b`."),
    ("For example, the parameter for the depot is `a`.", "For example, the parameter for the depot is `b`."),
    ("The queue, used by the kiosk, is `a`.", "The queue, used by the portal, is `b`."),
    ("The hub, which Ann runs, listens on port 80.", "The hub, which Bob runs, listens on port 81."),
    ("The step that charges the card is handled by `a`.", "The step that refunds the card is handled by `b`."),
    ("When the hub sleeps, the port is 80.", "When the hub wakes, the port is 81."),
    ("OPS-7: status is open.", "OPS-8: status is closed."),
    ("Bob: the port is 8080.", "Bob: the port is 9090."),
    ("lena: my desk is number 12", "omar: my desk is number 14"),
    ("lena: is the port of the hub 8080?", "lena: is the port of the hub 9090?"),
    ("plan: the port of the hub is 9090", "plan: the port of the hub is 9191"),
    # orders without a purpose, with a purpose of many, as alternatives, or for once
    ("Run `make docs`.", "Run `make test`."),
    ("Run `make docs` to build the docs.", "Run `make lint` to check the sources."),
    ("Use `--parallel` to speed up the build.", "Use `--cached` to speed up the build."),
    ("Use `--json` or `--yaml` to print the report.", "Use `--csv` or `--xml` to print the report."),
    ("You can also use `--fast` to skip the checks.", "You can also use `--quick` to skip the checks."),
    ("Set `MODE` to strict mode.", "Set `LEVEL` to strict mode."),
    ("Never call `a()` to flush the log.", "Never call `b()` to flush the log."),
    ("Should I call `a()` to flush the log?", "Should I call `b()` to flush the log?"),
    ("POST to `/bookings` to create a booking.", "POST to `/refunds` to create a refund."),
    ("Replace `a` with `b`.", "Replace `a` with `c`."),
    ("Compare the output with `a.txt`.", "Compare the output with `b.txt`."),
    ("Start with `a.md`.", "Start with `b.md`."),
    # names of many
    ("The function that raises `KeyError` is `load`.", "The function that raises `KeyError` is `save`."),
    ("The functions that trim text are `strip`.", "The functions that trim text are `trim`."),
    ("The package known as `core` supports Python 3.", "The package known as `base` supports Python 3."),
    ("The function goes by `f`.", "The function goes by `g`."),
    # what is raised, taken, sent and supported may be several
    ("`load()` raises `KeyError`.", "`load()` raises `ValueError`."),
    ("`load()` raises `KeyError` on a missing key.", "`load()` raises `ValueError` on a bad number."),
    ("`load()` returns a list if `x` is set.", "`load()` returns a dict if `y` is set."),
    ("`load()` accepts a string.", "`load()` accepts a path."),
    ("The class `Tray` implements `Device`.", "The class `Tray` implements `Closeable`."),
    ("Uploading a label needs the `a` secret.", "Uploading a label needs the `b` secret."),
    ("The client sends the `X-Trace` header.", "The client sends the `X-Key` header."),
    ("The service publishes to the topic `orders`.", "The service publishes to the topic `refunds`."),
    ("The service publishes events to `orders`.", "The service publishes events to `refunds`."),
    ("Images of the rota are pushed to Quay.", "Images of the rota are pushed to Docker Hub."),
    ("Cars are built by Ford.", "Cars are built by Toyota."),
    ("Events are handled by `on_open`.", "Events are handled by `on_close`."),
    ("The script copies `a` to `b`.", "The script copies `a` to `c`."),
    ("The tool converts files to `csv`.", "The tool converts files to `json`."),
    ("The crash appears in `hub.py`.", "The crash appears in `depot.py`."),
    ("The config contains values from `a.env`.", "The config contains values from `b.env`."),
    ("The app uses Redis 6.2.", "The app uses Redis 7.0."),
    ("The library supports Python 3.9.", "The library supports Python 3.11."),
    ("The talk is on Python 3.10.", "The talk is on Python 3.11."),
    ("The deploy workflow uses `actions/cache@v3`.", "The deploy workflow uses `actions/checkout@v4`."),
    ("The client uses GET.", "The client uses POST."),
    ("Requests are answered with 200.", "Requests are answered with 404."),
    ("Passwords are hashed with care.", "Passwords are hashed with bcrypt."),
    ("Backups are taken daily.", "Backups are taken weekly."),
    ("The nightly exports are scheduled at 02:15.", "The nightly exports are scheduled at 03:40."),
    ("The app has a team of 5 people.", "The app has a team of 8 people."),
    ("The hub runs on Linux.", "The hub runs on Windows."),
]


@pytest.mark.parametrize(("frame", "first", "second"), EVOLVING, ids=[p[0][:60] for p in EVOLVING])
def test_another_value_in_the_same_statement_retires(frame: str, first: str, second: str) -> None:
    """The same statement with another value takes the place of the first, and the value is read verbatim."""
    earlier, later = GRAMMAR.extract([frame.format(first), frame.format(second)])
    assert retired_by(earlier, later)
    assert all(f.object is not None and f.object in frame.format(second) for f in later.facts)


@pytest.mark.parametrize(("first", "second"), KEPT, ids=[f"{a[:30]} / {b[:40]}" for a, b in KEPT])
def test_what_may_both_be_true_is_kept(first: str, second: str) -> None:
    """Another adjunct, ticket, purpose or act, and what many do or are, retires nothing, in either order."""
    earlier, later = GRAMMAR.extract([first, second])
    assert not retired_by(earlier, later)
    assert not retired_by(later, earlier)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run `make docs` to build the docs.", "To build the docs, run `tox -e docs`."),
        ("Import the parser from `a.b`.", "The parser is imported from `c.d`."),
        ("The planner goes by `Slot`.", "The planner is called `Berth`."),
    ],
)
def test_the_same_said_in_another_way_has_the_same_key(one: str, other: str) -> None:
    """An order and its turned form, and two ways of naming, supersede each other."""
    earlier, later = GRAMMAR.extract([one, other])
    assert retired_by(earlier, later)
    assert retired_by(later, earlier)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The tests fail with `KeyError`.", "The tests fail with `ValueError`."),
        pytest.param(
            "The hub forwards mail to `a@x.org`.",
            "The hub forwards mail to `b@x.org`.",
            marks=pytest.mark.xfail(strict=True, reason="forwarding is read as routing, which has one target"),
        ),
    ],
)
def test_what_fails_or_is_forwarded_may_do_so_in_several_ways(first: str, second: str) -> None:
    """Tests fail with several errors, and mail is forwarded to several addresses."""
    earlier, later = GRAMMAR.extract([first, second])
    assert not retired_by(earlier, later)
