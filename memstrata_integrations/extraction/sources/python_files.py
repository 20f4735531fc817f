"""Python source: constants, defaults of parameters, ``setup()``; nothing is ever run."""

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import add, mul, sub

from memstrata_integrations.extraction.sources.entries import LONGEST_VALUE, Found, Written, of_object, whole_line
from memstrata_integrations.extraction.sources.kinds import Piece
from memstrata_integrations.extraction.sources.lines import pin_at

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_CODE = re.compile(r"[=(){}\[\]:@,\\]|^\s*(?:#|return\b|pass\b|else\b|try\b|from\b|import\b|[\w.]+$)|\"\"\"|'''")
_SENTENCE = re.compile(r"\s*[A-Za-z][\w'’,-]*(?: [\w'’(),.-]+){3,}[.:;,]?\s*$")
_CONSTANT = re.compile(r"(?:_*[A-Z][A-Z0-9_]*|__\w+__)\Z")
_OF_METHODS = frozenset(("staticmethod", "classmethod", "property", "abstractmethod"))
_LISTS = frozenset(("install_requires", "tests_require", "setup_requires"))
_RELATIONS = {"version": "has version", "python_requires": "requires python"}
_OPERATORS = {ast.Add: add, ast.Sub: sub, ast.Mult: mul}
_LARGEST = 10**15
_STEP = 4  # columns
_DEEPEST = 20
_DEEPEST_CLASS = 10


def read_python(piece: Piece) -> Found:
    """Read Python source.

    A name counts if its scope binds it once, to a literal; what is built up in steps (``X += [1]``) is bound twice. A
    piece whose edges cut a statement has no keys. A section is the class that the text stands in, the function with
    "()" of a parameter, or "setup" with what holds a requirement.
    """
    text, section = piece.text, piece.section
    found = Found(text)
    if section is not None and section.endswith("()"):
        return _within(found, f"def f({text}\n): pass", section[:-2])
    if (
        piece.source.name == "setup.py"
        and "\n" not in text.strip()
        and _within(found, f"setup({text}\n)", section or "").entries
    ):
        return found
    tree = _parse(text)
    found.structural = not all(_is_prose(line) for line in text.split("\n") if line.strip())
    if tree is None or not tree.body:
        found.prose = True
        return found
    sure = piece.trusted or section is not None
    # the mark of a variant may stand above the piece
    cut = piece.source.name.endswith(".pyi") and not piece.begins and section is None and "overload" in text
    if cut or (not sure and _from_inside(tree.body[0])):
        del tree.body[0]
        found.prose = True
    _Reader(found, text, 0, piece.source.name).scope(tree.body, section or "", sure=sure)
    return found


def _within(found: Found, code: str, section: str) -> Found:
    """Read parameters of the function that metadata names, or a line of the call of ``setup()``."""
    tree = _parse(code)
    outer = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    reader = _Reader(found, code, -code.index("(") - 1)
    if isinstance(outer, ast.FunctionDef):
        reader.signature(outer, section)
    elif isinstance(outer, ast.Expr) and isinstance(outer.value, ast.Call):
        inside = section.partition(".")[0] == "setup"
        if inside or found.text.partition("#")[0].rstrip().endswith(","):
            reader.arguments(outer.value)
            reader.requirements(section if inside else "?", outer.value.args, exact=not inside)
    found.structural = bool(found.entries)
    return found


