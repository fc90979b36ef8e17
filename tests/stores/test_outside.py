"""Programs and servers of the operator's: real ones, good and bad."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar

import pytest

from clawgit.stores.http_client import send
from clawgit.stores.outside import Limits, OutsideError, from_program, from_server
from tests.ended import ended

SHORT = Limits(seconds=0.2, size=1000)


class Crm(BaseHTTPRequestHandler):
    """Answers by the path that it is asked at."""

    asked: ClassVar[list[Any]] = []

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        if self.path == "/gone":
            self.send_error(404)
            return
        if self.path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", "http://[" if self.path == "/moved-away" else "/fine")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        with suppress(BrokenPipeError, ConnectionResetError):
            self._body()

    def _body(self) -> None:
        if self.path == "/slow":
            self.server.go_on.wait(5)  # type: ignore[attr-defined]
        self.wfile.write(
            {"/huge": b"x" * 2000, "/binary": b"\xff\xfe\x00"}.get(self.path, '{"Ä": 1}'.encode())
        )

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Crm) as made:
        made.go_on = Event()  # type: ignore[attr-defined]
        thread = Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{made.server_port}"
        made.go_on.set()  # type: ignore[attr-defined]
        made.shutdown()
        thread.join()


def script(folder: Path, body: str) -> str:
    file = folder / "crm.sh"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


def run(folder: Path, body: str, limits: Limits = Limits()) -> str:  # noqa: B008 - an immutable value
    return from_program(
        [script(folder, body)], {"message": "Wer ist Özlem?"}, folder, os.environ, limits
    )


def test_a_program_is_told_the_question_and_its_answer_is_taken(tmp_path: Path) -> None:
    assert json.loads(run(tmp_path, "cat")) == {"message": "Wer ist Özlem?"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("exec sleep 5", "took longer than 0.2 s"),
        ("yes", "wrote too much, more than 1,000 bytes"),
        ("exit 3", "ended with 3"),
        (r"printf '\377\376'", "UTF-8 text"),
        (r"printf 'a\000b'", "other than text"),
    ],
)
def test_a_program_that_gives_no_answer_of_use_is_told(
    tmp_path: Path, body: str, said: str
) -> None:
    with pytest.raises(OutsideError, match=said):
        run(tmp_path, body, SHORT)


def test_what_is_no_program_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutsideError, match="cannot be run: No such file"):
        from_program([str(tmp_path / "none")], {}, tmp_path, os.environ, SHORT)
    with pytest.raises(OutsideError, match="cannot be run: Permission denied"):
        from_program([str(tmp_path)], {}, tmp_path, os.environ, SHORT)


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    with pytest.raises(OutsideError):
        run(
            tmp_path,
            f"{sys.executable} -c 'import time; time.sleep(9)' & echo $! > child; wait",
            SHORT,
        )
    assert ended(int((tmp_path / "child").read_text()))


def test_a_server_is_told_the_question_and_its_answer_is_taken(server: str) -> None:
    assert from_server(f"{server}/fine", {"message": "Özlem"}, Limits()) == '{"Ä": 1}'
    assert Crm.asked[-1] == {"message": "Özlem"}


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/gone", "answers 404 Not Found"),
        ("/moved", "answers 302"),
        ("/moved-away", "answers 302"),
        ("/huge", "more than 1,000 bytes"),
        ("/binary", "UTF-8 text"),
        ("/slow", "took longer than 0.2 s"),
        ("/a b", "does not answer"),
    ],
)
def test_a_server_that_gives_no_answer_of_use_is_told(server: str, path: str, said: str) -> None:
    with pytest.raises(OutsideError, match=said):
        from_server(f"{server}{path}", {}, SHORT)


@pytest.mark.parametrize(
    "url", ["http://[::1/", "http://h:x/", "http://h..de/", "http://127.0.0.1:1/ü", "http:///x"]
)
def test_a_bad_address_is_told(url: str) -> None:
    with pytest.raises(OutsideError, match="does not answer"):
        from_server(url, {}, SHORT)


@pytest.mark.parametrize("value", ["a\nb", "€"])
def test_a_header_that_cannot_be_sent_is_a_bug_and_no_passing_trouble(value: str) -> None:
    with pytest.raises(ValueError, match=r"header|codec"):
        send("http://127.0.0.1:1/", b"{}", {"Authorization": value}, seconds=1, most=1)


def test_where_nobody_listens_it_is_told() -> None:
    with pytest.raises(OutsideError, match="does not answer"):
        from_server("http://127.0.0.1:1/", {}, SHORT)
