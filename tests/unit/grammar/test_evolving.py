"""What was said and what is said now: the later value ends the earlier one; said in other words, it confirms it."""

import pytest

from .pairs import GRAMMAR, ended, rows

EVOLVING = rows("""
    The timeout is 30 seconds. || The timeout was changed from 30 to 60 seconds.
    I[| now] live in [Oslo|Bergen]. ;; The default branch of docs-site is master. || docs-site's default branch is main.
    I have [12|7] vacation days left[| now]. ;; My tutor is Tom Lind. || Tom Lind is no longer my tutor; it's Ana Reyes.
    [Audit|The retention of audit] logs of teal [are kept for 30|is 90] days.
    Jonah's recital night is at [six|seven]. ;; The CEO of Teal Foods is Ana Ruiz. || Ben Holt is the CEO of Teal Foods.
    Parish hymn: [Jubilate|Veni] ;; Corvus listens on port 8443. || As of Monday, Corvus no longer listens on port 8443.
    Lena[| no longer] reports to Kim. ;; `max_pool_size` on the replica = 40 || The replica has a `max_pool_size` of 60.
    Lena[| no longer] works [at|for] Northgate. ;; The ledger has an RPO of 4 hours. || The RPO of the ledger is 1 hour.
    restart: [always|on-failure] ;; The tenant of suite 12 is Pell Ltd. || Pell Ltd is no longer the tenant of suite 12.
    The default branch of the docs repo [is master|was renamed to main]. ;; The frontend is written in [Angular|Svelte].
    Safeguarding officer: [Lea Voss|Jon Abel] ;; CORS is restricted to [https://app.wren.dev|https://console.wren.dev].
    The thermostat in the nursery is at [21|19] degrees.
    celery in requirements.txt is [|no longer ]pinned to 5.3.6. ;; The draft of the report is with the [editor|printer].
    The insurance policy of the barn is with [Altis|Norvia]. ;; The field that carries the order total is [`a_b`|`c_d`].
    The novel's working title is [Salt|Brine]. ;; Change window for the core switches: [Sat 02:00-04:00|Sun 01:00-03:00]
    The seat number of Ann is [12C|14F]. ;; My dentist is Dr. Kern. || I have a second question, my dentist is Dr. Moos.
    - Port: [8000|9000] ;; I get paid on the 25th of the month. || HR moved payday, I get paid on the 28th of the month.
    `BASE_REGION = ["eu-1"`|"eu-2"`] in shop/conf.py ;; The owner of Osprey is Kim. || Osprey is no longer owned by Kim.
    A locker at the Lido costs [3|4] euros. ;; The build image is based on [debian:bookworm-slim|debian:trixie-slim].
    Allowed downtime: [5|9] minutes ;; The ferry ride takes 40 minutes. || The duration of the ferry ride is 55 minutes.
    Terraform state is stored in [s3://tf-old|s3://tf-new]. ;; Mum's favourite singer is [Cesária Évora|Ángel Ólafsson].
    Lead: [Anna|Tom] (Elk) ;; The parser's entry point is parse_all. || parse_document is the entry point of the parser.
    The Heron queue is owned by [Priya Nair|Jonas Weil]. ;; The port is 8080. || Update: the port is 9090. || port: 9090
    The audio guide is available in [5|7] languages. ;; The paging size of SlotGrid is 20. || SlotGrid - paging size: 50
    The backend is written in [Ruby|Elixir]. ;; Otto's party starts at 3 pm. || The start of Otto's party is now 5 pm.
    MAX_RETRIES [is 5.|= 7] ;; The Tern endpoint is http://tern.example || The Tern endpoint is http://tern.example:8080
    The lease time of the Otter pool is [40|55] minutes. ;; The door code is 4471. || I reset it: the door code is 9052.
    The mirror of Cormorant listens on port [8123|8124]. ;; The admin UI is served on port 8081. || admin UI port = 9091
    The monorepo is built with [Bazel|Pants]. ;; Corvus listens on port 8443. || The port of Corvus is no longer 8443.
    The portal is hosted on [AWS|Hetzner]. ;; Our honeymoon fund is 900 euros. || The honeymoon fund is 1,200 euros now.
    @octokit/rest is pinned to [19.0.7|20.0.1]. ;; Lena works for Northgate. || Lena is no longer employed by Northgate.
    Access tokens are valid for [15|30] minutes. ;; The coach is Tom Lind. || Tom Lind retired, so the coach is Ann Lee.
    Alarm level at the plant is [yellow|green]. ;; Kite listens on port 80. || Kite listens on port 81, and Ann owns it.
    Alice[| now] lives in [Berlin|Rome]. ;; The name of our landlord is Ms. Lee. || Our landlord's name is Mr. Vasquez.
    [Ann Lee|Bo Falk] is the treasurer of the rowing club. ;; The waiting list of the Fern nursery has [23|19] children.
    At the Dunmore garage, a wheel change costs [€40|€55]. ;; Alice works for Initech. || Alice's employer is now Hooli.
    Bus [48|63] is the one I take to the office. ;; Kenji lives at 4 Birch Court. || Kenji's address is 19 Harbour View.
    Caretaker: [Uwe Brandt|Sam Opoku] (Block C) ;; Ida's curfew is 9 pm. || Ida's curfew isn't 9 pm anymore, it's 10 pm.
    Diesel price at the Elm Road station: [1.659|1.719] €/l ;; The asking price of Larch Cottage is [£310,000|£295,000].
    Forms for a boat licence go to counter [3|8]. ;; My GP is Dr. Moen. || Dr. Moen retired, so my GP is now Dr. Strand.
    I bank with [Santander|Monzo now]. ;; The Tern endpoint is [https://api.tern.example/v3|https://api.tern.example/v4]
    The Rotterdam depot is located at [Waalhaven 12|Maasvlakte 40]. ;; [My|They rebooked me: my] flight seat is [7A|8C].
    Kite is hosted on [AWS|Azure]. ;; I work 40 hours a week. || My request came through and I work 32 hours a week now.
    Kite is hosted on [kite-3|kite-4]. ;; My therapy session is at 14:00. || My therapy session is at 15:30, not 14:00.
    Lena plays for [Ajax|Feyenoord now]. ;; The default for max_connections is 200. || max_connections defaults to 100.
    [Max.|The maximum] party size for the ghost walk[: 12| is 10.] ;; The library fine is [one euro|two euros] per week.
    My default shell on Windows is [fish|zsh]. ;; Arl Library closes at 18:00. || Closing time of Arl Library: 20:00
    My friend Ida lives in [Rome|Oslo]. ;; Our vet is Dr. Roth. || Dr. Roth retired, our vet is Dr. Kaya now.
    My landlord is called [Max Hill|Jo Pitt]. ;; The port of teal is 80. || As of February, the port of teal is 81.
    Shelf 3 holds [40|50] boxes. ;; The contact person for volunteers is Ann Lee. || Volunteers' contact person: Kim Roy
    My landlord's name is [Mr. Okafor|Mrs. Petrov]. ;; The main sponsor of the marathon is [Pennant Bank|Orbit Telecom].
    My mum is in [Lisbon|Porto] right now. ;; The limit is 5 MB. || Since the audit in York, the limit is 9 MB.
    Status: [open|closed] ;; The timeout of the billing service is 30 seconds. || The billing service's timeout is 45 s.
    My phone number is [+1 555 123 4567|+1 555 987 6543]. ;; My number at work is [0151 2345678|0157 9876543].
    My sister lives in [Rome|Oslo now]. ;; The padlock code is 5520. || I changed the padlock code to 8814.
    My son's form teacher is [Mrs. Platt|Mr. Lauder]. ;; Passwords for the lab machines are kept in [KeePass|Bitwarden].
    New gate code for the yard at Fell End: [2718|3141]
    Our backend is written in [Java|Kotlin]. ;; The Kite drone weighs 900 g. || Weight of the Kite drone: 1.1 kg
    Our on-call tool is [PagerDuty|now Opsgenie]. ;; The auditor of the Alder trust is [Grove & Oakes|Hartnell LLP].
    Our wiki runs on [Confluence|BookStack]. ;; The gate code is 4471. || I mistyped it, the gate code is 4417.
    Passwords are hashed with [bcrypt|Argon2id]. ;; Alice reports to Olga Petrova. || Alice's manager is Dan Weiss.
    Phone number: [555-1234|555-2345] ;; Parcel kiosk - scan limit: 40 MB || The parcel kiosk has a scan limit of 60 MB.
    Printouts at the Wray library cost [10p|12p] a page. ;; The Pro plan costs $20. || The price of the Pro plan is $25.
    Room 12 is currently assigned to the [chess|film] club. ;; My shoe size is 43. || I said 43, but my shoe size is 44.
    Seats in the Thorn pub's garden: [60|75] ;; The service [is currently listening|listens] on port [80|81].
    Sign-ups are [open|closed]. ;; The Tern endpoint is http://tern.example || The Tern endpoint is https://tern.example
    Sunniva's driving instructor is [Mr. Pask|Ms. Trevena]. ;; The host of Tern is [tern.example:443|tern.example:8443]
    The API gateway runs nginx [1.24|1.26]. ;; The drone weighs 900 g. || The weight of the drone is 1.1 kg.
    The CI[| now] runs on [CircleCI|Buildkite]. ;; The fair is held on 3 May. || The date of the fair is 5 May.
    The Elk lunch is at [noon|13:00]. ;; The license of widgetlib is MIT. || widgetlib is now licensed under Apache-2.0.
    The Merle boathouse has [eleven|fourteen] canoes. ;; owl.max_entries: 5000 || We bumped owl.max_entries to 20000.
    The access code is [4471|9032]. ;; The mayor of Springfield is Lisa Simpson. || Springfield's mayor is Ned Flanders.
    The alerts are sent to [#ops|#oncall]. ;; The printer on the first floor is at [10.0.4.12|10.0.4.13].
    The boat comes in [3|5] colours. ;; The scan limit of the parcel kiosk is 40 MB. || Parcel kiosk - scan limit: 60 MB
    The column for the sender is [`sent_by`|`from_id`]. ;; the chair of the Elmgate council is [Rosa Lund|Piet Aarden]
    The data is stored in [Parquet|Avro]. ;; `parcels.weight` is stored as [NUMERIC(8,2)|NUMERIC(10,3)].
    The data is stored in [S3|GCS]. ;; Our mail relay is relay-3.example.net. || The mail relay is relay-9.example.net.
    The database is Postgres [15|16]. ;; The port is 80. || Quick note: the port is 81. || Quick update: the port is 81.
    The database is [Postgres|MySQL]. ;; The maintenance window is Sunday [01:00-03:00|01:00-04:00].
    The default branch is [master|main] unless overridden. ;; The tram fare is 2 euros. || Fare for the tram: 2.50 euros
    The default log level is [info|debug]. ;; The fee is 4 euros. || The board raised the fee to 5 euros.
    The drive letter of Teal is [Z|Y]. ;; The loader silently skips files bigger than [50|200] MB. ;; On-call: [Ana|Ben]
    The endpoint accepts [50|80] ids. ;; I live in Lisbon. || It's official: I live in Porto now.
    The engagement party of Ida and Sven is on [6|13] June. ;; The working language of the board is [French|English].
    The escalation number is +44 20 7946 [0312|0958]. ;; A missing signature header is answered with [401|403].
    The floor area of the Mill Lane studio is [80|95] m². ;; Calls to the pricing engine time out at [800|1200] ms.
    The gateway[| currently] listens on port [80|81]. ;; A high ticket must be answered within [60|20] minutes.
    The gateway rejects requests over [5|8] MB. ;; The [maximum|max] number of retries is [5|set to 7].
    The hall porter's pager number is [218|244]. ;; We're saving [300|450] a month for the house[| now].
    The job queue limit is [100|200]. ;; [My|I've reset it: my] alarm is set for [6:30|7:15]. ;; log_level: [info|debug]
    The keys to the boathouse are with [Pia|Ravi]. ;; To build the image you need Docker [24|26] or newer.
    The owner is [Ann Lee|Bo Ek]. ;; The claims system has an RPO of 4 hours. || The RPO of the claims system is 1 hour.
    The knitting circle takes place in room [4|7]. ;; Bus 42[| now] departs from [Elm Square|Castle Gate].
    The largest city of Ferrin is [Castel|Portell]. ;; The logger that `orders` uses is named [`o1`|`o2`].
    The license is [MIT|Apache-2.0]. ;; The lockfile resolves lodash to [4.17.20|4.17.21]. ;; I commute by [bike|train].
    The mail relay listens on port [25|587 (was 25)].
    The maximum allowed size is [5|9] MB. ;; My rent [is 1,150|went up to 1,220] euros a month.
    We use PostgreSQL [14|16] for the orders database.
    The nightly build starts at [02:00|03:00]. ;; timeout = 5 seconds || The timeout is 6 seconds.
    The owner is [Robert Smith|Bob Miller]. ;; The parser is generated by [ANTLR|tree-sitter].
    log level = [info|debug] ;; Gran's carer is Blessing. || The agency swapped them round, Gran's carer is Patrice now.
    The owner of order A-12 is [Ann Lee|Bo Ek]. ;; My physio exercises are due at [9 am|8 am now].
    The pass over the Grimsel is [open|closed]. ;; In walker.py, recursion stops at depth [12|20].
    The price of the fox hat is [40|45] euros. ;; The event schema of stock is at revision [6|8].
    The pub quiz begins at [8.30|9] pm. ;; teal: read_timeout=3s || teal: read_timeout=30s
    The request limit is [100|200]. ;; the quota of the Brindle cluster is [40|64] GB ;; retries: 5 || - **Retries**: 7
    The resolver listens on UDP port [53|5353]. ;; Each shard is replicated to [three|two] zones.
    Zoë works at [Škoda|Citroën]. ;; The lease has an end date of March 2026. || The end date of the lease is June 2027.
    The review is booked for [10:00|11:00]. ;; My shoe size is [41|42 since the pregnancy].
    The session timeout is [30|60] minutes. ;; The wifi password is [hunter2|xk9] upstairs.
    The town has [1.3|1.4] million inhabitants. ;; The clinic is at [4 Quay Road|18 Mill Lane].
    celery requires kombu [5.3|5.4]. ;; [Tom|Anna] is my emergency contact[| now]. ;; I go to bed at [11|10 these days].
    static const int MAX = [5|6]; ;; The babysitter is Runa. || Runa can't do it any more, the babysitter is now Wiebke.
    the soup kitchen opens at [11:00|12:30] ;; image: tern/api:1.4 || image: tern/api:1.5
    numpy==1.26.4 || numpy is pinned to 2.0.0.
    Jo's laptop runs Windows [10|11 now]. ;; All our Lambdas run on Python [3.9|3.12].
    My aquarium is at [24 °C|26 °C now]. ;; My go-to airline is [KLM|SAS nowadays]. ;; Who to page for DNS: [Farid|Yuki]
    The port is [80|90] (old building). ;; The bot[| now] posts to [#ops|#alerts]. ;; LOG_LEVEL=warn || LOG_LEVEL=debug
    My debit card ends in [4410|7723 now]. ;; MSRV is [1.65|1.74] for the core crate.
    The goods are shipped to [Malmö|Oslo]. ;; Solveig lives in [Altona|Ottensen now].
    Our ticket system is [Jira|Linear]. ;; The silo holds [40|55] tonnes of grain.
    The JVM heap of the search indexer is 4G. || We raised the search indexer's JVM heap to 12G.
    The base price of the Corsa is 18,900 euros. || Opal raised the base price of the Corsa to 19,900 euros.
    The function that trims wav is called `clip`. || The function that trims wav was renamed from `clip` to `cut`.
    The project manager of Heron is Ines Okafor. || Ines Okafor is no longer Heron's project manager.
    The project manager of Heron is Ines Okafor. || Ines Okafor is no longer the project manager of Heron.
    The proxy of Osprey is proxy.osprey.example. || proxy.osprey.example is no longer the proxy of Osprey.
    wal_keep_size is 1 GB on the orders primary. || wal_keep_size on the orders primary went from 1 GB to 4 GB.
    The Eastlake clinic closes at 17:30. || | Eastlake clinic | closing time | 18:45 |
    The chair of the Elmgate council is Rosa Lund. || Heads up - the chair of the Elmgate council is Piet Aarden.
    The gate of the Harbour shuttle is B12. || Correction: the gate of the Harbour shuttle is now B27.
    The read timeout of the billing client is 10 seconds. || | billing client | read timeout | 25 seconds |
    The retry delay of the fax gateway is 5 seconds. || Fax gateway, retry delay: 9 seconds
    The scan limit of the parcel kiosk is 40 MB. || **Parcel kiosk** - scan limit: 60 MB
    The upload limit of the photo service is 5 MB. || | Photo service | upload limit | 20 MB |
    In staging, the billing service's port is 80. || The port of the billing service is 81 in staging.
    The `page_size` parameter of /orders defaults to 50. || Default of the `page_size` parameter of /orders: 25
    The app ID in the Play store is com.tern.a. || The app ID in the Play store is com.tern.b (was com.tern.a).
    The base image of the api container is debian:11. || The api container uses a base image of debian:12.
    The head chef at Salt & Vine is Aurelio Conti. || Salt & Vine's head chef is Mina Duarte.
    The head of the Malmö office is Åsa Öberg. || The Malmö office is led by Łukasz Żak.
    The host is a1. || The host is b1. I think we should move on. || The host is now b1, and the port is 80.
    The hotline of the Tarn gasworks is 0800 555 111. || 0800 555 222 is the hotline of the Tarn gasworks.
    The image quality of the resizer is 75. || The resizer now uses an image quality of 82.
    The ledger service listens on port 8080. || The port of the ledger service is now 9090.
    The log retention on the Umber nodes is 30 days. || Logs of the Umber nodes are now kept for 90 days.
    The maintenance window of the Oslo rack is Sunday 01:00. || Oslo rack - maintenance window: Tuesday 04:00
    The product owner of the scanner app is Wendy Acheb. || Scanner app, product owner: Klaus Immel
    The robot firmware is built with Zephyr 3.4. || We build the robot firmware with Zephyr 3.6.
    The secretary of the trustees is Ivo Renner. || The trustees' new secretary is Ada Quist.
    The tallest tower in Orrest is the Meridian. || The Pinnacle is now the tallest tower in Orrest.
    numpy is pinned at 1.26.4 in the Quarry service. || The numpy pin in the Quarry service is 2.0.1.
    My phone contract is with O2. || I ported my number, my phone contract is with Giffgaff now.
    My tram to work is the 11. || They scrapped the 11, so my tram to work is the 16 now.
    The kids' bedtime is 8 pm. || The kids' bedtime is 8:30 pm since the clocks changed.
    The nearest supermarket is Lidl. || A new one opened, so the nearest supermarket is Aldi.
    The title of my thesis is "Tides". || I changed the title of my thesis to "Currents".
    The ambassador of Norway in Chile is Ida Berg. || Norway's ambassador in Chile is Ana Paz.
    The Otter gateway times out after 30 seconds. || | Otter gateway | timeout | 75 seconds |
    The firmware of the sensor gateway is 3.4.1. || | sensor gateway | firmware | 3.6.0 |
    | Stint worker memory limit | 512 MB | || The memory limit of the Stint worker is 1 GB.
    A release train leaves every two weeks. || The release train now leaves every three weeks.
    A ticket for the museum of Arl costs 12 euros. || The price of a ticket for the museum of Arl is 15 euros.
    Aunt Ida lives in Cork. || Aunt Ida doesn't live in Cork anymore, she lives in Galway now.
    Our catering partner is Gusto. || We switched catering partners from Gusto to Forka.
    The arrival day of Eva is Thursday. || The arrival day of Eva is Saturday, not Thursday.
    The colour filter of owl is called `col`. || owl's colour filter was renamed to `colour`.
    The mayor of Aldby is Hedwig Sauer. || Aldby's new mayor is Kurt Reus, who took over from Hedwig Sauer.
    The rates export is delivered as CSV over SFTP. || We deliver the rates export as Parquet over SFTP.
    The spending limit on Ida's card is £300. || I raised the spending limit on Ida's card to £450.
""")


