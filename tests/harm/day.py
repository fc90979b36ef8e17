"""`python -m tests.harm.day FOLDER`: a workspace on which every command, and each process that
stays, does its work once. Prints what did not end as it should.
"""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.front.cli.test_hostile import ARGUMENTS, TALK
from tests.front.mcp import test_stdio
from tests.trusting import accept_settings

_CONFIG = "```yaml\nsearch_mode: enhanced\nchroma: {}\n{}```\n"
_ASKED = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": "http://model.example:8002/v1"}
CONFIGURED = {
    "look-up digest.example", "tcp 192.0.2.1 8001", "look-up model.example", "tcp 192.0.2.1 8002",
    "tcp 127.0.0.1 1",
}  # fmt: skip
"""What is looked up and called by the settings here, as `sealed` prints it; the last is the
database that commands of a fleet are given.
"""

_QUESTION = "which store keeps what is hot"
_STAYING = (("serve",), ("run",), ("watch",))
_APART = ("mcp", "serve", "watch", "fleet worker")


def main(folder: Path) -> None:
    os.environ |= _ASKED
    folder.mkdir()
    os.chdir(folder)
    git = _filled(folder)
    with ExitStack() as stack:
        pids = [stack.enter_context(_staying(*words)) for words in _STAYING]
        stdio = stack.enter_context(test_stdio.started(folder, sys.executable))
        assert not stdio.calls("memory_search", query=_QUESTION).get("isError")
        assert run(["memory", "search", _QUESTION]) == 0
        for pid in (pids[0], stdio.child.pid):
            assert "onnxruntime" in Path(f"/proc/{pid}/maps").read_text()  # the reranker has read
        _configure(git, "")
        for name, words in ARGUMENTS.items():
            if name not in _APART:
                _called(*name.split(), *words)
    _configure(git, "", "digest_to: json://digest.example:8001/\nllm_model: openai:model\n")
    _called("digest", "--send")
    _called("chat", "log", "Remember that Ana is the harbour master.", "--session", "evening")
    _called("agent", "run", "memory-miner")


def _filled(folder: Path) -> Git:
    git = Git(folder)
    git("init", "-q")
    stores = "".join(f"- Store {at} keeps what is warm, by day {at}.\n" for at in range(40))
    git.write("MEMORY.md", f"# Memory\n\n- Hot keys are kept by Redis.\n{stores}")
    git.write("SOUL.md", "# Soul\n\n- Be kind.\n")
    git.write("talk.jsonl", TALK)
    git.write("bench.jsonl", '{"query": "Redis", "expect": [{"path": "MEMORY.md", "line": 3}]}\n')
    _configure(git, "embedded")
    git.commit_all("by hand")
    _called("init")
    return git


def _configure(git: Git, backend: str, more: str = "") -> None:
    git.write("CONFIG.md", _CONFIG.format(backend, more))
    accept_settings(git.root)


def _called(*words: str) -> None:
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"{}"))
    code = run([*words])
    assert code in (0, 1), (words, code)


@contextmanager
def _staying(*words: str) -> Iterator[int]:
    argv = [sys.executable, "-P", "-m", "clawgit", *words]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as child:
        try:
            assert child.stderr is not None
            assert "Ctrl-C ends it" in child.stderr.readline()
            yield child.pid
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=60)
            assert child.returncode == 0, words
        finally:
            child.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
