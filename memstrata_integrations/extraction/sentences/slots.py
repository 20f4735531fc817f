"""One typed value at a place in a sentence, and the qualifiers that may follow it."""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.lexicon import (
    COMPARISONS,
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    NON_NAMES,
    PERSON_ROLES,
    PREPOSITIONS,
    UNASSERTED,
)
from memstrata_integrations.units import CURRENCY_WORDS, MONTHS, NUMBER_WORDS, WEEKDAYS, number_in_words, unit_of
from memstrata_integrations.values import METHODS, SPOKEN_TIME
from memstrata_integrations.words import word_set

__all__ = ["find_quoted", "find_typed", "qualifiers"]

_CLOSING = {"'": "'", '"': '"', "`": "`", "“": "”", "‘": "’"}
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?"
_END = r"(?=[\s,;:)]|\Z)"
# Tried in this order at a digit, sign or currency mark: the longest reading comes first
_DIGIT_SHAPES = re.compile(
    "|".join(
        shape + (r"(?=[\s,;:)/]|\Z)" if shape[1] == "$" else _END)
        for shape in (
            r"\d{1,2}([/.])\d{1,2}\1(?:19|20)\d{2}",
            r"\d+(?:\.\d+)*(?: LTS|\.[xX])",
            r"\d+h ?\d+m(?:in)?|\d{1,2}(?:h| ?hrs?| ?hours?| h) ?[0-5]\d(?! ?[ms])|\d+d ?\d+h|\d+m(?:in)? ?\d+s",
            r"\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?",
            r"\d{1,2}:\d{2}(?::\d{2})?(?: ?(?:[ap]\.?m\b\.?|[AP]M))?(?: (?:UTC|GMT|[CP][ES]T|E[SD]T))?",
            r"\d{1,2}(?:\.\d{2})? ?(?:am|pm|AM|PM|[ap]\.m\b\.?)(?: (?:UTC|GMT|[CP][ES]T|E[SD]T))?",
            r"\d{1,2}p",
            r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d+)?",
            r"0[xX][0-9A-Fa-f]+",
            r"\d{1,2}(?:st|nd|rd|th)(?= |\Z)(?! of| [A-Z])",
            r"\d+(?:\.\d+)?[eE][+-]?\d+",
            r"\d+(?:\.\d+){2,}[\w.+-]*",
            r"\d+(?:\.\d+)+(?:a|b|rc|dev|post|\.dev|\.post|-)[\w.-]+",
            rf"[$€£¥] ?{_NUMBER}(?: ?(?:k|K|m|M|million|thousand|billion))?",  # a slash may follow: "$5/month"
        )
    )
)
# "3-5 days", "2 to 4 weeks", "€10-15": a span of what can be measured
_SPAN = re.compile(
    rf"[$€£]?{_NUMBER}(?: ?[–-] ?| to )[$€£]?{_NUMBER}"
    r"(?: ?[%€]| ?°[CF]|(?: (?:business|working|calendar|school))?[ -]?(?P<unit>[A-Za-z]+))?" + _END
)
_ENDS = re.compile(_NUMBER)
_SPANNED = frozenset("$€£%°")
_MONEY_MARKS = frozenset("€$£")
_MONEY_AFTER = re.compile(rf"{_NUMBER} ?[{''.join(sorted(_MONEY_MARKS))}](?=[\s,;:)/]|\Z)")
_PENCE = re.compile(r"\d{1,2}p\Z")
_LEADING_NUMBER = re.compile(rf"[-+−]?{_NUMBER}")
_AFTER_NUMBER = re.compile(r"( ?%| per cent| ?°[CF]|[ -]?[A-Za-zµμ]+[²³]?(?:/[a-z]+)?)" + _END)
_DATE_TAIL = re.compile(r"(?:st|nd|rd|th)?(?: of)? ([A-Za-z]+)\.?(?:,? (?:19|20)\d{2})?" + _END)
_AND_A_HALF_OF = re.compile(r" and a half [a-z]+" + _END)  # "7 and a half hours"
_AND_A_HALF = re.compile(r"(?<= and) a half [a-z]+" + _END)
_MORE_DURATION = re.compile(r"(?:,? and |, | )(\d+) ([a-z]+)" + _END)
# "25 days a year"; what stands after "per" is left to the key
_A_PERIOD = re.compile(r" (?:an?|each|every) (?:hour|day|night|week|month|term|season|quarter|year)" + _END)
_OF_DAYS = re.compile(r" (?:business|working|calendar|school|consecutive|full) (?:day|hour|week|month|year)s?" + _END)
_PER = re.compile(r" ?(?:/|per |an? |each |every )(?:second|sec|s|minute|min|hour|h|hr|day|d|week|month)" + _END)
# Of a price: its period, and what it is paid for
_MONEY_PER = re.compile(
    r"(?:(?: ?/|,? per | an? | each | every )(?:second|minute|min|hour|h|hr|day|night|week|month|mo|year|yr|annum"
    r"|quarter|user|seat|person|head|guest|unit|piece|item|licence|license|kg|kilo|litre|liter|ticket|lesson"
    r"|session|visit|call"
    r"|request|message|gigabyte|GB|token|page|room|child|adult|student|member|mile|km|l|match|game|round|load|cup|glass"
    r"|pint|slice|portion|bottle|box|bag|pack|dozen|pair|couple|class|course|term|semester|shift|trip|ride|crossing"
    r"|journey|car|vehicle|bike|dog|pet|family|team|player|copy|sheet|print|photo|word|line|m²|acre|hectare|ton"
    r"|tonne|gallon|pound|lb|metre|meter|kWh|share|slot|place|pitch|tent|plot|stay|wash|treatment|consultation"
    r"|appointment|entry|bed|desk|locker|sq m|square metre|square meter|square foot)){1,2}"
    + _END
    + r"| (?:hourly|daily|weekly|monthly|yearly|annually)"
    + _END
)
_EXTENT = re.compile(r" (?:old|long|wide|high|tall|deep|thick|full|complete|charged|availability|uptime)" + _END)
_TIMES = re.compile(
    r"(?:once|twice|[a-z]+ times|\d+ times|\d+x) (?:a|an|per|every|each) (?:hour|day|night|week|month|year)" + _END
)
_THE_NTH = re.compile(r"the \d{1,2}(?:st|nd|rd|th)(?=\Z|[,;)]| of (?:the|each|every) month\b)")
# "half an hour", "a week": of nothing, and at the end of what is said
_AN_AMOUNT = re.compile(
    r"(?:half )?an? (?:second|minute|hour|day|week|fortnight|month|year)(?: and a half)?"
    r"(?=\Z|[,;)]| (?:in|on|for|at|by default|before|after|from|with)\b(?! a\b))"
    r"|half an? (?:percent|per cent)(?=\Z|[,;)])"
)
_SPOKEN = re.compile(SPOKEN_TIME + _END)
_OF_SPOKEN = re.compile(r"past|clock| (?:to|after|in the|at night)\b|thirty|fifteen|forty-five")  # one of them says it
_SCALE = re.compile(r"(?: (?:hundred|thousand|million|billion)|k)(?= [a-z]| ?\Z|[,)])|[KM](?= [a-z]+s\b)")
_PLACEHOLDER = re.compile(r"\[[A-Za-z][\w ]*\]|<[A-Za-z][\w -]*>|\{\{?[\w ]+\}\}?")
_BRAND = re.compile(r"[A-Z][a-z]+[A-Z][A-Za-z]* [A-Z][A-Za-z]+(?=[\s,;:)]|\Z)")
_DIGIT_BRAND = re.compile(r"\d+[A-Z][a-z]{2,}" + _END)  # "1Password"
_INITIALS = re.compile(r"(?:[A-Z]\.){2,3} ?[A-Z][a-z]")  # "J.R. Hartley"
# "von Stein", "de la Cruz"
_PARTICLE = re.compile(
    r"(?:(?:van|von|de|di|du|da|del|della|bin|ibn|ter|zu)(?: (?:der|den|de|la|las|los|het))? |(?:al|el)-)(?=[A-Z][a-z])"
)
_PART_OF_MONTH = re.compile(
    r"(?:(?:the )?(?:end|beginning|start|middle) of |mid[- ]|early |late )([A-Z][a-z]+)(?: (?:19|20)\d{2})?" + _END
)
_FLAG = re.compile(r"--?[A-Za-z][\w-]*(?:=[^\s,;]+)?" + _END)
_LISTED = re.compile(r"(?:[A-Z][\w.]*|\d+)(?:/(?:[A-Z][\w.]*|\d+))+\Z")
_ZONE = re.compile(r"(?:America|Europe|Asia|Africa|Australia|Pacific|Atlantic|Indian|Antarctica|Arctic|Etc|US|Canada)/")
_RELEASE_NUMBER = re.compile(r" v?\d+(?:\.\d+)*(?=\Z|[,;)]| (?:for|on|in|at|as|with|since|across|by) )")
_MONTH_DATE = re.compile(r"[A-Z][a-z]+\.? \d{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)\d{2})?" + _END)
_NAME_WORD = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Ft|Sir|Lady|Rev|Fr|Cllr|Capt|Col|Lt|Sgt|Hon)\.? (?=[A-Z]))?"
    r"(?:(?:[A-Z]\. ?){1,3}(?=[A-Z][a-z]))?"
    r"[A-Z][\w’'&-]*(?:\.(?=[A-Z]))?[\w’'&-]*"
)
_PAIR = re.compile(r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)? & [A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?(?=[\s,;:)]|\Z)")
_OF_FIRMS = (" the ", " for ", " at ", " with ", " from ")  # "Osier & Pike"; elsewhere two may be meant
_NEXT_NAME_WORD = re.compile(r"[A-Z0-9][\w’'&.-]*")
_NAME_LINK = re.compile(
    r" (?:& (?=Partners?\b|Sons|Co\b|Associates|Bros\b|Daughters|Brothers|Company)"
    r"|(?:of|do|da|dos|das|del|della|di|du|de|van|von|der|den|ter|zu|la"
    r"|le|bin|ibn|al|el) ){0,2}(?:(?:al|el|as|ar|ad|ash)-|d['’])?(?=[A-Z0-9])"
)
_OWNED_PLACE = re.compile(
    r" (?:gym|hall|church|chapel|school|café|cafe|pub|bar|shop|farm|field|garage|barn|studio|workshop|bakery|nursery"
    r"|yard|mill|wharf|surgery|pharmacy|hotel|restaurant)" + _END
)
_AT_TIME = re.compile(
    r"s?(?: at)? (?:\d{1,2}:\d{2}(?: ?(?:[ap]\.?m\b\.?|[AP]M))?|\d{1,2} ?(?:[ap]m|[AP]M)"
    r"|(?<=at )(?:noon|midday|midnight)|(?<=at )0*\d{1,2}|mornings?|afternoons?"
    r"|evenings?|nights?)" + _END
)
_TIME_OF_DATE = re.compile(
    r"(?:,? at (?:\d{1,2}(?:[:.]\d{2})?(?: ?(?:[ap]\.?m\b\.?|[AP]M))?|noon|midday|midnight)"
    r"|, \d{1,2}(?:[:.]\d{2}(?: ?(?:[ap]\.?m\b\.?|[AP]M))?| ?(?:[ap]\.?m\b\.?|[AP]M)))" + _END
)
_DATE_BEHIND = re.compile(
    r",?(?: the)? (?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ([A-Z][a-z]+)|([A-Z][a-z]+)\.? \d{1,2}(?:st|nd|rd|th)?)"
    r"(?:,? (?:19|20)\d{2})?" + _END
)
# "DD/MM/YYYY", "%Y-%m-%d"
_DATE_PATTERN = re.compile(r"(?:%[A-Za-z]|[DdMmYyHhs]{2,4})(?:[-/.:](?:%[A-Za-z]|[DdMmYyHhs]{2,4}))+\Z")
_NO_COUNTS = COMPARISONS | word_set("another day way thing person time place that which who only too")
_ACRONYMS = re.compile(r"(?:v?[A-Z]{2,5}s|vCPU)\Z")
_TOKEN = re.compile(r"[^\s,;]+")
# "by Friday", "over 5", "to 5" qualify nothing
_CURRENCIES = frozenset((*CURRENCY_WORDS, "pounds", "francs", "pence"))
_CALENDAR = frozenset((*WEEKDAYS, *MONTHS))
_QUALIFYING = PREPOSITIONS - {"by", "over", "against", "to", "through", "between"}
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")


