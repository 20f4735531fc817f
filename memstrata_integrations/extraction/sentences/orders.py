"""What a document tells its reader to do with a definite thing: "Leave `swappiness` at 10 on the database hosts".

Such an order states one value where it puts a thing somewhere, sets it to something, or does it for so long; what is
done, to what and for what is the key. A step that could stand in any recipe ("Bake for 30 minutes") names no thing of
its own, and an order to look somewhere states nothing.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import content_words, is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.lone_slots import MARKUP
from memstrata_integrations.extraction.sentences.rule_parts import WHOSE, Token, Value, front_of, tokens_in, values_in
from memstrata_integrations.extraction.sentences.ruling import said_around
from memstrata_integrations.extraction.sentences.trailing import asserts
from memstrata_integrations.extraction.sentences.verbs import is_past
from memstrata_integrations.relations import known
from memstrata_integrations.words import word_set

__all__ = ["read_order"]

_THUS = known("is done thus")
_LONGEST, _LEAST_WORDS, _MOST_WORDS = 240, 5, 32
_LEAST_TOLD = 4
_UNTIL = word_set("before after until so when if unless")
_GATE = re.compile(r"[\d`@/]")
# What sets, puts, moves or treats a definite thing; no step of a recipe, and nothing that a note on a change opens with
_ORDERS = word_set(
    "set leave keep raise lower reduce increase decrease limit cap bump pin hold lock write save store send put "
    "mount point direct forward log export copy upload place deliver submit drain wait pause torque tighten press "
    "heat cool warm preheat use promote demote restart reboot start stop pipe route wire plug rinse dilute tune "
    "configure assign allocate attach bind connect archive sync mirror crop scale resize trim clamp charge fill empty "
    "water fire rotate renew retain throttle provision reserve soak store dispatch ship post email mail fax report "
    "escalate address expose run hit enter dial type"
)
_BY_ITSELF = word_set("use press hit promote demote type enter dial restart mount")
_GOVERNING = word_set("to at for into with below above under within every after from in on by as than")
_FINITE = word_set("is are has have was were do does can may will must")
_CLAUSES = word_set("that which who before after until when if unless because so once while as and then or where")
_PURPOSE = re.compile(r"[`\"']?,? (?:to|for) (?=[a-z])")
_WAITING = re.compile(r"(?:\A|, | and |then )(?:[Ww]ait|[Pp]ause|[Ss]leep) (?:for )?(?:at least |up to )?\Z")


def read_order(text: str) -> Claim | None:
    """Read the one value of an order; the places of the claim are those of `text`.

    Example:
        >>> text = "Leave `swappiness` at 10 on the database hosts"
        >>> claim = read_order(text)
        >>> text[claim.start : claim.end], claim.subject
        ('10', 'Leave `swappiness` at  on the database hosts')
    """
    if len(text) > _LONGEST or _GATE.search(text) is None or MARKUP.search(text) is not None:
        return None
    if text[-1] == "?" or not asserts(text):
        return None
    tokens = tokens_in(text)
    if not _LEAST_WORDS <= len(tokens) <= _MOST_WORDS:
        return None
    front = _front_of_order(text, tokens)
    if front is None:
        return None
    main = [t for t in tokens if t.start >= front]
    if not _is_order(text, main, front):
        return None
    values = [v for v in values_in(text, tokens) if v.start > main[0].end]
    fitting = [v for v in values if _is_set(text, v, main, front)]
    if len(fitting) != 1:
        return None
    value = fitting[0]
    expected = None if value.kind in ("number", "date") else "text"
    named = any(is_identifier(t.word) or text[t.start].isupper() for t in main[1:] if t.start != value.start)
    said = said_around(text, value.start, value.rest, front)
    if not named and len(content_words(said)) < _LEAST_TOLD and not front and _UNTIL.isdisjoint(t.word for t in main):
        return None  # "Set the timer to 10 minutes"
    return Claim(said, _THUS, value.start, value.end, "order", expected, local=None if named else True)


def _front_of_order(text: str, tokens: tuple[Token, ...]) -> int | None:
    """Return where the order starts; `None` if what stands in front of it has no end."""
    first = tokens[0].word
    if first in _ORDERS and text[1:2].islower():
        return 0
    front = front_of(text, tokens, tuple([t.word for t in tokens]))
    return front or None


def _is_order(text: str, main: list[Token], front: int) -> bool:
    """Whether words begin with a verb and the definite thing that it is done to, and have no other verb."""
    if len(main) < 3 or main[0].word not in _ORDERS:
        return False
    following = main[1]
    definite = following.word in WHOSE or is_identifier(following.word) or text[following.start] in "`\"'/"
    definite = definite or (front > 0 and following.word in ("it", "them", "to"))
    if not definite and not following.word[-1:].isdigit() and main[0].word not in ("wait", "pause"):
        return False
    for token in main[1:]:
        if token.word in _CLAUSES:
            return True
        if token.word in _FINITE or is_past(token.word):
            return False
    return True


def _is_set(text: str, value: Value, main: list[Token], front: int) -> bool:
    """Whether a value is what the order is about: what to set a thing to, where to put it, or what to use for what."""
    before, after = text[: value.start].rstrip("`\"'("), text[value.rest :]
    words = before[front:].lower().split()
    if len(words) == 1:  # "Press F9 to toggle the pane"
        key = main[0].word in _BY_ITSELF and value.end - value.start > 1
        return value.kind != "number" and key and (front > 0 or _PURPOSE.match(after) is not None)
    if _WAITING.search(before):
        return value.measures and _PURPOSE.match(after) is not None
    if words[-1] not in _GOVERNING or not _CLAUSES.isdisjoint(words[1:-1]):
        return False
    if words[-1] in ("by", "than", "above", "below", "after", "as") or after[:1] == "/":
        return False
    placed = value.kind in ("technical", "quoted")
    return (placed or value.kind == "number") and (words[-1] in ("to", "at", "for", "into") or value.measures or placed)
