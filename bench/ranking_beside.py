"""What others find on the same sets: BM25 and the nearest vector of single lines, and qmd's words
where `qmd` is on the PATH. Part of `python -m bench ranking`.

qmd answers with files, so it is compared by whether the right file is among the first five.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from bench.ranking_lab import Case, Corpus, is_right
from bench.ranking_sets import CORE
from clawgit.domain.search.terms import words

_FIVE = 5
_MOST_ASKED = 200
"""A program that starts anew for each question is not asked more than this of a set."""

Find = Callable[[int], Sequence[int]]
"""The items that come first for a question, by its number."""


def beside_rows(sets: Mapping[str, Mapping[str, Sequence[Case]]]) -> Iterator[tuple[str, ...]]:
    """For each set, what each finds: the right line first and in five, the right file in five."""
    yield ("set", "by", "n", "line first", "line in 5", "file in 5")
    for name, tiers in sets.items():
        core = tiers[CORE]
        yield (name, "BM25 a line", *_of_lines(core, _bm25))
        for tier, cases in tiers.items():
            if tier != CORE:
                yield (name, f"{tier} a line", *_of_lines(cases, _nearest))
        if (found := _qmd(core)) is not None:
            yield (name, "qmd search", f"{len(found)}", "", "", f"{fmean(found):.3f}")
        for tier, cases in tiers.items():
            yield (name, f"ours, {tier}", *_of_lines(cases, _ours))


def _of_lines(cases: Sequence[Case], finder: Callable[[Case], Find]) -> Iterator[str]:
    places: list[int | None] = []
    files: list[bool] = []
    for case in cases:
        find = finder(case)
        for number in _known(case):
            found = [case.corpus.places[at] for at in find(number)[:_FIVE]]
            expect = case.asked[number].expect
            right = [at for at, (path, item) in enumerate(found) if is_right(path, item, expect)]
            places.append(right[0] if right else None)
            files.append(any(path in _files(case, number) for path, _ in found))
    yield f"{len(places)}"
    yield f"{fmean(place == 0 for place in places):.3f}"
    yield f"{fmean(place is not None for place in places):.3f}"
    yield f"{fmean(files):.3f}"


def _known(case: Case) -> Iterator[int]:
    return (at for at, one in enumerate(case.asked) if one.expect)


def _files(case: Case, number: int) -> set[str]:
    return {path for path, _ in case.asked[number].expect}


def _ours(case: Case) -> Find:
    numbers = {place: at for at, place in enumerate(case.corpus.places)}
    return lambda number: [numbers[hit.path, hit.item] for hit in case.hits(number)]


def _nearest(case: Case) -> Find:
    return lambda number: (-case.cosines[number]).argsort()[:_FIVE].tolist()


def _bm25(case: Case) -> Find:
    """FTS5's own order of single lines, any word of the question."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE line USING fts5(x, tokenize='porter unicode61')")
    db.executemany(
        "INSERT INTO line(rowid, x) VALUES (?, ?)",
        ((at, " ".join(words(text))) for at, text in enumerate(case.corpus.texts)),
    )

    def find(number: int) -> list[int]:
        asked = " OR ".join(f'"{word}"' for word in words(case.asked[number].text))
        if not asked:
            return []
        found = db.execute(
            "SELECT rowid FROM line WHERE line MATCH ? ORDER BY rank LIMIT ?", (asked, _FIVE)
        )
        return [at for (at,) in found]

    return find


def _qmd(cases: Sequence[Case]) -> list[bool] | None:
    """Whether the right file is in qmd's first five, for each question; None without qmd."""
    count = sum(1 for case in cases for _ in _known(case))
    if not shutil.which("qmd") or count > _MOST_ASKED:
        return None
    return [right for case in cases for right in _asked_of_qmd(case)]


def _asked_of_qmd(case: Case) -> Iterator[bool]:
    with tempfile.TemporaryDirectory(prefix="clawgit-qmd-") as folder:
        notes = _laid_out(case.corpus, Path(folder) / "notes")
        env = os.environ | {"HOME": folder, "XDG_CACHE_HOME": folder, "XDG_CONFIG_HOME": folder}

        def qmd(*argv: str) -> str:
            done = subprocess.run(
                ("qmd", *argv), cwd=notes, env=env, capture_output=True, text=True, check=True
            )
            return done.stdout

        qmd("collection", "add", str(notes), "--name", "notes")
        for number in _known(case):
            answer = qmd("search", case.asked[number].text, "-n", f"{_FIVE}", "--format", "json")
            rows = json.loads(answer) if answer.lstrip().startswith("[") else []
            found = {row["file"].removeprefix("qmd://notes/") for row in rows}
            yield not found.isdisjoint(_files(case, number))


def _laid_out(corpus: Corpus, folder: Path) -> Path:
    for path, text in corpus.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder
