"""What is laid down by custom: channels, shares, ranges, counts before a rule, encodings, who grants access.

"Questions about billing belong in #ask-billing", "10% of requests to the search are traced", "After 5 failed logins
the account is locked", "Deploys are frozen between 20 December and 3 January". The key is all that the sentence says
besides its one value.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.lexicon import EVENTS
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.specifying import claim_of, is_quiet, subject_of, trips
from memstrata_integrations.extraction.sentences.verbs import base_of, is_participle, verb_of
from memstrata_integrations.relations import known
from memstrata_integrations.units import WEEKDAYS, unit_of
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["OF_CUSTOM"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_NAMED = known("is named")
_FEW = r"(?:\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_DAY = "(?:" + "|".join(sorted((w.capitalize() for w in WEEKDAYS if len(w) > 5), key=len, reverse=True)) + ")"
# Where questions go and incidents are handled
_SINK = re.compile(
    r" (?P<act>(?:is|are|gets|get) (?P<done>[a-z]+)|(?P<verb>goes|go|belongs|belong|lands|land|arrives|arrive"
    r"|starts|start"
    r"|ends up|end up|lives|live|happens|happen)) (?P<prep>in|to|at|on|via|through|with) (?P<value>#[A-Za-z][\w-]*"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:[a-z][a-z0-9]+://|/)[^\s,;]+)(?=\Z| )"
)
_NO_SINKS = word_set(
    "copied cc'd cross-posted mirrored mentioned discussed listed subscribed interested shared seen known"
)
_ENCODED = re.compile(
    r" (?:is|are) (?P<value>[A-Za-z0-9]+)-(?P<kind>compressed|encoded|encrypted|delimited|separated|terminated"
    r"|partitioned"
    r"|hosted|licensed|signed|sorted|ordered|keyed|backed|indexed|formatted)(?=\Z| (?:in|on|for|at) )"
)
_NO_ENCODINGS = word_set("well self un fully partly non pre re hard soft double multi co de ill")
_AFTER = re.compile(
    rf"(?:After|Upon|Following) (?P<value>{_FEW})(?P<what> [a-z][^,;:]{{3,60}}?)(?:, | (?=(?:the|an?|our|your|all) ))"
    r"(?P<then>(?:the |an? |our |your |all |[a-z])[^,;:]+)\Z"
)
_SHARE = re.compile(
    r"(?P<value>\d+(?:\.\d+)? ?%|(?:[Oo]ne|\d+) (?:in|out of) \d+|Half|A (?:third|quarter"
    r"|tenth))(?P<rest> (?:of )?[a-z]"
    r"[^,;:]+)\Z"
)
_ONE_IN = re.compile(r" (?P<value>(?:one|\d+) (?:in|out of) \d[\d,]*)(?P<rest> [a-z][^,;:]*)?\Z")
_RANGE = re.compile(r" (?P<how>between|from) (?=[\dA-Z])")
_RANGE_END = re.compile(r" (?:and|to|until|till|through|[-–]) (?=[\dA-Z])")
_RANGED = word_set(
    "frozen closed blocked reserved scheduled limited allowed disabled unavailable available staffed restricted"
    " paused"
    " suspended locked off planned kept set bounded clamped tuned"
)
_RANGE_VERBS = word_set("run last go be take range vary extend apply stay stretch")
_WEEKLY = re.compile(
    rf" (?:(?:is|are|gets|get) (?P<done>[a-z]+)|(?P<verb>[a-z]+s)) every (?P<value>(?:other |second |third "
    rf"|fourth )?{_DAY}"
    r"(?: (?:morning|night|evening|afternoon|noon))?)\Z"
)
_CALLED = re.compile(r" (?:is|are) (?:called|named) (?P<value>[a-z][a-z0-9_-]+)(?=\Z)")
_CALLED_THINGS = word_set(
    "cookie header variable table column index topic queue bucket database schema branch flag namespace cluster"
    " container"
    " job volume network service user role group binary package module command label tag field parameter channel host"
    " server node repo repository project profile keyspace collection stream exchange partition device interface"
    " target"
)
_COUNT_OF_TIMES = re.compile(
    r" (?:is|are|gets|get) (?P<done>[a-z]+) (?P<value>once|twice|thrice|(?:\d+|two|three|four|five|six|seven"
    r"|ten) times)\Z"
)
_REPEATED = word_set("replicated retried copied checked attempted repeated hashed mirrored tried resent stored probed")
_IN_UNITS = re.compile(
    r" (?:takes|expects|accepts|wants|counts|measures|uses|(?:is|are) (?:measured|counted|given|specified"
    r"|expressed) in)"
    r" (?P<value>[a-z]+)\Z"
)
_NEEDED = re.compile(
    r"To (?P<purpose>[a-z]+ [^,;:]{3,60}?),? you(?: will)? need (?:at least )?(?P<name>[A-Z][\w.+-]*(?:"
    r" [A-Z][\w.+-]*)?) "
    r"(?P<value>v?\d[\w.]*)(?P<tail> .*)?\Z"
)
_ABOUT = re.compile(r" (?:takes?|lasts?) (?P<hedge>about|around|roughly|approximately|some) (?=[\d])")
_GRANTED = re.compile(
    r" (?:is|are) (?P<done>approved|granted|authorised|authorized|signed off|vetted|countersigned"
    r"|cleared) by (?=[A-Z])"
)
_GRANTS = word_set(
    "access spending leave travel overtime admission entry permission budget procurement expenditure clearance approval"
)
_USE = re.compile(
    r"Use (?:the )?(?P<noun>port|region|branch|version|schema|database|queue|topic|bucket|channel|zone|timeout"
    r"|limit|page"
    r" size|batch size|table|index|endpoint|host|profile|namespace|template|image|runner|label|tag|key|extension) "
    r"(?=\S)"
)
_PURPOSE = re.compile(r" (?:for|to|when|on|in) \S.{3,80}\Z")
_COMPOUND = re.compile(
    r" (?P<verb>has|have|uses|use|gets|get|takes|take|starts? with|ends? with|carries|carry|keeps|keep|applies"
    r"|apply|adds|add"
    r"|enforces?|needs?|requires?|comes? with|runs? with|(?:is|are) [a-z]+ (?:with|in|into|by|for|after"
    r"|to)) an? (?P<value>"
    rf"{_FEW})-(?P<unit>digit|character|letter|byte|bit|line|column|day|hour|minute|second|week|month|year|page"
    rf"|word|item|row"
    r"|node|core|step|month|millisecond|point|pixel) (?P<rest>[a-z][a-z ]*)(?=\Z| (?:for|in|on|per|of|between) )"
)


def _claim(subject: str, span: tuple[int, int], rule: str, expected: str | None = "text") -> Claim | None:
    return claim_of(subject, span, f"convention: {rule}", expected)


def _sink(core: str, hidden: str) -> Claim | None:
    """Read "Questions about billing belong in #ask-billing"."""
    match = _SINK.search(hidden) if "#" in core or "@" in core or "/" in core else None
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or len(subject.split()) < 2:
        return None
    done = match["done"]
    if done is not None and (not is_participle(done) or done in _NO_SINKS):
        return None
    act = verb_of(done) if done else verb_of(match["verb"].split()[0])
    value = match["value"]
    sort = "channel" if value[0] == "#" else "mail" if "@" in value else "place"
    if sort == "place" and done is not None:
        return None
    return _claim(f"{act}-{match['prep']} {sort} of {subject} {tail}", match.span("value"), "sink")


def _encoded(core: str, hidden: str) -> Claim | None:
    """Read "The response body is gzip-compressed"."""
    match = _ENCODED.search(hidden) if "-" in hidden else None
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if (
        match is None
        or subject is None
        or tail is None
        or match["value"].lower() in _NO_ENCODINGS
        or match["value"].endswith("ly")
    ):
        return None
    return (
        None
        if len(subject.split()) < 2
        else _claim(f"{match['kind']} {subject} {tail}", match.span("value"), "encoded")
    )


def _after(core: str, hidden: str) -> Claim | None:
    """Read "After 5 failed logins the account is locked"."""
    match = _AFTER.match(hidden)
    if match is None or not is_quiet(match["what"]) or not trips(core[match.start("then") :]):
        return None
    if not is_plural(match["what"].split()[0]) and not any(is_plural(w) for w in match["what"].split()):
        return None
    return _claim(f"after {match['what']} {match['then']}", match.span("value"), "after", None)


def _share(core: str, hidden: str) -> Claim | None:
    """Read "10% of requests to the search service are traced" and "Tracing samples 1 in 100 requests"."""
    match = _SHARE.match(hidden)
    if match is not None:
        rest = core[match.start("rest") :].strip()
        words = rest.split()
        verb = next(
            (
                n
                for n, w in enumerate(words)
                if n > 1 and w in ("is", "are", "goes", "go", "gets", "get", "runs", "run")
            ),
            None,
        )
        if (
            verb is None
            or verb == len(words) - 1
            or not is_quiet(rest)
            or any(c.isdigit() for w in words[verb:] for c in w)
        ):
            return None
        if words[verb] in ("is", "are") and not is_participle(words[verb + 1]):
            return None
        return _claim(f"share {rest}", match.span("value"), "share")
    match = _ONE_IN.search(hidden)
    subject = core[: match.start()].strip() if match else ""
    words = subject.split()
    if match is None or len(words) < 2 or not is_quiet(f"{subject}{match['rest'] or ''}"):
        return None
    verb = next((n for n, w in enumerate(words) if n and base_of(w) not in (None, w)), None)
    if verb is None or subject_of(core, hidden, len(" ".join(words[:verb]))) is None:
        return None
    return _claim(
        f"share {' '.join(words[verb:])} {match['rest'] or ''} of {' '.join(words[:verb])}",
        match.span("value"),
        "one in",
    )


def _range(core: str, hidden: str) -> Claim | None:
    """Read "Deploys are frozen between 20 December and 3 January"."""
    match = _RANGE.search(hidden)
    first = find_typed(core, match.end(), len(core)) if match else None
    link = _RANGE_END.match(core, first[2]) if first else None
    last = find_typed(core, link.end(), len(core)) if link else None
    tail = qualifiers(core[last[2] :]) if last else None
    if match is None or first is None or last is None or tail is None:
        return None
    if first[3] not in ("number", "date") or last[3] not in ("number", "date"):
        return None
    kinds = [canonical_value(core[f[0] : f[1]])[1].partition(":")[0] for f in (first, last)]
    before = core[: match.start()].split()
    if len(before) < 2 or (match["how"] == "between" and core[first[2] : first[2] + 5] != " and "):
        return None
    act = before[-1].lower()
    if before[-2] in ("is", "are") and act in _RANGED:
        subject = subject_of(core, hidden, len(" ".join(before[:-2])))
    elif verb_of(act) in _RANGE_VERBS and not any(k == "number" for k in kinds[:1] if act == "runs"):
        subject = subject_of(core, hidden, len(" ".join(before[:-1])))
    else:
        return None
    if subject is None or ("time" in kinds and is_plural(head_phrase(subject.lower().split())[0])):
        return None
    # of two spans far apart, neither takes the place of the other
    months = " ".join(w for w in core[first[0] : first[1]].split() if w[:1].isalpha() or len(w) == 4)
    return _claim(f"{verb_of(act)} span {months} of {subject} {tail}", (first[0], last[1]), "range")


def _weekly(core: str, hidden: str) -> Claim | None:
    """Read "The staging database gets wiped every Sunday night"."""
    match = _WEEKLY.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None or not subject.lower().startswith(("the ", "our ")):
        return None
    words = subject.lower().split()
    if any(is_plural(h) for h in head_phrase(words)) or len(words) < 3:
        return None
    act = match["done"] or base_of(match["verb"])
    if act is None or (match["done"] and not is_participle(match["done"])):
        return None
    return _claim(f"{verb_of(act)} every of {subject}", match.span("value"), "weekly")


def _called(core: str, hidden: str) -> Claim | None:
    """Read "The session cookie is called sid"."""
    match = _CALLED.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None or len(subject.split()) < 3 or core.startswith(("A ", "An ")):
        return None
    head = head_phrase([w.strip(_TRIM).lower() for w in subject.split()])[0]
    if head not in _CALLED_THINGS:
        return None
    return Claim(subject, _NAMED, *match.span("value"), "convention: called", "identifier")


def _count_of_times(core: str, hidden: str) -> Claim | None:
    """Read "Every shard is replicated three times"."""
    match = _COUNT_OF_TIMES.search(hidden)
    if match is None or match["done"] not in _REPEATED:
        return None
    said = re.sub(r"\A(?:Each|Every) ", "The ", hidden[: match.start()])
    subject = re.sub(r"\A(?:Each|Every) ", "The ", core[: match.start()])
    if subject_of(subject, said, len(subject)) is None or len(subject.split()) < 2:
        return None
    return _claim(f"times {match['done']} {subject}", match.span("value"), "count of times")


def _in_units(core: str, hidden: str) -> Claim | None:
    """Read "`--timeout` takes milliseconds"."""
    match = _IN_UNITS.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None or unit_of(match["value"]) is None:
        return None
    if "`" not in subject and not is_identifier(subject.split()[-1]):
        return None
    return _claim(f"unit of {subject}", match.span("value"), "unit")


def _needed(core: str, hidden: str) -> Claim | None:
    """Read "To build the image you need Docker 24"."""
    match = _NEEDED.match(hidden)
    if (
        match is None
        or not is_quiet(match["purpose"])
        or (match["tail"] or "").strip() not in ("", "or newer", "or later", "or above")
    ):
        return None
    return _claim(
        f"{match['name']} needed to {core[slice(*match.span('purpose'))]}", match.span("value"), "needed", "version"
    )


def _about(core: str, hidden: str) -> Claim | None:
    """Read "Restoring a volume takes about 4 hours": roughly so, and roughly otherwise later."""
    match = _ABOUT.search(hidden)
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    subject = core[: match.start()].strip() if match else ""
    if match is None or found is None or tail is None or len(subject.split()) < 3 or not is_quiet(subject):
        return None
    gerund = subject.split()[0].endswith("ing")
    if not gerund and subject_of(core, hidden, match.start()) is None:
        return None
    if canonical_value(core[found[0] : found[1]])[1] not in ("duration", "months"):
        return None
    return _claim(f"rough length of {subject} {tail}", (found[0], found[1]), "about", None)


def _granted(core: str, hidden: str) -> Claim | None:
    """Read "Production access for contractors is approved by Lena Fischer"."""
    match = _GRANTED.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or found[3] != "name":
        return None
    words = subject.lower().split()
    if head_phrase(words)[0] not in _GRANTS or len(words) < 2:
        return None
    return _claim(
        f"{match['done']} {words[0]} {' '.join(subject.split()[1:])} {tail}", (found[0], found[1]), "granted", "name"
    )


def _use(core: str, hidden: str) -> Claim | None:
    """Read "Use port 2222 for SSH to the build hosts"."""
    match = _USE.match(core)
    found = find_typed(core, match.end(), len(core)) if match else None
    purpose = _PURPOSE.match(core, found[2]) if found else None
    if match is None or found is None or purpose is None or not is_quiet(purpose[0]) or found[3] == "boolean":
        return None
    return _claim(
        f"{match['noun']} {purpose[0]}", (found[0], found[1]), "use", "text" if found[3] != "number" else None
    )


_OCCASIONS = EVENTS | word_set("break pause walk ride drive race run slot")  # one has several


def _compound(core: str, hidden: str) -> Claim | None:
    """Read "Migration files start with a 4-digit number"."""
    match = _COMPOUND.search(hidden) if "-" in hidden else None
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or is_plural(match["rest"].split()[-1]):
        return None
    if len(subject.split()) < 2 or not is_quiet(match["rest"]) or match["rest"].split()[-1] in _OCCASIONS:
        return None
    head = f"{subject[0].lower()}{subject[1:]}" if is_plural(subject.split()[0].lower()) else subject
    return _claim(
        f"{match['verb']} {match['unit']} {match['rest']} of {head} {tail}", match.span("value"), "compound", None
    )


OF_CUSTOM: tuple[tuple[Callable[[str, str], Claim | None], Needles], ...] = (
    (_sink, word_set("in to at on via through with")),
    (_encoded, word_set("is are")),
    (_after, word_set("After Upon Following")),
    (_share, (word_set("of in out"), word_set(f"Half A {A_NUMBER}"))),
    (_range, word_set("between from")),
    (_weekly, word_set("every")),
    (_called, word_set("called named")),
    (_count_of_times, word_set("once twice thrice times")),
    (
        _in_units,
        (
            word_set("takes expects accepts wants counts measures uses in"),
            word_set("takes expects accepts wants counts measures uses measured counted given specified expressed"),
        ),
    ),
    (_needed, word_set("To")),
    (_about, word_set("about around roughly approximately some")),
    (_granted, (word_set("by"), word_set("approved granted authorised authorized off vetted countersigned cleared"))),
    (_use, word_set("Use")),
    (_compound, word_set("a an")),
)
"""Readers in order, each with the signs of which a sentence must hold one; they take a sentence and its masked form."""
