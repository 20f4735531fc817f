"""What code does and how it is set up has one key, however it is told, and no other fact's."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

from .kept import assert_kept, pairs_of

GRAMMAR = GrammarExtractor()

RETIRED = pairs_of("""
The retry budget of the uploader is 3.
  The uploader has its retry budget set to 5.
The idle timeout of the gateway is 30 seconds.
  The gateway runs with its idle timeout at 60 seconds.
The lexer sets MAX_TOKENS to 100.
  The lexer defines MAX_TOKENS as 200.
BUFFER_SIZE in the reader is 4096.
  The reader has BUFFER_SIZE set to 8192.
format_date lives in utils/dates.py.
  You'll find format_date implemented in core/dates.py.
format_date is defined in utils/dates.py.
  The module that contains format_date is core/dates.py.
  core/dates.py is the file defining format_date.
  We moved format_date out of utils/dates.py and into core/dates.py.
open_session raises TimeoutError for a dead host.
  A dead host makes open_session raise HostGone.
open_session throws TimeoutError when the host is down.
  If the host is down, HostGone is raised by open_session.
open_session raises TimeoutError for a dead host.
  The error thrown by open_session for a dead host is HostGone.
  open_session's error for dead hosts is HostGone.
MailQueue orders its messages by priority.
  The messages in MailQueue are sorted by sender.
build_index returns a list.
  The type returned by build_index is a generator.
  We rewrote build_index so that it returns a generator.
The font of the manual is Inter.
  Lato is the font used in the manual.
The upload limit of the mail server is 5 MB.
  The upload limit configured on the mail server is 9 MB.
The base image of the api container is alpine.
  We've moved the api container over to a new base image, debian.
The entry point of the worker is src/main.ts.
  The worker starts from src/worker.ts.
  The worker's entry point now lives in src/worker.ts.
The log level of the mailer is debug.
  The mailer's logging is set to warning.
The orders API has a thread pool of 20.
  The thread pool size of the orders API is 40.
The session timeout of the shop is 30 minutes.
  Sessions in the shop expire after 10 minutes of inactivity.
PageCache stores its pages in an LRU list.
  The pages of PageCache are stored in a ring buffer.
PageCache stores its pages in Redis.
  It's a ring buffer that PageCache stores its pages in.
ImageVault encrypts files with AES-128.
The class MailScheduler extends Worker.
  MailScheduler's base class is Runner.
The theme that the wiki uses is Slate.
  We changed the theme that the wiki uses to Paper.
The number of workers in the pool is 4.
  We've raised the workers in the pool to 8.
open_session throws TimeoutError when the host is down.
  If the host is down, HostGone is raised by open_session.
  open_session raises HostGone if the host is down.
JobScheduler's base class is Worker.
  JobScheduler inherits from AsyncRunner.
The base class of `Tray` is `Device`.
  `Tray` extends `Thing`.
JobScheduler's base class is Worker.
  The base class of JobScheduler is Runner.
JobScheduler extends Worker.
  We changed the base class of JobScheduler to Runner.
  We've moved JobScheduler over to a new base class, Runner.
""")

KEPT = pairs_of("""
The proxy has its upload limit set to 5 MB.
  The proxy has its download limit set to 9 MB.
  The proxy's header limit is 9 MB.
The proxy has its minimum upload size set to 5 MB.
  The maximum upload size of the proxy is 9 MB.
The staging worker runs with its log level at debug.
  The log level of the production worker is info.
The parser defines MAX_DEPTH as 64.
  The lexer defines MAX_DEPTH as 32.
  The parser defines MAX_WIDTH as 32.
load_user raises KeyError for a stranger.
  load_user raises ValueError for an empty name.
  save_user raises ValueError for a stranger.
load_user raises KeyError if the user is unknown.
  load_user raises ValueError when the user is known.
load_user raises KeyError for a stranger.
  The exception raised by load_user for an admin is AccessError.
Unknown users make load_user raise KeyError.
  Unknown hosts make load_user raise HostError.
TicketQueue sorts its tickets by age.
  TicketQueue sorts its comments by date.
  TaskQueue sorts its tickets by date.
  The tickets of TicketQueue are sorted by Ann.
The type returned by parse_row is Row.
  The type returned by parse_all is Table.
  The type expected by parse_row is Table.
The value returned by parse_row is Row.
  The error raised by parse_row for bad rows is RowError.
The error code returned by parse_row is 3.
  The line count returned by parse_row is 4.
The theme used on the docs site is Slate.
  The theme used on the blog is Paper.
  The font used on the docs site is Inter.
The theme used for the night is Slate.
  The theme used for the day is Paper.
The timeout set in nginx for the API is 5 s.
  The timeout set in nginx for the shop is 9 s.
The timeout set in nginx is 5 s.
  The timeout set in Apache is 9 s.
You'll find round_tax defined in a.py.
  You'll find round_tax tested in b.py.
  You'll find round_fee defined in b.py.
The file that defines round_tax is a.py.
  The file that tests round_tax is b.py.
  The file that calls round_tax is b.py.
The CLI starts from main.go.
  The server starts from srv.go.
The entry point of the CLI lives in main.go.
  The config of the CLI lives in conf.go.
The CLI's test entry point is in t.go.
  The CLI's entry point is in main.go.
The shop defaults to the en-GB locale.
  The blog defaults to the de-AT locale.
  The shop's locale for Austria is de-AT.
The shop defaults to the dark theme.
  The shop defaults to the de-AT locale.
