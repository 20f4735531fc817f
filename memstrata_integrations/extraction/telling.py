"""What a sentence of change says of now: "renamed from a to b", "they moved the launch to May"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from memstrata_integrations.extraction.aliases import Aliases
from memstrata_integrations.extraction.alike import as_release
from memstrata_integrations.extraction.amounts import place_of
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.making import fact_of_claim
from memstrata_integrations.extraction.readers import placed_claims
from memstrata_integrations.extraction.sentence import LONGEST_SENTENCE, OF_THEN
from memstrata_integrations.extraction.sentences.announcing import (
    MAY_ANNOUNCE,
    announced,
    in_two_steps,
    may_announce,
    replaces_one,
)
from memstrata_integrations.extraction.sentences.beside_remarks import cores_between_remarks
from memstrata_integrations.extraction.sentences.comments import spoken_part
from memstrata_integrations.extraction.sentences.endings import MAY_END
from memstrata_integrations.extraction.sentences.joined import clauses_of
from memstrata_integrations.extraction.sentences.of_speaker import LONGEST_TURN
from memstrata_integrations.extraction.sentences.pointing import numbers_a_record, points
from memstrata_integrations.extraction.sentences.restating import (
    MAY_BE_PERSONAL,
    as_done,
    may_be_personal,
    spoken_out,
)
from memstrata_integrations.extraction.sentences.retold import (
    MAY_TELL,
    restated,
    retold,
    retold_otherwise,
)
from memstrata_integrations.extraction.sentences.scoped import (
    MAY_BE_TOLD,
    as_past,
    is_note,
    scope_of,
    without_reference,
)
from memstrata_integrations.extraction.sentences.updating import MAY_HAVE, MAY_UPDATE, may_update, updates_of
from memstrata_integrations.extraction.sentences.weak import SIDE_BY_SIDE
from memstrata_integrations.extraction.sentences.wording import core_of
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.facts import Fact
from memstrata_integrations.relations import Vocabulary
from memstrata_integrations.words import word_set

# "Task: set the port to 9000" is still to be done
_OF_A_TASK = re.compile(
    r"(?:task|to-?do|action(?: item)?|plan|goal|idea|proposal|request|story)\b[^:]{0,20}:", re.IGNORECASE
)

__all__ = ["as_told", "in_place_of", "key_of", "may_act", "told_of", "told_otherwise"]

_MINE = word_set("my our")
_MAY_TELL = MAY_TELL | MAY_BE_TOLD


def _bare_words(said: str) -> list[str]:
    """Return the words of a sentence, which marks part as spaces do: whatever else strips the marks finds no others."""
    return said.replace(",", " ").replace(";", " ").replace(":", " ").replace(".", " ").replace("!", " ").split()


_MAY_ACT = frozenset(_bare_words(" ".join(_MAY_TELL | MAY_END | MAY_BE_PERSONAL | MAY_ANNOUNCE | MAY_UPDATE)))


def may_act(said: str) -> bool:
    """Whether a sentence may tell of a change or of an ending, by itself: never wrongly false.

    Example:
        >>> may_act("The port was moved to 80"), may_act("The port of the gateway is 80")
        (True, False)
    """
    words = _bare_words(said)
    if not _MAY_ACT.isdisjoint(words):
        return True
    return (" now" in said or " as " in said) and not MAY_HAVE.isdisjoint(words)


def in_place_of(
    statement: Statement,
    vocabulary: Vocabulary,
    aliases: Aliases | None,
    sentence: str,
    said: str = "",
    *,
    released: bool = False,
) -> list[Fact]:
    """Return the facts of a sentence that is put in the place of a statement, under what stands above that.

    Args:
        statement: The statement.
        vocabulary: The relations to read.
        aliases: Other names of subjects.
        sentence: The sentence in its place.
        said: Words that belong to the key besides.
        released: Whether a new release acts on the other keys of a release, too.
    """
    if points(sentence):
        return []
    claims = placed_claims(core_of(sentence, 0, len(sentence))._replace(changed=True), vocabulary, alike=False)
    if not claims:
        return []
    place = statement._replace(kind="sentence", start=0, end=len(sentence))
    named = [c for c in claims if statement.headings or c.relation.name != "is" or not numbers_a_record(c.subject)]
    if released:
        named += as_release(sentence, claims[0])
    if said:
        named = [c._replace(subject=f"{c.subject} {said}") for c in named]
    return [fact_of_claim(sentence, place, claim, aliases) for claim in named]


def told_of(text: str, statement: Statement, vocabulary: Vocabulary, aliases: Aliases | None) -> list[Fact]:
    """Return what a sentence or a line of change says of now, or what the clauses of one do."""
    start, end = statement.start, statement.end
    if statement.kind not in ("sentence", "field") or end - start > LONGEST_SENTENCE:
        return []
    if _MAY_TELL.isdisjoint(text[start:end].split()) or text[end - 1] in "?…:" or text.endswith("...", start, end):
        return []
    end = without_reference(text, start, start + len(text[start:end].rstrip(" \n\t.!")))
    span = statement.start, statement.end
    read = partial(in_place_of, statement, vocabulary, aliases, released=True)
    if points(text[start:end]) or OF_THEN.search(text, start, end):
        return []
    if _OF_A_TASK.match(text, start):
        return []
    scope = scope_of(text[start:end])
    if scope is not None and (not scope.may_speak or is_note(text[start + scope.length : end])):
        under = partial(in_place_of, statement, vocabulary, aliases, said=scope.said, released=True)
        if told := retold(as_past(core_of(text, start + scope.length, end)), span, under):
            return _verbatim(text, told)
    start, end, news = spoken_part(text, start, end)
    core = core_of(text, start, end)
    core = core.told(news)
    told = retold(core, span, read)
    if told and " so " not in text[start:end]:
        return _verbatim(text, told)
    whole = text[start:end]
    if len(core.text) < len(whole) and not _MINE.isdisjoint(whole.split()):  # "x, that's my phone now"
        told = told or retold(core._replace(text=whole), span, read)
    for clause in clauses_of(text, start, end):
        inner = clause.core.told(clause.changed)
        told = told + retold(inner, (clause.start, clause.end), read)
    return _verbatim(text, told)


def _verbatim(text: str, told: list[Fact]) -> list[Fact]:
    """Leave out what stands in the text in pieces: "the now growth squad"."""
    return [fact for fact in told if fact.object is None or fact.object in text[slice(*fact.span)]]


def as_told(text: str, statement: Statement, claims: list[Claim], tales: list[Fact]) -> tuple[list[Claim], list[Fact]]:
    """Return the claims of a sentence and what it tells of a change, each as it acts on its key.

    What a sentence of change states besides is told as well. Where it tells no more than the one thing which it states
    of now, it is a state: "Ann owns the ledger these days".

    Args:
        text: The whole text.
        statement: The sentence.
        claims: What it states.
        tales: What it tells.
    """
    if len(claims) == 1 and claims[0].changed and not claims[0].narrative:
        stated = fact_of_claim(text, statement, claims[0])
        told = stated.subject, stated.relation, stated.object
        if all((t.subject, t.relation, t.object) == told for t in tales):
            return claims, [replace(t, beside=True) for t in tales]
    return _beside_tales(text, claims, tales), tales


def key_of(fact: Fact) -> tuple[str, str, str]:
    """Return what tells the keys of facts apart."""
    return fact.subject, fact.relation, fact.dimension


def _beside_tales(text: str, claims: list[Claim], tales: Sequence[Fact]) -> list[Claim]:
    """Return what a sentence of change states: on what else it acts, and what a clause of its own says besides.

    Args:
        text: The text.
        claims: The claims of the sentence.
        tales: What its change says.
    """
    kept = [c for c in claims if c.narrative or c.changed or _is_apart(text, c, tales)]
    return [c if _is_apart(text, c, tales) else c._replace(narrative=True) for c in kept]


def _is_apart(text: str, claim: Claim, tales: Sequence[Fact]) -> bool:
    """Whether a clause of its own states something beside a change: "Ann moved to Rome, her tutor is Ida"."""
    if claim.clause is None or claim.narrative:
        return False
    start, end = claim.clause
    places = [place_of(t.object, text, t.span) if t.object else t.span[0] for t in tales]
    return all(not start <= place < end for place in places)


def _told_in_two_steps(news: str, span: tuple[int, int], read: Callable[[str], list[Fact]]) -> list[Fact]:
    """Return what a change says that is told in two steps: "I changed my PIN, it's 9084 now"."""
    facts = restated(list(announced(news)), news, span, read)
    return [f for f in facts if replaces_one(news) or not f.dimension.startswith(SIDE_BY_SIDE)]


def _updates(whole: str, bare: str, changed: bool) -> list[str]:
    """Return the plain sentences that a sentence comes to, as a whole or without its wrapping."""
    return list(dict.fromkeys(chain(updates_of(whole, changed), updates_of(bare, changed) if bare != whole else ())))


def told_otherwise(text: str, statement: Statement, vocabulary: Vocabulary, aliases: Aliases | None) -> list[Fact]:
    """Return what a sentence that announces a change says of a person in the other words for it."""
    if statement.kind not in ("sentence", "field"):
        return []
    start, end = statement.start, statement.end
    said = news = text[start:end]
    if start:
        before = text[max(start - LONGEST_TURN, 0) : start]
        if not (may_act(before) or may_act(said)):
            return []
        news = in_two_steps(before, said)
    updated = may_update(said)
    personal = may_be_personal(said) or may_announce(news)
    if not (updated or personal):
        return []
    if end - start > LONGEST_SENTENCE or text[end - 1] in "?…:" or points(text[start:end]):
        return []
    end = start + len(text[start:end].rstrip(" \n\t.!"))
    read = partial(in_place_of, statement, vocabulary, aliases)
    start, end, newly = spoken_part(text, start, end)
    core = core_of(text, start, end)
    core = core.told(newly)
    span = statement.start, statement.end
    told = retold_otherwise(core, span, read) if personal else []
    whole = spoken_out(text[start:end])
    if personal and not told and whole != core.text:
        told = retold_otherwise(core._replace(text=whole), span, read)
    told += _told_in_two_steps(spoken_out(news.rstrip(" \n\t.!")), span, read)
    if updated:
        told += restated(_updates(whole, core.text, core.changed), whole, span, read)
    if (done := as_done(whole)) != whole:
        told += retold(core._replace(text=done, changed=True), span, read)
    for clause in clauses_of(text, start, end) if personal else ():
        inner = clause.core.told(clause.changed)
        told += retold_otherwise(inner, (clause.start, clause.end), read)
    if personal and not told:
        for first, last, inner in cores_between_remarks(text, start, end):
            told += retold_otherwise(inner, (first, last), read)
    return _verbatim(text, told)
