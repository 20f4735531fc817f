"""A sentence of change or ending acts on the one key that it names, and on the old value alone where it names that."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.ledger.facts import KeyedFact

from .pairs import ended, fact_of, rows

ENDS = rows("""
    The limit of teal is 5. || The limit of teal was raised to 9.
    The limit of teal is 5. || The limit of teal has been raised to 9.
    The limit of teal is 5. || The limit of teal was raised from 5 to 9.
    The limit of teal is 5. || We raised the limit of teal to 9.
    The limit of teal is 5. || The limit of teal rose to 9.
    The limit of teal is 5. || The limit of teal went up to 9.
    The timeout of teal is 30 s. || The timeout of teal was lowered from 30 s to 10 s.
    The timeout of teal is 30 s. || We lowered the timeout of teal to 10 s.
    The rent of the flat is 900 euros. || The rent of the flat has been increased to 950 euros.
    The start of the race is 9:00. || The start of the race was moved to 10:00.
    The date of the gala is 3 May. || The date of the gala was moved from 3 May to 4 June.
    The version of teal is 2.1. || The version of teal was bumped to 2.2.
    The owner of teal is Ann. || The owner of teal was changed from Ann to Bo.
    The class for rendering is named PdfWriter. || The class for rendering was renamed from PdfWriter to PdfMaker.
    The project is called Heron. || The project was renamed from Heron to Egret.
    Tom works for Globex. || Tom no longer works for Globex.
    Tom lives in Oslo. || Tom no longer lives in Oslo.
    The owner of teal is Ann. || The owner of teal is no longer Ann.
    Teal is pinned to 1.2.3. || Teal is no longer pinned to anything.
    TEAL_SIZE is set to 8. || TEAL_SIZE is no longer set to anything.
    Tom Lind is my tutor. || Tom Lind is no longer my tutor.
    Teal is hosted on Heroku. || Teal is no longer hosted on Heroku.
    Corinne is engaged to Matthias. || Corinne is not engaged to Matthias anymore.
""")


@pytest.mark.parametrize(("first", "second"), ENDS)
def test_a_change_ends_the_value_of_its_key(first: str, second: str) -> None:
    assert len(ended(first, second)) == 1


LEAVES = rows("""
    X is hosted on Heroku. || Ann moved to Berlin.
    Ann is hosted on Heroku. || Ann moved to Berlin.
    Ann works for Globex. || Ann moved to Berlin.
    The parser is hosted on GitHub. || The parser moved to Berlin.
    The parser is written in Rust. || The parser moved to Berlin.
    The parser is owned by Ann. || The parser moved to Bo.
    My IDE is PyCharm. || I switched from Vim to Emacs.
    I work for Vim. || I switched from Vim to Emacs.
    The archive is based in Hull. || The archive moved to S3.
    The archive is stored in Glacier. || The archive moved to S3.
    The archive is hosted on Heroku. || The archive moved to S3.
    The limit of teal is 5. || The limit of owl was raised to 9.
    The limit of teal is 5. || Ana raised the limit of owl to 9.
    The limit of teal is 5. || The timeout of teal was raised to 9.
    The limit of teal is 5. || The limit of teal in staging was raised to 9.
    The limit of teal is 5. || The soft limit of teal was raised to 9.
    The limit of teal is 5. || The limit of teal was raised from 6 to 9.
    The owner of teal is Ann. || The owner of teal was changed from Kim to Bo.
    The owner of teal is Ann. || The owner of teal is no longer Kim.
    Tom works for Globex. || Tom no longer works for Hooli.
    Tom works for Globex. || Tim no longer works for Globex.
    Lena works for Northgate. || Lena no longer lives in Northgate.
    Tom lives in Oslo. || My brother moved to Bristol.
    I live in Leeds. || I might move to Bristol.
    The sync is at 10:00. || The retro was moved to 11:00.
    The theme of the app is dark. || The app has switched to the light plan.
    The timeout of teal is 30 s. || The timeout of teal was raised to 9 workers.
    Teal pins numpy at 1.26. || Teal was upgraded to 2.0.
    The price of teal is 10 euros. || The price of teal was lowered by 2 euros.
    The price of teal is 10 euros. || The price of teal was briefly lowered to 8 euros.
""")


@pytest.mark.parametrize(("first", "second"), LEAVES)
def test_a_change_of_another_thing_or_value_ends_nothing(first: str, second: str) -> None:
    assert ended(first, second) == []


@pytest.mark.parametrize(
    ("text", "value", "stands"),
    [
        ("The limit of teal was raised from 5 to 9.", "5", None),
        ("The limit of teal was raised to 9.", "9", "9"),
        ("Tom no longer works for Globex.", "globex", None),
    ],
)
def test_a_change_is_one_fact_with_the_value_that_it_names(text: str, value: str, stands: str | None) -> None:
    fact = fact_of(text)
    assert fact is not None
    assert (fact.change, fact.value, fact.object) == (True, value, stands)
    [extraction] = GrammarExtractor().extract([text])
    assert extraction.prose


def test_no_sentence_of_change_makes_more_than_one_fact() -> None:
    for _, second in [*ENDS, *LEAVES]:
        [extraction] = GrammarExtractor().extract([second])
        assert len([f for f in extraction.facts if isinstance(f, KeyedFact)]) < 2
