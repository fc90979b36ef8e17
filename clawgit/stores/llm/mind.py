"""A mind for one run: asks a model, within what a day may cost, keeps what was said, and says so
when it cannot.
"""

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from clawgit.config.settings import Settings
from clawgit.domain.conversation.chat import plain
from clawgit.domain.model.answer import MisfitError, fitted, json_in, schema
from clawgit.domain.model.fence import RULE, fenced, is_free
from clawgit.domain.model.held import held
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.safety.secrets import masked
from clawgit.errors import NoAnswerError
from clawgit.stores.llm import calls
from clawgit.stores.llm.contract import (
    COMMAND,
    Limits,
    Question,
    Said,
    Speaker,
    UnansweredError,
    Used,
    label,
)
from clawgit.stores.state import State

T = TypeVar("T")

_EXPECTED = 500
"""Tokens that an answer is expected to take, before it is there."""


class OpenMind:
    """The model of one run. The same question gets the same answer, and once the model is gone,
    none is asked.
    """

    def __init__(
        self,
        speaker: Speaker,
        state: State,
        settings: Settings,
        run: str,
        clock: Callable[[], datetime],
        limits: Limits,
    ) -> None:
        """`clock` tells the operator's time: his day is what the cap is for."""
        self._speaker, self._state, self._run, self._clock, self._limits = (
            speaker,
            state,
            run,
            clock,
            limits,
        )
        self._cap = settings.llm_daily_tokens
        self._known: dict[tuple[object, ...], Any] = {}
        self._gone: UnansweredError | None = None
        self.role = ""
        self.holds = False
        self.left: list[str] = []
        self.used = Used(label(settings.llm_model))

    def ask(self, instructions: str, told: Mapping[str, str], answer: type[T]) -> T:
        """NoAnswerError where there is none of use. Secrets in what is told are masked before it
        goes anywhere.
        """
        asked = (instructions, tuple(told.items()), answer)
        if asked not in self._known:
            self._known[asked] = self._answered(instructions, told, answer)
        found: T = self._known[asked]
        return self._held(found, told) if self.holds else found

    def _held(self, answer: T, told: Mapping[str, str]) -> T:
        """The answer without what was not shown, which is noted; NoAnswerError where nothing of it
        is left.
        """
        found = held(answer, told.values())
        self.left += [text for text in found.strays if text not in self.left]
        if found.value is None:
            raise NoAnswerError(f"{self.used.model} says what it was not shown.")
        kept: T = found.value
        return kept

    def _answered(self, instructions: str, told: Mapping[str, str], answer: type[T]) -> T:
        if self._gone:
            raise _no_answer(self._gone)
        asked = f"{self.role.rstrip()}\n\n{instructions}" if self.role else instructions
        question = _question(asked, told, schema(answer))
        for left in reversed(range(self._limits.requests)):
            try:
                return self._request(question, answer)
            except MisfitError as error:
                question = question._replace(
                    instructions=f"{question.instructions}\n\n{_again(error)}"
                )
                trouble = UnansweredError(f"{self.used.model} gave no answer of use: {error}.")
            except UnansweredError as error:
                trouble = error
                if not error.again or error.pause > self._limits.pause or not left:
                    break
                if error.pause:
                    self._limits.wait(error.pause)
        self._gone = self._gone or (trouble if trouble.gone else None)
        raise _no_answer(trouble)

    def _request(self, question: Question, answer: type[T]) -> T:
        prompt = f"{question.instructions}\n\n{question.quoted}"
        expected = estimate_tokens(prompt) + estimate_tokens(str(question.schema)) + _EXPECTED
        call = calls.reserve(
            self._state, self._run, self.used.model, prompt, self._clock(), expected, self._cap
        )
        if call is None:
            words = (
                f"The language model's {self._cap:,} tokens of today are used up, or this "
                "question needs more."
            )
            raise UnansweredError(words, "clawgit config set llm_daily_tokens …", gone=True)
        begun, said, trouble = monotonic(), Said(""), ""
        try:
            said = self._speaker.say(question)
            return self._read(said, answer)
        except MisfitError as error:
            trouble = str(error)
            raise
        except UnansweredError as error:
            trouble, said = error.words, Said("", error.tokens)
            raise
        finally:
            spent = (
                estimate_tokens(prompt) + estimate_tokens(said.text)
                if said.tokens is None
                else said.tokens
            )
            self.used = self.used._replace(
                tokens=self.used.tokens + spent, calls=self.used.calls + 1
            )
            ms = round((monotonic() - begun) * 1000)
            calls.close(self._state, call, masked(plain(said.text)), spent, ms, masked(trouble))

    def _read(self, said: Said, answer: type[T]) -> T:
        if len(said.text) > self._limits.longest:
            raise UnansweredError(
                f"{self.used.model} answered at too great a length.", tokens=said.tokens or 0
            )
        return fitted(answer, json_in(said.text))


def open_mind(
    settings: Settings,
    *,
    state: State,
    run: str,
    clock: Callable[[], datetime],
    root: Path,
    env: Mapping[str, str],
    limits: Limits | None = None,
    role: str = "",
    holds: bool = False,
) -> OpenMind | None:
    """The model that `llm_model` names, None where it is empty. Nothing is loaded before the first
    question. `role` goes before the instructions of each. It `holds` each answer to what was shown:
    what says something else is `left`.
    """
    name, limits = settings.llm_model.strip(), limits or Limits()
    if not name:
        return None
    mind = OpenMind(_speaker(name, root, env, limits), state, settings, run, clock, limits)
    mind.role = role
    mind.holds = holds
    return mind


def _speaker(name: str, root: Path, env: Mapping[str, str], limits: Limits) -> Speaker:
    if name.startswith(COMMAND):
        from clawgit.stores.llm.command import Command  # noqa: PLC0415 - one of two

        return Command(name.removeprefix(COMMAND), root, env, limits)
    from clawgit.stores.llm.named import Named  # noqa: PLC0415

    return Named(name, env, limits)


def _question(instructions: str, told: Mapping[str, str], shape: Mapping[str, Any]) -> Question:
    safe = {name: masked(plain(text)) for name, text in told.items()}
    mark = next(mark for mark in iter(lambda: secrets.token_hex(8), "") if is_free(mark, safe))
    return Question(f"{instructions}\n\n{RULE.format(mark=mark)}", fenced(safe, mark), shape)


def _no_answer(trouble: UnansweredError) -> NoAnswerError:
    """What a program, a service or a model says of its trouble may quote a key."""
    return NoAnswerError(masked(plain(trouble.words)), hint=trouble.hint)


def _again(error: MisfitError) -> str:
    return (
        f"Your last answer could not be used: {error}. Answer again, in the shape that is "
        "asked for."
    )
