"""Makes the embedder `e5`: a model that gives a text a vector, in any of several languages.

    AN_INTERPRETER_THAT_HAS_THE_PACKAGES -m models.training.make_embedder TEXTS LINES MORE [--from WEIGHTS]
        [--average WEIGHTS] [--minutes N] OUT

The packages are those of `models.training.make_reader`, and so are TEXTS and LINES: questions, each with lines
that answer it and lines that do not. MORE has any other lines, as a list in JSON. OUT gets
`embedder.onnx` and `weights.pt`.

What is shipped learned in two runs. In the first, of 44 minutes from the teacher, lines had no headings,
there were no lines of earlier batches, and MORE were 33,878 lines of 77 public workspaces, none of which
measures anything. In the second, of 42 minutes from there, TEXTS were 2,000 questions, LINES held 17,118
whose lines the first model had ranked, MORE 4,900 lines of seven other public workspaces. What ships is
the average of where the second began and ended (`--average`; it was taken after both were centred). On
made-up workspaces that neither had read, a right line is among the first twenty for .661 of the questions
with the weights that it began from, .677 with the last, .711 with their average.

1. It begins with eight of the teacher's twelve layers, its last among them; the vectors of its pieces
   have rank 128. The first six layers learn half as well as six that are spread.
2. It learns the teacher's vectors, and how near the teacher finds each line of a batch to each
   question and to each other line.
3. And of the lines of a batch and of those just before it, the one that answers a question is to be the
   nearest. With the lines of one batch alone, about a hundred, a model does well in a small workspace
   and badly in a large one.
4. At the end, what all lines have in common is taken out of the bias of the last layer, so that two
   lines that say nothing alike have a cosine near 0, where the teacher has .78.

A line is read with the headings above it (`passage`), as a search reads it. A question is marked by its
kind, not by words before it as the teacher wants them.
"""

import argparse
import importlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from clawgit.search.embed import as_learned
from clawgit.search.rules.row import NEAREST
from clawgit.search.stores.models import END, START, Pieces
from models.training.make_reader import ASKED, Group, question_as_asked, read
from models.training.many_languages import Teacher
from models.training.student import (
    INPUTS,
    average_with,
    begun,
    by_length,
    descend,
    export,
    filled_up,
    in_few_bits,
    in_two_processes,
    layers_of,
    mean,
    student,
)

LAYERS = (0, 1, 3, 5, 6, 8, 10, 11)
MINUTES, STEP, WARMING = 44, 1.6e-4, 100
GROUPS_A_BATCH, WRONG_A_GROUP, MORE_A_BATCH = 24, 2, 20
LONGEST_QUESTION, LONGEST_LINE, CHARACTERS = 48, 72, 500
SHARPNESS = 0.02  # a difference of two cosines that tells a lot
NEARNESS_COUNTS, LINES_COUNT = 4.0, 0.5
RIGHT, NEGATIVES = 2, 8  # the most lines of a question that are kept
BEFORE = 4096  # lines of earlier batches, to be told from those that answer
CENTRED = 3000  # lines of which the mean is taken
SORTED = 3  # parts of a batch, each of lines of like length
TAUGHT_AT_ONCE, TAUGHT_PIECES = 64, 96
QUESTION, TEXT = "query: ", "passage: "  # what the teacher wants to read first


class Numbered(NamedTuple):
    """A question by its forms, and its lines, all as numbers of texts."""

    forms: Sequence[int]
    right: Sequence[int]
    wrong: Sequence[int]


