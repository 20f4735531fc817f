"""Constructions whose key is not subject and verb alone: "has a depth limit of 7", "are listed at GET /x"."""

from __future__ import annotations

import re
from itertools import pairwise

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.clauses import subject_is_sound
from memstrata_integrations.extraction.complements import expected_place, masked
from memstrata_integrations.extraction.lexicon import (
    CODE_NOUNS,
    CONJUNCTIONS,
    DEICTIC,
    DURATION_NOUNS,
    EVENTS,
    FINITE_VERBS,
    MEASURES,
    PHONES,
    PREPOSITIONS,
    SHARED_ROLES,
    UNASSERTED,
)
from memstrata_integrations.extraction.opinions import is_opinion
from memstrata_integrations.extraction.slots import find_typed, qualifiers
from memstrata_integrations.relations import Relation, relation_of
from memstrata_integrations.words import word_set

__all__ = ["read_construction"]

_LONGEST = 240
_TRIM = "\"'`()[]{}.,;:!?“”‘’"


def _known(name: str) -> Relation:
    found = relation_of(name)
    if found is None:  # pragma: no cover - the table holds it
        raise AssertionError(f"the relation table lacks {name!r}")
    return found


_IS, _NAMED, _PINNED = _known("is"), _known("is named"), _known("is pinned to")
_DEFAULTS, _LOCATED, _HELD, _SERVED = (
    _known("defaults to"),
    _known("is located at"),
    _known("is held at"),
    _known("is served at"),
)
_BASED, _VERSION, _COUNTS = _known("is based in"), _known("has version"), _known("has in number")
_ANSWERS = _known("is answered with")

_RELATIVE = re.compile(
    r"(?:The|the|Our|our) (?P<kind>(?:[\w-]+ ){0,3}?(?:function|method|class|module|command|helper|decorator|handler"
    r"|script|table|column|queue|topic|bucket|job|hook|endpoint|route|task|view|serializer|service|field|header"
    r"|parameter|argument|setting|option|flag|variable|key|constant|property|attribute|event|signal|metric|host|file"
    r"|workflow|pipeline|worker|component|middleware|template|library|package))"
    r" (?:that|which) (?P<verb>[a-z]{2,}s) (?P<rest>[^\s,;:].*?) (?:is|is called|is named) (?=[^\s])"
)
_HAS = re.compile(r" (?:has|have) (?P<article>a|an|the) (?P<noun>(?:[a-z][\w-]* ){0,3}?[a-z][\w-]*) of ")
_HAS_CODE = re.compile(r" (?:has|have) (?:a |an |the )?(?P<noun>(?:[a-z][\w-]* ){0,2}[a-z]+) (?=[#+\d`\"'])")
_ROUTED = re.compile(
    r" (?:is|are) (?P<done>[a-z]+(?:ed|en|t|ade)) (?:at|with|via|through|by|by calling|on|under|using) (?=`?[A-Z]+ /)"
)
_ANSWERED = re.compile(
    r" (?:is|are) (?P<done>rejected|refused|answered|denied|declined|acknowledged) with"
    r" (?:an? )?(?P<lead>(?:HTTP )?(?:status )?(?:code )?)(?P<code>[1-5]\d\d)(?= |\Z)"
)
_RESPONDS = re.compile(
    r" (?:returns|responds with|answers with|replies with|yields|produces|results in|gets|gets you|gives|leads "
    r"to|is met with) (?:an? )?(?:HTTP )?(?:status )?(?:code )?(?P<code>[1-5]\d\d)"
    r"(?: [A-Z][a-z]+(?: [A-Z][a-z]+)*)?(?= (?:for|on|to|in) |\Z)"
)
_RESOLVES = re.compile(
    r" (?P<verb>pins|resolves|locks|requires|fixes) (?P<name>[\w@/.\[\]-]*[a-z][\w@/.\[\]-]*|`[^`]+`)"
    r" (?:to|at) (?:version )?(?=[v^~<>=]*\d)"
)
_TAKES = re.compile(
    r" (?:takes|has|uses|accepts) `(?P<name>[A-Za-z_]\w*) ?= ?(?P<value>[^`=]+)`"
    r" (?:by default|as (?:its|the) default)\Z"
)
_AT = re.compile(r" (?:is|are)(?: now| currently)? (?:at|held at|hosted at) (?:the )?(?=\S)")
_SEATED = re.compile(r" (?:is|are)(?: now| currently)? in (?P<place>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*)\Z")
_RUNS = re.compile(
    r" (?:runs|run|runs on|run on|requires|needs|uses|is built with|is built on|is compiled with|is deployed "
    r"with|ships with|bundles"
    r"|are on|am on|is running|are running|is using|are using|stays on|targets)"
    r" (?P<name>[A-Z][\w.+#-]*(?: [A-Z][\w+#-]*)?|@?[a-z][\w+#-]*(?:/[\w.-]+)?) (?:version )?"
    r"(?P<version>v?\d+(?:\.\d+)+[\w.+-]*|v\d+|(?<=Node )\d+|(?<=Java )\d+|(?<=Debian )\d+|(?<=Ubuntu )\d+"
    r"|(?<=Fedora )\d+"
    r"|(?<=Windows )\d+|(?<=Android )\d+|(?<=iOS )\d+|(?<=macOS )\d+|(?<=Postgres )\d+|(?<=PostgreSQL )\d+"
    r"|(?<=Angular )\d+"
    r"|(?<=GCC )\d+|(?<=gcc )\d+|(?<=clang )\d+|(?<=Clang )\d+|(?<=React )\d+|(?<=PHP )\d+|(?<=Rails )\d+"
    r"|(?<=Python )\d+"
    r"|(?<=Vue )\d+|(?<=Redis )\d+|(?<=Django )\d+|(?<=Kafka )\d+|(?<=LLVM )\d+|(?<=MySQL )\d+)(?= |\Z)"
)

