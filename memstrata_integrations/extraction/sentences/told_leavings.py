"""What a thing was with before a change that names it: "The library moved from MIT to Apache-2.0".

The old value says under which plain sentence it may have been told; it alone ends, and nothing else under that key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.framing import quiet
from memstrata_integrations.extraction.sentences.retelling import inner
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.extraction.sentences.told_acts import be, calm, start
from memstrata_integrations.extraction.sentences.told_changes import is_format, is_passing

__all__ = ["left_by"]

_LONGEST = 200
_HAVE = r"(?:have |has )?(?:just |finally |recently |now |since |also )?"
_AGENT = r"(?:I|[Ww]e|[Tt]hey|[A-Z][a-z’'-]+)"
_THING = r"(?:[Tt]he |[Oo]ur |[Mm]y |[A-Z`]|[a-z][\w-]*(?:['’]s |_|\.|-))[^,;:]*?"
_WAY = r"(?: over| across| away| out)?"
_LEFT = (
    re.compile(
        rf"{_AGENT} {_HAVE}(?:moved|switched|changed|migrated|converted|transferred) (?P<what>{_THING}){_WAY} "
        r"from (?P<old>\S[^,;:]*?) to (?P<value>\S[^,;:]*?)(?: for (?P<purpose>[^,;:]+))?\Z"
    ),
    re.compile(
        rf"(?P<what>{_THING}|I|We) {_HAVE}(?:been |was |were |got )?(?:moved|switched|changed|migrated|converted|gone"
        rf"|transitioned){_WAY} from (?P<old>\S[^,;:]*?) to (?P<value>\S[^,;:]*?)(?: for (?P<purpose>[^,;:]+))?\Z"
    ),
)
_LICENCE = re.compile(r"(?:[A-Z]*GPL|MIT|BSD|ISC|[ME]PL|CC|Apache|Boost|Zlib|BUSL|BSL|SSPL|Unlicense)\b")


def left_by(said: str) -> Iterator[str]:
    """Yield the plain sentences of what a thing was with before it moved away from that.

    The value that is named ends, and no other.

    Example:
        >>> list(left_by("The team has switched from Slack to Zulip for chat"))
        ['The team uses Slack for chat']
    """
    if " from " not in said or len(said) > _LONGEST or is_passing(said):
        return
    match = _LEFT[0].match(said) or _LEFT[1].match(said)
    if match is None or not calm(match, "what", "old", "value"):
        return
    what, old, value = match["what"], match["old"], match["value"]
    alone = what in ("I", "We", "we")
    if match["purpose"]:
        if quiet(match["purpose"]):
            yield f"{start(what)} {'use' if alone or be(what) == 'are' else 'uses'} {old} for {match['purpose']}"
        return
    found = find_typed(old, 0, len(old))
    if alone or found is None or found[3] not in ("name", "technical"):
        return
    if _LICENCE.match(old) and _LICENCE.match(value):
        yield f"{start(what)} {be(what)} licensed under {old}"
    elif is_format(old) and is_format(value):
        for noun in ("format", "response format", "output format"):
            yield f"The {noun} of {inner(what)} is {old}"
    else:
        yield f"{start(what)} {be(what)} powered by {old}"
        yield f"{start(what)} {be(what)} hosted by {old}"
