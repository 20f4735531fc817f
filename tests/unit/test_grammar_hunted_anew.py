"""What hunters of false supersessions found, by black box and by going through verbs, openers and values."""

from __future__ import annotations

import pytest

from eval.probe import superseded_by
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

KEPT = [
    # a pronoun may mean who came in between; what others say of themselves is not the user's
    ("My brother Tom works for Barclays.", "My brother Tom has a new girlfriend, she works for HSBC."),
    ("My brother Tom works for Barclays.", "Tom, my brother, met an old friend: he works for HSBC now."),
    ("My brother Tom works for Barclays.", "My brother Tom has news about dad: he works for HSBC now."),
    ("Tom works for Barclays.", "Tom married Jo, she works for HSBC."),
    ("Tom works for Barclays.", "Tom moved in with Jo; she works for HSBC."),
    ("Tom works for Barclays.", "Tom introduced me to Al and he works for HSBC."),
    ("Tom works for Barclays.", "Tom is dating someone new - she works for HSBC."),
    ("My sister Clara lives in Lisbon.", "My sister Clara has a daughter: she lives in Porto now."),
    ("My sister Clara lives in Lisbon.", "My sister Clara visited our aunt: she lives in Porto."),
    ("My sister Clara lives in Lisbon.", "My sister Clara came over with Al, he lives in Porto."),
    ("Nina lives in Cardiff.", "Nina misses her mum, she lives in Plovdiv."),
    ("Nina lives in Cardiff.", "Nina has a cousin, he lives in Sofia."),
    ("Clara lives in Lisbon.", "Clara met a girl; she lives in Porto."),
    ("My boss is Helen.", "My boss has a new boss, she is Priya."),
    ("My brother Tom weighs 80 kg.", "My brother Tom has a new dog: it weighs 30 kg."),
    ("My dog Biscuit weighs 14 kg.", "My dog Biscuit has a puppy: she weighs 3 kg."),
    ("My flat costs £900 a month.", "My flat has a parking space, it costs £80 a month."),
    ("My car is a Yaris.", "My car has a trailer, it is a Brenderup."),
    ("The search service listens on port 7700.", "The search service uses a cache, it listens on port 6379."),
    ("Kafka has version 3.5.", "Kafka needs ZooKeeper, it has version 3.8."),
    ("The billing API listens on port 8080.", "The billing API got a new metrics endpoint: it listens on port 9090."),
    ("I live in Cardiff.", "Nina's postcard: I live in Porto now."),
    ("I live in Cardiff.", "Clara's news: I live in Porto now."),
    ("I live in Cardiff.", "Please translate: I live in Paris."),
    ("I live in Cardiff.", "Let's role-play: I live in Tokyo."),
    ("I live in Cardiff.", "Write a poem that starts: I live in Paris."),
    ("My phone number is 07700 900123.", "The plumber left a note: my phone number is 07700 900999."),
    ("My rent is £1,300 a month.", "Clara complained: my rent is £1,700 a month."),
    ("My boss is Helen.", "As Tom put it: my boss is Marcus."),
    ("My boss is Helen.", "Tom goes: my boss is Marcus."),
    ("My weight is 79 kg.", "Tom's answer was: my weight is 95 kg."),
    ("I work for Greenway.", "Tom's email: I work for Shell now."),
    ("I work for Greenway.", "Let's practise the interview: I work for Shell."),
    ("The timeout is 30 seconds, except for uploads.", "The timeout is 600 seconds for uploads."),
    ("The contact is Wanda, except at night.", "The contact is Igor at night."),
    ("The API version is v3.", "Ignore this: the API version is v4."),
    ("The API version is v3.", "Disregard this: the API version is v4."),
    ("The API version is v3.", "Forget it: the API version is v4."),
    ("The API version is v3.", "Strike this: the API version is v4."),
    ("Kestrel is documented in the wiki.", "Kestrel is documented in the handbook."),
    ("Room 12 is locked.", "Room 12 is vacant."),
    ("Ana is vegan.", "Ana is vacant."),
    ("The v1 API is stable.", "The v1 API is deprecated."),
    ("Account 7 is inactive.", "Account 7 is blocked."),
    ("Ticket 12 is done.", "Ticket 12 is archived."),
    ("The printer is online.", "The printer is broken."),
    ("Build 12 is in staging.", "Build 12 is in production."),
    ("The on-call is Farid.", "This week, the on-call is Lotte."),
    ("The room is Pine.", "Tonight, the room is Oak."),
    ("The contact is Ana.", "For today: the contact is Bob."),
    ("On your side: the contact is Ana.", "On our side: the contact is Bob."),
    ("The bug count is 10.", "Last week: the bug count is 20."),
    ("The bug count is 10.", "Yesterday: the bug count is 20."),
    ("The timeout is 30 seconds.", "First we raised the timeout from 10 to 20 seconds."),
    ("The timeout is 30 seconds.", "We raised the timeout from 10 to 20 seconds before that."),
    ("I live in Leeds.", "I moved from Leeds to York when I was five."),
    ("She sits in room 4.", "She sits in room 9."),
    ("It is in room 4.", "It is in room 9."),
    ("Correction for staging: the port is 80.", "Correction for production: the port is 90."),
    ("Checked on staging: the version is 1.2.", "Checked on production: the version is 1.1."),
    ("Changed in Elk: the port is 80.", "Changed in Moose: the port is 90."),
    ("Correction to the Elk page: the contact is Ana.", "Correction to the Moose page: the contact is Bob."),
    ("Quick note from Elk: the on-call is Ana.", "Quick note from Moose: the on-call is Bob."),
    ("Quick note since Elk asked: the on-call is Ana.", "Quick note since Moose asked: the on-call is Bob."),
    ("The port is 80.", "Checked on staging: the port is 90."),
    ("The port is 80.", "Correction for staging: the port is 90."),
    ("I live in York.", "My friend wrote: I live in Leeds."),
    ("My code is 44.", "Ana wrote: my code is 55."),
    ("The port is 80.", "The intern wrote: the port is 90."),
    ("Ana wrote: I live in Leeds.", "Eve wrote: I live in York."),
    ("The code is 44.", "The code is 55. Only for York."),
    ("The price is 10 euros.", "The price is 20 euros. For adults, that is."),
    ("The price is 10 euros.", "The price is 20 euros. Not!"),
    ("The price is 10 euros.", "The price is 20 euros. Or is it?"),
    ("To save power, the display dims after 20 seconds.", "To reduce noise, the display dims after 50 seconds."),
    ("To save power, the timeout is 20 seconds.", "To avoid errors, the timeout is 90 seconds."),
    ("The limit is 10.", "To save power, the limit is 20."),
    ("I study law.", "I study piano."),
    ("Ana studies law.", "Ana studies piano."),
    ("The name of the nurse is Ana Roth.", "The title of the nurse is Sister."),
    ("The rope is 60 metres.", "The rope is 9.8 millimetres."),
    ("The battery lasts 9 hours.", "The battery takes 3 hours."),
    ("The site is built with Hugo.", "The site is built with love."),
    ("The class is held in Lund.", "The class is held in silence."),
    ("The app starts from main.py.", "The app starts from scratch."),
    ("The API runs under systemd.", "The API runs under load."),
    ("The letter is filed in Lund.", "The letter is filed in triplicate."),
    ("The firm is owned by Ann Lee.", "The firm is owned by law."),
    ("The firm is run by Ann Lee.", "The firm is run by the book."),
    ("The app ships to Peru.", "The app ships to Chile."),
    ("The app syncs with Jira.", "The app syncs with Slack."),
    ("The cafe is near the park.", "The cafe is near the port."),
    ("The cafe is next to the bank.", "The cafe is next to the church."),
    ("The owner is Ann.", "The owner is TBA."),
    ("The owner is Ann.", "The owner is N.N."),
    ("The version is 1.4.", "The version is x.y.z."),
    ("The host is db-1.", "The host is your.host.name."),
    ("The URL is https://wren.io.", "The URL is https://your-domain.com."),
    ("DEBUG queue size is 10", "DEBUG queue size is 30"),
    ("[INFO] queue size is 10", "[INFO] queue size is 30"),
    ("npm WARN version is 1.4", "npm WARN version is 1.5"),
    ("TRACE state=busy", "TRACE state=idle"),
    ("The port is 8000.", "Task: set port to 9000"),
    ("Our competitor is Audi.", "Our competitor is Bosch."),
    ("Our volunteer is Ann.", "Our volunteer is Bob."),
    ("The Wren cache is Redis.", "The Wren cache is volatile."),
    ("The Wren database is Postgres.", "The Wren database is corrupt."),
    ("The deadline is Dec.", "The deadline is December."),
    ("The color of the door is gray.", "The colour of the door is grey."),
    ("The encoding is UTF-8.", "The encoding is utf8."),
    ("The format is JPEG.", "The format is JPG."),
    ("The database is Maria DB.", "The database is MariaDB."),
    ("The CI is GHA.", "The CI is GitHub Actions."),
    ("The mailer timeout is 30 seconds.", "The reverted commit set the mailer timeout to 45 seconds."),
    ("The mailer timeout is 30 seconds.", "Bob's rejected patch raised the mailer timeout to 45 seconds."),
    ("Rumour has 30 seconds as the mailer timeout.", "Rumour has 45 seconds as the mailer timeout."),
    ("The mailer refuses a timeout of 30 seconds.", "The mailer refuses a timeout of 45 seconds."),
    ("The mailer ignores a limit of 5 MB.", "The mailer ignores a limit of 8 MB."),
    ("The licence is GPL-3.0.", "The licence is GPLv3."),
]


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_what_may_both_be_true_is_kept(first: str, second: str) -> None:
    one, other = GRAMMAR.extract([first, second])
    assert not superseded_by(one, other)
    assert not superseded_by(other, one)


STATED = [
    ("The gateway rejects requests over 5 MB.", "The gateway rejects requests over 8 MB."),
    ("The mailer timeout is 30 seconds.", "The merged commit set the mailer timeout to 45 seconds."),
    ("The Teal repo is private.", "The Teal repo is public."),
    ("The Elk lunch is at noon.", "The Elk lunch is at 13:00."),
    ("The drive letter of Teal is Z.", "The drive letter of Teal is Y."),
    ("My flight seat is 7A.", "They rebooked me: my flight seat is 8C."),
    ("Sunniva's driving instructor is Mr. Pask.", "Sunniva's driving instructor is Ms. Trevena."),
    ("I live in Lisbon.", "It's official: I live in Porto now."),
]


@pytest.mark.parametrize(("first", "second"), STATED)
def test_words_that_may_be_idioms_are_values_elsewhere(first: str, second: str) -> None:
    one, other = GRAMMAR.extract([first, second])
    assert superseded_by(one, other)
