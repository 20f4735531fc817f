"""The command `memstrata`."""

import argparse
import json
import logging
import os
import sys
from collections.abc import Sequence
from typing import Any

from memstrata_integrations import __version__
from memstrata_integrations.errors import InvalidInputError, MemstrataError

__all__ = ["main"]

_EMBEDDINGS = ("minilm", "ollama", "lexical")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, and return its status: 1 if something is missing or fails, 2 for what cannot be used."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command == "demo" and arguments.limit is not None and arguments.jsonl is None:
        parser.error("--limit goes with --jsonl: it takes that many records of the file")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a character shows '?'
    try:
        _COMMANDS[arguments.command](arguments)
        sys.stdout.flush()
    except MemstrataError as error:
        print(f"memstrata: {error}", file=sys.stderr)
        return 2 if isinstance(error, InvalidInputError) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # `| head`: nobody reads on, and that is fine
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="memstrata", description="Retrieval memory that knows time.")
    parser.add_argument("--version", action="version", version=f"memstrata-integrations {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser(
        "demo",
        help="ask stock Chroma and TemporalVectorStore the same questions, side by side",
        description="Writes dated facts into stock Chroma and into TemporalVectorStore, and asks both the same "
        "questions. Needs no network. With --jsonl it does so for every fact of a file and counts the stale answers.",
    )
    demo.add_argument(
        "--jsonl",
        metavar="FILE",
        help="records, one JSON object a line: subject, relation, object (null: it ended), commit_date or date",
    )
    demo.add_argument("--k", type=_positive, default=5, metavar="N", help="documents per answer (default: 5)")
    demo.add_argument("--limit", type=_positive, metavar="N", help="only the first N records of --jsonl")
    repair = commands.add_parser(
        "repair",
        help="rebuild the vector index of a Chroma directory that a killed process left damaged",
        description="Tries to open a collection. If that fails, moves its vector index into a directory beside it, "
        "with a copy of the database, and deletes nothing. Texts whose vectors are missing are embedded again, with "
        "the embeddings the collection was made with; for others than these call memstrata_integrations.repair() "
        "from Python. A repair that was interrupted goes on where it stopped. No process may have the directory open.",
    )
    repair.add_argument("path", metavar="PATH", help="the Chroma directory")
    audit = commands.add_parser(
        "audit",
        help="tell each retirement: which row, which source, which rule, when",
        description="Prints a line for each statement that lost validity, in order of the writes that closed it; it is "
        "derived from the stored ledger. Nothing is changed.",
    )
    audit.add_argument("--since", metavar="TIME", help="only what was recorded from then on, ISO 8601")
    audit.add_argument("--until", metavar="TIME", help="only what was recorded before then")
    audit.add_argument("--jsonl", metavar="FILE", help="write JSON lines into FILE instead ('-': to standard output)")
    export = commands.add_parser(
        "export",
        help="write a collection with its whole history into one file",
        description="Writes all rows, superseded ones and earlier versions included, as JSON lines with a checksum; "
        "`memstrata import` makes the collection again. Nothing is changed.",
    )
    export.add_argument("--to", required=True, metavar="FILE", help="the file; compressed if it ends in .gz")
    export.add_argument(
        "--vectors",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="with vectors (default), or without: then the import makes them again",
    )
    for command in (audit, export):
        command.add_argument("path", metavar="PATH", help="the Chroma directory, or http://host:port of a server")
    importing = commands.add_parser(
        "import",
        help="make a collection from a file of `memstrata export`",
        description="Checks the file as a whole, then makes the collection, wholly or not at all: an import that was "
        "interrupted is run again. After it every read answers as in the exported collection.",
    )
    importing.add_argument("file", metavar="FILE", help="what `memstrata export` wrote")
    importing.add_argument("--path", required=True, metavar="PATH", help="a directory, or http://host:port of a server")
    importing.add_argument("--replace", action="store_true", help="delete the rows that the collection holds")
    for command in (repair, audit, export, importing):
        command.add_argument("--collection", required=True, metavar="NAME", help="which collection")
    for command, made_by in (
        (demo, "what embeds (default: MiniLM if its weights are here, else an Ollama that answers, else lexical)"),
        (repair, "what made its vectors (default: what the collection records)"),
        (importing, "embed the texts anew with this (default: the file's vectors, else what the file records)"),
    ):
        command.add_argument("--embeddings", choices=_EMBEDDINGS, help=made_by)
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _demo(arguments: argparse.Namespace) -> None:
    from memstrata_integrations.demo import run_replay, run_story
    from memstrata_integrations.demo.terminal import Terminal
    from memstrata_integrations.embeddings import default_embeddings

    embeddings = default_embeddings(prefer=arguments.embeddings)
    if arguments.jsonl is None:
        run_story(embeddings, Terminal(), k=arguments.k)
    else:
        run_replay(arguments.jsonl, embeddings, Terminal(), k=arguments.k, limit=arguments.limit)


