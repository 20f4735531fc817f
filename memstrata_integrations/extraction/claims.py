"""What the rules hand to the extractor, before it becomes a fact."""

from __future__ import annotations

import re
from typing import NamedTuple

from memstrata_integrations.relations import Relation

__all__ = ["Claim", "is_loose", "without_dashes"]

# "RankList - sorting algorithm", and neither "the - operator" nor "Oslo - Bergen"
_DASH = re.compile(r"(?<=[\w)\]`])(?<![Tt]he)(?<! of)(?<! a) [-–—] (?=[a-z\d(\[`])")


class Claim(NamedTuple):
    """One statement read: a subject in words, a relation, and where its object stands.

    Attributes:
        subject: The subject with its qualifiers, as written; `canonical_subject` makes the key.
        relation: An entry of the relation table.
        start: Where the object starts in the text; -1 for a statement of ending.
        end: Where it ends.
        rule: The name of the rule.
        expected: The dimension that the slot decides, if it does.
        narrative: Whether the statement is one of change or of ending.
        clause: Where its clause stands, if the statement has several.
        changed: Whether the sentence announces a change ("now", "instead of x").
        local: Whether the subject is known to name no entity; `None` leaves it to its words.
        beside: Whether another claim of the sentence states its value: it only acts on its key.
    """

    subject: str
    relation: Relation
    start: int
    end: int
    rule: str
    expected: str | None = None
    narrative: bool = False
    local: bool | None = None
    changed: bool = False
    clause: tuple[int, int] | None = None
    beside: bool = False


def is_loose(claim: Claim) -> bool:
    """Whether a claim is of the sentence as it stands: all its words make the key, or leave room for others."""
    return claim.rule == "measure" or claim.relation.name == "does of late"


def without_dashes(claim: Claim) -> Claim:
    """Return a claim whose subject has no dash between its words: it parts a line, and names nothing."""
    subject = claim.subject
    if " - " not in subject and " – " not in subject and " — " not in subject:
        return claim
    return claim._replace(subject=_DASH.sub(" ", claim.subject))
