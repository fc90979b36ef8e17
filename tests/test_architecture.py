"""The layers of ARCHITECTURE.md, proved: imports point down, no cycles, pure rules, a light
start."""

import ast
import gc
import importlib
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest

from clawgit.agents import AGENTS
from clawgit.agents.frame.agents import EXTRAS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "clawgit"
FLOORS = (
    ("core", "language", "rules"), ("git", "stores"), ("safety", "workspace", "terminal"),
    ("history", "memory", "search", "soul", "talk"), ("agents", "run", "health"),
    ("front", "hooks", "commands"),
)  # fmt: skip
"""What may import what: a room imports from its own floor and from those below it. The rules and
the stores of a subject lie in its room in folders of these names, its commands in `…commands.py`;
each counts for its own floor. An agent is a rule of what to propose."""

KINDS = ("rules", "stores")

UPWARD = {
    "clawgit.memory.editing → clawgit.agents.frame.corrections": "an edit by the operator corrects",
    "clawgit.safety.taking_back → clawgit.soul.identity_rules": "what a line of the soul protects",
    "clawgit.workspace.workspace → clawgit.soul.guarding": "a store opens with the guards of all rooms",
}
"""The imports that point up, and why."""
IMPURE = {
    "os", "io", "sys", "time", "random", "secrets", "socket", "subprocess", "sqlite3", "pathlib",
    "shutil", "tempfile",
    "urllib", "http", "asyncio", "threading", "pygit2", "click", "chromadb", "numpy", "logging",
    "uuid", "ctypes",
}  # fmt: skip


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Every node of a module. What holds a whole package is no garbage: nobody looks through it."""
    gc.disable()
    try:
        return [*ast.walk(ast.parse(path.read_text("utf-8")))]
    finally:
        gc.freeze()
        gc.enable()


def name_of(node: ast.AST) -> str:
    """As it is written, of what is called by a name: `sys.stdout.write`."""
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value)}.{node.attr}"
    if isinstance(node, ast.alias):
        return node.name
    return node.id if isinstance(node, ast.Name) else ""


@cache
def imports(path: Path) -> tuple[str, ...]:
    """What a module imports when it runs, inside of functions too."""
    imported: list[str] = []
    for node in _that_run(nodes(path)[0]):
        if isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            imported += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(imported)


def _that_run(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement but those below `if TYPE_CHECKING`."""
    yield node
    for child in _below(node):
        if not (isinstance(child, ast.If) and name_of(child.test).endswith("TYPE_CHECKING")):
            yield from _that_run(child)


