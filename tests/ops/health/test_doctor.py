"""Each check is seen well, seen failing on a workspace that is really broken, and seen mended where
it can be."""

import builtins
import hashlib
import io
import json
import os
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import count, islice
from pathlib import Path
from shutil import rmtree

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.change.backup import back_up
from clawgit.ops.health import finding
from clawgit.ops.health.doctor import CHECKS, Report, _looked, checks_of, doctor
from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.health.git import disk_finding
from clawgit.ops.health.state import exchange_finding
from clawgit.ops.hooks import merge_driver
from clawgit.ops.workspace import setup
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.holders import user_of
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.store import GitStore
from clawgit.stores.reranker import Reranker, RerankerError
from clawgit.stores.state import repository_state, state_file
from tests.conftest import NOW, Git, intent
from tests.stores.git.test_detached import leave_behind

IGNORE = "*.tmp\n*.lock\n.openclaw/\nmemory/.dreams/\n"


@pytest.fixture
def sound(ws: Git) -> Git:
    """A workspace with nothing wrong."""
    ws.write("CONFIG.md", "# Config\n")
    ws.write(".gitignore", IGNORE)
    ws.commit_all("set up")
    put_driver_in(ws)
    return ws


def put_driver_in(git: Git) -> None:
    place = repo_at(git.root)
    assert place is not None
    merge_driver.put_in(Workspace(place, asker()))


def asker(**env: str) -> Caller:
    return Caller(OPERATOR, {**os.environ, **env}, NOW, Path(os.environ["HOME"]))


def examined(
    git: Git, *, fix: bool = False, dry_run: bool = False, deep: bool = False, **env: str
) -> Report:
    return doctor(git.root, asker(**env), fix=fix, deep=deep, dry_run=dry_run)


def found(git: Git, name: str, *, deep: bool = False) -> Finding:
    """One check alone."""
    place = repo_at(git.root)
    assert place is not None
    return _looked(CHECKS[name], Site(Workspace(place, asker()), deep))


def problems(report: Report) -> dict[str, str]:
    return {check.name: check.detail for check in report.checks if not check.ok}


def notes(report: Report) -> dict[str, str]:
    return {check.name: check.detail for check in report.checks if check.ok and check.fix}


def test_a_sound_workspace_passes_every_check_without_a_note(sound: Git) -> None:
    for deep in (False, True):
        report = examined(sound, deep=deep)
        assert [check.name for check in report.checks] == [*checks_of(deep=deep)]
        assert problems(report) == {}
        assert notes(report) == {}
        assert report.ok


def test_plain_and_deep_together_run_every_check() -> None:
    assert {*checks_of(deep=False), *checks_of(deep=True)} == {*CHECKS}
    assert [*checks_of(deep=False)] != [*checks_of(deep=True)]


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


def test_no_more_of_git_is_started_for_more_files(sound: Git, tmp_path: Path) -> None:
    few = git_commands(sound, tmp_path / "trace", deep=False)
    for number in range(200):
        sound.write(f"memory/notes/{number}.md", "# Note\n\n- A thing.\n")
    sound.commit_all("many")
    assert git_commands(sound, tmp_path / "trace", deep=False) == few


def test_a_file_is_read_once_for_all_checks(sound: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    sound.write("memory/long.md", "- A line that nobody needs to know.\n" * 100)
    sound.commit_all("long")
    opened: Counter[str] = Counter()

    def counting(opens: Callable[..., object]) -> Callable[..., object]:
        def counted(file: str | Path | int, *args: object, **options: object) -> object:
            opened[Path(str(file)).name] += 1
            return opens(file, *args, **options)

        return counted

    for module, name in ((os, "open"), (io, "open"), (builtins, "open"), (finding, "FileIO")):
        monkeypatch.setattr(module, name, counting(getattr(module, name)))
    examined(sound)
    assert opened["long.md"] == 1


def test_examining_changes_no_file_and_no_history(sound: Git) -> None:
    sound.write("memory/2026-02-14.md", "- Uncommitted.\n")
    before = (sound.head(), sound.status(), sound("count-objects"))
    examined(sound)
    assert (sound.head(), sound.status(), sound("count-objects")) == before


def test_every_problem_names_a_next_step(sound: Git) -> None:
    sound.write("MEMORY.md", "- Both. #event #skill\n\n<<<<<<< a\n=======\n>>>>>>> b\n")
    sound.write("CONFIG.md", "```yaml\nno_such_key: 1\n```\n")
    sound.write(".gitignore", "")
    sound.write("SOUL.md", "x" * 20_001)
    report = examined(sound)
    assert len(problems(report)) == 5
    assert [check.name for check in report.checks if not check.ok and not check.fix] == []


def test_comments_are_a_note(sound: Git) -> None:
    assert found(sound, "comments").fix == ""
    sound.write(
        "memory/a.md", "- oats <!-- ask Bo -->\n- tea <!-- importance: 7 -->\n[//]: # (x)\n"
    )
    sound.write("skills/oats/SKILL.md", "Cook. <!-- ask Bo -->\n")
    seen = found(sound, "comments")
    assert (seen.ok, seen.fix.endswith("`git grep -n '<!--'`")) == (True, True)
    assert seen.detail.endswith(
        "2 comments that a rendered page does not show: memory/a.md:1; memory/a.md:3"
    )


def test_each_check_is_announced_before_it_runs(sound: Git) -> None:
    heard: list[str] = []
    doctor(sound.root, asker(), begun=heard.append)
    assert heard == [*checks_of(deep=False)]


# where it stands


def test_a_folder_without_a_repository_is_told_how_to_begin(tmp_path: Path) -> None:
    report = doctor(tmp_path, asker())
    assert [(check.name, check.ok) for check in report.checks] == [
        ("git", True),
        ("repository", False),
    ]
    assert "clawgit init" in report.checks[1].fix


def test_a_repository_that_is_no_workspace_is_told_how_to_become_one(git: Git) -> None:
    report = examined(git)
    assert problems(report) == {
        "workspace": f"{git.root} is a git repository, but not a clawgit workspace"
    }
    assert report.checks[-1].fix == f"clawgit init '{git.root}'"
    assert not (git.root / ".git" / "clawgit").exists()


def test_a_bare_repository_is_refused_with_a_reason(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "bare.git")], check=True)
    report = doctor(tmp_path / "bare.git", asker())
    assert "without a work tree" in problems(report)["repository"]


