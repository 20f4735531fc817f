"""What can be said of a packed context without any model: is the value in it, and is the superseded one?

A value is found as a whole word: ``8080`` is in "port 8,080." and not in "18080"; ``1.10.1`` is not in "1.10.13",
``Ann`` not in "Ann-Marie", ``orders`` not in "orders_v2".
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from eval.spec import Passage

_DROPPED = re.compile(r"[`*\"“”„‘’']+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(r"[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]")


@lru_cache(maxsize=65_536)
def normal(text: str) -> str:
    """Return text as values are compared: lower case, without quotes and thousands commas, single spaces."""
    return _SPACE.sub(" ", _THOUSANDS.sub("", _DROPPED.sub("", text))).strip().casefold()


@lru_cache(maxsize=65_536)
def _pattern(form: str) -> re.Pattern[str]:
    value = normal(form)
    left = right = ""
    if value[:1].isdigit():
        left = r"(?<!\w)(?<!\w-)(?<!\d[.:])"
    elif value[:1].isalpha():
        left = r"(?<!\w)(?<!\w[-/])"
    if value[-1:].isdigit():
        right = r"(?!\w)(?!-\w)(?![.:]\d)(?!\.\w)"
    elif value[-1:].isalpha():
        right = r"(?!\w)(?![-/@+.]\w)"
    return re.compile(left + re.escape(value) + right)


def mentions(text: str, forms: Iterable[str]) -> bool:
    """Whether one of the surface forms stands in the text as a whole word."""
    shown = normal(text)
    return any(_pattern(form).search(shown) for form in forms if normal(form))


def place_of(passages: Sequence[Passage], forms: Sequence[str]) -> int | None:
    """Return the rank (1 is the top) of the first passage that mentions one of the forms, or `None`."""
    return next((rank for rank, passage in enumerate(passages, 1) if mentions(passage.text, forms)), None)


def packed(passages: Sequence[Passage]) -> str:
    """Return the context block that a reader gets: one passage a paragraph, in rank order."""
    return "\n\n".join(f"[{rank}] {passage.text}" for rank, passage in enumerate(passages, 1))


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has: pieces of up to six letters or three digits, and punctuation marks.

    The same estimate for every condition; no tokenizer of a model.
    """
    return len(_TOKEN.findall(text))
