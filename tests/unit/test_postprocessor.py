"""`TemporalPostprocessor`: drops what is superseded from any retriever's nodes, within what was retrieved."""

import asyncio
import logging
from typing import Any

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MediaResource, Node, NodeWithScore, QueryBundle, TextNode

from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Extraction
from memstrata_integrations.ledger.policy import SupersessionPolicy
from memstrata_integrations.llama_index import TemporalPostprocessor, as_of

NOON = "2024-06-01"
A, B, C = "The API port is 8080.", "The API port is 9090.", "The API port is 7070."


def still() -> int:
    return 1_717_200_000_000_000


def scored(*texts: tuple[str, str | None] | tuple[str, str | None, dict[str, Any]]) -> list[NodeWithScore]:
    found = []
    for n, (text, date, *more) in enumerate(texts):
        metadata: dict[str, Any] = {**({} if date is None else {"date": date}), **(more[0] if more else {})}
        found.append(NodeWithScore(node=TextNode(text=text, id_=f"n{n}", metadata=metadata), score=1 - n / 10))
    return found


def kept(nodes: list[NodeWithScore], **options: Any) -> list[str]:
    made = TemporalPostprocessor(**{"clock": still, **options})
    return [n.node.get_content() for n in made.postprocess_nodes(nodes, query_str="What is the API port?")]


EARLIER, LATER, LATEST = (A, "2022-01-01"), (B, "2024-01-01"), (C, "2024-03-01")
YEARLY = [(A, "2022-01-01"), (B, "2023-01-01"), (C, "2024-01-01")]
FAIR = "The fair is on."
ENDING = [EARLIER, (B, "2023-01-01", {"until": "2023-02-01"}), (FAIR, "2023-01-01", {"until": "2023-02-01"})]
USERS = [(A, "2022-01-01", {"user": "ann"}), (B, "2024-01-01", {"user": "bob"}), (C, "2024-02-01", {"user": "bob"})]
HOURS = [(A, None, {"day": "2024-01-01T10:00:00+00:00"}), (B, None, {"day": "2024-01-01T11:30:00+02:00"})]
EPOCHS = [(A, None, {"day": 1_640_995_200}), (B, None, {"day": 1_704_067_200.5})]
MIRRORS = [("Atlas mirrors Borea.", "2022-01-01"), ("Atlas mirrors Ceres.", "2024-01-01")]
BOTH, MORE = f"{A} The API timeout is 30 seconds.", f"{A} Ferries to the mainland leave at noon."
TIMEOUT = ("The API timeout is 60 seconds.", "2024-02-01")
UNTIL: dict[str, Any] = {"valid_to_field": "until"}
APART = [
    ("The harbour opens at six in the morning.", "Nets dry on the wall."), ("Ann speaks French.", "Ann speaks Danish."),
    ("Atlas depends on Redis.", "Atlas depends on Kafka."),
    ("The staging API port is 8080.", "The production API port is 9090."), (A, "Is the API port 9090?"),
    (A, "We plan to set the API port to 9090 next year."), (A, "The API host is example.org."),
    ("The timeout is 30 seconds.", "The timeout is long."),
]  # fmt: skip


class Silent:
    def extract(self, texts: Any, metadatas: Any = None) -> list[Extraction]:
        return [Extraction() for _ in texts]


