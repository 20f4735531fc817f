"""How a service runs: its region, what is enabled on it, of how many parts it is, how far a piece of work has come.

"The cluster is hosted in the eu-west-1 region", "The portal has two-factor login enabled" and "10 replicas of the
gateway are running in production" have the key of "The region of the cluster is eu-west-1", "Two-factor login is
enabled on the portal" and "The gateway has 10 replicas in production".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.charges import be_of, inner, opening
from memstrata_integrations.extraction.sentences.counts import RUN_IN_NUMBER
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.words import singular, word_set

__all__ = ["OF_RUNNING"]

_Pieces = tuple[str | tuple[int, ...], ...]
_WHO = r"(?P<who>(?:The |Our |My |[A-Z`¤])[^,;:]*?)"
_INNER = r"(?:the |our |my |[A-Z`¤])[^,;:]*?"

# --- where it runs ---

_IN_REGION = re.compile(
    rf"{_WHO} (?:is|runs|lives|sits|operates|is hosted|is located|is running|is based|works) (?:in|on|with) the "
    r"(?P<value>[A-Za-z][\w/+-]*(?: \d)?) (?:AWS |GCP |Azure |cloud )?"
    r"(?P<noun>region|availability zone|time ?zone)\Z"
)
_CODE = re.compile(r"[a-z]+-[a-z]+-?\d|[a-z]+\d|[A-Z][a-z]+(?:/|\Z)|[A-Z]{2,5}\Z|(?:UTC|GMT)[+-]\d")
_SITE = r"(?:primary|secondary|main|backup|failover|standby|second) (?:site|location|data ?cent(?:re|er)|base)"
_CITY = r"(?P<value>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?)"
_IS_IN = re.compile(
    rf"The (?P<noun>{_SITE}) (?:of|for) (?P<of>{_INNER}) is in {_CITY}\Z"
    rf"|(?P<owner>(?:The |Our |[A-Z])[^,;:]*?)['’]s? (?P<noun2>{_SITE}) is in {_CITY.replace('value', 'value2')}\Z"
    rf"|(?P<who>(?:The |Our |[A-Z])[^,;:]*?) has its (?P<noun3>{_SITE}) in {_CITY.replace('value', 'value3')}\Z"
    rf"|{_CITY.replace('value', 'value4')} is the (?P<noun4>{_SITE}) (?:of|for) (?P<it>{_INNER})\Z"
)


def _region(text: str, hidden: str) -> _Pieces | None:
    """Read "The cluster runs in the eu-west-1 region" as its region."""
    match = _IN_REGION.match(hidden)
    if match is None or not quiet(match["who"]) or not _CODE.match(match["value"]):
        return None
    noun: _Pieces = ("region",) if match["noun"] == "region" else (match.span("noun"),)
    return "The ", *noun, " of ", *inner(text, *match.span("who")), " is ", match.span("value")


def _site(text: str, hidden: str) -> _Pieces | None:
    """Read "The primary site of the platform is in Dublin" and "Dublin is its primary site" as what that site is."""
    match = _IS_IN.match(hidden)
    if match is None:
        return None
    groups = (
        ("noun", "of", "value"),
        ("noun2", "owner", "value2"),
        ("noun3", "who", "value3"),
        ("noun4", "it", "value4"),
    )
    noun, what, value = next(g for g in groups if match[g[0]])
    if not quiet(match[what]) or match[value].partition(" ")[0] in ("The", "Our", "My", "This", "That"):
        return None
    return "The ", match.span(noun), " of ", *inner(text, *match.span(what)), " is ", match.span(value)


# --- what is on ---

_STATE = r"(?P<state>enabled|disabled|activated|deactivated|(?:turned|switched) (?:on|off))"
_NOUN = r"(?P<noun>(?:the |its )?[A-Za-z][\w-]*(?: [a-z][\w-]*){0,3}?)"
_HAS_ON = re.compile(
    rf"{_WHO} (?:has|have|runs with|run with|operates with|works with|comes with|ships with) {_NOUN} {_STATE}\Z"
    rf"|(?:On|In|For) (?P<on>{_INNER}), we have {_NOUN.replace('noun', 'noun2')} "
    rf"{_STATE.replace('state', 'state2')}\Z"
    rf"|We have {_NOUN.replace('noun', 'noun3')} {_STATE.replace('state', 'state3')} (?:on|in|for) "
    rf"(?P<there>{_INNER})\Z"
)
_STATES = word_set("enabled disabled activated deactivated turned switched")
_SOME = word_set(
    "a an no any some all both most many several every each one two three four five six seven eight nine ten nothing "
    "everything something it them this that these those only just been not what which more few half his her their "
    "yet now"
)


def _has_on(text: str, hidden: str) -> _Pieces | None:
    """Read "The portal has two-factor login enabled" as whether that login is enabled on it."""
    match = _HAS_ON.match(hidden)
    if match is None:
        return None
    groups = (("noun", "who", "state"), ("noun2", "on", "state2"), ("noun3", "there", "state3"))
    noun, where, state = next(g for g in groups if match[g[0]])
    words = match[noun].lower().removeprefix("the ").removeprefix("its ").split()
    if not _SOME.isdisjoint(words) or not PREPOSITIONS.isdisjoint(words) or not quiet(f"{match[where]} {match[noun]}"):
        return None
    start, end = match.span(noun)
    start = end - len(" ".join(words))
    raised: _Pieces = (text[start].upper(), (start + 1, end))
    return *raised, f" {be_of(' '.join(words))} ", match.span(state), " on ", *inner(text, *match.span(where))


# --- of how many parts it is ---

_MANY = r"(?P<value>\d[\d,]*|[A-Z][a-z]+(?:-[a-z]+)?)"
_MAKE_UP = re.compile(
    rf"{_MANY} (?P<things>(?:[a-z-]+ ){{0,2}}[a-z]+) (?:make up|form|constitute|compose) (?P<what>{_INNER})"
    r"(?P<where> (?:in|on|at) [^,;:]+)?\Z"
)
_ARE_RUNNING = re.compile(
    rf"{_MANY} (?P<things>(?:[a-z-]+ )?[a-z]+) (?:of|for) (?P<what>{_INNER}) (?:are running|run"
    r"|are deployed)(?P<where> (?:in|on|at) [^,;:]+)?\Z"
)
_RUNS_ON = re.compile(
    rf"{_WHO} (?:runs|operates|is running) (?:on|with|at) (?P<value>\d[\d,]*|[a-z]+) (?P<things>[a-z]+)"
    r"(?P<where> (?:in|on|at) [^,;:]+)\Z"
)
_NUMBERS = word_set(
    "One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Eighteen Twenty"
)


def _is_number(word: str) -> bool:
    """Whether a word is a number, in figures or in letters."""
    return word[0].isdigit() or word.partition("-")[0].capitalize() in _NUMBERS


def _made_up(text: str, hidden: str) -> _Pieces | None:
    """Read "9 brokers make up the cluster" and "10 replicas of the gateway are running" as how many it has."""
    match = _RUNS_ON.match(hidden)
    if match is not None and match["things"] in RUN_IN_NUMBER and quiet(match["who"]):
        rest = (match.start("value"), len(text))
        return (match.span("who"), " has ", rest) if _is_number(match["value"]) else None
    match = _MAKE_UP.match(hidden)
    if match is None:
        match = _ARE_RUNNING.match(hidden)
        if match is None or match["things"].split()[-1] not in RUN_IN_NUMBER:
            return None
    things = match["things"].split()
    if (singular(things[-1]) == things[-1] and things[-1] != "people") or not quiet(match["what"]):
        return None
    start, end = match.span("value")
    if not _is_number(match["value"]):
        return None
    number = (start, end, 1) if text[start].isalpha() else (start, end)
    where: _Pieces = (match.span("where"),) if match["where"] else ()
    return *opening(text, *match.span("what")), " has ", number, " ", match.span("things"), *where


# --- how far it has come ---

_PERCENT = r"(?P<value>\d[\d.]* ?(?:%|percent|per cent))"
_DONE = re.compile(
    rf"{_WHO} (?:is|are) {_PERCENT} (?:done|complete|completed|finished)\Z"
    rf"|(?:We['’]re|We are|I['’]m|I am) (?:at )?{_PERCENT.replace('value', 'value2')} (?:(?:done )?with|through"
    rf"|of the way through) (?P<what>{_INNER})\Z"
)


def _progress(text: str, hidden: str) -> _Pieces | None:
    """Read "The migration is 40% done" and "We're at 85% with the migration" as its progress."""
    match = _DONE.match(hidden)
    if match is None:
        return None
    what, value = ("who", "value") if match["who"] else ("what", "value2")
    if not quiet(match[what]):
        return None
    return "The progress of ", *inner(text, *match.span(what)), " is ", match.span(value)


# --- where it is kept, by what it is sorted, to which channel it goes ---

_SECRET_IN = re.compile(
    r"(?P<what>(?:The |Our )[^,;:]*?(?:password|passphrase|secret|token|credentials|[A-Za-z]+ key)) "
    r"(?:is|are|lives|live|sits|sit) in (?P<value>[A-Z\d][\w’'.-]*(?: [A-Z][\w’'.-]*){0,2})\Z"
)
_SORTS_BY = re.compile(
    r"(?P<fronted>By default, )?(?P<who>(?:[Tt]he |[Oo]ur |[A-Z`¤])[^,;:]*?) sorts (?:by|on) (?P<value>[^\s,;:]+)"
    r"(?P<behind> by default)?\Z"
)
_SORT_FIELD = re.compile(
    rf"The default sort (?:field|key|column) (?:of|for|on|in) (?P<what>{_INNER}) is (?P<value>[^\s,;:]+)\Z"
    r"|(?P<owner>(?:The |Our |[A-Z`¤])[^,;:]*?)['’]s? default sort (?:field|key|column) is (?P<value2>[^\s,;:]+)\Z"
)
_CHANNEL = re.compile(
    r"(?P<said>[^,;:]+? (?:to|in|on)) (?:the |our )?(?:(?:Slack |Discord |Teams )?channel (?P<value>#[\w-]+)"
    r"|(?P<value2>#[\w-]+)(?: Slack| Discord| Teams)? channel)\Z"
)


def _secret(text: str, hidden: str) -> _Pieces | None:
    """Read "The root password is in 1Password" as where it is stored."""
    match = _SECRET_IN.match(hidden)
    if match is None or not quiet(match["what"]):
        return None
    return match.span("what"), f" {be_of(match['what'])} stored in ", match.span("value")


def _sorted(text: str, hidden: str) -> _Pieces | None:
    """Read "The endpoint sorts by created_at by default" and "Its default sort field is created_at" as one."""
    match = _SORT_FIELD.match(hidden)
    if match is not None:
        what, value = ("what", "value") if match["what"] else ("owner", "value2")
    else:
        match = _SORTS_BY.match(hidden)
        if match is None or bool(match["fronted"]) == bool(match["behind"]):
            return None
        what, value = "who", "value"
    if not quiet(match[what]):
        return None
    return *opening(text, *match.span(what)), " is sorted by ", match.span(value), " by default"


def _channel(text: str, hidden: str) -> _Pieces | None:
    """Read "Alerts go to the #ops channel" as "Alerts go to #ops"."""
    match = _CHANNEL.match(hidden)
    if match is None:
        return None
    return match.span("said"), " ", match.span("value" if match["value"] else "value2")


# --- by whom it is issued, when it ends ---

_PAPER = r"(?:[A-Za-z][\w-]* ){0,3}?(?:certificate|cert)"
# Of these a service has one, while people have several of theirs
_SERVED = r"(?:[a-z][\w-]* )?(?:TLS|SSL|HTTPS|X\.509|server) (?:certificate|cert)"
_ISSUER = r"(?P<value>[A-Z][\w.’'&-]*(?: [A-Z][\w.’'&-]*){0,3})"
_PAPER_FROM = re.compile(
    rf"{_WHO} (?:has|uses|got|runs on|is served with|serves) (?:an?|its) (?P<noun>{_SERVED}) "
    rf"(?:issued by|from) {_ISSUER}\Z"
)
_COMES_FROM = re.compile(
    rf"(?P<what>(?:The |Our )(?:[^,;:]*?['’]s? )?{_PAPER}(?: (?:of|for|on) {_INNER})?) (?:comes|is) from {_ISSUER}\Z"
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December) (?:of )?(?:19|20)\d\d"
)
_END_DATE = re.compile(
    rf"(?:The end date (?:of|for) (?P<what>{_INNER})|(?P<owner>(?:The |Our |My |[A-Z])[^,;:]*?)['’]s? end date) is "
    rf"(?:in )?(?P<value>{_MONTH})\Z"
    rf"|(?P<who>(?:The |Our |My |[A-Z])[^,;:]*?) has an end date of (?P<value2>{_MONTH})\Z"
)


def _issued(text: str, hidden: str) -> _Pieces | None:
    """Read "The page has a TLS certificate from DigiCert" as by whom it is issued."""
    match = _COMES_FROM.match(hidden)
    if match is not None and quiet(match["what"]):
        return match.span("what"), " is issued by ", match.span("value")
    match = _PAPER_FROM.match(hidden)
    if match is None or not quiet(match["who"]):
        return None
    return "The ", match.span("noun"), " of ", *inner(text, *match.span("who")), " is issued by ", match.span("value")


def _end(text: str, hidden: str) -> _Pieces | None:
    """Read "The contract has an end date of January 2028" as when it ends."""
    match = _END_DATE.match(hidden)
    if match is None:
        return None
    what = "what" if match["what"] else "owner" if match["owner"] else "who"
    value = match.span("value2" if match["who"] else "value")
    return (*opening(text, *match.span(what)), " ends in ", value) if quiet(match[what]) else None


# --- with what it answers, as who it lets in ---

_REQUEST = r"(?P<what>(?:[Aa]n? |[Tt]he )(?:[a-z]+ )?(?:GET|POST|PUT|PATCH|DELETE|HEAD)(?: request)?)"
_STATUS = r"(?:an? )?(?:HTTP )?(?:status )?(?:code )?(?:of )?(?P<value>[1-5]\d\d)(?: status)?"
_ON_IT = re.compile(
    rf"(?:On|In|At|For) (?P<who>{_INNER}), {_REQUEST} (?:is answered with|returns|gets|yields|results in) {_STATUS}\Z"
)
_TO_IT = re.compile(
    rf"{_REQUEST} to (?P<who>{_INNER}) (?:is answered with|returns|gets|yields|results in) {_STATUS}"
    r"(?: as its (?:status|status code|response))?\Z"
)
_OF_IT = re.compile(rf"The status(?: code)? of {_REQUEST} to (?P<who>{_INNER}) is {_STATUS}\Z")


def _answered(text: str, hidden: str) -> _Pieces | None:
    """Read "A successful POST to the endpoint gets 202" as with what the endpoint answers it."""
    match = _ON_IT.match(hidden) or _TO_IT.match(hidden) or _OF_IT.match(hidden)
    if match is None or not quiet(match["who"]):
        return None
    start, end = match.span("what")
    who = inner(text, *match.span("who"))
    return "The status code of ", *who, " for ", (start, end, 1), " is ", match.span("value")


_LETS_IN = re.compile(
    r"(?P<who>(?:[A-Z][a-z]+ )?[A-Za-z]+s) (?:of|to) (?P<what>(?:the |our |[A-Z`¤])[^,;:]*?) authenticate "
    r"(?=(?:with|via|using|through) \S)"
)
_FOR_ACT = re.compile(
    r"For (?P<act>[a-z]+(?:ation|ption)), (?P<what>(?:the |our |[A-Z`¤])[^,;:]*?) uses (?P<value>an? [^,;:]+)\Z"
    r"|(?P<it>(?:The |Our |[A-Z`¤])[^,;:]*?) (?:uses|takes(?= an? [^,;:]+ as )) (?P<value2>an? [^,;:]+?) (?:for|as) "
    r"(?P<act2>[a-z]+(?:ation|ption))\Z"
)


def _lets_in(text: str, hidden: str) -> _Pieces | None:
    """Read "Callers of the API authenticate with OAuth" as with what it authenticates them."""
    match = _LETS_IN.match(hidden)
    if match is None or not quiet(match["what"]) or singular(match["who"]) == match["who"]:
        return None
    start, end = match.span("who")
    who: tuple[int, ...] = (start, end, 1) if text[start].isupper() else (start, end)
    return *opening(text, *match.span("what")), " authenticates ", who, " ", (match.end(), len(text))


def _for_act(text: str, hidden: str) -> _Pieces | None:
    """Read "For authentication, the API uses an access token" as with what that is done."""
    match = _FOR_ACT.match(hidden)
    if match is None:
        return None
    act, what, value = ("act", "what", "value") if match["act"] else ("act2", "it", "value2")
    base = act_of_noun(match[act])
    if base is None or base == match[act] or not quiet(f"{match[what]} {match[value]}"):
        return None
    noun: _Pieces = (text[match.start(act)].upper(), (match.start(act) + 1, match.end(act)))
    return *noun, " of ", *inner(text, *match.span(what)), " is done with ", match.span(value)


OF_RUNNING: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (_region, word_set("region zone timezone")),
    (_site, word_set("site location base data datacenter datacentre")),
    (_has_on, (word_set("has have with"), _STATES)),
    (_made_up, word_set("make form constitute compose running up live active run runs operates")),
    (_progress, (word_set("done complete completed finished with through"), frozenset((A_NUMBER,)))),
    (_secret, (word_set("password passphrase secret token credentials key"), word_set("in"))),
    (_sorted, word_set("sorts sort")),
    (_channel, word_set("channel")),
    (_issued, (word_set("certificate cert"), word_set("from by"))),
    (_end, (word_set("end"), word_set("date"))),
    (_lets_in, word_set("authenticate")),
    (_for_act, (word_set("uses takes"), word_set("for as For"), word_set("a an"))),
    (_answered, word_set("GET POST PUT PATCH DELETE HEAD")),
)
"""Readers of the plain sentence that one of this kind stands for, each with the signs that it needs."""
