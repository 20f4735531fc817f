"""What a person tells an assistant in two turns: the second, with remarks around it, meets the first on its key."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Fact

GRAMMAR = GrammarExtractor()


def _closed(first: str, second: str) -> list[Fact]:
    """Return the facts of the first turn that the second one closes."""
    earlier, later = GRAMMAR.extract([first, second])
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts}
    ended = {(f.subject, f.relation, f.value) for f in later.facts if f.object is None}
    return [
        f
        for f in earlier.facts
        if stated.get((f.subject, f.relation, f.dimension), f.value) != f.value
        or not ended.isdisjoint([(f.subject, f.relation, ""), (f.subject, f.relation, f.value)])
    ]


UPDATED = [
    # Remarks before and behind
    ("My ski boot size is 41.", "Turns out my ski boot size is 42, got it checked."),
    ("My Danish level is A1.", "Passed the exam, my Danish level is A2 now!"),
    ("I weigh 71 kg.", "Stepped on the scale: I weigh 74 kg now."),
    ("Our favourite bakery is Krume.", "Our favourite bakery is Ofenfrisch now, hands down."),
    ("My train from Ulm leaves at 17:05.", "New timetable, my train from Ulm leaves at 17:25."),
    ("My screen is 24 inch.", "Treated myself, my screen is 27 inch now."),
    ("Film club meets at Oda's place.", "Film club meets at the library now, Oda's redecorating."),
    ("I pay 40 euros for my gym membership.", "Haggled a bit, I pay 32 euros for my gym membership now."),
    ("The house viewing is at 16:00 on Monday.", "Agent rang: the house viewing is at 16:45 on Monday."),
    ("My preferred airline is Nordwing.", "After that delay my preferred airline is Aerovia."),
    # "The" and "our" things are the speaker's own
    ("Our router password is plum-7.", "We changed the router password, it's now fig-12."),
    ("My dental appointment is on 4 March.", "They moved the dental appointment to 11 March."),
    ("Our honeymoon fund is 900 euros.", "The honeymoon fund is 1,200 euros now."),
    ("The vet for our pony is Dr. Lund.", "The pony has a new vet, Dr. Berg."),
    ("My mum's tablet code is 4410.", "Mum's tablet code is 5521 now."),
    # Told in two steps
    ("My safe combination is 11-22-33.", "They gave me a new safe combination: 44-55-66."),
    ("My badge number is 4402.", "Lost my badge, new number is 5513."),
    ("My voicemail code is 7781.", "I changed my voicemail code. 9092."),
    ("Our union rep is Dario.", "We elected a new union rep, it's Petra."),
    ("Our dishwasher is a Kolding.", "We bought a new dishwasher, it's a Brandt."),
    ("My internship at Solvang ends on 30 June.", "They extended my internship at Solvang, it ends on 30 September."),
    ("Our engagement party is on 3 May.", "We had to change the engagement party date, it's 17 May now."),
    ("My rowing coach is Anselm.", "New rowing coach since Monday, Yvonne."),
    # Details, and other words for a thing
    ("My gym is Forge on Elm Street.", "My gym is Ironhouse now."),
    ("I work at Halberd Optics as a tester.", "I work at Pell Labs now."),
    ("I live at 14 Quill Row, flat 3.", "I live at 88 Barrow Road now."),
    ("My emergency contact is my brother Lars.", "Please note my emergency contact is my neighbour Ines."),
    ("My aquarium is at 24 °C.", "My aquarium is at 26 °C now."),
    ("I'm in group B for the pottery course.", "They put me in group C for the pottery course."),
    ("My tram to work is the 11.", "They scrapped the 11, so my tram to work is the 16 now."),
    ("My debit card ends in 4410.", "My debit card ends in 7723 now."),
    ("I have 11 days of leave left.", "Took two off, I have 9 days of leave left."),
    ("My zinc dose is 10 mg.", "I went down to 5 mg of zinc."),
    ("My mentor is Ada Berg.", "My mentor's Hugh Pell now."),
    ("Our cleaner Dana comes on Fridays.", "Dana, our cleaner, comes on Tuesdays from now on."),
    ("Lucian's train leaves from platform 4.", "Update from Lucian: his train leaves from platform 9."),
]

KEPT = [
    # Other people's things
    ("My desk is number 12.", "My sister got a new desk, number 14."),
    ("My phone is a Pixel 7.", "My brother got a new phone, it's a Fairphone 5."),
    ("My rent is 900 euros.", "My sister moved, her rent is 1100 euros."),
    ("My train leaves at 8:15.", "Tom's train leaves at 9:20 now, he told me."),
    ("My number is 555 0101.", "Dad texted: my number is 555 0202."),
    ("My gym is Ironhouse.", "Clara wrote: my gym is Forge now."),
    ("My room is 12.", "Ann changed rooms, hers is 14 now."),
    ("My room is 12.", "They gave my mother a new room, 14."),
    ("My seat is 12A.", "They offered us a new seat, 14C."),
    ("My project is Bluefinch.", "The intern got a new project, it's Stonecrop."),
    ("My sister Nora lives in Leeds.", "My colleague Nora lives in York now."),
    ("My sister Nora lives in Leeds.", "My cousin Nora moved to York."),
    ("My sister Nora lives in Leeds.", "Nora from accounting lives in York now."),
    ("My sister Nora lives in Leeds.", "Nora Jones lives in York now."),
    ("My brother Sam works for Acme.", "Sam's boss works for Globex now."),
    ("My mum lives in Oslo.", "Tom's mum lives in Bergen now."),
    ("Mum lives in Oslo.", "My mother-in-law lives in Bergen now."),
    ("Lucian's train leaves from platform 4.", "Update from Marta: her train leaves from platform 11."),
    ("I keep my freezer at -18.", "Tom keeps his freezer at -20."),
    # Another scope
    ("My locker code is 4411.", "The gym changed the code of the sauna, it's 5522 now."),
    ("My flight to Rome leaves at 7:00.", "They changed the flight to Oslo, it leaves at 9:00 now."),
    ("The wifi password at work is tulip-1.", "We changed the wifi password at home, it's rose-2 now."),
    ("My class is in room 4.", "On Fridays, my class is in room 7."),
    ("My alarm is at 7.", "On weekends my alarm is at 9, works better."),
    ("My alarm is at 7:00.", "When I'm on holiday, my alarm is at 9:00."),
    ("My thermostat is at 20 degrees.", "At night my thermostat is at 17 degrees."),
    ("The page size is 20.", "Started with -v, the page size is 100."),
    ("The fare is 2.90.", "Booked online, the fare is 2.60."),
    ("Our landlord is Mr. Szabo.", "The landlord of the shop is Mr. Kovacs now."),
    ("My office code is 1111.", "The office code of the Berlin branch is 2222 now."),
    ("My dentist is Dr. Bell.", "My dentist in Spain is Dr. Ruiz, she's great."),
    ("My address is 5 Elm Road, Leeds.", "My work address is 9 Oak Road, Leeds."),
    ("My phone number is 555 0101.", "I changed my work phone number, it's 555 0303 now."),
    ("My appointment is on 3 March.", "The appointment for the cat was moved to 10 March."),
    # Several of a kind
    ("My favourite book is Dune.", "I got a new book: Solaris."),
    ("My friend is Ann.", "I've made a new friend, her name is Bea."),
    ("My hobby is chess.", "I found a new hobby, it's pottery."),
    ("I speak Dutch.", "I started a new language, Danish."),
    ("Our cat is called Mia.", "We got another cat, Leo."),
    ("I have one tattoo, a rose.", "Got a new tattoo, a swallow."),
    ("I work at Acme as a cook.", "I also work at Globex as a driver."),
    # Plans, wishes, doubts, the past, remarks that are no values
    ("My therapist is Ilse Brandt.", "My therapist might be Joachim Weil soon, Ilse is leaving."),
    ("My coach is Anselm.", "I want a new coach, Yevgenia."),
    ("My laptop is a ThinkPad.", "I tried a new laptop, a MacBook."),
    ("My salary is 3000.", "They promised me a new salary: 3500."),
    ("My plan is Basic.", "I'm thinking of a new plan, Family."),
    ("I live in Ghent, near the park.", "I lived in Bonn, near the park."),
    ("My dose is 5 mg.", "In the trial, my dose was 10 mg."),
    ("The head nurse is Ylva.", "Unconfirmed: the head nurse is Bodil."),
    ("My password is tulip.", "I changed my password last week, it's safer."),
    ("My password is tulip.", "I forgot my password, it's annoying."),
    ("My bike is a Trek.", "I lost my bike, it's a shame."),
]


@pytest.mark.parametrize(("first", "second"), UPDATED)
def test_the_second_turn_closes_the_first(first: str, second: str) -> None:
    assert _closed(first, second)


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_the_first_turn_stays(first: str, second: str) -> None:
    assert _closed(first, second) == []


def test_a_remark_is_no_part_of_the_key() -> None:
    """The fact has its own span, so that the remark stays when the fact goes."""
    [found] = GRAMMAR.extract(["Passed the exam, my Danish level is A2 now, time flies!"])
    [plain] = GRAMMAR.extract(["My Danish level is A2."])
    assert found.prose
    assert found.facts[0].subject == plain.facts[0].subject
    assert found.facts[0].span[0] == len("Passed the exam, ")


def test_a_turn_acts_on_few_keys() -> None:
    """A row has room for some thirty keys."""
    for text in (
        "They moved the dental appointment to 11 March.",
        "Anton has moved to Kiel.",
        "Anton's car is a Kia now.",
    ):
        assert len({(f.subject, f.relation) for f in GRAMMAR.extract([text])[0].facts}) <= 32
