"""Searches every place within reach for forgotten words, and lists the places beyond it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from clawgit.domain.forgetting.needle import Matcher
from clawgit.domain.markdown.decoding import wide_encoding
from clawgit.domain.safety.remotes import shown_address
from clawgit.ops.forgetting.ground import Ground, files_below, files_with
from clawgit.ops.forgetting.rows import has_server, messages_with
from clawgit.stores import openclaw
from clawgit.stores.backups import noted_backups
from clawgit.stores.chat.protocol import ServerAwayError
from clawgit.stores.git.batch import RawObject, every_object
from clawgit.stores.git.rewriting import names_in
from clawgit.stores.xdg import config_home

_MOST = 20
"""How many places are listed one by one."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was searched, and where the words still are.

    `history` is how many objects of git hold them, `left` every other place. `beyond` are places
    that this command cannot empty: remotes, clones, backups, files of other programs.
    """

    objects: int
    files: int
    bytes: int
    history: int
    left: tuple[str, ...]
    beyond: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        return not (self.history or self.left)


def prove(ground: Ground, spared: Iterable[Path] = ()) -> Proof:
    """Makes the search.

    `spared` are files that may have the words: the backup that was just made.
    """
    skipped = frozenset(spared)
    held, objects = [], 0
    for found in every_object(ground.workspace.cgit):
        objects += 1
        held += [found.oid] if holds(found, ground.matcher) else []
    size, files, left = 0, 0, []
    for file in _files(ground):
        if file in skipped:
            continue
        data = _read(file)
        files, size = files + 1, size + len(data)
        if ground.matcher.is_in_bytes(data) or ground.matcher.is_in(file.name):
            left.append(str(file))
    left += _in_workspace(ground)
    beyond = (*_remotes(ground), *_backups(ground), *_transcripts(ground), *_server(ground))
    return Proof(objects, files, size, len(held), tuple(left), beyond)


def history_with(ground: Ground) -> int:
    """How many objects of git hold the words."""
    return sum(holds(found, ground.matcher) for found in every_object(ground.workspace.cgit))


def holds(found: RawObject, matcher: Matcher) -> bool:
    """Whether an object of git has the words: a file, a message, or the name of a file."""
    if found.kind == "tree":
        return any(matcher.is_in(name) for name in names_in(found.data))
    if not matcher.is_in_bytes(found.data):
        return False
    encoding = wide_encoding(found.data)
    if b"\0" in found.data and not encoding:
        return True
    return matcher.is_in(found.data.decode(encoding or "utf-8", "replace"))


def _files(ground: Ground) -> Iterator[Path]:
    """Every file of `.git` except objects, which git reads, and of clawgit's folders elsewhere."""
    common, caller = ground.workspace.place.common_dir, ground.workspace.caller
    objects = common / "objects"
    yield from (file for file in files_below(common) if not file.is_relative_to(objects))
    yield from files_below(ground.copies)
    yield from files_below(ground.state_home / "connected")
    yield from sorted(ground.state_home.glob("*.log*"))
    yield from files_below(config_home(caller.env, caller.home) / "clawgit")


def _in_workspace(ground: Ground) -> Iterator[str]:
    found = files_with(ground)
    yield from dict.fromkeys((*found.paths, *found.outside))


def _remotes(ground: Ground) -> Iterator[str]:
    listed = ground.workspace.cgit.text("config", "--get-regexp", r"^remote\..*\.url$", ok=(0, 1))
    for row in listed.splitlines():
        key, _, url = row.partition(" ")
        name = key.removeprefix("remote.").removesuffix(".url")
        what = "clone" if (ground.workspace.root / url).is_dir() else "remote"
        yield f"{what} {name}: {shown_address(url)}"


def _backups(ground: Ground) -> Iterator[str]:
    yield from (f"backup: {row.file}" for row in noted_backups(ground.workspace.place))


def _transcripts(ground: Ground) -> Iterator[str]:
    """OpenClaw's transcripts with the words. They are only read."""
    caller = ground.workspace.caller
    installation = openclaw.find(caller.home, caller.env)
    agent = installation.agent_of(ground.workspace.root) if installation else None
    if agent is None:
        return
    found = [file for file in files_below(agent.state) if ground.is_in(file)]
    yield from (f"file of OpenClaw: {file}" for file in found[:_MOST])
    if len(found) > _MOST:
        yield f"and {len(found) - _MOST} more files of OpenClaw in {agent.state}"


def _server(ground: Ground) -> Iterator[str]:
    try:
        if count := messages_with(ground):
            yield f"chat server: {count} messages"
    except ServerAwayError as error:
        yield f"chat server: {error.message}"
    if has_server(ground):
        yield "the logs and backups of the chat server"
    if url := ground.workspace.config.settings.chroma_url:
        yield f"Chroma server: {url} (`clawgit memory index` deletes the vectors there)"


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""
