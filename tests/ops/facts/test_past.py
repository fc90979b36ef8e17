"""What has left the comments of entries: who asks for it is answered by history, whatever became of
the files and of history since."""

import subprocess
from datetime import date

import pytest

from clawgit.domain.change.actors import AGENT, actor_named
from clawgit.domain.change.history import Intent
from clawgit.domain.facts.past import EntryPast, shortened
from clawgit.domain.markdown.entry import entries
from clawgit.ops.agents.agents import run_agent
from clawgit.ops.change.changes import restore, snapshot
from clawgit.ops.change.proposals import approve, proposals
from clawgit.ops.change.undo import redo, undo
from clawgit.ops.change.why import why
from clawgit.ops.context.asking import ContextRequest
from clawgit.ops.context.context import context
from clawgit.ops.conversation.heartbeat import heartbeat
from clawgit.ops.facts.past import past_of
from clawgit.ops.facts.remember import NewFact, Remembered, remember
from clawgit.ops.search.search import Request, search
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.gitdir import find_repo
from tests.ops.soulful import Soulful, soulful

__all__ = ["soulful"]

OLD = (
    "- Rent is 500. #knowledge <!-- claw:mabcde conf=0.60 n=2 first=2025-06-01 last=2026-02-01 "
    "src=inferred ev=chat:1 ev=memory/a.md#L9 -->\n"
)


def said(home: Soulful, text: str, *evidence: str) -> Remembered:
    return remember(home.later(days=1), NewFact(text, evidence=evidence))


def line(home: Soulful, ident: str) -> str:
    [found] = [entry.raw for entry in entries(home.text("MEMORY.md")) if entry.key == ident]
    return found


def test_a_mention_is_short_and_history_has_the_first_day_and_all_evidence(
    soulful: Soulful,
) -> None:
    ident = said(soulful, "Ana prefers tea", "chat:1").entry.id or ""
    for number in (2, 3):
        done = said(soulful, "Ana prefers tea", f"chat:{number}")
    assert line(soulful, ident) == (
        f"- Ana prefers tea #knowledge <!-- claw:{ident} c=.95 n=3 last=2026-02-17 -->\n"
    )
    assert (done.entry.first, done.entry.evidence) == (
        date(2026, 2, 15),
        ("chat:1", "chat:2", "chat:3"),
    )
    assert past_of(soulful.space, ident) == {
        ident: EntryPast(date(2026, 2, 15), ("chat:1", "chat:2", "chat:3"))
    }
    assert [turn.evidence for turn in why(soulful.space, ident).changes] == [
        ("chat:3",),
        ("chat:2",),
        ("chat:1",),
    ]


def test_a_long_comment_is_shortened_when_its_entry_is_touched_and_no_sooner(
    soulful: Soulful,
) -> None:
    soulful.git.write("MEMORY.md", f"# Memory\n\n{OLD}- Bread at six.\n")
    said(soulful, "The boat is red")
    assert OLD in soulful.text("MEMORY.md")
    done = said(soulful, "Rent is 500")
    assert line(soulful, "mabcde") == (
        "- Rent is 500. #knowledge <!-- claw:mabcde c=.95 n=3 last=2026-02-16 -->\n"
    )
    assert (done.entry.first, done.entry.evidence) == (
        date(2025, 6, 1),
        ("chat:1", "memory/a.md#L9"),
    )
    undo(soulful.later(), done.id)
    assert OLD in soulful.text("MEMORY.md")
    assert past_of(soulful.space, "mabcde") == {}, "what was taken back says nothing"
    redo(soulful.later())
    assert "c=.95 n=3" in line(soulful, "mabcde")
    assert past_of(soulful.space, "mabcde")["mabcde"].first == date(2025, 6, 1)
    restore(soulful.later(), "MEMORY.md", "HEAD~3")
    assert OLD in soulful.text("MEMORY.md")


def test_what_was_heard_once_is_not_counted_again(soulful: Soulful) -> None:
    """The miner listens again: what it has counted stands in history alone."""
    heartbeat(soulful.later(minutes=1), "Remember that the boat is called Nordwind.")

    def mine() -> str:
        space = soulful.later(minutes=1)
        run_agent(space, "memory-miner", clock=lambda: space.now, since="yesterday")
        return soulful.text("MEMORY.md")

    first = mine()
    assert first.count("Nordwind") == 1
    assert "ev=" not in first
    assert mine() == first


def test_a_search_by_days_finds_the_first_mention(soulful: Soulful) -> None:
    soulful.git.write("MEMORY.md", f"# Memory\n\n{OLD}")
    snapshot(soulful.later())
    said(soulful, "Rent is 500")
    asked = Request("what was the rent in June 2025", smart=True)
    answer = search(soulful.space, asked)
    assert [hit.entryId for hit in answer.results] == ["mabcde"]


