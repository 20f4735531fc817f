"""Units, currencies, months and numbers in words, as tables."""

from __future__ import annotations

from decimal import Decimal

__all__ = [
    "CURRENCIES",
    "CURRENCY_WORDS",
    "MONTHS",
    "NUMBER_WORDS",
    "SCALES",
    "SIZE_STEPS",
    "UNITS",
    "WEEKDAYS",
    "number_in_words",
    "unit_of",
]

_MONTH_NAMES = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
MONTHS = {name: n for n, name in enumerate(_MONTH_NAMES, 1)}
MONTHS.update({name[:3]: n for n, name in enumerate(_MONTH_NAMES, 1)} | {"sept": 9})
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS = {d: d for d in _DAY_NAMES} | {d + "s": d for d in _DAY_NAMES}

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {word: n for n, word in enumerate(_ONES.split())} | {
    word: 10 * n for n, word in enumerate(_TENS.split(), 2)
}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}

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
        "MB M megabyte megabytes": "1000000",
        "GB G gigabyte gigabytes": "1000000000",
        "TB T terabyte terabytes": "1000000000000",
        "PB petabyte petabytes": "1000000000000000",
    },
    # 1024 MB is 1 GB to most people; who writes 1 GiB means it
    "binary size": {
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
    },
    # feet and metres never compare: people round when they change systems, and "62 miles" restates "100 km"
    "imperial length": {
        "inch inches": "1",
        "ft foot feet": "12",
        "yd yard yards": "36",
        "mile miles mi": "63360",
    },
    "mass": {
        "mg milligram milligrams": "0.000001",
        "g gram grams": "0.001",
        "kg kilo kilos kilogram kilograms": "1",
        "tonne tonnes": "1000",
    },
    "imperial mass": {"oz ounce ounces": "1", "lb lbs pound pounds": "16"},
    "m": {"m": "1"},  # metres or minutes: comparable with itself only
    "imperial speed": {"mph": "1"},
    "pressure": {"bar bars": "1", "mbar": "0.001"},
    "square": {"m² m2 sqm": "1", "km²": "1000000"},
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
SIZE_STEPS = {Decimal(1000) ** n: n for n in range(6)}
"""Bytes -> which prefix they are."""
CURRENCIES = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}
CURRENCY_WORDS = {
    "usd": "usd",
    "dollar": "usd",
    "dollars": "usd",
    "eur": "eur",
    "euro": "eur",
    "euros": "eur",
    "gbp": "gbp",
    "jpy": "jpy",
    "yen": "jpy",
}
CURRENCY_WORDS |= dict.fromkeys(("kr", "kronor", "kroner", "krona", "krone"), "kr")
CURRENCY_WORDS |= dict.fromkeys(("zloty", "zlotys", "złoty", "zł"), "pln") | dict.fromkeys(("rupee", "rupees"), "rupee")
CURRENCY_WORDS |= dict.fromkeys(("peso", "pesos"), "peso")
CURRENCY_WORDS |= {"yuan": "cny", "rand": "zar", "forint": "huf", "baht": "thb"}
for _code in ("chf", "sek", "nok", "dkk", "pln", "czk", "huf", "ron", "cad", "aud", "nzd", "inr", "cny", "brl", "zar"):
    CURRENCY_WORDS[_code] = _code


def number_in_words(text: str) -> int | None:
    """Read a whole number in English words.

    Example:
        >>> number_in_words("twenty-five"), number_in_words("two hundred"), number_in_words("two fifty")
        (25, 200, None)
    """
    total, current, seen, room = 0, 0, False, 1000
    for word in text.lower().replace("-", " ").split():
        if word in NUMBER_WORDS:
            number = NUMBER_WORDS[word]
            if number >= room:  # "two fifty", "nineteen ninety"
                return None
            current, room = current + number, 10 if number > 19 and not number % 10 else 1
        elif word in SCALES and seen:
            current, room = current * SCALES[word], 100
            if SCALES[word] > 100:
                total, current, room = total + current, 0, 1000
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
