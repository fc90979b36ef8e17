"""`heartbeat --maintain` and `--install`: the upkeep that an agent does at a heartbeat."""

from clawgit.cli import output
from clawgit.cli.change_text import emit_change
from clawgit.cli.opening import workspace
from clawgit.cli.output import shown
from clawgit.domain.conversation.heartbeat_file import PATH
from clawgit.ops.runner.maintaining import Maintained, ask_for_upkeep, maintain


def maintained(*, dry_run: bool) -> None:
    """Does the upkeep and prints the result."""
    with workspace() as opened:
        done = maintain(opened, dry_run=dry_run)
        output.emit(done, _maintained_text)


def installed(*, dry_run: bool) -> None:
    """Has HEARTBEAT.md ask for the upkeep."""
    with workspace() as opened:
        emit_change(ask_for_upkeep(opened, dry_run=dry_run), f"{PATH} asks for")


def _maintained_text(done: Maintained) -> str:
    rows = [f"{line.action} to {shown(line.target)}: {shown(line.text)}" for line in done.promoted]
    rows += [f"for your human: {shown(need)}" for need in done.needs]
    rows += [f"for you: {shown(line)}" for line in done.asked]
    if done.commit and not done.dry_run:
        rows.append(f"written: {output.ident(done.id or '')}")
    return "\n".join([*rows, *([done.reply] if done.reply else [])])
