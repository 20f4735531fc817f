"""Closed word lists of the grammar, each with what it is for."""

from __future__ import annotations

from memstrata_integrations.words import word_set

__all__ = [
    "ACRONYMS",
    "ANAPHORIC",
    "ARTEFACTS",
    "CLOUD_REGION",
    "CODE_NOUNS",
    "COMPARISONS",
    "CONFIG_NOUNS",
    "CONJUNCTIONS",
    "COUNTRIES",
    "DEICTIC",
    "DEMONYMS",
    "DURATION_NOUNS",
    "EMBEDDING",
    "ENTITY_NOUNS",
    "EVENTS",
    "FAULTS",
    "FIELD_NOUNS",
    "FINITE_VERBS",
    "GENERIC",
    "IDENTIFYING_STRONG",
    "IDENTIFYING_WEAK",
    "IMPERATIVES",
    "LABELS",
    "MANY_ROLES",
    "MEASURES",
    "NON_NAMES",
    "OBSERVING",
    "PARTS_OF_WORLD",
    "PERSON_ROLES",
    "PHONES",
    "PREPOSITIONS",
    "REMINDING",
    "SHARED_ROLES",
    "SOLE",
    "SUBJECT_STOPPERS",
    "SUPPRESSING_HEADINGS",
    "THINGS",
    "UNASSERTED",
    "VERSION_NOUNS",
    "WORD_ROLES",
]


