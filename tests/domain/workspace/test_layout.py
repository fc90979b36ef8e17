"""Each kind of workspace is recognised by its paths, and only what it names is in its scope."""

from clawgit.domain.workspace.layout import (
    LAYOUTS,
    Seen,
    front_matter,
    is_code,
    recognise,
    scope_in_force,
)
from tests.each import for_each

CODE = ("pyproject.toml", "src/app.py", "README.md", "docs/usage.md", "CHANGELOG.md")


def seen(*paths: str, typed: tuple[str, ...] = (), described: tuple[str, ...] = ()) -> Seen:
    return Seen(frozenset(paths), frozenset(typed), frozenset(described))


@for_each(
    "name, paths, inside, outside",
    [
        (
            "openclaw",
            ("SOUL.md", "AGENTS.md", "memory/2026-02-14.md"),
            "projects/plan.md",
            "skills/a/run.js",
        ),
        ("openclaw", ("IDENTITY.md", "HEARTBEAT.md"), "IDENTITY.md", "avatars/a.png"),
        ("openclaw", ("HEARTBEAT.md", ".openclaw/"), "HEARTBEAT.md", ".openclaw/state.json"),
        ("openclaw", ("SOUL.md", "USER.md", *CODE), "USER.md", "README.md"),
        (
            "letta",
            ("system/persona.md", "system/human.md", "reference/a.md"),
            "reference/a.md",
            "app.py",
        ),
        ("letta", ("memory/system/human.md",), "memory/system/human.md", "app.py"),
        (
            "memory-bank",
            ("memory-bank/activeContext.md", *CODE),
            "memory-bank/progress.md",
            "README.md",
        ),
        (
            "memory-bank",
            ("memory_bank/projectbrief.md", ".clinerules"),
            ".clinerules",
            "src/app.py",
        ),
        (
            "obsidian",
            (".obsidian/", "Daily/2026.md", "Ideas.md"),
            "Daily/2026.md",
            ".obsidian/app.json",
        ),
        ("claude-code", ("CLAUDE.md", "app.py"), "CLAUDE.md", "app.py"),
        (
            "claude-code",
            (".claude/rules/style.md", *CODE),
            ".claude/rules/style.md",
            "docs/usage.md",
        ),
        ("claude-code", ("packages/a/CLAUDE.md", *CODE), "packages/a/CLAUDE.md", "CHANGELOG.md"),
        ("markdown", ("notes/a.md", "b.md"), "notes/a.md", "picture.png"),
        ("code", CODE, "MEMORY.md", "README.md"),
        ("code", ("main.c", "README.md"), "memory/2026-02-14.md", "README.md"),
        ("code", ("data.csv",), "CONFIG.md", "data.csv"),
        ("code", ("AGENTS.md", *CODE), "CONFIG.md", "AGENTS.md"),
        ("code", (".obsidian/", *CODE), "CONFIG.md", "docs/usage.md"),
    ],
)
def test_a_layout_is_recognised(
    name: str, paths: tuple[str, ...], inside: str, outside: str
) -> None:
    found = recognise(seen(*paths))
    scope = scope_in_force(found.layout.name, found.scope)
    assert (found.layout.name, scope.covers(inside), scope.covers(outside)) == (name, True, False)


def test_memories_that_say_their_type_are_claude_codes_wherever_they_lie() -> None:
    found = recognise(seen("notes/MEMORY.md", "notes/feedback_tests.md", *CODE, typed=("notes",)))
    scope = scope_in_force(found.layout.name, found.scope)
    assert (found.layout.name, scope.covers("notes/feedback_tests.md"),
        scope.covers("docs/usage.md")) == (
        "claude-code", True, False,
    )  # fmt: skip


def test_a_repository_in_which_agents_of_two_kinds_work_has_both_scopes() -> None:
    found = recognise(seen("memory-bank/progress.md", "CLAUDE.md", *CODE))
    scope = scope_in_force(found.layout.name, found.scope)
    assert found.layout.name == "memory-bank"
    assert scope.covers("memory-bank/progress.md")
    assert scope.covers("CLAUDE.md")
    assert not scope.covers("README.md")


def test_a_block_of_letta_is_known_by_its_description() -> None:
    assert recognise(seen("system/project.md", *CODE, described=("system",))).layout.name == "letta"
    assert recognise(seen("system/project.md", *CODE)).layout.name == "code"


def test_the_last_row_takes_all_and_the_names_are_the_settings() -> None:
    assert [*LAYOUTS][-1] == "code"
    assert LAYOUTS["code"].recognised(seen())


def test_a_packages_own_code_makes_no_program_of_a_vault() -> None:
    assert not is_code(seen("a.md", "node_modules/x/index.js", ".obsidian/plugins/y/main.js"))


def test_front_matter_is_read_without_yaml() -> None:
    text = (
        "---\nname: tests\ndescription: how to test\nmetadata:\n  type: feedback\n---\n\ntype: no\n"
    )
    assert front_matter(text) == {
        "name": "tests",
        "description": "how to test",
        "metadata": "",
        "type": "feedback",
    }
    assert front_matter("# A page\n\n---\ntype: user\n---\n") == {}
    assert front_matter("---\ntype: user\n") == {}
