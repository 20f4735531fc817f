"""What of a sentence enters the key of a model's fact: what tells the case, and not how and when it was said."""

from __future__ import annotations

import logging

import pytest

from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.extraction.llm import LLMExtractor
from memstrata_integrations.relations import Relation

from .saying import SayingModel

Row = tuple[str, tuple[str, str, str], str]


def subjects(text: str, triple: tuple[str, str, str]) -> list[str]:
    [found] = LLMExtractor(SayingModel(triple)).extract([text])
    return [f.subject for f in found.facts]


# The sentence says the subject alone, with what people say around it
SAID_AROUND: list[Row] = [
    ("I'm living in Sheffield now.", ("I", "lives in", "Sheffield"), "I"),
    ("I’m living in Sheffield.", ("I", "lives in", "Sheffield"), "I"),
    ("I've been living in Sheffield since May.", ("I", "lives in", "Sheffield"), "I"),
    ("I've just moved to Sheffield in May.", ("I", "lives in", "Sheffield"), "I"),
    ("My sister Anita's living in York these days.", ("my sister Anita", "lives in", "York"), "my sister Anita"),
    ("Anita joined Contoso in May.", ("Anita", "works for", "Contoso"), "Anita"),
    ("Anita joined Contoso in 2019 as an engineer.", ("Anita", "works for", "Contoso"), "Anita"),
    ("Anita joined Contoso on 3 March 2024.", ("Anita", "works for", "Contoso"), "Anita"),
    ("We bumped the billing API up to version 2.4.", ("billing API", "has version", "2.4"), "billing API"),
    ("We've bumped the billing API up to version 2.4.", ("billing API", "has version", "2.4"), "billing API"),
    ("We bumped the limit up to 25 MB.", ("limit", "is", "25 MB"), "limit"),
    ("You reach the billing API through port 9090.", ("billing API", "listens on", "9090"), "billing API"),
    ("You now reach the billing API on port 9090.", ("billing API", "listens on", "9090"), "billing API"),
    ("We reach billing-api through port 9090.", ("billing-api", "listens on", "9090"), "billing-api"),
    ("We are now running Redis 7.2.", ("Redis", "has version", "7.2"), "Redis"),
    ("The team switched over to Jenkins on Monday.", ("team", "uses", "Jenkins"), "team"),
    ("The rent went up to £900 in June.", ("rent", "is", "£900"), "rent"),
    ("My rent's gone up to £900 in June.", ("my rent", "is", "£900"), "my rent"),
    ("On Monday we cut the retry limit down to 3.", ("retry limit", "is", "3"), "retry limit"),
    ("In May 2024 we cut the retry limit to 3.", ("retry limit", "is", "3"), "retry limit"),
    ("Our office has moved to Leeds in January.", ("our office", "is located in", "Leeds"), "our office"),
    ("Since Monday the deploy key is held in vault-3.", ("deploy key", "is stored in", "vault-3"), "deploy key"),
    ("They've settled on 45 seconds as the read timeout.", ("read timeout", "is", "45 seconds"), "read timeout"),
    ("After the merger the support line is 4410.", ("support line", "is", "4410"), "support line"),
]
# The sentence says of which case it speaks, and the model leaves that out
OF_ONE_CASE: list[Row] = [
    ("You reach the billing API through port 9090 on mobile.", ("billing API", "listens on", "9090"),
     "billing API on mobile"),
    ("In staging you reach the API through port 9090.", ("API", "listens on", "9090"), "API in staging"),
    ("You reach the API through the admin port 9090.", ("API", "listens on", "9090"), "API through the admin port"),
    ("We now reach the API through port 80 from the Leeds office.", ("API", "listens on", "80"),
     "API from the Leeds office"),
    ("We bumped the API up to 2.4 in staging.", ("API", "has version", "2.4"), "API in staging"),
    ("We bumped the limit up to 25 MB for admins.", ("limit", "is", "25 MB"), "limit for admins"),
    ("The limit has been raised for admins to 5.", ("limit", "is", "5"), "limit for admins"),
    ("The limit has been 5 since May for admins.", ("limit", "is", "5"), "limit for admins"),
    ("They settled on a quota of 25 MB per tenant.", ("quota", "is", "25 MB"), "quota per tenant"),
    ("The quota is 25 MB, per tenant.", ("quota", "is", "25 MB"), "quota per tenant"),
    ("The rent went up to £900 in the Leeds office.", ("rent", "is", "£900"), "rent in the Leeds office"),
    ("In the Leeds office the rent went up to £900 in June.", ("rent", "is", "£900"), "rent in the Leeds office"),
    ("The rent went up to £900 in June for students.", ("rent", "is", "£900"), "rent for students"),
    ("The class begins at 18:30 on Mondays.", ("class", "starts at", "18:30"), "class on Mondays"),
    ("Since Monday the class begins at 18:30 on Fridays.", ("class", "starts at", "18:30"), "class on Fridays"),
    ("In winter the class begins at 18:30.", ("class", "starts at", "18:30"), "class in winter"),
    ("The class begins at 18:30 in winter.", ("class", "starts at", "18:30"), "class in winter"),
    ("The API in the Leeds office moved to port 90 in May.", ("API", "listens on", "90"), "API in the Leeds office"),
    ("At weekends the gym opens at 8:00.", ("gym", "opens at", "8:00"), "gym at weekends"),
    ("The pool opens at 8:00 in May.", ("pool", "opens at", "8:00"), "pool in May"),
    ("The budget in 2024 comes to £500.", ("budget", "is", "£500"), "budget in 2024"),
    ("The budget for 2024 went up to £500.", ("budget", "is", "£500"), "budget for 2024"),
    ("Inflation fell to 5 % in 2024.", ("inflation", "is", "5 %"), "inflation in 2024"),
    ("On Monday evenings we moved the class to 8:00.", ("class", "starts at", "8:00"), "class on Monday evenings"),
    ("We moved the class to 8:00 on Monday evenings.", ("class", "starts at", "8:00"), "class on Monday evenings"),
    ("We moved the Monday class to 8:00.", ("class", "starts at", "8:00"), "Monday class"),
    ("I'm living in Sheffield during the week.", ("I", "lives in", "Sheffield"), "I during the week"),
    ("I'm living in Sheffield in summer.", ("I", "lives in", "Sheffield"), "I in summer"),
    ("The renamed API listens on port 80.", ("API", "listens on", "80"), "renamed API"),
    ("The left margin comes to 5 mm.", ("margin", "is", "5 mm"), "left margin"),
    ("The sign up limit comes to 5.", ("sign", "is", "5"), "sign up limit"),
    ("In phase I the limit comes to 5.", ("limit", "is", "5"), "limit in phase I"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "triple", "subject"), [*SAID_AROUND, *OF_ONE_CASE], ids=lambda v: str(v)[:60])
