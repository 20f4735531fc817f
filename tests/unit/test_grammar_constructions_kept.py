"""What a reviewer found when one fact was read in many more constructions: these hold beside one another."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()
KEPT = """
I work at Acme.|Hull is where I work.
Ann works at Acme.|Hull is where Ann works.
The data is stored in S3.|Hull is where the data is stored.
The app is hosted on Heroku.|Frankfurt is where the app is hosted.
The shop is located on Queen Street.|Hull is where the shop is located.
The key is kept in the drawer.|The kitchen is where the key is kept.
The painting hangs in the hall.|Paris is where the painting hangs.
The bike is parked in the yard.|Hull is where the bike is parked.
Ann has 3 children.|Ann is a teacher with 24 children.
Ann is a teacher with 20 students.|Ann is a coach with 12 students.
At Acme, 40 people are employed.|At Acme, 20 women are employed.
Acme has 40 employees.|20 is how many women Acme employs.
Acme employs 40 people.|At Acme, 12 men are employed.
We use Jenkins to build the app.|We use Gradle to build the app.
We use Terraform to provision the cluster.|We use Ansible to provision the cluster.
We use Prettier to format the code.|We use Black to format the code.
We use Jira to manage tasks.|We use Trello to manage tasks.
Acme uses SAP to manage orders.|Acme uses Excel to manage orders.
The app uses AES to encrypt data.|The app uses RSA to encrypt data.
We use Sphinx to generate docs.|We use pdoc to generate docs.
The app uses TLS to protect the data.|The app uses AES to protect the data.
The app uses JWT to authenticate users.|The app uses OAuth to authenticate users.
The team uses Selenium to test the app.|The team uses Pytest to test the app.
We use Airflow to run jobs.|We use Cron to run jobs.
For testing the API, the team uses Postman.|For testing the API, the team uses curl.
The app uses TLS encryption.|The app uses AES encryption.
The app uses gzip compression.|The app uses brotli compression.
The app uses JSON encoding.|The app uses UTF-8 encoding.
RankList sorts its users with quicksort.|RankList sorts its posts with merge sort.
The list sorts its rows using timsort.|The list sorts its columns using quicksort.
The ward has Ann Lee for a nurse.|The ward has Tom Ray for a nurse.
Acme has Bolt for a tenant.|Acme has Rye for a tenant.
As a database, the app uses Postgres.|As a database, the app uses Redis.
As a language, the app uses Go.|As a language, the app uses Rust.
As a coach, Ann Lee has the Reds.|As a coach, Ann Lee has the Blues.
Search page - keyword Elm|Search page - keyword Oak
Search page - field Elm|Search page - field Oak
Fuel - price 60 €|Fuel - price 45 €
Payment - amount 400 €|Payment - amount 500 €
Hotel - price 120 €|Hotel - price 90 €
Curl - status code 404|Curl - status code 500
Server log - status 404|Server log - status 500
Test - timeout 40 s|Test - timeout 50 s
Benchmark - latency 40 ms|Benchmark - latency 55 ms
Call with Tom - duration 20 min|Call with Tom - duration 30 min
Customer call - length 20 min|Customer call - length 30 min
Bench press - weight 60 kg|Bench press - weight 65 kg
Candidate - age 40|Candidate - age 50
Parcel - weight 3 kg|Parcel - weight 5 kg
Action item: owner Ann Lee|Action item: owner Tom Ray
Panel - host Ann Lee|Panel - host Tom Ray
Search page - header X-Foo|Search page - header X-Bar
Pancake batter - 3 eggs|Pancake batter - 4 eggs
Shopping list - 3 eggs|Shopping list - 4 eggs
Math test - 3 mistakes|Math test - 4 mistakes
Bench press - 3 sets|Bench press - 4 sets
Oven: 220 degrees|Oven: 180 degrees
Paris - 21 degrees|Paris - 25 degrees
Contract - signed by Ann|Contract - signed by Tom
Pump app - deployed on staging|Pump app - deployed on production
Pump - installed in Hull|Pump - installed in York
Bin - emptied on Mondays|Bin - emptied on Thursdays
Car park - closed on Mondays|Car park - closed on Fridays
Tap - installed by Ann|Tap - installed by Tom
Report - written by Ann|Report - written by Tom
We keep the wine in the cellar.|We keep the wine in the kitchen.
We keep the money in the safe.|We keep the money in the bank.
We keep the cheese in the cellar.|We keep the cheese in the kitchen.
We keep the luggage in the cellar.|We keep the luggage in the attic.
The tools are kept in the shed.|We've started keeping the tools in the garage.
Ann Lee is managed by Bolt Agency.|Ann Lee reports to Tom Ray.
Ann is managed by Bob Fox.|Ann's boss is Tom Ray.
The app's mode is dark.|The app went to maintenance mode.
The app's mode is dark.|The app switched to debug mode.
The heating is switched on in October.|The heating was switched off in April.
I set the oven to 230 for pizza, it needs 8 minutes.|I set the oven to 160 for meringue, it needs 80 minutes.
We set the limit to 20 MB on staging, the timeout is 5 s.|We set the limit to 50 MB in production, the timeout is 9 s.
I set the alarm to 7:00, the code is 9084.|I set the door to auto, the code is 1234.
The concert tour goes to Rome.|The concert tour goes to Paris.
Our cruise goes to Malta.|Our cruise goes to Crete.
The site is built with Hugo.|make is what builds the site.
The site is deployed with Helm.|argo is what deploys the site.
Tests live in tests/a.py.|tests/b.py is what contains tests.
The users live in a.csv.|b.csv is the file that contains the users.
The importer runs on Windows.|We updated the importer to run on Linux.
Care of Eve is with Ann Lee.|Custody of Eve is with Tom Ray.
Responsibility for the parser lies with Ann Lee.|Accountability for the parser lies with Tom Ray.
The kids are Tom Ray's responsibility.|The kids are Ann Lee's responsibility.
Responsibility for the app lies with the core team.|Responsibility for the app lies with Ann Lee.
Ann banks with Calder.|Ann banks with Bolt.
The team is nicknamed Reds.|The team is nicknamed Devils.
Payment of the fee is done via PayPal.|Payment of the fee is done via bank transfer.
The location of the fair is Hull.|The fair is located in Hof Park.
Our main goal should be growth.|Our main goal should be safety.
Use Section A as our model.|Use Section B as our model.
Ann departs at 10:00 on the 3rd.|Ann departs at 18:00 on the 3rd.
Ann leads the review.|In place of Ann, Tom leads the review.
The car I drive is a Fiat.|The car I have is an Audi.
Emacs is the editor I have.|Vim is the editor I use.
The class is taught by Ann Lee.|The class is taught by Tom Ray.
The database is Postgres 15.|The database got upgraded to Ubuntu 24.
The board meets on Monday.|We've moved the board to Friday this week.
The language of the course is Go.|The course is written in Python.
The standup is on Monday.|We've moved the standup to Friday this week.
The standup is on Monday.|The standup is on Friday this week.
The standup is at 9:00.|We moved the standup to 10:00 today.
The site is built with Hugo.|Make builds the site.
The site is built with Hugo.|Jekyll is what builds the site.
"""


@pytest.mark.parametrize(("first", "second"), [tuple(line.split("|")) for line in KEPT.strip().splitlines()])
def test_both_are_kept(first: str, second: str) -> None:
    """In either order."""
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The deadline is May 5.", "The deadline was moved to May 9 today."),
        ("The launch is on May 5.", "The launch slipped to May 9 this week."),
        ("The kickoff is on Friday.", "The kickoff has been postponed to Monday this morning."),
        ("My alarm is set for 6:15 on weekdays.", "I set my weekday alarm to 6:50 from today."),
    ],
)
def test_a_change_that_was_made_today_counts(first: str, second: str) -> None:
    """Unlike one of a weekday or a time of day, which may be for once."""
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Redis is what the app uses.", "Kafka is what the app uses."),
        ("Rust is the language I like.", "Go is the language I like."),
        ("Ann Lee is the friend I trust.", "Tom Ray is the friend I trust."),
        ("The captain of the team is Paris Lee.", "The captain of the team has gone to Oslo."),
        ("We monitor the robots with Zabbix.", "We monitor the robots with Datadog."),
    ],
)
def test_what_was_confused_before_is_kept_as_well(first: str, second: str) -> None:
    assert not retires(GRAMMAR, first, second)
