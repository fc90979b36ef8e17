"""Transcripts of the first two eras: a file of JSON lines for each session, and an index."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from clawgit.domain.conversation.chat import plain
from clawgit.domain.conversation.transcript import moment
from clawgit.stores.transcripts.source import (
    LONGEST_LINE,
    TOO_LONG,
    Session,
    TranscriptLine,
    name_of,
    parsed,
)

_FILE = re.compile(
    r"(?P<id>.+?)(?:\.checkpoint\.[^.]+)?\.jsonl(?:\.(?:reset|deleted|bak)\b.*)?", re.DOTALL
)
_TRACE = 256
_LARGEST_INDEX = 64 * 1024 * 1024


class JsonlTranscript(NamedTuple):
    """One file. An archive of a session is a file of its own, with the session's id in its name."""

    path: Path
    session: Session

    @property
    def source(self) -> str:
        return name_of(self.path)

    def state(self) -> str:
        stat = self.path.stat()
        return f"{stat.st_ino}:{stat.st_size}:{stat.st_mtime_ns}"

    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def trace(self, end: int) -> str:
        with self.path.open("rb") as file:
            digest = hashlib.sha256(file.read(min(_TRACE, end)))
            file.seek(max(0, end - _TRACE))
            digest.update(file.read(min(_TRACE, end)))
            return f"{self.path.stat().st_ino}:{file.tell() == end}:{digest.hexdigest()[:16]}"

    def lines(self, start: int) -> Iterator[TranscriptLine]:
        with self.path.open("rb") as file:
            file.seek(start)
            while raw := file.readline(LONGEST_LINE):
                begin, start = start, start + len(raw)
                if raw.endswith(b"\n"):
                    if raw.strip(b"\0 \t\r\n"):
                        yield parsed(begin, start, raw)
                    continue
                if len(raw) < LONGEST_LINE:
                    # An object that can be parsed is complete: a part of one cannot be parsed.
                    line = parsed(begin, start, raw)
                    if line.value is not None:
                        yield line
                    return
                start, is_whole = _past_line(file, start)
                if not is_whole:
                    return
                yield TranscriptLine(begin, start, None, TOO_LONG)


def jsonl_transcripts(state: Path, notes: list[str]) -> list[JsonlTranscript]:
    """The transcripts in an agent's state folder, the latest written last."""
    folder = state / "sessions"
    try:
        transcripts = [
            (path, match["id"]) for path in _files(folder) if (match := _FILE.fullmatch(path.name))
        ]
    except OSError as error:
        notes.append(f"{folder} cannot be read: {error.strerror}")
        return []
    # Without transcripts the index is not read, and a damaged one is not reported.
    index = _index(folder / "sessions.json", notes) if transcripts else {}
    # A file that the index does not name is a session too; only its id is known.
    listed = [
        JsonlTranscript(path, index.get(ident, Session(plain(ident))))
        for path, ident in transcripts
    ]
    return sorted(listed, key=lambda transcript: _written(transcript.path))


def session_of(ident: str, key: str, about: Mapping[str, Any]) -> Session:
    """A session, from OpenClaw's own entry about it."""
    place = (about.get("chatType"), about.get("channel"))
    return Session(
        plain(ident), plain(key), *(plain(word) if isinstance(word, str) else "" for word in place)
    )


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in sorted(folder.iterdir()) if path.is_file() and not path.is_symlink()]


def _index(path: Path, notes: list[str]) -> dict[str, Session]:
    """The sessions by the id of their file; of two names for one file, the newer."""
    try:
        if not path.exists():
            return {}
        if path.stat().st_size > _LARGEST_INDEX:
            raise ValueError("it is too large")  # noqa: TRY301 - one note for all that is wrong with it
        listed = json.loads(path.read_text("utf-8", "replace"))
        if not isinstance(listed, dict):
            raise TypeError("it is not an object")  # noqa: TRY301 - the same
    except (OSError, ValueError, TypeError, RecursionError) as error:
        notes.append(f"{path} cannot be read, so sessions go by their ids: {error}")
        return {}
    rows = [(key, about) for key, about in listed.items() if isinstance(about, dict)]
    rows.sort(key=lambda row: _updated(row[1]))
    return {ident: session_of(ident, key, about) for key, about in rows for ident in _idents(about)}


def _idents(about: Mapping[str, Any]) -> Iterator[str]:
    """The file of a session, by its id or by the name in `sessionFile`, in this folder."""
    if isinstance(ident := about.get("sessionId"), str):
        yield ident
    if isinstance(file := about.get("sessionFile"), str) and (
        match := _FILE.fullmatch(Path(file).name)
    ):
        yield match["id"]


def _written(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:  # archived at this very moment
        return 0


def _updated(about: Mapping[str, Any]) -> float:
    when = moment(about.get("updatedAt"))
    return when.timestamp() if when else 0.0


def _past_line(file: BinaryIO, at: int) -> tuple[int, bool]:
    """Where a line ends of which only the beginning was read, and whether it is complete."""
    while raw := file.readline(LONGEST_LINE):
        at += len(raw)
        if raw.endswith(b"\n"):
            return at, True
    return at, False
