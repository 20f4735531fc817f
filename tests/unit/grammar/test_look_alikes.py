"""What looks like an update and says something else: both are true at once, or the second asserts nothing."""

from __future__ import annotations

import pytest

from .pairs import GRAMMAR, ended, rows

LOOK_ALIKES = rows("""
    The connection string is [postgres://app@db1:5432/orders.|postgres://app@db1…]
    The memory of node [00000a01 is 8|00000a02 is 16] GB. ;; The port of [001a2b3c4d5e is 80|001a2b3c4d5f is 81].
    The [3.1|3.10] docs are at [docs.acme.io/3.1|docs.acme.io/3.10]. ;; The [ledger|archive] has an RPO of [4|8] hours.
    The audit is on [12|14] March at [the depot|9:30]. ;; The gallery endpoint [accepts|returns] at most [8|20] images.
    The lease has [an end|a start] date of [March 2026|June 2024]. ;; The oven is [set to 180 degrees|3 years old].
    The number of people [employed|insured] by Acme is [40|90]. ;; The [opening|closing] act of the gala is [Wren|Lark].
    Uploads through the [badge form|API] are limited to [5|90] MB. ;; The status of ticket [12 is open|13 is closed].
    The access level of the [archive is read-only|inbox is read-write]. ;; Teal allows [5 logins|50 reads] per minute.
    The [opening|closing] song of the gala is [Aurora|Boreas]. ;; The theme of the [parade is fire|fair is water].
    A password has to be at [least 10|most 64] characters long. ;; [Interns|Apprentices] are paid [€18|€15] an hour.
    [An account|A card] is locked after [6|3] failed attempts. ;; The [**staging**|**production**] port is [80|90].
    [Dumps|Traces] go to the bucket [`dumps-eu`|`traces-eu`]. ;; The colour of the gate is [green|definitely not red].
    Node [5|6] keeps [7|9] backups, so that it can be restored. ;; The head of sales is [Ines|certainly not Marek].
    The client waits [5|9] seconds for a [connection|response]. ;; The day the shop [opens is Monday|closes is Sunday].
    The gateway sends 3 [probes|traces] every [5|9] seconds. ;; The [city|building] I work in is [Leeds|Harbour House].
    The time zone of the booth is [Central European Time|Europe/Oslo]. ;; Fax gateway - [minimum|maximum] delay: [5|9] s
    You need Go [1.20|1.22] or later to build the [agent|server]. ;; Booked: flight to [Oslo|Bergen] on the [3rd|9th].
    The port the app uses [for metrics is 9090|is 8080]. ;; The price we pay for the [flat is 900|garage is 90] euros.
    [Queries|Uploads] are cancelled after [10|30] minutes. ;; [Tom|Ann]: the wifi code is [1234|9999]
    A [day|week] ticket costs [5|20] euros. ;; Bus [48|63] is the one I take to the [office|gym].
    Coffee costs [99 pence|2 pounds] at the [kiosk|bar]. ;; Correction for [staging|production]: the port is [80|90].
    Delivery of [milk|bread] is on [Monday|Tuesday]. ;; Dr. Maier [(cardiology)|(radiology)] starts at [8:00|9:00].
    Ferret [polls|sleeps] every [5|9] minutes. ;; GET /orders returns [404 for unknown|410 for deleted] ids.
    I live at 5 Elm [Street|St., Leeds]. ;; [I|My parents] live at Hauptstrasse [5|9]. ;; The bank is [J.P.|JP] Morgan.
    I pay [42|9] euros a month for my [gym membership|music subscription]. ;; Mona works at [Globex|the Berlin office].
    In [staging|production], the limit of teal is [5|9] MB. ;; My number [at work is 555-0200|is 555-0199].
    My seat is in [row 6|the sixth row]. ;; Noor's charges [11|30] euros for a [shampoo|cut].
    [Oslo|Bergen] rack - window: [Tuesday|Friday] ;; Our [band|band's van] is called [Velvet|Bertha].
    [Our|Rejected: our] error tracker is [Sentry|Rollbar]. ;; Our phone number is 555-0100 or [555-0101|555-0102].
    Passwords are rotated [every 90|after 30] days. ;; Passwords must have at [least 8|most 64] characters.
    Plan of the account: [Silver|nearly Gold] ;; [Residents pay €85|Guests pay €20] for the permit.
    [Rows|Columns] of the matrix are indexed from [0|1]. ;; [Scanner|Reader] app, product owner: [Klaus Immel|Ann Lee]
    Solveig lives in [Germany|Hamburg]. ;; Teal is [340 m long|20 m wide]. ;; The CI is [GHA|GitHub Actions].
    The API gateway runs nginx [1.24|1.26 in staging]. ;; The [Debian|Fedora] package version of zest is [3.1.2|3.2.0].
    The [`strict`|`mode`] parameter defaults to [lenient|strict]. ;; The alert is sent to [#ops|PagerDuty].
    The bar has a stock of [50|30] bottles of [gin|rum]. ;; The book is written [in English|by Ann Lee].
    The cache policy is [lru|lfu by mistake]. ;; The canteen serves [lunch|supper] from [11:30|17:30].
    The captain of the team [is Paris Lee|has gone to Oslo]. ;; The class starts at [half past six|18:30].
    The class that renders [invoice|credit] PDFs is [PdfOne|PdfTwo]. ;; The cluster has [5 nodes|7 racks].
    The cron job [prune|vacuum] fires at [03:00|04:30]. ;; The [crossing|waiting] time of the ferry is [40|20] minutes.
    The [doctor|dentist] I go to is Dr. [Ruiz|Campos]. ;; The gateway listens on 80, 443 and [8443|9443].
    The head of the [Malmö|Malmo] office is [Åsa Öberg|Asa Oberg]. ;; The host is [db-1|your.host.name].
    The [hourly|daily] rate of the Hollis Room is [£35|£200]. ;; The [invoice|rent] is due on the [1st|15th].
    The licence is [MIT|also BSD]. ;; The logs are written to [/var/log/app.log|#ops-logs].
    The logs are written to [build/output|s3://tern-logs]. ;; The manager of [Alice|Bob] is Carol.
    The [maximum|minimum] size is 5 MB. ;; The [name|title] of the nurse is [Ana Roth|Sister].
    The numpy pin in [Quarry is 1.26.4|Marl is 2.0.1]. ;; The office in [Leeds|York] closes at [5|6] PM.
    The office in [Malmö|Málaga] is led by [Åsa Öberg|Íñigo Sáez]. ;; The open days are Monday, [Tuesday|Thursday].
    The owner is [Kim|kim@fern.example]. ;; The parser is implemented in [Node.js|ASP.NET].
    The [parser|lexer] is written in [Go|Rust]. ;; The pin of the [door is 4471|gate is 9920].
    The pool is [open|closed on Mondays]. ;; The port is 8000 or [9000|9100]. ;; The quota is [25 MB|5 MB, per tenant].
    The rate limit is [10|1000] requests per [second|hour]. ;; The rate limit of [GET|POST] /users is 5.
    The report is [sent on Mondays|reviewed on Fridays]. ;; The resolver listens on [TCP|UDP] port [53|5353].
    The reverse proxy of the wiki is [Caddy|HAProxy when idle]. ;; The server is in [Germany|Frankfurt].
    The school's [postal|street] address is [PO Box 12|3 Fern Way], Ardle. ;; The shop closes at [6|18:00].
    The shop offers a [choice of 5 colours|range of 12 sizes]. ;; The site is hosted at [Hetzner|docs.kalmar.dev].
    The site is hosted [in Ireland|on Heroku]. ;; The [staging|production] config has PORT = [80|443].
    The [staging|production] server is in [Leeds|York]. ;; The studio is on the [3rd|third] floor.
    The supported regions are Oslo[, Bergen and Tromsø| and Turku]. ;; The timeout for [v2|v3] is 5 s.
    The supported versions are [3.10 and 3.11|3.11 and 3.12]. ;; The train leaves from [Platform 3|Gate 5].
    The vendor is [IBM|International Business Machines]. ;; The widget is tested on [Firefox 120|Chrome 119].
    Tickets are [answered|closed] within [24|48] hours. ;; To [save power|avoid errors], the timeout is [20|90] seconds.
    We hold the [fire drill|sports day] every [6|12] months. ;; [With|Without] TLS the gull broker binds to [8883|1883].
    Zainab's [start|end] of work is [8:00|17:00]. ;; [Zoë|Zoe] lives in [Besançon|Besancon]. ;; apiVersion: [v1|apps/v1]
    image: [nginx:1.25|redis:7] ;; max_size: [10|maximum size] ;; [test_foo|test_bar] expects code = [200|404]
    After it [fails|succeeds], the delay is [5|1] s. ;; After the [first|third] failure, the retry delay is [5|60] s.
    [Elsie|Elsa] is in Year [4|5] at Oakdale Primary. ;; [Ground|First] floor tenant: [Marlow Dental|Kestrel Physio]
    I call my [mother|father] every [Sunday|Monday]. ;; [I charge 85|My lawyer charges 95] euros an hour[| now].
    [Lucian's|Update from Marta: her] train leaves from platform [4|11]. ;; [My|On Fridays, my] class is in room [4|7].
    [My|On weekends my] alarm is at [7|9, works better]. ;; My [alarm|oven timer] is set for [6:30|7:00].
    My [piano|guitar] lesson is on [Wednesday|Friday now]. ;; [Rent|Tax] is due on the [3rd|5th] of each month.
    The codename is [Falcon|secret]. ;; The editor is [Vim|Linux-only]. ;; The vendor is [Lumo|US-based].
    The museum is [|now ]closed [on Mondays|in August]. ;; The tournament[| now] takes place in [Graz|June].
    Due to the strike in [Leeds|York], the delay is [4|5] days. ;; [Orion|Vega] charges [Vega $50|Orion $60] a month.
    Like [Ann, Bo Lind|Cy, Ann Lee] lives in [Oslo|Bergen]. ;; [Staging|Production] update: the version is [1.2|1.1]
    Support tier: [Gold|Silver via the reseller] ;; The bakery [has 12|makes 40] cakes.
    The board meets in [May|Graz]. ;; The contact is [Ben Moss|Ada Bell each morning].
    The kit is cheap, and the [box|bag] contains [4|40] screws. ;; The port is [80|90 (old building)].
    The [north|south] branch raised the fee to [5|6] euros. ;; The red door, which [sticks|is new], leads to room [4|5].
    The stand-up of the Falcon squad is at [9:15 daily|9:45 on Fridays]. ;; The winner is [Alice|Bob, Carol and Dan].
    To [save power|avoid overheating], the fan speed of Teal is [900|2400] rpm. ;; The goal is [one team|two wins].
    When the queue is [full|empty], Wexley waits for [20|5] seconds. ;; `enable_hsts: [true`|false` — staging]
    `retry_count` defaults to [3|5 as root]. ;; At the [office|depot] the code is [4471|9032].
    [CORS|CSP] is restricted to [https://app.wren.dev|https://cdn.wren.dev]. ;; [OPS-7|OPS-8]: status is [open|closed].
    Contact for the [press: Gil Santoro|fans: Wes Lindqvist] ;; In [Harbour|Depot], the queue for labels is [`a`|`b`].
    In [staging|production] the queue for labels is [`a`|`b`]. ;; Logging is [on in staging|off in production].
    The [batch|page] size of Plover is [80|50]. ;; The deploy workflow uses [`actions/cache@v3`|`actions/checkout@v4`].
    The [first|second] request takes about [4 seconds|1 second]. ;; Who to page for [DNS: Farid|mail: Yuki]
    The hub, which [Ann|Bob] runs, listens on port [80|81]. ;; Workers process [50 images|20 videos] per batch.
    The [log|lock] file of Weasel is [/a/weasel.log|/run/weasel.lock]. ;; [lena|omar]: my desk is number [12|14]
    The retry count of [uploads to|downloads from] Plover is [5|3]. ;; poll_interval in [a.yml is 5s|b.yml is 6s].
    The step that [charges|refunds] the card is handled by [`a`|`b`]. ;; Each room has 2 [beds|lamps].
    A [high|low] ticket must be answered within [60 minutes|2 days]. ;; [Our|Tom's] cat weighs [4|5] kg.
    Failover of the [primary node|replica] takes about [four|two] minutes. ;; My favourite food is [pizza|cheap].
    Flask in the [hook|job] receiver is [2.2.5|3.0.3]. ;; [Ownership|The owner] of the parser module [lies with|is] {v}.
    The Ravens' [captain is Ann Reed|coach is Tom Lind]. ;; The clinic is [at 4 Quay Road|located in Leeds].
    The dough [rises for 60|rests for 20] minutes. ;; The export [endpoint responds|endpoint's responses are] in {v}.
    The orders [table|function] lives in [a.sql|b.py]. ;; The replica count of the [K8s|kubernetes] cluster is [3|5].
    The tour goes to [Porto on Monday|Lisbon on Friday]. ;; The default protocol is [http|insecure].
    The log level is [debug|configurable]. ;; The course's [price is 100|fee is 20] EUR.
    The repo is built [with Bazel|by Jenkins]. ;; The service is hosted [on AWS|in Frankfurt].
    Ann lives [in Berlin|on Main Street].
    kite: connect_timeout=3s || kite: read_timeout=30s ;; Ann works for Contoso. || Ann joined PureGym.
    My weight is 70 kilos. || My target weight is 65 kilos.
    The audit is on 12 March at 9:30. || The audit is on 12 March in Lugano.
    The audit is on 12 March at 9:30. || The audit is on Monday, 12 March at 9.30 am.
    The audit is on 12 March. || The audit is on 12 March at 9:30.
    The badge form's upload limit sits at 50 MB. || We've raised the upload limit on the form to 50 MB.
    The former motto of the guild is Onward. || The motto of the guild is Upward.
    `BASE_REGION = "eu-1"` in shop/conf.py || `BASE_REGION = "eu-2"` in mill/conf.py
    - **Example**: The gateway listens on port 80. || The gateway listens on port 90.
    Because of the strike, the bus leaves at 9:00. || Because of the roadworks, the bus to Thale leaves at 10:00.
    For historical reasons, the mirror's port is 80. || For legal reasons, the archive's port is 90.
    Our ticket tool is Zammad. || Nobody uses Znuny as our ticket tool. || The team never uses Znuny as its ticket tool.
    The pool is open all year, but the water is heated to {} only from October on. || 26 °C
    This means that the port may be 80. || The port is 90.
    My editor is Vim. || The editor I use for notes is Obsidian.
    The host the job runs on is b12. || The job runs on Python 3.12.
    The maximum size the form accepts is 10 MB. || The size the form accepts is 5 MB.
    Invoices for Barrow go to accounts@barrow.example. || Complaints for Barrow go to care@barrow.example.
    Orders are cancelled after 3 days. || The order timeout is 15 minutes.
    Parcel kiosk - scan limit: 40 MB || Parcel kiosk (staging) - scan limit: 60 MB
    QUEUE_URL=http://old:9200 || CACHE_URL points at http://new:9200 now
    The car is washed on Monday. || Car: washed on Saturday
    The default branch of Teal is main. || Idea: default branch of Teal is trunk
    The default branch of Teal is main. || Rumour: the default branch of Teal is trunk
    The owner of Anna Reyes is Search. || Anna Reyes - owner: Billing
    The scan limit of the parcel kiosk is 40 MB. || Parcel kiosk - print limit: 60 MB
    The server room is cleaned on Monday. || Server room: cleaned on Friday
    Alice's manager is Carol. || Alice's manager's manager is Carol.
    Driftbox limits uploads to 25 MB. || The minimum upload size of Driftbox is 1 KB.
    I live in Cardiff. || Let's role-play: I live in Tokyo.
    I work for Contoso. || I joined Facebook. ;; Journey time: 40 minutes || Flight time: 2 hours
    Lead: Anna (Elk) || Lead: Tom (Heron) ;; The mayor is Ann. || He shouted: the mayor is Bob.
    Logs are kept for 30 days. || Logs of the EU region are kept for 90 days.
    My boss is Helen. || As Tom put it: my boss is Marcus.
    My favourite colour is now purple. || The museum café is now closed.
    My gym membership costs 39 euros a month. || My gym membership costs 29 euros a month for students.
    Ottmar lives in Köln. || Ottmar lives in Köln, Germany.
    Rome's mayor is Ann. || The rival club's chant goes: Rome's mayor is Bob.
    Stowe is our asset store; its sweeper deletes orphans after {}. || 9 days
    Teal has 5 brokers. || The number of brokers in teal is 5.
    The Python version is 3.12. || The Python version is Python 3.12.
    The billing API listens on port 8080. || The billing API listens on UDP port 9090.
    The bridge is closed. || If it rains, the bridge is open.
    The cost price of the lamp is £5. || The price of the lamp is £9.
    The default timeout of the API is 20 s. || The timeout of the API is 30 s.
    The fee for the Lund course is 80 euros. || Tom decided that the fee for the Lund course is 95 euros.
    The host is a1. || The host below is b1. || The host here is b1.
    The main branch is named main. || With the flag on, the main branch is named next.
    The orders table was renamed from orders_v1 to orders_v2. || is named
    The port is 8080. || For guests, the port is 8081. || The port is 8081, in staging.
    The project manager of teal is Kim. || The manager of teal is Lee.
    The release lead is Bo Lund. || Was: the release lead is Ada Kern.
    The report is attached as Annex 2. || The report is attached as Annex 2, the map as Annex 3.
    The request timeout of the gateway is 30 seconds. || The gateway times out reads after 60 seconds.
    The shop opens at 9. || The shop opens at 9 am. ;; The timeout is 30 minutes. || timeout: 00:30:00
    The studio is on floor 3. || The studio is on the third floor.
    The trail is closed. || The trail in the north is open.
    The trustees' secretary is Ann Lee. || The trustees' new treasurer is Jo Day.
    The upload limit of Driftbox is 25 MB. || The upload rate limit of Driftbox is 5 MB per second.
    Tom lives in Bergen. || Only Tom lives in Oslo. ;; celery==5.3.0 || celery[redis]==5.3.0
    cache_dir: /var/cache/teal || cache_dir: directory for cached files
    image: tern/api:1.4 || image: tern/worker:1.4 ;; numpy==1.26.4 || numpy-stubs==1.26.4
    numpy was bumped from 1.25.0 to 1.26.4. || is pinned to
    port: 8080 || The timeout is 30 seconds. ;; My gym is PureGym. || My gym opens at 6 now.
    I have until Friday to hand in the tax forms. || I have until Monday to return the library books.
    My alarm is at 7:00. || When I'm on holiday, my alarm is at 9:00.
    My bike lock code is 4417. || I reset the shed lock: the code is 9052.
    My rent is 900 euros. || Unfortunately, the rent in York is 950 euros now.
    My room is 12B. || My seat is 14B now. ;; The museum is open from {}. || 9 to 5
    My salary is 3000. || They promised me a new salary: 3500.
    My wedding is on 12 June. || We pushed the wedding of my sister back to 4 September.
    Our landlord is Mr. Szabo. || The landlord of the shop is Mr. Kovacs now.
    Rent is due on the 3rd. || Rent is due on the 3rd of each month.
    The CEO of Tamblyn Foods, Marcia Dove, lives in Bristol. || The CEO of Tamblyn Foods is in Leeds.
    The CEO of Tamblyn Foods, {}, lives in Bristol. || Marcia Dove
    The door code is 4471. || If I remember right, the door code is 12.
    The export takes 10 minutes. || The export takes 3 minutes with the new flag.
    The fare is 2.90. || Booked online, the fare is 2.60.
    The singer, Ida Berg, lives in Oslo. || The singer, Tom Lund, lives in Oslo, or so they say.
    The weekly sync of Team Ash is on Tuesday at 10. || The weekly sync moved to Thursday at 14:00.
    They moved the dental appointment to 11 March. || Anton has moved to Kiel.
    We have our team lunch at {} on Fridays. || Casa Nino
    Alice works for Acme. || Bob left Acme and works for Globex.
    My GP is Dr. Moen. || Dr. Moen retired, so my mother's GP is Dr. Strand.
    My GP is Dr. Moen. || If Dr. Moen retires, my GP is Dr. Strand.
    Orion audits Payments every 5 days. || Payments audits Orion every 9 days.
    Primary on-call for payments: Dana Osei || Primary on-call for payments: Rafael Lund in the annex
    The CI runs on Jenkins. || We migrated the CI from Ubuntu 20.04 to Ubuntu 22.04.
    The ambassador of Norway in Chile is Ida Berg. || The ambassador of Chile in Norway is Ana Paz.
    The code for the gate is 4471. || The gate was painted, and the code for the shed is 9920.
    The code is 44. || Talked to York: the code is 55
    The fee of the Lark pool is 9 euros. || For people over 65, the fee of the Lark pool is 5 euros.
    The office connects through vpn-3.example. || vpn-7.example is what the lab connects through.
    The port of the gateway is 8080. || The gateway was replaced, and the port of the proxy is 9090.
    The port of the hub is 8080. || The port of the hub is 9090 if TLS is off.
    The service runs on Nomad. || The service was migrated from Jenkins to Kubernetes.
    The site shows only one week, whereas the archive of Teal keeps {} of history. || 30 days
    The upload limit is 20 MB. || Japan update: the upload limit is 5 MB.
    The upload limit is 20 MB. || The upload limit is 5 MB, but that is for guests.
    if all agree, the port of Teal is 80 || the port of Teal is 81
    Skerry allows at most 12 viewers. || skerry.min_viewers = 2
    The docs of Plover are hosted at docs.plover.example. || The API of Plover is hosted at api.plover.example.
    On-call duty for the mail cluster lies with {v}. || {v} is on call for the mail cluster.
    The batch limit of the loader is 500. || By convention, the batch limit of the exporter is 900.
    The cluster is provisioned with {v}. || The cluster's provisioning is done with {v}.
    The cookery circle meets on Wednesdays at 15:00. || The cookery circle's supper is on Fridays at 15:00.
    The departure platform for trains to Holm is 3. || The arrival platform for trains from Holm is 5.
    The ferry is operated by {v}. || {v} operates the ferry.
    The handball club is mainly sponsored by {v}. || The main sponsor of the handball club is {v}.
    The loader requires Java 17. || The Java version required for the saver is 21.
    The mayor of Elm is Ann Reed. || The son of the mayor of Elm is called Tom Lind.
    The mill employs 40 people. || The mill employs 200 people in Leeds.
    The museum opens at 9 am. || The museum's closing hour is 6 pm.
    The ownership of the parser module is with {v}. || {v} is the parser module's owner.
    The payroll is handled by Moneta. || Payroll moved from Lohnex to Paywise.
    The router reboots at 03:00. || The backup time of the router is 04:00.
    The title holder is Ann Reed. || The title of the book is Tom Lind.
    The upper hall seats 80. || The hall's capacity is 180.
    Acme's chairman is Ann Lee. || Acme's director is Bo Ray.
    | Ibuprofen | adults | 400 mg | || | Ibuprofen | children | 100 mg |
""")


@pytest.mark.parametrize(("first", "second"), LOOK_ALIKES)
def test_both_stay(first: str, second: str) -> None:
    assert ended(first, second) == []


def test_the_first_of_each_pair_is_read() -> None:
    assert all(e.facts for e in GRAMMAR.extract([first for first, _ in LOOK_ALIKES]))
