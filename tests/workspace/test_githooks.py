"""The hooks go in beside what is there and come out without a trace; whatever happened to them
meanwhile is told."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.front import setup
from clawgit.git.rules.actors import AGENT, actor_named
from clawgit.health.doctor import look_at_hooks
from clawgit.health.files import Site
from clawgit.safety.operator import NotTheOperatorError
from clawgit.workspace import githooks
from clawgit.workspace.githooks import NAMES, HooksError, hooks, install, uninstall
from tests import ready
from tests.conftest import Git
from tests.hooks.hooked import Hooked, hooked
from tests.making import space_of

__all__ = ["hooked"]


def script(file: Path, text: str, mode: int = 0o755) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(mode)
    return file


def inventory(folder: Path) -> dict[str, tuple[int, str]]:
    """Each file's rights and text, samples left out."""
    files = (file for file in sorted(folder.glob("*")) if not file.name.endswith(".sample"))
    return {file.name: (stat.S_IMODE(file.lstat().st_mode), file.read_text()) for file in files}


def states(git: Git) -> dict[str, str]:
    return {hook.name: hook.state for hook in hooks(space_of(git)).hooks}


def test_in_and_out_leaves_everything_as_it_was(ws: Git) -> None:
    folder = ws.root / ".git/hooks"
    script(folder / "pre-commit", "#!/bin/sh\nexit 0\n", 0o750)
    script(folder / "post-commit", "not executable\n", 0o644)
    script(folder / "pre-rebase", "#!/bin/sh\n")
    (folder / "commit-msg").symlink_to("pre-rebase")
    before, settings = inventory(folder), (ws.root / ".git/config").read_text()
    done = install(space_of(ws))
    assert (done.installed, done.kept) == (NAMES, ("pre-commit", "commit-msg", "post-commit"))
    assert hooks(space_of(ws)).ok
    out = uninstall(space_of(ws))
    assert (out.removed, out.restored) == (NAMES, ("pre-commit", "commit-msg", "post-commit"))
    assert inventory(folder) == before
    assert (folder / "commit-msg").is_symlink()
    githooks.forget(space_of(ws))
    assert (ws.root / ".git/config").read_text().replace("[clawgit]\n", "") == settings


def test_only_the_operator_takes_them_out(ws: Git) -> None:
    """Without them, a `git commit` by an agent brings what they refuse."""
    install(space_of(ws))
    before = inventory(ws.root / ".git/hooks")
    for actor in (AGENT, actor_named("fig")):
        space = space_of(ws)
        space = space._replace(caller=space.caller._replace(actor=actor))
        for dry_run in (True, False):
            with pytest.raises(NotTheOperatorError) as refused:
                uninstall(space.dry() if dry_run else space)
            assert "clawgit hooks uninstall" in refused.value.hint
    assert inventory(ws.root / ".git/hooks") == before
    assert hooks(space_of(ws)).ok


def test_twice_is_once_and_a_dry_run_changes_nothing(hooked: Hooked) -> None:
    before = inventory(hooked.root / ".git/hooks")
    assert install(hooked.space, python=ready.python()).installed == ()
    assert install(hooked.space.dry()).installed == NAMES
    assert uninstall(hooked.space.dry()).removed == NAMES
    assert inventory(hooked.root / ".git/hooks") == before


def test_the_hook_that_was_there_is_called_by_its_own_name(ws: Git, tmp_path: Path) -> None:
    told = f'#!/usr/bin/env bash\necho "$0 $*" >"{tmp_path}/seen"\n'
    script(ws.root / ".git/hooks/commit-msg", told)
    install(space_of(ws))
    ws("commit", "-q", "--allow-empty", "-m", "x")
    assert (tmp_path / "seen").read_text() == ".git/hooks/commit-msg .git/COMMIT_EDITMSG\n"


def test_its_refusal_counts_and_ours_is_not_asked_then(ws: Git) -> None:
    script(ws.root / ".git/hooks/pre-commit", "#!/bin/sh\necho not on Fridays\nexit 7\n")
    install(space_of(ws))
    done = Hooked(ws.root).commit("MEMORY.md", "- Two. #event #skill\n")
    assert done == (1, "not on Fridays\n")


def test_a_hook_before_a_push_hears_all_that_git_says_and_so_do_we(ws: Git, tmp_path: Path) -> None:
    Git(tmp_path)("init", "-q", "--bare", "far.git")
    ws("remote", "add", "far", str(tmp_path / "far.git"))
    hears = f'#!/bin/sh\n{{ echo "$*"; cat; }} >"{tmp_path}'
    script(ws.root / ".git/hooks/pre-push", f'{hears}/heard"\n')
    python = script(tmp_path / "python", f'{hears.replace("echo", "shift 3; echo")}/ours"\n')
    install(space_of(ws), python=str(python))
    ws("push", "-q", "far", "main")
    head, nothing = ws.head(), "0" * 40
    said = f"refs/heads/main {head} refs/heads/main {nothing}\n"
    assert (tmp_path / "heard").read_text() == f"far {tmp_path}/far.git\n{said}"
    assert (tmp_path / "ours").read_text() == f"pre-push agent far {tmp_path}/far.git\n{said}"


