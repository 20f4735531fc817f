"""What looks like an update and says something else: both are true at once, or the second asserts nothing."""

import pytest

from .pairs import GRAMMAR, ended, rows
from .test_changes import LOOKS_LIKE_ONE

LOOK_ALIKES = rows("""
    The connection string is [postgres://app@db1:5432/orders.|postgres://app@db1…] ;; The cluster has [5 nodes|7 racks].
    The memory of node [00000a01 is 8|00000a02 is 16] GB. ;; The number of people [employed|insured] by Acme is [40|90].
    The port of [001a2b3c4d5e is 80|001a2b3c4d5f is 81]. ;; The [crossing|waiting] time of the ferry is [40|20] minutes.
    The [3.1|3.10] docs are at [docs.acme.io/3.1|docs.acme.io/3.10]. ;; The theme of the [parade is fire|fair is water].
    The [ledger|archive] has an RPO of [4|8] hours. ;; The step that [charges|refunds] the card is handled by [`a`|`b`].
    The audit is on [12|14] March at [the depot|9:30]. ;; The lease has [an end|a start] date of [March 2026|June 2024].
    The gallery endpoint [accepts|returns] at most [8|20] images. ;; The cron job [prune|vacuum] fires at [03:00|04:30].
    The oven is [set to 180 degrees|3 years old]. ;; The access level of the [archive is read-only|inbox is read-write].
    The [opening|closing] act of the gala is [Wren|Lark]. ;; A password has to be at [least 10|most 64] characters long.
    Uploads through the [badge form|API] are limited to [5|90] MB. ;; Bus [48|63] is the one I take to the [office|gym].
    The status of ticket [12 is open|13 is closed]. ;; The owner of Anna Reyes is Search. || Anna Reyes - owner: Billing
    The [opening|closing] song of the gala is [Aurora|Boreas]. ;; [Queries|Uploads] are cancelled after [10|30] minutes.
    [Interns|Apprentices] are paid [€18|€15] an hour. ;; The supported regions are Oslo[, Bergen and Tromsø| and Turku].
    [An account|A card] is locked after [6|3] failed attempts. ;; [Our|Rejected: our] error tracker is [Sentry|Rollbar].
    The [**staging**|**production**] port is [80|90]. ;; The retry count of [uploads to|downloads from] Plover is [5|3].
    [Dumps|Traces] go to the bucket [`dumps-eu`|`traces-eu`]. ;; The [city|building] I work in is [Leeds|Harbour House].
    The colour of the gate is [green|definitely not red]. ;; Node [5|6] keeps [7|9] backups, so that it can be restored.
    The head of sales is [Ines|certainly not Marek]. ;; The class that renders [invoice|credit] PDFs is [PdfOne|PdfTwo].
    The client waits [5|9] seconds for a [connection|response]. ;; The canteen serves [lunch|supper] from [11:30|17:30].
    The day the shop [opens is Monday|closes is Sunday]. ;; The [first|second] request takes about [4 seconds|1 second].
    The gateway sends 3 [probes|traces] every [5|9] seconds. ;; The captain of the team [is Paris Lee|has gone to Oslo].
    The time zone of the booth is [Central European Time|Europe/Oslo]. ;; Fax gateway - [minimum|maximum] delay: [5|9] s
    You need Go [1.20|1.22] or later to build the [agent|server]. ;; The [name|title] of the nurse is [Ana Roth|Sister].
    The port the app uses [for metrics is 9090|is 8080]. ;; My editor is Vim. || The editor I use for notes is Obsidian.
    The price we pay for the [flat is 900|garage is 90] euros. ;; The logs are written to [build/output|s3://tern-logs].
    [Tom|Ann]: the wifi code is [1234|9999] ;; Logs are kept for 30 days. || Logs of the EU region are kept for 90 days.
    A [day|week] ticket costs [5|20] euros. ;; Rome's mayor is Ann. || The rival club's chant goes: Rome's mayor is Bob.
    Coffee costs [99 pence|2 pounds] at the [kiosk|bar]. ;; Alice works for Acme. || Bob left Acme and works for Globex.
    Correction for [staging|production]: the port is [80|90]. ;; In [staging|production], the limit of teal is [5|9] MB.
    Delivery of [milk|bread] is on [Monday|Tuesday]. ;; When the queue is [full|empty], Wexley waits for [20|5] seconds.
    Dr. Maier [(cardiology)|(radiology)] starts at [8:00|9:00]. ;; The logs are written to [/var/log/app.log|#ops-logs].
    Ferret [polls|sleeps] every [5|9] minutes. ;; I pay [42|9] euros a month for my [gym membership|music subscription].
    GET /orders returns [404 for unknown|410 for deleted] ids. ;; My [piano|guitar] lesson is on [Wednesday|Friday now].
    I live at 5 Elm [Street|St., Leeds]. ;; The default branch of Teal is main. || Idea: default branch of Teal is trunk
    [I|My parents] live at Hauptstrasse [5|9]. ;; The school's [postal|street] address is [PO Box 12|3 Fern Way], Ardle.
    The bank is [J.P.|JP] Morgan. ;; The port is 8080. || For guests, the port is 8081. || The port is 8081, in staging.
    Mona works at [Globex|the Berlin office].
    My number [at work is 555-0200|is 555-0199]. ;; [Lucian's|Update from Marta: her] train leaves from platform [4|11].
    My seat is in [row 6|the sixth row]. ;; To [save power|avoid overheating], the fan speed of Teal is [900|2400] rpm.
    Noor's charges [11|30] euros for a [shampoo|cut]. ;; My GP is Dr. Moen. || If Dr. Moen retires, my GP is Dr. Strand.
    [Oslo|Bergen] rack - window: [Tuesday|Friday] ;; cache_dir: /var/cache/teal || cache_dir: directory for cached files
    Our [band|band's van] is called [Velvet|Bertha]. ;; A [high|low] ticket must be answered within [60 minutes|2 days].
    Our phone number is 555-0100 or [555-0101|555-0102]. ;; The reverse proxy of the wiki is [Caddy|HAProxy when idle].
    Passwords are rotated [every 90|after 30] days. ;; The Python version is 3.12. || The Python version is Python 3.12.
    Passwords must have at [least 8|most 64] characters. ;; [Ground|First] floor tenant: [Marlow Dental|Kestrel Physio]
    Plan of the account: [Silver|nearly Gold]
    [Residents pay €85|Guests pay €20] for the permit. ;; The head of the [Malmö|Malmo] office is [Åsa Öberg|Asa Oberg].
    [Rows|Columns] of the matrix are indexed from [0|1]. ;; Due to the strike in [Leeds|York], the delay is [4|5] days.
    [Scanner|Reader] app, product owner: [Klaus Immel|Ann Lee] ;; In [Harbour|Depot], the queue for labels is [`a`|`b`].
    Solveig lives in [Germany|Hamburg]. ;; The former motto of the guild is Onward. || The motto of the guild is Upward.
    Teal is [340 m long|20 m wide]. ;; The audit is on 12 March at 9:30. || The audit is on Monday, 12 March at 9.30 am.
    The CI is [GHA|GitHub Actions]. ;; - **Example**: The gateway listens on port 80. || The gateway listens on port 90.
    The API gateway runs nginx [1.24|1.26 in staging]. ;; The office in [Malmö|Málaga] is led by [Åsa Öberg|Íñigo Sáez].
    The [Debian|Fedora] package version of zest is [3.1.2|3.2.0]. ;; The [staging|production] server is in [Leeds|York].
    The [`strict`|`mode`] parameter defaults to [lenient|strict]. ;; Tickets are [answered|closed] within [24|48] hours.
    The alert is sent to [#ops|PagerDuty]. ;; The default timeout of the API is 20 s. || The timeout of the API is 30 s.
    The bar has a stock of [50|30] bottles of [gin|rum]. ;; The kit is cheap, and the [box|bag] contains [4|40] screws.
    The book is written [in English|by Ann Lee]. ;; The stand-up of the Falcon squad is at [9:15 daily|9:45 on Fridays].
    The cache policy is [lru|lfu by mistake]. ;; Failover of the [primary node|replica] takes about [four|two] minutes.
    The class starts at [half past six|18:30]. ;; Orders are cancelled after 3 days. || The order timeout is 15 minutes.
    The gateway listens on 80, 443 and [8443|9443]. ;; The cost price of the lamp is £5. || The price of the lamp is £9.
    The host is [db-1|your.host.name]. ;; Parcel kiosk - scan limit: 40 MB || Parcel kiosk (staging) - scan limit: 60 MB
    The [hourly|daily] rate of the Hollis Room is [£35|£200]. ;; The rate limit is [10|1000] requests per [second|hour].
    The [invoice|rent] is due on the [1st|15th]. ;; The deploy workflow uses [`actions/cache@v3`|`actions/checkout@v4`].
    The licence is [MIT|also BSD]. ;; The default branch of Teal is main. || Rumour: the default branch of Teal is trunk
    The manager of [Alice|Bob] is Carol. ;; My rent is 900 euros. || Unfortunately, the rent in York is 950 euros now.
    The [maximum|minimum] size is 5 MB. ;; The trustees' secretary is Ann Lee. || The trustees' new treasurer is Jo Day.
    The numpy pin in [Quarry is 1.26.4|Marl is 2.0.1]. ;; The audit is on 12 March. || The audit is on 12 March at 9:30.
    The office in [Leeds|York] closes at [5|6] PM. ;; The [log|lock] file of Weasel is [/a/weasel.log|/run/weasel.lock].
    The open days are Monday, [Tuesday|Thursday]. ;; The door code is 4471. || If I remember right, the door code is 12.
    The owner is [Kim|kim@fern.example]. ;; They moved the dental appointment to 11 March. || Anton has moved to Kiel.
    The parser is implemented in [Node.js|ASP.NET]. ;; My alarm is at 7:00. || When I'm on holiday, my alarm is at 9:00.
    The [parser|lexer] is written in [Go|Rust]. ;; The upload limit is 20 MB. || Japan update: the upload limit is 5 MB.
    The pin of the [door is 4471|gate is 9920]. ;; QUEUE_URL=http://old:9200 || CACHE_URL points at http://new:9200 now
    The pool is [open|closed on Mondays]. ;; Orion audits Payments every 5 days. || Payments audits Orion every 9 days.
    The port is 8000 or [9000|9100]. ;; `BASE_REGION = "eu-1"` in shop/conf.py || `BASE_REGION = "eu-2"` in mill/conf.py
    The quota is [25 MB|5 MB, per tenant]. ;; The port of the hub is 8080. || The port of the hub is 9090 if TLS is off.
    The rate limit of [GET|POST] /users is 5. ;; My bike lock code is 4417. || I reset the shed lock: the code is 9052.
    The replica count of the [K8s|kubernetes] cluster is [3|5].
    The resolver listens on [TCP|UDP] port [53|5353]. ;; The museum opens at 9 am. || The museum's closing hour is 6 pm.
    The server is in [Germany|Frankfurt]. ;; The payroll is handled by Moneta. || Payroll moved from Lohnex to Paywise.
    The shop closes at [6|18:00]. ;; The billing API listens on port 8080. || The billing API listens on UDP port 9090.
    The shop offers a [choice of 5 colours|range of 12 sizes]. ;; This means that the port may be 80. || The port is 90.
    The site is hosted at [Hetzner|docs.kalmar.dev]. ;; The host the job runs on is b12. || The job runs on Python 3.12.
    The site is hosted [in Ireland|on Heroku]. ;; My favourite colour is now purple. || The museum café is now closed.
    The [staging|production] config has PORT = [80|443]. ;; Skerry allows at most 12 viewers. || skerry.min_viewers = 2
    The timeout for [v2|v3] is 5 s. ;; The maximum size the form accepts is 10 MB. || The size the form accepts is 5 MB.
    The supported versions are [3.10 and 3.11|3.11 and 3.12]. ;; Like [Ann, Bo Lind|Cy, Ann Lee] lives in [Oslo|Bergen].
    The train leaves from [Platform 3|Gate 5]. ;; The mill employs 40 people. || The mill employs 200 people in Leeds.
    The vendor is [IBM|International Business Machines]. ;; In [staging|production] the queue for labels is [`a`|`b`].
    The widget is tested on [Firefox 120|Chrome 119]. ;; The studio is on floor 3. || The studio is on the third floor.
    To [save power|avoid errors], the timeout is [20|90] seconds.
    We hold the [fire drill|sports day] every [6|12] months. ;; [With|Without] TLS the gull broker binds to [8883|1883].
    Zainab's [start|end] of work is [8:00|17:00]. ;; The title holder is Ann Reed. || The title of the book is Tom Lind.
    [Zoë|Zoe] lives in [Besançon|Besancon]. ;; Our landlord is Mr. Szabo. || The landlord of the shop is Mr. Kovacs now.
    image: [nginx:1.25|redis:7] ;; My wedding is on 12 June. || We pushed the wedding of my sister back to 4 September.
    [test_foo|test_bar] expects code = [200|404] ;; The project manager of teal is Kim. || The manager of teal is Lee.
    After it [fails|succeeds], the delay is [5|1] s. ;; Alice's manager is Carol. || Alice's manager's manager is Carol.
    After the [first|third] failure, the retry delay is [5|60] s. ;; [Orion|Vega] charges [Vega $50|Orion $60] a month.
    The host is a1. || The host below is b1. || The host here is b1.
    [I charge 85|My lawyer charges 95] euros an hour[| now]. ;; Contact for the [press: Gil Santoro|fans: Wes Lindqvist]
    [My|On Fridays, my] class is in room [4|7]. ;; The release lead is Bo Lund. || Was: the release lead is Ada Kern.
    [My|On weekends my] alarm is at [7|9, works better]. ;; Teal has 5 brokers. || The number of brokers in teal is 5.
    My [alarm|oven timer] is set for [6:30|7:00]. ;; Rent is due on the 3rd. || Rent is due on the 3rd of each month.
    [Rent|Tax] is due on the [3rd|5th] of each month. ;; if all agree, the port of Teal is 80 || the port of Teal is 81
    The codename is [Falcon|secret]. ;; The CI runs on Jenkins. || We migrated the CI from Ubuntu 20.04 to Ubuntu 22.04.
    The editor is [Vim|Linux-only]. ;; The scan limit of the parcel kiosk is 40 MB. || Parcel kiosk - print limit: 60 MB
    The vendor is [Lumo|US-based]. ;; The main branch is named main. || With the flag on, the main branch is named next.
    The tournament[| now] takes place in [Graz|June]. ;; My salary is 3000. || They promised me a new salary: 3500.
    [Staging|Production] update: the version is [1.2|1.1] ;; The red door, which [sticks|is new], leads to room [4|5].
    Support tier: [Gold|Silver via the reseller] ;; The bridge is closed. || If it rains, the bridge is open.
    The bakery [has 12|makes 40] cakes. ;; The export takes 10 minutes. || The export takes 3 minutes with the new flag.
    The board meets in [May|Graz]. ;; The service runs on Nomad. || The service was migrated from Jenkins to Kubernetes.
    The contact is [Ben Moss|Ada Bell each morning]. ;; Acme's chairman is Ann Lee. || Acme's director is Bo Ray.
    The port is [80|90 (old building)]. ;; [CORS|CSP] is restricted to [https://app.wren.dev|https://cdn.wren.dev].
    The winner is [Alice|Bob, Carol and Dan]. ;; The hub, which [Ann|Bob] runs, listens on port [80|81].
    The goal is [one team|two wins]. ;; The mayor of Elm is Ann Reed. || The son of the mayor of Elm is called Tom Lind.
    `enable_hsts: [true`|false` — staging] ;; The audit is on 12 March at 9:30. || The audit is on 12 March in Lugano.
    `retry_count` defaults to [3|5 as root]. ;; My GP is Dr. Moen. || Dr. Moen retired, so my mother's GP is Dr. Strand.
    At the [office|depot] the code is [4471|9032]. ;; My weight is 70 kilos. || My target weight is 65 kilos.
    [OPS-7|OPS-8]: status is [open|closed].
    Logging is [on in staging|off in production]. ;; I live in Cardiff. || Let's role-play: I live in Tokyo.
    The [batch|page] size of Plover is [80|50]. ;; Ottmar lives in Köln. || Ottmar lives in Köln, Germany.
    Who to page for [DNS: Farid|mail: Yuki] ;; The trail is closed. || The trail in the north is open.
    [lena|omar]: my desk is number [12|14] ;; The upper hall seats 80. || The hall's capacity is 180.
    poll_interval in [a.yml is 5s|b.yml is 6s]. ;; My boss is Helen. || As Tom put it: my boss is Marcus.
    Each room has 2 [beds|lamps]. ;; Driftbox limits uploads to 25 MB. || The minimum upload size of Driftbox is 1 KB.
    [Our|Tom's] cat weighs [4|5] kg. ;; The upload limit is 20 MB. || The upload limit is 5 MB, but that is for guests.
    My favourite food is [pizza|cheap]. ;; The fare is 2.90. || Booked online, the fare is 2.60.
    The Ravens' [captain is Ann Reed|coach is Tom Lind].
    The clinic is [at 4 Quay Road|located in Leeds]. ;; The orders [table|function] lives in [a.sql|b.py].
    The dough [rises for 60|rests for 20] minutes. ;; kite: connect_timeout=3s || kite: read_timeout=30s
    The default protocol is [http|insecure]. ;; The mayor is Ann. || He shouted: the mayor is Bob.
    The log level is [debug|configurable]. ;; The code is 44. || Talked to York: the code is 55
    The course's [price is 100|fee is 20] EUR. ;; Journey time: 40 minutes || Flight time: 2 hours
    The repo is built [with Bazel|by Jenkins]. ;; The shop opens at 9. || The shop opens at 9 am.
    The service is hosted [on AWS|in Frankfurt]. ;; The timeout is 30 minutes. || timeout: 00:30:00
    Ann lives [in Berlin|on Main Street]. ;; Tom lives in Bergen. || Only Tom lives in Oslo.
    Ann works for Contoso. || Ann joined PureGym. ;; image: tern/api:1.4 || image: tern/worker:1.4
    The badge form's upload limit sits at 50 MB. || We've raised the upload limit on the form to 50 MB.
    For historical reasons, the mirror's port is 80. || For legal reasons, the archive's port is 90.
    Our ticket tool is Zammad. || Nobody uses Znuny as our ticket tool. || The team never uses Znuny as its ticket tool.
    Invoices for Barrow go to accounts@barrow.example. || Complaints for Barrow go to care@barrow.example.
    I work for Contoso. || I joined Facebook. ;; My gym is PureGym. || My gym opens at 6 now.
    Lead: Anna (Elk) || Lead: Tom (Heron) ;; port: 8080 || The timeout is 30 seconds.
    My gym membership costs 39 euros a month. || My gym membership costs 29 euros a month for students.
    The fee for the Lund course is 80 euros. || Tom decided that the fee for the Lund course is 95 euros.
    The report is attached as Annex 2. || The report is attached as Annex 2, the map as Annex 3.
    The request timeout of the gateway is 30 seconds. || The gateway times out reads after 60 seconds.
    The upload limit of Driftbox is 25 MB. || The upload rate limit of Driftbox is 5 MB per second.
    celery==5.3.0 || celery[redis]==5.3.0 ;; My room is 12B. || My seat is 14B now.
    I have until Friday to hand in the tax forms. || I have until Monday to return the library books.
    The CEO of Tamblyn Foods, Marcia Dove, lives in Bristol. || The CEO of Tamblyn Foods is in Leeds.
    The singer, Ida Berg, lives in Oslo. || The singer, Tom Lund, lives in Oslo, or so they say.
    The weekly sync of Team Ash is on Tuesday at 10. || The weekly sync moved to Thursday at 14:00.
    Primary on-call for payments: Dana Osei || Primary on-call for payments: Rafael Lund in the annex
    The ambassador of Norway in Chile is Ida Berg. || The ambassador of Chile in Norway is Ana Paz.
    The code for the gate is 4471. || The gate was painted, and the code for the shed is 9920.
    The fee of the Lark pool is 9 euros. || For people over 65, the fee of the Lark pool is 5 euros.
    The office connects through vpn-3.example. || vpn-7.example is what the lab connects through.
    The port of the gateway is 8080. || The gateway was replaced, and the port of the proxy is 9090.
    The docs of Plover are hosted at docs.plover.example. || The API of Plover is hosted at api.plover.example.
    The batch limit of the loader is 500. || By convention, the batch limit of the exporter is 900.
    The cookery circle meets on Wednesdays at 15:00. || The cookery circle's supper is on Fridays at 15:00.
    The departure platform for trains to Holm is 3. || The arrival platform for trains from Holm is 5.
    The loader requires Java 17. || The Java version required for the saver is 21.
    | Ibuprofen | adults | 400 mg | || | Ibuprofen | children | 100 mg |
    apiVersion: [v1|apps/v1] ;; The [north|south] branch raised the fee to [5|6] euros.
    max_size: [10|maximum size] ;; Flask in the [hook|job] receiver is [2.2.5|3.0.3].
    numpy==1.26.4 || numpy-stubs==1.26.4 ;; The [doctor|dentist] I go to is Dr. [Ruiz|Campos].
    The studio is on the [3rd|third] floor. ;; [Elsie|Elsa] is in Year [4|5] at Oakdale Primary.
    Teal allows [5 logins|50 reads] per minute. ;; Booked: flight to [Oslo|Bergen] on the [3rd|9th].
    Workers process [50 images|20 videos] per batch.
    For requests that are sent by [guests|members] in Oslo and the towns around it the limit is [9|7] requests.
""")


