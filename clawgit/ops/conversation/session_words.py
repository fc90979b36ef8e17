"""The few words that a session needs, its name and its summary: by the language model, and by rules
where it fails.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.conversation.session import Said, text_of
from clawgit.domain.conversation.session_compact import Summarise
from clawgit.domain.conversation.session_note import SlugOf, slug_by_rules
from clawgit.domain.conversation.session_summary import summary_by_rules
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.safety.masks import head
from clawgit.errors import NoAnswerError

if TYPE_CHECKING:
    from clawgit.agents.contract import Mind

_LONGEST_TALK = 24_000
_LONGEST_TURN = 2000
_CHARACTERS_A_TOKEN = 3


class Name(NamedTuple):
    """What a conversation was about, in one to three English words, lower case, joined by
    dashes.
    """

    name: str


class Summary(NamedTuple):
    """The conversation in short: what was decided, put right, asked for and promised, with names,
    numbers and dates as they stand there; a line each, and nothing that was not said.
    """

    lines: tuple[str, ...]


def slug_by(mind: "Mind | None", note: Callable[[str], None]) -> SlugOf:
    """Names a conversation by the model; by rules where there is none, and then `note` is told
    why.
    """

    def slug_of(said: Sequence[Said]) -> str:
        try:
            return (
                mind.ask("Name this conversation.", {"conversation": _talk(said)}, Name).name
                if mind
                else ""
            )
        except NoAnswerError as error:
            note(error.message)
            return ""

    return lambda said: slug_of(said) or slug_by_rules(said)


def summary_by(mind: "Mind | None", note: Callable[[str], None]) -> Summarise:
    """Sums up by the model; by rules where there is none, where it fails, and where it says more
    than it may.
    """

    def summarise(said: Sequence[Said], budget: int) -> str:
        if mind is None or not said:
            return summary_by_rules(said, budget)
        task = (
            f"Sum up this conversation in at most {budget * _CHARACTERS_A_TOKEN // 2} characters."
        )
        try:
            lines = mind.ask(task, {"conversation": _talk(said)}, Summary).lines
        except NoAnswerError as error:
            note(error.message)
            return summary_by_rules(said, budget)
        return _within(lines, budget) or summary_by_rules(said, budget)

    return summarise


def _within(lines: Sequence[str], budget: int) -> str:
    kept: list[str] = []
    for line in lines:
        shown = f"- {' '.join(line.split()).removeprefix('- ')}"
        budget -= estimate_tokens(shown) + 1
        if budget < 0:
            break
        kept.append(shown)
    return "\n".join(kept)


def _talk(said: Sequence[Said]) -> str:
    """The last of what was said, as much as a question may hold."""
    turns, room = list[str](), _LONGEST_TALK
    for one in reversed(said):
        turn = f"{one.role}: {head(text_of(one), _LONGEST_TURN)}"
        room -= len(turn)
        if room < 0:
            break
        turns.append(turn)
    return "\n\n".join(reversed(turns))
