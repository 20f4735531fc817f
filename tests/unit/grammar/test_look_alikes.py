"""What looks like an update and says something else: both are true at once, or the second asserts nothing."""

from __future__ import annotations

import pytest

from .pairs import GRAMMAR, ended, rows

APART = {
    "of another name, or the same in short": """
        kite: connect_timeout=3s || kite: read_timeout=30s
        The connection string is postgres://app@db1:5432/orders. || The connection string is postgres://app@db1…
        The memory of node 00000a01 is 8 GB. || The memory of node 00000a02 is 16 GB.
        The port of 001a2b3c4d5e is 80. || The port of 001a2b3c4d5f is 81.
        The 3.1 docs are at docs.acme.io/3.1. || The 3.10 docs are at docs.acme.io/3.10.
    """,
    "amounts": """
        My weight is 70 kilos. || My target weight is 65 kilos.
        The audit is on 12 March at 9:30. || The audit is on 12 March in Lugano.
        The audit is on 12 March at 9:30. || The audit is on Monday, 12 March at 9.30 am.
        The audit is on 12 March at the depot. || The audit is on 14 March at 9:30.
        The audit is on 12 March. || The audit is on 12 March at 9:30.
        The badge form's upload limit sits at 50 MB. || We've raised the upload limit on the form to 50 MB.
        The gallery endpoint accepts at most 8 images. || The gallery endpoint returns at most 20 images.
        The lease has an end date of March 2026. || The lease has a start date of June 2024.
        The ledger has an RPO of 4 hours. || The archive has an RPO of 8 hours.
        The number of people employed by Acme is 40. || The number of people insured by Acme is 90.
        The oven is set to 180 degrees. || The oven is 3 years old.
        Uploads through the badge form are limited to 5 MB. || Uploads through the API are limited to 90 MB.
    """,
    "copula": """
        The access level of the archive is read-only. || The access level of the inbox is read-write.
        The former motto of the guild is Onward. || The motto of the guild is Upward.
        The opening act of the gala is Wren. || The closing act of the gala is Lark.
        The opening song of the gala is Aurora. || The closing song of the gala is Boreas.
        The status of ticket 12 is open. || The status of ticket 13 is closed.
        The theme of the parade is fire. || The theme of the fair is water.
        `BASE_REGION = "eu-1"` in shop/conf.py || `BASE_REGION = "eu-2"` in mill/conf.py
    """,
    "documents": """
        - **Example**: The gateway listens on port 80. || The gateway listens on port 90.
        A password has to be at least 10 characters long. || A password has to be at most 64 characters long.
        An account is locked after 6 failed attempts. || A card is locked after 3 failed attempts.
        Because of the strike, the bus leaves at 9:00. || Because of the roadworks, the bus to Thale leaves at 10:00.
        Dumps go to the bucket `dumps-eu`. || Traces go to the bucket `traces-eu`.
        For historical reasons, the mirror's port is 80. || For legal reasons, the archive's port is 90.
        Interns are paid €18 an hour. || Apprentices are paid €15 an hour.
        Node 5 keeps 7 backups, so that it can be restored. || Node 6 keeps 9 backups, so that it can be restored.
        Our ticket tool is Zammad. || Nobody uses Znuny as our ticket tool.
        Our ticket tool is Zammad. || The team never uses Znuny as its ticket tool.
        Teal allows 5 logins per minute. || Teal allows 50 reads per minute.
        The **staging** port is 80. || The **production** port is 90.
        The client waits 5 seconds for a connection. || The client waits 9 seconds for a response.
        The colour of the gate is green. || The colour of the gate is definitely not red.
        The gateway sends 3 probes every 5 seconds. || The gateway sends 3 traces every 9 seconds.
        The head of sales is Ines. || The head of sales is certainly not Marek.
        The pool is open all year, but the water is heated to {} only from October on. || 26 °C
        The time zone of the booth is Central European Time. || The time zone of the booth is Europe/Oslo.
        This means that the port may be 80. || The port is 90.
        You need Go 1.20 or later to build the agent. || You need Go 1.22 or later to build the server.
    """,
    "inversions": """
        My editor is Vim. || The editor I use for notes is Obsidian.
        The city I work in is Leeds. || The building I work in is Harbour House.
        The day the shop opens is Monday. || The day the shop closes is Sunday.
        The host the job runs on is b12. || The job runs on Python 3.12.
        The maximum size the form accepts is 10 MB. || The size the form accepts is 5 MB.
        The port the app uses for metrics is 9090. || The port the app uses is 8080.
        The price we pay for the flat is 900 euros. || The price we pay for the garage is 90 euros.
    """,
    "lines": """
        Booked: flight to Oslo on the 3rd. || Booked: flight to Bergen on the 9th.
        Fax gateway - minimum delay: 5 s || Fax gateway - maximum delay: 9 s
        Invoices for Barrow go to accounts@barrow.example. || Complaints for Barrow go to care@barrow.example.
        Orders are cancelled after 3 days. || The order timeout is 15 minutes.
        Parcel kiosk - scan limit: 40 MB || Parcel kiosk (staging) - scan limit: 60 MB
        QUEUE_URL=http://old:9200 || CACHE_URL points at http://new:9200 now
        Queries are cancelled after 10 minutes. || Uploads are cancelled after 30 minutes.
        The car is washed on Monday. || Car: washed on Saturday
        The default branch of Teal is main. || Idea: default branch of Teal is trunk
        The default branch of Teal is main. || Rumour: the default branch of Teal is trunk
        The owner of Anna Reyes is Search. || Anna Reyes - owner: Billing
        The scan limit of the parcel kiosk is 40 MB. || Parcel kiosk - print limit: 60 MB
        The server room is cleaned on Monday. || Server room: cleaned on Friday
        Tom: the wifi code is 1234 || Ann: the wifi code is 9999
    """,
    "other constructions": """
        A day ticket costs 5 euros. || A week ticket costs 20 euros.
        Alice's manager is Carol. || Alice's manager's manager is Carol.
        Ann works for Contoso. || Ann joined PureGym.
        Bus 48 is the one I take to the office. || Bus 63 is the one I take to the gym.
        Coffee costs 99 pence at the kiosk. || Coffee costs 2 pounds at the bar.
        Correction for staging: the port is 80. || Correction for production: the port is 90.
        Delivery of milk is on Monday. || Delivery of bread is on Tuesday.
        Dr. Maier (cardiology) starts at 8:00. || Dr. Maier (radiology) starts at 9:00.
        Driftbox limits uploads to 25 MB. || The minimum upload size of Driftbox is 1 KB.
        Ferret polls every 5 minutes. || Ferret sleeps every 9 minutes.
        GET /orders returns 404 for unknown ids. || GET /orders returns 410 for deleted ids.
        I live at 5 Elm Street. || I live at 5 Elm St., Leeds.
        I live at Hauptstrasse 5. || My parents live at Hauptstrasse 9.
        I live in Cardiff. || Let's role-play: I live in Tokyo.
        I pay 42 euros a month for my gym membership. || I pay 9 euros a month for my music subscription.
        I work for Contoso. || I joined Facebook.
        In staging, the limit of teal is 5 MB. || In production, the limit of teal is 9 MB.
        Journey time: 40 minutes || Flight time: 2 hours
        Lead: Anna (Elk) || Lead: Tom (Heron)
        Logs are kept for 30 days. || Logs of the EU region are kept for 90 days.
        Mona works at Globex. || Mona works at the Berlin office.
        My boss is Helen. || As Tom put it: my boss is Marcus.
        My favourite colour is now purple. || The museum café is now closed.
        My gym membership costs 39 euros a month. || My gym membership costs 29 euros a month for students.
        My number at work is 555-0200. || My number is 555-0199.
        My seat is in row 6. || My seat is in the sixth row.
        Noor's charges 11 euros for a shampoo. || Noor's charges 30 euros for a cut.
        Oslo rack - window: Tuesday || Bergen rack - window: Friday
        Ottmar lives in Köln. || Ottmar lives in Köln, Germany.
        Our band is called Velvet. || Our band's van is called Bertha.
        Our error tracker is Sentry. || Rejected: our error tracker is Rollbar.
        Our phone number is 555-0100 or 555-0101. || Our phone number is 555-0100 or 555-0102.
        Passwords are rotated every 90 days. || Passwords are rotated after 30 days.
        Passwords must have at least 8 characters. || Passwords must have at most 64 characters.
        Plan of the account: Silver || Plan of the account: nearly Gold
        Residents pay €85 for the permit. || Guests pay €20 for the permit.
        Rome's mayor is Ann. || The rival club's chant goes: Rome's mayor is Bob.
        Rows of the matrix are indexed from 0. || Columns of the matrix are indexed from 1.
        Scanner app, product owner: Klaus Immel || Reader app, product owner: Ann Lee
        Solveig lives in Germany. || Solveig lives in Hamburg.
        Stowe is our asset store; its sweeper deletes orphans after {}. || 9 days
        Teal has 5 brokers. || The number of brokers in teal is 5.
        Teal is 340 m long. || Teal is 20 m wide.
        The API gateway runs nginx 1.24. || The API gateway runs nginx 1.26 in staging.
        The CI is GHA. || The CI is GitHub Actions.
        The Debian package version of zest is 3.1.2. || The Fedora package version of zest is 3.2.0.
        The Python version is 3.12. || The Python version is Python 3.12.
        The `strict` parameter defaults to lenient. || The `mode` parameter defaults to strict.
        The alert is sent to #ops. || The alert is sent to PagerDuty.
        The bank is J.P. Morgan. || The bank is JP Morgan.
        The bar has a stock of 50 bottles of gin. || The bar has a stock of 30 bottles of rum.
        The billing API listens on port 8080. || The billing API listens on UDP port 9090.
        The book is written in English. || The book is written by Ann Lee.
        The bridge is closed. || If it rains, the bridge is open.
        The cache policy is lru. || The cache policy is lfu by mistake.
        The canteen serves lunch from 11:30. || The canteen serves supper from 17:30.
        The captain of the team is Paris Lee. || The captain of the team has gone to Oslo.
        The class starts at half past six. || The class starts at 18:30.
        The class that renders invoice PDFs is PdfOne. || The class that renders credit PDFs is PdfTwo.
        The cluster has 5 nodes. || The cluster has 7 racks.
        The cost price of the lamp is £5. || The price of the lamp is £9.
        The cron job prune fires at 03:00. || The cron job vacuum fires at 04:30.
        The crossing time of the ferry is 40 minutes. || The waiting time of the ferry is 20 minutes.
        The default timeout of the API is 20 s. || The timeout of the API is 30 s.
        The doctor I go to is Dr. Ruiz. || The dentist I go to is Dr. Campos.
        The fee for the Lund course is 80 euros. || Tom decided that the fee for the Lund course is 95 euros.
        The gateway listens on 80, 443 and 8443. || The gateway listens on 80, 443 and 9443.
        The head of the Malmö office is Åsa Öberg. || The head of the Malmo office is Asa Oberg.
        The host is a1. || The host below is b1.
        The host is a1. || The host here is b1.
        The host is db-1. || The host is your.host.name.
        The hourly rate of the Hollis Room is £35. || The daily rate of the Hollis Room is £200.
        The invoice is due on the 1st. || The rent is due on the 15th.
        The licence is MIT. || The licence is also BSD.
        The logs are written to /var/log/app.log. || The logs are written to #ops-logs.
        The logs are written to build/output. || The logs are written to s3://tern-logs.
        The main branch is named main. || With the flag on, the main branch is named next.
        The manager of Alice is Carol. || The manager of Bob is Carol.
        The maximum size is 5 MB. || The minimum size is 5 MB.
        The mayor is Ann. || He shouted: the mayor is Bob.
        The name of the nurse is Ana Roth. || The title of the nurse is Sister.
        The numpy pin in Quarry is 1.26.4. || The numpy pin in Marl is 2.0.1.
        The office in Leeds closes at 5 PM. || The office in York closes at 6 PM.
        The office in Malmö is led by Åsa Öberg. || The office in Málaga is led by Íñigo Sáez.
        The open days are Monday, Tuesday. || The open days are Monday, Thursday.
        The orders table was renamed from orders_v1 to orders_v2. || is named
        The owner is Kim. || The owner is kim@fern.example.
        The parser is implemented in Node.js. || The parser is implemented in ASP.NET.
        The parser is written in Go. || The lexer is written in Rust.
        The pin of the door is 4471. || The pin of the gate is 9920.
        The pool is open. || The pool is closed on Mondays.
        The port is 8000 or 9000. || The port is 8000 or 9100.
        The port is 8080. || For guests, the port is 8081.
        The port is 8080. || The port is 8081, in staging.
        The project manager of teal is Kim. || The manager of teal is Lee.
        The quota is 25 MB. || The quota is 5 MB, per tenant.
        The rate limit is 10 requests per second. || The rate limit is 1000 requests per hour.
        The rate limit of GET /users is 5. || The rate limit of POST /users is 5.
        The release lead is Bo Lund. || Was: the release lead is Ada Kern.
        The report is attached as Annex 2. || The report is attached as Annex 2, the map as Annex 3.
        The report is sent on Mondays. || The report is reviewed on Fridays.
        The request timeout of the gateway is 30 seconds. || The gateway times out reads after 60 seconds.
        The resolver listens on TCP port 53. || The resolver listens on UDP port 5353.
        The reverse proxy of the wiki is Caddy. || The reverse proxy of the wiki is HAProxy when idle.
        The school's postal address is PO Box 12, Ardle. || The school's street address is 3 Fern Way, Ardle.
        The server is in Germany. || The server is in Frankfurt.
        The shop closes at 6. || The shop closes at 18:00.
        The shop offers a choice of 5 colours. || The shop offers a range of 12 sizes.
        The shop opens at 9. || The shop opens at 9 am.
        The site is hosted at Hetzner. || The site is hosted at docs.kalmar.dev.
        The site is hosted in Ireland. || The site is hosted on Heroku.
        The staging config has PORT = 80. || The production config has PORT = 443.
        The staging server is in Leeds. || The production server is in York.
        The studio is on floor 3. || The studio is on the third floor.
        The studio is on the 3rd floor. || The studio is on the third floor.
        The supported regions are Oslo, Bergen and Tromsø. || The supported regions are Oslo and Turku.
        The supported versions are 3.10 and 3.11. || The supported versions are 3.11 and 3.12.
        The timeout for v2 is 5 s. || The timeout for v3 is 5 s.
        The timeout is 30 minutes. || timeout: 00:30:00
        The trail is closed. || The trail in the north is open.
        The train leaves from Platform 3. || The train leaves from Gate 5.
        The trustees' secretary is Ann Lee. || The trustees' new treasurer is Jo Day.
        The upload limit of Driftbox is 25 MB. || The upload rate limit of Driftbox is 5 MB per second.
        The vendor is IBM. || The vendor is International Business Machines.
        The widget is tested on Firefox 120. || The widget is tested on Chrome 119.
        Tickets are answered within 24 hours. || Tickets are closed within 48 hours.
        To save power, the timeout is 20 seconds. || To avoid errors, the timeout is 90 seconds.
        Tom lives in Bergen. || Only Tom lives in Oslo.
        We hold the fire drill every 6 months. || We hold the sports day every 12 months.
        With TLS the gull broker binds to 8883. || Without TLS the gull broker binds to 1883.
        Zainab's start of work is 8:00. || Zainab's end of work is 17:00.
        Zoë lives in Besançon. || Zoe lives in Besancon.
        apiVersion: v1 || apiVersion: apps/v1
        cache_dir: /var/cache/teal || cache_dir: directory for cached files
        celery==5.3.0 || celery[redis]==5.3.0
        image: nginx:1.25 || image: redis:7
        image: tern/api:1.4 || image: tern/worker:1.4
        max_size: 10 || max_size: maximum size
        numpy was bumped from 1.25.0 to 1.26.4. || is pinned to
        numpy==1.26.4 || numpy-stubs==1.26.4
        port: 8080 || The timeout is 30 seconds.
        test_foo expects code = 200 || test_bar expects code = 404
    """,
    "people": """
        After it fails, the delay is 5 s. || After it succeeds, the delay is 1 s.
        After the first failure, the retry delay is 5 s. || After the third failure, the retry delay is 60 s.
        Elsie is in Year 4 at Oakdale Primary. || Elsa is in Year 5 at Oakdale Primary.
        Ground floor tenant: Marlow Dental || First floor tenant: Kestrel Physio
        I call my mother every Sunday. || I call my father every Monday.
        I charge 85 euros an hour. || My lawyer charges 95 euros an hour now.
        I have until Friday to hand in the tax forms. || I have until Monday to return the library books.
        Lucian's train leaves from platform 4. || Update from Marta: her train leaves from platform 11.
        My alarm is at 7. || On weekends my alarm is at 9, works better.
        My alarm is at 7:00. || When I'm on holiday, my alarm is at 9:00.
        My alarm is set for 6:30. || My oven timer is set for 7:00.
        My bike lock code is 4417. || I reset the shed lock: the code is 9052.
        My class is in room 4. || On Fridays, my class is in room 7.
        My gym is PureGym. || My gym opens at 6 now.
        My piano lesson is on Wednesday. || My guitar lesson is on Friday now.
        My rent is 900 euros. || Unfortunately, the rent in York is 950 euros now.
        My room is 12B. || My seat is 14B now.
        My salary is 3000. || They promised me a new salary: 3500.
        My wedding is on 12 June. || We pushed the wedding of my sister back to 4 September.
        Our landlord is Mr. Szabo. || The landlord of the shop is Mr. Kovacs now.
        Rent is due on the 3rd of each month. || Tax is due on the 5th of each month.
        Rent is due on the 3rd. || Rent is due on the 3rd of each month.
        The CEO of Tamblyn Foods, Marcia Dove, lives in Bristol. || The CEO of Tamblyn Foods is in Leeds.
        The CEO of Tamblyn Foods, {}, lives in Bristol. || Marcia Dove
        The codename is Falcon. || The codename is secret.
        The door code is 4471. || If I remember right, the door code is 12.
        The editor is Vim. || The editor is Linux-only.
        The export takes 10 minutes. || The export takes 3 minutes with the new flag.
        The fare is 2.90. || Booked online, the fare is 2.60.
        The museum is closed on Mondays. || The museum is now closed in August.
        The museum is open from {}. || 9 to 5
        The singer, Ida Berg, lives in Oslo. || The singer, Tom Lund, lives in Oslo, or so they say.
        The tournament takes place in Graz. || The tournament now takes place in June.
        The vendor is Lumo. || The vendor is US-based.
        The weekly sync of Team Ash is on Tuesday at 10. || The weekly sync moved to Thursday at 14:00.
        They moved the dental appointment to 11 March. || Anton has moved to Kiel.
        We have our team lunch at {} on Fridays. || Casa Nino
    """,
    "qualifiers": """
        Alice works for Acme. || Bob left Acme and works for Globex.
        Due to the strike in Leeds, the delay is 4 days. || Due to the strike in York, the delay is 5 days.
        Like Ann, Bo Lind lives in Oslo. || Like Cy, Ann Lee lives in Bergen.
        My GP is Dr. Moen. || Dr. Moen retired, so my mother's GP is Dr. Strand.
        My GP is Dr. Moen. || If Dr. Moen retires, my GP is Dr. Strand.
        Orion audits Payments every 5 days. || Payments audits Orion every 9 days.
        Orion charges Vega $50 a month. || Vega charges Orion $60 a month.
        Primary on-call for payments: Dana Osei || Primary on-call for payments: Rafael Lund in the annex
        Staging update: the version is 1.2 || Production update: the version is 1.1
        Support tier: Gold || Support tier: Silver via the reseller
        The CI runs on Jenkins. || We migrated the CI from Ubuntu 20.04 to Ubuntu 22.04.
        The ambassador of Norway in Chile is Ida Berg. || The ambassador of Chile in Norway is Ana Paz.
        The bakery has 12 cakes. || The bakery makes 40 cakes.
        The board meets in May. || The board meets in Graz.
        The code for the gate is 4471. || The gate was painted, and the code for the shed is 9920.
        The code is 44. || Talked to York: the code is 55
        The contact is Ben Moss. || The contact is Ada Bell each morning.
        The fee of the Lark pool is 9 euros. || For people over 65, the fee of the Lark pool is 5 euros.
        The kit is cheap, and the box contains 4 screws. || The kit is cheap, and the bag contains 40 screws.
        The north branch raised the fee to 5 euros. || The south branch raised the fee to 6 euros.
        The office connects through vpn-3.example. || vpn-7.example is what the lab connects through.
        The port is 80. || The port is 90 (old building).
        The port of the gateway is 8080. || The gateway was replaced, and the port of the proxy is 9090.
        The port of the hub is 8080. || The port of the hub is 9090 if TLS is off.
        The red door, which sticks, leads to room 4. || The red door, which is new, leads to room 5.
        The service runs on Nomad. || The service was migrated from Jenkins to Kubernetes.
        The site shows only one week, whereas the archive of Teal keeps {} of history. || 30 days
        The stand-up of the Falcon squad is at 9:15 daily. || The stand-up of the Falcon squad is at 9:45 on Fridays.
        The upload limit is 20 MB. || Japan update: the upload limit is 5 MB.
        The upload limit is 20 MB. || The upload limit is 5 MB, but that is for guests.
        The winner is Alice. || The winner is Bob, Carol and Dan.
        To save power, the fan speed of Teal is 900 rpm. || To avoid overheating, the fan speed of Teal is 2400 rpm.
        When the queue is full, Wexley waits for 20 seconds. || When the queue is empty, Wexley waits for 5 seconds.
        `enable_hsts: true` || `enable_hsts: false` — staging
        `retry_count` defaults to 3. || `retry_count` defaults to 5 as root.
        if all agree, the port of Teal is 80 || the port of Teal is 81
    """,
    "systems": """
        At the office the code is 4471. || At the depot the code is 9032.
        CORS is restricted to https://app.wren.dev. || CSP is restricted to https://cdn.wren.dev.
        Contact for the press: Gil Santoro || Contact for the fans: Wes Lindqvist
        In Harbour, the queue for labels is `a`. || In Depot, the queue for labels is `b`.
        In staging the queue for labels is `a`. || In production the queue for labels is `b`.
        Logging is on in staging. || Logging is off in production.
        OPS-7: status is open. || OPS-8: status is closed.
        Skerry allows at most 12 viewers. || skerry.min_viewers = 2
        The batch size of Plover is 80. || The page size of Plover is 50.
        The deploy workflow uses `actions/cache@v3`. || The deploy workflow uses `actions/checkout@v4`.
        The docs of Plover are hosted at docs.plover.example. || The API of Plover is hosted at api.plover.example.
        The first request takes about 4 seconds. || The second request takes about 1 second.
        The goal is one team. || The goal is two wins.
        The hub, which Ann runs, listens on port 80. || The hub, which Bob runs, listens on port 81.
        The log file of Weasel is /a/weasel.log. || The lock file of Weasel is /run/weasel.lock.
        The retry count of uploads to Plover is 5. || The retry count of downloads from Plover is 3.
        The step that charges the card is handled by `a`. || The step that refunds the card is handled by `b`.
        Who to page for DNS: Farid || Who to page for mail: Yuki
        Workers process 50 images per batch. || Workers process 20 videos per batch.
        lena: my desk is number 12 || omar: my desk is number 14
        poll_interval in a.yml is 5s. || poll_interval in b.yml is 6s.
    """,
    "wordings": """
        A high ticket must be answered within 60 minutes. || A low ticket must be answered within 2 days.
        Each room has 2 beds. || Each room has 2 lamps.
        Failover of the primary node takes about four minutes. || Failover of the replica takes about two minutes.
        Flask in the hook receiver is 2.2.5. || Flask in the job receiver is 3.0.3.
        On-call duty for the mail cluster lies with {v}. || {v} is on call for the mail cluster.
        Our cat weighs 4 kg. || Tom's cat weighs 5 kg.
        Ownership of the parser module lies with {v}. || The owner of the parser module is {v}.
        The Ravens' captain is Ann Reed. || The Ravens' coach is Tom Lind.
        The batch limit of the loader is 500. || By convention, the batch limit of the exporter is 900.
        The clinic is at 4 Quay Road. || The clinic is located in Leeds.
        The cluster is provisioned with {v}. || The cluster's provisioning is done with {v}.
        The cookery circle meets on Wednesdays at 15:00. || The cookery circle's supper is on Fridays at 15:00.
        The departure platform for trains to Holm is 3. || The arrival platform for trains from Holm is 5.
        The dough rises for 60 minutes. || The dough rests for 20 minutes.
        The export endpoint responds in {v}. || The export endpoint's responses are in {v}.
        The ferry is operated by {v}. || {v} operates the ferry.
        The handball club is mainly sponsored by {v}. || The main sponsor of the handball club is {v}.
        The loader requires Java 17. || The Java version required for the saver is 21.
        The mayor of Elm is Ann Reed. || The son of the mayor of Elm is called Tom Lind.
        The mill employs 40 people. || The mill employs 200 people in Leeds.
        The museum opens at 9 am. || The museum's closing hour is 6 pm.
        The orders table lives in a.sql. || The orders function lives in b.py.
        The ownership of the parser module is with {v}. || {v} is the parser module's owner.
        The payroll is handled by Moneta. || Payroll moved from Lohnex to Paywise.
        The replica count of the K8s cluster is 3. || The replica count of the kubernetes cluster is 5.
        The router reboots at 03:00. || The backup time of the router is 04:00.
        The title holder is Ann Reed. || The title of the book is Tom Lind.
        The tour goes to Porto on Monday. || The tour goes to Lisbon on Friday.
        The upper hall seats 80. || The hall's capacity is 180.
    """,
    "of what kind, and not which; two relations; another row": """
        My favourite food is pizza. || My favourite food is cheap.
        The default protocol is http. || The default protocol is insecure.
        The log level is debug. || The log level is configurable.
        Acme's chairman is Ann Lee. || Acme's director is Bo Ray.
        The course's price is 100 EUR. || The course's fee is 20 EUR.
        The repo is built with Bazel. || The repo is built by Jenkins.
        The service is hosted on AWS. || The service is hosted in Frankfurt.
        Ann lives in Berlin. || Ann lives on Main Street.
        | Ibuprofen | adults | 400 mg | || | Ibuprofen | children | 100 mg |
    """,
}
LOOK_ALIKES = [pair for table in APART.values() for pair in rows(table)]


@pytest.mark.parametrize(("first", "second"), LOOK_ALIKES)
def test_both_stay(first: str, second: str) -> None:
    assert ended(first, second) == []


def test_the_first_of_each_pair_is_read() -> None:
    assert all(e.facts for e in GRAMMAR.extract([first for first, _ in LOOK_ALIKES]))
