"""What governs after a verb: the one value in its slot."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.canonical import canonical_value, is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.adjectives import describes, is_adjective
from memstrata_integrations.extraction.sentences.comparing import is_brand
from memstrata_integrations.extraction.sentences.lexicon import (
    ARTEFACTS,
    CLOUD_REGION,
    CONFIG_NOUNS,
    COUNTRIES,
    DEICTIC,
    DEMONYMS,
    EVENTS,
    GENERIC,
    NON_NAMES,
    PARTS_OF_WORLD,
    PERSON_ROLES,
    PREPOSITIONS,
    SOLE,
    THINGS,
    UNASSERTED,
    VERSION_NOUNS,
)
from memstrata_integrations.extraction.sentences.opinions import MEASURED
from memstrata_integrations.extraction.sentences.plain_nouns import GRADED, GRADES
from memstrata_integrations.extraction.sentences.role_words import (
    code_in,
    code_of,
    head_phrase,
    is_many_role,
    is_plural,
    is_role,
    is_specific,
    role_of_word,
)
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import is_participle
from memstrata_integrations.relations import Relation, relation_of
from memstrata_integrations.words import word_set

__all__ = [
    "Verb",
    "code_at",
    "code_of",
    "expected_of_role",
    "expected_place",
    "is_technical",
    "masked",
    "read_complement",
    "spans_of",
    "tokens_of",
    "words_of",
]

_TOKEN = re.compile(r"\S+")
_QUOTATION = re.compile(r"(?<![\w’'])(?:'[^'\n]*'|\"[^\"]*\"|`[^`]*`|“[^”]*”|‘[^’]*’)(?!\w)")
_QUOTES_IN = re.compile("['\"`“‘]")
_MASK = "¤"
# "the claims warehouse": a noun that looks like a verb of saying
_AS_NOUN = re.compile(
    r"(?<=\bthe )(?:claims?|plans?)(?= [a-z]+ (?:is|are|has|of|in|on|at|for|listens|runs)\b)"
    r"|\b(?:planning(?= (?:department|office|officer|committee|board|authority|permission|application|team|inspector"
    r"|meeting|fee|portal|desk))|asking(?= (?:price|rent|fee))|used(?= (?:cars?|books?|bikes?|clothes|furniture|goods"
    r"|vehicles?))|wish(?= list)|[Nn]ext(?= of kin)|[Ss]uggested(?= (?:donation|price|dose|retail))|[Rr]ecommended"
    r"(?= (?:dose|dosage|retail|price|daily)))\b"
)
_NOUNS_TOO = word_set(
    "claim claims plan plans planning asking used wish next Next suggested Suggested recommended Recommended"
)
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_MARKS = re.compile(f"[{re.escape(_TRIM)}]")
_SPEC = re.compile(r"[<>=!~^]{1,3} ?[\w.*+!-]+(?:, ?(?:[<>=!~^]{1,3} ?[\w.*+!-]+)?)*(?=[\s)]|\Z)")
_PIN = re.compile(r"(?:v?\d[\w.*+!-]*|latest|stable|[0-9a-f]{7,40}|[a-z]*\d[\w.+-]*|[a-z]+-\d[\w.+-]*)(?=[\s,)]|\Z)")
_TIME_WORD = re.compile(
    r"(?:next |this )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?:January|February|March|April|May|June|July|August"
    r"|September|October|November|December) ?(?:\d|\Z)|(?:noon|midnight|tomorrow|tonight)\b"
)
_PHONE = re.compile(
    r"(?:\+\d{1,3}(?:[-. ](?:\(0\) ?)?\(?\d{1,8}\)?){2,6}"
    r"|\+?\(?\d{1,5}\)?(?:[-. ](?:\(0\) ?)?\(?\d{2,8}\)?){1,5})(?=[\s,)]|\Z)"
)
_SHORT_NUMBER, _CALLED = re.compile(r"\d{3,6}(?=\Z|,)"), word_set("number pager extension")
_CODE = re.compile(r"(?=[\w/#.-]*\d)[#*A-Za-z0-9][\w/-]*[#*]?(?=[\s,)]|\Z)")
_LOWER_NAME = re.compile(r"[a-z]{2,}(?:-[a-z]{2,})+(?=[\s,)]|\Z)")
_LEVEL = re.compile(
    r"(?:debug|info|warn|warning|error|critical|trace|verbose|notice|fatal)(?=[\s,)]|\Z)", re.IGNORECASE
)
_THE_NAME = re.compile(
    r"(?:the |The |a (?=Mr|Ms|Mrs|Dr|Miss)|(?:team|squad|Team|Squad|chef|coach|judge|captain|officer|uncle"
    r"|aunt|nurse|professor|doctor"
    r"|pastor) )(?=[A-Z])"
)
_NAMING = frozenset(("identifier", "address"))
_HOURS = {"starts at": "hour", "ends at": "hour", "opens at": "opening", "closes at": "closing", "is at": "hour"}
_BY_THE_CLOCK = frozenset(("starts at", "ends at", "opens at", "closes at"))
_MEASURED_SLOTS = {
    **dict.fromkeys(("time", "moment"), frozenset(("time", "date", "day", "weekday"))),
    "duration": frozenset(("duration", "months", "m")),
}
_NO_ADDRESSES = _MEASURED_SLOTS["time"] | word_set("size duration percent money mass power voltage") | {"binary size"}
_SCHEDULED = word_set(
    "my our first last final early late morning noon afternoon evening night overnight nightly daily weekly monthly"
)
_FILES = frozenset(("path", "url"))
_PORT = re.compile(r"(?:TCP |UDP )?(?:port )?(\d{2,5})(?=[\s,)]|\Z)", re.IGNORECASE)
_OF_STREETS = (
    r"(?: (?:d[aeiou]s?|dei|dal|del|dell['ae]|degli|des|l[ae]s?|van|von|der|den|zum|zur|am|el|rue|avenue|boulevard|quai"
    r"|via|viale|calle|rua|ul\.)){0,3}"
)
_STREET = re.compile(
    rf"(?:\d+[A-Za-z]?,?(?:{_OF_STREETS} [A-Z][\w.'’-]*)+"
    rf"|(?!P\.?O\.? )[A-Z][\w.'’-]*(?:{_OF_STREETS} [A-Z][\w.'’-]*){{0,4}} \d+[A-Za-z]?)"
    r"(?:, [A-Z][\w.'’-]*(?: [A-Z0-9][\w.'’-]*)*)*(?=\Z| in [A-Z])"
)
_PLACE = re.compile(r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*(?:, [A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*)*(?=[\s]|\Z)")
_GROUP = re.compile(
    r"(?:[Tt]he |[Oo]ur )((?:[\w-]+ ){1,3}(?:team|group|squad|department|guild|crew|office))(?=[\s,)]|\Z)"
)
_ROLE_WORD = re.compile(r"(?:the )?[A-Za-z][\w.+#-]*(?: [A-Za-z][\w.+-]*){0,2}(?=\Z| (?:in|on|for|at) )")
_LOWER_PLACE = re.compile(
    r"the (?:[a-z]+ ){0,2}(?:library|hall|park|pub|café|cafe|bar|church|school|office|gym|theatre|theater|museum"
    r"|club|station|square|centre|center|studio|restaurant|hotel|clinic|garden)(?=\Z)"
    r"|[A-Z][\w-]*(?:['’]s|s['’])(?: (?:[A-Z][\w-]*|place|house|flat|garden|studio)){0,2}(?=\Z)"
)
_THE_PLACE = re.compile(
    r"(?<=the )[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)* [a-z]+(?=\Z)|the (?P<x>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)* "
    r"[a-z]+)(?=\Z)"
)
_A_TITLE = re.compile(
    r"(?:team|squad) (?=[A-Z])|the (?=[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*(?:\Z| in ))|(?:a |chef |coach |judge "
    r"|captain |nurse )(?=(?:Mr|Mrs"
    r"|Ms|Dr|Miss)\b|(?<=chef )[A-Z]|(?<=coach )[A-Z])"
    r"|(?:my|our|his|her|their) (?:[a-z]+ )?[a-z]+ (?=[A-Z])"
    r"|(?:an? (?:[a-z]+ )?[a-z]+|someone|somebody) (?:named|called|by the name of) (?=[A-Z])"
)
_ONE_EACH = word_set("doctor teacher partner school flat house boss home")
_MODES = word_set(
    "linear exponential constant fixed static dynamic strict lenient lazy eager greedy random sequential "
    "parallel async "
    "sync asynchronous synchronous manual automatic incremental full partial verbose quiet silent normal "
    "compact classic "
    "light dark system relaxed permissive optimistic pessimistic rolling daily weekly monthly hourly "
    "yearly public private "
    "internal external open closed descending ascending alphabetical chronological binary plain raw basic "
    "advanced native "
    "hybrid remote local shared dedicated primary secondary high low medium loose tight soft hard cold warm hot"
)
_LANGUAGE = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?(?=\Z| (?:in|on|for|at) )")
_DIGEST = re.compile(r"(?=[0-9a-f]*\d)[0-9a-f]{7,40}(?=[\s,)]|\Z)")
_SPECIFIED = VERSION_NOUNS | word_set("constraint range")
_DIETS = word_set("vegan vegetarian gluten-free halal kosher")
_MODE_HEADS = word_set(
    "policy strategy mode algorithm format level scheme style order ordering layout method theme approach type backoff "
    "schedule cadence visibility priority severity frequency consistency isolation status state stage "
    "phase post role job "
    "password passphrase word codeword nickname username handle title position"
)
# "is partitioned by month", "is refreshed hourly": what is done so names its key or period
_PROPERTY = re.compile(
    r"(?:partitioned|sharded|grouped|clustered|keyed|indexed|bucketed|backed) by "
    r"|[a-z]+ed (?:hourly|daily|weekly|monthly|yearly)\Z"
)
_BRANCHES = word_set("main trunk develop stable next")
_STATES = word_set("status state stage phase")
_LABELLED = re.compile(
    r"(?:plot|berth|pitch|unit|flat|apartment|lot|stall|stand|slot|lane|box|seat|block|cabin|mooring|house|bed|ward"
    r"|pier"
    r"|room|desk|gate|platform|suite|floor|bay|locker|coach|node|host|server|instance|shard|replica|queue|table"
    r"|branch|channel|machine|version|release|commit|revision|tag|build|sha|digest|team|number) (?=`?[\w.]*[\d_-])"
)
_REGION = re.compile(CLOUD_REGION + r"(?=[\s,)]|\Z)")
_PLACES = frozenset(("path", "url", "host", "email", "endpoint"))
_ON_STREET = re.compile(
    r"(?:on|in|at) (?:the )?(?:[A-Z][\w’'-]* ){1,3}(?:Street|Road|Lane|Avenue|Square|Place|Way|Row|Hill|Quay)"
)
_IN_TOWN = re.compile(r"(?:in|,) (?:[A-Z][\w’'.-]* ?){1,3}(?:, (?:[A-Z][\w’'.-]* ?){1,2})?")
_AT_PRACTICE = re.compile(r"(?:at|of|from|on) (?:the )?(?:[A-Z][\w’'.-]* ?){1,4}(?:[a-z]+)?")
# Of these one has one, wherever they work
_SEEN = word_set(
    "doctor gp dentist vet therapist physiotherapist physio hairdresser barber optician midwife paediatrician "
    "pediatrician "
    "dermatologist psychologist orthodontist osteopath chiropractor cardiologist podiatrist trainer"
)
_HELD_VERSION = re.compile(r"[~^<>=]|v?\d+\.\d+(?!\d| ?[aApP]\.?[mM]\b)")
_DOTTED = re.compile(r"(?:[~^<>=]+ ?)?v?\d+(?:\.\d+)+[\w.+-]*(?=[\s,)]|\Z)")
_AT_VERSIONS = {
    verb: found
    for verb, name in {
        "is held at": "is pinned to",
        "is at": "has version",
        "is on": "has version",
        "runs at": "has version",
    }.items()
    if (found := relation_of(name)) is not None
}
_PLATE = re.compile(r"[A-Z0-9]{1,4}[ -][A-Z0-9]{2,4}(?=[\s,)]|\Z)")
_CHANNEL = re.compile(r"#[\w-]+(?=[\s,)]|\Z)")
_SINKS = frozenset(("email", "url", "host", "path", "identifier", "phone"))
_LOWER_TOOL = re.compile(r"[a-z][\w.+-]{1,30}(?=\Z|,? (?:in|on|for|at) )")
_NAMED = re.compile(r"[A-Za-z_][\w.$-]*(?:\(\))?(?=[\s,)]|\Z)")


class Verb(NamedTuple):
    """A verb of the vocabulary in a sentence, and of how many words it is."""

    start: int
    end: int
    relation: Relation
    words: int


@lru_cache(maxsize=512)
def masked(text: str) -> str:
    """Replace what stands in quotation marks or brackets, each character by one mark.

    Linear; a bracket that is never closed hides nothing.
    """
    if _QUOTES_IN.search(text):
        text = _QUOTATION.sub(lambda m: _MASK * len(m[0]), text)
    if not _NOUNS_TOO.isdisjoint(text.split()):
        text = _AS_NOUN.sub(lambda m: _MASK * len(m[0]), text)
    if "(" in text or "[" in text or "{" in text:
        depth, opened = 0, 0
        spans: list[tuple[int, int]] = []
        for n, char in enumerate(text):
            if char in "([{":
                if depth == 0:
                    opened = n
                depth += 1
            elif char in ")]}" and depth:
                depth -= 1
                if depth == 0:
                    spans.append((opened, n + 1))
        pieces, pos = [], 0
        for start, end in spans:
            pieces += [text[pos:start], _MASK * (end - start)]
            pos = end
        text = "".join(pieces) + text[pos:]
    return text


@lru_cache(maxsize=256)
def spans_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return where each word of a text starts and ends."""
    words = text.split()
    spans, end = [], -1
    if sum(map(len, words)) + len(words) - 1 == len(text):  # one space between any two
        for word in words:
            start = end + 1
            end = start + len(word)
            spans.append((start, end))
        return tuple(spans)
    end = 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        spans.append((start, end))
    return tuple(spans)


