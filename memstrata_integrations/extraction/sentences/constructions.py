"""Constructions whose key is not subject and verb alone: "has a depth limit of 7", "are listed at GET /x"."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import expected_place, masked
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Dispatch, Needles, signs_of
from memstrata_integrations.extraction.sentences.lexicon import (
    CODE_NOUNS,
    CONJUNCTIONS,
    DEICTIC,
    DURATION_NOUNS,
    EVENTS,
    FAULTS,
    FINITE_VERBS,
    MEASURES,
    PHONES,
    PREPOSITIONS,
    REMINDING,
    SHARED_ROLES,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import base_of, is_participle, is_past, participle_of, verb_of
from memstrata_integrations.relations import known, relation_of
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.values import number_part
from memstrata_integrations.words import singular, word_set

__all__ = ["read_construction"]

_LONGEST = 240
_TRIM = "\"'`()[]{}.,;:!?“”‘’"


_IS, _NAMED, _PINNED = known("is"), known("is named"), known("is pinned to")
_DEFAULTS, _LOCATED, _HELD, _SERVED = (
    known("defaults to"),
    known("is located at"),
    known("is held at"),
    known("is served at"),
)
_BASED, _VERSION, _COUNTS = known("is based in"), known("has version"), known("has in number")
_ANSWERS, _LISTENS = known("is answered with"), known("listens on")

_RELATIVE = re.compile(
    r"(?:The|the|Our|our) (?P<kind>(?:[\w-]+ ){0,3}?(?:function|method|class|module|command|helper|decorator|handler"
    r"|script|table|column|queue|topic|bucket|job|hook|endpoint|route|task|view|serializer|service|field|header"
    r"|parameter|argument|setting|option|flag|variable|key|constant|property|attribute|event|signal|metric|host|file"
    r"|workflow|pipeline|worker|component|middleware|template|library|package|test|fixture|query|index|model|schema|type"
    r"|interface|struct|enum|binary|daemon|process|bot|filter|label|tag|cookie|environment variable|subcommand))"
    r" (?:that|which) (?P<verb>[a-z]{2,}s) (?P<rest>[^\s,;:].*?) (?:is called|is named|is) (?=[^\s])"
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
    r" (?:get|receive|receives|return|yield|trigger|triggers|cause|returns|responds with|answers with"
    r"|replies with|yields|produces|results in|gets|gets you|gives|leads "
    r"to|is met with) (?:an? )?(?:HTTP )?(?:status )?(?:code )?(?P<code>[1-5]\d\d)"
    r"(?: [A-Z][a-z]+(?: [A-Z][a-z]+)*)?(?= (?:for|on|to|in) |\Z)"
)
_ANSWERS_WITH = re.compile(
    r"(?P<who>\S.*?) (?P<verb>answers|rejects|refuses|denies|declines|acknowledges) (?P<what>[^,;]+?) with (?:an? )?"
    r"(?:HTTP )?(?:status )?(?:code )?(?P<code>[1-5]\d\d)\Z"
)
_BY_WHOM = re.compile(r" by (?P<who>(?:the |our )?[\w`./ -]+)\Z")
_RESOLVES = re.compile(
    r" (?P<verb>pins|resolves|locks|requires|fixes) (?P<name>[\w@/.\[\]-]*[a-z][\w@/.\[\]-]*|`[^`]+`)"
    r" (?:to|at) (?:version )?(?=[v^~<>=]*\d)"
)
_TAKES = re.compile(
    r" (?:takes|has|uses|accepts) `(?P<name>[A-Za-z_]\w*) ?= ?(?P<value>[^`=]+)`"
    r" (?:by default|as (?:its|the) default)\Z"
)
_AT = re.compile(r" (?:is|are)(?: now| currently)? (?:at|held at|hosted at) (?:the )?(?=\S)")
_AT_PLACE = re.compile(
    r"(?:[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)* |(?:the |our |my )?(?:[a-z]+ ){0,2}?)"
    r"(?:library|hall|park|pub|café|cafe|bar|church|school|gym|museum|club|theatre|theater|centre|center|restaurant|hotel|garden|house|chapel|office|studio|beach|castle"
    r"|farm|barn|gallery|clinic|stadium|pool)\Z"
    r"|[A-Z][\w-]*(?:['’]s|s['’])(?: (?:[A-Z][\w-]*|place|house|flat|garden|office|studio)){0,2}\Z"
)
_SEATED = re.compile(r" (?:is|are)(?: now| currently)? in (?P<place>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*)\Z")
_RELEASE = re.compile(
    r" (?P<name>[A-Z][\w.+#-]*(?: [A-Z][\w+#-]*)?|@?[a-z][\w+#-]*(?:/[\w.-]+)?) (?:version )?"
    r"(?P<version>v?\d+(?:\.\d+)+[\w.+-]*|v\d+|\d+)(?= |\Z)"
)
# What stands between a subject and the name: "uses", "is built with the", "builds on"
_USING = re.compile(
    r" (?:(?:is|are|am) (?:now )?(?P<done>[a-z]+(?: [a-z]+)?) (?:with|on|from|to|against|using|under|at|by|upon)"
    r"|(?:are|am) (?P<on>on)|(?P<does>[a-z]+)(?: (?:on|with|to|against|from|in|under|upon|at|upstream))?)"
    r"(?: the| its| their| an?| at least)?\Z"
)
_WE_USE = re.compile(
    r"(?:We|we|I|They) (?P<does>[a-z]+) (?P<what>(?:the |our |my )?[^,;]+?) (?:with|on|using|from|against"
    r"|under|to|in)\Z"
)
# Whose bare number is a version
_PRODUCTS = word_set(
    "node nodejs node.js java jdk python ruby php debian ubuntu fedora rhel centos alpine rocky windows "
    "android ios macos "
    "postgres postgresql mysql mariadb mongodb redis kafka angular react vue rails django laravel symfony "
    "spring gcc clang "
    "llvm terraform ansible gradle maven elasticsearch opensearch kubernetes electron chrome firefox "
    "safari dotnet .net c++ "
    "kotlin swift scala erlang elixir tomcat nginx oracle db2 solr cassandra rabbitmq bootstrap webpack "
    "vite svelte next nuxt "
    "numpy pandas pytest junit jest eslint pydantic sqlalchemy celery drupal wordpress magento flutter "
    "xcode unity unreal qt "
    "gtk opengl vulkan cuda openssl ecmascript typescript bazel cmake go golang rust npm yarn pnpm "
    "hadoop spark airflow flink zookeeper consul vault nomad helm istio envoy haproxy openjdk graalvm jre "
    "wildfly jboss "
    "protobuf grpc graphql openapi jquery tailwind storybook cypress playwright selenium puppeteer deno bun poetry pip"
)
_NUMBERED = re.compile(r" v?\d[\w.+-]*(?= |\Z)")
_TECHNICAL = word_set("run use require need target compile build ship depend deploy bundle embed install pin base")
_MANY_RELEASES = word_set(
    "use depend talk support work test drop remove recommend want like break fail deprecate require_any offer skip"
)
_COUNTED = re.compile(r"(?:\d[\d,]*|[a-z]+) (?:[a-z-]+ ){1,2}[a-z]+s(?=\Z| (?:in|on|at|for|per) )")
_COUNT = re.compile(
    r" (?:has|have|keeps|keep|consists of|consist of|comprises|counts|is made up of|runs with|runs|employs"
    r"|contains|contain|features|boasts"
    r"|(?P<scaled>(?:was|has been|is|got) (?:scaled|expanded|grown|reduced|shrunk|cut|extended|resized|increased)"
    rf"(?: up| down| out| back)? to)) (?=\d|(?:{'|'.join(NUMBER_WORDS)})\b)"
)
_PERIODIC = re.compile(r" (?:is|are) (?P<done>[a-z]+(?:ed|en|t|ade)) (?:once )?(?P<when>within|every|after|for) (?=\d)")
_BERTH = re.compile(
    r" (?P<verb>(?:is|are)(?: (?:kept|housed|mounted)(?= in (?:rack|slot|bay) ))?|sits|sit"
    r"|departs|depart|leaves|leave|meets|meet|works|parks|park|starts|arrives"
    r"|happens|takes place|plays?|trains?|stands|stays|lives|go(?:es)?(?= to)|rehearses?|practi[sc]es?|boards?)"
    r" (?:in|at|from|on|to) (?:the )?(?P<noun>foyer|level|floor|counter|window|stall|wing|gym|pool|lab|classroom|ward"
    r"|unit|suite"
    r"|cabin|exit|entrance|tower|marquee|tent|shed|carriage|coach|pitch|field|studio|table|building|aisle|hangar|berth"
    r"|warehouse|slot"
    r"|rack|room|platform|gate|pier|stand|track|bay|terminal|quay|dock|lane|court|booth|desk|locker|office|hall)"
    r" (?P<code>[A-Z]?-?\d[\w.-]*|[A-Z]\d*)(?= |\Z)"
)

_NO_PRODUCTS = word_set("port version page line step level phase at to the a an than by is are stage chapter section")
_BERTHS = {"is": "", "are": "", "sits": "", "sit": "", "works": "", "stands": "", "lives": "", "stays": ""}
_BERTHS["takes place"] = ""
_STOREY = re.compile(
    r" (?P<verb>is|are|lives|works|sits|stays|meets|stands) (?:on|in) the (?P<code>ground|first|second"
    r"|third|fourth|fifth"
    r"|sixth|seventh|eighth|ninth|tenth|top|\d+(?:st|nd|rd|th)) (?P<noun>floor|level|deck|row|shelf|storey|story|tier)"
    r"(?= |\Z)"
)
_NUMBERED_THINGS = word_set(
    "platform room team gate route line tier group level act scene day week phase floor track bus tram "
    "train zone section "
    "table figure step part volume article chapter episode season class grade form unit number no nr "
    "january february march "
    "april may june july august september october november december monday tuesday wednesday thursday "
    "friday saturday sunday"
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
    for reader in _FITTING(signs_of(hidden)):
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
    spaced = match["kind"].endswith("command") and sentence[found[0] - 1] == "`"
    word = " " not in value or spaced or canonical_value(value)[1] == "endpoint"
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
    if len(noun) > 1 and is_past(noun[0]):
        return None  # "have retired number 8"
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
    found = _value(sentence, match.end(), ("technical", "quoted"))
    subject = _subject(sentence, hidden, match.start())
    if found is None or subject is None or canonical_value(sentence[found[0] : found[1]])[1] != "endpoint":
        return None
    whole = f"{match['done']} {subject} {found[2]}".strip()
    return Claim(whole, _SERVED, base + found[0], base + found[1], "route", "endpoint")


def _answered(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "A duplicate order is rejected with HTTP 409"; a bare request may be, for many reasons."""
    match = _ANSWERS_WITH.match(hidden)
    if match is not None:
        who = _subject(sentence, hidden, match.end("who"))
        if who is None or not _plain(match["what"].split()):
            return None
        what = sentence[match.start("what") : match.end("what")].removeprefix("a ").removeprefix("an ")
        done = participle_of(match["verb"][:-1] if match["verb"] != "denies" else "deny")
        return Claim(
            f"{done} {what} of {who}", _ANSWERS, base + match.start("code"), base + match.end("code"), "status", "code"
        )
    match = _ANSWERED.search(hidden)
    if match is not None:
        subject = _subject(sentence, hidden, match.start(), indefinite=True)
        words = [w.lower() for w in (subject or "").split() if w.lower() not in ("a", "an", "the")]
        by_whom = _BY_WHOM.match(hidden, match.end())
        if by_whom is not None and subject is not None:
            whole = f"{match['done']} {subject.removeprefix('A ').removeprefix('An ')} of {by_whom['who']}"
            span = match.span("code")
            return Claim(whole, _ANSWERS, base + span[0], base + span[1], "status", "code")
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
        if bare and match["code"][0] in "45" and words[0].endswith("ing") and FAULTS.isdisjoint(words):
            return None  # "Deleting a project returns 403": and 404 at times
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
    place = _AT_PLACE.match(hidden, match.end()) if found is None else None
    if place is not None:
        found = (place.start(), place.end(), "")
    if found is None:
        return None
    value = sentence[found[0] : found[1]]
    kind = canonical_value(value)[1]
    words = subject.split()
    whole = f"{subject} {found[2]}".strip()
    if kind in ("path", "url", "host") or (kind == "identifier" and "/" in value):
        if len(words) < 3 and words[0].lower() == "the":
            return None  # "the file is at": of many files
        return Claim(whole, _LOCATED, base + found[0], base + found[1], "location", "address")
    if (
        (kind == "name" or place is not None)
        and words[-1].lower() in EVENTS
        and len(words) > 1
        and words[0].lower() not in ("a", "an")
    ):
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
    match = _release(hidden)
    if match is None:
        return None
    using = _USING.search(hidden, 0, match.start())
    if using is not None and not (using["does"] and base_of(using["does"]) is None):
        word = (using["done"] or using["does"] or "").split()
        verb = base_of(word[0]) if using["does"] else None
        fits = bool(using["on"]) or (is_participle(word[0]) if using["done"] else verb is not None)
        if not fits or (word and verb_of(word[0]) in _MANY_RELEASES):
            return None
        subject = _subject(sentence, hidden, using.start())
    else:
        spoken = _WE_USE.match(hidden, 0, match.start())
        if spoken is None or base_of(spoken["does"]) is None or spoken["does"] in _MANY_RELEASES:
            return None
        subject = sentence[spoken.start("what") : spoken.end("what")]
        if not subject_is_sound(spoken["what"], subject):
            return None
    bare = match["version"].isdigit() and match["name"].lower().rpartition(" ")[2] not in _PRODUCTS
    verb = verb_of(((using["done"] or using["does"] or "") if using else "").split(" ")[0]) if using else ""
    if verb in ("enable", "disable", "activate", "deactivate", "block", "ban"):
        return None  # "Swap is enabled on node 2": and on which others?
    if bare and verb not in _TECHNICAL:
        return None
    exact = match["version"].count(".") > 1
    if subject is None or (
        not exact and any(w.strip(_TRIM).lower() in ("matrix", "tests", "ci") for w in subject.split())
    ):
        return None
    if match["name"].lower() == "python" and using is not None and using["does"] in ("requires", "needs", "require"):
        return None  # a relation of its own
    tail = qualifiers(sentence[match.end() :])
    if tail is None:
        return None
    aim = "target " if verb == "target" else ""  # what it is compiled with is another release
    whole = f"{aim}{match['name']} of {subject} {tail}".strip()
    return Claim(whole, _VERSION, base + match.start("version"), base + match.end("version"), "runs", "version")


