"""The roles of an evaluation, played by chat models.

What a model says counts as far as it can be read and quotes what it was given. What does not is rejected, counted by
role in `Roles.troubles`, and replaced by what does least harm:

* a reader's answer, a judgement: unscored;
* a relevance, or a SUPPORTED or CONFLICTS that quotes nothing of the candidate: IRRELEVANT, since support needs proof;
* a comparison of the gate, one with a text that it was not shown, or a merge that holds a value of neither text: novel,
  so that nothing is lost;
* a check whether something could be inferred: it could not; candidates of a turn: the turn as it stands;
* grades: all the same, so that the order stays.
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel

from eval.metrics import mentions, packed
from eval.models.asking import AskedModel, Asking, asked_model
from eval.models.offline import as_it_stands, fabricated
from eval.spec import Abstention, Answer, Compared, Passage, Relevance, Roles, Spent, Trouble, Verdict
from memstrata_integrations.prompts import Prompt, load_prompt

logger = logging.getLogger(__name__)

REFERENCE = "ollama:qwen2.5-coder:7b"
REFERENCE_JUDGE = "ollama:qwen2.5-coder:3b"
FABRICATION_JUDGE = "ollama:llama3.2:3b"

_PROMPTS = (
    "answer", "consolidate", "extract", "gate_judge", "infer_check", "judge_correctness", "judge_fabrication", "rerank",
    "verify",
)  # fmt: skip
_FREE = Prompt("somebody else's", 1, "", "", schema={"type": "object"})
_UNREADABLE = "unreadable"
_LEAST, _MIDDLE = 1.0, 5.0  # of the grades from 1 to 10


@dataclass(frozen=True, slots=True)
class _Models:
    """Who plays what, and what it cost."""

    llm: AskedModel
    judge: AskedModel
    fabrication_judge: AskedModel
    verifying: AskedModel
    prompts: dict[str, Prompt]
    troubles: list[Trouble]
    on_write: Spent = field(default_factory=Spent)
    on_read: Spent = field(default_factory=Spent)

    def reject(self, role: str) -> None:
        """Count an answer that is no use."""
        self.troubles.append(Trouble(role, "rests on nothing that it was given"))

    def rests(self, role: str, text: str, found: dict[str, Any]) -> bool:
        """Whether an answer quotes a piece of the text; one that does not is counted."""
        if not _quotes(text, found):
            self.reject(role)
            return False
        return True

    def answer(self, question: str, passages: Sequence[Passage], *, abstention: Abstention) -> Answer:
        """Answer from the passages; without any, from the question alone."""
        told = f"Question: {question}\n\nPassages:\n{packed(passages) or '(none)'}"
        found = self.llm.ask(self.prompts["answer"], told, self.on_read, abstention=abstention)
        if found is None:
            return Answer(None, _UNREADABLE)
        text = found["answer"].strip()
        if not text or (found["abstain"] and abstention == "allowed"):
            return Answer(None, "abstained")
        return Answer(text, "answered")

    def correctness(
        self, question: str, accepted: Sequence[str], stale: Sequence[str], answer: Answer
    ) -> Verdict | None:
        """Judge an answer; an abstention needs no judge."""
        if answer.text is None:
            if answer.reason == _UNREADABLE:
                return None
            return "abstained" if accepted else "correct"
        told = _fields(question=question, accepted=list(accepted), superseded=list(stale), answer=answer.text)
        found = self.judge.ask(self.prompts["judge_correctness"], told)
        if found is None or not self.rests("correctness", answer.text, found):
            return None
        verdict: Verdict = found["verdict"]
        return "correct" if verdict == "abstained" and not accepted else verdict

    def fabrication(self, question: str, passages: Sequence[Passage], answer: Answer) -> bool | None:
        """Judge whether an answer holds what the passages do not."""
        if answer.text is None:
            return False
        told = _fields(question=question, passages=[passage.text for passage in passages], answer=answer.text)
        found = self.fabrication_judge.ask(self.prompts["judge_fabrication"], told)
        if found is None or (found["fabricated"] and not self.rests("fabrication", answer.text, found)):
            return None
        return bool(found["fabricated"])

    def verifier(self, question: str, text: str, rules: Sequence[str]) -> Relevance:
        """Say whether a candidate may be used, and goes against no locked rule."""
        told = _fields(question=question, rules=list(rules), candidate=text)
        found = self.verifying.ask(self.prompts["verify"], told, self.on_read)
        if found is None or (found["verdict"] != "IRRELEVANT" and not self.rests("verifier", text, found)):
            return "IRRELEVANT"
        relevance: Relevance = found["verdict"]
        return relevance

    def gate_judge(self, new: str, stored: Sequence[str]) -> Compared:
        """Compare a new text with stored ones; a merged text that is no merge is made once more by `consolidate`."""
        told = _fields(new=new, stored=dict(enumerate(stored, 1)))
        found = self.llm.ask(self.prompts["gate_judge"], told, self.on_write)
        if found is None or found["verdict"] == "novel":
            return Compared("novel")
        if not 1 <= found["n"] <= len(stored):
            self.reject("gate_judge")
            return Compared("novel")
        place = found["n"] - 1
        if found["verdict"] != "merge":
            return Compared(found["verdict"], place)
        merged = found["merged"].strip()
        if not _merges(merged, new, stored[place]):
            told = f"1. {stored[place]}\n2. {new}"
            merged = (self.llm.ask(self.prompts["consolidate"], told, self.on_write) or {"text": ""})["text"].strip()
        if not _merges(merged, new, stored[place]):
            self.reject("gate_judge")
            return Compared("novel")
        return Compared("merge", place, merged)

    def ask(self, messages: list[tuple[str, str]]) -> str | None:
        """Return the JSON text that the answering model gives to messages of somebody else."""

        def read(text: str) -> str:
            json.loads(text)
            return text

        return self.llm.said(messages, _FREE, read, self.on_write)

    def inferable(self, text: str) -> bool:
        """Say whether a model would know it anyway."""
        found = self.llm.ask(self.prompts["infer_check"], text, self.on_write)
        return found is not None and bool(found["inferable"])

    def candidates(self, text: str) -> Sequence[str]:
        """Return the statements of a turn that are worth keeping."""
        found = self.llm.ask(self.prompts["extract"], text, self.on_write)
        if found is None:
            return as_it_stands(text)
        real = [one["text"].strip() for one in found["statements"] if self.rests("candidates", text, one)]
        return [statement for statement in real if statement]

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Grade texts from 1 to 10; one that got no grade has the least."""
        if not texts:
            return []
        told = _fields(question=question, documents=dict(enumerate(texts, 1)))
        found = self.llm.ask(self.prompts["rerank"], told, self.on_read)
        grades = {one["n"]: float(one["relevance"]) for one in (found or {"scores": []})["scores"]}
        if grades.keys().isdisjoint(range(1, len(texts) + 1)):
            if found is not None:
                self.reject("rerank")
            return [_MIDDLE] * len(texts)
        return [grades.get(number, _LEAST) for number in range(1, len(texts) + 1)]


