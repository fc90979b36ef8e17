"""CHANGELOG.md is a pure function of history, written in the very commit that changes the soul."""

import re
from pathlib import Path

from clawgit.core.markdown.amend import Amendment
from clawgit.history import changes
from clawgit.history import proposals as soul_changes
from clawgit.history.undo import undo
from clawgit.soul.changelog import SAME, STALE, UNKNOWN, check, follow
from clawgit.soul.rules.changelog import END, START
from tests.conftest import Git
from tests.git.test_transaction import age
from tests.soulful import SOUL, Soulful


def entries(text: str) -> list[str]:
    return re.findall(r"^### \S+ \S+ UTC · (\S+) ·", text, re.MULTILINE)


def test_the_commit_that_changes_the_soul_holds_its_own_entry(soulful: Soulful) -> None:
    start = soulful.git.head()
    done = soulful.write("Be kind.", "Be kind, always.", reason="She asked for it.")
    assert soulful.git("show", "--format=", "--name-only").split() == ["CHANGELOG.md", "SOUL.md"]
    text = soulful.committed("CHANGELOG.md")
    assert entries(text) == [done.id, start[:10]]
    assert str(done.commit)[:7] not in text
    assert (
        f"### 2026-02-14 10:00 UTC · {done.id} · soul-keeper\n\n"
        "- **Summary:** say 'Be kind, always.'\n"
        "- **SOUL.md:** Core truths\n"
        "  - reworded: Be kind. → Be kind, always.\n"
        "- **Why:** She asked for it.\n"
        "- **Evidence:** memory/2026-02-13.md#L3\n"
        f"- **Take back:** `clawgit soul revert {done.id}`\n"
    ) in text
    assert check(soulful.space).state == SAME


def test_a_soul_on_a_new_branch_is_no_other_branch_s(soulful: Soulful) -> None:
    """The first commit of a branch has no parent, and one may be called `None`."""
    soulful.git("branch", "None")
    soulful.git("switch", "-q", "--orphan", "fresh")
    age(soulful.git.write("SOUL.md", SOUL))
    soul_changes.edit(soulful.later(), Amendment(add="Sing."), "she likes it")
    assert len(entries(soulful.committed("CHANGELOG.md"))) == 2
    assert check(soulful.space).state == SAME


def by_hand(soulful: Soulful, old: str, new: str) -> str:
    """An edit of the soul that nobody has committed; returns the snapshot's id."""
    age(soulful.git.write("SOUL.md", soulful.text().replace(old, new)))
    done = changes.snapshot(soulful.later())
    return str(soulful.space.git.commit(str(done.commit)).id)


def test_a_snapshot_of_a_hand_edit_takes_the_changelog_along(soulful: Soulful) -> None:
    soulful.write("Be kind.", "Be kinder.")
    count = len(soulful.git("log", "--format=%h").split())
    ident = by_hand(soulful, "Be kinder.", "Be gentle.")
    assert soulful.git("show", "--format=", "--name-only").split() == ["CHANGELOG.md", "SOUL.md"]
    assert len(soulful.git("log", "--format=%h").split()) == count + 1
    assert soulful.git.status() == ""
    text = soulful.committed("CHANGELOG.md")
    assert text == soulful.text("CHANGELOG.md")
    assert entries(text)[0] == ident
    assert "reworded: Be kinder. → Be gentle." in text
    assert (check(soulful.space).state, check(soulful.space).waiting) == (SAME, 0)
    undo(soulful.later())
    assert "Be kinder." in soulful.text()
    assert (check(soulful.space).state, check(soulful.space).waiting) == (SAME, 0)


def test_what_stands_around_the_marks_is_the_readers_own(soulful: Soulful) -> None:
    soulful.git.write("CHANGELOG.md", f"# Mine\n\n{START}\n{END}\n\nAlso mine.\n")
    soulful.git.commit_all("a changelog of one's own")
    soulful.write("Be kind.", "Be kinder.")
    text = soulful.committed("CHANGELOG.md")
    assert text.startswith(f"# Mine\n\n{START}\n\n### ")
    assert text.endswith(f"{END}\n\nAlso mine.\n")
    soulful.git.write("CHANGELOG.md", text.replace("Also mine.", "Mine as well."))
    soulful.git.commit_all("other words")
    assert check(soulful.space).state == SAME


def test_a_forged_or_missing_entry_is_found_and_written_anew(soulful: Soulful) -> None:
    soulful.write("Be kind.", "Be kinder.")
    soulful.git.write("CHANGELOG.md", soulful.text("CHANGELOG.md").replace("Be kinder", "Be cruel"))
    soulful.git.commit_all("forged")
    found = check(soulful.space)
    assert found.state == STALE
    follow(soulful.later())
    assert check(soulful.space).state == SAME
    soulful.git("rm", "-q", "CHANGELOG.md")
    soulful.git("commit", "-q", "-m", "gone")
    found = check(soulful.space)
    assert (found.state, found.waiting) == (SAME, 2)
    soulful.write("Be brief.", "Be clear.")
    assert check(soulful.space).state == SAME


def test_a_side_branch_counts_and_its_merge_is_no_change(soulful: Soulful) -> None:
    git = soulful.git
    git("checkout", "-q", "-b", "side")
    side = soulful.write("Short when short will do.", "Short.")
    git("checkout", "-q", "main")
    soulful.write("Be kind.", "Be kinder.")
    git("merge", "-q", "-s", "ours", "--no-commit", "side")
    merged = soulful.text().replace("Short when short will do.", "Short.")
    git.commit_file("SOUL.md", merged, "merge the side branch")
    assert check(soulful.space).waiting == 1
    soulful.write("Be brief.", "Be clear.")
    text = soulful.committed("CHANGELOG.md")
    assert entries(text).count(str(side.id)) == 1
    assert len(entries(text)) == 4
    assert check(soulful.space).state == SAME


def test_a_shallow_clone_does_not_know(soulful: Soulful, tmp_path: Path) -> None:
    soulful.write("Be kind.", "Be kinder.")
    soulful.write("Be brief.", "Be clear.")
    shallow = tmp_path / "shallow"
    soulful.git("clone", "-q", "--depth=1", soulful.git.root.as_uri(), str(shallow))
    clone = Soulful(Git(shallow))
    assert check(clone.space).state == UNKNOWN
    told = clone.text("CHANGELOG.md")
    assert clone.write("Finish what", "End what").changed == ("SOUL.md",)
    assert clone.text("CHANGELOG.md") == told
    follow(clone.space)
    assert clone.text("CHANGELOG.md") == told
    clone.git("pull", "-q", "--unshallow", "--rebase")
    assert (check(clone.space).state, check(clone.space).waiting) == (SAME, 1)
