"""Sentences of ending: what they end, and what they leave alone."""

from __future__ import annotations

import uuid

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.langchain import TemporalVectorStore
from memstrata_integrations.lexical import LexicalEmbeddings

GRAMMAR = GrammarExtractor()

ENDED = [
    ("The port of Corvus is 8443.", "Corvus no longer has a port."),
    ("The port of Corvus is 8443.", "The port of Corvus has been removed."),
    ("The port of Corvus is 8443.", "Corvus no longer listens on any port."),
    ("The port of Corvus is 8443.", "Corvus doesn't listen on port 8443 any more."),
    ("Corvus listens on port 8443.", "Corvus no longer listens on 8443."),
    ("Corvus listens on port 8443.", "As of Monday, Corvus no longer listens on port 8443."),
    ("Corvus listens on port 8443.", "Corvus does not have a port anymore."),
    ("Corvus listens on port 8443.", "The port of Corvus is no longer 8443."),
    ("The timeout of Merlin is 30 seconds.", "Merlin no longer has a timeout."),
    ("The timeout of Merlin is 30 seconds.", "The timeout of Merlin was removed yesterday."),
    ("The timeout of Merlin is 30 seconds.", "There is no timeout for Merlin any more."),
    ("The timeout of Merlin is 30 seconds.", "Merlin's timeout was dropped."),
    ("The upload limit of Merlin is 20 MB.", "The upload limit of Merlin was lifted."),
    ("The upload limit of Merlin is 20 MB.", "Merlin has no upload limit any longer."),
    ("The upload limit of Merlin is 20 MB.", "The upload limit of Merlin no longer applies."),
    ("The rate limit of Merlin is 50.", "The rate limit of Merlin was abolished last week."),
    ("The default branch of Osprey is develop.", "The default branch of Osprey was deleted."),
    ("The staging URL of Osprey is https://stage.osprey.example.", "The staging URL of Osprey was retired."),
    ("The backup path of Osprey is /srv/backup.", "The backup path of Osprey no longer exists."),
    ("The backup path of Osprey is /srv/backup.", "The backup path of Osprey isn't set anymore."),
    ("The log level of Osprey is debug.", "The log level of Osprey is no longer set."),
    ("The log level of Osprey is debug.", "The log level of Osprey was unset."),
    ("The proxy of Osprey is proxy.osprey.example.", "The proxy of Osprey has been taken down."),
    ("The proxy of Osprey is proxy.osprey.example.", "Osprey doesn't have a proxy any more."),
    ("The proxy of Osprey is proxy.osprey.example.", "The proxy of Osprey is gone."),
    ("The proxy of Osprey is proxy.osprey.example.", "FYI, the proxy of Osprey was shut down on Friday."),
    ("The proxy of Osprey is proxy.osprey.example.", "proxy.osprey.example is no longer the proxy of Osprey."),
    ("The coupon code of Lumen is SAVE20.", "The coupon code of Lumen has expired."),
    ("The coupon code of Lumen is SAVE20.", "The coupon code of Lumen is no longer valid."),
    ("The coupon code of Lumen is SAVE20.", "The coupon code of Lumen was discontinued."),
    ("The project manager of Heron is Ines Okafor.", "Heron no longer has a project manager."),
    ("The project manager of Heron is Ines Okafor.", "Heron has no project manager."),
    ("The project manager of Heron is Ines Okafor.", "The post of project manager of Heron is vacant."),
    ("The project manager of Heron is Ines Okafor.", "Ines Okafor is no longer the project manager of Heron."),
    ("The project manager of Heron is Ines Okafor.", "Ines Okafor isn't the project manager of Heron any more."),
    ("The project manager of Heron is Ines Okafor.", "Ines Okafor has stepped down as project manager of Heron."),
    ("The project manager of Heron is Ines Okafor.", "Ines Okafor is no longer Heron's project manager."),
    ("The CEO of Brightwell is Omar Haddad.", "Omar Haddad no longer serves as the CEO of Brightwell."),
    ("The CEO of Brightwell is Omar Haddad.", "Omar Haddad resigned as CEO of Brightwell."),
    ("The mayor of Eastholm is Runa Dahl.", "The office of mayor of Eastholm was abolished."),
    ("Osprey is owned by Kim.", "Osprey no longer has an owner."),
    ("The owner of Osprey is Kim.", "Osprey is no longer owned by Kim."),
    ("The owner of Osprey is Kim.", "Osprey is no longer owned by anybody."),
    ("Lena reports to Kim.", "Lena no longer reports to Kim."),
    ("Lena reports to Kim.", "Lena doesn't report to anyone anymore."),
    ("Lena's manager is Kim.", "Lena no longer has a manager."),
    ("Lena works for Northgate.", "Lena has left Northgate."),
    ("Lena works for Northgate.", "Lena quit her job at Northgate."),
    ("Lena works at Northgate.", "Lena no longer works for Northgate."),
    ("Lena works for Northgate.", "Lena was laid off by Northgate."),
    ("Lena works for Northgate.", "Lena retired from Northgate last month."),
    ("Lena works for Northgate.", "Lena is no longer with Northgate."),
    ("Lena works for Northgate.", "Lena is no longer employed by Northgate."),
    ("I work for Northgate.", "I don't work for Northgate any more."),
    ("I work for Northgate.", "I left Northgate."),
    ("Lena lives in Oslo.", "Lena doesn't live in Oslo any longer."),
    ("Lena lives in Oslo.", "Lena moved out of Oslo in March."),
    ("The tenant of suite 12 is Pell Ltd.", "Suite 12 no longer has a tenant."),
    ("The tenant of suite 12 is Pell Ltd.", "Pell Ltd is no longer the tenant of suite 12."),
    ("The tenant of suite 12 is Pell Ltd.", "Suite 12 has no tenant any more."),
    ("celery in requirements.txt is pinned to 5.3.6.", "celery in requirements.txt is no longer pinned to 5.3.6."),
    ("celery in requirements.txt is pinned to 5.3.6.", "celery was removed from requirements.txt."),
    ("celery in requirements.txt is pinned to 5.3.6.", "celery in requirements.txt is no longer pinned to anything."),
    ("Osprey runs Redis 7.2.", "Osprey no longer uses Redis."),
    ("Osprey runs Redis 7.2.", "Redis has been removed from Osprey."),
    ("The feature flag dark_mode is on.", "The feature flag dark_mode was removed."),
    ("My phone number is 555 0199.", "I no longer have a phone number."),
    ("MAX_RETRIES in conf.py is 5.", "MAX_RETRIES is no longer set in conf.py."),
    ("I work for Northgate.", "I no longer work for anyone."),
    ("The feature flag dark_mode is on.", "The feature flag dark_mode no longer exists."),
]

