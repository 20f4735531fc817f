"""The clauses that prose hangs around its main clause, in front of it and inside of its subject.

"When no locale is given, Teal formats amounts in euros", "For tenants of the old plan, in Norway, the quota is 500
runs", "The authority whose root the gate trusts is Norrland". What is left without them is read as a plain sentence,
and their words stay in the key: the fact holds in that case, for that purpose, of that one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS, SHARED_ROLES
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.verbs import MANY_VERBS, THIRD, is_participle, is_past, verb_of_gerund
from memstrata_integrations.words import word_set

__all__ = [
    "Front",
    "clauses_in_front",
    "clauses_in_subject",
    "holds",
    "is_remark",
    "of_a_story",
    "of_one_case",
    "opens_with_remark",
]

_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_MOST_IN_FRONT = 4
_MOST_VERBS = 3
_SUBORDINATING = word_set(
    "when whenever if once where wherever unless until till while whilst although though because since after before "
    "as provided given even insofar whereas"
)
_FRONTING = PREPOSITIONS | word_set(
    "outside inside beyond upon despite besides apart beneath beside throughout amid via like unlike depending "
    "regardless aside except thanks out up off along around near above below next among onto towards toward"
)
_PURPOSE = re.compile(r"(?:[Tt]o|[Ii]n order (?:not )?to|[Ss]o as (?:not )?to|[Ss]o that|[Ff]or the sake of) ")
# "Once an invoice has been paid, Teal keeps it for five years"
_NAMED = re.compile(
    r"[A-Z][a-z]+(?: (?:soon|long) as)? (?:an?|the|no|every|each|any) (?P<noun>[a-z-]+(?: [a-z-]+)?) "
    r"(?=(?:is|are|has|have|does|do|gets|fails|expires|ends|starts|arrives|drops|rises|reaches|exceeds"
    r"|finishes|goes|comes) )"
)
_PRONOUN = re.compile(r"(?<= )(?:it|them)(?=[ ]|\Z)|(?P<own>\b[Ii]ts)(?= )")
# What people say before a fact in a chat; it neither doubts nor narrows what follows
_REMARK = re.compile(
    r"(?i:(?:for (?:anyone|anybody|everyone|everybody|those|people|whoever) (?:joining|wondering|asking|interested"
    r"|curious"
    r"|catching up|new here|following along|who (?:missed|asked|asks|keeps? asking"
    r"|(?:is|are) (?:new|wondering|asking)))\b"
    r"|just (?:so (?:you|it|we|everyone|people|that)|in case (?:anyone|someone|you))\b"
    r"|as a reminder|to (?:recap|summari[sz]e)|to answer \S+"
    r"|since (?:people|someone|somebody|everyone|you|folks|many) (?:keep|kept|keeps|asked|ask)\b)"
    r"(?: [^\s:,.?!]+){0,8}, )"
    r"(?=\S+ \S)"
)
# A remark of these words alone, in front of a fact, says nothing of which thing it speaks
CHAT_WORDS = word_set(
    "hey hi hello all everyone everybody folks guys friends people there again ok okay so well oh ah hm right btw "
    "fyi psa heads-up heads up quick small little tiny short big final last minor important friendly one more another "
    "just a an the my our this that it it's its i i've i'm we we've we're you they me us on in at for from "
    "of to by with and but as is are was has have had did do done been be being got get getting made make went came "
    "update updates news note notice reminder announcement correction change changes plan plans switch switchover move "
    "swap fix decision migration rename reorg switched moved changed swapped updated fixed decided migrated renamed "
    "finished confirmed checked agreed settled sorted heard back side end part already finally "
    "officially official also too good great bad sorry thanks thank please know "
    "wondering asking "
    "asked keeps keep looking missed joining late catching anyone anybody somebody someone who already booked mind "
    "record records files notes sake interested new now since because really actually done-and-dusted happened through "
    "answer question recap summary follow-up quickly speaking which after lot back-and-forth some discussion"
)
_TALKING = word_set(
    "hey hi hello fyi btw psa heads-up heads note notice reminder news announcement correction update updates asking "
    "asked "
    "wondering confirmed checked agreed settled sorted done finished finally officially recap summary follow-up "
    "already booked moved switched changed swapped updated fixed decided migrated renamed switch switchover move swap "
    "decision migration rename change changes ok okay oh"
)
_ANNOUNCING = word_set(
    "update change changes switch switchover swap migration rename reorg switched moved changed swapped updated "
    "migrated renamed new correction decided"
)
_REMARK_STOP = re.compile(r"[:,] | [–—-] ")
_ADVERBIAL = word_set("internally externally locally globally technically officially usually normally")
# What goes on in the words before the main clause: ", which is nightly,"
_GOING_ON = word_set("which who whose whom and or per booked held paid ordered")
# Words that leave open whether anything holds, or of which of several it does; and those of one try
_OPEN = word_set(
    "would could might should shall probably perhaps maybe possibly allegedly apparently supposedly hypothetically "
    "according said says say told tells claims claimed heard reportedly think thinks believe believes opinion rumour "
    "rumor imagine suppose supposing assuming assume pretend example instance fiction dream dreams game story novel "
    "film movie test trial experiment benchmark simulation scenario some several few many certain other another "
    "various sometimes occasionally often rarely yesterday ago last were planned planning fact short summary general "
    "theory principle contrast addition particular conclusion comparison practice honest fairness view mind eyes"
)
_DEFINED = re.compile(
    r"(?P<head>(?:The|the|Our|our|My|my|[A-Z][\w-]*['’]s) (?:[\w`¤'’/-]+ ){0,5}?[\w`¤/-]+) "
    r"(?=(?:that|which|who|whom|whose|where|(?:at|in|on|for|to|from|by|with|above|below|over|under|beyond|after|before|within"
    r"|until|through|into|behind|against|via) (?:which|whom)"
    r"|I|we|you|he|she|it|they) )"
)
# Of what is liked, known or raised there are several
_OF_SEVERAL = (
    MANY_VERBS
    | (SHARED_ROLES - {"handles"})
    | word_set(
        "like love enjoy hate admire adore know read watch visit play own have see find fear recommend remember follow"
    )
)
_MAIN_VERB = re.compile(
    r" (?=(?:is|are|has|have|keeps|lives|listens|uses|takes|costs|lasts|expires|starts|ends|opens|closes|holds|returns"
    r"|sits|needs|allows|accepts) )"
)
_AUXILIARIES = word_set("is are has have do does")
# "In some regions, ...", "In our last test, ...": what follows holds of a case that is not named
_OF_ONE_CASE = re.compile(
    r"(?:In|For|On|At|With|Under|To|From|By|Within|Among|During) "
    r"(?:(?:some|one|several|certain|another|various|many|(?:a )?few)\b"
    r"|(?:[\w'’-]+ ){1,4}?(?:test|experiment|benchmark|trial|simulation|example|scenario|rehearsal|measurement)s?, )"
)
_FRONT_WORDS = word_set("in for on at with under to from by within among during")
_NOT_HEADS = word_set("thing things reason one ones way problem point fact idea question moment people those these")


class Front(NamedTuple):
    """What stands before a main clause.

    Attributes:
        end: Where the main clause starts.
        said: The words in front that belong to the key.
        pronoun: Where the main clause speaks of it by a pronoun, if it does.
        named: What that pronoun stands for.
        changed: Whether it announces a change.
    """

    end: int
    said: str
    pronoun: tuple[int, int] | None = None
    named: str = ""
    changed: bool = False


def clauses_in_front(text: str) -> Iterator[Front]:
    """Yield where the main clause may start, with the words before it that belong to the key.

    Example:
        >>> [front.said for front in clauses_in_front("If no locale is given, in euros, Teal counts up to 5")]
        ['if no locale is given', 'if no locale is given, in euros']
        >>> [*clauses_in_front("Once an invoice is paid, Teal keeps it for 5 years")][0].named
        'the invoice'
    """
    hidden = masked(text)
    if (remark := _end_of_remark(hidden)) is not None:
        changed = not _ANNOUNCING.isdisjoint(hidden[:remark].lower().strip(" :,–—-").split())
        yield Front(remark, "", changed=changed)
    start = 0
    for _ in range(_MOST_IN_FRONT):
        if not _opens(hidden[start : start + 60], first=start == 0):
            return
        comma = hidden.find(", ", start)
        if comma < 0:
            return
        start = comma + 2
        if not holds(hidden[:comma]) or (hidden[:3] in ("If ", "if ") and of_a_story(hidden[3:comma])):
            return
        if hidden[start : start + 1] in ("", "("):
            continue
        said = text[:comma]
        said = said if is_identifier(said.split()[0]) else said[0].lower() + said[1:]
        named = _NAMED.match(hidden)
        pronoun = _PRONOUN.search(hidden, start) if named is not None and named.end() < comma else None
        if named is None or pronoun is None:
            yield Front(start, said)
        else:
            own = "'s" if pronoun["own"] else ""
            yield Front(start, said, pronoun.span(), f"the {text[slice(*named.span('noun'))]}{own}")


def clauses_in_subject(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a clause stands that says which thing is meant, and its words.

    Example:
        >>> list(clauses_in_subject("The authority whose root the gate trusts is Norrland CA"))
        [(13, 40, 'whose root the gate trusts')]
    """
    hidden = masked(text)
    found = _DEFINED.match(hidden)
    if found is None or found["head"].split()[-1].lower() in _NOT_HEADS:
        return
    start = found.end()
    for verb in islice(_MAIN_VERB.finditer(hidden, hidden.find(" ", start) + 2), _MOST_VERBS):
        if _tells_of_now(hidden[start : verb.start()]):
            yield start - 1, verb.start(), text[start : verb.start()]


