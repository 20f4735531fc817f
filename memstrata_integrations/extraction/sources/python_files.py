"""Python source: constants, defaults of parameters, return annotations; nothing is ever run."""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence

from memstrata_integrations.extraction.sources.entries import LONGEST_VALUE, Found, Written, whole_line
from memstrata_integrations.extraction.sources.kinds import Source
from memstrata_integrations.extraction.sources.python_calls import (
    is_pattern,
    read_decorator,
    read_routes,
    read_setup,
    setup_lines,
)
from memstrata_integrations.extraction.sources.scalars import annotation, of_object

__all__ = ["Places", "literal", "read_python"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_ROOT_LINE = re.compile(r"^[^\s#)\]}][^\n]*", re.MULTILINE)
_CODE = re.compile(r"[=(){}\[\]:@,\\]|^\s*(?:#|return\b|pass\b|else\b|try\b|from\b|import\b|[\w.]+$)|\"\"\"|'''")
_SENTENCE = re.compile(r"\s*[A-Za-z][\w'’,-]*(?: [\w'’(),.-]+){3,}[.:;,]?\s*$")
_CONSTANT = re.compile(r"(?:_*[A-Z][A-Z0-9_]*|__\w+__)\Z")
_OWN = ("version", "release")
_RETURN = re.compile(r"\s*->\s*(?P<type>[^\n:]+?)\s*:?\s*\Z")
_PARAMETER = re.compile(r"\s*\*{0,2}(?P<name>[A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s*(?P<value>\S[^\n]*?)\s*,?\s*\Z")
_OF_METHODS = frozenset(("staticmethod", "classmethod", "property", "abstractmethod"))
_BRANCH = re.compile(r"(?:else|elif|except|finally)\b[^\n]*")
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_LARGEST = 10**15
_STEP = 4  # columns
_MOST_STARTS = 5
_LARGEST_PIECE = 200_000  # characters: a text that long is no cut piece


class Places:
    """Turns the positions of the syntax tree (lines, bytes) into places in the text."""

    def __init__(self, text: str, offset: int = 0) -> None:
        self.text = text
        self.offset = offset
        self._lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text[offset:])
        self._starts = [offset]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Return the place of a line (from 1) and a column in bytes."""
        content = self._lines[line - 1]
        if not content.isascii():
            column = len(content.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + column

    def of(self, node: ast.AST) -> tuple[int, int]:
        """Return where a node stands."""
        start = self.at(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        return start, self.at(getattr(node, "end_lineno", 1), getattr(node, "end_col_offset", 0))


def read_python(text: str, source: Source, section: str | None, *, trusted: bool, begins: bool = False) -> Found:
    """Read Python source.

    A name counts if its scope binds it once, to a literal. A list or another literal with
    several parts is one value, compared as a whole: the old statement is untrue as soon as the
    new one stands in its place, and what is built up in steps (``X += [1]``) is bound twice and
    gives none. Statements that the edges of a piece cut are left out, and if the text inside a
    string cannot be told from code, everything is.

    Args:
        text: The text.
        source: The file.
        section: The class that the text stands in, or the function with "()" for a parameter,
            if metadata names it.
        trusted: Whether the first column is the file's.
        begins: Whether the text begins the file.
    """
    found = Found()
    if section is not None and section.endswith("()"):
        _parameter(text, section, found)
        if found.entries:
            return found
    parsed = _parse(text)
    offset, tree = (0, parsed) if parsed is not None else _part(text)
    if tree is None or not tree.body:
        found.prose = True
        indented = _parse("if 1:\n" + text) if text[:1] in " \t" else None
        found.structural = (
            indented is not None or (parsed is not None and bool(text.strip())) or not _reads_as_prose(text)
        )
        if parsed is None:
            setup_lines(text, source, found, section)
        return found
    found.structural = not (parsed is not None and _reads_as_prose(text))
    found.prose = offset > 0 or parsed is None
    reader = _Reader(text, Places(text, offset), source, found)
    sure = trusted or offset > 0 or section is not None
    cut = reader.stubs and not begins and section is None and "overload" in text  # its mark may stand above the piece
    if (cut and isinstance(tree.body[0], _FUNCTIONS)) or (not sure and _from_inside(tree.body[0])):
        tree.body = tree.body[1:]
        found.prose = True
    reader.first = None if begins or not tree.body else tree.body[0]
    reader.scope(tree.body, section or "", sure=sure)
    read_routes(tree, reader.places, found, section or "")
    read_setup(tree, reader.places, source, found)
    if parsed is not None:
        setup_lines(text, source, found, section)
    return found


def _parse(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _part(text: str) -> tuple[int, ast.Module | None]:
    """Return where the whole statements of a cut text start, and their tree."""
    if len(text) > _LARGEST_PIECE:
        return 0, None
    starts = [m.start() for m in _ROOT_LINE.finditer(text)]
    heads = [s for s in starts[: _MOST_STARTS + 1] if s > 0 or text[:1] not in " \t"]
    ends = [len(text), *reversed(starts[-_MOST_STARTS:])]
    for end in ends:
        for start in heads:
            if start >= end or (start == 0 and end == len(text)):
                continue
            dropped = text[:start] + "\n" + text[end:]
            if '"""' in dropped or "'''" in dropped or not _is_code(dropped):
                continue
            tree = _parse(text[:end] if start == 0 else text[start:end])
            if tree is not None and not (_BRANCH.match(text, end) and _is_simple(tree)):
                return start, tree
    return 0, None


