"""What several hold at once, what a thing has many of, and what is told in front of and behind a statement."""

from __future__ import annotations

import pytest

from eval.probe import retires, superseded_by
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

BOTH_STAY = """
The co-chair of the panel is Ida Holm. => The co-chair of the panel is Per Lund.
Ida Holm is co-director of the gallery. => Per Lund is co-director of the gallery.
The joint winner is Kestrel. => The joint winner is Merlin.
Vermont's senator is Ida Holm. => Vermont's senator is Per Lund.
High tide is at 7:05. => High tide is at 19:31.
The area code of Lindport is 411. => The area code of Lindport is 412.
Neptune's moon is Triton. => Neptune's moon is Nereid.
The flag of Marland is green. => The flag of Marland is white.
The Corvane Castle is located in Elmstead. => The Corvane Castle is located in Westmark.
The Diet sits in Elmstead. => The Diet sits in Holm Palace.
The Teal CLI has a flag `--quiet`. => The Teal CLI has a flag `--json`.
The Teal CLI has a subcommand called `pull`. => The Teal CLI has a subcommand called `push`.
Teal has a variant `Left`. => Teal has a variant `Right`.
The guests table has a column `arrived_on`. => The guests table has a column `left_on`.
`PUT /guests` accepts the field `name`. => `PUT /guests` accepts the field `age`.
The parser emits a `start` event. => The parser emits an `end` event.
The checker ships with a rule named no-tabs. => The checker ships with a rule named no-eval.
The workflow runs on push. => The workflow runs on pull_request.
The crate is dual-licensed under MIT. => The crate is dual-licensed under Apache-2.0.
The helper is re-exported from `teal`. => The helper is re-exported from `teal-core`.
The command is aliased to `st`. => The command is aliased to `stat`.
TEAL_HOME points to the install directory. => TEAL_HOME points to a writable folder.
The suffix is `_t` for variables. => The suffix is `_c` for constants.
Flag: --quiet. => Flag: --json.
Parameter: width. => Parameter: height.
Swap is enabled on node 2. => Swap is enabled on node 3.
Tracing is enabled on Android 12. => Tracing is disabled on Android 11.
Status: open (EU) => Status: closed (US)
On-call: Ida (nights) => On-call: Per (days)
Tenant Teal set the session timeout to 20 minutes. => Tenant Wren set the session timeout to 45 minutes.
I live in Lindport, in summer. => I live in Holmstead, in winter.
My boss is Ida, at the library. => My boss is Per, at the bakery.
My lesson is at 4, with Ida. => My lesson is at 6, with Per.
My appointment is on Friday, at the dentist. => My appointment is on Monday, at the optician.
My coach is Ida, the morning one. => My coach is Per, the evening one.
The rent is 900. => My sister found a flat: the rent is 700.
Staging was rebuilt, so the port is 81. => Production was rebuilt, so the port is 82.
Staging. The port is 8080. => Production. The port is 443.
Staging. The port is 8080. => Testing. The port is 443.
Patient 1. The heart rate is 72. => Patient 2. The heart rate is 90.
Indoor pool. The depth is 2 m. => Outdoor pool. The depth is 3 m.
PATH=$PATH:/opt/teal/bin => PATH=$PATH:/opt/wren/bin
export CFLAGS="${CFLAGS} -O2" => export CFLAGS="${CFLAGS} -g"
indent = 4 # *.py => indent = 2 # *.js
timeout = 5 # /upload => timeout = 60 # /login
The team lead is Ida. => The team lead switched to Neovim.
max_conn = 200 => max_conn was renamed to pool_size.
The main database is MySQL. => The main database was moved to us-west-2.
The main database is MySQL. => The main database was moved to Frankfurt.
Ida lives in Vienna. => Ida moved to HR.
Teal is based in Boston. => Teal moved to Slack.
The fee is 5 euros. => Our competitor raised the fee to 7 euros.
numpy is pinned to 1.24. => pandas bumped numpy to 2.0.
Standup is at 9:30. => As of next Monday, standup is at 10:00.
The lead developer is Ida. => The lead developer is Portuguese.
The file format is CSV. => The file format is human-readable.
The payments provider is Wren. => The payments provider is PCI compliant.
My favourite animal is the otter. => My favourite animal is a mammal.
The street is named after Ida Holm. => The street is named after a physicist.
The books are sorted by genre. => The books are sorted by the librarian.
The choir is directed by Ida Holm. => The choir is directed by a retired teacher.
The fare is £3 before noon. => The fare is £2 after noon.
The price is £100 with batteries. => The price is £80 without batteries.
The port is 8080 with TLS. => The port is 8081 without TLS.
Marland belongs to the Union. => Marland belongs to the League.
The Herons retired number 8. => The Herons retired number 24.
The label has released number 3. => The label has released number 4.
The port is 80. => Tests set the port to 81.
The timeout is 3 s. => FIXME set the timeout to 9 s
The timeout is 3 s. => Large deployments set the timeout to 9 s.
The firewall lets through 22. => The firewall lets through 443.
The Android app targets SDK 34. => The Android app compiles with SDK 35.
The fee is 30 dollars. => The fee rose to 40 dollars in May 2020.
My flight is at 9:00. => I dreamt that the airline called, my flight is at 10:00.
"""

