"""One technical fact with and without what is said besides, in the active and the passive, of each release."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

from .kept import assert_kept, pairs_of

GRAMMAR = GrammarExtractor()

RETIRED = pairs_of("""
According to the handbook, the quota of the mail pool is 40 GB.
  The mail pool's quota is 60 GB.
The steering board, which is open to everyone, meets on Mondays at 9:00.
  The steering board meets on Fridays at 9:00.
The lookup index of the atlas, introduced with the merge, has 4 shards.
  The lookup index of the atlas has 9 shards.
The wire format of the ledger bus is Avro, a relic of the first release.
  The wire format of the ledger bus is Protobuf.
By convention, the heron gateway listens on port 8085.
  The heron gateway listens on port 9085.
Our mail relay is relay-3.example.net.
  The mail relay is relay-9.example.net.
Our mail relay is relay-3.example.net.
  The mail relay has been replaced by relay-9.example.net.
In the staging environment, the flag `dark_menu` is off.
  In staging, the flag `dark_menu` is on.
The token lifetime set by the portal is 20 minutes.
  The portal's token lifetime is 45 minutes.
The class `OrderBook` is in book.py.
  `OrderBook` now lives in ledger/book.py.
The Puppet manifest is in site/main.pp.
  The Puppet manifest now lives in site/prod.pp.
Crash dumps are uploaded to Sentinel.
  We upload crash dumps to Beacon now.
The rates export is delivered as CSV over SFTP.
  We deliver the rates export as Parquet over SFTP.
The spare switch is kept in rack B12.
  You'll find the spare switch in rack D03.
The schema registry can be reached under http://reg.example:8081.
  You can reach the schema registry at http://schemas.example:8081.
MongoDB in the metrics stack is version 5.0.
  The metrics stack runs MongoDB 7.0.
Flask in the hook receiver is 2.2.5.
  The hook receiver now ships Flask 3.0.3.
The event schema of stock is at revision 6.
  The event schema of stock is at revision 8.
The resize worker is written in PHP.
  The resize worker has been rewritten in Rust.
The chart library is Plotkit.
  We replaced Plotkit by Visor as chart library.
The invoice currency is EUR.
  Invoices use CHF as their currency.
A release train leaves every two weeks.
  The release train now leaves every three weeks.
Backup passwords of the vault expire every 60 days.
  The backup password expiry of the vault is 30 days.
GC on the object store runs every 6 hours.
  Garbage collection on the object store runs every 2 hours.
The badge of the storage team is held by Connor Walsh this quarter.
  The badge of the storage team is held by Anneke Visser this quarter.
Idle SSH sessions on the bastion are closed after 10 minutes.
  Idle SSH sessions on the bastion are closed after 20 minutes.
Failover of the primary node takes about four minutes.
  Failover of the primary node takes about two minutes.
We use PostgreSQL 14 for the orders database.
  We use PostgreSQL 16 for the orders database.
SELinux is permissive on web-03.
  SELinux is enforcing on web-03.
The `zone` column is of type varchar(32).
  The `zone` column is of type text.
`parse_day` returns None on bad input.
  `parse_day` returns an empty string on bad input.
A high ticket must be answered within 60 minutes.
  A high ticket must be answered within 20 minutes.
Since the audit, access logs of the console have been kept for 90 days.
  Since the audit, access logs of the console have been kept for 400 days.
The Prometheus instance that scrapes the edge nodes keeps its data for 15d.
  The Prometheus instance that scrapes the edge nodes keeps its data for 45d.
The ETL job runs hourly.
  The ETL job runs every 15 minutes.
`calc_tax` returns a float.
  The return type of `calc_tax` is Decimal.
The cookery circle meets on Wednesdays at 15:00.
  The cookery circle's meeting has been moved to Fridays at 15:00.
Our ticket system is Jira.
  Our ticket system is Linear.
The `cache_dir` of the packer is ~/.cache/packer.
  The packer's `cache_dir` now points to /srv/packer-cache.
The job queue has a cap of 1,000 tasks.
  The job queue holds at most 1,500 tasks.
The person to contact about firewall changes is Lars Engen.
  The person to contact about firewall changes is Mette Haug.
`DEBUG` is True in settings/local.py.
  `DEBUG` is False in settings/local.py.
Bus 42 departs from Elm Square.
  Bus 42 now departs from Castle Gate.
""")

KEPT = pairs_of("""
The latency of the search API, measured at the edge, is 20 ms.
  The latency of the search API, measured at the origin, is 80 ms.
The timeout of the hub, set in staging.yaml, is 30 seconds.
  The timeout of the hub, set in prod.yaml, is 60 seconds.
The quota of the pool, applied per user, is 5 GB.
  The quota of the pool, applied per team, is 50 GB.
