"""Which values of a sentence a rule lays down: bounds, periods and thresholds, and what a reader is told to set."""

from __future__ import annotations

from collections.abc import Sequence

from memstrata_integrations.extraction.sentences import rule_words as rw
from memstrata_integrations.extraction.sentences.rule_parts import WHOSE, Parts, Value
from memstrata_integrations.extraction.sentences.verbs import MANY_DONE, MANY_VERBS, base_of, is_past, verb_of
from memstrata_integrations.words import singular, word_set

__all__ = ["is_laid_down", "is_told"]

_NOT_RULED = word_set("not never no nothing nobody cannot n't don't doesn't isn't aren't")
_STATES = word_set("is are stays stay remains remain runs run lasts last")
_DUTIES = word_set("must has have need needs is are requires require")
_SOME = frozenset(("a", "an"))
_RELATIVE = word_set("that which who")
_VAGUE = (" than", " about", " around", " roughly", " over", " under", " by")
_GOVERNING = (" to", " at", " for", " into", " of")
_ENDING = (",", " and ", " at ", " on ", " in ", " when ", " as ")
_ORDERS = word_set("To If When Send Write Push Put Upload Move Copy Add Use See Open Create Some Many")
_UP_TO = (["is", "up", "to"], ["are", "up", "to"])


def is_told(text: str, value: Value) -> bool:
    """Whether a value is what a reader is told to set, to enter or to need, or where to reach somebody."""
    before, after = text[: value.start].rstrip("`\"' "), text[value.rest :]
    if (put := rw.SET.match(f"{before} ")) is not None and (after or put.start("set")) and rw.SET_WHERE.match(after):
        return True
    rest = after.lstrip('`"')
    if (not rest or rest.startswith(_ENDING)) and rw.ENTERED.fullmatch(before):
        return True
    if rw.BY_DEFAULT.search(before) and rw.USED.match(after):
        return True
    if value.kind in ("technical", "quoted") and rw.INTO.search(before):
        words = before.split()
        return _NOT_RULED.isdisjoint(map(str.lower, words)) and words[0][0].isupper() and words[0] not in _ORDERS
    if value.kind in ("technical", "quoted") or value.dimension.partition(":")[0] in ("phone", "email", "url"):
        return rw.REACH.match(before) is not None
    if value.kind != "number":
        return False
    if rw.WHICH_IS.search(before):
        return (
            not after
            or after[0] == ","
            or after.split(None, 1)[:1] in (["in"], ["on"], ["for"], ["at"], ["of"], ["with"])
        )
    if not before.rpartition(" ")[2].strip("`")[:1].isupper():
        return False
    needed = before.startswith("To ") and ", you need " in before
    return needed or (rw.LATER.match(after) is not None and _NOT_RULED.isdisjoint(before.lower().split()))


def is_laid_down(parts: Parts, value: Value, place: str) -> bool:
    """Whether a value is a bound, a period or a threshold that a rule lays down."""
    before, after = parts.text[: value.start].rstrip("`\"'( "), parts.text[value.rest :]
    if place == "main":
        return _in_predicate(parts, value, before, after)
    if place == "front" and value.dimension == "time" and parts.words[0] in ("once", "every", "each"):
        return before.endswith(" at")
    if not value.measures:
        return False
    crossed = rw.COMPARED.search(before) is not None or rw.LASTING.search(before) is not None
    if place == "subject":
        acts = parts.words[parts.verb : parts.verb + 3]
        if not rw.ALARMS.isdisjoint(acts) or not _NOT_RULED.isdisjoint(acts[:2]) or parts.act in ("has", "have"):
            return False
        bound = rw.BOUND.search(before)  # "Batches of up to 500 rows are taken"
        return crossed or (bound is not None and (bound.start() <= parts.front or singular(parts.head) != parts.head))
    if not rw.ALARMS.isdisjoint(parts.words):
        return False
    failing = before.endswith((" after", "After")) and rw.FAILING.match(after) is not None
    return crossed or failing or after.startswith(" times")


