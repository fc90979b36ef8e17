"""Whether what was corrected or quoted is found first: `python -m bench.found_first FOLDER…`.

For each correction that the validator made, the earlier words of the entry are the question, in a
workspace with other people's memories too: to a search, and to the context of a conversation about
it.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.lab import open_lab
from bench.outcomes import NOW, PUT_RIGHT, QUOTED, Outcome, Share, outcome, rows_of
from clawgit.front.setup import init
from clawgit.git.rules.actors import OPERATOR
from clawgit.search.search import Request, Searcher
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context
from clawgit.talk.rules.corrections import CORRECTIONS, corrections
from clawgit.workspace.workspace import Caller, open_workspace

_FILLED = 150
"""How many lines of other people's memory are added."""


def shares(folders: Sequence[Path]) -> Mapping[str, Share]:
    rows = [row for folder in folders for row in rows_of(folder, "messages.jsonl")]
    placed = [
        (row, result)
        for row in rows
        if row["act"] == "corrects" and row["entry"] is not None
        if (result := outcome(row)).kind in (PUT_RIGHT, QUOTED)
    ]
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        lab = open_lab(Path(folder))
        caller = Caller(OPERATOR, lab.env, NOW, lab.root)
        root = lab.root / "agent"
        init(root, caller, openclaw_rules=False, hooks=False)
        (root / "CONFIG.md").write_text("# Config\n\n```yaml\nsearch_mode: core\n```\n", "utf-8")
        for row, result in placed:
            _furnish(root, rows, row, result)
            words = corrections(result.files[CORRECTIONS])[-1].correct
            asked = row["memory"][row["entry"]]
            with Searcher(workspace := open_workspace(root, caller)) as searcher:
                hits = searcher.answer(Request(asked)).results
                text = "\n".join(
                    slot.text
                    for slot in context(workspace, ContextRequest(asked), searcher=searcher).slots
                )
            count["first"] += bool(hits) and words in hits[0].snippet
            count["context"] += words in text
    return {
        "placed: first in a search": Share(count["first"], len(placed)),
        "placed: in the context": Share(count["context"], len(placed)),
    }


def _furnish(
    root: Path, rows: Sequence[Mapping[str, Any]], row: Mapping[str, Any], result: Outcome
) -> None:
    """The files as the validator leaves them, with the memories of others of that language
    below."""
    others = sorted(
        {line for other in rows if other["lang"] == row["lang"] for line in other["memory"]}
        - {*row["memory"]}
    )
    chosen = random.Random(row["id"]).sample(others, min(_FILLED, len(others)))
    beside = "".join(f"- {' '.join(line.split())}\n" for line in chosen)
    for path, text in result.files.items():
        below = f"\n## Others\n\n{beside}" if path == "MEMORY.md" else ""
        (root / path).write_text(f"{text}{below}", "utf-8")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.found_first",
        description="Whether what was put right or quoted is found first.",
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="kept folders")
    for name, share in shares(parser.parse_args(arguments).folders).items():
        sys.stdout.write(f"{name:45}{share}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