@lru_cache(maxsize=256)
def tokens_of(hidden: str) -> tuple[tuple[int, int, str], ...]:
    """Return the words of a masked sentence: start, end, and the word in lower case without punctuation."""
    if _MARKS.search(hidden) is None:
        return tuple(
            [(start, end, w) for (start, end), w in zip(spans_of(hidden), hidden.lower().split(), strict=True)]
        )
    return tuple([(start, end, hidden[start:end].strip(_TRIM).lower()) for start, end in spans_of(hidden)])


@lru_cache(maxsize=256)
def words_of(hidden: str) -> frozenset[str]:
    """Return the words of a masked sentence as they stand."""
    return frozenset(hidden.split())


@lru_cache(maxsize=256)
def bare_words_of(text: str) -> frozenset[str]:
    """Return the words of a text without quotes and punctuation around them."""
    if _MARKS.search(text) is None:
        return words_of(text)
    return frozenset([w.strip("'\".,:;!") for w in text.split()])


@lru_cache(maxsize=256)
def lower_words_of(hidden: str) -> frozenset[str]:
    """Return the words of a masked sentence in lower case, with their punctuation."""
    return frozenset(hidden.lower().split())


@lru_cache(maxsize=2048)
def is_technical(subject: str) -> bool:
    """Whether a subject is the name of something in code or in a file."""
    return any(map(is_identifier, [w.strip(_TRIM) for w in subject.split()]))


