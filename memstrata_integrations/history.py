"""Public import path of what writes and history return; it lives in `ledger`."""

from memstrata_integrations.ledger.changes import Change, Changes, Explanation, Suspect, Timeline, TimelineEntry, Unread

__all__ = ["Change", "Changes", "Explanation", "Suspect", "Timeline", "TimelineEntry", "Unread"]
