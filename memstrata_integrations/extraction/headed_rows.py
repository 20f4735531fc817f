"""A table of one row under its head: "| Room | Capacity |" over "| Juniper | 8 |".

The row says "the capacity of the Juniper room is 8": its first cell names a thing of the kind that the head of its
column names, the other one is what that thing has. A table of many rows is read with its page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memstrata_integrations.extraction.sentences.lexicon import (
    CONFIG_NOUNS,
    FIELD_NOUNS,
    MANY_ROLES,
    MEASURES,
    PERSON_ROLES,
    WORD_ROLES,
)
from memstrata_integrations.extraction.sentences.pointing import one_of_several
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.extraction.sentences.wording import Core
from memstrata_integrations.extraction.tables import names_things
from memstrata_integrations.words import word_set

__all__ = ["headed_cores"]

_LONGEST = 400
_TABLE = re.compile(
    r"\|(?P<kind>[^|\n]+)\|(?P<what>[^|\n]+)\| *\n\|[ :|-]*-[ :|-]*\| *\n\|(?P<name>[^|\n]+)\|(?P<value>[^|\n]+)\|\s*\Z"
)
# Things of these kinds are named with their kind: "the Juniper room", and no "the Veskia country"
_KINDS = word_set(
    "room hall team line street floor building gate ward class trail bridge tunnel office branch site plan tier course "
    "road bus ferry school hotel park pool museum library house tower lift pump server cluster queue topic endpoint "
    "table column job service route shop store club group desk region zone account field track stadium arena theatre"
)
_PERSONS = PERSON_ROLES | word_set("name user employee customer member patient student child guest player artist who")
_ATTRIBUTES = (
    FIELD_NOUNS | CONFIG_NOUNS | MEASURES | WORD_ROLES | (PERSON_ROLES - MANY_ROLES) | word_set(
        "currency capital price fee fare warranty firmware colour color plan tier supplier provider vendor carrier "
        "operator venue landlord phone email address hours population seat company contact language"
    )
) - word_set("score rank grade result latency uptime average date time id status amount total count")  # fmt: skip


def headed_cores(text: str) -> Iterator[Core]:
    r"""Yield the sentence that a table of one row stands for; its places are those of the text.

    Example:
        >>> [c.text for c in headed_cores("| Room | Capacity |\n|---|---|\n| Juniper | 8 |")]
        ['The capacity of the Juniper room is 8']
    """
    table = _TABLE.match(text.strip("\n")) if text[:1] == "|" and len(text) < _LONGEST else None
    if table is None:
        return
    kind, what, name = (table[part].strip(" *`") for part in ("kind", "what", "name"))
    head = what.lower().split()[-1] if what else ""
    if not kind or not name or head not in _ATTRIBUTES or is_plural(head) or not names_things([kind, what]):
        return
    last = kind.lower().split()[-1]
    if last in _PERSONS or one_of_several(kind, what):
        return  # of whom there may be others of that name
    with_kind = last in _KINDS and last not in name.lower().split() and name[:1].isupper()
    whose = f"the {name} {kind.lower()}" if with_kind else name
    said = what.lower() if what[1:].islower() else what
    core = f"The {said} of {whose} is "
    start, value = table.start("value"), table["value"]
    start += len(value) - len(value.lstrip())
    bare = value.strip()
    yield Core(core + bare, (*[-1] * len(core), *range(start, start + len(bare))), 0, False, "")
