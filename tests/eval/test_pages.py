"""Pages that change: nothing stale of what was keyed is served, nothing static is lost, and the corpus is sound."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings

from eval.pages import Tally, judge, lines_of, weigh
from eval.pages_corpus import Changing, Page, Said, count, in_its_words, read_pages, shape, squeeze
from eval.pages_coverage import Coverage, coverage_lines, wilson
from eval.pages_ways import SPLITTERS, WAYS, Remembered, Way, split
from memstrata_integrations import default_embeddings

FEW = 8


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return read_pages()


@pytest.fixture(scope="module")
def client() -> Any:
    return chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))


@pytest.fixture(scope="module")
def embeddings() -> Remembered:
    return Remembered(default_embeddings(prefer="lexical"))


# -- the corpus -------------------------------------------------------------------------------


def test_there_are_as_many_as_promised(pages: list[Page]) -> None:
    changes = [(a, b) for p in pages for f in p.changing for a, b in zip(f.said, f.said[1:], strict=False)]
    assert len(pages) >= 40
    assert all(2 <= len(p.revisions) <= 5 for p in pages)
    assert sum(a.value != b.value for a, b in changes) >= 200
    assert sum(len(p.static) for p in pages) >= 200
    names = [f.id for p in pages for f in p.changing] + [f.id for p in pages for f in p.static]
    assert len(set(names)) == len(names)


def test_revisions_come_in_order_and_differ(pages: list[Page]) -> None:
    for page in pages:
        days = list(page.revisions)
        assert days == sorted(days)
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", day) for day in days)
        texts = list(page.revisions.values())
        assert all(a != b for a, b in pairwise(texts)), page.source
        assert all(text.count("```") % 2 == 0 for text in texts), page.source


def test_each_statement_stands_on_its_page_at_its_dates_only(pages: list[Page]) -> None:
    for page in pages:
        for fact in page.changing:
            assert [s.since for s in fact.said] == sorted({s.since for s in fact.said}), fact.id
            assert all(s.since in page.revisions for s in fact.said), fact.id
            assert all(s.value in s.statement for s in fact.said if s.value and s.statement), fact.id
            assert all((s.value is None) == (s.statement is None) for s in fact.said), fact.id
            for said in fact.said:
                for day, text in page.squeezed.items():
                    holds = said.statement and squeeze(said.statement) == squeeze(fact.at(day).statement or "")
                    if said.statement:
                        assert count(text, squeeze(said.statement)) == bool(holds), (fact.id, day)


def test_static_statements_stand_on_all_revisions(pages: list[Page]) -> None:
    for page in pages:
        for static in page.static:
            assert static.value in static.statement, static.id
            assert all(squeeze(static.statement) in text for text in page.squeezed.values()), static.id


# -- how it is counted ------------------------------------------------------------------------


def test_a_value_is_looked_for_in_its_words() -> None:
    page = "Logs are kept for 30 days in the attic. Backups are kept for 30 days in the cellar. Room 30 days."
    statement = "Backups are kept for 30 days in the cellar."
    assert in_its_words(statement, "30 days", lambda w: True) == "are kept for 30 days in the cellar."
    assert in_its_words(statement, "30 days", lambda w: count(page, w) == 1) == "are kept for 30 days in the cellar."
    assert in_its_words("Logs are kept for 30 days in the", "30 days", lambda w: count(page, w) == 1)[:4] == "Logs"
    assert in_its_words("port: 80", "80", lambda w: False) == "port: 80"
    assert count("it is 80.", "is 80") == 1
    assert count("it is 800.", "is 80") == 0


def test_weighing_tells_the_stale_from_the_valid() -> None:
    text = {"2024-01-01": "The port is 80. Ten of 80 doors.", "2024-02-01": "The port is 90. Ten of 80 doors."}
    said = (Said("2024-01-01", "80", "The port is 80."), Said("2024-02-01", "90", "The port is 90."))
    fact = Changing("x", "Which port?", said)
    page = Page("x.md", "X", text, (fact,), ())
    for context, want in {
        "The port is 90. Ten of 80 doors.": (1, 0, 0),
        "Ten of 80 doors.": (0, 0, 0),
        "The port is 80. Ten of 80 doors. The port is 90.": (1, 1, 1),
        "The port is 80 and": (0, 0, 0),  # not its words: "The port is 80."
        "": (0, 0, 0),
    }.items():
        tally = Tally()
        weigh(page, fact, "2024-02-01", context, tally)
        assert (tally.found, tally.statement, tally.value) == want, context
    tally = Tally()
    weigh(page, fact, "2024-01-15", "The port is 80.", tally)
    assert (tally.held, tally.found, tally.statement) == (1, 1, 0)


def test_a_part_of_a_stale_statement_counts() -> None:
    before, after = "The limit for small boats on the lake is 30 knots in summer, said Ann Lee.", "No limit any more."
    said = (Said("2024-01-01", "30 knots", before), Said("2024-02-01", "none", after))
    fact = Changing("x", "?", said)
    page = Page("x.md", "X", {"2024-01-01": before, "2024-02-01": after}, (fact,), ())
    tally = Tally()
    weigh(page, fact, "2024-02-01", "boats on the lake is 30 knots in summer, said", tally)
    assert (tally.statement, tally.value) == (0, 1)


def test_intervals() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-3)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-3)
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_splitters_keep_what_a_page_says(pages: list[Page], splitter: str) -> None:
    for page in pages[:FEW]:
        text = next(iter(page.revisions.values()))
        chunks = split(text, splitter)
        assert len(chunks) > 2
        assert len(set(chunks)) == len(chunks)
        assert set(squeeze(text).split()) == set(squeeze(" ".join(chunks)).split())


def test_coverage_has_a_line_for_each_shape(pages: list[Page]) -> None:
    lines = coverage_lines(pages[:FEW], "recursive")
    assert len(lines) > 3
    shapes = {shape(p, s) for p in pages for f in p.changing for s in f.said if s.statement}
    assert shapes == {"sentence", "list item", "table row", "line of code or configuration", "field: value"}


def test_changes_in_code_blocks_and_tables_are_linked(pages: list[Page]) -> None:
    """At least every second changed value of these, over both corpora, has one key before and after."""
    coverage = Coverage(lambda text: split(text, "recursive"))
    links = [
        coverage.linked(page, fact, old, new)
        for page in pages
        for fact in page.changing
        for old, new in pairwise(fact.said)
        if old.value is not None and new.value is not None and old.value != new.value
        if shape(page, old) in ("table row", "line of code or configuration")
    ]
    assert len(links) > 80
    assert sum(links) > len(links) / 2


# -- the invariants ---------------------------------------------------------------------------


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("name", [w for w in WAYS if w.startswith("ours")])
def test_nothing_stale_is_served_and_nothing_static_is_lost(
    pages: list[Page], embeddings: Remembered, client: Any, name: str, splitter: str
) -> None:
    way = Way(name, embeddings, splitter, client)
    report = judge(way, pages[:FEW], 5, progress=False)
    assert report.served.asked >= 10
    assert (report.served.found, report.served.examples) == (report.served.asked, [])
    assert (report.served_past.found, report.served_past.examples) == (report.served_past.asked, [])
    for tally in (report.now["keyed"], report.past["keyed"], report.past["first value"]):
        assert (tally.statement, tally.value, tally.examples) == (0, 0, [])
    assert report.now["keyed"].asked > 0
    assert report.past["first value"].asked > 50
    assert report.anywhere.found == report.anywhere.held
    if name != "ours, added":  # the page as a whole is replaced
        assert report.anywhere.statement == report.anywhere.value == 0
        assert report.past["not keyed"].statement == 0
    lines = lines_of(way, report)
    assert any("stale statement" in line for line in lines)


def test_keyed_facts_are_stale_in_stock_when_revisions_are_added(
    pages: list[Page], embeddings: Remembered, client: Any
) -> None:
    """What the test above asks for isn't so by itself."""
    report = judge(Way("stock, added", embeddings, "recursive", client), pages[:FEW], 5, progress=False)
    assert report.now["keyed"].statement > 0
    assert report.anywhere.statement == report.anywhere.asked