def _tells_of_now(clause: str) -> bool:
    """Whether a clause tells what is so of one thing, and no past."""
    words = [w.strip(_TRIM).lower() for w in clause.split()]
    if not holds(clause) or len(words) < 2 or any(w in _OF_SEVERAL or THIRD.get(w) in _OF_SEVERAL for w in words):
        return False
    return not any(is_past(w) and words[n - 1] not in _AUXILIARIES for n, w in enumerate(words) if n)


def _end_of_remark(hidden: str) -> int | None:
    if remark := _REMARK.match(hidden):
        return remark.end()
    stop = _REMARK_STOP.search(hidden, 1, 80)
    if stop is None or " " not in hidden[stop.end() :]:
        return None
    return stop.end() if is_remark(hidden[: stop.start()]) else None


def of_a_story(condition: str) -> bool:
    """Whether a condition is of one occasion, or too short to say of what: "we win the bid", "idle"."""
    words = condition.lower().split()
    return len(words) < 3 or words[0] in ("i", "we", "he", "she", "they", "it")


def is_remark(words: str) -> bool:
    """Whether words say nothing but that news follows: "we did the switch"."""
    listed = {w.strip(_TRIM).lower().replace("’", "'") for w in words.split()}
    return listed <= CHAT_WORDS and not _TALKING.isdisjoint(listed)


