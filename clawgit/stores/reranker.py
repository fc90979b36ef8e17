"""A cross-encoder that reads question and hit together, and orders the best hits again: optional,
from an ONNX file.
"""

from collections.abc import Sequence
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.stores.embed.wordpiece import WordPieces
from clawgit.stores.onnx import opened


class RerankerError(ClawgitError):
    """The file that `reranker` names cannot be used; a search goes on without it."""

    kind = "reranker"


class Reranker:
    """A cross-encoder of BERT's kind with one logit or two, whose vocab.txt lies beside it. Nothing
    is downloaded.
    """

    def __init__(self, file: Path) -> None:
        beside = file.with_name("vocab.txt")
        for needed in (file, beside):
            if not needed.is_file():
                raise RerankerError(
                    f"The reranker is not there: {needed}.",
                    hint='`clawgit config set reranker ""` goes without one.',
                )
        vocabulary = beside.read_text("utf-8", "replace").split("\n")
        at = {word: number for number, word in enumerate(vocabulary)}
        if not at.keys() >= set(_FRAME):
            raise RerankerError(
                f"{beside} is no vocabulary of BERT's kind.", hint="Take the one of the model."
            )
        self._pad, self._start, self._end, unknown = (at[sign] for sign in _FRAME)
        self._pieces = WordPieces(vocabulary, (unknown,))
        hint = "Name the ONNX file of a cross-encoder."
        self._session = opened(file, RerankerError, who="A reranker", hint=hint)
        self._inputs = {one.name for one in self._session.get_inputs()}

    def relevance(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, 0 to 1. Of a long question or text only the
        beginning is read.
        """
        asked = [self._start, *self._pieces.ids(question)[:_MOST_ASKED], self._end]
        room = _MOST_TOKENS - len(asked) - 1
        told = [[*self._pieces.ids(text[:_MOST_SIGNS])[:room], self._end] for text in texts]
        batches = (told[first : first + _BATCH] for first in range(0, len(told), _BATCH))
        return [one for batch in batches for one in self._relevance(asked, batch)]

    def _relevance(self, asked: list[int], told: list[list[int]]) -> list[float]:
        import numpy as np  # noqa: PLC0415 - 60 ms, for those alone who rerank

        width = len(asked) + max(map(len, told))
        ids = np.full((len(told), width), self._pad, np.int64)
        mask, kinds = np.zeros_like(ids), np.zeros_like(ids)
        for row, tokens in enumerate(told):
            end = len(asked) + len(tokens)
            ids[row, :end] = asked + tokens
            mask[row, :end] = 1
            kinds[row, len(asked) : end] = 1
        offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
        [logits, *_] = self._session.run(None, {name: offered[name] for name in self._inputs})
        rows = np.asarray(logits, np.float64).reshape(len(told), -1)
        # Two logits are no and yes: what counts is by how much yes is the greater.
        certain = rows[:, -1] - (rows[:, 0] if rows.shape[1] > 1 else 0.0)
        return [float(one) for one in 1 / (1 + np.exp(-np.clip(certain, -_CERTAIN, _CERTAIN)))]


_FRAME = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
_BATCH = 16
_MOST_TOKENS = 256
_MOST_ASKED = 64
_MOST_SIGNS = 4000
_CERTAIN = 60.0
"""Beyond this, more certainty makes no difference that a float can tell."""
