"""A backup holds everything, proves it, and gives it back; a byte that changed is found."""

import json
import os
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit import __version__
from clawgit.domain.actors import OPERATOR
from clawgit.errors import ClawgitError, NotFoundError, UnsupportedRepoError, UsageError
from clawgit.ops.backup import Backup, back_up
from clawgit.ops.restoring import restore_backup, verify
from clawgit.ops.workspace import Caller, Workspace
from clawgit.stores.archive import DamagedArchiveError, check_seal, pack, unpack
from clawgit.stores.git.gitdir import find_repo
from clawgit.stores.git.store import GitStore
from clawgit.stores.state import repository_state
from tests.conftest import NOW, Git

Open = Callable[[Path], Workspace]


@pytest.fixture
def opened(open_store: Callable[..., GitStore], tmp_path: Path) -> Open:
    def open_one(root: Path) -> Workspace:
        return Workspace(find_repo(root), Caller(OPERATOR, os.environ, NOW, tmp_path), {"git": open_store(root)})

    return open_one


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return tmp_path / "agent.backup"


def tree(root: Path) -> dict[str, tuple[bytes, bool]]:
    """Every file of a work tree: its bytes, and whether it is executable."""
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.relative_to(root).parts)
    return {str(path.relative_to(root)): (path.read_bytes(), os.access(path, os.X_OK)) for path in files}


def references(git: Git) -> str:
    return git("show-ref", "--head") + git("rev-parse", "--abbrev-ref", "HEAD")


def round_trip(workspace: Workspace, saved: Path) -> Git:
    """Backs up, verifies, and restores beside."""
    back_up(workspace, saved, force=True)
    checked = verify(saved, os.environ)
    assert checked.ok, checked
    folder = saved.parent / "restored"
    restore_backup(saved, folder, os.environ)
    return Git(folder)


