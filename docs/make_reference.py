# ruff: noqa: INP001 - a script, no package
"""Writes docs/reference.md from the commands themselves; `--check` only says whether it is up to
date.
"""

import ast
import importlib
import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path

import click

from clawgit.front.cli.root import cli
from clawgit.terminal.command_table import every_command, place
from clawgit.terminal.text import Options

SHORT = ("search", "add")
"""The commands of `memory` that are listed by themselves, too."""

OWN_NAMES = [name for name in cli.list_commands(click.Context(cli)) if name not in SHORT]

PAGE = Path(__file__).with_name("reference.md")

INTRO = """\
# Commands

<!-- Made by docs/make_reference.py from the commands and their answers in clawgit. Edit those, then run it. -->

`clawgit [OPTIONS] COMMAND …` works on the workspace that `-C` or `CLAWGIT_WORKSPACE` names, or else on the one that
contains the current folder, or else on OpenClaw's default one, if that is a clawgit workspace. `clawgit` without a
command shows the status there, and help elsewhere.

These options can stand before or after any command:

{shared}

`ID` is a change id or any git revision, `REV` is one of these or a date or time. The answer goes to standard output,
everything else to standard error. Exit codes: 0 success, 1 an expected failure or a check that found problems, 2 wrong
usage, 3 a bug in clawgit, 130 interrupted.

With `--json`, a command answers with one object or list, of a shape shown below it. Times are ISO 8601 with a zone, `*` marks
what can come any number of times, `?` what can be null. Keys may be added; none is removed or renamed. An error is `{{"error": {{"kind", "message", "hint"}}}}`, with the same exit codes.
"""

RESULTS: Mapping[str, str] = {
    "init": "front.setup:Initialized",
    "status": "health.status:Status",
    "doctor": "health.doctor:Report",
    "config": "safety.trust:ConfigListing safety.trust:ConfigCheck",
    "config get": "safety.trust:ConfigListing",
    "config set": "safety.trust:Set",
    "snapshot": "history.changes:Snapshotted",
    "log": "history.log:Log history.log:Days",
    "show": "history.comparing:PastChange",
    "diff": "history.comparing:HistoryComparison",
    "why": "history.why:Life",
    "undo": "history.undo:Undone",
    "redo": "history.undo:Undone",
    "restore": "history.changes:Change",
    "sync": "history.synced:Synced",
    "forget": "history.forgetting.forget:Forgot",
    "soul": "soul.soul:ShownSoul",
    "soul log": "soul.soul:SoulLog soul.soul:SoulDrift soul.changelog:Checked "
    "soul.rules.changelog:IdentityChange*",
    "soul diff": "soul.soul:SoulDiff",
    "soul blame": "soul.soul:SoulBlame",
    "soul revert": "history.undo:Undone",
    "soul edit": "history.changes:Change",
    "soul propose": "history.changes:Change",
    "soul proposals": "history.proposals:Proposals",
    "soul approve": "history.changes:Change",
    "soul reject": "history.changes:Change",
    "soul snapshots": "soul.soul:Snapshots soul.soul:ExportedSnapshots",
    "soul verify": "soul.verify:Verified",
    "memory add": "memory.remember:Remembered",
    "memory edit": "memory.editing:EditedEntry",
    "memory list": "memory.entries:EntryList memory.entries:EntryCounts",
    "memory rm": "memory.editing:RemovedEntries",
    "memory get": "history.past_lines:Lines",
    "memory status": "health.memory_index:MemoryStatus",
    "memory compact": "memory.upkeep:QuarterlyCompaction",
    "memory promote": "memory.upkeep:Promotion",
    "memory tidy": "memory.upkeep:Tidying",
    "memory search": "search.answer:SearchAnswer",
    "memory index": "health.memory_index:Indexed",
    "memory bench": "health.memory_index:Figures",
    "context": "talk.context.context:Context",
    "conflicts list": "memory.conflicts:Conflicts",
    "conflicts resolve": "history.changes:Change",
    "hooks": "workspace.githooks:Hooks",
    "hooks install": "workspace.githooks:Changed",
    "hooks uninstall": "workspace.githooks:Changed",
    "secrets scan": "safety.secrets:Scanned",
    "secrets allow": "history.changes:Change",
    "backup save": "history.backup:Backup",
    "backup verify": "history.restoring:Verification",
    "backup restore": "history.restoring:Restored",
    "chat log": "talk.chat:Logged",
    "chat ingest": "talk.ingest:Ingested",
    "chat search": "talk.chat:Messages",
    "session flush-check": "talk.session:FlushCheck",
    "session new": "talk.session:NewSession",
    "session reset-check": "talk.session:ResetCheck",
    "session prune": "talk.session:PruneResult",
    "session compact": "talk.session:CompactResult",
    "corrections list": "agents.frame.corrections:Corrections",
    "corrections add": "agents.frame.corrections:Corrected",
    "corrections settle": "agents.frame.corrections:SettledCorrection",
    "corrections archive": "agents.frame.corrections:ArchivedCorrections",
    "triage": "talk.triage:Triaged",
    "heartbeat": "run.heartbeat:Heartbeat run.performing:Maintained",
    "run": "run.heartbeat:Queues run.heartbeat:Taken run.runner:Round run.schedule:Performed",
    "agent list": "agents.frame.runs:Agents",
    "agent run": "agents.frame.runs:AgentRun",
    "agent show": "agents.frame.runs:ShownRun",
    "agent edit": "history.changes:Change",
    "schedule show": "run.schedule:Schedule",
    "schedule install": "run.schedule_install:Installed",
    "schedule uninstall": "run.schedule_install:Installed",
    "trust": "safety.trust:Trust safety.trust:TrustDecision",
    "operator": "safety.operator:Operator",
    "workspace list": "workspace.workspaces:Workspaces",
    "workspace add": "workspace.workspaces:Registered",
    "digest": "run.digest:Digest",
    "fleet": "run.fleet.members:FleetStatus",
    "fleet init": "run.fleet.queue:Initialised",
    "fleet add": "run.fleet.members:Added",
    "fleet remove": "run.fleet.members:Removed",
    "fleet status": "run.fleet.members:FleetStatus",
    "fleet retry": "run.fleet.members:Retried*",
    "connect": "front.connect.connect:Connected front.connect.connect:Connections",
    "deinit": "front.setup:Removed",
    "completion": "front.cli.setup:Script",
}
"""Command → the value in clawgit that it answers with, several where an option changes it; `*`: a
list of it."""

