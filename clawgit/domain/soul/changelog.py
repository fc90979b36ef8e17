"""CHANGELOG.md: how the identity grew, derived from history alone, in Markdown, JSON and Atom."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

from clawgit.domain.change.authority import SOUL
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.plain import plain
from clawgit.domain.markdown.plain import sound as _sound
from clawgit.domain.safety.masks import struck
from clawgit.domain.soul.soul import SectionChange, summary

_MOST = 8
START = "<!-- clawgit:changelog:start -->"
END = "<!-- clawgit:changelog:end -->"
"""What stands between these two lines of a file is derived; all around it belongs to whoever wrote
it."""


_MARKED = re.compile(
    rf"^{re.escape(START)}[ \t]*\r?\n(?P<body>.*?)^{re.escape(END)}(?=[ \t]*\r?$)",
    re.MULTILINE | re.DOTALL,
)

_STARTED = re.compile(rf"^{re.escape(START)}(?=[ \t]*\r?$)", re.MULTILINE)

_HEADING = re.compile(r"^### [^·\n]* · (?P<name>\S+) · .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class IdentityChange:
    """One change to the identity. `name` is its change id, and the short hash only where it has
    none; `what` says for each of its files what changed there. `summary`, `reason` and `evidence`
    are as the commit has them: untrusted.
    """

    name: str
    time: datetime
    actor: str
    summary: str
    what: tuple[tuple[str, tuple[SectionChange, ...]], ...] = ()
    reason: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def take_back(self) -> str:
        flag = " --identity" if self.what and SOUL not in dict(self.what) else ""
        return f"clawgit soul revert {self.name}{flag}"


@dataclass(frozen=True, slots=True)
class Difference:
    """How a changelog differs from what history says, by the names of changes. `text`: what else is
    not as derived.
    """

    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    text: bool = False

    def __bool__(self) -> bool:
        return bool(self.missing or self.unknown or self.altered or self.text)


def newest_first(changes: Iterable[IdentityChange]) -> list[IdentityChange]:
    """By date, then name: clones with other clocks and other merges list them alike."""
    return sorted(
        changes, key=lambda change: (change.time.astimezone(UTC), change.name), reverse=True
    )


def render_markdown(changes: Iterable[IdentityChange]) -> str:
    """One `###` entry for each change. Nothing that a commit says can become Markdown, or a marker,
    of ours.
    """
    return "\n".join("\n".join(_entry(change)) + "\n" for change in newest_first(changes))


def render_json(changes: Iterable[IdentityChange]) -> str:
    return (
        json.dumps({"changes": [_as_json(change) for change in newest_first(changes)]}, indent=2)
        + "\n"
    )


def render_atom(changes: Iterable[IdentityChange], title: str = "How the identity grew") -> str:
    """An Atom 1.0 feed. Its ids are the names of the changes, so a reader of two clones sees each
    once.
    """
    ordered = newest_first(changes)
    updated = ordered[0].time if ordered else datetime.fromtimestamp(0, UTC)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            '<feed xmlns="http://www.w3.org/2005/Atom">',
            f"  <title>{_xml(title)}</title>",
            "  <id>urn:clawgit:changelog</id>",
            f"  <updated>{_iso(updated)}</updated>",
            *(line for change in ordered for line in _atom_entry(change)),
            "</feed>",
            "",
        ]
    )


def between_markers(file_text: str) -> str | None:
    """What stands between the markers, with plain line ends; None without both of them."""
    found = _MARKED.search(file_text.replace("\r\n", "\n"))
    return found["body"].strip("\n") if found else None


def replace_between_markers(file_text: str, body: str) -> str:
    """The file with another derived part, all else as it is. A marker that is missing is made: the
    end behind the start, both at the end of the file.
    """
    newline = "\r\n" if "\r\n" in file_text else "\n"
    derived = "\n".join(
        [START, *(["", body.strip("\n"), ""] if body.strip("\n") else []), END]
    ).replace("\n", newline)
    found = _MARKED.search(file_text) or _STARTED.search(file_text)
    if found:
        return file_text[: found.start()] + derived + file_text[found.end() :]
    gap = "" if not file_text else newline if file_text.endswith("\n") else newline * 2
    return f"{file_text}{gap}{derived}{newline}"


def compare(file_text: str, changes: Iterable[IdentityChange]) -> Difference:
    """Whether a CHANGELOG.md says what history says: falsy where it does, to the letter."""
    expected = render_markdown(changes).strip("\n")
    there, wanted = _entries(between_markers(file_text) or ""), _entries(expected)
    return Difference(
        missing=tuple(name for name in wanted if name not in there),
        unknown=tuple(name for name in there if name not in wanted),
        altered=tuple(name for name in wanted if name in there and there[name] != wanted[name]),
        text=between_markers(file_text) != expected,
    )


def _entries(body: str) -> dict[str, str]:
    """The entries of a derived part by their names, in order."""
    starts = [*_HEADING.finditer(body)]
    ends = [*(found.start() for found in starts[1:]), len(body)]
    return {
        found["name"]: body[found.start() : end].strip("\n")
        for found, end in zip(starts, ends, strict=False)
    }


def _plain(text: str) -> str:
    """History may tell a secret in a message or in a line of the soul; the file that is made of it
    does not.
    """
    return plain(struck(text))


def _entry(change: IdentityChange) -> Iterator[str]:
    yield f"### {_day(change.time)} · {_plain(change.name)} · {_plain(change.actor)}"
    yield ""
    if change.summary.strip():
        yield f"- **Summary:** {_plain(change.summary)}"
    for path, changes in change.what:
        yield f"- **{_plain(path)}:** {_plain(summary(changes))}"
        for section in changes:
            yield from (f"  - {line}" for line in _principles(section))
    if change.reason.strip():
        yield f"- **Why:** {_plain(change.reason)}"
    if change.evidence:
        yield f"- **Evidence:** {', '.join(map(_plain, change.evidence))}"
    yield f"- **Take back:** `{change.take_back}`"


def _principles(change: SectionChange) -> Iterator[str]:
    """Each principle that changed; of a birth or a rewrite only the first ones, since the file
    itself has the rest.
    """
    told = list(_each_principle(change))
    yield from told[:_MOST]
    if len(told) > _MOST:
        yield frames.AND_MORE.format(count=len(told) - _MOST)


def _each_principle(change: SectionChange) -> Iterator[str]:
    yield from (f"dropped: {_plain(text)}" for text in change.dropped)
    yield from (f"reworded: {_plain(old)} → {_plain(new)}" for old, new in change.reworded)
    yield from (f"added: {_plain(text)}" for text in change.added)
    yield from (f"moved: {_plain(text)}" for text in change.moved)


def _as_json(change: IdentityChange) -> dict[str, object]:
    return {
        "name": change.name,
        "time": _iso(change.time),
        "actor": _sound(change.actor),
        "summary": _sound(change.summary),
        "what": [
            {"file": _sound(path), "sections": [*map(_section, found)]}
            for path, found in change.what
        ],
        "reason": _sound(change.reason),
        "evidence": [_sound(item) for item in change.evidence],
        "take_back": change.take_back,
    }


def _section(change: SectionChange) -> dict[str, object]:
    return {
        "section": _sound(change.section),
        "was": _sound(change.was),
        "added": [_sound(text) for text in change.added],
        "dropped": [_sound(text) for text in change.dropped],
        "reworded": [{"old": _sound(old), "new": _sound(new)} for old, new in change.reworded],
        "moved": [_sound(text) for text in change.moved],
    }


def _atom_entry(change: IdentityChange) -> Iterator[str]:
    what = "; ".join(f"{path}: {summary(changes)}" for path, changes in change.what)
    cited = ", ".join(change.evidence)
    said = (
        ("What", what),
        ("Why", change.reason),
        ("Evidence", cited),
        ("Take back", change.take_back),
    )
    yield "  <entry>"
    yield f"    <title>{_xml(change.summary)}</title>"
    yield f"    <id>urn:clawgit:change:{_xml(change.name)}</id>"
    yield f"    <updated>{_iso(change.time)}</updated>"
    yield f"    <author><name>{_xml(change.actor)}</name></author>"
    lines = " · ".join(f"{name}: {text}" for name, text in said if text.strip())
    yield f'    <content type="text">{_xml(lines)}</content>'
    yield "  </entry>"


def _day(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _xml(text: str) -> str:
    return escape(" ".join(_sound(text).split()))
