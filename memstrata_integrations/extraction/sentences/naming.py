"""What a thing in code is called, in the words by which its writers say so.

"The planner goes by `SlotPlanner`", "What the portal has in its timeout setting is 30 seconds", "`level` is what the
model has in its depth column", "The package known as `lumen-core` holds the lighting rules".
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import subject_is_sound
from memstrata_integrations.extraction.sentences.complements import Verb, masked, read_complement
from memstrata_integrations.extraction.sentences.framing import attached, quiet
from memstrata_integrations.extraction.sentences.lexicon import ARTEFACTS, PREPOSITIONS, SHARED_ROLES
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.slots import find_typed, qualifiers
from memstrata_integrations.extraction.sentences.verbs import MANY_VERBS, THIRD
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["read_naming"]

_LONGEST = 240
_TRIM = "\"'`()[]{}.,;:!?“”‘’"
_IS, _NAMED = known("is"), known("is named")
_QUOTED = re.compile("[`\"']")
_GOES_BY = re.compile(r" (?:goes|go) by (?:the name (?:of )?)?(?=\S)")
_KNOWN_AS = re.compile(
    r" (?:is|are) (?:known|registered|listed|referred to|exposed|published|exported) (?:internally )?as (?=\S)"
)
_HAS_IN = re.compile(
    r"What (?P<who>[^,;:]{2,60}?) (?:has|have|uses) (?:in|as|for) (?:its|their) (?P<what>[^,;:]{2,50}?) is (?=\S)"
)
_IN_IT = re.compile(
    r" is what (?P<who>[^,;:]{2,60}?) (?P<verb>has|have|uses) (?:in|as|for) (?:its|their) (?P<what>[^,;:]{2,50})\Z"
)
_APPOSED = re.compile(
    r"(?:The|Our|My) (?P<noun>(?:[\w'’-]+ ){0,3}?[a-z]+) (?:(?:known|exposed) as |called |named )?(?=[`\"'])"
)
_DOES = re.compile(r" (?P<verb>[a-z]+) (?P<what>(?:the|our|all|every|each) \S[^,;:]{2,80})\Z")
_RELATIVE = re.compile(
    r"(?:The|the) (?P<kind>(?:[\w-]+ ){0,3}[a-z]+) (?:that|which) (?P<verb>runs|handles|models|represents"
    r"|covers|makes|gets"
    r"|goes|comes|helps|fires|stands|loads|holds|marks) (?P<what>[^,;:]{3,60}?) is (?:named |called "
    r"|known as )?(?=[`\"'])"
)
_FOR_WHAT = re.compile(
    r"(?:The|the|Our|our) (?P<kind>(?:[\w-]+ ){0,3}[a-z]+) (?P<link>for|of|behind|with|holding|storing|carrying|to)"
    r" (?P<what>[^,;:]{3,60}?) is (?:named |called |known as )?(?=[`\"'])"
)
_CODE_THINGS = ARTEFACTS | word_set(
    "package service queue topic bucket job worker stage script database schema cluster branch library container image "
    "channel pipeline workflow endpoint entity event signal index alias env module binary process daemon"
)


def read_naming(core: str) -> Claim | None:
    """Read how a thing is called; the places of the claim are those of `core`."""
    if len(core) > _LONGEST or not (_QUOTED.search(core) or " by " in core or "hat " in core or " as " in core):
        return None
    hidden = masked(core)
    return (
        _goes_by(core, hidden) or _has_in(core, hidden) or _apposed(core, hidden) or _relative(core) or _for_what(core)
    )


def _goes_by(core: str, hidden: str) -> Claim | None:
    match = _GOES_BY.search(hidden) or _KNOWN_AS.search(hidden)
    if match is None:
        return None
    subject = core[: match.start()].strip()
    found = find_typed(core, match.end(), len(core))
    if found is None or found[3] not in ("quoted", "technical", "name"):
        return None
    tail = qualifiers(core[found[2] :])
    words = [w.strip(_TRIM).lower() for w in hidden[: match.start()].split()]
    lone = len(words) < 3 and words[-1] in _CODE_THINGS  # "the function goes by": of many functions
    if tail is None or lone or not subject_is_sound(hidden[: match.start()], subject):
        return None
    return Claim(f"{subject} {tail}".strip(), _NAMED, found[0], found[1], "naming: goes by", "identifier")


def _has_in(core: str, hidden: str) -> Claim | None:
    match = _HAS_IN.match(hidden)
    if match is not None:
        start, stop = match.end(), len(core)
    else:
        match = _IN_IT.search(hidden)
        if match is None:
            return None
        start, stop = 0, match.start()
    if not quiet(match["what"]) or not quiet(match["who"]):
        return None
    subject = attached(core[slice(*match.span("what"))], core[slice(*match.span("who"))])
    if not subject_is_sound(masked(subject), subject):
        return None
    plain = f"{subject} is set to {core[start:stop]}"
    pos = len(plain) - (stop - start)
    claim = read_complement(plain, subject, Verb(len(subject) + 1, pos - 1, _IS, 3), 0, pos)
    if claim is None or claim.start < pos:
        return None
    return claim._replace(start=claim.start + start - pos, end=claim.end + start - pos, rule="naming: has in its")


def _relative(core: str) -> Claim | None:
    """Read "The CI job that runs integration tests is `it`": of a kind of which a sentence speaks, one does it."""
    match = _RELATIVE.match(core)
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or found is None or core[found[2] :].strip():
        return None
    said = match["what"].replace("before ", "").replace("after ", "")
    if match["kind"].split()[-1] not in _CODE_THINGS | {"variable", "model"} or not quiet(said):
        return None
    subject = f"{match['kind']} that {match['verb']} {match['what']}"
    return Claim(subject, _NAMED, found[0], found[1], "naming: relative", "identifier")


def _for_what(core: str) -> Claim | None:
    """Read "The column for the sender is `sender_id`"."""
    match = _FOR_WHAT.match(core)
    found = find_typed(core, match.end(), len(core)) if match else None
    if match is None or found is None or core[found[2] :].strip():
        return None
    kind, what = match["kind"].split(), match["what"].split()
    if kind[-1] not in _CODE_THINGS | {"subcommand", "variable", "parameter"} or not quiet(match["what"]):
        return None
    if not quiet(match["kind"]) or is_opinion([*kind, *what]) or " " in core[found[0] : found[1]]:
        return None
    return Claim(
        f"{match['kind']} {match['link']} {match['what']}", _NAMED, found[0], found[1], "naming: for what", "identifier"
    )


def _apposed(core: str, hidden: str) -> Claim | None:
    """Read "The package known as `lumen-core` holds the lighting rules": one package does."""
    match = _APPOSED.match(core)
    if match is None:
        return None
    noun = match["noun"].split()
    found = find_typed(core, match.end(), len(core))
    if found is None or found[3] != "quoted" or noun[-1] not in _CODE_THINGS or " " in core[found[0] : found[1]]:
        return None
    does = _DOES.match(hidden, found[2])
    if does is None or does["verb"] not in THIRD or does["verb"] in SHARED_ROLES or does["verb"] in MANY_VERBS:
        return None
    if THIRD[does["verb"]] in MANY_VERBS or not quiet(does["what"]) or does["what"].split()[-1] in PREPOSITIONS:
        return None
    what = core[slice(*does.span("what"))]
    subject = f"{match['noun']} that {does['verb']} {what}"
    return Claim(subject, _NAMED, found[0], found[1], "naming: apposition", "identifier")
