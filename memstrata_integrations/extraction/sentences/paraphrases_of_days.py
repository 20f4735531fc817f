"""Paraphrases of a person's days: home, habits, shifts, appointments and the like."""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.paraphrase_slots import CODE, NAME, ParaphraseSet

__all__ = ["OF_DAYS"]

_NO_PREPOSITION = (
    r"(?!(?:in|for|on|at|with|after|before|over|to|from|by|of|the|a|an|my|it|that|this|not|when|if|best)\b)"
)
_PLAIN = rf"(?P<v>(?:the |an? )?{_NO_PREPOSITION}[A-Za-z][\w’'&-]*(?: {_NO_PREPOSITION}[A-Za-z][\w’'&-]*){{0,2}})"
_TOWN = r"(?P<v>[A-Z][\w’'-]*(?:[ -][A-Z][\w’'-]*){0,2}(?:, [A-Z][\w’'-]*)?)"
_ADDRESS = r"(?P<v>(?:(?:Flat|Apartment|Unit) \w+, )?\d+[a-zA-Z]?,? [A-Z][^;:@]*)"
_SHOP = r"(?P<v>(?:the )?[A-Z][\w.’'&+-]*(?: (?:(?:of|and|&) )?[A-Z0-9&][\w.’'&+-]*){0,3}(?: [a-z]+)?)"

_DAY = (
    r"(?P<v>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?: (?:at|morning|afternoon|evening)(?: \d\S*)?)?"
    r"|\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?)"
)