The locale the shop defaults to is en-GB.
  The currency the shop defaults to is EUR.
The API has a connection pool of 25.
  The API has a thread pool of 40.
  The shop has a connection pool of 40.
For its theme, the wiki uses Slate.
  For its search, the wiki uses Solr.
For its cache, the wiki uses Redis.
  For its cache, the shop uses Valkey.
Logging for the worker is set to debug.
  Logging for the mailer is set to info.
Sessions expire after 15 minutes of inactivity.
  Sessions expire after 8 hours.
  Session cookies expire after 8 hours.
Admin sessions expire after 15 minutes of inactivity.
  Guest sessions expire after 45 minutes of inactivity.
SymbolTable stores its entries in a hash map.
  SymbolTable stores its keys in a list.
  NameTable stores its entries in a list.
parse_row returns Row.
  We changed parse_all so it now returns Table.
  We want to change parse_row so it returns Table.
  We changed parse_row so it can return Table.
  We almost changed parse_row so it returns Table.
  We changed parse_row so it no longer returns Table.
The worker writes its logs to /var/log/w.
  We changed the mailer so it writes its logs to /var/log/m.
The base class of JobScheduler is Worker.
  We've moved MailScheduler over to a new base class, Runner.
The office of Acme is in Ghent.
  We've moved Acme to a new floor, 3.
The exception that load_user raises for strangers is KeyError.
  We changed the exception that load_user raises for admins to AccessError.
The theme the wiki uses is Slate.
  The theme the blog uses was changed to Paper.
  We might have changed the theme the wiki uses to Paper.
  The theme the wiki used was changed to Paper last year and back again.
The number of retries in the uploader is 3.
  We've set the retries in the downloader to 5.
The number of ports of the proxy is 3.
  We've set the ports of the proxy to 8080.
The number of workers in the pool is 3.
  We've set the workers in the pool to 5 seconds.
round_tax lives in a.py.
  We moved round_fee out of a.py and into b.py.
  We moved the tests of round_tax out of a.py and into b.py.
JobScheduler extends Worker.
  The class MailScheduler extends Runner.
  JobScheduler implements Runner.
JobScheduler's base class is Worker.
  JobScheduler's test base class is Runner.
FileIndex hashes file contents with MD5.
  BLAKE3 is the algorithm FileIndex uses for hashing passwords.
  zstd is the algorithm FileIndex uses for compressing file contents.
FileIndex hashes passwords with SHA-256.
  The algorithm FileIndex uses for hashing names is MD5.
It's a pity that Ann works in sales.
  It's a shame that Ann works in support.
Ann works in sales.
  It's a rumour that Ann works in support.
Ann lives in Ghent.
  It's a house that Ann lives in.
Ann's port is 80.
  The person hired by Ann is Tom.
The winner chosen by the jury is Ann.
  The loser chosen by the jury is Tom.
The book used by the class is Emma.
  The room used by the class is B12.
The trucks used by Acme are Volvos.
  The truck used by Acme in Ghent is a MAN.
The method used for hashing is MD5.
  The method used for signing is RSA.
Ann has her alarm set to 7:00.
  Ann has her oven set to 200 degrees.
The house has its thermostat set to 20 degrees.
  The house has its boiler set to 60 degrees.
The agency has its sights set on Berlin.
  The agency has its eyes set on Paris.
The thermostat has its night mode set to 17 degrees.
  The thermostat has its day mode set to 21 degrees.
The parser's MAX_DEPTH is 64.
  The value of the lexer's MAX_DEPTH has gone from 20 to 32.
The build's output limit is 5 MB.
  The build has its output limit set to 9 MB on Windows.
The build has its output limit set to 5 MB.
  If the build has its output limit set to 9 MB, it fails.
The CLI starts from main.go.
  The CLI might start from root.go.
  Does the CLI start from root.go?
parse_row throws RowError for bad rows.
  parse_row used to throw OldError for bad rows.
The exception parse_row raises for bad rows is RowError.
  Before 2.0 the exception parse_row raised for bad rows was OldError.
open_session throws TimeoutError when the host is down.
  open_session raises HostGone if the host is up.
The mill of the bakery is Elm.
  The bakery works with its mill at Ghent.
The table of Ann is T5.
  We moved the table that Ann uses to the attic.
The entry point of the tour is gate 5.
  The tour starts at booking.com.
The default date of the form is 1 May.
  The form defaults to the current date.
The parcels of the warehouse are sorted by size.
  The warehouse sorts parcels by robot.
The room of the standup is B12.
  We might have moved the standup to a new room, B14.
Ann's role is tester.
  We've moved Bo to a new role, team lead.
The crew of the van is Ann.
  The van runs with the crew at night.
The limit for members is 5.
  The limit set for guests is 9.
The language of the backend is Go.
  Python is the language used for the scripts.
The theme of the wiki in spring is Slate.
  The theme used in autumn on the wiki is Paper.
The error rate of the API is 2 %.
  The error returned by the API is 404.
parse_row returns Row.
  We changed parse_row so that it returns Table in strict mode.
The name used in the report is Ann Lee.
  Bo Dahl is the name used in the letter.
Ann Lee is the author.
  Ann Lee is the author used in the sample.
""")


@pytest.mark.parametrize(("first", "second"), RETIRED)
def test_is_retired(first: str, second: str) -> None:
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_is_kept(first: str, second: str) -> None:
    assert_kept(first, second)
