"""What an agent is shown: the workspace at one commit, read when asked for, and what was said since
its last run.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.change.when import parse_when
from clawgit.domain.conversation.chat import Message
from clawgit.errors import UsageError
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chat.protocol import SPOKEN, ServerAwayError, Wanted
from clawgit.stores.git.worktree import read_file
from clawgit.stores.runs import Run

if TYPE_CHECKING:
    from clawgit.stores.embed.contract import Rows
    from clawgit.stores.git.store import GitStore

_TOP = frozenset(
    f"{name}.md"
    for name in (
        "MEMORY", "memory", "CORRECTIONS", "CONFLICTS", "COMPACTION_LOG", "CHANGELOG",
        "SOUL_CHANGELOG",
        "SOUL", "IDENTITY", "USER", "AGENTS", "TOOLS", "HEARTBEAT", "LESSONS",
    )
)  # fmt: skip
_BELOW = ("memory/", "Archive/")
_MOST = 50_000
"""Messages that one run listens to; the next goes on from there."""

_AT_ONCE = 2000


class Heard(NamedTuple):
    """Messages in the order of time, and the mark up to which all has been heard. It is `complete`
    where nothing that had come by then is left to hear.
    """

    messages: tuple[Message, ...] = ()
    mark: str = ""
    notes: tuple[str, ...] = ()
    complete: bool = False


class TreeFiles(Mapping[str, str]):
    """The files that agents may read and edit, at a commit; each is read once, when it is asked
    for. `edited` are those that the disk has otherwise, for who only wants to see what would
    happen.
    """

    def __init__(
        self,
        git: "GitStore",
        head: str,
        edited: Collection[str] = (),
        deleted: Collection[str] = (),
    ) -> None:
        self._git, self._head, self._edited = git, head, frozenset(edited)
        there = git.files(head) if head else []
        shown = filter(git.scope.covers, filter(_is_shown, {*there, *edited}.difference(deleted)))
        self._texts: dict[str, str | None] = dict.fromkeys(sorted(shown))

    def __getitem__(self, path: str) -> str:
        text = self._texts[path]
        if text is None:
            text = self._texts[path] = self._read(path)
        return text

    def __contains__(self, path: object) -> bool:
        return path in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def _read(self, path: str) -> str:
        on_disk = path in self._edited
        found = (
            read_file(self._git.place.root, path).data
            if on_disk
            else self._git.read(self._head, path)
        )
        return (found or b"").decode("utf-8", "surrogateescape")


class Near:
    """How near texts are by the vectors of the workspace's embedder, which is opened with the first
    question.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._rows: dict[str, Rows] = {}

    def cosines(self, ones: Sequence[str], others: Sequence[str]) -> Sequence[Sequence[float]]:
        """EmbedderError where the embedder does not answer: then words must do."""
        import numpy as np  # noqa: PLC0415 - 60 ms, for those alone who compare meanings

        if not ones or not others:
            return [[] for _ in ones]
        self._learn([*ones, *others])
        left, right = (np.stack([self._rows[text] for text in texts]) for texts in (ones, others))
        found: list[list[float]] = (left @ right.T).tolist()
        return found

    def _learn(self, texts: Sequence[str]) -> None:
        from clawgit.ops.search.vector_search import choose  # noqa: PLC0415 - only where meanings are compared
        from clawgit.stores.embed.contract import EmbedderError  # noqa: PLC0415

        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if not new:
            return
        choice = choose(self._workspace)
        if choice.embedder is None:
            raise EmbedderError(
                choice.reason or "No embedder is set.", hint="clawgit config get embedder"
            )
        for at in range(0, len(new), _AT_ONCE):
            batch = new[at : at + _AT_ONCE]
            self._rows |= zip(batch, choice.embedder.embed(batch), strict=True)


def files_now(workspace: Workspace) -> TreeFiles:
    """The files as they lie there, committed or not; nothing is written."""
    dirt = workspace.git.dirt()
    head = workspace.git.head().oid or ""
    return TreeFiles(workspace.git, head, dirt.paths, dirt.deleted)


def nearness(workspace: Workspace) -> Near | None:
    """None where only words are compared."""
    from clawgit.ops.search.vector_search import is_wanted  # noqa: PLC0415 - not every run gets so far

    return Near(workspace) if is_wanted(workspace) else None


def listen(workspace: Workspace, left: Run | None, since: datetime | None = None) -> Heard:
    """What was said since the run `left`, or from a time on; then the mark stays where it was."""
    with open_chat(workspace) as chat:
        try:
            if since:
                found = chat.store.find(Wanted(since=since))
                spoken = tuple(one for one in found if one.role in SPOKEN)
                return Heard(spoken, left.heard if left else "", chat.notes)
            store = _store_named(workspace.config.settings.chat_store)
            known, after = _number(left.heard if left else "", store)
            arrived = chat.store.arrived(after, _MOST)
        except ServerAwayError as error:
            return Heard(
                (),
                left.heard if left else "",
                (f"{error.message} What was said is heard by the next run.",),
            )
        mark = f"{store}:{arrived[-1][0] if arrived else after}"
        said = [
            message
            for _, message in arrived
            if known or left is None or message.time >= left.started
        ]
        more = (
            (f"The next run hears more than these {_MOST:,} messages.",)
            if len(arrived) == _MOST
            else ()
        )
        return Heard(
            tuple(sorted(said, key=_by_time)), mark, (*chat.notes, *more), complete=not more
        )


def since_when(text: str, now: datetime, workspace: Workspace) -> datetime:
    """The time from which somebody wants to be heard again; UsageError where he names none."""
    when = parse_when(text, now, workspace.zone)
    if when is None:
        raise UsageError(
            f"{text!r} is no time.",
            hint="--since 2026-02-14, --since yesterday, --since '3 days ago'",
        )
    return when


def _number(mark: str, store: str) -> tuple[bool, int]:
    """How far has been heard; the numbers of one store mean nothing in another."""
    name, _, number = mark.rpartition(":")
    return (True, int(number)) if name == store else (False, 0)


def _store_named(address: str) -> str:
    """Its address may hold a password."""
    return address if address == "sqlite" else hashlib.sha256(address.encode()).hexdigest()[:10]


def _by_time(message: Message) -> datetime:
    return message.time


def _is_shown(path: str) -> bool:
    inside = path.startswith(_BELOW) and path.endswith(".md") and "/." not in path
    return inside or path in _TOP
