"""Whose fact it is: headings, sources, aliases, and the relations of a user."""

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.errors import InvalidInputError
from memstrata_integrations.ledger.facts import Cardinality

from .pairs import ended, entries, fact_of, rows

CONFINED = {
    "": """
        Ann Lee lives in Oslo. ;; The port of Teal is 80. ;; The billing API of Globex listens on port 80.
        /etc/teal.conf is owned by Ann. ;; Globex's CEO is Ann Lee. ;; Mrs. Keller's temperature is 37 °C.
        db-1 listens on port 5432. ;; Owner of Teal: Ann ;; The port of node-1 is 80.
        The Harbor API listens on port 80. ;; The port of the Harbor API is 80. ;; The Teal database's port is 80.""",
    "described": """
        The CEO is Ann Lee. ;; The refund window is 30 days. ;; The main database is hosted on Heroku.
        The release manager is Tove. ;; Teal listens on port 80. ;; Teal now listens on port 80.
        Teal no longer listens on port 80. ;; The Interest Rate is 5 %. ;; The patient's HbA1c is 6.8 %.
        The Docker image is 120 MB. ;; The Wi-Fi password is `tern-22`. ;; `MAX_BATCH` is 32. ;; MAX_BATCH is 32.
        MAX_SIZE of `upload()` is 5. ;; In Oslo, the fee is 5 euros. ;; The office in Oslo opens at 8:00.
        Health checks are answered under /healthz.
        A pot of Darjeeling costs £4.50. ;; A: Delivery takes two days.""",
    "bare": """
        The port is 80. ;; The status is open. ;; The version is 2.1. ;; I live in Oslo. ;; My rent is 900 euros.
        Our GP is Dr. Moen. ;; port: 80 ;; TIMEOUT=30 ;; Status: open ;; Invoice Number: 17 ;; Caesar Salad: $12
        My Wi-Fi password is `tern-22`.""",
}


@pytest.mark.parametrize(
    ("confined", "text"), [(confined, text) for confined, texts in CONFINED.items() for text in entries(texts)]
)
def test_a_subject_that_names_no_entity_is_confined(confined: str, text: str) -> None:
    fact = fact_of(text)
    assert fact is not None
    assert fact.confined == confined


HEADED = {
    True: """
        Owner: [Ann Lee|Bo Falk]\\nIt is a bird. ;; Status: [open|closed]\\nThe printer is stuck.
        # Kite\\n\\nThe port is [80|81]. ;; # Kite\\n\\nPort: [80|81] ;; # [Kite|Tern]\\n\\nThe port of Teal is [80|81].
        # [1.2.0 (2024-03-01)|1.3.0 (2024-06-01)]\\n\\nThe refund is [30|20] euros.
        # [2024-03-01|2024-06-01]\\n\\nThe port is [80|81]. ;; # [Unreleased|v2.0]\\n\\nThe port is [80|81].
        # Changelog\\n\\n## [1.0|1.1]\\n\\nThe port is [80|81].
        [staging]\\nport = 80 || [staging]\\nport = 81
        | service | port |\\n|---|---|\\n| kite | 80 | || | service | port |\\n|---|---|\\n| kite | 81 |""",
    False: """
        # [Kite|Tern]\\n\\nThe Base Port is [80|81]. ;; **Flat at [Elm Road 1|Am Bach 3]**\\n\\nThe rent is €[890|940].
        [Kite|Tern]\\n\\nThe port is [80|81]. ;; Title: [Kite|Tern]\\n\\nThe port is [80|81].
        Ticket #[1|2]\\nSubject: VPN\\n\\nThe port is [80|81]. ;; From: [Ann|Bo]\\nTo: Kim\\n\\nThe port is [80|81].
        # Ports\\n\\nOverview.\\n\\n**[Kite|Tern]**\\n\\nThe port is [80|81]. ;; Title: [Kite|Tern]\\n\\nIt is a bird.
        Title: [Kite|Tern]\\nThe port is [80|81]. ;; Tractor: [Kite|Tern]\\nThe port is [80|81]. The bird is here.
        # [Kite|Tern]\\n\\nThe port is [80|81]. ;; # [Kite|Tern]\\n\\nPort: [80|81]
        # [12A|12B]\\n\\nThe port is [80|81]. ;; # [101|102]\\n\\nThe port is [80|81].
        # [2024|2025]\\n\\nThe port is [80|81]. ;; # [v1|v2]\\n\\nThe port is [80|81].
        # [#1|#2]\\n\\nThe port is [80|81].
        # [3.2|3.3]\\n\\nThe port is [80|81].
        [Staging|Production]:\\n\\n- port: [80|81] ;; [staging]\\nport = 80 || [production]\\nport = 81
        | service | port |\\n|---|---|\\n| kite | 80 | || | service | port |\\n|---|---|\\n| tern | 81 |
        | service | port |\\n|---|---|\\n| kite | 80 | || | service | replicas |\\n|---|---|\\n| kite | 81 |""",
}


