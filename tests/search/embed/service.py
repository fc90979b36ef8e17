"""A server on this machine that speaks as the services do, and plays faults before it answers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple

from clawgit.search.embed import EmbedderOptions, EmbedLimits

DIMENSIONS = 8
KEY = "sk-very-secret"


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        return list(self.body["input"])


class Fault(NamedTuple):
    """What is answered instead of vectors. `cut` sends half of what the length promises; `hang`
    sends nothing."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str = "{}"
    cut: bool = False
    hang: bool = False


def row_of(text: str) -> list[float]:
    """The vector that the server has for a text; any text has one of its own."""
    return [
        byte / 255 - 0.4
        for byte in sha256(text.encode("utf-8", "surrogatepass")).digest()[:DIMENSIONS]
    ]


def vectors_of(texts: list[str]) -> dict[str, Any]:
    rows = [
        {"object": "embedding", "index": at, "embedding": row_of(text)}
        for at, text in enumerate(texts)
    ]
    return {"object": "list", "data": rows[::-1]}


class Server:
    """`refuse_over` answers 413 to more texts than that, or to a text longer than `longest`."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.faults: list[Fault] = []
        self.waited: list[float] = []
        self.refuse_over = 1_000_000
        self.longest = 1_000_000
        self.url = ""
        self.over = Event()

    def wanted(
        self, model: str = "", patience: float = 60, seconds: float = 10, **env: str
    ) -> EmbedderOptions:
        """What points an embedder to this server; its waiting is noted down and takes no time."""
        keys = {"OPENAI_API_KEY": KEY, "VOYAGE_API_KEY": KEY, "GEMINI_API_KEY": KEY}
        return EmbedderOptions(
            env or keys, model, self.url, EmbedLimits(seconds, patience, self.waited.append)
        )

    def answer(self, asked: Asked) -> Fault:
        if self.faults:
            return self.faults.pop(0)
        if len(asked.texts) > self.refuse_over or max(map(len, asked.texts)) > self.longest:
            return Fault(413, body='{"error": {"message": "too much"}}')
        return Fault(body=json.dumps(vectors_of(asked.texts)))


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(
                self.path, {name.lower(): value for name, value in self.headers.items()}, body
            )
            server.asked.append(asked)
            self._send(server.answer(asked))

        def _send(self, fault: Fault) -> None:
            if fault.hang:
                server.over.wait(10)
                return
            content = fault.body.encode()
            self.send_response_only(fault.status)
            for name, value in fault.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if fault.cut else content)

        def log_message(self, *_: object) -> None:
            """The test's output is no place for it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        server.url = f"http://127.0.0.1:{listening.server_port}"
        thread = Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            listening.shutdown()
            thread.join()
