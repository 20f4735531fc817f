"""Sentences: what each clause states, with all that stands around it in its key."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.extraction.clauses import CONDITIONS, Clause, Segment, clauses, find_link, tells_event, veto
from memstrata_integrations.extraction.keys import Key, Said, change_of, curated, key_of
from memstrata_integrations.extraction.phrases import Phrase, canonical_words, find_value, is_name, read_phrase
from memstrata_integrations.extraction.relations import Relation, Vocabulary, attribute
from memstrata_integrations.extraction.tokens import NAME, QUANTITY, WORD, Token, tokenize
from memstrata_integrations.extraction.values import NAMED
from memstrata_integrations.extraction.words import Flag
from memstrata_integrations.ledger.facts import Confinement, KeyedFact


class Context(NamedTuple):
    """What stands around a sentence."""

    headings: tuple[str, ...] = ()
    about: str = ""  # the canonical subject of the sentence before it in its paragraph, if that is known
    anything: bool = False  # every relation has one value (`SupersessionPolicy(unknown="functional")`)


Reading = tuple[list[KeyedFact], bool, str, str]
"""The facts of a sentence, whether it says more, the canonical subject of the last, and why it states none, if so."""

_LONGEST = 200  # tokens: nobody speaks in longer sentences
_SET = [["set"], ["configure"], ["define"], ["assign"], ["pin"]]  # "is no longer set"
_ANYTHING = ("to", "as", "anything")
_OTHERS = ("his", "her", "its", "their")
_OF = Token(WORD, "'s", "'s", Flag.OWNER, 0, 0)
_TELLERS = frozenset("i we they it".split())
_NOW = [p.split() for p in "from now on|these days|at the moment|right now|as of|since|instead|any more".split("|")]
_NOW_WORDS = frozenset(words[0] for words in _NOW)
_ITS_DATE = re.compile(r"\bas of\W+(?:\w+\W+){0,2}?\d{4}\b", re.IGNORECASE)
_ALONE = frozenset("only just simply merely solely".split())
GENERIC = frozenset(
    """port status version owner name type date time state mode level size count title id url path host key value number
