"""Settings and properties of systems in several forms: a key, a noun, a verb, a row, a note of a commit."""

from __future__ import annotations

import pytest

from eval.probe import retired_by
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()

RESTATED_IN_OTHER_WORDS = [
    # names of settings
    ("The flush interval of the spooler is 15s.", "spooler.flush_interval: 40s"),
    ("The database host for Curlew is db1.curlew.internal.", "CURLEW_DB_HOST=db4.curlew.internal"),
    ("The maximum upload size in Dunlin is 10 MB.", "dunlin.upload.maxSize: 25MB"),
    ("Skerry allows at most 12 viewers.", "skerry.max_viewers = 8"),
    ("Sandpit's base URL is https://a.example.", "SANDPIT_BASE_URL=https://b.example"),
    ("The default locale of the kiosk is en-GB.", "kiosk.default_locale = en-US"),
    ("MOLE_HOME points to /opt/mole.", "export MOLE_HOME=/srv/mole"),
    ("The read timeout of Godwit is 500 ms.", "godwit.read_timeout_ms = 800"),
    # a name before the statement
    ("max_connections is 100 on pg-teal.", "pg-teal: max_connections = 250"),
    ("dark_mode is off in Lumen.", "Lumen: dark_mode enabled"),
    ("The renderer of the kiosk app is pinned to 4.2.7.", "kiosk app: renderer 4.2.7 -> 5.0.3"),
    ("Django in the intranet is pinned to 4.2.7.", "chore(intranet): upgrade django to 5.0.3"),
    ("numpy in the planner service is pinned to 1.24.4.", "Bump numpy to 1.26.2 in the planner service"),
    ("The session timeout of Plover is 10s.", "Plover: increase session timeout from 10s to 30s (#812)"),
    ("The session timeout of Plover is 10s.", "In Plover, session_timeout = 30s."),
    ("Plover's worker count is 4.", "PLOVER_WORKERS=8"),
    ("Plover listens on port 8080.", "PLOVER_PORT=9090"),
    ("plover.tls.enabled: false", "TLS is enabled in Plover."),
    ("maxBodySize in Plover is 1 MB.", "The maximum body size in Plover is 4 MB."),
    ("plover.cache.ttl: 10m", "The cache TTL of Plover is 30 minutes."),
    # verb and noun
    ("Weasel logs to /var/log/weasel.log.", "The log file of Weasel is /srv/log/weasel.log."),
    ("Stoat writes its logs to /var/log/stoat.", "Stoat's log directory is /srv/log/stoat."),
    ("Invoice exports are stored in the bucket inv-exports-1.", "The invoice export bucket is inv-exports-2."),
    ("Stoat reads its config from /etc/stoat.conf.", "The config file of Stoat is /etc/stoat/main.conf."),
    ("The help site deploys from the branch gh-pages.", "The deploy branch of the help site is pages-v2."),
    ("Callbacks of Stoat are signed with HMAC-SHA1.", "The signature algorithm of Stoat callbacks is HMAC-SHA256."),
    ("The vault encrypts with AES-128.", "The encryption algorithm of the vault is AES-256."),
    ("Stoat compresses its snapshots with gzip.", "The compression of Stoat snapshots is zstd."),
    ("Results of Stoat are sorted by name.", "The sort order of Stoat results is date."),
    ("The events table is partitioned by month.", "The partition key of the events table is week."),
    ("Alerts from Plover go to #ops-a.", "Plover's alert channel is now #ops-b"),
    ("The TLS certificate of Plover expires on 2026-03-01.", "Plover TLS certificate expiry: 2027-03-01"),
    ("Cache entries in Plover live for 300 seconds.", "The cache TTL of Plover is 600 seconds."),
    ("Plover is reachable at http://plover.lan:3000.", "The URL of Plover is http://plover2.lan:3000."),
    ("The health check of Plover is at /healthz.", "The health check path of Plover is /livez."),
    ("The service Plover is written in Go.", "The implementation language of the service Plover is Rust."),
    ("Plover runs in eu-west-1.", "Plover's AWS region is eu-central-1."),
    ("The admin UI is served on port 8081.", "admin UI port = 9091"),
    ("The docs of Plover are hosted at docs.plover.example.", "The docs of Plover are at help.plover.example."),
    ("Plover exposes metrics on port 9100.", "The metrics port of Plover is 9200."),
    ("Plover's Dockerfile starts from alpine:3.17.", "The base image of Plover's Dockerfile is alpine:3.19."),
    # how often, how many, how much
    ("Plover sends a heartbeat every 5 seconds.", "Plover's heartbeat interval is 15 seconds."),
    ("Plover is replicated 3 times.", "The replication factor of Plover is 5."),
    ("The image of Plover weighs 450 MB.", "The image size of Plover is 310 MB."),
    ("Plover drops messages older than 3 days.", "Message retention in Plover: 7 days"),
    ("Titles in Plover may have up to 80 characters.", "The maximum title length in Plover is 120 characters."),
    ("Logs from the gate are rotated daily.", "Gate log rotation: hourly"),
    ("Plover rotates its logs daily.", "The log rotation interval of Plover is 12 hours."),
    ("Snapshots of vol-9 are taken every 6 hours.", "vol-9 snapshot frequency: every 4 hours"),
    ("The nightly vacuum is scheduled at 02:30.", "The nightly vacuum now starts at 03:15."),
    ("Replica count of the ingest deployment: 3", "The ingest deployment now runs 5 replicas."),
    ("gunicorn starts with 4 workers in the api container.", "In the api container, gunicorn's worker count is 6."),
    ("Plover retries 3 times before giving up.", "The retry count of Plover is 5."),
    ("Importers process 50 messages per batch.", "The batch size of importers is 80."),
    ("The Plover importer processes batches of 200 rows.", "Plover importer batch size = 1000 rows"),
    ("The linter allows lines up to 88 characters.", "Max line length for the linter: 100"),
    ("Plover keeps at least 2 nodes.", "The minimum number of nodes of Plover is 4."),
    ("Requests to Plover time out after 30 seconds.", "Plover's request timeout is 45 seconds."),
    ("Idle sessions in Plover are closed after 10 minutes.", "The idle session timeout of Plover is 20 minutes."),
    ("Plover samples 10% of traces.", "The trace sampling rate of Plover is 25%."),
    ("The lambda has 256 MB of memory.", "The memory size of the lambda is 512 MB."),
    ("Plover needs iOS 14 or later.", "The minimum iOS version of Plover is 16."),
    ("The forms service is on pydantic 1.10.13.", "The forms service was upgraded to pydantic 2.5.2."),
    ("Plover closes idle connections after 60 seconds.", "The idle connection timeout of Plover is 90 seconds."),
    ("The disk alert fires at 80%.", "Disk alert threshold: 90%"),
    ("plover.example resolves to 10.0.0.4.", "The A record of plover.example is 10.0.0.9."),
    ("lodash in the portal is at 4.17.19.", "portal: lodash 4.17.21"),
    ("`scan_rows` defaults `limit` to 100.", "The default `limit` of `scan_rows` is 250."),
    ("The root volume of ci-3 is 40 GB.", "ci-3 root volume size: 80 GB"),
    ("Plover's queue is backed by Redis.", "The queue backend of Plover is RabbitMQ."),
    # rows of a table whose head is out of sight
    ("The firmware of the sensor gateway is 3.4.1.", "| sensor gateway | firmware | 3.6.0 |"),
    ("The Otter gateway times out after 30 seconds.", "| Otter gateway | timeout | 75 seconds |"),
    ("| Lead time | custom frames | 10 days |", "The lead time for custom frames is 14 days."),
    ("| Stint worker memory limit | 512 MB |", "The memory limit of the Stint worker is 1 GB."),
]

