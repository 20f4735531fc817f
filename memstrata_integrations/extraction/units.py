"""Units, currencies, months and numbers in words, as tables."""

from __future__ import annotations

from decimal import Decimal

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
PERIODS = {"night": 86400, "month": 2592000, "year": 31536000, "annum": 31536000}
PERIODS |= {name: int(factor) for name, (kind, factor) in _UNITS.items() if kind == "duration" and factor >= 1}
"""Seconds of what a rate is counted by."""


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
