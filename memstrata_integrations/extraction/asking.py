"""Putting statements to a model: batches, retries, broken answers; run here or on an event loop."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, NamedTuple

from memstrata_integrations.extraction.answers import LLMStats, parse_answer, stored, triples_of
from memstrata_integrations.extraction.cache import AnswerCache
from memstrata_integrations.extraction.grounding import Triple
from memstrata_integrations.extraction.models import ChatModel, ExtractionError, Failure, Message

__all__ = ["Answers", "Asker", "Question"]

logger = logging.getLogger(__name__)

_FIRST_PAUSE_S = 0.5  # before the first retry; twice as long before each further one
_LONGEST_PAUSE_S = 30.0
# Batches of one call that fail in a row, or single statements without a readable answer: the rest is not asked
_GIVE_UP_AFTER = 3
_AGAIN = "That is not the JSON asked for. Answer again with nothing but the JSON, one entry for every statement."

Answers = dict[int, list[Triple]]
"""What a model said of each question, by the question's place; one that got no answer is not in it."""


class Question(NamedTuple):
    """One distinct statement to ask about.

    Attributes:
        prompt: What the model sees of it.
        key: What its answer is cached under.
    """

    prompt: str
    key: bytes


class _Ask(NamedTuple):
    messages: list[Message]


class _Pause(NamedTuple):
    seconds: float


_Talk = Generator["_Ask | _Pause", str, Answers]


class _UnansweredError(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Asker:
    """Asks one model with one prompt.

    A request that fails for the connection, a time-out or a busy server is repeated, after pauses
    that double. An answer that is no JSON is asked for once more, then for half of the statements
    at a time, until three single statements in a row got none. What gets no answer in the end is
    counted and warned of once, or raised.
    """

    def __init__(
        self,
        model: ChatModel,
        system: str,
        stats: LLMStats,
        cache: AnswerCache | None,
        *,
        most_triples: int | None,
        max_concurrency: int,
        batch_size: int,
        retries: int,
        on_error: Literal["prose", "raise"],
        progress: bool,
        sleep: Callable[[float], None],
    ) -> None:
        """Set up; the arguments are those of `LLMExtractor`.

        Args:
            model: The model.
            system: The prompt, rendered.
            stats: Where to count.
            cache: Where answers are kept, if anywhere.
            most_triples: How many facts of one statement the prompt asks for.
            max_concurrency, batch_size, retries, on_error, progress, sleep: As of `LLMExtractor`.
        """
        self.model, self.stats, self.cache = model, stats, cache
        self._system, self._most = system, most_triples
        self._concurrency, self._batch_size, self._retries = max_concurrency, batch_size, retries
        self._on_error, self._progress, self._sleep = on_error, progress, sleep
        self.warned = threading.Event()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "warned": self.warned.is_set()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, warned=threading.Event())
        if state["warned"]:
            self.warned.set()

    def ask(self, questions: Sequence[Question]) -> Answers:
        """Return the answers to questions, from the cache or from the model.

        Raises:
            ExtractionError: If some get none, and ``on_error="raise"``.
        """
        known = self._known(questions)
        batches = self._batches(questions, known)
        if not batches:
            return known
        call = _Call(len(batches), sum(map(len, batches)), self._progress)

        def work(batch: Sequence[int]) -> Answers:
            if call.given_up:
                return self._failed(batch, call, None)
            try:
                return self._answered(questions, batch, self._drive(self._talk(questions, batch, call)), call)
            except _UnansweredError as error:
                return self._failed(batch, call, error)

        with call:
            if len(batches) == 1 or self._concurrency == 1:
                return _joined([known, *(work(batch) for batch in batches)])
            with ThreadPoolExecutor(min(self._concurrency, len(batches)), "memstrata-extract") as pool:
                contexts = [contextvars.copy_context() for _ in batches]
                futures = [pool.submit(c.run, work, b) for c, b in zip(contexts, batches, strict=True)]
                try:
                    return _joined([known, *(f.result() for f in futures)])
                finally:
                    for future in futures:  # after an error the rest need not be asked
                        future.cancel()

    async def aask(self, questions: Sequence[Question]) -> Answers:
        """Return what `ask` does, without blocking the event loop."""
        known = await asyncio.to_thread(self._known, questions)
        batches = self._batches(questions, known)
        if not batches:
            return known
        call = _Call(len(batches), sum(map(len, batches)), self._progress)
        gate = asyncio.Semaphore(self._concurrency)

        async def work(batch: Sequence[int]) -> Answers:
            async with gate:
                if call.given_up:
                    return self._failed(batch, call, None)
                try:
                    found = await self._adrive(self._talk(questions, batch, call))
                except _UnansweredError as error:
                    return self._failed(batch, call, error)
                return await asyncio.to_thread(self._answered, questions, batch, found, call)

        with call:
            tasks = [asyncio.ensure_future(work(batch)) for batch in batches]
            try:
                return _joined([known, *await asyncio.gather(*tasks)])
            finally:
                for task in tasks:
                    task.cancel()

    # -- one batch --------------------------------------------------------------------------

    def _talk(self, questions: Sequence[Question], batch: Sequence[int], call: _Call) -> _Talk:
        """Get the answers to some questions: what to ask, and what to do with what comes back."""
        numbered = "\n".join(f"{n}. {questions[place].prompt}" for n, place in enumerate(batch, 1))
        messages: list[Message] = [("system", self._system), ("human", f"Statements:\n{numbered}")]
        entries = None
        for trial in range(2):
            answer = yield from self._request(messages)
            entries = parse_answer(answer, len(batch))
            if entries is not None:
                break
            self.stats.add(unparsed=1)
            if not trial:
                messages += [("ai", answer[:4000] or "(nothing)"), ("human", _AGAIN)]
        if entries is not None:
            call.understood()
            found: Answers = {}
            for n, place in enumerate(batch):
                found[place], malformed = triples_of(entries.get(n), self._most)
                self.stats.add(malformed=malformed)
            return found
        if len(batch) > 1:
            half = len(batch) // 2
            first = yield from self._talk(questions, batch[:half], call)
            second = {} if call.given_up else (yield from self._talk(questions, batch[half:], call))
            return {**first, **second}
        call.misunderstood()
        return {}

    def _request(self, messages: list[Message]) -> Generator[_Ask | _Pause, str, str]:
        """Ask, and ask again where that may help."""
        trial = 0
        while True:
            try:
                return (yield _Ask(messages))
            except Exception as error:
                failure = self.model.failure(error)
                if not failure.transient or trial == self._retries:
                    raise _UnansweredError(failure) from error
            self.stats.add(retries=1)
            yield _Pause(min(_FIRST_PAUSE_S * 2**trial, _LONGEST_PAUSE_S))
            trial += 1

    def _drive(self, talk: _Talk) -> Answers:
        """Let a conversation take its course, here and now."""
        step: _Ask | _Pause | Answers = next(talk)
        while isinstance(step, (_Ask, _Pause)):
            try:
                answer = ""
                if isinstance(step, _Pause):
                    self._sleep(step.seconds)
                else:
                    self.stats.add(requests=1)
                    answer = self.model.ask(step.messages)
            except Exception as error:
                step = _step(talk.throw, error)
            else:
                step = _step(talk.send, answer)
        return step

    async def _adrive(self, talk: _Talk) -> Answers:
        """Let a conversation take its course on the event loop."""
        step: _Ask | _Pause | Answers = next(talk)
        while isinstance(step, (_Ask, _Pause)):
            try:
                answer = ""
                if isinstance(step, _Ask):
                    self.stats.add(requests=1)
                    answer = await self.model.aask(step.messages)
                elif self._sleep is time.sleep:
                    await asyncio.sleep(step.seconds)
                else:
                    self._sleep(step.seconds)
            except Exception as error:
                step = _step(talk.throw, error)
            else:
                step = _step(talk.send, answer)
        return step

    # -- around it --------------------------------------------------------------------------

    def _known(self, questions: Sequence[Question]) -> Answers:
        if self.cache is None or not questions:
            return {}
        kept = self.cache.get_many([q.key for q in questions])
        found = {n: triples_of(kept[q.key], self._most)[0] for n, q in enumerate(questions) if q.key in kept}
        self.stats.add(cached=len(found))
        return found

    def _batches(self, questions: Sequence[Question], known: Answers) -> list[list[int]]:
        unknown = [n for n in range(len(questions)) if n not in known]
        return [unknown[n : n + self._batch_size] for n in range(0, len(unknown), self._batch_size)]

    def _answered(self, questions: Sequence[Question], batch: Sequence[int], found: Answers, call: _Call) -> Answers:
        call.done(len(batch), failed=False)
        if self.cache is not None:
            self.cache.put_many((questions[n].key, stored(triples)) for n, triples in found.items())
        if len(found) < len(batch):
            self._give_up(
                len(batch) - len(found),
                f"{self.model.name!r} answers, but not with the JSON that is asked for: take a model that follows a "
                "schema, or a shorter batch_size=",
                None,
            )
        return found

    def _failed(self, batch: Sequence[int], call: _Call, error: _UnansweredError | None) -> Answers:
        """Account for questions that got no answer at all."""
        # a server that isn't there, or lacks the model, will not have come or got it by the next batch
        hopeless = error is None or error.failure.kind in ("unreachable", "missing")
        call.done(len(batch), failed=True, hopeless=hopeless)
        self._give_up(len(batch), str(error) if error is not None else "an earlier request of the call failed", error)
        return {}

    def _give_up(self, count: int, reason: str, cause: BaseException | None) -> None:
        self.stats.add(failed=count)
        if self._on_error == "raise":
            raise ExtractionError(reason) from (cause.__cause__ if cause is not None else None)
        if not self.warned.is_set():
            self.warned.set()
            logger.warning(
                "statements are stored as prose, without a fact: %s. This is said once; stats.failed counts them, and "
                'on_error="raise" makes it an error',
                reason,
            )


