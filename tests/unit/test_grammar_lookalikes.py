"""For every way of saying a fact, the sentences that look like it and say something else."""

from __future__ import annotations

import pytest

from eval.probe import retired_by
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()

# what holds, what is added later; neither retires the other
ADDED = [
    # several at once
    ("The yarrow node ships metrics to Graphite.", "The yarrow node ships metrics to InfluxDB."),
    ("Images of teal are pushed to Harbor.", "Images of teal are pushed to Nexus."),
    ("I use Vim.", "I now use Slack."),
    ("I have a cat.", "I now have a dog."),
    ("Mina speaks Danish.", "Mina now speaks Dutch."),
    ("Ida likes rowing.", "Ida now likes chess."),
    ("The parser is called by `main`.", "The parser is called by `worker`."),
    ("Errors are handled by `on_error`.", "Errors are handled by `on_abort`."),
    ("Tests are run on Linux.", "Tests are run on macOS."),
    ("teal supports Redis 6.", "teal supports Redis 7."),
    ("The report is read by Ana.", "The report is read by Ben."),
    ("I keep my notes in Quill.", "I keep my notes in Slate."),
    ("Rafi trains at Ironworks.", "Rafi trains at Dockside Gym."),
    ("Alerts are posted in #ops.", "Alerts are also posted in #dev."),
    # a part, a whole, another precision
    ("Solveig lives in Hamburg.", "Solveig lives in Ottensen."),
    ("Solveig lives in Germany.", "Solveig lives in Hamburg."),
    ("Mona works at Globex.", "Mona works at the Berlin office."),
    ("Mona works for Globex.", "Mona belongs to the growth team."),
    ("The depot is in eu-west-1.", "The depot is in Ireland."),
    ("Mona works for Globex.", "Mona works for Globex Foods Ltd."),
    ("My GP is Dr. Osei.", "My GP is Kwame Osei."),
    # classes and states
    ("Dario is a nurse.", "Dario is a father."),
    ("The roof of the barn is red.", "The roof of the barn is steep."),
    ("The host of the show is funny.", "The host of the show is tall."),
    ("Casper's dog is a whippet.", "Casper's dog is now very shy."),
    ("The lobby is closed for 5 days.", "The lobby is closed for 6 days."),
    # another scope, kind or bound
    ("In staging, the limit of teal is 5 MB.", "In production, the limit of teal is 9 MB."),
    ("For guests, the sauna costs 18 euros.", "For members, the sauna costs 11 euros."),
    ("The upload accepts a file of at most 5 MB.", "The upload accepts a file of at least 9 MB."),
    ("Each Sorrel worker gets 2 GiB of memory.", "Each Sorrel worker gets 3 GiB of disk."),
    ("Step 4 of the plan takes 5 minutes.", "Step 5 of the plan takes 6 minutes."),
    ("There are 3 replicas of the index.", "There are 5 shards of the index."),
    ("The read timeout of the write queue is 5 s.", "The write timeout of the read queue is 6 s."),
    ("Ferret polls every 5 minutes.", "Ferret sleeps every 9 minutes."),
    ("The owner of the shop is Kim.", "The owner of the shop's cat is Lee."),
    ("Kim's employer is Globex.", "Kim's wife's employer is Hooli."),
    ("The project manager of teal is Kim.", "The manager of teal is Lee."),
    ("The Docker version of the Python image is 24.", "The Python version of the Docker image is 3."),
    ("MT5 uses the `pad_id` as the starting token.", "LED uses the `eos_id` as the starting token."),
    ("The docs are built with Sphinx.", "The docs are built by Ana."),
    ("The pin of the door is 4471.", "The pin of the gate is 9920."),
    # doubt, past, plans, questions, others' words
    ("The limit of teal is 5.", "The limit of teal was raised to 9 on Monday and lowered again."),
    ("The limit of teal is 5.", "The limit of teal might be raised to 9."),
    ("The limit of teal is 5.", "We want to raise the limit of teal to 9."),
    ("The limit of teal is 5.", "Ana raised the limit of owl to 9."),
    ("I live in Leeds.", "I might move to Bristol."),
    ("I live in Leeds.", "My brother moved to Bristol."),
    ("The sync is at 10:00.", "Should the sync be moved to 11:00?"),
    ("The sync is at 10:00.", "The retro was moved to 11:00."),
    ("Alice works for Initech.", "Alice left Initech and joined a choir."),
    ("The CEO of Teal is Ana Ruiz.", "Teal has considered Ben Holt as its CEO."),
    ("The theme of the app is dark.", "The app has switched to the light plan."),
    ("nginx is the proxy of teal.", "nginx is the problem of teal."),
    ("The default colormap of `draw()` is `a_map`.", "`draw()` uses the `b_map` colormap."),
    ("Task Orion is in progress.", "Task Vega is done."),
    ("Our band is called Velvet.", "Our band's van is called Bertha."),
    ("My phone is a Pixel 6.", "My phone's case is a Mous now."),
    ("Reach Kim at 555-0101.", "Reach Lee at 555-0199 from now on."),
    ("Use miles for distances.", "Use pounds for weights from now on."),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), ADDED, ids=[p[1][:60] for p in ADDED])
def test_what_is_added_retires_nothing(first: str, second: str) -> None:
    """True at once, or not asserted: the earlier text stays."""
    earlier, later = GRAMMAR.extract([first, second])
    assert not retired_by(earlier, later)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ferret polls every 5 minutes.", "Ferret's poll interval is 300 seconds."),
        ("Alice works for Initech.", "Alice's employer is Initech."),
        ("The Pro plan costs $20.", "The price of the Pro plan is 20 dollars."),
        ("Kim owns the canoe.", "The canoe is owned by Kim."),
        ("The depot is in eu-west-1.", "The depot runs in eu-west-1."),
        ("MIN_STEP = 1e-6", "MIN_STEP is 0.000001."),
        ("Drops for Dad: twice a day", "Drops for Dad: 2 times per day"),
        ("The museum is open until 18:00.", "The museum closes at 6 pm."),
        ("Condor runs on Java 21.", "Condor's Java version is 21."),
        ("The deploy tool of Larch is Jenkins.", "Larch uses Jenkins as its deploy tool."),
        ("The daemon writes its log to /var/log/d.", "The log of the daemon is written to /var/log/d."),
    ],
)
def test_a_restatement_confirms(first: str, second: str) -> None:
    """The same fact in other words has the same key and the same value."""
    [one], [other] = (e.facts for e in GRAMMAR.extract([first, second]))
    assert (one.subject, one.relation, one.value, one.dimension) == (
        other.subject,
        other.relation,
        other.value,
        other.dimension,
    )
