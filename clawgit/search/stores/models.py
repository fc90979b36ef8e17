"""The models of the package `clawgit_models`: where they are, their word pieces, and how one is
opened and read on several cores; and the reader, which says how well a text answers a question.

The package lies in `models/` of clawgit's repository and is installed by its path.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import normalize

from clawgit.core.doors import concurrent, load, onnxruntime, tokenizers
from clawgit.core.doors import numpy as np
from clawgit.core.errors import ClawgitError
from clawgit.language.tokens import has_kana, is_cjk, simplified
from clawgit.search.rules.row import SEPARATOR

if TYPE_CHECKING:
    from tokenizers import Tokenizer


T = TypeVar("T")
R = TypeVar("R")

EMBEDDER, READER, PIECES = "embedder.onnx", "reader.onnx", "tokenizer.json"

START, END, UNKNOWN = 0, 2, 3
"""The pieces that begin a text, end it, and stand for a letter that has no piece."""

MOST_CHARACTERS = 2000
"""More than the tokens that a model reads at once can have."""

_NEEDED = ("numpy", "onnxruntime", "tokenizers")
_PACKAGE = "clawgit_models"

_MOST_CORES = 4
"""With more threads, they would wait for Python's lock between two runs."""

_MOST_UNKNOWN = 0.1
"""The share of unknown pieces up to which a text is known. Vietnamese has more, Cyrillic and Thai
have nearly nothing else.
"""

_ENOUGH = 5
"""Of so many pieces, one may be unknown in Chinese and Japanese: a rare character of a name."""


class ModelError(ClawgitError):
    """A model cannot be used now: not installed, damaged, or a service does not answer."""

    kind = "model"


def lacking() -> ModelError | None:
    """What has to be installed before a model can be used; None if nothing."""
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        return ModelError(
            f"The models need {', '.join(missing)}.", hint="pip install 'clawgit[enhanced]'"
        )
    if find_spec(_PACKAGE) is None:
        hint = "In a clone of clawgit: pip install ./models"
        return ModelError("The models are not installed.", hint=hint)
    return None


def folder() -> Path:
    """Where the models are. Raises `ModelError` if they cannot be used."""
    if error := lacking():
        raise error
    found = find_spec(_PACKAGE)
    assert found is not None  # noqa: S101 - `lacking` has looked
    return Path(str(found.origin)).parent


@cache
def _session(file: Path) -> Any:
    """A model's session of onnxruntime, which prints nothing; a process opens each once."""
    load(onnxruntime)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # One text is too little for two cores, so they read different ones: see `side_by_side`.
    options.intra_op_num_threads = 1
    failures = onnxruntime.capi.onnxruntime_pybind11_state
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except (failures.Fail, failures.NoSuchFile, failures.InvalidProtobuf) as error:
        raise _damaged(file) from error


class Model:
    """One of the models, with the word pieces of both."""

    def __init__(self, name: str) -> None:
        self.pieces, self._session = pieces(), _session(folder() / name)
        self.width = self._session.get_outputs()[0].shape[-1]

    def read(self, pieces: Sequence[int], kinds: Sequence[int]) -> Any:
        """What the model says of one text; `kinds` tell what each piece belongs to."""
        ids = np.array([pieces], np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([kinds], np.int64),
        }
        return np.asarray(self._session.run(None, given)[0])

    def knows(self, question: str) -> bool:
        """Whether a question is in letters that there are pieces for."""
        return self.pieces.know(question)


def side_by_side(read: Callable[[T], R], things: Sequence[T]) -> list[R]:
    """What is read of each of some things, in their order, on up to `_MOST_CORES` cores.

    Each is read alone: a model's numbers of 8 bits are rounded by what is read at once, so a
    result would depend on the others.
    """
    if len(things) <= 1:
        return [*map(read, things)]
    cores = min(_MOST_CORES, os.cpu_count() or 1, len(things))
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        return [*pool.map(read, things)]


class Pieces:
    """Splits a text of any language into the word pieces of both models."""

    def __init__(self, tokenizer: "Tokenizer") -> None:
        self._tokenizer, self._has = tokenizer, tokenizer.token_to_id

    def ids(self, text: str) -> list[int]:
        text = self._readable(normalize("NFKC", text[:MOST_CHARACTERS]))
        # Half of a pair of surrogates is no text to the library.
        said = text.encode("utf-8", "replace").decode()
        ids: list[int] = self._tokenizer.encode(said, add_special_tokens=False).ids
        return ids

    def know(self, text: str) -> bool:
        """Whether there are pieces for nearly all letters of a text."""
        pieces = self.ids(text)
        rare = 1 if is_cjk(text) and len(pieces) >= _ENOUGH else 0
        return pieces.count(UNKNOWN) <= max(rare, len(pieces) * _MOST_UNKNOWN)

    def _readable(self, text: str) -> str:
        """Chinese in simplified characters; of Japanese, those alone that have no piece."""
        if not is_cjk(text) or not has_kana(text):
            return simplified(text)
        return "".join(sign if self._has(sign) is not None else simplified(sign) for sign in text)


@cache
def pieces() -> Pieces:
    """Those that come with clawgit. Raises `ModelError`."""
    file = folder() / PIECES
    with suppress(Exception):  # the library raises nothing narrower for what is no tokenizer
        return Pieces(tokenizers.Tokenizer.from_str(file.read_text("utf-8")))
    raise _damaged(file)


def _damaged(file: Path) -> ModelError:
    return ModelError(
        f"{file} cannot be read as a model.", hint="pip install --force-reinstall ./models"
    )


_MOST_TOKENS = 128
MOST_QUESTION_TOKENS = 48
_MOST_HEADING_TOKENS = 30
_STEP = 8
"""The part of a long line that is read begins at a multiple of so many tokens, or ends with the
line.
"""


class Reader(Model):
    """The reader of `clawgit_models`. Raises `ModelError` if it cannot be used."""

    def __init__(self) -> None:
        super().__init__(READER)

    def chances(self, question: str, texts: Sequence[str]) -> list[float]:
        """The chance of each text to answer the question; of a long one, the part is read that has
        most of the question.
        """
        split = self.pieces.ids
        asked = split(question)[:MOST_QUESTION_TOKENS]
        query, words = [START, *asked, END], frozenset(asked)
        room = _MOST_TOKENS - len(query) - 1

        def chance(text: str) -> float:
            passage = [*part_read(split, text, words, room), END]
            kinds = [0] * len(query) + [1] * len(passage)
            [*_, logit] = self.read(query + passage, kinds).reshape(-1).tolist()
            return float(1 / (1 + np.exp(-logit)))

        return side_by_side(chance, texts)


def part_read(
    split: Callable[[str], list[int]], text: str, asked: frozenset[int], room: int
) -> list[int]:
    """The pieces of the headings above a line, and of the line as much as there is room for."""
    above, separator, line = text.rpartition(SEPARATOR)
    headings = split(above[-MOST_CHARACTERS:] + separator)[-_MOST_HEADING_TOKENS:]
    said, most = split(line), room - len(headings)
    if len(said) <= most:
        return headings + said
    starts = range(0, len(said) - most + _STEP, _STEP)
    best = max(starts, key=lambda first: len(asked.intersection(said[first : first + most])))
    first = min(best, len(said) - most)
    return headings + said[first : first + most]
