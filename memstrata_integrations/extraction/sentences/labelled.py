"""Values that a noun or a form of words labels: "in the X-Sig header", "at depth 12", "on port 6006".

The noun says of which kind the value is and "the" that there is one; the key is all else that the sentence says.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.governing import HANDLED
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.specifying import ALARMS, claim_of, is_quiet, measure_at, subject_of
from memstrata_integrations.extraction.sentences.verbs import MANY_VERBS, base_of, is_participle, verb_of
from memstrata_integrations.relations import known
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import singular, word_set

__all__ = ["LABELLED"]

_LISTENS = known("listens on")
_KIND = (
    r"(?P<noun>header|parameter|query parameter|query string|cookie|field|column|queue|topic|bucket|table|schema"
    r"|namespace"
    r"|branch|channel|directory|folder|stream|exchange|index|database|registry|partition|keyspace|collection|prefix"
    r"|environment variable|env var|dead-letter queue|log group|node pool|runner|profile|project|workspace"
    r"|cohort|group|tier|plan"
    r"|pool|segment|ring|class|lane|environment|zone|cluster|format|mode|encoding|charset|layout|locale)"
)
_KINDS = word_set(
    "header parameter string cookie field column queue topic bucket table schema namespace branch channel directory "
    "folder stream exchange index database registry partition keyspace collection prefix variable var group pool "
    "runner profile project workspace cohort tier plan segment ring class lane environment zone cluster format mode "
    "encoding charset layout locale"
)
_IN_KIND = re.compile(
    r" (?P<verb>(?:is|are|gets|get) [a-z]+|[a-z]+(?: up| out| off)?(?: itself| themselves)?) (?P<prep>in|via"
    r"|through|under|on"
    r"|to|into|with|from|by) (?:(?P<article>the|an?) )?(?P<quote>[`\"']?)(?P<value>[A-Za-z0-9_/.#-]+)(?P=quote) "
    rf"{_KIND}(?=\Z| (?:in|on|for|at|of) )"
)
_CODED = re.compile(r"[-_./#\d]|[a-z][A-Z]")
_WORDED = word_set("format mode encoding charset layout locale")  # plain words name these
_NO_GOVERNORS = MANY_VERBS | word_set(
    "subscribe listen depend use call need require have be add copy mirror replicate write"
)
_LABELLED = re.compile(
    r" (?P<verb>(?:is|are|gets|get) [a-z]+|[a-z]+s?) (?P<prep>at|to|with|on|from) (?P<label>depth|level|priority"
    r"|concurrency"
    r"|quality|verbosity|temperature|seed|compression level|nesting depth|isolation level|log level|size|width"
    r"|scale|offset"
    r"|volume) (?P<value>\d+(?:\.\d+)?|[A-Z]{3,}|debug|info|warning|error)(?=\Z| (?:in|on|for) )"
)
_REQUIRED = re.compile(
    r"(?P<name>[A-Z@][\w.+-]*(?: [A-Z][\w.+-]*)?) (?P<value>v?\d[\w.]*)(?: or (?:newer|later|higher"
    r"|above))? is (?:required|needed"
    r"|necessary|enough|the minimum) (?P<rest>(?:to|for|on|in) \S.{2,80})\Z"
)
_ABBREVIATED = re.compile(
    r"(?P<what>(?:(?:The|Our) )?(?P<name>[A-Z]{2,6})(?: (?:of|for|on|in) [^,;:]{2,50}?)?) (?:is|stays"
    r"|remains)(?: at)? (?=[\d])"
)
_PUBLISHED = re.compile(
    r" is (?P<done>published|documented|exposed|served|advertised|announced|maintained|mirrored|listed"
    r"|listening) at (?=https?://|/|~|[a-z]"
    r"[\w-]*\.[a-z])"
)
_TYPES = (
    r"string|str|number|integer|int|float|double|decimal|bool|boolean|list|tuple|dict|set|frozenset|array|object"
    r"|map|deque|"
    r"generator|iterator|enum|datetime|date|timestamp|UUID|bytes|bytearray|coroutine|promise|property|namedtuple"
    r"|dataclass"
)
_ATTRIBUTE_IS = re.compile(rf"`(?P<what>\w+(?:\.\w+)*\.[a-z_]\w*)` (?:is|holds|stays) an? (?P<value>{_TYPES})\Z")
_RETURNS_NAMED = re.compile(
    r"`(?P<what>[\w.]+\([^`]*\))` (?:returns|yields|gives back|resolves to) (?:an? )?`(?P<value>[A-Z]\w+)`\Z"
)
_ON_PORT = re.compile(
    r" (?:is|are|sits|lives|runs|answers|listens) on (?:TCP |UDP )?port (?P<value>\d{2,5})(?=\Z| (?:in|on|for) )"
)
_RUN_WITH = re.compile(
    r" (?:is|are) (?P<done>triggered|started|done|rolled out|rolled back|initiated|launched|built|deployed"
    r"|created|seeded|reset"
    r"|cleared|flushed|rotated|generated|applied|tested|run) (?:with|via|using|through|by running"
    r"|by calling) `(?P<value>[^`]+)`"
)
_CONFINED = re.compile(r" (?:is|are) (?P<done>restricted|confined|scoped|bound|locked|pinned|routed) to (?=[`\"'/a-z])")
_STORED_AS = re.compile(
    r" (?:is|are) (?P<done>stored|typed|declared|kept|mapped|modelled|modeled|represented|defined) as (?:an? )?`?"
    r"(?P<value>[A-Z]{3,}(?: [A-Z]+)?(?:\([\d, ]+\))?)`?\Z"
)
_SHOWS_UP = re.compile(r" (?P<verb>shows?|turns?|ends?|lands?|surfaces?|goes|go|pops?)(?: up)? in (?=[A-Z`])")
_ON_TOP = re.compile(r" (?:sits|runs|lives|is built|is layered|builds|rests) (?:on top of|atop) (?=[A-Z`a-z])")
_PROTOCOL = re.compile(
    r" (?P<verb>(?:is|are) [a-z]+|[a-z]+) (?:over|via) (?P<value>MQTT|AMQP|HTTPS?|HTTP/[23]|gRPC|REST|SOAP|GraphQL"
    r"|WebSockets?|WebRTC|SFTP|FTPS?|SSH|SMTP|IMAP|TCP|UDP|QUIC|TLS|NATS|Bluetooth|LoRa(?:WAN)?|CAN|Modbus|SNMP"
    r"|Thrift|JSON-RPC"
    r"|OPC UA|Zigbee|NFS|SMB|iSCSI|rsync|EDI|AS2)(?=\Z| (?:in|on|for) )"
)
_FIND = re.compile(
    r"(?:(?:You|People)(?:['’]ll| will| can)? )?[Ff]ind (?P<what>(?:the |our "
    r"|all )?[a-z][^,;:]{3,60}?) (?P<prep>under|in|at) `?"
    r"(?P<value>(?:[\w.-]+/)+[\w.*-]*|https?://\S+|~?/[^\s,;`]+)`?\Z"
)
_IS_NAMED = re.compile(r"(?:The|Our) (?P<what>\S.*?) is (?P<value>[a-z][a-z0-9]*(?:-[a-z0-9]+)+)\Z")
_NAMED_THINGS = word_set(
    "org organisation organization workspace project namespace bucket cluster image repo repository package"
    " chart user account"
    " database schema topic queue branch host server pool runner group role profile stack tenant realm vault"
    " registry context"
)
_DESCRIBING = re.compile(
    r".*(?:ed|able|ible|ive|only|friendly|free|safe|aware|less|ful|ready|wide|based|driven|ing|ly|like)\Z"
)
_DEFAULTS_WORD = re.compile(r" defaults? to (?P<value>[a-z][\w-]*)\Z")
_TIMES = frozenset(("time", "date", "day", "weekday"))
_GENERIC = re.compile(
    r"(?:An?|One|Your) (?P<what>(?:[a-z-]+ )?(?:tick|lease|session|page|token|batch|block|chunk|segment|trial"
    r"|heartbeat|frame|window"
    r"|cart|lock|snapshot|shard|tile|sprint|slot|span|packet|cookie|link|code|key|epoch|era|cycle|block|bucket"
    r"|cell|pod|worker"
    r"|seat|credit|invite|invitation|password|certificate|backup|probe|beat)) (?P<verb>is|lasts|holds|has"
    r"|expires after|ends"
    r" after|takes|weighs|contains|covers|lives for|is valid for|runs for|spans) (?=\d)"
)


def _claim(subject: str, span: tuple[int, int], rule: str, expected: str | None = "text") -> Claim | None:
    return claim_of(subject, span, f"labelled: {rule}", expected)


def _in_kind(core: str, hidden: str) -> Claim | None:
    """Read "The signature of a webhook travels in the X-Wren-Signature header"."""
    match = _IN_KIND.search(core)
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if (
        match is None
        or subject is None
        or tail is None
        or not (match["quote"] or match["noun"] in _WORDED or _CODED.search(match["value"]))
    ):
        return None
    words = match["verb"].split()
    passive = words[0] in ("is", "are", "gets", "get")
    if passive and not (len(words) > 1 and is_participle(words[1])):
        return None
    if match["article"] is None and match["noun"] not in _WORDED:
        return None
    verb = verb_of(words[1]) if passive else base_of(words[0])
    indefinite = match["article"] in ("a", "an")
    if verb is None or verb in _NO_GOVERNORS or (indefinite and match["prep"] not in ("with", "by")):
        return None
    if not passive and words[0] == verb and not is_plural(head_phrase(subject.lower().split())[0]):
        return None
    if match["prep"] == "from" and verb in ("come", "read"):
        return None  # perhaps from another one as well
    said = f"{verb}-{match['prep']} {match['noun']} of {subject} {tail}"
    return _claim(said, match.span("value"), "kind")


def _labelled(core: str, hidden: str) -> Claim | None:
    """Read "Recursion in the walker stops at depth 12"."""
    match = _LABELLED.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None:
        return None
    words = match["verb"].split()
    verb = verb_of(words[-1]) if len(words) > 1 else base_of(words[0])
    if verb is None or verb in ALARMS or verb in _NO_GOVERNORS or len(subject.split()) < 2:
        return None
    return _claim(f"{verb}-{match['prep']} {match['label']} of {subject} {tail}", match.span("value"), "number")


def _required(core: str, hidden: str) -> Claim | None:
    """Read "Node 18 is required to run the docs locally"."""
    match = _REQUIRED.match(hidden)
    if match is None or not is_quiet(match["rest"]):
        return None
    rest = core[slice(*match.span("rest"))]
    return _claim(f"{match['name']} needed {rest}", match.span("value"), "required", "version")


def _abbreviated(core: str, hidden: str) -> Claim | None:
    """Read "MSRV is 1.65 for the core crate"."""
    match = _ABBREVIATED.match(hidden)
    if match is None or not is_quiet(match["what"]):
        return None
    found = find_typed(core, match.end(), len(core))
    tail = qualifiers(core[found[2] :]) if found else None
    if (
        found is None
        or tail is None
        or found[3] not in ("number", "technical")
        or not (tail or " " in match["what"].strip())
    ):
        return None
    if canonical_value(core[found[0] : found[1]])[1].partition(":")[0] in _TIMES:
        return None
    return _claim(f"{match['what']} {tail}", (found[0], found[1]), "abbreviated", None)


def _published(core: str, hidden: str) -> Claim | None:
    """Read "The chart is published at https://charts.wren.dev"."""
    match = _PUBLISHED.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or is_plural(subject.split()[-1].lower()):
        return None
    if found[3] not in ("technical", "quoted") or subject.split()[0].lower() not in ("the", "our"):
        return None
    return _claim(f"{match['done']}-at {subject} {tail}", (found[0], found[1]), "published")


def _attribute_is(core: str, hidden: str) -> Claim | None:
    """Read "`Node.children` is a tuple" and "`parse_row()` returns `Entry`"."""
    if core[:1] != "`":
        return None
    match = _ATTRIBUTE_IS.match(core)
    if match is not None:
        return _claim(f"type of {match['what']}", match.span("value"), "attribute")
    match = _RETURNS_NAMED.match(core)
    return _claim(f"return type of {match['what']}", match.span("value"), "returns") if match else None


def _on_port(core: str, hidden: str) -> Claim | None:
    """Read "Storybook for the design system is on port 6006"."""
    match = _ON_PORT.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None:
        return None
    if is_plural(head_phrase(subject.lower().split())[0]):
        return None
    return Claim(f"{subject} {tail}".strip(), _LISTENS, *match.span("value"), "labelled: port", "port")


def _defaults_word(core: str, hidden: str) -> Claim | None:
    """Read "`color` defaults to auto"."""
    match = _DEFAULTS_WORD.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None or not ("`" in subject or is_identifier(subject.split()[-1])):
        return None
    return Claim(subject, known("defaults to"), *match.span("value"), "labelled: defaults")


def _generic(core: str, hidden: str) -> Claim | None:
    """Read "A tick is 20 ms": so is each of them."""
    match = _GENERIC.match(hidden)
    found = measure_at(core, match.end()) if match else None
    if match is None or found is None or canonical_value(core[slice(*found[0])])[1] == "number":
        return None
    return _claim(f"{match['verb']} of {match['what']} {found[1]}", found[0], "generic", None)


def _protocol(core: str, hidden: str) -> Claim | None:
    """Read "Metrics from the vessels arrive over MQTT"."""
    match = _PROTOCOL.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or len(subject.split()) < 2:
        return None
    words = match["verb"].split()
    if (len(words) > 1 and not is_participle(words[1])) or (len(words) == 1 and base_of(words[0]) is None):
        return None
    said = core[match.start() : match.start("value")]
    if not is_quiet(said):
        return None
    return _claim(f"{said} of {subject} {tail}", match.span("value"), "protocol")


def _find(core: str, hidden: str) -> Claim | None:
    """Read "You'll find the design docs under docs/adr"."""
    match = _FIND.match(core)
    if match is None or not is_quiet(match["what"]):
        return None
    return _claim(f"found-{match['prep']} {match['what']}", match.span("value"), "find")


def _is_named(core: str, hidden: str) -> Claim | None:
    """Read "The org on GitHub is wren-labs"."""
    match = _IS_NAMED.match(hidden) if "-" in hidden else None
    subject = subject_of(core, hidden, match.end("what")) if match else None
    if match is None or subject is None or _DESCRIBING.match(match["value"]) or len(subject.split()) < 3:
        return None
    head = head_phrase([w.strip("`\"'").lower() for w in subject.split()])[0]
    return _claim(f"name of {subject}", match.span("value"), "named") if head in _NAMED_THINGS else None


def _run_with(core: str, hidden: str) -> Claim | None:
    """Read "Rollbacks of the api are triggered with `make rollback`"."""
    match = _RUN_WITH.search(core) if "`" in core else None
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(core[match.end() :]) if match else None
    if match is None or subject is None or tail is None or len(subject.split()) < 2:
        return None
    return _claim(f"{match['done']} with of {subject} {tail}", match.span("value"), "run with")


def _confined(core: str, hidden: str) -> Claim | None:
    """Read "CORS is restricted to https://app.wren.dev"."""
    match = _CONFINED.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    tail = qualifiers(core[found[2] :]) if found else None
    if match is None or subject is None or found is None or tail is None or found[3] not in ("technical", "quoted"):
        return None
    return _claim(f"{match['done']}-to {subject} {tail}", (found[0], found[1]), "confined")


def _stored_as(core: str, hidden: str) -> Claim | None:
    """Read "`parcels.weight` is stored as NUMERIC(8,2)"."""
    match = _STORED_AS.search(core)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None or not ("`" in subject or is_identifier(subject.split()[-1])):
        return None
    return _claim(f"type of {subject}", match.span("value"), "stored as")


def _shows_up(core: str, hidden: str) -> Claim | None:
    """Read "Errors of the mobile app show up in Sentry": of what is handled as one, one place."""
    match = _SHOWS_UP.search(hidden)
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
    words = subject.lower().split()
    if singular(head_phrase(words)[0]) not in HANDLED or len(words) < 3:
        return None
    said = f"{verb_of(match['verb'])}-in {words[0]} {' '.join(subject.split()[1:])} {tail}"
    return _claim(said, (found[0], found[1]), "shows up")


def _on_top(core: str, hidden: str) -> Claim | None:
    """Read "The feature store sits on top of Redis"."""
    match = _ON_TOP.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or subject is None or found is None or core[found[2] :].strip():
        return None
    if found[3] not in ("name", "quoted", "technical") or is_plural(head_phrase(subject.lower().split())[0]):
        return None
    return _claim(f"on top of {subject}", (found[0], found[1]), "on top")


LABELLED: tuple[tuple[Callable[[str, str], Claim | None], Needles], ...] = (
    (_in_kind, (word_set("in via through under on to into with from by"), _KINDS)),
    (
        _labelled,
        (
            word_set("at to with on from"),
            word_set(
                "depth level priority concurrency quality verbosity temperature seed size width scale offset volume"
            ),
        ),
    ),
    (_required, (word_set("is"), word_set("required needed necessary enough minimum"))),
    (_abbreviated, (word_set("is stays remains"), frozenset((A_NUMBER,)))),
    (
        _published,
        (
            word_set("at"),
            word_set("published documented exposed served advertised announced maintained mirrored listed listening"),
        ),
    ),
    (_attribute_is, word_set("a an returns yields gives resolves")),
    (_on_port, word_set("port")),
    (_protocol, word_set("over via")),
    (_find, word_set("Find find")),
    (_is_named, (word_set("is"), word_set("The Our"))),
    (_run_with, word_set("is are")),
    (_confined, (word_set("to"), word_set("restricted confined scoped bound locked pinned routed"))),
    (
        _stored_as,
        (word_set("as"), word_set("stored typed declared kept mapped modelled modeled represented defined")),
    ),
    (
        _shows_up,
        (
            word_set("in"),
            word_set("show shows turn turns end ends land lands surface surfaces goes go pop pops"),
        ),
    ),
    (_on_top, word_set("top atop")),
    (_defaults_word, word_set("default defaults")),
    (_generic, (word_set("A An One Your"), frozenset((A_NUMBER,)))),
)
"""Readers in order, each with the signs of which a sentence must hold one; they take a sentence and its masked form."""
