"""Sentences of documents in whichever verbs: their one value takes the place of the one before, and no other does."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction

GRAMMAR = GrammarExtractor()


def closed(earlier: Extraction, later: Extraction) -> list[str]:
    """Return the values of an earlier text that a later one replaces."""
    stated = {
        (f.subject, f.relation, f.dimension): f.value
        for f in later.facts
        if f.object is not None and f.cardinality == "functional"
    }
    return [
        f.object or "" for f in earlier.facts if stated.get((f.subject, f.relation, f.dimension), f.value) != f.value
    ]


EVOLVING = [
    # by whom, where and in what all of a kind is done
    ("Minutes of the harbour board are taken by {}.", "Oona Lind", "Piet Maas"),
    (
        "The second line of support is provided by {}, so call no vendor.",
        "Quill & Marsh",
        "Tamber Ltd",
    ),
    ("All permits for the quarry are issued by {}.", "Bergamt Sued", "Kreisamt Nord"),
    ("Requests for parking badges are approved by {}.", "Ines Duarte", "Olaf Brandt"),
    ("Regression suites are executed against {}.", "MariaDB 10", "MariaDB 11"),
    ("Hotel vouchers are booked through {}.", "Rovia Desk", "Stayline"),
    ("Receipts of the ferry kiosk are printed in {}.", "English", "Dutch"),
    ("Deliveries to the Harbin depot are accepted between {}.", "07:00 and 15:00", "08:30 and 17:00"),
    ("Payroll for the seasonal crew is run on the {} of each month.", "24th", "27th"),
    ("The person who opens the yard gate at the Brae office is {}.", "Mairi Grant", "Ewan Orr"),
    ("The keys of the chapel at Orla are kept by {}, who lives next door.", "Fergus Hale", "Una Drew"),
    # how much
    ("The import worker aborts after {} broken records.", "50", "200"),
    ("Caution: the import worker aborts after {} broken records.", "50", "200"),
    ("When the backlog passes 5,000, the controller adds {}.", "3 workers", "6 workers"),
    ("Should the upload fail, the client retries up to {}.", "3 times", "5 times"),
    ("Interest on overdue fees accrues at {} per month.", "1.5 %", "1.1 %"),
    ("The carrier's liability under this waybill is capped at {}.", "EUR 40,000", "EUR 90,000"),
    ("Pods that exceed {} are restarted by the operator.", "512Mi", "1Gi"),
    ("Queries that run longer than {} are stopped by the proxy.", "30 seconds", "90 seconds"),
    ("Bundles of up to {} are taken by the loader.", "500 files", "900 files"),
    ("After five failed codes the locker stays shut for {}.", "20 minutes", "1 hour"),
    ("Seminar rooms on the third floor can be booked up to {} in advance.", "10 days", "21 days"),
    ("The passphrase of a vault must contain at least {}.", "16 characters", "24 characters"),
    ("Full-time instructors receive {} of paid leave.", "24 days", "28 days"),
    ("The purge service's service interval is {}.", "300 operating hours", "450 operating hours"),
    ("Guests may borrow up to {} at a time from the toy library.", "three games", "five games"),
    ("Each answer of the Lomond API carries an `etag` field whose length is {}.", "20 characters", "32 characters"),
    ("The depth of the trash is bounded by `trash.max`, whose default is {}.", "100", "250"),
    # what a rule prescribes, and where a thing is to be had
    ("Faults in the lift should be reported to {}.", "lifts@brae.example", "estates@brae.example"),
    ("The agent shall inform the owner within {} of a loss.", "3 days", "5 days"),
    ("The rota for the night crew can be found at {}.", "rota.brae.example/night", "plans.brae.example/crew"),
    # orders that other rules read
    ("Torque the M10 anchor bolts to {}.", "40 Nm", "46 Nm"),
    ("Use `{}` to roll out the billing worker.", "make ship", "just ship"),
    # two clauses
    ("Trainees may watch but not operate, and the examiner for the Tarn crane is {}.", "Ulf Berg", "Nia Rhys"),
    ("Stowe is our asset store; its sweeper deletes orphans after {}.", "9 days", "30 days"),
]


@pytest.mark.parametrize(("said", "first", "second"), EVOLVING)
def test_another_value_takes_the_place_of_the_one_before(said: str, first: str, second: str) -> None:
    earlier, later = GRAMMAR.extract([said.format(first), said.format(second)])
    assert closed(earlier, later), (earlier, later)


KEPT = [
    # several do it, each some of it
    ("Backend changes are reviewed by Ola.", "Backend changes are reviewed by Mira."),
    ("The songs on the record are written by Ada Holm.", "The songs on the record are written by Per Lund."),
    ("Bug reports are sent to Kirsten.", "Bug reports are sent to Malik."),
    ("The library is used by Teal.", "The library is used by Kite."),
    ("The person who likes the tea is Mairi Grant.", "The person who likes the tea is Ewan Orr."),
    ("The bill is supported by Ines Duarte.", "The bill is supported by Olaf Brandt."),
    ("Release notes are published in English.", "Release notes are published on Mondays."),
    ("The widget is tested on Firefox 120.", "The widget is tested on Chrome 119."),
    ("Tickets for the gala are sold at Hall 3.", "Tickets for the fair are sold at Hall 5."),
    ("The clinic takes walk-ins on Mondays.", "The clinic takes walk-ins on Thursdays."),
    ("The night bus calls at 00:50.", "The night bus calls at 02:50."),
    ("Some pods need 3 GB of memory.", "Some pods need 5 GB of memory."),
    ("Workshops in the north hall are given by Ines.", "Workshops in the north hall are given by Olaf."),
    ("Parts of the annual report are written by Ines.", "Parts of the annual report are written by Olaf."),
    ("Goods from Spain arrive at dock 4.", "Goods from Spain arrive at dock 7."),
    ("The other recipe takes 350 g of flour.", "The other recipe takes 200 g of flour."),
    # several levels, steps and reminders
    ("A reminder is sent after 3 days.", "A reminder is sent after 10 days."),
    ("Set the timer to 10 minutes.", "Set the timer to 25 minutes."),
    ("Bake the loaf for 30 minutes.", "Bake the loaf for 12 minutes."),
    ("Add 200 g of flour to the bowl.", "Add 50 g of flour to the bowl."),
    ("Go to platform 4 and take the train.", "Go to platform 9 and take the train."),
    ("See section 4 for the limits.", "See section 9 for the limits."),
    ("The autoscaler never goes below 2 pods.", "The autoscaler never goes above 20 pods."),
    ("With TLS the gull broker binds to 8883.", "Without TLS the gull broker binds to 1883."),
    ("Before the audit the vault is opened at 08:00.", "After the audit the vault is opened at 17:00."),
    # events, tries, plans, doubts and examples
    ("Minutes of the last meeting were taken by Oona Lind.", "Minutes of the last meeting were taken by Piet Maas."),
    ("Build 771 failed on arm64.", "Build 772 failed on arm64."),
    ("Deploy 8817 finished in 6 min 10 s.", "Deploy 8818 finished in 9 min 45 s."),
    ("The benchmark shows 300 requests per second.", "The benchmark shows 480 requests per second."),
    ("Figure 3 shows 12 nodes.", "Figure 3 shows 15 nodes."),
    ("The study reports a loss of 4 %.", "The study reports a loss of 7 %."),
    ("The port will be 8080.", "The port will be 9090."),
    ("The stall should be moved to Hall 4.", "The stall should be moved to Hall 6."),
    ("The tariff is to be changed from 18 to 22 euros.", "The tariff is to be changed from 22 to 25 euros."),
    ("Perhaps the crate weighs 40 kg.", "Perhaps the crate weighs 55 kg."),
    ("For example, the loader takes 500 files.", "For example, the loader takes 900 files."),
    # two values, another scope, another thing
    ("The supported versions are 3.10 and 3.11.", "The supported versions are 3.11 and 3.12."),
    ("The port is 8000 or 9000.", "The port is 8000 or 9100."),
    ("Queries that run longer than 30 seconds are logged.", "Queries that run longer than 30 seconds are stopped."),
    ("Dr. Maier (cardiology) starts at 8:00.", "Dr. Maier (radiology) starts at 9:00."),
    ("Rows of the matrix are indexed from 0.", "Columns of the matrix are indexed from 1."),
    ("At least 20 GB of disk is required on the primary.", "At most 40 GB of disk is required on the primary."),
    ("Leave `dirty_ratio` at 10 on the ledger hosts.", "Leave `dirty_ratio` at 20 on the cache hosts."),
    ("Migrate the core CI by @ada in #12752.", "Migrate the core CI by @ada in #12999."),
    ("The report is attached as Annex 2.", "The report is attached as Annex 2, the map as Annex 3."),
]


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_no_other_sentence_takes_its_place(first: str, second: str) -> None:
    assert closed(*GRAMMAR.extract([first, second])) == []


@pytest.mark.parametrize(
    "text",
    [
        "config The limit is the 100 requests , per second.",
        "`resizer` password is rot,ated weekly.",
        "Torben moved the to Odense.",
        "Bartholomew collects ... pens.",
        " ->  there are 3  has been moved to | - \n has been moved to v1.2.3",
    ],
)
def test_what_once_raised_raises_nothing(text: str) -> None:
    GRAMMAR._extract(text, None)
