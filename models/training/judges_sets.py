"""What each judge learns from and is measured on: labelled text as features, weighed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from clawgit.core.markdown.entry import entries
from clawgit.language.judges.judging import SLOTS, first_words, hashed, of_message
from clawgit.language.judges.judging import seen as planted_seen
from clawgit.safety.rules.injection import plain, told_in
from clawgit.talk.rules.deciding import Target, beside, own_words, targets
from clawgit.talk.rules.wording import doubt, sentences
from models.training import judges_data as data
from models.training.judges_data import ACTS, POISON, TAGS, Later, Line, Said, Text
from models.training.judges_learning import (
    Fitted,
    Floats,
    Ints,
    Levelling,
    Sparse,
    fit,
    sparse,
    telling,
)

FOLDS = 5
"""The number of folds: a judge learns from most writers and is tested on the others."""
BLIND = 0.3
"""The weight of a message without the turn before it."""
_LANGUAGE_POWER = 0.3
POISON_SLOTS = 1 << 20
"""The judge of planted text learns from so many runs of characters that fewer slots mix them up."""
_TEXTS = {"note": 0.5, "chat": 0.1, "rule": 2.0, "first corpus": 2.0, "workspace": 0.3}
"""Text by those who thought of no poison is easy, and counts little beside look-alikes. The worn
phrases of all languages stand in our first corpus alone. Of real workspaces there is so much that
each line counts little.
"""
_MEMORIES = 4
"""An ordinary message stands beside the entries of so many others."""
_ORDINARY, _TWIN = 2.0, 0.6
"""An ordinary message counts for more than a twin of a correction: chats are full of the former."""


class Set(NamedTuple):
    """Everything that one judge learns from. `writers` has one name a row; who is old is one
    writer."""

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


def folds(writers: Sequence[str]) -> Iterator[tuple[Ints, Ints]]:
    """The new writers, a few at a time, held out from all the rest."""
    names = np.array(writers)
    fresh = sorted({name for name in writers if not name.startswith("old")})
    for first in range(min(FOLDS, len(fresh))):
        here = np.isin(names, fresh[first::FOLDS])
        yield np.flatnonzero(here), np.flatnonzero(~here)


def is_fresh(rows: Sequence[Any]) -> Any:
    return np.array([not row.writer.startswith("old") for row in rows])


_SHARES = {"t73": 0.5}
"""What an item of a writer counts who wrote thousands alike."""


def counts(rows: Sequence[Any], old_share: float = data.OLD_SHARE) -> Floats:
    """A small language counts more, an old item less."""
    many = Counter(row.lang for row in rows)
    usual = len(rows) / max(1, len(many))
    return np.array([
        (usual / many[row.lang]) ** _LANGUAGE_POWER * (old_share if row.writer.startswith("old") else _SHARES.get(row.writer, 1.0))
        for row in rows
    ])  # fmt: skip


def is_ordinary(row: Said) -> bool:
    """Neither a correction, nor a twin of one."""
    return row.act == "chats" and not row.group


def is_everyday(row: Said) -> bool:
    """From a list of ordinary messages, where nobody set a trap."""
    return is_ordinary(row) and not row.memory


def is_twin(row: Said) -> bool:
    """Beside an entry that it might correct, and does not."""
    return row.act == "chats" and bool(row.memory)


@cache
def said_rows() -> tuple[Said, ...]:
    rows = [*data.old_messages(), *data.triage()]
    for folder in data.writers():
        rows += [*data.messages(folder), *data.ordinary(folder)]
    return tuple(rows)


def said_counts(rows: Sequence[Said]) -> Floats:
    weights = {"ordinary": _ORDINARY, "twin": _TWIN, "other": 1.0}
    told: Floats = counts(rows) * np.array([weights[_sort(row)] for row in rows])
    return told


def _sort(row: Said) -> str:
    if row.act != "chats":
        return "other"
    return "twin" if row.group else "ordinary"


def acts_set(rows: Sequence[Said], without: int | None = None) -> Set:
    """Each message twice: as it was said, and without the turn before it, in a second half. Writers
    give a correction something to correct more often than life does; a judge shall not learn from
    that.

    `without` leaves a group of features out, for the ablation.
    """
    said = [(row.text, row.before) for row in rows] + [(row.text, "") for row in rows]
    groups = [hashed(of_message(*each)) for each in said]
    if without is not None:
        groups = [[*each[:without], [], *each[without + 1 :]] for each in groups]
    truth = np.array([ACTS.index(row.act) for row in rows] * 2)
    weights = np.concatenate([(1 - BLIND) * said_counts(rows), BLIND * said_counts(rows)])
    return Set(
        sparse(groups), np.zeros((len(truth), 0)), truth, weights, [row.writer for row in rows] * 2
    )


@cache
def line_rows() -> tuple[Line, ...]:
    rows = [*data.old_lines()]
    for folder in data.writers():
        rows += data.lines(folder)
    return tuple(rows)


@cache
def daily_rows() -> tuple[Line, ...]:
    return tuple(row for folder in data.writers() for row in data.daily(folder))


@cache
def later_rows() -> tuple[Later, ...]:
    return tuple(row for folder in data.writers() for row in data.later(folder))


def later_set(rows: Sequence[Later]) -> Set:
    return Set(
        sparse(hashed(of_message(row.later, row.text)) for row in rows),
        np.zeros((len(rows), 0)),
        np.array([0 if row.undoes else 1 for row in rows]),
        counts(rows),
        [row.writer for row in rows],
    )


class Pair(NamedTuple):
    """A message beside the entry that it may mean, and whether it says that this one is wrong."""

    said: Said
    features: list[list[str]]
    disputes: bool


@cache
def pair_rows(rows: tuple[Said, ...]) -> tuple[Pair, ...]:
    """Each message beside the entry that is likeliest to be meant. An ordinary one stands beside
    what its writer gave others of its language to remember, and one that names its subject in
    another talk, too.
    """
    memories = defaultdict[tuple[str, str], list[tuple[str, ...]]](list)
    talks = defaultdict[str, list[Said]](list)
    for row in rows:
        if row.memory:
            memories[row.writer, row.lang].append(row.memory)
        if row.memory and row.before:
            talks[row.lang].append(row)
    pairs = list[Pair | None]()
    for number, row in enumerate(rows):
        memory, there = row.memory, memories[row.writer, row.lang]
        if there and not memory:
            chosen = (there[(number * 7 + at * 13) % len(there)] for at in range(_MEMORIES))
            memory = tuple(dict.fromkeys(chain(*chosen)))
        pairs.append(_pair(row, memory))
        if others := talks[row.lang]:
            pairs.append(_elsewhere(row, others[(number * 7) % len(others)]))
    return tuple(filter(None, pairs))


def _elsewhere(row: Said, other: Said) -> Pair | None:
    """What names its subject, and nothing of another talk, as an answer there: it says nothing of
    what was said. Without such rows, every “… is at 9 now” disputes what the agent said last.
    """
    moved = row._replace(before=other.before, memory=other.memory, entry=None)
    own, there = _targets(row, row.memory), _targets(moved, moved.memory)
    is_apart = own and there and own[0].is_named and not there[0].is_named
    return _pair(moved, moved.memory) if is_apart else None


def _targets(said: Said, memory: Iterable[str]) -> list[Target]:
    lines = "".join(f"- {' '.join(line.split())}\n" for line in memory)
    return targets(own_words(said.text), said.before, entries(lines, "MEMORY.md"))


def _pair(said: Said, memory: Sequence[str]) -> Pair | None:
    own, ranked = own_words(said.text), _targets(said, memory)
    # What is in doubt is not judged.
    if not ranked or any(map(doubt, sentences(own))):
        return None
    wrong = "" if said.act != "corrects" or said.entry is None else memory[said.entry]
    return Pair(said, beside(own, said.before, ranked), ranked[0].text == " ".join(wrong.split()))


def pair_set(rows: Sequence[Pair]) -> Set:
    said = [row.said for row in rows]
    return Set(
        sparse(hashed(row.features) for row in rows),
        np.zeros((len(rows), 0)),
        np.array([0 if row.disputes else 1 for row in rows]),
        counts(said),
        [row.writer for row in said],
    )


def worth_set(rows: Sequence[Line]) -> Set:
    groups = [hashed([*of_message(row.text, row.before), [f"place {row.place}"]]) for row in rows]
    truth = np.array([0 if row.keep else 1 for row in rows])
    return Set(
        sparse(groups),
        np.zeros((len(rows), 0)),
        truth,
        counts(rows, 1.0),
        [row.writer for row in rows],
    )


def tag_set(rows: Sequence[Line]) -> Set:
    groups = [hashed(of_message(row.text, "")) for row in rows]
    truth = np.array([TAGS.index(str(row.tag)) for row in rows])
    return Set(
        sparse(groups), np.zeros((len(rows), 0)), truth, counts(rows), [row.writer for row in rows]
    )


@cache
def text_rows() -> tuple[Text, ...]:
    rows = [*data.old_planted(), *data.pages(), *data.own_lines()]
    for path in sorted((data.TRAINING / "poison").glob("*.jsonl")):
        rows += data.planted(path)
    for folder in data.writers():
        rows += data.harmless(folder)
    return tuple(rows)


def told(rows: Sequence[Text]) -> tuple[list[Text], Ints]:
    """Each text and its sentences, as they are judged, and the number of the text that each is
    of.
    """
    parts = [[row._replace(text=part) for part in told_in(plain(row.text))] for row in rows]
    return [*chain(*parts)], np.repeat(np.arange(len(rows)), [*map(len, parts)])


def is_harmless(rows: Sequence[Text]) -> Any:
    """Honest text by a writer who planted nothing."""
    poisoners = {row.writer for row in rows if row.kind}
    return np.array([row.writer not in poisoners for row in rows])


def poison_set(rows: Sequence[Text], *, first: bool = False) -> Set:
    """Planted and honest text; `first`: the words alone."""
    truth = np.array([0 if row.kind else 1 for row in rows])
    # Real workspaces are in few languages, so their lines do not say which of them is small.
    made = [row for row in rows if row.sort != "workspace"]
    by_language = dict(zip(made, counts(made), strict=True))
    weights = np.array([by_language.get(row, 1.0) * _TEXTS.get(row.sort, 1.0) for row in rows])
    if first:
        return _text_set(rows, truth, weights, first_of)
    return _text_set(rows, truth, weights, planted_seen, POISON_SLOTS)


def fit_telling(data: Set, width: int, level: Levelling) -> Fitted:
    """One class against nothing, by the slots that tell something."""
    share = telling(data.given, data.truth, data.counts, width)
    scaled = data.given._replace(values=data.given.values * share[data.given.slots])
    model = fit(scaled, data.dense, data.truth, data.counts, (width, 1), level)
    return model._replace(weights=model.weights * share[:, None])


def kind_set(rows: Sequence[Text]) -> Set:
    """What planted texts would do. `rows` are planted ones only."""
    truth = np.array([POISON.index(row.kind) for row in rows])
    return _text_set(rows, truth, counts(rows), planted_seen)


def first_of(text: str) -> list[list[str]]:
    return [first_words(text)]


def _text_set(
    rows: Sequence[Text],
    truth: Ints,
    weights: Floats,
    of: Callable[[str], list[list[str]]],
    slots: int = SLOTS,
) -> Set:
    given = sparse(hashed(of(row.text), slots) for row in rows)
    return Set(given, np.zeros((len(rows), 0)), truth, weights, [row.writer for row in rows])
