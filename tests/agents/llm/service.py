"""A local server that answers as OpenAI's chat completions and Anthropic's messages do, by a script
of its own."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple

KEY = "sk-test-0123456789abcdef0123456789abcdef"


class Reply(NamedTuple):
    """One answer: a tool call with `value`, or a text, or an error of `status`; `slow` waits until
    the test is over. A `value` that can be called makes the answer of the schema that was asked
    for.
    """

    value: Any = None
    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = {}
    raw: bytes | None = None
    slow: bool = False
    stop: str = ""
    counts: bool = True


class Service:
    """`requests` are the bodies that came, `replies` what is still to be answered; the last of them
    stays."""

    def __init__(self, url: str, over: Event) -> None:
        self.url, self.over = url, over
        self.replies: list[Reply] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []

    @property
    def env(self) -> dict[str, str]:
        """What points a model here."""
        return {
            "OPENAI_BASE_URL": f"{self.url}/v1", "OPENAI_API_KEY": KEY,
            "OLLAMA_BASE_URL": f"{self.url}/v1",
            "ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": KEY,
        }  # fmt: skip


@contextmanager
def serving() -> Iterator[Service]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    over = Event()
    service = Service(f"http://127.0.0.1:{server.server_port}", over)
    server.service = service  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield service
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """What an Ollama says of its models."""
        service: Service = self.server.service  # type: ignore[attr-defined]
        reply = service.replies[0]
        if reply.slow:
            service.over.wait(20)
        answer = reply.raw if reply.raw is not None else json.dumps(reply.value).encode()
        with suppress(OSError):  # who asked has gone
            self.send_response(reply.status if self.path == "/api/tags" else 404)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    def do_POST(self) -> None:
        service: Service = self.server.service  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        service.requests.append(body)
        service.keys.append(
            self.headers.get("x-api-key") or self.headers.get("Authorization") or ""
        )
        reply = service.replies.pop(0) if len(service.replies) > 1 else service.replies[0]
        if reply.slow:
            service.over.wait(20)
        made = _openai(body, reply) if "completions" in self.path else _anthropic(body, reply)
        answer = reply.raw if reply.raw is not None else json.dumps(made).encode()
        try:
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
        except OSError:
            return  # who asked has gone

    def log_message(self, *_: object) -> None:
        pass


def _value(reply: Reply, shape: Mapping[str, Any]) -> Any:
    whole = _whole(shape, shape.get("$defs", {}))
    return reply.value(whole) if callable(reply.value) else reply.value


def _whole(shape: Any, named: Mapping[str, Any]) -> Any:
    """A schema with each type in the place of its name."""
    if isinstance(shape, list):
        return [_whole(each, named) for each in shape]
    if not isinstance(shape, dict):
        return shape
    if "$ref" in shape:
        return _whole(named[shape["$ref"].rpartition("/")[2]], named)
    return {key: _whole(each, named) for key, each in shape.items() if key != "$defs"}


_USAGE = {"prompt_tokens": 70, "completion_tokens": 7, "total_tokens": 77}


def _openai(body: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    if reply.status != 200:
        return {"error": {"message": f"no, {KEY}", "type": "error", "code": None}}
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if not reply.text:
        function = body["tools"][0]["function"]
        call = {
            "name": function["name"],
            "arguments": json.dumps(_value(reply, function["parameters"])),
        }
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": call}]
    stop = reply.stop or ("stop" if reply.text else "tool_calls")
    return {
        "id": "c1", "object": "chat.completion", "created": 1, "model": body["model"],
        "choices": [{"index": 0, "finish_reason": stop, "message": message}],
        "usage": _USAGE if reply.counts else None,
    }  # fmt: skip


def _anthropic(body: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    if reply.status != 200:
        return {"type": "error", "error": {"type": "error", "message": f"no, {KEY}"}}
    content: dict[str, Any] = {"type": "text", "text": reply.text}
    if not reply.text:
        tool = body["tools"][0]
        value = _value(reply, tool["input_schema"])
        content = {"type": "tool_use", "id": "call_1", "name": tool["name"], "input": value}
    return {
        "id": "m1", "type": "message", "role": "assistant", "model": body["model"],
        "content": [content],
        "stop_reason": reply.stop or ("end_turn" if reply.text else "tool_use"),
        "stop_sequence": None,
        "usage": {"input_tokens": 70, "output_tokens": 7},
    }  # fmt: skip
