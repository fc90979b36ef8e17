"""Remotes that are spoken to as real ones are: git's own server behind http, and behind ssh."""

import base64
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlsplit


class WebServer(ThreadingHTTPServer):
    """Serves the repositories of a folder by `git http-backend`.

    With a `login` it lets in only who has it. `status`: it answers all with that code.
    `dies_first`: before it does anything.
    """

    daemon_threads = True

    def __init__(self, folder: Path, login: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.folder, self.login = folder, login
        self.dies_first = False
        self.status = 0

    def url(self, name: str, login: str = "") -> str:
        at = f"{login}@" if login else ""
        return f"http://{at}127.0.0.1:{self.server_port}/{name}"


class _Answer(BaseHTTPRequestHandler):
    server: WebServer

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def _answer(self) -> None:
        body = self._body()
        if self.server.dies_first and self.command == "POST":
            self.close_connection = True
        elif self.server.status:
            self.send_error(self.server.status)
        elif self._is_known():
            self._by_git(body)
        else:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="memory"')
            self.send_header("Content-Length", "0")
            self.end_headers()

    def _is_known(self) -> bool:
        if not self.server.login:
            return True
        login = base64.b64encode(self.server.login.encode()).decode()
        return self.headers.get("Authorization") == f"Basic {login}"

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _by_git(self, body: bytes) -> None:
        where = urlsplit(self.path)
        env = {
            **{name: os.environ[name] for name in ("PATH", "HOME")},
            "GIT_PROJECT_ROOT": str(self.server.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "olga",
            "REMOTE_ADDR": "127.0.0.1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": where.path,
            "QUERY_STRING": where.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=env, capture_output=True, check=True
        )
        head, _, answer = done.stdout.partition(b"\r\n\r\n")
        self._send(head.decode(), answer)

    def _send(self, head: str, answer: bytes) -> None:
        fields = [line.split(": ", 1) for line in head.splitlines()]
        status = next((value for name, value in fields if name == "Status"), "200")
        self.send_response(int(status.split(" ")[0]))
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


@contextmanager
def web_server(folder: Path, login: str = "") -> Iterator[WebServer]:
    server = WebServer(folder, login)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Shell(NamedTuple):
    """How ssh reaches this machine: what git is to call, and the beginning of an address."""

    command: str
    root: str

    def url(self, folder: Path) -> str:
        return f"{self.root}{folder}"


@contextmanager
def ssh_server(folder: Path) -> Iterator[Shell]:
    """A real sshd with keys of its own where one is installed and may be started; else `no_ssh`."""
    folder.mkdir()
    found = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    shell = _configured(folder) if found else None
    if not found or shell is None or _tried(found, folder):
        yield no_ssh(folder)
        return
    with subprocess.Popen([found, "-D", "-f", folder / "conf"], stderr=subprocess.DEVNULL) as sshd:
        try:
            yield shell
        finally:
            sshd.terminate()


def no_ssh(folder: Path, words: str = "") -> Shell:
    """A program that starts what git asks ssh for: the same protocol without a network.

    With `words` it lets nobody in, and says these. It keeps what it was called with.
    """
    program = folder / "ssh"
    program.write_text(_NO_NETWORK.format(called=folder / "called", refuse=_REFUSE * bool(words)))
    (folder / "called.words").write_text(words)
    program.chmod(0o755)
    return Shell(str(program), "ssh://git@localhost:2222")


_NO_NETWORK = """\
#!/bin/sh
echo "$*" >> '{called}'
{refuse}
while :; do
  case $1 in
    -[op]) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
shift
exec sh -c "$*"
"""

_REFUSE = 'cat "${0%/*}/called.words" >&2; exit 255'


def _configured(folder: Path) -> Shell:
    for name in ("host", "user"):
        key = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name)
        subprocess.run(key, check=True)
    shutil.copy(folder / "user.pub", folder / "authorized")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "conf").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\n"
        f"AuthorizedKeysFile {folder}/authorized\nUsePAM no\nStrictModes no\n"
        "PermitRootLogin yes\nPasswordAuthentication no\n"
    )
    public = (folder / "host.pub").read_text()
    (folder / "known").write_text(f"[127.0.0.1]:{port} {public}")
    own = f"-F none -o UserKnownHostsFile={folder}/known -o IdentitiesOnly=yes -i {folder}/user"
    # It may take a moment until it listens.
    command = f"ssh {own} -o ConnectionAttempts=20"
    return Shell(command, f"ssh://127.0.0.1:{port}")


def _tried(sshd: str, folder: Path) -> int:
    """Whether it would start; another code than 0 if not."""
    test = [sshd, "-t", "-f", str(folder / "conf")]
    return subprocess.run(test, stderr=subprocess.DEVNULL, check=False).returncode
