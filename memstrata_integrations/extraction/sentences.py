"""Sentences: what each clause states, with all that stands around it in its key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memstrata_integrations.extraction.changes import Change, change_of
from memstrata_integrations.extraction.clauses import CONDITIONS, REMARKS, Clause, Segment, clauses, tells_event
from memstrata_integrations.extraction.frames import curated, measured
from memstrata_integrations.extraction.keys import Said, attribute, key_of
from memstrata_integrations.extraction.phrases import Phrase, Value, canonical_words, find_value, is_name, read_phrase
from memstrata_integrations.extraction.relations import Relation, Vocabulary
from memstrata_integrations.extraction.tokens import MARK, NAME, QUANTITY, WORD, Token
from memstrata_integrations.extraction.values import NAMED
from memstrata_integrations.extraction.verbs import find_link
from memstrata_integrations.extraction.vetoes import veto
from memstrata_integrations.extraction.words import Flag
from memstrata_integrations.ledger.facts import Confinement, KeyedFact

__all__ = ["GENERIC", "Context", "Reading", "read_sentence"]


class Context(NamedTuple):
    """What stands around a sentence."""

    headings: tuple[str, ...] = ()
    about: str = ""  # the canonical subject of the sentence before it in its paragraph, if that is known
    anything: bool = False  # every relation has one value (`SupersessionPolicy(unknown="functional")`)


class Reading(NamedTuple):
    """What came of a sentence."""

    facts: list[KeyedFact]
    prose: bool  # it says something besides
    about: str = ""  # the canonical subject of its last fact
    reason: str = ""  # why it states no fact, if so


def read_sentence(text: str, tokens: Sequence[Token], vocabulary: Vocabulary, context: Context, at: int = 0) -> Reading:
    """Return the facts of a sentence that stands at a place, at most one a clause.

    Example:
        >>> from memstrata_integrations.extraction.tokens import tokenize
        >>> said = "In staging, the billing API listens on port 8080."
        >>> [fact] = read_sentence(said, tokenize(said), Vocabulary(), Context()).facts
        >>> fact.key, fact.object
        (('staging billing api', 'listens on'), '8080')
    """
    if tokens and (tokens[-1].lower == "?" or _UNSAID.match(text)):
        return Reading([], True, reason="a question, struck out, or a line of a log")
    while tokens and tokens[-1].sort == MARK and tokens[-1].lower in ".!":
        tokens = tokens[:-1]
    if not 0 < len(tokens) < _LONGEST:
        return Reading([], bool(tokens), reason="too long" if tokens else "")
    if context.anything and (told := _curated(text, tokens, vocabulary, at)) is not None:
        return Reading([told], False)
    found = clauses(tokens)
    spoken = _Spoken(text, vocabulary, context, at, alone=len(found) == 1)
    facts: list[KeyedFact] = []
    reason = "" if found else "no verb that the grammar knows"
    for n, clause in enumerate(found):
        fact = spoken.read(clause)
        if clause.opener == ":" and isinstance(fact, KeyedFact) and not _leads_to(found[:n], clause, fact):
            fact = "what stands before the colon may say who speaks, or which is meant"
        if isinstance(fact, str) and facts and facts[-1].change and clause.opener == "and" and clause.link.past:
            facts.pop()  # "was raised to 90 days and then lowered again"
        if isinstance(fact, KeyedFact):
            facts.append(fact)
        else:
            reason = reason or fact
    if not facts and (not found or reason in _UNREAD):
        return _whole(text, tokens, vocabulary, context, at, reason, spoken.named())
    prose = len(facts) < len(found) or any(f.change for f in facts)
    return Reading(facts, prose, spoken.about if facts else spoken.named(), "" if facts else reason)


_UNREAD = ("no value that the grammar can tell", "no subject", "it may have several such values")


def _whole(
    text: str, tokens: Sequence[Token], vocabulary: Vocabulary, context: Context, at: int, reason: str, about: str
) -> Reading:
    """Read a statement as the frame of all its words, where no clause of it gives a fact."""
    found = measured(text, tokens, several=reason == _UNREAD[2])
    if found is None:
        return Reading([], True, about, reason)
    key, value, named = found
    key = vocabulary.named(key)
    if not named and context.headings:
        key = f"{key} § {' / '.join(context.headings).casefold()}"
    span = (tokens[0].start, tokens[-1].end)
    shown = " ".join(f"{text[span[0] : value.span[0]]}_{text[value.span[1] : span[1]]}".split())
    fact = KeyedFact(
        shown, "is", text[slice(*value.span)], (key, "_"), value.canonical, value.kind, (at, at + len(text)),
        "statement", confined="" if named else "described",
    )  # fmt: skip
    return Reading([fact], False, about)


def _curated(text: str, tokens: Sequence[Token], vocabulary: Vocabulary, at: int) -> KeyedFact | None:
    """Read a statement of a store in which every relation has one value."""
    found = curated(text, tokens)
    if found is None or not found[0].core:
        return None
    holder, frame, value = found
    key = (vocabulary.named(holder.key), frame)
    named = holder.named or any(is_name(tokens, n, text) for n in range(len(tokens)) if tokens[n].end <= value.span[0])
    return KeyedFact(
        holder.shown, frame.removesuffix(" _"), text[slice(*value.span)], key, value.canonical, value.kind,
        (at, at + len(text)), "curated", confined="" if named else "described",
    )  # fmt: skip


class _Spoken:
    """Reads the clauses of one sentence, and keeps in mind whom they are about."""

    def __init__(self, text: str, vocabulary: Vocabulary, context: Context, at: int, *, alone: bool) -> None:
        self.text, self.vocabulary, self.context, self.at, self.alone = text, vocabulary, context, at, alone
        self.about = context.about
        self.own: list[Sequence[Token]] = []  # the subjects of its clauses
        self.subject: Sequence[Token] = ()
        self.told: Sequence[Token] = ()

    def named(self) -> str:
        """Return the first subject that names something."""
        barred = Flag.PRONOUN | Flag.SPEAKER | Flag.ASK
        phrases = (read_phrase(own, self.text) for own in self.own if not own[0].flags & barred)
        return next((p.key for p in phrases if p.definite or p.named), "")

    def read(self, clause: Clause) -> KeyedFact | str:
        """Return the fact of a clause, or why it states none."""
        link = clause.link
        own = _shed(clause.tokens[: link.start])
        if own and own[0].flags & Flag.PREP and (fronted := _fronted(own)):  # "On Sundays the pool opens at 9"
            clause, own = clause._replace(before=[*clause.before, Segment("", own[:fronted])]), own[fronted:]
        subject = self._resolved(own) or self.subject
        if own:
            self.subject = own
            self.told = clause.tokens
            self.own.append(own)
        if subject and (subject[0].flags & Flag.ASK or (len(subject) == 1 and subject[0].flags & Flag.REL)):
            return "a question"
        predicate = _shed(clause.tokens[link.end :])
        said = Said(self.text, subject, link, predicate, self.vocabulary, self.context.anything)
        if (link.past or link.perfect) and not (link.negated or link.modal):
            change = change_of(said)
            if change is not None:
                return self._changed(clause, said, change)
        return self._stated(clause, said) if subject else "no subject"

    def _resolved(self, subject: Sequence[Token]) -> Sequence[Token]:
        """Put the one person that the clause before is about in the place of "his" and "her"; "she" may be another."""
        if len(subject) < 2 or not self.subject or subject[0].lower not in _THIRD:
            return subject
        sorts = [t.sort for t in self.told]
        names = sum(s == NAME and sorts[n - 1 : n] != [NAME] for n, s in enumerate(sorts))
        alone = names == 1 and self.subject[-1].sort == NAME
        return [*self.subject, _OF, *subject[1:]] if alone else subject

    def _changed(self, clause: Clause, said: Said, change: Change) -> KeyedFact | str:
        """Return the fact of a change: it acts on the key that it names, and its text stays."""
        front = [t for s in clause.before for t in s.tokens]
        if clause.tokens[0].lower in ("had", "were", "should") or any(t.sort == QUANTITY for t in front):
            return "a condition, or an event of its time"
        refused = veto(front, clause.tokens, said.link, past=True)
        if refused:
            return refused
        value, ended = change.ended or change.value, change.value is None
        return self._fact(clause, said, change.subject, change.relation, value, change.after, change=True, ended=ended)

    def _stated(self, clause: Clause, said: Said) -> KeyedFact | str:
        """Return what a clause states, or ends ("is no longer")."""
        link, first = said.link, said.subject[0]
        if link.ended and [*link.words[1:], *(t.lemma for t in said.predicate[:2])] in _SET:
            relation, phrase = attribute(read_phrase(said.subject, self.text), self.vocabulary, "")
            return self._fact(clause, said, phrase, relation, None, "", change=True, ended=True)
        found = key_of(said)
        if isinstance(found, str):
            return found
        around = [s.tokens for s in clause.before if not s.tokens[0].flags & Flag.REL and not tells_event(s.tokens)]
        front = [t for tokens in around for t in tokens]
        lenient = said.anything or (isinstance(found.relation, Relation) and found.relation.past)
        told = [*said.subject, *clause.tokens[link.start : link.end], *said.predicate]
        refused = veto(front, told, link, past=lenient, ended=link.ended)
        if refused:
            return refused
        holder = found.subject
        stands = first.flags & Flag.PRONOUN and not first.flags & Flag.SPEAKER
        if stands and len(said.subject) == 1 and holder.core == (first.lemma,):
            if first.lower not in ("it", "this", "that") or not self.about:
                return "a pronoun that nothing before it explains"
            holder = Phrase((self.about,), definite=True, shown=self.about)
        ended = link.ended
        return self._fact(clause, said, holder, found.relation, found.value, found.after, change=ended, ended=ended)

    def _fact(
        self, clause: Clause, said: Said, holder: Phrase, relation: Relation | str, value: Value | None, after: str,
        *, change: bool, ended: bool,
    ) -> KeyedFact | str:  # fmt: skip
        """Return the fact with its key: what stands around the clause belongs to it."""
        text = self.text
        if not holder.core:
            return "no subject"
        qualifiers = _qualifiers(clause)
        if isinstance(qualifiers, str):
            return qualifiers
        qualifiers += [after] if after else []
        confined = _confined(text, holder, said.subject, clause)
        if qualifiers:
            holder = holder._replace(qualifiers=tuple(sorted((*holder.qualifiers, *qualifiers))))
        key = self.vocabulary.named(holder.key)
        if confined:
            if self.about and len(holder.core) == 1 and holder.core != (self.about,):
                key = f"{key} @ {self.about}"
            if self.context.headings:
                key = f"{key} § {' / '.join(self.context.headings).casefold()}"
        self.about = key
        known = isinstance(relation, Relation)
        name = relation.name if isinstance(relation, Relation) else relation
        start, end = 0, len(text)  # the whole statement, if the text says nothing besides
        if change or not self.alone:
            around = [*clause.tokens, *(t for s in (*clause.before, *clause.behind) for t in s.tokens)]
            start, end = min(t.start for t in around), max(t.end for t in around)
        verb = clause.tokens[clause.link.start].start
        written = " ".join(text[verb : value.span[0]].split()) if value is not None and verb < value.span[0] else ""
        return KeyedFact(
            subject=f"{holder.shown or key} ({'; '.join(qualifiers)})" if qualifiers else holder.shown or key,
            relation=written if written and not change else name.removesuffix(" _"),
            object=None if ended or value is None else text[value.span[0] : value.span[1]],
            key=(key, name),
            value="" if value is None else value.canonical,
            kind="" if value is None else "name" if known and value.kind in NAMED else value.kind,
            span=(start + self.at, end + self.at),
            rule="change" if change else "relation" if known else "frame",
            confined=confined,
            change=change,
        )


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


_LONGEST = 200  # tokens: nobody speaks in longer sentences
_SET = [["set"], ["configure"], ["define"], ["assign"], ["pin"]]  # "is no longer set"
_THIRD = frozenset("his her their".split())
_OF = Token(WORD, "'s", "'s", Flag.OWNER, 0, 0)
_TELLERS = frozenset("i we they it".split())
_NOW = [p.split() for p in "from now on|these days|at the moment|right now|as of|since|instead|any more".split("|")]
_NOW_WORDS = frozenset(words[0] for words in _NOW)
_UNSAID = re.compile(r"~~|\W*(?:\w+ )?(?:WARN|WARNING|ERROR|INFO|DEBUG|TRACE|FATAL)\b")


def _shed(tokens: Sequence[Token]) -> Sequence[Token]:
    """Leave out what only says that something holds now: "from now on", "as of release 9", "since May"."""
    for n, token in enumerate(tokens):
        if token.lower in _NOW_WORDS:
            for words in _NOW:
                if [t.lower for t in tokens[n : n + len(words)]] == words:
                    return tokens[:n] if words[0] in ("as", "since") else [*tokens[:n], *tokens[n + len(words) :]]
    return tokens


def _qualifiers(clause: Clause) -> list[str] | str:
    """Return what stands around a clause and belongs to its key, or why the clause states nothing."""
    found = []
    for segment in clause.before:
        tokens = segment.tokens
        remark = (segment.opener or tokens[0].lower) in REMARKS
        if not remark and _shed(tokens) and (tokens[0].flags & (Flag.PREP | Flag.SUB) or not tells_event(tokens)):
            found.append(_words(segment))
    for segment in clause.behind:
        tokens, first = segment.tokens, segment.tokens[0]
        opener = segment.opener if segment.opener in CONDITIONS or segment.opener in REMARKS else first.lower
        if first.lower == "not" and find_value(tokens[1:]) is None:
            return "a hedge"  # "not sure though", and no "not 5"
        joined = find_link(tokens, joined=True) is not None and (
            not first.flags & (Flag.DONE | Flag.ING) or bool(first.flags & Flag.BASE)
        )
        if (opener in REMARKS and (joined or opener != "but")) or first.lower in ("please", "thanks", "not"):
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


GENERIC = frozenset(
    """port status version owner name type date time state mode level size count title id url path host key value number
total result priority severity address price""".split()
)


def _confined(text: str, holder: Phrase, subject: Sequence[Token], clause: Clause) -> Confinement:
    """Say whether a fact is confined to its source: whether its subject, or what stands before it, names an entity."""
    before = [s.tokens for s in clause.before]
    if holder.named or (before and any(is_name(tokens, n, text) for tokens in before for n in range(len(tokens)))):
        return ""
    speaks = bool(subject) and (subject[0].flags & (Flag.SPEAKER | Flag.OWNER) or subject[0].lower == "our")
    return "bare" if speaks or (len(holder.core) == 1 and holder.core[0] in GENERIC) else "described"