class _Call:
    """The batches of one call: how far they are, and whether there is any hope for the rest."""

    def __init__(self, batches: int, questions: int, progress: bool) -> None:
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._unread = 0
        self._bar: Any = None
        self._questions = questions if progress else None
        self.given_up = False

    def __enter__(self) -> _Call:
        if self._questions is not None:
            from tqdm import tqdm

            self._bar = tqdm(total=self._questions, desc="reading statements", unit="statement")
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def understood(self) -> None:
        """Note that an answer was the JSON asked for."""
        with self._lock:
            self._unread = 0

    def misunderstood(self) -> None:
        """Note that even a single statement got no such answer; after some in a row nothing more is asked."""
        with self._lock:
            self._unread += 1
            self.given_up = self.given_up or self._unread >= _GIVE_UP_AFTER

    def done(self, count: int, *, failed: bool, hopeless: bool = False) -> None:
        """Note that a batch is over."""
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if failed else 0
            self.given_up = self.given_up or hopeless or self._in_a_row >= _GIVE_UP_AFTER
            if self._bar is not None:
                self._bar.update(count)


def _step(resume: Callable[[Any], _Ask | _Pause], value: Any) -> _Ask | _Pause | Answers:
    try:
        return resume(value)
    except StopIteration as end:
        found: Answers = end.value
        return found


def _joined(parts: Iterable[Answers]) -> Answers:
    return {place: triples for part in parts for place, triples in part.items()}
