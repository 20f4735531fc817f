"""Canonical subjects, values and relations."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata_integrations.canonical import canonical_subject, canonical_value, content_words, is_identifier
from memstrata_integrations.relations import FUNCTIONAL, RELATIONS, canonical_relation, cardinality_of
from memstrata_integrations.words import singular
from tests.shared_data import data_file

SAME_SUBJECT = [
    ("The timeout of the billing service", "the billing service's timeout"),
    ("the billing service timeout", "timeout for the billing service"),
    ("In staging, the timeout of the billing service", "the billing service's timeout in staging"),
    ("the maximum number of retries", "max retries number"),
    ("the timeout parameter of connect()", "the timeout of connect"),
    ("the environment variable DEBUG", "DEBUG"),
    ("the DEBUG environment variable", "debug"),
    ("the value of MAX_SIZE", "MAX_SIZE"),
    ("the `timeout` setting", "the timeout"),
    ("my favourite colour", "my favorite color"),
    ("the port is currently", "the port"),
    ("the manager of Alice's assistant", "Alice's assistant's manager"),
    ("the distance from Berlin to Rome", "the distance to Rome from Berlin"),
    ("the function load_config", "the load_config function"),
    ("the user limit of the admin group", "the admin group's user limit"),
    ("Retries", "the retries"),
]

OTHER_SUBJECT = [
    ("the distance from Berlin to Rome", "the distance from Rome to Berlin"),
    ("Alice's manager's assistant", "Alice's assistant's manager"),
    ("the owner of the project", "the project of the owner"),
    ("the write timeout of the read replica", "the read timeout of the write replica"),
    ("the Docker version in the Python image", "the Python version in the Docker image"),
    ("the minimum size", "the maximum size"),
    ("the read timeout", "the write timeout"),
    ("the source port", "the target port"),
    ("MAX_SIZE", "max_size"),
    ("loadConfig", "LoadConfig"),
    ("Williams", "William"),
    ("Alice's manager", "Alice's manager's manager"),
    ("the timeout per request", "the timeout per user"),
    ("the port with TLS", "the port without TLS"),
    ("shelf 3", "shelf 4"),
    ("typing-extensions", "typing-extension"),
    ("URL pattern named 'tag'", "URL pattern named 'tags'"),
    ("section [test] in tox.ini", "section [tests] in tox.ini"),
    ("attrs", "attr"),
    ("the timeout in staging", "the timeout in production"),
    ("server A", "the server"),
    ("plan A", "plan B"),
    ("the US region", "our region"),
    ("the IT budget", "the budget"),
    ("the timeout before the retry", "the timeout after the retry"),
    ("the user limit of the admin group", "the admin limit of the user group"),
    ("the phone of the plumber's neighbour", "the phone of the neighbour's plumber"),
    ("before noon", "after noon"),
]


@pytest.mark.parametrize(("left", "right"), SAME_SUBJECT)
def test_rephrased_subjects_agree(left: str, right: str) -> None:
    """Order, determiners, inflection and "of" against "'s" leave the key as it is."""
    assert canonical_subject(left) == canonical_subject(right)


@pytest.mark.parametrize(("left", "right"), OTHER_SUBJECT)
def test_look_alike_subjects_differ(left: str, right: str) -> None:
    """Whatever changes what is meant changes the key."""
    assert canonical_subject(left) != canonical_subject(right)


@pytest.mark.parametrize(
    "word",
    [
        "numpy",
        ".github/workflows/ci.yml",
        "{{cookiecutter.repo_name}}/requirements.txt",
        "actions/checkout@v4",
        "MAX_SIZE",
        "@tabler/core",
        "jobs.pylint.runs-on",
        "python-3.12.4",
    ],
)
def test_technical_names_survive(word: str) -> None:
    """Names of packages, paths, templates, actions and constants stay as written."""
    assert canonical_subject(word) == word
    assert word in canonical_subject(f"the pin of {word} in tox.ini").split()


@pytest.mark.parametrize("text", [side for pair in SAME_SUBJECT + OTHER_SUBJECT for side in pair])
def test_canonical_subject_is_idempotent(text: str) -> None:
    """A canonical subject can be given back where a subject is asked for."""
    assert canonical_subject(canonical_subject(text)) == canonical_subject(text)


@given(st.text(max_size=200))
def test_any_text_has_a_subject(text: str) -> None:
    """Nothing raises, and only white space has an empty key."""
    found = canonical_subject(text)
    assert bool(found) == bool(text.split())
    content_words(text)
    is_identifier(text)


@given(st.text(max_size=200), st.sampled_from([None, "version", "setting", "port", "duration", "name"]))
def test_any_text_has_a_value(text: str, expected: str | None) -> None:
    """Nothing raises, and the same text gives the same value and dimension."""
    assert canonical_value(text, expected) == canonical_value(text, expected)


@pytest.mark.parametrize(
    "spellings",
    [
        ["8080", "8,080", "8_080", "8080.0"],
        ["4096", "0x1000", "0X1000", "0x1_000", "0o10000", "0b1000000000000"],
        ["30 minutes", "1800 s", "1,800 seconds", "30min", "0.5 hours", "thirty minutes", "30-minute"],
        ["1 hour and 30 minutes", "90 min", "1h30m", "5400s"],
        ["512 MB", "512MB", "0.512 GB", "512000 kB"],
        ["true", "True", "on", "enabled", "yes", "'true'"],
        ["false", "off", "disabled", "No"],
        ["2024-03-01", "March 1, 2024", "1 March 2024", "1st of March 2024", "Mar 1 2024"],
        ["9 am", "09:00", "9:00 AM"],
        ["$5k", "$5,000", "5000 USD", "5,000 dollars"],
        ["100 requests per minute", "100 requests/minute", "100 req/min"],
        ["20 connections", "20 connection"],
        ["twenty-five", "25"],
        ["load_config()", "load_config", "`load_config`"],
        ["v1.2.3", "1.2.3"],
        ["5%", "5 percent"],
        ["'redis'", "redis", "Redis".lower()],
    ],
)
def test_spellings_of_one_value_agree(spellings: list[str]) -> None:
    """Units, separators, quotes and words do not make another value."""
    assert len({canonical_value(s) for s in spellings}) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("8080", "8081"),
        ("0x10", "10"),
        ("0xDEADBEEF", "0xDEADBEEE"),
        ("30 minutes", "30 seconds"),
        ("1 GB", "1 GiB"),
        ("1 MB", "1 Mb"),
        ("$5", "€5"),
        ("5 boxes", "5 crates"),
        ("30", "30 s"),
        ("9 am", "9 pm"),
        ("12:00 UTC", "12:00 CET"),
        ("MAX_SIZE", "max_size"),
        ("load_config", "load_configs"),
        ("/v1/users", "/v1/user"),
        ("GET /v1/users", "POST /v1/users"),
        ("1 month", "30 days"),
        ("March 1, 2024", "January 3, 2024"),
    ],
)
def test_other_values_differ(left: str, right: str) -> None:
    """Two values are never taken for one."""
    assert canonical_value(left) != canonical_value(right)


@pytest.mark.parametrize(
    "text",
    [
        "1.2.3",
        "==1.2.3",
        ">=2.31,<3",
        ">= 3.6",
        "^3.8",
        "~=2.0",
        "latest",
        "v4",
        "3.12-slim",
        "3",
        "==3.14.*",
        "0d7c124ff",
    ],
)
def test_everything_in_a_pin_is_a_version(text: str) -> None:
    """The slot decides: whatever stands in a pin can replace whatever stood there."""
    assert canonical_value(text, "version")[1] == "version"


@pytest.mark.parametrize(
    ("left", "right"), [("1.2.3", "==1.2.3"), ("v1.2.3", "1.2.3"), (">=3.7,<4", "<4, >= 3.7"), ("1.0RC1", "1.0rc1")]
)
def test_spellings_of_one_version_agree(left: str, right: str) -> None:
    """A prefix, an order or a blank makes no other version."""
    assert canonical_value(left, "version") == canonical_value(right, "version")


@pytest.mark.parametrize(
    ("left", "right"), [("3.10", "3.1"), (">=3.7", ">3.7"), ("v4", "v5"), ("1.0", "1.0.dev0"), (">=1,<2", ">=1,<3")]
)
def test_other_versions_differ(left: str, right: str) -> None:
    """3.10 is not 3.1."""
    assert canonical_value(left, "version") != canonical_value(right, "version")


def test_a_setting_compares_whatever_it_holds() -> None:
    """A named setting that goes from a number to a word is still one setting."""
    assert {canonical_value(v, "setting")[1] for v in ("5", "auto", "true", "/tmp", "1.2.3")} == {"setting"}
    assert canonical_value("8,080", "setting") == canonical_value("8080", "setting")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("is", "is"),
        ("are", "is"),
        ("is set to", "is"),
        ("is currently set to", "is"),
        ("=", "is"),
        (":", "is"),
        ("is pinned to", "is pinned to"),
        ("has version", "has version"),
        ("requires python", "requires python"),
        ("is served at", "is served at"),
        ("is named", "is named"),
        ("is called", "is named"),
        ("listens on port", "listens on"),
        ("listen on", "listens on"),
        ("work for", "works for"),
        ("depends on", "depends on"),
        ("mirrors", None),
        ("", None),
    ],
)
def test_relations_fold(text: str, name: str | None) -> None:
    """Aliases, persons and adverbs fold into one name; other verbs are unknown."""
    assert canonical_relation(text) == name


def test_the_relation_table_is_sound() -> None:
    """Every relation has a reason, and no phrase belongs to two of them."""
    phrases = [p for r in RELATIONS for p in (r.name, *r.aliases)]
    assert len(phrases) == len(set(phrases))
    assert all(r.reason for r in RELATIONS)
    assert all(canonical_relation(p) == r.name for r in RELATIONS for p in (r.name, *r.aliases))
    assert set(FUNCTIONAL) == {r.name for r in RELATIONS if r.cardinality == "functional"}


@pytest.mark.parametrize("name", ["depends on", "supports", "speaks", "includes", "is allergic to", "uses", "imports"])
def test_set_valued_relations_are_known_as_such(name: str) -> None:
    """Relations that hold many values at a time can never supersede."""
    assert cardinality_of(name) == "set"
    assert cardinality_of("mirrors") == "unknown"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("retries", "retry"),
        ("boxes", "box"),
        ("redis", "redis"),
        ("status", "status"),
        ("dns", "dns"),
        ("class", "class"),
    ],
)
def test_singular(word: str, expected: str) -> None:
    """Plural endings go, other endings in s stay."""
    assert singular(word) == expected


def test_distinct_subjects_of_the_git_history_stay_distinct() -> None:
    """Over 3,000 real subjects, no two fall together."""
    for file in sorted(data_file("git_history").glob("*.jsonl")):
        subjects = {json.loads(line)["subject"] for line in file.read_text().splitlines()}
        assert len({canonical_subject(s) for s in subjects}) == len(subjects), file.name


def test_a_subject_of_class_words_alone_keeps_one() -> None:
    assert canonical_subject("the setting of the flag") == "setting"
    assert canonical_subject("var of the var") == "var"
