"""Writes and reads `manifest.json`, which describes a backup. What is read is not trusted."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any

from clawgit import __version__
from clawgit.errors import ClawgitError
from clawgit.stores.archive import damaged, sha256_of

FORMAT = 1
MANIFEST = "manifest.json"
BUNDLE = "repository.bundle"
STATE = "state.db"
FILES = "files"

_OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REF = re.compile(r"refs/[^\x00-\x20\x7f~^:?*\[\\]+")
_MOST = 2**63


@dataclass(frozen=True, slots=True)
class Manifest:
    """`head` is a branch, or `HEAD` when detached.

    `faults` is what `git fsck` finds wrong with the history itself. File names are as the file
    system has them: a byte that is not UTF-8 is a lone surrogate.
    """

    workspace: str
    time: str
    head: str
    head_oid: str
    commits: int
    refs: dict[str, str]
    symbolic_refs: dict[str, str]
    files: list[str]
    deleted: list[str]
    left_out: dict[str, str]
    state: dict[str, int]
    members: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    clawgit: str = __version__
    format: int = FORMAT


def write_manifest(stage: Path, manifest: Manifest) -> None:
    """Writes the manifest beside the members that it lists."""
    manifest.members.update(checksums(stage))
    record = {name: value for name, value in asdict(manifest).items() if name != "faults" or value}
    (stage / MANIFEST).write_text(json.dumps(record, indent=1) + "\n", "ascii")


def checksums(stage: Path) -> dict[str, str]:
    """The checksums of all staged members, except the manifest, which lists them."""
    there = (
        path for path in sorted(stage.rglob("*")) if path.is_file() and path != stage / MANIFEST
    )
    return {path.relative_to(stage).as_posix(): sha256_of(path) for path in there}


def read_manifest(file: Path, text: bytes) -> Manifest:
    """The manifest of the backup `file`; DamagedArchiveError if clawgit did not write it."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise damaged(file, f"is damaged: {MANIFEST} is not JSON ({error})") from error
    if not isinstance(record, dict):
        raise damaged(file, f"is damaged: {MANIFEST} holds no names and values")
    version = record.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise ClawgitError(
            f"{file} was written by clawgit {record.get('clawgit')}, in a form that this one does "
            "not know.",
            hint="Update this one: pip install --upgrade clawgit",
        )
    record.setdefault("faults", [])
    for name, accepts in _VALUES.items():
        if name not in record:
            raise damaged(file, f"is damaged: {MANIFEST} does not say `{name}`")
        if not accepts(record[name]):
            raise damaged(
                file, f"is damaged: `{name}` in {MANIFEST} is not what clawgit writes there"
            )
    # A later clawgit with the same format may write more keys; they are ignored.
    return Manifest(**{known.name: record[known.name] for known in fields(Manifest)})


def is_inside(path: str) -> bool:
    """Whether a path can only mean a file inside of its folder, and not one of git's own."""
    parts = PurePosixPath(path).parts
    is_relative = bool(parts) and not path.startswith("/") and not path.endswith("/")
    return (
        is_relative
        and "\0" not in path
        and not any(part == ".." or part.lower() == ".git" for part in parts)
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST


def _is_oid(value: Any) -> bool:
    return isinstance(value, str) and _OID.fullmatch(value) is not None


def _is_ref(value: Any) -> bool:
    return isinstance(value, str) and _REF.fullmatch(value) is not None and ".." not in value


def _are_paths(value: Any) -> bool:
    if not isinstance(value, list) or not all(
        isinstance(path, str) and is_inside(path) for path in value
    ):
        return False
    return len({*value}) == len(value)


def _is_map(value: Any, is_name: Callable[[str], bool], accepts: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(
        is_name(name) and accepts(held) for name, held in value.items()
    )


_VALUES: Mapping[str, Callable[[Any], bool]] = {
    "format": lambda value: _is_count(value) and value > 0,
    "clawgit": _is_text,
    "workspace": _is_text,
    "time": _is_text,
    "head": lambda value: value == "HEAD" or _is_ref(value),
    "head_oid": _is_oid,
    "commits": _is_count,
    "refs": lambda value: _is_map(value, _is_ref, _is_oid),
    "symbolic_refs": lambda value: _is_map(value, _is_ref, _is_ref),
    "files": _are_paths,
    "deleted": _are_paths,
    "left_out": lambda value: _is_map(value, _is_text, _is_text),
    "state": lambda value: _is_map(value, _is_text, _is_count),
    "members": lambda value: _is_map(value, is_inside, _is_text),
    "faults": lambda value: isinstance(value, list) and all(map(_is_text, value)),
}
