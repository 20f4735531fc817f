"""The examples of the docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import memstrata_integrations

MODULES = sorted(m.name for m in pkgutil.walk_packages(memstrata_integrations.__path__, "memstrata_integrations."))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    if name.endswith("__main__"):
        pytest.skip("runs the program")
    assert doctest.testmod(importlib.import_module(name)).failed == 0
