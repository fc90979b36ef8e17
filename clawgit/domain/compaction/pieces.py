"""What of a notebook may move into the file of a topic: its entries and its prose. HTML stays."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.compaction.compaction import is_correction
from clawgit.domain.compaction.moved import is_link
from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.facts.confidence import Dynamics, confidence
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, day, read_meta, split
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.scan import scan as blocks
from clawgit.domain.markdown.slug import slug
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.markdown.tag_table import CORRECTION_TAG, TAGS
from clawgit.domain.markdown.tags import tags_in, visible
from clawgit.domain.promotion.marks import PINNED, is_pinned, kinds_of, marks
from clawgit.domain.workspace.tiers import dated

_END = Block("rule", 0, "")
_PROSE = ("para", "fence", "quote", "code")
_MARKABLE = ("item", "para")
"""Kinds of blocks that may be marked as pinned."""

_READ = 400
"""The characters of a block that are read for a day."""

_RECENT = timedelta(days=30)
"""How long a decision is recent, and moves last."""

_STAYS = frozenset(tag.name for tag in TAGS if tag.stays_while_recent)

_STEPS = 20
"""Differences below a twentieth are noise: then the older entry moves first."""


_LONGEST_NAME = 40
_TAKEN = frozenset(("index", "archive", "readme"))
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_UNSAFE = re.compile(r"[^\w]+")


class Piece(NamedTuple):
    """What moves as one: an entry, or a run of prose.

    `heading` is what it stands under in the file of its topic.
    """

    blocks: tuple[Block, ...]
    topic: str
    heading: str

    @property
    def raw(self) -> str:
        return "".join(block.text for block in self.blocks)

    @property
    def line(self) -> int:
        return self.blocks[0].line

    @property
    def lines(self) -> set[int]:
        """The first line of each of its blocks."""
        return {block.line for block in self.blocks}

    @property
    def path(self) -> str:
        return topic_path(self.topic)

    @property
    def is_item(self) -> bool:
        return self.blocks[0].kind == "item"

    @property
    def is_correction(self) -> bool:
        return is_correction(self.blocks[0])


def pieces(text: str) -> list[Piece]:
    """Everything that may move, in the order of the file."""
    # With a byte order mark before it, a heading in the first line would not be read as one.
    all_blocks = blocks(text.removeprefix("\ufeff"))
    depth = _depth(all_blocks)
    led = {*_led(all_blocks)}
    free = (run for run in _runs(all_blocks, depth) if not _stays(run, led))
    return [Piece(run, *_place(run[0], depth)) for run in free]


def by_worth(chosen: Iterable[Piece], dynamics: Dynamics, today: date) -> list[Piece]:
    """The order in which they move: what is worth least to the notebook first, corrections last."""
    return sorted(chosen, key=lambda piece: _worth(piece.blocks[0], dynamics, today))


def topic_path(topic: str) -> str:
    """The file of a topic: never one of a day, whatever it is called."""
    plain = _UNSAFE.sub("-", topic.casefold())[:_LONGEST_NAME].strip("-")
    name = slug(topic) or plain or slug(frames.TOPICS)
    path = f"memory/{name}-topic.md" if name in _TAKEN else f"memory/{name}.md"
    return f"memory/{slug(frames.TOPICS)}.md" if dated(path) else path


def _depth(all_blocks: Sequence[Block]) -> int:
    """How many headings stand above every topic: the title of the file, where it has one."""
    headings = [block for block in all_blocks if block.level]
    tops = [block for block in headings if block.level == 1]
    return 1 if len(tops) == 1 and tops[0] is headings[0] else 0


def _runs(all_blocks: Sequence[Block], depth: int) -> Iterator[tuple[Block, ...]]:
    """Each entry by itself, and the prose below a heading as one piece, up to its last line."""
    prose: list[Block] = []
    for block in (*all_blocks, _END):
        if prose and _goes_on(prose[0], block):
            prose.append(block)
            continue
        yield from _trimmed(prose)
        prose = [block] if block.kind in _PROSE and len(block.path) > depth else []
        if block.kind == "item":
            yield (block,)


def _trimmed(prose: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    """A run of prose without the blank lines at its end; nothing if there is none."""
    if prose:
        last = max(at for at, block in enumerate(prose) if block.kind != "blank")
        yield tuple(prose[: last + 1])


def _goes_on(first: Block, block: Block) -> bool:
    return block.kind == "blank" or (block.kind in _PROSE and block.path == first.path)


def _stays(run: Sequence[Block], led: set[int]) -> bool:
    """Whether it must not move: pinned or below a pinned heading, disputed, or a correction that
    its place explains; `led` are the lines of these.
    """
    first = run[0]
    if first.kind == "item" and is_link(first.text):
        return True
    is_kept = (_is_pinned(block.kind, block.text) or block.line in led for block in run)
    if any(map(_pins, first.path)) or any(is_kept):
        return True
    return first.kind != "item" and any(map(is_correction, run))


@lru_cache(maxsize=64)  # one heading has many entries
def _pins(title: str) -> bool:
    is_kind = PINNED in kinds_of(title) or CORRECTION_TAG in tags_in(title)
    return is_kind or is_pinned(title)


def _led(all_blocks: Iterable[Block]) -> Iterator[int]:
    """The lines of each correction right after prose, and of that prose, which says what it is
    about.
    """
    for block, following in pairwise(block for block in all_blocks if block.kind != "blank"):
        is_led = following.kind == "item" and is_correction(following)
        if is_led and block.kind in (*_PROSE, "html"):
            yield from (block.line, following.line)


def _is_pinned(kind: str, text: str) -> bool:
    meta = read_meta(split(text)) if "<!--" in text else None
    if (meta is not None and meta.status == DISPUTED) or quotes_of(text):
        return True
    return kind in _MARKABLE and (PINNED in marks(text) or is_pinned(text, whole=False))


def _place(block: Block, depth: int) -> tuple[str, str]:
    """The topic of a block, and the heading that it stands under in the file of the topic."""
    path = [" ".join(visible(title).rstrip("# ").split()) for title in block.path[depth:]]
    topic = next(filter(None, path), frames.NO_TOPIC)
    return topic, " / ".join(filter(None, path[1:])) or topic


def _worth(block: Block, dynamics: Dynamics, today: date) -> tuple[object, ...]:
    """What it is worth to the notebook: corrections move last, and before them decisions of the
    last weeks.

    Then counts how sure it is and how often it was said, and then its day. Of corrections, only the
    day counts.
    """
    meta = (read_meta(split(block.text)) if block.kind == "item" else None) or Meta("")
    last = meta.last or meta.first or _day_in(block)
    if is_correction(block):
        return True, False, 0, 0, last, block.line
    is_recent = today - last <= _RECENT and not _STAYS.isdisjoint(tags_in(block.text))
    sure = confidence(meta, dynamics, today) if meta.conf is not None else 0
    return False, is_recent, round(sure * _STEPS), meta.n, last, block.line


def _day_in(block: Block) -> date:
    """The latest day that a block or its headings name."""
    text = " ".join((*block.path, block.text[:_READ]))
    days = (day(match[0]) for match in _DAY.finditer(text))
    return max(filter(None, days), default=date.min)