_COUNT = re.compile(r" (?:has|have) (?=\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)")
_PERIODIC = re.compile(r" (?:is|are) (?P<done>[a-z]+(?:ed|en|t|ade)) (?:once )?(?P<when>within|every|after|for) (?=\d)")
_BERTH = re.compile(
    r" (?P<verb>is|are|sits|sit|departs|leaves|meets|works|parks|park|starts|arrives|happens|takes place|plays"
    r"|trains|stands|stays|lives)"
    r" (?:in|at|from|on) (?:the )?(?P<noun>pitch|field|studio|table|building|aisle|hangar|berth|warehouse|slot"
    r"|rack|room|platform|gate|pier|stand|track|bay|terminal|quay|dock|lane|court|booth|desk|locker|office|hall)"
    r" (?P<code>[A-Z]?-?\d[\w.-]*|[A-Z]\d*)(?= |\Z)"
)

_SEATS = word_set("headquarters hq seat head-office")
# What happens to one thing here and to another there
_ACCIDENTS = word_set("breaks crashes blocks causes hangs leaks stalls slows hurts ruins misses wants")
_OFFICES = frozenset(("head office", "main office", "registered office"))
_REQUEST_WORDS = word_set("request call response http client error")
_OF_RETURNS = word_set("returns yields emits gives")


def read_construction(text: str, start: int, end: int) -> Claim | None:
    """Read a sentence of a known construction; `None` leaves it to the other rules."""
    sentence = text[start:end]
    if len(sentence) > _LONGEST:
        return None
    hidden = masked(sentence)
    for reader, needles in _READERS:
        if any(n in sentence for n in needles):
            claim = reader(sentence, hidden, start)
            if claim is not None:
                return claim
    return None


def _subject(sentence: str, hidden: str, end: int, *, indefinite: bool = False) -> str | None:
    """Return what stands before the verb, if it names one thing."""
    subject, covered = sentence[:end].strip(), hidden[:end]
    if indefinite:
        first, _, rest = covered.partition(" ")
        if first in ("A", "An") and rest:
            covered = "The " + rest
    return subject if subject and subject_is_sound(covered, subject) else None


