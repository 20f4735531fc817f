"""Statements of change that speak of a neighbour: its part, its past, its copy, another holder, another role."""

from __future__ import annotations

import pytest

from .kept import assert_kept, pairs_of

KEPT = """
The billing job runs on host-3.
    The billing job was moved from host-1 to host-2 in staging.
The winner of the cup is Lee.
    The winner of the cup was Kim, but the trophy is with Lee.
The owner is Lee.
    The owner is Lee (was on leave).
The timeout is 30 s.
    The write timeout went from 30 s to 60 s.
    On the canary hosts, we raised the timeout to 60 s.
    In staging we raised the timeout to 60 s.
    For large files we raised the timeout to 60 s.
The captain of the Ravens is Ida Bo.
    The captaincy of the Ravens juniors passed from Ida Bo to Lu Wen.
    The captaincy of the Hawks passed from Ida Bo to Lu Wen.
The owner of the parser is Ann.
    The ownership of the parser tests was transferred to Bo.
`parse` returns a list.
    `parse` was changed to return early on errors.
`parse` takes 2 arguments.
    `parse_all` was changed to take 3 arguments.
`retry()` waits 2 seconds.
    `retry()` was changed to wait 5 seconds on Windows.
    `retry(jitter)` was changed to wait 5 seconds.
Our ISP is Fennel Net.
    We left Fennel Net for Quillwave as our phone provider.
    My parents left Fennel Net for Quillwave as their ISP.
Our phone provider is Fennel Net.
    We left the Fennel Net party for dinner as our hosts slept.
The max upload size is 25 MB.
    The max upload size was raised from 25 MB to 50 MB for admins.
    The max upload size of the mobile app was raised from 25 MB to 50 MB.
    max upload size, test run: 25 MB -> 50 MB
State transitions: open
    State: open -> closed
The route is /v1/users.
    Redirect /v1/users -> /v2/users
port: 80
    ports: 80 -> 8080
The rate is 5%.
    Between 2010 and 2020 the rate went from 5% to 7%.
The population of Eskmoor is 41,200.
    Between 1950 and 1960 the population of Eskmoor grew from 20,000 to 25,000.
    In the 1990s, the population of Eskmoor grew from 20,000 to 25,000.
    The population of Eskmoor had grown to 25,000 by 1960.
    By 1960 the population of Eskmoor had grown to 25,000.
    In 1960 the population of Eskmoor rose to 25,000.
The price of bread is 3 euros.
    The price of bread rose to 5 euros in 2008.
The coach of FC Varda is Tomas Brandl.
    Tomas Brandl succeeded Ivo Lenz as coach of FC Varda in 2004.
    Ivo Lenz replaced Otto Kern as coach of FC Varda in 1998.
The mayor of Oslo is Kim Berg.
    Lee Dahl was elected mayor of Bergen.
The temperature of the lab is 21 °C.
    During the experiment the temperature of the lab rose to 28 °C.
    The temperature outside the lab rose to 28 °C.
The CPU usage of db-1 is 40%.
    The CPU usage of db-2 went from 40% to 90%.
The queue length limit is 100.
    The queue length went from 100 to 5,000.
The number of workers is 8.
    The number of idle workers went from 8 to 2.
Marten has 12 employees.
    Marten's Oslo branch grew from 12 to 20 employees.
The flight to Rome leaves from gate B12.
    The flight to Milan was moved from gate B12 to gate C4.
The dentist appointment is on Tuesday.
    Leo's dentist appointment was moved from Tuesday to Thursday.
My dentist appointment is on Tuesday.
    Leo moved his dentist appointment from Tuesday to Thursday.
My phone number is 555-0142.
    Leo changed his phone number to 555-0199.
    I changed my work phone number to 555-0199.
My bank is Nordbank.
    Lina switched banks from Nordbank to Openfield.
    I moved my savings from Nordbank to Openfield.
I live in Lisbon.
    I moved my books from Lisbon to Porto.
    My brother moved from Lisbon to Porto.
    I drove from Lisbon to Porto.
Anton studies at Uppsala.
    Anton transferred money from Uppsala to Lund.
My brother Anton studies at Uppsala.
    My brother Jonas transferred from Uppsala to Lund.
My brother Anton plays for Uppsala.
    My brother Anton transferred from Lund to Oslo.
The HQ of Tern is in Oslo.
    Tern moved its call centre from Oslo to Riga.
    Tern's parent company moved its HQ from Oslo to Riga.
The call centre of Tern is in Oslo.
    Tern moved part of its call centre from Oslo to Riga.
The users table is stored in MySQL.
    The users table of the test rig was migrated from MySQL to Postgres.
The plugin loader is defined in core/loader.py.
    The plugin loader tests were moved from core/loader.py to tests/loader.py.
    `_scan` was moved from core/loader.py to core/scan.py.
The default branch is master.
    The release branch was renamed from master to main.
The default branch of the docs repo is master.
    The default branch of the site repo was renamed from master to main.
The table is called orders.
    The index was renamed from orders to orders_idx.
The team's chat is Slack.
    Another team's chat moved from Slack to Teams.
The licence of Paperclip is MIT.
    Parts of Paperclip were relicensed under GPL 3.0.
    Paperclip's docs were relicensed under CC BY 4.0.
    Paperclip was almost relicensed under GPL 3.0.
    The logo of Paperclip was relicensed under CC BY 4.0.
The light is on.
    Lee switched the light from on to off and on again.
The debug flag is off.
    The debug flag was turned on for the demo.
    The trace flag was flipped to on.
The alarm is set for 6:30.
    I've reset the timer for 7:00.
    I've reset the alarm for 7:00 tomorrow.
    I've reset the alarm for 7:00 on Sunday.
The blood test is booked for 9 March.
    The eye test was rebooked for 16 March.
Orders go to the depot in Kent.
    One order has been redirected to the kiosk in Dover.
The parcel goes to Kent.
    A parcel was redirected to Dover.
Zephyr is owned by Ann Roe.
    A stake in Zephyr was acquired by Tern.
    Zephyr's bakery was acquired by Tern.
    Zephyr was nearly bought by Tern.
    Zephyr was bought a drink by Tern.
The bookshop is run by Ann Roe.
    Bo took over the bookshop's lease from Ann Roe.
    Bo took over the bookshop for the weekend.
    Bo took over the bookshop's Instagram.
The release is managed by Ann.
    Ann handed the microphone over to Bo.
    Ann handed over the release notes to Bo.
The king of Morvane is Otto II.
    In 1720 Otto I was succeeded by Karl as king of Morvane.
The lead of Team Iris is Ana.
    Ana now leads Team Fern.
Team Iris is led by Ana.
    Bo now leads Team Iris Junior.
    Bo now leads Team Iris's standups.
    Bo leads Team Iris's offsite now and then.
The deploy script is deploy.sh.
    The rollback script was switched from deploy.sh to undo.sh.
The chart uses Helm 3.
    We moved from Helm 2 to Helm 3 years ago.
The authentication method of the Stoat API is HTTP Basic.
    The Stoat API has moved to OAuth 2.0 as its method for webhooks.
    The Stoat SDK has moved to OAuth 2.0 as its authentication method.
The database of the shop is Postgres.
    The shop moved to Postgres 16 as its database.
    The database of the shop was upgraded to Postgres 16.
The storage backend for artifacts is MinIO.
    For thumbnails we replaced MinIO with S3 as the storage backend.
    In the demo we replaced MinIO with S3 as the storage backend for artifacts.
The fee at Little Otters is 610 euros.
    Little Otters raised its late fee to 655 euros.
The deposit at Little Otters is 100 euros.
    Little Otters raised its fee from 100 euros to 120 euros.
The price of the bread at Marlow's is 3 euros.
    Marlow's raised its price for cake to 4 euros.
The config path is /etc/a.conf.
    A copy of the config was moved to /tmp/a.conf.
The config file is located at /etc/a.conf.
    The backup of the config file was moved to /tmp/a.conf.
    Moved the old config file to /tmp/a.conf.
    We moved a config file to /tmp/a.conf.
The dashboard lives at grafana.corp.
    The old dashboard was moved to archive.corp.
    Another dashboard was moved to archive.corp.
    We moved two dashboards to archive.corp.
The logo is at assets/logo.png.
    The dark logo was moved to assets/dark.png.
The user limit is 50.
    The user limit was raised to 80 in the beta.
    The user limit would be raised to 80.
    Having raised the user limit to 80, we saw timeouts.
    The user limit was raised to 80, which was a mistake, so we undid it.
    The user limit was raised to 80. We rolled that back.
    The user limit was raised to 80 on trial.
    User limit raised to 80? No.
    "The user limit was raised to 80" was the headline.
    The changelog claims the user limit was raised to 80.
    Lee said the user limit was raised to 80.
    The user limit was supposed to be raised to 80.
    The user limit was never raised to 80.
    I dreamt that the user limit was raised to 80.
    Proposal: the user limit is raised from 50 to 80.
    TODO: raise user limit from 50 to 80
    Option B: user limit raised to 80.
    Before the rollback the user limit was raised to 80.
    A year ago the user limit was raised to 80.
    Last year the user limit was raised to 30 and then to 50.
    The user limit was first raised to 30.
    The user limit was initially raised to 80.
    The user limit of plan B was raised from 50 to 80.
    Plan B's user limit was raised from 50 to 80.
    In plan B, the user limit was raised from 50 to 80.
    The guest user limit was raised from 50 to 80.
    The soft user limit went from 50 to 80.
Shelf 3 holds 40 boxes.
    Shelf 4 went from 40 to 60 boxes.
Server A has 16 GB of memory.
    Server B was upgraded from 16 GB to 32 GB of memory.
Lee's shift starts at 9:00.
    Kim's shift was moved from 9:00 to 11:00.
    Lee's Tuesday shift was moved from 9:00 to 11:00.
The gym opens at 6:00.
    The gym's pool was moved from 6:00 to 7:00.
The concert is on Friday.
    The rehearsal for the concert was moved from Friday to Thursday.
The concert starts at 20:00.
    Doors for the concert were moved to 19:00.
    The end of the concert was moved to 23:00.
The train departs at 8:05.
    The next train was moved to 8:20.
    The arrival of the train was moved to 8:20.
The deadline is Friday.
    Lee's deadline was moved from Friday to Monday.
    The deadline for part two was moved from Friday to Monday.
The head of design is Ana.
    Ana was promoted from head of design to chief of staff.
    The head of design moved from Oslo to Rome.
    The head of design changed her name to Ana Roe.
The spokesman of the union is Karl.
    Karl's deputy was replaced by Ida.
Ana's manager is Bo.
    Ana's manager moved from sales to support.
    Ana's manager's manager was replaced by Cy.
Ana works for Acme.
    Ana's team moved from Acme to Globex.
    Ana moved her account from Acme to Globex.
Ana works at Acme.
    Ana switched from Acme to Globex for her phone.
Ana lives in Berlin.
    Ana moved her company from Berlin to Munich.
    Ana's flight was moved from Berlin to Munich.
The band's drummer is Lou.
    The band's drummer was replaced by Max for the encore.
    The band's touring drummer was replaced by Max.
The chair of the board is Ruth.
    Ruth handed the gavel over to Colm.
The garden is owned by Ann.
    Ann gave a tour of the garden to Bo.
    Ann gave a key to the garden to Bo.
    Ann passed the salt to Bo.
The garden is run by Ann.
    Ann handed the garden hose over to Bo.
Tern owns the ledger service.
    Tern handed the ledger service docs over to Fern.
The ledger service is owned by Team Tern.
    The ledger service's pager was handed over to Team Fern.
    On-call for the ledger service was handed over to Team Fern.
The debug level is 2.
    The debug level was set to 5 yesterday while testing.
The colour of the door is red.
    The colour of the gate was changed from red to blue.
The version of the docs is 3.1.
    The docs theme was upgraded from 3.1 to 4.0.
Django is pinned to 4.2.
    django-filter was bumped from 4.2 to 5.0.
    Bump django from 4.2 to 5.0 in /examples
node is pinned to 18.
    The node image of the docs job was bumped from 18 to 20.
The port is 80.
    The port is not 80 but the protocol is HTTP.
The mascot is a bear.
    The mascot is not only a bear but a symbol.
The rate is 5%.
    The rate is not 5% but nobody knows what it is.
The chess club meets on Wednesdays.
    The chess club moved its summer meetings to Fridays.
    The chess club moved one of its meetings to Friday.
    The chess club moved this week's meeting to Friday.
    The go club moved its meetings to Fridays.
The store opens at 9:00.
    The opening of the new store was moved to 10:00.
The road ends at the mill.
    The end of the lease was moved to May.
The commute is 40 minutes.
    On Monday my commute went from 40 minutes to 25.
    Lena's commute went from 40 minutes to 25.
The audit log retention is 90 days.
    Last year we cut the trace retention to 30 days.
The standup is at 9:30.
    On Monday we moved the standup to 10:15.
    Yesterday the standup was moved to 10:15.
    Last week we moved the standup to 10:15.
The dinner is on Friday.
    On Friday we moved to the big table.
The API key header is X-Key.
    The session header was renamed from X-Key to X-Session.
The orders table is orders_v1.
    A column of the orders table was renamed from a to b.
The team is Hawks.
    The league was renamed from Hawks League to Eagle League.
The retention is 90 days.
    The retention, which was 90 days in 2020, is unclear.
    The retention of traces, which was 90 days, is now 30 days.
The owner of the house is Lee.
    Lee, who was the owner of the barn, is Kim's uncle.
The guide is Milo.
    Milo, formerly a guide, is a chef.
The chef is Rui.
    Rui, once a sailor, is now a baker.
"""


@pytest.mark.parametrize(("first", "second"), pairs_of(KEPT), ids=lambda text: text[:50])
def test_what_changes_something_else_closes_nothing(first: str, second: str) -> None:
    """A true fact that vanishes is worse than a stale one that stays."""
    assert_kept(first, second)
