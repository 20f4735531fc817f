"""Sentences that put their value first or last: they say what the plain sentence says, and no more."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

from .kept import assert_kept, pairs_of

GRAMMAR = GrammarExtractor()

RETIRED = pairs_of("""
The fair is held in May.
  June is when the fair is held.
The port the panel listens on is 8080.
  9090 is the port that the panel listens on.
We keep audit logs for 30 days.
  90 days is how long we keep audit logs.
The report is stored in docs/a.md.
  docs/b.md is the file the report is stored in.
parse_rows is defined in src/rows.py.
  lib/rows.py is the file that contains parse_rows.
The tax helper lives in src/tax.py.
  It is lib/tax.py that contains the tax helper.
The contact for the wiki is Ann Lee.
  It is Bo Dahl you contact about the wiki.
  Bo Dahl is who you ask about the wiki.
The orders table is backed up on Sunday.
  Monday is the day the orders table is backed up.
The shop opens at 9:00.
  It's at 10:00 that the shop opens.
On staging, the panel listens on 8080.
  On staging, 9090 is where the panel listens.
The mail worker has debug as its log level.
  What the mail worker has as its log level is warning.
The shop uses Redis as its cache.
  As its cache, the shop uses Memcached.
The crew's captain is Ann Lee.
The orchestra's conductor is Ann Lee.
  The orchestra plays with Bo Dahl as its conductor.
The wiki's theme is dark.
  The theme the wiki uses is light.
The wiki's search engine is Solr.
  Meilisearch is the search engine that the wiki uses.
The database of the shop is Postgres.
  MySQL is the database the shop runs on.
Emil works for Acme.
  Calder Insurance is the company that employs Emil.
  It is Calder Insurance that Emil is employed by.
The number of seats in the hall is 120.
  140 is how many seats the hall has.
The alert fires at 90 percent.
  The threshold at which the alert fires is 95 percent.
The resizer is written in Go.
  Rust is the language the resizer is written in.
load_user returns a tuple.
  A dict is what load_user returns.
  A dict is returned by load_user.
The staging API gateway listens on 8081.
  Port 9443 is where the staging API gateway listens.
Our Elixir umbrella requires OTP 24.
  OTP 26 is the release our Elixir umbrella requires.
The choir rehearses on Monday.
  Tuesday is the day the choir rehearses.
  It's on Tuesday that the choir rehearses.
The choir rehearses in the town hall.
The invoice job runs on host b12.
  b14 is the host the invoice job runs on.
The export is stored in /var/exports.
  /srv/exports is where the export is stored.
Our parser is written in C.
  Rust is the language our parser is written in.
The theatre seats 640 people.
  720 is how many people the theatre seats.
The course lasts 6 weeks.
  8 weeks is how long the course lasts.
Milk costs 2 euros.
  3 euros is what milk costs.
Ann Lee maintains the parser.
  Bo Dahl is the person who maintains the parser.
The rover weighs 12 kg.
  14 kg is how much the rover weighs.
The lease ends on 3 May.
  5 June is when the lease ends.
  The date the lease ends on is 5 June.
The mayor of Elm is Ann Lee.
  As mayor, Elm has Bo Dahl.
The choir's conductor is Ann Lee.
  The choir sings with Bo Dahl as its conductor.
My manager is Ann Lee.
  As my manager, I have Bo Dahl.
The signing key is stored in Vault.
  1Password is where the signing key is stored.
The crops are watered by Ann Lee.
  The person who waters the crops is Bo Dahl.
The room the board meets in is B12.
  The board meets in room C3.
It's the shed that the bike is kept in.
  The bike is kept in the garage.
It's GitHub Actions that builds the image.
  The image is built by Jenkins.
What builds the image is GitHub Actions.
  Jenkins builds the image.
""")

KEPT = pairs_of("""
8080 is the port the panel listens on.
  8081 is the port the metrics exporter listens on.
  8081 is the port the panel listened on.
  8081 is the port the panel connects to.
  8081 is the port the panel listens on in staging.
  9090 is the port the panel listens on during tests.
  The panel listens on 9090 during tests.
The team that I work in is Atlas.
  The city that I work in is Leeds.
