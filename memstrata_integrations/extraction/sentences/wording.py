"""A sentence without what people say around its fact: "fyi", "as of March", "now", "these days".

What is left reads like a plain statement and is judged as one. Each character that is kept knows its place
in the text, so that the object stays a verbatim span of it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memstrata_integrations.extraction.sentences.trimming import (
    CHANGING,
    INNER_WORDS,
    REMARK_TAIL,
    TURN_LEAD,
    TURN_TAIL,
    TURN_WORDS,
    WAS_TAIL,
    WHEN_TAIL,
    changes,
    inner_times,
)
from memstrata_integrations.units import MONTHS, WEEKDAYS
from memstrata_integrations.words import holds_any, word_set

__all__ = ["Core", "core_of", "turned_core"]

_MONTH = r"(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
_DATE = (
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?|{_MONTH}(?: \d{{1,2}}(?:st|nd|rd"
    rf"|th)?)?(?:,? \d{{4}})?"
    rf"|\d{{4}}-\d{{2}}(?:-\d{{2}})?|(?:this |last |next )?(?:{_DAY})|today|yesterday|now|tonight"
    rf"|(?:this|last|the start of|the beginning of) (?:the )?(?:week|month|year|morning|quarter|spring|summer"
    rf"|autumn|fall|winter)"
    rf"|this (?:sprint|semester|term|season))"
)
_SINCE = (
    r"(?:as of|as from|with effect (?:from|as of)|effective(?: from)?|starting(?: on| from)?|beginning(?: on)?|since)"
    rf" {_DATE}"
)
_FROM_ON = rf"from {_DATE} on(?:wards?)?"
_NOWADAYS = r"(?:right now|just now|nowadays|these days|at the moment|at present|currently|presently|for the moment)"
_PRESENT = re.compile(rf",? ?{_NOWADAYS}\Z", re.IGNORECASE)
_CHANGED = (
    rf"(?:{_SINCE}|{_FROM_ON}|from (?:now|here) on|going forward|effective immediately|from today|now|instead(?! of ))"
)
_TALK = (
    r"(?:(?:(?:[a-z]+ ){1,2}(?:update|change|correction)s?|(?:chore|fix|feat|perf|refactor|style)!?)(?=: )"
    r"|(?:directory|handbook|runbook|wiki|noticeboard|codeowners)(?=: )"
    r"|fyi|f\.y\.i\.|actually|update|quick update|small update|correction|news|heads[- ]up|btw|by the way|ok|okay|oh"
    r"|psa|tl;dr|tldr|attention|announcement|notice|hi all|hi team|hello all|well|hey|so|right|good news"
    r"|change of plans?|small change|quick note|for the record|just so you know"
    r"|I(?:'ve|’ve| have)? changed my mind|turns out|sorry|no wait|and|anyway|also note|note|to be clear|one change"
    r"|warning|caution|important|hint|tip|workaround|caveat|n\.?b\.?|(?:standing |house )?rule(?: from [^:;,.]{3,40})?"
    r"|note to self|reminder|memo|changelog|changed in v?[\d.]+|runbook(?:, step \d+)?|correction for (?:my|your"
    r"|the) (?:notes|records|files)"
    r"|just checked|just confirmed|as of the last check|at the last count|for your (?:notes|records)"
    r"|(?:I|[Ww]e|[Tt]hey)(?:'ve|’ve| have)? [a-z]+(?:ed|ut|ot|ove|ent) (?:my |our |their |the )?[a-z]+(?: [a-z]+)?)"
)
_LEAD = re.compile(
    rf"(?:(?:{_TALK}(?<! [MD]r)(?<! Mrs)(?<! M[sx])(?<! St)(?P<stop>[,:;.!–—-]+) |{_NOWADAYS},? "
    rf"|(?P<changed>{_CHANGED}),? ))(?=\S)",
    re.IGNORECASE,
)
# "Actually the class starts at 4": an adverb of its own needs no comma
_BARE_LEAD = re.compile(
    r"(?:please )?(?:note|save|remember|jot down|write down|store|add|take down)(?: down)? "
    r"(?=(?:my|our|[A-Z][\w’'-]*['’]s) [^:;,]{2,40}(?P<colon>: ))|"
    r"(?:actually|fyi|btw|update|(?:please )?(?:note|remember|be aware|keep in mind|bear in mind|mind) that"
    r"|your (?:notes|records) should say that) (?=\S)",
    re.IGNORECASE,
)
# "Dr. Farrow retired, my GP is Dr. Bell"
_EVENT_LEAD = re.compile(
    r"(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?[A-Z][\w-]+ (?:has |have )?(?:retired|left|quit|moved|resigned|closed)(?: "
    r"[a-z ]{2,30})?, (?=(?:my|our|the|[A-Z])\b)"
)
# "Platform change: my train goes from platform 11", "New glasses: my prescription is -2.75": which news it is
_NEWS_LEAD = re.compile(
    r"(?:(?:[Nn]ew|[Dd]ifferent) (?!v?\d)[a-z]+(?: [a-z]+)?(?:, new [a-z]+)?"
    r"|(?:[Bb]ig|[Gg]ood|[Gg]reat|[Bb]ad|[Ss]ome|[Mm]ore|[Hh]appy|[Ss]ad|[Ee]xciting|[Oo]ther|[Ff]amily|[Ww]ork|[Jj]ob"
    r"|[Ll]ife|[Hh]ealth|[Tt]iny|[Mm]inor|[Ss]light|[Ll]ast-minute|[Ll]atest|[Ff]inal|[Aa]nother|[Oo]ne|[Mm]y)"
    r" (?:news|updates?|changes?|correction)"
    r"|(?:[Pp]latform|[Gg]ate|[Rr]oom|[Tt]ime|[Dd]ate|[Pp]rice|[Ss]chedule|[Aa]ddress|[Pp]lan|[Vv]enue|[Ss]eat|[Jj]ob"
    r"|[Nn]ame|[Nn]umber|[Ss]hift|[Mm]enu|[Rr]ota|[Pp]hone|[Ss]chool|[Cc]ar|[Ff]light|[Tt]rain|[Bb]ooking|[Ll]ineup"
    r"|[Dd]iet|[Mm]eds|[Cc]areer|[Hh]otel) (?:change|update|swap|switch|news)"
    r"|[Cc]hange of (?:plans?|[a-z]+)|[Ii]t['’]s official|[Gg]uess what|[Bb]reaking|[Ss]uccess|[Hh]ooray|[Yy]ay|[Pp]hew"
    r"|[Bb]irthday (?:today|yesterday|last week)|[Pp]romoted|[Pp]lot twist|[Ll]ong story short"
    r"|(?:[Tt]he|[Mm]y|[Oo]ur) [a-z]+(?: [a-z]+)? (?:just |has |have )?(?:called|rang|phoned"
    r"|confirmed|got back to (?:me|us))(?: back| today| yesterday| just now)?)"
    r"(?:[:!–—]| [–—-]) (?=(?:I|[Ww]e|[Mm]y|[Oo]ur|[Tt]he|[Ss]he|[Hh]e|[Tt]hey|[Ii]t|(?:[A-Z][\w’'-]*))\b)"
)
_OLD = (
    r"(?P<old>(?:the |a |an |at |on |in |to |with |from )*(?:[^\s,;:.]|(?<=\d)[.,:](?=\d))+"
    r"(?: (?!(?:on|during|when|while|in|for) )[^\s,;:]+){0,4})"
)
_COMMA = r"(?<=,) "  # behind the first character of a tail, which is a comma or a space: so the search finds it fast
_SPACE = r"(?<= )"
_GAP = rf"(?:{_COMMA}|{_SPACE})"
_TAIL = re.compile(
    rf"[, ](?:{_GAP}(?P<instead>instead of|in place of|rather than|(?<=, )(?:and )?not|(?<=, )(?:and )?no longer"
    rf"|(?<=now, )not) {_OLD}"
    rf"|{_GAP}(?:any longer|any ?more|(?:I|we|they) moved (?:everything|it all) over|moved everything over)"
    rf"|{_GAP}(?P<lately>these days|nowadays)|{_GAP}(?:{_NOWADAYS})"
    rf"|{_COMMA}(?:so|because|since|they|he|she|we|it|new|finally|thanks|sorry|please|moved"
    r"|per(?= (?:the|our|my|their|this) | (?-i:[A-Z]))) "
    r"(?!v?\d)[^,;\d]{3,80}"
    rf"|{_COMMA}(?:ask|ping|let|tell|see|check|call(?! `)|text|mail|thanks|cheers|please|in case|just in case) "
    r"[^,;\d]{3,60}"
    rf"|{_COMMA}(?:use(?! `)|keep|that['’]s|that is|it['’]s|the thing|don['’]t|just) "
    r"(?:[^\s,;\d]+ ){1,10}[^\s,;\d]+"
    rf"|{_COMMA}(?P<aside>(?-i:[A-Z][a-z]+ (?:(?!and |or |in |of )[a-z]+ ){{1,6}}[a-z]+))"
    rf"|{_GAP}(?:since|because|now that) (?:I|we|he|she|they|it|someone|somebody|my|our|his|her|their) "
    r"[^,;\d]{3,60}"
    rf"|{_SPACE}after the (?:reshuffle|move|merger|reorganisation|reorganization|reorg|rename|upgrade|migration"
    rf"|switch)|{_SPACE}each|{_GAP}(?P<changed>{_CHANGED}))\Z",
    re.IGNORECASE,
)
_INNER_NOW = re.compile(r"(?<=[\w)'\"`’”]) now(?=[ :,])|(?<!\S)now (?=[a-z])")
_NO_NOW = re.compile(r"\b(?:by|until|till|for|than|as|even|just|right|from|every|up to) now\b", re.IGNORECASE)
_CONTRACTIONS = re.compile(r"\b(?P<who>I|[Ww]e|[Tt]hey|[Yy]ou)(?P<cut>['’](?P<verb>m|re|ve))(?= )")
_SPELT = {"m": " am", "re": " are", "ve": " have"}
_DEFAULT_LEAD = re.compile(
    r"(?:[Uu]nless (?:told|stated|specified|configured|set|noted|otherwise) ?(?:otherwise|stated|specified|noted"
    r"|told|configured)?"
    r"|[Oo]ut of the box|[Bb]y default)(?:,| (?=[`/A-Z]|(?:the|our|each|every|all) )) ?"
)
_FRONTING = word_set("as in on at for with under during from by within of per across")
_ADJUNCT_OPENERS = word_set("unless out by in on at")  # of `_DEFAULT_LEAD` and `_NO_COMMA`
_ORDER = re.compile(r", (?:ask|ping|see|check|call|text|mail)\b")
_NO_COMMA = re.compile(
    r"(?:In|On|At) (?:the [a-z]+ (?=[A-Z][a-z]+ [a-z])|[\w./-]+\.[a-z]+ (?=the |`)|the [A-Za-z -]{2,40}? (?=you "
    r"(?:may|can) ))"
)
# "payments: on-call is Kim" speaks of payments
_SCOPED = re.compile(
    r"(?!(?:plans?|ideas?|proposals?|examples?|drafts?|todo|goals?|old|wrong): )"
    r"(?P<scope>(?:(?:team|squad|project|repo|service|cluster|room|env|tenant|host) )?[\w.-]+): "
    r"(?=[a-z][\w -]{2,40}? (?:is|are|runs|listens|has|defaults|expires|lives) )"
)
_IS_CUT = re.compile(
    r"(?<=\w)(?P<cut>['’]s) (?=(?:now |currently )?(?:based|in|at|on|with|called|named|working|living|staying"
    r"|moving|moved|back|engaged|married|dating) )"
)
_YOU_MAY = re.compile(
    r"\b(?P<cut>you (?:may|can)|(?:[a-z]+s|[A-Z][\w.-]+|[a-z]+) (?P<modal>may|can)) (?=[a-z]+ (?:[a-z]+ "
    r"){0,2}(?:at most|up to|no more "
    r"than|a maximum of))"
)
# "must not exceed 5 MB", "must have at least 8 characters" lay down a bound
_EXCEED = re.compile(
    r" (?P<cut>(?:must|may|can) not (?:exceed|be (?:larger|longer|bigger|more|greater|higher) than)|cannot exceed"
    r"|can['’]t exceed|must (?:stay|remain|be) (?:below|under)"
    r"|(?:must|may|can) be no (?:larger|longer|bigger|more|greater|higher|wider|older|heavier|deeper) than"
    r"|never exceeds?|(?:does|do) not exceed)(?= )"
)
_AT_LEAST = re.compile(
    r" (?P<cut>(?:must|has to|have to|need to|needs to)(?: (?P<be>be))?)(?= (?:[a-z]+ )?(?:[a-z]+ "
    r"){0,3}?(?:at least|at most"
    r"|no more than|no fewer than|no longer than|a minimum of|a maximum of|up to)\b)"
)
# "I've got a budget of 50" is "I have a budget of 50", "on the 12th of June" is "on 12th of June"
_HAVE_GOT = re.compile(r"(?:\b(?:have|has)|(?<=\w)['’](?:ve|s)) (?P<cut>got )(?=(?:an?|the|my|our|his|her) |[\dA-Z])")
_DIGIT = re.compile(r"\d")
_THE_NTH = re.compile(rf"(?<= )the (?=\d{{1,2}}(?:st|nd|rd|th) of {_MONTH}\b)", re.IGNORECASE)
_GAUGE_SAYS = re.compile(
    r"(?:My|Our|The) (?:[a-z]+ )?(?:watch|scales?|tracker|thermometer|meter|gauge|calendar|app) (?:says|shows|reads)"
    r"(?: that|:)? (?=(?:my|our|I)\b)"
)
_A_MISTER = re.compile(r"(?<= is )a (?=(?:Mr|Mrs|Ms|Dr|Miss)\b)")
_RIGHT_NOW = re.compile(
    r"(?<= is) (?:back )?(?:down|back) to(?= \d[\d,]* [a-z]+s\b)"
    r"|(?<= opens)(?: its| their) doors(?= )|(?<= closes)(?: its| their) doors(?= )"
)
# "She doesn't live in Cork anymore, she lives in Galway"
_NO_MORE = re.compile(
    r"(?P<who>[A-Z][\w’'-]*(?: [\w’'-]+){0,6}?) (?:does not|doesn't|doesn’t|do not|don't|don’t|is not|isn't"
    r"|isn’t|aren['’]t|(?:am|are) not|(?:(?:is|am|are) )?no longer|used to) (?P<rest>[^,;]{1,60}?)"
    r"(?: any ?more| any longer)?[,;](?: but| and| so)?(?: now| instead| these days)?,? "
    r"(?P<he>he|she|it|they|I|we)(?:['’](?P<is>s|re|m))? (?:now )?(?=[a-z\d]|(?<=['’]s )|(?<=['’]re )|(?<= now ))"
)
# "the new phone number of Pavel is": it takes the place of the old one
_NEW = re.compile(
    r"(?:\b(?:[Tt]he|[Mm]y|[Oo]ur)|['’]s|s['’]) (?P<new>new )[A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,2}?"
    r"(?= (?:of|for|in|at|on) .* (?:is|are) | (?:is|are) |\Z| (?:of|for) )"
    r"|(?:\b(?:[Mm]y|[Oo]ur)|\b[A-Z][\w’-]*['’]s) (?P<newer>new )[a-z][\w-]*(?= (?:expires|costs|starts|ends|leaves"
    r"|runs|lasts|takes"
    r"|opens|closes|goes|departs|arrives|comes|works|meets|begins|gives|has|uses|needs|sits|stands) )"
)
_LONGEST = 600


# "Upgraded numpy to 1.26": who did it goes without saying
_UNSAID_VERBS = (
    "upgraded bumped downgraded raised lowered increased reduced decreased changed renamed updated switched moved "
    "migrated replaced enabled disabled"
)
_UNSAID = re.compile(
    rf"(?:Just )?(?P<verb>{'|'.join(f'[{v[0].upper()}{v[0]}]{v[1:]}' for v in _UNSAID_VERBS.split())}) (?=\S.* \S)"
)
_UNSAID_OPENERS = word_set(f"just {_UNSAID_VERBS}")


_BOUNDING = ("xceed", "must ", " no ", " to have ", " to be ")
# A sentence that `_YOU_MAY`, `_NEW`, `_EXCEED` or `_AT_LEAST` matches holds one of these words
_BOUNDING_WORDS = word_set("may can new must cannot can't can’t never does do has have need needs")
_TRIMMED = TURN_WORDS | INNER_WORDS | CHANGING | _BOUNDING_WORDS


class Core(NamedTuple):
    """A sentence without its wrapping.

    Attributes:
        text: What is left.
        places: Where each of its characters stands in the whole text; -1 for one that was put in.
        changed: Whether what was left out announces a change ("now", "instead of x").
        old: The value that it replaces, where the sentence names it; else "".
        present: Whether what was left out says that it holds now ("at the moment").
    """

    text: str
    places: tuple[int, ...] | None
    start: int
    changed: bool
    old: str
    present: bool = False

    def told(self, changed: bool) -> Core:
        """Return the core as one that announces a change, if it does or `changed` says so."""
        return self._replace(changed=True) if changed and not self.changed else self

    def place(self, at: int) -> int:
        """Return where a character of the core stands in the whole text."""
        return self.start + at if self.places is None else self.places[at]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where a piece of the core stands in the whole text; `None` if it stands there in pieces."""
        if start < 0:
            return -1, -1
        if self.places is None:
            return self.start + start, self.start + end
        first, last = self.places[start], self.places[end - 1]
        return (first, last + 1) if first >= 0 and last - first == end - 1 - start else None