def find_quoted(text: str, start: int, end: int) -> tuple[int, int, int] | None:
    """Return (object start, object end, end of the quotation) of a quotation that starts here."""
    close = _CLOSING.get(text[start : start + 1])
    if close is None:
        return None
    stop = text.find(close, start + 1, end)
    if stop <= start + 1:
        return None
    if stop + 1 < end and text[stop + 1] not in " ,;:.)\n\t":
        return None
    return start + 1, stop, stop + 1


def find_typed(text: str, start: int, end: int) -> tuple[int, int, int, str] | None:
    """Find the value that starts at a place of a sentence.

    Args:
        text: The text.
        start: Where the complement starts.
        end: Where the sentence ends, its full stop left out.

    Returns:
        (object start, object end, where the rest starts, kind), or `None` if nothing typed
        starts here. Kinds: "quoted", "number", "boolean", "name", "technical", "date".
    """
    if start >= end:
        return None
    quoted = find_quoted(text, start, end)
    if quoted is not None:
        return (*quoted, "quoted")
    first = text[start]
    if first in "[<{" and _PLACEHOLDER.match(text, start, end):
        return None
    if first in "temlbs" and (month := _PART_OF_MONTH.match(text, start, end)) and month[1].lower() in MONTHS:
        return start, month.end(), month.end(), "date"
    if first == "t" and (nth := _THE_NTH.match(text, start, end)):
        return start, nth.end(), nth.end(), "date"
    numbered = first.isdigit() or first in "haqftosen"
    if numbered and _OF_SPOKEN.search(text, start, end) and (told := _SPOKEN.match(text, start, end)):
        return start, told.end(), told.end(), "number"
    if first in "ha" and (amount := _AN_AMOUNT.match(text, start, end)):
        return start, amount.end(), amount.end(), "number"
    if (first.isdigit() or first in "otfsen") and (often := _TIMES.match(text, start, end)):
        return start, often.end(), often.end(), "number"
    if first in "$€£¥-+−" or first.isdigit():
        if first == "-" and (flag := _FLAG.match(text, start, end)):
            return start, flag.end(), flag.end(), "technical"
        if (span := _SPAN.match(text, start, end)) is not None and _measures(span):
            return start, span.end(), span.end(), "number"
        found = _numeric(text, start, end)
        if found is None and (brand := _DIGIT_BRAND.match(text, start, end)) is not None:
            return start, brand.end(), brand.end(), "technical"
        if found is not None and found[3] == "number":
            half = _AND_A_HALF_OF.match(text, found[1], end) if text.startswith(" and a half ", found[1]) else None
            found = _extended(text, start, half.end(), end) if half else _extended(text, start, found[1], end)
        return found
    token_match = _TOKEN.match(text, start, end)
    if token_match is None:
        return None
    token = token_match[0]
    stop = token_match.end()
    if token in METHODS:
        path = _TOKEN.match(text, stop + 1, end)
        if text[stop : stop + 1] == " " and path is not None and (path[0][0] == "/" or "://" in path[0]):
            return start, path.end(), path.end(), "technical"
        return None
    lower = token.lower()
    if len(token) == 3 and token.isupper() and lower in CURRENCY_WORDS and text[stop + 1 : stop + 2].isdigit():
        coded = _numeric(text, stop + 1, end)
        return (start, *_extended(text, start, coded[1], end)[1:]) if coded is not None else None
    if lower in ("true", "false", "enabled", "disabled", "on", "off", "yes", "no"):
        return start, stop, stop, "boolean"
    if lower in WEEKDAYS:
        if (dated := _DATE_BEHIND.match(text, stop, end)) and (dated[1] or dated[2])[:3].lower() in MONTHS:
            stop = dated.end()  # "Monday, 3 March"
        clock = _AT_TIME.match(text, stop, end)
        stop = clock.end() if clock else stop
        return start, stop, stop, "date"
    if lower[:3] in MONTHS and (dated := _MONTH_DATE.match(text, start, end)):
        return _timed(text, start, dated.end(), end)
    if lower.partition("-")[0] in NUMBER_WORDS:
        if start and first.isupper() and text[stop + 1 : stop + 2].isupper():  # "Four Seasons"
            return _name(text, start, end)
        worded, _, unit = lower.rpartition("-")
        if unit_of(unit) is not None and number_in_words(worded) is not None:  # "two-year"
            return start, stop, stop, "number"
        return _number_words(text, start, end)
    if lower in ("noon", "midday", "midnight"):
        return start, stop, stop, "number"
    token = token.rstrip(":)") if "(" not in token else token
    if first in "DMYHdmyh%" and _DATE_PATTERN.match(token):
        return start, stop, stop, "technical"
    if "/" in token and _LISTED.match(token) and not _ZONE.match(token):
        return None  # "Alice/Bob": one or the other, or both
    if first.isupper() and (_BRAND.match(text, start, end) or _INITIALS.match(text, start, end)):  # "GitHub Actions"
        return _name(text, start, end)
    if (is_identifier(token) or lower == "localhost") and not token.endswith(("'s", "’s")):
        stop = start + len(token)
        if first.isupper() and token.isalpha() and (release := _RELEASE_NUMBER.match(text, stop, end)):
            stop = release.end()  # "PostgreSQL 16"
        return start, stop, stop, "technical"
    if first.isupper():
        return _name(text, start, end)
    if first in "vdbtzae" and (particle := _PARTICLE.match(text, start, end)) is not None:
        named = _name(text, particle.end(), end)
        if named is not None and text[particle.end() : named[1]].split(" ")[0].lower() not in _CALENDAR:
            return (start, *named[1:])
    return None


