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

__all__ = ["holds_conflict", "parses"]

_CONFLICT = re.compile(r"^<{7} [^\n]*$.*^={7}\r?$.*^>{7} ", re.MULTILINE | re.DOTALL)
# What configurations in JSON have that JSON does not: comments, and commas behind the last
_COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|,(?=\s*[}\]])")


def holds_conflict(text: str) -> bool:
    """Whether the marks of a merge that nobody resolved stand in a text."""
    return "<<<<<<< " in text and _CONFLICT.search(text) is not None


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
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _json(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        json.loads(_LAST_COMMA.sub(_string_only, _COMMENT.sub(_string_only, text)))


def _string_only(found: re.Match[str]) -> str:
    return found[0] if found[0][0] == '"' else " "


def _yaml(text: str) -> None:
    yaml = importlib.import_module("yaml")
    try:
        for _ in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


_PARSERS: dict[str, Callable[[str], Any]] = {"json": _json, "toml": tomllib.loads, "yaml": _yaml, "python": ast.parse}
