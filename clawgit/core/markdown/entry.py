"""Entries: the top-level list items of MEMORY.md and of memory/, with their facts and tags."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import count, takewhile

from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError, Finding, counted, few
from clawgit.core.layout import is_markdown
from clawgit.core.markdown.comment import (
    ENTRY_IDS,
    NO_FACTS,
    STATUSES,
    Meta,
    entry_id,
    is_id,
    lead_end,
    read_meta,
    split,
)
from clawgit.core.markdown.decoding import exact_text
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.scan import Block, lines_of, scan
from clawgit.core.markdown.tag_table import PRIMARY, comments_in, tags_in, visible, without_code
from clawgit.core.tiers import NOTEBOOKS, dated, is_note
from clawgit.git.rules.ids import digest
from clawgit.language.lazily import lazily
from clawgit.safety.rules.masks import head

NOTEBOOK_CHARACTERS = 20_000
NOTEBOOK_LINES = 200
"""The limits of MEMORY.md. OpenClaw cuts the middle out of a longer file."""

BULLET = lazily(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|$)(?:\[[xX]\][ \t]+)?", re.MULTILINE)
"""How a list item begins as it is shown, with the tick of a task that is done."""
RAW_BULLET = lazily(r"\ufeff? {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|(?=\r?$))", re.MULTILINE)
"""How it begins in its file."""

_SHOWN = 60
_MOST_QUOTED = 5


def fits(text: str) -> bool:
    return len(text) <= NOTEBOOK_CHARACTERS and len(text.splitlines()) <= NOTEBOOK_LINES


class MovedBlock(NamedTuple):
    """A block of the notebook, by its first line there, and the file that it goes to."""

    line: int
    text: str
    target: str


def move_notice(notebook: str, moved: Sequence[MovedBlock]) -> str:
    """The message to whoever wrote into a full notebook: which lines moved, and where to."""
    number = counted(len(moved), "entry", "entries")
    targets = ", ".join(sorted({entry.target for entry in moved}))
    bare = (BULLET.sub("", entry.text, count=1) for entry in moved)
    quotes = few((f"“{in_a_line(words, _SHOWN)}”" for words in bare), _MOST_QUOTED)
    return f"{notebook} is full: {number} moved to {targets}: {'; '.join(quotes)}."


_CONTENT_KEY = lazily(r"h[0-9a-f]{7}")
_CLAW = lazily(r"<!--[ \t]*claw:")
_EXCERPT = 40
"""A problem quotes at most this many characters of an entry."""


class Entry(NamedTuple):
    """An item of the file `path`. `text` is what a reader sees: no bullet, no comments; `raw` is
    the item as it stands, with its line end; `under` are the headings above it.

    `tags` are those of its own first paragraph; those of nested items are theirs.
    """

    path: str
    line: int
    end_line: int
    text: str
    tags: tuple[str, ...]
    meta: Meta | None
    under: tuple[str, ...]
    raw: str

    @property
    def primary(self) -> str:
        """Its category, "" if it has none."""
        return next((tag for tag in self.tags if tag in PRIMARY), "")

    @property
    def facts(self) -> Meta:
        """What its comment says: nothing where it has none."""
        return self.meta or NO_FACTS

    @property
    def key(self) -> str:
        """What addresses it: its id, else the hash of its text."""
        return self.facts.id or content_key(self.text)

    @property
    def status(self) -> str:
        return self.facts.status

    @property
    def day(self) -> date | None:
        """When it was last said: the day in its comment, else the day of its note."""
        return self.facts.last or self.facts.first or dated(self.path)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@lru_cache(maxsize=64)  # for the same reason as `scan`; a run asks it of each file of memory
def entries(text: str, path: str = "") -> tuple[Entry, ...]:
    return tuple(entry_of(block, path) for block in scan(text) if block.kind == "item")


def content_key(text: str) -> str:
    """Addresses a text without an id: `h` and seven digits of its hash, however it is spaced."""
    return f"h{digest(one_line(text))[:7]}"


def is_content_key(ident: str) -> bool:
    """Whether this is what `content_key` makes; an id of an entry may look the same."""
    return _CONTENT_KEY.fullmatch(ident) is not None


def id_from(seed: str) -> str:
    """The id that follows from a text, everywhere the same."""
    return entry_id(int(digest(seed)[:16], 16) % ENTRY_IDS)


def id_not_in(taken: Container[str], seed: str) -> str:
    """The first of the ids that follow from a seed that is free."""
    idents = (id_from(f"{seed}\0{number}") for number in count())
    return next(ident for ident in idents if ident not in taken)


@lru_cache(maxsize=4096)  # a search asks it of the file of each item that it looks at
def holds_entries(path: str) -> bool:
    """Whether the items of a file, named from the root of the workspace, are entries."""
    return path in NOTEBOOKS or is_note(path)


def render(text: str, meta: Meta | None = None) -> str:
    """A new entry as a list item without a line end. Several lines become one."""
    comment = f" {meta}" if meta else ""
    return f"- {one_line(text)}{comment}"


def append_entry(text: str, heading: str | None, item: str) -> str:
    """`text` with an item after the last block right under a heading; None: at the end.

    A heading that is not there is made at the end. The item comes without a line end, as `render`
    gives it. It is no entry where the text ends within a code fence or a comment.
    """
    blocks = [block for block in scan(text) if block.kind != "blank"]
    if heading is None:
        return _after(text, blocks[-1] if blocks else None, item)
    for at, block in enumerate(blocks):
        if block.level and block.path[-1] == heading:
            under = takewhile(lambda below: not below.level, blocks[at + 1 :])
            return _after(text, [block, *under][-1], item)
    return append_entry(text, None, f"## {heading}\n\n{item}")


def with_meta(text: str, entry: Entry, meta: Meta | None) -> str:
    """`text` with other facts for one of its entries; None takes its comment away.

    If it has these facts already, it stays unchanged, however they are written.
    """
    if meta == entry.meta:
        return text
    parts = split(entry.raw)
    comment = f" {meta}" if meta else ""
    return replaced(text, entry, f"{parts.before}{comment}{parts.after}")


def with_words(text: str, entry: Entry, words: str, meta: Meta | None) -> str:
    """`text` with other words in the first paragraph of an entry. What is nested in it stays, and
    so do its other comments.
    """
    parts = split(entry.raw)
    bullet = RAW_BULLET.match(entry.raw)
    pieces = (words, *comments_in(parts.before), *([str(meta)] if meta else []))
    start = bullet[0] if bullet else ""
    return replaced(text, entry, f"{start}{' '.join(pieces)}{parts.after}")


def removed(text: str, entry: Entry) -> str:
    """`text` without an entry. Of the blank lines on both sides of it, those before it stay."""
    before, after = _around(text, entry)
    if before and not before[-1].strip():
        while after and not after[0].strip():
            del after[0]
    return "".join([*before, *after])


def replaced(text: str, entry: Entry, raw: str) -> str:
    """`text` with an entry rewritten. `raw` brings its line end along."""
    before, after = _around(text, entry)
    return "".join([*before, raw, *after])


def problems(path: str, text: str) -> tuple[Finding, ...]:
    """What is wrong with the entries of a file: never a matter of taste, never that something is
    missing. An id that another entry has too is a warning: each of the two can be read.
    """
    # Without a comment and without a tag, an entry has nothing that could be wrong.
    if not holds_entries(path) or not ("claw:" in text or "#" in text):
        return ()
    every = entries(text, path)
    ids = Counter(entry.meta.id for entry in every if entry.meta)
    return tuple(found for entry in every for found in _problems_of(entry, ids))


def _problems_of(entry: Entry, ids: Mapping[str, int]) -> Iterator[Finding]:
    for message, hint in _wrong(entry):
        # Named only where something is wrong: a mask asks the rules of secrets, 8 ms of each write.
        name = head(entry.text.partition("\n")[0], _EXCERPT)
        yield Finding(f"“{name}”{message}", hint, entry.path, entry.line)
    times = ids[entry.meta.id] if entry.meta else 0
    if times > 1:
        message = f"the id {entry.key} is in {times} entries"
        hint = "`clawgit doctor --fix` gives the later one an id of its own."
        yield Finding(message, hint, entry.path, entry.line, refused=False)


def entry_of(block: Block, path: str = "") -> Entry:
    """The entry that a list item is."""
    return Entry(path, block.line, block.end, *_read_item(block.text), block.path, block.text)


@lru_cache(maxsize=4096)  # a write adds one item and reads its file several times
def _read_item(raw: str) -> tuple[str, tuple[str, ...], Meta | None]:
    parts = split(raw)
    bullet = RAW_BULLET.match(raw)
    width = len(bullet[0].expandtabs(4)) if bullet else 0
    start = bullet.end() if bullet else 0
    lead = visible(raw[: lead_end(raw)])
    shown = visible(parts.visible)[start:]
    first, *rest = shown.strip().split("\n")
    lines = [first, *(re.sub(rf"^[ \t]{{0,{width}}}", "", line) for line in rest)]
    return "\n".join(line.rstrip() for line in lines), tags_in(lead), read_meta(parts)


def _wrong(entry: Entry) -> Iterator[tuple[str, str]]:
    """What follows the words of an entry where something is wrong with it, and a hint."""
    primary = [f"#{tag}" for tag in entry.tags if tag in PRIMARY]
    if len(primary) > 1:
        yield (
            f" has more than one primary tag: {', '.join(primary)}",
            "Keep the one that fits best.",
        )
    if "claw:" not in entry.raw:
        return
    written = without_code(entry.raw[: lead_end(entry.raw)])
    if len(_CLAW.findall(written)) > (entry.meta is not None):
        yield (
            " has a claw comment that is not its own",
            "Keep one, closed with -->, at the end of the entry.",
        )
    if entry.meta and not is_id(entry.meta.id):
        hint = "An id is a letter and five more letters or digits, all lower case."
        yield f": the id {entry.meta.id!r} is not valid", hint
    # Any other fact that cannot be read counts as absent. By this one, an entry would not count.
    if entry.meta and entry.meta.status not in STATUSES:
        hint = f"A status is one of {', '.join(STATUSES)}."
        yield f": status={entry.meta.status} cannot be read", hint


def _after(text: str, last: Block | None, item: str) -> str:
    """`text` with an item on lines of its own after a block.

    A blank line stands around it, unless it joins a list there.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    is_item = RAW_BULLET.match(item) is not None
    lines = lines_of(text)
    at = last.line - 1 + len(lines_of(last.text)) if last else 0
    before, after = lines[:at], lines[at:]
    if before and not before[-1].endswith("\n"):
        before[-1] += newline
    if last and not (is_item and last.kind == "item"):
        before.append(newline)
    following = after[0] if after else ""
    joins = is_item and RAW_BULLET.match(following)
    if following.strip() and not joins:
        after.insert(0, newline)
    added = item.rstrip("\r\n").replace("\r\n", "\n").replace("\n", newline) + newline
    return "".join([*before, added, *after])


