"""Public import path of `SupersessionPolicy`; it lives in `ledger`."""

from memstrata_integrations.ledger.policy import SupersessionPolicy

__all__ = ["SupersessionPolicy"]