def _below(node: ast.AST) -> Iterator[ast.AST]:
    """The statements right below one; expressions hold none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield child


AGENTS_ALONE = frozenset({"", *(path.stem for path in (PACKAGE / "agents").glob("*.py"))})
"""The modules of the agents, and "" for the package, which has their table."""


def room(module: str) -> str:
    """The room of a module, or what it is in each of them."""
    parts = [*module.split(".")[1:], ""]
    if parts[0] == "agents" and parts[1] in AGENTS_ALONE:
        return "rules"
    if module.endswith("commands"):
        return "commands"
    return next((kind for kind in parts if kind in KINDS), parts[0])


def test_imports_point_down() -> None:
    """Imports inside of functions count as well."""
    floor = {name: number for number, names in enumerate(FLOORS) for name in names}
    known = dict(modules())
    upwards = [
        f"{name} → {found}"
        for name, path in known.items()
        if room(name) in floor
        for found in {*imports(path)} & {*known}
        if room(found) in floor and floor[room(found)] > floor[room(name)]
    ]
    assert sorted(upwards) == [*UPWARD]


def test_there_is_no_import_cycle() -> None:
    """Imports inside of functions count as well; those that only a type checker reads do not."""
    known = dict(modules())
    graph = {
        name: {
            found
            for found in imports(path)
            if found in known and found != name and not name.startswith(found + ".")
        }
        for name, path in known.items()
    }
    assert len(list(TopologicalSorter(graph).static_order())) == len(known)


def test_rules_are_pure() -> None:
    """No IO, no clock, no environment, no network: what they need is passed in."""
    impure = []
    for name, path in modules():
        if room(name) != "rules":
            continue
        # A library behind a door is as impure as on its own.
        impure += [
            f"{name}: {found}"
            for found in imports(path)
            if found.removeprefix("clawgit.core.doors.").partition(".")[0] in IMPURE
        ]
        calls = {name_of(node.func) for node in nodes(path) if isinstance(node, ast.Call)}
        forbidden = (".now", ".today", ".utcnow")
        impure += [
            f"{name}: {call}"
            for call in calls
            if call in ("open", "print", "input") or call.endswith(forbidden)
        ]
    assert impure == []


def test_every_folder_says_what_it_is_for() -> None:
    folders = [path for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE]
    assert [
        folder.parent.name
        for folder in folders
        if not ast.get_docstring(ast.parse(folder.read_text()))
    ] == []
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_only_front_ends_read_the_environment_print_or_prompt() -> None:
    guilty = set()
    for name, path in modules():
        if room(name) in (*FLOORS[-1], "terminal") or name == "clawgit.__main__":
            continue
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and name_of(node) in (
                "os.environ",
                "os.getenv",
                "sys.argv",
            ):
                guilty.add(name)
            if isinstance(node, ast.Call) and name_of(node.func) in ("print", "input"):
                guilty.add(name)
    assert guilty == set()


def test_the_command_line_prints_in_one_place() -> None:
    """What is printed is masked there; a command that printed by itself could give a secret
    away."""
    guilty = {
        f"{name}: {name_of(node.func)}"
        for name, path in modules()
        if room(name) in ("front", "commands", "terminal") and "front.mcp" not in name
        and "front.web" not in name and name != "clawgit.terminal.output"
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and name_of(node.func).endswith(("click.echo", "click.secho", "stdout.write",
            "stderr.write", "print"))
    }  # fmt: skip
    assert guilty == set()


def test_settings_are_read_through_one_door() -> None:
    """What CONFIG.md says is not what is in force. Only who reads, compares or writes the file sees
    it as written."""
    raw = {
        "clawgit.core.config.load",
        "clawgit.core.config.load.load",
        "clawgit.safety.in_force.read_config",
    }
    readers = {
        name
        for name, path in modules()
        if not name.startswith("clawgit.core.config") and raw & {*imports(path)}
    }
    assert readers == {
        "clawgit.safety.in_force",  # the door itself
        "clawgit.safety.trust", "clawgit.front.setup",  # write it
        "clawgit.safety.committed_texts", "clawgit.soul.identity_rules", "clawgit.soul.guarding",  # compare before and after
        "clawgit.hooks.checks.soul",  # likewise
        "clawgit.safety.secrets",  # adds to a list
    }  # fmt: skip


TABLES = {
    "clawgit.agents", "clawgit.terminal.command_table", "clawgit.core.doors", "clawgit.hooks.__main__",
    "clawgit.talk.stores.transcripts",
}  # fmt: skip
"""What imports a module by its name: a table says which."""


def test_only_tables_import_by_name() -> None:
    """An import by a string is seen by no type checker and by no test of the layers."""
    by_name = {
        name
        for name, path in modules()
        for node in nodes(path)
        if isinstance(node, ast.Attribute | ast.Name | ast.alias)
        and any(way in name_of(node) for way in ("import_module", "__import__"))
    }
    assert by_name == TABLES


def test_what_a_table_names_is_there() -> None:
    missing = [
        (module, name)
        for module, name in _rows()
        if not hasattr(importlib.import_module(module), name)
    ]
    assert missing == []
    assert len(_rows()) > 70


def _rows() -> list[tuple[str, str]]:
    """The module and the name in it, for each row of the tables."""
    called = ("pre_commit", "commit_msg", "pre_push", "merge")
    rows = [(f"clawgit.hooks.{module}", "run") for module in called]
    rows += [("clawgit.agents." + name.replace("-", "_"), "propose") for name in AGENTS]
    rows += [
        (f"clawgit.{where.partition(':')[0]}", where.partition(":")[2])
        for where in chain.from_iterable(extra.values() for extra in EXTRAS.values())
    ]
    for name, path in modules():
        if room(name) not in ("front", "commands", "terminal"):
            continue
        for node in nodes(path):
            if isinstance(node, ast.Call) and name_of(node.func) == "load":
                where = node.args[0]
                if isinstance(where, ast.Constant) and ":" in str(where.value):
                    module, _, found = str(where.value).partition(":")
                    rows.append((f"clawgit.{module}", found))
    return rows


def test_broad_except_stands_only_at_a_border() -> None:
    """`except Exception` is for the border to the user, to git's hooks, the scheduler and a
    server's request."""
    found = [
        path.relative_to(PACKAGE).as_posix()
        for _, path in modules()
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or name_of(node.type) == "Exception")
    ]
    assert found == [
        "front/cli/root.py", "front/mcp/worker.py", "front/web/app.py", "hooks/__main__.py",
        "hooks/border.py", "run/runner.py", "search/serve.py",
    ]  # fmt: skip