The city I work in is Leeds.
  The building I work in is Harbour House.
  The city I live in is York.
I live in York.
  The city I work in is Leeds.
  The house I live in is Mill Cottage.
  The street I live in is Park Road.
  The place I live in is Mill Cottage.
Emil is employed by Calder Insurance.
  The agency that Emil is employed by is Randstad.
The person who manages my pension is Ann Lee.
  The company that manages my pension is Aviva.
The tool that runs our tests is pytest.
  The service that runs our tests is CircleCI.
pytest is what runs the unit tests.
  tox is what runs the integration tests.
The file in which the keys are stored is keys.json.
  The folder in which the keys are stored is /etc/keys.
Postgres 16 is the database the service runs on.
  Debian 12 is the system the service runs on.
The service runs on Postgres 16.
  Kubernetes is what the service runs on.
The language the app is written in is Go.
  The editor the app is written in is Emacs.
The database the service reads from is orders-ro.
  The database the service writes to is orders-rw.
The database that the service uses is Postgres.
  The database that the service uses for sessions is Redis.
The cache the service uses in tests is Fake.
  The cache the service uses is Redis.
The car Anna drives is a Fiat.
  The car Anna sold is a Volvo.
The instrument Noor plays is the cello.
  The instrument Noor plays in the school orchestra is the flute.
  The sport Noor plays is tennis.
  The instrument Noor teaches is the flute.
The day the bin is emptied is Monday.
  The day the bin is washed is Tuesday.
Monday is when the bin is emptied.
  Tuesday is when the bin is collected.
9:00 is when the shop opens.
  18:00 is when the shop closes.
It is at 9:00 that the shop opens.
  It is at 10:00 that the shop opens on Sundays.
The hour at which the shop opens is 9:00.
  The hour at which the shop opens on Sundays is 11:00.
5 is how many times the sender retries a failed delivery.
  3 is how many times the sender retries a failed upload.
It is clear that the panel listens on 8080.
  It is clear that the panel listens on 8081.
It's a pity that the panel listens on 8080.
  The panel listens on 9090.
Is 8080 the port the panel listens on?
  9090 is the port the panel listens on.
If 8080 is the port the panel listens on, stop.
  9090 is the port the panel listens on.
8080 is not the port the panel listens on.
  9090 is the port the panel listens on.
9090 is the port the panel listens on.
  8080 is not the port the panel listens on.
  8080 may be the port the panel listens on.
  8080 is one of the ports the panel listens on.
  8080 is the port the panel should listen on.
  8080 was the port the panel listened on.
  8080 is the port the panel used to listen on.
  8080 is also the port the panel listens on.
  8080 is the second port the panel listens on.
  8080 is the default port the panel listens on.
  8080 is the port the panel listens on when TLS is off.
What I like is tea.
  What I like is coffee.
What Ann plays is the cello.
  What Ann plays is the flute.
What the parser returns is a dict.
  What the parser returns on failure is None.
What the parser raises is ValueError.
  What the parser raises is KeyError.
The error the parser raises is ValueError.
  The error the parser raises is KeyError.
The book Ann reads is Emma.
  The book Ann writes is Dusk.
Java 21 is required by the billing engine.
  Java 17 is required by the search engine.
The version the app requires is 3.9.
  The version the app runs is 3.12.
The Python version the app requires is 3.9.
  The Python version the app ships is 3.12.
Ann Lee is the person who owns the module.
  Bo Dahl is the person who wrote the module.
Ann Lee is who reviews the module.
  Bo Dahl is who owns the module.
The place where we keep the spare key is the garage.
  The place where we keep the spare bulbs is the attic.
Where we meet is the library.
  Where we eat is the canteen.
Frankfurt is where the primary site is.
  Dublin is where the secondary site is.
The region the app is deployed in is eu-west-1.
  The cluster the app is deployed in is c7.
As its cache, the service uses Redis.
  As its queue, the service uses Kafka.
90 days is how long audit logs are kept.
  30 days is how long debug logs are kept.
The minimum time for which logs are kept is 30 days.
  The time for which logs are kept is 90 days.
The maximum size the form accepts is 10 MB.
  The size the form accepts is 5 MB.
