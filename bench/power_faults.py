"""What is wrong after a power cut: with the workspace in which all wrote, and with each folder that
was made, rewritten or synced.
"""

import re
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from bench.power_writers import FORGOTTEN, NOTES, Desk

_NEW_FOLDERS = ("init", "adopt", "forget", "restore")
_CARELESS = ("save", "commit")
_LINES = ("add", "correct", "undo", "soul", "save")
_LOGS = ("CORRECTIONS.md", "CHANGELOG.md", "COMPACTION_LOG.md")
"""Files that quote what memory says."""

_NOT_LOGS = [f":!{name}" for name in _LOGS]
_OBJECT = re.compile(r"\b[0-9a-f]{2}/?[0-9a-f]{38}\b")


class Act(NamedTuple):
    """Something that a writer began; `done` when it was acknowledged."""

    name: str
    word: str
    done: bool


def faults(desk: Desk, acts: Sequence[Act], before: Sequence[Act]) -> Iterator[str]:
    """One line for each fault. `before`: what was done before earlier cuts, which must be there."""
    yield from _of_lines(desk, (*before, *acts), "before any command")
    yield from _of_git(desk, desk.main)
    yield from _of_files(desk, desk.main, acts)
    if {"pack", "commit"}.intersection(act.name for act in acts):
        for lock in (desk.main / ".git/refs").rglob("*.lock"):
            lock.unlink()
    if any(act.name == "sync" for act in acts):
        yield from _of_sync(desk, acts)
    for act in acts:
        if act.name in _NEW_FOLDERS and (desk.disk / act.word).exists():
            yield from _of_folder(desk, act)
            shutil.rmtree(desk.disk / act.word, ignore_errors=True)
        if act.name == "backup":
            yield from _of_backup(desk, act)
    yield from _of_use(desk, desk.main, "main")
    yield from _of_lines(desk, (*before, *acts), "after use")
    yield from _of_chat(desk, (*before, *acts))


def _of_git(desk: Desk, folder: Path) -> Iterator[str]:
    for args in (("fsck", "--full", "--no-dangling"), ("log", "--oneline", "-1")):
        code, printed = desk.run(folder, "git", *args)
        if (code or "error" in printed) and not _is_litter(desk, folder, printed):
            yield f"{folder.name}: git {args[0]} exits with {code}: {printed[:300]}"


def _is_litter(desk: Desk, folder: Path, printed: str) -> bool:
    """Whether nothing refers to the objects that git complains about."""
    bad = {found.replace("/", "") for found in _OBJECT.findall(printed)}
    code, listed = desk.run(folder, "git", "rev-list", "--objects", "--all", "--indexed-objects")
    return bool(bad) and not code and bad.isdisjoint(line[:40] for line in listed.splitlines())


def _of_files(desk: Desk, folder: Path, acts: Sequence[Act]) -> Iterator[str]:
    careless = {f"{act.word}.md" for act in acts if act.name == "commit" or not act.done}
    careless.add(Path(NOTES).name)
    for file in sorted(folder.rglob("*.md")):
        data = file.read_bytes()
        if data and b"\0" not in data:
            continue
        if file.name in careless:
            # Not synced by those who wrote it, and not acknowledged by us: its user brings it back.
            code, kept = desk.run(folder, "git", "show", f"HEAD:{file.relative_to(folder)}")
            file.write_text(kept if not code else "-\n", encoding="utf-8")
        else:
            yield f"{folder.name}: {file.relative_to(folder)} is empty or has NULs"


def _texts(desk: Desk, folder: Path) -> tuple[str, str]:
    """All memory of HEAD, and of the disk."""
    _, head = desk.run(folder, "git", "grep", "-ahE", "", "HEAD", "--", "*.md", *_NOT_LOGS)
    files = [file for file in folder.rglob("*.md") if file.name not in _LOGS]
    return head, "\n".join(file.read_text("utf-8", "replace") for file in files)


def _of_lines(desk: Desk, acts: Sequence[Act], when: str) -> Iterator[str]:
    """What is lost or doubled of the lines that were written into the main workspace."""
    head, disk = _texts(desk, desk.main)
    for act in acts:
        words = [act.word] if act.name in _LINES else []
        words += [f"{act.word}new"] if act.name in _CARELESS else []
        least, most = int(act.done), 1
        if act.name == "undo":
            least, most = 0, int(not act.done)
        for word in words:
            for place, text in (("HEAD", head), ("the files", disk)):
                found = sum(_has(line, word) for line in text.splitlines())
                if not least <= found <= most:
                    yield f"{when}: {_told(act)}: {word} is {found} times in {place}"


def _of_chat(desk: Desk, acts: Sequence[Act]) -> Iterator[str]:
    code, printed = desk.clawgit(desk.main, "chat", "search", "-n", "100000", "--json")
    texts = re.findall(r'"text": (".*")', printed)
    for act in acts:
        found = sum(act.word in text for text in texts)
        if act.name == "heartbeat" and not int(act.done) <= found <= 1:
            yield f"{_told(act)}: is not once in the chat: {code}: {printed[:100]}"


