"""The same said with small changes: since when, greetings, the other end first, what was so before."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

PLAIN = [
    ("the quota of the Brindle cluster is 40 GB", "the quota of the Brindle cluster is 64 GB"),
    ("the chair of the Elmgate council is Rosa Lund", "the chair of the Elmgate council is Piet Aarden"),
    ("the soup kitchen opens at 11:00", "the soup kitchen opens at 12:30"),
]
FRAMES = [
    *("At present, {}.", "These days, {}.", "Team, {}.", "Hi everyone, {}.", "Good morning all, {}.", "PS: {}."),
    *("Edit: {}.", "Heads up - {}.", "[Update] {}.", "In fact, {}.", "As things stand, {}.", "Reminder that {}."),
    *("We have decided that {}.", "I can confirm that {}.", "It was agreed that {}.", "After the merger, {}."),
]
WITHIN = [
    *("at the moment", "these days", "right now", "at present", "from now on", "since Monday", "as of today"),
    *("again", "by the way", "in fact", "however", "as you know", "currently", "officially"),
]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("first", "second"), PLAIN)
def test_what_is_said_around_a_sentence_leaves_its_key(first: str, second: str, frame: str) -> None:
    assert retires(GRAMMAR, f"{first[0].upper()}{first[1:]}.", frame.format(second))


@pytest.mark.parametrize("words", WITHIN)
def test_what_is_said_within_a_sentence_leaves_its_key(words: str) -> None:
    first = "The fee for the Lund course is 80 euros."
    if words not in ("by the way", "however", "as you know"):
        assert retires(GRAMMAR, first, f"The fee for the Lund course is {words} 95 euros.")
    assert retires(GRAMMAR, first, f"The fee for the Lund course, {words}, is 95 euros.")
    if words not in ("by the way", "in fact", "however", "as you know", "officially"):
        assert retires(GRAMMAR, "The mail relay listens on port 25.", f"The mail relay {words} listens on port 587.")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The dress code of the spring ball is casual.", "The spring ball has black tie as its dress code."),
        ("The largest donor of the Tarn inn is Oak Bank.", "The Reed family is the largest donor of the Tarn inn."),
        ("The hotline of the Tarn gasworks is 0800 555 111.", "0800 555 222 is the hotline of the Tarn gasworks."),
        ("The timeout of the lint stage is 8 minutes.", "We gave the lint stage a timeout of 12 minutes."),
        ("The image quality of the resizer is 75.", "The resizer now uses an image quality of 82."),
        ("The speed limit on Mill Lane is 50 km/h.", "There is a speed limit of 30 km/h on Mill Lane."),
        ("The base image of the api container is debian:11.", "The api container uses a base image of debian:12."),
        ("The secretary of the trustees is Ivo Renner.", "The trustees' new secretary is Ada Quist."),
        ("The app ID in the Play store is com.tern.a.", "The app ID in the Play store is com.tern.b (was com.tern.a)."),
        ("The mail relay listens on port 25.", "The mail relay listens on port 587 (was 25)."),
        ("The heap dump lives in /var/dump.", "The heap dump no longer lives in /var/dump but in /srv/dump."),
        ("Ruben works for Nordfell.", "Ruben no longer works for Nordfell but for Alder Retail."),
        ("The choir has 31 members.", "The choir no longer has 31 members but 34 members."),
        ("The product owner of the scanner app is Wendy Acheb.", "Scanner app, product owner: Klaus Immel"),
        ("The maintenance window of the Oslo rack is Sunday 01:00.", "Oslo rack - maintenance window: Tuesday 04:00"),
        ("The tenant of unit 9 is Zen Yoga.", "Unit 9's current tenant is Ridgeway Hire."),
        ("The parking permit of residents costs €60 a year.", "Residents pay €85 a year for the parking permit."),
        ("The search index lives on node es-03.", "We've put the search index on node es-07."),
    ],
)
def test_the_same_from_the_other_end_supersedes(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The fee for the Lund course is 80 euros.", "The fee for the Lund course was at the moment 95 euros."),
        ("The fee for the Lund course is 80 euros.", "The fee for the Lund course might these days be 95 euros."),
        ("The fee for the Lund course is 80 euros.", "At present prices, the fee for the Lund course is 95 euros."),
        ("The fee for the Lund course is 80 euros.", "Tom decided that the fee for the Lund course is 95 euros."),
        ("The fee for the Lund course is 80 euros.", "They decided whether the fee for the Lund course is 95 euros."),
        ("The fee for the Lund course is 80 euros.", "The fee for the Lund course is not again 95 euros."),
        ("The fee for the Lund course is 80 euros.", "Team Elm, the fee for the Lund course is 95 euros."),
        ("The port is 80.", "Team: Elm, port: 81"),
        ("The mail relay listens on port 25.", "The mail relay now and again listens on port 587."),
        ("The mail relay listens on port 25.", "The mail relay as of version 4 listens on port 587."),
        ("The mail relay listens on port 25.", "The mail relay temporarily listens on port 587."),
        ("The mail relay listens on port 25.", "The mail relay, for now, listens on port 587 as well."),
        ("The flat has a room of 20 square metres.", "The flat has a room of 12 square metres."),
        ("Ann has a daughter of 5.", "Ann has a daughter of 8."),
        ("The firm has a loan of 5,000 euros.", "The firm has a loan of 9,000 euros."),
        ("The bar has a stock of 50 bottles of gin.", "The bar has a stock of 30 bottles of rum."),
        ("The shop offers a choice of 5 colours.", "The shop offers a range of 12 sizes."),
        ("The fair has a prize of 50 euros.", "The fair has a prize of 20 euros."),
        ("The team has a member of 60 years.", "The team has a member of 19 years."),
        ("We gave Ann a book of 300 pages.", "We gave Ann a book of 120 pages."),
        ("We gave the club a donation of 300 euros.", "We gave the club a donation of 500 euros."),
        ("There is a house of 90 square metres in Elm Lane.", "There is a house of 70 square metres in Elm Lane."),
        ("There is a queue of 12 people at the door.", "There is a queue of 3 people at the bar."),
        ("Tom is the son of Ann.", "Jo is the son of Ann."),
        ("Ida is the author of the parser.", "Tom is the author of the parser."),
        ("Ida is the author of the loom book.", "Tom is the author of the loom book."),
        ("The library is the heart of the town.", "The market is the heart of the town."),
        ("The cat is the reason for the delay.", "The snow is the reason for the delay."),
        ("Rust is the language of the parser.", "Python is the language of the tests."),
        ("Bread is part of the menu.", "Soup is part of the menu."),
        ("Ann is Tom's friend.", "Jo is Tom's friend."),
        ("Rex is Tom's dog.", "Bello is Tom's dog."),
        ("The lake is the source of the Tarn.", "The glacier is the source of the Elm."),
        ("Tern uses Redis as a cache.", "Tern uses Kafka as a queue."),
        ("The house has a roof of slate.", "The shed has a roof of tin."),
        ("The file no longer lives in /etc but in /opt.", "The log lives in /var."),
        ("Ruben works for Nordfell.", "Ruben not only works for Nordfell but for Alder Retail."),
        ("Ruben plays for Elm.", "Ruben no longer plays for Oak but Tom plays for Oak."),
        ("The drill costs 80 euros.", "The saw costs 95 euros (was 120 euros)."),
        ("The drill costs 80 euros.", "The drill costs 95 euros in York (not 80)."),
        ("Harriers - head coach: Pete Sand", "Harriers - assistant coach: Lou Grady"),
        ("Oslo rack - window: Tuesday", "Bergen rack - window: Friday"),
        ("Scanner app, product owner: Klaus Immel", "Reader app, product owner: Ann Lee"),
        ("Scanner app, product owner: Klaus Immel", "Scanner app, tester: Ann Lee"),
        ("The bag is in the hall.", "We put the coat in the attic."),
        ("The index lives on node es-03.", "We've put the archive on node es-07."),
        ("The salt is in the jar.", "We put the salt in the soup."),
        ("Residents pay €85 for the permit.", "Guests pay €20 for the permit."),
        ("Cars pay a toll of £3.", "Lorries pay a toll of £9."),
        ("The trustees' secretary is Ann Lee.", "The trustees' new treasurer is Jo Day."),
    ],
)
def test_what_says_something_else_retires_nothing(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
