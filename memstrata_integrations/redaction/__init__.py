"""What is left of a text when some of its statements are over."""

from memstrata_integrations.redaction.text import SUPERSEDED, Stated, annotate, implied, matches, redact

__all__ = ["SUPERSEDED", "Stated", "annotate", "implied", "matches", "redact"]
