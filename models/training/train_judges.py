"""Trains the judges: `python -m models.training.train_judges` writes clawgit/language/judges/weights/*.bin, the same
every time. The judge of planted text is trained by `models.training.train_poison`."""

import argparse
import struct
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from clawgit.language.files import codes
from clawgit.language.judges.judging import SLOTS, known_words
from clawgit.language.judges.weights import WEIGHTS as FOLDER
from clawgit.language.judges.weights import head
from clawgit.language.lexicon import Lexicon, lexicon
from clawgit.language.tokens import fold
from models.training import judges_sets as sets
from models.training.judges_data import ACTS, TAGS, Said
from models.training.judges_learning import Fitted, Floats, Ints, Levelling, fit, platt, rounded
from models.training.judges_sets import Set
from models.training.packing import packed

WEIGHTS = Path(FOLDER)
HEADS = (
    "words", "acts", "worth", "undone", "disputes", "lasting", "tags", "poison", "poison_first", "poison_kind",
)  # fmt: skip

SHARES = {"corrects": 0.02, "orders": 0.01, "praises": 0.03, "complains": 0.01, "chats": 0.93}
"""How many of real chat's messages do what."""
TRAPS = 0.05
"""So many of the messages that only chat are as near to a correction as our twins."""
ASK, SURE = 0.01, 0.002
"""So many ordinary messages are asked about wrongly, are acted on wrongly."""
LEFT_ALONE = 0.04
"""So many of those that leave what was said cost it."""
DISPUTED = 0.03
"""So much of what corrects none of the entries beside it is quoted under one."""
LEVELS = {
    "disputes": Levelling(5e-5),
    "acts": Levelling(2e-4), "worth": Levelling(1e-5), "tags": Levelling(1e-4),
    "poison_kind": Levelling(1e-4), "lasting": Levelling(1e-4), "undone": Levelling(2e-4),
}  # fmt: skip
PRECISE = {"chat": 0.88, "note": 0.88}
"""So many of what is kept shall be worth it, on writers held out."""
_CLASSES = (
    "negations", "hedges", "conditions", "reports", "first_person", "second_person", "pronouns",
    "recurring", "vague",
    "past", "future", "ago", "lead_ins", "function_words", "yearly", "am", "pm", "hour_marks",
    "next", "last",
)  # fmt: skip
_NAMED = {
    "month": "months", "weekday": "weekdays", "relative day": "days", "number": "numbers",
}  # fmt: skip
_TABLES = {"unit": ("spans", "units"), "money": ("money",)}


def _named(language: Lexicon, table: str) -> set[str]:
    """The words of a table of numbers by word."""
    if table in ("months", "weekdays", "numbers"):
        return set(getattr(language, table))
    return {fold(word) for words in language.table(table).values() for word in words}


def compile_words() -> None:
    """The closed classes of every language."""
    masks: dict[int, int] = {}
    names = (*_CLASSES, *_NAMED, *_TABLES)
    for language in map(lexicon, codes()):
        listed = {name: set(language.words(name)) for name in _CLASSES}
        listed["next"] |= set(language.words("this"))  # one class, when the judges learned
        listed |= {name: _named(language, table) for name, table in _NAMED.items()}
        listed["number"] |= _compounds(language)
        listed |= {
            name: set().union(*map(language.by_word, tables)) for name, tables in _TABLES.items()
        }
        for bit, name in enumerate(names):
            for word in sorted(listed[name]):
                if " " not in word and word:
                    key = crc32(fold(word).encode())
                    masks[key] = masks.get(key, 0) | 1 << bit
    masks = dict(sorted(masks.items()))
    fields = {"classes": list(names), "bias": [], "step": 1.0, "slots": 0, "count": len(masks)}
    table = struct.pack(f"<{2 * len(masks)}I", *masks, *masks.values())
    WEIGHTS.mkdir(exist_ok=True)
    (WEIGHTS / "words.bin").write_bytes(packed(fields, table))
    head.cache_clear()
    known_words.cache_clear()


def _compounds(language: Lexicon) -> set[str]:
    """Two figures in one word: `dreiundzwanzig`."""
    pattern, numbers = language.data.get("compound"), language.numbers.items()
    if not pattern:
        return set()
    units = [word for word, value in numbers if 0 < value < 10]
    tens = [word for word, value in numbers if 20 <= value < 100]
    return {pattern.format(unit=unit, ten=ten) for unit in units for ten in tens}


def held_out(data: Set, fitted: Callable[[Set], Fitted], classes: int) -> Floats:
    """The scores of each row by a judge that saw nothing of its writer; of an old writer's, by one
    that saw it."""
    scores = np.zeros((len(data.truth), classes))
    for here, there in sets.folds(data.writers):
        part = data.only(here)
        scores[here] = fitted(data.only(there)).scores(part.given, part.dense)
    return scores


def fitting(name: str, classes: int) -> Callable[[Set], Fitted]:
    def fitted(data: Set) -> Fitted:
        return fit(data.given, data.dense, data.truth, data.counts, (SLOTS, classes), LEVELS[name])

    return fitted


