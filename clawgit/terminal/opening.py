"""What every command needs: finds out the caller and the time, and opens the workspace."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from clawgit.core.doors import signal
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.core.limits import FIRST_YEAR, LAST_YEAR
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.git.rules.actors import AGENT, LONGEST_NAME, OPERATOR, Actor, caller_named, is_reserved
from clawgit.safety.masking import cover_for_caller, mask_of
from clawgit.safety.rules.secrets import masked
from clawgit.terminal import output
from clawgit.terminal.command_table import load
from clawgit.terminal.text import options
from clawgit.workspace.workspace import Caller, Workspace, open_workspace, workspace_around

_LONGEST_ENTRY = 1024 * 1024
"""Bytes of standard input that are read for an entry. A longer text is no fact."""

_LONGEST = 16 * 1024 * 1024
"""Bytes that are read from standard input; a message is never that long."""


def caller() -> Caller:
    """Who calls: the operator if standard input is a terminal, otherwise an agent."""
    given = options()
    env = dict(os.environ)
    if given.now:
        # Our own child processes see the same clock.
        env["CLAWGIT_NOW"] = given.now
    actor, now = _actor(given.actor), moment(given.now)
    if now > datetime.now().astimezone() + timedelta(days=1):
        # Whatever fades or expires with time would go at once: our own child processes see today.
        env.pop("CLAWGIT_NOW", None)
        if actor != OPERATOR:
            raise UsageError("Only the operator sets the clock ahead.", hint="Leave --now out.")
    return Caller(actor=actor, env=env, now=now, home=Path.home(),
        dry_run=bool(given.preview),
    )  # fmt: skip


def clock() -> Callable[[], datetime]:
    """A clock for commands that run for long. It may be called from any thread."""
    fixed = options().now
    return lambda: moment(fixed)


def heed_sigterm() -> None:
    """Makes SIGTERM end this command as Ctrl-C does, so that the programs it started end too."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def start_folder() -> Path:
    """The folder that -C or the environment names, else the current one."""
    named = options().directory or os.environ.get("CLAWGIT_WORKSPACE")
    return Path(named).absolute() if named else Path.cwd()


@contextmanager
def workspace() -> Iterator[Workspace]:
    """The workspace of this call, closed after the answer."""
    asker = caller()
    opened = open_workspace(find_start(asker), asker)
    # From here on the mask knows what this workspace allows; before, everything was masked.
    output.mask_by(
        mask_of(opened),
        cover=cover_for_caller(opened),
        exact=options().exact and asker.actor == OPERATOR,
    )
    try:
        yield opened
    finally:
        # The answer must be printed before `close` waits. If it cannot be, its writer was told.
        with suppress(OSError):
            sys.stdout.flush()
        opened.close()


def in_workspace(opened: Workspace, path: str) -> str:
    """A path as a user in a folder of the workspace means it.

    A file below the current folder comes first, else the path is relative to the workspace.
    """
    if options().directory or Path(path).is_absolute():
        return path
    here = Path.cwd()
    is_at_root = (opened.root / path).exists() and not (here / path).exists()
    return path if is_at_root or not here.is_relative_to(opened.root) else str(here / path)


def existing_in_workspace(opened: Workspace, path: str) -> str:
    """The same for a file that need not exist: a new one is named from the workspace's root."""
    return in_workspace(opened, path) if path and Path(path).exists() else path


def place_in_workspace(opened: Workspace, place: str) -> str:
    """The same for PATH:LINE; what has no colon is an id, and stays."""
    path, colon, line = place.rpartition(":")
    return f"{in_workspace(opened, path)}:{line}" if colon else place


def given_text(text: str) -> str:
    """The text of an entry, or standard input where it is `-`."""
    if text != "-":
        return text
    return sys.stdin.buffer.read(_LONGEST_ENTRY).decode("utf-8", "surrogateescape")


def standard_input() -> str:
    """Standard input, up to a limit; bytes that are not UTF-8 are replaced."""
    return sys.stdin.buffer.read(_LONGEST).decode("utf-8", "replace")


def given_lines(file: str | None, used: ExitStack) -> Iterable[bytes]:
    """The lines of a file, or of standard input where none is named or it is `-`."""
    if file not in (None, "-"):
        try:
            return used.enter_context(Path(str(file)).open("rb"))
        except OSError as error:
            raise NotFoundError(
                f"{file} cannot be read: {error.strerror}.", hint="Name a file of JSON lines."
            ) from error
    if sys.stdin.isatty():
        raise UsageError(
            "Nothing comes in on standard input.",
            hint="Name a FILE; --help shows what else there is.",
        )
    return sys.stdin.buffer


def find_start(asker: Caller) -> Path:
    """Where to look for the workspace: -C, the environment, the current folder, then OpenClaw's."""
    start = start_folder()
    is_named = bool(options().directory or os.environ.get("CLAWGIT_WORKSPACE"))
    if not start.is_dir():
        raise UsageError(f"{start} is not a folder.", hint=f"Make one with `clawgit init {start}`.")
    place = workspace_around(start, asker.env)
    root = place and place.root
    if root != start:
        load("workspace.reach:refuse_owned")(start, root, asker)
    if is_named or root:
        return start
    # Loaded here: SQLite takes 10 ms of `triage`.
    named: Path | None = load("workspace.workspaces:openclaw_workspace")(asker)
    if named:
        output.note(f"note: this folder is in no workspace; the command is for {named}")
    return named or start


def _actor(name: str | None) -> Actor:
    if name is None:
        seated = options().seated
        if seated is None:
            seated = sys.stdin is not None and sys.stdin.isatty()
        return OPERATOR if seated else AGENT
    actor = caller_named(name)
    if actor and masked(actor.slug) == actor.slug:
        return actor
    shown = in_a_line(name, LONGEST_NAME)
    message = f"{shown!r} is not a valid actor name."
    hint = f"Use letters from a to z, digits and dashes, {LONGEST_NAME} at most: --actor my-agent"
    if is_reserved(name.strip().lower()):
        message = (
            f"--actor cannot be {shown!r}: it is the operator's, or one of clawgit's own names."
        )
        hint = "At a terminal you are the operator; others name themselves: --actor my-agent"
    raise UsageError(message, hint=hint)


def moment(text: str | None) -> datetime:
    """A time as --now takes it; without one, what CLAWGIT_NOW says, else now."""
    text = text or os.environ.get("CLAWGIT_NOW")
    if not text:
        return datetime.now().astimezone()
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text!r} is not a time.", hint="Use ISO 8601: 2026-02-14T09:00:00+01:00"
        ) from error
    if not FIRST_YEAR <= when.year <= LAST_YEAR:
        raise UsageError(
            f"Git cannot store the time {text!r}.", hint="Use a year from 1971 to 2105."
        )
    return when if when.tzinfo else when.astimezone()
