"""How a command starts and ends: what it loads, what is typed meanwhile, what it gives back."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.front.cli import root
from tests.conftest import Git, OpenStore, run_to_end

COUNTED = """
import atexit, sys
atexit.register(lambda: print("\\n", *sys.modules))
from clawgit.__main__ import main
main()
"""

MOST = {"status": 81, "memory add": 141, "memory search tea": 136, "triage": 60, "log": 74}
"""How many modules of ours a command may load. It is slow because it is large."""

WORDS = {
    "memory add": "Ana prefers green tea.",
    "triage": "No, it's Thursday now. Please remember that.",
}

HEAVY = {
    "sqlite3", "yaml", "pygit2", "regex", "clawgit.core.config",
    "clawgit.workspace.stores.openclaw", "subprocess", "asyncio",
}  # fmt: skip
"""What triage does without: it comes before each answer to a message."""


def test_a_command_loads_what_it_needs(ws: Git) -> None:
    loaded: dict[str, set[str]] = {}
    # The first status looks at the commits of others, by what no other status needs.
    for words in ("init .", "status", *MOST):
        more = [WORDS[words]] if words in WORDS else []
        argv = [sys.executable, "-c", COUNTED, *words.split(), *more]
        done = subprocess.run(
            argv, cwd=ws.root, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        loaded[words] = {*done.stdout.decode().splitlines()[-1].split()}
    counts = {
        words: sum(name.startswith("clawgit") for name in names) for words, names in loaded.items()
    }
    assert {words: count for words, count in counts.items() if count > MOST.get(words, 999)} == {}
    assert HEAVY & loaded["triage"] == set()


def test_numpy_brings_no_threads_along() -> None:
    """They cost each search 20 ms while they start, and more while they wait for each other."""
    code = """
from pathlib import Path
from clawgit.core.doors import numpy as np
assert np.ones((4096, 256), np.float32).dot(np.ones(256, np.float32)).sum()
print(len([*Path("/proc/self/task").iterdir()]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


@pytest.mark.parametrize("words", [("status",), ("memory", "search", "tea")])
def test_ctrl_c_while_loading_is_no_traceback(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    env, call = {**os.environ, "PYTHONPATH": str(tmp_path)}, (sys.executable, "-P", "-m", "clawgit")
    done = run_to_end(*call, *words, cwd=tmp_path, env=env)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_a_ctrl_c_while_a_class_is_made_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def __set_name__(self, *_: object) -> None:
            raise KeyboardInterrupt

    # Python says RuntimeError here.
    monkeypatch.setattr(root, "_called", lambda _: type("Made", (), {"at": Interrupted()}))
    assert root.run(["status"]) == 130


# What a process that stays open gives back, and how it ends.


def test_a_closed_store_keeps_no_pack_open(ws: Git, open_store: OpenStore) -> None:
    ws("gc", "-q")

    def packs() -> list[str]:
        maps = Path("/proc/self/maps").read_text().split()
        return [word for word in maps if word.startswith(str(ws.root)) and ".pack" in word]

    store = open_store(ws.root)
    assert store.read(ws.head(), "MEMORY.md")
    assert packs()
    store.close()
    assert packs() == []
    assert store.read(ws.head(), "MEMORY.md")  # what is asked for later is opened again


def ended(code: str, *argv: str) -> subprocess.CompletedProcess[str]:
    begin = "import atexit, sys, threading; from clawgit.core import surroundings\n"
    return run_to_end(sys.executable, "-c", begin + code, *argv)


def test_a_process_waits_for_its_threads() -> None:
    done = ended("""
def run():
    threading.main_thread().join()
    print("done")
threading.Thread(target=run).start()
surroundings.leave(1)
""")
    assert (done.returncode, done.stdout) == (1, "done\n")


def test_an_answer_that_cannot_be_written_is_not_lost_silently() -> None:
    done = ended("sys.stdout = open('/dev/full', 'w'); print('answer'); surroundings.leave(0)")
    assert done.returncode != 0 or "No space left" in done.stderr
