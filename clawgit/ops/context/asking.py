"""What a context is asked for, and what was fetched for it from systems outside."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clawgit.domain.context.outside import Profile
from clawgit.ops.workspace.workspace import Workspace

SLOTS = "slots"
OPENCLAW = "openclaw"
STYLES = (SLOTS, OPENCLAW)


class ContextRequest(NamedTuple):
    """`budget` None takes what the settings say; `session` is a key as OpenClaw has it."""

    message: str = ""
    session: str = ""
    budget: int | None = None
    at: str = ""
    style: str = SLOTS
    explain: bool = False


class Brought(NamedTuple):
    """What the operator's own systems say; `external` is a source, its text, and its age."""

    profiles: tuple[Profile, ...] = ()
    external: tuple[str, str, str] = ("", "", "")
    notes: tuple[str, ...] = ()


def asks_outside(workspace: Workspace, asking: ContextRequest) -> bool:
    """Whether the operator's own systems have a say in this context."""
    settings = workspace.config.settings
    knows_people = settings.crm_source and settings.crm_tokens and asking.message.strip()
    knows_more = settings.external_context_source and settings.external_context_budget
    return asking.style == SLOTS and bool(knows_people or knows_more)


def brought_from(told: Mapping[str, Any]) -> Brought:
    """Reads what came over a socket as JSON."""
    profiles = tuple(
        Profile(tuple(row["names"]), row["text"], row["source"]) for row in told["profiles"]
    )
    source, text, why = told["external"]
    return Brought(profiles, (source, text, why), tuple(told["notes"]))
