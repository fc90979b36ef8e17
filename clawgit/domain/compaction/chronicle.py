"""A book of past days: a chapter for each note, in the order of the days, told in the words of the
note.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from clawgit.domain.compaction.compaction import Note
from clawgit.domain.conversation.session_note import is_label
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Parts, day, split
from clawgit.domain.markdown.scan import Block, scan
from clawgit.domain.markdown.tag_table import PRIMARY
from clawgit.domain.markdown.tags import tags_in, visible
from clawgit.language.calendar import month_forms, weekday_forms

LARGEST = 2_000_000
"""Bytes that a book may have: OpenClaw refuses files over 2 MiB."""


class Chapter(NamedTuple):
    """What is told of one note, under the heading `## title`."""

    title: str
    body: str


def chapter(note: Note, blocks: Sequence[Block], *, marks: bool) -> Chapter:
    """The note as it is written, its headings below the chapter's, a fence that it left open
    closed. Without `marks`, only what a reader sees is told, and the facts of entries: no comments
    of others, no head of a session's note.
    """
    session = not marks and any(block.level and _SESSION.match(block.path[-1]) for block in blocks)
    title = (
        note.heading.replace(" · ", frames.OF_SESSION) if session and note.slug else note.heading
    )
    blocks = [block for block in blocks if block.kind != "front" and not _is_title(block, note)]
    if not marks:
        blocks = [one for block in blocks if (one := _bare(block, session=session))]
    return Chapter(title, _closed(_text(_demoted(blocks))))


def stands_alone(body: str) -> bool:
    """Whether what comes behind a body stays what it is: an HTML block that is left open would
    swallow it.
    """
    return not _MAY_SWALLOW.search(body) or scan(f"{body}\n## behind\n")[-1].level == _CHAPTER


def extended(text: str, title: str, chapters: Iterable[Chapter]) -> str:
    """A book with these chapters, each in its place by date. One that is there already gets what it
    lacks, under the headings that go with it; all else stays byte for byte.
    """
    head, there = _read(text or frames.TITLE.format(title=title))
    titles, pieces = [one.title for one in there], [head, *(one.body for one in there)]
    ids = set(_IDS.findall(text))
    for new in (Chapter(one.title, _once(one.body, ids)) for one in chapters):
        if new.title in titles:
            at = titles.index(new.title) + 1
            if more := _lacking(pieces[at], new.body):
                pieces[at] = _ended(pieces[at]) + more + "\n" * (at < len(titles))
        else:
            at = next(
                (number for number, old in enumerate(titles) if _order(new.title) < _order(old)),
                len(titles),
            )
            pieces[at] = _ended(pieces[at])
            pieces.insert(
                at + 1,
                f"{frames.CHAPTER.format(title=new.title)}\n\n{new.body}"
                + "\n" * (at < len(titles)),
            )
            titles.insert(at, new.title)
    return "".join(pieces)


def with_story(told: Chapter, story: str) -> Chapter:
    """The chapter as a story, with the entries of its note below, word for word."""
    entries = (block for block in scan(told.body) if block.kind == "item" and _is_entry(block))
    listed = "".join(block.text.rstrip() + "\n" for block in entries)
    return Chapter(
        told.title,
        "\n\n".join(filter(None, (" ".join(story.split()) + "\n" * (not listed), listed))),
    )


def invented(story: str, source: str) -> str:
    """The first number, address or name of a story that its source does not have, "" where it
    invents nothing. Any word that is written like a name must stand there, and in scripts that do
    not write names another way, no word is sure.
    """
    numbers = {_plain_number(found) for found in _NUMBER.findall(source)}
    if wrong := next(
        (found for found in _NUMBER.findall(story) if _plain_number(found) not in numbers), ""
    ):
        return wrong
    if wrong := next(
        (found for found in _ADDRESS.findall(story) if found.rstrip(".,;:)") not in source), ""
    ):
        return wrong
    words = {*_WORDS.findall(source.casefold())} | _OPENERS
    return next(
        (
            word
            for word in _WORDS.findall(story)
            if _may_be_name(word) and word.casefold() not in words
        ),
        "",
    )


def _may_be_name(word: str) -> bool:
    return (
        word[0] != word[0].lower()
        or word != word.lower()
        or (word[0].isalpha() and word.lower() == word.upper())
    )


def _is_entry(block: Block) -> bool:
    return bool(split(block.text).comment) or any(tag in PRIMARY for tag in tags_in(block.text))


def _is_title(block: Block, note: Note) -> bool:
    """A headline that says no more than the chapter's own."""
    if block.level != 1:
        return False
    rest = _DATES.sub(" ", block.path[-1].removeprefix("Session:"))
    return {*_WORDS.findall(rest.casefold())} <= {
        *_WORDS.findall(note.slug.casefold()),
        *_CALENDAR,
        "utc",
    }


