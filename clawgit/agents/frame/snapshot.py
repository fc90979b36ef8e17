"""What an agent is shown: the workspace at one commit, and what was said since its last run."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from clawgit.agents.contract import TriedTools, is_in, packed, unpacked
from clawgit.core import NamedTuple
from clawgit.core.markdown.decoding import exact_text
from clawgit.git.rules.ids import digest
from clawgit.git.store import GitStore
from clawgit.git.worktree import read_file
from clawgit.memory.rules.lessons import TRANSCRIPTS, ToolRecovery, recoveries
from clawgit.talk.chat import open_chat
from clawgit.talk.rules.chat import Message
from clawgit.talk.stores.chat import SPOKEN, MessageQuery, ServerAwayError
from clawgit.talk.stores.transcripts import UnreadableTranscriptError, open_transcripts
from clawgit.workspace.stores import openclaw
from clawgit.workspace.stores.runs import Run
from clawgit.workspace.workspace import Workspace


def tried(workspace: Workspace, marks: Mapping[str, str]) -> TriedTools:
    """The recoveries in transcripts of the agent that lives here, new or grown since the marks.

    A transcript that cannot be read is a note, and is tried again by the next run.
    """
    own = openclaw.agent_in(workspace.root, workspace.caller)
    if own is None:
        return TriedTools(
            notes=("No agent of OpenClaw lives here, so there are no transcripts to learn from.",)
        )
    return _read(own.state, unpacked(marks.get(TRANSCRIPTS, "")))


def _read(state: Path, before: frozenset[str]) -> TriedTools:
    recovered: list[ToolRecovery] = []
    seen: list[str] = []
    with open_transcripts(state) as transcripts:
        notes = [*transcripts.notes]
        for transcript in transcripts.all:
            try:
                name = digest(transcript.source, transcript.state)
                if not is_in(name, before):
                    # Whole, where it has grown: a call may have failed in the earlier part.
                    recovered += recoveries(transcript.entries(Counter()), transcript.session.id)
            except (UnreadableTranscriptError, OSError) as error:
                notes.append(f"{transcript.source} cannot be read: {error}")
            else:
                seen.append(name)
    return TriedTools(tuple(recovered), packed(seen), tuple(notes))


_BELOW = ("memory/", "Archive/")
"""The folders that agents are shown, beside the files at the top."""

_MOST = 50_000
"""Messages that one run reads at most; the next run goes on from there."""


class HeardMessages(NamedTuple):
    """Messages in the order of time, and the mark of the last one read.

    `complete`: none that had arrived by then is left.
    """

    messages: tuple[Message, ...] = ()
    mark: str = ""
    notes: tuple[str, ...] = ()
    complete: bool = False


class TreeFiles(Mapping[str, str]):
    """The files that agents may read and edit, at a commit; each is read once, on demand.

    `edited` files are read from disk, for a dry run.
    """

    def __init__(
        self, git: GitStore, head: str, edited: Collection[str] = (), deleted: Collection[str] = ()
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
        if path in self._edited:
            data = read_file(self._git.place.root, path).data
        else:
            data = self._git.read(self._head, path)
        return exact_text(data)


def files_now(workspace: Workspace) -> TreeFiles:
    """The files as they are on disk, committed or not. Nothing is written."""
    dirt = workspace.git.dirt()
    head = workspace.git.tip or ""
    return TreeFiles(workspace.git, head, dirt.paths, dirt.deleted)


def listen(workspace: Workspace, left: Run | None, since: datetime | None = None) -> HeardMessages:
    """The messages after the marks that the last run `left`.

    With a time, those since then; the mark then stays as it was.
    """
    mark = left.heard if left else ""
    with open_chat(workspace) as chat:
        try:
            if since:
                recent = chat.find(MessageQuery(roles=SPOKEN, since=since))
                return HeardMessages(tuple(recent), mark, chat.notes)
            store = _store_named(workspace.settings.chat_store)
            name, _, number = mark.rpartition(":")
            # The numbers of one store mean nothing in another.
            known = name == store
            after = int(number) if known else 0
            arrived = chat.arrived(after, _MOST)
        except ServerAwayError as error:
            note = f"{error.message} The next run reads the messages."
            return HeardMessages((), mark, (note,))
        messages = [message for _, message in arrived]
        if not known and left is not None:
            # The mark is of another store, so the time counts: that run read what was said before
            # it.
            messages = [message for message in messages if message.time >= left.started]
        complete = len(arrived) != _MOST
        more = f"This run reads {_MOST:,} messages; the next goes on from there."
        return HeardMessages(
            messages=tuple(sorted(messages, key=lambda message: message.time)),
            mark=f"{store}:{arrived[-1][0] if arrived else after}",
            notes=(*chat.notes, *([] if complete else [more])),
            complete=complete,
        )


def _store_named(address: str) -> str:
    # A hash, since the address may hold a password.
    return address if address == "sqlite" else digest(address)[:10]


def _is_shown(path: str) -> bool:
    is_inside = "/" not in path or path.startswith(_BELOW)
    return is_inside and path.endswith(".md") and "/." not in f"/{path}"
