"""Facts of free prose, read by a language model and held to what the statements say."""

import asyncio
import copy
import logging
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.cache import AnswerCache, digest
from memstrata_integrations.extraction.chain import Composable, Metadatas, contradicted
from memstrata_integrations.extraction.clauses import clauses
from memstrata_integrations.extraction.grammar import WHEN, headings_of, unheard
from memstrata_integrations.extraction.grounding import ground
from memstrata_integrations.extraction.models import ChatModel, ExtractionError, Triple
from memstrata_integrations.extraction.relations import Relation, Vocabulary
from memstrata_integrations.extraction.statements import Statement, statements
from memstrata_integrations.extraction.tokens import tokenize
from memstrata_integrations.ledger.facts import Cardinality, Extraction, KeyedFact
from memstrata_integrations.prompts import Prompt, load_prompt

logger = logging.getLogger("memstrata_integrations")

_MOST = 20  # statements in one question
_CHUNK = 8  # questions for each one at a time, between two looks at whether there is any hope
_Question = tuple[Sequence[Statement], str, bytes]  # what is asked at a time, as it is shown, a digest to forget it by


class LLMExtractor(Composable):
    """Reads facts with a language model; what it says counts only as far as the statement says it too.

    A triple becomes a fact if its value is a verbatim span of the statement, its subject's words stand there or in its
    headings, the statement has words for its relation, and nothing in the clause speaks against it (a question, a
    plan, a negation, the past, hearsay). What is refused stays prose, with the reason in `Extraction.unread`, counted
    in `stats`. Names retire one another in relations that the table or the caller calls one-valued, and where a noun of
    the statement names the relation and the model calls it so. Rows, code and quotations are not asked about.

    Args:
        model: A LangChain chat model, a LlamaIndex LLM, or any object whose ``invoke(messages)`` returns JSON. For
            answers that come out the same again: temperature 0 and a seed.
        triples: ``"one"`` asks statement by statement for one fact or none, ``"several"`` text by text for all.
        prompt: A name in ``prompts/`` or a `Prompt`, instead of the one that belongs to `triples`.
        relations, cardinalities, aliases: As of `GrammarExtractor`.
        grounding: ``"strict"``, or ``"value"`` to trust the model in all but the value.
        cache: A file that keeps answers; `True` for ``~/.cache/memstrata/answers.sqlite3``.
        cache_name: What the cache knows a model by that does not tell what it is (a function, a class of your own).
        max_concurrency, retries: Questions at a time; how often LangChain asks again (LlamaIndex's clients do alone).
        timeout: Seconds without an answer before those still missing count as failed; `None`: for ever.
        on_error: ``"prose"`` keeps a text without an answer as prose, counts it and warns once; ``"raise"`` raises.

    Raises:
        InvalidInputError: If an argument cannot be used.

    Example:
        >>> class Model:  # stands for ChatOllama(model="qwen2.5-coder:7b", temperature=0, seed=0)
        ...     def invoke(self, messages):
        ...         return '{"facts": [{"subject": "Acme", "relation": "primary bank", "value": "N26"}]}'
        >>> extractor = LLMExtractor(Model())
        >>> [extraction] = extractor.extract(["Acme went with N26 as primary bank."])
        >>> [(f.key, f.object) for f in extraction.facts], extraction.prose
        ([(('acme primary bank', 'is'), 'N26')], False)
    """

    def __init__(
        self, model: Any, *, triples: Literal["one", "several"] = "one", prompt: str | Prompt | None = None,
        relations: Iterable[Relation] = (), cardinalities: Mapping[str, Cardinality] | None = None,
        aliases: Mapping[str, str] | None = None, grounding: Literal["strict", "value"] = "strict",
        cache: str | os.PathLike[str] | bool | None = None, cache_name: str | None = None, max_concurrency: int = 4,
        retries: int = 2, timeout: float | None = 300, on_error: Literal["prose", "raise"] = "prose",
    ) -> None:  # fmt: skip
        modes = triples in ("one", "several"), grounding in ("strict", "value"), on_error in ("prose", "raise")
        if not all(modes) or max_concurrency < 1 or retries < 0 or not (timeout is None or timeout > 0):
            raise InvalidInputError(
                f"triples={triples!r} must be one or several, grounding={grounding!r} strict or value, on_error="
                f"{on_error!r} prose or raise, and {max_concurrency=}, {retries=}, {timeout=} 1, 0 and above 0 at least"
            )
        self.triples, self.grounding, self.on_error = triples, grounding, on_error
        named = prompt or ("extract_triple" if triples == "one" else "extract_triples")
        self.prompt = named if isinstance(named, Prompt) else load_prompt(named)
        self._relations, self._aliases = tuple(relations), aliases
        self._model = ChatModel(model, retries=retries, timeout=timeout, max_concurrency=max_concurrency)
        self._told = cache_name or self._model.identity()
        if cache and self._told is None:
            raise InvalidInputError(f"cache={cache!r}: {model!r} does not tell what it is; give it a cache_name=")
        self._cache = AnswerCache(None if cache is True else cache) if cache else None
        self.stats: Counter[str] = Counter()
        self._know(cardinalities or {}, "typed")

    def _know(self, cardinalities: Mapping[str, Cardinality], unknown: str) -> None:
        self._cardinalities, self._unknown = cardinalities, unknown
        self._vocabulary = Vocabulary(self._relations, cardinalities, self._aliases)
        named = dict.fromkeys(r.name for r in (*self._vocabulary.own, *self._vocabulary.nouns.values()))
        self._system = self.prompt.render(relations=", ".join(f'"{name}"' for name in named))

    def with_policy(self, policy: Any) -> "LLMExtractor":
        """Return an extractor that also knows the relations of a policy; it shares this one's counts and cache."""
        other = copy.copy(self)
        other._know({**self._cardinalities, **policy.cardinalities}, policy.unknown)
        return other

    def extract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what each text states, in order.

        Raises:
            ExtractionError: If the model gives no answer that can be read, and ``on_error="raise"``.
        """
        given = metadatas if metadatas is not None else [None] * len(texts)
        listed = [statements(text, headings_of(above)) for text, above in zip(texts, given, strict=True)]
        questions = [self._questions(text, some) for text, some in zip(texts, listed, strict=True)]
        answers = self._answers({shown: about for some in questions for _, shown, about in some})
        return [self._extraction(*each, answers) for each in zip(texts, listed, questions, strict=True)]

    async def aextract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what `extract` does, in a thread of its own: the event loop is not blocked."""
        return await asyncio.to_thread(self.extract, texts, metadatas)

    def forget(self, texts: Sequence[str]) -> None:
        """Erase what the cache holds of these texts, whichever model said it."""
        if self._cache is not None:
            parts = (text[s.start : s.end] for text in texts for s in statements(text))
            self._cache.forget([digest(part) for part in (*texts, *parts)])

    def __repr__(self) -> str:
        return f"LLMExtractor({type(self._model.model).__name__}, prompt='{self.prompt.name}.v{self.prompt.version}')"

    def _questions(self, text: str, listed: Sequence[Statement]) -> list[_Question]:
        size = 1 if self.triples == "one" else _MOST
        asked = [s for n, s in enumerate(listed) if not _unasked(text, listed, n)]
        asked = [s._replace(headings=tuple(h for h in s.headings if not WHEN.match(h))) for s in asked]
        made: list[_Question] = []
        for some in (asked[n : n + size] for n in range(0, len(asked), size)):
            under = (f"[Under: {' > '.join(s.headings)}] " if s.headings else "" for s in some)
            lines = (u + " ".join(text[s.start : s.end].split()) for u, s in zip(under, some, strict=True))
            shown = "\n".join(("Statements:", *(f"{n}. {line}" for n, line in enumerate(lines, 1))))
            made.append((some, shown, digest(text[some[0].start : some[0].end] if size == 1 else text)))
        return made

    def _answers(self, sources: Mapping[str, bytes]) -> dict[str, Any]:
        """Return the answers to questions, from the cache or from the model: triples, or why there are none."""
        keys = {shown: digest(self._told or "", self.prompt.sha256, self._system, shown) for shown in sources}
        known = {} if self._cache is None else self._cache.get(keys.values())
        found: dict[str, Any] = {q: [Triple(**t) for t in known[key]] for q, key in keys.items() if key in known}
        self.stats.update(asked=len(keys), cached=len(found))
        missing = [q for q in keys if q not in found]
        size = _CHUNK * self._model.most
        for chunk in (missing[n : n + size] for n in range(0, len(missing), size)):
            answers = dict(zip(chunk, self._model.ask(self._system, chunk), strict=True))
            good = {q: answer for q, answer in answers.items() if isinstance(answer, list)}
            found |= answers
            if not good:  # the server is down, or the model can't: the rest is not asked
                return {**dict.fromkeys(missing, answers[chunk[-1]]), **found}
            if self._cache is not None:
                self._cache.put((keys[q], sources[q], [t.model_dump() for t in a]) for q, a in good.items())
        return found

    def _extraction(
        self, text: str, listed: Sequence[Statement], questions: Sequence[_Question], answers: Mapping[str, Any]
    ) -> Extraction:
        rule = f"llm:{self.prompt.name}@{self.prompt.sha256[:8]}"
        trusting, anything = self.grounding == "value", self._unknown == "functional"
        facts: dict[tuple[Any, ...], KeyedFact] = {}
        unread = [(s.start, s.end, why) for n, s in enumerate(listed) if (why := _unasked(text, listed, n)).strip()]
        for asked, shown, _ in questions:
            failed = isinstance(answers[shown], BaseException)
            why = self._failed(answers[shown]) if failed else "the model states no fact of it"
            for n, s in enumerate(asked, 1):
                said = [] if failed else [t for t in answers[shown] if t.n == n or len(asked) == 1]
                unread += [] if said else [(s.start, s.end, why)]
                for t in said[:1] if self.triples == "one" else said:
                    read = ground(text, s, t, self._vocabulary, rule=rule, trusting=trusting, anything=anything)
                    if isinstance(read, str):
                        self.stats[f"rejected: {read.partition(':')[0]}"] += 1
                        unread.append((s.start, s.end, f"({t.subject}, {t.relation}, {t.value}): {read}"))
                    else:
                        facts[read.key, read.value, read.kind, read.span] = read
        gone = contradicted(list(facts.values()))
        unread += [(*f.span, "the text states two values of it") for f in gone]
        kept = tuple(f for f in facts.values() if f not in gone)
        self.stats["facts"] += len(kept)
        told = {f.span for f in kept if f.cardinality == "functional"}
        stated = (tokenize(text[s.start : s.end]) for s in listed if s.kind not in ("heading", "mark"))
        whole = len(told) >= sum(max(len(clauses(tokens)), 1) for tokens in stated)
        return Extraction(kept, not (kept and whole), tuple(sorted(unread)))

    def _failed(self, error: BaseException) -> str:
        why = f"no answer from the model: {type(error).__name__}: {error}"
        if self.on_error == "raise":
            raise ExtractionError(why) from error
        if not self.stats["failed"]:
            logger.warning('kept as prose, without a fact (said once; on_error="raise" makes it an error): %s', why)
        self.stats["failed"] += 1
        return why


def _unasked(text: str, listed: Sequence[Statement], n: int) -> str:
    """Return why a model is not asked about a statement: empty if it is, blank if there is nothing to ask."""
    kind, said = listed[n].kind, text[listed[n].start : listed[n].end]
    short = {"heading": " ", "mark": " ", "row": "a row of a table"}.get(kind, "" if " " in said else "a single word")
    return short or ("a question" if said.endswith("?") else unheard(text, listed, n))
