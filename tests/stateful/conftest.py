"""The loopback server of the conformance tests."""

from __future__ import annotations

from tests.conformance.conftest import chroma_server

__all__ = ["chroma_server"]
