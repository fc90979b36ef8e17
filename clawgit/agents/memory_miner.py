"""The Memory Miner: what conversations say that will matter later goes into memory, each thing
once.
"""

from collections.abc import Sequence

from clawgit.agents.contract import ChangeSet, Proposed, Skipped, Snapshot, Step
from clawgit.agents.miner_desk import Desk, Outcome
from clawgit.agents.miner_mind import remembered_by
from clawgit.domain.conversation.chat import USER, Message, evidence_of
from clawgit.domain.extraction.memories import Memory, memories
from clawgit.domain.extraction.speaker import is_private, operators_name
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.errors import NoAnswerError

__all__ = ["propose"]

_QUOTES = 200
_EXCERPT = 160


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that is new. Without a model, or where it gives no answer, rules read the
    messages.
    """
    heard = tuple(message for message in snapshot.messages if is_private(message.session))
    found, left, notes = _read(snapshot, heard)
    first = {evidence_of(message) for message in heard if message.priority}
    ordered = sorted(
        found, key=lambda memory: (memory.evidence not in first and not memory.asked, memory.said)
    )
    desk = Desk(snapshot)
    outcomes = desk.taken(ordered)
    kept = [one for one in outcomes if isinstance(one, Outcome)]
    skipped = [
        *left,
        *_others(snapshot, heard),
        *(one for one in outcomes if isinstance(one, Skipped)),
    ]
    steps = (_step(desk, kept),) if kept else ()
    return ChangeSet(steps, tuple(skipped), (*notes, *desk.notes))


def _read(
    snapshot: Snapshot, heard: Sequence[Message]
) -> tuple[list[Memory], list[Skipped], list[str]]:
    """The memories in the messages. What the operator asks to be kept is kept, whatever a model
    makes of it.
    """
    name = operators_name(snapshot.files.get("USER.md", ""))
    by_rules = [*memories(heard, snapshot.now.tzinfo, name)]
    if snapshot.mind is None or not any(message.role == USER for message in heard):
        return by_rules, [], []
    try:
        found, skipped = remembered_by(snapshot.mind, heard, snapshot.now.tzinfo, name)
    except NoAnswerError as trouble:
        return by_rules, [], [f"Read by rules, for the model gave no answer: {trouble}"]
    cited = {memory.evidence for memory in found}
    told = [memory for memory in by_rules if memory.asked and memory.evidence not in cited]
    return [*found, *told], skipped, []


def _others(snapshot: Snapshot, heard: Sequence[Message]) -> list[Skipped]:
    """Where others speak as well, or nobody does, a message is no word of the operator."""
    count = sum(message.role == USER for message in snapshot.messages) - sum(
        message.role == USER for message in heard
    )
    return [Skipped(f"{count} messages", "they come from groups, jobs and hooks")] if count else []


def _step(desk: Desk, kept: Sequence[Outcome]) -> Step:
    edits = desk.edits()
    new = sum(one.kind == "added" for one in kept)
    again = len(kept) - new
    said = [f"{new} new" if new else "", f"{again} mentioned again" if again else ""]
    sessions = {_session(one.memory.evidence) for one in kept}
    return Step(
        verb="remember",
        summary=f"keep what was said: {', '.join(filter(None, said))}",
        reason=_reason(kept),
        evidence=tuple(dict.fromkeys(one.memory.evidence for one in kept)),
        edits=edits,
        proposed=tuple(
            Proposed(one.path, one.kind, one.text, (one.memory.evidence,), one.memory.confidence)
            for one in kept
        ),
        confidence=min(one.memory.confidence for one in kept),
        session=next(iter(sessions)) if len(sessions) == 1 else "",
    )


def _reason(kept: Sequence[Outcome]) -> str:
    """The words on which each memory rests, so that they can be read where the messages are not."""
    heard = (one.memory for one in kept)
    quotes = dict.fromkeys(
        (one.evidence, one.said, in_a_line(one.quote, _EXCERPT)) for one in heard
    )
    lines = [
        f"{said:%Y-%m-%d %H:%M} “{quote}” ({cited})" for cited, said, quote in [*quotes][:_QUOTES]
    ]
    if len(quotes) > _QUOTES:
        lines.append(f"… and {len(quotes) - _QUOTES} more, each named by its entry.")
    return "\n".join(["Said in conversation:", *lines])


def _session(evidence: str) -> str:
    return evidence.removeprefix("chat:").rpartition("/")[0]
