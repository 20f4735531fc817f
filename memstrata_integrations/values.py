"""Canonical values: two spellings of one value compare equal, unlike kinds never compare.

Every function here is pure and linear in the length of its input.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import lru_cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_version
from packaging.version import InvalidVersion, Version

from memstrata_integrations.names import code, country, organisation, person, phone, place, street
from memstrata_integrations.units import (
    CURRENCIES,
    CURRENCY_WORDS,
    MONTHS,
    SCALES,
    SIZE_STEPS,
    WEEKDAYS,
    number_in_words,
    unit_of,
)
from memstrata_integrations.words import singular, unaccented, word_set

__all__ = ["METHODS", "SPOKEN_TIME", "canonical_value", "number_part", "unquote"]

_LONGEST = 4000  # characters: beyond it a value is compared as text, without a closer look

METHODS = word_set("GET POST PUT PATCH DELETE HEAD OPTIONS TRACE")
_TRUE = word_set("true on yes enabled")
_FALSE = word_set("false off no disabled")

_PER = {"second": "1", "sec": "1", "s": "1", "minute": "60", "min": "60", "hour": "3600", "h": "3600", "hr": "3600"}
_PER |= {"day": "86400", "d": "86400", "week": "604800"}
# Periods and takers of a price: "39 euros a month", "$5 per user"
_PERIODS = {"mo": "month", "yr": "year", "annum": "year", "hr": "hour", "h": "hour", "pa": "year"}
_ADVERBS = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"}
_ADVERBS |= {"yearly": "year", "annually": "year", "nightly": "day", "night": "day", "quarterly": "quarter"}
_ADVERBS |= dict.fromkeys(("fortnightly", "biweekly", "bi-weekly", "other week", "second week"), "fortnight")
_ADVERBS |= {"other day": "2 days", "second day": "2 days", "other month": "2 months", "half-hourly": "30 minutes"}
_COUNT_ALIASES = {"req": "request", "reqs": "request", "requests": "request", "people": "person", "conns": "connection"}

_NUMBER = r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?"
_PLAIN = re.compile(rf"({_NUMBER})\Z")
_QUANTITY = re.compile(rf"({_NUMBER})(?:[ \u00a0]?|-(?![A-Z]\Z))([A-Za-z%°µμ][A-Za-z/%]*[²³]?)\Z")
_COUNT = re.compile(rf"({_NUMBER}) (v?[A-Z]{{2,5}}s|vCPU|[a-z]+(?:[ -][a-z]+)?)\Z")
_RATE = re.compile(rf"({_NUMBER}) ?([A-Za-z]*) ?(?:/|per |an? |each |every )([A-Za-z]+)\Z")
_PARTS = re.compile(r"(\d+(?:\.\d+)?) ?([a-z]+)(?:,? and |, | |)")
_MONEY = re.compile(rf"([$€£¥]) ?({_NUMBER}) ?([kKmM]|million|thousand|billion)?\Z")
_CODE_FIRST = re.compile(rf"([A-Z]{{3}}) ?({_NUMBER})((?: ?/| per | an? ).*)?\Z")
_MONEY_RATE = re.compile(
    rf"((?:[$€£¥] ?)?{_NUMBER}(?:[kK](?![A-Za-z]))?(?: ?(?:[A-Z]{{3}}|[€£$]|p|[A-Za-z]*?(?:dollars?|euros?|pounds?"
    r"|francs?|yen|pence|kr|kron[aeo]r?|z[lł]otys?|rupees?|pesos?)))?)"
    r"((?: ?(?:/|per |an? |each |every )(?:[A-Za-z²]+(?: (?:m|metre|meter|foot))?))+"
    r"| (?:hourly|daily|weekly|monthly|yearly|annually))\Z"
)
_PENCE = re.compile(r"(\d{1,2})p\Z")
_PER_PART = re.compile(r" ?(?:/|per |an? |each |every )([A-Za-z]+)")
_SCALED = re.compile(rf"({_NUMBER})(?: (hundred|thousand|million|billion)|k|K(?= )|(M)(?= [a-z]))( [a-z].*)?\Z")
_SPAN = re.compile(rf"([$€£]?)({_NUMBER})(?: ?[–-] ?| to )[$€£]?({_NUMBER})( ?[^\d\s].*)?\Z")
_RELEASE = re.compile(r"(\d+(?:\.\d+)*)(?: LTS|\.[xX])\Z")
_PART_OF_MONTH = re.compile(
    r"(?:the )?(end|beginning|start|middle) of ([a-z]+)( \d{4})?\Z|(mid|early|late)[ -]([a-z]+)( \d{4})?\Z"
)
_POWERS = frozenset(str(2**n) for n in range(2, 11))
_OPEN_RELEASE = re.compile(r"\d\.[xX]\Z")
_HOURS_AND_MINUTES = re.compile(r"(\d{1,2}) ?h(?:rs?|ours?)? ?([0-5]\d)\Z")
_EXTENT = re.compile(r"(.+) (old|long|wide|high|tall|deep|thick|full|complete|charged|availability|uptime)\Z")
_TIMES = re.compile(
    r"(once|twice|([a-z]+|\d+) times|(\d+)x) (?:a|an|per|every|each) (hour|day|night|week|month|year)\Z"
)
_RADIX = re.compile(r"0(?:[xX][0-9a-fA-F_]*[0-9a-fA-F]|[oO][0-7_]*[0-7]|[bB][01_]*[01])\Z")
_SCIENTIFIC = re.compile(r"[-+]?\d+(?:\.\d+)?[eE][+-]?\d{1,2}\Z")
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\Z")
_SLASHED = re.compile(r"(\d{1,2})([/.])(\d{1,2})\2((?:19|20)\d{2})\Z")  # day or month first, as its writer has it
_AN_AMOUNT = re.compile(r"(half an?|an?) ([a-z]+)( and a half)?\Z")
_NTH = re.compile(r"the (\d{1,2})(?:st|nd|rd|th)\Z")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([A-Za-z]+)\.?(?:,? (\d{4}))?\Z")
_MONTH_FIRST = re.compile(r"([A-Za-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\Z")
_TIMED = re.compile(r"(?:,? at |, )(\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\b\.?)?|noon|midday|midnight)\Z")
_HOUR = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
SPOKEN_TIME = (
    rf"(?:(?:a )?(?:half|quarter|five|ten|twenty|twenty-five) (?:past|to|after) (?:{_HOUR}|noon|midnight)"
    rf"|{_HOUR} (?:o['’]clock"
    rf"|thirty|fifteen|forty-five)|(?:{_HOUR}|\d{{1,2}}[:.]\d{{2}})(?= (?:in the (?:morning|afternoon|evening)"
    r"|at night)))"
    r"(?: (?:in the (?:morning|afternoon|evening)|at night|a\.?m|p\.?m))?"
)
_SPOKEN = re.compile(SPOKEN_TIME + r"\Z")
_HOUR_AND_MINUTE = re.compile(r"(\d{1,2})[:.](\d{2})\Z")
_MINUTES = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25, "thirty": 30}
_MINUTES |= {"fifteen": 15, "forty-five": 45}
_CLOCK = re.compile(
    r"(\d{1,2})(?:(?::|\.(?=\d\d ?[aApP]))(\d{2}))?(?::(\d{2}))? ?([aApP]\.?[mM]\.?)?(?: (UTC|GMT|[A-Z]{2,4}))?\Z"
)
_VERSION = re.compile(r"(?:v\d+(?:\.\d+)*|\d+(?:\.\d+){2,})[\w.+-]*\Z")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+\Z")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+\Z")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d+)?\Z")
_TOP_LEVEL = "com|org|net|io|dev|local|internal|app|ai|co|uk|de|eu|cloud|example|test|lan"
_HOST = re.compile(rf"(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:{_TOP_LEVEL}))(?::\d+)?\Z")
# "postgres:16" and "amazonlinux:2023" are images
_HOST_PORT = re.compile(
    r"(?:[A-Za-z0-9*-]+(?:\.[A-Za-z0-9-]+)+|localhost|[A-Za-z0-9*-]+(?=:\d{3})(?!:20[0-4]\d\Z)):\d{2,5}\Z"
)
_PATH = re.compile(r"(?:~?/|\.{1,2}/|[A-Za-z]:\\)\S*\Z")
_FILE = re.compile(
    r"[\w./{}@+-]*[\w}]\.(?:pyi?|[cm]?[jt]s|[jt]sx|jsonl?|ndjson|ya?ml|toml|ini|cfg|conf|cnf|txt|mdx?|rst|adoc|tex|html?"
    r"|s?css|sass|less|sql|z?sh|bash|bat|ps1|log|env|[ct]sv|db|sqlite3?|lock|xml|xsd|pem|crt|cer|key|go|rs|java|jar|war"
    r"|kts?|swift|php|cs|csproj|scala|exs?|erl|hs|lua|dart|rb|c|h|cpp|hpp|zig|vue|svelte|ipynb|tf|tfvars|hcl|graphql|gql"
    r"|proto|gradle|properties|plist|j2|jinja2?|tmpl|tpl|hbs|ejs|wasm|whl|zip|tar|t?gz|bz2|xz|7z|pdf|docx?|xlsx?|pptx?"
    r"|odt|ods|png|jpe?g|gif|svg|webp|ico|bmp|tiff?|mp[34]|wav|flac|ogg|webm|avi|mov|ttf|woff2?|parquet|avro|orc|np[yz]"
    r"|pkl|pth?|onnx|h5|safetensors|gguf|bin|dat|bak|sock|pid|service|nix|cue|rego|patch|diff)\Z"
    r"|(?:[\w./{}@+-]*/)?(?:Make|Docker|Container|Proc|Jenkins|Gem|Rake|Vagrant|Brew|Pip|Just|Tilt)file\Z"
)
_ENDPOINT = re.compile(rf"({'|'.join(sorted(METHODS))}) (/\S*|https?://\S+)\Z")
_IDENTIFIER = re.compile(r"(?=\S*(?:[_.$@:\d]|\(\)|[a-z][A-Z]))[A-Za-z_$@][\w.$@:/-]*(?:\(\))?\Z")
_NAME = re.compile(r"(?:[A-Z][\w.'’&-]*)(?: (?:(?:of|de|van|von|der|la|the|and|&) )?[A-Z0-9][\w.'’&-]*)*\Z")
_SINGLE_EQUALS = re.compile(r"={2,3}\s*")
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»"}


_ONE = frozenset(("second", "minute", "hour", "day", "week", "fortnight", "month", "quarter", "year"))


def canonical_value(text: str, expected: str | None = None) -> tuple[str, str]:
    """Return the canonical form of a value and its dimension.

    Args:
        text: The value as written, quotes and backticks allowed.
        expected: The dimension of the slot it stands in, when the slot decides it: "version"
            (ranges, tags and commits compare with one another), "pin" (a version as written),
            "setting" (whatever a named setting holds), "port", "endpoint", "address", "place",
            "duration", ... `None` lets the value speak for itself.

    Returns:
        ``(value, dimension)``; values of different dimensions cannot be compared.

    Example:
        >>> canonical_value("30 minutes"), canonical_value("1,800 s")
        (('1800', 'duration'), ('1800', 'duration'))
        >>> canonical_value("==1.26.4", "version")
        ('1.26.4', 'version')
    """
    if len(text) > _LONGEST:
        return " ".join(text.split()).casefold(), expected or "text"
    return _canonical_value(text, expected)


@lru_cache(maxsize=16384)
def _canonical_value(text: str, expected: str | None) -> tuple[str, str]:
    bare = unquote(text)
    if expected not in _EXACT:
        bare = unaccented(bare)
    if expected == "version":
        return _version_value(bare), "version: open" if _OPEN_RELEASE.search(bare) else "version"
    if expected == "pin":  # a tag as written: the image 3.12 moves on, 3.12.0 does not
        return _version_value(bare, exact=True), "version"
    if expected in _SPECIAL:
        return _SPECIAL[expected](bare)
    if expected is not None and expected.startswith("in "):  # "timeout_ms: 500" has its unit in its name
        return _classify(f"{bare} {expected[3:]}" if _PLAIN.match(bare) else bare)
    if expected == "duration":
        if bare.endswith("m") and bare[:-1].isdigit():  # "5m" of a timeout
            bare += "in"
        if bare in _ONE:  # "every week"
            bare = f"1 {bare}"
        clock = _CLOCK.match(bare)
        if clock is not None and clock[2] and clock[3] and not clock[4] and not clock[5]:
            return _plain(Decimal(int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3]))), "duration"
    if expected == "port":
        number = _PLAIN.match(bare[5:] if bare[:5].lower() == "port " else bare)
        if number is not None:
            return _plain(_decimal(number[1])), "port"
        return _classify(bare)
    value, dimension = _classify(bare)
    if expected is None or expected == "duration":
        return value, dimension
    return value, expected


_LEVELS = {"warn": "warning", "err": "error"}  # of logs, which have two names


def _setting(text: str) -> tuple[str, str]:
    """Compare whatever a named setting holds: 1 and true are one value, as are 500 ms and 0.5 s."""
    value, dimension = _classify(text)
    if dimension == "boolean":
        return ("1" if value == "true" else "0"), "setting"
    if dimension in ("url", "path"):
        value = text  # to a program a trailing slash may matter
    value = _LEVELS.get(value, value)
    return value, "setting" if dimension not in _MEASURES else f"setting:{dimension}"


def _hour(text: str) -> tuple[str, str]:
    """Read the number of a place where a time stands: "starts at 7", morning or evening."""
    value, dimension = _classify(text.removesuffix("h") if text[:-1].isdigit() else text)  # "17h"
    if dimension == "number" and value.isdigit() and int(value) <= 24:
        return _half_day(int(value), 0)
    return value, dimension


def _opening(text: str) -> tuple[str, str]:
    """Read when something opens: "at 9" in the morning."""
    value, dimension = _hour(text)
    return (value, "time") if dimension == "time:half day" and "05" <= value[:2] < "12" else (value, dimension)


def _closing(text: str) -> tuple[str, str]:
    """Read when something closes: "at 6" in the evening."""
    value, dimension = _hour(text)
    if dimension != "time:half day" or value[:2] == "12":
        return value, dimension
    return f"{int(value[:2]) + 12:02}{value[2:]}", "time"


def _half_day(hour: int, minute: int) -> tuple[str, str]:
    """Return a time of which only the hands of the clock are known, unless it is past noon."""
    if hour > 12 or hour == 0:
        return f"{hour % 24:02}:{minute:02}:00", "time"
    return f"{hour:02}:{minute:02}:00", "time:half day"


def _spoken(text: str) -> tuple[str, str] | None:
    words = [w for w in text.lower().replace("’", "'").split() if w != "a"]
    known = {"noon": 12, "midnight": 0}
    if len(words) > 2 and words[1] in ("past", "to", "after"):
        spelt, minute = words[2], _MINUTES[words[0]] * (-1 if words[1] == "to" else 1)
        rest = words[3:]
    else:
        spelt, rest = words[0], words[1:]
        minute = _MINUTES.get(rest[0], 0) if rest else 0
    if clock := _HOUR_AND_MINUTE.match(spelt):
        spelt, minute = clock[1], int(clock[2])
    found = known.get(spelt, int(spelt) if spelt.isdigit() else number_in_words(spelt))
    if found is None or found > 24:
        return None
    total = found * 60 + minute
    hour, minute = divmod(total, 60)
    if spelt in known:
        return f"{hour % 24:02}:{minute:02}:00", "time"
    told = " ".join(rest[-2:]).replace(".", "")
    if hour <= 12 and ("afternoon" in told or "evening" in told or told.endswith(("at night", "pm"))):
        return f"{hour % 12 + 12:02}:{minute:02}:00", "time"
    if hour <= 12 and (told.endswith(("morning", "am"))):
        return f"{hour % 12:02}:{minute:02}:00", "time"
    return _half_day(hour or 12, minute)


def _address(text: str) -> tuple[str, str]:
    value, dimension = _classify(text)
    if dimension == "identifier" and "/" in text:
        return value, "path"
    if dimension in ("url", "host", "email", "number", "port", "endpoint", "path", "version"):
        return value, dimension if dimension in _ADDRESS_KINDS else "address"
    return street(text), "address"


def _extent(text: str) -> tuple[str, str]:
    """Read how high, wide or old something is, where that stands in the key."""
    value, dimension = _classify(text)
    return value, dimension.rpartition(":")[0] or dimension


def _period(text: str) -> tuple[str, str]:
    """Read how often something is done: "daily" and "once a day" are every 24 hours, "twice a day" every 12."""
    lower = text.lower().removeprefix("every ")
    lower = _ADVERBS.get(lower, lower)
    value, dimension = _classify(f"1 {lower}" if lower in _ONE else lower)
    if dimension.startswith("times a ") and int(value):
        times, (value, dimension) = int(value), _classify(f"1 {dimension[8:].replace('night', 'day')}")
        value = _plain(round(Decimal(value) / times, 6))
    if dimension == "months":  # "monthly" is another period than "weekly"
        return _plain(Decimal(value) * _MONTH), "duration"
    return value, dimension


_MONTH = 30 * 86400  # seconds


_FROM_TO = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?: ?([ap])\.?m\b\.?)?")


def _hours(text: str) -> tuple[str, str]:
    """Read when something is open: "from 9 to 5", "9 am - 5 pm" and "9:00-17:00" are the same hours."""
    found = _FROM_TO.findall(text.lower())
    told = [(int(h) % 12 + 12 * (half == "p") if half else int(h), m or "00") for h, m, half in found]
    if len(told) == 2 and told[1] <= told[0] and told[1][0] <= 12:
        told[1] = (told[1][0] + 12, told[1][1])
    days = _FROM_TO.sub("", text.lower()).replace("from", "").replace("until", "").replace("till", "")
    days = " ".join(w for w in re.split(r"[\s,–-]+", days) if w and w != "to")
    return f"{days} {' '.join(f'{h}:{m}' for h, m in told)}".strip(), "hours"


_EXACT = frozenset(("setting", "pin", "version"))  # what a program reads
_MEASURES = frozenset(("duration", "size", "binary size", "months", "bits", "bitrate", "percent", "frequency", "m"))
_ADDRESS_KINDS = frozenset(("url", "host", "email", "number", "port"))
_SPECIAL: dict[str, Callable[[str], tuple[str, str]]] = {
    "setting": _setting,
    "period": _period,
    "phone": phone,
    "extent": _extent,
    "hour": _hour,
    "hours": _hours,
    "opening": _opening,
    "closing": _closing,
    "code": code,
    "place": place,
    "country": country,
    "address": _address,
    "name": person,
    "organisation": organisation,
}


_NUMBER_PART = re.compile(r"\S+(?: (?:hundred|thousand|million|billion|dozen)\b)*")


def number_part(text: str) -> str:
    """Return the number of what is counted.

    Example:
        >>> number_part("3 million users"), number_part("12 seats")
        ('3 million', '12')
    """
    found = _NUMBER_PART.match(text)
    return found[0] if found is not None else ""


def unquote(text: str) -> str:
    """Strip white space and one pair of quotes or backticks.

    Example:
        >>> unquote(" 'redis' ")
        'redis'
    """
    text = text.strip()
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        return text[1:-1].strip() or text
    return text


def _decimal(digits: str) -> Decimal:
    return Decimal(digits.replace(",", "").replace("_", "").replace("−", "-"))


def _plain(number: Decimal) -> str:
    written = format(number, "f")
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    return "0" if written in ("-0", "") else written


def _version_value(text: str, *, exact: bool = False) -> str:
    if text[:8].lower() == "version ":
        text = text[8:].strip()
    if len(text) > 200:
        return text.casefold()
    text = text.removesuffix(" LTS")
    single = _SINGLE_EQUALS.match(text)
    bare = text[single.end() :] if single else text
    try:
        version = Version(bare)
        return str(version) if exact else canonicalize_version(version)
    except InvalidVersion:
        pass
    if text[:1] in "<>=!~":
        try:
            specifiers = SpecifierSet(text)
            return ",".join(
                sorted(
                    s.operator + canonicalize_version(s.version, strip_trailing_zero=s.operator != "~=")
                    for s in specifiers
                )
            )
        except InvalidSpecifier:
            pass
    return "".join(bare.split()).casefold()


def _folded(text: str) -> tuple[str, str]:
    return " ".join(text.split()).casefold(), "text"


def _classify(text: str) -> tuple[str, str]:
    """Name the kind of an unquoted value by what it looks like."""
    if not text:
        return "", "text"
    lower = text.lower()
    if lower in ("noon", "midday", "midnight"):
        return ("00:00:00" if lower == "midnight" else "12:00:00"), "time"
    if lower in _TRUE:
        return "true", "boolean"
    if lower in _FALSE:
        return "false", "boolean"
    if lower in WEEKDAYS:
        return WEEKDAYS[lower], "weekday"
    if "-" in lower and lower[-1].isalpha() and lower[0].isalpha():
        worded, _, unit = lower.rpartition("-")
        if unit_of(unit) is not None and (number := number_in_words(worded)) is not None:
            return _classify(f"{number} {unit}")  # "a two-year warranty"
    day, _, hour = lower.partition(" ")
    if hour and day.rstrip(",") in WEEKDAYS and (dated := _moment(text[len(day) + 1 :])) is not None:
        return dated  # "Monday, 3 March": the date says it
    if hour and day in WEEKDAYS:
        at = hour.removeprefix("at ").removesuffix("s")
        when, kind = _hour(at)  # "Tuesday evening" may be "Tuesday at 7 pm"
        return f"{WEEKDAYS[day]} {when}", f"weekday:{kind}" if kind.startswith("time") else "weekday:part"
    if len(text) > 200:
        return _folded(text)
    timed = " at " in lower or ", " in lower
    if timed and _TIMED.search(lower) and (dated := _moment(text)) is not None:
        return dated
    first = text[0]
    if _SPOKEN.match(lower) and (told := _spoken(lower)) is not None:
        return told
    if often := _TIMES.match(lower):
        count = {"once": 1, "twice": 2}.get(often[1]) or number_in_words(often[2] or often[3] or "")
        count = (
            count
            if count is not None
            else int(often[2] or often[3])
            if (often[2] or often[3] or "").isdigit()
            else None
        )
        return (str(count), f"times a {often[4]}") if count is not None else _folded(text)
    if text[0] == "0" and _RADIX.match(text):  # 0x1000 is 4096
        return str(int(text.replace("_", ""), 0)), "number"
    if _SCIENTIFIC.match(text):
        return _plain(Decimal(text)), "number"
    if first in "0123456789+-−$€£¥":
        found = _numeric(text.replace(" and a half", ".5", 1))
        if found is not None:
            return found
    if (code := _CODE_FIRST.match(text)) is not None and code[1].lower() in CURRENCY_WORDS:  # "EUR 50,000"
        return _numeric(f"{code[2]} {code[1]}{code[3] or ''}") or _folded(text)
    if first.isalpha():
        words = number_in_words(lower)
        if words is not None:
            return str(words), "number"
        if (part := _AN_AMOUNT.match(lower)) is not None and unit_of(part[2]) is not None:
            return _numeric(f"{'0.5' if part[1][0] == 'h' else '1.5' if part[3] else '1'} {part[2]}") or _folded(text)
        head, _, rest = lower.rpartition(" ")
        head, half, _ = head.partition(" and a half")
        if head and (words := number_in_words(head)) is not None and not (first.isupper() and text.istitle()):
            return _numeric(f"{words}{'.5' if half else ''} {rest}") or _folded(text)
        head, _, rest = lower.partition(" ")
        if rest.partition(" ")[0] in CURRENCY_WORDS and (words := number_in_words(head)) is not None:
            return _numeric(f"{words} {rest}") or _folded(text)  # "one euro per day"
        found = _dated(text)
        if found is not None:
            return found
        if (part := _PART_OF_MONTH.match(lower)) is not None and (part[2] or part[5]) in MONTHS:
            year, month = part[3] or part[6] or "", MONTHS[part[2] or part[5]]
            where = {"middle": "mid", "late": "end", "beginning": "early", "start": "early"}
            named = part[1] or part[4] or ""
            return f"{where.get(named, named)} {month:02}{year}", f"{'date' if year else 'day'}: part of a month"
        if (nth := _NTH.match(lower)) is not None:
            return nth[1], "day:of a month"
    for kind, pattern, fold in _SHAPES:
        if pattern.match(text):
            return (fold(text), kind)
    return _folded(text)


def _host(text: str) -> str:
    return text.casefold()


def _same(text: str) -> str:
    return text


_SCHEME = re.compile(r"([A-Za-z][\w+.-]*)://([^/?#@]*)")


def _location(text: str) -> str:
    """A trailing slash says nothing, nor does the port that a scheme has by itself; hosts have no case."""
    if (scheme := _SCHEME.match(text)) is not None:
        port = {"https": ":443", "http": ":80"}.get(scheme[1].lower(), "")
        host = scheme[2].lower()
        text = f"{scheme[1].lower()}://{host.removesuffix(port) if port else host}{text[scheme.end() :]}"
    else:
        text = text.removeprefix("./").replace("//", "/") or text
    return text[:-1] if text[-1] == "/" and len(text) > 1 and text[-2] not in "/:" else text


def _version_of(text: str) -> str:
    return _version_value(text, exact=True)


def _called(text: str) -> str:
    return text.removesuffix("()")


_SHAPES: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("host", _IP, _same),
    ("version", _VERSION, _version_of),
    ("endpoint", _ENDPOINT, _location),
    ("url", _URL, _location),
    ("email", _EMAIL, _host),
    ("host", _HOST, _host),
    ("path", _PATH, _location),
    ("path", _FILE, _location),
    ("host", _HOST_PORT, _host),
    ("identifier", _IDENTIFIER, _called),
    ("name", _NAME, lambda t: " ".join(t.split()).casefold()),
)


def _numeric(text: str) -> tuple[str, str] | None:
    if sum(c.isdigit() for c in text.lstrip("0")) > 24:
        return None
    if match := _PLAIN.match(text):
        return _plain(_decimal(match[1])), "number"
    if match := _SCALED.match(text):
        scaled = _plain(_decimal(match[1]) * SCALES[match[2] or ("million" if match[3] else "thousand")])
        if text[-1] == "k" and match[1] in _POWERS:
            return scaled, "number: k"  # "64k" of a buffer are 65,536
        return (scaled, "number") if not match[4] else _numeric(scaled + match[4])
    if match := _EXTENT.match(text):
        measured = _numeric(match[1])
        return (measured[0], f"{measured[1]}:{match[2]}") if measured else None
    if (match := _SPAN.match(text)) and (span := _span(match)) is not None:
        return span
    if match := _HOURS_AND_MINUTES.match(text):
        return _plain(Decimal(int(match[1]) * 3600 + int(match[2]) * 60)), "duration"
    if match := _RELEASE.match(text):
        return (match[1], "version") if text.endswith("LTS") else (text.lower(), "version: open")
    if match := _MONEY.match(text):
        scale = {"k": 1000, "thousand": 1000, "m": 10**6, "million": 10**6, "billion": 10**9}
        factor = scale[match[3].lower()] if match[3] else 1
        return _plain(_decimal(match[2]) * factor), f"money:{CURRENCIES[match[1]]}"
    if text.endswith(" per cent"):
        return _numeric(f"{text[:-9]} percent")
    if text.endswith(" pence"):
        return _numeric(f"{text[:-6]}p")
    if match := _PENCE.match(text):
        return _plain(_decimal(match[1]) / 100), "money:gbp"
    if text[-1] in CURRENCIES and (match := _PLAIN.match(text[:-1].rstrip())):
        return _plain(_decimal(match[1])), f"money:{CURRENCIES[text[-1]]}"
    if match := _QUANTITY.match(text):
        unit = unit_of(match[2])
        if unit is not None:
            if unit[0] == "size":
                return _size(_decimal(match[1]), SIZE_STEPS[unit[1]]), "size"
            return _plain(_decimal(match[1]) * unit[1]), unit[0]
        if match[2].lower() in CURRENCY_WORDS:
            return _plain(_decimal(match[1])), f"money:{CURRENCY_WORDS[match[2].lower()]}"
    if match := _ISO_DATE.match(text):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    if match := _SLASHED.match(text):
        # there is one way to read 12/31/2031
        one, other = (match[3], match[1]) if int(match[3]) > 12 else (match[1], match[3])
        return f"{match[4]} {int(one):02} {int(other):02}", "date:slashed"
    if match := _DAY_FIRST.match(text):
        month = MONTHS.get(match[2].lower())
        if month is not None:
            return _date(int(match[3]) if match[3] else None, month, int(match[1]))
    if (match := _CLOCK.match(text)) and (match[2] or match[4]):
        return _clock(match)
    if (match := _MONEY_RATE.match(text)) and (price := _money(match[1])) is not None:
        told = match[2].strip()
        per_what = [_ADVERBS[told]] if told in _ADVERBS else [p.lower() for p in _PER_PART.findall(match[2])]
        takers = sorted(_PERIODS.get(p, singular(p)) for p in per_what)
        return price[0], f"{price[1]}/{'/'.join(takers)}"
    if match := _RATE.match(text):
        per = _PER.get(match[3].lower())
        if per is not None:
            what = _COUNT_ALIASES.get(match[2].lower(), singular(match[2].lower()))
            # 10 a second and 1,000 an hour may both hold: a limit for each window
            return _plain(_decimal(match[1])), f"rate:{what}/{_plain(Decimal(per))} s"
        if match[2]:
            taker = _PERIODS.get(match[3].lower(), singular(match[3].lower()))
            return _plain(_decimal(match[1])), f"rate:{singular(match[2].lower())}/{taker}"
    pieces, pos, total = 0, 0, Decimal(0)
    while part := _PARTS.match(text, pos):
        unit = unit_of("min" if pieces and part[2] == "m" else part[2])
        if unit is None or unit[0] != "duration" or part.end() == pos:
            break
        total, pos, pieces = total + Decimal(part[1]) * unit[1], part.end(), pieces + 1
    if pieces and pos == len(text):
        return _plain(total), "duration"
    if match := _COUNT.match(text):
        noun = match[2]
        return _plain(_decimal(match[1])), "count:" + _COUNT_ALIASES.get(noun, singular(noun))
    return None


def _span(match: re.Match[str]) -> tuple[str, str] | None:
    """Read "3-5 days" and "2 to 4 weeks"; a span compares with spans only."""
    unit = match[4] or ""
    if not (unit or match[1]) or unit[1:].startswith(("to ", "and ")):
        return None
    ends = [_numeric(f"{match[1]}{number}{unit}") for number in (match[2], match[3])]
    if ends[0] is None or ends[1] is None or ends[0][1] != ends[1][1] or _SPAN.match(unit.strip()):
        return None
    if ends[0][1].startswith(("count:", "number", "date", "time")) and "day" not in ends[0][1]:
        return None
    if _decimal(match[2]) >= _decimal(match[3]):
        return None
    return f"{ends[0][0]}..{ends[1][0]}", f"{ends[0][1]}: span"


def _money(text: str) -> tuple[str, str] | None:
    found = _numeric(text)
    return found if found is not None and found[1].startswith("money:") else None


def _size(number: Decimal, step: int) -> str:
    """Write a size so that both readings of a prefix fall together: 1 GB is 1000 MB, and 1024 MB to most people."""
    if number == 0:
        return "0"
    while step and number < 1 and (number * 8) % 1:
        number, step = number * 1000, step - 1
    while step < 5:
        if number >= 125 and number % 125 == 0:
            number, step = number / 1000, step + 1
        elif number >= 128 and number % 128 == 0:
            number, step = number / 1024, step + 1
        else:
            break
    return f"{_plain(number)}e{step}"


def _dated(text: str) -> tuple[str, str] | None:
    match = _MONTH_FIRST.match(text)
    if match is None or match[1].lower() not in MONTHS:
        return None
    return _date(int(match[3]) if match[3] else None, MONTHS[match[1].lower()], int(match[2]))


def _date(year: int | None, month: int, day: int) -> tuple[str, str] | None:
    try:
        checked = date(year or 2000, month, day)
    except ValueError:
        return None
    return (checked.isoformat(), "date") if year else (checked.isoformat()[5:], "day")


def _moment(text: str) -> tuple[str, str] | None:
    """Read a date, or a date and a time of that day: "12 March at 9:30" never compares with "12 March" alone."""
    timed = _TIMED.search(text.lower())
    day = text[: timed.start()] if timed is not None else text
    dated = _numeric(day) if day[:1].isdigit() else _dated(day)
    if dated is None or dated[1] not in ("day", "date") or timed is None:
        return dated if dated is not None and dated[1] in ("day", "date") else None
    hour, kind = _hour(timed[1])
    return (f"{dated[0]} {hour}", f"{dated[1]}:{kind}") if kind.startswith("time") else None


def _clock(match: re.Match[str]) -> tuple[str, str] | None:
    hour, minute, second = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    half = (match[4] or "").lower()[:1]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 24 or minute > 59 or second > 59:
        return None
    # 14:00 UTC restates 15:00 CET, so they never compare
    zone = f":{match[5].replace('GMT', 'UTC')}" if match[5] else ""
    return f"{hour % 24:02}:{minute:02}:{second:02}", f"time{zone}"