The largest file the form accepts is 10 MB.
  The smallest file the form accepts is 1 KB.
The price we pay for the flat is 900 euros.
  The price we pay for the garage is 90 euros.
The person I report to is Ann Lee.
  The person who reports to me is Bo Dahl.
  The person I report faults to is Bo Dahl.
The person Ann reports to is Kim.
  The person Bo reports to is Lee.
The channel alerts go to is #ops.
  The channel releases go to is #rel.
In staging, 8080 is where the panel listens.
  In production, 9090 is where the panel listens.
For the landing page it's bun that produces the lockfile.
  For the shop it's npm that produces the lockfile.
The dog Anna has is Rex.
  The cat Anna has is Tom.
The licence our toolkit carries is MIT.
  The stamp our toolkit carries is CE.
The gym I use is Fit24.
  The pool I use is Aqua.
The room the club uses is B12.
  The room the choir uses is B13.
The name our hamster is called by is Pip.
  The vet our hamster is seen by is Ann Lee.
The city I live in is York.
  The place I live in is Mill Cottage.
The file the log is written to is app.log.
  The folder the log is written to is /var/log.
The file the log is stored in is app.log.
  The folder the log is stored in is /var/log.
The folder where the export is stored is /srv.
  The server where the export is stored is b12.
The export is stored in /srv.
  The server the export is stored on is b12.
The person the report is sent to is Ann Lee.
  The address the report is sent to is ops@x.eu.
The tool that checks the code is ruff.
  The person who checks the code is Ann Lee.
The person who checks the code is Ann Lee.
  The company that checks the code is Calder Ltd.
The person who cleans the office is Ann Lee.
  The company that cleans the office is Calder Ltd.
The editor Ann uses at work is Vim.
  The editor Ann uses at home is Emacs.
The editor Ann uses for Python is Vim.
  The editor Ann uses for Go is Emacs.
The server the app uses is db1.
  The server the app runs on is web3.
The team Ann follows is Leeds.
  Ann's team is York.
The port the app uses for metrics is 9090.
  The port the app uses is 8080.
It is in staging that the panel listens on 8080.
  It is in production that the panel listens on 9090.
Ann says 8080 is the port the panel listens on.
  The panel listens on 9090.
The panel listens on 9090.
  Ann says 8080 is the port the panel listens on.
  According to Ann, 8080 is the port the panel listens on.
  I think 8080 is the port the panel listens on.
  Until Friday 8080 is the port the panel listens on.
  The port the panel listens on is 8080 until Friday.
  Next week 8080 is the port the panel listens on.
  8080 is the port the panel will listen on.
  8080 is the port we want the panel to listen on.
  8080 is where the old panel listens.
  8080 is where the panel of the shop listens.
  What the panel listens on is a port.
  What the panel should listen on is 8080.
  8080 is what the old docs say the panel listens on.
  8080 is the port the panel listens on in the old docs.
  8080 is the port the panel listens on by mistake.
  8080 is the wrong port the panel listens on.
  8080 is the port Ann thinks the panel listens on.
  8080 is the port we wish the panel listens on.
  8080 is the port the panel and the API listen on.
  8080 or 8081 is the port the panel listens on.
  Neither 8080 nor 8081 is the port the panel listens on.
  8080 is usually the port the panel listens on.
  8080 is sometimes the port the panel listens on.
  8080 is the port the panel sometimes listens on.
A nurse is required by the clinic.
  A doctor is required by the clinic.
Java 21 is required by the app.
  Python 3.12 is required by the app.
300 people are employed by the bakery in Leeds.
  20 people are employed by the bakery in York.
Jo is the person who teaches the yoga class on Mondays.
  Al is the person who teaches the yoga class on Fridays.
The person who feeds the cat is Ann.
  The person who feeds the cat in the morning is Bo.
Ann is who writes the tests.
  Bo is who writes the docs.
We use tape to seal boxes.
  We use glue to seal boxes.
We use Slack to talk to clients.
  We use Zoom to talk to clients.
We use Slack to contact clients.
  We use Zoom to contact vendors.
We use Datadog to monitor the robots.
  We use Grafana to monitor the pumps.
  We also use Grafana to monitor the robots.
