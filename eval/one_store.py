"""Everything in one store: how many true texts the grammar retires that it should not.

All sentences of the odd halves of the pairs, the dialogues, and chunks of real documentation that is
installed with the dependencies go through the extractor and the ledger, in a fixed order, without dates and
without embeddings. Every text that was retired is printed, with what retired it and the rule. Those that a
pair says are superseded are counted apart; all others are to be judged by eye.

Without metadata all pairs share one source, so that two authors' bare "The port is 8000." are of one port, which no
real page would mix. ``--sources set`` gives each set of pairs a source of its own, ``--sources pair`` each pair.

Run ``python -m eval.one_store [--dialogues DIRECTORY] [--chunks 2000] [--sources none|set|pair]``.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib.metadata
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from eval.probe import ROOT, SETS, pairs, wilson
from memstrata_integrations import GrammarExtractor
from memstrata_integrations.facts import Extraction, FactKey
from memstrata_integrations.ledger import Ledger
from memstrata_integrations.rows import Incoming, RowFact, content_hash

_SMALLEST, _LARGEST = 500, 1000
_PROSE = (".md", ".rst", ".txt")


class Text(NamedTuple):
    """One text of the store.

    Attributes:
        source: What confines its local subjects, as its metadata would.
        replaces: The id of the text that it is said to supersede, or "".
    """

    id: str
    text: str
    source: str = ""
    replaces: str = ""


def of_pairs(half: str = "odd", sources: str = "none") -> Iterator[Text]:
    """Yield the sentences of the pairs, every first before its second.

    Args:
        half: Which pairs, see `eval.probe.HALVES`.
        sources: What shares a source: all pairs ("none"), those of one set ("set"), or one pair ("pair").
    """
    for name in SETS:
        for pair in pairs(name, half):
            first = f"{name}/{pair['id']}/1"
            meant = pair.get("supersedes", name == "plain_evolving")
            source = {"none": "", "set": name, "pair": f"{name}/{pair['id']}"}[sources]
            yield Text(first, pair["first"], source)
            yield Text(f"{name}/{pair['id']}/2", pair["second"], source, replaces=first if meant else "")


def of_dialogues(directory: Path) -> Iterator[Text]:
    """Yield the turns of the dialogues, with their speaker, as one memory of each conversation."""
    for path in sorted(directory.glob("*.json")):
        talk = json.loads(path.read_text(encoding="utf-8"))
        for key, turns in talk.items():
            if key.startswith("session_") and isinstance(turns, list):
                for turn in turns:
                    speaker = f"{path.stem}/{turn['speaker']}"
                    yield Text(f"{path.stem}/{turn['dia_id']}", turn["text"], source=speaker)


def of_documentation(count: int, seed: int = 0) -> Iterator[Text]:
    """Yield a fixed sample of chunks of the documentation that is installed here."""
    found: list[tuple[str, str]] = []
    for distribution in sorted(importlib.metadata.distributions(), key=lambda d: d.metadata["Name"] or ""):
        name = distribution.metadata["Name"]
        for file in sorted(distribution.files or (), key=str):
            path = Path(str(distribution.locate_file(file)))
            suffix = path.suffix.lower()
            if suffix not in (*_PROSE, ".py") and path.name != "METADATA":
                continue
            # a tenth of the files is plenty
            if suffix == ".py" and int(hashlib.sha256(f"{name}/{file}".encode()).hexdigest(), 16) % 10:
                continue
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            for n, piece in enumerate(_docstrings(text) if suffix == ".py" else [text]):
                found += [(f"{name}/{file}#{n}.{k}", c) for k, c in enumerate(_chunks(piece))]
    found = [f for f in found if sum(c.isalpha() for c in f[1]) > len(f[1]) / 2]
    for chunk_id, chunk in random.Random(seed).sample(found, min(count, len(found))):
        yield Text(chunk_id, chunk, source=chunk_id.partition("#")[0])


def _docstrings(code: str) -> Iterator[str]:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text and len(text) >= _SMALLEST:
                yield text


def _chunks(text: str) -> Iterator[str]:
    """Cut a text at its paragraphs into pieces of 500 to 1,000 characters."""
    piece = ""
    for paragraph in text.replace("\r\n", "\n").split("\n\n"):
        if piece and len(piece) + len(paragraph) > _LARGEST:
            if len(piece) >= _SMALLEST:
                yield piece[:_LARGEST]
            piece = ""
        piece = f"{piece}\n\n{paragraph}" if piece else paragraph
    if len(piece) >= _SMALLEST:
        yield piece[:_LARGEST]


def incoming(text: Text, extraction: Extraction, at: int) -> Incoming:
    """Return a text as the ledger takes it in; local subjects are confined to their source."""
    facts: dict[int, RowFact] = {}
    prose = extraction.prose
    for fact in extraction.facts:
        if fact.cardinality != "functional":
            prose = True
            continue
        scope = [("source", text.source)] if fact.local else []
        digest = FactKey.of(scope, fact.subject, fact.relation).digest()
        facts[digest] = RowFact(
            digest=digest,
            subject=fact.subject,
            relation=fact.relation,
            dimension=fact.dimension,
            object=fact.object,
            value=None if fact.object is None else fact.value,
            span=fact.span,
            rule=fact.rule,
            local=fact.local,
            narrative=fact.narrative,
        )
    return Incoming(text.id, content_hash(text.text), tuple(facts.values()), prose or not facts, recorded_at=at)


def run(texts: list[Text]) -> tuple[int, list[tuple[Text, Text, RowFact]], list[tuple[Text, Text, RowFact]]]:
    """Write all texts in order.

    Returns:
        How many texts were retired as a pair says; what was retired besides, each with what
        retired it; and the statements that were closed while their text stays.
    """
    ledger = Ledger(archive_id=lambda i: f"{i}#old")
    by_id = {t.id: t for t in texts}
    grammar = GrammarExtractor()
    meant = 0
    retired: list[tuple[Text, Text, RowFact]] = []
    closed: list[tuple[Text, Text, RowFact]] = []
    gone: set[str] = set()
    for n, (text, extraction) in enumerate(zip(texts, grammar.extract([t.text for t in texts]), strict=True)):
        before = len(ledger.closures)
        ledger.write(incoming(text, extraction, n + 1))
        for closure in ledger.closures[before:]:
            row = ledger.rows[closure.row_id]
            if closure.row_id in gone:
                continue
            if row.visible(n + 1):
                closed.append((by_id[closure.row_id], text, closure.fact))
                continue
            gone.add(closure.row_id)
            if text.replaces == closure.row_id:
                meant += 1
            else:
                retired.append((by_id[closure.row_id], text, closure.fact))
    return meant, retired, closed


def main() -> None:
    """Fill one store and print what it retired."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=Path, default=ROOT.parent / "shared" / "data" / "locomo")
    parser.add_argument("--chunks", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sources", choices=("none", "set", "pair"), default="none", help="what shares a source")
    arguments = parser.parse_args()
    parts = {
        "pairs": list(of_pairs(sources=arguments.sources)),
        "dialogues": list(of_dialogues(arguments.dialogues)) if arguments.dialogues.is_dir() else [],
        "documentation": list(of_documentation(arguments.chunks, arguments.seed)),
    }
    texts = [t for part in parts.values() for t in part]
    meant, retired, closed = run(texts)
    print(", ".join(f"{len(part)} texts of {name}" for name, part in parts.items()))
    print(f"retired as the pairs say: {meant}")
    for title, found in (("retired besides", retired), ("statements closed, their text kept", closed)):
        print(f"{title}: {wilson(len(found), len(texts))}")
        for old, new, fact in found:
            print(f"  {old.id} <- {new.id} | {fact.subject} | {fact.relation} | {fact.rule}")
            print(f"    - {old.text[fact.span[0] : fact.span[1]]!r}")
            place = new.text if len(new.text) < 200 else _statement(new.text, fact)
            print(f"    + {place!r}")


def _statement(text: str, fact: RowFact) -> str:
    [extraction] = GrammarExtractor().extract([text])
    for new in extraction.facts:
        if (new.subject, new.relation, new.dimension) == (fact.subject, fact.relation, fact.dimension):
            return text[new.span[0] : new.span[1]]
    return text[:200]


if __name__ == "__main__":
    main()