LEFT_ALONE = [
    ("The gateway of Corvus listens on port 8443.", "Corvus no longer has a port."),
    # plans, conditions, doubts, questions, denials
    ("The port of Corvus is 8443.", "The port of Corvus will be removed."),
    ("The port of Corvus is 8443.", "The port of Corvus is to be removed."),
    ("The port of Corvus is 8443.", "The port of Corvus is being removed."),
    ("The port of Corvus is 8443.", "The port of Corvus should be removed."),
    ("The port of Corvus is 8443.", "If the port of Corvus was removed, restart it."),
    ("The port of Corvus is 8443.", "Was the port of Corvus removed?"),
    ("The port of Corvus is 8443.", "The port of Corvus was removed..."),
    ("The port of Corvus is 8443.", "It is false that the port of Corvus was removed."),
    ("The port of Corvus is 8443.", "Ensure that the port of Corvus is no longer set."),
    ("The port of Corvus is 8443.", "Corvus no longer listens on port 8443 for admins."),
    ("The port of Corvus is 8443.", "The port of Corvus has not been removed."),
    ("The port of Corvus is 8443.", "The port of Corvus was not removed."),
    ("The port of Corvus is 8443.", "The port of Corvus was never removed."),
    ("The port of Corvus is 8443.", "The port of Corvus hasn't been removed."),
    ("The port of Corvus is 8443.", "The port of Corvus was almost removed."),
    ("The port of Corvus is 8443.", "Kim says the port of Corvus was removed."),
    ("The port of Corvus is 8443.", "I think the port of Corvus was removed."),
    ("The port of Corvus is 8443.", "Maybe the port of Corvus was removed."),
    ("The port of Corvus is 8443.", "Nobody said that the port of Corvus was removed."),
    ("The port of Corvus is 8443.", "The port of Corvus may no longer be set."),
    ("The port of Corvus is 8443.", "Corvus might no longer have a port."),
    ("The port of Corvus is 8443.", "Once Corvus no longer has a port, tell Kim."),
    ("The port of Corvus is 8443.", "Kim changed Corvus to no longer have a port."),
    ("The port of Corvus is 8443.", "Corvus will no longer listen on port 8443."),
    ("The project manager of Heron is Ines Okafor.", "The project manager of Heron is gone."),
    # stories, and what was taken back
    ("The port of Corvus is 8443.", "The port of Corvus had been removed."),
    ("The port of Corvus is 8443.", "The port of Corvus was removed and later restored."),
    ("The port of Corvus is 8443.", "The port of Corvus was removed in v2 and is back in v3."),
    ("The port of Corvus is 8443.", "The port of Corvus was removed by mistake."),
    ("The port of Corvus is 8443.", "The port of Corvus was removed. It was restored an hour later."),
    ("The port of Corvus is 8443.", "The port of Corvus was temporarily removed."),
    ("The proxy of Osprey is proxy.osprey.example.", "The proxy of Osprey was shut down for maintenance."),
    ("Lena works for Northgate.", "Lena had no longer worked for Northgate."),
    ("Lena works for Northgate.", "At that time Lena no longer worked for Northgate."),
    # another key, a part, one of several
    ("The port of Corvus is 8443.", "The port of Corvus was removed from the docs."),
    ("The port of Corvus is 8443.", "The description of the port of Corvus was removed."),
    ("The port of Corvus is 8443.", "The old port of Corvus was removed."),
    ("The port of Corvus is 8443.", "The port of Merlin was removed."),
    ("The port of Corvus is 8443.", "The debug port of Corvus was removed."),
    ("The port of Corvus is 8443.", "The staging port of Corvus was removed."),
    ("The port of Corvus is 8443.", "Corvus was removed."),
    ("The port of Corvus is 8443.", "Corvus no longer has a debug port."),
    ("The port of Corvus is 8443.", "Corvus no longer listens on port 9000."),
    ("The port of Corvus is 8443.", "Corvus no longer listens on a socket."),
    ("The port of Corvus is 8443.", "The port of Corvus is no longer a secret."),
    ("The port of Corvus is 8443.", "The port of Corvus is no longer 9000."),
    ("The port of Corvus is 8443.", "The port of Corvus is no longer documented."),
    ("The mirror of Finch is m1.finch.example.", "One of the mirrors of Finch was removed."),
    ("The mirror of Finch is m1.finch.example.", "A mirror of Finch was removed."),
    ("The mirror of Finch is m1.finch.example.", "Some mirrors of Finch are gone."),
    ("The mirror of Finch is m1.finch.example.", "The second mirror of Finch was shut down."),
    ("The mirror of Finch is m1.finch.example.", "m2.finch.example is no longer the mirror of Finch."),
    ("The mirror of Finch is m1.finch.example.", "m1.finch.example is no longer the only mirror of Finch."),
    ("The timeout of Merlin is 30 seconds.", "The timeout of Merlin is no longer than 30 seconds."),
    ("The timeout of Merlin is 30 seconds.", "The timeout of Merlin has expired."),
    ("The upload limit of Merlin is 20 MB.", "The upload limit of Merlin was raised."),
    ("The upload limit of Merlin is 20 MB.", "The upload limit of Merlin no longer applies to admins."),
    ("The upload limit of Merlin is 20 MB.", "The upload limit of Merlin no longer applies if you pay."),
    ("The price of Lumen is 40 euros.", "The price of Lumen was dropped."),
    ("The price of Lumen is 40 euros.", "The price of Lumen no longer includes shipping."),
    ("Osprey runs Redis 7.2.", "Osprey no longer needs Redis."),
    ("Osprey runs Redis 7.2.", "Osprey no longer recommends Redis."),
    ("Osprey runs Redis 7.2.", "Osprey no longer supports Redis 6."),
    ("Osprey runs Redis 7.2.", "Osprey no longer only runs Redis."),
    ("Osprey runs Redis 7.2.", "Redis was removed from the docs."),
    # somebody else, somewhere else, something else
    ("Lena works for Northgate.", "Lena left the building."),
    ("Lena works for Northgate.", "Lena left Northgate at 5 pm."),
    ("Lena works for Northgate.", "Lena has left Southgate."),
    ("Lena works for Northgate.", "Lena Moe has left Northgate."),
    ("Lena works for Northgate.", "Lena never left Northgate."),
    ("Lena works for Northgate.", "Lena no longer works for Northgate only."),
    ("Lena works for Northgate.", "Lena no longer works for Northgate on Fridays."),
    ("Lena works for Northgate.", "Lena no longer works late."),
    ("Lena works for Northgate.", "Lena no longer works in an office."),
    ("Lena works for Northgate.", "Lena no longer works for a bank."),
    ("Lena lives in Oslo.", "Lena left Oslo."),
    ("Lena lives in Oslo.", "Lena no longer lives in Bergen."),
    ("Lena lives in Oslo.", "Lena no longer lives in a flat."),
    ("Lena lives in Oslo.", "Lena no longer lives alone in Oslo."),
    ("Lena reports to Kim.", "Lena no longer reports to Kim directly."),
    ("The project manager of Heron is Ines Okafor.", "Ines Okafor is no longer the project manager of Egret."),
    ("The project manager of Heron is Ines Okafor.", "Jon Lund is no longer the project manager of Heron."),
    ("The project manager of Heron is Ines Okafor.", "Heron no longer has a deputy project manager."),
    ("The project manager of Heron is Ines Okafor.", "The project manager of Heron is no longer ill."),
    ("The birthplace of Runa Dahl is Eastholm.", "The birthplace of Runa Dahl was demolished."),
    ("The weekly sync of Heron is at 10:00.", "The weekly sync of Heron has ended."),
    ("The tenant of suite 12 is Pell Ltd.", "Suite 13 stands empty."),
    ("The tenant of suite 12 is Pell Ltd.", "The fridge in suite 12 is empty."),
    ("celery in requirements.txt is pinned to 5.3.6.", "celery was removed from setup.cfg."),
    ("celery in requirements.txt is pinned to 5.3.6.", "celery in requirements.txt is no longer pinned to 4.0."),
    ("The feature flag dark_mode is on.", "The feature flag dark_mode's description was removed."),
    ("The feature flag dark_mode is on.", "The feature flag light_mode was removed."),
]