_SHARED = {*vars(Options)}
_WORDS = {
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    datetime: "time",
    date: "date",
    Path: "path",
    object: "any",
    types.NoneType: "null",
}


def page() -> str:
    """The whole text of docs/reference.md."""
    top = click.Context(cli, info_name="clawgit")
    sections = [section for name in OWN_NAMES for section in _sections(top, cli, name)]
    intro = INTRO.format(shared=_options(top, shared=True))
    return "\n".join([intro, *sections, _short_forms()])


def _short_forms() -> str:
    own = {
        place(where, path.rpartition(" ")[2]): path
        for path, where in every_command()
        if path not in SHORT
    }
    rows = []
    places = dict(every_command())
    for path, where in [(name, places[name]) for name in SHORT] + [*every_command(unlisted=True)]:
        means = own.get(place(where, path.rpartition(" ")[2]))
        if means:
            rows.append(f"- `{path}`: `{' '.join([means, *where.split()[1:]])}`")
    return "\n".join(["## Short forms and former names\n", *rows]) + "\n"


def _sections(
    parent: click.Context, group: click.Group, name: str, level: str = "##"
) -> Iterator[str]:
    found = group.get_command(parent, name)
    if found is None:
        raise LookupError(name)
    ctx = click.Context(found, info_name=name, parent=parent)
    path = ctx.command_path.removeprefix("clawgit ")
    parts = [
        f"{level} {path}",
        f"    {ctx.get_usage().removeprefix('Usage: ')}",
        _help(found),
        _alone(found, path),
        _options(ctx),
    ]
    for where in RESULTS.get(path, "").split():
        parts += _answer(where)
    yield "\n\n".join(part for part in parts if part) + "\n"
    if isinstance(found, click.Group):
        for inner in found.list_commands(ctx):
            yield from _sections(ctx, found, inner, level + "#")


