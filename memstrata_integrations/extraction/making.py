"""From a claim to a fact: the key in canonical form, the value in the dimension of its slot."""

from __future__ import annotations

import re
from itertools import pairwise

from memstrata_integrations.canonical import canonical_subject, content_words, is_identifier
from memstrata_integrations.extraction.aliases import Aliases
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.alternations import in_one_frame
from memstrata_integrations.extraction.sentences.attribute_nouns import one_attribute
from memstrata_integrations.extraction.sentences.attributes import attributed
from memstrata_integrations.extraction.sentences.comparing import (
    class_of,
    full_name,
    is_brand,
    plain_value,
    sort_of,
)
from memstrata_integrations.extraction.sentences.doers import one_doer
from memstrata_integrations.extraction.sentences.entities import first_person, names_entity
from memstrata_integrations.extraction.sentences.equated import equated
from memstrata_integrations.extraction.sentences.folding import folded
from memstrata_integrations.extraction.sentences.happenings import one_moment
from memstrata_integrations.extraction.sentences.hedges import in_its_case
from memstrata_integrations.extraction.sentences.lexicon import (
    ARTEFACTS,
    DEMONYMS,
    DURATION_NOUNS,
    ENTITY_NOUNS,
    EVENTS,
    GENERIC,
    MEASURES,
    PREPOSITIONS,
    THINGS,
    VERSION_NOUNS,
)
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.of_speaker import OF_MY_PARENT, names_parent
from memstrata_integrations.extraction.sentences.plain_nouns import GRADED, NAMED, ONE_OF_A_KIND
from memstrata_integrations.extraction.sentences.plain_words import in_plain_words
from memstrata_integrations.extraction.sentences.role_words import code_of
from memstrata_integrations.extraction.sentences.setting_names import in_words, may_name
from memstrata_integrations.extraction.sentences.spellings import one_form
from memstrata_integrations.extraction.sentences.states import STATE, state_of
from memstrata_integrations.extraction.sentences.value_tails import end_of_value
from memstrata_integrations.extraction.sentences.value_words import (
    is_class,
    is_doer,
    is_manner,
    is_nation,
    says_how,
    says_something,
)
from memstrata_integrations.extraction.sentences.verbs import BASES
from memstrata_integrations.extraction.sentences.weak import SIDE_BY_SIDE
from memstrata_integrations.extraction.statements import Statement
from memstrata_integrations.facts import Fact
from memstrata_integrations.names import firm
from memstrata_integrations.values import canonical_value, number_part
from memstrata_integrations.words import singular, word_set

__all__ = ["fact_of_claim"]

# "Invoices are paid within 14 days": by whoever says so
_NAMED_VERSION = re.compile(r"[A-Za-z][A-Za-z+#]*(?: [A-Za-z][A-Za-z+#]*)?[ -]?v?(\d+(?:\.\d+)*)")
_OF_MANY = re.compile(r"[A-Z][a-z]+s (?:are|have) ")
_QUOTES = ("`", "'", '"')
_TRIM = "\"'`.,()"
# Whose values are things by their names, also in plain words: "the old mill"
_TITLES = word_set(
    "branch post title role job position rank style mode type strategy policy algorithm venue destination mascot "
    "emblem symbol color favorite flower bird animal tree capital winner champion opponent prize rendezvous headliner "
    "point landmark exit entrance soup dish dessert flavor best-selling bestselling top-selling hint"
)
_COMPLETED = (NAMED | frozenset(ONE_OF_A_KIND)) - word_set("password passphrase passcode codeword codename username")
_OF_FORMS = frozenset(("text", "name", "address", "words", "where", "place"))
_MARKS = frozenset(":/@#_")  # no plain word has one
_OF_WORDS = frozenset(("text", "name", "address", "identifier", "setting", "words"))
# `read_timeout=30s`, `"react": "^18.3.1"`; no address, no time of day
_INNER = re.compile(
    r"(?:[`\"'](?P<quoted>[\w@/.-]+)[`\"']\s*[:=]\s*|(?P<plain>[A-Za-z][\w.-]*)\s*=\s*)(?P<value>[^\s=]+)\Z"
)
# Kinds of values that may have swallowed what stands behind them: "bash as root"
_OPEN_KINDS = word_set("text name surname words address place code identifier version setting where endpoint count") | {
    "full name"
}
_ARTICLES = (" a ", " an ", "the ", " my ", " our ", " his ", " her ")
_RATES_OF_CALLS = ("rate:request/", "rate:call/", "rate:time/")
_PLURAL_VERBS = ("are ", "get ", "have ", "go ", "do ", "may ", "can ", "must ", "expire ", "time ", "last ", "need ")
_PLURAL_ACTS = word_set("pay need use get take live meet earn receive stay leave expire")  # none of them is a noun
_COMMON = BASES | GENERIC | ENTITY_NOUNS | ARTEFACTS | THINGS | MEASURES | EVENTS
_NEWLY = re.compile(r"(?:(?<=['’]s )|(?<=s['’] ))new (?=\S)")
_DATING = word_set("day days date time hours")
_FRONTING = word_set(
    "In On At For Within During Under Via With Without Outside Inside Behind Above Below Beyond Over Per Across "
    "Throughout Near Among"
)
_NEAR = 16  # characters before a value, the preposition among them
_ROUNDED = ("million", "billion", "thousand")
_SWITCHED = word_set("on off true false enabled disabled yes no")
# "My bedtime is 8": a time of day
_CLOCKED = word_set(
    "bedtime curfew lunchtime dinnertime naptime teatime mealtime alarm kick-off kickoff wake-up reveille"
)
_AGES = ("duration", "months", "number")
_OF_PACKAGES = frozenset(("is pinned to", "has version"))
_PROTOCOL = re.compile(r"\b(TCP|UDP|SCTP) (?:port )?[`]?\Z", re.IGNORECASE)


