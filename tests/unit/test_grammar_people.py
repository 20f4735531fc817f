"""What people tell of themselves: what takes the place of what they told before, and what stands beside it.

Each line is a pair: what was told, and what is told later.
"""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

UPDATES = """
The wedding is at St Olave's Church. | The church flooded, so the wedding is at the town hall now.
Tickets for the show are 28 euros. | Tickets for the show have gone up to 32 euros.
Dad's birthday dinner is at Luigi's. | Change of plan: Dad's birthday dinner is at the Thai Orchid.
I have a subscription to The Economist. | I cancelled my subscription to The Economist.
I take the 8:05 train to work. | Since the new timetable I take the 8:20 train to work.
My default browser is Chrome. | I made Firefox my default browser.
Our weekly sync is on Tuesdays at 2pm. | The weekly sync moved to Thursdays at 2pm.
My desk is on the third floor. | They moved my desk to the sixth floor.
My email is dana.k@oldmail.com. | Please use dana@newmail.org from now on, that's my email now.
Oskar's favourite band is Wilco. | Lately Oskar's favourite band is Big Thief.
I'm on the Basic plan at Spotify. | I upgraded from the Basic plan to the Premium plan at Spotify.
My laptop is a ThinkPad X1. | I replaced my laptop with a MacBook Air.
The cleaner comes on Thursdays. | From this week the cleaner comes on Fridays.
Grandma's room at the care home is number 12. | They moved Grandma to room 21 at the care home.
My locker is number 47. | I was given a different locker, number 112.
The deadline for the grant application is 3 May. | They extended the deadline for the grant application to 17 May.
My therapist is Carla Jensen. | Carla went on leave, I'm seeing Ruth Adler as my therapist now.
My Wi-Fi password is bluebird77. | I've changed the Wi-Fi password to greenfinch12.
I'm staying at the Hotel Adria in Split. | The Adria was overbooked so I'm staying at the Hotel Park in Split.
My phone contract is with O2. | I ported my number, my phone contract is with Giffgaff now.
Our broadband is with BT. | We switched our broadband from BT to Hyperoptic.
The car I drive is a Skoda Octavia. | I traded the Skoda in; the car I drive now is a Kia EV6.
Our internet speed is 100 Mbps. | Since last night's upgrade our internet speed is 500 Mbps.
My husband works at Siemens. | My husband has left Siemens and works at Bosch now.
Our car insurance is with Allianz. | We've moved our car insurance over to AXA.
Jonas weighs 82 kg. | Jonas is down to 78 kg.
Bins go out on Tuesday night. | The council changed it: bins go out on Sunday night.
The thermostat is set to 19 degrees. | I turned the thermostat up to 21 degrees.
I'm in room 304. | Reception has put me in room 518.
My piano teacher is Sofia. | Sofia moved away, and my piano teacher is Henrik now.
I get up at 6:30. | I've started getting up at 5:45.
My usual order at Costa is a flat white. | My usual order at Costa is a cortado these days.
Ship my orders to 22 Elm Court. | Ship my orders to 9 Beech Road from now on.
The piano lesson is on Monday at 4. | We rescheduled the piano lesson to Wednesday at 5.
My GP is Dr. Patel. | Dr. Patel retired, so my GP is Dr. Okonkwo now.
I report to Gustavo. | I report to Mei-Ling since Monday.
My partner's name is Alex Reyes. | We got married, my partner's name is Alex Moreno now.
I'm a data analyst at Spotify. | I got promoted, I'm now a senior data scientist at Spotify.
My pronouns are she/her. | My pronouns are they/them now.
My watch is a Garmin Fenix 6. | My Fenix died; my watch is now a Coros Pace 3.
My go-to restaurant is Noodle Bar. | I've got a new go-to restaurant: Casa Pepe.
The spare key is under the blue pot. | The spare key is with Mrs. Nolan next door now.
We live on the second floor. | We moved upstairs, we live on the fourth floor now.
Lotte is a midwife at St Thomas'. | Lotte is a ward sister at St Thomas' these days.
My manager's name is Oliver Tran. | My manager's name is Priti Shah since the reorg.
Text me on 0171 555 0199. | My number has changed, text me on 0171 555 0233.
My favourite pizza topping is anchovies. | I've gone off anchovies, my favourite pizza topping is artichokes now.
The film I love most is Alien. | The film I love most is Arrival now.
Yoga is on Mondays at 18:30. | Yoga has moved to Wednesdays at 19:00.
Netflix costs us 12.99 a month. | Netflix now costs us 15.49 a month.
Our electricity comes from E.ON. | Our electricity comes from Octopus now.
The family car is a Volvo V60. | We sold the Volvo and the family car is a Hyundai Ioniq 5.
The hamster's bedding is sawdust. | The hamster's bedding is hemp now.
I go to bed at 11. | I go to bed at 10 these days.
The essay is due Friday at noon. | Extension granted: the essay is due Monday at noon.
We fly to Porto on the 12th. | They cancelled our flight, we fly to Porto on the 14th.
Our hotel in Porto is the Infante Sagres. | We changed hotels: our hotel in Porto is the Vincci.
My seat on the train is 42A. | I swapped seats, my seat on the train is 17C.
The groceries come on Saturday morning. | The groceries come on Sunday evening now.
I'm the secretary of the rowing club. | I stepped down as secretary of the rowing club.
Dilys chairs the parish council. | Dilys no longer chairs the parish council.
I'm subscribed to Wired. | I unsubscribed from Wired.
I have an account at Nationwide. | I closed my account at Nationwide.
I'm learning the cello with Mr. Ward. | I'm learning the cello with Ms. Yun now.
My guitar teacher charges 30 an hour. | My guitar teacher charges 35 an hour now.
I take vitamin D in the morning. | I take vitamin D in the evening now.
My inhaler is Ventolin. | They put me on Symbicort, so my inhaler is Symbicort now.
My blood pressure is 140 over 90. | My blood pressure is 125 over 80 now.
My shoe size is 41. | My shoe size is 42 since the pregnancy.
Mum's carer is called Blessing. | Mum's carer is called Tomoko now, Blessing went back home.
My roommate is Kofi. | Kofi moved out; my roommate is Dmitri.
Pia's boyfriend is Lars. | Pia's boyfriend is Anders now.
My best friend is Nora. | My best friend is Jin now.
My keyboard layout is QWERTZ. | I switched my keyboard layout to Colemak.
Address me as Professor Lindt. | You can address me as Annika from now on.
I prefer metric units. | I prefer imperial units now.
The password for the guest network is sunflower. | The password for the guest network has been changed to marigold.
The padlock code is 5520. | I changed the padlock code to 8814.
Our Airbnb check-in is at 4 pm. | The host moved our Airbnb check-in to 6 pm.
The dishwasher repair is booked for Monday at 10. | The dishwasher repair is booked for Wednesday at 2 now.
My budget for the bike is 800 euros. | I've upped my budget for the bike to 1,000 euros.
My daily step goal is 8,000. | My daily step goal is 10,000 now.
We're saving 300 a month for the house. | We're saving 450 a month for the house now.
I owe Marek 50 euros. | I paid some back, I owe Marek 20 euros now.
My profile picture is a sunset. | My profile picture is a cat now.
My desktop background is a forest. | I set my desktop background to a beach.
I host my blog on WordPress. | I've migrated my blog to Ghost.
Jun's Instagram handle is @jun.paints. | Jun changed her Instagram handle to @junpaintings.
The treasurer of our HOA is Phil. | Phil resigned and the treasurer of our HOA is Wanda.
My commute takes 40 minutes. | With the new tram my commute takes 25 minutes.
The nearest supermarket is Lidl. | A new one opened, so the nearest supermarket is Aldi.
I sit in row 12. | I've been moved to row 4.
My barber is Enzo on Mill Lane. | Enzo shut up shop; my barber is Paolo on Quay Street.
Our cleaner charges 15 euros an hour. | Our cleaner charges 17 euros an hour as of May.
I keep my bike in the cellar. | I keep my bike in the garden shed these days.
My aunt Ilse lives in Graz. | My aunt Ilse lives in Linz now, close to her grandkids.
I'm on the night shift. | I've been moved to the day shift.
The kids' bedtime is 8 pm. | The kids' bedtime is 8:30 pm since the clocks changed.
I'm reading Dune. | I finished Dune and now I'm reading Hyperion.
My password hint is "first pet". | My password hint is "old street".
Henning's cello teacher is Frau Abt. | Henning has a new cello teacher, Herr Lutz.
I always sit at table 5 at the Anchor. | I always sit at table 9 at the Anchor now.
I weigh myself on Mondays. | I weigh myself on Fridays now.
The code to the garage is 8812. | We had to reset the garage: the code to it is 3301.
Maja's school bus leaves at 7:20. | Maja's school bus leaves at 7:05 with the new timetable.
I get paid on the 25th. | I get paid on the 28th from this month on.
My ringtone is Marimba. | I switched my ringtone to Chimes.
My favorite place for ramen is Ippudo. | My favorite place for ramen is Kanada-Ya these days.
Granny's hearing-aid batteries are size 13. | Granny's hearing-aid batteries are size 10 now.
My go-to airline is KLM. | My go-to airline is SAS nowadays.
The Wi-Fi at the cabin is called Fjell. | The Wi-Fi at the cabin is called Skog now.
I train at PureGym. | I left PureGym and train at Third Space.
Milo's nursery fee is 480 a month. | Milo's nursery fee rose to 520 a month.
Our anniversary dinner is at Noma. | I rebooked our anniversary dinner: it's at Geranium.
My mentor at work is Ravi. | Ravi has left, my mentor at work is Ilona.
I take my tea with two sugars. | I take my tea with one sugar now.
Call my mother on 555-0102. | My mother has switched phones, call her on 555-0177.
I volunteer at the food bank on Saturdays. | I volunteer at the food bank on Wednesdays now.
My wake-up alarm is at 6:10. | Move my wake-up alarm to 6:40.
My delivery address is 8 Birch Close. | Change my delivery address to 31 Fern Road.
I have dinner at 7. | We eat later these days, I have dinner at 8.
The dog's name is Bruno. | We renamed the dog, he's called Bolt now.
My library card number is 20041. | I lost my card, my library card number is 20577 now.
I use Duolingo for Spanish. | I use Babbel for Spanish now.
My physio exercises are due at 9 am. | My physio exercises are due at 8 am now.
Our plumber is Mr. Novak. | Our plumber is Mr. Kolar, Mr. Novak has retired.
Our babysitter charges 12 euros an hour. | Prices went up, our babysitter charges 14 euros an hour.
My son's football practice is on Tuesdays at 17:00. | My son's football practice got moved to Wednesdays at 17:30.
The name of my accountant is Rolf Weber. | I've got a new accountant now, her name is Sina Kurz.
Ruth's retirement home is Maple Grange. | Ruth has moved homes, her retirement home is Elm Court.
The gym I go to is FitBox. | The gym I go to is Ironworks these days.
I pay Klara 200 euros for the room. | I pay Klara 250 euros for the room as of this month.
We get our bread from Hofbäcker. | We get our bread from Brotgarten now.
My night-time medication is melatonin. | My night-time medication is trazodone as of last week.
Papa's cardiologist is Dr. Sommer. | Papa's cardiologist is Dr. Winter now that Dr. Sommer has retired.
The title of my thesis is "Tides". | I changed the title of my thesis to "Currents".
The car is parked on level 2. | I re-parked, the car is parked on level 5.
I have a meeting with Omar at 3. | Omar pushed our meeting, I have a meeting with Omar at 4 now.
Marta is engaged to Piet. | Marta broke up with Piet, she's engaged to Jonas now.
My tax adviser is Kohl & Partner. | My tax adviser is Brandt & Co. from this year on.
My running shoes are Asics. | My running shoes are Hokas now.
The vet Bella sees is Dr. Ames. | The vet Bella sees is Dr. Novak now.
My travel card is zone 1-3. | I upgraded my travel card to zone 1-5.
Henk's nickname is Duke. | Henk's nickname is Count now.
I'm in the alto section of the choir. | The conductor moved me, I'm in the soprano section of the choir now.
Our wedding photographer is Lidia Cruz. | We found someone better: our wedding photographer is Tove Berg.
My commute is by bike. | My commute is by train now.
Jo's laptop runs Windows 10. | Jo's laptop runs Windows 11 now.
My landline is 030 555 0101. | My landline is 030 555 0177 after the switch to fibre.
The choir rehearses in St Anne's. | The choir rehearses in the parish hall now.
The budget for the kitchen is 9,000 euros. | We talked it over, the budget for the kitchen is 11,000 euros.
My tea of choice is assam. | My tea of choice is rooibos these days.
My car insurance excess is 300 pounds. | I lowered my car insurance excess to 150 pounds.
Tom is my emergency contact. | Anna is my emergency contact now.
My reading glasses are +1.5. | My reading glasses are +2.0 since the eye test.
My Spanish level is A2. | I passed the exam, my Spanish level is B1.
My dad's hospital room is 214. | They moved Dad, my dad's hospital room is 309.
I live in Leeds. | I moved from Leeds to Bristol.
Crispin rents the garage behind the chapel. | Crispin doesn't rent the garage behind the chapel any longer.
Mirko volunteers as treasurer of the rowing club. | Mirko is no longer treasurer of the rowing club.
I have an account at Nationwide. | I closed my account at Nationwide.
Ida has the Tuesday slot at the studio. | Ida gave up her Tuesday slot at the studio; it's no longer hers.
The car I drive is a Skoda. | The car I drive is a Dacia, no more petrol for me.
The door code is 4471. | I reset it: the door code is 9052.
"""

