"""What documentation says of code and services in the present: types, statuses, methods, tools, places, ports.

"`load()` returns a list", "`read()` raises `Lost` on a bad checksum", "Updating a berth uses PATCH", "Passwords are hashed
with bcrypt", "The portal expects Postgres on port 5432". The key is all that the sentence says besides its value. What one
may have several of (what is raised in general, supported, imported) is left alone.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.adjectives import is_adjective
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.clauses import subject_is_sound
from memstrata_integrations.extraction.complements import masked
from memstrata_integrations.extraction.lexicon import CONJUNCTIONS, DEICTIC, PREPOSITIONS, UNASSERTED
from memstrata_integrations.extraction.opinions import is_opinion
from memstrata_integrations.extraction.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.slots import find_typed, qualifiers
from memstrata_integrations.extraction.verbs import MANY_DONE
from memstrata_integrations.relations import Relation, relation_of
from memstrata_integrations.words import singular, word_set

__all__ = ["read_stating"]

_LONGEST = 220
_TRIM = "\"'`()[]{}.,;:!?“”‘’"


def _known(name: str) -> Relation:
    found = relation_of(name)
    if found is None:  # pragma: no cover - the table holds it
        raise AssertionError(f"the relation table lacks {name!r}")
    return found


_THUS, _IS, _VERSION, _LISTENS = (_known(n) for n in ("is done thus", "is", "has version", "listens on"))
_TYPE_WORDS = (
    r"(?:string|str|number|integer|int|float|double|decimal|Decimal|bool|boolean|Boolean|list|tuple|dict|dictionary|set"
    r"|frozenset|array|object|map|mapping|bytes|generator|iterator|iterable|stream|enum|struct|union|date|datetime"
    r"|timestamp|UUID|uuid|None|null|void|promise|Promise|future|coroutine|text|varchar|bigint|smallint|jsonb?|blob"
    r"|dataclass|named tuple|namedtuple|DataFrame|Series|[A-Z]\w*\[[^\s]+\]|list of [a-z]+|array of [a-z]+)"
)
_A_TYPE = rf"(?:an? |of type )?[`'\"]?(?P<value>{_TYPE_WORDS})[`'\"]?(?=\Z| (?:in|on|for|of|by|as) )"
_RETURNS = re.compile(r" (?:returns|yields|resolves to) (?=\S)")
_RETURNS_WHAT = re.compile(r"Returns (?P<what>(?:the|its) [a-z][\w -]*?) (?:as|in) (?=an? )")
_TYPE = re.compile(_A_TYPE)
_FIELD_IS = re.compile(r"(?:[Tt]he |[Oo]ur )?\S.*? (?:is|are) (?:stored as |typed as |declared as )?(?=\S)")
_FIELD_HEADS = word_set(
    "field column attribute property parameter argument key member variable value return payload body element slot"
)
_TYPE_OF = re.compile(r"(?:The )?(?:[a-z]+ )?type of (?P<what>\S.{0,80}?) is (?=\S)")
_RAISES = re.compile(r" (?P<verb>raises|throws|fails with|panics with) (?=\S)")
_CONDITION = re.compile(r" (?:when|if|on|for|once|unless|after) (?P<words>\S+ \S.{2,80})\Z")
_TAKES = re.compile(r" (?:takes|accepts|expects|requires|needs) (?=(?:exactly )?(?:\d+|one|two|three|four|five|six|no) [a-z ]*arguments?\b)")
_ARGUMENTS = re.compile(r"(?:exactly )?(?P<value>\d+|one|two|three|four|five|six) (?P<kind>(?:[a-z-]+ )?arguments?)(?=\Z| )")
_METHOD = r"(?P<value>GET|POST|PUT|PATCH|DELETE|HEAD)"
_BY_METHOD = re.compile(rf" (?P<how>uses|is|is done with|is done via|goes through) (?:the |an? )?{_METHOD}(?P<kind> (?:method|verb|request|requests))?\Z")
_SENDING = re.compile(rf" (?:is|are) (?P<done>[a-z]+) (?:by sending|with|via|through|using|by) (?:an? )?{_METHOD} (?:request )?to (?P<to>\S+)\Z")
_STATUS = re.compile(r" (?:comes? back with|ends? with|is answered by|gets?|produces?|yields?) (?:an? |HTTP |status |code )*(?P<value>[1-5]\d\d)\Z")
_ACTS_ON = word_set("deletes requests responses replies calls posts uploads inserts updates reads writes lookups creations deletions queries")
_ON_RELEASE = re.compile(r" (?:is|are|runs|stays) (?:still )?on (?P<name>[A-Z][\w.+-]*(?: [A-Z][\w.+-]*)?) (?P<value>v?\d[\w.]*)(?=\Z| )")
_DEPENDS = re.compile(
    r" (?:depends|relies) on (?:version )?`?(?P<name>[\w@/.-]*[A-Za-z][\w@/.-]*)`?,? (?:version )?(?P<value>[~^<>=]*v?\d+(?:\.\d+)+[\w.*+-]*)(?=\Z| )"
)
_PORT = re.compile(r" (?:on|at|via|over|through|from) (?:TCP |UDP )?port `?(?P<value>\d{2,5})`?(?=\Z| )")
_REACHABLE = re.compile(r" (?:is|are) (?:reachable|available|exposed|served|published|accessible|up|open)\Z")
_SCHEDULED = re.compile(
    r" (?:is|are) (?:scheduled|timed|set|due|programmed) (?:at|for|to run at|to start at) (?=(?:every day |daily )?(?:at )?\d{1,2}[:.]\d\d|\d{1,2} ?[ap]m|midnight|noon)"
)
_OVER = re.compile(r" (?P<verb>talks?|speaks?|communicates?|connects?|syncs?|replicates?|calls?|reaches|fetches|streams?)(?= )")
_PROTOCOL = re.compile(r" (?:over|via) (?P<value>[A-Za-z][\w./+-]*(?: [\d.]+)?)(?=\Z)")
_OF_MEASURE = re.compile(r" (?:uses|has|runs with|works with|starts with|keeps) an? (?P<what>(?:[a-z-]+ ){0,3}[a-z]+) of (?=[\d$€£])")
_SOURCES = re.compile(
    r" (?P<verb>reads|writes|sends|publishes|posts|fetches|loads|pulls|pushes|stores|saves|logs|emits|mounts|exposes|gets"
    r"|takes|expects|consumes|streams|exports|puts|ships|caches|keeps) (?P<what>(?:[\w'’-]+ ){1,5}?)(?P<prep>from|to|on|in"
    r"|under|at|into) (?P<kind>the (?=[`\"'])|the [a-z]+ (?=[`\"']))?(?=[`\"'/\w])"
)
_BATCH = re.compile(r" (?P<verb>reads|writes|processes|fetches|loads|sends|keeps|handles|holds|inserts|polls|imports|pulls|retries|runs) (?=\d[\d,]* [a-z]+s? (?:per|at a|an?|each) )")
_PER = re.compile(r"(?P<value>\d[\d,]*) (?P<rest>[a-z]+s? (?:per|at a|an?|each) [a-z]+)\Z")
_LONG = re.compile(r" (?:may be|can be|is|must be) (?:at most|up to|no more than|no longer than) (?P<value>\d[\d,]*) (?P<unit>[a-z]+)(?: long| in length)?\Z")
_BASED = re.compile(r" (?:is|are) (?P<value>[a-z]+(?:-based|-driven))\Z")
_KINDS = word_set(
    "pagination auth authentication authorization authorisation routing versioning scheduling caching access billing "
    "deployment locking sharding sync synchronisation synchronization indexing eviction sampling logging balancing"
)
_DEFAULT_TAIL = re.compile(r"(?:, default(?:s to| is|:|=)?|\. Defaults to|; defaults? to|, default value) (?=\S)")
_PARAM = re.compile(r"(?::param (?:[a-z]+ )?)?`?(?P<name>[a-z_]\w*)`?(?: \([^)]*\))?: [A-Za-z]")
_DONE_WITH = re.compile(
    r" (?:is|are|gets|get) (?P<done>[a-z-]+) (?P<prep>with|by|via|using|through|in|to|as|from|on|under|at|over|out with) "
    r"(?P<kind>the )?(?P<noun>(?:[a-z]+ )?(?=[`\"']))?(?=\S)"
)
# What is done to many things at once is done in one way, by one tool or in one place
_DONE_THUS = frozenset(
    f"{done} {preposition}"
    for prepositions, verbs in (
        (
            "with by via using through",
            "locked pinned resolved produced generated built compiled linted formatted bundled packaged deployed "
            "provisioned released tested validated verified checked parsed rendered hashed encrypted signed compressed "
            "authenticated translated transcoded migrated seeded scheduled dispatched managed orchestrated monitored "
            "delivered served processed indexed queued cached resized converted transformed versioned installed created "
            "run handled triggered computed calculated sorted done started launched stopped written serialised "
            "serialized",
        ),
        (
            "as in",
            "serialised serialized encoded formatted written rendered exported returned logged represented expressed "
            "encrypted transmitted packaged shipped exchanged",
        ),
        ("in", "kept stored held managed tracked hosted cached defined persisted archived recorded declared versioned"),
        ("to", "pushed published reported shipped uploaded exported forwarded streamed logged routed"),
        ("on under", "published hosted stored kept served emitted run"),
        ("by", "partitioned sharded grouped ordered keyed"),
        ("from", "cut built branched"),
        ("over via", "sent exchanged transmitted"),
    )
    for done in verbs.split()
    for preposition in prepositions.split()
)
# Of these many are handled as one, so that one tool or place does for all of them
_HANDLED = word_set(
    "dependency lockfile image package build log event message secret error trace metric token password migration "
    "session job release artifact artefact flag cache backup doc doc page report query request response upload record "
    "certificate key credential container pod test asset stylesheet bundle schema email notification alert invoice "
    "webhook signal task timestamp payload id iban barcode row chart config configuration setting translation snapshot "
    "deployment branch tag wheel binary document thumbnail export import dump permission role crash exception span "
    "label template form file input identifier cookie address postcode crate module script attachment photo avatar "
    "type trip table partition index reading measurement statistic data state history search route"
)
_TOOL_WORD = re.compile(r"(?P<value>[a-z][\w.+-]*\d?)(?=\Z| (?:in|on|for) )")
_UNITS_OF_TIME = word_set("hour day week month quarter year")


def read_stating(core: str) -> Claim | None:
    """Read a plain statement about code; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    for reader in _READERS:
        claim = reader(core, hidden)
        if claim is not None:
            return claim
    return None


