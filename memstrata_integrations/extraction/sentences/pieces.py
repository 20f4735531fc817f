"""Pieces of a sentence as they stand in another one: opening it, or inside of it."""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural

__all__ = ["Pieces", "be_of", "inner", "opening"]

Pieces = tuple[str | tuple[int, ...], ...]
"""Words, and places (start, end) of a text; a third number says how many letters of a place are put small."""

_SMALL = ("the ", "our ", "my ", "its ", "we ", "all ", "every ", "each ", "an ", "a ")
_LARGE = ("The ", "Our ", "My ", "All ")


def opening(text: str, start: int, end: int) -> Pieces:
    """Return a piece as a sentence opens: with a capital where an article or an owner stands there."""
    if text.startswith(_SMALL, start) or text[start:end] == "we":
        return text[start].upper(), (start + 1, end)
    return ((start, end),)


def inner(text: str, start: int, end: int) -> Pieces:
    """Return a piece as it stands inside of a sentence: "the port" for "The port"."""
    if text.startswith(_LARGE, start):
        return text[start].lower(), (start + 1, end)
    return ((start, end),)


def be_of(what: str) -> str:
    """Return the form of "be" that a subject takes."""
    return "are" if is_plural(head_phrase([w.lower() for w in what.split()])[0]) else "is"
