"""Every option of a store, once: both doors and the collection take them, and they are checked here."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal, get_args

from typing_extensions import TypedDict

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.changes import Changes
from memstrata_integrations.ledger.facts import Extractor, Fact, require_extractor
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.ledger.time import Instant, system_clock

PREFIX = "memstrata_"
"""What the metadata keys begin with that are reserved for the ledger."""
Stale = Literal["redact", "annotate", "drop", "keep"]
"""What readers get of a text of which some statements are not valid."""
RankRedacted = Literal["served", "original"]
"""Where such a text stands: where what is left of it belongs, or where it stood as it was written."""
FactTemplate = str | Callable[[Fact], str]
"""How a fact without a statement is stored: "{subject}: {relation} = {value}", or what returns a sentence for it."""

STALE: tuple[Stale, ...] = get_args(Stale)

_CHOICES: dict[str, tuple[Any, ...]] = {
    "on_delete": ("purge", "retire"),
    "stale": STALE,
    "rank_redacted": get_args(RankRedacted),
    "progress": (None, True, False),
}

_LONE = re.compile("[\ud800-\udfff]")  # half a character, which no store can keep


class OptionFields(TypedDict, total=False):
    """The keywords by which options are given; what each means stands in `Options`."""

    extractor: Extractor | Literal["grammar"] | None
    scope: Sequence[str]
    policy: SupersessionPolicy | None
    valid_from_field: str | None
    valid_to_field: str | None
    on_delete: Literal["purge", "retire"]
    show_validity: bool
    stale: Stale
    rank_redacted: RankRedacted
    key_fields: Sequence[str]
    value_field: str | None
    fact_template: FactTemplate | None
    compact_share: float | None
    clock: Callable[[], int | datetime | float]
    on_change: Callable[[Changes], None] | None
    progress: bool | None


class ReadFields(TypedDict, total=False):
    """The keywords of every read.

    Attributes:
        as_of: Valid time that is asked about; by default now.
        known_at: Answer what a reader at this time was answered.
        include_superseded: Return what is not valid, too, and all as it was written.
        scope: Values of the scope fields, AND-ed to the filter.
        stale: What to do with texts of which some statements are not valid, instead of the store's own.
    """

    as_of: Instant | None
    known_at: Instant | None
    include_superseded: bool
    scope: Mapping[str, Any] | None
    stale: Stale | None


class WriteFields(TypedDict, total=False):
    """The keywords of every write.

    Attributes:
        valid_from: From when the texts hold: one instant, or one for each. By default the metadata field
            `valid_from_field`, else the moment of writing for facts, always for prose.
        valid_to: Until when, exclusive; by default open.
        facts: What the texts state, where you know it: for one text a `Fact` or a list of them, else an entry (a
            `Fact`, a list, or `None`) for each. What they cover is not read by the extractor.
        supersedes: Ids of documents whose place the texts take, whatever they say, to the end of their own time;
            shaped like `facts`.
    """

    valid_from: Any
    valid_to: Any
    facts: Any
    supersedes: Any


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a store can be told besides what its framework takes.

    Attributes:
        extractor: Reads facts in texts; the grammar by default, `None` for versions of documents, stated facts and
            records only.
        scope: Metadata fields that separate facts (user, project, environment); every write and read must name them,
            by text, a whole number or a truth value.
        policy: What may supersede what.
        valid_from_field, valid_to_field: Metadata fields that date a text if no keyword does.
        on_delete: ``"purge"`` removes rows for good; ``"retire"`` ends them and keeps their history.
        show_validity: Add ``memstrata_valid_from``, ``_valid_to``, ``_recorded_at`` and ``_superseded_by`` (ISO 8601,
            UTC) to the metadata that is returned.
        stale: What readers get of a text of which some statements are not valid: ``"redact"`` takes them out,
            ``"annotate"`` marks them with what replaced them and when, ``"drop"`` leaves out the whole text,
            ``"keep"`` returns it as it was written.
        rank_redacted: Where a text stands of which statements were taken out: ``"served"``, where the rest of it
            belongs, which is embedded when a search first meets it; ``"original"``, where it stood as written.
        key_fields, value_field: Metadata fields that are the key of a row, exactly, and its value: of two rows with
            one key the later takes the place of the earlier. Without a value field, a row is its own value.
        fact_template: How a fact that is added without a statement is stored: text with ``{subject}``, ``{relation}``
            and ``{value}``, or what returns a sentence for a `Fact`.
        compact_share: Compact by itself, see `compact`: when a thousand rows were retired, and more than this share of
            all rows is over (0.9: nine of ten). Never on a server; off by default.
        clock: Returns the time, in µs since the epoch (or a `datetime`).
        on_change: Called with the `Changes` of each acknowledged write; what it raises reaches the caller, and the
            write stands.
        progress: Show a progress bar on a terminal while a write of more than a thousand texts is embedded; `None`: in
            the main thread only.

    Raises:
        InvalidInputError: For an option that cannot be used; it says which one, and why.
    """

    extractor: Any = "grammar"
    scope: tuple[str, ...] = ()
    policy: SupersessionPolicy = field(default_factory=SupersessionPolicy)
    valid_from_field: str | None = None
    valid_to_field: str | None = None
    on_delete: Literal["purge", "retire"] = "purge"
    show_validity: bool = False
    stale: Stale = "redact"
    rank_redacted: RankRedacted = "served"
    key_fields: tuple[str, ...] = ()
    value_field: str | None = None
    fact_template: FactTemplate | None = None
    compact_share: float | None = None
    clock: Callable[[], int | datetime | float] = system_clock
    on_change: Callable[[Changes], None] | None = None
    progress: bool | None = None

    @classmethod
    def of(cls, owner: str, given: Mapping[str, Any], others: Iterable[str] = ()) -> "Options":
        """Read the keywords of an owner, which is named in messages, as is what else it takes."""
        names = [f.name for f in fields(cls)]
        refuse_unknown(owner, given, [*names, *others], names)
        unset = ("policy", "scope", "key_fields")
        read = {name: value for name, value in given.items() if value is not None or name not in unset}
        for name in ("scope", "key_fields"):
            one = read.get(name, ())
            if isinstance(one, str) or not isinstance(one, Iterable):
                raise InvalidInputError(f"{name}={one!r} is one thing; give a tuple of metadata fields, ({one!r},)")
            read[name] = tuple(one)
        return cls(**read)

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if (given := getattr(self, name)) not in choices:
                raise InvalidInputError(f"{name}={given!r} is neither {' nor '.join(map(repr, choices))}")
        if not isinstance(self.policy, SupersessionPolicy):
            raise InvalidInputError(f"policy={self.policy!r} is no SupersessionPolicy")
        for name in ("clock", "on_change"):
            if (call := getattr(self, name)) is not None and not callable(call):
                raise InvalidInputError(f"{name}={call!r} cannot be called")
        for name, named in (("scope", self.scope), ("key_fields", self.key_fields)):
            if not all(isinstance(k, str) and k for k in named):
                raise InvalidInputError(f'{name}={named!r}; give a tuple of metadata fields: ("service", "setting")')
        for name in ("valid_from_field", "valid_to_field", "value_field"):
            if getattr(self, name) is not None:
                read_field(name, getattr(self, name))
        if self.fact_template is not None and not (isinstance(self.fact_template, str) or callable(self.fact_template)):
            raise InvalidInputError(
                f"fact_template={self.fact_template!r}; give text with {{subject}}, {{relation}} and {{value}}, or a "
                "function that takes a Fact and returns a sentence"
            )
        share = self.compact_share
        if share is not None and (isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share < 1):
            raise InvalidInputError(f"compact_share={share!r} is no share of rows; give a number such as 0.9, or None")
        if self.value_field is not None and not self.key_fields:
            told = f"value_field={self.value_field!r} names the value of rows with a key"
            raise InvalidInputError(f"{told}; give key_fields= too")
        if self.extractor is not None and self.extractor != "grammar":
            require_extractor(self.extractor)


def read_field(name: str, value: Any) -> str:
    """Return the name of a metadata field, if metadata of a user can have it; else raise `InvalidInputError`."""
    if not isinstance(value, str) or not value or value.startswith(PREFIX) or _LONE.search(value):
        told = f"keys that start with {PREFIX!r} are reserved"
        raise InvalidInputError(f"{name}={value!r} is no metadata field of yours; {told}")
    return value


def refuse_unknown(owner: str, given: Iterable[str], known: Iterable[str], taken: Iterable[str] = ()) -> None:
    """Refuse all keywords but those that are `taken`, with an `InvalidInputError` that names the nearest known one."""
    for name in (n for n in given if n not in taken):
        near = get_close_matches(str(name).lower(), list(known), n=1, cutoff=0.6)
        meant = f"; did you mean {near[0]}=?" if near else f"; it takes {', '.join(known)}"
        raise InvalidInputError(f"{owner} has no argument {name}={meant}")
