"""Subjects that point at one of many and do not say which: "the patient", "the following host", "Order number".

Another text points at another one with the same words. "The patient in room 5" and "the nightly build" say which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memstrata_integrations.extraction.sentences.lexicon import MEASURES
from memstrata_integrations.words import word_set

__all__ = ["comes_again", "is_caption", "numbers_a_record", "one_of_several", "points"]

_ONE_OF_MANY = (
    "customer|patient|guest|user|client|tenant|applicant|employee|student|member|passenger|caller|victim|suspect|"
    "defendant|plaintiff|candidate|visitor|subscriber|donor|shopper|buyer|seller|traveller|traveler|resident|attendee|"
    "participant|respondent|witness|claimant|borrower|renter|rider|pupil|prisoner|inmate|child|baby|recipient|sender|"
    "order|ticket|issue|invoice|case|run|build|job|request|session|transaction|message|record|row|item|entry|event|"
    "commit|function|method|author|man|woman|person|boy|girl|gentleman|lady|book|movie|film|song|flight|bus"
)
_OF_IT = (
    "name|number|no|nr|id|uuid|code|key|status|state|address|phone|email|age|birthday|city|date|time|type|amount|total|"
    "price|title|subject|priority|owner|assignee|reporter|reference|hash|timestamp"
)
_VERBS = (
    "is|are|was|has|had|lives|works|costs|lasts|weighs|starts|ends|begins|runs|takes|uses|belongs|studies|stays|sits|"
    "speaks|drives|comes|goes|plays|teaches|likes|prefers|keeps|owns|earns|pays|returns|opens|closes|expires|arrives|"
    "leaves|departs|measures|contains|holds|needs|gets|wants|eats|drinks|rents|attends|reads|writes|stands|lies|lands"
)
_FOLLOWED = rf"(?:['’]s?\b|(?= (?:{_VERBS})\b)| (?:{_OF_IT})(?:['’]s)?(?= (?:{_VERBS})\b)|(?=[,;:]|\Z))"
_ONE_MORE = "new|next|other|first|second|third|fourth|fifth|young|youngest|old|oldest|elderly"
_BARE = re.compile(
    rf"(?:(?:the|our|an?) )?(?:(?:{_ONE_MORE}) )?(?P<role>{_ONE_OF_MANY})"
    rf"(?: (?:currently|now|still|also|always))?{_FOLLOWED}"
)
_OF_BARE = re.compile(rf" (?:of|for|to|from) the (?:(?:{_ONE_MORE}) )?(?P<role>{_ONE_OF_MANY}){_FOLLOWED}")
# "The following host", "the port below": which one, the rest of another text says
_POINTING = word_set(
    "following above below sample given respective corresponding matching resulting aforementioned said specified "
    "referenced mentioned foregoing preceding subsequent latter former accompanying attached enclosed highlighted "
    "displayed depicted shown listed described above-mentioned below-mentioned so-called typical "
    "average dummy hypothetical"
)
_AVERAGED = MEASURES | word_set("time target number")
_BEHIND = re.compile(
    r"(?:the )?[\w-]+(?: [\w-]+)? (?:here|below|above|in question|(?:at|in|on) hand) (?:is|are|lives|runs) "
)
_LOCATING = _POINTING | {"here", "below", "above", "question", "hand"}
_MAY_POINT = _LOCATING | frozenset(_ONE_OF_MANY.split("|"))
_BEHIND_ROLES = ("'", "’", ",", ";", ":")  # what may stand behind a role of `_FOLLOWED`, besides a space
# "Only the host is b1": of others, which are not named
_FOCI = ("Only ", "Just ", "Even ", "Merely ", "Solely ", "Simply ", "Not only ")
_FOCUS = re.compile(rf"(?:{'|'.join(_FOCI)})(?:the |my |our |[A-Z])")
# What a record is numbered by, and what one run of a thing comes to: no state of anything
_NUMBERED = word_set("id uuid guid isbn issn doi sha sha1 sha256 md5 hash checksum digest pid timestamp serial barcode")
_NUMBERS = word_set("number no nr id code count reference ref key")
_STAMPED = word_set("created updated modified deleted started finished recorded logged received sent")
_RECORDS = word_set(
    "order invoice ticket case request trace span correlation transaction session message event record row line run "
    "job build commit tracking confirmation booking reservation receipt serial shipment parcel claim issue patient "
    "customer student employee member passenger applicant user guest entry item batch exit error response return "
    "status result payment thread process"
)
_OF_ONE = word_set("patient customer student employee member passenger guest staff")
_TIMED = word_set("elapsed response run execution wall cpu")
# "Patient age", "Order status": of a patient and an order that are not named
_PAPERS = word_set(
    "order invoice ticket case transaction patient customer student employee member passenger applicant guest receipt "
    "shipment parcel claim booking reservation"
)
_ON_PAPERS = word_set(
    "name status state address phone email age birthday date amount total price subject priority title"
)
_OF_A_RUN = word_set(
    "commit timestamp time date duration elapsed runtime epoch loss iteration accuracy score step amount total "
    "subtotal sum count line row index name author title created modified updated level x y z i j k n m line page "
    "build run invoice order ticket case patient customer guest passenger applicant student member user employee item "
    "product event request session transaction message record entry value result output response error exit sender "
    "subject apiversion kind"
)
# "Figure 2: pipeline": the number counts within a text that cannot be seen, and what follows is a title
_CAPTION = re.compile(
    r"(?:figure|fig\.?|table|tab\.?|step|listing|section|sect\.?|part|slide|day|phase|option|task|item|level|chapter"
    r"|example|exercise|rule|question|answer|week|lesson|appendix|note|episode|case|test|scenario|module|unit|stage|page"
    r"|equation|eq\.?|plate|box|scheme|algorithm|image|photo|chart|diagram|map|track|verse|book|quiz|problem|assignment"
    r"|homework|group|sample|goal|objective|bullet|theorem|lemma|definition|round|sprint|act|scene|volume|issue|point|line"
    r"|footnote|row|column"
    r"|article|paragraph|clause|iteration|milestone|hypothesis|assumption|requirement|experiment|trial|attempt|run"
    r"|session|season|month|year|quarter) "
    r"(?:no\.? |#)?(?:s?\d[\d.-]*[a-z]?|[ivx]+|[a-h]|one|two|three|four|five|six|seven|eight|nine|ten)\Z"
    r"|(?:no\. ?|[qa])\d+\Z",
    re.IGNORECASE,
)
# What a row is named after, and of what it has many
_MANY_OF = tuple(
    (word_set(owners), word_set(things))
    for owners, things in (
        (
            "author artist director writer composer poet painter singer band publisher developer actor",
            "title book song album movie film work novel single track game play poem paper article role",
        ),
        ("country state region province continent county", "city town village river mountain airport"),
        (
            "team group department category class genre type kind family",
            "member item product person player employee example tool library",
        ),
        ("brand manufacturer maker vendor company", "model product car"),
        ("product item shirt shoe", "size color colour variant"),
        ("method verb", "path route endpoint url"),
        ("language ecosystem", "library framework tool package"),
        ("customer client user student person buyer guest", "order ticket invoice course purchase booking product"),
    )
)
_NUMBERED_BY_NAME = _NUMBERED - {"id", "hash"}


_TAGGING = word_set("tag topic category label keyword hashtag genre")
_LISTED = word_set(
    "allowed permitted excluded ignored blocked trusted supported accepted included additional extra related denied "
    "banned known optional recommended secondary"
)


def comes_again(words: Sequence[str], value: str) -> bool:
    """Whether a key may well come again with another value: "Tag: red", "Allowed origin: https://a.example"."""
    first = words[0].lower() if words else ""
    if len(words) == 1:
        return first in _TAGGING and words[0][0].isupper()
    return first in _LISTED and not value[:1].isdigit()


def is_caption(key: str) -> bool:
    """Whether a key is a word and its number in a text: "Figure 2", "Step 3", "Q1"."""
    return _CAPTION.match(key) is not None


def one_of_several(first: str, column: str) -> bool:
    """Whether what a row of a table is named after has several of what a column holds.

    Example:
        >>> one_of_several("Author", "Title"), one_of_several("Service", "Port")
        (True, False)
    """
    owner, thing = first.strip("*`_ ").lower(), column.strip("*`_ ").lower()
    return any(owner in owners and thing in things for owners, things in _MANY_OF)


def points(sentence: str, *, knows_user: bool = False) -> bool:
    """Whether the subject of a sentence points at one of many without saying which.

    Args:
        sentence: The sentence.
        knows_user: Metadata says who "the user" is.

    Example:
        >>> [points(s) for s in ("The patient lives in Oslo", "The patient in room 5 is Ann", "The above host is a1")]
        [True, False, True]
    """
    said = sentence.lower()
    words = said.split()
    if _MAY_POINT.isdisjoint(words):
        for mark in _BEHIND_ROLES:
            if mark in said:
                break
        else:
            return sentence.startswith(_FOCI) and _FOCUS.match(sentence) is not None
    # beside a name of code a role is a term of the program: "The column for the sender is `sent_by`"
    bare = None if "`" in said else _BARE.match(said) or (_OF_BARE.search(said) if " the " in said else None)
    if bare is not None and not (knows_user and bare["role"] == "user"):
        return True
    if _FOCUS.match(sentence) is not None:
        return True
    if _LOCATING.isdisjoint(words):
        return False
    return _BEHIND.match(said) is not None or any(
        word in _POINTING
        and words[n - 1] in ("the", "these", "those")
        and words[n + 1 :]
        and not (word == "average" and not _AVERAGED.isdisjoint(words[n + 1 : n + 4]))
        for n, word in enumerate(words)
        if n
    )


def numbers_a_record(key: str) -> bool:
    """Whether a key, with nothing to say of what, is the number of a record or what a run came to.

    Example:
        >>> [numbers_a_record(k) for k in ("ID", "Order number", "exit_code", "Phone number", "Port")]
        [True, True, True, False, False]
    """
    words = key.replace("_", " ").replace("-", " ").replace("#", "number").lower().split()
    if "." in key:
        words = [w.rstrip(".") for w in words]
    if words[:1] == ["the"]:
        words = words[1:]
    if not 1 <= len(words) <= 3 or key == "I":
        return False
    if len(words) == 1:
        return words[0] in _OF_A_RUN or words[0] in _NUMBERED
    if words[-1] in ("at", "on", "date") and words[-2] in _STAMPED:
        return True
    if (words[-1] == "time" and words[-2] in _TIMED) or words[-2:] == ["commit", "hash"]:
        return True
    if words[-2] in _PAPERS and words[-1] in _ON_PAPERS:
        return True
    if words[0] in ("my", "our") and words[-2] in _OF_ONE:
        return False  # who has many orders is one employee
    return words[-1] in _NUMBERED_BY_NAME or (words[-1] in _NUMBERS and words[-2] in _RECORDS)
