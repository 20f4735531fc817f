"""The packed context: within the budget, original statements in order, each once, blocks whole."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.statements import statements
from memstrata_integrations.packing import estimate_tokens, pack
from tests.shared_data import ROOT

UNLIMITED = 10**6

SENTENCES = [
    "The gateway listens on port 8443.", "It was written in Go.", "Deploys happen on Monday.",
    "Ask Ann\nin the morning.", "The limit is 120 requests per minute; partners get 900.", "Is it open?", "Yes.",
]  # fmt: skip
prose = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map(" ".join)
bullets = st.lists(
    st.sampled_from(["- port: 80", "- host: db1\n  - replica: db2\n  - zone: a", "- Ann owns it. Bob helps.", "1. a"]),
    min_size=1,
    max_size=3,
).map("\n".join)
tables = st.lists(st.sampled_from(["| a | 1 |", "| b | 2 |", "| c | 3 |"]), min_size=1, max_size=3, unique=True).map(
    lambda rows: "\n".join(["| name | port |", "|------|------|", *rows])
)
code = st.sampled_from(
    [
        "```python\nx = 1\n\nprint(x)\n```",
        "```yaml\nserver:\n  port: 80\n  host: db1\ndebug: true\n```",
        "```\nmake run\n```",
    ]
)
intro = st.just("The ports:\n\n- http: 80")
sections = st.lists(st.one_of(prose, bullets, tables, code, intro), min_size=1, max_size=4)
titles = st.sampled_from(["", "# Staging\n\n", "# Guide\n\n## Production\n\n", "Title\n=====\n\n"])
pages = st.builds(lambda title, parts: title + "\n\n".join(parts), titles, sections)
ALONE = [s for s in SENTENCES if not s.startswith(("It", "Is", "Yes"))]
alone = st.lists(st.lists(st.sampled_from(ALONE), min_size=1).map(" ".join), min_size=1).map("\n\n".join)


def counted_oddly(text: str) -> int:
    """A counter that isn't additive."""
    return len(text.split()) + 3 * text.count("\n\n") + len(text) % 7


COUNTERS: list[Callable[[str], int] | None] = [None, len, counted_oddly]


def said(text: str) -> list[str]:
    """Return the statements of a text, without headings, fences and the like."""
    return [text[s.start : s.end] for s in statements(text) if s.kind != "context"]


def is_subsequence(few: list[str], many: list[str]) -> bool:
    left = iter(many)
    return all(one in left for one in few)


def from_source(text: str, source: str = "a.md", **metadata: Any) -> dict[str, Any]:
    return {"text": text, "metadata": {"source": source, **metadata}}


# -- properties ---------------------------------------------------------------------------


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.one_of(pages, st.text(max_size=200)), max_size=5),
    st.integers(1, 200),
    st.sampled_from(COUNTERS),
    st.booleans(),
)
def test_the_budget_is_never_exceeded(
    texts: list[str], budget: int, counter: Callable[[str], int] | None, sources: bool
) -> None:
    documents = [from_source(text, f"{n % 3}.md") for n, text in enumerate(texts)]
    block = pack(documents, budget=budget, count_tokens=counter, sources=sources, query="Which port?")
    assert (counter or estimate_tokens)(block) <= budget or not block


@settings(deadline=None, max_examples=150)
@given(st.lists(pages, min_size=1, max_size=3), st.integers(1, 120))
def test_nothing_is_said_that_the_documents_dont_say(texts: list[str], budget: int) -> None:
    page, *_ = texts
    assert is_subsequence(said(pack([page], budget=budget)), said(page))
    assert is_subsequence(pack([page], budget=budget).split(), page.split())
    assert set(said(pack(texts, budget=budget, sources=False))) <= {line for text in texts for line in said(text)}


@settings(deadline=None, max_examples=150)
@given(st.lists(alone, min_size=2, max_size=4), st.integers(1, 200))
def test_no_sentence_comes_twice(texts: list[str], budget: int) -> None:
    kept = [" ".join(s.split()) for s in said(pack(texts, budget=budget, sources=False))]
    assert len(set(kept)) == len(kept)


@settings(deadline=None, max_examples=150)
@given(pages)
def test_a_budget_that_suffices_changes_only_repetitions(page: str) -> None:
    block = pack([page], budget=UNLIMITED)
    assert {" ".join(s.split()) for s in said(block)} == {" ".join(s.split()) for s in said(page)}
    if len(set(said(page))) == len(said(page)):
        assert block == page


