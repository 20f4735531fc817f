"""Plain sentences about days, ages, terms, places and things one has one of: "Rent is due on the 3rd of each month".

The key is all that the sentence says besides its one value. Where somebody is staying, until when a lease runs, from
which age one may vote and how often bins are emptied has one answer at a time; next to what one sits has several.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import describes
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Rules
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.opinions import MEASURED, is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import MANY_DONE, THIRD, base_of, is_participle, is_past
from memstrata_integrations.relations import known
from memstrata_integrations.units import MONTHS, NUMBER_WORDS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["read_everyday"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"


_IS, _THUS, _ENDS = (known(n) for n in ("is", "is done thus", "ends on"))
_DAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
_MONTH = "|".join(sorted((m.title() for m in MONTHS if len(m) > 3 or m == "may"), key=len, reverse=True))
_BETWEEN = re.compile(r"\bbetween (\S+(?: [A-Z]\S*)*) and (?=\S)")

# until when
_UNTIL = re.compile(
    r" (?P<verb>runs?|lasts?|continues?|applies|apply|stays? [a-z]+|(?:is|are) (?P<state>valid|good|open|booked"
    r"|reserved"
    r"|closed|guaranteed|suspended|on loan|on leave|away|let|leased|rented|in force|paid up|insured|covered))"
    r" (?:until|till|through|up to) (?:the end of )?(?=[\dA-Z])"
)
_MONTH_YEAR = re.compile(rf"(?:{_MONTH}) (?:19|20)\d\d(?=\Z)")
_ENDING = word_set("runs run lasts last continues continue applies apply")

# due within, on
_DUE = re.compile(
    r" (?:is|are|falls|fall) (?P<how>due|payable|refundable|returnable|repayable|cancellable|paid|debited|collected)"
    r"(?: (?:back|out|in full))? (?P<prep>within|after|on|by|in) (?=\S)"
)
_NTH = re.compile(
    rf"(?:the )?(?P<value>(?:\d{{1,2}}(?:st|nd|rd|th)|(?:first|second|third|last)(?: (?:working |business )?(?:day"
    rf"|{_DAY})))"
    r")(?: (?:day )?of (?:each|every|the) (?P<of>month|quarter|year))?(?=\Z)",
    re.IGNORECASE,
)

# how often, on which day of several weeks
_RECURRING = re.compile(
    r"(?:(?<= )|\A)"
    rf"(?:every (?:other |second |third |fourth |alternate )(?:day|week|weekday|fortnight|month|quarter|year|{_DAY}"
    rf"|morning|evening|night|afternoon|weekend)|every (?:{_DAY}|weekday|morning|evening|night|afternoon|weekend)"
    rf"|(?:once|twice|three times|four times|\d+ times) (?:a|an|every) (?:day"
    rf"|week|month|year)|(?:on )?alternate (?:{_DAY})|(?:on )?the (?:first|second|third|fourth|last) (?:{_DAY}) of "
    r"(?:each|every|the) month|half-hourly|hourly|daily|nightly|weekly|fortnightly|biweekly|bi-weekly|monthly|quarterly"
    r"|yearly|annually)(?=\Z|[ ,])",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_EVERY = known("runs every")
_RUNNING = frozenset(("runs", "is run", "executes", "is executed", "fires", "is triggered"))
_OFTEN_WORDS = word_set(
    "every Every once Once twice Twice times alternate Alternate half-hourly hourly daily nightly weekly fortnightly "
    "biweekly bi-weekly monthly quarterly yearly annually first second third fourth last"
)

# ages at law
_PEOPLE = (
    "people you children citizens residents drivers anyone everyone players riders visitors guests passengers members "
    "voters applicants workers employees kids teenagers students one"
)
_WHO = rf"(?:(?P<front>(?:In|At|On) [^,;]{{2,40}}), )?(?P<who>{_PEOPLE.replace(' ', '|')})"
_AGE = re.compile(
    rf"{_WHO} (?P<what>(?:may|can|are allowed to|must|have to|need to|are entitled to|get to|are able to|retire|vote"
    r"|marry|drive)(?: [a-z'’-]+){0,6}?) (?:from the age of|at the age of|at age|from age|until the age of"
    r"|until they are|from|at) (?P<value>\d{1,2}|[a-z-]+)(?P<tail> (?:in|on|at|under) [^,;]+)?\Z",
    re.IGNORECASE,
)
_AGED = re.compile(
    rf"{_WHO} (?P<what>must|have to|has to|need to|needs to) be (?:at least )?(?P<value>\d{{1,2}}|[a-z-]+)"
    r"(?: years old| or over| or older| years of age)?(?P<tail> (?:to|in order to) [a-z][^,;]+)\Z",
    re.IGNORECASE,
)
_SUBJECT_TO_LAW = word_set(_PEOPLE) | word_set(_PEOPLE.title())

_STATUS = re.compile(
    r"(?:The |the )?(?P<noun>status|state|stage) of (?P<what>[\w-]+(?: [\w-]+)? #?[\w-]*\d[\w-]*) is "
    r"(?P<value>[a-z]+(?:[ -][a-z]+)?)\Z"
)

# hours
_CLOCK = r"\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\b\.?)?"
_HOURS = re.compile(
    rf"(?P<value>(?P<day>(?:{_DAY}|daily|weekdays|weekends)(?:(?: to |-|–| and | & )(?:{_DAY}))?,? )?(?:from )?{_CLOCK}"
    rf"(?: ?[-–] ?| to | until | till ){_CLOCK})(?P<tail> (?:on|in|at|during) [^,;]+)?\Z",
    re.IGNORECASE,
)
_HOURLY = re.compile(r" (?:is open|are open|opens|open|is staffed|are staffed|is manned|are|is|run|runs) (?=\S)")
_OF_HOURS = word_set("hours times hour time schedule window shift slot")
_SHIFT = re.compile(
    r"(?P<who>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|I|[Mm]y [a-z]+) (?:works?|is on|am on|does|do|has|have) (?:the )?"
    r"(?P<value>night|early|late|day|morning|evening|afternoon|back|graveyard|swing|weekend|first|second|third|split)s?"
    r" (?P<noun>shift|rota|watch)s?(?P<tail> (?:at|in|on) [^,;]+)?\Z"
)
_RECORD = re.compile(
    r" (?:is|stands at|sits at|remains) (?P<value>\d+:\d{2}(?:[:.]\d{2})?(?: (?:minutes|hours|min|mins|h))?)\Z"
)
_TIMED = word_set("record time best pace")

# one definite thing that plain words name
_SOLE = word_set(
    "venue destination rendezvous mascot emblem symbol anthem flower bird animal tree insect gemstone capital patron "
    "winner champion opponent headliner location spot exit entrance shortcut host prize topping starter special "
    "dessert password theme topic subject codeword codename heir landmark crop speciality specialty "
    "base port terminus"
)
_POINTS = word_set(
    "meeting assembly collection pick-up drop-off pickup starting muster rallying reference hiding resting"
)
_KINDS = word_set("mascot emblem symbol prize topping starter special dessert gift crop speciality specialty")
_IS_THE = re.compile(
    r" (?:is|are|remains) (?P<value>(?P<article>the|our|my|his|her|their|an?) (?P<np>(?:[\w’'-]+ ){0,5}[\w’'-]+))\Z"
)
_VERDICTS = word_set(
    "success disappointment bargain mess joke hit flop treat delight surprise mystery failure shame pity dream "
    "nightmare "
    "disaster scandal pride envy pleasure nuisance secret classic legend must gem steal riot bore"
)
_LOOSE = word_set("same one best only most first last other usual kind sort way reason thing problem question whole")


def _subject(core: str, hidden: str, end: int) -> str | None:
    """Return what stands before a verb, if it names one thing; "between A and B" is one."""
    said = _BETWEEN.sub(lambda m: "between " + "¤" * (len(m[0]) - 9) + " ", hidden[:end])
    return core[:end].strip() if subject_is_sound(said, core[:end].strip()) else None


def _until(core: str, hidden: str) -> Claim | None:
    """Read "The lease on the shop runs until 31 May 2027"."""
    match = _UNTIL.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or is_plural(head_phrase(subject.lower().split())[0]):
        return None
    month = _MONTH_YEAR.match(core, match.end())
    found = find_typed(core, match.end(), len(core))
    if month is None and (found is None or core[found[2] :].strip()):
        return None
    start, end = month.span() if month else found[:2] if found else (0, 0)
    kind = "date" if month else canonical_value(core[start:end])[1].partition(":")[0]
    if kind not in ("date", "day", "time", "weekday") or (kind == "time" and match["verb"] in _ENDING):
        return None
    if match["verb"] in _ENDING and not month and "end of" not in match[0]:
        return Claim(subject, _ENDS, start, end, "until")
    said = f"until {match['state'] or match['verb']} {subject}"
    return Claim(said, _THUS, start, end, "until", "text" if month else None)


def _due(core: str, hidden: str) -> Claim | None:
    """Read "Rent is due on the 3rd of each month" and "Postmortems are due within 5 business days"."""
    match = _DUE.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None:
        return None
    said = f"{match['how']}-{match['prep']} {subject}"
    if nth := _NTH.match(core, match.end()):
        of = f" of {nth['of']}" if nth["of"] and nth["of"] != "month" else ""
        return Claim(said + of, _THUS, *nth.span("value"), "due", "text") if match["prep"] in ("on", "by") else None
    found = find_typed(core, match.end(), len(core))
    tail = qualifiers(core[found[2] :]) if found and match["prep"] in ("within", "after", "in") else None
    if found is None or tail is None or found[3] != "number":
        return None
    kind = canonical_value(core[found[0] : found[1]])[1].partition(":")[0]
    if kind not in ("duration", "months", "count"):
        return None
    return Claim(f"{said} {tail}".strip(), _THUS, *found[:2], "due")


def _often(core: str, hidden: str) -> Claim | None:
    """Read "Trains between Alder and Finch Bay run hourly" and "Every second Monday the choir rehearses"."""
    match = _RECURRING.search(hidden)
    if match is None:
        return None
    if match.start():
        before, after = hidden[: match.start()].rstrip(), core[match.end() :]
    else:
        before, after = hidden[match.end() :].lstrip(", "), ""
    words = before.split()
    verb = _verb(words)
    tail = qualifiers(after)
    if verb is None or tail is None:
        return None
    subject = " ".join(words[:verb])
    shown = core[hidden.index(words[0], 0 if match.start() else match.end()) :][: len(subject)]
    if verb == 1 and is_plural(words[0].lower()):
        return None  # "Backups are taken daily": and others weekly
    if not quiet(" ".join(words[verb:])) or _subject(f"{shown} ", f"{subject} ", len(subject)) is None:
        return None
    said = core[: match.start()] if match.start() else core[match.end() :].lstrip(", ")
    start, end = match.span()
    if " ".join(words[verb:]) in _RUNNING and match.start():
        return Claim(f"{shown} {tail}".strip(), _EVERY, start, end, "how often", "period")
    return Claim(f"how often {said.strip()} {tail}".strip(), _THUS, start, end, "how often", "text")


def _verb(words: list[str]) -> int | None:
    """Return the place of the verb of the present: the only one, behind its subject."""
    for n, word in enumerate(words):
        if not n:
            continue
        if is_past(word) and words[n - 1] not in ("is", "are", "gets", "get"):
            return None
        if word in ("is", "are", "gets", "get") and n + 1 < len(words):
            done = words[n + 1]
            return n if is_participle(done) and done not in MANY_DONE else None
        many = words[0][-1:] == "s" or words[n - 1].lower() in ("i", "we", "they")
        base = THIRD.get(word) or (base_of(word) if many else None)
        if base is not None and words[n - 1] not in ("the", "a", "an", "our", "my") and base not in ("be", "have"):
            return n
    return None


def _age(core: str, hidden: str) -> Claim | None:
    """Read "In Lindmark, people may drive from the age of 17" and "You must be 18 to vote in Lindmark"."""
    match = _AGE.match(hidden) or _AGED.match(hidden)
    if match is None or not (match["value"].isdigit() or match["value"] in NUMBER_WORDS):
        return None
    what = match["what"].split()
    rest = f"{' '.join(what[1:])} {match['tail'] or ''}"
    if not quiet(rest) or " not " in f" {rest} ":
        return None
    said = f"age at which {match['who']} {match['what']} {match['tail'] or ''} {match['front'] or ''}"
    return Claim(" ".join(said.split()), _IS, *match.span("value"), "age at law", "number")


def _hours(core: str, hidden: str) -> Claim | None:
    """Read "The museum is open from 9 to 17" and "Professor Anand's office hours are Monday 10-12"."""
    for verb in _HOURLY.finditer(hidden):
        match = _HOURS.match(hidden, verb.end())
        if match is None:
            continue
        subject = _subject(core, hidden, verb.start())
        words = subject.lower().split() if subject else []
        plain = verb[0].strip() in ("is", "are", "run", "runs") and not match["value"].startswith("from ")
        if subject is None or (plain and head_phrase(words)[0] not in _OF_HOURS):
            return None
        tail = match["tail"] or ""
        if not quiet(tail):
            return None
        start, end = match.span("value")
        if not plain and match["day"]:  # open on another day as well
            tail, start = f"{match['day']} {tail}", match.end("day")
        return Claim(f"hours of {subject} {tail}".strip(), _THUS, start, end, "hours", "hours")
    return None


def _shift(core: str, hidden: str) -> Claim | None:
    """Read "Carlos works the night shift at the depot"."""
    match = _SHIFT.match(hidden)
    if match is None or not subject_is_sound(match["who"], match["who"]) or not quiet(match["tail"] or ""):
        return None
    said = f"{match['noun']} of {match['who']} {match['tail'] or ''}".strip()
    return Claim(said, _THUS, *match.span("value"), "shift", "text")


def _record(core: str, hidden: str) -> Claim | None:
    """Read "The course record for the Tarn Hill climb stands at 4:12 minutes"."""
    match = _RECORD.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None or head_phrase(subject.lower().split())[0] not in _TIMED:
        return None
    return Claim(subject, _IS, *match.span("value"), "record", "record") if "ecord" in subject else None


def _status(core: str, hidden: str) -> Claim | None:
    """Read "The status of ticket 881 is open"."""
    match = _STATUS.match(hidden)
    if match is None or not quiet(match["value"]):
        return None
    return Claim(f"{match['noun']} of {match['what']}", _IS, *match.span("value"), "status of", "status")


def _identity(core: str, hidden: str) -> Claim | None:
    """Read "The venue is the old mill" and "The state bird of West Carolina is the bluewing"."""
    match = _IS_THE.search(hidden)
    subject = _subject(core, hidden, match.start()) if match else None
    if match is None or subject is None:
        return None
    words = [w.strip(_TRIM).lower() for w in subject.split()]
    head = head_phrase(words)[0]
    at = words.index(head) if head in words else 0
    pointed = head in ("point", "place", "spot") and at > 0 and words[at - 1] in _POINTS
    if head not in _SOLE and not pointed:
        return None
    if words[0] not in ("the", "my", "our") and not any(w.endswith(("'s", "’s")) for w in subject.split()):
        return None
    said = match["np"].split()
    if match["article"] in ("a", "an") and head not in _KINDS:
        return None
    if not MEASURED.isdisjoint(said) or said[-1] in _VERDICTS or describes(match["value"]):
        return None
    if not quiet(match["value"].removeprefix("the ")) or is_opinion(said) or not _LOOSE.isdisjoint(said):
        return None
    if any(w in ("that", "which", "who", "where", "with", "of") for w in said[1:]) or is_past(said[-1]):
        return None
    return Claim(subject, _IS, *match.span("value"), "identity", "text")


read_everyday = Rules(
    (
        (_until, word_set("until till through up")),
        (_due, word_set("due payable refundable returnable repayable cancellable paid debited collected")),
        (_often, frozenset(_OFTEN_WORDS)),
        (_age, _SUBJECT_TO_LAW),
        (_status, word_set("status state stage")),
        (_hours, (word_set("is are open opens run runs staffed manned"), frozenset((A_NUMBER,)))),
        (_shift, word_set("shift shifts rota watch")),
        (_record, word_set("record")),
        (_identity, _SOLE | word_set("point place spot")),
    ),
)
"""Reads a plain sentence of daily life."""