def _release(hidden: str) -> re.Match[str] | None:
    """Find a product and its version."""
    labelled = " version " in hidden
    for number in _NUMBERED.finditer(hidden):
        at = number.start()
        for further in range(3):  # a name of one or two words, and perhaps "version"
            before, at = at, hidden.rfind(" ", 0, at)
            if at < 0:
                break
            if not labelled and not hidden[at + 1 : at + 2].isupper():
                if further:
                    continue  # of two words is a name with a capital
                name = hidden[at + 1 : before]
                if name.isalpha() and number[0][1:].isdigit() and name not in _PRODUCTS:
                    continue  # "is 30"
            found = _RELEASE.match(hidden, at)
            if found is not None and found.end() == number.end() and _is_release(found["name"], found["version"]):
                return found
    return None


_DEPLOYED = re.compile(
    r"(?P<name>[A-Z@a-z][\w./-]*) (?P<version>v?\d+(?:\.\d+)+[\w.+-]*) (?:is|runs) (?:deployed|installed"
    r"|live|running|active|in use"
    r"|pinned|used|rolled out)?(?P<tail> (?:in|on|at|for) [^,;]+)\Z"
)
_ON_PORT = re.compile(r" (?:runs|run|is running|is up|answers|lives) on (?:port )?(?P<port>\d{4,5})(?= |\Z)")


