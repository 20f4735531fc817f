"""What of two values is one value said in two ways, and what are values of two sorts.

"The MIT license" is "MIT". "Postgres" after "Postgres 16" says less, not another thing; and what is stored in S3 may be
stored in Parquet as well. Values of different dimensions are never compared.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.lexicon import CLOUD_REGION, COUNTRIES, PARTS_OF_WORLD
from memstrata_integrations.extraction.sentences.spellings import SPELLINGS
from memstrata_integrations.words import word_set

__all__ = ["class_of", "full_name", "is_brand", "plain_value", "sort_of"]

_IN_PARENTHESES = re.compile(r"(?P<value>[^\s(][^(]*?) \([^()]+\)\Z")
_CLASS = re.compile(r"(?P<value>\S.*) (?:mode|theme|licen[cs]e|branch|level|plan|tier|edition|region)\Z")
# Short forms and spellings of first names that stand for one name only
_FIRST_NAMES = {
    short: name
    for name, shorts in {
        "robert": "bob rob bobby robbie",
        "william": "bill billy",
        "michael": "mike mick",
        "james": "jim jimmy",
        "thomas": "tom tommy",
        "david": "dave",
        "steven": "steve stephen",
        "anthony": "tony",
        "joseph": "joe",
        "daniel": "dan danny",
        "matthew": "matt",
        "nicholas": "nick",
        "andrew": "andy",
        "gregory": "greg",
        "jeffrey": "jeff",
        "richard": "rick",
        "kenneth": "ken",
        "peter": "pete",
        "philip": "phil",
        "lawrence": "larry",
        "frederick": "fred",
        "katherine": "kate katie kathy catherine kathryn",
        "elizabeth": "liz lizzie",
        "margaret": "peggy maggie",
        "jennifer": "jenny jen",
        "rebecca": "becky",
        "susan": "sue",
        "deborah": "debbie",
    }.items()
    for short in shorts.split()
}
_RELEASED = re.compile(r"[a-z][a-z+#.-]*(?: [a-z][a-z+#.-]*){0,3} v?\d[\w.]*(?: lts)?\Z")
# Values of which the one may hold the other: a language and a framework, a cloud and its service, a distribution
_CLASSES = {
    value: name
    for name, listed in {
        "programming": "python, ruby, javascript, typescript, java, kotlin, go, rust, c, c++, c#, f#, php, perl, "
        "scala, haskell, elixir, erlang, swift, objective-c, lua, r, julia, dart, clojure, ocaml, zig, cobol, fortran",
        "user interface": "react, vue, vue.js, angular, angularjs, svelte, solid, preact, ember, flutter, qt, "
        "react native, electron, swiftui, jetpack compose, jquery, backbone, lit, htmx",
        "framework": "django, flask, fastapi, rails, ruby on rails, spring, laravel, symfony, express, phoenix, gin, "
        "nestjs, sinatra, asp.net, .net, actix, axum, ktor, micronaut, quarkus, echo",
        "web framework": "next.js, nuxt, nuxt.js, remix, sveltekit, gatsby, astro",
        "styles": "tailwind, tailwind css, bootstrap, bulma, sass, less, postcss, material ui, styled-components",
        "state library": "redux, mobx, zustand, pinia, vuex, recoil, jotai",
        "formatter of imports": "isort, usort",
        "test manager": "tox, nox",
        "cloud": "aws, gcp, azure, hetzner, digitalocean, ovh, linode, vultr, scaleway, oracle cloud, ibm cloud, "
        "alibaba cloud, cloud, on-premises, on-prem",
        "orchestrator": "kubernetes, k3s, openshift, nomad, docker swarm, mesos, docker, podman, containerd",
        "environment": "production, staging, testing, development, prod, dev, qa, preview, test",
    }.items()
    for value in listed.split(", ")
}
_KINDS = {
    **dict.fromkeys(("linux", "unix", "gnu/linux"), "kernel"),
    **dict.fromkeys(("bsd", "creative commons", "cc", "open source", "public domain"), "licence family"),
}
_ZONE_IN_WORDS = re.compile(
    r"(?:[a-z]+ )?(?:central|eastern|western|pacific|mountain|standard|summer|daylight)\b.* time\Z"
)
_STANDARDS = ("iso ", "rfc ", "din ", "ieee ")  # numbered, and no releases
_FORMATS = word_set(
    "parquet json jsonl ndjson csv tsv avro orc arrow protobuf msgpack base64 base32 hex utf-8 utf8 utf-16 ascii "
    "latin-1 png jpeg jpg webp gif svg yaml xml toml html markdown pdf gzip zstd snappy lz4 flac mp3 wav plaintext "
    "text"
)
_ZONES = word_set("utc gmt cet cest est edt cst cdt mst mdt pst pdt bst ist jst aest")
_OF_CLOUD = re.compile(CLOUD_REGION)
_REGION = re.compile(r"[a-z]{2,}(?:-[a-z]+)+-?\d[a-z]?\Z")
_ZONE = re.compile(r"(?:america|europe|asia|africa|australia|pacific|atlantic)/\w+\Z")
_HOST = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)+(?:[/:]\S*)?\Z")
_MACHINE = re.compile(r"[a-z]+(?:-[a-z]+)*-?\d+\Z")
_BRAND = re.compile(r"[A-Z][A-Za-z]+\.(?:io|com|js|net|org|ai|app|dev|sh|co|so|me|tv|fm|ly)")
_ADDRESSED = frozenset(("is located at", "is hosted on", "is done thus", "is routed to", "is built with"))
_RUN = frozenset(("is hosted on", "is done thus"))


def is_brand(written: str) -> bool:
    """Whether a name with a dot is that of a firm or a product rather than of a host.

    Example:
        >>> is_brand("Fly.io"), is_brand("fly.io")
        (True, False)
    """
    return _BRAND.fullmatch(written) is not None


def plain_value(value: str) -> str:
    """Return a text without what adds nothing to it: an article, a remark in brackets, the class of the thing.

    Example:
        >>> [plain_value(v) for v in ("the mit license", "eu-west-1 (ireland)", "postgresql 16", "apache kafka")]
        ['mit', 'eu-west-1', 'postgres 16', 'kafka']
    """
    value = value.removeprefix("the ")
    for shape in (_IN_PARENTHESES, _CLASS) if " " in value else ():
        found = shape.match(value)
        value = found["value"] if found is not None else value
    if value.startswith("apache ") and value[7:8].isalpha() and "licen" not in value:
        value = value[7:]
    name, space, release = value.rpartition(" ")
    if space and release[:1].isdigit():
        return f"{SPELLINGS.get(name, name)} {release}"
    if "://" in value and value.count("/") == 3:
        value = value.rstrip("/")
    return SPELLINGS.get(value, value).removeprefix("docker.io/").removeprefix("library/")


def full_name(value: str) -> str:
    """Return a person's name, in lower case, with the first name in full where its short form stands for one only.

    Example:
        >>> full_name("bob smith"), full_name("sam smith"), full_name("bob")
        ('robert smith', 'sam smith', 'bob')
    """
    first, _, surname = value.partition(" ")
    return f"{_FIRST_NAMES[first]} {surname}" if surname and first in _FIRST_NAMES else value


def class_of(value: str, relation: str) -> str | None:
    """Name the class of a value whose members are compared with each other only, if it has one.

    Example:
        >>> [class_of(v, "is done thus") for v in ("go", "gin", "central european time", "postgres")]
        ['programming', 'framework', 'zone in words', None]
        >>> class_of("spring", "is") is None  # the season
        True
    """
    if value.endswith(" time"):
        return "zone in words" if _ZONE_IN_WORDS.match(value) else None
    return _KINDS.get(value) or (_CLASSES.get(value) if relation not in ("is", "defaults to", "is named") else None)


def sort_of(value: str, relation: str, preposition: str) -> str | None:
    """Name the sort of a value among those that one relation may have at once, if its form shows it.

    Args:
        value: The value in canonical form.
        relation: The canonical relation.
        preposition: The word before the value.

    Example:
        >>> [sort_of(v, "is located at", "in") for v in ("s3", "parquet", "us-east-1")]
        [None, 'format', 'region']
        >>> sort_of("postgres 16", "is", "is"), sort_of("postgres", "is", "is")
        ('release', None)
    """
    if relation not in _ADDRESSED:
        released = " " in value and _RELEASED.match(value) and not value.startswith(_STANDARDS) and "licen" not in value
        return "release" if released else None
    if value in _FORMATS:
        return "format"
    if value in _ZONES or _ZONE.match(value):
        return "zone"
    if _REGION.match(value) or _OF_CLOUD.fullmatch(value):
        return "region"
    if value in COUNTRIES:
        return "part of the world" if value in PARTS_OF_WORLD else "country"
    if relation == "is routed to":
        return "channel" if value[:1] == "#" else "mail" if "@" in value else None
    if relation in _RUN:
        if _HOST.match(value) or _MACHINE.match(value):
            return "machine"
        if relation == "is hosted on" and preposition == "in":
            return "place"
    return None
