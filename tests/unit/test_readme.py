"""README's code, and that of every page of docs/, runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.shared_data import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))


def blocks(page: Path) -> list[str]:
    """Return the Python blocks of a page."""
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def run(page: Path) -> None:
    """Run the blocks of a page one after the other, in one namespace."""
    names: dict[str, object] = {}
    for block in blocks(page):
        exec(compile(block, page.name, "exec"), names)


def test_readmes_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The Python blocks of README run, and their assertions hold."""
    run(ROOT / "README.md")
    printed = capsys.readouterr().out
    assert "2024-06-01  open        9090   current" in printed
    assert "would write 2 new rows" in printed
    assert "replaced '8080'" in printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_of_the_docs_runs(page: Path) -> None:
    """The Python blocks of each page run, and their assertions hold."""
    run(page)


def test_links_lead_somewhere() -> None:
    """Every relative link of README and docs/ names a file that is there."""
    for page in (ROOT / "README.md", *PAGES):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_readme_is_read_to_its_end() -> None:
    """A newcomer reads 150 lines."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150
