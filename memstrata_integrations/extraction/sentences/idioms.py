"""Words in the place of a value that are none: "written in a hurry", "the owner is TBA", and lines of logs."""

from __future__ import annotations

import re

from memstrata_integrations.words import word_set

__all__ = ["is_logged", "is_no_value", "may_be_idiom"]

# How something is done, behind a preposition that may say where or with what as well
_MANNERS = word_set(
    "hurry silence trust hold scratch pressure load purpose demand triplicate duplicate ink gunpoint law care ease "
    "love pride caution confidence passion joy accident mistake chance hand heart vain turn depth detail moderation "
    "bulk haste anger peace tears sleep bits pieces stages parallel advance arrears instalments installments principle "
    "theory practice short general particular means definition nature birth noon midnight"
)
_BEHIND = word_set("with by in from under on without")  # "by noon" is no doer; "at noon" is a time
_PHRASES = frozenset(("the book", "the letter", "a hurry", "good faith", "the dark", "a rush", "one go", "no time"))
_IDIOMS = _MANNERS | _PHRASES
_PLACEHOLDERS = word_set(
    "tba tbc tbd n.n. n.n nobody foo foobar baz qux x.y x.y.z x.x x.x.x vx.y vx.y.z #.# #.#.# lorem ipsum placeholder "
    "redacted [redacted] somebody someone"
)
_YOURS = re.compile(
    r"(?:[a-z]+://|[\w.]+@)?(?:www\.)?your[._-]?\w|(?:[a-z]+://)?<[\w -]+>"
    r"|(?:user|you|name|someone|somebody|foo|bar|first\.last|me|email)@(?:example|foo|bar|domain|company)\.\w+\Z"
    r"|my-(?:bucket|key|host|app|project|namespace|cluster|service|database|db|server|repo|image|secret|token)\Z"
    r"|/path/to/|/foo/bar|\$[a-z_]+\Z|(?:process\.env|os\.environ|env)\b[.\[]|os\.getenv\("
    r"|(?:xyz|foo|company x)(?: (?:inc|corp|ltd|llc|gmbh)\.?)?\Z|\S*(?:x{4}|-xxx|\.\.\.\Z)",
    re.IGNORECASE,
)
_LONGEST = 60
_MAY_BE_YOURS = re.compile(r"your|xyz|foo|company x|xx|env|<|@|\$|/|\.|-")
_LEVEL = re.compile(
    r"(?:\[[\w./:-]{1,20}\] |[\w.-]{1,20} )?\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE)\b"
    r"|(?:[Ww]arning|[Dd]ebug|[Ii]nfo|[Tt]race): |[\w.-]{1,20}\[\d+\]: "
    r"|(?:kernel|systemd|sshd|crond?|kubelet|dockerd|node_exporter|nginx|postgres|redis|haproxy): \w+ is "
)


def is_no_value(written: str, before: str = "") -> bool:
    """Whether a value as written is a placeholder, or an idiom behind the word before it.

    Example:
        >>> [is_no_value(*v) for v in (("TBA",), ("your-host.com",), ("care", "with"), ("noon", "at"))]
        [True, True, True, False]
    """
    if len(written) > _LONGEST:
        return False
    lower = written.lower()
    if lower in _PLACEHOLDERS or (_MAY_BE_YOURS.search(lower) is not None and _YOURS.match(written) is not None):
        return True
    return lower in _IDIOMS and before.lower() in _BEHIND


def may_be_idiom(written: str) -> bool:
    """Whether a value is none behind some words: it depends on the word before it."""
    return written.lower() in _IDIOMS


def is_logged(text: str, start: int) -> bool:
    """Whether a line opens as those of a log: "[INFO] ...", "npm WARN ...".

    Example:
        >>> is_logged("[main] INFO - state is idle", 0), is_logged("The log level is INFO", 0)
        (True, False)
    """
    return _LEVEL.match(text, start) is not None
