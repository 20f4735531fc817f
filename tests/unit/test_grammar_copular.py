"""Plain sentences and lines of what a thing has one of, whichever words it has for it, and what only describes it."""

from __future__ import annotations

import pytest

from eval.probe import retired_by, retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

# A noun, whose it is, and two values of it
ATTRIBUTES = [
    ("theme", "harvest parade", "fire", "light"),
    ("hymn", "parish", "Jubilate", "Veni"),
    ("patron saint", "guild", "Saint Alba", "Saint Cuno"),
    ("logo", "rowing club", "a heron", "an oar"),
    ("lead story", "gazette", "the strike", "the verdict"),
    ("headline sponsor", "marathon", "Velta", "Orkla"),
    ("drop-off point", "food drive", "the chapel", "the depot"),
    ("main ingredient", "stew", "barley", "lentils"),
    ("target audience", "podcast", "nurses", "teachers"),
    ("legal form", "bakery", "a cooperative", "a partnership"),
    ("heat source", "greenhouse", "gas", "a heat pump"),
    ("floor", "pantry", "slate", "oak"),
    ("finish", "cabinet", "matt", "gloss"),
    ("shape", "medal", "round", "oval"),
    ("severity", "outage", "critical", "high"),
    ("isolation level", "orders database", "read committed", "serializable"),
    ("cron expression", "cleanup job", "0 3 * * 0", "15 4 * * 1"),
    ("session store", "portal", "memcached", "Redis"),
    ("restart policy", "indexer", "always", "unless-stopped"),
    ("entry point", "plugin", "main.js", "index.mjs"),
    ("access level", "archive", "read-only", "read-write"),
    ("company car", "sales lead", "a Skoda", "a Volvo"),
    ("registered office", "charity", "9 Mill Lane, Tarn", "2 Quay Street, Tarn"),
]
SHAPES = (
    "The {noun} of the {owner} is {value}.",
    "The {owner}'s {noun} is {value}.",
    "The {owner} {noun} is {value}.",
    "The {noun} of this year's {owner} is {value}.",
    "The {noun} used by the {owner} is {value}.",
)
CHANGES = ("The {noun} of the {owner} is now {value}.", "The {noun} of the {owner} has become {value}.")


