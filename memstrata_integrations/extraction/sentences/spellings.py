"""One form of words that people write in several: "SHA-256" and "sha256", "the grey one" and "gray", "K8s"."""

from __future__ import annotations

import re

from memstrata_integrations.units import MONTHS
from memstrata_integrations.words import unaccented

__all__ = ["SPELLINGS", "one_form"]

SPELLINGS = {
    "warn": "warning",
    "err": "error",
    "postgresql": "postgres",
    "pg": "postgres",
    "k8s": "kubernetes",
    "vs code": "visual studio code",
    "vscode": "visual studio code",
    "golang": "go",
    "nodejs": "node.js",
    "node": "node.js",
    "js": "javascript",
    "ts": "typescript",
    "mongo": "mongodb",
    "rabbit mq": "rabbitmq",
    "my sql": "mysql",
    "amazon web services": "aws",
    "aws s3": "s3",
    "amazon s3": "s3",
    "google cloud platform": "gcp",
    "google cloud": "gcp",
    "microsoft teams": "teams",
    "ms teams": "teams",
    "usa": "united states",
    "us": "united states",
    "uk": "united kingdom",
    "eu": "europe",
    "jpg": "jpeg",
    "yml": "yaml",
    "reactjs": "react",
    "react.js": "react",
    "vuejs": "vue",
    "vue.js": "vue",
    "maria db": "mariadb",
    "mac os": "macos",
    "ms windows": "windows",
    "elastic": "elasticsearch",
    "mssql": "microsoft sql server",
    "sql server": "microsoft sql server",
    "gha": "github actions",
    "gplv3": "gpl-3.0",
    "gplv2": "gpl-2.0",
    "gnu gplv3": "gpl-3.0",
    "gnu gplv2": "gpl-2.0",
    "holland": "netherlands",
    "international business machines": "ibm",
    "hewlett-packard": "hp",
    "hewlett packard": "hp",
    "general electric": "ge",
    "jp morgan": "jpmorgan",
    "j.p. morgan": "jpmorgan",
    "j. p. morgan": "jpmorgan",
    "procter & gamble": "p&g",
    "new york city": "new york",
    "nyc": "new york",
    "every day": "daily",
    "each day": "daily",
    "once a day": "daily",
    "every night": "nightly",
    "every week": "weekly",
    "once a week": "weekly",
    "every month": "monthly",
    "once a month": "monthly",
    "every hour": "hourly",
    "once an hour": "hourly",
    "annually": "yearly",
    "every year": "yearly",
    "once a year": "yearly",
    "fortnightly": "every two weeks",
    "biweekly": "every two weeks",
    "bi-weekly": "every two weeks",
    "every other week": "every two weeks",
    "every second week": "every two weeks",
    "once a fortnight": "every two weeks",
    "twice weekly": "twice a week",
    "two times a week": "twice a week",
    **{name[:3]: name for name in MONTHS if len(name) > 3},
    "sept": "september",
}
# British spellings and words, each before its American one
_BRITISH = (
    "aluminium aluminum grey gray greyish grayish theatre theater centre center licence license programme program "
    "catalogue catalog dialogue dialog analogue analog mould mold moulding molding plough plow yoghurt yogurt "
    "yoghourt yogurt fibre fiber fibreglass fiberglass tyre tire tyres tires whiskey whisky jewellery jewelry "
    "doughnut donut doughnuts donuts maths math mathematics math aubergine eggplant courgette zucchini coriander "
    "cilantro bike bicycle telephone phone colour color coloured colored flavour flavor harbour harbor neighbour "
    "neighbor labour labor parlour parlor armour armor vapour vapor metre meter litre liter cheque check kerb curb "
    "pyjamas pajamas autumn fall soccer football sulphur sulfur ageing aging storey story travelling traveling "
    "modelling modeling labelling labeling defence defense offence offense practise practice cosy cozy moustache "
    "mustache aeroplane airplane chilli chili gaol jail manoeuvre maneuver paediatric pediatric anaesthesia "
    "anesthesia websockets websocket ok okay & and"
)
_WORDS = dict(zip(*[iter(_BRITISH.split())] * 2, strict=True))
_LICENCE = re.compile(
    r"(?:the )?(?:gnu )?(apache|mozilla public|[al]?gpl|mpl|epl|bsd)(?: licen[cs]e)?,?[ -]?(?:version )?v?"
    r"(\d(?:\.\d)?)(?:\.0)*(?:-only)?(?: licen[cs]e)?\Z"
)
_ISING = re.compile(r"(?<=[a-z]{3})is(?=(?:e|ed|ing|ation|er)\b)")
_JOINED = re.compile(r"(?<=[a-z])[ -](?=\d)")
_CLASS_BEHIND = re.compile(
    r"(?<=[\w.-]) (?:mode|theme|licen[cs]e|branch|level|plan|tier|edition|region|channel|bucket|format|room|directory"
    r"|folder|team|squad|codec|encoding|protocol)\Z"
)
_MARKED = re.compile(r"(?:[#@.*_](?=[a-z])|\./(?=\w)|origin/|(?:the|an?) (?=\S))")


def one_form(value: str) -> str:
    """Return the form of a value by which it is compared: another spelling of it is no other value.

    Example:
        >>> [one_form(v) for v in ("SHA-256", "the #alerts channel", "Optimised grey fibre", "Apache License 2.0")]
        ['sha256', 'alerts', 'optimized gray fiber', 'apache2']
        >>> one_form("read-only"), one_form("Kraków"), one_form("every other week"), one_form("docs/")
        ('read only', 'krakow', 'every two weeks', 'docs')
    """
    value = unaccented(value.replace("’", "'")).casefold()
    while (mark := _MARKED.match(value)) is not None:
        value = value[mark.end() :]
    value = value.rstrip("/*_.") or value
    if (licence := _LICENCE.match(value)) is not None:
        return f"{'mpl' if licence[1][0] == 'm' else licence[1]}{licence[2].removesuffix('.0')}"
    value = _CLASS_BEHIND.sub("", value) if " " in value else value
    value = SPELLINGS.get(value, value)
    if "-" in value or " " in value:
        value = _JOINED.sub("", value).replace("-", " ")
        value = " ".join([_WORDS.get(word, word) for word in value.split(" ")])
    else:
        value = _WORDS.get(value, value)
    return _ISING.sub("iz", value) if "is" in value else value