class _Role(NamedTuple):
    """The words of a subject, bare and in lower case, those that may be its head, and what it numbers things with."""

    words: list[str]
    lower: list[str]
    heads: list[str]
    coded: str | None


@lru_cache(maxsize=512)
def _words_of_role(subject: str) -> _Role:
    words = [w.strip(_TRIM) for w in subject.split()] if _MARKS.search(subject) is not None else subject.split()
    lower = [w.lower() for w in words]
    heads = head_phrase(lower)
    return _Role(words, lower, heads, code_in(lower, heads))


_NO_NAMES = NON_NAMES | {""}
_SWITCH = re.compile(r"(?:[Tt]he )?`[A-Za-z_][\w.-]*`(?: (?:flag|switch|toggle|option))?|[A-Z][A-Z0-9_]{2,}")
# "The Terraform state is kept in s3://tf-core": the place is the value
_PUT = word_set(
    "kept held stored saved written archived logged shown displayed located hosted tracked recorded managed cached "
    "persisted documented listed published printed served placed put found locked parked placed filed posted"
)
_TREATED = re.compile(
    r"[a-z]+(?:ed|en|ept|eld|ent|uilt) (?:as|in|on|at|to|with|from|for|via|over|under|into|after|through|using) \S"
)


def read_complement(sentence: str, subject: str, verb: Verb, base: int, pos: int) -> Claim | None:
    """Read what stands after the verb of a sentence.

    Args:
        sentence: The sentence, its full stop left out.
        subject: What stands before the verb.
        verb: The verb.
        base: Where the sentence starts in its text.
        pos: Where the complement starts in the sentence.
    """
    relation = verb.relation
    end = len(sentence)
    if relation.name in _AT_VERSIONS and _HELD_VERSION.match(sentence, pos):
        relation = _AT_VERSIONS[relation.name] if _DOTTED.match(sentence, pos) else relation
    if pos >= end or (relation.name.endswith(" by") and _TIME_WORD.match(sentence, pos)):
        return None  # "is printed by Monday"
    slot = relation.slot
    if slot == "none":
        return None
    technical = is_technical(subject)
    surface = " ".join(sentence[verb.start : verb.end].lower().split())
    assigned = (relation.name == "is" and verb.words > 1) or relation.name in _BY_THE_CLOCK
    found: tuple[int, int, int] | None = None
    if slot == "version":
        found = _first(_SPEC, sentence, pos, end) or _first(_PIN, sentence, pos, end)
    elif slot == "port":
        port = _PORT.match(sentence, pos, end)
        found = (port.start(1), port.end(1), port.end()) if port else None
        found = found or _typed(sentence, pos, end, ("technical",))
        address = _typed(sentence, pos, end, ("number",)) if found is None else None
        if address and canonical_value(sentence[address[0] : address[1]])[1] == "host":
            found = address
    elif slot == "address":
        found = _first(_STREET, sentence, pos, end) or _typed(
            sentence, pos, end, ("quoted", "technical", "name", "number")
        )
        if found and canonical_value(sentence[found[0] : found[1]])[1].partition(":")[0] in _NO_ADDRESSES:
            return None  # "Meals are served at 12:00", "The limit sits at 50 MB"
        if found is None and sentence[pos] in "/^~.":
            stop = sentence.find(" ", pos)
            stop = end if stop < 0 else stop
            found = (pos, stop, stop)
    elif slot == "place":
        found = _first(_PLACE, sentence, pos, end) or _typed(sentence, pos, end, ("quoted", "technical"))
        placed = sentence[found[0] : found[1]] if found else ""
        if found and not placed[0].isupper() and "/" not in placed and canonical_value(placed)[1] != "path":
            return None
    elif slot == "venue":
        found = _typed(sentence, pos, end, ("quoted", "technical", "name", "number"))
        found = found or _first(_THE_PLACE, sentence, pos, end)
        article = _THE_NAME.match(sentence, pos, end)
        found = found or (_typed(sentence, article.end(), end, ("name",)) if article else None)
        found = found or _first(_THE_PLACE, sentence, pos, end) or _first(_LOWER_PLACE, sentence, pos, end)
    elif slot in ("name", "organisation"):
        group = _GROUP.match(sentence, pos, end)
        if group is not None and relation.name == "works at":
            return None  # "the Berlin office": a part of the employer
        found = (group.start(1), group.end(1), group.end()) if group else None
        article = _THE_NAME.match(sentence, pos, end)
        found = found or _typed(sentence, article.end() if article else pos, end, ("quoted", "technical", "name"))
    elif slot == "identifier":
        found = _typed(sentence, pos, end, ("quoted", "technical", "name"))
        if found is None and technical:
            found = _first(_NAMED, sentence, pos, end)
    elif slot == "free":
        group = _GROUP.match(sentence, pos, end)
        found = (group.start(1), group.end(1), group.end()) if group else None
        found = found or _typed(sentence, pos, end, ("quoted", "technical", "name", "number", "date"))
    elif slot == "file":
        found = _typed(sentence, pos, end, ("quoted", "technical"))
        if found and not _is_file(sentence[found[0] : found[1]], sentence[found[0] - 1] == "`"):
            return None
    elif slot == "measure":
        found = _typed(sentence, pos, end, ("number",))
    elif slot == "thus":
        found = _thus(sentence, subject, pos, end)
    elif slot == "region":
        found = _first(_REGION, sentence, pos, end)
    elif slot == "charge":
        if any(is_plural(h.lower()) for h in head_phrase([w.strip(_TRIM) for w in subject.split()])):
            return None
        group = _GROUP.match(sentence, pos, end)
        found = (group.start(1), group.end(1), group.end()) if group else _typed(sentence, pos, end, ("quoted", "name"))
    elif slot == "word":
        found = _typed(sentence, pos, end, ("quoted", "technical", "name")) or _first(_ROLE_WORD, sentence, pos, end)
    elif slot in ("sink", "task", "tool"):
        found = _receiver(sentence, subject, pos, end, slot)
    elif slot == "team":
        group = _GROUP.match(sentence, pos, end)
        found = (group.start(1), group.end(1), group.end()) if group else None
        found = found or (_typed(sentence, pos, end, ("name",)) if sentence.startswith("Team ", pos) else None)
    elif slot in _MEASURED_SLOTS:
        if slot == "moment" and not _is_scheduled(subject):
            return None
        found = _typed(sentence, pos, end, ("number", "date"))
        hourly = relation.name == "is at" and found is not None and sentence[found[0] : found[1]].isdigit()
        if hourly and head_phrase([w.strip(_TRIM).lower() for w in subject.split()])[-1] in EVENTS:
            pass
        elif found and canonical_value(sentence[found[0] : found[1]])[1].partition(":")[0] not in _MEASURED_SLOTS[slot]:
            return None
    else:
        found = _stated(sentence, subject, pos, end, assigned, technical)
    tail = qualifiers(sentence[found[2] :]) if found else None
    if found and tail is None and slot == "typed":
        words = [w.strip(_TRIM) for w in subject.split()]
        word = _first(_ROLE_WORD, sentence, pos, end) if role_of_word(words) else None
        if (
            word is not None
            and not is_adjective(value := sentence[word[0] : word[1]])
            and not describes(value)
            and value.lower() not in NON_NAMES
        ):
            found, tail = word, qualifiers(sentence[word[2] :])
    if tail and found and relation.name == "is" and _ON_STREET.fullmatch(tail):
        tail = ""  # "My gym is IronHarbour on Dock Street": the place is part of the answer
    if tail and found and relation.name == "lives at" and _IN_TOWN.fullmatch(tail):
        tail = ""  # "I live at Tannenweg 12 in Graz": the town is part of the address
    if tail and found and relation.name == "is" and _AT_PRACTICE.fullmatch(tail) and _sees(subject):
        tail = ""  # "My dentist is Dr. Lind at the Canal Street practice": where she works
    if found is None or tail is None:
        if not technical or verb.words == 1 or slot not in ("typed", "address", "version"):
            return None
        free = _free(sentence, pos, end)
        if free is None:
            return None
        found, tail = free, ""
    if subject[:11].lower() == "by default,":
        subject = f"{subject[11:].strip()} of default"
    if relation.slot in _NAMING and _is_bare_artefact(subject, tail):
        return None
    if surface.startswith("belong") and _lies_in(subject, sentence[found[0] : found[1]]):
        return None  # "Denmark belongs to NATO", and to the EU
    if relation.name == "is located at" and _lies_in(subject, sentence[found[0] : found[1]]):
        return None  # "The Alhambra is located in Granada", and in Andalusia
    if relation.name == "is" and not _stands_alone(sentence[found[0] : found[1]]) and _is_bare_artefact(subject, tail):
        return None
    whole = f"{subject} {tail}" if tail else subject
    value = sentence[found[0] : found[1]]
    if relation.name == "is" and not assigned and (value.startswith("of ") or _TREATED.match(value) or value in _PUT):
        return None  # "is delivered as CSV"
    expected = _expected(slot, value)
    if slot == "typed" and relation.name == "is":
        expected = expected_of_role(subject, value)
    elif relation.name in _HOURS:
        expected = _HOURS[relation.name]
    return Claim(whole, relation, base + found[0], base + found[1], f"clause: {surface}", expected)


