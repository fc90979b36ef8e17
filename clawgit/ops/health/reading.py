"""One pass over the files of a workspace for all checks that look into them."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path

from clawgit.domain.change.attribution import has_conflict_markers
from clawgit.domain.change.ids import blob_id
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.entry import EntryProblem, holds_entries, problems
from clawgit.domain.safety.injection import foreign_comments
from clawgit.domain.safety.planted import is_served
from clawgit.domain.workspace.limits import readable
from clawgit.ops.safety.secrets_found import LONGEST, FoundSecret, in_file, scanned_text
from clawgit.stores.hardlinks import leads_outside


@dataclass(frozen=True, slots=True)
class Reading:
    """What was noticed in the files, by path, without their texts, which may be large.

    `not_text` has the first byte that is no UTF-8, `blobs` the name that git has for the content,
    `comments` the lines of those that are neither clawgit's nor OpenClaw's.
    """

    not_text: dict[str, int] = field(default_factory=dict)
    problems: dict[str, tuple[EntryProblem, ...]] = field(default_factory=dict)
    in_conflict: list[str] = field(default_factory=list)
    secrets: list[FoundSecret] = field(default_factory=list)
    blobs: dict[str, str] = field(default_factory=dict)
    comments: dict[str, tuple[int, ...]] = field(default_factory=dict)


def read_files(root: Path, paths: Iterable[str]) -> Reading:
    """Reads the files, one at a time. Skips those that are gone by now, or lead outside."""
    reading = Reading()
    for path in paths:
        try:
            # Unbuffered: of thousands of files, most are smaller than a buffer.
            with FileIO(f"{root}/{path}") as opened:
                status = os.fstat(opened.fileno())
                if leads_outside(root, status):
                    continue
                size = status.st_size
                data = opened.read(LONGEST) if size > LONGEST else opened.readall()
        except FileNotFoundError:
            continue
        reading.secrets.extend(in_file(path, scanned_text(data, size)))
        if path.lower().endswith(".md"):
            _look(reading, path, data, whole=size <= LONGEST)
    return reading


def _look(reading: Reading, path: str, data: bytes, *, whole: bool) -> None:
    if has_conflict_markers(data):
        reading.in_conflict.append(path)
    if whole:
        reading.blobs[path] = blob_id(data)
    if is_served(path) and (found := foreign_comments("", text_of(data))):
        reading.comments[path] = tuple(comment.line for comment in found)
    if not holds_entries(path):
        return
    try:
        wrong = problems(path, readable(data).decode("utf-8"))
    except UnicodeDecodeError as error:
        reading.not_text[path] = error.start
        return
    if wrong:
        reading.problems[path] = wrong
