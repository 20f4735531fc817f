"""The conditions, and the stock components that a user would try first.

A condition is a memory: it is told turns in order, then asked. Only the ``temporal_*`` and ``dated_*`` ones answer
``as_of``; the others have nothing that could, and answer for now.
"""

from eval.conditions.catalogue import ALTERNATIVES, CONDITIONS, build
from eval.conditions.settings import Settings
from eval.conditions.tuning import TUNED, tune

__all__ = ["ALTERNATIVES", "CONDITIONS", "TUNED", "Settings", "build", "tune"]
