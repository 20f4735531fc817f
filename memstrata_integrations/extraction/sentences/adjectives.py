"""Words that say how something is rather than what: "the theme is ugly" names no theme."""

from __future__ import annotations

from memstrata_integrations.extraction.sentences.verbs import is_participle, is_past
from memstrata_integrations.words import word_set

__all__ = ["describes", "is_adjective"]

_ADJECTIVES = word_set(
    "spicy salty seasonal closed volatile corrupt corrupted offline online terse idempotent deterministic "
    "reentrant lossy lossless sluggish "
    "bloated encrypted unencrypted reachable unreachable writable readable readonly read-only resizable configurable "
    "adjustable clustered sharded replicated obsolete superseded unsupported undocumented unmaintained intermittent "
    "erratic sufficient negligible moderate tolerable acceptable unacceptable appropriate inappropriate "
    "able absent accurate active ad-hoc adequate alive alone ambiguous angry annoying apparent asleep async "
    "automatic available "
    "awake aware away awful awkward bad badly bare basic beautiful best better big bitter blank blind bold "
    "boring brief bright "
    "brittle broad broken bulky busy calm careful careless cheap clean clear clever close closed clumsy coarse "
    "cold common "
    "compact compatible complete complex complicated concise consistent constant convenient cool correct costly "
    "crazy critical crowded "
    "crucial cruel cumbersome curious custom daily damp dangerous dark dead deaf dear decent deep dense "
    "different difficult dirty "
    "distinct done double down dry due dull dumb dynamic eager early easy effective efficient elegant empty "
    "enormous enough "
    "equal essential exact excellent exclusive expensive explicit external extra extreme fair faithful false "
    "familiar famous far fast fat "
    "faulty favourable few fine finished firm fit fixed flaky flat flexible foreign fragile free frequent fresh "
    "friendly full "
    "functional funny furious general generic gentle glad global gone good gradual grand grateful great half "
    "handy happy hard "
    "harmful harmless harsh healthy heavy helpful hidden high hollow honest hostile hot huge hungry ideal "
    "identical idle ill illegal "
    "immutable important impossible inactive incorrect independent indirect ineffective inefficient informal "
    "initial innocent "
    "insecure inside interesting internal invalid invisible irrelevant isolated jealous joint keen kind large "
    "last late lazy lean left "
    "legal lightweight light likely limited linear little live local lone lonely long loose lost loud lovely low "
    "loyal lucky mad "
    "main major mandatory manual massive mature mean medium messy mild minimal minor missing mixed modern modest "
    "modular mutable mute mutual "
    "naive narrow nasty native natural neat necessary negative nervous neutral new nice noisy normal nosy "
    "notable numb obscure obsolete "
    "obvious odd official okay ok old opaque open optional ordinary other outdated outside over overdue own pale "
    "partial "
    "particular passive patient perfect permanent persistent personal plain pleasant poor popular portable "
    "positive possible powerful "
    "practical precise predictable premature present pretty previous primary primitive private proper proud "
    "public pure quick "
    "quiet random rapid rare raw ready real reasonable recent reckless redundant relative relevant reliable "
    "reluctant remote "
    "responsible responsive rich right rigid ripe robust rough round rude sad safe same sane scalable scarce "
    "secret secure "
    "sensible sensitive separate serious severe shallow sharp short shut shy sick significant silent silly "
    "similar simple single "
    "slight slim slow small smart smooth sober soft solid sophisticated sore sound sour spare sparse special "
    "specific stable stale "
    "standard static steady steep sticky stiff still strange strict strong stuck stupid sturdy subtle successful "
    "sudden sufficient suitable "
    "super sure sweet swift synchronous tall tame tasty temporary tender terrible thick thin thorough "
    "thread-safe tidy tight tiny "
    "tired total tough tricky trivial true typical ugly unable unavailable unaware unchanged unclear unclean unique "
    "universal unknown unlikely unpopular unsafe unstable untested unusable unusual up up-to-date upset urgent "
    "usable useful useless "
    "usual vague valid valuable vast verbose very vital vulnerable warm wary wasteful weak weird well wet whole "
    "wide wild willing wise "
    "wonderful worse worst worth wrong young under in on at by for to from with as so too quite rather somewhat "
    "extremely fairly "
    "really almost both either neither all none some any much more most less least many several few one two "
    "three there here "
    "kept built written held sent run set put made done found known shown given taken drawn seen sold paid led "
    "lost met read shut "
    "split worn won begun driven eaten frozen grown spoken stolen sworn thrown torn woken brought bought caught "
    "dealt fed felt fought "
    "heard hit hurt laid left lent meant spent spread stood struck taught told understood cut gone been born bound "
    "pregnant dusty rocky muddy sunny rainy windy cloudy foggy snowy greasy oily rusty leaky slippery bumpy shiny "
    "scratchy itchy grainy stony grassy smelly squeaky wobbly shaky patchy spotty moldy mouldy crispy crunchy chewy "
    "juicy fluffy wealthy thirsty sleepy chilly gloomy stormy icy frosty filthy grubby untidy chunky skinny pricey "
    "lengthy wordy blurry fuzzy hazy murky shady sketchy risky edgy picky fussy moody grumpy cranky cheeky brilliant "
    "dominant abundant vibrant fragrant distant vacant violent prudent evident coherent inherent resilient deficient "
    "proficient controversial influential beneficial superficial emotional exceptional fatal brutal attractive "
    "impressive aggressive afraid bald rotten bland defective ghastly dire grim bleak drab dreary dingy immense "
    "gigantic roomy toxic lethal benign bogus moot witty sarcastic cynical ample uneven bent hoarse shrill lame tense "
    "a an the this that these those its their his her my our your mine yours"
)
_DEGREES = word_set(
    "very so too quite rather somewhat extremely fairly really almost more most less under in on at by for to "
    "from with as not up down"
)
_POSITIVES = _ADJECTIVES - _DEGREES
_ENDINGS = ("ful", "less", "ous", "able", "ible", "ish", "ing", "ward")
# "US-based", "Linux-only", "read-only"
_COMPOUNDING = word_set(
    "based only compatible friendly free ready like specific agnostic aware safe proof bound wide certified "
    "compliant backed owned led driven made built hosted managed powered style sized shaped dependent sensitive "
    "lived healing tolerant contained"
)
_NO_ADJECTIVES = word_set(
    "archive spring string king ring bing ping building swimming table cable variable vegetable dish fish "
    "parking staging housing marketing engineering billing accounting rowing climbing fencing running cycling skiing "
    "sailing fishing hiking boxing painting drawing reading writing gardening cooking baking knitting sewing dancing "
    "singing camping surfing bowling catering cleaning banking lighting heating clothing bedding flooring roofing "
    "plumbing landing morning evening wedding training briefing pudding dressing icing filling stuffing ceiling "
    "railing clearing crossing recording beijing kayaking snowboarding skating archery quilting pottery darling "
    "staffing invoicing networking streaming gaming shipping onboarding monitoring logging tracing rigging "
    "british turkish memcached etcd systemd containerd"
)


