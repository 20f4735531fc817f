"""What people tell an assistant: an event or a correction in front of a fact, the old value beside it, plain states."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.sentences.corrections import behind_correction, corrected_core, replaced_core
from memstrata_integrations.extraction.sentences.events import behind_event
from memstrata_integrations.extraction.sentences.of_speaker import of_the_speaker
from memstrata_integrations.extraction.sentences.states_of_days import is_standing_order
from memstrata_integrations.extraction.sentences.things_named import one_moved, without_things

from .kept import assert_kept, pairs_of

GRAMMAR = GrammarExtractor()

RETIRED = pairs_of("""
Sunniva's studio is in Leeds.
  Sunniva gave up the Leeds place, her studio is in Dundee.
Radek drives a Skoda Fabia.
  Radek traded in the Skoda Fabia, he drives a Kia Niro now.
Orla's manager is Ann Reyes.
  Orla transferred to Cardiff and her manager is Tom Lind.
Orla's manager is Ann Reyes.
  Orla retired from Acme; her manager is Tom Lind.
Orla's locker number is 12.
  They've moved Orla to the annex, her locker number is 14.
Orla's locker number is 12.
  Orla moved to Cardiff and her locker number is 14.
The babysitter is Runa.
  Runa can't do it any more, the babysitter is now Wiebke.
The coach is Tom Lind.
  Tom Lind retired, so the coach is Ann Lee.
I'm 40 years old.
  Had my birthday last week, I'm 41 years old now.
I get paid on the 25th of the month.
  HR moved payday, I get paid on the 28th of the month.
I'm currently reading "The Salt Road".
  I finished "The Salt Road" and I'm currently reading "Night Orchard".
My visa number is K4471902.
  Sorry, typo: my visa number is K4471920.
There are 22 desks in Mila's class.
  I miscounted, there are 24 desks in Mila's class.
The gate code is 4471.
  I mistyped it, the gate code is 4417.
Our table at the ball is number 17.
  Wrong table, sorry: our table at the ball is number 7.
The bed is number 17.
  Sorry, wrong ward: the bed is number 7.
My shoe size is 43.
  Could you update this: my shoe size is 44.
My shoe size is 43.
  I said 43, but my shoe size is 44.
My locker number is 12.
  I got my locker number wrong, it's 14.
My locker number is A12.
  That locker number was wrong, mine is A14.
Gus's phone number is +47 555 01 882.
  Scratch what I said about Gus, his phone number is +47 555 01 828.
My tutor is Tom Lind.
  Tom Lind isn't my tutor any more, it's Ana Reyes.
My tutor is Tom Lind.
  Tom Lind is no longer my tutor; it's Ana Reyes.
My emergency contact is my sister Margit.
  Margit isn't my emergency contact any more, it's my husband Anders.
My trainer is Tom Lind.
  Not Tom Lind but Ana Reyes is my trainer.
My trainer is Tom Lind.
  It's Ana Reyes, not Tom Lind, who is my trainer.
I take the 7:12 train to work.
  I no longer take the 7:12 train to work, I take the 7:48.
I do my groceries at Hofmarkt.
  I don't do my groceries at Hofmarkt any more, I do them at Bellavita.
My dentist is Dr. Okafor.
  I've switched dentists and now go to Dr. Lindqvist.
My dentist is Dr. Okafor.
  My dentist's name is Dr. Lindqvist.
The name of our landlord is Ms. Lee.
  Our landlord's name is Mr. Vasquez.
My manager is Daniel Kovac.
  I'm managed by Ann Lee.
I'm managed by Daniel Kovac.
  Ann Lee manages me.
The spare key is kept in the cellar.
  We keep the spare key in the garage.
We keep the Easter decorations in the loft.
  The Easter decorations are kept in the garage.
My lease is for 12 months.
  My lease is 24 months.
The thermostat in the nursery is at 21 degrees.
  The thermostat in the nursery is at 19 degrees.
The school nurse is on extension 14.
  The extension of the school nurse is 27.
The groom's name is spelled Mathias.
  Correction: the groom spells his name Matthias, with two T.
Signe lands at 16:20 on the 3rd.
  Signe's flight was changed, she lands at 21:05 on the 3rd.
Wake me up at 6:30 on weekdays.
  Wake me up at 7:00 on weekdays from now on.
Jonah's recital night is at six.
  Jonah's recital night is at seven.
The yoga class with Ann is at six.
  The yoga class with Ann is at half past seven now.
