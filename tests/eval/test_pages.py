"""Pages that change: the corpus is sound, and what goes and what stays is counted as it should be."""

import re
from itertools import pairwise

import pytest

from eval.models import embedder
from eval.pages import SPLITTERS, WAYS, Way, judge, lines_of, split
from eval.pages_corpus import Changing, Page, Said, Static, count, in_its_words, read_pages, shape, squeeze

FEW = 8


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return read_pages()


def test_there_are_as_many_as_promised(pages: list[Page]) -> None:
    changes = [(a, b) for p in pages for f in p.changing for a, b in pairwise(f.said)]
    assert len(pages) >= 40
    assert all(2 <= len(p.revisions) <= 5 for p in pages)
    assert sum(a.value != b.value for a, b in changes) >= 200
    assert sum(len(p.static) for p in pages) >= 200
    names = [f.id for p in pages for f in p.changing] + [f.id for p in pages for f in p.static]
    assert len(set(names)) == len(names)
    shapes = {shape(p, s) for p in pages for f in p.changing for s in f.said if s.statement}
    assert shapes == {"sentence", "list item", "table row", "line of code or configuration", "field: value"}


def test_revisions_come_in_order_and_differ(pages: list[Page]) -> None:
    for page in pages:
        days = list(page.revisions)
        assert days == sorted(days)
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", day) for day in days)
        texts = list(page.revisions.values())
        assert all(a != b for a, b in pairwise(texts)), page.source
        assert all(text.count("```") % 2 == 0 for text in texts), page.source


def test_each_statement_stands_on_its_page_at_its_dates_only_and_a_static_one_at_all(pages: list[Page]) -> None:
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
        for static in page.static:
            assert static.value in static.statement, static.id
            assert all(squeeze(static.statement) in text for text in page.squeezed.values()), static.id


def test_a_value_is_looked_for_in_its_words() -> None:
    page = "Logs are kept for 30 days in the attic. Backups are kept for 30 days in the cellar. Room 30 days."
    statement = "Backups are kept for 30 days in the cellar."
    assert in_its_words(statement, "30 days", lambda w: count(page, w) == 1) == "are kept for 30 days in the cellar."
    assert in_its_words("Logs are kept for 30 days in the", "30 days", lambda w: count(page, w) == 1)[:4] == "Logs"
    assert in_its_words("port: 80", "80", lambda w: False) == "port: 80"
    assert count("it is 80.", "is 80") == 1
    assert count("it is 800.", "is 80") == 0


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_splitters_keep_what_a_page_says(pages: list[Page], splitter: str) -> None:
    for page in pages[:FEW]:
        text = next(iter(page.revisions.values()))
        chunks = split(text, splitter)
        assert len(set(chunks)) == len(chunks)
        assert set(squeeze(text).split()) == set(squeeze(" ".join(chunks)).split())


_BEFORE = "The Lomond gateway listens on port 8080.\n\nThe Lomond gateway is owned by Ann Lee.\n\nTea is at four."
_AFTER = _BEFORE.replace("8080", "9090").replace("Tea is at four.", "Tea has moved to the hall.")
_SAID = (
    Said("2024-01-01", "8080", "The Lomond gateway listens on port 8080."),
    Said("2024-02-01", "9090", "The Lomond gateway listens on port 9090."),
)
_TEA = (Said("2024-01-01", "four", "Tea is at four."), Said("2024-02-01", "the hall", "Tea has moved to the hall."))
_OWNER = Static("owner", "?", "Ann Lee", "The Lomond gateway is owned by Ann Lee.")
_PAGE = Page(
    "x.md", "X", {"2024-01-01": _BEFORE, "2024-02-01": _AFTER},
    (Changing("port", "?", _SAID), Changing("tea", "?", _TEA)), (_OWNER,),
)  # fmt: skip


@pytest.mark.parametrize(("way", "linked"), [("added", 1), ("synced", 2), ("inserted", 2), ("stock", 0)])
def test_what_is_linked_is_counted(way: str, linked: int) -> None:
    """The port has a key and the tea does not; who replaces the page, replaces both, and nobody loses the owner."""
    report = judge(Way(way, "page", embedder("lexical")), [_PAGE])
    assert report.linked["all"] == [linked, 2]
    assert report.lost == [0, 1]
    assert report.closed == ([0, 1] if way == "added" else [0, 0])
    assert report.past_found == ([0, 0] if way == "stock" else [2, 2])
    assert report.past_stale == ([0, 0] if way == "stock" else [0, 2])
    assert f"{linked}/2" in lines_of(way, report)[1]


@pytest.mark.parametrize(
    "way", [pytest.param(w, marks=pytest.mark.slow if w == "added" else ()) for w in WAYS if w != "stock"]
)
def test_nothing_true_is_lost_and_past_dates_are_as_they_were(pages: list[Page], way: str) -> None:
    some = pages if way == "added" else pages[:FEW]
    report = judge(Way(way, "recursive", embedder("lexical")), some)
    assert report.lost[1] > 100
    assert (report.lost[0], report.past_found[0], report.past_stale[0]) == (0, report.past_found[1], 0)
    assert report.closed[0] * 250 <= report.closed[1]
    if way != "added":  # the page as a whole is replaced
        assert report.linked["all"][0] == report.linked["all"][1]