def test_a_repository_made_bare_is_refused(sound: Git) -> None:
    sound("config", "core.bare", "true")
    assert "repository" in problems(examined(sound))


def test_a_sha256_repository_is_named(tmp_path: Path) -> None:
    subprocess.run(
        ["git", "init", "-q", "--object-format=sha256", str(tmp_path / "new")], check=True
    )
    assert "sha256" in problems(doctor(tmp_path / "new", asker()))["repository"]


def test_a_partial_clone_is_named(sound: Git) -> None:
    sound("config", "core.repositoryformatversion", "1")
    sound("config", "extensions.partialclone", "origin")
    assert "partial clone" in problems(examined(sound))["repository"]


def test_a_reftable_is_named(sound: Git) -> None:
    sound("config", "core.repositoryformatversion", "1")
    sound("config", "extensions.refstorage", "reftable")
    report = examined(sound)
    assert "reftable" in problems(report)["repository"]
    assert "git refs migrate" in report.checks[-1].fix


def test_a_shallow_clone_is_a_note(sound: Git, tmp_path: Path) -> None:
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", sound.root.as_uri(), str(tmp_path / "shallow")],
        check=True,
    )
    check = found(Git(tmp_path / "shallow"), "repository")
    assert (check.ok, check.fix) == (True, "`git fetch --unshallow` brings it.")


def test_a_linked_worktree_is_examined_as_one(sound: Git, tmp_path: Path) -> None:
    sound("worktree", "add", "-q", str(tmp_path / "linked"))
    report = examined(Git(tmp_path / "linked"))
    assert problems(report) == {}
    assert "the linked worktree linked" in {check.detail for check in report.checks}


def test_a_repository_of_another_user_is_told_about_safe_directory(sound: Git) -> None:
    report = examined(sound, GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
    assert [*problems(report)] == ["owner"]
    assert "safe.directory" in report.checks[-1].fix


# git


def test_git_that_is_missing_ends_the_examination(sound: Git, tmp_path: Path) -> None:
    report = doctor(sound.root, Caller(OPERATOR, {"PATH": str(tmp_path)}, NOW, tmp_path))
    assert problems(report) == {"git": "git is not installed, or not on PATH."}
    assert len(report.checks) == 1


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo 'You have not agreed to the Xcode license.' >&2; exit 69", "Xcode license"),
        ("exit 0", "not git"),
        ("echo hello", "hello"),
    ],
)
def test_a_program_that_is_only_called_git_ends_the_examination(
    script: str, told: str, sound: Git, tmp_path: Path
) -> None:
    """As on a Mac without its command line tools."""
    false = tmp_path / "bin" / "git"
    false.parent.mkdir()
    false.write_text(f"#!/bin/sh\n{script}\n")
    false.chmod(0o755)
    report = examined(sound, PATH=f"{false.parent}:{os.environ['PATH']}")
    assert [*problems(report)] == ["git"]
    assert told in problems(report)["git"]
    assert len(report.checks) == 1


def test_git_that_is_too_old_is_a_problem(sound: Git, tmp_path: Path) -> None:
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo git version 2.17.1 && exit\nexec /usr/bin/env -i '
        'git "$@"\n'
    )
    old.chmod(0o755)
    assert (
        problems(examined(sound, PATH=f"{old.parent}:{os.environ['PATH']}"))["git"]
        == "git version 2.17.1"
    )


def object_file(git: Git, name: str) -> Path:
    oid = git("rev-parse", name).strip()
    return git.root / ".git" / "objects" / oid[:2] / oid[2:]


def lose(git: Git, name: str) -> Path:
    file = object_file(git, name)
    file.unlink()
    return file


def rot(git: Git, name: str) -> Path:
    file = object_file(git, name)
    file.chmod(0o644)
    file.write_bytes(bytes(file.stat().st_size))
    return file


@pytest.mark.parametrize("harm", [lose, rot])
@pytest.mark.parametrize("name", ["HEAD:SOUL.md", "HEAD^{tree}"])
def test_what_lies_on_disk_is_rebuilt(
    sound: Git, harm: Callable[[Git, str], Path], name: str
) -> None:
    file = harm(sound, name)
    assert "missing or damaged" in found(sound, "objects", deep=True).detail
    report = examined(sound, fix=True)
    assert report.ok, problems(report)
    sound("fsck", "--strict")
    aside = sound.root / ".git/clawgit/damaged" / (file.parent.name + file.name)
    assert aside.exists() == (harm is rot)


def test_what_is_on_no_file_is_named_with_the_places_that_have_it(
    sound: Git, tmp_path: Path
) -> None:
    sound.write("SOUL.md", "# Soul\n\nAnother one.\n")
    sound.commit_all("changed")
    lose(sound, "HEAD~1:SOUL.md")
    check = next(one for one in examined(sound, fix=True).checks if one.name == "objects")
    assert (check.ok, "gone for good" in check.fix, "SOUL.md as of" in check.detail) == (
        False,
        True,
        True,
    )
    sound("config", "remote.old.url", str(tmp_path / "nowhere"))
    assert "gone for good" in found(sound, "objects", deep=True).fix


