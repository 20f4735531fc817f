"""Which of a model's triples become facts: four checks, as tables of readings that must pass and that must not."""

import pytest

from memstrata_integrations.chroma.explicit import keyed
from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.extraction.grounding import ground
from memstrata_integrations.extraction.models import Triple
from memstrata_integrations.extraction.relations import Vocabulary
from memstrata_integrations.extraction.statements import statements
from memstrata_integrations.ledger.facts import Fact, KeyedFact
from tests.unit.grammar.pairs import rows

Told = tuple[str, str, str]


def readings(table: str) -> list[tuple[str, Told]]:
    """Return what is said, and a triple that is told of it: "It is so. || subject | relation | value"."""
    found = [(said, told.split(" | ")) for said, told in rows(table)]
    return [(said, (subject, relation, value)) for said, (subject, relation, value) in found]


RIGHT = readings("""
    Dana is the new head of Platform. || head of Platform | is | Dana || Dana | role | head of Platform
    Over in the billing team they have settled on 45 seconds as the connect timeout.
        || connect timeout of the billing team | is | 45 seconds
    Ann lives in Bergen these days. || Ann | lives in | Bergen ;; My cat is called Pixel. || cat | is called | Pixel
    Our retention policy keeps audit logs for 90 days. || audit logs | is kept for | 90 days
    We moved the nightly backup to 02:00. || nightly backup | is | 02:00
    Marta took over as captain of the Blue Herons. || captain of the Blue Herons | is | Marta
    The bakery on Elm Street closes at 18:00 now. || bakery on Elm Street | closes at | 18:00
    The reporting cluster runs Postgres 16.2. || reporting cluster | runs | Postgres 16.2
    Revolut is Acme's primary bank now. || Acme | primary bank | Revolut
    Rent for the Lund office costs 4,200 EUR a month. || rent for the Lund office | costs | 4,200 EUR a month
    Team Falcon settled on Kotlin as its main language. || Team Falcon | main language | Kotlin
    For exports we picked Parquet as the default format. || default format for exports | is | Parquet
    Mina's allergy medication is Zyrtec. || Mina | allergy medication | Zyrtec
    The project's docs are hosted on Netlify. || project docs | is hosted on | Netlify
    Our on-call engineer this quarter is Bela. || on-call engineer | is | Bela
    I live in Bergen and work from home. || user | lives in | Bergen
    The marathon's start was moved to 8:00 am. || marathon | start | 8:00 am
    Sigrid is married to Olav. || Sigrid | is married to | Olav ;; Tickets cost 14 euros. || tickets | costs | 14 euros
    We've switched our payroll provider to Rippling. || payroll provider | is | Rippling
    Pilar now coaches the under-15 squad. || under-15 squad | coach | Pilar
    Veronica has been appointed treasurer of the rowing club. || treasurer of the rowing club | is | Veronica
    Zeta Labs runs payroll on the 25th. || Zeta Labs | runs payroll on | 25th
    The Kestrel project chose Rust as its implementation language. || Kestrel project | implementation language | Rust
    Membership fees went up to 48 euros. || membership fees | is | 48 euros
    My dentist is Dr. Halloran. || user | dentist | Dr. Halloran
    Support tickets get escalated to Team Orca. || support tickets | escalated to | Team Orca
    The lease on the Turin warehouse ends on 30 June 2026. || lease on the Turin warehouse | ends on | 30 June 2026
    The wedding will be held at Castle Howard, and the florist is Bloom & Co. || florist | is | Bloom & Co
    The default branch of atlas-web is main. || atlas-web | default branch | main
    Priority support answers within 2 hours. || priority support | answers within | 2 hours
    The night shift begins at 22:00. || night shift | starts at | 22:00
    They picked Elixir as the language for the gateway. || language for the gateway | is | Elixir
    Rate limit for partners: 200 requests per minute. || rate limit for partners | is | 200 requests per minute
    Bruno moved to Porto last May and lives in Porto now. || Bruno | lives in | Porto
    Tasks in the blue queue are retried 5 times. || tasks in the blue queue | retried | 5 times
    The Oslo branch is managed by Hedda. || Oslo branch | is managed by | Hedda
    Cara's new phone number is 070-555 21 21. || Cara | phone number | 070-555 21 21
    We settled on Friday for the retro. || retro | is | Friday
    The Redmere Rovers' coach is Petra Vogel. || the Redmere Rovers | coach | Petra Vogel
    Sonja became chair of the board. || chair of the board | is | Sonja
    The new head chef at Mirabelle is Yusuf. || head chef at Mirabelle | is | Yusuf
""")
WRONG = readings("""
    Ann has a cabin in Bergen. || Ann | lives in | Bergen ;; Ann reports to Bob. || Bob | reports to | Ann
    The connect timeout of the mailer is 30 seconds. || billing API | connect timeout | 30 seconds
    The connect timeout of the mailer is 30 seconds. || mailer | connect timeout | 90 seconds
    Is the port of the billing API 8080? || billing API | port | 8080 ;; Ann works for Acme. || Ann | manager | Acme
    The port of the billing API isn't 8080. || billing API | port | 8080 ;; Try a timeout of 5 s. || timeout | is | 5 s
    The port of the billing API was 8080. || billing API | port | 8080 ;; The port is 8080, I think. || port | is | 8080
    According to Bob, the port of the billing API is 8080. || billing API | port | 8080
    Acme went with N26 as primary bank. || N26 | primary bank | Acme || Acme | bank | N26
    The admin port of the billing API is 8080. || billing API | port | 8080
    The office is near the station in Bergen. || office | is | Bergen ;; Acme appointed Ann as CEO. || CEO | is | Acme
    The plan is to move the deadline to 3 May. || deadline | is | 3 May ;; The port must be 8080. || port | is | 8080
    Mailer and crawler talk to the queue. || mailer | listens on | queue
    Rumour has it that Acme banks with N26. || Acme | banks with | N26
    The proxy forwards traffic to port 9000 of the API. || proxy | listens on | 9000
    Could somebody raise the upload limit to 50 MB? || upload limit | is | 50 MB
    Vesna dreams of playing for AC Sparta. || Vesna | plays for | AC Sparta
    Vesna played for AC Sparta in 2019. || Vesna | plays for | AC Sparta
    The Kestrel project is evaluating Rust as its implementation language.
        || Kestrel project | implementation language | Rust
    Gusto sued our old payroll provider. || payroll provider | is | Gusto
    Sami applied for the role of scrum master. || scrum master | is | Sami
    Henrik's blood type is O negative. || Anna | blood type | O negative
    The CEO of Zeta is Ann and the CFO of Zeta is Bo. || CEO of Zeta | is | Bo
    Let's keep the batch size at 500. || batch size | is | 500 ;; Does Bruno live in Porto? || Bruno | lives in | Porto
    For example, the batch size is 500. || batch size | is | 500 ;; Maybe the gate opens at 9. || gate | opens at | 9
    Some of the pods run on port 7000. || pods | listens on | 7000 ;; Ann replaced Bo as captain. || captain | is | Bo
    Bruno would like to live in Porto. || Bruno | lives in | Porto
    The deputy director of the museum is Paul. || museum | director | Paul
    Hedda manages the Oslo branch. || Hedda | is managed by | Oslo branch || Bergen branch | is managed by | Hedda
    Please raise the quota to 20 GB. || quota | is | 20 GB ;; Ann ran a marathon in Bergen. || Ann | lives in | Bergen
    Remember to raise the quota to 20 GB. || quota | is | 20 GB
    Student tickets cost 14 euros. || tickets | costs | 14 euros
    The port of the billing API will be 8080. || billing API | port | 8080
    Bob says the port of the billing API is 8080. || billing API | port | 8080
    Acme wants to make N26 its primary bank. || Acme | primary bank | N26
    Acme may go with N26 as primary bank. || Acme | primary bank | N26
    Acme never went with N26 as primary bank. || Acme | primary bank | N26
    Ann's brother works for Acme. || Ann | works for | Acme ;; Ann used to live in Bergen. || Ann | lives in | Bergen
    Ann probably lives in Bergen. || Ann | lives in | Bergen ;; Ann took over from Bo as captain. || captain | is | Bo
    Next week Dana becomes head of Platform. || head of Platform | is | Dana
    We should set the retry limit to 5. || retry limit | is | 5
    Last year the budget was 4 million euros. || budget | is | 4 million euros
    The upload limit is no longer 50 MB. || upload limit | is | 50 MB
    Tom claims that the upload limit is 50 MB. || upload limit | is | 50 MB
    If we grow, our payroll provider will be Gusto. || payroll provider | is | Gusto
    It is said that Acme's auditor is Grant Thornton. || Acme | auditor | Grant Thornton
    Acme chose Rust for Team Birch. || Team Birch | is | Acme
    Acme switched from N26 to Revolut as primary bank. || Acme | primary bank | N26
    We raised the limit from 5 s to 8 s. || limit | is | 5 s
    Tom says I live in Bergen. || I | lives in | Bergen ;; As a child I lived in Bergen. || I | lives in | Bergen
    My friend who lives in Bergen called. || I | lives in | Bergen
    Remind me that Bob lives in Bergen. || I | lives in | Bergen
    My wife and I live apart, she lives in Bergen. || I | lives in | Bergen
""")
# Right, and not taken
MISSED = readings("""
    Hedda manages the Oslo branch. || Hedda | manages | Oslo branch
    Sami took the role of scrum master for Team Birch. || scrum master for Team Birch | is | Sami
    Postgres 16.2 is the version that the reporting cluster runs. || reporting cluster | version | 16.2
    The staging cluster got bumped to Kubernetes 1.29. || staging cluster | Kubernetes | 1.29
    The greenhouse thermostat sits at 22 °C. || greenhouse thermostat | is | 22 °C
    I work for Northwind as of last month. || I | works for | Northwind
    As of today Mercury handles our treasury. || treasury | handled by | Mercury
    Tram line 6 terminates at Rosenlund. || Tram line 6 | terminates at | Rosenlund
""")
# Wrong, and taken: clauses whose verb says something else of the very words that are asked for
SLIPPED: list[tuple[str, Told]] = [
    ("Our competitors host their docs on Netlify.", ("docs", "is hosted on", "Netlify")),
    ("Version 3.2 fixed a crash in the parser.", ("parser", "has version", "3.2")),
]


