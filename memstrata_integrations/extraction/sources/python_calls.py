"""What Python source states by calls: routes, and the arguments of ``setup()``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memstrata_integrations.extraction.sources.entries import Found, Written, whole_line
from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.sources.requirements import pin_at

if TYPE_CHECKING:
    from memstrata_integrations.extraction.sources.python_files import Places

__all__ = ["is_pattern", "read_decorator", "read_routes", "read_setup", "setup_lines"]

_VERBS = frozenset(("get", "post", "put", "patch", "delete", "head", "options", "websocket"))
_PATTERNS = frozenset(("path", "re_path", "url"))
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LISTS = frozenset(("install_requires", "tests_require", "setup_requires"))
_ARGUMENT = re.compile(
    r"\s*(?P<name>version|python_requires)\s?=\s?(?P<value>\"[^\"\n]+\"|'[^'\n]+')\s*(?P<comma>,?)\s*(?:#.*)?$"
)
_ITEM = re.compile(r"\s*(?P<string>\"[^\"\n]+\"|'[^'\n]+')\s*(?P<comma>,?)\s*(?:#.*)?$")
_RELATIONS = {"version": "has version", "python_requires": "requires python"}


def read_routes(tree: ast.Module, places: Places, found: Found, section: str) -> None:
    """Collect where handlers are served: decorators of Flask and FastAPI, patterns of Django.

    The key is the handler with its methods, or the name of the pattern; a handler or name with
    two routes has none.
    """
    for qualname, node in _functions(tree.body, section):
        for decorator in node.decorator_list:
            route = _decorated(decorator)
            if route is not None:
                _route(found, places, qualname, *route, decorator, ":")
    for call in _patterns(tree):
        name = next((k.value.value for k in call.keywords if k.arg == "name" and _is_text(k.value)), None)  # type: ignore[attr-defined]
        view = call.args[1]
        if isinstance(view, ast.Call) and _called(view) == "include":
            continue
        if _is_text(call.args[0]) and isinstance(view, (ast.Name, ast.Attribute, ast.Call)):
            handler = f"name={name}" if name is not None else ast.unparse(view)[:200]
            _route(found, places, section, handler, call.args[0], call, ".")


def read_decorator(tree: ast.Module, places: Places, found: Found, qualname: str) -> None:
    """Collect the routes of a function whose decorators alone are in the text."""
    for statement in tree.body:
        for decorator in statement.decorator_list if isinstance(statement, ast.FunctionDef) else ():
            route = _decorated(decorator)
            if route is None:
                found.prose = True
            else:
                _route(found, places, qualname, *route, decorator, ":")


def is_pattern(statement: ast.Expr) -> bool:
    """Whether an expression is a pattern of a list, or several, and nothing else."""
    parts = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
    return all(isinstance(p, ast.Call) and len(p.args) > 1 and _called(p) in _PATTERNS for p in parts)


def _functions(body: list[ast.stmt], qualname: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    pending: list[tuple[str, ast.AST]] = [(qualname, s) for s in reversed(body)]
    while pending:
        inside, node = pending.pop()
        if isinstance(node, _SCOPES):
            inside = f"{inside}.{node.name}" if inside else node.name
            if not isinstance(node, ast.ClassDef):
                yield inside, node
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            pending += [(inside, child) for child in ast.iter_child_nodes(node)]


def _decorated(node: ast.expr) -> tuple[str, ast.expr] | None:
    """Return the methods and the path of a decorator, `None` if it is no route."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    word = node.func.attr
    path = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg in ("path", "rule")), None)
    if path is None or not _is_text(path):
        return None
    if not _value(path).startswith(("/", "^")) and _value(path):
        return None
    if word in _VERBS and isinstance(node.func.value, (ast.Name, ast.Attribute)):
        return word, path
    if word != "route":
        return None
    methods = next((k.value for k in node.keywords if k.arg == "methods"), None)
    if methods is None:
        return "route", path
    if isinstance(methods, (ast.List, ast.Tuple, ast.Set)) and all(_is_text(m) for m in methods.elts):
        return "route:" + ",".join(sorted(_value(m).upper() for m in methods.elts)), path
    return None


