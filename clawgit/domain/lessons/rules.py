"""Makes a lesson of a recovery without a model: it quotes what was done and claims nothing more."""

from clawgit.domain.lessons.commands import is_shell
from clawgit.domain.lessons.lesson import Lesson, code
from clawgit.domain.lessons.tried import Attempt, ToolRecovery
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import struck

SURE = 0.5
"""How sure a rule is that the change is why it worked."""

_LONGEST = 240


def read_by_rules(recovery: ToolRecovery) -> Lesson | None:
    """The lesson of a recovery; None if it would carry orders for the agent."""
    failed = recovery.tried[-1]
    what = failed.tool
    if is_shell(failed.tool):
        what = f"{failed.command.program} {failed.command.verb}".strip()
    error = _short(failed.error)
    scenario = frames.LESSON_SAYS if error else frames.LESSON_FAILS
    reason = frames.LESSON_SAID_WHY if error else frames.LESSON_WHY
    # A dict drops repeated attempts and keeps their order.
    tried = dict.fromkeys(code(_done(attempt)) for attempt in recovery.tried)
    lesson = Lesson(
        scenario=scenario.format(what=code(struck(what)), words=error),
        wrong=frames.LESSON_THEN.join(tried),
        right=code(_done(recovery.worked)),
        reason=reason.format(words=error),
    )
    return None if any(finding.hold for finding in poison("", lesson.text)) else lesson


def _done(attempt: Attempt) -> str:
    return _short(attempt.command.text if is_shell(attempt.tool) else attempt.arguments)


def _short(text: str) -> str:
    return in_a_line(struck(" ".join(text.split())), _LONGEST)