def test_the_key_holds_what_tells_the_case_and_nothing_else(
    text: str, triple: tuple[str, str, str], subject: str
) -> None:
    """Pronouns, particles, adverbs and dates of change stay out; place, scope, purpose and habit stay in."""
    [found] = subjects(text, triple)
    assert sorted(found.split()) == sorted(canonical_subject(subject).split())


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("We moved the class to 8:00 on Monday and Friday.", ("class", "starts at", "8:00")),
        ("On the second Monday we moved the class to 8:00.", ("class", "starts at", "8:00")),
        ("The plan has a limit of up to 5 seats.", ("limit", "is", "5")),
    ],
)
def test_in_doubt_there_is_no_fact(text: str, triple: tuple[str, str, str]) -> None:
    """Days that list, days that are counted, and bounds give no key at all."""
    assert subjects(text, triple) == []


def test_two_ways_to_say_it_are_one_key() -> None:
    """The later statement finds the earlier one's key."""
    [earlier] = subjects("I live in York.", ("I", "lives in", "York"))
    [later] = subjects("I'm living in Sheffield now.", ("I", "lives in", "Sheffield"))
    assert earlier == later


def test_counts_and_the_log_tell_why_nothing_supersedes(caplog: pytest.LogCaptureFixture) -> None:
    """A key that the statement makes finer than the model's is counted, a dropped triple logged with the reason."""
    for text, triple, qualified in (
        ("The limit is 5 in staging.", ("limit", "is", "5"), 1),
        ("The limit is 5.", ("The limit", "is", "5"), 0),
        ("The distance from Bonn to Rome is 5 km.", ("distance from Bonn to Rome", "is", "5 km"), 0),
    ):
        extractor = LLMExtractor(SayingModel(triple))
        extractor.extract([text])
        assert (extractor.stats.facts, extractor.stats.qualified) == (1, qualified)
    with caplog.at_level(logging.DEBUG, "memstrata_integrations.extraction.llm"):
        assert subjects("Contoso pays Anita's wages.", ("Anita", "works for", "Contoso")) == []
    assert "('Anita', 'works for', 'Contoso'): the object is no value of that relation" in caplog.text


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("The co-chair of the panel is Ida Holm.", ("co-chair of the panel", "is", "Ida Holm")),
        ("From next Monday the support line is 4410.", ("support line", "is", "4410")),
        ("My rent's gone up to £900 in June 2024.", ("my rent", "is", "£900")),
        ("Our competitor went with 4410 as the support line.", ("support line", "is", "4410")),
    ],
)
def test_what_several_hold_or_what_is_to_come_is_no_fact(text: str, triple: tuple[str, str, str]) -> None:
    """A model reads what the grammar leaves, and may not bring back what the grammar refuses."""
    assert not subjects(text, triple)