def _positives(word: str) -> tuple[str, ...]:
    """Return of what a word may be the comparative or superlative: "safer", "bigger", "earliest"."""
    stem = word.removesuffix("est") if word.endswith("est") else word.removesuffix("er")
    return stem, f"{stem}e", stem[:-1], f"{stem.removesuffix('i')}y"


def is_adjective(value: str) -> bool:
    """Whether the first word of a value says how something is.

    Example:
        >>> [is_adjective(v) for v in ("ugly", "very slow", "teal", "mypy", "deprecated")]
        [True, True, False, False, True]
    """
    words = value.split()
    if not words:
        return True
    first = words[0].lower()
    if first in ("a", "an") and len(words) > 1:
        return True  # a class, not a name
    if len(words) > 1 and first not in _DEGREES and not is_adjective(words[-1]):
        return False  # "mutual TLS"
    if first in _ADJECTIVES or (first.endswith(("er", "est")) and not _POSITIVES.isdisjoint(_positives(first))):
        return True
    if first.rsplit("-", 1)[-1] in _COMPOUNDING and "-" in first:
        return True
    if first in _NO_ADJECTIVES or "-" in first:
        return False
    return (len(first) > 5 and first.endswith(_ENDINGS)) or (
        len(first) > 4 and first.endswith("ed") and not first.endswith("eed")
    )


_WHOSE = word_set("my our his her its their your mine ours yours theirs hers being worth part due subject having")
_BEHIND_PARTICIPLES = word_set(
    "by of in on at to from with for as into out off up down below above twice once here there together again anew "
    "overleaf elsewhere every each when before after during until per under over behind"
)


# What says how it went or what sort of thing it is, rather than what it is
_VERDICTS = word_set(
    "success failure disaster mess secret surprise mystery problem issue joke disgrace disappointment bit lot "
    "choice idea decision matter question thing example hit flop bargain nightmare pain shame pity delight "
    "treat factor concern challenge way result cause reason beginning start end must-have placeholder progress limit "
    "risk draw drawback highlight old ago tradition improvement compromise mistake string integer number boolean list "
    "object array field function requirement formality guess look try change exception"
)
_TELLING = word_set("sensitive insensitive aware safe specific friendly proof dependent independent wide ready like")
_COMPARED = word_set("same different similar identical bit enough very too so quite rather such")


def describes(value: str) -> bool:
    """Whether words behind "is" say whose a thing is, how old, or what is done to it, rather than name it.

    Example:
        >>> [describes(v) for v in ("theirs", "two years old", "loved by everyone", "case-sensitive", "fried rice")]
        [True, True, True, True, False]
    """
    words = value.lower().split()
    if not words or words[0] in _WHOSE or words[-1] in _VERDICTS or {words[0], words[-1]} & _COMPARED:
        return True
    if len(words) == 1:
        return "-" in words[0] and words[0].rpartition("-")[2] in _TELLING
    done = is_participle(words[0]) or is_past(words[0])
    return done and (words[1] in _BEHIND_PARTICIPLES or words[1].endswith("ly"))