def _in_predicate(parts: Parts, value: Value, before: str, after: str) -> bool:
    """Whether a value behind the verb is governed as a rule governs it."""
    inside = [t.word for t in parts.tokens[parts.verb :] if t.end <= value.start]
    bound = rw.BOUND.search(before)
    if bound is None and value.measures and rw.NEVER_MORE.search(before):
        return True
    sure = before[: bound.start()].lower().split() if bound else inside
    if not _NOT_RULED.isdisjoint(sure[-6:]) or any(singular(w) in rw.OF_LEVELS for w in parts.subject):
        return False
    one = parts.subject[:1] == () or parts.subject[0] not in _SOME
    if rw.CODE.search(before) and value.dimension in ("number", "port"):
        return one and parts.act not in ("can", "may")
    if rw.ANSWERS.search(before) and value.dimension == "number":
        return rw.CASE.match(after) is not None and value.end - value.start == 3
    if value.kind == "date" or value.dimension.startswith(("time", "date", "weekday", "day")):
        return _is_dated(parts, inside, before, after)
    if rw.FIXED.search(before) and parts.act not in ("can", "may"):
        return one
    if not value.measures:
        return False
    if bound:
        least = rw.LEAST.search(before) is not None
        vague = inside in _UP_TO and not after  # of what it may be, no bound
        return not vague and (not least or parts.order or parts.act in _DUTIES)
    if before.endswith(_VAGUE) or (parts.act in ("can", "may") and rw.POSSIBLE.search(before)):
        return False
    return _is_measured(parts, value, inside, before, after)


def _is_dated(parts: Parts, inside: Sequence[str], before: str, after: str) -> bool:
    """Whether a time or a date is when a thing must be done, ends, or goes on each time."""
    if rw.BY.search(before):
        return parts.order or "must" in inside or parts.act in ("must", "needs", "has", "have", "is", "are")
    if before.endswith((" until", " through")):
        return parts.act in _STATES
    act = parts.done if parts.act in ("is", "are") else parts.act
    clocked = verb_of(act) in rw.CLOCKED or singular(act) in rw.CLOCKED
    if before.endswith(" every"):
        return clocked
    if parts.subject[:1] in (("a",), ("an",), ("trains",), ("buses",)) or not before.endswith((" at", " on")):
        return False
    return (clocked and act == parts.act) or rw.YEARLY.match(after) is not None


def _is_measured(parts: Parts, value: Value, inside: Sequence[str], before: str, after: str) -> bool:
    """Whether a quantity without a bound is the one of its kind."""
    act, subject = parts.act, parts.subject
    counted = value.dimension != "number"
    some = subject[:1] in (("a",), ("an",))
    base = base_of(act) or ""
    if before.endswith(" every") or rw.FOLLOWED.match(after):
        # "A job runs every 5 minutes": and another one every hour
        other = some and not parts.order and not is_past(parts.done)
        return counted and not (other and rw.ITS.isdisjoint(parts.words) and base not in rw.LAPSING)
    if rw.WITH_OF.search(before) or rw.OF.search(before):
        return not some
    if parts.order:
        return False
    if before.endswith(" after"):
        return counted or rw.FAILING.match(after) is not None or rw.SEVERAL_OF.match(after) is not None
    if act in ("must", "may", "can", "need", "needs") and counted:
        return True
    if act == "will":
        return counted and parts.subject[-1] in ("you", "users") and parts.done == "be"
    if (rw.QUOTA.match(after) and not some) or (act == "have" and counted and after.startswith(" to ")):
        return True
    if not counted or not subject:
        return False
    if parts.main and parts.words[0] in rw.CONDITIONS and not some:
        return act not in ("is", "are", "has", "have") and base not in MANY_VERBS
    return _is_of_subject(parts, value, inside, before)


def _is_of_subject(parts: Parts, value: Value, inside: Sequence[str], before: str) -> bool:
    """Whether a quantity is one by the noun that it is said of."""
    act, subject = parts.act, parts.subject
    head = parts.head
    if act in ("is", "are") and parts.done in rw.GRANTED and list(inside) == [act, parts.done]:
        return subject[0] in ("each", "every") or singular(head) != head or head in rw.CROWDS
    if act == "is":
        return list(inside) == ["is"] and not rw.LAID_DOWN.isdisjoint(subject)
    if act in rw.KEEPING and before.endswith(" for") and subject[0] in WHOSE:
        return True
    if singular(head) == head and head not in rw.CROWDS:
        named = any(parts.text[t.start].isupper() for t in parts.tokens[parts.main + 1 : parts.verb])
        return named and act in rw.TAKING and subject[0] in _SOME and list(inside) == [act]
    if act == "are":
        done = parts.done
        return is_past(done) and done not in rw.PASSING | MANY_DONE and before.endswith(_GOVERNING)
    rated = value.dimension.startswith("rate:") and act in ("lose", "gain", "receive")
    return rated or ((base_of(act) or "") not in MANY_VERBS and act != "have")
