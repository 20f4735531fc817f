"""Settings, pins, rows of tables and lists."""

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.ledger.facts import KeyedFact

from .pairs import ended, entries, fact_of, rows

LINES = {
    "port: 80": ("port", "is", "80", "number"), "timeout_s: 30": ("timeout_s", "is", "30", "number"),
    "TIMEOUT=30s": ("timeout", "is", "30s", "duration"),
    "export REGION=eu-west-1": ("export region", "is", "eu-west-1", "name:1"),
    "LOG_LEVEL = debug": ("log_level", "is", "debug", "setting"),
    "numpy==1.26.4": ("numpy", "is pinned to", "1.26.4", "version"),
    "numpy>=1.26,<2": ("numpy", "is pinned to", "1.26,<2", "version"),
    "django-storages[s3]~=1.13": ("django storages s3", "is pinned to", "1.13", "version"),
    "Port of the gateway: 80": ("gateway", "listens on", "80", "number"),
    "**Owner of Teal:** Ann Lee": ("teal", "is owned by", "Ann Lee", "name"),
    "- Deadline of the gala: 3 May": ("gala", "is due", "3 May", "day"),
    "Kite - max connections: 40": ("kite max connection", "is", "40", "number"),
    "kite: read_timeout=30s": ("kite read_timeout", "is", "30s", "duration"),
    "sysctl on kite: vm.swappiness = 10": ("kite vm.swappiness sysctl", "is", "10", "number"),
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_a_setting(line: str) -> None:
    fact = fact_of(line)
    assert fact is not None
    assert (*fact.key, fact.object, fact.kind) == LINES[line]


@pytest.mark.parametrize(("first", "second"), rows("""
    The port of the gateway is 80. || Port of the gateway: 81 ;; MAX_RETRIES [= 5|is set to 3.]
    The owner of Teal is Ann Lee. || **Owner of Teal:** Bo Falk
    MAX_RETRIES is 5. || MAX_RETRIES=3 ;; numpy is pinned to 1.26.4. || numpy==2.1.0
    | Kite | port | 80 | || The port of Kite is 81.
    | Team lunch day | Wednesday | || The day of the team lunch is Thursday.
    | checkout_timeout | 30 s | || checkout_timeout is 45 s.
    release manager: Hana Kobayashi || The release manager is Declan Moore.
    The paging size of SlotGrid is 20. || SlotGrid - paging size: 50
"""))  # fmt: skip
def test_a_line_and_a_sentence_meet(first: str, second: str) -> None:
    assert len(ended(first, second)) == 1


@pytest.mark.parametrize("line", entries("""
    Note: the port is new ;; Warning: 3 errors ;; Example: 5 ;; Fixed: 12 ;; Owners: Ann ;; Allowed host: db-1
    Members: Ann Lee ;; depends_on: redis ;; requires: numpy ;; supports for the hub: TLS ;; --force: skip checks
    Former head coach: Gil Santoro ;; Possible venue for the ball: Old Mill ;; --timeout=30 ;; ports: [80, 81]
    port: 80 | 81 ;; command: npm run build && npm test ;; options: {a: 1} ;; url = URL('https://a.example')
    SELECT name FROM jobs WHERE state = 'open' ;; if mode = 'fast' ;; total = round(3.5) ;; port: various
    What is it: 80 ;; description: it is the port that we use
"""))  # fmt: skip
def test_a_label_a_list_or_code_is_no_setting(line: str) -> None:
    assert fact_of(line) is None


@pytest.mark.parametrize(("first", "second"), rows("""
    version: [1.0.0|latest]
    READ_TIMEOUT=30 || WRITE_TIMEOUT=45 ;; max_connections = 100 || min_connections = 5
    timeout: 30 || timeout: 30 s ;; numpy==1.26.4 || numpydoc==1.7.0 ;; Port (staging): 80 || Port (production): 81
    | kite | port | 80 | || | tern | port | 81 | || | kite | replicas | 81 |
    Owner of Teal: Ann Lee || Owner of Owl: Bo Falk
"""))  # fmt: skip
def test_another_name_or_kind_is_another_line(first: str, second: str) -> None:
    assert ended(first, second) == []


def test_a_table_gives_a_fact_a_cell() -> None:
    """The other cells of a row are in the key of each: nothing says which of them name the thing."""
    text = "| service | port | owner |\n|---|---|---|\n| kite | 80 | Ann |\n| tern | 81 | Bo |\n"
    [extraction] = GrammarExtractor().extract([text])
    found = sorted((f.key[1], f.key[0], f.object) for f in extraction.facts if isinstance(f, KeyedFact))
    assert found == [
        ("is owned by", "kite 80 § service", "Ann"), ("is owned by", "tern 81 § service", "Bo"),
        ("listens on", "kite ann § service", "80"), ("listens on", "tern bo § service", "81"),
    ]  # fmt: skip
    assert not extraction.prose
    head = "| drug | age group | dose |\n|---|---|---|\n"
    rows = ("adults | 400 mg", "children | 100 mg", "adults | 600 mg")
    adults, children, more = (f"{head}| Ibuprofen | {row} |\n" for row in rows)
    assert ended(adults, children) == []
    assert ended(adults, more) == ["400 mg"]


@pytest.mark.parametrize(("first", "other", "later"), [
    ("dev:\n  host: localhost", "prod:\n  host: pg-1", "dev:\n  host: pg-2"),
    ("dev:\nhost: localhost", "prod:\nhost: pg-1", "dev:\nhost: pg-2"),
    ("web:\n  api:\n    port: 80", "web:\n  admin:\n    port: 81", "web:\n  api:\n    port: 82"),
    ("In production:\n  timeout: 30 s", "In the lab:\n  timeout: 90 s", "In production:\n  timeout: 60 s"),
    ("- name: web\n  uses: acme/web", "- name: api\n  uses: acme/api", "- name: web\n  uses: acme/site"),
])  # fmt: skip
def test_what_a_line_is_set_in_from_is_in_its_key(first: str, other: str, later: str) -> None:
    """Sections of one file that are stored apart have a setting of one name, and it is not the same one."""
    assert ended(first, other) == []
    assert ended(first, later) == [first.rpartition(": ")[2]]
