"""What a new workspace starts with says all that the specification says, in files that OpenClaw can
read."""

import re
import subprocess
from pathlib import Path

import pytest

from clawgit.resources import resource
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
    "SOUL.md": (
        "speak in its voice",
        "yours to evolve",
        "Changed it? Tell your human",
        "Unwritten is forgotten",
        "A correction is a gift",
        "## Core truths",
        "## Boundaries",
        "## Vibe",
        "## Skills",
        "## Continuity",
    ),
    "IDENTITY.md": ("yours to evolve", "tell your human"),
    "USER.md": (
        "As you learn about the person you help, keep this page up to date",
        "<!-- observed: YYYY-MM-DD | status: active -->",
        "`superseded`",
    ),
    "AGENTS.md": (
        "If BOOTSTRAP.md exists",
        "today's and yesterday's `memory/YYYY-MM-DD.md`",
        "Mental notes do not survive",
        "Learned a lesson, made a mistake?",
        "a lesson about how you work | AGENTS.md",
        "a lesson about a tool or this place | TOOLS.md",
        "SOUL.md, and you tell your human",
        "Daily files are append-only",
        "MEMORY.md belongs to main sessions",
        "Earlier work, a decision, a date, a person, a preference, an open task: search first",
        "`memory_search`, or `clawgit memory search",
        "`memory_get`, or `clawgit memory get",
        "`NO_REPLY`",
        "memory/YYYY-MM-DD-slug.md",
        "read the recent daily files and bring what lasts into MEMORY.md",
        "Exactly one of these four",
        "`#event`", "`#knowledge`", "`#skill`", "`#decision`", "`#correction`",
        "`clawgit log`", "`clawgit undo ID`", "`clawgit soul log`",
        "is data",
    ),
    "TOOLS.md": ("the lesson goes here", "Never a password"),
    "HEARTBEAT.md": ("Empty means: nothing to do", "HEARTBEAT_OK",
    "clawgit heartbeat --install"),
    "BOOTSTRAP.md": (
        "do the work first",
        "A name, a nature (what kind of creature are you?), a vibe, an emoji",
        "Fill in IDENTITY.md",
        "their name, their timezone, and what they prefer",
        "Open SOUL.md together.** Talk about boundaries and behaviour",
        "Delete this file, BOOTSTRAP.md",
        "will not come back",
    ),
    "MEMORY.md": ("One fact, one list item, one primary tag", "For main sessions only",
    "`memory/YYYY-MM-DD.md`"),
    "CORRECTIONS.md": (
        "Recall Validator", "1.0", "`Archive/Corrections/`", "`<id> · <timestamp>`",
        "*Trigger*", "*Trigger confidence*", "*Agent said*", "*Correct*", "*Was*", "*Re-embedded*",
        "*Status*",
    ),
    "CONFLICTS.md": ("Conflict Detector", "both sides", "source", "date", "*Rule*", "*Outcome*"),
    "CHANGELOG.md": ("derives the text between the two marks", "clawgit soul changelog --check"),
    "COMPACTION_LOG.md": ("Memory Compactor", "only ever appended to",
    "the commit that still holds the text"),
}  # fmt: skip

EVERY_ROLE = ("## Role", "## Mission", "You read:", "You write:", "is data", "ne commit")

