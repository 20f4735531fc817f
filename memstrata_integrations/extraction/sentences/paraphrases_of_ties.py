"""Paraphrases of what ties a person to firms, places and contracts."""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.paraphrase_slots import CODE, NAME, ParaphraseSet

__all__ = ["OF_TIES"]

_WORD = r"(?P<v>[A-Za-z][\w’'&+-]*(?: [A-Za-z][\w’'&+-]*)?)"
_THING = r"(?P<v>[A-Za-z][\w’'&-]*(?: [A-Za-z][\w’'&-]*){0,3})"
_PHONE = r"(?P<v>[+(]?\d[\d ()/.-]{5,}\d)"
_MAIL = r"(?P<v>[\w.+-]+@[\w.-]+\w)"
_RANK = r"(?P<v>ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top|\d+(?:st|nd|rd|th))"
_SCHOOL = (
    r"(?P<v>(?:the )?(?:[A-Z][\w.’'-]* ){1,4}(?:School|Academy|Primary|College|High|Elementary|University|Gymnasium"
    r"|Grammar|Institute|Kindergarten|Nursery|Polytechnic|Conservatory))"
)
_PLACE = r"(?P<x>[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)"
_PET = r"(?P<x>dog|cat|puppy|kitten|horse|rabbit|hamster|parrot|baby)"
_RISK = (
    r"(?P<x>car|home|house|flat|bike|dog|cat|boat|van|motorbike|phone|pet|health|travel|life|contents|household|home)"
)
_SERVICE = r"(?P<x>[A-Z][\w’'&+-]*(?: [A-Z][\w’'&+-]*)?)"