HEAVY = ("chromadb", "numpy", "pydantic", "yaml", "markdown_it", "asyncio", "rapidfuzz")
FRAME = "clawgit.agents.frame.agents, clawgit.search.side, clawgit.agents.organizer"


@pytest.mark.parametrize(
    ("loaded", "more"),
    [
        ("clawgit.front.cli.root", ("pygit2", "rich", "sqlite3")),
        (FRAME, ("clawgit.talk.rules.memories",)),
    ],
    ids=["the command line", "the frame of agents"],
)
def test_it_starts_light(loaded: str, more: tuple[str, ...]) -> None:
    """A hook, `--help` and a run that finds nothing to do pay for each of these."""
    heavy = (*HEAVY, *more)
    code = f"import sys, {loaded}; print([name for name in {heavy!r} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_modules_and_functions_stay_readable() -> None:
    """A module of more than 500 lines, or a function of more than 60, wants to be two."""
    sizes = {name: len(path.read_text().splitlines()) for name, path in modules()}
    for name, path in modules():
        functions = (node for node in nodes(path) if isinstance(node, ast.FunctionDef))
        assert {
            f"{name}.{one.name}" for one in functions if (one.end_lineno or 0) - one.lineno > 60
        } == set()
    assert {name for name, lines in sizes.items() if lines > 500} == set()


def test_no_pattern_has_a_possessive_group() -> None:
    """Python before 3.11.5 matches `(…)*+` wrongly: a scanner that stood on one found no secret at
    all."""
    possessive = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")
    found = [
        f"{path.name}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value,
            str) and node.value != string.punctuation
        and possessive.search(node.value)
    ]  # fmt: skip
    assert found == []


LATE = {
    "clawgit.memory.rules.fact: clawgit.memory.rules.contradicting":
        "30 ms of `memory add`, asked for where a correction has two words of the fact",
    "clawgit.core.doors.pygit2: pygit2": "13 ms, and 67 as a whole",
    "clawgit.hooks.border: clawgit.hooks.opening": "25 ms of each commit",
    "clawgit.hooks.border: clawgit.core.disk.failures": "traceback and pathlib, 6 ms of each commit",
    "clawgit.memory.remember: clawgit.memory.upkeep":
        "25 ms of `memory add`, and a notebook is seldom full",
    "clawgit.memory.remember: clawgit.safety.claimed_words":
        "30 ms of `memory add`, and a program seldom cites a message",
    "clawgit.search.search: clawgit.search.narrowing":
        "70 ms of `memory search`, and most need no kinds, messages or history",
    "clawgit.health.status: clawgit.safety.committed_texts":
        "25 ms of `status`, where a commit or a file may have something to tell",
    "clawgit.health.status: clawgit.safety.alerts": "likewise, where one may wait",
    "clawgit.health.status: clawgit.safety.state_alerts": "SQLite, 7 ms of `status`",
    "clawgit.hooks.checks.staged: clawgit.hooks.checks.soul": "15 ms of each commit",
    "clawgit.hooks.checks.staged: clawgit.safety.masking":
        "where it cannot be imported the secret is refused, not the hook broken",
    "clawgit.search.embed: clawgit.search.embed.wire": "urllib, 12 ms of a search",
    "clawgit.search.search: clawgit.search.meaning":
        "embedders and vectors, 8 ms of a search by words alone",
    "clawgit.workspace.workspace: clawgit.soul.guarding":
        "the git store, 50 ms of `triage` and `memory search`",
    "clawgit.workspace.workspace_base: clawgit.safety.in_force":
        "SQLite, 20 ms of `triage`",
    "clawgit.workspace.workspace_base: clawgit.safety.own_texts": "a judge, 20 ms",
    "clawgit.workspace.workspace_base: clawgit.workspace.stores.state": "SQLite, 10 ms of `triage`",
    "clawgit.workspace.workspace_base: clawgit.git.forgotten":
        "6 modules of `status`, where something was ever forgotten",
    "clawgit.health.status: clawgit.run.schedule": "6 modules, where a job failed",
    "clawgit.health.status: clawgit.safety.secrets_found": "the judge of secrets, for new files",
    "clawgit.safety.masking: clawgit.safety.rules.planted":
        "the judge, 10 ms of every command that shows no text to an agent",
    "clawgit.__main__: clawgit.front.cli.root": "what a process puts right comes first",
    "clawgit.agents.llm: clawgit.agents.llm.named": "pydantic-ai, 1 s, an extra",
    "clawgit.git.repo: clawgit.history.rules.merge": "3 modules of each write",
    "clawgit.soul.guarding: clawgit.soul.identity_rules": "the soul's guard, 10 ms of `memory add`",
    "clawgit.soul.guarding: clawgit.soul.changelog": "the soul's history, the same",
    "clawgit.soul.guarding: clawgit.safety.taking_back":
        "5 modules of `memory add`, where nothing of the operator's words is at stake",
    "clawgit.soul.guarding: clawgit.history.after_merge":
        "merging, 10 ms of `memory add`, where HEAD is new",
    "clawgit.safety.own_texts: clawgit.safety.claimed_words": "the messages, 30 ms",
    "clawgit.safety.doubted: clawgit.safety.committed_texts":
        "messages and alerts, 30 ms of `memory add`, read where a correction is written by hand",
}  # fmt: skip
"""Module: what a function of it imports → why, with the time that the import takes."""

