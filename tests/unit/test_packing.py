"""The packed context: within the budget, original statements in order, each once, blocks whole."""

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
BULLETS = ["- port: 80", "- host: db1\n  - replica: db2\n  - zone: a", "- Ann owns it. Bob helps.", "1. a"]
bullets = st.lists(st.sampled_from(BULLETS), min_size=1, max_size=3).map("\n".join)
some_rows = st.lists(st.sampled_from(["| a | 1 |", "| b | 2 |", "| c | 3 |"]), min_size=1, max_size=3, unique=True)
tables = some_rows.map(lambda rows: "\n".join(["| name | port |", "|------|------|", *rows]))
CODE = ("python\nx = 1\n\nprint(x)\n", "yaml\nserver:\n  port: 80\n  host: db1\ndebug: true\n", "\nmake run\n")
code = st.sampled_from([f"```{text}```" for text in CODE])
intro = st.just("The ports:\n\n- http: 80")
sections = st.lists(st.one_of(prose, bullets, tables, code, intro), min_size=1, max_size=4)
titles = st.sampled_from(["", "# Staging\n\n", "# Guide\n\n## Production\n\n", "Title\n=====\n\n"])
pages = st.builds(lambda title, parts: title + "\n\n".join(parts), titles, sections)
anything = st.one_of(pages, st.text(max_size=200))
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


@settings(deadline=None, max_examples=150)
@given(st.lists(anything, max_size=5), st.integers(1, 200), st.sampled_from(COUNTERS), st.booleans())
def test_the_budget_is_never_exceeded(texts: list[str], budget: int, counter: Any, sources: bool) -> None:
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
    """Not so where a sentence that leans on another ("Yes.") repeats: what it follows may have gone."""
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


WORDS: dict[str, Any] = {"count_tokens": lambda text: len(text.split())}
STOPS: dict[str, Any] = {"count_tokens": lambda text: text.count(".")}
TABLE = PAGE[PAGE.index("| service") : PAGE.index("\n\n```")]
FIELDS = "# Staging\n\n- port: 80\n\n# Production\n\n- port: 80"
MAIL, API = "The mail server starts. It listens on 80.", "The API starts. It listens on 80."
RULED = "One is here.\n\n---\n\nTwo is there.\n\n***\n\nThree is away."
TIMES = [from_source("The port is 80.", memstrata_valid_from=f"{year}-01-01T00:00:00+00:00") for year in (2020, 2024)]
SHOWN = {"memstrata_valid_from": "2024-01-01T00:00:00+00:00", "memstrata_valid_to": "2024-06-01T12:00:00+00:00"}
TWO = [
    from_source("The port is 80.", "a.md", **SHOWN), from_source("The host is db1.", "b.md"),
    from_source("The owner is Ann.", "a.md", **SHOWN),
]  # fmt: skip

