"""Has the system start the runner, by systemd or launchd, and undoes it."""

import hashlib
import os
import plistlib
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import put_in_place
from clawgit.core.disk.xdg import config_home
from clawgit.core.errors import Committed, UsageError
from clawgit.core.resources import own_program, resource
from clawgit.workspace.workspace import Workspace

SYSTEMD = "systemd"
LAUNCHD = "launchd"
_SECONDS = 20
_PASSED_ON = ("OPENCLAW_STATE_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TZ")
"""The variables that the runner needs from the operator's environment. Without API keys: they would
be in a plain file."""


class Installed(NamedTuple):
    """`action` is written, removed or absent.

    `steps` are left to do by hand. Nothing of this is in the workspace, so there is no commit.
    """

    kind: str
    where: str
    action: str
    text: str = ""
    steps: tuple[str, ...] = ()
    dry_run: bool = False
    change: Committed = Committed()


class _Service(NamedTuple):
    """The file that starts a runner, and the commands that have the system start and stop it."""

    kind: str
    file: Path
    text: str
    starting: tuple[str, ...]
    stopping: str


def install(workspace: Workspace, kind: str, *, platform: str) -> Installed:
    """Writes the file that starts the runner, and starts it if the system can be asked to."""
    kind, file, text, starting, stopping = _service(workspace, kind, platform)
    steps: tuple[str, ...] = ()
    if not workspace.dry_run:
        if file.is_file():
            # An earlier runner must end first, or the system goes on with the earlier file.
            _not_run(workspace, (stopping,))
        file.parent.mkdir(parents=True, exist_ok=True)
        put_in_place(file, text.encode())
        steps = _not_run(workspace, starting)
    return Installed(kind, str(file), "written", text, steps, workspace.dry_run)


def uninstall(workspace: Workspace, kind: str, *, platform: str) -> Installed:
    """Stops the runner that the system started, and removes what starts it."""
    service = _service(workspace, kind, platform)
    is_there = service.file.is_file()
    steps: tuple[str, ...] = ()
    if is_there and not workspace.dry_run:
        steps = _not_run(workspace, (service.stopping,))
        service.file.unlink()
    action = "removed" if is_there else "absent"
    return Installed(service.kind, str(service.file), action, "", steps, workspace.dry_run)


def uninstall_all(workspace: Workspace) -> list[Installed]:
    """Removes all that has the system start the runner here, and returns what there was."""
    kinds = (SYSTEMD, LAUNCHD)
    done = [uninstall(workspace, kind, platform="") for kind in kinds]
    return [service for service in done if service.action == "removed"]


def _service(workspace: Workspace, kind: str, platform: str) -> _Service:
    root, home, env = workspace.root, workspace.caller.home, workspace.env
    command = own_program("-C", str(root), "run")
    known = {key: env[key] for key in _PASSED_ON if env.get(key)}
    name = unit_name(root)
    if kind == LAUNCHD or (not kind and platform == "darwin"):
        file = home / "Library" / "LaunchAgents" / f"{name}.plist"
        log = str(workspace.place.private / "runner.err")
        # The domain in which launchd has this user's agents.
        domain = f"gui/{os.getuid()}"
        return _Service(
            LAUNCHD,
            file,
            launchd_agent(name, str(root), command, known, log),
            starting=(shlex.join(["launchctl", "bootstrap", domain, str(file)]),),
            stopping=f"launchctl bootout {domain}/{name}",
        )
    if not (kind or shutil.which("systemctl", path=env.get("PATH"))):
        run = shlex.join(["clawgit", "-C", str(root), "run"])
        raise UsageError(
            "This system has no systemd.",
            hint=f"Have what starts your services run `{run}`, or cron every five minutes "
            f"`{run} --once`.",
        )
    ctl, unit = "systemctl --user", f"{name}.service"
    return _Service(
        SYSTEMD,
        config_home(env, home) / "systemd" / "user" / unit,
        systemd_unit(str(root), command, known),
        starting=(f"{ctl} daemon-reload", f"{ctl} enable --now {unit}"),
        stopping=f"{ctl} disable --now {unit}",
    )


def _not_run(workspace: Workspace, commands: tuple[str, ...]) -> tuple[str, ...]:
    """Runs commands; those that could not be run here are left to the operator."""
    env = dict(workspace.env)
    for number, command in enumerate(commands):
        words = shlex.split(command)
        try:
            subprocess.run(words, env=env, capture_output=True, timeout=_SECONDS, check=True)
        except (OSError, subprocess.SubprocessError):
            # After one fails, the others are not tried: they build on it.
            return commands[number:]
    return ()


def systemd_unit(root: str, command: tuple[str, ...], env: dict[str, str]) -> str:
    """A unit of the user's own systemd."""
    template = (resource("templates") / "runner.service").read_text("utf-8")
    return template.format(
        workspace=_percent(root),
        command=" ".join(_systemd(word).replace("$", "$$") for word in command),
        env="".join(f"Environment={_systemd(f'{key}={env[key]}')}\n" for key in sorted(env)),
    )


def launchd_agent(
    name: str, root: str, command: tuple[str, ...], env: dict[str, str], log: str
) -> str:
    """A property list for launchd."""
    properties = {
        "Label": name,
        "ProgramArguments": [*command],
        "WorkingDirectory": root,
        "EnvironmentVariables": env,
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ProcessType": "Background",
        "StandardErrorPath": log,
    }
    return plistlib.dumps(properties, sort_keys=False).decode()


def unit_name(root: Path) -> str:
    """A readable and unique name for the runner of a workspace."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", root.name).strip("-")[:40] or "workspace"
    return f"clawgit-{readable}-{hashlib.sha256(os.fsencode(root)).hexdigest()[:8]}"


def _systemd(word: str) -> str:
    """One word of a unit: quoted, and with `%` doubled, which systemd expands everywhere."""
    plain = _percent(word)
    if re.fullmatch(r"[\w./:=@,+$%-]+", plain):
        return plain
    return '"' + plain.replace("\\", r"\\").replace('"', r"\"") + '"'


def _percent(text: str) -> str:
    return text.replace("%", "%%")