_MOST_LATE = 31


def test_frozen_values_are_of_one_make() -> None:
    """Those of `typing` take a tenth of a millisecond each to be made."""
    guilty = {
        name
        for name, path in modules()
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module == "typing"
        for alias in node.names
        if alias.name == "NamedTuple"
    }
    assert guilty == {"clawgit.core.values"}


def test_an_import_inside_of_a_function_has_a_reason() -> None:
    """Imports stand on top, those of a heavy library from its door. Late ones are our own modules,
    which load much or may be broken.
    """
    late = {
        f"{name}: {imported}"
        for name, path in modules()
        for function in nodes(path)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for imported in _imported_in(function)
    }
    assert late == {*LATE}
    assert len(LATE) <= _MOST_LATE


def _libraries() -> set[str]:
    """Those that the doors name for a type checker."""
    below = next(
        node
        for node in nodes(PACKAGE / "core" / "doors" / "__init__.py")
        if isinstance(node, ast.If)
    )
    named = {
        alias.name for node in below.body if isinstance(node, ast.Import) for alias in node.names
    }
    named |= {
        node.target.id
        for node in below.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return {name for name in named if "." not in name}


def test_a_library_with_a_door_is_imported_by_its_door_alone() -> None:
    """Each door has a row that says what it saves, and saves it for the whole package."""
    folder = PACKAGE / "core/doors"
    named = {
        imported.removeprefix("clawgit.core.doors.")
        for _, path in modules()
        for imported in imports(path)
        if imported.startswith("clawgit.core.doors.")
    }
    assert named - {path.stem for path in folder.glob("*.py")} - {"load"} == _libraries()
    heavy = _libraries() - _LIGHT_BESIDE
    beside = {
        f"{name}: {imported}"
        for name, path in modules()
        if path.parent != folder
        for imported in imports(path)
        if imported.partition(".")[0] in heavy
    }
    assert beside == set()


_LIGHT_BESIDE = {
    "copy", "dataclasses", "difflib", "hashlib", "httpx", "importlib", "json", "pydantic", "numpy", "secrets", "shlex", "shutil",
    "signal", "subprocess", "tempfile", "threading",
}  # fmt: skip
"""Libraries that modules import on top as well, where all who load the module need them."""


def _imported_in(function: ast.AST) -> Iterator[str]:
    for node in _below(function):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield below if below in _NAMES else str(node.module)
        else:
            yield from _imported_in(node)


_NAMES = {name for name, _ in modules()}
