"""One task of a fleet: done once, whatever step it dies in and whoever pushes meanwhile."""

import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clawgit.core.errors import ClawgitError
from clawgit.front.cli.root import run
from clawgit.git.gitdir import find_repo
from clawgit.git.remotes.transport import Transport
from clawgit.memory import upkeep
from clawgit.memory.rules.promotion import Retrieved
from clawgit.run import performing
from clawgit.run.fleet import clone, working
from clawgit.search.shown_hits import note_shown
from clawgit.search.stores.access import Showing
from clawgit.talk.chat import open_chat
from clawgit.workspace.stores import runs
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git, program
from tests.each import slow_unless
from tests.run.fleet.lab import DECIDED, MINER, Lab, dies, killed, replaced
from tests.trusting import accept_settings


def _ready(lab: Lab, *, with_clone: bool = False) -> int:
    """A workspace whose miner is due and has heard something; gives the row."""
    lab.add()
    if with_clone:
        lab.work_off()
    lab.says("coder", DECIDED)
    return lab.due()


def _dies_before(module: object, name: str) -> Callable[[Lab, int], None]:
    def act(lab: Lab, due: int) -> None:
        with replaced(module, name, killed):
            lab.work(due)

    return act


def _dies_after(module: object, name: str) -> Callable[[Lab, int], None]:
    real = getattr(module, name)

    def done_and_killed(*args: object, **more: object) -> None:
        real(*args, **more)
        killed()

    def act(lab: Lab, due: int) -> None:
        with replaced(module, name, done_and_killed):
            lab.work(due)

    return act


STEPS = {
    "before it takes a generation": _dies_before(working, "_take"),
    "with a generation": _dies_after(working, "_take"),
    "while it fetches": _dies_after(Transport, "listed"),
    "with a clone": _dies_after(clone, "_reset"),
    "before the job": _dies_before(working, "perform"),
    "in the job": _dies_after(runs, "plan"),
    "after the job": _dies_after(working, "perform"),
    "before it pushes": _dies_before(Transport, "push"),
    "after it has pushed": _dies_after(Transport, "push"),
    "before it finishes": _dies_before(working, "_finish"),
    "after it has finished": _dies_after(working, "_finish"),
}
SHORT = (
    "with a generation", "in the job", "before it pushes", "after it has pushed",
    "before it finishes",
)  # fmt: skip


@pytest.mark.parametrize("step", slow_unless(SHORT, STEPS))
def test_a_job_is_done_once_whatever_step_its_worker_dies_in(lab: Lab, step: str) -> None:
    due = _ready(lab, with_clone=True)
    dies(partial(STEPS[step], lab, due))
    lab.work(due)
    assert lab.outcomes() == ["done"]
    assert len(lab.made_for()) == 1
    # What it left is as if it had not died: the next run hears nothing a second time.
    tree = lab.tree()
    lab.work(lab.due(days=2), "another-machine")
    assert (lab.tree(), len(lab.made_for())) == (tree, 1)


def test_what_a_dead_worker_has_pushed_counts_for_whatever_comes_next(lab: Lab) -> None:
    """Also before its own job is tried again."""
    due = _ready(lab, with_clone=True)
    dies(partial(STEPS["after it has pushed"], lab, due))
    with replaced(working, "perform", killed):
        dies(partial(lab.work, lab.due(job="upkeep"), "another-machine"))
    assert lab.query("SELECT DISTINCT counts FROM receipt") == [(True,)]


def test_a_worker_that_stood_still_is_refused(lab: Lab) -> None:
    """SIGSTOP beyond the heartbeat: another one has done the job when it goes on."""
    due = _ready(lab)
    real = performing.perform

    def overtaken(*args: object) -> object:
        done = real(*args)  # type: ignore[arg-type]
        with replaced(working, "perform", real):
            assert lab.work(due, "another-machine")
        return done

    with replaced(working, "perform", overtaken):
        assert not lab.work(due)
    assert lab.query("SELECT outcome, refused FROM due WHERE id = %s", due) == [("done", 1)]
    assert len(lab.made_for()) == 1
    # And nothing of it is left in its clone.
    lab.work(lab.due(days=2))
    assert len(lab.made_for()) == 1


