"""A text without its stale statements: what is left is exactly the live ones, and Markdown stays whole."""

from __future__ import annotations

import pytest

from memstrata_integrations.redaction import SUPERSEDED, Stated, annotate, redact


def stale(text: str, statement: str, value: str = "", *, live: bool = False) -> Stated:
    assert text.count(statement) == 1, statement
    start = text.index(statement)
    return Stated((start, start + len(statement)), value or statement.split()[-1].strip("."), live)


PAGE = """# Gateway

The gateway listens on port 8443. It was
written in Go. **The owner is Ann.** Deploys
happen on Monday.

Facts:

- port: 80
- host: db1
  - replica: db2
1. one
2. two

| name | port |
|------|------|
| a | 1 |
| b | 2 |

```yaml
timeout: 30
```

End.
"""


@pytest.mark.parametrize(
    ("statements", "want"),
    [
        (["The gateway listens on port 8443."], PAGE.replace("The gateway listens on port 8443. ", "")),
        (["The owner is Ann."], PAGE.replace("**The owner is Ann.** ", "")),
        (["port: 80"], PAGE.replace("- port: 80\n", "")),
        (["host: db1"], PAGE.replace("host: db1", SUPERSEDED)),
        (["host: db1", "replica: db2"], PAGE.replace("- host: db1\n  - replica: db2\n", "")),
        (["| a | 1 |"], PAGE.replace("| a | 1 |\n", "")),
        (
            ["| a | 1 |", "| b | 2 |"],
            PAGE.replace("| name | port |\n|------|------|\n| a | 1 |\n| b | 2 |\n\n", ""),
        ),
        (["timeout: 30"], PAGE.replace("```yaml\ntimeout: 30\n```\n\n", "")),
    ],
)
def test_a_line_goes_with_the_statement_that_it_held(statements: list[str], want: str) -> None:
    assert redact(PAGE, [stale(PAGE, s) for s in statements]) == want


@pytest.mark.parametrize(
    ("text", "facts", "want"),
    [
        ("The API is on 80, and the UI is on 90.", [("80", True), ("90", False)], "The API is on 80."),
        ("The API is on 80; restart it weekly.", [("80", False)], "Restart it weekly."),
        ("The API is on 80; the UI is on 80.", [("80", False), ("80", True)], "The UI is on 80."),
        ("It maps 80 to 80.", [("80", False), ("80", True)], "It maps [superseded] to 80."),
        ("The port 80, once more 80, is 80 s.", [("80", False), ("80 s", True)], None),
    ],
)  # fmt: skip
def test_a_statement_with_a_live_fact_keeps_it(text: str, facts: list[tuple[str, bool]], want: str | None) -> None:
    found = redact(text, [Stated((0, len(text)), value, live) for value, live in facts])
    if want is not None:
        assert found == want
    assert all(value in found for value, live in facts if live)


@pytest.mark.parametrize(
    ("text", "cut", "want"),
    [
        ("**Note: the port is 80. It is open.**", "Note: the port is 80.", "**It is open.**"),
        ("**Note. The port is 80.** It is open.", "The port is 80.**", "**Note.** It is open."),
        ("One.\n\nThe port is 80.", "The port is 80.", "One."),
        ("One. The port\nis 80. Two.", "The port\nis 80.", "One.\nTwo."),
        ("- [x] port: 80\n- [ ] two", "port: 80", "- [ ] two"),
        ("One.  \nThe port is 80.", "The port is 80.", "One.  "),
    ],
)
def test_what_is_left_reads_on(text: str, cut: str, want: str) -> None:
    assert redact(text, [stale(text, cut, "80")]) == want


def cut(text: str, *statements: str) -> str:
    return redact(text, [stale(text, s) for s in statements])


PORT = "The port is 80."


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("Deploys run (the port is 80).", "the port is 80", "Deploys run."),
        ("(The port is 80. See it.) Next.", f"({PORT}", "(See it.) Next."),
        ('See. "The port is 80." Next.', PORT, "See. Next."),
        ("***The port is 80.*** Next.", PORT, "Next."),
        ("~~The port is 80.~~ Next.", PORT, "Next."),
        ("*Ask Ann. The port is 80.* Next.", f"{PORT}*", "*Ask Ann.* Next."),
        ("**The port is 80. Ask Ann.** Next.", f"**{PORT}", "**Ask Ann.** Next."),
        ("**Ask\nAnn. The port is 80.**\nNext.", f"{PORT}**", "**Ask\nAnn.**\nNext."),
        ("`The port is 80.` Next.", PORT, "Next."),
        ("<b>The port is 80.</b> Next.", PORT, "Next."),
        ("See. The port is 80.[^1] Next.", PORT, "See. Next."),
        ("The users' cat. The port is 80. Don't.", PORT, "The users' cat. Don't."),
        ("Start. The port is 80. .NET runs.", "The port is 80", "Start. .NET runs."),
        ("We meet at noon; the room is 12.", "the room is 12.", "We meet at noon."),
    ],
)
def test_what_stood_around_a_part_of_a_line_goes_or_stays_in_pairs(text: str, gone: str, want: str) -> None:
    assert cut(text, gone) == want