Beatrix's piano lesson is on Mondays at five.
  Beatrix's piano lesson is now on Wednesdays at four.
My default currency is NOK.
  My default currency should be CHF now.
Set my default reminder time to 9:00.
  Set my default reminder time to 8:15.
Set my default reminder time to 9:00.
  My default reminder time is 8:15.
My default airline seat is 12C.
  Make my default airline seat 21A instead.
Use Old Pine Road 6 as my delivery address.
  Use Canal Walk 19 as my delivery address.
Give me temperatures in Fahrenheit.
  From today give me temperatures in Celsius instead.
My weekly one-to-one with Kareem is on Mondays at 10.
  The weekly one-to-one with Kareem has moved to Wednesdays at 2.
""")
KEPT = pairs_of("""
Zita's phone number is 555 010 0188.
  Tom traded in Zita's Fiat, her phone number is 555 010 0199.
Zita's desk is number 12.
  Zita moved to Leeds with Marta, her desk is number 14.
Zita's locker is number 12.
  Zita sold the Fiat to Marta, her locker is number 14.
Tom's locker is number 12.
  Tom married Marta in Leeds, her locker is number 14.
Tom's locker is number 12.
  The coach moved Tom to the annex, her locker is number 14.
Orla's manager is Ann Reyes.
  Orla's brother moved to Leeds and his manager is Tom Lind.
The babysitter of the Kents is Runa.
  Runa can't do it any more, the babysitter is Wiebke.
The lead is Ann.
  The Gate died, the lead is Tom Lind.
The port of the gateway is 80.
  Wrong: the port of the gateway is 81.
The port of the gateway is 80.
  Mistyped config: the port of the gateway is 81.
The port of the gateway is 80.
  Can you fix that: the port of the gateway is 81.
There are 22 desks in Mila's class.
  I miscounted, there are 24 desks in Ben's class.
Gus's locker number is 31.
  Forget about Gus, her locker number is 32.
Gus's locker number is 31.
  Scratch what I said about Lea, her locker number is 32.
Ben's seat number is K2.
  That seat number was wrong, mine is K4.
My visa number is K4471902.
  My wife's visa, typo: her visa number is K4471920.
My tutor is Tom Lind.
  Ann isn't my tutor, it's complicated.
My tutor is Tom Lind.
  Ann isn't my coach any more, it's Bea Lund.
Ida's tutor is Tom Lind.
  Ann isn't my tutor any more, it's Bea Lund.
My tutor is Tom Lind.
  Maybe Ann isn't my tutor any more, it's Bea Lund.
My tutor is Tom Lind.
  If Ann isn't my tutor any more, it's Bea Lund.
My trainer is Tom Lind.
  Not Ann Lee but Ana Reyes is Ida's trainer.
I take the 7:12 train to work.
  I no longer take the 8:30 train to Bonn, I take the 9:10.
I take the 7:12 train to work.
  I no longer take the 8:30 bus to work, I take the 9:10.
I do my groceries at Hofmarkt.
  I don't buy my bread at Bell any more, I buy it at Hof.
My dentist is Dr. Okafor.
  I've switched hairdressers and now go to Lindqvist.
My dentist is Dr. Okafor.
  My dentist's wife's name is Dr. Lindqvist.
My manager is Daniel Kovac.
  Ann Lee manages me on the Berlin project.
My manager is Daniel Kovac.
  My sister is managed by Ann Lee.
The spare key is kept in the cellar.
  We keep the spare tyre in the garage.
The spare key is kept in the cellar.
  We used to keep the spare key in the garage.
The spare key is kept in the cellar.
  In winter we keep the spare key in the garage.
The milk is kept in the fridge.
  We keep the milk in the cellar at night.
My contract is for 40 hours a week.
  My wife's contract is for 30 hours a week.
My contract is for 40 hours a week.
  My contract is for 12 months.
My contract is for 40 hours a week.
  My contract was for 30 hours a week.
The thermostat in the nursery is at 21 degrees.
  The thermostat in the study is at 19 degrees.
The school nurse is on extension 14.
  The school nurse at Hill House is on extension 15.
Ann Lee is on extension 14.
  Ann Lee is on extension 15 on Fridays.
The groom's name is Mathias.
  The bride spells her name Matthia.
The bride's name is Katharine.
  The bride spells her last name Catharine.
Signe lands at 16:20 on the 3rd.
  Signe lands at 21:05 on the 4th.
Signe lands at 16:20 on the 3rd.
  Marta's flight was changed, she lands at 21:05 on the 3rd.
