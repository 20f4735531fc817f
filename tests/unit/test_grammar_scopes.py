"""What says where, when, for whom or under which condition a value holds belongs to the key, wherever it stands."""

from __future__ import annotations

import pytest

from eval.other_scopes import PLACES, limited
from eval.probe import retires
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.sentences.value_tails import end_of_value

GRAMMAR = GrammarExtractor()

KEPT = [
    # behind a name or a plain word
    ("The display language of the terminals is German.", "The display language of the terminals is English abroad."),
    ("The login shell is bash.", "The login shell is zsh as root."),
    ("The dress code is smart casual.", "The dress code is black tie overnight."),
    ("The wifi password is hunter2.", "The wifi password is xk9 upstairs."),
    ("Support tier: Gold", "Support tier: Silver via the reseller"),
    ("The log level of the relay is info.", "The log level of the relay is debug [EU]."),
    ("Primary on-call for payments: Dana Osei", "Primary on-call for payments: Rafael Lund in the annex"),
    ("The message broker is NATS.", "The message broker is RabbitMQ over satellite."),
    ("My favourite tea is lapsang.", "My favourite tea is rooibos along the coast."),
    ("The theme of the dashboard is dark.", "The theme of the dashboard is light for pensioners."),
    ("The Dairy Expo takes place in Bruges.", "The Dairy Expo takes place in Utrecht – guests only."),
    ("The first prize in the raffle is a bicycle.", "The first prize in the raffle is a tent from July."),
    ("The locale is set to en_GB.", "The locale is set to de_AT as long as the crew is small."),
    ("My dentist is Dr. Falk.", "My dentist is Dr. Isaksen from Monday to Thursday."),
    ("The login shell is bash.", "The login shell is zsh with sudo."),
    ("The contact is Ben Moss.", "The contact is Ada Bell each morning."),
    # behind a number, a version, a path or a setting
    ("`retry_count` defaults to 3.", "`retry_count` defaults to 5 as root."),
    ("The iOS app is at version 4.8.", "The iOS app is at version 4.9 upstairs."),
    ("The config file lives in /etc/arbor.", "The config file lives in /opt/arbor overnight."),
    ("The batch size of the worker is 32.", "The batch size of the worker is 64 upstairs."),
    ("The price of a ticket is 5 euros.", "The price of a ticket is 8 euros, Tuesdays excepted."),
    ("LOG_LEVEL=debug", "LOG_LEVEL=info /* release build */"),
    ("`enable_hsts: true`", "`enable_hsts: false` — staging"),
    # in brackets
    ("The port is 80.", "The port is 90 (old building)."),
    ("My favourite colour is teal.", "My favourite colour is ochre (staging)."),
    ("The port is 80.", "The port is 90 (not staging)."),
    # in front
    ("I use Sublime as my editor.", "On Windows, I use Helix as my editor."),
    ("The number of shards is 6.", "Via VPN, the number of shards is 12."),
    ("My best friend is Damon.", "Among the volunteers, my best friend is Cillian."),
    ("My manager is Ulf.", "Where parking is free, my manager is Kari."),
    ("The mayor of Velm is Ruth Oduya.", "Provided the form is signed, the mayor of Velm is Omar Dietz."),
    ("My dose is 10 mg.", "When the sluice is shut, my dose is 15 mg."),
    ("My login shell is bash.", "Bob: I changed my login shell to fish."),
    ("My editor is Vim.", "Bob: I use Helix as my editor."),
    ("The timeout is 20 s.", "Staging: We raised the timeout to 30 s."),
    (
        "Access tokens issued by Corbel expire after 1 hour.",
        "Staging.\nAccess tokens issued by Corbel expire after 5 min.",
    ),
    ("The timeout is 20 s.", "Staging.\nThe timeout was raised to 30 s."),
    ("Nadia Rahimi lives in Antwerp.", "Old plan\nNadia Rahimi moved to Rotterdam."),
    # from where and to where, done thus and otherwise
    ("The goods are shipped from Gothenburg.", "The goods are shipped to Malmö."),
    ("Payouts are approved with a delay of 10 seconds.", "Payouts are logged with a delay of 30 seconds."),
    ("We run the resizer with a memory cap of 1 GB.", "We test the resizer with a memory cap of 2 GB."),
    ("The academy employs 12 nurses.", "The academy trains 40 nurses."),
    ("The bakery has 12 cakes.", "The bakery makes 40 cakes."),
]
UPDATES = [
    ("The login shell is bash as root.", "The login shell is zsh as root."),
    ("The wifi password is hunter2 upstairs.", "The wifi password is xk9 upstairs."),
    ("The goods are shipped to Malmö.", "The goods are shipped to Oslo."),
    ("Payouts are approved with a delay of 10 seconds.", "Payouts are approved with a delay of 30 seconds."),
    ("The memory cap of the resizer is 1 GB.", "We run the resizer with a memory cap of 2 GB."),
    ("The port is 80 (old building).", "The port is 90 (old building)."),
    ("The port is 80.", "The port is 90 (was 80)."),
    ("The port is 80.", "The port is 90 (old: 80)."),
    ("My editor is Vim.", "I use Helix as my editor."),
    ("My favourite breakfast is toast with jam.", "My favourite breakfast is porridge."),
    ("The venue is the old mill.", "The venue is the barn behind the church."),
    ("The first prize is a weekend in Vienna.", "The first prize is a bicycle."),
    ("Please reply to me in Dutch.", "Please reply to me in English from now on."),
    ("Status of the ticket: waiting for approval", "Status of the ticket: closed"),
    # what is said in front of a change, and when it was made
    ("The office is at Mill Lane 3.", "By the way, the office moved to Elm Road 5."),
    ("Kim works at Acme.", "FYI: Kim left Acme for Globex."),
    ("The repo is hosted on GitHub.", "[update] the repo was moved to GitLab."),
    ("The launch is on 3 May.", "Update - the launch was pushed back to 9 May."),
    ("The deploy timeout is 30 seconds.", "On Monday, the deploy timeout was raised from 30 to 45 seconds."),
    ("The price is $5.", "In May, we raised the price from $5 to $6."),
    ("The office is at Mill Lane 3.", "After the migration, the office moved to Elm Road 5."),
    ("The office is at Mill Lane 3.", "TL;DR. The office moved to Elm Road 5."),
    ("I live in Graz.", "If you must know, I live in Linz."),
    ("My dentist is Dr. Kern.", "I have a second question, my dentist is Dr. Moos."),
    # what is part of a value
    ("Status: ready for review", "Status: merged"),
    ("Restart policy: restart on failure", "Restart policy: restart always"),
    ("The theme: Margherita", "The theme: Hawaiian with ham"),
    ("Location: desk by the window", "Location: desk near the door"),
    ("Our venue is the hall upstairs.", "Our venue is the hall downstairs."),
    ("Route: Graz - Linz", "Route: Graz - Wien"),
    ("The default locale is Portuguese (BR).", "The default locale is Spanish (MX)."),
    ("The default branch is main (not master).", "The default branch is trunk (not main)."),
    ("My favourite film is Wait for it.", "My favourite film is Let it be."),
    ("The login shell is bash.", "The login shell is zsh, at least for now."),
    # one fact in two voices
    ("We sell the lamp at a price of $30.", "The price of the lamp is $40."),
    ("We build the image with a limit of 1 GB.", "The image is built with a limit of 2 GB."),
    ("Orion audits Vega every 5 days.", "Vega is audited by Orion every 6 days."),
    ("The Gym charges Ben $50 a month.", "Ben is charged $60 a month by the Gym."),
]


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_what_holds_elsewhere_is_kept(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)


