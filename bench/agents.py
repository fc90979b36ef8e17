"""How well the agents read our labelled conversations, by rules alone, and how long the miner
takes: `python -m bench agents`. With `python -m bench.agents --misses FILE` their mistakes on the
half that may be learned from go to a file.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from bench.conversations import (
    DEV,
    KEPT,
    NO_CORRECTION,
    NO_VALUE,
    STRANGERS,
    STRANGERS_KEPT,
    VALUE,
    Conversation,
    Matched,
    Pair,
    Reproof,
    claims_any,
    conversations,
    dates_right,
    holds,
    matched,
)
from bench.miner_run import MinerRun, miner_run
from clawgit.agents import AGENTS
from clawgit.agents.contract import Call, Snapshot
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import Entry, entries, holds_entries, render
from clawgit.talk.rules.corrections import (
    CONFIRMED,
    CORRECTIONS,
    OPEN,
    QUOTED,
    Correction,
    corrections,
)
from clawgit.talk.rules.triage import surest, triage
from clawgit.talk.rules.triage_rules import VALIDATOR

NOTEBOOK = "MEMORY.md"
_SECONDS = 5.0
FLOORS = {
    "memories, precision": 0.9,
    "memories, recall": 0.57,
    "memories, tag": 0.79,
    "contradictions, precision": 0.85,
    "contradictions, recall": 0.4,
    "corrections, right or quoted": 0.75,
    "corrections, heard": 0.8,
}
"""What must be reached on either half; a little below what is. What a later message may take back
is no memory: that costs recall, and is worth it. The agents are measured by bench/outcomes.py, and
these older conversations are its second row. The judges learned from the open halves, so that only
the kept ones tell how well they do on what they have not seen. Few corrections are put right: what
is not certain is quoted, and few pairs are flagged: only what is worth the operator's minute.
"""

STRANGERS_FLOORS = {
    "memories, precision": 0.8,
    "memories, recall": 0.6,
    "corrections, right or quoted": 0.8,
}
"""The same for the held-out half of strangers, who did not know the product."""


class Share(NamedTuple):
    """A count out of a total."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        return self.part / self.whole if self.whole else 1.0

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.part}/{self.whole})"


class Mined(NamedTuple):
    """What the miner wrote for a conversation."""

    kept: tuple[Entry, ...]
    met: Matched


class Answered(NamedTuple):
    """What the validator made of a reproof: the entries and the sections after it. `called` says
    whether triage would have called it at all.
    """

    reproof: Reproof
    text: str
    called: bool
    entries: tuple[Entry, ...]
    sections: tuple[Correction, ...]

    @property
    def value_right(self) -> bool:
        """Whether the value recorded as correct is the right one, and certain."""
        return any(
            one.status == CONFIRMED and self._says_right(one.correct) for one in self.sections
        )

    @property
    def is_told(self) -> bool:
        """Whether memory has the right value: corrected, or quoted in the operator's own words."""
        quoted = (one.correct for one in self.sections if one.status == QUOTED)
        return self.value_right or any(holds(words, self.reproof.value) for words in quoted)

    @property
    def is_heard(self) -> bool:
        """Whether it has any effect: corrected, quoted, or asked."""
        return self.is_told or any(one.status == OPEN for one in self.sections)

    @property
    def is_right(self) -> bool:
        """Whether memory and log are exactly as they should be."""
        if self.reproof.kind == VALUE:
            return self.value_right and self._corrected == self._due and not self._others_changed
        left_alone = [entry.text for entry in self.entries] == [*self.reproof.entries]
        due = [OPEN] if self.reproof.kind == NO_VALUE else []
        return left_alone and [one.status for one in self.sections] == due

    @property
    def does_no_harm(self) -> bool:
        """Whether nothing wrong is recorded as certain, and no other entry changed.

        Asking, or leaving it, does no harm.
        """
        confirmed = (one.correct for one in self.sections if one.status == CONFIRMED)
        return all(map(self._says_right, confirmed)) and not self._others_changed

    @property
    def _corrected(self) -> list[int]:
        """The entries with the right text, marked as corrections."""
        found = enumerate(self.entries)
        return [
            n for n, entry in found if "correction" in entry.tags and self._says_right(entry.text)
        ]

    def _says_right(self, text: str) -> bool:
        return holds(text, self.reproof.value) and not claims_any(text, self.reproof.wrong)

    @property
    def _due(self) -> list[int]:
        return [len(self.reproof.entries) if self.reproof.entry is None else self.reproof.entry]

    @property
    def _others_changed(self) -> bool:
        texts = [entry.text for entry in self.entries]
        return any(
            text not in texts
            for number, text in enumerate(self.reproof.entries)
            if number != self.reproof.entry
        )