def opens_with_remark(sentence: str) -> bool:
    """Whether a sentence opens with what people say before a fact: "for anyone joining late, ..."."""
    return _end_of_remark(sentence) is not None


def of_one_case(sentence: str) -> bool:
    """Whether a sentence opens with a case that it does not name, or with one try.

    Example:
        >>> [of_one_case(s) for s in ("In one region, it is 5", "In our test, it is 5", "In the test room, it is 5")]
        [True, True, False]
    """
    return sentence.partition(" ")[0].lower() in _FRONT_WORDS and _OF_ONE_CASE.match(sentence) is not None


def _opens(segment: str, *, first: bool) -> bool:
    """Whether a stretch of words is no main clause by how it opens."""
    words = segment.split(" ", 3)
    word = words[0].strip(_TRIM).lower()
    if word in _SUBORDINATING or word in _FRONTING or word in _ADVERBIAL:
        return True
    if _PURPOSE.match(segment) is not None:
        return True
    if is_participle(word) and len(words) > 1:
        return True
    if word.endswith("ing") and verb_of_gerund(word) != word:
        return True
    return not first and word in _GOING_ON


def holds(words: str) -> bool:
    """Whether words leave nothing open."""
    listed = [w.strip(_TRIM).lower() for w in words.split()]
    return bool(listed) and _OPEN.isdisjoint(listed) and not is_opinion(listed)