def _with_protocol(text: str, claim: Claim) -> Claim:
    """Put the protocol of a port into the key: one listens on a UDP port beside a TCP port."""
    spoken = _PROTOCOL.search(text, max(0, claim.start - 12), max(0, claim.start))
    return claim if spoken is None else claim._replace(subject=f"{claim.subject} {spoken[1]}")


def fact_of_claim(text: str, statement: Statement, claim: Claim, aliases: Aliases | None = None) -> Fact:
    """Make a fact of a claim: its key in canonical form, its value in the dimension of its slot.

    Args:
        text: The whole text.
        statement: The statement that makes the claim, with what stands above it.
        claim: What a rule has read.
        aliases: Other names of subjects.
    """
    claim = _of_inner_name(text, statement, claim)
    if not claim.rule.startswith("llm"):
        claim = _without_scope(text, claim)
    read_as = claim.relation.name
    if read_as == "listens on":
        claim = _with_protocol(text, claim)
    in_sentence, of_model = statement.kind == "sentence", claim.rule.startswith("llm")
    claim = in_its_case(text, claim, field=statement.kind == "field")
    named, bare = claim.subject, claim.subject
    spelt = None
    if may_name(bare):
        spelt = in_words(bare, switched=text[max(0, claim.start) : claim.end].lower() in _SWITCHED)
    if spelt is not None:
        bare = spelt.subject
        unspelt = None if claim.expected == "setting" else claim.expected
        claim = claim._replace(subject=bare, expected=f"in {spelt.unit}" if spelt.unit else unspelt)
    plain = bare if of_model or statement.kind == "row" else in_plain_words(bare)
    if statement.kind == "field":
        bare = _NEWLY.sub("", plain if " " in plain else bare)
    opener = ""  # the word that opens a sentence
    if in_sentence:
        opener, _, behind = text[statement.start : statement.end].partition(" ")
        bare = _agreeing_opener(plain, opener, behind)
        if bare[:1].isupper() and not bare.startswith("The "):
            bare = _acting_opener(_plural_opener(bare))
        bare = _unfronted(bare) if ", " in bare else bare
    subject = _with_surroundings(bare, statement) if statement.parents or statement.headings else bare
    stands = claim.expected is not None and claim.expected.startswith(STATE)
    # a record is told apart by its own name of the attribute
    if claim.relation.name == "is" and claim.start >= 0 and not stands and not claim.rule.endswith("of a record"):
        claim = folded(
            claim._replace(subject=subject) if subject != claim.subject else claim,
            text[claim.start : claim.end],
            text[claim.start - 1 : claim.start] in _QUOTES,
        )
    elif subject != claim.subject:
        claim = claim._replace(subject=subject)
    if not of_model and claim.start >= 0 and (in_sentence or (" " in bare and not statement.parents)):
        written, expected = text[claim.start : claim.end], claim.expected
        dimension = canonical_value(written, expected)[1]
        claim = attributed(one_doer(one_moment(one_attribute(claim, dimension), dimension), written), dimension)
        if claim.expected != expected:
            expected = claim.expected
            dimension = canonical_value(written, expected)[1]
        claim = in_one_frame(claim, written, dimension)
        awaited = claim.expected
        if awaited is None and written[-1:] == "m":  # "10m" of a lifetime
            awaited = _expected(claim.subject, canonical_subject(claim.subject), claim.relation.name)
        claim = equated(claim, written, dimension if awaited == expected else canonical_value(written, awaited)[1])
    elif claim.start >= 0 and in_sentence:  # of a model, whose words are those of the sentence
        written = text[claim.start : claim.end]
        claim = equated(claim, written, canonical_value(written, claim.expected)[1])
    subject = claim.subject
    plain = _common_opener(subject, opener) if in_sentence else subject
    if "my " in plain or "My " in plain:
        plain = OF_MY_PARENT.sub("", plain)
    canonical = canonical_subject(aliases.resolve(plain) if aliases else plain)
    span = claim.clause or (statement.start, statement.end)
    if claim.start >= 0 and not (span[0] <= claim.start and claim.end <= span[1]):
        span = (statement.start, statement.end)  # the value stands in the clause before
    relation = claim.relation.name
    local = claim.local
    if local is None:
        local = not _is_global(named, relation, statement) or (
            not statement.headings and _OF_MANY.match(text, statement.start) is not None
        )
    if claim.start < 0:
        return Fact(canonical, relation, None, "", "none", span, claim.rule, "functional", local, True)
    written = text[claim.start : claim.end]
    head = canonical.rpartition(" ")[2]
    expected = claim.expected or _expected(bare, canonical, relation)
    if claim.expected is not None and claim.expected.startswith(SIDE_BY_SIDE):
        # all plain ones have one value: none of them replaces another
        value = " ".join(written.split()).casefold() if claim.narrative else "*"
        return Fact(
            canonical, relation, written, value, claim.expected, span, claim.rule, "functional", local, claim.narrative
        )
    if stands and claim.expected is not None:
        value = state_of(written, claim.expected)
        return Fact(
            canonical,
            relation,
            written,
            value,
            claim.expected,
            span,
            claim.rule,
            "functional",
            local,
            claim.narrative,
        )
    quoted = text[claim.start - 1 : claim.start] in _QUOTES
    value, dimension = canonical_value(written, "pin" if relation == "is pinned to" else expected)
    if relation == "is pinned to" and expected is not None and expected.startswith("stage "):
        dimension = f"{dimension}: {expected}"
    if relation == "is" and dimension == "number" and expected is None:
        if code_of(bare.split()) == "code":
            value, dimension = canonical_value(written, "code")
        elif head in _CLOCKED:
            value, dimension = canonical_value(written, "hour")
    elif relation == "is" and dimension == "length" and head not in MEASURES:
        dimension = f"length: {written.split()[-1].lower()}"  # a rope of 60 metres is 10 millimetres thick
    if dimension.startswith(_RATES_OF_CALLS):  # "60 per minute" are as many requests
        dimension = f"rate:/{dimension.partition('/')[2]}"
    if relation == "runs every" and dimension in ("duration", "months"):
        value, dimension = canonical_value(written, "period")
    if relation == "has in number":
        value, dimension = canonical_value(f"{number_part(written)} things")[0], "number"
    if relation == "has version" and (release := _NAMED_VERSION.fullmatch(written)) is not None:
        value, dimension = canonical_value(release[1], "version")  # the Python version is "Python 3.11"
    # perhaps the one lies in the other, unless it is S3
    if relation == "lives in" and dimension == "place" and not is_identifier(written):
        return Fact(
            canonical,
            relation,
            written,
            value if claim.changed else "*",
            dimension,
            span,
            claim.rule,
            "functional",
            local,
            claim.changed,
        )
    free = relation in ("is", "defaults to") or claim.relation.slot == "free"
    if free and claim.expected != "name" and dimension in ("name", "identifier"):
        dimension, value = "text", value.casefold()  # a licence is "MIT" or "Apache-2.0"
    if free and dimension in ("text", "name"):
        titled = spelt is not None or not _TITLES.isdisjoint(canonical.split()) or claim.rule == "the one"
        titled = titled or quoted or claim.rule.startswith(("copular", "labelled: defaults")) or head in GRADED
        describes = says_how if head in _COMPLETED else says_something
        # "hunter2" is a password, "case sensitive" says something of it
        if is_manner(written) or (not titled and _MARKS.isdisjoint(written) and describes(written)):
            dimension = "words"
    if written.endswith(" old") and not dimension.startswith(_AGES):
        dimension = "age in words"
    if dimension == "text" and relation != "is" and value in DEMONYMS:
        if claim.rule.startswith(("plain", "at a spot", "single")):
            dimension = "text: language"  # what is held in English may be held in Berlin
    elif dimension == "full name":
        value = full_name(value)
    elif dimension in ("number", "count:inhabitant", "count:person") and written.endswith(_ROUNDED):
        dimension = f"{dimension}: rounded"  # "8.3 million" says no other than 8,336,817
    housed = dimension == "address" and (relation == "lives at" or head == "address")  # "Lindenallee 14" is no release
    if dimension in _OF_WORDS and not quoted and not housed:
        done = "is located at" if "stored" in claim.rule else read_as if read_as == "is done thus" else relation
        sort = "doer" if relation == "is sorted by" and is_doer(written, text[: claim.start]) else None
        if done != "is done thus" or "deployed" in claim.rule:
            value = plain_value(value)
            sort = sort or (None if is_brand(written) else sort_of(value, done, _before(text, claim)))
        sort = sort or class_of(value, relation)
        dimension = f"{dimension}: {sort}" if sort is not None else dimension
    if dimension in ("text", "name", "full name") and is_class(written, text[max(0, claim.start - 4) : claim.start]):
        dimension = "text: a kind"  # "Its namesake is Ada", "Its namesake is a physicist"
    elif dimension in ("text", "name") and is_nation(written, head):
        dimension = "text: nationality"
    if dimension.partition(":")[0] in _OF_FORMS:
        value = one_form(firm(written) or value if dimension == "text" else value)
    return Fact(
        canonical,
        relation,
        written,
        value,
        dimension,
        span,
        claim.rule,
        claim.relation.cardinality,
        local,
        claim.narrative,
    )


