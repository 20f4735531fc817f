"""The command `memstrata`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence

from memstrata_integrations import __version__
from memstrata_integrations.errors import InvalidInputError, MemstrataError

__all__ = ["main"]

_EMBEDDINGS = ("auto", "minilm", "lexical", "ollama")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: Arguments after the program's name; by default those of the process.

    Returns:
        The exit status: 0; 1 if something is missing or fails; 2 for arguments or files that cannot be used.
    """
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command == "demo" and arguments.limit is not None and arguments.jsonl is None:
        parser.error("--limit goes with --jsonl: it takes that many records of the file")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a character shows '?'
    try:
        arguments.run(arguments)
        sys.stdout.flush()
    except InvalidInputError as error:
        print(f"memstrata: {error}", file=sys.stderr)
        return 2
    except MemstrataError as error:
        print(f"memstrata: {error}", file=sys.stderr)
        return 1
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
    demo.add_argument(
        "--embeddings",
        choices=_EMBEDDINGS,
        default="auto",
        help="auto (default): MiniLM if its weights are here, else an Ollama that answers, else lexical",
    )
    demo.add_argument("--limit", type=_positive, metavar="N", help="only the first N records of --jsonl")
    demo.set_defaults(run=_demo)
    repair = commands.add_parser(
        "repair",
        help="rebuild the vector index of a Chroma directory that a killed process left damaged",
        description="Tries to open a collection. If that fails, moves its vector index into a directory beside it, "
        "with a copy of the database, and deletes nothing. Texts whose vectors are missing are embedded again, with "
        "the embeddings the collection was made with; for others than these call memstrata_integrations.repair() "
        "from Python. A repair that was interrupted goes on where it stopped. No process may have the directory open.",
    )
    repair.add_argument("path", metavar="PATH", help="the Chroma directory")
    repair.add_argument("--collection", required=True, metavar="NAME", help="which collection")
    repair.add_argument(
        "--embeddings",
        choices=[e for e in _EMBEDDINGS if e != "auto"],
        help="what made its vectors (default: what the collection records)",
    )
    repair.set_defaults(run=_repair)
    return parser


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return number


def _demo(arguments: argparse.Namespace) -> None:
    from memstrata_integrations.demo import run_replay, run_story
    from memstrata_integrations.demo.terminal import Terminal
    from memstrata_integrations.embeddings import default_embeddings

    embeddings = default_embeddings(prefer=None if arguments.embeddings == "auto" else arguments.embeddings)
    if arguments.jsonl is None:
        run_story(embeddings, Terminal(), k=arguments.k)
    else:
        run_replay(arguments.jsonl, embeddings, Terminal(), k=arguments.k, limit=arguments.limit)


def _repair(arguments: argparse.Namespace) -> None:
    from memstrata_integrations.chroma.damage import recorded_embedding
    from memstrata_integrations.chroma.rebuild import repair
    from memstrata_integrations.embeddings import MINILM_NAME, default_embeddings

    prefer = arguments.embeddings
    if prefer is None:
        recorded = recorded_embedding(arguments.path, arguments.collection)
        if recorded is None:
            raise InvalidInputError(
                f"collection {arguments.collection!r} does not record what embedded it; say so with --embeddings, "
                "or call memstrata_integrations.repair(path, collection_name, embedding_function) from Python"
            )
        kind = recorded.partition("/")[0].partition("-")[0]
        prefer = "minilm" if recorded == MINILM_NAME else kind
    logging.basicConfig(format="memstrata: %(message)s")  # a repair takes minutes: say what it is doing
    logging.getLogger("memstrata_integrations").setLevel(logging.INFO)
    print(repair(arguments.path, arguments.collection, default_embeddings(prefer=prefer)))


if __name__ == "__main__":
    sys.exit(main())
