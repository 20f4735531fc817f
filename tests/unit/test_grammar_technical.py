"""Technical statements in the words of manuals, tickets and code: the same one with another value retires."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction

GRAMMAR = GrammarExtractor()

# The same words around another value
ANOTHER_VALUE = [
    (
        "`ImportError` raised while loading plugins is turned into `PluginLoadError`.",
        "`ImportError` raised while loading plugins is turned into `PluginMissing`.",
    ),
    ("Calls to the pricing engine time out at 800 ms.", "Calls to the pricing engine time out at 1200 ms."),
    (
        "SELECT cron.schedule('vacuum-orders', '0 3 * * *', 'VACUUM orders');",
        "SELECT cron.schedule('vacuum-orders', '0 5 * * *', 'VACUUM orders');",
    ),
    ("A missing signature header is answered with 401.", "A missing signature header is answered with 403."),
    ("The build image is based on debian:bookworm-slim.", "The build image is based on debian:trixie-slim."),
    ("def fetch(url: str, retries: int = 3) -> bytes:", "def fetch(url: str, retries: int = 5) -> bytes:"),
    (
        "On Windows the config file is looked up in %APPDATA%\\Plover.",
        "On Windows the config file is looked up in %PROGRAMDATA%\\Plover.",
    ),
    ("SLA for P1 tickets: first reply within 30 minutes", "SLA for P1 tickets: first reply within 15 minutes"),
    ("let poll_interval = Duration::from_millis(250);", "let poll_interval = Duration::from_millis(500);"),
    (
        "The build fails when coverage of the core package drops under 85%.",
        "The build fails when coverage of the core package drops under 90%.",
    ),
    ("Timestamps in the export are in UTC.", "Timestamps in the export are in local time."),
    (
        '<property name="hibernate.jdbc.batch_size" value="20"/>',
        '<property name="hibernate.jdbc.batch_size" value="50"/>',
    ),
    ("`User.email` is a varchar of 120 characters.", "`User.email` is a varchar of 255 characters."),
    ('{"featureFlags.newCheckout": false}', '{"featureFlags.newCheckout": true}'),
    (
        "By convention, migration files start with a 4-digit number.",
        "By convention, migration files start with a 6-digit number.",
    ),
    ("You log in to the bastion as user ops.", "You log in to the bastion as user deploy."),
    ("Use port 2222 for SSH to the build hosts.", "Use port 2200 for SSH to the build hosts."),
    (
        "Incidents in checkout are handled in #inc-checkout.",
        "Incidents in checkout are handled in #checkout-war-room.",
    ),
    ("The staging database gets wiped every Sunday night.", "The staging database gets wiped every Friday night."),
    ("Our SSL certificates come from Let's Encrypt.", "Our SSL certificates come from ZeroSSL."),
    ("`--timeout` takes seconds.", "`--timeout` takes milliseconds."),
    ("The response body is gzip-compressed.", "The response body is brotli-compressed."),
    ("Tracing samples 1 in 100 requests.", "Tracing samples 1 in 20 requests."),
    ("10% of requests to the search service are traced.", "25% of requests to the search service are traced."),
    ("After 5 failed logins the account is locked.", "After 3 failed logins the account is locked."),
    (
        "The cookie that carries the session is called sid.",
        "The cookie that carries the session is called wren_session.",
    ),
    ("To build the image you need Docker 24 or newer.", "To build the image you need Docker 26 or newer."),
    (
        "Deploys are frozen between 20 December and 3 January.",
        "Deploys are frozen between 15 December and 7 January.",
    ),
    ("Production is in the us-east-1 region.", "Production is in the eu-west-3 region."),
    ("class CartSerializer(BaseSerializer):", "class CartSerializer(ModelSerializer):"),
    ("We import `Clock` from `tempo.core`.", "We import `Clock` from `tempo.timing`."),
    ("typedef unsigned long hash_t;", "typedef unsigned int hash_t;"),
    (
        "Restoring a volume from cold storage takes about 4 hours.",
        "Restoring a volume from cold storage takes about 90 minutes.",
    ),
    (
        "Production access for contractors is approved by Lena Fischer.",
        "Production access for contractors is approved by Owen Clarke.",
    ),
    ("`color` defaults to auto.", "`color` defaults to never."),
    ("The loader silently skips files bigger than 50 MB.", "The loader silently skips files bigger than 200 MB."),
    ("A lease lasts 45 seconds unless it is renewed.", "A lease lasts 90 seconds unless it is renewed."),
    (
        "The signature of a webhook travels in the X-Wren-Signature header.",
        "The signature of a webhook travels in the Wren-Sig header.",
    ),
    ("Node 18 is required to run the docs locally.", "Node 20 is required to run the docs locally."),
    ("MSRV is 1.65 for the core crate.", "MSRV is 1.74 for the core crate."),
    ("The chart is published at https://charts.wren.dev.", "The chart is published at https://helm.wren.dev."),
    ("In walker.py, recursion stops at depth 12.", "In walker.py, recursion stops at depth 20."),
    ("`Node.children` is a tuple.", "`Node.children` is a list."),
    ("Change window for the core switches: Sat 02:00-04:00", "Change window for the core switches: Sun 01:00-03:00"),
    ("Who to page for DNS: Farid", "Who to page for DNS: Yuki"),
    ("Exports per account: max. 3 at once", "Exports per account: max. 5 at once"),
    ("Storybook for the design system is on port 6006.", "Storybook for the design system is on port 7007."),
    (
        "The circuit breaker trips after 20 consecutive errors.",
        "The circuit breaker trips after 50 consecutive errors.",
    ),
    (
        "Rollbacks of the api are triggered with `make rollback`.",
        "Rollbacks of the api are triggered with `just undo`.",
    ),
    ("CORS is restricted to https://app.wren.dev.", "CORS is restricted to https://console.wren.dev."),
    ("The feature store sits on top of Redis.", "The feature store sits on top of Cassandra."),
    ("`parcels.weight` is stored as NUMERIC(8,2).", "`parcels.weight` is stored as NUMERIC(10,3)."),
    ("Errors of the mobile app show up in Sentry.", "Errors of the mobile app show up in Crashlytics."),
    (
        "- `MAX_CONN` (int, 100): upper bound for open connections",
        "- `MAX_CONN` (int, 250): upper bound for open connections",
    ),
    ("$primary: #0055aa;", "$primary: #aa5500;"),
    ('"engines": { "node": ">=18" }', '"engines": { "node": ">=20" }'),
    ("go 1.21", "go 1.22"),
    ("A build artifact may be at most 2 GB.", "A build artifact may be at most 5 GB."),
    ("Metrics from the vessels arrive over MQTT.", "Metrics from the vessels arrive over AMQP."),
    ("It takes 3 failed probes for a pod to be restarted.", "It takes 5 failed probes for a pod to be restarted."),
    ("The org on GitHub is wren-labs.", "The org on GitHub is wren-io."),
    ("Find the design docs under docs/rfcs.", "Find the design docs under docs/adr."),
    ("Test coverage must not fall below 80%.", "Test coverage must not fall below 85%."),
    ("For large parcels the timeout is 120 s.", "For large parcels the timeout is 300 s."),
    ("In this repo the line length is 88.", "In this repo the line length is 100."),
    ("All our Lambdas run on Python 3.9.", "All our Lambdas run on Python 3.12."),
    (
        'If no locale is passed, `format_price` falls back to "en-GB".',
        'If no locale is passed, `format_price` falls back to "de-DE".',
    ),
    (
        "We keep audit events for 400 days before they are purged.",
        "We keep audit events for 180 days before they are purged.",
    ),
    ("The metrics port of every pod is 9102.", "The metrics port of every pod is 9464."),
    ("A lease lasts 45 seconds unless it is renewed.", "A lease lasts 90 seconds unless it is renewed."),
    ("The logger that `orders` uses is named `o1`.", "The logger that `orders` uses is named `o2`."),
]


def _closes(earlier: Extraction, later: Extraction) -> bool:
    """Whether any fact of the earlier text is closed."""
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts}
    return any(stated.get((f.subject, f.relation, f.dimension), f.value) != f.value for f in earlier.facts)


@pytest.mark.parametrize(("first", "second"), ANOTHER_VALUE)
def test_the_same_statement_with_another_value_retires(first: str, second: str) -> None:
    """Its one value is found, verbatim, and all else is the key."""
    earlier, later = GRAMMAR.extract([first, second])
    assert not earlier.prose
    assert earlier.facts
    assert all((f.object or "") in first for f in earlier.facts)
    assert {(f.subject, f.relation, f.dimension) for f in earlier.facts} == {
        (f.subject, f.relation, f.dimension) for f in later.facts
    }
    assert _closes(earlier, later)


def test_a_statement_about_this_repository_stays_within_its_source() -> None:
    """The same words in another document speak of another repository."""
    [said] = GRAMMAR.extract(["The Rust toolchain in this repo is pinned at 1.74."])
    assert [f.local for f in said.facts] == [True]
