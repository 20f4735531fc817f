"""One self-contained page: the report's Markdown as HTML, with its plots inside."""

import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from markdown_it import MarkdownIt

_IMAGES = re.compile(r'<p>((?:<img src="plots/[a-z_]+\.png" alt="[^"]*" />\s*)+)</p>')
_IMAGE = re.compile(r'<img src="plots/([a-z_]+)\.png" alt="([^"]*)" />')
_WORD = re.compile(r"[a-z0-9]+")


def page(title: str, lead: str, sections: Sequence[tuple[str, str]], unfolded: str, drawings: Mapping[str, str]) -> str:
    """Return the page.

    Args:
        title: Of the page.
        lead: Markdown before the first section.
        sections: Heading and Markdown of each.
        unfolded: The heading of the one that is not folded.
        drawings: SVG by name of the plot; stands where the Markdown names ``plots/NAME.png``.
    """
    markdown = MarkdownIt("commonmark", {"html": True, "xhtmlOut": True}).enable("table")

    def shown(text: str) -> str:
        rendered = markdown.render(text).replace("<table>", '<div class="wide"><table>')
        rendered = rendered.replace("</table>", "</table></div>")
        return _IMAGES.sub(lambda row: f'<div class="row">{_IMAGE.sub(drawn, row[1])}</div>', rendered)

    def drawn(found: re.Match[str]) -> str:
        return _figure(drawings[found[1]], found[2])

    def section(name: str, text: str) -> str:
        heading = f"<h2>{html.escape(name)}</h2>"
        if name == unfolded:
            return f'<section id="{_anchor(name)}">{heading}{shown(text)}</section>\n'
        inside = f'<div id="{_anchor(name)}">{shown(text)}</div>'
        return f"<details><summary>{heading}</summary>{inside}</details>\n"

    links = "".join(f'<li><a href="#{_anchor(name)}">{html.escape(name)}</a></li>' for name, _ in sections)
    body = "".join(section(name, text) for name, text in sections)
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    for slot, filled in (("TITLE", html.escape(title)), ("LEAD", shown(lead)), ("LINKS", links), ("BODY", body)):
        template = template.replace(f"<!--{slot}-->", filled)
    return template


def _anchor(heading: str) -> str:
    return "-".join(_WORD.findall(heading.casefold()))


def _figure(drawing: str, about: str) -> str:
    return f'<figure role="img" aria-label="{about}">{drawing}</figure>'
