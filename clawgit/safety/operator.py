"""Who is the operator: somebody at a terminal and, if this machine has an operator key, whoever
signs with it.
"""

import json
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.xdg import keep, own_note
from clawgit.core.doors import subprocess, tempfile
from clawgit.core.errors import ClawgitError, UsageError
from clawgit.git.signatures import Signers, signers
from clawgit.workspace.workspace_base import Caller, WorkspaceBase

COMMITS = "git"
"""The namespace in which git signs commits."""

ACTS = "clawgit"
"""The namespace for other signatures than those of commits: neither can pass as the other."""

PATIENCE = 25.0
"""Seconds for a touch or a passphrase: less than other processes wait for the workspace lock."""

_HARDWARE = ("sk-ssh-", "sk-ecdsa-")


class OperatorKeyError(ClawgitError):
    """The operator's key is missing, or did not sign."""

    kind = "operator_key"


class OperatorKey(NamedTuple):
    """A key of the operator: `public` as ssh prints it, without its comment.

    `file` is what `ssh-keygen -f` takes. `since` is when it was set: what an operator did before
    could not be signed.
    """

    public: str
    file: str
    since: str


def note_of_key(caller: Caller) -> Path:
    """The file that names the operator's key."""
    return own_note(caller.env, caller.home, "operator-key.json")


def operator_key(caller: Caller) -> OperatorKey | None:
    """The key that this machine's operator has set; None if there is none.

    A record that cannot be read is an error: ignoring it would bring back the weaker rule.
    """
    note = note_of_key(caller)
    try:
        fields = json.loads(note.read_bytes())
        values = [fields[name] for name in OperatorKey._fields]
        if not all(isinstance(value, str) for value in values):
            raise ValueError("not a text")  # noqa: TRY301 - one error
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise OperatorKeyError(
            f"{note} cannot be read, so nobody can prove that they are the operator.",
            hint="Restore it from a backup, or delete it and run `clawgit operator --key FILE` "
            "again.",
        ) from error
    return OperatorKey(*values)


def read_public(file: Path) -> str:
    """The public key in a `.pub` file, or in the one next to a private key."""
    public = file if file.suffix == ".pub" else file.with_name(f"{file.name}.pub")
    try:
        words = public.read_text("utf-8", "replace").split()
    except OSError as error:
        raise OperatorKeyError(
            f"{public} cannot be read: {error.strerror}.",
            hint="Name the public key, for example ~/.ssh/id_ed25519.pub.",
        ) from error
    if not words[1:] or not words[0].startswith(("ssh-", "ecdsa-", *_HARDWARE)):
        raise OperatorKeyError(
            f"{public} holds no SSH public key.",
            hint="`ssh-keygen -t ed25519-sk` makes a key that asks for a touch.",
        )
    return f"{words[0]} {words[1]}"


def sign(key: OperatorKey, namespace: str, content: bytes, env: Mapping[str, str]) -> str:
    """The key's signature, as ssh-keygen writes it.

    A passphrase or a touch is asked for at the terminal.
    """
    command = ["ssh-keygen", "-Y", "sign", "-q", "-n", namespace, "-f", key.file]
    try:
        done = _run(command, content, env)
    except subprocess.TimeoutExpired as error:
        raise _unsigned(f"it was not confirmed within {PATIENCE:.0f} seconds") from error
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _unsigned(words[-1] if words else f"ssh-keygen ended with {done.returncode}")
    return done.stdout.decode("ascii")


def has_signed(
    key: OperatorKey, namespace: str, content: bytes, signature: str, env: Mapping[str, str]
) -> bool:
    """Whether the signature is this key's, over this content and for this purpose."""
    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        signers, armor = Path(folder) / "signers", Path(folder) / "signature"
        signers.write_text(f'operator namespaces="{namespace}" {key.public}\n', "ascii")
        armor.write_text(signature, "ascii")
        command = ["ssh-keygen", "-Y", "verify", "-q", "-f", str(signers)]
        done = _run([*command, "-I", "operator", "-n", namespace, "-s", str(armor)], content, env)
    return done.returncode == 0


def signs_unasked(key: OperatorKey, env: Mapping[str, str]) -> bool:
    """Whether the private key has no passphrase, so that any program of the user can sign with it.

    What an SSH agent does is unknown here: it may ask each time (`ssh-add -c`), or never.
    """
    private = Path(key.file.removesuffix(".pub"))
    if key.public.startswith(_HARDWARE) or not private.is_file():
        return False
    return _run(["ssh-keygen", "-y", "-P", "", "-f", str(private)], b"", env).returncode == 0


def _run(
    command: list[str], content: bytes, env: Mapping[str, str]
) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            command,
            input=content,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            env=dict(env),
        )
    except FileNotFoundError as error:
        raise OperatorKeyError(
            "ssh-keygen is not installed, or not on PATH.", hint="Install OpenSSH 8.2 or newer."
        ) from error


