"""The relations that the grammar knows, as data: how many values each has at a time, and why.

Only a functional relation may supersede. A verb that is in no table, built-in or a user's, is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

from memstrata_integrations.facts import Cardinality

__all__ = ["RELATIONS", "Relation"]


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation.

    Attributes:
        name: The canonical name, third person singular.
        cardinality: How many values a subject has at a time.
        reason: Why.
        aliases: Other phrasings of the same relation.
        slot: The dimension that its values are compared in, "typed" when a value must show its
            own kind, or "free" when anything named or typed will do.
        nouns: What its value is called: "Alice's employer is Acme" is "Alice works for Acme".
        noun_kind: What the value of such a noun must look like, where the slot doesn't say it.
    """

    name: str
    cardinality: Cardinality
    reason: str
    aliases: tuple[str, ...] = ()
    slot: str = "free"
    nouns: tuple[str, ...] = ()
    noun_kind: str = ""


def _listed(text: str) -> tuple[str, ...]:
    return tuple(t for t in text.split(", ") if t)


def _one(name: str, reason: str, aliases: str = "", *, slot: str = "free", nouns: str = "", kind: str = "") -> Relation:
    return Relation(name, "functional", reason, _listed(aliases), slot, _listed(nouns), kind)


def _many(name: str, reason: str, aliases: str = "") -> Relation:
    return Relation(name, "set", reason, _listed(aliases), "free")


_OFFICES = {
    "directed": "director",
    "curated": "curator",
    "conducted": "conductor",
    "captained": "captain",
    "moderated": "moderator",
}
_AGENTS = {"formatted": "formatter, code formatter", "linted": "linter", "bundled": "bundler"}


def _by_tool(done: str, reason: str = "one tool does it, as people say it") -> Relation:
    return _one(f"is {done} with", reason, f"is {done} using", slot="tool", nouns=_AGENTS.get(done, ""), kind="tool")


def _by_agent(done: str) -> Relation:
    reason = "one holder of a definite charge, as people say it"
    return _one(f"is {done} by", reason, slot="charge", nouns=_OFFICES.get(done, ""), kind="name")


