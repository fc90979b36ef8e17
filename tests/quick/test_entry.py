"""What is typed while a command is still being loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("words", "loaded"), [(("status",), "click"), (("memory", "search", "tea"), "re")]
)
def test_ctrl_c_while_a_command_is_loaded_is_no_traceback(
    words: tuple[str, ...], loaded: str, tmp_path: Path
) -> None:
    (tmp_path / f"{loaded}.py").write_text("raise KeyboardInterrupt\n")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "clawgit", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