def _deployed(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "Kestrel v1.2 is deployed in production" and "kestrel runs on 8080"."""
    match = _DEPLOYED.match(hidden)
    if match is not None and (tail := qualifiers(match["tail"])) is not None:
        span = match.span("version")
        return Claim(f"{match['name']} {tail}", _VERSION, base + span[0], base + span[1], "deployed", "version")
    port = _ON_PORT.search(hidden)
    if port is None or (found := qualifiers(sentence[port.end() :])) is None:
        return None
    subject = _subject(sentence, hidden, port.start())
    if subject is None:
        return None
    return Claim(
        f"{subject} {found}".strip(), _LISTENS, base + port.start("port"), base + port.end("port"), "port", "port"
    )


def _is_release(name: str, version: str) -> bool:
    """Whether a word and a number are a product and its version: "nginx 1.24", "Node 20"."""
    lower = name.lower()
    if lower in UNASSERTED or lower in PREPOSITIONS or lower in DEICTIC or lower in _NO_PRODUCTS:
        return False
    if lower in ("http", "https", "status", "error"):
        return False
    if name[0].isupper() and version.isdigit() and lower.isalpha() and lower not in _NUMBERED_THINGS:
        return True
    return lower.rpartition(" ")[2] in _PRODUCTS or (not version.isdigit() and base_of(lower) is None)


def _count(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The cluster has 5 nodes": what is counted belongs to the key."""
    match = _COUNT.search(hidden)
    if match is None:
        return None
    subject = _subject(sentence, hidden, match.start())
    found = _value(sentence, match.end(), ("number",))
    if found is None and (several := _COUNTED.match(hidden, match.end())) is not None:
        found = (several.start(), several.end(), qualifiers(sentence[several.end() :]) or "")
    if subject is None or found is None:
        return None
    value = sentence[found[0] : found[1]]
    if not canonical_value(value)[1].startswith("count:") and not _COUNTED.fullmatch(value):
        return None
    number = number_part(value)
    noun = value[len(number) :].lstrip()
    scaled = match["scaled"] is not None and not match["scaled"].startswith("is")
    if noun in _PEOPLE:
        return Claim(f"population of {subject}", _IS, base + found[0], base + found[0] + len(number), "count")
    whole = f"{noun} of {subject} {found[2]}".strip()
    return Claim(whole, _COUNTS, base + found[0], base + found[1], "count", narrative=scaled)


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
    if singular(subject.split()[0].lower()) in REMINDING or singular(subject.split()[-1].lower()) in REMINDING:
        return None  # "Reminders are sent after 7 days": and after 14
    whole = f"{match['done']} {subject} {found[2]}".strip()
    return Claim(whole, known(f"is done {match['when']}"), base + found[0], base + found[1], "period", "duration")


def _berth(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "The ferry leaves from pier 4" and "Maria sits in room 214"."""
    match = _BERTH.search(hidden) or _STOREY.search(hidden)
    if match is None:
        return None
    subject = _subject(sentence, hidden, match.start())
    tail = qualifiers(sentence[match.end() :])
    if subject is None or tail is None:
        return None
    verb = match["verb"].partition(" ")[0]
    done = _BERTHS.get(verb, verb)
    whole = f"{done} {match['noun']} of {subject} {tail}".strip()
    return Claim(whole, _IS, base + match.start("code"), base + match.end("code"), "place by number", "code")


_PEOPLE = word_set("inhabitants residents")
_THAN = re.compile(
    r" (?P<how>(?:larger|bigger|longer|older|more|smaller|shorter|fewer|less|heavier|higher|lower|greater"
    r"|slower|faster)"
    r" than|over|above|under|below|exceeding|beyond) (?=[\d$€£¥])"
)
_ABOVE = word_set("larger bigger longer greater higher over above exceeding beyond more")
_REFUSED = word_set("rejected refused dropped blocked denied discarded ignored truncated declined")
_REFUSES = re.compile(
    r"(?P<who>\S.*?) (?:rejects|refuses|drops|blocks|denies|discards|ignores|declines) (?P<what>[a-z][\w -]*?)\Z"
)
_DONE_THEN = re.compile(
    r" (?:is|are|gets|get|triggers|trigger|fails|fail|goes|go|returns|return|raises|pages|starts)(?= )"
)


def _threshold(sentence: str, hidden: str, base: int) -> Claim | None:
    """Read "Uploads larger than 5 MB are rejected": the measure is where the rule begins to hold."""
    match = _THAN.search(hidden)
    if match is None:
        return None
    refused = _REFUSES.match(hidden, 0, match.start())
    if refused is not None and match["how"].split()[0] in _ABOVE:
        value = find_typed(sentence, match.end(), len(sentence))
        who = _subject(sentence, hidden, refused.end("who"))
        if value is None or who is None or value[3] != "number" or sentence[value[2] :].strip():
            return None
        return Claim(f"limit of {refused['what']} of {who}", _IS, base + value[0], base + value[1], "refuses")
    found = find_typed(sentence, match.end(), len(sentence))
    subject = _subject(sentence, hidden, match.start(), indefinite=True)
    if found is None or subject is None or found[3] != "number":
        return None
    then = _DONE_THEN.match(hidden, found[2])
    rest = sentence[found[2] :].split()
    if then is None or len(rest) > 12 or not _plain(rest[1:]) or any(c.isdigit() for w in rest for c in w):
        return None
    if match["how"].split()[0] in _ABOVE and rest[1:] and rest[1] in _REFUSED and len(rest) == 2:
        return Claim(f"limit of {subject}", _IS, base + found[0], base + found[1], "refused above")
    whole = f"{subject} {match['how'].split()[0]} ({' '.join(rest)})"
    return Claim(whole, _IS, base + found[0], base + found[1], "threshold")


_BE = word_set("is are")
# The nouns of `_BERTH` and `_STOREY`
_NUMBERED_PLACES = word_set(
    "pitch field studio table building aisle hangar berth warehouse slot rack room platform gate pier stand track bay "
    "terminal quay dock lane court booth desk locker office hall floor level deck row shelf storey story tier foyer "
    "counter window stall wing gym pool lab classroom ward unit suite cabin exit entrance tower marquee tent shed "
    "carriage coach"
)
_EVENTFUL = word_set("delayed postponed closed late stuck blocked broken lost gone missed left held")
_READERS: tuple[tuple[Callable[[str, str, int], Claim | None], Needles], ...] = (
    (_relative, word_set("that which")),
    (_has, word_set("has have")),
    (_routed, (word_set("at with via through by on under using"), _BE)),
    (
        _answered,
        (
            word_set("with returns return get gets receive receives yields produces gives results leads is"),
            word_set(
                "answers rejects refuses denies declines acknowledges answered rejected refused denied declined "
                "acknowledged get gets receive receives return returns yield yields trigger triggers cause responds "
                "replies produces results gives leads met"
            ),
        ),
    ),
    (_resolves, word_set("pins resolves locks requires fixes")),
    (_takes, word_set("takes has uses accepts")),
    (_at, (word_set("at"), _BE)),
    (_seated, (word_set("in"), _BE)),
    (_deployed, (word_set("is runs run on"), word_set("in on at for"), frozenset((A_NUMBER,)))),
    (_runs, frozenset((A_NUMBER,))),
    (
        _count,
        word_set(
            "has have keeps keep makes make consists consist comprises counts made runs employs scaled expanded grown "
            "reduced shrunk cut extended resized increased contains contain features boasts"
        ),
    ),
    (_periodic, (_BE, word_set("within every after for"))),
    (_threshold, word_set("than over above under below exceeding beyond")),
    (_berth, (word_set("in at from on to"), _NUMBERED_PLACES)),
)
"""Readers in order, each with the words of which a sentence must hold one (`None`: any sentence)."""
_FITTING = Dispatch(_READERS)
