"""Prompts: one versioned file each, told apart by name, version and SHA-256.

They stand in ``prompts/`` of a checkout; the wheel carries the same files inside the package.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memstrata_integrations.errors import InvalidInputError, MissingDependencyError

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "_prompts", _PACKAGE.parent / "prompts")  # in the wheel; in a checkout
_FILE = re.compile(r"(?P<name>[a-z][a-z0-9_]*)\.v(?P<version>\d+)\.md\Z")
_FRONT = re.compile(r"---\n(?P<front>.*?)\n---\n(?P<text>.*)\Z", re.DOTALL)
_MARK = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One version of one prompt.

    Attributes:
        name: Its name, without the version.
        version: Its version; another wording is another version.
        text: What is sent, without the front matter; ``{{name}}`` marks what `render` fills in.
        sha256: SHA-256 of the whole file, as in ``prompts/SHA256SUMS``.
        schema: JSON schema of the answer, if the file has one.
    """

    name: str
    version: int
    text: str
    sha256: str
    schema: Mapping[str, Any] | None = field(default=None, hash=False)

    @classmethod
    def parse(cls, content: bytes, *, source: str = "the prompt") -> "Prompt":
        """Read a prompt file: a ``---`` block of ``key: value`` lines, then the text; refuse one that is broken."""
        found = _FRONT.match(content.decode("utf-8").replace("\r\n", "\n"))
        if found is None:
            raise InvalidInputError(f"{source} does not open with a front matter between two lines of ---")
        front = {k.strip(): v.strip() for k, _, v in (line.partition(":") for line in found["front"].splitlines())}
        text, sha256 = found["text"].strip() + "\n", hashlib.sha256(content).hexdigest()
        try:
            schema = json.loads(front["output"]) if front.get("output") else None
            return cls(front["name"], int(front["version"]), text, sha256, schema)
        except (KeyError, ValueError) as error:
            raise InvalidInputError(
                f"the front matter of {source} is broken ({type(error).__name__}: {error}); "
                "it needs name, a whole-numbered version, and JSON after output if there is one"
            ) from error

    def render(self, **values: str) -> str:
        """Return the text with each ``{{name}}`` replaced; `InvalidInputError` if one gets no value."""
        missing = sorted({m for m in _MARK.findall(self.text) if m not in values})
        if missing:
            raise InvalidInputError(f"prompt {self.name}.v{self.version} needs {', '.join(missing)}")
        return _MARK.sub(lambda m: values[m[1]], self.text)


def prompt_directory() -> Path:
    """Return where the prompts are: inside an installed package, or beside it in a checkout."""
    place = next(filter(Path.is_dir, _PLACES), None)
    if place is None:
        raise MissingDependencyError(
            f"no prompts in {' or '.join(map(str, _PLACES))}: the installation is not complete; "
            "pip install --force-reinstall memstrata-integrations"
        )
    return place


def prompt_names() -> tuple[str, ...]:
    """Return the names of the prompts, with their versions (``extract_triples.v2``), in order."""
    found = [(m["name"], int(m["version"])) for p in prompt_directory().iterdir() if (m := _FILE.match(p.name))]
    return tuple(f"{name}.v{version}" for name, version in sorted(found))


def load_prompt(name: str) -> Prompt:
    """Load a prompt by its name, "extract_triples" for its newest version, or "extract_triples.v2" for that one.

    Example:
        >>> prompt = load_prompt("extract_triples.v2")
        >>> prompt.name, prompt.version, len(prompt.sha256)
        ('extract_triples', 2, 64)
    """
    known = prompt_names()
    chosen = name if name in known else next((k for k in reversed(known) if k.rpartition(".v")[0] == name), None)
    if chosen is None:
        raise InvalidInputError(f"there is no prompt {name!r}; there are {', '.join(known) or 'none'}")
    file = prompt_directory() / f"{chosen}.md"
    return Prompt.parse(file.read_bytes(), source=file.name)
