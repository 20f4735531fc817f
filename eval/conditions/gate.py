"""The surprise gate: what is near to a stored text is a duplicate, what is far is novel, in between a judge decides."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from eval.conditions.plain import StockChroma
from eval.conditions.settings import Settings
from eval.spec import Compared, Passage, Roles, Turn


@dataclass(slots=True)
class _Origin:
    """What a stored text was made from, and what was dropped since it repeats it: ids of turns and statements."""

    made_from: list[str] = field(default_factory=list)
    repeated_by: list[tuple[str, str]] = field(default_factory=list)


class SurpriseGate(StockChroma):
    """Similarity bands and a judge decide what of a turn is stored; ``as_of`` is ignored.

    A statement whose nearest stored text has a cosine of `tau_dup` or more is dropped as its duplicate; one below
    `tau_novel` is stored. In between the judge is shown its nearest neighbours from `tau_novel` on and decides: a
    duplicate is dropped, a merge replaces the stored text by the merged one, a contradiction replaces it by the new
    statement, what is novel is stored. A merge without a text is taken as novel: in doubt nothing is lost.
    """

    def __init__(
        self,
        name: str,
        embedding: Embeddings,
        roles: Roles,
        settings: Settings,
        *,
        verify: bool = False,
        infer: bool = False,
    ) -> None:
        """Open an empty memory.

        Args:
            name: Of the condition.
            embedding: Embeds statements and questions.
            roles: Splits turns into statements, judges, and verifies.
            settings: The thresholds.
            verify: Whether each retrieved candidate must be found relevant before it is packed.
            infer: Whether statements that a model would know anyway are dropped before the gate.
        """
        super().__init__(embedding)
        self.name = name
        self._embedding = embedding
        self._roles = roles
        self._settings = settings
        self._verify, self._infer = verify, infer
        self._origins: dict[str, _Origin] = {}
        self._stored = 0

    def ingest(self, turns: Sequence[Turn]) -> None:
        """Pass each statement of each turn through the gate, one after the other."""
        told = [(turn, statement) for turn in turns for statement in self._roles.candidates(turn.text)]
        if told:
            self._embedding.embed_documents(
                [statement for _, statement in told]
            )  # in one batch: the embedder keeps them
        for turn, statement in told:
            if not (self._infer and self._roles.inferable(statement)):
                self._pass(turn, statement)

    def retrieve(self, question: str, *, k: int, as_of: datetime | None = None) -> list[Passage]:
        """Return the `k` nearest; with a verifier, those of them that it finds relevant and without conflict."""
        nearest = super().retrieve(question, k=k)
        if not self._verify:
            return nearest
        rules = self._settings.locked_rules
        return [passage for passage in nearest if self._roles.verifier(question, passage.text, rules) == "SUPPORTED"]

    def passage(self, document: Document, score: float | None = None) -> Passage:
        """Return a stored text with the turns that it was made from, and those whose dropped statement is within it."""
        origin = self._origins[str(document.id)]
        repeated = [turn for turn, statement in origin.repeated_by if statement in document.page_content]
        return Passage(document.page_content, tuple(dict.fromkeys([*origin.made_from, *repeated])), score)

    def _pass(self, turn: Turn, statement: str) -> None:
        found = self.store.similarity_search_with_score(statement, k=self._settings.neighbours)
        near = [(document, 1 - distance) for document, distance in found if 1 - distance >= self._settings.tau_novel]
        said = self._compared(statement, near)
        if said.verdict == "novel" or (said.verdict == "merge" and not said.merged):
            self._store(turn, statement)
            return
        document = near[said.place][0]
        origin = self._origins[str(document.id)]
        if said.verdict == "duplicate":
            origin.repeated_by.append((turn.id, statement))
        elif said.merged:
            origin.made_from.append(turn.id)
            self._replace(document, said.merged)
        else:
            self._origins[str(document.id)] = _Origin([turn.id])
            self._replace(document, statement)

    def _compared(self, new: str, near: Sequence[tuple[Document, float]]) -> Compared:
        if not near:
            return Compared("novel")
        if near[0][1] >= self._settings.tau_dup:
            return Compared("duplicate")
        return self._roles.gate_judge(new, [document.page_content for document, _ in near])

    def _store(self, turn: Turn, statement: str) -> None:
        self._stored += 1
        row = f"{self._stored}"
        self._origins[row] = _Origin([turn.id])
        self.store.add_documents([Document(statement, metadata=dict(turn.metadata), id=row)])

    def _replace(self, document: Document, text: str) -> None:
        """Put another text, and its vector, in the place of a stored one."""
        self.store.add_documents([Document(text, metadata=document.metadata, id=document.id)])  # stock upserts
