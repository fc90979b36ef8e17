"""The vectors of texts by a model in an ONNX file: the mean of what it makes of each token."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import EmbedderError, Rows, normalised
from clawgit.stores.onnx import opened, padded, side_by_side


class Frame(NamedTuple):
    """The tokens that begin a text, end it, and fill it up to the length of another."""

    start: int
    end: int
    pad: int


class MeanOfTokens:
    """A BERT that reads up to `most` tokens of a text, its frame included, and `at_once` texts."""

    def __init__(
        self, file: Path, frame: Frame, most: int, at_once: int, *, who: str, hint: str
    ) -> None:
        self._session = opened(file, EmbedderError, who=who, hint=hint)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])
        self._frame, self._most, self._at_once = frame, most, at_once

    def rows(self, texts: Sequence[Sequence[int]], kind: int = 0) -> Rows:
        """A row of length 1 for the tokens of each text; `kind` is the number that marks them."""
        frame, room = self._frame, self._most - 2
        tokens = [[frame.start, *text[:room], frame.end] for text in texts]
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        # Texts of similar length share a batch, so that little is padded.
        by_length = sorted(range(len(texts)), key=lambda at: len(tokens[at]))
        firsts = range(0, len(by_length), self._at_once)
        batches = [by_length[first : first + self._at_once] for first in firsts]

        def means(batch: Sequence[int]) -> Rows:
            return self._means([tokens[at] for at in batch], kind)

        for batch, found in zip(batches, side_by_side(means, batches), strict=True):
            rows[batch] = found
        return normalised(rows)

    def _means(self, batch: Sequence[list[int]], kind: int) -> Rows:
        """The mean over the tokens of each text, without the padding."""
        ids, mask = padded(batch, self._frame.pad)
        offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": mask * kind}
        [hidden, *_] = self._session.run(None, {name: offered[name] for name in self._inputs})
        sums = (np.asarray(hidden) * mask[..., None]).sum(axis=1)
        means: Rows = sums / mask.sum(axis=1, keepdims=True)
        return means
