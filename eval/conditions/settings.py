"""What can be set of a condition."""

from dataclasses import dataclass
from typing import Any

from eval.calibration import gate_thresholds
from memstrata_integrations.embeddings import NamedEmbeddings

WIDE = 100
"""How many texts the ways of dates that keep the newest fetch first."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The knobs of all conditions; those of the stock alternatives are as `eval.conditions.tuning` found them.

    Pools say how many candidates are fetched for each passage that is packed.

    Attributes:
        k: How many passages a run packs; conditions take it from each call.
        seed: Of the run; no condition draws lots.
        tau_dup: Cosine from which on the surprise gate takes a text for a duplicate.
        tau_novel: Cosine below which the gate, and `temporal_v6_lossy`, take a text for novel.
        neighbours: How many stored texts, nearest first, their judge is shown at most.
        locked_rules: What no retrieved text may go against, for the verifier.
        extractor_name: What reads facts for the temporal conditions, for the manifest.
        rerank_pool: Of `advanced_rag`.
        mmr_pool, lambda_mult: Of ``mmr``.
        salient, decay_rate: Of ``time_weighted``: its ``search_kwargs["k"]``, and its decay (see `ToldDates.decay`).
        fixed_pool, fixed_top_k: Of ``fixed_recency``; no more are kept than are packed.
        embedding_pool, similarity_cutoff: Of ``embedding_recency``.
        weighted_pool, time_decay: Of ``time_weighted_postprocessor``; the decay as above.
        date_cut: Of ``dated_cut``, ``dated_one`` and ``dated_apart``: how much farther than the nearest, in cosine, a
            text may be.
        too_alike: Of ``dated_apart``: from which cosine to a newer text on one is dropped.
    """

    k: int = 5
    seed: int = 0
    tau_dup: float = 0.98
    tau_novel: float = 0.62
    neighbours: int = 3
    locked_rules: tuple[str, ...] = ()
    extractor_name: str = "grammar"
    rerank_pool: int = 4
    mmr_pool: int = 4
    lambda_mult: float = 0.5
    salient: int = 100
    decay_rate: float = 0.03
    fixed_pool: int = 2
    fixed_top_k: int = 5
    embedding_pool: int = 2
    similarity_cutoff: float = 0.7
    weighted_pool: int = 20
    time_decay: float = 0.01
    date_cut: float = 0.1
    too_alike: float = 0.85

    @classmethod
    def of(cls, embedding: NamedEmbeddings, **others: Any) -> "Settings":
        """Return the settings for an embedding: thresholds that are not given are those its calibration recommends."""
        tau_dup, tau_novel = gate_thresholds(embedding)
        return cls(**{"tau_dup": tau_dup, "tau_novel": tau_novel, **others})
