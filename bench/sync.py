"""What a sync costs, compared with `git pull --rebase && git push`, which people would use
otherwise.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.lab import Lab
from bench.race import Race, Task
from bench.workspaces import plant

_REBASE = ("sh", "-c", "git pull -q --rebase && git push -q")
_MERGE = ("sh", "-c", "git pull -q --no-rebase --no-edit && git push -q")
_FILES = 50


class Scale(NamedTuple):
    """The history that both sides have; the entries in which they differ, in so many commits of
    each.
    """

    files: int
    commits: int
    entries: int
    apart: tuple[int, ...]
    laps: int


FULL = Scale(files=1_000, commits=10_000, entries=1_000, apart=(1, 100), laps=3)
QUICK = Scale(files=12, commits=50, entries=20, apart=(2,), laps=1)


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    scale = QUICK if quick else FULL
    history = plant(lab, "history", files=scale.files, commits=scale.commits)
    hub = lab.root / "hub.git"
    lab.finish(lab.root, "git", "clone", "-q", "--bare", str(history), str(hub))
    ours, theirs = (_clone(lab, hub, f"still-{name}") for name in ("ours", "theirs"))
    lab.clawgit(ours, "status")()
    yield Race(
        f"nothing new, {scale.commits:,} commits",
        lab.clawgit(ours, "sync"),
        {"git pull --rebase, push": lambda: lab.finish(theirs, *_REBASE)},
        scale.laps * 3,
    )
    for commits in scale.apart:
        pairs = _pairs(lab, hub, scale, commits)
        yield Race(
            f"{scale.entries:,} entries apart, commits a side: {commits}",
            _each(pairs, lambda clone: lab.clawgit(clone, "sync")()),
            {
                "git pull --rebase, push": _each(pairs, lambda clone: lab.finish(clone, *_REBASE)),
                "git pull, push": _each(pairs, lambda clone: lab.finish(clone, *_MERGE)),
            },
            scale.laps,
        )


_CONTENDERS = 3


def _each(pairs: list[Path], work: Callable[[Path], object]) -> Task:
    return lambda: work(pairs.pop())


def _pairs(lab: Lab, hub: Path, scale: Scale, commits: int) -> list[Path]:
    """Clones that have parted from their remotes: one for each lap, made before any is timed."""
    parted = lab.root / f"apart-{commits}.git"
    shutil.copytree(hub, parted)
    mine, other = (_clone(lab, parted, f"{side}-{commits}") for side in ("mine", "other"))
    # As one that is lived in: what is derived from the history that both have is there.
    lab.clawgit(mine, "status")()
    for clone in (mine, other):
        _write(lab, clone, scale.entries // 2, commits)
    lab.finish(other, "git", "push", "-q")
    return [
        _pair(lab, parted, mine, f"{commits}-{number}")
        for number in range((scale.laps + 1) * _CONTENDERS)
    ]


def _write(lab: Lab, clone: Path, entries: int, commits: int) -> None:
    """Each side into files of its own: git would stop at lines that both add at one place."""
    for number in range(commits):
        with (clone / "memory" / f"{clone.name}-{number % _FILES}.md").open("a") as file:
            file.writelines(
                f"- {clone.name} learned fact {number}.{entry}. #knowledge\n"
                for entry in range(entries // commits)
            )
        lab.finish(clone, "git", "add", "memory")
        lab.finish(clone, "git", "commit", "-q", "-m", f"{clone.name} {number}")


def _pair(lab: Lab, hub: Path, clone: Path, name: str) -> Path:
    folder = lab.root / name
    shutil.copytree(hub, folder / "hub.git")
    made = Path(shutil.copytree(clone, folder / "clone"))
    lab.finish(made, "git", "remote", "set-url", "origin", str(folder / "hub.git"))
    lab.finish(made, "git", "update-index", "-q", "--refresh")
    return made


def _clone(lab: Lab, hub: Path, name: str) -> Path:
    root = lab.root / name
    lab.finish(lab.root, "git", "clone", "-q", str(hub), str(root))
    (root / ".git/clawgit").mkdir()
    return root
