"""The agents and their runs, looked at afterwards; and what `status` says of them and of the
model."""

from pathlib import Path

import pytest

from clawgit.agents.contract import ChangeSet, Skipped, Snapshot
from clawgit.agents.frame.runs import show_run
from clawgit.core.errors import ClawgitError, NotFoundError, UsageError
from clawgit.run.schedule import work_state
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.state import repository_state
from clawgit.workspace.workspace import Workspace
from tests.acting import EVIDENCE, NAME, KilledError, Said, dying_at, noting, run
from tests.chatting import opened
from tests.conftest import NOW, Git
from tests.trusting import accept_settings


@pytest.fixture
def here(ws: Git) -> Workspace:
    return opened(ws.root)


def failing(_seen: Snapshot) -> ChangeSet:
    raise ClawgitError("the well is dry")


def test_a_run_is_shown_by_its_id_and_the_beginning_of_it(ws: Git, here: Workspace) -> None:
    def act(seen: Snapshot) -> ChangeSet:
        return noting("Ana likes tea.")(seen)._replace(
            skipped=(Skipped("hi", "small talk"),), notes=("a word",)
        )

    done = run(here, act, job="cron_memory_miner")
    seen = show_run(here, done.run)
    assert (seen.run, seen.job, seen.by, seen.started) == (done.run, NAME, "cron_memory_miner", NOW)
    assert seen.outcome == "done"
    [made] = seen.commits
    assert (made.commit, made.id, made.reason) == (ws.head(), done.id, "It was said.")
    assert made.evidence == EVIDENCE
    assert (seen.proposed, seen.skipped) == (done.proposed, done.skipped)
    assert (seen.notes, seen.calls, seen.tokens) == (("a word",), (), 0)
    assert show_run(here, done.run[:6]) == seen


def test_what_belongs_to_no_run_is_told(here: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no agent 'r123'"):
        show_run(here, "r123")
    with pytest.raises(NotFoundError, match="has not run yet"):
        show_run(here, NAME)
    run(here, noting("Ana likes tea."))
    last = run(here, noting("Ana likes tea."))
    assert show_run(here, NAME).run == last.run
    with pytest.raises(UsageError, match="begins several runs"):
        show_run(here, "r")


def test_a_run_that_died_is_told_and_the_next_one_settles_it(ws: Git, here: Workspace) -> None:
    with pytest.raises(KilledError):
        run(here, noting("Ana likes tea."), dying_at(5))
    with repository_state(here.place, here.caller.env, here.caller.home, NOW) as state:
        [left] = runs.unfinished(state, NAME)
    seen = show_run(here, left.id)
    assert (seen.outcome, seen.ended) == ("running", None)
    run(here, noting("Ana likes tea."))
    assert show_run(here, left.id).trouble == "cut off after its last commit"


def test_status_tells_of_jobs_and_the_model(ws: Git, tmp_path: Path) -> None:
    program = tmp_path / "model"
    program.write_text('#!/bin/sh\necho \'{"answer": "tea"}\'\n')
    program.chmod(0o755)
    ws.write("CONFIG.md", f"```yaml\nllm_model: 'command:{program}'\nllm_daily_tokens: 5000\n```\n")
    accept_settings(ws.root)
    here = opened(ws.root)

    def act(seen: Snapshot) -> ChangeSet:
        assert seen.mind is not None
        return noting(f"Ana likes {seen.mind.ask('What?', {'chat': 'tea'}, Said).answer}.")(seen)

    done = run(here, act)
    with pytest.raises(ClawgitError, match="dry"):
        run(here, failing)
    jobs, model = work_state(here)
    assert [(one.name, one.outcome, one.trouble) for one in jobs if one.last] == [
        (NAME, "failed", "the well is dry")
    ]
    assert (model.model, model.tokens_today) == (f"command:{program}", done.used.tokens)
    assert model.cap == 5000
    [call] = show_run(here, done.run).calls
    assert call.answer == '{"answer": "tea"}'
