"""Renders CHANGELOG.md, the history of the identity, as Markdown and JSON."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from clawgit.core import NamedTuple
from clawgit.core.doors import html
from clawgit.core.errors import few
from clawgit.core.layout import CHANGELOG_START, SOUL
from clawgit.language.lazily import lazily
from clawgit.safety.rules.masks import struck
from clawgit.soul.rules.soul import NOTHING, SectionChange

_MOST = 8
"""Principles that one entry lists. A rewrite changes more; the file itself has the rest."""

_BEGIN = ("begins", "begin")
"""What is said of one file that is new, and of several."""

START, END = CHANGELOG_START, "<!-- clawgit:changelog:end -->"
"""Only the text between the two is ours. The rest of the file belongs to its author."""

_MARKED = lazily(
    rf"^{re.escape(START)}[ \t]*\r?\n(?P<body>.*?)^{re.escape(END)}(?=[ \t]*\r?$)",
    re.MULTILINE | re.DOTALL,
)

_STARTED = lazily(rf"^{re.escape(START)}(?=[ \t]*\r?$)", re.MULTILINE)


class IdentityChange(NamedTuple):
    """One change to the identity. `name` is its change id, or its short hash if it has none.

    `what`: each file with what changed there; those in `begun` were not there before. `summary`,
    `reason` and `evidence` come from the commit and are not trusted.
    """

    name: str
    time: datetime
    actor: str
    summary: str
    what: tuple[tuple[str, tuple[SectionChange, ...]], ...] = ()
    reason: str = ""
    evidence: tuple[str, ...] = ()
    begun: tuple[str, ...] = ()

    @property
    def take_back(self) -> str:
        flag = " --identity" if self.what and SOUL not in dict(self.what) else ""
        return f"clawgit soul revert {self.name}{flag}"


def newest_first(changes: Iterable[IdentityChange]) -> list[IdentityChange]:
    """The changes by date, then by name, so that all clones have the same order."""
    return sorted(
        changes, key=lambda change: (change.time.astimezone(UTC), change.name), reverse=True
    )


def render_markdown(changes: Iterable[IdentityChange]) -> str:
    """One `###` entry for each change. Text from commits is escaped: it cannot become Markdown or
    one of our markers.
    """
    return "\n".join("\n".join(_entry(change)) + "\n" for change in newest_first(changes))


def between_markers(file_text: str) -> str | None:
    """The text between the markers, with plain line ends; None if a marker is missing."""
    match = _MARKED.search(file_text.replace("\r\n", "\n"))
    return match["body"].strip("\n") if match else None


def replace_between_markers(file_text: str, body: str) -> str:
    """The file with a new derived part; everything else stays.

    A missing end marker is added after the start marker; if both are missing, they go to the end of
    the file.
    """
    newline = "\r\n" if "\r\n" in file_text else "\n"
    body = body.strip("\n")
    rows = [START, "", body, "", END] if body else [START, END]
    derived = "\n".join(rows).replace("\n", newline)
    match = _MARKED.search(file_text) or _STARTED.search(file_text)
    if match:
        return file_text[: match.start()] + derived + file_text[match.end() :]
    if not file_text:
        gap = ""
    elif file_text.endswith("\n"):
        gap = newline
    else:
        gap = newline * 2
    return f"{file_text}{gap}{derived}{newline}"


def _plain(text: str) -> str:
    """Escaped, and with secrets masked: history may hold one, but the changelog must not."""
    return plain(struck(text))


def _entry(change: IdentityChange) -> Iterator[str]:
    time = change.time.astimezone(UTC)
    heading = f"### {time:%Y-%m-%d %H:%M} UTC · {_plain(change.name)} · {_plain(change.actor)}"
    files = [path for path, _ in change.what]
    if {*files} <= {*change.begun}:
        # All of it is new, and nobody chose it line by line: the files themselves have it.
        yield f"{heading}: {' and '.join(map(_plain, files))} {_BEGIN[len(files) > 1]}"
        return
    yield heading
    yield ""
    if change.summary.strip():
        yield f"- **Summary:** {_plain(change.summary)}"
    for path, sections in change.what:
        if path in change.begun:
            yield f"- **{_plain(path)}:** {_BEGIN[False]}"
        else:
            yield from _of_file(path, sections)
    if change.reason.strip():
        yield f"- **Why:** {_plain(change.reason)}"
    if change.evidence:
        yield f"- **Evidence:** {', '.join(map(_plain, change.evidence))}"
    yield f"- **Take back:** `{change.take_back}`"


def _of_file(path: str, sections: tuple[SectionChange, ...]) -> Iterator[str]:
    """The sections that changed, and up to `_MOST` of the principles in each."""
    titles = ", ".join(section.section or "the top" for section in sections)
    yield f"- **{_plain(path)}:** {_plain(titles or NOTHING)}"
    for section in sections:
        yield from map("  - {}".format, few(_each_principle(section), _MOST))


def _each_principle(change: SectionChange) -> Iterator[str]:
    if change.was:
        yield f"renamed from {_plain(change.was)}"
    yield from (f"dropped: {_plain(text)}" for text in change.dropped)
    yield from (f"reworded: {_plain(old)} → {_plain(new)}" for old, new in change.reworded)
    yield from (f"added: {_plain(text)}" for text in change.added)
    yield from (f"moved: {_plain(text)}" for text in change.moved)


def plain(text: str) -> str:
    """Any text as one line that Markdown shows as it is, after a label: no link, code, HTML or
    marker begins in it.
    """
    line = " ".join(sound(text).split())
    return _EMPHASIS.sub(r"\\_", _ACTIVE.sub(r"\\\g<0>", html.escape(line, quote=False)))


def sound(text: str) -> str:
    """Text that any file can hold: without lone surrogates, and without characters that are
    invisible or turn the direction of a line round.
    """
    return "".join(
        char
        for char in _SURROGATE.sub("\ufffd", text)
        if char in _KEPT or unicodedata.category(char) not in ("Cc", "Cf", "Cn", "Co")
    )


_ACTIVE = lazily(r"[\\`*\[\]~]")
_EMPHASIS = lazily(r"(?<![^\W_])_|_(?![^\W_])")
_SURROGATE = lazily("[\ud800-\udfff]")
_KEPT = "\n\t\r\u200d"


_ENTRY = lazily(r"^(?=### )", re.MULTILINE)


def entries_of(body: str) -> list[str]:
    """The entries of a derived part, in order, and any text above them."""
    return [*filter(None, (entry.strip("\n") for entry in _ENTRY.split(body)))]
