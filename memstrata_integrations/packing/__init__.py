"""A dated context block within a budget of tokens, of what a retriever returned."""

from memstrata_integrations.packing.block import Block, estimate_tokens, pack, pack_blocks

__all__ = ["Block", "estimate_tokens", "pack", "pack_blocks"]
