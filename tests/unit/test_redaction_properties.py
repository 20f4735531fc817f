"""Properties of a text without its stale statements: what is left is exactly the live ones, in any page or text."""

import json
import re
import sys
from html.parser import HTMLParser
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memstrata_integrations.redaction import SUPERSEDED, Stated, annotate, redact

WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"])
SENTENCE = st.lists(WORDS, min_size=2, max_size=6).map(lambda w: " ".join(w).capitalize())
KINDS = dict.fromkeys("paragraph wrapped list numbered table code quote loose labelled inline".split(), (1, 4))
KINDS |= {"heading": (1, 1), "nested": (2, 4)}  # how many statements a block of a kind has
BLOCK = st.sampled_from(list(KINDS)).flatmap(
    lambda kind: st.tuples(st.just(kind), st.lists(SENTENCE, min_size=KINDS[kind][0], max_size=KINDS[kind][1]))
)
FRAMES = [("", ""), ("**", "**"), ("*", "*"), ("(", ")"), ("“", "”"), ("[", "](http://x)"), ("_", "_"), ("`", "`")]


BEGINS = {"labelled": "These:\n\n", "inline": "Look. ", "code": "```\n", "table": "| said |\n|---|\n"}
AROUND = {
    "wrapped": ("", "\n"), "list": ("- ", "\n"), "labelled": ("* ", "\n"), "code": ("", "\n"), "table": ("| ", " |\n"),
}  # fmt: skip


def page(blocks: list[tuple[str, list[str]]]) -> tuple[str, list[tuple[int, int]]]:
    """Return a Markdown page, and where its statements stand; each has a number of its own."""
    text = ""
    spans: list[tuple[int, int]] = []

    def put(statement: str, before: str = "", after: str = "\n") -> None:
        nonlocal text
        text += before
        numbered = f"{statement} is #{len(spans)}#."
        spans.append((len(text), len(text) + len(numbered)))
        text += numbered + after

    for kind, statements in blocks:
        text += BEGINS.get(kind, "")
        for n, s in enumerate(statements):
            end = n == len(statements) - 1
            if kind == "heading":
                text += f"## {s}\n"
            elif kind == "paragraph":
                put(s, after="\n" if end else " ")
            elif kind == "numbered":
                put(s, f"{n + 1}. ")
            elif kind == "quote":
                put(s, "> ", "\n>\n" if len(s) % 2 and not end else "\n")
            elif kind == "nested":
                put(s, "  " * (n % 3) + "- ")
            elif kind == "loose":
                put(s, "- ", "\n" if end else "\n\n")
            elif kind == "inline":
                before, after = FRAMES[len(s) % len(FRAMES)]
                put(s, before, after + ("\n" if end else " "))
            else:
                put(s, *AROUND.get(kind, ()))
        text += "```\n\n" if kind == "code" else "\n"
    return text, spans


def titles_left(blocks: list[tuple[str, list[str]]], gone: set[int]) -> list[str]:
    """Return the headings less those under which there was something, all of it stale; all if nothing else is left."""
    sections: list[tuple[str, list[int]]] = [("", [])]
    count = 0
    for kind, statements in blocks:
        if kind == "heading":
            sections.append((f"## {statements[0]}", []))
            continue
        sections[-1][1].extend(range(count, count + len(statements)))
        if kind == "inline":
            sections[-1][1].append(-1)  # prose
        count += len(statements)
    left = [title for title, held in sections[1:] if not held or set(held) - gone]
    return left if left or set(sections[0][1]) - gone else [title for title, _ in sections[1:]]


