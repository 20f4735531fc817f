"""Where a fact of a page stands: between which headings, as a part of its key.

A page is cut into pieces, and a piece is one stretch of it. What a piece shows below a heading, or above the
next one, is all that stands between the two. So a key of the heading and of what names the value (a row and a
column, a path in a code block) is stated twice on a page only where one piece shows it twice, and what a piece
states in two ways counts for nothing. That holds as long as no two sections of a page have one heading: so a
heading of a lower level, which often comes back under several others, doesn't do alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.extraction.sources.entries import escape
from memstrata_integrations.extraction.statements import suppresses

__all__ = ["NOWHERE", "SECTION", "Place", "located", "slug"]

_LINK = re.compile(r"\[([^\]\[]{1,100})\]\([^()\s]{0,500}\)")
_LONGEST_HEADING = 120
SECTION = 2
"""The level of the headings of sections; the title of the page stands above them."""


def slug(words: str) -> str:
    """Return words as one, without their Markdown.

    Example:
        >>> slug("Which **Port**?"), slug("`MAX_SIZE`")
        ('which-port?', 'max_size')
    """
    plain = _LINK.sub(r"\1", words) if "](" in words else words
    return "-".join(plain.replace("*", "").replace("`", "").casefold().split())


class Place(NamedTuple):
    """The headings between which a statement stands, as far as the text shows them.

    Attributes:
        above: Those above it, outermost first.
        level: The level of the outermost of them, 0 for none.
        below: Those below it as far as the next one of a section of the page; none if that cannot be seen.
    """

    above: tuple[str, ...]
    level: int
    below: tuple[str, ...] = ()

    def path(self, *, paged: bool) -> str | None:
        """Return the part of a key that says where on its page a statement stands; `None` if that cannot be seen.

        Args:
            paged: Whether metadata tells the page from others; else the text has to show its title.

        Example:
            >>> Place(("Gateway", "Limits"), 1).path(paged=False), Place(("Limits",), 2, ("Ports",)).path(paged=True)
            ('gateway/limits', 'limits')
            >>> Place((), 0, ("Ports",)).path(paged=True), Place(("Limits",), 3).path(paged=True)
            ('before:ports', None)
        """
        if suppresses(self.above) or any(len(heading) > _LONGEST_HEADING for heading in (*self.above, *self.below)):
            return None
        path = "/".join(map(slug, self.above))
        if self.level == 1 or (self.level and self.level <= SECTION and paged):
            return path
        if not paged or not self.below:
            return None
        return f"{self.before()}/{path}" if path else self.before()

    def before(self) -> str:
        """Return the headings below as a part of a key.

        Example:
            >>> Place((), 0, ("Steps", "Building")).before()
            'before:steps/building'
        """
        return f"before:{'/'.join(map(slug, self.below))}"


NOWHERE = Place((), 0)


def located(place: str, *names: str) -> str:
    """Return the subject of what names say at a place: one exact word, and the names for those who look it up.

    Example:
        >>> located("on-call/owners", "berth-booking", "Tier")
        'berth-booking on-call/owners#berth-booking.tier tier'
    """
    word = f"{escape(place, dots=False)}#{'.'.join(escape(slug(name)) for name in names)}"
    if word[-1] in ",;:.!?":
        word = f"{word[:-1]}%{ord(word[-1]):02X}"
    subject = canonical_subject(f"{word} {' '.join(names)}")
    return subject if word in subject.split() and canonical_subject(subject) == subject else word
