"""An amount that something has, put as what it is: "The ledger has an RPO of 4 hours", "runs with a heap of 4 GB".

"X has a N of V" says that the N of X is V where a thing has one N: a measure, a setting by its name, a term of
operations. Of rooms, loans, sons and files there are several, so no other noun is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.turning import HAS_ONE
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["AMOUNTS_HAD", "amounts_had"]

_Pieces = tuple[str | tuple[int, ...], ...]
# That there is such an amount; what is needed, promised or aimed at is another one
_HAS = (
    r"(?:has|have|uses|use|comes with|works with|runs with|run with|runs at|operates with|ships with|gets|starts with"
    r"|is given|is set up with|are set up with|is configured with|are configured with|is assigned|keeps|enforces"
    r"|applies)"
)
_USE = r"(?:use|have|run with|set|apply|keep|configure|enforce|run)"
_ROLE = r"(?P<role>[A-Za-z¤][\w¤.-]*(?: [A-Za-z¤][\w¤.-]*){0,3}?)"
_VALUE = r"(?P<value>[\d$€£¥+-][^,;:]*?|(?:early |mid-|late )?[A-Z][a-z]+ \d[^,;:]*?)"
_OWNER = r"(?P<owner>(?:[Tt]he |[Oo]ur |[Mm]y |[Ee]ach |[Ee]very |[A-Z¤#@])[^,;:]*?|[a-z]\w*[_.(][\w.()]*)"
_MORE = r"(?: (?P<link>for|in|on|at|per|during) (?P<more>[^,;:]+))?"
_NOW = r"(?:now |currently )?"

_HAD = re.compile(rf"{_OWNER} {_NOW}{_HAS} (?:an?|the) (?:new )?{_ROLE} of {_VALUE}{_MORE}\Z")
_FOR_IT = re.compile(
    rf"(?P<at>For|In|On|At) {_OWNER}, (?:we|they|I|it|you) {_NOW}{_USE} (?:an?|the) (?:new )?{_ROLE} of {_VALUE}\Z"
)
_THERE_IS = re.compile(rf"(?P<at>For|In|On|At) {_OWNER}, there(?:['’]s| is) {_NOW}an? (?:new )?{_ROLE} of {_VALUE}\Z")
_WE_USE = re.compile(rf"(?:We|They) {_NOW}{_USE} (?:an?|the) (?:new )?{_ROLE} of {_VALUE} (?P<at>for|in|on) {_OWNER}\Z")
AMOUNTS_HAD = word_set("of")
"""A sentence that `amounts_had` reads has this word."""

# Quantities of science and technology: of each a thing has one at a time
_QUANTITIES = word_set(
    "pressure voltage wattage amperage current power torque thrust output throughput bandwidth brightness luminosity "
    "contrast density hardness stiffness viscosity acidity alkalinity salinity humidity moisture purity concentration "
    "velocity acceleration speed pace tempo pitch gain loudness wavelength intensity resistance impedance capacitance "
    "inductance conductivity permeability porosity tension elasticity strain inclination gradient slope latitude "
    "longitude heading bearing displacement clearance headroom gauge calibre caliber thickness circumference "
    "mass dosage potency strength coverage accuracy recall sensitivity specificity "
    "efficiency effectiveness utilisation utilization saturation occupancy turnout attendance circulation readership "
    "viewership fertility mortality unemployment inflation growth yield maturity seniority tenure horsepower "
    "consumption mileage payload prefetch lookahead lookback offset stride padding "
    "jitter backoff cutoff cooldown heap niceness weighting weight redundancy multiplicity cardinality "
    "arity fanout fan-out sparsity entropy temperature perplexity dropout momentum patience dimensionality replication "
    "target goal objective factor percentage quotient rating score grade gpa iq "
    "downtime uptime runtime turnaround lag lead-time horizon validity lifetime notice probation duration"
)
# Of a time and of a deadline there is one where a word says which
_DATED = word_set("date deadline time")
# Abbreviations of what one owns, runs or sends: several of them may be there
_THINGS = word_set(
    "tv pc vm ssd hdd gpu cpu ram lan vpn vlan db pr mr nas ups cd dvd lp ep api cdn suv rv bbq atm ac hq pdf url sim "
    "usb led lcd fund etf ngo llc plc isa ira vip mri ct"
)
_ACRONYM = re.compile(r"[A-Z]{2,5}")
_SETTING = re.compile(r"`?[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)+`?|`?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+`?")
_PLAIN_KINDS = ("duration", "months", "percent", "number", "rate", "frequency")
_MONTH = re.compile(
    r"(?:early |mid-|late )?(?:January|February|March|April|May|June|July|August|September|October|November|December) "
    r"\d{1,4}\Z"
)


def amounts_had(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The ledger has an RPO of 4 hours" and "For the printer, we use a prefetch of 50" as what it is."""
    for form in (_HAD, _FOR_IT, _THERE_IS, _WE_USE):
        match = form.match(hidden)
        if match is None:
            continue
        if _has_one(text, match) and quiet(match["owner"].replace("he claims ", "he ")):
            yield _plain(text, match)
            return


def _has_one(text: str, match: re.Match[str]) -> bool:
    """Whether a thing has one of what a match names, with a value of its kind."""
    start, end = match.span("value")
    words = text[slice(*match.span("role"))].split()
    head = words[-1]
    low = head.strip("`").lower()
    dated = low in _DATED or low.endswith("date")
    if dated and (len(words) > 1 or low == "deadline") and _MONTH.match(text, start, end):
        return True
    found = find_typed(text, start, end)
    if found is None or found[3] not in ("number", "date", "technical") or found[1] != end:
        return False
    kind = canonical_value(text[start:end])[1].partition(":")[0]
    if _SETTING.fullmatch(head):
        return found[3] != "date"
    if found[3] == "technical" or not quiet(match["role"]):
        return False
    if _ACRONYM.fullmatch(head):
        return low not in _THINGS and kind in _PLAIN_KINDS
    if low in _DATED and len(words) == 1:
        return low == "deadline"
    if found[3] == "date" or kind in ("date", "time", "day", "weekday"):
        return dated
    return low in HAS_ONE or low in _QUANTITIES


def _plain(text: str, match: re.Match[str]) -> _Pieces:
    """Put a sentence as "The N of Y is V"."""
    start, end = match.span("owner")
    whose: _Pieces = ((start, end),)
    if text.startswith(("The ", "Our ", "My ", "Each ", "Every "), start):
        whose = text[start].lower(), (start + 1, end)
    groups = match.groupdict()
    tail: _Pieces = (f" {groups['link']} ", match.span("more")) if groups.get("more") else ()
    link = (groups.get("at") or "of").lower()
    return "The ", match.span("role"), f" {link} ", *whose, *tail, " is ", match.span("value")
