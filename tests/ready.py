"""A `clawgit` and a Python that are loaded once and fork for each call: pages of documentation have
hundreds of calls, and each hook of git is one.

`python ready.py SOCKET` answers calls; `programs()` starts it and gives a folder for PATH with a
`clawgit` that asks it, and `python()` an interpreter that does. Each call is a process of its own,
with the caller's folder, environment and streams. `clawgit …` runs `clawgit.front.cli`, `python FILE …`
that file, `python -c CODE …` that code.
"""

import array
import atexit
import fcntl
import gc
import importlib
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path

_CLIENT = """\
#!{python} -IS
import _socket, array, posix, sys
asked = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
asked.connect({address!r})
words = [word.encode("utf-8", "surrogateescape") for word in [{name!r}, *sys.argv[1:]]]
parts = [str(len(words)).encode(), *words, posix.getcwdb()]
call = b"\\0".join(parts + [name + b"=" + text for name, text in posix.environ.items()])
streams = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))]
asked.sendmsg([len(call).to_bytes(4, "big")], streams)
asked.sendall(call)
code = asked.recv(8)
if not code:  # it was killed
    posix.kill(posix.getpid(), 9)
sys.exit(int(code))
"""
_HEAVY = (
    "clawgit.search.stores.chroma", "clawgit.agents.llm", "clawgit.search.stores.models",
    "clawgit.front.mcp",
)  # fmt: skip


@cache
def programs(*loaded: str) -> Path:
    """The folder with a quick `clawgit` in it, of this process and until its end."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="clawgit-ready-"))
    return stack.enter_context(clawgit_in(Path(folder), *loaded))


def python(*loaded: str) -> str:
    """One that has all light modules loaded, or these."""
    return str(programs(*loaded).with_name("python"))


@contextmanager
def clawgit_in(folder: Path, *loaded: str) -> Iterator[Path]:
    """A folder with a quick `clawgit` in it, as long as the block lasts."""
    address, bin_folder = str(folder / "ready.sock"), folder / "bin"
    bin_folder.mkdir(exist_ok=True)
    _make_clients(address, bin_folder / "clawgit", folder / "python")
    start = [sys.executable, "-P", __file__, address, *loaded]
    # A fork copies the table of its pages: with large ones it takes a third of the time.
    large = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    with subprocess.Popen(
        start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **large}
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        try:
            yield bin_folder
        finally:
            server.terminate()


def _make_clients(address: str, *clients: Path) -> None:
    """Programs that ask the server for a call. One in Python takes 10 ms to start, one in C 1."""
    for client in clients:
        client.write_text(_CLIENT.format(python=sys.executable, address=address, name=client.name))
        client.chmod(0o755)
    if cc := shutil.which("cc"):
        made, source = clients[0].with_name("made"), Path(__file__).with_suffix(".c")
        call = (cc, f'-DADDRESS="{address}"', "-o", str(made), str(source))
        if subprocess.run(call, check=False, capture_output=True).returncode == 0:
            for client in clients:
                shutil.copy(made, client)


def _serve(address: str, *loaded: str) -> None:
    from clawgit.core import surroundings
    from clawgit.front.cli.root import run
    from tests.quick import quicken

    surroundings.look_seldom()
    surroundings.leave = sys.exit  # type: ignore[assignment] # its code is answered first
    quicken()
    for name in loaded or _light():
        importlib.import_module(name)
    if not loaded:
        _warm(run, Path(address).with_name("warmed"))
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
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
            pid = os.fork()
            if pid == 0:
                door.close()
                for other in _CALLERS.values():
                    other.close()
                _answer(caller, run)
            _CALLERS[pid] = caller
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


_CALLERS: dict[int, socket.socket] = {}
"""Held until a call's process is gone: who hears of a kill -9 finds no zombie in its place."""


def _bury(*_: object) -> None:
    """Ends those that have answered, so that their time counts as the suite's."""
    with suppress(ChildProcessError):
        while pid := os.waitpid(-1, os.WNOHANG)[0]:
            if caller := _CALLERS.pop(pid, None):
                caller.close()