def _subject(core: str, hidden: str, end: int) -> str | None:
    """Return what stands before a verb, if it names one thing."""
    subject = core[:end].strip()
    return subject if subject_is_sound(hidden[:end], subject) else None


def _coded(subject: str) -> bool:
    """Whether a subject is something in code: "`load()`", "The `load` function"."""
    return "`" in subject or any(is_identifier(w.strip(_TRIM)) or w.endswith("()") for w in subject.split())


def _quiet(words: str) -> bool:
    return not any(
        (bare := w.strip(_TRIM).lower()) in UNASSERTED or bare in DEICTIC or bare in CONJUNCTIONS for w in words.split()
    )


def _returns(core: str, hidden: str) -> Claim | None:
    """Read "`load()` returns a list" and "Returns the tide as a float"."""
    match = _RETURNS_WHAT.match(core)
    if match is not None:
        subject: str | None = match["what"]
    elif (match := _RETURNS.search(hidden)) is not None:
        subject = _subject(core, hidden, match.start())
        if subject is None or not _coded(subject):
            return None
    else:
        return None
    return _typed(core, match.end(), f"return type of {subject}", "states: returns")


def _typed(core: str, pos: int, subject: str, rule: str) -> Claim | None:
    found = _TYPE.match(core, pos)
    tail = qualifiers(core[found.end() :]) if found else None
    if found is None or tail is None:
        return None
    return Claim(f"{subject} {tail}".strip(), _IS, *found.span("value"), rule, "text")


