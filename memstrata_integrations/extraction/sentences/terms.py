"""In which terms, into what, by which order and from where: units, conversions, deadlines, fallbacks, sources.

"Timestamps in the export are in UTC", "Large files are split into parts of 8 MiB", "Refunds are paid within 5 business
days", "The config file is looked up in ~/.wren". The key is all that the sentence says besides its one value.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.governing import HANDLED
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.specifying import ALARMS, claim_of, is_quiet, measure_at, subject_of
from memstrata_integrations.extraction.sentences.verbs import base_of, verb_of
from memstrata_integrations.units import unit_of
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import singular, word_set

__all__ = ["OF_TERMS"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_IN = re.compile(
    r" (?:is|are) (?:given |stored |kept |shown |reported |billed |charged |invoiced |paid |quoted |priced |settled )?"
    r"in (?P<value>[^\s,;]+(?: [^\s,;]+)?)"
)
_TERMS = {
    "currency": re.compile(
        r"(?:USD|EUR|GBP|CAD|AUD|NZD|CHF|SEK|NOK|DKK|JPY|CNY|INR|BRL|MXN|ZAR|PLN|CZK|HUF|SGD|HKD|KRW|TRY|ILS)(?=\Z| )"
    ),
    "zone": re.compile(r"(?:(?:UTC|GMT|CES?T|[EP][SD]T|BST|JST|IST)|(?:local|server|universal) time)(?=\Z| )"),
    "case": re.compile(r"(?:snake_case|camelCase|PascalCase|kebab-case|(?:lower|upper|title|sentence) case)(?=\Z| )"),
    "encoding": re.compile(r"(?:UTF-8|UTF-16|ASCII|Latin-1|ISO-8859-\d+|base64|hex)(?=\Z| )"),
    "format": re.compile(
        r"(?:ISO[- ]8601|RFC ?3339|epoch seconds|Unix time|JSON|XML|CSV|YAML|Markdown|Protobuf|Avro|Parquet|HTML"
        r"|TOML|RST"
        r"|reStructuredText|AsciiDoc)(?=\Z| )"
    ),
    "unit": re.compile(r"[a-z]+(?=\Z| (?:in|on|for|by|of) )"),
}
_MONEY = word_set("cents euros dollars pounds francs pence øre kroner yen points credits micros pennies")
_TURNED = re.compile(
    r" (?:is|are|gets|get) (?P<done>turned|mapped|wrapped|rewritten|cast|coerced|normalised|normalized|folded|rounded"
    r"|resized|scaled|truncated|padded|split|chunked|divided|sharded|sliced|cropped|batched|downsampled|grouped|cut"
    r"|buffered|clipped|thinned|shortened|serialised|serialized) (?:up |down |off )?(?P<prep>into|to|in|as|at|after)"
    r" (?P<noun>[a-z]+ of |the nearest )?(?=\S)"
)
_SPLITS = re.compile(
    r" (?P<done>splits|chunks|divides|shards|slices|batches|cuts|breaks|partitions|truncates|rounds|pads|resizes"
    r"|crops"
    r"|split|groups|buffers|clips) (?P<what>(?:[\w'’¤-]+ ){1,5}?)(?:up |down |off )?(?P<prep>into|in|to|after|at)"
    r" (?P<noun>[a-z]+(?: [a-z]+)? of )?(?=[\d$€£])"
)
_MACHINE = re.compile(
    r" (?P<verb>connects|run|runs|connect|build|builds) (?P<prep>to|on)"
    r" (?P<value>(?P<stem>[a-z]+(?:-[a-z]+)*)-?\d+)(?=\Z)"
)
_RUNNING = word_set(
    "build deploy pipeline job test release worker consumer scheduler daemon agent service api app cron"
)
_WORKING_TIME = re.compile(
    r" (?P<prep>within|in|after|for|every|by) (?P<value>(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|fourteen"
    r"|thirty) (?:business|working|calendar|consecutive|full|trading|banking) (?:hour|day|week"
    r"|month)s?)(?P<rest> .*)?\Z"
)
_DUE = re.compile(r" (?:is|are|falls|fall) due (?P<prep>within|in|after) (?=\d|[a-z]+ (?:hour|day|week|month)s?\b)")
_SORTS = re.compile(
    r" (?:(?P<active>sorts|orders|ranks) (?P<what>(?:its|the|their|all|search)? ?[a-z ]{3,40}?)|(?:is"
    r"|are) (?:sorted|ordered"
    r"|ranked)) by (?P<value>(?!default\b|hand\b)[a-z_]+(?: [a-z]+)?)(?P<tail> by default)?\Z"
)
_IMAGE = re.compile(
    r" (?:is|are) (?:based|built|layered) (?:on top of|on|upon|from|off) `?(?P<value>[a-z][\w./-]*:[\w.-]+)`?(?=\Z| )"
)
_FALLS_BACK = re.compile(r" (?:falls?|reverts?|drops?|rolls?) (?P<particle>back|through|over) (?P<prep>to|on) (?=\S)")
_SERVED = re.compile(
    r" (?:is|are) (?P<done>served|handled|answered|delivered|routed|sent) (?:out of|from|via|through|to) (?=[A-Za-z])"
)
_FLOWS = word_set("traffic requests calls queries users visitors customers load")
_LOOKED_UP = re.compile(
    r" (?:is|are) (?P<done>looked up|expected|picked up|found|kept|stored|placed"
    r"|installed|written"
    r"|cached) (?P<prep>in|at|under|from|to) `?(?P<value>(?:%[A-Z]+%|\$\w+|~|[A-Z]:|\.{0,2}/)[^\s`,;]*)`?(?=\Z| )"
)
_COME_FROM = re.compile(r" (?:come|comes) (?:out of|from) (?=[A-Z`])")
_TYPE_OF_SIZE = re.compile(
    r" (?:is|are) an? (?P<type>varchar|string|text|char|array|list|vector|decimal|integer|bitmap|blob|float"
    r"|number|buffer)"
    r" (?:of|with|limited to|up to)(?: (?:up to|at most|exactly))? (?=\d)"
)
_AS_USER = re.compile(
    r" as (?:the )?(?P<noun>user|role|group|account|service account|service user|uid) `?(?P<value>[a-z][\w-]*"
    r"|\d+)`?\Z"
)
_IMPORTED = re.compile(
    r"(?:We|You|Users|Callers|Clients)? ?[Ii]mport (?P<what>`[^`]+`) from"
    r" (?P<quote>`)(?P<value>(?P<top>[A-Za-z@][\w@-]*)"
    r"[\w./-]*)`\Z"
)
_REGION = re.compile(
    r" (?:is|are|runs?|lives?|sits?|(?:is|are) (?:hosted|deployed|located)) in (?:the )?(?:AWS |GCP "
    r"|Azure )?(?P<value>"
    r"(?:us|eu|ap|sa|ca|me|af|cn|il|europe|asia|northamerica|australia)-(?:gov-)?[a-z]+-?\d[a-z]?) (?:region|zone)\Z"
)


def _claim(subject: str, span: tuple[int, int], rule: str, expected: str | None = None) -> Claim | None:
    return claim_of(subject, span, f"terms: {rule}", expected)


def _in_terms(core: str, hidden: str) -> Claim | None:
    """Read "Timestamps in the export are in UTC": of each sort of terms, one."""
    match = _IN.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None or len(subject.split()) < 2:
        return None
    for sort, shape in _TERMS.items():
        found = shape.match(hidden, match.start("value"))
        if found is None:
            continue
        if sort == "unit" and unit_of(found[0]) is None and found[0] not in _MONEY:
            return None
        tail = qualifiers(core[found.end() :])
        return None if tail is None else _claim(f"{sort} of {subject} {tail}", found.span(), "in terms", "text")
    return None


def _turned(core: str, hidden: str) -> Claim | None:
    """Read "Large files are split into parts of 8 MiB", "`KeyError` is turned into `NotFound`"."""
    match = _TURNED.search(hidden)
    active = _SPLITS.search(hidden) if match is None else None
    verb = match or active
    subject = subject_of(core, hidden, verb.start()) if verb else None
    if verb is None or subject is None:
        return None
    what = f"{active['what']} of" if active is not None else ""
    if not is_quiet(what):
        return None
    said = f"{verb_of(verb['done'])}-{verb['prep']} {verb['noun'] or ''} {what} {subject}"
    if (found := measure_at(core, verb.end())) is not None:
        size = core[slice(*found[0])]
        if verb["noun"] is None and canonical_value(size)[1] == "number" and not found[1]:
            return None
        return _claim(f"{said} {found[1]}", found[0], "turned")
    typed = find_typed(core, verb.end(), len(core))
    tail = qualifiers(core[typed[2] :]) if typed else None
    if (
        active
        or typed is None
        or tail is None
        or typed[3] not in ("quoted", "technical")
        or verb["prep"] in ("at", "after")
    ):
        return None
    return _claim(f"{said} {tail}", (typed[0], typed[1]), "turned", "text")


def _machine(core: str, hidden: str) -> Claim | None:
    """Read "The worker connects to redis-1": one of the machines of that name."""
    match = _MACHINE.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None:
        return None
    words = subject.lower().split()
    head = singular(head_phrase([w.strip(_TRIM) for w in words])[0])
    if head not in _RUNNING or (
        words[0] not in ("the", "our", "my") and words[0].isalpha() and not words[0].endswith("s")
    ):
        return None
    verb = base_of(match["verb"])
    lowered = subject[0].lower() + subject[1:]
    return _claim(f"{verb}-{match['prep']} {match['stem']} of {lowered}", match.span("value"), "machine", "text")


def _due(core: str, hidden: str) -> Claim | None:
    """Read "Postmortems are due within 5 business days" and "Refunds are paid within 10 working days"."""
    match = _WORKING_TIME.search(hidden)
    if match is not None:
        before = core[: match.start()].strip()
        words = [w.strip(_TRIM).lower() for w in before.split()]
        tail = qualifiers(match["rest"] or "")
        at = next((n for n, w in enumerate(words) if w in ("is", "are", "get", "gets", "take", "takes") and n), None)
        at = at or next((n for n, w in enumerate(words) if n and base_of(w) not in (None, w)), None)
        if (
            at is None
            or tail is None
            or not is_quiet(" ".join(words[at:]))
            or "reminder" in {singular(w) for w in words}
        ):
            return None
        subject = subject_of(core, hidden, len(" ".join(core.split()[:at])))
        if subject is None or not {verb_of(w) for w in words[at:]}.isdisjoint(ALARMS - {"report"}):
            return None
        said = f"{match['prep']} {' '.join(words[at:])} of {subject} {tail}"
        return _claim(said, match.span("value"), "working time", "text")
    due = _DUE.search(hidden)
    subject = subject_of(core, hidden, due.start()) if due else None
    found = measure_at(core, due.end()) if due else None
    if due is None or subject is None or found is None:
        return None
    return _claim(f"due {due['prep']} of {subject} {found[1]}", found[0], "due")


def _sorted(core: str, hidden: str) -> Claim | None:
    """Read "`/search` sorts its results by name"."""
    match = _SORTS.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None or not is_quiet(match["what"] or ""):
        return None
    value = match["value"]
    if value.split()[-1] in ("the", "a", "its") or value.endswith(("ing", "ly")):
        return None
    what = (match["what"] or "").replace("its ", "")
    words = subject.split()
    if not (is_identifier(words[-1]) or len(words) > 1):
        return None
    return _claim(f"sort-by of {what} of {subject}", match.span("value"), "sorted", "text")


def _image(core: str, hidden: str) -> Claim | None:
    """Read "The build image is based on debian:bookworm-slim"."""
    match = _IMAGE.search(core)
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None:
        return None
    return _claim(f"base image of {subject} {tail}", match.span("value"), "image", "text")


def _falls_back(core: str, hidden: str) -> Claim | None:
    """Read "`format_price` falls back to "en-GB""."""
    match = _FALLS_BACK.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or found[3] == "name":
        return None
    return _claim(f"fall-{match['particle']} of {subject} {tail}", (found[0], found[1]), "falls back", "setting")


def _served(core: str, hidden: str) -> Claim | None:
    """Read "Traffic from Brazil is served out of Ashburn"."""
    match = _SERVED.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or subject is None or found is None or found[3] not in ("name", "technical"):
        return None
    words = subject.lower().split()
    if head_phrase(words)[0] not in _FLOWS or len(words) < 3 or core[found[2] :].strip():
        return None
    return _claim(
        f"{match['done']} of {words[0]} {' '.join(subject.split()[1:])}", (found[0], found[1]), "served", "text"
    )


def _looked_up(core: str, hidden: str) -> Claim | None:
    r"""Read "The config file is looked up in %APPDATA%\Plover"."""
    match = _LOOKED_UP.search(core)
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or len(match["value"]) < 2:
        return None
    return _claim(f"{match['done'].split()[0]}-in {subject} {tail}", match.span("value"), "looked up", "text")


def _come_from(core: str, hidden: str) -> Claim | None:
    """Read "Feature flags come from Unleash": of what is handled as one, one source."""
    match = _COME_FROM.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if (
        match is None
        or subject is None
        or found is None
        or tail is None
        or found[3] not in ("name", "quoted", "technical")
    ):
        return None
    words = [w.strip(_TRIM).lower() for w in subject.split()]
    if singular(head_phrase(words)[0]) not in HANDLED or len(words) < 2:
        return None
    return _claim(
        f"come-from {words[0]} {' '.join(subject.split()[1:])} {tail}", (found[0], found[1]), "come from", "text"
    )


def _type_of_size(core: str, hidden: str) -> Claim | None:
    """Read "`User.email` is a varchar of 120 characters"."""
    match = _TYPE_OF_SIZE.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = measure_at(core, match.end()) if match else None
    if match is None or subject is None or found is None:
        return None
    if "`" not in subject and not is_identifier(subject.split()[-1]):
        return None
    return _claim(f"{match['type']} size of {subject} {found[1]}", found[0], "type of size")


def _as_user(core: str, hidden: str) -> Claim | None:
    """Read "You log in to the bastion as user ops" and "The service runs as user wren"."""
    match = _AS_USER.search(core)
    before = core[: match.start()].strip() if match else ""
    words = before.split()
    if match is None or len(words) < 3 or not is_quiet(" ".join(words[1:])):
        return None
    spoken = words[0] in ("You", "We")
    if spoken and (words[-1].lower() in PREPOSITIONS or not any(w in PREPOSITIONS for w in words)):
        return None
    verb = base_of(words[1]) if spoken else base_of(words[-1])
    if verb is None or (not spoken and subject_of(core, hidden, len(" ".join(words[:-1]))) is None):
        return None
    said = " ".join(words[1:]) if spoken else f"{verb} of {' '.join(words[:-1])}"
    return _claim(f"as-{match['noun']} {said}", match.span("value"), "as user", "text")


def _imported(core: str, hidden: str) -> Claim | None:
    """Read "We import `Clock` from `tempo.core`": within one package, from one module."""
    match = _IMPORTED.match(core)
    if match is None:
        return None
    return _claim(f"import of {match['what']} in {match['top']}", match.span("value"), "imported", "text")


def _region(core: str, hidden: str) -> Claim | None:
    """Read "Production is in the us-east-1 region"."""
    match = _REGION.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None or is_plural(singular(subject.split()[-1].lower())):
        return None
    return _claim(f"region of {subject[0].lower()}{subject[1:]}", match.span("value"), "region", "text")


_BE = word_set("is are")
OF_TERMS: tuple[tuple[Callable[[str, str], Claim | None], Needles], ...] = (
    (_in_terms, (word_set("in"), _BE)),
    (
        _turned,
        (
            word_set("into to in as at after"),
            word_set(
                "turned mapped wrapped rewritten cast coerced normalised normalized folded rounded resized scaled "
                "truncated padded split chunked divided sharded sliced cropped batched downsampled grouped cut "
                "buffered clipped thinned shortened serialised serialized splits chunks divides shards slices batches "
                "cuts breaks partitions truncates rounds pads resizes crops groups buffers clips"
            ),
        ),
    ),
    (_machine, (word_set("connects run runs connect build builds"), frozenset((A_NUMBER,)))),
    (
        _due,
        (
            word_set("within in after for every by due"),
            word_set("business working calendar consecutive full trading banking due"),
        ),
    ),
    (_sorted, (word_set("by"), word_set("sorts orders ranks sorted ordered ranked"))),
    (_image, word_set("based built layered")),
    (_falls_back, word_set("back through over")),
    (_served, (_BE, word_set("served handled answered delivered routed sent"))),
    (
        _looked_up,
        (_BE, word_set("looked expected picked found kept stored placed installed written cached")),
    ),
    (_come_from, word_set("come comes")),
    (_type_of_size, (word_set("a an"), _BE, word_set("of with limited up"), frozenset((A_NUMBER,)))),
    (_as_user, (word_set("as"), word_set("user role group account uid"))),
    (_imported, word_set("import Import")),
    (_region, word_set("region zone")),
)
"""Readers in order, each with the signs of which a sentence must hold one; they take a sentence and its masked form."""
