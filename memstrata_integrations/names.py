"""Names of people, places and houses, telephone numbers: what two spellings of one have in common.

Each function returns (value, dimension): where the short form of a name may or may not be the
long one, the dimensions differ, and the two never compare.
"""

from __future__ import annotations

import re

from memstrata_integrations.places import CITIES
from memstrata_integrations.words import unaccented, word_set

__all__ = ["code", "country", "firm", "organisation", "person", "phone", "place", "street"]

_HOUSE_FIRST = re.compile(r"\A(\d+[a-z]?), ?(?=[a-z])")  # "12, rue de la Paix"
_STREETS = {"st": "street", "str": "street", "rd": "road", "ave": "avenue", "blvd": "boulevard", "ln": "lane"}
_STREETS |= {"sq": "square", "dr": "drive", "pl": "place"}
_UNITS_OF_HOUSES = word_set("flat apt apartment suite unit floor room level")
_TITLES = word_set(
    "mr mrs ms miss mx dr prof professor sir dame lady lord madam father sister rabbi pastor reverend rev vicar "
    "captain capt judge coach chef officer nurse sergeant inspector ambassador queen king prince princess uncle aunt "
    "auntie brother cllr councillor fr col colonel lt lieutenant sgt major admiral bishop canon deacon"
)
_SUFFIXES = word_set("jr sr ii iii iv phd md esq")
_GROUPS = word_set("team group squad department crew guild office division")
_TEAMS = word_set("team squad crew")
_COMPANY_FORMS = word_set("inc ltd llc plc corp co gmbh ag sa bv oy ab limited incorporated corporation company")
# What stands behind the name of a firm, and is nobody's surname
_BUSINESSES = word_set(
    "catering logistics energy foods security services solutions systems software technologies technology consulting "
    "consultants partners associates holdings industries insurance media studios studio labs laboratories "
    "networks networking hosting gas utilities freight transport haulage travel "
    "tours autos cleaning cleaners maintenance facilities property properties estates realty lettings "
    "construction builders building plumbing heating roofing landscaping gardening nurseries printing "
    "publishing books films pictures records entertainment events design designs architects engineering health "
    "healthcare dental clinic pharma pharmaceuticals analytics capital finance financial ventures "
    "investments accounting payroll advisory legal bakery kitchens coffee brewery farms dairy produce "
    "packaging recycling foundation agency recruitment staffing cooperative co-op"
)
_CONTINUED = frozenset(("of", "and", "for", "de"))
_FIRMS = _COMPANY_FORMS | _BUSINESSES | {"caterers", "group"}
_PARTICLES = word_set("de da do dos das del della di du van von der den la le al el bin ibn ter zu")
_KINDS = word_set(
    "saint st. st san santa new north south east west great royal national international university college school "
    "hotel café cafe restaurant bank church city department ministry institute club museum office first general united "
    "american british european central grand old big little upper lower red blue black white green golden "
    "deutsche credit swiss french german dutch van von de la le "
    "one two three four five six seven eight nine ten"
)
_COUNTRY_NAMES = {"usa": "us", "u.s": "us", "u.s.a": "us", "america": "us", "britain": "uk", "u.k": "uk"}
_COUNTRY_NAMES |= {"great britain": "uk", "united kingdom": "uk", "united states": "us", "holland": "netherlands"}
_COUNTRY_NAMES |= {"united states of america": "us", "czech republic": "czechia"}
_PLACE_NAMES = {"new york city": "new york", "nyc": "new york", "kiev": "kyiv", "cracow": "krakow", "munchen": "munich"}
_PLACE_NAMES |= {"koln": "cologne", "wien": "vienna", "bombay": "mumbai", "bengaluru": "bangalore"}
_SAINT = re.compile(r"\b(?:saint|st\.?) ")
_INITIALS = re.compile(r"(?<=\b[A-Z])\.(?=[A-Z])")
_OWN_INITIALS = re.compile(r"\b(?:[A-Z]\.){2,3} ?(?=[A-Z][a-z])")
_NTH = re.compile(r"(\d+)(?:st|nd|rd|th)")
_NUMBERED = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINALS = {word: str(n) for n, word in enumerate(_NUMBERED.split(), 1)}
_PHONE_NOISE = re.compile(r"\(0\)|[^\d+]")


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def street(text: str) -> str:
    """Reduce an address to its street and number: "Flat 3, 12 Main St., Leeds" is 12 Main Street."""
    pieces = [p.strip() for p in _HOUSE_FIRST.sub(r"\1 ", text.casefold()).split(",")]
    kept = [p for p in pieces if p.split() and p.split()[0] not in _UNITS_OF_HOUSES] or pieces
    chosen = next((p for p in kept if any(c.isdigit() for c in p)), kept[0])
    return " ".join(_STREETS.get(w.rstrip("."), w.rstrip(".")) for w in chosen.split())


