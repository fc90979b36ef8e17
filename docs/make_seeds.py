# ruff: noqa: INP001 - a script, no package
"""Writes docs/seeds.md from the tests of the five documents; `--check` only says whether it is up
to date.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

PAGE = Path(__file__).with_name("seeds.md")
ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests" / "seeds"

TITLES = {
    "000": "000: OpenClaw Persistent Memory & Identity Evolution Spec",
    "001": "001: OpenClaw 永久记忆系统技术解析",
    "002": "002: Persistent Memory System",
    "003": "003: How OpenClaw Remembers",
    "004": "004: Soul Memory",
}

INTRO = """\
# To the letter of the five documents

<!-- Made by docs/make_seeds.py from tests/seeds. Edit those, then run it. -->

clawgit was built from five documents about the memory of agents. This page lists what they ask for, in their own words,
with the command that does it and the test that shows it. If clawgit does more or differs, the last column says how and
why. A test without a path is in `tests/seeds/`; `make test` runs them all. If you know one of the documents, the
[guides](guides/persistent-memory-spec.md) show how to work with clawgit.
"""

DEFAULTS = """\
## Where the documents disagree

| point | what they say | clawgit | set by | why |
| --- | --- | --- | --- | --- |
"""

MORE = """\
### Also shown

"""

Row = Mapping[str, str]


def page() -> str:
    """The whole text of docs/seeds.md."""
    rows, defaults = _told()
    listed = {row["test"] for row in rows}
    parts = [INTRO, DEFAULTS + "".join(map(_default, defaults))]
    for seed, title in TITLES.items():
        of_seed = [row for row in rows if row["seed"] == seed]
        parts.append(f"## {title}\n\n{len(of_seed)} rows.\n")
        for part, group in groupby(of_seed, key=lambda row: row["part"]):
            parts.append(f"### {part}\n\n{_table(list(group))}")
        unlisted = [test for test in tests() if f"test_{seed}" in test and test not in listed]
        if unlisted:
            parts.append(MORE + "".join(f"- {_words(test)}: `{test}`\n" for test in unlisted))
    return "\n".join(parts)


def unknown() -> list[str]:
    """The tests that the rows name and that are not there."""
    known = set(tests())
    return [
        row["test"] for row in _told()[0] if row["test"] not in known and not _is_elsewhere(row)
    ]


def _is_elsewhere(row: Row) -> bool:
    """Whether a row is shown by a test of another folder, which it names by its path."""
    path, _, name = row["test"].partition("::")
    file = ROOT / path
    return path.startswith("tests/") and f"\ndef {name}(" in file.read_text(encoding="utf-8")


def tests() -> Iterator[str]:
    """Each test of the documents as `FILE::NAME`."""
    for path in sorted(TESTS.glob("test_0*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{path.name}::{node.name}"


def _told() -> tuple[list[Row], list[Row]]:
    told = tomllib.loads((TESTS / "rows.toml").read_text(encoding="utf-8"))
    return told["row"], told["default"]


def _table(rows: list[Row]) -> str:
    head = "| the document says | command | shown by | what is different or more |\n| --- | --- | --- | --- |\n"
    return head + "".join(
        f"| {_cell(row['says'])} | `{row['command']}` | `{row['test']}` | {_cell(row.get('ours', ''))} |\n"
        for row in rows
    )


def _default(row: Row) -> str:
    names = ("point", "seeds", "ours", "setting", "why")
    return f"| {' | '.join(_cell(row[name]) for name in names)} |\n"


def _words(test: str) -> str:
    return test.partition("::")[2].removeprefix("test_").replace("_", " ")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    """1 where a row names no test, or `--check` finds that the page is not what it should be."""
    if missing := unknown():
        print(f"tests/seeds/rows.toml names no test: {', '.join(missing)}", file=sys.stderr)
        return 1
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print("docs/seeds.md is out of date: run python docs/make_seeds.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
