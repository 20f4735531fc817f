"""Words and patterns of the rules that documents lay down: bounds, comparisons, periods, conditions."""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.trailing import SENT
from memstrata_integrations.words import word_set

__all__ = [
    "ALARMS",
    "ANSWERS",
    "BOUND",
    "BY",
    "BY_DEFAULT",
    "CASE",
    "CLOCKED",
    "CODE",
    "COMPARED",
    "CONDITIONS",
    "CROWDS",
    "ENTERED",
    "FAILING",
    "FIXED",
    "FOLLOWED",
    "GRANTED",
    "INTO",
    "ITS",
    "KEEPING",
    "LAID_DOWN",
    "LAPSING",
    "LASTING",
    "LATER",
    "LEAST",
    "MUST_HAVE",
    "NEVER_MORE",
    "OF",
    "OF_LEVELS",
    "ORDERS",
    "PASSING",
    "POSSIBLE",
    "QUOTA",
    "REACH",
    "SET",
    "SET_WHERE",
    "SEVERAL_OF",
    "TAKING",
    "USED",
    "WHICH_IS",
    "WITH_OF",
    "YEARLY",
]

_THAN = (
    "more|less|fewer|longer|later|larger|older|bigger|smaller|earlier|higher|lower|sooner|greater|shorter|slower|faster"
    "|heavier|lighter|younger|newer|wider|taller|deeper|warmer|colder|further|hotter|louder|wetter"
)
BOUND = re.compile(
    rf"(?:\b(?:at most|at least|up to|(?:no|not) (?:{_THAN}) than|(?:maximum|minimum|max|min|limit|cap|ceiling|floor"
    r"|total) of|max\.|within|only(?: the)?(?: (?:last|first|latest|newest|oldest|most recent))?"
    r"|the (?:last|first|latest|newest|most recent)|as (?:many|much|long|few|little|late|early|old|large|big) as"
    r"|(?:must not|may not|cannot) exceed|limited to|capped at|restricted to|clamped to)|\bMax)"
    r"(?: the| an?| a further)?\Z",
    re.IGNORECASE,
)
NEVER_MORE = re.compile(rf"\b(?:never|not|cannot|n't) (?:be |[a-z]+ )(?:{_THAN}) than\Z")
LEAST = re.compile(
    r"\b(?:at least|(?:minimum|min) of|(?:no|not) (?:less|fewer|earlier|sooner|smaller|shorter|lower) than)\Z"
)
COMPARED = re.compile(
    rf"(?:\b(?:{_THAN})(?: [a-z]+){{0,2}}? than|\b(?:above|below|over|under|beyond|exceeds?|exceeding|in excess of|past"
    r"|reach(?:es)?|hits?|drops? to|falls? to|rises? to|grows? to|at least))(?: the| an?)?\Z",
    re.IGNORECASE,
)
LASTING = re.compile(
    r"\b(?:(?:has|have|is|are)(?: not| n't|n't)?(?: been)? [a-z]+(?: [a-z]+){0,3} (?:for|in|within)"
    r"|(?:idle|inactive|unused|untouched|unanswered|offline|silent|open|pending|unread|unpaid|stuck|unclaimed|dormant)"
    r" for|(?:does|do|did) not [a-z]+(?: [a-z]+){0,3} (?:within|for|in)|no [a-z]+(?: [a-z]+){0,5} (?:within|for|in)"
    r"|fails? to [a-z]+(?: [a-z]+){0,3} (?:within|for))(?: more than| over| at least| longer than)?\Z",
    re.IGNORECASE,
)
FOLLOWED = re.compile(
    r" (?:before|after|prior to|in advance|ahead of|in arrears|from (?:the|receipt|delivery|purchase|now)"
    r"|of (?:receipt|delivery|purchase|inactivity|notice|leave)|old|beforehand|afterwards|later|notice)\b"
)
FAILING = re.compile(r" (?:(?:consecutive|failed|unsuccessful|wrong|invalid|missed|successive|straight) )+[a-z]+")
SEVERAL_OF = re.compile(r" [a-z]+ ?[a-z]*s\b")
LATER = re.compile(
    r" (?:or|and) (?:later|newer|above|higher|greater|up|upwards|more recent|over)\b|\+"
    r"|(?: release| version)? at least\b"
)
MUST_HAVE = re.compile(r"\b(?:must|may|can|might) have [a-z]+(?:ed|en|n|t)\b")
POSSIBLE = re.compile(
    r"\b(?:may|can) (?:(?:also|still|even|only|sometimes|easily|then) )?(?:be (?!no |at |up |edited|extended|cancel"
    r"|renewed|used|kept|sent|reserved|booked|borrowed|returned|changed for|paid|claimed|restored|undone|recovered"
    r"|replayed|stored|shared|retried|uploaded|created|downloaded|nested|held|parked|viewed|reported|open)|take|last"
    r"|cost|vary|reach|grow|occur|happen|lead|cause|fail|differ|result|drop|rise|arrive|come|exceed|delay|slow|lag"
    r"|amount|increase|decrease|fluctuate|range|go |get |run |save|need|require|expect|choose|pick|select|set|adjust"
    r"|configure|raise|lower|override|tune|try)\b"
)
"""What may be, and what something may be set to, is no rule."""
ALARMS = frozenset(
    verb + ending
    for verb in word_set(
        "alert warn notify notifi alarm page pag remind escalate escalat ping email message messag notification "
        "reminder turn colour color blink flash light glow flag flagg beep ring show display mark"
    )
    for ending in ("", "s", "es", "ed", "ing")
)
"""What is done at one level may be done at another one too."""
OF_LEVELS = SENT | word_set("ping bonus discount surcharge fee fine penalty ticket train bus ferry flight")
SET = re.compile(
    r"(?:To [^,;]{3,70}, (?:please )?|(?:On|In|For) [^,;]{3,60}, (?:please )?|Please )?(?P<set>[Ss]et) (?:the )?"
    r"(?:[a-z][\w-]* ){0,4}?(?:`[^`]+`|\"[^\"]+\"|[\w.-]*[_.=][\w.-]*|[A-Z][A-Z0-9_]+) to (?:a value of )?\Z"
)
SET_WHERE = re.compile(r"\Z|,? (?:on|in|for|of|under|before|within|when|if|to|so|because|unless|until|as)\b")
BY_DEFAULT = re.compile(r"(?:If|When|Unless) [^;]{3,90}\b(?:default|fallback)(?: [a-z]+)? of\Z")
USED = re.compile(r"[`\"]? (?:is|are|will be|gets|applies|is being)\b")
WHICH_IS = re.compile(
    r"(?:, which|,? whose (?:[a-z-]+ ){0,2}[a-z-]+|,? where (?:its|the) (?:[a-z-]+ ){0,2}[a-z-]+)"
    r"(?: (?:at|in|for|on) (?:[\w&’'-]+ ){1,4}?)??(?: (?:currently|always))?"
    r" ?(?<= )(?:is|are|takes?|lasts?|costs?|weighs?|amounts? to|comes? to|equals?|means|stands? at|is set to"
    r"|is fixed at)"
    r"(?: at most| up to| at least| (?:currently|always))?\Z"
)
ENTERED = re.compile(
    r"(?:To|In order to) [^,;]{3,70}, (?:please )?(?:dial|enter|type|press|call|ring|run|use|open|visit|go to|text)"
    r"(?: (?:the )?(?:code|PIN|number|extension|command|port|password|address))?"
)
REACH = re.compile(
    r"[Yy]ou (?:can |may )?(?:always )?(?:order|book|reserve|register|apply"
    r"|reach|contact|call|find|email|phone|ring|get in touch with|get hold of"
    r"|write to) [^,;]{2,60} (?:at|on|under|via|by (?:phone|email|mail) (?:at|on|under))\Z"
)
ORDERS = word_set(
    "run call invoke start build compile use submit file send pay return register order book upload keep allow report "
    "deliver apply request renew rotate"
)
"""What a reader is told to do as a rule, and as no step of a recipe."""
BY = re.compile(r"(?:\bby(?: the| noon on| midnight on)?|no later than)\Z")
WITH_OF = re.compile(r"\bwith an? (?:[a-z][\w-]* ){1,4}of\Z")
OF = re.compile(
    r"\b(?:groups|batches|chunks|blocks|slices|shards|shares|pages|bursts|steps|increments|units|windows|intervals|lots"
    r"|sets|length|size|depth|width|height|level|rate|value|ratio|factor|score|margin|window|period|timeout|delay|cap"
    r"|interval|quota|budget|capacity|lifetime|precision|resolution|threshold|concurrency|clock skew) of(?: up to)?\Z"
    r"|\b(?:starting|beginning|ending|peaking) (?:at|with|from|after|on)\Z"
)
CODE = re.compile(
    r"\b(?:(?:with|by|via|on|at|to|from|using|under) )?(?:the |an? )?(?:HTTP |TCP |UDP |exit |return |error )*"
    r"(?:status|code|port|status code|exit status)\Z"
)
ANSWERS = re.compile(
    r"\b(?:returns?|answers? with|responds? with|replies with|sends(?: back)?|yields?|exits with)(?: an?| HTTP)*\Z"
)
CASE = re.compile(r",? (?:when|if|once|for|on|unless|after|as soon as)\b")
CLOCKED = word_set(
    "switch reset restart reopen lock shut renew expire roll rotate turn refresh sync run reboot freeze rebuild clear "
    "flush update wipe purge reload recycle"
)
YEARLY = re.compile(r" (?:each|every) (?:year|month|week|day|quarter)\b")
QUOTA = re.compile(r"(?: [A-Za-z]+){1,3} (?:an?|per|each|every) (?:second|minute|hour|day|week|month|quarter|year)\b")
GRANTED = word_set("given granted allotted allowed assigned allocated paid charged guaranteed promised owed awarded")
CROWDS = word_set("staff people children personnel police crew")
INTO = re.compile(
    r" (?:go|goes|land|lands|end up|ends up|(?:is|are) (?:[a-z]+ly )?(?:sent|written|published|posted|pushed|uploaded"
    r"|delivered|stored|moved|copied|saved|forwarded|routed|streamed|exported|archived|logged|mirrored|collected|kept))"
    r" (?:to|in|into|on) the (?:[a-z]+ )?(?:channel|topic|queue|bucket|table|stream|branch|folder|directory|index"
    r"|mailbox|file|database|collection|registry|repository|schema|namespace|volume)\Z"
)
"""Where all of a kind is put, named as one place."""
LAID_DOWN = word_set(
    "recommended default required standard allowed permitted prescribed guaranteed maximum minimum longest shortest"
)
FIXED = re.compile(
    r"\b(?:is|are|be) (?:[a-z]+ly )?(?:hard-?coded|set|fixed|pinned|limited|capped|initiali[sz]ed|defaulted|restricted"
    r"|locked|wired|configured|tuned|clamped|rounded|truncated|padded|scaled|throttled|resized|aligned|bound)"
    r" (?:to|at|with)\Z"
)
CONDITIONS = word_set("when whenever once if as after until before unless where")
ITS = word_set("it its they their them")
LAPSING = word_set("expire end time terminate lapse fall close lock renew reset start begin mature")
KEEPING = word_set("works lasts holds stays remains applies counts lives survives")
TAKING = word_set("takes lasts needs requires costs weighs occupies uses")
PASSING = word_set(
    "closed delayed postponed stuck blocked interested tired married divorced retired aged cancelled planned expected"
)
