"""The words by which people say a relation, as data: verbs, nouns and adjectives, in any of their forms.

Of each relation its name, its aliases and its nouns count by themselves, and so do the aliases that a user gives a
`Relation`. Here stands what else says it. A word too few misses what a good model reads; a word too many lets a
bad reading through.
"""

from __future__ import annotations

from memstrata_integrations.words import word_set

__all__ = [
    "ANY",
    "APPOINTING",
    "BEING",
    "BEING_NAMED",
    "CHANGING",
    "DOUBTING",
    "EMPLOYING",
    "HOLDING",
    "LEADING",
    "REFUSING",
    "UNMOVED",
    "WORDS",
]

# A thing and its value, whatever moves: "The limit is 5", "stands at 5", "went with 5"
BEING = word_set(
    "be is are am remain stay equal read stand sit lie become settle go change switch move shift pass fall drop rise "
    "climb turn jump grow shrink slip come amount total hold run last measure weigh count number average land end "
    "clock max pay cost charge top start begin revolve double halve tick wait cap limit have keep"
)
# People settle what the value is
_CHOOSING = word_set(
    "set configure fix pin peg hardcode hard-code define specify assign allot allocate settle agree decide choose "
    "pick select opt adopt approve confirm finalise finalize standardise standardize commit converge land end go use "
    "take put make let leave keep give allow permit accept pay charge cost get receive maintain budget schedule book "
    "plan tune calibrate establish hold apply run have stick enforce impose grant mean bring push print mark label "
    "cap limit time state ship deploy consume carry serve tip provision size quote sign arrive wind hammer negotiate "
    "record document enter reset override overwrite force rewrite correct modify edit patch"
)
HOLDING = BEING | _CHOOSING
# Of names: with these the role itself is the one who acts ("The lead chose Bob" names no lead)
BEING_NAMED = word_set("be is are remain stay become read move switch change shift pass fall turn migrate")
# A person or a thing gets a role
APPOINTING = BEING_NAMED | word_set(
    "appoint name elect hire promote choose pick select make serve act lead head run take own hold assign install "
    "settle agree decide go use adopt call title dub designate crown succeed replace inherit opt standardise "
    "standardize set fill step work function double volunteer hand entrust confirm rely build keep end land stick "
    "nickname label brand recruit bring put have employ store belong charge come rename schedule book fix commit "
    "converge plan welcome"
)
# From one value to another: these say nothing without where to
CHANGING = word_set(
    "move switch change bump raise lower upgrade downgrade increase decrease reduce cut extend shorten double halve "
    "rise stretch fall climb drop jump grow shrink push shift reschedule relocate migrate update transition swap "
    "transfer turn postpone convert restore boost tweak adjust tighten loosen relax scale trim slash hike nudge dial "
    "crank slip lift widen narrow expand advance pass pull"
)
# Something is kept from being the value, or may be it in somebody's mind only. Most such verbs need no entry, for a
# verb that says no relation is enough to drop a triple; these count in every form, and as nouns
REFUSING = word_set(
    "refuse refusal reject rejection decline deny forbid prohibit ban exclude cancel abandon ditch scrap veto oppose "
    "interview dismiss oust resign retire quit try propose suggest recommend nominate disallow avoid undo retract "
    "withdraw rescind revoke mistake misread misquote confuse dream imagine joke simulate simulation pretend regret "
    "reconsider contemplate predict suspect doubt wonder hesitate refrain threaten offer forgo shun reluctant "
    "unwilling tempt hate contrary unlike attempt vow promise"
)
# How it holds: for a while, in one's mind, by hearsay
DOUBTING = word_set(
    "briefly temporarily momentarily tentatively provisionally interim temporary provisional tentative allegedly "
    "supposedly reportedly wrongly mistakenly falsely erroneously accidentally theoretically hypothetically jokingly "
    "formerly once rumour rumor rumoured rumored hearsay gossip myth legend untrue false wrong incorrect obsolete "
    "outdated deprecated reverted rejected rolled-back withdrawn former ex-lead erstwhile fictional imaginary almost "
    "nearly hardly barely seldom partly partially occasionally rarely ostensibly nominally purportedly unofficially "
    "unconfirmed so-called would-be fake sham hypothetical speculation film movie novel sitcom"
)
# What may lead to the value of a tie, where a preposition does: "lives for Lyon" names no home
LEADING = {
    "lives in": word_set("in at to into of on"),
    "lives at": word_set("in at to into of on"),
    "works for": word_set("for at by of to as"),
    "works at": word_set("for at by of to as"),
}
# One is employed by another: only the passive says so of oneself
EMPLOYING = word_set("hire employ recruit appoint own lead manage coach marry operate chair")
ANY = word_set("*")
"""Of relations whose subject says what is done: "Backups of the wiki" "is done every" "6 hours"."""
# Ties of people, to which a change from elsewhere says nothing
UNMOVED = frozenset(
    ("lives in", "lives at", "works for", "works at", "is married to", "is engaged to", "is named", "reports to")
)

