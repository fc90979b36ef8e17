"""`python -m clawgit.hooks NAME …`: what the shims call, and the border at which a bug stops no
commit.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from clawgit.domain.safety.secrets import masked
from clawgit.errors import ClawgitError
from clawgit.ops.hooks.check import checks, message_findings
from clawgit.ops.hooks.finding import SECRET, SOUL, Asker, Check, Finding
from clawgit.ops.workspace.kept_scope import kept_scope
from clawgit.stores.git.staged import (
    Staged,
    differing_from_all,
    edits,
    merge_heads,
    read_staged,
    texts,
)

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace

REFUSED = 10
"""The exit code that stops git. Any other means that nothing was judged: 1 is what Python says of a
missing module."""

_OPERATOR = "operator"
_JSON = "--json"
_NOTE = "--note="
"""Before the name of a file in which pre-commit says that it left a commit to its signature."""

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
    note = next((one.removeprefix(_NOTE) for one in arguments if one.startswith(_NOTE)), "")
    if note and _a_signature_would_do(found):
        found = _left_to_the_signature(found, note)
    refused = any(one.refused for one in found)
    if _JSON in arguments:
        import json  # noqa: PLC0415 - git does not ask for it

        _say(
            json.dumps({"refused": refused, "findings": [one._asdict() for one in found]}, indent=2)
        )
    elif found:
        _say(
            _told(
                found, "this commit", _BYPASS.format("commit", ", and `clawgit status` will say so")
            )
        )
    return REFUSED if refused else 0


def reference_transaction(arguments: Sequence[str]) -> int:
    """Lets a commit of which pre-commit left a note become part of a branch only if the operator
    has signed it. Takes that note, and on standard input what git gives this hook: the old oid, the
    new one and the name of each reference.
    """
    [note] = arguments
    found = _safely(
        partial(_unsigned, note, sys.stdin.read().splitlines()), Check(SOUL, "the soul", tuple)
    )
    if found:
        _say(_told(found, "this commit", "or sign it: git commit -S"))
    return REFUSED if found else 0


def commit_msg(arguments: Sequence[str]) -> int:
    """Refuses a message that tells a secret: it would be in history like any text, and goes
    wherever that goes.
    """
    found = _safely(
        partial(_in_message, arguments[0]), Check("message", "the commit message", tuple)
    )
    if found:
        _say(_told(found, "this commit", _BYPASS.format("commit", "")))
    return REFUSED if any(one.refused for one in found) else 0


def pre_push(arguments: Sequence[str]) -> int:
    """Refuses to let secrets go; a scan that breaks refuses too, since what has left cannot be
    called back.
    """
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
        _say(
            "\n".join(
                ["clawgit: the settings that git just brought have faults", *map(_row, found)]
            )
        )
    return 0


def _judged(raw: bytes, *, operator: bool) -> Iterator[Finding]:
    env = os.environ
    staged = differing_from_all(_in_scope(read_staged(raw)), merge_heads(env), env)
    gone = partial(texts, [one.before for one in staged if one.before and not one.after], env)
    for check in checks(edits(staged, env), Asker(operator, env, _workspace, gone)):
        yield from _safely(check.find, check)


def _a_signature_would_do(found: Sequence[Finding]) -> bool:
    """Whether only the soul's guard refuses, and there is a key that could overrule it."""
    refusals = [one for one in found if one.refused]
    if not refusals or any(one.rule != SOUL for one in refusals):
        return False
    from clawgit.ops.workspace.operator import signers_of  # noqa: PLC0415 - few commits are refused

    allowed = signers_of(_workspace())
    return bool(allowed.ssh or allowed.gpg)


def _left_to_the_signature(found: Sequence[Finding], note: str) -> list[Finding]:
    """The same findings as warnings. The note has git ask again once there is a commit, which shows
    its signature.
    """
    refusals = [one for one in found if one.refused]
    with open(note, "w", encoding="utf-8", errors="surrogateescape") as written:  # noqa: PTH123 - pathlib takes 3 ms
        written.writelines(f"{one.path}: {one.message}\n" for one in refusals)
    signed = "This commit goes on only if the operator signs it: git commit -S"
    return [one._replace(refused=False, hint=signed) if one.refused else one for one in found]