def _measures(span: re.Match[str]) -> bool:
    """Whether a span is one of money, of time or of anything else that has a unit."""
    low, high = (float(n.replace(",", "").replace("_", "")) for n in _ENDS.findall(span[0])[:2])
    if low >= high:
        return False
    unit = span["unit"]
    return unit_of(unit) is not None or unit.lower() in _CURRENCIES if unit else not _SPANNED.isdisjoint(span[0])


def _timed(text: str, start: int, stop: int, end: int) -> tuple[int, int, int, str]:
    """Take the time of day that stands behind a date: "12 March at 9:30"."""
    clock = _TIME_OF_DATE.match(text, stop, end)
    stop = clock.end() if clock else stop
    return start, stop, stop, "date"


def _numeric(text: str, start: int, end: int) -> tuple[int, int, int, str] | None:
    if found := _DIGIT_SHAPES.match(text, start, end):
        return start, found.end(), found.end(), "number"
    number = _LEADING_NUMBER.match(text, start, end)
    if number is None:
        return None
    stop = number.end()
    marked = text[stop : stop + 2].lstrip(" ")[:1] in _MONEY_MARKS
    if marked and (money := _MONEY_AFTER.match(text, start, end)):
        return start, money.end(), money.end(), "number"
    if (dated := _DATE_TAIL.match(text, stop, end)) and dated[1].lower() in MONTHS:
        return _timed(text, start, dated.end(), end)
    if scale := _SCALE.match(text, stop, end):
        stop = scale.end()
        if stop == end or text[stop] in ",)":
            return start, stop, stop, "number"
    if rate := _PER.match(text, stop, end):
        return start, rate.end(), rate.end(), "number"
    after = _AFTER_NUMBER.match(text, stop, end)
    if after is None:
        if stop == end or text[stop] in " ,;:)\n\t":
            return start, stop, stop, "number"
        return None
    word = after[1].strip(" -")
    if word in ("%", "per cent", "°C", "°F") or unit_of(word) is not None:
        stop = after.end()
        while more := _MORE_DURATION.match(text, stop, end):
            if unit_of(more[2]) is None:
                break
            stop = more.end()
        if period := _A_PERIOD.match(text, stop, end):
            stop = period.end()
        return start, stop, stop, "number"
    if days := _OF_DAYS.match(text, number.end(), end):
        return start, days.end(), days.end(), "number"
    if rate := _PER.match(text, after.end(), end):
        return start, rate.end(), rate.end(), "number"
    if "/" in word:
        return start, after.end(), after.end(), "number"
    glued = after[1][0] not in " -"
    lower = word.lower()
    if glued:
        return None
    if lower == "of":  # five of ten is no value
        return None
    if lower in PREPOSITIONS or lower in CONJUNCTIONS or lower in UNASSERTED or lower in DEICTIC:
        return start, stop, stop, "number"
    plural = word.islower() and (
        word.endswith("s") or word in ("people", "children") or text[start:stop].lstrip("0") == "1"
    )
    plural = plural or _ACRONYMS.match(word) is not None  # "4 CPUs"
    if after[1][0] == " " and plural and lower not in COMPARISONS and lower != "times":
        return start, after.end(), after.end(), "number"
    if lower in _CURRENCIES:
        return start, after.end(), after.end(), "number"
    return None


