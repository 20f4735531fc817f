"""One fact as a line and as a sentence: table rows, labels, notes of changes, messages; and lines that only look so."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from tests.unit.kept import assert_kept, pairs_of

GRAMMAR = GrammarExtractor()

# The second, a line, takes the place of the first
RETIRED = """
The read timeout of the billing client is 10 seconds.
    Billing client: read timeout now 25 seconds.
    billing client: read timeout → 25 seconds
    billing client: raise read timeout from 10 to 25 seconds
    | billing client | read timeout | 25 seconds |
The upload limit of the photo service is 5 MB.
    photo service: upload limit raised to 20 MB
    | Photo service | upload limit | 20 MB |
The Fenwick hostel has 48 beds.
    | Fenwick hostel | beds | 54 |
    Fenwick hostel: 54 beds
The number of pupils at Elmdale Primary is 210.
    | Elmdale Primary | number of pupils | 231 |
The mail relay of the Oxlip helpdesk is smtp2.oxlip.example.
    | Oxlip helpdesk | mail relay | out.oxlip.example |
The licence key for Larkfield CAD is LF-4410-77.
    | Larkfield CAD | licence key | LF-8102-35 |
The on-call engineer for Hobday Billing is Lucy Frame.
    | Hobday Billing | on-call engineer | Edwin Marsh |
The SLA for the Silver tier is 99.5 %.
    | SLA, Silver tier | 99.7 % |
The lecture hall suite costs €310 per night.
    | lecture hall suite | price per night | €340 |
The shipping vendor for the Baltics is Amberline.
    Shipping vendor (Baltics): now Kurier
The door code of the fitness room is 7731.
    new door code for the fitness room, everyone: 9046
The barrier code of the car park at Scar Point is 3141.
    New barrier code for the car park at Scar Point: 2718
The late fee at the Elm Road library is €10.
    Elm Road library late fee: up from €10 to €15
The gate of the Harbour shuttle is B12.
    Correction: the gate of the Harbour shuttle is now B27.
The curfew at the Fen hostel is 23:00.
    Handbook change: curfew at the Fen hostel moved from 23:00 to 22:00
The viaduct at Ravenside has 17 arches.
    After the count: the viaduct at Ravenside has 18 arches.
The poll interval of the dispatcher is 10 s.
    perf: dispatcher poll interval lowered to 4 s
The vending machine on level 1 is filled by Snackworld.
    Level 1's vending machine: now filled by Automat Plus.
Teal is released under the MIT licence.
    Licence of Teal: Apache-2.0
    | Teal | licence | Apache-2.0 |
The nightly export is delivered as CSV.
    | nightly export | format | Parquet |
The seminar on ethics is held in French.
    | seminar on ethics | language | German |
On the Heron cluster, queries are cancelled after 10 minutes.
    | Heron cluster | query timeout | 30 minutes |
The mirror is rebuilt every 12 hours.
    Rebuild interval of the mirror: 6 hours
The Eastlake clinic closes at 17:30.
    Closing time at the Eastlake clinic is 18:45.
    | Eastlake clinic | closing time | 18:45 |
Trash is collected on Wednesdays.
    | trash | collection day | Friday |
Cron expression of the reminder run: 0 6 * * 1
    Cron expression of the reminder run: 30 5 * * 2
The parser allows a nesting depth of 32.
    Maximum nesting depth of the parser: 64
Maximum session length on the exam platform: 90 minutes
    A session on the exam platform can last up to 120 minutes.
The gem cache of the build box lives in /opt/gems.
    Location of the gem cache of the build box: /var/cache/gems
Invoices for Barrow & Sons go to accounts@barrow.example.
    | Barrow & Sons | invoice address | payables@barrow.example |
Lena Hartwig's extension is 4410.
    Directory: change Lena Hartwig's extension from 4410 to 4437
The release manager for 7.0 is Ruth Osterman.
    Release manager for 7.0 has changed: Ruth Osterman → Devin Park
The fee of the Kelso club is €60 per year.
    | Kelso club | fee per year | €75 |
The accompanist of the Ash choir is Nora Feld.
    | Ash choir | accompanist | Olaf Berg |
The nursery on Elm Street opens at 7:30.
    | nursery on Elm Street | opens at | 8:00 |
The billing service is owned by the Ledger team.
    | billing service | owner | Payments team |
Storage on-call: Miriam Achebe
    The on-call engineer for storage is Bartosz Klein.
"""
# Each says nothing against what stands above it
KEPT = """
Office hours: from 9 to 17
    Office hours in July: from 10 to 14
Password length: min 12
    Password length: max 128
Allowed origin: https://app.tern.example
    Allowed origin: https://beta.tern.example
port: 80
    ports: 80 -> 8080
