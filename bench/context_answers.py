"""How many questions a context of 6,000 tokens answers: `python -m bench.context_answers`.

The memories and questions are those of `bench/ranking.py`; `RANKING_SETS` adds strangers'. A
question is answered if the context shows one of the lines that answer it.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from bench.lab import open_lab
from bench.ranking_needles import plant
from clawgit.core.tiers import dated
from clawgit.front.setup import init
from clawgit.git.rules.actors import OPERATOR
from clawgit.search.search import Searcher
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context
from clawgit.workspace.workspace import Caller, Workspace, open_workspace

BUDGET = 6000
_LATER = timedelta(days=2)
_MODES = ("core", "enhanced")


class Answered(NamedTuple):
    """How many of the questions with an answer were answered, and the average tokens of a
    context.
    """

    name: str
    mode: str
    right: int
    asked: int
    tokens: float


def answered(questions: Path, mode: str) -> Answered:
    """Asks each question of a workspace two days after its last note."""
    rows = [json.loads(line) for line in questions.read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["expect"]]
    name = questions.name.removesuffix(".queries.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        lab = open_lab(Path(folder))
        root = lab.root / name
        shutil.copytree(questions.with_name(name), root)
        days = filter(None, (dated(f"memory/{path.name}") for path in root.glob("memory/*.md")))
        now = _noon(max(days)) + _LATER
        caller = Caller(OPERATOR, lab.env, now, lab.root)
        init(root, caller, openclaw_rules=False, hooks=False)
        (root / "CONFIG.md").write_text(f"# Config\n\n```yaml\nsearch_mode: {mode}\n```\n", "utf-8")
        with Searcher(workspace := open_workspace(root, caller)) as searcher:
            made = [_asked(workspace, searcher, root, row) for row in rows]
    right, tokens = (sum(column) for column in zip(*made, strict=True))
    return Answered(name, mode, right, len(rows), tokens / len(rows))


def report() -> str:
    with tempfile.TemporaryDirectory() as folder:
        planted = Path(folder)
        sets = [planted / name for name in plant(planted)]
        if named := os.environ.get("RANKING_SETS"):
            sets += sorted(path for path in Path(named).iterdir() if path.is_dir())
        return "\n".join(line for where in sets for line in _lines(where))


def _lines(where: Path) -> Iterator[str]:
    for mode in _MODES:
        made = [answered(path, mode) for path in sorted(where.glob("*.queries.jsonl"))]
        asked, right = sum(one.asked for one in made), sum(one.right for one in made)
        tokens = sum(one.tokens * one.asked for one in made) / asked
        yield f"{where.name:12} {mode:10} {right}/{asked} = {right / asked:.3f}   {tokens:,.0f} tokens"


def _asked(
    workspace: Workspace, searcher: Searcher, root: Path, row: dict[str, Any]
) -> tuple[bool, int]:
    made = context(workspace, ContextRequest(row["query"], budget=BUDGET), searcher=searcher)
    text = " ".join(" ".join(slot.text for slot in made.slots).split())
    return any(_line(root, one) in text for one in row["expect"]), made.used


def _line(root: Path, spot: dict[str, Any]) -> str:
    """A line as a context shows it, without its sign."""
    lines = (root / spot["path"]).read_text("utf-8").split("\n")
    return " ".join(lines[spot["line"] - 1].removeprefix("- ").split())


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


if __name__ == "__main__":
    print(report())
