"""What a person has one of at a time, with the nouns and verbs that people tell it with, and well-known names.

"I train at the Forge", "my gym is the Forge" and "I go to the gym at the Forge" speak of one thing. A frame is a verb
phrase in its base form; `{}` is the value, at its end where the frame has none.
"""

from __future__ import annotations

from typing import NamedTuple

from memstrata_integrations.words import word_set

__all__ = ["BELONGINGS", "BRANDS", "HELPERS", "NO_EDITORS", "OF_KINDS", "SOLE", "Belonging"]


class Belonging(NamedTuple):
    """One thing that a person has one of.

    Attributes:
        nouns: What it is called; the first one names it in keys.
        frames: The verb phrases that tell it.
        kind: What its values are: "name", "product" (may have an article) or "thing" (common words).
        links: Prepositions between the noun and the value: "my broadband is with Fennel".
    """

    nouns: tuple[str, ...]
    frames: tuple[str, ...]
    kind: str = "name"
    links: str = ""


def _belonging(nouns: str, frames: str = "", kind: str = "name", links: str = "") -> Belonging:
    return Belonging(
        tuple(n.strip() for n in nouns.split(",")),
        tuple(f.strip() for f in frames.split(",") if f.strip()),
        kind,
        links,
    )


BELONGINGS: tuple[Belonging, ...] = (
    _belonging(
        "gym, fitness studio, health club, fitness club",
        "train at, work out at, exercise at, lift at, go to the gym at, do my workouts at, go to {} to work out",
        links="at",
    ),
    _belonging(
        "bank, bank account, current account, checking account, account",
        "bank with, bank at, have my bank account with, have my bank account at, have my current account with, "
        "have my current account at, do my banking with, "
        "do my banking at, keep my money with, keep my money at, have my money with",
        links="with at",
    ),
    _belonging("car, vehicle", "drive, get around in, drive around in, drive to work in", "product"),
    _belonging(
        "phone, mobile phone, smartphone, cell phone, mobile", "use {} as my phone, have {} as my phone", "product"
    ),
    _belonging("laptop", "use {} as my laptop", "product"),
    _belonging("tablet", "use {} as my tablet", "product"),
    _belonging("camera", "shoot with, shoot on, take my photos with, photograph with", "product"),
    _belonging("watch, smartwatch", "wear {} on my wrist", "product"),
    _belonging("bike, bicycle", "cycle on", "product"),
    _belonging(
        "editor, code editor, text editor, ide",
        "code in, write code in, write my code in, edit code in, edit my code in, use {} for coding, "
        "use {} for programming, use {} to write code, program in, do my coding in, code with",
    ),
    _belonging(
        "browser, web browser, default browser",
        "browse with, browse the web with, browse in, surf with, use {} for browsing, use {} to browse, "
        "use {} as my browser",
    ),
    _belonging("search engine", "search with, search the web with, use {} for search, use {} to search the web"),
    _belonging(
        "password manager",
        "keep my passwords in, store my passwords in, manage my passwords with, save my passwords in, "
        "use {} for passwords, use {} for my passwords",
    ),
    _belonging(
        "note app, notes app, note-taking app",
        "take notes in, take my notes in, keep my notes in, write my notes in, use {} for notes, use {} for my notes, "
        "use {} for note-taking, take notes with",
    ),
    _belonging(
        "task manager, to-do app, todo app, task app",
        "keep my to-dos in, manage my tasks with, manage my tasks in, track my tasks in, use {} for my tasks, "
        "use {} for to-dos, plan my day in, keep my tasks in",
    ),
    _belonging("calendar app, calendar", "keep my calendar in, use {} for my calendar, manage my calendar in"),
    _belonging("email client, mail client, email app, mail app", "read my mail in, read my email in, use {} for email"),
    _belonging(
        "music service, music app, music streaming service, streaming service",
        "listen to music on, stream music on, stream my music on, stream music with, use {} for music, "
        "get my music from",
    ),
    _belonging(
        "internet provider, internet, broadband, broadband provider, isp, internet service provider, home internet, "
        "wifi provider",
        "get my internet from, have my internet from, have my internet with, have internet with, get my broadband "
        "from, am with {} for internet, am with {} for broadband, am with {} for the internet, use {} for internet, "
        "get internet from",
        links="with from through",
    ),
    _belonging(
        "energy supplier, energy provider, electricity provider, electricity supplier, power supplier, "
        "power company, electricity company, energy company, electricity, energy",
        "get my electricity from, get my energy from, get my power from, buy my electricity from, "
        "am with {} for energy, am with {} for electricity, am with {} for power",
        links="with from",
    ),
    _belonging("gas supplier, gas provider", "get my gas from, am with {} for gas", links="with from"),
    _belonging(
        "mobile provider, phone provider, carrier, mobile carrier, phone carrier, network, mobile network, "
        "cell provider, phone company, phone contract, mobile contract",
        "have my phone contract with, have my mobile contract with, get my phone service from, am with {} for my "
        "phone, am with {} for mobile, am with {} for my mobile, have my phone plan with",
        links="with",
    ),
    _belonging(
        "health insurer, health insurance, health insurance company", "have my health insurance with", links="with"
    ),
    _belonging("pension provider, pension", "have my pension with", links="with"),
    _belonging("mortgage lender, mortgage", "have my mortgage with", links="with"),
    _belonging(
        "hairdresser, barber, hairstylist, hair salon, stylist, salon",
        "get my hair cut at, get my hair cut by, have my hair cut at, have my hair cut by, have my hair done at, "
        "get my hair done at, have my hair done by, get my hair done by, go to {} for my hair, go to {} for a haircut, "
        "go to {} for haircuts, see {} for my hair, get my haircuts at",
    ),
    _belonging(
        "dentist",
        "see {} for my teeth, go to {} for my teeth, have my teeth done by, have my teeth checked by, "
        "get my teeth done by, have my teeth cleaned by, go to {} for dental work, see {} as my dentist, "
        "go to {} for checkups",
    ),
    _belonging(
        "doctor, gp, family doctor, physician, primary care doctor, primary care physician",
        "see {} as my doctor, am a patient of, am registered with, go to {} as my doctor",
    ),
    _belonging(
        "vet, veterinarian",
        "take the dog to, take my dog to, take the cat to, take my cat to, go to {} with the dog, "
        "go to {} with the cat",
    ),
    _belonging(
        "therapist, psychotherapist, counsellor, counselor, psychologist",
        "see {} for therapy, go to {} for therapy, have therapy with, do therapy with, am in therapy with, "
        "go to therapy with",
    ),
    _belonging(
        "physio, physiotherapist, physical therapist", "see {} for physio, go to {} for physio, see {} for my back"
    ),
    _belonging("optician, optometrist, eye doctor", "see {} for my eyes, go to {} for my eyes, get my glasses from"),
    _belonging(
        "pharmacy, chemist, drugstore",
        "get my prescriptions from, get my prescriptions at, collect my prescriptions from, collect my prescriptions "
        "at, pick up my prescriptions at, pick up my prescriptions from, fill my prescriptions at, get my medicine "
        "from, get my medicines from, get my meds from, get my medication from, get my prescriptions filled at",
    ),
    _belonging(
        "supermarket, grocery store, grocer",
        "buy my groceries at, buy groceries at, get my groceries from, get my groceries at, do my groceries at, "
        "do my shopping at, do my food shopping at, do the weekly shop at, shop for groceries at, get groceries from, "
        "do my grocery shopping at, buy my food at",
    ),
    _belonging(
        "landlord, landlady",
        "rent from, rent my flat from, rent my apartment from, rent my room from, rent my house from",
    ),
    _belonging("accountant, tax adviser, tax advisor", "have my taxes done by, do my taxes with, get my taxes done by"),
    _belonging("lawyer, solicitor, attorney", "am represented by"),
    _belonging(
        "preferred airline, favourite airline, favorite airline, usual airline, airline of choice, airline",
        "fly with, prefer to fly with, prefer flying with, prefer flying, fly mostly with",
    ),
    _belonging(
        "mechanic, garage",
        "take my car to, take the car to, have my car serviced at, get my car serviced at, have my car serviced by",
    ),
    _belonging(
        "major, degree, degree subject, subject, course, course of study, field of study",
        "study, major in, am studying, am majoring in, do a degree in, am doing a degree in",
        "thing",
    ),
    _belonging(
        "commute, means of transport, way to work",
        "go to work by, commute by, get to work by, travel to work by, come to work by, take the {} to work, "
        "commute on the, go to work on the, ride the {} to work",
        "thing",
        links="by",
    ),
    _belonging(
        "diet", "follow a {} diet, am on a {} diet, follow the {} diet, am on the {} diet, eat a {} diet", "thing"
    ),
)