class Rendered(HTMLParser):
    """A page as a browser shows it: where each numbered statement stands, and which elements are empty."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.shown: dict[str, tuple[str, ...]] = {}
        self.filled: set[int] = set()
        self.empty: list[str] = []
        self.feed(MarkdownIt("commonmark").enable("table").render(text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.filled.discard(len(self.open))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.filled.update(range(1, len(self.open) + 1))
        self.shown.update(dict.fromkeys(re.findall(r"#\d+#", data), self.place()))

    def place(self) -> tuple[str, ...]:
        """Return the open elements, less the paragraph of an item: it shows only that the list is a loose one."""
        return tuple(tag for n, tag in enumerate(self.open) if not (tag == "p" and self.open[n - 1] == "li"))

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) not in self.filled:
            self.empty.append(tag)
        self.open.pop()


@settings(max_examples=300, deadline=None)
@given(st.lists(BLOCK, min_size=1, max_size=6), st.data())
def test_the_remaining_sentences_are_exactly_the_live_ones_and_rendered_as_they_were(
    blocks: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    text, spans = page(blocks)
    gone = data.draw(st.sets(st.sampled_from(range(len(spans))))) if spans else set()
    facts = [Stated(span, f"#{n}#", live=n not in gone) for n, span in enumerate(spans)]
    found = redact(text, facts)
    live = [text[slice(*s)] for n, s in enumerate(spans) if n not in gone]
    assert re.findall(r"[^\W_][\w ]* is #\d+#\.", found) == live
    if not gone:
        assert found == text
    assert all(re.fullmatch(r" *- \[superseded\]", line) for line in found.split("\n") if SUPERSEDED in line)
    assert "\n\n\n" not in found
    assert not found.startswith("\n")
    assert not any(re.fullmatch(r"[ \t]*(?:[-*]|\d+\.)[ \t]*", line) for line in found.split("\n"))
    fences = found.split("```")
    assert len(fences) % 2 == 1
    assert all(inside.strip() for inside in fences[1::2])
    assert not re.search(r"\|---\|\n(?!\|)", found)
    assert [line for line in found.split("\n") if line.startswith("## ")] == titles_left(blocks, gone)
    assert not re.search(r"[^\n] +\n", found)
    before, after = Rendered(text), Rendered(found)
    assert after.shown == {f"#{n}#": before.shown[f"#{n}#"] for n in range(len(spans)) if n not in gone}
    assert after.empty == []


JOINTS = [
    " ", ", ", "; ", "; the ", ", and the ", " and ", "\nand ", ". ", ".\n", " (", ") ", " **", "** ", "\n- ", "`",
]  # fmt: skip
PIECES = st.sampled_from(
    [*JOINTS, "v", "V", ",\r\n> but ", "\r", "\n\n", "> ", "|", "\n|---|\n", "```\n", "# ", ":", "!"]
)
TEXTS = st.text(max_size=80) | st.lists(PIECES, max_size=30).map("".join).map(lambda text: text[:80])


@settings(max_examples=400, deadline=None)
@example("\r", [(0, 1, False)])
@given(TEXTS, st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80), st.booleans()), max_size=4))
def test_no_text_and_no_spans_raise(text: str, spans: list[tuple[int, int, bool]]) -> None:
    facts = [
        Stated((a, b), text[a:b][:5], live)
        for left, right, live in spans
        for a, b in [sorted((min(left, len(text)), min(right, len(text))))]
        if a < b
    ]
    redact(text, facts)
    annotate(text, facts)


@settings(max_examples=200, deadline=None)
@given(st.lists(BLOCK.filter(lambda block: block[0] != "nested"), min_size=1, max_size=6), st.data())
def test_what_goes_stale_in_two_steps_leaves_what_one_step_leaves(
    blocks: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    text, spans = page(blocks)
    numbers = range(len(spans))
    first, second = (data.draw(st.sets(st.sampled_from(numbers))) if spans else set() for _ in range(2))

    def without(said: str, gone: set[int]) -> str:
        stated = re.finditer(r"[^\W_][\w ]* is (#\d+#)\.", said)
        return redact(said, [Stated(m.span(), m[1], live=int(m[1].strip("#")) not in gone) for m in stated])

    def stated_in(said: str) -> list[str]:
        return re.findall(r"#\d+#", said)

    if len(first | second) < len(spans):  # else nothing is shown
        # the words around them may differ: once a paragraph is gone, a label may belong to the list behind it
        assert stated_in(without(without(text, first), second)) == stated_in(without(text, first | second))
    assert without(without(text, first), first) == without(text, first)


SPOKEN = st.lists(st.tuples(WORDS, st.sampled_from(JOINTS)), min_size=1, max_size=12)


@settings(max_examples=400, deadline=None)
@given(SPOKEN, st.data())
def test_where_statements_overlap_just_the_live_ones_show(spoken: list[tuple[str, str]], data: st.DataObject) -> None:
    text = ""
    places: list[tuple[int, int]] = []
    for n, (word, joint) in enumerate(spoken):
        places.append((len(text), len(text) + len(f"{word} v{n}v")))
        text += f"{word} v{n}v{joint}"
    facts = []
    for n, (start, end) in enumerate(places):
        around = data.draw(st.tuples(st.integers(0, n), st.integers(n, len(places) - 1)), label="around")
        span = data.draw(st.sampled_from([(start, end), (places[around[0]][0], places[around[1]][1])]))
        facts.append(Stated(span, f"v{n}v", live=data.draw(st.booleans())))
    assert set(re.findall(r"v\d+v", redact(text, facts))) == {f.object for f in facts if f.live}


KEYS = st.text("abcdef", min_size=1, max_size=3)
TREES = st.recursive(
    st.integers(0, 99), lambda inner: st.dictionaries(KEYS, inner, min_size=1, max_size=4), max_leaves=12
).filter(lambda tree: isinstance(tree, dict))


def leaves(tree: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = []
    for key, value in tree.items():
        found += leaves(value, (*path, key)) if isinstance(value, dict) else [(*path, key)]
    return found


def prune(tree: dict[str, Any], gone: set[tuple[str, ...]], *, empty: bool, at: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a tree without some leaves; `empty`: with the branches that lost all of theirs."""
    left: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            inner = prune(value, gone, empty=empty, at=(*at, key))
            if inner or empty:
                left[key] = inner
        elif (*at, key) not in gone:
            left[key] = value
    return left


