"""A channel of a chat that opens a line: "#plant is the channel where pump alerts go" is no comment."""

from __future__ import annotations

import re

__all__ = ["opens_with_channel"]

_CHANNEL = re.compile(r"#[a-z][\w-]* is (?:where |(?:the|our) (?:[A-Za-z-]+ ){0,3}channel\b)")


def opens_with_channel(line: str) -> bool:
    """Whether a line tells what a channel is for.

    Example:
        >>> opens_with_channel("#ops is the channel for alerts"), opens_with_channel("#port is the port")
        (True, False)
    """
    return _CHANNEL.match(line) is not None
