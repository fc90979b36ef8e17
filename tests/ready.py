"""A `clawgit` that is loaded once and forks for each call: pages of documentation have hundreds of
them.

`python ready.py SOCKET` answers calls; `clawgit_in(folder)` starts it and gives a folder for PATH
with a `clawgit` that asks it. Each call is a process of its own, with the caller's folder,
environment and streams, and runs `clawgit.cli`.
"""

import array
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_CLIENT = """\
#!{python} -IS
import array, json, os, socket, sys
asked = socket.socket(socket.AF_UNIX)
asked.connect({address!r})
call = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
streams = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))]
asked.sendmsg([len(call).to_bytes(4, "big")], streams)
asked.sendall(call)
sys.exit(int(asked.recv(8) or b"70"))
"""
_HEAVY = (
    "clawgit.stores.chroma",
    "clawgit.stores.llm",
    "clawgit.stores.onnx",
    "clawgit.stores.reranker",
    "clawgit.mcp",
)


@contextmanager
def clawgit_in(folder: Path) -> Iterator[Path]:
    """A folder with a quick `clawgit` in it, as long as the block lasts."""
    address, bin_folder = str(folder / "ready.sock"), folder / "bin"
    bin_folder.mkdir(parents=True)
    client = bin_folder / "clawgit"
    client.write_text(_CLIENT.format(python=sys.executable, address=address))
    client.chmod(0o755)
    start = [sys.executable, "-P", __file__, address]
    with subprocess.Popen(
        start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        try:
            yield bin_folder
        finally:
            server.terminate()


def _serve(address: str) -> None:
    from clawgit.cli import run

    _load()
    gc.freeze()
    signal.signal(signal.SIGCHLD, _bury)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen(16)
        print("ready", flush=True)
        while (
            door in select.select([door, sys.stdin], [], [])[0]
        ):  # or who started us is gone, however he ended
            caller, _ = door.accept()
            with caller:
                if os.fork() == 0:
                    door.close()
                    _answer(caller, run)


def _bury(*_: object) -> None:
    """Ends those that have answered, so that their time counts as the suite's."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _load() -> None:
    """Everything that a command may load, but for what starts threads or takes a second."""
    import clawgit

    for found in pkgutil.walk_packages(clawgit.__path__, "clawgit."):
        if not found.name.startswith(_HEAVY) and not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    for name in ("yaml", "numpy", "pygit2", "markdown_it"):
        importlib.import_module(name)


def _answer(caller: socket.socket, run: Callable[[list[str]], int]) -> None:
    """Runs one call in this process, and ends it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, sent, _, _ = caller.recvmsg(4, socket.CMSG_SPACE(3 * 4))
    for target, stream in enumerate(array.array("i", sent[0][2])):
        os.dup2(stream, target)
        os.close(stream)
    with caller.makefile("rb") as rest:
        arguments, folder, env = json.loads(rest.read(int.from_bytes(head, "big")))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    try:
        code = run(arguments)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    sys.stdout.flush()
    sys.stderr.flush()
    caller.sendall(str(code).encode())
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1])
