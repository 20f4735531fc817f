"""What asserts no value that holds now gives no fact, and ends none."""

import pytest

from .pairs import ended, entries, fact_of, rows

SILENT = {
    "of nobody that is named, or of one of several": """
        His desk is in 2.14. ;; The former costs 30 euros. ;; Here the speed limit is 50. ;; Reviewed-by: Ana Sousa
        Suppose the rent is 700 euros; then the deposit comes to 2,100 euros.
        Suppose the interest rate is 4%. ;; - One reviewer of the proposal: Dr. Kimura ;; - Attendee: Rosa Klein
        My brother is 12. ;; My friend is called Tom. ;; My daughter is 4 years old.
        Python 3.12 is installed on build-01. ;; The bug affects version 4.2.""",
    "an end of being the only one": """
        Ann Lee no longer works only for Acme. ;; Teal no longer listens on just port 80.
        The owner of teal is no longer only Ann Lee.""",
    "a date of its own": """
        As of 1 May 2030, the port of teal is 80. ;; As of May 2030, the port of teal is no longer 80.
        Ann Lee works for Acme as of 2030-05-01.""",
    "a question": """
        Is the port of teal 80? ;; What is the port of teal? ;; The port of teal is 80, right?
        The API version of teal is v2?. ;; Does teal listen on port 80?
        How long is the timeout of teal, 30 seconds?""",
    "a plan": """
        The port of teal will be 80. ;; We plan to set the port of teal to 80. ;; Next week the port of teal is 80.
        We want to raise the limit of teal to 9. ;; Tomorrow the port of teal is 80.
        The timeout of teal is going to be 30 seconds.""",
    "what may or should be": """
        The port of teal may be 80. ;; The port of teal could be 80. ;; The port of teal should be 80.
        The limit of teal might be raised to 9. ;; Tom would be the owner of teal.
        The limit of teal can be raised to 9.""",
    "a hedge": """
        Perhaps the port of teal is 80. ;; The port of teal is probably 80. ;; The port of teal is usually 80.
        The version of teal is 2.3, not sure though.""",
    "an opinion": """
        I think the port of teal is 80. ;; In my opinion the limit of teal is 5. ;; We believe that Ann owns teal.
        The best editor is Helix. ;; The nicest cafe in Hull is Nutmeg.""",
    "a quotation": """
        Ann says that the port of teal is 80. ;; According to Bo, the owner of teal is Ann.
        Bo wrote: the price is 12 euros. ;; Someone on the forum wrote: the maintainer of tinyfuse is Bea Lorenzo.
        He denied that: the release lead is Ada Kern. ;; The lie was: the port is 81. ;; > The port of teal is 80.
        "The port of teal is 80." ;; Clara complained: my rent is 1,700 euros a month.""",
    "a negation": """
        The port of teal is not 80. ;; The port of teal isn't 80. ;; Tom never worked for Globex.
        Nobody lives at 12 Harbour Street. ;; Teal does not listen on port 80.
        Tom works for Globex rather than Hooli.""",
    "the past": """
        The port of teal was 80. ;; Tom worked for Globex. ;; The port of teal used to be 80.
        Formerly the owner of teal was Ann. ;; The limit of teal had been 5.
        Last week the price of teal was 10 euros. ;; Three years ago the CEO of Globex was Ann.""",
    "an example": """
        The port of teal is, for example, 80. ;; Ports such as 80 are open.
        # Examples\\n\\nThe port of teal is 80. ;; # Roadmap\\n\\nThe port of teal is 80.""",
    "one of several": """
        Backups are stored in Glacier. ;; Backups now are stored in Glacier. ;; Engineers now live in Oslo.
        One of the owners of teal is Ann. ;; Ann is a member of the board. ;; Some of the workers run on port 80.
        The office has two or three printers from Brother. ;; Only Tom lives in Oslo. ;; Tests run on Linux.
        The owner of teal is Alice/Bob. ;; Alice lives in Berlin and Paris. ;; Cars are built by Ford.
        The other recipe takes 350 g of flour.""",
    "a set-valued verb": """
        teal supports Redis 6. ;; Mina speaks Danish. ;; teal depends on numpy 2.1. ;; Ida likes rowing.
        The toolbox includes a hammer. ;; The firm employs Ann. ;; FE-88 requires FE-90.
        The book I liked is Dune. ;; The error that `parse` raises is `BadRow`.
        The airline he prefers is Finnair.""",
    "a pronoun that nothing explains": """
        It is 80. ;; She works for HSBC. ;; He lives in Oslo. ;; They moved to Oslo. ;; This is 80.
        Nina misses her mum, she lives in Plovdiv. ;; My brother Tom has a new girlfriend, she works for HSBC.
        Clara met a girl; she lives in Porto.""",
    "a placeholder": """
        The owner of teal is TBD. ;; The owner of teal is TBA. ;; owner: TODO ;; port: <port> ;; token: your-token""",
    "code, a log, a command": """
        INFO queue depth is 14 ;; [INFO] queue size is 10 ;; npm WARN version is 1.4 ;; ls --color=auto
        def __init__(self, size=3): ;; user = User(42) ;; x = Foo(3) ;; ```python\\nport = 80\\n```""",
    "an instruction or a fragment": """
        Please keep the port open. ;; Reminder for Ann: return the library books ;; Save to my list: oat milk
        of the Harbor room the limit is 20. ;; that are sent by owners of the shuttle the limit is 75 requests.
        ~~The port of teal is 80.~~ ;; revert: set replicas to 3 ;; [[servers]]\\nport = "80" """,
    "what stands before it may say which is meant": """
        Fridays are different: the stand-up is at 10:00. ;; Teal was rebuilt: the port is 81.
        Summer is special: the pool opens at 7. ;; Last time I checked the wrong page: the release manager is Ulf.""",
}


@pytest.mark.parametrize(("why", "text"), [(why, text) for why, texts in SILENT.items() for text in entries(texts)])
def test_a_text_states_nothing(why: str, text: str) -> None:
    assert fact_of(text) is None, why


LEFT = rows("""
    The limit of teal is [20|80] MB, measured [after|before] compression. ;; The port of teal is [80|81, more or less].
    The owner of teal is [Ann|Bo, among others]. ;; Lena works for Northgate. || Lena works for no Northgate competitor.
    The limit of teal is 5. || The limit of teal was raised to 9 and then lowered again.
    The limit of teal is 5. || The limit of teal was initially raised to 9.
    The limit of teal is 5. || Having raised the limit of teal to 9, we saw timeouts.
    The limit of teal is 5. || Should the queue overflow, the limit of teal is 9.
    The limit of teal is 5. || The limit of teal is 9, but only for partners.
    The limit of teal is 5. || If the cache is cold, the limit of teal is 9. || Unless you ask, the limit of teal is 9.
    The CFO is Dana Weiss. || According to the outdated chart, the CFO is Peter Lang.
    The door code of Spelt House is 4417. || Should the keypad be reset, the door code of Spelt House is 0000.
    The port of the gateway is 80. || Can you fix that: the port of the gateway is 81.
    The rent of the flat is 900 euros. || The rent of the flat is 800 euros or so.
    Alice works for Initech. || Alice left Initech and joined a choir.
""")


@pytest.mark.parametrize(("first", "second"), LEFT)
def test_what_is_said_so_ends_nothing(first: str, second: str) -> None:
    assert fact_of(first) is not None
    assert ended(first, second) == []
