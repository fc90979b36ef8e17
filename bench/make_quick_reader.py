"""Makes the quick reranker, `clawgit/stores/embed/reader.py`: a small model that says how well a line
answers a question. It learns from the large one that `bench.make_reader` makes.

    python -m bench.make_quick_reader label TEXTS LABELLED [--own LINES]
    AN_INTERPRETER_THAT_HAS_TORCH -m bench.make_quick_reader train LABELLED OUT [--from WEIGHTS]
        [--average WEIGHTS] [--minutes N]
    AN_INTERPRETER_THAT_HAS_TORCH -m bench.make_quick_reader tune LINES OUT [--from WEIGHTS]
        [--average WEIGHTS] [--minutes N] [--seed N]

TEXTS and LINES are those of the large one. OUT gets `reader.npz`, for `clawgit/stores/embed/model`,
and `weights.pt`. WEIGHTS are such a `weights.pt`; a tuning begins with the shipped ones.

1. Each question of TEXTS is asked as people ask, of lines that answer it and lines beside them,
   below headings or none; each of LINES as it is and in a few words. Some words of a line of LINES
   are a question, too, since the large model says what answers it.
2. The large model says of each line how likely it answers.
3. The small one learns from that which line of a question is likeliest, and how likely each is;
   where it is known which lines are right, from that as well.
4. A second run begins where the first one ended, and their weights are averaged.
5. It is tuned on LINES, by what is right alone: of the lines of a question and “none of them”, the
   right ones are to win. The large one is not asked: it is not sure enough that nothing answers. Two
   such runs are averaged, and later a third with these.
"""

import argparse
import importlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from bench.make_reader import (
    ASKED,
    CHARACTERS,
    STOP,
    of_text,
    question_as_asked,
    read,
    tells,
)
from bench.student import average_with, descend
from clawgit.stores.embed.reader import (
    HEADS,
    LINE,
    QUESTION,
    SEPARATOR,
    WEIGHTS,
    framed,
    pieces_of,
)
from clawgit.stores.embed.static import MODEL, word_vectors
from clawgit.stores.reranker import Reranker

WIDE, LAYERS, INNER, KINDS, TOLD, VECTOR = 128, 2, 384, 5, 4, 256
MINUTES, LESSONS_A_BATCH, BATCHES_SORTED = 30, 16, 20
STEP, TUNING_STEP, WARMING, DECAY, LEAST_STEP = 1.5e-3, 8e-4, 60, 0.02, 0.02
SURE = 9.0  # a logit beyond this tells no more
SOFT = 1.5  # by this, the logits of a question's lines are divided before they are compared
ALONE, EXACT, RIGHT = 0.5, 0.02, 0.3  # what each other lesson counts beside that comparison
WHOLE, BRIEF, BESIDE, TIMES = 10, 5, 8, 2
TUNED, TUNED_BESIDE, AS_IT_IS = 14, 6, 0.75  # lines of a question, and how often it is asked whole
INVENTED, MORE_WORDS, STRANGE, ALIKE, ELSEWHERE = 4000, (1, 2, 2, 3, 3, 4, 5), 0.35, 9, 4
BEGINNINGS = (
    *("what is", "when is", "when did", "who", "how much", "where is", "which", "why", "how to"),
    *("what did we say about", "", "", "", "", "", ""),
)

Group = Mapping[str, Any]
Lessons = Callable[[Random], Iterable["Lesson"]]
Loss = Callable[[Any, Sequence["Lesson"]], Any]


class Lesson(NamedTuple):
    """A question, its lines as pieces, what the large model says of each, and which are right."""

    question: Sequence[int]
    lines: Sequence[tuple[list[int], list[int]]]
    taught: Sequence[float]
    right: Sequence[bool]


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the quick reranker.")
    steps = parser.add_subparsers(required=True)
    labelling = steps.add_parser("label")
    for name in ("texts", "labelled"):
        labelling.add_argument(name, type=Path)
    labelling.add_argument("--own", type=Path)
    labelling.set_defaults(run=label)
    training = steps.add_parser("train")
    for name in ("labelled", "out"):
        training.add_argument(name, type=Path)
    training.add_argument("--from", type=Path, dest="weights")
    training.add_argument("--average", type=Path)
    training.add_argument("--minutes", type=float, default=MINUTES)
    training.set_defaults(run=train)
    tuning = steps.add_parser("tune")
    for name in ("lines", "out"):
        tuning.add_argument(name, type=Path)
    tuning.add_argument("--from", type=Path, dest="weights")
    tuning.add_argument("--average", type=Path)
    tuning.add_argument("--minutes", type=float, default=MINUTES)
    tuning.add_argument("--seed", type=int, default=1)
    tuning.set_defaults(run=tune)
    asked = parser.parse_args()
    asked.run(asked)


