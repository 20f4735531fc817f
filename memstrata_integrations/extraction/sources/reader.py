"""Texts that are pieces of files: which reader takes one, and what it needs to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memstrata_integrations.extraction.sources.entries import (
    Entry,
    Found,
    clear_entries,
    drop_conditional,
    drop_cut_entry,
    extraction_of,
)
from memstrata_integrations.extraction.sources.json_files import read_json
from memstrata_integrations.extraction.sources.kinds import Source, source_of
from memstrata_integrations.extraction.sources.lines import (
    read_dockerfile,
    read_env,
    read_ini,
    read_properties,
    read_single,
)
from memstrata_integrations.extraction.sources.python_files import read_python
from memstrata_integrations.extraction.sources.requirements import read_requirements
from memstrata_integrations.extraction.sources.toml_files import read_toml
from memstrata_integrations.extraction.sources.yaml_files import read_yaml
from memstrata_integrations.facts import Extraction

__all__ = ["SourceExtractor", "entries_of", "read_block", "read_source"]

_LONGEST = 2_000_000  # characters; longer files are generated


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
        'requirements.txt#numpy numpy'
        >>> read_source("timeout = 30", {"source": "app.ini"}).facts
        ()
        >>> read_source("timeout = 30", {"source": "app.ini", "section": "http"}).facts[0].subject
        'app.ini#http:timeout timeout'
    """
    source = source_of(metadata)
    if source is None or metadata is None or not text.strip():
        return None
    if len(text) > _LONGEST:
        return Extraction()
    found = _read(text, source, metadata, whole)
    return extraction_of(source, text, found) if found.structural else None


def entries_of(text: str, metadata: Mapping[str, Any]) -> list[Entry]:
    """Return what a whole file states, with the section of each."""
    source = source_of(metadata)
    if source is None or not text.strip() or len(text) > _LONGEST:
        return []
    return clear_entries(_read(text, source, metadata, True).entries)


def _read(text: str, source: Source, metadata: Mapping[str, Any], whole: bool) -> Found:
    given = metadata.get("section")
    section = _bare(given) if isinstance(given, str) else None
    begins = whole or metadata.get("start_index") == 0
    if source.kind in ("toml", "ini") and begins and section is None:
        section = ""
    behind = not begins and isinstance(metadata.get("start_index"), int)
    trusted = begins or _untrimmed(text)
    found = _dispatch(text, source, section, trusted=trusted, begins=begins, whole=whole, behind=behind)
    if source.kind != "python":  # whose templates stand in strings
        drop_conditional(text, found)
    if not whole and not (section is not None and len(found.entries) == 1):
        drop_cut_entry(text, found)
    return found


def read_block(text: str, source: Source) -> Found:
    """Read a code block that a page shows whole: its first column is the file's, and nothing stands above it."""
    section = "" if source.kind in ("ini", "toml") else None
    found = _dispatch(text, source, section, trusted=True, begins=False, whole=False)
    if source.kind != "python":
        drop_conditional(text, found)
    return found


def _dispatch(
    text: str,
    source: Source,
    section: str | None,
    *,
    trusted: bool,
    begins: bool,
    whole: bool,
    behind: bool = False,
) -> Found:
    kind = source.kind
    if kind == "requirements":
        return read_requirements(text)
    if kind == "env":
        return read_env(text)
    if kind == "properties":
        return read_properties(text)
    if kind == "single":
        return read_single(text, source)
    if kind == "dockerfile":
        return read_dockerfile(text, section, begins=begins)
    if kind == "ini":
        return read_ini(text, source, section)
    if kind == "json":
        return read_json(text, source, section, trusted=trusted, begins=begins)
    if kind == "yaml":
        return read_yaml(text, source, section, trusted=trusted, whole=whole, behind=behind)
    if kind == "python":
        return read_python(text, source, section, trusted=trusted, begins=begins)
    return read_toml(text, source, section)


def _bare(section: str) -> str:
    section = section.strip()
    return section[1:-1] if section[:1] == "[" and section[-1:] == "]" and "=" not in section else section


def _untrimmed(text: str) -> bool:
    """Whether white space at its edges shows that nobody stripped the text, so that its columns are the file's."""
    return text.count("\n") > 1 and (text[-1:] == "\n" or text[:1] in " \t\n")


class SourceExtractor:
    """Reads texts that are pieces of files of a known kind, and no others.

    Example:
        >>> [extraction] = SourceExtractor().extract(["PORT=8080"], [{"source": "deploy/.env"}])
        >>> extraction.facts[0].subject, extraction.facts[0].object, extraction.prose
        ('deploy/.env#PORT port', '8080', False)
    """

    def extract(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[str, Any] | None] | None = None
    ) -> list[Extraction]:
        """Return what each text states, in order; nothing for other kinds of text."""
        given: Sequence[Mapping[str, Any] | None] = metadatas if metadatas is not None else [None] * len(texts)
        return [read_source(t, m) or Extraction() for t, m in zip(texts, given, strict=True)]

    def __repr__(self) -> str:
        return "SourceExtractor()"
