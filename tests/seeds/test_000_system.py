"""“OpenClaw Persistent Memory & Identity Evolution Spec”: soul, context, schedule, files, vectors."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from clawgit.front.cli.root import run
from clawgit.run.runner import Runner, World
from clawgit.run.schedule import job_name
from clawgit.search.index.live import live_index
from clawgit.search.meaning import Meaning, choose
from clawgit.search.stores.chroma import Embedded
from clawgit.search.vectors_owner import records
from clawgit.workspace.stores import runs
from clawgit.workspace.workspace import Workspace
from tests.chatting import at_a_terminal
from tests.run.test_runner import Job
from tests.seeds.conftest import Agent

# ── the files and settings

MANIFEST = (
    "SOUL.md", "USER.md", "MEMORY.md", "CONFIG.md", "CORRECTIONS.md", "CONFLICTS.md",
    "CHANGELOG.md", "COMPACTION_LOG.md",
)  # fmt: skip


def test_the_file_manifest_and_the_directories_of_the_build_order(newborn: Agent) -> None:
    assert [path for path in MANIFEST if not (newborn.root / path).is_file()] == []
    for folder in ("memory", "Archive/Chronicles", "Archive/Corrections"):
        assert (newborn.root / folder).is_dir()
    agents = {path.parent.name for path in newborn.root.glob("agents/*/SOUL.md")}
    assert agents == {
        "memory-miner", "soul-keeper", "recall-validator", "conflict-detector", "memory-compactor",
    }  # fmt: skip


# ── the soul


def test_every_change_is_logged_with_evidence_can_be_taken_back_and_has_a_snapshot(
    newborn: Agent, tmp_path: Path
) -> None:
    newborn.write("SOUL.md", newborn.text("SOUL.md") + "\n- Count the sheep twice.\n")
    newborn("snapshot", "-m", "the shepherd asked for it on 13 March")
    before = newborn.text("SOUL.md")
    log = newborn("soul", "log")
    assert "the shepherd asked for it on 13 March" in log
    assert "+ Count the sheep twice." in log
    assert "Count the sheep twice." in newborn.text("CHANGELOG.md")
    [change, *_] = newborn.json("soul", "log")["versions"]
    newborn("soul", "revert", change["id"])
    assert "Count the sheep twice." not in newborn.text("SOUL.md")
    newborn("soul", "snapshots", "--export", str(tmp_path / "SOUL_HISTORY"))
    assert before in {path.read_text() for path in (tmp_path / "SOUL_HISTORY").glob("SOUL_*.md")}


def test_keep_soul_md_under_the_configured_soul_max_tokens(agent: Agent) -> None:
    long = "# Soul\n\n" + "".join(f"- Rule {n}: greet the {n}th guest first.\n" for n in range(200))
    agent.write("SOUL.md", long)
    agent.git.commit_all("a long soul")
    shown = agent.json("soul", "show")
    assert shown["tokens"] > shown["max_tokens"] == 800


SLOTS = {
    "identity": 800, "user_profile": 600, "corrections": 400, "recent_memory": 1200,
    "semantic_recall": 1500, "crm_profiles": 1000, "longterm_memory": 500, "external_context": 0,
}  # fmt: skip


def test_the_token_budget_has_the_slots_of_the_table_in_its_order(agent: Agent) -> None:
    explained = agent("context", "--message", "ferry", "--explain")
    rows = re.findall(r"(?m)^(\w+)  [\d,]+ of ([\d,]+) tokens", explained)
    assert [(name, int(size.replace(",", ""))) for name, size in rows] == [*SLOTS.items()]
    assert "of 6,000 tokens" in explained


def test_relevance_over_recency(agent: Agent) -> None:
    """What the last 48 hours brought stands beside what the conversation is about."""
    agent.write("memory/2026-03-13.md", "# 2026-03-13\n\n- Bought nails.\n")
    agent.write("memory/2025-06-02.md", "# 2025-06-02\n\n- The ferry to Hallig leaves at 7:30.\n")
    agent.git.commit_all("days")
    context = agent("context", "--message", "When does the ferry to Hallig leave?")
    assert "The ferry to Hallig leaves at 7:30." in context
    assert "Bought nails." in context


def section(ident: str, day: int, words: str, done: str) -> str:
    return (
        f"## {ident} · 2026-03-{day:02}T09:00:00+00:00\n\n- Correct: {words}\n"
        f"- Re-embedded: {done}\n- Status: confirmed\n\n"
    )


def test_load_un_re_embedded_corrections_first_then_by_recency(agent: Agent) -> None:
    filler = "and that is how it has been since the harvest, as the whole village knows. "
    sections = [
        section(f"kk{n:04}", n // 3 + 1, f"Field {n} is fallow, {filler}", "true")
        for n in range(60)
    ]
    sections.insert(3, section("zzzzzz", 1, "The bull is in the north field.", "false"))
    agent.write("CORRECTIONS.md", "# CORRECTIONS.md\n\n" + "".join(sections))
    agent.git.commit_as_operator("corrections")
    context = agent("context", "--budget", "1000")
    assert "The bull is in the north field." in context
    assert "Field 59 is fallow" in context
    assert "Field 0 is fallow" not in context


def test_external_context_source_is_loaded_within_its_budget(agent: Agent) -> None:
    agent.write("recipe.json", '{"bread": "rye, slow"}\n')
    agent.settings(
        timezone="UTC", external_context_source="recipe.json", external_context_budget=200
    )
    assert "rye, slow" in agent("context")


# ── the vector store


def test_the_embedding_is_tagged_status_corrected_and_the_correction_is_a_separate_embedding(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a real Chroma, asked by the names of the spec."""
    monkeypatch.setenv("CLAWGIT_SEARCH_MODE", "enhanced")
    fact = "- The office is in {}.{} <!-- claw:kmn789 conf=0.95 n=1 last=2026-03-12 src={} -->\n"
    other = (
        "- The mill has two wheels. #knowledge <!-- claw:abc234 conf=0.60 n=3 last=2026-03-01 -->\n"
    )
    agent.write("MEMORY.md", "# Memory\n\n" + fact.format("Paris", "", "explicit") + other)
    agent.git.commit_all("before")
    agent("memory", "index")
    agent.write(
        "CORRECTIONS.md",
        "## moved1 · 2026-03-12T09:00:00+00:00\n\n- Correct: The office is in Berlin.\n"
        "- Was: kmn789 The office is in Paris.\n- Status: confirmed\n",
    )
    now = fact.format("Berlin", " #correction", "correction ev=CORRECTIONS.md#moved1")
    agent.write("MEMORY.md", "# Memory\n\n" + now + other)
    agent.git.commit_all("after")
    agent("memory", "index")
    workspace = at_a_terminal(agent.root, datetime(2026, 3, 14, 9, tzinfo=UTC))
    embedder = choose(workspace).embedder
    assert embedder is not None
    with live_index(workspace) as live:
        live.refresh()
        meaning = Meaning(workspace, embedder)
        kept = Embedded(tmp_path / "store", "clawgit")
        kept.fill(lambda: records(workspace, meaning, live))
    ask = kept._kept.get

    def one(where: dict[str, object]) -> dict[str, object]:
        [facts] = ask(where=where)["metadatas"]
        return dict(facts)

    assert one({"status": "corrected"})["last_seen"] == 20260312
    right = one({"tag": "correction"})
    assert (right["status"], right["confidence"]) == ("active", 1.0)
    often = one({"$and": [{"last_seen": {"$lt": 20260310}}, {"mention_count": {"$gt": 1}}]})
    assert often == {
        "status": "active", "tag": "knowledge", "confidence": 0.6, "mention_count": 3,
        "last_seen": 20260301,
    }  # fmt: skip
    kept.close()


