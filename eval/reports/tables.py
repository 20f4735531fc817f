"""Tables in Markdown, and the words that stand in and above them."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from eval.reports.tally import Rate, Tally

WORDS: Mapping[str, tuple[str, str]] = {
    "no_memory": ("no memory", "the question alone"),
    "naive_rag": ("stock Chroma", "`langchain_chroma.Chroma`, cosine, top k"),
    "dated_rag": (
        "stock with dates",
        "the same, dates in the metadata and in the context, `where date <= t`, newest first",
    ),
    "dated_wide": ("stock, newest of 100", "the same, but the 100 nearest are fetched and the k newest kept"),
    "dated_cut": (
        "stock, newest of the near",
        "of these 100, the k newest of those about as near as the nearest; tuned",
    ),
    "dated_one": ("stock, newest of the near, one text", "the same, and no more than one text is shown"),
    "dated_apart": (
        "stock, near-duplicates dropped",
        "of the near, what is a near-duplicate of a newer one is dropped (as by `EmbeddingsRedundantFilter`); tuned",
    ),
    "dated_key": ("stock, key known", "`where key and date <= t`, the newest: told and asked with the key of the fact"),
    "temporal_v6, key_fields": ("this package, `key_fields`", "told with the key of the fact, asked without it"),
    "advanced_rag": ("stock, reranked", "stock Chroma and LlamaIndex's `LLMRerank`"),
    "v6_no_verify": ("similarity gate", "a gate by cosine and a judge that drops, merges or replaces; top k"),
    "v6": ("gate, verifier", "the gate, and a verifier that looks at each candidate"),
    "v6+infer": ("gate, verifier, filter", "the same, behind a filter that drops what a model knows anyway"),
    "temporal_v6_lossy": ("this package, lossy", "near-duplicates are merged, terse triples packed"),
    "temporal_v6": (
        "this package",
        "`TemporalVectorStore` as it comes; the publication calls the method `temporal_v6`",
    ),
    "temporal_v6+dates": ("this package, dates shown", "the same, each text packed with its date"),
    "temporal_v6_triples": ("this package, triples", "the same, but triples are packed for sentences"),
    "retain_all": ("this package, all kept", "nothing is read, so nothing is superseded"),
    "mmr": ("MMR", "LangChain, `max_marginal_relevance_search`"),
    "time_weighted": ("time-weighted retriever", "LangChain, `TimeWeightedVectorStoreRetriever`"),
    "fixed_recency": ("fixed recency", "LlamaIndex, `FixedRecencyPostprocessor`"),
    "embedding_recency": ("embedding recency", "LlamaIndex, `EmbeddingRecencyPostprocessor`"),
    "time_weighted_postprocessor": ("time-weighted postprocessor", "LlamaIndex, `TimeWeightedPostprocessor`"),
    "temporal_v6, policy stated": ("this package, policy stated", '`SupersessionPolicy(unknown="functional")`'),
}
"""Name in records and on the command line to the name in words, and what it is."""

_STANDS_ON = {"advanced_rag": "rerank", "v6_no_verify": "gate_judge", "v6": "verifier", "v6+infer": "verifier"}
"""The role that decides what a condition is: its model stands beside the condition's name."""

NO_MODEL = "no reader and no judge of answers"


def code(text: object) -> str:
    """Return text as a code span that cannot break a table."""
    return f"`{str(text).replace('`', '').replace('|', '¦')}`"


def name_of(condition: str, tally: Tally) -> str:
    """Return the name of a condition, with the model that it stands on, or what stands in for it."""
    if condition not in _STANDS_ON:
        return word(condition)
    return f"{word(condition)} ({tally.model(_STANDS_ON[condition]).removesuffix(' (offline)')})"


def word(condition: str) -> str:
    """Return the name of a condition in words."""
    return WORDS[condition][0] if condition in WORDS else code(condition)


def names(tally: Tally) -> str:
    """Return what stands behind the names in words."""
    present = [name for name in WORDS if name in tally.every]
    rows = [[WORDS[name][0], code(name), WORDS[name][1]] for name in present]
    return "*Names in words; in records and on the command line they are as in the second column.*\n\n" + table(
        ["", "condition", "what it is"], rows
    )


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table: the first column to the left, the others to the right."""
    lines = [_line(header), _line([":--"] + ["--:"] * (len(header) - 1)), *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def by_benchmark(
    tally: Tally, conditions: Sequence[str], benchmarks: Sequence[str], cell: Callable[[str, str], str]
) -> str:
    """Return a table of conditions by benchmarks; `cell` is given benchmark and condition."""
    rows = [[name_of(c, tally), *(cell(b, c) for b in benchmarks)] for c in conditions]
    return table(["condition", *map(code, benchmarks)], rows)


def with_published(ours: Rate | str, published: float | None, *, unit: str = " %") -> str:
    """Return a cell with the published figure below ours; shares are turned into percent."""
    shown = ours if isinstance(ours, str) else ours.stacked()
    if published is None:
        return shown
    figure = f"{published * 100:.1f} %" if unit == " %" else f"{published:,.{0 if unit == ' ms' else 1}f}{unit}"
    return f"{shown}<br>*published {figure}*"


def percent(share: float | None) -> str:
    """Return a share in percent."""
    return "–" if share is None else f"{share * 100:.1f} %"


def number(value: float | None, digits: int = 1, unit: str = "") -> str:
    """Return a figure; of nothing, a dash."""
    return "–" if value is None else f"{value:,.{digits}f}{unit}"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Return names as code, the first few and how many more there are."""
    shown = ", ".join(map(code, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _habit(model: str) -> str:
    """Return what must be known of the offline reader: the zeros of stock Chroma say this and no more."""
    return ", abstains where two undated values conflict" if model.startswith("extractive") else ""


def told_by(tally: Tally, *roles: str) -> str:
    """Return the line above a table that says who made it: models, embedding, extractor, number of passages."""
    parts = [f"{role.replace('_', ' ')}: {tally.model(role)}{_habit(tally.model(role))}" for role in roles] or [
        NO_MODEL
    ]
    parts += [
        f"embedding: {tally.made_with('embedding')}",
        f"extractor of this package: {tally.made_with('extractor')}",
        f"top {tally.made_with('k')}",
    ]
    return f"*{'; '.join(parts)}.*\n\n"
