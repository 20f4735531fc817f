"""One attribute in several wordings has one key; attributes that look alike keep theirs apart."""

from __future__ import annotations

import pytest

from eval.probe import retired_by
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()

SAME = [
    # limits
    ("Driftbox limits uploads to 25 MB.", "The upload limit of Driftbox is 100 MB."),
    ("Uploads to Driftbox are limited to 25 MB.", "Driftbox caps uploads at 100 MB."),
    ("Max upload size for Driftbox: 25 MB", "Driftbox allows uploads of up to 100 MB."),
    ("The maximum upload size of the images API is 5 MB.", "Uploads to the images API must not exceed 8 MB."),
    ("The rate limit of the maps API is 500 calls a day.", "The maps API now permits 1000 calls a day."),
    # times, lengths, counts, prices
    ("The request timeout of the gateway is 30 seconds.", "The gateway now times out requests after 60 seconds."),
    ("Access tokens are valid for 15 minutes.", "Access tokens now expire after 60 minutes."),
    ("The log retention on the Umber nodes is 30 days.", "Logs of the Umber nodes are now kept for 90 days."),
    ("The ferry ride takes 40 minutes.", "The duration of the ferry ride is 55 minutes."),
    ("The dam on the Arn is 80 m high.", "The height of the dam on the Arn is 84 m."),
    ("The Kafka cluster has 3 brokers.", "The number of brokers in the Kafka cluster is now 5."),
    ("The Kafka cluster consists of 3 brokers.", "The Kafka cluster was scaled to 5 brokers."),
    ("The population of Vell is 41,200.", "Vell has 43,850 inhabitants."),
    ("Entry to the castle costs 12 euros.", "The entry fee for the castle is now 15 euros."),
    ("Admission to the museum is 8 euros.", "The museum charges 10 euros for admission."),
    ("Traces are sampled at a rate of 0.1.", "The sampling rate for traces is 0.25."),
    # holders
    ("Mira leads the search team.", "The search team is now led by Jonas."),
    ("The owner of the tokenizer module is Priya.", "Ownership of the tokenizer module has passed to Dmitri."),
    ("Gwen chairs the board of Lumen.", "The chair of the board of Lumen is Patrice."),
    ("The mayor of Halberg is Carla.", "Dana was elected mayor of Halberg."),
    ("The on-call engineer for Falcon is Mira.", "Jonas is now on call for Falcon."),
    ("The status page is hosted on Netlify.", "Cloudflare now hosts the status page."),
    ("Norvik is headquartered in Bergen.", "Norvik's headquarters are now in Gdynia."),
    ("The license of widgetlib is MIT.", "widgetlib is now licensed under Apache-2.0."),
    # switches, places, versions, answers
    ("Debug mode is off in staging.", "Debug mode has been turned on in staging."),
    ("Debug mode is disabled in staging.", "We enabled debug mode in staging."),
    ("`parse` is defined in core/http.py.", "`parse` has moved to net/headers.py."),
    ("The robot firmware is built with Zephyr 3.4.", "We build the robot firmware with Zephyr 3.6."),
    ("The ledger service listens on port 8080.", "The port of the ledger service is now 9090."),
    (
        "An unknown tenant is answered with 404 by the directory API.",
        "The directory API answers an unknown tenant with 403.",
    ),
    ("`retry` takes a default `delay` of 3.", "The `delay` argument of `retry` defaults to 5."),
]
APART = [
    ("Driftbox limits uploads to 25 MB.", "Driftbox limits downloads to 50 MB."),
    ("Driftbox limits uploads to 25 MB.", "The minimum upload size of Driftbox is 1 KB."),
    ("The upload limit of Driftbox is 25 MB.", "The upload rate limit of Driftbox is 5 MB per second."),
    ("The upload limit of Driftbox is 25 MB.", "The upload limit of Driftbox is 10 files."),
    ("Passwords must have at least 8 characters.", "Passwords must have at most 64 characters."),
    ("The quota of teal is 5 GB.", "The quota of teal should not exceed 10 GB."),
    ("The request timeout of the gateway is 30 seconds.", "The gateway times out reads after 60 seconds."),
    ("The gateway times out after 30 seconds.", "The gateway restarts after 60 seconds."),
    ("The default timeout of the API is 20 s.", "The timeout of the API is 30 s."),
    ("Teal is 340 m long.", "Teal is 20 m wide."),
    ("Teal has 5 brokers.", "Teal has 7 topics."),
    ("Teal has 5 brokers.", "The number of brokers in teal is 5."),
    ("The museum charges 10 euros for admission.", "The museum charges 4 euros for parking."),
    ("Mira leads the search team.", "Jonas joined the search team."),
    ("Mira owns the tokenizer module.", "Mira owns the parser module."),
    ("The search team is led by Mira.", "The search team is loved by Jonas."),
    ("Dana is the mayor of Halberg.", "Carl was mayor of Halberg until 2019."),
    ("Dana is the mayor of Halberg.", "Carl ran for mayor of Halberg."),
    ("The license of teal is MIT.", "The icons of teal are licensed under CC-BY."),
    ("Debug mode is off in staging.", "We turned debug mode on in production."),
    ("We disabled the cache of teal.", "We enabled the cache of owl."),
    ("The headquarters of Teal are in Oslo.", "The warehouse of Teal has moved to Bergen."),
    ("The team uses Redis 6.2.", "The team uses Redis 7.0."),
    ("Tests run on Python 3.10.", "Tests run on Python 3.11."),
    ("Uploads larger than 5 MB are rejected.", "Uploads larger than 20 MB are logged."),
]


@pytest.mark.parametrize(("first", "second"), SAME, ids=[p[1][:60] for p in SAME])
def test_other_words_of_one_attribute_retire(first: str, second: str) -> None:
    """Noun or verb, active or passive, an attribute has one key and kind of value."""
    assert retired_by(*GRAMMAR.extract([first, second]))


@pytest.mark.parametrize(("first", "second"), APART, ids=[f"{a[:30]} / {b[:40]}" for a, b in APART])
def test_attributes_that_look_alike_are_kept_apart(first: str, second: str) -> None:
    """Another thing, bound, unit, scope or holder is another fact, in either order."""
    earlier, later = GRAMMAR.extract([first, second])
    assert not retired_by(earlier, later)
    assert not retired_by(later, earlier)
