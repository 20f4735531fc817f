"""README's code runs as it stands."""

from __future__ import annotations

import re

import pytest

from tests.shared_data import ROOT

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)


def test_readmes_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The Python blocks of README run one after the other, and their assertions hold."""
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "2024-06-01  open        9090   current" in printed
    assert "would write 1 new rows" in printed
    assert "replaced '8080'" in printed
