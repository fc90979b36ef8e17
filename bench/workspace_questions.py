"""How often real workspaces answer: `python -m bench.workspace_questions [FOLDER] [--lines]`.

FOLDER/NAME is a clone of somebody's workspace, FOLDER/NAME.queries.jsonl the questions that somebody
wrote about it, each with all lines that answer it. The clone is copied, adopted by `init` and asked
as a user would ask it, with all that this brings: what is searched, withheld and folded. A hit is
right if its line is, or one that says the same. Only totals are printed, beside BM25 of single lines, and how often the answer says that nothing answers
outright, where that is so and where it is not. A question with `exact` wants all of its lines and
no other; for these, it is counted how often what is likely has them all, and no other. Without
FOLDER, the needles of `bench/needles` are asked. With --lines, what each question ranks first is
printed instead, for `models.training.make_reader` to learn from.
"""

import argparse
import json
import re
import shutil
import sqlite3
import sys
import tempfile
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from bench.lab import open_lab
from bench.ranking_needles import plant
from clawgit.core.markdown.item import Item
from clawgit.front.setup import init
from clawgit.git.rules.actors import OPERATOR
from clawgit.health.memory_index import index
from clawgit.search.answer import Hit
from clawgit.search.search import Request, Searcher
from clawgit.workspace.workspace import Caller, open_workspace

_BARE = "BM25 a line"
_FIVE, _TEN = 5, 10
_LEARNED = 40
_WORDS_OF_A_LINE = 300
_MODES = {
    "core": "search_mode: core",
    "vectors": "search_mode: vectors",
    "enhanced": "search_mode: enhanced",
}
_NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
_PROGRAMS = shutil.ignore_patterns(".venv", "node_modules")

Line = tuple[str, int]


class Tally(NamedTuple):
    """Of so many questions, how many found a right line first, and in the first five; how many of
    these five were shown as nothing that says so outright (`doubted`), and how many pages for
    questions that nothing answers (`refused`). Of so many that want a set of lines (`sets`), how
    many had the whole set among what is likely, and how many exactly that.
    """

    asked: int = 0
    first: int = 0
    five: int = 0
    doubted: int = 0
    absent: int = 0
    refused: int = 0
    sets: int = 0
    whole: int = 0
    exact: int = 0

    def with_place(self, place: int | None, *, likely: bool = True) -> "Tally":
        first, five = place == 0, place is not None and place < _FIVE
        return self._replace(
            asked=self.asked + 1,
            first=self.first + first,
            five=self.five + five,
            doubted=self.doubted + (five and not likely),
        )

    def with_absent(self, *, likely: bool) -> "Tally":
        return self._replace(absent=self.absent + 1, refused=self.refused + (not likely))

    def with_set(self, wanted: set[Line], likely: set[Line]) -> "Tally":
        return self._replace(
            sets=self.sets + 1,
            whole=self.whole + (wanted <= likely),
            exact=self.exact + (wanted == likely),
        )

    def plus(self, other: "Tally") -> "Tally":
        return Tally(*map(sum, zip(self, other, strict=True)))

    def __str__(self) -> str:
        asked = max(self.asked, 1)
        said = [f"{self.first / asked:.3f}, {self.five / asked:.3f} ({self.asked})"]
        if self.absent:
            absent = f"{self.refused} of {self.absent} absent"
            said.append(f"doubted: {absent}, {self.doubted} of {self.five}")
        if self.sets:
            said.append(f"of {self.sets} sets: {self.whole} whole, {self.exact} exact")
        return "; ".join(said)


def tallies(folder: Path) -> dict[str, Tally]:
    """What each way of searching finds in all workspaces of a folder."""
    sums: dict[str, Tally] = {}
    for clone, rows in _workspaces(folder):
        sums.update(_found(clone, rows, {**sums}))
    return sums


def _found(
    clone: Path, rows: Sequence[Mapping[str, Any]], sums: Mapping[str, Tally]
) -> Iterator[tuple[str, Tally]]:
    """The sums with the questions of one workspace, for each way of searching."""
    with _adopted(clone) as (root, caller):
        yield _BARE, _with_bare(sums.get(_BARE, Tally()), _Lines(root), rows)
        for mode, settings in _MODES.items():
            with _searcher(root, caller, settings) as searcher:
                answers = [searcher.answer(Request(row["query"])).results for row in rows]
            tally = sums.get(mode, Tally())
            for row, hits in zip(rows, answers, strict=True):
                tally = _with_answer(tally, row, hits)
            yield mode, tally


def recalls(folder: Path) -> dict[str, tuple[float, float, float]]:
    """For each way of searching, the share of the expected lines in the first 400 and 1,500 tokens
    of hits, at four signs a token, and in the first ten lines.
    """
    found: dict[str, list[tuple[float, float, float]]] = {}
    for clone, rows in _workspaces(folder):
        with _adopted(clone) as (root, caller):
            for mode, settings in _MODES.items():
                with _searcher(root, caller, settings) as searcher:
                    some = found.setdefault(mode, [])
                    some += (_recall(searcher, row) for row in rows if row["expect"])
    return {mode: _means(some) for mode, some in found.items()}


