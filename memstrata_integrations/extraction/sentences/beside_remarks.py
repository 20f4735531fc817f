"""A statement between remarks of its speaker: "Passed the test, my level is B1 now", "My tea is rooibos, time flies".

A remark is a clause of its own, or the name of some news, that neither limits nor questions what stands beside it. It
is no part of the key. What tells where, when or for whom a statement holds is no remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.joined import ATTITUDES, CHANGING, is_verb
from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES, PREPOSITIONS
from memstrata_integrations.extraction.sentences.verbs import BASES
from memstrata_integrations.extraction.sentences.wording import Core, core_of
from memstrata_integrations.words import holds_any, word_set

__all__ = ["cores_between_remarks"]

_LONGEST, _MOST_WORDS, _MOST_BREAKS, _MOST_OF_NEWS = 200, 10, 4, 6
_TRIM = "\"'`()[]{}.,;:!?“”‘’¤"
_MARKS = (",", ";", ":", "!", "–", "—", " - ", " so ", " since ", " because ")
_BREAK = re.compile(
    r"(?:[,;:!]| [–—-])+ (?:(?:so|and|but|now|then|because|since) )*| (?:so|because|since) (?!that |far )"
)
_CAUSE = re.compile(
    r"(?:(?:[Aa]fter|[Ss]ince|[Ff]ollowing|[Ww]ith|[Tt]hanks to|[Dd]ue to|[Bb]ecause of|[Oo]wing to)"
    r" (?:the|that|my|our|this|a|an|all the|all that) "
    r"(?:(?:new|last|latest|recent|big|old|bad|long|awful) )?"
    r"(?:move|switch|change|merger|scan|test|exam|operation|surgery|accident|divorce|wedding|birth|baby|promotion|delay"
    r"|incident|break-in|burglary|theft|flood|fire|storm|renovation|redesign|update|upgrade|checkup|check-up|review"
    r"|election|reshuffle|reorg|reorganisation|reorganization|restructuring|redundancy|layoffs|fiasco|mix-up|mistake"
    r"|row|argument|breakup|break-up|split|injury|illness|diagnosis|consultation|fitting|audit|vote|handover|relaunch"
    r"|takeover|transfer|relocation|job|contract|timetable|schedule|tunnel|road|line|rules?|rota|system|manager|owners?"
    r"|management|landlord|boss|raise|pay rise|price (?:rise|increase|hike)|refurbishment|repair|repairs|replacement"
    r"|strike|lockdown|graduation|retirement|christening|rebrand|rebranding|appraisal|interview|crash|breakdown"
    r"|reset|leak|hack|breach|complaint|inspection|visit to [a-z ]+),? )(?=\S)"
)
# Whose words are about the one who hears them, rather than about themselves
_OFFICIAL = PERSON_ROLES | word_set(
    "they agent host hotel school nursery kindergarten clinic surgery hospital airline bank office council agency "
    "charity garage shop store insurer insurance landlord landlady dentist doctor vet plumber electrician notary court "
    "library gym club studio university college company supplier provider courier organiser organizer restaurant "
    "venue registrar solicitor audiologist optician physio therapist pharmacy practice reception hr facilities admin"
)
_REPORTED = word_set(
    "wrote emailed mailed messaged texted called rang phoned confirmed announced replied answered cancelled canceled"
)
_NEWS = word_set(
    "change update correction news switch decision upgrade swap announcement extension promotion replacement "
    "reminder fix confirmation notice amendment adjustment"
)
_FEELINGS = word_set(
    "funny ugh yay phew hooray hurray sadly sigh oops whoops argh wow great brilliant excellent amazing weird odd "
    "strange crazy typical bummer shame relief exciting finally surprise success victory done sorted settled annoying "
    "annoyingly hm huh gosh alas yes yep yup nope lovely wonderful"
)
_TAILS = re.compile(
    r"(?:hands down|(?:the |my )?same [a-z]+|(?:the )?(?:doctor|vet|coach|boss|landlord|gp|dentist|physio|hr)['’]s "
    r"(?:advice|orders|idea|suggestion|choice|decision|request|recommendation)|(?:much |far |a lot |way |so |bit |a "
    r"bit )*"
    r"(?:closer|nearer|handier|cheaper|better|quieter|easier|faster|nicer|safer|simpler|warmer|cosier)"
    r"(?: (?:to|for) (?:home|work|the office|town|everyone|everybody|me|us|all of us|the kids|school))?"
    r"|(?:as|like) (?:agreed|planned|promised|discussed|announced|expected)(?: [a-z ]{2,30})?"
    r"|all (?:transferred|sorted|done|set|settled)|less (?:noise|hassle|stress|traffic|fuss)"
    r"|more (?:space|room|time|light|comfortable|convenient|practical))",
    re.IGNORECASE,
)
# What takes a statement back, tells how it was, or for whom it holds
_LIMITING = ATTITUDES | word_set(
    "kidding joking lied lying joke used reckon reckons weekdays weekday temporarily meanwhile formerly previously "
    "originally usually normally sometimes mostly officially technically otherwise unlike alternatively respectively "
    "except apart besides also too same likewise another"
)
_LIMITING -= word_set("plans")  # "Plans changed, ..."
_CONDITIONS = word_set("provided given granted assumed counted measured taken included excluded based limited")
_INTRANSITIVE = word_set("stepped moved switched talked looked checked agreed listened transferred changed graduated")
_OBJECTS = word_set("it them that us me my our his her their")
_CIRCUMSTANCES = word_set("plans things everything timetable schedule")
_BEHIND_IS = word_set(
    "too so on in at off away ill sick gone back out a an the been very no not better lame tired pregnant"
)
_OPENERS = word_set("and or nor which who whom whose that where than plus including not no even both either to as of")
_OWN = re.compile(r"(?:I|[Ww]e|[Mm]y|[Oo]ur)(?=[ ’'])")
_NAMES_OWNER = re.compile(r"[A-Z][\w’-]+(?: [A-Z][\w’-]+)?(?:['’]s | )(?=[a-z])")
_BARE = re.compile(
    r"(?:[Tt]he )?[a-z][a-z-]+(?: [a-z’'-]+){0,5}?(?: (?:is|are|starts|begins|leaves|opens|closes|costs|ends)\b"
    r"|['’]s (?:now )?(?:at|in|on|up to|down to|\d))"
)
_BRINGS_IN = re.compile(r"\b(?:[Aa]n?|another|one|two|three|several|other|different) (?!new one)[a-z]")


def cores_between_remarks(text: str, start: int, end: int, *, own: bool = False) -> Iterator[tuple[int, int, Core]]:
    """Yield what a sentence may say between remarks: where it starts and ends, and its core.

    Args:
        text: The whole text.
        start: Where the sentence starts.
        end: Where it ends, its full stop left out.
        own: Whether to read only what speaks of its speaker, behind a remark.

    Example:
        >>> said = "Passed the test, my level is B1 now"
        >>> [core.text for _, _, core in cores_between_remarks(said, 0, len(said))]
        ['My level is B1']
    """
    sentence = text[start:end]
    if len(sentence) > _LONGEST:
        return
    hidden = masked(sentence)
    cause = _CAUSE.match(hidden)
    if cause is None and not holds_any(hidden, _MARKS):
        return
    breaks = [m.span() for m in _BREAK.finditer(hidden)]
    if len(breaks) > _MOST_BREAKS:
        return
    fronts = [(cause.end(), "")] if cause is not None else []
    for a, z in breaks:
        if _OWN.match(hidden, z) if own else _names_itself(hidden, a, z):
            fronts += [(z, hidden[:a])] if _leads(hidden[:a], hidden[a:z]) else []
    backs = [(a, hidden[z:]) for a, z in breaks if _trails(hidden[z:])]
    for first, lead in reversed(fronts):
        news = not CHANGING.isdisjoint(lead.lower().split()) or not lead or hidden.endswith("now ", 0, first)
        stops = [a for a, _ in backs if a > first + 5]
        for last in (len(hidden), *stops[:1]):
            yield _part(text, start, first, last, news)
    for last, _ in () if own else backs[:1]:
        yield _part(text, start, 0, last, False)


def _part(text: str, start: int, first: int, last: int, news: bool) -> tuple[int, int, Core]:
    core = core_of(text, start + first, start + last)
    begins = f"{core.text[:1].upper()}{core.text[1:]}"
    return start + first, start + last, core._replace(text=begins, changed=core.changed or news)


def _words(said: str) -> list[str]:
    return [bare for w in said.split() if w != "May" and (bare := w.strip(_TRIM).lower().replace("’", "'"))]


def _leads(lead: str, mark: str) -> bool:
    """Whether words in front of a statement are a remark."""
    words = _words(lead)
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    reports = not _REPORTED.isdisjoint(words)
    if reports and mark.startswith(":") and _OFFICIAL.isdisjoint(words):
        return False  # "Clara wrote: my number is ..."
    if not _LIMITING.isdisjoint(words if not reports else [w for w in words if w not in _REPORTED]):
        return False
    if not _FEELINGS.isdisjoint(words) and len(words) < 4:
        return True
    if words[0] in ("had", "were", "should"):
        return False  # "Had we waited, ..."
    if "new" in words[:1] or not _NEWS.isdisjoint(words):
        return words[0] not in PREPOSITIONS and len(words) < _MOST_OF_NEWS
    if words[0] in PREPOSITIONS or words[0] in _OPENERS or words[0].endswith("ing"):
        return False
    if words[0].endswith("ed") and words[1:2] and words[1] in PREPOSITIONS and words[0] not in _INTRANSITIVE:
        return False  # "Measured at idle, ..."
    return _tells(words[:6])


def _tells(words: list[str]) -> bool:
    """Whether words are a clause: "it got cold", "Ann's renovating"."""
    short = any(
        a.endswith(("'s", "'re")) and (b in _BEHIND_IS or b.endswith(("ing", "ed"))) for a, b in pairwise(words)
    )
    return short or any(map(is_verb, words))


def _trails(tail: str) -> bool:
    """Whether words behind a statement are a remark."""
    words = _words(tail)
    if not 0 < len(words) <= _MOST_WORDS or not _LIMITING.isdisjoint(words) or any(map(str.isdigit, tail)):
        return False
    if _TAILS.fullmatch(tail):
        return True
    if words[0] in PREPOSITIONS or words[0] in _OPENERS or words[0] in _CONDITIONS:
        return False
    return _tells(words[:5]) or (words[0] in BASES and len(words) > 2)


def _names_itself(hidden: str, stop: int, at: int) -> bool:
    """Whether what follows a remark names what it speaks of, rather than lean on the remark."""
    if _OWN.match(hidden, at):
        return True
    front = hidden[:stop]
    words = _words(front)
    if not words or _BRINGS_IN.search(front) is not None:
        return False
    done = words[0].endswith("ed")
    if done and _OBJECTS.isdisjoint(words[1:2]):
        return False  # "Unconfirmed: ...", "Booked online, ..."
    if _NAMES_OWNER.match(hidden, at):
        return not done
    if _BARE.match(hidden, at) is None:
        return False
    changed = words[0] in _CIRCUMSTANCES and not CHANGING.isdisjoint(words)
    return done or changed or (not _OFFICIAL.isdisjoint(words[:2]) and not _REPORTED.isdisjoint(words))
