"""`python -m clawgit.hooks NAME …`: what the shims call, and the border at which a bug stops no commit."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.ops.githooks_check import SECRET, SOUL, Asker, Check, Finding, checks
from clawgit.ops.kept_scope import kept_scope
from clawgit.stores.git.staged import Staged, differing_from_all, edits, merge_heads, read_staged, texts

if TYPE_CHECKING:
    from clawgit.ops.workspace import Workspace

REFUSED = 10
"""The exit code that stops git. Any other means that nothing was judged: 1 is what Python says of a missing module."""

_OPERATOR, _JSON = "operator", "--json"
_NEVER_UNSEEN = (SOUL, SECRET)
_BYPASS = "`git {} --no-verify` goes on without these checks{}."


def main(arguments: Sequence[str]) -> int:
    """Runs one hook: its name, who calls (`operator` or `agent`), and what git gave it."""
    name, *rest = arguments
    return _HOOKS[name](rest)


def pre_commit(arguments: Sequence[str]) -> int:
    """Judges what is staged, as `git diff --cached --raw -z` tells it on standard input."""
    judged = partial(_judged, sys.stdin.buffer.read(), operator=_OPERATOR in arguments)
    found = _safely(judged, Check("reading it", "the index", tuple))
    refused = any(one.refused for one in found)
    if _JSON in arguments:
        import json  # noqa: PLC0415 - git does not ask for it

        _say(json.dumps({"refused": refused, "findings": [one._asdict() for one in found]}, indent=2))
    elif found:
        _say(_told(found, "this commit", _BYPASS.format("commit", ", and `clawgit status` will say so")))
    return REFUSED if refused else 0


def pre_push(arguments: Sequence[str]) -> int:
    """Refuses to let secrets go; a scan that breaks refuses too, since what has left cannot be called back."""
    _who, remote, url = arguments
    found = _safely(partial(_leaving, remote, url), Check(SECRET, url, tuple))
    if found:
        _say(_told(found, "this push", _BYPASS.format("push", "")))
    return REFUSED if found else 0


def freshen(_: Sequence[str]) -> int:
    """Brings derived things up to date, on its own: no terminal, no hurry."""
    os.setsid()
    os.nice(10)
    _safely(_freshened, Check("freshening", "the index", tuple))
    return 0


def config(_: Sequence[str]) -> int:
    """Says what is wrong with the settings that a merge or a checkout brought."""
    found = _safely(_misconfigured, Check("config", "CONFIG.md", tuple))
    if found:
        _say("\n".join(["clawgit: the settings that git just brought have faults", *map(_row, found)]))
    return 0


def _judged(raw: bytes, *, operator: bool) -> Iterator[Finding]:
    env = os.environ
    staged = differing_from_all(_in_scope(read_staged(raw)), merge_heads(env), env)
    gone = partial(texts, [one.before for one in staged if one.before and not one.after], env)
    for check in checks(edits(staged, env), Asker(operator, env, _workspace, gone)):
        yield from _safely(check.find, check)


def _in_scope(staged: list[Staged]) -> list[Staged]:
    """What a commit holds of clawgit's; the rest is not even read."""
    if not staged:
        return []
    scope = kept_scope(os.environ) or _workspace().scope
    return [one for one in staged if scope.covers(one.path)]


def _leaving(remote: str, url: str) -> Iterator[Finding]:
    from clawgit.ops.secrets import refuse_push  # noqa: PLC0415 - a push only

    try:
        refuse_push(_workspace(), remote, url, sys.stdin.read().splitlines())
    except ClawgitError as error:
        yield Finding("", 0, SECRET, error.message, error.hint)


def _freshened() -> Iterable[Finding]:
    from clawgit.ops.freshen import freshen as follow  # noqa: PLC0415 - after a commit only

    workspace = _workspace()
    try:
        follow(workspace)
    finally:
        note = workspace.place.private / "freshen.pid"  # tomorrow this number may be another program's
        if note.is_file() and note.read_text("ascii").strip() == str(os.getpid()):
            note.unlink()
    return ()


def _misconfigured() -> Iterator[Finding]:
    for problem in _workspace().config.problems:
        yield Finding("CONFIG.md", problem.line, "config", problem.message, problem.hint, refused=False)


def _safely(ask: Callable[[], Iterable[Finding]], check: Check) -> list[Finding]:
    """What was found, also before something broke. A broken check refuses only for a secret or the soul."""
    found: list[Finding] = []
    try:
        found.extend(ask())
    except Exception as error:  # noqa: BLE001 - a bug of ours must not keep the operator from committing memory
        what = f"{check.rule} could not be checked: {type(error).__name__}: {error}"
        found.append(
            Finding(check.path, 0, "broken", what, f"Its log is {_logged(error)}.", check.rule in _NEVER_UNSEEN)
        )
    return found


@cache
def _workspace() -> "Workspace":
    from datetime import datetime  # noqa: PLC0415 - most commits need no workspace
    from pathlib import Path  # noqa: PLC0415

    from clawgit.domain.actors import AGENT  # noqa: PLC0415
    from clawgit.ops.workspace import Caller, Workspace  # noqa: PLC0415
    from clawgit.stores.git.gitdir import find_repo  # noqa: PLC0415

    caller = Caller(AGENT, os.environ, datetime.now().astimezone(), Path.home())
    return Workspace(find_repo(Path.cwd()), caller)


def _told(found: Sequence[Finding], what: str, bypass: str) -> str:
    rows = sorted(found, key=lambda one: (not one.refused, one.path, one.line))
    refused = [_row(one) for one in rows if one.refused]
    warned = [_row(one) for one in rows if not one.refused]
    lines = [*([f"error: clawgit refuses {what}", *refused] if refused else ())]
    lines += [f"clawgit has something to say about {what}", *warned] if warned else []
    return "\n".join([*lines, *([f" next: mend it and try again; {bypass}"] if refused else ())])


def _row(one: Finding) -> str:
    path = one.path.replace("\n", "␊")
    where = f"{path}:{one.line}: " if one.line else f"{path}: " if path else ""
    return f"  {where}{one.message} · {one.hint}" if one.hint else f"  {where}{one.message}"


def _say(text: str) -> None:
    """No control character of a file's acts on the terminal, and every byte of a name can be printed."""
    shown = text.encode("utf-8", "replace").decode().translate(_PICTURES)
    sys.stdout.buffer.write(shown.encode(sys.stdout.encoding, "backslashreplace") + b"\n")
    sys.stdout.flush()


def _logged(error: Exception) -> str:
    """Leaves the traceback where every bug of clawgit leaves it."""
    from pathlib import Path  # noqa: PLC0415 - hopefully never

    from clawgit.stores.bugs import keep_bug  # noqa: PLC0415

    return keep_bug(error, os.environ, Path.home())


_PICTURES = {code: 0x2400 + code for code in range(32) if code != ord("\n")} | {0x7F: 0x2421}
_HOOKS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "pre-commit": pre_commit,
    "pre-push": pre_push,
    "freshen": freshen,
    "config": config,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