def _recall(searcher: Searcher, row: Mapping[str, Any]) -> tuple[float, float, float]:
    right, spent, seen = _right(row), 0, 0
    costs: list[tuple[int, int]] = []
    for item in _nearest(searcher, row["query"], _LEARNED):
        spent, seen = spent + len(item.text) + 1, seen + 1
        costs += [(spent, seen)] * len(right & _places(item))
    near, far = (sum(cost <= 4 * most for cost, _ in costs) for most in (400, 1500))
    ten = sum(place <= _TEN for _, place in costs)
    return near / len(right), far / len(right), ten / len(right)


def _means(some: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    near, far, ten = (sum(column) / len(some) for column in zip(*some, strict=True))
    return near, far, ten


def _with_bare(tally: Tally, lines: "_Lines", rows: Sequence[Mapping[str, Any]]) -> Tally:
    for row in rows:
        if right := _right(row):
            best = lines.best(row["query"])
            tally = tally.with_place(next((at for at, it in enumerate(best) if it in right), None))
    return tally


def _with_answer(tally: Tally, row: Mapping[str, Any], hits: Sequence[Hit]) -> Tally:
    right, likely = _right(row), [hit for hit in hits if hit.likely]
    if row.get("exact"):
        tally = tally.with_set(right, {line for hit in likely for line in lines_of(hit)})
    if not right:
        return tally.with_absent(likely=bool(likely))
    place = next((at for at, hit in enumerate(hits) if right & {*lines_of(hit)}), None)
    return tally.with_place(place, likely=bool(likely))


def _right(row: Mapping[str, Any]) -> set[Line]:
    return {(spot["path"], spot["line"]) for spot in row["expect"]}


def ranked_lines(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Each question with the lines that it ranks first, and which of them answer it. Those that answer
    it and are not among them come last: most can be learned from these.
    """
    for clone, rows in _workspaces(folder):
        with (
            _adopted(clone) as (root, caller),
            _searcher(root, caller, _MODES["vectors"]) as searcher,
        ):
            for row in rows:
                right = _right(row)
                found = _nearest(searcher, row["query"], _LEARNED)
                missed = right.difference(*map(_places, found))
                found += [
                    item for spot in sorted(missed) for item in _item_at(root, spot, searcher)
                ]
                lines = [
                    {
                        "text": item.text,
                        "headings": item.headings,
                        "right": not right.isdisjoint(_places(item)),
                    }
                    for item in found
                ]
                yield {"q": row["query"], "absent": not right, "lines": lines}


def _item_at(root: Path, spot: Line, searcher: Searcher) -> Iterator[Item]:
    """The item of a line, found by its own words."""
    path, number = spot
    text = (root / path).read_text("utf-8", "replace").split("\n")[number - 1]
    found = _nearest(searcher, text[:_WORDS_OF_A_LINE], _LEARNED)
    yield from islice((item for item in found if spot in _places(item)), 1)


def _nearest(searcher: Searcher, question: str, most: int) -> list[Item]:
    return [one.row for one in searcher.looked(Request(question)).found[:most]]


def _places(item: Item) -> set[Line]:
    return {(item.path, line) for line in range(item.line, item.end_line + 1)}


def _workspaces(folder: Path) -> Iterator[tuple[Path, list[Mapping[str, Any]]]]:
    for questions in sorted(folder.glob("*.queries.jsonl")):
        rows = [json.loads(line) for line in questions.read_text("utf-8").splitlines()]
        yield questions.with_name(questions.name.removesuffix(".queries.jsonl")), rows


@contextmanager
def _adopted(clone: Path) -> Iterator[tuple[Path, Caller]]:
    """A copy of a clone, adopted."""
    with tempfile.TemporaryDirectory() as folder:
        lab = open_lab(Path(folder))
        root = lab.root / clone.name
        shutil.copytree(clone, root, ignore=_PROGRAMS, symlinks=True)
        caller = Caller(OPERATOR, lab.env, _NOW, lab.root)
        init(root, caller, openclaw_rules=False, hooks=False)
        yield root, caller


@contextmanager
def _searcher(root: Path, caller: Caller, settings: str) -> Iterator[Searcher]:
    (root / "CONFIG.md").write_text(f"# Config\n\n```yaml\n{settings}\n```\n", "utf-8")
    workspace = open_workspace(root, caller)
    index(workspace)  # a search alone would embed only some of the texts
    with Searcher(workspace) as searcher:
        yield searcher


def lines_of(hit: Hit) -> Iterator[Line]:
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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--lines", action="store_true")
    asked = parser.parse_args()
    if asked.folder:
        _say(asked.folder, lines=asked.lines)
        return
    with tempfile.TemporaryDirectory() as planted:
        for name in plant(Path(planted)):
            _say(Path(planted) / name, lines=asked.lines)


def _say(folder: Path, *, lines: bool) -> None:
    if lines:
        for learned in ranked_lines(folder):
            print(json.dumps(learned, ensure_ascii=False))
        return
    sums = tallies(folder)
    if not sums:
        sys.exit(f"{folder} holds no questions: NAME.queries.jsonl beside the clone NAME.")
    for name, tally in sums.items():
        print(f"{name:35} first, in five: {tally}")


if __name__ == "__main__":
    main()
