"""Where behaviour and soul drift apart: flagged with its evidence, and never edited for that alone."""

import re
from collections.abc import Iterable, Iterator, Sequence

from clawgit.domain.actors import CLAWGIT, HUMAN, OPERATOR, is_known
from clawgit.domain.chat import Message, evidence_of
from clawgit.domain.growth_hearing import ASSISTANT
from clawgit.domain.growth_origins import Told
from clawgit.domain.growth_room import Line, lines
from clawgit.domain.growth_themes import breaks, theme_of

_ANSWERABLE = frozenset({OPERATOR.slug, HUMAN.slug, CLAWGIT.slug})
_OFTEN = 3
_CITED = 3
_LIMIT = re.compile(
    r"\b(?:under|at most|within|no more than|fewer than|less than) (\d{1,4}) (words|sentences)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"[.!?…](?=\s|$)|[。！？]")


def drifted(soul: str, messages: Iterable[Message]) -> Iterator[str]:
    """The principles that answers went against, and which answers."""
    answers = [message for message in messages if message.role == ASSISTANT and message.text.strip()]
    for line in lines(soul) if len(answers) >= _OFTEN else ():
        wrong = [answer for answer in answers if _is_broken(line, answer.text)]
        if len(wrong) >= _OFTEN:
            where = ", ".join(f"{evidence_of(one)} ({one.time:%Y-%m-%d})" for one in wrong[-_CITED:])
            often = f"{len(wrong)} of {len(answers)} answers"
            yield f"drift: “{line.text}” (SOUL.md:{line.number}) was not kept in {often}: {where}"


def unexplained(history: Sequence[Told], seen: str) -> Iterator[str]:
    """Changes of the soul since the one seen last, which neither the operator made nor any evidence explains."""
    names = [one.name for one in history]
    fresh = history[: names.index(seen)] if seen in names else ()
    bare = [one for one in fresh if not one.evidence and one.actor not in _ANSWERABLE and is_known(one.actor)]
    if bare:
        which = ", ".join(f"{one.name} ({one.time:%Y-%m-%d}, {one.actor})" for one in bare)
        yield f"drift: {len(bare)} of {len(fresh)} changes of the soul cite no evidence: {which}"


def _is_broken(line: Line, answer: str) -> bool:
    if limit := _LIMIT.search(line.text):
        most = int(limit[1])
        return (len(answer.split()) if limit[2].lower() == "words" else len(_SENTENCE.findall(answer))) > most
    return bool(theme := theme_of(line.text)) and breaks(theme, answer)
