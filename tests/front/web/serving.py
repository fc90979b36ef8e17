"""`clawgit page` at a terminal, and somebody who asks it for pages."""

import http.client
import io
import os
import pty
import re
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from clawgit.front.cli.root import run
from tests import ready
from tests.conftest import Git, move_in

CODE = re.compile(r"there: (\d{4} \d{4})")


class Page:
    """A server that runs, and a browser of its own, which is not yet in."""

    def __init__(self, port: int, terminal: "Terminal") -> None:
        self.port, self.terminal = port, terminal
        self.cookie, self.base = "", ""
        self.pid = 0

    def asks(
        self, path: str, form: Mapping[str, str] | None = None, /, **headers: str
    ) -> tuple[int, str, http.client.HTTPMessage]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as wire:
            sent = {"Cookie": self.cookie} | {name.title(): text for name, text in headers.items()}
            body = None
            if form is not None:
                sent = {"Origin": f"http://127.0.0.1:{self.port}"} | sent
                body = urlencode(form)
            wire.request("GET" if form is None else "POST", path, body, sent)
            answer = wire.getresponse()
            return answer.status, answer.read().decode(), answer.headers

    def comes_in(self) -> "Page":
        path = urlsplit(self.terminal.address()).path
        status, _, headers = self.asks(path)
        assert status == 303
        self.cookie, self.base = headers["Set-Cookie"].partition(";")[0], headers["Location"]
        return self

    def sees(self, view: str) -> str:
        status, text, _ = self.asks(self.base + view)
        assert status == 200, text
        return text

    def unlocks(self) -> None:
        earlier = self.terminal.codes()
        form = self.form(self.sees("unlock?back=memory"), "unlock")
        form |= {"code": self.terminal.code(earlier + 1)}
        status, _, headers = self.asks(f"{self.base}unlock", form)
        assert status == 303
        self.cookie = headers["Set-Cookie"].partition(";")[0]

    def form(self, text: str, deed: str) -> dict[str, str]:
        """The hidden fields of a form."""
        [form] = re.findall(rf'action="[^"]*/{deed}".*?</form>', text, re.DOTALL)[:1]
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', unescape(form)))

    def does(self, view: str, deed: str, **more: str) -> tuple[int, str]:
        form = self.form(self.sees(view), deed)
        status, text, headers = self.asks(f"{self.base}do/{deed}", form | more)
        return status, headers.get("Location", text)

    def entry(self, word: str) -> str:
        """The address of the entry that has a word."""
        rows = re.findall(r'href="[^"]*/(entry/\w+)">([^<]*)<', self.sees("memory"))
        return str(next(where for where, text in rows if word in text))


class Terminal:
    """What the terminal of a server shows."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor, self.text = descriptor, ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while data := os.read(self.descriptor, 4096):
                self.text += data.decode()
        except OSError:
            return  # the server is gone

    def address(self) -> str:
        """An address that nobody has opened."""
        before = self.text.count("/in/")
        if before:
            os.write(self.descriptor, b"\n")
        return self._waits(r"http://\S+/in/\S+\r\n", before + 1).strip()

    def codes(self) -> int:
        """How many codes were shown: all of them, since what is shown next is here."""
        self.address()
        return len(CODE.findall(self.text))

    def code(self, number: int) -> str:
        return self._waits(CODE.pattern, number)

    def _waits(self, pattern: str, times: int) -> str:
        end = time.monotonic() + 60
        while len(found := re.findall(pattern, self.text)) < times:
            assert time.monotonic() < end, self.text
            time.sleep(0.02)
        return str(found[-1])


@contextmanager
def begun(folder: Path) -> Iterator[Git]:
    """A new workspace in a home of its own."""
    with pytest.MonkeyPatch.context() as patch:
        move_in(folder / "home", patch)
        git = Git(folder / "ws")
        git.root.mkdir()
        git("init", "-q")
        ordered(git.root, "init", str(git.root))
        yield git


def ordered(root: Path, *words: str) -> str:
    """What an agent asks for beside the page, in this process."""
    with redirect_stdout(io.StringIO()) as answer, redirect_stderr(io.StringIO()) as said:
        assert run(["-C", str(root), *words], seated=False) == 0, said.getvalue()
    return answer.getvalue()


@contextmanager
def served(root: Path, *options: str, opened: bool = False, python: str = "") -> Iterator[Page]:
    """`clawgit page` at a terminal."""
    ours, theirs = pty.openpty()
    argv = [python or ready.python(), "-m", "clawgit", "-C", str(root), "page", *options]
    argv += [] if opened else ["--no-open"]
    env = {"CLAWGIT_SEARCH_MODE": "core", **os.environ}  # a model takes longer than all the rest
    child = subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    try:
        terminal = Terminal(ours)
        page = Page(urlsplit(terminal.address()).port or 0, terminal)
        page.pid = child.pid
        yield page
    finally:
        child.terminate()
        child.wait(30)
        os.close(ours)
