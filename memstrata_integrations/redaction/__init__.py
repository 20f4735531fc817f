"""What is left of a text when some of its statements are over."""

from memstrata_integrations.redaction.filters import implied, matches
from memstrata_integrations.redaction.notes import annotate
from memstrata_integrations.redaction.text import SUPERSEDED, Stated, redact

__all__ = ["SUPERSEDED", "Stated", "annotate", "implied", "matches", "redact"]
