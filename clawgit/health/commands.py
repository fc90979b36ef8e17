"""`doctor`: what is wrong, and what to do next; one line if all is well. `secrets`:
looks for keys and passwords, and allows false alarms. `forget`: removes words from memory for good.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import click

from clawgit.core.errors import UnsupportedRepoError
from clawgit.core.markdown.comment import split
from clawgit.health import doctor as op
from clawgit.history.forgetting import forget as forgetting
from clawgit.history.forgetting.places import Found
from clawgit.safety import secrets as scanning
from clawgit.safety.secrets import PURGE
from clawgit.terminal import output
from clawgit.terminal.change_text import changed
from clawgit.terminal.command import Answer, command, dry_run_option, group, option
from clawgit.terminal.opening import caller, find_start, start_folder
from clawgit.terminal.output import counted, dim, error, good, key, warning
from clawgit.terminal.text import cut
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.safety.secrets_found import FoundSecret


_NAMED = 4
"""How many places of a secret are named."""

_TAKE_OUT = "Remove it from the file, and replace it at its issuer if anybody else could read it."
_ALLOW = "If it is not a secret, the operator can allow it: clawgit secrets allow FINGERPRINT"


@command("scan")
@option("--history", "Look through every commit too, not only the files.")
def scan(ws: Workspace, history: bool) -> Answer:
    """Look for keys and passwords.

    Each secret is shown once, masked, with its fingerprint and its places. The exit code is 1 if
    any is not allowed.

    Example: clawgit secrets scan --history
    """
    return scanning.scan(ws, history=history), _scanned_text


@command("allow")
@click.argument("fingerprint", required=False, default="")
@option("--remote NAME|URL", "Allow pushes to this remote.")
@option("--reason TEXT", "Say why; it is written into the commit.")
@dry_run_option
def allow(ws: Workspace, fingerprint: str, **typed: Any) -> Answer:
    """Allow a text that only looks like a secret.

    With --remote: allow pushes to it. Only the operator may.

    Example: clawgit secrets allow 3f2a91c0d1e4 --reason "the public demo key"
    """
    return changed(scanning.allow(ws, fingerprint, **typed), "allowed")


@group("secrets")
def secrets(ws: Workspace) -> Answer:
    """Look for keys and passwords; allow what only looks like one.

    Alone, it looks through the files. `clawgit trust` lists what is allowed.

    Example: clawgit secrets scan --history
    """
    return scanning.scan(ws), _scanned_text


def _scanned_text(scanned: scanning.Scanned) -> str:
    lines = [_found_line(secret) for secret in scanned.findings]
    refused = {secret.fingerprint: secret for secret in scanned.findings if not secret.allowed}
    if not refused:
        where = " and in all commits" if scanned.history else ""
        return "\n".join([*lines, good(f"no secret in {scanned.files} files{where}")])
    # A secret that was removed from a committed file is still in history.
    is_committed = any(secret.committed for secret in refused.values())
    return "\n".join([
        *lines,
        "",
        error(f"{len(refused)} not allowed"),
        output.next_step(PURGE if is_committed else _TAKE_OUT),
        output.next_step(_ALLOW),
    ])  # fmt: skip


def _found_line(secret: "FoundSecret") -> str:
    places = output.first_of(map(str, secret.places), _NAMED)
    line = f"{places}  {secret.rule}  {secret.shown}  {secret.fingerprint}"
    return dim(f"{line}  allowed") if secret.allowed else line


_SHOWN = 3
"""How many findings of one check are printed; `--json` has all."""


@command("doctor")
@option("--fix", "Repair what is safe to repair; includes a deep check.")
@option("--deep", "Also read all objects of git.")
@option("--all everything", "Also list the checks that pass.")
@dry_run_option
def doctor(fix: bool, deep: bool, everything: bool, dry_run: bool) -> Answer:
    """Check everything, and say how to fix each problem.

    Example: clawgit doctor --fix
    """
    with output.progress("checking") as progress:
        report = op.doctor(
            _start(), caller(), fix=fix or dry_run, deep=deep, dry_run=dry_run,
            begun=lambda name: progress.phase(f"checking {name}"),
        )  # fmt: skip
    would = "would " if dry_run else "done: "
    return report, lambda checked: _doctor_text(checked, would, everything=everything)


def _start() -> "Path":
    try:
        return find_start(caller())
    except UnsupportedRepoError:
        return start_folder()


def _doctor_text(report: op.Report, would: str, *, everything: bool) -> str:
    listed = [check for check in report.checks if everything or check.fix or not check.ok]
    width = max((len(check.name) for check in listed), default=0)
    lines = []
    for name, checks in groupby(listed, key=attrgetter("name")):
        lines += _lines_of(name, [*checks], width)
    lines += map(would.__add__, report.mended)
    return "\n".join([*lines, _verdict(report)])


def _lines_of(name: str, checks: list[op.Check], width: int) -> list[str]:
    lines = [line for check in checks[:_SHOWN] for line in _check_lines(check, width)]
    if len(checks) > _SHOWN:
        lines.append(dim(f"  {name}: {len(checks) - _SHOWN} more"))
    return lines


def _check_lines(check: op.Check, width: int) -> list[str]:
    sign = error("✗")
    if check.ok:
        sign = warning("•") if check.fix else good("✓")
    line = f"{sign} {check.name:<{width}}  {check.detail}"
    return [line, f"{'':<{width + 4}}{key('→')} {check.fix}"] if check.fix else [line]


def _verdict(report: op.Report) -> str:
    bad = {check.name for check in report.checks if not check.ok}
    if bad:
        return error(f"{counted(len(bad), 'problem')} left")
    return good(f"{counted(len({check.name for check in report.checks}), 'check')} pass")


_MOST = 20
"""How many lines are shown before the question."""

_WIDE = 60
_ASK = "-"


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
    forgetting.refuse_others(ws)
    if what == _ASK:
        what = click.prompt("The words, or the id of an entry", err=True)
    with output.progress("looking for the words"):
        found = forgetting.plan(ws, what, history=history)
    plan = [*_plan_lines(output.tame(found))]
    if dry_run:
        return forgetting.forget(ws, found, dry_run=True), lambda _: "\n".join(plan)
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


def _plan_lines(found: forgetting.ForgetPlan) -> Iterator[str]:
    for line in found.files.lines[:_MOST]:
        what = "whole entry" if line.goes else "words only "
        place = f"{line.path}:{line.line}"
        words = cut(output.one_line(split(line.text).visible), _WIDE)
        yield f"{output.removed(what)}  {place}  {words}"
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


def _place_line(found: Found) -> str:
    if found.trouble:
        return output.warned(f"{found.place}: {found.trouble}")
    return f"{found.place}: {found.count:,}"


def _done_lines(done: forgetting.Forgot) -> Iterator[str]:
    yield f"forgotten: {counted(done.lines, 'line')} of files"
    yield from map(_place_line, done.places)
    if done.rewritten:
        yield f"rewritten: {counted(done.rewritten, 'commit')}"
    if done.unsigned:
        had = f"{counted(done.unsigned, 'commit')} had a signature"
        yield output.warned(f"{had}, which a changed commit cannot keep")
    if done.proof:
        yield from _proof_lines(done.proof, str(done.backup))
    if done.kept_in_history:
        yield output.warned("history still holds the words: anybody can read them there")
        yield output.next_step("clawgit forget ENTRY_ID|TEXT --history")
    if done.backup:
        yield output.warned(f"the backup still holds the words: {done.backup}")
        yield output.next_step(f"once all is well, destroy it: shred -u '{done.backup}'")


def _proof_lines(proof: forgetting.Proof, backup: str) -> Iterator[str]:
    searched = f"{counted(proof.objects, 'object')} of git and {counted(proof.files, 'file')}"
    yield (
        good(f"searched {searched}: nothing is left") if proof.is_clean else f"searched {searched}"
    )
    if proof.history:
        yield f"{counted(proof.history, 'object')} of git still hold the words"
    yield from (output.warned(f"still there: {place}") for place in proof.left)
    # The backup is shown separately.
    yield from _beyond_lines([place for place in proof.beyond if backup not in place], proof)


def _beyond_lines(places: list[str], proof: forgetting.Proof) -> Iterator[str]:
    """The places that this command cannot clear."""
    if places:
        yield "clawgit cannot clear these; check them yourself:"
        yield from (f"  {place}" for place in places)
    others = [place.split(" ") for place in places if place.startswith(("remote ", "clone "))]
    if not (proof.is_clean and others):
        return
    for words in others:
        name = words[1].removesuffix(":")
        yield output.next_step(f"git push --force {name} HEAD refs/clawgit/forgotten")
    yield output.next_step("in each other clone: the same clawgit forget, then clawgit sync")