@pytest.mark.parametrize(("noun", "owner", "first", "second"), ATTRIBUTES, ids=[a[0] for a in ATTRIBUTES])
def test_another_value_of_an_attribute_supersedes(noun: str, owner: str, first: str, second: str) -> None:
    """In each shape of the sentence, and told as a change."""
    for shape in SHAPES[: 4 if noun == "registered office" else 5]:
        earlier, later = (shape.format(noun=noun, owner=owner, value=value) for value in (first, second))
        assert retires(GRAMMAR, earlier, later), earlier
    for change in CHANGES:
        plain, told = (s.format(noun=noun, owner=owner, value=v) for s, v in ((SHAPES[0], first), (change, second)))
        assert retires(GRAMMAR, plain, told), told


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ida's locker is by the stairs.", "Ida's locker is by the exit."),
        ("Grandpa's room is upstairs.", "Grandpa's room is downstairs."),
        ("The draft of the report is with the editor.", "The draft of the report is with the printer."),
        ("The insurance policy of the barn is with Altis.", "The insurance policy of the barn is with Norvia."),
        ("My best friend is Milo.", "My best friend is Ruth."),
        ("Payday is the last Friday of the month.", "Payday is the first Monday of the month."),
        (
            "The batch size used when importing the census is 64.",
            "The batch size used when importing the census is 512.",
        ),
        (
            "The tag of the last stable release of grebe is v2.1.0.",
            "The tag of the last stable release of grebe is v2.2.0.",
        ),
        (
            "The average rent for a studio in Tarn is €610 a month.",
            "The average rent for a studio in Tarn is €655 a month.",
        ),
        (
            "The on-call engineer for billing this week is Lea Voss.",
            "The on-call engineer for billing this week is Jon Abel.",
        ),
        ("Safeguarding officer: Lea Voss", "Safeguarding officer: Jon Abel"),
        ("Parish hymn: Jubilate", "Parish hymn: Veni"),
        ("| Parish | hymn | Jubilate |", "| Parish | hymn | Veni |"),
        ("| idle_timeout (edge-proxy) | 30 |", "| idle_timeout (edge-proxy) | 45 |"),
        ('`BASE_REGION = "eu-1"` in shop/conf.py', '`BASE_REGION = "eu-2"` in shop/conf.py'),
        ("CODEOWNERS for /search: @lvoss", "CODEOWNERS for /search: @jabel"),
        ("restart: always", "restart: on-failure"),
        ("`actions/cache@v3` is used in the lint workflow.", "`actions/cache@v4` is used in the lint workflow."),
        ("grebe-api: image reg.io/grebe-api:1.4.0", "grebe-api: image reg.io/grebe-api:1.5.0"),
        ("The seat number of Ann is 12C.", "The seat number of Ann is 14F."),
        ("The novel's working title is Salt.", "The novel's working title is Brine."),
    ],
)
def test_a_plain_line_or_sentence_supersedes(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


DESCRIBED = (
    *(
        "ugly",
        "too small",
        "a mess",
        "a secret",
        "the same",
        "theirs",
        "my idea",
        "unusual",
        "two years old",
        "optional",
    ),
    *(
        "painted by children",
        "described below",
        "listed twice",
        "generated automatically",
        "being reviewed",
        "worth a look",
    ),
    *(
        "an old tradition",
        "a big improvement",
        "a matter of taste",
        "on the table",
        "part of the plan",
        "case-sensitive",
    ),
    *("chosen by the board", "loved by everyone", "a string", "announced in May", "sold out", "still open to debate"),
)


@pytest.mark.parametrize("said", DESCRIBED)
def test_what_describes_an_attribute_is_no_value_of_it(said: str) -> None:
    """Neither takes the place of the other, whichever comes first."""
    for noun, owner, value, _ in ATTRIBUTES:
        plain, described = (SHAPES[0].format(noun=noun, owner=owner, value=v) for v in (value, said))
        for pair in ((plain, described), (described, plain)):
            assert not retired_by(*GRAMMAR.extract(pair)), pair


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A feature of the app is dark mode.", "A feature of the app is offline maps."),
        ("The friend of Ida is Milo.", "The friend of Ida is Ruth."),
        ("My sister is a nurse.", "My sister is a mother."),
        ("The server is slow.", "The server is expensive."),
        ("The cat is black.", "The cat is fat."),
        ("An ingredient of the stew is barley.", "An ingredient of the stew is leek."),
        ("The theme of this year's parade is fire.", "The theme of next year's parade is water."),
        ("The theme of the parade is fire.", "The theme of the fair is water."),
        ("The theme of the parade was fire.", "The theme of the parade was water."),
        ("The theme of the parade might be fire.", "The theme of the parade might be water."),
        ("The floor of the pantry is slate.", "The floor of the hall is oak."),
        ("The floor of the pantry is slate.", "The floor of the pantry is wet."),
        ("The heating of the barn is gas.", "The heating of the barn is broken."),
        ("The shape of the medal is round.", "The size of the medal is small."),
        ("The first prize is a bike.", "The second prize is a kettle."),
        ("The opening act of the gala is Wren.", "The closing act of the gala is Lark."),
        ("The former motto of the guild is Onward.", "The motto of the guild is Upward."),
        ("Ida's desk is by the window.", "Ida's desk is upstairs."),
        ("Ida's desk is by the window.", "Milo's desk is by the door."),
        ("Ann has become a nurse.", "Ann has become a mother."),
        ("The town became rich.", "The town became crowded."),
        ("The reviewer of the parser is Lea.", "The reviewer of the parser is Jon."),
        ("A sponsor of the run is Velta.", "A sponsor of the run is Orkla."),
        ("The best thing about Tarn is the harbour.", "The best thing about Tarn is the market."),
        ("A problem of the parser is speed.", "A problem of the parser is memory."),
        ("The average last month was 40 visits.", "The average last month was 52 visits."),
        ('`BASE_REGION = "eu-1"` in shop/conf.py', '`BASE_REGION = "eu-2"` in mill/conf.py'),
        ("| idle_timeout (edge-proxy) | 30 |", "| idle_timeout (core-proxy) | 45 |"),
        ("`actions/cache@v3` is used in the lint workflow.", "`actions/cache@v4` is used in the docs workflow."),
        ("grebe-api: image reg.io/grebe-api:1.4.0", "grebe-web: image reg.io/grebe-web:1.5.0"),
        ("CODEOWNERS for /search: @lvoss", "CODEOWNERS for /billing: @jabel"),
        ("Payday is the last Friday of the month.", "Bin day is the first Monday of the month."),
        ("The draft of the report is with the editor.", "The draft of the report is with an appendix."),
        ("The state of the pump is running.", "The state of the art is impressive."),
        ("The status of ticket 12 is open.", "The status of ticket 13 is closed."),
        ("The access level of the archive is read-only.", "The access level of the inbox is read-write."),
        ("The batch size used when importing is 64.", "The batch size used when exporting is 512."),
        ("The policy of the shop is strict.", "The policy of the shop is unpopular."),
        ("The position of Milo is goalkeeper.", "The position of Milo is difficult."),
        ("Possible venue for the gala: Elm Hall", "Possible venue for the gala: Oak Hall"),
        ("The focus of the course is reading.", "The focus of the course is narrow."),
        ("The log level is high.", "The log level is low."),
        ("The surface of the pond is ice.", "The surface of the pond is dusty."),
        ("The role of the cache is storage.", "The role of the cache is speed."),
        ("The prize for the winner is a hamper.", "The prize for the loser is a sponge."),
        ("The opening song of the gala is Aurora.", "The closing song of the gala is Boreas."),
        ("The sauce of the stew is pesto.", "The sauce of the stew is spicy."),
        ("The menu on Monday is curry.", "The menu on Friday is trout."),
        ("Milo's wallpaper is a forest.", "Milo's screen saver is a beach."),
    ],
)
def test_what_may_both_be_true_is_kept(first: str, second: str) -> None:
    """Several of a kind, another thing, a plan, the past, an opinion."""
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)


def test_a_bare_day_is_confined_to_its_source() -> None:
    fact = GRAMMAR.extract(["Payday is the last Friday of the month."])[0].facts[0]
    assert (fact.subject, fact.object, fact.local) == ("payday", "last Friday of the month", True)
