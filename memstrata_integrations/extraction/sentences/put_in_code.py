"""What is so in a program or its settings, in other words for it: "has its limit set to 5", "defines N as 5".

Each is put as the plain sentence ("The limit of nginx is 5", "The parser sets N to 5", "read_row raises KeyError for
..."), which is then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, Needles, signs_of
from memstrata_integrations.extraction.sentences.framing import fills_role, head_of, quiet
from memstrata_integrations.extraction.sentences.reduced import REDUCED, reduced
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.turning import HAS_ONE
from memstrata_integrations.extraction.sentences.verbs import is_participle
from memstrata_integrations.words import singular, word_set

__all__ = ["put_in_code"]

_Span = tuple[int, int]
_Pieces = tuple[str | tuple[int, ...], ...]
_WHO = r"(?P<who>(?:the |our |The |Our |[A-Za-z`¤_])[^,;:]*?)"
_NOUN = r"(?P<noun>[a-z][\w-]*(?: [a-z][\w-]*){0,3})"
_FILE = r"(?P<value>`?(?:[\w.~-]*/)*[\w.-]+\.[a-z]{1,5}`?)"
_VALUE = r"(?P<value>\S[^,;:]{0,60}?)"
_NOBODY = word_set("i we he she they it you this that these those there which who what and if when because everyone")


def put_in_code(text: str, hidden: str) -> Iterator[_Pieces]:
    """Yield the plain sentences that one about a program or its settings may stand for.

    Example:
        >>> s = "The proxy has its upload limit set to 5 MB"
        >>> ["".join(p if isinstance(p, str) else s[p[0] : p[1]] for p in pieces) for pieces in put_in_code(s, s)][0]
        'The upload limit of The proxy is 5 MB'
    """
    for reader in _FITTING(signs_of(hidden)):
        yield from reader(text, hidden)


def _inside(text: str, span: _Span) -> tuple[int, ...]:
    """Return a piece as it stands inside of a sentence."""
    start, end = span
    return (start, end, 1) if text.startswith(("The ", "Our ", "My ", "A ", "An ", "All "), start) else (start, end)


def _opening(text: str, span: _Span) -> _Pieces:
    """Return a piece as a sentence opens."""
    start, end = span
    small = text.startswith(("the ", "our ", "my ", "a ", "an ", "all "), start)
    return (text[start].upper(), (start + 1, end)) if small else ((start, end),)


def _calm(match: re.Match[str], *groups: str) -> bool:
    """Whether what was matched holds no doubt, no second statement, and no pronoun for a subject."""
    said = [match[g] for g in groups]
    return all(map(quiet, said)) and said[0].partition(" ")[0].lower() not in _NOBODY


def _coded(name: str) -> bool:
    """Whether a name is one that a program gives: "MAX_DEPTH", "`limit`", "load_user"."""
    return name.startswith("`") or "_" in name or is_identifier(name)


# "has its upload limit set to", "runs with its log level at"
_SET_TO = re.compile(
    rf"{_WHO} (?:has (?:its |the )?(?P<name>\S+(?: [a-z][\w-]*){{0,3}}) "
    r"(?:set|configured|pinned|fixed|capped) (?:to|at)"
    r"|(?:runs|works|operates|starts|ships) with (?:its |the )?(?P<with>\S+(?: [a-z][\w-]*){0,3}) "
    rf"(?:set (?:to|at)|(?P<at>at))) {_VALUE}\Z"
)
_SENT = word_set("eye eyes heart sight sights mind course hand sail hope hopes standard standards bar")


def _set_to(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The proxy has its upload limit set to 5 MB" as "The upload limit of the proxy is 5 MB"."""
    match = _SET_TO.match(hidden)
    if match is None or not _calm(match, "who", "value"):
        return
    group = "name" if match["name"] else "with"
    name = match[group]
    if match["at"] and head_of(name.split()) not in HAS_ONE:
        return  # "The bakery works with its mill at Ghent"
    if not quiet(name) or not _SENT.isdisjoint(name.lower().split()):
        return
    if " " not in name and _coded(name):
        yield *_opening(text, match.span("who")), " sets ", match.span(group), " to ", match.span("value")
    elif name.islower() and not is_plural(head_of(name.split())):
        yield "The ", match.span(group), " of ", _inside(text, match.span("who")), " is ", match.span("value")


