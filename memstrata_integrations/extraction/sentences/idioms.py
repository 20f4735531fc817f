"""Words in the place of a value that are none: "written in a hurry", "the owner is TBA", and lines of logs."""

from __future__ import annotations

import re

from memstrata_integrations.words import word_set

__all__ = ["is_logged", "is_no_value"]

# How something is done, behind a preposition that may say where or with what as well
_MANNERS = word_set(
    "hurry silence trust hold scratch pressure load purpose demand triplicate duplicate ink gunpoint law care ease "
    "love pride caution confidence passion joy accident mistake chance hand heart memory secret private public vain "
    "turn depth detail moderation bulk haste anger peace tears sleep bits pieces stages parallel advance arrears "
    "instalments installments principle theory practice short general particular means definition nature birth noon "
    "midnight"
)
_PHRASES = frozenset(("the book", "the letter", "a hurry", "good faith", "the dark", "a rush", "one go", "no time"))
_PLACEHOLDERS = word_set(
    "tba tbc tbd n.n. n.n nobody foo foobar baz qux x y z x.y x.y.z x.x x.x.x vx.y vx.y.z #.# #.#.# lorem ipsum todo "
    "placeholder redacted [redacted] somebody someone"
)
_YOURS = re.compile(r"(?:[a-z]+://|[\w.]+@)?(?:www\.)?your[._-]\w|(?:[a-z]+://)?<[\w -]+>", re.IGNORECASE)
_LEVEL = re.compile(
    r"(?:\[[\w./:-]{1,20}\] |[\w.-]{1,20} )?\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE)\b"
    r"|(?:[Ww]arning|[Dd]ebug|[Ii]nfo|[Tt]race): "
)


def is_no_value(written: str) -> bool:
    """Whether a value as written is an idiom or a placeholder.

    Example:
        >>> [is_no_value(v) for v in ("care", "a hurry", "TBA", "your-domain.com", "Redis")]
        [True, True, True, True, False]
    """
    if len(written) > 60:
        return False
    lower = written.lower()
    return lower in _MANNERS or lower in _PHRASES or lower in _PLACEHOLDERS or _YOURS.match(written) is not None


def is_logged(text: str, start: int) -> bool:
    """Whether a line opens as those of a log: "[INFO] ...", "npm WARN ...".

    Example:
        >>> is_logged("[main] INFO - state is idle", 0), is_logged("The log level is INFO", 0)
        (True, False)
    """
    return _LEVEL.match(text, start) is not None
