"""One line of a program or of a table that stands alone: a signature, a block of one setting, a call that sets one.

The key is all that the line says besides its one literal: the name that it sets, the block or the role that it
sets it for, the other cells of its row. A line with two literals that may change says nothing of which is meant, and a
call that may stand in a program many times (`raise`, `log`, `insert`) sets nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from memstrata_integrations.canonical import is_identifier
from memstrata_integrations.extraction.claims import Claim
from memstrata_integrations.extraction.sentences.declared import LITERAL_GROUPS, plain, read_declared, setting_of
from memstrata_integrations.extraction.sentences.lexicon import CONFIG_NOUNS, MEASURES
from memstrata_integrations.extraction.sentences.pointing import numbers_a_record
from memstrata_integrations.extraction.sentences.slots import find_typed
from memstrata_integrations.relations import known
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import word_set

__all__ = ["read_lone_line"]
_IS = known("is")
_LONGEST = 240
_NUMBER = r"-?\d[\d_]*(?:\.\d+)?[A-Za-z%]{0,3}"
_WORD = r"[\w./:@+-]+"
_LITERAL = rf"(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<bare>{_NUMBER}|[Tt]rue|[Ff]alse|on|off))"
_NAMED_LITERAL = rf"(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<bare>{_WORD}))"
_KEY = r"(?P<key>[A-Za-z_$][\w$.-]*)"
_END = r"\)* ?;? ?(?:(?://|#|--) .*)?\Z"
# "const timeout = Duration.ofSeconds(30);", "REQUEST_TIMEOUT = timedelta(seconds=30)", "var wait = 30 * time.Second"
_DECLARING = r"(?:(?P<how>(?:[a-z]+ )+|[a-z ]*[A-Z][\w<>.]* )?)"
_MADE = re.compile(
    rf"{_DECLARING}{_KEY}(?: ?: ?[\w<>.:\[\]| ]+?)? ?:?= ?(?:new )?(?P<maker>(?:[\w]+(?:\.|::))*[A-Za-z_]\w*)"
    rf"\((?P<named>[a-z_]+ ?= ?)?{_LITERAL}{_END}"
)
_ANNOTATED = re.compile(rf"{_KEY}: (?P<type>[A-Za-z_][\w.]*(?:\[[\w., |]+\])?(?: \| None)?) = {_LITERAL}{_END}")
_MAKERS = word_set("timedelta int float str bool duration seconds minutes hours milliseconds path range env")
# "const port = process.env.PORT || 3000;", "os.getenv("WORKERS", 4)", "${WORKERS:-4}"
_FROM_ENVIRONMENT = re.compile(
    r".{0,80}(?:environ|getenv|env\b|ENV|\$\{)[\w.(\[\"']*?[\"']?(?P<key>[A-Z][A-Z0-9_]{2,})[\"'\])]{0,2}"
    rf"(?:, ?| \|\| | \?\? |:-){_LITERAL}[\)\}}]*(?:{_END}|, ?[a-z_]+=[\w.]+{_END})"
)
# "parser.add_argument("--jobs", type=int, default=4)", "viper.SetDefault("http.port", 8080)"
_OPTION = re.compile(
    r"[\w.@]+\([\"'](?P<key>--?[\w-]+|[\w.-]+)[\"'],(?:[^=(]*=[^=,]+,)*? ?(?:\w+, ?)*default ?= ?"
    rf"{_LITERAL}(?:, ?[a-z_]+=(?:[\w.]+|\"[^\"]*\"|'[^']*'))*{_END}"
)
_SETTER = re.compile(
    rf"(?P<scope>(?:[\w]+\.)*)(?:[Ss]et(?:Default|Property|Config|Option)?|config|option|put)"
    rf"\([\"'](?P<key>[\w.-]+)[\"'], ?{_LITERAL}{_END}"
)
# A schedule that a call gives a name
_CRON = re.compile(
    r"(?P<scope>[A-Za-z][\w. ]*)\([\"'](?P<key>[\w.-]+)[\"'], ?[\"'](?P<bare>(?:[\d*/,-]+"
    r" ){4}[\w*/,-]+)[\"'](?P<rest>.*)\Z"
)
# "ALTER ROLE app SET work_mem = '64MB';", "ALTER TABLE t ALTER COLUMN c SET DEFAULT 'x';"
_ALTER = re.compile(
    rf"(?P<scope>(?i:ALTER) [\w .\"]+?) (?i:SET) (?P<key>(?i:DEFAULT)|[a-z][\w.]*)(?: ?= ?"
    rf"| (?:TO )?){_NAMED_LITERAL}{_END}"
)
# "git config --global core.editor vim", "sysctl -w vm.swappiness=10", "kubectl scale deploy/x --replicas=3"
_COMMAND = re.compile(
    r"(?:\$ |sudo )*(?P<scope>(?:git|npm|yarn|pnpm|pip|gcloud|aws|az|heroku|poetry|conda|helm|flyctl|bundle"
    r"|composer|go"
    r"|sysctl|kubectl|docker|terraform|redis-cli|rabbitmqctl|nomad|consul|vault)(?: (?:-[\w-]+|[a-z][\w/.-]*))*?)"
    rf" (?P<key>(?:--)?[A-Za-z][\w./-]*)[ =]{_NAMED_LITERAL}\Z"
)
_COMMANDS = word_set("config sysctl scale set")
# ".card { font-size: 18px; }", "variable "region" { default = "eu-west-1" }", "location / { proxy_pass http://app; }"
_BLOCK = re.compile(
    r"(?P<scope>[A-Za-z.#:@*\[][^{}();=|&]{0,80}?) ?\{ ?(?P<key>[A-Za-z$-][\w.-]*)(?: ?= ?| ?: ?| )"
    r"(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<bare>[^;{}\"']+?)) ?;? ?\}\Z"
)
_NO_BLOCKS = word_set(
    "if else for while do switch try catch finally return function func fn class struct enum interface import export"
    " from const let var type impl trait union match select case default public private static new def lambda"
)
_ONE_KEY = re.compile(rf"\{{ ?[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']? ?: ?{_LITERAL} ?\}}\Z")
_ELEMENT = re.compile(r"<(?P<tag>[A-Za-z][\w.:-]*)(?P<attributes>(?: [\w.:-]+ ?= ?(?:\"[^\"]*\"|'[^']*')){1,5}) ?/?>\Z")
_ATTRIBUTE = re.compile(r"(?P<key>[\w.:-]+) ?= ?(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')")
_NAMING = word_set("name key id ref include artifact group class property path type for action")
_RECORDED = word_set("event error message msg result data response user action log line request record entry item")
_OF_RECORDS = word_set("id name type title role code status state message")
_SETTINGS = CONFIG_NOUNS | MEASURES - word_set("name type status state user username")
# "$primary: #0055aa;", "--gutter: 16px;"
_STYLE = re.compile(r"(?P<key>(?:\$|--|@)[A-Za-z][\w-]*): (?P<bare>[^;{}]{1,60}?);?(?: !default;?)?\Z")
_TOOL_VERSION = re.compile(
    r"(?P<key>go|node|nodejs|python|ruby|java|php|elixir|erlang|rust|deno|terraform|kotlin|dotnet|golang|swift"
    r"|zig|bun|poetry) "
    r"(?P<bare>v?\d+(?:\.\d+)*[\w.-]*)\Z"
)
_NESTED = re.compile(r"[\"'](?P<scope>[\w.-]+)[\"'] ?: ?\{ ?[\"'](?P<key>[\w.@/-]+)[\"'] ?: ?" + _LITERAL + r" ?\}\Z")


def read_lone_line(line: str) -> Claim | None:
    """Read a line that stands alone; the places of the claim are those of `line`."""
    if not 5 <= len(line) <= _LONGEST:
        return None
    if line[0] == "|":
        return _row(line)
    if line[0] == "<":
        return _element(line) if line[-1] == ">" else None
    if (declared := read_declared(line)) is not None:
        return declared
    if line[-1] != ">":
        for needle, reader in _READERS:
            if needle in line and (claim := reader(line)) is not None:
                return claim
    return None


def words_of(name: str) -> list[str]:
    """Return the words of a name: "pollInterval", "poll_interval", "poll.interval"."""
    return (
        re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
        .replace("-", " ")
        .replace("_", " ")
        .replace(".", " ")
        .lower()
        .split()
    )


def _configures(name: str) -> bool:
    """Whether a name is one of a setting, rather than of a variable of a program."""
    words = words_of(name)
    if not words or numbers_a_record(" ".join(words)):
        return False
    if words[-1] in _SETTINGS:
        return True
    return _RECORDED.isdisjoint(words) and ((name.isupper() and len(name) > 2) or len(words) > 1)


def _made(line: str) -> Claim | None:
    """Read "let poll_interval = Duration::from_millis(250);"."""
    match = _MADE.match(line)
    if match is None or not _configures(match["key"]):
        return None
    if match["bare"] is None and not match["key"].isupper():
        return None  # a text may be made again, for something else
    parts = re.split(r"\.|::", match["maker"])
    if not (any(p[:1].isupper() for p in parts) or parts[-1].lower() in _MAKERS) or line.startswith("return "):
        return None
    return setting_of(f"{match['key']} by {match['maker']} {(match['named'] or '').strip(' =')}", match, "made")


def _annotated(line: str) -> Claim | None:
    """Read "max_retries: int = 3"."""
    match = _ANNOTATED.match(line)
    if match is None or not _configures(match["key"]) or ("_" in match["type"] and match["type"].islower()):
        return None
    return setting_of(match["key"], match, "annotated")


def _from_environment(line: str) -> Claim | None:
    """Read "port = int(os.getenv("PORT", 8000))" as the default of PORT."""
    match = _FROM_ENVIRONMENT.match(line)
    if match is None or "setenv" in line or "putenv" in line:
        return None
    return setting_of(f"default of name:{match['key']}", match, "environment")


def _option(line: str) -> Claim | None:
    """Read "parser.add_argument("--jobs", default=4)"."""
    match = _OPTION.match(line)
    return setting_of(f"default of {match['key']}", match, "option") if match else None


def _setter(line: str) -> Claim | None:
    """Read "conf.set("spark.executor.memory", "4g")"."""
    match = _SETTER.match(line) if '("' in line or "('" in line else None
    if match is None or not is_identifier(match["key"]) or not _configures(match["key"]):
        return None
    return setting_of(f"{match['key']} of {match['scope'].strip('.')}", match, "setter")


def _cron(line: str) -> Claim | None:
    """Read "cron.schedule('vacuum', '0 3 * * *', ...)"."""
    match = _CRON.match(line)
    return (
        setting_of(f"{match['scope']} {match['key']} of {plain(match['rest'])}", match, "schedule") if match else None
    )


def _alter(line: str) -> Claim | None:
    """Read "ALTER ROLE app SET work_mem = '64MB';"."""
    match = _ALTER.match(line)
    return setting_of(f"{match['key']} of {match['scope']}", match, "alter") if match else None


def _command(line: str) -> Claim | None:
    """Read "git config --global core.editor vim" and "kubectl scale deploy/x --replicas=3"."""
    match = _COMMAND.match(line)
    if match is None or _COMMANDS.isdisjoint(match["scope"].split()):
        return None
    if not {"add", "--add", "--append"}.isdisjoint(match["scope"].split()) or (
        " " not in line[match.end("key") :] and "=" not in line
    ):
        return None
    scope = match["scope"].replace(" -w", "")
    return setting_of(f"{match['key']} of {scope}", match, "command")


def _block(line: str) -> Claim | None:
    """Read ".card { font-size: 18px; }" and "variable "region" { default = "eu-west-1" }"."""
    match = _BLOCK.match(line)
    if match is None or match["scope"].split()[0].lower() in _NO_BLOCKS or ". " in match["scope"]:
        return None
    value = next(v for g in LITERAL_GROUPS if (v := match[g]) is not None)
    if "," in value and " " in value.replace(", ", ","):
        return None
    scope = match["scope"].replace('"', "").replace("'", "")
    return setting_of(f"{match['key']} of block {scope}", match, "block")


def _one_key(line: str) -> Claim | None:
    """Read "{"maxUploadParts": 1000}"."""
    match = _ONE_KEY.match(line)
    if match is None or len(words := words_of(match["key"])) < 2 or not _configures(match["key"]):
        return None
    if match["bare"] is None and words[-1] not in CONFIG_NOUNS - word_set("name status state type version user"):
        return None
    return None if words[-1] in ("id", "at", "count", "time") else setting_of(match["key"], match, "object")


def _element(line: str) -> Claim | None:
    """Read "<server port="8080"/>" and "<cache name="prices" ttl="30s"/>"."""
    match = _ELEMENT.match(line)
    if match is None:
        return None
    given = list(_ATTRIBUTE.finditer(match["attributes"]))
    named = [a for a in given if a["key"].rpartition(":")[2].lower() in _NAMING]
    rest = [a for a in given if a not in named]
    if len(rest) != 1 or not (named or match["tag"].lower() not in _RECORDED) or match["tag"].lower() in _NO_ELEMENTS:
        return None
    group = "double" if rest[0]["double"] is not None else "single"
    start, end = (match.start("attributes") + place for place in rest[0].span(group))
    who = " ".join(f"{a['double'] or a['single']}" for a in named)
    if start == end or (not named and not any(c.isdigit() for c in line[start:end])):
        return None
    subject = f"{rest[0]['key']} of {match['tag']} {who}".strip()
    return Claim(subject, _IS, start, end, "lone line: element", "setting", local=True)


_NO_ELEMENTS = word_set("a img link script p div span li td tr th option meta button br hr svg path rect circle")


def _style(line: str) -> Claim | None:
    """Read "$primary: #0055aa;"."""
    match = _STYLE.match(line)
    if match is None or "," in match["bare"] or (match["key"].startswith("--") and " " in match["bare"]):
        return None  # "--force: skip checks" is a help text
    return setting_of(match["key"], match, "style")


def _tool_version(line: str) -> Claim | None:
    """Read "go 1.22"."""
    match = _TOOL_VERSION.match(line)
    return setting_of(f"version of {match['key']}", match, "tool version") if match else None


def _nested(line: str) -> Claim | None:
    """Read a block of one key: its own, and that of the block."""
    match = _NESTED.match(line)
    if match is None or match["key"].lower() in _OF_RECORDS or match["scope"].lower() in _RECORDED:
        return None
    return setting_of(f"{match['key']} of block {match['scope']}", match, "nested")


_CELL = re.compile(r"[^|\n]+")
_TYPE_CELL = word_set("int integer string str bool boolean float number duration size list yes no required optional")


def _row(line: str) -> Claim | None:
    """Read "| session.lifetime | 14 days | how long a login lasts |": a row of a setting, its head out of sight."""
    if line[-1] != "|" or "\\|" in line:
        return None
    cells = [(m.start() + len(m[0]) - len(m[0].lstrip()), m[0].strip()) for m in _CELL.finditer(line)]
    if not 2 <= len(cells) <= 5 or not all(text for _, text in cells):
        return None
    name = cells[0][1].strip("`*")
    if " " in name or not is_identifier(name) or not _names_asetting_of(name):
        return None
    found: tuple[int, int] | None = None
    for start, text in cells[1:]:
        if text.lower().strip("`") in _TYPE_CELL or (" " in text.strip("`") and not text[0].isdigit()):
            continue
        typed = find_typed(line, start, start + len(text))
        if typed is None or typed[2] != start + len(text):
            continue
        kind = canonical_value(line[typed[0] : typed[1]])[1].partition(":")[0]
        if typed[3] not in ("number", "boolean", "technical", "quoted") or kind in ("time", "date", "weekday", "day"):
            return None
        if found is not None:
            return None
        found = typed[:2]
    if found is None:
        return None
    rest = " ".join(text for start, text in cells[1:] if not start <= found[0] < start + len(text))
    said = "".join(c if c not in "|,;:()" else " " for c in rest)
    return Claim(f"{name} of {said}".removesuffix(" of "), _IS, *found, "lone line: row", "setting", local=True)


def _names_asetting_of(name: str) -> bool:
    """Whether a first cell is the name of a setting: no release, no service, no file."""
    if name[0].isdigit() or name[0] == "." or "/" in name or (name[0] == "v" and name[1:2].isdigit()):
        return False
    return (
        "_" in name
        or "." in name
        or name.startswith("-")
        or any(a.islower() and b.isupper() for a, b in pairwise(name))
    )


_READERS: tuple[tuple[str, Callable[[str], Claim | None]], ...] = (
    ("ALTER ", _alter),
    ("alter ", _alter),
    ("* * ", _cron),
    ("default", _option),
    ("env", _from_environment),
    ("ENV", _from_environment),
    ("${", _from_environment),
    ("et", _setter),
    ("option", _setter),
    ("onfig(", _setter),
    (": ", _style),
    (" ", _tool_version),
    ("{", _nested),
    (": ", _annotated),
    ("(", _made),
    ("{", _one_key),
    ("{", _block),
    ("config", _command),
    ("sysctl", _command),
    (" scale ", _command),
    (" set ", _command),
)
"""Readers in order, each with what a line must hold."""