def _extended(text: str, start: int, stop: int, end: int) -> tuple[int, int, int, str]:
    """Take what belongs to a number: "$5 per user", "1.5 m long"."""
    value = text[start:stop]
    more = _EXTENT.match(text, stop, end)
    if more is None and (
        value[0] in "$€£¥"
        or value[-1] in _MONEY_MARKS
        or _PENCE.match(value)
        or value.rpartition(" ")[2].lower() in _CURRENCIES
    ):
        more = _MONEY_PER.match(text, stop, end)
    stop = more.end() if more else stop
    return start, stop, stop, "number"


def _number_words(text: str, start: int, end: int) -> tuple[int, int, int, str] | None:
    stop = start
    for word in _WORD.finditer(text, start, min(end, start + 80)):
        if number_in_words(text[start : word.end()]) is None:
            lower = word[0].lower()
            if lower in PREPOSITIONS:
                return (start, stop, stop, "number") if lower != "of" else None
            if half := _AND_A_HALF.match(text, stop, end):
                return _extended(text, start, half.end(), end)
            one = text[start:stop].lower() == "one" and word.end() == end and lower not in _NO_COUNTS
            counted = lower.endswith("s") and lower not in COMPARISONS
            if unit_of(lower) is not None or lower in _CURRENCIES or counted or one:
                return _extended(text, start, word.end(), end)
            return None
        stop = word.end()
    return start, stop, stop, "number"


