"""The embedder for every service: cuts texts into requests, sends them, checks the answers."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import EmbedderError, EmbedderOptions, Rows, normalised
from clawgit.stores.embed.dialects import Dialect, Json
from clawgit.stores.embed.wire import EmbeddingService, TooMuchError, address, ask

_SHORTENINGS = 4
"""How often a text is halved that is too long for a service: 24,000 characters end at 1,500, which
every model accepts."""

_EMPTY = "(empty)"
"""Sent for an empty text, which some services refuse."""

_LARGEST_NUMBER = 1e15


class RemoteEmbedder:
    """An `Embedder` over HTTP.

    Its first answer sets the dimensions; later answers must have the same.
    """

    def __init__(self, dialect: Dialect, wanted: EmbedderOptions) -> None:
        keys = [wanted.env.get(name, "").strip() for name in dialect.keys]
        key = next(filter(None, keys), "")
        if dialect.needs_key and not key and not wanted.url:
            raise EmbedderError(
                f"{dialect.provider} needs a key.",
                hint=f"Set the environment variable {' or '.join(dialect.keys)}.",
            )
        if not (key.isascii() and key.isprintable()):
            raise EmbedderError(
                f"The key of {dialect.provider} holds characters that no key has.",
                hint="Set it again.",
            )
        self.provider = dialect.provider
        self.model = wanted.model or dialect.model
        self._dialect = dialect
        headers = dialect.headers(key) if key else {}
        url = address(wanted.url or dialect.url, dialect.root)
        self._service = EmbeddingService(dialect.provider, url, headers, key, wanted.limits)
        self._dimensions = 0

    @property
    def dimensions(self) -> int:
        if not self._dimensions:
            self.embed(["dimensions"], query=True)
        return self._dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        if not texts:
            return np.zeros((0, self._dimensions), np.float32)
        cut = [text[: self._dialect.longest] if text.strip() else _EMPTY for text in texts]
        rows = [row for part in self._requests(cut) for row in self._vectors(part, query=query)]
        return normalised(np.asarray(rows, np.float32).reshape(len(texts), self._dimensions))

    def _requests(self, texts: Sequence[str]) -> Iterator[Sequence[str]]:
        """Runs of texts that fit into one request each."""
        borders, size = [0], 0
        for at, text in enumerate(texts):
            size += len(text)
            count = at - borders[-1]
            is_full = count >= self._dialect.most_texts or size > self._dialect.most_characters
            if is_full and count:
                borders.append(at)
                size = len(text)
        return (texts[start:end] for start, end in pairwise([*borders, len(texts)]))

    def _vectors(
        self, texts: Sequence[str], *, query: bool, shortenings: int = _SHORTENINGS
    ) -> list[list[float]]:
        """Embeds texts.

        If that is too much for the service, it halves the number of texts, then a single text.
        """
        path, question = self._dialect.question(self.model, texts, query)
        try:
            answer = ask(self._service, path, question)
        except TooMuchError:
            middle = len(texts) // 2
            if middle:
                first = self._vectors(texts[:middle], query=query, shortenings=shortenings)
                second = self._vectors(texts[middle:], query=query, shortenings=shortenings)
                return [*first, *second]
            if not shortenings:
                raise
            half = texts[0][: len(texts[0]) // 2]
            return self._vectors([half], query=query, shortenings=shortenings - 1)
        return self._checked(answer, len(texts))

    def _checked(self, answer: Json, expected: int) -> list[list[float]]:
        try:
            rows = [[float(number) for number in row] for row in self._dialect.vectors(answer)]
        except (KeyError, TypeError, ValueError) as error:
            raise self._wrong("its answer holds no vectors") from error
        if len(rows) != expected:
            raise self._wrong(f"it answered {len(rows)} of {expected} texts")
        lengths = {len(row) for row in rows}
        if self._dimensions:
            lengths.add(self._dimensions)
        if len(lengths) != 1 or 0 in lengths:
            named = " and ".join(map(str, sorted(lengths)))
            raise self._wrong(f"its vectors have {named} dimensions")
        if not all(map(_is_sound, rows)):
            raise self._wrong("its vectors hold something other than numbers")
        self._dimensions = lengths.pop()
        return rows

    def _wrong(self, what: str) -> EmbedderError:
        return EmbedderError(
            f"{self.provider} with {self.model} cannot be used: {what}.",
            hint="Check embedder_model and embedder_url in CONFIG.md.",
        )


def _is_sound(row: list[float]) -> bool:
    # A NaN is not less than anything, so this catches it too.
    return all(abs(number) < _LARGEST_NUMBER for number in row)
