"""Canonical values of files: what a value is, its format says.

A program reads these values, so nothing is folded that a program tells apart: a quoted string, and every value of a
format that has strings only (environments, Dockerfiles), is its text. `"on"` is not `true` there, `"1_0"` not `10`,
and the version `"1.10"` not the number `1.10`. What stands without quotes is parsed as its format parses it, and
numbers, truth values, nulls and dates have one form each, however they are written: `0x10` and `16`, `1e3` and
`1000.0`. A number keeps no type: 1.0 and 1 are equal.

Two readings go beyond the rules of their format. In YAML the notations of both YAML 1.1 and 1.2 are numbers, except
figures with underscores: those of a tag (`2024_01`) were never meant as one. In INI files, whose values programs
convert by convention, `on` and `yes` are `true`, and `10_000` is `10000`. Units are part of the text: "30s" is no 30.

A quoted "8080" equals 8080: a program that takes the one for the other is no change of a fact.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

__all__ = ["annotation", "in_ini", "in_words", "in_yaml", "number", "of_items", "of_object"]

_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\Z")
_BASED = re.compile(r"[-+]?0(?:[xX][\dA-Fa-f]+|[oO][0-7]+|[bB][01]+)\Z")
_INTEGER = re.compile(r"[+-]?\d+(?:_\d+)*\Z")
_BOOLEANS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
_TYPING = frozenset(("typing", "t", "typing_extensions", "collections.abc"))


def in_words(text: str) -> str:
    """Return a value of a format that has strings only.

    The two words that such files have for truth are one however they are capitalised.

    Example:
        >>> [in_words(v) for v in ("True", "on", "1_0", "Debug")]
        ['true', 'on', '1_0', 'Debug']
    """
    return text.lower() if text.lower() in ("true", "false") else text


def in_ini(text: str) -> str:
    """Return a value of an INI file, as `configparser` and its users convert it.

    Example:
        >>> [in_ini(v) for v in ("True", "on", "10_000", "3.10", "Debug")]
        ['true', 'true', '10000', '3.10', 'Debug']
    """
    folded = _BOOLEANS.get(text.lower())
    if folded is not None:
        return folded
    return text.replace("_", "").removeprefix("+") if _INTEGER.match(text) else text


def number(text: str) -> str | None:
    """Return the one form of an integer in any notation but those with underscores, `None` if it is no number.

    A number with a point or an exponent is as it is written: many such are versions, or the digits of a hash.

    Example:
        >>> [number(v) for v in ("0x10", "-0", "+7", "1.10", "1e3", "1.2.3", "2024_01")]
        ['16', '0', '7', '1.10', '1e3', None, None]
    """
    if _BASED.match(text):
        return str(int(text, 0)) if len(text) < 100 else text
    if not _NUMBER.match(text):
        return None
    if "." in text or "e" in text.lower():
        return text
    bare = text.lstrip("+-").lstrip("0")
    return f"{'-' * text.startswith('-')}{bare}" if bare else "0"


@lru_cache(maxsize=8192)
def in_yaml(text: str) -> str:
    """Return a plain scalar of YAML.

    Example:
        >>> [in_yaml(v) for v in ("on", "0644", "0o644", "~", "1.10", "2024_01", "2024-01-01T10:00:00", "Debug")]
        ['true', '420', '420', 'null', '1.10', '2024_01', '2024-01-01 10:00:00', 'Debug']
    """
    yaml = importlib.import_module("yaml")
    loader = yaml.SafeLoader("")
    tag = loader.resolve(yaml.ScalarNode, text, (True, False))
    if tag.endswith((":int", ":float")) and "_" in text:
        return text
    if not tag.endswith(":str"):
        try:
            return of_object(loader.construct_object(yaml.ScalarNode(tag, text)), text)
        except (yaml.YAMLError, ValueError, OverflowError):  # "2024-13-01"
            return text
    found = None if re.match(r"[-+]?0\d", text) else number(text)  # "08" is text to the one, a number to the other
    return text if found is None else found


def of_object(value: object, text: str = "") -> str:
    """Return the form of what a parser made of a value.

    Args:
        value: A string, number, truth value, date, or a list or table of such.
        text: A number as it is written, if that is at hand: it may have more figures than the object.

    Example:
        >>> of_object(1000.0), of_object(True), of_object(["1.0", 1.0]), of_object({"b": 1, "a": None})
        ('1000.0', 'true', "['1.0', '1.0']", "{'a': 'null', 'b': '1'}")
    """
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number(text) or number(repr(value)) or repr(value)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {of_object(value[key])!r}" for key in sorted(value)) + "}"
    if isinstance(value, Sequence):
        return of_items(list(value))
    try:
        return str(value)
    except ValueError:  # an integer of thousands of figures
        return text


def of_items(items: Sequence[Any], form: Callable[[Any], str] = of_object) -> str:
    """Return the form of a list by those of its items, so that no two lists of different items are equal."""
    return "[" + ", ".join(repr(form(item)) for item in items) + "]"


def annotation(node: ast.expr, depth: int = 0) -> str:
    """Return a type in one form: quotes, `Optional` and `Union` say what ``|`` says.

    Example:
        >>> [annotation(ast.parse(c, mode="eval").body) for c in ("Optional[int]", "'int | None'")]
        ['None | int', 'None | int']
    """
    return " | ".join(sorted(dict.fromkeys(_members(node, depth))))


def _members(node: ast.expr, depth: int) -> list[str]:
    if depth > 20:
        return [ast.unparse(node)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return _members(ast.parse(node.value.strip(), mode="eval").body, depth + 1)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return [node.value]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_members(node.left, depth + 1), *_members(node.right, depth + 1)]
    name = _type_name(node.value) if isinstance(node, ast.Subscript) else ""
    if isinstance(node, ast.Subscript) and name in ("Optional", "Union"):
        inside = node.slice.elts if name == "Union" and isinstance(node.slice, ast.Tuple) else [node.slice]
        found = [member for part in inside for member in _members(part, depth + 1)]
        return [*found, "None"] if name == "Optional" else found
    if isinstance(node, ast.Subscript) and name != "Literal":
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return [f"{name}[{', '.join(annotation(part, depth + 1) for part in parts)}]"]
    if isinstance(node, ast.List):  # the parameters of a Callable
        return ["[" + ", ".join(annotation(part, depth + 1) for part in node.elts) + "]"]
    return [_type_name(node)]


def _type_name(node: ast.expr) -> str:
    """Return the name of a type without the module that all types of annotations come from."""
    written = ast.unparse(node)
    above, _, name = written.rpartition(".")
    return name if above in _TYPING else written
