"""Has the system start the runner, by systemd or launchd, and undoes it."""

import hashlib
import os
import plistlib
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import UsageError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import own_program
from clawgit.stores.plainfile import put_in_place
from clawgit.stores.xdg import config_home

SYSTEMD = "systemd"
LAUNCHD = "launchd"
_SECONDS = 20
_PASSED_ON = ("OPENCLAW_STATE_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TZ")
"""The variables that the runner needs from the operator's environment. Without API keys: they would
be in a plain file."""


class Start(NamedTuple):
    """How the runner of one workspace is started: its name, its command and its environment."""

    name: str
    workspace: str
    command: tuple[str, ...]
    env: Mapping[str, str]


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
    kinds = (SYSTEMD, LAUNCHD)
    done = [uninstall(workspace, kind, platform="", dry_run=dry_run) for kind in kinds]
    return [service for service in done if service.action == "removed"]


def _usual(workspace: Workspace, platform: str) -> str:
    if platform == "darwin":
        return LAUNCHD
    if shutil.which("systemctl", path=workspace.caller.env.get("PATH")):
        return SYSTEMD
    command = shlex.join(["clawgit", "-C", str(workspace.root), "run"])
    raise UsageError(
        "This system has no systemd.",
        hint=f"Have what starts your services run `{command}`, or cron every five minutes "
        f"`{command} --once`.",
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
        log = str(workspace.place.private / "runner.err")
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
            return tuple(shlex.join(step) for step in commands[number:])
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


def systemd_unit(start: Start) -> str:
    """A unit of the user's own systemd."""
    env = "".join(
        f"Environment={_systemd(f'{key}={value}')}\n" for key, value in sorted(start.env.items())
    )
    return (
        "# written by `clawgit schedule install`; `clawgit schedule uninstall` takes it away\n"
        "[Unit]\n"
        f"Description=clawgit runner for {_percent(start.workspace)}\n"
        "\n"
        "[Service]\n"
        f"ExecStart={' '.join(_systemd(word).replace('$', '$$') for word in start.command)}\n"
        f"WorkingDirectory={_percent(start.workspace)}\n"
        f"{env}"
        "Restart=on-failure\n"
        "RestartSec=30\n"
        "TimeoutStopSec=10\n"
        "Nice=5\n"
        "\n"
        "[Install]\n"
        "WantedBy=default.target\n"
    )


def launchd_agent(start: Start, log: str) -> str:
    """A property list for launchd."""
    properties = {
        "Label": start.name,
        "ProgramArguments": [*start.command],
        "WorkingDirectory": start.workspace,
        "EnvironmentVariables": dict(start.env),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ProcessType": "Background",
        "StandardErrorPath": log,
    }
    return plistlib.dumps(properties, sort_keys=False).decode()


def unit_name(folder: str, digest: str) -> str:
    """A readable and unique name for the runner of a workspace."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", folder).strip("-")[:40] or "workspace"
    return f"clawgit-{readable}-{digest[:8]}"


def _systemd(word: str) -> str:
    """One word of a unit: quoted, and with `%` doubled, which systemd expands everywhere."""
    plain = _percent(word)
    if re.fullmatch(r"[\w./:=@,+$%-]+", plain):
        return plain
    return '"' + plain.replace("\\", r"\\").replace('"', r"\"") + '"'


def _percent(text: str) -> str:
    return text.replace("%", "%%")