def test_a_remote_that_has_it_is_named(sound: Git, tmp_path: Path) -> None:
    sound.write("SOUL.md", "# Soul\n\nAnother one.\n")
    sound.commit_all("changed")
    sound("clone", "-q", "--no-hardlinks", str(sound.root), str(tmp_path / "clone"))
    sound("remote", "add", "origin", str(tmp_path / "clone"))
    lose(sound, "HEAD~1:SOUL.md")
    fix = found(sound, "objects", deep=True).fix
    assert "git fetch --refetch origin" in fix
    assert "gone for good" not in fix
    sound("fetch", "-q", "--refetch", "origin")
    assert found(sound, "objects", deep=True).ok


def test_a_backup_that_has_it_is_named(sound: Git, tmp_path: Path) -> None:
    sound.write("SOUL.md", "# Soul\n\nAnother one.\n")
    sound.commit_all("changed")
    file = tmp_path / "kept.backup"
    place = repo_at(sound.root)
    assert place is not None
    with closing(Workspace(place, asker())) as workspace:
        back_up(workspace, file)
    lose(sound, "HEAD~1:SOUL.md")
    assert f"clawgit backup restore '{file}'" in found(sound, "objects", deep=True).fix
    file.unlink()
    assert "gone for good" in found(sound, "objects", deep=True).fix


@pytest.mark.parametrize("text", ["", "garbage", "ref: refs/heads/../x"])
def test_a_damaged_head_is_mended_where_there_is_one_branch(sound: Git, text: str) -> None:
    before = sound.head()
    (sound.root / ".git/HEAD").write_text(text)
    assert examined(sound, fix=True).ok
    assert (sound.head(), sound("symbolic-ref", "HEAD").strip()) == (before, "refs/heads/main")


def test_a_corrupt_object_is_found(sound: Git) -> None:
    oid = sound("rev-parse", "HEAD:SOUL.md").strip()
    blob = sound.root / ".git" / "objects" / oid[:2] / oid[2:]
    blob.chmod(0o644)
    blob.write_bytes(b"rotten")
    check = found(sound, "objects", deep=True)
    assert not check.ok
    assert oid[:10] in check.detail
    assert "delete" not in check.fix


def test_where_objects_stay_lost_nothing_else_is_mended(sound: Git) -> None:
    sound.write(".gitignore", "")
    lose(sound, "HEAD:SOUL.md")
    sound.write("SOUL.md", "# Soul\n\nNew.\n")
    report = examined(sound, fix=True)
    assert [*problems(report)] == ["objects", "ignored"]
    assert all("lost object" in what for what in report.mended)


def test_a_repository_that_git_itself_does_not_know_is_told_where_to_look(sound: Git) -> None:
    (sound.root / ".git" / "HEAD").write_text("garbage\n")
    report = examined(sound)
    assert "not a git repository" in problems(report)["owner"]
    assert "HEAD" in report.checks[-1].fix


def test_a_missing_object_is_found(sound: Git) -> None:
    oid = sound("rev-parse", "HEAD:SOUL.md").strip()
    (sound.root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    assert oid in found(sound, "objects").detail


def test_an_older_commit_that_is_missing_is_found(sound: Git) -> None:
    for n in range(3):
        sound.write("SOUL.md", f"# Soul {n}\n")
        sound.commit_all(f"change {n}")
    # The graph still knows the commit.
    sound("commit-graph", "write", "--reachable")
    detail = found(sound, "objects").detail
    assert detail.endswith("none is missing; the newest is whole")
    oid = sound("rev-parse", "HEAD~2").strip()
    (sound.root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    check = found(sound, "objects")
    assert (check.ok, oid in check.detail) == (False, True)


def test_an_unborn_branch_is_a_note(git: Git) -> None:
    git.write("CONFIG.md", "")
    check = found(git, "head")
    assert (check.ok, check.detail) == (True, "on main, which has no commit yet")
    assert check.fix


def test_a_detached_head_is_a_note(sound: Git) -> None:
    sound("checkout", "-q", "--detach")
    check = found(sound, "head")
    assert check.ok
    assert check.detail.startswith(f"detached at {sound.head()[:10]}")


def test_a_branch_that_names_nothing_is_a_problem(sound: Git) -> None:
    (sound.root / ".git" / "refs" / "heads" / "main").write_text("1" * 40 + "\n")
    before = sound("rev-parse", "main@{0}").strip()
    assert found(sound, "head").detail == "main cannot be read"
    examined(sound, fix=True)
    assert sound.head() == before


def test_a_clone_without_the_merge_driver_is_found_and_mended(sound: Git, tmp_path: Path) -> None:
    sound("clone", "-q", str(sound.root), str(tmp_path / "clone"))
    clone = Git(tmp_path / "clone")
    assert "as in every new clone" in found(clone, "merging").detail
    assert "have plain git merge memory by entries" in examined(clone, fix=True).mended
    assert found(clone, "merging").ok


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("config", "git's setting merge.clawgit.driver"),
        ("info/attributes", "the lines in info/attributes"),
        ("clawgit/merge-driver", "the script merge-driver"),
    ],
)
def test_a_merge_driver_that_was_changed_is_found_and_mended(
    sound: Git, file: str, what: str
) -> None:
    changed = sound.root / ".git" / file
    text = changed.read_text()
    changed.write_text("".join(line for line in text.splitlines(True) if "merge" not in line))
    assert what in found(sound, "merging").detail
    assert problems(examined(sound, fix=True)) == {}
    assert changed.read_text() == text


def test_an_unfinished_merge_is_a_problem_until_it_is_over(sound: Git) -> None:
    diverge(sound)
    sound("merge", "-q", "side", ok=False)
    report = examined(sound)
    assert problems(report)["unfinished"].startswith(
        "git is in the middle of a merge; in conflict: SOUL.md"
    )
    assert "SOUL.md" in problems(report)["merge marks"]
    sound("merge", "--abort")
    assert problems(examined(sound)) == {}


