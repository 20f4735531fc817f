"""Structured sources: texts that are pieces of files are read as such, with exact keys."""

from memstrata_integrations.extraction.sources.kinds import PATH_FIELDS
from memstrata_integrations.extraction.sources.reader import read_source

__all__ = ["PATH_FIELDS", "read_source"]
