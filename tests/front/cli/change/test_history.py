"""`log`, `show`, `diff`, `why` and `snapshot` as they are typed."""

import pytest

from tests.conftest import Git
from tests.front.cli.typed import typed


@pytest.fixture
def told(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace with two commits, and we are in it."""
    ws.commit_file("CONFIG.md", "# Config\n", "settings")
    monkeypatch.chdir(ws.root)
    return ws


said, answer = typed()


def test_what_a_file_or_a_message_holds_cannot_act_on_the_terminal(
    told: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.commit_file("MEMORY.md", "# Memory\n\n- \x1b]0;owned\x07 evil\r\n", "evil \x1b[2J message")
    monkeypatch.setenv("FORCE_COLOR", "1")
    for arguments in (["log"], ["show", "HEAD"], ["diff", "HEAD~1"], ["why", "MEMORY.md:3"]):
        text = said(*arguments)
        assert "␛" in text
        assert not {"\x1b]", "\x1b[2J", "\x07", "\r"} & {
            text[n : n + size] for n in range(len(text)) for size in (1, 2, 4)
        }


def test_a_path_is_that_of_the_current_folder(told: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    told.commit_file("memory/ana.md", "# Ana\n", "Ana")
    told.write("memory/ana.md", "# Ana Solis\n")
    told.write("SOUL.md", "# Another\n")
    monkeypatch.chdir(told.root / "memory")
    shown = [said(*words) for words in (
        ["diff", "ana.md"], ["diff", "../memory/ana.md"], ["diff", "HEAD", "memory/ana.md"],
    )]  # fmt: skip
    assert shown == [shown[0]] * 3
    assert ("Ana Solis" in shown[0], "Another" in shown[0]) == (True, False)


def test_diff_reads_nothing_outside_of_the_scope(told: Git) -> None:
    """As in a partial clone, where the blobs of other files are not there."""
    told.commit_file("app.py", "x = 1\n", "code")
    assert "app.py" not in said("diff", "HEAD~1")
    assert "app.py" in said("diff", "HEAD~1", "app.py")
    told.write("app.py", "x = 2\n")
    told.write("USER.md", "# User\n\nAna.\n")
    told.commit_all("both")
    told.write("app.py", "x = 3\n")
    told.write("USER.md", "# User\n\nBo.\n")
    for rev in ("HEAD", "HEAD~1"):
        oid = told("rev-parse", f"{rev}:app.py").strip()
        blob = told.root / ".git" / "objects" / oid[:2] / oid[2:]
        blob.chmod(0o600)
        blob.unlink()
    for arguments in ([], ["HEAD~1"], ["HEAD~1", "HEAD"], ["HEAD~1", "HEAD", "USER.md"]):
        text = said("diff", *arguments)
        assert "USER.md" in text
        assert "app.py" not in text


def test_words_with_a_colon_are_no_place(told: Git) -> None:
    told.write("MEMORY.md", "# Memory\n\n- The call is at 10:30.\n")
    for words in ("call is at 10:30", "MEMORY.md:3"):
        assert said("why", words).startswith("MEMORY.md:3")


def test_a_dry_run_of_a_snapshot_says_what_it_would_commit(told: Git) -> None:
    head = told.head()
    told.write("memory/ana.md", "# Ana\n")
    assert said("snapshot", "--dry-run") == "would commit memory/ana.md\n"
    assert answer("snapshot", "--dry-run")["dry_run"] is True
    assert told.head() == head
