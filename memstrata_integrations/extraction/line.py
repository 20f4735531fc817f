"""A line of a text that is no sentence by itself: a field, a lone row or line of code, a note of a change."""

from __future__ import annotations

import re
from itertools import chain

from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.extraction.claims import Claim, without_dashes
from memstrata_integrations.extraction.headed_rows import headed_cores
from memstrata_integrations.extraction.lines_in_words import line_cores
from memstrata_integrations.extraction.readers import DESCRIBED, placed_claims
from memstrata_integrations.extraction.records import remarked_scope
from memstrata_integrations.extraction.sentence import sentence_claims
from memstrata_integrations.extraction.sentences.asides import is_aside, is_doubted, is_narrowing
from memstrata_integrations.extraction.sentences.code_lines import read_code_line
from memstrata_integrations.extraction.sentences.comparing import plain_value
from memstrata_integrations.extraction.sentences.lines import field_claim, pin_claim, read_field
from memstrata_integrations.extraction.sentences.pointing import comes_again, is_caption, numbers_a_record
from memstrata_integrations.extraction.sentences.retractions import takes_back
from memstrata_integrations.extraction.sentences.scoped import (
    noted_setting,
    scope_of,
)
from memstrata_integrations.extraction.statements import Statement, suppresses
from memstrata_integrations.relations import Vocabulary

__all__ = ["field_claims", "has_caption", "line_in_words", "lone_line", "noted_claims", "scoped_claims", "taken_back"]

_BOLD_LABEL = re.compile(
    r"\*\*(?P<label>[A-Za-z`][^*:\n]{1,40})(?::\*\*|\*\*:) "
    r"(?=(?:The|Our|An?|All|Each|Every|the|our|each|every|all) [^:]{12})"
)


def scoped_claims(text: str, statement: Statement, vocabulary: Vocabulary) -> list[Claim]:
    """Read a statement under a name: "pg-orders: max_connections = 250"."""
    scope = scope_of(text[statement.start : statement.end])
    if scope is None:
        return []
    rest = statement._replace(start=statement.start + scope.length)
    claims = field_claims(text, rest, None)
    if not claims and not scope.may_speak:
        claims = sentence_claims(text, rest, vocabulary)[0]
    return [c._replace(subject=f"{c.subject} {scope.said}") for c in claims]


def noted_claims(text: str, statement: Statement, vocabulary: Vocabulary) -> list[Claim]:
    """Read what stands under a name: a sentence, or a setting and its value: "cache-3: redis maxmemory 6gb"."""
    if text.startswith("**", statement.start) and (labelled := _labelled_claims(text, statement, vocabulary)):
        return labelled
    scope = scope_of(text[statement.start : statement.end])
    if scope is None:
        return []
    start = statement.start + scope.length
    noted = noted_setting(text[start : statement.end].rstrip(" .;"))
    if noted is None:
        return []
    return [noted._replace(subject=f"{noted.subject} {scope.said}", start=noted.start + start, end=noted.end + start)]


_SAID = re.compile(r"[A-Za-z][\w.+-]*")
_IN_BRACKETS = re.compile(r" \((?P<of>[A-Za-z][^()@/:]{1,40})\)\Z")


def _of_brackets(text: str, claim: Claim) -> Claim:
    """Let what stands in brackets behind a value in words belong to the key: "On-call: Sam (EU)"."""
    found = _IN_BRACKETS.search(text, claim.start, claim.end)
    words = text[claim.start : found.start()].split() if found is not None else []
    said = found is not None and found["of"].islower()  # "model: resnet50 (baseline)", but "eu-west-1 (Ireland)"
    if found is None or not all(w.isalpha() or (said and _SAID.fullmatch(w)) for w in words):
        return claim
    return claim._replace(subject=f"{claim.subject} of {found['of']}", end=found.start())


