"""How many of the updates that the grammar does not link `suspects()` lists.

Run ``python -m eval.probes.suspected --author ha --author hb --author hc``: all of the authors' earlier texts are told
to one store and then all later ones, embedded by MiniLM (or what `default_embeddings` finds).
"""

import argparse
from collections import Counter

import chromadb

from eval.pairs import Row, read
from eval.probe import superseded_by
from eval.statistics import rate
from memstrata_integrations import GrammarExtractor, TemporalCollection, default_embeddings

_KINDS = ("value_only", "reworded", "assistant", "lookalike")


def listed(rows: list[Row], *, wide: bool) -> tuple[int, set[str]]:
    """Return how many pairs are listed in all, and the ids of the rows whose two texts are one of them."""
    client = chromadb.EphemeralClient()
    name = f"suspected-{wide}"
    store = TemporalCollection(client.get_or_create_collection(name, embedding_function=None))
    embeddings = default_embeddings()
    for which, day in (("first", "2024-01-01"), ("second", "2024-06-01")):
        texts = [row[which] for row in rows]
        store.write(
            texts,
            ids=[f"{row['id']} {which}" for row in rows],
            embeddings=embeddings.embed_documents(texts),
            metadatas=[{"source": row["id"]} for row in rows],
            valid_from=day,
        )
    found = store.suspects(k=len(rows) ** 2, look_at=2 * len(rows), wide=wide)
    client.delete_collection(name)
    return len(found), {p.old.split()[0] for p in found if p.old.split()[0] == p.new.split()[0]}


def main() -> None:
    """Print the rates of both ways to list."""
    parser = argparse.ArgumentParser(prog="python -m eval.probes.suspected", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--author", action="append", required=True, help="whose pairs; may be given several times")
    authors = parser.parse_args().author
    rows = [row for author in authors for row in read(_KINDS, author=author)]
    reads = GrammarExtractor().extract
    left = [row for row in rows if not superseded_by(*reads([row["first"], row["second"]]))]
    asked = Counter(row["kind"] if row["supersedes"] else "no update" for row in left)
    for wide in (False, True):
        total, own = listed(rows, wide=wide)
        print(f"\nsuspects({'wide=True' if wide else ''}): {total} pairs listed of {len(rows)} later texts")
        for kind, count in asked.items():
            hits = sum(row["id"] in own for row in left if kind == (row["kind"] if row["supersedes"] else "no update"))
            print(f"  {kind:<12} listed, of what the grammar does not link: {rate(hits, count)}")


if __name__ == "__main__":
    main()
