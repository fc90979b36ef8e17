"""`clawgit` without a command: where the user is, and what to do next."""

from clawgit.cli import output
from clawgit.cli.opening import caller, workspace
from clawgit.cli.output import dim
from clawgit.errors import NotAWorkspaceError
from clawgit.ops.workspace import here as op


def show_here() -> None:
    """Answers the bare command. Outside a workspace this is an answer too, not an error."""
    try:
        with workspace() as opened:
            place = op.here(opened)
    except NotAWorkspaceError:
        place = op.outside(caller())
    output.emit(place, _here_text)


def _here_text(place: op.Here) -> str:
    end = dim("clawgit --help lists every command")
    return "\n".join([_place_text(place), "", *map(_step_text, place.next), "", end])


def _step_text(step: op.Next) -> str:
    room = 35 - len(step.command)
    gap = " " * room if room > 1 else "\n    "
    return f"  {output.key(step.command)}{gap}{dim(step.why)}"


def _place_text(place: op.Here) -> str:
    """The workspace and its branch, and whether everything is committed."""
    if place.workspace is None:
        return "there is no clawgit workspace here"
    state = f"{place.waits} not committed" if place.waits else "everything is committed"
    alerts = f", {place.alerts} to look at" if place.alerts else ""
    where = output.heading(str(place.workspace))
    return f"{where}  {place.branch or 'no branch'}: {state}{alerts}"
