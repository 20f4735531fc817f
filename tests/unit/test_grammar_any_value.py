"""A reading does not depend on the value: other values in one frame replace each other, other forms of one do not."""

from __future__ import annotations

from itertools import permutations

import pytest

from eval.probe import retires, superseded_by
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

FRAMES = {
    "The grace time of the kiosk is {}.": "half an hour;an hour;20 minutes;45 s;1h30m;a day;two weeks",
    "Vouchers of the mill shop expire after {}.": "a week;90 days;three weeks;half a day;36 hours",
    "The fish stall opens at {}.": "9:30 AM;7 am;10 a.m.;08:15;half past six in the morning;11:00 AM",
    "The levy on plastic cups is {}.": "3 per cent;5%;half a percent;7.5 percent",
    "The loan of the barn ends on {}.": "17/06/2031;18/06/2031;02/01/2030",
    "The hearing is on {}.": "the 12th;the 26th;the 3rd",
    "The entry point of the viewer is {}.": "main.js;index.mjs;app.rb;View.vue;Makefile;start.ps1;lib/main.dart;run.kt",
    "The dump of the ledger is kept in {}.": "build/dumps;/srv/dumps;./dumps;~/dumps",
    "The notebook of the lab is stored in {}.": "lab.ipynb;lab.md;lab.parquet;lab.txt",
    "The Terraform state of the quay app is kept in {}.": "s3://quay-a;gs://quay-b;s3://quay-b/state",
    "The base image of the sorter is {}.": "debian:bookworm-slim;postgres:16;alpine:3.19;amazonlinux:2023",
    "The lectures are printed in {}.": "Latvian;English;Swahili;Icelandic;German;Catalan",
    "The teaching language of the course is {}.": "Danish;Polish;Basque;English;Mandarin",
    "I live in {}.": "Ghana;Norway;Estonia;New Zealand;Peru;Kenya",
    "The queue of the shop runs in {}.": "us-east-1;westeurope;europe-west4;eastus2;ap-southeast-1",
    "The cafe of the pool is run by {}.": "Savoury Ltd;Green Ladle Catering;Hartmann GmbH;Orchard Foods plc",
    "The ledger service is owned by {}.": "Team Falcon;the data team;the SRE team;the Growth squad",
    "{} leads the dig.": "Oskar van Dijk;Rosa de la Cruz;Ewa Nowak;Mary-Jane Watts",
    "Interviews for the apprentice programme are conducted by {}.": "Rosa de la Cruz;Piet van der Berg;Ewa Nowak",
    "The rebuild of the index runs {}.": "daily;twice a week;monthly;every 6 hours;three times a day;quarterly",
    "The `blend` parameter defaults to {}.": "strict;lenient;fast;auto;manual",
    "The default branch of the tide repo is {}.": "main;staging;develop;trunk;next",
    "The tide submodule is pinned to {}.": "main;develop;trunk;master",
    "Redis runs on {}.": "10.0.3.7;cache-1.internal;10.0.3.8;cache-2.internal",
    "My favourite sport is {}.": "rowing;tennis;climbing;fencing;football",
    "My bike is locked at {}.": "the station;the library;the old mill;the boathouse",
    "Entry to the glass museum is {}.": "75 kr;90 kronor;120 kr",
    "The Ravn project is licensed under the {}.": "MIT License;Apache License 2.0;Mozilla Public License 2.0",
}

SAME = {
    "The grace time of the kiosk is {}.": "half an hour;30 minutes;30 min;1800 s;thirty minutes",
    "Vouchers of the mill shop expire after {}.": "a fortnight;2 weeks;14 days;two weeks",
    "The fish stall opens at {}.": "9:30 AM;9:30 am;09:30;9:30;half past nine",
    "The levy on plastic cups is {}.": "5 per cent;5%;5 percent;five percent;5.0 %",
    "The rebuild of the index runs {}.": "daily;once a day;every day;every 24 hours;nightly",
    "The sweep of the index runs {}.": "fortnightly;every two weeks;every other week;biweekly;every 14 days",
    "The copy of the index runs {}.": "twice a day;every 12 hours;two times a day",
    "The frame of the kite is made of {}.": "aluminium;aluminum;Aluminium",
    "The main colour of the flag is {}.": "grey;gray;Grey",
    "The pump is kept in {}.": "the theatre;the theater;the Theatre",
    "The choir of the mill meets on {}.": "Tuesday at 7 pm;Tuesdays at 19:00;Tuesday evening;Tuesday at 7;Tuesdays",
    "Alerts of the mill go to {}.": "#mill-alerts;`#mill-alerts`;the #mill-alerts channel",
    "The export format of the mill is {}.": "JSON;json;`json`;.json;Json",
    "The runtime of the mill app is {}.": "K8s;Kubernetes;k8s;kubernetes",
    "The hash of the mill app is {}.": "SHA-256;SHA256;sha-256;sha256",
    "The licence of the mill app is {}.": "Apache-2.0;Apache 2.0;the Apache License 2.0;Apache License, Version 2.0",
    "My uncle lives in {}.": "Kraków;Krakow;Cracow",
    "My niece lives in {}.": "Zürich;Zurich",
    "My nephew lives in {}.": "the Netherlands;Netherlands",
    "The canteen of the mill is run by {}.": "Savoury Ltd;Savoury;Savoury Limited;Savoury Catering;Savoury Group",
    "The porch of the mill is owned by {}.": "Green Ladle;Green Ladle Catering;the Green Ladle;Green Ladle Ltd",
    "The audit of the mill is led by {}.": "Anna Berg;A. Berg;Anna B.;Dr. Berg;Dr Anna Berg;Anna",
    "My dentist is {}.": "J. P. Miller;J.P. Miller;John Miller;Dr Miller",
    "The treasurer of the mill is {}.": "Rosa de la Cruz;Ms de la Cruz;Rosa Cruz",
    "The entry point of the mill app is {}.": "main.js;./main.js;`main.js`",
    "The logs of the mill are written to {}.": "build/logs;build/logs/;./build/logs",
    "The default branch of the mill repo is {}.": "main;`main`;the main branch",
    "The fee for the mill tour is {}.": "99p;99 pence;£0.99",
    "The loan of the mill ends on {}.": "17/06/2031;17 June 2031;17.06.2031;17.6.2031",
    "The mill is read as {}.": "read-only;read only",
    "The yoga class of the mill takes place in {}.": "the Elm room;Elm room;the Elm Room",
}

