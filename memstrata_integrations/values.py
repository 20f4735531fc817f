"""Canonical values: two spellings of one value compare equal, unlike kinds never compare.

Every function here is pure and linear in the length of its input.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from memstrata_integrations.inflection import singular

__all__ = ["METHODS", "MONTHS", "NUMBER_WORDS", "UNITS", "WEEKDAYS", "canonical_value", "number_in_words", "unit_of"]

_LONGEST = 4000  # characters: beyond it a value is compared as text, without a closer look

METHODS = frozenset("GET POST PUT PATCH DELETE HEAD OPTIONS TRACE".split())
_TRUE = frozenset("true on yes enabled".split())
_FALSE = frozenset("false off no disabled".split())

_MONTH_NAMES = "january february march april may june july august september october november december".split()
MONTHS = {name: n for n, name in enumerate(_MONTH_NAMES, 1)}
MONTHS.update({name[:3]: n for n, name in enumerate(_MONTH_NAMES, 1)} | {"sept": 9})
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEKDAYS = {d: d for d in _DAY_NAMES} | {d + "s": d for d in _DAY_NAMES}

NUMBER_WORDS = {
    word: n
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen".split()
    )
} | {word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}

# dimension -> how many of its base unit one of each spelling is. Spelt as written first, then in
# lower case, so that MB (bytes) and Mb (bits) stay apart.
_UNIT_TABLE: dict[str, dict[str, str]] = {
    "duration": {  # seconds; months and years have no fixed length
        "ns nanosecond nanoseconds": "0.000000001",
        "us µs μs microsecond microseconds": "0.000001",
        "ms msec msecs millisecond milliseconds": "0.001",
        "s sec secs second seconds": "1",
        "min mins minute minutes": "60",
        "h hr hrs hour hours": "3600",
        "d day days": "86400",
        "w week weeks": "604800",
        "fortnight fortnights": "1209600",
    },
    "months": {"month months": "1", "quarter quarters": "3", "yr yrs year years": "12", "decade decades": "120"},
    "size": {  # bytes; the decimal prefixes are decimal
        "B byte bytes": "1",
        "KB kB kilobyte kilobytes": "1000",
        "MB megabyte megabytes": "1000000",
        "GB gigabyte gigabytes": "1000000000",
        "TB terabyte terabytes": "1000000000000",
        "PB petabyte petabytes": "1000000000000000",
        "KiB kibibyte kibibytes Ki": "1024",
        "MiB mebibyte mebibytes Mi": "1048576",
        "GiB gibibyte gibibytes Gi": "1073741824",
        "TiB tebibyte tebibytes Ti": "1099511627776",
    },
    "bitrate": {"kbps Kbps kbit/s": "1000", "Mbps Mbit/s": "1000000", "Gbps Gbit/s": "1000000000"},
    "bits": {"bit bits": "1", "Kb kb": "1000", "Mb": "1000000", "Gb": "1000000000"},
    "percent": {"% percent pct": "1"},
    "frequency": {"Hz hertz": "1", "kHz": "1000", "MHz": "1000000", "GHz": "1000000000"},
    "length": {
        "mm millimetre millimetres millimeter millimeters": "0.001",
        "cm centimetre centimetres centimeter centimeters": "0.01",
        "metre metres meter meters": "1",
        "km kilometre kilometres kilometer kilometers": "1000",
        "inch inches": "0.0254",
        "ft foot feet": "0.3048",
        "mile miles": "1609.344",
    },
    "mass": {
        "mg milligram milligrams": "0.000001",
        "g gram grams": "0.001",
        "kg kilo kilos kilogram kilograms": "1",
        "lb lbs pound pounds": "0.45359237",
        "tonne tonnes": "1000",
    },
    "volume": {"ml millilitre millilitres milliliter milliliters": "0.001", "l litre litres liter liters": "1"},
    "celsius": {"°C celsius": "1"},
    "fahrenheit": {"°F fahrenheit": "1"},
    "power": {"W watt watts": "1", "kW kilowatt kilowatts": "1000", "MW": "1000000"},
    "voltage": {"V volt volts": "1"},
    "pixels": {"px pixel pixels": "1"},
    "tokens": {"token tokens": "1"},
}
UNITS: dict[str, tuple[str, Decimal]] = {
    spelling: (dimension, Decimal(factor))
    for dimension, spellings in _UNIT_TABLE.items()
    for names, factor in spellings.items()
    for spelling in names.split()
}
_CURRENCIES = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}
_CURRENCY_WORDS = {
    **dict.fromkeys("usd dollar dollars".split(), "usd"),
    **dict.fromkeys("eur euro euros".split(), "eur"),
    **dict.fromkeys("gbp".split(), "gbp"),
    **dict.fromkeys("jpy yen".split(), "jpy"),
    **dict.fromkeys("chf".split(), "chf"),
}
_PER = {"second": "1", "sec": "1", "s": "1", "minute": "60", "min": "60", "hour": "3600", "h": "3600", "hr": "3600"}
_PER |= {"day": "86400", "d": "86400", "week": "604800"}
_COUNT_ALIASES = {"req": "request", "reqs": "request", "requests": "request", "people": "person", "conns": "connection"}

_NUMBER = r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?"
_PLAIN = re.compile(rf"({_NUMBER})\Z")
_QUANTITY = re.compile(rf"({_NUMBER})[ \u00a0-]?([A-Za-z%°µμ][A-Za-z/%]*)\Z")
_COUNT = re.compile(rf"({_NUMBER}) ([a-z]+(?:[ -][a-z]+)?)\Z")
_RATE = re.compile(rf"({_NUMBER}) ?([A-Za-z]*) ?(?:/|per |an? |each |every )([A-Za-z]+)\Z")
_PARTS = re.compile(r"(\d+(?:\.\d+)?) ?([a-z]+)(?:,? and |, | |)")
_MONEY = re.compile(rf"([$€£¥]) ?({_NUMBER}) ?([kKmM]|million|thousand|billion)?\Z")
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\Z")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([A-Za-z]+)\.?(?:,? (\d{4}))?\Z")
_MONTH_FIRST = re.compile(r"([A-Za-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\Z")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::(\d{2}))? ?([aApP]\.?[mM]\.?)?(?: (UTC|GMT|[A-Z]{2,4}))?\Z")
_VERSION = re.compile(r"(?:v\d+(?:\.\d+)*|\d+(?:\.\d+){2,})[\w.+-]*\Z")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+\Z")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+\Z")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d+)?\Z")
_HOST = re.compile(r"(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:com|org|net|io|dev|local|internal|app|ai|co|uk|de|eu|cloud|example|test|lan))(?::\d+)?\Z")
_HOST_PORT = re.compile(r"[A-Za-z0-9*-]+(?:\.[A-Za-z0-9-]+)*:\d{2,5}\Z")
_PATH = re.compile(r"(?:~?/|\.{1,2}/|[A-Za-z]:\\)\S*\Z")
_FILE = re.compile(
    r"[\w./{}@+-]*[\w}]\.(?:py|js|ts|json|ya?ml|toml|ini|cfg|conf|txt|md|rst|html|css|sql|sh|log|env|csv|db|sqlite3?|lock|xml|pem|crt|key|go|rs|java|rb|c|h|cpp)\Z"
)
_ENDPOINT = re.compile(rf"({'|'.join(sorted(METHODS))}) (/\S*|https?://\S+)\Z")
_IDENTIFIER = re.compile(r"(?=\S*(?:[_.$@:\d]|\(\)|[a-z][A-Z]))[A-Za-z_$@][\w.$@:/-]*(?:\(\))?\Z")
_NAME = re.compile(r"(?:[A-Z][\w.'’&-]*)(?: (?:(?:of|de|van|von|der|la|the|and|&) )?[A-Z0-9][\w.'’&-]*)*\Z")
_SINGLE_EQUALS = re.compile(r"={2,3}\s*")
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»"}


def canonical_value(text: str, expected: str | None = None) -> tuple[str, str]:
    """Return the canonical form of a value and its dimension.

    Args:
        text: The value as written, quotes and backticks allowed.
        expected: The dimension of the slot it stands in, when the slot decides it: "version"
            (pins, ranges, tags and commits compare with one another), "setting" (whatever a named
            setting holds), "port", "endpoint", "address", "place", "duration", ... `None` lets the
            value speak for itself.

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
    if expected == "version":
        return _version_value(bare), "version"
    if expected == "duration":
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


