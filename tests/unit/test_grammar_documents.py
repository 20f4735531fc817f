"""Documentation and its like: a sentence with another value takes the place of the one before, clauses and all.

The sentences hold a bound, a period, a threshold or an address among conditions, purposes, asides and second clauses.
"""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction

GRAMMAR = GrammarExtractor()


def closed(earlier: Extraction, later: Extraction) -> list[str]:
    """Return the values of an earlier text that a later one replaces."""
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts if f.object is not None}
    return [
        f.object or "" for f in earlier.facts if stated.get((f.subject, f.relation, f.dimension), f.value) != f.value
    ]


EVOLVING = [
    ("A trial workspace expires {} after it is created, counted from the first login.", "14 days", "30 days"),
    ("The client retries a failed upload {} times before it gives up.", "3", "5"),
    ("Sessions last {}, after which users have to sign in again.", "8 hours", "12 hours"),
    ("A build is cancelled when it runs longer than {}.", "40 minutes", "60 minutes"),
    ("Clients may send {} requests per minute, and are answered with 429 beyond that.", "60", "120"),
    ("You need Go {} or later to build the agent from source.", "1.20", "1.22"),
    ("Set `max_connections` to {} on the replica hosts.", "200", "400"),
    ("You can reach the billing team at {}.", "billing@corvid.example", "accounts@corvid.example"),
    ("The nightly export takes up to {}, so don't schedule anything right after it.", "25 minutes", "45 minutes"),
    ("Access tokens are valid for {} and cannot be extended.", "15 minutes", "1 hour"),
    ("The scheduler checks for new work every {} unless you set `POLL_INTERVAL`.", "30 seconds", "10 seconds"),
    ("Unless you pass `--depth`, the crawler follows links at most {} levels deep.", "4", "6"),
    ("By default, the logger rotates files at {} (see `rotate_size`).", "100 MB", "250 MB"),
    ("Invoices must be paid within {} of receipt.", "30 days", "14 days"),
    ("The health check fails if the database does not answer within {}.", "2 seconds", "5 seconds"),
    ("Photos larger than {} are rejected before they reach the scanner.", "8 MB", "12 MB"),
    ("The library supports Python {} and above.", "3.9", "3.10"),
    ("If no region is given, the CLI falls back to {}.", "eu-west-1", "eu-central-1"),
    ("Office hours for the data platform are on {} at 14:00, in the large meeting room.", "Tuesday", "Thursday"),
    ("A password has to be at least {} characters long and contain a digit.", "10", "14"),
    ("When the disk is more than {} full, the janitor starts to remove old artifacts.", "85 %", "90 %"),
    ("Comments can be edited for {} after they were posted.", "15 minutes", "2 hours"),
    ("Support tickets of priority 1 are answered within {}, around the clock.", "4 hours", "1 hour"),
    ("The image is based on {}, which keeps it below 200 MB.", "python:3.11-slim", "python:3.12-slim"),
    ("Every pull request needs {} approvals before it can be merged.", "one", "two"),
    ("The debug server listens on {}, and is not reachable from outside.", "127.0.0.1:6060", "127.0.0.1:6061"),
    ("The free plan includes {} API calls a month, with a limit of 5 per second.", "1,000", "2,500"),
    (
        "The pipeline reads its settings from `{}`, relative to the working directory.",
        "config/pipeline.yml",
        "conf/pipeline.toml",
    ),
    ("New employees get {} days of paid leave a year.", "25", "28"),
    ("The maximum size of a single attachment (after encoding) is {}.", "10 MB", "25 MB"),
    ("Workers that have been idle for {} are shut down.", "10 minutes", "20 minutes"),
    ("The mirror is refreshed {}, at times that we do not announce.", "twice a day", "once a day"),
    ("The replica lags behind the primary by no more than {} under normal load.", "5 seconds", "30 seconds"),
    ("The cursor that the endpoint returns expires after {}.", "10 minutes", "30 minutes"),
    ("The recommended heap for the indexer is {}, half of which it uses for caches.", "4 GB", "6 GB"),
    ("Devices report their position every {}, even when they do not move.", "15 minutes", "5 minutes"),
    ("The secret must be rotated every {} days, which the compliance team checks.", "90", "60"),
    ("You will be logged out after {} of inactivity.", "20 minutes", "30 minutes"),
    ("The tool writes its report to `{}` when it is done.", "build/report.html", "out/report.html"),
    ("The certificate for the edge hosts is renewed {} days before it expires.", "30", "21"),
    ("Tests that take longer than {} must carry the `slow` marker.", "30 seconds", "60 seconds"),
    ("The compactor merges segments once there are more than {} of them.", "10", "16"),
    ("The default page size is {}, and can be raised with the `limit` parameter.", "25", "50"),
    ("Anything above {} triggers the noise alarm in the lab.", "70 dB", "65 dB"),
    ("Run the linter with a line length of {}, as CI does.", "100", "120"),
    ("The token bucket holds {} tokens and is refilled at a steady pace.", "50", "80"),
    ("The server closes idle connections after {}, so clients should reconnect.", "75 s", "60 s"),
    ("Logs are shipped to {} over TLS.", "logs-eu.corvid.example", "logs-de.corvid.example"),
    ("A single key can hold values of up to {}.", "512 KB", "1 MB"),
    ("Late submissions lose {} points per day.", "5", "10"),
    ("The consumer group `billing` has a lag alarm at {} messages.", "10,000", "50,000"),
    ("The maximum number of allowed bytes to read is {}.", "1 MB", "4 MB"),
    ("The model is split into shards of {} each and saved as safetensors.", "5 GB", "10 GB"),
    ("Upload a local file (up to {}) to the given repository.", "50 GB", "80 GB"),
    ("The server sends heartbeats every {}, so a missed one is noticed soon.", "15s", "20s"),
    ("Columns with more than {} characters are automatically written as StrL.", "2045", "4090"),
    ("The default is {}, which means that a single thread is used.", "0", "1"),
    (
        "Data is automatically pushed to the hub every {}, unless `commit_every` says otherwise.",
        "5 minutes",
        "10 minutes",
    ),
    ("The combined length of all labels for a single variable must be {} characters or smaller.", "32,000", "64,000"),
    ("If the key is not present, the default value of `{}` will be used.", "1048576", "2097152"),
    ("Small inputs are allocated as slices of a larger tensor aligned to {} bytes.", "128", "256"),
    ("The terms of the lease require {} notice, given in writing.", "3 months", "6 months"),
    ("Employees who work more than {} a day are entitled to a break.", "6 hours", "5 hours"),
    ("Only the last {} log lines are attached to the alert.", "50", "200"),
    ("The emergency number for the machine room is {}, day and night.", "+49 30 555 0117", "+49 30 555 0199"),
    ("A release branch is cut {} before the planned date.", "two weeks", "three weeks"),
    ("Records are written in groups of {} to save on round trips.", "64", "128"),
    ("Feature flags are fetched at start-up and refreshed every {} seconds thereafter.", "60", "90"),
    ("The compose file exposes Grafana on port {} of your machine.", "3000", "3300"),
    ("The endpoint returns {} when the job was accepted, with its id in the body.", "202", "201"),
    ("Minutes are sent round no later than {} after the meeting.", "two days", "three days"),
    (
        "Our mirror in Oslo is at {}, maintained by volunteers.",
        "https://oslo.mirror.example/pub",
        "https://no.mirror.example/pub",
    ),
    ("With `--strict`, the checker exits with status {} when it finds a warning.", "2", "3"),
    ("We ask reviewers to respond within {} working days.", "two", "three"),
    ("The hash is computed with {} over the file's contents.", "SHA-1", "SHA-256"),
    ("The default branch of Marten is protected, and merging into it needs {} approvals.", "two", "three"),
    ("Breakfast is included, and the deposit for a double room at the Heron Inn is {}.", "€50", "€80"),
    ("Heron exports its tables every night, and the files land in {}.", "s3://heron-out", "s3://heron-lake"),
    ("The pool is open all year, but the water is heated to {} only from October on.", "26 °C", "28 °C"),
    ("The gateway terminates TLS, and it forwards requests to port {}.", "8080", "9090"),
    ("The scheduler polls the queue once a minute, and it takes {} jobs at a time.", "10", "25"),
    ("When the Dunlin pump overheats, it shuts itself down for {}.", "10 minutes", "20 minutes"),
    ("To keep costs low, Dipper runs its batch jobs at {}.", "02:00", "04:00"),
    ("The kernel on the Siskin hosts is pinned to {} to keep the driver working.", "6.1", "6.6"),
    ("In order to save paper, receipts are kept for {} and then shredded.", "90 days", "30 days"),
    ("Snipe compresses its logs with {} to save space.", "gzip", "zstd"),
    ("Rooms can be booked online, and the earliest check-in at the Fern Lodge is {}.", "14:00", "15:00"),
    ("Ibis has no admin interface, and the only way in is through port {}.", "2222", "2022"),
    ("The Coot newsletter is free, and it comes out on {}.", "Tuesdays", "Thursdays"),
    ("Knot caches lookups, and the cache holds {} entries.", "500", "2,000"),
    ("Kestrel reads its config once a minute, so a change takes effect within {}.", "60 seconds", "90 seconds"),
    ("You don't need a ticket for the Ling museum, but a locker costs {}.", "2 euros", "3 euros"),
    ("Rook is a queue, and it drops messages after {}.", "3 days", "7 days"),
    ("Every request is given {} seconds to complete; after that the proxy returns an error.", "30", "45"),
    ("The importer skips lines that are longer than {} bytes.", "1,024", "4,096"),
    (
        "Cookies set by the portal expire when the browser is closed or after {}, whichever comes first.",
        "8 hours",
        "24 hours",
    ),
    ("A new key becomes active within {} of being created.", "60 seconds", "10 minutes"),
    ("Customers have {} days to return an item they do not like.", "14", "30"),
    ("Passwords are hashed {} times before they are stored.", "10,000", "100,000"),
    ("The installer needs {} of memory, plus swap.", "2 GB", "4 GB"),
    ("Search results are limited to the first {} matches.", "1000", "500"),
    ("To restart the service, run {} as root.", "`systemctl restart kestrel`", "`kestrelctl restart`"),
    ("Dumps are uploaded to the bucket {} and removed from the host.", "`dumps-eu`", "`dumps-nordic`"),
    ("The gate closes {} minutes before departure.", "20", "15"),
    ("Long-running queries are killed after {}, unless they run under the `batch` role.", "10 minutes", "5 minutes"),
    ("The agent buffers at most {} events on disk while the collector is unreachable.", "10,000", "50,000"),
    ("Interest is charged at {} per month on overdue invoices.", "0.5 %", "0.8 %"),
    ("The `limit` parameter accepts values up to {}; larger ones are clamped.", "100", "250"),
    ("Our parental leave policy grants every parent {} at full pay.", "16 weeks", "20 weeks"),
    ("The response contains no more than {} items, sorted by date.", "50", "200"),
    ("The CLI stores its token in {}, readable only by you.", "`~/.kestrel/token`", "`~/.config/kestrel/token`"),
    ("Interns are paid {} an hour, whatever their field.", "€18", "€21"),
    ("Two-factor codes stay valid for {} and can be used once.", "30 seconds", "60 seconds"),
    ("The default log level is {}, which hides debug output.", "`info`", "`warning`"),
    ("The meter reading has to reach us by {}.", "31 December", "15 January"),
    ("You have {} to accept an invitation before it lapses.", "48 hours", "72 hours"),
    ("Only {} people may hold the root key at any time.", "2", "3"),
    ("Traces are sampled at a rate of {} so as not to flood the collector.", "1 %", "5 %"),
]


