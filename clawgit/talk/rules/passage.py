"""Files as passages: blocks that are shown whole or not at all, each below its headings, and
whether it still holds. A saved session is cut into its turns; what a template says about how to
fill it in is left out.
"""

import re
from datetime import date
from functools import lru_cache

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import (
    DISPUTED,
    IN_USE,
    NO_FACTS,
    STATUSES,
    SUPERSEDED,
    Meta,
    read_meta,
    split,
)
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.placeholders import staged_lines
from clawgit.core.markdown.scan import Block, lines_of, scan
from clawgit.core.markdown.tag_table import TAGS, is_struck, tags_in, visible
from clawgit.talk.rules.chat import turns

_SILENT = ("blank", "rule", "front")

_DEEPEST = 6

_USUAL = 5

_TAGGED = {tag.name: tag.importance for tag in TAGS}

_OBSERVED = re.compile(
    rf" {{0,3}}<!--[^>]{{0,400}}\bstatus:\s*({'|'.join({*STATUSES} - IN_USE)})\b", re.IGNORECASE
)
"""How OpenClaw says in USER.md, above an entry, that something newer stands for it."""


class ContextPassage(NamedTuple):
    """`text` is what a reader sees of it. `stale` says why it is no longer true, "" if it is.
    `importance` is that of its tags.
    """

    path: str
    line: int
    end_line: int
    text: str
    heads: tuple[str, ...]
    kind: str
    meta: Meta | None = None
    importance: int = _USUAL
    stale: str = ""

    @property
    def source(self) -> str:
        if not self.line:
            return self.path  # a message, which has no lines
        return f"{self.path}#L{self.line}" + (
            f"-L{self.end_line}" if self.end_line > self.line else ""
        )

    @property
    def titles(self) -> list[str]:
        """The headings above it, as they are written; the first of `heads` is the file's name."""
        return [head.lstrip("# ") for head in self.heads[1:]]

    @property
    def lines(self) -> range:
        return range(self.line, self.end_line + 1)

    @property
    def name(self) -> str:
        """The id by which it is known wherever it stands."""
        return f"claw:{self.meta.id}" if self.meta and self.meta.id else ""


@lru_cache(maxsize=128)
def passages(path: str, text: str, today: date) -> tuple[ContextPassage, ...]:
    """All that a reader of the file sees, in order, without what OpenClaw only stages for itself.

    Cached, since a server reads files again.
    """
    above: list[tuple[int, str]] = [(0, f"## {path}")]
    result: list[ContextPassage] = []
    replaced = ""
    staged = staged_lines(text)
    for block in scan(text.removeprefix("\ufeff")):
        if block.level:
            above = _below(above, block, path)
        elif block.kind not in _SILENT and block.line not in staged:
            shown = _passage(path, block, tuple(head for _, head in above), today)
            if shown:
                result.append(shown._replace(stale=replaced or shown.stale))
            observed = _OBSERVED.match(block.text) if block.kind == "html" else None
            replaced = observed[1].lower() if observed else ""
    return tuple(result)


@lru_cache(maxsize=128)
def session_passages(path: str, text: str, today: date) -> tuple[ContextPassage, ...]:
    """What a session says, `text` as `as_turns` reads it. Cached, as `passages` is."""
    said = [*turns(text)]
    if not said:
        return passages(path, text, today)
    first = said[0].line
    # With the first line of a turn, so that the last passage has the headings of the turns.
    begun = passages(path, "\n".join(text.split("\n")[:first]), today)
    heads = begun[-1].heads if begun else (f"## {path}",)
    # What was said at once stays whole: no line of it says by itself who speaks.
    blocks = (Block("turn", turn.line, turn.text.rstrip()) for turn in said)
    spoken = filter(None, (_passage(path, block, heads, today) for block in blocks))
    return (*(passage for passage in begun if passage.end_line < first), *spoken)


def pending(passage: ContextPassage) -> ContextPassage:
    """An entry about which the operator has not decided yet; a disputed one says so already."""
    if passage.meta and passage.meta.status == DISPUTED:
        return passage
    return _with_mark(passage, frames.PENDING)


def _with_mark(passage: ContextPassage, mark: str) -> ContextPassage:
    first, gap, rest = passage.text.partition("\n")
    return passage._replace(text=f"{first} {mark}{gap}{rest}")


def _passage(path: str, block: Block, heads: tuple[str, ...], today: date) -> ContextPassage | None:
    """A block with what its comments and tags say about it; None if nobody sees any of it."""
    text = _seen(block)
    if not text:
        return None
    stale = SUPERSEDED if is_struck(text) else ""
    plain = ContextPassage(path, block.line, block.end, text, heads, block.kind, stale=stale)
    if block.kind != "item":
        return plain
    importance = _USUAL + max((_TAGGED.get(tag, 0) for tag in tags_in(text)), default=0)
    meta = read_meta(split(block.text)) or NO_FACTS
    judged = plain._replace(meta=meta, importance=importance, stale=_stale(meta, today) or stale)
    return _with_mark(judged, frames.DISPUTED) if meta.status == DISPUTED else judged


def _stale(meta: Meta, today: date) -> str:
    if meta.status not in IN_USE:
        return meta.status + (f" by {meta.by}" if meta.by else "")
    return f"expired {meta.expires}" if meta.expires and meta.expires < today else ""


def _seen(block: Block) -> str:
    """What a reader sees of a block; in code, markup is shown."""
    text = block.text if block.kind in ("fence", "code") else visible(block.text)
    return "\n".join(line.rstrip() for line in lines_of(text)).strip("\n")


def _below(above: list[tuple[int, str]], block: Block, path: str) -> list[tuple[int, str]]:
    """The headings above what comes next. The title of a file stands beside its name, unless it
    says no more.
    """
    title = one_line(visible(block.path[-1]))
    if block.level == 1:
        name = path.rpartition("/")[2]
        title = title.removeprefix(f"{name}: ")
        is_same = f"{title}.md".casefold() == name.casefold()
        return [(0, f"## {path}" if is_same or not title else f"## {path}: {title}")]
    kept = [head for head in above if head[0] < block.level]
    return (
        [*kept, (block.level, f"{'#' * min(block.level + 1, _DEEPEST)} {title}")] if title else kept
    )