def number_in_words(text: str) -> int | None:
    """Read a whole number in English words.

    Example:
        >>> number_in_words("twenty-five"), number_in_words("two hundred"), number_in_words("many")
        (25, 200, None)
    """
    total, current, seen = 0, 0, False
    for word in text.lower().replace("-", " ").split():
        if word in NUMBER_WORDS:
            current += NUMBER_WORDS[word]
        elif word in _SCALES and seen:
            current *= _SCALES[word]
            if _SCALES[word] > 100:
                total, current = total + current, 0
        elif not (word == "and" and seen):
            return None
        seen = True
    return total + current if seen else None


def unit_of(word: str) -> tuple[str, Decimal] | None:
    """Return the dimension and factor of a unit, `None` for any other word.

    Example:
        >>> unit_of("minutes")
        ('duration', Decimal('60'))
    """
    return UNITS.get(word) or UNITS.get(word.lower())


def _decimal(digits: str) -> Decimal:
    return Decimal(digits.replace(",", "").replace("_", "").replace("−", "-"))


def _plain(number: Decimal) -> str:
    written = format(number, "f")
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    return "0" if written in ("-0", "") else written


def _version_value(text: str) -> str:
    if text[:8].lower() == "version ":
        text = text[8:].strip()
    if len(text) > 200:
        return text.casefold()
    single = _SINGLE_EQUALS.match(text)
    bare = text[single.end() :] if single else text
    try:
        return str(Version(bare))
    except InvalidVersion:
        pass
    if text[:1] in "<>=!~":
        try:
            return ",".join(sorted(str(s) for s in SpecifierSet(text)))
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
    if lower in _TRUE:
        return "true", "boolean"
    if lower in _FALSE:
        return "false", "boolean"
    if lower in WEEKDAYS:
        return WEEKDAYS[lower], "weekday"
    if len(text) > 200:
        return _folded(text)
    first = text[0]
    if first.isascii() and (first.isdigit() or first in "+-$€£¥") or first in "€£¥−":
        found = _numeric(text)
        if found is not None:
            return found
    if first.isalpha():
        words = number_in_words(lower)
        if words is not None:
            return str(words), "number"
        head, _, rest = lower.rpartition(" ")
        if head and (words := number_in_words(head)) is not None:
            return _numeric(f"{words} {rest}") or _folded(text)
        found = _dated(text)
        if found is not None:
            return found
    for kind, pattern, fold in _SHAPES:
        if pattern.match(text):
            return (fold(text), kind)
    return _folded(text)