def read(said: str, told: Told, *, single: bool | None = None, vocabulary: Vocabulary | None = None) -> KeyedFact | str:
    triple = Triple(subject=told[0], relation=told[1], value=told[2], single_valued=single)
    return ground(said, statements(said)[-1], triple, vocabulary or Vocabulary(), rule="llm")


@pytest.mark.parametrize(("said", "told"), RIGHT)
def test_what_a_statement_says_passes(said: str, told: Told) -> None:
    fact = read(said, told, single=True)
    assert isinstance(fact, KeyedFact), fact
    assert fact.object is not None
    assert fact.object in said


@pytest.mark.parametrize(("said", "told"), WRONG)
def test_what_a_statement_does_not_say_is_refused(said: str, told: Told) -> None:
    """Inventions, other subjects, unclaimed relations, questions, plans, negations, the past and hearsay: a reason."""
    refused = read(said, told)
    assert isinstance(refused, str), refused
    assert refused


@pytest.mark.xfail(reason="known to be misjudged")
@pytest.mark.parametrize(("said", "told", "right"), [(*r, True) for r in MISSED] + [(*r, False) for r in SLIPPED])
def test_what_is_misjudged(said: str, told: Told, right: bool) -> None:
    assert isinstance(read(said, told, single=right or None), KeyedFact) == right