def _without_scope(text: str, claim: Claim) -> Claim:
    """Let what a value may have swallowed, of where, when or for whom it holds, belong to the key."""
    written = text[claim.start : claim.end] if claim.start >= 0 else ""
    if " " not in written or text[claim.start - 1 : claim.start] in _QUOTES:
        return claim
    expected = claim.expected or _expected(claim.subject, canonical_subject(claim.subject), claim.relation.name)
    sort = canonical_value(written, expected)[1].partition(":")[0]
    if sort not in _OPEN_KINDS and claim.relation.name != "does of late":
        return claim
    # "the mill beyond the river", "Mill Lane 3 in Graz"
    described = sort == "address" or text[max(0, claim.start - 5) : claim.start].endswith(_ARTICLES)
    end = end_of_value(written, described=described)
    if end == len(written) or (sort == "setting" and " " in written[:end]):
        return claim
    return claim._replace(subject=claim.subject + written[end:], end=claim.start + end)


def _before(text: str, claim: Claim) -> str:
    """Return the word before a value, and before its article."""
    words = text[max(0, claim.start - _NEAR) : claim.start].lower().removesuffix("the ").split()
    return words[-1] if words else ""


def _of_inner_name(text: str, statement: Statement, claim: Claim) -> Claim:
    """Let the name within a value belong to the key: "teal: read_timeout=30s" sets read_timeout, and no other."""
    if claim.start < 0:
        return claim
    start, end = claim.start, claim.end
    written = text[start:end]
    if "=" not in written and ":" not in written:
        return claim
    if text[start - 1 : start] in _QUOTES and start:  # the value may begin inside of the name's quotes
        start -= 1
    inner = _INNER.match(text, start, end)
    if inner is None or (inner["plain"] and statement.kind == "sentence"):  # "is set to a=1" sets the whole of it
        return claim
    begins, ends = inner.span("value")
    if ends - begins > 2 and text[begins] in _QUOTES and text[ends - 1] == text[begins]:
        begins, ends = begins + 1, ends - 1
    return claim._replace(subject=f"{claim.subject} {inner['quoted'] or inner['plain']}", start=begins, end=ends)


