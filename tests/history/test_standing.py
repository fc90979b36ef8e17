"""What is known of the remote without asking it, and when the runner syncs."""

from clawgit.health.status import status
from clawgit.history.synced import is_due
from clawgit.run.runner import ERRANDS, SYNC
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.runs import series
from tests.history.machines import Machine
from tests.trusting import accept_settings

ON = {"CLAWGIT_SYNC_REMOTE": "origin"}


def job_done(machine: Machine, name: str = "memory-miner") -> None:
    workspace = machine.workspace()
    with workspace.state() as state:
        run = runs.new_run()
        runs.begin(state, series(name), run, workspace.now)
        runs.finish(state, run, workspace.now)


def test_status_counts_without_asking(one: Machine, two: Machine) -> None:
    found = status(one.workspace()).sync
    assert found is not None
    assert (found.remote, found.ahead, found.behind) == ("origin/main", 0, 0)
    one.append("- Likes tea.\n")
    one.commit_all("tea")
    two.append("- Likes coffee.\n")
    two.sync()
    one("fetch", "-q")
    one("remote", "set-url", "origin", "/nowhere")
    found = status(one.workspace()).sync
    assert found is not None
    assert (found.ahead, found.behind) == (1, 1)


def test_the_runner_syncs_after_each_job_where_the_setting_is_on(one: Machine) -> None:
    assert SYNC in ERRANDS
    assert not is_due(one.workspace(env=ON))
    job_done(one)
    assert is_due(one.workspace(env=ON))
    assert not is_due(one.workspace())
    assert one.sync(env=ON).state == "in_sync"
    assert not is_due(one.workspace(env=ON))
    job_done(one)
    assert is_due(one.workspace(env=ON))


def test_a_remote_that_came_with_the_settings_waits_for_the_operator(one: Machine) -> None:
    """It would send the whole memory out."""
    one.save("CONFIG.md", "# Config\n\n```yaml\nsync_remote: origin\n```\n")
    job_done(one)
    assert not is_due(one.workspace())
    accept_settings(one.root)
    assert is_due(one.workspace())
