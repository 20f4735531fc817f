"""What manuals, runbooks and tickets lay down for a thing: bounds, thresholds, answers, switches.

"numpy is capped below 2.0", "A missing header is answered with 401", "The build fails when coverage drops under"
" 85 %",
"Swap is off for the agents". The key is all that the sentence says besides its value. What there may be several of
(alarms at several levels, renditions, reminders) is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.bounds import EXPIRING
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.dispatch import A_NUMBER, Needles
from memstrata_integrations.extraction.sentences.lexicon import CONJUNCTIONS, DEICTIC, FAULTS, FINITE_VERBS, UNASSERTED
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.rule_frames import limits_extent
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import base_of, is_participle, is_past, verb_of, verb_of_gerund
from memstrata_integrations.relations import known
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import singular, word_set

__all__ = ["ALARMS", "SPECIFYING", "claim_of", "is_quiet", "measure_at", "subject_of", "trips"]
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_IS, _THUS, _ANSWERS = known("is"), known("is done thus"), known("is answered with")
_BOUND = r"(?P<bound>below|under|above|over|at most|at least|no more than|up to|or below)"
_HELD = re.compile(
    r" (?:is|are|be|has been|have been|stays|stay|remains|remain|stands|stand|sits|sit)(?P<done> pinned| capped"
    r"| limited"
    r"| held| fixed| locked| frozen| clamped| restricted| constrained| kept| bounded)?(?: (?P<how>at|to|on))?"
    rf"(?: {_BOUND})? (?=[\d~^<>=v])"
)
_HOLDS = re.compile(
    r" (?P<done>pins|constrains|restricts|limits|holds|locks|caps|keeps|fixes|freezes|clamps) (?P<what>[^,;:]{2,60}?)"
    rf" (?:to |at )?{_BOUND} (?=[\d~^<>=v])"
)
# "Coverage must not fall below 80%": on which side it stays belongs to the key
_MUST_NOT = re.compile(
    r" (?:must|may|can)(?: not|n['’]t) (?P<verb>fall|drop|go|dip|sink|rise|climb|get|be) (?P<how>below|under"
    r"|above|over) (?=\d)"
)
_RELEASE = re.compile(r"[~^<>=]{0,2} ?v?\d+(?:\.[\d*x]+)+[\w.+-]*(?=\Z|,? )")
_IT_TAKES = re.compile(
    r"It takes (?P<value>\d+|one|two|three|four|five|six|ten)(?P<what> [a-z]+(?: [a-z]+)?) (?P<rest>(?:to|for"
    r"|before) \S.{4,100})\Z"
)
_OF_TIME = re.compile(r" (?:second|minute|hour|day|week|month|year)s?")
# "times out at 800 ms", "tops out at 200": a verb, its particle, and where it holds
_PHRASAL = re.compile(
    r" (?P<verb>[a-z]+) (?P<particle>out|off|up|down|over|away|back) (?P<prep>at|after|below|above|under|within|for)"
    r"(?: (?:up to|at most|at least))? (?=[\d$€£])"
)
_PHRASAL_VERBS = word_set(
    "time top max bail cap level bottom back give lock wear shut scale roll hang log sign drop pull power die ramp"
)
# "Questions about billing": of what they are, no rough number
_ABOUT = re.compile(r"\b(?P<noun>[A-Za-z]+s|data|mail|information|documentation) about (?=[a-zA-Z])")
_ACTS_ABOVE = re.compile(
    r"(?P<who>\S.*?) (?:silently |simply |automatically |quietly )?(?P<verb>skips|ignores|truncates|compresses"
    r"|archives"
    r"|deletes|splits|prunes|purges|evicts|closes|drops|caches|batches|kills|resizes|paginates|rejects|refuses"
    r"|streams|removes"
    r"|flushes|spills|retries|folds|collapses|rotates|blocks|hides|merges"
    r"|discards) (?P<what>[a-z][a-z ]*?) (?P<that>that (?:are|stay|"
    r"remain|have been|take|last) )?(?P<how>(?:bigger|larger|longer|older|smaller|shorter|slower|more"
    r"|newer) than|over|above|under"
    r"|below|beyond|exceeding|(?:idle|unused|untouched|inactive) for(?: more than| over)?) (?=\d)"
)
# "trips after 20 consecutive errors"
_AFTER_SEVERAL = re.compile(
    r" (?P<verb>[a-z]+s|(?:is|are|gets|get) [a-z]+)(?P<particle> (?:out|up|off|in|down"
    r"|over))? after (?P<value>\d+|two|three|four|five|six"
    r"|eight|ten|twelve|twenty) (?P<what>(?:consecutive|failed|successive|straight|unsuccessful|wrong|missed|bad"
    r"|idle|empty) "
    r"[a-z]+(?: [a-z]+)?)(?P<tail> .*)?\Z"
)
_TIMES = frozenset(("time", "date", "day", "weekday"))
_ANSWERED = re.compile(
    r" (?:gets?(?: you| back)?|gives?(?: you)?|returns?|yields?|produces?|results? in|ends? (?:in|with)|leads? to"
    r"|triggers?|causes?|comes? back (?:with|as)|(?:is|are) (?:answered|rejected|refused|denied|met|acknowledged"
    r"|confirmed|turned away|greeted|bounced) with|answers? with|responds? with|repl(?:y"
    r"|ies) with) (?:back )?(?:an? )?"
    r"(?:HTTP |status |code |error )*(?P<code>[1-5]\d\d)(?: [A-Z][\w-]*(?: [A-Z][a-z]+)*)?(?: (?:status|response"
    r"|error"
    r"|code|back))*\Z"
)
_OPEN = word_set(
    "should could might would shall maybe perhaps if may can usually often sometimes was were and or but because"
)
_THRESHOLD = (
    r"(?P<how>(?:drops?|falls?|dips?|goes|go|sinks?|gets?|is|are|stays?) (?:below|under)|(?:rises?|climbs?|goes"
    r"|go|grows?"
    r"|gets?|is|are) (?:above|over|past|beyond|larger than|longer than|older than|more than|bigger than)|exceeds?"
    r"|reaches|reach|hits?|passes|pass|(?:lasts?|takes?) (?:longer|more) than|(?:is|are) idle for|(?:has"
    r"|have) been idle for)"
)
_WHEN = re.compile(rf" (?:when|once|as soon as|whenever) (?P<what>[^,;:]{{3,80}}?) {_THRESHOLD} (?=[\d$€£])")
_WHEN_FIRST = re.compile(rf"(?:When|Once|As soon as|Whenever) (?P<what>[^,;:]{{3,80}}?) {_THRESHOLD} (?=[\d$€£])")
_ANYTHING = re.compile(
    r"(?:Anything|Everything|Whatever is|All that is|Any [a-z]+|All [a-z]+) (?P<how>above|over|below|under|beyond"
    r"|(?:larger|longer|older|bigger|smaller|shorter|slower|more|less) than) (?=[\d$€£])"
)
_THEN = re.compile(r" (?:is|are|gets|get|goes|go|needs|need|requires|counts as|falls) (?=[a-z])")
# What an alarm is raised for at one level, it may be raised for at another
ALARMS = word_set(
    "alert alarm warn notify page email mail ping remind message escalate report log send raise post flag inform ring"
    " colour color turn light beep print show"
)
_SWITCH = re.compile(
    r"(?P<what>\S.*?) (?:is|are) (?:switched |turned )?(?P<value>on|off|enabled|disabled)(?= (?:for|in|on|across"
    r"|within)"
    r" )"
)
_FEATURES = word_set(
    "swap gzip tls ssl mfa 2fa sso ipv6 brotli autosave hsts cors csp dnssec selinux ntp dhcp nat upnp wol"
    " http/2 http/3"
    " keepalive keep-alive autocommit autovacuum autocomplete autoplay telemetry rate-limiting dark-mode backup raid"
    " failover jit gc wal fsync numa turbo hyperthreading multi-factor"
)
_FEATURE_ENDING = re.compile(
    r".*(?:ing|tion|sion|ment|cache|mode|sync|lock|logs?|checks?|flag|backups|limits?|mirror|retries|cookies"
    r"|headers)\Z"
)


def claim_of(subject: str, span: tuple[int, int], rule: str, expected: str | None = None) -> Claim | None:
    """Make a claim: what a thing is, or (where the slot decides the dimension) how it is done."""
    relation = _IS if expected is None else _THUS
    return Claim(" ".join(subject.split()), relation, *span, rule, expected) if relation else None


def _claim(subject: str, span: tuple[int, int], rule: str, expected: str | None = None) -> Claim | None:
    return claim_of(subject, span, f"specified: {rule}", expected)


def subject_of(core: str, hidden: str, end: int) -> str | None:
    """Return what stands before a verb, if it names one thing or all of a kind."""
    subject, seen = core[:end].strip(), hidden[:end].strip()
    for article in ("A ", "An "):
        if seen.startswith(article) and len(seen.split()) > 2:
            subject, seen = f"The {subject[len(article) :]}", f"The {seen[len(article) :]}"
    if " about " in seen:
        seen = _ABOUT.sub(r"\g<noun> on ", seen)
    return subject if subject_is_sound(seen.replace(" while ", " during "), subject) else None


def is_quiet(words: str, allowed: frozenset[str] = frozenset()) -> bool:
    """Whether words neither doubt, nor point elsewhere, nor say a second thing."""
    listed = [w.strip(_TRIM).lower() for w in words.split()]
    if is_opinion(listed) or any(w[-1] in ";:" for w in words.split()):
        return False
    return not any(
        (w in UNASSERTED or w in CONJUNCTIONS or (w in DEICTIC and w not in ("its", "their"))) and w not in allowed
        for w in listed
    )


def measure_at(core: str, pos: int) -> tuple[tuple[int, int], str] | None:
    """Return the measure at a place and the qualifiers behind it: no time of day, no date."""
    found = find_typed(core, pos, len(core))
    if found is None or found[3] != "number":
        return None
    tail = qualifiers(core[found[2] :])
    kind = canonical_value(core[found[0] : found[1]])[1].partition(":")[0]
    return ((found[0], found[1]), tail) if tail is not None and kind not in _TIMES else None


def _held(core: str, hidden: str) -> Claim | None:
    """Read "The toolchain is pinned at 1.74", "The image constrains pandas to below 2.1"."""
    match = _HELD.search(hidden)
    if limits_extent(core):
        return None  # "be up to 5 MB in size": its size
    if match is not None and not match["done"]:
        verb = match[0].split()[0]
        if verb not in ("stands", "stand", "sits", "sit") and not (verb == "be" and match["bound"]):
            match = None
    if match is not None and not (match["how"] or match["bound"]):
        return None
    active = _HOLDS.search(core) if match is None else None
    held = match or active
    subject = subject_of(core, hidden, held.start()) if held else None
    if held is None or subject is None or (active is not None and not is_quiet(active["what"])):
        return None
    what = f"{active['what']} of" if active is not None else ""
    done = (held["done"] or "").strip()
    said = f"{held['bound'] or 'held'}-{verb_of(done) if done else 'level'} of {what} {subject}"
    release = _RELEASE.match(core, held.end())
    if release is not None:
        tail = qualifiers(core[release.end() :])
        return None if tail is None else _claim(f"{said} {tail}", release.span(), "held", "version")
    found = measure_at(core, held.end())
    return _claim(f"{said} {found[1]}", found[0], "held") if found else None


def _must_not(core: str, hidden: str) -> Claim | None:
    """Read "Test coverage must not fall below 80%"."""
    match = _MUST_NOT.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    found = measure_at(core, match.end()) if match else None
    if match is None or subject is None or found is None or len(subject.split()) < 2:
        return None
    return _claim(f"bound-{match['how']} of {subject} {found[1]}", found[0], "must not")


def _it_takes(core: str, hidden: str) -> Claim | None:
    """Read "It takes two approvals to merge into the release branch"."""
    match = _IT_TAKES.match(hidden)
    if match is None or not is_quiet(match["rest"]) or EXPIRING.match(match["rest"]):
        return None
    if _OF_TIME.fullmatch(match["what"]):
        return _claim(f"takes {core[match.start('rest') :]}", (match.start("value"), match.end("what")), "it takes")
    return _claim(f"takes {match['what']} {core[match.start('rest') :]}", match.span("value"), "it takes")


def _phrasal(core: str, hidden: str) -> Claim | None:
    """Read "Calls to the pricing engine time out at 800 ms"."""
    match = _PHRASAL.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    if match is None or subject is None:
        return None
    verb = base_of(match["verb"]) or singular(match["verb"])
    if verb not in _PHRASAL_VERBS:
        return None
    found = measure_at(core, match.end())
    return (
        _claim(f"{verb}-{match['particle']} {match['prep']} of {subject} {found[1]}", found[0], "phrasal")
        if found
        else None
    )


def _answered(core: str, hidden: str) -> Claim | None:
    """Read "A missing header is answered with 401", "Asking for a parcel it doesn't have gets you a 404"."""
    match = _ANSWERED.search(hidden)
    if match is None:
        return None
    subject = core[: match.start()].strip()
    words = [w.strip(_TRIM).lower() for w in subject.split()]
    if (
        len(words) < 2
        or not _OPEN.isdisjoint(words)
        or any(w[-1] in ",;:" for w in subject.split())
        or is_opinion(words)
    ):
        return None
    gerund = verb_of_gerund(words[0]) != words[0] or words[0].endswith("ing")
    some = words[0] in ("a", "an", "the") or (words[0].endswith("s") and len(words) > 2)
    if not (gerund or some) or (not gerund and is_identifier(subject.split()[-1]) and words[-2:-1] != ["to"]):
        return None
    code = match["code"]
    if code[0] in "345" and FAULTS.isdisjoint(words):
        return None  # refused for one reason, and for another
    if sum(w not in ("a", "an", "the") for w in words) < 2:
        return None
    said = f"{subject} answer {code[0]}xx"
    return Claim(said, _ANSWERS, *match.span("code"), "specified: answered", "code")


def _threshold(core: str, hidden: str) -> Claim | None:
    """Read "The build fails when coverage drops under 85%" and "Once the queue exceeds 500, the pool scales"."""
    first = _WHEN_FIRST.match(hidden)
    match = first or _WHEN.search(hidden)
    if match is None:
        return None
    found = find_typed(core, match.end(), len(core))
    if found is None or found[3] != "number" or not is_quiet(match["what"]):
        return None
    rest = core[found[2] :]
    if first is not None:
        comma = rest.find(", ")
        tail, then = (qualifiers(rest[:comma]), rest[comma + 2 :]) if comma >= 0 else (None, "")
    else:
        tail, then = qualifiers(rest), core[: match.start()]
    if tail is None or not trips(then):
        return None
    how = match["how"].split()[-1] if " " in match["how"] else verb_of(match["how"])
    return _claim(f"{match['what']} {how}-threshold for {then} {tail}", (found[0], found[1]), "threshold")


def trips(then: str) -> bool:
    """Whether a clause says what is done from a measure on, and no alarm."""
    words = [w.strip(_TRIM).lower() for w in masked(then).split()]
    if not 2 <= len(words) <= 14 or not is_quiet(then) or any(c.isdigit() for w in words if w.isdigit() for c in w):
        return False
    if words[0] in ("i", "we", "you", "they", "people"):
        return False
    if any(verb_of(w) in ALARMS or singular(w) in ALARMS or w in ALARMS for w in words):
        return False
    return any(
        w in ("is", "are", "gets", "get") or (base_of(w) is not None and w != base_of(w)) for w in words[1:]
    ) and not any(is_past(w) and words[n - 1] not in ("is", "are", "gets", "get") for n, w in enumerate(words) if n > 1)


def _anything(core: str, hidden: str) -> Claim | None:
    """Read "Anything above 250 rows is paginated in the orders report"."""
    match = _ANYTHING.match(hidden)
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or found is None or found[3] != "number":
        return None
    then = _THEN.match(hidden, found[2])
    rest = core[found[2] :]
    words = rest.lower().split()
    if then is None or len(words) > 12 or not is_quiet(rest) or any(verb_of(w) in ALARMS for w in words):
        return None
    if len(words) < 3 or any(w in FINITE_VERBS for w in words[1:]):
        return None
    subject = "" if match[0].split()[0] in ("Anything", "Everything", "Whatever") else match[0].split()[1]
    return _claim(f"{subject} {match['how'].split()[0]}-threshold for {rest}", (found[0], found[1]), "anything")


def _acts_above(core: str, hidden: str) -> Claim | None:
    """Read "The loader silently skips files bigger than 50 MB"."""
    match = _ACTS_ABOVE.match(hidden)
    found = measure_at(core, match.end()) if match else None
    subject = subject_of(core, hidden, match.end("who")) if match else None
    if match is None or found is None or subject is None or not is_quiet(match["what"]):
        return None
    said = f"{match['how'].split()[0]}-threshold for {match['what']} {verb_of(match['verb'])} of {subject} {found[1]}"
    return _claim(said, found[0], "acts above")


def _after_several(core: str, hidden: str) -> Claim | None:
    """Read "The circuit breaker trips after 20 consecutive errors"."""
    match = _AFTER_SEVERAL.search(hidden)
    subject = subject_of(core, hidden, match.start()) if match else None
    tail = qualifiers(match["tail"] or "") if match else None
    if match is None or subject is None or tail is None:
        return None
    words = match["verb"].split()
    verb = verb_of(words[-1]) if len(words) > 1 else words[0][:-1]
    if verb in ALARMS or (len(words) > 1 and not is_participle(words[-1])):
        return None
    said = f"{verb} {match['particle'] or ''} after {match['what']} of {subject} {tail}"
    return _claim(said, match.span("value"), "after several")


def _switched(core: str, hidden: str) -> Claim | None:
    """Read "Swap is off for the Jenkins agents"."""
    match = _SWITCH.match(hidden)
    tail = qualifiers(core[match.end() :]) if match else None
    subject = subject_of(core, hidden, match.end("what")) if match else None
    if match is None or not tail or subject is None:
        return None
    words = subject.lower().split()
    head = head_phrase([w.strip(_TRIM) for w in words])[0]
    if not (head in _FEATURES or _FEATURE_ENDING.match(head) or is_identifier(subject.split()[-1])):
        return None
    lowered = f"{words[0]} {' '.join(subject.split()[1:])}" if words[0].isalpha() else subject
    return _claim(f"switch of {lowered} {tail}", match.span("value"), "switched", "setting")


_A_NUMBER = frozenset((A_NUMBER,))
SPECIFYING: tuple[tuple[Callable[[str, str], Claim | None], Needles], ...] = (
    (_held, word_set("at to on below under above most least than stands sits")),
    (_must_not, (word_set("not mustn't can't mustn’t can’t"), _A_NUMBER)),
    (_it_takes, word_set("It")),
    (_phrasal, (word_set("out off up down over away back"), _A_NUMBER)),
    (
        _answered,
        (
            word_set("with get gets give gives return returns yield yields in to as trigger triggers cause causes"),
            _A_NUMBER,
        ),
    ),
    (_threshold, (word_set("when once whenever When Once Whenever as As after"), _A_NUMBER)),
    (_anything, (word_set("Anything Everything Whatever Any All"), _A_NUMBER)),
    (_acts_above, (word_set("than over above under below beyond exceeding for"), _A_NUMBER)),
    (_after_several, word_set("after")),
    (_switched, word_set("on off enabled disabled")),
)
"""Readers in order, each with the signs of which a sentence must hold one; they take a sentence and its masked form."""