def chat_roles(
    llm: str | BaseChatModel = REFERENCE,
    *,
    judge: str | BaseChatModel | None = None,
    fabrication_judge: str | BaseChatModel | None = None,
    verifier: str | BaseChatModel | None = None,
    base_url: str | None = None,
    asking: Asking | None = None,
) -> Roles:
    """Return the roles as chat models, each asked for a word first; a warning says which of them grade themselves.

    Args:
        llm: Answers, compares, extracts, reranks: see `eval.models.asking.asked_model`.
        judge: Of correctness; `REFERENCE_JUDGE` beside an Ollama model, else the answering model itself.
        fabrication_judge: `FABRICATION_JUDGE` beside an Ollama model, else the judge.
        verifier: The judge, unless given.
        base_url: Where Ollama answers.
        asking: What the models share: limits, cache, troubles.

    Raises:
        InvalidInputError: If a name is that of no model.
        MissingDependencyError: If a model is not there, its server does not answer, or a package is missing.
    """
    local = isinstance(llm, str) and llm.startswith("ollama:")
    judge = judge or (REFERENCE_JUDGE if local else llm)
    fabrication_judge = fabrication_judge or (FABRICATION_JUDGE if local else judge)
    verifier = verifier or judge
    asking = asking or Asking()
    prompts = {name: load_prompt(name) for name in _PROMPTS}
    models = _asked((llm, judge, fabrication_judge, verifier), base_url, asking)
    answering, judging, judging_fabrication, verifying = models
    _warn_of_coinciding(answering, judging, judging_fabrication, verifying)
    of = _Models(answering, judging, judging_fabrication, verifying, prompts, asking.troubles)
    graders = {"correctness": judging, "fabrication": judging_fabrication, "verifier": verifying}
    answerers = dict.fromkeys(("reader", "gate_judge", "inferable", "candidates", "rerank"), answering)
    return Roles(
        reader=of,
        correctness=of.correctness,
        fabrication=of.fabrication,
        verifier=of.verifier,
        gate_judge=of.gate_judge,
        inferable=of.inferable,
        candidates=of.candidates,
        rerank=of.rerank,
        ask=of.ask,
        on_write=of.on_write,
        on_read=of.on_read,
        names={role: model.name for role, model in {**answerers, **graders}.items()},
        prompts={name: f"{prompt.version}:{prompt.sha256}" for name, prompt in prompts.items()},
        troubles=asking.troubles,
    )


def _asked(models: Sequence[str | BaseChatModel], base_url: str | None, asking: Asking) -> list[AskedModel]:
    """Return the models, equal ones as one, each of which has answered."""
    made: list[tuple[str | BaseChatModel, AskedModel]] = []
    for model in models:
        if not any(model == known for known, _ in made):
            asked = asked_model(model, base_url=base_url, asking=asking)
            asked.check()
            made.append((model, asked))
    return [next(asked for known, asked in made if known == model) for model in models]


def _warn_of_coinciding(*models: AskedModel) -> None:
    parts: dict[str, list[str]] = {}
    for model, part in zip(models, ("answers", "judges correctness", "judges fabrication", "verifies"), strict=True):
        parts.setdefault(model.name, []).append(part)
    for name, several in parts.items():
        if len(several) > 1:
            logger.warning("%s %s: what it gets wrong, it may also let pass", name, " and ".join(several))


def _fields(**told: Any) -> str:
    """Return named inputs, each as JSON, so that no text can be taken for the next field."""
    return "\n".join(f"{name.capitalize()}: {json.dumps(value, ensure_ascii=False)}" for name, value in told.items())


def _quotes(text: str, found: dict[str, Any]) -> bool:
    """Whether an answer quotes a piece of the text."""
    return mentions(text, [found["quote"]])


def _merges(merged: str, new: str, stored: str) -> bool:
    """Whether a merged text has no value that neither text has."""
    return bool(merged) and not fabricated("", [Passage(new), Passage(stored)], Answer(merged))
