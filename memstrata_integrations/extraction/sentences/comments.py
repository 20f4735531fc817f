"""What people say before and behind a fact and that is none: "Oh, by the way, ...", "..., which is a relief".

A comment neither belongs to the key nor changes what is asserted. Only closed phrases are comments: a condition, a
doubt, a restriction or a second statement is none, and stays with the sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.corrections import behind_correction
from memstrata_integrations.words import holds_any, word_set

__all__ = ["Spoken", "spoken_part", "written_part"]


class Spoken(NamedTuple):
    """Where a sentence says its fact.

    Attributes:
        start: Where it starts, behind the comments.
        end: Where it ends, before the comments.
        changed: Whether a comment announces a change.
    """

    start: int
    end: int
    changed: bool


_MOST = 3  # comments on one side
_SUBJECT = (
    r"(?=(?-i:I|[Aa]n?|[Ee]ach|[Ee]very|[Ww]e|[Mm]y|[Oo]ur|[Tt]he|[Ss]he|[Hh]e|[Tt]hey|[Ii]t|[Tt]here"
    r"|[A-Z`][\w’'`-]*)\b)"
)
# What writers of documents put before a fact: no word of these tells of which thing they speak
_WRITTEN = (
    r"for (?!this|that|these|the )[a-z-]+(?: [a-z]+)? reasons?"
    r"|as an? (?:result|consequence)|therefore|thus|hence|consequently|accordingly|for (?:this|that|these) reasons?"
    r"|in addition|additionally|furthermore|moreover|in other words|to be clear|at the time of writing"
    r"|as (?:described|mentioned|noted|stated|explained|shown|outlined|documented) (?:above|below|earlier|before"
    r"|elsewhere|in [^,;:]{2,40})"
)
# At the start of a sentence, with what stops them
_PAUSED = (
    r"by the way|btw|fyi|f\.y\.i\.|(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|morning)(?: there)?(?: all"
    r"| team| both"
    r"| everyone| everybody| folks| colleagues)?|(?:team|folks|everyone|everybody|guys|colleagues|friends)(?=[,!])"
    r"|(?:heads[- ]up|update|correction|announcement|news|reminder|notice|psa|attention)(?= [–—-] )"
    r"|(?:new|changed)(?=: (?-i:The|Our|My|We|I) )|p\.?p?\.?s\.?|edit|yes|yep|yeah|indeed|in fact"
    r"|as (?:it|things) stands?"
    r"|(?:oh|ah|hm+|well|okay|ok|right|alright|hey|hi|hello|listen|look|sorry|so|and"
    r"|also|anyway"
    r"|anyways|plus|incidentally|again|besides)(?:,? (?:and|so|well|also|by the way|btw))?"
    r"|ugh|argh|phew|yay|hooray|hurray|yikes|oops|whoops|funny|typical|annoyingly|bad luck|lucky me|no joke"
    r"|unfortunately|sadly|luckily|thankfully|fortunately|happily|regrettably|finally|surprisingly|amazingly|at last"
    r"|at long last|believe it or not|strangely enough|funnily enough|in other news|on another note|on that note"
    r"|on a different note|on a side note|side note|speaking of which|about that|regarding that|to be precise"
    r"|to be exact"
    r"|one (?:more|other|last) thing|another thing|quick (?:note|one|heads-up)|just a (?:quick )?(?:note|heads-up"
    r"|reminder)"
    r"|long story short|to (?:cut|make) a long story short|in short|for your (?:information|records|notes|files)"
    r"|for the (?:record|records)|in case you (?:were|are) wondering|in case it (?:matters|helps)|as (?:I"
    r"|we) (?:said|mentioned)"
    r"|as (?:promised|discussed|agreed|mentioned|requested|expected|you know)|as it (?:happens|turns out)"
    r"|you (?:won['’]t|will not) believe (?:it|this)|would you believe it|what can I say|if you must know"
    r"|after (?:(?:months|weeks|days|years|ages|hours) of|a lot of|lots of|much|a long|some|a bit of|plenty of|endless)"
    r" (?:[a-z]+ )?(?:waiting|thought|search|searching|thinking|back and forth|deliberation|discussion|discussions"
    r"|hesitation"
    r"|consideration|debate|trouble|delays?|trying|dithering|nagging|wait|hunt|hunting|planning|soul-searching"
    r"|research)"
    r"|forgot to (?:say|mention|add|tell you)|(?:just )?(?:letting you know|to let you know)"
    r"|as (?:I|we) told you(?: [a-z ]{2,20})?|as (?:planned|announced|hoped)(?: [a-z ]{2,20})?"
    r"|(?:thanks to|because of|due to|owing to) (?:an?|the|my|our|his|her|some) [^,;:\d]{2,30}"
    r"|now that (?:I|we|he|she|they|it|the|my|our) [^,;:\d]{3,50}"
    rf"|{_WRITTEN}"
    r"|(?:big|moving|great|exciting|sad) day(?: today)?"
    r"|just so (?:it['’]s|it is|this is|that['’]s|you|we|everyone|nobody) [^,;:\d]{2,40}"
    r"|for (?:anyone|everyone|those|anybody|whoever) (?:still )?(?:joining|wondering|asking|interested"
    r"|keeping track|following|reading|catching up|who (?:missed|asked|wondered|cares?))[^,;:\d]{0,30}"
    r"|in case (?:anyone|anybody|someone"
    r"|you) (?:asks?|wonders?|forgot|missed|cares?|needs?)[^,;:\d]{0,25}|while (?:I|we) remember|before (?:I|we) forget"
)
# These say that something else was so before
_PAUSED_CHANGES = (
    r"(?:scratch|forget|ignore|disregard|strike) (?:that|the (?:last|old) (?:one|bit|note)|what I (?:said"
    r"|told you|wrote)"
    r"(?: before| earlier| last time| yesterday| last week)?)|my (?:mistake|bad|error|apologies)|correction"
    r"|I (?:was wrong"
    r"|misspoke|got (?:that|it) wrong|mixed (?:that|it) up)|(?:plans|things|times|everything)(?: have|['’]ve)? changed"
    r"|a lot has changed|something(?:['’]s| has)? changed|(?:that|this|it)(?:['’]s| is| has)? (?:no longer (?:right"
    r"|true|correct"
    r"|valid|so)|out of date|outdated|wrong|changed|not right any ?more|old news|history)|guess what|we did it|I did it"
    r"|(?:it['’]s|it is) (?:official|done|settled|decided|final)|(?:I|we)(?:['’]ve| have) decided|good (?:news|call)"
    r"|not any ?more|things are different now"
    r"|new (?:year|month|week|season|term|chapter|start|era|plan)(?:, new [a-z]+)?|change of (?:plans?|heart|mind"
    r"|scene)"
)
_INSTEAD = r"instead of (?:at |on )?(?:[^,;:]|(?<=\d)[,:](?=\d)){1,40}, (?=(?-i:my|our|the|[A-Z][\w’-]*['’]s)\b)"
_BUT = (
    r"(?:it took [^,;:\d]{2,30}|I know (?:I|that I) [^,;:\d]{2,30}|(?:I|we) (?:said|told you) (?:something (?:else"
    r"|different)|otherwise)"
    r"[^,;:\d]{0,20}|(?:I|we) (?:loved|liked) (?:it|the old one)),? but (?=\S)"
)
_LINKED = (
    r"(?:(?:it )?turns out|(?:I|we) can confirm|(?:(?:(?:I|we|they)(?:['’]ve| have)?|it(?:['’]s| has)? (?:been|was|is)"
    r"|it is) (?:just |now |finally )?(?:decided|agreed|settled|confirmed)"
    r"|(?:just )?(?:an? )?(?:quick |small |friendly |gentle )?reminder)(?= that )"
    r"|(?:this|which|that) (?:also )?means|(?:it|from this it) follows"
    r"|just (?:letting you know|to let you know|so you know)|(?:I|we) (?:just )?(?:wanted|want"
    r"|need|have)"
    r" to (?:tell you|let you know|say|mention|add|report)|(?:I|we) (?:should|must) (?:mention|add|say|tell you|note)"
    r"|(?:I|we) forgot to (?:mention|say|tell you|add)|forgot to (?:mention|say|tell you)|did I (?:mention|tell you"
    r"|say)"
    r"|(?:I['’]m |I am |we['’]re |we are )?(?:happy|pleased|glad|delighted|proud|thrilled|sorry|sad"
    r"|excited) to (?:say|report"
    r"|announce|tell you|share|inform you|confirm)|(?:could|can|would|will) you (?:please )?(?:note|remember|save"
    r"|record"
    r"|write down|note down|jot down|make a note|keep in mind|take note)|please (?:note|remember|keep in mind"
    r"|be aware|save"
    r"|record|write down|make a note|take note|bear in mind)|(?:they|she|he|the [a-z]+|my [a-z]+|[A-Z][a-z]+)"
    r"(?: have| has|['’]ve|['’]s)? (?:just )?(?:confirmed|let (?:me|us) know|informed (?:me|us)))"
)
_LEAD = re.compile(
    rf"(?:\[(?:update|edit|fyi|note|news|change|correction|announcement)\]:? (?=\S)"
    rf"|(?:{_PAUSED}|(?P<news>{_PAUSED_CHANGES}))(?:[,:;.!–—]+| [–—-]+) (?=\S)"
    rf"|(?:so|and|oh|ok so|okay so|and so|oh and|right so|well so|but now)(?<!but now) {_SUBJECT}"
    rf"|(?P<but>{_BUT}|{_INSTEAD})|(?P<linked>{_LINKED})(?:(?: that)? {_SUBJECT}|[,:] (?=\S)))",
    re.IGNORECASE,
)
_CONFIRMING = (" confirmed", " let ", " informed")  # "the landlord just confirmed": no other comment opens with "the"
_LEAD_WORDS = word_set(
    "by btw fyi f.y.i oh ah hm hmm well okay ok right alright hey hi hello listen look sorry so and also anyway "
    "anyways "
    "ugh argh phew yay hooray hurray yikes oops whoops funny typical annoyingly bad lucky no "
    "plus incidentally again besides unfortunately sadly luckily thankfully fortunately happily regrettably finally "
    "surprisingly amazingly at believe strangely funnily in on side speaking about regarding to one another quick just "
    "long for as you would what if after forgot letting scratch forget ignore disregard strike my correction i plans "
    "things times everything a something that this it guess we good new change turns did i'm i’m we're we’re happy "
    "pleased glad delighted proud thrilled sad excited could can will please they she he the that's that’s it's it’s "
    "i've i’ve we've we’ve thanks instead while before because due owing now to big moving great not which from "
    "heads update announcement news notice psa attention changed dear good morning p.s ps p.p.s edit yes yep yeah "
    "indeed team folks everyone everybody guys colleagues friends reminder they "
    "[update] [edit] [fyi] [note] [news] [change] [correction] [announcement] therefore thus hence consequently "
    "accordingly additionally furthermore moreover"
)
_FEELING = (
    r"(?:(?:what|such) )?(?:an? )?(?:(?:big|huge|welcome|nice|great|real|lovely|small|major|pleasant|massive|total"
    r"|long overdue"
    r"|much-needed|bit of an?) )?(?:change|relief|surprise|improvement|difference|pity|shame|bargain|steal|upgrade"
    r"|treat"
    r"|bummer|win|result|story|adventure|nuisance|luxury)"
)
_BETTER = (
    r"(?:(?:much|so much|far|a lot|way|even|a bit|slightly) )?(?:better|nicer|cheaper|closer|easier|quieter|faster"
    r"|bigger"
    r"|smaller|brighter|greener|simpler|calmer|healthier|cosier|sunnier|happier|handier)"
)
# "see the wiki for details", "ask in the channel if in doubt": where more is told
_PLACE_OF_MORE = (
    r"(?:(?:the |our |this |its )?(?:[a-z-]+ ){0,2}(?:wiki|handbook|runbook|playbook|docs?|documentation|manual|readme"
    r"|page|section|chapter|appendix|annex|faq|ticket|policy|changelog|guide|table|figure|diagram|spec|specification"
    r"|glossary|below|above)(?: [\w.-]{1,8})?|`[^`]{1,40}`|[\w/.-]+\.(?:md|rst|txt|html?|pdf|adoc)|[A-Z]+-\d+|#\d+"
    r"|§ ?\d+)"
)
_REFERENCE = (
    rf"(?:(?:please )?(?:see|cf\.|refer to|consult|compare)(?: also)? {_PLACE_OF_MORE}|(?:more|further|the)? ?"
    rf"(?:details|information|background|reasons?) (?:is|are|can be found|follows?)? ?(?:in |on )?{_PLACE_OF_MORE}"
    rf"|(?:and is )?(?:as )?(?:documented|described|explained|specified) in {_PLACE_OF_MORE})"
    r"(?: for (?:more |further |the )?(?:details?|information|background|examples|more|reasons?|context))?"
)
_ASKING = (
    r"(?:please )?(?:ask|contact|ping|write to|talk to) [^,;:\d]{2,40} (?:if (?:in doubt|unsure|you are unsure"
    r"|you(?:['’]re)? (?:have (?:any )?(?:questions|doubts|problems)|stuck)|anything is unclear)|for (?:help|details))"
)
_WRITTEN_BEHIND = (
    rf"{_REFERENCE}|{_ASKING}|as of (?:the |our |this )(?:last |latest |current )?(?:release|version|deploy|audit"
    r"|review|update)|at the time of writing"
    r"|(?:al)?though (?:this|that|it) is (?:rarely|seldom|hardly ever) (?:needed|used|reached|noticed)"
    r"|this (?:keeps|avoids|ensures|prevents|saves|simplifies) [^,;:\d]{2,50}"
)
_TRAIL = re.compile(
    rf"(?:{_WRITTEN_BEHIND}"
    r"|by the way|btw|fyi|just so you know|just fyi|(?:and )?finally|at (?:long )?last|thank (?:god|goodness"
    r"|heavens|you)"
    r"|thanks|yay|hooray|hurray|phew|woohoo|(?:un)?fortunately|sadly|luckily|thankfully|happily|alas|as it happens"
    r"|as you know"
    r"|as (?:I|we) (?:said|mentioned|told you)|as (?:promised|discussed|agreed|mentioned|expected|planned"
    r"|requested)|of course"
    r"|ugh|sigh|argh|yikes|whoops|oops|wow|bummer|boo|so (?:it['’]s )?(?:no more|goodbye|farewell|bye(?:[- ]bye)?)"
    r"(?: to)?(?: the| my)? [^,;:]{1,40}|obviously|incidentally|actually|in fact|to be (?:precise|exact)|in case "
    r"(?:you (?:need it|forgot|missed it|ask"
    r"|(?:were|are) wondering)|(?:that|it) (?:matters|helps|(?:['’]s|is) useful))|if (?:you need it|that helps|it helps"
    r"|you(?:['’]re| are| were) wondering|you must know|that matters)|so (?:please )?(?:update|forget|scratch"
    r"|ignore|delete"
    r"|note|change|remember|no more|that['’]s (?:that|sorted|done|settled|it)|you can|do|don['’]t"
    r"|bear)\b[^,;:\d]{0,60}|(?:and )?so far so good"
    r"|(?:though|although|but) (?:I|we) (?:do |still |will |really )*(?:miss|missed|liked|loved|preferred|like|love"
    r"|enjoyed)\b"
    r"[^,;:\d]{0,40}|but don['’]t [^,;:\d]{2,40}|believe it or not|would you believe(?: it)?|(?:it )?turns out"
    rf"|for what it['’]s worth|{_BETTER}|{_FEELING}|after all(?: these (?:years|months))?|at least(?: for now)?|for now"
    r"|ok|okay|alright|no (?:joke|kidding|idea why)|long story|don['’]t ask|(?:it )?took (?:a while|ages"
    r"|long enough|some time"
    r"|forever)|(?:it )?changed (?:last|this) (?:week|month|year|spring|summer|autumn|winter|night|morning)"
    r"|changed yesterday"
    r"|since (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:please )?(?:update|note|remember|take note"
    r"|make a note)(?: that| this"
    r"| it| your (?:notes|records|files))?|(?:which|that) (?:is|was|suits|makes|helps|means|feels|works|keeps"
    r"|avoids|ensures|prevents|saves|simplifies) [^,;:\d]{2,50}"
    r"|(?:I|we)(?:['’]m|['’]re| am| are) (?:so |very |really |quite )?(?:happy|glad|pleased|thrilled|excited"
    r"|relieved|delighted)"
    r"\b[^,;:\d]{0,40}|and (?:that['’]s|it['’]s|that is|it is) (?:that|it|final|great|good|lovely|perfect|fine"
    r"|wonderful|fantastic"
    r"|(?:so |much )?better|about time)[^,;:\d]{0,30}|and (?:it|that|this|I|we|everyone|everybody|the [a-z]+|my [a-z]+)"
    r"(?:['’]m|['’]re| am| are)? (?:really |already |just )?(?:loves?|loving|likes?|liking|enjoys?|enjoying|feels?"
    r"|suits|works (?:well"
    r"|fine|great)|won['’]t change|can['’]t wait|couldn['’]t be happier|settling in)\b[^,;:\d]{0,40}|and so (?:is"
    r"|does|do|are|am) [^,;:\d]{1,30}"
    r"|as you (?:might|may|probably|will) (?:have )?(?:heard|seen|noticed|know)|as (?:I|we) told you(?: [a-z ]{2,20})?"
    r"|(?:just |exactly )?as (?:planned|announced|hoped|wanted|(?:I|we) (?:wanted|hoped|planned))(?: [a-z ]{2,20})?"
    r"|after (?:all that|much [a-z ]{3,20}|the whole [a-z]+|a lot of [a-z ]{3,20}|(?:months|weeks|days|years"
    r"|ages) of [a-z ]{3,20})"
    r"|for (?:health|personal|family|tax|financial|safety|practical|several|various|obvious|some) reasons?"
    r"|for the (?:time being|moment|foreseeable future)|until further notice|(?:until|unless) (?:I|we) (?:tell you"
    r"|say) otherwise"
    r"|no (?:going back|regrets|complaints|thanks to [^,;:\d]{2,25}|more changes)|(?:I )?would never go back"
    r"|could be worse"
    r"|(?:I )?can['’]t complain|worth every penny|long overdue|(?:and )?(?:it['’]s )?about time(?: too)?"
    r"|(?:the )?same as (?:my|everyone|everybody|before|always) ?[^,;:\d]{0,20}|like (?:everyone|everybody"
    r"|my [a-z]+|most people)(?: else)?"
    r"|because (?:of )?(?:the|my|our|it|a|an|his|her|their|she|he|they|I|we|that|this) ?[^,;:\d]{2,60}"
    r"|thanks to (?:an?|the|my|our) [^,;:\d]{2,30}|and it (?:suits|fits|pleases) [^,;:\d]{2,20}|fingers crossed"
    r"|touch wood|knock on wood|lol|haha|ha)[.!?]*",
    re.IGNORECASE,
)
_TELLS_CHANGE = re.compile(
    r"(?:and )?finally|at (?:long )?last|phew|yay|hooray|.*\bchange\b|.*\bchanged\b|so (?:please )?(?:update|forget"
    r"|scratch|no more"
    r"|delete|ignore|change)\b.*|after all|since .*|as of .*",
    re.IGNORECASE,
)
_BREAKS = (
    *(", ", " – ", " — ", " - ", "; ", " ("),
    *(" because ", " thanks to ", " and it ", " and I", " after ", " as of ", " at the time "),
)
_WRITTEN_LEAD = re.compile(rf"(?:{_WRITTEN})(?:[,:;–—]+| [–—-]+) (?=\S)", re.IGNORECASE)
_WRITTEN_TRAIL = re.compile(rf"(?:{_WRITTEN_BEHIND})[.!]*", re.IGNORECASE)
_SMILEY = re.compile(r"(?:(?<=[\s.!])[:;]-?[)D(P]|(?<=\s)<3|\s*[\U0001F300-\U0001FAFF☀-➿️]+)\s*\Z")


@lru_cache(maxsize=8)
def spoken_part(text: str, start: int, end: int) -> Spoken:
    """Return where a sentence says its fact.

    Args:
        text: The whole text.
        start: Where the sentence starts.
        end: Where it ends, its full stop left out.

    Example:
        >>> said = "Oh, by the way, my rent is 900 euros, which is a relief"
        >>> part = spoken_part(said, 0, len(said))
        >>> said[part.start : part.end]
        'my rent is 900 euros'
    """
    behind = behind_correction(text, start, end)
    changed, start = behind > start, behind
    for _ in range(_MOST):
        said = text[start:end]
        first = said.partition(" ")[0].rstrip(",:;.!–—-").lower()
        may_lead = first in _LEAD_WORDS and (first != "the" or holds_any(said.lower(), _CONFIRMING))
        lead = _LEAD.match(text, start, end) if may_lead else None
        if lead is None or lead.end() >= end:
            break
        if lead["linked"] and ": " in text[lead.end() : end]:
            break  # "Please note my work number: 555-0142" has no verb but this
        changed = changed or lead["news"] is not None or lead["but"] is not None
        start = lead.end()
    for _ in range(_MOST):
        if end > start and (text[end - 1] in ")DP3(" or not text[end - 1].isascii()):
            smiley = _SMILEY.search(text, max(start, end - 6), end)
            if smiley is not None:
                end = smiley.start()
                while end > start and text[end - 1] in ".!":
                    end -= 1
                continue
        cut, trail = _trail_of(text, start, end)
        if cut <= start:
            break
        changed = changed or _TELLS_CHANGE.fullmatch(trail.rstrip("!.?")) is not None
        end = cut
    return Spoken(start, end, changed)


def written_part(sentence: str) -> str:
    """Return a sentence without the comments that never tell of which thing it speaks.

    Example:
        >>> written_part("For legal reasons, the port is 80 (see the wiki)")
        'the port is 80'
    """
    lead = _WRITTEN_LEAD.match(sentence)
    start = lead.end() if lead is not None else 0
    cut, _ = _trail_of(sentence, start, len(sentence), _WRITTEN_TRAIL)
    return sentence[start : cut if cut > start else len(sentence)]


def _trail_of(text: str, start: int, end: int, trailing: re.Pattern[str] = _TRAIL) -> tuple[int, str]:
    """Return where the comment at the end of a sentence starts, and what it says; -1 if there is none."""
    if not holds_any(text[start:end], _BREAKS):
        return -1, ""
    for mark in _BREAKS:
        cut = text.rfind(mark, start, end)
        if cut > start:
            trail = text[cut:end].lstrip(" ,–—-;(").rstrip(" )")
            if trailing.fullmatch(trail) is not None:
                return cut, trail
    return -1, ""
