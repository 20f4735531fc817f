"""Nouns of verbs: the act ("rotation", "regeneration", "meeting") and who does it ("issuer", "publisher")."""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.verbs import BASES, gerund_of, verb_of
from memstrata_integrations.words import singular

__all__ = ["act_of_noun", "agent_of"]

_IRREGULAR_ACTS = {
    "retention": "retain",
    "response": "respond",
    "expiry": "expire",
    "expiration": "expire",
    "renewal": "renew",
    "removal": "remove",
    "arrival": "arrive",
    "departure": "depart",
    "delivery": "deliver",
    "storage": "store",
    "closure": "close",
    "deletion": "delete",
    "eviction": "evict",
    "invalidation": "invalidate",
    "subscription": "subscribe",
    "reception": "receive",
    "maintenance": "maintain",
    "regeneration": "regenerate",
    "inspection": "inspect",
    "rehearsal": "rehearse",
}
_IRREGULAR_AGENTS = {
    "author": "author",
    "write": "author",
    "sponsor": "sponsor",
    "host": "host",
    "guard": "guard",
    "coach": "coach",
    "represent": "representative",
    "supply": "supplier",
    "supervise": "supervisor",
    "edit": "editor",
    "direct": "director",
    "distribute": "distributor",
    "audit": "auditor",
    "process": "processor",
    "invest": "investor",
    "survey": "surveyor",
    "inspect": "inspector",
    "compose": "composer",
    "design": "designer",
    "present": "presenter",
}


def _acts(base: str) -> tuple[str, ...]:
    """Return the nouns that a verb may have, whether or not people use them."""
    stem = base.removesuffix("e")
    spelt = (f"{base[:-1]}ication",) if base.endswith("y") else ()
    return gerund_of(base), f"{stem}ion", f"{stem}ation", f"{base}ment", *spelt


_OF_ACTS = {noun: base for base in sorted(BASES) for noun in _acts(base)} | _IRREGULAR_ACTS


def act_of_noun(word: str) -> str | None:
    """Return the verb whose act a noun names, or that the word is; `None` for any other word.

    Example:
        >>> [act_of_noun(w) for w in ("rotation", "meetings", "deployment", "backup")]
        ['rotate', 'meet', 'deploy', None]
    """
    one = singular(word)
    return _OF_ACTS.get(one) or (one if one in BASES else None)


def agent_of(done: str) -> str | None:
    """Return what the one is called by whom something is done, `None` if the verb is not known.

    Example:
        >>> [agent_of(w) for w in ("issued", "published", "translated", "green")]
        ['issuer', 'publisher', 'translator', None]
    """
    base = verb_of(done)
    known = _IRREGULAR_AGENTS.get(base)
    if known is not None or base == done or base not in BASES:
        return known
    if base.endswith("ate"):
        return base[:-1] + "or"
    return base + "r" if base.endswith("e") else base + "er"
