"""What is told anew of a person, in words that name the change and not the state: "Please use my new number, 0170 555".

Each such sentence is put as the plain sentence that it comes to ("My number is 0170 555"), whose key is that of the
plain statements before it, whatever kind of thing it speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.announcing import has_many
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.joined import ATTITUDES
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.verbs import THIRD, third_of, verb_of_gerund
from memstrata_integrations.extraction.sentences.weak import HABITS, base_of_habit
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import word_set

__all__ = ["MAY_HAVE", "MAY_UPDATE", "may_update", "updates_of"]

_LONGEST = 160
MAY_UPDATE = word_set(
    "longer turned become use Use note Note save Save record Record update Update put Put got gets "
    "switched swapped changed went gone transferred moved started begun taken upgraded promoted new New better "
    "gave given dropped exchanged traded lowered raised increased reduced cut adjusted set reset extended shortened "
    "renamed risen rose fallen fell grown grew signed left quit postponed rescheduled pushed brought shifted delayed "
    "put bumped relocated promoted reassigned hired"
)
"""A sentence that `updates_of` reads has one of these words, or tells of now with one of `MAY_HAVE`."""
MAY_HAVE = word_set("has have was were")
"""What holds, where a sentence says besides that it is so now, or as what."""
_WORD = r"[A-Z](?:[\w-]|['’](?!s\b))*"
_NAME = rf"{_WORD}(?: {_WORD})*"
_OWNER = rf"(?:[Mm]y|[Oo]ur)(?: [a-z-]+)?(?: {_NAME})?['’]s|{_NAME}['’]s?|[Mm]y|[Oo]ur"
_THING = r"(?:[A-Z][a-z]+days? )?[a-z][\w’'-]*(?: (?!(?:is|are|was|has|to)\b)[\w’'-]+){0,4}?"
_WHOSE = rf"(?P<whose>(?:{_OWNER}) (?:(?:new|current) )?{_THING})"
_WHO = rf"(?P<who>I|[Ww]e|(?:[Mm]y|[Oo]ur) [a-z-]+(?: [a-z-]+)?(?: {_NAME})?|(?:Dr|Mr|Mrs|Ms)\.? {_NAME}|{_NAME})"
_HAVE = r"(?:['’]ve |have |has |had )?(?:just |finally |now |recently |since )?"
_VALUE = r"(?P<value>[^\s;:!?](?:[^;:!?]|:(?=\d))*)"
_BE = r"(?:it is|it['’]s|that is|that['’]s|they are|they['’]re|he is|he['’]s|she is|she['’]s|I am|I['’]m)"

# "My gym is no longer Forge, now Ironhouse", "Tom's rent was 900 euros, now it is 960"
_NOT_BUT = re.compile(
    rf"(?P<whose>\S[^,;:]*?) (?P<be>is|are|am) (?:no longer|not) (?!only\b|just\b|merely\b)[^,;]+?"
    rf"(?: any ?more| any longer)?(?:[,;] (?:but |and )?now|,? but(?: now)?|[,;] {_BE}(?: now)?) {_VALUE}\Z"
)
_WAS_NOW = re.compile(
    rf"{_WHOSE} (?:was|were|used to be) [^,;]+?(?:[,;]|,? but|,? and) (?:but |and )?(?:now {_BE}|{_BE} now|now) "
    rf"{_VALUE}\Z"
)
# "has become", "turned out to be", "has been changed to", "has switched to"
_BECAME = re.compile(
    rf"{_WHOSE} (?:(?:has|have) (?:now |since )?become|turned out to be|(?:has|have|was|were|got)? ?(?:been )?"
    r"(?:changed|switched|updated|corrected|upgraded|transferred|lowered|raised|increased|reduced|cut|adjusted|set|reset"
    r"|extended|shortened|renamed|risen|rose|gone up|gone down|went up|went down|dropped|fallen|fell|grown|grew)"
    rf"(?: over)?(?: from [^,;]+?)? to) {_VALUE}\Z"
)
# "Salma's been moved to another project; her current project is the tax portal"
_AND_HIS = re.compile(
    rf"{_WHO}(?:['’]s)? [a-z][^,;:.A-Z]*(?:,|;|:| –| —| -) (?:so |and |but )?(?:now )?(?:his|her|their|its) "
    r"(?:new )?(?P<rest>[a-z][^,;:]*? (?:is|are) [^,;]+)\Z"
)
# "Leopold's been relocated, he's based in Oslo now": `changed` says that it is so now
_AND_HE = re.compile(
    rf"{_WHO}(?:['’]s)? [a-z][^,;:.A-Z]*(?:,|;|:| –| —| -) (?:so |and |but )?(?:now )?(?:he|she)(?P<be>['’]s| is)? "
    r"(?P<rest>[a-z][^,;]*)\Z"
)
# "Gran's Sunday call has been moved to 6", "The next meeting of my group was moved to Hana's place"
_PUT_OFF = re.compile(
    rf"(?P<whose>(?:{_OWNER}|[Tt]he) {_THING}(?: (?:of|with|for|at) (?:the |my |our )?[\w’' -]+?)?) "
    r"(?:has |have |had |was |were |is |are |got )?(?:been |now |just )*(?:moved|postponed|rescheduled|pushed|brought"
    r"|shifted|delayed|put|bumped|changed)(?: up| back| off| forward| out| over)?(?: from [^,;]+?)? "
    rf"(?:to|for|until|till) {_VALUE}\Z"
)
# "Please use my new number, 0170 555", "Save my new screen name: lichenlad"
_ORDERED = re.compile(
    rf"(?:[Pp]lease |[Yy]ou can )?(?:[Uu]se|[Nn]ote|[Ss]ave|[Rr]ecord|[Aa]dd|[Ww]rite to|[Pp]ut|(?:[Uu]pdate|[Cc]hange|"
    rf"[Cc]orrect|[Ss]et)|[Nn]ote down|[Ww]rite down|[Tt]ake down|[Hh]ere['’]s|[Hh]ere is|[Ff]rom now on use) {_WHOSE}"
    rf"(?:,|:|;| –| —| -| down as| to(?: be)?| as| is|, it is|, it['’]s|, which is|: it['’]s) {_VALUE}\Z"
)
# "Tom now has Dr Obi as his doctor", "I got Ellen as my line manager"
_AS_HIS = re.compile(
    rf"{_WHO} {_HAVE}(?:has|have|got|gets|get|sees|see|uses|use|hired|chose|picked|chosen|took|taken|been assigned"
    rf"|been given|was given|was assigned|is getting|employs) {_VALUE} as (?P<own>my|our|his|her|their|the) "
    r"(?:new )?(?P<thing>[a-z][\w -]*)\Z"
)
# "BA 318 is my new flight number"
_IS_NEW = re.compile(
    rf"{_VALUE} (?:is (?:now )?(?=.* new )|is now |is (?=.* now\Z))(?P<whose>(?:{_OWNER}) {_THING})(?: now)?\Z"
)
# "I've started swimming at the Westbad instead of the Nordbad": `changed` says that it replaces something
_STARTED = re.compile(
    rf"{_WHO} {_HAVE}(?:started|begun|began|taken to|took to|gone over to|switched to|moved to|gone back to) "
    r"(?P<doing>[a-z]{2,}ing) (?P<rest>[^,;]+)\Z"
)
# "Ophelia switched from alto to soprano", "Tom gave up the viola for the trumpet"
_FROM_TO = re.compile(
    rf"{_WHO} {_HAVE}(?:been )?(?:(?:switched|changed|moved|transferred|gone|went|upgraded|downgraded|swapped"
    r"|reassigned)(?: over)? (?:from (?P<old>[^,;]+?) )?to"
    r"|(?:gave up|given up|dropped|swapped|exchanged|traded|left|quit) (?P<gave>[^,;]+?) for)"
    rf" {_VALUE}\Z"
)
_KINDS = {
    "sings {}": word_set("soprano mezzo mezzo-soprano alto contralto countertenor tenor baritone bass bass-baritone"),
    "plays the {}|'s instrument is the {}|is learning the {}|is learning to play the {}": word_set(
        "violin viola cello piano guitar trumpet trombone tuba horn flute oboe clarinet bassoon saxophone harp drums "
        "organ accordion ukulele banjo mandolin recorder harpsichord lute double-bass cornet piccolo euphonium"
    ),
    "is learning {}|is studying {}|learns {}": word_set(
        "english german french spanish italian portuguese dutch swedish norwegian danish finnish polish czech russian "
        "ukrainian greek turkish arabic hebrew persian hindi japanese korean chinese mandarin cantonese thai "
        "vietnamese latin irish welsh basque catalan hungarian romanian bulgarian croatian serbian icelandic esperanto "
        "swahili"
    ),
    "works {}": word_set("nights days earlies lates mornings evenings afternoons weekends full-time part-time"),
    "goes to work by {}|goes to the office by {}|commutes by {}|takes the {} to work|travels by {}": word_set(
        "bus tram train bike bicycle car metro tube ferry scooter motorbike taxi subway"
    ),
    "is studying {}|studies {}|'s major is {}|'s subject is {}": word_set(
        "law medicine biology chemistry physics mathematics economics history philosophy psychology architecture "
        "geography sociology linguistics dentistry pharmacy nursing engineering astronomy geology literature pedagogy"
    ),
}
_BY_WORD = {word: frames for frames, words in _KINDS.items() for word in words}
_TEAM = re.compile(r"(?:the )?(?:team (?P<called>[A-Z][\w-]*)|(?P<named>[\w-]+(?: [\w-]+)?) (?P<kind>team|squad|crew"
                   r"|branch|office|shift|plan|choir|class|department))\Z")  # fmt: skip
_TEAMS = {
    "team": ("is on {}", "is in {}", "works in {}"),
    "office": ("is based in {}", "works in {}", "works at {}"),
    "branch": ("manages {}", "works at {}", "runs {}", "is based at {}"),
    "shift": ("works {}", "is on {}"),
    "plan": ("is on {}", "has {}"),
    "choir": ("sings in {}",),
    "class": ("is in {}",),
    "department": ("is in {}", "works in {}"),
}
_TIMED = frozenset(MONTHS) | frozenset(WEEKDAYS)
_OPEN = ATTITUDES - word_set("for only instead new turn turned no expected") - _TIMED
_BASE_OF = dict(THIRD)
_BEHIND = re.compile(r",? (?:and )?(?:not|instead of|rather than|from now on|please|now|thanks) ?|, (?!\d)")
_OWNS = {"my": "My", "our": "Our", "i": "My", "we": "Our"}


def may_update(sentence: str) -> bool:
    """Whether a sentence may be one that `updates_of` reads: never wrongly false."""
    words = sentence.replace(",", " ").replace(";", " ").split()
    if not MAY_UPDATE.isdisjoint(words):
        return True
    return (" now" in sentence or " as " in sentence) and not MAY_HAVE.isdisjoint(words)


def updates_of(said: str, changed: bool = False) -> Iterator[str]:
    """Yield the plain sentences that an update comes to.

    Args:
        said: The sentence, without its full stop.
        changed: Whether its wrapping announces a change.

    Example:
        >>> list(updates_of("Please use my new screen name, lichenlad"))
        ['My screen name is lichenlad']
        >>> list(updates_of("Ophelia switched from alto to soprano"))
        ['Ophelia sings soprano']
    """
    if len(said) > _LONGEST or not may_update(said):
        return
    words = said.split()
    if not _OPEN.isdisjoint(w.strip(",;:").lower() for w in words if w != "May"):
        return
    yield from _told(said)
    yield from _switched(said)
    match = _AND_HE.match(said) if changed else None
    if match is not None and match["who"] not in ("I", "We", "we") and quiet(match["rest"]):
        yield _acts(match["who"], f"is {match['rest']}" if match["be"] else match["rest"])
    if changed and (match := _STARTED.match(said)) is not None:
        verb = _base_of_gerund(match["doing"])
        if verb and quiet(match["rest"].replace(" as ", " ")):
            yield _acts(match["who"], f"{third_of(verb)} {match['rest']}")


def _base_of_gerund(doing: str) -> str:
    """Return the verb of "riding", "swimming", "sharing"; "" if none is known."""
    verb = verb_of_gerund(doing)
    stem = doing[:-3]
    known = (v for v in (stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else "") if v in HABITS)
    return verb if verb != doing else next(known, "")


def _told(said: str) -> Iterator[str]:
    """Read what somebody's one thing of a kind is now."""
    for form in (_NOT_BUT, *((_WAS_NOW,) if "now " in said else ()), _BECAME, _ORDERED):
        match = form.match(said)
        if match is None:
            continue
        whose, value = _without_new(match["whose"]), _plain(match["value"])
        head = head_phrase(whose.lower().split())[0]
        if " " not in whose or not value or (has_many(head) and form is not _NOT_BUT) or not quiet(value):
            return
        be = match["be"] if form is _NOT_BUT else "are" if is_plural(head) and head[-2:] != "ss" else "is"
        yield f"{whose} {be} {value}"
        return
    if (match := _PUT_OFF.match(said)) is not None and quiet(match["value"]):
        whose, value = _without_new(match["whose"]), _plain(match["value"])
        found = find_typed(value, 0, len(value))
        kind = found[3] if found is not None and found[1] == len(value) else "name"
        yield f"{whose} is {'on' if kind == 'date' else 'at'} {value}"
    if (match := _AND_HIS.match(said)) is not None and match["who"] not in ("I", "We", "we") and quiet(match["rest"]):
        yield f"{_owner(match['who'])} {match['rest']}"
    match = _IS_NEW.match(said) if " new " in said or " now" in said else None
    if match is not None and quiet(match["value"]) and " " in match["whose"]:
        whose = _without_new(match["whose"])
        if not has_many(head_phrase(whose.lower().split())[0]):
            yield f"{whose} is {match['value']}"
    match = _AS_HIS.match(said) if " as " in said else None
    if match is not None and quiet(match["value"]) and quiet(match["thing"]):
        yield f"{_owner(match['who'])} {match['thing']} is {match['value']}"