@settings(deadline=None, max_examples=200)
@given(pages, st.integers(1, 200))
def test_packing_again_changes_nothing(page: str, budget: int) -> None:
    """A packed page, packed again within the same budget, is itself.

    Not so where a sentence that leans on another ("Yes.") repeats: what it follows may have gone.
    """
    assume(all(page.count(sentence) < 2 for sentence in SENTENCES if sentence not in ALONE))
    once = pack([page], budget=budget)
    assert pack([once], budget=budget) == once


@settings(deadline=None, max_examples=200)
@given(st.lists(pages, min_size=1, max_size=3), st.integers(1, 150))
def test_blocks_stay_whole(texts: list[str], budget: int) -> None:
    block = pack(texts, budget=budget, sources=False)
    assert block.count("```") % 2 == 0
    lines = block.split("\n")
    for n, line in enumerate(lines):
        if line == "| name | port |":
            table = re.match(r"(?:\|.*\n?)+", "\n".join(lines[n:]))
            assert table is not None
            assert any(table[0].rstrip() in text for text in texts)
        if line.startswith("  - "):
            assert "- host: db1" in lines[:n]


# -- which statements ---------------------------------------------------------------------

PAGE = """# Gateway

Intro of the page that says little. The gateway listens on port 8443.

## Limits

The limits are:

- standard keys: 120
- partner keys: 900

| service | owner |
|---------|-------|
| billing | Ann |
| mail | Bob |

```python
limit = 120

print(limit)
```
"""


def test_documents_by_rank() -> None:
    texts = ["Billing is down.", "Mail is up.", "Search is slow."]
    assert pack(texts, budget=2, count_tokens=lambda t: t.count(".")) == "Billing is down.\n\nMail is up."


def test_the_query_chooses_within_a_document() -> None:
    def kept(query: str, budget: int) -> str:
        return pack([PAGE], query=query, budget=budget, count_tokens=lambda t: len(t.split()))

    assert kept("Which port does the gateway listen on?", 8) == "# Gateway\n\nThe gateway listens on port 8443."
    assert kept("Which port does the gateway listen on?", 7) == ""
    assert kept("limit of partner keys", 11).endswith("## Limits\n\nThe limits are:\n\n- partner keys: 900")
    assert kept("Who owns mail?", 20).endswith("## Limits\n\n" + PAGE[PAGE.index("| service") : PAGE.index("\n\n```")])


def test_a_longer_statement_makes_room_for_a_shorter_one() -> None:
    assert pack(["one two three four five six", "seven"], budget=3, count_tokens=lambda t: len(t.split())) == "seven"


def test_nothing_fits() -> None:
    """A statement is never cut: where not even one fits, the block is empty."""
    assert pack([PAGE], budget=1) == pack([], budget=1) == pack(["", "  \n"], budget=1) == ""


def test_fields_repeat_under_other_headings() -> None:
    """A field says something else under another heading, and in another source; a repeated chunk says nothing new."""
    page = "# Staging\n\n- port: 80\n\n# Production\n\n- port: 80"
    assert pack([page]) == pack([page, page]) == page
    two = [from_source("# Config\n\n- port: 80", "billing.md"), from_source("# Config\n\n- port: 80", "mail.md")]
    assert pack(two).count("port: 80") == 2
    short = pack([page], budget=2, count_tokens=lambda t: len(re.findall(r"\w+", t)))
    assert short == "", "without its heading nobody knows whose port it is"


def test_a_sentence_that_leans_repeats_behind_another() -> None:
    """What "it" is depends on the sentence before: the words alone make no repetition."""
    mail, api = "The mail server starts. It listens on 80.", "The API starts. It listens on 80."
    assert pack([mail, api, mail]) == f"{mail}\n\n{api}"


def test_the_same_sentence_at_two_times_stays() -> None:
    times = [
        from_source("The port is 80.", memstrata_valid_from=f"{year}-01-01T00:00:00+00:00") for year in (2020, 2024)
    ]
    first, second = pack(times, dates=True).split("\n\nSource: ")
    assert first == "Source: a.md (valid from 2020-01-01)\n\nThe port is 80."
    assert second == "a.md (valid from 2024-01-01)\n\nThe port is 80."
    assert pack(times).count("80") == 1


def test_a_code_block_cut_by_a_splitter_is_closed() -> None:
    assert pack(["Run:\n\n~~~~python\nx = 1"]) == "Run:\n\n~~~~python\nx = 1\n~~~~"
    assert pack(["Run:\n\n```"]) == "Run:\n\n```\n```"


