"""Plain sentences of the present with one value after a preposition: "points to", "is licensed under", "is cut on".

The key is all that the sentence says besides the value, its verb and preposition included. Which verbs leave
room for one value only is a matter of their kind: what something points to, what is done on which day, where
one definite thing is kept. What many do, or what is done in many places, is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, tokens_of
from memstrata_integrations.extraction.sentences.lexicon import CONJUNCTIONS, DEICTIC, EVENTS, UNASSERTED
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import MANY_DONE, base_of, is_participle
from memstrata_integrations.relations import known
from memstrata_integrations.units import MONTHS
from memstrata_integrations.words import word_set

__all__ = ["is_by_name", "read_plain"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_LONGEST = 200
_THUS, _IS = known("is done thus"), known("is")
# What leads, refers or lies somewhere does so in one place
_SINGLE = {
    verb: frozenset(prepositions.split())
    for verb, prepositions in {
        "point": "to at",
        "resolve": "to",
        "map": "to",
        "redirect": "to",
        "fall": "under",
        "expand": "to",
        "proxy": "to",
        "translate": "to",
        "evaluate": "to",
        "correspond": "to",
        "default": "to",
        "delegate": "to",
        "defer": "to",
        "answer": "to",
        "sit": "behind under in on at",
        "stand": "in on at behind",
        "lie": "in on at under",
        "live": "under behind",
        "go": "through by",
        "run": "as under behind",
        "end": "in with at",
        "start": "with from in",
        "begin": "with in",
        "boot": "from",
        "mount": "at under",
        "dock": "at",
        "play": "for",
        "sail": "under from",
        "trade": "as",
        "operate": "as",
        "derive": "from",
        "descend": "from",
        "stem": "from",
        "switch": "to",
        "roll": "over",
        "route": "through via",
        "track": "against",
        "follow": "",
        "build": "on with from against",
        "compile": "with to",
        "deploy": "via with through from",
        "ship": "as",
        "connect": "through via",
        "authenticate": "via with through against by",
        "read": "as",
    }.items()
}
# Where something is written to or read from is one place if it is named as one
_TO_FILES = {
    "write": "to",
    "log": "to",
    "save": "to",
    "output": "to",
    "dump": "to",
    "read": "from",
    "load": "from",
    "pull": "from",
    "import": "from",
}
# Of a thing that is one, a preposition of place or means governs one thing; after these verbs it may govern many
_PLACING = word_set("behind under against via through by from into at in on inside off over")
_SCATTERED = word_set(
    "appear feature occur exist grow sell ship work run travel stop operate publish air trade spread "
    "happen show vary depend "
    "rely draw feed profit suffer benefit learn differ range integrate communicate interact compete link belong listen "
    "subscribe talk speak appear print log report fail break crash import export include support match look act sound "
    "differ result test check search scan participate specialise focus excel consist originate return succeed improve "
    "pass flow wind lead cross extend stretch reach meander spill shine win play take call watch help begin"
)
_FILES = frozenset(("path", "url", "host"))
_TIMES = frozenset(("weekday", "date", "day"))  # what happens at one hour may happen at another
_HAPPENING = word_set(
    "start begin open close end finish shut run leave depart arrive meet come happen resume return stop kick go sail "
    "fly air broadcast ship release deploy rotate reset refresh reload sync update publish restart renew expire change "
    "switch fire trigger land take occur kick-off rehearse train practise practice gather convene assemble"
)
_PREPOSITIONS = word_set("with via through using from to into in at on under as against behind inside over per off")
_WAYS = word_set("as under with via through using")  # one way of doing it, also for many things
# What is laid down for a thing, however many of them there are
_LAID_DOWN = word_set(
    "licensed governed covered formatted encoded serialised serialized represented "
    "rendered displayed expressed stored returned signed hashed encrypted compressed drawn printed typeset set scored"
)
_CLASS_NOUN = re.compile(r" [a-z]+(?: [a-z]+)?(?=\Z| (?:in|on|for|at|of) )")
_PARTICLES = word_set("out off up down over back live in away")
_NAMED_KIND = re.compile(r"[a-z]+ (?:[a-z]+ )?(?=[`\"'A-Z]|[a-z]+[-_.\d])")
_NTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
# Where a thing is kept or takes place, in common words: "behind the red door"
_SPOT = re.compile(r"the (?:[a-z-]+ ){0,2}[a-z-]+(?=\Z)")
_SPOTTED = word_set(
    "rehearse meet live sit stand hang lie stay land dock park sleep hide keep train kept stored held parked filed"
)
_NO_SPOTS = word_set(
    "morning afternoon evening night day week month year summer winter spring autumn fall background "
    "foreground parallel "
    "detail practice theory general fact short case turn advance total time mode past future end beginning "
    "meantime way rain "
    "dark open sun hurry minute hour weekend weekends holidays meanwhile moment"
)
_SEASONS = frozenset(MONTHS) | word_set("easter christmas lent ramadan advent spring summer autumn winter")
_CODE_WORD = re.compile(r"[a-z]+(?:[-_.][a-z0-9]+)+(?=\Z| (?:in|on|for|at) )")
_SURE_VERBS = word_set("is are has goes comes gets lives sits listens expires")
_STATES = word_set("interested married involved engaged located situated dressed dated titled named called entitled")


_SCHOOLED = re.compile(
    r"(?P<who>[A-Z][^,;]*?|[Mm]y [^,;]+?|[Oo]ur [^,;]+?) (?:attends|goes to|studies at|is enrolled at|is at school at"
    r"|is a (?:pupil|student) at|attend|study at) (?=[A-Z])"
)
_AT_SCHOOL = re.compile(r" (?:attends?|goes to|stud(?:y|ies) at|enrolled|school|pupil|student) ")
_SCHOOL = re.compile(
    r"[A-Z].*\b(?:[Ss]chool|[Pp]rimary|[Ss]econdary|[Kk]indergarten|[Nn]ursery|Academy|College|University|Grammar"
    r"|Elementary|Montessori|Gymnasium"
    r"|Lycée|Institute|Uni|High|Comprehensive)\Z|(?:Gymnasium|Lycée|Collège|Kita|École|Escola"
    r"|Liceo) [A-Za-z].*|St\.? [A-Z][\w-]+['’]s\Z"
)
# "dual-licensed", "re-exported", "auto-imported": under, from and in several
_MANIFOLD = re.compile(r"(?:dual|multi|double|triple|cross|auto|re|pre|co)-")
_ALSO = frozenset(("aliased to", "indexed under", "indexed by", "registered under"))
# What goes to one person goes to others too
_HANDED = word_set(
    "granted given sent awarded shown offered sold shipped delivered handed lent issued mailed emailed paid promised"
)


def _school(core: str) -> Claim | None:
    """Read "Konrad's daughter attends St Brannock's" as her school."""
    match = _SCHOOLED.match(core) if _AT_SCHOOL.search(core) else None
    if match is None or not _SCHOOL.match(core, match.end()) or not subject_is_sound(match["who"], match["who"]):
        return None
    return Claim(f"school of {match['who']}", _IS, match.end(), len(core), "plain: school", "text")


def read_plain(core: str) -> Claim | None:
    """Read a sentence whose one value a preposition governs; the places of the claim are those of `core`."""
    if len(core) > _LONGEST:
        return None
    hidden = masked(core)
    if (school := _school(core)) is not None:
        return school
    tokens = tokens_of(hidden)
    if not 4 <= len(tokens) <= 24:
        return None
    verb = _verb(tokens)
    if verb is None:
        return None
    subject = core[: tokens[verb][0]].strip()
    passive = tokens[verb][2] in ("is", "are", "am", "gets", "get")
    act = verb + 1 if passive else verb
    for n in range(act + 1, min(len(tokens) - 1, act + 6)):
        word = tokens[n][2]
        if word not in _PREPOSITIONS:
            if word in UNASSERTED or word in CONJUNCTIONS or word in DEICTIC:
                return None
            continue
        start = tokens[n + 1][0]
        if tokens[n + 1][2] in ("the", "a", "an") and n + 2 < len(tokens):
            start = tokens[n + 2][0]
        found = find_typed(core, start, len(core))
        if found is None and start != tokens[n + 1][0] and (named := _NAMED_KIND.match(core, start)) is not None:
            found = find_typed(core, named.end(), len(core))
            found = found if found and found[3] in ("technical", "quoted", "name") else None
            if found is None and (word_found := _CODE_WORD.match(core, named.end())) is not None:
                found = (*word_found.span(), word_found.end(), "technical")
        done = tokens[act][2]
        if found is None and (done in _SPOTTED or base_of(done) in _SPOTTED) and word in _PLACING:
            spot = _SPOT.match(core, tokens[n + 1][0])
            if spot is not None and core[spot.start() : spot.end()].split()[-1] not in _NO_SPOTS and n == act + 1:
                found = (spot.start() + 4, spot.end(), spot.end(), "technical")
        if found is None:
            if not passive:
                return None
            continue
        between = n > act + 1
        if not _governs(core, tokens, act, n, found, passive, between, subject):
            return None
        rest = core[found[2] :]
        kind = _CLASS_NOUN.match(rest) if start != tokens[n + 1][0] and found[3] != "number" else None
        tail = qualifiers(rest[kind.end() :] if kind else rest)
        if tail is None:
            return None
        if not subject_is_sound(hidden[: tokens[verb][0]], subject):
            return None
        done = tokens[act][2]
        act_of = f"{done if passive else base_of(done)}-{word}"
        return Claim(
            f"{act_of} {subject} {kind[0] if kind else ''} {tail}".strip(),
            _THUS,
            found[0],
            found[1],
            f"plain: {act_of}",
            _expected(core, found),
        )
    return None


def _verb(tokens: Sequence[tuple[int, int, str]]) -> int | None:
    """Return the place of the verb of the present, `None` where none or two could be it."""
    for n in range(1, len(tokens) - 1):
        word, earlier = tokens[n][2], tokens[n - 1][2]
        if word in ("is", "are", "am", "gets", "get"):
            return n if is_participle(tokens[n + 1][2]) and tokens[n + 1][2] not in _STATES else None
        base = base_of(word)
        if base is None or earlier in ("the", "a", "an", "my", "our", "its", "their"):
            continue
        if tokens[n + 1][2] in _SURE_VERBS:  # "access to the build hosts goes through": a noun stands before it
            continue
        many = earlier[-1:] == "s" or (
            any(is_plural(t[2]) for t in tokens[:2]) and base in _SINGLE and tokens[n + 1][2] in _SINGLE[base]
        )
        if word != base:
            return n
        if (many or earlier in ("i", "we", "they")) and (base in _SINGLE or base in _TO_FILES or base in _HAPPENING):
            return n
    return None


def _governs(
    core: str,
    tokens: Sequence[tuple[int, int, str]],
    act: int,
    n: int,
    found: tuple[int, int, int, str],
    passive: bool,
    between: bool,
    subject: str,
) -> bool:
    """Whether what a preposition governs is the one value of what is done."""
    done, preposition = tokens[act][2], tokens[n][2]
    if done == "sits" and preposition == "in" and is_by_name(subject):
        return False  # "The Senate sits in Rome", in a palace of that town
    if _MANIFOLD.match(done) is not None or f"{done} {preposition}" in _ALSO:
        return False
    kind = canonical_value(core[found[0] : found[1]])[1].partition(":")[0]
    kind = "day" if _NTH.fullmatch(core, found[0], found[1]) else kind
    heads = [w.strip(_TRIM).lower() for w in head_phrase(subject.split())]
    several = any(is_plural(h) for h in heads)
    if kind in _TIMES:
        particle = n == act + 2 and tokens[act + 1][2] in _PARTICLES
        if preposition not in ("on", "at", "in", "from") or (between and not particle):
            return False
        return passive or (base_of(done) in _HAPPENING) or heads[-1] in EVENTS
    named = core[found[0] : found[1]].split()
    if not named or named[0].lower() in _SEASONS:
        return False
    if found[3] not in ("quoted", "technical", "name") and kind != "host":
        return False
    if not passive:
        base = base_of(done) or done
        if between:
            return False
        if base in _TO_FILES and preposition in _TO_FILES[base].split():
            return kind in _FILES or (kind == "identifier" and "/" in core[found[0] : found[1]])
        if preposition in _SINGLE.get(base, ()):
            return True
        words = subject.split()
        thing = any(w.islower() and w.isalpha() for w in words[1:])  # "the spare key", no person
        thing = thing or (several and words[0].isalpha())
        return (
            thing
            and (not several or found[3] in ("quoted", "technical"))
            and preposition in _PLACING
            and base not in _SCATTERED
        )
    if done in _LAID_DOWN and preposition in ("as", "under", "in", "with", "using", "by"):
        return not (found[3] == "name" and preposition == "by")
    if done in MANY_DONE or between:
        return False
    if preposition in _WAYS and (not several or preposition in ("as", "under") or found[3] in ("quoted", "technical")):
        return True
    if done in _HANDED and preposition == "to" and found[3] == "name":
        return False
    return not several and preposition in ("in", "at", "on", "to", "from", "behind", "inside", "into", "against", "off")


def is_by_name(subject: str) -> bool:
    """Whether a subject is the name of an institution or a place, and no common noun: "The Senate"."""
    return subject.startswith("The ") and subject.istitle()


def _expected(core: str, found: tuple[int, int, int, str]) -> str | None:
    return None if canonical_value(core[found[0] : found[1]])[1].partition(":")[0] in _TIMES else "text"
