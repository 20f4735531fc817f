"""Lines of notes, and the sentences that say the same: "Photo form - upload limit 20 MB"."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()

SAME = [
    # a thing, what it has, and the value
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - scan limit: 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - scan limit 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk – scan limit – 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk — scan limit: now 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk: 60 MB scan limit"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - scan limit: 60 MB (was 40 MB)"),
    ("The scan limit of the parcel kiosk is 40 MB.", "**Parcel kiosk** - scan limit: 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk > scan limit: 60 MB"),
    ("Parcel kiosk - scan limit: 40 MB", "The parcel kiosk has a scan limit of 60 MB."),
    ("The retry delay of the fax gateway is 5 seconds.", "Fax gateway, retry delay: 9 seconds"),
    ("The retry delay of the fax gateway is 5 seconds.", "Retry delay, fax gateway: 9 seconds"),
    ("The retry delay of the fax gateway is 5 seconds.", "Fax gateway retry delay - 9 seconds"),
    ("The retry delay of the fax gateway is 5 seconds.", "Retry delay (fax gateway): 9 seconds"),
    ("The retry delay of the fax gateway in staging is 5 seconds.", "Fax gateway (staging): retry delay 9 seconds"),
    ("The bookings module is owned by Mira Kohl.", "Bookings module - owner Jan Peters"),
    ("The owner of the bookings module is Mira Kohl.", "Bookings module - owner: Jan Peters"),
    ("The default of the depth parameter of walk_tree is 3.", "walk_tree, depth parameter: default 7"),
    ("The paging size of SlotGrid is 20.", "SlotGrid - paging size: 50"),
    ("The guest login on the vendor portal is enabled.", "Vendor portal - guest login: disabled"),
    ("Our flat's rent per month is 800 euros.", "Our flat - rent per month 900 euros"),
    # how many there are
    ("The render cluster has 8 nodes.", "Render cluster - 12 nodes"),
    ("Our garden table has 4 chairs.", "Our garden table - chairs: 6"),
    # what it does, and what is done with it
    ("The town archive opens at 9:00.", "Town archive - opens 10:00"),
    ("The label printer service requires Java 17.", "Label printer service: requires Java 21"),
    ("`parse_row()` returns a list.", "parse_row(): returns a tuple"),
    ("The spare fuses are kept in the attic.", "Spare fuses: kept in the cellar"),
    ("The search widget is disabled on the beta site.", "Search widget: enabled on the beta site"),
    ("The Ansible role base.users is pinned to 2.1.0.", "base.users, the Ansible role: pinned to 3.0.0"),
    ("The nightly export of the HR database starts at 01:00.", "Nightly export, HR database: starts 03:00"),
    ("Ann Lee is on call for the mail cluster.", "On call for the mail cluster: Kim Roy"),
    ("Noor's desk is 17.", "Noor's desk: 19"),
    ("The contact person for volunteers is Ann Lee.", "Volunteers' contact person: Kim Roy"),
    ("The chair of the Elmgate council is Rosa Lund.", "Heads up - the chair of the Elmgate council is Piet Aarden."),
    # the value first
    ("The stable version of the tide API is 2023-01-15.", "Tide API: 2024-02-01 is the stable version"),
    ("The size of the page cache in store.cc is 4 MB.", "store.cc: size of the page cache is 8 MB"),
    ("QUEUE_URL=http://old:9200", "QUEUE_URL points at http://new:9200 now"),
]

APART = [
    # another subject, scope, bound
    ("The scan limit of the parcel kiosk is 40 MB.", "Ticket kiosk - scan limit: 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - print limit: 60 MB"),
    ("Parcel kiosk - scan limit: 40 MB", "Parcel kiosk (staging) - scan limit: 60 MB"),
    ("Parcel kiosk - scan limit: 40 MB", "Parcel kiosk - scan limit: 60 MB in staging"),
    ("Fax gateway - read timeout: 5 s", "Fax gateway - write timeout: 9 s"),
    ("Fax gateway - minimum delay: 5 s", "Fax gateway - maximum delay: 9 s"),
    ("The retry delay of the fax gateway is 5 seconds.", "Fax gateway (staging): retry delay 9 seconds"),
    ("The retry delay of the fax gateway is 5 seconds.", "Retry delay, fax gateway backup: 9 seconds"),
    ("The search widget is disabled on the beta site.", "Search widget: enabled on the live site"),
    ("QUEUE_URL=http://old:9200", "CACHE_URL points at http://new:9200 now"),
    ("QUEUE_URL=http://old:9200", "QUEUE_URL points at http://new:9200 in staging"),
    ("QUEUE_URL=http://old:9200", "QUEUE_URL pointed at http://new:9200"),
    # a plan, a question, a condition, of the past, of several
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - planned scan limit: 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - scan limit: 60 MB?"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - scan limit: 60 MB or 80 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - old scan limit: 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - scan limit if cached: 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - scan limit should be 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - scan limit was 60 MB"),
    ("The scan limit of the parcel kiosk is 40 MB.", "Parcel kiosk - goal: scan limit 60 MB"),
    ("The stable version of the tide API is 2023-01-15.", "Tide API: 2024-02-01 is the draft version"),
    ("The stable version of the tide API is 2023-01-15.", "Tide API: 2024-02-01 was the stable version"),
    ("The stable version of the tide API is 2023-01-15.", "Tide API: 2024-02-01 is a stable version"),
    ("The contact of the tide API is Ann Lee.", "Tide API - contact: Kim Roy and Jan Peters"),
    ("The contact of the tide API is Ann Lee.", "Tide API - contacts: Kim Roy"),
    ("The owner of the bookings module is Mira Kohl.", "Bookings module - former owner: Jan Peters"),
    # a person is no thing that somebody owns
    ("The owner of Anna Reyes is Search.", "Anna Reyes - owner: Billing"),
    ("The capital of Morvania is Lust.", "Most of Morvania - capital: Pern"),
    ("The version of the fleet is 12.", "Half of the fleet - version: 13"),
    ("My sister's desk is 17.", "Sister's desk: 19"),
    ("Noor's desk is 17.", "Nora's desk: 19"),
    # who says so, and a remark before a sentence
    ("The size of the page cache in store.cc is 4 MB.", "cache.cc: size of the page cache is 8 MB"),
    (
        "The chair of the Elmgate council is Rosa Lund.",
        "Team gossip - the chair of the Elmgate council is Piet Aarden?",
    ),
    # what happened once
    ("The car is washed on Monday.", "Car: washed on Saturday"),
    ("The server room is cleaned on Monday.", "Server room: cleaned on Friday"),
    ("The town archive opens at 9:00.", "Town archive - opened at 10:00"),
]

SILENT = [
    "Anna Reyes - on call this week",
    "14 May - moved to the new office",
    "14 May - office: Berlin",
    "Monday - lunch: pasta",
    "Next week - focus: testing",
    "Liverpool - Arsenal: 2-1",
    "Tom - whispering: I know",
    "Book club - Anna Karenina",
    "The Great Gatsby - F. Scott Fitzgerald",
    "Parser - fix: crash on empty input",
    "Dear Anna - update: we moved",
    "Parcel kiosk - TODO: raise the limit",
    "Parcel kiosk - scan limit: not set",
    "When idle: timeout 20 s",
    "Question for Tom - port 8080",
    "Incident - 12 nodes",
    "Online shop - 3 new items",
    "Meeting notes - 4 pages",
    "Berlin, Germany: 3.6 million people",
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_a_line_of_notes_has_the_key_of_its_sentence(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), APART)
def test_a_line_of_notes_about_something_else_retires_nothing(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)


@pytest.mark.parametrize("line", SILENT)
def test_a_title_a_remark_and_an_event_are_no_facts(line: str) -> None:
    assert not GRAMMAR.extract([line])[0].facts


@pytest.mark.parametrize("line", [second for _, second in SAME + APART])
def test_no_key_holds_a_dash(line: str) -> None:
    assert all("-" not in f.subject.split() for f in GRAMMAR.extract([line])[0].facts)


def test_lines_below_each_other_are_read_one_by_one() -> None:
    text = "We talked. Parcel kiosk - scan limit 40 MB. Then we left."
    assert [f.subject for f in GRAMMAR.extract([text])[0].facts] == ["kiosk parcel scan limit"]


def test_what_a_text_states_in_two_ways_is_no_fact() -> None:
    text = "Orders DB - pool size: 20\nOrders DB - pool size: 30"
    assert not GRAMMAR.extract([text])[0].facts