class Lesson(NamedTuple):
    """All that is learned from: the pieces of questions and lines, what the teacher makes of them,
    which belong together, and the lines that belong to no question.
    """

    questions: Sequence[list[int]]
    lines: Sequence[list[int]]
    of_questions: Any
    of_lines: Any
    groups: Sequence[Numbered]
    more: Sequence[int]


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the embedder e5.")
    for name in ("texts", "lines", "more", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--from", type=Path, dest="weights")
    parser.add_argument("--average", type=Path)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    asked = parser.parse_args()
    taught_by, net = begun(embedder, asked.weights)
    pieces = Pieces(taught_by.tokenizer)
    groups = [*read(asked.texts), *read(asked.lines)]
    lesson = prepared(taught_by, pieces, groups, json.loads(asked.more.read_text("utf-8")))
    in_two_processes(net, learn, lesson, 60 * asked.minutes)
    if asked.average:
        average_with(asked.average, net)
    centre(net, lesson)
    asked.out.mkdir(parents=True, exist_ok=True)
    torch: Any = importlib.import_module("torch")
    torch.save(net.state_dict(), asked.out / "weights.pt")
    given = framed([pieces.ids("It is due in May.")] * 2, kind=0)
    export(net, [given[name] for name in INPUTS], asked.out / "embedder.onnx", said="tokens")


def embedder(taught_by: Teacher) -> Any:
    torch: Any = importlib.import_module("torch")
    base = student(taught_by, LAYERS)

    class Embedder(torch.nn.Module):  # type: ignore[misc]  # torch is not installed here
        def __init__(self) -> None:
            super().__init__()
            self.base = base

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            given = {"attention_mask": attention_mask, "token_type_ids": token_type_ids}
            return self.base(input_ids=input_ids, **given).last_hidden_state

    return Embedder()


def prepared(
    taught_by: Teacher, pieces: Pieces, groups: Sequence[Group], more: Sequence[str]
) -> Lesson:
    questions, lines = dict[str, int](), dict[str, int]()
    random, numbered = Random(3), list[Numbered]()

    def numbers(texts: Iterable[str], known: dict[str, int]) -> list[int]:
        return [known.setdefault(text, len(known)) for text in texts]

    for group in groups:
        right, wrong = lines_of(group)
        forms = {group["q"][:ASKED], question_as_asked(group["q"], random)[:ASKED]}
        of_lines = [
            numbers((text[:CHARACTERS] for text in some), lines)
            for some in (right[:RIGHT], wrong[:NEGATIVES])
        ]
        if right or wrong:
            numbered.append(Numbered(numbers(sorted(forms), questions), *of_lines))
    others = numbers((line[:CHARACTERS] for line in more), lines)
    return Lesson(
        [pieces.ids(text)[: LONGEST_QUESTION - 2] for text in questions],
        [pieces.ids(text)[: LONGEST_LINE - 2] for text in lines],
        taught(taught_by, [pieces.ids(QUESTION + text) for text in questions]),
        taught(taught_by, [pieces.ids(TEXT + text) for text in lines]),
        numbered,
        others,
    )


def lines_of(group: Group) -> tuple[list[str], list[str]]:
    """The lines that answer a question and those that do not, nearest first."""
    if "lines" not in group:
        return list(group["pos"]), list(group["neg"])
    whole = [
        (as_learned(line["text"], tuple(line["headings"][-NEAREST:])), line["right"])
        for line in group["lines"]
    ]
    right = [text for text, is_right in whole if is_right]
    return right, [text for text, is_right in whole if not is_right]


def taught(taught_by: Teacher, texts: Sequence[list[int]]) -> Any:
    """What the whole teacher makes of texts."""
    torch: Any = importlib.import_module("torch")
    whole = layers_of(taught_by, range(taught_by.layers)).eval()

    def read(some: Sequence[list[int]]) -> Any:
        given = framed([text[: TAUGHT_PIECES - 2] for text in some], kind=0)
        return mean(whole(**given).last_hidden_state.float(), given["attention_mask"])

    with torch.inference_mode(), in_few_bits():
        return by_length(texts, len, TAUGHT_AT_ONCE, read)


def framed(texts: Sequence[list[int]], kind: int) -> dict[str, Any]:
    """Texts as the model reads them, filled up to the longest."""
    ids, mask = filled_up([[START, *text, END] for text in texts])
    return dict(zip(INPUTS, (ids, mask, mask * kind), strict=True))


def learn(net: Any, lesson: Lesson, seconds: float, number: int) -> None:
    torch: Any = importlib.import_module("torch")
    torch.set_num_threads(1)
    learned = [part for part in net.parameters() if part.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=STEP, weight_decay=0.01, fused=True)
    before = Before([], torch.zeros(0, lesson.of_lines.shape[1]))

    def lost(batch: tuple[Sequence[Chosen], Sequence[int]]) -> Any:
        nonlocal before
        value, before = loss(net, lesson, *batch, before)
        return value

    seen = batches(lesson, Random(number))
    descend(optimizer, seen, lost, seconds=seconds, warming=WARMING)


class Before(NamedTuple):
    """Lines of the batches before, and what the model made of them then."""

    lines: list[int]
    vectors: Any


class Chosen(NamedTuple):
    """One form of a question, one line that answers it if any does, and some that do not."""

    question: int
    right: Sequence[int]
    wrong: Sequence[int]
    all_right: Sequence[int]


def batches(lesson: Lesson, random: Random) -> Iterator[tuple[list[Chosen], list[int]]]:
    """Without end: some questions with their lines, and lines of no question."""
    while True:
        order = random.sample(lesson.groups, len(lesson.groups))
        for at in range(0, len(order), GROUPS_A_BATCH):
            some = [
                Chosen(
                    random.choice(group.forms),
                    random.sample(group.right, min(1, len(group.right))),
                    random.sample(group.wrong, min(WRONG_A_GROUP, len(group.wrong))),
                    group.right,
                )
                for group in order[at : at + GROUPS_A_BATCH]
            ]
            yield some, random.sample(lesson.more, MORE_A_BATCH)


def loss(
    net: Any, lesson: Lesson, batch: Sequence[Chosen], others: Sequence[int], before: Before
) -> tuple[Any, Before]:
    torch: Any = importlib.import_module("torch")
    asked = [one.question for one in batch]
    lines = [line for one in batch for line in (*one.right, *one.wrong)] + [*others]
    of_questions = embedded(net, [lesson.questions[at] for at in asked], kind=1)
    of_lines = embedded(net, [lesson.lines[at] for at in lines], kind=0)
    right_questions, right_lines = lesson.of_questions[asked], lesson.of_lines[lines]
    near = (1 - (of_questions * right_questions).sum(1)).mean()
    near = near + (1 - (of_lines * right_lines).sum(1)).mean()
    found, wanted = of_questions @ of_lines.T, right_questions @ right_lines.T
    itself = torch.eye(len(lines), dtype=torch.bool)
    among = (of_lines @ of_lines.T).masked_fill(itself, -1)
    among_wanted = (right_lines @ right_lines.T).masked_fill(itself, -1)
    alike = apart(found, wanted) + LINES_COUNT * apart(among, among_wanted)
    all_lines = [*lines, *before.lines]
    all_vectors = torch.cat([of_lines, before.vectors])
    right = answered(of_questions @ all_vectors.T, all_lines, batch)
    kept = Before(all_lines[:BEFORE], all_vectors[:BEFORE].detach())
    return NEARNESS_COUNTS * near + alike + right, kept


def embedded(net: Any, texts: Sequence[list[int]], kind: int) -> Any:
    def read(some: Sequence[list[int]]) -> Any:
        given = framed(some, kind)
        with in_few_bits():
            seen = net(**given)
        return mean(seen.float(), given["attention_mask"])

    return by_length(texts, len, -(-len(texts) // SORTED), read)


def centre(net: Any, lesson: Lesson) -> None:
    """Takes the mean of some lines out of what the model says of any."""
    torch: Any = importlib.import_module("torch")
    some = Random(1).sample(lesson.lines, min(CENTRED, len(lesson.lines)))
    last = net.base.encoder.layer[-1].output.LayerNorm
    with torch.inference_mode():
        means = [net(**framed([line], kind=0)).mean(1) for line in some]
    last.bias.data -= torch.cat(means).mean(0)


def apart(found: Any, wanted: Any) -> Any:
    """How far cosines are from those of the teacher, the highest of a row above all."""
    torch: Any = importlib.import_module("torch")
    ours, theirs = (torch.log_softmax(each / SHARPNESS, 1) for each in (found, wanted))
    return torch.nn.functional.kl_div(ours, theirs, log_target=True, reduction="batchmean")


def answered(found: Any, lines: Sequence[int], batch: Sequence[Chosen]) -> Any:
    """How far the line that answers a question is from being the nearest of all."""
    torch: Any = importlib.import_module("torch")
    asked = [(row, one) for row, one in enumerate(batch) if one.right]
    if not asked:
        return torch.zeros(())
    places = [lines.index(one.right[0]) for _, one in asked]
    # Other lines that answer it must not be pushed away.
    numbers = torch.tensor(lines)
    also = torch.stack([torch.isin(numbers, torch.tensor(one.all_right)) for _, one in asked])
    also[range(len(asked)), places] = False
    rows = found[[row for row, _ in asked]].masked_fill(also, -1)
    return torch.nn.functional.cross_entropy(rows / SHARPNESS, torch.tensor(places))


if __name__ == "__main__":
    main()
