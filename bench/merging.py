"""What the merge driver adds to `git merge`: the same merge with and without it, in turn."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench.lab import Lab
from bench.race import Race, Task
from bench.workspaces import copy, plant
from clawgit.core.markdown.comment import entry_id
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.workspace import githooks
from clawgit.workspace.workspace import Caller, Workspace

_ENTRIES = 40


class Scale(NamedTuple):
    files: int
    laps: int


FULL = Scale(files=30, laps=25)
QUICK = Scale(files=2, laps=1)


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    """Files that both sides changed in other lines, so that git alone comes to an end too."""
    scale = QUICK if quick else FULL
    plain = plant(lab, "plain", files=scale.files)
    for count in (1, scale.files):
        _diverge(lab, plain, count)
        driven = copy(lab, plain, f"driven-{count}")
        workspace = Workspace(
            find_repo(driven), Caller(OPERATOR, lab.env, datetime.now(UTC), lab.root)
        )
        githooks.put_driver_in(workspace)
        rivals = {"git alone": _merge(lab, plain, count), "python -c pass": lab.python("pass")}
        what = f"git merge, {count} file{'s' if count > 1 else ''} with the driver"
        yield Race(what, _merge(lab, driven, count), rivals, scale.laps)


def _merge(lab: Lab, root: Path, count: int) -> Task:
    def lap() -> None:
        lab.finish(root, "git", "merge", "-q", "--no-edit", f"theirs-{count}")
        lab.finish(root, "git", "reset", "-q", "--hard", "ORIG_HEAD")

    return lap


def _diverge(lab: Lab, root: Path, count: int) -> None:
    """Two branches that both changed so many files; we stand on ours."""
    for branch, at in (("base", -1), ("theirs", 5), ("ours", _ENTRIES - 5)):
        start = "HEAD" if branch == "base" else f"base-{count}"
        lab.finish(root, "git", "switch", "-q", "-c", f"{branch}-{count}", start)
        (root / "memory").mkdir(exist_ok=True)  # with the quick scale, no file planted it
        for number in range(count):
            (root / "memory").mkdir(exist_ok=True)
            (root / f"memory/topic-{number}.md").write_text(_page(number, at))
        lab.finish(root, "git", "add", "-A")
        lab.finish(root, "git", "commit", "-q", "-m", branch)


def _page(number: int, changed: int) -> str:
    lines = [f"# Topic {number}\n"]
    for at in range(_ENTRIES):
        verb = "says again" if at == changed else "says"
        ident = entry_id(number * _ENTRIES + at)
        lines.append(f"- Fact {at} of topic {number} {verb} so. <!-- claw:{ident} c=.9 -->")
    return "\n".join(lines) + "\n"
