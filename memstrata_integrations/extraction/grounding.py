"""What of a model's answer may become a fact: four checks of a triple against the statement that it was read in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memstrata_integrations.extraction.clauses import Clause, Link, clauses, veto
from memstrata_integrations.extraction.keys import CHANGED, OVER, UNIQUE
from memstrata_integrations.extraction.models import Triple
from memstrata_integrations.extraction.phrases import canonical_words, is_name, is_whole_name, name_end, value_of
from memstrata_integrations.extraction.relations import Relation, Vocabulary, key_of_triple, spoken
from memstrata_integrations.extraction.sentences import confinement_of, qualifiers_of
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.extraction.tokens import EXACT, MARK, NAME, WORD, Token, tokenize
from memstrata_integrations.extraction.values import NAMED
from memstrata_integrations.extraction.words import Flag, lemma_and_flags
from memstrata_integrations.ledger.facts import Cardinality, KeyedFact

_LIGHT = Flag.DET | Flag.PREP | Flag.SKIP | Flag.INDEFINITE
_EMPTY = _LIGHT | Flag.AUX | Flag.OWNER | Flag.PRONOUN | Flag.AND | Flag.REL | Flag.SUB
_IDLE = frozenset("new current week month quarter season year semester role position".split())
_SPEAKER = frozenset("user speaker author me narrator".split())
_BEING = frozenset("be become remain stay equal".split())
_WEIGHED = frozenset(
    """rumour rumor rumours rumors gossip hearsay try tries trying suppose evaluates evaluating consider considers
considering considered reject rejects rejecting rejected discusses discussing discussed propose proposes proposed
suggest suggests suggested want wants wanted hope hopes hoping dreams dreaming wishes intends exploring""".split()
)
# Verbs whose past tells what holds since: "went with", "settled on", "was appointed"
_TURNED = CHANGED | frozenset(
    """choose pick select settle adopt become appoint name elect promote make take opt agree decide replace assign hire
sign fix finalize finalise standardize standardise pin cap confirm""".split()
)
_NO_LINK = Link(0, 0, ())


def ground(
    text: str, statement: Statement, triple: Triple, vocabulary: Vocabulary, *, rule: str, trusting: bool = False,
    anything: bool = False,
) -> KeyedFact | str:  # fmt: skip
    """Return the fact of a triple, or why the statement does not bear it out.

    `trusting`: only the value is checked. `anything`: every relation has one value.
    """
    said = text[statement.start : statement.end]
    tokens = tokenize(said)
    who, verb, value = triple.subject, triple.relation.replace("_", " "), triple.value
    if who.lower().removeprefix("the ") in _SPEAKER and any(t.lemma in ("i", "we") for t in tokens):
        who = "I"
    entry, inverse = vocabulary.verbs.get(spoken(verb), (None, False))
    if entry is not None and inverse and is_whole_name(tokenize(who)):  # "Dana leads Platform"
        who, verb, value = value, entry.name, who
    verb = "is" if verb.lower() in ("role", "position", "=", "equals") else verb
    said_of = triple.model_copy(update={"subject": who, "relation": verb})
    known = _words(tokens).union(said.lower().split(), *(_words(tokenize(h)) for h in statement.headings))
    refused = f"the value does not stand in the statement: {value!r}"
    for start, end in _verbatim(said, tokens, value):
        place = _Place(said, tokens, start, end)
        phrase, relation = key_of_triple(who, verb, place.value.kind, vocabulary)
        qualifiers = [] if trusting else place.checked(_words(tokenize(who)), verb, relation, known)
        if isinstance(qualifiers, str):
            refused = qualifiers
            continue
        owners = tokenize(who)
        names = {t.lower for n, t in enumerate(tokens) if t.sort == EXACT or is_name(tokens, n, said)}
        alone = len(owners) == 1 and is_name(tokenize(f"{who} is"), 0, who)
        phrase = phrase._replace(named=alone or not names.isdisjoint(t.lower for t in owners))
        confined = confinement_of(said, phrase, owners, place.clause)
        key = phrase._replace(qualifiers=tuple(sorted({*phrase.qualifiers, *qualifiers}))).key
        key += f" § {' / '.join(statement.headings).casefold()}" if confined and statement.headings else ""
        return KeyedFact(
            subject=who,
            relation=verb,
            object=said[slice(*place.value.span)],
            key=(vocabulary.named(key), relation.name if isinstance(relation, Relation) else relation),
            value=place.value.canonical,
            kind="name" if isinstance(relation, Relation) and place.value.kind in NAMED else place.value.kind,
            span=(statement.start + place.span[0], statement.start + place.span[1]),
            rule=rule,
            cardinality="functional" if anything else _cardinality(said_of, relation, typed=place.value.typed),
            confined=confined,
        )
    return refused


def _words(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the content words of a stretch, inflection evened out."""
    full = [t for t in tokens if t.sort != WORD or not t.flags & _EMPTY or t.lemma in ("i", "we")]
    return frozenset(lemma_and_flags(w)[0] for w in canonical_words(full)) - _IDLE