# What a sentence may begin with that the core leaves out
_OPENERS = word_set(
    "warning caution important hint tip workaround caveat nb n.b standing house rule "
    "psa tl;dr tldr attention announcement notice hi hello fyi f.y.i actually update quick small "
    "correction news heads-up heads btw by ok okay oh well hey so right good change "
    "for just i i've i’ve turns sorry no and anyway also note to one reminder memo changelog changed "
    "runbook we we've they "
    "they've as effective starting beginning since from going now instead currently presently nowadays these at please "
    "remember be keep bear mind your after following with due thanks because ever lately of from"
)
_CLEFT = re.compile(
    r"(?P<value>[^\s,;]+(?: [A-Z0-9][^\s,;]*){0,3}) is (?:what|who|whom|where|the (?:one|host|place|server"
    r"|address) (?:that |which )?) "
    r"?(?P<rest>[^,;]+ (?:through|to|from|on|at|in|with|by|for|via|under|behind|against))\Z"
)


def turned_core(core: Core) -> Core | None:
    """Return "the office connects through vpn-7" for "vpn-7 is what the office connects through", else `None`."""
    match = _CLEFT.match(core.text) if " is " in core.text else None
    if match is None:
        return None
    places = list(core.places) if core.places is not None else list(range(core.start, core.start + len(core.text)))
    rest, value = match.span("rest"), match.span("value")
    said = core.text[slice(*rest)]
    text = f"{said[0].upper()}{said[1:]} {core.text[slice(*value)]}"
    return core._replace(text=text, places=(*places[slice(*rest)], -1, *places[slice(*value)]))