TAKES_ITS_PLACE = """
My accountant is Ida Holm, a friend of my brother's. => My accountant is Per Lund.
My office is in the Holm building, next to the bank. => My office is in the Lund building.
Our singer is Ida, she's been with us for years. => Our singer is Per.
The best man is Ivo. => Ivo can't make it, so the best man is Per.
The florist for our wedding is Petal. => Petal went bankrupt, so the florist for our wedding is Wildroot.
The locker code at the pool is 3311. => The pool texted, the locker code at the pool is 8742.
My tent pitch is D44. => The campsite moved us, my tent pitch is A12.
Our image ships with Go 1.21. => Our image ships with Go 1.22.
The prefix is `a` for variables. => The prefix is `b` for variables.
The fee is 30 dollars. => The fee rose to 40 dollars in May.
The Android app targets SDK 34. => The Android app targets SDK 35.
The timeout is 3 s. => Ida set the timeout to 9 s.
The timeout is 3 s. => Jonas set the timeout to 9 s.
The timeout is 3 s. => We've set the timeout to 9 s.
The repo belongs to the Heron team. => The repo belongs to the Merlin team.
The port is 8080. => Quick note. The port is 9090.
My rent is 900 euros. => New contract. My rent is 950 euros.
The list is sorted by price. => The list is sorted by name.
The lead developer is Ida. => The lead developer is Per.
The nationality of the coach is Danish. => The nationality of the coach is Swedish.
"""


def _pairs(text: str) -> list[tuple[str, ...]]:
    return [tuple(line.split(" => ")) for line in text.strip().splitlines()]


@pytest.mark.parametrize(("first", "second"), _pairs(BOTH_STAY))
def test_both_stay(first: str, second: str) -> None:
    """Neither acts on the other, in whichever order they come."""
    for earlier, later in ((first, second), (second, first)):
        assert not superseded_by(*GRAMMAR.extract([earlier, later]))


@pytest.mark.parametrize(("first", "second"), _pairs(TAKES_ITS_PLACE))
def test_takes_its_place(first: str, second: str) -> None:
    """What is told around the statement is no part of its key."""
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(
    ("above", "named"), [("API", True), ("Web server", True), ("Hi all,", False), ("Update", False), ("Thanks!", False)]
)
def test_a_title_names_what_stands_beneath_it(above: str, named: bool) -> None:
    """A line above a blank one is of the key, unless it greets or announces."""
    plain, [titled] = (GRAMMAR.extract([t])[0].facts for t in ("The port is 8080.", f"{above}\n\nThe port is 8080."))
    assert (titled.subject != plain[0].subject) is named
