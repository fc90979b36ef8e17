"""A script of the operator's that CONFIG.md names: called with JSON on its standard input, and not for long."""

import json
import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from time import monotonic

from clawgit.domain.chat import Message
from clawgit.errors import ClawgitError
from clawgit.ops.queue import Call
from clawgit.ops.workspace import Workspace

SECONDS = 10.0
_LONGEST_TEXT = 16_000
_LONGEST_WORD = 500
_MOST_WORDS = 64 * 1024 * 1024
_MOMENT = 0.1


class ScriptError(ClawgitError):
    """A script that is not there, fails, or takes too long."""

    kind = "script_failed"


def run_script(workspace: Workspace, route: str, call: Call, seconds: float = SECONDS) -> None:
    """Has a script take a call; a path that is not absolute begins at the workspace. ScriptError where that fails."""
    home = workspace.caller.home
    path = home / route[2:] if route.startswith("~/") else workspace.root / route
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as words:
        told.write(_told(call))
        told.seek(0)
        try:
            running = subprocess.Popen(
                [os.fspath(path)], cwd=workspace.root, env=dict(workspace.caller.env),
                stdin=told, stdout=subprocess.DEVNULL, stderr=words, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ScriptError(
                f"{route} cannot be run: {error.strerror}.", hint="chmod +x, or correct the path."
            ) from error
        _wait(running, words.fileno(), route, seconds)
        if running.returncode:
            said = _last_words(words.fileno())
            raise ScriptError(f"{route} ended with {running.returncode}{said}", hint=f"Try it: {path}")


def _wait(running: "subprocess.Popen[bytes]", words: int, route: str, seconds: float) -> None:
    until = monotonic() + seconds
    with running:
        try:
            while _is_running(running):
                if os.fstat(words).st_size > _MOST_WORDS:
                    raise ScriptError(f"{route} wrote too much to standard error.", hint="2>/dev/null")
                if monotonic() > until:
                    raise ScriptError(f"{route} took longer than {seconds:g} s.", hint="It may start what takes long.")
        finally:
            _end_with_all_it_started(running)


def _is_running(running: "subprocess.Popen[bytes]") -> bool:
    """Looks for a moment, so that somebody sees meanwhile how much it writes."""
    with suppress(subprocess.TimeoutExpired):
        running.wait(_MOMENT)
    return running.returncode is None


def _end_with_all_it_started(running: "subprocess.Popen[bytes]") -> None:
    """Only where it has not ended by itself: then the number could be somebody else's."""
    if running.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)


def _told(call: Call) -> bytes:
    told = {
        "queue": call.queue,
        "confidence": call.confidence,
        "triggers": [one._asdict() for one in call.triggers],
        "message": _shape(call.message),
        "exchange": [_shape(message) for message in call.exchange],
    }
    return json.dumps(told, ensure_ascii=False).encode()


def _shape(message: Message) -> dict[str, object]:
    shape = {name: value for name, value in message._asdict().items() if name not in ("live", "record")}
    return {**shape, "text": message.text[:_LONGEST_TEXT], "time": message.time.isoformat()}


def _last_words(file: int) -> str:
    size = os.fstat(file).st_size
    said = os.pread(file, _LONGEST_WORD, max(0, size - _LONGEST_WORD)).decode("utf-8", "replace").strip()
    return f": {said.splitlines()[-1]}" if said else "."
