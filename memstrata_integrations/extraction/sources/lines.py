"""Files of lines: environments, properties, Dockerfiles, INI, and files that hold one value."""

from __future__ import annotations

import re

from memstrata_integrations.extraction.sources.entries import (
    LONGEST_VALUE,
    Found,
    Written,
    escape,
    written,
)
from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.sources.requirements import logical_lines, pin_at
from memstrata_integrations.extraction.sources.scalars import in_ini, in_words

__all__ = ["read_dockerfile", "read_env", "read_ini", "read_properties", "read_single"]

_VARIABLE = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][\w.]*)\s?=(?P<value>.*)$", re.DOTALL)
_PROPERTY = re.compile(r"[ \t\f]*(?P<name>(?:[^\s=:\\]|\\.)+)(?P<mark>[ \t\f]*[=:][ \t\f]*|[ \t\f]+|(?=\s*\Z))")
_NEXT_PART = re.compile(r"^[#!]---[ \t]*$", re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_INSTRUCTION = re.compile(
    r"\s*(?P<word>ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL"
    r"|USER|VOLUME|WORKDIR)\s+",
    re.IGNORECASE,
)
_REFERENCE = r"\$(?:\w+(?!\w)|\{[^{}\s]+\})"
_WORD = re.compile(r"(?:--\S+\s+)*([^\s:@]*(?::\d+/[^\s:@]*)?).*\Z", re.DOTALL)  # an image without its tag
_FROM_NUMBER = re.compile(r"\s*(?:COPY|RUN|ADD)\s(?:[^\n]*\s)?--(?:from=|mount=\S*\bfrom=)\d+\b", re.IGNORECASE)
_BASE = re.compile(
    rf"(?:--platform=\S+\s+)?(?P<name>(?:[\w./-]|{_REFERENCE})+(?::\d+/[\w./-]+)?)"
    rf"(?::(?P<tag>(?:[\w.-]|{_REFERENCE})+))?(?:@(?P<digest>sha256:\w+))?"
    r"(?:\s+AS\s+(?P<stage>[\w.-]+))?\s*$",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"(?P<name>[A-Za-z_]\w*)=(?P<value>\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:[^\s\"'\\]|\\.)+)(?=\s|\Z)", re.DOTALL
)
_NAME_ONLY = re.compile(r"(?P<name>[A-Za-z_]\w*)\s+(?P<value>[^\s=][^\n]*)\Z")
_HEREDOC = re.compile(r"<<-?[\"']?(\w+)[\"']?")
_SECTION = re.compile(r"\[(?P<header>[^\]\n]+)\]\s*(?:[#;].*)?$")
_OPTION = re.compile(r"(?P<name>[^\s:=#;\[][^:=\n]{0,100}?)\s*(?P<mark>[:=])(?P<value>[^\n]*)$")
_SENTENCE = re.compile(r"[A-Za-z][\w'’,-]*(?: [\w'’(),-]+){3,}")
_LISTS = frozenset(("install_requires", "tests_require", "setup_requires", "requires", "build_requires", "deps"))
_FACTOR = re.compile(r"(?P<factor>[\w{},.!-]+)\s*:\s+")


def read_single(text: str, source: Source) -> Found:
    """Read a file that is one value, like ``.python-version``; of several lines nothing."""
    found = Found()
    lines = [(s, e) for s, e in logical_lines(text) if text[s:e].strip() and text[s:e].lstrip()[0] != "#"]
    if len(lines) != 1 or len(text[lines[0][0] : lines[0][1]].split()) != 1:
        found.prose = True
        return found
    value = written(text, *lines[0])
    if value is not None:
        found.structural = True
        found.setting(None, source.name, value, (value.start, value.end), "single value")
    return found


def read_env(text: str) -> Found:
    """Read ``KEY=value`` lines; what a quote holds that stays open, or began before the text, is no variable."""
    found = Found()
    closing = ""
    for start, end in _plain_lines(text):
        line = text[start:end]
        stripped = line.strip()
        if closing:
            found.prose = True
            closing = "" if closing in line else closing
            continue
        if not stripped or stripped[0] == "#":
            continue
        match = _VARIABLE.match(text, start, end) if len(line) <= 5000 else None
        if match is None:
            found.prose = True
            if line.count('"') % 2 or line.count("'") % 2:
                found.entries.clear()  # what stands above it may be inside of a quotation that began before the text
            continue
        found.structural = True
        value = written(text, *match.span("value"), comments=True)
        stop = start + len(line.rstrip())
        bare = match["value"].strip()
        if value is None and not bare:
            value = Written(match.start("value") - 1, match.start("value"), "")  # the sign stands for what is empty
        if value is None:
            # a quote that does not close is cut
            found.prose = True
            closing = bare[0] if bare[:1] in ("'", '"') and bare[0] not in bare[1:] else ""
            found.covered.append((start, stop))
            continue
        found.setting(None, match["name"], value, (start + len(line) - len(line.lstrip()), stop), "variable")
    return found


def read_properties(text: str) -> Found:
    """Read the lines of a properties file, as `java.util.Properties` does.

    A value that goes on in the next line has no key, nor has a name that a space alone ends, unless it has the
    form of one: "The timeout is 30" is a sentence.
    """
    found = Found()
    goes_on = False
    part = _NEXT_PART.search(text)  # of another profile
    for start, end in _plain_lines(text):
        if part is not None and start >= part.start():
            found.prose = True
            break
        line = text[start:end].rstrip("\r")
        stripped = line.strip()
        before, goes_on = goes_on, (len(line) - len(line.rstrip("\\"))) % 2 == 1
        if not before and (not stripped or stripped[0] in "#!"):
            goes_on = False
            continue
        tail = start == 0 and line[:1].isspace()  # of a piece that begins amid a value that goes on
        match = None if before or goes_on or tail or len(line) > 5000 else _PROPERTY.match(text, start, end)
        if match is None or not _is_property(match):
            found.prose = True
            found.structural = found.structural or goes_on
            continue
        found.structural = True
        stop = start + len(line.rstrip())
        begin = match.end()
        if stop - begin > LONGEST_VALUE:
            found.prose = True
            continue
        # the sign stands for what is empty
        value = Written(begin, stop, in_words(text[begin:stop])) if begin < stop else Written(stop - 1, stop, "")
        name = _ESCAPED.sub(r"\1", match["name"])
        found.setting(None, name, value, (match.start("name"), stop), "property", mark=":")
    return found


def _is_property(match: re.Match[str]) -> bool:
    if "=" in match["mark"]:
        return True
    value = match.string[match.end() : match.endpos]
    if ":" in match["mark"]:
        return len(value.split()) < 4  # "Note: this is what the port is for"
    return bool(value.strip()) and any(c in match["name"] for c in "._-")


def _plain_lines(text: str) -> list[tuple[int, int]]:
    spans = []
    pos = 0
    for line in text.split("\n"):
        spans.append((pos, pos + len(line)))
        pos += len(line) + 1
    return spans


def read_dockerfile(text: str, section: str | None, *, begins: bool = False) -> Found:
    """Read base images, arguments and variables.

    The base image of a stage is known by the stage's name, whatever the image; without one by the
    image's, and by whether the stage copies from one before it (``--from=0``). What an ``ENV`` or ``ARG`` sets
    belongs to its stage: in several lines above which no ``FROM`` can be seen it has no key; a stage without a
    name is known by its image, without the tag. What is set in two ways, in two such stages, is stated by neither.

    Args:
        text: The text.
        section: "ENV" or "ARG", of a stage "ENV@stage" or "ENV@FROM:image", for a text that is such a line, or one
            of its pairs; "FROM@later" for the base image of a stage that copies from one before it.
        begins: Whether the text begins the file.
    """
    found = Found()
    closing: str | None = None
    given, _, stage_given = (section or "").partition("@")
    stage: str | None = escape(stage_given, dots=False) if stage_given else None
    if not stage_given and (begins or _begins_stage(text)):
        stage = ""
    later = _later_stages(text)
    for start, end in logical_lines(text):
        line = text[start:end]
        stripped = line.strip()
        if closing is not None:
            found.prose = True
            closing = None if stripped == closing else closing
            continue
        if not stripped or stripped[0] == "#":
            continue
        stop = start + len(line.rstrip())
        if given in ("ENV", "ARG") and _PAIR.fullmatch(stripped):
            begin = start + len(line) - len(line.lstrip())
            found.structural = True
            _pairs(found, text, _of_stage(given, stage or ""), begin, stop, (begin, stop))
            continue
        word = _INSTRUCTION.match(text, start, end)
        if word is None or len(line) > 5000:
            found.prose = True
            continue
        begin, name = word.start("word"), word["word"].upper()
        found.structural = found.structural or word["word"].isupper()
        if name == "FROM":
            is_later = start in later or (given, stage_given) == ("FROM", "later")
            stage = _base(found, text, word.end(), stop, (begin, stop), later=is_later)
        elif name in ("ENV", "ARG") and stage is not None:
            _pairs(found, text, _of_stage(name, stage), word.end(), stop, (begin, stop))
        else:
            found.prose = True
            heredoc = _HEREDOC.search(line) if name in ("RUN", "COPY") else None
            closing = heredoc[1] if heredoc is not None else None
    return found


def _begins_stage(text: str) -> bool:
    """Whether nothing but arguments stands above the first base image, or the text is one line."""
    lines = [text[start:end].split(None, 1) for start, end in logical_lines(text)]
    words = [line[0].upper() for line in lines if line and line[0][0] != "#"]
    return len(words) == 1 or next((word for word in words if word != "ARG"), "FROM") == "FROM"


def _later_stages(text: str) -> set[int]:
    """Return where the ``FROM`` of each stage stands that copies from one before it by its number."""
    later: set[int] = set()
    stage = None
    for start, end in logical_lines(text):
        line = text[start:end]
        if line.split(None, 1)[:1] and line.split(None, 1)[0].upper() == "FROM":
            stage = start
        elif stage is not None and len(line) <= 5000 and _FROM_NUMBER.match(line):
            later.add(stage)
    return later


def _of_stage(word: str, stage: str) -> str:
    return f"{word}@{stage}" if stage else word


def _base(found: Found, text: str, start: int, end: int, span: tuple[int, int], *, later: bool) -> str:
    """Take the base image of a stage, and return what the stage is known by."""
    base = _BASE.match(text, start, end)
    part = next((p for p in ("tag", "digest") if base is not None and base[p]), None)
    found.structural = found.structural or part is not None
    if base is not None and base["stage"]:
        stop = max(base.end("name"), base.end("tag"), base.end("digest"))
        image = Written(base.start("name"), stop, text[base.start("name") : stop])
        found.setting("FROM:AS", base["stage"].lower(), image, span, "base image of a stage", mark=":")
        return escape(base["stage"].lower(), dots=False)
    if base is not None and part is not None:
        place = "FROM@later" if later else "FROM"
        found.pin(place, base["name"], base.span(part), text, span, "base image", mark=":")
    else:
        found.prose = True
    image_name = base["name"] if base is not None else _WORD.sub(r"\1", text[start:end].strip())
    # a stage is no image of its name
    return f"FROM:{escape(image_name, dots=False)}" + ("@later" if later else "")


def _pairs(found: Found, text: str, word: str, start: int, end: int, span: tuple[int, int]) -> None:
    pairs = []
    pos = start
    while pair := _PAIR.match(text, pos, end):
        pairs.append(pair)
        pos = pair.end()
        while pos < end and text[pos] in " \t\\\r\n":
            pos += 1
    if pos < end:
        single = _NAME_ONLY.match(text, start, end) if word.startswith("ENV") and not pairs else None
        if single is None:
            found.prose = found.prose or not (word.startswith("ARG") and text[start:end].isidentifier())
            found.covered.append(span)
            return
        pairs = [single]
    for pair in pairs:
        value = written(text, *pair.span("value"))
        if value is None:
            found.prose = True
            continue
        found.structural = True  # in small letters, too
        found.setting(word, pair["name"], value, span if len(pairs) == 1 else pair.span(), "variable", mark=":")
    if len(pairs) > 1:
        found.covered.append(span)


def read_ini(text: str, source: Source, section: str | None) -> Found:
    """Read the options of an INI file.

    What stands above the first header belongs to a section that cannot be seen, and gives no
    key, unless metadata names the section, or the text is known to begin the file. Section headers
    and options are those of `configparser`.

    Args:
        text: The text.
        source: The file.
        section: The section that the text starts in, if it is known ("" for the top).
    """
    found = Found()
    if section is not None and _lists_requirements(*section.rpartition(":")[::2]):
        found.structural = True
        _pins(found, text, section, 0, len(text))
        return found
    option: re.Match[str] | None = None
    indent = stop = 0
    inside = section is not None
    for start, end in _plain_lines(text):
        line = text[start:end].rstrip()
        stripped = line.lstrip()
        if not stripped or stripped[0] in "#;":
            continue
        begin, end = start + len(line) - len(stripped), start + len(line)
        if option is not None and begin - start > indent:
            stop = end
            continue
        if option is not None:
            _option(found, text, source, section, option, stop)
            option = None
        header = _SECTION.match(stripped)
        if header is not None:
            section, inside = header["header"].strip(), True
            found.structural = True
            found.covered.append((begin, end))
            continue
        match = _OPTION.match(text, begin, end) if len(line) <= 5000 else None
        if match is None or (not section and _SENTENCE.match(match["name"])) or (begin > start and not inside):
            found.prose = True  # or the rest of an option that began before this text
            continue
        found.structural = True
        option, indent, stop = match, begin - start, end
    if option is not None:
        _option(found, text, source, section, option, stop)
    return found


def _lists_requirements(section: str, name: str) -> bool:
    return name in _LISTS or section == "options.extras_require"


def _option(found: Found, text: str, source: Source, section: str | None, option: re.Match[str], stop: int) -> None:
    name, span = option["name"].strip(), (option.start("name"), stop)
    if section is None and source.name == "setup.cfg" and name == "python_requires":
        section = "options"  # no other section has it
    if section is None:
        found.prose = True
        return
    start = option.start("value")
    if _lists_requirements(section, name):
        _pins(found, text, f"{section}:{name}", start, stop)
        found.covered.append((span[0], start))
        return
    value = written(text, start, stop, comments="\n" not in text[start:stop], plain=in_ini)
    if value is None:
        found.prose = found.prose or bool(text[start:stop].strip())
        found.covered.append(span)
        return
    if "\n" in value.value:
        parts = [part.strip() for part in value.value.split("\n")]
        value = value._replace(value="\n".join(p for p in parts if p and p[0] not in "#;"))
    if source.name == "setup.cfg" and (section, name) in (("metadata", "version"), ("options", "python_requires")):
        relation = "has version" if name == "version" else "requires python"
        found.pin(section, name, (value.start, value.end), text, span, "option", relation=relation, mark=":")
        return
    found.setting(section, name, value, span, "option", mark=":")


def _pins(found: Found, text: str, section: str, start: int, stop: int) -> None:
    pos = start
    while pos < stop:
        end = text.find("\n", pos, stop)
        end = stop if end < 0 else end
        line = text[pos:end]
        begin = pos + len(line) - len(line.lstrip())
        limit = pos + len(line.partition(" #")[0].rstrip())
        pos = end + 1
        if begin >= limit or text[begin] in "#;":
            continue
        factor = _FACTOR.match(text, begin, limit)
        pin = pin_at(text, factor.end() if factor else begin, limit)
        if pin is None:
            found.prose = True
            continue
        name = f"{factor['factor']}:{pin.name}" if factor else pin.name
        found.pin(section, name, (pin.start, pin.end), text, (begin, end), "option of requirements", mark=":")
