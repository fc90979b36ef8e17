"""The growth digest: what changed in a day or a week by kind, and what waits for the operator; and
the digest as Markdown.

The memory at its end is compared with that at its beginning. An entry that only moved, was given
an id, or was mentioned again is no news.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from clawgit.domain.claims.conflicts import Conflict
from clawgit.domain.corrections.corrections import Correction, statement
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import is_correction
from clawgit.domain.markdown.comment import ACTIVE, ARCHIVED, DISPUTED, SUPERSEDED
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.domain.markdown.excerpt import one_line
from clawgit.domain.soul.changelog import IdentityChange, plain, render_markdown
from clawgit.errors import counted

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)

ADDED = "added"
CORRECTED = "corrected"
REMOVED = "removed"

HEADINGS = {
    ADDED: "New",
    CORRECTED: "Corrected",
    SUPERSEDED: "Superseded",
    ARCHIVED: "Archived",
    REMOVED: "Removed",
}
"""The title of each kind in a digest, in the order in which it shows them."""


@dataclass(frozen=True, slots=True)
class LearnedEntry:
    """What became of one entry. `was` is what it said before, "" if it says the same now."""

    kind: str
    entry: str
    text: str
    was: str
    path: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one address, which is named by its kind alone.

    `outcome` is sent, failed, nothing (nothing was new), kept (it got this one before), or unsent
    in a dry run.
    """

    to: str
    outcome: str
    since: datetime
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class DigestSection:
    """What another part of clawgit adds to a digest, one line for each thing."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What happened between two moments: `learned` is what became of entries.

    `open_conflicts` are those that wait for the operator now. `delivery` says in words where
    digests go, `sent` where this one went. It makes no commit.
    """

    agent: str
    since: datetime
    until: datetime
    learned: tuple[LearnedEntry, ...]
    soul: tuple[IdentityChange, ...]
    corrections: tuple[Correction, ...]
    open_conflicts: tuple[Conflict, ...]
    sections: tuple[DigestSection, ...] = ()
    delivery: str = ""
    sent: tuple[Delivery, ...] = ()
    changed: tuple[str, ...] = ()
    commit: str | None = None
    id: str | None = None
    dry_run: bool = False

    @property
    def is_quiet(self) -> bool:
        return not (self.learned or self.soul or self.corrections)


Texts = Iterable[tuple[str, str]]
"""Files by path and text."""


def learned(before: Texts, after: Texts) -> tuple[LearnedEntry, ...]:
    """The entries that are not as they were: first what came, then what went."""
    old, new = _standing(before), _standing(after)
    by_key = {entry.key: statement(entry) for entry in old.values()}
    rows = []
    for (words, status), entry in new.items():
        if (words, status) not in old:
            was = by_key.get(entry.key, "")
            was = was if was != statement(entry) else ""
            rows.append(LearnedEntry(_kind(entry, status), entry.key, words, was, entry.path))
    stays = {words for words, _ in new} | {entry.key for entry in new.values()}
    rows += [
        LearnedEntry(REMOVED, entry.key, words, "", entry.path)
        for (words, _), entry in old.items()
        if stays.isdisjoint((words, entry.key))
    ]
    kinds = [*HEADINGS]
    return tuple(sorted(rows, key=lambda row: kinds.index(row.kind)))


def _standing(texts: Texts) -> dict[tuple[str, str], Entry]:
    """The entries by what they say and their status, whatever file they stand in. What is disputed
    stands until it is settled.
    """
    return {
        (words, ACTIVE if entry.status == DISPUTED else entry.status): entry
        for path, text in texts
        for entry in entries(text, path)
        if (words := one_line(undisputed(entry)))
    }


def _kind(entry: Entry, status: str) -> str:
    if status in HEADINGS:
        return status
    return CORRECTED if is_correction(entry) else ADDED


MOST = 40
"""A page shows at most this many rows of one kind; `--json` has them all."""

_OPENS = re.compile(r"^([0-9]{0,9})([#>+=|.)-]|&gt;)")
NOTHING = "Nothing was learned, and the soul did not change."


def markdown(digest: Digest) -> str:
    """The whole digest. Nothing that files or commits say becomes Markdown of ours."""
    when = f"{digest.since:%Y-%m-%d %H:%M} to {digest.until:%Y-%m-%d %H:%M}"
    lines = [f"# {plain(title(digest))}", "", f"{when}. {_counts(digest) or NOTHING}", ""]
    for name, rows in _parts(digest):
        if rows:
            lines += [f"## {plain(name)}", "", *rows, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def title(digest: Digest) -> str:
    return f"What {digest.agent} learned"


def _parts(digest: Digest) -> Iterator[tuple[str, list[str]]]:
    """Each heading with its rows."""
    for kind, heading in HEADINGS.items():
        rows = [_learned(row) for row in digest.learned if row.kind == kind]
        if len(rows) > MOST:
            more = f"- and {len(rows) - MOST} more; clawgit digest --json has them all"
            rows = [*rows[:MOST], more]
        yield heading, rows
    yield "The soul", [*filter(None, [render_markdown(digest.soul).rstrip()])]
    for waits, heading in (
        (False, "Corrected by the operator"),
        (True, "Waiting for the operator: what is right?"),
    ):
        yield heading, [_correction(row) for row in digest.corrections if row.waits == waits]
    yield "Open conflicts", [*map(_conflict, digest.open_conflicts)]
    for section in digest.sections:
        yield section.title, [f"- {_item(line)}" for line in section.lines]


def _learned(learned: LearnedEntry) -> str:
    was = f" (was: {plain(learned.was)})" if learned.was else ""
    return f"- {_item(learned.text)}{was} · {plain(learned.path)} {plain(learned.entry)}"


def _conflict(conflict: Conflict) -> str:
    return f"- {_quoted(conflict.a.text)} or {_quoted(conflict.b.text)} ({plain(conflict.id)})"


def _correction(correction: Correction) -> str:
    link = "or" if correction.waits else "not"
    said = correction.said or correction.old
    wrong = f", {link} {_quoted(said)}" if said else ""
    return f"- {_quoted(correction.correct)}{wrong} ({plain(correction.id)})"


def _counts(digest: Digest) -> str:
    kinds = Counter(row.kind for row in digest.learned)
    counts = [f"{kinds[kind]} {name.lower()}" for kind, name in HEADINGS.items() if kinds[kind]]
    asked = sum(correction.waits for correction in digest.corrections)
    others = (
        (len(digest.soul), "change of the soul", "changes of the soul"),
        (len(digest.corrections) - asked, "correction", ""),
        (asked, "open question", ""),
    )
    return ", ".join([*counts, *(counted(*count) for count in others if count[0])])


def _item(text: str) -> str:
    """Text at the beginning of a list item, where more signs than elsewhere would open a block."""
    return _OPENS.sub(lambda sign: f"{sign[1]}\\{sign[2]}", plain(text))


def _quoted(text: str) -> str:
    return f"“{plain(text)}”"
