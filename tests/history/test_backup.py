"""A backup holds everything, proves it, and gives it back; a byte that changed is found."""

import json
import os
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from clawgit import __version__
from clawgit.core.errors import ClawgitError, NotFoundError, UnsupportedRepoError, UsageError
from clawgit.history.backup import Backup, UnprovenBackupError, back_up
from clawgit.history.restoring import DamagedBackupError, restore_backup, verify
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git, move_in, program
from tests.each import for_each
from tests.making import space_of


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return tmp_path / "agent.backup"


def tree(root: Path) -> dict[str, tuple[bytes, bool]]:
    """Every file of a work tree: its bytes, and whether it is executable."""
    files = (
        path
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    )
    return {
        str(path.relative_to(root)): (path.read_bytes(), os.access(path, os.X_OK)) for path in files
    }


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


@pytest.fixture(scope="module")
def sound_backup(molds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once for all the tests that change a copy of it."""
    folder = tmp_path_factory.mktemp("sound-backup")
    git = Git(copytree(molds / "begun", folder / "ws"))
    git.write("todo.txt", "loose")
    with pytest.MonkeyPatch.context() as patch:
        move_in(folder / "home", patch)
        with closing(space_of(git)) as space:
            back_up(space, folder / "agent.backup")
    return folder / "agent.backup"


def test_everything_comes_back(ws: Git, saved: Path, tmp_path: Path) -> None:
    """Two branches, tags, our own references, awkward names, uncommitted text of others, files git
    is not told of."""
    ws("branch", "idea")
    ws("tag", "-a", "-m", "first", "v1")
    ws("update-ref", "refs/clawgit/parked/main/kkmmppqq", "HEAD")
    ws("update-ref", "refs/remotes/origin/main", "HEAD")
    ws.write("memory/grüße an 犬.md", "- héllo\r\n")
    ws.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    ws.commit_all("more")
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    ws.write("notes/data.bin", "\0not for a snapshot\n")
    workspace = space_of(ws)
    with workspace.state() as state:
        state.acknowledge("kkmmppqq")

    restored = round_trip(workspace, saved)

    assert tree(restored.root) == tree(ws.root)
    assert references(restored) == references(ws)
    assert restored.status() == ws.status() == "?? notes/\n"
    assert restored("remote") == ""
    with space_of(restored).state() as state:
        assert (list(state.acknowledged()), state.notes) == (["kkmmppqq"], [])


def test_what_went_in_is_told(ws: Git, saved: Path) -> None:
    ws.commit_file(".gitignore", "secret.txt\n", "ignore")
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    ws.write("secret.txt", "ignored")
    ws.write("todo.txt", "loose")
    (ws.root / "link").symlink_to("MEMORY.md")
    subprocess.run(["git", "init", "-q", str(ws.root / "inner")], check=True)
    (ws.root / "inner/a.md").write_text("its own")

    told = back_up(space_of(ws), saved)

    snapshot = ws.head()
    assert told == Backup(
        file=saved,
        commit=snapshot,
        id=ws("log", "-1", "--format=%(trailers:key=Clawgit-Id,valueonly)").strip(),
        changed=("MEMORY.md",),
        commits=3,
        files=("todo.txt",),
        deleted=(),
        left_out={"inner/": "a repository of its own", "link": "a symlink"},
        bytes=saved.stat().st_size,
        notes=(),
        checks=verify(saved, os.environ).checks,
    )
    assert saved.stat().st_mode & 0o777 == 0o600
    scratch = opened_bundle(saved)
    held = scratch("ls-tree", "-r", "--name-only", "HEAD").split()
    manifest = json.loads(scratch("show", "HEAD:manifest.json"))
    assert {"files/todo.txt", "manifest.json", "state.db"} < {*held}
    assert {"files/secret.txt", "files/link", "files/inner/a.md"}.isdisjoint(held)
    assert (manifest["clawgit"], manifest["refs"]["HEAD"]) == (__version__, snapshot)


def test_a_detached_head_comes_back_detached(ws: Git, saved: Path) -> None:
    ws("checkout", "-q", "--detach")
    ws.commit_file("MEMORY.md", "# Memory\n\n- On no branch.\n", "reached by HEAD alone")
    restored = round_trip(space_of(ws), saved)
    assert references(restored) == references(ws)
    assert restored("log", "-1", "--format=%s") == "reached by HEAD alone\n"


def test_another_worktrees_head_is_kept(ws: Git, saved: Path, tmp_path: Path) -> None:
    for name in ("second", "new"):
        ws("worktree", "add", "-q", "--detach", str(tmp_path / name))
    Git(tmp_path / "new")("checkout", "-q", "--orphan", "unborn")
    ws("update-ref", "refs/clawgit/backup", "HEAD")
    alone = Git(tmp_path / "second").commit_all("reached from the second worktree alone")
    restored = round_trip(space_of(ws), saved)
    assert alone in references(restored)
    rmtree(restored.root)
    ws("checkout", "-q", "--detach")
    alone = ws.commit_all("reached from the main worktree alone")
    restored = round_trip(space_of(Git(tmp_path / "second")), saved)
    assert alone in references(restored)


def test_older_stashes_are_kept(ws: Git, saved: Path) -> None:
    for words in ("first", "second"):
        ws.write("MEMORY.md", f"{words}\n")
        ws("stash", "-q")
    restored = round_trip(space_of(ws), saved)
    older = ws("rev-parse", "stash@{1}").strip()
    assert restored("show", f"{older}:MEMORY.md") == "first\n"


def test_a_folder_that_became_a_file_or_a_link_comes_back_as_such(ws: Git, saved: Path) -> None:
    for name in ("crlf.txt", "was/a.md", "linked/a.md"):
        ws.write(name, "said\r\n")
    ws.commit_file(".gitattributes", "*.txt text eol=crlf\n", "folders")
    rmtree(ws.root / "was")
    ws.write("was", "a file\n")
    (ws.root / "linked").rename(ws.root / "other")
    (ws.root / "linked").symlink_to("other")
    ws.write("loose.txt", "said\n")
    restored = round_trip(space_of(ws), saved)
    assert tree(restored.root) == tree(ws.root) | {"linked/a.md": (b"said\r\n", False)}


def test_a_restored_workspace_has_its_name_when_all_of_it_is_on_the_disk(
    sound_backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, synced = tmp_path / "restored", list[bool]()
    monkeypatch.setattr(os, "sync", lambda: synced.append(folder.exists()))
    restore_backup(sound_backup, folder, os.environ)
    assert (synced, folder.exists()) == ([False], True)


def test_a_file_that_is_changed_or_cut_is_no_backup(sound_backup: Path, saved: Path) -> None:
    whole = sound_backup.read_bytes()
    for place in (0, len(whole) // 2, len(whole) - 1):
        saved.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        checked = verify(saved, os.environ)
        assert not checked.ok
        with pytest.raises(DamagedBackupError):
            restore_backup(saved, saved.parent / "restored", os.environ)
        assert not (saved.parent / "restored").exists()
    for size in (0, 100, len(whole) - 30):
        saved.write_bytes(whole[:size])
        assert "is damaged, or no backup: " in verify(saved, os.environ).checks[0].detail


def test_a_backup_that_is_not_what_it_says_is_found(ws: Git, saved: Path) -> None:
    ws("branch", "old")
    ws.commit_all("newer")
    back_up(space_of(ws), saved)
    whole = saved.read_bytes()
    # No checksum of git's covers the names in the head of the file.
    saved.write_bytes(whole.replace(b" refs/heads/old\n", b" refs/heads/odd\n"))
    assert failed(saved) == ["references"]
    for change in (said(refs={}), said(head="refs/heads/old")):
        saved.write_bytes(whole)
        resealed(saved, change)
        assert failed(saved) == ["references"]


def failed(saved: Path) -> list[str]:
    return [check.name for check in verify(saved, os.environ).checks if not check.ok]


def test_a_broken_state_is_mended_first(ws: Git, saved: Path, tmp_path: Path) -> None:
    workspace = space_of(ws)
    with workspace.state() as state:
        state.acknowledge("kkmmppqq")
    file = workspace.place.shared / "state.db"
    data = file.read_bytes()
    file.write_bytes(data[:4096] + b"\xa5" * 4096 + data[8192:])  # the page of the first table
    told = back_up(workspace, saved)
    assert told.notes[0].startswith("state.db was damaged; that file is kept:")
    assert verify(saved, os.environ).ok


def test_a_dry_run_writes_nothing(ws: Git, saved: Path, tmp_path: Path) -> None:
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    ws.write("todo.txt", "loose")
    head, workspace = ws.head(), space_of(ws)

    told = back_up(workspace.dry(), saved)

    assert (told.commit, told.changed, told.files) == (None, ("MEMORY.md",), ("todo.txt",))
    assert told.bytes == 0
    assert (ws.head(), saved.exists()) == (head, False)

    told = back_up(workspace, saved)
    made = restore_backup(saved, tmp_path / "restored", os.environ, dry_run=True)

    assert (made.commits, made.files) == (told.commits, ("todo.txt",))
    assert not (tmp_path / "restored").exists()


@for_each(
    "place, why",
    [
        ("ws/memory/agent.backup", "is inside the workspace"),
        ("ws/.git/clawgit/a", "is inside the workspace"),
        ("away/agent.backup", "away is not a folder"),
    ],
)
def test_where_backups_may_lie(ws: Git, tmp_path: Path, place: str, why: str) -> None:
    (ws.root / ".git/clawgit").mkdir(exist_ok=True)
    with pytest.raises(UsageError, match=why):
        back_up(space_of(ws), tmp_path / place)
    assert not (tmp_path / place).exists()


def test_a_shallow_clone_is_refused(ws: Git, saved: Path, tmp_path: Path) -> None:
    ws.commit_all("newer")
    ws("clone", "-q", "--depth", "1", f"file://{ws.root}", str(tmp_path / "shallow"))
    with pytest.raises(UnsupportedRepoError, match="shallow clone") as caught:
        back_up(space_of(Git(tmp_path / "shallow")), saved)
    assert caught.value.hint == "git fetch --unshallow"
    assert not saved.exists()


def test_a_restore_wants_an_empty_place(ws: Git, saved: Path, tmp_path: Path) -> None:
    back_up(space_of(ws), saved)
    (tmp_path / "empty").mkdir()
    restore_backup(saved, tmp_path / "empty", os.environ)
    assert tree(tmp_path / "empty") == tree(ws.root)
    for taken in (tmp_path / "empty", saved):
        with pytest.raises(UsageError, match="exists and is not an empty folder"):
            restore_backup(saved, taken, os.environ)
    with pytest.raises(UsageError, match="is not a folder"):
        restore_backup(saved, tmp_path / "no/where", os.environ)
    with pytest.raises(NotFoundError):
        restore_backup(tmp_path / "nothing", tmp_path / "new", os.environ)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.backup", "empty", "ws"]


def test_no_hook_and_no_template_of_the_machine_touches_a_restore(
    ws: Git, sound_backup: Path, tmp_path: Path
) -> None:
    hook = program(tmp_path / "hooks/post-checkout", f"touch '{tmp_path}/ran'")
    for name in ("post-index-change", "reference-transaction"):
        (hook.parent / name).symlink_to(hook)
    ws("config", "--global", "init.templateDir", str(hook.parent.parent))
    ws("config", "--global", "core.hooksPath", str(hook.parent))
    restore_backup(sound_backup, tmp_path / "restored", os.environ)
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "restored/.git/hooks").exists()
    assert Git(tmp_path / "restored")("config", "core.hooksPath") == f"{hook.parent}\n"


def test_no_backup_writes_through_a_link(ws: Git, saved: Path, tmp_path: Path) -> None:
    (ws.root / "link").symlink_to(tmp_path / "elsewhere")
    ws.commit_all("a link out")
    (tmp_path / "elsewhere").mkdir()
    back_up(space_of(ws), saved)

    def through(stage: Path) -> None:
        (stage / "files/link").unlink()
        (stage / "files/link").mkdir()
        (stage / "files/link/outside.txt").write_text("planted")

    resealed(saved, through)
    restore_backup(saved, tmp_path / "restored", os.environ)

    assert (tmp_path / "restored/link").is_dir()
    assert not (tmp_path / "restored/link").is_symlink()
    assert list((tmp_path / "elsewhere").iterdir()) == []


NOT_UTF8 = "caf\udce9 \udcff.md"


def test_names_are_kept_as_bytes(ws: Git, saved: Path) -> None:
    (ws.root / NOT_UTF8).write_text("in the history")
    (ws.root / f"gone {NOT_UTF8}").write_text("in the history, and deleted since")
    ws.commit_all("awkward names")
    (ws.root / f"gone {NOT_UTF8}").unlink()
    (ws.root / f"loose {NOT_UTF8}").write_text("in no commit")
    (ws.root / "folder\udcfe").mkdir()
    (ws.root / "folder\udcfe" / NOT_UTF8).write_text("in no commit")
    restored = round_trip(space_of(ws), saved)
    assert tree(restored.root) == tree(ws.root)
    assert b"caf\xe9 \xff.md" in [os.fsencode(file.name) for file in restored.root.iterdir()]
    ask = ["git", "status", "--porcelain", "-z"]
    looks = [subprocess.check_output(ask, cwd=root) for root in (ws.root, restored.root)]
    assert looks[0] == looks[1] != b""


def opened_bundle(saved: Path) -> Git:
    """A repository beside, with all that a backup holds: on disk what no commit of it has."""
    scratch = Git(saved.with_name("scratch"))
    subprocess.run(["git", "init", "-q", str(scratch.root)], check=True)
    scratch("fetch", "-q", "--update-head-ok", str(saved), "+refs/*:refs/*")
    scratch("checkout", "-q", "--detach", "refs/clawgit/backup")
    return scratch


def unpacked(sound_backup: Path, saved: Path) -> Git:
    """All that it holds, to be changed; taken out once."""
    mold = sound_backup.with_name("scratch")
    if not mold.exists():
        opened_bundle(sound_backup)
    return Git(copytree(mold, saved.with_name("scratch")))


def resealed(saved: Path, change: Callable[[Path], object]) -> None:
    """Changes what is in a backup: what is wrong then was meant to be."""
    reseal(opened_bundle(saved), saved, change)


def reseal(scratch: Git, saved: Path, change: Callable[[Path], object]) -> None:
    change(scratch.root)
    scratch("add", "--all", "--force")
    scratch("commit", "-q", "--allow-empty", "-m", "changed")
    sealed(scratch, saved, "HEAD")


def sealed(scratch: Git, saved: Path, commit: str) -> None:
    scratch("update-ref", "refs/clawgit/backup", commit)
    scratch("symbolic-ref", "HEAD", "refs/heads/main")
    scratch("bundle", "create", "-q", str(saved), "--all")
    rmtree(scratch.root)


def said(**told: object) -> Callable[[Path], object]:
    """Says something else in the manifest; `ABSENT` takes it out."""

    def change(stage: Path) -> None:
        manifest = {**json.loads((stage / "manifest.json").read_text()), **told}
        left = {name: value for name, value in manifest.items() if value is not ABSENT}
        (stage / "manifest.json").write_text(json.dumps(left))

    return change


def manifest_is(text: bytes) -> Callable[[Path], object]:
    return lambda stage: (stage / "manifest.json").write_bytes(text)


def _folder(stage: Path) -> None:
    (stage / "manifest.json").unlink()
    (stage / "manifest.json").mkdir()
    (stage / "manifest.json/x").write_text("{}")


def _elsewhere(stage: Path) -> None:
    (stage / "state.db").rename(stage.parent / "state.db")
    (stage / "state.db").symlink_to(stage.parent / "state.db")


ABSENT = object()
ODD: dict[str, Callable[[Path], object]] = {
    "absent": lambda stage: (stage / "manifest.json").unlink(),
    "not JSON": manifest_is(b"{'format': 1}"),
    "not UTF-8": manifest_is(b'{"format": "\xff"}'),
    "deep": manifest_is(b"[" * 100_000),
    "a folder": _folder,
    **{f"without {name}": said(**{name: ABSENT}) for name in ("head", "refs")},
    "a ref above": said(head="refs/heads/../../../../x"),
    "a head that is an option": said(head="--exec=touch x"),
    "a time that is a number": said(time=1),
    "references that are a number": said(refs=1),
    "no files": lambda stage: rmtree(stage / "files"),
    "no state": lambda stage: (stage / "state.db").unlink(),
    "a state elsewhere": _elsewhere,
    "a state that is none": lambda stage: (stage / "state.db").write_text("state"),
}


def test_no_odd_manifest_is_restored(sound_backup: Path, saved: Path, tmp_path: Path) -> None:
    for odd, change in ODD.items():
        reseal(unpacked(sound_backup, saved), saved, change)
        assert_nothing_is_restored(saved, tmp_path, odd)


def assert_nothing_is_restored(saved: Path, folder: Path, odd: str) -> None:
    before = sorted(folder.rglob("*"))
    assert not verify(saved, os.environ).ok, odd
    with pytest.raises(ClawgitError) as caught:
        restore_backup(saved, folder / "restored", os.environ)
    assert (caught.value.exit_code, bool(caught.value.message)) == (1, True), odd
    assert sorted(folder.rglob("*")) == before, odd


def test_a_file_that_leads_into_git_or_above_is_not_restored(
    sound_backup: Path, saved: Path, tmp_path: Path
) -> None:
    for name in (".git", ".GIT", "..", ".g\u200cit"):
        scratch = unpacked(sound_backup, saved)
        files = odd_tree(scratch, name)
        rows = scratch("ls-tree", "HEAD", "manifest.json", "state.db")
        argv = ["git", "-C", str(scratch.root), "mktree"]
        rows += f"040000 tree {files}\tfiles\n"
        top = subprocess.run(argv, input=rows.encode(), check=True, capture_output=True).stdout
        sealed(scratch, saved, scratch("commit-tree", "-m", "x", top.decode().strip()).strip())
        assert_nothing_is_restored(saved, tmp_path, name)


def literal(git: Git, kind: str, content: bytes) -> str:
    """Writes an object that git itself would not make."""
    argv = ["git", "hash-object", "-w", "-t", kind, "--literally", "--stdin"]
    return (
        subprocess.run(argv, cwd=git.root, input=content, check=True, capture_output=True)
        .stdout.decode()
        .strip()
    )


@pytest.mark.parametrize("name", [".git", "..", ".g\u200cit"])
def test_a_history_that_leads_elsewhere_is_neither_backed_up_nor_restored(
    ws: Git, sound_backup: Path, saved: Path, tmp_path: Path, name: str
) -> None:
    """The bundle is git's own, and its tree holds a path that no work tree may have."""
    evil, kept = forged_history(ws, name), saved.with_name("forged.backup")

    def change(stage: Path) -> None:
        scratch = Git(stage)
        ws("push", "-q", str(stage), f"+{evil}:refs/heads/main")
        manifest = json.loads(scratch("show", "HEAD:manifest.json"))
        refs = manifest["refs"] | {"HEAD": evil, "refs/heads/main": evil}
        said(refs=refs)(stage)

    reseal(unpacked(sound_backup, kept), kept, change)
    assert not verify(kept, os.environ).ok
    with pytest.raises(ClawgitError):
        restore_backup(kept, tmp_path / "restored", os.environ)
    assert not (tmp_path / "restored").exists()
    assert not (tmp_path / "outside").exists()

    ws("update-ref", "refs/heads/main", evil)
    with pytest.raises(ClawgitError):
        back_up(space_of(ws), saved)
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["forged.backup"]


def odd_tree(git: Git, name: str) -> str:
    """A tree with a folder of this name."""
    blob = literal(git, "blob", b"owned")
    inner = literal(git, "tree", b"100644 outside\0" + bytes.fromhex(blob))
    return literal(git, "tree", b"40000 " + name.encode() + b"\0" + bytes.fromhex(inner))


def forged_history(ws: Git, name: str) -> str:
    return ws("commit-tree", "-p", "HEAD", "-m", "forged", odd_tree(ws, name)).strip()


def test_a_backup_that_does_not_give_everything_back_is_an_error_and_no_file(
    ws: Git, saved: Path, tmp_path: Path
) -> None:
    """What git will not check out cannot be had back, whoever has committed it."""
    saved.write_text("an older one")
    ws("update-ref", "refs/heads/main", forged_history(ws, ".g\u200cit"))
    with pytest.raises(
        UnprovenBackupError, match="does not restore everything, and was deleted: "
    ) as caught:
        back_up(space_of(ws), saved, force=True)
    assert (caught.value.exit_code, bool(caught.value.hint)) == (1, True)
    assert saved.read_text() == "an older one"
    assert {file.name for file in tmp_path.iterdir()} == {"ws", "agent.backup"}
