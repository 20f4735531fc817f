"""Canonical values of files: what a value is, its format says.

A program reads these values, so nothing is folded that a program tells apart: a quoted string, and every value of a
format that has strings only, is its text; `"on"` is not `true` there, and the version `"1.10"` not the number `1.1`.
What stands without quotes is parsed as its format parses it. A quoted "8080" equals 8080: a program that takes the one
for the other is no change of a fact.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache

__all__ = ["in_words", "in_yaml", "of_object"]

_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_OCTAL = re.compile(r"[-+]?0o[0-7]{1,30}\Z")  # of YAML 1.2


def in_words(text: str) -> str:
    """Return a value of a format that has strings only; its two words for truth are one in any capitals.

    Example:
        >>> [in_words(v) for v in ("True", "on", "1_0", "Debug")]
        ['true', 'on', '1_0', 'Debug']
    """
    return text.lower() if text.lower() in ("true", "false") else text


@lru_cache(maxsize=8192)
def in_yaml(text: str) -> str:
    """Return a plain scalar of YAML; figures with underscores are those of a tag, and no number.

    Example:
        >>> [in_yaml(v) for v in ("on", "0644", "0o644", "~", "1.10", "2024_01", "2024-01-01T10:00:00", "Debug")]
        ['true', '420', '420', 'null', '1.10', '2024_01', '2024-01-01 10:00:00', 'Debug']
    """
    yaml = importlib.import_module("yaml")
    loader = yaml.SafeLoader("")
    tag = loader.resolve(yaml.ScalarNode, text, (True, False))
    if _OCTAL.match(text):
        return str(int(text, 0))
    if tag.endswith(":str") or "_" in text:
        return text
    try:
        return of_object(loader.construct_object(yaml.ScalarNode(tag, text)), text)
    except (yaml.YAMLError, ValueError, OverflowError):  # "2024-13-01"
        return text


def of_object(value: object, text: str = "") -> str:
    """Return the form of what a parser made of a value.

    Args:
        value: A string, number, truth value, date, or a list or table of such.
        text: A number as it is written, if that is at hand: many with a point are versions, or digits of a hash.

    Example:
        >>> of_object(1000.0), of_object(True), of_object(["1.0", 1.0]), of_object({"b": 1, "a": None})
        ('1000.0', 'true', "['1.0', '1.0']", "{'a': 'null', 'b': '1'}")
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return text if _FLOAT.match(text) else repr(value)
    if isinstance(value, date):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, Mapping):
        return str({key: of_object(value[key]) for key in sorted(value)})
    if isinstance(value, (list, tuple)):
        return str([of_object(item) for item in value])
    try:
        return str(value)
    except ValueError:  # an integer of thousands of figures
        return text
