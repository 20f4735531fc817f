"""A model's triple retires nothing unless the statement itself says the relation, and says that it holds."""

from __future__ import annotations

import random

import pytest

from memstrata_integrations.extraction import GrammarExtractor
from memstrata_integrations.extraction.evidence import bears_out
from memstrata_integrations.extraction.llm import LLMExtractor
from memstrata_integrations.relations import known

from .saying import SayingModel


def read(text: str, triple: tuple[str, str, str]) -> tuple[int, int]:
    """Return how many facts there are, and how many triples were dropped for want of evidence."""
    extractor = LLMExtractor(SayingModel(triple))
    [found] = extractor.extract([text])
    stats = extractor.stats
    return len(found.facts), stats.rejected_relation + stats.rejected_unasserted


def rows(subject: str, relation: str, lines: str) -> list[tuple[str, tuple[str, str, str]]]:
    """Return statements with the triple that is read in each; the value stands in ``<...>``."""
    found = []
    for line in filter(None, map(str.strip, lines.splitlines())):
        value = line.partition("<")[2].partition(">")[0]
        found.append((line.replace("<", "").replace(">", ""), (subject, relation, value)))
    return found


MISREAD = [
    *rows(
        "Ann",
        "lives in",
        """
        Ann has family in <Bergen>.
        Ann has a cabin in <Bergen>.
        Ann has a second home in <Bergen>.
        Ann is stuck in <Bergen>.
        Ann ran a marathon in <Bergen>.
        Ann declined a move to <Bergen>.
        Ann opened a bakery in <Bergen>.
        Ann based her novel in <Bergen>.
        Ann settled a case in <Bergen>.
        Ann sold her home in <Bergen>.
        Ann toured a home in <Bergen>.
        Ann lives for <Bergen>.
        Ann lives off a shop in <Bergen>.
        Ann is based on a character from <Bergen>.
        Ann stays in <Bergen> this week.
        """,
    ),
    *rows(
        "I",
        "live in",
        """
        I booked a hotel in <Bergen>.
        I love the food in <Bergen>.
        I just got back from <Bergen>.
        """,
    ),
    *rows(
        "Sam",
        "works for",
        """
        Sam sued <Globex>.
        Sam turned down <Globex>.
        Sam sells to <Globex>.
        Sam invested in <Globex>.
        Sam came from <Globex>.
        Sam joined from <Globex>.
        Sam joined a call with <Globex>.
        Sam hired <Globex>.
        Sam got a job offer from <Globex>.
        Sam works against <Globex>.
        """,
    ),
    *rows(
        "mailer timeout",
        "is",
        """
        We banned <45 seconds> as the mailer timeout.
        We forbid <45 seconds> as the mailer timeout.
        We tried <45 seconds> as the mailer timeout.
        We debated <45 seconds> as the mailer timeout.
        They ruled out <45 seconds> for the mailer timeout.
        They abandoned <45 seconds> for the mailer timeout.
        They rolled back the mailer timeout from <45 seconds>.
        The mailer timeout dropped by <45 seconds>.
        We temporarily run the mailer timeout at <45 seconds>.
        We briefly ran the mailer timeout at <45 seconds>.
        It is false that the mailer timeout is <45 seconds>.
        It is a myth that the mailer timeout is <45 seconds>.
        It is a misconception that the mailer timeout is <45 seconds>.
        Anything but <60 seconds> fits the mailer timeout.
        The old docs mention <45 seconds> for the mailer timeout.
        The ticket requests <45 seconds> for the mailer timeout.
        A timeout of <45 seconds> broke the mailer.
        Setting the mailer timeout to <45 seconds> broke the login.
        They keep <45 seconds> below the mailer timeout.
        Our rivals run <45 seconds> as the mailer timeout.
        The restart took <45 seconds> of the mailer timeout.
        <45 seconds> is twice the mailer timeout.
        Most mailer timeout settings sit at <45 seconds>.
        """,
    ),
    *rows(
        "lead of payments",
        "is",
        """
        They interviewed <Bob> as the lead of payments.
        They rejected <Bob> as the lead of payments.
        They fired <Bob> as the lead of payments.
        <Bob> applied as the lead of payments.
        The film has <Bob> as the lead of payments.
        The lead of payments is proud of <Bob>.
        The lead of payments sits beside <Bob>.
        The lead of payments is <Bob>'s cousin.
        They made fun of <Bob> as the lead of payments.
        """,
    ),
    *rows(
        "deploy day",
        "is",
        """
        We excluded <Friday> as the deploy day.
        We cancelled <Friday> as the deploy day.
        We dropped <Friday> as the deploy day.
        We discussed the deploy day on <Friday>.
        The deploy day slipped past <Friday>.
        """,
    ),
    *rows("billing port", "is", "The billing port replaced <9090>."),
]


@pytest.mark.parametrize(("text", "triple"), MISREAD, ids=lambda v: str(v)[:50])
def test_a_relation_that_the_statement_does_not_say_gives_no_fact(text: str, triple: tuple[str, str, str]) -> None:
    """Counted as dropped, never stored as a fact: a true text would vanish for it."""
    facts, dropped = read(text, triple)
    assert (facts, dropped) in ((0, 1), (0, 0))  # what the gates hold back is not even asked about