@cache
def mined(half: str) -> tuple[Mined, ...]:
    return tuple(map(_mine, conversations(half)))


@cache
def answered(half: str) -> tuple[Answered, ...]:
    return tuple(
        _answer(talk, reproof) for talk in conversations(half) for reproof in talk.reproofs
    )


@cache
def judged(half: str) -> tuple[tuple[Pair, bool], ...]:
    """Each pair, and whether the detector found a contradiction."""
    return tuple(
        (pair, _is_found(talk, pair)) for talk in conversations(half) for pair in talk.pairs
    )


def shares(half: str) -> dict[str, Share]:
    """All figures of a half, by name."""
    return {**_of_memories(half), **_of_pairs(half), **_of_corrections(half)}


def report() -> str:
    ours, strangers = (_table(*halves) for halves in ((DEV, KEPT), (STRANGERS, STRANGERS_KEPT)))
    return "\n".join([*ours, "", *strangers, "", _run_line(miner_run())])


def _table(open_half: str, kept: str) -> Iterator[str]:
    """Two halves side by side; the floors are for those that were written for what rules can do."""
    ones, others = shares(open_half), shares(kept)
    yield f"{'by rules alone':32}{open_half:>18}{kept:>18}{'apart':>8}{'floor' if open_half == DEV else '':>8}".rstrip()
    for name, share in ones.items():
        other = others[name]
        floor = f"{FLOORS[name]:.2f}" if name in FLOORS and open_half == DEV else ""
        yield f"{name:32}{share!s:>18}{other!s:>18}{abs(share.value - other.value):>8.3f}{floor:>8}".rstrip()


def misses(half: str = DEV) -> Iterator[str]:
    """The mistakes in a half that may be used for training, one per line."""
    for talk, found in zip(conversations(half), mined(half), strict=True):
        yield from _mistakes(talk, found)
    for one in answered(half):
        if not one.is_right:
            now = [entry.text for entry in one.entries]
            said = [(section.status, section.correct) for section in one.sections]
            called = "" if one.called else " (not called)"
            yield (
                f"correction, {one.reproof.kind}{called}: {one.text!r} of {one.reproof.entries} "
                f"→ {now} {said}"
            )
    for pair, raised in judged(half):
        if raised != pair.contradict:
            yield (
                f"{'false' if raised else 'missed'} contradiction, {pair.rule}: {pair.one!r} / "
                f"{pair.other!r}"
            )


def _of_memories(half: str) -> dict[str, Share]:
    found = mined(half)
    hits = [
        (one.kept[n], wanted)
        for one in found
        for n, all_ in one.met.hits.items()
        for wanted in all_
    ]
    right, false = sum(len(one.met.hits) for one in found), sum(len(one.met.false) for one in found)
    missed = sum(len(one.met.missed) for one in found)
    dated = [(entry, wanted) for entry, wanted in hits if wanted.when]
    kept = [entry for one in found for entry in one.kept]
    return {
        "memories, precision": Share(right, right + false),
        "memories, recall": Share(len(hits), len(hits) + missed),
        "memories, tag": Share(
            sum(entry.primary in wanted.tags for entry, wanted in hits), len(hits)
        ),
        "memories, date": Share(
            sum(dates_right(entry.text, wanted) for entry, wanted in dated), len(dated)
        ),
        "memories, evidence": Share(
            sum(bool(entry.meta and entry.meta.evidence) for entry in kept), len(kept)
        ),
    }


def _of_pairs(half: str) -> dict[str, Share]:
    found = [pair.contradict for pair, told in judged(half) if told]
    there = [told for pair, told in judged(half) if pair.contradict]
    return {
        "contradictions, precision": Share(sum(found), len(found)),
        "contradictions, recall": Share(sum(there), len(there)),
    }


def _of_corrections(half: str) -> dict[str, Share]:
    """The value of those for which the validator is called, and what it makes of the memory."""
    groups: dict[str, Callable[[Answered], bool]] = {
        "corrections, memory": lambda one: one.called and one.reproof.kind == VALUE,
        "corrections without a value": lambda one: one.reproof.kind == NO_VALUE,
        "no corrections": lambda one: one.reproof.kind == NO_CORRECTION,
        "corrections, not called": lambda one: not one.called and one.reproof.kind == VALUE,
    }
    called = [one for one in answered(half) if groups["corrections, memory"](one)]
    value = {
        "corrections, put right": Share(sum(one.value_right for one in called), len(called)),
        "corrections, right or quoted": Share(sum(one.is_told for one in called), len(called)),
        "corrections, heard": Share(sum(one.is_heard for one in called), len(called)),
        "corrections, no harm": Share(sum(one.does_no_harm for one in called), len(called)),
    }
    parts = {
        name: [one.is_right for one in answered(half) if wanted(one)]
        for name, wanted in groups.items()
    }
    return value | {name: Share(sum(rights), len(rights)) for name, rights in parts.items()}


