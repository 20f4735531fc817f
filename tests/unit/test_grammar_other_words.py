"""A new value told in other words than the old one: verb and noun, active and passive, office and act, head and row."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

QUANTITIES = [
    ("The seating capacity of the Elder hall is 90.", "The Elder hall seats 120."),
    ("The dormitory sleeps 24.", "The dormitory has beds for 30 guests."),
    ("The silo holds 40 tonnes of grain.", "The silo holds 55 tonnes of grain."),
    ("The cistern holds 900 litres.", "The capacity of the cistern is 1,200 litres."),
    ("Mount Brae rises 1,204 metres.", "The height of Mount Brae is 1,209 metres."),
    ("The canal is 12 km in length.", "The length of the canal is 14 km."),
    ("The estate covers 80 hectares.", "The area of the estate is 95 hectares."),
    ("The heater is rated at 2 kW.", "The heater's power rating is 3 kW."),
    ("The ramp bears up to 500 kg.", "The weight limit of the ramp is 800 kg."),
    ("The bond pays 3.5% interest.", "The interest rate on the bond is 2.75%."),
    ("The mill employs 60 people.", "The mill's workforce is 75."),
    ("Wine is taxed at 19%.", "The tax on wine is 21%."),
    ("The furnace operates at 900 degrees.", "The operating temperature of the furnace is 950 degrees."),
    ("The trail is 9 km.", "The trail is 11 km long."),
    ("The council of Aldby has seven members.", "Aldby has a nine-member council."),
    ("The mixer comes with a two-year guarantee.", "The guarantee on the mixer is three years."),
]
DOINGS = [
    ("Tuition at the Brill academy is 8,000 euros a year.", "The Brill academy charges 8,400 euros a year in tuition."),
    ("Admission to the fort costs 6 euros.", "The fort's admission fee is 7 euros."),
    ("A double room at the Heron costs 90 euros a night.", "The Heron charges 110 euros a night for a double room."),
    ("The rye dough rises for 90 minutes.", "The rising time of the rye dough is 60 minutes."),
    ("The Larch choir rehearses in the chapel.", "Rehearsals of the Larch choir are now held in the annex."),
    ("The clinic is at 4 Quay Road.", "The clinic is at 18 Mill Lane."),
    ("Entries close on 3 May.", "The deadline for entries is 17 May."),
    ("The abbey is closed on Mondays.", "The closing day of the abbey is Tuesday."),
    ("The notice period is four weeks.", "The notice is six weeks."),
    ("Opening hours of the kiosk: 9 to 17", "The kiosk is open from 8 to 16."),
]
DOERS = [
    ("Nils maintains the beacon library.", "The beacon library is maintained by Odile."),
    ("Our floors are cleaned by Marlow.", "Our floor cleaning is done by Sparkle."),
    ("Our leaflets are printed by Quire.", "We have our leaflets printed by Folio."),
    ("The carillon is tuned by Lars.", "It is Hanne's job to tune the carillon."),
    ("The finance team approves travel requests.", "Travel requests are approved by the audit board."),
    ("The release captain signs off on hotfixes.", "Hotfixes are approved by the change board."),
    ("The operator of the weir is Rivatec.", "The weir is operated by Hydral."),
    ("The band is led by Ana.", "The band is under the leadership of Piet."),
    ("The school bus is driven by Tom.", "Rita drives the school bus."),
    ("The manager of the depot is Kai.", "Lou manages the depot."),
    ("Nginx serves static files.", "Static files are served by Caddy."),
    ("Thumbnails are rendered by the media worker.", "The image worker renders thumbnails."),
]
OFFICES = [
    ("The treasurer of the chess club is Peter Nowak.", "The chess club has elected Ingrid Sahl as its treasurer."),
    ("The captain of the Larks is Ivy Brand.", "The Larks made Nora Finch captain."),
    ("The dean of law is Prof. Weiss.", "Prof. Okafor took over the role of dean of law."),
    ("The lead engineer on the mast is Sam Oda.", "Sam Oda handed the lead engineer role on the mast to Lena Voss."),
    ("The secretary of the rowing club is Ada Lund.", "Finn Moe serves as secretary of the rowing club."),
    ("The mayor of Aldby is Hedwig Sauer.", "Aldby's new mayor is Kurt Reus, who took over from Hedwig Sauer."),
    ("Orrin Foods is based in Bern.", "Orrin Foods relocated its head office to Lugano."),
    ("Our catering partner is Gusto.", "We switched catering partners from Gusto to Forka."),
]  # fmt: skip
POINTERS = [
    ("The ledger is in room 2.", "You will find the ledger in room 5."),
    ("The clinic's phone number is 01632 960111.", "To reach the clinic, call 01632 960222."),
    ("For PDF rendering we rely on Inkwell.", "We use Pressa for PDF rendering."),
    ("| Room | Capacity |\n|---|---|\n| Juniper | 8 |", "The capacity of the Juniper room is 12."),
    ("The app launches on 3 May.", "The launch date of the app is 5 May."),
    ("Holm lies 40 km from Rask.", "The distance from Holm to Rask is 42 km."),
    ("The fair is held on 3 May.", "The date of the fair is 5 May."),
    ("Check-in is at 15:00.", "The check-in time is 14:00."),
    ("The drone weighs 900 g.", "The weight of the drone is 1.1 kg."),
    ("The drone's battery lasts 30 minutes.", "The battery life of the drone is 38 minutes."),
    ("Trains to Holm leave from platform 2.", "The departure platform for trains to Holm is 5."),
    ("| Country | Currency |\n|---|---|\n| Sundra | dinar |", "The currency of Sundra is the euro."),
]


@pytest.mark.parametrize(("first", "second"), QUANTITIES + DOINGS + DOERS + OFFICES + POINTERS)
def test_a_new_value_in_other_words_takes_the_place_of_the_old(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


CHANGES = [
    ("The office orders coffee from Brunello.", "The office switched to ordering coffee from Caffa."),
    ("The list sorts names by surname.", "The list has switched to sorting names by age."),
    ("The Wren choir is conducted by Ann Lee.", "Bo Lund took over the Wren choir from Ann Lee."),
    ("The payroll is handled by Moneta.", "Payroll moved from Moneta to Paywise."),
    ("The Aldby library is run by the county.", "The county handed the Aldby library over to the town."),
    ("The Larks are coached by Dan Holt.", "The Larks replaced coach Dan Holt with Mia Penn."),
    ("The capacity of the hall is 180.", "The hall's seating capacity went from 180 to 220."),
    ("Parking at the dock costs 3 euros an hour.", "The parking fee at the dock went from 3 to 4 euros an hour."),
]
LINES = [
    ("The Linden hall seats 180.", "Capacity of the Linden hall: 220"),
    ("Ann Lee conducts the Larch choir.", "Conductor of the Larch choir: Bo Lund"),
    ("Nina teaches the pottery class.", "Teacher of the pottery class: Oskar"),
    ("Gus is responsible for the greenhouse.", "Person responsible for the greenhouse: Ida"),
    ("The Kite drone weighs 900 g.", "Weight of the Kite drone: 1.1 kg"),
    ("The tram fare is 2 euros.", "Fare for the tram: 2.50 euros"),
    ("The Seriema router reboots at 03:00.", "Reboot time of the Seriema router: 05:30"),
]


@pytest.mark.parametrize(("first", "second"), CHANGES + LINES)
def test_a_change_and_a_line_do_so_too(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


KEPT = [
    # another attribute, another kind of thing, another part
    ("The ferry carries 900 passengers.", "The ferry carries 300 cars."),
    ("The hall seats 180.", "The hall's standing capacity is 400."),
    ("The upper hall seats 80.", "The hall's capacity is 180."),
    ("The pool's capacity is 20.", "The pool's maximum capacity is 50."),
    ("The boat carries 8 adults.", "The boat carries 12 children."),
    ("The mill employs 40 people.", "The mill employs 200 people in Leeds."),
    ("The lamp draws 12 W in standby.", "The lamp draws 40 W."),
    ("The pump is rated at 400 watts.", "The pump's output is 320 watts."),
    ("The crane lifts 40 tonnes.", "The crane weighs 60 tonnes."),
    ("The vaccine is stored at 4 °C.", "The vaccine is shipped at 8 °C."),
    ("The tower is 80 metres high.", "The tower is 12 metres in width."),
    ("The account earns 2% interest.", "The overdraft rate on the account is 9%."),
    ("Members get 10% off.", "Students get 15% off."),
    ("The room holds 12 people.", "The room has 12 desks."),
    ("The trust has an eleven-member board.", "The trust has a five-member panel."),
    ("Osprey runs Redis 7.2.", "Kestrel runs Redis 7.2."),
    ("The shop has a 55-inch television.", "The shop has a 65-inch television."),
    ("The drill comes with a two-year guarantee.", "The battery comes with a one-year guarantee."),
    ("The bridge spans 410 metres.", "The bridge is 30 metres wide."),
    ("The hall should seat 180.", "The hall seats 150."),
    ("The hall can be made to seat 180.", "The hall seats 150."),
    ("The hall used to seat 180.", "The hall seats 150."),
    # of several prices, times and steps
    ("The plumber charges 60 euros an hour.", "The plumber charges 90 euros for a call-out."),
    ("The inn charges 70 euros for a single room.", "The inn charges 95 euros for a double room."),
    ("Admission to the zoo costs 12 euros.", "Parking at the zoo costs 4 euros."),
    ("The zoo's admission fee is 12 euros.", "The zoo's admission fee for children is 6 euros."),
    ("The dough rises for 60 minutes.", "The dough rests for 20 minutes."),
    ("The dough rises for 60 minutes at room temperature.", "The dough rises for 12 hours in the fridge."),
    ("Entries for juniors close on 3 May.", "Entries for adults close on 10 May."),
    ("Abstracts must be submitted by 10 March.", "Full papers must be submitted by 10 April."),
    ("Lidora is at 3 Mill Brae.", "Lidora is at 29 Station Road."),
    ("Rehearsals of the choir are held in the chapel.", "Rehearsals of the choir are held on Mondays."),
    ("The abbey is closed on Mondays.", "The abbey shop is closed on Tuesdays."),
    ("The museum is open from 10 to 17.", "The museum café is open from 9 to 18."),
    ("The trial runs for 30 days.", "The trial starts in 10 days."),
    # others may do it as well, or something else
    ("Farid reviews the billing code.", "Farah reviews the billing code."),
    ("Arla supplies the school.", "Dale supplies the school."),
    ("Tellwave sponsors the arena.", "Nordbank sponsors the arena."),
    ("Ann leads the team with Bob.", "Carl leads the team."),
    ("Ann runs the workshop on Mondays.", "Bob runs the workshop on Fridays."),
    ("The park is maintained by Ann and Bob.", "The park is maintained by Carl."),
    ("Ann is one of the maintainers of libquartz.", "Bob maintains libquartz."),
    ("Kim coaches the juniors.", "Lee coaches the juniors."),
    ("The west wing is cleaned by Marlow.", "The building is cleaned by Sparkle."),
    ("Cars are built by Ford.", "Cars are built by Toyota."),
    ("Marlow delivers the bread.", "Marlow delivers the milk."),
    ("The library was maintained by Ann until 2020.", "The library is maintained by Bob."),
    ("Bob will maintain the library.", "The library is maintained by Ann."),
    ("The invoices are printed by Friday.", "The invoices are printed by Quire."),
    ("Tom teaches the children.", "Tina teaches the children."),
    ("The tax office checks the accounts.", "The audit team checks the accounts."),
    ("The office orders coffee from Brunello.", "The office orders tea from Caffa."),
    ("Ann drives the bus to Elst.", "Ben drives the bus to Holm."),
    # another office, another body, one of many, not yet, no longer
    ("The treasurer of the club is Peter Nowak.", "The club has elected Ingrid Sahl as deputy treasurer."),
    ("The coach of the Larks is Dan Holt.", "The Larks hired Mia Penn as assistant coach."),
    ("The engineer of the firm is Ann Lee.", "The firm hired Bo Lund as an engineer."),
    ("The captain of the Larks is Ivy Brand.", "The Larks juniors made Nora Finch captain."),
    ("The dean of law is Prof. Weiss.", "Prof. Okafor was appointed dean of medicine."),
    ("The chair of the trust is Ann Lee.", "The trust nearly elected Bo Lund as chair."),
    ("The chair of the trust is Ann Lee.", "The trust will elect Bo Lund as chair."),
    ("The mayor of Aldby is Ann Lee.", "Bo Lund serves as mayor of Holm."),
    ("The project manager is Kim Alder.", "Lou Brandt manages the budget of the project."),
    ("We switched three servers to Linux.", "We switched two servers to Windows."),
    ("Orrin Foods is based in Bern.", "Orrin Foods moved its bakery to Lugano."),
    ("The payroll is handled by Moneta.", "Payroll moved from Lohnex to Paywise."),
    ("The office orders coffee from Brunello.", "The office switched to ordering tea from Caffa."),
    ("The Wren choir is conducted by Ann Lee.", "Bo Lund took over the Wren choir's library from Ann Lee."),
    ("The Larks are coached by Dan Holt.", "The Larks replaced assistant coach Pim Roe with Mia Penn."),
    ("The tram fare is 2 euros.", "The bus fare is 3 euros."),
    ("The late fee is 5 euros.", "The list price is 9 euros."),
    ("The router reboots at 03:00.", "The backup time of the router is 04:00."),
    ("Gus is responsible for the greenhouse.", "Person responsible for the greenhouse's watering: Ida"),
    ("The lift carries 8 people.", "Minimum number of people in the lift: 2"),
    ("The director of the firm is Bo Lund.", "The firm appointed Ann Lee director."),
    ("The conference is held in Lisbon.", "The venue of the conference is the Rosa Hall."),
    ("The clinic is at 4 Quay Road.", "The clinic is located in Leeds."),
    ("A coffee costs 3 euros.", "A coffee costs 5 euros."),
    ("The app launches on 3 May.", "The app launches in Japan on 10 May."),
    ("Holm is 40 km from Rask.", "Holm is 45 km from Rask by rail."),
    ("Clara pays the nanny 15 euros an hour.", "Clara pays the nanny 90 euros for the trip."),
    ("The distance from Holm to Rask is 40 km.", "The distance from Rask to Vik is 12 km."),
    ("Lunch is served at 12:30.", "Dinner is served at 19:00."),
    ("The fair falls on 3 May.", "The parade falls on 4 May."),
    ("The opening date of the fair is 3 May.", "The closing date of the fair is 9 May."),
    ("The kick-off time of the match is 16:00.", "The gates of the ground open at 14:30."),
    ("Nginx serves static files.", "Caddy serves API requests."),
    ("Kim serves the guests.", "Lee serves the guests."),
    ("Gusto caters the canteen.", "Gusto caters the wedding."),
    ("The weight of the drone is 900 g.", "The weight of the drone's battery is 200 g."),
    ("The departure platform for trains to Holm is 3.", "The arrival platform for trains from Holm is 5."),
    # other things in the same place, other tasks, other kinds of address
    ("You will find the towels in the cupboard.", "You will find the sheets in the drawer."),
    ("The clinic can be reached on 01632 960111.", "The clinic can be reached at help@clinic.example."),
    ("We use Inkwell for PDF rendering.", "We use Pressa for HTML rendering."),
    ("For testing we use Probar.", "For testing we use Checka."),
    ("We use Redis for the billing service.", "We use Postgres for the billing service."),
    ("In 2019 the club elected Ann Lee as treasurer.", "The treasurer of the club is Bo Lund."),
    ("| Team | Score |\n|---|---|\n| Larks | 8 |", "The score of the Larks team is 9."),
]


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_what_may_both_be_true_is_kept(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    ("first", "second"), [(second, first) for first, second in KEPT if not first.startswith("The project manager")]
)
def test_also_in_the_other_order(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    "text",
    ["The Elder hall seats 120.", "We use Pressa for PDF rendering.", "Our leaflets are printed by Quire.",
     "The rye dough rises for 90 minutes.", "You will find the ledger in room 5."],
)  # fmt: skip
def test_a_value_is_a_span_of_its_text(text: str) -> None:
    for fact in GRAMMAR.extract([text])[0].facts:
        assert fact.object is not None
        assert fact.object in text
