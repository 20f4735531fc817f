"""Updates that name the change and not the state, whatever they speak of, meet the plain statements on their key."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Fact

GRAMMAR = GrammarExtractor()


def _closed(first: str, second: str) -> list[Fact]:
    """Return the facts of the first text that the second one closes."""
    earlier, later = GRAMMAR.extract([first, second])
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts}
    ended = {(f.subject, f.relation, f.value) for f in later.facts if f.object is None}
    return [
        f
        for f in earlier.facts
        if stated.get((f.subject, f.relation, f.dimension), f.value) != f.value
        or not ended.isdisjoint([(f.subject, f.relation, ""), (f.subject, f.relation, f.value)])
    ]


# What somebody has one of, with its value before and after
THINGS = [
    ("locker number", "118", "204"),
    ("landlord", "Mr Adler", "Mrs Bianchi"),
    ("gym", "Kraftwerk", "Halle Nord"),
    ("weekly running target", "20 km", "30 km"),
    ("curfew", "9 pm", "10 pm"),
    ("rent", "900 euros", "960 euros"),
]
# How an update of it is told
UPDATES = [
    "{Whose} {thing} is no longer {old}, now {new}.",
    "{Whose} {thing} is no longer {old}, it is {new}.",
    "{Whose} {thing} turned out to be {new}, not {old}.",
    "{Whose} {thing} has become {new}.",
    "{Whose} {thing} has been changed to {new}.",
    "{Whose} {thing} was {old}, now it is {new}.",
    "Please use {whose} new {thing}, {new}.",
    "Please note {whose} new {thing}: {new}.",
    "Please update {whose} {thing} to {new}.",
]


@pytest.mark.parametrize("whose", ["my", "Ida's", "my sister's"])
@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize(("thing", "old", "new"), THINGS)
def test_an_update_of_a_thing_closes_what_it_was(whose: str, update: str, thing: str, old: str, new: str) -> None:
    said = update.format(Whose=whose[0].upper() + whose[1:], whose=whose, thing=thing, old=old, new=new)
    assert _closed(f"{whose[0].upper()}{whose[1:]} {thing} is {old}.", said), said


CHANGED = [
    # what is done in one way, told anew
    ("Ida sings alto.", "Ida switched from alto to soprano."),
    ("I play the viola in the quartet.", "I switched from the viola to the cello in the quartet."),
    ("Ida goes to work by tram.", "Ida has switched from the tram to the bike."),
    ("I ride a Gazelle.", "I don't ride a Gazelle any more, I ride a Cortina."),
    ("I ride a Gazelle.", "I've started riding a Cortina instead of the Gazelle."),
    ("I swim at the Nordbad.", "I've started swimming at the Westbad instead of the Nordbad."),
    ("Ida reports to Kim.", "Ida used to report to Kim, but now she reports to Noor."),
    ("I share a flat with Jonas.", "I share a flat with Yusuf now."),
    ("I share an office with Petra.", "I share an office with Luuk now."),
    ("I live with a flatmate.", "I live with my parents now."),
    ("I shave with a Barnett razor.", "I shave with a Rookwood razor now."),
    ("I call Mum on Sundays.", "I call Mum on Fridays now."),
    ("I use the radio as an alarm.", "I use a lamp as an alarm now."),
    ("I go to the office by tram.", "I go to the office by bike now."),
    ("Ida works at the harbour authority.", "Ida now works at the city archive."),
    ("I'm in team Amber.", "I'm in team Cobalt now."),
    ("I'm reading Babel at the moment.", "I've finished Babel, now I'm reading Kindred."),
    # amounts and times
    ("I have 12 vacation days left.", "I have 7 vacation days left now."),
    ("Ida takes her pills at 8 am.", "Ida now takes her pills at 9 am."),
    ("The dog walker comes at 11.", "The dog walker comes at 12:30 from now on."),
    ("I get up at 7.", "I get up at 6:30 now."),
    ("Ida's bedtime is 7:30.", "Ida's bedtime is 8 now."),
    ("Ida's curfew is 9 pm.", "Ida's curfew is 10 pm now that she's fifteen."),
    ("The battery lasts 6 hours.", "The battery lasts 7 and a half hours."),
    # what comes next, and was put off
    ("My next check-up is on 4 March.", "My next check-up has been postponed to 11 March."),
    (
        "The next meeting of my book club is at Hana's place.",
        "The next meeting of my book club was moved to Greg's place.",
    ),
    ("Gran's Sunday call is at 5.", "Gran's Sunday call has been moved to 6."),
    # a remark on somebody, and what is theirs now
    (
        "Ida's current project is the tax portal.",
        "Ida's been moved to another team; her current project is the zoo app.",
    ),
    ("Ida's doctor is Dr Finch.", "Ida now has Dr Obi as her doctor."),
    ("My flight number is BA 212.", "BA 318 is my new flight number."),
    ("Ida's mother lives in Iași.", "Ida's mother moved to Cluj."),
]


@pytest.mark.parametrize(("first", "second"), CHANGED)
def test_a_change_closes_what_was(first: str, second: str) -> None:
    assert _closed(first, second)


KEPT = [
    # there may be another of the name
    ("My sister Ida lives in Leeds.", "Ida has moved to Cardiff."),
    ("My nephew Caspian's bedtime is 8 pm.", "Caspian's bedtime is 9 pm now."),
    ("I play the viola.", "I've started learning the trumpet."),
    ("I play the piano in the orchestra.", "I also play the organ in church."),
    ("I sing alto.", "My sister switched from alto to soprano."),
    ("Ophelia sings alto in the chapel choir.", "Ophelia sings soprano in the school musical."),
    ("I speak Basque.", "I am learning Catalan."),
    ("I am learning Portuguese.", "I have learnt Dutch."),
    ("I'm allergic to peanuts.", "I'm allergic to penicillin now."),
    ("My friend is Lotte.", "My new friend is Amina."),
    ("I have a friend called Lotte.", "I have a new friend: Amina."),
    ("I read Solaris last summer.", "I'm reading The Dispossessed now."),
    ("I have a cat called Mouse.", "I have a new cat: Pickle."),
    ("My daughter goes to Ashgrove nursery.", "My son goes to Pinewood nursery now."),
    ("My sister works at the harbour authority.", "My brother works at the city archive now."),
    ("My sister Annelise lives in Leeds.", "My colleague Annelise lives in Cardiff now."),
    ("My sister Annelise lives in Leeds.", "Annelise Brandt has moved to Cardiff."),
    ("My brother Tom works for Nordwind.", "Tom from the gym works for Halvorsen now."),
    ("My son Jonas plays the viola.", "Jonas visited Oslo last week."),
    ("My dog Waffles weighs 12 kilos.", "Truffle weighs 14 kilos now."),
    ("Tom takes his pills at 8 am.", "Tom takes his drops at 9 am now."),
    ("I take my pills at 8 am.", "I take my pills at 8 pm."),
    ("I have piano lessons on Mondays.", "I have piano lessons on Thursdays."),
    ("I call Mum on Sundays.", "I call Dad on Fridays now."),
    ("I go to the gym on Mondays.", "I go to the gym on Thursdays."),
    ("I pick up the children at 5.", "I drop off the children at 8 now."),
    ("My next check-up is on 4 March.", "My next check-up is on 4 September."),
    ("The next train leaves at 9:05.", "The next train leaves at 9:20."),
    ("My next check-up is on 4 March.", "My son's next check-up has been postponed to 11 March."),
    ("My next dentist appointment is on 4 March.", "My next eye appointment was moved to 11 March."),
    ("I have 12 vacation days left.", "I have 3 sick days left now."),
    ("Tom has 12 vacation days left.", "Kim has 7 vacation days left now."),
    ("I have 2 weeks left on the lease.", "I have 5 classes left on the card."),
    ("Tom's rent is 900 euros.", "Tom's deposit is no longer 900 euros, now 960 euros."),
    ("My landlord was Mr Cusack.", "My landlord in Leeds was Mrs Vance."),
    ("My office is Room 204.", "My office in Leeds is now Room 318."),
    ("My doctor is Dr Finch.", "Please use my new dentist, Dr Obi."),
    ("My phone number is 0171 555 0142.", "Please use my new work number, 0171 555 0190."),
    ("My phone number is 0171 555 0142.", "Tom's phone number has become 0171 555 0190."),
    ("My email is a@post.example.", "Please save my sister's new email, b@post.example."),
    ("My screen name on the forum is moss_owl.", "My screen name on the chess site has become lichenlad."),
    ("My boss is Priya.", "Tom's boss is no longer Priya, now Stefan."),
    ("My room number is 12.", "My room number in Oslo is no longer 9, it is 31."),
    ("My mentor is Agnes.", "Agnes got Rafael as her mentor."),
    ("My doctor is Dr Finch.", "My sister got Dr Obi as her doctor."),
    ("My gym is Ironhouse.", "I'm thinking of changing my gym to Fitwell."),
    ("My gym is Ironhouse.", "I might switch from Ironhouse to Fitwell."),
    ("My gym is Ironhouse.", "If they raise the price, my gym will be Fitwell."),
    ("My gym is Ironhouse.", "My gym is not only Ironhouse but Fitwell."),
    ("My bank is Ostbank.", "Should I switch my bank to Fidora?"),
    ("My bank is Ostbank.", "Please don't use my new bank, Fidora."),
    ("My car is a Skoda Fabia.", "I'd like my new car to be a Renault Zoe."),
    ("My car is a Skoda Fabia.", "My next car is a Renault Zoe."),
    ("My bedtime is 9 pm.", "My bedtime used to be 8 pm."),
    ("My bedtime is 9.", "My bedtime story is 8 pages long now."),
    ("I sleep in the bunk room.", "I slept in the attic room yesterday."),
    ("I share an office with Petra.", "I share a flat with Luuk now."),
    ("I share a flat with Jonas.", "I shared a flat with Yusuf in Leeds."),
    ("I live with a flatmate.", "My sister lives with her parents now."),
    ("I use the radio as an alarm.", "I use a lamp as a night light now."),
    ("I use Keywarden as a password manager.", "I use Moneta as a budget planner now."),
    ("I go to work by tram.", "I go to the lake by bike now."),
    ("I go to the office by tram.", "I went to the office by taxi today."),
    ("I shave with a Barnett razor.", "I brush my teeth with a Bright brush now."),
    ("I'm watching Harbour Lights.", "I'm reading The Long Tide now."),
    ("I am in team Platform.", "I am in class B now."),
    ("I moor the boat at berth 14.", "I moor the kayak at berth 31 now."),
    ("Tom wears size M.", "Tom wears size 42 shoes now."),
    ("Pavel plays for Spartak Lipno.", "Pavel's brother was transferred from Spartak Lipno to Dynamo Brod."),
    ("Pavel studies at Ghent.", "Pavel transferred the money to Utrecht."),
    ("I work nights.", "Tom switched from nights to days."),
    ("I'm studying law.", "My son switched from law to medicine."),
    ("I drink tea.", "I gave up tea for Lent."),
    ("I drink black tea with breakfast.", "I drink filter coffee with lunch now."),
    ("I have porridge for breakfast.", "I have soup for lunch now."),
    ("My agent is Max Perrin.", "Juliette signed with a new agent; her agent is Odile Garnier."),
    ("Juliette's agent is Max Perrin.", "Juliette met Ann; her agent is Odile Garnier."),
    ("Tom's best friend is Lotte.", "Freya and Tom fell out, her best friend is Amina now."),
    ("My usual order is pad thai.", "My wife's usual order is green curry now."),
    ("My wish list has a tent.", "My wish list has a stove now."),
    ("I visited Oslo.", "I visited Bergen now."),
    ("My curfew is 10 pm.", "My curfew on Fridays is 11 pm now."),
    ("The dog walker comes at 11.", "The gardener comes at 12:30 from now on."),
    ("The dog walker comes at 11.", "The dog walker came at 12:30 today."),
    ("My reading goal is 20 books.", "My running goal was raised to 30 km."),
    ("My blood pressure target is 140 over 90.", "My blood pressure was lowered to 130 over 85."),
    ("I start work at 8.", "I start school at 9 now."),
    ("Tom starts work at 8.", "Tom starts work at 9 on Fridays."),
    ("I take the bus to work.", "I take the train to Leeds now."),
    ("My flatmate is Jonas.", "Jonas got Yusuf as his flatmate."),
    ("My tutor is Camille.", "My maths tutor is no longer Camille, it is Rosalind."),
    ("My lessons are on Monday.", "One of my lessons has been moved to Friday."),
    ("My son's football coach is Dieter.", "My son's tennis coach has become Marco."),
]


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_what_is_not_updated_stays(first: str, second: str) -> None:
    assert _closed(first, second) == []
    assert _closed(second, first) == []


def test_an_update_acts_on_few_keys() -> None:
    """A row has room for some thirty keys."""
    for text in ("Ida has moved to Cardiff.", "Ida's bedtime is 8 now.", "Ida now works at the city archive."):
        assert len({(f.subject, f.relation) for f in GRAMMAR.extract([text])[0].facts}) <= 32, text


@pytest.mark.parametrize(
    "text", ["We use Terraform for the network.", "The team switched the build to Bazel.", "Note the port is 80."]
)
def test_what_is_no_matter_of_a_person_acts_on_nobodys_things(text: str) -> None:
    """A word that an update may have ("use") makes no plain sentence of one."""
    facts = GRAMMAR.extract([text])[0].facts
    assert not [f.subject for f in facts if f.narrative and {"phone", "mobile", "carrier"} & set(f.subject.split())]
