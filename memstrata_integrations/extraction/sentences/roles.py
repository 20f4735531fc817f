"""Names as values: who or what fills a specific, definite role."""

from __future__ import annotations

import re

from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.clauses import masked
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    SHARED_ROLES,
    UNASSERTED,
)
from memstrata_integrations.relations import known

__all__ = ["read_role"]

_SUBJECT = re.compile(
    r"(?:(?:The|the|Our|our) )?(?:(?P<type>function|method|class|module|command|helper|decorator|handler|script|table"
    r"|queue|topic|bucket|job|hook|endpoint|task|view|serializer|service) )?"
    r"(?P<name>`[^`\n]{1,80}`|[A-Za-z_][\w.]*\(\)|[A-Za-z_]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z][A-Z]\w*)"
    r"(?: (?P<after>function|method|class|module|command|script|table|queue|topic|bucket|job|hook|task|view|service))?"
    r" (?P<verb>[a-z]{3,}s) (?P<rest>the .+)$",
    re.DOTALL,
)
_NAMED = known("is named")


def read_role(text: str, start: int, end: int) -> Claim | None:
    """Read "The function load_config() returns the parsed settings": a role, and the name that fills it.

    Roles that many names share ("raises ValueError", "validates the input") give nothing.
    """
    sentence = text[start:end]
    match = _SUBJECT.match(sentence) if "s the " in sentence else None
    if match is None or len(sentence) > 240:
        return None
    kind = match["type"] or match["after"] or ("function" if match["name"].endswith(("()", "()`")) else None)
    if kind is None or (match["type"] and match["after"]) or match["verb"] in SHARED_ROLES:
        return None
    words = masked(match["rest"]).split()
    if len(words) > 12:
        return None
    for word in words:
        bare = word.strip("\"'`().,;:").lower()
        if bare in UNASSERTED or bare in FINITE_VERBS or bare in DEICTIC or bare in CONJUNCTIONS:
            return None
        if word[-1] in ",;:" or bare in ("a", "an", "which", "who", "that", "given"):
            return None
    if len([w for w in words if w.lower() not in ("the", "of", "for", "in", "from", "to", "with", "on", "at")]) < 2:
        return None
    name_start, name_end = match.span("name")
    if sentence[name_start] == "`":
        name_start, name_end = name_start + 1, name_end - 1
    role = f"{kind} that {match['verb']} {match['rest']}"
    return Claim(role, _NAMED, start + name_start, start + name_end, "role", "identifier")
