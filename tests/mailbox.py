"""A web hook on this machine that keeps what is posted to it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Mailbox(ThreadingHTTPServer):
    """Keeps what is posted; `answers` are its next status codes, then 200."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Posted)
        self.letters: list[dict[str, str]] = []
        self.answers: list[int] = []

    @property
    def url(self) -> str:
        return f"json://olga:very-secret-word@127.0.0.1:{self.server_port}/inbox"


class _Posted(BaseHTTPRequestHandler):
    server: Mailbox

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        code = self.server.answers.pop(0) if self.server.answers else 200
        if code == 200:
            self.server.letters.append(body)
        self.send_response(code)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