@pytest.mark.parametrize(
    ("text", "gone", "value", "want"),
    [
        ("The fee is 9 euro and is due.", "The fee is 9 euro", "9 euro", "The fee is [superseded] and is due."),
        ("Wait for 30 s, then go.", "Wait for 30 s", "30 s", "Wait for [superseded], then go."),
        ("Ports go by path, and the longest wins.", "Ports go by path", "path", "The longest wins."),
        ("The limit is 5\nper day.", "The limit is 5", "5", "The limit is [superseded]\nper day."),
    ],
)  # fmt: skip
def test_the_rest_of_a_sentence_is_no_torso(text: str, gone: str, value: str, want: str) -> None:
    assert redact(text, [stale(text, gone, value)]) == want


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ('{"a": 1, "port": 80, "c": 3}', ['"port": 80'], '{"a": 1, "c": 3}'),
        ('{"a": 1, "port": 80, "c": 3}', ['"port": 80', '"c": 3'], '{"a": 1}'),
        ('{"a": 1, "port": 80, "c": 3}', ['"a": 1', '"port": 80'], '{"c": 3}'),
        ('```json\n{\n  "port": 80\n}\n```\n\nEnd.', ['"port": 80'], "End."),
        ("f(a=1, port=80)", ["port=80"], "f(a=1)"),
        ("f(\n    a=1,\n    port=80,\n)", ["port=80,"], "f(\n    a=1,\n)"),
        ("```yaml\nserver:\n  port: 80\nname: x\n```", ["port: 80"], "```yaml\nname: x\n```"),
        ("```yaml\na:\n  b:\n    c: 80\n```\n\nEnd.", ["c: 80"], "End."),
        ("ports:\n- port: 80\nname: x\n", ["port: 80"], "name: x\n"),
        ("---\nport: 80\n---\n\n# Top\n", ["port: 80"], "# Top\n"),
        ("```sh\nrun \\\n  -p 80 \\\n  --name x\n```", ["--name x"], "```sh\nrun \\\n  -p 80\n```"),
        ("```sh\nrun \\\n  -p 80 \\\n  --name x\n```", ["-p 80 \\"], "```sh\nrun \\\n  --name x\n```"),
        ("[server]\nport = 80\n\n[db]\nhost = x\n", ["port = 80"], "[db]\nhost = x\n"),
        ("[server]\nport = 80\n# see x\n", ["port = 80"], "[server]\n# see x\n"),
        ("class A:\n    PORT = 80\n\nB = 1\n", ["PORT = 80"], "class A: ...\n\nB = 1\n"),
    ],
)  # fmt: skip
def test_code_and_configuration_stay_well_formed(text: str, gone: list[str], want: str) -> None:
    assert cut(text, *gone) == want


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("A.\n\nPorts:\n\n- port: 80\n- host: x\n\nEnd.", ["port: 80", "host: x"], "A.\n\nEnd."),
        ("A.\n\n**Ports:**\nThe port is 80.\n\nEnd.", [PORT], "A.\n\nEnd."),
        ("A. Ports:\n\n- port: 80\n\nEnd.", ["port: 80"], "A. Ports: [superseded]\n\nEnd."),
        ("Limits:\n\n| a | b |\n|---|---|\n| c | 80 |\n\nEnd.", ["| c | 80 |"], "End."),
        ("Ann runs it with:\n\n- port: 80\n\nEnd.", ["port: 80"], "Ann runs it with: [superseded]\n\nEnd."),
        ("A.\n\nWho decides? The port is 80.\n\nEnd.", [PORT], "A.\n\nEnd."),
        ("- **Port:** The port is 80.\n- two", [PORT], "- two"),
        ("> **Note:** The port is 80.\n> Ask Ann.", [PORT], "> **Note:**\n> Ask Ann."),
        ("# A\n\nB.\n\n## Ports\n\nThe port is 80.\n\n## C\n\nD.", [PORT], "# A\n\nB.\n\n## C\n\nD."),
        ("# A\n\nB.\n\n## Ports\n\n### X\n\nThe port is 80.\n", [PORT], "# A\n\nB.\n"),
        ("B.\n\n## Ann is on call\n\nThe port is 80.\n", [PORT], "B.\n\n## Ann is on call\n"),
        ("B.\n\n## 2.0 of 2024\n\nThe port is 80.\n", [PORT], "B.\n\n## 2.0 of 2024\n"),
        ("# Ports\n\nThe port is 80.\n", [PORT], "# Ports\n"),
        ("B.\n\n# The port is 80.\n\nC.\n", ["The port is 80."], "B.\n\n# [superseded]\n\nC.\n"),
        ("B.\n\nThe port is 80\n===\n", ["The port is 80"], "B.\n"),
        ("> [!NOTE]\n> The port is 80.\n\nEnd.", [PORT], "End."),
        ('!!! note "Ports"\n    The port is 80.\n\nEnd.', [PORT], "End."),
    ],
)  # fmt: skip
def test_what_introduced_only_stale_statements_goes_with_them(text: str, gone: list[str], want: str) -> None:
    """It names, and says nothing by itself; a sentence that does stays, and so does the last title of a text."""
    assert cut(text, *gone) == want


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("1. one\n2. The port is 80.\n3. three", [PORT], "1. one\n3. three"),
        ("Steps:\n1. The port is 80.\n2. two", [PORT], "Steps:\n\n2. two"),
        ("- The port is 80.\n  Ask Ann.\n- two", [PORT], "- Ask Ann.\n- two"),
        ("- The port is 80.\n\n  Ask Ann.\n- two", [PORT], "- Ask Ann.\n- two"),
        ("1. The port is 80.\n\n   ```\n   a\n   ```", [PORT], "1. [superseded]\n\n   ```\n   a\n   ```"),
        ("A.\n- The port is 80.\n---\nB.", [PORT], "A.\n\n---\nB."),
        ("> One.\n>\n> The port is 80.\n\nEnd.", [PORT], "> One.\n\nEnd."),
        ("> One. The port\n> is 80. Two.", ["The port\n> is 80."], "> One.\n> Two."),
        ("> | a | b |\n> |---|---|\n> | c | 80 |\n\nEnd.", ["| c | 80 |"], "End."),
        ("| port | 80 |\n|---|---|\n| host | x |", ["| port | 80 |"], "| | |\n|---|---|\n| host | x |"),
        ("| a | b |\n|---|---|\n| The port is 80. | c |", [PORT], "| a | b |\n|---|---|\n| | c |"),
        ("One.\r\n\r\nThe port is 80.\r\n\r\nTwo.\r\n", [PORT], "One.\r\n\r\nTwo.\r\n"),
    ],
)  # fmt: skip
def test_lists_quotations_and_tables_keep_their_shape(text: str, gone: list[str], want: str) -> None:
    """Numbers of items stay: other text refers to them, and they are a part of statements that hold."""
    assert cut(text, *gone) == want