def odds_of(scores: Floats) -> Floats:
    """The log odds of each class against all the others."""
    columns = []
    for number in range(scores.shape[1]):
        others = np.delete(scores, number, axis=1)
        highest = others.max(axis=1, keepdims=True)
        columns.append(
            scores[:, number] - highest[:, 0] - np.log(np.exp(others - highest).sum(axis=1))
        )
    return np.stack(columns, axis=1)


def chance(odds: Floats, line: Sequence[float]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(line[0] * odds + line[1], -60, 60))))


def as_in_chat(rows: Sequence[Said]) -> Floats:
    """Weights that give each act, and the traps, the share that real chat has of them; old rows
    count nothing."""
    kinds = [row.act if row.act != "chats" or sets.is_ordinary(row) else "trap" for row in rows]
    shares = {**SHARES, "chats": SHARES["chats"] * (1 - TRAPS), "trap": SHARES["chats"] * TRAPS}
    fresh = sets.is_fresh(rows)
    many = Counter(kind for kind, new in zip(kinds, fresh, strict=True) if new)
    told = [
        shares[kind] / many[kind] if new else 0.0 for kind, new in zip(kinds, fresh, strict=True)
    ]
    return np.array(told) * len(rows)


def bar(chances: Floats, wrong: Any, share: float) -> float:
    """The bar that at most that share of the wrong ones reaches."""
    return round(min(level(chances, wrong, share) + 2e-6, 1.0), 6)


def level(values: Floats, wrong: Any, share: float) -> float:
    return float(np.sort(values[wrong])[::-1][int(share * wrong.sum())])


class Told(NamedTuple):
    """What the judge of acts says of rows whose writers it never saw."""

    rows: tuple[Said, ...]
    acts: Floats
    lines: list[tuple[float, float]]


def act_odds_held_out(rows: Sequence[Said], without: int | None = None) -> Floats:
    return odds_of(held_out(sets.acts_set(rows, without), fitting("acts", 5), 5))[: len(rows)]


def acts_held_out() -> Told:
    rows = sets.said_rows()
    data = sets.acts_set(rows)
    odds = odds_of(held_out(data, fitting("acts", 5), 5))[: len(rows)]
    old = np.flatnonzero(~sets.is_fresh(rows))
    middle = np.array([int(crc32(rows[at].id.encode()) % 2) for at in old])
    for half in (
        0,
        1,
    ):  # who is old was seen by every fold: their odds come from a judge of the other half
        here = old[middle == half]
        rest = np.setdiff1d(np.arange(len(rows)), here)
        part = data.only(here)
        judge = fitting("acts", 5)(data.only(np.concatenate([rest, rest + len(rows)])))
        odds[here] = odds_of(judge.scores(part.given, part.dense))
    weights = as_in_chat(rows)
    lines = [
        platt(odds[:, number], data.truth[: len(rows)] == number, weights) for number in range(4)
    ]
    chances = np.stack([chance(odds[:, number], line) for number, line in enumerate(lines)], axis=1)
    return Told(rows, chances, lines)


def train_acts(told: Told) -> None:
    rows, fresh = told.rows, sets.is_fresh(told.rows)
    acts = np.array([row.act for row in rows])
    ordinary = fresh & np.array([sets.is_ordinary(row) for row in rows])
    everyday = fresh & np.array([sets.is_everyday(row) for row in rows])
    bars = {
        "corrects_ask": bar(told.acts[:, 0], everyday, ASK),
        "corrects_sure": bar(told.acts[:, 0], ordinary, SURE),
    }
    for name in ("orders", "praises", "complains"):
        column = told.acts[:, ACTS.index(name)]
        bars[f"{name}_ask"] = bar(column, everyday, ASK)
        if name == "complains":  # clawgit only ever asks what is wrong
            continue
        bars[f"{name}_sure"] = max(
            bar(column, ordinary, SURE),
            sure(column[fresh], (acts == name)[fresh], as_in_chat(rows)[fresh]),
        )
    model = fitting("acts", 5)(sets.acts_set(rows))
    write(
        "acts",
        model,
        ACTS,
        {"calibration": [list(line) for line in told.lines], "thresholds": bars},
    )


def sure(chances: Floats, right: Any, weights: Floats, precision: float = 0.9) -> float:
    """The lowest bar above which that share is right at the prevalence of real chat."""
    order = np.argsort(-chances)
    good, taken = np.cumsum((weights * right)[order]), np.cumsum(weights[order])
    reached = np.flatnonzero((good / taken >= precision) & (np.arange(1, len(order) + 1) >= 10))
    return round(float(chances[order][reached[-1]]), 6) if len(reached) else 1.0


def write(name: str, model: Fitted, classes: Sequence[str], more: dict[str, Any]) -> None:
    step, table, header = rounded(model)
    fields = {**header, **more, "classes": list(classes), "step": step, "slots": len(model.weights)}
    if model.dense.size:
        fields["weights"] = _short(model.dense.T)
    (WEIGHTS / f"{name}.bin").write_bytes(packed(fields, table))


