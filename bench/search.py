"""What the index and a search cost, beside a bare FTS5 table of the same lines, a scan of vectors,
and git itself."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from functools import cache
from itertools import accumulate, count, cycle, islice
from pathlib import Path
from typing import NamedTuple

from bench.lab import Lab, open_lab
from bench.race import Race, Task
from bench.workspaces import NOW
from clawgit.git.cgit import CGit
from clawgit.git.gitdir import repo_at
from clawgit.git.place import RepoPlace
from clawgit.git.rules.actors import OPERATOR
from clawgit.health.memory_index import index
from clawgit.language.files import small_words
from clawgit.search.asked import LEXICON, known
from clawgit.search.index.live import of_commit
from clawgit.search.search import Request, Searcher
from clawgit.workspace.discover import Reach, discover
from clawgit.workspace.workspace import Caller, Workspace


class Budget(NamedTuple):
    """In milliseconds, for words alone or for words and meaning."""

    build: float
    change: float
    cold: float
    warm: float


class Scale(NamedTuple):
    """So many daily files of 33 notes each, how often each thing is measured, and the budgets."""

    files: int
    laps: int
    scan_ms: float
    core: Budget
    enhanced: Budget


FULL = (
    Scale(365, 7, 5, Budget(500, 50, 100, 2), Budget(1_500, 80, 220, 5)),
    Scale(3_650, 3, 15, Budget(4_000, 50, 180, 8), Budget(12_000, 80, 300, 20)),
)
QUICK = (FULL[0]._replace(files=6, laps=1),)

_NOTES = 33
_UNDER_ONE_HEADING = 8
_VOCABULARY = 6_000
_FLATTEN = 2.7
"""How much rarer the next word is: with it, the commonest stands in about half of the notes."""


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    for scale in QUICK if quick else FULL:
        root = plant(lab, scale.files)
        place = _place(root)
        size = f"{scale.files * _NOTES:,} items in {scale.files:,} files"
        status = {"git status": lab.git(root, "status", "--porcelain")}
        bare, others = {"FTS5 alone": _bare(root, lab.root / "bare.db")}, _installed(lab, root)
        yield Race(f"a look at all files, {size}", _look(place), status, scale.laps,
                   scale.scan_ms)  # fmt: skip
        yield Race(f"a commit of the past, {size}", _past(lab, place), bare, scale.laps)
        for mode, budget in (("core", scale.core), ("enhanced", scale.enhanced)):
            (root / "CONFIG.md").write_text(f"# Config\n\n```yaml\nsearch_mode: {mode}\n```\n")
            about = f"{mode}, {size}"
            yield Race(f"full index, {about}", _build(lab, root), bare, scale.laps, budget.build)
            yield Race(
                f"after one file changed, {about}",
                _change(lab, root),
                status,
                scale.laps,
                budget.change,
            )
            yield Race(f"cold search, {about}",
                lab.clawgit(root, "memory", "search", *questions()[0].split()),
                       {"python -c pass": lab.python("pass"), **others},
                           3 * scale.laps, budget.cold)  # fmt: skip
            yield Race(
                f"warm search, {about}",
                _ask(lab, root, mode),
                _floors(lab, root, mode),
                30 * scale.laps,
                budget.warm,
            )


def plant(lab: Lab, files: int) -> Path:
    """Daily notes of random words, some as common as words are in a language, a handful below each
    heading."""
    root, choose, known = lab.root / f"notes-{files}", random.Random(1), _words()
    weights = list(accumulate(1 / (rank + _FLATTEN) for rank in range(len(known))))
    (root / "memory").mkdir(parents=True)
    for back in range(files):
        day = f"{NOW - timedelta(days=back):%Y-%m-%d}"
        lines = [f"# {day}", ""]
        for number in range(_NOTES):
            if number % _UNDER_ONE_HEADING == 0:
                lines += [
                    "",
                    f"## {8 + number // 4:02}:00 - {choose.choice(known)} {choose.choice(known)}",
                    "",
                ]
            words = choose.choices(known, cum_weights=weights, k=choose.randint(8, 18))
            lines.append(f"- {' '.join(words).capitalize()}.")
        (root / "memory" / f"{day}.md").write_text("\n".join(lines) + "\n")
    lab.finish(root, "git", "init", "-q")
    lab.finish(root, "git", "add", "-A")
    lab.finish(root, "git", "commit", "-q", "-m", "all notes")
    return root


@cache
def _words() -> Sequence[str]:
    """The commonest words of English that a question can ask for, the commonest first. The model
    would not read made-up ones.
    """
    words = (line.partition(" ")[0] for line in LEXICON.read_text("utf-8").splitlines())
    ranked = sorted((found.rank, word) for word in words if (found := known(word, "en")))
    asked = (word for _, word in ranked if word.isalpha() and word not in small_words())
    return [*islice(asked, _VOCABULARY)]


def memory() -> str:
    """The most memory that a cold search takes, in a table, beside a bare Python."""
    rows = ["| what | MB |", "| --- | --- |"]
    with tempfile.TemporaryDirectory(prefix="clawgit-bench-") as folder:
        lab = open_lab(Path(folder))
        root = plant(lab, FULL[0].files)
        rows.append(f"| python -c pass | {_peak(lab, root, sys.executable, '-c', 'pass'):.0f} |")
        for mode, budget in (("core", 50), ("enhanced", 90)):
            (root / "CONFIG.md").write_text(f"# Config\n\n```yaml\nsearch_mode: {mode}\n```\n")
            asked = (sys.executable, "-m", "clawgit", "memory", "search", *questions()[0].split())
            _peak(lab, root, *asked)
            rows.append(
                f"| cold search, {mode}, 12,000 items (budget {budget}) | "
                f"{_peak(lab, root, *asked):.0f} |"
            )
    return "\n".join(rows)


def _peak(lab: Lab, root: Path, *argv: str) -> float:
    """By the one who starts it: what the kernel says of the child's largest size."""
    code = f"import resource, subprocess; subprocess.run({argv!r}, capture_output=True, check=True)"
    told = f"{code}; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    done = subprocess.run(
        [sys.executable, "-c", told],
        cwd=root,
        env=lab.env,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout) / 1024


