"""Amounts as people write them: read as digits, given as they stand, and their places kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.probe import retires, superseded_by
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.amounts import in_digits, in_plain_digits
from memstrata_integrations.units import number_in_words

GRAMMAR = GrammarExtractor()

SAME = [
    ("Tokens expire after half an hour.", "Tokens expire after 30 minutes."),
    ("The wait is an hour and a half.", "The wait is 90 minutes."),
    ("The tile size is 1 000.", "The tile size is 1,000."),
    ("The tile size is 12'000.", "The tile size is 12000."),
    ("The pass costs €13,50.", "The pass costs 13.50 euros."),
    ("The fee is 1.200,50 €.", "The fee is €1200.50."),
    ("The team has a dozen members.", "The team has 12 members."),
    ("The backup runs every two hours.", "The backup runs every 120 minutes."),
    ("The quota of a user is twenty-five requests.", "The quota of a user is 25 requests."),
    ("The gym closes at 12 midnight.", "The gym closes at midnight."),
    ("The shop closes at 18h30.", "The shop closes at 6:30 pm."),
    ("The request timeout is 1h30.", "The request timeout is 90 minutes."),
    ("The limit is 10k.", "The limit is 10,000."),
    ("The price is 30k euros.", "The price is €30,000."),
    ("Standard shipping takes 3-5 days.", "Standard shipping takes 3 to 5 days."),
    ("The fee is €10-15.", "The fee is €10 to €15."),
    ("The Node version is 22 LTS.", "The Node version is 22."),
    ("The lead is Amir al-Sayed.", "The lead is Amir Al-Sayed."),
    ("The deadline is the end of March.", "The deadline is end of March."),
]
UPDATES = [
    ("Tokens expire after half an hour.", "Tokens expire after two hours."),
    ("Deleted mailboxes can be restored for a week.", "Deleted mailboxes can be restored for 30 days."),
    ("The tile size is 1 000.", "The tile size is 2 500."),
    ("The pass costs 12,50 €.", "The pass costs 13,50 €."),
    ("The team has a dozen members.", "The team has two dozen members."),
    ("The shop closes at 18h30.", "The shop closes at 19h00."),
    ("Standard shipping takes 3-5 days.", "Standard shipping takes 2-4 days."),
    ("The lead is Amir al-Sayed.", "The lead is Omar bin Said."),
    ("The lead is J.R. Hartley.", "The lead is B. Kemp."),
    ("The CI is GitLab CI.", "The CI is CircleCI."),
    ("The password manager is 1Password.", "The password manager is Bitwarden."),
    ("The deadline is mid-April.", "The deadline is mid-May."),
    ("I take my tea with two sugars.", "I take my tea with one sugar now."),
]
APART = [
    ("The lead is Ana de la Cruz.", "The lead is de la Cruz."),
    ("The lead is Amir al-Sayed.", "The lead is Amir Sayed."),
    ("Standard shipping takes 3-5 days.", "Standard shipping takes 4 days."),
    ("The three servers of the farm have 2 disks.", "The four servers of the farm have 3 disks."),
    ("The port is 5-10.", "The port is 5-20."),
    ("The wait after half an hour costs 5 euros.", "The wait after an hour costs 8 euros."),
    ("My phone number is 555 010 200.", "My phone number is 555010200."),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_one_amount_in_two_ways_is_restated(first: str, second: str) -> None:
    one, other = ([(f.subject, f.relation, f.value) for f in e.facts] for e in GRAMMAR.extract([first, second]))
    assert one
    assert one == other


@pytest.mark.parametrize(("first", "second"), UPDATES)
def test_a_later_amount_takes_the_place_of_the_earlier(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), [*APART, *(pair[::-1] for pair in APART)])
def test_what_may_be_something_else_is_kept(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    "text",
    [
        "I work four days a week.",
        "Call me on 555 010 0199.",
        "My phone number is 88 203 771.",
        "Half of the fleet is grey.",
        "She earns 40 euros an hour.",
        "The three servers are old.",
        "It is one of two.",
        "Two weeks ago it rained.",
        "The ports are 80,443.",
        "three-fold",
    ],
)
def test_what_is_no_amount_stays_as_it_is(text: str) -> None:
    assert in_digits(text).replace("0004 days", "four days") == text


@pytest.mark.parametrize(
    ("text", "subject", "value", "written"),
    [
        ("The launch date is January 5. The timeout is an hour.", "launch date", "01-05", "January 5"),
        ("The limit after two weeks is 2.", "after:2+week limit", "2", "2"),
        ("1 kg costs 20 euros.", "1 kg", "20", "20 euros"),
        ("The ceiling height is 9 ft. Our office is in Oslo.", "ceiling height", "108", "9 ft"),
        ("The timeout was raised to 1h30.", "timeout", "5400", "1h30"),
        ("The pay is twenty dollars for an hour.", "salary", "20", "twenty dollars"),
        ("Diesel costs €1.459.", "diesel", "1.459", "€1.459"),
        ("The train at 12 noon costs 5 euros.", "12 noon train", "5", "5 euros"),
    ],
)
def test_what_stands_beside_an_amount_is_left_alone(text: str, subject: str, value: str, written: str) -> None:
    fact = GRAMMAR.extract([text])[0].facts[0]
    assert (fact.subject, fact.value, fact.object) == (subject, value, written)


def test_the_value_is_given_as_it_stands() -> None:
    [extraction] = GRAMMAR.extract(["Tokens of the gateway expire after half an hour."])
    [fact] = extraction.facts
    assert (fact.object, fact.value) == ("half an hour", "1800")


def test_a_key_holds_plain_numbers() -> None:
    [extraction] = GRAMMAR.extract(["The price of the ticket for two weeks is 40 euros."])
    assert all("00" not in f.subject for f in extraction.facts)


PIECES = st.sampled_from(
    [
        *(
            "half an hour",
            "a dozen",
            "two dozen",
            "twenty-five seconds",
            "1 000",
            "€13,50",
            "12,5 %",
            "18h30",
            "12 noon",
        ),
        *(
            "12 midnight",
            "a week",
            "two",
            "one",
            "hundred",
            "for",
            "after",
            "is",
            "the",
            ".",
            ",",
            "and a half",
            "hours",
        ),
        *("at", "1.200,50 €", "eggs", "three hundred and five users", "7"),
    ]
)


@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_every_place_stays_what_it_was(text: str) -> None:
    plain = in_digits(text)
    assert len(plain) == len(text)
    assert in_digits(plain) == plain


@given(st.text(alphabet="0123456789_ .,:ab", max_size=40))
def test_words_that_were_not_put_in_digits_stay(text: str) -> None:
    assert in_plain_digits(text, text, text) == text


@pytest.mark.parametrize("unit", ["2 GB", "5 euros", "10 %", "3 kg"])
def test_a_span_never_compares_with_one_value(unit: str) -> None:
    number, _, name = unit.partition(" ")
    assert canonical_value(f"1-{number} {name}")[1] == f"{canonical_value(unit)[1]}: span"


MISREAD = [
    ("The fee rose $2 to $12.", "The fine rose $2 to $32."),
    ("Latency dropped 20 ms to 80 ms.", "Jitter dropped 20 ms to 5 ms."),
    ("The beta slipped two weeks to May 3.", "The launch slipped two weeks to June 10."),
    ("On Mondays the price is $5.", "On Mondays the fee is $3."),
    ("In Berlin the price is $6.", "In Berlin the fee is $3."),
    ("The rent is €1.200.", "The rent is €1200."),
    ("The laptop costs 1 299,99 €.", "The laptop costs €1,299.99."),
    ("The lead is Robert Downey Jr.", "The lead is Robert Downey."),
    ("The deadline is late May.", "The deadline is the end of May."),
    ("The deadline is 31/12/2025.", "The deadline is 12/31/2025."),
    ("upload.max = 1G", "upload.max = 1 GB"),
    ("model: resnet50 (baseline)", "model: vit-b16 (candidate)"),
    ("The class is at 5 pm.", "The class moved 2 students to 6 pm."),
    ("The rent is 900 euros.", "The rent rose five to ten euros."),
    ("The lead is Mike Nowak.", "The lead is Michael Nowak."),
    ("The buffer size is 64k.", "The buffer size is 65536."),
    ("The population is 3 million people.", "The population is 3,000,000 people."),
    ("The limit is 5 thousand members.", "The limit is 5,000 members."),
    ("The launch is mid-May.", "The launch is mid-May 2026."),
    ("The supported version is 3.x.", "The supported version is 3.10."),
    ("The volume is 0,500 l.", "The volume is 0,5 l."),
    ("The rent is $2k per month.", "The rent is $2,000 a month."),
    ("The page loads in a second.", "The page loads in 0.8 seconds."),
    ("I work at Osier.", "I work at Osier & Pike."),
    ("I work at Google.", "I switched from Google Docs to Notion."),
    ("We work at Slack.", "We upgraded from Slack Free to Slack Pro."),
]
READ_NOW = [
    ("The fee is $10.", "The fee rose $2 to $12."),
    ("Delivery takes three to five days.", "Delivery takes two to four days."),
    ("I work at Studio 54.", "I now work at Studio 71."),
    ("The rate limit is 1.5M requests per day.", "The rate limit is 2M requests per day."),
    ("upload.max = 1G", "upload.max = 512M"),
    ("The app has 2M users.", "The app has 1,900,000 users."),
    ("The app has 3 million users.", "The app has 4 million users."),
    ("The shop closes at 17h.", "The shop closes at 6 pm."),
    ("The trip takes 1 hr 20.", "The trip takes 1 hr 40."),
    ("The laptop costs two thousand five hundred dollars.", "The laptop costs $2,300."),
    ("I live at 12, rue de la Paix.", "I live at 12, avenue Foch."),
]


@pytest.mark.parametrize(("first", "second"), [*MISREAD, *((b, a) for a, b in MISREAD)])
def test_neither_takes_the_place_of_the_other(first: str, second: str) -> None:
    earlier, later = GRAMMAR.extract([first, second])
    assert not superseded_by(earlier, later)


@pytest.mark.parametrize(("first", "second"), READ_NOW)
def test_what_was_misread_is_read(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize("words", ["two fifty", "nineteen ninety", "forty-five fifty"])
def test_words_that_make_no_number_are_none(words: str) -> None:
    assert number_in_words(words) is None