def _short(numbers: Floats) -> Any:
    return np.round(numbers, 5).tolist()


def train_worth() -> Floats:
    rows = sets.line_rows()
    data = sets.worth_set(rows)
    scores = held_out(data, fitting("worth", 1), 1)[:, 0]
    calibration, bars, chances = {}, {}, np.zeros(len(rows))
    for place in ("chat", "note"):
        here = sets.is_fresh(rows) & np.array(
            [(row.place == "note") == (place == "note") for row in rows]
        )
        line = platt(scores[here], data.truth[here] == 0, np.ones(int(here.sum())))
        calibration[place] = list(line)
        chances[here] = chance(scores[here], line)
        if place == "chat":
            bars["worth"] = best_bar(chances[here], data.truth[here] == 0, PRECISE[place])
    calibration["assistant"] = calibration["chat"]
    write(
        "worth",
        fitting("worth", 1)(data),
        ["keep"],
        {"calibration": calibration, "thresholds": bars},
    )
    return chances


def train_lasting() -> Floats:
    """The same for the lines of daily notes, most of which tell what was done on one day."""
    data = sets.worth_set(sets.daily_rows())
    scores = held_out(data, fitting("lasting", 1), 1)[:, 0]
    line = platt(scores, data.truth == 0, np.ones(len(scores)))
    model = fitting("lasting", 1)(data)
    write("lasting", model, ["keep"], {"calibration": {"daily": list(line)}})
    return chance(scores, line)


def train_undone() -> Floats:
    """What is said later, and whether it leaves what was said before."""
    data = sets.later_set(sets.later_rows())
    scores = held_out(data, fitting("undone", 1), 1)[:, 0]
    line = platt(scores, data.truth == 0, np.ones(len(scores)))
    chances = chance(scores, line)
    model = fitting("undone", 1)(data)
    bars = {"undone": bar(chances, data.truth == 1, LEFT_ALONE)}
    write("undone", model, ["undoes"], {"calibration": {"chat": list(line)}, "thresholds": bars})
    return chances


def train_disputes() -> Floats:
    """Whether a message says that the entry which it is likeliest to mean is wrong."""
    rows = sets.pair_rows(sets.said_rows())
    data = sets.pair_set(rows)
    scores = held_out(data, fitting("disputes", 1), 1)[:, 0]
    line = platt(scores, data.truth == 0, np.ones(len(scores)))
    chances = chance(scores, line)
    best = {row: 0.0 for row in sets.said_rows() if sets.is_twin(row)}
    best |= {row.said: float(at) for row, at in zip(rows, chances, strict=True) if row.said in best}
    twins = np.array([*best.values()])
    bars = {"disputes": bar(twins, np.ones(len(twins), bool), DISPUTED)}
    model = fitting("disputes", 1)(data)
    write(
        "disputes", model, ["disputes"], {"calibration": {"chat": list(line)}, "thresholds": bars}
    )
    return chances


def best_bar(chances: Floats, truth: Any, precision: float) -> float:
    """The lowest bar with that precision that still has half of what is right; else the one with
    the best F."""
    order = np.argsort(-chances)
    right, taken = np.cumsum(truth[order]), np.arange(1, len(order) + 1)
    good = np.flatnonzero((right / taken >= precision) & (right >= truth.sum() / 2))
    at = good[-1] if len(good) else int((right / (taken + truth.sum())).argmax())
    return round(float(chances[order][at]), 6)


def train_tags() -> Floats:
    rows = [row for row in sets.line_rows() if row.tag in TAGS]
    data = sets.tag_set(rows)
    scores = held_out(data, fitting("tags", 4), 4)
    slope = temperature(scores[sets.is_fresh(rows)], data.truth[sets.is_fresh(rows)])
    write("tags", fitting("tags", 4)(data), TAGS, {"slope": slope})
    return scores


def temperature(scores: Floats, truth: Ints) -> float:
    """By how much scores are to be stretched for their softmax to be right."""

    def lost(slope: float) -> float:
        powers = np.exp(slope * (scores - scores.max(axis=1, keepdims=True)))
        return -float(np.log(powers[np.arange(len(truth)), truth] / powers.sum(axis=1)).mean())

    return min((round(0.1 * step, 1) for step in range(2, 41)), key=lost)


class Outcome(NamedTuple):
    """What the judges say of rows whose writers they never saw, for models/training/judges.py to count."""

    told: Told
    worth: Floats
    lasting: Floats
    tags: Floats
    undone: Floats
    disputes: Floats


def train() -> Outcome:
    compile_words()
    told = acts_held_out()
    train_acts(told)
    outcome = Outcome(
        told, train_worth(), train_lasting(), train_tags(), train_undone(), train_disputes()
    )
    head.cache_clear()
    return outcome


def main() -> None:
    # It overwrites the weights in the package, so `--help` must not start it.
    argparse.ArgumentParser(
        prog="python -m models.training.train_judges",
        description="Trains the judges and writes the weights.",
    ).parse_args()
    train()
    for name in HEADS:
        sys.stdout.write(f"{name}.bin: {(WEIGHTS / f'{name}.bin').stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