_DEFINES = re.compile(rf"{_WHO} (?:defines|declares) (?P<name>\S+) (?:as|to be) {_VALUE}\Z")


def _defines(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The parser defines MAX_DEPTH as 64" as what it sets it to."""
    match = _DEFINES.match(hidden)
    if match is not None and _calm(match, "who", "value") and _coded(match["name"]):
        yield match.span("who"), " sets ", match.span("name"), " to ", match.span("value")


# "You'll find round_tax defined in a.py", "the file that defines round_tax"
_FIND_DONE = re.compile(
    r"You(?:['’]ll| will| can| may)? find (?P<what>(?:the |our |[A-Z`¤]|[a-z]+[_.])[^,;:]*?) (?P<done>[a-z]+) "
    r"(?P<where>(?:in|at|on|under) [^,;:]+)\Z"
)
_HOLDS = r"(?:(?:that|which) (?:defines|declares|contains|holds)|defining|declaring|containing)"
_WHAT = r"(?P<what>(?:the |our |[A-Z`¤]|[a-z]+[_.A-Z(])[^,;:]*?)"
_DEFINED_IN = (
    re.compile(rf"[Tt]he (?:file|module|source file) {_HOLDS} {_WHAT} is {_FILE}\Z"),
    re.compile(rf"{_FILE} is the (?:file|module|source file) {_HOLDS} {_WHAT}\Z"),
)


def _found_in(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "You'll find round_tax defined in a.py" as "round_tax is defined in a.py"."""
    match = _FIND_DONE.match(hidden)
    if match is not None:
        if is_participle(match["done"]) and quiet(match["what"]) and quiet(match["where"]):
            be = "are" if is_plural(head_of(match["what"].lower().split())) else "is"
            yield *_opening(text, match.span("what")), f" {be} ", match.span("done"), " ", match.span("where")
        return
    for form in _DEFINED_IN:
        match = form.match(hidden)
        if match is None:
            continue
        last = match["what"].split()[-1]
        if quiet(match["what"]) and (_coded(last) or not is_plural(last.lower())):  # users may be in several files
            yield *_opening(text, match.span("what")), " is defined in ", match.span("value")
        return


# Where a program begins is a file: it "is" the file, "lives in" it, and the program "starts from" it
_SOURCE = (
    r"(?=\S+\.(?:py|go|rs|tsx?|jsx?|mjs|cjs|rb|java|kts?|c|cc|cpp|cs|swift|php|exs?|sh|lua|scala|clj|hs|ml|dart|zig|pl"
    r"|jl)`?\Z)"
)
_STARTS_FROM = re.compile(rf"{_WHO} starts (?:from|in|at) {_SOURCE}{_FILE}\Z")
_HAS_ENTRY = re.compile(rf"{_WHO} has its (?P<entry>(?:main )?entry ?point|entry-point) (?:in|at) {_FILE}\Z")
_ENTRY_IN = re.compile(
    r"(?P<what>(?:The )?[^,;:]*?\bentry[ -]?point(?: (?:of|for|to) [^,;:]+?)?) (?:now )?"
    rf"(?:lives|sits|resides|is located|is defined|is found|is) (?:in|at) {_FILE}\Z"
)


def _entered(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The CLI starts from main.go" and "Its entry point lives in main.go" as what its entry point is."""
    match = _STARTS_FROM.match(hidden) or _HAS_ENTRY.match(hidden)
    if match is not None:
        if _calm(match, "who"):
            yield "The entry point of ", _inside(text, match.span("who")), " is ", match.span("value")
        return
    match = _ENTRY_IN.match(hidden)
    if match is not None and quiet(match["what"]):
        yield match.span("what"), " is ", match.span("value")


_LEVEL = (
    r"(?P<value>(?:debug|info|warn(?:ing)?|error|critical|trace|fatal)|DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|TRACE)"
)
_LOGS = re.compile(
    rf"(?:Logging (?:for|of|in|on) (?P<what>[^,;:]+?)|(?P<whose>[^,;:]+?)['’]s? logging) is (?:set to|at) {_LEVEL}"
    r"(?: level)?\Z"
)


def _logs(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Logging for the worker is set to debug" as its log level."""
    match = _LOGS.match(hidden)
    group = "what" if match is not None and match["what"] else "whose"
    if match is not None and quiet(match[group]):
        yield "The log level of ", _inside(text, match.span(group)), " is ", match.span("value")


# "defaults to the dark theme", "dark is the theme the wiki defaults to"
_TO_NOUN = re.compile(rf"{_WHO} defaults to (?:the |an? )?(?P<value>\S+) {_NOUN}\Z")
_KIND = r"(?P<noun>[a-z][\w-]*(?: [a-z][\w-]*)?)"
_NOUN_TO = (
    re.compile(rf"[Tt]he {_KIND} (?:that |which )?(?P<who>(?:the |our |[A-Z`¤])[^,;:]*?) defaults to is {_VALUE}\Z"),
    re.compile(rf"{_VALUE} is the {_KIND} (?:that |which )?(?P<who>(?:the |our |[A-Z`¤])[^,;:]*?) defaults to\Z"),
)


# "defaults to the current date" names none
_RELATIVE = word_set("current same next previous last first latest given own closest nearest new old other user")


def _defaults(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The shop defaults to the en-GB locale" as its default locale."""
    for form in (*_NOUN_TO, _TO_NOUN):
        match = form.match(hidden)
        if match is None:
            continue
        known = head_of(match["noun"].split()) in HAS_ONE and match["value"].lower() not in _RELATIVE
        if known and _calm(match, "who", "value"):
            owner = _inside(text, match.span("who"))
            yield "The default ", match.span("noun"), " of ", owner, " is ", match.span("value")
        return


_IDLE = re.compile(
    r"(?P<what>(?:The |Our |[A-Z])?[^,;:]*?\b[Ss]essions(?: (?:of|in|on|for) [^,;:]+?)?) (?:expire|end|lapse|close) "
    r"after (?P<value>[^,;:]+?) of (?:inactivity|idleness|idle time)\Z"
)


def _idle(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Sessions expire after 10 minutes of inactivity" as when they time out."""
    match = _IDLE.match(hidden)
    if match is not None and _calm(match, "what", "value"):
        yield match.span("what"), " time out after ", match.span("value")


# "has a connection pool of 25": as many as it holds
_POOL = re.compile(
    rf"{_WHO} (?:has|uses|runs with|keeps|maintains) an? (?P<noun>(?:[a-z][\w-]* ){{0,3}}pool) of (?P<value>\d[\d,]*)"
    r"(?: [a-z]+)?\Z"
)


def _pooled(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The API has a connection pool of 25" as the size of it."""
    match = _POOL.match(hidden)
    if match is not None and _calm(match, "who"):
        owner = _inside(text, match.span("who"))
        yield "The ", match.span("noun"), " size of ", owner, " is ", match.span("value")


_SORTS = re.compile(
    rf"(?P<who>(?:The |[A-Z`¤])[^,;:]*?) (?:sorts|orders) (?P<its>its |the |all )?(?P<many>[a-z][a-z-]*s) "
    rf"by {_VALUE}\Z"
)


_STORES_ITS = re.compile(rf"{_WHO} stores its (?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?P<where>(?:in|on|at) [^,;:]+)\Z")


def _stores(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "SymbolTable stores its entries in a hash map" as where they are stored."""
    match = _STORES_ITS.match(hidden)
    if match is not None and _calm(match, "who", "where"):
        be = "are" if is_plural(match["what"].rpartition(" ")[2]) else "is"
        owner = _inside(text, match.span("who"))
        yield "The ", match.span("what"), " of ", owner, f" {be} stored ", match.span("where")


_NO_SORTS = word_set("is are hand phone mail email default itself")


def _sorts(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "TicketQueue sorts its tickets by age" as "The tickets of TicketQueue are sorted by age"."""
    match = _SORTS.match(hidden)
    if match is None or not _calm(match, "who", "value") or match["value"].split()[0] in _NO_SORTS:
        return
    if match["its"] == "its " or _coded(match["who"]):
        owner = _inside(text, match.span("who"))
        yield "The ", match.span("many"), " of ", owner, " are sorted by ", match.span("value")


_FOR_ITS = re.compile(
    rf"For (?:its|their) {_NOUN}, (?P<who>(?:the |our |[A-Z`¤])[^,;:]*?) (?:uses?|has|have|runs on) {_VALUE}\Z"
)


def _for_its(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "For its theme, the wiki uses Slate" as "The wiki uses Slate as its theme"."""
    match = _FOR_ITS.match(hidden)
    if match is not None and _calm(match, "who", "value"):
        head = head_of(match["noun"].split())
        if singular(head) == head and (head in HAS_ONE or fills_role(match["noun"])):
            yield *_opening(text, match.span("who")), " uses ", match.span("value"), " as its ", match.span("noun")


# What a function raises, and for what
_ERROR = r"(?P<value>`?[A-Z]\w*[a-z]\w*`?)"
_CALL = r"(?P<who>`[^`]+`|¤+|[\w.]*[_.(][\w.()]*|[a-z]+[A-Z]\w*)"
_WHY = r"(?P<why>(?:for|on|when|if|with) \S[^,;:]*?)"
_IF = re.compile(r"(?i:if|when|on) ")
_RAISING = (
    re.compile(rf"{_CALL} (?:raises|throws) (?:an? )?{_ERROR} (?P<why>if \S[^,;:]*)\Z"),
    re.compile(rf"{_ERROR} is (?:raised|thrown) by {_CALL} {_WHY}\Z"),
    re.compile(rf"(?P<front>(?:For|On|When|If|With) [^,;:]+), {_ERROR} is (?:raised|thrown) by {_CALL}\Z"),
    re.compile(rf"(?P<front>(?:For|On|When|If|With) [^,;:]+), {_CALL} (?:raises|throws) (?:an? )?{_ERROR}\Z"),
    re.compile(rf"(?P<makes>(?:[Aa]n? |[A-Z])[^,;:]*?) (?:make|makes) {_CALL} (?:raise|throw) (?:an? )?{_ERROR}\Z"),
    re.compile(rf"{_CALL}['’]s (?:exception|error) {_WHY} is (?:an? )?{_ERROR}\Z"),
    re.compile(rf"(?:The )?(?:exception|error) (?:of|from|in) {_CALL} {_WHY} is (?:an? )?{_ERROR}\Z"),
)


def _raising(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Unknown users make load_user raise KeyError" as "load_user raises KeyError for unknown users"."""
    for form in _RAISING:
        match = form.match(text)
        if match is None:
            continue
        groups = match.groupdict()
        why: _Pieces
        group = next(g for g in ("why", "front", "makes") if groups.get(g))
        start, end = match.span(group)
        if match[group].lower().startswith("if "):
            why = ("when", (start + 2, end))  # of what a program does, the one says what the other says
        elif group == "why":
            why = ((start, end),)
        else:
            why = ("for " if group == "makes" else "", text[start].lower(), (start + 1, end))
        if quiet(_IF.sub("", hidden[start:end])):
            yield match.span("who"), " raises ", match.span("value"), " ", *why
        return


_BASE = re.compile(
    r"(?:(?:The )?(?:base|parent|super) ?class of (?P<of>[^,;:]+?)"
    r"|(?P<who>[^,;:]+?)['’]s? (?:base|parent|super) ?class) is (?P<value>`?[A-Z]\w*`?)\Z"
)


def _base(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The base class of JobScheduler is Worker" as what it extends."""
    match = _BASE.match(text)
    group = "of" if match is not None and match["of"] else "who"
    if match is not None and " " not in match[group] and _coded(match[group]):
        yield match.span(group), " extends ", match.span("value")


_Reader = Callable[[str, str], Iterator[_Pieces]]
_READERS: tuple[tuple[_Reader, Needles], ...] = (
    (reduced, REDUCED),
    (_set_to, word_set("to at")),
    (_defines, word_set("defines declares")),
    (_found_in, word_set("find file module")),
    (_entered, word_set("starts entry entrypoint entry-point")),
    (_logs, word_set("Logging logging")),
    (_defaults, word_set("defaults")),
    (_idle, word_set("inactivity idleness idle")),
    (_pooled, word_set("pool")),
    (_sorts, word_set("sorts orders")),
    (_stores, word_set("stores")),
    (_base, word_set("class superclass")),
    (_for_its, word_set("its their")),
    (_raising, word_set("raised thrown raises throws raise throw exception error")),
)
_FITTING = Dispatch(_READERS)
