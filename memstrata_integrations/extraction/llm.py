"""Facts of free prose, read by a language model and held to what the statements say."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from memstrata_integrations.canonical import content_words
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.extraction.aliases import Aliases
from memstrata_integrations.extraction.answers import LLMStats
from memstrata_integrations.extraction.asking import Answers, Asker, Question
from memstrata_integrations.extraction.cache import AnswerCache, cache_key, default_cache_path
from memstrata_integrations.extraction.chain import (
    Composable,
    Metadatas,
    Spans,
    covers,
    in_records,
    without_contradictions,
)
from memstrata_integrations.extraction.grammar import GrammarExtractor
from memstrata_integrations.extraction.grammar import _ends_inside as ends_inside
from memstrata_integrations.extraction.grammar import _starts_inside as starts_inside
from memstrata_integrations.extraction.grounding import Reading, Rejection, Triple, asserts, ground
from memstrata_integrations.extraction.line import taken_back
from memstrata_integrations.extraction.models import ChatModel
from memstrata_integrations.extraction.sentences.asides import is_quoting
from memstrata_integrations.extraction.sentences.idioms import is_logged
from memstrata_integrations.extraction.sentences.retractions import frames_all
from memstrata_integrations.extraction.statements import Statement, statements, suppresses
from memstrata_integrations.facts import Cardinality, Extraction, Fact
from memstrata_integrations.prompts import Prompt, load_prompt
from memstrata_integrations.relations import BUILT_IN, RELATIONS, Relation, Vocabulary

__all__ = ["LLMExtractor"]


logger = logging.getLogger(__name__)

_BOUND = re.compile("[:+]")  # of a canonical subject: "from:bonn", "per:paid+account"
_REASONS: dict[Rejection, str] = {
    "object": "the object is no verbatim span of the statement",
    "subject": "the subject says what the statement doesn't, or names no one thing",
    "relation": "the relation is not in the vocabulary (relations=, cardinalities=), or not the statement's",
    "value": "the object is no value of that relation",
    "unasserted": "the statement refuses, tries or doubts it, or tells it of a while or of others",
}


class _Reading(NamedTuple):
    """One text: its statements, and those that are asked about with the places of their questions.

    `empty` says that there is no text at all, rather than headings only.
    """

    spoken: list[Statement]
    asked: list[tuple[Statement, int]]
    empty: bool


_LONGEST_WAIT = 86_400  # seconds


class LLMExtractor(Composable):
    """Reads facts with a language model; what it says counts only as far as the statement says it too.

    Statement by statement, several in one request. A triple is dropped, counted in `stats`, and logged
    at level DEBUG with the reason, when its object is no verbatim span of the statement, its subject has
    content words that the statement lacks, its relation is not in the vocabulary or the statement has no word for
    it, the statement doesn't claim that it holds (it refuses, tries or doubts it), or its value is none that the
    grammar would take in the plain sentence. Questions, plans, negations and their like are not
    asked about. The model gives no ids and no times. Fields of records and rows of tables are left to the grammar:
    ``GrammarExtractor() | LLMExtractor(model)`` asks the model only about what the grammar left.

    Args:
        chat_model: Any LangChain chat model, or a LlamaIndex LLM. For answers that come out the same
            again: temperature 0 and a seed.
        prompt: Name of a file in ``prompts/`` ("extract_triples", or "extract_triple" for one fact
            a statement), or a `Prompt`.
        relations: Relations besides those of the built-in table.
        cardinalities: Relation to how many values it has; goes before the table, which goes before
            what the model says. Only functional relations supersede; where the model says that there may be
            several values, or that it cannot tell, a fact supersedes only if it is called functional here.
        aliases: Other names of subjects, as of `GrammarExtractor`; behind one in a chain, its own count as well.
        cache: A file that keeps answers across runs and processes; `True` for
            ``~/.cache/memstrata/answers.sqlite3``, `None` or `False` for none. It holds pieces of the texts: see
            `forget`. Another model, or another parameter of it, is asked anew.
        cache_name: What the cache knows the model by, in place of what the model tells of itself. A model that
            tells nothing (a function, a class of your own without `model`) is cached only under such a name; take
            another one whenever the model changes.
        max_concurrency: Requests at a time.
        batch_size: Statements in one request.
        retries: How often a request is repeated after a lost connection, a time-out or a busy
            server, each time after a pause twice as long.
        timeout: Seconds to wait for one answer; `None` leaves that to the model's client, which may wait forever.
        on_error: "prose" stores what could not be read as prose, counts it (``stats.failed``) and
            warns once; "raise" raises `ExtractionError`.
        progress: Whether to show a progress bar.
        sleep: What waits between retries.

    Example:
        >>> class Model:  # stands for ChatOllama(model="qwen2.5-coder:7b", temperature=0, seed=0)
        ...     def invoke(self, messages):
        ...         return ('{"statements": [{"n": 1, "facts": [{"subject": "connect timeout of the mailer", '
        ...                 '"relation": "is", "object": "45 seconds", "cardinality": "functional"}]}]}')
        >>> extractor = LLMExtractor(Model())
        >>> [extraction] = extractor.extract(["For the connect timeout of the mailer they settled on 45 seconds."])
        >>> [(f.subject, f.relation, f.object, f.value) for f in extraction.facts], extraction.prose
        ([('connect mailer timeout', 'is', '45 seconds', '45')], False)
    """

    def __init__(
        self,
        chat_model: Any,
        *,
        prompt: str | Prompt = "extract_triples",
        relations: Iterable[Relation] = (),
        cardinalities: Mapping[str, Cardinality] | None = None,
        aliases: Mapping[str, str] | None = None,
        cache: str | os.PathLike[str] | AnswerCache | bool | None = None,
        cache_name: str | None = None,
        max_concurrency: int = 4,
        batch_size: int = 8,
        retries: int = 2,
        timeout: float | None = 300,
        on_error: Literal["prose", "raise"] = "prose",
        progress: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        for name, number, least in (
            ("max_concurrency", max_concurrency, 1),
            ("batch_size", batch_size, 1),
            ("retries", retries, 0),
        ):
            if isinstance(number, bool) or not isinstance(number, int) or number < least:
                raise InvalidInputError(f"{name}={number!r} must be a whole number of {least} or more")
        if timeout is not None and not (isinstance(timeout, (int, float)) and 0 < timeout <= _LONGEST_WAIT):
            raise InvalidInputError(f"timeout={timeout!r} must be seconds above 0 and at most a day, or None")
        if cache_name is not None and not (isinstance(cache_name, str) and cache_name):
            raise InvalidInputError(f"cache_name={cache_name!r} must be a name, or None")
        if on_error not in ("prose", "raise"):
            raise InvalidInputError(f"on_error={on_error!r} is neither 'prose' nor 'raise'")
        how: dict[str, Any] = {
            "max_concurrency": max_concurrency,
            "batch_size": batch_size,
            "retries": retries,
            "on_error": on_error,
            "progress": progress,
            "sleep": sleep,
        }
        self._given = {**how, "timeout": timeout, "cache_name": cache_name}
        self.prompt = prompt if isinstance(prompt, Prompt) else load_prompt(prompt)
        self._relations = tuple(relations)
        self._cardinalities = dict(cardinalities or {})
        plain = not self._relations and not self._cardinalities
        self._vocabulary = BUILT_IN if plain else Vocabulary(self._relations, self._cardinalities)
        model = ChatModel(chat_model, self.prompt.schema, timeout)
        told = model.identity() if cache_name is None else cache_name
        self._cache = _cache_of(cache, model, known=told is not None)
        system = self.prompt.render(relations=self._listed_relations())
        self.stats = LLMStats()
        most = 1 if self.prompt.name.endswith("_triple") else None
        self._asker = Asker(model, system, self.stats, self._cache, most_triples=most, **how)
        self._identity = cache_key(self.prompt.sha256, system, told or "").hex()
        self.aliases = dict(aliases or {})
        given = [r.name for r in self._relations] + list(self._cardinalities)
        known = [self._vocabulary.relation_of(name) for name in given]
        self._reading = Reading(
            self._vocabulary,
            GrammarExtractor(self._relations, self._cardinalities, aliases=aliases),
            f"llm:{self.prompt.name}@{self.prompt.sha256[:8]}",
            Aliases(aliases) if aliases else None,
            frozenset(r.name for r in known if r is not None and r.cardinality == "functional"),
        )

    @property
    def functional(self) -> tuple[str, ...]:
        """The canonical names of the relations whose facts can supersede."""
        return self._vocabulary.functional

    def with_cardinalities(self, cardinalities: Mapping[str, Cardinality]) -> LLMExtractor:
        """Return an extractor that also knows these relations; it shares this one's counts and cache."""
        return self._with(cardinalities={**self._cardinalities, **cardinalities}) if cardinalities else self

    def with_aliases(self, aliases: Mapping[str, str]) -> LLMExtractor:
        """Return an extractor that knows these names instead of its own; it shares this one's counts and cache."""
        return self._with(aliases=aliases)

    def _with(self, **changed: Any) -> LLMExtractor:
        kept: dict[str, Any] = {
            "prompt": self.prompt,
            "relations": self._relations,
            "cardinalities": self._cardinalities,
            "aliases": self.aliases,
            "cache": self._cache,
        }
        other = LLMExtractor(self._asker.model.model, **{**kept, **self._given, **changed})
        other.stats = other._asker.stats = self.stats
        other._asker.warned = self._asker.warned
        return other

    def extract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what each text states, in order; the metadata plays no part.

        Raises:
            ExtractionError: If the model cannot be asked or understood, and ``on_error="raise"``.
        """
        return self.extract_rest(texts, metadatas, [Extraction()] * len(texts))

    def extract_rest(
        self, texts: Sequence[str], metadatas: Metadatas | None, found: Sequence[Extraction]
    ) -> list[Extraction]:
        """Return what the statements state that have no fact in `found`, one result for each text."""
        readings, questions = self._read(texts, found)
        return self._facts(texts, found, readings, self._asker.ask(questions))

    async def aextract(self, texts: Sequence[str], metadatas: Metadatas | None = None) -> list[Extraction]:
        """Return what `extract` does, without blocking the event loop while the model thinks."""
        return await self.aextract_rest(texts, metadatas, [Extraction()] * len(texts))

    async def aextract_rest(
        self, texts: Sequence[str], metadatas: Metadatas | None, found: Sequence[Extraction]
    ) -> list[Extraction]:
        """Return what `extract_rest` does, without blocking the event loop while the model thinks."""
        readings, questions = self._read(texts, found)
        return self._facts(texts, found, readings, await self._asker.aask(questions))

    def forget(self, texts: Sequence[str]) -> None:
        """Erase what the cache holds of these texts, under this model and prompt."""
        if self._cache is not None:
            _, questions = self._read(texts, [Extraction()] * len(texts), count=False)
            self._cache.delete([q.key for q in questions])

    def __repr__(self) -> str:
        return f"LLMExtractor({self._asker.model!r}, prompt={f'{self.prompt.name}.v{self.prompt.version}'!r})"

    # -- what to ask ----------------------------------------------------------------------

    def _listed_relations(self) -> str:
        names = [r.name for r in RELATIONS] + [r.name for r in self._relations] + list(self._cardinalities)
        entries = [self._vocabulary.relation_of(name) for name in names]
        known = {e.name: e for e in entries if e is not None and e.slot != "none"}
        one = ", ".join(f'"{n}"' for n, e in known.items() if e.cardinality == "functional")
        many = ", ".join(f'"{n}"' for n, e in known.items() if e.cardinality != "functional")
        return f"  One value at a time: {one}.\n  Perhaps several: {many}."

    def _read(
        self, texts: Sequence[str], found: Sequence[Extraction], *, count: bool = True
    ) -> tuple[list[_Reading], list[Question]]:
        places: dict[str, int] = {}
        readings = []
        gated = asked = 0
        for text, earlier in zip(texts, found, strict=True):
            listed = list(statements(text))
            spoken = [s for s in listed if s.kind != "context"]
            quoting = any(not s.fenced for s in spoken)
            records = in_records(text, spoken)
            taken = Spans(f.span for f in earlier.facts)
            chosen = []
            for n, statement in enumerate(spoken):
                if taken.touch(statement.start, statement.end):
                    continue
                if n in records or not _readable(text, spoken, n, quoting):
                    gated += 1
                    continue
                question = _question(text, statement)
                chosen.append((statement, places.setdefault(question, len(places))))
            asked += len(chosen)
            readings.append(_Reading(spoken, chosen, not listed))
        if count:
            self.stats.add(statements=asked, gated=gated)
        return readings, [Question(q, cache_key(self._identity, q)) for q in places]

    # -- reading answers ------------------------------------------------------------------

    def _facts(
        self, texts: Sequence[str], found: Sequence[Extraction], readings: Sequence[_Reading], answers: Answers
    ) -> list[Extraction]:
        results = []
        for text, earlier, reading in zip(texts, found, readings, strict=True):
            facts: list[Fact] = []
            for statement, place in reading.asked:
                facts += self._grounded(text, statement, answers.get(place) or [])
            clear, contradicted = without_contradictions(facts)
            self.stats.add(facts=len(clear), contradictory=contradicted)
            if not reading.spoken:
                results.append(Extraction((), reading.empty))  # headings alone say nothing
                continue
            prose = contradicted > 0 or not covers(text, (*earlier.facts, *clear))
            results.append(Extraction(tuple(clear), prose))
        return results

    def _grounded(self, text: str, statement: Statement, triples: Sequence[Triple]) -> list[Fact]:
        found: dict[tuple[str, str, str, str], Fact] = {}
        for n, triple in enumerate(triples):
            beside = [t for k, t in enumerate(triples) if k != n]
            fact = ground(text, statement, triple, self._reading, beside)
            if isinstance(fact, str):
                self.stats.add(**{f"rejected_{fact}": 1})
                written = text[statement.start : statement.end]
                logger.debug("dropped %r: %s, in %r", tuple(triple[:3]), _REASONS[fact], written)
            else:
                if not content_words(_BOUND.sub(" ", fact.subject)) <= content_words(triple.subject):
                    self.stats.add(qualified=1)
                if fact.cardinality != self._vocabulary.cardinality_of(fact.relation):
                    self.stats.add(doubted=1)
                found.setdefault((fact.subject, fact.relation, fact.value, fact.dimension), fact)
        return list(found.values())


def _cache_of(
    cache: str | os.PathLike[str] | AnswerCache | bool | None, model: ChatModel, *, known: bool
) -> AnswerCache | None:
    """Return the cache, unless another model's answers may be in it."""
    if cache is None or cache is False:
        return None
    if not known:
        logger.warning(
            "answers are not cached: %r does not tell which model it is, and another one's answers may be served; "
            "cache_name= gives it a name",
            model,
        )
        return None
    if isinstance(cache, AnswerCache):
        return cache
    return AnswerCache(default_cache_path() if cache is True else cache)


def _readable(text: str, spoken: Sequence[Statement], n: int, quoting: bool) -> bool:
    """Whether a statement stands whole, in place, and may assert something."""
    statement = spoken[n]
    if statement.kind not in ("sentence", "field", "pin") or (statement.fenced and quoting):
        return False
    if suppresses(statement.headings) or is_logged(text, statement.start):
        return False
    first, following = spoken[0], spoken[n + 1] if n + 1 < len(spoken) else None
    if len(spoken) > 1 and statement.headings == first.headings and frames_all(text[first.start : first.end]):
        return False
    if taken_back(text, statement, following):
        return False
    if statement.kind == "sentence" and (
        (n == 0 and starts_inside(text, statement, len(spoken)))
        or (n == len(spoken) - 1 and ends_inside(text, statement))
    ):
        return False
    written = text[statement.start : statement.end]
    return len(written.split()) > 1 and not is_quoting(written) and asserts(written)


def _question(text: str, statement: Statement) -> str:
    """Return a statement as a model sees it: on one line, with what it stands under."""
    above = " > ".join((*statement.headings, *statement.parents))
    written = " ".join(text[statement.start : statement.end].split())
    return f"[Under: {above}] {written}" if above else written
