"""How a service is called and how it answers, in other words: methods, headers, status codes, formats, authentication.

"Duplicate orders get a 409 status from POST /orders", "Projects are archived with a PATCH request" and "X-Tenant is the
header that carries the tenant ID" are put as "POST /orders returns status 409 for ...", "The HTTP method for archiving
..." and "The tenant ID header ...", and then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.charges import inner, opening
from memstrata_integrations.extraction.sentences.comparing import sort_of
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Dispatch, Needles, signs_of
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import DEMONYMS, PERSON_ROLES
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.verbs import BASES, gerund_of, is_participle, verb_of, verb_of_gerund
from memstrata_integrations.words import singular, word_set

__all__ = ["OF_INTERFACES", "of_interface"]

_Pieces = tuple[str | tuple[int, ...], ...]
_A_NUMBER = frozenset((A_NUMBER,))
_CALL = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
_SERVICE = rf"(?:{_CALL} [/`¤]|/|`|¤|[Tt]he |[Oo]ur |[A-Z])[^,;:]*?"
_WHO = rf"(?P<who>{_SERVICE})"
_BY = rf"(?P<by>{_SERVICE})"
_ROUTED = re.compile(rf"(?:{_CALL} )?(?:/|`/)|{_CALL} [`¤]")
_ROUTES = word_set(
    "endpoint route api service server gateway handler proxy webhook url path resource call request backend sdk app"
)


def _is_route(text: str, span: tuple[int, int]) -> bool:
    """Whether words name what is called over a network: "POST /orders", "the partner API"."""
    said = text[slice(*span)]
    if _ROUTED.match(said):
        return True
    return singular(head_phrase(said.lower().split())[0].strip("`")) in _ROUTES


# --- which status it answers with ---

_CODE = r"(?P<code>[1-5]\d\d)"
_SORT = r"(?:status code|error code|response code|status|response|error|code|reply)"
_HTTP = r"(?:HTTP )?"
_RETURNS = r"(?:returns|sends|gives|responds with|answers with|replies with|answers|replies|emits|produces|yields)"
_WHAT = r"(?P<what>(?:(?:an?|the|every|each|any) )?[A-Za-z`¤][^,;:]*?)"
_STATUS_FORMS = (
    # "Duplicate orders get a 409 status from POST /orders", "An unknown SKU makes /stock return 404"
    re.compile(
        rf"{_WHAT} (?:gets?|receives?) (?:back )?(?:an? )?{_HTTP}(?:{_SORT} )?{_CODE}(?: {_SORT})?(?: back)? "
        rf"from {_WHO}\Z"
    ),
    re.compile(
        rf"{_WHAT} (?:makes?|causes?) {_WHO} (?:to )?(?:return|send|give|respond with|answer with|reply with) "
        rf"(?:an? )?{_HTTP}(?:{_SORT} )?{_CODE}(?: {_SORT})?\Z"
    ),
    # "409 is the status code that POST /orders returns for a duplicate order"
    re.compile(
        rf"{_CODE} is the {_HTTP}(?:{_SORT}) (?:(?:that |which )?{_WHO} {_RETURNS} (?:for|on|to) {_WHAT}"
        rf"|{_BY.replace('by', 'by2')} {_RETURNS} with (?:for|on|to) {_WHAT.replace('what', 'what2')})\Z"
    ),
    re.compile(rf"The {_HTTP}{_SORT} (?:that |which )?{_WHO} {_RETURNS} (?:for|on|to) {_WHAT} is (?:now )?{_CODE}\Z"),
    re.compile(rf"The {_HTTP}{_SORT} (?:for|on) {_WHAT} (?:from|on|of|in|at|by) {_WHO} is (?:now )?{_CODE}\Z"),
    re.compile(rf"The {_HTTP}{_SORT} (?:of|from) {_WHO} (?:for|on) {_WHAT} is (?:now )?{_CODE}\Z"),
    re.compile(rf"{_WHO}['’]s? {_HTTP}{_SORT} (?:for|on) {_WHAT} is (?:now )?{_CODE}\Z"),
    re.compile(rf"For {_WHAT}, {_WHO} {_RETURNS} (?:an? )?{_HTTP}(?:{_SORT} )?{_CODE}(?: {_SORT})?\Z"),
    re.compile(
        rf"{_WHO} (?:returns|sends|gives|responds with|answers with|replies with) (?:an? |the )?"
        rf"{_HTTP}(?:{_SORT} )?{_CODE} (?:{_SORT} )?(?:for|on|to) {_WHAT}\Z"
    ),
    re.compile(
        rf"{_WHO} (?:responds to|answers|replies to) {_WHAT} with (?:an? )?{_HTTP}(?:{_SORT} )?{_CODE}(?: {_SORT})?\Z"
    ),
)
_WHO_ASKS = (
    PERSON_ROLES
    | _ROUTES
    | word_set(
        "user client caller browser customer worker job page people person everyone test bot script crawler visitor"
    )
)
_NO_CASES = word_set("all any every each most some both everything anything it this that")


def _status(text: str, hidden: str) -> _Pieces | None:
    """Read "Duplicate orders get a 409 status from POST /orders" as what it returns for them."""
    for form in _STATUS_FORMS:
        match = form.match(hidden)
        if match is None:
            continue
        what, who = match.span("what"), match.span("who")
        said = match["what"].lower().split()
        if not _is_route(text, who) or not quiet(match["what"]) or not quiet(match["who"]) or said[0] in _NO_CASES:
            return None
        if form in _STATUS_FORMS[:2] and (said[0] == "the" or singular(said[-1]) in _WHO_ASKS):
            return None  # "The shop gets a 502 from the payment API": what happens to it, and no case
        return *opening(text, *who), " returns status ", match.span("code"), " for ", *_small(text, *what)
    return None


def _small(text: str, start: int, end: int) -> _Pieces:
    """Return a piece as it stands inside of a sentence, its first word small unless it is a name in capitals."""
    first = text[start:end].partition(" ")[0]
    if (first[:1].isupper() and first[1:].islower()) or first in ("A", "I"):
        return text[start].lower(), (start + 1, end)
    return ((start, end),)


# --- with which method ---

_METHOD = rf"(?P<method>{_CALL})"
_REQUEST = r"(?: (?:request|call|method|verb))?"
_THING = r"(?P<what>(?:an? |the |all |existing |your |our )?[a-z][\w-]*(?: [\w-]+){0,4}?)"
_PLACE = r"(?: (?:in|on|of|at|through|via|with) (?P<where>(?:the |our |[A-Z`/])[^,;:]*?))?"
_BY_METHOD = r"(?:with|using|via|by|through|by sending|by using|by means of)"
_ACTED = re.compile(
    rf"(?:In (?P<front>(?:the |our |[A-Z])[^,;:]*?), )?(?P<what>(?:An? |The |an? |the )?[A-Za-z][\w-]*(?:"
    rf" [\w-]+){{0,3}}?)"
    rf"{_PLACE} (?:is|are) (?P<done>[a-z]+) {_BY_METHOD} (?:an? )?{_METHOD}{_REQUEST}"
    rf"{_PLACE.replace('where', 'behind')}\Z"
)
_YOU_ACT = re.compile(
    rf"(?:(?:In|On) (?P<front>(?:the |our |[A-Z])[^,;:]*?), )?(?:[Yy]ou|[Cc]lients|[Cc]allers|[Ww]e) (?P<verb>[a-z]+) "
    rf"{_THING}{_PLACE} {_BY_METHOD} (?:an? )?{_METHOD}{_REQUEST}{_PLACE.replace('where', 'behind')}\Z"
)
_USES = re.compile(
    rf"(?P<where>(?:The |Our |[A-Z`/])[^,;:]*?) uses (?:an? )?{_METHOD}{_REQUEST} "
    rf"(?:to (?P<verb>[a-z]+)|for (?P<doing>[a-z]+ing)) {_THING}\Z"
)
_NOUN = r"(?:HTTP |request )?(?:method|verb)"
_DOING = r"(?:(?:for|to) )?"
_METHOD_IS = re.compile(
    rf"(?:(?P<owner>(?:The |Our |[A-Z`/])[^,;:]*?)['’]s|The) {_NOUN} (?:(?:used )?for (?P<doing>[a-z]+ing)"
    rf" {_THING}{_PLACE}"
    rf"|(?:used )?to (?P<verb>[a-z]+) {_THING.replace('what', 'what2')}{_PLACE.replace('where', 'where2')}"
    rf"|for (?P<kind>[a-z]+) (?P<act>[a-z]+ing){_PLACE.replace('where', 'where3')}) is (?:now )?(?:an? )?{_METHOD}\Z"
)
_IS_METHOD = re.compile(
    rf"{_METHOD} is (?:(?P<owner>(?:the |our |[A-Z`/])[^,;:]*?)['’]s|the) {_NOUN} (?:(?:used )?for"
    rf" (?P<doing>[a-z]+ing) "
    rf"{_THING}{_PLACE}|(?:used )?to (?P<verb>[a-z]+)"
    rf" {_THING.replace('what', 'what2')}{_PLACE.replace('where', 'where2')}"
    rf"|for (?P<kind>[a-z]+) (?P<act>[a-z]+ing){_PLACE.replace('where', 'where3')})\Z"
)
_ACT_IS = re.compile(
    rf"(?P<doing>[A-Z][a-z]+ing) {_THING}{_PLACE} (?:is|uses|takes|needs) (?:an? )?{_METHOD}{_REQUEST}\Z"
)


def _method(text: str, hidden: str) -> _Pieces | None:
    """Read "Projects are archived with a PATCH request in the API" as the HTTP method for archiving projects."""
    forms = (_ACTED, _YOU_ACT, _USES, _METHOD_IS, _IS_METHOD, _ACT_IS)
    match = next((m for form in forms if (m := form.match(text)) is not None), None)
    if match is None:
        return None
    groups = {name: span for name in match.groupdict() if (span := match.span(name)) != (-1, -1)}
    verb = match[0][slice(*groups["verb"])] if "verb" in groups else None
    if "done" in groups:
        done = text[slice(*groups["done"])]
        verb = verb_of(done) if is_participle(done) else None
    elif "doing" in groups or "act" in groups:
        verb = verb_of_gerund(text[slice(*groups["doing" if "doing" in groups else "act"])].lower())
    what = groups.get("what") or groups.get("what2") or groups.get("kind")
    places = [groups[g] for g in ("front", "where", "where2", "where3", "owner", "behind") if g in groups]
    if verb not in BASES or what is None or len(places) > 1 or not quiet(text[slice(*what)]):
        return None
    if any(not quiet(text[slice(*place)]) for place in places) or verb in _NO_ACTS:
        return None
    where: _Pieces = (" in ", *inner(text, *places[0])) if places else ()
    return f"The HTTP method for {gerund_of(verb)} ", *_small(text, *what), *where, " is ", groups["method"]


_NO_ACTS = word_set("use have need want do make work start call send")


# --- in which header it comes ---

_CARRIER = r"(?P<noun>(?:HTTP )?header|cookie|query parameter|query-string parameter|query string parameter)"
_NAMED = r"(?P<value>[`\w][\w`-]*)"
_NAMED_2 = _NAMED.replace("value", "value2")
_IN_IT = (
    rf"(?:(?:the |an? )?{_NAMED} {_CARRIER}|(?:the |an? )?{_CARRIER.replace('noun', 'noun2')} (?:called |named )?"
    rf"{_NAMED_2})"
)
_DATUM = r"(?P<what>(?:the |an? |its |their )?[\w-]+(?: [\w-]+){0,3}?)"
_READS = re.compile(
    rf"{_WHO} (?:reads|takes|gets|expects|accepts|extracts|picks up|looks for|receives) {_DATUM} (?:from|in|via|as) "
    rf"{_IN_IT}\Z"
)
_IS_SENT = re.compile(
    rf"(?:(?:In|On) (?P<front>(?:the |our |[A-Z])[^,;:]*?), )?(?P<what>(?:[Tt]he |[Aa]n? )?[\w-]+(?: [\w-]+){{0,3}}?) "
    rf"(?P<to>(?:of|for|to|in) [^,;:]+? )?(?:is|are) (?:sent|passed|read|carried|expected|transmitted|given|provided"
    rf"|supplied|taken|set|put) (?:in|via|from|with|as|through) {_IN_IT}"
    rf"(?: (?:in|on|by|to) (?P<where>(?:the |our |[A-Z`/])[^,;:]*))?\Z"
)
_CARRIES = re.compile(
    rf"{_NAMED} is the {_CARRIER} (?:(?:that |which )(?:carries|holds|contains|has) {_DATUM}"
    rf"(?: (?:in|on|for|of|to) (?P<where>(?:the |our |[A-Z`/])[^,;:]*))?"
    rf"|(?:that |which )?{_WHO} (?:uses for|reads|takes|gets|expects) {_DATUM.replace('what', 'what2')}(?: from|"
    rf" in)?)\Z"
)
_CARRIER_IS = re.compile(
    rf"The {_CARRIER} (?:(?:that |which )(?:carries|holds|contains) {_DATUM}"
    rf"(?: (?:in|on|for|of|to) (?P<where>(?:the |our |[A-Z`/])[^,;:]*?))?"
    rf"|(?:that |which )?{_WHO} uses for {_DATUM.replace('what', 'what2')}"
    rf"|(?:that |which )?{_BY} (?:reads|takes|gets|expects) {_DATUM.replace('what', 'what3')} (?:from|in)"
    rf"|for {_DATUM.replace('what', 'what4')} (?:in|on|of) (?P<of>(?:the |our |[A-Z`/])[^,;:]*?)) "
    rf"is (?:now )?(?:called |named )?{_NAMED}\Z"
)
_KINDS = word_set(
    "the a an same new old right first last request response custom http https host standard default following api "
    "usual other extra optional required auth query url get post put patch delete as in by called named is"
)


def _carried(text: str, hidden: str) -> _Pieces | None:
    """Read "The roster API reads the tenant ID from the X-Tenant header" as its tenant ID header."""
    match = next((m for form in (_READS, _IS_SENT, _CARRIES, _CARRIER_IS) if (m := form.match(text)) is not None), None)
    if match is None:
        return None
    groups = {name: span for name in match.groupdict() if (span := match.span(name)) != (-1, -1)}
    value = groups.get("value") or groups["value2"]
    noun = text[slice(*(groups.get("noun") or groups["noun2"]))].removeprefix("HTTP ").replace("-", " ")
    noun = "query parameter" if noun.startswith("query") else noun
    what = next(groups[g] for g in ("what", "what2", "what3", "what4") if g in groups)
    places = [groups[g] for g in ("who", "by", "of", "front", "where") if g in groups]
    name = text[slice(*value)]
    plain = name.islower() and name.isalpha() and "value2" not in groups and match.re in (_READS, _IS_SENT)
    if name.lower() in _KINDS or plain or len(places) > 1 or "to" in groups:
        return None
    datum = text[slice(*what)].split()
    if datum[0].lower() in ("the", "a", "an", "its", "their"):
        what, datum = (what[0] + len(datum[0]) + 1, what[1]), datum[1:]
    if not datum or not quiet(" ".join(datum)) or any(not quiet(text[slice(*place)]) for place in places):
        return None
    where: _Pieces = (" of ", *inner(text, *places[0])) if places else ()
    return "The ", *_small(text, *what), f" {noun}", *where, " is called ", value


# --- in which format it answers ---

_ANSWERS = r"(?:responds|replies|answers)"
_RESPONSES = r"(?:[Rr]esponses?|[Rr]eplies|[Aa]nswers?)"
_IN = r"(?:in|as)"
_FORMAT = r"(?P<value>[A-Z][\w.+-]*(?: [A-Z][\w.+-]*)?|[a-z]+)(?: format)?"
_FORMAT_FORMS = (
    re.compile(rf"{_WHO} {_ANSWERS} (?:to [a-z ]+ )?in {_FORMAT}\Z"),
    re.compile(rf"{_WHO} (?:returns|sends|delivers|gives) (?:its |all |the )?{_RESPONSES} {_IN} {_FORMAT}\Z"),
    re.compile(rf"{_WHO} (?:returns|sends) {_FORMAT.removesuffix('(?: format)?')} {_RESPONSES}\Z"),
    re.compile(rf"{_FORMAT} is the format (?:in which {_WHO} {_ANSWERS}|(?:that )?{_BY} {_ANSWERS} in)\Z"),
    re.compile(rf"The format (?:in which {_WHO} {_ANSWERS}|(?:that )?{_BY} {_ANSWERS} in) is (?:now )?{_FORMAT}\Z"),
    re.compile(
        rf"{_RESPONSES} (?:from|of) {_WHO} (?:are|is|come|come back) "
        rf"(?:formatted |returned |sent |encoded |serialised |serialized |delivered )?{_IN} {_FORMAT}\Z"
    ),
    re.compile(rf"The format of (?:the )?{_RESPONSES} (?:from|of) {_WHO} is (?:now )?{_FORMAT}\Z"),
    re.compile(rf"{_WHO}['’]s {_RESPONSES} (?:are|is|come|come back) (?:formatted |encoded )?{_IN} {_FORMAT}\Z"),
)


def _format(text: str, hidden: str) -> _Pieces | None:
    """Read "/exports responds in CSV" and "Responses from /exports are formatted as CSV" as its response format."""
    for form in _FORMAT_FORMS:
        match = form.match(text)
        if match is None:
            continue
        who = match.span("who") if match["who"] else match.span("by")
        if not _is_route(text, who) or not quiet(text[slice(*who)]) or not _is_format(match["value"]):
            return None
        return "The response format of ", *inner(text, *who), " is ", match.span("value")
    return None


def _is_format(value: str) -> bool:
    """Whether a value is a format: by its name, or an acronym that is no language that people speak."""
    first = value.split()[0]
    known = any(sort_of(one.lower(), "is located at", "in") == "format" for one in (value, first))
    return known or (first.isupper() and len(first) > 2 and first.lower() not in DEMONYMS and first != "UTC")


# --- how clients prove who they are ---

_CALLERS = r"(?:API )?(?:clients?|callers?|requests?|consumers?)"
_MEANS = r"(?P<value>[A-Za-z\d][\w.+-]*(?: [\w.+-]+){0,3})"
_WITH = r"(?:with|via|using|through|by means of)"
_DOES = r"authenticat|authoris|authoriz"
_AUTH_FORMS = (
    re.compile(rf"{_WHO} (?P<act>{_DOES})es (?:(?:its|all|the|incoming) )?{_CALLERS} {_WITH} {_MEANS}\Z"),
    re.compile(
        rf"(?:{_CALLERS.replace('(?:c', '(?:[Cc]')}) (?:of|to|for) {_WHO} (?:are|is) (?P<act>{_DOES})ed {_WITH}"
        rf" {_MEANS}\Z"
    ),
    re.compile(rf"{_MEANS} is how {_WHO} (?P<act>{_DOES})es (?:(?:its|all|the|incoming) )?{_CALLERS}\Z"),
    re.compile(
        rf"{_WHO} uses {_MEANS} (?:for (?:client )?(?P<act>{_DOES})(?:ion|ation|ing (?:its )?{_CALLERS})"
        rf"|to (?P<act2>{_DOES})e (?:its |all )?{_CALLERS})\Z"
    ),
    re.compile(
        rf"Client (?P<act>{_DOES})(?:at)?ion (?:on|for|in|of|at) {_WHO} (?:is|uses|works)(?: done)?(?: {_WITH})?"
        rf" {_MEANS}\Z"
    ),
    re.compile(
        rf"{_WHO}['’]s client (?P<act>{_DOES})(?:at)?ion(?: method)? (?:is|uses|works)(?: done)?(?: {_WITH})?"
        rf" {_MEANS}\Z"
    ),
    re.compile(
        rf"(?:Clients|Callers) (?:of {_WHO} (?P<act>{_DOES})e(?: themselves)?"
        rf"|(?P<act2>{_DOES})e(?: themselves)? (?:with|to|at|against|on) {_BY}) {_WITH} {_MEANS}\Z"
    ),
)
_VAGUE = word_set("the a an its their our different another some various several no not own each one two")


def _authenticated(text: str, hidden: str) -> _Pieces | None:
    """Read "The partner API authenticates its clients with OAuth 2.0" as its authentication method."""
    for form in _AUTH_FORMS:
        match = form.match(hidden)
        if match is None:
            continue
        groups = match.groupdict()
        who = match.span("who") if groups.get("who") else match.span("by")
        act = (groups.get("act") or groups.get("act2") or "").lower()
        if not _is_route(text, who) or not quiet(text[slice(*who)]) or not quiet(match["value"]):
            return None
        if match["value"].split()[0].lower() in _VAGUE:
            return None
        noun = "authentication" if act == "authenticat" else "authorization"
        return f"The {noun} method of ", *inner(text, *who), " is ", match.span("value")
    return None


OF_INTERFACES: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (
        _status,
        (
            word_set(
                "status code error response reply get gets receive receives make makes cause causes returns sends "
                "gives responds answers replies emits produces yields"
            ),
            _A_NUMBER,
        ),
    ),
    (_method, word_set("GET POST PUT PATCH DELETE HEAD OPTIONS")),
    (_carried, word_set("header cookie parameter")),
    (
        _format,
        word_set("responds replies answers responses Responses response replies Replies Answers format returns sends"),
    ),
    (
        _authenticated,
        word_set(
            "authenticates authorises authorizes authenticated authorised authorized authentication authorisation "
            "authorization authenticate authorise authorize authenticating authorising authorizing"
        ),
    ),
)
"""Readers of the plain sentence of an interface, each with the signs that it needs."""
_WITH_CLAUSE = Dispatch(OF_INTERFACES[:3])


def of_interface(text: str, hidden: str) -> bool:
    """Whether a status, a method or a header is told by a clause: "The header the API uses for the ID is X-Id"."""
    return any(reader(text, hidden) is not None for reader in _WITH_CLAUSE(signs_of(hidden)))
