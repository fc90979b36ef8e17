"""`sync`: one memory on several machines; `backup`: one file that holds it all; `forget`: removes
words from memory for good.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from clawgit.core.errors import ClawgitError, few
from clawgit.core.markdown.comment import split
from clawgit.history.backup import Backup, back_up
from clawgit.history.forgetting import forget as forgetting
from clawgit.history.forgetting.places import Found
from clawgit.history.restoring import Verification, restore_backup, verify
from clawgit.history.rules.wiping import Standing
from clawgit.history.sync import sync as op_sync
from clawgit.history.synced import Synced, Tell
from clawgit.terminal import output
from clawgit.terminal.command import (
    Answer,
    Answers,
    LazyGroup,
    command,
    dry_run_option,
    group,
    option,
)
from clawgit.terminal.opening import caller
from clawgit.terminal.output import counted, dim, good
from clawgit.terminal.text import cut, options
from clawgit.workspace.workspace import Workspace

_FILE = click.Path(path_type=Path, resolve_path=True)


class _SaveByDefault(LazyGroup):
    """`backup FILE` is short for `backup save FILE`.

    A file with the name of a command is given with its folder: ./verify.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {*self.places, "-h", "--help"}
        return super().parse_args(ctx, args if known.intersection(args) else ["save", *args])


@group("backup", _SaveByDefault)
def backup() -> None:
    """Save everything to one file; verify it; restore it.

    The file holds the whole history, stashes, uncommitted changes, and clawgit's own state. It does
    not hold files that git ignores, repositories inside the workspace, empty folders, what is
    staged and in no file, or git's configuration, hooks and reflogs.

    Example: clawgit backup ~/agent.backup && clawgit backup verify ~/agent.backup
    """


@command("save")
@click.argument("file", type=_FILE)
@option("--force", "Overwrite FILE.")
@dry_run_option
def save(ws: Workspace, file: Path, **flags: Any) -> Answer:
    """Take a snapshot, write FILE, and verify it.

    To verify it, it is restored to a temporary folder and compared, as `backup verify` does. A
    file that does not restore everything is deleted.

    Example: clawgit backup ~/agent.backup
    """
    return back_up(ws, file, **flags), _saved_text


@command("verify")
@click.argument("file", type=_FILE)
def verify_(file: Path) -> Answer:
    """Restore FILE to a temporary folder and compare.

    Exits with 1 if anything differs. It needs no workspace.

    Example: clawgit backup verify ~/agent.backup
    """
    return verify(file, caller().env), _verified_text


@command("restore")
@click.argument("file", type=_FILE)
@click.argument("folder", metavar="DIR", type=_FILE)
@dry_run_option
def restore(file: Path, folder: Path) -> Answer:
    """Restore the workspace to DIR, a new folder.

    DIR must be empty or not exist.

    Example: clawgit backup restore ~/agent.backup ~/agent
    """
    asker = caller()
    return restore_backup(file, folder, asker.env, dry_run=asker.dry_run), output.told


def _saved_text(done: Backup) -> str:
    rows = [output.told(done, without="checks"), _verified_text(done)]
    return "\n".join(filter(None, rows))


def _verified_text(result: Backup | Verification) -> str:
    marks = {True: output.good("ok    "), False: output.error("FAILED")}
    return "\n".join(f"{marks[check.ok]} {check.name}: {check.detail}" for check in result.checks)


class _StoppedError(ClawgitError):
    """A sync ended in a state in which somebody must do something."""

    kind = "sync"


@command("sync")
@option("--remote R", "The name of a remote, as git remote -v lists it.")
@dry_run_option
def sync(ws: Workspace, remote: str) -> Answers:
    """Bring this memory and a remote to the same state.

    Commits edits that are not committed yet, fetches, merges by entries, and pushes. Without
    --remote it uses the setting sync_remote, else the branch's upstream, else origin. Nothing is
    forced: if there is a conflict, or the remote's history was rewritten, no branch changes, and
    the answer says what to do. Exits with 0 even if the remote cannot be reached.

    Chat messages, the access log and the queues belong to one machine and are not synced; `clawgit
    backup` saves them.

    Example: clawgit sync --dry-run
    """
    asks = sys.stdin.isatty()
    done = op_sync(ws, remote, prompts=asks, tell=_progress())
    if done.failed and not options().as_json:
        if details := _details(output.tame(done)):
            output.note(*details)
        raise _StoppedError(done.message, hint=done.next)
    yield done, _text
    yield int(done.failed)


def _progress() -> Tell:
    """A line for each step on a terminal. git may ask for a password there, so none is redrawn."""
    if options().as_json or not sys.stderr.isatty():
        return lambda _words: None
    return lambda words: output.note(output.dim(output.inline(f"{words} …")))


