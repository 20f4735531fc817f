"""A relation said as a verb, in the passive, as a noun, or with a title or a name: one key for one relation."""

from __future__ import annotations

from itertools import permutations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

GRAMMAR = GrammarExtractor()

# Two values, then sentences with the one or the other
FAMILIES = """
Hartwell Transit | Corvin Rail
The ferry is operated by {v}. | {v} operates the ferry.
The operator of the ferry is {v}. | {v} is the ferry's operator.

Ann Reed | Tom Lind
The parser module is owned by {v}. | {v} owns the parser module. | The parser module belongs to {v}.
Ownership of the parser module lies with {v}. | The owner of the parser module is {v}.
The ownership of the parser module is with {v}. | {v} is the parser module's owner.

Ann Reed | Tom Lind
Norwell Paper is led by CEO {v}. | The CEO of Norwell Paper is {v}. | {v} serves as CEO of Norwell Paper.
CEO {v} leads Norwell Paper. | The CEO of Norwell Paper is called {v}. | {v} heads Norwell Paper as its CEO.
Norwell Paper has {v} as CEO. | The name of Norwell Paper's CEO is {v}.

Ann Reed | Tom Lind
{v} holds the 100 m record of the club. | The club's 100 m record holder is {v}.
The holder of the club's 100 m record is {v}. | The 100 m record of the club is held by {v}.

Ann Reed | Tom Lind
The pottery class is taught by {v}. | {v} teaches the pottery class. | The teacher of the pottery class is {v}.

Judith Ames | Paul Orr
The mayor of Pinehollow is called {v}. | Pinehollow's mayor is {v}. | The name of the mayor of Pinehollow is {v}.

Rust | Go
The image resizer is written in {v}. | The language of the image resizer is {v}. | We write the image resizer in {v}.
The image resizer's language is {v}. | The image resizer uses {v} as its language.

a tuple | a dict
The load_profile helper returns {v}. | load_profile gives back {v}. | The return value of load_profile is {v}.
{v} is returned by load_profile.

404 | 410
The items endpoint returns {v} for unknown ids. | The items endpoint responds with {v} for unknown ids.
The items endpoint answers unknown ids with {v}. | The status code of the items endpoint for unknown ids is {v}.

Hetzner | OVH
The forum is hosted at {v}. | {v} hosts the forum. | The host of the forum is {v}. | We host the forum with {v}.
The forum's hosting provider is {v}. | The forum is hosted by {v}.

src/a/tax.py | lib/b/rates.py
The compute_vat function lives in {v}. | compute_vat has its home in {v}. | The location of compute_vat is {v}.
compute_vat is defined in {v}. | The home of compute_vat is {v}.

3.9 | 3.11
The loader requires Python {v}. | The required Python version of the loader is {v}.
Python {v} is required by the loader.

BaseStore | FileStore
CacheStore extends {v}. | CacheStore is a subclass of {v}. | CacheStore's parent class is {v}.
CacheStore is derived from {v}.

12 March | 19 March
The tax report is due on {v}. | The tax report falls due on {v}. | The tax report's deadline is {v}.

12 March | 19 March
The exhibition runs until {v}. | The exhibition's last day is {v}. | The exhibition is on until {v}.
{v} is the last day of the exhibition. | The end date of the exhibition is {v}.

Ann Reed | Tom Lind
I report to {v}. | I'm managed by {v}. | {v} manages me. | My boss is {v}.

Ann Reed | Tom Lind
Emil's manager is {v}. | Emil's boss is {v}.

Brightwater Bank | Calder Insurance
{v} employs Emil. | Emil works for {v}. | Emil's employer is {v}.

Ann Reed | Tom Lind
On-call duty for the mail cluster lies with {v}. | {v} is on call for the mail cluster.

Terraform | Pulumi
The cluster is provisioned with {v}. | The cluster's provisioning is done with {v}.

bcrypt | argon2id
Passwords are hashed with {v}. | Password hashing is done with {v}. | We use {v} to hash passwords.

OAuth | SAML
The feed API uses {v} for authentication. | Authentication on the feed API is done with {v}.
The authentication method of the feed API is {v}. | For authentication, the feed API uses {v}.

quicksort | merge sort
The RankList class sorts its entries with {v}. | RankList's sorting algorithm is {v}.
Entries in RankList are sorted with {v}.

bcrypt | argon2id
The auth service hashes passwords with {v}. | The auth service uses {v} to hash passwords.
Passwords in the auth service are hashed with {v}.

Euston | Paddington
The night train leaves from {v}. | The night train's departure station is {v}. | The night train departs from {v}.

JSON | XML
The export endpoint responds in {v}. | The export endpoint's responses are in {v}.
The response format of the export endpoint is {v}.

Inkhaus | Papyra
The Comet bike is made by {v}. | {v} manufactures the Comet bike. | The manufacturer of the Comet bike is {v}.

Ann Reed | Tom Lind
Our region is represented by {v}. | {v} represents our region. | Our region's representative is {v}.

Ann Reed | Tom Lind
The captain of the Ravens is {v}. | The Ravens' captain is {v}. | {v} captains the Ravens.

Port Amsel | Holm
The capital of Tarsen is {v}. | Tarsen's capital is called {v}.

40 million dollars | 65 million dollars
The bridge is budgeted at {v}. | The bridge's budget is {v}.

85 percent | 95 percent
The disk alert on the archive server fires at {v}. | The threshold of the archive server's disk alert is {v}.

Tern Dairy | Alpen Foods
The handball club is mainly sponsored by {v}. | The main sponsor of the handball club is {v}.
"""