def _heralds(sentence: str) -> bool:
    """Whether a sentence may open with what its news is: "Platform change: ..."."""
    opening = sentence[:_LONGEST_HERALD]
    return ":" in opening or "!" in opening or "–" in opening or "—" in opening


def _gauged(sentence: str) -> bool:
    """Whether a sentence may open with what shows it: "My watch says my pulse is 60"."""
    return " says " in sentence or " shows " in sentence or " reads " in sentence


_LONGEST_HERALD = 50
_LAST_WORDS = word_set(
    "now days nowadays moment present currently presently on forward immediately instead longer more anymore over "
    "each today yesterday tonight onwards onward morning week month year quarter sprint semester term season "
    "spring summer autumn fall winter reshuffle move merger reorganisation reorganization reorg rename upgrade "
    "migration switch "
)


_BEFORE_DATES = word_set("as effective starting beginning since that")


def _tail(sentence: str, start: int, stop: int, words: list[str]) -> re.Match[str] | None:
    """Find the words at the end of a sentence that the core leaves out."""
    if _may_have_tail(sentence, stop, words):
        return _TAIL.search(sentence, start, stop)
    if "," in sentence and "that" in words:  # "now that I live here"
        return _TAIL.search(sentence, start, stop)
    at = sentence.find(", ", start, stop)
    while at >= 0:
        if found := _TAIL.match(sentence, at, stop):
            return found
        at = sentence.find(", ", at + 1, stop)
    return None