def _between(lab: Lab, act: Callable[[], object]) -> Callable[..., object]:
    """A push before which somebody else does something, once."""
    real, left = Transport.push, [act]

    def push(*args: object, **more: object) -> object:
        if left:
            left.pop()()
        return real(*args, **more)  # type: ignore[arg-type]

    return push


def test_an_older_worker_that_pushes_first_has_done_it(lab: Lab) -> None:
    """Its push comes between the newer one's fetch and push; it may not finish, the newer may."""
    due = _ready(lab)

    keep = working._keep

    def older() -> None:
        with replaced(working, "_take", lambda *_: taken), replaced(working, "_keep", kept):
            assert not lab.work(due, "another-machine")

    def kept(*of: Any) -> None:
        """It looked before the newer one began."""
        lab.query("UPDATE generation SET gen = gen - 1")
        keep(*of)
        lab.query("UPDATE generation SET gen = gen + 1")

    with lab.open() as fleet:
        taken = working._take(fleet, due, "older")
    with replaced(Transport, "push", _between(lab, older)):
        assert not lab.work(due)
    assert len(lab.made_for()) == 1
    assert lab.query("SELECT outcome, refused FROM due WHERE id = %s", due) == [("done", 2)]


def test_what_others_push_meanwhile_is_merged(lab: Lab) -> None:
    due, by_hand = _ready(lab), lab.clone()

    def pushes() -> None:
        by_hand.write("MEMORY.md", "# Memory\n\n- Billing uses PostgreSQL. #decision\n- By hand.\n")
        by_hand.commit_all("by hand")
        by_hand("push", "-q")

    with replaced(Transport, "push", _between(lab, pushes)):
        assert lab.work(due)
    assert "- By hand." in lab.text("MEMORY.md")
    assert len(lab.made_for()) == 1


def _hook(lab: Lab, name: str, script: str) -> Path:
    return program(lab.remote("coder").root / "hooks" / name, script)


def test_a_remote_that_dies_before_it_takes_the_push_gets_it_later(lab: Lab) -> None:
    due = _ready(lab)
    hook = _hook(lab, "pre-receive", "kill -9 $PPID")
    with pytest.raises(ClawgitError):
        lab.work(due)
    assert (lab.outcomes(), lab.made_for()) == ([""], [])
    hook.unlink()
    lab.work(due)
    assert (lab.outcomes(), len(lab.made_for())) == (["done"], 1)


def test_a_remote_that_dies_after_it_took_the_push_has_it(lab: Lab) -> None:
    due = _ready(lab)
    _hook(lab, "post-receive", "kill -9 $PPID")
    assert lab.work(due)
    assert (lab.outcomes(), len(lab.made_for())) == (["done"], 1)


