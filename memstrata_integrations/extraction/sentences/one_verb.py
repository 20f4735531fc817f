"""One key for a claim whatever verb, preposition or noun made it: "hosted with x", "the host is x", "responds in JSON".

The value decides where a verb alone does not: a cloud hosts, a programming language is what a thing is written in, a
source file is where a function is defined. What a rule here doesn't know for sure keeps the key that it has.
"""

from __future__ import annotations

import re

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.comparing import class_of, plain_value
from memstrata_integrations.extraction.sentences.equating import taken_apart
from memstrata_integrations.extraction.sentences.lexicon import EVENTS
from memstrata_integrations.extraction.sentences.nominals import act_of_noun
from memstrata_integrations.extraction.sentences.role_words import head_phrase
from memstrata_integrations.extraction.sentences.spellings import one_form
from memstrata_integrations.extraction.sentences.verbs import participle_of
from memstrata_integrations.relations import known, relation_of
from memstrata_integrations.words import word_set

__all__ = ["of_code", "one_verb"]

_IS, _THUS, _HOSTED, _DEFINED = (known(n) for n in ("is", "is done thus", "is hosted on", "is defined in"))
_REPORTS, _SERIALISED, _FIRES = (known(n) for n in ("reports to", "is serialised by", "fires at"))

_HOST = re.compile(r"(?:(?:[Tt]he )?host of (?P<of>.+)|(?P<owner>\S.*?)['’]s host)\Z")
# What a provider keeps on its machines; of a gala the host is another thing
_MAKER = re.compile(r"(?<=\A)[Mm]anufacturer(?= of )|(?<=\A[Tt]he )manufacturer(?= of )|(?<=['’]s )manufacturer\Z")
_TASKED = word_set("done-with done-via done-using done-through")
_TASK = re.compile(
    r"(?P<task>[A-Za-z]+(?: [a-z]+ing)?) (?:(?:of|in|on|for|at|within) )?"
    r"(?P<what>(?:[Tt]he|[Oo]ur|[A-Z`]\S*)(?: .+)?)\Z"
)
_DEPARTING = word_set("leave-from set-off-from sail-from")
_DEPARTURE = re.compile(
    r"(?:[Tt]he )?departure (?:station|point|place|airport|port|harbour) (?:of|for) (?P<of>.+)\Z"
    r"|(?P<owner>\S.*?)['’]s departure (?:station|point|place|airport|port|harbour)\Z"
)
_AGENTS = {"is represented by": "representative", "is presented by": "presenter"}
_ONLINE = word_set(
    "site website homepage forum blog wiki app application service server database dashboard portal shop webshop store "
    "docs documentation repo repository api backend frontend registry mirror page cluster instance newsletter archive "
    "tracker chat intranet landing-page storefront bot"
)
_FORMATTED = re.compile(
    r"(?:respond|reply|answer|answered|replied)-in (?P<who>.+)\Z"
    r"|format of (?P<owner>.+?)['’]s (?:responses|response|replies|answers)\Z"
    r"|format of (?:(?:[Tt]he )?(?:responses|response|replies|answers)) (?:of|from) (?P<of>.+)\Z"
)
_FORMATS = word_set("json xml csv tsv yaml html protobuf msgpack messagepack ndjson jsonl cbor avro text markdown")
_SOURCE = re.compile(
    r"`?[\w./@~-]+\.(?:py|pyx|pyi|rs|go|ts|tsx|js|jsx|mjs|java|kt|scala|c|cc|cpp|h|hpp|rb|php|cs|swift|ex|exs|erl|clj"
    r"|hs|ml|lua|pl|sh|sql|vue|svelte)`?\Z"
)
_THRESHOLD = re.compile(
    r"(?:[Tt]he )?threshold (?:of|for|on) (?P<of>.*?\b(?:alert|alarm)\b.*)"
    r"|(?P<owner>\S.*\b(?:alert|alarm))['’]s threshold\Z"
)
_CODE = r"(?:`[^`]+`|[\w.]*[A-Za-z][\w.]*(?:\(\))?)"
_OF_CODE = re.compile(
    rf"(?:\b[Tt]he )?(?P<name>{_CODE}) (?:function|helper|method|routine|class)\b"
    rf"|(?:\b[Tt]he )?\b(?:[Ff]unction|[Mm]ethod|[Cc]lass) (?P<behind>{_CODE})(?=\Z|[ ,]|['’]s)"
)


def one_verb(claim: Claim, written: str, kind: str) -> Claim:
    """Return a claim under the one key of its relation.

    Args:
        claim: What a rule has read, its subject complete.
        written: Its value as written.
        kind: The dimension of its value.
    """
    name = claim.relation.name
    if name == "is":
        claim = (
            claim._replace(subject=_MAKER.sub("maker", claim.subject, count=1))
            if "anufacturer" in claim.subject
            else claim
        )
        if (left := _DEPARTURE.match(claim.subject)) is not None and written[:1].isupper():
            return claim._replace(subject=f"depart-from {left['of'] or left['owner']}", relation=_THUS, expected="text")
        if claim.subject.startswith("powerer of "):
            return claim._replace(subject=f"powered-by {claim.subject[11:]}", relation=_THUS)
        return _hosted(claim, written) or _written_in(claim, written) or _alarmed(claim, kind) or claim
    if name == "is done thus":
        return _of_thus(claim, written) or claim
    if name in _AGENTS:
        expected = "name" if name == "is represented by" else None
        return claim._replace(subject=f"{_AGENTS[name]} of {claim.subject}", relation=_IS, expected=expected)
    if name == _HOSTED.name:
        return claim._replace(expected="text") if _is_cloud(written) else claim
    if name == "is managed by":
        return _managed(claim)
    if name == "is located at" and claim.expected in ("where: file", "where: file name", None, "address"):
        return _defined(claim, written)
    return claim