def diverge(git: Git) -> None:
    git("switch", "-q", "-c", "side")
    git.write("SOUL.md", "# Soul\n\n- Theirs.\n")
    git.commit_all("theirs")
    git("switch", "-q", "main")
    git.write("SOUL.md", "# Soul\n\n- Ours.\n")
    git.commit_all("ours")


def test_a_machine_without_a_git_user_gets_a_note(sound: Git) -> None:
    for level in ("--global", "--local"):
        sound("config", level, "--unset", "user.email")
    report = examined(sound)
    assert report.ok
    assert notes(report) == {"user": "user.email not set: your commits have clawgit's name"}


def test_many_loose_objects_are_a_note_and_are_packed(sound: Git) -> None:
    """Git guesses their number from those whose names begin with 17."""
    texts = (text for text in map("{}\n".format, count()) if blob_id(text).startswith("17"))
    for number, text in enumerate(islice(texts, 3)):
        sound.write(f"memory/{number}.md", text)
    sound.commit_all("loose")
    assert notes(examined(sound)) == {}
    sound("config", "gc.auto", "2")
    assert "git gets slower" in notes(examined(sound))["packing"]
    assert examined(sound, fix=True, dry_run=True).mended == ("pack loose objects (git gc --auto)",)
    assert examined(sound, fix=True).mended == ("pack loose objects (git gc --auto)",)
    assert found(sound, "packing").detail == "0 loose objects, 1 pack"


def blob_id(text: str) -> str:
    return hashlib.sha1(f"blob {len(text)}\0{text}".encode(), usedforsecurity=False).hexdigest()


@pytest.mark.parametrize(
    ("free", "total", "ok", "noted"),
    [
        (100_000_000, 1_000_000_000, False, True),
        (300_000_000, 100_000_000_000, True, True),
        (300_000_000, 1_000_000_000, True, False),
    ],
)
def test_little_room_is_a_problem_or_a_note(free: int, total: int, ok: bool, noted: bool) -> None:
    finding = disk_finding(free, total)
    assert (finding.ok, bool(finding.fix)) == (ok, noted)


# what an interrupted process leaves


class Killed(BaseException):
    """Stands for kill -9: nothing of ours may catch it."""


def cut_off(git: Git, open_store: Callable[..., GitStore], at: str) -> None:
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


def test_a_transaction_that_was_cut_off_is_finished(
    sound: Git, open_store: Callable[..., GitStore]
) -> None:
    cut_off(sound, open_store, "journaled")
    assert [*problems(examined(sound))] == ["leftovers"]
    report = examined(sound, fix=True)
    assert report.mended == ("finish what was cut off (a transaction was cut off)",)
    assert problems(report) == {}
    assert "Be brave" in sound("show", "HEAD:SOUL.md")
    assert problems(examined(sound)) == {}


def test_a_dry_run_of_fix_says_what_it_would_do_and_does_nothing(
    sound: Git, open_store: Callable[..., GitStore]
) -> None:
    cut_off(sound, open_store, "journaled")
    head = sound.head()
    report = examined(sound, fix=True, dry_run=True)
    assert report.mended == ("finish what was cut off (a transaction was cut off)",)
    assert [*problems(report)] == ["leftovers"]
    assert sound.head() == head


def test_a_parked_change_waits_for_the_merge_and_is_applied_after_it(
    sound: Git, open_store: Callable[..., GitStore]
) -> None:
    diverge(sound)
    sound("merge", "-q", "side", ok=False)
    store = open_store(sound.root)
    with store.transaction(intent(), NOW, parkable=True) as tx:
        tx.put("memory/2026-02-14.md", "- Parked.\n")
    assert tx.outcome.parked
    check = found(sound, "leftovers")
    assert (check.ok, check.detail) == (True, "1 change parked. Git is in the middle of a merge")
    sound("merge", "--abort")
    assert found(sound, "leftovers").detail == "1 change parked"
    assert problems(examined(sound, fix=True)) == {}
    assert sound("show", "HEAD:memory/2026-02-14.md") == "- Parked.\n"


def test_a_change_in_progress_is_no_leftover(
    sound: Git, open_store: Callable[..., GitStore]
) -> None:
    cut_off(sound, open_store, "journaled")
    with workspace_lock(sound.root / ".git" / "clawgit" / "lock", "snapshot", 1):
        report = examined(sound)
    assert problems(report) == {}
    assert notes(report)["leftovers"].endswith("is working")
    assert "(snapshot, since" in notes(report)["workspace lock"]


JOURNAL = '{"refs":{},"heads":{},"trees":%s,"became":{"commits":{},"blobs":[]}}'


def journal(git: Git, text: str) -> Path:
    file = git.root / ".git/clawgit/rewrite.json"
    file.write_text(text)
    return file


def test_a_rewrite_of_history_that_was_cut_off_is_finished(sound: Git) -> None:
    examined(sound)
    file = journal(sound, JOURNAL % "{}")
    assert problems(examined(sound)) == {"rewrite": "a rewrite of history was cut off"}
    report = examined(sound, fix=True)
    assert report.mended == ("finish what was cut off (a rewrite of history was cut off)",)
    assert problems(report) == {}
    assert not file.exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [("{", "cannot be read"), (JOURNAL % '{"/": ["", ""]}', "not of this repository: /")],
    ids=["cut off", "forged"],
)
def test_a_journal_of_a_rewrite_that_is_none_is_named_with_what_to_do(
    sound: Git, text: str, why: str
) -> None:
    file = journal(sound, text)
    [(name, detail)] = problems(examined(sound)).items()
    assert (name, why in detail) == ("rewrite", True)
    assert f"mv '{file}' '{file}.aside'" in found(sound, "rewrite").fix
    file.rename(f"{file}.aside")
    assert problems(examined(sound)) == {}


def test_a_rewrite_of_history_in_progress_is_no_problem(sound: Git) -> None:
    journal(sound, "{")
    with workspace_lock(sound.root / ".git/clawgit/lock", "forget", 1):
        assert notes(examined(sound))["rewrite"].endswith("is working")


