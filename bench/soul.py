"""What it costs to read a soul's history, each question beside the nearest one that git can
answer."""

import random
import subprocess
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from bench.lab import Lab
from bench.race import Race, Task
from bench.workspaces import NOW
from clawgit.git.rules.actors import AGENT
from clawgit.git.rules.history import Intent, render_message
from clawgit.git.rules.ids import change_id

SOUL = "SOUL.md"


class Scale(NamedTuple):
    """How long the history is, and how many of its commits touch the soul."""

    commits: int
    versions: int
    laps: int


FULL = Scale(commits=100_000, versions=500, laps=15)
QUICK = Scale(commits=60, versions=6, laps=1)

_BUDGET_MS = 150.0
_SECTIONS, _PRINCIPLES, _DAYS = 5, 8, 1_000
_WORDS = (
    "ask",
    "before",
    "deleting",
    "files",
    "keep",
    "every",
    "secret",
    "be",
    "brief",
    "and",
    "kind",
    "own",
    "mistake",
)


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    """The first lap of each, which is not counted, warms the side index."""
    scale = QUICK if quick else FULL
    root = _plant(lab, scale)
    size = f"{scale.commits:,} commits, {scale.versions} of the soul"
    for command, references in _questions(lab, root).items():
        budget = _BUDGET_MS if command in ("log", "diff", "blame") else None
        yield Race(
            f"clawgit soul {command}, {size}",
            lab.clawgit(root, "soul", command),
            references,
            scale.laps,
            budget,
        )


def _questions(lab: Lab, root: Path) -> dict[str, Mapping[str, Task]]:
    follow = {"git log --follow": lab.git(root, "log", "--follow", "--", SOUL)}
    return {
        "log": follow,
        "diff": {
            "git log -1 -p --word-diff": lab.git(
                root, "log", "-1", "-p", "--word-diff", "--", SOUL
            ),
            **follow,
        },
        "blame": {"git blame": lab.git(root, "blame", SOUL), **follow},
        "show": {"git show HEAD:SOUL.md": lab.git(root, "show", f"HEAD:{SOUL}")},
        "drift": follow,
    }


def _plant(lab: Lab, scale: Scale) -> Path:
    """A workspace whose soul stays as long as a soul may be, while its principles come, go and are
    reworded."""
    root = lab.root / "soul"
    lab.finish(lab.root, "git", "init", "-q", str(root))
    with subprocess.Popen(
        ["git", "fast-import", "--quiet"], cwd=root, env=lab.env, stdin=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        child.stdin.writelines(_history(scale))
    assert child.returncode == 0, "git fast-import failed"
    lab.finish(
        root, "git", "commit-graph", "write", "--reachable", "--changed-paths", "--no-progress"
    )
    lab.finish(root, "git", "reset", "-q", "--hard")
    return root


def _history(scale: Scale) -> Iterator[bytes]:
    choose, every = random.Random(1), scale.commits // scale.versions
    soul = [[_principle(choose) for _ in range(_PRINCIPLES)] for _ in range(_SECTIONS)]
    yield _commit(0, scale, "CONFIG.md", "# Settings\n")
    for number in range(1, scale.commits):
        if number % every == 1:
            _live(soul, choose)
            yield _commit(number, scale, SOUL, _text(soul))
        else:
            yield _commit(
                number, scale, f"memory/{number % _DAYS:04}.md", f"# Day\n\n- Note {number}.\n"
            )


def _live(soul: list[list[str]], choose: random.Random) -> None:
    """One principle is reworded, or takes the place of another."""
    section = choose.choice(soul)
    at = choose.randrange(len(section))
    section[at] = (
        f"{section[at][:40]} {choose.choice(_WORDS)}"
        if choose.random() < 1 / 2
        else _principle(choose)
    )


def _principle(choose: random.Random) -> str:
    return f"{choose.getrandbits(24)}: {' '.join(choose.choices(_WORDS, k=10))}"


def _text(soul: list[list[str]]) -> str:
    lists = ("".join(f"- {principle}.\n" for principle in section) for section in soul)
    return "# Soul\n" + "".join(
        f"\n## Part {number}\n\n{items}" for number, items in enumerate(lists, 1)
    )


def _commit(number: int, scale: Scale, path: str, text: str) -> bytes:
    """All texts here are ASCII, so characters are bytes, as fast-import counts them."""
    message = render_message(
        Intent(AGENT, "edit", f"change {number}", evidence=("memory/0001.md#L3",)),
        change_id(number),
    )
    when = f"{int((NOW - timedelta(minutes=10 * (scale.commits - number))).timestamp())} +0000"
    head = (
        f"commit refs/heads/main\nauthor {AGENT.name} <{AGENT.email}> {when}\ncommitter Bench "
        f"<b@example.org> {when}\n"
    )
    body = (
        f"data {len(message)}\n{message}\n",
        f"M 100644 inline {path}\ndata {len(text)}\n{text}\n",
    )
    return "".join((head, *body)).encode()
