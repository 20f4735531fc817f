"""Whether a version of a file can be read as what its name says, or was committed broken."""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

yaml: Any = importlib.import_module("yaml")

_CONFLICT = re.compile(r"^<{7} [^\n]*$.*^={7}\r?$.*^>{7} ", re.MULTILINE | re.DOTALL)
# What configurations in JSON have that JSON does not: comments, and commas behind the last. Strings are passed over.
_COMMENT = r"//[^\n]*|/\*.*?\*/"
_NO_JSON = re.compile(rf'("(?:[^"\\\n]|\\.)*")|{_COMMENT}|,(?=(?:\s|{_COMMENT})*[}}\]])', re.DOTALL)


def holds_conflict(text: str) -> bool:
    """Whether the marks of a merge that nobody resolved stand in a text."""
    return _CONFLICT.search(text) is not None


def parses(text: str, kind: str) -> bool:
    r"""Whether a whole file follows the grammar of its kind; kinds that are read line by line always do.

    Example:
        >>> parses('{"a": 1, // one', "json"), parses('{"a": 1, // one\n}', "json"), parses("<", "env")
        (False, True, True)
    """
    parser = _PARSERS.get(kind)
    if parser is None or not text.strip():
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parser(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, yaml.YAMLError):
        return False
    return True


def _json(text: str) -> None:
    json.loads(_NO_JSON.sub(lambda found: found[1] or " ", text))


def _yaml(text: str) -> None:
    for _ in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        pass


_PARSERS: dict[str, Callable[[str], Any]] = {"json": _json, "toml": tomllib.loads, "yaml": _yaml, "python": ast.parse}