def index_lock(git: Git, text: str) -> Path:
    lock = git.root / ".git" / "index.lock"
    lock.write_text(text)
    os.utime(lock, (NOW.timestamp() - 7300, NOW.timestamp() - 7300))
    return lock


def own_lock(git: Git) -> Path:
    lock = git.root / ".git" / "index.lock"
    lock.symlink_to("clawgit 4711 0000")
    os.utime(lock, (NOW.timestamp() - 7300, NOW.timestamp() - 7300), follow_symlinks=False)
    return lock


def test_a_stale_index_lock_of_ours_is_removed(sound: Git) -> None:
    lock = own_lock(sound)
    report = examined(sound)
    assert problems(report) == {
        "git locks": ".git/index.lock, 2 hours old, clawgit's own, and no clawgit is running"
    }
    assert lock.is_symlink()
    report = examined(sound, fix=True)
    assert report.ok
    assert not lock.is_symlink()


def test_a_lock_of_ours_that_is_in_use_is_left_alone(sound: Git) -> None:
    lock = own_lock(sound)
    with workspace_lock(sound.root / ".git" / "clawgit" / "lock", "snapshot", 1):
        report = examined(sound, fix=True)
    assert report.mended == ()
    assert lock.is_symlink()
    assert "held by process" in notes(report)["git locks"]


def test_a_foreign_lock_is_never_removed_nor_its_deletion_advised(sound: Git) -> None:
    lock = index_lock(sound, "")
    os.utime(lock)  # a minute old: its holder may be on another machine
    report = examined(sound, fix=True)
    check = next(check for check in report.checks if check.name == "git locks")
    assert not check.ok
    assert lock.exists()
    assert report.mended == ()
    assert f"mv '{lock}'" in check.fix
    assert "rm " not in check.fix


def test_a_foreign_lock_that_is_proved_dead_is_taken_and_kept(sound: Git) -> None:
    lock = index_lock(sound, "somebody staged this")
    assert "doctor --fix" in found(sound, "git locks").fix
    with lock.open("rb"):
        assert examined(sound, fix=True).mended == ()
    assert examined(sound, fix=True).ok
    assert not lock.exists()
    kept = sound.root / ".git/clawgit/damaged/index.lock"
    assert kept.read_text() == "somebody staged this"


def test_a_dead_lock_is_taken_in_a_damaged_repository_too(sound: Git) -> None:
    lock = index_lock(sound, "")
    sound.write("SOUL.md", "# Soul\n\nNew.\n")
    lose(sound, "HEAD:SOUL.md")
    examined(sound, fix=True)
    assert not lock.exists()


@pytest.mark.parametrize(
    "name", ["HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/side.lock"]
)
def test_every_kind_of_lock_is_found(sound: Git, name: str) -> None:
    (sound.root / ".git" / name).write_text("")
    assert f".git/{name}" in found(sound, "git locks").detail


def test_a_stale_lock_on_our_own_reference_is_removed(sound: Git) -> None:
    lock = sound.root / ".git" / "refs" / "clawgit" / "tx" / "main.lock"
    lock.parent.mkdir(parents=True)
    lock.write_text("")
    assert examined(sound, fix=True).mended == ("remove our own stale main.lock",)
    assert not lock.exists()


def test_a_lock_that_a_process_has_open_is_told_where_the_system_shows_it(sound: Git) -> None:
    lock = index_lock(sound, "")
    with lock.open("rb"):
        holder, check = user_of(lock, sound.root), found(sound, "git locks")
    shown = Path("/proc").is_dir()
    assert holder == (f"process {os.getpid()}" if shown else None)
    assert check.ok == shown
    assert user_of(lock, sound.root) is None


def test_a_git_that_has_ended_and_was_not_waited_for_holds_no_lock(sound: Git) -> None:
    lock = index_lock(sound, "")
    ended = subprocess.Popen(["git", "--version"], cwd=sound.root, stdout=subprocess.DEVNULL)
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    assert user_of(lock, sound.root) is None
    ended.wait()


# files


def test_an_entry_with_two_primary_tags_is_found(sound: Git) -> None:
    sound.write("memory/2026-02-13.md", "# Day\n\n- Both. #event #decision\n")
    check = found(sound, "entries")
    assert not check.ok
    assert check.detail.startswith("memory/2026-02-13.md:3: ")


def test_tags_outside_memory_are_nobodys_business(sound: Git) -> None:
    sound.write("NOTES.md", "- Both. #event #decision\n")
    assert found(sound, "entries").ok


def test_a_file_that_is_not_utf8_is_found(sound: Git) -> None:
    (sound.root / "MEMORY.md").write_bytes(b"- Caf\xe9.\n")
    check = found(sound, "entries")
    assert check.detail == "MEMORY.md is not UTF-8 (byte 5)"
    assert "iconv" in check.fix


def test_a_note_with_a_zero_byte_is_named_since_no_search_reads_it(sound: Git) -> None:
    note = sound.root / "memory" / "kilns.md"
    note.parent.mkdir(exist_ok=True)
    note.write_bytes(b"# Kilns\n\n- The kiln is \0 hot.\n")
    check = found(sound, "entries")
    assert not check.ok
    assert check.detail == "memory/kilns.md is not searched: it has a zero byte (byte 23)"
    subprocess.run(["bash", "-c", check.fix.partition(": ")[2]], cwd=sound.root, check=True)
    assert note.read_text() == "# Kilns\n\n- The kiln is  hot.\n"
    assert found(sound, "entries").ok
    note.write_text("# Öfen\n", encoding="utf-16")
    assert "not searched" not in found(sound, "entries").detail, "UTF-16 is"


