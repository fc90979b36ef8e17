"""`clawgit forget`: removes words from memory for good, at the operator's terminal."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from clawgit.cli import output
from clawgit.cli.command import Answer, command, dry_run_option, option
from clawgit.cli.output import counted, dim
from clawgit.cli.text import cut
from clawgit.domain.markdown.comment import split
from clawgit.ops.forgetting import forget as op
from clawgit.ops.forgetting.forget import ForgetPlan, Forgot, Proof
from clawgit.ops.forgetting.places import Found
from clawgit.ops.workspace.workspace import Workspace

_MOST = 20
"""How many lines are shown before the question."""

_WIDE = 60
_ASK = "-"

_ONLY_FILES = "Remove it from the files and databases?"


@command()
@click.argument("what", metavar="ENTRY_ID|TEXT")
@option("--history", "Rewrite history too, after a backup.")
@dry_run_option
def forget(ws: Workspace, what: str, *, history: bool, dry_run: bool) -> Answer | None:
    """Remove an entry or a text from memory for good.

    Each entry that holds the words is removed from its file, and the words from messages, indexes,
    vectors, caches and logs. Agents then refuse to learn them again. Without --history, earlier
    commits still hold them; with it, every branch is rewritten, the old objects are deleted, and a
    search of everything shows what is left. You are asked first. If you give - you are asked for
    the words, so that the shell keeps no copy of them. Only the operator may use this command.

    Example: clawgit forget m7k2q9 --history
    """
    op.refuse_others(ws)
    if what == _ASK:
        what = click.prompt("The words, or the id of an entry", err=True)
    with output.progress("looking for the words"):
        found = op.plan(ws, what, history=history)
    plan = [*_plan_lines(output.tame(found))]
    if dry_run:
        return op.forget(ws, found, dry_run=True), lambda _: "\n".join(plan)
    output.note(*plan)
    if not _is_confirmed(found):
        output.note("nothing was changed")
        return None
    done = op.forget(ws, found, at=lambda step: output.note(dim(f"{step} …")))
    return done, lambda done: "\n".join(_done_lines(done))


def _is_confirmed(found: ForgetPlan) -> bool:
    if not found.history:
        return click.confirm(_ONLY_FILES, default=False, err=True)
    return output.is_typed(found.word, "rewrite history")


def _plan_lines(found: ForgetPlan) -> Iterator[str]:
    for line in found.files.lines[:_MOST]:
        what = "whole entry" if line.goes else "words only "
        place = f"{line.path}:{line.line}"
        yield f"{output.removed(what)}  {place}  {cut(_words(line.text), _WIDE)}"
    if len(found.files.lines) > _MOST:
        yield dim(f"and {len(found.files.lines) - _MOST} more lines")
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


def _words(line: str) -> str:
    """A line without its comment."""
    return output.one_line(split(line).visible)


def _place_line(found: Found) -> str:
    if found.trouble:
        return output.warned(f"{found.place}: {found.trouble}")
    return f"{found.place}: {found.count:,}"


def _done_lines(done: Forgot) -> Iterator[str]:
    yield f"forgotten: {counted(done.lines, 'line')} of files"
    yield from map(_place_line, done.places)
    if done.rewritten:
        yield f"rewritten: {counted(done.rewritten, 'commit')}"
    if done.unsigned:
        had = f"{counted(done.unsigned, 'commit')} had a signature"
        yield output.warned(f"{had}, which a changed commit cannot keep")
    if done.proof:
        yield from _proof_lines(done.proof, done.backup)
    if done.kept_in_history:
        yield output.warned("history still holds the words: anybody can read them there")
        yield output.next_step("clawgit forget ENTRY_ID|TEXT --history")
    if done.backup:
        yield output.warned(f"the backup still holds the words: {done.backup}")
        yield output.next_step(f"once all is well, destroy it: shred -u '{done.backup}'")


def _proof_lines(proof: Proof, backup: Path | None) -> Iterator[str]:
    searched = f"{counted(proof.objects, 'object')} of git and {counted(proof.files, 'file')}"
    if proof.is_clean:
        yield output.good(f"searched {searched}: nothing is left")
    else:
        yield f"searched {searched}"
    if proof.history:
        yield f"{counted(proof.history, 'object')} of git still hold the words"
    yield from (output.warned(f"still there: {place}") for place in proof.left)
    yield from _beyond_lines(proof, str(backup))


def _beyond_lines(proof: Proof, backup: str) -> Iterator[str]:
    """The places that this command cannot clear, without the backup, which it shows separately."""
    places = [place for place in proof.beyond if backup not in place]
    if places:
        yield "clawgit cannot clear these; check them yourself:"
        yield from (f"  {place}" for place in places)
    remotes = _remotes(places) if proof.is_clean else []
    for name in remotes:
        yield output.next_step(f"git push --force {name} HEAD refs/clawgit/forgotten")
    if remotes:
        yield output.next_step("in each other clone: the same clawgit forget, then clawgit sync")


def _remotes(places: Iterable[str]) -> list[str]:
    """The names of the remotes and clones among these places."""
    named = [place.split(" ") for place in places]
    return [words[1].removesuffix(":") for words in named if words[0] in ("remote", "clone")]
