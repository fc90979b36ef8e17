"""The edits that a correction makes: in entries, in CORRECTIONS.md and in its archive."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from clawgit.domain.corrections.corrections import (
    ARCHIVE,
    ARCHIVED,
    CORRECTIONS,
    STATUS,
    Correction,
    corrections,
    cut,
    statement,
    status_of,
    with_fields,
)
from clawgit.domain.corrections.disputed import (
    BULLET,
    quotes_of,
    with_quote,
    without_quote,
    without_quotes,
)
from clawgit.domain.corrections.exchange import Exchange
from clawgit.domain.facts.confidence import BASE, CORRECTION, written
from clawgit.domain.facts.fact import refuse_notes
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import DISPUTED, Meta, split
from clawgit.domain.markdown.entry import Entry, entry_of
from clawgit.domain.markdown.entry import replaced as put_in_place
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.tag_table import KNOWLEDGE, tags_in
from clawgit.errors import UsageError

_TRAILING = re.compile(r"(?:[ \t]*<!--(?:(?!-->).)*-->)+[ \t]*\Z", re.DOTALL)
_BY_HAND = "clawgit corrections add … --was …"
_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->", re.DOTALL)


class Archived(NamedTuple):
    """The files that change, with their new text, and the corrections that move."""

    files: Mapping[str, str]
    moved: tuple[Correction, ...] = ()


def archived(
    files: Mapping[str, str], today: date, days: int, ids: Collection[str] = ()
) -> Archived:
    """Moves finished corrections to the archive of their month, where they still win.

    Without `ids`, those older than `days`; with `ids`, just those, however old. Does nothing the
    second time. If two sections have one id, neither moves.
    """
    text = files.get(CORRECTIONS, "")
    known = corrections(text)
    # Two sections with one id: nobody could say which of them `cut` takes.
    times = Counter(correction.id for correction in known)
    before = today - timedelta(days=days)
    due = tuple(
        correction
        for correction in known
        if times[correction.id] == 1 and _is_due(correction, before, ids)
    )
    changed: dict[str, str] = {}
    for correction in due:
        path = _archive_of(correction)
        text, section = cut(text, correction.id)
        book = changed.get(path, files.get(path, ""))
        # The archive may hold it already, so that doing this twice adds no second section. One of
        # other words that has its id by chance does not count.
        if _words(correction) not in map(_words, corrections(book)):
            changed[path] = _shelved(book, correction, section)
    return Archived({**changed, CORRECTIONS: text} if due else {}, due)


def _words(correction: Correction) -> tuple[str, ...]:
    return correction.id, correction.source, correction.words, correction.correct


def _archive_of(correction: Correction) -> str:
    if correction.time is None:
        return f"{ARCHIVE}undated.md"
    return f"{ARCHIVE}{correction.time:%Y-%B}.md"


def _shelved(book: str, correction: Correction, section: str) -> str:
    """A file of the archive with one more section."""
    if correction.binds:
        section = with_fields(section, correction.id, {STATUS: ARCHIVED})
    if correction.time:
        title = frames.OF_A_MONTH.format(month=correction.time)
    else:
        title = frames.OF_NO_MONTH
    return f"{book.rstrip() or title}\n\n{section.strip()}\n"


def _is_due(correction: Correction, before: date, ids: Collection[str]) -> bool:
    if not is_over(correction):
        return False
    if ids:
        return correction.id in ids
    return correction.time is not None and correction.time.date() < before


def is_over(correction: Correction) -> bool:
    """Whether nothing is left to do about a correction, so that it may go to the archive."""
    status = status_of(correction.status)
    return status.may_be_archived and (correction.re_embedded or not status.is_indexed)


class Fresh(NamedTuple):
    """What an entry is to say, the evidence for it, the day, and the id for an entry without
    one.
    """

    text: str
    evidence: tuple[str, ...]
    today: date
    ident: str


def corrected(text: str, entry: Entry, fresh: Fresh, change: Exchange | None = None) -> str:
    """The file with the entry corrected: it says the new text, or has one value exchanged for the
    operator's, where every other byte stays. Quotes that disputed it are removed.

    Its first tag, its comments and the items nested in it stay. What it said before stands in
    CORRECTIONS.md and in history. UsageError if no entry may say the new text, or if the exchange
    cannot be proven.
    """
    parts = split(without_quotes(entry.raw))
    if change:
        lead, comments = _exchanged(parts.before, change)
        tags: Collection[str] = entry.tags
    else:
        refuse_notes(fresh.text)
        bullet = BULLET.match(entry.raw)
        lead = f"{bullet[0] if bullet else '- '}{fresh.text}"
        comments, tags = _comments(parts.before), tags_in(fresh.text)
    wanted = (entry.primary or KNOWLEDGE, CORRECTION)
    missing = [f"#{tag}" for tag in wanted if tag not in tags]
    meta = _sure(entry.meta or Meta(fresh.ident), fresh)
    made = " ".join([lead, *missing, *comments, str(meta)]) + parts.after
    # The last proof: read back, the entry says exactly what was meant.
    if change and statement(entry_of(Block("item", entry.line, made, entry.under))) != fresh.text:
        raise UsageError("The entry cannot hold that value.", hint=_BY_HAND)
    return put_in_place(text, entry, made)


def _exchanged(before: str, change: Exchange) -> tuple[str, list[str]]:
    """An item up to its last words with one value exchanged, and the comments behind them."""
    start = _only_place(before, change.old)
    if start is None:
        raise UsageError("The entry does not contain the old value exactly once.", hint=_BY_HAND)
    shown = f"{before[:start]}{change.new}{before[start + len(change.old) :]}"
    trailing = _TRAILING.search(shown)
    end = trailing.start() if trailing else len(shown)
    return shown[:end].rstrip(), _comments(shown[end:])


def disputed(text: str, entry: Entry, speaker: str, fresh: Fresh) -> str:
    """The file with the operator's sentence under an entry, which is marked as disputed.

    That is no mention of the entry: it is not counted as one.
    """
    refuse_notes(fresh.text)
    meta = (entry.meta or Meta(fresh.ident)).having("status", DISPUTED).citing(*fresh.evidence)
    parts = split(entry.raw)
    return put_in_place(
        text, entry, with_quote(f"{parts.before} {meta}{parts.after}", speaker, fresh.text)
    )


def unquoted(text: str, entry: Entry, words: str, disputing: Collection[str]) -> str:
    """The file without a quote under an entry; with the last one, the mark of a dispute goes.

    The evidence of what disputed it is removed as well, because the entry does not rest on it.
    """
    raw, meta = without_quote(entry.raw, words), entry.meta
    if meta and meta.status == DISPUTED and not quotes_of(raw):
        meta = meta.having("status", "")
    parts = split(raw)
    comment = f" {meta.uncited(disputing)}" if meta else ""
    return put_in_place(text, entry, f"{parts.before}{comment}{parts.after}")


def _only_place(before: str, old: str) -> int | None:
    """Where a value stands in an item; None unless it stands there exactly once outside
    comments.
    """
    end = _last_end(before)
    shown = _COMMENT.sub(lambda comment: "\0" * len(comment[0]), before[:end]) + before[end:]
    return shown.find(old) if shown.count(old) == 1 else None


def _comments(text: str) -> list[str]:
    return _COMMENT.findall(text, 0, _last_end(text))


def _last_end(text: str) -> int:
    """Where the last comment may end. Beyond it, each `<!--` would be followed to the end of the
    text, in vain.
    """
    return text.rfind("-->") + len("-->")


def new_meta(fresh: Fresh) -> Meta:
    """The comment of an entry that starts as a correction."""
    return _sure(Meta(fresh.ident, (f"first={fresh.today.isoformat()}",)), fresh, count=1)


def _sure(meta: Meta, fresh: Fresh, count: int = 0) -> Meta:
    last = max(fresh.today, meta.last or fresh.today).isoformat()
    meta = (
        meta.having("conf", written(BASE[CORRECTION]))
        .having("n", str(count or meta.n + 1))
        .having("last", last)
    )
    meta = meta.having("src", CORRECTION).having("status", "").having("by", "")
    return meta.citing(*fresh.evidence)