APART = [
    ("The report arrives a day late.", "The report arrives a week late."),
    ("The museum opens an hour before the shop.", "The museum opens half an hour before the cafe."),
    ("The walk to the lake takes an hour.", "The walk to the mill takes half an hour."),
    ("We rehearsed for an hour.", "We rehearsed for half an hour."),
    ("The drive takes an hour by car.", "The drive takes two hours by bus."),
    ("A day ticket costs 5 euros.", "A week ticket costs 20 euros."),
    ("The bus takes half an hour on Sundays.", "The bus takes an hour on weekdays."),
    ("Each lesson lasts half an hour.", "The last lesson lasts an hour."),
    ("The invoice is due on the 1st.", "The rent is due on the 15th."),
    ("The concert was on 17/06/2019.", "The concert was on 18/07/2019."),
    ("Notes are kept in notes.md.", "Drafts are kept in drafts.md."),
    ("The logs are written to build/output.", "The logs are written to s3://tern-logs."),
    ("The logs are written to /var/log/app.log.", "The logs are written to #ops-logs."),
    ("The schema is defined in schema.graphql.", "The types are defined in types.graphql."),
    ("The base image of the api is postgres:16.", "The base image of the tests is postgres:15."),
    ("The tour is held in Danish.", "The tour is held in Aarhus."),
    ("The leaflet is in Welsh.", "The leaflet is in English."),
    ("I speak Latvian.", "I speak Estonian."),
    ("The app is deployed in Europe.", "The app is deployed in France."),
    ("The app is deployed in Asia.", "The app is deployed in Singapore."),
    ("I live in Scotland.", "I live in Edinburgh."),
    ("I live in Scotland.", "I live in the United Kingdom."),
    ("I live in America.", "I live in Canada."),
    ("My aunt lives in Bavaria.", "My aunt lives in Germany."),
    ("The firm has offices in Ghana.", "The firm has offices in Kenya."),
    ("My cousin was born in Ghana.", "My cousin lives in Kenya."),
    ("Releases are cut from main.", "Hotfixes are cut from stable."),
    ("The full backup runs weekly.", "The incremental backup runs daily."),
    ("The backup runs weekly.", "The backup runs every Monday."),
    ("The bus runs hourly on Sundays.", "The bus runs every 20 minutes on weekdays."),
    ("The cron job runs three times a day in summer.", "The cron job runs once a day in winter."),
    ("The door is locked at night.", "The door is locked at the weekend."),
    ("The bike was locked at the station.", "The bike was locked at the library."),
    ("The Terraform state is kept in s3://tern-core.", "The Terraform state is locked."),
    ("The flag is tested on staging.", "The flag is tested on production."),
    ("The office in Leeds closes at 5 PM.", "The office in York closes at 6 PM."),
    ("Coffee costs 99 pence at the kiosk.", "Coffee costs 2 pounds at the bar."),
    ("We plan to move to Estonia.", "We plan to move to Latvia."),
    ("The team played in Kazakhstan.", "The team played in Mongolia."),
    ("She likes rowing.", "She likes climbing."),
    ("My hobby is fencing.", "My hobby is rowing."),
    ("Our warehouse in Malta runs on diesel.", "Our warehouse in Cyprus runs on gas."),
    ("The API is served from localhost in tests.", "The API is served from api.tern.example in production."),
    ("The cluster of the shop runs in westeurope.", "The cluster of the till runs in northeurope."),
    ("The cluster is mirrored in westeurope.", "The cluster is mirrored in northeurope."),
    ("The `strict` parameter defaults to lenient.", "The `mode` parameter defaults to strict."),
    ("Redis runs on 10.0.3.7.", "Kafka runs on 10.0.3.8."),
    ("The locker 93-B is mine.", "The locker 94-C is mine."),
]


def _filled(frame: str, values: str) -> list[str]:
    texts = [frame.format(value) for value in values.split(";")]
    return [f"{text[0].upper()}{text[1:]}" for text in texts]


@pytest.mark.parametrize(("frame", "values"), FRAMES.items())
def test_any_value_replaces_any_other_of_its_kind(frame: str, values: str) -> None:
    kept = [(a, b) for a, b in permutations(_filled(frame, values), 2) if not retires(GRAMMAR, a, b)]
    assert kept == []


@pytest.mark.parametrize(("frame", "values"), SAME.items())
def test_another_form_of_a_value_replaces_nothing(frame: str, values: str) -> None:
    lost = [(a, b) for a, b in permutations(_filled(frame, values), 2) if superseded_by(*GRAMMAR.extract([a, b]))]
    assert lost == []


@pytest.mark.parametrize(("first", "second"), APART)
def test_look_alikes_with_such_values_both_stay(first: str, second: str) -> None:
    assert not superseded_by(*GRAMMAR.extract([first, second]))
    assert not superseded_by(*GRAMMAR.extract([second, first]))