def _is_simple(tree: ast.Module) -> bool:
    """Whether nothing opens the block that a branch below closes: what stands above it has lost its indentation."""
    opening = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try)
    return bool(tree.body) and not isinstance(tree.body[-1], opening)


def _is_code(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return all(_CODE.search(line) and not _SENTENCE.match(line) for line in lines)


def _reads_as_prose(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return all(_SENTENCE.match(line) or not _CODE.search(line) for line in lines)


def _parameter(text: str, section: str, found: Found) -> None:
    """Read one parameter, one return annotation or the decorators of the function that metadata names."""
    if text.lstrip()[:1] == "@":
        tree = _parse(text.lstrip() + "\ndef f(): ...")
        if tree is not None and len(tree.body) == 1:
            found.structural = True
            read_decorator(tree, Places(text, len(text) - len(text.lstrip())), found, section[:-2])
        return
    returned = _RETURN.match(text)
    if returned is not None:
        start, end = returned.span("type")
        found.structural = True
        found.setting(section[:-2], "return", Written(start, end, _normal(returned["type"])), (0, len(text)), "return",
                      mark=":")  # fmt: skip
        return
    match = _PARAMETER.match(text)
    if match is None:
        return
    try:
        value = literal(ast.parse(match["value"], mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if value is not None:
        found.structural = True
        start, end = match.span("value")
        place = _unquoted(text, start, end, value)
        found.setting(section[:-2], match["name"], place, (0, len(text)), "default", relation="defaults to", mark=":")


def _normal(text: str) -> str:
    try:
        return annotation(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return " ".join(text.split())


def literal(node: ast.expr, depth: int = 0) -> str | None:
    """Return the canonical form of a literal, `None` if the expression has to be run.

    Example:
        >>> [literal(ast.parse(code, mode="eval").body) for code in ("60 * 30", "'a'", "[1, 'a']", "f(1)")]
        ['1800', 'a', "[1, 'a']", None]
    """
    if isinstance(node, ast.Constant):
        if node.value is Ellipsis:
            return None
        return of_object(node.value) if isinstance(node.value, (str, int, float)) else repr(node.value)
    if depth > 20:
        return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return of_object(-node.operand.value) if isinstance(node.operand.value, (int, float)) else None
    if isinstance(node, ast.BinOp):
        number = _number(node, depth)
        return None if number is None else str(number)
    parts: Sequence[ast.expr | None]
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        parts = node.elts
    elif isinstance(node, ast.Dict):
        parts = [*node.keys, *node.values]
    else:
        return None
    if any(part is None or literal(part, depth + 1) is None for part in parts):
        return None
    return ast.unparse(node)


def _number(node: ast.expr, depth: int) -> int | None:
    """Work out sums and products of whole numbers: ``60 * 60``."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if not isinstance(node, ast.BinOp) or depth > 20:
        return None
    sign = _OPERATORS.get(type(node.op))
    left, right = _number(node.left, depth + 1), _number(node.right, depth + 1)
    if sign is None or left is None or right is None:
        return None
    number = left + right if sign == "+" else left - right if sign == "-" else left * right
    return number if abs(number) < _LARGEST else None


def _unquoted(text: str, start: int, end: int, value: str) -> Written:
    inner = text[start + 1 : end - 1]
    if text[start] in "\"'" and text[end - 1] == text[start] and inner.strip() and inner == value:
        return Written(start + 1, end - 1, value)
    return Written(start, end, value)


class _Reader:
    """Collects the bindings of one tree."""

    def __init__(self, text: str, places: Places, source: Source, found: Found) -> None:
        self.text = text
        self.places = places
        self.source = source
        self.found = found
        self.stubs = source.name.endswith(".pyi")
        self.first: ast.stmt | None = None  # of a piece, above which something may stand

    def scope(self, body: Sequence[ast.stmt], qualname: str, *, sure: bool, depth: int = 0) -> None:
        """Collect from the statements of a module or a class."""
        bound = Counter(_bound(body))
        if not self.stubs:  # an implementation stands beside its variants
            bound.subtract(s.name for s in body if isinstance(s, _FUNCTIONS) and self.is_variant(s))
        for n, statement in enumerate(body):
            if isinstance(statement, _FUNCTIONS):
                self.found.prose = self.found.prose or not _is_stub(statement)
                if bound[statement.name] == 1 and not self.is_variant(statement):
                    self.signature(statement, _inside(qualname, statement.name))
            elif isinstance(statement, ast.ClassDef):
                header = self.places.of(statement)[0]
                self.found.covered.append((header, self.places.of(statement.body[0])[0]))
                if bound[statement.name] == 1 and depth < 10:
                    self.scope(statement.body, _inside(qualname, statement.name), sure=True, depth=depth + 1)
                else:
                    self.found.prose = True
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                self.assignment(statement, bound, qualname, sure=sure or n > 0)
            elif not isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass)):
                listed = isinstance(statement, ast.Expr) and is_pattern(statement)
                self.found.prose = self.found.prose or not listed

    def is_variant(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether a function is one of several of its name: the mark may stand in the piece before."""
        if _is_variant(node):
            return True
        # a lone "..." may as well be abstract, or of a protocol
        marked = node is self.first or "overload" in self.text
        return marked and not self.stubs and not node.decorator_list and _is_empty(node)

    def assignment(self, node: ast.Assign | ast.AnnAssign, bound: Counter[str], qualname: str, *, sure: bool) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value = None if node.value is None else literal(node.value)
        names = [t.id for t in targets if isinstance(t, ast.Name)]
        if node.value is None or value is None or len(names) != len(targets):
            self.found.prose = True
            return
        start, end = self.places.of(node.value)
        if end - start > LONGEST_VALUE:
            self.found.prose = True
            return
        first, last = self.places.of(node)
        span = whole_line(self.text, first, last)
        place = _unquoted(self.text, start, end, value)
        for name in names:
            own = self.source.name == "conf.py" and name in _OWN
            if bound[name] != 1 or not (sure or own or _CONSTANT.match(name)):
                self.found.prose = True
            elif name == "__version__" or (own and name == "version" and not qualname):
                self.found.pin(qualname, name, place[:2], self.text, span, "version", relation="has version")
            else:
                self.found.setting(qualname, name, place, span, "constant")

    def signature(self, node: ast.FunctionDef | ast.AsyncFunctionDef, qualname: str) -> None:
        """Collect the defaults of parameters and the type that is returned."""
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        first = len(positional) - len(arguments.defaults)
        pairs = [*zip(positional[first:], arguments.defaults, strict=True)]
        pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
        for argument, default in pairs:
            value = literal(default)
            start, end = self.places.of(default)
            if value is None or end - start > LONGEST_VALUE or "\n" in self.text[start:end]:
                continue
            span = (self.places.of(argument)[0], end)
            self.found.setting(qualname, argument.arg, _unquoted(self.text, start, end, value), span, "default",
                               relation="defaults to", mark=":")  # fmt: skip
        if node.returns is not None:
            start, end = self.places.of(node.returns)
            arrow = self.text.rfind("->", 0, start)
            if "\n" not in self.text[start:end] and not self.text[arrow + 2 : start].strip():
                written = Written(start, end, annotation(node.returns))
                self.found.setting(qualname, "return", written, (arrow, end), "return", mark=":")


def _from_inside(node: ast.stmt) -> bool:
    """Whether the first statement has lost its indentation: its body stands two steps in, or it is a method."""
    if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return False
    if any(isinstance(mark, ast.Name) and mark.id in _OF_METHODS for mark in node.decorator_list):
        return True
    first = node.body[0]
    if first.lineno > node.lineno and first.col_offset > _STEP:
        return True
    arguments = [] if isinstance(node, ast.ClassDef) else [*node.args.posonlyargs, *node.args.args]
    return bool(arguments) and arguments[0].arg in ("self", "cls")


def _inside(qualname: str, name: str) -> str:
    return f"{qualname}.{name}" if qualname else name


def _is_variant(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is one of several of its name: `@overload`, `@f.register`, ``def _``."""
    marks = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    called = {m.attr if isinstance(m, ast.Attribute) else getattr(m, "id", "") for m in marks}
    return node.name == "_" or not called.isdisjoint(("overload", "register"))


def _is_empty(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the body is "...", under a docstring perhaps."""
    parts = [s.value.value for s in node.body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)]
    return len(parts) == len(node.body) and parts[-1] is ... and all(isinstance(p, str) for p in parts[:-1])


def _is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return (
        all(
            isinstance(s, ast.Pass)
            or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and s.value.value is ...)
            for s in node.body
        )
        and not node.decorator_list
    )


def _bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield each name as often as a scope binds it, functions that name it `global` included."""
    pending: list[tuple[ast.AST, bool]] = [(s, True) for s in body]
    while pending:
        node, own = pending.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            if own:
                yield node.name
            pending += [(child, False) for child in ast.iter_child_nodes(node)]
        elif isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        else:
            if own and isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                yield node.id
            elif own and isinstance(node, ast.alias):
                yield (node.asname or node.name).partition(".")[0]
            elif own and isinstance(node, ast.ExceptHandler) and node.name:
                yield node.name
            elif (
                own and isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del))
            ):
                if isinstance(node.value, ast.Name):
                    yield node.value.id
            elif own and (changed := _changed_in_place(node)) is not None:
                yield changed
            pending += [(child, own) for child in ast.iter_child_nodes(node)]


def _changed_in_place(node: ast.AST) -> str | None:
    """Return the name of what a statement changes by a method: ``X.append(1)``."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        owner = node.value.func.value
        return owner.id if isinstance(owner, ast.Name) else None
    return None