# Any of these in a sentence: it may not assert its value, or not for now, or not alone
UNASSERTED = word_set(
    # modals, plans, intentions
    "should could may might would will shall must can cannot can't won't wouldn't couldn't shouldn't mustn't "
    "planned planning intend intends intended going gonna propose proposes proposed proposal proposes suggest "
    "suggests suggested recommend recommends recommended want wants wanted wish wishes hope hopes hopefully consider "
    "considers considering considered discuss discussing tbd todo eventually soon upcoming "
    # conditions, hypotheses, uncertainty
    "if unless whether when whenever otherwise assuming assume assumes suppose supposing imagine hypothetically maybe "
    "perhaps probably possibly likely unlikely seems seem appears appear apparently supposedly allegedly potentially "
    "presumably usually typically often sometimes normally generally mostly occasionally rarely unclear unsure "
    "approximately approx roughly about around nearly almost circa "
    # negation
    "not no never neither nor none isn't aren't wasn't weren't doesn't don't didn't hasn't haven't hadn't ain't hardly "
    "nothing nobody longer "
    # reported speech and opinion
    "said says say saying told tells tell claims claimed claim thinks think thought believes believe believed guess "
    "reckon reported reportedly wrote writes heard mentioned mentions asked asks asking wondering wonders according "
    "imo imho feel feels opinion quoted argued argues announced "
    # past, future, and events
    "was were had been used yesterday ago previously formerly originally initially earlier before tomorrow tonight "
    "last next until till once became becomes become did since "
    # examples, additions: true, but not the one value
    "example e.g. eg i.e. ie also too another additionally both either instead except"
)
DEICTIC = word_set(
    "now today here there this that these those it its he she they him her his them their you your yours ago"
)
CONJUNCTIONS = word_set("and or but because so although though while whereas as than then plus nor yet")
COMPARISONS = word_set(
    "more less fewer greater higher lower bigger smaller faster slower better worse larger older newer"
)
FINITE_VERBS = word_set(
    "is are am was were be been being has have had do does did gets got goes went makes made runs ran uses used "
    "works means meant lets let keeps kept comes came becomes became returns raises takes gives shows says"
)
# A subject that starts with one of these, or holds it, refers to something outside the sentence or to many things
SUBJECT_STOPPERS = word_set(
    "it this that these those there here he she they him them his her hers their theirs its you your yours which "
    "what who whom whose where why how one ones everything something anything nothing everyone someone anyone all "
    "each every some any most many few several none another other others both either neither such same a an today "
    "tomorrow yesterday now then else let's lets"
)
# Openers that turn what follows into a wish, a test or a condition, whatever its verb
EMBEDDING = word_set(
    "make ensure check verify note remember please assume suppose consider imagine confirm assert if for while "
    "with and or but because although since when after before until unless so as thus hence therefore however "
    "also maybe perhaps what which who whose where why how does did can could should would will shall may might "
    "must was were had see ask tell let never always not"
)
IMPERATIVES = word_set(
    "set make ensure check verify use run add remove delete change update install keep let note remember please "
    "try configure define assume suppose consider imagine create open close see confirm put pass call do don't "
    "mention describe clarify explain never always turn switch bump upgrade pin replace rename move export import "
    "return print assert if for while "
    "from def class elif else with raise yield lambda del except finally and or but because although since when "
    "after before until unless so as thus hence therefore however also maybe perhaps what which who whose where "
    "why how does did can could should would will shall may might must am are was were has have had is ask tell"
)
PREPOSITIONS = word_set(
    "in on for at of under within across inside with without via per from to during through behind between against "
    "over by"
)
# Nouns that name no entity by themselves: two READMEs both have a port
GENERIC = word_set(
    "port host hostname timeout status limit version name size url uri address path file folder directory type "
    "mode level state default max min total main primary secondary current server service app application "
    "database db api project team user system repo repository package library module client config test build "
    "environment env branch owner author license maintainer date time deadline price cost id key token count "
    "number rate interval ttl delay duration memory cpu disk region zone language locale timezone format encoding "
    "theme color colour priority severity assignee reporter label endpoint route method response request code "
    "header field table column queue topic bucket cache log debug logging log-level retry retries connection pool "
    "worker thread process replica instance node cluster container image tag registry domain subdomain email "
    "phone title description summary category subject office meeting schedule room location city country capital "
    "manager lead ceo employer job role salary budget temperature weight height width depth length age birthday "
    "anniversary overview intro introduction settings setting configuration installation usage details detail "
    "info information general requirements requirement prerequisites dependencies dependency options option "
    "parameters parameter variables variable reference notes getting started quickstart deployment development "
    "readme new old first second third prod production staging dev qa canary i we my our python java release "
    "stable beta alpha"
)
ENTITY_NOUNS = word_set(
    "service server cluster team project app api database db module package library worker gateway queue topic "
    "bucket store office department company tenant customer account region client pipeline bot agent node host "
    "plan site system repo repository tool plugin extension product platform portal dashboard warehouse shop "
    "school hospital university bank hotel restaurant city country state river mountain lake street building "
    "bridge airport station"
)
ACRONYMS = word_set(
    "api url uri ttl http https db cpu gpu ram id ip dns tcp udp tls ssl ssh sql json yaml toml xml html css csv "
    "pdf ci cd ui ux os sdk cli jwt oauth rest rpc grpc ceo cto cfo cio vp hr qa sla slo eta utc env ok max min"
)
VERSION_NOUNS = word_set("version pin tag release requirement revision constraint")
DURATION_NOUNS = word_set(
    "timeout ttl interval delay duration period lifetime expiry expiration latency window retention cooldown uptime"
)
CONFIG_NOUNS = (
    VERSION_NOUNS
    | DURATION_NOUNS
    | word_set(
        "level mode setting option flag parameter variable default backend engine driver strategy policy timezone "
        "locale language region theme color format encoding type provider scheme protocol algorithm model size limit "
        "port host branch environment env channel priority status state name user username url path prefix suffix "
        "separator"
    )
)
# Fields that stand before a colon and hold one value
FIELD_NOUNS = CONFIG_NOUNS | word_set(
    "owner author license maintainer date time deadline price cost id key token count number rate memory cpu disk "
    "zone address email phone title summary category location city country capital manager lead ceo employer job "
    "role salary budget temperature weight height width depth length age birthday assignee reporter severity due "
    "start end endpoint route method hostname domain database queue topic bucket image registry repository "
    "homepage website python node java ruby go rust server service replicas retries workers threads connections "
    "responsible on-call restart "
    "created updated released expires amount total balance currency quantity stock sku score grade rank"
)
# Labels before a colon that introduce a remark
LABELS = word_set(
    "note notes warning caution important tip hint example examples e.g. todo fixme hack xxx see update edit "
    "question answer q a ps nb caveat remark info reminder attention danger bug fix feat chore docs refactor re "
    "fwd subject goal goals idea ideas problem solution result results reason usage output input returns args "
    "raises yields description default defaults error http https plan plans proposal"
)
# Fields that say which record this is; the strong ones are enough by themselves
IDENTIFYING_STRONG = word_set("id ticket issue key number no case order sku isbn uuid pr invoice serial")
IDENTIFYING_WEAK = word_set("name title user customer email username client account employee patient product item host")
SUPPRESSING_HEADINGS = word_set(
    "example examples proposal proposed proposals plan plans planned roadmap todo todos idea ideas draft "
    "deprecated history changelog changes release releases former previous legacy old past future faq question "
    "questions scenario scenarios sample samples hypothetical obsolete archived wishlist backlog"
)
# "Alice's friend is Bob" leaves room for other friends
MANY_ROLES = word_set(
    "friend dog cat colleague coworker brother sister sibling child son daughter kid hobby pet cousin neighbor "
    "neighbour uncle aunt student employee member contributor client customer example skill interest allergy "
    "language dependency feature goal advantage benefit problem issue bug reason part component step option "
    "alternative choice user sponsor partner supporter fan teammate reviewer author maintainer participant "
    "attendee speaker guest competitor investor contractor volunteer co-author coauthor co-founder cofounder "
    "tester thing way topic requirement rule exception symptom sign staple cause factor tool library package "
    "file"
)
# Verbs after an identifier that many functions share: no role
SHARED_ROLES = word_set(
    "raises logs accepts takes uses calls is has was does needs requires supports expects throws prints works "
    "fails exists lives depends includes contains belongs inherits extends implements wraps imports allows "
    "provides also runs handles helps tries seems looks becomes comes goes gets makes"
)
# "The server is Linux" and "The server is Apache" are both true: these nouns have kinds and makers, no one name
THINGS = word_set(
    "server app application service project package library module system site website car house code file script "
    "test page build product tool company team city book movie song game program software device machine computer "
    "phone laptop person man woman people child doctor teacher dog cat animal plant food language thing"
)
# "The result is 5" speaks of what was said before
ANAPHORIC = word_set(
    "man woman person guy girl boy lady book movie song game train bus flight car house "
    "result answer difference output outcome value sum thing point number reason problem question solution trick "
    "idea goal fact truth case rest remainder conclusion catch upshot latter former above below following one "
    "other"
)
# "The function is called f": of many functions; a name or a place needs more to be a key
ARTEFACTS = word_set(
    "function method class module command script table file folder directory field column endpoint route variable "
    "constant parameter argument option flag test handler view task job hook decorator helper page image link path"
)
# One of its kind by its own words: "the main sponsor", "my only brother"
SOLE = word_set(
    "main primary chief sole only principal lead head default oldest eldest youngest title presenting exclusive "
    "official theme flagship opening closing signature inaugural keynote"
)
PHONES = word_set("pager beeper phone telephone fax mobile cell hotline whatsapp tel landline")
# Nouns whose values are labels, not quantities
CODE_NOUNS = word_set(
    "number extension code id pin plate gate seat locker platform postcode zip iban suite flat combination "
    "passcode bay desk buzzer intercom mailbox pigeonhole "
    "registration"
)
# Roles that people fill, whose names come in short and in full
PERSON_ROLES = word_set(
    "manager owner lead leader boss mayor president chair chairman chairwoman chairperson director ceo cto cfo coo cio "
    "head principal doctor dentist gp therapist landlord landlady lawyer accountant teacher tutor coach trainer mentor "
    "supervisor engineer editor reviewer author maintainer contact assignee reporter minister governor king queen "
    "chancellor secretary treasurer captain conductor curator chef nurse midwife vet pediatrician paediatrician "
    "barber hairdresser babysitter nanny wife husband spouse partner fiance girlfriend boyfriend brother sister mother "
    "father mum mom dad uncle aunt son daughter neighbour neighbor friend colleague assistant representative admin "
    "administrator operator champion winner holder researcher scientist plumber electrician mechanic gardener cleaner "
    "rector dean provost warden steward bishop priest pastor rabbi imam judge sheriff senator ambassador consul person"
)
DEMONYMS = word_set(
    "american british english french german dutch spanish italian portuguese swiss austrian belgian danish "
    "swedish norwegian finnish polish czech hungarian romanian bulgarian greek turkish russian ukrainian chinese "
    "japanese korean indian pakistani thai vietnamese indonesian australian canadian mexican brazilian argentine "
    "chilean colombian egyptian nigerian kenyan moroccan israeli iranian iraqi saudi irish scottish welsh "
    "european african asian arab christian jewish muslim buddhist hindu catholic protestant republican democrat "
    "democratic liberal conservative latvian lithuanian estonian icelandic catalan basque galician arabic hebrew "
    "hindi urdu bengali tamil telugu punjabi persian farsi mandarin cantonese swahili zulu afrikaans malay tagalog "
    "croatian serbian slovak slovenian slovene bosnian albanian macedonian maltese latin esperanto gaelic georgian "
    "armenian mongolian nepali flemish ghanaian peruvian cuban ethiopian"
)
NON_NAMES = DEMONYMS | word_set(
    "httponly samesite readonly readwrite notnull nullable "
    "unknown none open closed available unavailable ready mandatory optional required deprecated experimental "
    "stable beta alpha done pending tbd green red yellow blue important i yes no not null new old good bad "
    "critical"
)
COUNTRIES = word_set(
    "germany france spain italy portugal switzerland austria belgium denmark sweden norway finland poland czechia "
    "hungary romania bulgaria greece turkey russia ukraine china japan korea india pakistan thailand vietnam "
    "indonesia australia canada mexico brazil argentina chile colombia egypt nigeria kenya morocco israel iran "
    "iraq ireland scotland wales england britain europe africa asia america usa uk us netherlands california "
    "texas bavaria estonia latvia lithuania iceland luxembourg malta cyprus slovakia slovenia croatia serbia bosnia "
    "albania macedonia montenegro kosovo moldova belarus armenia azerbaijan kazakhstan uzbekistan mongolia nepal "
    "bangladesh afghanistan syria yemen oman qatar kuwait bahrain malaysia singapore philippines taiwan cambodia laos "
    "myanmar zealand fiji peru ecuador bolivia paraguay uruguay venezuela panama guatemala honduras nicaragua cuba "
    "jamaica haiti ghana senegal cameroon ethiopia somalia tanzania uganda rwanda zambia zimbabwe botswana namibia "
    "mozambique angola madagascar mauritius tunisia algeria libya sudan lanka emirates liechtenstein andorra monaco"
)
# Of the clouds: "us-east-1", "europe-west4", "westeurope", "eastus2"
CLOUD_REGION = (
    r"(?:(?:us|eu|ap|sa|ca|me|af|cn|il)-(?:gov-)?[a-z]+-?\d[a-z]?"
    r"|(?:europe|asia|northamerica|southamerica|australia|africa|me)-(?:north|south|east|west|central)[a-z]*\d(?:-[a-f])?"
    r"|(?:north|south|east|west|central|northcentral|southcentral|westcentral|southeast|uk|france|germany|norway|sweden"
    r"|switzerland|japan|korea|canada|brazil|australia|poland|italy)(?:us|europe|asia|india|north|south|east|west|central"
    r"|westcentral|southeast)\d?)"
)
# Which hold countries, or lie in one
PARTS_OF_WORLD = word_set("europe africa asia america scotland wales england britain california texas bavaria emirates")
# Nouns that take one measure
MEASURES = (
    CONFIG_NOUNS
    | DURATION_NOUNS
    | word_set(
        "limit size length depth width height weight capacity maximum minimum max min rate quota budget price cost "
        "temperature population area volume speed range balance value default score threshold radius diameter "
        "frequency precision wingspan altitude elevation age term lifespan deadline fee salary rent deposit discount "
        "margin concurrency parallelism ceiling floor cap allowance amount total average resolution population "
        "payload toll timeout surcharge turnover headcount mileage wage premium allowance bonus penalty fine "
        "commission share quorum sla slo grace body batch retention backlog"
    )
) - word_set("version pin tag release revision option type name status engine branch channel user")
# Roles that a common word or a tool in lower case fills: "the type checker is mypy", "the base colour is teal"
WORD_ROLES = word_set(
    "checker linter formatter runner bundler compiler transpiler builder loader parser renderer serializer "
    "serialiser generator "
    "scheduler balancer proxy broker server client library framework engine backend frontend driver adapter "
    "provider registry "
    "orm database db store cache queue shell terminal editor browser manager tool minifier debugger profiler "
    "tracer crawler "
    "scraper mirror host interpreter runtime distro distribution os base image codec encoding charset format "
    "protocol scheme "
    "algorithm hash cipher compression strategy policy mode theme colour color font icon unit currency language "
    "dialect locale "
    "branch prefix suffix separator delimiter field header parameter column table topic key username nickname "
    "alias handle password "
    "passphrase codeword keyword sport hobby drink snack dish food fruit vegetable dessert flavour flavor flower "
    "animal season genre "
    "instrument subject topping spice tea coffee beer wine breakfast tier plan material fuel surface crop export "
    "mascot emblem "
    "title post style approach type colormap palette font job position profession occupation word phrase "
    "codename motto slogan staple speciality specialty signature bird flower tree stone metal "
    "anthem religion dish plug voltage calendar status state phase stage resolver lexer matcher indexer exporter "
    "importer collector "
    "shipper agent balancer gateway planner executor allocator optimizer optimiser solver model embedder "
    "reranker tokenizer order ordering hint"
)
EVENTS = word_set(
    "dinner lunch breakfast brunch party wedding ceremony meeting standup stand-up workshop conference appointment "
    "reception concert match game rehearsal lesson class training exam interview retreat offsite picnic festival "
    "reunion funeral celebration drinks show performance lecture seminar hackathon final meetup review sync call "
    "talk demo session shift practice yoga course flight train appointment exam webinar hearing audit inspection "
    "visit retro retrospective planning kickoff kick-off check-in one-on-one 1:1 briefing night evening "
    "tournament league quiz backup freeze release deploy maintenance "
)
# Without one of these an act is refused for one reason and for another
FAULTS = word_set(
    "missing unknown invalid expired wrong malformed bad duplicate absent unauthorised unauthorized unauthenticated "
    "without exceeding oversized empty stale conflicting nonexistent non-existent deleted locked unsupported "
    "anonymous revoked incomplete incorrect corrupt broken unsigned too than twice same again reusing doesn't doesn’t "
    "don't don’t isn't isn’t no not above over beyond repeated reused used outdated disabled suspended forbidden "
    "another foreign taken existing illegal negative rejected"
)
# Of these several are sent, each at its own time or level
REMINDING = word_set("reminder alert warning notification notice alarm nudge")

# "We found p = 0.03", "Solve for x = 3": one of many results, and no setting
OBSERVING = word_set(
    "i we they he she you it found find got get gives gave yields saw see observed measured obtained computed "
    "calculated reported solve solved solving let assume assuming suppose given when if where try tried substitute plug"
)