RIGHT = [
    *rows(
        "Ann",
        "lives in",
        """
        Ann has settled down in <Bergen>.
        Ann has moved back to <Bergen>.
        Ann has found a new place to live in <Bergen>.
        Ann has made her home in <Bergen>.
        Ann packed up and moved to <Bergen>.
        Ann is a resident of <Bergen>.
        Ann resides with her parents in <Bergen>.
        """,
    ),
    *rows(
        "Sam",
        "works for",
        """
        Sam has started a new job at <Globex>.
        Sam got hired by <Globex>.
        Sam took a position at <Globex>.
        Sam has joined the staff of <Globex>.
        """,
    ),
    *rows(
        "mailer timeout",
        "is",
        """
        They settled on <45 seconds> as the mailer timeout.
        After a long debate they landed on <45 seconds> for the mailer timeout.
        After the outage they widened the mailer timeout to <45 seconds>.
        They are happy with <45 seconds> as the mailer timeout.
        During the migration they went to <45 seconds> as the mailer timeout.
        It took weeks, but <45 seconds> is what they chose as the mailer timeout.
        The folks in ops stretched the mailer timeout to <45 seconds>.
        We stick with <45 seconds> as the mailer timeout because the login is slow.
        <45 seconds> it is for the mailer timeout.
        """,
    ),
    *rows(
        "lead of payments",
        "is",
        """
        They brought in <Bob> as the lead of payments.
        <Bob> has taken over as the lead of payments.
        They hired <Bob> as the lead of payments.
        """,
    ),
    *rows(
        "deploy day",
        "is",
        """
        We agreed on <Friday> as the deploy day.
        They pushed the deploy day back to <Friday>.
        """,
    ),
    # what is refused or limited elsewhere in the sentence is not the value
    *rows("Ann", "lives in", "Ann has packed up and moved to <Bergen> this week."),
    *rows("Ben", "works for", "Ben quit Initech and joined <Globex>."),
    *rows(
        "pool size",
        "is",
        """
        Several incidents later, the pool size stands at <20>.
        We settled on <20> as the pool size after a few experiments.
        We ended up deciding on <20> for the pool size this sprint.
        The pool size got bumped to <20>.
        I fixed the deprecated settings and set the pool size to <20>.
        """,
    ),
    *rows("Redis", "has version", "With us, folks ended up on <7.2> as the Redis version."),
]


@pytest.mark.parametrize(("text", "triple"), RIGHT, ids=lambda v: str(v)[:50])
def test_what_a_model_is_for_is_still_read(text: str, triple: tuple[str, str, str]) -> None:
    """Natural wordings that say the relation by some word of its own."""
    assert read(text, triple)[0] == 1


@pytest.mark.parametrize("text", ["The board made Bob the lead of payments.", "Bob got promoted to lead of payments."])
def test_what_the_grammar_reads_needs_no_model(text: str) -> None:
    """A model's reading of these is dropped for want of evidence; in a chain nothing is lost by it."""
    chain = GrammarExtractor() | LLMExtractor(SayingModel(("lead of payments", "is", "Bob")))
    [plain], [told] = (chain.extract([t]) for t in ("The lead of payments is Ann.", text))
    stated = {(f.subject, f.relation): f.object for f in told.facts}
    assert [stated.get((f.subject, f.relation)) for f in plain.facts] == ["Bob"]


def test_each_want_of_evidence_is_counted_for_itself() -> None:
    """No word for the relation is one reason, no claim that it holds another."""
    for text, relation, unasserted in (
        ("Ann ran a marathon in Bergen.", 1, 0),
        ("Ann declined a move to Bergen.", 0, 1),
    ):
        extractor = LLMExtractor(SayingModel(("Ann", "lives in", "Bergen")))
        extractor.extract([text])
        stats = extractor.stats
        assert (stats.rejected_relation, stats.rejected_unasserted, stats.rejected) == (relation, unasserted, 1)


@pytest.mark.parametrize(
    "text",
    [
        "Clara's text: my mailer timeout is 45 seconds",
        "They raised the mailer timeout to 45 seconds. We rolled that back.",
        "[INFO] they settled on 45 seconds as the mailer timeout",
    ],
)
def test_what_the_grammar_holds_back_the_model_does_not_bring_back(text: str) -> None:
    """Quotations, lines of logs, and changes that were undone."""
    assert read(text, ("mailer timeout", "is", "45 seconds"))[0] == 0


def test_any_order_of_words_is_read_without_a_fault() -> None:
    """Whatever stands around a value, before it or behind it, there is an answer."""
    words = [
        "Running",
        "late,",
        "the",
        "mailer",
        "timeout",
        "has",
        "as",
        "been",
        "and",
        "moved",
        "to",
        "Ann's;",
        "(after)",
        "in",
        "is",
        "5",
    ]
    generator = random.Random(0)
    for _ in range(400):
        said = generator.choices(words, k=generator.randint(0, 7))
        said.insert(generator.randint(0, len(said)), "45")
        sentence = " ".join(said)
        start = len(" ".join(said[: said.index("45")])) + bool(said.index("45"))
        for relation in ("is", "lives in", "works for", "has version", "is done every"):
            lacking = bears_out(sentence, (start, start + 2), "mailer timeout", known(relation))
            assert lacking in (None, "relation", "unasserted"), sentence
