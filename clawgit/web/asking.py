"""What the page knows and does: commands of clawgit, run in this process, and their JSON."""

import json
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from clawgit.errors import ClawgitError

Run = Callable[[Sequence[str], bool], str]
"""Runs a command line with --json, as the operator or not, and gives what it printed."""

_FRESH = 1.0
"""Seconds for which an answer is given again. Many may look at once, and each page asks much."""

_MOST = 500
"""How many answers are kept."""


class RefusedError(ClawgitError):
    """A command that ended with an error: its message and its next step."""

    kind = "refused"


class Asker:
    """Asks one command after the other. It belongs to one thread."""

    def __init__(self, run: Run, clock: Callable[[], float] = monotonic) -> None:
        self._run, self._clock = run, clock
        self._kept: dict[tuple[bool, tuple[str, ...]], tuple[float, Any]] = {}
        self._past: dict[tuple[str, ...], Any] = {}

    def read(self, *words: str, as_operator: bool = False) -> Any:
        """The answer of a command that only reads. Secrets are masked in it, and text that gives
        orders is withheld, unless the operator must see it to decide about it.
        """
        asked = (as_operator, words)
        kept = self._kept.get(asked)
        if kept is None or self._clock() - kept[0] > _FRESH:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            kept = self._kept[asked] = (self._clock(), self._answer(words, as_operator))
        return kept[1]

    def once(self, *words: str) -> Any:
        """An answer about a time that is over, which stays."""
        if words not in self._past:
            self._past[words] = self._answer(words, as_operator=False)
        return self._past[words]

    def write(self, *words: str) -> Any:
        """What a command did that the operator ordered here."""
        try:
            return self._answer(words, as_operator=True)
        finally:
            self.forget()

    def forget(self) -> None:
        """Everything is asked anew."""
        self._kept.clear()

    def _answer(self, words: Sequence[str], as_operator: bool) -> Any:
        answer = json.loads(self._run(words, as_operator) or "{}")
        if isinstance(answer, dict) and "error" in answer:
            error = answer["error"]
            raise RefusedError(error["message"], hint=error["hint"])
        return answer


class Part(NamedTuple):
    """An answer, or why there is none."""

    value: Any
    trouble: str = ""


def tried(ask: Asker, words: Iterable[str]) -> Part:
    try:
        return Part(ask.read(*words))
    except RefusedError as error:
        return Part(None, error.message)
