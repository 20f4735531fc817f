"""What people say of themselves, put into one plain sentence: "I pay 900 euros in rent" is "My rent is 900 euros".

Each rule makes the plain sentence out of pieces of the given one, so that the value stays in its place; that sentence
is judged like any other. The verb and the noun mean the same fact whoever says it and whenever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.complements import bare_words_of
from memstrata_integrations.extraction.sentences.dispatch import Dispatch
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.units import NUMBER_WORDS
from memstrata_integrations.words import word_set

__all__ = ["cores_of_people"]

_LONGEST = 160
_NUMBER = rf"(?:\d[\d.,:]*|(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?: and a half)?)"
_KIN = (
    r"(?:wife|husband|partner|mum|mom|mother|dad|father|brother|sister|son|daughter|boyfriend|girlfriend|aunt|uncle"
    r"|grandma|grandpa|boss|flatmate|roommate|boy|girl)"
)
_WHO = rf"(?P<who>I|[Ww]e|[Mm]y {_KIN}(?: [A-Z][\w’-]*)?|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)"
_WHOSE = rf"(?:(?P<mine>[Mm]y|[Oo]ur)|(?P<who>[Mm]y {_KIN}|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)['’]s)"
_AMOUNT = (
    r"(?:(?:[$€£]|[A-Z]{3} )\d[\d.,]*k?|\d[\d.,]*k? ?(?:[€£$]|euros?|dollars?|bucks|pounds|quid|francs|kroner|kronor"
    r"|[A-Z]{3})\b)"
)
_MONEY = rf"(?P<v>{_AMOUNT})"
_HEDGE = r"(?:(?:about|around|roughly|approximately|only|just|some|exactly|now) )?"
_TIME_SPAN = r"(?:minutes?|mins?|hours?|hrs?)"
_MONTHLY = r"(?: (?:a|per|each|every) month| monthly)?"
_YEARLY = r"(?: (?:a|per|each) year| yearly| annually| per annum)?"
_SUBSCRIBED = r"(?: (?:subscription|membership|plan|account|package))?"
_EVENT = r"(?P<event>\d+(?:\.\d+)? ?(?:k|km|m|miles?|metres|meters)|(?:half[- ])?marathon|mile|parkrun)"
_TRANSPORT = r"(?:flight|train|bus|coach|ferry|plane|boat|ship|shuttle|connection)"
_DELIVERY = r"(?:parcel|package|order|delivery|shipment|[a-z]+ delivery|[a-z]+ order|letter)"
_HAND_IN = r"(?:hand in|submit|turn in|finish|deliver|return|complete|file|send in|hand over)"
_BEST = r"(?:personal best|pb|PB|PR|personal record|best time|best|record|time)"
_PLACE = r"(?P<v>[A-Z][^,;:]*)"


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    plain: str
    needles: frozenset[str]


def _rule(needles: str, pattern: str, plain: str) -> _Rule:
    return _Rule(re.compile(pattern), plain, word_set(needles))


# {WHO} and {WHOSE} are who speaks or is spoken of, as a subject and as an owner; other braces are groups of the pattern
_RULES = (
    _rule("home", rf"{_WHOSE} (?:new )?home is (?P<in>in|at) (?P<v>[^,;:]+)\Z", "{WHO} {live} {in} {v}"),
    _rule("Home home", rf"(?:For me,? )?[Hh]ome is (?:in )?{_PLACE}\Z", "I live in {v}"),
    _rule("based", r"(?P<who>I|[Ww]e) (?:am|are) (?:now )?based in (?P<v>[A-Z][^,;:]*)\Z", "{WHO} {live} in {v}"),
    _rule("settled", rf"{_WHO} (?:have |has )?(?:settled|settled down) in {_PLACE}\Z", "{WHO} moved to {v}"),
    _rule(
        "address",
        rf"{_WHOSE} (?:home |postal |street )?address is (?P<v>(?:[A-Z][a-z]+ )?\d[^;:@]*)\Z",
        "{WHO} {live} at {v}",
    ),
    _rule("weight", rf"{_WHOSE} weight is (?:down to |up to |at )?(?P<v>\d[^,;:]*)\Z", "{WHO} {weigh} {v}"),
    _rule(
        "at down up",
        rf"{_WHO} (?:am|is|are|(?:have |has )?(?:got|gone|went)) (?:at|down to|up to) (?P<v>\d[\d.,]* ?(?:kg|kilos?"
        rf"|lbs?"
        r"|pounds|stone))\Z",
        "{WHO} {weigh} {v}",
    ),
    _rule(
        "commute",
        rf"{_WHOSE} commute (?:is|takes|lasts) {_HEDGE}(?:down to |up to )?(?P<v>{_NUMBER} {_TIME_SPAN})\Z",
        "{WHOSE} commute takes {v}",
    ),
    _rule(
        "takes",
        rf"It takes (?P<whom>me|us) {_HEDGE}(?P<v>{_NUMBER} {_TIME_SPAN}) to (?:get to work|get to the office"
        rf"|commute)\Z",
        "{WHOSE} commute takes {v}",
    ),
    _rule(
        "commute", rf"{_WHO} commute {_HEDGE}(?P<v>{_NUMBER} {_TIME_SPAN})(?: to work)?\Z", "{WHOSE} commute takes {v}"
    ),
    _rule(
        "charge charges bill bills",
        rf"{_WHO} (?:charges?|bills?) (?:my clients |clients )?{_HEDGE}(?P<v>{_AMOUNT} (?:an|per) hour)\Z",
        "{WHOSE} rate is {v}",
    ),
    _rule(
        "earn earns make makes paid",
        rf"{_WHO} (?:earns?|makes?|am paid|is paid|gets? paid) {_HEDGE}{_MONEY}(?: (?:a|per) year| annually"
        rf"| per annum)\Z",
        "{WHOSE} salary is {v}",
    ),
    _rule("salary", rf"{_WHOSE} (?:annual |yearly )?salary is {_MONEY}{_YEARLY}\Z", "{WHOSE} salary is {v}"),
    _rule("rent", rf"{_WHO} pays? {_HEDGE}{_MONEY}{_MONTHLY} (?:in|for|of) rent{_MONTHLY}\Z", "{WHOSE} rent is {v}"),
    _rule("rent", rf"{_WHO} pays? {_HEDGE}{_MONEY}{_MONTHLY} rent{_MONTHLY}\Z", "{WHOSE} rent is {v}"),
    _rule("rent", rf"{_WHOSE} (?:monthly )?rent (?:is|comes to|costs) {_MONEY}{_MONTHLY}\Z", "{WHOSE} rent is {v}"),
    _rule(
        "rent",
        rf"The (?:monthly )?rent (?:on|for|of) (?P<mine>my|our) (?:flat|apartment|house|room|place|studio) is "
        rf"{_MONEY}{_MONTHLY}\Z",
        "{WHOSE} rent is {v}",
    ),
    _rule(
        "pay paying pays",
        rf"{_WHO} (?:pays?|(?:am|is|are) paying) (?P<v>{_AMOUNT}(?: (?:an?|per|each) [a-z]+)?) for (?:my |our |the )?"
        rf"(?P<what>(?!rent\b)[A-Za-z][\w’'+-]*(?: [A-Z][\w’'+-]*)*(?: [a-z]+)??){_SUBSCRIBED}\Z",
        "{WHOSE} {what} costs {v}",
    ),
    _rule(
        "costs cost",
        rf"(?:[Mm]y |[Tt]he )?(?P<what>[A-Za-z][\w’'+-]*(?: [A-Z][\w’'+-]*)*(?: [a-z]+)??){_SUBSCRIBED} costs? "
        rf"(?P<whom>me|us) (?P<v>{_AMOUNT}(?: (?:an?|per|each) [a-z]+)?)\Z",
        "{WHOSE} {what} costs {v}",
    ),
    _rule(
        "subscription membership",
        rf"{_WHOSE} (?P<what>[A-Za-z][\w’'+-]*(?: [A-Z][\w’'+-]*)*) (?:subscription|membership) (?:is|costs|comes to) "
        rf"(?P<v>{_AMOUNT}(?: (?:an?|per|each) [a-z]+)?)\Z",
        "{WHOSE} {what} costs {v}",
    ),
    _rule(
        "sleep sleeps",
        rf"{_WHO} (?:sleeps?|gets?|(?:am|is) (?:up|down) to) {_HEDGE}(?P<v>{_NUMBER} hours)(?: of sleep)?"
        r"(?: (?:a|per|each|every) night)?\Z",
        "{WHOSE} sleep lasts {v}",
    ),
    _rule(
        "size",
        rf"{_WHO} (?:wears?|takes?|(?:am|is)) (?:an? )?size (?P<v>\d[\d.,½]*|[XSML]{{1,3}})(?: in)? (?P<what>shoe"
        rf"|dress|shirt"
        r"|trouser|boot|jean|glove|bra|hat|jacket|coat|ski boot)(?:e?s)?\Z",
        "{WHOSE} {what} size is {v}",
    ),
    _rule(
        "of on",
        rf"{_WHO} (?:takes?|(?:am|is) (?:on|taking)) (?P<v>\d[\d.,]* ?(?:mg|mcg|µg|ml|g|micrograms|milligrams"
        rf"|units)) of "
        r"(?P<what>[a-zA-Z][\w-]*)(?: daily| a day| per day| every day| once a day| once daily)?\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    _rule(
        "dose dosage",
        rf"{_WHOSE} (?:dose|dosage) of (?P<what>[a-zA-Z][\w-]*) is (?P<v>\d[\d.,]* ?[a-zµ]+)(?: daily| a day)?\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    _rule(
        "alarm",
        rf"{_WHOSE} (?:morning )?alarm (?:goes off at|rings at|is at|is set (?:to|at|for)|is"
        rf"|wakes me at) (?P<v>\S.*)\Z",
        "{WHOSE} alarm is set for {v}",
    ),
    _rule(
        "alarm",
        rf"{_WHO} (?:sets?|have set|has set|have|has|put) (?:my|our|his|her) (?:morning )?alarm (?:set )?(?:for|to|at) "
        r"(?P<v>\S.*)\Z",
        "{WHOSE} alarm is set for {v}",
    ),
    _rule(
        "passport visa permit licence license card insurance warranty membership ticket pass certificate",
        rf"{_WHOSE} (?P<what>(?:[a-z]+ ){{0,2}}(?:passport|visa|permit|licence|license|card|insurance|warranty"
        rf"|membership"
        r"|ticket|pass|certificate)) (?:runs out (?:in|on)|is (?:valid|good) (?:until|till|through)|lasts until"
        r"|expires (?:at the end of|in)) (?P<v>\S[^,;:]*)\Z",
        "{WHOSE} {what} expires in {v}",
    ),
    _rule(
        "contract lease tenancy contract placement internship visa",
        rf"{_WHOSE} (?P<what>(?:[a-z]+ ){{0,2}}(?:contract|lease|tenancy|placement|internship)) (?:(?:runs|goes|lasts)"
        r"(?: until| till| to| through)|ends (?:in|on)|runs out (?:in|on)|is (?:valid|extended|renewed) (?:until"
        r"|till|to)"
        r"|expires (?:in|on)|(?:has been|was) (?:extended|renewed) (?:until|till"
        r"|to)) (?:the end of )?(?P<v>\S[^,;:]*)\Z",
        "{WHOSE} {what} ends in {v}",
    ),
    _rule(
        "flight train bus coach ferry plane boat shuttle connection",
        rf"(?P<what>(?:[Mm]y|[Oo]ur|[A-Z][\w’-]*['’]s|[Tt]he) (?:[a-z]+ )?{_TRANSPORT}(?: (?:to|from|for) [A-Z][\w’-]*"
        r"(?: [A-Z][\w’-]*)?)?(?: home| back)?) (?:leaves|departs|goes|takes off|sets off"
        r"|is) at (?P<v>\d\S*(?: ?[ap]m)?)\Z",
        "{what} departs at {v}",
    ),
    _rule(
        "fly flies flying",
        rf"{_WHO} (?:fly|flies|am flying"
        rf"|is flying) to (?P<where>[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) at (?P<v>\d\S*(?: ?[ap]m)?)\Z",
        "{WHOSE} flight to {where} departs at {v}",
    ),
    _rule(
        "parcel package order delivery shipment letter",
        rf"(?P<what>(?:[Mm]y|[Oo]ur|[A-Z][\w’-]*['’]s"
        rf"|[Tt]he) {_DELIVERY}(?: from [A-Z][\w’-]*)?) (?:(?:will )?(?:now )?"
        r"(?:arrives?|comes?|be delivered|gets? here|be here)|is (?:coming|arriving|scheduled|expected|due|delivered))"
        r"(?: (?:on|for))? (?P<v>(?:the )?(?:\d|[A-Z])[^,;:]*)\Z",
        "{what} is due on {v}",
    ),
    _rule(
        "until by",
        rf"{_WHO} (?:have|has) until (?P<v>\S+(?: \S+)?) to {_HAND_IN} (?P<what>(?:my|our|his"
        rf"|her) [a-z]+(?: [a-z]+)?)\Z",
        "{OWNED} is due on {v}",
    ),
    _rule(
        "by",
        rf"{_WHO} (?:have to|has to|must|needs? to) {_HAND_IN} (?P<what>(?:my|our|his|her) [a-z]+(?: [a-z]+)?) by "
        r"(?P<v>\S[^,;:]*)\Z",
        "{OWNED} is due on {v}",
    ),
    _rule(
        "best pb PB PR record time",
        rf"{_WHOSE} (?:new )?{_EVENT} {_BEST} is (?P<v>\d[\d:.]*\d)(?: (?:minutes|hours))?\Z",
        "{WHOSE} {event} record stands at {v}",
    ),
    _rule(
        "best pb PB PR record time",
        rf"{_WHOSE} {_BEST} (?:for|over|in|on|at) (?:the |a )?{_EVENT} is (?P<v>\d[\d:.]*\d)(?: (?:minutes|hours))?\Z",
        "{WHOSE} {event} record stands at {v}",
    ),
    _rule(
        "best",
        rf"{_WHOSE} (?:new )?best {_EVENT}(?: time)? is (?P<v>\d[\d:.]*\d)(?: (?:minutes|hours))?\Z",
        "{WHOSE} {event} record stands at {v}",
    ),
    _rule(
        "my",
        rf"(?P<name>[A-Z][\w’-]*), my (?P<kin>{_KIN}), (?P<rest>[a-z][^;:]+)\Z",
        "My {kin} {name} {rest}",
    ),
    _rule(
        "owe owes",
        rf"{_WHO} owes? (?P<whom_owed>[A-Z][\w’-]*|my [a-z]+) (?P<v>{_AMOUNT})\Z",
        "{WHOSE} debt to {whom_owed} is {v}",
    ),
    _rule(
        "become became is",
        r"[Tt]he (?P<v>[a-z][\w’'-]*(?: [a-z][\w’'-]*){0,3}) (?:has become|became|is) (?P<what>(?:my|our"
        r"|[A-Z][\w’-]*['’]s) (?:new )?"
        r"(?:favourite|favorite|go-to|usual|preferred) [a-z]+(?: [a-z]+)?)\Z",
        "{what} is the {v}",
    ),
    _rule(
        "Make make",
        r"(?:[Pp]lease )?[Mm]ake (?P<v>(?:my [a-z]+ )?[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?P<what>(?:my"
        r"|our) [a-z]+(?: [a-z]+)?)\Z",
        "{what} is {v}",
    ),
    _rule(
        "up down",
        rf"{_WHOSE} (?P<what>[a-z][\w’'-]*(?: [a-z][\w’'-]*){{0,3}}) is (?:back )?(?:up"
        rf"|down) to (?P<v>[$€£]?\d[^,;:]*)\Z",
        "{WHOSE} {what} is {v}",
    ),
    _rule(
        "pay pays",
        rf"{_WHO} pays? (?P<what>(?:my|our|the) [a-z]+) (?P<v>{_AMOUNT}(?: (?:an?|per|each) [a-z]+)?)\Z",
        "{What}'s pay is {v}",
    ),
    _rule(
        "run runs swim swims cycle cycles",
        rf"{_WHO} (?:runs?|swims?|cycles?) (?:the |a )?{_EVENT} in (?P<v>\d[\d:.]*\d(?: (?:minutes|hours))?)\Z",
        "{WHOSE} {event} time is {v}",
    ),
    _rule(
        "improved lowered beat cut bettered broke",
        rf"{_WHO} (?:have |has )?(?:just )?(?:improved|lowered|beat|beaten|cut|bettered|broke|broken) (?:my|his|her"
        rf"|our) "
        rf"{_EVENT} {_BEST}(?: (?:down )?(?:to|with)|, it['’]s|: it['’]s) (?P<v>\d[\d:.]*\d)\Z",
        "{WHOSE} {event} record stands at {v}",
    ),
    _rule(
        "best most",
        r"The (?P<what>[a-z-]+(?: [a-z-]+)?) (?:that )?(?P<who>I|we) (?:like|love|enjoy|prefer) (?:the )?(?:best"
        r"|most) is "
        r"(?P<v>\S.*)\Z",
        "{WHOSE} favourite {what} is {v}",
    ),
    _rule(
        "leads runs heads manages",
        r"(?P<v>[A-Z][\w’-]*(?: [A-Z][\w’-]*){0,2}) (?:leads|heads) (?P<mine>my|our) team\Z",
        "{WHOSE} team lead is {v}",
    ),
    _rule(
        "led headed",
        r"(?P<mine>[Mm]y|[Oo]ur) team is (?:led|headed) by (?P<v>[A-Z][\w’-]*(?: [A-Z][\w’-]*){0,2})\Z",
        "{WHOSE} team lead is {v}",
    ),
    _rule(
        "started entered began begun reached up",
        rf"{_WHO} (?:have |has )?(?:just )?(?:started|entered|began|begun|reached|moved up to|gone into|went into"
        rf"|gone up to) "
        r"(?:in )?(?:the )?(?P<v>(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd"
        r"|th)) "
        r"(?:grade|year|form|class|semester)|(?:[Yy]ear|[Gg]rade|[Cc]lass) \d+)\Z",
        "{WHO} {be} in {v}",
    ),
)
_FITTING = Dispatch(tuple((rule, rule.needles) for rule in _RULES))
_GROUP = re.compile(r"\{(\w+)\}")
_CHANGING = frozenset(("started", "up", "improved", "Make"))
_THIRD = {"live": "lives", "weigh": "weighs", "be": "is"}


def cores_of_people(core: Core) -> Iterator[Core]:
    """Yield the plain sentence that a sentence about a person stands for.

    Example:
        >>> [c.text for c in cores_of_people(Core("I pay 900 euros a month in rent", None, 0, False, ""))]
        ['My rent is 900 euros']
    """
    if len(core.text) > _LONGEST:
        return
    for rule in _FITTING(bare_words_of(core.text)):
        match = rule.pattern.match(core.text)
        if match is not None:
            pieces = [piece if n % 2 == 0 else _piece(piece, match) for n, piece in enumerate(_GROUP.split(rule.plain))]
            made = put(core, tuple(p for p in pieces if p))
            yield made._replace(changed=True) if not _CHANGING.isdisjoint(rule.needles) else made
            return


def _piece(name: str, match: re.Match[str]) -> str | tuple[int, int]:
    said = match.groupdict()
    who = said.get("who") or {"me": "I", "us": "We"}.get(said.get("whom") or "", "")
    mine = said.get("mine") or ""
    speaker = who or ("I" if mine.lower() == "my" else "We")
    if name == "WHO":
        return speaker
    if name in _THIRD:
        plural = speaker in ("I", "We", "we")
        return _THIRD[name] if not plural else name if name != "be" else "am" if speaker == "I" else "are"
    if name == "WHOSE":
        return {"i": "My", "we": "Our"}.get(who.lower()) or (f"{who}'s" if who else mine.capitalize())
    if name == "What":
        return said["what"].capitalize()
    if name == "OWNED":
        _, _, what = said["what"].partition(" ")
        return f"{'My' if who == 'I' else 'Our' if who.lower() == 'we' else f'{who}’s'} {what}"
    return match.span(name)
