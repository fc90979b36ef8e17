"""Texts that start the runner: a systemd unit, a launchd agent, a crontab line."""

import plistlib
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_EVERY_FIVE_MINUTES = "*/5 * * * *"


class Start(NamedTuple):
    """How the runner of one workspace is started: its name, its command and its environment."""

    name: str
    workspace: str
    command: tuple[str, ...]
    env: Mapping[str, str]


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


def crontab_with(table: str, start: Start) -> str:
    """A crontab that runs what is due every five minutes; other lines stay as they are."""
    env = " ".join(f"{key}={shlex.quote(value)}" for key, value in sorted(start.env.items()))
    # A crontab reads an unescaped % as a line break.
    command = shlex.join((*start.command, "--once")).replace("%", r"\%")
    if env:
        command = f"env {env} {command}"
    line = f"{_EVERY_FIVE_MINUTES} {command} >/dev/null 2>&1 {_mark(start.name)}"
    kept = crontab_without(table, start.name)
    gap = "" if not kept or kept.endswith("\n") else "\n"
    return f"{kept}{gap}{line}\n"


def crontab_without(table: str, name: str) -> str:
    """The same table without our line."""
    return "".join(
        line for line in table.splitlines(keepends=True) if not line.rstrip().endswith(_mark(name))
    )


def unit_name(folder: str, digest: str) -> str:
    """A readable and unique name for the runner of a workspace."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", folder).strip("-")[:40] or "workspace"
    return f"clawgit-{readable}-{digest[:8]}"


def _mark(name: str) -> str:
    return f"# {name}"


def _systemd(word: str) -> str:
    """One word of a unit: quoted, and with `%` doubled, which systemd expands everywhere."""
    plain = _percent(word)
    if re.fullmatch(r"[\w./:=@,+$%-]+", plain):
        return plain
    return '"' + plain.replace("\\", r"\\").replace('"', r"\"") + '"'


def _percent(text: str) -> str:
    return text.replace("%", "%%")


def words(command: Sequence[str]) -> str:
    """A command as it would be typed."""
    return shlex.join(command)
