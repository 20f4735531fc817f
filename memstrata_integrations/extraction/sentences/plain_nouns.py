"""Nouns of what a thing has one of: whatever completes "the N of a thing is ..." is its value.

Nouns of which a thing may well have several (feature, example, branch, hobby) are in no list.
"""

from __future__ import annotations

from memstrata_integrations.words import word_set

__all__ = ["ALSO_NOUNS", "GRADED", "GRADES", "NAMED", "OFFICES", "ONE_AT_MOST", "ONE_OF_A_KIND", "PICTURED", "PLACED"]

NAMED = word_set(
    # what stands for it, is sung, said or shown
    "theme motto slogan catchphrase tagline mascot emblem logo crest insignia hymn anthem jingle ringtone wallpaper "
    "background screensaver saver banner headline subtitle caption title hashtag nickname moniker alias pseudonym "
    "codename username handle password passphrase codeword passcode salutation headliner anniversary avatar pronouns "
    "opener closer encore "
    # what it is about, where it goes, what it gives
    "topic subject specialism speciality specialty focus emphasis venue destination prize award trophy dish "
    "dessert pudding snack topping filling flavour flavor garnish staple audience cuisine cocktail starter "
    # what it is made of and runs on
    "material fabric finish flooring roofing cladding glazing lining upholstery coating insulation stuffing padding "
    "paint colour color shade hue typeface font fuel propellant coolant lubricant detergent fertiliser fertilizer "
    "feed bedding litter heating floor roof frame wood timber stone metal alloy sweetener "
    # what it is one of
    "religion denomination genre species strain nationality citizenship occupation profession trade "
    "position instrument signature zodiac sign grade rank type class kind category "
    # of systems
    "protocol cipher algorithm codec compressor encoder encoding collation charset serializer serialiser serializer "
    "engine backend frontend framework toolkit linter formatter compiler transpiler bundler interpreter runtime "
    "platform distro distribution kernel shell terminal editor ide browser orm broker proxy balancer registry mirror "
    "upstream store cache datastore database storage selector expression separator delimiter terminator prefix suffix "
    "locale timezone zone region account principal namespace entrypoint runbook playbook layout medium "
    "scheduler allocator renderer parser tokenizer classifier optimizer resolver router gateway ingress "
    "hypervisor provisioner orchestrator filesystem dialect indentation "
    # who and where
    "manufacturer supplier vendor provider operator carrier insurer publisher distributor "
    "landlord tenant licence license currency language accent script orientation symbol "
    # of buildings, vehicles, clothes and kitchens
    "trim veneer casing sole blade strap gearbox transmission drivetrain hull deck worktop countertop tiling carpet "
    "fence "
    "hedge facade exterior siding ceiling backsplash mattress make rig binding icing frosting glaze crust sauce "
    "dressing broth marinade seasoning side blend roast grind milk syrup hop yeast grape aperitif sweetening menu "
    "centrepiece bouquet "
    # of people, clubs and countries
    "hairstyle haircut complexion handedness stance heritage ancestry surname forename regiment house major minor "
    "discipline specialisation specialization faith parish diocese sector industry structure regulator jurisdiction "
    "domicile headquarters climate terrain soil bedrock vegetation formation stadium league division surface continent "
    "county province employer union "
    # of machines, networks and models
    "architecture bootloader keymap resolver nameserver issuer registrar chipset socket connector interface modulation "
    "ssid bitrate framerate resolution backbone optimiser loss activation metric seed checkpoint embedding reranker "
    "partitioner idp audience driver tempo tuning"
)
"""Nouns whose value is a name or a noun: an adjective behind them says how they are."""

GRADED = word_set(
    "status state stage phase mode level severity priority visibility format shape finish texture fit size cut "
    "style policy strategy scheme approach method tier plan cadence frequency schedule scope consistency "
    "durability isolation topology type class category grade rank rating diet religion gender difficulty "
    "ordering alignment form setting restart structure"
)
"""Nouns whose value may be an adjective of the list below."""