OF_DAYS: tuple[ParaphraseSet, ...] = (
    ParaphraseSet.of(
        "locker",
        "locker desk seat space spot bay plot allotment stall berth pitch cabin gate",
        r"""
        WHOSE X is V
        WHOSE X number is V
        WHO {have} X V
        WHOSE X is number V
        >WHO HAS(?:given|assigned|issued|got) (?:a|another) (?:new |different )?X(?:SPLIT|)(?: it['’]s)?(?: number)? V
        >WHOSE X HAS(?:swapped|changed|moved)SPLIT(?: it['’]s| it is)?NOW(?: in| park in)?(?: number| X)? V
        """,
        V=CODE,
        X=r"(?P<x>locker|desk|seat|parking (?:space|spot|bay)|bay|plot|allotment|stall|berth|pitch|cabin|gate)",
    ),
    ParaphraseSet.of(
        "parking",
        "bay space",
        """
        WHO {park} in bay V
        WHO {be} in bay V
        WHOSE parking bay is V
        WHOSE bay is V
        WHOSE parking space is V
        ~WHO {park} in space V
        """,
        V=CODE,
    ),
    ParaphraseSet.of(
        "name",
        "name called call go goes",
        """
        WHOSE name is V
        ~WHO {be} called V
        ~WHO {go} by V
        ~people call WHOM V
        call WHOM V
        >WHO (?:have |has )?(?:just )?changed (?:my|her|his) name to V
        """,
        V=NAME,
    ),
    ParaphraseSet.of(
        "seat",
        "seat seats",
        """
        ~WHO {prefer} the V seat
        ~WHO {prefer} a V seat
        ~WHO {prefer} an V seat
        ~WHO {like} the V seat
        ~WHO {like} V seats
        ~WHO {prefer} V seats
        WHOSE preferred seat is the V seat
        WHOSE preferred seat is V
        WHOSE seat preference is V
        >WHO SWITCHED to (?:the|an?) V seat
        """,
        V=r"(?P<v>window|aisle|middle|front|back)",
    ),
    ParaphraseSet.of(
        "shift",
        "shift shifts works work nights days lates earlies",
        """
        WHO {work} the V shift
        WHO {work} V shifts
        WHO {be} on the V shift
        ~WHO {do} V shifts
        ~WHO {be} on V shifts
        ~WHO {work} V
        >WHO HAS(?:switched|moved|changed|gone|went|put)(?: over)?FROM (?:to|onto|on) (?:the )?V(?: shifts?)?
        """,
        V=r"(?P<v>night|day|early|late|morning|evening|afternoon|nights|days|lates|earlies)",
    ),
    ParaphraseSet.of(
        "home",
        "live lives moved relocated settled",
        """
        WHO {live} in V
        >[Ww]e HAS(?:moved(?: house)?|relocated|settled(?: down)?)FROM (?:to|in) V
        """,
        V=_TOWN,
    ),
    ParaphraseSet.of(
        "address",
        "live lives moved relocated address",
        """
        WHO {live} at V
        WHOSE home address is V
        >WHO HAS(?:moved(?: house)?|relocated)FROM (?:to|into) V
        >WHOSE (?:home )?address HAS(?:been )?changedFROM to V
        """,
        V=_ADDRESS,
    ),
    ParaphraseSet.of(
        "preference",
        "prefer prefers like likes preference",
        """
        ~WHO {prefer} V
        ~WHO {like} V best
        ~WHOSE preference is V
        >WHO (?:have |has )come to prefer V
        """,
        V=_PLAIN,
    ),
    ParaphraseSet.of(
        "preference",
        "prefer prefers like likes preference",
        """
        ~WHO {prefer} V Y
        ~Y, WHO {prefer} V
        ~WHO {like} V best Y
        >WHO (?:have |has )come to prefer V Y
        """,
        V=_PLAIN,
        Y=r"(?P<y>(?:in|for|on|at|with|after|before|over) (?:the )?[a-z]+(?: [a-z]+)?)",
    ),
    ParaphraseSet.of(
        "drink",
        "drink drinks have has eat eats",
        """
        ~WHO {drink} V Y
        ~WHO {have} V Y
        ~WHO {eat} V Y
        """,
        V=_PLAIN,
        Y=r"(?P<y>in the (?:morning|afternoon|evening)|for (?:breakfast|lunch|dinner)|at night)",
    ),
    ParaphraseSet.of(
        "source of",
        "from at",
        """
        ~WHO {get} WHOSE X from V
        ~WHO {buy} WHOSE X from V
        ~WHO {buy} WHOSE X at V
        ~WHO {order} WHOSE X from V
        ~WHO {order} the X from V
        ~WHO {buy} the X at V
        >WHO HAS(?:started|begun) (?:getting|buying|ordering) WHOSE X (?:from|at) V
        """,
        V=_SHOP,
        X=r"(?P<x>[a-z][a-z-]*(?: [a-z][a-z-]*)?)",
    ),
    ParaphraseSet.of(
        "place beside",
        "next",
        """
        ~WHO {sit} next to V
        ~WHO {be} sitting next to V
        """,
        V=NAME,
    ),
    ParaphraseSet.of(
        "place beside",
        "next",
        """
        ~WHO {sit} next to V Y
        ~WHO {be} sitting next to V Y
        """,
        V=NAME,
        Y=r"(?P<y>(?:in|at) (?:the )?[a-z]+(?: [a-z]+)?)",
    ),
    ParaphraseSet.of(
        "appointment",
        "on to",
        """
        WHOSE X with Y is on V
        ~WHO {have} a X with Y on V
        ~WHO {have} an X with Y on V
        ~WHO {be} seeing Y on V
        ~WHO {see} Y on V
        >WHOSE X with Y HASSHIFTEDBACKFROM to V
        >Y HASSHIFTEDBACK WHOSE X to V
        >WHO HASSHIFTED (?:my|our) X with YBACKFROM to V
        """,
        V=_DAY,
        X=r"(?P<x>appointment|interview|meeting|session|call|lesson|checkup|check-up|viewing)",
        Y=r"(?P<y>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w’-]*(?: [A-Z][\w’-]*)?|the [a-z]+)",
    ),
    ParaphraseSet.of(
        "appointment",
        "on to",
        r"""
        WHOSE X is on V
        ~WHO {have} a X on V
        ~WHO {have} an X on V
        ~WHO {have} WHOSE X on V
        >(?:they|[Tt]he [a-z]+|[A-Z][\w’-]*) HASSHIFTEDBACK WHOSE X to V
        >WHO HAS(?:SHIFTED|had to (?:move|push|reschedule|shift|postpone|change)) the XBACKFROM to V
        """,
        V=_DAY,
        X=r"(?P<x>(?:[a-z]+ )?(?:appointment|interview|viewing|wedding|surgery|operation|exam|test|checkup|move|haircut"
        r"|graduation|viva|defence|defense|scan|party|flight))",
    ),
)
