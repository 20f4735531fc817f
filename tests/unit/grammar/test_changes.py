"""A sentence of change or ending acts on the one key that it names, and on the old value alone where it names that."""

import pytest

from memstrata_integrations import GrammarExtractor

from .pairs import ended, fact_of, rows

ENDS = rows("""
    The start of the race [is 9:00|was moved to 10:00]. ;; Teal is[| no longer] pinned to [1.2.3|anything].
    The version of teal [is 2.1|was bumped to 2.2]. ;; TEAL_SIZE is[| no longer] set to [8|anything].
    Tom[| no longer] lives in Oslo. ;; Corinne is engaged to Matthias. || Corinne is not engaged to Matthias anymore.
    I[| no longer] live in Oslo. ;; The timeout of teal is 30 s. || The timeout of teal was lowered from 30 s to 10 s.
    Tom Lind is [|no longer ]my tutor. ;; The project is called Heron. || The project was renamed from Heron to Egret.
    The limit of teal is 5. || The limit of teal was raised to 9. || The limit of teal has been raised to 9.
    The limit of teal is 5. || The limit of teal was raised from 5 to 9. || We raised the limit of teal to 9.
    The limit of teal is 5. || The limit of teal rose to 9. || The limit of teal went up to 9.
    The timeout of teal is 30 s. || We lowered the timeout of teal to 10 s.
    The rent of the flat is 900 euros. || The rent of the flat has been increased to 950 euros.
    The date of the gala is 3 May. || The date of the gala was moved from 3 May to 4 June.
    The owner of teal is Ann. || The owner of teal was changed from Ann to Bo. || The owner of teal is no longer Ann.
    The class for rendering is named PdfWriter. || The class for rendering was renamed from PdfWriter to PdfMaker.
    Tom works for Globex. || Tom no longer works for Globex. || Tom does not work for Globex any more.
    Teal is hosted on Heroku. || Teal is no longer hosted on Heroku. || Teal isn't hosted on Heroku any more.
""")


@pytest.mark.parametrize(("first", "second"), ENDS)
def test_a_change_ends_the_value_of_its_key(first: str, second: str) -> None:
    assert len(ended(first, second)) == 1


LEAVES = rows("""
    The parser [is written in Rust|moved to Berlin]. ;; Teal waits for 5 s. || Teal does not wait for any more than 5 s.
    The parser [is owned by Ann|moved to Bo]. ;; Teal takes 5 jobs. || Teal does not take 5 jobs any more often.
    The archive [is based in Hull|moved to S3]. ;; The parser is hosted on GitHub. || The parser moved to Berlin.
    The archive [is stored in Glacier|moved to S3]. ;; The sync is at 10:00. || The retro was moved to 11:00.
    The archive [is hosted on Heroku|moved to S3]. ;; Teal pins numpy at 1.26. || Teal was upgraded to 2.0.
    Lena [works for|no longer lives in] Northgate. ;; My IDE is PyCharm. || I switched from Vim to Emacs.
    X is hosted on Heroku. || Ann moved to Berlin. ;; Tom lives in Oslo. || My brother moved to Bristol.
    Ann is hosted on Heroku. || Ann moved to Berlin. ;; I work for Vim. || I switched from Vim to Emacs.
    Ann works for Globex. || Ann moved to Berlin. ;; I live in Leeds. || I might move to Bristol.
    The limit of teal is 5. || The limit of owl was raised to 9. || Ana raised the limit of owl to 9.
    The limit of teal is 5. || The timeout of teal was raised to 9. || The limit of teal in staging was raised to 9.
    The limit of teal is 5. || The soft limit of teal was raised to 9. || The limit of teal was raised from 6 to 9.
    The owner of teal is Ann. || The owner of teal was changed from Kim to Bo. || The owner of teal is no longer Kim.
    Tom works for Globex. || Tom no longer works for Hooli. || Tim no longer works for Globex.
    The theme of the app is dark. || The app has switched to the light plan.
    The timeout of teal is 30 s. || The timeout of teal was raised to 9 workers.
    Teal has 5 workers. || Teal doesn't have 5 workers or more. || Teal doesn't have 5 more.
    The price of teal is 10 euros. || The price of teal was lowered by 2 euros.
    The price of teal is 10 euros. || The price of teal was briefly lowered to 8 euros.
""")


