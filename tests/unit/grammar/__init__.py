"""The grammar, by tables."""
