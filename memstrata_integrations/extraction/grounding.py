"""What of a model's answer may become a fact: four checks of a triple against the statement that it was read in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from memstrata_integrations.extraction.clauses import Clause, Link, clauses, veto
from memstrata_integrations.extraction.keys import CHANGED, OVER, UNIQUE, Key
from memstrata_integrations.extraction.models import Triple
from memstrata_integrations.extraction.phrases import canonical_words, is_name, is_whole_name, name_end, value_of
from memstrata_integrations.extraction.relations import Relation, Vocabulary, key_of_triple, spoken
from memstrata_integrations.extraction.sentences import Context, Spoken
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.extraction.tokens import EXACT, MARK, WORD, Token, flags_of, tokenize
from memstrata_integrations.extraction.words import Flag, lemma_and_flags
from memstrata_integrations.ledger.facts import Cardinality, KeyedFact

_LIGHT = Flag.DET | Flag.PREP | Flag.SKIP | Flag.INDEFINITE | Flag.OWNER | Flag.MARK
_EMPTY = _LIGHT | Flag.AUX | Flag.PRONOUN | Flag.AND | Flag.REL | Flag.SUB
_IDLE = frozenset("new current week month quarter season year semester role position".split())
_SPEAKER = frozenset("user speaker author me narrator".split())
_SELF = frozenset("i we my our".split())
_BEING = frozenset("be become remain stay equal".split())
_WEIGHED = frozenset(
    """rumour rumor gossip hearsay try trying evaluate evaluating exploring consider reject discuss suggest propose
suppose want hope wish dream intend""".split()
)
# Verbs whose past tells what holds since: "went with", "settled on", "was appointed"
_TURNED = CHANGED | frozenset("adopt appoint become choose decide elect hire name pick select settle take".split())


def ground(
    text: str, statement: Statement, triple: Triple, vocabulary: Vocabulary, *, rule: str, trusting: bool = False,
    anything: bool = False,
) -> KeyedFact | str:  # fmt: skip
    """Return the fact of a triple, or why the statement does not bear it out.

    `trusting`: only the value is checked. `anything`: every relation has one value.
    """
    said = text[statement.start : statement.end]
    tokens = tokenize(said)
    who, verb, value = triple.subject, triple.relation.replace("_", " ").strip() or "is", triple.value
    who = "I" if who.lower().removeprefix("the ") in _SPEAKER and any(t.lemma in ("i", "we") for t in tokens) else who
    verb = "is" if verb.lower() in ("role", "position", "=", "equals") else verb
    known = _words(tokens).union(*(_words(tokenize(h)) for h in statement.headings))
    refused = f"the value does not stand in the statement: {value!r}"
    for at in _verbatim(said, tokens, value):  # the first of the four checks
        claim = _Claim(said, tokens, at, who, verb, vocabulary)
        found: KeyedFact | list[str] | str = [] if trusting else claim.checked(known)
        if isinstance(found, list):
            owners, qualifiers = tokenize(who), tuple(sorted((*claim.phrase.qualifiers, *found)))
            names = {t.lower for n, t in enumerate(tokens) if t.sort == EXACT or is_name(tokens, n, said)}
            alone = len(owners) == 1 and is_name(tokenize(f"{who} is"), 0, who)
            named = alone or not names.isdisjoint(t.lower for t in owners)
            key = Key(claim.phrase._replace(named=named, qualifiers=qualifiers), claim.relation, claim.value)
            clause = Clause(claim.own, claim.link._replace(ended=False), "", [], []) if trusting else claim.clause
            reader = Spoken(said, tokens, vocabulary, Context(statement.headings), statement.start, alone=claim.alone)
            found = reader.fact(clause, owners, key, told=claim.told)
        if isinstance(found, KeyedFact):
            cardinality = "functional" if anything else claim.cardinality(triple.single_valued)
            return replace(found, subject=who, relation=verb, rule=rule, cardinality=cardinality)
        refused = found
    return refused


def _words(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the content words of a stretch, inflection evened out."""
    full = [t for t in tokens if t.sort != WORD or not t.flags & _EMPTY or t.lemma in ("i", "we")]
    return frozenset(lemma_and_flags(w)[0] for w in canonical_words(full)) - _IDLE


