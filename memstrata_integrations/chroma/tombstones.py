"""Tombstones: what was purged and must not come back, recognised by digests of its id and its texts.

They lie in the metadata of the collection itself, so they go where it goes: to a server too, through reopening, repair
and export. As JSON they are blocks, one for each choice of scope fields: a salt, and for each document that was purged
the digest of its id and those of its texts. A digest is made of the values of these fields, too: what one tenant had
purged, another may write. It is a slow one (scrypt), and yet nothing that hides a text from who can guess it: whoever
has the collection can try texts one by one, as every write does.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from memstrata_integrations.chroma.clients import stored_metadata
from memstrata_integrations.chroma.fields import TOMBSTONES, user_metadata
from memstrata_integrations.chroma.lookup import Lookup, shown_id
from memstrata_integrations.chroma.plan import Item
from memstrata_integrations.chroma.scoping import names_scope, scope_of
from memstrata_integrations.chroma.state import SharedState
from memstrata_integrations.errors import InvalidInputError, SchemaVersionError, StorageError

_FORM = 1
_COST = {"n": 2**10, "r": 8, "p": 1}  # 1 MB and some 3 ms a digest: once they stand, every text and id pays it
_ATTEMPTS = 3

Block = dict[str, Any]
"""``salt``, the scope fields ``by``, and ``documents``: of each id's digest those of its texts."""


@dataclass(frozen=True)
class Tombstones:
    """All that bars texts from one collection."""

    blocks: Sequence[Block] = ()

    @classmethod
    def of(cls, metadata: Mapping[str, Any] | None) -> "Tombstones":
        """Read the metadata of a collection; `SchemaVersionError` if a newer version of this package wrote them."""
        told = json.loads((metadata or {}).get(TOMBSTONES) or "{}")
        if told.get("form", _FORM) > _FORM:
            raise SchemaVersionError(f"tombstones have form {told['form']}; upgrade memstrata-integrations")
        return cls(list(told.get("blocks", ())))

    def __bool__(self) -> bool:
        return bool(self.blocks)

    def __str__(self) -> str:
        return json.dumps({"form": _FORM, "blocks": self.blocks}, separators=(",", ":"))

    def and_those(self, others: "Tombstones") -> "Tombstones":
        """Return these and others."""
        blocks = {b["salt"]: b for b in self.blocks}
        for block in others.blocks:
            known = blocks.get(block["salt"], block)["documents"]
            blocks[block["salt"]] = {**block, "documents": {**known, **block["documents"]}}
        return Tombstones(list(blocks.values()))

    def barring(self, items: Sequence[Item]) -> list[str | None]:
        """Return for each text why it may not be written; `None` if it may."""
        if not (self.blocks and items):
            return [None] * len(items)
        barred = {b["salt"]: {t for texts in b["documents"].values() for t in texts} for b in self.blocks}

        def reason(item: Item) -> str | None:
            for block in self.blocks:
                if item.explicit and _digest(block, "id", item.effective, item.id) in block["documents"]:
                    return "a document of this id was purged, and its tombstone stands"
                texts, text = barred[block["salt"]], item.document
                if texts and text is not None and _digest(block, "text", item.effective, text) in texts:
                    return "a document of this text was purged, and its tombstone stands"
            return None

        with ThreadPoolExecutor() as pool:  # a digest holds nothing else up
            return list(pool.map(reason, items))


def _digest(block: Block, kind: str, metadata: Mapping[str, Any], text: str) -> str:
    said = json.dumps([kind, [value for _, value in scope_of(metadata, block["by"])], text]).encode()
    return hashlib.scrypt(said, salt=bytes.fromhex(block["salt"]), dklen=16, **_COST).hex()


def standing(collection: Any, state: SharedState) -> Tombstones:
    """Return what bars texts now; while no other process writes, it is read once."""
    held: Tombstones | None = state.tombstones
    if held is not None and state.exclusive:
        return held
    found = Tombstones.of(stored_metadata(collection))
    state.tombstones = found if state.exclusive else None
    return found


def lay(lookup: Lookup, ids: Sequence[str], gone: Sequence[str], scope: Mapping[str, Any], by: Sequence[str]) -> None:
    """Lay tombstones of documents that are about to be purged; run under the lock.

    And of ids that may be `gone` already: whose those were must be named in `scope`, with all fields that it goes `by`.
    """
    records = lookup.fetch([*ids, *lookup.archived_ids(ids)], ("documents",))
    rows = [(shown_id(r), r["document"], user_metadata(r["metadata"]) or {}) for r in records.values()]
    gone = list(set(gone) - {row_id for row_id, _, _ in rows})
    if gone and not all(names_scope(scope.get(name)) for name in by):
        raise InvalidInputError(
            f"id {gone[0]!r} is not stored, so nobody knows whose its tombstone would be; pass scope= for {tuple(by)!r}"
        )
    rows += [(row_id, None, dict(scope)) for row_id in gone]

    def laid(blocks: list[Block]) -> list[Block]:
        own = [b for b in blocks if b["by"] == [*by]]
        block: Block = own[0] if own else {"salt": secrets.token_hex(16), "by": [*by], "documents": {}}
        for row_id, text, metadata in rows:
            texts = block["documents"].setdefault(_digest(block, "id", metadata, row_id), [])
            if text is not None and (told := _digest(block, "text", metadata, text)) not in texts:
                texts.append(told)
        return blocks if own else [*blocks, block]

    _keep(lookup, laid)


def lift(lookup: Lookup, ids: Sequence[str], texts: Sequence[str], scope: Mapping[str, Any]) -> int:
    """Take tombstones away, and return how many; see `TemporalCollection.lift_tombstones`."""
    lifted: set[str] = set()

    def left(blocks: list[Block]) -> list[Block]:
        for block in blocks:
            own = {_digest(block, "id", scope, i) for i in ids} & block["documents"].keys()
            told = {_digest(block, "text", scope, t) for t in texts}
            lifted.update(own, *(told.intersection(held) for held in block["documents"].values()))
            kept = ((row_id, held) for row_id, held in block["documents"].items() if row_id not in own)
            block["documents"] = {row_id: [t for t in held if t not in told] for row_id, held in kept}
        return [b for b in blocks if b["documents"]]

    _keep(lookup, left)
    return len(lifted)


def _keep(lookup: Lookup, changed: Callable[[list[Block]], list[Block]]) -> None:
    """Change what is stored, and make sure that nobody else wrote over it; `StorageError` if others go on doing so."""
    collection, state = lookup.collection, lookup.state
    for _ in range(_ATTEMPTS):
        metadata = stored_metadata(collection)
        wanted = Tombstones(changed(list(Tombstones.of(metadata).blocks)))
        # its own `modify` refuses the metadata of a collection that has "hnsw:space" in it
        where = {"id": collection.id, "tenant": collection.tenant, "database": collection.database}
        collection._client._modify(**where, new_metadata={**metadata, TOMBSTONES: str(wanted)})
        state.tombstones = None
        if standing(collection, state) == wanted:
            return
    raise StorageError(f"others change the metadata of collection {collection.name!r} at the same time; call again")
