"""Tokens: the words, names, quantities and marks of a statement, each with what it may be."""

from __future__ import annotations

import re
from typing import NamedTuple

from memstrata_integrations.extraction.amounts import amount_of_number, amount_of_words, may_open_amount
from memstrata_integrations.extraction.values import canonical_value
from memstrata_integrations.extraction.words import Flag, lemma_and_flags

__all__ = ["EXACT", "MARK", "NAME", "QUANTITY", "WORD", "Token", "tokenize"]

WORD, NAME, QUANTITY, EXACT, MARK = range(5)
"""Sorts of tokens: a word; a name (capital); a measure, date or version; code, path or identifier; punctuation."""


class Token(NamedTuple):
    """A piece of a statement."""

    sort: int  # `WORD`, `NAME`, `QUANTITY`, `EXACT` or `MARK`
    lower: str
    lemma: str  # its base form, which enters keys; of a quantity or exact token its canonical value
    flags: int  # what the word may be, see `words.Flag`
    start: int
    end: int
    kind: str = ""  # of what can be a value, its kind


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
    |(?P<exact>
        [A-Za-z][A-Za-z0-9+.-]*://[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?]
        |[\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+
        |(?:~|\.{{1,2}})?/[\w{{}}<:*%@$.-][^\s,;"'`)]*[^\s,;.:!?"'`)]|(?:~|\.{{1,2}})?/(?=[\w{{])\w+
        |[A-Za-z]:\\[^\s,;]*
        |(?:[\w.{{}}@*$-]{{1,80}}/)+[\w.{{}}*-]*[\w}}*](?::\d[\w.-]*\w|:\d)?
        |--?[A-Za-z][\w-]*(?==|[\s,.;:)]|\Z)
        |[#@]\w[\w/-]*\w|\d+-(?:0\d+|\d{{3,}})(?![\d-]|\s?[A-Za-z%])
        |\w{{1,80}}(?:\.\w+){{0,9}}\([^()\s]{{0,60}}\)|\w{{1,80}}(?:\.\w+){{0,9}}\((?:\w+(?::\s?\w+)?(?:,\s?\w+(?::\s?\w+)?)*)?\)
        |[A-Za-z_$][\w$]{{0,80}}(?:(?:::|->)[\w$]+)+
        |[A-Za-z][\w.-]{{0,80}}:\d[\w.-]*\w(?!:)|[A-Za-z][\w.-]{{0,80}}:\d(?!\w)|[a-z][\w.-]{{0,80}}:[A-Za-z_][\w.-]*\w
        |(?=[\w-]{{0,60}}[A-Za-z])(?=[\w.-]{{0,60}}[\d_.])
         (?!\d+(?:\.\d+)?-?[A-Za-z°µ%]{{1,4}}\b|\d+-[a-z]+\b|\d+(?:st|nd|rd|th|am|pm)\b|v?\d+(?:\.\d+)+)
         [A-Za-z_\d$][\w$]*(?:[.-][\w$]+)*
        |[A-Z][A-Za-z]*[-+][A-Za-z\d+]*\d[\w+-]*
     )
    |(?P<number>
        \d{{1,2}}:\d\d\ ?[–-]\ ?\d{{1,2}}:\d\d|(?<!from\ )\d{{1,2}}:\d\d\ to\ \d{{1,2}}:\d\d
        |\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{4}}
        |\d{{1,2}}\ o['’]clock
        |\d{{1,2}}:\d\d(?::\d\d)?(?:\ ?[ap]\.?m\b\.?)?|\d{{1,2}}(?:\.\d\d)?\ ?[ap]\.?m\b\.?(?!\w)
        |\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+|/\d+)?
        |(?:[<>=~!^]=?=?|==)\s?v?\d[\w.*+-]*(?<![.-])(?:\s?,\s?[<>=~!]=?\s?[\d.]+[\w.]*)*|v\d+(?:\.\d+)*[\w+-]*
        |\d+(?:\.\d+){{2,}}(?:[-+.]?\w[\w.-]*\w)?|\d+(?:\.\d+){{0,5}}-?(?:rc|beta|alpha|dev)\d*
        |(?<![\w.])\+?\(?\d{{2,5}}\)?(?:[ -]\d{{2,5}}){{1,5}}(?![\w-]|\.\d|:\d)
        |[$€£¥]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|m|bn|thousand|million|billion)\b)?
        |0x[\da-fA-F_]+
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
    """sensitive only based free safe wide time proof able ible ed ing like ready friendly level end term side
source party house hand sized oriented specific aware agnostic critical fast slow long short old high low deep less
ful ous al ly ic date line up out in off back way day hour year class scale grade duty call site person power cost
risk priority""".split()
)
_ADJECTIVAL = ("-based", "-only", "-like", "-free", "-ready", "-friendly")  # "US-based" is no name
_CLOSED = (
    Flag.DET | Flag.OWNER | Flag.PRONOUN | Flag.SPEAKER | Flag.PREP | Flag.AND | Flag.SUB | Flag.REL | Flag.FINITE
    | Flag.NOT | Flag.ASK | Flag.HEDGE | Flag.SKIP | Flag.SEVERAL | Flag.LATER | Flag.EARLIER
)  # fmt: skip
_KNOWN: dict[str, tuple[int, str, str, int, str, bool]] = {}


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a statement, in order; emphasis is left out.

    Example:
        >>> [(t.lower, t.kind) for t in tokenize("The API listens on port 8080 for 30 seconds.")][-4:]
        [('8080', 'number'), ('for', ''), ('30 seconds', 'duration'), ('.', '')]
    """
    found: list[Token] = []
    done = 0  # what an amount has taken already
    make = tuple.__new__  # faster than Token(...)
    for match in _TOKEN.finditer(text):
        group = match.lastindex or _MARK
        piece = match[group]
        end = match.end()
        start = end - len(piece)
        if start < done:
            continue
        if group == _WORD:
            sort, lower, lemma, flags, kind, opens = _KNOWN.get(piece) or _word(piece)
            if opens and (amount := amount_of_words(text, start, end, lower)) is not None:
                done, value, kind = amount
                found.append(Token(QUANTITY, text[start:done].lower(), value, 0, start, done, kind))
            else:
                found.append(make(Token, (sort, lower, lemma, flags, start, end, kind)))
        elif group == _MARK:
            found.append(make(Token, (MARK, piece, piece, 0, start, end, "")))
        elif group == _NUMBER:
            previous = found[-1] if found else None
            named = previous is not None and previous.sort == NAME
            done, value, kind = amount_of_number(text, start, end, previous.lemma if previous else "", named=named)
            sort = EXACT if kind in ("host", "path", "name:1") else QUANTITY
            found.append(Token(sort, text[start:done].lower(), value, 0, start, done, kind))
        elif group == _SHORT:
            lower = piece.lower().replace("’", "'")
            lemma, flags = lemma_and_flags(lower)
            if lower in ("'", "'s") and not (found and found[-1].flags & (Flag.PRONOUN | Flag.REL | Flag.ASK)):
                flags = Flag.OWNER
            found.append(Token(WORD, lower, lemma, flags, start, end))
        elif group != _STRONG:
            value, kind = canonical_value(piece)
            if kind == "boolean" or (kind == "name" and group in (_EXACT, _REST)):
                kind = "name:1"
            found.append(Token(EXACT, piece.lower(), value, 0, start, end, kind))
    return found


def _word(piece: str) -> tuple[int, str, str, int, str, bool]:
    """Return sort, lower case, lemma, flags and kind of a word, and whether an amount may begin with it."""
    lower = piece.lower()
    lemma, flags = lemma_and_flags(lower)
    name = piece[0].isupper() and not flags & _CLOSED and not lower.endswith(_ADJECTIVAL)
    kind = "name:1" if name or ("-" in lower and not flags and not lower.endswith(_DESCRIBING)) else ""
    if len(_KNOWN) > 65536:
        _KNOWN.clear()
    found = NAME if name else WORD, lower, lemma, flags, kind, may_open_amount(piece)
    _KNOWN[piece] = found
    return found