OTHER = """
Backups are encrypted with AES-128. | Backups use TLS encryption.
The cluster is provisioned with Terraform. | We use Pulumi to provision the cluster.
The parser is owned by Ann Reed. | Responsibility for the parser lies with Tom Lind.
Ownership of the parser lies with Ann Reed. | Ownership of the lexer lies with Tom Lind.
Ownership of the parser lies with Ann Reed. | Ownership of the parser's tests lies with Tom Lind.
Ownership of the parser lay with Ann Reed. | The parser is owned by Tom Lind.
Ownership of the parser lies with Ann Reed. | Joint ownership of the parser lies with Tom Lind.
Norwell Paper is led by Ann Reed. | The CFO of Norwell Paper is Tom Lind.
Norwell Paper is led by CEO Ann Reed. | The CFO of Norwell Paper is Tom Lind.
Norwell Paper is led by CEO Ann Reed. | Norwell Paper is led by former CEO Tom Lind.
The CEO of Norwell Paper is Ann Reed. | The CEO of Tern Paper is called Tom Lind.
The CEO of Norwell Paper is Ann Reed. | Norwell Paper's former CEO is called Tom Lind.
The CEO of Norwell Paper is Ann Reed. | The CEO of Norwell Paper was called Tom Lind.
The mayor of Elm is Ann Reed. | The deputy mayor of Elm is called Tom Lind.
The mayor of Elm is Ann Reed. | The mayor of Elm's dog is called Tom Lind.
The mayor of Elm is Ann Reed. | The son of the mayor of Elm is called Tom Lind.
The mayor of Elm is Ann Reed. | The mayor of Elm is called Iron Ann by friends.
My son is called Ben. | My son is called Leo.
My brother is called Ben. | My brother is called Leo.
My friend's name is Ben. | My friend's name is Leo.
Tom Lind holds the 100 m record. | The holder of the 200 m record is Ann Reed.
The holder of the men's record is Tom Lind. | The women's record is held by Ann Reed.
The holder of the course record is Tom Lind. | The holder of the record for youth is Ann Reed.
The pottery class is taught by Tom Lind. | The pottery classes are taught by Ann Reed.
The children are taught by Tom Lind. | The children are taught by Ann Reed.
The Tuesday pottery class is taught by Tom Lind. | The Friday pottery class is taught by Ann Reed.
The beginner course is taught by Tom Lind. | The teacher of the advanced course is Ann Reed.
Maths is taught by Tom Lind. | Maths is taught by Ann Reed.
The image resizer is written in Rust. | The language of the image viewer is Go.
The image resizer is written in Rust. | The query language of the image resizer is Go.
The image resizer is written in Rust. | The language of the image resizer is German.
The image resizer is written in Rust. | The image resizer's scripting language is Lua.
The language of the tutorial is Rust. | The language of the tutorial is French.
load_profile returns a dict. | save_profile gives back a list.
load_profile returns a dict. | load_profile gives back a list on failure.
load_profile returns a dict. | A list is returned by load_profile when called twice.
load_profile returns a dict. | load_profile gives back a list if the cache is warm.
The items endpoint returns 404 for unknown ids. | The items endpoint returns 410 for deleted ids.
The items endpoint returns 404 for unknown ids. | The orders endpoint returns 410 for unknown ids.
The items endpoint returns 404 for unknown ids. | The items endpoint returns 200 for known ids.
The items endpoint returns 404 for unknown ids. | The items endpoint returns 410 for unknown ids in v2.
The items endpoint returns 404 for unknown ids. | The items endpoint returned 410 for unknown ids.
The items endpoint returns 200 items for unknown ids. | The items endpoint responds with 410 for unknown ids.
The items endpoint returns 100 for page 2. | The items endpoint returns 200 for page 3.
The loader requires Python 3.9. | The loader's Python version is 3.11.
The loader requires Java 17. | The Java version required for the saver is 21.
The loader requires Python 3.9. | Java 21 is required by the loader.
The forum is hosted at Hetzner. | The wiki is hosted by OVH.
The gala is hosted by Ann Reed. | The gala is hosted at the Astoria.
The forum is hosted in Frankfurt. | OVH hosts the forum.
The forum is hosted on kestrel-2. | The host of the forum is OVH.
CacheStore extends BaseStore. | FileStore is a subclass of MemStore.
CacheStore is a subclass of BaseStore. | BaseStore is a subclass of Store.
The tax report is due on 12 March. | The tax return falls due on 19 March.
The exhibition runs until 12 March. | The last day of the sale is 19 March.
The exhibition runs until 12 March. | Ann's last day is 19 March.
The cook's last day is 12 March. | The nurse's last day is 19 March.
The spring trip goes to Lisbon. | The autumn trip goes to Porto.
The tour goes to Lisbon. | The tour goes to Lisbon and Porto.
Osprey Foods banks with Calder Bank. | Merle Foods banks with Norvik Bank.
I bank with Calder Bank. | My wife banks with Norvik Bank.
I bank with Calder Bank. | I also bank with Norvik Bank.
Ann Reed manages me. | Tom Lind manages the shop.
Emil is managed by Ann Reed. | Emma reports to Tom Lind.
The fund is managed by Ann Reed. | The fund reports to Tom Lind.
Calder Bank employs Emil Krol. | Norvik Bank employs Emma Krol.
Calder Bank employs Emil Krol. | Emma Krol works for Norvik Bank.
The archive is located in Leeds. | The archive's server location is Hull.
The location of the wedding is Leeds. | The wedding is located in Hull.
The cluster is provisioned with Pulumi. | The network's provisioning is done with Terraform.
Backups use AES-128 encryption. | Archives use AES-256 encryption.
Backups use gzip compression. | Backups use AES-256 encryption.
The compute_vat function lives in a.py. | The compute_tax function lives in b.py.
The orders table lives in a.sql. | The orders function lives in b.py.
The run_job function takes 3 arguments. | The run_job queue takes 5 arguments.
The garden is Tom Lind's responsibility. | The shed is Ann Reed's responsibility.
The team has Ann Reed as captain. | The team has Tom Lind as vice-captain.
Ann Reed serves as director of Lark. | Tom Lind serves as deputy director of Lark.
Ann Reed serves as CEO of Lark. | Tom Lind serves as CTO of Lark.
The export endpoint responds in JSON. | The import endpoint's responses are in XML.
The export endpoint responds in JSON. | The export endpoint's requests are in XML.
The export endpoint responds in English. | The export endpoint responds in XML.
The project is led by Captain Ann Reed. | The captain of the project is Tom Lind.
The choir is led by conductor Ann Reed. | The choir is led by Tom Lind.
Ann Reed leads the study as editor. | Tom Lind leads the study.
Our team is coached by head coach Ann Reed. | Our team is coached by assistant coach Tom Lind.
We use argon2id to hash passwords. | We use SHA-256 to hash tokens.
We use argon2id to hash passwords. | We use argon2id and SHA-256 to hash passwords.
We use Grafana to monitor the robots. | We use Loki to monitor the robots.
We use pytest to test the backend. | We use hypothesis to test the backend.
We use Terraform to provision the cluster. | We use Ansible to provision the laptops.
To build the docs we use Sphinx. | To build the app we use Bazel.
We use Sphinx to build the docs. | We used Bazel to build the docs.
We use Sphinx to build the docs. | We might use Bazel to build the docs.
The gala is held at the Astoria. | The gala is held at noon.
The gala is held at the Astoria. | The auction is held at the Grand Hotel.
The gala is held at the Astoria. | The gala is held at the Astoria every year.
The class is held at the Mill. | The class is held at 6 pm.
Tarsen's capital is Holm. | Tarsen's largest city is called Amsel.
Tarsen's capital is Holm. | Tarsen's former capital is called Amsel.
Our mascot is called Bibi. | Our school is called Elm Hill.
The maker of the pump is Rask. | The manufacturer of the motor is Velo.
The maker of the pump is Rask. | The seller of the pump is Velo.
The morning show is presented by Ann Reed. | The evening show is presented by Tom Lind.
The forum is hosted on AWS. | The forum's mail is hosted on Azure.
The forum is hosted on AWS. | The forum is hosted in Dublin.
The captain of the Ravens is Ann Reed. | The Hawks' captain is Tom Lind.
The Ravens' captain is Ann Reed. | The Ravens' coach is Tom Lind.
Password hashing is done with bcrypt. | Token signing is done with RS256.
Floor cleaning is done with Ajax. | Window cleaning is done with Sidol.
The club is mainly sponsored by Alpen Foods. | The club is sponsored by Tern Dairy.
The club is mainly sponsored by Alpen Foods. | The league is mainly sponsored by Tern Dairy.
The bridge is budgeted at 40 million dollars. | The tunnel's budget is 60 million dollars.
The bridge is budgeted at 40 million dollars. | The bridge costs 60 million dollars.
The partner API is rate-limited to 60 requests per minute. | The public API is rate-limited to 90 requests per minute.
The museum opens at 9 am. | The museum's closing hour is 6 pm.
The museum's opening hour is 9 am. | The museum's opening hour on Sundays is 11 am.
On-call duty for the mail cluster lies with Ann Reed. | Backup on-call duty for the mail cluster lies with Tom Lind.
The lead of the parser team is Ann Reed. | Leadership of the lexer team lies with Tom Lind.
The choice lies with Ann Reed. | The choice lies with Tom Lind.
The blame for the outage lies with Ann Reed. | Responsibility for the outage lies with Tom Lind.
The owner of the shop is Ann Reed. | The shop's name is Reed Books.
The name of the project is Osprey. | The name of the project manager is Tom Lind.
Osprey is the name of our boat. | The name of our boat's captain is Tom Lind.
The Java version required for the engine is 17. | The Java version required for the engine's tests is 21.
Python 3.9 is needed by the loader. | Node 20 is needed by the loader.
The last day of the sale is 3 May. | The first day of the sale is 1 May.
The last day of the sale is 3 May. | The last day of the sale for members is 5 May.
The record is held by Ann Reed. | The women's record holder is Tom Lind.
The course record holder is Ann Reed. | The course record is 12 minutes.
The title holder is Ann Reed. | The title of the book is Tom Lind.
Calder Bank employs Ann Krol as a nurse. | Ann Krol works for Norvik Bank.
The trip to Porto goes to Lisbon. | The destination of the trip is Faro.
The tour goes to Porto on Monday. | The tour goes to Lisbon on Friday.
The items endpoint answers GET with 200. | The items endpoint answers POST with 201.
The items endpoint returns 404 for unknown ids. | The status code of the items endpoint is 200.
/stock returns 404 for an unknown SKU. | /stock returns 422 for a malformed SKU.
The archive's location is Hull. | The archive's location in winter is Leeds.
The home of the club is Hull. | The home of the club is in Leeds now and then.
The Session class has 12 methods. | The Session table has 14 methods.
The user_sync function is owned by Ann Reed. | The user_sync table is owned by Tom Lind.
Ann Reed has Tom Lind as manager. | Tom Lind has Ann Krol as manager.
Norwell has Ann Reed for a lawyer. | Norwell has Tom Lind for a cleaner.
Ann Reed serves as a director of Lark. | Tom Lind serves as a director of Lark.
Ann Reed acts as main sponsor of Lark. | Tom Lind acts as co-sponsor of Lark.
The district is represented by Ann Reed. | The city is represented by Tom Lind.
The horse Duke is trained by Ann Reed. | The horse Duke is owned by Tom Lind.
Emil is managed by Ann Reed. | Emil is coached by Tom Lind.
The head of design is Ana. | The head of design changed her name to Ana Roe.
I bank with Barclays. | I bank with Monzo.
The app uses RS256 for signing. | The app uses AES for encryption.
The catalog uses Redis for caching. | The catalog uses Redis Streams for queueing.
Caching in the catalog is done with Redis. | Caching in the shop is done with Memcached.
The auth service uses bcrypt to hash passwords. | The mail service uses argon2id to hash passwords.
The auth service uses bcrypt to hash passwords. | The auth service uses argon2id to hash tokens.
RankList sorts its entries with quicksort. | SortedBag sorts its entries with heapsort.
RankList sorts its entries by name. | RankList sorts its entries with heapsort.
Users in RankList are sorted with quicksort. | Entries in RankList are sorted with heapsort.
The night train departs from Euston. | The day train's departure station is Kings Cross.
The night train departs from Euston. | The night train's arrival station is Kings Cross.
"""


def _put(sentence: str, value: str) -> str:
    told = sentence.replace("{v}", value)
    return told[0].upper() + told[1:] if sentence.startswith("{v}") else told


def _pairs() -> list[tuple[str, str]]:
    """Return each sentence of a family with the one value before each other one with the other."""
    pairs = []
    for family in FAMILIES.strip().split("\n\n"):
        values, *lines = family.splitlines()
        one, other = values.split(" | ")
        forms = [form for line in lines for form in line.split(" | ")]
        pairs += [(_put(a, one), _put(b, other)) for a, b in permutations(forms, 2)]
    return pairs


@pytest.mark.parametrize(("first", "second"), _pairs())
def test_the_verb_and_the_noun_of_a_relation_have_one_key(first: str, second: str) -> None:
    """Whichever came first is retired by the other."""
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), [tuple(line.split(" | ")) for line in OTHER.strip().splitlines()])
def test_what_differs_in_more_than_that_is_kept(first: str, second: str) -> None:
    """Neither retires the other."""
    assert not retires(GRAMMAR, first, second)
    assert not retires(GRAMMAR, second, first)
