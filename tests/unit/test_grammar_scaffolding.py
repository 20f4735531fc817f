"""Clauses around the main clause: the fact is read without them, and their words stay in its key."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

SUPERSEDED = [
    # a sentence with {}, the earlier and the later value
    ("When the upload queue is full, Wexley waits for {} seconds.", "20", "45"),
    ("The timeout of the hub is {} seconds when the queue is full.", "5", "9"),
    ("Alice, who is my sister, lives at {} Main Street.", "12", "14"),
    ("If the region is not known, Wexley keeps backups for {} days.", "30", "90"),
    ("Once an invoice has been paid, Wexley keeps it for {} years.", "5", "7"),
    ("To shorten cold starts, the memory limit of the Finch functions is {} MB.", "512", "768"),
    ("In order to avoid timeouts, the batch size of the Teal importer is {}.", "200", "50"),
    ("On the free plan of Tallow, per workspace and per month, the automation quota is {} runs.", "500", "350"),
    ("For tenants of the old plan, in Norway, the storage limit of Tallow is {} GB.", "5", "8"),
    ("Although the form takes more, the Ambler API limit for names is {} characters.", "48", "64"),
    ("Outside school holidays, the entrance fee of the Skylark pool is {} euros.", "9", "11"),
    ("Despite its age, the top speed of the Linnet tram is {} km/h.", "60", "50"),
    ("The authority whose root the Selkirk gates trust is {}.", "Norrland Trust", "Baltic Root"),
    ("The fee that Pelican Ferries charges for a bicycle is {} euros.", "12", "15"),
    ("The queue to which the Teal importer writes is {}.", "jobs-a", "jobs-b"),
    ("Rhea, whom you will meet on your first day, sits at desk {}.", "12", "31"),
    ("for anyone joining late, the port of the Elm gateway is {}", "8080", "9090"),
    ("small update on my side: I report to {} these days", "Ivo Kern", "Ann Lee"),
    ("hey all, the retro of team Elk is Wednesday {} now", "14:30", "15:00"),
    ("we did the switch, the default branch of the Amber repo is {} now", "main", "trunk"),
    ("team Marmot: standup is at {}", "9:15", "9:45"),
    ("The stand-up of the Falcon squad is at {} every morning.", "9:15", "10:00"),
    ("For adults, booked online, a day ticket to the Skylark pool is {}.", "€9.50", "€11"),
    ("quick reminder since people keep asking: the door code of the Ferry studio is {}", "4471", "9920"),
]

KEPT = [
    ("When the queue is full, Wexley waits for 20 seconds.", "When the queue is empty, Wexley waits for 5 seconds."),
    ("If the flag is set, the timeout of Teal is 20 s.", "Unless the flag is set, the timeout of Teal is 5 s."),
    ("Before noon, parking at Dock 4 costs 2 euros.", "After noon, parking at Dock 4 costs 3 euros."),
    (
        "With compression on, the sync interval of Teal is 3 h.",
        "Without compression, the sync interval of Teal is 1 h.",
    ),
    (
        "For adults, a day ticket to the Lark pool is 9 euros.",
        "For children, a day ticket to the Lark pool is 5 euros.",
    ),
    ("In summer, on weekdays, the Lark pool opens at 7:00.", "In winter, on weekdays, the Lark pool opens at 9:00."),
    ("The port of the hub is 8080.", "The port of the hub is 9090 if TLS is off."),
    ("If we win the bid, the office of Teal is in Oslo.", "If we win the bid, the office of Teal is in Bergen."),
    ("Once an invoice is paid, Teal keeps it for 5 years.", "Once a contract is signed, Teal keeps it for 9 years."),
    ("To save power, the fan speed of Teal is 900 rpm.", "To avoid overheating, the fan speed of Teal is 2400 rpm."),
    ("For people over 65, the fee of the Lark pool is 5 euros.", "The fee of the Lark pool is 9 euros."),
    ("The fee of the Lark pool is 9 euros.", "For people over 65, the fee of the Lark pool is 5 euros."),
    ("The Cinder cluster has 12 nodes.", "Just for tonight's load test, the Cinder cluster has 20 nodes."),
    ("The port of Teal is 80.", "According to Ann, the port of Teal is 90."),
    ("The port of Teal is 80.", "In our test, the port of Teal is 90."),
    ("The port of Teal is 80.", "For example, the port of Teal is 90."),
    ("The port of Teal is 80.", "If that would help, the port of Teal is 90."),
    ("For one customer, the limit of Teal is 5 MB.", "For one customer, the limit of Teal is 7 MB."),
    ("In some regions, the fee of Teal is 5 euros.", "In some regions, the fee of Teal is 7 euros."),
    ("In our last experiment, the latency of Teal is 5 ms.", "In our last experiment, the latency of Teal is 9 ms."),
    ("The student who won the cup is Ann Lee.", "The student who won the cup is Bo Lind."),
    ("The person who signs drawings is Ann Lee.", "The person who signs budgets is Bo Lind."),
    ("The thing that annoys me is the noise.", "The thing that annoys me is the smell."),
    ("The fee that Pelican charges for a bicycle is 12 euros.", "The fee that Pelican charges for a car is 60 euros."),
    ("The customers that complained are Acme.", "The customers that complained are Brill."),
    ("Ann, who sits at desk 12, reports to Bo Lind.", "Ann, who sits at desk 14, chairs the board."),
    ("Update policy for staging: the port of Teal is 80.", "Update policy for production: the port of Teal is 81."),
    ("Reminder for staging: the port of Teal is 80.", "Reminder for production: the port of Teal is 81."),
    ("team Elk: standup is at 9:15", "team Marmot: standup is at 9:45"),
    ("in theory, the port of Teal is 80", "in practice, the port of Teal is 81"),
    ("not decided yet: the port of Teal is 80", "the port of Teal is 81"),
    ("if all agree, the port of Teal is 80", "the port of Teal is 81"),
    ("on the old side, the port of Teal is 80", "on the new side, the port of Teal is 81"),
    ("The stand-up of the Falcon squad is at 9:15 daily.", "The stand-up of the Falcon squad is at 9:45 on Fridays."),
    ("The retro of team Elk is Friday.", "The retro of team Elk is at 9:00."),
    ("The bus leaves at 9:15 every morning.", "The bus leaves at 17:15 every evening."),
    ("Like Ann, Bo Lind lives in Oslo.", "Like Cy, Ann Lee lives in Bergen."),
    ("While Ann is away, the lead of Teal is Bo Lind.", "The lead of Teal is Ann Lee."),
    ("The lead of Teal is Ann Lee.", "While Ann is away, the lead of Teal is Bo Lind."),
    ("The port of Teal is 80.", "When Bo gets round to it, the port of Teal is 90."),
    ("Merlin formats amounts in euros.", "Teal formats amounts in euros."),
]


@pytest.mark.parametrize(("sentence", "earlier", "later"), SUPERSEDED)
def test_clauses_around_a_fact_stay_in_its_key(sentence: str, earlier: str, later: str) -> None:
    assert retires(GRAMMAR, sentence.format(earlier), sentence.format(later))


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_what_clauses_tell_apart_is_kept(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)
