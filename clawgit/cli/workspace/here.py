"""`clawgit` without a command: where the user is, and what to do next."""

from clawgit.cli import output
from clawgit.cli.columns import hanging, terminal_width
from clawgit.cli.opening import caller, workspace
from clawgit.cli.output import dim, shown
from clawgit.errors import NotAWorkspaceError
from clawgit.ops.workspace import overview as op

_WIDTH = 33
_TWO_COLUMNS = 60
"""In a narrower terminal, what a command is for stands below it."""


def show_here() -> None:
    """Answers the bare command. Outside a workspace this is an answer too, not an error."""
    try:
        with workspace() as opened:
            place = op.here(opened)
    except NotAWorkspaceError:
        place = op.outside(caller())
    output.emit(place, _here_text)


def _here_text(place: op.Here) -> str:
    rows = [_next_text(shown(step.command), shown(step.why)) for step in place.next]
    return "\n".join([place_text(place), "", *rows, "", dim("clawgit --help lists every command")])


def _next_text(command: str, why: str) -> str:
    if len(command) <= _WIDTH and terminal_width() >= _TWO_COLUMNS:
        row, gap = output.key(command), " " * (_WIDTH - len(command))
        return f"  {row}{gap}{hanging(why, dim, _WIDTH + 4)[_WIDTH + 2 :]}"
    return f"{hanging(command, output.key, 2)}\n{hanging(why, dim, 4)}"


def place_text(place: op.Here) -> str:
    """The workspace and its branch, and whether everything is committed."""
    if place.workspace is None:
        return "there is no clawgit workspace here"
    state = f"{place.waits} not committed" if place.waits else "everything is committed"
    alerts = f", {place.alerts} to look at" if place.alerts else ""
    where = output.heading(output.linked(shown(str(place.workspace)), place.workspace))
    return f"{where}  {shown(place.branch or 'no branch')}: {state}{alerts}"
