"""How much and how many: the verb and the noun of an amount, a limit, a count and a time under one key.

"Retries 3 times" is a retry count, "at most 12 players" a limit of players, "live for 300 s" a lifetime.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.equating import (
    ARTICLES,
    TRIM,
    Named,
    bare_words,
    flowing,
    requesting,
    taken_apart,
)
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.relations import Relation, known
from memstrata_integrations.values import number_part
from memstrata_integrations.words import singular, word_set

__all__ = ["allowed", "answered", "of_amount", "of_flow", "of_interval", "scheduled", "weighs"]

_IS, _COUNTS, _LISTENS = (known(n) for n in ("is", "has in number", "listens on"))
_EXPIRES_AFTER, _RUNS_AT, _FIRES = (known(n) for n in ("expires after", "runs at", "fires at"))
_KEPT = known("is kept for")
_ALARMS = word_set("alert alarm warning trigger")

_LIGHT = word_set("run start use have keep hold launch spawn employ maintain require need boot operate deploy")
_LIFE = word_set("live last stay")
_OF_CACHES = re.compile(r"\b(?P<cache>[Cc]ached?) (?:entry|entries|items?|records?|objects?)\b")
_LIFETIMES = word_set("ttl lifetime expiry expiration validity lifespan")
_TRIES = word_set("retry retries attempt attempts")
_ABANDONING = re.compile(
    r" (?:times )?before (?:giving up|failing|erroring(?: out)?|aborting|it gives up|it fails|being dropped)\b"
)
_MEASURED = re.compile(r"(?:(?P<bound>minimum|maximum) )?(?P<verb>[a-z]+) of (?P<what>.+?)(?: of(?P<more>.*))?\Z")
_LINKING = re.compile(r"(?:with|in|on|at|for)(?: (?=in |on |at |for |of )|\Z)")
_IDLE = word_set("schedule run execution cron repeat send emit issue fire")
_PIECES = word_set("page batch chunk block segment pool group window")
_LINES = ("line: =", "line: :")
# Whose number is how many of them there are: "workers: 8"
_COUNTED = word_set(
    "worker replica thread process shard partition node instance pod core gpu cpu epoch copy consumer producer executor"
)
_SMALL = ARTICLES | PREPOSITIONS
_COUNTABLE = re.compile(r"[a-z]+(?: [a-z]+)?(?<=[a-z]{3}[^s\W])s\Z")


def of_amount(claim: Claim, named: Named, written: str, kind: str) -> Claim | None:
    """Put an amount that a noun names under the verb that states it as well, or the other way round."""
    sort = kind.partition(":")[0]
    subject = requesting(claim.subject)
    subject = _REQUESTS.sub(r"\g<what>", subject) if "equests" in subject else subject
    if claim.rule == "measure":
        return _of_measure(claim, written, kind)
    if subject.startswith("at most-level of "):
        return claim._replace(subject=f"limit of {subject[17:]}")
    if sort == "duration" and (kept := _DISPOSED.match(subject)) is not None:
        what = kept["what"] or kept["these"].lower()
        return claim._replace(subject=f"{what} of {kept['who'] or kept['by'] or ''}", relation=_KEPT)
    low = bare_words(subject)
    if sort == "number" and named.head == "number" and not named.modifier and named.rest.startswith("of "):
        return claim._replace(subject=named.rest[3:], relation=_COUNTS)
    if sort == "number" and named.head == "factor" and named.modifier.lower() == "replication":
        return claim._replace(subject=f"replicate of {named.without(modifier=True)}", relation=_COUNTS)
    if named.head == "threshold" and named.modifier.lower() in _ALARMS:
        return claim._replace(subject=named.without(), relation=_FIRES)
    if sort == "number" and named.head in _COUNTED and _BOUNDING.isdisjoint(low):
        words = subject.split()
        if words[len(words) - len(named.rest.split()) - 1].lower() != named.head:
            return claim._replace(subject=subject, relation=_COUNTS)
    if sort == "number" and named.head == "port" and named.without() and _names_port(claim, named):
        return claim._replace(subject=named.without(), relation=_LISTENS, expected="port")
    if sort == "duration" and named.head in _LIFETIMES and (named.modifier or named.rest):
        what = _OF_CACHES.sub(r"\g<cache>", named.without())
        return claim._replace(subject=what, relation=_EXPIRES_AFTER, expected="duration")
    if sort == "number" and not _TRIES.isdisjoint(low) and not _TRY_COUNTS.isdisjoint(low):
        return _tried(claim, subject)
    if sort == "number" and {"min", "minimum"} & set(low) and {"number", "count"} & set(low):
        rest = [w for w in subject.split() if w.lower() not in ("number", "count", "min", "minimum", "the")]
        return claim._replace(subject=f"minimum {' '.join(rest[rest[:1] == ['of'] :])}")
    if claim.rule == "threshold" and (refused := _REFUSED.match(subject)) is not None:
        return claim._replace(subject=f"limit of {refused['what'].lower()} of {refused['who'] or ''}")
    if sort == "count" and named.head == "size" and named.modifier.lower() in _PIECES:
        number = number_part(written)
        return claim._replace(subject=subject, end=claim.start + len(number), expected="number")
    if sort == "count" and "limit" in low and not kind.endswith(("character", "time")):
        return _counted(claim, subject, written, kind, _IS)
    return claim._replace(subject=subject) if subject != claim.subject else None


_BOUNDING = word_set("max min maximum minimum limit least most")


def _names_port(claim: Claim, named: Named) -> bool:
    """Whether a port is one that its owner listens on, and no column of a record or role of its own."""
    if "/" in claim.subject:  # a file has its keys as they are written
        return False
    if claim.rule in _LINES:
        return True
    owned = bool(named.rest) or any(w.lower() not in ARTICLES for w in named.before)
    return claim.rule.startswith(("clause", "llm")) and owned


_DISPOSING = r"(?:delete|drop|purge|prune|discard|remove|erase)"
# What is deleted at an age is kept until then
_DISPOSED = re.compile(
    rf"older-threshold for (?P<what>\S.*?) {_DISPOSING} of (?P<who>.+)\Z"
    rf"|(?P<these>\S.*?) older \((?:is|are|get|gets) {_DISPOSING}p?e?d(?: by (?P<by>[^()]+))?\)\Z"
)
_ALLOWED = re.compile(
    r"(?P<what>\S.*?) (?:(?:may|can|must) )?(?:have|contain|hold|include|be) (?:up to|at most|no more than)\s*\Z"
)
_ALLOWS = re.compile(r"(?P<who>\S.*?) (?:allows|allow|permits|permit) an? (?P<what>(?:[a-z-]+ ){0,2}[a-z-]+) of\s*\Z")
_MAY_LAST = re.compile(
    r"(?:[Aa]n? |[Tt]he )?(?P<what>\S.*?) (?:may|can|must) (?:last|run|take|stay open|go on|be open)(?: for)? "
    r"(?:up to|at most|no more than|no longer than)\s*\Z"
)
_SENDING = re.compile(r"(?P<what>\S.*?) (?:may|can) (?:send|make|issue|perform)\s*\Z")


def allowed(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put "titles may have up to 80 characters" under the limit that it is."""
    sort = kind.partition(":")[0]
    if sort in ("number", "duration", "size", "binary size") and (bound := _ALLOWS.match(claim.subject)) is not None:
        return claim._replace(subject=f"limit of {bound['what']} of {bound['who']}", relation=_IS)
    if sort == "duration" and (lasting := _MAY_LAST.match(claim.subject)) is not None:
        return claim._replace(subject=f"limit of {lasting['what']}", relation=_IS)
    if sort == "rate" and (sending := _SENDING.match(claim.subject)) is not None:
        return claim._replace(subject=f"limit of {sending['what']}", relation=_IS)
    match = _ALLOWED.match(claim.subject) if sort == "count" else None
    if match is None:
        return None
    if kind.endswith(":character"):
        number = number_part(written)
        said = f"limit of length of {match['what']}"
        return claim._replace(subject=said, relation=_IS, end=claim.start + len(number), expected="number")
    return _counted(claim, f"limit of {match['what']}", written, kind, _IS)