def _receiver(sentence: str, subject: str, pos: int, end: int, slot: str) -> tuple[int, int, int] | None:
    """Return who or what a task is done by: a team, a channel, an address; for a tool, any name."""
    group = _GROUP.match(sentence, pos, end)
    if group is not None and slot != "tool":
        return group.start(1), group.end(1), group.end()
    if slot == "sink":
        channel = _CHANNEL.match(sentence, pos, end)
        found = channel and (channel.start(), channel.end(), channel.end())
        found = found or _typed(sentence, pos, end, ("technical", "quoted"))
        if found is None:
            person = _typed(sentence, pos, end, ("name",))
            several = is_plural(head_phrase([w.strip(_TRIM).lower() for w in subject.split()])[0])
            return person if person and several and " " in sentence[person[0] : person[1]] else None
        value = sentence[found[0] : found[1]]
        return found if canonical_value(value)[1] in _SINKS or value[0] in "#@" else None
    words = [w.strip(_TRIM).lower() for w in subject.split()]
    heads = head_phrase(words)
    if slot == "task" and any(is_plural(h) or is_many_role(h) for h in heads):
        return None  # "Events are handled by": some by this, some by that
    found = _typed(sentence, pos, end, ("quoted", "technical", "name"))
    return found or (_first(_LOWER_TOOL, sentence, pos, end) if slot == "tool" else None)


