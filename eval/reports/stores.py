"""What memories hold and cost: active facts, tokens, times, calls, growth."""

from eval.benchmarks import EVOLVING, STATIC
from eval.reports import published
from eval.reports.tables import by_benchmark, name_of, number, percent, table, told_by, with_published
from eval.reports.tally import SIX, Tally, mean, plain


def _six(tally: Tally) -> list[str]:
    return [name for name in SIX if name in tally.benchmarks]


def active(tally: Tally) -> str:
    """Return how many texts can still be served, and the compression that this is."""
    benchmarks = _six(tally)
    if not any(tally.cells(benchmarks, c) for c in tally.conditions):
        return ""

    def cell(benchmark: str, condition: str) -> str:
        found = tally.cells([benchmark], condition)
        if not found:
            return "–"
        kept, told = found[0]["active"], found[0]["ingested"]
        facts = published.figure("active_facts", benchmark, condition)
        compressed = published.figure("compression_percent", benchmark, condition)
        theirs = "" if facts is None else f"<br>*published {facts:.0f}, {compressed:.1f} %*"
        return f"{kept} of {told}<br>{percent(1 - kept / told if told else None)}{theirs}"

    return (
        told_by(tally)
        + by_benchmark(tally, tally.conditions, benchmarks, cell)
        + "\nTexts that can be served now, of those told, and compression: 100 (1 - active / ingested). Ours are told "
        "noise as well, so the counts can't equal the published ones. The published one without memory counts a store "
        "that was never read.\n"
    )


def packed_tokens(tally: Tally) -> str:
    """Return how long the packed contexts are."""
    benchmarks = _six(tally)
    if not benchmarks:
        return ""
    return (
        told_by(tally)
        + by_benchmark(
            tally,
            tally.conditions,
            benchmarks,
            lambda b, c: with_published(
                _mean(tally, "packed_tokens", [b], c), published.figure("mean_pack_tokens", b, c), unit=""
            ),
        )
        + "\nMean over questions (n), by an estimate of tokens that is the same for all conditions and is no model's "
        "tokenizer. Published contexts hold longer texts and other frames.\n"
    )


def _mean(tally: Tally, field: str, benchmarks: list[str], condition: str) -> str:
    values = tally.numbers(field, benchmarks, condition)
    return f"{number(mean(values))} (n {len(values)})" if values else "–"


def latency(tally: Tally) -> str:
    """Return retrieval times, static and evolving apart."""
    groups = {
        "static": [name for name in STATIC if name in tally.benchmarks],
        "evolving": [name for name in EVOLVING if name in tally.benchmarks],
    }
    groups = {title: names for title, names in groups.items() if names}
    if not groups:
        return ""
    rows = []
    for condition in tally.conditions:
        cells = []
        for names in groups.values():
            values = tally.numbers("retrieval_ms", names, condition)
            average, high = mean(values), tally.percentile("retrieval_ms", names, condition, 95)
            cells += [
                with_published(
                    number(average, 1, " ms"), published.over("mean_latency_ms", names, condition), unit=" ms"
                ),
                with_published(number(high, 1, " ms"), _published_p95(names, condition), unit=" ms"),
            ]
        rows.append([name_of(condition, tally), *cells])
    header = [""]
    for title, names in groups.items():
        n = max(len(tally.numbers("retrieval_ms", names, condition)) for condition in tally.conditions)
        header += [f"{title}: mean (n {n})", f"{title}: 95th percentile"]
    return (
        told_by(tally)
        + table(header, rows)
        + "\nFrom question to passages, with what the condition asks of models, without embedding the question. "
        "Published: the mean over the same benchmarks, weighted by questions, and the highest 95th percentile of them; "
        "even naive retrieval took about two seconds there, so only the ratios compare.\n"
    )


def _published_p95(benchmarks: list[str], condition: str) -> float | None:
    found = [published.figure("p95_latency_ms", b, condition) for b in benchmarks]
    return max((figure for figure in found if figure is not None), default=None)


def calls(tally: Tally) -> str:
    """Return what is asked of models when writing and when reading."""
    benchmarks = _six(tally)
    rows = []
    for condition in tally.conditions:
        cells = tally.cells(benchmarks, condition)
        answers = tally.answers(benchmarks, condition)
        if not cells or not answers:
            continue
        turns, asked = sum(cell["ingested"] for cell in cells), len(answers)
        rows.append(
            [
                name_of(condition, tally),
                f"{sum(cell['write_calls'] for cell in cells):,}",
                number(sum(cell["write_calls"] for cell in cells) / turns, 2),
                number(sum(cell["write_tokens"] for cell in cells) / turns, 0),
                f"{sum(row['read_calls'] for row in answers):,}",
                number(sum(row["read_calls"] for row in answers) / asked, 2),
                number(sum(row["read_tokens"] for row in answers) / asked, 0),
                number(sum(cell["ingest_seconds"] for cell in cells) / turns * 1000, 1, " ms"),
            ]
        )
    if not rows:
        return ""
    header = [
        *("", "write: calls", "a turn", "tokens a turn"),
        *("read: calls", "a question", "tokens a question", "writing a turn takes"),
    ]
    return (
        told_by(tally, "reader", "gate_judge", "verifier", "rerank", "candidates")
        + table(header, rows)
        + "\nThe six benchmarks together. Reading includes the reader's one call; judges are not counted. A stand-in "
        "counts as the one call that a model would be asked, and spends no tokens.\n"
    )


def cost(tally: Tally) -> str:
    """Return what the store costs beside stock Chroma."""
    rows = tally.records.of("cost")
    if not rows:
        return ""
    body = [
        [
            plain(row["what"]),
            number(row["stock_ms"], 2, " ms"),
            number(row["ours_ms"], 2, " ms"),
            number(row["ratio"], 2),
            str(row["n"]),
        ]
        for row in rows
    ]
    return "*No model: vectors are made beforehand; stock and ours take turns in one process; medians.*\n\n" + table(
        ["", "stock Chroma", "TemporalVectorStore", "ratio", "n"], body
    )
