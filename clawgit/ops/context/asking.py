"""For whom a context is made, and what is fetched for it from systems outside, before anybody else
has to wait.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.domain.context.outside import Profile

SLOTS, OPENCLAW = STYLES = ("slots", "openclaw")


class Asking(NamedTuple):
    """`budget` None takes what the settings say; `session` is a key as OpenClaw has it."""

    message: str = ""
    session: str = ""
    budget: int | None = None
    at: str = ""
    style: str = SLOTS
    explain: bool = False


class Brought(NamedTuple):
    """What systems of the operator's own say; `external` is a source, its text, and of when it
    is.
    """

    profiles: "tuple[Profile, ...]" = ()
    external: tuple[str, str, str] = ("", "", "")
    notes: tuple[str, ...] = ()


def fetch(workspace: Workspace, asking: Asking) -> Brought:
    """Asks the operator's own systems, for a few seconds at most."""
    settings = workspace.config.settings
    knows_people = settings.crm_source and settings.crm_tokens and asking.message.strip()
    knows_more = settings.external_context_source and settings.external_context_budget
    if asking.style != SLOTS or not (knows_people or knows_more):
        return Brought()
    from clawgit.ops.context.crm import profiles  # noqa: PLC0415
    from clawgit.ops.context.external import external  # noqa: PLC0415
    from clawgit.ops.context.files import Files, moment  # noqa: PLC0415 - only where there is somebody to ask

    commit = moment(workspace, asking.at).commit
    files = Files(workspace, commit)
    known = profiles(workspace, files, asking.message, session=asking.session, past=bool(commit))
    other = external(workspace, files, past=bool(commit))
    told = [*((one.source, one.text) for one in known.found), (other.source, other.text)]
    notes = (known.note, other.note, *files.notes, *_suspicious(told))
    return Brought(known.found, (other.source, other.text, other.why), tuple(filter(None, notes)))


def brought_from(told: Mapping[str, Any]) -> Brought:
    """What came over a socket as JSON."""
    from clawgit.domain.context.outside import Profile  # noqa: PLC0415 - only where there is one

    profiles = tuple(
        Profile(tuple(one["names"]), one["text"], one["source"]) for one in told["profiles"]
    )
    source, text, why = told["external"]
    return Brought(profiles, (source, text, why), tuple(told["notes"]))


def _suspicious(told: list[tuple[str, str]]) -> Iterator[str]:
    """Text that looks as if it gave orders is shown as data all the same, and the operator hears of
    it.
    """
    from clawgit.domain.context.outside import harmless  # noqa: PLC0415 - see above
    from clawgit.domain.safety.injection import findings  # noqa: PLC0415

    for source, text in told:
        found = next((one for one in findings("", harmless(text)) if one.hold), None)
        if found:
            yield (
                f"{source}, line {found.line}: {found.reason} ({found.kind}); it is shown as "
                "data, and orders nothing"
            )