def _type_of(core: str, hidden: str) -> Claim | None:
    """Read "The `weight` field of a parcel is a number" and "The type of `due_at` is integer"."""
    match = _TYPE_OF.match(hidden)
    if match is not None:
        what = core[slice(*match.span("what"))]
        return _typed(core, match.end(), f"type of {what}", "states: type") if _quiet(hidden[: match.start("what")]) else None
    match = _FIELD_IS.match(hidden)
    if match is None:
        return None
    at = max(hidden.rfind(" is ", 0, match.end()), hidden.rfind(" are ", 0, match.end()))
    subject = core[:at].strip()
    words = [w.strip(_TRIM).lower() for w in subject.split()]
    heads = head_phrase(words)
    if not _coded(subject) or heads[0] not in _FIELD_HEADS or not subject_is_sound(hidden[:at], subject):
        return None
    return _typed(core, match.end(), f"type of {subject}", "states: type")


def _raises(core: str, hidden: str) -> Claim | None:
    """Read "`read()` raises `Lost` on a bad checksum": of one cause, one error."""
    match = _RAISES.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or not _coded(subject):
        return None
    found = find_typed(core, match.end(), len(core))
    if found is None or found[3] not in ("quoted", "technical", "name"):
        return None
    cause = _CONDITION.match(core, found[2])
    if cause is None or not _quiet(cause["words"]):
        return None
    return Claim(f"{match['verb']} {subject} with {cause['words']}", _THUS, found[0], found[1], "states: raises", "text")