def _around(text: str, entry: Entry) -> tuple[list[str], list[str]]:
    """The lines before and after an entry. Refuses one that was read from another text: it would
    overwrite other lines.
    """
    lines, start = lines_of(text), entry.line - 1
    if "".join(lines[start : entry.end_line]) != entry.raw:
        raise ValueError(f"the entry of line {entry.line} is not from this text")
    return lines[:start], lines[entry.end_line :]


# What must not enter a file: checked at the end of each transaction, and by the hooks.

_NAMED = lazily(r"claw:[^\s>]*")


class InvalidEntryError(ClawgitError):
    """A change of ours that would write an entry that cannot be read back."""

    kind = "invalid_entry"


def new_problems(path: str, before: bytes | None, after: bytes | None) -> tuple[Finding, ...]:
    """What a change makes wrong in a file, without what was wrong there already."""
    if after is None or not is_markdown(path):
        return ()
    wrong = problems(path, exact_text(after))
    if not wrong:
        return ()  # nearly always: the old text is not read then
    known = {problem.why for problem in problems(path, exact_text(before))}
    return tuple(problem for problem in wrong if problem.why not in known)


def refuse_invalid(path: str, before: bytes | None, after: bytes | None) -> None:
    """Raises for the first new problem, before anything is written.

    Not for a text that history already had: that can always come back.
    """
    for problem in new_problems(path, before, after):
        raise InvalidEntryError(problem.text, hint=problem.remedy)


def with_own_ids(text: str) -> str:
    """`text` with a new id for each entry whose id an earlier one has; the same text gives the
    same.
    """
    ids = _NAMED.findall(text)
    if len(ids) == len(set(ids)):
        return text  # nearly always, and found without reading the entries
    seen: set[str] = set()
    for entry in entries(text):
        if entry.meta is None or not entry.meta.id:
            continue
        if entry.meta.id in seen:
            # An id that follows from the old one and the words, and that the text does not hold.
            ident = id_not_in(text, f"{entry.meta.id}\0{entry.text}")
            # No line moves: the entries that were read before still stand where they stood.
            text = with_meta(text, entry, entry.meta._replace(id=ident))
        seen.add(entry.meta.id)
    return text
