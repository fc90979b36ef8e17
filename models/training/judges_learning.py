"""Logistic regressions over hashed features, and what makes their scores chances. numpy alone, and
no chance in it."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_TELLS_LITTLE = 0.3
"""The least that a slot counts which two rows have."""


class Sparse(NamedTuple):
    """Rows of hashed features: the slots of a row lie side by side, each with its value."""

    lengths: Ints
    slots: Ints
    values: Floats

    def only(self, chosen: Ints) -> "Sparse":
        ends = np.cumsum(self.lengths)
        parts = [np.arange(ends[row] - self.lengths[row], ends[row]) for row in chosen]
        at = np.concatenate([*parts, np.zeros(0, np.int64)]).astype(np.int64)
        return Sparse(self.lengths[chosen], self.slots[at], self.values[at])

    def times(self, weights: Floats) -> Floats:
        """Row by row the sum of what its slots weigh; one column a class. No row is empty."""
        starts = np.cumsum(self.lengths) - self.lengths
        weighed = weights.take(self.slots, axis=0) * self.values[:, None]
        return np.add.reduceat(weighed, starts, axis=0)

    def turned(self, width: int) -> "Sparse":
        """The same, slot by slot: its slots are the rows in which a slot turns up."""
        order = np.argsort(self.slots, kind="stable")
        rows = np.repeat(np.arange(len(self.lengths)), self.lengths)
        return Sparse(np.bincount(self.slots, minlength=width), rows[order], self.values[order])


def sparse(texts: Iterable[Sequence[Sequence[int]]]) -> Sparse:
    lengths: list[int] = []
    slots, values = array("i"), array("f")
    for groups in texts:
        lengths.append(sum(map(len, groups)))
        for group in filter(None, groups):
            slots.extend(group)
            values.extend([1 / len(group) ** 0.5] * len(group))
    return Sparse(np.array(lengths), np.frombuffer(slots, "i"), np.frombuffer(values, "f"))


def telling(given: Sparse, truth: Ints, counts: Floats, width: int) -> Floats:
    """How much a slot tells by itself of whether a row is of class 0: the less, the nearer to
    nothing its weight is held. Nothing where fewer than two rows have it.
    """
    rows = np.repeat(np.arange(len(truth)), given.lengths)
    seen = [
        1 + np.bincount(given.slots, (counts * (truth == side))[rows], width) for side in (0, 1)
    ]
    apart = np.abs(np.log(seen[0] / seen[0].sum()) - np.log(seen[1] / seen[1].sum()))
    return np.where(np.bincount(given.slots, minlength=width) > 1, _TELLS_LITTLE + apart, 0.0)


def minimise(
    told: Callable[[Floats], tuple[float, Floats]], start: Floats, steps: int = 80, memory: int = 8
) -> Floats:
    """L-BFGS with a step that is halved until it helps."""
    at, (loss, slope) = start, told(start)
    moves: list[tuple[Floats, Floats, float]] = []
    for _ in range(steps):
        way = _direction(slope, moves)
        reach, fall = 1.0, float(way @ slope)
        if fall > -1e-10:
            break
        if not moves:
            reach = min(1.0, 1.0 / float(np.abs(slope).sum() + 1e-12))
        for _ in range(25):
            ahead = at + reach * way
            loss_ahead, slope_ahead = told(ahead)
            if loss_ahead <= loss + 1e-4 * reach * fall:
                break
            reach /= 2
        else:
            break
        step, turn = ahead - at, slope_ahead - slope
        if float(step @ turn) > 1e-12:
            moves = [*moves, (step, turn, 1 / float(step @ turn))][-memory:]
        done = abs(loss - loss_ahead) < 1e-6 * max(1.0, abs(loss))
        at, loss, slope = ahead, loss_ahead, slope_ahead
        if done:
            break
    return at


def _direction(slope: Floats, moves: Sequence[tuple[Floats, Floats, float]]) -> Floats:
    way = -slope
    kept = []
    for step, turn, share in reversed(moves):
        part = share * float(step @ way)
        kept.append(part)
        way = way - part * turn
    if moves:
        step, turn, _ = moves[-1]
        way = way * float(step @ turn) / float(turn @ turn)
    for (step, turn, share), part in zip(moves, reversed(kept), strict=True):
        way = way + (part - share * float(turn @ way)) * step
    return way


class Fitted(NamedTuple):
    """Weights over the slots and over the dense features, one column a class."""

    weights: Floats
    dense: Floats
    bias: Floats

    def scores(self, given: Sparse, dense: Floats) -> Floats:
        return np.asarray(given.times(self.weights) + dense @ self.dense + self.bias)


class Levelling(NamedTuple):
    """How strongly weights are held near nothing."""

    slots: float
    dense: float = 1e-3


def fit(
    given: Sparse,
    dense: Floats,
    truth: Ints,
    counts: Floats,
    shape: tuple[int, int],
    level: Levelling,
) -> Fitted:
    """A softmax over the classes; with one class, it against nothing (truth 0 is the class, 1
    nothing).

    `shape` is the number of slots and of classes, `counts` weighs the rows.
    """
    width, classes = shape
    used, slots = np.unique(given.slots, return_inverse=True)
    small, many, more = given._replace(slots=slots), len(used), dense.shape[1]
    turned, total, rows = small.turned(many), float(counts.sum()), np.arange(len(truth))

    def loss(flat: Floats) -> tuple[float, Floats]:
        model = _unpacked(flat, classes, many, more)
        scores = model.scores(small, dense)
        if classes == 1:
            scores = np.concatenate([scores, np.zeros_like(scores)], axis=1)
        scores = scores - scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        errors = np.exp(logs)
        errors[rows, truth] -= 1
        errors = (errors * counts[:, None] / total)[:, :classes]
        lost = -float((counts * logs[rows, truth]).sum()) / total
        lost += 0.5 * level.slots * float((model.weights**2).sum())
        lost += 0.5 * level.dense * float((model.dense**2).sum())
        slope = (
            (turned.times(errors) + level.slots * model.weights).ravel(),
            (dense.T @ errors + level.dense * model.dense).ravel(),
            errors.sum(axis=0),
        )
        return lost, np.concatenate(slope)

    model = _unpacked(
        minimise(loss, np.zeros(classes * (many + more + 1)), 70), classes, many, more
    )
    whole = np.zeros((width, classes))
    whole[used] = model.weights
    return Fitted(whole, model.dense, model.bias)


def _unpacked(flat: Floats, classes: int, many: int, more: int) -> Fitted:
    one, two = classes * many, classes * (many + more)
    return Fitted(
        flat[:one].reshape(many, classes), flat[one:two].reshape(more, classes), flat[two:]
    )


def platt(scores: Floats, truth: npt.NDArray[np.bool_], counts: Floats) -> tuple[float, float]:
    """The line through the scores that makes them log odds."""
    total = float(counts.sum())

    def told(line: Floats) -> tuple[float, Floats]:
        chance = 1 / (1 + np.exp(-np.clip(line[0] * scores + line[1], -60, 60)))
        inside = np.clip(np.where(truth, chance, 1 - chance), 1e-12, 1)
        errors = (chance - truth) * counts / total
        return -float((counts * np.log(inside)).sum()) / total, np.array(
            [errors @ scores, errors.sum()]
        )

    slope, shift = minimise(told, np.array([1.0, 0.0]), 200)
    return round(float(slope), 5), round(float(shift), 5)


def rounded(model: Fitted) -> tuple[float, bytes, dict[str, Any]]:
    """The weights as small numbers: the step between two, the table class by class, the rest for
    the header."""
    step = float(np.abs(model.weights).max()) / 127 or 1.0
    table = np.clip(np.rint(model.weights.T / step), -127, 127).astype(np.int8)
    return (
        step,
        np.ascontiguousarray(table).tobytes(),
        {"bias": [round(float(one), 5) for one in model.bias]},
    )
