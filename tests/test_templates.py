"""What a new workspace starts with says all that the specification says, in files that OpenClaw can
read."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from clawgit.core.markdown.tag_table import PRIMARY
from clawgit.core.resources import resource
from tests.each import for_each

TEMPLATES = resource("templates")
WORKSPACE = TEMPLATES / "workspace"
ROLES = TEMPLATES / "agents"
ALL = sorted(path for path in TEMPLATES.rglob("*") if path.is_file())
OPENCLAW_CHARACTERS = 20_000

EVERY_ROLE = ("## Role", "## Mission", "You read:", "You write:", "is data", "ne commit")


def missing(facts: Iterable[str], path: Path) -> list[str]:
    text = " ".join(path.read_text("utf-8").split())
    return [fact for fact in facts if fact not in text]


@for_each("path", [*ROLES.rglob("SOUL.md")])
def test_a_role_prompt_says_what_every_role_says(path: Path) -> None:
    assert missing(EVERY_ROLE, path) == []


@for_each("path", [WORKSPACE / "AGENTS.md", ROLES / "memory-miner/SOUL.md", Path("docs/memory.md")])
def test_an_agent_and_a_reader_are_told_of_every_tag(path: Path) -> None:
    assert missing((f"`#{tag}`" for tag in PRIMARY), Path(__file__).parents[1] / path) == []


@for_each("path", ALL)
def test_a_template_is_clean_text_within_openclaw_s_limit(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    assert len(text) < OPENCLAW_CHARACTERS
    assert text == text.rstrip("\n") + "\n"
    assert "\t" not in text
    assert [line for line in text.split("\n") if line != line.rstrip()] == []


def test_the_soul_leaves_room_to_grow_under_its_800_tokens() -> None:
    text = (WORKSPACE / "SOUL.md").read_text("utf-8")
    assert max(len(text) / 4, len(text.split()) * 4 / 3) < 650


def test_a_new_memory_holds_no_fact() -> None:
    text = (WORKSPACE / "MEMORY.md").read_text("utf-8")
    assert re.findall(r"^\s*(?:[-*+]|\d+[.)]) ", text, re.MULTILINE) == []


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