def label(asked: argparse.Namespace) -> None:
    large, random = Reranker(), Random(5)
    own = read(asked.own) if asked.own else []
    groups = [*of_texts(read(asked.texts), random), *of_own(own, random), *invented(own, random)]
    with asked.labelled.open("w", encoding="utf-8") as out:
        for group in groups:
            chances = large.relevance(group["q"], group["lines"])
            out.write(json.dumps({**group, "t": [round(logit(one), 3) for one in chances]}) + "\n")


def logit(chance: float) -> float:
    return math.log(max(chance, 1e-6) / max(1 - chance, 1e-6))


def of_texts(texts: Iterable[Group], random: Random) -> Iterator[Group]:
    for group in texts:
        for _ in range(TIMES):
            question, lines, _ = of_text(group, random)
            yield {"q": question[:ASKED], "lines": [*dict.fromkeys(lines)], "right": None}


def of_own(own: Iterable[Group], random: Random) -> Iterator[Group]:
    for group in own:
        asked = {question_as_asked(group["q"], random): BRIEF, group["q"]: WHOLE}
        for question, first in asked.items():
            lines = group["lines"]
            some = lines[:first] + random.sample(lines[first:], min(BESIDE, len(lines[first:])))
            some += [line for line in lines if line["right"] and line not in some][:TIMES]
            right = [line["right"] for line in some]
            yield {"q": question[:ASKED], "lines": [*map(shown, some)], "right": right}


def invented(own: Sequence[Group], random: Random) -> Iterator[Group]:
    """Questions of some words of a line, asked of the lines that share most with them."""
    lines = [*dict.fromkeys(shown(line) for group in own for line in group["lines"])]
    words = [{*map(str.lower, re.findall(r"\w+", line))} for line in lines]
    for line in random.sample(lines, min(INVENTED, len(lines))):
        telling = [one for one in re.findall(r"[\w'-]{2,}", line) if not STOP.fullmatch(one)]
        chosen = random.sample(telling, min(random.choice(MORE_WORDS), len(telling)))
        if random.random() < STRANGE:
            chosen.append(random.choice(random.choice(lines).split()))
        question = " ".join((random.choice(BEGINNINGS), *chosen)).strip()
        asked = {*map(str.lower, chosen)}
        alike = sorted(range(len(lines)), key=lambda at: -len(words[at] & asked))[:ALIKE]
        some = [line, *(lines[at] for at in alike), *random.sample(lines, ELSEWHERE)]
        yield {"q": question[:ASKED], "lines": [*dict.fromkeys(some)], "right": None}


def shown(line: Group) -> str:
    return SEPARATOR.join((*line["headings"][-2:], line["text"]))[:CHARACTERS]


def train(asked: argparse.Namespace) -> None:
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(3)
    net = small()
    if asked.weights:
        net.load_state_dict(torch.load(asked.weights))
    lessons = [lesson_of(group) for group in read(asked.labelled) if len(group["lines"]) > 1]
    rounds = partial(shuffled, lessons)
    learn(net, batches(rounds, Random(1)), taught_loss, STEP, 60 * asked.minutes)
    keep(net, asked.out, asked.average)


def tune(asked: argparse.Namespace) -> None:
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(asked.seed)
    net = small()
    net.load_state_dict(torch.load(asked.weights) if asked.weights else shipped_weights(net))
    groups = [group for group in read(asked.lines) if tells(group)]
    rounds = partial(as_asked, groups)
    learn(net, batches(rounds, Random(asked.seed)), right_loss, TUNING_STEP, 60 * asked.minutes)
    keep(net, asked.out, asked.average)


def shuffled(lessons: Sequence[Lesson], random: Random) -> Iterable[Lesson]:
    return random.sample(lessons, len(lessons))


