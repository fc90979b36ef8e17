"""How often real workspaces answer: `python -m bench.workspace_questions FOLDER`.

FOLDER/NAME is a clone of somebody's workspace, FOLDER/NAME.queries.jsonl the questions that somebody
wrote about it, each with all lines that answer it. The clone is copied, adopted by `init` and asked
as a user would ask it, with all that this brings: what is searched, withheld and folded. A hit is
right if one of the lines that it shows is; beside it stands how often the best line alone is. Only
totals are printed, beside BM25 of single lines.
"""

import json
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from bench.lab import open_lab
from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.search.answer import Hit
from clawgit.ops.search.search import WARM, Request, Searcher
from clawgit.ops.workspace.setup import init
from clawgit.ops.workspace.workspace import Caller, open_workspace

_FIVE = 5
_NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
_PROGRAMS = shutil.ignore_patterns(".venv", "node_modules")

Line = tuple[str, int]


class Tally(NamedTuple):
    """Of so many questions, how many found a right line first, and in the first five."""

    asked: int = 0
    first: int = 0
    five: int = 0

    def with_place(self, place: int | None) -> "Tally":
        first, five = place == 0, place is not None and place < _FIVE
        return Tally(self.asked + 1, self.first + first, self.five + five)

    def __str__(self) -> str:
        asked = max(self.asked, 1)
        return f"{self.first / asked:.3f}, {self.five / asked:.3f} ({self.asked})"


def tallies(folder: Path) -> dict[str, Tally]:
    """What each way of searching finds in all workspaces of a folder."""
    sums: dict[str, Tally] = {}
    for questions in sorted(folder.glob("*.queries.jsonl")):
        rows = [json.loads(line) for line in questions.read_text("utf-8").splitlines()]
        clone = questions.with_name(questions.name.removesuffix(".queries.jsonl"))
        for name, places in _found(clone, [row for row in rows if row["expect"]]):
            for place in places:
                sums[name] = sums.get(name, Tally()).with_place(place)
    return sums


def _found(
    clone: Path, rows: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Sequence[int | None]]]:
    """For each way of searching, the place of the first right line of each question."""
    wanted = [{(spot["path"], spot["line"]) for spot in row["expect"]} for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        lab = open_lab(Path(folder))
        root = lab.root / clone.name
        shutil.copytree(clone, root, ignore=_PROGRAMS, symlinks=True)
        bare = _Lines(root)
        yield (
            "BM25 a line",
            [
                next((at for at, line in enumerate(bare.best(row["query"])) if line in right), None)
                for row, right in zip(rows, wanted, strict=True)
            ],
        )
        caller = Caller(OPERATOR, lab.env, _NOW, lab.root)
        init(root, caller, openclaw_rules=False, hooks=False)
        for mode in ("core", "enhanced"):
            config = f"# Config\n\n```yaml\nsearch_mode: {mode}\n```\n"
            (root / "CONFIG.md").write_text(config, "utf-8")
            with Searcher(open_workspace(root, caller), patience=WARM) as searcher:
                answers = [searcher.answer(Request(row["query"])).results for row in rows]
            for name, shown in ((mode, lines_of), (f"{mode}, best line alone", first_lines_of)):
                yield (
                    name,
                    [
                        next((at for at, hit in enumerate(hits) if right & {*shown(hit)}), None)
                        for hits, right in zip(answers, wanted, strict=True)
                    ],
                )


def lines_of(hit: Hit) -> Iterator[Line]:
    """The lines that a hit shows."""
    yield from first_lines_of(hit)
    for other in hit.more:
        yield from ((hit.path, line) for line in range(other.startLine, other.endLine + 1))


def first_lines_of(hit: Hit) -> Iterator[Line]:
    """The lines of the item that was found, and those that say the same elsewhere."""
    for line in range(min(hit.line, hit.startLine), max(hit.lastLine, hit.endLine) + 1):
        yield hit.path, line
    for place in hit.also:
        path, _, lines = place.rpartition(":")
        yield path, int(lines.partition("-")[0])


class _Lines:
    """The lines of all Markdown of a folder, in a bare index of words."""

    def __init__(self, root: Path) -> None:
        texts = (
            (str(path.relative_to(root)), path.read_text("utf-8", "replace").split("\n"))
            for path in sorted(root.rglob("*.md"))
            if path.is_file()
        )
        self._places = [
            (path, number, text)
            for path, lines in texts
            for number, text in enumerate(lines, 1)
            if text.strip()
        ]
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61')")
        rows = ((at, text) for at, (_, _, text) in enumerate(self._places))
        self._db.executemany("INSERT INTO t(rowid, x) VALUES (?, ?)", rows)

    def best(self, question: str) -> list[Line]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        found = self._db.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (words, _FIVE)
        )
        return [self._places[at][:2] for (at,) in found]


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sums = tallies(Path(sys.argv[1]))
    if not sums:
        sys.exit(f"{sys.argv[1]} holds no questions: NAME.queries.jsonl beside the clone NAME.")
    for name, tally in sums.items():
        print(f"{name:26} first, in five: {tally}")


if __name__ == "__main__":
    main()