total result priority severity address price""".split()
)  # nouns that name nothing by themselves
_UNSAID = re.compile(r"~~|\W*(?:\w+ )?(?:WARN|WARNING|ERROR|INFO|DEBUG|TRACE|FATAL)\b")


def read_sentence(text: str, vocabulary: Vocabulary, context: Context, at: int = 0) -> Reading:
    """Return the facts of a sentence that stands at a place, at most one a clause."""
    tokens = tokenize(text)
    if tokens and (tokens[-1].lower == "?" or _UNSAID.match(text)):
        return [], True, "", "a question, struck out, or a line of a log"
    while tokens and tokens[-1].lower in (".", "!"):
        tokens.pop()
    if "as of" in text.lower() and _ITS_DATE.search(text) is not None:
        return [], True, "", "it has a date of its own: give valid_from"
    if not 0 < len(tokens) < _LONGEST:
        return [], bool(tokens), "", "too long" if tokens else ""
    found = clauses(tokens)
    spoken = Spoken(text, tokens, vocabulary, context, at, alone=len(found) == 1)
    if context.anything and (told := spoken.curated(tokens)) is not None:
        return [told], False, "", ""
    if not found:
        return [], True, "", "no verb that the grammar knows"
    facts: list[KeyedFact] = []
    reason = ""
    for n, clause in enumerate(found):
        fact = spoken.read(clause)
        if clause.opener == ":" and isinstance(fact, KeyedFact) and not _leads_to(found[:n], clause, fact):
            fact = "what stands before the colon may say who speaks, or which is meant"
        if isinstance(fact, KeyedFact):
            facts.append(fact)
            continue
        reason = reason or fact
        if facts and facts[-1].change and clause.opener == "and" and clause.link.past:
            facts.pop()  # "was raised to 90 days and then lowered again"
    if facts:
        return facts, len(facts) < len(found) or any(f.change for f in facts), spoken.about, ""
    return facts, True, spoken.named(), reason


class Spoken:
    """Reads the clauses of one sentence, and keeps in mind whom they are about."""

    def __init__(
        self, text: str, tokens: Sequence[Token], vocabulary: Vocabulary, context: Context, at: int, *, alone: bool
    ) -> None:  # `alone`: it has one clause
        self.text, self.vocabulary, self.context, self.at, self.alone = text, vocabulary, context, at, alone
        self.dated = not _NOW_WORDS.isdisjoint(t.lower for t in tokens)  # something in it may say "now"
        self.about = context.about
        self.own: list[Sequence[Token]] = []  # the subjects of its clauses
        self.told: Sequence[Token] = ()  # the clause that the last of them stands in

    def named(self) -> str:
        """Return the first subject that names something."""
        barred = Flag.PRONOUN | Flag.SPEAKER | Flag.ASK
        phrases = (read_phrase(own, self.text) for own in self.own if not own[0].flags & barred)
        return next((p.key for p in phrases if p.definite or p.named), "")

    def curated(self, tokens: Sequence[Token]) -> KeyedFact | None:
        """Read a statement of a store in which every relation has one value."""
        link = find_link(tokens)
        if link is None or not link.start or veto((), tokens, link, past=True):
            return None
        clause, own = Clause(tokens, link, "", [], []), tokens[: link.start]
        found, lead = curated(Said(self.text, own, link, tokens[link.end :], self.vocabulary))
        named = found.subject.named or any(is_name(tokens, n, self.text) for n in range(link.end + lead))
        found = found._replace(subject=found.subject._replace(named=named))
        fact = self.fact(clause, own, found) if found.value is not None else ""
        return fact if isinstance(fact, KeyedFact) else None

    def read(self, clause: Clause) -> KeyedFact | str:
        """Return the fact of a clause, or why it states none."""
        link = clause.link
        own, predicate = clause.tokens[: link.start], clause.tokens[link.end :]
        if self.dated:
            own, predicate = _shed(own), _shed(predicate)
        if own and own[0].flags & Flag.PREP and (fronted := _fronted(own)):  # "On Sundays the pool opens at 9"
            clause, own = clause._replace(before=[*clause.before, Segment("", own[:fronted])]), own[fronted:]
        subject = self._resolved(own) or (self.own[-1] if self.own else ())
        if own:
            self.told = clause.tokens
            self.own.append(own)
        if subject and (subject[0].flags & Flag.ASK or (len(subject) == 1 and subject[0].flags & Flag.REL)):
            return "a question"
        said = Said(self.text, subject, link, predicate, self.vocabulary, self.context.anything)
        told = (link.past or link.perfect) and not (link.negated or link.modal)
        if told and (change := change_of(said)) is not None:
            front = [t for s in clause.before for t in s.tokens]
            if clause.tokens[0].lower in ("had", "were", "should") or any(t.sort == QUANTITY for t in front):
                return "a condition, or an event of its time"
            # it acts on the key that it names, and its text stays
            return veto(front, clause.tokens, link, past=True) or self.fact(clause, subject, change, change=True)
        return self._stated(clause, said) if subject else "no subject"

    def _resolved(self, subject: Sequence[Token]) -> Sequence[Token]:
        """Put the one person that the clause before is about in the place of "his" and "her"; "she" may be another."""
        if len(subject) < 2 or not self.own or subject[0].lower not in ("his", "her", "their"):
            return subject
        sorts = [t.sort for t in self.told]
        names = sum(s == NAME and sorts[n - 1 : n] != [NAME] for n, s in enumerate(sorts))
        alone = names == 1 and self.own[-1][-1].sort == NAME
        return [*self.own[-1], _OF, *subject[1:]] if alone else subject

    def _stated(self, clause: Clause, said: Said) -> KeyedFact | str:
        """Return what a clause states, or ends ("is no longer")."""
        link, first = said.link, said.subject[0]
        if link.ended and not _ALONE.isdisjoint(t.lower for t in clause.tokens):
            return "it may still be so, beside something else"  # "no longer only in Oslo"
        if link.ended and [*link.words[1:], *(t.lemma for t in said.predicate if t.lower not in _ANYTHING)] in _SET:
            phrase = read_phrase(said.subject, self.text)
            pinned = link.words[-1] == "pin"
            held = (phrase, "is pinned to") if pinned else attribute(phrase, self.vocabulary, "")
            return self.fact(clause, said.subject, Key(*held, None))
        found = key_of(said)
        if isinstance(found, str):
            return found
        front = [
            t for s in clause.before if not (s.tokens[0].flags & Flag.REL or tells_event(s.tokens)) for t in s.tokens
        ]
        told = [*said.subject, *clause.tokens[link.start : link.end], *said.predicate]
        lenient = said.anything or (isinstance(found.relation, Relation) and found.relation.past)
        if refused := veto(front, told, link, past=lenient, ended=link.ended):
            return refused
        lost = first.lower in _OTHERS and not self.about and not clause.before
        stands = first.flags & Flag.PRONOUN and len(said.subject) == 1 and not first.flags & Flag.SPEAKER
        if stands := stands and found.subject.core == (first.lemma,):
            lost = lost or first.lower not in ("it", "this", "that") or not self.about
        if lost or said.subject[-1].lower in ("former", "latter"):
            return "a pronoun that nothing before it explains"
        if stands:
            found = found._replace(subject=Phrase((self.about,), definite=True, shown=self.about))
        return self.fact(clause, said.subject, found)

    def fact(
        self, clause: Clause, subject: Sequence[Token], found: Key, *, change: bool = False,
        told: frozenset[str] = frozenset(),
    ) -> KeyedFact | str:  # fmt: skip
        """Return the fact with its key: what stands around the clause belongs to it, unless it has words of `told`."""
        text, holder, relation, value = self.text, found.subject, found.relation, found.value
        if not holder.core:
            return "no subject"
        qualifiers = qualifiers_of(clause) if clause.before or clause.behind else []
        if isinstance(qualifiers, str):
            return qualifiers
        qualifiers = [q for q in qualifiers if told.isdisjoint(q.split())] + ([found.after] if found.after else [])
        speaks = subject and (subject[0].flags & (Flag.SPEAKER | Flag.OWNER) or subject[0].lower == "our")
        bare = speaks or (len(holder.core) == 1 and holder.core[0] in GENERIC)
        confined: Confinement = "" if holder.named else "bare" if bare else "described"
        shown = f"{holder.shown} ({'; '.join(qualifiers)})" if qualifiers else holder.shown
        key = self.vocabulary.named(holder.key_with(qualifiers))
        if confined:
            if self.about and not self.context.anything and len(holder.core) == 1 and holder.core != (self.about,):
                key = f"{key} @ {self.about}"
            if self.context.headings:
                key = f"{key} § {' / '.join(self.context.headings).casefold()}"
        self.about = key
        ended, change = found.ended or clause.link.ended, change or clause.link.ended
        start, end = 0, len(text)  # the whole statement, if the text says nothing besides
        if change or not self.alone:
            around = [*clause.tokens, *(t for s in (*clause.before, *clause.behind) for t in s.tokens)]
            start, end = min(t.start for t in around), max(t.end for t in around)
        name, known = (relation.name, True) if isinstance(relation, Relation) else (relation, False)
        written = name.removesuffix(" _")
        span, canonical, kind = (0, 0), "", ""
        if value is not None:
            span, canonical, kind = value.span, value.canonical, "name" if known and value.kind in NAMED else value.kind
            if not change:
                written = " ".join(text[clause.tokens[clause.link.start].start : span[0]].split()) or written
        return KeyedFact(
            shown, written, None if ended or value is None else text[span[0] : span[1]], (key, name), canonical, kind,
            (start + self.at, end + self.at), "change" if change else "relation" if known else "frame",
            confined=confined, change=change,
        )  # fmt: skip


def _leads_to(before: Sequence[Clause], clause: Clause, fact: KeyedFact) -> bool:
    """Whether what stands before a colon only leads to it: "I was wrong: the host is b2", but not "Bo wrote:"."""
    if clause.before:
        tokens = clause.before[-1].tokens
        return tokens[0].lower in _TELLERS or not tells_event(tokens)
    if not before or not fact.confined:
        return True
    subject = before[-1].tokens[: before[-1].link.start]
    return len(subject) == 1 and subject[0].lower in _TELLERS and not before[-1].link.mind


def _fronted(tokens: Sequence[Token]) -> int:
    """Return where the subject begins behind a phrase with a preposition; 0 if nothing shows it."""
    begins = Flag.DET | Flag.OWNER | Flag.SPEAKER | Flag.PRONOUN
    for n in range(2, len(tokens)):
        before = tokens[n - 1].flags & (Flag.PREP | Flag.DET | Flag.OWNER)
        if (tokens[n].kind or tokens[n].flags & begins) and tokens[n].lower != "'s" and not before:
            return n
    return 0


def _shed(tokens: Sequence[Token]) -> Sequence[Token]:
    """Leave out what only says that something holds now: "from now on", "as of release 9", "since May"."""
    told = [t.lower for t in tokens]
    for n, words in ((n, words) for n, word in enumerate(told) if word in _NOW_WORDS for words in _NOW):
        if told[n : n + len(words)] == words:
            return tokens[:n] if words[0] in ("as", "since") else [*tokens[:n], *tokens[n + len(words) :]]
    return tokens


def qualifiers_of(clause: Clause) -> list[str] | str:
    """Return what stands around a clause and belongs to its key, or why the clause states nothing."""
    shown = (s for s in clause.before if _shed(s.tokens))
    opens = Flag.PREP | Flag.SUB
    found = [_words(s) for s in shown if s.tokens[0].flags & opens or not tells_event(s.tokens)]
    for segment in clause.behind:
        tokens, first = segment.tokens, segment.tokens[0]
        opener = segment.opener if segment.opener in CONDITIONS else first.lower
        if first.lower == "not" and find_value(tokens[1:]) is None:
            return "a hedge"  # "not sure though", and no "not 5"
        finite = not first.flags & (Flag.DONE | Flag.ING) or first.flags & Flag.BASE
        joined = finite and find_link(tokens, joined=True) is not None
        if first.lower in ("please", "thanks", "not"):
            continue
        if any(t.flags & Flag.MIND and t.flags & (Flag.S_FORM | Flag.PAST) for t in tokens):
            return "a quotation"
        if opener in CONDITIONS or segment.opener in ("", ":", ";") or not joined:
            found.append(_words(segment))
    return [q for q in found if q]


def _words(segment: Segment) -> str:
    words = canonical_words(segment.tokens)
    opens = segment.opener in CONDITIONS and words[:1] != [segment.opener]
    return " ".join([segment.opener, *words] if opens else words)