@pytest.mark.parametrize(("sentence", "first", "second"), EVOLVING, ids=[s[:60] for s, _, _ in EVOLVING])
def test_another_value_in_the_same_sentence_supersedes(sentence: str, first: str, second: str) -> None:
    """What else the sentence says stays in the key, and none of it is left over."""
    earlier, later = GRAMMAR.extract([sentence.format(first), sentence.format(second)])
    assert closed(earlier, later)
    assert not earlier.prose
    assert not closed(earlier, earlier)


LOOK_ALIKES = [
    ("An account is locked after 6 failed attempts.", "A card is locked after 3 failed attempts."),
    ("Clients may send 60 requests per minute.", "Premium clients may send 120 requests per minute."),
    ("Photos larger than 8 MB are rejected.", "Videos larger than 80 MB are rejected."),
    (
        "The client retries a failed upload 3 times before it gives up.",
        "The client retries a failed download 5 times before it gives up.",
    ),
    ("Reminders go out 3 days before the deadline.", "Reminders go out 7 days before the deadline."),
    (
        "An alert is raised when the disk is more than 80 % full.",
        "An alert is raised when the disk is more than 90 % full.",
    ),
    (
        "The operator is warned once the queue exceeds 500 entries.",
        "The operator is warned once the queue exceeds 900 entries.",
    ),
    ("In our benchmark, the parser takes up to 40 ms.", "In our benchmark, the parser takes up to 55 ms."),
    ("The deployment took up to 40 minutes.", "The deployment took up to 50 minutes."),
    ("A build may take 40 minutes.", "A build may take 60 minutes."),
    ("Some clients wait 5 seconds before they retry.", "Some clients wait 10 seconds before they retry."),
    ("Set the timer to 10 minutes.", "Set the timer to 20 minutes."),
    ("For example, sessions last 8 hours.", "For example, sessions last 12 hours."),
    ("Sessions should last 8 hours.", "Sessions should last 12 hours."),
    ("Sessions might last at most 8 hours.", "Sessions might last at most 12 hours."),
    ("We plan to keep backups for 30 days.", "We plan to keep backups for 60 days."),
    (
        "Backups were kept for 30 days before they were deleted.",
        "Backups were kept for 60 days before they were deleted.",
    ),
    ("Step 3 takes up to 5 minutes.", "Step 4 takes up to 8 minutes."),
    ("Requests to `/v1` must be no larger than 5 MB.", "Requests to `/v2` must be no larger than 20 MB."),
    ("A password has to be at least 10 characters long.", "A password has to be at most 64 characters long."),
    ("Rooms for up to 4 people have a projector.", "Rooms for up to 8 people have a projector."),
    ("Orders over 50 euros ship free.", "Orders over 50 euros to Norway ship for 9 euros."),
    (
        "The cache keeps entries for 10 minutes, unless they are pinned.",
        "The cache keeps entries for 30 minutes, if they are pinned.",
    ),
    ("The snapshot job keeps 7 daily backups.", "The snapshot job keeps 4 weekly backups."),
    ("Set `max_connections` to 200 on the replica hosts.", "Set `max_connections` to 400 on the primary hosts."),
    ("Set `log_level` to debug to see the queries.", "Set `log_level` to info to save space."),
    ("You need Go 1.20 or later to build the agent.", "You need Go 1.22 or later to build the server."),
    (
        "You can reach the billing team at billing@corvid.example.",
        "You can reach the sales team at sales@corvid.example.",
    ),
    (
        "If the body is larger than 1 MB, the proxy compresses it.",
        "If the body is larger than 10 MB, the proxy rejects it.",
    ),
    ("If the timeout is 30 seconds, the job fails.", "If the timeout is 60 seconds, the job fails."),
    ("When 3 nodes are down, the cluster turns read-only.", "When 2 nodes are down, the cluster turns read-only."),
    ("A ticket costs 5 euros.", "A ticket costs 8 euros."),
    ("Trains leave every 10 minutes in the morning.", "Trains leave every 20 minutes in the evening."),
    ("The bus stops at 9:15 in Vell.", "The bus stops at 11:15 in Vell."),
    (
        "Workers that have been idle for 10 minutes are shut down.",
        "Workers that have been stuck for 20 minutes are shut down.",
    ),
    ("The endpoint returns 202 when the job was accepted.", "The endpoint returns 409 when the job was rejected."),
    ("The tool exits with status 2 when it finds a warning.", "The tool exits with status 1 when it finds an error."),
    (
        "With `--strict`, the checker allows at most 3 warnings.",
        "With `--loose`, the checker allows at most 30 warnings.",
    ),
    ("Kim borrowed 5 books for three weeks.", "Kim borrowed 8 books for three weeks."),
    (
        "The incident lasted 40 minutes, so customers complained.",
        "The incident lasted 90 minutes, so customers complained.",
    ),
    ("You can choose 5 or 10 attempts.", "You can choose 20 or 30 attempts."),
    ("The window can be set to 30 days.", "The window can be set to 60 days."),
    ("Typically, a sync takes up to 5 minutes.", "Typically, a sync takes up to 9 minutes."),
    (
        "Uploads up to 5 MB are scanned at once, larger ones at night.",
        "Uploads up to 50 MB are scanned on arrival, larger ones never.",
    ),
    ("The lamp does not switch off after 10 minutes.", "The lamp does not switch off after 20 minutes."),
    (
        "No job waits longer than 5 minutes in theory, according to Kim.",
        "No job waits longer than 9 minutes in theory, according to Kim.",
    ),
    (
        "The connect timeout is 5 s, counted from the first byte.",
        "The read timeout is 9 s, counted from the first byte.",
    ),
    (
        "In staging, logs are kept for 3 days so that disks stay small.",
        "In production, logs are kept for 30 days so that disks stay small.",
    ),
    ("Copies from Oslo to Bergen take up to 5 minutes.", "Copies from Bergen to Oslo take up to 9 minutes."),
    (
        "Members can borrow 5 books at a time, for three weeks each.",
        "Members can borrow 2 films at a time, for one week each.",
    ),
    ("A manager must approve sums above 500 euros.", "The board must approve sums above 5,000 euros."),
    ("Children under 6 travel free.", "Dogs under 8 kg travel free."),
    ("The survey must have taken 40 minutes.", "The survey must have taken 60 minutes."),
    ("The library supports Python 3.9.", "The library supports Python 3.10."),
    ("Supported are Python 3.9 and above, on Linux.", "Supported are Python 3.11 and above, on Windows."),
    ("The report covers at most 5 pages per chapter.", "The summary covers at most 2 pages per chapter."),
    (
        "The guide tells you to wait 5 minutes after the flush.",
        "The guide tells you to wait 9 minutes after the drain.",
    ),
    ("A discount applies after 10 rentals.", "A discount applies after 20 rentals."),
    ("Emails are sent 2 days after the order.", "Emails are sent 9 days after the order."),
    ("The API accepts pages between 10 and 50 rows.", "The API accepts pages between 20 and 90 rows."),
    (
        "Last year clients could send up to 60 requests per minute.",
        "Last year clients could send up to 90 requests per minute.",
    ),
    ("Node 5 keeps 7 backups, so that it can be restored.", "Node 6 keeps 9 backups, so that it can be restored."),
    ("The gateway sends 3 probes every 5 seconds.", "The gateway sends 3 traces every 9 seconds."),
    (
        "If we raised the limit to 50 MB, uploads would time out.",
        "If we raised the limit to 80 MB, uploads would time out.",
    ),
    ("He says that tokens expire after 15 minutes.", "He says that tokens expire after 30 minutes."),
    ("Another 5 GB are reserved for logs.", "Another 8 GB are reserved for logs."),
    (
        "The first retry happens after 5 seconds, the next one later.",
        "The second retry happens after 20 seconds, the next one later.",
    ),
    (
        "Is a build cancelled when it runs longer than 40 minutes?",
        "Is a build cancelled when it runs longer than 60 minutes?",
    ),
    (
        "The hike to Torp starts at eight, and the meeting point is the old mill.",
        "The hike to Vik starts at eight, and the meeting point is the ferry quay.",
    ),
    (
        "The Larch shop has no website, but you can order by phone on 555-0123.",
        "The Fir shop has no website, but you can order by phone on 555-0188.",
    ),
    (
        "The Fen bridge is closed to lorries, and cars pay a toll of €4.",
        "The Ness bridge is closed to lorries, and cars pay a toll of €9.",
    ),
    ("Knot caches lookups, and the cache holds 500 entries.", "Ruff caches lookups, and the cache holds 900 entries."),
    (
        "The Marram ferry carries no cars, and a single crossing takes 35 minutes.",
        "The Sedge ferry carries no cars, and a single crossing takes 50 minutes.",
    ),
    (
        "Dunlin caches credentials, and it encrypts them with AES-128-GCM.",
        "Dunlin caches sessions, and it encrypts them with AES-256-GCM.",
    ),
    (
        "Bookings can be changed online, and the fee that Pelican charges for it is £12.",
        "Bookings can be cancelled online, and the fee that Pelican charges for it is £15.",
    ),
    (
        "Breakfast is included, and the deposit for a single room is €50.",
        "Breakfast is included, and the deposit for a double room is €80.",
    ),
    (
        "Notifications about failed builds go to the channel `#builds`.",
        "Notifications about failed deploys go to the channel `#deploys`.",
    ),
    ("Interns are paid €18 an hour.", "Apprentices are paid €15 an hour."),
    ("You have 48 hours to accept an invitation.", "You have 72 hours to accept an offer."),
    ("Dumps go to the bucket `dumps-eu`.", "Traces go to the bucket `traces-eu`."),
    ("Send the form to the mailbox `hr@a.example`.", "Send the form to the mailbox `pay@a.example`."),
    ("Retries back off, starting at 200 ms.", "Reconnects back off, starting at 500 ms."),
    ("Draft 3 stays valid for 30 days.", "Draft 4 stays valid for 60 days."),
    (
        "Anna leads the data team at Osprey, and her deputy is Tom Ruiz.",
        "Berta leads the web team at Osprey, and her deputy is Ida Berg.",
    ),
    ("Wait 5 minutes before you continue.", "Wait 10 minutes before you continue."),
    ("Leave the dough for 30 minutes, covered with a cloth.", "Leave the dough for 60 minutes, covered with a cloth."),
]


@pytest.mark.parametrize(("first", "second"), LOOK_ALIKES, ids=[first[:60] for first, _ in LOOK_ALIKES])
def test_a_look_alike_supersedes_nothing(first: str, second: str) -> None:
    """Other subjects, scopes and levels, plans, events, options, examples and what is merely possible."""
    earlier, later = GRAMMAR.extract([first, second])
    assert closed(earlier, later) == []
    assert closed(later, earlier) == []