@pytest.mark.parametrize(("first", "second"), LOOK_ALIKES)
def test_both_stay(first: str, second: str) -> None:
    assert ended(first, second) == []


def test_the_first_of_each_pair_is_read() -> None:
    assert all(e.facts for e in GRAMMAR.extract([first for first, _ in (*LOOK_ALIKES, *LOOKS_LIKE_ONE)]))


RECURRING = rows("""
    The choir of Rye sings on [Tuesday|Friday]. ;; Rosa takes iron at [8:00|20:00]. ;; I call Mum on [Sunday|Wednesday].
    Unit 4 has gym in period [3|6]. ;; Dr. Ode is on leave in week [12|19]. ;; Bus 9 leaves at [7:12|7:42].
    The fair comes to Rye on [4 May|9 June]. ;; The van is serviced in [May|November] 2026.
    MV Tern calls at Hull on [2026-01-12|2026-01-26]. ;; The rink is closed on [Mondays|Thursdays].
    Kit works on day [2|5]. ;; Mara is on call on [Monday|Friday].
""")
BOUNDED = rows("""
    The pass is closed until [4|18] May. ;; The lab is free after [6|8] pm. ;; The audit is booked for [10:00|11:00].
    The lease expires on [4 May|9 June]. ;; The dump job runs at [02:15|04:40].
    Ticket sales end on [4 May|9 June]. ;; The course starts on [4 May|9 June]. ;; The app launches on [4 May|9 June].
    The parade takes place on [Monday|Friday].
""")


@pytest.mark.parametrize(("first", "second"), RECURRING)
def test_what_may_happen_at_several_times_has_no_key(first: str, second: str) -> None:
    assert not [f for e in GRAMMAR.extract([first, second]) for f in e.facts]


@pytest.mark.parametrize(("first", "second"), BOUNDED)
def test_what_happens_once_has_one(first: str, second: str) -> None:
    assert len(ended(first, second)) == 1
