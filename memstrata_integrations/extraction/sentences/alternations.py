"""One key for one fact that was said with another word: verb or noun, "default" or "defaults to", pin or pinned.

Each rule is conditioned on the relation and on the kind of the value. The key keeps every word that tells things apart:
minimum and maximum, read and write, whose and where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.attribute_nouns import hired
from memstrata_integrations.extraction.sentences.equating import bare_words
from memstrata_integrations.extraction.sentences.lexicon import DEMONYMS, DURATION_NOUNS, PERSON_ROLES
from memstrata_integrations.extraction.sentences.nominals import act_of_noun, agent_of
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.rule_frames import DONE_WITHIN
from memstrata_integrations.extraction.sentences.verbs import verb_of
from memstrata_integrations.relations import Relation, known
from memstrata_integrations.values import number_part
from memstrata_integrations.words import singular, word_set

__all__ = ["in_one_frame", "one_name"]

_TRIM = "\"'`(),.;:"


_IS, _DEFAULTS, _PINNED, _VERSION = (known(n) for n in ("is", "defaults to", "is pinned to", "has version"))
_COUNTS, _LASTS, _COSTS, _LIVES_AT = (known(n) for n in ("has in number", "lasts", "costs", "lives at"))
_STARTS, _ENDS, _RUNS, _BUILT = (known(n) for n in ("starts at", "ends at", "runs every", "is built from"))
_RUNS_AT, _WORTH = known("runs at"), known("is worth")

_VERSION_LIKE = re.compile(r"[v^~<>=! ]*\d+(?:\.[\dx*]+)+")
_TAGGED = re.compile(r"[\w./-]+:\d?[\w.-]+")
_PINS = word_set("pin lock")
# Of these a version is one of several: what is read or spoken, not what runs
_OF_DEFAULTS, _OF_VERSIONS = word_set("default value"), word_set("version current")
_OF_FORMATS = word_set(
    "api schema protocol format file document spec standard web desktop windows mac linux "
    "print english german french spanish"
)
_CHARACTERS = word_set("character characters chars")
_LENGTHS = word_set("length long")
_HAVING = word_set("have contain")
_BERTHS = word_set(
    "room gate desk table platform pier bay berth booth studio hall floor stand track terminal locker lane court field "
    "pitch slot rack hangar"
)
_EXTENTS = word_set("length duration term")
_ALLOWED = word_set("entitlement allowance")
_PERIODS = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
}
_ARTICLES = frozenset(("the", "a", "an", "my", "our", "this", "that", "each"))
_TELLING_WHEN = word_set("on in during until before after since")
_PRICES = word_set("fee fees price prices charge charges cost costs fare fares")
_RATED = re.compile(r" (?:per|an?) (?P<period>night|day|hour|week|month|year|person|head|load|litre|kilo|mile|unit)\b")
_PAY = word_set("wage pay earnings")
_BOUNDARIES = word_set("start beginning end")
_BOUNDARY = re.compile(
    r"(?:(?P<owner>\S.*['’]s|[Mm]y|[Oo]ur) |[Tt]he )?(?P<edge>[Ss]tart|[Bb]eginning|[Ee]nd) of (?:the )?(?P<what>.+)\Z"
)
_OF_ADDRESSES = word_set("address home postal street residential")
_OTHER_ADDRESSES = word_set("billing shipping delivery mailing return work office ip mac email web")
_SEATING = frozenset(("seating",))
_SEATED = word_set(
    "person people guest seat passenger spectator student visitor attendee diner member employee pupil inhabitant"
)
_TOTALS = {"seats": "capacity", "members": "membership", "employees": "headcount"}
_HEADCOUNTS = word_set("capacity headcount population attendance enrolment enrollment membership turnout")
_TERMS = DURATION_NOUNS | word_set("warranty guarantee lease contract notice probation trial subscription")
_REQUESTS = word_set("request requests call calls")
_PHONE_WORDS = word_set("phone telephone tel mobile cell")
_LINES, _OF_PHONES = word_set("hotline helpline pager fax switchboard"), _PHONE_WORDS | {"number"}
# Verbs that say no more than that something happens
_LIGHT = word_set("hold take happen occur run repeat conduct perform do carry make have schedule require")
_INTERVALS = word_set("interval frequency cadence")
_OWN_WORDS = word_set("we they you people our")
# After what time this is done to a request is its timeout
_GIVEN_UP = word_set("cancelled canceled aborted killed terminated interrupted")
_TIMED_OUT = word_set(
    "query request call connection job build test operation upload download transaction statement command script task "
    "login handshake migration deployment render lookup search import export session step pipeline"
)


def in_one_frame(claim: Claim, written: str, kind: str) -> Claim:
    """Return a claim under the subject and relation that other words for it have, too.

    Args:
        claim: What a rule has read, its subject complete.
        written: Its value as written.
        kind: The dimension of its value.
    """
    rule = _BY_RELATION.get(claim.relation.name)
    return rule(claim, written, kind) if rule is not None and claim.start >= 0 else claim


def _of_is(claim: Claim, written: str, kind: str) -> Claim:
    words = bare_words(claim.subject)
    sort, head = kind.partition(":")[0], head_phrase(words)[0]
    if "default" in words:
        return _default(claim)
    if head == "image" and "base" in words and _TAGGED.fullmatch(written.strip("`")):
        return _renamed(claim, frozenset(("base", "image")), _BUILT)._replace(expected="identifier")
    if head in _PINS and _VERSION_LIKE.match(written):
        return _renamed(claim, _PINS | {"version"}, _PINNED)
    if head == "version" and _has_own_version(words):
        return _renamed(claim, _OF_VERSIONS, _VERSION)._replace(expected="version")
    if not _CHARACTERS.isdisjoint(words) or kind.startswith("count:character"):
        return _length(claim, written)
    if sort in ("code", "number") and head in _BERTHS:
        return claim._replace(subject=_of_act(claim.subject.split(), words.index(head)), expected="code")
    if sort == "number" and head == "count":
        return _renamed(claim, frozenset(("count",)), _COUNTS)
    if sort in ("duration", "months") and head in _ALLOWED:
        return _renamed(claim, _ALLOWED, _IS)
    if sort in ("duration", "months") and head in _EXTENTS:
        bare = _renamed(claim, _EXTENTS, _LASTS)
        return _lasting(bare, written, kind)
    if head in _HEADCOUNTS and sort == "count" and kind.rpartition(":")[2] in _SEATED:
        number = number_part(written)
        return _renamed(claim, _SEATING, _IS)._replace(end=claim.start + len(number), expected="number")
    if head == "capacity" and sort == "number":
        return _renamed(claim, _SEATING, _IS)
    if head == "rate" and sort == "frequency":
        return _renamed(claim, frozenset(("rate",)), _IS)
    if head == "time" and sort == "duration" and _is_timed(words):
        return _renamed(claim, frozenset(("time",)), _LASTS)
    if sort == "money":
        return _price(claim, kind, words)
    if sort == "time" and not _BOUNDARIES.isdisjoint(words):
        return _boundary(claim)
    street = kind == "address" and (written[:1].isdigit() or written.partition(",")[0].rstrip("abcd")[-1:].isdigit())
    street = street and not written.startswith(("PO ", "P.O", "Box "))  # post goes there, nobody lives there
    if street and head == "address" and _OTHER_ADDRESSES.isdisjoint(words):
        return _renamed(claim, _OF_ADDRESSES, _LIVES_AT)
    if sort in ("duration", "months") and not _INTERVALS.isdisjoint(words):
        return _interval(claim)
    if sort == "rate" and "limit" in words:
        return _renamed(claim, _REQUESTS, _IS)
    if sort == "email" and "address" in words:
        return _renamed(claim, frozenset(("address",)), _IS)
    if sort in ("size", "binary size") and head == "size":
        return _renamed(claim, frozenset(("size",)), _IS)
    if sort == "phone" and (not _LINES.isdisjoint(words) or (head == "number" and not _PHONE_WORDS.isdisjoint(words))):
        return _renamed(claim, _OF_PHONES if not _LINES.isdisjoint(words) else frozenset(("number",)), _IS)
    return claim


def one_name(subject: str) -> tuple[str, str | None]:
    """Return the words under which a claim of "is" about a subject is held, and its relation.

    Example:
        >>> one_name("the default branch"), one_name("the Debian version of zest"), one_name("the port")
        (('the branch', 'defaults to'), ('the Debian of zest', 'has version'), ('the port', None))
    """
    words = [w.strip(_TRIM).lower() for w in subject.split()]
    left_out, relation = frozenset[str](), None
    if words and words[-1] in _INTERVALS:
        return _of_interval(subject), _RUNS.name
    if "default" in words:
        left_out, relation = _OF_DEFAULTS, _DEFAULTS
    elif words and head_phrase(words)[0] == "version" and _has_own_version(words):
        left_out, relation = _OF_VERSIONS, _VERSION
    kept = _without(subject, left_out) if relation else None
    return (kept, relation.name) if kept is not None and relation is not None else (subject, None)


def _has_own_version(words: Sequence[str]) -> bool:
    """Whether a version is that of a thing, and no setting in a file."""
    return _OF_FORMATS.isdisjoint(words) and not any("/" in w or "_" in w or "." in w for w in words)


def _default(claim: Claim) -> Claim:
    """Put "the default of X is" under "X defaults to"."""
    return _renamed(claim, _OF_DEFAULTS, _DEFAULTS)


def _renamed(claim: Claim, left_out: frozenset[str], relation: Relation) -> Claim:
    """Return a claim without some words of its subject, unless they are all that it has."""
    kept = _without(claim.subject, left_out)
    return claim if kept is None else claim._replace(subject=kept, relation=relation)


def _without(subject: str, left_out: frozenset[str]) -> str | None:
    """Return a subject without some of its words, `None` if they are all that it has."""
    kept = [w for w in subject.split() if w.strip(_TRIM).lower() not in left_out]
    return " ".join(kept) if any(w.strip(_TRIM).lower() not in _EMPTY for w in kept) else None


def _of_act(words: list[str], head: int) -> str:
    """Name a place by the verb of what is done there: "the meeting room" is where they meet."""
    act = act_of_noun(words[head - 1]) if head else None
    return " ".join((*words[: head - 1], act, *words[head:])) if act else " ".join(words)


def _is_timed(words: Sequence[str]) -> bool:
    """Whether a time is how long an act takes: "delivery time", "boot time"."""
    at = words.index("time")
    return at > 0 and act_of_noun(words[at - 1]) is not None


def _price(claim: Claim, kind: str, words: Sequence[str]) -> Claim:
    """Put "the hourly wage is $25" beside "earns $25 an hour", and "the annual fee" beside "costs 480 a year"."""
    period = next((_PERIODS[w] for w in words if w in _PERIODS), None)
    if "/" not in kind and (rated := _RATED.search(claim.subject)) is not None:
        period, claim = rated["period"], claim._replace(subject=_RATED.sub("", claim.subject))
    if period is not None and "/" not in kind:
        claim = _renamed(claim, frozenset(_PERIODS), _IS)._replace(expected=f"{kind}/{period}")
    if claim.rule == "measure":
        return claim
    head = head_phrase(words)[0]
    if head in _PRICES or (head == "rate" and period is not None):
        costs = _renamed(claim, frozenset((head,)), _COSTS)
        left = costs.subject.lower().removeprefix("the ").split()
        # "On Mondays the price is $5": Mondays have no price, and "the fee on Mondays" may be another
        return claim if left[0] in _TELLING_WHEN and left[1:2] and left[1] not in _ARTICLES else costs
    if head in ("rent", "hire", "rental"):
        return hired(claim)
    if head in ("value", "worth"):
        return _renamed(claim, frozenset((head,)), _WORTH)
    if _PAY.isdisjoint(words):
        return claim
    return claim._replace(subject=" ".join("salary" if w in _PAY else w for w in claim.subject.split()))


def _boundary(claim: Claim) -> Claim:
    """Put "Zainab's start of work" under when her work starts."""
    match = _BOUNDARY.match(claim.subject)
    if match is None:
        return claim
    relation = _ENDS if match["edge"].lower() == "end" else _STARTS
    return claim._replace(subject=f"{match['owner'] or ''} {match['what']}".strip(), relation=relation)


_OF_MEANS = {
    "formatted-as": "format",
    "formatted-in": "format",
    "encoded-as": "encoding",
    "encoded-in": "encoding",
    "encoded-with": "encoding",
    "compressed-with": "compression",
    "licensed-under": "license",
}
# The noun that a value of this form shows
_BY_VALUE = (
    (
        word_set("released-under published-under distributed-under available-under offered-under"),
        re.compile(r"((?:the )?(?:[A-Z]*GPL|MIT|BSD|ISC|[ME]PL|CC|Apache|Boost|Zlib)[\w .-]*?)(?: licen[cs]e)?"),
        "license",
    ),
    (
        word_set("delivered-as exported-as shipped-as sent-as provided-as published-as saved-as stored-as served-as"),
        re.compile(
            r"((?:CSV|TSV|JSONL?|XML|YAML|TOML|PDF|HTML|ODT|DOCX|XLSX|MP3|Parquet|Avro|ORC|Markdown|Protobuf)s?)"
        ),
        "format",
    ),
    (
        word_set("taught-in held-in given-in conducted-in delivered-in written-in published-in"),
        re.compile(rf"((?:{'|'.join(w.capitalize() for w in sorted(DEMONYMS))}))"),
        "language",
    ),
)
# Whose holder a noun names that the table does not have for the verb
_CHARGES = tuple(
    f"is {done} by"
    for done in ("issued", "edited", "supervised", "presented", "audited", "supplied", "insured", "catered", "cleaned")
)
_JOBS = word_set("job cron task export import timer script cronjob")
_EMPTY = word_set("the a an of for in on at with by to our my its value setting")


def _length(claim: Claim, written: str) -> Claim:
    """Put "at most 64 characters long" under the length that it limits."""
    number = number_part(written)
    if not number.replace(",", "").isdigit():
        return claim
    bare = _renamed(claim, _CHARACTERS | _LENGTHS | _HAVING, _IS)
    if bare is claim:
        return claim
    said = bare.subject.removeprefix("limit of ")
    length = f"limit of length of {said}" if said != bare.subject else f"length of {said}"
    return bare._replace(subject=length, end=claim.start + len(number), expected="number")


def _done_every(claim: Claim, written: str, kind: str) -> Claim:
    """Put "secrets are rotated every 90 days" under the interval of their rotation."""
    done, _, what = claim.subject.partition(" ")
    return _interval(claim._replace(subject=f"{verb_of(done.lower())} {what}")) if what else claim


def _runs_every(claim: Claim, written: str, kind: str) -> Claim:
    first, _, rest = claim.subject.partition(" ")
    return _interval(claim._replace(subject=f"{first.lower()} {rest}") if act_of_noun(first.lower()) else claim)


def _interval(claim: Claim) -> Claim:
    """Name an interval by the act that it is of: "rotation", "rotate", "is rotated"."""
    return claim._replace(subject=_of_interval(claim.subject), relation=_RUNS)


def _of_interval(subject: str) -> str:
    """Return what an interval is of, its act first: "rotate of secrets"."""
    kept: list[str] = []
    act: int | None = None
    for n, word in enumerate(subject.split()):
        plain = word.strip(_TRIM).lower()
        if plain in _INTERVALS:
            act = len(kept) - 1 if kept and act_of_noun(kept[-1]) else act
        elif not (plain in _LIGHT and not n) and not (plain in _OWN_WORDS and n):
            kept.append(word)
    if not any(w.lower() not in _EMPTY for w in kept):
        return subject
    if act is None:
        act = next((n for n, w in enumerate(kept) if act_of_noun(w.lower() if not n else w)), None)
    if act is None:
        return " ".join(kept)
    return f"{act_of_noun(kept[act].lower())} of {' '.join(kept[:act] + kept[act + 1 :])}"


def _lasting(claim: Claim, written: str, kind: str) -> Claim:
    words = [w.strip(_TRIM).lower() for w in claim.subject.split()]
    while words and words[0] in _EMPTY:
        words = words[1:]
    return claim._replace(relation=_IS) if words and head_phrase(words)[0] in _TERMS else claim


def _done_by(claim: Claim, written: str, kind: str) -> Claim:
    """Put "the certificate is issued by X" under its issuer, "is formatted as X" under its format."""
    done, _, what = claim.subject.partition(" ")
    noun = _OF_MEANS.get(done) or (agent_of(done[:-3]) if done.endswith("-by") else None)
    for verbs, kind_of_value, named in _BY_VALUE if noun is None else ():
        if done in verbs and (shown := kind_of_value.fullmatch(written)) is not None:
            noun, claim = named, claim._replace(end=claim.start + shown.end(1))
    expected = "name" if noun in PERSON_ROLES else claim.expected
    return claim._replace(subject=f"{noun} of {what}", relation=_IS, expected=expected) if noun and what else claim


def _by_agent(claim: Claim, written: str, kind: str) -> Claim:
    """Put "the thesis is supervised by X" under its supervisor."""
    agent = agent_of(claim.relation.name.split()[1])
    if agent is None:
        return claim
    expected = "name" if agent in PERSON_ROLES else None
    return claim._replace(subject=f"{agent} of {claim.subject}", relation=_IS, expected=expected)


def _runs_at(claim: Claim, written: str, kind: str) -> Claim:
    """Put when a job starts, fires or is scheduled for under when it runs."""
    words = claim.subject.lower().split()
    return claim._replace(relation=_RUNS_AT) if kind.startswith("time") and not _JOBS.isdisjoint(words) else claim


def _timeout(claim: Claim, written: str, kind: str) -> Claim:
    """Put "queries are cancelled after 10 minutes" under their timeout."""
    words = [w.strip(_TRIM).lower() for w in claim.subject.split()]
    ended = _GIVEN_UP.intersection(words)
    if len(ended) != 1 or kind != "duration" or _TIMED_OUT.isdisjoint(map(singular, words)):
        return claim
    what = " ".join(w for w in claim.subject.split() if w.strip(_TRIM).lower() not in ended)
    return claim._replace(subject=f"timeout of {what}", relation=_IS)


def _answered(claim: Claim, written: str, kind: str) -> Claim:
    """Put "tickets are answered within 2 hours" under their response time, "are reviewed" under their review time."""
    words = [w.strip(_TRIM).lower() for w in claim.subject.split()]
    done = DONE_WITHIN.keys() & words
    if len(done) != 1 or kind not in ("duration", "months"):
        return claim
    what = " ".join(w for w in claim.subject.split() if w.strip(_TRIM).lower() not in done)
    return _of_is(claim._replace(subject=f"{DONE_WITHIN[done.pop()]} time for {what}", relation=_IS), written, kind)


def _of_version(claim: Claim, written: str, kind: str) -> Claim:
    words = [w.strip(_TRIM).lower() for w in claim.subject.split()]
    if head_phrase(words)[0] in _PINS and _VERSION_LIKE.match(written):
        return _renamed(claim, _PINS | {"version"}, _PINNED)
    if claim.subject.endswith(" at least"):
        return claim._replace(subject=f"minimum {claim.subject.removesuffix(' at least')}")
    return claim


def _of_default(claim: Claim, written: str, kind: str) -> Claim:
    return _default(claim) if "default" in claim.subject.lower().split() else claim


def _of_number(claim: Claim, written: str, kind: str) -> Claim:
    words = [w.strip(_TRIM).lower() for w in claim.subject.split()]
    if words[0] in _TOTALS and words[1:2] in (["of"], ["in"], ["on"], ["at"]):
        number = number_part(written)
        said = f"{_TOTALS[words[0]]} of {claim.subject.split(' ', 2)[2]}"
        return claim._replace(subject=said, relation=_IS, end=claim.start + len(number), expected="number")
    if "needed" in words or "required" in words:
        return claim._replace(
            subject=" ".join("need" if w in ("needed", "required") else w for w in claim.subject.split())
        )
    return claim


_BY_RELATION = {
    "is": _of_is,
    "defaults to": _of_default,
    "has version": _of_version,
    "is done every": _done_every,
    "runs every": _runs_every,
    "lasts": _lasting,
    "is done thus": _done_by,
    **dict.fromkeys((*_CHARGES, "is rendered by", "is parsed by"), _by_agent),
    **dict.fromkeys(("fires at", "starts at", "is scheduled for", "is at"), _runs_at),
    "has in number": _of_number,
    "costs": lambda claim, _written, _kind: hired(claim),
    "is done after": _timeout,
    "is done within": _answered,
}
