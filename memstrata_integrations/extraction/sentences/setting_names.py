"""Names of settings in plain words: `relay.heartbeat_interval` is the heartbeat interval of the relay.

Only a name that says whose setting it is, or one beside its owner, is spelt out; a name that stands for itself
(`MAX_RETRIES`, `Point.x`, `ci.yml`) stays what it is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.lexicon import (
    ARTEFACTS,
    CONFIG_NOUNS,
    ENTITY_NOUNS,
    GENERIC,
    MEASURES,
    PREPOSITIONS,
    THINGS,
)
from memstrata_integrations.extraction.sentences.verbs import BASES
from memstrata_integrations.words import singular, word_set

__all__ = ["Spelt", "in_words", "may_name"]

_QUOTES = "`'\""
_NAME = re.compile(
    r"(?:(?P<capitals>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)|(?P<parts>[a-z][A-Za-z0-9]*(?:[-_.][a-z][A-Za-z0-9]*)+)"
    r"|(?P<humps>[a-z]+(?:[A-Z][a-z0-9]+)+))\Z"
)
_IN_FILE = re.compile(
    r"\.(?:py|js|jsx|ts|tsx|go|rs|java|kt|rb|php|cs|c|h|cpp|json|ya?ml|toml|ini|cfg|conf|env|xml|sh|sql|tf|md|txt|lock)\b"
)
_BOUNDED = re.compile(r"\b(?:max|min)[a-z]")
_HUMPED = re.compile(r"[a-z][A-Z]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BREAK = re.compile(r"[-_.]")
_BOUNDS = word_set("max min maximum minimum")
# What programs call their own objects: the rest is an attribute in code
_OF_CODE = word_set("self this cls os sys np pd plt tf math args kwargs ctx res err event props state module window")
_NOT_SETTINGS = word_set("total score average share value term model type state status variable parameter option name")
_LAST = (
    (CONFIG_NOUNS | MEASURES) - _NOT_SETTINGS
    | word_set(
        "address directory folder file bucket endpoint hostname uri key token password secret email memory cpu replica "
        "worker thread process connection retry attempt count number class broker queue topic registry image zone "
        "handler logger dsn proxy cipher ciphers domain origin origins email schema dialect compression pool "
        "frequency cron schedule prefix currency brand owner team plan tier edition contact"
    )
    | word_set("default_branch")
)
_SHORT = {
    "conn": "connection",
    "conns": "connections",
    "mem": "memory",
    "dir": "directory",
    "cfg": "config",
    "conf": "config",
    "pwd": "password",
    "passwd": "password",
    "addr": "address",
    "msg": "message",
    "msgs": "messages",
    "req": "request",
    "reqs": "requests",
    "len": "length",
    "freq": "frequency",
    "num": "number",
    "cnt": "count",
    "lvl": "level",
    "lang": "language",
    "svc": "service",
    "cert": "certificate",
    "tz": "timezone",
    "uri": "url",
    "hostname": "host",
    "logging": "log",
    "s3": "S3",
    "ec2": "EC2",
    "k8s": "K8s",
    "ipv4": "IPv4",
    "ipv6": "IPv6",
}
# `setTimeout` does something
_DOING = word_set("get set is has on make create load parse compute update handle use add remove with to from do run")
# `load_user` does something to a user, where `load_timeout` limits something
_ACTING = _DOING | word_set("fetch save delete find list send read write validate check init store build encode decode")
_ACTED_ON = word_set(
    "user owner contact token key file folder directory email image topic queue class address secret password domain "
    "plan team brand broker handler logger thread process connection replica origin"
)
_COMMON = BASES | GENERIC | ENTITY_NOUNS | ARTEFACTS | THINGS | MEASURES | CONFIG_NOUNS | word_set("max min default")
_UNITS = {
    **dict.fromkeys(("ms", "millis", "msec", "msecs", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "seconds"), "s"),
    **dict.fromkeys(("mins", "minutes"), "minutes"),
    **dict.fromkeys(("hrs", "hours"), "hours"),
    "days": "days",
    "bytes": "bytes",
    **{unit: unit.upper() for unit in ("kb", "mb", "gb", "tb")},
    **{unit: f"{unit[0].upper()}iB" for unit in ("kib", "mib", "gib")},
    **dict.fromkeys(("percent", "pct"), "%"),
}
_RUN_TOGETHER = re.compile(r"(?P<bound>max|min)(?P<what>memory|clients|size|length|age|connections|threads|conns)\Z")


class Spelt(NamedTuple):
    """A subject whose names of settings are spelt out, and the unit that the last of them has in its name."""

    subject: str
    unit: str


def may_name(subject: str) -> bool:
    """Whether a subject has what every name of a setting has: a mark, a hump, or a bound run together with a word."""
    if "_" in subject or "." in subject or (not subject[1:].islower() and _HUMPED.search(subject)):
        return True
    return ("max" in subject or "min" in subject) and _BOUNDED.search(subject) is not None


def in_words(subject: str, *, switched: bool = False) -> Spelt | None:
    """Return a subject with its names of settings in plain words, `None` if it has none.

    Args:
        subject: The subject as written.
        switched: Whether its value is on or off: a switch is called as it is, but for "tls.enabled".

    Example:
        >>> in_words("relay.heartbeat_interval"), in_words("TERN_CACHE_TTL_SECONDS"), in_words("MAX_RETRIES")
        (Spelt(subject='relay heartbeat interval', unit=''), Spelt(subject='tern cache ttl', unit='s'), None)
    """
    if not may_name(subject):
        return None
    if switched:
        on = _ENABLED.fullmatch(subject.strip(_QUOTES))
        return Spelt(" ".join(_BREAK.split(on["name"].lower())), "") if on is not None else None
    words = subject.split()
    if any("/" in w or "[" in w or "(" in w or _IN_FILE.search(w) for w in words):
        return None  # a file has its keys as they are written
    beside = sum(w.lower() not in _NO_OWNERS for w in words) > 1
    found, unit = False, ""
    for n, word in enumerate(words):
        bare = word.strip(_QUOTES)
        possessive = "'s" if bare.endswith(("'s", "’s")) else ""
        if _KINDS & {w.lower() for w in words[max(0, n - 1) : n + 2]} and "." not in bare and not bare.isupper():
            continue  # "the flag dark_mode" is called so
        spelt = _spelt(bare[:-2] if possessive else bare, beside) if len(bare) <= _LONGEST else None
        if spelt is not None:
            words[n], found, unit = f"{spelt.subject}{possessive}", True, spelt.unit or unit
    return Spelt(" ".join(words), unit) if found else None


_LONGEST = 64
_ENABLED = re.compile(r"(?P<name>[A-Za-z][\w-]*(?:\.[\w-]+)*)[._](?:enabled?|ENABLED?|is_enabled)")
_NO_OWNERS = PREPOSITIONS | word_set("the a an default initial current value setting parameter option our my")
_KINDS = word_set(
    "flag feature column field table topic queue function method class attribute property argument metric event label "
    "header cookie role permission scope parameter module script test fixture macro"
)


@lru_cache(maxsize=4096)
def _spelt(name: str, beside: bool) -> Spelt | None:
    if (together := _RUN_TOGETHER.match(name)) is not None:
        return Spelt(f"{together['bound']} {together['what']}", "")
    match = _NAME.match(name)
    if match is None:
        return None
    dotted = "." in name
    parts = [w for part in _BREAK.split(name) for w in _HUMP.split(part)]
    words = [_SHORT.get(w, w) for w in (p.lower() for p in parts)]
    if words[0] in _OF_CODE or len(words[0]) < 2:
        return None
    unit = _UNITS.get(words[-1], "")
    if unit:
        words = words[:-2] if words[-2] == "in" else words[:-1]
    if unit and singular(words[-1]) != words[-1]:
        return None  # MAX_UPLOADS_MB is another setting than MAX_UPLOAD_MB
    if len(words) < 2 or not ("_" in name or dotted or match["humps"]) or (match["humps"] and words[0] in _DOING):
        return None
    last = singular(words[-1])
    if words[0] in _ACTING and last in _ACTED_ON and not dotted:
        return None
    if last not in _LAST and _BOUNDS.isdisjoint(words) and not unit:
        return None
    if match["capitals"] is not None and len(words) + bool(unit) < 3 and words[0] in _COMMON:
        return None  # `MAX_RETRIES` of a module is no `max_retries`
    if match["capitals"] is None and not dotted and not beside and (match["humps"] or len(words) + bool(unit) < 3):
        return None
    return Spelt(" ".join(words), unit)