def of_code(subject: str) -> str:
    """Return a subject without the word for the kind of a function or class that it names by itself.

    Example:
        >>> of_code("the `load` helper"), of_code("class RankList"), of_code("the backup function")
        ('`load`', 'RankList', 'the backup function')
    """

    def bare(match: re.Match[str]) -> str:
        name = match["name"] or match["behind"]
        return name if name[0] == "`" or is_identifier(name) else match[0]

    return _OF_CODE.sub(bare, subject, count=1)


def _is_cloud(written: str) -> bool:
    """Whether a name is that of a firm on whose machines others run."""
    value = plain_value(written.lower())
    return class_of(value, _HOSTED.name) == "cloud" or class_of(one_form(value), _HOSTED.name) == "cloud"


def _hosted(claim: Claim, written: str) -> Claim | None:
    """Put "OVH hosts the forum" beside "the forum is hosted at OVH": a cloud is where it is."""
    match = _HOST.match(claim.subject)
    if match is None or not _is_cloud(written):
        return None
    if head_phrase((match["of"] or match["owner"]).lower().split())[0] in EVENTS:
        return None  # a firm that has guests
    return claim._replace(subject=match["of"] or match["owner"], relation=_HOSTED, expected="text")


def _written_in(claim: Claim, written: str) -> Claim | None:
    """Put "the language of the resizer is Rust" beside "the resizer is written in Rust"."""
    if "anguage" not in claim.subject or " in " in claim.subject or "course" in claim.subject:
        # "the language in .travis.yml" is a setting
        return None
    if class_of(plain_value(written.lower()), _THUS.name) != "programming":
        return None
    named = taken_apart(claim.subject)
    if named is None or named.head != "language" or not (not named.modifier or named.modifier.endswith(("'s", "’s"))):
        return None
    whose = named.without()
    return claim._replace(subject=f"written-in {whose}", relation=_THUS, expected="text") if whose else None


def _alarmed(claim: Claim, kind: str) -> Claim | None:
    """Put "the threshold of the disk alert" beside "the disk alert fires at"."""
    match = _THRESHOLD.match(claim.subject) if "hreshold" in claim.subject and kind != "text" else None
    return claim._replace(subject=match["of"] or match["owner"], relation=_FIRES) if match is not None else None


def _of_thus(claim: Claim, written: str) -> Claim | None:
    done, _, what = claim.subject.partition(" ")
    if done in _TASKED:
        return _for_task(claim, what)
    if done in _DEPARTING and what:
        return claim._replace(subject=f"depart-from {what}")
    if done == "hosted-with" and what:
        if _is_cloud(written):
            return claim._replace(subject=what, relation=_HOSTED, expected="text")
        online = head_phrase(what.lower().split())[0] in _ONLINE
        return claim._replace(subject=f"host of {what}", relation=_IS, expected="text") if online else None
    if done in ("serialised-with", "serialized-with") and what:
        return claim._replace(subject=what, relation=_SERIALISED, expected="identifier")
    if claim.rule == "personal" and claim.subject.endswith("'s diet"):
        return claim._replace(relation=_IS, expected=None)
    formatted = _FORMATTED.match(claim.subject) if written.lower().strip("`") in _FORMATS else None
    if formatted is None:
        return None
    who = formatted["who"] or formatted["owner"] or formatted["of"]
    return claim._replace(subject=f"response format of {who}", relation=_IS, expected=None)


def _for_task(claim: Claim, what: str) -> Claim | None:
    """Put "caching in the catalog is done with Redis" beside "the catalog uses Redis for caching"."""
    match = _TASK.match(what)
    if match is None:
        return None
    task = match["task"].lower()
    base = act_of_noun(task)
    if base is None or base == task or relation_of(f"is {participle_of(base)} with") is not None:
        return claim._replace(subject=f"done-with {task} {match['what']}")
    return claim._replace(subject=f"{participle_of(base)}-with {match['what']}")


def _managed(claim: Claim) -> Claim:
    """Put "Emil is managed by Ann" beside "Emil's manager is Ann"."""
    return claim._replace(relation=_REPORTS) if claim.subject == "I" else claim  # an artist's manager is no boss


def _defined(claim: Claim, written: str) -> Claim:
    """Put "the location of compute_vat is lib/rates.py" beside "compute_vat lives in lib/rates.py"."""
    bare = of_code(claim.subject).removeprefix("the ").removeprefix("The ")
    named = " " not in bare and (bare[0] == "`" or is_identifier(bare)) and "/" not in bare
    return claim._replace(relation=_DEFINED, expected="file") if named and _SOURCE.match(written) else claim