def _text(done: Synced) -> str:
    rows = [done.message, *_details(done)]
    if done.next:
        rows.append(output.next_step(done.next))
    return "\n".join(rows)


def _details(done: Synced) -> list[str]:
    rows = []
    if done.changed:
        files = output.first_of(map(output.shown, done.changed))
        rows.append(f"{output.counted(len(done.changed), 'file')} changed here: {files}")
    if done.rescue:
        rows.append(output.dim(f"what was here before: {done.rescue}"))
    rows += [output.warned(alert) for alert in done.alerts]
    return [*rows, *output.notes(done.notes)]


_MOST = 20
"""How many lines are shown before the question."""

_WIDE = 60


@command()
@click.argument("what", metavar="ENTRY_ID|TEXT")
@option("--history", "Rewrite history too, after a backup.")
@dry_run_option
def forget(ws: Workspace, what: str, *, history: bool) -> Answer | None:
    """Remove an entry or a text from memory for good.

    Each entry that holds the words is removed from its file, and the words from messages, indexes,
    vectors, caches and logs. Agents then refuse to learn them again. Without --history, earlier
    commits still hold them; with it, every branch is rewritten, the old objects are deleted, and a
    search of everything shows what is left. You are asked first. If you give - you are asked for
    the words, so that the shell keeps no copy of them. Only the operator may use this command.

    Example: clawgit forget m7k2q9 --history
    """
    forgetting.refuse_others(ws)
    if what == "-":
        what = click.prompt("The words, or the id of an entry", err=True)
    with output.progress("looking for the words"):
        found = forgetting.plan(ws, what, history=history)
    plan = [*_plan_lines(output.tame(found))]
    if ws.dry_run:
        return forgetting.forget(ws, found), lambda _: "\n".join(plan)
    output.note(*plan)
    if not _is_confirmed(found):
        output.note("nothing was changed")
        return None
    done = forgetting.forget(ws, found, at=lambda step: output.note(dim(f"{step} …")))
    return done, lambda done: "\n".join(_done_lines(done))


def _is_confirmed(found: forgetting.ForgetPlan) -> bool:
    if not found.history:
        return click.confirm("Remove it from the files and databases?", err=True)
    asked = f"This cannot be undone. Type {output.shown(found.word)} to rewrite history"
    typed: str = click.prompt(asked, default="", show_default=False, err=True)
    return typed.strip() == found.word


def _plan_line(line: Standing) -> str:
    what = "whole entry" if line.goes else "words only "
    words = cut(output.one_line(split(line.text).visible), _WIDE)
    return f"{output.removed(what)}  {line.path}:{line.line}  {words}"


def _plan_lines(found: forgetting.ForgetPlan) -> Iterator[str]:
    yield from few(map(_plan_line, found.files.lines), _MOST, dim("and {} more lines"))
    yield from (f"renamed  {path}" for path in found.files.named)
    yield from (
        output.warned(f"{path} is outside of clawgit's scope, and stays as it is")
        for path in found.files.outside
    )
    yield from map(_place_line, found.places)
    if found.in_history:
        verb = "is rewritten" if found.history else "stays as it is (--history rewrites it)"
        yield f"history: {counted(found.in_history, 'object')} of git; it {verb}"
    if found.unsigned:
        signed = counted(found.unsigned, "signed commit")
        yield output.warned(f"{signed}: what changes loses its signature, which covers the words")


def _place_line(found: Found) -> str:
    if found.trouble:
        return output.warned(f"{found.place}: {found.trouble}")
    return f"{found.place}: {found.count:,}"


def _done_lines(done: forgetting.Forgot) -> Iterator[str]:
    yield output.told(done, without="id proof")
    if done.proof:
        yield output.told(done.proof)
        yield from _verdict(done.proof)
    if done.backup:
        yield output.warned(f"the backup still holds the words: {done.backup}")
        yield output.next_step(f"once all is well, destroy it: shred -u '{done.backup}'")


def _verdict(proof: forgetting.Proof) -> Iterator[str]:
    if proof.history:
        yield output.warned("history still holds the words: anybody can read them there")
        yield output.next_step("clawgit forget ENTRY_ID|TEXT --history")
    if proof.is_clean:
        yield good("nothing is left, but for what is beyond reach: check it yourself")
        for place in proof.beyond:
            if place.startswith("remote "):
                name = place.split(" ")[1].removesuffix(":")
                yield output.next_step(f"git push --force {name} HEAD refs/clawgit/forgotten")
                yield output.next_step("in each other clone: the same forget, then clawgit sync")
