"""What may supersede what: cardinalities, authority, quarantine, and the guard against mass retirement."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from memstrata_integrations.errors import ConflictError, InvalidInputError
from memstrata_integrations.ledger.facts import Cardinality, KeyedFact
from memstrata_integrations.ledger.time import format_time

_CARDINALITIES = ("functional", "set", "unknown")


@dataclass(frozen=True)
class SupersessionPolicy:
    """Which facts supersede.

    Attributes:
        cardinalities: Relations, named as people say them ("mirrors", "author of", "was founded by"), to
            ``"functional"``, ``"set"`` or ``"unknown"``; goes before the built-in table. Only functional ones
            supersede.
        unknown: What holds of relations that neither this policy nor the table has: ``"typed"``, a number, a date, a
            version or a path supersedes in the same words; ``"functional"``, every relation has one value at a time,
            as in curated facts.
        one_world: All sources speak of one world: a description ("the CEO", "the refund window") means the same in
            all of them. Off, it is confined to its source. The first person, bare nouns like "port" and lone
            ``KEY: value`` lines stay confined even then.
        authority: The metadata field that holds a text's authority (a whole number, the higher prevails), or a
            callable from metadata to it. All equal by default.
        authority_settles: What a higher authority prevails in: ``"conflicts"``, a source of lower authority never
            retires what a higher one said, and what it says against it is not served but listed by ``conflicts()``;
            ``"ties"``, only between two assertions with one ``valid_from``.
        quarantine: Called with a fact and its row's metadata; when true, the fact asserts
            nothing and its statement stays as prose.
        max_retired: Refuse a write that would retire more rows than this: rows that would be served
            no more, and undated texts of the write that a later one of it outdoes at once. Not
            counted are rows that lose a statement and keep others, new versions under known ids, and deletions.
        max_retired_share: Refuse a write that would retire more than this share (0 to 1) of
            the rows that are served and those to be written.
        max_retired_an_hour: Refuse a write by which a source would have ended more statements of other documents
            within an hour than this, as far as this process knows; a source is what `source`, `file_path`, `url`,
            `path`, `file_name`, `title`, `user_id` and `session_id` say.
        max_ahead: Refuse a write that begins later than this after the moment of writing.

    Example:
        >>> SupersessionPolicy(cardinalities={"mirrors": "functional"}, max_retired=100).max_retired
        100
    """

    cardinalities: Mapping[str, Cardinality] = field(default_factory=dict)
    unknown: Literal["typed", "functional"] = "typed"
    one_world: bool = False
    authority: str | Callable[[Mapping[str, Any]], int] | None = None
    authority_settles: Literal["conflicts", "ties"] = "conflicts"
    quarantine: Callable[[KeyedFact, Mapping[str, Any]], bool] | None = None
    max_retired: int | None = None
    max_retired_share: float | None = None
    max_retired_an_hour: int | None = None
    max_ahead: timedelta | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.cardinalities, Mapping) or not all(isinstance(r, str) for r in self.cardinalities):
            raise InvalidInputError(
                f'cardinalities={self.cardinalities!r} must map relations to cardinalities: {{"mirrors": "functional"}}'
            )
        for relation, cardinality in self.cardinalities.items():
            if cardinality not in _CARDINALITIES:
                raise InvalidInputError(
                    f"cardinalities[{relation!r}]={cardinality!r} is none of {', '.join(_CARDINALITIES)}"
                )
            if not relation.strip():
                raise InvalidInputError(f"cardinalities[{relation!r}] names no relation")
        if self.unknown not in ("typed", "functional"):
            raise InvalidInputError(f"unknown={self.unknown!r} is neither 'typed' nor 'functional'")
        if self.authority_settles not in ("conflicts", "ties"):
            raise InvalidInputError(f"authority_settles={self.authority_settles!r} is neither 'conflicts' nor 'ties'")
        if not isinstance(self.one_world, bool):
            raise InvalidInputError(f"one_world={self.one_world!r} is neither True nor False")
        for name in ("max_retired", "max_retired_an_hour"):
            limit = getattr(self, name)
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 0):
                raise InvalidInputError(
                    f"{name}={limit!r} must be a whole number of rows, 0 or more, or None for no limit"
                )
        if self.max_ahead is not None and (not isinstance(self.max_ahead, timedelta) or self.max_ahead < timedelta(0)):
            raise InvalidInputError(f"max_ahead={self.max_ahead!r} must be a timedelta, or None for no limit")
        share = self.max_retired_share
        if share is not None and (
            isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1
        ):
            raise InvalidInputError(
                f"max_retired_share={share!r} must be a number between 0 and 1 (0.1 for 10 %), or None for no limit"
            )

    def asserts(self, fact: KeyedFact, metadata: Mapping[str, Any]) -> bool:
        """Whether a fact takes part in supersession at all."""
        read = {} if fact.stated else self.cardinalities  # each of several values that are stated has a key of its own
        if read.get(fact.key[1], read.get(fact.relation, fact.cardinality)) != "functional":
            return False
        return self.quarantine is None or not self.quarantine(fact, metadata)

    def confines(self, fact: KeyedFact) -> bool:
        """Whether a fact is kept apart from those of other sources."""
        return fact.confined == "bare" or (fact.confined == "described" and not self.one_world)

    def authority_of(self, metadata: Mapping[str, Any]) -> int:
        """Return the authority of a text, a whole number, 0 if its metadata names none."""
        if self.authority is None:
            return 0
        found = self.authority(metadata) if callable(self.authority) else metadata.get(self.authority, 0)
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not math.isfinite(found) or found % 1:
            raise InvalidInputError(f"authority {found!r} is not a whole number")
        return int(found)

    @property
    def ranks_sources(self) -> bool:
        """Whether a source of lower authority never retires what a higher one said."""
        return self.authority is not None and self.authority_settles == "conflicts"

    @property
    def guarded(self) -> bool:
        """Whether any limit on retirement is set."""
        return self.max_retired is not None or self.max_retired_share is not None

    def check_dates(self, starts: Iterable[int | None], now: int) -> None:
        """Refuse a write of which one of `starts` is later than `max_ahead` after `now`; times in µs."""
        if self.max_ahead is None:
            return
        latest = max((s for s in starts if s is not None), default=now)
        if latest > now + self.max_ahead // timedelta(microseconds=1):
            raise ConflictError(
                f"this write would begin at {format_time(latest)}, later than max_ahead={self.max_ahead} from now; "
                "nothing was written"
            )

    def check(self, retired: int, total: int, report: str) -> None:
        """Refuse a write, told in `report`, that retires more rows of a total than a limit allows."""
        limit = self.max_retired
        if limit is not None and retired > limit:
            raise ConflictError(
                f"this write would retire {retired} rows, more than max_retired={limit}; nothing was written. "
                f"Look at plan(...), or raise the limit.\n{report}",
                report=report,
            )
        share = self.max_retired_share
        if share is not None and total and retired / total > share:
            raise ConflictError(
                f"this write would retire {retired} of {total} rows, more than max_retired_share={share}; "
                f"nothing was written. Look at plan(...), or raise the limit.\n{report}",
                report=report,
            )