def _alone(command: click.Command, path: str) -> str:
    """What a group shows that is called alone."""
    if not isinstance(command, click.Group) or path in ("backup", "session"):
        return ""
    return "Alone, it shows the present state, and its commands."


def _help(command: click.Command) -> str:
    text, *examples = inspect.cleandoc(command.help or "").split("Example: ")
    shown = [f"Example: `{' '.join(example.split())}`" for example in examples]
    return "\n\n".join([text.strip(), *shown])


def _options(ctx: click.Context, *, shared: bool = False) -> str:
    rows = [
        param.get_help_record(ctx)
        for param in ctx.command.get_params(ctx)
        if isinstance(param, click.Option)
        and shared == (param.name in _SHARED)
        and "--help" not in param.opts
    ]
    return "\n".join(f"- `{row[0]}`: {' '.join(row[1].split())}" for row in rows if row)


def _result(where: str) -> type:
    module, _, name = where.partition(":")
    found: type = getattr(importlib.import_module(f"clawgit.{module}"), name)
    return found


def _answer(where: str) -> list[str]:
    result = _result(where.removesuffix("*"))
    # Its own words, not those of `dict` or of a dataclass without any.
    words = inspect.cleandoc(vars(result).get("__doc__") or "")
    generated = words.startswith(f"{result.__name__}(")
    shape = "\n".join(_shape(tuple[result, ...] if where.endswith("*") else result, ""))  # type: ignore[valid-type]
    return [
        "" if generated or not words else f"With `--json`: {words.replace('None', 'null')}",
        f"```text\n{shape}\n```",
    ]


def _shape(kind: typing.Any, indent: str) -> list[str]:
    """A type as the lines of the JSON it becomes."""
    if typing.is_typeddict(kind) or _is_tuple(kind):
        rows = [_member(name, hint, indent + "  ") for name, hint in _members(kind).items()]
        return ["{", *(line for row in rows for line in row), f"{indent}}}"]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        lines = _shape(next(one for one in arguments if one is not types.NoneType), indent)
        return [*lines[:-1], lines[-1] + "?"]
    if origin in (tuple, list) and (origin is list or arguments[-1] is Ellipsis):
        lines = _shape(arguments[0], indent)
        return (
            [f"[{lines[0]}", *lines[1:-1], f"{lines[-1]} *]"]
            if len(lines) > 1
            else [f"[{lines[0]} *]"]
        )
    if origin is tuple:
        members = (" ".join(map(str.strip, _shape(one, indent))) for one in arguments)
        return [f"[{', '.join(members)}]"]
    if origin is not None and issubclass(origin, Mapping):
        key, value = _shape(arguments[0], indent), _shape(arguments[1], indent)
        return [f"{{{key[0]}: {value[0]} *}}"]
    return [_WORDS[kind]]


def _members(kind: type) -> dict[str, typing.Any]:
    """What a record tells, by name: what each change tells, and beside it what this kind adds."""
    hints = typing.get_type_hints(kind, localns=_late_names(sys.modules[kind.__module__]))
    return _members(hints.pop("change")) | hints if "change" in hints else hints


def _is_tuple(kind: typing.Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple)


def _late_names(module: types.ModuleType) -> dict[str, object]:
    """What a module imports for type checkers only."""
    names: dict[str, object] = {}
    for block in ast.parse(inspect.getsource(module)).body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for found in (one for one in block.body if isinstance(one, ast.ImportFrom)):
                source = importlib.import_module(str(found.module))
                names |= {
                    alias.asname or alias.name: getattr(source, alias.name) for alias in found.names
                }
    return names


def _member(name: str, kind: typing.Any, indent: str) -> list[str]:
    first, *rest = _shape(kind, indent)
    return [f'{indent}"{name}": {first}', *rest]


def main() -> int:
    """1 where the page was asked for with `--check` and is not what it should be."""
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print("docs/reference.md is out of date: run python docs/make_reference.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