def _thus(sentence: str, subject: str, pos: int, end: int) -> tuple[int, int, int] | None:
    """Return by whom, with what or where a thing is done: a name for a single thing, a path or a channel for any."""
    article = _THE_NAME.match(sentence, pos, end)
    heads = head_phrase([w.strip(_TRIM).lower() for w in subject.split()])
    several = any(is_plural(h) for h in heads)
    group = _GROUP.match(sentence, pos, end)
    if group is not None:
        return group.start(1), group.end(1), group.end()
    if channel := _first(_CHANNEL, sentence, pos, end):
        return channel
    found = find_typed(sentence, article.end() if article else pos, end)
    if found is None or found[3] not in ("quoted", "technical", "name"):
        return None
    kind = canonical_value(sentence[found[0] : found[1]])[1]
    means = subject.split()[0].rpartition("-")[2] in ("by", "with", "using", "via", "through")
    if (several or not means) and (found[3] == "name" or kind not in _PLACES):
        return None  # some by this, some by that
    return found[:3]


def _is_scheduled(subject: str) -> bool:
    """Whether a subject happens once a day or is one of its kind: "the night train", "line 4", "my flight"."""
    return any(
        w.lower() in _SCHEDULED or w.endswith(("'s", "’s")) or any(c.isdigit() for c in w) for w in subject.split()
    )


