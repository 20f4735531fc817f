"""Words: closed classes, verbs with their forms, light inflection. Flags say all that the grammar knows of a word."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final


class Flag:
    """Bits of what a word may be; a word has several ("test" is a noun and a verb). Thirty, so that sums stay fast."""

    DET: Final = 1 << 0  # the, a, this
    OWNER: Final = 1 << 1  # my, your, its
    PRONOUN: Final = 1 << 2  # it, they, he: stands for something
    SPEAKER: Final = 1 << 3  # I, we
    PREP: Final = 1 << 4
    AND: Final = 1 << 5  # and, or, but
    SUB: Final = 1 << 6  # opens a clause that depends on another one
    REL: Final = 1 << 7  # who, which, that
    BE: Final = 1 << 8
    HAVE: Final = 1 << 9
    DO: Final = 1 << 10  # does; must, too: what is required holds
    MODAL: Final = 1 << 11  # can, may, would, will
    WAS: Final = 1 << 12  # was, were, had, did
    NOT: Final = 1 << 13
    ASK: Final = 1 << 14
    HEDGE: Final = 1 << 15  # perhaps, roughly, soon
    MIND: Final = 1 << 16  # verbs and phrases of opinion and saying
    EARLIER: Final = 1 << 17  # yesterday, ago, formerly
    SEVERAL: Final = 1 << 18  # also, either, several
    SKIP: Final = 1 << 19  # now, currently, just: says when or how sure, never what
    S_FORM: Final = 1 << 20  # a verb in the third person: runs
    BASE: Final = 1 << 21  # run
    PAST: Final = 1 << 22  # ran
    DONE: Final = 1 << 23  # participle: run, hosted
    ING: Final = 1 << 24
    MANY: Final = 1 << 25  # verbs that have several values: supports, speaks
    INDEFINITE: Final = 1 << 26  # a, an, some, any, each
    COMMON: Final = 1 << 27  # a noun of the language: a capital makes it no name
    AMONG: Final = 1 << 28  # nouns of which there may be several: member, brother
    MARK: Final = 1 << 29  # no word: punctuation

    VERB: Final = S_FORM | BASE | PAST | DONE | ING
    AUX: Final = BE | HAVE | DO | MODAL | WAS


_CLASSES: dict[int, str] = {
    Flag.DET: "the this these that those our",
    Flag.DET | Flag.INDEFINITE: "a an some any every each another",
    Flag.OWNER: "my your his her its their",
    Flag.PRONOUN: "it he she they you him them this these those one ones someone somebody everyone anyone there",
    Flag.SPEAKER: "i we me us mine ours",
    Flag.PREP: """of in on at by for to from with without within into onto over under above below between among across
through via per as than about against along around behind beside near off out up down upon toward towards except
throughout inside outside beyond against like plus after before until since till during roughly approximately circa
ca""",
    Flag.AND: "and or but nor & plus",
    Flag.SUB: """if unless when whenever while because since although though whereas until till once so before after as
provided assuming lest having""",
    Flag.REL: "who which that whom whose where",
    Flag.BE: "is are am be been being 's 're 'm",
    Flag.BE | Flag.WAS: "was were",
    Flag.BE | Flag.NOT: "isn't aren't ain't",
    Flag.BE | Flag.WAS | Flag.NOT: "wasn't weren't",
    Flag.HAVE: "has have 've",
    Flag.HAVE | Flag.WAS: "had 'd",
    Flag.HAVE | Flag.NOT: "hasn't haven't hadn't",
    Flag.DO: "does do must shall",
    Flag.DO | Flag.WAS: "did",
    Flag.DO | Flag.NOT: "doesn't don't",
    Flag.DO | Flag.WAS | Flag.NOT: "didn't",
    Flag.MODAL: "can could may might should would ought will 'll",
    Flag.MODAL | Flag.NOT: "cannot can't couldn't shouldn't wouldn't mustn't mightn't won't",
    Flag.NOT: "not n't never no none nothing nobody neither hardly rarely nowhere",
    Flag.ASK: "what why how whether",
    Flag.HEDGE: """maybe perhaps probably possibly likely presumably apparently supposedly allegedly reportedly nearly
almost typically usually generally normally often sometimes occasionally mostly unclear unsure tentatively tentative
hopefully seemingly rumoured rumored potentially theoretically ideally today tonight tomorrow soon eventually someday
here then suppose imagine""",
    Flag.EARLIER: "yesterday ago briefly temporarily formerly previously earlier initially originally historically",
    Flag.SEVERAL: "also too either both several other others various additionally moreover likewise respectively",
    Flag.SKIP: """now currently already still just presently officially simply only actually really exactly nowadays