def _mine(talk: Conversation) -> Mined:
    files = _user_file(talk)
    after = _after("memory-miner", talk, files, messages=talk.messages)
    written = (
        entries(text) for path, text in after.items() if holds_entries(path) or path not in files
    )
    kept = tuple(chain.from_iterable(written))
    return Mined(kept, matched([entry.text for entry in kept], talk))


def _answer(talk: Conversation, reproof: Reproof) -> Answered:
    message = talk.messages[reproof.message]
    triggers = tuple(found for found in triage(message.text) if found.route == VALIDATOR)
    call = Call(message, triggers, talk.messages[: reproof.message], surest(triggers))
    files = {NOTEBOOK: _notebook(reproof.entries), **_user_file(talk)}
    after = _after("recall-validator", talk, files, calls=(call,))
    found = tuple(
        chain.from_iterable(entries(text) for path, text in after.items() if holds_entries(path))
    )
    return Answered(
        reproof, message.text, bool(triggers), found, corrections(after.get(CORRECTIONS, ""))
    )


def _is_found(talk: Conversation, pair: Pair) -> bool:
    today = talk.messages[-1].time.date()
    facts = "<!-- claw:{} conf=0.95 n=1 first={} last={} src=explicit ev=chat:main/{} -->"
    lines = (
        f"{text} {facts.format(ident, day, day, ident)}"
        for text, ident, day in (
            (pair.one, "maaaaa", today - timedelta(days=3)),
            (pair.other, "mbbbbb", today),
        )
    )
    after = _after("conflict-detector", talk, {NOTEBOOK: _notebook(lines)})
    return any(line.startswith("## ") for line in after.get("CONFLICTS.md", "").splitlines())


def _after(agent: str, talk: Conversation, files: Mapping[str, str], **seen: Any) -> dict[str, str]:
    """The files after an agent's run, an hour after the conversation."""
    now = talk.messages[-1].time + timedelta(hours=1)
    snapshot = Snapshot(now.astimezone(talk.zone), Settings(), files, run="bench", **seen)
    edits = (edit for step in AGENTS[agent].propose(snapshot).steps for edit in step.edits)
    return {**files, **{edit.path: edit.after or "" for edit in edits}}


def _user_file(talk: Conversation) -> dict[str, str]:
    return {"USER.md": f"# User\n\n- **Name:** {talk.operator}\n"}


def _notebook(lines: Iterable[str]) -> str:
    return "# Memory\n\n" + "".join(f"{render(line)}\n" for line in lines)


def _mistakes(talk: Conversation, found: Mined) -> Iterator[str]:
    for number in found.met.false:
        yield f"{talk.id} false memory: {found.kept[number].text!r}"
    for wanted in found.met.missed:
        yield f"{talk.id} missed memory: {wanted.text!r} in {talk.messages[wanted.message].text!r}"
    for number, held in found.met.hits.items():
        entry = found.kept[number]
        for wanted in held:
            if entry.primary not in wanted.tags:
                yield (
                    f"{talk.id} tag {entry.primary} instead of {'/'.join(wanted.tags)}: "
                    f"{entry.text!r}"
                )
            if wanted.when and not dates_right(entry.text, wanted):
                yield f"{talk.id} date is not {wanted.when[0]}: {entry.text!r}"


def _run_line(run: MinerRun) -> str:
    ratio = run.seconds / run.reading
    return (
        f"a miner run over {run.messages:,} messages: {run.seconds:.2f} s (budget {_SECONDS:.0f} "
        "s), "
        f"{run.commits} commit(s), {run.entries:,} entries; {ratio:.1f} times reading them from "
        "the store "
        f"({run.reading:.3f} s); a second run: {run.second_commits} commits"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.agents", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--misses", type=Path, help="also write the mistakes of the halves to learn from to it"
    )
    asked = parser.parse_args()
    if asked.misses:
        found = (line for half in (DEV, STRANGERS) for line in misses(half))
        asked.misses.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    print(report())


if __name__ == "__main__":
    main()
