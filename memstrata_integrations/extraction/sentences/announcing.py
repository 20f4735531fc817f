"""What somebody has anew, told in two steps: "I changed my PIN, it's 9084 now", "They gave me a new locker: 31".

The first step names the thing and that it changed, the second one its value. Together they come to the plain sentence
"My PIN is 9084", which is read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.joined import ATTITUDES
from memstrata_integrations.words import singular, word_set

__all__ = ["MAY_ANNOUNCE", "announced", "has_many", "in_two_steps", "may_announce", "replaces_one"]

_LONGEST = 200
_MARKS = ",.;:!"
_PERFECT = r"(?:(?:have|has|had to|have had to|['’]ve|['’]s|had) )?(?:just |finally |recently |already )?"
_WHO = (
    r"(?:(?P<who>I|[Ww]e|[Tt]hey|[Ss]he|[Hh]e|(?:[Tt]he|[Mm]y|[Oo]ur) [a-z][\w’-]*(?: [a-z][\w’-]*)?"
    r"|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)(?:['’](?:ve|s))? )?"
)
_WHOM = r"(?:(?P<whom>me|us|him|her|them|(?:my|our) [a-z]+(?: [A-Z][\w’-]*)?|[A-Z][\w’-]*) )?"
_NOUN = r"(?P<noun>(?:[A-Za-z][\w’'-]* ){0,3}?[A-Za-z][\w’'-]*)"
_WHERE = r"(?P<where>(?: (?:for|on|at|in|of|to) (?:the |my |our |his |her )?[\w’'-]+(?: [a-z][\w’'-]*){0,2}?)??)"
_WHEN = (
    r"(?:,? (?:(?:since|on|from|after|before) (?:the )?(?:[\w’'-]+)(?: [\w’'-]+){0,3}?|today|yesterday|again|too"
    r"|(?:this|last) [a-z]+|down|up|over|round|around|back|out))?"
)
_MARK = r"(?:,|:|;|\.|!| –| —| -)(?: (?:and|so|but|now))?"
_IS = r"(?:['’]s| is| are|['’]re|['’]m| am)(?: now)?"
_LINK = (
    r"(?: (?P<again>it|he|she|they)(?P<does>['’]s [a-z]+ (?:to|for|on|at|in|from)| [a-z]+s(?: (?:at|on|in|from|to|for"
    r"|until))?) "
    rf"|(?: (?:it|he|she|they|that|this|the new one|mine|ours|now it){_IS}(?: (?:called|named))?"
    rf"| (?:(?:the |my |our |its |his |her )?new (?P<attribute>[a-z]+)|(?:his|her|its|their) name){_IS}"
    r"| (?:I|we)(?:['’]ve got| have| have got|['’]ve)| we set (?:it|that) to"
    r"| (?P<rank>number|no\.)|(?= (?:(?:the|an?) )?[A-Z\d'\"`])) (?:(?:called|named) )?)"
)
_VALUE = (
    r"(?P<value>(?!(?:it|he|she|they|I|we|my|our|that|so|and|but|which|who|now)\b)(?:(?:Dr|Mr|Mrs|Ms|St|Prof)\. "
    r")?[^\s,;:!?]+(?:,\d+)?(?::\d\d)?(?: [^\s,;:!?]+(?::\d\d)?){0,4}?)"
    r"(?: (?:now|instead|from now on|these days|for now|every week))?(?:,? (?:so|since|because) [^,;:!?]+|, "
    r"[^,;:!?\d]+)?\Z"
)
_ANEW = re.compile(
    rf"{_WHO}(?:{_PERFECT}(?:[Gg]ot|gotten|gave|given|issued|assigned|sent|found|bought|elected|hired|chosen|chose"
    rf"|picked"
    r"|received|installed|fitted|booked|appointed|settled on|agreed on|have|has|asked for|registered at|signed up "
    r"(?:at|with)"
    rf"|selected|am registered at|['’]m registered at) {_WHOM}|(?P<bare>(?=New )))"
    rf"(?:(?:an?|my|our|his|her|the) )?(?:[Nn]ew|different|better|bigger|smaller|larger|cheaper|replacement|another) "
    rf"{_NOUN}{_WHERE}{_WHEN}(?:{_MARK}{_LINK}| (?:called|named) ){_VALUE}"
)
_CHANGED_IT = (
    r"(?:[Cc]hanged|[Ss]witched|[Ss]wapped|[Rr]eset|[Rr]enamed|[Rr]eplaced|[Uu]pdated|[Mm]oved|[Ee]xtended"
    r"|[Rr]escheduled|[Pp]ostponed|[Ss]hifted|[Ll]ost|[Ff]orgot|[Rr]echristened|[Cc]orrected|[Rr]eissued|[Rr]eassigned"
    r"|change|switch|swap|reset|rename|replace|update|move|extend|reschedule|postpone|shift"
    r"|asked to (?:change|switch|swap|move|shift|reschedule|postpone|extend))"
)
_CHANGED = re.compile(
    rf"{_WHO}{_PERFECT}(?P<verb>{_CHANGED_IT}) (?:(?P<own>my|our|the|his|her|their|its|[A-Z][\w’-]*['’]s) "
    rf")?{_NOUN}{_WHERE}"
    rf"{_WHEN}{_MARK}{_LINK}{_VALUE}"
)
_CHANGING = re.compile(
    rf"(?P<own>[Mm]y|[Oo]ur|[Tt]he|[A-Z][\w’-]*['’]s) {_NOUN}{_WHERE} (?:has |have |was |were |got |has been |have "
    rf"been )?"
    r"(?P<verb>changed|moved|switched|swapped|replaced|renamed|reset|extended|rescheduled|postponed|shifted|relocated)"
    rf"{_WHEN}{_MARK}{_LINK}{_VALUE}"
)
MAY_ANNOUNCE = word_set(
    "new New different better bigger smaller larger cheaper replacement another changed switched swapped reset renamed "
    "replaced updated moved extended rescheduled postponed shifted lost forgot rechristened corrected reissued "
    "reassigned Changed Switched Swapped Reset Renamed Replaced Updated Moved Extended Rescheduled Postponed Shifted "
    "Lost Forgot Rechristened Corrected change switch swap rename replace update move extend reschedule postpone shift"
)
"""A sentence that `announced` reads has one of these words."""
_RENAMED = ("rename", "rechristen")
_DATED = word_set("date day time slot")
# What nobody changes by having a new one
_MANY = word_set(
    "book books song songs friend friends game toy shirt dress plant idea recipe hobby word rule lot bit one thing "
    "reason way message email mail letter text call note photo picture video article question plan baby child kid "
    "colleague colleagues neighbour neighbours pair set couple tattoo joke episode series film movie job"
)
# Of these somebody who has a new one tells what replaces the old one
_ONE_EACH = word_set(
    "dishwasher fridge freezer oven stove cooker boiler machine tv television sofa couch bed mattress monitor keyboard "
    "router printer kettle toaster vacuum mower heater kindle e-reader reader headset backpack wallet wheel cage tank "
    "ringtone wallpaper nickname username stall seat desk locker room slot pitch berth bunk band planner razor car bike"
)
_HIS = {"his": "", "her": "", "their": "", "its": ""}
_FOLLOWS = re.compile(r"(?:It|He|She|They|The new|That|Now it)\b|\S+(?: \S+){0,2}[.!]?\Z")
_OPEN = ATTITUDES - word_set("for different otherwise still expected asked")


def may_announce(said: str) -> bool:
    """Whether words may announce what `announced` reads: never wrongly false."""
    words = said.split()
    if not MAY_ANNOUNCE.isdisjoint(words):
        return True
    return not MAY_ANNOUNCE.isdisjoint([w.strip(_MARKS) for w in words if w[-1] in _MARKS or w[0] in _MARKS])


def replaces_one(said: str) -> bool:
    """Whether words speak of a thing that somebody has one of: a dishwasher, a desk."""
    return not _ONE_EACH.isdisjoint(_bare_words(said))


def has_many(noun: str) -> bool:
    """Whether somebody who has a new one of these has another one besides: a friend, a book."""
    return noun in _MANY


def _bare_words(said: str) -> list[str]:
    return [w.strip(_MARKS) for w in said.split()]


def in_two_steps(before: str, said: str) -> str:
    """Return a sentence with the one before it, where it tells the value of what that one says has changed.

    Example:
        >>> in_two_steps("I changed my PIN. ", "It's 9084 now")
        "I changed my PIN. it's 9084 now"
    """
    first = re.split(r"(?<=[.!]) ", before.strip())[-1]
    joins = may_announce(first) and _FOLLOWS.match(said) is not None
    return (
        f"{first} {said[0].lower()}{said[1:]}"
        if joins and said[:2] in ("It", "He", "Sh", "Th", "No")
        else (f"{first} {said}" if joins else said)
    )


def announced(said: str) -> Iterator[str]:
    """Yield the plain sentences that a change told in two steps comes to.

    Args:
        said: One sentence or two, without the last full stop.

    Example:
        >>> list(announced("They gave me a new locker combination: 22-08-17"))
        ['My locker combination is 22-08-17']
    """
    words = _bare_words(said)
    if (
        len(said) > _LONGEST
        or MAY_ANNOUNCE.isdisjoint(words)
        or not _OPEN.isdisjoint(w.lower() for w in words if w != "May")
    ):
        return
    if "asked" in words and not said.endswith(" now"):
        return
    match = _ANEW.match(said) or _CHANGED.match(said) or _CHANGING.match(said)
    if match is None or not quiet(match["noun"]):
        return
    groups = match.groupdict()
    noun, where, value = match["noun"], match["where"], match["value"].rstrip(".")
    own, who = (groups.get("own") or "").lower(), groups.get("who") or ""
    if not own and match.re is _CHANGED:
        if singular(noun) == noun:
            return  # "changed banks", and not "changed bank"
        noun = singular(noun)
    head = noun.split()[-1]
    if match.re is _ANEW and head in _MANY:
        return
    noun = (
        f"{noun}{where}" if not groups["attribute"] or groups["attribute"] == head else f"{noun} {groups['attribute']}"
    )
    renamed = (groups.get("verb") or "").lower().startswith(_RENAMED)
    for owner in _owners(own, who, groups.get("whom") or "", match.group(0)):
        if groups["does"]:
            does = groups["does"].replace("’", "'")
            yield f"{owner} {noun}{' is' + does[2:] if does[0] == chr(39) else does} {value}"
            continue
        yield f"{owner} {noun} {'is called' if renamed else 'is'} {f'number {value}' if groups['rank'] else value}"
        if groups["rank"]:
            yield f"{owner} {noun} number is {value}"
        if head in _DATED and " " in noun:
            event = noun.rpartition(" ")[0] if not where else noun
            yield f"{owner} {event} is {'at' if value[:1].isdigit() and ':' in value else 'on'} {value}"


def _owners(own: str, who: str, whom: str, said: str) -> tuple[str, ...]:
    """Return whose the thing is that changed, as plain sentences begin with it."""
    if own in ("my", "our", "the"):
        return (own.capitalize(),)
    if own and own not in _HIS:
        return (said[: said.index("s ") + 1],) if said.lower().startswith(own) else (own.title(),)
    if own:
        return (f"{who[0].upper()}{who[1:]}'s",) if who and who.lower() not in ("i", "we", "they", "he", "she") else ()
    if whom:
        return {"me": ("My",), "us": ("Our",)}.get(whom, ()) or (
            () if whom in ("him", "her", "them") else (f"{whom[0].upper()}{whom[1:]}'s",)
        )
    if who.lower() == "we":
        return ("Our",)
    if who.lower() in ("", "i"):
        return "My", "Our"
    return () if who.lower() in ("they", "he", "she") else (f"{who[0].upper()}{who[1:]}'s",)
