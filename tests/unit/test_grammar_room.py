"""What leaves room for another value beside it, what is denied, and what is no value: nothing of it supersedes."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.extraction.sentences.comparing import class_of
from memstrata_integrations.facts import Extraction

GRAMMAR = GrammarExtractor()

BOTH_STAY = [
    # several suppliers, backers, checks, materials and forms
    ("Honey is supplied by Imkerei Lott.", "Honey is supplied by the Aldous farm."),
    ("The choir trip is funded by the parish.", "The choir trip is funded by the lottery."),
    ("The regatta is sponsored by Nordlicht.", "The regatta is sponsored by Tesk Marine."),
    ("The parser is tested with Hypothesis.", "The parser is tested with tox."),
    ("The stylesheets are linted with Stylelint.", "The stylesheets are linted with Prettier."),
    ("The bench is made of larch.", "The bench is made of wood."),
    ("The jar lids are made of tin.", "The jar lids are made of metal."),
    ("The jam is sold in 200 g jars.", "The jam is sold in 450 g jars."),
    ("The manual is available as PDF.", "The manual is available as HTML."),
    ("The feed is served as RSS.", "The feed is served as XML."),
    ("The lab is booked on Monday.", "The lab is booked on Thursday."),
    ("Ida sits on the board of Halden Energy.", "Ida sits on the board of the opera."),
    ("Ida is on the jury of the Lind Prize.", "Ida is on the jury of the film festival."),
    # all of a kind, named by one word
    ("Photos are stored in Glacier.", "Photos are stored in Dropbox."),
    ("Mugs are kept in the cupboard.", "Mugs are kept in the dishwasher."),
    ("Errors are tracked in Bugsnag.", "Errors are tracked in Jira."),
    ("Parcels are delivered by Hermes.", "Parcels are delivered by the village post."),
    ("Bread is baked by Anders.", "Bread is baked by Berit."),
    ("Logs are written to stdout.", "Logs are written to disk."),
    # the watched
    ("The cluster is monitored by Zabbix.", "The cluster is monitored by Datadog."),
    ("The billing service is monitored by Grafana.", "The billing service is monitored by the SRE bot."),
    # a language and its framework, a cloud and its service, names of one zone, a family of licences
    ("The backend is written in Ruby.", "The backend is written in Rails."),
    ("The frontend is written in TypeScript.", "The frontend is written in React."),
    ("The shop is built with Vue.", "The shop is built with Tailwind."),
    ("The portal is hosted on AWS.", "The portal is hosted on Kubernetes."),
    ("The operating system is Debian.", "The operating system is Linux."),
    ("The time zone of the booth is Central European Time.", "The time zone of the booth is Europe/Oslo."),
    ("The licence is BSD.", "The licence is BSD-3-Clause."),
    # denials
    ("Our ticket tool is Zammad.", "We don't use Znuny as our ticket tool."),
    ("Our ticket tool is Zammad.", "We refuse to use Znuny as our ticket tool."),
    ("Our ticket tool is Zammad.", "Nobody uses Znuny as our ticket tool."),
    ("Our ticket tool is Zammad.", "The team never uses Znuny as its ticket tool."),
    ("The colour of the gate is green.", "The colour of the gate is definitely not red."),
    ("The head of sales is Ines.", "The head of sales is certainly not Marek."),
    ("The venue is the old mill.", "The venue is reportedly the town hall."),
    # keys that come again
    ("Tag: red", "Tag: blue"),
    ("Topic: sailing", "Topic: rowing"),
    ("Category: tools", "Category: travel"),
    ("Allowed origin: https://a.lund.example", "Allowed origin: https://b.lund.example"),
    ("Trusted proxy: proxy-1", "Trusted proxy: proxy-2"),
    # several of a firm, parts of a release
    ("Our supplier is Audi.", "Our supplier is Bosch."),
    ("Our instructor is Ann.", "Our instructor is Bob."),
    ("The co-author is Ann Weber.", "The co-author is Paul Stein."),
    ("The release contains a fix for #204.", "The release contains a fix for #219."),
    # placeholders, and lines of logs
    ("email: ann@wren.io", "email: user@example.org"),
    ("path: /srv/x", "path: /path/to/x"),
    ("bucket: wren-logs", "bucket: my-bucket"),
    ("token: abc123", "token: process.env.TOKEN"),
    ("nginx: workers is 4", "nginx: workers is 8"),
    ("worker[17]: retries is 3", "worker[17]: retries is 4"),
]

UPDATES = [
    ("The regatta is sponsored by Nordlicht.", "The regatta is now sponsored by Tesk Marine."),
    ("Juniper Catering supplies lunch for the Porto office.", "Lunch for the Porto office is supplied by Green Fork."),
    ("Our floors are made of oak.", "Our floors are made of cork."),
    ("The monorepo is built with Bazel.", "The monorepo is built with Pants."),
    ("The backend is written in Ruby.", "The backend is written in Elixir."),
    ("The frontend is written in Angular.", "The frontend is written in Svelte."),
    ("The portal is hosted on AWS.", "The portal is hosted on Hetzner."),
    (
        "The alarm in the jewellery shop is monitored by Sentinel.",
        "The alarm in the jewellery shop is monitored by Nord.",
    ),
    ("Terraform state is stored in s3://tf-old.", "Terraform state is stored in s3://tf-new."),
    ("`color` defaults to auto.", "`color` defaults to never."),
    ("Exports must not exceed 5 MB.", "Exports must not exceed 9 MB."),
    ("The audio guide is available in 5 languages.", "The audio guide is available in 7 languages."),
    ("Allowed downtime: 5 minutes", "Allowed downtime: 9 minutes"),
]


def _retires(first: str, second: str) -> bool:
    earlier, later = GRAMMAR.extract([first, second])
    return _closes(earlier, later)


def _closes(earlier: Extraction, later: Extraction) -> bool:
    stated = {(f.subject, f.relation, f.dimension): f.value for f in later.facts}
    return bool(earlier.facts) and any(
        stated.get((f.subject, f.relation, f.dimension), f.value) != f.value for f in earlier.facts
    )


@pytest.mark.parametrize(("first", "second"), BOTH_STAY, ids=lambda s: s[:40])
def test_both_stay(first: str, second: str) -> None:
    assert not _retires(first, second)
    assert not _retires(second, first)


@pytest.mark.parametrize(("first", "second"), UPDATES, ids=lambda s: s[:40])
def test_the_later_takes_the_place_of_the_earlier(first: str, second: str) -> None:
    assert _retires(first, second)


def test_classes_of_values_keep_apart_what_may_hold_one_another() -> None:
    assert class_of("python", "is done thus") != class_of("django", "is done thus")
    assert class_of("spring", "is") is None
