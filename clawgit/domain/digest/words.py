"""A growth digest as Markdown."""

import re
from collections import Counter
from collections.abc import Iterator

from clawgit.domain.claims.conflicts import Conflict
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.digest.digest import HEADINGS, Digest, LearnedEntry
from clawgit.domain.soul.changelog import plain, render_markdown
from clawgit.errors import counted

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