basically please effectively again always meanwhile very quite anymore""",
}

# verb, past, participle; what is missing is as what stands before it
_IRREGULAR = """
begin began begun; bind bound; break broke broken; bring brought; build built; buy bought; catch caught; choose chose
chosen; come came come; cost; cut; deal dealt; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten;
fall fell fallen; feed fed; feel felt; find found; fly flew flown; forget forgot forgotten; freeze froze frozen; get
got; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden; hit; hold held; keep kept;
know knew known; lay laid; lead led; leave left; lend lent; let; lie lay lain; lose lost; make made; mean meant; meet
met; pay paid; put; quit; read; ride rode ridden; rise rose risen; run ran run; say said; see saw seen; sell sold; send
sent; set; shut; sing sang sung; sit sat; sleep slept; speak spoke spoken; spend spent; spin spun; split; stand stood;
stick stuck; swear swore sworn; take took taken; teach taught; tell told; think thought; throw threw thrown; wear wore
worn; win won; write wrote written; become became become; arise arose arisen; commit committed; permit permitted; refer
referred; defer deferred; submit submitted; oversee oversaw overseen; rewrite rewrote rewritten; rebuild rebuilt; cancel
cancelled; label labelled; travel travelled; model modelled; control controlled; emit emitted; admit admitted; omit
omitted; equip equipped; bid; cast; shrink shrank shrunk; withdraw withdrew withdrawn; undo undid undone
"""

_VERBS: dict[int, str] = {  # the first, besides the irregular ones
    0: """abandon access accrue act address adjust alert amount answer apply appoint approve archive arrive assign
attend audit authenticate average back backup bake bank base batch bill block boil book boost boot border brew broadcast
buffer bump bundle burn cache calculate call cap care certify chair change charge check clean clear climb close coach
code commute compile complete compress compute conduct configure connect consist contact convert cook coordinate copy
count crash create cross date debounce decide decline decommission decrease default define delay delete deliver depart
deploy design determine dim direct disable discontinue dispatch display dissolve distribute document double downgrade
download draft drain dump earn edit elect email employ enable encode encrypt end enforce engage enter equal escalate
establish evict exceed execute exist exit expire expose fail ferry fetch file fill filter finance find finish fire fit
fix flow flush fold format found fund generate govern grade guard guide halve handle happen hash head headquarter heat
hire host house identify idle ignore increase indent index inherit initialize inspect install insure issue join jump
kick lag land last launch lay lease lengthen level licence license lift limit link lint listen live locate lock log
loosen lower mail maintain man manage map mark marry match measure merge migrate mill monitor move name need neighbour
notify open operate orbit order organise own pack package page park parse pass pause peak perform persist phone pick pin
ping place play point poll pool post postpone power practise present press price print process produce provision proxy
prune pull pump purge push quadruple query queue range rank rate reach reboot record recover redirect reduce refresh
refund rehearse reject relax relay release reload relocate remain rename render renew rent replace replicate reply
report represent request require reschedule reserve reset reside resolve respond rest restart restore restrict result
resume retain retire retry return review revise revoke ring root rotate round route sail save scale scan schedule score
scrape seat secure seed select serialise serialize serve settle share shed shift ship shorten show sign skip slash
snapshot sort span sponsor staff start state stay step stop store stream string study succeed supervise supply suspend
swap swim switch sync tag talk target tax terminate test tighten tile time title top total touch trace track trade train
transfer transform translate treat trigger trim trip triple truncate trust tune turn type update upgrade upload use
validate value vendor verify version view volunteer wait wake walk wash watch water weigh weight widen work zip""",
    Flag.MANY: """accept affect afford allow avoid belong consume contain contribute depend eat emit enjoy exclude
export extend grant hate implement import include install integrate introduce involve invoke know learn like list love
mention mirror miss mount offer permit prefer prevent prohibit promote propose provide publish receive recognise
recommend reference register remove rely sell speak subclass subscribe suffer suggest support teach tolerate understand
wear adore dislike collect follow visit solve throw yield read deprecate forbid patch carry load stock sample detect
feature mind add drop ban cover raise catch""",
    Flag.MIND: """believe think reckon assume suppose guess doubt suspect feel imagine argue claim suggest say tell ask