# ── the schedule

PROCESSES = {
    "soul-keeper": "02:30", "memory-miner": "06:00", "conflict-detector": "07:00",
    "memory-compactor": "Sunday 03:00", "vector-hygiene": "Sunday 03:30",
}  # fmt: skip


def test_the_complete_schedule_has_the_default_times(agent: Agent) -> None:
    rows = {row["name"]: row["when"] for row in agent.json("schedule", "show")["jobs"]}
    assert {name: rows[name] for name in PROCESSES} == PROCESSES


def test_jobs_that_run_once_starts_see_the_clock_of_now(agent: Agent) -> None:
    """As processes of their own."""
    agent.settings(timezone="UTC", search_mode="core")
    agent.now = "2026-03-14T05:00:00+00:00"
    agent("run", "--once")
    agent.says("We decided to roof the barn with slate.")
    agent.now = "2026-03-14T06:30:00+00:00"
    _, row = agent("run", "--once").splitlines()
    assert (row.split()[0], row.split()[-1]) == ("memory-miner", "done")
    when = datetime.fromisoformat(agent.git("log", "-1", "--format=%cI").strip())
    assert when == datetime(2026, 3, 14, 6, 30, tzinfo=UTC)
    assert "last=2026-03-14" in agent.text("MEMORY.md")