def test_what_waits_keeps_it_until_it_is_in_history(soulful: Soulful) -> None:
    soulful.git.write("AGENTS.md", "# Agents\n\nBy hand.\n")
    snapshot(soulful.later())
    agent = soulful.as_actor(actor_named("lesson-extractor"))
    fact = "- Run it twice. <!-- claw:mabcde conf=0.60 n=1 last=2026-02-14 ev=chat:1 -->\n"
    intent = Intent(agent.caller.actor, "learn", "a lesson")
    with agent.git.transaction(intent, agent.now) as tx:
        tx.put("AGENTS.md", f"# Agents\n\nBy hand.\n\n{fact}")
    [waiting] = proposals(soulful.space).proposals
    assert past_of(soulful.space) == {}
    approve(soulful.later(), waiting.id)
    assert "claw:mabcde c=.6 last=2026-02-14 src=hand -->" in soulful.text("AGENTS.md")
    assert past_of(soulful.space)["mabcde"].evidence == ("chat:1",)


def test_a_parked_mention_keeps_it_too(soulful: Soulful) -> None:
    soulful.git("checkout", "-q", "--detach")
    done = remember(soulful.as_actor(AGENT), NewFact("Ana prefers tea", evidence=("chat:1",)))
    assert done.parked
    soulful.git("checkout", "-q", "main")
    snapshot(soulful.later())
    assert past_of(soulful.space)[done.entry.id or ""].evidence == ("chat:1",)


def test_without_that_history_it_is_unknown_and_nothing_breaks(soulful: Soulful) -> None:
    ident = said(soulful, "Ana prefers tea", "chat:1").entry.id
    said(soulful, "Ana prefers tea", "chat:2")
    said(soulful, "The boat is red")
    clone = soulful.git.root.with_name("clone")
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{soulful.git.root}", str(clone)], check=True
    )
    there = Workspace(find_repo(clone), soulful.later().caller)
    assert past_of(there) == {}
    done = remember(there, NewFact("Ana prefers tea"))
    assert (done.action, done.entry.id, done.entry.mentions) == ("merged", ident, 3)
    assert (done.entry.first, done.entry.evidence) == (None, ())


def test_a_secret_in_evidence_is_masked_as_everywhere(soulful: Soulful) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    soulful.git.write("MEMORY.md", f"# Memory\n\n{OLD.replace('chat:1', key)}")
    snapshot(soulful.later())
    said(soulful, "Rent is 500")
    assert key not in soulful.git("log", "-1", "--format=%B")


FORMS = (
    (
        "- Rent is 500 euros. #knowledge <!-- claw:maaaaa conf=0.60 n=2 first=2026-01-01 "
        "last=2026-02-01 src=inferred ev=chat:1 -->\n"
    ),
    (
        "- Rent was 400 euros. #knowledge <!-- claw:mbbbbb conf=0.95 n=1 first=2025-01-01 "
        "last=2025-01-01 src=explicit status=superseded by=maaaaa -->\n"
    ),
    (
        "- Rent is due on Monday. #event <!-- claw:mccccc conf=0.95 n=1 first=2026-02-01 "
        "last=2026-02-01 src=explicit status=disputed ev=chat:3 -->\n"
    ),
    (
        "- Rent is paid by Ana. #knowledge #correction <!-- claw:mddddd conf=1.00 n=3 "
        "first=2026-01-05 last=2026-02-03 src=correction ev=CORRECTIONS.md#kkm2p9 -->\n"
    ),
    (
        "- Rent rises in May. #event <!-- claw:meeeee conf=0.40 n=1 first=2025-06-01 "
        "last=2025-06-01 src=inferred class=tasks expires=2026-02-20 -->\n"
    ),
)


@pytest.mark.parametrize("mode", ["core", "enhanced"])
def test_search_and_context_say_the_same_of_both_forms(soulful: Soulful, mode: str) -> None:
    soulful.set(search_mode=mode)
    answers = []
    for text in ("".join(FORMS), "".join(map(in_short, FORMS)), FORMS[0] + in_short(FORMS[1])):
        soulful.git.write("MEMORY.md", f"# Memory\n\n{text}")
        hits = search(
            soulful.later(minutes=1), Request("when is the rent due", min_score=0)
        ).results
        shown = context(soulful.space, ContextRequest(message="when is the rent due"))
        answers.append(
            (
                [
                    (ident, round(hit.score, 6), text)
                    for hit in hits
                    for ident, text in (
                        (hit.entryId, hit.snippet),
                        *((line.entryId, line.snippet) for line in hit.more),
                    )
                ],
                [(slot.name, slot.text) for slot in shown.slots],
            )
        )
    assert "conf=" not in in_short(FORMS[0])
    assert {ident for ident, *_ in answers[0][0]} >= {"mddddd", "maaaaa", "mbbbbb"}
    assert answers[0] == answers[1]
    assert {ident for ident, *_ in answers[2][0] if ident} == {"maaaaa", "mbbbbb"}


def in_short(line: str) -> str:
    [entry] = entries(line)
    assert entry.meta
    return f"{line.partition(' <!--')[0]} {shortened(entry.meta)}\n"
