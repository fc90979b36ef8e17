"""What the real Soul Keeper does, with an empty soul, with messages that strangers labelled.

python -m bench.outcomes_soul SET…

Measure only sets that `bench/train_judges.py` has not seen: on trained messages the figures are too
good.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.outcomes import NOW, SPEAKER, Share, _message, _snapshot, _turns, ordinary, rows_of
from clawgit.agents import AGENTS

PROPOSE = "propose"
"""The verb of a step that waits; an older checkout knows none."""

WRITTEN, PROPOSED, LEFT = "written", "proposed", "left"
_FILES = {
    "SOUL.md": "# Soul\n\n## Core truths\n\n- Be kind.\n",
    "USER.md": f"# User\n\n- **Name:** {SPEAKER}\n",
}


def outcome(row: Mapping[str, Any]) -> str:
    """What becomes of the last message of a row."""
    talk = [*_turns(row["before"]), ("user", row["text"])]
    messages = tuple(_message(row["id"], talk, number) for number in range(len(talk)))
    change = AGENTS["soul-keeper"].propose(_snapshot(_FILES, messages=messages))
    mine = [
        step.verb
        for step in change.steps
        if any(messages[-1].key in evidence for evidence in step.evidence)
    ]
    if not mine:
        return LEFT
    return PROPOSED if all(verb == PROPOSE for verb in mine) else WRITTEN


def orders(rows: Sequence[Mapping[str, Any]], title: str) -> dict[str, Share]:
    """Standing orders against all other labelled messages."""
    count: Counter[tuple[str, bool]] = Counter(
        (outcome(row), row["act"] == "orders") for row in rows
    )
    real = sum(many for (_, is_order), many in count.items() if is_order)
    written, proposed = count[WRITTEN, True], count[PROPOSED, True]
    all_written, all_proposed = written + count[WRITTEN, False], proposed + count[PROPOSED, False]
    return {
        f"{title}: written, precision": Share(written, all_written),
        f"{title}: written, recall": Share(written, real),
        f"{title}: proposed, precision": Share(proposed, all_proposed),
        f"{title}: written or proposed, recall": Share(written + proposed, real),
    }


def false_orders(rows: Sequence[Mapping[str, Any]]) -> dict[str, Share]:
    """Ordinary messages, of which nothing should come."""
    kinds = Counter(outcome(row) for row in rows)
    return {
        "ordinary messages written to SOUL.md": Share(kinds[WRITTEN], len(rows)),
        "ordinary messages proposed": Share(kinds[PROPOSED], len(rows)),
    }


def report(folders: Sequence[Path]) -> Iterator[str]:
    messages = [row for folder in folders for row in rows_of(folder, "messages.jsonl")]
    plain = [row for folder in folders for row in ordinary(folder, messages)]
    codes = sorted({row["lang"] for row in messages})
    by_language = (orders([row for row in messages if row["lang"] == code], code) for code in codes)
    tables = (orders(messages, "orders"), *by_language, false_orders(plain))
    yield (
        f"the Soul Keeper on {len(messages)} labelled and {len(plain)} ordinary messages, "
        f"{NOW:%Y-%m-%d}"
    )
    for table in tables:
        for name, share in table.items():
            yield f"{name:45}{share}"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.outcomes_soul", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "folders", nargs="+", type=Path, help="a folder with messages.jsonl and ordinary.tsv"
    )
    for line in report(parser.parse_args().folders):
        print(line)


if __name__ == "__main__":
    main()
