"""What a speaker adds to a sentence that takes it back: ", I doubt it", "- they say", "(unconfirmed)".

Such a clause has a verb or an adverb of saying, thinking, seeming, wishing, doubting or lying. It stands behind what it
comments, and what it comments asserts nothing.
"""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sentences.verbs import THIRD, is_past
from memstrata_integrations.words import word_set

__all__ = ["is_aside", "is_doubted", "is_narrowing", "is_quoting"]

_LONGEST = 600
_MOST_WORDS = 7
_TRIM = "\"'`()[]{}.,;:!?*“”‘’"
_BREAK = re.compile(r"[,;] | ?[–—]+ ?| --? | \(|\.\.\. ?|… ?")
_BREAK_MARKS = (", ", "; ", "–", "—", " -", " (", "...", "…")  # every break holds one
_DOUBTING = word_set(
    "doubt doubts doubted doubtful think thinks thought guess guesses guessed guessing believe believes believed "
    "suppose supposes supposed supposedly hope hopes hoped hoping hopefully wish wishes wished wishing dream dreams "
    "dreamt dreamed forget forgets forgot unsure uncertain told tells hear hears heard assume assumes assumed "
    "assuming say says said saying claim claims claimed seem seems seemed seemingly appear appears appeared lie lies "
    "lied lying reckon reckons reckoned suspect suspects suspected imagine imagines imagined fear fears feared joke "
    "jokes joked joking kidding pretend pretends pretended rumour rumours rumoured rumor rumors rumored gossip "
    "allegedly apparently reportedly presumably perhaps maybe probably possibly theoretically unconfirmed unverified "
    "unsubstantiated disputed speculative speculation hearsay tbc tbd untrue mistaken iirc afaik imo imho "
    "unclear hypothetically pending according bet wonder "
    "wonders"
)
_FINITE = word_set("is are am was were has have had do does did will can may must i we you he she it they")
_TAKEN_BACK = re.compile(
    r"(?:it|that|this|which|he|she|they)\b.*\b(?:false|wrong|incorrect|nonsense|not true|a lie|made up)\Z"
    r"|among(?:st)? (?:others|other things|many others)|(?:such as|e\.g\.?|for (?:example|instance)).*"
    r"|.*\b(?:not (?:so )?(?:sure|certain|really|confirmed|verified)|in theory|made (?:it|that|this) up"
    r"|to my knowledge|no idea|who knows|back then|not any ?more|never true|quote me|story goes|citation needed"
    r"|to be (?:confirmed|checked|verified)|needs? (?:checking|confirmation))\Z",
)
_BEGINS = re.compile(
    r"(?:if (?:i|memory)|as far as (?:i|we)|to (?:my|our) knowledge|so (?:i|we|they|he|she) (?:am|are|is)) "
)
# What else a sentence may hold that is nothing but such a comment
_BESIDE = word_set(
    "i we you he she it they that this who which people everyone everybody someone somebody my our his her their am "
    "is are was were be been have has had do does did so or but and at least not no n't only just really very once "
    "quite too me us him them otherwise sure the a an one some rumour has it goes to out turned up made i'm i've he's "
    "she's it's they're we're don't doesn't didn't can't couldn't in theory false wrong true incorrect nonsense of "
    "course as far know if remember correctly memory serves story goes "
    "quote confirmed checked verified needs checking confirmation citation needed idea back then any never knows"
)


def is_doubted(sentence: str) -> bool:
    """Whether a clause behind what a sentence says takes it back.

    Example:
        >>> [is_doubted(s) for s in ("Tom lives in Oslo, I doubt it", "Tom lives in Oslo, and works in Bergen")]
        [True, False]
    """
    for mark in _BREAK_MARKS:
        if mark in sentence:
            break
    else:
        return False
    if len(sentence) > _LONGEST:
        return False
    link = _BREAK.search(sentence, 1)
    while link is not None:
        following = _BREAK.search(sentence, link.end())
        if _comments(sentence[link.end() : following.start() if following else len(sentence)]):
            return True
        link = following
    return False


# In front of a colon, these say that what follows was, will be or may be so, or that it is none
_DISOWNING = word_set(
    "was were had rejected deprecated denied denies draft drafts myth false fiction fictional hypothesis hypothetical "
    "dream joke quiz past previously formerly outdated obsolete withdrawn expected pretend imagine don't don’t never "
    "not old wrong incorrect bad before rumour rumor gossip suggestion suggested option scenario someday maybe plan "
    "planned proposal proposed considered discussed debated idea todo example sample goal wish untrue mistake "
    "superseded retired archived"
)
_DISOWNED_BESIDE = word_set(
    "the a an of in following is are this that we write say type use do true value values text output version one b c "
    "two"
)
_LONGEST_LEAD, _LEAST_WORDS = 100, 3
_NARROWING = word_set("only just except not or but unless for in at on excluding including apart")