def ends(first: str, second: str) -> bool:
    """Whether the second text ends every fact of the first."""
    stated, ended = GRAMMAR.extract([first, second])
    assert stated.facts, first
    closed = {(f.subject, f.relation, f.value) for f in ended.facts if f.object is None}
    return all({(f.subject, f.relation, of) for of in ("", f.value)} & closed for f in stated.facts)


def touches(first: str, second: str) -> bool:
    """Whether the second text ends any fact of the first."""
    stated, ended = GRAMMAR.extract([first, second])
    assert stated.facts, first
    closed = {(f.subject, f.relation, f.value) for f in ended.facts if f.object is None}
    return any({(f.subject, f.relation, of) for of in ("", f.value)} & closed for f in stated.facts)


@pytest.mark.parametrize(("first", "second"), ENDED)
def test_a_sentence_of_ending_ends_what_was_stated(first: str, second: str) -> None:
    assert ends(first, second)


@pytest.mark.parametrize(("first", "second"), LEFT_ALONE)
def test_what_is_no_ending_or_of_something_else_ends_nothing(first: str, second: str) -> None:
    assert not touches(first, second)


def test_what_stands_in_the_same_text_does_not_end() -> None:
    """An ending says nothing against what its own text states."""
    [read] = GRAMMAR.extract(["The port of Corvus was removed. The port of Corvus is 9000."])
    assert [(f.subject, f.object) for f in read.facts if f.relation == "listens on"] == [("corvus", "9000")]


