"""Statements as they stand in documents: marked up, noted, with remarks around them; and rules said in other words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memstrata_integrations import GrammarExtractor

from .kept import assert_kept

GRAMMAR = GrammarExtractor()

PLAIN = [
    (
        "The lease time of the Otter pool is 40 minutes.",
        "The lease time of the Otter pool is 55 minutes.",
        "55 minutes",
    ),
    ("The Heron queue is owned by Priya Nair.", "The Heron queue is owned by Jonas Weil.", "Jonas Weil"),
    ("The mirror of Cormorant listens on port 8123.", "The mirror of Cormorant listens on port 8124.", "8124"),
    ("A locker at the Lido costs 3 euros.", "A locker at the Lido costs 4 euros.", "4 euros"),
]


def _low(said: str) -> str:
    return said[0].lower() + said[1:]


def _before(words: str) -> Callable[[str, str], str]:
    return lambda said, _value: words + (said if words.endswith("> ") else _low(said))


def _behind(words: str) -> Callable[[str, str], str]:
    return lambda said, _value: f"{said[:-1]}{words}."


def _around(mark: str, close: str = "") -> Callable[[str, str], str]:
    return lambda said, value: said.replace(value, f"{mark}{value}{close or mark}")


WRAPPED = {
    **{words: _before(words) for words in (
        "As a result, ", "Therefore, ", "For this reason, ", "For compliance reasons, ", "This means that ",
        "It follows that ", "In addition, ", "At the time of writing, ", "As described above, ",
        "As explained in the introduction, ", "**Note:** ", "> **Note**: ", "> [!NOTE]\n> ",
    )},
    **{words: _behind(words) for words in (
        " (see RUNBOOK.md)", "; see the wiki for details", " – see the team handbook", "; details are in the handbook",
        "; ask in the team channel if in doubt", ", though this is rarely needed", "; this keeps the costs down",
        " as of the last release", " at the time of writing", "[^1]", " [2]",
    )},
    "bold": _around("**"),
    "italic": _around("*"),
    "link": _around("[", "](docs/a.md)"),
}  # fmt: skip


@pytest.mark.parametrize("wrapping", WRAPPED)
@pytest.mark.parametrize(("first", "second", "value"), PLAIN)
def test_what_a_document_puts_around_a_statement_is_no_part_of_it(
    first: str, second: str, value: str, wrapping: str
) -> None:
    wrapped = WRAPPED[wrapping](second, value)
    plain, found = GRAMMAR.extract([first, wrapped])
    keys = [(f.subject, f.relation, f.dimension) for f in plain.facts if not f.beside]
    assert [(f.subject, f.relation, f.dimension) for f in found.facts if not f.beside] == keys
    assert found.facts[0].object == value
    assert value in wrapped[slice(*found.facts[0].span)]
    assert not found.prose


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("Hello. The owner is **Ann Lee**[^1]. Bye.", "The owner is **Ann Lee**[^1]."),
        ("- **Basics**: The gateway is owned by Kim.", "**Basics**: The gateway is owned by Kim."),
        ("> [!TIP]\n> The port of Teal is 80.\n", "> [!TIP]\n> The port of Teal is 80."),
    ],
)
def test_spans_are_those_of_the_text_as_written(text: str, span: str) -> None:
    [found] = GRAMMAR.extract([text])
    assert [text[slice(*f.span)].strip() for f in found.facts] == [span]


def test_what_only_looks_like_markup_stays() -> None:
    for text in ("SCHEDULE = */5 * * * *", "exclude = **/node_modules/**", "`a**b**c` is 5", "x[1] is [2]"):
        [found] = GRAMMAR.extract([text])
        assert all(f.object is None or f.object in text for f in found.facts)


REWORDED = [
    ("Up to 12 sensors can be linked to a home hub.", "The sensor limit of a home hub is 20."),
    ("At most 4 drafts can be created per author.", "The maximum number of drafts per author is 6."),
    ("Each tenant can have up to 30 webhooks.", "The maximum number of webhooks per tenant is 50."),
    ("You can keep up to 20 snapshots per volume.", "The maximum number of snapshots per volume is 30."),
    ("There is a limit of 3 aliases per mailbox.", "At most 5 aliases can be added per mailbox."),
    ("The edge cache on rack 4 allows 200 connections.", "The connection limit of the edge cache on rack 4 is 300."),
    ("Thumbnails can be up to 300 KB in size.", "The maximum size of thumbnails is 500 KB."),
    ("Hold baggage may weigh up to 23 kg.", "The maximum weight of hold baggage is 20 kg."),
    ("Apprentices are entitled to 24 days of annual leave.", "The annual leave of apprentices is 26 days."),
    ("Annual leave entitlement for drivers: 24 days", "Drivers get 26 days of annual leave."),
    ("The Egret client waits 4 seconds for a lock.", "The lock timeout of the Egret client is 9 seconds."),
    ("Removal of stale branches happens 9 days after the merge.", "Stale branches are removed 5 days after the merge."),
    ("Inspection of the north scale is required every 3 months.", "The north scale is inspected every 6 months."),
    ("Expense reports are reviewed within 5 days.", "The review time for expense reports is 3 days."),
    ("Refund requests are answered within 5 days.", "The response time for refund requests is 3 days."),
]


@pytest.mark.parametrize(("first", "second"), REWORDED)
def test_a_rule_has_one_key_whichever_way_it_is_said(first: str, second: str) -> None:
    (a,), (b,) = ([f for f in e.facts if not f.beside] for e in GRAMMAR.extract([first, second]))
    assert (a.subject, a.relation, a.dimension) == (b.subject, b.relation, b.dimension)
    assert a.value != b.value


KEPT = [
    ("Boats may be up to 12 m long.", "Boats may be up to 4 m wide."),
    ("Crates may weigh up to 12 kg.", "Crates may be up to 80 cm high."),
    ("Up to 50 messages can be sent per hour.", "Up to 80 messages can be received per hour."),
    ("Up to 5 images can be uploaded per post.", "Up to 9 images can be deleted per post."),
    ("Each team may have up to 5 keys.", "Each project may have up to 9 keys."),
    ("Each team must have at least 2 admins.", "Each team may have up to 5 admins."),
    ("The maximum number of guests is 10.", "The minimum number of guests is 4."),
    ("Interns get 12 days of annual leave.", "Interns get 5 days of sick leave."),
    ("Interns get 12 days of annual leave.", "Trainees get 20 days of annual leave."),
    ("The client waits 5 seconds for a connection.", "The client waits 9 seconds for a response."),
    ("The client waits 5 seconds for a connection.", "The worker waits 9 seconds for a connection."),
    ("Deletion of drafts happens after 7 days.", "Archiving of drafts happens after 30 days."),
    ("Inspection of the lift is required every 6 months.", "Inspection of the boiler is required every 12 months."),
    ("Tickets are answered within 2 hours.", "Tickets are resolved within 8 hours."),
    ("Orders are shipped within 2 days.", "Orders are delivered within 5 days."),
    ("Pull requests are reviewed within 2 days.", "Pull requests are merged within 5 days."),
    ("Support tickets are answered within 2 hours.", "Sales tickets are answered within 8 hours."),
    ("The port is 80; see the handbook.", "The port of the mirror is 90; see the handbook."),
    ("For historical reasons, the port is 80.", "For historical reasons, the port was 90."),
    ("For historical reasons, the mirror's port is 80.", "For legal reasons, the archive's port is 90."),
    ("As a result, the price was 10 euros.", "As a result, the price is 20 euros."),
    ("- **Staging**: The port is 80.", "- **Production**: The port is 90."),
    ("- **Staging**: The gateway listens on port 80.", "- **Production**: The gateway listens on port 90."),
    ("- **Myth**: The gateway listens on port 80.", "The gateway listens on port 90."),
    ("- **Example**: The gateway listens on port 80.", "The gateway listens on port 90."),
    ("> The gateway listens on port 80.", "The gateway listens on port 90."),
    ("The gateway listens on port **80**.", "The mirror listens on port **90**."),
    ("We support **Python 3.10**.", "We support **Python 3.12**."),
    ("The **staging** port is 80.", "The **production** port is 90."),
    ("~~The port of Teal is 80.~~", "The port of Teal is 90."),
    ("See [the staging guide](a.md): the port is 80.", "See [the production guide](b.md): the port is 90."),
    ("This means that the port may be 80.", "The port is 90."),
    ("It follows that the port could be 80.", "The port is 90."),
    (
        "The stand-up is at 9:30 and the retro is at 15:00.",
        "The stand-up of Elk is at 10:00 and the retro of Elk is at 16:00.",
    ),
    ("A badge costs 5 euros and a lock costs 9 euros.", "A key costs 7 euros and a bolt costs 3 euros."),
    ("Ann owns Teal and Bob owns Heron.", "Ann owns Elk and Bob owns Crane."),
    ("The limit is 5 for free plans (see the plans table).", "The limit is 50 for paid plans (see the plans table)."),
    ("Ask the desk if in doubt.", "Ask the porter if in doubt."),
    ("The deadline is 5 May, ask Ann for details.", "The deadline for drafts is 9 May, ask Bob for details."),
    ("Because of the strike, the bus leaves at 9:00.", "Because of the roadworks, the bus to Thale leaves at 10:00."),
    ("Teal allows 5 logins per minute.", "Teal allows 50 reads per minute."),
    ("A ticket allows 2 journeys.", "A pass allows 9 journeys."),
    ("The hall can hold 3 choirs.", "The yard can hold 9 choirs."),
    ("We may have 3 guests on Friday.", "We may have 5 guests on Sunday."),
    ("There is a limit of 5 keys per team.", "There is a limit of 9 keys per user."),
    ("You can have up to 5 tabs open on the free plan.", "You can have up to 9 tabs open on the paid plan."),
    ("Up to 10 devices can be linked to a family account.", "Up to 2 devices can be linked to a guest account."),
    ("As of the last release, the default is 5.", "As of the last release, the maximum is 9."),
]


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_look_alikes_stay(first: str, second: str) -> None:
    assert_kept(first, second)
    assert_kept(second, first)


def test_a_callout_may_hold_marked_words() -> None:
    """What is bold or linked within a note is read as if it were not, and its span is that of the whole note."""
    text = "> [!NOTE]\n> The **port** of `billing` is [8080](https://x.example).\n"
    [fact] = GrammarExtractor().extract([text])[0].facts
    assert (fact.subject, fact.object, text[slice(*fact.span)]) == ("billing", "8080", text.strip())
