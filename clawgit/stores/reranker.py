"""Says how well a text answers a question, by a cross-encoder: it reads both together.

Optional, from an ONNX file; one is built in.
"""

from collections.abc import Sequence
from pathlib import Path

from clawgit.doors import numpy as np
from clawgit.errors import ClawgitError
from clawgit.stores.embed.wordpiece import WordPieces
from clawgit.stores.onnx import opened, run_failures

_BUILT_IN = Path(__file__).parent / "reader" / "reader.onnx"

_FRAME = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
_BATCH = 8
_MOST_TOKENS = 128
_MOST_QUESTION_TOKENS = 48
_MOST_CHARACTERS = 2000
"""More characters than `_MOST_TOKENS` tokens can have; tokenizing a long text is slow."""

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})

_CERTAIN = 60.0
"""Above this, a float cannot show more certainty."""


class RerankerError(ClawgitError):
    """The file that `reranker` names cannot be used; a search goes on without it."""

    kind = "reranker"


class Reranker:
    """A BERT cross-encoder with one logit or two; its vocab.txt lies beside it."""

    def __init__(self, file: Path = _BUILT_IN) -> None:
        beside = file.parent / "vocab.txt"
        for needed in (file, beside):
            if not needed.is_file():
                raise RerankerError(
                    f"The reranker is not there: {needed}.",
                    hint="`clawgit config set reranker built-in` uses the one that comes with "
                    'clawgit, `clawgit config set reranker ""` none.',
                )
        vocabulary = beside.read_text("utf-8", "replace").split("\n")
        at = {word: number for number, word in enumerate(vocabulary)}
        if not at.keys() >= set(_FRAME):
            raise RerankerError(
                f"{beside} is not a vocabulary as BERT has it.", hint="Use the model's own."
            )
        self._pad, self._start, self._end, unknown = (at[sign] for sign in _FRAME)
        self._pieces = WordPieces(vocabulary, (unknown,))
        hint = "Name the ONNX file of a cross-encoder."
        self._session = opened(file, RerankerError, who="A reranker", hint=hint)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        if not self._inputs <= _INPUTS:
            raise RerankerError(f"{file} reads something else than BERT does.", hint=hint)
        if file != _BUILT_IN:
            last = max(number for word, number in at.items() if word)
            try:
                self._relevance([self._start, self._end], [[last]])
            except run_failures() as error:
                raise RerankerError(
                    f"{file} cannot read all words of {beside}.", hint="Use the model's own."
                ) from error

    def relevance(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, 0 to 1; only the beginning of each is read."""
        query = [self._start, *self._pieces.ids(question)[:_MOST_QUESTION_TOKENS], self._end]
        room = _MOST_TOKENS - len(query) - 1
        passages = [
            [*self._pieces.ids(text[:_MOST_CHARACTERS])[:room], self._end] for text in texts
        ]
        # Texts of about one length: what is shorter than the longest of a batch is filled up.
        order = sorted(range(len(passages)), key=lambda at: len(passages[at]))
        found: dict[int, float] = {}
        for first in range(0, len(order), _BATCH):
            batch = order[first : first + _BATCH]
            scores = self._relevance(query, [passages[at] for at in batch])
            found.update(zip(batch, scores, strict=True))
        return [found[at] for at in range(len(texts))]

    def _relevance(self, query: list[int], passages: list[list[int]]) -> list[float]:
        width = len(query) + max(map(len, passages))
        ids = np.full((len(passages), width), self._pad, np.int64)
        mask, kinds = np.zeros_like(ids), np.zeros_like(ids)
        for row, tokens in enumerate(passages):
            end = len(query) + len(tokens)
            ids[row, :end] = query + tokens
            mask[row, :end] = 1
            kinds[row, len(query) : end] = 1
        offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
        [logits, *_] = self._session.run(None, {name: offered[name] for name in self._inputs})
        rows = np.asarray(logits, np.float64).reshape(len(passages), -1)
        # Two logits are no and yes: what counts is by how much yes is greater.
        certain = rows[:, -1] - (rows[:, 0] if rows.shape[1] > 1 else 0.0)
        chances = 1 / (1 + np.exp(-np.clip(certain, -_CERTAIN, _CERTAIN)))
        return [float(chance) for chance in chances]
