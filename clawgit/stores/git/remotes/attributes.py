"""The repository's own attributes, `info/attributes`, which name the files for our merge driver."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from clawgit.domain.markdown.decoding import exact_bytes
from clawgit.language.lazily import lazily
from clawgit.stores.plainfile import put_in_place, read_plain

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.stores.git.place import RepoPlace

DRIVER = "clawgit"
_HEAD = "# clawgit: files of memory are merged by meaning; `clawgit deinit` takes these lines out"
_OURS = lazily(rf'(?:[^\s"]\S*|"(?:[^"\\]|\\.)*") (?:merge={DRIVER}|!merge)')
"""A line with one pattern and only a merge driver."""

_MARKDOWN = ".md"
_OTHER_FILE = lazily(r"(?!.*\.md$).*\.[A-Za-z]+")
"""A pattern for files that are no Markdown, such as /.gitignore."""


def lines_for(patterns: Iterable[str]) -> tuple[str, ...]:
    """The lines for a scope: its Markdown goes to our driver.

    If two lines match, the last counts.
    """
    return tuple(_lines(patterns))


def driven(place: "RepoPlace") -> tuple[str, ...]:
    """Our lines in the file now."""
    return tuple(filter(_OURS.fullmatch, _read(_file(place))))


def drive(place: "RepoPlace", lines: Sequence[str]) -> None:
    """Puts our lines after those of others; without lines, removes them."""
    file = _file(place)
    text = "".join(
        f"{line}\n" for line in (*_foreign(_read(file)), *([_HEAD, *lines] if lines else []))
    )
    if not text:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    put_in_place(file, exact_bytes(text))


def holds_more(file: "Path") -> bool:
    """Whether a file of attributes has anything besides lines for our driver."""
    try:
        return bool(_foreign(_read(file)))
    except OSError:
        return True


def _foreign(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line != _HEAD and not _OURS.fullmatch(line)]


def _read(file: "Path") -> list[str]:
    """The lines, without their ends."""
    try:
        data = read_plain(file)
    except FileNotFoundError:
        return []
    return data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if data else []


def _file(place: "RepoPlace") -> "Path":
    return place.common_dir / "info" / "attributes"


def _lines(patterns: Iterable[str]) -> Iterator[str]:
    for pattern in patterns:
        if _OTHER_FILE.fullmatch(pattern):
            continue
        includes = not pattern.startswith("!")
        path = _path(pattern.removeprefix("!"))
        yield f"{_quoted(path)} {f'merge={DRIVER}' if includes else '!merge'}"


def _path(pattern: str) -> str:
    """A pattern of a scope in the form for attributes, where a folder alone matches nothing."""
    if pattern.lower().endswith(_MARKDOWN):
        return pattern
    body = pattern.rstrip("/")
    anchored = "/" in body
    return f"{body}/**/*{_MARKDOWN}" if anchored else f"**/{body}/**/*{_MARKDOWN}"


def _quoted(path: str) -> str:
    if not any(sign in path for sign in ' \t"#'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'
