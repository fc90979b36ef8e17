"""What becomes of CORRECTIONS.md and of entries when something is set right: sections, entries, the
archive.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from clawgit.domain.corrections.corrections import (
    ARCHIVE,
    ARCHIVED,
    CONFIRMED,
    CORRECTIONS,
    DISMISSED,
    KEPT,
    SETTLED,
    STATUS,
    Correction,
    corrections,
    cut,
    old_value,
    read_old_value,
    with_fields,
)
from clawgit.domain.corrections.disputed import BULLET, with_quote, without_quote, without_quotes
from clawgit.domain.corrections.exchange import Exchange, proven
from clawgit.domain.corrections.statement import statement
from clawgit.domain.facts.confidence import BASE, CORRECTION, written
from clawgit.domain.facts.fact import refuse_notes
from clawgit.domain.facts.same_fact import same_fact
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import DISPUTED, Meta, split
from clawgit.domain.markdown.entry import Entry, entry_of, with_meta
from clawgit.domain.markdown.entry import replaced as put_in_place
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.tags import tags_in
from clawgit.domain.workspace.routing import KNOWLEDGE
from clawgit.errors import UsageError


class Archived(NamedTuple):
    """The files that change, as they shall be, and the corrections that move."""

    files: Mapping[str, str]
    moved: tuple[Correction, ...] = ()


def archived(
    files: Mapping[str, str], today: date, days: int, ids: Collection[str] = ()
) -> Archived:
    """Moves what the operator stands behind and the index holds, and what is older than so many
    days, to the archive of its month, where it still wins; with `ids` just those, however old.
    Twice is once; of two sections with one id none moves.
    """
    text = files.get(CORRECTIONS, "")
    known = corrections(text)
    times = Counter(one.id for one in known)
    due = tuple(
        one
        for one in known
        if times[one.id] == 1 and _is_due(one, today - timedelta(days=days), ids)
    )
    changed: dict[str, str] = {}
    for one in due:
        path = f"{ARCHIVE}{one.time:%Y-%B}.md" if one.time else f"{ARCHIVE}undated.md"
        text, section = cut(text, one.id)
        before = changed.get(path, files.get(path, ""))
        kept = with_fields(section, one.id, {STATUS: ARCHIVED}) if one.binds else section
        if one.id not in {known.id for known in corrections(before)}:
            title = frames.OF_A_MONTH.format(month=one.time) if one.time else frames.OF_NO_MONTH
            changed[path] = f"{before.rstrip() or title}\n\n{kept.strip()}\n"
    return Archived({**changed, CORRECTIONS: text} if due else {}, due)


def _is_due(one: Correction, before: date, ids: Collection[str]) -> bool:
    if not is_over(one):
        return False
    return one.id in ids if ids else one.time is not None and one.time.date() < before


def is_over(one: Correction) -> bool:
    """Whether nothing more is to be done about a correction, so that it may go to the archive."""
    if one.status in (KEPT, DISMISSED):
        return True
    return one.status in (CONFIRMED, SETTLED) and one.re_embedded


class Fresh(NamedTuple):
    """What an entry shall say, on what evidence, since which day, and under which id if it has
    none.
    """

    text: str
    evidence: tuple[str, ...]
    today: date
    ident: str


def corrected(text: str, entry: Entry, fresh: Fresh) -> str:
    """The file with an entry that says what is right: `#correction`, sure, what it said before in a
    comment. Its first tag, other people's comments and what is nested below it stay. UsageError
    where no entry may say it.
    """
    refuse_notes(fresh.text)
    parts, old = split(without_quotes(entry.raw)), statement(entry)
    bullet = BULLET.match(entry.raw)
    comments = [one for one in _COMMENT.findall(parts.before) if not _is_answered(one, fresh.text)]
    if old != fresh.text:
        first = next(
            (number for number, one in enumerate(comments) if read_old_value(one) is not None),
            len(comments),
        )
        comments.insert(first, old_value(old))
    old_ones = [one for one in comments if read_old_value(one) is not None][_KEPT:]
    comments = [one for one in comments if one not in old_ones]
    tags = (entry.primary or KNOWLEDGE, CORRECTION)
    shown = " ".join(
        [fresh.text, *(f"#{tag}" for tag in tags if tag not in tags_in(fresh.text)), *comments]
    )
    raw = (
        f"{bullet[0] if bullet else '- '}{shown} "
        f"{_sure(entry.meta or Meta(fresh.ident), fresh)}{parts.after}"
    )
    return put_in_place(text, entry, raw)


def exchanged(text: str, entry: Entry, change: Exchange, fresh: Fresh, message: str) -> str:
    """The file with one value of an entry exchanged for the operator's; every other byte of what it
    says stays. The old text goes into a comment, and quotes that disputed the entry go. UsageError
    where that cannot be proven.
    """
    raw = without_quotes(entry.raw)
    parts, old = split(raw), statement(entry)
    start = _only_place(parts.before, change.old)
    if start is None or not proven(old, fresh.text, message, change):
        raise UsageError(
            "The entry does not hold the old value once.", hint="clawgit corrections add … --was …"
        )
    shown = f"{parts.before[:start]}{change.new}{parts.before[start + len(change.old) :]}"
    end = _TRAILING.search(shown)
    cut = end.start() if end else len(shown)
    comments = [one for one in _COMMENT.findall(shown[cut:]) if not _is_answered(one, fresh.text)]
    comments.insert(0, old_value(old))
    comments = [
        *comments[:_KEPT],
        *(one for one in comments[_KEPT:] if read_old_value(one) is None),
    ]
    tags = [f"#{tag}" for tag in (entry.primary or KNOWLEDGE, CORRECTION) if tag not in entry.tags]
    meta = _sure(entry.meta or Meta(fresh.ident), fresh)
    made = " ".join([shown[:cut].rstrip(), *tags, *comments, str(meta)]) + parts.after
    if statement(entry_of(_block(entry, made))) != fresh.text:
        raise UsageError(
            "The entry cannot hold that value.", hint="clawgit corrections add … --was …"
        )
    return put_in_place(text, entry, made)


def disputed(text: str, entry: Entry, speaker: str, fresh: Fresh) -> str:
    """The file with the operator's sentence under an entry, and the entry marked as disputed. It
    counts no mention.
    """
    refuse_notes(fresh.text)
    meta = (entry.meta or Meta(fresh.ident)).having("status", DISPUTED)
    for cited in fresh.evidence:
        meta = meta.citing(cited)
    parts = split(entry.raw)
    return put_in_place(
        text, entry, with_quote(f"{parts.before} {meta}{parts.after}", speaker, fresh.text)
    )


def at_rest(text: str, entry: Entry, disputing: Collection[str]) -> str:
    """The file with an entry that is disputed no more: the quotes under it and the mark go, and so
    does the evidence of what disputed it, on which the entry does not rest.
    """
    meta = (
        entry.meta.having("status", "")
        if entry.meta and entry.meta.status == DISPUTED
        else entry.meta
    )
    return _unquoted(text, entry, without_quotes(entry.raw), meta, disputing)


def disputed_less(text: str, entry: Entry, words: str, disputing: Collection[str]) -> str:
    """The file with an entry that others dispute still: one quote goes, and the evidence of it."""
    return _unquoted(text, entry, without_quote(entry.raw, words), entry.meta, disputing)


def _unquoted(
    text: str, entry: Entry, raw: str, meta: Meta | None, disputing: Collection[str]
) -> str:
    parts = split(raw)
    return put_in_place(
        text, entry, f"{parts.before}{f' {meta.uncited(disputing)}' if meta else ''}{parts.after}"
    )


def _only_place(before: str, old: str) -> int | None:
    """Where a value stands in an item, if it does so once outside of comments."""
    shown = _COMMENT.sub(lambda found: "\0" * len(found[0]), before)
    return shown.find(old) if shown.count(old) == 1 else None


def _block(entry: Entry, raw: str) -> Block:
    return Block("item", entry.line, raw, entry.path)


def superseded(text: str, entry: Entry, by: str, ident: str) -> str:
    """The file with an entry that says which other one stands for it now; its words stay."""
    meta = entry.meta or Meta(ident)
    return with_meta(text, entry, meta.having("status", "superseded").having("by", by))


def new_meta(fresh: Fresh) -> Meta:
    """The facts of an entry that begins as a correction."""
    return _sure(Meta(fresh.ident, (f"first={fresh.today.isoformat()}",)), fresh, count=1)


def _sure(meta: Meta, fresh: Fresh, count: int = 0) -> Meta:
    last = max(fresh.today, meta.last or fresh.today).isoformat()
    meta = (
        meta.having("conf", written(BASE[CORRECTION]))
        .having("n", str(count or meta.n + 1))
        .having("last", last)
    )
    meta = meta.having("src", CORRECTION).having("status", "").having("by", "")
    for cited in fresh.evidence:
        meta = meta.citing(cited)
    return meta


def _is_answered(comment: str, text: str) -> bool:
    """An old value that is right again is no old value any more."""
    old = read_old_value(comment)
    return old is not None and same_fact(old, text)


_TRAILING = re.compile(r"(?:[ \t]*<!--(?:(?!-->).)*-->)+[ \t]*\Z", re.DOTALL)
_KEPT = 2
"""Old values that an entry keeps; CORRECTIONS.md and the commits have them all."""

_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->", re.DOTALL)
