"""Public import path of instants and intervals; they live in `ledger`."""

from memstrata_integrations.ledger.time import (
    MIN_TIME,
    OPEN,
    Instant,
    Interval,
    format_time,
    system_clock,
    to_instant,
    to_micros,
)

__all__ = ["MIN_TIME", "OPEN", "Instant", "Interval", "format_time", "system_clock", "to_instant", "to_micros"]