# "Clara's text: my phone number is ...", "Please translate: I live in ..."
_QUOTING = re.compile(
    r"(?P<lead>[^:]{2,80}): [\"“‘']?(?:I|[Mm]y|[Ww]e|[Oo]ur)(?:['’](?:m|ve|d|ll|re))? ",
)
# "He shouted: the mayor is Bob", "The school's song goes: ..."
_UTTERED = re.compile(
    r"[^:]{2,60} (?:shout|chant|hum|squawk|mumbl|whisper|yell|mutter|cr|quipp|jok|bragg|scream|rhym|lament)"
    r"(?:ed|ied)(?: [a-z]+){0,2}: |[^:]{1,50}\b(?:sang|lied|swore): "
    r"|[^:]{0,40}\b(?:lie|slogan|title|headline|dream|motto|joke|rumou?r|claim|phrase|chant|song|poem|lyrics?"
    r"|caption|prank"
    r"|play|letter|story|post|tale)(?: [a-z]+)? (?:was|is|goes|went|reads?|ran|begins?|began|opens|opened|ends|ended): "
)
_BY_OTHERS = re.compile(
    r"\b(?!It['’]|What['’]|That['’]|There['’])[A-Z][\w-]*['’]s (?!new\b)[a-z]+|\bAs [A-Z]"
    r"|\b(?i:translate|write|role-?play|practi[sc]e|repeat|say|type|sing|quote|spell|draft|compose|rewrite"
    r"|complain(?:s|ed)"
    r"|moan(?:s|ed)?|goes|answers?|repl(?:y|ies|ied)|messages?|texts?|texted|emails?|emailed|letters?|postcards?|status"
    r"|posts?|posted|tweets?|tweeted|captions?|poem|song|lyrics|voicemail|wrote|writes|left a note)\b"
)


def is_quoting(sentence: str) -> bool:
    """Whether a sentence gives somebody else's words, or such as are to be written.

    Example:
        >>> [is_quoting(s) for s in ("Clara's text: my code is 5", "Quick note: my code is 5")]
        [True, False]
    """
    if ": " not in sentence:
        return False
    if _is_disowned(sentence) or _UTTERED.match(sentence) is not None:
        return True
    found = _QUOTING.match(sentence)
    return found is not None and _BY_OTHERS.search(found["lead"]) is not None


def _is_disowned(sentence: str) -> bool:
    """Whether a sentence stands behind a word that takes it back: "Rejected: our tracker is Rollbar"."""
    lead, _, rest = sentence[:_LONGEST_LEAD].partition(": ")
    words = [w.strip(_TRIM).lower() for w in lead.split()]
    if _DISOWNING.isdisjoint(words) or len(rest.split()) < _LEAST_WORDS:
        return False
    return all(w in _DISOWNING or w in _DISOWNED_BESIDE for w in words)


def is_narrowing(sentence: str) -> bool:
    """Whether a sentence is a fragment that says of what the one before holds, or takes it back.

    Example:
        >>> [is_narrowing(s) for s in ("Only for York.", "Not!", "Or is it?", "In May we moved.")]
        [True, True, True, False]
    """
    if len(sentence) > _LONGEST:
        return False
    words = [w.strip(_TRIM).lower() for w in sentence.split()]
    if not 0 < len(words) <= _MOST_WORDS or words[0] not in _NARROWING:
        return False
    if words[0] == "or" and sentence.rstrip().endswith("?"):
        return True
    if words[-2:] == ["that", "is"]:
        return True
    return not any(w in _FINITE or w in THIRD or is_past(w) for w in words)


def is_aside(sentence: str) -> bool:
    """Whether a sentence is nothing but a comment on the one before.

    Example:
        >>> [is_aside(s) for s in ("I think.", "They say so.", "Ann told me.", "I think we should move.")]
        [True, True, True, False]
    """
    if len(sentence) > _LONGEST:
        return False
    words = [w.strip(_TRIM).lower().replace("’", "'") for w in sentence.split()]
    if not 0 < len(words) <= _MOST_WORDS or not _comments(sentence):
        return False
    if words[0] == "or" and words[1:2] in (["maybe"], ["perhaps"], ["possibly"], ["probably"]):
        return True
    name = sentence[:1].isupper() and len(words) > 1
    return all(w in _BESIDE or w in _DOUBTING for w in words[name:])


_WHOM_TO_ASK = (["if", "in", "doubt"], ["when", "in", "doubt"])  # "; ask the team if in doubt"


def _comments(clause: str) -> bool:
    words = [w.strip(_TRIM).lower() for w in clause.split()]
    if not _DOUBTING.isdisjoint(words) and not (words[0] == "unless" and words[-1] == "otherwise"):
        return words[-3:] not in _WHOM_TO_ASK
    said = " ".join(words)
    return len(words) <= _MOST_WORDS and (_TAKEN_BACK.match(said) is not None or _BEGINS.match(said) is not None)
