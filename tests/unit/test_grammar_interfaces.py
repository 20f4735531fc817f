"""Releases, interfaces and tools told in other constructions: they say what the plain sentence says, and no more."""

from __future__ import annotations

import pytest

from eval.probe import retires
from memstrata_integrations import GrammarExtractor

from .kept import assert_kept, pairs_of

GRAMMAR = GrammarExtractor()

RETIRED = pairs_of("""
The version of Python used by the import worker is 3.11.
  The import worker runs on Python 3.12.
The import worker's Python version is 3.11.
  The version of Python running on the import worker is 3.12.
The Ruby version the shop depends on is 3.2.1.
  3.3.0 is the Ruby version the shop depends on.
The shop uses Rails 7.0.4.
  7.1.2 is the Rails version the shop uses.
The minimum Android version of the Hikelog app is 11.
  Android 12 is the minimum version the Hikelog app supports.
Hikelog requires at least Android 11.
  Hikelog has a minimum Android requirement of 12.
The lowest Python version supported by the SDK is 3.8.
  The minimum supported Python version of the SDK is 3.10.
The latest release of drawlib is 1.4.0.
  drawlib 1.5.0 is the latest version.
drawlib's most recent release is 1.4.0.
  The newest version of drawlib is 1.5.0.
The training image ships PyTorch 2.1.0.
  PyTorch 2.4.0 is what's inside the training image.
The status code of PUT /carts for an expired cart is 404.
  Expired carts get a 410 status from PUT /carts.
For an expired cart, PUT /carts responds with 404.
  410 is the status code that PUT /carts returns for an expired cart.
An expired cart makes /carts return 404.
  /carts returns 410 for an expired cart.
The status code PUT /carts returns for expired carts is 404.
  PUT /carts returns status 410 for expired carts.
Tickets are closed with a POST request in the desk API.
  The desk API uses PATCH to close a ticket.
The HTTP method for closing tickets in the desk API is POST.
  In the desk API, you close a ticket by sending a PATCH request.
Closing a ticket is a POST.
  You close a ticket with PATCH.
The desk API reads the request ID from the X-Req-Id header.
  The request ID header of the desk API is X-Correlation-Id.
In the desk API, the locale is passed in the lang_1 cookie.
  The desk API takes the locale from a cookie called site_lang.
X-Req-Id is the header that carries the request ID in the desk API.
  In the desk API, the request ID is sent in the X-Correlation-Id header.
The response format of /reports is XML.
  The /reports endpoint responds in JSON.
Responses from /reports are formatted as XML.
  JSON is the format in which /reports responds.
The fleet API authenticates clients with API keys.
  The fleet API uses mutual TLS for client authentication.
Clients of the fleet API are authenticated with API keys.
  The authentication method of the fleet API is mutual TLS.
API keys is how the fleet API authenticates its clients.
  The fleet API authenticates its clients with mutual TLS.
GET /tickets returns 20 tickets per page by default.
  The default page size of GET /tickets is 50.
The default number of tickets per page on GET /tickets is 20.
  By default, GET /tickets has a page size of 50.
The desk API issues session tokens with a lifetime of 2 hours.
  The lifetime of session tokens of the desk API is 8 hours.
The timeout of the /export endpoint is 10 seconds.
  The timeout of /export is 30 seconds.
The desk app uses Mocha for its unit tests.
  The unit test framework of the desk app is Vitest.
Unit tests in the desk app run on Mocha.
  The desk app's framework for unit testing is Vitest.
The importer makes its HTTP requests with requests.
  The HTTP client of the importer is httpx.
Packages in the Quay repo are managed with npm.
  The package manager of the Quay repo is pnpm.
For the Quay repo, we use npm to manage packages.
  The Quay repo uses pnpm as its package manager.
python:3.11-slim is the base image used for the batch container.
  The base image of the batch container is python:3.12-slim.
drawlib has an MIT license.
  Apache-2.0 is the license drawlib is released under.
For the desk API, we use https://a.desk.dev as the base URL.
  The base URL of the desk API is https://b.desk.dev.
The base URL of the desk API is https://a.desk.dev.
  The desk API is served from the base URL https://b.desk.dev.
JobRunner's base class is BaseJob.
  We've moved JobRunner over to a new base class, QueuedJob.
The version of Node used by the shop is 18.
  The Node version of the shop is now 20.
The minimum iOS version for the Hikelog app is 15.
  Hikelog requires at least iOS 16.
The data_utils library is licensed under MIT.
  data_utils is licensed under Apache-2.0.
""")