MEETING = readings("""
    The billing API listens on port 8080. || billing API | port | 8080 || billing API | listens on | 8080
    In staging, the billing API listens on port 8080. || billing API | port | 8080
    Acme's primary bank is N26. || Acme | primary bank | N26 ;; Kofi's manager is Ingrid. || Kofi | reports to | Ingrid
    The timeout of checkout is 30 seconds. || checkout | timeout | 30 ;; Ann lives in Bergen. || Ann | lives in | Bergen
    The parser is owned by Ann. || parser | owner | Ann ;; I live in Bergen. || user | lives in | Bergen
    # Gateway\\n\\nThe port is 8080. || port | is | 8080
""")


@pytest.mark.parametrize(("said", "told"), MEETING)
def test_a_model_and_the_grammar_give_one_key(said: str, told: Told) -> None:
    [fact] = GrammarExtractor().extract([said])[0].facts
    found = read(said, told, single=True)
    assert isinstance(fact, KeyedFact)
    assert isinstance(found, KeyedFact), found
    assert (found.key, found.value, found.kind) == (fact.key, fact.value, fact.kind)


STATED: list[tuple[str, Told]] = [
    ("Acme went with N26 as primary bank.", ("Acme", "primary bank", "N26")),
    ("Ewan switched from PulseWorks to IronHall as his gym.", ("Ewan", "gym", "IronHall")),
]


