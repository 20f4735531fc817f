"""What documentation says of services in the present: statuses, methods, versions, units, modes.

"Updating a berth uses PATCH", "Successful deletes on the API come back with 204", "staging is on Postgres 16", "The job
uses a batch size of 250". The key is all that the sentence says besides its value; what one may have several of (what
is supported, imported, accepted) is left alone.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Rules
from memstrata_integrations.extraction.sentences.lexicon import (
    CONFIG_NOUNS,
    CONJUNCTIONS,
    DEICTIC,
    MEASURES,
    PREPOSITIONS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.relations import known
from memstrata_integrations.units import unit_of
from memstrata_integrations.words import word_set

__all__ = ["read_stating"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"


_THUS, _IS, _VERSION, _LISTENS = (known(n) for n in ("is done thus", "is", "has version", "listens on"))
_METHODS = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD)"
_METHOD = r"(?P<value>GET|POST|PUT|PATCH|DELETE|HEAD)"
_BY_METHOD = re.compile(
    rf" (?P<how>uses|is|is done with|is done via|goes through) (?:the |an? )?{_METHOD}(?P<kind> (?:method|verb"
    rf"|request|requests))?\Z"
)
_SENDING = re.compile(
    r" (?:is|are) (?P<done>[a-z]+) (?:by sending|with|via|through|using|by|at) (?:an? )?"
    rf"(?P<value>{_METHODS} (?:requests? )?(?:to|on|at|against) [`\"']?[^\s`\"']+)[`\"']?\Z"
)
_STATUS = re.compile(
    r" (?:comes? back with|ends? with|gets?|produces?|yields?|answers? with|responds? with|replies with"
    r"|(?:is|are) (?:answered|rejected|refused|denied|acknowledged|confirmed|met) (?:with|by)) (?:an? |HTTP "
    r"|status |code )*"
    r"(?P<value>[1-5]\d\d)(?P<rest>(?: (?:when|once|after|for|on|in|until|before|while) [^,;:]{3,80})?)\Z"
)
_ACTS_ON = word_set(
    "deletes requests responses replies calls posts uploads inserts updates reads writes lookups creations "
    "deletions queries"
)
_ON_RELEASE = re.compile(
    r" (?:is|are|runs|stays) (?:still )?on (?P<name>[A-Z][\w.+-]*(?: [A-Z][\w.+-]*)?) (?P<value>v?\d[\w.]*)(?=\Z| )"
)
_DEPENDS = re.compile(
    r" (?:depends on|relies on|uses|requires|needs|bundles|vendors|ships with|embeds|pulls in|installs|pins"
    r"|checks out with"
    r"|builds with|caches with) (?:version )?[`'\"]?(?P<name>[\w@/.-]*[A-Za-z][\w/.-]*)(?:[`'\"]?,? (?:version "
    r"|at )?|@)"
    r"(?P<value>[~^<>=]*v?\d+(?:\.\d+)+[\w.*+-]*|(?<=@)v?\d[\w.]*)[`'\"]?(?=\Z| )"
)
_USED_IN = re.compile(
    r"[`'\"]?(?P<name>@?[\w.-]*[A-Za-z][\w./-]*)@(?P<value>v?\d[\w.-]*)[`'\"]? "
    r"is (?:used|installed|pinned|locked|required|referenced|called) "
    r"(?P<tail>(?:in|by|for) (?:the |our )?[\w./`-]+(?: [\w./`-]+){0,3})\Z"
)
_SCHEDULED = re.compile(
    r" (?:is|are) (?:scheduled|timed|set|due|programmed) (?:at|for|to run at|to start at) (?=(?:every day "
    r"|daily )?(?:at )?\d{1,2}[:.]\d\d|\d{1,2} ?[ap]m|midnight|noon)"
)
_OF_MEASURE = re.compile(
    r" (?:uses|has|runs with|works with|starts with|keeps) an? (?P<what>(?:[a-z-]+ ){0,3}[a-z]+) of (?=[\d$€£])"
)
_IN_UNIT = re.compile(
    r" (?:is|are) (?:given|expressed|measured|stored|returned|reported|specified|counted|stated|kept|quoted|billed) in "
    r"(?P<value>[a-z]+)\Z"
)
_MONEY = word_set("cents euros dollars pounds francs pence øre kroner yen points")
_OFTEN = re.compile(
    r" (?:is|are) (?P<done>rotated|refreshed|synced|updated|purged|reindexed|rebuilt|renewed|pruned"
    r"|recalculated|polled|cleaned"
    r"|flushed|compacted|vacuumed|reloaded) (?P<value>hourly|daily|weekly|monthly|yearly|nightly|quarterly)\Z"
)
_UP_TO_TIMES = re.compile(
    r" (?:is|are) (?P<done>retried|attempted|repeated|tried|resent|replayed|redelivered) (?:up to|at most) "
    r"(?P<value>\d+|two|three|four|five|six|ten) times\Z"
)
_IN_MODE = re.compile(r" (?:runs|operates|works|is|starts|boots) in (?P<value>[a-z][\w-]*) mode(?=\Z| )")
_LONG = re.compile(
    r" (?:may be|can be|is|must be|be|people be) (?:at most|up to|no more than|no longer than) (?P<value>\d[\d,]*) "
    r"(?P<unit>characters|chars|digits|letters|bytes|words|lines|items|rows|entries)(?: long| in length)?\Z"
)
_BASED = re.compile(r" (?:is|are) (?P<value>[a-z]+(?:-based|-driven))\Z")
_KINDS = word_set(
    "pagination auth authentication authorization authorisation routing versioning scheduling caching access billing "
    "deployment locking sharding sync synchronisation synchronization indexing eviction sampling logging balancing"
)
_SCOPE = re.compile(
    r"(?P<what>[^,;:]{5,80}?) (?:requires|needs) the (?:[`\"'](?P<value>[\w.:/*-]+)[`\"'] )"
    r"(?P<noun>scope|permission|role|privilege|entitlement)\Z"
)
_MEDIA = re.compile(
    r" (?P<verb>answers|responds|replies|comes back|is answered) (?:with|in|as) `?(?P<value>[a-z]+/[\w.+-]+"
    r"|JSON|XML|CSV"
    r"|YAML|Protobuf|HTML|plain text|MessagePack)`?\Z"
)
_IMAGE = re.compile(r" (?:is|are) (?P<value>[a-z][a-z-]+ \d+(?:\.\d+)*)\Z")
_IMAGES = word_set(
    "image runtime engine interpreter distribution distro os backend database broker store toolchain compiler jdk base"
)
_DEFAULT_TAIL = re.compile(r"(?:, default(?:s to| is|:|=)?|\. Defaults to|; defaults? to|, default value) (?=\S)")
_PARAM = re.compile(r"(?::param (?:[a-z]+ )?)?`?(?P<name>[a-z_]\w*)`?(?: \([^)]*\))?: [A-Za-z]")


_RUNNING = word_set(
    "staging production prod dev qa ci cluster service server environment api app gateway database host site "
    "portal worker "
    "repo repository project branch build image pipeline backend frontend monolith fleet instance node container stack "
    "deployment sandbox preview"
)


def _subject(core: str, hidden: str, end: int) -> str | None:
    """Return what stands before a verb, if it names one thing."""
    subject = core[:end].strip()
    return subject if subject_is_sound(hidden[:end], subject) else None


def _quiet(words: str) -> bool:
    return all(
        bare in ("its", "their") or not (bare in UNASSERTED or bare in DEICTIC or bare in CONJUNCTIONS)
        for bare in (w.strip(_TRIM).lower() for w in words.split())
    )


def _by_method(core: str, hidden: str) -> Claim | None:
    """Read "Updating a berth uses PATCH" and "A quote is fetched by sending GET to `/quotes`"."""
    match = _BY_METHOD.search(hidden)
    if match is not None:
        subject = core[: match.start()].strip()
        words = subject.lower().split()
        gerund = words[0].endswith("ing") and len(words) > 1
        if match["how"] == "is" and not any(w in ("method", "verb") for w in words):
            return None
        if not (gerund or subject_is_sound(hidden[: match.start()], subject)) or not _quiet(subject):
            return None
        if not gerund and match["how"] != "is":
            return None  # "the client uses GET": for one of its calls
        said = subject if match["how"] == "is" else f"HTTP method for {subject}"
        return Claim(said, _IS, *match.span("value"), "states: method", "text")
    match = _SENDING.search(core)
    if match is None:
        return None
    subject = re.sub(r"\AAn? ", "The ", core[: match.start()])
    if not subject_is_sound(masked(subject), subject):
        return None
    return Claim(f"{match['done']} {subject} by request", _THUS, *match.span("value"), "states: request", "text")


def _status(core: str, hidden: str) -> Claim | None:
    """Read "Successful deletes on the berth API come back with 204"."""
    match = _STATUS.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None:
        return None
    words = [w.lower() for w in subject.split()]
    acts = any(w in _ACTS_ON for w in words)
    if len(words) < 3 or not (acts or match["rest"]) or not _quiet(match["rest"].strip()[5:]):
        return None
    return Claim(
        f"{subject} {match['rest']}".strip(), known("is answered with"), *match.span("value"), "states: status", "code"
    )


def _release(core: str, hidden: str) -> Claim | None:
    """Read "staging is on Postgres 16", "The app depends on pydantic 2.7": of what is named, the version."""
    if "@" in core and (used := _USED_IN.match(core)) is not None:
        said = f"{used['name']} {used['tail']}"
        return Claim(said, known("is pinned to"), *used.span("value"), "states: used", "version")
    placed = _ON_RELEASE.search(hidden)
    match = placed or _DEPENDS.search(core)
    subject = _subject(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or is_plural(subject.split()[-1].lower()):
        return None
    if placed and head_phrase(subject.lower().split())[0] not in _RUNNING:
        return None  # "The talk is on Python 3.11"
    exact = match["value"].count(".") > 1 or "@" in match[0]
    if not placed and not exact and not match[0].startswith((" depends", " relies")):
        return None  # "The app uses Redis 6.2": and 7.0 elsewhere
    return Claim(
        f"{match['name']} of {subject} {tail}".strip(), _VERSION, *match.span("value"), "states: release", "version"
    )


def _scheduled(core: str, hidden: str) -> Claim | None:
    """Read "The nightly export is scheduled at 02:15"."""
    match = _SCHEDULED.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or is_plural(head_phrase(subject.split())[0].lower()):
        return None
    start = re.compile(r"(?:every day |daily )?(?:at )?").match(core, match.end())
    found = find_typed(core, start.end() if start else match.end(), len(core))
    tail = qualifiers(core[found[2] :]) if found else None
    if found is None or tail is None or not subject.lower().startswith(("the ", "our ", "my ")):
        return None
    return Claim(f"scheduled-at {subject} {tail}".strip(), _THUS, found[0], found[1], "states: scheduled")


def _of_measure(core: str, hidden: str) -> Claim | None:
    """Read "The import job uses a batch size of 250"."""
    match = _OF_MEASURE.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or found[3] != "number":
        return None
    words = match["what"].split()
    if is_opinion(words) or not (words[-1] in MEASURES or words[-1] in CONFIG_NOUNS):
        return None  # "has a team of 5"
    return Claim(f"{match['what']} of {subject} {tail}".strip(), _IS, found[0], found[1], "states: measure")


def _unit(core: str, hidden: str) -> Claim | None:
    """Read "Amounts in the API are expressed in cents"."""
    match = _IN_UNIT.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or len(subject.split()) < 2:
        return None
    if unit_of(match["value"]) is None and match["value"] not in _MONEY:
        return None
    return Claim(f"unit of {subject}", _THUS, *match.span("value"), "states: unit", "text")


def _how_often(core: str, hidden: str) -> Claim | None:
    """Read "Printer logs are rotated weekly" and "Print jobs are retried up to 7 times"."""
    match = _OFTEN.search(hidden) or _UP_TO_TIMES.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or len(subject.split()) < 2:
        return None
    return Claim(f"{match['done']} {subject}", _THUS, *match.span("value"), "states: how often", "text")


def _mode(core: str, hidden: str) -> Claim | None:
    """Read "PgBouncer runs in transaction mode"."""
    match = _IN_MODE.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or is_plural(subject.split()[-1].lower()):
        return None
    return Claim(f"mode of {subject} {tail}".strip(), _IS, *match.span("value"), "states: mode", "mode")


def _long(core: str, hidden: str) -> Claim | None:
    """Read "A reference may be at most 35 characters long"."""
    match = _LONG.search(hidden)
    if match is None:
        return None
    subject = core[: match.start()].strip()
    said = f"The{subject[1:]}" if subject.startswith("A ") else subject
    if not subject_is_sound(masked(said), said):
        return None
    return Claim(f"limit of {match['unit']} of {said}", _IS, *match.span("value"), "states: longest", "number")


def _scope(core: str, hidden: str) -> Claim | None:
    """Read "Uploading a label needs the `labels:write` scope"."""
    match = _SCOPE.match(core)
    if match is None or not _quiet(match["what"]) or is_plural(match["what"].split()[-1].lower()):
        return None
    if match["what"].split()[0].lower() in PREPOSITIONS or is_opinion(match["what"].split()):
        return None
    return Claim(f"{match['noun']} for {match['what']}", _THUS, *match.span("value"), "states: scope", "text")


def _media(core: str, hidden: str) -> Claim | None:
    """Read "The export endpoint answers with text/csv"."""
    match = _MEDIA.search(core)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or len(subject.split()) < 2:
        return None
    return Claim(f"content type answered by {subject}", _THUS, *match.span("value"), "states: media type", "text")


def _image(core: str, hidden: str) -> Claim | None:
    """Read "The base image of the gateway is alpine 3.20"."""
    match = _IMAGE.search(hidden) if core[-1:].isdigit() else None
    subject = _subject(core, hidden, match.start()) if match else None
    if (
        match is None
        or subject is None
        or head_phrase(subject.split())[0].lower() not in _IMAGES
        or len(subject.split()) < 2
    ):
        return None
    return Claim(subject, _IS, *match.span("value"), "states: image", "setting")


def _based(core: str, hidden: str) -> Claim | None:
    """Read "Pagination in the parcels API is cursor-based"."""
    match = _BASED.search(hidden) if core.endswith(("-based", "-driven")) else None
    subject = _subject(core, hidden, match.start()) if match else None
    if (
        match is None
        or subject is None
        or head_phrase(subject.split())[0].lower() not in _KINDS
        or len(subject.split()) < 2
    ):
        return None
    return Claim(subject, _IS, *match.span("value"), "states: kind", "kind")


def _parameter(core: str, hidden: str) -> Claim | None:
    """Read ":param timeout: seconds to wait, default 10" and "timeout: Seconds to wait. Defaults to 10"."""
    name = _PARAM.match(core)
    match = _DEFAULT_TAIL.search(hidden) if name else None
    if name is None or match is None:
        return None
    found = find_typed(core, match.end(), len(core))
    if found is None or core[found[2] :].strip(" .") or found[3] == "name":
        return None
    said = core[name.end() - 1 : match.start()]
    return Claim(f"{name['name']} {said}", known("defaults to"), found[0], found[1], "states: parameter", "setting")


read_stating = Rules(
    (
        (_by_method, word_set("GET POST PUT PATCH DELETE HEAD")),
        (_status, word_set("with back gets get produces produce yields yield by")),
        (_release, word_set("on uses requires needs bundles vendors with embeds in installs pins")),
        (_scheduled, word_set("scheduled timed set due programmed")),
        (_of_measure, (word_set("of"), frozenset((A_NUMBER,)))),
        (
            _unit,
            (
                word_set("in"),
                word_set(
                    "given expressed measured stored returned reported specified counted stated kept quoted billed"
                ),
            ),
        ),
        (_how_often, word_set("hourly daily weekly monthly yearly nightly quarterly times")),
        (_mode, word_set("mode")),
        (_long, (word_set("most to than"), frozenset((A_NUMBER,)))),
        (_based, None),
        (_parameter, word_set("default defaults Defaults")),
        (_scope, word_set("scope permission role privilege entitlement")),
        (
            _media,
            (word_set("with in as"), word_set("answers responds replies back answered")),
        ),
        (_image, frozenset((A_NUMBER,))),
    ),
    220,
)
"""Reads a plain statement about a service."""