def test_a_live_fact_in_a_title_keeps_it() -> None:
    text = "A.\n\nPorts of db1:\n\n- port: 80\n"
    assert redact(text, [Stated((4, 17), "db1", live=True), stale(text, "port: 80")]) == (
        "A.\n\nPorts of db1: [superseded]\n"
    )


def test_a_value_within_a_word_is_replaced_too() -> None:
    text = "It waits 80ms, and holds 5."
    assert redact(text, [Stated((0, 27), "80", live=False), Stated((0, 27), "5", live=True)]) == (
        "It waits [superseded]ms, and holds 5."
    )


@pytest.mark.parametrize(
    ("text", "gone", "want"),
    [
        ("```yaml\nport: 80\n```\nEnd.", "port: 80", "```yaml\nport: 80  # [ended]\n```\nEnd."),
        ("```yaml\nport: 80  # main\n```", "port: 80", "```yaml\nport: 80  # main [ended]\n```"),
        ("```js\nconst port = 80;\n```", "const port = 80", "```js\nconst port = 80;  // [ended]\n```"),
        ("- a\n  ```\n  port 80\n  ```\n", "port 80", "- a\n  ```\n  port 80\n  ```\n  [port 80: ended]\n"),
        ("```sh\nrun -p 80 \\\n  x\n```", "run -p 80 \\", "```sh\nrun -p 80 \\\n  x\n```\n[run -p 80 \\: ended]"),
        ('{\n  "port": 80\n}\n', '"port": 80', '{\n  "port": 80\n}\n["port": 80: ended]\n'),
        ("---\nport: 80\n---\n", "port: 80", "---\nport: 80  # [ended]\n---\n"),
        ("Use `port 80` now.", "port 80", "Use `port 80` [ended] now."),
        ("See [it](http://port80/) now.", "http://port80", "See [it](http://port80/) [ended] now."),
    ],
)  # fmt: skip
def test_a_note_breaks_no_block(text: str, gone: str, want: str) -> None:
    start = text.index(gone)
    assert annotate(text, [Stated((start, start + len(gone)), "80", live=False, note="ended")]) == want


def test_a_note_in_a_table_makes_no_cell() -> None:
    text = "| a | 80 |"
    assert annotate(text, [Stated((0, 10), "80", live=False, note="by 1|2")]) == "| a | 80 [by 1\\|2] |"


def test_annotating_says_it_beside_the_statement() -> None:
    text = "The port is 80. Ask Ann.\n| api | 80 |\n"
    row = text.index("| api")
    facts = [
        Stated((0, 15), "80", live=False, note="superseded 2024-06-01 by 81"),
        Stated((row, len(text) - 1), "80", live=False, note="ended 2024-06-01"),
    ]
    assert annotate(text, facts) == (
        "The port is 80. [superseded 2024-06-01 by 81] Ask Ann.\n| api | 80 [ended 2024-06-01] |\n"
    )
