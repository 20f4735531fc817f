"""The grammar, by tables: a pair a line."""