def test_rules_and_front_matter_are_kept_with_the_page() -> None:
    page = "One is here.\n\n---\n\nTwo is there.\n\n***\n\nThree is away."
    assert pack([page]) == page
    assert pack([page, "Three is away.", "Two is there."], budget=2, count_tokens=lambda t: t.count(".")) == (
        "One is here.\n\n---\n\nTwo is there."
    )


def test_white_space_makes_no_difference() -> None:
    block = pack(["Ask Ann in the morning.", "Ask  Ann\nin the morning. Or Bob does it."])
    assert block == "Ask Ann in the morning.\n\nOr Bob does it."


# -- sources, dates, kinds of documents ---------------------------------------------------


def test_sources_and_dates() -> None:
    shown = {"memstrata_valid_from": "2024-01-01T00:00:00+00:00", "memstrata_valid_to": "2024-06-01T12:00:00+00:00"}
    documents = [
        from_source("The port is 80.", "a.md", **shown),
        from_source("The host is db1.", "b.md"),
        from_source("The owner is Ann.", "a.md", **shown),
    ]
    assert pack(documents) == (
        "Source: a.md\n\nThe port is 80.\n\nThe owner is Ann.\n\nSource: b.md\n\nThe host is db1."
    )
    head = "Source: a.md (valid from 2024-01-01 to 2024-06-01T12:00:00+00:00)"
    assert pack(documents, dates=True).startswith(f"{head}\n\nThe port is 80.\n\nThe owner")
    assert pack(documents[:1], dates=True, sources=False).startswith("Valid from 2024-01-01 to")
    assert pack(documents[1:2], dates=True) == pack(documents[1:2])


def test_every_kind_of_document() -> None:
    metadata = {"file_path": Path("a.md")}
    node = TextNode(text="The port is 80.", metadata={"file_path": "a.md"})
    kinds = [
        {"page_content": "The port is 80.", "metadata": metadata},
        {"text": "The port is 80.", "metadata": metadata},
        Document("The port is 80.", metadata={"source": "a.md"}),
        node,
        NodeWithScore(node=node, score=0.5),
        SimpleNamespace(page_content="The port is 80.", metadata=metadata),
    ]
    assert {pack([kind]) for kind in kinds} == {"Source: a.md\n\nThe port is 80."}
    assert pack(iter(kinds)) == "Source: a.md\n\nThe port is 80."
    assert pack(["The port is 80.", {"text": "The port is 80."}]) == "The port is 80."


@pytest.mark.parametrize(
    ("documents", "arguments", "message"),
    [
        (["a"], {"budget": 0}, "budget=0"),
        (["a"], {"budget": -5}, "budget=-5"),
        (["a"], {"budget": True}, "budget=True"),
        (["a"], {"budget": 1.5}, "budget=1.5"),
        (["a", 7], {}, "document 1 cannot be packed: int 7"),
        ([("a", 0.5)], {}, "document 0 cannot be packed: tuple"),
        ([{"body": "a"}], {}, "page_content or text"),
        ([{"text": "a", "metadata": 3}], {}, "document 0"),
        ("a", {}, "put it in a list"),
        (None, {}, "got NoneType"),
        (["a"], {"separator": 3}, "separator=3"),
        (["a"], {"query": 3}, "query=3"),
        (["a"], {"count_tokens": str.split}, r"len\(tokenizer.encode\(text\)\)"),
    ],
)
def test_bad_input_is_named(documents: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        pack(documents, **arguments)


# -- the estimate -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_the_estimate_is_not_below_real_tokens(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tiktoken = pytest.importorskip("tiktoken", reason="tiktoken comes with llama-index-core")
    core = pytest.importorskip("llama_index.core", reason="it brings the tokenizers' files")
    cache = Path(core.__file__).parent / "_static" / "tiktoken_cache"
    if "TIKTOKEN_CACHE_DIR" not in os.environ:
        if not any(cache.glob("*")):
            pytest.skip("llama-index-core brings no tokenizer files any more")
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
    encoding = tiktoken.get_encoding(name)
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("memstrata_integrations/*.py")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    for text in texts:
        assert estimate_tokens(text) >= len(encoding.encode(text, disallowed_special=())), text[:200]
    for line in "\n".join(texts).split("\n"):
        assert estimate_tokens(line) >= 0.9 * len(encoding.encode(line, disallowed_special=())), line
    real = sum(len(encoding.encode(text, disallowed_special=())) for text in texts)
    assert sum(map(estimate_tokens, texts)) < 1.7 * real