PACKED: dict[str, list[tuple[list[Any], dict[str, Any], str]]] = {  # documents, options, the block
    "when the budget is short, the best document's statements come first": [
        (["Ann is in.", "Mail is up.", "Search is slow."], {"budget": 2, **STOPS}, "Ann is in.\n\nMail is up."),
    ],
    "within a document those stay that share words with the query, under their headings": [
        ([PAGE], {"query": "Which port does the gateway listen on?", "budget": 8, **WORDS},
         "# Gateway\n\nThe gateway listens on port 8443."),
        ([PAGE], {"query": "Which port does the gateway listen on?", "budget": 7, **WORDS}, ""),
        ([PAGE], {"query": "limit of partner keys", "budget": 11, **WORDS},
         "# Gateway\n\n## Limits\n\nThe limits are:\n\n- partner keys: 900"),
        ([PAGE], {"query": "Who owns mail?", "budget": 20, **WORDS}, f"# Gateway\n\n## Limits\n\n{TABLE}"),
    ],
    "what does not fit is passed over: the next that fits is taken": [
        (["one two three four five six", "seven"], {"budget": 3, **WORDS}, "seven"),
    ],
    "a statement is never cut: where not even one fits, the block is empty": [
        ([PAGE], {"budget": 1}, ""), ([], {"budget": 1}, ""), (["", "  \n"], {"budget": 1}, ""),
    ],
    "a field says something else under another heading, and in another source; a repeated chunk says nothing new": [
        ([FIELDS], {}, FIELDS), ([FIELDS, FIELDS], {}, FIELDS),
        ([from_source("# Config\n\n- port: 80", name) for name in ("billing.md", "mail.md")], {},
         "Source: billing.md\n\n# Config\n\n- port: 80\n\nSource: mail.md\n\n# Config\n\n- port: 80"),
    ],
    "without its heading nobody knows whose port it is": [
        ([FIELDS], {"budget": 2, "count_tokens": lambda text: len(re.findall(r"\w+", text))}, ""),
    ],
    'what "it" is depends on the sentence before: the words alone make no repetition': [
        ([MAIL, API, MAIL], {}, f"{MAIL}\n\n{API}"),
    ],
    "where dates are shown, what was valid twice stands twice": [
        (TIMES, {"dates": True}, "Source: a.md (valid from 2020-01-01)\n\nThe port is 80.\n\n"
         "Source: a.md (valid from 2024-01-01)\n\nThe port is 80."),
        (TIMES, {}, "Source: a.md\n\nThe port is 80."),
    ],
    "a fence without its partner gets one": [
        (["Run:\n\n~~~~python\nx = 1"], {}, "Run:\n\n~~~~python\nx = 1\n~~~~"),
        (["Run:\n\n```"], {}, "Run:\n\n```\n```"),
    ],
    "what stands between statements stays where both its neighbours do": [
        ([RULED], {}, RULED),
        ([RULED, "Three is away.", "Two is there."], {"budget": 2, **STOPS}, "One is here.\n\n---\n\nTwo is there."),
    ],
    "the same sentence, wrapped otherwise, is a repetition": [
        (["Ask Ann in the morning.", "Ask  Ann\nin the morning. Or Bob does it."], {},
         "Ask Ann in the morning.\n\nOr Bob does it."),
    ],
    "each source is named once; dates are said where they are asked for and shown": [
        (TWO, {}, "Source: a.md\n\nThe port is 80.\n\nThe owner is Ann.\n\nSource: b.md\n\nThe host is db1."),
        (TWO[::2], {"dates": True}, "Source: a.md (valid from 2024-01-01 to 2024-06-01T12:00:00+00:00)\n\n"
         "The port is 80.\n\nThe owner is Ann."),
        (TWO[:1], {"dates": True, "sources": False},
         "Valid from 2024-01-01 to 2024-06-01T12:00:00+00:00\n\nThe port is 80."),
        (TWO[1:2], {"dates": True}, "Source: b.md\n\nThe host is db1."),
    ],
}  # fmt: skip


@pytest.mark.parametrize("what", PACKED)
def test_what_is_packed(what: str) -> None:
    for documents, options, block in PACKED[what]:
        assert pack(documents, **options) == block


def test_every_kind_of_document() -> None:
    metadata = {"file_path": Path("a.md")}
    node = TextNode(text="The port is 80.", metadata={"file_path": "a.md"})
    kinds = [
        {"page_content": "The port is 80.", "metadata": metadata}, {"text": "The port is 80.", "metadata": metadata},
        Document("The port is 80.", metadata={"source": "a.md"}), node, NodeWithScore(node=node, score=0.5),
        SimpleNamespace(page_content="The port is 80.", metadata=metadata),
    ]  # fmt: skip
    assert {pack([kind]) for kind in kinds} == {"Source: a.md\n\nThe port is 80."}
    assert pack(iter(kinds)) == "Source: a.md\n\nThe port is 80."
    assert pack(["The port is 80.", {"text": "The port is 80."}]) == "The port is 80."


@pytest.mark.parametrize(("documents", "arguments", "message"), [
    (["a"], {"budget": 0}, "budget=0"), (["a"], {"budget": -5}, "budget=-5"),
    (["a"], {"budget": True}, "budget=True"), (["a"], {"budget": 1.5}, "budget=1.5"),
    (["a", 7], {}, "document 1 cannot be packed: int 7"), ([("a", 0.5)], {}, "document 0 cannot be packed: tuple"),
    ([{"body": "a"}], {}, "page_content or text"), ([{"text": "a", "metadata": 3}], {}, "document 0"),
    ("a", {}, "put it in a list"), (None, {}, "got NoneType"), (["a"], {"separator": 3}, "separator=3"),
    (["a"], {"query": 3}, "query=3"), (["a"], {"count_tokens": str.split}, r"len\(tokenizer.encode\(text\)\)"),
])  # fmt: skip
def test_bad_input_is_named(documents: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        pack(documents, **arguments)


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
