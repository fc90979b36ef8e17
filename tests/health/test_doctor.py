"""Each check is seen well, seen failing on a workspace that is really broken, and seen mended where
it can be."""

import json
import os
import resource
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from clawgit.core.errors import Finding, PathRefusedError
from clawgit.git.lock import workspace_lock
from clawgit.git.rules.actors import OPERATOR
from clawgit.health.doctor import CHECKS, Check, Report, doctor, looked
from clawgit.health.files import Site
from clawgit.history.backup import back_up
from clawgit.search.stores.models import ModelError, Reader
from clawgit.workspace import githooks
from clawgit.workspace.stores.state import state_file
from clawgit.workspace.workspace import Caller
from tests.conftest import NOW, Git, OpenStore, intent, program
from tests.making import asker, space_of

IGNORE = "*.tmp\n*.lock\n.openclaw/\nmemory/.dreams/\n"


@pytest.fixture
def sound(ws: Git) -> Git:
    """A workspace with nothing wrong."""
    ws.write("CONFIG.md", "# Config\n")
    ws.write(".gitignore", IGNORE)
    ws.commit_all("set up")
    githooks.put_driver_in(space_of(ws))
    return ws


def examined(
    git: Git, *, fix: bool = False, dry_run: bool = False, deep: bool = False, **env: str
) -> Report:
    return doctor(git.root, asker(**env)._replace(dry_run=dry_run), fix=fix, deep=deep)


def found(git: Git, name: str, *, deep: bool = False) -> list[Finding]:
    """One check alone."""
    return looked(CHECKS[name], Site(space_of(git), deep))


def told(git: Git, name: str, *, deep: bool = False) -> str:
    """All that one check finds, with what to do."""
    rows = found(git, name, deep=deep)
    return "\n".join(f"{finding.text} → {finding.remedy}" for finding in rows)


def problems(report: Report) -> dict[str, str]:
    return {check.name: check.detail for check in report.checks if not check.ok and check.detail}


def notes(report: Report) -> dict[str, str]:
    return {check.name: check.detail for check in report.checks if check.ok and check.detail}


def test_a_sound_workspace_passes_every_check_without_a_note(sound: Git) -> None:
    for deep in (False, True):
        report = examined(sound, deep=deep)
        assert report.checks == tuple(map(Check, CHECKS))


def test_a_disk_that_is_full_is_a_problem(sound: Git) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        problem = told(sound, "disk")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert problem.startswith("The disk is full. → Free some space")
    assert (told(sound, "disk"), [*sound.root.glob(".git/clawgit/probe*")]) == ("", [])


def git_commands(git: Git, trace: Path, *, deep: bool) -> list[str]:
    """The subcommands of git that doctor starts."""
    trace.unlink(missing_ok=True)
    examined(git, deep=deep, GIT_TRACE2_EVENT=str(trace))
    events = map(json.loads, trace.read_text().splitlines())
    return [event["name"] for event in events if event["event"] == "cmd_name"]


