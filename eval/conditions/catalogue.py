"""The names of the conditions, and how each is made."""

from collections.abc import Callable

from langchain_core.embeddings import Embeddings

from eval.arguments import unknown
from eval.conditions.settings import Settings
from eval.spec import Condition, Roles
from memstrata_integrations.extraction import Extractor

CONDITIONS = (
    "no_memory",
    "naive_rag",
    "advanced_rag",
    "v6_no_verify",
    "v6",
    "v6+infer",
    "temporal_v6_lossy",
    "temporal_v6",
    "retain_all",
    "temporal_v6_triples",
    "dated_rag",
    "dated_wide",
    "dated_cut",
    "dated_one",
    "dated_apart",
    "temporal_v6+dates",
)
"""All of them, in the order of the tables."""

ALTERNATIVES = (
    "mmr",
    "time_weighted",
    "fixed_recency",
    "embedding_recency",
    "time_weighted_postprocessor",
)
"""Stock components that a user would try first."""


def build(
    name: str, embedding: Embeddings, roles: Roles, settings: Settings, *, extractor: Extractor | None = None
) -> Condition:
    """Return a condition with an empty memory.

    Args:
        name: One of `CONDITIONS` or `ALTERNATIVES`.
        embedding: Embeds texts and questions, the same for every condition of a run; ``.name`` says which it is.
        roles: The models of the run; the reader and the judges of answers are not for conditions.
        settings: Thresholds, pools and weights.
        extractor: Reads facts for the temporal conditions, for instance ``GrammarExtractor() | LLMExtractor(chat)``;
            by default the grammar.

    Raises:
        InvalidInputError: For an unknown name.
    """
    if name in ALTERNATIVES:
        return build_alternative(name, embedding, settings)
    if name.startswith("v6") and name in CONDITIONS:
        from eval.conditions.gate import SurpriseGate

        verify, infer = name != "v6_no_verify", name == "v6+infer"
        return SurpriseGate(name, embedding, roles, settings, verify=verify, infer=infer)
    if name.startswith("temporal_v6") and name in CONDITIONS:
        return _temporal(name, embedding, roles, settings, extractor)
    if name == "retain_all":
        from eval.conditions.temporal import RetainAll

        return RetainAll(embedding)
    if name == "advanced_rag":
        from eval.conditions.of_llama_index import AdvancedRag

        return AdvancedRag(embedding, roles, settings)
    if name in CONDITIONS:
        from eval.conditions.plain import Dated, NaiveRag, NoMemory

        if name == "no_memory":
            return NoMemory()
        return NaiveRag(embedding) if name == "naive_rag" else Dated(name, embedding, settings)
    raise unknown("condition", name, (*CONDITIONS, *ALTERNATIVES))


def _temporal(
    name: str, embedding: Embeddings, roles: Roles, settings: Settings, extractor: Extractor | None
) -> Condition:
    from eval.conditions.temporal import LossyTemporal, Temporal, TemporalDated, TemporalTriples
    from memstrata_integrations import GrammarExtractor

    reading = extractor or GrammarExtractor()
    if name == "temporal_v6_lossy":
        return LossyTemporal(embedding, settings, reading, roles)
    kinds = {of.name: of for of in (Temporal, TemporalDated, TemporalTriples)}
    return kinds[name](embedding, reading)


def build_alternative(name: str, embedding: Embeddings, settings: Settings) -> Condition:
    """Return one of `ALTERNATIVES` with an empty memory; none of them asks a model."""
    from eval.conditions import of_langchain, of_llama_index

    tuned: dict[str, Callable[[Embeddings, Settings], Condition]] = {
        "mmr": of_langchain.Mmr,
        "time_weighted": of_langchain.TimeWeighted,
        "fixed_recency": of_llama_index.FixedRecency,
        "embedding_recency": of_llama_index.EmbeddingRecency,
        "time_weighted_postprocessor": of_llama_index.TimeWeightedByPostprocessor,
    }
    return tuned[name](embedding, settings)
