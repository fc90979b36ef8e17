"""Entries: the top-level list items of MEMORY.md and of the Markdown files under memory/, with
their facts and tags.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import NamedTuple

from clawgit.domain.markdown.comment import Meta, day, is_count, lead_end, read_meta, split
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.domain.markdown.statuses import STATUSES
from clawgit.domain.markdown.tag_table import PRIMARY
from clawgit.domain.markdown.tags import tags_in, visible, without_code
from clawgit.domain.safety.masks import head
from clawgit.domain.workspace.tiers import NOTEBOOKS


class Entry(NamedTuple):
    """`text` is what a reader sees: no bullet, no comments. `raw` is the item as it stands, with
    its line end.

    `tags` are those of its own first paragraph; those of nested items are theirs.
    """

    line: int
    end_line: int
    text: str
    tags: tuple[str, ...]
    meta: Meta | None
    path: tuple[str, ...]
    raw: str

    @property
    def primary(self) -> str:
        """Its category, "" where it has none."""
        return next((tag for tag in self.tags if tag in PRIMARY), "")

    @property
    def key(self) -> str:
        """What addresses it: its id, else `h` and seven digits of the hash of its text, however
        that is spaced.
        """
        return self.meta.id if self.meta and self.meta.id else content_key(self.text)


class Problem(NamedTuple):
    """`doubled`: it is an id that another entry of the file has too; each of them can be read."""

    line: int
    message: str
    hint: str
    doubled: bool = False


def entries(text: str) -> tuple[Entry, ...]:
    return tuple(entry_of(block) for block in scan(text) if block.kind == "item")


def content_key(text: str) -> str:
    words = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return f"h{hashlib.sha256(words).hexdigest()[:7]}"


def holds_entries(path: str) -> bool:
    """Whether the items of a file, named from the root of the workspace, are entries."""
    return path in NOTEBOOKS or (path.startswith("memory/") and path.lower().endswith(".md"))


def render(text: str, meta: Meta | None = None) -> str:
    """A new entry as a list item without a line end. The lines of a text with several become
    one.
    """
    return f"- {' '.join(text.split())}{f' {meta}' if meta else ''}"


def append_entry(text: str, heading: str | None, item: str) -> str:
    """`text` with an item behind the last block right under a heading, made at the end if there is
    none; None: the end.

    The item comes without a line end, as `render` gives it. It is no entry where the text ends
    within a code fence or a comment.
    """
    blocks = [block for block in scan(text) if block.kind != "blank"]
    if heading is None:
        return _after(text, blocks[-1] if blocks else None, item)
    at = next(
        (n for n, block in enumerate(blocks) if block.level and block.path[-1] == heading), None
    )
    if at is None:
        return append_entry(text, None, f"## {heading}\n\n{item}")
    under = takewhile(lambda block: not block.level, blocks[at + 1 :])
    return _after(text, [blocks[at], *under][-1], item)


def with_meta(text: str, entry: Entry, meta: Meta | None) -> str:
    """`text` with other facts for one of its entries; None takes its comment away."""
    parts = split(entry.raw)
    return replaced(text, entry, f"{parts.before}{f' {meta}' if meta else ''}{parts.after}")


def removed(text: str, entry: Entry) -> str:
    """`text` without an entry. Of the blank lines on both sides of it, those before it stay."""
    lines = lines_of(text)
    before, after = lines[: entry.line - 1], lines[entry.end_line :]
    _must_stand(text, entry)
    if before and not before[-1].strip():
        while after and not after[0].strip():
            del after[0]
    return "".join([*before, *after])


def replaced(text: str, entry: Entry, raw: str) -> str:
    """`text` with an entry written anew. `raw` brings its line end along."""
    _must_stand(text, entry)
    lines = lines_of(text)
    return "".join([*lines[: entry.line - 1], raw, *lines[entry.end_line :]])


def problems(path: str, text: str) -> tuple[Problem, ...]:
    """What is wrong with the entries of a file: never a matter of taste, and never that something
    is missing.
    """
    if not holds_entries(path):
        return ()
    items = [block for block in scan(text) if block.kind == "item" and _may_be_wrong(block.text)]
    metas = [read_meta(split(block.text)) for block in items]
    ids = Counter(meta.id for meta in metas if meta)
    read = zip(items, metas, strict=True)
    found = [
        entry_of(block)
        for block, meta in read
        if meta is None or ids[meta.id] > 1 or _may_be_unsound(block.text, meta)
    ]
    wrong = [Problem(entry.line, *words) for entry in found for words in _wrong(entry)]
    twice = [entry for entry in found if entry.meta and ids[entry.meta.id] > 1]
    hint = "`clawgit doctor --fix` gives the later one an id of its own."
    wrong += [
        Problem(entry.line, f"the id {entry.key} stands in {ids[entry.key]} entries", hint, True)
        for entry in twice
    ]
    return tuple(sorted(wrong))


def entry_of(block: Block) -> Entry:
    """The entry that a list item is."""
    parts = split(block.text)
    bullet = _BULLET.match(block.text)
    width = len(bullet[0].expandtabs(4)) if bullet else 0
    lead = visible(block.text[: lead_end(block.text)])
    shown = visible(parts.before + parts.after)[bullet.end() if bullet else 0 :]
    first, *rest = shown.strip().split("\n")
    lines = [first, *(re.sub(rf"^[ \t]{{0,{width}}}", "", line) for line in rest)]
    return Entry(
        line=block.line,
        end_line=block.line + block.text.rstrip("\n").count("\n"),
        text="\n".join(line.rstrip() for line in lines),
        tags=tags_in(lead),
        meta=read_meta(parts),
        path=block.path,
        raw=block.text,
    )


def _may_be_wrong(item: str) -> bool:
    """What is wrong with an entry stands in its comment, or in two tags."""
    return "claw:" in item or item.count("#") > 1


def _may_be_unsound(item: str, meta: Meta) -> bool:
    """False where the facts alone tell that nothing is wrong with an item: of most, no more need be
    read.
    """
    return item.count("claw:") > 1 or item.count("#") > 1 or any(_wrong_facts(meta))


def _wrong(entry: Entry) -> Iterator[tuple[str, str]]:
    name = f"“{head(entry.text.partition(chr(10))[0], _EXCERPT)}”"
    if len(primary := [f"#{tag}" for tag in entry.tags if tag in PRIMARY]) > 1:
        yield (
            f"{name} has more than one primary tag: {', '.join(primary)}",
            "Keep the one that fits best.",
        )
    written = without_code(entry.raw[: lead_end(entry.raw)])
    if len(_CLAW.findall(written)) > (entry.meta is not None):
        yield (
            f"{name} has a claw comment that is not its own",
            "Keep one, closed with -->, at the end of the entry.",
        )
    if entry.meta:
        yield from ((f"{name}: {said}", hint) for said, hint in _wrong_facts(entry.meta))


def _wrong_facts(meta: Meta) -> Iterator[tuple[str, str]]:
    if not _ID.fullmatch(meta.id):
        yield (
            f"the id {meta.id!r} is none",
            "An id is a letter and five more letters or digits, all lower case.",
        )
    seen: Counter[str] = Counter()
    for fact in meta.facts:
        key, sign, value = fact.partition("=")
        seen[key] += 1
        if not sign:
            yield (
                f"{fact!r} says nothing",
                "Facts are written key=value, with no blank in the value.",
            )
        elif seen[key] == 2 and key != "ev":  # noqa: PLR2004 (the second of one kind)
            yield f"{key}= is said twice", "Keep one of them. Only ev= may be said again."
        elif key in _RIGHT and not _RIGHT[key][0](value):
            yield f"{key}={value} cannot be read", _RIGHT[key][1]


def _after(text: str, last: Block | None, item: str) -> str:
    """`text` with an item on lines of its own behind a block, a blank line around it where it is no
    list's.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = lines_of(text)
    at = last.line - 1 + len(lines_of(last.text)) if last else 0
    before, after = lines[:at], lines[at:]
    if before and not before[-1].endswith("\n"):
        before[-1] += newline
    if last and not (last.kind == "item" and _BULLET.match(item)):
        before.append(newline)
    if after and after[0].strip() and not (_BULLET.match(after[0]) and _BULLET.match(item)):
        after.insert(0, newline)
    return "".join(
        [
            *before,
            item.rstrip("\r\n").replace("\r\n", "\n").replace("\n", newline) + newline,
            *after,
        ]
    )


def _must_stand(text: str, entry: Entry) -> None:
    if "".join(lines_of(text)[entry.line - 1 : entry.end_line]) != entry.raw:
        raise ValueError(f"the entry of line {entry.line} is not from this text")


_BULLET = re.compile(r"\ufeff? {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|(?=\r?$))", re.MULTILINE)
_CLAW = re.compile(r"<!--[ \t]*claw:")
_ID = re.compile(r"[a-z][a-z0-9]{5}")
_EXCERPT = 40

_A_DAY = (lambda value: day(value) is not None, "A day is written 2026-02-14.")
_RIGHT: dict[str, tuple[Callable[[str], bool], str]] = {
    "conf": (
        lambda value: Meta("", (f"conf={value}",)).conf is not None,
        "A confidence is a number from 0 to 1.",
    ),
    "n": (is_count, "Mentions are a whole number."),
    "first": _A_DAY,
    "last": _A_DAY,
    "expires": _A_DAY,
    "status": (lambda value: value in STATUSES, f"A status is one of {', '.join(STATUSES)}."),
}