@pytest.mark.parametrize(("first", "second"), UPDATES)
def test_what_holds_in_the_same_place_supersedes(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    ("first", "change"),
    [
        ("The service runs on Nomad.", "The service was migrated from Jenkins to Kubernetes."),
        ("The CI runs on Jenkins.", "We migrated the CI from Ubuntu 20.04 to Ubuntu 22.04."),
    ],
)
def test_a_change_from_one_name_to_another_ends_that_name(first: str, change: str) -> None:
    """Under a key that a sentence of change does not name, it says nothing of other values."""
    assert not retires(GRAMMAR, first, change)


@pytest.mark.parametrize(
    ("first", "change"),
    [
        ("The CI runs on Jenkins.", "We migrated the CI from Jenkins to Buildkite."),
        ("Goosander is hosted on Heroku.", "Goosander moved from Heroku to Render."),
        ("The timeout of the API is 30 seconds.", "The timeout of the API was raised from 10 to 20 seconds."),
    ],
)
def test_a_change_ends_what_it_names(first: str, change: str) -> None:
    assert retires(GRAMMAR, first, change)


@pytest.mark.parametrize(
    "value",
    [
        "Tower of London",
        "Alice in Wonderland",
        "Doctors for Peace",
        "work in progress",
        "unless-stopped",
        "beans on toast",
        "Dr. Szabo at the Canal Street practice",
        "{% if x %}a{% else %}b{% endif %}",
        "140 over 90",
    ],
)
def test_a_phrase_may_belong_to_a_value(value: str) -> None:
    assert end_of_value(value) == len(value)


def test_phrases_are_put_where_they_belong() -> None:
    text = "The port is 80."
    said = {
        place: [t for _, t in limited(text, place, [phrase])]
        for place, phrase in zip(PLACES, (" upstairs", "On weekends, ", " of the annex", "night"), strict=True)
    }
    assert said == {
        "behind": ["The port is 80 upstairs."],
        "front": ["On weekends, the port is 80."],
        "after_subject": ["The port of the annex is 80."],
        "before_noun": ["The night port is 80."],
    }


APART = [
    ("Orion audits Payments every 5 days.", "Payments audits Orion every 9 days."),
    ("Orion charges Vega $50 a month.", "Vega charges Orion $60 a month."),
    ("The office that supplies Leeds is York.", "The office that Leeds supplies is Hull."),
    ("The ambassador of Norway in Chile is Ida Berg.", "The ambassador of Chile in Norway is Ana Paz."),
    ("My car is a Golf.", "I bought a second car, my car is a Polo."),
    ("My number is 555 0134.", "I got a second phone; my number is 555 0199."),
]
TOGETHER = [
    ("Orion charges Vega $50 a month.", "Vega is charged $60 a month by Orion."),
    ("The ambassador of Norway in Chile is Ida Berg.", "Norway's ambassador in Chile is Ana Paz."),
    ("Tollway stores idempotency keys for 24 hours.", "Idempotency keys are stored for 72 hours by Tollway."),
    ("The phone number of the NOC in Tallinn is 555 0134.", "The Tallinn NOC has a new phone number: 555 0199."),
]


@pytest.mark.parametrize(("first", "second"), APART)
def test_who_does_what_to_whom_is_told_apart(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)


@pytest.mark.parametrize(("first", "second"), TOGETHER)
def test_the_same_in_another_order_supersedes(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    "text", ["Shell: bash // – , online.", 'Orion moved from A to " " <!-- online every -.', "Size: 9 ; macOS only."]
)
def test_marks_alone_are_no_value(text: str, caplog: pytest.LogCaptureFixture) -> None:
    GRAMMAR.extract([text])
    assert not caplog.records