# Who does a thing for somebody, with the name at the start: the noun, and what such a one does
HELPERS: tuple[tuple[str, str], ...] = (
    ("babysitter", "babysits for WHOM, babysits my kids, looks after my kids, minds my children, babysits"),
    ("nanny", "looks after the children, looks after my children, looks after the kids"),
    ("childminder", "minds my kids, minds the kids"),
    ("dog walker", "walks my dog, walks the dog, walks my dogs, walks the dogs"),
    ("dog sitter", "looks after my dog, looks after the dog"),
    ("cat sitter", "feeds my cat, feeds the cat, looks after my cat"),
    (
        "cleaner",
        "cleans for WHOM, cleans my house, cleans my flat, cleans the house, cleans my apartment, cleans the flat",
    ),
    ("gardener", "does my garden, looks after my garden, looks after the garden, does the garden"),
    ("accountant", "does my taxes, does my books, does my accounts, handles my taxes"),
    ("hairdresser", "cuts my hair, does my hair"),
    ("barber", "cuts my hair"),
    ("dentist", "looks after my teeth, does my teeth"),
    ("mechanic", "fixes my car, services my car, looks after my car"),
    ("coach", "coaches WHOM, trains WHOM"),
    ("trainer", "trains WHOM"),
    ("personal trainer", "trains WHOM"),
    ("mentor", "mentors WHOM"),
    ("tutor", "tutors WHOM"),
    ("boss", "manages WHOM"),
    ("manager", "manages WHOM"),
    ("supervisor", "supervises WHOM, supervises my thesis, supervises my work"),
    ("thesis advisor", "supervises my thesis, advises my thesis, advises WHOM on my thesis"),
    ("thesis supervisor", "supervises my thesis, advises WHOM on my thesis"),
    ("lawyer", "represents WHOM"),
    ("agent", "represents WHOM"),
    ("roommate", "shares my flat, shares a flat with WHOM"),
    ("carer", "cares for WHOM, looks after WHOM"),
    ("piano teacher", "teaches WHOM piano, teaches WHOM the piano"),
    ("guitar teacher", "teaches WHOM guitar, teaches WHOM the guitar"),
    ("violin teacher", "teaches WHOM violin, teaches WHOM the violin"),
    ("driving instructor", "teaches WHOM to drive, teaches WHOM driving"),
    ("maths teacher", "teaches WHOM maths"),
    ("french teacher", "teaches WHOM French"),
    ("spanish teacher", "teaches WHOM Spanish"),
    ("german teacher", "teaches WHOM German"),
    ("english teacher", "teaches WHOM English"),
)

