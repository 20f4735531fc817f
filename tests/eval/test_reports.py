"""Reports: pure functions of records, with figures that were computed by hand."""

import json
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from eval import reports
from eval.benchmarks import load
from eval.reports.published import published
from memstrata_integrations.errors import InvalidInputError
from tests.eval.synthetic_records import DROPPING, MANIFEST, answer, apart, cell, main_run, write_run
from tests.shared_data import DATA, ROOT

WHOLE = [*main_run(), *apart()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> reports.Report:
    return reports.build(write_run(tmp_path_factory.mktemp("whole"), WHOLE))


def tables(text: str, heading: str) -> list[dict[str, dict[str, str]]]:
    """Return the tables under a heading, up to the next one: row to column to cell, without code marks."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.DOTALL | re.MULTILINE)
    assert found is not None, f"no heading {heading!r}"
    read = []
    for block in re.findall(r"(?:^\|.*\n)+", found[1].replace("`", ""), re.MULTILINE):
        header, _, *rows = ([cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines())
        read.append({row[0]: dict(zip(header, row, strict=True)) for row in rows})
    return read


STOCK, OURS = "stock Chroma", "this package"
CELLS: list[tuple[str, str, str, str]] = [  # heading, row, column, cell; "…" where more follows
    # accuracy leaves out what has no verdict
    ("Answers: the eight by six", STOCK, "code_mutation", "33.3 %<br>1/3 [6, 79]<br>*published 43.3 %*"),
    ("Answers: the eight by six", STOCK, "domain", "50.0 %<br>1/2 [9, 91]<br>*published 86.0 %*"),
    ("Answers: the eight by six", OURS, "code_mutation", "75.0 %<br>3/4 [30, 95]<br>*published 100.0 %*"),
    # contexts are counted without any verdict
    ("The current value is in the context (hit@k)", STOCK, "domain", "50.0 %<br>1/2 [9, 91]"),
    ("A superseded value is in the context (stale exposure@k)", STOCK, "code_mutation", "100.0 %<br>4/4 [51, 100]"),
    ("A superseded value is in the context (stale exposure@k)", OURS, "code_mutation", "25.0 %<br>1/4 [5, 70]"),
    ("The current value stands above every superseded one, where it is in the context",
     STOCK, "code_mutation", "50.0 %<br>2/4 [15, 85]"),
    # what is lost and what is retired are rates of their own
    ("Lost though it must stay (false supersession)", OURS, "code_mutation", "16.7 %<br>1/6 [3, 56]"),
    ("Lost though it must stay (false supersession)", STOCK, "code_mutation", "0.0 %<br>0/6 [0, 39]"),
    ("Retired, with its successor served (coverage)", OURS, "code_mutation", "75.0 %<br>3/4 [30, 95]"),
    ("Retired, with its successor served (coverage)", STOCK, "code_mutation", "0.0 %<br>0/4 [0, 49]"),
    # fabrication is a share of questions and a share of attempts
    ("Of all questions", STOCK, "code_mutation", "33.3 %<br>1/3 [6, 79]<br>*published 3.3 %*"),
    ("Of attempted answers", STOCK, "code_mutation", "50.0 %<br>1/2 [9, 91]<br>*published 4.8 %*"),
    # differences are taken over the questions that both have a figure for: 1, 1 and 0 of c1, c2, c3
    ("Differences, question by question", "code_mutation", "answered right", "+66.7 (n 3)<br>…"),
    ("Differences, question by question", "code_mutation", "stale value in context", "-75.0 (n 4)<br>…"),
    ("Differences, question by question", "code_mutation", "value in context", "0.0 (n 4)<br>[0, 0]"),
    ("Differences, question by question", "domain", "stale value in context", "–"),
    # means and percentiles stand beside the published; a turn: 20 calls for 12 turns
    ("Packed tokens", STOCK, "code_mutation", "125.0 (n 4)<br>*published 163.3*"),
    ("Latency", STOCK, "evolving: mean (n 4)", "25.0 ms<br>*published 2,135 ms*"),
    ("Latency", STOCK, "evolving: 95th percentile", "38.5 ms<br>*published 2,173 ms*"),
    ("Active facts and compression", OURS, "code_mutation", "6 of 10<br>40.0 %<br>*published 31, 48.3 %*"),
    ("Model calls", OURS, "a turn", "1.67"),
    ("Model calls", OURS, "tokens a question", "50"),
    # forced answers are apart from those that may abstain
    ("Correct", OURS, "code_mutation", "100.0 %<br>4/4 [51, 100]<br>*published 93.3 %*"),
    ("The superseded value", STOCK, "code_mutation", "100.0 %<br>4/4 [51, 100]<br>*published 40.0 %*"),
    # alternatives stand in both orders
    ("In the order of telling", "MMR", "value and no stale one", "100.0 %<br>4/4…"),
    ("With what is unrelated told last", "MMR", "value and no stale one", "0.0 %<br>0/4…"),
    # look-alikes are counted together, alone and by kind
    ("All in one store", OURS, "statements lost", "25.0 % (1/4)…"),
    ("One pair a store: the first is lost", "the same value", OURS, "100.0 % (1/1)…"),
    ("One pair a store: the first is lost", "another value", OURS, "0.0 % (0/1)…"),
    ("By kind: pairs of which a statement is lost", "other scope", "this package, one store", "100.0 %<br>1/1…"),
    ("By kind: pairs of which a statement is lost", "plan", "this package, alone", "0.0 %<br>0/1…"),
    # dates are split into now, past and nothing; git histories by probe and kind; deep ones by pace and version
    ("Dates", STOCK, "past: value in context", "0.0 %<br>0/1…"),
    ("Dates", STOCK, "now: value in context", "100.0 %<br>1/1…"),
    ("Dates", OURS, "no value then: says so", "100.0 %<br>1/1…"),
    ("The value at a past date: right in the context", "dependency_pin", STOCK, "0.0 %<br>0/1…"),
    ("The value at a past date: right in the context", "**all**", OURS, "100.0 %<br>1/1…"),
    ("What was removed: wrong in the context", "dependency_pin", STOCK, "100.0 %<br>1/1…"),
    ("What was removed: its ending on top, or nothing of it", "dependency_pin", STOCK, "0.0 %<br>0/1…"),
    ("Each at its own pace", STOCK, "after 5 versions", "100.0 %<br>2/2…"),
    ("Each at its own pace", STOCK, "after 100 versions", "0.0 %<br>0/2…"),
    ("Each at its own pace", OURS, "the same date, as it was known before", "100.0 %<br>2/2…"),
    ("Each at its own pace", STOCK, "other versions in it, after 100", "4.0"),
    ("The twelve scenarios of the publication, through both doors",
     "langchain", "the later state is served", "50.0 % (1/2)…"),
    # calibration, extraction, growth and cost
    ("What cosine similarity can tell apart", "duplicate", "median", "0.500<br>*published 0.785*"),
    ("What cosine similarity can tell apart", "AUROC, duplicate against the rest", "ours", "0.500 […"),
    ("What cosine similarity can tell apart", "AUROC, duplicate against contradict", "*published*", "–"),
    ("A duplicate from this cosine on", "0.80", "precision", "–<br>*published 27.7 %*"),
    ("Extraction", "value only (counted, never read)", "retired as it should be", "75.0 % (3/4)…"),
    ("Extraction", "look-alikes (counted, never read)", "retired wrongly", "25.0 % (1/4)…"),
    ("Beside stock Chroma", "read now", "ratio", "1.50"),
]  # fmt: skip


@pytest.mark.parametrize(("heading", "row", "column", "expected"), CELLS)
def test_a_table_has_the_figures_of_its_records(
    whole: reports.Report, heading: str, row: str, column: str, expected: str
) -> None:
    shown = next(table[row][column] for table in tables(whole.markdown, heading) if row in table)
    assert shown == expected or (expected[-1] == "…" and shown.startswith(expected[:-1]))


def test_what_models_did_not_give_is_counted_by_role_and_a_string_judge_stands_beside_a_model(tmp_path: Path) -> None:
    rows = [row | {"by_string": "stale", "errors": ["verifier: unreadable: prose"]} for row in main_run()]
    models = MANIFEST["models"] | {"correctness": "ollama:judge"}
    text = reports.markdown(write_run(tmp_path, rows, models=models))
    assert re.search(r"verifier: \d+ answers could not be read", text)
    [by_string] = tables(text, "The superseded value stands in the answer, by a string judge")
    assert by_string["stock Chroma"]["code_mutation"] == "100.0 %<br>4/4 [51, 100]"


def test_an_abstention_where_nothing_is_valid_is_right_and_an_abstention(tmp_path: Path) -> None:
    row = answer("code_mutation", "temporal_v6", "c1", expects_nothing=True, hit=None, fabricated=None)
    text = reports.markdown(write_run(tmp_path, [row]))
    [abstained] = tables(text, "Nothing was answered")
    [matrix] = tables(text, "Answers: the eight by six")
    assert abstained["this package"]["code_mutation"].startswith("100.0 %<br>1/1")
    assert matrix["this package"]["code_mutation"].startswith("100.0 %<br>1/1")


def test_a_published_figure_over_benchmarks_counts_each_question_once(tmp_path: Path) -> None:
    rows = [answer(name, "naive_rag", "q", exposed=True) for name in ("code_mutation", "config_migration")]
    [times] = tables(reports.markdown(write_run(tmp_path, rows)), "Latency")
    weighted = (30 * 2134.7 + 20 * 2119.4) / 50
    assert times["stock Chroma"]["evolving: mean (n 2)"].endswith(f"*published {weighted:,.0f} ms*")


def test_the_first_screen_has_a_sentence_a_picture_and_the_numbers_of_untouched_sets(whole: reports.Report) -> None:
    first = whole.markdown.split("\n## ")[0]
    assert "of 2, 2, 2 and 2 with this package; 2, 2, 2 and 0 with the newest of the near, one text; " in first
    current = "| current value and no superseded one in the context, after 1, 5,"
    assert first.index("plots/now.png") < first.index(current)
    chief, rest = tables(first, "What the evaluation found")
    assert len(chief) <= 8
    shown = chief | rest
    retired = "true statements retired by a look-alike, at first sight"
    assert shown[retired][OURS].startswith("12.5 %<br>1/8")
    assert shown[f"{retired}, written to break a grammar"][STOCK] == "none"
    [deep] = (row for what, row in shown.items() if what.startswith("current value in the context, whatever else is"))
    assert deep["stock with dates"].startswith("**2/2 [34, 100]**<br>**2/2 [34, 100]**")
    assert deep["stock with dates"].endswith("<br>0/2 [0, 66]")
    wrong = shown["git histories, a past date: a wrong sentence in the context"]
    assert (wrong["this package"][:5], wrong["stock Chroma"][:7]) == ("0.0 %", "100.0 %")
    [both] = tables(first, "Where dates in the metadata do as well, and where not")
    assert both["facts that changed once, answered right"]["this package"].startswith("75.0 %")
    alike = shown["look-alikes that are all true (worked on): the value asked for in the context"]
    assert (alike["this package"][:9], alike["stock, near-duplicates dropped"][:8]) == ("100.0 %<b", "**50.0 %")
    believed = both["the same, as was believed, 100 versions deep, each at its own pace"]
    assert believed["stock, newest of 100"].startswith("0.0 %")
    now = both["git histories: value now in the context"]
    assert now["this package"].startswith("100.0 %")
    assert now["this package, dates shown"] == "–"
    assert "in 75 % with this package, and in 100 % with MMR, the best of the other tuned stock parts; where" in first
    assert "where unrelated texts are told last, in 100 % and 0 %" in first
    assert "in git histories now, at past dates and after removals 1/1, 1/1 and 1/1; this package" in first


@pytest.mark.parametrize(("changed", "alike", "said"), [
    (True, False, "does as well as this package or better; where look-alikes are all true, who does so loses more"),
    (None, False, "does as well as this package in places; "),
    (False, True, "does less well than this package; where look-alikes are all true, who does so keeps as many of"),
])  # fmt: skip
def test_the_sentence_says_how_who_drops_near_texts_by_date_does(
    tmp_path: Path, changed: bool | None, alike: bool, said: str
) -> None:
    rows = [
        row | {"hit": alike if row["type"] == "answer" else row["hit"] if changed is None else changed}
        if row.get("condition") in DROPPING
        else row
        for row in apart()
        if row["type"] != "git"
    ]
    assert said in reports.markdown(write_run(tmp_path, rows))


def test_falling_short_in_deep_histories_counts_what_stands_alone(tmp_path: Path) -> None:
    rows = [row | {"others": 1} if row.get("condition") == "temporal_v6" else row for row in apart()]
    text = reports.markdown(write_run(tmp_path, rows))
    for told in ("each at its own pace", "all together"):
        assert f"20 versions, {told}: in its context, without another version, 0.0 % (0/2) [0.0, 65.8]. Better:" in text


def test_a_gate_that_does_better_is_named_with_what_it_loses(tmp_path: Path) -> None:
    gate = [answer("code_mutation", "v6_no_verify", f"c{n}", exposed=False) for n in range(1, 5)]
    gate += [cell("code_mutation", "v6_no_verify", should_stay=4, lost=["a"])]
    gate += [cell("collision", "v6_no_verify", should_stay=2, lost=["b"])]
    text = reports.markdown(write_run(tmp_path, [*WHOLE, *gate], conditions=[*MANIFEST["conditions"], "v6_no_verify"]))
    said = "in 100 %, where 25 % of what must stay is lost for good (this package 17 %), 50 % of the look-alikes above"
    assert re.search(f"with a similarity gate .*{re.escape(said)}", text.split("\n## ")[0])


def test_a_line_that_lies_under_another_is_named(whole: reports.Report, tmp_path: Path) -> None:
    hidden = "the line of stock Chroma lies under that of stock with dates"
    assert hidden in whole.markdown
    rows = [row | {"hit": True} if row.get("condition") == "naive_rag" else row for row in apart()]
    assert hidden not in reports.markdown(write_run(tmp_path, rows))


def test_what_shares_a_fact_is_resampled_by_fact(tmp_path: Path) -> None:
    groups = [[4, 4, 0, 1], [0, 4, 0, 1]]
    rows = [cell("timeline", "temporal_v6", to_retire=8, clean=4, groups=groups), cell("domain", "temporal_v6")]
    [retired] = tables(reports.markdown(write_run(tmp_path, rows)), "Retired, with its successor served (coverage)")
    assert retired["this package"]["timeline"] == "50.0 %<br>4/8 [0, 100]"


def test_what_has_no_verdict_is_said_and_all_but_what_falls_short_is_folded(whole: reports.Report) -> None:
    assert "correctness: 1 answer could not be read" in whole.markdown
    assert "decay &lt;0.1 ¦ 0.5>" in whole.markdown
    assert "MMR, tuned, has the value and no stale one at least as often in the order of telling" in whole.markdown
    assert "Records of revision `0123456`." in whole.readme
    assert whole.markdown.count("<details>") == whole.markdown.count("\n## ")  # and the other rows of the first table
    assert whole.html.count("<details>") == whole.markdown.count("<details>")
    assert "## Where it falls short\n\nOf this package" in whole.markdown


def test_falling_short_is_counted_set_by_set(whole: reports.Report) -> None:
    short = whole.markdown.split("## Where it falls short")[1].split("\n## ")[0]
    assert "`code_mutation`: 75.0 % (3/4) [30.1, 95.4] retired." in short
    assert "`code_mutation`: 16.7 % (1/6) [3.0, 56.4]." in short
    assert "Look-alikes that lose a statement in one store, by kind: other scope 1." in short
    assert "`code_mutation`: a superseded value is in the context, 25.0 % (1/4) [4.6, 69.9]." in short
    assert "look-alikes (counted, never read): 25.0 % (1/4) [" in short
    for what in ("answers right", "has the value and no superseded one in its context"):
        assert f"`code_mutation`: it {what}, 75.0 % (3/4) [30.1, 95.4]. Better: MMR 100.0 % (4/4)." in short


@pytest.mark.parametrize("same_file", [True, False])
def test_falling_short_quotes_sentences_of_the_file_that_was_run_alone(tmp_path: Path, same_file: bool) -> None:
    benchmark = load("code_mutation")
    first, second = (turn for turn in benchmark.turns if turn.sample == benchmark.questions[0].id)
    row = cell("code_mutation", "temporal_v6", to_retire=1, missed=[first.id], lost=[second.id], should_stay=1)
    of = {"version": "v1", "sha256": benchmark.sha256 if same_file else "0" * 64, "turns": 2, "questions": 1}
    text = reports.markdown(write_run(tmp_path, [row], datasets={"code_mutation": of}))
    assert ("**post_entry**” is still served, beside **commit_journal**" in text) is same_file
    assert (f"“{second.text}” is true, and not served any more" in text) is same_file


def test_a_run_without_shortfalls_claims_none(tmp_path: Path) -> None:
    rows = [answer("domain", "temporal_v6", "d1"), answer("domain", "naive_rag", "d1")]
    assert "## Where it falls short" not in reports.markdown(write_run(tmp_path, rows))


def test_above_each_table_stands_who_made_it_and_every_row_has_the_cells_of_its_header(whole: reports.Report) -> None:
    paragraphs = whole.markdown.split("\n## Made with")[0].split("\n\n")
    above = [before for before, text in pairwise(paragraphs) if text.startswith("|")]
    assert len(above) > 35
    named = re.compile(r"\*.*(embedding|vectors|extractor).*\*", re.IGNORECASE)
    assert [line for line in above if not named.fullmatch(line)] == []
    label = (
        "correctness: string judge (offline); embedding: all-MiniLM-L6-v2; extractor of this package: grammar; top 5.*"
    )
    reader = "*reader: extractive (offline), abstains where two undated values conflict"
    assert f"{reader}; {label}\n\n| condition | `domain` |" in whole.markdown
    blocks = re.findall(r"(?:^\|.*\n)+", whole.markdown, re.MULTILINE)
    assert len(blocks) > 25
    for block in blocks:
        assert len({line.count("|") for line in block.splitlines()}) == 1, block


def test_the_same_records_give_the_same_bytes_in_any_order(tmp_path: Path, whole: reports.Report) -> None:
    mixed = list(WHOLE)
    random.Random(1).shuffle(mixed)
    again = reports.build(write_run(tmp_path, mixed))
    assert (again.markdown, again.html, again.plots) == (whole.markdown, whole.html, whole.plots)
    assert reports.markdown(tmp_path) == whole.markdown  # without drawing


def test_a_limited_run_is_called_a_taste(tmp_path: Path) -> None:
    built = reports.build(write_run(tmp_path, main_run(), limit=2))
    for text in (built.markdown, built.html, built.readme):
        assert "only the first 2 items" in text


def test_the_page_needs_nothing_from_outside_and_has_every_plot_inside(whole: reports.Report) -> None:
    assert set(whole.plots) == {"now", "then", "crowded", "stale", "cosines", "growth"}
    assert whole.html.count("<svg") == len(whole.plots)
    assert not re.search(r"<(img|script|link|iframe)\b", whole.html)
    assert all(target.startswith("#") for target in re.findall(r'(?:href|src)="([^"]*)"', whole.html))
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", whole.html))
    ids = re.findall(r'\bid="([^"]*)"', whole.html)
    assert len(ids) == len(set(ids))
    links = re.findall(r'<li><a href="#([^"]*)">', whole.html)
    assert len(links) > 20
    assert links == re.findall(r'<(?:section|div) id="([^"]*)">', whole.html)


def test_names_from_data_cannot_become_markup(tmp_path: Path) -> None:
    rows = [answer("domain", "temporal_v6", "<script>|`"), answer("domain", "<script>|`", "d1")]
    built = reports.build(write_run(tmp_path, rows, extractor="<b>x", models={"reader": "<i>y | z"}))
    assert not re.search(r"<(script|b|i)>", built.html)
    assert "&lt;i" in built.html


def test_writing_leaves_the_files_that_it_names(tmp_path: Path, whole: reports.Report) -> None:
    written = whole.write(tmp_path)
    assert [path.name for path in written[:2]] == ["report.md", "report.html"]
    assert written[0].read_text(encoding="utf-8") == whole.markdown
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written[2:])
    for link in re.findall(r"\]\((plots/[^)]*)\)", whole.markdown):
        assert (tmp_path / link).is_file()


def test_readme_gets_its_figures_between_its_markers_and_nothing_else(tmp_path: Path, whole: reports.Report) -> None:
    path = tmp_path / "README.md"
    path.write_text("before\n\n<!-- eval:begin -->\nold \\1\n<!-- eval:end -->\n\nafter\n", encoding="utf-8")
    reports.rewrite(path, whole)
    text = path.read_text(encoding="utf-8")
    assert text == f"before\n\n{whole.readme}\n\nafter\n"
    assert "each fact at its own pace | 2/2 [34, 100]<br>2/2 [34, 100]" in text
    reports.rewrite(path, whole)
    assert path.read_text(encoding="utf-8") == text


BEGIN, END = "<!-- eval:begin -->", "<!-- eval:end -->"


@pytest.mark.parametrize("text", ["", BEGIN, f"{END}\n{BEGIN}", f"{BEGIN}\n{BEGIN}\n{END}"])
def test_a_readme_without_markers_is_refused_and_left_alone(tmp_path: Path, whole: reports.Report, text: str) -> None:
    path = tmp_path / "README.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match="once each"):
        reports.rewrite(path, whole)
    assert path.read_text(encoding="utf-8") == text


def test_published_figures_are_those_of_the_reference() -> None:
    path = DATA.parent / "reference" / "published_results.json"
    if not path.is_file():
        pytest.skip("the published results are not beside this checkout")
    reference = json.loads(path.read_text(encoding="utf-8"))
    kept = published()
    for name in ("main", "forced", "ablation_full_retention", "extraction_probe"):
        assert kept[name] == reference[name]
    assert kept["calibration"]["classes"] == reference["calibration"]["distribution"]
    assert kept["calibration"]["auroc"] == reference["calibration"]["auroc_duplicate_vs_rest"]
    assert kept["calibration"]["sweep_dup"] == reference["calibration"]["tau_dup"]
    assert kept["calibration"]["recommended"] == reference["calibration"]["recommended"]


@pytest.mark.parametrize(
    "report", sorted((ROOT / "eval" / "results").glob("offline*/report.md")), ids=lambda p: p.parent.name
)
def test_a_committed_report_is_what_its_records_give(report: Path) -> None:
    assert report.read_text(encoding="utf-8") == reports.markdown(report.parent)
