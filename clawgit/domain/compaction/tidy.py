"""MEMORY.md kept short: detail moves into topic files, one line for each says where it is, and
nothing is lost.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from clawgit.domain.compaction.compaction import is_correction
from clawgit.domain.compaction.moved import LINK, Moved, is_link, link
from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.facts.confidence import Dynamics, confidence
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, day, read_meta, split
from clawgit.domain.markdown.entry import append_entry, entries
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.domain.markdown.slug import slug
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.markdown.tag_table import CATEGORIES, TAGS
from clawgit.domain.markdown.tags import tags_in, visible
from clawgit.domain.promotion.edit import NOTEBOOK_CHARACTERS, NOTEBOOK_LINES, cut_out, takes_more
from clawgit.domain.promotion.marks import PINNED, is_pinned, kinds_of, marks
from clawgit.domain.workspace.tiers import dated
from clawgit.judges.worth import worth
from clawgit.language.names import names


class Tidied(NamedTuple):
    """`files` are the topic files as they will be; `text` is the notebook, as it was where nothing
    had to move.
    """

    text: str
    files: Mapping[str, str]
    moved: tuple[Moved, ...] = ()


class Limits(NamedTuple):
    """How long a notebook may be."""

    characters: int = NOTEBOOK_CHARACTERS
    lines: int = NOTEBOOK_LINES

    def hold(self, text: str, share: float = 1.0) -> bool:
        return len(text) <= share * self.characters and len(text.splitlines()) <= share * self.lines


class _Piece(NamedTuple):
    """What moves as one: an entry, or a run of prose. `heading` is what it stands under in the file
    of its topic.
    """

    blocks: tuple[Block, ...]
    topic: str
    heading: str
    worth: tuple[object, ...]

    @property
    def raw(self) -> str:
        return "".join(block.text for block in self.blocks)

    @property
    def lines(self) -> set[int]:
        return {block.line for block in self.blocks}

    @property
    def path(self) -> str:
        return topic_path(self.topic)


def tidy(
    text: str, topics: Mapping[str, str], dynamics: Dynamics, today: date, full: float = 1.0
) -> Tidied:
    """Moves the least of a notebook that takes more than a share of its limits into topic files, as
    much as must for it to fit and no more. `topics` are the files that are there. What is pinned,
    what was set right, what is disputed and the sections that say that they must stay are not
    touched; decisions of the last weeks and what is surest go last.
    """
    if Limits().hold(text, full) or not takes_more(text):
        return Tidied(text, {})
    pieces = sorted(_pieces(text, dynamics, today), key=lambda piece: piece.worth)
    return _roomy(text, topics, pieces, Limits(), min(full, _JUST_UNDER))


def with_room(
    before: str, after: str, topics: Mapping[str, str], dynamics: Dynamics, today: date
) -> Tidied:
    """A notebook that somebody wrote into, within its limits: what is new in it moves first, then
    what is worth least. A correction gets in. One that was too long before gets no longer.
    """
    limits = Limits(
        max(NOTEBOOK_CHARACTERS, len(before)), max(NOTEBOOK_LINES, len(before.splitlines()))
    )
    if limits.hold(after) or not takes_more(after):
        return Tidied(after, {})
    known = {entry.key for entry in entries(before)}
    fresh = {entry.line for entry in entries(after) if entry.key not in known}

    def rank(piece: _Piece) -> tuple[object, ...]:
        return piece.lines.isdisjoint(fresh), piece.worth

    return _roomy(after, topics, sorted(_pieces(after, dynamics, today), key=rank), limits, 1.0)


def _roomy(
    text: str, topics: Mapping[str, str], pieces: Sequence[_Piece], limits: Limits, share: float
) -> Tidied:
    """As few of the pieces moved, from the first on, as must for the rest to fit; all of them where
    that is too few.
    """
    done: dict[int, Tidied] = {0: Tidied(text, {})}

    def fits_without(count: int) -> bool:
        if count not in done:
            done[count] = _moved(text, topics, pieces[:count])
        return limits.hold(done[count].text, share)

    guess, step = len(_least(text, pieces, limits, share)), 1
    low, high = 0, guess
    while not fits_without(high) and high < len(pieces):
        low, high, step = high, min(high + step, len(pieces)), 2 * step
    step = 1
    while low < high and low == 0 and step < high:
        if not fits_without(high - step):
            low = high - step
        else:
            high, step = high - step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits_without(middle) else (middle, high)
    return done.get(high) or _moved(text, topics, pieces[:high])


def topic_path(topic: str) -> str:
    """The file of a topic: never one of a day, whatever it is called."""
    name = (
        slug(topic)
        or _UNSAFE.sub("-", topic.casefold())[:_LONGEST].strip("-")
        or slug(frames.TOPICS)
    )
    path = f"memory/{name}.md" if name not in _TAKEN else f"memory/{name}-topic.md"
    return f"memory/{slug(frames.TOPICS)}.md" if dated(path) else path


def _pieces(text: str, dynamics: Dynamics, today: date) -> list[_Piece]:
    blocks = scan(text.removeprefix("\ufeff"))
    top = [block for block in blocks if block.level == 1]
    depth = 1 if len(top) == 1 and top[0] is next(block for block in blocks if block.level) else 0
    runs = [*_runs(blocks, depth)]
    subjects = _subjects(run[0].text for run in runs if _is_general(run[0].path[depth:]))
    return [
        _piece(run, depth, subjects, (dynamics, today)) for run in runs if not _stays(run, blocks)
    ]


def _stays(run: Sequence[Block], blocks: Sequence[Block]) -> bool:
    """Whether it must not move: pinned or below a heading that is, set right, or disputed."""
    if any(is_pinned(title) or PINNED in kinds_of(title) for title in run[0].path):
        return True
    if any(map(is_correction, run)) or any(_is_pinned(block) for block in run):
        return True
    after = next((one for one in blocks if one.line > run[-1].line and one.kind != "blank"), None)
    return (
        run[0].kind != "item"
        and after is not None
        and after.kind == "item"
        and is_correction(after)
    )


def _is_pinned(block: Block) -> bool:
    meta = read_meta(split(block.text)) if "<!--" in block.text else None
    if (meta is not None and meta.status == DISPUTED) or quotes_of(block.text):
        return True
    return block.kind in ("item", "para") and (
        PINNED in marks(block.text) or is_pinned(block.text, whole=False)
    )


def _runs(blocks: Sequence[Block], depth: int) -> Iterator[tuple[Block, ...]]:
    """What may move: each entry for itself, and prose below a topic's heading as it stands
    together.
    """
    prose: list[Block] = []
    for block in [*blocks, Block("rule", 0, "")]:
        below = len(block.path) > depth
        if below and block.kind in _PROSE and (not prose or prose[0].path == block.path):
            prose.append(block)
        elif block.kind != "blank" or not prose:
            if prose:
                yield _trimmed(prose)
            prose = [block] if below and block.kind in _PROSE else []
            if block.kind == "item" and not is_link(block.text):
                yield (block,)
        else:
            prose.append(block)


def _trimmed(prose: Sequence[Block]) -> tuple[Block, ...]:
    last = max(at for at, block in enumerate(prose) if block.kind != "blank")
    return tuple(prose[: last + 1])


def _piece(
    run: tuple[Block, ...], depth: int, subjects: frozenset[str], when: tuple[Dynamics, date]
) -> _Piece:
    path = tuple(" ".join(visible(title).rstrip("# ").split()) for title in run[0].path[depth:])
    subject = _subject(run[0].text, subjects) if _is_general(run[0].path[depth:]) else ""
    topic = subject or next(filter(None, path), frames.NO_TOPIC)
    under = path if subject else path[1:]
    return _Piece(run, topic, " / ".join(filter(None, under)) or topic, _worth(run, *when))


def _worth(run: tuple[Block, ...], dynamics: Dynamics, today: date) -> tuple[object, ...]:
    """What goes last is worth most: decisions of the last weeks, then by what it says, how sure it
    is and how often it was said; then the newest.
    """
    block = run[0]
    meta = (read_meta(split(block.text)) if block.kind == "item" else None) or Meta("")
    last = meta.last or meta.first or _day_in(block)
    recent = today - last <= _RECENT and not _STAYS.isdisjoint(tags_in(block.text))
    said = worth(
        " ".join(visible(block.text).split())[:_READ],
        block.path[-1] if block.path else "",
        place="note",
    )
    value = (said + confidence(meta, dynamics, today)) / 2 if meta.conf is not None else said / 2
    value += min(meta.n - 1, _MENTIONS) * _A_MENTION if meta.n else 0
    return recent, round(value * _STEPS), last, block.line


def _day_in(block: Block) -> date:
    """The latest day that a block or its headings name."""
    days = (found[0] for found in _DAY.finditer(" ".join((*block.path, block.text[:_READ]))))
    return max(filter(None, map(day, days)), default=date.min)


def _least(text: str, pieces: Iterable[_Piece], limits: Limits, share: float) -> list[_Piece]:
    """The pieces of least worth without which a text takes no more than a share of its limits,
    links counted in.
    """
    size, lines = len(text), len(text.splitlines())
    chosen: list[_Piece] = []
    there = {found[2] for found in map(LINK.fullmatch, map(str.strip, lines_of(text))) if found}
    linked: set[str] = set()
    for piece in pieces:
        if size <= share * limits.characters and lines <= share * limits.lines:
            break
        chosen.append(piece)
        size -= len(piece.raw)
        lines -= piece.raw.count("\n")
        if piece.path not in linked:
            size += _LINK_GROWTH
        if piece.path not in there | linked:
            size, lines = (
                size + _LINK_LENGTH + 2 * len(piece.topic),
                lines + (1 if there | linked else _LINK_HEADING),
            )
        linked.add(piece.path)
    return chosen


def _moved(text: str, topics: Mapping[str, str], chosen: Iterable[_Piece]) -> Tidied:
    """The notebook without these pieces, and the files of their topics with them; a piece that
    cannot be moved whole stays.
    """
    by_path: dict[str, list[_Piece]] = {}
    for piece in sorted(chosen, key=lambda one: one.blocks[0].line):
        by_path.setdefault(piece.path, []).append(piece)
    files: dict[str, str] = {}
    gone: list[_Piece] = []
    for path, pieces in by_path.items():
        text_there, placed = _shelved(topics.get(path, ""), pieces)
        if placed:
            files[path] = text_there
            gone += placed
    gone.sort(key=lambda one: one.blocks[0].line)
    left = cut_out(text, {line for piece in gone for line in piece.lines}, _STANDARD)
    if left is None:
        stays = next(
            (piece for piece in gone if cut_out(text, piece.lines, _STANDARD) is None), gone[-1]
        )
        return _moved(text, topics, [piece for piece in gone if piece is not stays])
    for path, told in files.items():
        left = _linked(left, by_path[path][0].topic, path, told)
    return Tidied(left, files, tuple(_told(piece) for piece in gone))


def _shelved(text: str, pieces: Sequence[_Piece]) -> tuple[str, list[_Piece]]:
    """The file of a topic with more pieces, and those that stand there as they were. Where one
    would not be the same there, halves are tried: each look reads the whole file.
    """
    before = text or frames.TITLE.format(title=pieces[0].topic)
    if not takes_more(before):
        return text, []
    after = before
    for heading, item in _appended(pieces):
        after = append_entry(after, heading, item)
    added = Counter(
        _core(block) for piece in pieces for block in piece.blocks if block.kind != "blank"
    )
    grown = Counter(map(_core, scan(after)))
    grown.subtract(map(_core, scan(before)))
    if min(grown.values()) >= 0 and all(grown[one] >= count for one, count in added.items()):
        return after, [*pieces]
    if len(pieces) == 1:
        return text, []
    middle = len(pieces) // 2
    text, first = _shelved(text, pieces[:middle])
    text, second = _shelved(text, pieces[middle:])
    return text, [*first, *second]


def _appended(pieces: Sequence[_Piece]) -> Iterator[tuple[str, str]]:
    """What is put behind what is there, with its heading: entries that follow each other at
    once.
    """
    blocks = (
        (piece.heading, block)
        for piece in pieces
        for block in piece.blocks
        if block.kind != "blank"
    )
    for (heading, is_item), run in groupby(blocks, key=lambda one: (one[0], one[1].kind == "item")):
        texts = [block.text.removeprefix("\ufeff") for _, block in run]
        if is_item:
            yield heading, "".join(text if text.endswith("\n") else f"{text}\n" for text in texts)
        else:
            yield from ((heading, text) for text in texts)


def _core(block: Block) -> tuple[str, str]:
    return block.kind, block.text.replace("\r\n", "\n").rstrip(
        "\n"
    ) if block.kind != "blank" else ""


def _linked(text: str, title: str, path: str, told: str) -> str:
    """The notebook with the link to a topic, one that is there anew, under its old name."""
    lines = lines_of(text)
    for block in scan(text):
        old = LINK.fullmatch(block.text.strip()) if block.kind == "item" else None
        if old and old[2] == path:
            end = block.text[len(block.text.rstrip("\r\n")) :]
            lines[block.line - 1] = link(old[1], path, told) + end
            return "".join(lines)
    return append_entry(text, frames.TOPICS, link(title, path, told))


def _told(piece: _Piece) -> Moved:
    shown = visible(split(piece.blocks[0].text).visible).strip()
    return Moved(piece.blocks[0].line, shown, piece.path)


def _is_general(path: Sequence[str]) -> bool:
    """Whether headings say of what kind a thing is, and not what it is about."""
    return not path or bool(kinds_of(path[0])) or path[0].startswith("Promoted From")


def _subjects(texts: Iterable[str]) -> frozenset[str]:
    """The words that several texts are about; one that stands in most of them tells nothing
    apart.
    """
    named = [dict.fromkeys(_named(text)) for text in texts]
    counted = Counter(word for words in named for word in words)
    return frozenset(
        word for word, count in counted.items() if _SHARED <= count <= _SHARE * len(named)
    )


def _subject(text: str, subjects: frozenset[str]) -> str:
    return next((word for word in _named(text) if word in subjects), "")


def _named(text: str) -> Iterator[str]:
    """The words of a text that are written like names."""
    yield from (found.text for found in names(visible(text)[:_READ]) if _NAME.fullmatch(found.text))


_JUST_UNDER = 0.98
"""The share of its limits that a notebook has at most after it was tidied."""

_READ = 400
_STEPS = 20
_MENTIONS = 5
_A_MENTION = 0.03
_RECENT = timedelta(days=30)
_SHARED = 5
_SHARE = 0.6
_LINK_LENGTH = 40
_LINK_GROWTH = 4
_LINK_HEADING = 4
"""Characters of a new link and of one that counts more; lines of the first one, with its
heading."""

_LONGEST = 40
_PROSE = ("para", "fence", "quote", "code")
_STANDARD = tuple(tag.heading for tag in CATEGORIES)
_STAYS = frozenset(tag.name for tag in TAGS if tag.stays_while_recent)
_TAKEN = frozenset(("index", "archive", "readme"))
_NAME = re.compile(r"[^\W\d_][\w&-]{2,}")
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_UNSAFE = re.compile(r"[^\w]+")
