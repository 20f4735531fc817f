"""Clauses behind a value that say with another verb what the plain sentence says: "the file that contains the tax".

Who "employs Emil" is whom he is employed by, what "contains the tax" is where it lives, and whom "you ask about the
keys" is the contact for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memstrata_integrations.extraction.sentences.gaps import Word
from memstrata_integrations.extraction.sentences.lexicon import PREPOSITIONS
from memstrata_integrations.extraction.sentences.pieces import Pieces, opening
from memstrata_integrations.extraction.sentences.role_words import head_phrase, is_plural
from memstrata_integrations.extraction.sentences.verbs import THIRD, participle_of
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["contact_of", "doer_turned", "kept_in"]

_Span = tuple[int, int]
_HOLDING = word_set("contain hold define")
_KEPT = re.compile(r"(?P<what>\S[^,;:]*?) (?:is|are) (?:contained|held)(?: in)?\Z")
_ASKED = word_set("contact ask call page email message notify")
_ASKED_TO = word_set("talk speak write turn")
_ABOUT = word_set("about for regarding with concerning")
# Who does these is no doer whom a passive names
_NO_DOINGS = word_set("have be use need require get want mean seem become cost weigh last act work live run")


def doer_turned(text: str, value: _Span, words: Sequence[Word]) -> Iterator[Pieces]:
    """Read "Acme is what employs Emil" as "Emil is employed by Acme", "a.py contains the tax" as where it lives."""
    verb = THIRD.get(words[0].text)
    if verb is None or len(words) < 2 or words[1].text in PREPOSITIONS:
        return
    start, last = words[1].start, words[-1].end
    if verb in _HOLDING and canonical_value(text[slice(*value)])[1] == "path":
        if is_plural(words[-1].text.lower()) and "_" not in words[-1].text:
            return  # tests live in several files
        yield *opening(text, start, last), " lives in ", value
        return
    if verb in _NO_DOINGS:
        return
    name = text[slice(*value)]
    if " " not in name and name.islower():
        return  # "make is what builds the site", and Hugo as well
    # "the packages of the site": what is done, and then how or when
    ends = [w.start - 1 for w in words[2:] if w.text in PREPOSITIONS and w.text != "of"]
    stop = ends[0] if ends else last
    head = head_phrase(text[start:stop].lower().split())[0]
    done = f"{'are' if is_plural(head) else 'is'} {participle_of(verb)}"
    tail: Pieces = ((stop, last),) if ends else ()
    yield *opening(text, start, stop), f" {done} by ", value, *tail


def kept_in(text: str, hidden: str, value: _Span, clause: _Span) -> Iterator[Pieces]:
    """Read "the file in which the tax is contained" as where it lives."""
    match = _KEPT.match(hidden, *clause)
    if match is not None and canonical_value(text[slice(*value)])[1] == "path":
        yield *opening(text, *match.span("what")), " lives in ", value


def contact_of(text: str, value: _Span, words: Sequence[Word]) -> Iterator[Pieces]:
    """Read "Ann Lee is who you ask about the keys" as who the contact for them is."""
    if len(words) < 4 or words[0].text.lower() not in ("you", "we", "people"):
        return
    about = 2 if words[1].text in _ASKED else 3 if words[1].text in _ASKED_TO and words[2].text == "to" else 0
    if about and len(words) > about + 1 and words[about].text in _ABOUT:
        yield "The contact for ", (words[about + 1].start, words[-1].end), " is ", value
