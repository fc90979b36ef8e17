"""What an agent gets and what it proposes: only values. An agent reads and writes no files."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeVar

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import id_not_in
from clawgit.talk.rules.chat import Message
from clawgit.talk.rules.corrections import Correction, all_corrections
from clawgit.talk.rules.triage import Trigger

if TYPE_CHECKING:
    from clawgit.memory.rules.lessons import ToolRecovery
    from clawgit.soul.rules.changelog import IdentityChange

T = TypeVar("T")

NONE: Mapping[str, str] = MappingProxyType({})


class Mind(Protocol):
    """A language model. The values of `texts` are quoted data for it, never instructions."""

    def ask(self, instructions: str, texts: Mapping[str, str], answer: type[T]) -> T:
        """An answer of this type; NoAnswerError if there is none: then rules decide."""


class Call(NamedTuple):
    """What called an agent: a message, the triggers in it, and the turns before it."""

    message: Message
    triggers: tuple[Trigger, ...]
    exchange: tuple[Message, ...]
    confidence: str | None = None
    id: int = 0
    queue: str = ""


class TriedTools(NamedTuple):
    """What new and grown transcripts show, and the mark of all that have been read now."""

    recoveries: "tuple[ToolRecovery, ...]" = ()
    mark: str = ""
    notes: tuple[str, ...] = ()


class Snapshot(NamedTuple):
    """The workspace at one moment.

    `now` is in the operator's zone. `files` are what `head` holds, by path, read on demand.
    `messages` came since the agent's last run; `marks` are what that run left for this one.
    `layers` are the templates of memory's layers by name. `doubted` are the ids of the corrections
    that bind nobody until the operator has looked at them. Read where an agent asks: `tried`, the
    failures in transcripts that were overcome, and `identity`, the changes of the soul, newest
    first.
    """

    now: datetime
    settings: Settings
    files: Mapping[str, str]
    head: str = ""
    run: str = ""
    messages: tuple[Message, ...] = ()
    calls: tuple[Call, ...] = ()
    marks: Mapping[str, str] = NONE
    mind: Mind | None = None
    layers: Mapping[str, str] = NONE
    doubted: Container[str] = ()
    tried: Callable[[], TriedTools] = TriedTools
    identity: "Callable[[], tuple[IdentityChange, ...]]" = tuple

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """Those of the archive, the newest last, then those of CORRECTIONS.md."""
        return all_corrections(self.files, self.doubted)

    @property
    def today(self) -> date:
        return self.now.date()

    def fresh_id(self, what: str, taken: Container[str] = "") -> str:
        """An id for a new entry or section that says `what`, and that is not yet `taken`.

        It is drawn from the run's id, so that a run that is repeated gives the same ids.
        """
        return id_not_in(taken, f"{self.run}\0{what}")


class FileEdit(NamedTuple):
    """A file as the agent read it and as it will be; None if it is absent."""

    path: str
    before: str | None
    after: str | None


class Proposed(NamedTuple):
    """One thing that a step does, in words.

    `kind` is added, mentioned, corrected, superseded, removed and the like.
    """

    path: str
    kind: str
    summary: str
    evidence: tuple[str, ...] = ()
    confidence: float | None = None


class Step(NamedTuple):
    """One commit: what it does and why.

    `evidence` is that of the whole step.
    """

    verb: str
    summary: str
    reason: str
    evidence: tuple[str, ...]
    edits: tuple[FileEdit, ...]
    proposed: tuple[Proposed, ...]
    confidence: float | None = None
    session: str = ""


class Skipped(NamedTuple):
    """Something that the agent looked at and did not change, and why."""

    what: str
    why: str


class ChangeSet(NamedTuple):
    """All that a run proposes.

    `marks` count once every step is committed; `notes` are for the operator.
    """

    steps: tuple[Step, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    marks: Mapping[str, str] = NONE

    @property
    def proposed(self) -> tuple[Proposed, ...]:
        return tuple(change for step in self.steps for change in step.proposed)


Propose = Callable[[Snapshot], ChangeSet]


def by_kind(proposed: Iterable[Proposed]) -> str:
    """How many of each kind, in words: `2 added, 1 mentioned`."""
    kinds = Counter(each.kind for each in proposed)
    return ", ".join(f"{number} {kind}" for kind, number in kinds.items())


class Draft(Mapping[str, str]):
    """Files as a step will leave them: edited in memory, and readable by other agents."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self._edited: dict[str, str | None] = {}
        self._stepped: dict[str, str | None] = {}
        """The edited files as the last step leaves them."""

    def __getitem__(self, path: str) -> str:
        text = self._edited[path] if path in self._edited else self._files[path]
        if text is None:
            raise KeyError(path)
        return text

    def __contains__(self, path: object) -> bool:
        # Without reading the file, as the mapping itself would.
        if path in self._edited:
            return self._edited[str(path)] is not None
        return path in self._files

    def __iter__(self) -> Iterator[str]:
        return (path for path in dict.fromkeys([*self._files, *self._edited]) if path in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def read(self, path: str) -> str:
        """The text of a file as it would be now, "" if it does not exist."""
        return self.get(path, "")

    def put(self, path: str, text: str | None) -> None:
        """Writes a file; None deletes it."""
        self._edited[path] = text

    def update(self, files: Mapping[str, str]) -> None:
        self._edited |= files

    @property
    def edits(self) -> tuple[FileEdit, ...]:
        """What changed since the last step, by path."""
        edits = (
            FileEdit(path, self._stepped.get(path, self._files.get(path)), after)
            for path, after in sorted(self._edited.items())
        )
        return tuple(edit for edit in edits if edit.before != edit.after)

    def step(
        self,
        verb: str,
        summary: str,
        reason: str,
        proposed: Iterable[Proposed],
        evidence: Iterable[str] = (),
        *,
        confidence: float | None = None,
        session: str = "",
    ) -> tuple[Step, ...]:
        """What changed since the last step as one, or none; the next one starts from there.

        Without `evidence` of its own it rests on that of all that is `proposed`.
        """
        edits, proposed = self.edits, tuple(proposed)
        if not edits:
            return ()
        self._stepped = {**self._edited}
        cited = tuple(evidence) or (place for change in proposed for place in change.evidence)
        places = tuple(dict.fromkeys(cited))[:_CITED]
        return (Step(verb, summary, reason, places, edits, proposed, confidence, session),)


_CITED = 50
"""How many places one commit cites."""

_DIGITS = 10
"""What a run has looked at already is a mark that stays small: so many digits for each version of
each thing."""


def packed(names: Iterable[str]) -> str:
    """Names as one mark, in whatever order they come."""
    return "".join(sorted({name[:_DIGITS] for name in names}))


def unpacked(mark: str) -> frozenset[str]:
    """The beginnings of the names in a mark, for `is_in`."""
    return frozenset(mark[at : at + _DIGITS] for at in range(0, len(mark), _DIGITS))


def is_in(name: str, seen: frozenset[str]) -> bool:
    return name[:_DIGITS] in seen
