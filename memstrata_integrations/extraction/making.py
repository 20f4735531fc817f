"""From a claim to a fact: the key in canonical form, the value in the dimension of its slot."""

from __future__ import annotations

from itertools import pairwise

from memstrata_integrations.canonical import canonical_subject, content_words, is_identifier
from memstrata_integrations.extraction.aliases import Aliases
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.entities import first_person, names_entity
from memstrata_integrations.extraction.folding import folded
from memstrata_integrations.extraction.lexicon import DURATION_NOUNS, GENERIC, VERSION_NOUNS
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.extraction.weak import SIDE_BY_SIDE
from memstrata_integrations.facts import Fact
from memstrata_integrations.values import canonical_value

__all__ = ["fact_of_claim"]

_QUOTES = ("`", "'", '"')
_TRIM = "\"'`.,()"
_OF_PACKAGES = frozenset(("is pinned to", "has version"))


def fact_of_claim(text: str, statement: Statement, claim: Claim, aliases: Aliases | None = None) -> Fact:
    """Make a fact of a claim: its key in canonical form, its value in the dimension of its slot.

    Args:
        text: The whole text.
        statement: The statement that makes the claim, with what stands above it.
        claim: What a rule has read.
        aliases: Other names of subjects.
    """
    bare = claim.subject
    subject = _with_surroundings(bare, statement)
    if claim.relation.name == "is" and claim.start >= 0:
        claim = folded(
            claim._replace(subject=subject),
            text[claim.start : claim.end],
            text[claim.start - 1 : claim.start] in _QUOTES,
        )
        subject = claim.subject
    canonical = canonical_subject(aliases.resolve(subject) if aliases else subject)
    span = (statement.start, statement.end)
    relation = claim.relation.name
    local = claim.local
    if local is None:
        local = not _is_global(bare, relation, statement)
    if claim.start < 0:
        return Fact(canonical, relation, None, "", "none", span, claim.rule, "functional", local, True)
    written = text[claim.start : claim.end]
    expected = claim.expected or _expected(bare, canonical, relation)
    if claim.expected == SIDE_BY_SIDE:
        # all plain ones have one value: none of them replaces another
        value = " ".join(written.split()).casefold() if claim.narrative else "*"
        return Fact(
            canonical, relation, written, value, SIDE_BY_SIDE, span, claim.rule, "functional", local, claim.narrative
        )
    value, dimension = canonical_value(written, "pin" if relation == "is pinned to" else expected)
    if relation == "lives in" and dimension == "place":  # perhaps the one lies in the other
        return Fact(
            canonical,
            relation,
            written,
            value if claim.changed else "*",
            dimension,
            span,
            claim.rule,
            "functional",
            local,
            claim.changed,
        )
    free = relation == "is" or claim.relation.slot == "free"
    if free and claim.expected != "name" and dimension in ("name", "identifier"):
        dimension, value = "text", value.casefold()  # a licence is "MIT" or "Apache-2.0"
    return Fact(
        canonical,
        relation,
        written,
        value,
        dimension,
        span,
        claim.rule,
        claim.relation.cardinality,
        local,
        claim.narrative,
    )


def _with_surroundings(subject: str, statement: Statement) -> str:
    above = (*reversed(statement.parents), *reversed(statement.headings))
    if not above:
        return subject
    words = content_words(subject)
    for heading in above:
        if not content_words(heading) <= words:
            subject += f" of {heading}"
    return subject


def _is_global(bare: str, relation: str, statement: Statement) -> bool:
    if first_person(bare):
        return False
    if any(names_entity(h, title=True) for h in statement.headings):
        return True
    if statement.kind == "sentence":
        # a name of a package stands without article, capital or underscore
        return names_entity(bare) or (relation in _OF_PACKAGES and bare.isalpha() and bare.lower() not in GENERIC)
    if statement.kind == "field":
        linked = any(w in ("of", "for") or w.endswith(("'s", "’s")) for w in bare.split())
        return linked and len(bare.split()) > 1 and names_entity(bare)
    return False


def _expected(bare: str, canonical: str, relation: str) -> str | None:
    """Return the dimension that the subject of "is" decides, if it does."""
    if relation not in ("is", "defaults to"):
        return None
    words = bare.split()
    if " " not in canonical and (is_identifier(canonical) or any(w.strip(_TRIM) == canonical.upper() for w in words)):
        return "setting"
    for before, word in pairwise(words):
        if before.lower() == "in" and is_identifier(word) and ("/" in word or "." in word):
            return "setting"
    head = canonical.rpartition(" ")[2]
    if head in VERSION_NOUNS:
        return "version"
    if head in DURATION_NOUNS:
        return "duration"
    return "endpoint" if head in ("endpoint", "route") else None
