"""Has the system start the runner: by systemd, launchd or the crontab; and undoes it."""

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from clawgit.domain.runner.units import (
    Start,
    crontab_with,
    crontab_without,
    launchd_agent,
    systemd_unit,
    unit_name,
    words,
)
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import own_program
from clawgit.stores.joblog import log_of
from clawgit.stores.plainfile import put_in_place
from clawgit.stores.xdg import config_home

SYSTEMD = "systemd"
LAUNCHD = "launchd"
CRONTAB = "crontab"
_SECONDS = 20
_NO_TABLE = ("no crontab", "no such file")
"""What `crontab -l` says to a user without a crontab; busybox names the missing file."""

_PASSED_ON = ("OPENCLAW_STATE_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TZ")
"""The variables that the runner needs from the operator's environment. Without API keys: they would
be in a plain file."""


@dataclass(frozen=True, slots=True)
class Installed:
    """`action` is written, kept (it was there already), removed or absent.

    `steps` are left to do by hand. Nothing of this is in the workspace, so there is no commit.
    """

    kind: str
    where: str
    action: str
    text: str
    steps: tuple[str, ...]
    dry_run: bool = False
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


def install(
    workspace: Workspace,
    kind: str,
    *,
    platform: str,
    everybody: bool = False,
    dry_run: bool = False,
) -> Installed:
    """Writes the file that starts the runner, and starts it if the system can be asked to."""
    kind = kind or _usual(workspace, platform)
    start = _start(workspace, everybody=everybody)
    if kind == CRONTAB:
        table = _crontab(workspace)
        return _tabled(workspace, table, crontab_with(table, start), "written", dry_run=dry_run)
    file, text = _file(workspace, kind, start)
    there = file.read_text("utf-8") if file.is_file() else None
    action = "kept" if there == text else "written"
    if not dry_run and there != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        put_in_place(file, text.encode())
    steps = (
        ()
        if dry_run
        else _not_run(workspace, _starting(workspace, kind, file, changed=there != text))
    )
    return Installed(kind, str(file), action, text, steps, dry_run)


def uninstall(
    workspace: Workspace, kind: str, *, platform: str, dry_run: bool = False
) -> Installed:
    """Stops the runner that the system started, and removes what starts it."""
    kind = kind or _usual(workspace, platform)
    start = _start(workspace, everybody=False)
    if kind == CRONTAB:
        table = _crontab(workspace)
        return _tabled(
            workspace, table, crontab_without(table, start.name), "removed", dry_run=dry_run
        )
    file, _ = _file(workspace, kind, start)
    if not file.is_file():
        return Installed(kind, str(file), "absent", "", (), dry_run)
    if dry_run:
        return Installed(kind, str(file), "removed", "", (), dry_run)
    steps = _not_run(workspace, _stopping(kind, start.name))
    file.unlink()
    return Installed(kind, str(file), "removed", "", steps)


def uninstall_all(workspace: Workspace, *, dry_run: bool = False) -> list[Installed]:
    """Removes all that has the system start the runner here, and returns what there was."""
    has_crontab = shutil.which("crontab", path=workspace.caller.env.get("PATH"))
    kinds = (SYSTEMD, LAUNCHD, *([CRONTAB] if has_crontab else []))
    done = [uninstall(workspace, kind, platform="", dry_run=dry_run) for kind in kinds]
    return [service for service in done if service.action == "removed"]


def _usual(workspace: Workspace, platform: str) -> str:
    if platform == "darwin":
        return LAUNCHD
    if shutil.which("systemctl", path=workspace.caller.env.get("PATH")):
        return SYSTEMD
    if shutil.which("crontab", path=workspace.caller.env.get("PATH")):
        return CRONTAB
    raise UsageError(
        "This system has neither systemd nor a crontab.",
        hint="Have whatever starts your services run: clawgit run",
    )


def _start(workspace: Workspace, *, everybody: bool) -> Start:
    root, env = str(workspace.root), workspace.caller.env
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()
    command = (
        *own_program(),
        "-C",
        root,
        "run",
        *(["--all"] if everybody else []),
    )
    known = {key: env[key] for key in _PASSED_ON if env.get(key)}
    return Start(unit_name(workspace.root.name, digest), root, command, known)