_REFUSED = re.compile(
    r"(?P<what>\S.*?) (?:larger|bigger|longer|greater|heavier) "
    r"\((?:are|is|get|gets) (?:rejected|refused|dropped|denied|blocked|discarded)(?: by (?P<who>[^()]+))?\)\Z"
)
_REQUESTS = re.compile(r"\b(?P<what>[Rr]equest)s\b")  # `requests` is a package
_TRY_COUNTS = word_set("limit max maximum count number attempts attempt")
_BETWEEN = word_set("delay interval between backoff timeout window")


def _tried(claim: Claim, subject: str) -> Claim | None:
    """Put the retry limit, the maximum of retries and the retry count under how many times something is retried."""
    words = subject.split()
    if not _BETWEEN.isdisjoint(w.lower() for w in words):
        return None
    kept = [w for w in words if w.strip(TRIM).lower() not in _TRY_COUNTS | _TRIES]
    if not {"retry", "retries"} & {w.strip(TRIM).lower() for w in words}:
        return None
    if all(w.lower() in _SMALL for w in kept):
        return None  # of what?
    return claim._replace(subject=f"retry of {' '.join(kept)}", relation=_COUNTS)


def _counted(claim: Claim, subject: str, written: str, kind: str, relation: Relation) -> Claim | None:
    """Let what is counted belong to the key: "at most 12 players" is a limit of players."""
    number = number_part(written)
    unit = kind.partition(":")[2].lower()
    if (
        not number.replace(",", "").replace("_", "").partition(" ")[0].isdigit()
        or not unit.replace("-", "").replace(" ", "").isalpha()
    ):
        return None
    if unit not in {singular(w.strip(TRIM).lower()) for w in subject.split()}:
        subject = (
            subject.replace("limit of ", f"limit of {unit} of ", 1) if "limit of " in subject else f"{unit} {subject}"
        )
    return claim._replace(subject=subject, relation=relation, end=claim.start + len(number), expected="number")


