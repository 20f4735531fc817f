"""When facts hold, and when that was known: pure functions of assertions, without a clock, a store or a framework."""