def _patterns(tree: ast.Module) -> Iterator[ast.Call]:
    """Yield the patterns in the lists of a module."""
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and statement.value is not None:
            values = [statement.value]
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Call, ast.Tuple)):
            values = [statement.value]  # a fragment of a list
        else:
            continue
        for value in values:
            for node in ast.walk(value):
                if isinstance(node, ast.Call) and len(node.args) > 1 and _called(node) in _PATTERNS:
                    yield node


def _route(found: Found, places: Places, section: str, name: str, path: ast.expr, node: ast.expr, mark: str) -> None:
    start, end = places.of(path)
    text = places.text
    value = _value(path)
    if "\n" in text[start:end]:
        return
    first, last = places.of(node)
    if text[first - 1 : first] == "@":
        first -= 1
    inner = text.find(value, start, end) if value else -1
    place = Written(inner, inner + len(value), value) if inner >= 0 else Written(start, end, value)
    found.setting(section, name, place, whole_line(text, first, last), "route", relation="is served at", mark=mark)


def read_setup(tree: ast.Module, places: Places, source: Source, found: Found) -> None:
    """Collect the arguments of the one call of ``setup()``."""
    if source.name != "setup.py":
        return
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and _called(n) == "setup"]
    if len(calls) != 1:
        return
    for keyword in calls[0].keywords:
        name, value = keyword.arg, keyword.value
        if name in _RELATIONS and _is_text(value) and _value(value):
            start, end = places.of(value)
            first, _ = places.of(keyword)
            if end - start == len(_value(value)) + 2:
                found.pin("setup", name, (start + 1, end - 1), places.text, whole_line(places.text, first, end),
                          "setup", relation=_RELATIONS[name])  # fmt: skip
        elif name in _LISTS and isinstance(value, (ast.List, ast.Tuple)):
            _requirements(found, places, f"setup.{name}", value.elts)
        elif name == "extras_require" and isinstance(value, ast.Dict):
            for key, listed in zip(value.keys, value.values, strict=True):
                if key is not None and _is_text(key) and isinstance(listed, (ast.List, ast.Tuple)):
                    _requirements(found, places, f"setup.extras.{_value(key)}", listed.elts)


def _requirements(found: Found, places: Places, section: str, items: list[ast.expr]) -> None:
    for item in items:
        if _is_text(item):
            start, end = places.of(item)
            pin = pin_at(places.text, start + 1, end - 1)
            if pin is not None:
                span = whole_line(places.text, start, end)
                found.pin(section, pin.name, (pin.start, pin.end), places.text, span, "requirement")


def setup_lines(text: str, source: Source, found: Found, section: str | None) -> None:
    """Read single lines out of the call in ``setup.py``.

    A line of a list gives a key if it names one exact version: two of them for one package
    cannot hold together.
    """
    if source.name != "setup.py" or "\n" in text.strip():
        return
    argument = _ARGUMENT.match(text)
    item = _ITEM.match(text)
    start = len(text) - len(text.lstrip())
    span = (start, len(text.rstrip()))
    inside = section is not None and section.partition(".")[0] == "setup"
    if argument is not None and (argument["comma"] or inside):
        found.entries.clear()
        place = (argument.start("value") + 1, argument.end("value") - 1)
        name = argument["name"]
        found.pin("setup", name, place, text, span, "setup", relation=_RELATIONS[name])
    elif item is not None and (item["comma"] or inside):
        pin = pin_at(text, item.start("string") + 1, item.end("string") - 1)
        if pin is None or not (pin.exact or inside):
            return
        found.pin(section if inside else "?", pin.name, (pin.start, pin.end), text, span, "requirement")
    else:
        return
    found.structural, found.prose = True, False


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) and node.func.attr == "setup" else ""


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _value(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