def _repair(arguments: argparse.Namespace) -> None:
    from memstrata_integrations.chroma.damage import describe
    from memstrata_integrations.chroma.rebuild import repair

    recorded = None if arguments.embeddings else describe(arguments.path, arguments.collection).embedding
    logging.basicConfig(format="memstrata: %(message)s")  # a repair takes minutes: say what it is doing
    logging.getLogger("memstrata_integrations").setLevel(logging.INFO)
    print(repair(arguments.path, arguments.collection, _embeddings(arguments.embeddings, recorded, "repair")))


def _embeddings(chosen: Any, recorded: str | None, function: str) -> Any:
    """Return the embeddings that were asked for, else those that a collection records."""
    from memstrata_integrations.embeddings import MINILM_NAME, default_embeddings

    if chosen is None and recorded is None:
        raise InvalidInputError(
            "the collection does not record what embedded it; say so with --embeddings, or call "
            f"memstrata_integrations.{function}(..., embedding_function) from Python"
        )
    if recorded is not None:
        chosen = chosen or ("minilm" if recorded == MINILM_NAME else recorded.partition("/")[0].partition("-")[0])
    return default_embeddings(prefer=chosen)


def _audit(arguments: argparse.Namespace) -> None:
    from memstrata_integrations.chroma.clients import collection_at
    from memstrata_integrations.chroma.collection import TemporalCollection

    store = TemporalCollection(collection_at(arguments.path, arguments.collection), extractor=None)
    found = store.audit(since=arguments.since, until=arguments.until)
    line = _retirement if arguments.jsonl is None else json.JSONEncoder(ensure_ascii=False).encode
    lines = (line(one) + "\n" for one in found)
    if arguments.jsonl in (None, "-"):
        sys.stdout.writelines(lines)
        return
    try:
        with open(arguments.jsonl, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
    except OSError as error:
        raise InvalidInputError(f"{arguments.jsonl!r} cannot be written: {error.strerror}") from error


def _retirement(one: dict[str, Any]) -> str:
    retired, by = one["retired"], one["by"]
    told = repr(retired["statement"])
    if one["subject"] is not None:
        told = f"{one['subject']} {one['relation']} {one['old']!r} -> {one['new']!r}"
    undone = "" if one["undone_at"] is None else f", undone {one['undone_at']}"
    author = "" if by is None else f" by {by['id']}"
    return f"{one['recorded_at']}  {one['kind']}: {told} ({retired['id']}{author}{undone})"


def _export(arguments: argparse.Namespace) -> None:
    from memstrata_integrations.chroma.clients import collection_at
    from memstrata_integrations.chroma.exporting import export_history

    collection = collection_at(arguments.path, arguments.collection)
    print(export_history(collection, arguments.to, vectors=arguments.vectors))


def _import(arguments: argparse.Namespace) -> None:
    from memstrata_integrations.chroma.importing import import_history, read_header

    header = read_header(arguments.file)
    embeddings = None
    if arguments.embeddings or not header.vectors:
        embeddings = _embeddings(arguments.embeddings, header.embedding, "import_history")
    where = (arguments.path, arguments.collection)
    made = import_history(arguments.file, *where, embedding_function=embeddings, replace=arguments.replace)
    print(f"collection {arguments.collection!r} at {arguments.path}: {made.rows} rows of {made.file}")


_COMMANDS = {"demo": _demo, "repair": _repair, "audit": _audit, "export": _export, "import": _import}

if __name__ == "__main__":
    sys.exit(main())
