"""Who does an act that a noun names, put as the plain sentence in the passive.

"Floor cleaning is done by Marlow", "We have our floors cleaned by Marlow", "Cleaning our floors is Marlow's job" and
"Our floors are in the care of Marlow" are sentences about who cleans the floors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memstrata_integrations.extraction.sentences.dispatch import Dispatch, Needles, signs_of
from memstrata_integrations.extraction.sentences.doer_words import BASE_OF_ACT, BASE_OF_DONE, DOINGS, NAME, WHO
from memstrata_integrations.extraction.sentences.doers import is_name
from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.governing import HANDLED
from memstrata_integrations.extraction.sentences.reordering import put
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import participle_of, third_of
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.words import singular, word_set

__all__ = ["OF_DOERS", "doer_cores", "done_of_act"]

_LONGEST = 220
_DOES = r"(?:done|handled|carried out|performed|looked after|taken care of|managed|undertaken|provided|overseen)"
_ACTED = re.compile(
    rf"(?:[Tt]he )?(?P<act>[A-Za-z]+)(?: of|) (?P<what>(?:the|our|my|all|[A-Z]|[a-z-]+ ){{0,1}}[^,;:]*?) (?:is|are) "
    rf"{_DOES} by {WHO}\Z"
)
_COMPOUND_ACT = re.compile(
    rf"(?P<the>[Tt]he |[Oo]ur |[Mm]y )?(?P<what>[A-Za-z][a-z-]*(?: [a-z]+)?) (?P<act>[a-z]+) (?:is|are) {_DOES} by "
    rf"{WHO}\Z"
)
_DOES_ACT = re.compile(
    rf"{WHO} (?:does|handles|looks after|takes care of|sees to|manages|carries out|performs|provides|is responsible "
    rf"for"
    r"|is in charge of|oversees) (?:(?:the )?(?P<act>[a-z]+) of (?P<what>[^,;:]+)"
    r"|(?P<doing>[a-z]+ing) (?P<it>(?:the|our|my|[A-Z`])[^,;:]*)"
    r"|(?P<our>the |our |my )(?P<of>[a-z][a-z-]*(?: [a-z]+)?) (?P<noun>[a-z]+))\Z"
)
_HAS_DONE = re.compile(rf"(?:We|I|They|we) (?:have|get) (?P<what>(?:our|my|the) [^,;:]+?) (?P<done>[a-z]+) by {WHO}\Z")
_IS_JOB = re.compile(
    r"(?P<act>[A-Z][a-z]+ing)(?: of)? (?P<what>(?:the|our|my|[A-Z`])[^,;:]*?) is "
    rf"(?P<who>{NAME})['’]s (?:job|task|duty|responsibility)\Z"
    rf"|It(?: is|['’]s) (?P<whose>{NAME})['’]s (?:job|task|duty|responsibility) to (?P<verb>[a-z]+) "
    r"(?P<it>(?:the|our|my|[A-Z`])[^,;:]*)\Z"
)
_UNDER = re.compile(
    r" (?:is|are) (?:now )?(?:in the hands of|in the care of|under the (?P<noun>care|direction|leadership|management"
    rf"|supervision|command|stewardship|ownership) of) {WHO}\Z"
)
_UNDER_NOUNS = {
    "care": "handled",
    "direction": "directed",
    "leadership": "led",
    "management": "managed",
    "supervision": "supervised",
    "command": "commanded",
    "stewardship": "managed",
    "ownership": "owned",
}


def done_of_act(noun: str) -> str | None:
    """Return what is done where somebody has charge of an act: "maintained" of "maintenance".

    Example:
        >>> done_of_act("maintenance"), done_of_act("cleaning"), done_of_act("weather")
        ('maintained', 'cleaned', None)
    """
    base = BASE_OF_ACT.get(noun)
    return participle_of(base) if base is not None else None


def doer_cores(core: Core, hidden: str) -> Iterator[Core]:
    """Yield the sentence in the passive that a sentence about an act stands for.

    Args:
        core: The sentence.
        hidden: It, masked.

    Example:
        >>> said = "We have our invoices printed by Inkhaus"
        >>> [c.text for c in doer_cores(Core(said, None, 0, False, ""), said)]
        ['Our invoices are printed by Inkhaus']
    """
    text = core.text
    if len(text) > _LONGEST:
        return
    for rule in _FITTING(signs_of(hidden)):
        if (told := rule(hidden)) is None:
            continue
        done, what, before, who = told
        start, end = what
        head = head_phrase([w.lower() for w in hidden[start:end].split()])[0]
        said = " are " if is_plural(head) else " is "
        pieces: tuple[str | tuple[int, int], ...] = (before, (start, end))
        if not before and text.startswith(("our ", "my ", "the "), start):
            pieces = (text[start].upper(), (start + 1, end))
        by = ("t", (who[0] + 1, who[1])) if text.startswith("The ", who[0]) else (who,)
        yield put(core, (*pieces, f"{said}{done} by ", *by))
        return


# What a tool or a service does for all of a kind: "Nginx serves static files", "Postgres backs the ledger"
_TOOL_VERBS = {
    third_of(base): base
    for base in word_set("serve validate power back terminate resolve index cache proxy parse authenticate render host")
}
_TOOL_DOES = re.compile(
    r"(?:(?P<who>[A-Z][\w.+-]*(?: [A-Z][\w.+-]*)?)"
    r"|The (?P<group>[a-z][\w-]*(?: [a-z][\w-]*)? (?:service|server|worker|job"
    rf"|module|gateway|proxy|daemon|agent|runner|pipeline|cluster))) (?P<verb>{'|'.join(sorted(_TOOL_VERBS))}) "
    r"(?P<what>(?:the |our |all )?[a-z][a-z -]*)\Z"
)
_SERVED_PEOPLE = word_set("guest customer client meeting event conference party show public community")
_JOBS = word_set("job task duty responsibility")
_Told = tuple[str, tuple[int, int], str, tuple[int, int]]


def _agent(match: re.Match[str]) -> tuple[int, int]:
    """Return where the one who does it stands, with the article of a group."""
    if match["group"] is None:
        return match.span("who")
    start, end = match.span("group")
    return start - 4, end


def _had_done(hidden: str) -> _Told | None:
    """Read "We have our invoices printed by Inkhaus"."""
    match = _HAS_DONE.match(hidden)
    if match is None or match["done"] not in BASE_OF_DONE:
        return None
    return match["done"], match.span("what"), "", _agent(match)


def _by_act(hidden: str) -> _Told | None:
    """Read "Window cleaning is done by Marlow" and "Ulf does the baking of the bread"."""
    if " by " in hidden:
        match = _ACTED.match(hidden)
        if match is not None and " of " in hidden and (done := done_of_act(match["act"].lower())):
            return done, match.span("what"), "", _agent(match)
        match = _COMPOUND_ACT.match(hidden)
        if match is not None and (done := done_of_act(match["act"])):
            return done, match.span("what"), (match["the"] or "").capitalize(), _agent(match)
        return None
    match = _DOES_ACT.match(hidden)
    if match is None or (match["who"] and not is_name(match["who"])):
        return None
    if match["what"]:
        group, act, before = "what", match["act"], ""
    elif match["it"]:
        group, act, before = "it", match["doing"], ""
    else:
        group, act, before = "of", match["noun"], match["our"].capitalize()
    done = done_of_act(act)
    return (done, match.span(group), before, _agent(match)) if done else None


def _by_tool(hidden: str) -> _Told | None:
    """Read "Nginx serves static files" as what serves them."""
    match = _TOOL_DOES.match(hidden)
    if match is None or not quiet(match["what"]) or (match["who"] and not is_name(match["who"])):
        return None
    words = match["what"].lower().split()
    head = head_phrase(words)[0]
    whole = singular(head) in HANDLED or (words[0] == "the" and not is_plural(head) and head not in _SERVED_PEOPLE)
    return (participle_of(_TOOL_VERBS[match["verb"]]), match.span("what"), "", _agent(match)) if whole else None


def _job(hidden: str) -> _Told | None:
    """Read "Tuning the organ is Maud's job" and "It is Maud's job to tune the organ"."""
    match = _IS_JOB.match(hidden)
    if match is None:
        return None
    if match["whose"]:
        done = participle_of(match["verb"]) if match["verb"] in DOINGS else None
        return (done, match.span("it"), "", match.span("whose")) if done else None
    done = done_of_act(match["act"].lower())
    return (done, match.span("what"), "", match.span("who")) if done else None


def _under(hidden: str) -> _Told | None:
    """Read "The choir is under the direction of Ann" and "The garden is in the hands of Bram"."""
    match = _UNDER.search(hidden)
    if match is None:
        return None
    done = _UNDER_NOUNS[match["noun"]] if match["noun"] else "handled"
    return done, (0, match.start()), "", _agent(match)


OF_DOERS: tuple[tuple[Callable[[str], _Told | None], Needles], ...] = (
    (_had_done, word_set("We I They")),
    (
        _by_act,
        word_set("by does handles looks takes sees manages carries performs provides responsible charge oversees"),
    ),
    (_job, _JOBS),
    (_under, (word_set("under in"), word_set("the"))),
    (_by_tool, frozenset(_TOOL_VERBS)),
)
"""Readers of who does what to what, each with the signs that a sentence needs."""
_FITTING = Dispatch(OF_DOERS)
