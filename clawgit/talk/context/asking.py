"""What is asked of a context, and what the operator's own systems brought for it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clawgit.language.clauses import is_small_talk
from clawgit.workspace.workspace import Workspace


class Profile(NamedTuple):
    """What a program tells of a person or thing."""

    name: str
    text: str
    source: str


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
        message = self.message.strip()
        return "" if is_small_talk(message) else message


class External(NamedTuple):
    """A file of another system. `why` says how old it is."""

    source: str = ""
    text: str = ""
    why: str = ""


class Brought(NamedTuple):
    """What the operator's own systems returned."""

    profiles: tuple[Profile, ...] = ()
    external: External = External()
    notes: tuple[str, ...] = ()


def asks_outside(workspace: Workspace, asking: ContextRequest) -> bool:
    """Whether the operator's own systems are asked for this context."""
    settings = workspace.config.settings
    knows_people = settings.crm_source and settings.crm_tokens and asking.question
    knows_more = settings.external_context_source and settings.external_context_budget
    return bool(knows_people or knows_more)


def is_shared(session: str) -> bool:
    """Whether others can read a session, by its key, such as `agent:main:telegram:group:-100`."""
    parts = session.lower().split(":")
    return parts[0] == "agent" and any(
        part in ("group", "channel", "room", "guild") for part in parts[2:-1]
    )


def brought_from(told: Mapping[str, Any]) -> Brought:
    """The same, read from JSON that came over a socket."""
    profiles = tuple(Profile(**row) for row in told["profiles"])
    return Brought(profiles, External(**told["external"]), tuple(told["notes"]))