GRADES = word_set(
    "high low medium critical urgent normal major minor trivial severe moderate mild open closed active inactive "
    "pending draft final live dead ready stable unstable alpha beta experimental deprecated maintained unmaintained "
    "archived public private internal external restricted confidential unlisted shared online offline remote hybrid "
    "in-person manual automatic automated semi-automatic synchronous asynchronous sync async strict lenient relaxed "
    "loose permissive rolling fixed random sequential parallel serial serializable serialisable linear exponential "
    "constant round square oval rectangular circular hexagonal triangular matt matte glossy gloss satin smooth rough "
    "ribbed single married divorced widowed engaged vegan vegetarian pescatarian small large extra-large formal "
    "informal casual smart-casual full partial incremental differential eventual strong weak bounded read-only "
    "read-write write-only verbose quiet silent raw native dark light dynamic static eager lazy on off enabled "
    "disabled always exclusive daily weekly monthly biweekly quarterly hourly nightly "
    "fortnightly annual basic advanced standard premium free easy hard difficult global regional local zonal "
    "suspended approved rejected paused blocked cancelled canceled delayed released retired signed draining degraded "
    "healthy unhealthy frozen locked unlocked ascending descending alphabetical chronological binary plain slim "
    "regular loose tight fitted male female non-binary halal kosher gluten-free temporary permanent part-time "
    "full-time freelance tabular compact nested flat hierarchical centralised centralized decentralised "
    "decentralized federated distributed standalone clustered replicated sharded reserved preemptible passive "
    "primary secondary warm cold hot serverless managed self-hosted allowed denied best-effort guaranteed "
    "burstable trunk-based blue-green round-robin snappy ready busy idle occupied vacant available unavailable "
    "up down running stopped overloaded interactive headless detached attached "
    "uppercase lowercase camel snake kebab portrait landscape vertical horizontal left right centred centered justified"
)
"""What such a noun is, where it is said with an adjective."""

ALSO_NOUNS = word_set("light dark sound present double square green gold silver red blue white black orange glass wild")
"""Adjectives that are names of things, too."""

ONE_AT_MOST = word_set(
    "main primary chief principal lead head headline title flagship signature default favourite favorite preferred "
    "current official opening closing keynote leading cover top best-selling bestselling working star parent usual"
)
"""Words before a noun that make one of several: "the main ingredient", "the headline sponsor"."""

ONE_OF_A_KIND = {
    head: word_set(kinds)
    for head, kinds in {
        "source": "heat power light energy water fuel",
        "point": "entry exit meeting donation collection assembly drop-off pick-up starting finishing focal rallying "
        "muster departure rendezvous",
        "car": "company courtesy rental hire",
        "company": "parent holding insurance shipping removal cleaning catering security energy water power bus train "
        "phone electricity gas broadband logistics",
        "partner": "catering charity media launch logistics training hosting technology distribution shipping "
        "delivery payment banking anchor",
        "animal": "spirit state national heraldic totem",
        "friend": "best",
        "seller": "best top",
        "order": "usual regular",
        "form": "legal",
        "body": "governing awarding parent accrediting",
        "act": "opening closing headline",
        "image": "cover profile hero splash",
        "photo": "cover profile hero",
        "picture": "cover profile",
        "story": "cover lead top",
        "song": "theme signature",
        "stop": "first final nearest bus tram",
        "exit": "nearest",
        "wine": "house",
        "crop": "cash cover",
        "sponsor": "headline shirt kit stadium naming presenting",
        "piece": "opening closing audition",
        "film": "opening closing",
        "flag": "default",
        "saver": "screen",
        "saint": "patron",
        "group": "blood consumer target",
        "account": "service",
        "store": "session backing key object",
        "shift": "usual regular",
    }.items()
}
"""Heads that only these words before them make one."""

OFFICES = word_set(
    "officer keeper groundskeeper timekeeper scorekeeper bookkeeper housekeeper gatekeeper taker sitter minder "
    "childminder aider drummer bassist guitarist vocalist pianist organist violinist accompanist soloist compere "
    "emcee host hostess presenter narrator illustrator translator architect contractor caterer florist baker "
    "photographer videographer dj bandleader choirmaster headmaster headmistress headteacher skipper helmsman "
    "cox pilot driver chauffeur courier solicitor attorney notary auditor actuary bursar registrar archivist librarian "
    "caretaker janitor concierge custodian groundsman gardener beekeeper shepherd lifeguard referee umpire goalkeeper "
    "quarterback striker bowler chaplain verger sexton sacristan deputy vice-captain vice-chair vice-president "
    "understudy stand-in substitute locum successor predecessor coordinator moderator facilitator organiser organizer "
    "liaison spokesperson spokeswoman spokesman ombudsman whip rep delegate envoy commissioner superintendent "
    "inspector sergeant marshal ranger keyholder custodian trustee executor guardian godmother godfather godparent "
    "stylist nutritionist dietitian physio physiotherapist osteopath chiropractor optician orthodontist pharmacist "
    "midwife governess au-pair handyman decorator roofer builder blacksmith farrier groom jockey breeder sire dam "
    "agent manager treasurer webmaster producer scientist planner approver signatory sponsor maintainer owner lead"
) - word_set("dam sponsor predecessor")
"""Nouns of who fills a post, besides those of the general list."""

PICTURED = word_set(
    "mascot emblem logo crest symbol banner image photo picture wallpaper background screensaver saver avatar ringtone "
    "jingle prize award trophy starter dish dessert pudding snack cocktail topping drink car instrument form animal "
    "separator delimiter terminator source company headliner act flag garnish piece bike venue destination"
)
"""Nouns whose value may be one of many such things: "an otter", "a Skoda", "a semicolon"."""

PLACED = word_set("room bedroom desk office studio classroom dressing-room bathroom apartment flat workshop")
"""What somebody has on one storey."""