def test_a_hook_that_was_replaced_is_told_and_never_overwritten(hooked: Hooked) -> None:
    theirs = script(hooked.root / ".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n")
    assert states(hooked)["pre-commit"] == "foreign"
    *_, finding = look_at_hooks(Site(hooked.space))
    assert (finding.refused, finding.mend) == (True, None)
    assert finding.why.startswith("pre-commit is foreign")
    assert install(hooked.space).kept == ("pre-commit",)
    assert theirs.with_name("pre-commit.before-clawgit").read_text() == "#!/bin/sh\nexit 0\n"
    script(theirs, "#!/bin/sh\n# a third one\n")
    done = install(hooked.space)
    assert (done.installed, "is kept already" in done.notes[0]) == ((), True)
    assert uninstall(hooked.space).restored == ()
    assert theirs.read_text().endswith("# a third one\n")


@pytest.mark.parametrize("harm", ["mode", "interpreter", "missing", "version"])
def test_doctor_mends_what_fell_into_disrepair(hooked: Hooked, harm: str) -> None:
    file = hooked.root / ".git/hooks/pre-commit"
    if harm == "mode":
        file.chmod(0o644)
    elif harm == "interpreter":
        install(hooked.space, python="/nowhere/python")
    elif harm == "missing":
        file.unlink()
    else:
        file.write_text(file.read_text() + "# an older text\n")
    assert states(hooked)["pre-commit"] == ("missing" if harm == "missing" else "outdated")
    *_, finding = look_at_hooks(Site(hooked.space))
    assert finding.mend
    assert finding.mend.what == "install the hooks again"
    finding.mend.do()
    assert set(states(hooked).values()) == {"installed"}


def test_doctor_says_that_all_are_gone_unless_the_operator_removed_them(hooked: Hooked) -> None:
    space = hooked.space
    for name in NAMES:
        (hooked.root / ".git/hooks" / name).unlink()
    *_, finding = look_at_hooks(Site(space))
    assert (finding.refused, "pre-commit is missing" in finding.text) == (True, True)
    assert "clawgit hooks install" in finding.remedy
    install(space)
    uninstall(space)
    assert not any("missing" in finding.text for finding in look_at_hooks(Site(space)))


def test_init_puts_them_in_unless_somebody_took_them_out(tmp_path: Path, ws: Git) -> None:
    caller = space_of(ws).caller
    assert setup.init(tmp_path / "agent", caller).hooks == NAMES
    uninstall(space_of(Git(tmp_path / "agent")))
    assert setup.init(tmp_path / "agent", caller).hooks == ()
    assert set(install(space_of(Git(tmp_path / "agent"))).installed) == set(NAMES)
    assert setup.init(tmp_path / "second", caller, hooks=False).hooks == ()
    assert set(states(Git(tmp_path / "second")).values()) == {"missing"}


def test_every_text_below_hooks_is_sh_that_any_shell_reads(tmp_path: Path) -> None:
    shells = {os.path.realpath(one) for one in map(shutil.which, ("sh", "bash", "dash")) if one}
    for name in NAMES:
        file = script(tmp_path / name, githooks.shim(name, sys.executable))
        for shell in shells:
            assert subprocess.run([shell, "-n", file], check=False).returncode == 0


def test_a_link_in_the_way_of_a_new_hook_is_not_followed(ws: Git, tmp_path: Path) -> None:
    precious = script(tmp_path / "precious", "mine\n")
    folder = ws.root / ".git/hooks"
    folder.mkdir(exist_ok=True)
    (folder / ".pre-commit.clawgit-new").symlink_to(precious)
    install(space_of(ws))
    assert precious.read_text() == "mine\n"
    assert hooks(space_of(ws)).ok


def test_a_folder_that_is_named_is_left_to_its_owners(ws: Git) -> None:
    """Whoever unpacks a repository does not want its hooks in a folder of their own."""
    ws("config", "core.hooksPath", "/dev/null")
    with pytest.raises(HooksError, match="Git looks for hooks in") as refused:
        install(space_of(ws))
    assert "clawgit hook NAME" in refused.value.hint
    begun = setup.init(ws.root, space_of(ws).caller)
    assert (begun.hooks, "clawgit hook NAME" in begun.notes[0]) == ((), True)
    *_, check = look_at_hooks(Site(space_of(ws)))
    assert (check.refused, check.remedy) == (False, refused.value.hint)
    assert not any(part.startswith("hook ") for part in setup.deinit(space_of(ws)).removed)