def _of_measure(claim: Claim, written: str, kind: str) -> Claim | None:
    match = _MEASURED.match(claim.subject)
    if match is None:
        return None
    sort = kind.partition(":")[0]
    what, more = match["what"], (match["more"] or "").strip()
    if match["verb"] == "retry" and _ABANDONING.search(f" {more}"):
        rest = _ABANDONING.sub("", f" {more}")
        return claim._replace(subject=f"retry of {what} {rest}".strip(), relation=_COUNTS)
    if match["verb"] in _LIFE and more == "for" and sort == "duration":
        return claim._replace(subject=_OF_CACHES.sub(r"\g<cache>", what), relation=_EXPIRES_AFTER)
    if match["verb"] not in _LIGHT:
        return None
    if sort == "number" and not match["bound"] and _COUNTABLE.match(more):
        return claim._replace(subject=f"{more} of {what}", relation=_COUNTS)
    more = _LINKING.sub("", more)
    if more and (more.split()[0] not in PREPOSITIONS or "per" in more.split()):
        return None
    what = f"{what} {more}".strip()
    if sort == "count":
        bound = f"{match['bound']} " if match["bound"] else ""
        subject = f"{bound}{kind.partition(':')[2].lower()} of {what}"
        return _counted(claim, subject, written, kind, _IS if bound else _COUNTS)
    return None


_CODES = word_set("answer 2xx 3xx 4xx 5xx")


def weighs(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put "the image weighs 450 MB" under its size."""
    return claim._replace(relation=_IS) if kind.partition(":")[0] in ("size", "binary size") else None


def answered(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put the answer to one case under the case: a route has an answer of each class, an unknown id has one."""
    kept = [w for w in claim.subject.split() if w not in _CODES]
    named = any(w.lower() not in _SMALL for w in kept)
    return claim._replace(subject=" ".join(kept)) if named and "/" not in claim.subject else None


def of_interval(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put the schedule interval of a job under how often it runs."""
    words = flowing(claim.subject).split()
    kept = [w for w in words if w.strip(TRIM).lower() not in _IDLE]
    said = " ".join(kept if any(w.lower() not in _SMALL for w in kept) else words)
    named = taken_apart(said)
    act = act_of_noun(named.head) if named is not None else None
    if named is not None and act is not None and (named.rest or named.modifier):
        said = f"{act} of {named.without()}"
    return claim._replace(subject=said)


def scheduled(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put when a job starts, runs or is scheduled for under one relation."""
    words = {singular(w.strip(TRIM).lower()) for w in claim.subject.split()}
    timed = kind.startswith("time") and not _JOBS.isdisjoint(words)
    return claim._replace(relation=_RUNS_AT) if timed else None


_JOBS = word_set(
    "job cron task export import timer script cronjob backup vacuum build sync snapshot cleanup reindex rotation scan "
    "crawl compaction replication reconciliation batch etl pipeline purge pruning dump"
)


def of_flow(claim: Claim, written: str, kind: str) -> Claim | None:
    """Put "logs of x" for "logs from x"."""
    return claim._replace(subject=flowing(claim.subject))
