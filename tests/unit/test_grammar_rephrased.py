"""One fact in other words, and sentences that announce a change: the earlier statement is retired whole."""

from __future__ import annotations

import pytest

from eval.probe import retired_by
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()

ROLES = [
    ("The deploy tool of Larch is Jenkins.", "Larch now uses Argo CD as its deploy tool."),
    ("The CEO of Teal Foods is Ana Ruiz.", "Ben Holt is the CEO of Teal Foods."),
    ("The CEO of Teal Foods is Ana Ruiz.", "Teal Foods has appointed Ben Holt as its CEO."),
    ("The proxy in front of teal is nginx.", "HAProxy has replaced nginx as the proxy in front of teal."),
    (
        "The type checker of the owl project is mypy.",
        "In the owl project, mypy was replaced by pyright as the type checker.",
    ),
    ("Alice works for Initech.", "Alice's employer is now Hooli."),
    ("Alice reports to Olga Petrova.", "Alice's manager is Dan Weiss."),
    ("The blue canoe is owned by Kim.", "Lee now owns the blue canoe."),
    ("The Pro plan costs $20.", "The price of the Pro plan is $25."),
    ("A ticket for the museum of Arl costs 12 euros.", "The price of a ticket for the museum of Arl is 15 euros."),
    ("Arl Library closes at 18:00.", "Closing time of Arl Library: 20:00"),
    ("Otto's party starts at 3 pm.", "The start of Otto's party is now 5 pm."),
    ("The freeze of teal starts on 3 April.", "The start of the freeze of teal has been pushed to 10 April."),
    ("Audit logs of teal are kept for 30 days.", "The retention of audit logs of teal is 90 days."),
    ("The landlord of the flat is Mr. Finch.", "The flat has a new landlord, Ms. Ray."),
    ("Nadia's job title is data analyst.", "Nadia now holds the job title of analytics lead."),
    ("Simon's shoe size is 43.", "Simon now takes shoe size 44."),
    ("The book club meets at Café Lind.", "The meeting place of the book club is now the Elm library."),
]
ACTS = [
    (
        "Log files of the owl daemon are written to /var/log/owl.",
        "The owl daemon now writes its log files to /srv/owl.",
    ),
    ("The config file of owl is /etc/owl.conf.", "owl now reads its config file from /etc/owl/main.toml."),
    ("The lockfile of owl is generated with pip-tools.", "uv now generates the lockfile of owl."),
    ("owl pins SQLAlchemy to 1.4.49.", "The SQLAlchemy pin in owl has been bumped to 2.0.31."),
    ("owl runs on Postgres 13.", "owl's Postgres version is 16."),
    ("owl requires Node.js 18.", "The Node.js version that owl requires is 20."),
    ("Ferret polls every 5 minutes.", "Ferret's poll interval is now 10 minutes."),
    ("The maximum payload of the owl webhook is 256 KB.", "The owl webhook accepts a payload of at most 1 MB."),
    ("The toll on the Arl bridge is 3 euros.", "The Arl bridge now charges a toll of 4 euros."),
    ("`EPSILON` equals 1e-6 in solver.rs.", "In solver.rs the value of `EPSILON` is 1e-9."),
    ("`step_ms` is initialised to 50.", "The initial value of `step_ms` is 20."),
]
CHANGES = [
    ("owl.max_entries: 5000", "We bumped owl.max_entries to 20000."),
    ("The spending limit on Ida's card is £300.", "I raised the spending limit on Ida's card to £450."),
    ("The colour filter of owl is called `col`.", "owl's colour filter was renamed to `colour`."),
    ("My rent is 1,150 euros a month.", "My rent went up to 1,220 euros a month."),
    ("The sync with Oslo is at 10:00.", "We moved the sync with Oslo to 14:00."),
    ("My appointment is on 12 June.", "My appointment was moved to 19 June."),
    ("Alice works for Initech.", "Alice left Initech and joined Hooli."),
    ("I work at Initech.", "I'm at Hooli these days, no longer with Initech."),
    ("I live in Leeds.", "I moved to Bristol."),
    ("Aunt Ida lives in Cork.", "Aunt Ida doesn't live in Cork anymore, she lives in Galway now."),
    ("Our vet is Dr. Roth.", "Dr. Roth retired, our vet is Dr. Kaya now."),
    ("The arrival day of Eva is Thursday.", "The arrival day of Eva is Saturday, not Thursday."),
    ("The port of teal is 80.", "As of February, the port of teal is 81."),
    ("My weekday alarm is set to 6:45.", "I set my weekday alarm to 7:15, that's the one to keep."),
    ("The depot cluster is in us-east-1.", "The depot cluster runs in us-west-2."),
    ("Project Marlin is on hold.", "Project Marlin is back in progress."),
    ("On-call: Ana", "On-call: Ben"),
]
HABITS = [
    ("I keep my notes in Quill.", "I keep my notes in Slate now."),
    (
        "Ludmila goes swimming at the Kestrel Baths.",
        "Ludmila goes swimming at the Lido now instead of the Kestrel Baths.",
    ),
    ("Kwame is on the data team.", "Kwame moved to the search team."),
    ("I have the basic plan at Netstream.", "I have the premium plan at Netstream now."),
    ("Yuki works as a barista.", "Yuki works as a shift lead these days."),
    ("Answer me in German by default.", "From now on answer me in Dutch by default."),
    ("Use miles for distances.", "Use kilometres for distances instead of miles."),
    ("You can reach Kim at 555-0101.", "You can now reach Kim at 555-0199."),
    ("My phone is a Pixel 6.", "My phone is a Pixel 8 now."),
    ("Solveig lives in Altona.", "Solveig lives in Ottensen now."),
]


