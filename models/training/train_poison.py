"""Trains the judge of planted text: `python -m models.training.train_poison FOLDER…`, the same every time.

It learns from the planted texts and look-alikes in models/judges, and from real workspaces, of
which nothing is kept here: each FOLDER holds the Markdown of one, and all of it counts as honest.
The shipped weights learned from 26 public ones. The rates of false alarms are measured on each
workspace by a judge that did not learn from it.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

from clawgit.language.judges.judging import SLOTS
from clawgit.safety.rules.injection import parts_of, plain, told_in, units
from clawgit.safety.rules.planted import is_served
from models.training import judges_sets as sets
from models.training.judges_data import POISON, Text
from models.training.judges_learning import Fitted, Floats, Ints, Levelling, platt
from models.training.judges_sets import Set
from models.training.train_judges import WEIGHTS, bar, chance, fitting, held_out, write

LEVEL = Levelling(3e-6)
HELD = 0.025
"""So many honest texts that look planted are held. How many that is of the lines of
workspaces that it did not learn from is measured apart from this."""
PASSED = 0.995
"""So many of the planted texts that would be held pass the first judge, by their words."""
HARDEST, DRAWN = 1000, 500
"""So many parts of a workspace are learned from: those that most look planted to a judge that knows
no workspace, and any others."""
_LARGEST = 1 << 18
"""A longer file is a log or a vendored page."""
_SHORTEST = 12


def texts_of(folder: Path) -> list[Text]:
    """What the judge would see of a workspace, each part once."""
    files = [file for file in sorted(folder.rglob("*.md")) if _is_memory(file, folder)]
    seen = dict.fromkeys(told for file in files for part in _parts(file) for told in told_in(part))
    return [Text(f"workspace {folder.name}", "en", told, "", "workspace") for told in seen]


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


def learned_from(texts: Sequence[Text], judge: Fitted) -> list[Text]:
    """The parts of a workspace that `judge` takes for planted first, and some of the others."""
    data = sets.poison_set(texts)
    scores = judge.scores(data.given, data.dense)[:, 0]
    order = [texts[at] for at in np.argsort(-scores, kind="stable")]
    others = sorted(order[HARDEST:], key=lambda row: crc32(row.text.encode()))
    return [*order[:HARDEST], *others[:DRAWN]]


def train(folders: Sequence[Path]) -> None:
    judge = partial(sets.fit_telling, width=sets.POISON_SLOTS, level=LEVEL)
    glance = partial(sets.fit_telling, width=SLOTS, level=LEVEL)
    made = sets.text_rows()
    parts, alone, owner = learned_parts(made, judge)
    real = [one for folder in folders for one in learned_from(texts_of(folder), alone)]
    rows = (*parts, *real)
    data, words = sets.poison_set(rows), sets.poison_set(rows, first=True)
    odds, first = held_out(data, judge, 1)[:, 0], held_out(words, glance, 1)[:, 0]
    texts = (*made, *real)
    odds, first = of_texts(odds, owner, len(made)), of_texts(first, owner, len(made))
    planted, easy = np.array([bool(row.kind) for row in texts]), sets.is_harmless(texts)
    hard = sets.is_fresh(texts) & ~easy
    line = platt(odds[hard], planted[hard], np.ones(int(hard.sum())))
    chances = chance(odds, line)
    hold = bar(chances, hard & ~planted, HELD)
    held = np.sort(first[hard & planted & (chances >= hold)])
    least = round(float(held[int((1 - PASSED) * len(held))]), 6)
    passed = np.where(first >= least, chances, 0.0)
    more = {
        "calibration": list(line),
        "thresholds": {"poison_hold": hold},
        "writers": by_writer(texts, passed, hold),
    }
    write("poison", judge(data), ["planted"], more)
    kinds = sets.kind_set([row for row in parts if row.kind])
    write("poison_kind", fitting("poison_kind", len(POISON))(kinds), POISON, {})
    write("poison_first", glance(words), ["planted"], {"pass": least})


def learned_parts(
    made: Sequence[Text], judge: Callable[[Set], Fitted]
) -> tuple[list[Text], Fitted, Ints]:
    """What is learned from of each text, a judge of that alone, and the number of each one's text."""
    parts, owner = sets.told(made)
    data = sets.poison_set(parts)
    is_whole, is_honest = np.diff(owner, prepend=-1) > 0, data.truth == 1
    alone = judge(data.only(np.flatnonzero(is_whole | is_honest)))
    scores = alone.scores(data.given, data.dense)[:, 0]
    order = np.lexsort((scores, owner))
    is_most = np.zeros(len(parts), bool)
    is_most[order[np.diff(owner[order], append=len(made)) > 0]] = True
    chosen = np.flatnonzero(is_most | is_honest)
    return [parts[at] for at in chosen], alone, owner[chosen]


def of_texts(odds: Floats, owner: Ints, many: int) -> Floats:
    """The highest of each text's parts; those of workspaces, which come last, as they are."""
    highest = np.full(many, -np.inf)
    np.maximum.at(highest, owner, odds[: len(owner)])
    return np.concatenate([highest, odds[len(owner) :]])


def by_writer(rows: Sequence[Text], chances: Floats, least: float) -> dict[str, list[int]]:
    """What was caught and cried wolf at of each writer who was held out, for bench/poison.py:
    planted texts that reach the bar, all planted ones, honest ones that do, all of them.
    """
    planted = np.array([bool(row.kind) for row in rows])
    harmless = sets.is_harmless(rows)
    writers = np.array([_counted_as(row, easy) for row, easy in zip(rows, harmless, strict=True)])
    return {
        str(name): [
            int((here & (chances >= least)).sum() if reached else here.sum())
            for here in ((writers == name) & planted, (writers == name) & ~planted)
            for reached in (True, False)
        ]
        for name in sorted({*writers} - {"old-poison"})
    }


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
