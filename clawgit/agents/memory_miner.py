"""The Memory Miner writes what was said in conversations and will matter later into memory.

Each memory is compared with what memory has: it is a new entry, one more mention, or skipped.
"""

from collections.abc import Sequence

from clawgit.agents.choosing import chosen_by, told_to_a_model
from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.core.errors import UsageError, few
from clawgit.core.layout import LAYOUTS
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import Entry, append_entry, entries, render, with_meta
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.core.markdown.tag_table import untagged
from clawgit.core.tiers import CORE, ENTITIES, note_path, tier
from clawgit.history.rules.entries import in_time, moment_of_day
from clawgit.memory.rules.confidence import first_said, mentioned
from clawgit.memory.rules.fact import IGNORED, MERGED, Claim, judged, worded
from clawgit.memory.rules.overlaps import ALIKE_FACTS, Overlaps, may_merge, overlap
from clawgit.talk.rules.chat import Message, evidence_of
from clawgit.talk.rules.corrections import OPEN
from clawgit.talk.rules.deciding import calls_wrong
from clawgit.talk.rules.exchange import taken_back
from clawgit.talk.rules.kept_line import is_private, operators_name, read
from clawgit.talk.rules.memories import Memory, memories
from clawgit.talk.rules.quotes import undisputed
from clawgit.talk.rules.session import turns_in
from clawgit.workspace.rules.routing import Target, notebook_of, route

_QUOTES = 200
_EXCERPT = 160
INSTRUCTIONS = """\
You keep the long-term memory of an agent. Read the numbered conversation and choose the sentences
of its operator that it will need to know in a few months: decisions and plans with their dates,
lessons and how-tos, lasting facts and preferences, events that matter. Leave out questions,
requests for now, small talk, moods, jokes, what is only supposed, what others claim, pasted text,
profiles of people, passwords and keys, and what the agent says. For each sentence, give the number
of its message, and the sentence letter by letter. It is a good answer to find nothing."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that is new. Rules read the messages if there is no model."""
    heard = [message for message in snapshot.messages if is_private(message.session)]
    found, skipped = _read(snapshot, heard)
    if others := turns_in(snapshot.messages) - turns_in(heard):
        skipped.append(Skipped(f"{others} messages", "they come from groups, jobs and hooks"))
    # What must be remembered comes first.
    sources = {evidence_of(message): message for message in heard}
    found.sort(key=lambda each: (not (each.asked or sources[each.evidence].priority), each.said))
    draft, kept = MemoryDraft(snapshot), list[tuple[Memory, Proposed]]()
    for memory in found:
        # What he asks for is kept beside more of the kind: “and Tom's birthday is on 9 June”.
        source = sources[memory.evidence]
        back = taken_back(memory.quote, source, heard, judged=not memory.asked)
        off = Skipped(memory.text, "a later message may take it back")
        outcome = off if back else draft.take(memory)
        if isinstance(outcome, Skipped):
            skipped.append(outcome)
        else:
            kept.append((memory, outcome))
    return ChangeSet(_step(draft.draft, kept), tuple(skipped))


def _read(snapshot: Snapshot, heard: Sequence[Message]) -> tuple[list[Memory], list[Skipped]]:
    """The memories in the messages. What the operator asks to have remembered is always taken."""
    name, zone = operators_name(snapshot.files.get("USER.md", "")), snapshot.now.tzinfo
    if not snapshot.mind:
        return [*memories(heard, zone, name)], []
    shown, lines = told_to_a_model(heard, zone)
    answer = chosen_by(snapshot.mind, INSTRUCTIONS, "conversation", lines)
    places = {message.key: place for place, message in enumerate(shown)}

    def choose(message: Message, passage: str) -> bool | None:
        return answer.takes(places.get(message.key, -1), passage)

    return [*memories(heard, zone, name, choose)], [*answer.skipped]


