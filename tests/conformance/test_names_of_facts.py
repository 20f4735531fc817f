"""What a user calls a fact, and the key under which it is held."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from memstrata_integrations import GrammarExtractor, SupersessionPolicy
from memstrata_integrations.chroma import finding
from memstrata_integrations.chroma.keying import Keying
from memstrata_integrations.ledger.facts import Fact, KeyedFact

from .doors import Door
from .stories import Step, go_through, keeps, put, refuses, retract, state, values


class Nameless:
    """The grammar, without its way to name facts."""

    extract = GrammarExtractor().extract


EMPLOYERS = ("Alice works for Acme.", "Alice's employer is Initech.")
PORTS = ("The port of the billing API is 80.", "The port of the billing API is 90.")
OSLO = ("Alice lives in Oslo.", "Alice works for Acme.")
PHONE = ("Alice's phone number is 555 1234.", "Alice lives at 5 Elm Street.")
PINS = ("numpy>=1 ; python_version>='3.9'\nuvicorn[standard]==0.2\n",)
FLASK, SERVICES = ("requests==1\nflask==2\n",), ("service:\n  port: 80\nadmin:\n  port: 81\n",)
IMAGES = ("services:\n  web:\n    image: nginx:1.24\n  api:\n    image: redis:7\n",)
RATE = "100 requests per minute"
CHAIN, NAMELESS = {"extractor": GrammarExtractor() | Nameless()}, {"extractor": Nameless()}

Names = tuple[str, ...]
FOUND: dict[str, list[tuple[Names, dict[str, Any], Names, list[str]]]] = {  # texts, how written, name, values
    "a fact is found by the noun that a sentence may put for its verb": [
        (EMPLOYERS, {}, name, ["Acme", "Initech"])
        for name in (("Alice",), ("Alice's employer",), ("the employer of Alice",), ("Alice", "works for"))
    ],
    "a relation that the sentence folded into a verb is found as it was said, and others are not": [
        (EMPLOYERS, {}, ("Alice's employer", "is"), ["Acme", "Initech"]),
        (EMPLOYERS, {}, ("Alice's employer", "listens on"), []),
    ],
    "a fact is found under all its names behind the grammar in a chain, and whoever read it": [
        (EMPLOYERS, CHAIN, ("Alice's employer",), ["Acme", "Initech"]),
        (EMPLOYERS, NAMELESS, ("Alice", "works for"), ["Acme", "Initech"]),
        (EMPLOYERS, NAMELESS, ("Alice's employer",), ["Acme", "Initech"]),
    ],
    "who asks for the employer is not told the address, nor who asks for the number": [
        (OSLO, {}, ("Alice's employer",), ["Acme"]), (PHONE, {}, ("Alice's phone number",), ["555 1234"]),
    ],
    "a subject with its noun is found in each order that people say it in": [
        (PORTS, {}, (name,), ["80", "90"])
        for name in ("billing API port", "port of the billing API", "the billing API's port")
    ],
    "where no subject is exactly this, those are found that hold its words, under the relation of the noun": [
        (("Alice Smith lives in Oslo.", "Alice Smith works for Acme."), {}, ("Alice's employer",), ["Acme"]),
    ],
    "a fact whose subject names no entity is found in its source, by its noun": [
        (("I work for Acme.",), {"place": {"source": "chat"}}, (name,), ["Acme"]) for name in ("my employer", "I")
    ],
    "an attribute is found by its name in a sentence, whatever kind of value it has": [
        ((text,), {}, (name,), [value]) for name, text, value in (
            ("Alice's address", "Alice lives at 5 Elm Street.", "5 Elm Street"),
            ("the rate limit of the API", f"The API has a rate limit of {RATE}.", RATE),
            ("the backup interval of db-1", "The backup interval of db-1 is 5 minutes.", "5 minutes"),
        )
    ],
    "a fact of a file is found by name, path and section, also if an extra or a marker belongs to its key": [
        (texts, {"place": {"source": path}}, (name,), [value]) for path, texts, name, value in (
            ("requirements.txt", PINS, "numpy", ">=1"),
            ("requirements.txt", PINS, "uvicorn", "0.2"),
            ("requirements.txt", PINS, "uvicorn[standard]", "0.2"),
            ("b/requirements.txt", FLASK, "requirements.txt requests", "1"),
            ("b/requirements.txt", FLASK, "requests in b/requirements.txt", "1"),
            ("b/requirements.txt", FLASK, "b/requirements.txt#requests", "1"),
            ("a.yaml", SERVICES, "service port", "80"),
            ("a.yaml", SERVICES, "port of the service", "80"),
            ("c.yml", IMAGES, "api image", "redis:7"),
            ("c.yml", ("image: nginx:1.24",), "nginx", "1.24"),
        )
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_history_finds_a_fact_under_its_names(name: str) -> None:
    for texts, how, named, expected in FOUND[name]:
        options = {key: value for key, value in how.items() if key != "place"}
        go_through(Door("collection", **options), [*monthly(*texts, place=how.get("place")), values(expected, *named)])


def monthly(*texts: str, place: dict[str, Any] | None = None) -> list[Step]:
    told = enumerate(texts, 1)
    return [put(text, metadatas=[place or {}], valid_from=f"2024-{n:02}-01") for n, text in told]


def tables(*cells: Sequence[str], **named: Any) -> Step:
    """A history prints one table for each fact, with these values in it."""
    words = [word for cell in cells for word in cell]

    def shown(d: Door) -> list[list[str]]:
        return sorted([w for w in words if w in t] for t in repr(d.store.history(**named)).split("\n\n"))

    return shown, sorted(map(list, cells))


SECTIONS = [{"source": "page", "section": section} for section in ("east", "west", "north")]
TIMEOUT, LISTENS = "The timeout of the billing API is 30 seconds.", "The billing API listens on port 8080."
GATEWAYS = [  # one name for a fact of the whole store, and for those of two sources
    state(Fact("gateway", "timeout", "30 s")),
    put("The gateway timeout is 10 s.", metadatas=[{"source": "kite/a.md"}]),
    put("The gateway timeout is 20 s.", metadatas=[{"source": "kite/b.md"}]),
]
TITLED = ["# Kite\n\nThe port is 1.", "# Crane\n\nThe port is 2."]
ROWS = [f"# {title}\n\n| node | port |\n| --- | --- |\n| node-1 | {n} |" for n, title in enumerate(("Kite", "Crane"))]
RETRACTED: dict[str, list[Step]] = {
    **{f"a history tells all facts of one name apart, a table for each: {named}": [
        *GATEWAYS, tables(["10 s"], ["20 s"], ["30 s"], **named),
        (lambda d, named=named: "kite/a.md" in repr(d.store.history(**named)), True),  # type: ignore[misc]
    ] for named in ({"subject": "gateway", "relation": "timeout"}, {"subject": "gateway timeout"})},
    **{f"of the facts of one name that is ended whose source is named, or whose none: {source}": [
        *GATEWAYS, refuses("'source': None", lambda d: d.store.retract("gateway", "timeout")),
        retract("gateway", "timeout", scope={"source": source}),
        (lambda d: sorted(e.object for e in d.store.history("gateway", "timeout").current), left),
    ] for source, left in (
        (None, ["10 s", "20 s"]), ("kite/a.md", ["20 s", "30 s"]), ("kite/b.md", ["10 s", "30 s"]))},
    **{f"what titles tell apart is not retracted by one name; the text says which one ends: {name}, {texts[0][-2:]}": [
        *monthly(*texts, place={"source": "a"}),
        (lambda d, name=name: len(repr(d.store.history(*name)).split("\n\n")), 2),  # type: ignore[misc]
        refuses("statement=", lambda d, name=name: d.store.retract(*name)), keeps(*texts),  # type: ignore[misc]
        refuses("states none of them", lambda d, name=name: d.store.retract(  # type: ignore[misc]
            *name, statement="The port is 1.", scope={"source": "a"})),
        retract(*name, statement=texts[0], scope={"source": "a"}), keeps(texts[1]), retract(*name), keeps(),
    ] for texts, name in ((TITLED, ("port",)), (TITLED, ("port", "is")), (ROWS, ("node-1 port",)))},

    "a fact of a file is retracted under the key that a history shows; words of it are not enough": [
        *monthly(*FLASK, place={"source": "b/requirements.txt"}),
        refuses("requests", lambda d: d.store.retract("requirements.txt requests")),
        retract("b/requirements.txt#requests"), keeps("flask==2\n"),
    ],
    "what names a part of a source narrows a retraction, with or without the source beside it": [
        put(*["The manager is Ann."] * 3, metadatas=SECTIONS), retract("the manager", scope=SECTIONS[1]),
        retract("the manager", scope={"section": "north"}),
        (lambda d: [m["section"] for m in d.store.get()["metadatas"]], ["east"]),
        refuses("separates no facts", lambda d: d.store.retract("the manager", scope={"colour": "red"})),
    ],
    "`retract` closes what the noun names, and nothing else": [
        *monthly("Alice lives in Oslo.", *EMPLOYERS),
        (lambda d: [c.old for c in d.store.retract("Alice's employer")], ["Initech"]), keeps("Alice lives in Oslo."),
    ],
    "`retract` closes nothing under a name that is not exactly a fact's, and says which names there are": [
        *monthly(TIMEOUT), refuses("'timeout of the billing API'", lambda d: d.store.retract("billing")),
        keeps(TIMEOUT),
    ],
    "values of two facts never stand in one table of a history": [
        *monthly(TIMEOUT, LISTENS), tables(["30 seconds"], ["8080"], subject="billing"),
    ],
    "`retract` of a part of several names says which facts `history` finds by it": [
        put("The Kite server listens on port 7000. The owner of Kite is Ann Lee."), values(["7000", "Ann Lee"], "Kite"),
        refuses("2 by .*: 'Kite server', 'listens on port'; 'owner of Kite', 'is'", lambda d: d.store.retract("Kite")),
    ],
    "versions under one title, and facts of several names of one subject, are retracted by one name": [
        *monthly("# Kite\n\nThe port is 1.", "# Kite\n\nThe port is 2.", place={"source": "a"}),
        retract("port"), keeps(), put(*OSLO), retract("Alice"), keeps(),
    ],
}  # fmt: skip


@pytest.mark.parametrize("story", RETRACTED)
def test_a_retraction_ends_what_its_name_means(story: str) -> None:
    go_through(Door("collection"), RETRACTED[story])


def test_an_alias_names_the_subject() -> None:
    known = [values(["6443"], name) for name in ("k8s", "Kubernetes")]
    door = Door("collection", extractor=GrammarExtractor(aliases={"k8s": "kubernetes"}))
    go_through(door, [put("Kubernetes listens on port 6443."), *known, retract("k8s", "listens on"), keeps()])


def test_no_row_is_passed_over_in_which_a_fact_goes_by_a_name() -> None:
    """What tells by the JSON of a row whether it may be meant lets each pass that is, whatever the name."""
    grammar = GrammarExtractor()
    keying = Keying(grammar, scope=(), policy=SupersessionPolicy())
    texts = {text: None for cases in FOUND.values() for said, *_ in cases for text in said}
    told = [f for found in grammar.extract(list(texts)) for f in found.facts if isinstance(f, KeyedFact)]
    said = [*((f.subject, f.relation) for f in told), ("retries of the workers", "is")]
    facts: list[Any] = [SimpleNamespace(subject=subject, relation=relation) for subject, relation in said]
    names = {named[:2] for cases in FOUND.values() for _, _, named, _ in cases} | {(f.subject,) for f in told}
    meant = 0
    for subject, relation in ((*named, None)[:2] for named in (*names, ("worker's retry",))):
        asked = finding._asked(subject, relation, keying)
        may = asked.may_be_in(keying)
        for fact in facts:
            if asked.is_exactly(fact, keying) or asked.is_within(fact, keying):
                meant += 1
                assert may(f'[0,"{fact.subject}","{fact.relation}"]'), (subject, fact)
    assert meant > len(told)
