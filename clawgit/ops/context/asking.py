"""The request for a context, and what outside systems returned for it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clawgit.domain.context.outside import Profile
from clawgit.language.small_talk import is_small_talk
from clawgit.ops.workspace.workspace import Workspace

SLOTS = "slots"
OPENCLAW = "openclaw"
STYLES = (SLOTS, OPENCLAW)


class ContextRequest(NamedTuple):
    """`budget` None means the one of the settings; `session` is a key in OpenClaw's form."""

    message: str = ""
    session: str = ""
    budget: int | None = None
    at: str = ""
    style: str = SLOTS
    explain: bool = False

    @property
    def question(self) -> str:
        """The message, "" if it asks and tells nothing."""
        message = self.message.strip()
        return "" if is_small_talk(message) else message


class Brought(NamedTuple):
    """What the operator's own systems returned; `external` is a source, its text, and its age."""

    profiles: tuple[Profile, ...] = ()
    external: tuple[str, str, str] = ("", "", "")
    notes: tuple[str, ...] = ()


def asks_outside(workspace: Workspace, asking: ContextRequest) -> bool:
    """Whether the operator's own systems are asked for this context."""
    settings = workspace.config.settings
    knows_people = settings.crm_source and settings.crm_tokens and asking.question
    knows_more = settings.external_context_source and settings.external_context_budget
    return asking.style == SLOTS and bool(knows_people or knows_more)


def brought_from(told: Mapping[str, Any]) -> Brought:
    """The same, read from JSON that came over a socket."""
    profiles = tuple(
        Profile(tuple(row["names"]), row["text"], row["source"]) for row in told["profiles"]
    )
    source, text, why = told["external"]
    return Brought(profiles, (source, text, why), tuple(told["notes"]))
