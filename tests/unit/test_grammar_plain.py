"""Plain sentences, labels, lines of code and spoken times: what has one value, and what looks as if it had."""

from __future__ import annotations

import pytest

from eval.probe import retired_by
from memstrata_integrations.canonical import canonical_value
from memstrata_integrations.extraction import GrammarExtractor

GRAMMAR = GrammarExtractor()

EVOLVING = [
    ("The VPN gateway sits behind {}.", "10.0.0.1", "10.0.4.1"),
    ("Calls to the geocoder go through {}.", "`proxy-a`", "`proxy-b`"),
    ("Releases are cut on {}.", "Mondays", "Fridays"),
    ("The weekly report goes out on {}.", "Monday mornings", "Tuesday mornings"),
    ("My pension is paid on the {}.", "1st", "15th"),
    ("The spare key hangs behind the {}.", "red door", "green door"),
    ("Public traffic enters through the load balancer {}.", "lb-a", "lb-b"),
    ("Callers of the feed API authenticate via the {} header.", "`X-Key`", "`X-Token`"),
    ("Dates in the export are formatted as {}.", "DD.MM.YYYY", "ISO 8601"),
    ("Konrad's daughter attends {}.", "St Brannock's", "Hillmead Primary"),
    ("`normalize()` strips at most {} trailing spaces.", "2", "4"),
    ("Sessions on the kiosk end after {} without input.", "5 minutes", "10 minutes"),
    ("Uploads larger than {} are rejected.", "5 MB", "20 MB"),
    ("Passwords must have at least {} characters.", "8", "12"),
    ("We run the resizer with a memory ceiling of {}.", "768 MB", "1 GB"),
    ("The Helm chart of Grebe is at {}.", "1.8.2", "1.9.0"),
    ("CI installs Poetry {} for the `etl` repo.", "1.7.1", "1.8.2"),
    ("Kestrel v{} is deployed in production.", "1.2", "2.0"),
    ("The retry policy of the mailer is {}.", "exponential", "linear"),
    ("The official language of Tarn is {}.", "Tarnish", "English"),
    ("A single ticket on the tram is {}.", "2.80 €", "3.10 €"),
    ("My son Anselm is {} years old.", "seven", "eight"),
    ("The yoga class starts at {}.", "half past six", "seven"),
    ("The post office opens at {}.", "9", "8:30"),
    ("The class that validates invoices is called {}.", "InvoiceChecker", "InvoiceValidator"),
    # labels and lines
    ("Upstream of the vendored zlib copy: commit {}", "a31fe2c", "77d0b9e"),
    ("Database image used by the integration tests: {}", "postgres:14.10", "postgres:16.2"),
    ("SLO of the quoting service — {}", "99.5 %", "99.9 %"),
    (":param retries: number of attempts before `fetch` gives up (default {})", "3", "5"),
    ("#define MAX_CONN {}", "64", "128"),
    ("<poolTimeout>{}</poolTimeout>", "30", "60"),
    ('<property name="jdbc.batch_size" value="{}"/>', "20", "50"),
    ("let maxDepth = {};", "5", "8"),
    ("max_items: Optional[int] = {}", "100", "250"),
]
KEPT = [
    ("The choir rehearses in the town hall.", "The choir rehearses in the evening."),
    ("The choir rehearses in the town hall.", "The choir rehearses in May."),
    ("The A7 passes through Hollstedt.", "The A7 passes through Bramfeld."),
    ("The river flows through Odda.", "The river flows through Vell."),
    ("The report is sent on Mondays.", "The report is reviewed on Fridays."),
    ("The bell is rung at 12:00.", "The bell is rung at 18:00."),
    ("Uploads larger than 5 MB are rejected.", "Downloads larger than 20 MB are rejected."),
    ("Konrad's daughter attends Hillmead Primary.", "Konrad's daughter attends ballet."),
    ("Konrad's daughter attends Hillmead Primary.", "Konrad's son attends St Brannock's."),
    ("The plugin is tested against SDK 33.", "The plugin is tested against SDK 34."),
    ("The library works with Node 18.", "The library works with Node 20."),
    ("The train leaves from Platform 3.", "The train leaves from Gate 5."),
    ("Kestrel 1.2.0 is deployed in staging.", "Kestrel 2.0.0 is deployed in production."),
    ("Languages of the site: English", "Languages of the site: German"),
    ("A supported backend of the importer: Redis", "A supported backend of the importer: MySQL"),
    ("Note from Bob on the gateway: 8080", "Note from Ann on the gateway: 9090"),
    ("#define MAX_CONN 64", "#define MIN_CONN 8"),
    ('<timeout unit="s">30</timeout>', '<timeout unit="ms">60</timeout>'),
    ('"name": "web"', '"name": "db"'),
    ("return x = 5", "return x = 6"),
    ("request_limit = 60  # in limits/free.ini", "request_limit = 600  # in limits/pro.ini"),
    ("The class starts at half past six.", "The class starts at 18:30."),
    ("The class starts at 7.", "The class starts at seven."),
    ("The shop closes at 6.", "The shop closes at 18:00."),
    ("The shop opens at 9.", "The shop opens at 9 am."),
]


@pytest.mark.parametrize(("frame", "first", "second"), EVOLVING, ids=[p[0][:60] for p in EVOLVING])
def test_another_value_in_the_same_sentence_retires(frame: str, first: str, second: str) -> None:
    """The sentence with another value takes the place of the first, and the value is read verbatim."""
    earlier, later = GRAMMAR.extract([frame.format(first), frame.format(second)])
    assert retired_by(earlier, later)
    assert all(f.object is not None and f.object in frame.format(second) for f in later.facts)


@pytest.mark.parametrize(("first", "second"), KEPT, ids=[f"{a[:30]} / {b[:40]}" for a, b in KEPT])
def test_what_may_both_be_true_is_kept(first: str, second: str) -> None:
    """Another act, time, subject, scope or spelling of one value retires nothing, in either order."""
    earlier, later = GRAMMAR.extract([first, second])
    assert not retired_by(earlier, later)
    assert not retired_by(later, earlier)


@pytest.mark.parametrize(
    ("text", "expected", "value"),
    [
        ("half past six", None, ("06:30:00", "time:half day")),
        ("quarter to seven in the evening", None, ("18:45:00", "time")),
        ("two in the morning", None, ("02:00:00", "time")),
        ("9", "opening", ("09:00:00", "time")),
        ("6", "closing", ("18:00:00", "time")),
        ("7", "hour", ("07:00:00", "time:half day")),
        ("Tuesday at 10:30", None, ("tuesday 10:30:00", "weekday:time")),
        ("80 m high", "extent", ("80", "m")),
        ("2.80 €", None, ("2.8", "money:eur")),
    ],
)
def test_values_as_people_say_them(text: str, expected: str | None, value: tuple[str, str]) -> None:
    """A spoken time, a price with its sign behind and a height have a canonical form of their kind."""
    assert canonical_value(text, expected) == value
