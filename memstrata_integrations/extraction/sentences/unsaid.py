"""What stands before a bare subject and in no key: whose "the code" it is that somebody tells.

"Staging update: the version is 1.2", "Talked to York, the code is 55", "The club in York raised the fee to 5 euros". A
remark of the speaker says nothing of which thing is meant; a name or a noun in it may, and then belongs to the key: in
doubt two statements are of two things.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.extraction.sentences.comments import written_part
from memstrata_integrations.extraction.sentences.corrections import behind_correction
from memstrata_integrations.extraction.sentences.events import behind_event, is_event
from memstrata_integrations.extraction.sentences.retelling import INSTITUTIONAL
from memstrata_integrations.extraction.sentences.scaffolding import CHAT_WORDS
from memstrata_integrations.extraction.sentences.trimming import TURN_LEAD
from memstrata_integrations.extraction.sentences.verbs import BASES, THIRD, is_past, verb_of_gerund
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.facts import Fact
from memstrata_integrations.units import MONTHS, NUMBER_WORDS, WEEKDAYS
from memstrata_integrations.words import singular, word_set

__all__ = ["with_unsaid"]

_MOST_WORDS = 3
_WORD = re.compile(r"[^\s,;:()\[\]\"“”]+")
_TRIM = "'`*.!?–—-"
_BOUNDARY = re.compile(r"[,;:] | [–—-] |\] ")
_AGENT = re.compile(
    r"(?P<who>[A-Z][\w’'-]*(?: [\w’'-]+){0,5}?) (?:has |have )?(?:just |recently |now )?"
    r"(?:raised|lowered|increased|reduced|cut|set|moved|switched|changed|upped|doubled|halved|extended|relocated) the "
)
# What does nothing for all: the quota that one tenant sets is its own
_BEARERS = word_set(
    "tenant team customer client host chart commit pr release incident service server node cluster region project repo "
    "department squad user account site branch store shop school plant job stage environment namespace overlay"
)
_POSSESSIVE = word_set("my our his her their its")
_OWN = word_set("i we my our")
# Since when, and that somebody says so: no word of these tells two things apart
_SINCE = re.compile(r"(?:since|from|as of|as from|starting|beginning|effective|with effect from|until) ", re.IGNORECASE)
_BEHIND = re.compile(
    r"[,;]? (?:but |and |though )?(?:(?:that|this|it)(?:['’]s| (?:is|only|holds|applies|goes|counts))|I mean|each)\b"
)
_SMALL = word_set(
    "the a an of to in on at for with by from as and or but so that this these those it its it's is are was were be "
    "been has have had will would can do does did not no yes if when than then there here who which what whose any "
    "some all one two you your they them their he she his her everyone anyone somebody someone people me us him let "
    "letting lets know knows see says say said per via about into onto over under up down out off again still even "
    "very really just now today tonight tomorrow yesterday currently presently nowadays lately recently finally "
    "already also too only week month year day time morning evening night moment date since until last next please "
    "according due thanks because ok okay well oh hi hey hello ugh phew yay hooray alas argh hmm unless otherwise "
    "told stated specified noted perf chore fix feat docs ci build handbook changelog agent rang called texted news "
    "note notice reminder info information status question answer days present presently way fact things stands team "
    "folks everybody guys colleagues friends dear ps edit yes confirm decided agreed reorg move"
)
_LOOKED_AT = word_set("checked asked called visited talked spoke met inspected tested opened used tried rang")
_IN_TIME = word_set("before after then afterwards later beforehand")


def with_unsaid(text: str, statement: Statement, fact: Fact) -> Fact:
    """Return a fact with what its sentence says besides of which thing it is, as a part of its key.

    Args:
        text: The text.
        statement: The sentence or line.
        fact: A fact of it.
    """
    words = fact.subject.split()
    if not fact.local or len(words) > _MOST_WORDS or not _OWN.isdisjoint(words) or fact.object is None:
        return fact
    if statement.kind not in ("sentence", "field"):
        return fact
    sentence = text[statement.start : statement.end].rstrip(" \n\t.!")
    if not fact.narrative and _ends_in(sentence, fact.object) and _BOUNDARY.search(sentence) is None:
        return fact  # one clause, and nothing behind its value
    sentence = written_part(sentence)
    for behind in (behind_correction, behind_event):
        sentence = sentence[behind(sentence, 0, len(sentence)) :]
    said = _before(sentence, frozenset(words), fact.object) + _behind(sentence, fact)
    if fact.narrative and not said:
        said = _of_agent(sentence, words)
    return replace(fact, subject=f"{fact.subject} beside:{'+'.join(sorted(set(said)))}") if said else fact


def _ends_in(sentence: str, value: str) -> bool:
    """Whether a value stands at the end of a sentence, and nowhere else in it."""
    return sentence.find(value) + len(value) == len(sentence)


def _before(sentence: str, subject: frozenset[str], value: str) -> list[str]:
    """Return what is said before the clause that names the subject, unless it is the speaker's own."""
    if _SINCE.match(sentence) or _BOUNDARY.search(sentence) is None:
        return []
    words = [(m, m[0].strip(_TRIM)) for m in _WORD.finditer(sentence)]
    keys = [canonical_subject(bare) if bare else "" for _, bare in words]
    at = next((n for n, key in enumerate(keys) if key and not subject.isdisjoint(key.split())), None)
    if at is None or (words[at][1].endswith(("'s", "’s")) and words[at][1][0].isupper()):
        return []  # "Gran's carer" is one whatever else is said
    if any(bare.lower() in _POSSESSIVE for _, bare in words[max(at - 2, 0) : at]):
        return []
    stops = [m.end() for m in _BOUNDARY.finditer(sentence, 0, words[at][0].start() + 1)]
    if not stops:
        return []
    clause = sentence[stops[-1] :]
    if value[0].isupper() and clause.startswith("so ") and is_event(sentence[: stops[-1]], clause[3:], "so"):
        return []  # "Efrem fell ill, so the best man is Laszlo": he was
    said = [n for n in range(at) if keys[n] and words[n][0].start() < stops[-1] and words[n][1] not in value]
    # "The council changed it: ..." tells why; of an event only a name tells whose the thing is
    heard = {words[n][1].lower() for n in said}
    by_name = any(is_past(word) for word in heard) and _LOOKED_AT.isdisjoint(heard)
    found: list[str] = []
    turn = TURN_LEAD.match(sentence)  # "After the merger, the limit is 5" as of then
    replaced = turn is not None and turn[0].lower().startswith(("instead of ", "in place of "))  # what it was
    for n in said:
        bare = words[n][1]
        if turn is not None and words[n][0].start() < turn.end() and (replaced or n == 0 or bare.islower()):
            continue
        if (bare.isdigit() and found) or (_tells(bare, n == 0) and not (by_name and (n == 0 or bare[0].islower()))):
            found.append(keys[n])  # "Step 4", "Staging"
    return found


