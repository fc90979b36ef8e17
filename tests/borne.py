"""Whether what was written has evidence: each word of a line stands in one text, as it stands
there, or in a frame."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from clawgit.core.markdown import frames
from clawgit.talk.rules.kept_line import bears

DATA = Path(__file__).parent / "data"


def is_borne(evidence: str, line: str) -> bool:
    """One contiguous piece of the evidence, or one under a heading or a lead that are pieces of it,
    too."""
    return bears(evidence, line) or any(
        all(bears(evidence, title) for title in path.split(frames.HEADINGS))
        and bears(evidence, words)
        for path, words in _parted(line)
    )


def _parted(line: str) -> Iterator[tuple[str, str]]:
    at = line.find(": ")
    while at >= 0:
        yield line[:at], line[at + 2 :]
        at = line.find(": ", at + 1)


def talks(step: int = 1) -> Iterator[list[tuple[str, str]]]:
    """Every sample that may be looked at, or one of `step`, as turns of a talk: each with who
    speaks."""
    yield from islice(_talks(), 0, None, step)


def _talks() -> Iterator[list[tuple[str, str]]]:
    for path in sorted(DATA.rglob("*.jsonl")):
        if "kept" in str(path.relative_to(DATA)):
            continue
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            if turns := [*_turns(row)]:
                yield turns


def _turns(row: dict[str, object]) -> Iterator[tuple[str, str]]:
    before = row.get("before") or []
    if isinstance(before, str):
        yield "assistant", before
    elif isinstance(before, Iterable):
        yield from ((turn[0], turn[1]) for turn in before)
    messages = row.get("messages")
    if isinstance(messages, list):
        yield from ((one["role"], one["text"]) for one in messages)
    elif isinstance(row.get("text"), str):
        yield str(row.get("role") or "user"), str(row["text"])