def _host(text: str) -> str:
    return text.casefold()


def _same(text: str) -> str:
    return text


def _version_of(text: str) -> str:
    return _version_value(text)


def _called(text: str) -> str:
    return text.removesuffix("()")


_SHAPES: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("host", _IP, _same),
    ("version", _VERSION, _version_of),
    ("endpoint", _ENDPOINT, _same),
    ("url", _URL, _same),
    ("email", _EMAIL, _host),
    ("host", _HOST, _host),
    ("path", _PATH, _same),
    ("path", _FILE, _same),
    ("host", _HOST_PORT, _host),
    ("identifier", _IDENTIFIER, _called),
    ("name", _NAME, lambda t: " ".join(t.split()).casefold()),
)


def _numeric(text: str) -> tuple[str, str] | None:
    if sum(c.isdigit() for c in text) > 24:
        return None
    if match := _PLAIN.match(text):
        return _plain(_decimal(match[1])), "number"
    if match := _MONEY.match(text):
        scale = {"k": 1000, "thousand": 1000, "m": 10**6, "million": 10**6, "billion": 10**9}
        factor = scale[match[3].lower()] if match[3] else 1
        return _plain(_decimal(match[2]) * factor), f"money:{_CURRENCIES[match[1]]}"
    if match := _QUANTITY.match(text):
        unit = unit_of(match[2])
        if unit is not None:
            return _plain(_decimal(match[1]) * unit[1]), unit[0]
        if match[2].lower() in _CURRENCY_WORDS:
            return _plain(_decimal(match[1])), f"money:{_CURRENCY_WORDS[match[2].lower()]}"
    if match := _ISO_DATE.match(text):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    if match := _DAY_FIRST.match(text):
        month = MONTHS.get(match[2].lower())
        if month is not None:
            return _date(int(match[3]) if match[3] else None, month, int(match[1]))
    if match := _CLOCK.match(text):
        if match[2] or match[4]:
            return _clock(match)
    if match := _RATE.match(text):
        per = _PER.get(match[3].lower())
        if per is not None:
            what = _COUNT_ALIASES.get(match[2].lower(), singular(match[2].lower()))
            return str(Fraction(_decimal(match[1])) / Fraction(per)), f"rate:{what}"
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


def _clock(match: re.Match[str]) -> tuple[str, str] | None:
    hour, minute, second = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    half = (match[4] or "").lower()[:1]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 24 or minute > 59 or second > 59:
        return None
    zone = f" {match[5]}" if match[5] else ""
    return f"{hour:02}:{minute:02}:{second:02}{zone}", "time"
