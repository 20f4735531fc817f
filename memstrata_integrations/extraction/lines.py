"""Lines: settings, pins and rows of tables to facts."""

import re
from dataclasses import replace
from typing import NamedTuple

from memstrata_integrations.extraction import phrases
from memstrata_integrations.extraction.clauses import find_link
from memstrata_integrations.extraction.relations import Relation, Vocabulary, attribute
from memstrata_integrations.extraction.statements import Statement, is_line
from memstrata_integrations.extraction.tokens import EXACT, MARK, NAME, QUANTITY, WORD, tokenize
from memstrata_integrations.extraction.values import NAMED, canonical_value, is_placeholder
from memstrata_integrations.extraction.words import Flag, lemma_and_flags
from memstrata_integrations.ledger.facts import Confinement, KeyedFact


class _Held(NamedTuple):
    """The value of a line or a cell."""

    start: int  # in the text
    end: int
    canonical: str
    kind: str
    rest: str = ""  # what else is said of it, which belongs to the key


_LABELS = frozenset(
    """note notes example examples warning warn error info debug trace fatal fixed added removed changed deprecated
security former possible potential fix feat docs chore refactor perf tip caution important todo fixme see q a question
answer ps nb hint usage returns raises args version re fwd from to table figure""".split()
)
_LISTED = frozenset("allowed known supported accepted valid".split())
_BARRED = Flag.AUX | Flag.HEDGE | Flag.EARLIER | Flag.SEVERAL
_JOINS = frozenset((",", ";", "/", "->", "→", "+", "|", "&"))
_INNER = re.compile(r"([A-Za-z][\w.-]*) ?= ?(?=[^\s=])")  # "pool: size=3"
_LONGEST = 5  # words of a value that is none by its kind
_SEVERAL = "it may have several such values"
_NOTHING = "no single value"


def read_line(text: str, statement: Statement, vocabulary: Vocabulary) -> KeyedFact | str:
    """Return the fact of a ``KEY: value`` line or a pin, or why there is none."""
    found = is_line(text[statement.start : statement.end])
    if found is None:
        return "no setting"
    if found["value"].endswith("!"):
        return "an exclamation"  # of a speaker: "Jon: Thanks!"
    pin = found["sep"] not in (":", "=", ":=", "=>", " ")
    key, held_at = found["key"].strip("*_ \"'`"), found.start("value")
    if not pin and (inner := _INNER.match(found["value"])) is not None:
        key, held_at = f"{key} {inner[1]}", held_at + inner.end()
    head = tokenize(key)
    if head and (head[0].kind.startswith("count:") or key.lower().endswith("-by")):
        return _SEVERAL  # "One reviewer of the proposal", "Signed-off-by"
    label = not head or not _LABELS.isdisjoint((head[0].lower, head[-1].lower)) or head[0].flags & (Flag.ASK | Flag.NOT)
    if label or (len(head) > 1 and any(t.flags & _BARRED and not t.flags & Flag.OWNER for t in head)):
        return "a label, and no setting"
    joins = Flag.SUB | Flag.REL | Flag.AND
    if found["sep"] == "=" and any(t.flags & joins and not t.flags & Flag.PREP for t in head):
        return "a condition, and no setting"  # "WHERE state = 'open'"
    option = any(t.sort == EXACT and t.lower.startswith("--") for t in head)
    argument = found["sep"] == "=" and found["value"].endswith(",")  # "name=x," of some call
    if option or argument or key.count("(") > key.count(")") or any(h.startswith("[[") for h in statement.headings):
        return "a command, code, or an item of a list"
    verb = lemma_and_flags(head[0].lower.partition("_")[0])[1]
    if not verb & Flag.COMMON and (len(head) == 1 or head[1].flags & Flag.PREP):
        instructs = len(head) > 2 and head[1].lemma not in ("of", "for") and verb & Flag.BASE
        if instructs or verb & (Flag.MANY | Flag.S_FORM) == Flag.MANY | Flag.S_FORM:
            return _SEVERAL  # "depends_on for X", "Save to my list"
    subject = phrases.read_phrase(head, key)
    bullet = text[max(statement.start - 2, 0) : statement.start] in ("- ", "* ")
    listed = bullet and len(head) == 1 and key.isalpha() and key.islower()
    if not subject.core or (listed and not statement.headings):
        return "a fragment of a list"
    begin, end = (statement.start + at for at in (held_at, found.end("value")))
    rest = " ".join(phrases.canonical_words(tokenize(found["rest"] or ""))) if pin else ""
    pinned = _Held(begin, end, *canonical_value(text[begin:end], "version"), rest) if pin else None
    held = pinned or _value(text, begin, end)
    if isinstance(held, str):
        return held
    noun = phrases.head_of(head)
    many = noun is not None and "_" not in noun.lower and (phrases.is_plural(noun) or noun.flags & Flag.AMONG)
    if held.kind in (*NAMED, "url", "host", "email") and (many or head[0].lower in _LISTED):
        return _SEVERAL
    if not pin and len(head) == 1 and held.kind in (*NAMED, "path", "url", "host", "boolean", "endpoint"):
        held = held._replace(kind="setting")
    owned = subject.named and subject.owned > 0  # "Owner of Teal: Ann"
    subject, relation = (subject, "is pinned to") if pin else attribute(subject, vocabulary, held.kind)
    subject = subject._replace(core=(vocabulary.named(" ".join(subject.core)),))
    named = any(n and phrases.is_name(head, n, key) for n in range(len(head)))
    told = _fact(text, statement, key, subject, relation, held, "pin" if pin else "line", named=named)
    return replace(told, confined="") if owned and isinstance(told, KeyedFact) else told