def _labelled_claims(text: str, statement: Statement, vocabulary: Vocabulary) -> list[Claim]:
    """Read a sentence behind a bold label: "- **Limits**: The gateway accepts 5 MB"; the label belongs to the key."""
    found = _BOLD_LABEL.match(text, statement.start, statement.end)
    if found is None or suppresses((found["label"],)) or is_caption(found["label"]):
        return []
    claims = sentence_claims(text, statement._replace(kind="sentence", start=found.end()), vocabulary)[0]
    return [c._replace(subject=f"{c.subject} in {found['label']}") for c in claims]


def line_in_words(text: str, vocabulary: Vocabulary) -> list[Claim]:
    """Read a line that stands alone as the first of the sentences that it may stand for."""
    field = read_field(text, 0, len(text)) if ":" in text else None
    if field is not None and comes_again(field.key.split(), text[field.start : field.end]):
        return []
    cores = chain(line_cores(text), headed_cores(text))
    claims = next((claims for core in cores if (claims := placed_claims(core, vocabulary))), [])
    first = text.partition(" ")[0].strip("|:,")
    if not claims or first != first.capitalize():
        return claims
    # "Pricing client: ..." may be of a client called Pricing, or of the pricing client
    lowered = [" ".join(w.lower() if w == first else w for w in c.subject.split()) for c in claims]
    others = zip(claims, lowered, strict=True)
    return claims + [
        c._replace(subject=said, narrative=True)
        for c, said in others
        if canonical_subject(said) != canonical_subject(c.subject)
    ]


def has_caption(text: str, statement: Statement) -> bool:
    """Whether a line is a field whose key counts within its text: "Figure 2: ..."."""
    field = read_field(text, statement.start, statement.end)
    return field is not None and is_caption(field.key)


def lone_line(text: str, statement: Statement) -> Claim | None:
    """Read a text that is one line of code or a note, unless it is the number of a record or taken back."""
    line = read_code_line(text)
    if line is None or taken_back(text, statement, None):
        return None
    key = text[: line.start].rstrip(" =:\"'")
    if numbers_a_record(line.subject) or numbers_a_record(key) or is_caption(key.strip()):
        return None
    return line


def taken_back(text: str, statement: Statement, following: Statement | None) -> bool:
    """Whether a comment behind a statement leaves open whether it holds."""
    if statement.kind not in ("sentence", "field"):
        return False
    if is_doubted(said := text[statement.start : statement.end]) and DESCRIBED not in said:
        return True
    if following is None or following.kind != "sentence":
        return False
    behind = text[following.start : following.end]
    return is_aside(behind) or is_narrowing(behind) or takes_back(behind)


def field_claims(text: str, statement: Statement, record: str | None) -> list[Claim]:
    """Return the claims of a field, under the name of its record."""
    field = read_field(text, statement.start, statement.end)
    if field is None:
        return []
    if statement.listed or field.key in ("uses", "image"):
        pinned = pin_claim(text, field.start, field.end) if field.key == "uses" else None
        if pinned is not None:
            return [pinned._replace(end=min(pinned.end, field.end))]
    claim = field_claim(text, field, statement.listed, bool(statement.headings))
    if claim is None or is_caption(field.key):
        return []
    if field.key.lower() == "image" and ":" in (image := text[claim.start : claim.end].strip("\"'")):
        claim = claim._replace(subject=f"{claim.subject} of {plain_value(image.rpartition(':')[0])}")
    claim = without_dashes(_of_brackets(text, claim))
    if scope := remarked_scope(text[field.end : statement.end]):
        claim = claim._replace(subject=f"{claim.subject} in {scope}")
    if record:
        # "PROJ-12" is one ticket everywhere, "12" is not
        own = any(c.isalpha() for w in record.split() for c in w if any(d.isdigit() for d in w))
        subject, rule = f"{claim.subject} of {record}", f"{claim.rule} of a record"
        claim = claim._replace(subject=subject, rule=rule, local=None if own else True)
    return [claim]