def test_only_a_deep_check_reads_the_whole_history(sound: Git, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    plain, deep = (git_commands(sound, trace, deep=deep) for deep in (False, True))
    assert "fsck" in deep
    assert not {"fsck", "log"} & {*plain}


def test_examining_changes_no_file_and_no_history(sound: Git) -> None:
    sound.write("memory/2026-02-14.md", "- Uncommitted.\n")
    before = (sound.head(), sound.status(), sound("count-objects"))
    examined(sound)
    assert (sound.head(), sound.status(), sound("count-objects")) == before


def test_every_problem_names_a_next_step(sound: Git) -> None:
    sound.write("MEMORY.md", "- Both. #event #skill\n\n<<<<<<< a\n=======\n>>>>>>> b\n")
    sound.write("CONFIG.md", "```yaml\nno_such_key: 1\n```\n")
    sound.write("SOUL.md", "x" * 20_001)
    report = examined(sound)
    assert len(problems(report)) == 3
    assert [check.name for check in report.checks if not check.ok and not check.fix] == []


# where it stands


def test_a_folder_that_is_no_workspace_is_told_how_to_become_one(git: Git, tmp_path: Path) -> None:
    report = doctor(tmp_path, asker())
    named = [(check.name, check.ok) for check in report.checks]
    assert named == [("git", True), ("repository", False)]
    assert "clawgit init" in report.checks[1].fix
    report = examined(git)
    why = f"{git.root} is a git repository, but not a clawgit workspace"
    assert problems(report) == {"repository": why}
    assert report.checks[-1].fix == f"clawgit init '{git.root}'"
    assert not (git.root / ".git" / "clawgit").exists()


def test_a_repository_of_another_user_is_told_about_safe_directory(sound: Git) -> None:
    report = examined(sound, GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
    assert [*problems(report)] == ["repository"]
    assert "safe.directory" in report.checks[-1].fix


# git


def test_git_that_is_missing_or_only_called_so_ends_the_examination(
    sound: Git, tmp_path: Path
) -> None:
    """As on a Mac without its command line tools."""
    report = doctor(sound.root, Caller(OPERATOR, {"PATH": str(tmp_path)}, NOW, tmp_path))
    assert problems(report) == {"git": "git is not installed, or not on PATH."}
    assert len(report.checks) == 1
    script = "echo 'You have not agreed to the Xcode license.' >&2; exit 69"
    false = program(tmp_path / "bin" / "git", script)
    report = examined(sound, PATH=f"{false.parent}:{os.environ['PATH']}")
    assert [*problems(report)] == ["git"]
    assert "Xcode license" in problems(report)["git"]
    assert len(report.checks) == 1


def rot(git: Git, name: str) -> Path:
    oid = git("rev-parse", name).strip()
    file = git.root / ".git" / "objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    file.write_bytes(bytes(file.stat().st_size))
    return file


def lose(git: Git, name: str) -> Path:
    file = rot(git, name)
    file.unlink()
    return file


@pytest.mark.parametrize("harm", [lose, rot])
@pytest.mark.parametrize("name", ["HEAD:SOUL.md", "HEAD^{tree}"])
def test_what_lies_on_disk_is_rebuilt(
    sound: Git, harm: Callable[[Git, str], Path], name: str
) -> None:
    file = harm(sound, name)
    for deep in (False, True):
        assert "`clawgit doctor --fix` rebuilds what is on disk" in told(
            sound, "objects", deep=deep
        )
    report = examined(sound, fix=True)
    assert report.ok, problems(report)
    sound("fsck", "--strict")
    aside = sound.root / ".git/clawgit/damaged" / (file.parent.name + file.name)
    assert aside.exists() == (harm is rot)


def test_what_is_in_no_file_is_named_with_where_it_may_be(sound: Git, tmp_path: Path) -> None:
    sound.commit_file("SOUL.md", "# Soul\n\nAnother one.\n", "changed")
    sound("clone", "-q", "--no-hardlinks", str(sound.root), str(tmp_path / "clone"))
    lose(sound, "HEAD~1:SOUL.md")
    [check] = [check for check in examined(sound, fix=True).checks if check.name == "objects"]
    assert not check.ok
    assert "SOUL.md)" in check.detail
    assert "No remote and no backup is known" in check.fix
    sound("remote", "add", "origin", str(tmp_path / "clone"))
    assert "`git fetch --refetch origin`" in told(sound, "objects", deep=True)
    sound("fetch", "-q", "--refetch", "origin")
    with closing(space_of(sound)) as workspace:
        back_up(workspace, tmp_path / "kept.backup")
    assert found(sound, "objects", deep=True) == []
    lose(sound, "HEAD:SOUL.md")
    assert f"clawgit backup restore '{tmp_path}/kept.backup'" in told(sound, "objects", deep=True)


def test_where_objects_stay_lost_nothing_else_is_mended(sound: Git) -> None:
    nested(sound, "second")
    lose(sound, "HEAD:SOUL.md")
    sound.write("SOUL.md", "# Soul\n\nNew.\n")
    report = examined(sound, fix=True)
    assert [*problems(report)] == ["objects", "ignored"]
    assert all("lost object" in what for what in report.mended)


def test_a_branch_that_names_nothing_is_brought_back_by_what_is_told(sound: Git) -> None:
    branch, before = sound.root / ".git/refs/heads/main", sound.head()
    for text in ("1" * 40 + "\n", ""):
        branch.write_text(text)
        [finding] = found(sound, "repository")
        assert finding.why == f"main cannot be read: it is at {text[:10] or 'nothing'}"
        told_to = finding.remedy.partition(": ")[2]
        subprocess.run(["sh", "-c", told_to], cwd=sound.root, check=True)
        assert (sound.head(), found(sound, "repository")) == (before, [])


@pytest.mark.parametrize("harm", [lose, rot])
def test_a_branch_whose_newest_commit_is_lost_goes_back_to_one_that_can_be_read(
    sound: Git, harm: Callable[[Git, str], Path]
) -> None:
    before = sound.head()
    for text in ("# Soul\n\nAnother one.\n", "# Soul\n\nA third.\n"):
        sound.commit_file("SOUL.md", text, "changed")
    for name in ("HEAD~1", "HEAD"):
        harm(sound, name)
    [finding] = found(sound, "repository")
    told_to = finding.remedy.partition(": ")[2]
    subprocess.run(["sh", "-c", told_to], cwd=sound.root, check=True)
    assert (sound.head(), found(sound, "repository")) == (before, [])
    assert sound.status() == "M  SOUL.md\n"


def test_a_repository_that_is_damaged_is_no_fault_of_git(sound: Git) -> None:
    (sound.root / ".git/HEAD").unlink()
    assert [*problems(examined(sound))] == ["repository"]


@pytest.mark.parametrize("file", ["config", "clawgit/merge-driver"])
def test_a_merge_driver_that_is_missing_or_changed_is_found_and_mended(
    sound: Git, tmp_path: Path, file: str
) -> None:
    changed = sound.root / ".git" / file
    text = changed.read_text()
    changed.write_text("".join(line for line in text.splitlines(True) if "merge" not in line))
    assert "line by line" in told(sound, "hooks")
    assert problems(examined(sound, fix=True)) == {}
    assert changed.read_text() == text
    sound("clone", "-q", str(sound.root), str(tmp_path / "clone"))
    clone = Git(tmp_path / "clone")
    assert "line by line" in told(clone, "hooks")
    assert "have plain git merge memory by entries" in examined(clone, fix=True).mended
    assert found(clone, "hooks") == []


def test_the_markers_of_a_merge_are_a_problem_until_it_is_over(sound: Git) -> None:
    sound.diverge("SOUL.md", "# Soul\n\n- Theirs.\n", "# Soul\n\n- Ours.\n")
    sound("merge", "-q", "side", ok=False)
    assert problems(examined(sound)) == {"entries": "SOUL.md: conflict markers"}
    sound("merge", "--abort")
    assert problems(examined(sound)) == {}


# what an interrupted process leaves


class Killed(BaseException):
    """Stands for kill -9: nothing of ours may catch it."""


def cut_off(git: Git, open_store: OpenStore, at: str) -> None:
    """A transaction that dies at a step, with its journal on disk."""
    head = git.head()

    def seam(step: str) -> None:
        if step == at:
            git("update-ref", "refs/clawgit/tx/kept", "refs/clawgit/tx/main")
            raise Killed

    store = open_store(git.root, seam=seam)
    with pytest.raises(Killed), store.transaction(intent(), NOW) as tx:
        tx.put("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n- Be brave.\n")
    if "refs/clawgit/tx/main" not in git("for-each-ref", "--format=%(refname)"):
        git("update-ref", "refs/clawgit/tx/main", "refs/clawgit/tx/kept")
    git("update-ref", "-d", "refs/clawgit/tx/kept")
    assert git.head() == head


def test_a_transaction_that_was_cut_off_is_finished_once_nobody_works(
    sound: Git, open_store: OpenStore
) -> None:
    cut_off(sound, open_store, "journaled")
    with workspace_lock(sound.root / ".git" / "clawgit" / "lock", "snapshot", 1):
        report = examined(sound)
    assert problems(report) == {}
    assert notes(report)["interrupted"].endswith("is working")
    assert "(snapshot, since" in notes(report)["interrupted"]
    assert [*problems(examined(sound))] == ["interrupted"]
    report = examined(sound, fix=True)
    assert report.mended == ("finish what was cut off",)
    assert problems(report) == {}
    assert "Be brave" in sound("show", "HEAD:SOUL.md")
    assert problems(examined(sound)) == {}


@pytest.mark.parametrize(
    "name",
    [
        "index.lock", "HEAD.lock", "refs/heads/side.lock", "objects/info/commit-graph.lock",
        "objects/info/commit-graphs/commit-graph-chain.lock", "objects/pack/multi-pack-index.lock",
    ],
)  # fmt: skip
def test_a_lock_of_git_is_told_and_its_deletion_never_advised(sound: Git, name: str) -> None:
    lock = sound.root / ".git" / name
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text("somebody staged this")
    report = examined(sound, fix=True)
    check = next(check for check in report.checks if check.name == "locks")
    assert (check.ok, lock.exists(), report.mended) == (False, True, ())
    assert f"mv '{lock}'" in check.fix
    assert "rm " not in check.fix


def test_a_lock_of_our_own_is_taken_by_the_next_command(sound: Git) -> None:
    lock = sound.root / ".git" / "index.lock"
    lock.symlink_to("clawgit 4711 0000")
    assert [*problems(examined(sound))] == ["interrupted"]
    assert examined(sound, fix=True).ok
    assert not lock.is_symlink()


# files


def test_a_file_that_is_not_utf8_is_found(sound: Git) -> None:
    page = sound.root / "MEMORY.md"
    for data in (b"- Caf\xe9.\n", "\ufeff- Café.\n".encode("utf-16-le")):
        page.write_bytes(data)
        [check] = found(sound, "entries")
        assert check.text.startswith("MEMORY.md: it is not UTF-8 (byte ")
        with (
            closing(space_of(sound)) as space,
            pytest.raises(PathRefusedError) as refused,
            space.git.transaction(intent(), NOW) as tx,
        ):
            tx.read_text("MEMORY.md")
        assert refused.value.hint == check.remedy
        subprocess.run(["sh", "-c", check.remedy.partition(": ")[2]], cwd=sound.root, check=True)
        assert page.read_text("utf-8-sig") == "- Café.\n"
        assert "UTF-8" not in told(sound, "entries")


def test_a_note_with_a_zero_byte_is_named_since_no_search_reads_it(sound: Git) -> None:
    note = sound.root / "memory" / "kilns.md"
    note.parent.mkdir(exist_ok=True)
    note.write_bytes(b"# Kilns\n\n- The kiln is \0 hot.\n")
    [check] = found(sound, "entries")
    assert check.text == "memory/kilns.md: it is not searched: it has a zero byte (byte 23)"
    subprocess.run(["bash", "-c", check.remedy.partition(": ")[2]], cwd=sound.root, check=True)
    assert note.read_text() == "# Kilns\n\n- The kiln is  hot.\n"
    assert found(sound, "entries") == []
    for text in ("# N\n\n- a\0b nul.\n", "# 窑\n\n- 每天九点\0门。\n"):
        note.write_text(text)
        assert "it is not searched" in told(sound, "entries")
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        for text in ("# Öfen\n", "# ਨੋਟ\n\n- ਭੱਠੀ ਗਰਮ ਹੈ।\n"):
            note.write_text(text, encoding=encoding)
            assert "not searched" not in told(sound, "entries"), "UTF-16 is"


def test_what_openclaw_would_cut_or_refuse_is_found(sound: Git) -> None:
    sound.write("AGENTS.md", "ä" * 20_000)
    assert found(sound, "files") == []
    sound.write("AGENTS.md", "ä" * 20_001)
    assert "AGENTS.md has 20,001 characters" in told(sound, "files")
    sound.write("memory/huge.md", "x" * (2 * 1024 * 1024 + 1))
    assert "memory/huge.md has 2.0 MiB" in told(sound, "files")
    for name in ("AGENTS", "SOUL", "TOOLS", "IDENTITY", "USER", "HEARTBEAT", "BOOTSTRAP", "MEMORY"):
        sound.write(f"{name}.md", "x" * 9_000)
    assert "72,000 characters together; OpenClaw cuts beyond 60,000" in told(sound, "files")


# one repository inside another


def nested(git: Git, name: str, *, commit: bool = True) -> Git:
    inner = Git(git.root / name)
    inner.root.mkdir(parents=True, exist_ok=True)
    inner("init", "-q")
    inner.write("CONFIG.md", "")
    inner.write(".gitignore", IGNORE)
    if commit:
        inner.commit_all("start")
    return inner


@pytest.mark.parametrize("commit", [True, False])
def test_a_repository_inside_is_hidden(sound: Git, commit: bool) -> None:
    nested(sound, "agents/second [2]", commit=commit)
    assert [*problems(examined(sound))] == ["ignored"]
    assert examined(sound, fix=True).ok
    assert sound.status() == ""
    assert examined(sound).ok


# state, index, config, OpenClaw


def test_a_damaged_state_is_kept_aside_and_brought_back_from_its_copy(sound: Git) -> None:
    space = space_of(sound)
    with space.state() as state:
        state.acknowledge("kkkkllll")
    path = state_file(space.place)
    data = path.read_bytes()
    spoilt = data[:4096] + b"\xff" * (len(data) - 4096)  # the header shows nothing of it
    path.write_bytes(spoilt)
    assert [*problems(examined(sound))] == ["state", "jobs"]
    assert examined(sound, fix=True).ok
    [aside] = path.parent.glob("state.broken-*.db")
    assert aside.read_bytes() == spoilt
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT alert FROM acknowledged").fetchall() == [("kkkkllll",)]
    db.close()


def test_what_only_a_damaged_index_had_staged_is_kept(sound: Git) -> None:
    sound.write("draft.txt", "staged\n")
    sound("add", "draft.txt")
    sound.write("draft.txt", "edited since\n")
    damaged = (sound.root / ".git/index").read_bytes()
    damaged = damaged[:-1] + bytes([damaged[-1] ^ 1])
    (sound.root / ".git/index").write_bytes(damaged)
    assert [*problems(examined(sound))] == ["git index"]
    assert problems(examined(sound, fix=True)) == {}
    [aside] = (sound.root / ".git/clawgit/damaged").iterdir()
    assert {file.read_bytes() for file in aside.iterdir()} == {damaged, b"staged\n"}
    assert (sound.root / "draft.txt").read_text() == "edited since\n"


def test_an_unusable_model_is_a_problem(sound: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = partial(examined, sound, CLAWGIT_SEARCH_MODE="enhanced")
    assert "models" not in problems(asked())
    assert "needs a key" in problems(asked(CLAWGIT_EMBEDDER="voyage:voyage-4"))["models"]

    def broken(_reader: Reader) -> None:
        raise ModelError("The reader is not there.", hint="Install clawgit again.")

    monkeypatch.setattr(Reader, "__init__", broken)
    assert "The reader is not there." in problems(asked())["models"]
    assert "models" not in problems(examined(sound, CLAWGIT_SEARCH_MODE="core"))
