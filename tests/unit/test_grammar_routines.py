"""Routines and how services run: one key whichever construction tells them, and another for what only looks like it."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations.extraction import GrammarExtractor

_GRAMMAR = GrammarExtractor()

_SAME = [
    # on which day
    ("The pump is inspected every Monday.", "The weekly inspection of the pump takes place on Friday."),
    ("We deploy the ledger every Monday.", "Deployments of the ledger happen on Friday."),
    ("Monday is the deployment day for the ledger.", "Every Friday we deploy the ledger."),
    ("The ledger's weekly deployment is on Monday.", "On Fridays we deploy the ledger."),
    ("The wiki is backed up every Saturday.", "The weekly backup of the wiki runs on Sunday."),
    ("Every Saturday we back up the wiki.", "We back up the wiki every Sunday."),
    ("The weekly deployment of the ledger happens on Monday.", "The ledger's weekly deployment has moved to Friday."),
    # at which hour
    ("The wiki is backed up nightly at 02:00.", "Every night at 03:30 we back up the wiki."),
    ("The nightly backup of the wiki runs at 02:00.", "The wiki is backed up every night at 03:30."),
    ("The wiki is backed up nightly, starting at 02:00.", "The nightly backup time for the wiki is 03:30."),
    ("The access logs are rotated nightly at 02:00.", "The nightly rotation of the access logs runs at 04:00."),
    ("On the vault, key rotation happens every 6 weeks.", "The keys of the vault are rotated every 3 months."),
    # how it runs
    ("The indexer is hosted in the eu-west-1 region.", "The indexer's region is us-east-2."),
    ("The indexer is hosted in eu-west-1.", "The indexer runs in the us-east-2 region."),
    ("The printer runs in the Europe/Oslo time zone.", "The time zone of the printer is America/Denver."),
    ("The main site of the exchange is in Ghent.", "Leuven is the main site of the exchange."),
    ("The portal has guest access enabled.", "Guest access is disabled on the portal."),
    ("On the portal, we have guest access enabled.", "The portal runs with guest access disabled."),
    ("9 brokers make up the event cluster.", "The event cluster has 12 brokers."),
    ("4 replicas of the resizer are running in production.", "In production, the resizer has 6 replicas."),
    ("The resizer runs on 4 replicas in production.", "There are 6 replicas of the resizer in production."),
    ("The rewrite of the parser is 30% done.", "We're at 55% with the rewrite of the parser."),
    ("The forum has a TLS certificate from DigiCert.", "The issuer of the forum's TLS certificate is Sectigo."),
    ("The mail worker runs with a log level of debug.", "The log level of the mail worker is warning."),
    ("The lease of the hangar has an end date of May 2026.", "The lease of the hangar ends in June 2027."),
    ("Pump alerts go to #pumps.", "#plant is the channel where pump alerts go."),
    ("Pump alerts go to #pumps.", "Pump alerts go to the #plant channel."),
    (
        "A failed POST to the login endpoint gets 400 as its status.",
        "The login endpoint answers a failed POST with 422.",
    ),
    (
        "The users endpoint sorts by total_price by default.",
        "The default sort field of the users endpoint is created_at.",
    ),
    ("The root password is in 1Password.", "The root password is stored in Bitwarden."),
    ("Clients of the feed API authenticate with a token.", "The feed API authenticates clients with a passkey."),
    ("For authentication, the feed API uses a token.", "Authentication on the feed API is done with a passkey."),
    # who is on call
    ("The primary on-call for the ledger is Mira.", "The ledger's primary on-call is now Tomas."),
    ("Primary on-call duty for the ledger is with Mira.", "On the ledger, primary on-call has passed to Tomas."),
    ("Mira is the primary on-call for the ledger.", "We've made Tomas the primary on-call for the ledger."),
    ("Mira is on call for the ledger.", "For the ledger, we have Tomas on call."),
    ("Mira is on call for the ledger.", "The engineer who is currently on call for the ledger is Tomas."),
    # a noun that looks like a verb of saying
    ("The claims system retains its logs for 30 days.", "Logs are retained for 90 days in the claims system."),
]

_OTHER = [
    ("The ledger is deployed every Monday.", "The ledger is deployed to staging every Friday."),
    ("The ledger is deployed every Monday.", "The wiki is deployed every Friday."),
    ("The ledger is deployed every Monday.", "The ledger is backed up every Friday."),
    ("The ledger is deployed every Monday.", "The ledger is deployed every other Friday."),
    ("The ledger is deployed every Monday.", "We might deploy the ledger every Friday."),
    ("The ledger is deployed every Monday.", "If QA signs off, the ledger is deployed every Friday."),
    ("The ledger is deployed every Monday.", "The ledger was deployed every Friday."),
    ("The ledger is deployed every Monday and Friday.", "The ledger is deployed every Tuesday."),
    ("The weekly call of the team is on Monday.", "The weekly lunch of the team is on Friday."),
    ("The weekly deployment of the ledger happens on Monday.",
     "The monthly deployment of the ledger happens on Friday."),
    ("The wiki is backed up nightly at 02:00.", "The wiki is backed up daily at 13:00."),
    ("The wiki is backed up nightly at 02:00.", "The wiki is backed up nightly to the NAS at 04:00."),
    ("The wiki is backed up nightly at 02:00.", "Every night at 03:00 we vacuum the wiki."),
    ("The wiki is backed up nightly at 02:00.", "The replica of the wiki is backed up nightly at 03:00."),
    ("Every night at 02:00 we back up the wiki.", "Every Sunday at 03:00 we back up the wiki."),
    ("The office is cleaned daily at 18:00.", "The office is locked daily at 20:00."),
    ("On the vault, key rotation happens every 6 weeks.", "On the vault, log rotation happens every 2 weeks."),
    ("The indexer is hosted in eu-west-1.", "The indexer is hosted on Hetzner."),
    ("The indexer is hosted in eu-west-1.", "The standby indexer is hosted in us-east-2."),
    ("The indexer runs in the eu-west-1 region.", "The indexer's backups are in the us-east-2 region."),
    ("The main site of the exchange is in Ghent.", "The backup site of the exchange is in Leuven."),
    ("The portal has guest access enabled.", "The portal has single sign-on disabled."),
    ("The portal has guest access enabled.", "The admin portal has guest access disabled."),
    ("The portal has two features enabled.", "The portal has three features disabled."),
    ("9 brokers make up the event cluster.", "3 controllers make up the event cluster."),
    ("4 replicas of the resizer are running in production.", "2 replicas of the resizer are running in staging."),
    ("4 replicas of the resizer are running.", "2 replicas of the resizer are failing."),
    ("The rewrite of the parser is 30% done.", "The rewrite of the lexer is 80% done."),
    ("The rewrite is 30% done.", "The budget of the rewrite is 80% spent."),
    ("The forum has a TLS certificate from DigiCert.", "The API has a TLS certificate from Sectigo."),
    ("Ann has a teaching certificate from Oxford.", "Ann has a teaching certificate from Cambridge."),
    ("The lease has an end date of May 2026.", "The lease has a start date of June 2024."),
    ("Pump alerts go to #pumps.", "#plant is the channel where boiler alerts go."),
    ("A failed POST to the login endpoint gets 400 as its status.",
     "A failed POST to the user endpoint gets 422 as its status."),
    ("A failed POST to the login endpoint gets 400 as its status.",
     "A failed PUT to the login endpoint gets 422 as its status."),
    ("The root password is in 1Password.", "The deploy key is stored in Bitwarden."),
    ("The users endpoint sorts by name by default.", "The orders endpoint sorts by created_at by default."),
    ("Clients of the feed API authenticate with a token.", "Admins of the feed API authenticate with a passkey."),
    ("The primary on-call for the ledger is Mira.", "The secondary on-call for the ledger is Tomas."),
    ("The primary on-call for the ledger is Mira.", "On the wiki, primary on-call has passed to Tomas."),
    ("The primary on-call for the ledger is Mira.", "The on-call for the ledger is Tomas."),
    ("We have Mira on call for the ledger.", "We have Tomas on call for the wiki."),
    ("The captain of the team is Mira.", "The captain for the team has transferred to Ghent."),
    ("We deploy the ledger every Monday.", "For example, we deploy the ledger every Friday."),
    ("We deploy the ledger every Monday.", "In theory, we deploy the ledger every Friday."),
    ("We deploy the ledger every Monday.", "In summer, we deploy the ledger every Friday."),
    ("They water the plants every Monday.", "We water the plants every Friday."),
    ("The ledger has 9 brokers.", "3 brokers are part of the ledger."),
    ("The shop has a liquor licence from Ghent.", "The shop has a liquor licence from Leuven."),
    ("The port is 80.", "#port is 90."),
    ("The ticket has passed to Mira.", "The ticket has passed to Tomas."),
    ("The claims system retains its logs for 30 days.", "The pension system retains its logs for 90 days."),
    ("The vendor claims the port is 80.", "The vendor claims the port is 90."),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), _SAME)
def test_one_key_for_each_construction(first: str, second: str) -> None:
    assert retires(_GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), _OTHER)
def test_what_only_looks_like_it_stays(first: str, second: str) -> None:
    assert not retires(_GRAMMAR, first, second)