def _bare(block: Block, *, session: bool) -> Block | None:
    """What a reader sees of a block, and the comment of an entry; None where that is nothing."""
    if block.kind == "rule" or (session and is_label(block.text)):
        return None
    if block.level and _PROMOTED.match(block.path[-1]):
        return None
    if "<!--" not in block.text or block.kind in ("fence", "code"):
        return block
    if block.kind != "item":
        shown = visible(block.text)
        return block._replace(text=shown) if shown.strip() else None
    parts = split(block.text)
    shown = f"{visible(parts.before)}{parts.comment}{visible(parts.after)}"
    return block._replace(text=shown)


def _demoted(blocks: Sequence[Block]) -> Iterator[Block]:
    """With headings from the third level on, as they stand to each other. One with nothing below it
    is told too.
    """
    shift = max(_BELOW - min((block.level for block in blocks if block.level), default=_BELOW), 0)
    for block in blocks:
        if block.level:
            level = min(block.level + shift, _DEEPEST)
            yield block._replace(text=f"{'#' * level} {block.path[-1]}\n", level=level)
        else:
            yield block


def _text(blocks: Iterable[Block]) -> str:
    """The blocks as they stood to each other, with one blank line for several, and none at the
    ends.
    """
    parts: list[str] = []
    for block in blocks:
        if block.kind != "blank":
            parts.append("\n".join(block.text.replace("\r\n", "\n").rstrip().split("\n")) + "\n")
        elif parts and parts[-1] != "\n":
            parts.append("\n")
    while parts and parts[-1] == "\n":
        parts.pop()
    return "".join(parts)


def _closed(body: str) -> str:
    if stands_alone(body):
        return body
    last = scan(body)[-1]
    fence = _FENCE.match(last.text) if last.kind == "fence" else None
    return f"{body}{fence[1]}\n" if fence else body


def _read(text: str) -> tuple[str, list[Chapter]]:
    """What stands before the first chapter, and the chapters with their headings."""
    head, there = "", list[Chapter]()
    for block in scan(text):
        if block.level == _CHAPTER and day(block.path[-1][:_ISO_DAY]):
            there.append(Chapter(block.path[-1], block.text))
        elif there:
            there[-1] = Chapter(there[-1].title, there[-1].body + block.text)
        else:
            head += block.text
    return head, there


def _lacking(old: str, new: str) -> str:
    """What a chapter's new text has and the old has not, each under its headings."""
    known = {_said(block) for block in scan(old)}
    found: dict[int, Block] = {}
    above: list[Block] = []
    for block in scan(new):
        if block.level:
            above = [*(one for one in above if one.level < block.level), block]
        elif block.kind != "blank" and _said(block) not in known:
            found |= {one.line: one for one in (*above, block)}
    gap = Block("blank", 0, "\n")
    return _text(
        one
        for block in found.values()
        for one in ([block] if block.kind == "item" else [gap, block, gap])
    )


def _once(body: str, ids: set[str]) -> str:
    """The text, where each id stands once in a book: an entry that was written down twice has it in
    its first place.
    """
    if "claw:" not in body:
        return body
    texts: list[str] = []
    for block in scan(body):
        parts = split(block.text) if "claw:" in block.text else Parts(block.text, "", "")
        ident = parts.id
        texts.append(parts.visible if ident in ids else block.text)
        ids.add(ident)
    return "".join(texts)


def _said(block: Block) -> str:
    return " ".join(visible(block.text).split())


def _order(title: str) -> tuple[str, str]:
    return title[:_ISO_DAY], title[_ISO_DAY:]


def _ended(text: str) -> str:
    """With one blank line at its end, at least."""
    return (
        text
        if text.endswith("\n\n") or not text
        else f"{text}\n"
        if text.endswith("\n")
        else f"{text}\n\n"
    )


def _plain_number(text: str) -> str:
    return text.replace(",", "").strip(".:-/").lstrip("0") or "0"


_CHAPTER = 2
_BELOW = 3
_DEEPEST = 6
_ISO_DAY = 10
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MAY_SWALLOW = re.compile(r"^\ufeff? {0,3}(?:<|```|~~~)", re.MULTILINE)
"""What opens the blocks that only an end of their own closes: without such a line, nothing is left
open."""

_SESSION = re.compile(r"Session:")
_PROMOTED = re.compile(r"Promoted From Short-Term Memory \(")
_IDS = re.compile(r"<!--[ \t]*claw:([^\s>]+)")
_DATES = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[+-][0-9]{2}:?[0-9]{2}"
)
_NUMBER = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*")
_ADDRESS = re.compile(r"(?:https?://|\w[\w.+-]*@)\S+")
_WORDS = re.compile(r"[^\W_]+")
_OPENING_WORDS = """ a after afterwards all also an and as at before both but by during each earlier
finally first for from he her his however i in it its later meanwhile most next no nothing of on
once one other our she since so some soon still that the their then there they this those today two
until was we were what when where which while with work yet you """
_CALENDAR = frozenset(forms[0] for forms in (*month_forms(), *weekday_forms()))
_OPENERS = _CALENDAR.union(_OPENING_WORDS.split())
"""What a sentence may begin with, though no note has it."""
