"""How far a hit is shown with its neighbours, and what is never shown beside it."""

from collections.abc import Sequence

from clawgit.domain.facts.origins import origins
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.statuses import REPLACED
from clawgit.domain.search.snippet import Snippet, covers, grown
from clawgit.stores.index.reading import IndexReader, Row

_REACHES = (8, 40)
"""Neighbours on each side that are looked at for a snippet; the further ones where all of the near
ones went in."""


def grown_hit(
    index: IndexReader, row: Row, tokens: int, shown: Sequence[tuple[str, Snippet]]
) -> Snippet:
    """The snippet of a hit; `shown` are those of the hits before, with their files."""
    for reach in _REACHES:
        around = _beside(row, index.rows(index.neighbours(row.id, reach)), shown)
        snippet = grown(around, row.id - around[0].id, tokens)
        more_before = around[0].id > row.first and snippet.line == around[0].line
        more_behind = around[-1].id < row.last and snippet.end_line == around[-1].end_line
        if not (more_before or more_behind):
            break
    return snippet


def _beside(row: Row, around: Sequence[Row], shown: Sequence[tuple[str, Snippet]]) -> list[Row]:
    """What may be shown with a hit: its neighbours up to a line that was shown before, to an entry
    that was replaced, since a snippet does not tell, or to a fact that was made of another line,
    which is a hit of its own.
    """
    apart = [
        one.id for one in around if one.key != row.key and one.meta and _stands_alone(one.meta)
    ]
    apart += [one.id for one in around if covers(one.path, one.line, shown)]
    before = max((ident for ident in apart if ident < row.id), default=around[0].id - 1)
    behind = min((ident for ident in apart if ident > row.id), default=around[-1].id + 1)
    return [one for one in around if before < one.id < behind]


def _stands_alone(meta: Meta) -> bool:
    return meta.status in REPLACED or bool(origins(meta))