def _is_file(value: str, quoted: bool) -> bool:
    """Whether a value says where code lives: a path, or a dotted name in backticks; never "Go" or "Node.js"."""
    return canonical_value(value)[1] in _FILES or (quoted and ("." in value or "::" in value) and " " not in value)


def _is_bare_artefact(subject: str, tail: str) -> bool:
    """Whether a subject is one of many: "the function", "the file"."""
    words = [w for w in subject.lower().split() if w not in ("the", "our", "my")]
    return not tail and len(words) == 1 and words[0] in ARTEFACTS


def _lies_in(subject: str, value: str) -> bool:
    """Whether a place or a sight by its name is said to lie in another place by its name."""
    named = subject.removeprefix("The ").removeprefix("the ")
    words = (*named.split(), *value.split())
    by_names = all(w[0].isupper() and w.isalpha() and len(w) > 1 and w.lower() not in GENERIC for w in words)
    return by_names and canonical_value(value)[1] in ("name", "text")


def _stands_alone(value: str) -> bool:
    """Whether a value is a measure rather than a name."""
    return canonical_value(value)[1] not in ("text", "identifier", "name", "path", "endpoint", "url")


def _first(pattern: re.Pattern[str], sentence: str, pos: int, end: int) -> tuple[int, int, int] | None:
    match = pattern.match(sentence, pos, end)
    return (match.start(), match.end(), match.end()) if match else None