# Of these a person has one, also where nobody says "now"; of the others, perhaps another one besides
SOLE = frozenset(
    (
        *("car", "hairdresser", "dentist", "doctor", "therapist", "physio", "optician", "landlord", "diet", "commute"),
        *("internet provider", "energy supplier", "gas supplier"),
        *("mobile provider", "health insurer", "pension provider", "mortgage lender", "pharmacy", "password manager"),
        *("accountant", "lawyer", "piano teacher", "guitar teacher", "violin teacher", "driving instructor"),
        *("maths teacher", "french teacher", "spanish teacher", "german teacher", "english teacher", "seat", "shift"),
        *("pet", "insurer", "source"),
    )
)

# What a thing of common words ends in
OF_KINDS = {
    "commute": word_set(
        "bike bicycle e-bike car bus train tram metro subway underground tube foot scooter ferry taxi cab motorbike "
        "motorcycle moped coach carpool boat tramway shuttle skateboard rail"
    ),
    "diet": word_set(
        "vegan vegetarian pescatarian keto ketogenic paleo low-carb low-fat low-sodium low-sugar gluten-free "
        "dairy-free lactose-free halal kosher mediterranean carnivore plant-based high-protein raw raw-food fodmap "
        "low-fodmap "
        "diabetic liquid flexitarian omnivore sugar-free"
    ),
}

# Languages are coded in, too
NO_EDITORS = word_set(
    "Python Java JavaScript TypeScript Go Golang Rust C C++ C# Ruby PHP Perl Swift Kotlin Scala Haskell Elixir Erlang "
    "Clojure Lua R Julia Dart Fortran COBOL Ada Zig Nim OCaml F# SQL MATLAB Lisp Scheme Groovy Assembly Bash Delphi"
)

