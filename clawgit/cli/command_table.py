"""The table of all commands: group → heading → name → where it is."""

from collections.abc import Iterator

EVERYDAY = "Everyday"

UNLISTED = ""
"""The heading of what works and is not listed: short forms, words of the documents that clawgit was
built from, and what programs call."""

_LIST = "Commands"

TABLE: dict[str, dict[str, dict[str, str]]] = {
    "": {
        EVERYDAY: {
            "status": "status",
            "log": "history",
            "diff": "history",
            "undo": "changes",
            "redo": "changes",
            "restore": "changes",
            "why": "history",
            "sync": "sync",
            "search": "search",
            "add": "add",
            "context": "context",
            "soul": "soul",
            "connect": "connect",
        },
        "Memory care": {
            "memory": "memory",
            "corrections": "corrections",
            "conflicts": "conflicts",
            "forget": "forget",
            "digest": "digest",
            "snapshot": "changes",
            "show": "history",
        },
        "Agents and schedule": {
            "agent": "agents",
            "run": "runner",
            "schedule": "schedule",
            "workspace": "workspaces:agents",
        },
        "For runtimes and hooks": {
            "heartbeat": "triage",
            "triage": "triage",
            "session": "session",
            "chat": "chat",
            "hooks": "hooks",
            "mcp": "mcp",
        },
        "Setup and health": {
            "init": "setup",
            "doctor": "doctor",
            "config": "config",
            "trust": "trust",
            "operator": "trust",
            "secrets": "secrets",
            "backup": "backup",
            "completion": "completion",
            "deinit": "setup",
        },
        UNLISTED: {
            "remember": "add:add",
            "blame": "soul",
            "hook": "hooks",
            "serve": "runner",
            "watch": "runner",
        },
    },
    "soul": {
        _LIST: {
            "log": "soul",
            "diff": "soul",
            "blame": "soul",
            "edit": "soul_edits",
            "revert": "soul_edits",
            "propose": "soul_edits",
            "proposals": "soul_edits",
            "approve": "soul_edits",
            "reject": "soul_edits",
            "snapshots": "soul",
            "verify": "soul",
        },
        UNLISTED: {"show": "soul", "drift": "soul:log --drift"},
    },
    "memory": {
        # A runtime calls `add` and `search` often, so each command loads only what it needs itself.
        _LIST: {
            "search": "search",
            "add": "add",
            "get": "memory",
            "list": "memory:list_",
            "edit": "memory",
            "rm": "memory",
            "status": "memory",
            "promote": "upkeep",
            "tidy": "upkeep",
            "compact": "upkeep",
            "index": "memory",
            "bench": "memory",
        },
        UNLISTED: {
            "organize": "agents:run organizer",
            "decay": "agents:run decay-engine",
            "lessons": "agents",
        },
    },
    "memory lessons": {UNLISTED: {"extract": "agents:run lesson-extractor"}},
    "corrections": {
        _LIST: {
            "list": "corrections:list_",
            "add": "corrections",
            "settle": "corrections",
            "archive": "corrections",
        }
    },
    "conflicts": {
        _LIST: {"list": "conflicts:list_", "resolve": "conflicts"},
        UNLISTED: {"scan": "agents:run conflict-detector"},
    },
    "agent": {
        _LIST: {
            "list": "agents:list_",
            "run": "agents",
            "show": "agents",
            "edit": "agents",
            "compare": "agents",
        }
    },
    "schedule": {_LIST: {"show": "schedule", "install": "schedule", "uninstall": "schedule"}},
    "workspace": {_LIST: {"list": "workspaces:listing", "add": "workspaces"}},
    "session": {
        _LIST: {
            "flush-check": "session",
            "new": "session",
            "reset-check": "session",
            "prune": "session",
            "compact": "session",
        }
    },
    "chat": {
        _LIST: {"log": "chat", "ingest": "chat", "search": "chat"},
        UNLISTED: {"list": "chat:search"},
    },
    "hooks": {_LIST: {"install": "hooks", "uninstall": "hooks"}},
    "config": {_LIST: {"get": "config", "set": "config:set_"}},
    "secrets": {_LIST: {"scan": "secrets", "allow": "secrets"}},
    "backup": {_LIST: {"save": "backup", "verify": "backup:verify_", "restore": "backup"}},
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