def _name(text: str, start: int, end: int) -> tuple[int, int, int, str] | None:
    stop = start
    pair = _PAIR.match(text, start, end) if " & " in text else None
    before = text[max(0, start - 160) : start]
    firm = before.endswith(_OF_FIRMS) or (before.endswith(" is ") and PERSON_ROLES.isdisjoint(before.lower().split()))
    if pair is not None and firm:
        return start, pair.end(), pair.end(), "name"
    word = _NAME_WORD.match(text, start, end)
    count = 0
    while word is not None and count < 7:
        stop, count = word.end(), count + 1
        link = _NAME_LINK.match(text, stop, end)
        if link is None:
            break
        word = _NEXT_NAME_WORD.match(text, link.end(), end)
    if stop == start or (stop < end and text[stop] not in " ,;:)\n"):
        return None
    if text.startswith(" plc", stop, end) and text[stop + 4 : stop + 5] in ("", " ", ","):
        stop += 4
    if text[stop - 2 : stop] in ("'s", "’s") and (place := _OWNED_PLACE.match(text, stop, end)) is not None:
        stop = place.end()  # "St. Luke's gym"
    name = text[start:stop]
    if (name.endswith(("'s", "’s")) and (stop < end or " " not in name)) or name.lower() in NON_NAMES:
        return None
    return start, stop, stop, "name"