def test_an_injected_file_over_20_000_characters_is_found(sound: Git) -> None:
    sound.write("AGENTS.md", "ä" * 20_000)
    assert found(sound, "sizes").ok
    sound.write("AGENTS.md", "ä" * 20_001)
    assert "AGENTS.md has 20,001 characters" in found(sound, "sizes").detail


def test_injected_files_that_are_too_much_together_are_found(sound: Git) -> None:
    for name in ("AGENTS", "SOUL", "TOOLS", "IDENTITY", "USER", "HEARTBEAT", "BOOTSTRAP", "MEMORY"):
        sound.write(f"{name}.md", "x" * 9_000)
    check = found(sound, "sizes")
    assert (
        check.detail
        == "the injected files have 72,000 characters together; OpenClaw cuts beyond 60,000"
    )


def test_the_newest_openclaw_injects_less(sound: Git) -> None:
    database = (
        Path(os.environ["HOME"])
        / ".openclaw"
        / "agents"
        / "main"
        / "agent"
        / "openclaw-agent.sqlite"
    )
    database.parent.mkdir(parents=True)
    with sqlite3.connect(database) as db:
        db.execute("PRAGMA user_version = 4")
    for name in ("AGENTS", "SOUL", "TOOLS", "USER"):
        sound.write(f"{name}.md", "x" * 9_000)
    assert "OpenClaw cuts beyond 60,000" in found(sound, "sizes").detail


def test_a_file_over_2_mib_is_found(sound: Git) -> None:
    sound.write("memory/huge.md", "x" * (2 * 1024 * 1024 + 1))
    assert "memory/huge.md has 2.0 MiB" in found(sound, "sizes").detail


def test_a_hard_link_and_a_symlink_are_found(sound: Git, tmp_path: Path) -> None:
    os.link(sound.root / "MEMORY.md", tmp_path / "other-name")
    assert (
        found(sound, "links").detail
        == "MEMORY.md is a hard link (2 names, one of them outside of here)"
    )
    (tmp_path / "other-name").unlink()
    (sound.root / "memory" / "link.md").symlink_to("2026-02-13.md")
    assert found(sound, "links").detail == "memory/link.md is a symlink"


def test_a_second_name_of_a_file_is_right_for_agents_that_follow_it(tmp_path: Path) -> None:
    git = Git(tmp_path / "bakery")
    git.write("CLAUDE.md", "# Use tabs\n")
    (git.root / "AGENTS.md").symlink_to("CLAUDE.md")
    setup.init(git.root, asker())
    assert found(git, "links").ok
    (git.root / "CLAUDE.local.md").symlink_to(tmp_path / "elsewhere.md")
    assert found(git, "links").detail == "CLAUDE.local.md is a symlink"


def test_a_read_only_file_is_found(sound: Git) -> None:
    (sound.root / "SOUL.md").chmod(0o444)
    check = found(sound, "rights")
    assert (check.ok, check.detail) == (False, "read-only: SOUL.md")


def test_what_gitignore_lacks_is_added_by_a_commit(sound: Git) -> None:
    sound.write(".gitignore", "*.tmp\nmine")
    sound.commit_all("less")
    sound.write("memory/2026-02-14.md", "- Uncommitted.\n")
    assert problems(examined(sound)) == {
        "ignored": "not ignored: *.lock .openclaw/ memory/.dreams/"
    }
    report = examined(sound, fix=True)
    assert report.ok
    assert (report.changed, report.commit) == ((".gitignore",), sound.head())
    assert (
        sound.root / ".gitignore"
    ).read_text() == "*.tmp\nmine\n*.lock\n.openclaw/\nmemory/.dreams/\n"
    assert sound.status() == "?? memory/2026-02-14.md\n"


def test_memory_that_git_ignores_is_a_problem(sound: Git) -> None:
    sound.write(".gitignore", IGNORE + "memory/\n")
    check = found(sound, "ignored")
    assert not check.ok
    assert check.detail.startswith("git ignores memory/2026-01-01.md (.gitignore:5:memory/)")


def test_what_a_committed_gitignore_hides_was_decided_and_is_a_note(sound: Git) -> None:
    sound.write(".gitignore", IGNORE + "memory/new*\nTOOLS.md\n")
    sound.commit_all("private")
    sound.write("memory/new.md", "- Mine.\n")
    report = examined(sound)
    assert report.ok
    assert "TOOLS.md" in notes(report)["ignored"]
    assert "memory/new.md" in notes(report)["excluded"]


def test_what_is_out_of_scope_is_no_matter_of_doctors(sound: Git) -> None:
    """Links and rights in a virtual environment, a program's folder, skills."""
    (sound.root / "skills").mkdir()
    (sound.root / "skills" / "shared").symlink_to(sound.root / "memory")
    (sound.root / "run.md.sh").symlink_to("SOUL.md")
    python = sound.write(".venv/lib/README.md", "# A package\n")
    os.link(python, python.with_name("other.md"))
    python.chmod(0o444)
    sound.write("run.sh", "true\n").chmod(0o444)
    assert problems(examined(sound)) == {}
    assert notes(examined(sound)) == {}


def test_the_bootstrap_ritual_that_comes_back_is_a_note(sound: Git) -> None:
    assert found(sound, "bootstrap").detail == "there is none"
    sound.write("BOOTSTRAP.md", "# Hello\n")
    assert found(sound, "bootstrap").fix == ""
    sound.commit_all("begin")
    sound("rm", "-q", "BOOTSTRAP.md")
    sound.commit_all("the ritual is over")
    assert found(sound, "bootstrap").detail == "there is none"
    sound.write("BOOTSTRAP.md", "# Hello again\n")
    assert "BOOTSTRAP.md is back" in notes(examined(sound))["bootstrap"]


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
    assert [*problems(examined(sound))] == ["nested"]
    assert examined(sound, fix=True).ok
    assert sound.status() == ""
    assert examined(sound).ok


