"""Statements of change, taken apart: what changed, in which way, to what, and from what.

"Sundra lowered the voting age to 16", "The loader was moved from a.py to b.py", "Bump ruff from 0.1 to 0.2": whoever
did it and in which voice, the statement tells what holds from then on. `retold` puts it so, in plain sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.changes import PUT_SOMEWHERE
from memstrata_integrations.extraction.sentences.complements import masked, tokens_of, words_of
from memstrata_integrations.extraction.sentences.framing import POSSESSIVE, head_of, owned, quiet
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.verbs import BASES, THIRD
from memstrata_integrations.extraction.sentences.wording import _DATE
from memstrata_integrations.words import singular, word_set

__all__ = [
    "INSTITUTIONAL",
    "LETTERS",
    "MAY_CHANGE",
    "OF_PASSING",
    "PASSING",
    "Change",
    "change_of",
    "inner",
    "subjects_of",
]

_LONGEST = 240
# What a verb may do: change an amount (a), a state (s), a place (m), who has it (p), a name (n), a version (v)
_KINDS = {
    "a": "raised lowered increased decreased reduced cut doubled tripled quadrupled halved extended shortened bumped "
    "lifted trimmed tightened relaxed scaled slashed boosted widened narrowed grew grown shrank shrunk rose risen fell "
    "fallen climbed jumped dropped prolonged lengthened expanded resized rescaled resharded repartitioned pushed "
    "dialed dialled turned cranked revised repriced went gone slipped advanced upped put "
    "loosened hiked nudged ramped clipped curtailed stretched tuned tweaked",
    "s": "changed switched flipped toggled set reset adjusted updated converted swapped went gone corrected revised "
    "amended modified reconfigured moved migrated turned transitioned",
    "m": "moved migrated relocated transferred shifted rehosted ported redeployed rehomed transitioned postponed "
    "rescheduled delayed pushed brought slipped rebased adjourned deferred",
    "p": "reassigned assigned handed passed transferred delegated entrusted given gave",
    "n": "renamed rebranded retitled relabelled relabeled rechristened",
    "v": "upgraded downgraded bumped updated pinned raised moved migrated switched rolled",
    "l": "relicensed re-licensed",
    "r": "redirected rerouted re-routed",
    "b": "rebooked rescheduled postponed",
}
_VERBS: dict[str, str] = {}
for _kind, _listed in _KINDS.items():
    for _verb in _listed.split():
        _VERBS[_verb] = _VERBS.get(_verb, "") + _kind
MAY_CHANGE = (
    frozenset(_VERBS)
    | frozenset(v.capitalize() for v in _VERBS)
    | word_set(
        "Bump bump used longer which not isn't isn’t aren't aren’t -> → => (was (were (previously (formerly "
        "(before up down"
    )
)
"""A statement of change has one of these words."""

_ADVERBS = word_set("just recently finally officially since successfully permanently already quietly silently further")
_NOT_NOW = word_set("is are be being to will and or not never had having")
_PARTICLES = word_set("up down over back forward out on off along")
_LINKS = word_set("from to into by under")
_LEADING = word_set("from to into at until under as by")
# Who cannot be the one who did it, or what is no one thing
_NOBODY = word_set(
    "nobody none no everyone everybody each some someone who you many most all several few both half "
    "every any it this that these those there here he she they one a an two three four five part parts one-third "
    "in on at for under within across inside throughout during"  # whom or where it holds for belongs to the key
)
_OWNERLESS = word_set("i we they he she it someone")
# For a while, in part, by mistake, long ago, or again and again: nothing follows for now
PASSING = re.compile(
    r"\b(?:temporar(?:y|ily)|tentatively|briefly|accidentally|mistakenly|by (?:mistake|accident)|initially|originally"
    r"|formerly|once|nearly|almost|partial(?:ly)?|partly|gradually|mostly|sometimes|often|usually|regularly|repeatedly"
    r"|automatically|manually|until|till|during|while|when|whenever|unless|after each|each|every time|per request"
    r"|failed|tried|wanted|asked|agreed|decided|voted|offered|promised|supposed|about to|had|in a test|in theory"
    r"|for (?:now|testing|maintenance|a (?:while|moment|minute|bit|few|test|day|week|month|night|couple)|an hour"
    r"|the (?:time being|weekend|day|night|week|month|season|holidays?|duration|moment|demo|tests?|launch|event|summer"
    r"|winter|spring|autumn|rest|release|show|occasion|sale|afternoon|morning|evening|migration|experiment|party|trial)"
    r"|today|tonight|tomorrow|this|one|two|three|[a-z]+ (?:minutes|hours|days|weeks|months|nights|years)"
    r"|\d+ (?:minutes?|hours?|days?|weeks?|months?|nights?|years?))|[12]\d{3} only|only)\b",
    re.IGNORECASE,
)
LETTERS = re.compile(r"[a-z]+")
# Of these `PASSING` holds one
OF_PASSING = word_set(
    "temporary temporarily tentatively briefly accidentally mistakenly by initially originally formerly once nearly "
    "almost partial partially partly gradually mostly sometimes often usually regularly repeatedly automatically "
    "manually until till during while when whenever unless after each every per failed tried wanted asked agreed "
    "decided voted offered promised supposed about had in for only"
)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_WHEN = re.compile(
    rf",? (?:(?:(?:effective|with effect|starting|beginning) )?(?:on|as of|as from|since|from|in) {_DATE}"
    rf"|effective {_DATE}|(?:earlier )?(?:yesterday|today|this|last) ?(?:week|month|year|quarter|spring|summer|autumn"
    r"|fall|winter|morning|night|afternoon|evening|sprint)?|over (?:the )?(?:weekend|night|summer|winter|holidays)"
    r"|recently|overnight|for good|permanently|altogether|at last|again|effective immediately)\Z",
    re.IGNORECASE,
)
_WHEN_FIRST = re.compile(
    rf"(?:Yesterday|Today|This morning|Last (?:week|month|night|quarter|spring|summer|autumn|fall|winter|{_WEEKDAY})"
    rf"|On {_WEEKDAY}|(?:On|In|As of|Since) {_DATE}|Recently|Overnight),? (?=\S)"
)
_PART = r"(?:[^,;]|(?<=\d),(?=\d))+"  # without a break; "10,000" has none
_WHICH_WAS = re.compile(
    rf"(?P<what>[^,;]+), (?:which|who|once|formerly|previously)(?: was| used to be)? (?P<old>{_PART}), (?:is|are) "
    rf"(?P<new>{_PART})\Z"
)
_NO_LONGER = re.compile(
    rf"(?P<what>[^,;]+?) (?:(?:is|are)(?: no longer| not|n['’]t)) (?:at |on )?(?P<old>{_PART}?),?(?: any ?more,?"
    rf"| any longer,?)?"
    rf"(?:(?<=more,)|(?<=longer,)| but|[;:]) (?:it['’]s (?:now )?|it is (?:now )?|but )?(?:at |on )?(?P<new>{_PART})\Z"
)
_MEASURED = re.compile(r"\d[\d.,]*(?P<unit> [a-z]+)\Z")
_BARE_NUMBER = re.compile(r"\d[\d.,]*\Z")
_WHY = re.compile(
    r",? (?:because of|due to|thanks to|owing to|in response to|as part of|following|so that|in order to|to (?:save"
    r"|reduce|improve|avoid|cut|prevent|speed|lower|keep|make|match|reflect|fix|handle|support|allow)|, which"
    r"|for (?:performance|stability|security|cost|compliance|legal) reasons) [^,;]+\Z"
)
_BEFORE = re.compile(
    r"(?: \((?:was|were|previously|formerly|up from|down from|before) (?P<old>[^()]+)\)"
    r"|[,;] (?:up|down) from (?P<was>[^,;]+)|[,;] (?:previously|formerly|replacing|succeeding) (?P<gone>[^,;]+)"
    r"|[,;] [^,;]+ (?:later|earlier|more|less|higher|lower|longer|shorter) than (?:before|usual|previously))\Z"
)
_BY_AGENT = re.compile(r" by (?!\d)(?:the |our |my )?[A-Za-z][\w’'-]*(?: [\w’'-]+){0,3}\Z")
_BY_AMOUNT = re.compile(r"by (?:(?:another|an extra|a further) )?\S+(?: [a-z%-]+){0,3} (?=from |to )")
_FROM_TO = re.compile(r"from (?P<old>\S.*?) (?:in)?to (?P<new>\S.*)\Z")
_TO_FROM = re.compile(r"(?P<to>to|into|at|until|under|as) (?P<new>\S.*?)(?: from (?P<old>\S.*))?\Z")
_TIMED = re.compile(
    r"(?:the )?(?:\d{1,2}(?:[:.]\d\d| ?[ap]\.?m)|noon|midnight|[A-Z][a-z]+day\b|\d{1,2}(?:st|nd|rd|th)? [A-Z])"
)
_HOURS = re.compile(r"\d[\d:.]*(?: ?[ap]m)? to \d[\d:.]*(?: ?[ap]m)?\Z")
_RANK = re.compile(r"(?:version|release|v\.) (?=v?\d)")
_FOR = re.compile(
    r"for (?P<new>\d\S*(?: [ap]m| [A-Z][a-z]+)?|[A-Z][a-z]+day(?: at \d\S*(?: [ap]m)?)?|[A-Z][a-z]+ \d+)(?P<old>)\Z"
)
_SET_FOR = word_set("reset set rescheduled rebooked")
_AT = word_set("capped pinned set")
# "chore(deps): bump lodash from 4.17.19 to 4.17.21 in /frontend"
_COMMIT = re.compile(r"(?:chore|build|fix|feat|refactor|ci|perf|docs|deps|style)(?:\([\w./-]+\))?!?: (?=\S)")
_BUMP = re.compile(
    r"[Bb]ump(?:ed)? (?P<what>\S+(?: [a-z-]+)?) (?:from (?P<old>v?\d\S*) )?to (?P<new>v?\d\S*(?: (?:in|for|on"
    r"|of) (?:the |our )?[\w`./-]+(?: [\w./-]+){0,3})?)\Z"
)
_DOES = re.compile(
    r"(?P<what>\S.*?) (?:was|has been|got) (?:just |recently )?(?:changed|updated|modified|reconfigured|rewritten"
    r"|adjusted|patched) to (?P<verb>[a-z]+) (?P<rest>\S.*)\Z"
)
_REWORKED = word_set("changed updated modified reconfigured rewritten adjusted patched")
_THIRD_OF = {base: third for third, base in THIRD.items()}
_IS = re.compile(r"(?P<what>[^:=,;]{2,60}?)(?::| =| is| are) (?P<new>[^,;:=]+)\Z")
_SET_WAS = re.compile(
    r"Set (?P<what>\S+(?: \S+){0,5}?) to (?P<new>\S+(?: \S+){0,3}) \((?:was|from) (?P<old>[^()]+)\)\Z"
)
# "`MAX: 5 -> 7`", "Pool size: raised from 20 to 50"
_ARROW = re.compile(
    r"(?P<what>[^:=\s]+(?: [^:=\s]+){0,3}?)(?: ?[:=])? (?P<old>v?\d\S*(?: [A-Za-z%]+)?) ?(?:->|→|=>) ?"
    r"(?P<new>v?\d\S*(?: \S+)?)\Z"
)
_MAPPED = word_set("port ports mapping mappings redirect redirects route routes map volumes example before diff")
_NOTED = re.compile(r"(?P<what>[^:=]{2,60}): (?P<said>[a-z]+ (?:up |down )?(?:from .+ )?to \S.*)\Z")
_USED_TO = re.compile(
    rf"(?P<what>[^,;]+?) (?:(?P<used>used to be)|was|were) (?P<old>{_PART}?)(?:[,;]| but| and)(?: but| and)?(?: it"
    rf"| they"
    rf"| he| she| that)?(?:['’]s|['’]re| is| are)? (?P<new>{_PART})\Z"
)
INSTITUTIONAL = word_set(
    "age rate tax vat wage tariff duty toll levy capital currency headquarters seat anthem flag quorum premium "
    "warranty subscription dividend tuition fare fee price office store shop warehouse showroom"
)
"""A country, a town or a firm has these, whoever in it decides; nobody else has."""
_BROKEN = re.compile(r"[;:!?] |(?:[a-z]{4}|[\d)])\. |[*]|[,;:]\Z")
_SAME_IN_PAST = word_set("set reset cut put")
_PARTICIPLES = word_set("given gone grown risen fallen shrunk")
_INTRANSITIVE = word_set("slipped moved shifted migrated relocated transitioned advanced")
_CHARGED = word_set("fee charge price fare deposit")
_THAT = re.compile(r" (?:that|which|who) (?=[a-z])")
_RELEASE = re.compile(r"(?P<name>\S+(?: [A-Z]\S*)?) (?P<version>v?\d\S*)\Z")
_VERSION = re.compile(r"v?\d+\.\d\S*\Z")
_EVENTUAL = word_set("release launch delivery opening election exam closing wedding publication expiry")
_HEAD = re.compile(r"\S+(?=\Z| (?:of|for|in|on|at) )")


class Change(NamedTuple):
    """What a statement of change tells.

    Attributes:
        what: What changed, as the subjects that it may have in plain sentences.
        kinds: What the verb may change, as letters: amount, state, m(ove), person, name, version, licence.
        new: What holds from then on, with the qualifiers behind it.
        old: What held before; may be empty.
        unit: The unit of the new value, where only the old one has it: "from 90 days to 30".
    """

    what: tuple[str, ...]
    kinds: str
    new: str
    old: str
    unit: str = ""


def change_of(core: str, changed: bool = False) -> Change | None:
    """Take a statement of change apart; `None` if it is none, or one that says nothing of now.

    Args:
        core: The sentence, without its full stop and what wraps it.
        changed: Whether its wrapping announces a change.

    Example:
        >>> change_of("Sundra lowered its voting age from 18 to 16")
        Change(what=('the voting age of Sundra',), kinds='a', new='16', old='18', unit='')
    """
    if len(core) > _LONGEST or "?" in core:
        return None
    if " ported to " in core and " from " not in core:
        return None  # what is ported to one system runs on the others still
    words = words_of(core)
    reworked = not _REWORKED.isdisjoint(words)
    if reworked and (does := _DOES.match(core)) is not None and does["verb"] in BASES and quiet(does["what"]):
        return Change((does["what"],), "d", f"{_THIRD_OF[does['verb']]} {does['rest']}", "")
    if (commit := _COMMIT.match(core)) is not None:
        core = core[commit.end()].upper() + core[commit.end() + 1 :]
    arrow = (_ARROW,) if "->" in core or "→" in core or "=>" in core else ()
    for form in (_BUMP, _SET_WAS, *arrow):
        if (told := form.match(core)) is not None and _MAPPED.isdisjoint(told["what"].lower().split()):
            return Change((told["what"].strip(),), "v" if form is _BUMP else "asv", told["new"], told["old"] or "")
    if not OF_PASSING.isdisjoint(LETTERS.findall(core.lower())) and PASSING.search(core):
        return None
    dated = _WHEN_FIRST.match(core)
    if dated is not None:
        found = change_of(core[dated.end()].upper() + core[dated.end() + 1 :], changed)
        return found if found is not None and not _TIMED.match(found.new) else None
    denied = " no longer" in core or " not" in core or "n't" in core or "n’t" in core
    if denied and (rather := _NO_LONGER.match(core)) is not None and quiet(rather["what"]) and quiet(rather["new"]):
        return Change((rather["what"],), "s", rather["new"], rather["old"])
    if ": " in core and (noted := _NOTED.match(core)) is not None:
        core = f"{noted['what']} was {noted['said']}"
    then = (
        _USED_TO.match(core) if "used to be " in core or (changed and (" was " in core or " were " in core)) else None
    )
    if then is not None and (then["used"] or changed):
        return Change((then["what"],), "s", then["new"], then["old"])
    if (put := PUT_SOMEWHERE.match(core)) is not None and quiet(put["what"]) and quiet(put["new"]):
        return Change((put["what"],), "m", put["new"], "")
    if changed and (was := _WHICH_WAS.match(core)) is not None and quiet(was["what"]) and quiet(was["new"]):
        return Change((was["what"],), "s", was["new"], was["old"])
    old = ""
    before = _BEFORE.search(core) if ", " in core or "; " in core or " (" in core else None
    if before is not None:
        old = before["old"] or before["was"] or before["gone"]
        core = core[: before.start()]
        if (stated := _IS.match(core)) is not None and old:
            return Change((stated["what"],), "s", stated["new"], old)
    core = _WHY.sub("", core)
    tokens = tokens_of(masked(core))
    for n, (_, _, word) in enumerate(tokens):
        if word in _VERBS and (n or core[0].isupper()):
            found = _taken(core, tokens, n, old)
            if found is not None:
                return found
    return None


def _taken(core: str, tokens: tuple[tuple[int, int, str], ...], n: int, old: str) -> Change | None:
    """Take a sentence apart at a verb: what stands before it did the change, or underwent it."""
    verb = tokens[n][2]
    if verb == "put" and (n + 1 == len(tokens) or tokens[n + 1][2] not in _PARTICLES):
        return None
    at = n - 1
    while at >= 0 and tokens[at][2] in _ADVERBS:
        at -= 1
    aux = tokens[at][2] if at >= 0 else ""
    passive = aux in ("was", "were", "got") or aux == "been"
    if aux == "been":
        at -= 1
        while at >= 0 and tokens[at][2] in _ADVERBS:
            at -= 1
        if at < 0 or not (tokens[at][2] in ("has", "have") or tokens[at][2].endswith(("'s", "’s"))):
            return None
    elif passive and verb == "set":
        return None  # "was set to 5": perhaps it is no longer
    elif aux in _NOT_NOW:
        return None
    has = at >= 0 and tokens[at][2] in ("has", "have", "was", "were", "got")
    stop = tokens[at][0] if has else tokens[at][1] if at >= 0 else 0
    who = core[:stop].strip()
    if passive and not has and who.endswith(("'s", "’s")):
        who = who[:-2]
    rest = n + 1
    while rest < len(tokens) and tokens[rest][2] in _PARTICLES:
        rest += 1
    if rest >= len(tokens):
        return None
    tail = core[tokens[rest][0] :]
    if tail.startswith("of ") and tokens[rest - 1][2] == "out":
        tail = f"from {tail[3:]}"  # "moved out of a into b"
    kinds = _VERBS[verb]
    links = _LEADING | {"for"} if verb in _SET_FOR else _LEADING
    if tail.split(" ", 1)[0] in links or (passive and "n" in kinds):
        if not _is_one(who) or not quiet(_THAT.sub(" ", who, count=1)):
            return None
        told = _to(verb, kinds, tail, old)
        if told is None or not (passive or has or told.old or verb in _INTRANSITIVE or {*kinds} & {*"asvn"}):
            return None  # "the path passed to the constructor"
        release = _RELEASE.match(told.old)
        if release is not None and _VERSION.match(told.new):  # "went from pydantic 1.10 to 2.5"
            return told._replace(what=(f"{release['name']} of {inner(who)}",), kinds="v", old=release["version"])
        return told._replace(what=(who,))
    if passive or (not has and verb in _PARTICIPLES) or tokens[rest][2] in PREPOSITIONS:
        return None
    return _done(core, who, tokens, rest, verb, old)


def _done(
    core: str, who: str, tokens: tuple[tuple[int, int, str], ...], rest: int, verb: str, old: str
) -> Change | None:
    """Take "Sundra lowered the voting age to 16" apart: somebody did it to something."""
    words = who.split()
    first = words[0].lower() if words else "i"
    pronoun = len(words) == 1 and first in _OWNERLESS
    if not pronoun and (first in _NOBODY or len(words) > 7 or not quiet(who) or "," in who):
        return None
    links = _LINKS | {"for"} if verb in _SET_FOR else _LINKS
    if len(words) == 1 and first in THIRD:
        return None  # "Converts given masks to": no agent
    link = next((k for k in range(rest + 1, len(tokens)) if tokens[k][2] in links), None)
    if link is None:
        return None
    last = link
    while last > rest + 1 and tokens[last - 1][2] in _PARTICLES:
        last -= 1
    thing = core[tokens[rest][0] : tokens[last - 1][1]]
    told = _to(verb, _VERBS[verb], core[tokens[link][0] :], old)
    own, _, role = thing.partition(" ")
    if told is None or not quiet(role or own) or len(thing.split()) > 12 or _BROKEN.search(thing):
        return None
    if not words and not told.old and verb in _SAME_IN_PAST:
        return None  # "Set the port to 80" is an order
    plural = not role and verb in ("switched", "changed")  # "Lina switched banks"
    if own.lower() in _NOBODY or (not role and own in THIRD and not plural):
        return None
    if own in POSSESSIVE:
        if not words or pronoun or (is_plural(head_of(words)) and words[0][0].islower()):
            return None
        owning = owned(own, role, inner(who))
        charged = (f"the {role} at {inner(who)}",) if head_of(role.split()) in _CHARGED else ()
        return told._replace(what=(owning, *charged))
    if plural and own.islower() and words and not pronoun and is_plural(own):
        return told._replace(what=(owned("its", singular(own), inner(who)),))
    if own != "the" or not words or pronoun:
        return told._replace(what=(thing,))
    if first in ("my", "our"):
        return told._replace(what=(thing, f"{first} {role}"))  # "My landlord raised the rent"
    theirs = owned("its", role, inner(who))
    of_some = len(words) > 2 or first != "the"  # "the north branch" and "Teal", but not "the board"
    if head_of(role.split()) in INSTITUTIONAL:
        return told._replace(what=(theirs,) if of_some else (thing, theirs))
    return told._replace(what=(theirs,) if first == "the" and of_some else (thing,))


def _is_one(who: str) -> bool:
    """Whether what stands before the verb names what changed."""
    first = who.split(" ", 1)[0].lower()
    return bool(who) and first not in _NOBODY and first not in ("i", "we") and _BROKEN.search(who) is None


def inner(name: str) -> str:
    """Return a name as it stands within a sentence."""
    first, _, rest = name.partition(" ")
    return f"{first.lower()} {rest}" if first in ("The", "My", "Our") else name


def _unranked(value: str) -> str:
    """Return "2.1" for "version 2.1"."""
    rank = _RANK.match(value)
    return value[rank.end() :] if rank is not None else value


def _to(verb: str, kinds: str, tail: str, old: str) -> Change | None:
    """Read "from 5 to 7", "to 7", "by 2 to 7", "under BSL 1.1"."""
    if verb in ("renamed", "rebranded", "rechristened") and not tail.startswith(("from ", "to ", "as ", "by ")):
        return Change((), kinds, tail, old) if quiet(tail) else None
    tail = _BY_AMOUNT.sub("", tail, count=1)
    told = _FROM_TO.match(tail) or _TO_FROM.match(tail) or (_FOR.match(tail) if verb in _SET_FOR else None)
    if told is None:
        return None
    link = told.groupdict().get("to") or "to"
    if (link == "at" and verb not in _AT) or (link == "under" and "l" not in kinds) or link == "by":
        return None
    if link == "as" and "n" not in kinds:
        return None
    new, old = _unranked(told["new"]), _unranked(told["old"] or old)
    while (cut := _BY_AGENT.search(new) or (None if _TIMED.match(new) else _WHEN.search(new))) is not None:
        new = new[: cut.start()]
    if _HOURS.match(new):
        return Change((), kinds, new, old)
    if not new or " to " in f" {new} " or " from " in new or not quiet(new) or not quiet(old):
        return None
    if new.split()[0].lower() in PREPOSITIONS:
        return None
    measured = _MEASURED.match(old)
    unit = measured["unit"] if measured is not None and _BARE_NUMBER.match(new) else ""
    return Change((), kinds, new, old, unit)


def subjects_of(change: Change) -> Iterator[str]:
    """Yield what changed, as the subjects of sentences."""
    for what in change.what:
        yield what[0].upper() + what[1:] if what.split(" ", 1)[0] in ("the", "my", "our") else what
        if head_of(what.split()) in _EVENTUAL:  # "the release of Orbit 3" has a date
            yield _HEAD.sub(r"\g<0> date", what, count=1)