_EXACTLY = frozenset(("sharp", "exactly", "on the dot", "local time"))
_HOW_OFTEN = frozenset(("daily", "nightly", "weekly", "monthly", "yearly", "annually", "hourly", "overall", "in total"))


def qualifiers(tail: str) -> str | None:
    """Return the qualifiers after a value, "" for none, `None` if the rest is anything else.

    Example:
        >>> qualifiers(" in staging"), qualifiers(" by default"), qualifiers(""), qualifiers(" or less")
        ('in staging', 'of default', '', None)
    """
    tail = tail.strip()
    if not tail:
        return ""
    if tail == "by default":
        return "of default"
    if tail[0] == ",":
        tail = tail[1:].lstrip()
    if tail.startswith("(") and tail.endswith(")"):
        tail = tail[1:-1].strip()
    words = tail.split()
    if tail in _EXACTLY:
        return ""
    if tail in _HOW_OFTEN or (words[:1] in (["every"], ["each"]) and len(words) == 2 and words[1].isalpha()):
        return f"of {tail}"  # "at 9:15 every morning"
    if not words or words[0] not in _QUALIFYING or len(words) > 12 or len(words) < 2:
        return None
    for word in words:
        bare = word.strip("\"'`()").lower()
        if bare in UNASSERTED or bare in DEICTIC or bare in CONJUNCTIONS or bare in FINITE_VERBS:
            return None
        if word[-1] in ",;:" or bare in COMPARISONS:
            return None
    if words[-1].lower() in PREPOSITIONS:
        return None
    return tail