KEPT = """
My favourite colour is teal. | My favourite dessert is tiramisu now.
My laptop is a ThinkPad X1. | My sister's laptop is a MacBook Air now.
My laptop is a ThinkPad X1. | My work laptop is a MacBook Air now.
My laptop is a ThinkPad X1. | I replaced my phone with a Pixel 9.
I live in Leeds. | I've moved from Vim to Emacs.
I live in Leeds. | I moved to Linux last year.
Kim works for Acme. | Kim moved from Slack to Teams.
Kim works for Acme. | Kim switched from tea to coffee.
Lotte is a midwife at Barts. | Ana is a midwife at Barts now.
I'm a volunteer at Oxfam. | I'm a volunteer at Shelter now.
I have an account at Nationwide. | I closed my account at Barclays.
I have a subscription to Wired. | I cancelled my subscription to The Economist.
Ida rents a garage on Mill Road. | Ida stopped renting the garage on Quay Street.
Ida has the Tuesday slot at the studio. | Ida gave up her Thursday slot at the studio.
Ida has the Tuesday slot at the studio. | Omar gave up his Tuesday slot at the studio.
The usual order at Costa is a flat white. | My usual order at Pret is a cortado these days.
The physiotherapist who treats Olaf's knee is Ms. Tanaka. | The doctor who treats Olaf's knee is now Mr. Brand.
The car I drive is a Skoda. | The car I drove was a Fiat.
The car I drive is a Skoda. | The car my wife drives is a Kia now.
The car I drive is a Skoda. | The car I want is a Tesla.
The film I love is Alien. | The film I love is Heat now.
My daughter goes to Oakfield School. | My other daughter goes to Hillside School now.
After the first failure, the retry delay is 5 s. | After the third failure, the retry delay is 60 s.
After it fails, the delay is 5 s. | After it succeeds, the delay is 1 s.
With the old kiln the firing takes 9 hours. | With the gas kiln the firing takes 6 hours.
The Cinder cluster has 12 nodes. | Just for tonight's load test, the Cinder cluster has 20 nodes.
I'm in room 304. | My parents are in room 518.
I'm in room 304. | I was in room 518 last year.
My desk is on the third floor. | They moved my colleague's desk to the sixth floor.
My desk is on the third floor. | They might move my desk to the sixth floor.
The weekly sync of Team Ash is on Tuesday at 10. | The weekly sync moved to Thursday at 14:00.
My Wi-Fi password is bluebird77. | I've changed my Netflix password to greenfinch12.
Our broadband is with BT. | Our neighbours switched their broadband from BT to Hyperoptic.
My dentist is Dr. Lind on Bath Road. | My son's dentist is Dr. Bergman now.
My dentist is Dr. Lind. | I changed doctors; I see Dr. Bergman now.
I play the cello. | I play the oboe now.
I speak Danish. | I speak Estonian now.
I'm allergic to nuts. | I'm allergic to pollen these days.
I do yoga with Marisol. | I do pilates with Henrike now.
My hobby is knitting. | My hobby is birdwatching now.
I like jazz. | I like techno now.
One of my cats is Momo. | One of my cats is Pip now.
My cat is called Momo. | My other cat is called Pip now.
I take 20 mg of lisinopril. | I take 5 mg of bisoprolol now.
The spare key is under the blue pot. | The car key is with Mrs. Nolan now.
The spare key is under the blue pot. | The spare key was with Mrs. Nolan last summer.
My locker is number 47. | My brother was given a different locker, number 112.
My phone number is 07700 900123. | My work phone number is 07700 900456 now.
My emergency contact is Hyacinth. | Please update my delivery contact: it's Leopold.
My alarm is set for 6:00. | Set a second alarm for 6:45.
My alarm is set for 6:00. | Should I set my alarm to 6:45?
I have until Friday to hand in the tax forms. | I have until Monday to return the library books.
Haircuts at Mireille's cost me 34 euros. | Haircuts at Joe's cost me 20 euros now.
I get up at 6:30. | I started getting up at 5:45 in 2012.
I get up at 6:30. | Nadia's started getting up at 5:45.
Jonas weighs 82 kg. | The baby is up to 5 kg.
I visited Rome. | I visited Oslo last month.
My flight to Oslo leaves at 07:15. | My flight to Rome leaves at 11:40 now.
Mirko volunteers as treasurer of the rowing club. | Mirko is no longer treasurer of the chess club.
I'm subscribed to Wired. | Ana unsubscribed from Wired.
My best friend is Nora. | Ana's best friend is Jin now.
Rosalind's stall is next to the fountain. | Rosalind's van is next to the post office now.
My rent is 1,200 euros. | My rent was 1,100 euros before the renovation.
I drink oat milk in my coffee. | I drink almond milk in my porridge now.
The best way to reach Ann is email. | The best way to reach Ben is WhatsApp now.
I read thrillers. | I read poetry these days.
My sister is a nurse. | My sister is a mother now.
My car is a Honda. | My car is a mess now.
My phone is a Fairwind 4. | My phone is a nightmare now.
I use an iPhone 12 for work. | I upgraded my camera to a Fuji X100.
Our son is in year 4. | Our daughter is in year 5 now.
I coach the under-tens. | I coach the under-twelves on Sundays as well now.
My goal is to run a marathon. | My goal is to learn Welsh now.
I lead the Osprey team. | Lena leads the Kestrel team now.
Kwame plays for Ajax. | Kwame's brother has been transferred to Benfica.
The door code is 4471. | We opened a Berlin office: the door code is 12.
The door code is 4471. | I'm not sure, the door code is 12.
The door code is 4471. | If I remember right, the door code is 12.
The door code is 4471. | In Berlin: the door code is 12.
The door code is 4471. | Option B: the door code is 12.
The door code is 4471. | I think so, the door code is 12.
I owe Marek 50 euros. | I owe Lena 20 euros now.
I'm saving 300 a month for the house. | I'm saving 100 a month for the car now.
I take the 8:05 train to work. | I take the 17:10 train home now.
We live on the second floor. | My sister and I work on the fourth floor now.
Ship my orders to 22 Elm Court. | Ship my returns to 9 Beech Road from now on.
I'm single. | My sister is engaged now.
I'm vegetarian. | My brother has gone vegan.
Yusuf is 11. | Yusuf's sister turned 12 yesterday.
I keep my passport in the desk drawer. | I keep my will in the safe now.
I'd like your answers in German. | I'd like your summaries in English from here on.
Use Celsius when you tell me the temperature. | Use miles when you tell me distances from now on.
I'm a vegetarian. | I'm a runner now.
The deadline for the essay is 3 May. | They extended the deadline for the report to 17 May.
My rent is due on the 1st. | My phone bill is due on the 5th now.
The rent is 900. | My sister found a flat: the rent is 700.
The stand-up is at 9:00. | Fridays are different: the stand-up is at 10:00.
The timeout is 10 s. | Staging got an upgrade: the timeout is 30 s.
The port is 9000. | Teal was rebuilt: the port is 81.
The port is 9000. | Teal moved, so the port is 81.
My rent is 900 euros. | My sister moved, her rent is 700 euros.
My phone is a Fairwind 4. | My brother upgraded to a Fairwind 6, that's his phone now.
My alarm is set to 6:00. | Lena reset hers: her alarm is set to 7:00.
My desk is number 12. | Ada has moved desks; hers is number 14.
The pool opens at 8. | Summer is special: the pool opens at 7.
My flight is at 9:00. | I can't recall, my flight is at 10:00.
My shift starts at 9. | I wish my shift starts at 10.
My landlord is Mr. Singh. | The neighbours got a letter, their landlord is Mrs. Petrova.
I live in Leeds. | My parents sold the house, they live in York now.
I live at 4 Elm Road. | My office moved: it is at 9 Quay Street now.
My doctor is Dr. Szabo. | Change my reminder: it's Dr. Naidoo.
The wedding is at the church. | The rehearsal moved, the dinner is at the town hall.
My son goes to Oakfield School. | I moved schools, I teach at Hillside School now.
My boss is Helen. | Helen has a new boss, Tomasz.
My bike lock code is 4417. | I reset the shed lock: the code is 9052.
I drink tea at breakfast. | We switched brands, I drink Assam at breakfast now.
My number is 555-0142. | Call Lena on 555-0199 from now on.
My number is 555-0142. | Lena has a new number, 555-0199.
I report to Gustavo. | Gustavo left early, I report to the desk on Friday.
My mountain bike is a Trek. | I moved my mountain bike to the cellar.
I keep my keys in the drawer. | I put my keys in the bowl.
My seat is 14C. | I swapped my seat with Tom.
My alarm is set to 6:30. | Set my alarm to 7:00 just this once.
The export takes 10 minutes. | The export takes 3 minutes with the new flag.
My best friend is Nora. | I swapped my best friend a book for a pen.
My car is a Honda. | I moved my car to the garage.
My meeting room is the Aquarium. | I booked my meeting room for Friday.
I have a subscription to Wired. | I gave up my seat on the board.
My desk is on the third floor. | They moved my desk lamp to the sixth floor.
My phone number is 07700 900123. | You can reach my sister on 07700 900456 from now on.
I live in Leeds. | I moved my savings to Monzo.
My bank is Barclays. | I moved my books to the attic.
"""


def _pairs(lines: str) -> list[tuple[str, ...]]:
    return [tuple(line.split(" | ")) for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("first", "second"), _pairs(UPDATES))
def test_an_update_takes_the_place_of_what_was_told(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), _pairs(KEPT))
def test_what_may_both_be_true_is_kept(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