def as_asked(groups: Sequence[Group], random: Random) -> Iterator[Lesson]:
    """Each question with the lines that were ranked first, those that are right, and some others."""
    for group in random.sample(groups, len(groups)):
        first, others = group["lines"][:TUNED], group["lines"][TUNED:]
        right = [line for line in others if line["right"]][:TIMES]
        wrong = [line for line in others if not line["right"]]
        lines = [*first, *right, *random.sample(wrong, min(TUNED_BESIDE, len(wrong)))]
        is_whole = random.random() < AS_IT_IS
        question = group["q"] if is_whole else question_as_asked(group["q"], random)
        texts = {"q": question[:ASKED], "lines": [*map(shown, lines)], "t": ()}
        yield lesson_of({**texts, "right": [line["right"] for line in lines]})


def shipped_weights(net: Any) -> Mapping[str, Any]:
    """Those that a net of this size has a place for: earlier ones had more layers, and longer lines."""
    torch: Any = importlib.import_module("torch")
    with np.load(MODEL / WEIGHTS) as weights:
        return {
            name: torch.from_numpy(weights[name].astype(np.float32))[: len(part)]
            for name, part in net.state_dict().items()
        }


def keep(net: Any, out: Path, other: Path | None) -> None:
    """Writes the weights, averaged with those of another run if there is one."""
    torch: Any = importlib.import_module("torch")
    if other:
        average_with(other, net)
    out.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out / "weights.pt")
    export(net, out / WEIGHTS)


def lesson_of(group: Group) -> Lesson:
    table, pieces = word_vectors()
    asked = pieces.ids(group["q"])[:QUESTION]
    return Lesson(
        asked,
        [pieces_of(line, asked, table, pieces) for line in group["lines"]],
        [max(-SURE, min(SURE, one)) for one in group["t"]],
        group["right"] or (),
    )