def test_a_users_verb_ends_like_any_other() -> None:
    """What a user's verb says no longer holds ends the value that it names, and states none."""
    mirrors = GrammarExtractor(cardinalities={"mirrors": "functional"})
    [read, stated] = mirrors.extract(["replica-2 no longer mirrors primary-1.", "replica-2 mirrors primary-1."])
    assert [(f.subject, f.relation, f.object) for f in read.facts] == [("replica-2", "mirrors", None)]
    assert [f.value for f in read.facts] == [f.value for f in stated.facts]
    assert read.prose


@pytest.mark.parametrize(
    ("text", "relation", "value"),
    [
        ("numpy is no longer pinned.", "is pinned to", ""),
        ("Corvus no longer listens on anything.", "listens on", ""),
        ("Alice no longer works at Acme.", "works at", "acme"),
        ("`MAX_RETRIES` is no longer set in conf.py.", "is", ""),
    ],
)
def test_an_ending_has_the_key_of_its_verb(text: str, relation: str, value: str) -> None:
    """Values of other kinds than the verb takes make no further keys."""
    [read] = GRAMMAR.extract([text])
    ended = [(f.relation, f.value) for f in read.facts if f.relation != "works for"]
    assert ended == [(relation, value)]


def test_an_ending_under_a_heading_is_of_what_the_heading_names() -> None:
    """The heading completes the key of an ending, as it does that of a statement."""
    said = ("Corvus", "The port is 8443."), ("Corvus", "The port was removed."), ("Merlin", "The port was removed.")
    stated, ended, other = GRAMMAR.extract([f"# {name}\n\n{text}" for name, text in said])
    closed = {(f.subject, f.relation) for f in ended.facts}
    assert {(f.subject, f.relation) for f in stated.facts} <= closed
    assert closed.isdisjoint((f.subject, f.relation) for f in other.facts)