def phone(text: str) -> tuple[str, str]:
    """Compare telephone numbers by their digits; with and without country or area code they never compare."""
    digits = _PHONE_NOISE.sub("", text)
    if digits[:2] == "00":
        digits = "+" + digits[2:]
    return digits, "phone:+" if digits[:1] == "+" else f"phone:{len(digits)}"


def code(text: str) -> tuple[str, str]:
    """Compare labels as written, but for case and spaces: the second floor is the 2nd, and floor 2.

    Example:
        >>> code("Second"), code("2nd"), code("12 A")
        (('2', 'code'), ('2', 'code'), ('12a', 'code'))
    """
    plain = "".join(text.split()).casefold()
    nth = _NTH.fullmatch(plain)
    return nth[1] if nth else _ORDINALS.get(plain, plain), "code"


def place(text: str) -> tuple[str, str]:
    """Compare places by what stands first: "Berlin, Germany" is Berlin.

    Large cities compare with one another, and other places with one another: Altona may be in Hamburg.
    """
    folded = _folded(unaccented(text.partition(",")[0].partition(" (")[0]))
    name = _SAINT.sub("st. ", _PLACE_NAMES.get(folded, folded))
    return name, "city" if name in CITIES or folded in CITIES else "place"


def country(text: str) -> tuple[str, str]:
    """Compare countries by name."""
    folded = _folded(text).removeprefix("the ").rstrip(".")
    return _COUNTRY_NAMES.get(folded, folded), "country"


def person(text: str) -> tuple[str, str]:
    """Compare names by first and last word; a name of one word may be short for any longer one."""
    spaced = _INITIALS.sub(". ", text)
    words = [w.rstrip(".") for w in spaced.casefold().replace("’", "'").split()]
    words = [w[3:] if w.startswith(("al-", "el-")) else w for w in words]
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    if len(words) == 2 and words[0] in _TEAMS:  # "Team Falcon" is the Falcon team
        words = words[1:]
    if (short := firm(text)) is not None:
        return short, "full name"
    lower = text.split()[-1:] == words[-1:]  # "the platform team" is Platform, the Hydrographic Office is one name
    while len(words) > 1 and (words[-1] in _COMPANY_FORMS or words[-1] in (_GROUPS if lower else _TEAMS)):
        words.pop()
    while len(words) > 2 and words[-1] in _SUFFIXES:
        words.pop()  # "Robert Downey Jr."
    titled = False
    while len(words) > 1 and words[0] in _TITLES:
        titled = True
        words = words[1:]
    alone = (titled or text[:1].islower()) and words[0] in _PARTICLES
    if len(words) > 1 and (alone or all(len(w) == 1 for w in words[:-1])):
        return words[-1], "surname"  # "Ms de la Cruz", "von Stein", "J. Miller"
    if len(words) == 2 and len(words[-1]) == 1:
        words.pop()  # "Anna B."
    if len(words) == 1 and "@" in words[0]:  # a handle may be the name, and an address anybody's
        return words[0].removeprefix("@"), "name" if words[0][0] == "@" else "email"
    if len(words) < 2:
        # "Dr. Lund" and "Dr. Weiss" are two people, and "Dr. Lund" and "Eva Lund" may be one
        return "".join(words), "surname" if titled else "name"
    return f"{words[0]} {words[-1]}", "full name"


def firm(text: str) -> str | None:
    """Return the first words of a firm's name, to which people shorten it, `None` for other names.

    Example:
        >>> firm("Green Ladle Catering Ltd"), firm("Kessler & Sons"), firm("Anna Berg"), firm("the security team")
        ('green ladle', 'kessler', None, None)
    """
    if text[:1].islower() or len(text.split()) < 2:
        return None
    words = [w.rstrip(".,") for w in text.casefold().replace("’", "'").split()]
    if text.split()[-1][:1].islower() and words[-1] not in ("plc", "ltd", "gmbh"):
        return None
    if words[-1] not in _FIRMS and words[-2] != "&" and words[-2:] != ["and", "sons"]:
        return None
    while len(words) > 1 and words[-1] in _FIRMS | {"&", "and", "sons"}:
        words.pop()
    return " ".join([w for w in words if w != "&"][:2]) or None


def organisation(text: str) -> tuple[str, str]:
    """Compare organisations by their first telling word, since people shorten the rest: "Acme Foods Ltd." is Acme.

    Example:
        >>> organisation("the Acme Group"), organisation("Bank of Oslo")
        (('acme', 'organisation'), ('bank of oslo', 'organisation'))
    """
    joined = _OWN_INITIALS.sub(lambda m: m[0].replace(".", "").rstrip(), text)  # "J.P. Morgan" is JPMorgan
    words = [w.strip(".,") for w in joined.casefold().replace("’", "'").split()]
    while len(words) > 1 and words[0] in ("the", "team", "project"):
        words = words[1:]
    if len(words) > 1 and (words[0] in _KINDS or len(words[0]) < 3 or words[1] in _CONTINUED or words[1].isdigit()):
        kept = [w for w in words if w not in _COMPANY_FORMS] or words
        return " ".join(kept), "organisation"
    return words[0], "organisation"