def _may_have_tail(sentence: str, stop: int, words: list[str]) -> bool:
    """Whether a sentence may end in words that the core leaves out, but behind a comma: never wrongly false."""
    last = sentence[sentence.rfind(" ", 0, stop) + 1 : stop].lower()
    if last in _LAST_WORDS:
        return True
    dated = last[:1].isdigit() or last in WEEKDAYS or last[:3] in MONTHS
    if dated and not _BEFORE_DATES.isdisjoint(words):
        return True
    return (
        " instead of " in sentence
        or " rather than " in sentence
        or " in place of " in sentence
        or " since " in sentence
        or " because " in sentence
    )


@lru_cache(maxsize=16)
def core_of(text: str, start: int, end: int) -> Core:
    """Return a sentence without "fyi", "as of March", "now" and their like.

    Args:
        text: The whole text.
        start: Where the sentence starts.
        end: Where it ends, its full stop left out.

    Example:
        >>> core_of("As of May, the port is now 81 instead of 80", 0, 43).text
        'the port is 81'
    """
    sentence = text[start:end]
    if len(sentence) > _LONGEST:
        return Core(sentence, None, start, False, "")
    cuts: list[tuple[int, int, str]] = []
    changed, old, present = False, "", False
    pos = 0
    opener = sentence.partition(" ")[0].lower().strip(",:;.!–—-")
    opens = opener in _OPENERS or (
        sentence[:1].isupper() and (", " in sentence or _heralds(sentence) or _gauged(sentence))
    )
    while opens and (
        lead := _LEAD.match(sentence, pos)
        or _BARE_LEAD.match(sentence, pos)
        or _EVENT_LEAD.match(sentence, pos)
        or _NEWS_LEAD.match(sentence, pos)
        or _GAUGE_SAYS.match(sentence, pos)
        or TURN_LEAD.match(sentence, pos)
    ):
        changed = changed or bool(lead.groupdict().get("changed")) or lead.re in (_EVENT_LEAD, _NEWS_LEAD, TURN_LEAD)
        changed = changed or changes(lead[0].lower().split())
        if lead.re is _BARE_LEAD and lead["colon"]:  # "Please note my work number: 555-0142"
            cuts.append((*lead.span("colon"), " is "))
        pos = lead.end()
    stop = len(sentence)
    more = _NO_MORE.match(sentence, pos, stop) if "," in sentence or ";" in sentence else None
    words = sentence.lower().replace(",", " ").split()
    first = more.end() if more else pos
    if ", " in sentence and (remark := REMARK_TAIL.search(sentence, first, stop)):
        stop = remark.start()
    if sentence[-1:] == ")" and opener != "set" and (was := WAS_TAIL.search(sentence, first, stop)) is not None:
        stop, changed, old = was.start(), True, was["old"]
    trimmed = not _TRIMMED.isdisjoint(words)
    if trimmed and not TURN_WORDS.isdisjoint(words) and (turn := TURN_TAIL.search(sentence, first, stop)):
        stop, changed = turn.start(), True
    while tail := _tail(sentence, first, stop, words):
        alone = tail[0].lower().strip(", ") == "now"
        if (alone and _NO_NOW.search(sentence, max(pos, tail.start() - 8), stop)) or tail.start() <= pos:
            break
        if tail["aside"] and (opener in _FRONTING or opener.endswith("ed")):
            break  # "As capital of the Isles, Portmere hosts the parliament"
        if opener in _FRONTING and _ORDER.match(tail[0]) and "," not in sentence[pos : tail.start()]:
            break  # "For parking permits, see Gail"
        if tail["instead"]:
            old = tail["old"]
        changed = changed or bool(tail["changed"] or tail["instead"] or tail["lately"])
        present = present or _PRESENT.match(tail[0]) is not None
        stop = tail.start()
    if trimmed and changes(words) and "was" not in words and "were" not in words:
        when = WHEN_TAIL.search(sentence, first, stop)
        stop = when.start() if when else stop
    unsaid = _UNSAID.match(sentence, pos, stop) if pos or opener in _UNSAID_OPENERS else None
    if unsaid is not None:
        cuts.append((0, unsaid.end("verb"), f"I {unsaid['verb'].lower()}"))
        changed = True
    elif pos:
        cuts.append((0, pos, ""))
    named = ": " in sentence and sentence[pos : pos + 1].islower() and not cuts
    if named and (scoped := _SCOPED.match(sentence, pos, stop)):
        cuts.append((pos, pos, "In "))
        cuts.append((scoped.end("scope"), scoped.end(), ", the "))
    if pos or opener in _ADJUNCT_OPENERS:
        if unless := _DEFAULT_LEAD.match(sentence, pos, stop):
            cuts.append((*unless.span(), "By default, "))
        elif front := _NO_COMMA.match(sentence, pos, stop):
            cuts.append((front.end() - 1, front.end(), ", "))
    if more is not None:
        who_end = pos + len(more["who"])
        verb = {"s": " is ", "re": " are ", "m": " am "}.get(more["is"] or "", " ")
        cuts.append((who_end, more.end(), verb))
        changed = True
    elif "now" in sentence and not _NO_NOW.search(sentence, pos, stop):
        for found in _INNER_NOW.finditer(sentence, pos, stop):
            cuts.append((*found.span(), ""))
            changed = True
    apostrophe = "'" in sentence or "’" in sentence
    for found in _CONTRACTIONS.finditer(sentence, pos, stop) if apostrophe else ():
        if not any(a < found.end("cut") and found.start("cut") < b for a, b, _ in cuts):
            cuts.append((*found.span("cut"), _SPELT[found["verb"]]))
    if " is a " in sentence and (mister := _A_MISTER.search(sentence, pos, stop)):
        cuts.append((*mister.span(), ""))
    for found in _RIGHT_NOW.finditer(sentence, pos, stop) if " doors " in sentence or " to " in sentence else ():
        cuts.append((*found.span(), ""))
    if trimmed and not INNER_WORDS.isdisjoint(words):
        for first, last, anew, at_present in inner_times(sentence, pos, stop):
            if not any(a < last and first < b for a, b, _ in cuts):
                cuts.append((first, last, ""))
                changed, present = changed or anew, present or at_present
    found_is = _IS_CUT.search(sentence, pos, stop) if apostrophe else None
    if found_is and " is " in sentence[found_is.end() :]:
        found_is = None  # "Ann's working title is"
    if found_is and not any(a < found_is.end("cut") and found_is.start("cut") < b for a, b, _ in cuts):
        cuts.append((*found_is.span("cut"), " is"))
    if trimmed and not _BOUNDING_WORDS.isdisjoint(words):
        if (" may " in sentence or " can " in sentence) and (spoken := _YOU_MAY.search(sentence, pos, stop)):
            if spoken["modal"]:
                cuts.append((spoken.start("modal") - 1, spoken.end("modal"), ""))
            else:
                cuts.append((*spoken.span("cut"), "people"))
        if (
            "new " in sentence
            and (new := _NEW.search(sentence, pos, stop))
            and not any(a < new.end() and new.start() < b for a, b, _ in cuts)
        ):
            cuts.append((*new.span("new" if new["new"] else "newer"), ""))
            changed = True
        if holds_any(sentence, _BOUNDING):
            if exceed := _EXCEED.search(sentence, pos, stop):
                cuts.append((*exceed.span("cut"), "is limited to"))
            elif bound := _AT_LEAST.search(sentence, pos, stop):
                cuts.append((bound.start(), bound.end(), " is" if bound["be"] else ""))
    may_be_nth = "the " in sentence and " of " in sentence and _DIGIT.search(sentence) is not None
    for pattern in (_HAVE_GOT, _THE_NTH) if " got " in sentence else (_THE_NTH,) if may_be_nth else ():
        spare = pattern.search(sentence, pos, stop)
        if spare is not None:
            cut = spare.span("cut") if pattern is _HAVE_GOT else spare.span()
            if not any(a < cut[1] and cut[0] < z for a, z, _ in cuts):
                cuts.append((*cut, ""))
    if stop < len(sentence):
        cuts.append((stop, len(sentence), ""))
    if not cuts:
        return Core(sentence, None, start, changed, old, present)
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for first, last, put in sorted(cuts):
        pieces += [sentence[at:first], put]
        places += [*range(start + at, start + first), *([-1] * len(put))]
        at = last
    pieces.append(sentence[at:])
    places += range(start + at, end)
    return Core("".join(pieces), tuple(places), start, changed, old, present)
