"""The axes of states, as data: on each a thing is in one state at a time.

What is closed is not open, but it may be public: states of two axes hold side by side. Words for one state are one
value. A pair belongs here if the one excludes the other; what is hot may be hotter, and stands on no axis.
"""

from __future__ import annotations

__all__ = ["PLACED"]

# Axis, state, its words: a phrase stands on one axis, unless the thing decides it (`states.state_sort`)
_AXES: dict[str, dict[str, str]] = {
    "access": {
        "open": "open, reopened, open to the public, open to visitors, open to traffic, open for business, unlocked, "
        "passable",
        "closed": "closed, shut, locked, closed to the public, closed to visitors, closed to traffic, "
        "closed for repairs, closed for renovation, closed for maintenance, closed for refurbishment, impassable, "
        "blocked off, fenced off, sealed off, closed until further notice",
    },
    "visibility": {
        "public": "public, visible to everyone, publicly visible, publicly available",
        "private": "private, invite-only, invitation-only, by invitation only",
        "internal": "internal, internal only",
        "unlisted": "unlisted",
        "published": "published",
        "unpublished": "unpublished",
    },
    "source": {
        "open": "open source, open-source, open-sourced",
        "closed": "closed source, closed-source, proprietary",
    },
    "power": {
        "on": "on, switched on, turned on, activated, armed",
        "off": "off, switched off, turned off, deactivated, disarmed",
    },
    "health": {
        "up": "up, online, operational, working, running, up and running, in service, in working order, "
        "fully operational, back up, back online, back in service, in operation, repaired, fixed, in use",
        "down": "down, offline, out of order, out of service, out of action, out of use, not working, "
        "unreachable, out of operation, defunct, under repair, being repaired, in the workshop, in for repair, "
        "under maintenance, in maintenance mode, being serviced",
        "degraded": "degraded",
    },
    "supply": {
        "available": "in stock, back in stock",
        "out": "out of stock, sold out, on back order, on backorder, backordered",
        "discontinued": "discontinued, out of print, out of production",
    },
    "progress": {
        "running": "in progress, ongoing, under way, underway, active, back on, in full swing, under construction",
        "held": "on hold, paused, suspended, frozen, on ice, on pause",
        "done": "done, finished, complete, completed, over, concluded, wrapped up",
        "solved": "resolved, solved",
        "cancelled": "cancelled, canceled, abandoned, scrapped, called off",
        "shelved": "shelved, postponed, deferred, put off",
        "review": "in review, under review, ready for review, being reviewed, awaiting review, up for review",
        "blocked": "blocked",
        "waiting": "pending, unresolved, outstanding, in the backlog, unassigned",
        "merged": "merged",
        "draft": "in draft, a draft, in draft form",
        "planning": "in planning, in the planning phase, in the planning stage",
        "triage": "in triage, awaiting triage",
    },
    "approval": {
        "approved": "approved, signed off, accepted",
        "rejected": "rejected, declined, denied, refused, turned down",
        "waiting": "awaiting approval, pending approval, awaiting sign-off",
    },
    "track": {
        "on": "on track, on schedule, on time",
        "late": "delayed, behind schedule, late, running late, overdue, behind",
        "risk": "at risk, off track",
        "early": "ahead of schedule, ahead of time",
    },
    "stage": {
        "alpha": "in alpha, in private alpha, in public alpha, alpha",
        "beta": "in beta, in beta testing, beta",
        "private beta": "in private beta, in closed beta",
        "public beta": "in public beta, in open beta",
        "preview": "in preview, in public preview, in technical preview, in tech preview",
        "early access": "in early access",
        "ga": "in general availability, generally available, ga",
        "candidate": "in release candidate, a release candidate",
        "testing": "in testing, in test, being tested, in qa, in user testing",
        "production": "live, released, launched",
        "development": "in development, under development, in active development, under active development",
        "maintenance": "in maintenance, in maintenance-only mode, feature-frozen, in feature freeze",
        "pilot": "in pilot, in a pilot phase, in the pilot phase, in trial",
        "prototype": "in prototype, in the prototype stage, a prototype",
        "design": "in design, in the design phase",
        "stable": "stable",
        "experimental": "experimental",
    },
    "life": {
        "deprecated": "deprecated",
        "retired": "retired, end of life, end-of-life, decommissioned, sunset",
    },
    "archive": {"archived": "archived", "active": "active again, unarchived"},
    "occupancy": {
        "free": "free, unoccupied, untaken, unbooked, up for grabs, available",
        "taken": "occupied, taken, booked, fully booked, reserved, booked out, booked up, full, let, rented out",
    },
    "sale": {
        "sale": "for sale, on the market, up for sale",
        "sold": "sold",
        "offer": "under offer",
        "let": "to let, for rent",
    },
    "leave": {
        "away": "on leave, on holiday, on vacation, on sabbatical, on parental leave, on maternity leave, "
        "on paternity leave, on sick leave, off sick, out sick, out of office, out of the office, on annual leave, "
        "away on holiday, away on business",
        "back": "back at work, back at her desk, back at his desk, back in the office, back from leave, "
        "back from holiday, back from vacation, back on duty",
    },
    "tie": {
        "single": "single",
        "engaged": "engaged",
        "married": "married",
        "divorced": "divorced",
        "widowed": "widowed",
        "separated": "separated",
        "relationship": "in a relationship",
    },
    "duty": {
        "must": "mandatory, compulsory, obligatory",
        "may": "optional, voluntary",
    },
    "pace": {"sync": "synchronous, blocking", "async": "asynchronous, non-blocking, nonblocking"},
    "laziness": {"lazy": "lazy", "eager": "eager"},
    "locking": {"optimistic": "optimistic", "pessimistic": "pessimistic"},
    "rigour": {"strict": "strict, enforcing", "lenient": "lenient, permissive, lax"},
    "hand": {"manual": "manual, done by hand", "automatic": "automatic, automated, fully automated"},
    "threads": {
        "one": "serial, sequential, single-threaded",
        "many": "parallel, concurrent, multi-threaded, multithreaded",
    },
    "memory": {"stateful": "stateful", "stateless": "stateless"},
    "direction": {"up": "ascending", "down": "descending"},
    "case": {"sensitive": "case-sensitive, case sensitive", "insensitive": "case-insensitive, case insensitive"},
    "cipher": {"encrypted": "encrypted, encrypted at rest", "plain": "unencrypted, not encrypted"},
    "writing": {"read": "read-only, read only", "write": "writable, read-write, read/write, writeable"},
    "change": {"mutable": "mutable", "immutable": "immutable"},
    "persistence": {"ephemeral": "ephemeral, transient", "persistent": "persistent, durable"},
    "period": {
        "day": "daily",
        "week": "weekly",
        "fortnight": "fortnightly, biweekly",
        "month": "monthly",
        "quarter": "quarterly",
        "year": "yearly, annual",
    },
    "charge": {"free": "free of charge, gratis", "paid": "paid, chargeable"},
    "venue": {
        "online": "virtual, remote, fully remote",
        "person": "in person, in-person, on site, on-site, face to face",
        "hybrid": "hybrid",
    },
    "door": {"in": "indoors, held indoors", "out": "outdoors, held outdoors"},
    "hours": {"full": "full-time", "part": "part-time"},
    "diet": {
        "vegetarian": "vegetarian",
        "vegan": "vegan",
        "pescatarian": "pescatarian",
    },
}
PLACED = {
    phrase: (axis, state)
    for axis, states in _AXES.items()
    for state, listed in states.items()
    for phrase in listed.split(", ")
}
"""Of a phrase its axis and its state."""
