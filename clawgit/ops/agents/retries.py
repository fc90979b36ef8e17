"""What the lesson extractor is shown of transcripts: failures that were overcome."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from clawgit.agents.contract import TriedTools, is_in, packed, unpacked
from clawgit.agents.lesson_extractor import TRANSCRIPTS
from clawgit.domain.change.ids import digest
from clawgit.domain.upkeep.lessons import ToolRecovery, recoveries
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw
from clawgit.stores.transcripts import Transcript, UnreadableTranscriptError, open_transcripts


def tried(workspace: Workspace, marks: Mapping[str, str]) -> TriedTools:
    """The recoveries in transcripts of the agent that lives here, new or grown since the marks.

    A transcript that cannot be read is a note, and is tried again by the next run.
    """
    caller = workspace.caller
    found = openclaw.find(caller.home, caller.env)
    own = found.agent_of(workspace.root) if found else None
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
                    recovered += _recoveries(transcript)
            except (UnreadableTranscriptError, OSError) as error:
                notes.append(f"{transcript.source} cannot be read: {error}")
            else:
                seen.append(name)
    return TriedTools(tuple(recovered), packed(seen), tuple(notes))


def _recoveries(transcript: Transcript) -> Iterator[ToolRecovery]:
    """A transcript that has grown is read whole, since a call may have failed in the earlier
    part.
    """
    return recoveries(transcript.entries(Counter()), transcript.session.id)
