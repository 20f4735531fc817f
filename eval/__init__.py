"""The evaluation: run as ``python -m eval.<name>``; uses the public surface only."""