def _typed(sentence: str, pos: int, end: int, kinds: tuple[str, ...]) -> tuple[int, int, int] | None:
    found = find_typed(sentence, pos, end)
    return found[:3] if found and found[3] in kinds else None


def _sees(subject: str) -> bool:
    """Whether a subject names one whom somebody sees: "my dentist", "Biscuit's vet"."""
    words = subject.split()
    owned = words[0].lower() in ("my", "our") or (len(words) > 1 and words[-2].endswith(("'s", "’s")))
    return owned and len(words) <= 4 and words[-1].lower() in _SEEN


def _stated(
    sentence: str, subject: str, pos: int, end: int, assigned: bool, technical: bool
) -> tuple[int, int, int] | None:
    """Return the value after "is", "is set to" and their like."""
    words, lower, heads, coded = _words_of_role(subject)
    if coded == "phone":
        short = _SHORT_NUMBER if not _CALLED.isdisjoint(heads) else _PHONE
        return _first(_PHONE, sentence, pos, end) or _first(short, sentence, pos, end)
    if coded and (
        code := _first(_PHONE, sentence, pos, end)
        or _first(_PLATE, sentence, pos, end)
        or _first(_CODE, sentence, pos, end)
    ):
        return code
    if heads == ["address"] and (house := _first(_STREET, sentence, pos, end)):
        return house
    if not _SPECIFIED.isdisjoint(lower[-1:]) and (spec := _first(_SPEC, sentence, pos, end)):
        return spec
    if title := _A_TITLE.match(sentence, pos, end):
        pos = title.end()
    elif label := _LABELLED.match(sentence, pos, end):
        pos = label.end()
        if digest := _DIGEST.match(sentence, pos, end):
            return digest.start(), digest.end(), digest.end()
    found = find_typed(sentence, pos, end)
    configured = technical or assigned or not CONFIG_NOUNS.isdisjoint(lower)
    if found is None:
        token = _first(_NAMED, sentence, pos, end)
        last = next((w for w in reversed(lower) if w not in PREPOSITIONS), "")
        if assigned and configured and (technical or last in CONFIG_NOUNS) and token and token[1] == end:
            return token
        if any(h in PERSON_ROLES for h in heads) and (group := _GROUP.match(sentence, pos, end)):
            return group.start(1), group.end(1), group.end()
        if "level" in heads:
            return _first(_LEVEL, sentence, pos, end)
        spoken = _first(_LANGUAGE, sentence, pos, end) if heads[0] in ("language", "nationality", "tongue") else None
        if spoken is not None:
            return spoken
        word = _first(_ROLE_WORD, sentence, pos, end) if role_of_word(words) else None
        if word is not None and sentence[word[0] : word[0] + 4] == "the ":
            word = (word[0] + 4, word[1], word[2])
        if word is not None and sentence[word[0] : word[1]].partition(" ")[0].lower() not in _NO_NAMES:
            said = sentence[word[0] : word[1]]
            if said in _DIETS or (describes(said) and said not in _MODES | GRADES and not _PROPERTY.match(said)):
                return None
            if heads[0] == "branch" and said in _BRANCHES:
                return word
            graded = said in _MODES or "-" in said or (heads[0] in GRADED and said in GRADES and "log" not in lower)
            graded = graded or (heads[0] in _STATES and is_participle(said))
            if heads[0] in _MODE_HEADS and graded:
                return word
            return None if is_adjective(sentence[word[0] : word[1]]) else word
        if is_role(words) and not any(is_many_role(h) or h in THINGS for h in heads):
            return _first(_THE_PLACE, sentence, pos, end)
        if "default" in lower[:-1] and any(h in CONFIG_NOUNS for h in heads):
            return _first(_LOWER_NAME, sentence, pos, end)
        return None
    kind = found[3]
    value = sentence[found[0] : found[1]]
    if kind == "quoted" and canonical_value(value)[1] not in ("text", "identifier", "name"):
        kind = "number"
    mentioned = technical or "`" in subject or '"' in subject or "“" in subject
    role = is_role(words)
    if kind == "boolean":
        switched = value.lower() in ("enabled", "disabled") or _SWITCH.fullmatch(subject) is not None
        return found[:3] if configured or switched else None
    if kind in ("name", "quoted", "technical"):
        if kind == "name" and not (role or technical or assigned):
            return None
        owned = words[0].endswith(("'s", "’s")) or lower[0] in ("my", "our")
        sole = not SOLE.isdisjoint(lower) or is_specific(words) or (owned and _of_one(heads, words))
        if role and not mentioned and not sole and any(is_many_role(w) for w in heads):
            return None
        placed = canonical_value(value)[1] in ("path", "url")
        if role and not technical and not placed and any(is_plural(w) for w in heads):
            return None  # "the owners are Alice": perhaps of several
        ranked = not MEASURED.isdisjoint(lower)
        several = any(w in THINGS for w in heads) and not _is_kind(words, lower, heads)
        if kind == "name" and not technical and not ranked and not sole and several:
            return None
        return found[:3] if role or technical or assigned or kind == "technical" else None
    if (
        kind == "number"
        and not role
        and not technical
        and not assigned
        and value.replace(",", "").replace(".", "").isdigit()
    ):
        return None  # "Alice is 30", "Redis is 7.2": nothing says what the number is
    return found[:3]


