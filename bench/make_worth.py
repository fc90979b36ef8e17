"""Learns what makes a sentence worth keeping, from our labelled conversations: `python -m bench.make_worth` writes
clawgit/domain/extract/worth_weights.py. A logistic regression over hashed features; what is learned is a number a slot.
"""

from base64 import b85encode
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zlib import compress, crc32

import numpy as np
import numpy.typing as npt

from bench.conversations import DEV, STRANGERS, Conversation, conversations, holds
from clawgit.domain.chat import USER
from clawgit.domain.extract.reading import Setting, weighed
from clawgit.domain.extract.sentences import Sentence, sentences
from clawgit.domain.extract.worth import SLOTS, Learned, by_rules
from tests.domain.extract.chatter import CHATTER
from tests.domain.extract.samples import KEPT, LEFT_OUT

FOLDS = 5
_MODULE = Path(__file__).parent.parent / "clawgit" / "domain" / "extract" / "worth_weights.py"
_STEPS, _RATE, _LEVELLING = 400, 0.05, 1e-3
_CAUTION = 0.7
"""By how much more than even odds a sentence must be likely: it is better to miss a memory than to keep chatter."""

_LINE = 110
_SOME_DAY = datetime(2026, 2, 14, tzinfo=UTC)
Floats = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """A sentence by what it shows, its weight by rules, and whether it was labelled as a memory."""

    slots: frozenset[int]
    weight: int
    kept: bool


@cache
def samples(talk: Conversation) -> tuple[Sample, ...]:
    """The sentences of the operator's; those on which fair people differ are left out."""
    return tuple(_samples(talk))


@cache
def terse() -> tuple[Sample, ...]:
    """What people say in one sentence and out of nothing: conversations have little of it that is to be kept."""
    told = [(text, True) for texts in KEPT.values() for text in texts]
    told += [(text, False) for text in (*LEFT_OUT, *CHATTER)]
    found = []
    for text, kept in told:
        said = sentences(text)
        setting = Setting(_SOME_DAY, length=len(text))
        for sentence in said if len(said) == 1 or not kept else ():
            judgement, slots = weighed(sentence, setting)
            if slots is not None:
                found.append(Sample(slots, judgement.weight, kept))
    return tuple(found)


def learn(talks: Sequence[Conversation]) -> Learned:
    """Weights in whole numbers from -127 to 127, as they are written down."""
    known = [*terse(), *(sample for talk in talks for sample in samples(talk))]
    weights, bias = _fitted(known)
    scale = float(np.abs(weights).max()) / 127
    return Learned(np.rint(weights / scale).astype(int).tolist(), scale, bias - _CAUTION)


def learnable() -> tuple[Conversation, ...]:
    return (*conversations(DEV), *conversations(STRANGERS))


@cache
def learned_without(fold: int) -> Learned:
    """What is learned from all conversations but those of a fold: an honest judge of these."""
    return learn([talk for talk in learnable() if fold_of(talk) != fold])


def fold_of(talk: Conversation) -> int:
    return crc32(talk.id.encode()) % FOLDS


def _samples(talk: Conversation) -> Iterator[Sample]:
    before = ""
    for number, message in enumerate(talk.messages):
        if message.role != USER:
            before = message.text
            continue
        setting = Setting(message.time, talk.operator, before=before, length=len(message.text))
        before = ""
        said = sentences(message.text)
        for sentence in said:
            judgement, slots = weighed(sentence, setting)
            label = _label(talk, number, sentence, said)
            if slots is not None and label is not None:
                yield Sample(slots, judgement.weight, label)


def _label(talk: Conversation, number: int, sentence: Sentence, said: Sequence[Sentence]) -> bool | None:
    """Whether a sentence is one of the memories; None where that is in dispute, or it holds a part of one only."""
    text = sentence.whole
    if any(holds(text, wanted.must) for wanted in talk.memories if wanted.message == number):
        return True
    if any(holds(text, wanted.must) for wanted in talk.optional if wanted.message == number):
        return None
    spread = [
        wanted
        for wanted in talk.memories
        if wanted.message == number and not any(holds(other.whole, wanted.must) for other in said)
    ]
    return None if any(holds(text, (group,)) for wanted in spread for group in wanted.must) else False


def _fitted(known: Sequence[Sample]) -> tuple[Floats, float]:
    """Adam on the mean log loss, with the weights held small. Each row is a list of slots, laid end to end."""
    slots = np.concatenate([np.fromiter(sorted(sample.slots), dtype=np.int64) for sample in known])
    sizes = np.array([len(sample.slots) for sample in known])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    kept = np.array([sample.kept for sample in known], dtype=float)
    ground = np.array([by_rules(sample.weight) for sample in known])
    weights, mean, spread, bias = np.zeros(SLOTS), np.zeros(SLOTS), np.zeros(SLOTS), 0.0
    for step in range(1, _STEPS + 1):
        odds = np.add.reduceat(weights[slots], starts) + bias + ground
        wrong = 1 / (1 + np.exp(-odds)) - kept
        slope = np.bincount(slots, weights=np.repeat(wrong, sizes), minlength=SLOTS) / len(known) + _LEVELLING * weights
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.999 * spread + 0.001 * slope * slope
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
        bias -= _RATE * float(wrong.mean())
    return weights, bias


def written(judge: Learned) -> str:
    """The module that holds what was learned."""
    packed = b85encode(compress(np.array(judge.weights, dtype=np.int8).tobytes(), 9)).decode()
    lines = [f'    "{packed[at : at + _LINE]}"' for at in range(0, len(packed), _LINE)]
    return "\n".join(
        [
            '"""Made by bench/make_worth.py: what it learned from our labelled conversations. No hand edits this."""',
            "",
            f"SCALE, BIAS = {judge.scale:.8f}, {judge.bias:.8f}",
            "PACKED = (",
            *lines,
            ")",
            "",
        ]
    )


def main() -> None:
    _MODULE.write_text(written(learn(learnable())), encoding="utf-8")


if __name__ == "__main__":
    main()
