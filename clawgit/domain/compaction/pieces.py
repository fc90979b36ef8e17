"""What of a notebook may move into the file of a topic: its entries, its prose and its HTML."""

import re
from collections import Counter
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
from clawgit.domain.markdown.document import blocks
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.slug import slug
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.markdown.tag_table import CORRECTION_TAG, TAGS
from clawgit.domain.markdown.tags import tags_in, visible
from clawgit.domain.promotion.marks import PINNED, is_pinned, kinds_of, marks
from clawgit.domain.workspace.tiers import dated
from clawgit.judges.worth import worth
from clawgit.language.names import names

_PROSE = ("para", "fence", "quote", "code")
_MARKABLE = ("item", "para", "html")
"""Kinds of blocks that may be marked as pinned."""

_READ = 400
"""The characters of a block that are read to learn what it is about, which its beginning says."""

_RECENT = timedelta(days=30)
"""How long a decision is recent, and moves last."""

_STAYS = frozenset(tag.name for tag in TAGS if tag.stays_while_recent)

_STEPS = 20
"""Differences below a twentieth are noise: then the older entry moves first."""

_MENTIONS = 5
_A_MENTION = 0.03
"""How many mentions count, and what each of them adds to what an entry is worth."""

_SHARED = 5
_SHARE = 0.6
"""A subject is named in at least this many texts, and in at most this share of them."""

_LONGEST_NAME = 40
_TAKEN = frozenset(("index", "archive", "readme"))
_NAME = re.compile(r"[^\W\d_][\w&-]{2,}")
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_UNSAFE = re.compile(r"[^\w]+")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_SELF_CLOSED = ("br", "hr", "img", "input", "link", "meta", "source", "wbr")