The default branch of Teal is main.
    Idea: default branch of Teal is trunk
    Example: the default branch of Teal is trunk
    Proposal: switch default branch of Teal to trunk
    Question: is the default branch of Teal trunk?
    Rumour: the default branch of Teal is trunk
    Old: default branch of Teal is master
    todo: change default branch of Teal to trunk
Booked: flight to Oslo on the 3rd.
    Booked: flight to Bergen on the 9th.
Taxi: €23
    Taxi: €18
Team Elk: the stand-up is at 9:30.
    Team Otter: the stand-up is at 9:50.
Second floor: the printer is hp-2f.
    Third floor: the printer is hp-3f.
Room A (projector broken): the capacity is 20.
    Room B (projector fine): the capacity is 35.
| Room 14 | seats | 28 |
    | Room 15 | seats | 30 |
    | Room 14 | tables | 9 |
| Teal | storage | 500 GB |
    | Larch | storage | 100 GB |
    | Teal | memory | 8 GB |
| Ann Lee | skill | Python |
    | Ann Lee | skill | Rust |
| Ann Lee | task | Fix the build |
    | Ann Lee | task | Write the docs |
| Ann Lee | owner | Search |
    | Ann Lee | owner | Billing |
| Ann Lee | language | French |
    | Ann Lee | language | German |
| Acme | partner | Orbit |
    | Acme | partner | Larch |
Ann: 4 goals
    Ann: 2 goals
| Friday | dinner | Pasta |
    | Friday | dinner | Soup |
| Ann Lee | sister | Bea |
    | Ann Lee | sister | Cleo |
| Monday | lunch | Pasta |
    | Monday | lunch | Soup |
| run 12 | score | 0.81 |
    | run 12 | score | 0.79 |
| order | total | €40 |
    | order | total | €55 |
billing client: read timeout 25 seconds
    billing client: write timeout 40 seconds
    search client: read timeout 40 seconds
    billing client in staging: read timeout 40 seconds
    billing client: read timeout was 40 seconds in May
    Maybe the read timeout of the billing client is 40 seconds.
chore(api): bump node to 20
    chore(web): bump node to 22
    chore(api): bump redis to 7
fix(helm): set replicas to 3 for gateway
    fix(helm): set replicas to 6 for ingest
Gorse Hill fire station: 4 engines
    Gorse Hill fire station: 2 ladders
    Fen Hill fire station: 3 engines
The store opens at 9:00.
    The opening of the new store was moved to 10:00.
    Opening time at the pharmacy is 8:00.
Teal is released under the MIT licence.
    Teal is released under the name Lagoon.
    Teal Pro is released under a commercial licence.
The report on wages is delivered as PDF.
    The report on wages is delivered as a surprise.
The seminar is held in French.
    The seminar is held in Berlin.
Queries are cancelled after 10 minutes.
    Uploads are cancelled after 30 minutes.
    Subscriptions are cancelled after 30 days.
Orders are cancelled after 3 days.
    The order timeout is 15 minutes.
Errors are reported to #alerts.
    Errors are reported to the police.
The parser allows a nesting depth of 32.
    The parser needs a nesting depth of 8.
    The writer allows a nesting depth of 64.
A session on the exam platform can last up to 120 minutes.
    A break on the exam platform can last up to 15 minutes.
    The last session on the exam platform took 90 minutes.
The gem cache lives in /opt/gems.
    The function load_gems lives in /opt/lib/gems.rb.
    Location of the old gem cache: /var/old
Invoices for Barrow go to accounts@barrow.example.
    Complaints for Barrow go to care@barrow.example.
    | Barrow | sales address | sales@barrow.example |
| Wagner suite | price per night | €340 |
    | Wagner suite | price per week | €1,900 |
    | Wagner suite | deposit | €100 |
Cron expression of the reminder run: 0 6 * * 1
    Cron expression of the dunning run: 0 5 * * 2
Tom: the wifi code is 1234
    Ann: the wifi code is 9999
"""


@pytest.mark.parametrize(("first", "second"), pairs_of(RETIRED))
def test_a_line_takes_the_place_of_a_sentence(first: str, second: str) -> None:
    earlier, later = GRAMMAR.extract([first, second])
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts}
    held = [f for f in earlier.facts if not f.beside]
    assert held
    assert not earlier.prose
    for fact in held:
        assert stated.get((fact.subject, fact.relation, fact.dimension), fact.value) != fact.value


@pytest.mark.parametrize(("first", "second"), pairs_of(KEPT))
def test_a_line_of_something_else_retires_nothing(first: str, second: str) -> None:
    assert_kept(first, second)


@pytest.mark.parametrize("line", ["Fun fact: the ink is green", "a: b", "| a | b |", "- : -"])
def test_a_remark_names_nothing(line: str) -> None:
    assert not GRAMMAR.extract([line])[0].facts
