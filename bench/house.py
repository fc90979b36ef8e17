"""`python -m bench.house [PACKAGE]`: how the code is built, in figures beside pre-commit's.

`make check` runs it. It fails on a function of more than 12 branches that is not excepted
below, and on one that has 8 branches or more and above .6 of them a line.
With a folder as its argument it measures that package instead, and checks nothing.
"""

import argparse
import ast
import io
import statistics
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

HOUSE = Path(__file__).parent.parent / "clawgit"

MOST_BRANCHES = 12
EXCEPTED: dict[str, str] = {}
"""Functions that may have more branches, as `path:name`, each with its reason."""

BESIDE = {
    "lines": "7,163",
    "files": "67",
    "files in the fullest folder": "25",
    "module, lines: median / p90 / max": "76 / 239 / 551",
    "function, lines: median / p90": "8 / 30",
    "functions of 8 branches or more, above .6 a line": "0",
    "functions above 12 branches": "5",
    "functions above 15 branches": "4",
    "tokens in a line of code": "6.2",
    "lines over 100 characters": "0.1 %",
    "comments in 1,000 lines of code": "57",
    "imports inside functions": "7",
    "noqa": "2",
    "largest import cycle": "0",
}
"""pre-commit's figures, as this script measured them on 2026-11-21."""

_LONG = 100
_MANY_BRANCHES = 8
_DENSE = 0.6
_VERY_MANY_BRANCHES = 15

_FOR_TOOLS = ("noqa", "type:", "fmt:", "ruff:", "pragma:")
_NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_Definition = ast.FunctionDef | ast.AsyncFunctionDef
_Import = ast.Import | ast.ImportFrom


class Function(NamedTuple):
    name: str
    lines: int
    branches: int

    @property
    def dense(self) -> bool:
        many = self.branches > _MANY_BRANCHES
        return many and self.branches / self.lines > _DENSE


class Module(NamedTuple):
    """A file. `code` counts lines with code on them; `uses` are the modules that it imports."""

    path: Path
    lines: int
    long: int
    code: int
    tokens: int
    comments: int
    noqa: int
    late: int
    functions: tuple[Function, ...]
    uses: frozenset[str]


def branches(function: _Definition) -> int:
    """The ways through a function: `and`, `or`, comprehensions and conditional expressions count
    as what they are, branches."""
    count = 1
    for node in ast.walk(function):
        match node:
            case ast.If() | ast.For() | ast.AsyncFor() | ast.While() | ast.IfExp():
                count += 1
            case ast.ExceptHandler() | ast.match_case():
                count += 1
            case ast.BoolOp():
                count += len(node.values) - 1
            case ast.comprehension():
                count += 1 + len(node.ifs)
    return count


def measured(package: Path) -> list[Module]:
    files = sorted(package.rglob("*.py"))
    names = {_dotted(path, package): path for path in files}
    return [_module(path, package, names) for path in files]


