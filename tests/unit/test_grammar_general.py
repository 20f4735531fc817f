"""Statements of shops, schools, clubs and households: prices, places, numbers, offices, and lines of notice boards."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

PRICES = [
    ("A shampoo at Noor's costs 9 euros.", "Noor's charges 11 euros for a shampoo."),
    ("The riding lessons at the Byre cost £32.", "The fee for riding lessons at the Byre is £36."),
    ("Cocoa at the pier kiosk is £2.20 a cup.", "The price of cocoa at the pier kiosk is £2.60 a cup."),
    ("The late return fee at the toolshed is 40p a day.", "The toolshed charges 60p a day for late returns."),
    ("The mooring at Quay Nine costs $80 per month.", "We now pay $95 per month for the mooring at Quay Nine."),
    ("The Hollis Room costs £30 an hour.", "The hourly rate of the Hollis Room is now £35."),
    ("It costs €20 to park at the Alder meadow.", "It costs €25 to park at the Alder meadow."),
    ("Huts at the Fell lodge start at £60 a night.", "The starting price for a hut at the Fell lodge is £70 a night."),
    ("At the Dunmore garage, a wheel change costs €40.", "At the Dunmore garage, a wheel change costs €55."),
    ("The Orrin prize is worth $2,000.", "The value of the Orrin prize is $2,500."),
    ("Printouts at the Wray library cost 10p a page.", "Printouts at the Wray library cost 12p a page."),
    ("Diesel price at the Elm Road station: 1.659 €/l", "Diesel price at the Elm Road station: 1.719 €/l"),
    ("Annual fee, Corbie chess club: €40", "The Corbie chess club charges an annual fee of €45."),
    ("The asking price of Larch Cottage is £310,000.", "The asking price of Larch Cottage is £295,000."),
    ("The library fine is one euro per week.", "The library fine is two euros per week."),
    ("The Orme Hall can be hired for €120 a day.", "Hiring the Orme Hall costs €140 a day."),
    ("The rent of the Orme Hall is €120 a day.", "The Orme Hall is rented out for €140 a day."),
    ("The Quay car park charges €2 an hour.", "Parking in the Quay car park is €2.50 an hour."),
]
NUMBERS = [
    ("The Merle boathouse has eleven canoes.", "The Merle boathouse has fourteen canoes."),
    ("The Kerse depot employs 20 fitters.", "26 fitters are employed at the Kerse depot."),
    ("The yoga loft holds 12 mats.", "There's space for 15 mats in the yoga loft now."),
    ("The bothy in Glen Orran sleeps 6.", "Up to 8 people can sleep in the bothy in Glen Orran."),
    ("The number of seats on the Dalby town council is 9.", "The Dalby town council has 11 seats."),
    ("Seats in the Thorn pub's garden: 60", "Seats in the Thorn pub's garden: 75"),
    ("The Leeds showroom employs 9 people.", "The Leeds showroom's headcount is 12 people."),
    ("The ballet at the Lyric runs two hours.", "The ballet at the Lyric runs two and a half hours."),
    ("The floor area of the Mill Lane studio is 80 m².", "The floor area of the Mill Lane studio is 95 m²."),
    ("Max. party size for the ghost walk: 12", "The maximum party size for the ghost walk is 10."),
    ("The tennis club has 210 members.", "Membership of the tennis club stands at 230."),
    ("The choir has 40 singers.", "The choir is 45 singers strong."),
    ("The bus from Holt to Wray takes 25 minutes.", "The journey time of the bus from Holt to Wray is 30 minutes."),
    ("The waiting list of the Fern nursery has 23 children.", "The waiting list of the Fern nursery has 19 children."),
]
PLACES_AND_TIMES = [
    ("The knitting circle takes place in room 4.", "The knitting circle takes place in room 7."),
    ("The pony show takes place on Alder Field.", "The pony show takes place on Mill Common."),
    ("The harvest concert is held in the chapel.", "The venue of the harvest concert is now the town hall."),
    ("Forms for a boat licence go to counter 3.", "Forms for a boat licence go to counter 8."),
    ("The help desk at the fair is in foyer B.", "The help desk at the fair is in foyer C."),
    ("The pub quiz begins at 8.30 pm.", "The pub quiz begins at 9 pm."),
    ("The museum of clocks closes at 17:00 in winter.", "In winter, closing time at the museum of clocks is 16:30."),
    ("The Corran bakery opens at 7:00.", "The Corran bakery now opens its doors at 8:00."),
    ("The board of the planning office meets on Tuesdays.", "The board of the planning office meets on Fridays."),
    ("The engagement party of Ida and Sven is on 6 June.", "The engagement party of Ida and Sven is on 13 June."),
    ("The Alder house has a curfew of 23:00.", "Curfew in the Alder house is at 22:30."),
    ("Lunch in the block C canteen is served from 11:45.", "The canteen in block C serves lunch from 11:30."),
    ("The Rovers' home ground is Mill Park.", "The Rovers play their home games at Fell Field."),
    ("The waste on Mill Road is collected on Tuesday.", "Collection day for the waste on Mill Road is now Friday."),
]
OFFICES = [
    ("The vicar of Nether Wick is Rev. Joan Ashby.", "The vicar of Nether Wick is Rev. Alan Moss."),
    ("The auditor of the Alder trust is Grove & Oakes.", "The auditor of the Alder trust is Hartnell LLP."),
    ("Caretaker: Uwe Brandt (Block C)", "Caretaker: Sam Opoku (Block C)"),
    ("The night porter on ward 5 is Sister Ada.", "Brother Anselm is now the night porter on ward 5."),
    ("The tallest tower in Orrest is the Meridian.", "The Pinnacle is now the tallest tower in Orrest."),
    ("The quarterly survey is carried out by Fenn & Rowe.", "Alder Audit now carries out the quarterly survey."),
    ("Room 12 is currently assigned to the chess club.", "Room 12 is currently assigned to the film club."),
    ("My son's form teacher is Mrs. Platt.", "My son's form teacher is Mr. Lauder."),
    ("The dress code at the Anchor ball is black tie.", "The dress code at the Anchor ball is smart casual."),
    ("The best-selling cone at Gelato Uno is pistachio.", "The best-selling cone at Gelato Uno is salted caramel."),
    ("New gate code for the yard at Fell End: 2718", "New gate code for the yard at Fell End: 3141"),
    ("The Duchy of Orm's capital is Castle Bay.", "The capital of the Duchy of Orm is Mirefort."),
    (
        "The head teacher of Mead is Ida Platt.",
        "Ida Platt has been succeeded as head teacher of Mead by Bo Lee.",
    ),
    ("The treasurer of the choir is Ida Platt.", "Ida Platt handed over as treasurer of the choir to Tom Reed."),
    ("The hall porter's pager number is 218.", "The hall porter's pager number is 244."),
]


@pytest.mark.parametrize(("first", "second"), [*PRICES, *NUMBERS, *PLACES_AND_TIMES, *OFFICES])
def test_a_new_value_retires_the_old_one(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


KEPT = [
    ("Noor's charges 11 euros for a shampoo.", "Noor's charges 30 euros for a cut."),
    ("We pay $95 per month for the mooring.", "We pay $20 per month for the locker."),
    ("We paid £40 for lunch at the Hart.", "We pay £12 for lunch at the Hart."),
    ("It costs €20 to park in zone A.", "It costs €25 to park in zone B."),
    ("The cost price of the lamp is £5.", "The price of the lamp is £9."),
    ("The full fee for the course is £90.", "The reduced fee for the course is £60."),
    ("The fee for adults at the fort is £9.", "The fee for children at the fort is £4."),
    ("The deposit for the hall is £100.", "The fee for the hall is £60."),
    ("The rent of the flat is £900.", "The service charge of the flat is £80."),
    ("Cabins at the lodge start at £60 a night.", "Cabins at the lodge cost £90 a night."),
    ("The hourly rate of the Hollis Room is £35.", "The daily rate of the Hollis Room is £200."),
    ("The hourly rate of the pump is 40 litres.", "The pump costs £40 an hour."),
    ("The insured value of the ring is £900.", "The market value of the ring is £700."),
    ("The stamps cost 50p.", "The cards cost £1."),
    ("A coffee costs 3 euros.", "A coffee costs 4 euros."),
    ("At the garage, an oil change costs €40.", "At the dealer, an oil change costs €90."),
    ("The box contains 12 eggs.", "The box contains 3 oranges."),
    ("The club has 13 seats on the coach.", "The club has 4 seats on the minibus."),
    ("Seats in the stalls: 110", "Seats in the circle: 80"),
    ("There's room for 20 cars in the barn.", "There's room for 5 bikes in the barn."),
    ("Up to 8 people can sleep in the hut.", "Up to 4 people can sleep in the van."),
    ("26 fitters are employed at the depot.", "12 drivers are employed at the depot."),
    ("Letters go to counter 2.", "Parcels go to counter 4."),
    ("The tram goes to platform 2.", "The tram departs from platform 4."),
    ("The concert is held in the church.", "The concert is held in June."),
    ("The concert takes place in the park.", "The concert takes place at dusk."),
    ("The class is held in French.", "The class is held in the annex."),
    ("The hearing takes place in private.", "The hearing takes place in the town hall."),
    ("The party of Ida and Sven is on 6 June.", "The party of Ida and Tom is on 9 June."),
    ("The owner of the barn is Ida & Sven.", "The owner of the barn is Tom & Sven."),
    ("The planning meeting of the board is on Tuesday.", "The meeting of the board is on Friday."),
    ("Caretaker: Uwe Brandt (Block C)", "Caretaker: Sam Opoku (Block D)"),
    ("Speaker: Ida Platt (opening)", "Speaker: Sam Opoku (closing)"),
    ("Venue: Town Hall (Hull)", "Venue: Corn Exchange (Leeds)"),
    ("Winner: Ida Platt (2022)", "Winner: Sam Opoku (2023)"),
    ("The Pinnacle is the tallest tower in Ulm.", "The Spire is the oldest tower in Ulm."),
    ("The tallest tower in Ulm is the Spire.", "The tallest tower in Ulm is closed."),
    ("The best-selling cone in May is lemon.", "The best-selling cone in June is mango."),
    ("The best-selling book at Hatch's is Dune.", "The best-selling book at Hatch's is sold out."),
    ("The dress code at the ball is strict.", "The dress code at the ball is black tie."),
    ("The soup of the day at Lind's is leek.", "The soup of the day at Lind's is vegan."),
    ("The soup of the day at Lind's is leek.", "The soup of the week at Lind's is pumpkin."),
    ("My piano teacher is Ida Platt.", "My violin teacher is Sam Opoku."),
    ("My piano teacher is Ida Platt.", "My piano teacher is strict."),
    ("The drinks are paid for by Ida.", "The drinks are paid for by Sam."),
    ("The café gets its milk from Alder farm.", "The café gets its bread from Mill bakery."),
    ("Delivery of milk is on Monday.", "Delivery of bread is on Tuesday."),
    ("New members of the club: 12", "New members of the choir: 14"),
    ("The hotline of the bank is 0800 555 0132.", "The fax of the bank is 0800 555 0198."),
    ("The capital of the Duchy of Orm is Mirefort.", "The Duchy of Elm's capital is Castle Bay."),
    ("The current limit of the charger is 5 A.", "The time limit of the charger is 5 hours."),
    ("The queue is down to 16 people.", "The queue was down to 9 people on Monday."),
    ("We might charge 11 euros for a shampoo.", "We charge 9 euros for a shampoo."),
    ("The choir rehearses on Mondays in spring.", "The choir rehearses on Fridays in winter."),
    ("The floor area of the studio is 80 m².", "The garden area of the studio is 20 m²."),
    ("Hiring the Orme Hall costs €140 a day.", "Hiring the Alder Hall costs €90 a day."),
    ("The rent of the barn is €900.", "The price of the barn is €90,000."),
    ("Parking at the hospital costs €2 an hour.", "The hospital costs €2 million."),
    ("The tennis club has 210 members.", "The tennis club has 40 junior members."),
    ("The canteen serves lunch from 11:30.", "The canteen serves supper from 17:30."),
    ("The bus from Holt to Wray takes 25 minutes.", "The bus from Wray to Fell takes 40 minutes."),
    ("The Rovers play their home games at Mill Park.", "The Rovers play their cup games at Fell Field."),
    ("The treasurer of the choir is Ida Platt.", "Ida Platt handed over as secretary of the choir to Tom Reed."),
    ("Journey time: 40 minutes", "Flight time: 2 hours"),
    ("The crossing time of the ferry is 40 minutes.", "The waiting time of the ferry is 20 minutes."),
    ("The current holder of the cup is Ida Platt.", "The first holder of the cup is Tom Reed."),
    ("As chair of the choir, Ida Platt has been replaced by Tom Reed.", "The chair of the board is Ida Platt."),
    ("Guest of honour at the supper: Ida Platt", "Guest of honour at the gala: Sam Opoku"),
]


@pytest.mark.parametrize(("first", "second"), [*KEPT, *((second, first) for first, second in KEPT)])
def test_what_may_both_be_true_is_kept(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    "text",
    ["The ballet at the Lyric runs two and a half hours.", "Noor's charges 11 euros for a shampoo.",
     "The Pinnacle is now the tallest tower in Orrest.", "26 fitters are employed at the Kerse depot.",
     "In winter, closing time at the museum of clocks is 16:30."],
)  # fmt: skip
def test_a_value_is_a_span_of_its_text(text: str) -> None:
    [extraction] = GRAMMAR.extract([text])
    assert extraction.facts
    for fact in extraction.facts:
        assert fact.object is not None
        assert fact.object in text
