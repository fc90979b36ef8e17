"""What git's hooks add to `git commit`: the same commit with and without them, in turn."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench.lab import Lab
from bench.race import Race, Task
from bench.workspaces import copy, plant
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.safety.in_force import keep_scope
from clawgit.workspace import githooks
from clawgit.workspace.workspace import Caller, Workspace


class Scale(NamedTuple):
    files: int
    many: int
    laps: int


FULL = Scale(files=1_000, many=5_000, laps=25)
QUICK = Scale(files=12, many=20, laps=1)


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    """The races.

    Each lap commits what is staged, and then resets the commit, which runs no hook.
    """
    scale = QUICK if quick else FULL
    kinds: dict[str, tuple[Callable[[Path], None], int]] = {
        "a commit without Markdown": (_note, scale.laps),
        "a commit with Markdown": (_entry, scale.laps),
        "a commit of SOUL.md": (_principle, scale.laps),
        f"a commit of {scale.many:,} Markdown files": (
            lambda root: _many(root, scale.many),
            max(scale.laps // 5, 1),
        ),
    }
    plain = plant(lab, "plain", files=scale.files)
    hooked = copy(lab, plain, "hooked")
    _hook_up(lab, hooked)
    for what, (change, laps) in kinds.items():
        for root in (plain, hooked):
            change(root)
            lab.finish(root, "git", "add", "-A")
        yield Race(
            f"{what}, with hooks", _commit(lab, hooked), {"without": _commit(lab, plain)}, laps
        )
        for root in (plain, hooked):
            lab.finish(root, "git", "reset", "-q", "--hard")


def _hook_up(lab: Lab, root: Path) -> None:
    """Installs the hooks and reads the settings, as `init` does, so that the hooks know what to
    skip.
    """
    caller = Caller(OPERATOR, lab.env, datetime.now(UTC), lab.root)
    workspace = Workspace(find_repo(root), caller)
    githooks.install(workspace)
    keep_scope(workspace.place, workspace.config.settings)


def _commit(lab: Lab, root: Path) -> Task:
    def lap() -> None:
        lab.finish(root, "git", "commit", "-q", "-m", "a change")
        lab.finish(root, "git", "reset", "-q", "--soft", "HEAD~1")

    return lap


def _note(root: Path) -> None:
    (root / "notes.txt").write_text("some short words about the day\n" * 40)


def _entry(root: Path) -> None:
    with (root / "MEMORY.md").open("a") as memory:
        memory.write("- Billing uses PostgreSQL. #decision\n")


def _principle(root: Path) -> None:
    with (root / "SOUL.md").open("a") as soul:
        soul.write("- Be brief.\n")


def _many(root: Path, count: int) -> None:
    (root / "memory/new").mkdir(parents=True)
    for number in range(count):
        (root / f"memory/new/{number}.md").write_text(
            f"# Day {number}\n\n" + "- A fact of that day. #event\n" * 8
        )