ROLE_FACTS = {
    "memory-miner": (
        "every day at 06:00", "cron_memory_miner", "durable and of high value", "may be forgotten",
        "chat messages", "`memory/YYYY-MM-DD.md`", "MEMORY.md", "vectors",
        "**Decisions:** choices, commitments, and plans with their dates",
        "**Lessons:** what worked, what failed, which correction was received",
        "**Knowledge:** technical details, the context of a project, reference material",
        "**Events:** something that happened, tied to its date",
        "exactly one primary tag", "`#event`", "`#knowledge`", "`#skill`", "`#decision`",
        "Deduplicate before you write", "0.9 or more", "merge", "shared keywords",
        "updated, not repeated",
        "Attach confidence to every entry", "0.95 where", "0.6 where", "1.0 where",
        "adds 0.05, up to 0.95", "Every 30 days without one take away 0.05", "floor of 0.2",
        "flagged as priority come first",
        "Never discard a correction", "CORRECTIONS.md", "the correction wins. Always",
        "Leave relationships alone", "people, places and things", "CRM miner",
        "evidence",
    ),
    "soul-keeper": (
        "every day at 02:30", "cron_soul_keeper", "stand on evidence", "grow, to learn",
        "better partner",
        "Growth is the point",
        "**A mistake that repeats itself:** add a rule that warns, or a guardrail",
        "**A correction by the operator:** encode it as a principle",
        "**A pattern that succeeds:** reinforce it",
        "**Behaviour that drifts:** flag it, and show the evidence",
        "**A capability that is new and proven:** update the Skills section",
        "**Snapshot.**", "**Analyse.**", "**Edit.**", "**Log.**", "**Roll back.**",
        "a snapshot is a commit", "SOUL_HISTORY/", "clawgit soul snapshots --export",
        "what was said, remembered and corrected",
        "Small and evidence-based only", "A large section is never rewritten",
        "CHANGELOG.md", "clawgit soul revert",
        "Every change requires evidence", "Cite the conversation or the date",
        "A principle that an operator correction brought stays",
        ("until a newer correction explicitly "
                                                                 "contradicts it"),
        "soul_max_tokens", "800", "Version before editing",
        "soul_policy", "`evolve`", "`review`", "`locked`", "`Run:`",
    ),
    "recall-validator": (
        "at once", "heartbeat", "has forgotten what the operator had already shared",
        "put the memory stores right immediately", "does not happen again",
        "A personal memory (a fact, an event, a decision)", "(a tool, a capability)",
        "recall_external_handler",
        "Write the whole exchange into CORRECTIONS.md", "timestamp", "trigger phrase",
        "trigger confidence",
        "`high`", "`medium`", "what the agent said, and what the correct information is",
        "Re-embedded: `true` if the index took the right value in before the commit",
        "Re-embed the correction immediately", "0.85 or more", "`status: corrected`",
        "an embedding of its own with `#correction` and a confidence of 1.0",
        "update it in place", "old value stands in CORRECTIONS.md", "correction_relevance_boost",
        "1.5x",
        "No correction is ever deleted", "only be archived", "`Archive/Corrections/`",
        "No embedding is deleted by you",
        "confidence 1.0. Always", "logged as open", "confidence 0.6", "24 hours",
    ),
    "conflict-detector": (
        "every day at 07:00", "cron_conflict_detector", ("where the chronological memory stores "
                                                        "contradict themselves"),
        "settle each case or flag it", "apply the first rule below that fits",
        "updated in the last 24 hours", "0.8 or more", "keyword match in MEMORY.md",
        "Write every finding to CONFLICTS.md",
        "The operator explicitly corrected one side:** the correction wins. Always",
        "at least 30 days newer and was said in direct conversation",
        "`#event`, `#knowledge` or `#decision`", "the newer side wins",
        "Both were said in direct conversation, within 30 days", "leave it to the operator",
        "superseded, not erased", "clawgit conflicts resolve", "evidence of both sides",
    ),
    "memory-compactor": (
        "every week, on Sunday at 03:00", "cron_compactor_weekly", "03:30",
        "`memory/YYYY-MM-DD.md`", "compaction_age_days", "default 30", "narrative summary",
        "`Archive/Chronicles/YYYY-Month.md`", "delete the daily files",
        "its confidence is under 0.3 and nobody mentioned it in 60 days; both must hold",
        "0.05 less for every 30 days", "floor 0.2",
        "Merge near-duplicates",
        "`status: corrected` for more than 7 days", "corrected_embedding_grace_days",
        "`last_seen`", "60 days", "`mention_count` of 1",
        ("flagged first, and deleted after the "
                                                                           "grace"),
        "correction_archive_days", "default 14", "`Archive/Corrections/`",
        "monthly", "A snapshot a day is retained for 90 days", "soul_history_retention_days",
        "one per month",
        "No removal without its line in COMPACTION_LOG.md",
        ("What is tagged `#correction` is never "
                                                            "compacted"),
        "clawgit restore", "compaction_style",
    ),
}  # fmt: skip

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


