"""The operator's SSH key on this machine: where it is recorded, and how it signs and verifies.

The record is outside of every workspace. If it exists, a terminal alone is not enough to be the
operator, since an agent can open one.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.doors import subprocess, tempfile
from clawgit.errors import ClawgitError
from clawgit.stores.xdg import keep, own_note

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

    @property
    def asks_for_touch(self) -> bool:
        return self.public.startswith(_HARDWARE)


def note_of_key(env: Mapping[str, str], home: Path) -> Path:
    """The file that names the operator's key."""
    return own_note(env, home, "operator-key.json")


def operator_key(env: Mapping[str, str], home: Path) -> OperatorKey | None:
    """The key that this machine's operator has set; None if there is none.

    A record that cannot be read is an error: ignoring it would bring back the weaker rule.
    """
    note = note_of_key(env, home)
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


def keep_key(key: OperatorKey, env: Mapping[str, str], home: Path) -> None:
    keep(note_of_key(env, home), key._asdict())


def drop_key(env: Mapping[str, str], home: Path) -> None:
    note_of_key(env, home).unlink(missing_ok=True)


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
    if key.asks_for_touch or not private.is_file():
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