_HOME = "live reside settle move relocate home base dwell stay address resettle domicile residence resident emigrate"
_WORK = (
    "work job employ employer employee join hire role position payroll engineer developer programmer designer manager "
    "director analyst consultant nurse teacher accountant lawyer intern career recruit appoint head lead switch "
    "move sign"
)
_AT_PLACE = (
    "locate store keep live sit find save hold stand put place house park hang lie rest open move be is are stay stash "
    "file base archive land reside"
)
_TIME = "be is are take place happen start begin meet set schedule kick hold run occur fall land book plan"

WORDS: dict[str, frozenset[str]] = {
    name: word_set(words)
    for name, words in {
        "defaults to": "default initial start preset ship box fall",
        "is initialised to": "initial initialise initialize start begin",
        "is worth": "worth value appraise fetch be is are",
        "is pinned to": "pin lock freeze hold constrain stick stay fix be is are use",
        "requires python": "python require need run minimum be is are",
        "has version": "version release revision run use ship install deploy be is are have build require stay stick",
        "listens on": "listen port bind expose reach serve accept run available reachable connect answer use publish "
        "go be is are find sit move",
        "is served at": "serve reach available reachable expose deploy mount access accessible answer live host run "
        "find go url address open visit route point be is are sit",
        "lives at": f"{_HOME} house flat apartment",
        "lives in": f"{_HOME} immigrate inhabit local",
        "is located at": _AT_PLACE,
        "is based in": "base headquarter headquarters hq seat office move relocate home live sit be is are operate",
        "is hosted on": "host run live deploy sit serve move be is are",
        "is named": "name call title know dub rename label entitle christen go be is are",
        "works for": _WORK,
        "works at": _WORK,
        "reports to": "report manager boss answer supervise manage line lead",
        "is owned by": "own owner belong responsible possess take hand charge maintain run look care responsibility",
        "is led by": "lead leader head run helm charge chair direct manage captain take boss charge",
        "is managed by": "manage manager run lead handle charge look take",
        "is operated by": "operate operator run",
        "is chaired by": "chair preside lead head",
        "is coached by": "coach train",
        "is engaged to": "engage fiance fiancee date engagement",
        "is married to": "marry wed wife husband spouse",
        "costs": "cost price pay charge sell go come fee fare rate take ask set bill worth be is are run",
        "starts at": f"{_TIME} commence open",
        "ends at": "end finish close stop wrap over be is are run go",
        "departs at": "depart leave go set take off sail run be is are",
        "arrives at": "arrive land get pull come reach in due be is are",
        "runs at": "run fire trigger happen execute schedule start kick go be is are begin",
        "runs every": "run fire trigger happen execute schedule start kick go every each repeat poll sync refresh meet",
        "is valid for": "valid expire last good hold live",
        "accepts at most": "accept take allow hold limit cap most up maximum max permit",
        "allows at most": "accept take allow hold limit cap most up maximum max permit let",
        "returns at most": "return give page limit cap most up maximum max",
        "holds at most": "hold take fit store limit cap most up maximum max",
        "is written to": "write log output save go dump store record land end",
        "is read from": "read load take come fetch",
        "is built from": "build base image use start",
        "is maintained by": "maintain look care keep own run responsible charge",
        "is handled by": "handle deal treat take care do process run go look own responsible use charge be is are",
        "is routed to": "route send go forward escalate post report page deliver announce collect track land arrive "
        "alert",
        "is in region": "region run deploy live host sit move locate be is are",
        "is sorted by": "sort order rank",
        "is kept for": "keep retain store retention hold save delete purge stay archive",
        "lasts": "last take run duration long go be is are",
        "fires at": "fire trigger alert go page be is are",
        "is high": "high tall height measure rise stand reach be is are",
        "is long": "long length measure stretch run be is are",
        "is wide": "wide width measure span be is are",
        "is deep": "deep depth measure reach be is are",
        "is thick": "thick thickness measure be is are",
        "is old": "old age turn be is are",
        "weighs": "weigh weight heavy scale be is are",
        "opens at": "open start begin unlock be is are",
        "closes at": "close shut end lock finish be is are",
        "starts on": f"{_TIME} open launch commence",
        "ends on": "end close finish stop run be is are over",
        "expires on": "expire valid run good end renew expiry be is are",
        "expires after": "expire valid live last lifetime run time good expiry be is are",
        "is limited to": "limit cap max maximum most up restrict allow be is are",
        "is based on": "base build run use be is are",
        "is defined in": "define declare implement live sit find be is are",
        "is controlled by": "control configure set govern depend",
        "is held at": f"{_TIME} host",
        "meets at": "meet gather convene get come assemble be is are hold",
        "is at": _TIME,
        "is on": _TIME,
        "is scheduled for": f"{_TIME} slate",
        "is due on": "due deadline submit hand in by be is are deliver fall set close",
        "times out after": "time timeout give wait abort out",
    }.items()
} | dict.fromkeys(
    ("is done within", "is done every", "is done after", "is done for", "is done thus", "does of late"), ANY
)
"""What says a relation besides its name, its aliases and its nouns."""