def small() -> Any:
    """The net that `clawgit/stores/embed/reader.py` computes, with the names of its weights."""
    torch: Any = importlib.import_module("torch")
    nn = torch.nn
    table = word_vectors()[0].astype(np.float32)
    length = np.linalg.norm(table, axis=1) + 1e-6
    logs = np.log(length)
    rarity = torch.tensor([logs.mean(), logs.std()])

    class Layer(nn.Module):  # type: ignore[misc, name-defined]  # torch is not installed here
        def __init__(self) -> None:
            super().__init__()
            self.outer, self.inner = nn.LayerNorm(WIDE), nn.LayerNorm(WIDE)
            self.mix, self.taken = nn.Linear(WIDE, 3 * WIDE), nn.Linear(WIDE, WIDE)
            self.wide, self.narrow = nn.Linear(WIDE, INNER), nn.Linear(INNER, WIDE)

        def forward(self, seen: Any, mask: Any) -> Any:
            lines, places, wide = seen.shape
            mixed = self.mix(self.outer(seen)).view(lines, places, 3, HEADS, wide // HEADS)
            wants, offers, gives = mixed.permute(2, 0, 3, 1, 4)
            scores = wants @ offers.transpose(-1, -2) / math.sqrt(wide // HEADS)
            taken = scores.masked_fill(mask, -1e9).softmax(-1) @ gives
            seen = seen + self.taken(taken.transpose(1, 2).reshape(lines, places, wide))
            return seen + self.narrow(torch.relu(self.wide(self.inner(seen))))

    class Small(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            rare = torch.from_numpy(logs)
            self.register_buffer("units", torch.from_numpy(table / length[:, None]), False)
            self.register_buffer("rare", (rare - rarity[0]) / rarity[1], False)
            self.rarity = nn.Parameter(rarity, requires_grad=False)
            self.vector, self.told = nn.Linear(VECTOR, WIDE), nn.Linear(TOLD, WIDE)
            self.kind, self.place = nn.Embedding(KINDS, WIDE), nn.Embedding(LINE, WIDE)
            for few in (self.kind, self.place):
                nn.init.normal_(few.weight, std=0.02)
            for number in range(LAYERS):
                self.add_module(str(number), Layer())
            self.last = nn.LayerNorm(WIDE)
            self.top, self.score = nn.Linear(3 * WIDE, WIDE), nn.Linear(WIDE, 1)

        def forward(self, pieces: Any, kinds: Any, places: Any) -> Any:
            is_piece, asked, said = kinds > 1, kinds == 2, kinds > 2
            vectors = self.units[pieces] * is_piece.unsqueeze(-1)
            across = asked.unsqueeze(2) & said.unsqueeze(1)
            across = across | across.transpose(1, 2)
            cosines = vectors @ vectors.transpose(1, 2)
            near = cosines.masked_fill(~across, -1).amax(2).clamp(min=0) * is_piece
            same = ((pieces.unsqueeze(1) == pieces.unsqueeze(2)) & across).any(2).float()
            rare = self.rare[pieces] * is_piece
            told = torch.stack([same, near, rare, same * rare], -1)
            seen = self.vector(vectors) + self.told(told) + self.kind(kinds) + self.place(places)
            mask = (kinds == 0)[:, None, None, :]
            for number in range(LAYERS):
                seen = self.get_submodule(str(number))(seen, mask)
            seen = self.last(seen)
            parts = [seen[:, 0], *(mean_of(seen, chosen) for chosen in (asked, said))]
            return self.score(torch.tanh(self.top(torch.cat(parts, -1)))).squeeze(-1)

    return Small()


def mean_of(seen: Any, chosen: Any) -> Any:
    known = chosen.unsqueeze(-1).float()
    return (seen * known).sum(1) / known.sum(1).clamp(min=1)


def learn(
    net: Any, lessons: Iterator[Sequence[Lesson]], loss: Loss, step: float, seconds: float
) -> None:
    torch: Any = importlib.import_module("torch")
    learned = [part for part in net.parameters() if part.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=step, weight_decay=DECAY, betas=(0.9, 0.98))
    descend(
        optimizer,
        lessons,
        lambda batch: loss(net, batch),
        seconds=seconds,
        warming=WARMING,
        least=LEAST_STEP,
    )


def batches(lessons: Lessons, random: Random) -> Iterator[list[Lesson]]:
    """Without end; lessons of like length together, so that little is filled up."""
    while True:
        order = iter(lessons(random))
        while some := sorted(islice(order, LESSONS_A_BATCH * BATCHES_SORTED), key=size_of):
            starts = range(0, len(some), LESSONS_A_BATCH)
            for start in random.sample(starts, len(starts)):
                yield some[start : start + LESSONS_A_BATCH]


def size_of(lesson: Lesson) -> int:
    return len(lesson.question) + max(len(above) + len(line) for above, line in lesson.lines)


def right_loss(net: Any, batch: Sequence[Lesson]) -> Any:
    """Of a question's lines and none of them, at 0, the right ones are to win; and each for itself."""
    torch: Any = importlib.import_module("torch")
    losses: Any = importlib.import_module("torch.nn.functional")
    total = torch.zeros(())
    scores = net(*filled(batch)).split([len(lesson.lines) for lesson in batch])
    for lesson, said in zip(batch, scores, strict=True):
        right = torch.tensor(lesson.right)
        none = torch.zeros(1)
        winners = said[right] if any(lesson.right) else none
        total = total + torch.cat([said, none]).logsumexp(0) - winners.logsumexp(0)
        total = total + ALONE * losses.binary_cross_entropy_with_logits(said, right.float())
    return total / len(batch)


def taught_loss(net: Any, batch: Sequence[Lesson]) -> Any:
    torch: Any = importlib.import_module("torch")
    losses: Any = importlib.import_module("torch.nn.functional")
    total = torch.zeros(())
    scores = net(*filled(batch)).split([len(lesson.lines) for lesson in batch])
    for lesson, said in zip(batch, scores, strict=True):
        taught = torch.tensor(lesson.taught)
        soft = losses.log_softmax(said / SOFT, 0)
        total = total + losses.kl_div(soft, losses.softmax(taught / SOFT, 0), reduction="sum")
        chance = torch.sigmoid(taught)
        total = total + ALONE * losses.binary_cross_entropy_with_logits(said, chance)
        total = total + EXACT * losses.mse_loss(said, taught)
        if any(lesson.right):
            right = torch.tensor(lesson.right, dtype=torch.float32)
            total = total - RIGHT * (losses.log_softmax(said, 0) * right).sum() / right.sum()
    return total / len(batch)


def filled(batch: Sequence[Lesson]) -> list[Any]:
    """The frames of all lessons as one, filled up to the longest."""
    torch: Any = importlib.import_module("torch")
    width = max(map(size_of, batch)) + 1
    frames = [framed(lesson.question, lesson.lines) for lesson in batch]
    return [
        torch.from_numpy(
            np.concatenate([np.pad(rows, ((0, 0), (0, width - rows.shape[1]))) for rows in some])
        )
        for some in zip(*frames, strict=True)
    ]


def export(net: Any, out: Path) -> None:
    """Writes the weights in 16 bits a number."""
    weights = {name: part.numpy().astype(np.float16) for name, part in net.state_dict().items()}
    np.savez(out, allow_pickle=False, **weights)


if __name__ == "__main__":
    main()
