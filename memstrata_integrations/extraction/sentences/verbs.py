"""Verbs that people state facts with, in their forms. Closed lists: a word that is in none is no verb here."""

from __future__ import annotations

from memstrata_integrations.words import word_set

__all__ = [
    "BASES",
    "IRREGULAR_PASTS",
    "MANY_DONE",
    "MANY_VERBS",
    "THIRD",
    "base_of",
    "gerund_of",
    "is_participle",
    "is_past",
    "participle_of",
    "participles",
    "third_of",
    "verb_of",
    "verb_of_gerund",
]

BASES = word_set(
    "accept accommodate add admit aim allocate allow amount answer apply arrive assign average back batch begin "
    "block bring "
    "broadcast buffer build burn cache call cap carry cater charge check clean clear clock close collect come "
    "commute compile "
    "compress compute concern connect consume contribute control cost count cover crawl cross cut cycle deduct default "
    "delay delete deliver depart deposit detect discard dispatch donate draw drink drive drop earn eat emit "
    "employ end enforce "
    "enter equal exceed exist expect expire export extend face fail fall feature feed fetch fill fire fit flow "
    "flush fly "
    "follow forward freeze gain get give give go grant grow guard guarantee handle happen hold host house import "
    "impose "
    "increase index ingest insure issue join jump keep kick knock land last lease leave let level lie lift limit "
    "link listen "
    "live load lock log lose maintain make map mature max measure meet migrate monitor mount move need number "
    "occupy occur "
    "offer open operate order overlap own page park pass pause pay peak permit pick pin ping place plan play "
    "poll pool post "
    "prefetch price print probe process produce promise prune publish pull pump purge push put queue quote raise "
    "range rank "
    "rate reach read receive reconnect record recycle redirect refill refresh refund reject release reload "
    "remain renew rent "
    "repay repeat replicate reply report request require reserve reset resize respond rest restart resume retain "
    "retire retry "
    "return revolve rise roll rotate route run sample save scale scan schedule score scrape seat sell send serve "
    "set settle ship "
    "shut sit size sleep snapshot snooze span spend spin split stack stand start stay stock stop store stretch "
    "subscribe swap "
    "sweep sync take talk target teach tell throttle tick tolerate top total track transfer transmit travel "
    "treat trigger trim "
    "turn update upload use vary wait wake walk want warm warn watch wear weigh withstand work wrap write yield "
    "sorts sort "
    "owe levy "
    "trade retail hover reward grade yield bear carry consist dissolve melt boil weigh sleep stream retain bring "
    "tolerate seat "
    "contain comprise house hold gather harvest pump draw treat recycle award fine tax tip wage compensate "
    "reimburse subsidise "
    "roam patrol orbit span bridge dive climb soar sprint jog hike pedal row paddle sail cruise circle encircle "
    "border overlook "
    "depend rely install attend bundle embed vendor go buy lend permit belong connect authenticate point resolve map "
    "expand proxy redirect translate evaluate delegate defer boot dock sail derive descend stem deploy publish "
    "accrue "
    "abort absorb activate adjust align allot analyse analyze annotate announce archive ask assemble attach audit "
    "authorise authorize backfill balance bind bootstrap bounce brew broadcast bucket bump calculate call cancel catch "
    "chain change charge clamp clip close cluster coalesce combine commit communicate compact compare complete confirm "
    "convert copy correct crash create crop cycle deactivate debounce decode decompress decrypt "
    "deduplicate deduct deem "
    "demand deny derive describe deserialise deserialize detach determine differ dim disable disconnect "
    "dispatch display "
    "divide double download downsample drain edit elect embed emerge enable encode encrypt engage enqueue ensure "
    "estimate evict execute exit exclude extract fade favour fetch filter finish flip flag flood flow "
    "fluctuate fold force "
    "fork format freeze generate grab greet group halt halve hang hash heat hibernate hide identify idle "
    "ignite illuminate "
    "inflate inherit initialise initialize inject insert inspect instantiate interpolate interrupt invalidate invoke "
    "irrigate join judge label lack lag launch lead leak lint listen lower manage mark mask match merge mirror "
    "mix modify mute name negotiate normalise normalize notify nest occur opt originate oscillate pad page "
    "paint partition "
    "patch perform persist point populate precede prepend prevent proceed produce propagate protect prove "
    "provision pulse "
    "purchase quantise quantize rack radiate raise react rebalance rebase reboot recommend reconcile "
    "recover reduce refer "
    "reindex reference reflect relay relaunch remember remind render reopen repair replace replay require "
    "resample resend "
    "resolve retract revalidate reverse review revert revise revoke rewrite ring round sanitise sanitize "
    "save seed select "
    "separate serialise serialize shift shorten shrink shuffle sign signal simulate skim skip slow smooth sniff snap "
    "spawn speak spill spin stage stall stamp stem strip submit substitute subtract succeed suffice supervise supply "
    "suspend tail tally tap taper taxi tend terminate test tick tint toggle tokenise tokenize trace "
    "transcode transform "
    "translate traverse truncate tunnel type unlock unmount unpack update upsample urge use validate vaporise vary "
    "verify vibrate vote warn whitelist widen withdraw wind zip zoom hang rehearse drive weaken earn "
    "loop iterate poll rotate recalculate rebuild reindex snapshot archive compact truncate paginate chunk slice "
    "shard backoff "
    "format render parse cook bake water feed swim train study practise practice rehearse volunteer bank shop"
)
# Several hold at once: what is supported, sold or raised today leaves room for more
MANY_VERBS = word_set(
    "support include contain list mention import export sell buy visit read play speak know like love own raise throw "
    "recommend suggest match appear feature offer provide accept quote sample print publish log report record "
    "mention add "
    "order drop fail follow join call request miss face lose gain win enter pass want expect detect plan watch receive"
)
IRREGULAR_PASTS = word_set(
    "quit put set cut shut let hurt cast split spread beat bet burst lent took ran had went got made rose "
    "fell sold won lost spent paid held said found left came gave began broke "
    "brought bought "
    "built caught chose cut-off dealt drew drove ate felt fought flew forgot froze grew heard hit kept knew led "
    "lent lay lit meant "
    "met rode rang sank saw sent shone shot shrank slept slid spoke stood stole struck swam swept taught thought "
    "threw told "
    "understood woke wore wrote was were did became stayed scored"
)