def test_a_fleet_leaves_what_one_machine_leaves(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """With kills and other machines, as if `clawgit run --once` had done the jobs in order. The ids of
    runs, of which those of entries are made, are drawn by the same lot."""
    said = [DECIDED, "We decided to deploy on Fridays from now on."]
    lab.add(config="timezone: UTC")
    lab.work_off()
    alone = lab.clone()
    (alone.root / ".git" / "clawgit").mkdir()
    monkeypatch.setenv("CLAWGIT_NOW", lab.since.isoformat())
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    for day, text in enumerate(said, 1):
        lab.says("coder", text)
        with open_chat(Workspace(find_repo(alone.root), lab.caller())) as chat:
            chat.take([lab.message(text)], None)
        for job in (MINER, "weekly-review"):
            lot = Random(f"{day} {job}")
            monkeypatch.setattr(runs, "new_run", lambda lot=lot: f"r{lot.randrange(16**9):09x}")
            lot_began = lot.getstate()
            due = lab.due(job=job, days=day)
            dies(partial(STEPS["before it finishes"], lab, due))
            lab.work(due, f"machine-{day}")
            lot.setstate(lot_began)
            at = lab.query("SELECT at FROM due WHERE id = %s", due)[0][0].isoformat()
            assert run(["-C", str(alone.root), "run", "--once", job, "--due", at]) == 0
        assert alone("rev-parse", "HEAD^{tree}").strip() == lab.tree()
    assert lab.made_for() == alone("log", "--reverse", "--format=%(trailers:key=Clawgit-Job,"
        "valueonly,separator=%x2C)").split()  # fmt: skip
    assert len(lab.made_for()) >= len(said)


def test_a_corrupt_repository_fails_alone(lab: Lab) -> None:
    due = _ready(lab)
    lab.add("poisoned")
    for pack in lab.remote("poisoned").root.rglob("objects/*/*"):
        pack.chmod(0o600)
        pack.write_bytes(b"poison")
    bad = lab.due("poisoned", "upkeep")
    with pytest.raises(ClawgitError):
        lab.work(bad)
    assert lab.work(due)


def test_a_history_that_was_rewritten_meanwhile_is_not_brought_back(lab: Lab) -> None:
    due, by_hand = _ready(lab), lab.clone()
    by_hand.commit_file("NOTES.md", "words to forget\n", "too much")
    by_hand("push", "-q")
    gone = by_hand.head()

    def rewrites() -> None:
        by_hand("reset", "-q", "--hard", "HEAD~1")
        by_hand.commit_file("NOTES.md", "other\n", "rewritten")
        by_hand("push", "-q", "--force")

    with replaced(Transport, "push", _between(lab, rewrites)):
        assert not lab.work(due)
    assert lab.work(due)
    assert gone not in lab.remote("coder")("rev-list", "main")
    assert len(lab.made_for()) == 1
    (kept,) = (lab.folder / "cache").glob("*-coder-0")
    assert "missing" in Git(kept)("cat-file", "--batch-check", stdin=f"{gone}\n")


def test_a_forged_fence_counts_nothing_that_was_not_pushed(lab: Lab) -> None:
    """Who may push can write a fence, but not that of a push that has not come."""
    due = _ready(lab, with_clone=True)
    dies(partial(STEPS["before it pushes"], lab, due))
    remote = lab.remote("coder")
    remote("update-ref", clone.FENCE, remote("hash-object", "-w", "--stdin", stdin=MINER).strip())
    assert lab.work(due)
    assert (lab.outcomes(), len(lab.made_for())) == (["done"], 1)


def _searched(lab: Lab, session: str, agent: str = "coder") -> None:
    """A search where the agent lives has shown an entry, and then somebody says something."""
    store = lab.address.chat(agent)
    git = lab.clone(agent)
    (git.root / ".git" / "clawgit").mkdir()
    accept_settings(git.root, CLAWGIT_CHAT_STORE=store)
    workspace = Workspace(find_repo(git.root), lab.caller(CLAWGIT_CHAT_STORE=store))
    hit = {"path": "MEMORY.md", "snippet": "Billing", "entryId": "claw:klmnopqr", "likely": True,
           "agent": "", "source": "memory"}  # fmt: skip
    note_shown(workspace, Showing("who does the billing?", session, [hit]))
    for _ in range(2):
        with open_chat(workspace) as chat:
            chat.forward()


def test_a_job_knows_what_was_searched_where_the_agent_lives(lab: Lab) -> None:
    """By several machines, each question of a session once; and nothing of another agent."""
    seen: list[dict[str, Retrieved]] = []
    real = performing.perform

    def look(workspace: Workspace, *args: object) -> object:
        seen.append(upkeep._retrieved(workspace))
        return real(workspace, *args)  # type: ignore[arg-type]

    for agent in ("coder", "twin"):
        lab.add(agent)
    for session in ("one", "two", "two"):
        _searched(lab, session)
    with replaced(working, "perform", look):
        for agent, job in (("coder", "upkeep"), ("twin", "upkeep"), ("coder", "weekly-review")):
            lab.work(lab.due(agent, job))
    counted = {"claw:klmnopqr": Retrieved(2, 2)}
    assert seen == [counted, {}, counted]
    ((row,),) = lab.query("SELECT string_agg(a::text, '') FROM clawgit_chat.clawgit_access a")
    assert "billing" not in row