def _common_opener(subject: str, first: str) -> str:
    """Return a subject with the word that opens its sentence in lower case where that is a word of the language."""
    if first not in subject:
        return subject
    lower = first.lower()
    if lower not in _COMMON or first != lower.capitalize():
        return subject
    return " ".join(lower if w == first else w for w in subject.split(" "))


def _agreeing_opener(subject: str, first: str, rest: str) -> str:
    """Return a subject with the word that opens its sentence in lower case where "are" shows it to be a plural."""
    if not (first[-1:] == "s" and first[:1].isupper() and first in subject):
        return subject
    behind = rest.removeprefix("now ").partition(" ")[0]
    if not rest.startswith(_PLURAL_VERBS) and behind not in PREPOSITIONS and behind not in _PLURAL_ACTS:
        return subject
    lower = first.lower()
    common = first.isalpha() and first[1:].islower() and singular(lower) != lower
    own = (first, f"{first}'s", f"{first}'")
    return " ".join(lower + w[len(first) :] if w in own else w for w in subject.split(" ")) if common else subject


def _plural_opener(subject: str) -> str:
    """Return a subject with its first word in lower case where that is a plural, and no name: "Uploads to Teal"."""
    first, _, rest = subject.partition(" ")
    lower = first.lower()
    common = first[:1].isupper() and first.isalpha() and first[1:].islower() and singular(lower) != lower
    return f"{lower} {rest}" if common and rest.split(" ", 1)[0] in PREPOSITIONS else subject