KEPT: dict[str, list[tuple[list[Any], dict[str, Any], list[str]]]] = {  # nodes, options, the texts that are left
    "of statements with one subject and relation the latest stays, in whatever order they came": [
        ([EARLIER, LATER], {}, [B]), ([LATER, EARLIER], {}, [B]), ([EARLIER, LATEST, LATER], {}, [C]),
    ],
    "a later statement that was not retrieved supersedes nothing": [([EARLIER], {}, [A])],
    "an undated statement is not dropped, and drops none": [
        ([(A, None), LATER], {}, [A, B]), ([EARLIER, (B, None)], {}, [A, B]),
        ([(A, None), (B, None)], {}, [A, B]), ([(A, ""), LATER], {}, [A, B]),
    ],
    "of two statements of one date both stay": [([(A, "2024-01-01"), LATER], {}, [A, B])],
    "a repeated statement does not supersede itself, in other words neither": [
        ([EARLIER, (A, "2024-01-01")], {}, [A, A]),
        ([EARLIER, ("The port of the API is 8080.", "2024-01-01")], {}, [A, "The port of the API is 8080."]),
    ],
    "what holds from a future date on is dropped, prose too, and supersedes nothing yet": [
        ([EARLIER, (B, "2030-01-01")], {}, [A]), ([("A fair is held.", "2030-01-01"), EARLIER], {}, [A]),
        ([EARLIER, (B, "2030-01-01")], {"as_of": "2031-01-01"}, [B]), ([(A, NOON)], {}, [A]),
    ],
    "`as_of` answers with what held then": [
        (YEARLY, {"as_of": "2021-06-01"}, []), (YEARLY, {"as_of": "2022-06-01"}, [A]),
        (YEARLY, {"as_of": "2023-01-01"}, [B]), (YEARLY, {"as_of": "2024-02-01"}, [C]),
    ],
    "with `valid_to_field` a statement ends, exclusively, and what it covered holds again": [
        (ENDING, {"as_of": "2022-06-01", **UNTIL}, [A]), (ENDING, {"as_of": "2023-01-15", **UNTIL}, [B, FAIR]),
        (ENDING, {"as_of": "2023-02-01", **UNTIL}, [A]), (ENDING, UNTIL, [A]), (ENDING, {}, [B, FAIR]),
        ([(A, None, {"until": "2023-02-01"})], UNTIL, []),
    ],
    "`valid_from_field` names the field; times of day and zones count, and epoch seconds": [
        (HOURS, {"valid_from_field": "day"}, [A]), (HOURS, {}, [A, B]), (EPOCHS, {"valid_from_field": "day"}, [B]),
    ],
    "statements with different values in a scope field never touch; with equal ones they do": [
        (USERS, {"scope": ("user",)}, [A, C]), (USERS, {}, [C]),
    ],
    **{f"a field without an entity touches nothing in another source: {field}": [(
        [("Status: open", "2022-01-01", {field: "t1"}), ("Status: closed", "2024-01-01", {field: "t2"}),
         ("Status: blocked", "2024-02-01", {field: "t1"})],
        {}, ["Status: closed", "Status: blocked"],
    )] for field in ("source", "file_path", "url", "user_id", "session_id")},
    **{f"prose, sets, qualifiers, questions and plans drop nothing, in either order of dates: {two}": [
        ([(one, dates[0]), (two, dates[1])], {}, [one, two])
        for dates in (("2022-01-01", "2024-01-01"), ("2024-01-01", "2022-01-01"))
    ] for one, two in APART},
    "a node that states several facts stays as long as one of them holds": [
        ([(BOTH, "2022-01-01"), LATER], {}, [BOTH, B]), ([(BOTH, "2022-01-01"), LATER, TIMEOUT], {}, [B, TIMEOUT[0]]),
    ],
    "a node that says more than its superseded fact stays": [([(MORE, "2022-01-01"), LATER], {}, [MORE, B])],
    "`extractor=` takes any extractor; one that reads nothing drops nothing": [
        ([EARLIER, LATER], {"extractor": Silent()}, [A, B]),
    ],
    "cardinalities and authority of a policy are those of the ledger": [
        (MIRRORS, {}, [text for text, _ in MIRRORS]),
        (MIRRORS, {"policy": SupersessionPolicy(cardinalities={"mirrors": "functional"})}, ["Atlas mirrors Ceres."]),
        ([(A, "2024-01-01", {"rank": 2}), (B, "2024-01-01", {"rank": 1})],
         {"policy": SupersessionPolicy(authority="rank")}, [A]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_what_is_left_of_retrieved_nodes(name: str) -> None:
    for nodes, options, left in KEPT[name]:
        assert kept(scored(*nodes), **options) == left


def test_order_scores_and_nodes_stay() -> None:
    nodes = scored(("Ferries leave at noon.", None), (A, "2022-01-01"), ("It rains.", "2020-01-01"), (B, "2024-01-01"))
    before = list(nodes)
    found = TemporalPostprocessor(clock=still).postprocess_nodes(nodes)
    assert [n.node.node_id for n in found] == ["n0", "n2", "n3"]
    assert [n.score for n in found] == [1.0, 0.8, 0.7]
    assert all(one is nodes[i] for one, i in zip(found, (0, 2, 3), strict=True))
    assert nodes == before
    assert nodes[0].node.metadata == {}


def test_a_block_asks_about_the_past() -> None:
    with as_of("2022-06-01"):
        assert kept(scored(*YEARLY)) == [A]
        assert kept(scored(*YEARLY), as_of="2023-06-01") == [B]
    with as_of(None, known_at="2022-06-01"):
        assert kept(scored(*YEARLY)) == [A]
    assert kept(scored(*YEARLY)) == [C]


def test_a_date_that_cannot_be_read_counts_as_none_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="memstrata_integrations"):
        assert kept(scored((A, "last spring"), LATER)) == [A, B]
    assert "last spring" in caplog.text


def test_nodes_of_other_kinds_and_templates_are_read_and_one_without_a_text_is_kept() -> None:
    dated = [Node(text_resource=MediaResource(text=text), metadata={"date": at}) for text, at in (EARLIER, LATER)]
    assert kept([NodeWithScore(node=node) for node in (*dated, Node())]) == [B, ""]
    assert TemporalPostprocessor().postprocess_nodes([]) == []
    nodes = scored(EARLIER, LATER)
    for one in nodes:
        one.node.text_template = "Is it so that {content}? {metadata_str}"  # type: ignore[attr-defined]
    assert kept(nodes) == [B]


@pytest.mark.parametrize(("argument", "value"), [("as_of", "soon"), ("scope", "user")])
def test_bad_arguments_are_refused(argument: str, value: str) -> None:
    with pytest.raises(InvalidInputError, match=value if argument == "as_of" else argument):
        TemporalPostprocessor(**{argument: value})


def test_it_is_a_node_postprocessor() -> None:
    made = TemporalPostprocessor("day", "until", "2024-01-01", ("user",))
    assert isinstance(made, BaseNodePostprocessor)
    assert made.class_name() == "TemporalPostprocessor"
    found = made.to_dict()
    assert (found["valid_from_field"], found["valid_to_field"], found["as_of"]) == ("day", "until", "2024-01-01")
    again = TemporalPostprocessor.from_dict(found)
    assert (again.valid_from_field, again.scope) == ("day", ("user",))


async def test_asynchronously() -> None:
    made = TemporalPostprocessor(clock=still)

    async def at(instant: str | None) -> list[str]:
        with as_of(instant):
            found = await made.apostprocess_nodes(scored(EARLIER, LATER), QueryBundle("port"))
        return [n.node.get_content() for n in found]

    assert await asyncio.gather(at(None), at("2023-01-01"), at("2021-01-01")) == [[B], [A], []]


def engine(**options: Any) -> Any:
    nodes = [n.node for n in scored(EARLIER, LATER, ("Nets dry on the wall.", None))]
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=4))
    dropping = [TemporalPostprocessor(clock=still, **options)]
    return index.as_query_engine(llm=MockLLM(), similarity_top_k=5, node_postprocessors=dropping)


async def test_in_a_query_engine_over_another_store() -> None:
    for options, shown, hidden in (({}, B, A), ({"as_of": "2023-01-01"}, A, B)):
        for response in (engine(**options).query("port?"), await engine(**options).aquery("port?")):
            assert shown in str(response)
            assert hidden not in str(response)
            assert {n.get_content() for n in response.source_nodes} == {shown, "Nets dry on the wall."}
    with as_of("2023-01-01"):
        assert A in str(engine().query("port?"))