OF_TIES: tuple[ParaphraseSet, ...] = (
    ParaphraseSet.of(
        "phone",
        "number phone mobile cell reach call text ring contact dial number,",
        r"""
        WHOSE phone number is V
        WHOSE number is V
        WHOSE mobile is V
        WHOSE mobile number is V
        WHOSE cell is V
        WHOSE phone is V
        WHOSE cell phone number is V
        reach WHOM at V
        =(?:you can |please )?(?:reach|call|text|ring|contact|get) WHOM (?:on|at|under|via) V(?:, .*\b(?:number|phone))?
        >PLEASE V(?: from now on)?ITSWHOSE (?:new )?KIND(?:number|phone|mobile|cell)
        >WHO HAS(?:got|have|has|changed to|switched to) (?:a|an|the) new KINDnumber(?:,|:| and it is|[,:] it['’]s| –)? V
        >WHO HAS(?:changed|switched) OWN KIND(?:number|phone|mobile|cell) (?:from .+ )?to V
        >WHOSE KINDnumber HAS(?:been )?changed(?:,|;|:| and| –| to)(?: it['’]s| it is)? V
        >(?:my |our )?new KINDnumber(?: is|:|,| –) V
        """,
        V=_PHONE,
    ),
    ParaphraseSet.of(
        "email",
        "email e-mail reach write mail address contact",
        """
        WHOSE email is V
        WHOSE email address is V
        reach WHOM at V
        =(?:you can |please )?(?:reach|email|write to|contact|mail) WHOM (?:on|at|under|via) V
        >PLEASE V(?: from now on| for emails?)?ITSWHOSE (?:new )?(?:e-?mail|address)(?: address)?
        >WHO HAS(?:changed|switched) OWN e-?mail(?: address)? (?:from .+ )?to V
        >WHOSE e-?mail(?: address)? HAS(?:been )?changed(?:,|;|:| and| –| to)(?: it['’]s| it is)? V
        >(?:my |our )?new e-?mail(?: address)?(?: is|:|,| –) V
        """,
        V=_MAIL,
    ),
    ParaphraseSet.of(
        "employer",
        "works work job position role post hired poached jobs employers companies working headhunted recruited",
        """
        WHO {work} for V
        WHO {work} at V
        >WHO HAS(?:started|got|taken|took|landed|found|begun) (?:a|OWN) new (?:job|position|role) (?:at|with|for) V
        >WHO HAS(?:taken|took|landed|accepted) (?:a|the) (?:job|position|post) (?:at|with) V
        >WHO HAS(?:started working|started work|gone to work|went to work) (?:at|for) V
        >WHO HAS(?:switched|changed|left) (?:jobs|employers|companies)SPLITNOW (?:at|with|works? (?:for|at)|joined) V
        >WHO (?:have |has )?been (?:hired|poached|headhunted|recruited) by V
        """,
        V=NAME,
    ),
    ParaphraseSet.of(
        "plan",
        "plan subscription account membership subscribed",
        """
        WHO {be} on the V plan
        ~WHO {have} the V plan
        ~WHO {be} subscribed to the V plan
        WHOSE plan is V
        >WHO SWITCHED (?:over )?(?:from the .+ plan )?to (?:the|a) V plan
        """,
        V=_WORD,
    ),
    ParaphraseSet.of(
        "plan",
        "plan subscription account membership subscribed",
        """
        WHO {be} on the V plan at X
        ~WHO {have} the V plan at X
        ~WHO {use} the V plan of X
        WHOSE X plan is V
        ~WHO {have} X V
        >WHO SWITCHED OWN X (?:plan|subscription|account|membership) (?:from .+ )?to (?:the )?V(?: plan)?
        >WHO SWITCHED (?:over )?(?:from the .+ plan )?to (?:the|a) V plan (?:at|of|with|on) X
        """,
        V=_WORD,
        X=_SERVICE,
    ),
    ParaphraseSet.of(
        "team",
        "team",
        """
        WHO {be} on the V team
        WHO {work} on the V team
        WHO {be} in the V team
        ~WHO {belong} to the V team
        ~WHOSE team is the V team
        WHOSE team is V
        >WHO HASREASSIGNEDFROM(?: to)? the V team
        """,
        V=_WORD,
    ),
    ParaphraseSet.of(
        "project",
        "project",
        """
        ~WHO {be} working on the V project
        ~WHO {work} on the V project
        ~WHO {be} on the V project
        ~WHO {be} assigned to the V project
        ~WHOSE project is V
        ~WHOSE current project is V
        >WHO HASREASSIGNEDFROM to the V project
        """,
        V=_WORD,
    ),
    ParaphraseSet.of(
        "job",
        "as job promoted living",
        """
        WHO {work} as a V
        WHO {work} as an V
        ~WHO {be} employed as a V
        ~WHO {be} employed as an V
        ~WHOSE job is V
        WHOSE job title is V
        ~WHO {be} working as a V
        ~WHO {earn} WHOSE living as a V
        >WHO HAS(?:retrained|requalified) as an? V
        >WHO HAS(?:been |was |were |got )?promoted(?: from .+)? to (?:an? |the )?V
        """,
        V=_THING,
    ),
    ParaphraseSet.of(
        "school",
        "school schools School Academy Primary College High Elementary University Gymnasium Grammar Institute "
        "Kindergarten Nursery Polytechnic Conservatory",
        """
        WHO {go} to V
        WHOSE school is V
        ~WHO {attend} V
        ~WHO {be} a pupil at V
        ~WHO {be} a student at V
        ~WHO {be} at V
        ~WHO {study} at V
        WHO {be} enrolled at V
        >WHO HAS(?:switched|changed|moved|transferred)(?: schools)?FROM(?: to|,NOW(?: goe?s? to| at)) V
        >WHO (?:have |has )?(?:just |recently )?started (?:school )?at V
        """,
        V=_SCHOOL,
    ),
    ParaphraseSet.of(
        "university",
        "study studies university enrolled student unis universities colleges",
        """
        WHO {study} at V
        WHO {be} enrolled at V
        WHOSE university is V
        ~WHO {be} a student at V
        ~WHO {go} to university in V
        >WHO HAS(?:switched|changed) (?:unis|universities|colleges)SPLITNOW (?:(?:study(?:ing)?|studies|enrolled) )?at V
        """,
        V=NAME,
    ),
    ParaphraseSet.of(
        "hotel",
        "staying hotel booked hotels rebooked switched changed moved",
        """
        WHO {be} staying at V
        WHOSE hotel is V
        ~WHO {have} booked V
        ~WHO booked V
        >WHO HAS(?:switched|changed|swapped|moved) (?:hotels|hotel)SPLITNOW (?:staying )?(?:at|in) V
        """,
        V=NAME,
    ),
    ParaphraseSet.of(
        "hotel",
        "staying hotel booked hotels rebooked switched changed moved",
        """
        WHO {be} staying at V in X
        WHOSE hotel in X is V
        ~WHO {have} booked V in X
        ~WHO booked V in X
        ~In X, WHO {be} staying at V
        ~In X WHO {be} staying at V
        >WHO HAS(?:switched|changed|swapped) (?:hotels|hotel)SPLIT in X,?NOW (?:staying )?(?:at|in) V
        >WHO HAS(?:switched|changed|moved|rebooked) to V in X
        """,
        V=NAME,
        X=_PLACE,
    ),
    ParaphraseSet.of(
        "pet food",
        "dog cat puppy kitten horse rabbit hamster parrot baby dog's cat's",
        """
        ~WHOSE X eats V
        WHOSE X's food is V
        ~WHO {feed} WHOSE X V
        ~WHO {feed} the X V
        ~WHOSE X gets V
        ~the X gets V
        ~the X eats V
        ~the X's food is V
        >WHO SWITCHED (?:my|our|his|her|the) X(?:['’]s (?:food|diet|kibble))?(?: over)?(?: from .+)? (?:to|onto) V
        >WHO HAS(?:swapped|replaced|exchanged) (?:my|our|his|her|the) X['’]s (?:food|kibble)FROM (?:to|for|with|by) V
        >WHOSE X (?:have |has )?(?:been )?switched(?: over)?(?: from .+)? (?:to|onto) V
        """,
        V=NAME,
        X=_PET,
    ),
    ParaphraseSet.of(
        "insurer",
        "insured insurance insurer insure insures",
        """
        WHOSE X is insured with V
        WHOSE X insurance is with V
        WHOSE X insurer is V
        WHOSE X insurance is V
        ~WHO {insure} WHOSE X with V
        ~WHO {have} WHOSE X insured with V
        ~WHO {have} WHOSE X insurance with V
        ~WHO {be} insured with V for WHOSE X
        >WHO HAS(?:moved|switched|changed|taken|took|transferred) (?:OWN|the) X insurance(?: over)?FROM to V
        """,
        V=NAME,
        X=_RISK,
    ),
    ParaphraseSet.of(
        "room",
        "room",
        r"""
        WHO {sit} in room V
        WHOSE room is V
        WHOSE desk is in room V
        WHOSE office is room V
        WHOSE room number is V
        WHOSE office is in room V
        ~WHO {work} in room V
        ~WHO {be} staying in room V
        >WHO HAS(?:moved|transferred|switched|changed|put) (?:in|to|into) room V
        >(?:they|reception|the [a-z]+|[A-Z]\w+) HAS(?:moved|transferred|switched|put) WHOM (?:in|to|into) room V
        """,
        V=CODE,
    ),
    ParaphraseSet.of(
        "floor",
        "floor",
        """
        WHOSE office is on the V floor
        WHO {sit} on the V floor
        WHOSE desk is on the V floor
        WHO {work} on the V floor
        WHO {be} on the V floor
        >WHO HAS(?:moved|relocated)(?: up| down)?(?: from the .+ floor)? to the V floor
        >(?:they|the company|facilities) HAS(?:moved|relocated) WHOSE (?:desk|office|team)(?: up| down)? to the V floor
        >WHOSE (?:desk|office) HAS(?:moved|relocated)(?: up| down)? to the V floor
        """,
        V=_RANK,
    ),
)
