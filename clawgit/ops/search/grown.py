"""Decides which neighbours are shown with a hit, and which never are."""

from collections.abc import Sequence
from itertools import takewhile

from clawgit.domain.facts.origins import origins
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.statuses import REPLACED
from clawgit.domain.search.snippet import FRONT, Snippet, covers, follows, grown
from clawgit.stores.index.reading import IndexReader, ItemRow

_REACHES = (8, 40)
"""How many neighbours on each side are looked at; the further ones if all the near ones fit."""


def grown_hit(index: IndexReader, row: ItemRow, tokens: int, shown: Sequence[Snippet]) -> Snippet:
    """The snippet of a hit; `shown` are those of earlier hits in its file."""
    for reach in _REACHES:
        around = _beside(row, index.rows(index.neighbours(row.id, reach)), shown)
        snippet = grown(around, row.id - around[0].id, tokens)
        more_before = around[0].id > row.first and snippet.line == around[0].line
        more_behind = around[-1].id < row.last and snippet.end_line == around[-1].end_line
        if not (more_before or more_behind):
            break
    return snippet


def beside_hit(index: IndexReader, row: ItemRow) -> tuple[ItemRow | None, ItemRow | None]:
    """The items right before and after a hit in its section."""
    around = index.rows(ident for ident in index.neighbours(row.id) if ident != row.id)
    beside = {item.id - row.id: item for item in around if _is_beside(item, row)}
    return beside.get(-1), beside.get(1)


def _is_beside(item: ItemRow, row: ItemRow) -> bool:
    if _stands_apart(item, row, ()):
        return False
    if item.id > row.id:
        return follows(row, item)
    return item.kind != FRONT and follows(item, row)


def _beside(row: ItemRow, around: Sequence[ItemRow], shown: Sequence[Snippet]) -> list[ItemRow]:
    """The neighbours that may be shown with a hit, up to the first that may not."""
    at = row.id - around[0].id

    def is_part(neighbour: ItemRow) -> bool:
        return not _stands_apart(neighbour, row, shown)

    before = [*takewhile(is_part, reversed(around[:at]))]
    return [*reversed(before), around[at], *takewhile(is_part, around[at + 1 :])]


def _stands_apart(neighbour: ItemRow, row: ItemRow, shown: Sequence[Snippet]) -> bool:
    """Whether a line is never part of another hit's snippet.

    It was shown before; or it was replaced, which a snippet does not say; or it is a fact made from
    another line, and so a hit of its own.
    """
    if covers(neighbour.line, shown):
        return True
    if neighbour.key == row.key or not neighbour.meta:
        return False
    return _stands_alone(neighbour.meta)


def _stands_alone(meta: Meta) -> bool:
    return meta.status in REPLACED or bool(origins(meta))
