"""What several hold at once, by the noun that names it: co-chairs, senators, the moons of a planet, flags of a tool.

Whatever sentence says it, and however definite: "The co-chair is Ann" leaves room for the other one.
"""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.verbs import is_past
from memstrata_integrations.facts import Fact
from memstrata_integrations.words import word_set

__all__ = ["is_shared"]

_SHARED = word_set(
    "senator congressman congresswoman councillor councilman councilwoman regent moon tributary tide hub medallist "
    "medalist"
)
# Bare labels of one among several
_LABELS = word_set("flag option parameter switch argument")
_QUALIFIED = word_set("deprecated supported compatible tested allowed")
_OWN = word_set("i we")
# "The firewall lets through 22", and 443
_LETTING = word_set("let lets react")


def is_shared(fact: Fact) -> bool:
    """Whether a fact names one of several that its key leaves room for.

    Example:
        >>> said = Fact("board co-chair", "is", "Ann", "ann", "name", (0, 24), "clause: is")
        >>> is_shared(said)
        True
    """
    words = fact.subject.split()
    first, rule = words[0], fact.rule
    if words[-1] in _SHARED or first == "joint" or first in ("let-through", "strip-off", "let-in"):
        return True
    if "co-" in fact.subject and any(w.startswith("co-") for w in words):
        return True
    if rule in ("lone slot", "rule", "measure", "rule of a kind") and not _LETTING.isdisjoint(words):
        return True
    if "number" in words and rule in ("lone slot", "frame: size") and any(map(is_past, words)):
        return True  # "The Lakers retired number 8"
    if "area" in words and "code" in words and _OWN.isdisjoint(words):
        return True
    if not rule.startswith("line"):
        return False
    known = frozenset(words)
    return known <= _LABELS or known == {"env"} or (fact.relation == "has version" and known <= _QUALIFIED)