def _verbatim(said: str, tokens: Sequence[Token], value: str) -> Iterator[slice]:
    """Yield where a value stands among the tokens: whole measures and names ("30" is "30 seconds")."""
    words = re.sub(r"^(?:the|an?) ", "", value.strip(" \"'`“”").rstrip(".,;:!"), flags=re.IGNORECASE).split()
    wanted = r"(?<![\w.,-])" + r"\s+".join(map(re.escape, words)) + r"(?![\w-]|[.,]\w)"
    for match in re.finditer(wanted, said, re.IGNORECASE) if words else ():
        inside = [n for n, t in enumerate(tokens) if t.start < match.end() and t.end > match.start() and t.sort != MARK]
        if inside and not tokens[inside[0]].flags & (Flag.DET | Flag.PRONOUN):
            yield slice(inside[0], max(inside[-1] + 1, name_end(tokens, inside[0])))


class _Claim:
    """A triple, held to one of the places in its statement where its value stands."""

    def __init__(self, said: str, tokens: Sequence[Token], at: slice, who: str, verb: str, words: Vocabulary) -> None:
        self.said, self.who, self.verb, self.value = said, who, verb, value_of(said, tokens[at])
        body = tokens[:-1] if len(tokens) > 1 and tokens[-1].lower in (".", "!") else tokens
        whole = Clause(body, Link(0, 0, ()), "", [], [])
        listed = clauses(body) or [whole]
        self.alone, self.clause = len(listed) == 1, next((c for c in listed if tokens[at.start] in c.tokens), whole)
        self.aside = self.clause not in listed
        self.own, self.link = self.clause.tokens, self.clause.link
        self.first = self.own.index(tokens[at.start])
        self.end: int = min(self.first + at.stop - at.start, len(self.own))
        self.typed = self.value.typed or tokens[at.start].sort == EXACT
        turned = (self.link.past or self.link.perfect) and self.link.words[-1] in _TURNED
        self.turned = turned and OVER.isdisjoint(t.lower for t in self.own)
        self.phrase, self.relation = key_of_triple(who, verb, self.value.kind, words)
        self.subject = _words(tokenize(who))
        role = self.subject if verb == "is" else _words(tokenize(verb))
        known = self.relation if isinstance(self.relation, Relation) else Relation("")
        phrasal = lemma_and_flags(verb.split()[-1].lower())[1] & Flag.PREP and not verb.endswith(" of")
        self.framed = phrasal or self.relation == f"{spoken(verb)} _"  # "partners with", "flushes it every"
        self.verbs = (*known.verbs, verb) if self.framed else known.verbs
        nouns = [_words(tokenize(n)) for n in known.nouns]
        self.roles = nouns if self.framed else [role, *nouns]
        self.told = role.union(self.subject, _words(self.value.tokens), *nouns)

    def checked(self, known: frozenset[str]) -> list[str] | str:
        """Return what else narrows the subject, or why the statement does not bear the triple out."""
        if not self.subject or _words(self.value.tokens) <= self.subject:
            return "the subject names nothing, or the value itself"
        if not self.subject <= known:
            return f"the subject says what the statement doesn't: {', '.join(sorted(self.subject - known))}"
        said = any(self._says(spoken(v).split()) for v in self.verbs)
        if self.aside or not (said or any(self._names(role) for role in self.roles if role and role <= known)):
            return f"nothing in the statement says so: {self.verb!r}"
        return self._refused() or self._left_out()

    def _says(self, words: Sequence[str]) -> bool:
        """Whether "report to" stands before the value in this order, or "Ann owns" before what "is own by" Ann."""
        if words[0] == "be" and words[-1] == "by" and tuple(words[1:-1]) == self.link.words:
            return self.end <= self.link.start
        before = self.own[: self.first]
        lemmas = (t.lemma for t in before)
        if not all(word in lemmas for word in words if word != "be"):
            return False
        if words[0] == "be" and not any(t.flags & Flag.BE for t in before):
            return not self.subject.isdisjoint(_words(before[self.link.end :]))  # "keeps the logs for 90 days"
        return self.subject.isdisjoint(_words(self.own[self.end :]))

    def _names(self, role: frozenset[str]) -> bool:
        """Whether the value is what a noun names: nothing of weight stands between them but a verb that joins them."""
        own, link, first, end, told = self.own, self.link, self.first, self.end, role | self.subject
        if (own[end : end + 1] and own[end].lower in ("'s", "'")) or (self.turned and own[first - 1].lower == "from"):
            return False  # the value owns something, or was the value before
        plain = len(link.words) == 1 and not own[link.start].flags & Flag.DO  # no "must be"
        being = not _BEING.isdisjoint(link.words[:1]) and (plain or self.turned)  # "is", "was appointed"
        raised = self.turned and link.words[-1] in CHANGED and own[first - 1].lower == "to"
        for n in (n for n, t in enumerate(own) if not role.isdisjoint(_words([t]))):
            ahead, verb = n < first, min(n, first) < link.start < max(n, end)
            start, stop = (first if raised else n + 1, first) if ahead else (end, n)
            gap = own[max(start, link.end) if verb else start : stop]
            led = {t.lower for t in gap if t.flags & Flag.PREP}
            if verb and ahead:  # "the bank is N26", "the bank was switched from Revolut to N26"
                joined = being or raised
            elif verb:  # "N26 is the bank", "N26 took over as the bank"
                joined = being and _words(own[: link.start]) <= _words(self.value.tokens)
                joined = joined or ("as" in led and self.turned and told.isdisjoint(_words(gap)))
            elif ahead:  # "bank: N26", "a timeout of 5 s"
                joined = self.typed or not gap or any(t.sort == MARK for t in gap)
            else:  # "with N26 as the bank", "a 5 s timeout"
                joined = not led.isdisjoint(("as", "for")) or (self.typed and not gap)
            light = all(t.flags & _LIGHT or t.lower in _IDLE or frozenset() < _words([t]) <= told for t in gap)
            if joined and light and (self.typed or not (ahead and led)):
                return True
        return False

    def _refused(self) -> str:
        """Return why the clause states nothing that holds now."""
        tokens, link = self.own, self.link
        first = next((t for t in tokens if not t.flags & Flag.SKIP), tokens[0])
        order = link.start == 0 and first.flags & Flag.BASE and not first.flags & Flag.COMMON and ":" not in self.said
        planned = any(a.lower == "to" and b.flags & Flag.BASE for a, b in pairwise(tokens[link.end :]))
        aside = flags_of(t for s in (*self.clause.before, *self.clause.behind) for t in s.tokens)
        thought = aside & Flag.MIND and aside & Flag.SPEAKER  # ", I think"
        if order or planned or thought or not _WEIGHED.isdisjoint(t.lemma for t in tokens):
            return "it is asked for, planned, weighed or thought, and not stated"
        if self.subject == {"i"} and self.first >= link.end:
            before = tokens[: link.start if link.words else self.first]
            if _SELF.isdisjoint(t.lower for t in before):
                return "another one says it, or it is of another one"  # "Tom says I live in Bergen"
            if not link.words and any(t.flags & Flag.PAST and t.lemma not in _TURNED for t in tokens):
                return "what was"  # "As a child I lived in Bergen"
        return veto([t for s in self.clause.before for t in s.tokens], tokens, link, past=self.turned)

    def _left_out(self) -> list[str] | str:
        """Return what the clause adds and the triple doesn't tell, or that it is told of something else."""
        own, link, told = self.own, self.link, self.told
        kept: list[str] = []
        cuts = {n for n, t in enumerate(own) if t.sort == MARK or (t.flags & Flag.PREP and t.lemma != "of")}
        for start, stop in pairwise(sorted({0, *cuts, self.end, link.start, link.end, len(own)})):
            words = _words(own[start:stop])
            rest = sorted(words - told - {"i", "we"})
            if own[start].flags & Flag.PREP and own[start].lemma != "of":
                if rest and told.isdisjoint(words) and not (self.turned and own[start].lower == "from"):
                    kept.append(" ".join(canonical_words(own[start:stop])))
            elif rest and (own[start].lemma == "of" or (link.words and words & self.subject)):
                return f"it is told of something else: {', '.join(rest)}"  # "port 9000 of the API"
        return kept

    def cardinality(self, single: bool | None) -> Cardinality:
        """Say how many values there are at a time: in doubt nobody knows, so that nothing is superseded."""
        if isinstance(self.relation, Relation):
            return self.relation.cardinality
        words = self.verb.lower().removesuffix(" of").split()
        if lemma_and_flags(words[0])[1] & Flag.MANY or lemma_and_flags(words[-1])[1] & Flag.AMONG:
            return "set"
        named = words == ["is"] and is_whole_name(tokenize(self.who))  # "Dana is head of Platform"
        plain = self.relation == "is" and not (self.framed or named)
        sure = self.value.typed or not UNIQUE.isdisjoint(words) if single is None else single
        return "functional" if sure and (self.value.typed or plain) else "unknown"