def _takes(core: str, hidden: str) -> Claim | None:
    """Read "`parse()` takes two arguments"."""
    match = _TAKES.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = _ARGUMENTS.match(core, match.end()) if match else None
    if match is None or subject is None or found is None or not _coded(subject):
        return None
    if core[found.end() :].strip():
        return None
    kind = " ".join(singular(w) for w in found["kind"].split())
    return Claim(f"number of {kind} of {subject}", _IS, *found.span("value"), "states: arguments", "number")


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
    if match is None or not subject_is_sound(hidden[: match.start()].replace("A ", "The ", 1), core[: match.start()]):
        return None
    return Claim(
        f"HTTP method {match['done']} {core[: match.start()]} to {match['to']}", _IS, *match.span("value"), "states: method", "text"
    )


def _status(core: str, hidden: str) -> Claim | None:
    """Read "Successful deletes on the berth API come back with 204"."""
    match = _STATUS.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None:
        return None
    words = [w.lower() for w in subject.split()]
    acts = [n for n, w in enumerate(words) if w in _ACTS_ON]
    if not acts or len(words) < 3:
        return None
    return Claim(subject, _known("is answered with"), *match.span("value"), "states: status", "code")


def _release(core: str, hidden: str) -> Claim | None:
    """Read "staging is on Postgres 16" and "The billing service depends on pydantic 2.7": of what is named, the version."""
    match = _ON_RELEASE.search(hidden) or _DEPENDS.search(core)
    subject = _subject(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or is_plural(subject.split()[-1].lower()):
        return None
    if match["name"].lower() in ("day", "page", "chapter", "level", "floor", "platform", "line", "route", "track", "gate"):
        return None
    return Claim(f"{match['name']} of {subject} {tail}".strip(), _VERSION, *match.span("value"), "states: release", "version")


def _port(core: str, hidden: str) -> Claim | None:
    """Read "The portal expects Postgres on port 5432"."""
    match = _PORT.search(core)
    if match is None or (tail := qualifiers(core[match.end() :])) is None:
        return None
    reached = _REACHABLE.search(hidden, 0, match.start())
    stop = reached.start() if reached else match.start()
    subject = core[:stop].strip()
    words = subject.split()
    if not reached and (len(words) < 4 or words[0].lower() not in ("the", "our", "my")):
        return None
    if not _quiet(subject) or is_opinion(words) or words[0].lower() in PREPOSITIONS or any(w[-1] in ",;:" for w in words):
        return None
    if reached and not subject_is_sound(hidden[:stop], subject):
        return None
    return Claim(f"{subject} {tail}".strip(), _LISTENS, *match.span("value"), "states: port", "port")


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


def _over(core: str, hidden: str) -> Claim | None:
    """Read "The orders service talks to the stock service over gRPC"."""
    verb = _OVER.search(hidden)
    match = _PROTOCOL.search(hidden, verb.end()) if verb else None
    subject = _subject(core, hidden, verb.start()) if verb else None
    if match is None or verb is None or subject is None or match["value"].islower() or len(subject.split()) < 2:
        return None
    between = core[verb.start() : match.start()].strip()
    if not _quiet(between) or " over " in between or " via " in between:
        return None
    return Claim(f"{subject} {between} over", _THUS, *match.span("value"), "states: over", "text")


def _of_measure(core: str, hidden: str) -> Claim | None:
    """Read "The import job uses a batch size of 250"."""
    match = _OF_MEASURE.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or found[3] != "number":
        return None
    words = match["what"].split()
    if is_opinion(words) or is_adjective(words[-1]) or words[-1] in ("number", "total", "couple", "series", "list", "set"):
        return None
    return Claim(f"{match['what']} of {subject} {tail}".strip(), _IS, found[0], found[1], "states: measure")


def _source(core: str, hidden: str) -> Claim | None:
    """Read "The web app reads rates from `/rates`"."""
    match = _SOURCES.search(core)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or len(subject.split()) < 2:
        return None
    found = find_typed(core, match.end(), len(core))
    tail = qualifiers(core[found[2] :]) if found else None
    if found is None or tail is None or found[3] not in ("quoted", "technical"):
        return None
    if core[match.start("what") : match.start("what") + 1] in "`\"'" or not _quiet(match["what"]):
        return None  # what is named itself may go to many places
    if canonical_value(core[found[0] : found[1]])[1] in ("version", "number"):
        return None
    said = f"{match['verb']}-{match['prep']}"
    return Claim(f"{said} {match['what']} of {subject} {tail}".strip(), _THUS, found[0], found[1], "states: source", "text")


def _batch(core: str, hidden: str) -> Claim | None:
    """Read "By default, the importer reads 500 rows per batch"."""
    match = _BATCH.search(hidden)
    found = _PER.match(core, match.end()) if match else None
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or found is None or subject is None or not _quiet(subject):
        return None
    return Claim(f"{match['verb']} {found['rest']} of {subject}", _IS, *found.span("value"), "states: batch", "number")


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


def _based(core: str, hidden: str) -> Claim | None:
    """Read "Pagination in the parcels API is cursor-based"."""
    match = _BASED.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or head_phrase(subject.split())[0].lower() not in _KINDS or len(subject.split()) < 2:
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
    return Claim(f"{name['name']} {said}", _known("defaults to"), found[0], found[1], "states: parameter", "setting")


def _done_with(core: str, hidden: str) -> Claim | None:
    """Read "Passwords are hashed with bcrypt" and "Images of the rota service are pushed to GHCR"."""
    match = _DONE_WITH.search(hidden)
    if match is None or f"{match['done']} {match['prep']}" not in _DONE_THUS:
        return None
    subject = _subject(core, hidden, match.start())
    if subject is None:
        return None
    words = [w.strip(_TRIM) for w in subject.split()]
    head = head_phrase(words)[0].lower()
    named = match["noun"]
    found = find_typed(core, match.end(), len(core))
    if found is not None and found[3] in ("quoted", "technical", "name"):
        start, stop, kind = found[0], found[1], found[3]
    elif (word := _TOOL_WORD.match(core, match.end())) is not None and not match["kind"]:
        start, stop, kind = *word.span("value"), "word"
        if match["prep"] not in ("with", "using", "via", "by") or is_adjective(word["value"]):
            return None
        if match["done"] in MANY_DONE or word["value"] in PREPOSITIONS or not _is_tool(word["value"], match):
            return None
    else:
        return None
    if kind == "name" and is_plural(core[start:stop].split()[-1].lower()) and match["prep"] == "by":
        return None
    plural = is_plural(head)
    if plural and singular(head).rpartition("-")[2] not in _HANDLED:
        return None  # "Cars are built by Ford"
    if not plural and kind != "quoted" and (words[0][:1].isupper() and len(words) == 1 and not plural):
        return None
    rest = core[stop + (kind == "quoted") :]
    noun = re.compile(r" (?:registry|bucket|format|topic|table|branch|repository|server|cluster|queue|directory|folder)(?=\Z| )").match(rest)
    tail = qualifiers(rest[noun.end() :] if noun else rest)
    if tail is None:
        return None
    said = f"{match['done']}-{match['prep']} {subject} {(named or '').strip()}{noun[0] if noun else ''} {tail}"
    return Claim(said.strip(), _THUS, start, stop, "states: done with", "text")


def _is_tool(word: str, match: re.Match[str]) -> bool:
    """Whether a lower-case word may be the name of a tool, or of what things are divided by."""
    divided = f"{match['done']} {match['prep']}".startswith(("partitioned", "sharded", "grouped", "ordered", "keyed"))
    if divided:
        return word in _UNITS_OF_TIME or "_" in word
    return not word.endswith(("ing", "ly", "s", "ed")) and word not in UNASSERTED and word not in _PLAIN_WORDS


_PLAIN_WORDS = word_set(
    "hand default design anyone someone people care ease name law mistake accident email mail phone post post-code date "
    "time day night size cron-like humans staff me us them it that this these what all both each one two"
)
_READERS = (
    _returns, _type_of, _raises, _takes, _by_method, _status, _release, _port, _scheduled, _over, _of_measure, _source,
    _batch, _long, _based, _parameter, _done_with,
)
