"""README's code, that of every page of docs/, and that of docstrings runs as it stands."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import memstrata_integrations
from tests.shared_data import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
MODULES = sorted(m.name for m in pkgutil.walk_packages(memstrata_integrations.__path__, "memstrata_integrations."))


def blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def run(page: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks(page):
        exec(compile(block, page.name, "exec"), names)


def test_readmes_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    run(ROOT / "README.md")
    printed = capsys.readouterr().out
    assert "2024-06-01  open        9090   current" in printed
    assert "would write 2 new rows" in printed
    assert "replaced '8080'" in printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_of_the_docs_runs(page: Path) -> None:
    run(page)


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_the_examples_of_docstrings_give_what_they_say(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *PAGES):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_readme_is_read_to_its_end() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_each_guarantee_names_a_test() -> None:
    page = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z]+/test_\w+\.py)::(test_\w+)`", page)
    assert len(named) > 20
    for file, name in named:
        assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), f"{file}::{name}"


def test_the_site_and_its_index_name_every_page() -> None:
    navigation = (ROOT / ".mkdocs.yml").read_text(encoding="utf-8")
    index = (ROOT / "docs" / "llms.txt").read_text(encoding="utf-8")
    for page in PAGES:
        assert page.name in navigation
        assert page.name == "index.md" or page.name in index
