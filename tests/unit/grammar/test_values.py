"""Canonical values: two spellings of one value are equal, values of two kinds never compare."""

import pytest

from memstrata_integrations.extraction.values import canonical_value
from memstrata_integrations.ledger.facts import KeyedFact

from .pairs import GRAMMAR, ended, rows

SAME = rows("""
    30 minutes || 1,800 s ;; 30 min || 1800 seconds ;; 1h30m || 90 minutes ;; 1 hour 30 minutes || 90 min ;; true || yes
    two weeks || 14 days ;; 0.5 s || 500 ms ;; 1 GB || 1000 MB || 1024 MB ;; 1 GiB || 1024 MiB ;; 1,000 || 1000
    twenty-five || 25 ;; two hundred || 200 ;; 1_000 || 1000 ;; 10 euros || €10 ;; 10 EUR || 10 euros ;; 9:00 || 9 am
    $42 a month || 42 dollars per month ;; 5 % || 5 percent ;; 3 May 2024 || 2024-05-03 ;; 3 May || 3rd of May
    May 3, 2024 || 3rd of May 2024 ;; 14:30 || 2:30 pm ;; noon || 12:00 ;; Mondays || Monday ;; 9 o'clock || 9:00
    1.26 million || 1,260,000 ;; 5 nodes || 5 node ;; /srv/teal/ || /srv/teal ;; `debug` || debug ;; "debug" || debug
    HTTPS://Teal.example || https://teal.example/ ;; https://teal.example:443/a || https://teal.example/a
    Dr. Osei || Osei ;; the Town Hall || town hall ;; 10 kg || 10,000 g
""")
VERSIONS = rows("1.26.0 || 1.26 ;; ==1.26.4 || 1.26.4 ;; v2.1 || 2.1 ;; >=1,<2 || <2,>=1 ;; 1.0-rc1 || 1.0rc1")


@pytest.mark.parametrize("pair", [*((*p, "") for p in SAME), *((*p, "version") for p in VERSIONS)])
def test_two_spellings_of_a_value_are_equal(pair: tuple[str, str, str]) -> None:
    first, second, kind = pair
    assert canonical_value(first, kind) == canonical_value(second, kind)


KINDS = rows("""
    30 seconds || duration ;; 2 months || months ;; 5 GB || size ;; 5 GiB || binary size ;; 5 Gbps || bitrate
    80 || number ;; 5 % || percent ;; 10 euros || money:eur ;; 10 euros a month || money:eur/month ;; 3 May 2024 || date
    5 workers || count:worker ;; 3 May || day ;; March 2024 || month ;; 9:30 || time ;; 9:30 UTC || time:utc ;; 2 m || m
    Monday || weekday ;; Monday 9:00 || weekday:time ;; 1.2.3 || version ;; v13 || version:major ;; 10.0.0.1 || host
    postgres:16 || image of postgres ;; db.internal || host ;; https://teal.example/a || url ;; /etc/teal.conf || path
    ann@teal.example || email ;; src/main.py || path ;; GET /orders || endpoint ;; on || boolean ;; France || country
    Ann || name:1 ;; Ann Lee || name ;; 20 °C || celsius ;; 68 °F || fahrenheit ;; 6 ft || imperial length
    30 cm || length
""")


@pytest.mark.parametrize(("value", "kind"), KINDS)
def test_the_kind_of_a_value(value: str, kind: str) -> None:
    assert canonical_value(value)[1] == kind


def test_values_of_two_kinds_never_compare() -> None:
    said = "The limit of teal is {}."
    values = [value for value, kind in KINDS if kind not in ("boolean", "country", "name", "name:1", "endpoint")]
    for first in values:
        for second in values:
            gone = ended(said.format(first), said.format(second))
            facts = [f for e in GRAMMAR.extract([said.format(first), said.format(second)]) for f in e.facts]
            kinds = {f.kind for f in facts if isinstance(f, KeyedFact)}
            assert not gone or len(kinds) == 1, (first, second)


@pytest.mark.parametrize(
    "value", ["", " ", "x" * 10_000, "9" * 10_000, "-" * 500, "1" + ",000" * 500, "((((", "\x00", "é"]
)
def test_any_text_has_a_canonical_form(value: str) -> None:
    canonical, kind = canonical_value(value)
    assert isinstance(canonical, str)
    assert kind