LOOKS_LIKE_ONE = rows("""
    [Gus's|Forget about Gus, her] locker number is [31|32]. ;; Wrong hotel, sorry: our room is 12 || our room is 12
    Lena[| no longer] lives in [Oslo|Bergen]. ;; My nephew Caspian's bedtime is 8 pm. || Caspian's bedtime is 9 pm now.
    My office [is|in Leeds is now] Room [204|318]. ;; The bakery is at 5 Elm Street. || The bakery's oven sits at 220 C.
    My [sister|colleague] Annelise lives in [Leeds|Cardiff now]. ;; Oops, typo: my PIN is 4417 || my PIN is 4417
    The [dog walker|gardener] comes at [11|12:30 from now on]. ;; Alice no longer works at Acme. || works at
    celery in requirements.txt is [|no longer ]pinned to [5.3.6|4.0].
    Ben's seat number is K2. || That seat number was wrong, mine is K4.
    Django is pinned to 4.2. || django-filter was bumped from 4.2 to 5.0.
    Kestrel Air's baggage fee is 30 euros. || Marta lowered the baggage fee to 20 euros.
    Lena reports to Kim. || Lena no longer reports to Kim directly.
    Marta's rate is 90 euros an hour. || Marta raised the interest rate to 5%.
    My contract is for 40 hours a week. || My wife's contract is for 30 hours a week.
    My dog Waffles weighs 12 kilos. || Truffle weighs 14 kilos now.
    My next check-up is on 4 March. || My son's next check-up has been postponed to 11 March.
    My usual order is pad thai. || My wife's usual order is green curry now.
    The concert is on Friday. || The rehearsal for the concert was moved from Friday to Thursday.
    The database of the shop is Postgres. || The database of the shop was upgraded to Postgres 16.
    The deposit at Little Otters is 100 euros. || Little Otters raised its fee from 100 euros to 120 euros.
    The garden club takes place on Tuesday. || We've moved the garden club's picnic to Thursday.
    The living room thermostat is set to 18 degrees. || The kitchen has its thermostat set to 21 degrees.
    The log retention is 30 days. || The log retention was raised to 90 days during the incident.
    The log retention is 30 days. || The log retention was raised to 90 days for two weeks.
    The port of Corvus is 8443. || Corvus no longer listens on port 8443 for admins.
    The project manager of Heron is Ines Okafor. || Ines Okafor is no longer the project manager of Egret.
    The project manager of Heron is Ines Okafor. || Jon Lund is no longer the project manager of Heron.
    The quota is 5 GB. || The quota was increased from 3 GB to 4 GB in 2019.
    The tally library is licensed under MIT. || The ledger library moved from MIT to Apache-2.0.
    The tally library is licensed under MIT. || We've moved the tally library from CSV to JSON.
    The team is Hawks. || The league was renamed from Hawks League to Eagle League.
    The timeout of Merlin is 30 seconds. || The timeout of Merlin is no longer than 30 seconds.
    The departure of the train is at 8:05. || The arrival of the train was moved to 8:20.
    The trial lasts 14 days. || The trial was extended to 30 days for universities.
    The upload limit of the photo form is 10 MB. || The photo form's download limit sits at 50 MB these days.
    The user limit is 50. || In plan B, the user limit was raised from 50 to 80.
    Tom's locker is number 12. || Tom married Marta in Leeds, her locker is number 14.
    Zita's desk is number 12. || Zita moved to Leeds with Marta, her desk is number 14.
    Zita's locker is number 12. || Zita sold the Fiat to Marta, her locker is number 14.
    urllib3 is pinned to 1.26.18. || The docs of urllib3 were moved to 2.2.1.
""")


@pytest.mark.parametrize(("first", "second"), [*LEAVES, *LOOKS_LIKE_ONE])
def test_a_change_of_another_thing_or_value_ends_nothing(first: str, second: str) -> None:
    assert ended(first, second) == []


@pytest.mark.parametrize(("text", "value", "stands"), [
    ("The limit of teal was raised from 5 to 9.", "5", None), ("The limit of teal was raised to 9.", "9", "9"),
    ("Tom no longer works for Globex.", "globex", None),
])  # fmt: skip
def test_a_change_is_one_fact_with_the_value_that_it_names(text: str, value: str, stands: str | None) -> None:
    fact = fact_of(text)
    assert fact is not None
    assert (fact.change, fact.value, fact.object) == (True, value, stands)
    [extraction] = GrammarExtractor().extract([text])
    assert extraction.prose


def test_no_sentence_of_change_makes_more_than_one_fact() -> None:
    for _, second in [*ENDS, *LEAVES]:
        fact_of(second)  # it sees to that