The proxy, which serves the EU, listens on port 8080.
  The proxy, which serves the US, listens on port 8081.
The cache, used for sessions, is Redis.
  The cache, used for carts, is Memcached.
The rent of the flat, including heating, is 900 euros.
  The rent of the flat, excluding heating, is 760 euros.
According to Stefan, the batch limit of the loader is 800.
  The batch limit of the loader is 500.
The batch limit of the loader is 500.
  According to Stefan, the batch limit of the loader is 800.
  As agreed for staging, the batch limit of the loader is 100.
  By convention, the batch limit of the exporter is 900.
The queue timeout in staging is 10 seconds.
  The queue timeout in production is 30 seconds.
We upload stack traces to Sentinel.
  We upload sourcemaps to Beacon.
  We uploaded stack traces to Beacon once.
  We may upload stack traces to Beacon.
  They should upload stack traces to Beacon.
We sell tickets at the counter.
  We sell tickets at the pier.
We visit clients on Mondays.
  We visit clients on Thursdays.
We test the driver with Sim A.
  We test the firmware with Sim B.
The van, hired from the depot, has 9 seats.
  The van, hired from the airport, has 12 seats.
The spare key, kept in the drawer, is number 5.
  The spare key, kept in the safe, is number 7.
The room, which is open to guests, has 40 seats.
  The room, which is closed to guests, has 20 seats.
You can download the app at store-a.example.
  You can download the app at store-b.example.
We publish the podcast on Spotter.
  We publish the podcast on Wavebox.
You'll find toys in aisle 4.
  You'll find games in aisle 7.
You can reach us at desk@a.example.
  You can reach us at help@a.example.
You'll find the press kit in cabinet 4.
  You'll find the first-aid kit in cabinet 7.
You reach the admin page on port 9000.
  You reach the metrics page on port 9100.
The error is in main.py.
  The error is in app.py.
A typo is in README.md.
  A typo is in GUIDE.md.
The example is in docs/a.md.
  The example is in docs/b.md.
The stack runs MongoDB 7.0.
  The stack runs Redis 7.2.
Flask in the hook receiver is 2.2.5.
  Flask in the job receiver is 3.0.3.
  Jinja in the hook receiver is 3.1.4.
The gateway address is 10.0.0.4.
  The gateway has version 1.4.2.
numpy is pinned to 1.26.4.
  numpy 2.0.0 was released on 16 June.
The function `load` lives in core/config.py.
  The function `save` lives in core/settings.py.
The resize worker is written in PHP.
  The resize worker's tests have been rewritten in Rust.
  The crop worker has been rewritten in Rust.
The chart library is Plotkit.
  We replaced Plotkit by Visor as map library.
  We might replace Plotkit by Visor as chart library.
`Route.match` returns None.
  `Route.match` returns a tuple of parameters.
`read_row` returns None on timeout.
  `read_row` returns an empty string on bad input.
Idle sessions are closed after 10 minutes.
  The door is closed after 10 minutes.
SELinux is permissive on web-03.
  SELinux is enforcing on web-04.
The badge of the storage team is held by Connor Walsh this quarter.
  The badge of the network team is held by Anneke Visser this quarter.
Failover of the primary node takes about four minutes.
  Failover of the replica takes about two minutes.
Each room has 2 beds.
  Each room has 2 lamps.
Our cat weighs 4 kg.
  Tom's cat weighs 5 kg.
The release train leaves every two weeks.
  The shuttle leaves every two hours.
Image builds use Kaniko.
  Image builds use Docker.
A high ticket must be answered within 60 minutes.
  A low ticket must be answered within 2 days.
The ETL job runs hourly.
  The ETL job runs at 04:00.
  The mail job runs every 15 minutes.
`calc_tax` returns a float.
  The return type of `calc_vat` is Decimal.
The cookery circle meets on Wednesdays at 15:00.
  The cookery circle's supper is on Fridays at 15:00.
`DEBUG` is True in settings/local.py.
  `DEBUG` is False in settings/prod.py.
  `TRACE` is False in settings/local.py.
The server is Apache.
  The server is Linux.
The payment service is Stripe.
  The payment service is Java.
Trains depart from Elm Square.
  Trains depart from Castle Gate.
The person to contact about firewall changes is Lars Engen.
  The person to contact about rooms is Mette Haug.
The endpoint accepts at most 10 ids.
  The endpoint returns at most 100 ids.
Access logs of the console have been kept for 90 days.
  Error logs of the console have been kept for 30 days.
""")


@pytest.mark.parametrize(("first", "second"), RETIRED)
def test_the_second_retires_the_first(first: str, second: str) -> None:
    """The same fact in other words, or with what is said besides."""
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_the_second_leaves_the_first(first: str, second: str) -> None:
    """Another scope, another thing, a plan, a past or one of several."""
    assert_kept(first, second)
