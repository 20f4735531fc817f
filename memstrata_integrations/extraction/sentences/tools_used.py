"""With which tool something is done, under the name of the tool's part: "The app uses Jest for its unit tests".

"The app's unit tests are written with Jest", "Packages in the repo are managed with pnpm" and "gridkit has an MIT
license" are put as "The unit test framework of the app is Jest", "The package manager of the repo is pnpm" and "The
license of gridkit is MIT", and then judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memstrata_integrations.extraction.sentences.charges import inner
from memstrata_integrations.extraction.sentences.dispatch import Needles
from memstrata_integrations.extraction.sentences.framing import fills_role, quiet
from memstrata_integrations.extraction.sentences.role_words import is_plural
from memstrata_integrations.words import word_set

__all__ = ["OF_TOOLS"]

_Pieces = tuple[str | tuple[int, ...], ...]
_WHO = r"(?P<who>(?:[Tt]he |[Oo]ur |[Mm]y |[A-Z`¤])[^,;:]*?|[a-z][\w.-]*)"
_TOOL = r"(?P<value>`?[A-Za-z][\w.+#-]*`?(?: [A-Z][\w.+-]*)?)"
_NO_TOOLS = word_set(
    "the a an its their our it this that them two several many different various other custom separate dedicated real "
    "mock fake test staging production data ci docker jenkins containers fixtures mocks stubs"
)

# --- tests ---

_KIND = r"(?P<kind>(?:unit|integration|end-to-end|e2e|component|acceptance|functional|UI|browser|regression|snapshot) )"
_TESTS = r"(?:tests|testing)"
_PLACED = r"(?:in|of|for|on)"
_WRITTEN = (
    r"(?P<how>are written in|are written with|are written using|use|are run with|run with|run on|run under|run in)"
)
_TEST_FORMS = (
    re.compile(
        rf"{_WHO} uses {_TOOL} (?:for (?:its |all |the |our )?|to (?:run|write) (?:its |all |the )?){_KIND}{_TESTS}\Z"
    ),
    re.compile(rf"{_WHO}['’]s? {_KIND}tests {_WRITTEN} {_TOOL}\Z"),
    re.compile(
        rf"(?:The )?{_KIND.replace('unit', '[Uu]nit').replace('|int', '|[Ii]nt')}tests {_PLACED} {_WHO} {_WRITTEN}"
        rf" {_TOOL}\Z"
    ),
    re.compile(rf"{_WHO}['’]s? framework for {_KIND}{_TESTS} is (?:now )?{_TOOL}\Z"),
    re.compile(rf"The framework for {_KIND}{_TESTS} {_PLACED} {_WHO} is (?:now )?{_TOOL}\Z"),
    re.compile(rf"{_TOOL} is the (?:test(?:ing)? )?framework (?:that )?{_WHO} uses for (?:its )?{_KIND}{_TESTS}\Z"),
)
# A machine, a service or a runtime runs them as well: of those that run tests, these are frameworks
_FRAMEWORKS = word_set(
    "jest vitest mocha jasmine ava karma cypress playwright puppeteer selenium pytest unittest nose nose2 junit testng "
    "spock kotest nunit xunit mstest rspec minitest phpunit pest catch2 googletest gtest ginkgo testify xctest "
    "espresso robolectric cucumber behave exunit testcafe webdriverio tape qunit doctest detox capybara"
)


def _tested(text: str, hidden: str) -> _Pieces | None:
    """Read "The app uses Jest for its unit tests" and "The app's unit tests run on Jest" as its unit test framework."""
    for form in _TEST_FORMS:
        match = form.match(text)
        if match is None:
            continue
        value = match["value"].strip("`")
        how = match.groupdict().get("how") or ""
        if not quiet(match["who"]) or value.split()[0].lower() in _NO_TOOLS:
            return None
        if how and value.split()[0].lower() not in _FRAMEWORKS:
            return None
        kind = match["kind"].lower() if match["kind"] != "UI " else "UI "
        who = inner(text, *match.span("who"))
        return f"The {kind}test framework of ", *who, " is ", match.span("value")
    return None


# --- requests, packages ---

_PROTOCOL = r"(?P<kind>HTTP|gRPC|SOAP|GraphQL|REST)"
_CLIENT_FORMS = (
    re.compile(rf"{_WHO} (?:makes|sends|issues|performs|does) (?:its |all |all its )?{_PROTOCOL} (?:requests|calls) "
               rf"(?:with|using|via|through) {_TOOL}\Z"),
    re.compile(rf"{_PROTOCOL} (?:requests|calls) (?:in|of|from) {_WHO} are (?:made|sent|issued|done) "
               rf"(?:with|using|via|through) {_TOOL}\Z"),
    re.compile(rf"{_TOOL} is the {_PROTOCOL} client(?: library)? (?:that )?{_WHO} uses\Z"),
    re.compile(rf"The {_PROTOCOL} client library (?:(?:that )?{_WHO} uses|(?:in|of) (?P<by>(?:the |our "
               rf"|[A-Z])[^,;:]*?)) is "
               rf"{_TOOL}\Z"),
)  # fmt: skip
_MANAGED = re.compile(
    rf"(?P<what>[Pp]ackage|[Dd]ependenc|[Ss]ecret|[Ss]tate)(?:s|ies)? (?:in|of|for|on) {_WHO} (?:is|are) managed "
    rf"(?:with|using|via|through) {_TOOL}\Z"
)
_MANAGES = re.compile(
    rf"(?:For {_WHO}, we use {_TOOL}|{_WHO.replace('who', 'by')} uses {_TOOL.replace('value', 'value2')}) to manage "
    r"(?:its |all |the )?(?P<what>package|dependenc|secret|state)(?:s|ies)?\Z"
)
_MANAGERS = {"package": "package", "dependenc": "dependency", "secret": "secret", "state": "state"}


def _client(text: str, hidden: str) -> _Pieces | None:
    """Read "The crawler makes its HTTP requests with httpx" as its HTTP client."""
    match = next((m for form in _CLIENT_FORMS if (m := form.match(text)) is not None), None)
    if match is None or match["value"].lower().split()[0] in _NO_TOOLS:
        return None
    who = match.span("who") if match["who"] else match.span("by")
    if not quiet(text[slice(*who)]):
        return None
    return "The ", match.span("kind"), " client of ", *inner(text, *who), " is ", match.span("value")


def _managed(text: str, hidden: str) -> _Pieces | None:
    """Read "Packages in the repo are managed with pnpm" as its package manager."""
    match = _MANAGED.match(text) or _MANAGES.match(text)
    if match is None:
        return None
    groups = match.groupdict()
    value = match.span("value2" if groups.get("value2") else "value")
    who = match.span("by" if groups.get("by") else "who")
    if not quiet(text[slice(*who)]) or text[slice(*value)].lower().split()[0] in _NO_TOOLS:
        return None
    noun = _MANAGERS[match["what"].lower()]
    return f"The {noun} manager of ", *inner(text, *who), " is ", value


# --- what it is used for, under which licence ---

_USED = re.compile(
    r"(?P<value>[^\s,;]+(?: [A-Z\d][^\s,;]*){0,2}) is the (?P<noun>[a-z][a-z-]*(?: [a-z][a-z-]*){0,3}?) "
    r"(?:that is |that['’]s |which is )?(?:used|employed|in use) (?:by|in|on|for|with) (?P<who>(?:the|our|my)"
    r" [^,;:]*)\Z"
)


def _used(text: str, hidden: str) -> _Pieces | None:
    """Read "alpine:3.19 is the base image used for the report container" as its base image."""
    match = _USED.match(hidden)
    if match is None or not fills_role(match["noun"]) or not quiet(match["value"]) or not quiet(match["who"]):
        return None
    if match["value"].lower() in _NO_TOOLS or is_plural(match["noun"].split()[-1]):
        return None
    return "The ", match.span("noun"), " of ", match.span("who"), " is ", match.span("value")


_LICENCE = r"(?P<value>(?:[A-Z]*GPL|MIT|BSD|ISC|[ME]PL|CC|Apache|Boost|Zlib|Unlicense)[\w.+-]*(?: \d[\w.-]*)?)"
_IS_LICENCE = re.compile(
    rf"{_LICENCE} is the licen[cs]e (?:that )?{_WHO} (?:is|are) (?:now )?(?:released|published|distributed|licensed"
    r"|available|offered|shipped) under\Z"
)
_HAS_LICENCE = re.compile(rf"{_WHO} (?:now )?(?:has|carries|uses|comes with) an? {_LICENCE} licen[cs]e\Z")


def _licensed(text: str, hidden: str) -> _Pieces | None:
    """Read "MIT is the license gridkit is released under" and "gridkit has an MIT license" as its license."""
    match = _IS_LICENCE.match(hidden) or _HAS_LICENCE.match(hidden)
    if match is None or not quiet(match["who"]):
        return None
    return "The license of ", *inner(text, *match.span("who")), " is ", match.span("value")


OF_TOOLS: tuple[tuple[Callable[[str, str], _Pieces | None], Needles], ...] = (
    (_tested, word_set("tests testing")),
    (_client, word_set("HTTP gRPC SOAP GraphQL REST")),
    (_managed, word_set("manage managed")),
    (_used, (word_set("used employed use"), word_set("is"))),
    (_licensed, word_set("license licence")),
)
"""Readers of the plain sentence of a tool or a licence, each with the signs that it needs."""
