"""Measures after any verb: "Each worker gets 2 GiB of memory".

A quantity in a plain sentence of the present is the one value of what the rest of the sentence says, so the
key is that rest: every word of it, the verb included.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked, tokens_of
from memstrata_integrations.extraction.sentences.lexicon import (
    COMPARISONS,
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    PREPOSITIONS,
    REMINDING,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import BASES, MANY_VERBS, THIRD, base_of, is_past, verb_of
from memstrata_integrations.relations import known
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.words import singular, word_set

__all__ = ["read_measure"]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_LONGEST = 200
_MOST_WORDS = 26
_IS, _LASTS = known("is"), known("lasts")
_AUXILIARIES = word_set("is are am gets get")
_BOUNDS = re.compile(
    r"(?P<most>(?:at most|up to|no more than|not more than|a maximum of|a max of|max\.?|maximum)) \Z"
    r"|(?P<least>(?:at least|no fewer than|no less than|a minimum of|minimum)) \Z"
)
_RANGE = re.compile(
    r"\s*(?:-|–|—|to|and|or|through|/|\.\.)\s*[\d$€£¥]|\s*(?:and|or|to)\s+(?:[a-z-]+\s+)?(?:more|less|so)\b"
)
# After these a number is a label: "step 4", "version 3"
_LABELS = word_set(
    "step phase stage chapter part page line level floor row column section item number no version release build "
    "ticket "
    "issue pr case episode season volume round week day year sprint quarter class group unit port room gate "
    "platform lane "
    "bay track desk seat code error status http article figure table appendix exercise question option type tier zone "
    "priority sev severity channel node shard replica region python java node grade category route line bus tram "
    "train in "
    "by since until before of"
)
# "is closed for 5 days": a state that passes
_STATES = word_set("closed delayed postponed stuck blocked interested tired married divorced retired aged")
_VERSION_LABELS = word_set("tag version release revision commit rev")
_THERE = re.compile(
    r"There (?:is|are) (?:currently )?(?P<count>\d[\d,]*|[a-z]+(?:-[a-z]+)?) (?P<what>[a-z][\w -]*? (?:of|in|on"
    r"|per|for|at) [^,;]+)\Z"
)
_TIMES = frozenset(("time", "date", "day", "weekday"))
_MANY = word_set("i we they people you")
_DETERMINERS = word_set("the a an its their my our")
_BOUNDING = ("at most", "at least", "no more than", "no fewer than", "a maximum of", "a minimum of")
# What a preposition governs is one measure, whatever else the verb takes
_MEASURING = word_set("after within every for until under over above below at per")
_DIGIT = re.compile(r"\d")
_WORDS_OF_NUMBER = frozenset(NUMBER_WORDS)
_NAME = re.compile(r"\b(?!The\b|Our\b|My\b|Each\b|Every\b)[A-Z][a-z]")
_BY_AGENT = re.compile(r" by (?=(?:the |our |my )?[A-Z`a-z])")
_ATTRIBUTES = {
    form: noun
    for forms, noun in {
        "holds hold stores store fits fit seats seat": "capacity",
        "earns earn": "salary",
        "measures measure": "size",
    }.items()
    for form in forms.split()
}
_PRESENT = BASES | MANY_VERBS | frozenset(THIRD) | word_set("is are am has have")
_BEFORE_MEASURES = _MEASURING | PREPOSITIONS | _WORDS_OF_NUMBER
_PLAIN_KINDS = ("number",)
_ALLOWING = word_set("allow permit accept handle serve support grant send make issue submit admit")
_SENT = REMINDING | word_set("email mail message newsletter sms invitation follow-up")
_INTENDING = word_set("plan aim want hope expect intend wish try propose prefer offer promise")
_SCHEDULED = word_set("go wake start begin open close end finish shut get wake rise")


def read_measure(core: str) -> Claim | None:
    """Read a sentence in the present with one measure; the places of the claim are those of `core`."""
    if len(core) > _LONGEST or not _is_numbered(core):
        return None
    hidden = masked(core)
    tokens = tokens_of(hidden)
    if not 3 <= len(tokens) <= _MOST_WORDS:
        return None
    if tokens[0][2] == "there":
        return _there(core, hidden)
    verb = _verb(tokens)
    if verb is None:
        return None
    found = _value(core, hidden, tokens, verb)
    if found is None:
        return None
    start, end = found
    governor = next((t[2] for t in reversed(tokens) if t[1] <= start), "")
    base = base_of(tokens[verb][2]) or ""
    dimension = canonical_value(core[start:end])[1]
    rated = dimension.startswith("rate:") and base in _ALLOWING
    if dimension.startswith("times a ") and base == "run":
        return None  # how often, as "daily"
    bounded = _BOUNDS.search(core[:start]) is not None
    if base in MANY_VERBS and governor not in _MEASURING and not rated and not bounded:
        return None
    heads = head_phrase([t[2] for t in tokens[:verb]])
    timed = governor in ("after", "before", "every") or core[end:].startswith((" before ", " after ", " ahead of "))
    if timed and singular(heads[0]) in _SENT:
        return None  # "Reminders are sent after 7 days": and after 14
    if base in _INTENDING and tokens[verb + 1][2] == "to":
        return None
    before, after = core[:start], core[end:]
    bound = ""
    if limit := _BOUNDS.search(before):
        bound = "maximum" if limit["most"] else "minimum"
        before = before[: limit.start()]
    subject = core[: tokens[verb][0]].strip()
    if not _definite(hidden[: tokens[verb][0]], subject) or not _quiet(
        hidden[: start - (len(core[:start]) - len(before))], hidden[end:]
    ):
        return None
    last = before.split()[-1].lower()
    governed = f" ({last})" if last in ("every", "after", "before", "under", "above", "below", "over", "until") else ""
    passive = tokens[verb][2] in _AUXILIARIES and is_past(tokens[verb + 1][2])
    act = tokens[verb + passive][2]
    said = before[tokens[verb + passive][1] :]
    # "Orion charges Vega $50": one name acts on another
    mutual = _NAME.search(subject) is not None and _NAME.search(f"{said} {after}") is not None
    agent = f" {after}" if mutual else _BY_AGENT.sub(" of ", f" {after}")
    if rated and not said.strip() and bound != "minimum":
        return Claim(f"limit of {_lowered(subject)} {after}".strip(), _IS, start, end, "rate limit")
    if after.strip() in ("per page", "per page by default", "a page", "a page by default"):
        size = "default page size" if "default" in after else "page size"
        return Claim(f"{size} of {_lowered(subject)}", _IS, start, end, "page size")
    bare_act = not said.strip() and not after.strip() and not bound
    if (
        bare_act
        and (base == "last" or (base == "take" and subject.split()[-1].lower() not in _USED_UP))
        and _LASTS
        and canonical_value(core[start:end])[1] in ("duration", "months")
    ):
        return Claim(_lowered(subject), _LASTS, start, end, "attribute")
    if bare_act and act in _ATTRIBUTES:
        return Claim(f"{_ATTRIBUTES[act]} of {_lowered(subject)}", _IS, start, end, "attribute")
    doer = "by" if mutual and not passive and _NAME.search(said) else "of"
    whole = " ".join(f"{bound} {verb_of(act)} {doer} {_lowered(subject)} of {said} {agent}{governed}".split())
    return Claim(whole, _IS, start, end, "measure")


# What takes three hours to charge lasts nine
_USED_UP = word_set(
    "battery medicine drug pill tablet dose spell effect charge charger food lamp bulb candle tank stock supply "
    "fuel gas phone laptop watch camera paint warranty certificate subscription licence license contract"
)


def _there(core: str, hidden: str) -> Claim | None:
    """Read "There are 3 replicas of the search index"."""
    match = _THERE.match(hidden)
    if match is None or not _quiet(match["what"], "") or canonical_value(match["count"])[1] != "number":
        return None
    if match["what"].split()[0] in _LABELS or not subject_is_sound("The " + match["what"], "The " + match["what"]):
        return None
    return Claim(f"number of {core[slice(*match.span('what'))]}", _IS, *match.span("count"), "there are")


def _lowered(before: str) -> str:
    first, _, rest = before.partition(" ")
    return (
        f"{first.lower()} {rest}"
        if first in ("Each", "Every", "The", "A", "An", "Our", "My", "In", "On", "For", "At")
        else before
    )


def _is_numbered(core: str) -> bool:
    """Whether a sentence holds a number, in digits or in words."""
    return _DIGIT.search(core) is not None or not _WORDS_OF_NUMBER.isdisjoint(core.lower().replace("-", " ").split())


def _verb(tokens: Sequence[tuple[int, int, str]]) -> int | None:
    """Return the place of the one verb of the present; `None` for the past, or none that is known."""
    at: int | None = None
    for n, (_, _, word) in enumerate(tokens):
        past = is_past(word)
        if not past and (at is not None or word not in _PRESENT):
            continue
        earlier = tokens[n - 1][2] if n else ""
        if past and earlier not in _AUXILIARIES:
            following = tokens[n + 1][2] if n + 1 < len(tokens) else ""
            adjective = following.isalpha() and following not in PREPOSITIONS and following not in _DETERMINERS
            perfect = at is not None and tokens[at][2] in ("has", "have")
            if at is None and adjective and (n == 0 or earlier in _DETERMINERS):
                continue  # "failed jobs are retried"
            if at is None or (n == at + 1 and tokens[at][2] not in _AUXILIARIES and (perfect or not adjective)):
                return None
            continue
        if at is not None or n == 0:
            continue
        bounded = word in ("has", "have") and " ".join(t[2] for t in tokens[n + 1 : n + 4]).startswith(_BOUNDING)
        if bounded or word in ("is", "are", "am"):
            at = n
        elif (base := base_of(word)) is not None:
            head = next((tokens[k - 1][2] for k in range(1, n) if tokens[k][2] in PREPOSITIONS), earlier)
            object_next = n + 1 < len(tokens) and (
                tokens[n + 1][2] in _BEFORE_MEASURES or tokens[n + 1][2][:1].isdigit()
            )
            many = (
                earlier in _MANY
                or (head.endswith("s") and object_next)
                or (earlier.endswith("s") and not earlier.endswith("'s"))
            )
            at = n if (many if word == base else earlier not in _DETERMINERS) else None
    if at is None:
        return None
    word = tokens[at][2]
    if word in ("is", "are", "am"):
        done = tokens[at + 1][2] if at + 1 < len(tokens) else ""
        bounded = " ".join(t[2] for t in tokens[at + 1 : at + 4]).startswith(_BOUNDING)
        return at if bounded or (is_past(done) and done not in _STATES) else None
    return at


def _value(core: str, hidden: str, tokens: Sequence[tuple[int, int, str]], verb: int) -> tuple[int, int] | None:
    for n in range(verb + 1, len(tokens)):
        start, _, word = tokens[n]
        if tokens[n - 1][2] in _VERSION_LABELS and n - 1 > verb:
            found = find_typed(core, start, len(core))
            if (
                found is not None
                and found[3] in ("technical", "quoted", "number")
                and any(c.isdigit() for c in core[found[0] : found[1]])
            ):
                return found[0], found[1]
        if (
            not word
            or hidden[start] == "¤"
            or not (core[start].isdigit() or core[start] in "$€£¥-+−" or word.partition("-")[0] in NUMBER_WORDS)
        ):
            continue
        earlier = tokens[n - 1][2]
        measured = earlier in ("by", "in") and (by := find_typed(core, start, len(core))) is not None
        measured = measured and canonical_value(core[start : by[1]])[1] != "number" if measured and by else False
        named = earlier.isalpha() and core[tokens[n - 1][0]].isupper() and n - 1 > verb and core[start] not in "$€£¥"
        if (earlier in _LABELS and not measured) or named:
            return None
        found = find_typed(core, start, len(core))
        if found is None:
            number = re.match(
                r"(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?(?= [a-z])|[a-z]+(?= [a-z]+)", core[start:]
            )
            if number is None or canonical_value(number[0])[1] != "number":
                return None
            behind = core[start + number.end() :].split(None, 1)
            if number[0].isalpha() and behind and behind[0].partition("-")[0] in NUMBER_WORDS:
                return None  # "costs two fifty", "at five forty"
            return start, start + number.end()
        if found[3] not in _PLAIN_KINDS:
            return None
        dimension = canonical_value(core[found[0] : found[1]])[1].partition(":")[0]
        if dimension in _TIMES and (base_of(tokens[verb][2]) or "") not in _SCHEDULED:
            return None
        if dimension in ("version", "host", "identifier", "text"):
            return None
        if dimension == "number" and not core[found[1] :].strip():
            return None  # nothing says what the number counts
        if _RANGE.match(core, found[1]):
            return None
        return found[0], found[1]
    return None


def _definite(hidden: str, subject: str) -> bool:
    """Whether a subject names one thing, or each of its kind."""
    words = hidden.split()
    if not words:
        return False
    each = words[0] in ("Each", "Every") and len(words) > 1
    if each or (words[0] in ("A", "An") and any(w in PREPOSITIONS for w in words[2:])):
        hidden, subject = "The" + hidden[len(words[0]) :], "The" + subject[len(words[0]) :]
    return subject_is_sound(hidden, subject)


def _quiet(*parts: str) -> bool:
    for n_part, part in enumerate(parts):
        words = part.split()
        part_of_end = n_part == len(parts) - 1
        for n, word in enumerate(words):
            bare = word.strip(_TRIM).lower()
            if (
                (bare in UNASSERTED and not (part_of_end and (bare == "before" or word == words[-1] == "writes")))
                or bare in CONJUNCTIONS
                or bare in COMPARISONS
            ):
                return False
            if bare in DEICTIC and (bare not in ("its", "their") or not n):
                return False
            if word[-1] in ";:!?" or (word[-1] == "," and (n > 8 or words[0].lower() not in PREPOSITIONS)):
                return False
            if bare in ("that", "which", "who"):
                return False
        if is_opinion(words):
            return False
    after = parts[-1].split()
    return not any(w.strip(_TRIM).lower() in FINITE_VERBS for w in after)
