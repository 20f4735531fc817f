"""Dockerfiles: base images, arguments and variables."""

import re

from memstrata_integrations.extraction.sources.entries import Found, Written, escape, written
from memstrata_integrations.extraction.sources.kinds import Piece
from memstrata_integrations.extraction.sources.lines import logical_lines

_INSTRUCTION = re.compile(
    r"\s*(?P<word>ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL"
    r"|USER|VOLUME|WORKDIR)\s+",
    re.IGNORECASE,
)
_REFERENCE = r"\$(?:\w+(?!\w)|\{[^{}\s]+\})"
_BASE = re.compile(
    rf"(?:--platform=\S+\s+)?(?P<name>(?:[\w./-]|{_REFERENCE})+(?::\d+/[\w./-]+)?)"
    rf"(?::(?P<tag>(?:[\w.-]|{_REFERENCE})+))?(?:@(?P<digest>sha256:\w+))?"
    r"(?:\s+AS\s+(?P<stage>[\w.-]+))?\s*$",
    re.IGNORECASE,
)
_BY_NUMBER = re.compile(r"--(?:from=|mount=\S*\bfrom=)\d", re.IGNORECASE)
_PAIR = re.compile(
    r"(?P<name>[A-Za-z_]\w*)=(?P<value>\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:[^\s\"'\\]|\\.)+)(?=\s|\Z)[\s\\]*", re.DOTALL
)
_NAME_ONLY = re.compile(r"(?P<name>[A-Za-z_]\w*)\s+(?P<value>[^\s=][^\n]*)\Z")
_HEREDOC = re.compile(r"<<-?[\"']?(\w+)[\"']?")
_LONGEST_LINE = 5000


def read_dockerfile(piece: Piece) -> Found:
    """Read base images, arguments and variables.

    A base image is known by its stage's name; without one by its own, unless the text copies from stages by number.
    What an ``ENV`` or ``ARG`` sets belongs to its stage: in several lines above which no ``FROM`` can be seen it has no
    key. A section is "ENV" or "ARG", of a stage "ENV@stage" or "ENV@FROM:image", for such a line or one of its pairs.
    """
    text = piece.text
    found = Found(text)
    given, _, of_stage = (piece.section or "").partition("@")
    known = of_stage or piece.begins or _begins_stage(text)
    stage = escape(of_stage, dots=False) if known else None
    nameless = _BY_NUMBER.search(text) is None
    closing = ""
    for start, end in logical_lines(text):
        line = text[start:end]
        begin, stop = start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        if closing:
            found.prose = True
            closing = "" if line.strip() == closing else closing
            continue
        if begin >= stop or text[begin] == "#":
            continue
        word = _INSTRUCTION.match(text, start, end) if len(line) <= _LONGEST_LINE else None
        name = "" if word is None else word["word"].upper()
        found.structural = found.structural or (word is not None and word["word"].isupper())
        if given in ("ENV", "ARG") and _PAIR.fullmatch(text, begin, stop):
            _pairs(found, given, stage or "", begin, stop, (begin, stop))
        elif word is None:
            found.prose = True
        elif name == "FROM":
            stage = _base(found, word.end(), stop, (begin, stop), nameless=nameless)
        elif name in ("ENV", "ARG") and stage is not None:
            _pairs(found, name, stage, word.end(), stop, (begin, stop))
        else:
            found.prose = True
            heredoc = _HEREDOC.search(line) if name in ("RUN", "COPY") else None
            closing = heredoc[1] if heredoc is not None else ""
    return found


def _begins_stage(text: str) -> bool:
    """Whether nothing but arguments stands above the first base image, or the text is one line."""
    lines = (text[start:end].split(None, 1) for start, end in logical_lines(text))
    words = [line[0].upper() for line in lines if line and line[0][0] != "#"]
    return len(words) == 1 or next((word for word in words if word != "ARG"), "FROM") == "FROM"


def _base(found: Found, start: int, end: int, span: tuple[int, int], *, nameless: bool) -> str | None:
    """Take the base image of a stage, and return what the stage is known by, `None` for nothing."""
    text = found.text
    base = _BASE.match(text, start, end)
    part = next((p for p in ("tag", "digest") if base is not None and base[p]), None)
    found.structural = found.structural or part is not None
    if base is not None and base["stage"]:
        first, last = base.start("name"), max(base.end("name"), base.end("tag"), base.end("digest"))
        image = Written(first, last, text[first:last])
        found.setting("FROM:AS", base["stage"].lower(), image, span, "base image of a stage", mark=":")
        return escape(base["stage"].lower(), dots=False)
    found.prose = found.prose or part is None or not nameless
    if base is None or not nameless:
        return None
    if part is not None:
        found.pin("FROM", base["name"], base.span(part), span, "base image", mark=":", verbatim=True)
    return f"FROM:{escape(base['name'], dots=False)}"  # a stage is no image of its name


def _pairs(found: Found, word: str, stage: str, start: int, end: int, span: tuple[int, int]) -> None:
    text, pairs, pos = found.text, [], start
    while pair := _PAIR.match(text, pos, end):
        pairs.append(pair)
        pos = pair.end()
    if pos < end:
        single = _NAME_ONLY.match(text, start, end) if word == "ENV" and not pairs else None
        pairs = [single] if single is not None else []
        found.prose = found.prose or not (single or (word == "ARG" and text[start:end].isidentifier()))
    for pair in pairs:
        value = written(text, *pair.span("value"))
        if value is None:
            found.prose = True
            continue
        found.structural = True
        own = span if len(pairs) == 1 else (pair.start(), pair.end("value"))
        found.setting(f"{word}@{stage}" if stage else word, pair["name"], value, own, "variable", mark=":")
    if len(pairs) != 1:
        found.covered.append(span)
