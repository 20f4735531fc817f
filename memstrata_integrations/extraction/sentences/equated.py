"""The verb and the noun of one property of a system: "logs to x" is its log file, "is signed with x" its algorithm.

A claim of the one or the other is put under one key where the kind of its value leaves no doubt: a path and a bucket, a
date and a length of time, a channel and an address never meet. Every word that tells properties apart stays in the key.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.comparing import sort_of
from memstrata_integrations.extraction.sentences.count_keys import in_one_measure
from memstrata_integrations.extraction.sentences.equated_amounts import (
    allowed,
    answered,
    of_amount,
    of_flow,
    of_interval,
    scheduled,
    weighs,
)
from memstrata_integrations.extraction.sentences.equating import Named, flowing, taken_apart
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.one_verb import of_code, one_verb
from memstrata_integrations.extraction.sentences.verbs import participle_of
from memstrata_integrations.relations import known, relation_of
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import holds_any, singular, word_set

__all__ = ["equated"]

_TRIM = "\"'`(),.;:"
_IS, _THUS, _COUNTS, _LOCATED = (known(n) for n in ("is", "is done thus", "has in number", "is located at"))
_ROUTED, _SORTED, _LISTENS, _SERVED = (known(n) for n in ("is routed to", "is sorted by", "listens on", "is served at"))
_EXPIRES_ON, _EXPIRES_AFTER, _REGION = (known(n) for n in ("expires on", "expires after", "is in region"))
_EVERY, _SCHEDULED, _BUILT = (known(n) for n in ("runs every", "is scheduled for", "is built from"))
_NAMED, _REQUIRES_PYTHON = known("is named"), known("requires python")

_OF_CODE = re.compile(r"\b(?:[Ff]unction|helper|[Mm]ethod|routine|[Cc]lass)\b")
_IN_CODE = ("unction", "helper", "ethod", "routine", "lass")  # one of them in each match of `_OF_CODE`
_AMOUNTS = frozenset(("number", "size", "binary size", "duration", "rate", "count", "percent", "bits"))
_TEXTS = frozenset(("text", "name", "identifier"))


def equated(claim: Claim, written: str, kind: str) -> Claim:
    """Return a claim under the key that the verb and the noun of its property share.

    Args:
        claim: What a rule has read, its subject complete.
        written: Its value as written.
        kind: The dimension of its value.
    """
    if claim.start < 0:
        return claim
    rule = _BY_RELATION.get(claim.relation.name)
    found = rule(claim, written, kind) if rule is not None else None
    if found is not None and found.subject.strip(" ,"):
        claim = found
    if holds_any(claim.subject, _IN_CODE) and _OF_CODE.search(claim.subject) is not None:
        claim = claim._replace(subject=of_code(claim.subject))
    return in_one_measure(one_verb(claim, written, kind), written, kind)


# --- where something is kept ---

_KEEPING = word_set(
    "stored-in stored-at stored-under saved-in saved-to saved-at kept-in kept-at written-to write-to logged-to log-to "
    "archived-in archived-to uploaded-to held-in dumped-to dump-to save-to persisted-in persisted-to exported-to "
    "backed-up-to placed-in put-in collected-in"
)
_OF_CONFIG = word_set("config configuration settings setting conf")
_FILE = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[\\/]\S*?\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_RELATIVE = re.compile(r"(?=[a-z])[\w.{}-]+(?:/[\w.{}-]+)+/?\Z")
_STORE = re.compile(r"(?=\S*[-_\d])[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+\Z")
_CLOUD_REGION = re.compile(
    r"(?:us|eu|ap|sa|ca|me|af|il|cn|asia|europe|northamerica|southamerica|australia|africa)"
    r"-(?:gov-)?(?:north|south|east|west|central)\w*-?\d?\w?\Z"
)
_HOLDERS = {
    "where: file": word_set("file path location destination"),
    "where: directory": word_set("directory folder path location destination dir"),
    "where: url": word_set("bucket location destination"),
    "where: bucket": word_set("bucket volume"),
}
_HOLDERS["where: file name"] = _HOLDERS["where: file"]
_HOLDING = frozenset[str]().union(*_HOLDERS.values())
# "The working directory" is none of work
_NOT_KEPT = word_set(
    "home working root base current main default temp temporary tmp source target lock pid socket install "
    "installation new old first primary secondary local remote public private shared full absolute relative key "
    "certificate mount search import include library bin binary build project repo repository"
)


def _where(written: str) -> str | None:
    """Name the kind of place that a value is, if it is one of a machine's."""
    bare = written.strip("`'\" ")
    if "://" in bare:
        return "where: url" if bare.startswith(("s3:", "gs:", "az:", "file:", "hdfs:", "abfs:")) else None
    if bare.startswith(("/", "~", "./", "../", "\\")) or bare[1:3] in (":\\", ":/"):
        return "where: file" if _FILE.match(bare) else "where: directory"
    if canonical_value(bare)[1] == "path":
        return "where: file" if "/" in bare else "where: file name"
    if _RELATIVE.match(bare):
        return "where: directory"
    return "where: bucket" if _STORE.match(bare) and not _CLOUD_REGION.match(bare) else None