I wake up at 6:30 on weekdays.
  Wake me up at 7:00 on Saturdays.
I wake up at 6:30 on weekdays.
  Wake my son up at 7:00 on weekdays.
Dinner is at six.
  Lunch is at seven.
Dinner is at six.
  Dinner is at seven on Fridays.
The dinner with Ann is at six.
  The dinner with Bea is at seven.
The meeting is on Friday at 10.
  The meeting is on Friday at nine Elm Street.
Tom's desk is number 4.
  Tom transferred to Marta's team, her desk is number 5.
The spare key is kept in the cellar.
  You'll find the spare key in the photo.
The score is at six.
  The score is at seven.
My default currency is NOK.
  My default currency should be CHF in Zurich.
My default currency is NOK.
  Never set my default currency to CHF.
My default currency is NOK.
  Should I set my default currency to CHF?
My default currency is NOK.
  Set my default currency to CHF when I travel.
My delivery address is Old Pine Road 6.
  Use Canal Walk 19 as my billing address.
My delivery address is Old Pine Road 6.
  Never use Canal Walk 19 as my delivery address.
My delivery address is Old Pine Road 6.
  Don't use Canal Walk 19 as my delivery address.
Give me temperatures in Celsius.
  Give me distances in miles instead.
My weekly one-to-one with Kareem is on Mondays at 10.
  The weekly one-to-one with Ida has moved to Wednesdays at 2.
My weekly one-to-one with Kareem is on Mondays at 10.
  Ann's weekly one-to-one with Kareem has moved to Wednesdays at 2.
My weekly one-to-one with Kareem is on Mondays at 10.
  The monthly one-to-one with Kareem has moved to Wednesdays at 2.
I get paid on the 25th of the month.
  I got paid on the 28th of the month.
I'm currently reading "The Salt Road".
  I finished "The Salt Road" and Ida is currently reading "Night Orchard".
""")


@pytest.mark.parametrize(("first", "second"), RETIRED)
def test_an_update_in_the_words_of_a_talk_retires(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_what_may_be_of_somebody_or_something_else_stays(first: str, second: str) -> None:
    assert_kept(first, second)


def test_a_clause_beside_a_change_is_stated() -> None:
    [told] = GRAMMAR.extract(["Orla moved to Cardiff, her manager is Tom Lind."])
    stated = [(f.subject, f.relation, f.object) for f in told.facts if not f.narrative]
    assert stated == [("orla", "reports to", "Tom Lind")]


def test_words_of_a_correction_are_no_part_of_the_fact() -> None:
    for said, left in (
        ("Oops, typo: my PIN is 4417", "my PIN is 4417"),
        ("We miscounted, there are 9 of us", "there are 9 of us"),
        ("Wrong hotel, sorry: our room is 12", "our room is 12"),
        ("Wrong: the room is 12", "Wrong: the room is 12"),
        ("Typo: ", "Typo: "),
    ):
        assert said[behind_correction(said, 0, len(said)) :] == left


def test_what_is_no_correction_is_left_alone() -> None:
    for said in (
        "Forget about it, his number is 31",
        "Ann is my tutor",
        "Scratch what I said about Gus: 31",
        "x" * 300,
    ):
        assert corrected_core(said, 0, len(said)) is None
        assert replaced_core(said, 0, len(said)) is None
    about = "I was wrong about Gus, he's in room 12"
    core = corrected_core(about, 0, len(about))
    assert core is not None
    assert core.text == "Gus is in room 12"
    ours = "That desk number was wrong, ours is 31"
    core = replaced_core(ours, 0, len(ours))
    assert core is not None
    assert core.text == "Our desk number is 31"


def test_who_is_spoken_of() -> None:
    assert one_moved("We promoted Hana") == "Hana"
    assert one_moved("The coach moved Hana") == ""
    assert without_things("Mona finished it") == "Mona finished it"
    assert without_things("Mona sold the Fiat to Lea") == "Mona it to Lea"
    said = "Tom quit, the port is Ann"
    assert behind_event(said, 0, len(said)) == len("Tom quit, ")
    assert behind_event("Ann sings", 0, 9) == 0


def test_standing_orders_and_meetings() -> None:
    assert is_standing_order("Set my default currency to CHF.")
    assert not is_standing_order("Set the port to 80.")
    [found] = GRAMMAR.extract(["The one-to-one with Kim has moved to Friday."])
    assert {"i with:kim one-to-one"} <= {f.subject for f in of_the_speaker(found.facts)}
