"""Canonical values: two spellings of one value compare equal, values of two kinds never compare. In linear time."""

import re
from contextlib import suppress
from datetime import date
from decimal import Decimal
from functools import lru_cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_version
from packaging.version import InvalidVersion, Version

from memstrata_integrations.extraction.words import singular

NAMED = ("name", "name:1")
"""The kinds of what is called by a name, of several words or of one; all others are typed."""

Typed = tuple[str, str]  # a canonical value and its kind

_MONTH_NAMES = "january february march april may june july august september october november december".split()
MONTHS = {name: n for n, name in enumerate(_MONTH_NAMES, 1)}
MONTHS.update({name[:3]: n for n, name in enumerate(_MONTH_NAMES, 1)} | {"sept": 9})
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEKDAYS = {d: d for d in _DAYS} | {d + "s": d for d in _DAYS} | {d[:3]: d for d in _DAYS if d != "sunday"}

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
NUMBERS = {word: n for n, word in enumerate(_ONES.split())}
NUMBERS |= {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
SCALES = {"hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6, "m": 10**6, "billion": 10**9, "bn": 10**9}

# dimension: factor of the base unit, then its spellings; as written first, then in lower case: MB and Mb differ.
# Months have no fixed length. 1024 MB is 1 GB to most people; who writes 1 GiB means it. An "m" is metres or minutes.
# Feet and metres never compare: people round when they change systems.
_TABLE = """
duration: 0.000000001 ns nanosecond nanoseconds | 0.000001 us µs μs microsecond microseconds | 0.001 ms msec millisecond
  milliseconds | 1 s sec secs second seconds | 60 min mins minute minutes | 3600 h hr hrs hour hours | 86400 d day days
  | 604800 w week weeks | 1209600 fortnight fortnights
months: 1 month months | 3 quarter quarters | 12 yr yrs year years | 120 decade decades
size: 1 B byte bytes | 1000 KB kB kilobyte kilobytes | 1000000 MB M megabyte megabytes
  | 1000000000 GB G gigabyte gigabytes gig gigs | 1000000000000 TB T terabyte terabytes | 1000000000000000 PB
binary size: 1024 KiB Ki | 1048576 MiB Mi | 1073741824 GiB Gi | 1099511627776 TiB Ti
bits: 1 bit bits | 1000 Kb kb | 1000000 Mb | 1000000000 Gb
bitrate: 1000 kbps kbit/s | 1000000 Mbps Mbit/s Mbit | 1000000000 Gbps Gbit/s Gbit
percent: 1 % percent pct
frequency: 1 Hz hertz | 1000 kHz | 1000000 MHz | 1000000000 GHz
length: 0.001 mm millimetre millimetres millimeter millimeters | 0.01 cm centimetre centimetres centimeter centimeters
  | 1 metre metres meter meters | 1000 km kilometre kilometres kilometer kilometers
imperial length: 1 inch inches | 12 ft foot feet | 36 yd yard yards | 63360 mile miles mi
mass: 0.000001 mg milligram milligrams | 0.001 g gram grams | 1 kg kilo kilos kilogram kilograms
  | 1000 tonne tonnes ton tons
imperial mass: 1 oz ounce ounces | 16 lb lbs pound pounds
m: 1 m
pixels: 1 px pixel pixels
pressure: 1 bar bars | 0.001 mbar
speed: 1 km/h kph | 1.609344 mph
square: 1 m² m2 sqm | 1000000 km²
volume: 0.001 ml millilitre millilitres | 1 l litre litres liter liters
celsius: 1 °C celsius ℃
fahrenheit: 1 °F fahrenheit
power: 1 W watt watts | 1000 kW kilowatt kilowatts | 1000000 MW
"""
_UNITS: dict[str, tuple[str, Decimal]] = {
    spelling: (dimension, Decimal(factor))
    for dimension, _, spellings in (line.partition(": ") for line in _TABLE.strip().replace("\n  ", " ").split("\n"))
    for factor, *names in (part.split() for part in spellings.split("|"))
    for spelling in names
}
_MONEY = """usd $ dollar dollars; eur € euro euros; gbp £; jpy ¥ yen; chf franc francs; kr kronor kroner krona krone;
pln zloty; inr rupees; cny yuan; zar rand; huf forint; pence; sek; nok; dkk; czk; cad; aud; nzd; brl"""
CURRENCIES = {word: words[0] for words in map(str.split, _MONEY.split(";")) for word in words}
CURRENCIES |= {"pesos": "peso", "cents": "cent"}
PERIODS = {"night": 86400, "month": 2592000, "year": 31536000, "annum": 31536000}  # of rates, in seconds
PERIODS |= {name: int(factor) for name, (kind, factor) in _UNITS.items() if kind == "duration" and factor >= 1}

_LONGEST = 200  # characters: beyond it a value is compared as text, without a closer look
_HOURS = {"noon": ("12:00:00", "time"), "midday": ("12:00:00", "time"), "midnight": ("00:00:00", "time")}
_FIXED = _HOURS | dict.fromkeys("true on yes enabled".split(), ("true", "boolean"))
_FIXED |= dict.fromkeys("false off no disabled".split(), ("false", "boolean"))
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»"}
_NUMBER = r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?"
_NUMERIC = re.compile(
    rf"(?P<cur>[$€£¥])?\s?(?P<num>{_NUMBER})"
    r"(?P<scale>[kK](?![A-Za-z])| ?(?:thousand|million|billion|bn)\b|[mM](?<=\D[mM])(?=\Z))?(?P<rest>.*)\Z"
)
_PER = re.compile(r" ?(?:/ ?|per |an? |each |every )([A-Za-z²]+)\Z")
_PART = re.compile(r"(\d+(?:\.\d+)?) ?([a-z]+)(?:,? and |, | |(?=\d)|\Z)")
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?\Z")
_NTH_DAY = r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DAY_FIRST = re.compile(rf"{_NTH_DAY}(?: of)? (?P<month>[a-z]+)\.?(?:,? (?P<year>\d{{4}}))?\Z")
_MONTH_FIRST = re.compile(rf"(?P<month>[a-z]+)\.? {_NTH_DAY}(?:,? (?P<year>\d{{4}}))?\Z")
_MONTH_ONLY = re.compile(r"([a-z]+) (\d{4})\Z")
_NTH = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)\Z")
_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))? ?([ap]\.?m\b\.?|h\b|o['’]clock)?"
    r"(?: ?(utc|gmt|ce?s?t|e[sd]t|p[sd]t|bst|ist|jst|msk))?\Z"
)
_VERSION = re.compile(
    r"(?:[<>=~^!]{1,3} ?v?\d|v\d+(?=[.\d]|\Z)|\d+(?:\.\d+){2,}|\d+(?:\.\d+)*[-.]?(?:rc|beta|alpha|dev|post|lts)\b)"
    r"[\w.+*-]*(?: ?, ?[<>=~!^]{1,3} ?[\w.+*-]+)*\Z",
    re.I,
)
_IMAGE = re.compile(r"([A-Za-z][\w.-]*(?:/[\w.-]+)*)(?::(?=\d)|@(?=v?\d))([\w.-]+)\Z")
_HOST = re.compile(
    r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d+)?\Z|localhost(?::\d+)?\Z|(?:[\w*-]+\.)+"
    r"(?:com|org|net|io|dev|local|internal|app|ai|co|uk|de|eu|cloud|example|test|lan)(?::\d+)?\Z"
)
_SHAPES = {
    "host": _HOST,
    "endpoint": re.compile(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+\Z"),
    "url": re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+\Z"),
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+\Z"),
    "path": re.compile(
        r"(?:~?/|\.{1,2}/|[A-Za-z]:\\|\$\{?[A-Z_]+\}?/)\S*\Z|(?:[\w.{}*-]+/)+[\w.{}*-]*\Z|[\w.{}@+-]*[\w}]\.[a-z][a-z0-9]{0,5}\Z"
    ),
}
TITLES = frozenset("mr mrs ms miss dr prof professor st sir dame lord lady captain father sister judge chef".split())
_COUNTRIES = frozenset(
    """afghanistan albania algeria angola argentina armenia australia austria azerbaijan bangladesh belarus belgium
bolivia bosnia brazil britain bulgaria cambodia cameroon canada chile china colombia croatia cuba cyprus czechia denmark
ecuador egypt england estonia ethiopia finland france georgia germany ghana greece guatemala hungary iceland india
indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kosovo latvia lebanon libya lithuania
luxembourg malaysia malta mexico moldova mongolia montenegro morocco mozambique nepal netherlands nicaragua nigeria
norway pakistan panama paraguay peru philippines poland portugal romania russia rwanda scotland senegal serbia slovakia
slovenia spain sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda ukraine uruguay venezuela vietnam
wales yemen zambia zimbabwe usa uk us""".split()
)
_PLACEHOLDERS = frozenset(
    """tbd tba tbc todo n/a n.n none null unknown undefined various varies depends - -- ? your changeme xxx example
placeholder""".split()
)
_HEADS = {"people": "person", "req": "request", "reqs": "request", "children": "child"}


def number_in_words(text: str) -> int | None:
    """Read a whole number in English words: "twenty-five", "two hundred"; "two fifty" is none."""
    total, current, seen, room = 0, 0, False, 1000
    for word in text.lower().replace("-", " ").split():
        if word in NUMBERS:
            number = NUMBERS[word]
            if number >= room:  # "two fifty", "nineteen ninety"
                return None
            current, room = current + number, 10 if number > 19 and not number % 10 else 1
        elif word in SCALES and len(word) > 2 and seen:
            current, room = current * SCALES[word], 100
            if SCALES[word] > 100:
                total, current, room = total + current, 0, 1000
        elif not (word == "and" and seen):
            return None
        seen = True
    return total + current if seen else None


def unit_of(word: str) -> tuple[str, Decimal] | None:
    """Return the dimension and factor of a unit, `None` for any other word."""
    return _UNITS.get(word) or _UNITS.get(word.lower())


def is_placeholder(word: str) -> bool:
    """Whether a word in lower case only keeps a value's place: "TBD"."""
    return word in _PLACEHOLDERS or word.startswith(("your_", "<", "your-"))


def canonical_value(text: str, expected: str = "") -> Typed:
    """Return the canonical form of a value and its kind; values of different kinds cannot be compared.

    `expected` is what its place decides: ``"version"`` (ranges and tags compare with one another), or ``"pin"``: a
    version as written.

    Example:
        >>> canonical_value("30 minutes"), canonical_value("1,800 s"), canonical_value("==1.26.4", "version")
        (('1800', 'duration'), ('1800', 'duration'), ('1.26.4', 'version'))
    """
    if len(text) > _LONGEST:
        return " ".join(text.split()).casefold(), expected or "name"
    return _canonical_value(text, expected)


@lru_cache(maxsize=16384)
def _canonical_value(text: str, expected: str) -> Typed:
    bare = text.strip()
    if len(bare) > 1 and _QUOTES.get(bare[0]) == bare[-1] and bare[-1] not in bare[1:-1]:
        bare = bare[1:-1].strip() or bare
    return (_version(bare, exact=expected == "pin"), "version") if expected else _classify(bare)


def _classify(text: str) -> Typed:
    """Name the kind of an unquoted value by what it looks like."""
    lower = text.lower()
    if (fixed := _FIXED.get(lower)) is not None:
        return fixed
    found = _worded(text, lower) if text[:1].isalpha() else _numeric(text, lower) if text else None
    if found is not None:
        return found
    if _VERSION.match(text) and not _HOST.match(text):  # a first number alone is apart: 13 and 13.2 may both be meant
        return _version(text), "version" if "." in text else "version:major"
    if (image := _IMAGE.match(text)) is not None and not _HOST.match(text):
        return image[2], f"image of {image[1].lower()}"  # "postgres:16" is compared with other images of postgres
    if (shaped := next((kind for kind, shape in _SHAPES.items() if shape.match(text)), None)) is not None:
        return _location(text), shaped
    words = [w.rstrip(".,") or w for w in text.casefold().removesuffix("()").replace("’", "'").split()]
    while len(words) > 1 and (words[0] in TITLES or words[0] == "the"):
        del words[0]
    name = " ".join(words)
    # Porto may be in Portugal
    return name, "country" if name in _COUNTRIES else "name:1" if len(words) == 1 else "name"


def _worded(text: str, lower: str) -> Typed | None:
    """Read days, months, numbers and amounts in words."""
    first, _, rest = lower.partition(" ")
    if (day := WEEKDAYS.get(first.rstrip(","))) is not None:
        if not rest:
            return day, "weekday"
        timed = _clock(rest.removeprefix("at "))
        # "Monday, 3 March": the date says it
        return (f"{day} {timed[0]}", "weekday:time") if timed is not None else _dated(rest.removeprefix("the "))
    if first.rstrip(".") in MONTHS:
        return _dated(lower)
    words = lower.replace("-", " ").split()
    for n in range(min(5, len(words)), 0, -1):
        if (number := number_in_words(" ".join(words[:n]))) is not None:
            said = " ".join([str(number), *words[n:]])
            return _numeric(said, said) if n == len(words) or not text.istitle() else None
    return None


def _numeric(text: str, lower: str) -> Typed | None:
    if text[0].isdigit() and (found := _dated(lower) or _clock(lower, sure=True)) is not None:
        return found
    match = _NUMERIC.match(text)
    if match is None or sum(c.isdigit() for c in match["num"]) > 24:
        return None
    digits = match["num"].replace(",", "").replace("_", "").replace("−", "-")
    number = Decimal(digits) * (SCALES[match["scale"].strip().lower()] if match["scale"] else 1)
    rest = match["rest"].lstrip(" \u00a0-–").rstrip()
    glued = not match["rest"][:1].isspace() and rest not in ("p", "x")
    if not rest and not match["cur"]:  # as written: 1.30 may be no 1.3, and 007 no 7
        return (_plain(number) if match["scale"] else digits), "number"
    return _measured(number, f"{match['cur'] or ''} {rest}".strip(), glued=glued)


def _measured(number: Decimal, rest: str, *, glued: bool) -> Typed | None:
    """Read what stands behind a number: a unit, a currency, what is counted, and per what."""
    if not rest:
        return _plain(number), "number"
    per = _PER.search(" " + rest)
    what = (" " + rest)[: per.start()].strip() if per is not None else rest
    unit = unit_of(what) if what else None
    if (currency := CURRENCIES.get(what.lower())) is not None:
        return _plain(number), f"money:{currency}" + (f"/{singular(per[1].lower())}" if per is not None else "")
    wordy = what.replace(" ", "").replace("-", "").isalpha()
    if per is not None:
        period = PERIODS.get(per[1].lower())
        by = f"{period} s" if period else singular(per[1].lower())
        if unit is not None:
            return _plain(number * unit[1]), f"rate:{unit[0]}/{by}"
        return (_plain(number), f"rate:{_counted(what)}/{by}") if wordy or not what else None
    if unit is not None:
        return (_size if unit[0] == "size" else _plain)(number * unit[1]), unit[0]
    parts = _in_parts(f"{_plain(number)} {rest}")
    if parts is not None or glued:
        return parts
    return (_plain(number), f"count:{_counted(what)}") if wordy and len(what) < 40 else None


def _counted(what: str) -> str:
    words = what.lower().split()
    return " ".join([*words[:-1], _HEADS.get(words[-1]) or singular(words[-1])]) if words else ""


def _in_parts(text: str) -> Typed | None:
    """Read "1 hour 30 minutes" and "1h30m"."""
    pos, total = 0, Decimal(0)
    while (part := _PART.match(text, pos)) is not None and part.end() > pos:
        unit = unit_of("min" if part[2] == "m" and (pos or part.end() < len(text)) else part[2])
        if unit is None or unit[0] != "duration":
            return None
        total, pos = total + Decimal(part[1]) * unit[1], part.end()
    return (_plain(total), "duration") if pos == len(text) else None


def _plain(number: Decimal) -> str:
    written = format(number, "f")
    written = written.rstrip("0").rstrip(".") if "." in written else written
    return "0" if written in ("-0", "") else written


def _size(number: Decimal) -> str:
    """Write a size so that both readings of a prefix fall together: 1 GB is 1000 MB, and 1024 MB to most people."""
    step = 0
    while step < 5 and number:
        if number >= 125 and number % 125 == 0:
            number, step = number / 1000, step + 1
        elif number >= 128 and number % 128 == 0:
            number, step = number / 1024, step + 1
        else:
            break
    return f"{_plain(number)}e{step}"


def _dated(text: str) -> Typed | None:
    """Read a date with or without a year."""
    if match := _ISO_DATE.match(text):
        found = _date(match[1], int(match[2]), match[3])
        return (f"{found[0]} {match[4]}{match[5] or ''}", "date:time") if found is not None and match[4] else found
    match = _DAY_FIRST.match(text) or _MONTH_FIRST.match(text)
    if match is not None and match["month"] in MONTHS:
        return _date(match["year"], MONTHS[match["month"]], match["day"])
    if (match := _MONTH_ONLY.match(text)) and match[1] in MONTHS:
        return f"{match[2]}-{MONTHS[match[1]]:02}", "month"
    return (match[1], "day of month") if (match := _NTH.match(text)) else None


def _date(year: str | None, month: int, day: str) -> Typed | None:
    try:
        checked = date(int(year or 2000), month, int(day)).isoformat()
    except ValueError:
        return None
    return (checked, "date") if year else (checked[5:], "day")


def _clock(text: str, *, sure: bool = False) -> Typed | None:
    """Read a time of day; a bare number is one only where the caller is `sure` of nothing else."""
    if text in _HOURS:
        return _HOURS[text]
    match = _CLOCK.match(text)
    if match is None or (sure and not (":" in text or match[4])):
        return None
    hour, minute, second, half = int(match[1]), int(match[2] or 0), int(match[3] or 0), (match[4] or "")[:1]
    if half in ("a", "p"):
        hour = hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else 99
    if hour > 24 or minute > 59 or second > 59:
        return None
    # 14:00 UTC restates 15:00 CET, so they never compare
    zone = f":{match[5].replace('gmt', 'utc')}" if match[5] else ""
    return f"{hour % 24:02}:{minute:02}:{second:02}", f"time{zone}"


def _version(text: str, *, exact: bool = False) -> str:
    """Return a version or a range of them in its normal form; `exact` keeps 1.0 and 1.0.0 apart."""
    text = re.sub(r"^(?:version|release) ", "", text, flags=re.I)
    bare = re.sub(r"^={1,3}\s*", "", text).removesuffix(" LTS")
    with suppress(InvalidVersion):
        return str(Version(bare)) if exact else canonicalize_version(Version(bare))
    if text[:1] in "<>=!~":
        with suppress(InvalidSpecifier):
            parts = ((p.operator, p.version) for p in SpecifierSet(text))
            return ",".join(sorted(o + canonicalize_version(v, strip_trailing_zero=o != "~=") for o, v in parts))
    return "".join(bare.split()).casefold()


def _location(text: str) -> str:
    """A trailing slash says nothing, nor does the port that a scheme has by itself; hosts have no case."""
    scheme = re.match(r"([A-Za-z][\w+.-]*)://([^/?#@]*)", text)
    if scheme is not None:
        port = {"https": ":443", "http": ":80"}.get(scheme[1].lower(), "\0")
        text = f"{scheme[1].lower()}://{scheme[2].lower().removesuffix(port)}{text[scheme.end() :]}"
    else:
        text = text.removeprefix("./").replace("//", "/") or text
    return text[:-1] if len(text) > 1 and text[-1] == "/" and text[-2] not in "/:" else text
