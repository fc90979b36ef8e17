"""Of the agents and the language model, what `status` shows."""

from clawgit.agents import AGENTS
from clawgit.ops.status import JobState, ModelState
from clawgit.ops.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.llm.calls import Meter, meter
from clawgit.stores.llm.contract import label
from clawgit.stores.runs import Run
from clawgit.stores.state import repository_state, state_file


def work_state(workspace: Workspace) -> tuple[tuple[JobState, ...], ModelState]:
    """What each job did last, those that never ran too, and what the model did today. Reads and changes nothing."""
    settings, zone = workspace.config.settings, workspace.zone
    lasts, today = dict[str, Run](), Meter()
    if state_file(workspace.place).exists():
        caller = workspace.caller
        with repository_state(workspace.place, caller.env, caller.home, workspace.now) as state:
            lasts = runs.lasts(state)
            today = meter(state, workspace.now.astimezone(zone)) if settings.llm_model else today
    jobs = (_job(workspace, name, lasts.get(name)) for name in dict.fromkeys([*AGENTS, *lasts]))
    named = ModelState(label(settings.llm_model), today.tokens, settings.llm_daily_tokens, today.trouble)
    return tuple(jobs), named if settings.llm_model else ModelState()


def _job(workspace: Workspace, name: str, last: Run | None) -> JobState:
    if last is None:
        return JobState(name)
    return JobState(name, last.started.astimezone(workspace.zone), last.outcome or "running", last.trouble)