def told(*said: tuple[str, str]) -> TemporalVectorStore:
    """Return a store that was told texts, each valid from a date."""
    store = TemporalVectorStore(f"endings-{uuid.uuid4().hex}", LexicalEmbeddings())
    for text, date in said:
        store.add_texts([text], valid_from=date)
    assert store.verify() == []
    return store


def test_a_store_retires_what_an_ending_ends_and_keeps_its_past() -> None:
    """A removed port is served for a date before its removal, and not now."""
    store = told(("The port of Corvus is 8443.", "2024-01-01"), ("The port of Corvus was removed.", "2024-06-01"))
    assert store.get()["documents"] == ["The port of Corvus was removed."]
    assert store.get(as_of="2024-03-01")["documents"] == ["The port of Corvus is 8443."]


def test_a_store_ends_the_named_value_alone() -> None:
    """Who has left one employer late in the telling still works for the next."""
    store = told(
        ("Lena works for Northgate.", "2024-01-01"),
        ("Lena works for Southgate.", "2024-03-01"),
        ("Lena has left Northgate.", "2024-04-01"),
    )
    assert "Lena works for Southgate." in store.get()["documents"]


def test_a_store_takes_a_later_value_after_an_ending() -> None:
    """A post that was vacant can be filled again."""
    store = told(
        ("The project manager of Heron is Ines Okafor.", "2024-01-01"),
        ("Heron no longer has a project manager.", "2024-03-01"),
        ("The project manager of Heron is Jon Lund.", "2024-05-01"),
    )
    assert "The project manager of Heron is Jon Lund." in store.get()["documents"]
    assert store.get(as_of="2024-04-01")["documents"] == ["Heron no longer has a project manager."]
    assert store.get(as_of="2024-02-01")["documents"] == ["The project manager of Heron is Ines Okafor."]