def test_everything_comes_back(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    """Two branches, tags, our own references, awkward names, uncommitted text of others, files git is not told of."""
    ws("branch", "idea")
    ws("tag", "-a", "-m", "first", "v1")
    ws("update-ref", "refs/clawgit/parked/main/kkmmppqq", "HEAD")
    ws("update-ref", "refs/remotes/origin/main", "HEAD")
    ws("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    ws.write("memory/grüße an 犬.md", "- héllo\r\n")
    ws.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    ws.commit_all("more")
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    ws.write("notes/data.bin", "\0not for a snapshot\n")
    workspace = opened(ws.root)
    with repository_state(workspace.place, os.environ, tmp_path, NOW) as state:
        state.acknowledge("kkmmppqq")

    restored = round_trip(workspace, saved)

    assert tree(restored.root) == tree(ws.root)
    assert references(restored) == references(ws)
    assert restored.status() == ws.status() == "?? notes/\n"
    assert restored("symbolic-ref", "refs/remotes/origin/HEAD") == "refs/remotes/origin/main\n"
    assert restored("remote") == ""
    with repository_state(find_repo(restored.root), os.environ, tmp_path, NOW) as state:
        assert (list(state.acknowledged()), state.notes) == (["kkmmppqq"], [])


def test_what_went_in_is_told(ws: Git, opened: Open, saved: Path) -> None:
    ws.write(".gitignore", "secret.txt\n")
    ws.commit_all("ignore")
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    ws.write("secret.txt", "ignored")
    ws.write("todo.txt", "loose")
    (ws.root / "link").symlink_to("MEMORY.md")
    subprocess.run(["git", "init", "-q", str(ws.root / "inner")], check=True)
    (ws.root / "inner/a.md").write_text("its own")

    told = back_up(opened(ws.root), saved)

    snapshot = ws.head()
    assert told == Backup(
        file=saved,
        commit=snapshot,
        id=ws("log", "-1", "--format=%(trailers:key=Clawgit-Id,valueonly)").strip(),
        changed=("MEMORY.md",),
        time="2026-02-14T09:00:00+00:00",
        head="refs/heads/main",
        refs=1,
        commits=3,
        files=("todo.txt",),
        deleted=(),
        left_out={"inner/": "a repository of its own", "link": "a symlink"},
        state=told.state,
        bytes=saved.stat().st_size,
        notes=(),
    )
    assert (told.state["acknowledged"], {*told.state.values()}) == (0, {0})
    assert saved.stat().st_mode & 0o777 == 0o600
    with tarfile.open(saved) as tar:
        manifest = json.load(tar.extractfile("manifest.json"))  # type: ignore[arg-type]
        assert sorted(member.name for member in tar) == sorted(["manifest.json", *manifest["members"], "seal.sha256"])
    assert (manifest["format"], manifest["clawgit"], manifest["head_oid"]) == (1, __version__, snapshot)


def test_a_plain_tar_opens_the_file(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    back_up(opened(ws.root), saved)

    subprocess.run(["tar", "-xf", str(saved), "-C", str(tmp_path), "repository.bundle"], check=True)

    subprocess.run(["git", "clone", "-q", "repository.bundle", "clone"], cwd=tmp_path, check=True)
    assert tree(tmp_path / "clone") == tree(ws.root)


def test_a_detached_head_comes_back_detached(ws: Git, opened: Open, saved: Path) -> None:
    ws("checkout", "-q", "--detach")
    ws.write("MEMORY.md", "# Memory\n\n- On no branch.\n")
    ws.commit_all("reached by HEAD alone")

    restored = round_trip(opened(ws.root), saved)

    assert references(restored) == references(ws)
    assert restored("log", "-1", "--format=%s") == "reached by HEAD alone\n"


def test_what_the_head_of_another_worktree_names_is_kept(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    ws("worktree", "add", "-q", "--detach", str(tmp_path / "second"))
    alone = Git(tmp_path / "second").commit_all("reached from the second worktree alone")

    restored = round_trip(opened(ws.root), saved)

    assert restored("rev-parse", "refs/clawgit/kept/worktrees/second/HEAD").strip() == alone


def test_a_merge_under_way_is_saved_as_it_lies(ws: Git, opened: Open, saved: Path) -> None:
    ws("checkout", "-q", "-b", "idea")
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses SQLite.\n")
    ws.commit_all("idea")
    ws("checkout", "-q", "main")
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    ws.commit_all("other")
    ws("merge", "idea", ok=False)

    told = back_up(opened(ws.root), saved)
    restore_backup(saved, saved.parent / "restored", os.environ)

    reason = "Git is in the middle of a merge; clawgit does not interfere."
    assert told.notes == (f"No snapshot was taken: {reason} The files are saved as they are.",)
    assert (told.files, told.commit) == (("MEMORY.md",), None)
    assert b"<<<<<<<" in (ws.root / "MEMORY.md").read_bytes()
    assert tree(saved.parent / "restored") == tree(ws.root)
    assert Git(saved.parent / "restored").status() == " M MEMORY.md\n"


def test_a_workspace_that_lost_its_files_is_saved_as_it_lies(ws: Git, opened: Open, saved: Path) -> None:
    for name in ("MEMORY.md", "memory/2026-02-13.md"):
        (ws.root / name).unlink()
    (ws.root / "memory").rmdir()
    ws.write("memory", "a file took the folder's place")

    told = back_up(opened(ws.root), saved)
    restored = restore_backup(saved, saved.parent / "restored", os.environ)

    assert told.notes[0].startswith("No snapshot was taken: The workspace has lost ")
    assert (restored.files, restored.deleted) == (("memory",), ("MEMORY.md", "memory/2026-02-13.md"))
    assert tree(saved.parent / "restored") == tree(ws.root)


def test_a_link_and_a_file_that_became_something_else_come_back(ws: Git, opened: Open, saved: Path) -> None:
    (ws.root / "link").symlink_to("memory")
    ws.write("was-a-file", "text")
    ws.commit_all("a link")
    (ws.root / "link").unlink()
    (ws.root / "was-a-file").unlink()
    ws.write("link/real.txt", "a folder now")
    ws.write("was-a-file/inside.txt", "a folder too")

    workspace = opened(ws.root)
    back_up(workspace, saved)
    restore_backup(saved, saved.parent / "restored", os.environ)

    assert tree(saved.parent / "restored") == tree(ws.root)
    assert not (saved.parent / "restored/link").is_symlink()


@pytest.mark.parametrize("share", [0.0, 0.001, 0.02, 0.2, 0.5, 0.8, 0.95, 0.98, 0.99, 0.995, 1.0])
def test_a_flipped_byte_is_found_wherever_it_is(ws: Git, opened: Open, saved: Path, share: float) -> None:
    back_up(opened(ws.root), saved)
    data = bytearray(saved.read_bytes())
    data[int(share * (len(data) - 1))] ^= 0x10
    saved.write_bytes(data)

    checked = verify(saved, os.environ)

    assert not checked.ok
    assert [check.name for check in checked.checks] == ["seal"]
    with pytest.raises(DamagedArchiveError):
        restore_backup(saved, saved.parent / "restored", os.environ)
    assert not (saved.parent / "restored").exists()


def test_headers_and_padding_are_under_the_seal_too(tmp_path: Path) -> None:
    (tmp_path / "stage").mkdir()
    (tmp_path / "stage/a.txt").write_text("hello")
    archive = tmp_path / "archive"
    pack(tmp_path / "stage", archive)
    whole = archive.read_bytes()
    check_seal(archive)

    with archive.open("r+b", buffering=0) as file:
        for offset in range(0, len(whole), 3):
            file.seek(offset)
            file.write(bytes([whole[offset] ^ 1]))
            with pytest.raises(DamagedArchiveError):
                check_seal(archive)
            file.seek(offset)
            file.write(whole[offset : offset + 1])
    check_seal(archive)


@pytest.mark.parametrize("size", [0, 1, 512, 2047, 5000])
def test_a_file_that_is_cut_or_foreign_is_no_backup(ws: Git, opened: Open, saved: Path, size: int) -> None:
    back_up(opened(ws.root), saved)
    saved.write_bytes(saved.read_bytes()[:size])

    checked = verify(saved, os.environ)

    assert not checked.ok
    assert any(words in checked.checks[0].detail for words in ("too short", "its end is lost"))


@pytest.mark.parametrize(
    ("tamper", "names"),
    [
        (lambda told: told["refs"].update({"refs/heads/main": told["refs"]["refs/heads/old"]}), ["references"]),
        (lambda told: told["refs"].pop("refs/heads/old"), ["references"]),
        (lambda told: told["symbolic_refs"].update({"refs/heads/old": "refs/heads/main"}), ["references"]),
        (lambda told: told["members"].update({"state.db": "0" * 64}), ["members"]),
        (lambda told: told["state"].update({"acknowledged": 7}), ["state"]),
        (lambda told: told["refs"].update({"refs/heads/new": "1" * 40}), ["restore"]),
    ],
    ids=["moved", "fewer", "symbolic", "member", "state", "unknown object"],
)
def test_a_backup_that_does_not_hold_what_it_says_is_found(
    ws: Git, opened: Open, saved: Path, tmp_path: Path, tamper: Callable[[dict[str, dict[str, object]]], object],
    names: list[str],
) -> None:  # fmt: skip
    """The seal is right here: what is wrong was written so."""
    ws("branch", "old")
    ws.commit_all("newer")
    back_up(opened(ws.root), saved)
    stage = tmp_path / "stage"
    stage.mkdir()
    unpack(saved, stage)
    manifest = json.loads((stage / "manifest.json").read_text())
    before = json.dumps(manifest)
    tamper(manifest)
    assert json.dumps(manifest) != before
    (stage / "manifest.json").write_text(json.dumps(manifest))
    pack(stage, saved)

    checked = verify(saved, os.environ)

    assert [check.name for check in checked.checks if not check.ok] == names


def test_a_damaged_state_is_saved_as_it_is_and_said(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    workspace = opened(ws.root)
    with repository_state(workspace.place, os.environ, tmp_path, NOW) as state:
        state.acknowledge("kkmmppqq")
    file = workspace.place.shared / "state.db"
    data = file.read_bytes()
    file.write_bytes(data[:4096] + b"\xa5" * 4096 + data[8192:])  # the page of the first table

    told = back_up(workspace, saved)

    assert told.notes == ("state.db is damaged, and saved as it is. Run `clawgit doctor --fix`.",)
    assert [check.name for check in verify(saved, os.environ).checks if not check.ok] == ["state"]


def test_a_dry_run_tells_and_writes_nothing(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    ws.write("todo.txt", "loose")
    head, workspace = ws.head(), opened(ws.root)

    told = back_up(workspace, saved, dry_run=True)

    assert (told.commit, told.changed, told.files, told.bytes) == (None, ("MEMORY.md",), ("todo.txt",), 0)
    assert (ws.head(), saved.exists()) == (head, False)
    assert list(workspace.place.private.glob("backup-*")) == []

    told = back_up(workspace, saved)
    made = restore_backup(saved, tmp_path / "restored", os.environ, dry_run=True)

    assert (made.commits, made.files, (tmp_path / "restored").exists()) == (told.commits, ("todo.txt",), False)


def test_an_existing_file_is_overwritten_by_force_only(ws: Git, opened: Open, saved: Path) -> None:
    saved.write_text("my own")
    with pytest.raises(ClawgitError, match="exists and is not overwritten") as caught:
        back_up(opened(ws.root), saved)
    assert "--force" in caught.value.hint
    assert saved.read_text() == "my own"

    back_up(opened(ws.root), saved, force=True)

    assert verify(saved, os.environ).ok


@pytest.mark.parametrize("name", ["agent.backup", "memory/agent.backup", ".git/agent.backup", ".git/clawgit/a"])
def test_a_backup_inside_the_workspace_is_refused(ws: Git, opened: Open, name: str) -> None:
    (ws.root / ".git/clawgit").mkdir()
    with pytest.raises(UsageError, match="lies inside the workspace"):
        back_up(opened(ws.root), ws.root / name)
    assert not (ws.root / name).exists()


def test_a_backup_inside_the_workspace_is_fine_where_git_ignores_it(ws: Git, opened: Open) -> None:
    ws.write(".gitignore", "*.backup\n")
    ws.commit_all("ignore")

    told = back_up(opened(ws.root), ws.root / "agent.backup")

    assert (told.files, told.left_out, ws.status()) == ((), {}, "")
    assert verify(ws.root / "agent.backup", os.environ).ok


def test_a_place_where_no_file_can_be_is_a_usage_error(ws: Git, opened: Open, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        back_up(opened(ws.root), tmp_path)
    with pytest.raises(UsageError, match="is no folder"):
        back_up(opened(ws.root), tmp_path / "nowhere/agent.backup")


def test_a_repository_without_commits_is_told_so(git: Git, opened: Open, saved: Path) -> None:
    with pytest.raises(NotFoundError, match="no commit to back up"):
        back_up(opened(git.root), saved)
    git.write("MEMORY.md", "# Memory\n")

    assert back_up(opened(git.root), saved).changed == ("MEMORY.md",)


def test_a_shallow_clone_is_refused(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    ws.commit_all("newer")
    ws("clone", "-q", "--depth", "1", f"file://{ws.root}", str(tmp_path / "shallow"))

    with pytest.raises(UnsupportedRepoError, match="shallow clone") as caught:
        back_up(opened(tmp_path / "shallow"), saved)

    assert caught.value.hint == "git fetch --unshallow"
    assert not saved.exists()


def test_a_linked_worktree_can_be_backed_up(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    ws("worktree", "add", "-q", str(tmp_path / "second"))
    second = Git(tmp_path / "second")
    second.write("MEMORY.md", "# Memory\n\n- Only here.\n")

    restored = round_trip(opened(second.root), saved)

    assert tree(restored.root) == tree(second.root)
    assert restored("symbolic-ref", "HEAD") == "refs/heads/second\n"


def test_a_restore_wants_an_empty_place(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    back_up(opened(ws.root), saved)
    (tmp_path / "empty").mkdir()
    restore_backup(saved, tmp_path / "empty", os.environ)
    assert tree(tmp_path / "empty") == tree(ws.root)

    for taken in (tmp_path / "empty", saved):
        with pytest.raises(UsageError, match="exists and is not an empty folder"):
            restore_backup(saved, taken, os.environ)
    with pytest.raises(UsageError, match="is no folder"):
        restore_backup(saved, tmp_path / "no/where", os.environ)
    with pytest.raises(NotFoundError):
        restore_backup(tmp_path / "nothing", tmp_path / "new", os.environ)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.backup", "empty", "ws"]


def test_no_hook_and_no_template_of_the_machine_touches_a_restore(
    ws: Git, opened: Open, saved: Path, tmp_path: Path
) -> None:
    back_up(opened(ws.root), saved)
    hook = tmp_path / "hooks/post-checkout"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    hook.chmod(0o755)
    for name in ("post-index-change", "reference-transaction"):
        (hook.parent / name).symlink_to(hook)
    ws("config", "--global", "init.templateDir", str(hook.parent.parent))
    ws("config", "--global", "core.hooksPath", str(hook.parent))

    restore_backup(saved, tmp_path / "restored", os.environ)

    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "restored/.git/hooks").exists()
    assert Git(tmp_path / "restored")("config", "core.hooksPath") == f"{hook.parent}\n"


@pytest.mark.parametrize("path", ["../outside.txt", ".git/hooks/post-checkout", "link/outside.txt"])
def test_a_forged_backup_writes_nothing_outside(
    ws: Git, opened: Open, saved: Path, tmp_path: Path, path: str
) -> None:  # fmt: skip
    (ws.root / "link").symlink_to(tmp_path / "elsewhere")
    ws.commit_all("a link out")
    (tmp_path / "elsewhere").mkdir()
    back_up(opened(ws.root), saved)
    stage = tmp_path / "stage"
    stage.mkdir()
    unpack(saved, stage)
    manifest = json.loads((stage / "manifest.json").read_text())
    (stage / "manifest.json").write_text(json.dumps({**manifest, "files": [path]}))
    pack(stage, saved)

    with pytest.raises(ClawgitError):
        restore_backup(saved, tmp_path / "restored", os.environ)

    assert not (tmp_path / "restored").exists()
    assert not (tmp_path / "outside.txt").exists()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_backup_of_a_newer_clawgit_is_told(ws: Git, opened: Open, saved: Path, tmp_path: Path) -> None:
    back_up(opened(ws.root), saved)
    stage = tmp_path / "stage"
    stage.mkdir()
    unpack(saved, stage)
    manifest = json.loads((stage / "manifest.json").read_text())
    (stage / "manifest.json").write_text(json.dumps({**manifest, "format": 2, "clawgit": "9.9"}))
    pack(stage, saved)

    with pytest.raises(ClawgitError, match=r"written by clawgit 9\.9"):
        verify(saved, os.environ)
