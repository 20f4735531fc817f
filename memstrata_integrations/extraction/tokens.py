"""Tokens: the words, names, quantities and marks of a statement, each with what it may be."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memstrata_integrations.extraction.values import MONTHS, NAMED, NUMBERS, PERIODS, WEEKDAYS, canonical_value
from memstrata_integrations.extraction.words import Flag, lemma_and_flags

WORD, NAME, QUANTITY, EXACT, MARK = range(5)
"""Sorts of tokens: a word; a name (capital); a measure, date or version; code, path or identifier; punctuation."""


@dataclass(slots=True)
class Token:
    """A piece of a statement."""

    sort: int  # `WORD`, `NAME`, `QUANTITY`, `EXACT` or `MARK`
    lower: str
    lemma: str  # its base form, which enters keys; of a quantity or exact token its canonical value
    flags: int  # what the word may be, see `words.Flag`
    start: int
    end: int
    kind: str = ""  # of what can be a value, its kind


_OPAQUE = 10  # characters
_METHODS = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_TOKEN = re.compile(
    rf"""\s*(?:
    (?P<method>(?:{_METHODS})\ /[^\s,;)]*[^\s,;.:!?)])
    |(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*
        (?=['’]?[\s,;!?)\]”"*]|['’](?:s|m|re|ve|ll|d)\b|[.:](?:\s|["”)*]|\Z)|\Z|[–—])
        |[^\W\d_]+['’][^\W\d_]{{2,}})
    |(?P<short>[^\W\d_]+n['’]t\b|['’](?:s|m|re|ve|ll|d)\b|(?<=s)['’](?=\s))
    |(?P<code>(?<!`)`{{1,3}}[^`\n]{{1,999}}`{{1,3}})
    |(?P<quoted>"[^"\n]{{1,99}}"|“[^”\n]{{1,99}}”|(?<![\w'])'[^'\n]{{1,99}}'(?!\w)|(?<!\w)‘[^’\n]{{1,99}}’)
    |(?P<strong>\*{{1,3}}(?=\w)|(?<=[\w`.)])\*{{1,3}}|(?<!\w)_(?=\w)(?=[^_]*\b_)|(?<=[a-z])_(?!\w))
    |(?P<exact>(?!\d+[.,]?(?:\s|\Z))(?:
        [A-Za-z][A-Za-z0-9+.-]{{0,30}}://[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?]
        |[\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+
        |(?:~|\.{{1,2}})?/[\w{{}}<:*%@$.-][^\s,;"'`)]*[^\s,;.:!?"'`)]|(?:~|\.{{1,2}})?/(?=[\w{{])\w+
        |(?:[\w.{{}}@*$-]{{1,80}}/)+[\w.{{}}*-]*[\w}}*](?::\d[\w.-]*\w|:\d)?
        |--?[A-Za-z][\w-]*(?==|[\s,.;:)]|\Z)
        |[#@]\w[\w/-]*\w|\d+-(?:0\d+|\d{{3,}})(?![\d-]|\s?[A-Za-z%])
        |\w{{1,80}}(?:\.\w+){{0,9}}\([^()\s]{{0,60}}\)|\w{{1,80}}(?:\.\w+){{0,9}}\((?:\w+(?::\s?\w+)?(?:,\s?\w+(?::\s?\w+)?)*)?\)
        |[A-Za-z][\w.-]{{0,80}}:\d[\w.-]*\w(?!:)|[A-Za-z][\w.-]{{0,80}}:\d(?!\w)|[a-z][\w.-]{{0,80}}:[A-Za-z_][\w.-]*\w
        |(?=[\w-]{{0,60}}[A-Za-z])(?=[\w.-]{{0,60}}[\d_.])
         (?!\d+(?:\.\d+)?-?[A-Za-z°µ%]{{1,4}}\b|\d+-[a-z]+\b|\d+(?:st|nd|rd|th|am|pm)\b|v?\d+(?:\.\d+)+)
         [A-Za-z_\d$][\w$]*(?:[.-][\w$]+)*
        |[A-Z][A-Za-z]*[-+][A-Za-z\d+]*\d[\w+-]*|[A-Za-z]+(?:\+{{1,2}}|\#)(?![\w+#])
     ))
    |(?P<number>
        \d{{1,2}}:\d\d\ ?[–-]\ ?\d{{1,2}}:\d\d|(?<!from\ )\d{{1,2}}:\d\d\ to\ \d{{1,2}}:\d\d
        |\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{4}}
        |\d{{1,2}}:\d\d(?::\d\d)?(?:\ ?[ap]\.?m\b\.?)?|\d{{1,2}}(?:\.\d\d)?\ ?[ap]\.?m\b\.?(?!\w)
        |\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+|/\d+)?
        |(?:[<>=~!^]=?=?|==)\s?v?\d[\w.*+-]*(?<![.-])(?:\s?,\s?[<>=~!]=?\s?[\d.]+[\w.]*)*|v\d+(?:\.\d+)*[\w+-]*
        |\d+(?:\.\d+){{2,}}(?:[-+.]?\w[\w.-]*\w)?|\d+(?:\.\d+){{0,5}}-?(?:rc|beta|alpha|dev)\d*
        |(?<![\w.])\+?\(?\d{{2,5}}\)?(?:[ -]\d{{2,5}}){{1,5}}(?![\w-]|\.\d|:\d)
        |(?<![\w.])(?=[+0]\d(?:[ ()-]{{0,2}}\d){{7}})(?:\+\d{{1,3}}|0\d{{1,4}})
         (?:[ -]\(?\d{{2,8}}\)?){{1,5}}(?![\w-]|\.\d|:\d)
        |[$€£¥]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|m|bn|thousand|million|billion)\b)?
        |[-+−]?\d[\d,_]*(?<=\d)(?:\.\d+)?(?:\s?[°%][CF]?|(?:st|nd|rd|th)\b|[A-Za-zµ]{{1,3}}(?:\d+[a-z]+)*\b(?!-))?
     )
    |(?P<mark>->|→|=>|--+|[–—]|==|\.\.\.|[^\w\s])
    |(?P<rest>\w+)
    )""",
    re.VERBOSE,
)
_WORD, _SHORT, _STRONG, _EXACT, _NUMBER, _MARK, _REST = (
    _TOKEN.groupindex[name] for name in ("word", "short", "strong", "exact", "number", "mark", "rest")
)
# Ends of hyphenated words that describe; any other such word in lower case may be a name: "eu-west", "plum-tree"
_DESCRIBING = tuple(
    """sensitive free safe wide time proof able ible ed ing like ready level end term side source party house hand aware
fast long short old high low deep less ful ous al ly ic date line up out in off back way day hour year class scale grade
duty call site person power cost risk priority""".split()
)
_ADJECTIVAL = ("-based", "-only", "-like", "-free", "-ready", "-friendly")  # "US-based" is no name
_CLOSED = (
    Flag.DET | Flag.OWNER | Flag.PRONOUN | Flag.SPEAKER | Flag.PREP | Flag.AND | Flag.SUB | Flag.REL | Flag.AUX
    | Flag.NOT | Flag.ASK | Flag.HEDGE | Flag.SKIP | Flag.SEVERAL | Flag.EARLIER
)  # fmt: skip
_ENDS = frozenset(",.;:")  # what may stand behind a word
_KNOWN: dict[str, tuple[int, str, str, int, str]] = {}  # words that are the same wherever they stand


def flags_of(tokens: Iterable[Token]) -> int:
    """Return all that any of some words may be: one look that spares a closer one at each."""
    found = 0
    for token in tokens:
        found |= token.flags
    return found


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a statement, in order; emphasis is left out.

    Example:
        >>> [(t.lower, t.kind) for t in tokenize("The API listens on port 8080 for 30 seconds.")][-4:]
        [('8080', 'number'), ('for', ''), ('30 seconds', 'duration'), ('.', '')]
    """
    found: list[Token] = []
    start = pos = done = 0  # where a piece begins; up to where the text is read; what an amount has taken already
    for piece in text.split(" "):
        begin, end, mark = start, start + len(piece), ""
        start = end + 1
        known = _KNOWN.get(piece)
        if known is None and piece[-1:] in _ENDS:
            known, mark, end = _KNOWN.get(piece[:-1]), piece[-1:], end - 1
        if known is not None and begin >= done and begin >= pos:
            sort, lower, lemma, flags, kind = known
            found.append(Token(sort, lower, lemma, flags, begin, end, kind))
            if mark:
                found.append(Token(MARK, mark, mark, Flag.MARK, end, end + 1))
            continue
        end, pos = start - 1, max(begin, pos)
        while pos < end and (match := _TOKEN.match(text, pos)) is not None:
            group = match.lastindex or _MARK
            begin, pos = match.span(group)
            if begin < done:
                continue
            piece, done = match[group], pos
            if group == _WORD:
                sort, lower, lemma, flags, kind = _KNOWN.get(piece) or _word(piece)
                amount = _amount_of_words(text, begin, pos, lower) if _opens(piece, lower) else None
                if amount is not None:
                    done, lemma, kind = amount
                    sort, lower, flags = QUANTITY, text[begin:done].lower(), 0
            elif group == _MARK:
                sort, lower, lemma, flags, kind = MARK, piece, piece, Flag.MARK, ""
            elif group == _NUMBER:
                done, lemma, kind = _amount_of_number(text, begin, pos, found[-1] if found else None)
                sort = EXACT if kind in ("host", "path", "name:1") else QUANTITY
                lower, flags = text[begin:done].lower(), 0
            elif group == _SHORT:
                sort, lower, kind = WORD, piece.lower().replace("’", "'"), ""
                lemma, flags = lemma_and_flags(lower)
                if lower in ("'", "'s") and not (found and found[-1].flags & (Flag.PRONOUN | Flag.REL | Flag.ASK)):
                    flags = Flag.OWNER
            elif group == _STRONG:
                continue
            else:
                sort, lower, flags = EXACT, piece.lower(), 0
                lemma, kind = canonical_value(piece)
                if len(piece) >= _OPAQUE and not (piece.isupper() or piece.islower()) and piece.isalnum():
                    lemma = piece if any(c.isdigit() for c in piece) else lemma  # an id of letters in both cases
                if kind == "boolean" or (kind == "name" and group in (_EXACT, _REST)):
                    kind = "name:1"
            found.append(Token(sort, lower, lemma, flags, begin, done, kind))
    return found


def _word(piece: str) -> tuple[int, str, str, int, str]:
    """Return sort, lower case, lemma, flags and kind of a word."""
    lower = piece.lower()
    lemma, flags = lemma_and_flags(lower)
    name = piece[0].isupper() and not flags & _CLOSED and not lower.endswith(_ADJECTIVAL)
    kind = "name:1" if name or ("-" in lower and not flags and not lower.endswith(_DESCRIBING)) else ""
    found = NAME if name else WORD, lower, lemma, flags, kind
    if not _opens(piece, lower) and piece not in _METHODS.split("|"):
        if len(_KNOWN) > 65536:
            _KNOWN.clear()
        _KNOWN[piece] = found
    return found


def _opens(piece: str, lower: str) -> bool:
    """Whether an amount may begin with a word: "May", but not "may"."""
    ambiguous = lower in _AMBIGUOUS and not (piece[0].isupper() and lower in MONTHS)
    return (lower in _OPENERS and not ambiguous) or lower.partition("-")[0] in _NUMBERS


_Amount = tuple[int, str, str]  # where it ends, its canonical value and its kind
_AFTER_NUMBER = re.compile(
    r"(?: (?P<scale>thousand|million|billion|hundred|dozen)\b)?"
    r"(?: ?(?:to|[–-]) ?(?P<high>[$€£]?\d[\d,.]*\d|\d))?"
    r"(?:[ \u00a0-]?(?P<unit>(?!(?:an?|per|each|every|and|or|to|of|in|on|at|for|is|are|as)\b)"
    r"[A-Za-z°µ²%/€$£]+(?:/[a-z]+)?)(?![\w(-]))?"
    r"(?P<more>(?:,? and |, | )\d+ ?[a-z]+\b)?"
    r"(?P<per> ?/ ?[a-z]+\b| per [a-z]+\b| an? [a-z]+\b"
    r"| (?:each|every) (?:second|minute|hour|day|night|week|month|year)\b)?"
)
_DAY = re.compile(
    r"(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? (?P<month>[A-Za-z]+)\b\.?(?:,? (?:19|20)\d\d\b)?"
    r"|[A-Za-z]+\.? \d{1,2}(?:st|nd|rd|th)?\b(?!:)(?:,? (?:19|20)\d\d\b)?|[A-Za-z]+ (?:19|20)\d\d\b"
)
_HOUR = re.compile(r",? (?:at )?(?:\d{1,2}:\d\d(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?|noon|midnight)(?!\w)")
_UNTIL = re.compile(r" ?(?:[–-]|to|until) ?(\d{1,2}:\d\d(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?)(?!\w)")
_IN = re.compile(r"\b(?:in|by|until|till|since|from|to|of|for) (?:early |mid |late )?\Z")
_RUN = re.compile(r"(?:[ -](?:and )?(?:[a-z]+)){0,5}")
_NUMBERS = {*NUMBERS, "hundred"} - {"zero"}
_OPENERS = {"noon", "midday", "midnight", *MONTHS, *WEEKDAYS}
_AMBIGUOUS = frozenset("may mar jan mon tue wed thu fri sat".split())


def _amount_of_words(text: str, start: int, end: int, word: str) -> _Amount | None:
    """Read an amount that begins with a word at a place: a month, a day, a number."""
    if word in MONTHS:
        match = _DAY.match(text, start)
        if match is None:  # "in June", but "June said"
            return (end, f"{MONTHS[word]:02}", "month") if _IN.search(text, max(start - 12, 0), start) else None
        return _dated(text, start, match.end())
    return _dated(text, start, end) if word in _OPENERS else _in_words(text, start, end)


def _amount_of_number(text: str, start: int, end: int, before: Token | None) -> _Amount:
    """Read a number with its unit, its currency or its noun, and what it is counted by; a name before it: a version."""
    piece = text[start:end]
    named = before is not None and before.sort == NAME
    if piece.isdigit() or piece[-2:] in ("st", "nd", "rd", "th"):
        day = _DAY.match(text, start)
        month = (day["month"] or "") if day is not None else ""
        dated = _dated(text, start, day.end()) if day is not None and month.lower() in MONTHS else None
        if dated is not None and (len(month) > 3 or month[0].isupper()):
            return dated
    match = _AFTER_NUMBER.match(text, end) if piece[-1].isdigit() or piece[-1] in "%km°" else None
    for stop in _stops(match) if match is not None and match.end() > end else ():
        value, kind = canonical_value(text[start:stop])
        if match and stop > end and kind not in NAMED and kind != "path" and _is_whole(match, kind, value, named):
            end = stop
            break
    else:
        value, kind = canonical_value(piece)
    if kind == "number" and "." in piece and before is not None and (named or before.lemma in ("version", "release")):
        value, kind = canonical_value(piece, "version")  # "Python 3.12"
    return end, value, "name:1" if kind in NAMED else kind


def _is_whole(match: re.Match[str], kind: str, value: str, named: bool) -> bool:
    """Whether what stands behind a number belongs to it: no noun that it only precedes, no "a" of something else."""
    if kind.startswith("count:"):
        return _is_counted((match["unit"] or "").lower(), value) and not named
    per = (match["per"] or "").split()
    return "rate:" not in kind or per[:1] not in (["a"], ["an"]) or per[1] in PERIODS


def _stops(match: re.Match[str]) -> list[int]:
    """Return where an amount may end, the farthest first."""
    found = [match.end()]
    found += [match.start(name) for name in ("per", "more") if match[name]]
    found += [match.end("unit"), match.start("unit") - 1] if match["unit"] else []
    return found + [match.end(name) for name in ("high", "scale") if match[name]]


def _dated(text: str, start: int, end: int) -> _Amount | None:
    """Read a day with the hour behind it, if there is one, and until when."""
    hour = _HOUR.match(text, end)
    end = end if hour is None else hour.end()
    value, kind = canonical_value(text[start:end])
    until = _UNTIL.match(text, end) if hour is not None else None
    if until is not None:
        end, value = until.end(), f"{value} to {canonical_value(until[1])[0]}"
    return None if kind in NAMED else (end, value, kind)


def _in_words(text: str, start: int, end: int) -> _Amount | None:
    """Read "three attempts" and "twenty-five minutes"; "one" alone may be a pronoun."""
    run = _RUN.match(text, end)
    words = text[start : run.end() if run is not None else end].split(" ")
    for count in range(min(len(words), 5), 0, -1):
        span = " ".join(words[:count])
        value, kind = canonical_value(span)
        if kind in NAMED or (kind.startswith("count:") and (" " in kind or not _is_counted(words[count - 1], value))):
            continue
        if kind == "number" and (value == "1" or text[start].isupper() or words[count : count + 1] in (["of"], ["or"])):
            return None
        return start + len(span), value, kind
    return None


def _is_counted(word: str, number: str) -> bool:
    """Whether a word is what a number counts: a plural, or a singular beside one."""
    flags = lemma_and_flags(word)[1]
    if flags & (Flag.PREP | Flag.SUB | Flag.AND | Flag.AUX | Flag.SKIP | Flag.PAST) or len(word) < 3:
        return False
    plural = (word.endswith("s") and not word.endswith("ss")) or word in ("people", "children", "staff", "feet")
    return plural == (number != "1")
