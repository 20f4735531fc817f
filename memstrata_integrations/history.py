"""Public import path of what writes and history return; it lives in `ledger`."""

from memstrata_integrations.ledger.changes import Change, Changes, Suspect, Unread
from memstrata_integrations.ledger.history import Explanation, Timeline, TimelineEntry

__all__ = ["Change", "Changes", "Explanation", "Suspect", "Timeline", "TimelineEntry", "Unread"]