def _is_phrasal(relation: str) -> bool:
    """Whether a relation is a verb with its preposition, known or not: "partners with"."""
    return bool(lemma_and_flags(relation.lower().split()[-1])[1] & Flag.PREP) and not relation.endswith(" of")


def _verbatim(said: str, tokens: Sequence[Token], value: str) -> Iterator[tuple[int, int]]:
    """Yield where a value stands among the tokens: whole measures and names ("30" is "30 seconds")."""
    words = value.strip(" \"'`“”").rstrip(".,;:!").split()
    wanted = r"(?<![\w.,-])" + r"\s+".join(map(re.escape, words)) + r"(?![\w-]|[.,]\w)"
    for match in re.finditer(wanted, said, re.IGNORECASE) if words and len(value) <= 200 else ():
        inside = [n for n, t in enumerate(tokens) if t.start < match.end() and t.end > match.start() and t.sort != MARK]
        if len(inside) > 1 and tokens[inside[0]].flags & Flag.DET:
            del inside[0]
        if inside and not tokens[inside[0]].flags & (Flag.DET | Flag.PRONOUN):
            yield inside[0], max(inside[-1] + 1, name_end(tokens, inside[0]))


class _Place:
    """One place of a value in a statement, and what the clause around it says."""

    def __init__(self, said: str, tokens: Sequence[Token], start: int, end: int) -> None:
        self.said, self.value = said, value_of(said, tokens[start:end])
        body = tokens[:-1] if len(tokens) > 1 and tokens[-1].lower in (".", "!") else tokens
        listed = clauses(body)
        # the clause, and its tokens or the aside of it that holds the value; else the whole statement
        self.clause, self.own = next(
            (clause, own)
            for clause in (*listed, Clause(body, _NO_LINK, "", [], []))
            for own in (clause.tokens, *(s.tokens for s in (*clause.before, *clause.behind)))
            if any(t.start == tokens[start].start for t in own)
        )
        self.first = next(n for n, t in enumerate(self.own) if t.start == tokens[start].start)
        self.end = self.first + end - start
        self.link = self.clause.link if self.own is self.clause.tokens else _NO_LINK
        turned = (self.link.past or self.link.perfect) and self.link.words[-1] in _TURNED
        self.turned = turned and all(t.lower not in OVER for t in self.own)
        around = [*self.clause.tokens, *(t for s in (*self.clause.before, *self.clause.behind) for t in s.tokens)]
        clause = min(t.start for t in around), max(t.end for t in around)
        self.span = clause if len(listed) > 1 else (0, len(said))

    def checked(
        self, subject: frozenset[str], verb: str, relation: Relation | str, known: frozenset[str]
    ) -> list[str] | str:
        """Return what else belongs to the key, or why a triple is none of the statement; its value stands there."""
        value, role = _words(self.value.tokens), subject if verb == "is" else _words(tokenize(verb))
        if not subject or value <= subject:  # the second of the four checks; the first was to find the value
            return "the subject names nothing, or the value itself"
        if not subject <= known:
            return f"the subject says what the statement doesn't: {', '.join(sorted(subject - known))}"
        verbs, nouns = (relation.verbs, relation.nouns) if isinstance(relation, Relation) else ((), ())
        if isinstance(relation, str) and relation.endswith(" _"):
            verbs, role = (relation[:-2],), frozenset()
        elif _is_phrasal(verb):
            verbs = (*verbs, verb)
        roles = [w for w in (role, *(_words(tokenize(n)) for n in nouns)) if w and w <= known]
        said = any(self._says(spoken(v).split(), subject) for v in verbs)
        if not said and not any(self._names(w, subject) for w in roles):
            return f"nothing in the statement says so: {verb!r}"
        return self._refused() or self._left_out(subject, role.union(value, *(n.split() for n in nouns)))

    def _says(self, words: Sequence[str], subject: frozenset[str]) -> bool:
        """Whether "report to" stands before the value in this order, or "Ann owns" before what "is own by" Ann."""
        before = self.own[: self.first]
        if words[0] == "be" and words[-1] == "by" and tuple(words[1:-1]) == self.link.words:
            return self.end <= self.link.start
        if self.first >= self.link.end and not subject.isdisjoint(_words(self.own[self.end :])):
            return False  # "Ann reports to Bob" says nothing of Bob
        n = start = 0
        for word in words:
            if word != "be":
                n = next((k for k in range(n, len(before)) if before[k].lemma == word), len(before)) + 1
                start = start or n
        active = words[0] == "be" and not any(t.flags & Flag.BE for t in before)
        governs = not subject.isdisjoint(_words(before[start:])) and words[-1] != "by"  # "keeps the logs for"
        return n <= len(before) and (not active or governs)

    def _names(self, role: frozenset[str], subject: frozenset[str]) -> bool:
        """Whether the value is what a noun names: by "is", "as", by standing beside it, or by a verb of change."""
        own, link, first, end = self.own, self.link, self.first, self.end
        left, right = _words(own[: link.start]), _words(own[link.end :])
        typed = self.value.typed or own[first].sort == EXACT
        near, owners = [own[0], *own, own[-1]], ("of", "for", "'s", "'")
        marks = {t.lower for n, w in enumerate(own) if w.lemma in subject for t in (near[n], near[n + 2])}
        if own[end : end + 1] and own[end].lower in ("'s", "'"):
            return False  # the value owns something
        if end <= link.start and not (typed or marks & {*owners} or role & subject or right.isdisjoint(subject)):
            return False  # "Acme went with N26 as bank" is about Acme
        required = own[link.start].lower in ("must", "shall")
        stated = (len(link.words) == 1 and not required) or self.turned  # "is", "was appointed"
        marked = any(t.sort == MARK for t in (*own[max(first - 1, 0) : first], *own[end : end + 1]))  # "bank: N26"
        if (link.words and link.words[0] in _BEING and stated) or (not link.words and marked):
            direct = typed or not any(t.flags & Flag.PREP for t in own[link.end : first])
            if first >= link.end and direct and (role & left or not link.words):
                return True
            if end <= link.start and role & right and left <= _words(self.value.tokens):
                return True
        for n in (n for n, t in enumerate(own) if t.lower in ("as", "for")):  # "with N26 as primary bank"
            stops = (k for k in range(n + 1, len(own)) if own[k].flags & Flag.PREP and own[k].lemma != "of")
            stop = next(stops, len(own))
            if role & _words(own[n + 1 : stop]) and not n < first < stop:
                return True
        skipped = {n for n, t in enumerate(own) if t.flags & _LIGHT or t.sort == MARK or t.lower in _IDLE}
        lead = next((n + 1 for n in reversed(range(first)) if n not in skipped), 0)
        beside, behind = _words(own[max(lead - 1, 0) : lead]), _words(own[end : end + 1])
        if beside and beside <= role and (typed or lead == first or own[lead].sort == MARK):
            return True  # "a timeout of 5 s", "her manager, Bo"
        governs = self.turned and (typed or (link.words[-1] in CHANGED and own[first - 1].lower == "to"))
        governed = first > 0 and own[first - 1].flags & (Flag.PREP | Flag.DET) and role & _words(own)
        return bool((typed and behind and behind <= role) or (governs and governed))

    def _refused(self) -> str:
        """Return why the clause states nothing that holds now."""
        clause, link = self.clause, self.clause.link
        if self.said.endswith("?"):
            return "a question"
        said = [t for t in clause.tokens if t.lower not in ("please", "let", "'s", "us", "just")]
        opening = said[0] if said else clause.tokens[0]
        bare = opening.flags & Flag.BASE and not opening.flags & Flag.COMMON
        if bare and link.start == 0 and not clause.opener and ":" not in self.said:
            return "an order"
        inner = clause.tokens[link.end :] if link.words and link.words[-1] not in _TURNED else ()
        if any(a.lower == "to" and b.flags & Flag.BASE and b.sort != NAME for a, b in pairwise(inner)):
            return "a plan"
        around = (s.tokens for s in (*clause.before, *clause.behind))
        if any(any(t.flags & Flag.MIND for t in s) and any(t.flags & Flag.SPEAKER for t in s) for s in around):
            return "an opinion"
        if any(t.lower in _WEIGHED and (t.sort == WORD or not n) for n, t in enumerate(clause.tokens)):
            return "hearsay, or what is only weighed or wished"
        front = [t for s in clause.before if not s.tokens[0].flags & Flag.REL for t in s.tokens]
        return veto(front, clause.tokens, link, past=self.turned)

    def _left_out(self, subject: frozenset[str], told: frozenset[str]) -> list[str] | str:
        """Return the qualifiers of the clause that the triple does not tell, or that it is told of something else."""
        found = qualifiers_of(self.clause)
        if isinstance(found, str):
            return found
        own, link = self.own, self.link
        told = told | subject | _words(own[link.start : link.end])
        kept = [q for q in found if told.isdisjoint(q.split())]
        cuts = {n for n, t in enumerate(own) if t.sort == MARK or (t.flags & Flag.PREP and t.lemma != "of")}
        behind = own[self.end :]
        if behind and behind[0].lower == "of" and told.isdisjoint(_words(behind)):
            return "it is told of something else"  # "port 9000 of the API"
        for start, stop in pairwise(sorted({0, *cuts, link.start, link.end, len(own)})):
            group, words = own[start:stop], _words(own[start:stop])
            rest = sorted(w for w in words - told - {"i", "we"} if not w.endswith("ly"))
            if rest and group[0].flags & Flag.PREP:
                when = self.turned and any(t.kind.startswith(("date", "day", "month", "week", "time")) for t in group)
                kept += [" ".join(canonical_words(group))] if told.isdisjoint(words) and not when else []
            elif rest and link.words and start == (0 if self.first >= link.end else link.end) and words & subject:
                return f"it is told of something else: {', '.join(rest)}"
        return kept


def _cardinality(triple: Triple, relation: Relation | str, *, typed: bool) -> Cardinality:
    """Say how many values there are at a time: in doubt nobody knows, so that nothing is superseded."""
    if isinstance(relation, Relation):
        return relation.cardinality
    words = triple.relation.lower().removesuffix(" of").split()
    if lemma_and_flags(words[0])[1] & Flag.MANY or lemma_and_flags(words[-1])[1] & Flag.AMONG:
        return "set"
    sure = typed or not UNIQUE.isdisjoint(words) if triple.single_valued is None else triple.single_valued
    phrasal = _is_phrasal(triple.relation) or (words == ["is"] and is_whole_name(tokenize(triple.subject)))
    return "functional" if sure and (typed or (relation == "is" and not phrasal)) else "unknown"
