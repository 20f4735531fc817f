"""A chromadb collection that keeps facts valid in time: what is stored, planned, written, read, and kept in order."""
