"""What people say of themselves, put into one plain sentence: "I pay 900 euros in rent" is "My rent is 900 euros".

Each rule makes the plain sentence out of pieces of the given one, so that the value stays in its place; that sentence
is judged like any other. The verb and the noun mean the same fact whoever says it and whenever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.complements import bare_words_of
from memstrata_integrations.extraction.sentences.dispatch import Dispatch
from memstrata_integrations.extraction.sentences.more_of_people import MORE_RULES
from memstrata_integrations.extraction.sentences.pieces_of_people import (
    AMOUNT,
    BEST,
    DELIVERY,
    EVENT,
    HAND_IN,
    HEDGE,
    MONEY,
    MONTHLY,
    NUMBER,
    PLACE,
    SUBSCRIBED,
    TIME_SPAN,
    TRANSPORT,
    WHO,
    WHOSE,
    YEARLY,
    rule_of,
)
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.states_of_days import RULES_OF_DAYS
from memstrata_integrations.extraction.sentences.wording import Core

__all__ = ["cores_of_people"]

_LONGEST = 160
# {WHO} and {WHOSE} are who speaks or is spoken of, as a subject and as an owner; other braces are groups of the pattern
_RULES = (
    rule_of("home", rf"{WHOSE} (?:new )?home is (?P<in>in|at) (?P<v>[^,;:]+)\Z", "{WHO} {live} {in} {v}"),
    rule_of("Home home", rf"(?:For me,? )?[Hh]ome is (?:in )?{PLACE}\Z", "I live in {v}"),
    rule_of("based", r"(?P<who>I|[Ww]e) (?:am|are) (?:now )?based in (?P<v>[A-Z][^,;:]*)\Z", "{WHO} {live} in {v}"),
    rule_of("settled", rf"{WHO} (?:have |has )?(?:settled|settled down) in {PLACE}\Z", "{WHO} moved to {v}"),
    rule_of(
        "address",
        rf"{WHOSE} (?:home |postal |street )?address is (?P<v>(?:[A-Z][a-z]+ )?\d[^;:@]*)\Z",
        "{WHO} {live} at {v}",
    ),
    rule_of("weight", rf"{WHOSE} weight is (?:down to |up to |at )?(?P<v>\d[^,;:]*)\Z", "{WHO} {weigh} {v}"),
    rule_of(
        "at down up",
        rf"{WHO} (?:am|is|are|(?:have |has )?(?:got|gone|went)) (?:at|down to|up to) (?P<v>\d[\d.,]* ?(?:kg|kilos?"
        rf"|lbs?"
        r"|pounds|stone))\Z",
        "{WHO} {weigh} {v}",
    ),
    rule_of(
        "commute",
        rf"{WHOSE} commute (?:is|takes|lasts) {HEDGE}(?:down to |up to )?(?P<v>{NUMBER} {TIME_SPAN})\Z",
        "{WHOSE} commute takes {v}",
    ),
    rule_of(
        "takes",
        rf"It takes (?P<whom>me|us) {HEDGE}(?P<v>{NUMBER} {TIME_SPAN}) to (?:get to work|get to the office"
        rf"|commute)\Z",
        "{WHOSE} commute takes {v}",
    ),
    rule_of(
        "commute", rf"{WHO} commute {HEDGE}(?P<v>{NUMBER} {TIME_SPAN})(?: to work)?\Z", "{WHOSE} commute takes {v}"
    ),
    rule_of(
        "charge charges bill bills",
        rf"{WHO} (?:charges?|bills?) (?:my clients |clients )?{HEDGE}(?P<v>{AMOUNT} (?:an|per) hour)\Z",
        "{WHOSE} rate is {v}",
    ),
    rule_of(
        "earn earns make makes paid",
        rf"{WHO} (?:earns?|makes?|am paid|is paid|gets? paid) {HEDGE}{MONEY}(?: (?:a|per) year| annually"
        rf"| per annum)\Z",
        "{WHOSE} salary is {v}",
    ),
    rule_of("salary", rf"{WHOSE} (?:annual |yearly )?salary is {MONEY}{YEARLY}\Z", "{WHOSE} salary is {v}"),
    rule_of("rent", rf"{WHO} pays? {HEDGE}{MONEY}{MONTHLY} (?:in|for|of) rent{MONTHLY}\Z", "{WHOSE} rent is {v}"),
    rule_of("rent", rf"{WHO} pays? {HEDGE}{MONEY}{MONTHLY} rent{MONTHLY}\Z", "{WHOSE} rent is {v}"),
    rule_of("rent", rf"{WHOSE} (?:monthly )?rent (?:is|comes to|costs) {MONEY}{MONTHLY}\Z", "{WHOSE} rent is {v}"),
    rule_of(
        "rent",
        rf"The (?:monthly )?rent (?:on|for|of) (?P<mine>my|our) (?:flat|apartment|house|room|place|studio) is "
        rf"{MONEY}{MONTHLY}\Z",
        "{WHOSE} rent is {v}",
    ),
    rule_of(
        "pay paying pays",
        rf"{WHO} (?:pays?|(?:am|is|are) paying) (?P<v>{AMOUNT}(?: (?:an?|per|each) [a-z]+)?) for (?:my |our |the )?"
        rf"(?P<what>(?!rent\b)[A-Za-z][\w’'+-]*(?: [A-Z][\w’'+-]*)*(?: [a-z]+)??){SUBSCRIBED}\Z",
        "{WHOSE} {what} costs {v}",
    ),
    rule_of(
        "costs cost",
        rf"(?:[Mm]y |[Tt]he )?(?P<what>[A-Za-z][\w’'+-]*(?: [A-Z][\w’'+-]*)*(?: [a-z]+)??){SUBSCRIBED} costs? "
        rf"(?P<whom>me|us) (?P<v>{AMOUNT}(?: (?:an?|per|each) [a-z]+)?)\Z",
        "{WHOSE} {what} costs {v}",
    ),
    rule_of(
        "subscription membership",
        rf"{WHOSE} (?P<what>[A-Za-z][\w’'+-]*(?: [A-Z][\w’'+-]*)*) (?:subscription|membership) (?:is|costs|comes to) "
        rf"(?P<v>{AMOUNT}(?: (?:an?|per|each) [a-z]+)?)\Z",
        "{WHOSE} {what} costs {v}",
    ),
    rule_of(
        "sleep sleeps",
        rf"{WHO} (?:sleeps?|gets?|(?:am|is) (?:up|down) to) {HEDGE}(?P<v>{NUMBER} hours)(?: of sleep)?"
        r"(?: (?:a|per|each|every) night)?\Z",
        "{WHOSE} sleep lasts {v}",
    ),
    rule_of(
        "size",
        rf"{WHO} (?:wears?|takes?|(?:am|is)) (?:an? )?size (?P<v>\d[\d.,½]*|[XSML]{{1,3}})(?: in)? (?P<what>shoe"
        rf"|dress|shirt"
        r"|trouser|boot|jean|glove|bra|hat|jacket|coat|ski boot)(?:e?s)?\Z",
        "{WHOSE} {what} size is {v}",
    ),
    rule_of(
        "of",
        rf"{WHO} (?:takes?|(?:am|is) (?:on|taking)) (?P<v>\d[\d.,]* ?(?:mg|mcg|µg|ml|g|micrograms|milligrams"
        rf"|units)) of "
        r"(?P<what>[a-zA-Z][\w-]*)(?: daily| a day| per day| every day| once a day| once daily)?\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    rule_of(
        "dose dosage",
        rf"{WHOSE} (?:dose|dosage) of (?P<what>[a-zA-Z][\w-]*) is (?P<v>\d[\d.,]* ?[a-zµ]+)(?: daily| a day)?\Z",
        "{WHOSE} {what} dose is {v}",
    ),
    rule_of(
        "alarm",
        rf"{WHOSE} (?:morning )?alarm (?:goes off at|rings at|is at|is set (?:to|at|for)|is"
        rf"|wakes me at) (?P<v>\S.*)\Z",
        "{WHOSE} alarm is set for {v}",
    ),
    rule_of(
        "alarm",
        rf"{WHO} (?:sets?|have set|has set|have|has|put) (?:my|our|his|her) (?:morning )?alarm (?:set )?(?:for|to|at) "
        r"(?P<v>\S.*)\Z",
        "{WHOSE} alarm is set for {v}",
    ),
    rule_of(
        "passport visa permit licence license card insurance warranty membership ticket pass certificate",
        rf"{WHOSE} (?P<what>(?:[a-z]+ ){{0,2}}(?:passport|visa|permit|licence|license|card|insurance|warranty"
        rf"|membership"
        r"|ticket|pass|certificate)) (?:runs out (?:in|on)|is (?:valid|good) (?:until|till|through)|lasts until"
        r"|expires (?:at the end of|in)) (?P<v>\S[^,;:]*)\Z",
        "{WHOSE} {what} expires in {v}",
    ),
    rule_of(
        "contract lease tenancy contract placement internship visa",
        rf"{WHOSE} (?P<what>(?:[a-z]+ ){{0,2}}(?:contract|lease|tenancy|placement|internship)) (?:(?:runs|goes|lasts)"
        r"(?: until| till| to| through)|ends (?:in|on)|runs out (?:in|on)|is (?:valid|extended|renewed) (?:until"
        r"|till|to)"
        r"|expires (?:in|on)|(?:has been|was) (?:extended|renewed) (?:until|till"
        r"|to)) (?:the end of )?(?P<v>\S[^,;:]*)\Z",
        "{WHOSE} {what} ends in {v}",
    ),
    rule_of(
        "flight train bus coach ferry plane boat shuttle connection",
        rf"(?P<what>(?:[Mm]y|[Oo]ur|[A-Z][\w’-]*['’]s|[Tt]he) (?:[a-z]+ )?{TRANSPORT}(?: (?:to|from|for) [A-Z][\w’-]*"
        r"(?: [A-Z][\w’-]*)?)?(?: home| back)?) (?:leaves|departs|goes|takes off|sets off"
        r"|is) at (?P<v>\d\S*(?: ?[ap]m)?)\Z",
        "{what} departs at {v}",
    ),
    rule_of(
        "fly flies flying",
        rf"{WHO} (?:fly|flies|am flying"
        rf"|is flying) to (?P<where>[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) at (?P<v>\d\S*(?: ?[ap]m)?)\Z",
        "{WHOSE} flight to {where} departs at {v}",
    ),
    rule_of(
        "parcel package order delivery shipment letter",
        rf"(?P<what>(?:[Mm]y|[Oo]ur|[A-Z][\w’-]*['’]s"
        rf"|[Tt]he) {DELIVERY}(?: from [A-Z][\w’-]*)?) (?:(?:will )?(?:now )?"
        r"(?:arrives?|comes?|be delivered|gets? here|be here)|is (?:coming|arriving|scheduled|expected|due|delivered))"
        r"(?: (?:on|for))? (?P<v>(?:the )?(?:\d|[A-Z])[^,;:]*)\Z",
        "{what} is due on {v}",
    ),
    rule_of(
        "until by",
        rf"{WHO} (?:have|has) until (?P<v>\S+(?: \S+)?) to {HAND_IN} (?P<what>(?:my|our|his"
        rf"|her) [a-z]+(?: [a-z]+)?)\Z",
        "{OWNED} is due on {v}",
    ),
    rule_of(
        "by",
        rf"{WHO} (?:have to|has to|must|needs? to) {HAND_IN} (?P<what>(?:my|our|his|her) [a-z]+(?: [a-z]+)?) by "
        r"(?P<v>\S[^,;:]*)\Z",
        "{OWNED} is due on {v}",
    ),
    rule_of(
        "best pb PB PR record time",
        rf"{WHOSE} (?:new )?{EVENT} {BEST} is (?P<v>\d[\d:.]*\d)(?: (?:minutes|hours))?\Z",
        "{WHOSE} {event} record stands at {v}",
    ),
    rule_of(
        "best pb PB PR record time",
        rf"{WHOSE} {BEST} (?:for|over|in|on|at) (?:the |a )?{EVENT} is (?P<v>\d[\d:.]*\d)(?: (?:minutes|hours))?\Z",
        "{WHOSE} {event} record stands at {v}",
    ),
    rule_of(
        "best",
        rf"{WHOSE} (?:new )?best {EVENT}(?: time)? is (?P<v>\d[\d:.]*\d)(?: (?:minutes|hours))?\Z",
        "{WHOSE} {event} record stands at {v}",
    ),
    rule_of(
        "my our",
        r"(?P<name>[A-Z][\w’-]*), (?P<own>my|our) (?P<kin>[a-z-]+(?: [a-z-]+)?), (?P<rest>[a-z][^;:]+)\Z",
        "{Own} {kin} {name} {rest}",
    ),
    rule_of(
        "owe owes",
        rf"{WHO} owes? (?P<whom_owed>[A-Z][\w’-]*|my [a-z]+) (?P<v>{AMOUNT})\Z",
        "{WHOSE} debt to {whom_owed} is {v}",
    ),
    rule_of(
        "favourite favorite go-to usual preferred",
        r"[Tt]he (?P<v>[a-z][\w’'-]*(?: [a-z][\w’'-]*){0,3}) (?:has become|became|is) (?P<what>(?:my|our"
        r"|[A-Z][\w’-]*['’]s) (?:new )?"
        r"(?:favourite|favorite|go-to|usual|preferred) [a-z]+(?: [a-z]+)?)\Z",
        "{what} is the {v}",
    ),
    rule_of(
        "Make make",
        r"(?:[Pp]lease )?[Mm]ake (?P<v>(?:my [a-z]+ )?[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?P<what>(?:my"
        r"|our) [a-z]+(?: [a-z]+)?)\Z",
        "{what} is {v}",
    ),
    rule_of(
        "up down",
        rf"{WHOSE} (?P<what>[a-z][\w’'-]*(?: [a-z][\w’'-]*){{0,3}}) is (?:back )?(?:up"
        rf"|down) to (?P<v>[$€£]?\d[^,;:]*)\Z",
        "{WHOSE} {what} is {v}",
    ),
    rule_of(
        "pay pays",
        rf"{WHO} pays? (?P<what>(?:my|our|the) [a-z]+) (?P<v>{AMOUNT}(?: (?:an?|per|each) [a-z]+)?)\Z",
        "{What}'s pay is {v}",
    ),
    rule_of(
        "run runs swim swims cycle cycles",
        rf"{WHO} (?:runs?|swims?|cycles?) (?:the |a )?{EVENT} in (?P<v>\d[\d:.]*\d(?: (?:minutes|hours))?)\Z",
        "{WHOSE} {event} time is {v}",
    ),
    rule_of(
        "improved lowered beat cut bettered broke",
        rf"{WHO} (?:have |has )?(?:just )?(?:improved|lowered|beat|beaten|cut|bettered|broke|broken) (?:my|his|her"
        rf"|our) "
        rf"{EVENT} {BEST}(?: (?:down )?(?:to|with)|, it['’]s|: it['’]s) (?P<v>\d[\d:.]*\d)\Z",
        "{WHOSE} {event} record stands at {v}",
    ),
    rule_of(
        "best most",
        r"The (?P<what>[a-z-]+(?: [a-z-]+)?) (?:that )?(?P<who>I|we) (?:like|love|enjoy|prefer) (?:the )?(?:best"
        r"|most) is "
        r"(?P<v>\S.*)\Z",
        "{WHOSE} favourite {what} is {v}",
    ),
    rule_of(
        "leads runs heads manages",
        r"(?P<v>[A-Z][\w’-]*(?: [A-Z][\w’-]*){0,2}) (?:leads|heads) (?P<mine>my|our) team\Z",
        "{WHOSE} team lead is {v}",
    ),
    rule_of(
        "led headed",
        r"(?P<mine>[Mm]y|[Oo]ur) team is (?:led|headed) by (?P<v>[A-Z][\w’-]*(?: [A-Z][\w’-]*){0,2})\Z",
        "{WHOSE} team lead is {v}",
    ),
    rule_of(
        "started entered began begun reached up",
        rf"{WHO} (?:have |has )?(?:just )?(?:started|entered|began|begun|reached|moved up to|gone into|went into"
        rf"|gone up to) "
        r"(?:in )?(?:the )?(?P<v>(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd"
        r"|th)) "
        r"(?:grade|year|form|class|semester)|(?:[Yy]ear|[Gg]rade|[Cc]lass) \d+)\Z",
        "{WHO} {be} in {v}",
    ),
)
_FITTING = Dispatch(tuple((rule, rule.needles) for rule in (*_RULES, *MORE_RULES, *RULES_OF_DAYS)))
_GROUP = re.compile(r"\{(\w+)\}")
_CHANGING = frozenset(("started", "up", "improved", "Make", "from", "put", "raised"))
_THIRD = {"live": "lives", "weigh": "weighs", "be": "is", "work": "works", "drive": "drives"}


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
        return f"{said['what'][0].upper()}{said['what'][1:]}"
    if name == "Own":
        return said["own"].capitalize()
    if name == "is":
        return " is" if said["is"] else ""
    if name == "OWNED":
        _, _, what = said["what"].partition(" ")
        return f"{'My' if who == 'I' else 'Our' if who.lower() == 'we' else f'{who}’s'} {what}"
    return match.span(name)
