"""The table of all commands: group → heading → name → where it is, and how it is loaded."""

import importlib
from collections.abc import Iterator
from typing import Any


def load(where: str) -> Any:
    """Imports and returns `module:name` below `clawgit.cli`.

    A module elsewhere is given in full: `clawgit.ops.workspace.shared:remember_shared`.
    """
    module, _, name = where.partition(":")
    whole = module if module.startswith("clawgit.") else f"clawgit.cli.{module}"
    return getattr(importlib.import_module(whole), name)


EVERYDAY = "Everyday"

UNLISTED = ""
"""The heading of what works and is not listed: short forms, words of the documents that clawgit was
built from, and what programs call."""

_LIST = "Commands"


def _of(module: str, names: str) -> dict[str, str]:
    """The rows of commands that are in one module; `name:function` where the two differ."""
    rows = (name.partition(":") for name in names.split())
    return {name: f"{module}{colon}{function}" for name, colon, function in rows}


_EVERYDAY = {
    "status": "status",
    **_of("history", "log diff undo redo restore why"),
    "sync": "sync",
    "search": "search",
    "add": "memory",
    "context": "context",
    "soul": "soul",
    "connect": "connect",
    "page": "connect",
}

TABLE: dict[str, dict[str, dict[str, str]]] = {
    "": {
        EVERYDAY: _EVERYDAY,
        "Memory care": {
            "memory": "memory",
            **_of("corrections", "corrections conflicts"),
            "forget": "doctor",
            "digest": "agents",
            **_of("history", "snapshot show"),
        },
        "Agents and schedule": {
            "agent": "agents",
            **_of("runner", "run schedule"),
            "workspace": "setup:agents",
        },
        "For runtimes and hooks": {
            **_of("triage", "heartbeat triage"),
            "session": "chat",
            "chat": "chat",
            "hooks": "setup",
            "mcp": "connect",
        },
        "Setup and health": {
            "init": "setup",
            "doctor": "doctor",
            **_of("config", "config trust operator"),
            "secrets": "doctor",
            "backup": "sync",
            "completion": "setup",
            "deinit": "setup",
        },
        UNLISTED: {
            "web": "connect:page",
            "remember": "memory:add",
            "blame": "soul",
            "hook": "setup",
            **_of("runner", "serve watch"),
        },
    },
    "soul": {
        _LIST: {
            **_of(
                "soul",
                "log diff blame edit revert propose proposals approve reject snapshots verify",
            ),
        },
        UNLISTED: {"show": "soul", "drift": "soul:log --drift"},
    },
    "memory": {
        # A runtime calls `add` and `search` often, so each command loads only what it needs itself.
        _LIST: {
            "search": "search",
            **_of("memory", "add get list:list_ edit rm status"),
            **_of("agents", "promote tidy compact"),
            **_of("memory", "index bench"),
        },
        UNLISTED: {
            "organize": "agents:run organizer",
            "decay": "agents:run decay-engine",
            "lessons": "agents",
        },
    },
    "memory lessons": {UNLISTED: {"extract": "agents:run lesson-extractor"}},
    "corrections": {_LIST: _of("corrections", "list:list_ add settle archive")},
    "conflicts": {
        _LIST: _of("corrections", "list:list_conflicts resolve"),
        UNLISTED: {"scan": "agents:run conflict-detector"},
    },
    "agent": {_LIST: _of("agents", "list:list_ run show edit compare")},
    "schedule": {_LIST: _of("runner", "show install uninstall")},
    "workspace": {_LIST: _of("setup", "list:listing add")},
    "session": {_LIST: _of("chat", "flush-check new reset-check prune compact")},
    "chat": {_LIST: _of("chat", "log ingest search"), UNLISTED: {"list": "chat:search"}},
    "hooks": {_LIST: _of("setup", "install uninstall")},
    "config": {_LIST: _of("config", "get set:set_")},
    "secrets": {_LIST: _of("doctor", "scan allow")},
    "backup": {_LIST: _of("sync", "save verify:verify_ restore")},
}
"""A command is a function of a module below `clawgit.cli`, given as `module:name`, or as `module`
where the function has the name of the command. Words after that are arguments that it is given."""


def every_command(*, unlisted: bool = False) -> Iterator[tuple[str, str]]:
    """Each command by its words, and where it is. Nothing is imported."""
    for group, headings in TABLE.items():
        for heading, rows in headings.items():
            if (heading == UNLISTED) == unlisted:
                yield from ((f"{group} {name}".lstrip(), where) for name, where in rows.items())


def place(where: str, name: str) -> tuple[str, str]:
    """The module and the function that a row means."""
    module, _, function = where.partition(" ")[0].partition(":")
    return module, function or name.replace("-", "_")
