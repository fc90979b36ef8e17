"""The name and the summary of a session: by the language model, and by rules if it fails."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from clawgit.agents.contract import Mind
from clawgit.domain.conversation.session import SessionMessage, text_of
from clawgit.domain.conversation.session_limits import Summarise
from clawgit.domain.conversation.session_note import SlugOf, slug_by_rules
from clawgit.domain.conversation.session_summary import summary_by_rules
from clawgit.domain.model.proof import proven
from clawgit.domain.safety.masks import head
from clawgit.errors import NoAnswerError

_LONGEST_TALK = 24_000
"""How many characters of a conversation the model is shown."""

_LONGEST_TURN = 2000
"""How many characters of one message."""

_CHARACTERS_A_TOKEN = 3
_MOST_LINES = 100


class Name(NamedTuple):
    """What a conversation was about: one to three of its words that stand side by side there."""

    name: str


class Summary(NamedTuple):
    """The sentences that say what was decided, put right, asked for and promised, letter by
    letter.
    """

    lines: tuple[str, ...]


def slug_by(mind: Mind | None, note: Callable[[str], None]) -> SlugOf:
    """Names a conversation by the model, else by rules; `note` is told why the model failed."""

    def slug_of(messages: Sequence[SessionMessage]) -> str:
        if mind is None:
            return slug_by_rules(messages)
        try:
            name = mind.ask("Name this conversation.", {"conversation": _talk(messages)}, Name).name
        except NoAnswerError as error:
            note(error.message)
            return slug_by_rules(messages)
        return name if _is_said(name, messages) else slug_by_rules(messages)

    return slug_of


def summary_by(mind: Mind | None, note: Callable[[str], None]) -> Summarise:
    """Sums up by the sentences that the model chooses, and by those that the rules do."""

    def summarise(messages: Sequence[SessionMessage], budget: int) -> str:
        if mind is None or not messages:
            return summary_by_rules(messages, budget)
        # Half of what fits is asked for, since models write more than they are asked for; the rules
        # keep the limit itself.
        task = (
            "Choose the sentences that sum up this conversation, "
            f"in at most {budget * _CHARACTERS_A_TOKEN // 2} characters."
        )
        try:
            lines = mind.ask(task, {"conversation": _talk(messages)}, Summary).lines
        except NoAnswerError as error:
            note(error.message)
            return summary_by_rules(messages, budget)
        said = [line for line in lines[:_MOST_LINES] if _is_said(line, messages)]
        if len(said) < len(lines):
            note("The model quotes what nobody said; that is left out of the summary.")
        return summary_by_rules(messages, budget, said)

    return summarise


def _is_said(words: str, messages: Sequence[SessionMessage]) -> bool:
    return any(proven(words, text_of(message)) for message in messages)


def _talk(messages: Sequence[SessionMessage]) -> str:
    """The last messages, as many as a question may hold."""
    turns: list[str] = []
    room = _LONGEST_TALK
    for message in reversed(messages):
        turn = f"{message.role}: {head(text_of(message), _LONGEST_TURN)}"
        room -= len(turn)
        if room < 0:
            break
        turns.append(turn)
    return "\n\n".join(reversed(turns))
