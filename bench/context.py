"""What a context costs, compared with a search for the same message, and with only reading its
files.
"""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from bench.lab import Lab
from bench.race import Race, Task
from bench.search import plant, questions, workspace
from bench.workspaces import NOW
from clawgit.search.search import Request, Searcher
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context

_FILES, _LAPS = 365, 30
_BUDGETS = {"core": (30, 300), "enhanced": (50, None)}
"""In milliseconds: warm, and cold where the plan names one."""

_PRINCIPLES, _FACTS, _CORRECTIONS = 24, 80, 12


def races(lab: Lab, quick: bool) -> Iterator[Race]:
    files, laps = (6, 1) if quick else (_FILES, _LAPS)
    root = plant(lab, files)
    _furnish(root)
    size = f"{files * 33:,} items"
    for mode, (warm, cold) in _BUDGETS.items():
        (root / "CONFIG.md").write_text(f"# Config\n\n```yaml\nsearch_mode: {mode}\n```\n")
        now = ("--now", NOW.isoformat())
        first = questions()[0]
        yield Race(
            f"warm context, {mode}, {size}", _build(lab, root), _floors(lab, root), laps, warm
        )
        cold_floors = {
            "python -c pass": lab.python("pass"),
            "cold search": lab.clawgit(root, *now, "memory", "search", first),
        }
        ours = lab.clawgit(root, *now, "context", "--message", first)
        yield Race(f"cold context, {mode}, {size}", ours, cold_floors, max(laps // 3, 1), cold)


def _furnish(root: Path) -> None:
    """The files of an agent that has been in use for a while."""
    words = cycle(" ".join(questions()).split())

    def lines(count: int, sign: str = "-") -> str:
        return "".join(
            f"{sign} {' '.join(next(words) for _ in range(12))}.\n" for _ in range(count)
        )

    (root / "SOUL.md").write_text(f"# Soul\n\n## Truths\n\n{lines(_PRINCIPLES)}")
    (root / "IDENTITY.md").write_text("# Identity\n\n- **Name:** Bench\n")
    (root / "USER.md").write_text(f"# User\n\n{lines(_PRINCIPLES // 2)}")
    (root / "MEMORY.md").write_text(f"# Memory\n\n## Facts\n\n{lines(_FACTS)}")
    corrections = "".join(
        f"## c{at:05} · 2026-02-{1 + at:02}T09:00:00+00:00\n\n"
        f"{lines(1, '- Agent said:')}{lines(1, '- Correct:')}"
        f"- Re-embedded: {str(at % 2 == 0).lower()}\n- Status: confirmed\n\n"
        for at in range(_CORRECTIONS)
    )
    (root / "CORRECTIONS.md").write_text(f"# Corrections\n\n{corrections}")


def _build(lab: Lab, root: Path) -> Task:
    ws = workspace(lab, root)
    asked, searcher = cycle(questions()), Searcher(ws)
    return lambda: context(ws, ContextRequest(next(asked)), searcher=searcher)


def _floors(lab: Lab, root: Path) -> dict[str, Task]:
    asked, searcher = cycle(questions()), Searcher(workspace(lab, root))
    names = [*(f"{name}.md" for name in ("SOUL", "IDENTITY", "USER", "CORRECTIONS", "MEMORY")),
             *(f"memory/{NOW:%Y-%m}-{day}.md" for day in (12, 13, 14))]  # fmt: skip
    return {
        "warm search": lambda: searcher.answer(Request(next(asked), min_score=0.0)),
        "reading the files": lambda: [(root / name).read_text() for name in names],
    }
