"""Trains the judges: `python -m bench.train_judges` writes clawgit/judges/weights/*.bin. Deterministic, some minutes."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.judges_data import (
    ACTS, RELATIONS, TAGS, TRAINING, Line, Pair, Said, lines, messages, old_lines, old_messages, old_pairs, ordinary,
    pairs, writers,
)  # fmt: skip
from bench.judges_learning import Fitted, Floats, Ints, Sparse, choose, fit, platt, rounded, sparse
from clawgit.judges.features import SLOTS, hashed, of_message
from clawgit.judges.relation import seen
from clawgit.judges.target import matches
from clawgit.judges.weights import WEIGHTS, packed

CORRECTING = 0.02
"""So many messages of real chat set something right."""

SHARES = {"corrects": CORRECTING, "orders": 0.01, "praises": 0.03, "complains": 0.01, "chats": 0.93}
LEVELLING = {"acts": 3e-4, "worth": 3e-4, "tags": 1e-3, "relation": 1e-3}
OLD_COUNTS = 0.5
"""An old item counts for so much: it was written by people who knew the product."""


class Set(NamedTuple):
    """Everything that one head learns from."""

    given: Sparse
    dense: Floats
    truth: Ints
    counts: Floats
    writers: list[str]

    def only(self, chosen: Ints) -> "Set":
        return Set(
            self.given.only(chosen), self.dense[chosen], self.truth[chosen], self.counts[chosen],
            [self.writers[row] for row in chosen],
        )  # fmt: skip


def by_language(rows: Sequence[Any]) -> Floats:
    """A small language counts more, by the root of its share; old items less."""
    many = Counter(row.lang for row in rows)
    usual = len(rows) / max(1, len(many))
    return np.array([
        (usual / many[row.lang]) ** 0.5 * (OLD_COUNTS if row.writer.startswith("old") else 1.0) for row in rows
    ])  # fmt: skip


def held_out(data: Set, fitted: Callable[[Set], Fitted], classes: int) -> Floats:
    """The scores of each row by a judge that saw nothing of its writer. Old writers are one."""
    names = np.array(["old" if name.startswith("old") else name for name in data.writers])
    scores = np.zeros((len(names), classes))
    for name in np.unique(names):
        here, there = np.flatnonzero(names == name), np.flatnonzero(names != name)
        if len(there):
            part = data.only(here)
            scores[here] = fitted(data.only(there)).scores(part.given, part.dense)
    return scores


def heard(scores: Floats, number: int) -> Floats:
    """The log odds of one class."""
    others = np.delete(scores, number, axis=1)
    highest = others.max(axis=1)
    return np.asarray(scores[:, number] - highest - np.log(np.exp(others - highest[:, None]).sum(axis=1)))


def said_rows() -> list[Said]:
    rows = [*old_messages()]
    for folder in writers(TRAINING):
        rows += [*messages(folder), *ordinary(folder)]
    return rows


def acts_set(rows: Sequence[Said]) -> Set:
    given = sparse([hashed(of_message(row.text, row.before)) for row in rows])
    truth = np.array([ACTS.index(row.act) for row in rows])
    return Set(given, np.zeros((len(rows), 0)), truth, by_language(rows), [row.writer for row in rows])


def fit_acts(data: Set) -> Fitted:
    return fit(data.given, data.dense, data.truth, data.counts, 5, LEVELLING["acts"], SLOTS)


def real_shares(truth: Ints) -> Floats:
    many = np.bincount(truth, minlength=5)
    return np.array([SHARES[ACTS[act]] / many[act] for act in truth]) * len(truth)


def highest_false(chances: Floats, wrong: Any, share: float) -> float:
    """The bar above which at most that share of the wrong ones lies."""
    ordered = np.sort(chances[wrong])[::-1]
    return round(float(min(ordered[min(int(share * len(ordered)), len(ordered) - 1)] + 1e-4, 0.995)), 4)


def train_acts() -> None:
    rows = said_rows()
    data = acts_set(rows)
    scores = held_out(data, fit_acts, 5)
    fresh = np.array([not row.writer.startswith("old") for row in rows])
    counts = real_shares(data.truth) * fresh
    calibration, chances = [], {}
    for number, act in enumerate(ACTS[:-1]):
        odds = heard(scores, number)
        slope, shift = platt(odds, data.truth == number, counts)
        calibration.append([slope, shift])
        chances[act] = 1 / (1 + np.exp(-(slope * odds + shift)))
    plain = fresh & (data.truth == 4)
    bars = {
        "corrects_pass": highest_false(chances["corrects"], plain, 0.15),
        "corrects_ask": highest_false(chances["corrects"], plain, 0.01),
        "corrects_sure": highest_false(chances["corrects"], plain, 0.002),
        "orders_ask": highest_false(chances["orders"], fresh & (data.truth != 1), 0.01),
        "orders_sure": highest_false(chances["orders"], fresh & (data.truth != 1), 0.002),
        "complains": highest_false(chances["complains"], fresh & (data.truth != 3), 0.01),
        "praises": highest_false(chances["praises"], fresh & (data.truth != 2), 0.01),
    }
    for act, bar in (("corrects", "corrects_pass"), ("corrects", "corrects_ask"), ("orders", "orders_ask")):
        right = fresh & (data.truth == ACTS.index(act))
        print("acts", bar, bars[bar], "heard", (chances[act][right] >= bars[bar]).mean().round(3), right.sum())
    print("acts accuracy", (scores.argmax(1) == data.truth)[fresh].mean())
    write("acts", fit_acts(data), ACTS, {"calibration": calibration, "thresholds": bars})


def write(name: str, model: Fitted, classes: Sequence[str], more: dict[str, Any]) -> None:
    step, table, header = rounded(model)
    fields = {**header, **more, "classes": list(classes), "step": step, "slots": SLOTS}
    if model.dense.size:
        fields["weights"] = [[round(float(weight), 5) for weight in row] for row in model.dense]
    WEIGHTS.mkdir(exist_ok=True)
    (WEIGHTS / f"{name}.bin").write_bytes(packed(fields, table))


def line_rows() -> list[Line]:
    rows = [*old_lines()]
    for folder in writers(TRAINING):
        rows += lines(folder)
    return rows


def worth_groups(row: Line) -> list[list[int]]:
    return hashed([*of_message(row.text, row.before), [f"place {row.place}"]])


def fit_worth(data: Set) -> Fitted:
    return fit(data.given, data.dense, data.truth, data.counts, 1, LEVELLING["worth"], SLOTS)


def train_worth() -> None:
    rows = line_rows()
    truth = np.array([0 if row.keep else 1 for row in rows])
    data = Set(
        sparse([worth_groups(row) for row in rows]), np.zeros((len(rows), 0)), truth, by_language(rows),
        [row.writer for row in rows],
    )  # fmt: skip
    scores = held_out(data, fit_worth, 1)[:, 0]
    calibration, bars = {}, {}
    fresh = np.array([not row.writer.startswith("old") for row in rows])
    for place, bar in (("chat", "worth"), ("note", "worth_note")):
        here = np.array([(row.place == "note") == (place == "note") for row in rows])
        if (here & fresh).sum() > 200:
            here &= fresh
        slope, shift = platt(scores[here], truth[here] == 0, np.ones(here.sum()))
        calibration[place] = [slope, shift]
        chance = 1 / (1 + np.exp(-(slope * scores[here] + shift)))
        bars[bar] = best_bar(chance, truth[here] == 0)
    calibration["assistant"] = calibration["chat"]
    write("worth", fit_worth(data), ["keep"], {"calibration": calibration, "thresholds": bars})


def best_bar(chance: Floats, truth: Any, precision: float = 0.88) -> float:
    """The lowest bar with that precision; where none has it, that with the best F."""
    order = np.argsort(-chance)
    right = np.cumsum(truth[order])
    taken = np.arange(1, len(order) + 1)
    good = np.flatnonzero((right / taken >= precision) & (taken > 20))
    f = 2 * right / (taken + truth.sum())
    at = good[-1] if len(good) else int(f.argmax())
    print("worth", "precision", (right / taken)[at].round(3), "recall", (right[at] / truth.sum()).round(3),
          "best f", f.max().round(3))  # fmt: skip
    return round(float(chance[order][at]), 4)


def train_tags() -> None:
    rows = [row for row in line_rows() if row.tag in TAGS]
    truth = np.array([TAGS.index(row.tag) for row in rows])
    data = Set(
        sparse([hashed(of_message(row.text, "")) for row in rows]), np.zeros((len(rows), 0)), truth,
        by_language(rows), [row.writer for row in rows],
    )  # fmt: skip

    def fitted(part: Set) -> Fitted:
        return fit(part.given, part.dense, part.truth, part.counts, 4, LEVELLING["tags"], SLOTS)

    scores = held_out(data, fitted, 4)
    print("tags", (scores.argmax(1) == truth).mean())
    write("tags", fitted(data), TAGS, {"slope": 1.0})


def train_target() -> None:
    rows = [row for row in said_rows() if row.act == "corrects" and row.memory]
    told = [np.array(matches(row.text, row.before, row.memory)) for row in rows]
    truth = [len(row.memory) if row.entry is None else row.entry for row in rows]
    counts = by_language(rows)
    names = np.array(["old" if row.writer.startswith("old") else row.writer for row in rows])
    right = []
    for name in np.unique(names):
        there, here = np.flatnonzero(names != name), np.flatnonzero(names == name)
        weights, none = choose([told[at] for at in there], [truth[at] for at in there], counts[there], 1e-3)
        right += [int(np.append(told[at] @ weights, none).argmax() == truth[at]) for at in here]
    print("target", np.mean(right), len(right))
    weights, none = choose(told, truth, counts, 1e-3)
    model = Fitted(np.zeros((0, 0)), np.zeros((0, 0)), np.zeros(0))
    fields = {
        "bias": [], "classes": ["meant"], "step": 1.0, "slots": 0, "none": round(none, 5),
        "weights": [round(float(weight), 5) for weight in weights],
        "thresholds": {"target_ask": 0.5, "target_sure": 0.9},
    }  # fmt: skip
    del model
    (WEIGHTS / "target.bin").write_bytes(packed(fields, b""))


def train_relation() -> None:
    rows: list[Pair] = [*old_pairs()]
    for folder in writers(TRAINING):
        rows += pairs(folder)
    told = [seen(row.a, row.b, row.under_a, row.under_b) for row in rows]
    truth = np.array([RELATIONS.index(row.relation) for row in rows])
    data = Set(
        sparse([hashed(groups) for _, groups in told]), np.array([dense for dense, _ in told]), truth,
        by_language(rows), [row.writer for row in rows],
    )  # fmt: skip

    def fitted(part: Set) -> Fitted:
        return fit(part.given, part.dense, part.truth, part.counts, 3, LEVELLING["relation"], SLOTS, 1e-3)

    scores = held_out(data, fitted, 3) if len(set(data.writers)) > 3 else fitted(data).scores(data.given, data.dense)
    print("relation", (scores.argmax(1) == truth).mean())
    write("relation", fitted(data), RELATIONS, {"thresholds": {"contradict_ask": 0.7, "contradict_sure": 0.9}})


def main() -> None:
    train_acts()
    train_worth()
    train_tags()
    train_target()
    train_relation()


if __name__ == "__main__":
    main()
