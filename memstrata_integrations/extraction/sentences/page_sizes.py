"""What an interface gives at a time and from where: "returns 25 customers per page by default", "served from the URL".

Each is put as "The default page size of ... is 25", "The lifetime of ... is 2 hours" or "The base URL of ... is ...",
and then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.charges import inner
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.words import word_set

__all__ = ["OF_PAGES"]

_Pieces = tuple[str | tuple[int, ...], ...]
_A_NUMBER = frozenset((A_NUMBER,))
_CALL = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
_SERVICE = rf"(?:{_CALL} [/`¤]|/|`|¤|[Tt]he |[Oo]ur |[A-Z])[^,;:]*?"
_WHO = rf"(?P<who>{_SERVICE})"
_BY = rf"(?P<by>{_SERVICE})"

_PAGED = re.compile(
    rf"(?:(?P<front>By default, ){_BY}|{_WHO}) (?:returns|lists|shows|delivers|gives|displays|sends) "
    r"(?P<value>\d[\d,]*) (?P<what>[a-z]+s) (?:per|a|on each|on a) page(?P<tail> by default)?\Z"
)
_PER_PAGE = re.compile(
    r"(?:The (?P<default>default )?number of [a-z]+s per page (?:of|on|in|for|from) "
    rf"{_WHO}|{_BY}['’]s? (?P<default2>default )?number of [a-z]+s per page) is (?:now )?(?P<value>\d[\d,]*)\Z"
)
_BY_DEFAULT = re.compile(
    r"By default, (?P<who>[^,;:]+?) (?:has|uses) an? (?P<noun>[a-z-]+(?: [a-z-]+){0,3}) of (?P<value>[\d$€£][^,;:]*)\Z"
)


def _paged(text: str, hidden: str) -> _Pieces | None:
    """Read "GET /customers returns 25 customers per page by default" as its default page size."""
    match = _PAGED.match(hidden)
    by_default = match is not None and bool(match["front"] or match["tail"])
    if match is None and (match := _PER_PAGE.match(hidden)) is not None:
        by_default = bool(match["default"] or match["default2"])
    if match is None:
        match = _BY_DEFAULT.match(hidden)
        if match is None or not quiet(match["who"]) or "default" in match["noun"].split():
            return None
        who_has = inner(text, *match.span("who"))
        return "The default ", match.span("noun"), " of ", *who_has, " is ", match.span("value")
    who = match.span("who") if match["who"] else match.span("by")
    if not quiet(text[slice(*who)]):
        return None
    said = "The default page size of " if by_default else "The page size of "
    return said, *inner(text, *who), " is ", match.span("value")


_ISSUES = re.compile(
    rf"{_WHO} (?:issues|creates|hands out|grants|gives out|generates|mints|sets) (?P<what>(?:[a-z]+ ){{0,2}}[a-z]+s) "
    r"with an? (?P<noun>(?:[a-z]+ )?(?:lifetime|validity|timeout|expiry|ttl|TTL|length|size)) of (?P<value>\d[^,;:]*)\Z"
)


def _issued(text: str, hidden: str) -> _Pieces | None:
    """Read "The rider API issues access tokens with a lifetime of 30 minutes" as their lifetime."""
    match = _ISSUES.match(hidden)
    if match is None or not quiet(match["who"]) or not quiet(match["what"]):
        return None
    who = inner(text, *match.span("who"))
    return "The ", match.span("noun"), " of ", match.span("what"), " of ", *who, " is ", match.span("value")


_SERVED = re.compile(
    rf"{_WHO} is (?:served|available|reachable|reached|hosted|exposed) (?:from|at|under|on|via|through) the "
    r"(?P<noun>base URL|URL|base path|address|hostname|host name|domain) (?P<value>`?[\w.:/-]+[/.][\w.:/-]*`?)\Z"
)


def _served(text: str, hidden: str) -> _Pieces | None:
    """Read "The API is served from the base URL https://x.dev" as its base URL."""
    match = _SERVED.match(text)
    if match is None or not quiet(match["who"]):
        return None
    return "The ", match.span("noun"), " of ", *inner(text, *match.span("who")), " is ", match.span("value")


OF_PAGES: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (_paged, (word_set("page default"), _A_NUMBER)),
    (_issued, (word_set("with"), _A_NUMBER)),
    (_served, word_set("URL path address hostname name domain")),
)
"""Readers of the plain sentence of a page size, a lifetime or an address, each with the signs that it needs."""