@settings(max_examples=200, deadline=None)
@given(TREES, st.data(), st.sampled_from([None, 2]))
def test_json_is_left_without_its_stale_members(tree: dict[str, Any], data: st.DataObject, indent: int | None) -> None:
    text = json.dumps(tree, indent=indent)
    paths = leaves(tree)
    gone = data.draw(st.sets(st.sampled_from(paths)))
    members = list(re.finditer(r"\"\w+\": (\d+)", text))
    assert len(members) == len(paths)
    facts = [Stated(m.span(), m[1], live=path not in gone) for m, path in zip(members, paths, strict=True)]
    assert json.loads(redact(text, facts)) == prune(tree, gone, empty=True)


@settings(max_examples=200, deadline=None)
@given(TREES, st.data(), st.booleans())
def test_yaml_is_left_with_no_key_without_its_value(tree: dict[str, Any], data: st.DataObject, fenced: bool) -> None:
    text = yaml.safe_dump(tree, sort_keys=False)
    paths = leaves(tree)
    gone = data.draw(st.sets(st.sampled_from(paths), max_size=len(paths) - 1))
    offset = len("```yaml\n") * fenced
    facts = [
        Stated((m.start() + offset, m.end() + offset), m[1], live=path not in gone)
        for m, path in zip(re.finditer(r"\w+: (\d+)", text), paths, strict=True)
    ]
    found = redact(f"```yaml\n{text}```\n" if fenced else text, facts)
    assert yaml.safe_load(found.removeprefix("```yaml\n").removesuffix("```\n")) == prune(tree, gone, empty=False)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=12), st.booleans()), min_size=1, max_size=8))
def test_in_any_text_the_live_statements_stay_and_the_stale_ones_go(pieces: list[tuple[str, bool]]) -> None:
    text = ""
    facts = []
    for n, (said, live) in enumerate(pieces):
        text += f"{said}\n"
        facts.append(Stated((len(text), len(text) + len(f"It is ⟨{n}⟩.")), f"⟨{n}⟩", live))
        text += f"It is ⟨{n}⟩. "
    found = redact(text, facts)
    for n, (_, live) in enumerate(pieces):
        assert (f"It is ⟨{n}⟩." in found) == live
    marked = annotate(text, facts)
    assert all(f"⟨{n}⟩" in marked for n in range(len(pieces)))
    assert marked.count("[superseded]") + marked.count(": superseded]") >= sum(not live for _, live in pieces)


@pytest.mark.parametrize(
    "piece", ["x:\n", "|-|\n", "- x:\n", "| a | 1 |\n", "`a` b ", "# x\n", "**x**\n", "x:\n\n", "> x:\n"]
)
def test_work_grows_no_faster_than_the_text(piece: str) -> None:
    def work(times: int) -> int:
        text, calls = piece * times + "\n\nThe port is 80.", 0

        def count(_: Any, event: str, __: Any) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(count)
        try:
            redact(text, [Stated((len(text) - 15, len(text)), "80", False)])
        finally:
            sys.setprofile(None)
        return calls

    assert work(1_600) < 6 * work(400) + 2_000
