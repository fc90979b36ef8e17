"""Entries of a notebook that a topic file has already.

An editor that had the notebook open while they moved brings them back when it saves. They are the
same entries, so they are not moved there a second time.
"""

from collections.abc import Iterable, Mapping, Sequence

from clawgit.domain.compaction.pieces import Piece
from clawgit.domain.markdown.comment import read_meta, split
from clawgit.domain.markdown.scan import Block, scan
from clawgit.values import NamedTuple


class Sorted(NamedTuple):
    """`back` are the entries that a topic file has word for word, each with that file; `movable`
    those that none has. A piece in neither has the id of an entry there but other words: nobody
    knows which of the two is right, so it stays where it is.
    """

    back: Sequence[tuple[Piece, str]]
    movable: Sequence[Piece]


class _Standing(NamedTuple):
    words: Mapping[str, str]
    ids: frozenset[str]


def sort_out(order: Sequence[Piece], files: Mapping[str, str]) -> Sorted:
    """Which pieces of a notebook came back from the topic files, in the order of the pieces.

    `files` may hold others too, the notebook itself above all. Only a file that a piece would move
    to can have it already.
    """
    topics = {piece.path for piece in order} & files.keys()
    standing = _standing({path: files[path] for path in sorted(topics)})
    back, movable = [], []
    for piece in order:
        # Entries only: prose or code that stands twice may be meant to.
        is_entry = all(block.kind in ("item", "blank") for block in piece.blocks)
        texts = [_words(block) for block in piece.blocks if block.kind == "item"]
        paths = {standing.words.get(text) for text in texts if is_entry}
        path = next(iter(paths)) if len(paths) == 1 else None
        if path is not None:
            back.append((piece, path))
        elif standing.ids.isdisjoint(_ids(piece.blocks)):
            movable.append(piece)
    return Sorted(back, movable)


def _standing(topics: Mapping[str, str]) -> _Standing:
    words: dict[str, str] = {}
    ids: set[str] = set()
    for path, text in topics.items():
        items = [block for block in scan(text) if block.kind == "item"]
        words |= {_words(block): path for block in items}
        ids |= _ids(items)
    return _Standing(words, frozenset(ids))


def _words(block: Block) -> str:
    """What a block says, without its comment: an editor or a person may have dropped that."""
    return split(block.text).visible.replace("\r\n", "\n").strip()


def _ids(items: Iterable[Block]) -> set[str]:
    metas = (read_meta(split(block.text)) for block in items if block.kind == "item")
    return {meta.id for meta in metas if meta is not None and meta.id}