@pytest.mark.parametrize(
    ("first", "second", "same"), [(*pair, same) for same, pairs in HEADED.items() for pair in rows(pairs)]
)
def test_headings_complete_a_subject_that_names_nothing(first: str, second: str, same: bool) -> None:
    assert bool(ended(first, second)) is same


FUNCTIONAL = ("author of", "was founded by", "mirrors", "pet", "is sponsored by")
USERS: dict[str, Cardinality] = {**dict.fromkeys(FUNCTIONAL, "functional"), "works for": "set"}
OWN = GrammarExtractor(cardinalities=USERS)


@pytest.mark.parametrize(("first", "second"), rows("""
    The author of Dune is [Frank Herbert|Bo Falk]. ;; Corrie was founded by [Ann Lee|Bo Falk].
    replica-2 mirrors [primary-1|primary-3]. ;; Tom's pet is [Rex|Bo]. ;; Corrie is sponsored by [Globex|Hooli].
    Dune's author is Frank Herbert. || The author of Dune is Bo Falk.
    Frank Herbert is the author of Dune. || The author of Dune is Bo Falk.
"""))  # fmt: skip
def test_a_user_names_relations_as_people_say_them(first: str, second: str) -> None:
    assert ended(first, second, OWN)
    assert not ended(
        first, second.replace("Dune", "Emma").replace("Corrie", "Wren").replace("2", "4").replace("Tom", "Tim"), OWN
    )


def test_a_user_may_say_that_a_relation_has_several_values() -> None:
    assert ended("Tom works for Globex.", "Tom works for Hooli.")
    assert not ended("Tom works for Globex.", "Tom works for Hooli.", OWN)


@pytest.mark.parametrize(("first", "second"), rows("""
    The capital of France is [Paris|Lyon]. ;; Tom speaks [Danish|Dutch]. ;; Goliath is a [Christian|Hindu].
    The spouse of Ann is [Bo|Kim].
"""))  # fmt: skip
def test_curated_facts_have_one_value_each_where_the_user_says_so(first: str, second: str) -> None:
    assert ended(first, second, GrammarExtractor(unknown="functional"))


def test_aliases_canonicalise_and_add_nothing() -> None:
    grammar = GrammarExtractor(aliases={"k8s": "kubernetes", "the Bert service": "bert"})
    assert ended("The version of k8s is 1.29.", "The version of Kubernetes is 1.30.", grammar)
    assert not ended("The version of k8s is 1.29.", "The version of Kubernetes is 1.30.")
    assert ended("The port of the Bert service is 80.", "The port of Bert is 81.", grammar)
    assert not ended("The port of k8sx is 80.", "The port of kubernetes is 81.", grammar)


@pytest.mark.parametrize("options", [
    {"unknown": "perhaps"}, {"cardinalities": {"": "functional"}}, {"cardinalities": {"author of": "single"}},
    {"cardinalities": {3: "functional"}}, {"aliases": {"k8s": ""}}, {"aliases": {"a": "b", "b": "c"}},
    {"aliases": {3: "b"}},
])  # fmt: skip
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError):
        GrammarExtractor(**options)  # type: ignore[arg-type]


def test_typed_values_retire_in_frames_and_names_do_not() -> None:
    assert ended("The heron queue drains after 30 seconds.", "The heron queue drains after 60 seconds.")
    assert ended("The importer reads /srv/a.csv.", "The importer reads /srv/b.csv.") == []
    assert not ended("The heron queue drains into Rabbit.", "The heron queue drains into Kafka.")
    assert not ended("Rust is the language of teal.", "Go is the problem of teal.")


def test_one_text_that_states_two_values_of_a_key_states_neither() -> None:
    [extraction] = GrammarExtractor().extract(["The port of Teal is 80. The port of Teal is 81."])
    assert extraction.facts == ()
    assert extraction.prose
    assert {why for *_, why in extraction.unread} == {"the text states two values of it"}
