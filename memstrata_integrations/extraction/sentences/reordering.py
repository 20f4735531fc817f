"""Sentences that say a plain thing in another order, put back into it: "It's Ann who leads", "has his standup at".

Each rule makes the plain sentence out of pieces of the given one, so that the value stays in its place; the plain
sentence is then judged like any other. Nothing is put in that names a thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memstrata_integrations.extraction.sentences.amount_readers import OF_AMOUNTS
from memstrata_integrations.extraction.sentences.complements import masked, words_of
from memstrata_integrations.extraction.sentences.dispatch import Dispatch, Needles, signs_of
from memstrata_integrations.extraction.sentences.lexicon import EVENTS, MEASURES, PREPOSITIONS
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.turning import BUT, HEADS, headed, rather, turned_round
from memstrata_integrations.extraction.sentences.turning import GATE as TURNED
from memstrata_integrations.extraction.sentences.verbs import THIRD, third_of
from memstrata_integrations.extraction.sentences.voices import (
    GATE,
    IN_FILE,
    TO_CONTACT,
    became,
    contact_for,
    done_to,
    found_at,
    in_file,
    used_for,
)
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["measured", "plain_cores", "prescribed_cores", "put"]

_LONGEST = 240
_Span = tuple[int, int]
_Pieces = tuple[str | tuple[int, ...], ...]  # a third number: how many letters of the piece are put small

_NAME = r"[A-Z`#@¤][^\s,;]*(?: (?:[A-Z¤]|v?\d)[^\s,;]*){0,4}"
_GROUP = r"the [a-z-]+(?: [a-z-]+)? (?:team|squad|group|crew)"
_THING = r"(?:the |our |my |[A-Z`¤])"
_OWN = r"(?:his|her|its|their|my|our)"
_ONE = r"(?:one|person|tool|service|server|host|team|man|woman)"

_CLEFT = re.compile(rf"It(?:['’]s| is) (?P<value>{_NAME}|{_GROUP}) (?:who|that|which) (?P<rest>[a-z]+ [^,;]+)\Z")
_WHO_IS = re.compile(rf"(?:Who|What|The {_ONE} (?:who|that|which)) (?P<rest>[a-z]+ [^,;]+?) is (?P<value>{_NAME})\Z")
_IS_WHO = re.compile(rf"(?P<value>{_NAME}) is (?:who|what|the {_ONE} (?:who|that|which)) (?P<rest>[a-z]+ [^,;]+)\Z")
_WHAT_IS = re.compile(rf"What (?P<who>{_THING}[^,;]*?) (?P<verb>[a-z]+s) is (?P<value>\S[^,;]*)\Z")
_IS_WHAT = re.compile(
    rf"(?P<value>{_NAME}) is what (?P<who>{_THING}[^,;]*?) (?P<verb>[a-z]+s)(?P<tail> (?:as|for|in|on) [^,;]+)?\Z"
)
_IS_WHERE = re.compile(
    rf"(?P<value>(?P<label>[A-Z][a-z]+ )?{_NAME}) is where (?P<rest>(?:I |we |{_THING})[^,;]+|[a-z]+ [^,;]+)\Z"
)
_WHERE_IS = re.compile(rf"Where (?P<rest>(?:I |we |{_THING})[^,;]+?) is (?P<prep>in|at|on) (?P<value>[^,;]+)\Z")
_LABELS = word_set(
    "room gate desk table platform pier bay berth booth studio hall floor stand track terminal locker lane court"
)

# "Kwabena has his standup at 9:45", "the team holds its retro every second Thursday"
_HAS_EVENT = re.compile(
    rf" (?:has|have|holds|hold|does|takes|runs|gets|keeps) (?:{_OWN}|the) "
    r"(?P<what>[\w-]+(?: [\w-]+){0,3}?) (?P<when>(?:at|on|every|in|from) [^,;]+)\Z"
)
_EVENT_FRONT = re.compile(
    rf"(?P<when>(?:Every|On|At) [^,;]+), (?P<who>(?:I |we |{_THING})[^,;]*?) (?:has|have|holds|hold) "
    rf"{_OWN} (?P<what>[\w-]+(?: [\w-]+){{0,3}})\Z"
)
_STARTS_OWN = re.compile(
    rf" (?P<verb>starts|begins|ends|finishes|start|begin|end|finish) (?:(?P<own>{_OWN}) |(?=work |school ))"
    r"(?P<what>[\w-]+(?: [\w-]+){0,2}) (?P<when>(?:at|on) \S[^,;]*)\Z"
)
_ENDS = word_set("ends end finishes finish")


# "comes with a 3-year warranty", "runs with a 6 GB heap"
_HAS_MEASURED = re.compile(
    r" (?:has|have|uses|use|comes with|come with|runs with|run with|runs on|carries|enforces|imposes|gets|allows"
    r"|applies|keeps|sets|operates with|works with|requires|needs|starts with|ships with) "
    r"(?:an?|its|their|the) (?=[\d$€£¥]|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|sixty)-)"
)
HAS_MEASURED = word_set(
    "has have uses use comes come runs run carries enforces imposes gets allows applies keeps sets operates works "
    "requires needs starts ships"
)
"""Of these words a sentence holds one that `measured` reads."""
_MEASURED_NOUN = re.compile(
    r" (?P<noun>[a-z][a-z-]*(?: [a-z][a-z-]*){0,2}?)(?P<tail> (?:for|on|in|per|of|at|to) [^,;]+)?\Z"
)
_MEASURED = MEASURES | word_set(
    "warranty guarantee heap cooldown buffer trial lease notice cutoff memory cache window lag slot pool delay "
    "lookback horizon expiry probation fee deductible deposit minimum maximum charge rate tolerance"
)
_ADJECTIVAL = re.compile(r"(?:\d[\d,.]*|[a-z]+)[- ](?:[a-z]+|[KMGT]i?B|[km]?m|kg)(?= )")

# "the doctor I go to", "the bakery I like best"
_KIND = r"(?P<the>[Tt]he) (?P<what>[a-z][a-z-]*(?: [a-z][a-z-]*)?) (?:that |which |who |whom )?"
_MINE = re.compile(
    rf"{_KIND}(?P<who>I|[Ww]e) (?:go to|see|use|drive|work with|bank with|attend|shop at|train at)(?= is | are |\Z)"
)
_LIKED = re.compile(
    rf"{_KIND}(?P<who>I|we|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)?|my [a-z]+) (?:likes?|loves?|enjoys?) "
    r"(?:the )?(?:best|most)(?= is | are |\Z)"
)
_NO_BELONGINGS = word_set("thing way time place person people one movie film book reason day")
_BEFORE = re.compile(rf"(?P<value>{_NAME}) is \Z")

_LED_AS = re.compile(
    rf"(?P<what>\S[^,;]*?) (?:is|are) (?:led|headed|run|managed|chaired|represented) by (?P<value>{_NAME}) as "
    r"(?:its |their |the )?(?P<role>[A-Z]{2,5}|[a-z][a-z -]*)\Z"
)
_CONTACT = re.compile(r"\b[Cc]ontact(?P<cut> person)\b")


def plain_cores(core: Core) -> Iterator[Core]:
    """Yield the plain sentences that a sentence may stand for.

    Example:
        >>> [c.text for c in plain_cores(Core("It's Ann who leads the team", None, 0, False, ""))]
        ['Ann leads the team']
    """
    if len(core.text) > _LONGEST:
        return
    hidden = masked(core.text)
    for reader in _FITTING(signs_of(hidden)):
        changed = core.changed or reader in (became, rather)
        for pieces in reader(core.text, hidden):
            yield put(core, pieces)._replace(changed=changed)


def put(core: Core, pieces: _Pieces) -> Core:
    """Make a core of pieces of another one, and of words between them."""
    text: list[str] = []
    places: list[int] = []
    for piece in pieces:
        if isinstance(piece, str):
            text.append(piece)
            places += [-1] * len(piece)
        else:
            start, end, *small = piece
            begin = start + sum(small)
            text.append(core.text[start:begin].lower() + core.text[begin:end])
            places += [core.place(at) for at in range(start, end)]
    return core._replace(text="".join(text), places=tuple(places))


def _opening(text: str, span: _Span) -> _Pieces:
    """Return a piece as a sentence opens."""
    return text[span[0]].upper(), (span[0] + 1, span[1])


def _cleft(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "It's Ann who leads the team", "Who leads it is Ann" and "Ann is the one who leads it"."""
    for pattern in (_CLEFT, _WHO_IS, _IS_WHO):
        match = pattern.match(hidden)
        if match is not None and ((verb := match["rest"].split()[0]) in THIRD or verb in ("is", "has")):
            yield match.span("value"), " ", match.span("rest")
            return