def _told(act: Act) -> str:
    return f"{act.word}, {'acknowledged' if act.done else 'begun'}"


def _has(line: str, word: str) -> bool:
    # A correction keeps the old value as a comment in its line.
    return word in line.replace(f"{word}new", "") if not word.endswith("new") else word in line


def _of_use(desk: Desk, folder: Path, name: str) -> Iterator[str]:
    """What does not work at once. Only a lock that git itself has left is removed before."""
    for lock in (folder / ".git").glob("*.lock"):
        if not lock.is_symlink():
            lock.unlink()
    for args in (
        ("status",),
        ("memory", "add", f"Crane {time.time_ns()} of the yard lifts 20 tons."),
        ("snapshot",),
        ("doctor",),
        ("memory", "search", "which crane lifts 20 tons"),
    ):
        code, printed = desk.clawgit(folder, *args)
        if code or (args[1:2] == ("search",) and "Crane" not in printed):
            yield f"{name}: clawgit {args[0]} exits with {code}: {printed[:400]}"
    yield from _of_git(desk, folder)
    code, printed = desk.run(folder, "git", "--no-optional-locks", "status", "--porcelain")
    if code or printed:
        yield f"{name}: git status: {printed[:300]}"
    for file in (folder / ".git/clawgit").glob("*.db"):
        with closing(sqlite3.connect(file)) as db:
            if (found := db.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
                yield f"{name}: {file.name}: {found}"


def _of_folder(desk: Desk, act: Act) -> Iterator[str]:
    """What is wrong with a folder that was made a workspace, restored or rewritten."""
    folder = desk.disk / act.word
    if act.name == "restore":
        if act.done:
            yield from _of_kept(act, folder, desk.disk / "told", same=True)
            yield from _of_git(desk, folder)
        return
    origin = desk.disk / {"init": "plain", "adopt": "history", "forget": "told"}[act.name]
    yield from _of_kept(act, folder, origin, same=act.name == "adopt")
    if act.name == "adopt":
        tip = desk.run(origin, "git", "rev-parse", "HEAD")[1].strip()
        if desk.run(folder, "git", "merge-base", "--is-ancestor", tip, "HEAD")[0]:
            yield f"{_told(act)}: the history is not what it was"
    if not act.done and act.name != "forget":
        code, printed = desk.clawgit(folder, "init", ".", typed="")
        if code:
            yield f"{act.word}: init again exits with {code}: {printed[:300]}"
    yield from _of_use(desk, folder, _told(act))
    if act.name == "forget" and act.done:
        commits = desk.run(folder, "git", "rev-list", "--all")[1].split()
        _, there = desk.run(folder, "git", "grep", "-a", FORGOTTEN, *commits)
        _, log = desk.run(folder, "git", "log", "--all", f"--grep={FORGOTTEN}", "--oneline")
        if there or log:
            yield f"{_told(act)}: the word is still there: {there[:200]}"


def _of_kept(act: Act, folder: Path, origin: Path, *, same: bool) -> Iterator[str]:
    """The files of `origin` of which `folder` lacks a line, or that are not the same."""
    for file in origin.rglob("*.md"):
        text, there = file.read_text("utf-8"), folder / file.relative_to(origin)
        kept = there.read_text("utf-8", "replace") if there.exists() else ""
        lines = [line for line in text.splitlines() if FORGOTTEN not in line]
        if not all(line in kept for line in lines) or (same and kept != text):
            yield f"{_told(act)}: {file.name} is not what it was"


def _of_backup(desk: Desk, act: Act) -> Iterator[str]:
    file = desk.disk / f"{act.word}.backup"
    if act.done and not file.exists():
        yield f"{act.word}: the backup is gone"
    elif file.exists() and (printed := desk.clawgit(desk.disk, "backup", "verify", str(file)))[0]:
        yield f"{act.word}: {printed[1][:300]}"
    file.unlink(missing_ok=True)


def _of_sync(desk: Desk, acts: Sequence[Act]) -> Iterator[str]:
    places = [desk.disk / name for name in ("near", "other", "remote.git")]
    for lock in places[2].rglob("*.lock"):  # whoever runs the remote takes away what git left there
        lock.unlink()
    for place in places:
        yield from _of_git(desk, place)
    for place in (*places[:2], *places[:2]):
        code, printed = desk.clawgit(place, "sync")
        if code:
            yield f"{place.name}: sync exits with {code}: {printed[:300]}"
    for place in places[:2]:
        yield from _of_use(desk, place, place.name)
        for place_text in _texts(desk, place):
            for act in acts:
                for word in (act.word, f"{act.word}far"):
                    found = sum(f"Machine {word} " in line for line in place_text.splitlines())
                    if act.name == "sync" and not int(act.done) <= found <= 1:
                        yield f"{place.name}: {word} is there {found} times"