def test_a_workspace_hides_itself_from_the_repository_around_it(sound: Git) -> None:
    inner = nested(sound, "second")
    put_driver_in(inner)
    assert [*problems(examined(inner))] == ["outer"]
    assert examined(inner, fix=True).ok
    assert sound.status() == ""
    assert examined(sound).ok


def test_files_of_an_inner_repository_that_the_outer_one_tracks_are_found(sound: Git) -> None:
    sound.write("second/MEMORY.md", "- Mine.\n")
    sound.commit_all("swallowed")
    inner = nested(sound, "second")
    assert (
        problems(examined(sound))["nested"] == "a repository of its own, yet tracked here: second"
    )
    assert "tracks files of this workspace" in problems(examined(inner))["outer"]
    assert "git rm -r --cached" in found(sound, "nested").fix


def test_a_repository_that_was_added_as_a_link_is_found(sound: Git) -> None:
    nested(sound, "second")
    sound("add", "second")
    assert "tracked here: second" in problems(examined(sound))["nested"]


def test_the_empty_folder_of_a_link_is_no_problem(sound: Git) -> None:
    sound("update-index", "--add", "--cacheinfo", f"160000,{sound.head()},second")
    (sound.root / "second").mkdir()
    assert found(sound, "nested").ok


def test_a_true_submodule_is_in_order(sound: Git, tmp_path: Path) -> None:
    Git(tmp_path)("clone", "-q", str(sound.root), "skill")
    sound("submodule", "--quiet", "add", str(tmp_path / "skill"), "skills/one")
    assert found(sound, "nested").ok
    assert found(Git(sound.root / "skills" / "one"), "outer").ok


# state, index, config, OpenClaw


def test_config_with_an_unknown_key_is_found(sound: Git) -> None:
    sound.write("CONFIG.md", "# Config\n\n```yaml\nidentity_token: 1\n```\n")
    check = found(sound, "config")
    assert not check.ok
    assert check.detail.startswith("CONFIG.md:4: ")


def test_a_file_system_that_cannot_exchange_is_a_note() -> None:
    assert exchange_finding(atomic=True).fix == ""
    finding = exchange_finding(atomic=False)
    assert finding.ok
    assert "could be missed" in finding.detail


@contextmanager
def opened_state(git: Git) -> Iterator[Path]:
    place, caller = repo_at(git.root), asker()
    assert place is not None
    with repository_state(place, caller.env, caller.home, NOW) as state:
        state.acknowledge("kkkkllll")
    yield state_file(place)


def spoil(database: Path) -> None:
    """Overwrites a page of the table, which the header does not show."""
    with sqlite3.connect(database) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    for tail in ("-wal", "-shm"):
        database.with_name(database.name + tail).unlink(missing_ok=True)
    data = bytearray(database.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    database.write_bytes(data)


def test_a_damaged_state_is_kept_aside_and_brought_back_from_its_copy(sound: Git) -> None:
    with opened_state(sound) as path:
        assert "its copy is" in found(sound, "state").detail
        spoil(path)
    assert [*problems(examined(sound))] == ["state"]
    assert examined(sound, fix=True).ok
    assert list(path.parent.glob("state.broken-*"))
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT alert FROM acknowledged").fetchall() == [("kkkkllll",)]
    db.close()


def test_a_state_that_is_gone_is_brought_back_from_its_copy(sound: Git) -> None:
    with opened_state(sound) as path:
        for file in path.parent.glob("state.db*"):
            file.unlink()
    assert problems(examined(sound))["state"].startswith("state.db is gone; its copy is ")
    assert examined(sound, fix=True).ok
    assert path.exists()


def test_a_state_that_others_can_read_is_closed(sound: Git) -> None:
    with opened_state(sound) as path:
        [copy] = Path(os.environ["HOME"]).glob(".local/state/clawgit/*/state.db")
        for file in (path, copy):
            file.chmod(0o644)
    assert problems(examined(sound))["state"].startswith("permissions are not 0600: ")
    assert examined(sound, fix=True).ok
    assert {file.stat().st_mode & 0o777 for file in (path, copy)} == {0o600}


@pytest.mark.parametrize("name", ["state.db", "index.db"])
def test_a_folder_in_the_place_of_a_database_is_cleared_away(sound: Git, name: str) -> None:
    with opened_state(sound) as path:
        pass
    (path.with_name("index.db")).touch()
    path.with_name(name).unlink()
    path.with_name(name).mkdir()
    (path.with_name(name) / "note.txt").write_text("somebody's")
    assert [*problems(examined(sound))] == [name.removesuffix(".db")]
    assert examined(sound, fix=True).ok
    [kept] = path.parent.rglob("note.txt")
    assert kept.read_text() == "somebody's"


def test_the_copy_of_another_history_is_not_offered(sound: Git) -> None:
    with opened_state(sound) as path:
        for file in path.parent.glob("state.db*"):
            file.unlink()
    rmtree(sound.root / ".git/refs/heads")
    (sound.root / ".git/refs/heads").mkdir()
    rmtree(sound.root / ".git/objects")
    (sound.root / ".git/index").unlink()  # it holds blobs as known that are gone
    sound("init", "-q")
    sound.commit_all("another beginning")
    assert found(sound, "state").detail == "nothing to remember yet"


def test_a_state_of_another_version_is_left_alone(sound: Git) -> None:
    with opened_state(sound) as path, sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    report = examined(sound, fix=True)
    assert problems(report) == {"state": "state.db was written by another version of clawgit"}
    assert report.mended == ()


def test_a_corrupt_index_is_built_anew(sound: Git) -> None:
    index = sound.root / ".git" / "clawgit" / "index.db"
    index.parent.mkdir(exist_ok=True)
    index.write_bytes(b"not a database" * 1000)
    assert [*problems(examined(sound))] == ["index"]
    assert examined(sound, fix=True).mended == ("rebuild index.db",)
    assert found(sound, "index").detail == "index.db is sound"


def test_an_index_with_a_torn_schema_is_built_anew(sound: Git) -> None:
    """SQLite quotes the schema in its message, which Python cannot decode."""
    index = sound.root / ".git" / "clawgit" / "index.db"
    index.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(index)) as db:
        db.execute("CREATE TABLE shared (id INTEGER)")
    index.write_bytes(index.read_bytes().replace(b"CREATE TABLE", b"CREATE TA\xa5LE"))
    assert [*problems(examined(sound))] == ["index"]
    assert examined(sound, fix=True).mended == ("rebuild index.db",)
    assert found(sound, "index").detail == "index.db is sound"