PARITY = [
    ("mailer timeout", "45 seconds"),
    ("Redis version", "7.2"),
    ("Python version", "3.12"),
    ("rate limit of the API", "50 requests per minute"),
    ("max upload size", "25 MB"),
    ("disk size", "20 GB"),
    ("monthly budget", "500 euros"),
    ("replica count", "3"),
    ("default branch", "main"),
    ("sampling rate", "44.1 kHz"),
    ("start time of the shift", "8:00"),
    ("billing queue", "bq-8"),
    ("owner of billing", "Bob"),
    ("CEO of Acme", "Bob"),
]


@pytest.mark.parametrize("opener", ["They", "In the end they", "With us, they"])
@pytest.mark.parametrize(("subject", "value"), PARITY)
def test_a_reworded_fact_gets_the_key_of_the_plain_sentence(subject: str, value: str, opener: str) -> None:
    """What the grammar makes of "The X is V." is what the model's triple (X, is, V) becomes."""
    [by_rule] = GrammarExtractor().extract([f"The {subject} is {value}."])
    text = f"{opener} ended up with {value} as the {subject}."
    [by_model] = LLMExtractor(SayingModel((subject, "is", value))).extract([text])
    one, other = (
        [(f.subject, f.relation, f.value, f.dimension, f.local) for f in e.facts] for e in (by_rule, by_model)
    )
    assert one == other != []


def test_a_relation_of_the_user_is_read_wherever_its_words_stand() -> None:
    """A name with a number is no number."""
    mirrors = [Relation("mirrors", "functional", "one primary", aliases=("replicates",))]
    for text, facts in (
        ("Over there replica-2 quietly mirrors primary-1.", 1),
        ("Over there replica-2 quietly replicates primary-1.", 1),
        ("Over there replica-2 quietly attacks primary-1.", 0),
    ):
        extractor = LLMExtractor(SayingModel(("replica-2", "mirrors", "primary-1")), relations=mirrors)
        assert len(extractor.extract([text])[0].facts) == facts


def test_a_version_at_the_start_is_a_version() -> None:
    """A verb behind a number is no unit: "16.0 serves"."""
    triple = ("Postgres version", "is", "16.0")
    [found] = LLMExtractor(SayingModel(triple)).extract(["Over here 16.0 serves as the Postgres version."])
    assert [(f.subject, f.object) for f in found.facts] == [("postgres", "16.0")]