@pytest.mark.parametrize(("said", "told"), STATED)
def test_a_model_and_a_stated_fact_give_one_key(said: str, told: Told) -> None:
    """What a user states outright meets what a model reads; a value that was is no part of the key."""
    found = read(said, told, single=True)
    assert isinstance(found, KeyedFact)
    assert keyed(Fact(*told), "", Vocabulary()).key == found.key


CARDINALITIES: list[tuple[str, Told, bool | None, str]] = [
    ("Acme went with N26 as primary bank.", ("Acme", "primary bank", "N26"), None, "functional"),
    ("Acme's auditor is Grant Thornton.", ("Acme", "auditor", "Grant Thornton"), True, "functional"),
    ("Acme's auditor is Grant Thornton.", ("Acme", "auditor", "Grant Thornton"), None, "unknown"),
    ("Acme's auditor is Grant Thornton.", ("Acme", "auditor", "Grant Thornton"), False, "unknown"),
    ("Acme's customer is Grant Thornton.", ("Acme", "customer", "Grant Thornton"), True, "set"),
    ("Dana is the new head of Platform.", ("Dana", "is", "head of Platform"), True, "unknown"),
    ("Acme partners with Zeta.", ("Acme", "partners with", "Zeta"), True, "unknown"),
    ("Ann lives in Bergen.", ("Ann", "lives in", "Bergen"), None, "functional"),
    ("The pump's maximum pressure is 6 bar.", ("pump", "maximum pressure", "6 bar"), None, "functional"),
    ("The pump's maximum pressure is 6 bar.", ("pump", "maximum pressure", "6 bar"), False, "unknown"),
]


@pytest.mark.parametrize(("said", "told", "single", "cardinality"), CARDINALITIES)
def test_what_may_supersede(said: str, told: Told, single: bool | None, cardinality: str) -> None:
    """Names retire names where the table says so, or a noun with the model's word; in doubt nothing does."""
    found = read(said, told, single=single)
    assert isinstance(found, KeyedFact), found
    assert found.cardinality == cardinality


def test_what_the_triple_leaves_out_is_in_the_key() -> None:
    keys = set()
    told = ("The port in staging is 8080.", "In staging, the port is 8080.", "The port is 8080 for guests.")
    for said in (*told, "The port is 8080."):
        found = read(said, ("port", "is", "8080"))
        assert isinstance(found, KeyedFact), found
        keys.add(found.key)
    assert len(keys) == 3


def test_the_callers_words_count() -> None:
    vocabulary = Vocabulary(cardinalities={"banks with": "functional"}, aliases={"acme inc": "acme"})
    found = read("Acme Inc banks with N26.", ("Acme Inc", "banks with", "N26"), vocabulary=vocabulary)
    assert isinstance(found, KeyedFact), found
    assert (found.key, found.cardinality) == (("acme", "banks with"), "functional")


TRUSTED = readings("""
    Ann has a cabin in Bergen. || Ann | lives in | Bergen ;; The port is 8080, said Bob. || port | _ | 8080
    Ottilie's tutor is no longer Mr. Brandt but Ms. Said. || Ottilie's tutor | is | Ms. Said
""")


@pytest.mark.parametrize(("said", "told"), TRUSTED)
def test_a_trusted_model_is_held_to_the_value_alone(said: str, told: Told) -> None:
    """What the clause says against it does not count, and nothing ends by it."""
    triple = Triple(subject=told[0], relation=told[1], value=told[2])
    trusted = ground(said, statements(said)[0], triple, Vocabulary(), rule="llm", trusting=True)
    assert isinstance(trusted, KeyedFact), trusted
    assert (trusted.object, trusted.change) == (told[2], False)
