"""Texts that are pieces of files: which reader takes one, and what it needs to know."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from memstrata_integrations.extraction.sources import lines
from memstrata_integrations.extraction.sources.dockerfiles import read_dockerfile
from memstrata_integrations.extraction.sources.entries import Entry, Found, clear_entries, drop_doubtful, extraction_of
from memstrata_integrations.extraction.sources.kinds import Piece, Source, source_of
from memstrata_integrations.extraction.sources.python_files import read_python
from memstrata_integrations.extraction.sources.toml_files import read_toml
from memstrata_integrations.extraction.sources.yaml_files import read_json, read_yaml
from memstrata_integrations.ledger.facts import Extraction

_LONGEST = 2_000_000  # characters; longer files are generated
_READERS: dict[str, Callable[[Piece], Found]] = {
    "dockerfile": read_dockerfile,
    "env": lines.read_env,
    "ini": lines.read_ini,
    "json": read_json,
    "properties": lines.read_properties,
    "python": read_python,
    "requirements": lines.read_requirements,
    "single": lines.read_single,
    "toml": read_toml,
    "yaml": read_yaml,
}


def read_source(text: str, metadata: Mapping[str, Any] | None, *, whole: bool = False) -> Extraction | None:
    """Read a text as the piece of a file that its metadata names.

    The path stands in `file_path`, `source`, `path` or `file_name`; `section` may name what
    encloses the text: the table or keys, joined by dots (an INI section as it is written, the
    class of a constant, the function with "()" of a parameter), "" for the top of the file.

    Args:
        text: A whole file, a piece of one, or one line.
        metadata: As it is stored with the text.
        whole: The text is the whole file.

    Returns:
        What it states; `None` if metadata names no file of a known kind, or the text is prose.

    Example:
        >>> read_source("numpy==1.26.4", {"file_path": "requirements.txt"}).facts[0].subject
        'requirements.txt#numpy'
        >>> read_source("timeout = 30", {"source": "app.ini", "section": "http"}).facts[0].subject
        'app.ini#http:timeout'
    """
    source = source_of(metadata or {})
    if source is None or not text.strip():
        return None
    if len(text) > _LONGEST:
        return Extraction()
    found = _read(text, source, metadata or {}, whole)
    return extraction_of(source, found) if found.structural else None


def entries_of(text: str, metadata: Mapping[str, Any]) -> list[Entry]:
    """Return what a whole file states, with the section of each."""
    source = source_of(metadata)
    if source is None or not text.strip() or len(text) > _LONGEST:
        return []
    return clear_entries(_read(text, source, metadata, True).entries)


def _read(text: str, source: Source, metadata: Mapping[str, Any], whole: bool) -> Found:
    given, place = metadata.get("section"), metadata.get("start_index")
    section = re.sub(r"\A\[([^=]*)\]\Z", r"\1", given.strip()) if isinstance(given, str) else None
    begins = whole or place == 0
    if source.kind in ("toml", "ini") and begins and section is None:
        section = ""
    piece = Piece(text, source, section, begins, behind=isinstance(place, int) and not begins, whole=whole)
    found = _READERS[source.kind](piece)
    # the templates of Python stand in strings
    drop_doubtful(
        found, template=source.kind != "python", cut=not whole and (section is None or len(found.entries) != 1)
    )
    return found
