"""Nothing that looks like a secret leaves by `git push`; and no secret is missed for want of
starting Python."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.secret_vendors import keys
from bench.secrets import samples
from clawgit.core.resources import resource
from tests.conftest import Git, program, run_to_end
from tests.hooks.hooked import Hooked, hook_up
from tests.hooks.test_pre_commit import KEY


@pytest.fixture
def far(hooked: Hooked, tmp_path: Path) -> Hooked:
    """A workspace with a remote on the same machine, which has its first commit."""
    Git(tmp_path)("init", "-q", "--bare", "far.git")
    hooked("remote", "add", "far", str(tmp_path / "far.git"))
    hooked("push", "-q", "far", "main")
    return hooked


def test_what_is_clean_leaves_and_a_secret_does_not_however_it_is_named(far: Hooked) -> None:
    far.commit("MEMORY.md", "- Fine.\n")
    other = ("push", "-q", "far", "main@{0 days ago}:refs/heads/other")
    assert far.run(*other) == (0, "")
    for _ in range(2):  # the second time nothing is to be sent
        assert far.run("push", "-q", "far", "main") == (0, "")
    far.commit("deploy.md", f"- The key is {KEY}\n", "--no-verify", "-m", "in haste")
    refused = far.run("push", "far", "main")
    assert refused.refuses("error: clawgit refuses this push")
    assert "deploy.md:1" in refused.said
    assert KEY not in refused.said
    assert far("rev-parse", "far/main") != far("rev-parse", "main")
    assert far.run(*other).code == 1


def test_a_scan_that_is_killed_lets_nothing_go(far: Hooked, tmp_path: Path) -> None:
    far.commit("MEMORY.md", "- Fine.\n")
    hook_up(far.root, str(program(tmp_path / "python", "kill -9 $$")))
    refused = far.run("push", "-q", "far", "main")
    assert refused.refuses("clawgit was stopped before it had looked through this push")


@pytest.mark.parametrize(
    "breaks",
    [
        "import clawgit.safety.secrets as it; it.refuse_push = lambda *_: 1 / 0",
        "sys.modules['clawgit.safety.secrets'] = None",  # importing it raises an ImportError
    ],
    ids=["a bug", "a broken install"],
)
def test_a_scan_that_breaks_lets_nothing_go(far: Hooked, breaks: str) -> None:
    broken = (
        f"import sys; {breaks};"
        "from clawgit.hooks.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", broken, "pre-push", "agent", "far", "there"], cwd=far.root,
            input=b"", check=False,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert (done.returncode, b"secret could not be checked" in done.stdout) == (10, True)


def test_what_the_shim_looks_for_is_in_every_secret_that_we_know(tmp_path: Path) -> None:
    """Python is not started for text in which it stands nowhere, so it must stand in all of
    them."""
    text = (resource("hooks") / "pre-commit.sh").read_text()
    rows = re.findall(r"^telling=(.*)$", text, re.MULTILINE)
    without_it = "\n".join(f"telling={row}" for row in rows) + '\nLC_ALL=C grep -LE "$telling" "$@"'
    secrets = [sample.text for sample in samples() if sample.secret]
    secrets += [f"x {key.partition(chr(92))[0]} y" for _, key in keys(each=2)]
    for number, secret in enumerate(secrets):
        (tmp_path / str(number)).write_text("".join(f"+{line}\n" for line in secret.splitlines()))
    files = list(tmp_path.iterdir())
    done = run_to_end("sh", "-c", without_it, "sh", *files)
    assert [Path(file).read_text() for file in done.stdout.splitlines()] == []
    assert (len(files) > 100, done.stderr) == (True, "")