def _located(claim: Claim, subject: str, written: str) -> Claim | None:
    kind = _where(written)
    if kind is None or not subject:
        return None
    return claim._replace(subject=flowing(subject), relation=_LOCATED, expected=kind)


def _of_place(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put "its logs are written to x" beside "its log file is x"."""
    if claim.relation.name == "is read from" and not _of_config(claim.subject):
        return None
    if kind in ("host", "url") and not claim.relation.name.startswith("is written"):
        return claim._replace(relation=_SERVED, expected="address") if _where(written) is None else None
    if claim.relation.name == "lives at" and kind not in ("path", "file"):
        return None
    if claim.relation.name == "is defined in":  # "lives in /opt/gems" is no place in a file
        return _located(claim, claim.subject, written) if _where(written) == "where: directory" else None
    placed = claim._replace(relation=_LOCATED) if claim.relation.name == "lives at" else None
    return _routed_check(claim, kind) or _located(claim, claim.subject, written) or placed


def _of_config(subject: str) -> bool:
    named = taken_apart(subject)
    return named is not None and named.head in _OF_CONFIG


_CHECKING = word_set("health liveness readiness heartbeat")
_CHECKS = word_set("check endpoint path route probe url")


def _routed_check(claim: Claim, kind: str) -> Claim | None:
    """Put the health check, health endpoint and health path of a service under one name."""
    if kind not in ("path", "endpoint", "address", "file"):
        return None
    words = claim.subject.split()
    at = next((n for n, w in enumerate(words) if w.lower() in _CHECKING), None)
    if at is None:
        return None
    kept = [w for n, w in enumerate(words) if n <= at or w.lower() not in _CHECKS]
    return claim._replace(subject=" ".join(kept), relation=_LOCATED, expected="where: route")


# --- what is done how ---

_MEANS = word_set("algorithm method scheme tool cipher")
_SELF_MEANS = word_set("compression encryption hashing")
_NOUNS_OF_ACTS = {"signature": "sign", "serialisation": "serialize", "authorisation": "authorize"}


def _of_noun(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put an attribute that a noun names under the verb that states it as well."""
    named = taken_apart(claim.subject)
    if named is None:
        return None
    sort = kind.partition(":")[0]
    modifier = named.modifier.lower().strip(_TRIM)
    if named.head == "type" and modifier == "return":
        return claim._replace(relation=_THUS, expected="text")
    if (by := _DONE_BY.match(written)) is not None and claim.rule.startswith("clause"):
        return _done_by(claim, by)
    if _OFTEN.fullmatch(written) and (act := act_of_noun(named.head)) not in (None, named.head) and named.without():
        return claim._replace(subject=f"{act} of {named.without()}", relation=_EVERY, expected="period")
    if named.head == "class" and modifier in ("parent", "super") and claim.relation is _NAMED:
        return claim._replace(subject=claim.subject.replace(named.modifier, "base", 1))
    if sort == "time" and named.head == "schedule" and (named.modifier or named.rest):
        return claim._replace(subject=named.without(), relation=known("runs at"))
    if sort in _AMOUNTS:
        return of_amount(claim, named, written, kind)
    if sort == "date" and named.head in ("expiry", "expiration") and named.without():
        return claim._replace(subject=named.without(), relation=_EXPIRES_ON, expected=None)
    if sort == "date" and named.head == "date" and modifier in ("expiry", "expiration"):
        return claim._replace(subject=named.without(modifier=True), relation=_EXPIRES_ON, expected=None)
    if sort == "url" and named.head == "url" and (modifier in _SITES or (not modifier and named.rest)):
        return claim._replace(subject=named.without(), relation=_SERVED, expected="address")
    if (checked := _routed_check(claim, sort)) is not None:
        return checked
    if sort == "email" and singular(named.head) in _SENT_IN:
        return claim._replace(relation=_ROUTED, expected="text")
    holders = _HOLDERS.get(_where(written) or "") if named.head in _HOLDING else None
    unnamed = named.head == "location" and not modifier and bool(named.rest)
    if holders is not None and named.head in holders and (unnamed or _is_kept(modifier, named.modifier)):
        return _located(claim, named.without(), written)
    if (named.head in _OF_CONFIG or claim.rule.endswith("reads from")) and sort == "path":
        return _located(claim, claim.subject, written)
    return _of_means(claim, named, modifier, written) if sort in _TEXTS else None


_OFTEN = re.compile(r"(?:hourly|daily|weekly|monthly|yearly|every (?:\d+ )?(?:minute|hour|day|week|month)s?)")
_DONE_BY = re.compile(
    r"(?P<done>[a-z]+ed) (?:(?P<by>by) (?P<what>`[^`]+`|[\w.]+(?: [\w.]+)?)"
    r"|(?P<often>hourly|daily|weekly|monthly|yearly))\Z"
)
_BY_VALUES = word_set("partitioned sharded grouped clustered keyed indexed bucketed")


def _done_by(claim: Claim, by: re.Match[str]) -> Claim | None:
    """Read the "partitioned by month" and the "refreshed hourly" that a thing is said to be."""
    done = by["done"]
    if done == "backed" and by["what"]:
        start = claim.start + by.start("what")
        return claim._replace(subject=f"backend of {claim.subject}", start=start, expected="text")
    if by["often"]:
        start = claim.start + by.start("often")
        act = act_of_noun(_base(done))
        if act is None:
            return None
        return claim._replace(subject=f"{act} of {claim.subject}", relation=_EVERY, start=start, expected="period")
    if done not in _BY_VALUES:
        return None
    start = claim.start + by.start("what")
    return claim._replace(subject=f"{done}-by {claim.subject}", relation=_THUS, start=start, expected="text")


# What has an address that it is sent to
_SENT_IN = word_set(
    "invoice complaint request order application report bill return submission enquiry inquiry question feedback "
    "booking registration referral claim receipt quote abstract entry reservation donation notification alert"
)
_SITES = word_set("docs documentation wiki dashboard site website homepage portal repo repository console forum blog")


def _is_kept(modifier: str, as_written: str) -> bool:
    return (modifier.isalpha() and as_written[:-1].islower() and modifier not in _NOT_KEPT) or modifier in (
        "logs",
        "log",
        "config",
    )


def _of_means(claim: Claim, named: Named, modifier: str, written: str) -> Claim | None:
    """Put "the signing algorithm of x" under what x is signed with, "the sort order" under what it is sorted by."""
    act = _NOUNS_OF_ACTS.get(modifier) or act_of_noun(modifier)
    if act is not None and named.head in _MEANS:
        return _done(claim, participle_of(act), "with", named.without(modifier=True))
    if named.head == "language" and modifier in ("implementation", "programming"):
        return _done(claim, "written", "in", named.without(modifier=True))
    if named.head in _SELF_MEANS:
        return _done(claim, participle_of(act_of_noun(named.head) or named.head), "with", named.without())
    if act == "sort" and named.head in ("order", "key", "field") and claim.expected is None:
        return claim._replace(subject=named.without(modifier=True), relation=_SORTED, expected="text")
    if act in ("partition", "shard", "group") and named.head in ("key", "column", "field"):
        return _done(claim, participle_of(act), "by", named.without(modifier=True))
    if act in ("deploy", "release", "build") and named.head == "branch":
        return _done(claim, participle_of(act), "from", named.without(modifier=True))
    if named.head == "channel" and modifier and written.strip("`'\"")[:1] == "#":
        return claim._replace(subject=named.without(), relation=_ROUTED, expected="text")
    if named.head == "region" and sort_of(written.lower().strip("`"), _LOCATED.name, "in") == "region":
        cloud = modifier in ("aws", "gcp", "azure", "cloud", "deployment", "hosting")
        whose = named.without(modifier=cloud)
        return claim._replace(subject=whose, relation=_REGION, expected="region") if whose else None
    return None


def _done(claim: Claim, participle: str, link: str, what: str) -> Claim | None:
    if not what:
        return None
    relation = relation_of(f"is {participle} {link}")
    if relation is not None and relation.cardinality == "functional":
        return claim._replace(subject=what, relation=relation, expected="text")
    return claim._replace(subject=f"{participle}-{link} {what}", relation=_THUS, expected="text")


_REPORTED = word_set("reported-to reported-in posted-to posted-in sent-to announced-in announced-on paged-to")
_INTRANSITIVE = {"deploy-from": "deployed-from", "build-from": "built-from", "release-from": "released-from"}
_TAGGED = re.compile(r"[a-z][\w./-]*:\d?[\w.-]+")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_BRANCH = re.compile(r"(?:the )?branch (?=\S)")


def _of_thus(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put what is done how, where or when under the property that a noun names as well."""
    done, _, what = claim.subject.partition(" ")
    if not what:
        return None
    if claim.rule in ("rule", "rule of a kind"):
        return allowed(claim, written, kind)
    if done in _REPORTED and written.strip("`'\"")[:1] == "#":
        return claim._replace(subject=what, relation=_ROUTED, expected="text")
    if done in _KEEPING:
        return _located(claim, f"log of {what}" if done == "log-to" else what, written)
    if claim.rule == "terms: image" and claim.subject.startswith("base image of "):
        return claim._replace(subject=claim.subject[14:], relation=_BUILT, expected="identifier")
    if done == "name" and claim.rule == "labelled: named" and what.startswith("of "):
        return _of_noun(claim._replace(subject=what[3:], relation=_IS), written, kind)
    if done == "start-from" and _TAGGED.fullmatch(written.strip("`")):
        return claim._replace(subject=what, relation=_BUILT, expected="identifier")
    if done in ("point-to", "resolve-to") and _IP.fullmatch(written.strip("`")):
        return claim._replace(subject=f"the A record of {what}", relation=_IS, expected=None)
    if claim.rule == "signature: extends" and claim.subject.startswith("base class of "):
        return claim._replace(relation=_NAMED, expected="identifier")
    if done == "meet-on" and kind.startswith("weekday"):
        return claim._replace(subject=f"{what} meeting", relation=known("is on"), expected=None)
    if done == "point-to" and _is_setting(what):
        return claim._replace(subject=what, relation=_IS, expected="setting")
    if done == "point-to" and _where(written) in ("where: file", "where: directory"):
        return _of_noun(claim._replace(subject=what, relation=_IS), written, kind)
    if claim.rule.endswith("how often") and done != "how":
        act = act_of_noun(done) or _base(done)
        return claim._replace(subject=f"{act} of {flowing(what)}", relation=_EVERY, expected="period")
    if done in ("scheduled-at", "scheduled-for") and kind.partition(":")[0] == "time":
        found = claim._replace(subject=what, relation=_SCHEDULED)
        return scheduled(found, written, kind) or found
    if done in _INTRANSITIVE or done in _INTRANSITIVE.values():
        branch = _BRANCH.match(written)
        start = claim.start + (branch.end() if branch else 0)
        return claim._replace(subject=f"{_INTRANSITIVE.get(done, done)} {what}", start=start, expected="text")
    return None


def _base(participle: str) -> str:
    """Return the verb of a participle that the lists do not know: "rotated" is of "rotate"."""
    stem = participle.removesuffix("ed")
    return next((b for b in (f"{stem}e", stem, stem[:-1]) if act_of_noun(b) == b), participle)


def _is_setting(name: str) -> bool:
    bare = name.strip("`")
    return " " not in bare and ("_" in bare or "." in bare) and bare.replace("_", "").replace(".", "").isalnum()


_BY_RELATION: dict[str, Callable[[Claim, str, str], Claim | None]] = {
    **dict.fromkeys(("is", "is named"), _of_noun),
    "is done thus": _of_thus,
    **dict.fromkeys(("is located at", "is written to", "lives at", "is read from", "is defined in"), _of_place),
    "runs every": of_interval,
    "is answered with": answered,
    "weighs": weighs,
    **dict.fromkeys(("is routed to", "has in number"), of_flow),
    **dict.fromkeys(("starts at", "is scheduled for", "fires at"), scheduled),
}