KEPT = pairs_of("""
The version of Node used by the web client is 20.
  The version of Node used by the worker is 22.
  The version of npm used by the web client is 10.
  The version of Node required by the web client is 18.
The minimum iOS version of the Trailmate app is 15.
  The maximum iOS version supported by the Trailmate app is 18.
iOS 15 is the minimum version the Trailmate app requires.
  iOS 17 is the latest version the Trailmate app supports.
  Android 12 is the minimum version the Trailmate app requires.
  The Trailmate app runs on iOS 17.
The minimum iOS version of the Trailmate app is 15.
  The Trailmate app might require at least iOS 16.
The latest release of tinyplot is 2.4.0.
  We use tinyplot 2.5.1.
  The tinyplot version of the report app is 2.5.1.
  The latest stable release of tinyplot is 2.5.1.
  The latest beta release of tinyplot is 2.5.1.
  The oldest supported release of tinyplot is 2.1.0.
  The latest release of tinymap is 2.5.1.
The latest supported version of Node is 20.
  The latest version of Node is 22.
CUDA 12.4 is what's inside the data image.
  The data image ships cuDNN 9.1.
The gateway has log4j-core 2.17.1.
  The gateway has log4j-api 2.23.1.
  The gateway had log4j-core 2.11.1.
POST /orders returns status 409 for a duplicate order.
  POST /orders returns status 422 for an invalid order.
  PUT /orders returns status 422 for a duplicate order.
Duplicate orders get a 409 status from POST /orders.
  Duplicate invoices get a 422 status from POST /orders.
  Duplicate orders used to get a 400 status from POST /orders.
An unknown SKU makes /stock return 404.
  A missing SKU makes /stock return 400.
  An unknown SKU should make /stock return 400.
Projects are archived with a PATCH request in the workspace API.
  Projects are deleted with a DELETE request in the workspace API.
  Teams are archived with a POST request in the workspace API.
  Projects are archived with a POST request in the admin API.
  Projects were archived with a POST request in the workspace API.
You update a profile with PUT.
  You create a profile with POST.
  You update a password with PATCH.
  Should you update a profile with PATCH?
The roster API reads the tenant ID from the X-Tenant header.
  The roster API reads the trace ID from the X-Trace header.
  The billing API reads the tenant ID from the X-Account header.
  The roster API reads the tenant ID from the tid_1 cookie.
  The roster API reads the tenant ID from the request header.
In the roster API, the tenant ID is sent in the X-Tenant header.
  In the roster API, the tenant ID is not sent in the X-Account header.
/exports responds in CSV.
  /imports responds in JSON.
  The request format of /exports is JSON.
  The chat API responds in JSON.
The support API responds in English.
  The support API responds in JSON.
The partner API authenticates clients with OAuth 2.0.
  The partner API authenticates users with passwords.
  The admin API authenticates clients with API keys.
  The partner API authorizes clients with API keys.
  The partner API signs webhooks with HMAC signatures.
  The partner API authenticates clients with API keys and OAuth 2.0.
GET /customers returns 25 customers per page by default.
  GET /customers returns at most 100 customers per page.
  GET /orders returns 100 orders per page by default.
  The default page size of the export is 100.
The rider API issues access tokens with a lifetime of 30 minutes.
  The rider API issues refresh tokens with a lifetime of 30 days.
  The driver API issues access tokens with a lifetime of 2 hours.
The driver app uses Jest for its unit tests.
  The driver app uses Cypress for its end-to-end tests.
  The rider app uses Vitest for its unit tests.
  The driver app's unit tests run on GitHub Actions.
  The driver app's unit tests are written in TypeScript.
The price crawler makes its HTTP requests with httpx.
  The price crawler makes its gRPC requests with grpcio.
Packages in the Harbor monorepo are managed with Yarn.
  Secrets in the Harbor monorepo are managed with Vault.
  Packages in the Pier monorepo are managed with pnpm.
The gridkit library has a MIT license.
  The plotkit library has an Apache-2.0 license.
MIT is the license gridkit is released under.
  CC-BY-4.0 is the license the gridkit docs are released under.
Ann has a UK licence.
  Ann has an Apache licence.
alpine:3.19 is the base image used for the report container.
  debian:12 is the base image used for the build container.
For the sandbox API, we use https://a.dev as the base URL.
  For the live API, we use https://b.dev as the base URL.
Blue is the colour used for warnings.
  Red is the colour used for errors.
The /search endpoint has a timeout of 5 seconds.
  The /search page has a timeout of 9 seconds.
  The GET /search endpoint has a timeout of 9 seconds.
  The /search/all endpoint has a timeout of 9 seconds.
The batch size is 20 items.
  The batch size is 20 MB.
For the monorepo, we use Yarn as the package manager.
  For the docs, we use npm as the package manager.
  For the monorepo, we used npm as the package manager.
The tenant ID header is X-Tenant.
  The tenant ID header is required.
The API is served from the base URL https://a.dev.
  The API docs are served from the URL https://b.dev.
The version of Postgres running the ledger database in production is 14.
  The version of Postgres running the ledger database in staging is 16.
17.0.2 is the React version the kiosk app depends on.
  18.3.1 is the React version the admin app depends on.
  18.3.1 is the minimum React version the kiosk app supports.
The kiosk app uses React 17.0.2.
  18.3.1 was the React version the kiosk app depended on.
The minimum iOS version of the Hikelog app is 15.
  The Hikelog server requires at least iOS 16.
The Hikelog app has version 4.2.
  Hikelog has version 5.1.
The rate limit of the /search endpoint is 60 requests per minute.
  The rate limit of the /search directory is 90 requests per minute.
Redis is the cache used by the shop.
  Memcached was the cache used by the shop.
  Memcached is one cache used by the shop.
""")


@pytest.mark.parametrize(("first", "second"), RETIRED)
def test_another_construction_states_the_same_fact(first: str, second: str) -> None:
    """The same fact of a release, an interface or a tool."""
    assert retires(GRAMMAR, first, second)


@pytest.mark.parametrize(("first", "second"), KEPT)
def test_what_speaks_of_another_thing_stays(first: str, second: str) -> None:
    """Another thing, case, place, bound or kind; a plan, a past, a doubt or one of several."""
    assert_kept(first, second)
