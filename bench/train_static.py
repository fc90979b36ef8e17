"""Teaches the static embedder which lines answer a question.

    AN_INTERPRETER_THAT_HAS_THE_PACKAGES -m bench.train_static TEXTS LINES [--out FOLDER]

The packages are `torch` and those of clawgit. TEXTS and LINES are those of `bench.make_reader`: questions,
each with lines that answer it and lines that do not, in all languages that the embedder knows.

The vectors of the word pieces stay as they are, since single words are compared by them. Two things
are learned, which are small: how much each piece counts in a text, and a matrix that turns the sum of a
text. They learned from lines alone; a search adds the headings above a line, each of whose words counts
half. Of the lines of a few hundred questions, the one that answers is to be the nearest. Both begin as if
there were nothing to learn, and stay close to that: what the pieces mean was learned from far more than
there is here. Half of what was learned is kept: a search then finds as many lines of notes, and loses
less of what was said in conversations, of which there is nothing here (of LoCoMo's open questions it
still loses: R@1500 .678 to .629). Vectors of the pieces that may change find more lines alone, and none
more in a search, at forty times the size.
"""

import argparse
import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from bench.make_reader import read
from clawgit.stores.embed.static import MODEL, TURN, WEIGHTS, Bag, StaticEmbedder, word_vectors

STEPS, BATCH, WRONG = 300, 384, 4
STEP, WEIGHT_STEP, SHARP_STEP, WARMING = 1e-3, 1e-2, 1e-2, 50
CLOSE = 0.01  # how much it costs to leave where it began
SHARP = 20.0  # what cosines are multiplied by at first
LEARNED = 0.5  # how far to go from where it began to where it ends
OWN_SHARE = 2 / 3  # questions about workspaces
CHARACTERS, RIGHT, NEGATIVES = 1000, 8, 20


class Question(NamedTuple):
    """The bag of a question, and its lines as numbers of bags."""

    asked: int
    right: Sequence[int]
    wrong: Sequence[int]


class Lesson(NamedTuple):
    bags: Sequence[Bag]
    own: Sequence[Question]
    public: Sequence[Question]


def main() -> None:
    parser = argparse.ArgumentParser(description="Teaches the static embedder.")
    parser.add_argument("texts", type=Path)
    parser.add_argument("lines", type=Path)
    parser.add_argument("--out", type=Path, default=MODEL)
    asked = parser.parse_args()
    weights, turn = learned(prepared(asked.texts, asked.lines, asked.out), asked.out)
    straight = np.eye(len(turn), dtype=np.float32)
    np.save(asked.out / WEIGHTS, (weights**LEARNED).astype(np.float16))
    np.save(asked.out / TURN, (straight + LEARNED * (turn - straight)).astype(np.float16))


def prepared(texts: Path, lines: Path, model: Path) -> Lesson:
    numbers, embedder = dict[str, int](), StaticEmbedder(model)

    def numbered(some: Sequence[str]) -> list[int]:
        return [numbers.setdefault(text[:CHARACTERS], len(numbers)) for text in some]

    def question(asked: str, right: Sequence[str], wrong: Sequence[str]) -> Question:
        [own] = numbered([asked])
        return Question(own, numbered(right[:RIGHT]), numbered(wrong[:NEGATIVES]))

    own = [
        question(
            group["q"],
            [line["text"] for line in group["lines"] if line["right"]],
            [line["text"] for line in group["lines"] if not line["right"]],
        )
        for group in read(lines)
    ]
    public = [question(group["q"], group["pos"], group["neg"]) for group in read(texts)]
    return Lesson(
        [embedder.bag(text) for text in numbers],
        [one for one in own if one.right],
        [one for one in public if one.right],
    )


def learned(lesson: Lesson, model: Path) -> tuple[Any, Any]:
    """What each piece counts, and the matrix."""
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(1)
    table = torch.tensor(word_vectors(model)[0].astype(np.float32))
    table /= table.norm(dim=1).mean()
    grown = torch.zeros(len(table), requires_grad=True)
    turn = torch.eye(table.shape[1], requires_grad=True)
    sharp = torch.tensor(np.log(SHARP), requires_grad=True)
    straight = torch.eye(table.shape[1])

    def embedded(numbers: Sequence[int]) -> Any:
        bags = [lesson.bags[at] for at in numbers]
        pieces = torch.tensor(np.concatenate([bag.pieces for bag in bags]).astype(np.int64))
        counts = torch.tensor(np.concatenate([bag.counts for bag in bags]).astype(np.float32))
        starts = torch.tensor(np.cumsum([0, *(len(bag.pieces) for bag in bags[:-1])]))
        counts = counts * torch.exp(grown[pieces])
        sums = torch.nn.functional.embedding_bag(
            pieces, table, starts, mode="sum", per_sample_weights=counts
        )
        return torch.nn.functional.normalize(sums @ turn, dim=1)

    steps = ((grown, WEIGHT_STEP), (turn, STEP), (sharp, SHARP_STEP))
    optimizer = torch.optim.Adam([{"params": [part], "lr": step} for part, step in steps])
    slower = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / WARMING) * (1 - step / STEPS)
    )
    for at, batch in zip(range(STEPS), batches(lesson, Random(1)), strict=False):
        lines = [*(right for _, right, _ in batch), *(at for *_, wrong in batch for at in wrong)]
        found = embedded([one.asked for one, *_ in batch]) @ embedded(lines).T * torch.exp(sharp)
        # Another line that answers a question must not be pushed away.
        also = torch.stack(
            [torch.isin(torch.tensor(lines), torch.tensor(one.right)) for one, *_ in batch]
        )
        also[range(len(batch)), range(len(batch))] = False
        wanted = torch.arange(len(batch))
        lost = torch.nn.functional.cross_entropy(found.masked_fill(also, -1e4), wanted)
        off = (grown**2).sum() + ((turn - straight) ** 2).sum()
        optimizer.zero_grad()
        (lost + CLOSE * off).backward()
        optimizer.step()
        slower.step()
        if at % 50 == 0:
            print(f"{at} of {STEPS}: {float(lost.detach()):.3f}", flush=True)
    return torch.exp(grown).detach().numpy(), turn.detach().numpy()


def batches(lesson: Lesson, random: Random) -> Iterator[list[tuple[Question, int, Sequence[int]]]]:
    """Without end: some questions, each with a line that answers and some that do not."""
    own = round(BATCH * OWN_SHARE)
    while True:
        some = [
            *random.sample(lesson.own, own),
            *random.sample(lesson.public, BATCH - own),
        ]
        yield [
            (one, random.choice(one.right), random.sample(one.wrong, min(WRONG, len(one.wrong))))
            for one in some
        ]


if __name__ == "__main__":
    main()