def _unsigned(note: str, lines: Sequence[str]) -> Iterator[Finding]:
    from clawgit.ops.workspace.operator import signers_of  # noqa: PLC0415 - few commits need a signature
    from clawgit.stores.git.cgit import CGit  # noqa: PLC0415
    from clawgit.stores.git.signatures import signed_by  # noqa: PLC0415

    moves = [line.split(" ", 2) for line in lines]
    tips = {new for _, new, name in moves if name == "HEAD" or name.startswith("refs/heads/")}
    tips = {tip for tip in tips if tip.strip("0")}
    workspace = _workspace()
    signed = signed_by(CGit(workspace.root, os.environ), sorted(tips), signers_of(workspace))
    if tips <= signed:
        return
    with open(note, encoding="utf-8", errors="surrogateescape") as written:  # noqa: PTH123 - as it was written
        refusals = written.read().splitlines()
    for refusal in refusals:
        yield Finding("", 0, SOUL, refusal, "No valid signature of the operator is on it.")


def _in_message(file: str) -> Iterable[Finding]:
    with open(file, encoding="utf-8", errors="replace") as message:  # noqa: PTH123 - pathlib takes 3 ms to load
        return tuple(message_findings(message.read(), _workspace))


def _in_scope(staged: list[Staged]) -> list[Staged]:
    """What a commit holds of clawgit's; the rest is not even read."""
    if not staged:
        return []
    scope = kept_scope(os.environ) or _workspace().scope
    return [one for one in staged if scope.covers(one.path)]


def _leaving(remote: str, url: str) -> Iterator[Finding]:
    from clawgit.ops.safety.secrets import refuse_push  # noqa: PLC0415 - a push only

    try:
        refuse_push(_workspace(), remote, url, sys.stdin.read().splitlines())
    except ClawgitError as error:
        yield Finding("", 0, SECRET, error.message, error.hint)


def _freshened() -> Iterable[Finding]:
    from clawgit.ops.hooks.freshen import freshen as follow  # noqa: PLC0415 - after a commit only

    workspace = _workspace()
    try:
        follow(workspace)
    finally:
        note = (
            workspace.place.private / "freshen.pid"
        )  # tomorrow this number may be another program's
        if note.is_file() and note.read_text("ascii").strip() == str(os.getpid()):
            note.unlink()
    return ()


def _misconfigured() -> Iterator[Finding]:
    for problem in _workspace().config.problems:
        yield Finding(
            "CONFIG.md", problem.line, "config", problem.message, problem.hint, refused=False
        )


def _safely(ask: Callable[[], Iterable[Finding]], check: Check) -> list[Finding]:
    """What was found, also before something broke. A broken check refuses only for a secret or the
    soul.
    """
    found: list[Finding] = []
    try:
        found.extend(ask())
    except Exception as error:  # noqa: BLE001 - a bug of ours must not keep the operator from committing memory
        what = f"{check.rule} could not be checked: {type(error).__name__}: {error}"
        found.append(
            Finding(
                check.path,
                0,
                "broken",
                what,
                f"Its log is {_logged(error)}.",
                check.rule in _NEVER_UNSEEN,
            )
        )
    return found


@cache
def _workspace() -> "Workspace":
    from datetime import datetime  # noqa: PLC0415 - most commits need no workspace
    from pathlib import Path  # noqa: PLC0415

    from clawgit.domain.change.actors import AGENT  # noqa: PLC0415
    from clawgit.ops.workspace.workspace import Caller, Workspace  # noqa: PLC0415
    from clawgit.stores.git.gitdir import find_repo  # noqa: PLC0415

    caller = Caller(AGENT, os.environ, datetime.now().astimezone(), Path.home())
    return Workspace(find_repo(Path.cwd(), os.environ), caller)


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
    """No control character of a file's acts on the terminal, every byte of a name can be printed,
    no secret is told.
    """
    shown = masked(text).encode("utf-8", "replace").decode().translate(_PICTURES)
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
    "commit-msg": commit_msg,
    "pre-push": pre_push,
    "reference-transaction": reference_transaction,
    "freshen": freshen,
    "config": config,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