def test_replacing_pages_answers_static_questions_as_stock_does(
    pages: list[Page], embeddings: Remembered, client: Any
) -> None:
    for stock, ours in (("stock, replaced", "ours, synced"), ("stock, inserted", "ours, inserted")):
        if ours in WAYS:
            a, b = (
                judge(Way(n, embeddings, "recursive", client), pages[:FEW], 5, progress=False) for n in (stock, ours)
            )
            assert (a.static.found, a.static.asked) == (b.static.found, b.static.asked)


@pytest.mark.parametrize("day", ["first", "last"])
def test_what_is_served_is_what_the_page_said_then(
    pages: list[Page], embeddings: Remembered, client: Any, day: str
) -> None:
    """Of keyed facts, the whole store at a date holds the statement of that date, and no other."""
    way = Way("ours, added", embeddings, "markdown", client)
    for page in pages[:FEW]:
        for date, text in page.revisions.items():
            way.write(page.source, text, date)
    coverage = Coverage(way.split)
    asked = 0
    for page in pages[:FEW]:
        at = min(page.revisions) if day == "first" else max(page.revisions)
        served = "\n".join(squeeze(t) for s, t in way.everything(at) if s == page.source)
        for fact in page.changing:
            if coverage.kind(page, fact, at) != "not keyed":
                asked += 1
                assert count(served, squeeze(fact.at(at).statement or "")) >= 1 or fact.at(at).statement is None
                for other in fact.others(at):
                    assert not count(served, squeeze(other.statement or "")), fact.id
    assert asked > 0