The file that contains the tax rates is tax.py.
  The file that contains the tax tests is test_tax.py.
The file that defines parse() is parse.c.
  The file that declares parse() is parse.h.
The file that contains parse() is parse.c.
  The file that tests parse() is test_parse.c.
  The folder that contains parse() is src/lib.
120 is the number of seats the hall has.
  20 is the number of seats the hall has upstairs.
  The hall has 20 seats in the gallery.
The number of rooms the inn has is 12.
  The number of beds the inn has is 30.
2 hours is how long the build takes.
  3 hours is how long the build takes on CI.
90 days is how long logs are kept.
  30 days is how long logs are kept in staging.
As its cache, the shop uses Redis.
  As its cache in tests, the shop uses a dict.
As a hobby, Ann has chess.
  As a hobby, Ann has rowing.
As a pet, Ann has a dog.
  As a pet, Ann has a cat.
As her doctor, Ann has Dr. Bo.
  As her dentist, Ann has Dr. Lee.
As mayor, Elm has Ann Lee.
  As mayor, Oak has Bo Dahl.
The choir has Ann Lee for a conductor.
  The choir has Bo Dahl for a soloist.
The office has Room 5 for a meeting.
  The office has Room 6 for a meeting.
Ann is who you ask about the keys.
  Bo is who you ask about the bins.
The person you contact about invoices is Ann.
  The person you contact about refunds is Bo.
It is Ann who you contact about invoices.
  The person you contact about invoices in Spain is Bo.
Leeds is where Ann works.
  York is where Ann lives.
Leeds is where Ann was born.
  York is where Ann lives.
Dublin is where we have an office.
  Oslo is where we have an office.
Dublin is where we have our main office.
  Oslo is where we have our sales office.
What the service uses is Redis.
  What the service uses is Kafka.
What the service uses as its queue is Redis.
  What the service uses as its cache is Memcached.
The restaurant where we eat is Roma.
  The restaurant where we meet is Milano.
The day we eat pizza is Friday.
  The day we eat fish is Monday.
The day the shop opens is Monday.
  The day the shop closes is Sunday.
The time at which the gate opens is 6:00.
  The time at which the gate closes is 22:00.
Monday is when the bin on our street is emptied.
  Tuesday is when the bin on Park Road is emptied.
The language Ann speaks at home is Dutch.
  The language Ann speaks at work is English.
The language the guide is written in is Dutch.
  The language the app is written in is Go.
The level at which the alert fires is 90 percent.
  The level at which the warning fires is 80 percent.
The threshold at which the alert fires is 90 percent.
  The threshold at which the alert clears is 80 percent.
The alert fires at 90 percent.
  The lower threshold at which the alert fires is 10 percent.
The database the service runs on is Postgres 16.
  The database the service reports to is ClickHouse 24.
The licence the toolkit carries is MIT.
  The licence the toolkit requires is GPL.
The snack the daycare serves is apples.
  The soup the daycare serves is leek.
Ann is who manages Bo.
  Cy is who manages Dee.
The company that employs Ann is Acme.
  The company that employs Bo is Calder.
Acme is the company that insures our car.
  Bolt is the company that insures our house.
The person who owns the shop is Ann Lee.
  The person who runs the shop is Bo Dahl.
The team that owns the API is Core.
  The person who owns the API is Ann Lee.
Core owns the API.
  The person who owns the API is Ann Lee.
pytest runs the unit tests.
  Jenkins is what runs the unit tests.
The colour the walls are painted is green.
  The colour the doors are painted is red.
The price a ticket costs is 12 euros.
  The price a child's ticket costs is 6 euros.
12 euros is what a ticket costs.
  9 euros is what a ticket costs on Mondays.
What I pay for rent is 900 euros.
  What I pay for power is 90 euros.
The amount I pay in rent is 900 euros.
  The amount I pay in tax is 300 euros.
The phone I use is a Pixel.
  The phone I use at work is an iPhone.
Our key is the one the door uses.
  The key of the door is K2.
The version the app ships is 3.12.
  The version the app supports is 3.9.
The minimum version the app requires is 3.9.
  The version the app requires is 3.12.
The oldest Python the app supports is Python 3.9.
  The newest Python the app supports is Python 3.13.
