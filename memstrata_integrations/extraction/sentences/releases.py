"""Which release of what a thing uses, needs or has come to, in other words: "CUDA 12 is what's inside the image".

"The version of Node used by the client is 22", "iOS 16 is the minimum version the app requires" and "The newest release
of tinyplot is 2.5" are put as "The Node version of the client is 22", "The minimum iOS version of the app is 16" and
"The latest release of tinyplot is 2.5", and then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.charges import inner, opening
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.words import word_set

__all__ = ["OF_RELEASES"]

_Pieces = tuple[str | tuple[int, ...], ...]
_A_NUMBER = frozenset((A_NUMBER,))
_TOOL = r"(?P<tool>(?!the |our |an? |this |that |its )[A-Za-z][\w.+#-]*(?: [A-Z][\w.+#-]*)?)"
_NAMED = r"(?P<tool>[A-Z][\w+#-]*(?: [A-Z][\w+#-]*)?|[a-z]+[A-Z][\w+#-]*|[a-z][\w+#-]*)"
_VALUE = r"(?P<value>v?\d[\w.+]*(?:-[a-z]+[\w.]*)?)"
_WHO = r"(?P<who>(?:[Tt]he |[Oo]ur |[Mm]y |[A-Z`¤])[^,;:]*?|[a-z][\w.-]*)"
_LEAST = r"(?P<bound>minimum|minimal|lowest|oldest|earliest|maximum|maximal|highest|newest|latest)"
_MOST = word_set("maximum maximal highest newest latest")
_NEEDS = r"(?:requires?|needs?|supports?|accepts?|allows?|runs? on|works? on|works? with|can run on|can be run on)"
_LEAST_OF_ALL = word_set("lowest oldest earliest")
_DONE = r"(?:required|supported|needed|accepted|allowed|permitted)"

# "The version of Node used by the client is 22", "the version of Postgres running the database in production"
_VERSION_OF = re.compile(
    rf"The version of {_TOOL} (?:(?:that is |that['’]s )?(?:used|in use|installed|deployed|bundled|employed|shipped) "
    rf"(?:by|in|on|for|with)|(?:that )?(?:running|runs|powering|powers|backing|backs)(?: on| in)?|in|on) {_WHO} is"
    rf" (?:now )?"
    rf"(?:(?P<again>[A-Za-z][\w.+#-]*) )?{_VALUE}\Z"
)
# "17.0.2 is the React version the kiosk app depends on"
_HAVING = (
    r"(?P<verb>uses|runs|runs on|depends on|requires|needs|is on|targets|ships|ships with|is built with|builds on)"
)
_IS_VERSION = re.compile(rf"{_VALUE} is the {_NAMED} (?:version|release) (?:that |which )?{_WHO} {_HAVING}\Z")
_VERSION_IS = re.compile(rf"The {_NAMED} (?:version|release) (?:that |which )?{_WHO} {_HAVING} is (?:now )?{_VALUE}\Z")

_BOUND_FIRST = re.compile(
    rf"{_NAMED} {_VALUE} is the {_LEAST} (?:{_DONE} )?(?:version|release) (?:(?:that |which )?{_WHO} {_NEEDS}"
    rf"|(?:{_DONE} (?:by|for|in|on)|of|for) {_WHO.replace('who', 'by')})\Z"
)
_VALUE_BOUND = re.compile(
    rf"{_VALUE} is the {_LEAST} (?:{_DONE} )?{_NAMED} (?:version|release) (?:(?:that |which )?{_WHO} {_NEEDS}"
    rf"|{_DONE} (?:by|for|in|on) {_WHO.replace('who', 'by')})\Z"
)
_BOUND_IS = re.compile(
    rf"The {_LEAST} (?:{_DONE} )?{_NAMED} (?:version|release) (?:(?:that |which )?{_WHO} {_NEEDS}"
    rf"|(?:{_DONE} (?:by|for|in|on)|of|for) {_WHO.replace('who', 'by')}) is (?:now )?{_VALUE}\Z"
)
_REQUIREMENT = re.compile(
    rf"{_WHO} has an? {_LEAST} {_NAMED} (?:version )?requirement of {_VALUE}\Z"
    rf"|{_WHO.replace('who', 'owner')}['’]s {_LEAST.replace('bound', 'bound2')} {_NAMED.replace('tool', 'tool2')} "
    rf"(?:version )?requirement is {_VALUE.replace('value', 'value2')}\Z"
    rf"|The {_LEAST.replace('bound', 'bound3')} {_NAMED.replace('tool', 'tool3')} (?:version )?requirement "
    rf"(?:of|for) {_WHO.replace('who', 'of')} is {_VALUE.replace('value', 'value3')}\Z"
)
_IS_DONE = re.compile(rf"\b{_DONE}\b")

_NEWEST = r"(?:newest|most recent|most recently released|most up-to-date|latest)"
_NOUN = r"(?P<noun>(?:stable |major |minor |public |official )?(?:release|version))"
_OF_WHAT = r"(?P<of>(?:the |our )?[A-Za-z`¤][^,;:]*?)"
_LATEST = re.compile(
    rf"(?:The {_NEWEST} {_NOUN} of {_OF_WHAT}"
    rf"|The {_NEWEST} {_OF_WHAT.replace('of', 'it')} {_NOUN.replace('noun', 'noun2')}"
    rf"|(?P<owner>[A-Za-z`¤][^,;:]*?)['’]s {_NEWEST} {_NOUN.replace('noun', 'noun3')}) is (?:now )?{_VALUE}\Z"
)
_IS_LATEST = re.compile(
    rf"(?P<of>[A-Za-z`][\w.+#`-]*(?: [A-Z][\w.+#-]*)?) {_VALUE} is the {_NEWEST} {_NOUN}\Z"
    rf"|{_VALUE.replace('value', 'value2')} is the {_NEWEST} (?:{_NOUN.replace('noun', 'noun2')} of "
    rf"{_OF_WHAT.replace('of', 'it')}|(?P<tool>[\w.+#`-]+) {_NOUN.replace('noun', 'noun3')})\Z"
)
# Of these the latest is of the place where it runs, not the one that there is
_NO_MAKERS = word_set("supported required tested deployed installed compatible approved")

_RELEASE = r"(?P<tool>[A-Z][\w+#-]*(?: [A-Z][\w+#-]*)?|[a-z]+(?=\S*[-\d_])[\w+#-]*) (?P<value>v?\d+\.\d[\w.+]*)"
_IS_INSIDE = re.compile(
    rf"{_RELEASE} is what(?:['’]s| is) (?:installed |running )?(?:inside|in|on) (?P<who>(?:the|our) [^,;:]*)\Z"
)
_HAS_RELEASE = re.compile(rf"(?P<who>(?:The|Our) [^,;:]*?) has (?:installed )?{_RELEASE}(?: installed| on board)?\Z")


def _version_of(text: str, hidden: str) -> _Pieces | None:
    """Read "The version of Node used by the web client is 22" as its Node version."""
    match = _VERSION_OF.match(hidden)
    if match is None or not quiet(match["who"]) or (match["again"] and match["again"] != match["tool"]):
        return None
    who = inner(text, *match.span("who"))
    return "The ", match.span("tool"), " version of ", *who, " is ", match.span("value")


def _which_version(text: str, hidden: str) -> _Pieces | None:
    """Read "17.0.2 is the React version the kiosk app depends on" as what it depends on."""
    match = _IS_VERSION.match(hidden) or _VERSION_IS.match(hidden)
    if match is None or not quiet(match["who"]) or match["tool"].lower() in _NOT_TOOLS:
        return None
    who = opening(text, *match.span("who"))
    return *who, " ", match.span("verb"), " ", match.span("tool"), " ", match.span("value")


_NOT_TOOLS = _NO_MAKERS | word_set(
    "minimum minimal lowest oldest earliest maximum maximal highest newest latest current new old exact same right "
    "default next previous last first only other stable schema api protocol format file major minor"
)


def _bound(text: str, hidden: str) -> _Pieces | None:
    """Read "iOS 16 is the minimum version the app requires" as its minimum iOS version."""
    match = _BOUND_FIRST.match(hidden) or _VALUE_BOUND.match(hidden) or _BOUND_IS.match(hidden)
    if match is not None:
        group, bound, tool, value = "who" if match["who"] else "by", "bound", "tool", "value"
    elif (match := _REQUIREMENT.match(hidden)) is not None:
        group = next(g for g in ("who", "owner", "of") if match[g])
        n = {"who": "", "owner": "2", "of": "3"}[group]
        bound, tool, value = f"bound{n}", f"tool{n}", f"value{n}"
    else:
        return None
    said = text[slice(*match.span())]
    plain = match[bound] not in _MOST | _LEAST_OF_ALL or _IS_DONE.search(said) is not None or match.re is _REQUIREMENT
    if not quiet(match[group]) or match[tool].lower() in _NOT_TOOLS or (group == "by" and not plain):
        return None
    how = "maximum" if match[bound] in _MOST else "minimum"
    who = inner(text, *match.span(group))
    return f"The {how} ", match.span(tool), " version of ", *who, " is ", match.span(value)


def _latest(text: str, hidden: str) -> _Pieces | None:
    """Read "The newest tinyplot release is 2.5" and "tinyplot 2.5 is the latest version" as its latest version."""
    match = _LATEST.match(hidden)
    if match is not None:
        group = next(g for g in ("of", "it", "owner") if match[g])
        noun, value = {"of": "noun", "it": "noun2", "owner": "noun3"}[group], "value"
    elif (match := _IS_LATEST.match(hidden)) is not None:
        group = next(g for g in ("of", "it", "tool") if match[g])
        noun = {"of": "noun", "it": "noun2", "tool": "noun3"}[group]
        value = "value" if match["value"] else "value2"
    else:
        return None
    if not quiet(match[group]) or not _NO_MAKERS.isdisjoint(match[group].lower().split()):
        return None
    sort = match[noun].rpartition(" ")[0]
    said = f"The latest {sort} version of " if sort else "The latest version of "
    return said, *inner(text, *match.span(group)), " is ", match.span(value)


def _inside(text: str, hidden: str) -> _Pieces | None:
    """Read "CUDA 12.4 is what's inside the data image" and "The gateway has log4j-core 2.23.1" as what it ships."""
    match = _IS_INSIDE.match(hidden) or _HAS_RELEASE.match(hidden)
    if match is None or not quiet(match["who"]):
        return None
    return *opening(text, *match.span("who")), " ships ", (match.start("tool"), match.end("value"))


OF_RELEASES: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (_version_of, (word_set("version"), _A_NUMBER)),
    (_which_version, (word_set("version release"), _A_NUMBER)),
    (
        _bound,
        (
            word_set("minimum minimal lowest oldest earliest maximum maximal highest newest latest"),
            word_set("version release requirement"),
            _A_NUMBER,
        ),
    ),
    (_latest, (word_set("newest recent recently up-to-date latest"), word_set("version release"), _A_NUMBER)),
    (_inside, (word_set("has what's what’s what"), _A_NUMBER)),
)
"""Readers of the plain sentence of a release, each with the signs that it needs."""