@pytest.mark.parametrize(("first", "second"), EVOLVING)
def test_the_later_value_ends_the_earlier_one(first: str, second: str) -> None:
    assert ended(first, second)


RESTATED = rows("""
    Debug mode is [enabled|on]. ;; The lesson is on Monday at 10:00-11:00. || The lesson is on Monday 10 am to 11 am.
    The Tern home page is [http://tern.example|http://tern.example:80/] ;; Tickets are answered within [24 hours|1 day].
    The class starts at [7|seven]. ;; The docs are served at [https://docs.example.com|https://docs.example.com/].
    The default encoding is [UTF-8|utf-8]. ;; Hello. The owner is **Ann Lee**[^1]. Bye. || The owner is **Ann Lee**[^1].
    The memory limit is [1 GB|1024 MB]. ;; The Pro plan costs $20. || The price of the Pro plan is 20 dollars.
    The memory limit is [512 MB|0.5 GB]. ;; Alice works for Initech. || Alice's employer is Initech.
    The museum [is open until 18:00|closes at 6 pm]. ;; The owner is Lee. || The owner is Lee (was on leave).
    The release date is [2024-03-01|March 1, 2024]. ;; The upload limit is [512 MB|0.512 GB].
    foo==1.0; python_version [<|>=] '3.8' ;; The port is 8,080. || port: 8080 ;; MAX_SIZE = 5 || max_size = 5
    - **Basics**: The gateway is owned by Kim. || **Basics**: The gateway is owned by Kim.
    The Tern endpoint is https://api.tern.example/v3 || The Tern endpoint is https://API.tern.example/v3
    The Tern endpoint is https://api.tern.example/v3 || The Tern endpoint is https://api.tern.example:443/v3/
""")


@pytest.mark.parametrize(("first", "second"), RESTATED)
def test_the_same_value_in_other_words_is_one_fact(first: str, second: str) -> None:
    one, other = ({(f.key, f.kind, f.value) for f in e.facts} for e in GRAMMAR.extract([first, second]))
    assert one & other
    assert ended(first, second) == []
