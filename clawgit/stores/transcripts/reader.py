"""All transcripts of one agent; after an update to the third era, there are two kinds."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clawgit.stores.transcripts.events import event_transcripts
from clawgit.stores.transcripts.jsonl import jsonl_transcripts
from clawgit.stores.transcripts.source import Transcript
from clawgit.values import NamedTuple


class Transcripts(NamedTuple):
    """The transcripts, and notes about those that cannot be read."""

    all: tuple[Transcript, ...]
    notes: list[str]


@contextmanager
def open_transcripts(state: Path) -> Iterator[Transcripts]:
    """The transcripts of the agent with this state folder.

    Nothing in it is changed, and nothing broken is an error.
    """
    notes: list[str] = []
    with event_transcripts(state, notes) as events:
        yield Transcripts((*jsonl_transcripts(state, notes), *events), notes)