KEPT = [
    # names of settings that differ in a word
    ("Skerry allows at most 12 viewers.", "skerry.min_viewers = 2"),
    ("spooler.flush_interval: 40s", "spooler.poll_interval: 10s"),
    ("spooler.flush_interval: 40s", "The flush interval of the logger is 15s."),
    ("spooler.flush_interval: 40s", "The flush interval of the spooler is 40 seconds."),
    ("godwit.read_timeout: 5s", "The write timeout of Godwit is 9s."),
    ("godwit.connect_timeout: 5s", "The idle timeout of Godwit is 9s."),
    ("godwit.client_timeout: 5s", "The server timeout of Godwit is 9s."),
    ("godwit.soft_limit: 5", "The hard limit of Godwit is 9."),
    ("mirror.source_dir: /a/b", "The target directory of the mirror is /c/d."),
    ("godwit.limits.per_user: 5", "godwit.limits.per_org: 50"),
    ("godwit.default_page_size: 25", "The maximum page size of Godwit is 50."),
    ("godwit.staging.port: 7070", "godwit.prod.port: 7171"),
    ("GODWIT_DB_HOST=db1.lan", "GODWIT_DB_REPLICA_HOST=db2.lan"),
    ("GODWIT_DB_HOST=db1.lan", "GODWIT_CACHE_HOST=db2.lan"),
    ("`MAX_RETRIES` is 5.", "`max_retries` is 3."),
    ("poll_interval in a.yml is 5s.", "poll_interval in b.yml is 6s."),
    ("godwit.read_timeout_ms = 5000", "The read timeout of Godwit is 5 seconds."),
    ("The flag dark_mode is off in Lumen.", "The flag dark_theme is on in Lumen."),
    # names before a statement
    ("pg-a: max_connections = 100", "pg-b: max_connections = 250"),
    ("pg-a: max_connections = 100", "pg-a: min_connections = 5"),
    ("Max connections: 100", "TODO: max connections = 250"),
    ("Bob: my port is 8080.", "Ann: my port is 9090."),
    ("Error: pool size 5", "Error: pool size 9"),
    ("Example: max_connections = 100", "Example: max_connections = 250"),
    ("pool size = 5", "Draft: pool size = 9"),
    ("celery in the shop is pinned to 5.2.1.", "chore(intranet): upgrade celery to 5.4.0"),
    ("celery in the shop is pinned to 5.2.1.", "TODO: bump celery to 5.4.0 in the shop"),
    ("celery in the shop is pinned to 5.2.1.", "Should we bump celery to 5.4.0 in the shop?"),
    ("celery in the shop is pinned to 5.2.1.", "Bump celery to 5.4.0 in the staging shop"),
    ("celery in the shop is pinned to 5.2.1.", "shop: kombu 5.2.1 -> 5.4.0"),
    ("limit: int = 5", "limit: int = 9  # in another module"),
    ("CACHE_TTL=5", "The cache TTL is 9."),
    ("The session timeout of Plover is 10s.", "Plover: increase lock timeout from 10s to 30s (#812)"),
    ("The session timeout of Plover is 10s.", "Plover: plan to increase session timeout from 10s to 30s"),
    ("The session timeout of Plover is 10s.", 'Revert "Plover: increase session timeout from 10s to 30s"'),
    # another property, thing or kind of value
    ("The log file of Weasel is /a/weasel.log.", "The log directory of Weasel is /a."),
    ("The log file of Weasel is /a/weasel.log.", "The lock file of Weasel is /run/weasel.lock."),
    ("The log file of Weasel is /a/weasel.log.", "The log format of Weasel is JSON."),
    ("Access logs of Weasel are written to /a/access.log.", "The error log file of Weasel is /a/error.log."),
    ("Weasel logs to /a/weasel.log.", "Weasel reads its config from /a/weasel.conf."),
    ("Exports of Weasel are stored in the bucket w-exp-1.", "The import bucket of Weasel is w-imp-1."),
    ("Exports of Weasel are stored in the bucket w-exp-1.", "Exports of Weasel are stored in eu-west-1."),
    ("Callbacks of Stoat are signed with RS256.", "The encryption algorithm of Stoat callbacks is AES-256."),
    ("Callbacks of Stoat are signed with RS256.", "The signature algorithm of Stoat tokens is ES256."),
    ("The test framework of Stoat is pytest.", "The test runner of Stoat is tox."),
    ("The deploy branch of Stoat is live.", "The default branch of Stoat is main."),
    ("The TLS certificate of Plover expires on 2026-03-01.", "Plover domain expiry: 2027-03-01"),
    ("The cache TTL of Plover is 600 seconds.", "The session TTL of Plover is 900 seconds."),
    ("Alerts from Plover go to #ops-a.", "Plover's deploy channel is #ops-b."),
    ("Alerts from Plover go to #ops-a.", "The alert address of Plover is ops@plover.example."),
    ("The port of Plover is 8080.", "The metrics port of Plover is 9090."),
    ("The health check of Plover is at /healthz.", "The readiness path of Plover is /readyz."),
    ("The events table is partitioned by month.", "The events table is sharded by tenant."),
    ("The sort order of Stoat results is date.", "The sort order of Stoat users is name."),
    ("Plover runs in eu-west-1.", "The backup region of Plover is eu-central-1."),
    ("The URL of Plover is http://plover.lan.", "The admin URL of Plover is http://admin.lan."),
    # how often and how many
    ("Logs from the gate are rotated daily.", "The log rotation interval of the gate is 24 hours."),
    ("Logs from the gate are rotated daily.", "Backups from the gate are rotated weekly."),
    ("Plover keeps at least 2 nodes.", "Plover keeps at most 9 nodes."),
    ("Plover keeps at least 2 nodes.", "The node count of Plover is 5."),
    ("The retry count of Plover is 5.", "The retry delay of Plover is 9 seconds."),
    ("The retry count of uploads to Plover is 5.", "The retry count of downloads from Plover is 3."),
    ("The batch size of Plover is 80.", "The page size of Plover is 50."),
    ("The idle session timeout of Plover is 20 minutes.", "The session timeout of Plover is 8 hours."),
    ("Plover needs iOS 14 or later.", "Plover needs Android 10 or later."),
    ("Plover runs on TLS 1.3.", "Plover requires at least TLS 1.2."),
    ("Plover samples 10% of traces.", "Plover samples 25% of logs."),
    ("The lambda has 256 MB of memory.", "The lambda has 512 MB of storage."),
    ("The nightly vacuum of db-1 is scheduled at 02:30.", "The nightly vacuum of db-2 starts at 03:15."),
    ("The talk is on Python 3.10.", "The talk is on Python 3.11."),
    ("The story is on page 3.", "The story is on page 7."),
    ("The importer reads files in chunks of 4 MB.", "The importer writes files in chunks of 8 MB."),
    ("The importer handles images in batches of 10.", "The importer handles invoices in batches of 50."),
    ("Workers process 50 images per batch.", "Workers process 20 videos per batch."),
    ("The Slack channel of Plover is #plover-a.", "The Discord channel of Plover is #plover-b."),
    ("The portal: lodash 4.17.21", "The kiosk: lodash 4.17.22"),
    ("Plover allows at most 12 viewers.", "Plover allows at most 3 hosts."),
    ("Plover closes idle connections after 60 seconds.", "Plover closes idle sessions after 90 seconds."),
    ("The disk alert fires at 80%.", "The memory alert threshold is 90%."),
    ("plover.example resolves to 10.0.0.4.", "The A record of api.plover.example is 10.0.0.9."),
    ("Messages older than 3 days are archived by Plover.", "The message retention of Plover is 7 days."),
    ("Titles in Plover may have up to 80 characters.", "Notes in Plover may have up to 120 characters."),
    ("Titles in Plover may have up to 80 characters.", "The minimum title length in Plover is 3 characters."),
    ("The docs of Plover are hosted at docs.plover.example.", "The API of Plover is hosted at api.plover.example."),
    ("The callback URL of Plover is http://a.example/x.", "The URL of Plover is http://b.example/y."),
    ("Plover exposes metrics on port 9100.", "Plover exposes traces on port 9200."),
    # rows
    ("| Ann Lee | owner | Search |", "| Ann Lee | owner | Billing |"),
    ("| Osprey | 4 vCPU | 16 GB |", "| Osprey | 8 vCPU | 32 GB |"),
    ("| run 12 | score | 0.91 |", "| run 13 | score | 0.94 |"),
    ("| node-1 | latency | 12 ms |", "| node-1 | latency | 14 ms |"),
    ("| Otter gateway | timeout | 75 seconds |", "| Otter worker | timeout | 30 seconds |"),
    ("| Otter gateway | read timeout | 75 seconds |", "| Otter gateway | write timeout | 30 seconds |"),
    ("| Plan | seats | 5 |", "| Plan B | seats | 9 |"),
    ("| May | 14 euros |", "| May | 16 euros |"),
]


