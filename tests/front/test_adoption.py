"""The plan of `init`: as little as will work, under names that are free."""

from collections.abc import Mapping

from clawgit.core.layout import LAYOUTS, changelog_name, is_our_log
from clawgit.front.adoption import FolderContents, InitPlan, init_plan
from clawgit.soul.rules.changelog import END, START
from tests.each import for_each

ROLES = ("memory-miner", "soul-keeper")
RELEASES = "# Changelog\n\n## 2.1.0\n\n- Faster.\n"


def plan(files: Mapping[str, str], *, full: bool = False, empty: bool = False) -> InitPlan:
    found = FolderContents(frozenset(files), files, empty)
    return init_plan(found, ROLES, full=full)


def test_a_config_that_is_a_manual_is_left_alone() -> None:
    made = plan({"CONFIG.md": "# How to configure\n\nSet PORT.\n", "setup.py": ""})
    assert ([*made.makes], made.config) == (["CLAWGIT.md"], "CLAWGIT.md")
    assert made.scope.covers("CLAWGIT.md")
    assert not made.scope.covers("CONFIG.md")


def test_a_memory_md_about_something_else_is_left_alone() -> None:
    for beside in ("a.md", "CLAUDE.md", ".memory-bank/progress.md"):
        made = plan({"MEMORY.md": "# Arenas\n", beside: ""})
        assert not made.scope.covers("MEMORY.md")
        assert [note for note in made.notes if note.startswith("MEMORY.md is not clawgit's")]
    for ours in (
        {"MEMORY.md": "# Memory\n\n- Ana leads Harbor.\n", "SOUL.md": ""},
        {"MEMORY.md": "# Memory\n\nRead this first.\n"},  # the notebook of a folder of Markdown
    ):
        made = plan(ours)
        assert ([*made.makes], made.taken) == (["CONFIG.md"], {})


def test_a_log_of_ours_is_known_by_its_title_or_its_sections() -> None:
    name = "CORRECTIONS.md"
    assert is_our_log(name, f"# {name}: what it is for\n")
    assert is_our_log(name, "# Mine\n\n## k7m2 · 2026-02-14 09:00\n")


@for_each(
    "layout, text, other, name",
    [
        ("openclaw", None, None, "CHANGELOG.md"),
        ("openclaw", RELEASES, None, "SOUL_CHANGELOG.md"),
        ("openclaw", RELEASES, f"{START}\n{END}\n", "SOUL_CHANGELOG.md"),
        ("code", None, None, "SOUL_CHANGELOG.md"),
        ("claude-code", f"{START}\n{END}\n", None, "CHANGELOG.md"),
    ],
)
def test_where_the_identitys_history_stands(
    layout: str, text: str | None, other: str | None, name: str
) -> None:
    assert changelog_name(LAYOUTS[layout], text, other) == name
