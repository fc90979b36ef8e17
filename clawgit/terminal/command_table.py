"""The table of all commands: group → heading → name → where it is, and how it is loaded."""

import importlib
from collections.abc import Iterator
from typing import Any


def load(where: str) -> Any:
    """Imports and returns `module:name` below `clawgit`."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(f"clawgit.{module}"), name)


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
    "status": "health.commands",
    **_of("history.commands", "log diff undo redo restore why"),
    "sync": "history.sync_commands",
    "search": "search.commands",
    "add": "memory.commands",
    "context": "talk.context_commands",
    "soul": "soul.commands",
    "connect": "front.cli.connect",
    "page": "front.cli.connect",
}

TABLE: dict[str, dict[str, dict[str, str]]] = {
    "": {
        EVERYDAY: _EVERYDAY,
        "Memory care": {
            "memory": "memory.group",
            **_of("agents.frame.correction_commands", "corrections conflicts"),
            "forget": "history.sync_commands",
            "digest": "run.commands",
            **_of("history.commands", "snapshot show"),
        },
        "Agents and schedule": {
            "agent": "agents.frame.commands",
            **_of("run.commands", "run schedule"),
            "workspace": "front.cli.setup:agents",
            "fleet": "run.fleet.commands",
        },
        "For runtimes and hooks": {
            **_of("run.triage_commands", "heartbeat triage"),
            "session": "talk.chat_commands",
            "chat": "talk.chat_commands",
            "hooks": "front.cli.setup",
            "mcp": "front.cli.connect",
        },
        "Setup and health": {
            "init": "front.cli.setup",
            "doctor": "health.commands",
            **_of("safety.commands", "config trust operator secrets"),
            "backup": "history.sync_commands",
            "completion": "front.cli.setup",
            "deinit": "front.cli.setup",
        },
        UNLISTED: {
            "remember": "memory.commands:add",
            "blame": "soul.commands",
            "hook": "front.cli.setup",
            **_of("run.commands", "serve watch"),
        },
    },
    "soul": {
        _LIST: _of(
            "soul.commands",
            "log diff blame edit revert propose proposals approve reject snapshots verify",
        ),
        UNLISTED: {"show": "soul.commands", "drift": "soul.commands:log --drift"},
    },
    "memory": {
        # A runtime calls `add` and `search` often, so each command loads only what it needs itself.
        _LIST: {
            "search": "search.commands",
            **_of("memory.commands", "add get list:list_ edit rm"),
            "status": "memory.group",
            **_of("memory.commands", "promote tidy compact index bench"),
        },
        UNLISTED: {
            "organize": "agents.frame.commands:run organizer",
            "decay": "agents.frame.commands:run decay-engine",
            "lessons": "agents.frame.commands",
        },
    },
    "memory lessons": {UNLISTED: {"extract": "agents.frame.commands:run lesson-extractor"}},
    "corrections": {
        _LIST: _of("agents.frame.correction_commands", "list:list_ add settle archive")
    },
    "conflicts": {
        _LIST: _of("agents.frame.correction_commands", "list:list_conflicts resolve"),
        UNLISTED: {"scan": "agents.frame.commands:run conflict-detector"},
    },
    "agent": {_LIST: _of("agents.frame.commands", "list:list_ run show edit")},
    "schedule": {_LIST: _of("run.commands", "show install uninstall")},
    "workspace": {_LIST: _of("front.cli.setup", "list:listing add")},
    "fleet": {
        _LIST: _of("run.fleet.commands", "init add worker status retry remove"),
        UNLISTED: {"work": "run.fleet.commands"},
    },
    "session": {_LIST: _of("talk.chat_commands", "flush-check new reset-check prune compact")},
    "chat": {
        _LIST: _of("talk.chat_commands", "log ingest search"),
        UNLISTED: {"list": "talk.chat_commands:search"},
    },
    "hooks": {_LIST: _of("front.cli.setup", "install uninstall")},
    "config": {_LIST: _of("safety.commands", "get set:set_")},
    "secrets": {_LIST: _of("safety.commands", "scan allow")},
    "backup": {_LIST: _of("history.sync_commands", "save verify:verify_ restore")},
}
"""A command is a function of a module below `clawgit`, given as `module:name`, or as `module` where
the function has the name of the command. Words after that are arguments that it is given."""


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