def third_of(verb: str) -> str:
    """Return the third person singular of a verb."""
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


THIRD = {third_of(v): v for v in BASES | MANY_VERBS}
"""Third person singular -> base."""
_BASE_OF = {base: base for base in BASES | MANY_VERBS} | THIRD


def base_of(word: str) -> str | None:
    """Return the base of a verb in the present, `None` for any other word.

    Example:
        >>> base_of("carries"), base_of("carry"), base_of("table")
        ('carry', 'carry', None)
    """
    return _BASE_OF.get(word)


def is_past(word: str) -> bool:
    """Whether a word may be a verb in the past.

    Example:
        >>> is_past("generated"), is_past("took"), is_past("takes")
        (True, True, False)
    """
    return word in IRREGULAR_PASTS or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))


_IRREGULAR = {
    "write": "written",
    "keep": "kept",
    "read": "read",
    "send": "sent",
    "build": "built",
    "hold": "held",
    "bind": "bound",
    "lead": "led",
    "run": "run",
    "set": "set",
    "put": "put",
    "take": "taken",
    "give": "given",
    "draw": "drawn",
    "sell": "sold",
    "pay": "paid",
    "teach": "taught",
    "feed": "fed",
    "cut": "cut",
    "split": "split",
    "make": "made",
    "do": "done",
    "drive": "driven",
    "freeze": "frozen",
    "leave": "left",
    "lay": "laid",
    "spend": "spent",
    "show": "shown",
    "bring": "brought",
    "buy": "bought",
    "catch": "caught",
    "fly": "flown",
    "grow": "grown",
    "serve": "served",
    "sync": "synced",
    "tell": "told",
    "wear": "worn",
    "shut": "shut",
    "let": "let",
    "cost": "cost",
    "get": "got",
    "break": "broken",
    "steer": "steered",
    "sign": "signed",
    "lint": "linted",
    "generate": "generated",
    "compile": "compiled",
    "bundle": "bundled",
    "package": "packaged",
    "provision": "provisioned",
    "encrypt": "encrypted",
    "load": "loaded",
    "save": "saved",
    "mount": "mounted",
    "track": "tracked",
    "escalate": "escalated",
    "expose": "exposed",
    "sort": "sorted",
    "order": "ordered",
    "deploy": "deployed",
    "manage": "managed",
    "name": "named",
    "call": "called",
    "authenticate": "authenticated",
    "validate": "validated",
    "parse": "parsed",
    "translate": "translated",
    "govern": "governed",
    "power": "powered",
    "back": "backed",
    "guard": "guarded",
    "proxy": "proxied",
    "calculate": "calculated",
    "collect": "collected",
    "stage": "staged",
    "cover": "covered",
    "describe": "described",
    "emit": "emitted",
    "format": "formatted",
    "submit": "submitted",
    "transmit": "transmitted",
    "commit": "committed",
    "permit": "permitted",
    "admit": "admitted",
    "transfer": "transferred",
}
# What is done in many ways, places or by many at once
MANY_DONE = word_set(
    "published posted streamed taken called used emitted imported tested available mentioned sold supported replicated "
    "mirrored shared "
    "exported "
    "referenced consumed triggered required wrapped included listed cited copied distributed seen found loved "
    "known visited "
    "attended invoked accepted raised thrown caught overridden extended implemented subclassed mocked tagged "
    "labelled labeled "
    "followed allowed blocked checked approved liked read needed affected interested worn eaten played watched "
    "spoken written "
    "inspired influenced joined surrounded based connected related linked compared combined mixed filled made "
    "born done given "
    "shown expected believed considered thought said told asked invited seen heard felt built-in involved caused "
    "reviewed "
    "discussed described covered explained documented noted marked made produced created added fixed closed "
    "opened started "
    "launched released introduced announced acquired bought won lost broken damaged delayed stuck left right set "
    "satisfied "
    "replaced renamed removed moved changed updated upgraded bumped raised lowered increased decreased reduced "
    "deprecated "
    "stored shipped borrowed bordered divided translated available handled validated decorated annotated ignored "
    "skipped "
    "rejected refused answered maintained parametrized parameterized tied limited dedicated committed excited "
    "worried pleased tired bored scared married"
)


