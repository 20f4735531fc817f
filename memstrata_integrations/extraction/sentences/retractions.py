"""Sentences beside a statement that take it back, as "That's only a proposal" and "This page is out of date".

One stands behind what it takes back and points at it, the other stands first and says what all that follows is.
"""

from __future__ import annotations

import re

from memstrata_integrations.words import word_set

__all__ = ["frames_all", "takes_back"]

_LONGEST = 90
_THAT = r"(?:this|that|it|which)(?:['’]s| is| was)"
_UNREAL = (
    r"(?:example|sample|proposal|suggestion|plan|draft|guess|joke|lie|dream|rumou?r|wish|hypothesis|fiction|assumption"
    r"|template|placeholder|idea|theory|estimate|prank|mistake|typo)"
)
_UNTRUE = (
    r"(?:wrong|false|incorrect|untrue|outdated|obsolete|planned|proposed|tentative|unconfirmed|nonsense|made up"
    r"|out of date"
    r"|hypothetical|fictional|rejected)"
)
_BACK = re.compile(
    r"(?:(?:but|though|however|well|and|or|sorry|except)[, ]+)*(?:"
    rf"{_THAT} (?:(?:just|only|all|still|probably|really|merely|purely) )*(?:(?:an?|the|our|their|my) )?(?:[a-z]+ )?"
    rf"(?:{_UNREAL}|{_UNTRUE})(?: (?:at least|for now|though|of course|for (?:now|[A-Z][a-z]+)|anyway))?"
    rf"|{_THAT} the (?:old|former|previous|wrong) (?:value|one|number|price|limit|rule|version|address|code|name"
    rf"|setting|time"
    r"|date|way|figure)"
    rf"|{_THAT} (?:not (?:true|so|right|correct|confirmed|certain|sure|final|the case|any ?more)|no longer [a-z ]+)"
    rf"|{_THAT} (?:only|just) (?:for|in|on|at|when|if|until|during) .*|{_THAT} what .* (?:said|says|say|claims?"
    rf"|claimed|thinks?"
    r"|thought|heard|wanted|wants|hoped?)"
    r"|(?:this|that) was (?:(?:only|just|back) )*(?:in (?:19|20)\d\d|before .*|until .*|true .*|so .*|then|once"
    r"|years ago"
    r"|years back|last .*|when .*|the (?:plan|idea|case|rule|old .*))"
    r"|(?:this|that|it) (?:only |just )?(?:applies|holds|counts) (?:only )?(?:in|for|on|at|to|when|if|until|during) "
    r"(?!all\b|every|both\b|any).*"
    r"|(?:this|that|it) (?:(?:has )?since changed|(?:has )?changed since(?: then)?|used to be (?:so|true|the case"
    r"|that way))"
    r"|(?:this|that|it) would be (?:nice|great|good|better|lovely|cool|ideal)|(?:this|that|it) (?:is"
    r"|['’]s) (?:to be|yet to be) .*"
    r"|(?:[a-z ]+ )?(?:it|this|that|things)(?: is|['’]s| are| was| were) (?:different|otherwise|another (?:matter"
    r"|story))"
    r"|(?:no|nope),? (?:it|that|this|she|he|they) (?:isn['’]t|is not|wasn['’]t|doesn['’]t|don['’]t|aren['’]t)"
    r"|(?:oh,? )?wait,? no|no,? wait|never ?mind|(?:scratch|forget|ignore|strike|disregard) (?:that|this|it)"
    r"|false|wrong|nope"
    r"|not (?:true|so|any ?more|really|confirmed|final|certain|official)(?: yet| at all)?"
    r"|nobody knows(?: for sure| yet)?"
    r"|don['’]t quote me(?: on (?:that|this|it))?|(?:i|we) (?:just )?(?:made|make) (?:that|this|it) up"
    r"|\((?:not true|false|unconfirmed|wrong|planned|draft|example)\)"
    r")",
    re.IGNORECASE,
)
_POINTING = word_set(
    "this that it that's it's that’s it’s which wrong false nope no wait never nevermind not nobody don't don’t things "
    "(not (false) (unconfirmed) (wrong) (planned) (draft) (example)"
)
_OPENERS = word_set("this the what none nothing all everything imagine suppose picture here back here's here’s")
_PAGE = r"(?:page|document|doc|file|section|note|text|chapter|list|article|paragraph|part|table|post|entry)"
_ALL = re.compile(
    rf"(?:this(?: {_PAGE})?|the following|what follows|all (?:of )?this|everything below) (?:is|are) (?:(?:just"
    rf"|only|all|still"
    rf"|purely) )*(?:(?:an?|the|our) )?(?:[a-z]+ )?(?:{_UNREAL}|{_UNTRUE}|archived|superseded)"
    r"|(?:none|nothing) (?:of|in) this(?: [a-z]+)? is (?:true|real|final|decided|confirmed)"
    rf"|this {_PAGE} is about (?:staging|production|the (?:old|previous|former|next|future|planned|test|demo) [a-z ]+)"
    r"|(?:imagine|suppose|picture) (?:this|the following)|here(?: is|['’]s) (?:an? example|what .* (?:say|said"
    r"|says|thought|claims?))"
    r"|back in (?:19|20)\d\d, (?:things|it|everything|life) (?:was|were) different",
    re.IGNORECASE,
)


def takes_back(sentence: str) -> bool:
    """Whether a sentence takes back the one before it, or says that it holds in one case only.

    Example:
        >>> [takes_back(s) for s in ("That's only a proposal.", "No, it isn't.", "That was a shock.", "It's great.")]
        [True, True, False, False]
    """
    said = sentence.strip().rstrip(".!")
    if len(said) > _LONGEST or _POINTING.isdisjoint(said.lower().replace(",", "").split()):
        return False
    return _BACK.fullmatch(said) is not None


def frames_all(sentence: str) -> bool:
    """Whether a sentence says of all that follows that it is not so, not now or not here.

    Example:
        >>> [frames_all(s) for s in ("This document is a draft.", "This page is about staging.", "This is the wiki.")]
        [True, True, False]
    """
    if len(sentence) > _LONGEST or sentence.partition(" ")[0].lower() not in _OPENERS:
        return False
    return _ALL.fullmatch(sentence.strip().rstrip(".!:")) is not None