@pytest.mark.parametrize("name", ROLE_FACTS)
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


@for_each(
    "path",
    [*WORKSPACE.glob("*.md"), *ROLES.rglob("*.md")],
)
def test_a_template_names_only_commands_of_the_contract(path: Path) -> None:
    named = re.findall(r"`clawgit (\w+)(?: (\w+))?", path.read_text("utf-8"))

    assert [" ".join(words) for words in named if not in_contract(*words)] == []


def test_the_soul_leaves_room_to_grow_under_its_800_tokens() -> None:
    text = (WORKSPACE / "SOUL.md").read_text("utf-8")

    assert max(len(text) / 4, len(text.split()) * 4 / 3) < 650


def test_each_principle_of_the_soul_is_a_list_item_of_one_line() -> None:
    text = (WORKSPACE / "SOUL.md").read_text("utf-8")
    principles = re.findall(r"^- .+[.]$|^- .+\*\*$", text, re.MULTILINE)

    assert len(principles) == len(re.findall(r"^- ", text, re.MULTILINE)) >= 15
    assert re.findall(r"^[ \t]+\S", text, re.MULTILINE) == []


def test_openclaw_reads_an_identity_that_is_still_blank() -> None:
    """It takes every `- Label: value` line, so prose about the labels must not look like one."""
    fields = dict.fromkeys(("name", "creature", "vibe", "emoji", "avatar"), "")
    lines = (WORKSPACE / "IDENTITY.md").read_text("utf-8").splitlines()
    split = (re.sub(r"[*_]", "", line.removeprefix("- ")).partition(":") for line in lines)
    read = {label.strip().lower(): value.strip() for label, colon, value in split if colon}

    assert {label: read[label] for label in fields} == fields
    assert [line for line in lines if line.startswith("- ")] == [
        f"- **{name.title()}:**" for name in fields
    ]


def test_the_blank_heartbeat_costs_no_model_call() -> None:
    """OpenClaw skips the beat when it finds nothing but blank lines, headings and empty boxes."""
    lines = (WORKSPACE / "HEARTBEAT.md").read_text("utf-8").splitlines()

    assert [line for line in lines if line and not re.fullmatch(r"#+ .*|- \[ \]", line)] == []
    assert "- [ ]" in lines


def test_the_ritual_has_five_steps_and_ends_with_its_own_deletion() -> None:
    steps = re.findall(r"^\d\. .*", (WORKSPACE / "BOOTSTRAP.md").read_text("utf-8"), re.MULTILINE)

    assert len(steps) == 5
    assert "BOOTSTRAP.md" in steps[-1]


def test_a_new_memory_holds_no_fact() -> None:
    assert (
        re.findall(
            r"^\s*(?:[-*+]|\d+[.)]) ", (WORKSPACE / "MEMORY.md").read_text("utf-8"), re.MULTILINE
        )
        == []
    )


@pytest.mark.parametrize("name", sorted(LOGS))
def test_a_new_log_holds_no_section(name: str) -> None:
    assert re.findall(r"^(?:## |[-*+] )", (WORKSPACE / name).read_text("utf-8"), re.MULTILINE) == []


def test_the_changelog_starts_with_nothing_between_its_marks() -> None:
    text = (WORKSPACE / "CHANGELOG.md").read_text("utf-8")

    assert text.endswith("\n\n<!-- clawgit:changelog:start -->\n<!-- clawgit:changelog:end -->\n")
    assert text.count("<!--") == 2


@for_each("name", sorted(IDENTITY - {"AGENTS.md", "USER.md"} | {"MEMORY.md"}))
def test_nothing_hides_in_a_comment(name: str) -> None:
    assert "<!--" not in (WORKSPACE / name).read_text("utf-8")


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
