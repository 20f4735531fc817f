"""Other probes of the grammar: its speed, everything in one store, and random texts. None is needed by a run."""