The oldest Python the app runs on is Python 3.9.
  The app runs on Python 3.12.
Our gym is Fit24.
  The gym Ann uses is Aqua.
My editor is Vim.
  The editor my sister uses is Emacs.
  The editor I use for notes is Obsidian.
My dentist is Dr. Okafor.
  The dentist my son has is Dr. Lee.
The wiki's theme is dark.
  The theme the wiki uses for printing is light.
  The theme the wiki uses in the evening is light.
  The dark theme the wiki uses is Dracula.
  The mobile theme the wiki uses is light.
Emil works for Acme.
  Calder is the company that pays Emil.
  Calder is the company that insures Emil.
  Calder is the company that employs Emil's wife.
Ann Lee owns the shop.
  Bo Dahl is the person who rents the shop.
  It is Bo Dahl who wants the shop.
  It was Bo Dahl who owned the shop.
  It isn't Bo Dahl who owns the shop.
  It may be Bo Dahl who owns the shop.
  Was it Bo Dahl who owns the shop?
  They say it is Bo Dahl who owns the shop.
  If it is Bo Dahl who owns the shop, call him.
I live in Leeds.
  York is where I live in summer.
  York is where I want to live.
  York is where my parents live.
  The city I love is York.
  The city I live near is York.
I weigh 71 kilos.
  68 kilos is what I want to weigh.
  68 kilos is what my brother weighs.
  What I lift is 100 kilos.
The museum opens at 9:00.
  10:00 is when the museum shop opens.
  10:00 is when the museum opens on Sundays.
  It's at 17:00 that the museum closes.
  It's at 10:00 that the museum opens in winter.
Audit logs are kept for 30 days.
  90 days is how long audit logs are kept offline.
  At least 90 days is how long audit logs are kept.
  7 days is the minimum period for which audit logs are kept.
The reporting server's time zone is Europe/Oslo.
  UTC is the time zone that the reporting server uses for logs.
  UTC is the time zone that the reporting server shows.
The docs site has pnpm as its package manager.
  npm is the package manager that the docs site recommends.
  npm is the package manager that the docs site supports.
The site is hosted by Hetzner.
  It is OVH that hosts the site's mirror.
load_user returns a tuple.
  What load_user returns on error is None.
  None is what load_user returns if the row is missing.
  A dict is returned by load_users.
  A dict is returned by load_user when cached.
The tests cover 70 percent of the core.
  What the tests cover is 90 percent of the parser.
The hall has 120 seats.
  20 is the number of broken seats the hall has.
  90 is how many free seats the hall has.
The contact for the wiki is Ann Lee.
  Bo Dahl is who you ask about the wiki's logo.
  Bo Dahl is who we ask about the wiki in France.
parse() lives in src/a.py.
  src/b.py is the file that imports parse().
  src/b.py is the file that contains the docs of parse().
  src/b.py is the file that contains the tests of parse().
The tower is 120 m tall.
  90 m is how tall the mast is.
300 people are employed by the bakery.
  20 people are employed by the café.
  20 drivers are employed by the bakery.
4 arguments are taken by parse_row.
  2 arguments are ignored by parse_row.
As its main cache, the shop uses Redis.
  As its backup cache, the shop uses Memcached.
As our mascot, we have a bear.
  As our sponsor, we have Acme.
The team plays with Ann as its captain.
  The team plays with Bo as its goalkeeper.
  The team played with Bo as its captain.
The day on which the bin is emptied is Monday.
  The day on which the bin is emptied in Leeds is Friday.
The host the job runs on is b12.
  The host the job writes to is b14.
  The job runs on Python 3.12.
The version the shop runs on is 3.9.
  The version the shop is tested on is 3.12.
The colour Ann likes is green.
  The colour Ann wears is red.
""")


@pytest.mark.parametrize(("first", "second"), RETIRED)
def test_a_value_put_first_or_last_is_that_of_the_plain_sentence(first: str, second: str) -> None:
    """The same fact, with its value in another place."""
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_what_speaks_of_another_thing_stays(first: str, second: str) -> None:
    """Another noun, verb, preposition, scope or speaker; a plan, a past, a doubt or one of several."""
    assert_kept(first, second)
