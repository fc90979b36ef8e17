"""The repository's own lists in `.git/info`: the files that our merge driver merges
(`attributes`), and those that git overlooks (`exclude`).
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from clawgit.core.disk.plainfile import put_in_place, read_plain
from clawgit.core.markdown.decoding import exact_bytes
from clawgit.git.place import RepoPlace
from clawgit.language.lazily import lazily

DRIVER = "clawgit"
_HEAD = "# clawgit: files of memory are merged by meaning; `clawgit deinit` takes these lines out"
_OURS = lazily(rf'(?:[^\s"]\S*|"(?:[^"\\]|\\.)*") (?:merge={DRIVER}|!merge)')
"""A line with one pattern and only a merge driver."""

_MARKDOWN = ".md"
_OTHER_FILE = lazily(r"(?!.*\.md$).*\.[A-Za-z]+")
"""A pattern for files that are no Markdown, such as /.gitignore."""

PASSING = (".clawgit-*.tmp", ".openclaw/", "memory/.dreams/")
"""Temporary files in a workspace that are no memory, whatever its .gitignore says."""

_PASSING_HEAD = "# clawgit: what passes through a workspace and is no memory"
_NESTED_HEAD = "# clawgit: a workspace of its own lies here"


def lines_for(patterns: Iterable[str]) -> tuple[str, ...]:
    """The attributes for a scope: its Markdown goes to our driver.

    If two lines match, the last counts.
    """
    return tuple(
        f"{_quoted(_path(pattern.removeprefix('!')))} "
        f"{'!merge' if pattern.startswith('!') else f'merge={DRIVER}'}"
        for pattern in patterns
        if not _OTHER_FILE.fullmatch(pattern)
    )


def driven(place: RepoPlace) -> tuple[str, ...]:
    """Our attributes in the file now."""
    return tuple(filter(_OURS.fullmatch, _lines(_attributes(place))))


def drive(place: RepoPlace, lines: Sequence[str]) -> None:
    """Puts our attributes after those of others; without any, removes them."""
    file = _attributes(place)
    others = [line for line in _lines(file) if line != _HEAD and not _OURS.fullmatch(line)]
    _write(file, [*others, *([_HEAD, *lines] if lines else [])])


def hide_passing(place: RepoPlace) -> None:
    _hide(place, _PASSING_HEAD, PASSING)


def hide_nested(place: RepoPlace, folder: str) -> None:
    """Hides a folder that is a repository itself from the one around it."""
    pattern = re.sub(r"([\\*?\[])", r"\\\1", folder.rstrip("/"))
    # No line of the file can hold a line end.
    _hide(place, _NESTED_HEAD, ["/" + re.sub(r"[\r\n]", "?", pattern) + "/"])


def passing_lines(place: RepoPlace) -> list[str]:
    """The lines that `show_passing` removes."""
    return [line for head, line in pairwise(_lines(_exclude(place))) if head == _PASSING_HEAD]


def show_passing(place: RepoPlace) -> None:
    """Removes our lines. A nested workspace stays hidden, since it is still there."""
    lines = _lines(_exclude(place))
    ours = {at for at, line in enumerate(lines) if line == _PASSING_HEAD}
    if ours:
        kept = (line for at, line in enumerate(lines) if ours.isdisjoint((at, at - 1)))
        _write(_exclude(place), [*kept])


def _hide(place: RepoPlace, head: str, patterns: Sequence[str]) -> None:
    lines = _lines(_exclude(place))
    missing = [line for pattern in patterns if pattern not in lines for line in (head, pattern)]
    if missing:
        _write(_exclude(place), [*lines, *missing])


def _attributes(place: RepoPlace) -> Path:
    return place.common_dir / "info" / "attributes"


def _exclude(place: RepoPlace) -> Path:
    return place.common_dir / "info" / "exclude"


def _lines(file: Path) -> list[str]:
    """The lines, without their ends."""
    try:
        data = read_plain(file)
    except FileNotFoundError:
        return []
    return data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if data else []


def _write(file: Path, lines: Sequence[str]) -> None:
    if not lines:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    put_in_place(file, exact_bytes("".join(f"{line}\n" for line in lines)))


def _path(pattern: str) -> str:
    """A pattern of a scope in the form for attributes, where a folder alone matches nothing."""
    if pattern.lower().endswith(_MARKDOWN):
        return pattern
    body = pattern.rstrip("/")
    anywhere = "" if "/" in body else "**/"
    return f"{anywhere}{body}/**/*{_MARKDOWN}"


def _quoted(path: str) -> str:
    if not any(sign in path for sign in ' \t"#'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'