def _acting_opener(subject: str) -> str:
    """Return a subject with its first word in lower case where that names an act: "Collection day for the bins"."""
    first, _, rest = subject.partition(" ")
    lower = first.lower()
    common = first[:1].isupper() and first.isalpha() and first[1:].islower() and act_of_noun(lower) is not None
    behind = rest.split(" ", 1)[0]
    return f"{lower} {rest}" if common and (behind in PREPOSITIONS or behind in _DATING) else subject


def _unfronted(subject: str) -> str:
    """Return a subject with what stands in front of it behind it: "In winter, closing time at the museum"."""
    front, comma, rest = subject.partition(", ")
    if not comma or front.split(" ", 1)[0] not in _FRONTING or "," in rest or not rest:
        return subject
    return f"{rest} {front[0].lower()}{front[1:]}"


def _with_surroundings(subject: str, statement: Statement) -> str:
    above = (*reversed(statement.parents), *reversed(statement.headings))
    words = content_words(subject)
    for heading in above:
        if not content_words(heading) <= words:
            subject += f" of {heading}"
    return subject


def _is_global(bare: str, relation: str, statement: Statement) -> bool:
    if first_person(bare) or names_parent(bare):
        return False
    if statement.headings and any(names_entity(h, title=True) for h in statement.headings):
        return True
    if statement.kind == "sentence":
        # a name of a package stands without article, capital or underscore
        return names_entity(bare) or (relation in _OF_PACKAGES and bare.isalpha() and bare.lower() not in GENERIC)
    if statement.kind == "field":
        linked = any(w in ("of", "for") or w.endswith(("'s", "’s")) for w in bare.split())
        return linked and len(bare.split()) > 1 and names_entity(bare)
    return False


def _expected(bare: str, canonical: str, relation: str) -> str | None:
    """Return the dimension that the subject of "is" decides, if it does."""
    if relation not in ("is", "defaults to"):
        return None
    if " " not in canonical:
        upper = canonical.upper()
        if is_identifier(canonical) or any(w.strip(_TRIM) == upper for w in bare.split()):
            return "setting"
    for before, word in pairwise(bare.split()) if "/" in bare or "." in bare else ():
        if before.lower() == "in" and is_identifier(word) and ("/" in word or "." in word):
            return "setting"
    head = canonical.rpartition(" ")[2]
    if "_" in head:  # "the summarizer's max_tokens" holds what a line "max_tokens = ..." would
        return "setting"
    if head in VERSION_NOUNS:
        return "version"
    if head in DURATION_NOUNS:
        return "duration"
    return "endpoint" if head in ("endpoint", "route") else None