def _is_kind(words: list[str], lower: list[str], heads: list[str]) -> bool:
    """Whether the word before a head says what somebody has it for: "the alarm's monitoring company"."""
    head = heads[-1]
    at = lower.index(head) if head in lower else 0
    owned = lower[0] in ("my", "our") or any(w.endswith(("'s", "’s")) for w in words)
    if at > 0 and head in _KINDED and lower[at - 1] in _PURPOSES and (owned or lower[0] == "the"):
        return True
    return owned and head in _EMPLOYED and at > 0 and lower[at - 1][-3:] == "ing"


# "Our ticket system is Jira": named by what it is for
_KINDED = word_set("system software tool platform app")
_PURPOSES = word_set(
    "ticket ticketing issue bug build booking payroll billing chat mail email crm erp cms wiki backup inventory "
    "payment payments accounting ordering reservation helpdesk monitoring alerting logging deployment ci scheduling hr "
    "expense tracking voting grading attendance till ticket-tracking issue-tracking time-tracking version-control"
)
# Of each kind of these one employs one
_EMPLOYED = word_set("company app application service package tool library software program site website system")


def _of_one(heads: list[str], words: list[str]) -> bool:
    """Whether somebody has one of a kind of which the world has many: "Grandma's doctor", "my partner"."""
    return any(h in _ONE_EACH for h in heads) and len(words) <= 3


def code_at(text: str, start: int, end: int) -> bool:
    """Whether a place holds one number to call or one code, and nothing else."""
    return any((m := p.match(text, start, end)) is not None and m.end() == end for p in (_PHONE, _PLATE, _CODE))


def _free(sentence: str, pos: int, end: int) -> tuple[int, int, int] | None:
    """Take the whole rest as the value of a technical subject, unless it goes on talking."""
    for token in _TOKEN.finditer(masked(sentence[pos:end])):
        bare = token[0].strip(_TRIM)
        if bare in UNASSERTED or bare in PREPOSITIONS or bare in DEICTIC or bare in ("and", "or", "but", "because"):
            return None
    return pos, end, end


def expected_of_role(subject: str, value: str) -> str | None:
    """Return what the head noun of a subject expects, if anything."""
    words, _, heads, coded = _words_of_role(subject)
    if coded:
        return "phone" if _PHONE.fullmatch(value) and sum(c.isdigit() for c in value) > 6 else coded
    if heads == ["name"]:
        owned = [w.lower().removesuffix("'s").removesuffix("’s") for w in words if w.endswith(("'s", "’s"))]
        if not PERSON_ROLES.isdisjoint(owned):
            return "name"
    if any(h.rpartition("-")[2] in PERSON_ROLES for h in heads):
        if value.isdigit():
            return None  # "The mayor is 50"
        return "text" if value.lower() in DEMONYMS else "name"
    return "address" if heads == ["address"] and " " in value else None


def _expected(slot: str, value: str) -> str | None:
    if slot in ("typed", "free", "time", "moment", "duration", "measure"):
        return None
    if slot == "place":
        return "file" if "/" in value or canonical_value(value)[1] == "path" else expected_place(value)
    if slot == "team":
        return "name"
    if slot in ("sink", "task", "tool", "word", "charge", "thus"):
        return "text"
    if slot == "venue":
        return None if value[:1].isdigit() else "text"
    if slot == "name" and canonical_value(value)[1] in ("host", "url", "path") and not is_brand(value):
        return None  # at whose machines, and under which name, are two things
    if slot == "name" and value.lower() in DEMONYMS:
        return "text"
    return slot


def expected_place(value: str) -> str:
    """Return whether a place is a country, which no town can replace."""
    last = value.rpartition(" ")[2].lower()
    if "," in value or last not in COUNTRIES:
        return "place"
    return "part of the world" if last in PARTS_OF_WORLD else "country"
