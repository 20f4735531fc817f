"""Changes told of what a program does, or of the noun with its clause: "changed it so it now returns None".

"We've moved the worker to a new base class, Runner", "We changed the error that load throws to KeyError": each is put
as the plain sentences that hold from then on, as in `told_changes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import fills_role, head_of, owned, quiet
from memstrata_integrations.extraction.sentences.inversions import inversions_of
from memstrata_integrations.extraction.sentences.retelling import inner
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.told_acts import calm, start
from memstrata_integrations.extraction.sentences.turning import HAS_ONE
from memstrata_integrations.extraction.sentences.verbs import BASES, THIRD, third_of
from memstrata_integrations.words import word_set

__all__ = ["MAY_BE_TOLD_SO", "told_in_code"]

_HAVE = r"(?:have |has )?(?:just |finally |recently |now |since |also )?"
_AGENT = r"(?:I|[Ww]e|[Tt]hey|[A-Z][a-z’'-]+)"
_THING = r"(?:[Tt]he |[Oo]ur |[Mm]y |[A-Z`]|[a-z][\w-]*(?:['’]s |_|\.|-|[A-Z(]))[^,;:]*?"
_REWORKED = (
    "changed|updated|configured|reconfigured|modified|adjusted|switched|patched|rewrote|rewritten|refactored|reworked"
    "|redesigned|extended|fixed"
)
_SO_IT = re.compile(
    rf"{_AGENT} {_HAVE}(?:{_REWORKED}) (?P<what>{_THING}),? so (?:that )?(?P<it>it|they) (?:now )?(?P<verb>[a-z]+) "
    r"(?:now )?(?P<rest>[^;:]+)\Z"
)
_REWROTE = re.compile(
    rf"{_AGENT} {_HAVE}(?:rewrote|rewritten|refactored|reworked|redesigned|extended) (?P<what>{_THING}) to (?:now )?"
    r"(?P<verb>[a-z]+) (?P<rest>[^;:]+)\Z"
)
_ITS = re.compile(r"\b(?:its|their) ")
_NO_STATES = word_set(
    "say mention note state explain describe show list include be have avoid stop not no longer can do does is are has "
    "also only never fit match work look feel make help handle support allow prevent fix improve reduce get"
)
_NEW = re.compile(
    rf"{_AGENT} {_HAVE}(?:moved|switched|migrated|changed|transitioned|transferred) (?P<what>{_THING})"
    r"(?: over| across)? (?:on)?to (?:an?|its|their) (?:new|different) (?P<noun>[a-z][\w-]*(?: [a-z][\w-]*){0,3})"
    r"[,:] (?P<value>\S[^,;:]*)\Z"
)
_MADE = "changed|switched|set|updated|raised|lowered|bumped|increased|reduced|swapped|replaced"
_TO = r"(?: from (?P<old>[^,;:]+?))? (?P<to>to|with) (?P<value>\S[^,;:]*)\Z"
_CLAUSED = (
    re.compile(rf"{_AGENT} {_HAVE}(?:{_MADE}) (?P<what>the [a-z][^,;:]*?){_TO}"),
    re.compile(rf"(?P<what>The [a-z][^,;:]*?) (?:was|has been|got|has) (?:{_MADE}){_TO}"),
)
# Of these one sets how many there are: "set the retries in the uploader to 5"
_COUNTED = (
    "retries|attempts|workers|replicas|threads|processes|instances|shards|partitions|consumers|pods|cores|connections"
)
_MANY = tuple(
    re.compile(form + rf"{_TO[: _TO.index('(?P<to>')]}to (?P<value>\d{{1,4}})\Z")
    for form in (
        rf"{_AGENT} {_HAVE}(?:{_MADE}) the (?P<what>(?P<many>{_COUNTED}) (?P<where>(?:in|of|for|on) [^,;:]+?))",
        rf"The (?P<what>(?P<many>{_COUNTED}) (?P<where>(?:in|of|for|on) [^,;:]+?)) (?:were|have been) (?:{_MADE})",
    )
)
MAY_BE_TOLD_SO = word_set(f"{_REWORKED}|{_MADE}|migrated|transitioned|transferred".replace("|", " "))
"""A sentence that `told_in_code` reads has one of these words."""


def told_in_code(said: str) -> Iterator[str]:
    """Yield the plain sentences that hold after a change that is told with a clause.

    Args:
        said: The sentence, without its full stop and what wraps it.

    Example:
        >>> list(told_in_code("We changed parse_row so it returns a tuple"))
        ['parse_row returns a tuple']
        >>> list(told_in_code("We changed the error that load_user throws for strangers to KeyError"))
        ['The error that load_user throws for strangers is KeyError']
    """
    for form in (_SO_IT, _REWROTE):
        match = form.match(said)
        if match is not None:
            yield from _does(match)
            return
    match = _NEW.match(said)
    if match is not None and calm(match, "what", "value"):
        head = head_of(match["noun"].split())
        if (head in HAS_ONE or fills_role(match["noun"])) and not is_plural(head):
            yield f"{start(owned('its', match['noun'], inner(match['what'])))} is {match['value']}"
        return
    for form in _MANY:
        match = form.match(said)
        if match is not None and calm(match, "what"):
            yield f"The number of {match['many']} {match['where']} is {match['value']}"
            return
    for form in _CLAUSED:
        match = form.match(said)
        if match is not None:
            yield from _clause(said, match)
            return


def _does(match: re.Match[str]) -> Iterator[str]:
    """Read "We changed parse_row so it returns a tuple" as what it does."""
    many = is_plural(head_of(match["what"].split()))
    verb = THIRD.get(match["verb"], match["verb"])
    if verb not in BASES or not {verb, match["verb"]}.isdisjoint(_NO_STATES) or not calm(match, "what"):
        return
    if not quiet(_ITS.sub(" ", match["rest"])):
        return
    told = match.groupdict().get("it")
    if told is not None and ((told == "they") != many or (match["verb"] == verb) != many):
        return
    for one in (verb, "store") if verb == "keep" else (verb,):
        yield f"{start(match['what'])} {one if many else third_of(one)} {match['rest']}"


def _clause(said: str, match: re.Match[str]) -> Iterator[str]:
    """Read "The theme the wiki uses was changed to Slate" as what the theme that it uses is."""
    value, what = match["value"], match["what"]
    if match["to"] == "with" or not calm(match, "what", "value") or " to " in f" {value} ":
        return
    plain = f"{start(what)} is {value}"
    if any(found.noun[0] < found.noun[1] for found in inversions_of(plain, plain)) or what.endswith(" defaults to"):
        yield plain
