"""What verbs and prepositions govern in sentences about code: "is hashed with bcrypt", "reads rates from `/rates`".

The key is all that the sentence says besides its value, its verb and preposition included. Where something is sent or
published to, who calls it and where it occurs may be many, so those are left alone unless a definite noun ("the topic
`x`") says that there is one.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import is_adjective
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.dispatch import Rules
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    PREPOSITIONS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import MANY_DONE, MANY_VERBS, base_of
from memstrata_integrations.relations import known
from memstrata_integrations.units import MONTHS
from memstrata_integrations.words import singular, word_set

__all__ = ["HANDLED", "read_governed"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"


_THUS, _IS, _VERSION, _LISTENS = (known(n) for n in ("is done thus", "is", "has version", "listens on"))
_PORT = re.compile(r" (?:on|at|via|over|through|from) (?:TCP |UDP )?port `?(?P<value>\d{2,5})`?(?=\Z| )")
_REACHABLE = re.compile(r" (?:is|are) (?:reachable|available|exposed|served|published|accessible|up|open)\Z")
_OVER = re.compile(
    r" (?P<verb>talks?|speaks?|communicates?|connects?|syncs?|replicates?|calls?|reaches|fetches|streams?)(?= )"
)
_PROTOCOL = re.compile(r" (?:over|via) (?P<value>[A-Za-z][\w./+-]*(?: [\d.]+)?)(?=\Z)")
_PLURAL = re.compile(
    r"(?P<who>[A-Z][a-z]+s(?: (?:to|of|from|for|in) (?:the )?[\w -]{2,30}?)?) (?P<verb>carry|pass|send|put|get"
    r"|fetch|store|keep) "
    r"(?P<what>(?:[\w'’-]+ ){1,4}?)(?P<prep>in|from|as|via|through|under) (?P<kind>the (?:[a-z]+ )?)(?=[`\"'])"
)
_IN_CODE = re.compile(r"[`\"'/_.:]|[a-z][A-Z]")
_GOVERNED = re.compile(
    r" (?P<verb>[a-z]+s) (?P<what>(?:[\w'’-]+ ){0,6}?)(?P<prep>from|to|on|in|under|at|into|with|via|through|by"
    r"|as|against|off|over"
    r"|behind) (?P<kind>the (?:[a-z]+ )?(?=[`\"'/])|[a-z]+ (?=[`\"']))?(?=[`\"'/\w])"
)
# Whom something is sent to, and what something works with, may be many
_TO_MANY = word_set(
    "send publish post push emit export ship log copy forward stream report notify write broadcast return "
    "subscribe add "
    "announce replicate mirror deliver dispatch convert translate transform map meet"
)
_KIND_AFTER = re.compile(
    r" (?P<noun>(?:[a-z]+ )?(?:header|parameter|field|cookie|variable|column|attribute|claim|property|module"
    r"|package|table"
    r"|topic|queue|bucket|schema|namespace|registry|branch|channel|directory|folder|file|endpoint|index|key|flag|format"
    r"|project|board|database|cluster|server|repository|scope|role|argument|element|section))(?=\Z| )"
)
_PASSED = re.compile(
    r" (?:is|are) (?P<done>[a-z]+) (?P<prep>in|via|through|as|by|with|under|on|to|from|into|at) the (?=[`\"'A-Z])"
)
_BUILD_ON = re.compile(r" runs (?:on|in) (?=[A-Z])")
_BUILDS = word_set("build pipeline ci job workflow deployment release suite")
_DONE_WITH = re.compile(
    r" (?:is|are|gets|get) (?P<done>[a-z-]+) (?P<prep>with|by|via|using|through|in|to|as|from|on|under|at|over"
    r"|out with) "
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
            "delivered served processed indexed queued cached resized converted transformed versioned "
            "installed created "
            "run issued minted applied handled computed calculated sorted done started launched stopped "
            "written serialised "
            "serialized",
        ),
        (
            "as in",
            "serialised serialized encoded formatted rendered exported returned logged represented expressed "
            "encrypted transmitted packaged shipped exchanged tagged labelled sent",
        ),
        (
            "in",
            "kept stored held managed tracked hosted cached queued persisted archived recorded declared "
            "defined versioned",
        ),
        ("to", "pushed published reported shipped uploaded exported forwarded streamed logged routed sent"),
        ("on under", "published hosted stored kept served emitted"),
        ("by", "partitioned sharded grouped ordered keyed"),
        ("from", "cut built branched read taken loaded fetched"),
        ("over via", "sent exchanged transmitted"),
    )
    for done in verbs.split()
    for preposition in prepositions.split()
)
# Of these many are handled as one, so that one tool or place does for all of them
HANDLED = word_set(
    "dependency lockfile image package build log event message secret error trace metric token password migration "
    "session job release artifact artefact flag cache backup doc doc page report query request response upload record "
    "certificate key credential container pod test asset stylesheet bundle schema email notification alert invoice "
    "webhook signal task timestamp payload id iban barcode row chart config configuration setting translation snapshot "
    "deployment branch tag wheel binary document thumbnail export import dump permission role crash exception span "
    "label template form file input identifier cookie address postcode crate module script attachment photo avatar "
    "type trip table partition index reading measurement statistic data state history search route change"
)
_TOOL_WORD = re.compile(r"(?P<value>plain text(?= format)|[a-z][\w.+-]*\d?)(?=\Z| (?:in|on|for|format)\b)")
# What is watched goes to the one place where it is looked at
_SIGNALS = word_set("log trace metric error crash exception alert span")
_UNITS_OF_TIME = word_set("hour day week month quarter year")


_PASSED_TO_MANY, _DONE_TO_MANY = MANY_DONE - {"passed", "exposed", "published"}, MANY_DONE - {"done"}
_CARRYING = {
    "hands": "hand",
    "carries": "carry",
    "comes": "come",
    "branches": "branch",
    "looks": "look",
    "picks": "pick",
}
_THE = word_set("the our my")
_SCATTERED = word_set(
    "appear feature occur exist work integrate communicate interact belong support match look differ test depend link "
    "ship conflict overlap compete compare play collide clash comply count call invoke use mention reference document"
)


_PLAIN_WORDS = word_set(
    "hand default design anyone someone people care ease name law mistake accident email mail phone post "
    "post-code date "
    "time day night size cron-like humans staff me us them it that this these what all both each one two"
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
    if (
        not _quiet(subject)
        or is_opinion(words)
        or words[0].lower() in PREPOSITIONS
        or any(w[-1] in ",;:" for w in words)
    ):
        return None
    if reached and not subject_is_sound(hidden[:stop], subject):
        return None
    return Claim(f"{subject} {tail}".strip(), _LISTENS, *match.span("value"), "states: port", "port")


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


def _governed(core: str, hidden: str) -> Claim | None:
    """Read "The web app reads rates from `/rates`" and "`Money` comes from the `shop.types` module"."""
    if not _IN_CODE.search(core):
        return None
    plural = _PLURAL.match(core)
    for match in (plural,) if plural else _GOVERNED.finditer(core):
        base = base_of(match["verb"]) or _CARRYING.get(match["verb"])
        if base is not None and (plural or match["verb"] != base):
            break
    else:
        return None
    subject = core[: match.end("who")] if plural else _subject(core, hidden, match.start())
    words = subject.split() if subject else []
    if subject is None or not (
        plural or "`" in subject or (len(words) > 1 and words[0].lower() in _THE) or len(words) > 2
    ):
        return None
    found = find_typed(core, match.end(), len(core))
    if found is None or found[3] not in ("quoted", "technical"):
        return None
    noun = _KIND_AFTER.match(core, found[2])
    tail = qualifiers(core[noun.end() if noun else found[2] :])
    definite = bool((match["kind"] or "").startswith("the "))
    what = match["what"].strip()
    if tail is None or "`" in what or not _quiet(what) or (not what and not definite):
        return None
    if base in MANY_VERBS and not definite and base not in ("read", "get", "receive", "pass", "gain"):
        return None
    if base in _SCATTERED or (base in _TO_MANY and not (definite and what)):
        return None
    if base in ("be", "have", "do") or canonical_value(core[found[0] : found[1]])[1] in ("version", "number"):
        return None
    said = f"{match['verb']}-{match['prep']} {what} of {subject} {noun['noun'] if noun else ''}"
    return Claim(f"{said} {tail}".strip(), _THUS, found[0], found[1], "states: governed", "text")


def _passed_in(core: str, hidden: str) -> Claim | None:
    """Read "The tenant ID is passed in the `org` query parameter"."""
    match = _PASSED.search(core)
    subject = _subject(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or subject is None or found is None or found[3] not in ("quoted", "technical", "name"):
        return None
    noun = _KIND_AFTER.match(core, found[2])
    if noun is None or match["done"] in _PASSED_TO_MANY:
        return None
    tail = qualifiers(core[noun.end() :])
    if tail is None:
        return None
    said = f"{match['done']}-{match['prep']} {subject} {noun['noun']} {tail}"
    return Claim(said.strip(), _THUS, found[0], found[1], "states: passed in", "text")


def _build(core: str, hidden: str) -> Claim | None:
    """Read "The build of the mobile app runs on GitHub Actions"."""
    match = _BUILD_ON.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if (
        match is None
        or subject is None
        or head_phrase(subject.split())[0].lower() not in _BUILDS
        or len(subject.split()) < 2
    ):
        return None
    found = find_typed(core, match.end(), len(core))
    tail = qualifiers(core[found[2] :]) if found else None
    if found is None or tail is None or found[3] != "name":
        return None
    return Claim(f"run-on {subject} {tail}".strip(), _THUS, found[0], found[1], "states: build", "text")


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
        if (match["prep"] not in ("with", "using", "via", "by") and word["value"] != "plain text") or is_adjective(
            word["value"]
        ):
            return None
        if match["done"] in _DONE_TO_MANY or word["value"] in PREPOSITIONS or not _is_tool(word["value"], match):
            return None
    else:
        return None
    said_as = core[start:stop].split()
    if not said_as or (kind == "name" and is_plural(said_as[-1].lower()) and match["prep"] == "by"):
        return None
    if said_as[0].lower() in MONTHS:
        return None  # "is held in June" says nothing of the garden
    many = match["prep"] == "to" or match["done"] in ("published", "emitted", "served")
    if many and not match["kind"] and singular(head) not in _SIGNALS:
        return None  # "Images are published to Quay": and to another registry
    if match["prep"] == "from" and kind not in ("quoted", "technical"):
        return None
    plural = is_plural(head)
    if match["done"] == "handled" and (plural or kind != "quoted"):
        return None  # "Events are handled by `on_open`"
    if plural and singular(head).rpartition("-")[2] not in HANDLED:
        return None  # "Cars are built by Ford"
    if not plural and kind != "quoted" and (words[0][:1].isupper() and len(words) == 1 and not plural):
        return None
    rest = core[stop + (kind == "quoted") :]
    noun = re.compile(
        r" (?:registry|bucket|format|topic|table|branch|repository|server|cluster|queue|directory|folder)(?=\Z| )"
    ).match(rest)
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
    return (
        ("-" in word or not word.endswith(("ing", "ly", "s", "ed")))
        and word not in UNASSERTED
        and word not in _PLAIN_WORDS
    )


read_governed = Rules(
    (
        (_port, word_set("port")),
        (_over, word_set("over via")),
        (_passed_in, (word_set("the"), word_set("is are"))),
        (_build, word_set("runs")),
        (_done_with, (word_set("is are gets get"), frozenset(done.partition(" ")[0] for done in _DONE_THUS))),
        (_governed, None),
    ),
    220,
)
"""Reads what a verb or a preposition governs."""
