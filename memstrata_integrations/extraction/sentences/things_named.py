"""Names in a clause that no pronoun of the next one stands for: "Mona gave up the Leith place, her studio is in Bonn".

He and she are somebody. What somebody sold, finished or moved to is a thing or a place, whatever it is called, and so
is what an article and a common noun of things make of a name.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.lexicon import PERSON_ROLES
from memstrata_integrations.words import word_set

__all__ = ["PEOPLE", "one_moved", "without_things"]

PEOPLE = PERSON_ROLES | word_set(
    "mum mom dad mother father parents brother sister aunt uncle cousin daughter son girlfriend boyfriend friend "
    "neighbour neighbor boss colleague wife husband partner girl boy man woman guy lady child kid baby puppy kitten "
    "teacher roommate flatmate landlord niece nephew grandma grandpa fiancé fiancée ex people"
)
"""Words for somebody."""

_NAME = r"[A-Z][\w’'&.-]*(?: [A-Z0-9][\w’'&.-]*){0,3}"
# Of these no word is a name for somebody: "the Leith place", "a Fiat van"
_OF_THINGS = (
    "place flat house apartment room studio cottage cabin villa shop store office branch site team club job post role "
    "contract account card car van bike boat ship train flight bus ticket book novel film series course class school "
    "college university hospital clinic bank firm company agency project deal plan subscription membership phone "
    "laptop line route street road building tower bridge hotel restaurant café cafe bar pub gym lease desk"
)
_NAMED_THING = re.compile(rf"\b(?:the|an?|his|her|their|its) {_NAME} (?:{_OF_THINGS.replace(' ', '|')})\b")
# What is done to things alone
_TO_THINGS = re.compile(
    r"\b(?:sold|traded in|crashed|scrapped|renovated|refinanced|remortgaged|cancelled|canceled|resold|repainted"
    r"|returned|finished reading) (?:(?:the|an?|his|her|their) )?(?:old |new |first |last )?"
    rf"{_NAME}(?<![’']s)(?= |\Z)(?! and [A-Z])"
)
# Where somebody went
_TO_PLACES = re.compile(
    r"\b(?:moved|relocated|emigrated|transferred|retired|commuted|flew|sailed|graduated)"
    r"(?: (?:back|over|away|out|up|down))? (?:to|from|into|out of|in) "
    rf"{_NAME}(?<![’']s)(?= |\Z)(?! and [A-Z])"
)
# What is added to what one has: "Mona added a loft", and no "bought a puppy"
_ADDED = re.compile(
    r"\b(?:added|built|installed|fitted|sprained|broke|twisted) an? (?:[a-z-]+ )?(?:loft|conservatory|extension|room"
    r"|bathroom|kitchen|porch|deck|garage|balcony|floor|storey|story|wing|shed|sauna|terrace|patio|basement|attic"
    r"|stove|heat pump|wall|fence|ankle|wrist|arm|leg|finger|toe|rib|foot|elbow|knee)(?= |\Z)"
)
_FORMS = (_NAMED_THING, _TO_THINGS, _TO_PLACES, _ADDED)
_SIGNS = word_set(
    "the a an his her their its sold traded crashed scrapped renovated refinanced remortgaged cancelled canceled "
    "resold repainted returned finished moved relocated emigrated transferred retired commuted flew sailed graduated"
)

# "They've moved Hana to the annex": whoever they are, Hana is spoken of
_MOVED = re.compile(
    r"(?:They|We|I|HR|The (?:school|club|company|office|hospital|college|agency|nursery|firm))"
    r"(?:['’]ve| have| has)? (?:just )?"
    r"(?:moved|transferred|promoted|demoted|reassigned|relocated|switched|seated|upgraded) (?P<who>[A-Z][a-z]+)"
    r"(?: (?:up|down|over|back|again|too))?(?: (?:to|into|out of|from|up to|down to) (?:the|a|an|another) [a-z ]+)?\Z"
)


def one_moved(clause: str) -> str:
    """Return who was moved, where a clause names nobody besides.

    Example:
        >>> one_moved("They've moved Hana to the annex"), one_moved("Ann moved Hana")
        ('Hana', '')
    """
    found = _MOVED.match(clause)
    return found["who"] if found is not None else ""


def without_things(clause: str) -> str:
    """Return a clause without what it names that is nobody.

    Example:
        >>> without_things("Mona gave up the Leith place"), without_things("Mona sold the Fiat to Lea")
        ('Mona gave up it', 'Mona it to Lea')
    """
    if _SIGNS.isdisjoint(clause.split()):
        return clause
    for form in _FORMS:
        clause = form.sub("it", clause)
    return clause