wonder hear recall announce insist swear admit deny promise confirm note remember forget recommend propose vote dream
joke fear worry pretend mean hope want wish intend plan consider discuss debate predict forecast estimate expect warn
complain object agree disagree advise urge seem appear sound look hint imply""",
}

_NOUNS: dict[int, str] = {
    Flag.COMMON: """access backup backups billing build builds building cache check closing data default email entry
help house leave logging mail meeting monitoring note opening parking policy post power price rating rent security
service setting settings shipping sleep staff staging storage support tax timeout training travel update version warning
water work""",
    Flag.AMONG | Flag.COMMON: """member members example one part feature friend friends colleague brother sister son
daughter child cousin aunt uncle nephew niece student neighbour sponsor client customer contributor participant
competitor dependency requirement hobby skill allergy medication diagnosis sibling ingredient language option choice
reason problem issue bug advantage disadvantage author co-author player symptom topic task thing result effect word
benefit drawback exception lesson question instance challenge risk difference copy mirror replica office branch item
attendee""",
}

_SPELLINGS = {
    "maximum": "max", "minimum": "min", "configuration": "config", "database": "db", "repository": "repo",
    "production": "prod", "environment": "env", "colour": "color", "favourite": "favorite", "licence": "license",
    "e-mail": "email", "telephone": "phone", "docs": "documentation", "centre": "center",
    "me": "i", "my": "i", "mine": "i", "us": "we", "ours": "we", "an": "a",
}  # fmt: skip
_SPELLINGS |= dict.fromkeys("is are am been being was were 's 're 'm isn't aren't wasn't weren't".split(), "be")
_SPELLINGS |= dict.fromkeys("has 've had 'd hasn't haven't hadn't".split(), "have")
_SPELLINGS |= dict.fromkeys("does did doesn't don't didn't".split(), "do")

_KEPT_S = frozenset(
    """news series species always perhaps besides https jenkins rails attrs requests postgres kubernetes windows macos
sports physics ethics analytics does lens alias bias canvas atlas""".split()
)


def singular(word: str) -> str:
    """Return a lower-case word without the s of a plural or of the third person."""
    if len(word) < 4 or word[-1] != "s" or word[-2] in "su'’" or word in _KEPT_S or word.endswith("is"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else word[:-1]


def _forms(verb: str, past: str = "", done: str = "") -> tuple[tuple[str, int], ...]:
    """Return the forms of a verb, those of the past made by rule unless they are given."""
    soft = verb[-1] == "y" and verb[-2] not in "aeiou"
    short = len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in "aeiou" and verb[-3] not in "aeiou"
    stem = verb + verb[-1] if short and sum(c in "aeiou" for c in verb) == 1 else verb  # "stop", "stopped"
    runs = verb[:-1] + "ies" if soft else verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
    past = past or (verb[:-1] + "ied" if soft else (verb if verb[-1] == "e" else stem + "e") + "d")
    ing = (verb[:-1] if verb[-1] == "e" and verb[-2:] != "ee" else stem) + "ing"
    return (verb, Flag.BASE), (runs, Flag.S_FORM), (past, Flag.PAST), (done or past, Flag.DONE), (ing, Flag.ING)


def _inflected() -> Iterator[tuple[str, str, int]]:
    """Yield nouns and the forms of verbs with their base forms; of a word's several base forms the first counts."""
    for flags, nouns in _NOUNS.items():
        yield from ((noun, singular(noun), flags) for noun in nouns.split())
    irregular = {forms[0]: (forms + forms[-1:] * 2)[1:3] for forms in map(str.split, _IRREGULAR.split(";"))}
    for extra, verbs in _VERBS.items():
        for verb in (*verbs.split(), *(irregular if not extra else ())):
            yield from ((form, verb, flags | extra) for form, flags in _forms(verb, *irregular.get(verb, ())))


def _lexicon() -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for word, lemma, flags in _inflected():
        known = found.get(word, (lemma, 0))
        found[word] = known[0], known[1] | flags
    for flags, words in _CLASSES.items():
        for word in words.split():
            found[word] = word, flags | found.get(word, ("", 0))[1]
    return {word: (_SPELLINGS.get(lemma, lemma), flags) for word, (lemma, flags) in found.items()}


_LEXICON = _lexicon()


@lru_cache(maxsize=65536)
def lemma_and_flags(lower: str) -> tuple[str, int]:
    """Return the base form of a word in lower case, and what it may be."""
    found = _LEXICON.get(lower)
    if found is not None:
        return found
    plain = singular(lower)
    lemma = _LEXICON[plain][0] if plain in _LEXICON else plain
    return _SPELLINGS.get(lower) or _SPELLINGS.get(lemma, lemma), 0
