"""Where a thing is found, how somebody is reached, what is used for a task: in the words of the plain statement.

"You will find the archive in room 31" is "The archive is in room 31", "To reach the surgery, call 01632 960222" is "The
phone number of the surgery is 01632 960222", "For PDF rendering we rely on Chromium" is "PDF rendering is done with
Chromium". The plain sentence is then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["OF_POINTERS", "TASK_WORDS", "read_task"]

_LONGEST = 200
_Pieces = tuple[str | tuple[int, int], ...]
_LOWERED = frozenset(("The", "Our", "My"))
# "in room 31", "on the second floor": what else stands there is told by the readers of places
_WHERE = (
    r"(?P<where>(?:in|on|at) (?:the )?(?:(?:room|building|aisle|bay|hall|wing|level|floor|locker|shelf|cabinet|gate"
    r"|desk"
    r"|unit|block|platform) \S+|\S+ floor)(?: (?:of|in) [^,;]+)?)"
)
_FOUND = re.compile(rf" (?:can be|may be|is to be|are to be) found {_WHERE}\Z")
_YOU_FIND = re.compile(
    rf"(?:You|you)(?:['’]ll| will| can) find (?P<what>(?:the |our |my |[A-Z])[^,;]{{2,60}}) {_WHERE}\Z"
)
_THING = r"(?:[Tt]he |[Oo]ur |[Mm]y )?[^,;]{2,60}?"
_REACHED = re.compile(
    rf"(?P<who>{_THING}) (?:can be|is|are|may be) (?:reached|contacted|called|reachable|available)(?: by (?:phone"
    rf"|e-?mail))?"
    r" (?:at|on|under|via|by calling) (?=[+(\d\w])"
)
_TO_REACH = re.compile(
    rf"(?:To (?:reach|contact|call|book|phone) (?P<who>{_THING}),? (?:call|dial|ring|phone|use|e-?mail|write to) "
    rf"|(?:You can|You may|Please)? ?(?:[Rr]each|[Cc]ontact|[Cc]all|[Pp]hone|[Ee]-?mail) (?P<whom>{_THING}) (?:at|on"
    rf"|under)"
    r" )(?=[+(\d\w])"
)
_HOURS = re.compile(
    r"(?P<kind>[Oo]pening|[Bb]usiness|[Ss]upport|[Vv]isiting|[Oo]ffice|[Ss]ervice|[Tt]rading)? ?[Hh]ours (?:of|for|at) "
    r"(?P<of>[^:,;]{2,60}): (?=(?:from )?\d{1,2}(?:[:.]\d\d)? ?(?:[ap]m)? ?(?:-|–|to|until) ?\d)"
)
_FOR_TASK = re.compile(
    r"For (?P<task>[^,;]{3,60}?),? (?P<who>we|(?:the |our )[a-z][\w -]*?|Team [A-Z]\w+|the [A-Z]\w+ team) "
    r"(?P<verb>use|uses|rely on|relies on|employ|employs)"
    r" (?P<tool>[^,;]+)\Z"
)
_USE_FOR = re.compile(
    r"(?P<who>We|(?:The |Our )[a-z][\w -]*?|Team [A-Z]\w+|The [A-Z]\w+ team|In [^,;]{2,40}?,? we) (?P<verb>use|uses"
    r"|rely on|relies on|employ|employs) "
    r"(?P<tool>\S+(?: [A-Z0-9]\S*){0,2}) (?:for|to do) (?P<task>[^,;]{3,60})\Z"
)
_TOOL = re.compile(r"`[^`]+`|[A-Za-z][\w.+#/-]*(?: [A-Z0-9][\w.+#-]*){0,3}\Z")
_TASKS = word_set(
    "payroll analytics ci cd search auth authentication authorization authorisation chat storage invoicing accounting "
    "observability orchestration virtualisation virtualization telemetry bookkeeping e-signatures"
)
_BROAD = word_set(
    "testing debugging developing programming coding writing editing planning learning training marketing billing "
    "banking "
    "shipping teaching cooking cleaning reading building engineering meeting everything anything something nothing "
    "communication collaboration production"
)
_THUS = known("is done thus")
TASK_WORDS = word_set("use uses rely relies employ employs")
_NO_TOOLS = word_set("the a an this that these it them our my both several many some two three")


def _opened(text: str, span: tuple[int, int]) -> _Pieces:
    return text[span[0]].upper(), (span[0] + 1, span[1])


def _inner(text: str, span: tuple[int, int]) -> _Pieces:
    start, end = span
    first = text[start:end].split(" ", 1)[0]
    return (first.lower(), (start + len(first), end)) if first in _LOWERED else (span,)


def _found(text: str, hidden: str) -> _Pieces | None:
    """Read "You will find the archive in room 31" and "The archive can be found in room 31"."""
    match = _FOUND.search(hidden)
    if match is not None and match.start() and quiet(text[: match.start()]):
        return (0, match.start()), " is ", match.span("where")
    match = _YOU_FIND.match(hidden)
    if match is None or not quiet(match["what"]):
        return None
    return *_opened(text, match.span("what")), " is ", match.span("where")


def _reached(text: str, hidden: str) -> _Pieces | None:
    """Read "The surgery can be reached on 01632 960222" and "To reach the surgery, call 01632 960222"."""
    match = _REACHED.match(hidden) or _TO_REACH.match(hidden)
    if match is None:
        return None
    said = match.groupdict()
    who = match.span("whom" if said.get("whom") else "who")
    value = (match.end(), len(text))
    written = text[slice(*value)]
    digits = sum(c.isdigit() for c in written)
    kind = canonical_value(written)[1]
    if kind == "email":
        noun = "email address"
    elif digits > 5 and not any(c.isalpha() for c in written) and kind not in ("date", "time", "money"):
        noun = "phone number"
    else:
        return None
    if not quiet(text[slice(*who)]) or not text[slice(*who)].startswith(("the ", "The ", "our ", "Our ")):
        return None  # a person has several
    return f"The {noun} of ", *_inner(text, who), " is ", value


def _hours(text: str, hidden: str) -> _Pieces | None:
    """Read the line "Opening hours of the bakery: 8 to 16"."""
    match = _HOURS.match(hidden)
    if match is None or not quiet(match["of"]):
        return None
    kind = f"{match['kind'].lower()} " if match["kind"] else ""
    return f"The {kind}hours of ", *_inner(text, match.span("of")), " are ", (match.end(), len(text))


def read_task(text: str) -> Claim | None:
    """Read "For PDF rendering we rely on Chromium" and "We use Chromium for PDF rendering"."""
    if len(text) > _LONGEST or TASK_WORDS.isdisjoint(words_of(text)):
        return None
    match = _FOR_TASK.match(hidden := masked(text)) or _USE_FOR.match(hidden)
    if match is None:
        return None
    tool, task, who = text[slice(*match.span("tool"))], match["task"], match["who"]
    if tool.split()[0].lower() in _NO_TOOLS or not _TOOL.fullmatch(tool) or not (quiet(task) and quiet(tool)):
        return None
    words = task.split()
    at = next((n for n, w in enumerate(words) if n and w in ("of", "in", "for", "on")), len(words))
    head = words[at - 1].lower()
    if head in _BROAD:
        return None  # for these one has several
    if not (head.endswith("ing") or head in _TASKS or (act_of_noun(head) and head.endswith("ion"))):
        return None
    named = (
        any(map(str.isupper, tool)) or is_identifier(tool) or match["verb"] in ("use", "uses", "rely on", "relies on")
    )
    if not named:
        return None
    whose = "" if who.lower() == "we" else who.removesuffix(" we").rstrip(",").removeprefix("In ")
    return Claim(f"done-with {task} {whose}".strip(), _THUS, *match.span("tool"), "tool for a task", "text")


OF_POINTERS: tuple[tuple[Callable[[str, str], _Pieces | None], frozenset[str]], ...] = (
    (_found, word_set("found find")),
    (_reached, word_set("reached contacted called reachable available To reach Reach contact Contact call Call phone "
                        "Phone email Email e-mail E-mail")),
    (_hours, word_set("hours Hours")),
)  # fmt: skip
"""Readers of the plain sentence that one of this kind stands for, each with the words that it needs."""