def _value(text: str, begin: int, end: int) -> _Held | str:
    """Return the value of a line or a cell, or why it is no single value."""
    written = text[begin:end]
    if written[:1] in "[{|>&*!" or written.endswith(("\\", "(", "[", "{", "?")):
        return _NOTHING
    tokens = tokenize(written)
    while tokens and tokens[-1].lower in (".", ",", ";", "`", ")" if "(" not in written else "."):
        tokens = tokens[:-1]
    if not tokens or is_placeholder(tokens[0].lower):
        return _NOTHING
    first, size = tokens[0], 1
    called = first.sort == EXACT and ("(" in first.lower or (first.lower[0] == "`" and " " in first.lower))
    if called or any(t.lower == "=" for t in tokens):
        return "code"
    if len(tokens) > 1 and first.flags & Flag.BASE and not first.flags & Flag.COMMON:
        return "prose"  # "Reminder for Ann: return the books"
    if first.sort not in (QUANTITY, EXACT):
        size = max(phrases.name_end(tokens, 0), 1)
        stops = Flag.PREP | Flag.AND | Flag.REL
        while size < len(tokens) and tokens[size].sort in (WORD, NAME) and not tokens[size].flags & stops:
            size += 1
        if size > _LONGEST or find_link(tokens) is not None:
            return "prose"
    rest = tokens[size:]
    if rest and (rest[0].lower in _JOINS or not (rest[0].sort == MARK or rest[0].flags & Flag.PREP)):
        return _NOTHING
    stop = tokens[size - 1].end
    whole = size == 1 and first.sort in (QUANTITY, EXACT)
    canonical, kind = (first.lemma, first.kind) if whole else canonical_value(written[first.start : stop])
    return _Held(begin + first.start, begin + stop, canonical, kind, " ".join(phrases.canonical_words(rest)))


def _fact(
    text: str, statement: Statement, shown: str, subject: phrases.Phrase, relation: Relation | str, held: _Held,
    rule: str, *, named: bool,
) -> KeyedFact | str:  # fmt: skip
    if isinstance(relation, Relation) and relation.cardinality != "functional":
        return _SEVERAL
    name = relation.name if isinstance(relation, Relation) else relation
    key = subject.key_with([held.rest] if held.rest else [])
    if statement.headings and (not named or rule == "row"):  # a row is one of its table
        key = f"{key} § {' / '.join(statement.headings).casefold()}"
    confined: Confinement = "bare" if not named or rule == "line" else "" if rule == "pin" else "described"
    value, span = text[held.start : held.end], (statement.start, statement.end)
    return KeyedFact(shown, name, value, (key, name), held.canonical, held.kind, span, rule, confined=confined)


def read_row(text: str, statement: Statement, vocabulary: Vocabulary, *, several: bool) -> list[KeyedFact]:
    """Return the facts of a row of a table: what its first cell names has the values of the others.

    Of more than two cells all others are in the key of each, since nothing says which columns name the thing:
    "| Ibuprofen | adults | 400 mg |" and "| Ibuprofen | children | 100 mg |" are two facts.
    `several`: other rows of the same shape stand beside it, so that columns can be told by their place without a head.
    """
    cells = _cells(text, statement)
    header = statement.header
    thing = text[slice(*cells[0])].strip("*_` ") if cells else ""
    about = tokenize(thing)
    holder = phrases.read_phrase(about, thing)
    wide = len(cells) > 1 and len(header) in (0, len(cells))
    if not (wide and holder.core) or len(about) > 8 or about[0].sort == QUANTITY:
        return []
    named = any(t.sort == EXACT or (n and phrases.is_name(about, n, thing)) for n, t in enumerate(about))
    if header and header[0]:  # "| Rack A | unit |" is the head of what is in rack A
        statement = statement._replace(headings=(*statement.headings, header[0]))
    held = {n: _value(text, b, e) for n, (b, e) in enumerate(cells) if n and e > b}
    typed = [n for n, v in held.items() if isinstance(v, _Held) and v.kind not in NAMED]
    facts = []
    for n, value in held.items():
        if isinstance(value, str) or not (header or len(cells) == 2 or several or typed == [n]):
            continue
        label = header[n] if header else ""
        column = phrases.read_phrase([] if label.lower() in ("value", "setting") else tokenize(label), label)
        told = list(column.core)
        if not header and several:  # a column without its head is told by its place, in its own source
            told, named = [f"column {n + 1} of {len(cells)}"], False
        beside = [t for k, (b, e) in enumerate(cells) if k not in (0, n) for t in tokenize(text[b:e])]
        core = (*holder.core, *phrases.canonical_words(beside))
        qualifiers = tuple(sorted((*holder.qualifiers, *column.qualifiers)))  # "RAM in use" is not "RAM"
        whole = holder._replace(core=(*core, *told), owned=len(core), qualifiers=qualifiers)
        subject, relation = attribute(whole, vocabulary, value.kind)
        if value.kind not in NAMED or relation != "is" or not told or told[-1] in vocabulary.worded:
            shown = f"{thing} {label}".strip()
            found = _fact(text, statement, shown, subject, relation, value, "row", named=named)
            facts += [found] if isinstance(found, KeyedFact) else []
    return facts


def _cells(text: str, statement: Statement) -> list[tuple[int, int]]:
    """Return where the cells of a row stand."""
    found, pos = [], statement.start
    body = text[statement.start : statement.end]
    for part in re.split(r"(?<!\\)\|", body):
        begin = pos + len(part) - len(part.lstrip())
        found.append((begin, begin + len(part.strip())))
        pos += len(part) + 1
    return found[body.startswith("|") : len(found) - body.endswith("|")]