def _value(sentence: str, pos: int, kinds: tuple[str, ...]) -> tuple[int, int, str] | None:
    """Return a value's place and the qualifiers after it."""
    found = find_typed(sentence, pos, len(sentence))
    if found is None or found[3] not in kinds:
        return None
    tail = qualifiers(sentence[found[2] :])
    return None if tail is None else (found[0], found[1], tail)


def _plain(words: list[str]) -> bool:
    """Whether words say what something is, without a condition, a doubt or a second statement."""
    for word in words:
        bare = word.strip(_TRIM).lower()
        if bare in UNASSERTED or bare in FINITE_VERBS or bare in DEICTIC or bare in CONJUNCTIONS:
            return False
        if word[-1] in ",;:":
            return False
    return not is_opinion(words)


def _relative(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The class that renders invoice PDFs is InvoicePrinter"."""
    match = _RELATIVE.match(hidden)
    if match is None or match["verb"] in SHARED_ROLES or match["verb"] in _ACCIDENTS:
        return None
    rest = match["rest"].split()
    content = [w for w in rest if w.lower() not in PREPOSITIONS and w.lower() not in ("the", "a", "an", "to")]
    if not content or len(rest) > 10 or not _plain(rest) or not _plain(match["kind"].split()):
        return None
    if match["verb"] in _OF_RETURNS and (len(content) < 2 or rest[0] not in ("the", "a", "an", "all")):
        return None
    if rest[0].lower() in ("i", "you", "we", "they", "it") or " that " in match["rest"] or " which " in match["rest"]:
        return None
    found = _value(sentence, match.end(), ("quoted", "technical", "name"))
    if found is None or found[2]:
        return None
    value = sentence[found[0] : found[1]]
    word = " " not in value or canonical_value(value)[1] == "endpoint"
    named = is_identifier(value) or value[0] == "-" or (match["kind"].endswith("header") and "-" in value)
    if not word or not (named or sentence[found[0] - 1] in "`\"'"):
        return None
    role = f"{match['kind']} that {match['verb']} {sentence[match.start('rest') : match.end('rest')]}"
    relation, expected = (_IS, "endpoint") if canonical_value(value)[1] == "endpoint" else (_NAMED, "identifier")
    return Claim(role, relation, base + found[0], base + found[1], "relative role", expected)


def _has(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "GraphQL queries have a depth limit of 7" and "Chris has the extension 4410"."""
    match = _HAS.search(hidden)
    if match is not None:
        noun = match["noun"].split()
        if noun[-1] not in MEASURES or not _plain(noun):
            return None
        found = _value(sentence, match.end(), ("number",))
        subject = _subject(sentence, hidden, match.start())
        if found is None or subject is None:
            return None
        whole = f"{match['noun']} of {subject} {found[2]}".strip()
        expected = "duration" if noun[-1] in DURATION_NOUNS else None
        return Claim(whole, _IS, base + found[0], base + found[1], "has a measure", expected)
    match = _HAS_CODE.search(hidden)
    if match is None:
        return None
    noun = match["noun"].split()
    phone = any(w in PHONES for w in noun)
    if not (noun[-1] in CODE_NOUNS or phone) or not _plain(noun):
        return None
    code = re.compile(r"\+?[\w()#][\w/() .-]*\Z").match(sentence, match.end())
    subject = _subject(sentence, hidden, match.start())
    if code is None or subject is None or not any(c.isdigit() for c in code[0]):
        return None
    if not phone and " " in code[0]:
        return None
    if phone and sum(c.isalpha() for c in code[0]):
        return None
    whole = f"{match['noun']} of {subject}"
    return Claim(whole, _IS, base + code.start(), base + code.end(), "has a code", "phone" if phone else "code")


def _routed(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "Invoices are listed at GET /invoices"."""
    match = _ROUTED.search(hidden) or _ROUTED.search(sentence)
    if match is None or match["done"] in UNASSERTED:
        return None
    found = _value(sentence, match.end(), ("technical",))
    subject = _subject(sentence, hidden, match.start())
    if found is None or subject is None or canonical_value(sentence[found[0] : found[1]])[1] != "endpoint":
        return None
    whole = f"{match['done']} {subject} {found[2]}".strip()
    return Claim(whole, _SERVED, base + found[0], base + found[1], "route", "endpoint")


def _answered(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "A duplicate order is rejected with HTTP 409"; a bare request may be, for many reasons."""
    match = _ANSWERED.search(hidden)
    if match is not None:
        subject = _subject(sentence, hidden, match.start(), indefinite=True)
        words = [w.lower() for w in (subject or "").split() if w.lower() not in ("a", "an", "the")]
        if subject is None or not match["lead"] or len([w for w in words if w.rstrip("s") not in _REQUEST_WORDS]) < 2:
            return None
        whole = f"{match['done']} {subject.removeprefix('A ').removeprefix('An ')}"
    else:
        match = _RESPONDS.search(hidden)
        if match is None:
            return None
        subject = _subject(sentence, hidden, match.start())
        bare = not sentence[match.end() :].strip()
        if subject is None and bare and sentence[:2] in ("A ", "An"):
            subject = _subject(sentence, hidden, match.start(), indefinite=True)
        words = [w.lower() for w in (subject or "").split() if w.lower() not in ("a", "an", "the")]
        if subject is None or (bare and len([w for w in words if w.rstrip("s") not in _REQUEST_WORDS]) < 2):
            return None
        if bare and is_identifier(subject.split()[-1]):
            return None  # "GET /orders returns 200": and 404 at times
        if not bare and not is_identifier(subject.split()[-1]):
            return None
        whole = subject
    tail = qualifiers(sentence[match.end() :])
    if tail is None:
        return None
    return Claim(
        f"{whole} {tail}".strip(), _ANSWERS, base + match.start("code"), base + match.end("code"), "status", "code"
    )


def _resolves(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The lockfile resolves lodash to 4.17.20"."""
    match = _RESOLVES.search(sentence)
    if match is None:
        return None
    version = re.compile(r"[v^~<>=]*\d[\w.*+-]*").match(sentence, match.end())
    subject = _subject(sentence, hidden, match.start())
    if version is None or subject is None:
        return None
    tail = qualifiers(sentence[version.end() :])
    if tail is None:
        return None
    name = match["name"].strip("`")
    whole = f"{name} in {subject} {tail}".strip()
    return Claim(whole, _PINNED, base + version.start(), base + version.end(), "resolves", "version")


def _takes(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "`retry()` takes `max_attempts=3` by default"."""
    match = _TAKES.search(sentence)
    if match is None:
        return None
    subject = _subject(sentence, hidden, match.start())
    words = subject.split() if subject else []
    if not any(is_identifier(w.strip(_TRIM)) or w.strip("`").endswith("()") for w in words):
        return None
    value = match["value"]
    begin = match.start("value") + len(value) - len(value.lstrip())
    finish = match.start("value") + len(value.rstrip())
    if begin >= finish:
        return None
    return Claim(f"{match['name']} of {subject}", _DEFAULTS, base + begin, base + finish, "default argument", "setting")


def _at(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The runbook is at wiki/run.md" and "Greta's birthday dinner is at Trattoria Lupo"."""
    match = _AT.search(hidden)
    if match is None:
        return None
    subject = _subject(sentence, hidden, match.start())
    if subject is None:
        return None
    found = _value(sentence, match.end(), ("quoted", "technical", "name", "number"))
    if found is None:
        return None
    value = sentence[found[0] : found[1]]
    kind = canonical_value(value)[1]
    words = subject.split()
    whole = f"{subject} {found[2]}".strip()
    if kind in ("path", "url", "host") or (kind == "identifier" and "/" in value and "." in value):
        if len(words) < 3 and words[0].lower() == "the":
            return None  # "the file is at": of many files
        return Claim(whole, _LOCATED, base + found[0], base + found[1], "location", "address")
    if kind == "name" and words[-1].lower() in EVENTS and len(words) > 1 and words[0].lower() not in ("a", "an"):
        return Claim(whole, _HELD, base + found[0], base + found[1], "venue", "text")
    return None


def _seated(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The headquarters of Osprey Foods are in Rotterdam"."""
    match = _SEATED.search(hidden)
    if match is None:
        return None
    subject = _subject(sentence, hidden, match.start())
    if subject is None:
        return None
    words = [w.lower().strip(_TRIM) for w in subject.split()]
    heads = [words[n - 1] for n, w in enumerate(words) if w in PREPOSITIONS and n][:1] or words[-1:]
    pairs = {f"{a} {b}" for a, b in pairwise(words)}
    if (
        heads[0] not in _SEATS
        and not pairs & _OFFICES
        and " ".join(words[-2:]) not in ("head office", "main office", "registered office")
    ):
        return None
    span = match.span("place")
    return Claim(subject, _BASED, base + span[0], base + span[1], "seat", expected_place(match["place"]))


def _runs(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The API gateway runs nginx 1.24": the name belongs to the key, the version is the value."""
    match = _RUNS.search(hidden)
    if match is None:
        return None
    subject = _subject(sentence, hidden, match.start())
    if subject is None or any(w.strip(_TRIM).lower() in ("matrix", "tests", "ci") for w in subject.split()):
        return None
    name = match["name"].lower()
    if name == "python" and match[0].startswith((" requires", " needs")):
        return None  # a relation of its own
    if name in UNASSERTED or name in PREPOSITIONS or name in DEICTIC or name in ("port", "version", "page", "line"):
        return None
    tail = qualifiers(sentence[match.end() :])
    if tail is None:
        return None
    whole = f"{match['name']} of {subject} {tail}".strip()
    return Claim(whole, _VERSION, base + match.start("version"), base + match.end("version"), "runs", "version")


def _count(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The cluster has 5 nodes": what is counted belongs to the key."""
    match = _COUNT.search(hidden)
    if match is None:
        return None
    subject = _subject(sentence, hidden, match.start())
    found = _value(sentence, match.end(), ("number",))
    if subject is None or found is None:
        return None
    dimension = canonical_value(sentence[found[0] : found[1]])[1]
    if not dimension.startswith("count:"):
        return None
    noun = sentence[found[0] : found[1]].partition(" ")[2]
    whole = f"{noun} of {subject} {found[2]}".strip()
    return Claim(whole, _COUNTS, base + found[0], base + found[1], "count")


def _periodic(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "Tickets are answered within 24 hours" and "Passwords are rotated every 90 days"."""
    match = _PERIODIC.search(hidden)
    if match is None or match["done"] in UNASSERTED or match["done"] in _EVENTFUL:
        return None
    if relation_of(f"is {match['done']} {match['when']}") is not None:
        return None
    subject = _subject(sentence, hidden, match.start())
    found = _value(sentence, match.end(), ("number",))
    if subject is None or found is None:
        return None
    if canonical_value(sentence[found[0] : found[1]])[1] not in ("duration", "months", "m"):
        return None
    whole = f"{match['done']} {subject} {found[2]}".strip()
    return Claim(whole, _known(f"is done {match['when']}"), base + found[0], base + found[1], "period", "duration")


def _berth(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The ferry leaves from pier 4" and "Maria sits in room 214"."""
    match = _BERTH.search(hidden)
    if match is None:
        return None
    subject = _subject(sentence, hidden, match.start())
    tail = qualifiers(sentence[match.end() :])
    if subject is None or tail is None:
        return None
    done = "" if match["verb"] in ("is", "are") else match["verb"]
    whole = f"{done} {match['noun']} of {subject} {tail}".strip()
    return Claim(whole, _IS, base + match.start("code"), base + match.end("code"), "place by number", "code")


_EVENTFUL = word_set("delayed postponed closed late stuck blocked broken lost gone missed left held")
_READERS = (
    (_relative, (" that ", " which ")),
    (_has, (" has ", " have ")),
    (_routed, (" /",)),
    (_answered, (" with ", " returns ")),
    (_resolves, (" to ", " at ")),
    (_takes, ("` by default", " default")),
    (_at, (" at ",)),
    (_seated, (" is in ", " are in ")),
    (_runs, (" runs ", " with ", " on ", " requires ", " needs ")),
    (_count, (" has ", " have ")),
    (_periodic, (" are ", " is ")),
    (_berth, (" in ", " at ", " from ", " on ")),
)
