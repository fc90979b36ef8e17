"""A lesson read out of a recovery without a model: it quotes what was done, and claims nothing
beyond.
"""

from clawgit.domain.lessons.commands import is_shell
from clawgit.domain.lessons.lesson import Lesson, code
from clawgit.domain.lessons.tried import Attempt, Recovery
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import struck

SURE = 0.5
"""How sure a rule is that what worked is why it worked."""

_LONGEST = 240


def read_by_rules(one: Recovery) -> Lesson | None:
    """The lesson of a recovery; None where it would carry orders for the agent."""
    failed = one.tried[-1]
    what = (
        f"{failed.command.program} {failed.command.verb}".strip()
        if is_shell(failed.tool)
        else failed.tool
    )
    said = _short(failed.error)
    lesson = Lesson(
        scenario=(frames.LESSON_SAYS if said else frames.LESSON_FAILS).format(
            what=code(struck(what)), words=said
        ),
        wrong=frames.LESSON_THEN.join(dict.fromkeys(code(_done(attempt)) for attempt in one.tried)),
        right=code(_done(one.worked)),
        reason=frames.LESSON_SAID_WHY.format(words=said) if said else frames.LESSON_WHY,
    )
    return None if any(found.hold for found in poison("", lesson.text)) else lesson


def _done(attempt: Attempt) -> str:
    return _short(attempt.command.text if is_shell(attempt.tool) else attempt.arguments)


def _short(text: str) -> str:
    return in_a_line(struck(" ".join(text.split())), _LONGEST)
