"""A relation said by a noun or in the passive, put as the plain sentence of its verb, or of its noun.

"Java 21 is required by the engine", "The report falls due on 3 May" and "The shop answers unknown ids with 404" tell
what "The engine requires Java 21", "The report is due on 3 May" and "The status code of the shop for unknown ids is
404" tell; the plain sentence is made of the pieces of the given one and judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.charges import OF_CHARGES
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES, UNASSERTED
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.pieces import Pieces, be_of, inner, opening
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.verbs import gerund_of, participle_of, third_of
from memstrata_integrations.words import singular, word_set

__all__ = ["OF_VERB_NOUNS"]


# --- what is done with which means, by whom, for whom ---

# The noun has a key of its own: "Testing of the app is done with Pytest"
_OF_MANY_MEANS = word_set("test monitor document lint pay profile scan")
_DONE_WITH = re.compile(
    r"(?:(?:The )?(?P<act>[A-Za-z]+) of (?P<what>(?:the |our |my |all |[A-Z`¤])[^,;:]*?)"
    r"|(?P<owner>(?:The |Our |My |[A-Z`¤])[^,;:]*?)['’]s (?P<noun>[a-z]+)"
    r"|(?P<kind>[A-Z][a-z]+) (?P<doing>[a-z]+ing)) "
    r"(?:is|are) (?:done|carried out|performed|run|handled) (?=(?:with|using|in|via|through) \S)"
)


def _done_with(text: str, hidden: str) -> Pieces | None:
    """Read "The cluster's provisioning is done with Pulumi" as what it is provisioned with."""
    match = _DONE_WITH.match(hidden)
    if match is None:
        return None
    noun = (match["act"] or match["noun"] or match["doing"]).lower()
    base = act_of_noun(noun)
    if base is None or base == noun or singular(noun) != noun or base in _OF_MANY_MEANS:
        return None  # "the runs of the job": several acts
    if match["doing"] and hidden.startswith("in ", match.end()):
        return None  # "Time tracking is done in Harvest" has a key of its own
    group = "what" if match["act"] else "owner" if match["owner"] else "kind"
    if not quiet(match[group]):
        return None
    what = opening(text, *match.span(group))
    return *what, f" {be_of(match[group])} {participle_of(base)} ", (match.end(), len(text))


# Of one means; several tools build, deploy, format or test one thing side by side
_OF_ONE_MEANS = word_set("hash sort")
_DOING_OF_MEANS = {gerund_of(base): base for base in _OF_ONE_MEANS}
_TOOL = r"(?P<value>(?!the |an? )`?[A-Za-z][\w.+#`-]*(?: [A-Z][\w.+-]*)?)"
_WHAT = r"(?P<what>(?:the |our |all )?[a-z`][^,;:]*?)"
_USE_TO = re.compile(
    rf"We use {_TOOL} (?:to (?P<verb>[a-z]+)|for (?P<doing>[a-z]+ing)) {_WHAT}\Z"
    rf"|(?:For (?P<doing2>[a-z]+ing)|To (?P<verb2>[a-z]+)) {_WHAT.replace('what', 'what2')},? we use "
    rf"{_TOOL.replace('value', 'value2')}\Z"
)


_USES_TO = re.compile(
    rf"(?P<who>(?:The |Our |[A-Z`¤])[^,;:]*?) (?:uses|employs) {_TOOL} "
    r"(?:to (?P<verb>[a-z]+)|for (?P<doing>[a-z]+ing)) (?P<what>(?:the |all |its )?[a-z`][^,;:]*?)\Z"
)
_SORTS = re.compile(
    r"(?P<who>(?:The |Our |[A-Z`¤])[^,;:]*?) (?:sorts|orders) its (?:entries|items|elements|contents|values) "
    r"(?:with|using|by means of) "
    r"(?P<value>\S[^,;:]*)\Z"
    r"|(?P<what>(?:The )?[A-Za-z]+) (?:in|of) (?P<owner>(?:the |our |[A-Z`¤])[^,;:]*?) (?:is|are) sorted "
    r"(?:with|using|by means of) (?P<how>\S[^,;:]*)\Z"
)
_SORTED = word_set("entries items elements results rows records values keys names sorting entry")


def _uses_to(text: str, hidden: str) -> Pieces | None:
    """Read "The auth service uses bcrypt to hash passwords" as what it hashes them with."""
    match = _USES_TO.match(hidden)
    if match is None or not quiet(match["what"].removeprefix("its ")) or not quiet(match["who"]):
        return None
    base = match["verb"] or _DOING_OF_MEANS.get(match["doing"])
    if base == "sort" and match["what"].startswith("its "):
        return "The sorting algorithm of ", *inner(text, *match.span("who")), " is ", match.span("value")
    if base not in _OF_ONE_MEANS or match["what"].startswith("its "):
        return None
    return match.span("who"), f" {third_of(base)} ", match.span("what"), " with ", match.span("value")


def _sorts(text: str, hidden: str) -> Pieces | None:
    """Read "RankList sorts its entries with quicksort" as its sorting algorithm."""
    match = _SORTS.match(hidden)
    if match is None or (match["what"] and match["what"].lower().removeprefix("the ") not in _SORTED):
        return None
    group = "who" if match["who"] else "owner"
    value = match.span("value" if match["who"] else "how")
    return "The sorting algorithm of ", *inner(text, *match.span(group)), " is ", value


def _use_to(text: str, hidden: str) -> Pieces | None:
    """Read "We use argon2id to hash passwords" as what they are hashed with."""
    match = _USE_TO.match(hidden)
    if match is None:
        return None
    base = match["verb"] or match["verb2"] or _DOING_OF_MEANS.get(match["doing"] or match["doing2"])
    group = "what" if match["what"] else "what2"
    if base not in _OF_ONE_MEANS or not quiet(match[group]):
        return None
    done = f" {be_of(match[group])} {participle_of(base)} with "
    return *opening(text, *match.span(group)), done, match.span("value" if match["value"] else "value2")


_BY_FIRST = re.compile(
    r"(?P<value>(?:(?:An?|The) )?\S[^,;:]*?) (?:is|are) (?P<done>required|needed|returned) by (?P<who>(?:the |our )?"
    r"[\w`¤][^,;:]*)\Z"
)
_RELEASE = re.compile(r"[A-Z][\w.+#]*(?: [A-Z][\w.+#]*)? v?\d[\w.]*\+?\Z")
_GIVES_BACK = re.compile(r"(?P<who>\S[^,;:]*?) (?P<verb>gives|hands|passes) back (?=\S)")


def _by_first(text: str, hidden: str) -> Pieces | None:
    """Read "Java 21 is required by the engine" as what it requires, "A dict is returned by f()" as what it returns."""
    match = _BY_FIRST.match(hidden)
    if match is None or not quiet(match["who"]):
        return None
    who = opening(text, *match.span("who"))
    start, end = match.span("value")
    if match["done"] != "returned":
        return (*who, " requires ", (start, end)) if _RELEASE.match(text[start:end]) else None
    if not _is_code(text[slice(*match.span("who"))]):
        return None
    small = text.startswith(("A ", "An ", "The "), start)
    return *who, " returns ", ((start, end, 1) if small else (start, end))


def _gives_back(text: str, hidden: str) -> Pieces | None:
    """Read "`load()` gives back a dict" as what it returns."""
    match = _GIVES_BACK.match(hidden)
    if match is None or not _is_code(text[slice(*match.span("who"))]):
        return None
    return match.span("who"), " returns ", (match.end(), len(text))


def _is_code(who: str) -> bool:
    """Whether words name a function or a method: "`load`", "the load_profile helper"."""
    words = who.split()
    named = any(is_identifier(w) or w.startswith("`") for w in words)
    return named and len(words) <= 3


# --- one verb for another ---

_EXTENDS = re.compile(
    r"(?P<who>(?:The )?(?:[`¤]?[A-Z][\w.¤]*`?|¤+)(?: class)?) (?:is (?:an? |the )?(?:sub-?class|child class"
    r"|derived class|child) of|is derived from|derives from|descends from) (?P<value>`?[A-Z¤][\w.¤]*`?)\Z"
)
_FALLS_DUE = re.compile(r"(?P<what>\S[^,;:]*?) (?:falls|fall|comes|come|becomes) (?=due (?:on|by|at) \S)")
_LAST_DAY = re.compile(
    r"(?:The (?:last|final) day (?:of|for) (?P<of>(?:the |our )[a-z][^,;:]*?)"
    r"|(?P<owner>(?:The |Our )[a-z][^,;:]*?)['’]s "
    r"(?:last|final) day) is (?P<value>\S[^,;:]*)\Z"
    r"|(?P<date>[A-Z0-9][^,;:]*?) is the (?:last|final) day (?:of|for) (?P<what>(?:the |our )[a-z][^,;:]*)\Z"
)
_CALENDAR = word_set("week month quarter year season term semester sprint decade century life job holiday day")
_ON_UNTIL = re.compile(r"(?P<what>\S[^,;:]*?) (?:is on|continues|goes on|carries on) (?=until [A-Z0-9])")


_NOUN_OF_DONE = {
    "budgeted at": "budget",
    "codenamed": "codename",
    "code-named": "codename",
    "subtitled": "subtitle",
    "rate-limited to": "rate limit",
    "rate limited to": "rate limit",
}
_IS_DONE_AT = re.compile(
    rf"(?P<what>(?:The |Our |My |[A-Z`¤])[^,;:]*?) (?:is|are) (?P<done>{'|'.join(_NOUN_OF_DONE)}) "
    r"(?P<value>\S[^,;:]*)\Z"
)


def _noun_of_done(text: str, hidden: str) -> Pieces | None:
    """Read "The bridge is budgeted at 40 million" as its budget."""
    match = _IS_DONE_AT.match(hidden)
    if match is None or not quiet(match["what"]):
        return None
    noun = _NOUN_OF_DONE[match["done"]]
    return f"The {noun} of ", *inner(text, *match.span("what")), " is ", match.span("value")


def _extends(text: str, hidden: str) -> Pieces | None:
    """Read "CacheStore is a subclass of BaseStore" as what it extends."""
    match = _EXTENDS.match(hidden)
    return (match.span("who"), " extends ", match.span("value")) if match is not None else None


def _due(text: str, hidden: str) -> Pieces | None:
    """Read "The report falls due on 3 May" as when it is due."""
    match = _FALLS_DUE.match(hidden)
    return (match.span("what"), f" {be_of(match['what'])} ", (match.end(), len(text))) if match is not None else None


def _ends(text: str, hidden: str) -> Pieces | None:
    """Read "The last day of the sale is 3 May" and "The sale is on until 3 May" as until when it runs."""
    match = _ON_UNTIL.match(hidden)
    if match is not None:
        return match.span("what"), " runs ", (match.end(), len(text))
    match = _LAST_DAY.match(hidden)
    if match is None:
        return None
    group = "of" if match["of"] else "owner" if match["owner"] else "what"
    head = head_phrase(match[group].lower().split())[0]
    if head in _CALENDAR or head in PERSON_ROLES or not quiet(match[group]):
        return None
    return *opening(text, *match.span(group)), " runs until ", match.span("date" if match["date"] else "value")


# --- where it is ---

_HOME = re.compile(
    r"(?:The home of (?P<of>(?:the |our |[A-Z`¤a-z])[^,;:]*?)|(?P<owner>[\w`¤][^,;:]*?)['’]s home) is (?:in |at )?"
    r"(?P<value>`?[\w.~-]*/[\w./-]+`?)\Z"
    r"|(?P<who>[\w`¤][^,;:]*?) (?:now )?has its home (?:in|at|under) (?P<where>`?[\w.~-]*/[\w./-]+`?)\Z"
)


def _home(text: str, hidden: str) -> Pieces | None:
    """Read "compute_vat has its home in lib/rates.py" as where it lives."""
    match = _HOME.match(text)
    if match is None:
        return None
    group = "of" if match["of"] else "owner" if match["owner"] else "who"
    if not UNASSERTED.isdisjoint(match[group].lower().split()):
        return None
    return *opening(text, *match.span(group)), " lives in ", match.span("where" if match["who"] else "value")


# --- what it answers with, which release it needs ---

_STATUS = r"(?:an? )?(?:HTTP )?(?:status )?(?:code )?(?:of )?(?P<code>[1-5]\d\d)(?: status)?"
_ANSWERS = re.compile(
    r"(?P<who>(?:The |Our |[`¤])[^,;:]*?) (?:returns|responds with|answers with|answers|replies with"
    rf"|replies|gives|sends) {_STATUS} (?:for|on|to) (?:an? |the )?(?P<what>[^,;:]+)\Z"
)
_ANSWERS_WHAT = re.compile(
    r"(?P<who>(?:The |Our |[`¤])[^,;:]*?) (?:answers|responds to|replies to) (?:an? |the )?"
    rf"(?P<what>[^,;:]+?) with {_STATUS}\Z"
)
_IS_ANSWERED = re.compile(
    rf"(?:An? |The )?(?P<what>[^,;:]+?) (?:is|are) answered with {_STATUS} by (?P<who>(?:the |our |[`¤])[^,;:]*)\Z"
)
_ROUTES = word_set("endpoint route api service server gateway handler proxy webhook url path resource call request")
_NEEDED = re.compile(
    r"(?:The (?:required|needed) (?P<tool>[A-Z][\w.+#]*) version (?:of|for) (?P<of>[^,;:]+?)"
    r"|(?P<owner>(?:The |Our |[A-Z`¤])[^,;:]*?)['’]s (?:required|needed) (?P<its>[A-Z][\w.+#]*) version"
    r"|The (?P<one>[A-Z][\w.+#]*) version (?:required|needed) (?:by|for|in) (?P<by>[^,;:]+?)) is "
    r"(?:(?P<again>[A-Z][\w.+#]*) )?(?P<value>v?\d[\w.+]*)\Z"
)


def _answers(text: str, hidden: str) -> Pieces | None:
    """Read "The items endpoint responds with 404 for unknown ids" as its status code for them."""
    match = _ANSWERS.match(hidden) or _ANSWERS_WHAT.match(hidden) or _IS_ANSWERED.match(hidden)
    if match is None or not quiet(match["what"]) or not quiet(match["who"]):
        return None
    head = head_phrase(match["who"].lower().split())[0]
    if singular(head) not in _ROUTES or "/" in match["who"]:
        return None
    start, end = match.span("what")
    what: Pieces = ((start, end),)
    if start == 0 and text[start].isupper() and text[start + 1 : start + 2].islower():
        what = (text[start].lower(), (start + 1, end))
    return "The status code of ", *inner(text, *match.span("who")), " for ", *what, " is ", match.span("code")


def _needed(text: str, hidden: str) -> Pieces | None:
    """Read "The Java version required for the engine is 21" as what it requires."""
    match = _NEEDED.match(hidden)
    if match is None:
        return None
    tool = match["tool"] or match["its"] or match["one"]
    group = "of" if match["of"] else "owner" if match["owner"] else "by"
    if (match["again"] and match["again"] != tool) or not quiet(match[group]):
        return None
    name = match.span("tool" if match["tool"] else "its" if match["its"] else "one")
    return *opening(text, *match.span(group)), " requires ", name, " ", match.span("value")


OF_VERB_NOUNS: tuple[tuple[Callable[[str, str], Pieces | None], Needles], ...] = (
    *OF_CHARGES,
    (_done_with, (word_set("done carried performed run handled"), word_set("with using in via through"))),
    (_use_to, (word_set("use"), word_set("We we"))),
    (_uses_to, (word_set("uses employs"), word_set("to for"))),
    (_sorts, (word_set("sorts orders sorted"), word_set("with using means"))),
    (_by_first, (word_set("required needed returned"), word_set("by"))),
    (_gives_back, word_set("back")),
    (_extends, (word_set("of from"), word_set("subclass sub-class child derived derives descends"))),
    (_due, word_set("due")),
    (_noun_of_done, word_set("budgeted codenamed code-named subtitled rate-limited limited")),
    (_ends, (word_set("until day"), word_set("on continues goes carries last final"))),
    (_home, word_set("home")),
    (
        _answers,
        (word_set("returns responds answers answered replies gives sends"), frozenset((A_NUMBER,))),
    ),
    (_needed, (word_set("required needed"), word_set("version"))),
)
"""Readers of the plain sentence that one of this kind stands for, each with the signs that it needs."""
