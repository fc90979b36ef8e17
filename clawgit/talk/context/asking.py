"""What is asked of a context."""

from clawgit.core import NamedTuple
from clawgit.language.clauses import is_small_talk
from clawgit.workspace.workspace import Workspace

_LONGEST = 4000
"""Characters of a message that are asked about."""


class ContextRequest(NamedTuple):
    """`budget` None means the one of the settings; `session` is a key in OpenClaw's form."""

    message: str = ""
    session: str = ""
    budget: int | None = None
    at: str = ""
    explain: bool = False

    @property
    def question(self) -> str:
        """The message, "" if it asks and tells nothing."""
        message = self.message.strip()[:_LONGEST]
        return "" if is_small_talk(message) else message


def asks_outside(workspace: Workspace, asking: ContextRequest) -> bool:
    """Whether the operator's own systems are asked for this context."""
    settings = workspace.settings
    knows_people = settings.crm_source and settings.crm_tokens and asking.question
    knows_more = settings.external_context_source and settings.external_context_budget
    return bool(knows_people or knows_more)
