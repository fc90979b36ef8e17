"""A growth digest as Markdown."""

import re
from collections import Counter
from collections.abc import Iterator

from clawgit.domain.claims.conflicts import Conflict
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.digest.digest import (
    HEADINGS,
    KINDS,
    MERGED,
    Digest,
    LearnedEntry,
    SoulChange,
)
from clawgit.domain.markdown.plain import plain
from clawgit.errors import counted

MOST = 40
"""A page shows at most this many rows of one kind; `--json` has them all."""

_OPENS = re.compile(r"^([0-9]{0,9})([#>+=|.)-]|&gt;)")
ASKED = "Waiting for the operator: what is right?"
NOTHING = "Nothing was learned, and the soul did not change."


def markdown(digest: Digest) -> str:
    """The whole digest. Nothing that files or commits say becomes Markdown of ours."""
    when = f"{digest.since:%Y-%m-%d %H:%M} to {digest.until:%Y-%m-%d %H:%M}"
    lines = [f"# {plain(title(digest))}", "", f"{when}. {_counts(digest) or NOTHING}", ""]
    for name, rows in _parts(digest):
        if rows:
            lines += [f"{name}", "", *rows, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def title(digest: Digest) -> str:
    return f"What {digest.agent} learned"


def _parts(digest: Digest) -> Iterator[tuple[str, list[str]]]:
    """Each heading with its rows."""
    for kind in KINDS:
        yield f"### {HEADINGS[kind]}", _most([row for row in digest.learned if row.kind == kind])
    yield "### The soul", [line for change in digest.soul for line in _soul(change)]
    yield "### Corrected by the operator", [*map(_set_right, digest.set_right)]
    yield f"### {ASKED}", [*map(_set_right, digest.asked)]
    yield "## Open conflicts", [*map(_conflict, digest.open_conflicts)]
    for section in digest.sections:
        yield f"## {plain(section.title)}", [f"- {_item(line)}" for line in section.lines]


def _most(learned: list[LearnedEntry]) -> list[str]:
    rows = [*map(_learned, learned[:MOST])]
    if len(learned) > MOST:
        rows.append(f"- and {len(learned) - MOST} more; clawgit digest --json has them all")
    return rows


def _learned(learned: LearnedEntry) -> str:
    was = f" (was: {plain(learned.was)})" if learned.was else ""
    times = f", {learned.mentions} mentions" if learned.kind == MERGED else ""
    return (
        f"- {_item(learned.text)}{was} · {plain(learned.path)} {plain(learned.entry)}{times} · "
        f"{plain(learned.actor)} {learned.commit}"
    )


def _soul(change: SoulChange) -> Iterator[str]:
    yield f"- {_item(change.file)} · {plain(change.actor)} {plain(change.commit)}"
    yield from (f"  - {plain(line)}" for line in change.what[:MOST])
    yield f"  - why: {plain(change.why)}"
    if change.evidence:
        yield f"  - evidence: {', '.join(map(plain, change.evidence))}"
    yield f"  - take back: `{change.take_back}`"


def _conflict(conflict: Conflict) -> str:
    return f"- {_quoted(conflict.a.text)} or {_quoted(conflict.b.text)} ({plain(conflict.id)})"


def _set_right(correction: Correction) -> str:
    link = "or" if correction.waits else "not"
    said = correction.said or correction.was.partition(" ")[2]
    wrong = f", {link} {_quoted(said)}" if said else ""
    return f"- {_quoted(correction.correct)}{wrong} ({plain(correction.id)})"


def _counts(digest: Digest) -> str:
    kinds = Counter(row.kind for row in digest.learned)
    counts = [f"{kinds[kind]} {HEADINGS[kind].lower()}" for kind in KINDS if kinds[kind]]
    others = (
        (len(digest.soul), "change of the soul", "changes of the soul"),
        (len(digest.set_right), "correction", ""),
        (len(digest.asked), "open question", ""),
    )
    return ", ".join([*counts, *(counted(*count) for count in others if count[0])])


def _item(text: str) -> str:
    """Text at the beginning of a list item, where more signs than elsewhere would open a block."""
    return _OPENS.sub(lambda sign: f"{sign[1]}\\{sign[2]}", plain(text))


def _quoted(text: str) -> str:
    return f"“{plain(text)}”"