def _unsigned(why: str) -> OperatorKeyError:
    return OperatorKeyError(
        f"The operator key did not sign: {why}.",
        hint="Confirm it when it asks, and try again. A program that acts for itself passes "
        "--actor NAME.",
    )


class NotTheOperatorError(ClawgitError):
    """Somebody else asked for what only the operator may do."""

    kind = "not_the_operator"


class Operator(NamedTuple):
    """How this machine recognises its operator.

    `warning` says if the key proves less than it seems to.
    """

    key: str
    file: str
    note: Path
    warning: str = ""
    changed: bool = False
    dry_run: bool = False


def require_operator(caller: Caller, what: str, hint: str) -> None:
    """Raises for every caller that is not at a terminal.

    If a key is set, the commit that follows is signed with it or fails, so nothing more is asked
    here. An act without a commit calls `confirm`.
    """
    if not caller.actor.is_operator:
        raise NotTheOperatorError(f"Only the operator may {what}, at a terminal.", hint=hint)


def confirm(caller: Caller, what: str) -> None:
    """Has the operator key sign an act that makes no commit.

    Without a key, the terminal is enough.
    """
    if key := operator_key(caller):
        _prove(key, what, caller)


def commit_signer(caller: Caller) -> Callable[[bytes], str] | None:
    """The function that signs the commits of this caller: with the operator's key, for the operator
    only. The signature proves that no agent made the commit.
    """
    if not caller.actor.is_operator:
        return None
    key = operator_key(caller)
    if key is None:
        return None
    return lambda content: sign(key, COMMITS, content, caller.env)


def signers_of(workspace: WorkspaceBase) -> Signers:
    """The keys whose signature makes a commit the operator's: those of `soul_signers`, and the
    operator key.
    """
    key = operator_key(workspace.caller)
    own = () if key is None else (key.public,)
    return signers((*workspace.settings.soul_signers, *own))


def signing_since(caller: Caller) -> datetime | None:
    """The time since which every commit of the operator is signed; None if no key is set."""
    key = operator_key(caller)
    return None if key is None else datetime.fromisoformat(key.since)


def show(caller: Caller) -> Operator:
    return _shown(operator_key(caller), caller)


def set_key(caller: Caller, file: Path) -> Operator:
    """Makes a key the operator's. It must sign now; so must one that was set before."""
    require_operator(caller, "set the operator key", _AT_A_TERMINAL)
    key = OperatorKey(read_public(file), os.path.abspath(file), caller.now.isoformat())  # noqa: PTH100 - links stay
    before = operator_key(caller)
    if before is not None and (before.public, before.file) == (key.public, key.file):
        return show(caller)
    if not caller.dry_run:
        confirm(caller, f"replace the operator key by {key.public}")
        _prove(key, "set the operator key", caller)
        keep(note_of_key(caller), key._asdict())
    return _shown(key, caller)._replace(changed=True, dry_run=caller.dry_run)


def remove_key(caller: Caller) -> Operator:
    """Removes the key; from then on the terminal is enough. The key itself must sign that."""
    require_operator(caller, "remove the operator key", _AT_A_TERMINAL)
    if operator_key(caller) is None:
        raise UsageError("No operator key is set.", hint="`clawgit operator --key FILE` sets one.")
    if not caller.dry_run:
        confirm(caller, "remove the operator key")
        note_of_key(caller).unlink(missing_ok=True)
    return _shown(None, caller)._replace(changed=True, dry_run=caller.dry_run)


def _shown(key: OperatorKey | None, caller: Caller) -> Operator:
    note = note_of_key(caller)
    if key is None:
        return Operator("", "", note)
    warning = _UNASKED.format(key.file.removesuffix(".pub"))
    return Operator(key.public, key.file, note, warning if signs_unasked(key, caller.env) else "")


def _prove(key: OperatorKey, what: str, caller: Caller) -> None:
    # With the time, a signature cannot be used again for the same words.
    content = f"{what}\n{caller.now.isoformat()}\n".encode()
    # Verified against the public key: another private key may lie in the place of the first.
    if not has_signed(key, ACTS, content, sign(key, ACTS, content, caller.env), caller.env):
        raise OperatorKeyError(
            f"{key.file} did not sign as {key.public}.",
            hint="`clawgit operator` shows the key that was set.",
        )


_UNASKED = (
    "{} has no passphrase, so any program that you run can sign with it. Use a key that asks for a "
    "touch (ssh-keygen -t ed25519-sk), or one with a passphrase in an agent that asks (ssh-add -c)."
)

_AT_A_TERMINAL = "Run it at a terminal, yourself."
