"""Amounts as people write them, in digits: "half an hour", "two weeks", "a dozen eggs", "1 000", "€13,50".

Every piece is put in digits in as many letters as it has, so that every place in the text stays what it was:
"two weeks" becomes "002 weeks". Rules then need to know digits only, and a value is given as it stands in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.lexicon import EVENTS
from memstrata_integrations.units import CURRENCY_WORDS, MONTHS, NUMBER_WORDS, SCALES, number_in_words, unit_of
from memstrata_integrations.words import holds_any, singular, word_set

__all__ = ["in_digits", "in_plain_digits", "is_amount", "place_of"]

# Every match begins with a digit, so that a text without one is done at once
_MARKED = re.compile(r"\d(?:[.,'’ \u00a0\u202f]\d|h[0-5]\d|(?<=\b1)2 (?:noon|midn))")
_END = r"(?=[\s,;:.!?)]|\Z)"
# A number in groups of three, which no phone number is
_SPACED = re.compile(
    r"(?<![\w.,:/+#-])(?<!\d )[1-9]\d{0,2}(?:(?:[ \u00a0\u202f]\d{3})+|(?:['’]\d{3})+)"
    r"(?![\w:/'’-]|[ .]?\d|,\d{3}| (?:m?l|k?g|[KMGT]B|[cm]?m|W|V) [a-z]+s\b)"  # "2 500 ml bottles"
)
# "€1.200": no price has three digits of cents, but for fuel, power and the like
_DOTTED = re.compile(
    r"(?<![\w.,])(?:€ ?[1-9]\d{0,2}(?:\.\d{3})+(?!\.?\d|,\d)|[1-9]\d{0,2}(?:\.\d{3})+(?= ?€| euros?\b| EUR\b))"
    r"(?!(?: ?€| euros?| EUR)? ?(?:/|per|an? )(?: ?(?:l|litre|liter|kwh|kg|km|minute|min|unit|m³)\b))",
    re.IGNORECASE,
)
_FINE = re.compile(
    r"(?i)\b(?:diesel|petrol|fuel|gas|gasoline|exchange|rate|shares?|kwh|lit(?:re|er)s?|power|electricity)\b"
)
_COMMA = re.compile(
    r"(?<![\w.,])(?P<mark>[€£$¥] ?)?(?P<whole>0(?=,\d)|\d{1,3}(?:[._]\d{3})+|\d+)"
    r",(?P<part>(?<=\b0,)\d{1,4}|\d{1,2})(?![\d,])"
    r"(?(mark)|(?= ?(?:[€%]|(?:euros?|EUR|per ?cent|kg|g|km|m|cm|mm|l|litres?|liters?|ml|hours?|h|minutes?|seconds?|s"
    r"|days?|weeks?|months?|years?|[KMGT]B|kW|kWh|W|V|°C)" + _END + r")))"
)
_HOUR = r"(?:[6-9]|1\d|2[0-3])h[0-5]\d"
_FRENCH = re.compile(rf"\b(?:at|until|till) {_HOUR}{_END}|\bfrom {_HOUR} (?:to|until) {_HOUR}{_END}")
_HOURS = ("h0", "h1", "h2", "h3", "h4", "h5")  # one of them in each match of `_FRENCH`
_TWELVE = re.compile(r"(?<=\b(?:at|is|to) )12 (noon|midnight)(?=[.,;)]|\Z)")

_CLOCKED = re.compile(r"(?<=\d)h(?=\d)")

_UNITS = "second|minute|hour|day|week|fortnight|month|year"
# Before one of these an article counts: "expires after an hour", "a delay of a second"
_COUNTING = (
    r"(?:costs?|for|after|within|in|under|over|lasts?|takes?|is|are|be|waits?|by|least|most|than|every|up to|of up to"
    r"|(?:timeout|delay|period|notice|term|limit|maximum|minimum|max|min|age|interval|lifetime|window|duration|ttl) of"
    r"|set to|down to|limited to|reduced to|raised to|extended to|shortened to|cut to|:)"
)
_BEHIND = (
    r"(?=\Z|[.,;:!?)](?:\s|\Z)| (?:and|or|but|so|if|when|while|before|after|from|for|in|on|at|to|with|without|by|as|per"
    r"|between|until|unless|since|because|then|now|instead|under|during)\b(?! (?:a half|later|ago)\b))"
)
_ARTICLE = re.compile(
    rf"\b{_COUNTING} (?P<one>an?|one) (?:{_UNITS}|euro|dollar)(?<!in a second){_BEHIND}", re.IGNORECASE
)
_PARTS = {
    "half an hour": (30, "minutes"),
    "half a minute": (30, "seconds"),
    "half a day": (12, "hours"),
    "half a year": (6, "months"),
    "an hour and a half": (90, "minutes"),
    "a minute and a half": (90, "seconds"),
    "one and a half hours": (90, "minutes"),
    "a day and a half": (36, "hours"),
    "a year and a half": (18, "months"),
    "a quarter of an hour": (15, "minutes"),
    "three quarters of an hour": (45, "minutes"),
    "three-quarters of an hour": (45, "minutes"),
}
_PART = re.compile(rf"(?<!and )(?<!every other )\b(?:{'|'.join(_PARTS)})\b(?! and|-)", re.IGNORECASE)
_SCORE = re.compile(
    r"(?<!the )\b(?P<how>half a|(?<!half )a|[a-z]+) dozen(?= [a-z]+\b|[.,;)]|\Z)(?! of\b)"
    r"|(?<=\b(?:of|is|to|at) )a (?:hundred|thousand|million)(?= [a-z]+s\b|[.,;)]|\Z)"
    r"|(?<=\b(?:has|for) )a (?:hundred|thousand|million)(?= [a-z]+s\b)"
)
_WORDS = "|".join(sorted((w for w, n in NUMBER_WORDS.items() if n > 1), key=len, reverse=True))
_LARGE = "|".join(SCALES)
_WORDED = re.compile(
    rf"(?<![\w-])(?:{_WORDS}|one(?= (?:{_LARGE})\b))(?:(?: and)?[ -](?:{_WORDS}|{_LARGE}|one)){{0,8}}"
    rf"(?=(?: to (?:{_WORDS})(?:-(?:{_WORDS}|one))?)? (?P<unit>[a-z]+)\b)"
)
# Behind these a number only says of how many things the talk is: "the three servers"
_KNOWN = word_set(
    "the these those our my your his her its their all both last first next other any some every each no top few only "
    "of and or past to half quarter ten twenty five number version phase part step level day week room line bus route"
)
_NO_PLURALS = word_set(
    "is was has does this us yes always perhaps times as ours hers theirs its his less plus minus versus past thus "
    "halves thirds quarters fifths others ones points goals sets games"
)
_CLAUSE = re.compile(r"[,;.] ")
_NEAR = 60
_NO_AMOUNT = re.compile(
    r"\b(?:phone|tel|telephone|call|mobile|cell|fax|hotline|number|code|postcode|zip|pin|id|reach|account|iban|card"
    r"|ticket|passport|serial|isbn|reference|ref)\b"
)
# "with one sugar", beside "with two sugars"
_ONE = re.compile(
    r"(?<=\b(?:with|have|need) )one(?= [a-z]+(?:\Z|[.,;)]| (?:now|instead)\b))|(?<=\bhas )one(?= [a-z]+(?:\Z|[.,;)]))"
)
# "Dinner is at six", "on Mondays at five": the hour of what takes place
_CLOCKED_EVENT = re.compile(
    rf"(?<=(?:is|re|ay|ys) at )(?:{'|'.join(w for w, n in NUMBER_WORDS.items() if 1 < n < 13)})"
    r"(?=[.,;!]|\Z| (?:now|sharp)\b)"
)
_EVENT = re.compile(r"(?P<what>[a-z-]+)(?: (?:for|with|of|in|at) [\w’' -]{2,30}?)? (?:is|are) at \Z")
_ON_DAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days? at \Z")
_NO_DIGIT = re.compile(r"\D")
_WRITTEN = re.compile(r"(?<![\w.])(?<!\d:)(?:0+[1-9]\d*|\d{1,3}(?:_\d{3})+)(?![\w:])")
_LAST = ("", ".", ",", ";", ":", "!", "?", ")")
_SIGNS = frozenset(
    [w for w, n in NUMBER_WORDS.items() if n > 1]
    + [f"{ten}-{one}" for ten, n in NUMBER_WORDS.items() if n > 19 for one, m in NUMBER_WORDS.items() if 0 < m < 10]
    + ["half", "one", *SCALES, *(f"{w}{m}" for w, n in NUMBER_WORDS.items() if 1 < n < 13 for m in _LAST)]
    + [f"{word}{mark}" for word in ("dozen", "hour", "euro", "dollar", *_UNITS.split("|"), *SCALES) for mark in _LAST]
)
"""Of these words a text has one if any amount in it is told in words."""


def in_digits(text: str) -> str:
    """Return a text with its amounts in digits, every place of it what it was.

    Example:
        >>> in_digits("Tokens expire after half an hour.")
        'Tokens expire after 0030 minutes.'
        >>> in_digits("A pass costs €13,50 and lasts two weeks.")
        'A pass costs €13.50 and lasts 002 weeks.'
    """
    if _MARKED.search(text) is not None:  # and each form of amount only where the text has a sign of it
        text = _SPACED.sub(_of_groups, text)
        if "," in text:
            text = _COMMA.sub(_with_point, text)
        if "." in text and ("€" in text or "eur" in text.lower()) and _FINE.search(text) is None:
            text = _DOTTED.sub(lambda m: m[0].replace(".", "_"), text)
        if holds_any(text, _HOURS):
            text = _FRENCH.sub(lambda m: _CLOCKED.sub(":", m[0]), text)
        if "12 " in text:
            text = _TWELVE.sub(lambda m: "12:00pm" if m[1] == "noon" else "12:00:00 am", text)
    if not _SIGNS.isdisjoint(text.split()):
        for pattern, put in _WORDED_AMOUNTS:
            text = pattern.sub(put, text)
    return text


def _of_groups(found: re.Match[str]) -> str:
    told = _CLAUSE.split(found.string[max(0, found.start() - _NEAR) : found.start()].lower())[-1]
    return found[0] if _NO_AMOUNT.search(told) is not None else _NO_DIGIT.sub("_", found[0])


def _with_point(found: re.Match[str]) -> str:
    return f"{found['mark'] or ''}{found['whole'].replace('.', '_')}.{found['part']}"


def _of_article(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - _NEAR) : found.start()].split()[-1:]
    if before and (before[0].lower() in CURRENCY_WORDS or any(c in "0123456789$€£" for c in before[0])):
        return found[0]  # "20 euros for an hour"
    at = found.start("one") - found.start()
    return f"{found[0][:at]}{1:0{len(found['one'])}}{found[0][at + len(found['one']) :]}"


def _of_part(found: re.Match[str]) -> str:
    number, unit = _PARTS[found[0].lower()]
    return f"{number:0{len(found[0]) - len(unit) - 1}} {unit}"


def _of_score(found: re.Match[str]) -> str:
    words = found[0].split()
    if words[-1] == "dozen":
        count = {"half a": 6, "a": 12}.get(found["how"]) or 12 * (number_in_words(found["how"]) or 0)
    else:
        count = SCALES[words[-1]]
    return f"{count:0{len(found[0])}}" if count else found[0]


def _of_hour(found: re.Match[str]) -> str:
    before = _EVENT.search(found.string, max(0, found.start() - _NEAR), found.start())
    number = number_in_words(found[0])
    takes_place = before is not None and singular(before["what"]) in EVENTS
    takes_place = takes_place or _ON_DAY.search(found.string, max(0, found.start() - 14), found.start()) is not None
    return f"{number:0{len(found[0])}}" if takes_place and number is not None else found[0]


def _of_words(found: re.Match[str]) -> str:
    number, unit = number_in_words(found[0]), found["unit"]
    before = found.string[max(0, found.start() - _NEAR) : found.start()].split(" ")
    if number is None or not found.start() or before[-1] or before[-2].lower().endswith(("'s", "’s")):
        return found[0]
    counted = unit_of(unit) is not None or unit in CURRENCY_WORDS or unit in ("people", "children", "percent")
    counted = counted or (unit.endswith("s") and unit not in _NO_PLURALS)
    behind_span = before[-2] == "to" and before[-3:-2] and before[-3][:1] == "0"  # "0003 to five days"
    if (
        not counted
        or (before[-2].lower() in _KNOWN and not behind_span)
        or found.string.startswith(" and a half", found.end())
    ):
        return found[0]
    return f"{number:0{len(found[0])}}"


_WORDED_AMOUNTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_PART, _of_part),
    (_ARTICLE, _of_article),
    (_SCORE, _of_score),
    (_WORDED, _of_words),
    (_WORDED, _of_words),  # the other end of a span
    (_ONE, lambda found: "001"),
    (_CLOCKED_EVENT, _of_hour),
)


def in_plain_digits(text: str, written: str, plain: str) -> str:
    """Return words of a text in digits with its numbers as anybody would write them.

    Args:
        text: Words of `plain`, such as a subject.
        written: A text.
        plain: The same text as `in_digits` gives it.

    Example:
        >>> written = "The two gates close after half an hour."
        >>> in_plain_digits("after:0030+minutes gate", written, in_digits(written))
        'after:30+minutes gate'
    """
    put = set(_WRITTEN.findall(plain)) - set(_WRITTEN.findall(written))
    return _WRITTEN.sub(lambda m: str(int(m[0])) if m[0] in put else m[0], text) if put else text


def place_of(value: str, text: str, span: tuple[int, int]) -> int:
    """Return where a value stands as words of its own, or else at all, in a part of a text; -1 if nowhere."""
    at = text.find(value, *span)
    while at >= 0:
        end = at + len(value)
        inside = value[0].isalnum() and at > 0 and text[at - 1].isalnum()
        if not inside and not (value[-1].isalnum() and text[end : end + 1].isalnum()):
            return at
        at = text.find(value, at + 1, span[1])
    return text.find(value, *span)


_MEASURING = re.compile(r"[$€£]?\d[\d.,_]*%?")
_SPEAKERS = frozenset(("i", "we"))


def is_amount(subject: str) -> bool:
    """Whether a subject is nothing but an amount, by which something has changed: "rose $2 to $12".

    Example:
        >>> is_amount("$2"), is_amount("2 week may"), is_amount("i 20 percent"), is_amount("12"), is_amount("8080 port")
        (True, True, True, True, False)
    """
    if not any(c.isdigit() for c in subject[:4]):
        return False
    words = [w for w in subject.split() if w not in _SPEAKERS]
    numbers = [w for w in words if _MEASURING.fullmatch(w)]
    rest = [w for w in words if w not in numbers]
    return bool(numbers) and all(map(_is_unit, rest))


def _is_unit(word: str) -> bool:
    return unit_of(word) is not None or word in CURRENCY_WORDS or word in MONTHS or word in SCALES