class MemoryDraft:
    """The files of memory, edited by one memory after the other and written once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.draft = Draft(snapshot.files)
        self._snapshot = snapshot
        self._corrections = snapshot.corrections
        self._notebook = notebook_of(snapshot.files)
        self._lessons = LAYOUTS[snapshot.settings.layout].lessons
        self._entries: list[Entry] = []
        self._alike = Overlaps()
        self._known: set[str] = set()
        for path in sorted(path for path in snapshot.files if tier(path) == CORE):
            self._learn(path)

    def take(self, memory: Memory) -> Proposed | Skipped:
        """What becomes of a memory."""
        try:
            text, tag = worded(memory.text, memory.tag)
        except UsageError as trouble:
            return Skipped(memory.text, str(trouble))
        words = read(text).words
        target = route(words, tag, memory.said, notebook=self._notebook, lessons=self._lessons)
        rows = self._near(_bare(text), (target.path, note_path(memory.said.date())))
        near = [self._entries[row] for row in rows]
        claim = Claim(text, memory.source, target.path)
        action, why, same = judged(claim, near, self._corrections, _are_same)
        if action == MERGED and same:
            return self._mentioned(memory, text, rows[near.index(same)])
        if why := why if action == IGNORED else self._known_from(memory, text):
            return Skipped(text, why)
        return self._added(memory, text, target)

    def _learn(self, path: str) -> None:
        self._known.add(path)
        for entry in entries(self.draft.read(path), path):
            self._add(entry)

    def _add(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._alike.add(_bare(undisputed(entry)))

    def _near(self, bare: str, notes: Sequence[str]) -> list[int]:
        """The entries that may say the same, the most similar first: in lasting files, or in notes
        of the day. On another day the same may happen again.
        """
        for path in notes:
            if path not in self._known:
                self._learn(path)
        near = ((row, self._entries[row].path) for row in self._alike.over(bare, ALIKE_FACTS))
        return [row for row, path in near if tier(path) == CORE or path in notes]

    def _known_from(self, memory: Memory, text: str) -> str:
        """The correction that was made of the same words of the message, as a reason."""
        for correction in self._corrections:
            said = (correction.correct, correction.words)
            # Of a question, memory has nothing yet; “No, …” alone says nothing.
            is_kept = correction.status != OPEN or any(calls_wrong(each, "") for each in said)
            is_same = any(overlap(each, _bare(text)) > ALIKE_FACTS for each in said)
            if memory.evidence == correction.source and is_kept and is_same:
                return f"{correction.evidence} already has it from this message"
        return ""

    def _mentioned(self, memory: Memory, text: str, row: int) -> Proposed | Skipped:
        """One more mention, unless it is the same message again."""
        old, day = self._entries[row], memory.said.date()
        path, meta = old.path, old.facts
        if meta.has_counted(memory.evidence, day):
            return Skipped(text, f"{path} already has it from this message")
        if path.startswith(ENTITIES):
            return Skipped(text, f"{path} says so, and only the operator writes there")
        file = self.draft.read(path)
        if not meta.id:
            meta = meta._replace(id=self._fresh_id(path, old.text))
        meta = mentioned(meta, memory.source, self._snapshot.settings, day)
        meta = meta.having("status", "").citing(memory.evidence)
        # Other entries may have come above it since it was read.
        now = next(each for each in entries(file, path) if each.key == old.key)
        file = with_meta(file, now, meta)
        self.draft.put(path, file)
        self._entries[row] = _with_id(file, path, meta.id)[0]
        return _proposed(memory, "mentioned", path, undisputed(old))

    def _added(self, memory: Memory, text: str, target: Target) -> Proposed | Skipped:
        path = target.path
        facts = first_said(memory.confidence, memory.said.date(), memory.source)
        meta = Meta(self._fresh_id(path, text), facts).citing(memory.evidence)
        file = self.draft.read(path) or frames.TITLE.format(title=target.title)
        after = append_entry(file, target.heading, render(text, meta))
        # What is asked for is taken first, and may have been said last.
        after = in_time(after, [file], moment_of_day)
        made = _with_id(after, path, meta.id)
        if not made:
            why = "ends within a code fence or a comment, which would swallow it"
            return Skipped(text, f"{path} {why}")
        self.draft.put(path, after)
        self._add(made[0])
        return _proposed(memory, "added", path, text)

    def _fresh_id(self, path: str, content: str) -> str:
        return self._snapshot.fresh_id(f"{path}\0{content}", self.draft.read(path))


def _proposed(memory: Memory, kind: str, path: str, text: str) -> Proposed:
    return Proposed(path, kind, text, (memory.evidence,), memory.confidence)


def _with_id(text: str, path: str, ident: str) -> list[Entry]:
    return [entry for entry in entries(text, path) if entry.facts.id == ident]


def _bare(text: str) -> str:
    """The words of an entry, without its tag and its speaker."""
    kept = read(untagged(text))
    return f"{kept.words} {kept.bracket}".rstrip()


def _are_same(mine: str, theirs: str) -> bool:
    """Whether two entries say the same, and not of two different speakers."""
    speakers = {read(untagged(text)).speaker for text in (mine, theirs)} - {""}
    return len(speakers) <= 1 and may_merge(_bare(mine), _bare(theirs))


def _step(draft: Draft, kept: Sequence[tuple[Memory, Proposed]]) -> tuple[Step, ...]:
    made = [memory for memory, _ in kept]
    sessions = {each.evidence.removeprefix("chat:").rpartition("/")[0] for each in made}
    new = sum(change.kind == "added" for _, change in kept)
    counts = ((new, "new"), (len(kept) - new, "mentioned again"))
    # A reader may not have the messages. Several memories may rest on one sentence: it is quoted
    # once.
    quotes = dict.fromkeys(
        f"{each.said:%Y-%m-%d %H:%M} “{in_a_line(each.quote, _EXCERPT)}” ({each.evidence})"
        for each in made
    )
    shown = few(quotes, _QUOTES, "… and {} more, each named by its entry.")
    return draft.step(
        "remember",
        "save what was said: " + ", ".join(f"{n} {what}" for n, what in counts if n),
        "\n".join(["Said in conversation:", *shown]),
        (change for _, change in kept),
        confidence=min((each.confidence for each in made), default=None),
        session=next(iter(sessions)) if len(sessions) == 1 else "",
    )