def _dotted(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _module(path: Path, package: Path, names: dict[str, Path]) -> Module:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    lines = text.splitlines()
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    documented = _documented(tree)
    code = [
        token
        for token in tokens
        if token.type not in _NOT_CODE and token.start[0] not in documented
    ]
    functions = [node for node in ast.walk(tree) if isinstance(node, _Definition)]
    typing_only = _typing_only(tree)
    return Module(
        path.relative_to(package),
        len(lines),
        sum(len(line) > _LONG for line in lines),
        len({token.start[0] for token in code}),
        len(code),
        sum(_is_comment(token) for token in tokens),
        text.count("# noqa"),
        sum(isinstance(node, _Import) for f in functions for node in ast.walk(f)),
        tuple(Function(f.name, (f.end_lineno or 0) - f.lineno + 1, branches(f)) for f in functions),
        frozenset(
            name
            for node in ast.walk(tree)
            if isinstance(node, _Import) and id(node) not in typing_only
            for name in _imported(node, names)
            if name != _dotted(path, package)
        ),
    )


def _is_comment(token: tokenize.TokenInfo) -> bool:
    """A comment for readers, not one for a tool."""
    words = token.string.lstrip("# ")
    return token.type == tokenize.COMMENT and not words.startswith(_FOR_TOOLS)


def _documented(tree: ast.Module) -> set[int]:
    """The lines of docstrings, those behind a constant too."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def _typing_only(tree: ast.Module) -> set[int]:
    """The lines below `if TYPE_CHECKING`, which are not imported when the program runs."""
    return {
        id(below)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for below in ast.walk(node)
    }


def _imported(node: _Import, names: dict[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        candidates = [alias.name for alias in node.names]
    else:
        module = node.module or ""
        inside = (f"{module}.{alias.name}" for alias in node.names)
        candidates = [name if name in names else module for name in inside]
    yield from (name for name in candidates if name in names)


def largest_cycle(modules: Iterable[Module], package: Path) -> list[str]:
    """The most modules that import each other, directly or through others. Tarjan's algorithm."""
    graph = {_dotted(package / module.path, package): module.uses for module in modules}
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: list[str] = []
    largest: list[str] = []

    def visit(name: str) -> None:
        nonlocal largest
        order[name] = low[name] = len(order)
        open_names.append(name)
        for used in graph.get(name, ()):
            if used not in order:
                visit(used)
                low[name] = min(low[name], low[used])
            elif used in open_names:
                low[name] = min(low[name], order[used])
        if low[name] == order[name]:
            at = open_names.index(name)
            component = open_names[at:]
            del open_names[at:]
            if len(component) > max(1, len(largest)):
                largest = component

    sys.setrecursionlimit(10_000)
    for name in graph:
        if name not in order:
            visit(name)
    return sorted(largest)


def figures(modules: list[Module], package: Path) -> dict[str, str]:
    """The table's left column, under the names of `BESIDE`."""
    functions = [function for module in modules for function in module.functions]
    sizes = [module.lines for module in modules]
    lengths = [function.lines for function in functions]
    lines = sum(sizes)
    code = sum(module.code for module in modules)
    folders = Counter(module.path.parent for module in modules)
    over = {
        limit: sum(function.branches > limit for function in functions)
        for limit in (MOST_BRANCHES, _VERY_MANY_BRANCHES)
    }
    values = (
        f"{lines:,}",
        f"{len(modules)}",
        f"{max(folders.values())}",
        f"{statistics.median(sizes):.0f} / {_p90(sizes)} / {max(sizes)}",
        f"{statistics.median(lengths):.0f} / {_p90(lengths)}",
        f"{sum(function.dense for function in functions)}",
        f"{over[MOST_BRANCHES]}",
        f"{over[_VERY_MANY_BRANCHES]}",
        f"{sum(module.tokens for module in modules) / code:.1f}",
        f"{100 * sum(module.long for module in modules) / lines:.1f} %",
        f"{1000 * sum(module.comments for module in modules) / code:.0f}",
        f"{sum(module.late for module in modules)}",
        f"{sum(module.noqa for module in modules)}",
        f"{len(largest_cycle(modules, package))}",
    )
    return dict(zip(BESIDE, values, strict=True))


def _p90(values: list[int]) -> int:
    return sorted(values)[int(len(values) * 0.9)]


def too_branched(modules: Iterable[Module]) -> dict[str, int]:
    """The functions above the limit, by `path:name`."""
    return {
        f"{module.path.as_posix()}:{function.name}": function.branches
        for module in modules
        for function in module.functions
        if function.branches > MOST_BRANCHES
    }


def too_dense(modules: Iterable[Module]) -> dict[str, float]:
    """The functions with many branches on few lines, by `path:name`."""
    return {
        f"{module.path.as_posix()}:{function.name}": function.branches / function.lines
        for module in modules
        for function in module.functions
        if function.dense
    }


def complaints(modules: Iterable[Module]) -> list[str]:
    """What `make check` fails on: too many branches in a function or on its lines, and exceptions
    that nothing needs."""
    modules = [*modules]
    branched = too_branched(modules)
    new = [
        f"{name} has {count} branches; {MOST_BRANCHES} are allowed"
        for name, count in branched.items()
        if name not in EXCEPTED
    ]
    new += [
        f"{name} has {density:.2f} branches a line; {_DENSE} are allowed from {_MANY_BRANCHES} on"
        for name, density in too_dense(modules).items()
    ]
    return new + [f"{name} is excepted without need" for name in EXCEPTED if name not in branched]


def table(package: Path, modules: list[Module]) -> str:
    rows = [("", package.name, "pre-commit")]
    rows += [(name, value, BESIDE[name]) for name, value in figures(modules, package).items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        f"{name:<{widths[0]}}  {ours:>{widths[1]}}  {theirs:>{widths[2]}}"
        for name, ours, theirs in rows
    )


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.house", description="How the code is built, in figures."
    )
    parser.add_argument("package", nargs="?", type=Path, default=HOUSE, help="clawgit, if left out")
    package = parser.parse_args(arguments).package
    modules = measured(package)
    print(table(package, modules))
    wrong = complaints(modules) if package == HOUSE else []
    for complaint in wrong:
        print(complaint, file=sys.stderr)
    if wrong:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