def _switched(said: str) -> Iterator[str]:
    """Read what somebody sings, plays, learns, works or rides now, by the kind of the new value."""
    match = _FROM_TO.match(said)
    if match is None:
        return
    value = match["value"]
    words = value.split()
    while words and words[0].lower() in ("the", "a", "an", "playing", "singing", "studying", "learning", "working"):
        words.pop(0)
    head, rest = (words[0], " ".join(["", *words[1:]])) if words else ("", "")
    old = (match["old"] or match["gave"] or "").lower().split()
    frames = _BY_WORD.get(head.lower())
    if frames is not None and quiet(value) and (not old or any(_BY_WORD.get(w) == frames for w in old)):
        if not rest or rest.split()[0] in ("in", "at", "for", "with", "on"):
            for frame in frames.split("|"):
                yield _acts(match["who"], frame.replace("{}", head) + rest)
        return
    team = _TEAM.match(value) if quiet(value) else None
    if team is not None:
        called = value if team["called"] or value.startswith("the ") else f"the {value}"
        for frame in _TEAMS.get("team" if team["called"] else team["kind"], _TEAMS["team"]):
            yield _acts(match["who"], frame.replace("{}", called))


def _acts(who: str, what: str) -> str:
    """Say what somebody does: `what` is in the third person."""
    if what.startswith("'s "):
        return f"{_owner(who)} {what[3:]}"
    subject = who[0].upper() + who[1:]
    verb, _, rest = what.partition(" ")
    if who.lower() in ("i", "we"):
        verb = {"is": "am" if who == "I" else "are"}.get(verb) or base_of_habit(verb) or _BASE_OF.get(verb, verb)
    return f"{subject} {verb} {rest}"


def _owner(who: str) -> str:
    return _OWNS.get(who.lower()) or f"{who[0].upper()}{who[1:]}'s"


def _without_new(whose: str) -> str:
    whose = re.sub(r" (?:new|current) ", " ", whose, count=1)
    return whose[0].upper() + whose[1:]


def _plain(value: str) -> str:
    """Return a value without what is said behind it: ", not A", "please", "instead of A"."""
    return _BEHIND.split(f"{value} ", maxsplit=1)[0].strip()