class Piece(NamedTuple):
    """What moves as one: an entry, a run of prose, or a block of HTML.

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
    def is_correction(self) -> bool:
        return is_correction(self.blocks[0])


def pieces(text: str) -> list[Piece]:
    """Everything that may move, in the order of the file."""
    # With a byte order mark before it, a heading in the first line would not be read as one.
    all_blocks = blocks(text.removeprefix("\ufeff"))
    depth = _depth(all_blocks)
    runs = [*_runs(all_blocks, depth)]
    # Counted over all runs, also over those that stay: a subject is one of the whole file.
    subjects = _subjects(run[0].text for run in runs if _is_general(run[0].path[depth:]))
    led = {*_led(all_blocks)}
    free = (run for run in runs if not _stays(run, all_blocks, led))
    return [Piece(run, *_place(run[0], depth, subjects)) for run in free]


def by_worth(chosen: Iterable[Piece], dynamics: Dynamics, today: date) -> list[Piece]:
    """The order in which they move: what is worth least to the notebook first, corrections last.

    Weigh only pieces that may have to move: it costs as much as all else that is done with one.
    """
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
    """Each entry and each piece of HTML by itself, and the prose below a heading as one piece."""
    prose: list[Block] = []
    for block in all_blocks:
        if prose and (block.kind == "blank" or _goes_on(prose, block)):
            prose.append(block)
            continue
        if prose:
            yield _trimmed(prose)
            prose = []
        is_below = len(block.path) > depth
        if is_below and block.kind in _PROSE:
            prose = [block]
        elif _moves_alone(block, is_below=is_below):
            yield (block,)
    if prose:
        yield _trimmed(prose)


def _goes_on(prose: Sequence[Block], block: Block) -> bool:
    return block.kind in _PROSE and block.path == prose[0].path


def _moves_alone(block: Block, *, is_below: bool) -> bool:
    if block.kind == "item":
        return not is_link(block.text)
    return block.kind == "html" and is_below


def _trimmed(prose: Sequence[Block]) -> tuple[Block, ...]:
    last = max(at for at, block in enumerate(prose) if block.kind != "blank")
    return tuple(prose[: last + 1])


def _stays(run: Sequence[Block], all_blocks: Sequence[Block], led: set[int]) -> bool:
    """Whether it must not move: pinned or below a pinned heading, disputed, or a correction that
    its place explains; `led` are the lines of these.
    """
    first = run[0]
    is_kept = (_is_pinned(block.kind, block.text) or block.line in led for block in run)
    if any(map(_pins, first.path)) or any(is_kept):
        return True
    if first.kind == "html" and not _stands_alone(first, all_blocks):
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
        if _is_said_before(block) and following.kind == "item" and is_correction(following):
            yield from (block.line, following.line)


def _is_said_before(block: Block) -> bool:
    """Whether it is prose. An open tag says nothing: it only swallowed the lines after it."""
    if block.kind == "html":
        return not any(_open_tags(block).values())
    return block.kind in _PROSE


@lru_cache(maxsize=1024)  # as `_named`
def _is_pinned(kind: str, text: str) -> bool:
    if kind == "html":
        # Lines below an open tag are no entries, but may have been: each keeps its comment.
        is_disputed = f"status={DISPUTED}" in text
    else:
        meta = read_meta(split(text)) if "<!--" in text else None
        is_disputed = meta is not None and meta.status == DISPUTED
    if is_disputed or quotes_of(text):
        return True
    if kind not in _MARKABLE:
        return False
    return PINNED in marks(text) or is_pinned(text, whole=False)


def _stands_alone(html: Block, all_blocks: Sequence[Block]) -> bool:
    """Whether a block of HTML can move without what stands around it.

    A comment is a mark of some program at its place. A tag whose other end stands in another block
    belongs to what lies between them.
    """
    if not visible(html.text).strip():
        return False
    own = _open_tags(html)
    others = [_open_tags(block) for block in all_blocks if block.kind == "html" and block != html]
    # A product below 0: here more are opened than closed, and there more closed than opened, or the
    # other way round.
    return not any(own[name] * other[name] < 0 for name in own for other in others)


def _open_tags(html: Block) -> Counter[str]:
    """For each kind of tag, how many more are opened than closed; below 0: how many more closed."""
    counts: Counter[str] = Counter()
    for slash, name in _TAG.findall(visible(html.text)):
        if name.lower() not in _SELF_CLOSED:
            counts[name.lower()] += -1 if slash else 1
    return counts


def _place(block: Block, depth: int, subjects: frozenset[str]) -> tuple[str, str]:
    """The topic of a block, and the heading that it stands under in the file of the topic."""
    below = block.path[depth:]
    path = [" ".join(visible(title).rstrip("# ").split()) for title in below]
    subject = _subject(block.text, subjects) if _is_general(below) else ""
    topic = subject or next(filter(None, path), frames.NO_TOPIC)
    under = path if subject else path[1:]
    return topic, " / ".join(filter(None, under)) or topic


def _worth(block: Block, dynamics: Dynamics, today: date) -> tuple[object, ...]:
    """What it is worth to the notebook: corrections move last, HTML before them, and before that
    decisions of the last weeks.

    Then it counts what a block says, how sure it is and how often it was said, and then its day.
    Of corrections, only the day counts.
    """
    meta = (read_meta(split(block.text)) if block.kind == "item" else None) or Meta("")
    last = meta.last or meta.first or _day_in(block)
    if is_correction(block):
        return True, False, False, 0, last, block.line
    is_recent = today - last <= _RECENT and not _STAYS.isdisjoint(tags_in(block.text))
    value = _said(block.text, block.path[-1] if block.path else "")
    if meta.conf is not None:
        value += confidence(meta, dynamics, today)
    value = value / 2 + min(meta.n - 1, _MENTIONS) * _A_MENTION
    return False, block.kind == "html", is_recent, round(value * _STEPS), last, block.line


@lru_cache(maxsize=1024)  # as `_named`
def _said(text: str, heading: str) -> float:
    return worth(" ".join(visible(text).split())[:_READ], heading, place="note")


def _day_in(block: Block) -> date:
    """The latest day that a block or its headings name."""
    text = " ".join((*block.path, block.text[:_READ]))
    days = (day(match[0]) for match in _DAY.finditer(text))
    return max(filter(None, days), default=date.min)


def _is_general(path: Sequence[str]) -> bool:
    """Whether headings say what kind of thing it is, and not what it is about."""
    return not path or bool(kinds_of(path[0])) or path[0].startswith("Promoted From")


def _subjects(texts: Iterable[str]) -> frozenset[str]:
    """The names in several texts; one that stands in most of them tells nothing apart."""
    named = [dict.fromkeys(_named(text)) for text in texts]
    counts = Counter(word for words in named for word in words)
    most = _SHARE * len(named)
    return frozenset(word for word, count in counts.items() if _SHARED <= count <= most)


def _subject(text: str, subjects: frozenset[str]) -> str:
    return next((word for word in _named(text) if word in subjects), "")


@lru_cache(maxsize=1024)  # a full notebook is read again by the next writer
def _named(text: str) -> tuple[str, ...]:
    """The words of a text that are written like names."""
    found = (name.text for name in names(visible(text)[:_READ]))
    return tuple(name for name in found if _NAME.fullmatch(name))