@pytest.mark.parametrize(
    ("first", "second"), [*ROLES, *ACTS, *CHANGES, *HABITS], ids=lambda t: t[:60] if isinstance(t, str) else None
)
def test_an_update_in_other_words_retires(first: str, second: str) -> None:
    """The earlier statement holds nothing else, and its key is closed."""
    earlier, later = GRAMMAR.extract([first, second])
    assert retired_by(earlier, later), (earlier, later)


@pytest.mark.parametrize(("first", "second"), HABITS, ids=[p[0][:60] for p in HABITS])
def test_a_habit_needs_an_announcement(first: str, second: str) -> None:
    """What an announcement retires, a plain statement of the same kind leaves alone."""
    earlier, later = GRAMMAR.extract([second, first])
    assert not retired_by(earlier, later)
    plain = [e.facts[0] for e in GRAMMAR.extract([first])]
    assert all(f.value == "*" for f in plain)


def test_aliases_say_the_same_in_other_words() -> None:
    """An alias makes one key of two names, and adds no word."""
    grammar = GrammarExtractor(aliases={"k8s": "kubernetes", "the shop": "storefront"})
    keys = {
        grammar.extract([t])[0].facts[0].subject
        for t in ("The replica count of the K8s cluster is 3.", "The replica count of the kubernetes cluster is 5.")
    }
    assert len(keys) == 1
    assert "kubernetes" in keys.pop().split()
    assert grammar.canonical_key("Alice's employer") == ("alice", "works for")
    assert "aliases" in repr(grammar)
    assert grammar.with_cardinalities({"feeds": "functional"}).canonical_key("the K8s port")[0] == "kubernetes port"


def test_a_relation_that_a_user_stops_stays_stopped_as_a_noun() -> None:
    """A noun is its verb: "an employer" is "works for", which a policy may have made set-valued."""
    grammar = GrammarExtractor(cardinalities={"works for": "set"})
    assert grammar.extract(["Alice's employer is Initech."])[0].facts == ()


def test_a_piece_of_a_file_is_read_as_one() -> None:
    """Metadata that names a known file decides how a text is read."""
    [found] = GrammarExtractor().extract(["numpy==1.26.4\nscipy==1.11.0\n"], [{"file_path": "requirements.txt"}])
    assert [f.object for f in found.facts] == ["1.26.4", "1.11.0"]
