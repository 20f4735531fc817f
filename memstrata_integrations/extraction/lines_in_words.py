"""A line of notes as the sentence that it stands for: "Pricing client: read timeout now 25 seconds".

It says "the read timeout of the pricing client is now 25 seconds": a label names a thing, an attribute, or both, in
any of a few orders; that sentence is judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.lone_rows import is_attribute, openings, row_cores
from memstrata_integrations.extraction.sentences.complements import masked
from memstrata_integrations.extraction.sentences.lexicon import (
    CONJUNCTIONS,
    DEICTIC,
    FINITE_VERBS,
    IMPERATIVES,
    LABELS,
    PREPOSITIONS,
    SUPPRESSING_HEADINGS,
    UNASSERTED,
)
from memstrata_integrations.extraction.sentences.opinions import is_opinion
from memstrata_integrations.extraction.sentences.pointing import is_caption, numbers_a_record
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.scoped import PASTS, TALKING
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.words import holds_any, word_set

__all__ = ["line_cores"]

_LONGEST, _MOST_WORDS = 200, 12
_TRIM = "`*\"'().,!"
_ARROW = r"(?:->|=>|→)"
_LINE = re.compile(rf"(?P<label>[^:|?\n→]{{2,90}}?)(?:: | {_ARROW} )(?P<rest>[^\n?;]{{1,100}}?)\.?\s*\Z")
# What stands before a line and says nothing of it
_LEAD = re.compile(
    r"(?:(?:changed?|changes|updated?|correction|heads[- ]up|fyi|psa|(?:@\w+|all|everyone|team|folks)"
    r"|hi(?: all| team| everyone)?|(?:[a-z]+ ){1,3}(?:change|update|correction)s?"
    r"|(?:directory|handbook|runbook|wiki|docs|readme|changelog|notice|news|noticeboard|price list|codeowners)"
    r"|(?:after|as of) the [a-z ]{3,20}|it['’]s (?:on|in|out|up|official|public)[^:,]{0,40}"
    r"|(?:chore|fix|feat|perf|refactor|style|deps)(?:\((?P<scope>[\w./-]+)\))?!?)(?:: | - )|@\w+ )(?=\S)",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r",? \(?(?:as of (?:today|now|this (?:week|month|year)|[A-Z]\w+)|from (?:today|now on)|these days|now)\)?\Z"
    r"|,? (?:everyone|everybody|folks|guys|again)\Z|, (?:all|team)\Z"
    r"| (?:(?:has|was|has been|is) )?(?:changed|replaced|updated|switched|moved|renamed|new)\Z"
)
_NEW = re.compile(
    r"(?:(?:here(?:['’]s| is) )?(?:(?:the|our) )?new |here(?:['’]s| is) (?:the |our )?)(?=\S+ \S)", re.IGNORECASE
)
_APART = (
    re.compile(r"(?P<attribute>[^(),]+?) \((?P<of>[^(),]+)\)\Z"),
    re.compile(r"(?P<attribute>[^(),]+?), (?P<of>[^(),]+)\Z"),
    re.compile(r"(?P<of>[^(),]+?)(?:,| —| –| -| /| >| ›) (?P<attribute>[^(),]+)\Z"),
)
_DONE = (
    "set|raised|lowered|increased|decreased|reduced|cut|doubled|halved|extended|shortened|bumped|changed|switched|moved"
    "|migrated|upgraded|downgraded|updated|renamed|replaced|pinned|reassigned|handed|transferred|lifted|dropped"
)
_TOLD = re.compile(
    rf"(?P<what>[a-z`@/A-Z][^:]{{0,70}}?) (?:(?:(?:has |have )?(?:been |was |were )?(?:now )?)"
    rf"(?P<done>(?:{_DONE})(?: up| down| over)? (?:from (?=.+ (?:to|->|=>|→) )|to |by |with ))"
    rf"|(?P<none>{_ARROW} )|(?P<bare>)(?=[€$£]?\d)|(?P<is>(?:is |are )?(?:now |currently )(?:at )?"
    r"|(?:is |are )(?:at )?|at (?=v?\d|version |revision )))"
    r"(?P<value>\S.*)\Z"
)
_ORDERED = re.compile(
    rf"(?P<verb>{'|'.join(PASTS)}) (?:the )?(?P<what>\S.*?) (?P<how>(?:from \S.*? )?(?:to|with) )"
    r"(?P<value>\S.*)\Z",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    rf"(?:(?:up|down) from (?P<old>[^\s,].{{0,40}}?) to|(?:from )?(?P<was>[^\s,].{{0,40}}?) {_ARROW}) (?P<value>\S.*)\Z"
)
_COUNTED = re.compile(
    r"\d[\d,]* (?:[a-z-]+ )?"
    r"(?!(?:degree|day|hour|minute|second|week|month|year|time|euro|dollar|pound|metre|meter)s)[a-z]{3,}s\Z"
)
_PREDICATE = re.compile(r"now (?=(?:[a-z]+(?:ed|en|pt|ld|nt) )?(?:by|in|on|at|with|to|from|until|under) \S)")
# Who speaks, or what kind of remark follows
_REMARKS = TALKING - word_set("before after version release default expected actual page line host section")
_UNSAID = UNASSERTED | DEICTIC
_FIRSTS = IMPERATIVES | PREPOSITIONS | LABELS | (SUPPRESSING_HEADINGS - word_set("release releases"))
Span = tuple[int, int]
Part = str | Span


def line_cores(text: str) -> Iterator[Core]:
    """Yield the sentences that a text of one line may stand for; the places of each are those of the text.

    Example:
        >>> next(line_cores("Pricing client: read timeout now 25 seconds")).text
        'The read timeout of Pricing client is now 25 seconds'
    """
    if text[:1] == "|":
        yield from row_cores(text)
        return
    if len(text) > _LONGEST or not holds_any(text, (": ", " -> ", " => ", " → ")):
        return
    at, scope = 2 if text[:2] in ("- ", "* ", "• ") else 0, None
    if (lead := _LEAD.match(text, at)) is not None:
        at, scope = lead.end(), lead["scope"]
    if lead is not None:
        of = f" of {scope}" if scope else ""
        yield from _ordered(text, at, of)
        yield from _told(text, of, (at, len(text.rstrip())))
        if not of:
            yield _core(text, [(at, len(text.rstrip(" .\n")))], changed=True)
    match = _LINE.match(text, at)
    if match is None:
        return
    begin, stop = match.span("label")
    if (when := _WHEN.search(text, begin, stop)) is not None:
        stop = when.start()
    new = _NEW.match(text, begin, stop)
    begin = new.end() if new is not None else begin
    if not _is_sound(text[begin:stop]):
        return
    rest = match.span("rest")
    changed = new is not None or when is not None
    yield from _ordered(text, rest[0], f" of {text[begin:stop]}")
    yield from _told(text, (begin, stop), rest)
    yield from _valued(text, (begin, stop), rest, changed=changed)


def _is_sound(label: str) -> bool:
    """Whether a label may name a thing or what it has, in words that claim nothing by themselves."""
    words = [w.strip(_TRIM).lower() for w in masked(label).split()]
    if not words or len(words) > _MOST_WORDS or words[0] in _FIRSTS or is_opinion(words):
        return False
    if words[0] in _REMARKS or words[-1] in _REMARKS or (len(words) == 1 and words[0].endswith("ed")):
        return False
    if any(w in _UNSAID or w in FINITE_VERBS or (w in CONJUNCTIONS and w != "and") for w in words):
        return False
    return not is_caption(label) and not numbers_a_record(label)


def _core(text: str, parts: list[Part], *, changed: bool = False) -> Core:
    """Put a sentence together of words that are put in and of pieces of the text."""
    said, places = "", []
    for part in parts:
        if isinstance(part, str):
            said += part
            places += [-1] * len(part)
        else:
            said += text[slice(*part)]
            places += range(*part)
    return Core(said, tuple(places), 0, changed, "")


def _ordered(text: str, at: int, of: str) -> Iterator[Core]:
    """Yield "The lambda timeout was raised to 20 s" for "raise lambda timeout to 20 s"."""
    order = _ORDERED.match(text, at)
    if order is None:
        return
    done = PASTS[order["verb"].lower()]
    parts: list[Part] = ["The ", order.span("what"), f"{of} was {done} ", (order.start("how"), _ends(text, order))]
    yield _core(text, parts, changed=True)


def _told(text: str, label: Span | str, rest: Span) -> Iterator[Core]:
    """Yield what a line says of one attribute of what its label names."""
    told = _TOLD.match(text, *rest)
    if told is None or not _is_sound(told["what"]):
        return
    loose = told["bare"] is not None or (told["none"] and told["what"][0].isupper())
    if loose and not is_attribute(told["what"].split()):
        return
    named = (label if isinstance(label, str) else text[slice(*label)]).split()
    if told["is"] in ("is ", "are ") and len(named) < 3 and all(w.isalpha() and w[0].isupper() for w in named):
        return  # who says so
    if told["done"]:
        link, value = "was ", (told.start("done"), _ends(text, told))
    else:
        how = (told["is"] or "").split()
        of_now = told["none"] or "now" in how or "currently" in how
        value = told.start("value"), _ends(text, told)
        if (other := _FROM_TO.match(text, *value)) is not None:
            of_now, value = False, other.span("value")
        link = f"is {'now ' if of_now else ''}{'at ' if 'at' in how else ''}"
    if isinstance(label, str):
        yield _core(text, ["The ", told.span("what"), f"{label} {link}", value], changed=True)
        return
    what = told.span("what")
    openings_of: tuple[list[Part], ...] = (["The ", what, " of ", label], [label, "'s ", what])
    for opening in openings_of:
        yield _core(text, [*opening, f" {link}", value], changed=True)


def _valued(text: str, label: Span, rest: Span, *, changed: bool) -> Iterator[Core]:
    """Yield what a line says of all that its label names."""
    said, value = text[slice(*label)], text[slice(*rest)]
    if (done := _PREDICATE.match(text, *rest)) is not None:
        article = "" if "'s " in said or "’s " in said else "The "
        link = " are " if is_plural(said.split()[-1].lower()) else " is "
        yield _core(text, [article, label, link, (done.end(), rest[1])], changed=True)
        return
    if (other := _FROM_TO.match(text, *rest)) is not None and (other["old"] or " " in said):
        old = other.span("old" if other["old"] else "was")
        parts: list[Part] = ["The ", label, " was changed from ", old, " to ", other.span("value")]
        for opening in openings(said, "", text[slice(*other.span("value"))]):
            yield _core(text, [f"{opening} ", other.span("value")], changed=True)
        yield _core(text, parts, changed=True)
        return
    start = rest[0]
    if value.startswith("now "):
        start, changed = start + 4, True
    place = start, rest[1]
    if _COUNTED.match(value) and " " in said and said.rpartition(" ")[2].islower() and not is_attribute(said.split()):
        yield _core(text, [label, " has ", place], changed=changed)
        return
    for attribute, of in _named(said):
        for opening in openings(attribute, of, text[slice(*place)]):
            yield _core(text, [f"{opening} ", place], changed=changed)


def _named(label: str) -> Iterator[tuple[str, str]]:
    """Yield the attribute and the thing that a label names, in either order; the thing may be among its words."""
    for shape in _APART:
        if (apart := shape.match(label)) is not None and is_attribute(apart["attribute"].split()):
            yield apart["attribute"], apart["of"]
            return
    if "," not in label and "(" not in label:
        yield label, ""


def _ends(text: str, match: re.Match[str]) -> int:
    """Return where the value of a match ends, without its full stop."""
    return match.start("value") + len(match["value"].rstrip(" ."))
