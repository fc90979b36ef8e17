"""Trains the judge of planted text: `python -m models.training.train_poison FOLDER…`, the same every time.

It learns from the planted texts and look-alikes in models/judges, and from real workspaces, of
which nothing is kept here: each FOLDER holds the Markdown of one, and all of it counts as honest.
The shipped weights learned from 26 public ones. The rates of false alarms are measured on each
workspace by a judge that did not learn from it.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from clawgit.language.judges.judging import SLOTS
from clawgit.safety.rules.injection import parts_of, plain, units
from clawgit.safety.rules.planted import is_served
from models.training import judges_sets as sets
from models.training.judges_data import POISON, Text
from models.training.judges_learning import Fitted, Floats, Levelling, platt
from models.training.train_judges import WEIGHTS, bar, chance, fitting, held_out, write

LEVEL = Levelling(3e-5)
HELD, WARNED = 0.01, 0.06
"""So many honest texts that look planted are held, are warned of."""
HELD_REAL, WARNED_REAL = 2e-4, 1e-3
"""And so many of the items and paragraphs of real workspaces: of one with 3,000, less than one, and
three."""
PASSED = 0.97
"""So many of the planted texts that would be warned of pass the first judge, by their words."""
HARDEST, DRAWN = 1500, 700
"""So many texts of a workspace are learned from: those that most look planted to a judge that knows
no workspace, and any others."""
_LARGEST = 1 << 18
"""A longer file is a log or a vendored page."""
_SHORTEST = 12


class Real(NamedTuple):
    """A text of a workspace, and how many of its texts it stands for."""

    text: Text
    stands_for: float


def texts_of(folder: Path) -> list[Text]:
    """What the judge would see of a workspace, each text once, but not what looks like an order by
    a worn phrase: notes about attacks quote them.
    """
    files = [file for file in sorted(folder.rglob("*.md")) if _is_memory(file, folder)]
    parts = dict.fromkeys(part for file in files for part in _parts(file))
    return [
        Text(f"workspace {folder.name}", "en", part, "", "workspace")
        for part in parts
        if not any(sign.endswith(": ordered") for sign in sets.worn(part))
    ]


def _is_memory(file: Path, folder: Path) -> bool:
    path = file.relative_to(folder)
    if file.is_symlink() or file.stat().st_size > _LARGEST or "node_modules" in path.parts:
        return False
    return is_served(path.as_posix())


def _parts(file: Path) -> Iterator[str]:
    lines = file.read_text("utf-8", errors="replace").split("\n")
    for _, unit in units(lines):
        text = plain("\n".join(unit))
        yield from (part for part in parts_of(text) if len(part) >= _SHORTEST)


def learned_from(texts: Sequence[Text], judge: Fitted) -> list[Real]:
    """The texts of a workspace that `judge` takes for planted first, and some of the others."""
    data = sets.poison_set(texts)
    scores = judge.scores(data.given, data.dense)[:, 0]
    order = [texts[at] for at in np.argsort(-scores, kind="stable")]
    others = sorted(order[HARDEST:], key=lambda row: crc32(row.text.encode()))
    drawn = others[:DRAWN]
    return [
        *(Real(row, 1.0) for row in order[:HARDEST]),
        *(Real(row, len(others) / len(drawn)) for row in drawn),
    ]


def train(folders: Sequence[Path]) -> None:
    judge = partial(sets.fit_telling, width=sets.POISON_SLOTS, level=LEVEL)
    glance = partial(sets.fit_telling, width=SLOTS, level=LEVEL)
    made = sets.text_rows()
    alone = judge(sets.poison_set(made))
    real = [one for folder in folders for one in learned_from(texts_of(folder), alone)]
    rows = (*made, *(one.text for one in real))
    data, words = sets.poison_set(rows), sets.poison_set(rows, first=True)
    odds, first = held_out(data, judge, 1)[:, 0], held_out(words, glance, 1)[:, 0]
    planted, easy = words.truth == 0, sets.is_harmless(rows)
    hard = sets.is_fresh(rows) & ~easy
    line = platt(odds[hard], planted[hard], np.ones(int(hard.sum())))
    chances = chance(odds, line)
    in_real, stand_for = chances[len(made) :], np.array([one.stands_for for one in real])
    bars = {
        "poison_warn": max(
            bar(chances, hard & ~planted, WARNED), rare(in_real, stand_for, WARNED_REAL)
        ),
        "poison_hold": max(
            bar(chances, hard & ~planted, HELD), rare(in_real, stand_for, HELD_REAL)
        ),
    }
    warned = np.sort(first[hard & planted & (chances >= bars["poison_warn"])])
    least = round(float(warned[int((1 - PASSED) * len(warned))]), 6)
    signed = np.array([bool(sets.worn(plain(row.text))) for row in rows])
    passed = np.where(signed | (first >= least), chances, 0.0)
    more = {
        "calibration": list(line),
        "thresholds": bars,
        "writers": by_writer(rows, passed, bars),
    }
    write("poison", judge(data), ["planted"], more)
    kinds = sets.kind_set([row for row in rows if row.kind])
    write("poison_kind", fitting("poison_kind", len(POISON))(kinds), POISON, {})
    write("poison_first", glance(words), ["planted"], {"pass": least})


def rare(chances: Floats, stand_for: Floats, share: float) -> float:
    """The bar that at most that share of all texts of the workspaces reaches."""
    order = np.argsort(-chances)
    reached = np.cumsum(stand_for[order]) / stand_for.sum()
    return round(min(float(chances[order][np.searchsorted(reached, share)]) + 2e-6, 1.0), 6)


def by_writer(
    rows: Sequence[Text], chances: Floats, bars: dict[str, float]
) -> dict[str, dict[str, list[int]]]:
    """What was caught and cried wolf at of each writer who was held out, for bench/poison.py.

    For each bar: planted texts that reach it, all planted ones, honest ones that do, all of them.
    """
    planted = np.array([bool(row.kind) for row in rows])
    harmless = sets.is_harmless(rows)
    writers = np.array([_counted_as(row, easy) for row, easy in zip(rows, harmless, strict=True)])
    counted = {}
    for name in sorted({*writers} - {"old-poison"}):
        counted[str(name)] = {
            level: [
                int((here & (chances >= least)).sum() if reached else here.sum())
                for here in ((writers == name) & planted, (writers == name) & ~planted)
                for reached in (True, False)
            ]
            for level, least in bars.items()
        }
    return counted


def _counted_as(row: Text, is_harmless: bool) -> str:
    if row.sort == "workspace":
        return "workspaces"
    return "ordinary" if is_harmless else row.writer


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m models.training.train_poison",
        description="Trains the judge of planted text.",
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    folders = parser.parse_args().folders
    for folder in folders:
        if not texts_of(folder):
            parser.error(f"There is no Markdown to learn from in {folder}.")
    train(folders)
    for name in ("poison", "poison_first", "poison_kind"):
        sys.stdout.write(f"{name}.bin: {(WEIGHTS / f'{name}.bin').stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