@pytest.mark.parametrize(("first", "second"), RESTATED_IN_OTHER_WORDS, ids=[b[:60] for _, b in RESTATED_IN_OTHER_WORDS])
def test_another_form_with_another_value_retires(first: str, second: str) -> None:
    """Another value in another form takes the place of the first, and is read verbatim."""
    earlier, later = GRAMMAR.extract([first, second])
    assert retired_by(earlier, later)
    assert all(f.object is None or f.object in second for f in later.facts)


@pytest.mark.parametrize(("first", "second"), KEPT, ids=[f"{a[:30]} / {b[:40]}" for a, b in KEPT])
def test_another_property_scope_or_modality_is_kept(first: str, second: str) -> None:
    """Minimum and maximum, read and write, another thing, another kind of value, a plan or a restatement is kept."""
    earlier, later = GRAMMAR.extract([first, second])
    assert not retired_by(earlier, later)
    assert not retired_by(later, earlier)


def test_a_name_of_a_setting_is_what_users_ask_for() -> None:
    """History finds a setting by its name in code and by its name in prose."""
    keys = {GRAMMAR.canonical_key(n) for n in ("godwit.read_timeout", "GODWIT_READ_TIMEOUT", "Godwit's read timeout")}
    assert keys == {("godwit read timeout", None)}