def _place(root: Path) -> RepoPlace:
    place = repo_at(root)
    assert place is not None
    return place


def workspace(lab: Lab, root: Path) -> Workspace:
    return Workspace(_place(root), Caller(OPERATOR, lab.env, NOW, lab.root))


def _look(place: RepoPlace) -> Task:
    return lambda: discover(Reach(place.root))


def _build(lab: Lab, root: Path) -> Task:
    def build() -> None:
        shutil.rmtree(_place(root).shared, ignore_errors=True)
        _place(root).shared.mkdir()
        assert index(workspace(lab, root)).behind == 0

    return build


def _change(lab: Lab, root: Path) -> Task:
    """One more line in the file of today, and a search that is warm finds it."""
    number, searcher = count(1), Searcher(workspace(lab, root))

    def change() -> None:
        word = f"line{next(number)}"
        with (root / "memory" / f"{NOW:%Y-%m-%d}.md").open("a") as file:
            file.write(f"- One more {word}.\n")
        assert word in searcher.answer(Request(word)).results[0].snippet

    return change


def _ask(lab: Lab, root: Path, mode: str) -> Task:
    searcher = Searcher(workspace(lab, root))

    def ask(question: str) -> None:
        assert searcher.answer(Request(question, min_score=0.0)).mode == mode

    asked = cycle(questions())
    return lambda: ask(next(asked))


def questions() -> list[str]:
    """Of three rare words and two common ones each."""
    choose, known = random.Random(3), _words()
    return [
        " ".join([*choose.sample(known[200:], 3), *choose.sample(known[:20], 2)]) for _ in range(50)
    ]


def _installed(lab: Lab, root: Path) -> dict[str, Task]:
    """The same question to other programs, as far as they are on the PATH."""
    asked, found = questions()[0], dict[str, Task]()
    if shutil.which("qmd"):
        lab.finish(root, "qmd", "collection", "add", str(root / "memory"), "--name", root.name)
        found["qmd search"] = lambda: lab.finish(root, "qmd", "search", asked)
    if shutil.which("rg"):
        words = f"\\b({'|'.join(asked.split())})\\b"
        found["ripgrep"] = lambda: lab.finish(root, "rg", "--count", words, "memory")
    return found


def _floors(lab: Lab, root: Path, mode: str) -> dict[str, Task]:
    """The least that an answer can cost: the same words asked of FTS5 alone; or every vector looked
    at."""
    _bare(root, lab.root / "bare.db")()
    texts, db = cycle(questions()), sqlite3.connect(lab.root / "bare.db")
    asked = "SELECT line, rank FROM found WHERE found MATCH ? ORDER BY rank LIMIT 6"
    words: Task = lambda: db.execute(asked, (next(texts).replace(" ", " OR "),)).fetchall()  # noqa: E731
    if mode == "core":
        return {"FTS5 alone": words}
    import numpy as np  # noqa: PLC0415

    matrix = np.random.default_rng(1).random(
        (len(list((root / "memory").iterdir())) * _NOTES, 256), np.float32
    )
    return {"FTS5 alone": words, "numpy scan": lambda: np.argpartition(matrix @ matrix[0], -6)[-6:]}


def _past(lab: Lab, place: RepoPlace) -> Task:
    git = CGit(place.root, lab.env)
    head = git.text("rev-parse", "HEAD").strip()

    def ask() -> None:
        with of_commit(git, head, Reach(place.root)) as index:
            assert index.count > 0

    return ask


def _bare(root: Path, database: Path) -> Task:
    """The least that such an index can be: each line in a table, without knowing what it is or when
    it changes."""

    def build() -> None:
        for tail in ("", "-wal", "-shm"):
            Path(f"{database}{tail}").unlink(missing_ok=True)
        with closing(sqlite3.connect(database)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(
                "CREATE VIRTUAL TABLE found USING fts5(line, tokenize='porter unicode61 "
                "remove_diacritics 2')"
            )
            for folder, _, names in os.walk(root / "memory"):
                for name in names:
                    lines = Path(folder, name).read_text().splitlines()
                    db.executemany(
                        "INSERT INTO found VALUES (?)", ((line,) for line in lines if line)
                    )
            db.commit()

    return build