_BY_NOUN = {
    "editor": "VS Code, VSCode, Visual Studio Code, Visual Studio, Vim, Neovim, Emacs, Sublime, Sublime Text, Zed, "
    "PyCharm, IntelliJ, IntelliJ IDEA, WebStorm, GoLand, CLion, Eclipse, NetBeans, Xcode, Cursor, "
    "Helix, Notepad++, Android Studio, RStudio, Spyder, Windsurf, BBEdit, TextMate, PhpStorm",
    "browser": "Chrome, Google Chrome, Firefox, Safari, Edge, Microsoft Edge, Brave, Opera, Vivaldi, Chromium, "
    "LibreWolf, Tor Browser, Waterfox",
    "search engine": "Google, Google Search, DuckDuckGo, Bing, Kagi, Ecosia, Startpage, Qwant, Brave Search",
    "password manager": "LastPass, Bitwarden, 1Password, KeePass, KeePassXC, Dashlane, Proton Pass, NordPass, "
    "Enpass, RoboForm",
    "note app": "Obsidian, Evernote, OneNote, Apple Notes, Google Keep, Roam, Logseq, Joplin, Simplenote, "
    "Standard Notes, Notion",
    "task manager": "Todoist, TickTick, OmniFocus, Microsoft To Do, Any.do, Remember the Milk",
    "email client": "Thunderbird, Outlook, Apple Mail, Mailspring, Superhuman, Airmail",
    "music service": "Spotify, Apple Music, Tidal, Deezer, YouTube Music, Qobuz, Amazon Music, Pandora",
    "bank": "Barclays, HSBC, Lloyds, NatWest, Santander, Monzo, Starling, Revolut, Nationwide, Chase, Wells Fargo, "
    "Citibank, Bank of America, Capital One, ING, N26, Deutsche Bank, Commerzbank, Sparkasse, DKB, UBS, "
    "Rabobank, ABN Amro, BNP Paribas, Bunq, TD Bank, RBC, Halifax, TSB, First Direct, Comdirect, Postbank, BBVA, "
    "Nordea, Handelsbanken, UniCredit, KBC",
    "mobile provider": "Vodafone, O2, EE, T-Mobile, AT&T, Verizon, Telekom, Deutsche Telekom, giffgaff, "
    "Mint Mobile, Swisscom, Telstra, Optus, Rogers, Telus, Fido, Lebara, Lycamobile, Voxi, "
    "iD Mobile, Google Fi, Congstar, Movistar, KPN, Telia, Telenor, Bouygues, SFR",
    "preferred airline": "Lufthansa, KLM, Ryanair, easyJet, British Airways, Air France, Emirates, "
    "Qatar Airways, SAS, Iberia, Finnair, Wizz Air, Eurowings, JetBlue, American Airlines, Alaska Airlines, "
    "Singapore Airlines, Qantas, Turkish Airlines, Etihad, Vueling, Aer Lingus, TAP",
    "supermarket": "Tesco, Sainsbury's, Asda, Aldi, Lidl, Waitrose, Morrisons, Ocado, Rewe, Edeka, Kroger, Walmart, "
    "Whole Foods, Trader Joe's, Costco, Carrefour, Migros, Albert Heijn, Publix, Safeway, Wegmans, Mercadona",
    "energy supplier": "Octopus, Octopus Energy, E.ON, EDF, British Gas, OVO, Vattenfall, EnBW, Ecotricity, "
    "Scottish Power, LichtBlick, Naturstrom, Shell Energy, Good Energy, SSE, Utilita, Iberdrola, Endesa",
}
# What stands at the start of the names of models
_BY_MAKE = {
    "car": "Honda, Kia, Toyota, Ford, Volkswagen, VW, BMW, Audi, Mercedes, Mercedes-Benz, Tesla, Volvo, Skoda, Škoda, "
    "Seat, Cupra, Renault, Peugeot, Citroën, Citroen, Dacia, Fiat, Opel, Vauxhall, Nissan, Mazda, Hyundai, Subaru, "
    "Suzuki, Mitsubishi, Lexus, Jeep, Chevrolet, Chevy, Dodge, Chrysler, Buick, Cadillac, GMC, Mini, Porsche, Jaguar, "
    "Land Rover, Range Rover, Polestar, Rivian, Lucid, BYD, MG, Alfa Romeo, Saab, Acura, Infiniti, Smart, Lancia, "
    "Golf, "
    "Polo, Civic, Corolla, Prius, Fiesta, Focus, Clio, Zoe, Leaf, Yaris, Jetta, Passat, Camry, Accord",
    "phone": "iPhone, Pixel, Galaxy, Samsung Galaxy, OnePlus, Fairphone, Xperia, Redmi, Xiaomi, Motorola, Moto, Nokia, "
    "BlackBerry, Huawei, Google Pixel, Nothing Phone, Oppo, Realme",
    "laptop": "MacBook, ThinkPad, XPS, Dell XPS, Surface Laptop, Chromebook, Framework, Zenbook, IdeaPad, Latitude, "
    "EliteBook, Lenovo ThinkPad, HP Spectre, Surface Book, Yoga, Vivobook, Inspiron, Pavilion",
    "tablet": "iPad, Galaxy Tab, Surface Pro, Kindle Fire",
    "watch": "Apple Watch, Garmin, Fitbit, Pixel Watch, Galaxy Watch, Casio, Seiko",
    "camera": "Canon EOS, Nikon, Fujifilm, Sony Alpha, Leica, Canon, Olympus, Pentax",
    "bike": "Brompton, Canyon, Trek, Specialized, Cannondale, Bianchi, Giant, Scott, Cube",
}


def _names() -> dict[str, str]:
    found = {name.strip().lower(): noun for noun, names in _BY_NOUN.items() for name in names.split(",")}
    found |= {f"{name.strip().lower()} ": noun for noun, names in _BY_MAKE.items() for name in names.split(",")}
    return found


BRANDS: dict[str, str] = _names()
"""Well-known names in lower case, each with what it is; a name that opens those of models ends in a blank."""