def _of_agent(sentence: str, subject: list[str]) -> list[str]:
    """Return whose "the fee" it is that somebody raised: "the club in York", "Austria", but not "the board"."""
    agent = _AGENT.match(sentence)
    if agent is None or not _OWN.isdisjoint(agent["who"].lower().split()):
        return []
    named = agent["who"].split()
    if len(named) > 1 and named[0].lower() in _BEARERS:
        return [canonical_subject(w) for w in named]  # "Tenant Acme", "PR #12"
    if named[0] in ("The", "the"):
        return [canonical_subject(w) for w in named[1:] if _tells(w, False)] if len(named) > 2 else []
    return [canonical_subject(w) for w in named] if subject[-1] in INSTITUTIONAL else []


def _behind(sentence: str, fact: Fact) -> list[str]:
    value = fact.object or ""
    end = sentence.find(value) + len(value)
    if fact.narrative or value not in sentence or _BEHIND.match(sentence, end) is None:
        return []
    words = [m[0].strip(_TRIM) for m in _WORD.finditer(sentence, end)]
    return [canonical_subject(w) for w in words if w and _tells(w, False, True)]


def _tells(word: str, first: bool, behind: bool = False) -> bool:
    """Whether a word may tell of which thing is spoken; behind a value also one that may be a verb."""
    lower = word.lower().removesuffix("'s").removesuffix("’s")
    if lower in _IN_TIME:
        return True
    if not any(c.isalpha() for c in lower) or lower in _SMALL or lower in CHAT_WORDS or singular(lower) in CHAT_WORDS:
        return False
    if lower in MONTHS or lower in WEEKDAYS or lower in NUMBER_WORDS:
        return False
    if behind or (word[0].isupper() and not first):
        return True
    return not (
        lower in BASES or lower in THIRD or is_past(lower) or verb_of_gerund(lower) != lower or lower.endswith("ly")
    )
