"""What people, OpenClaw and the agent itself do in a simulated life, each act by its weight."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from types import MappingProxyType

from bench.simulated_life import HOSTILE, ORDERS, SMALL_TALK, TELLINGS, decision, other_value
from bench.simulated_world import NOTEBOOK, Act, World, is_logged
from clawgit.agents.frame.corrections import add, settle
from clawgit.core.errors import ClawgitError
from clawgit.history.undo import undo
from clawgit.memory.conflicts import conflicts, resolve
from clawgit.memory.remember import NewFact, remember
from clawgit.talk.rules.corrections import (
    CORRECTIONS,
    OPEN,
    QUOTED,
    Correction,
    corrections,
)

_MOST_OLD_VALUES = 2
_AT_ONCE = 0.8
"""How often the validator is called at once; else he comes when his day comes, as after a crash."""

_AGAIN = 0.4
_SETTLES = 0.3
"""How often the operator settles what is quoted, and types what was not heard. What he is asked he
answers."""


def _tell(world: World) -> None:
    matter = next(world.news)
    world.known.append(matter)
    world.say(world.dice.choice(TELLINGS).format(matter.statement))


def _repeat(world: World) -> None:
    if matter := world.pick(lambda _: True):
        world.say(world.dice.choice(TELLINGS).format(matter.statement))


def _decide(world: World) -> None:
    deadline = world.today + timedelta(days=world.dice.randint(3, 60))
    subject = next(world.news).subject
    world.say(decision(world.dice, subject, f"{deadline:%B} {deadline.day}"))


def _chat(world: World) -> None:
    world.say(world.dice.choice(SMALL_TALK))
    world.say("Sure, here you are.", "assistant")


def _order(world: World) -> None:
    world.say(world.dice.choice(ORDERS if world.dice.random() < 0.8 else HOSTILE))


def _correct(world: World) -> None:
    """The agent says something outdated or wrong; the operator corrects it."""
    matter = world.pick(lambda one: len(one.old) < _MOST_OLD_VALUES)
    if matter is None:
        return
    right = matter.turned(other_value(matter, world.dice), corrected=True)
    world.say(matter.question)
    world.say(matter.statement, "assistant")
    if not world.say(right.correction):
        world.wrong.append(f"{world.today} nobody was called by: {right.correction}")
    world.learn(matter, right)
    if world.dice.random() < _AT_ONCE:
        world.run("recall-validator", again=world.dice.random() < _AGAIN)
        settles = world.dice.random() < _SETTLES
        answer(world, settles=settles, dismisses=settles)
        if settles:
            insist(world)


def answer(world: World, *, settles: bool, dismisses: bool) -> None:
    """The operator answers what he is asked, and types it where another entry was meant. Sometimes
    he settles all that is quoted, and dismisses what he never meant as a correction of that entry.
    """
    for one in _waiting(world):
        if one.id not in {each.id for each in _waiting(world)}:
            continue  # it ended with one before
        matter = next(
            (matter for matter in world.corrected if matter.correction == one.words), None
        )
        is_misplaced = bool(one.was) and (matter is None or matter.subject not in one.was)
        if is_misplaced and one.status == QUOTED:
            if dismisses:
                settle(world.at(), one.id, dismiss=True)
        elif matter and (settles or one.status == OPEN):
            add(world.at(), matter.statement, closes="" if is_misplaced else one.id)


def _waiting(world: World) -> list[Correction]:
    return [one for one in corrections(world.text(CORRECTIONS)) if one.status in (OPEN, QUOTED)]


def insist(world: World) -> int:
    """The operator types corrections that were missed or put at another entry; returns how
    often.
    """
    unheard = [matter for matter in world.corrected if not is_logged(world, matter)]
    for matter in unheard:
        add(world.at(), matter.statement)
    return len(unheard)


def _change(world: World) -> None:
    """Another value in passing: a conflict, or news."""
    if matter := world.pick(lambda one: not one.corrected and len(one.old) < _MOST_OLD_VALUES):
        fresh = matter.turned(other_value(matter, world.dice), corrected=False)
        world.learn(matter, fresh)
        world.say(f"FYI, {fresh.statement}")


def _relapse(world: World) -> None:
    """The agent has not learned it: it says, notes or writes down the old value."""
    matter = world.pick(lambda one: one.corrected)
    if matter is None:
        return
    world.relapses += 1
    old = matter.stated(world.dice.choice(matter.old))
    way = world.dice.choice(("say", "tool", "flush"))
    if way == "say":
        world.say(old, "assistant")
    elif way == "tool":
        remember(
            world.at(by_agent=True), NewFact(old, evidence=(f"chat:agent:main:main/m{world.told}",))
        )
    else:
        world.append(f"memory/{world.today}.md", f"- {old}\n")


def _flush(world: World) -> None:
    """OpenClaw writes a note of the day, or of a session."""
    subject = next(world.news).subject
    if world.dice.random() < 0.7:
        world.append(
            f"memory/{world.today}.md",
            f"\n## {world.now:%H:%M}\n\n- Worked on the {subject} dashboard.\n",
        )
    else:
        name = f"memory/{world.today}-{subject.replace(' ', '-')}.md"
        world.append(
            name,
            f"# Session: {world.now:%Y-%m-%d %H:%M}\n\n- **Session ID**: {world.told}\n\nTalked "
            f"about {subject}.\n",
        )


def _dream(world: World) -> None:
    line = (
        f"- The {next(world.news).subject} archive is kept on tape. <!-- "
        f"openclaw-memory-promotion:k{world.told} -->"
    )
    world.append(NOTEBOOK, f"\n## Promoted From Short-Term Memory ({world.today})\n\n{line}\n")


def _edit_by_hand(world: World) -> None:
    """The operator adds a line to his notebook, takes an old one of his own out again, or commits
    with plain git."""
    lines = world.text(NOTEBOOK).splitlines(keepends=True)
    kept = set(world.git("show", f"HEAD:{NOTEBOOK}").splitlines(keepends=True))
    own = [line for line in lines if line.startswith("- By hand: ") and line in kept]
    if own and world.dice.random() < 0.4:
        gone = world.dice.choice(own)
        (world.root / NOTEBOOK).write_text(
            "".join(line for line in lines if line != gone), encoding="utf-8"
        )
    else:
        world.append(
            NOTEBOOK, f"- By hand: the {next(world.news).subject} key hangs by the door.\n"
        )
    if world.dice.random() < 0.3:
        world.look()
        world.git("add", "-A", ".")
        world.git("commit", "-q", "-m", f"by hand {world.told}")


def _disagree(world: World) -> None:
    """The operator writes down by hand what cannot both be so: he has forgotten the first. Then the
    detector's hour comes.
    """
    matter = next(matter for matter in world.news if matter.value.isdigit())
    world.append(
        NOTEBOOK, f"- {matter.statement}\n- {matter.stated(other_value(matter, world.dice))}\n"
    )
    world.run("conflict-detector")


def _decide_conflict(world: World) -> None:
    """The operator decides a conflict, but none of those in which he has corrected a side
    already."""
    settled = [matter.subject for matter in world.corrected]
    found = [
        one
        for one in conflicts(world.at()).conflicts
        if not any(subject in one.a.text + one.b.text for subject in settled)
    ]
    if found:
        with suppress(ClawgitError):
            resolve(world.at(), world.dice.choice(found).id, world.dice.choice(("a", "b", "both")))


def _take_back(world: World) -> None:
    """The operator undoes what the miner did last, where that can still be done."""
    found = world.git(
        "log", "-1", "--author=memory-miner@", "--format=%(trailers:key=Clawgit-Id,valueonly)"
    ).strip()
    if found:
        with suppress(ClawgitError):
            undo(world.at(), found)
        world.look(
            by_others=True
        )  # what is there again may be longer than ours, and be somebody else's


ACTS: Mapping[Act, int] = MappingProxyType(
    {
        _tell: 20, _repeat: 10, _decide: 10, _chat: 14, _order: 4, _correct: 8, _change: 4,
            _relapse: 8, _flush: 10,
        _dream: 1, _edit_by_hand: 4, _disagree: 3, _decide_conflict: 2, _take_back: 1,
    }
)  # fmt: skip
