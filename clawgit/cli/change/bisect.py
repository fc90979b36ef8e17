"""`bisect`: finds the change that added or removed a belief, or broke a check."""

import click

from clawgit.cli import output
from clawgit.cli.change.why import turn_text, words_of_entry
from clawgit.cli.command import command
from clawgit.cli.opening import heed_sigterm, workspace
from clawgit.cli.output import dim, named, shown
from clawgit.domain.change.told import ToldChange
from clawgit.errors import UsageError
from clawgit.ops.change import bisect as op
from clawgit.ops.change import bisect_run as run_op

_STATES = {
    "reworded": "says something else now",
    "uncommitted": "as it is on disk, not committed yet",
}


@command("bisect")
@click.argument("what", required=False)
@click.option("--run", "check", metavar="CMD", help="Find the change after which CMD fails.")
@click.option(
    "--good", default="", metavar="REV", help="A state at which CMD passes.  [default: the first]"
)
@click.option(
    "--bad", default="", metavar="REV", help="A state at which CMD fails.  [default: the newest]"
)
def bisect(what: str | None, check: str | None, good: str, bad: str) -> None:
    """Find the change that added a belief, or removed it.

    WHAT is the id of an entry, or words that it has or had. With --run, CMD is run on one state
    after another, in a separate folder, which CLAWGIT_WORKSPACE also names: exit code 0 means that
    a state is good, 1 to 124 that it is bad, 125 that it cannot be tested. Any other code stops the
    search. Your files, your branch and your own `git bisect` stay as they are.

    Example: clawgit bisect "Ana prefers tea"

    Example: clawgit bisect --run "grep -q tea MEMORY.md" --good 2026-02-01
    """
    if (what is None) == (check is None):
        raise UsageError(
            "Give either what to look for or a check to run.",
            hint='clawgit bisect "Ana prefers tea"',
        )
    if what is not None and (good or bad):
        raise UsageError("--good and --bad go with --run.", hint="clawgit bisect --help")
    heed_sigterm()
    with workspace() as opened:
        if check is not None:
            found = run_op.bisect_run(opened, check, good, bad, _tell)
            output.emit(found, _run_text)
        else:
            belief = op.bisect(opened, what or "")
            output.emit(belief, _belief_text)


def _tell(state: run_op.CheckedState) -> None:
    name = state.id or state.sha[:8]
    words = f": {state.words}" if state.words else ""
    output.note(f"{state.verdict:<4}  {name}  {state.time:%Y-%m-%d %H:%M}  {state.summary}{words}")


def _belief_text(found: op.Bisected) -> str:
    parts = [_standing(found), _decisive(found), *_rest(found), *_others(found)]
    if found.note:
        parts.append(dim(f"note: {found.note}"))
    return "\n\n".join(filter(None, parts))


def _standing(found: op.Bisected) -> str:
    state = f"  {output.warning(_STATES[found.state])}" if found.state in _STATES else ""
    where = output.heading(shown(", ".join(found.places) or "Not in memory now"))
    return f"{where}{state}\n    {shown(words_of_entry(found.text).strip())}"


def _decisive(found: op.Bisected) -> str:
    if found.change is None:
        return ""
    verb = "Added by" if found.state == "held" else "Removed by"
    text = f"{verb}\n{turn_text(found.change)}"
    if not found.bring_back:
        return text
    return "\n".join(
        [text, "", "To bring it back:", *(f"    {shown(way)}" for way in found.bring_back)]
    )


def _rest(found: op.Bisected) -> list[str]:
    turns = [turn_text(turn) for turn in found.changes if turn != found.change]
    return ["Its other changes", *turns] if turns else []


def _others(found: op.Bisected) -> list[str]:
    rows = [f"    {shown(other.key):<8}{shown(other.text)}" for other in found.others]
    return ["\n".join(["Other entries with these words:", *rows])] if rows else []


def _run_text(found: run_op.BisectedRun) -> str:
    heading = (
        "The check fails since"
        if len(found.found) == 1
        else "The check fails since one of these; those in between could not be tested"
    )
    rows = [heading, *(_change_text(change) for change in found.found)]
    back = [f"To take it back: {shown(line)}" for line in found.bring_back]
    return "\n".join([*rows, *back])


def _change_text(change: ToldChange) -> str:
    actor, when = output.key(shown(change.actor)), dim(f"{change.time:%Y-%m-%d %H:%M}")
    rows = [
        f"{named(change.id, change.sha)}  {when}  {actor}",
        f"    {shown(change.summary)}",
        *(f"    {shown(line)}" for line in change.reason.splitlines()),
        *([f"    evidence: {shown(', '.join(change.evidence))}"] if change.evidence else []),
    ]
    return "\n".join(rows)
