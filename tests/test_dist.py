"""The wheel and the sdist, really built and installed with no network, bring every template and hook along."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parents[1]
READ_ALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
from clawgit.resources import resource
folders = {kind: resource(kind) for kind in ("templates", "hooks")}
assert all(str(folder).startswith(sys.argv[1]) for folder in folders.values()), folders
print(json.dumps({
    f"{kind}/{path.relative_to(folder)}": path.read_bytes().hex()
    for kind, folder in folders.items() for path in folder.rglob("*") if path.is_file()
}))
"""


def run(*argv: str, cwd: Path) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    env |= {"PIP_CONFIG_FILE": os.devnull, "HOME": str(cwd)}
    done = subprocess.run([sys.executable, *argv], cwd=cwd, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("form", ["wheel", "sdist"])
def test_an_installed_distribution_holds_the_templates_and_hooks_byte_for_byte(form: str, tmp_path: Path) -> None:
    expected = {
        str(path.relative_to(REPO)): path.read_bytes().hex()
        for kind in ("templates", "hooks")
        for path in (REPO / kind).rglob("*")
        if path.is_file()
    }
    run("-m", "build", "--no-isolation", f"--{form}", "--outdir", str(tmp_path / "dist"), str(REPO), cwd=tmp_path)
    [built] = (tmp_path / "dist").iterdir()

    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--no-cache-dir")
    run(*pip, "--no-compile", "--target", str(tmp_path / "site"), str(built), cwd=tmp_path)
    # -I -S keep out this repository, which the environment's own .pth file would lead to.
    found = json.loads(run("-I", "-S", "-c", READ_ALL, str(tmp_path / "site"), cwd=tmp_path))

    assert found == expected
    model = Path("clawgit/stores/embed/model")
    for name in ("vectors.npy", "vocabulary.txt", "ORIGIN.md", "LICENSE"):
        assert (tmp_path / "site" / model / name).read_bytes() == (REPO / model / name).read_bytes()