def _parse(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_prose(line: str) -> bool:
    return bool(line.strip()) and (_SENTENCE.match(line) is not None or not _CODE.search(line))


def _from_inside(node: ast.stmt) -> bool:
    """Whether the first statement has lost its indentation: its body stands two steps in, or it is a method."""
    if not isinstance(node, _SCOPES):
        return False
    first = node.body[0]
    marked = any(isinstance(mark, ast.Name) and mark.id in _OF_METHODS for mark in node.decorator_list)
    arguments = [] if isinstance(node, ast.ClassDef) else [*node.args.posonlyargs, *node.args.args]
    method = bool(arguments) and arguments[0].arg in ("self", "cls")
    return marked or method or (first.lineno > node.lineno and first.col_offset > _STEP)


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
    if depth > _DEEPEST:
        return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return of_object(-node.operand.value) if isinstance(node.operand.value, (int, float)) else None
    if isinstance(node, ast.BinOp):
        number = _number(node)
        return None if number is None or abs(number) > _LARGEST else str(number)
    if isinstance(node, ast.Dict):
        parts = [*node.keys, *node.values]
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        parts = [*node.elts]
    else:
        return None
    known = all(part is not None and literal(part, depth + 1) is not None for part in parts)
    return ast.unparse(node) if known else None


def _number(node: ast.expr, depth: int = 0) -> int | None:
    """Work out sums and products of whole numbers: ``60 * 60``."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    work = _OPERATORS.get(type(node.op)) if isinstance(node, ast.BinOp) and depth < _DEEPEST else None
    if work is None or not isinstance(node, ast.BinOp):
        return None
    left, right = _number(node.left, depth + 1), _number(node.right, depth + 1)
    return None if left is None or right is None else work(left, right)


def _unquoted(text: str, start: int, end: int, value: str) -> Written:
    inner = text[start + 1 : end - 1]
    quoted = text[start] in "\"'" and text[end - 1] == text[start] and inner.strip() and inner == value
    return Written(start + 1, end - 1, value) if quoted else Written(start, end, value)


class _Reader:
    """Collects the bindings of some code, which begins at an offset in the text."""

    def __init__(self, found: Found, code: str, offset: int, file: str = "") -> None:
        self.text, self.found = found.text, found
        self.file, self.stub = file, file.endswith(".pyi")
        self._lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", code)
        self._starts = [offset]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Return the place of a line (from 1) and a column in bytes."""
        content = self._lines[line - 1]
        column = column if content.isascii() else len(content.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + column

    def of(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword) -> tuple[int, int]:
        """Return where a node stands."""
        end = self.at(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.at(node.lineno, node.col_offset), end

    def scope(self, body: Sequence[ast.stmt], qualname: str, *, sure: bool, depth: int = 0) -> None:
        """Collect from the statements of a module or a class."""
        bound = Counter(_bound(body))
        if not self.stub:  # an implementation stands beside its variants
            bound.subtract(s.name for s in body if isinstance(s, _FUNCTIONS) and self.is_variant(s))
        for n, statement in enumerate(body):
            name = getattr(statement, "name", "")
            inner = f"{qualname}.{name}" if qualname else name
            if isinstance(statement, _FUNCTIONS):
                self.found.prose = self.found.prose or bool(statement.decorator_list) or not _is_empty(statement)
                if bound[name] == 1 and not self.is_variant(statement):
                    self.signature(statement, inner)
            elif isinstance(statement, ast.ClassDef):
                self.found.covered.append((self.of(statement)[0], self.of(statement.body[0])[0]))
                if bound[name] == 1 and depth < _DEEPEST_CLASS:
                    self.scope(statement.body, inner, sure=True, depth=depth + 1)
                else:
                    self.found.prose = True
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                self.assignment(statement, bound, qualname, sure=sure or n > 0)
            elif not isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass)):
                self.found.prose = True
                call = statement.value if isinstance(statement, ast.Expr) else None
                if self.file == "setup.py" and isinstance(call, ast.Call) and ast.unparse(call.func).endswith("setup"):
                    self.arguments(call)

    def is_variant(self, node: _Function) -> bool:
        """Whether a function is one of several of its name: `@overload`, `@f.register`, ``def _``, or a bare "..."."""
        marks = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
        called = {m.attr if isinstance(m, ast.Attribute) else getattr(m, "id", "") for m in marks}
        bare = not self.stub and not node.decorator_list and _is_empty(node)
        return node.name == "_" or bare or not called.isdisjoint(("overload", "register"))

    def assignment(self, node: ast.Assign | ast.AnnAssign, bound: Counter[str], qualname: str, *, sure: bool) -> None:
        """Collect names that stand for a literal."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value = None if node.value is None else literal(node.value)
        names = [t.id for t in targets if isinstance(t, ast.Name)]
        start, end = self.of(node.value or node)
        if value is None or len(names) != len(targets) or end - start > LONGEST_VALUE:
            self.found.prose = True
            return
        span, place = whole_line(self.text, *self.of(node)), _unquoted(self.text, start, end, value)
        for name in names:
            own = self.file == "conf.py" and name in ("version", "release")  # of Sphinx
            if bound[name] != 1 or not (sure or own or _CONSTANT.match(name)):
                self.found.prose = True
            elif name == "__version__" or (own and not qualname):
                self.found.pin(qualname, name, place[:2], span, "version", relation="has version")
            else:
                self.found.setting(qualname, name, place, span, "constant")

    def signature(self, node: _Function, qualname: str) -> None:
        """Collect the defaults of parameters."""
        positional = [*node.args.posonlyargs, *node.args.args]
        first = len(positional) - len(node.args.defaults)
        pairs = [
            *zip(positional[first:], node.args.defaults, strict=True),
            *((a, d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None),
        ]
        for argument, default in pairs:
            value, (start, end) = literal(default), self.of(default)
            if value is not None and end - start <= LONGEST_VALUE and "\n" not in self.text[start:end]:
                place, span = _unquoted(self.text, start, end, value), (self.of(argument)[0], end)
                self.found.setting(qualname, argument.arg, place, span, "default", relation="defaults to", mark=":")

    def arguments(self, call: ast.Call) -> None:
        """Collect the arguments of ``setup()``."""
        for keyword in call.keywords:
            name, value = keyword.arg, keyword.value
            if name in _RELATIONS and isinstance(value, ast.Constant):
                start, end = self.of(value)
                if self.text[start + 1 : end - 1] == value.value:
                    span = whole_line(self.text, self.of(keyword)[0], end)
                    self.found.pin("setup", name, (start + 1, end - 1), span, "setup", relation=_RELATIONS[name])
            elif name in _LISTS and isinstance(value, (ast.List, ast.Tuple)):
                self.requirements(f"setup.{name}", value.elts)
            elif name == "extras_require" and isinstance(value, ast.Dict):
                for key, listed in zip(value.keys, value.values, strict=True):
                    extra = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
                    if extra and isinstance(listed, (ast.List, ast.Tuple)):
                        self.requirements(f"setup.extras.{extra}", listed.elts)

    def requirements(self, section: str, items: Sequence[ast.expr], *, exact: bool = False) -> None:
        """Collect a list of requirements, or of them those that name one version."""
        for item in items:
            start, end = self.of(item)
            pin = pin_at(self.text, start + 1, end - 1) if isinstance(item, ast.Constant) else None
            if pin is not None and (pin.exact or not exact):
                span = whole_line(self.text, start, end)
                self.found.pin(section, pin.name, (pin.start, pin.end), span, "requirement")


def _is_empty(node: _Function) -> bool:
    """Whether the body is no code: "...", a docstring, "pass"."""
    parts = (s.value if isinstance(s, ast.Expr) else s for s in node.body)
    return all(isinstance(part, (ast.Constant, ast.Pass)) for part in parts)


def _bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield each name as often as a scope binds or changes it, functions that name it `global` included."""
    for statement in body:
        if isinstance(statement, _SCOPES):
            yield statement.name
        for node in ast.walk(statement):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                yield from node.names
            elif not isinstance(statement, _SCOPES):
                yield from _names(node)


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, (*_SCOPES, ast.ExceptHandler)):
        yield node.name or ""
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    if (
        isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) or called is not None
    ):  # ``X.append(1)``, ``X.a = 1``
        owner = called or node
        owner = owner.value if isinstance(owner, (ast.Attribute, ast.Subscript)) else node
        yield from [owner.id] if isinstance(owner, ast.Name) else []