def test_the_openclaw_of_this_user_is_told(sound: Git) -> None:
    assert found(sound, "openclaw").detail == "none found"
    state = Path(os.environ["HOME"]) / ".openclaw"
    state.mkdir()
    (state / "openclaw.json").write_text(f'{{agents: {{defaults: {{workspace: "{sound.root}"}}}}}}')
    assert "agent main lives here" in found(sound, "openclaw").detail


def test_a_check_that_cannot_look_says_so(sound: Git) -> None:
    rmtree(sound.root / ".git" / "clawgit")
    (sound.root / ".git" / "clawgit").write_text("a file in the way")
    check = found(sound, "exchange")
    assert not check.ok
    assert check.fix


def test_a_site_asks_git_once(sound: Git) -> None:
    place = repo_at(sound.root)
    assert place is not None
    site = Site(Workspace(place, asker()))
    assert site.files == (".gitignore", "CONFIG.md", "MEMORY.md", "SOUL.md", "memory/2026-02-13.md")
    sound.write("NEW.md", "")
    assert "NEW.md" not in site.files
    assert "NEW.md" in site.fresh().files


def damage_index(git: Git) -> None:
    index = git.root / ".git/index"
    index.write_bytes(index.read_bytes()[:-1] + b"!")


def test_what_only_a_damaged_index_had_staged_is_kept(sound: Git) -> None:
    sound.write("draft.txt", "staged\n")
    sound("add", "draft.txt")
    sound.write("draft.txt", "edited since\n")
    damage_index(sound)
    damaged = (sound.root / ".git/index").read_bytes()
    assert [*problems(examined(sound))] == ["staging"]
    assert problems(examined(sound, fix=True)) == {}
    [aside] = (sound.root / ".git/clawgit/damaged").iterdir()
    kept = {file.name.partition("-")[2]: file.read_bytes() for file in aside.iterdir()}
    assert kept == {"": damaged, "draft.txt": b"staged\n"}
    assert (sound.root / "draft.txt").read_text() == "edited since\n"


def test_a_damaged_index_of_a_sparse_checkout_is_rebuilt_without_deletions(sound: Git) -> None:
    sound("sparse-checkout", "set", "--no-cone", "/*", "!/memory/")
    assert not (sound.root / "memory").exists()
    damage_index(sound)
    assert problems(examined(sound, fix=True)) == {}
    assert sound.status() == ""


def test_a_damaged_index_under_a_dead_lock_is_rebuilt_at_once(sound: Git) -> None:
    lock = index_lock(sound, "")
    os.utime(lock, (0, 0))
    damage_index(sound)
    assert problems(examined(sound, fix=True)) == {}


def test_what_was_left_on_a_detached_head_is_a_problem_that_fix_mends(sound: Git) -> None:
    leave_behind(sound)
    check = found(sound, "stranded")
    assert (check.ok, check.detail) == (
        False,
        "2 commits of clawgit on no branch: cli: add left 1; cli: add left 2",
    )
    report = examined(sound, fix=True)
    assert problems(report) == {}
    assert sound("show", "HEAD:MEMORY.md").count("- left") == 2


def test_an_embedder_that_a_search_cannot_use_is_a_problem(sound: Git) -> None:
    asked = partial(examined, sound, CLAWGIT_SEARCH_MODE="enhanced", CLAWGIT_EMBEDDER="e5")
    assert "embedder" not in problems(asked())
    named = asked(CLAWGIT_EMBEDDER_MODEL="bge-m3").checks
    [check] = [check for check in named if check.name == "embedder"]
    assert not check.ok
    assert "bge-m3" in check.detail
    assert "Leave embedder_model empty" in check.fix


def test_a_reranker_that_a_search_cannot_use_is_a_problem(sound: Git) -> None:
    assert "reranker" not in problems(examined(sound, CLAWGIT_SEARCH_MODE="enhanced"))
    missing = f"{sound.root}/gone.onnx"
    [check] = [
        check
        for check in examined(sound, CLAWGIT_RERANKER=missing).checks
        if check.name == "reranker"
    ]
    assert not check.ok
    assert missing in check.detail
    assert "clawgit config set reranker" in check.fix


def test_the_default_reranker_is_loaded_by_doctor_where_a_search_would_ask_it(
    sound: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "reranker" not in problems(examined(sound, CLAWGIT_SEARCH_MODE="enhanced"))

    def broken(_reranker: Reranker) -> None:
        raise RerankerError("The reranker is not there.", hint="Install clawgit again.")

    monkeypatch.setattr(Reranker, "__init__", broken)
    assert "reranker" in problems(examined(sound, CLAWGIT_SEARCH_MODE="enhanced"))
    assert "reranker" not in problems(examined(sound, CLAWGIT_SEARCH_MODE="core"))


def test_doctor_says_what_the_default_reranker_lacks(
    sound: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.ops.search.reranker_choice.find_spec", lambda _name: None)
    for mode, said in (("enhanced", "pip install 'clawgit[enhanced]'"), ("core", "none is used")):
        checks = examined(sound, CLAWGIT_SEARCH_MODE=mode).checks
        [check] = [check for check in checks if check.name == "reranker"]
        assert check.ok
        assert said in check.detail