def participle_of(base: str) -> str:
    """Return the past participle of a verb.

    Example:
        >>> [participle_of(b) for b in ("write", "carry", "store", "ship", "load")]
        ['written', 'carried', 'stored', 'shipped', 'loaded']
    """
    known = _IRREGULAR.get(base)
    if known is not None:
        return known
    if base[:2] == "re" and (again := _IRREGULAR.get(base[2:])) is not None:
        return f"re{again}"
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ied"
    if base in (
        "ship",
        "stop",
        "log",
        "trim",
        "plan",
        "swap",
        "snap",
        "drop",
        "tag",
        "map",
        "wrap",
        "pin",
        "cap",
        "scan",
        "ban",
        "sum",
    ):
        return base + base[-1] + "ed"
    return base + "ed"


_ALL_PARTICIPLES = frozenset(participle_of(b) for b in BASES | frozenset(_IRREGULAR))


def is_participle(word: str) -> bool:
    """Whether a word after "is" may say what is done.

    Example:
        >>> is_participle("cut"), is_participle("licensed"), is_participle("green")
        (True, True, False)
    """
    return word in _ALL_PARTICIPLES or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))


def gerund_of(base: str) -> str:
    """Return the form in "-ing" of a verb.

    Example:
        >>> [gerund_of(b) for b in ("sample", "poll", "ship", "die")]
        ['sampling', 'polling', 'shipping', 'dying']
    """
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return base[:-1] + "ing"
    return participle_of(base)[:-2] + "ing" if participle_of(base).endswith("ed") else base + "ing"


_OF_GERUNDS = {gerund_of(b): b for b in sorted(BASES | frozenset(_IRREGULAR))}


def verb_of_gerund(word: str) -> str:
    """Return the base of a form in "-ing", any other word as it is."""
    return _OF_GERUNDS.get(word, word)


_OF_PARTICIPLES = {participle_of(b): b for b in sorted(BASES | frozenset(_IRREGULAR))}


def verb_of(word: str) -> str:
    """Return the base of a verb in the present or of a participle, any other word as it is.

    Example:
        >>> verb_of("retries"), verb_of("paid"), verb_of("frobbed")
        ('retry', 'pay', 'frobbed')
    """
    return base_of(word) or _OF_PARTICIPLES.get(word, word)


participles = frozenset(participle_of(b) for b in BASES | frozenset(_IRREGULAR)) - MANY_DONE
"""What may be done in one way at a time."""
