"""Since when a file's lines read as they do, and which version first brought each of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clawgit.domain.align import Unit, align
from clawgit.domain.lines import Spot, claw_id, earlier


class BlamedLine(NamedTuple):
    """`key` is the version in which the line came to read so, `first_key` the one that first had it, however worded."""

    line: int
    text: str
    key: str
    first_key: str


def blame(versions: Iterable[tuple[str, str]]) -> tuple[BlamedLine, ...]:
    """The lines of the newest of some versions, (name, text) newest first; "" is a version without the file.

    A line that was gone for a while and came back as it was keeps its first version, so older ones are asked for as
    long as one line says enough to be recognised.
    """
    walk = iter(versions)
    newest = next(walk, None)
    if newest is None:
        return ()
    name, text = newest
    text = _normal(text)
    traces = [_Trace(at, line, name) for at, line in enumerate(_lines(text))]
    while any(trace.is_open() for trace in traces) and (version := next(walk, None)):
        older, old = version[0], _normal(version[1])
        _step_back(traces, text, old, older)
        text = old
    return tuple(BlamedLine(n, trace.text, trace.key, trace.first) for n, trace in enumerate(traces, 1))


class _Trace:
    """A line on its way back: `at` is its place in the version where we are, -1 while it is not there."""

    __slots__ = ("at", "first", "key", "settled", "text", "then")

    def __init__(self, at: int, text: str, name: str) -> None:
        self.at = at
        self.text = self.then = text
        self.key = self.first = name
        self.settled = False

    def is_open(self) -> bool:
        return self.at >= 0 or _tells(self.then)

    def found(self, at: int, line: str, name: str) -> None:
        self.settled = self.settled or line != self.text
        if not self.settled:
            self.key = name
        self.at, self.then, self.first = at, line, name

    def lost(self) -> None:
        self.at = -1
        self.settled = True


def _step_back(traces: Sequence[_Trace], text: str, old: str, name: str) -> None:
    olds = _lines(old)
    places = _places(text, old, olds, {trace.at for trace in traces})
    away: list[_Trace] = []
    for trace in traces:
        at = places[trace.at] if trace.at >= 0 else -1
        if at >= 0:
            trace.found(at, olds[at], name)
        else:
            trace.lost()
            away.append(trace)
    if away:
        _come_back(away, olds, {*places}, name)


def _places(text: str, old: str, olds: Sequence[str], wanted: set[int]) -> list[int]:
    """For each line its place one version earlier, -1 where it was not there; of those between what is the same at
    both ends, only where one is wanted.
    """
    news = _lines(text)
    head = _common(news, olds)
    tail = _common(news[head:][::-1], olds[head:][::-1])
    middle = range(head, len(news) - tail)
    found = [*range(head), *[-1] * len(middle), *range(len(olds) - tail, len(olds))]
    if wanted.isdisjoint(middle):
        return found
    pairs = align([*map(_unit, olds[head : len(olds) - tail])], [*map(_unit, news[head : len(news) - tail])])
    found[head : len(news) - tail] = [i + head if i >= 0 else -1 for i in pairs]
    _look_closer(text, old, [at for at in sorted(wanted.intersection(middle)) if found[at] < 0], found)
    return found


def _look_closer(text: str, old: str, missing: Sequence[int], found: list[int]) -> None:
    """What no common words bring together, common letters may: "delete files", "deleting a file"."""
    news, taken = _lines(text), {*found}
    if len(missing) * (old.count("\n") + 1 - len(taken)) > _MANY:
        return
    for at in missing:
        before = earlier(Spot(text, at, news[at]), old) if news[at].strip() else None
        if before and before.at not in taken:
            found[at] = before.at
            taken.add(before.at)


def _come_back(away: Sequence[_Trace], olds: Sequence[str], taken: set[int], name: str) -> None:
    """Lines that are not there one version later, but read the same here: somebody took them out and put them back."""
    known = {*olds}
    waiting = [trace for trace in away if trace.then in known and _tells(trace.then)]
    if not waiting:
        return
    free: defaultdict[str, list[int]] = defaultdict(list)
    for at in reversed(range(len(olds))):
        if at not in taken:
            free[olds[at]].append(at)
    for trace in waiting:
        if free[trace.then]:
            trace.found(free[trace.then].pop(), trace.then, name)


def _unit(line: str) -> Unit:
    """Lines are aligned as items are: by id, by their words, never for want of another."""
    return Unit("item", line, 0, id=claw_id(line))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _tells(line: str) -> bool:
    """Whether a line says enough to be known again: a rule or a blank line comes back all the time."""
    return sum(map(str.isalnum, line)) >= _TELLING


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n") if "\r" in text else text


_TELLING = 4
_MANY = 200
"""Pairs of lines beyond which a change is no rewording but a new text."""
