"""What a change of a person's things comes to, in all words for them: "I've switched gyms, I go to the Forge now".

Who announces a change takes back what was told before, in whatever words: the change comes to the plain sentences of
all of them, which are read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.belongings import Belonging
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.paraphrases import others, told_by
from memstrata_integrations.extraction.sentences.personal import (
    DOINGS,
    KINSHIP,
    NOUNS,
    VALUES,
    branded,
    fits,
    helper_of,
    owner_of,
    told_frame,
)
from memstrata_integrations.extraction.sentences.slots import qualifiers
from memstrata_integrations.extraction.sentences.verbs import participle_of, third_of, verb_of_gerund
from memstrata_integrations.words import singular, word_set

__all__ = ["MAY_BE_PERSONAL", "as_done", "left_behind", "may_be_personal", "others_of", "spoken_out"]

_LONGEST = 160
_NOUN = "|".join(sorted(map(re.escape, NOUNS), key=len, reverse=True))
_WHOSE = (
    rf"(?P<own>[Mm]y|[Oo]ur|(?P<who>(?:[Mm]y (?:{KINSHIP.replace(' ', '|')})|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?))['’]s)"
)
_IS_MY_NOUN = re.compile(
    rf"(?P<value>[A-Z][^,;:]*?) (?:is|has become|became|(?:took|has taken) over as) {_WHOSE} "
    rf"(?:new )?(?P<noun>{_NOUN})\Z"
)
_HAS_NEW = re.compile(
    rf"(?P<who>I|[Ww]e|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?:have |has )?(?:just |finally |recently )?(?:got|have|has"
    rf"|found"
    rf"|bought|hired|started seeing|started with|am seeing|chosen|picked|see|sees|use|uses) (?:an?|my|our|his|her) "
    rf"(?:new|different) (?P<noun>{_NOUN})(?:,|:| called| named| –| —| -) (?P<value>\S[^,;:]*)\Z"
)
_AS_NOUN = re.compile(
    rf"(?P<who>I|[Ww]e|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?:have |has )?(?:just |finally |recently )?(?:gone with"
    rf"|went with"
    rf"|chosen|chose|picked|settled on|hired|found|opted for|got|took on|taken on|use|uses|made|see|sees) "
    rf"(?P<value>\S[^,;:]*?) (?:as|for) (?P<own>my|our|his|her|the) (?:new )?(?P<noun>{_NOUN})\Z"
)
_IS_NOUN = re.compile(
    rf"{_WHOSE} (?:(?:new|current) )?(?P<noun>{_NOUN}) (?:is|are) (?:(?P<link>with|at|from|through"
    rf"|by) )?(?P<value>\S.*)\Z",
    re.IGNORECASE,
)
_CHANGED = (
    r"(?:switched|changed|moved|swapped|transferred|replaced|taken|took|brought|shifted|upgraded|updated|set|migrated"
    r"|exchanged|traded|turned|ported|put)"
)
_CHANGED_NOUN = re.compile(
    rf"(?P<who>I|[Ww]e|[Tt]hey|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?:have |has )?(?:just |finally |recently )?{_CHANGED} "
    rf"(?P<own>my|our|his|her|the) (?P<noun>{_NOUN})(?: over)?(?: from [^,;:]+?)? (?:to|for|with|by"
    rf"|into) (?P<value>\S[^,;:]*)\Z"
)
_NOUN_THEN = re.compile(
    rf"(?P<who>I|[Ww]e|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?:have |has )?(?:just |finally |recently )?(?:switched|changed"
    rf"|swapped|left|got|found|have|has|moved|needed) (?:(?:my|our|his|her|to a|an?) )?(?:new |different |another )?"
    rf"(?P<noun>(?:{_NOUN})s?)(?:,|;|:| –| —| -| and| so)(?: so| and)?(?: now)? "
    r"(?:(?:(?:I|we|he|she|they)(?: am| is| are|['’]m|['’]re|['’]s)?|(?P<again>[A-Z][\w’-]*)) (?:now )?(?:have )?"
    r"(?:with|at|on|seeing|sees?|goes to|go to|going to|uses?|using|drives?|driving|rides?|banks? with|went with"
    r"|gone with|chose|picked|joined|trains? at|work out at|studying|study|studies|majoring in|have|has|got|fly with)"
    r"|(?:it|that|the new one|my new one|this time it)(?:['’]s| is)(?: now)?|now it(?:['’]s"
    r"| is)) (?P<value>\S[^,;:]*)\Z"
)
_THAT_IS = re.compile(
    rf"(?:I|[Ww]e)(?: have|['’]ve)? (?:just )?(?:joined|bought|got|went for|gone for|gone with|went with|chose"
    rf"|picked|found"
    rf"|signed up (?:at|with)|registered (?:at|with)|switched to|moved to|upgraded to"
    rf"|changed to) (?P<value>\S[^,;:]*?),? (?:and |so )?"
    rf"(?:that|which|it)(?:['’]s| is) (?:now )?(?P<own>my|our) (?:new )?(?P<noun>{_NOUN})(?: now)?\Z"
)
_FROM_TO = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?:have |has )?(?:just |finally |recently )?"
    r"(?:(?:switched|moved|changed|gone|went|migrated|upgraded|defected"
    r"|transferred)(?: over)? from (?P<old>[^,;:]+?) to"
    r"|(?:left|quit|ditched|dumped|dropped|abandoned) (?P<left>[^,;:]+?) for"
    r"|(?:swapped|traded in|traded|exchanged|swapped out) (?P<gave>[^,;:]+?)(?: in)? for"
    r"|replaced (?P<had>[^,;:]+?) (?:with|by)) (?P<value>\S[^,;:]*)\Z"
)
_TO = re.compile(
    r"(?P<who>I|[Ww]e|[A-Z][\w’-]*(?: [A-Z][\w’-]*)?) (?:(?:have |has )?(?:just |finally |recently )?(?:(?:switched"
    r"|moved"
    r"|changed|upgraded|migrated|gone over|went over|converted|downgraded)(?: over)? to|gone with|went with"
    r"|gone for|went for"
    r"|ended up (?:with|getting|buying|choosing)|settled on|opted for|bought|got|plumped for)"
    r"|(?P<now>am on|is on|are on|am with|is with|are with|use|uses|am using|is using|have|has)) (?P<value>\S[^,;:]*)\Z"
)
_LATELY = re.compile(r",? (?:now|these days|nowadays|instead|from now on|from here on|at the moment|currently)\Z")
_LAST_WORDS = ("now", "days", "instead", "on", "moment", "currently")  # of `_LATELY`
_NAME_ALONE = re.compile(VALUES["name"])
_HAD_TO = re.compile(
    r"(?<=\w )(?:(?:had to|have had to|has had to|(?:have |has )?managed to|(?:was|were) able to|(?:was|were) forced to"
    r"|got to|(?:have |has )?decided to go ahead and) (?P<verb>push|move|bump|raise|lower|change|reschedule"
    r"|postpone|delay"
    r"|switch|cut|reduce|increase|extend|shift|swap|replace|rename|put|set|bring|upgrade|downgrade|transfer|drop)"
    r"|(?:have |has )?ended up (?P<doing>pushing|moving|changing|rescheduling|postponing|switching|cutting"
    r"|extending|swapping"
    r"|replacing|renaming|upgrading|choosing|picking|buying))(?= )"
)
_AGREED = re.compile(
    r"(?:I|[Ww]e|[Tt]hey|[Tt]he [a-z]+|[A-Z][\w’-]*) (?:have |has )?(?:just |finally )?(?:agreed on|agreed to"
    r"|settled on|settled for"
    r"|decided on|opted for|gone with|gone for|went with|went for|chosen|chose|picked|fixed on|landed on|voted for) "
    r"(?P<value>[^,;:]+?) (?:as|for) (?P<what>(?:the|my|our|[A-Z][\w-]*['’]s) (?:[\w’'-]+ ){0,4}?[a-z][\w-]*)\Z"
)
_SHORT = re.compile(r"\b(?P<who>I|[Ww]e|[Tt]hey)['’](?P<verb>m|re|ve)(?= )")
_SHARED = re.compile(
    r"\A(?P<did>(?P<who>I|[Ww]e)(?:['’]ve| have)? (?:just )?(?:switched|changed|swapped|left|moved) [a-z ]{3,30}?) and "
    r"(?:now )?(?=(?:go to|see|use|bank with|train at|am with|are with|drive) [\w])"
)
_LONG = {"m": "am", "re": "are", "ve": "have"}

MAY_BE_PERSONAL = word_set(
    "switched changed moved swapped transferred replaced taken took brought upgraded updated migrated exchanged traded "
    "reassigned assigned transferred promoted hired given issued started began begun retrained rescheduled pushed "
    "postponed shifted relocated settled poached recruited headhunted took taken landed accepted rebooked landed "
    "had managed agreed decided able ended voted "
    "ported left quit ditched dumped dropped found joined bought got gone went settled opted ended chose picked "
    "new New now come nowadays days instead longer on forward lately"
)
"""A sentence that `others_of` reads has one of these words."""


def may_be_personal(sentence: str) -> bool:
    """Whether a sentence may announce a change that `others_of` reads: never wrongly false."""
    words = sentence.split()
    if not MAY_BE_PERSONAL.isdisjoint(words):
        return True
    return not MAY_BE_PERSONAL.isdisjoint([w.rstrip(",;:.!") for w in words if w[-1] in ",;:.!"])


def spoken_out(sentence: str) -> str:
    """Return a sentence without its contractions and the "now" at its end.

    Example:
        >>> spoken_out("We've switched gyms, I'm with Ironworks now")
        'We have switched gyms, I am with Ironworks'
    """
    said = _LATELY.sub("", sentence) if sentence.endswith(_LAST_WORDS) else sentence
    if " and " in said:  # "I switched dentists and now go to Dr. Lind"
        said = _SHARED.sub(r"\g<did>, \g<who> ", said)
    if "'" not in said and "’" not in said:
        return said
    return _SHORT.sub(lambda m: f"{m['who']} {_LONG[m['verb']]}", said)


def as_done(sentence: str) -> str:
    """Return "We moved the party to May" for "We had to move the party to May": who had to, did.

    Example:
        >>> as_done("We had to push the party back to May")
        'We pushed the party back to May'
    """
    if " to " not in sentence and " ended up " not in sentence:
        return sentence
    return _HAD_TO.sub(lambda m: participle_of(m["verb"] or verb_of_gerund(m["doing"])), sentence, count=1)


def others_of(said: str, changed: bool) -> Iterator[str]:
    """Yield the plain sentences of all other words for what a sentence of change tells of a person.

    Args:
        said: The sentence, without its full stop.
        changed: Whether its wrapping announces a change.

    Example:
        >>> sorted(others_of("I train at Ironworks", True))[:2]
        ['I train at Ironworks', 'My fitness club is Ironworks']
    """
    if len(said) > _LONGEST:
        return
    if changed and said.startswith(("Our ", "our ")):
        yield f"My {said[4:]}"  # who says "my" may say "our" of the same thing
    if changed and (told := told_frame(said)) is not None:
        match, belonging, tail = told
        yield from _plain(match["who"], belonging, match["value"], tail)
        return
    if (said_so := told_by(said, weak=False)) is not None and (changed or said_so.change):
        yield from others(said_so)
        return
    agreed = _AGREED.match(said) if " as " in said or " for " in said else None
    if agreed is not None and quiet(agreed["value"]):
        what = f"{agreed['what'][0].upper()}{agreed['what'][1:]}"
        for link in ("is", "is at", "is on"):
            yield f"{what} {link} {agreed['value']}"
    found = _changed(said, changed)
    if found is None:
        yield from _helped(said, changed)
        return
    who, belonging, value = found
    head, tail = _split(value)
    if not head or not fits(head, belonging) or not quiet(head):
        return
    yield from _plain(who, belonging, head, tail)


def _split(value: str) -> tuple[str, str]:
    """Return a value without its article, and the qualifiers behind it."""
    words = value.split()
    if words and words[0].lower() in ("a", "an", "my", "our"):
        words = words[1:]
    at = next((n for n, w in enumerate(words) if n and w in PREPOSITIONS and w not in ("of", "and")), len(words))
    tail = qualifiers(" ".join(["", *words[at:]]))
    return (" ".join(words[:at]), tail) if tail is not None else ("", "")


def _changed(said: str, changed: bool) -> tuple[str, Belonging, str] | None:
    """Return who has something new, which thing, and what it is now."""
    if changed and (match := _IS_NOUN.match(said)) is not None:
        belonging = NOUNS[match["noun"].lower()]
        if not match["link"] or match["link"] in belonging.links.split():
            return match["who"] or ("I" if match["own"].lower() == "my" else "We"), belonging, match["value"]
        return None
    if (changed or " is " not in said) and (match := _IS_MY_NOUN.match(said)) is not None:
        return match["who"] or ("I" if match["own"].lower() == "my" else "We"), NOUNS[match["noun"]], match["value"]
    for form in (_CHANGED_NOUN, _NOUN_THEN, _THAT_IS, _HAS_NEW, _AS_NOUN):
        if (match := form.match(said)) is not None:
            noun = match["noun"]
            thing = NOUNS.get(noun) or NOUNS.get(singular(noun)) or NOUNS.get(noun.removesuffix("s"))
            if thing is None:
                return None
            return _possessor(match), thing, match["value"]
    match = _FROM_TO.match(said)
    if match is not None:
        old = match["old"] or match["left"] or match["gave"] or match["had"]
        thing = branded(old) or branded(match["value"])
        return (match["who"], thing, match["value"]) if thing is not None else None
    match = _TO.match(said)
    if match is not None and (changed or not match["now"]) and (thing := branded(match["value"])) is not None:
        return match["who"], thing, match["value"]
    return None


def left_behind(said: str) -> Iterator[str]:
    """Yield what held of a person before they left one firm or place for another; each ends with its value.

    Example:
        >>> list(left_behind("Tim left Siemens for Bosch"))[:2]
        ['Tim works for Siemens', 'Tim works at Siemens']
    """
    match = _FROM_TO.match(said) if len(said) <= _LONGEST else None
    old = (match["old"] or match["left"] or "") if match is not None else ""
    named = _NAME_ALONE.fullmatch(old) and match is not None and _NAME_ALONE.fullmatch(match["value"])
    if match is None or not named or " went from " in said or " gone from " in said:
        return  # "Ana switched from Acme to Globex for her phone", "went from Berlin to Paris"
    product = match["left"] is None and (" " in old or match["who"].lower() == "we")
    if product or "migrated" in said or "upgraded" in said:
        return  # "I moved from Google Docs to Notion"
    who = match["who"]
    for verb in ("work for", "work at", "study at", "play for"):
        yield f"{who} {_conjugated(verb, who, old)}"


def _possessor(match: re.Match[str]) -> str:
    """Return whose the changed thing is."""
    said = match.groupdict()
    own, who = said.get("own"), said.get("who") or "I"
    if own in ("my", "our"):
        return "I" if own == "my" else "We"
    return who if who != "They" and who != "they" else "I"


def _plain(who: str, belonging: Belonging, value: str, tail: str) -> Iterator[str]:
    """Yield the plain sentences that tell what somebody has of a kind."""
    named = f"a {value}" if belonging.kind == "product" and not value.startswith("the ") else value
    behind = f" {tail}" if tail else ""
    for one in ("I", "We") if who.lower() == "we" else (who,):
        owner = owner_of(one)
        for noun in belonging.nouns:
            yield f"{owner} {noun} is {named}{behind}"
        for link in belonging.links.split()[:1]:
            for noun in belonging.nouns[1:4]:
                yield f"{owner} {noun} is {link} {value}{behind}"
        if belonging.kind == "product":
            yield f"{one} {'have' if one in ('I', 'We') else 'has'} {named}"
        for frame in belonging.frames[:1]:
            yield f"{one} {_conjugated(frame, one, named)}{behind}"
        for doing in DOINGS.get(belonging.nouns[0], ())[:1]:
            whom = {"I": "me", "We": "us"}.get(one, one)
            own = {"I": "my", "We": "our"}.get(one, "her")
            yield f"{value} {doing.replace('WHOM', whom).replace('my', own)}"


def _conjugated(frame: str, who: str, value: str) -> str:
    verb, _, rest = (frame if "{}" in frame else f"{frame} {{}}").partition(" ")
    if who in ("I", "We"):
        said = "are" if verb == "am" and who == "We" else verb
    else:
        said = {"am": "is", "have": "has"}.get(verb) or third_of(verb)
    return f"{said} {rest.replace('{}', value)}"


def _helped(said: str, changed: bool) -> Iterator[str]:
    """Read "Amara babysits for us now" as who our babysitter is."""
    found = helper_of(said) if changed else None
    if found is None:
        return
    match, nouns = found
    for noun in nouns:
        for own in ("My", "Our"):
            yield f"{own} {noun} is {match['value']}"