def _what(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "What the build uses is GCC 13" and "GCC 13 is what the build uses"."""
    match = _WHAT_IS.match(hidden) or _IS_WHAT.match(hidden)
    if match is not None and match["verb"] in THIRD:
        tail: _Pieces = (match.span("tail"),) if match.groupdict().get("tail") else ()
        yield *_opening(text, (match.start("who"), match.end("verb"))), " ", match.span("value"), *tail


def _where(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Gate B12 is where flight KL1023 boards" and "Where we meet is in room 4"."""
    match = _IS_WHERE.match(hidden)
    if match is not None:
        start, end = match.span("value")
        named = (match["label"] or "").strip().lower() in _LABELS
        value: _Pieces = (text[start].lower(), (start + 1, end)) if named else ((start, end),)
        for link in (" at ", " in "):
            yield *_opening(text, match.span("rest")), link, *value
        return
    match = _WHERE_IS.match(hidden)
    if match is not None:
        yield *_opening(text, match.span("rest")), " ", (match.start("prep"), match.end("value"))


def _event(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Kwabena has his standup at 9:45" as "Kwabena's standup is at 9:45"."""
    match = _HAS_EVENT.search(hidden)
    if match is not None:
        if match.start() and _is_event(match["what"]):
            owner = _owner(text, (0, match.start()))
            yield *owner, " ", match.span("what"), f" is {_held(match['when'])}", match.span("when")
        return
    match = _EVENT_FRONT.match(hidden)
    if match is not None and _is_event(match["what"]):
        start, end = match.span("when")
        owner, link = _owner(text, match.span("who")), f" is {_held(match['when'].lower())}"
        yield *owner, " ", match.span("what"), link, text[start].lower(), (start + 1, end)


def _held(when: str) -> str:
    return "held " if when.startswith("every ") else ""


def _is_event(what: str) -> bool:
    """Whether words name something that happens at a time."""
    head = what.split()[-1].lower()
    return head in EVENTS or act_of_noun(head) is not None or head.endswith(("ing", "lesson", "checkup"))


def _owner(text: str, who: _Span) -> _Pieces:
    """Return the possessive of who stands there."""
    name = text[slice(*who)].strip().lower()
    return ("My",) if name == "i" else ("Our",) if name == "we" else (*_opening(text, who), "'s")


def _starts(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Bernd starts his shift at 7" as when it starts."""
    match = _STARTS_OWN.search(hidden)
    if match is not None:
        verb = " ends " if match["verb"] in _ENDS else " starts "
        if match.start():
            yield *_owner(text, (0, match.start())), " ", match.span("what"), verb, match.span("when")
        return


def measured(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The drill comes with a 3-year warranty" as "The warranty of the drill is 3-year"."""
    match = _HAS_MEASURED.search(hidden)
    if match is None or match.start() == 0:
        return
    start = match.end()
    adjective = _ADJECTIVAL.match(text, start)
    found = find_typed(text, start, len(text))
    if adjective is not None and canonical_value(adjective[0])[1] not in ("text", "identifier", "number"):
        stop = adjective.end()
    elif found is not None and found[3] == "number":
        stop = found[1]
    else:
        return
    noun = _MEASURED_NOUN.match(hidden, stop)
    head = noun["noun"].split()[-1] if noun else ""
    plain = canonical_value(text[start:stop])[1] == "number"
    if noun is None or head not in (MEASURES if plain else _MEASURED):
        return
    owner = text[: match.start()]
    first = owner.split()[0]
    tail: _Pieces = (noun.span("tail"),) if noun["tail"] else ()
    if owner in ("We", "I"):
        yield "My " if owner == "I" else "Our ", noun.span("noun"), *tail, " is ", (start, stop)
    elif owner.split()[-1].lower() not in PREPOSITIONS and first.lower() not in ("it", "this", "that", "there"):
        lower = first.lower() if first in ("The", "Our", "My", "Each", "Every", "A", "An", "All") else first
        yield "The ", noun.span("noun"), f" of {lower}", (len(first), match.start()), *tail, " is ", (start, stop)


def _belonging(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "The bakery I like best is Crumb" as my favourite, "the doctor I go to" as my doctor."""
    for pattern, added in ((_LIKED, "favourite "), (_MINE, "")):
        match = pattern.search(hidden)
        if match is None or match["what"].split()[-1] in _NO_BELONGINGS:
            continue
        mine = {"i": "My ", "we": "Our "}.get(match["who"].lower())
        owner: _Pieces = (mine + added,) if mine else (*_opening(text, match.span("who")), f"'s {added}")
        if match.start() == 0 and match.end() < len(text):
            yield *owner, match.span("what"), (match.end(), len(text))
        elif (value := _BEFORE.match(hidden, 0, match.start())) is not None and match.end() == len(text):
            yield *owner, match.span("what"), " is ", value.span("value")
        return


def _led(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Fennel is led by Maren Dahl as CEO" as its CEO, and a contact person as a contact."""
    match = _LED_AS.match(hidden)
    if match is not None:
        yield "The ", match.span("role"), " of ", match.span("what"), " is ", match.span("value")
    person = _CONTACT.search(hidden)
    if person is not None:
        yield (0, person.start("cut")), (person.end("cut"), len(text))


def _has_plain(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "Rosa has blood type O-" as her blood type."""
    match = _HAS_NOUN.search(hidden)
    if match is not None and match.start() and match["noun"].split()[-1] in _PLAIN_NOUNS:
        yield "The ", match.span("noun"), " of ", *_lowered(text, match.start()), " is ", match.span("value")


def prescribed_cores(core: Core) -> Iterator[Core]:
    """Yield what a rule says is done: "Faults should be reported to x@y.eu", "The agency shall pay"."""
    if not _PRESCRIBING.isdisjoint(words_of(masked(core.text))):
        for pieces in _prescribed(core.text, masked(core.text)):
            yield put(core, pieces)


def _prescribed(text: str, hidden: str) -> Iterator[_Pieces]:
    if (asked := _INVERTED.match(hidden)) is not None:
        yield "If", (asked.end(), len(text))
        return
    match = _IS_TO_BE.search(hidden) or _MAY_BE.search(hidden) or _HAS_BEEN.search(hidden)
    if match is not None and match.start():
        several = is_plural(head_phrase([w.lower() for w in hidden[: match.start()].split()])[0])
        state = {"found": "", "reached": "reachable "}.get(match["done"], f"{match['done']} ")
        yield (0, match.start()), " are " if several else " is ", state, (match.end(), len(text))
    elif (shall := _SHALL.search(hidden)) is not None and hidden.split()[0] not in ("I", "We", "You"):
        several = is_plural(head_phrase([w.lower() for w in hidden[: shall.start()].split()])[0])
        acts = ("are", "is") if shall["act"] == "be" else (shall["act"], third_of(shall["act"]))
        yield (0, shall.start()), f" {acts[not several]} ", (shall.end(), len(text))


# What is to be done in one place, and where a thing is to be had
_IS_TO_BE = re.compile(
    r" (?:should|must|shall|(?:has|have|is|are) to) (?:always )?be (?P<done>sent|reported|addressed|directed|submitted"
    r"|returned|emailed|mailed|forwarded|filed|escalated|referred|posted|lodged|notified|copied) "
    r"(?=(?:to|at|via|through|with|by|in) \S)"
)
_MAY_BE = re.compile(
    r" (?:can|may) (?:also )?be (?P<done>found|reached|downloaded|obtained|viewed|accessed|contacted|consulted|booked"
    r"|collected|picked up|ordered|inspected) (?=(?:at|on|from|under|via|through|in) \S)"
)
_HAS_BEEN = re.compile(
    r" (?:has|have) been (?P<done>scheduled|set|fixed|assigned|allocated|arranged|booked|capped|limited|pinned"
    r"|configured|appointed) (?=(?:to|at|for|on|in) \S)"
)
_SHALL = re.compile(r" shall (?P<act>[a-z]+) (?=\S)")
_INVERTED = re.compile(r"Should(?= (?:the|an?|any|our|your|its|this|[A-Z`¤])[^,;]{4,80}, \S)")
_PRESCRIBING = word_set("should Should must shall to can may been")


def _so_many(text: str, hidden: str) -> Iterator[_Pieces]:
    """Read "39 drivers are employed at the depot" as what it has, "There's room for 8 in the hut" as what it holds."""
    if (placed := _ARE_PLACED.match(hidden)) is not None:
        yield *_opening(text, placed.span("owner")), " has ", placed.span("many")
    elif (strong := _STRONG.match(hidden)) is not None:
        yield (0, strong.end("who")), " has ", strong.span("many")
    elif (meal := _SERVES.match(hidden)) is not None:
        who = _lowered(text, meal.end("who"))
        yield *_opening(text, meal.span("meal")), " at ", *who, " is served ", meal.span("when")
    elif (held := _SPACE_FOR.match(hidden) or _CAN_FIT.match(hidden)) is not None:
        yield *_opening(text, held.span("owner")), " holds ", held.span("many")


_MANY = r"(?P<many>(?:\d[\d,]*|[a-z]+(?:-[a-z]+)?)(?: [a-z]+){1,2})"
_OWNER = r"(?P<owner>(?:the|our|my|[A-Z])[^,;:]{2,60})\Z"
_ARE_PLACED = re.compile(
    rf"{_MANY} (?:are (?:employed|housed|kept|stationed|based|held|stored|moored|parked|enrolled|registered|taught) "
    rf"|(?:work|study|train) )(?:at|in|by|on) {_OWNER}"
)
_STRONG = re.compile(rf"(?P<who>(?:The|Our|My|[A-Z])[^,;:]{{2,60}}?) (?:is|are) {_MANY} strong\Z")
_SERVES = re.compile(
    r"(?P<who>(?:The|Our|[A-Z])[^,;:]{1,60}?) (?:serves?|offers?) (?P<meal>breakfast|lunch|dinner|supper|brunch|tea"
    r"|food|meals|hot food|hot meals|drinks) (?P<when>from \S[^,;]*)\Z"
)
_SPACE_FOR = re.compile(
    rf"There(?:['’]s| is| are) (?:space|room|seating|seats|places|beds) for {_MANY} (?:in|on|at) {_OWNER}"
)
_CAN_FIT = re.compile(rf"(?:Up to )?{_MANY} can (?:sleep|sit|fit|stay|park|stand) (?:in|on|at) {_OWNER}")


def _lowered(text: str, end: int) -> _Pieces:
    """Return what a sentence opens with, up to a place, as it stands inside of one."""
    first = text[:end].split()[0]
    if first in _ARTICLES:
        return first.lower(), (len(first), end)
    return ((0, end),)


_ARTICLES = frozenset(("The", "Our", "My", "Each", "Every", "A", "An", "All"))
_HAS_NOUN = re.compile(
    r" has (?P<noun>(?:[a-z][a-z-]* ){0,2}[a-z]+) (?P<value>[A-Z\d`¤#v<>=~^+-][^\s,;]*(?: [\d%]\S*)?)(?=\Z)"
)
_PLAIN_NOUNS = (MEASURES - word_set("flag setting parameter variable option")) | word_set(
    "type grade rank status priority severity level version factor code group class"
)
_READERS: tuple[tuple[Callable[[str, str], Iterator[_Pieces]], Needles], ...] = (
    (_cleft, word_set("It It's It’s Who What who what that which")),
    (_what, word_set("What what")),
    (_where, word_set("where Where")),
    (_event, word_set("has have holds hold does takes runs gets keeps")),
    (_starts, word_set("starts begins ends finishes start begin end finish")),
    (measured, (word_set("a an its their the"), HAS_MEASURED)),
    (_led, word_set("as person")),
    (
        _so_many,
        (
            word_set("are is can work study train There There's There’s from"),
            word_set(
                "employed housed kept stationed based held stored moored parked enrolled registered taught work study "
                "train strong serves serve offers offer space room seating seats places beds can"
            ),
        ),
    ),
    (_has_plain, word_set("has")),
    (became, word_set("become became")),
    (used_for, word_set("used applied employed use force expected enforced")),
    (_belonging, word_set("I we We best most")),
    (_prescribed, _PRESCRIBING),
    (found_at, GATE),
    (done_to, GATE),
    (in_file, IN_FILE),
    (contact_for, TO_CONTACT),
    (turned_round, TURNED),
    (rather, BUT),
    (headed, HEADS),
    *OF_AMOUNTS,
)
"""Readers in order, each with the signs of which a sentence must hold one."""
_FITTING = Dispatch(_READERS)
