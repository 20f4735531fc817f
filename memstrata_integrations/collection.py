"""Public import path of `TemporalCollection`; it lives in `chroma`."""

from memstrata_integrations.chroma.collection import TemporalCollection

__all__ = ["TemporalCollection"]
