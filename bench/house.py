"""`python -m bench.house`: what the code weighs, beside its ceiling in `bench/house.toml`, and how
branched it is.

`make check` runs it. It fails above a ceiling, where a ceiling was raised since the last commit,
and on a function of too many branches. `--lower` sets the ceilings to what stands. Weight is
tokens, as Python 3.11's tokenizer counts them: lines can be packed, ideas cannot.
"""

import argparse
import ast
import io
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
CEILINGS = "bench/house.toml"

MOST_BRANCHES = 12
_MANY_BRANCHES = 8
_DENSE = 0.6
_IN_A_TOKEN = 8

_ABOVE_A_STATEMENT = {
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_WITHOUT_WEIGHT = {tokenize.NL, tokenize.COMMENT}
_Definition = ast.FunctionDef | ast.AsyncFunctionDef


class House(NamedTuple):
    """What stands, or may stand: the whole, and the weight of each folder below `clawgit`."""

    weight: int
    lines: int
    files: int
    rooms: Mapping[str, int]

    @property
    def whole(self) -> dict[str, int]:
        return {"weight": self.weight, "lines": self.lines, "files": self.files}


class Function(NamedTuple):
    name: str
    lines: int
    branches: int


def weigh(text: str) -> int:
    """A docstring is one token; any other string is one for each 8 characters."""
    weight, begins = 0, True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in _WITHOUT_WEIGHT:
            continue
        if token.type in _ABOVE_A_STATEMENT:
            begins = True
            continue
        is_text = token.type == tokenize.STRING and not begins
        weight += max(1, len(token.string) // _IN_A_TOKEN) if is_text else 1
        begins = False
    return weight


def texts_of(package: Path) -> dict[str, str]:
    """The text of each file of a package, by its path in there."""
    files = sorted(package.rglob("*.py"))
    return {file.relative_to(package).as_posix(): file.read_text("utf-8") for file in files}


def standing(texts: Mapping[str, str]) -> House:
    rooms: Counter[str] = Counter()
    for path, text in texts.items():
        folder, slash, _ = path.partition("/")
        rooms[folder if slash else "."] += weigh(text)
    lines = sum(text.count("\n") for text in texts.values())
    return House(rooms.total(), lines, len(texts), dict(sorted(rooms.items())))


def read(ceilings: str) -> House:
    kept = tomllib.loads(ceilings)
    return House(**kept["whole"], rooms=kept["rooms"])


def written(ceilings: House) -> str:
    rows = [
        "# The ceilings that `make check` holds, written by `python -m bench.house --lower`. Each",
        "# commit may only lower them; that of a room may rise where the weight of the whole falls.",
        "[whole]",
        *(f"{name} = {value:_}" for name, value in ceilings.whole.items()),
        "",
        "[rooms]",
        *(f'"{name}" = {value:_}' for name, value in ceilings.rooms.items()),
    ]
    return "\n".join(rows) + "\n"


def above(now: House, ceiling: House) -> list[str]:
    """What stands above its ceiling, or has none."""
    rows = [(f"the {name}", value, ceiling.whole[name]) for name, value in now.whole.items()]
    rows += [
        (f"the weight of {name}", value, ceiling.rooms.get(name, 0))
        for name, value in now.rooms.items()
    ]
    return [
        f"{name} is {value:,}; {most:,} is allowed" for name, value, most in rows if value > most
    ]


def raised(ceiling: House, before: House) -> list[str]:
    """The ceilings that are higher than those of the last commit, and may not be."""
    rows = [(name, value, before.whole[name]) for name, value in ceiling.whole.items()]
    if ceiling.weight >= before.weight:
        rows += [(name, value, before.rooms.get(name, 0)) for name, value in ceiling.rooms.items()]
    return [
        f"the ceiling of {name} rises from {old:,} to {value:,}; it may only fall"
        for name, value, old in rows
        if value > old
    ]


def committed(root: Path) -> House | None:
    """The ceilings of the last commit; None if it has none, or there is no repository."""
    shown = subprocess.run(
        ["git", "show", f"HEAD:{CEILINGS}"], cwd=root, capture_output=True, text=True, check=False
    )
    return read(shown.stdout) if shown.returncode == 0 else None


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


def functions(texts: Mapping[str, str]) -> list[Function]:
    return [
        Function(f"{path}:{node.name}", (node.end_lineno or 0) - node.lineno + 1, branches(node))
        for path, text in texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, _Definition)
    ]


def too_branched(found: Iterable[Function]) -> list[str]:
    """The functions of too many branches, or of many on few lines."""
    complaints = []
    for name, lines, count in found:
        if count > MOST_BRANCHES:
            complaints.append(f"{name} has {count} branches; {MOST_BRANCHES} are allowed")
        if count > _MANY_BRANCHES and count / lines > _DENSE:
            complaints.append(
                f"{name} has {count / lines:.2f} branches a line; {_DENSE} are allowed "
                f"from {_MANY_BRANCHES} on"
            )
    return complaints


def table(now: House, ceiling: House, texts: Mapping[str, str]) -> str:
    rows = [("", "now", "ceiling")]
    rows += [(name, f"{value:,}", f"{ceiling.whole[name]:,}") for name, value in now.whole.items()]
    rows += [
        (name, f"{value:,}", f"{ceiling.rooms.get(name, 0):,}") for name, value in now.rooms.items()
    ]
    lines = [line.strip() for text in texts.values() for line in text.split("\n")]
    comments = sum(line.startswith("#") for line in lines)
    code = len(list(filter(None, lines))) - comments
    rows += [
        ("weight in a line of code", f"{now.weight / code:.1f}", ""),
        ("comments in 1,000 of them", f"{1000 * comments // code}", ""),
    ]
    return "\n".join(f"{name:<26}{value:>9}{most:>9}".rstrip() for name, value, most in rows)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.house", description="What the code weighs, beside its ceiling."
    )
    parser.add_argument("--lower", action="store_true", help="set the ceilings to what stands")
    lower = parser.parse_args(arguments).lower
    texts, file = texts_of(ROOT / "clawgit"), ROOT / CEILINGS
    now = standing(texts)
    if lower:
        file.write_text(written(now))
    ceiling, before = read(file.read_text()), committed(ROOT)
    print(table(now, ceiling, texts))
    wrong = above(now, ceiling) + too_branched(functions(texts))
    if before is not None:
        wrong += raised(ceiling, before)
    for complaint in wrong:
        print(complaint, file=sys.stderr)
    if wrong:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