ASLEEP = (1, 2, 3)
"""Days without power."""


class Month:
    """A machine with a clock that is set, on which each job really runs, in this process."""

    def __init__(self, root: Path, start: datetime) -> None:
        self.root, self.now, self.begun = root, start, start
        self.started: list[tuple[str, datetime]] = []
        world = World(lambda: self.now, self._seconds, self._start, lambda _: None)
        self.runner = Runner(at_a_terminal(root, self.now), world, ())

    def _seconds(self) -> float:
        return (self.now - self.begun).total_seconds()

    def _start(self, _: Workspace, command: Sequence[str]) -> Job:
        self.started.append((command[2], datetime.fromisoformat(command[4])))
        code = run(["-C", str(self.root), "--now", self.now.isoformat(), *command])
        return Job(code)

    def sleep_until(self, then: datetime) -> None:
        self.now = then
        self.runner.look()
        while self.runner.is_busy:
            self.runner.look()


def lived(agent: Agent, days: int) -> Month:
    """A chat each noon; the runner looks four times a day, and has no power on three days."""
    zone = ZoneInfo("Europe/Berlin")
    agent.settings(timezone="Europe/Berlin", search_mode="core", compaction_age_days=5)
    begin = datetime(2026, 3, 24, 0, 10, tzinfo=zone)
    month = Month(agent.root, begin)
    month.sleep_until(begin)
    for day in range(days):
        agent.now = (begin.replace(hour=12) + timedelta(days=day)).isoformat()
        agent(
            "chat",
            "log",
            "--session",
            "agent:main:main",
            f"We decided that pen {day} is for geese.",
        )
        for hour in () if day in ASLEEP else (2, 3, 7, 19):
            month.sleep_until(begin.replace(hour=hour, minute=45) + timedelta(days=day))
    month.runner.__exit__()
    return month


def test_days_of_the_processes_over_a_change_of_the_clocks_and_a_sleep_of_three_days(
    agent: Agent,
) -> None:
    hold(agent, lived(agent, 7), 7)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_month_of_the_processes(agent: Agent) -> None:
    hold(agent, lived(agent, 31), 31)


def hold(agent: Agent, month: Month, days: int) -> None:
    """Each job ran once for each of its times, but for those slept through, and is on record."""
    assert max(Counter(month.started).values()) == 1
    times = {name: [at for job, at in month.started if job == name] for name in PROCESSES}
    for name, when in PROCESSES.items():
        # On 29 March the clocks go from two to three.
        moved = [at for at in times[name] if f"{at:%H:%M}" != when.split()[-1]]
        assert [f"{at:%m-%d %H:%M}" for at in moved] in ([], ["03-29 03:30"])
    awake = days - len(ASLEEP)
    assert len(times["soul-keeper"]) == awake
    # Of what was slept through, the last time is made up for in the first minute.
    assert len(times["memory-miner"]) == len(times["conflict-detector"]) == awake + 1
    sundays = {f"{at:%A}" for name in ("memory-compactor", "vector-hygiene") for at in times[name]}
    assert sundays == {"Sunday"}
    with at_a_terminal(agent.root, month.now).state() as state:
        record = [row for row in runs.recent(state, 10_000) if row.job.startswith("scheduled/")]
    names = {f"{row.job.removeprefix('scheduled/')}@{row.by.partition('@')[2]}" for row in record}
    assert {job_name(job, at) for job, at in month.started} <= names
    assert {row.outcome for row in record} <= {runs.DONE, runs.NOTHING}
    kept = "".join(path.read_text() for path in agent.root.glob("**/*.md"))
    for day in range(days - 1):
        assert f"pen {day} is" in kept