def _file(workspace: Workspace, kind: str, start: Start) -> tuple[Path, str]:
    home = workspace.caller.home
    if kind == LAUNCHD:
        log = str(log_of(workspace.place).with_name("runner.err"))
        return home / "Library" / "LaunchAgents" / f"{start.name}.plist", launchd_agent(start, log)
    return config_home(
        workspace.caller.env, home
    ) / "systemd" / "user" / f"{start.name}.service", systemd_unit(start)


def _starting(workspace: Workspace, kind: str, file: Path, *, changed: bool) -> list[list[str]]:
    """The commands that make the system run the file as it is now.

    Neither system looks again at a file that it runs already.
    """
    if kind == SYSTEMD:
        acts = (
            ["daemon-reload"],
            ["enable", file.name],
            ["restart" if changed else "start", file.name],
        )
        return [["systemctl", "--user", *act] for act in acts]
    bootstrap = ["launchctl", "bootstrap", _domain(), str(file)]
    if not _done(workspace, ["launchctl", "print", f"{_domain()}/{file.stem}"]):
        return [bootstrap]
    return [*_stopping(kind, file.stem), bootstrap] if changed else []


def _stopping(kind: str, name: str) -> list[list[str]]:
    if kind == LAUNCHD:
        return [["launchctl", "bootout", f"{_domain()}/{name}"]]
    return [["systemctl", "--user", "disable", "--now", f"{name}.service"]]


def _domain() -> str:
    """The domain in which launchd has this user's agents."""
    return f"gui/{os.getuid()}"


def _not_run(workspace: Workspace, commands: list[list[str]]) -> tuple[str, ...]:
    """The commands that could not be run here; they are left to the operator."""
    for number, command in enumerate(commands):
        if not _done(workspace, command):
            # After one fails, the others are not tried: they build on it.
            return tuple(words(step) for step in commands[number:])
    return ()


def _done(workspace: Workspace, command: list[str]) -> bool:
    try:
        ended = subprocess.run(
            command,
            env=dict(workspace.caller.env),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0


def _crontab(workspace: Workspace) -> str:
    """The user's crontab, "" if there is none.

    One that cannot be read raises; it never counts as empty.
    """
    ended = _asked(workspace, ["crontab", "-l"])
    if ended.returncode == 0:
        return ended.stdout.decode("utf-8", "surrogateescape")
    complaint = ended.stderr.decode("utf-8", "replace").strip()
    # `crontab -l` also exits with 1 for a user without a crontab; only its message tells the two
    # apart.
    if not any(phrase in complaint.lower() for phrase in _NO_TABLE):
        raise ClawgitError(
            f"The crontab cannot be read: {complaint}",
            hint="Make `crontab -l` work, then try again; nothing was changed.",
        )
    return ""


def _tabled(
    workspace: Workspace, table: str, wanted: str, action: str, *, dry_run: bool
) -> Installed:
    added = "".join(
        line
        for line in wanted.splitlines(keepends=True)
        if line not in table.splitlines(keepends=True)
    )
    if table == wanted:
        return Installed(
            CRONTAB, "the crontab", "kept" if action == "written" else "absent", added, (), dry_run
        )
    if not dry_run:
        ended = _asked(workspace, ["crontab", "-"], wanted.encode("utf-8", "surrogateescape"))
        if ended.returncode:
            complaint = ended.stderr.decode("utf-8", "replace").strip()
            raise ClawgitError(
                f"crontab did not accept the new table: {complaint}",
                hint="crontab -e, and add the line by hand.",
            )
    return Installed(CRONTAB, "the crontab", action, added, (), dry_run)


def _asked(
    workspace: Workspace, command: list[str], stdin: bytes = b""
) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            command,
            input=stdin,
            env=dict(workspace.caller.env),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ClawgitError(
            "There is no working crontab here.", hint="--kind systemd, or --kind launchd"
        ) from error
