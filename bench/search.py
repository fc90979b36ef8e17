"""What the index costs, beside a bare FTS5 table of the same lines, and what git takes to look at the same files."""

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from itertools import accumulate, count
from pathlib import Path
from typing import NamedTuple

from bench.lab import Lab
from bench.race import Race, Task
from bench.workspaces import NOW
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.gitdir import RepoPlace, repo_at
from clawgit.stores.index.discover import Scope, discover
from clawgit.stores.index.past import open_past
from clawgit.stores.index.searching import open_index


class Scale(NamedTuple):
    """So many daily files of 33 notes each, how often each thing is measured, and the budgets in milliseconds."""

    files: int
    laps: int
    build_ms: float
    change_ms: float
    scan_ms: float


FULL = (Scale(365, 7, 500, 50, 5), Scale(3_650, 3, 4_000, 50, 15))
QUICK = (Scale(6, 1, 500, 50, 5),)

_NOTES = 33
_UNDER_ONE_HEADING = 8
_VOCABULARY = 6_000
_FLATTEN = 2.7
"""How much rarer the next word is: with it, the commonest stands in about half of the notes, as in English."""


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    for scale in QUICK if quick else FULL:
        root = plant(lab, scale.files)
        place = repo_at(root)
        assert place is not None
        size = f"{scale.files * _NOTES:,} items in {scale.files:,} files"
        status = {"git status": lab.git(root, "status", "--porcelain")}
        bare = {"FTS5 alone": _bare(root, lab.root / "bare.db")}
        yield Race(f"full index, {size}", _build(place), bare, scale.laps, scale.build_ms)
        yield Race(f"after one file changed, {size}", _change(place), status, scale.laps, scale.change_ms)
        yield Race(f"a look at all files, {size}", _look(place), status, scale.laps, scale.scan_ms)
        yield Race(f"a commit of the past, {size}", _past(lab, place), bare, scale.laps)


def plant(lab: Lab, files: int) -> Path:
    """Daily notes of made-up words, as often as words are in a language, a handful below each heading."""
    root, choose, known = lab.root / f"notes-{files}", random.Random(1), _words()
    weights = list(accumulate(1 / (rank + _FLATTEN) for rank in range(len(known))))
    (root / "memory").mkdir(parents=True)
    for back in range(files):
        day = f"{NOW - timedelta(days=back):%Y-%m-%d}"
        lines = [f"# {day}", ""]
        for number in range(_NOTES):
            if number % _UNDER_ONE_HEADING == 0:
                lines += ["", f"## {8 + number // 4:02}:00 - {choose.choice(known)} {choose.choice(known)}", ""]
            words = choose.choices(known, cum_weights=weights, k=choose.randint(8, 18))
            lines.append(f"- {' '.join(words).capitalize()}.")
        (root / "memory" / f"{day}.md").write_text("\n".join(lines) + "\n")
    lab.finish(root, "git", "init", "-q")
    lab.finish(root, "git", "add", "-A")
    lab.finish(root, "git", "commit", "-q", "-m", "all notes")
    return root


def _words() -> list[str]:
    choose, found = random.Random(2), dict[str, None]()
    while len(found) < _VOCABULARY:
        pairs = (
            choose.choice("bcdfghklmnprstvw") + choose.choice("aeiou") + choose.choice(["", "", "n", "r", "s"])
            for _ in range(choose.randint(1, 4))
        )
        found["".join(pairs)] = None
    return list(found)


def _build(place: RepoPlace) -> Task:
    def build() -> None:
        shutil.rmtree(place.shared, ignore_errors=True)
        with open_index(place, Scope(place.root)) as index:
            assert index.refresh().behind == 0

    return build


def _change(place: RepoPlace) -> Task:
    """One more line in the file of today, and a search would find it."""
    number = count(1)

    def change() -> None:
        word = f"line{next(number)}"
        with (place.root / "memory" / f"{NOW:%Y-%m-%d}.md").open("a") as file:
            file.write(f"- One more {word}.\n")
        with open_index(place, Scope(place.root)) as index:
            index.refresh()
            assert len(index.postings(word)) == 1

    return change


def _look(place: RepoPlace) -> Task:
    return lambda: discover(Scope(place.root))


def _past(lab: Lab, place: RepoPlace) -> Task:
    """Every lap as the first: what is kept of it goes."""
    git = CGit(place.root, lab.env)
    head = git.text("rev-parse", "HEAD").strip()

    def ask() -> None:
        shutil.rmtree(place.shared / "past", ignore_errors=True)
        with open_past(place, git, head, Scope(place.root)) as index:
            assert index.count > 0

    return ask


def _bare(root: Path, database: Path) -> Task:
    """The least that such an index can be: each line in a table, without knowing what it is or when it changes."""

    def build() -> None:
        for tail in ("", "-wal", "-shm"):
            Path(f"{database}{tail}").unlink(missing_ok=True)
        with closing(sqlite3.connect(database)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("CREATE VIRTUAL TABLE found USING fts5(line, tokenize='porter unicode61 remove_diacritics 2')")
            for folder, _, names in os.walk(root / "memory"):
                for name in names:
                    lines = Path(folder, name).read_text().splitlines()
                    db.executemany("INSERT INTO found VALUES (?)", ((line,) for line in lines if line))
            db.commit()

    return build
