"""What a new workspace starts with says all that the specification says, in files that OpenClaw can
read."""

import re
import subprocess
from pathlib import Path

from clawgit.core.resources import resource
from tests.each import for_each

TEMPLATES = resource("templates")
WORKSPACE = TEMPLATES / "workspace"
ROLES = TEMPLATES / "agents"
ALL = sorted(path for path in TEMPLATES.rglob("*") if path.is_file())
OPENCLAW_CHARACTERS = 20_000

LOGS = {"CORRECTIONS.md", "CONFLICTS.md", "CHANGELOG.md", "COMPACTION_LOG.md"}
IDENTITY = {
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "AGENTS.md",
    "TOOLS.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
}

TEACHINGS = {
    "SOUL.md": ("Changed it? Tell your human", "## Core truths", "## Boundaries", "## Continuity"),
    "USER.md": ("<!-- observed: YYYY-MM-DD | status: active -->",),
    "AGENTS.md": (
        "If BOOTSTRAP.md exists",
        "today's and yesterday's `memory/YYYY-MM-DD.md`",
        "a lesson about how you work | AGENTS.md",
        "Daily files are append-only",
        "MEMORY.md belongs to main sessions",
        "`memory_search`, or `clawgit memory search",
        "`#decision`",
        "is data",
    ),
    "HEARTBEAT.md": ("Empty means: nothing to do", "HEARTBEAT_OK"),
    "BOOTSTRAP.md": ("Fill in IDENTITY.md", "Delete this file, BOOTSTRAP.md"),
    "CORRECTIONS.md": ("`Archive/Corrections/`", "`<id> · <timestamp>`", "*Re-embedded*"),
    "CONFLICTS.md": ("both sides", "*Rule*", "*Outcome*"),
    "COMPACTION_LOG.md": ("only ever appended to", "the commit that still holds the text"),
}
"""What each file must say, whatever else it says."""

EVERY_ROLE = ("## Role", "## Mission", "You read:", "You write:", "is data", "ne commit")

ROLE_FACTS = {
    "memory-miner": (
        "cron_memory_miner",
        "exactly one primary tag",
        "Deduplicate before you write",
        "0.95 where",
        "Never discard a correction",
        "evidence",
    ),
    "soul-keeper": (
        "cron_soul_keeper",
        "Small and evidence-based only",
        "Every change requires evidence",
        "A principle that an operator correction brought stays",
        "`evolve`",
        "`locked`",
    ),
    "recall-validator": (
        "recall_external_handler",
        "Write the whole exchange into CORRECTIONS.md",
        "Re-embed the correction immediately",
        "No correction is ever deleted",
        "confidence 1.0. Always",
    ),
    "conflict-detector": (
        "cron_conflict_detector",
        "Write every finding to CONFLICTS.md",
        "the correction wins. Always",
        "at least 30 days newer and was said in direct conversation",
        "superseded, not erased",
    ),
    "memory-compactor": (
        "cron_compactor_weekly",
        "`Archive/Chronicles/YYYY-Month.md`",
        "its confidence is under 0.3 and nobody mentioned it in 60 days; both must hold",
        "No removal without its line in COMPACTION_LOG.md",
        "clawgit restore",
    ),
}

CONTRACT = {
    "": "init status doctor config snapshot log show diff undo redo restore why watch deinit "
    "forget triage context run heartbeat",
    "backup": "verify restore",
    "conflicts": "list resolve",
    "corrections": "list add archive",
    "hooks": "install uninstall status",
    "memory": "search get add status tidy index promote compact",
    "soul": "show log diff blame changelog revert edit propose proposals approve reject verify "
    "drift snapshots",
}
"""Of the command line, what a template may name."""


def unwrapped(path: Path) -> str:
    return " ".join(path.read_text("utf-8").split())


def missing(facts: tuple[str, ...], path: Path) -> list[str]:
    text = unwrapped(path)
    return [fact for fact in facts if fact not in text]


def in_contract(command: str, verb: str) -> bool:
    return (
        verb in CONTRACT[command].split()
        if command in CONTRACT
        else command in CONTRACT[""].split()
    )


def test_a_workspace_starts_from_these_files() -> None:
    names = {path.name for path in WORKSPACE.iterdir()}

    assert names == IDENTITY | LOGS | {"MEMORY.md", "CONFIG.md", "gitignore"}
    assert {path.relative_to(ROLES).as_posix() for path in ROLES.rglob("*.md")} == {
        f"{name}/SOUL.md" for name in ROLE_FACTS
    }


@for_each("name", TEACHINGS)
def test_a_workspace_file_teaches_what_it_must(name: str) -> None:
    assert missing(TEACHINGS[name], WORKSPACE / name) == []


@for_each("name", ROLE_FACTS)
def test_a_role_prompt_says_all_that_the_specification_says(name: str) -> None:
    assert missing(EVERY_ROLE + ROLE_FACTS[name], ROLES / name / "SOUL.md") == []


@for_each("path", ALL)
def test_a_template_is_clean_text_within_openclaw_s_limit(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")

    assert len(text) < OPENCLAW_CHARACTERS
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text
    assert "\t" not in text
    assert [line for line in text.split("\n") if line != line.rstrip()] == []


@for_each("path", [*WORKSPACE.glob("*.md"), *ROLES.rglob("*.md")])
def test_a_template_names_only_commands_of_the_contract(path: Path) -> None:
    named = re.findall(r"`clawgit (\w+)(?: (\w+))?", path.read_text("utf-8"))

    assert [" ".join(words) for words in named if not in_contract(*words)] == []


def test_the_soul_leaves_room_to_grow_under_its_800_tokens() -> None:
    text = (WORKSPACE / "SOUL.md").read_text("utf-8")

    assert max(len(text) / 4, len(text.split()) * 4 / 3) < 650


def test_the_blank_heartbeat_costs_no_model_call() -> None:
    """OpenClaw skips the beat when it finds nothing but blank lines, headings and empty boxes."""
    lines = (WORKSPACE / "HEARTBEAT.md").read_text("utf-8").splitlines()

    assert [line for line in lines if line and not re.fullmatch(r"#+ .*|- \[ \]", line)] == []
    assert "- [ ]" in lines


def test_a_new_memory_holds_no_fact() -> None:
    assert (
        re.findall(
            r"^\s*(?:[-*+]|\d+[.)]) ", (WORKSPACE / "MEMORY.md").read_text("utf-8"), re.MULTILINE
        )
        == []
    )


def test_gitignore_leaves_out_what_machines_drop_and_no_markdown(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes((WORKSPACE / "gitignore").read_bytes())
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    ignored = [
        "a.tmp", "memory/2026-02-14.md.tmp", "MEMORY.md.lock", ".openclaw/state.json",
        "memory/.dreams/x.json",
        ".MEMORY.md.swp", "memory/.2026-02-14.md.swo", "SOUL.md~", ".#SOUL.md", "#SOUL.md#",
        ".DS_Store",
    ]  # fmt: skip
    kept = [
        "SOUL.md", "memory/2026-02-14.md", "memory/dreaming/rem/2026-02-14.md", "memory/lock.md",
        "DREAMS.md",
        "skills/tmp/SKILL.md", "Archive/Chronicles/2026-February.md", ".gitignore",
        "agents/soul-keeper/SOUL.md",
    ]  # fmt: skip
    asked = subprocess.run(
        ["git", "-c", "core.excludesFile=", "check-ignore", "--", *ignored, *kept],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip

    assert asked.stdout.splitlines() == ignored
