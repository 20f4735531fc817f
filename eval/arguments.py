"""Options of commands, and how their errors are told: in one line, with the way out."""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import NoReturn

from memstrata_integrations.errors import InvalidInputError, MemstrataError


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` whose errors are those of the package."""

    def error(self, message: str) -> NoReturn:
        """Raise `InvalidInputError`."""
        raise InvalidInputError(f"{message}; see {self.prog} --help")


def told(call: Callable[[], int | None]) -> int:
    """Return the exit status of a command: 0, or 2 when it could not be done, which is said; 130 when interrupted."""
    try:
        return call() or 0
    except (MemstrataError, OSError) as error:
        print(f"python -m eval: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("python -m eval: interrupted; a run goes on where it stopped with the same command", file=sys.stderr)
        return 130


def positive(text: str) -> int:
    """Return a whole number from 1 on."""
    if not re.fullmatch(r"0*[1-9]\d*", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number, at least 1")
    return int(text)


def shape(text: str) -> tuple[int, int]:
    """Return facts and versions of ``FACTSxVERSIONS``."""
    found = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", text, re.ASCII)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} must be FACTSxVERSIONS, such as 500x10")
    return int(found[1]), int(found[2])


def unknown(what: str, name: str, known: Sequence[str]) -> InvalidInputError:
    """Return the error that there is no such name, with the nearest, or all that there are."""
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
    return InvalidInputError(f"there is no {what} {name!r}; {hint}")
