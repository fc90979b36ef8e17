"""Files as passages: blocks that are shown whole or not at all, each below its headings, and
whether it still holds. A saved session is cut into its turns; what a template says about how to
fill it in is left out.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.context.corrected_lines import Wrong
from clawgit.domain.conversation.dump import SavedTurn, turns
from clawgit.domain.corrections.corrections import read_old_value
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, read_meta, split
from clawgit.domain.markdown.dreaming import staged_lines
from clawgit.domain.markdown.item import Item, whole
from clawgit.domain.markdown.placeholders import is_placeholder, text_key
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.domain.markdown.statuses import DISPUTED, IN_USE, STATUSES, SUPERSEDED
from clawgit.domain.markdown.struck import is_struck
from clawgit.domain.markdown.tag_table import TAGS
from clawgit.domain.markdown.tags import tags_in, visible

_SILENT = ("blank", "rule", "front")

_DEEPEST = 6

_USUAL = 5

_MOST = 10

_TAGGED = {tag.name: tag.importance for tag in TAGS}

_IMPORTANCE = re.compile(r"<!--\s*importance:\s*([0-9]{1,2})\s*-->")

_STATUS = re.compile(r" {0,3}<!--[^>]{0,400}\bstatus:\s*([a-z]+)", re.IGNORECASE)
_UNFILLED = re.compile(r"[-*+] \*\*[^*\n]+(?::\*\*|\*\*:)")
"""`- **Name:**`, with nothing after it yet."""


_BETWEEN_WORDS = re.compile(r"[-\s_.,:;|/()\[\]·–—]+")


class ContextPassage(NamedTuple):
    """`text` is what a reader sees of it. `stale` says why it is no longer true, "" if it is; `was`
    is what it said before it was corrected. `importance` is 1 to 10, from OpenClaw's comment or its
    tags.
    """

    path: str
    line: int
    end_line: int
    text: str
    heads: tuple[str, ...]
    kind: str
    meta: Meta | None = None
    importance: int = 5
    stale: str = ""
    was: str = ""

    @property
    def source(self) -> str:
        if not self.line:
            return self.path  # a message, which has no lines
        return f"{self.path}#L{self.line}" + (
            f"-L{self.end_line}" if self.end_line > self.line else ""
        )

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
            shown = _passages(path, block, tuple(head for _, head in above), today)
            if replaced:
                shown = (passage._replace(stale=replaced) for passage in shown)
            result += shown
            replaced = _observed(block) if block.kind == "html" else ""
    return tuple(result)


def heads_after(path: str, text: str) -> tuple[str, ...]:
    """The headings of what would stand below this beginning of a file."""
    above: list[tuple[int, str]] = [(0, f"## {path}")]
    for block in scan(text.removeprefix("\ufeff")):
        if block.level:
            above = _below(above, block, path)
    return tuple(head for _, head in above)


def standing(passages: Iterable[ContextPassage], wrong: Wrong) -> list[ContextPassage]:
    """The passages, marked as stale where the operator corrected them elsewhere."""
    result = []
    for passage in passages:
        where = "" if passage.stale else wrong.correction_of(passage.text)
        result.append(passage._replace(stale=f"corrected in {where}") if where else passage)
    return result


def pending(passage: ContextPassage) -> ContextPassage:
    """An entry about which the operator has not decided yet; a disputed one says so already."""
    if passage.meta and passage.meta.status == DISPUTED:
        return passage
    return _with_mark(passage, frames.PENDING)


def _with_mark(passage: ContextPassage, mark: str) -> ContextPassage:
    first, _, rest = passage.text.partition("\n")
    return passage._replace(text=f"{first} {mark}" + (f"\n{rest}" if rest else ""))


def _passages(
    path: str, block: Block, heads: tuple[str, ...], today: date
) -> Iterator[ContextPassage]:
    """A block as a whole, or each turn of a conversation."""
    turns = _turns(block)
    if turns:
        first = block.line - 1
        for turn in turns:
            yield ContextPassage(
                path, first + turn.line, first + turn.end_line, turn.text, heads, turn.kind
            )
        return
    text = _seen(block)
    if not text or _UNFILLED.fullmatch(text):
        return
    end = block.line + block.text.rstrip("\n").count("\n")
    struck = SUPERSEDED if is_struck(text) else ""
    plain = ContextPassage(path, block.line, end, text, heads, block.kind, stale=struck)
    has_marks = block.kind == "item" and ("<!--" in block.text or "#" in text)
    yield _judged(plain, block, today) if has_marks else plain


def _turns(block: Block) -> list[Item]:
    """The turns of a paragraph that is a conversation; the first line may introduce it."""
    if block.kind != "para" or "\n" not in block.text[:-1]:
        return []
    parts = [part for part in whole(block.text) if part.text]
    is_talk = len(parts) > 1 and all(part.kind == "turn" for part in parts[1:])
    return parts if is_talk else []


def _judged(plain: ContextPassage, block: Block, today: date) -> ContextPassage:
    """The passage with what its comments and tags say about it."""
    meta = read_meta(split(block.text))
    weighed = _IMPORTANCE.search(block.text)
    if weighed:
        importance = min(int(weighed[1]), _MOST)
    else:
        tags = tags_in(plain.text)
        importance = _USUAL + max((_TAGGED.get(tag, 0) for tag in tags), default=0)
    stale = (_stale(meta, today) if meta else "") or plain.stale
    was = read_old_value(block.text) or ""
    if meta and meta.status == DISPUTED:
        plain = _with_mark(plain, frames.DISPUTED)
    return plain._replace(meta=meta, importance=importance, stale=stale, was=was)


def _stale(meta: Meta, today: date) -> str:
    if meta.status not in IN_USE:
        return meta.status + (f" by {meta.by}" if meta.by else "")
    return f"expired {meta.expires}" if meta.expires and meta.expires < today else ""


def _observed(block: Block) -> str:
    """Whether the comment above an entry says, as OpenClaw does in USER.md, that something newer
    stands for it.
    """
    match = _STATUS.match(block.text)
    status = match[1].lower() if match else ""
    return status if status in STATUSES and status not in IN_USE else ""


def _seen(block: Block) -> str:
    """What a reader sees of a block; in code, markup is shown."""
    text = block.text if block.kind in ("fence", "code") else visible(block.text)
    lines = [line.rstrip() for line in lines_of(text)]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        del lines[0]
    return "\n".join(lines)


def _below(above: list[tuple[int, str]], block: Block, path: str) -> list[tuple[int, str]]:
    """The headings above what comes next. The title of a file stands beside its name, unless it
    says no more.
    """
    title = " ".join(visible(block.path[-1]).split())
    if block.level == 1:
        title = _beyond_name(title, path)
        return [(0, f"## {path}: {title}" if title else f"## {path}")]
    kept = [head for head in above if head[0] < block.level]
    return (
        [*kept, (block.level, f"{'#' * min(block.level + 1, _DEEPEST)} {title}")] if title else kept
    )


def _beyond_name(title: str, path: str) -> str:
    """The title of a file without its name; "" if the name has all its words."""
    name = path.rpartition("/")[2]
    title = title.removeprefix(f"{name}: ")
    words, known = _words(title), _words(name.removesuffix(".md"))
    is_name = words.keys() <= known.keys() or "".join(words) == "".join(known)
    return "" if is_name else title


def _words(title: str) -> dict[str, None]:
    """The words of a title or a name in their order. Signs such as `✅` count, as they may say how
    things stand.
    """
    return dict.fromkeys(filter(None, _BETWEEN_WORDS.split(title.casefold())))


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


def filled_in(
    passages: Sequence[ContextPassage], template: Container[str], *, is_form: bool
) -> list[ContextPassage]:
    """The passages that say something. `template` holds the keys of those that do not.

    In a form, placeholders go too. A line that was edited has another key, so it stays.
    """
    empty = [
        text_key(passage.text) in template or (is_form and is_placeholder(passage.text))
        for passage in passages
    ]
    return [
        passage
        for at, passage in enumerate(passages)
        if not (empty[at] or (_opens_list(passage) and any(empty[at + 1 : at + 2])))
    ]


def _opens_list(passage: ContextPassage) -> bool:
    """Whether it is a line such as `Notes:`, which says nothing without what follows it."""
    text = passage.text
    return passage.kind == "para" and text.endswith((":", "：")) and "\n" not in text
