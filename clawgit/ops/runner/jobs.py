"""The jobs that the runner starts by the clock: one table, in the order of the day."""

from collections.abc import Callable
from typing import NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.runner.schedule import Job, rule_of
from clawgit.errors import UsageError


class Performed(NamedTuple):
    """What a job did, in words, and the change ids of its commits."""

    job: str
    summary: str
    commits: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Task(NamedTuple):
    """A job: the time at which it runs or the setting that says when, what it does, and the
    function in `clawgit.ops` that does
    it, of the workspace as it is now and the time at which the job was due. Without a function the
    agent of that name is run. `only` says whether it exists with given settings.
    """

    name: str
    when: str
    does: str
    function: str | None = None
    only: Callable[[Settings], bool] = lambda _: True


def _organizes(settings: Settings) -> bool:
    return settings.organizer


TASKS: tuple[Task, ...] = (
    Task("soul-keeper", "cron_soul_keeper", "evolves SOUL.md by evidence"),
    Task(
        "memory-compactor",
        "cron_compactor_weekly",
        "sums up old days in chronicles, tidies MEMORY.md",
    ),
    Task("vector-hygiene", "Sunday 03:30", "removes vectors of corrected and stale texts"),
    Task(
        "weekly-review",
        "Friday 18:00",
        "reports what could be promoted",
        "upkeep.digest:review",
    ),
    Task(
        "upkeep",
        "04:15",
        "old messages, the copy of the state, git's own housekeeping",
        "runner.performing:upkeep",
    ),
    Task("organizer", "04:30", "turns the notes into facts, each once", only=_organizes),
    Task("decay-engine", "04:30", "archives expired facts", only=_organizes),
    Task(
        "lesson-extractor",
        "04:30",
        "learns from what failed and then worked",
        only=_organizes,
    ),
    Task("memory-miner", "cron_memory_miner", "saves what was said and should last"),
    Task("conflict-detector", "cron_conflict_detector", "finds memories that disagree"),
    Task(
        "digest",
        "08:00",
        "sends what was learned",
        "upkeep.digest:scheduled",
        lambda settings: bool(settings.digest_to),
    ),
)


def tasks_of(settings: Settings) -> tuple[Task, ...]:
    """The jobs that a workspace has, whether or not they are switched off."""
    return tuple(task for task in TASKS if task.only(settings))


def time_of(task: Task, settings: Settings) -> str:
    """When a job runs, as a setting would say it."""
    at: str = getattr(settings, task.when, task.when)
    return at


def jobs_of(settings: Settings) -> tuple[Job, ...]:
    """The jobs that run by the clock, with their times."""
    rules = ((task.name, rule_of(time_of(task, settings))) for task in tasks_of(settings))
    # A task whose setting turns it off has no rule.
    return tuple(Job(name, rule) for name, rule in rules if rule is not None)


def task_named(name: str) -> Task:
    """The job of that name; UsageError if there is none."""
    for task in TASKS:
        if task.name == name:
            return task
    raise UsageError(
        f"There is no job {name!r}.", hint=f"One of {', '.join(task.name for task in TASKS)}."
    )
