"""What the comment of an entry keeps of its mentions: the first day, and what it rests on."""

from datetime import date

from clawgit.agents.frame.agents import run_agent
from clawgit.memory.remember import NewFact, Remembered, remember
from clawgit.run.heartbeat import heartbeat
from tests.soulful import Soulful, soulful

__all__ = ["soulful"]


def said(home: Soulful, text: str, *evidence: str) -> Remembered:
    return remember(home.later(days=1), NewFact(text, evidence=evidence))


def test_a_mention_keeps_the_first_day_and_its_evidence(soulful: Soulful) -> None:
    for number in (1, 2, 3, 4):
        done = said(soulful, "Ana prefers tea", f"chat:{number}")
    assert (
        f"- Ana prefers tea #knowledge <!-- claw:{done.entry.id} c=.95 n=4 first=2026-02-15 "
        "last=2026-02-18 ev=chat:1 ev=chat:3 ev=chat:4 -->\n"
    ) in soulful.text("MEMORY.md")
    assert done.entry.first == date(2026, 2, 15)
    assert done.entry.evidence == ("chat:1", "chat:3", "chat:4")


def test_what_was_heard_once_is_not_counted_again(soulful: Soulful) -> None:
    """The miner listens again: the evidence says what it has counted."""
    heartbeat(soulful.later(minutes=1), "Remember that the boat is called Nordwind.")

    def mine() -> str:
        space = soulful.later(minutes=1)
        run_agent(space, "memory-miner", clock=lambda: space.now, since="yesterday")
        return soulful.text("MEMORY.md")

    first = mine()
    assert first.count("Nordwind") == 1
    assert mine() == first
