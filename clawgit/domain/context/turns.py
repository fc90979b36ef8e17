"""A saved session as passages: whole turns, or parts of them, each with its speaker."""

from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from clawgit.domain.context.passage import ContextPassage, heads_after, passages
from clawgit.domain.conversation.dump import SavedTurn, turns
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.scan import scan
from clawgit.domain.markdown.tags import visible

_LONGEST = 800
"""Characters. A longer turn is shown in parts."""


@lru_cache(maxsize=128)
def session_passages(path: str, text: str, today: date) -> tuple[ContextPassage, ...]:
    """What a session says, `text` as `as_turns` reads it. Cached, as `passages` is."""
    said = [*turns(text)]
    if not said:
        return passages(path, text, today)
    before = "".join(f"{line}\n" for line in text.split("\n")[: said[0].line - 1])
    heads = heads_after(path, before)
    shown = (passage for turn in said for passage in _parts(path, turn, heads))
    return (*passages(path, before, today), *shown)


def _parts(path: str, turn: SavedTurn, heads: tuple[str, ...]) -> Iterator[ContextPassage]:
    lines = turn.text.split("\n")
    for first, end in _spans(turn.text):
        text = visible("\n".join(line.rstrip() for line in lines[first:end])).strip("\n")
        if text.strip() and first:
            text = frames.SAID_FURTHER.format(role=turn.role, words=text)
        if text.strip():
            start = turn.line + first
            yield ContextPassage(path, start, turn.line + end - 1, text, heads, "turn")


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The lines of the parts of a turn, cut between blocks."""
    first = end = size = 0
    for block in scan(text):
        if block.kind == "blank":
            continue
        if size and size + len(block.text) > _LONGEST:
            yield first, end
            first, size = block.line - 1, 0
        end = block.line + block.text.rstrip("\n").count("\n")
        size += len(block.text)
    yield first, end