def _light() -> Iterator[str]:
    """Everything that a command may load, but for what starts threads or takes a second."""
    import clawgit

    for found in pkgutil.walk_packages(clawgit.__path__, "clawgit."):
        if not found.name.startswith(_HEAVY) and not found.name.endswith("__main__"):
            yield found.name
    yield from ("yaml", "numpy", "pygit2", "markdown_it")


def _warm(run: Callable[[list[str]], int], home: Path) -> None:
    """Patterns are compiled and tables read when they are first needed: of what each call would do
    anew, the most is done here. Its home is left to who removes the folder around it: a process
    that one of the calls has started may still write there."""
    before, folder = dict(os.environ), Path.cwd()
    home.mkdir()
    with Path(os.devnull).open("w") as nowhere:
        for name in list(os.environ):
            if name.startswith(("GIT_", "CLAWGIT_", "OPENCLAW_", "XDG_")):
                del os.environ[name]
        os.environ["HOME"] = str(home)
        (home / ".gitconfig").write_text("[user]\n\tname = Olga\n\temail = olga@example.org\n")
        os.chdir(home)
        with redirect_stdout(nowhere), redirect_stderr(nowhere):
            for line in _FIRST.splitlines():
                run(line.split("|"))
        os.chdir(folder)
    os.environ.clear()
    os.environ.update(before)


_FIRST = """\
init|ws
-C|ws|memory|add|Billing uses PostgreSQL. #decision
-C|ws|memory|search|billing
-C|ws|memory|index
-C|ws|context
-C|ws|status
-C|ws|log
-C|ws|why|MEMORY.md:3
-C|ws|show|HEAD
-C|ws|doctor
-C|ws|heartbeat|Good morning.
-C|ws|chat|list|--json
-C|ws|snapshot
-C|ws|config
-C|ws|soul|log
-C|ws|undo|HEAD|--dry-run"""


def _answer(caller: socket.socket, run: Callable[[list[str]], int]) -> None:
    """Runs one call in this process, and ends it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    head, sent, _, _ = caller.recvmsg(4, socket.CMSG_SPACE(3 * 4))
    for target, stream in enumerate(array.array("i", sent[0][2])):
        os.dup2(stream, target)
        os.close(stream)
    with caller.makefile("rb") as rest:
        parts = rest.read(int.from_bytes(head, "big")).split(b"\0")
    _die_with(caller)
    count = int(parts[0])
    program, *arguments = (os.fsdecode(part) for part in parts[1 : count + 1])
    os.chdir(parts[count + 1])
    os.environ.clear()
    os.environb.update(part.partition(b"=")[::2] for part in parts[count + 2 :])
    time.tzset()
    try:
        code = run(arguments) if program == "clawgit" else _as_python(arguments)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
    except BaseException:  # noqa: BLE001 - without an answer it would look as if it had been killed
        traceback.print_exc()
        code = 1
    for written in (sys.stdout, sys.stderr):
        with suppress(BrokenPipeError):  # as when a program ends: the reader is gone
            written.flush()
    caller.sendall(str(code).encode())
    os._exit(0)


def _die_with(caller: socket.socket) -> None:
    """Who kills the program that asked has killed this process: where the system can, it ends who
    holds the other end of a connection."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(caller, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(caller, fcntl.F_SETFL, fcntl.fcntl(caller, fcntl.F_GETFL) | os.O_ASYNC)


def _as_python(arguments: list[str]) -> int:
    folders = [str(Path.cwd()), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    name = "-c"
    match arguments:
        case ["-EP", "-c", code, *rest]:
            folders = []
        case ["-c", code, *rest]:
            pass
        case ["-P" | "-EP", "-m", module, *rest]:
            folders = []
            code = f"import runpy; runpy.run_module({module!r}, run_name='__main__')"
        case ["-m", module, *rest]:
            code = f"import runpy; runpy.run_module({module!r}, run_name='__main__')"
        case [file, *rest]:
            name, code = file, f"import runpy; runpy.run_path({file!r}, run_name='__main__')"
    sys.path[:0] = filter(None, folders)
    sys.argv = [name, *rest]
    exec(code, {"__name__": "__main__"})  # noqa: S102 - what an interpreter does
    return 0


if __name__ == "__main__":
    _serve(*sys.argv[1:])
