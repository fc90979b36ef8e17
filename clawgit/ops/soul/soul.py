"""`soul show`, `soul log` and `soul diff`: the text of a soul, its versions, and what changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from clawgit.domain.change.authority import SOUL
from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.change.told import ToldChange, told_of
from clawgit.domain.change.word_diff import word_diff
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.soul.soul import SectionChange, section_changes, sections
from clawgit.ops.soul.history import Point, SoulHistory, absent, point, soul_history
from clawgit.ops.soul.identity_rules import policy_in_force
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.history.pathlog import Version

LIMIT = 50
"""Versions that `soul log` lists by default."""


@dataclass(frozen=True, slots=True)
class SectionSize:
    """`section` is "" for the text above the first heading."""

    section: str
    line: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ShownSoul:
    """A soul on disk, or `at` a commit.

    `since` is the change that gave it this text, None if that is `uncommitted`. `max_tokens` is
    None if there is no limit, as for IDENTITY.md.
    """

    path: str
    at: Point | None
    since: Point | None
    uncommitted: bool
    policy: str
    tokens: int
    max_tokens: int | None
    sections: tuple[SectionSize, ...]
    text: str
    note: str = ""
    """How this differs from the state that was asked for, if it does; as in `SoulDiff`."""


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a rewording: same, added or dropped."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Rewording:
    """`words` is filled only by `diff`."""

    old: str
    new: str
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionEdit:
    """What a change did to one section; `was` is its former title if it was renamed."""

    section: str
    added: tuple[str, ...]
    dropped: tuple[str, ...]
    reworded: tuple[Rewording, ...]
    moved: tuple[str, ...]
    was: str


@dataclass(frozen=True, slots=True)
class SoulVersion(ToldChange):
    """One change. `path` is the name of the file then, `renamed_from` its earlier name, if any.

    `begins_here`: the clone is shallow and starts with this commit, so the text may be older.
    """

    tokens: int
    sections: tuple[SectionEdit, ...]
    path: str
    renamed_from: str | None
    deleted: bool
    begins_here: bool


@dataclass(frozen=True, slots=True)
class Uncommitted:
    """The edits on disk that are not committed."""

    tokens: int
    sections: tuple[SectionEdit, ...]
    deleted: bool


@dataclass(frozen=True, slots=True)
class SoulLog:
    """Versions, newest first. `more`: the limit left older ones out. `shallow`: the clone did."""

    path: str
    uncommitted: Uncommitted | None
    versions: tuple[SoulVersion, ...]
    more: bool
    shallow: bool


@dataclass(frozen=True, slots=True)
class SoulDiff:
    """From commit `a` (None: before the first one) to commit `b` (None: the file on disk)."""

    path: str
    a: Point | None
    b: Point | None
    tokens_a: int
    tokens_b: int
    identical: bool
    sections: tuple[SectionEdit, ...]
    note: str = ""


def show(workspace: Workspace, path: str = SOUL, at: str | None = None) -> ShownSoul:
    """The text with its size. `at`: a change id, a revision, or a date (the start of that day)."""
    with soul_history(workspace, path) as history:
        then = history.state(at) if at else None
        oid, note = then or (None, "")
        text = history.text_at(oid) if oid else history.on_disk
        if text is None:
            raise absent(history, at)
        uncommitted = oid is None and text != history.committed
        version = history.version_at(oid) if oid else history.current
        settings = workspace.config.settings
        return ShownSoul(
            path=path,
            at=point(history, oid) if oid else None,
            since=None if uncommitted or version is None else point(history, version.oid),
            uncommitted=uncommitted,
            policy=policy_in_force(workspace),
            tokens=estimate_tokens(text),
            max_tokens=settings.soul_max_tokens if path == SOUL else None,
            sections=tuple(_sizes(text)),
            text=text,
            note=note,
        )


def log(workspace: Workspace, path: str = SOUL, limit: int | None = LIMIT) -> SoulLog:
    """Every change to the soul in the history of HEAD."""
    with soul_history(workspace, path) as history:
        if not history.versions and history.on_disk is None:
            raise absent(history, None)
        shown = history.versions[:limit]
        history.expect(version.oid for version in shown)
        history.expect_texts(shown)
        return SoulLog(
            path=path,
            uncommitted=_uncommitted(history),
            versions=tuple(_version(history, version) for version in shown),
            more=len(history.versions) > len(shown),
            shallow=any(history.begins_here(version.oid) for version in history.versions),
        )


def diff(
    workspace: Workspace, path: str = SOUL, a: str | None = None, b: str | None = None
) -> SoulDiff:
    """Compares two states, by section and by word. Without `b`, the second is the file on disk.

    Without both, HEAD is compared with the disk; if they are equal, the last change is shown.
    """
    with soul_history(workspace, path) as history:
        old, new, note = _sides(history, a, b)
        then, now = (
            (history.text_at(old) if old else None),
            (history.text_at(new) if new else history.on_disk),
        )
        if then is None and now is None:
            raise absent(history, b or a)
        return SoulDiff(
            path=path,
            a=point(history, old) if old else None,
            b=point(history, new) if new else None,
            tokens_a=estimate_tokens(then or ""),
            tokens_b=estimate_tokens(now or ""),
            identical=then == now,
            sections=_edits(then, now, words=True),
            note=note,
        )


def _sizes(text: str) -> Iterator[SectionSize]:
    parts, lines = sections(text), lines_of(text)
    # The last section has none after it, and goes to the end.
    for section, after in zip_longest(parts, parts[1:]):
        own = lines[section.line - 1 : after.line - 1 if after else None]
        yield SectionSize(section.title, section.line, estimate_tokens("".join(own)))


def _version(history: SoulHistory, version: Version) -> SoulVersion:
    commit = history.commit(version.oid)
    former = next(
        (old.path for old in history.versions.older(version) if old.path != version.path), None
    )
    return SoulVersion(
        *told_of(commit),
        tokens=estimate_tokens(history.text(version) or ""),
        sections=_edits(history.text_before(version), history.text(version)),
        path=version.path,
        renamed_from=former,
        deleted=version.after is None,
        begins_here=history.begins_here(version.oid),
    )


def _uncommitted(history: SoulHistory) -> Uncommitted | None:
    then, now = history.committed, history.on_disk
    if then == now:
        return None
    return Uncommitted(estimate_tokens(now or ""), _edits(then, now), deleted=now is None)


def _edits(then: str | None, now: str | None, *, words: bool = False) -> tuple[SectionEdit, ...]:
    changes = section_changes(*around_the_change(then or "", now or ""))
    return tuple(_edit(change, words=words) for change in changes)


def _edit(change: SectionChange, *, words: bool) -> SectionEdit:
    pairs = ((old, new, word_diff(old, new) if words else ()) for old, new in change.reworded)
    reworded = tuple(
        Rewording(old, new, tuple(Word(*piece) for piece in pieces)) for old, new, pieces in pairs
    )
    return SectionEdit(
        change.section, change.added, change.dropped, reworded, change.moved, change.was
    )


def around_the_change(then: str, now: str) -> tuple[str, str]:
    """The part in which two texts differ, with its heading: enough to compare the principles.

    The whole texts if a heading changed, or if it is hard to see where a block begins.
    """
    # A soul has many versions, and each changes little: comparing whole texts would take most of
    # the time of `soul log`.
    old, new = then.split("\n"), now.split("\n")
    head, tail = common_ends(old, new)
    changed = (*old[head : len(old) - tail], *new[head : len(new) - tail])
    if any(line.startswith("#") for line in changed) or _is_hard(then) or _is_hard(now):
        return then, now
    # The shared lines around the change may belong to its block, so both ends move outwards to
    # the next line that surely begins one.
    begin = _last_line(old, head - 1, _BEGINS, default=0)
    title = _last_line(old, begin, ("#",), default=begin)
    end = _shared_blocks(old, tail)
    heading = [old[title], ""] if title < begin else []
    return (
        "\n".join([*heading, *old[begin : len(old) - end], ""]),
        "\n".join([*heading, *new[begin : len(new) - end], ""]),
    )


def _is_hard(text: str) -> bool:
    return any(sign in f"\n{text}" for sign in _HARD)


def _last_line(lines: list[str], at: int, signs: tuple[str, ...], default: int) -> int:
    """The last line, from `at` upwards, that starts with one of the signs."""
    for number in range(at, -1, -1):
        if lines[number].startswith(signs):
            return number
    return default


def _shared_blocks(lines: list[str], tail: int) -> int:
    """How many of the last `tail` lines are left, counted from the first that begins a block."""
    for count in range(tail, 0, -1):
        if lines[-count].startswith(_BEGINS):
            return count
    return 0


_BEGINS = ("- ", "* ", "+ ", "#")
"""A line that starts with one of these begins a block."""

_HARD = ("```", "~~~", "\n<", "\n--", "\n==")
"""Code fences, HTML and underlined headings: a line in these may look like the start of a block."""


def _sides(
    history: SoulHistory, a: str | None, b: str | None
) -> tuple[str | None, str | None, str]:
    """The two commits to compare, None as in `SoulDiff`, and its note."""
    if a:
        return _named_sides(history, a, b)
    if history.on_disk != history.committed or not history.versions:
        committed = history.index.head if history.committed is not None else None
        return committed, None, ""
    last = history.current or history.versions[0]
    before = next(history.versions.older(last), None)
    return before.oid if before else None, last.oid, ""


def _named_sides(history: SoulHistory, a: str, b: str | None) -> tuple[str | None, str | None, str]:
    older = history.state(a)
    newer = history.state(b) if b else None
    notes = dict.fromkeys(state.note for state in (older, newer) if state and state.note)
    return older.oid, newer.oid if newer else None, "; ".join(notes)
