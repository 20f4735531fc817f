"""Changes told in other words than "N of S changed to V": each acts on the key of the state, and on no other."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.sentences.having_done import own_cores
from memstrata_integrations.extraction.sentences.told_acts import done_by
from memstrata_integrations.extraction.sentences.told_changes import brought_about
from memstrata_integrations.extraction.sentences.told_leavings import left_by
from memstrata_integrations.extraction.sentences.wording import Core

GRAMMAR = GrammarExtractor()

RETIRED = """
The scan worker has a concurrency of 4. | We've bumped the scan worker to a concurrency of 6.
The scan worker runs with a concurrency of 4. | The scan worker went up to a concurrency of 6.
The pool size of the orders database is 20. | The orders database went up to a pool size of 40.
The heap size of the search node is 4 GB. | The search node was given a heap size of 8 GB.
The upload limit of the tenants portal is 20 MB. | The tenants portal has had its upload limit raised to 40 MB.
The batch size of the importer is 100. | The importer moved from a batch size of 100 to 50.
The batch size of the importer is 100. | We took the importer's batch size down to 50.
The importer uses a batch size of 100. | We've changed the importer to use a batch size of 50.
The importer uses a batch size of 100. | We've dropped the importer to a batch size of 50.
The session lifetime of the portal is 30 minutes. | The session lifetime of the portal is up from 30 to 60 minutes.
The upload limit of the photo form is 10 MB. | The photo form's upload limit sits at 50 MB these days.
The photo form's upload limit sits at 10 MB these days. | The upload limit of the photo form is 50 MB.
The partner API is limited to 100 requests per minute. | We've raised the partner API to 300 requests per minute.
The invoice exporter listens on port 7070. | The invoice exporter has moved from port 7070 to 7171.
The scan worker logs at level debug. | We've switched the scan worker to log level warning.
The scan worker's log level is debug. | We've switched the scan worker's logging to warning.
The time zone of the archive server is Europe/Oslo. | We've moved the archive server to the Asia/Tokyo time zone.
The dashboard's theme is light. | We've switched the dashboard to the dark theme.
Ines follows a vegetarian diet. | Ines has gone over to a vegan diet.
Ines is vegetarian. | Ines has switched to a vegan diet.
The size of the pool is 20. | We've set the pool to 75 connections.
The route planner is written in Perl. | We've rewritten the route planner in Kotlin.
The language of the route planner is Perl. | We've rewritten the route planner in Kotlin.
The route planner is written in Perl. | The route planner was rewritten from Perl to Kotlin.
The language of the route planner is Perl. | We've ported the route planner from Perl to Kotlin.
The base image of the encoder container is Debian 11. | We've rebased the encoder container onto Debian 12.
The walls of the den are grey. | We've painted the walls of the den pale yellow.
The den's walls are painted grey. | The walls of the den have been repainted blue.
The inventory service's database is MySQL. | We've moved the inventory service to MariaDB as its database.
The docs site's package manager is npm. | We've switched the docs site to pnpm as its package manager.
The mobile app's crash reporter is Sentry. | For its crash reporter, the mobile app has switched to Bugsnag.
The shop's payment provider is Stripe. | The shop dropped Stripe in favour of Adyen as its payment provider.
The shop's payment provider is Stripe. | Stripe gave way to Adyen as the shop's payment provider.
The shop's payment provider is Stripe. | Instead of Stripe, the shop now uses Adyen as its payment provider.
The sorting algorithm of Tally is quicksort. | We've switched sorting in Tally to heapsort.
The monitoring tool for the depot robots is Nagios. | We've switched the monitoring of the depot robots to Datadog.
The response format of the export endpoint is CSV. | We've switched the responses of the export endpoint to XML.
The export endpoint's response format is CSV. | The export endpoint has switched from CSV to XML.
The tally library is licensed under MIT. | The tally library moved from MIT to Apache-2.0.
The team uses Slack for chat. | The team has switched from Slack to Zulip for chat.
The wiki is powered by MediaWiki. | We've moved the wiki from MediaWiki to Outline.
The path of the members list is /v1/members. | We've moved the members list to /v2/members.
The wiki's deployment day is Tuesday. | We've moved the deployment of the wiki to Thursday.
The garden club meets on Tuesday. | We've moved the garden club to Thursday.
The picnic is in Elm Park. | We've moved the picnic to Holm Park.
Two-factor login is enabled on the tenant portal. | Two-factor login has been disabled on the tenant portal.
Two-factor login is enabled on the tenant portal. | Two-factor login was switched off on the tenant portal.
My dentist is Dr. Okafor. | I've switched dentists and now go to Dr. Lind.
Grandpa's bank is Fennel. | Grandpa has changed banks and is now with Teal.
I live in Lisbon. | I've moved to Ghent and live there now.
The mayor of Elmford is Clara Weston. | The office of mayor in Elmford has passed to Henrik Dahl.
The captain of the chess team is Ida Voss. | The chess team's captaincy has passed to Leo Hart.
The parser is maintained by Ole Rask. | Una Bel has taken over maintenance of the parser.
Ole Rask owns the parser. | Una Bel has taken the parser over from Ole Rask.
Greta Moss owns the payroll export these days. | The owner of the payroll export is Hiro Tan.
The living room thermostat is set to 18 degrees. | The living room has its thermostat set to 21 degrees.
The living room has its thermostat set to 18 degrees. | The living room thermostat is set to 21 degrees these days.
The staging cluster has 5 nodes. | As of today, there are 9 nodes in the staging cluster.
Ann Lee owns the ledger. | These days, it is Bo Kim who owns the ledger.
"""

KEPT = """
The scan worker has a concurrency of 4. | We've bumped the mail worker to a concurrency of 6.
The concurrency of the scan worker is 4. | We've bumped the scan worker to a memory limit of 6 GB.
The concurrency of the scan worker in staging is 4. | We've bumped the scan worker in production to a concurrency of 6.
The concurrency of the scan worker is 4. | We've temporarily bumped the scan worker to a concurrency of 6.
The concurrency of the scan worker is 4. | We plan to bump the scan worker to a concurrency of 6.
The concurrency of the scan worker is 4. | Have we bumped the scan worker to a concurrency of 6?
The concurrency of the scan worker is 4. | Last year we bumped the scan worker to a concurrency of 6, then back to 4.
The maximum concurrency of the scan worker is 4. | We've bumped the scan worker to a minimum concurrency of 2.
The scan worker has a concurrency of 4. | The scan worker has had its memory limit raised to 6 GB.
The batch size of the importer is 100. | We've changed the exporter to use a batch size of 50.
The batch size of the importer is 100. | We've changed the importer's tests to use a batch size of 50.
The batch size of the importer is 100. | We've configured the importer to use a batch size of 50 in staging.
The batch size of the importer is 100. | The importer moved from a queue size of 100 to 50.
The batch size of the importer is 100. | Ann wants the importer moved from a batch size of 100 to 50.
The importer retries 3 times. | We've updated the runbook to say the importer retries 5 times.
The upload limit of the photo form is 10 MB. | The photo form's download limit sits at 50 MB these days.
The bakery is at 5 Elm Street. | The bakery's oven sits at 220 C.
The metrics port of the invoice exporter is 7070. | We've moved the invoice exporter to port 8181.
The log level of the scan worker is debug. | We've switched the mail worker's logging to warning.
The log level of the scan worker is debug. | We've switched the scan worker's logging to Loki.
The mode of the worker is batch. | We've switched the worker to dark theme.
The tier of the account is Gold. | Ann's account has been moved to the Silver tier.
The plan of the school is Basic. | We've moved the nursery to the Premium plan.
The size of the cache is 20 GB. | We've set the cache to 75 entries.
The route planner is written in Perl. | We've rewritten the route planner's tests in Kotlin.
The route planner is written in Perl. | We've rewritten the docs of the route planner in German.
The route planner is written in Perl. | We've ported the route planner to Kotlin.
The language of the website is German. | We've rewritten the website in Rust.
The walls of the den are grey. | We've painted the ceiling of the den blue.
The den's walls are grey. | We've painted one wall of the den blue.
The colour of the den is grey. | We've painted the den door blue.
The team's editor is Vim. | The lead switched to Neovim as his editor.
The tech lead is Ann Lee. | The tech lead has switched to Neovim as its editor.
The crash reporter of the mobile app is Sentry. | The web app has moved to Bugsnag as its crash reporter.
The crash reporter of the mobile app is Sentry. | The mobile app has moved to Bugsnag as its log collector.
The shop's payment provider is Stripe. | The shop dropped DHL in favour of UPS as its parcel provider.
The entry fee is 5 euros. | Instead of an entry fee, the club charges 9 euros for a membership.
The CI of the atlas is Jenkins. | We've moved the atlas to OVH as its lease ended.
The wiki is powered by MediaWiki. | We've moved the wiki from Hetzner to OVH.
The wiki is powered by MediaWiki. | We've moved the wiki to OVH.
The host of the forum is Hetzner. | We've moved the forum to Dublin.
The team uses Slack for chat. | The team has switched from Trello to Jira for planning.
The team uses Slack for chat. | The ops team has switched from Slack to Zulip for chat.
We use Vault for security. | We switched from Windows to Linux for security.
The tally library is licensed under MIT. | The ledger library moved from MIT to Apache-2.0.
The tally library is licensed under MIT. | We've moved the tally library from CSV to JSON.
The response format of the export endpoint is CSV. | We've switched the errors of the export endpoint to XML.
The sorting algorithm of Tally is quicksort. | We've switched searching in Tally to heapsort.
The sorting algorithm of Tally is quicksort. | We've switched sorting in Ledger to heapsort.
The path of the members list is /v1/members. | We've moved the docs of the members list to /v2/members.
The release day of the booking site is Tuesday. | We've moved the weekly deployment of the booking site to Thursday.
The garden club meets on Tuesday. | We've moved the garden club's picnic to Thursday.
The picnic is in Elm Park. | We've moved the picnic tables to Holm Park.
The staging database is Postgres 14. | The staging cache got upgraded to Redis 7.
Two-factor login is enabled on the tenant portal. | Two-factor login has been disabled on the vendor portal.
Two-factor login is enabled on the tenant portal. | Two-factor login has been disabled for guests on the tenant portal.
The alarm is off. | The alarm was switched on during the drill.
My dentist is Dr. Okafor. | I've switched doctors and now go to Dr. Lind.
My dentist is Dr. Okafor. | My wife has switched dentists and now goes to Dr. Lind.
My job is nurse. | I've changed jobs and now work at Brill.
I drive a Toyota. | I've switched cars for the weekend and drive a Kia.
I live in Lisbon. | My brother moved to Ghent and lives there now.
The mayor of Elmford is Clara Weston. | The office of treasurer in Elmford has passed to Henrik Dahl.
The mayor of Elmford is Clara Weston. | The office of mayor in Brackley has passed to Henrik Dahl.
The chess team is captained by Ida Voss. | The hockey team's captaincy has passed to Leo Hart.
The parser is maintained by Ole Rask. | Una Bel has taken over documentation of the parser.
The parser's owner is Ole Rask. | Una Bel has taken the parser's tests over from Ole Rask.
Greta Moss owns the payroll export. | Hiro Tan owns the payroll import these days.
The driver is tested on Ubuntu 20.04. | We've started testing the driver on Ubuntu 22.04.
The living room thermostat is set to 18 degrees. | The kitchen has its thermostat set to 21 degrees.
The hotel's windows are cleaned by Ada. | The hotel has its doors cleaned by Leo.
The coach of the team is Ann Lee. | The team has Bo Kim for a physio these days.
The coach of the team is Ann Lee. | The youth team has Bo Kim for a coach.
The team sits in the annex. | We've moved the team to Kubernetes.
The service runs on Kubernetes. | We've moved the service's docs to the annex.
"""


def _pairs(listed: str) -> list[tuple[str, str]]:
    return [(first.strip(), second.strip()) for first, second in (p.split("|") for p in listed.strip().splitlines())]


@pytest.mark.parametrize(("first", "second"), _pairs(RETIRED))
def test_change_retires_the_state(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), _pairs(KEPT))
def test_another_change_keeps_it(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    "adverb",
    ["these days", "as of today", "nowadays", "at the moment", "now", "from today on"],
)
@pytest.mark.parametrize(
    "said",
    [
        "The photo form's upload limit sits at 50 MB",
        "Greta Moss owns the payroll export",
        "The choir has Paul Nakamura as its conductor",
        "The relay server logs to /var/log/relay",
    ],
)
def test_an_adverb_of_the_present_is_no_part_of_the_fact(said: str, adverb: str) -> None:
    plain, dated = GRAMMAR.extract([f"{said}.", f"{said} {adverb}."])
    stated = [(f.subject, f.relation, f.value, f.dimension) for f in dated.facts if not f.beside]
    assert stated == [(f.subject, f.relation, f.value, f.dimension) for f in plain.facts]
    assert not dated.prose


def test_a_change_that_is_told_stays_as_prose() -> None:
    [found] = GRAMMAR.extract(["We've bumped the scan worker to a concurrency of 6."])
    assert found.prose
    assert all(f.narrative for f in found.facts)


def test_plain_sentences() -> None:
    assert list(brought_about("Ann sings in the choir")) == []
    assert list(brought_about("We have switched sorting in RankList to 5")) == []
    assert list(left_by("We moved to Oslo")) == []
    assert list(done_by("We have changed the runbook to say a thing")) == []
    assert list(own_cores(Core("The hall has its own", None, 0, False, ""))) == []