RELATIONS: tuple[Relation, ...] = (
    _one(
        "is",
        "a definite quantity has one value",
        "is set to, =, :, equals, has the value, is configured as, is configured to be, has been set to, is turned, "
        "is switched, stands at, amounts to, is fixed to, sits at, is set at, is set for, is configured with, "
        "is hard-coded to, is hardcoded to, is hard-coded as, is hardcoded as, is hard-coded at, is pegged at",
        slot="typed",
    ),
    _one(
        "defaults to",
        "one default; a configured value beside it is another fact",
        "default to",
        slot="typed",
        nouns="default value",
        kind="typed",
    ),
    _one(
        "is initialised to",
        "one first value",
        "is initialized to, starts out as",
        slot="typed",
        nouns="initial value",
        kind="typed",
    ),
    _one("is worth", "one worth", slot="typed", nouns="worth", kind="typed"),
    _one(
        "is pinned to",
        "a pin names one version or range",
        "is pinned at, is locked to, is locked at, ==, @, is frozen at, is constrained to, is held back at, "
        "is held back to",
        slot="version",
        nouns="pin, version pin, constraint, version constraint, requirement",
        kind="version",
    ),
    _one("requires python", "one range of interpreters", "requires python version, needs python", slot="version"),
    _one(
        "has version",
        "a thing has one version at a time",
        "is at version, is on version, is version, is at revision, is on revision, is at release, is on release",
        slot="version",
    ),
    _one(
        "listens on",
        "the one address that is stated; several are a list and give no fact",
        "is listening on, listens on port, runs on port, binds to, is bound to, is exposed on port, uses port, "
        "listens at, accepts connections on port",
        slot="port",
        nouns="port, listening port, listen port",
        kind="port",
    ),
    _one(
        "is served at",
        "one route for one handler",
        "is served on, is served from, is reachable at, is available at, is exposed at, is deployed at, is mounted at, "
        "is reachable under, is reachable via, is accessible at, is accessible under, is available under, answers at",
        slot="address",
    ),
    _one("lives at", "one address", "resides at, is living at", slot="address"),
    _one("lives in", "one home; countries are compared with countries only", "resides in, is living in", slot="place"),
    _one(
        "is located at",
        "one place",
        "is located in, is located on, is stored at, is stored in, is found at, is kept at, is saved at, "
        "is stored under, "
        "is kept under, is located under, is saved under, sits in, sits under, lives under",
        slot="address",
    ),
    _one(
        "is based in",
        "one seat",
        "is headquartered in, has its headquarters in, has its head office in, has its seat in",
        slot="place",
        nouns="headquarters, head office, seat, main office",
        kind="place",
    ),
    _one("is hosted on", "one host", "is hosted at, is hosted in, is hosted by, runs on host", slot="name"),
    _one("is named", "one name at a time", "is called, is titled", slot="identifier", nouns="name"),
    _one(
        "works for",
        "one employer, as people say it",
        "is employed by, is employed at, is working for",
        slot="organisation",
        nouns="employer",
        kind="organisation",
    ),
    _one("works at", "one employer or place of work", "is working at", slot="organisation"),
    _one(
        "reports to",
        "one line manager",
        "answers to, is reporting to",
        slot="name",
        nouns="manager, boss, line manager, supervisor",
        kind="name",
    ),
    _one("is owned by", "a stated owner is the owner", "belongs to", slot="name", nouns="owner", kind="name"),
    _one("is led by", "one lead", "is headed by", slot="name", nouns="lead, leader, team lead", kind="name"),
    _one("is managed by", "one manager", slot="name"),
    _one("is operated by", "one operator", "is run by", slot="name"),
    _one(
        "is chaired by",
        "one chair",
        slot="name",
        nouns="chair, chairman, chairwoman, chairperson",
        kind="name",
    ),
    _one("is coached by", "one head coach, as people say it", slot="name", nouns="coach, head coach", kind="name"),
    _one("is engaged to", "one partner", "is dating", slot="name"),
    _one("is married to", "one spouse", slot="name", nouns="husband, wife, spouse", kind="name"),
    _one(
        "costs",
        "one price",
        "is priced at, sells for, goes for, comes to",
        slot="typed",
        nouns="price, cost, fee, fare, ticket price, asking price",
        kind="money",
    ),
    _one(
        "starts at",
        "one start",
        "begins at, kicks off at",
        slot="typed",
        nouns="start, start time, starting time, beginning",
        kind="time",
    ),
    _one("ends at", "one end", "finishes at", slot="typed", nouns="end, end time", kind="time"),
    _one(
        "departs at",
        "one departure of one train, not of a line",
        "leaves at, takes off at, sets off at, sails at",
        slot="moment",
        nouns="departure, departure time",
        kind="time",
    ),
    _one(
        "arrives at",
        "one arrival of one train, not of a line",
        "lands at, gets in at, pulls in at, comes in at",
        slot="moment",
        nouns="arrival, arrival time",
        kind="time",
    ),
    _one("runs at", "one time of a daily job", slot="moment"),
    _one(
        "runs every",
        "one interval",
        "happens every, occurs every, repeats every",
        slot="duration",
        nouns="interval",
        kind="duration",
    ),
    _one("is valid for", "one lifetime", slot="duration"),
    # What is done is part of the subject of these: "Passwords are rotated every 90 days"
    _one("is done within", "one time limit for one act", slot="duration"),
    _one("is done every", "one interval for one act", slot="duration"),
    _one("is done after", "one delay for one act", slot="duration"),
    _one("is done for", "one length for one act", slot="duration"),
    # What is counted or asked is part of the subject of these; only constructions give them a value
    _one("has in number", "one count of one kind of thing", slot="none"),
    _one("is answered with", "one status for one request", slot="none"),
    _one("accepts at most", "one limit", "accepts up to, takes at most, takes up to", slot="measure"),
    _one("allows at most", "one limit", "allows up to, permits up to", slot="measure"),
    _one("returns at most", "one limit", "returns up to", slot="measure"),
    _one("holds at most", "one limit", "holds up to", slot="measure"),
    _one("is written to", "one file", "is logged to", slot="file"),
    _one("is read from", "one file", "is loaded from, is taken from", slot="file"),
    _one("is built from", "one base", "is built on, is built on top of", slot="identifier"),
    _one("is maintained by", "one team; people who maintain a thing are many", slot="team"),
    _one("is handled by", "one tool or team for one task, as people say it", slot="task"),
    _one(
        "is routed to",
        "one receiver, as people say it",
        "is sent to, goes to, is forwarded to, is escalated to, is escalated in, gets escalated in, gets escalated to, "
        "is posted in, is posted to, is reported in, is paged to, gets sent to, gets routed to, is delivered to, "
        "is announced in, is collected in, is tracked in",
        slot="sink",
    ),
    _one(
        "is in region",
        "one region, as people say it",
        slot="region",
        nouns="region, aws region, cloud region",
        kind="region",
    ),
    _by_agent("held"),
    _by_agent("directed"),
    _by_agent("served"),
    _by_agent("issued"),
    _by_agent("edited"),
    _by_agent("taught"),
    _by_agent("supervised"),
    _by_agent("represented"),
    _by_agent("curated"),
    _by_agent("moderated"),
    _by_agent("presented"),
    _by_agent("conducted"),
    _by_agent("captained"),
    _by_agent("audited"),
    _by_agent("supplied"),
    _by_agent("insured"),
    _by_agent("catered"),
    _by_agent("cleaned"),
    _by_agent("serviced"),
    _by_tool("built"),
    _by_tool("deployed"),
    _by_tool("managed"),
    _by_tool("monitored"),
    _by_tool("documented"),
    _by_tool("scheduled"),
    _by_tool("orchestrated"),
    _by_tool("tested"),
    _by_tool("formatted"),
    _by_tool("generated"),
    _by_tool("linted"),
    _by_tool("packaged"),
    _by_tool("bundled"),
    _by_tool("provisioned"),
    _by_tool("compiled"),
    _by_tool("rendered"),
    _by_tool("signed"),
    _by_tool("encrypted"),
    _by_tool("compressed"),
    _by_tool("type-checked"),
    _one("is sorted by", "one order", "is ordered by", slot="word"),
    _one(
        "is kept for",
        "one retention",
        "is retained for, is stored for",
        slot="duration",
        nouns="retention, retention period, retention time",
        kind="duration",
    ),
    _one(
        "lasts",
        "one length",
        slot="duration",
        nouns="duration, running time, run time",
        kind="duration",
    ),
    _one("fires at", "one threshold", "triggers at", slot="typed"),
    _one("is high", "one height", slot="none", nouns="height", kind="extent"),
    _one("is long", "one length", slot="none", nouns="length", kind="extent"),
    _one("is wide", "one width", slot="none", nouns="width", kind="extent"),
    _one("is deep", "one depth", slot="none", nouns="depth", kind="extent"),
    _one("is thick", "one thickness", slot="none", nouns="thickness", kind="extent"),
    _one("is old", "one age", slot="none", nouns="age", kind="age"),
    _one("weighs", "one weight", slot="typed", nouns="weight", kind="measure"),
    _one("opens at", "one opening time", slot="typed", nouns="opening time, opening hour", kind="time"),
    _one("closes at", "one closing time", "shuts at", slot="typed", nouns="closing time, closing hour", kind="time"),
    _one("starts on", "one day", "begins on, opens on", slot="time", nouns="start, start date, beginning", kind="date"),
    _one("ends on", "one day", "closes on, finishes on", slot="time", nouns="end, end date", kind="date"),
    _one(
        "expires on",
        "one expiry",
        "expires at, is valid until, is valid through, runs out on",
        slot="typed",
        nouns="expiry date, expiration date, expiry",
        kind="date",
    ),
    _one(
        "expires after",
        "one lifetime",
        slot="typed",
        nouns="expiry, lifetime, expiration, expiry time, validity, validity period",
        kind="duration",
    ),
    _one("is limited to", "one limit", "is capped at", slot="typed"),
    _one("is based on", "one base and its version", slot="version"),
    _one("is defined in", "one file", "is declared in, is implemented in", slot="file"),
    _one("is serialised by", "one serialiser", "is serialized by", slot="identifier"),
    _one("is rendered by", "one renderer", slot="identifier"),
    _one("is parsed by", "one parser", slot="identifier"),
    _one("is controlled by", "one setting", "is configured by, is configured via", slot="identifier"),
    _one("is held at", "one venue of an event", slot="name"),
    _one(
        "meets at", "one place of meeting", "meets in", slot="venue", nouns="meeting place, meeting point", kind="text"
    ),
    _one("is at", "one time of an appointment", "takes place at", slot="time", nouns="time", kind="time"),
    _one("is on", "one day of an appointment", "takes place on", slot="time", nouns="date, day", kind="date"),
    _one("is scheduled for", "one appointment", "is booked for, is down for, is fixed for", slot="time"),
    _one(
        "is due on",
        "one deadline",
        "is due by, is due, is due at",
        slot="typed",
        nouns="deadline, due date, due day, cut-off, cut-off date, closing date",
        kind="time or date",
    ),
    _one("times out after", "one timeout", slot="typed"),
    _one("is done thus", "one way, place or agent of a definite task, as people say it", slot="thus"),
    _one(
        "does of late",
        "plain statements stand side by side; one that announces a change takes the place of those before it",
        slot="none",
    ),
    _many("depends on", "dependencies are many", "relies on, is dependent on"),
    _many("supports", "a thing supports many", "is compatible with, works with"),
    _many("speaks", "people speak several languages"),
    _many("includes", "parts are many", "contains, consists of, comprises, has member"),
    _many("is allergic to", "allergies are many", "is intolerant to"),
    _many("uses", "tools are many", "makes use of, utilises, utilizes"),
    _many("imports", "imports are many"),
    _many("likes", "likings are many", "loves, enjoys, dislikes, hates, prefers"),
    _many("knows", "acquaintances are many", "is friends with"),
    _many("owns", "possessions are many", "has"),
    _many("is a", "a thing belongs to many classes", "is an, is one of, is a member of, is part of"),
    _many("provides", "services are many", "offers, exports"),
    _many("accepts", "inputs are many", "takes, allows"),
    _many("raises", "errors are many", "throws"),
    _many("requires", "requirements are many", "needs"),
    _many("calls", "callees are many", "invokes"),
    _many("extends", "bases may be many", "inherits from, implements"),
)
