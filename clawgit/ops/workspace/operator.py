"""Who is the operator: somebody at a terminal and, if this machine has an operator key, whoever
signs with it.
"""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.change.actors import OPERATOR
from clawgit.errors import ClawgitError, UsageError
from clawgit.stores.git.signatures import Signers, signers
from clawgit.stores.operator_key import (
    ACTS,
    COMMITS,
    OperatorKey,
    OperatorKeyError,
    drop_key,
    has_signed,
    keep_key,
    note_of_key,
    operator_key,
    read_public,
    sign,
    signs_unasked,
)

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import Caller, WorkspaceBase


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


def require_operator(caller: "Caller", what: str, hint: str) -> None:
    """Raises for every caller that is not at a terminal.

    If a key is set, the commit that follows is signed with it or fails, so nothing more is asked
    here. An act without a commit calls `confirm`.
    """
    if caller.actor != OPERATOR:
        raise NotTheOperatorError(f"Only the operator may {what}, at a terminal.", hint=hint)


def confirm(caller: "Caller", what: str) -> None:
    """Has the operator key sign an act that makes no commit.

    Without a key, the terminal is enough.
    """
    if key := _key(caller):
        _prove(key, what, caller)


def commit_signer(caller: "Caller") -> Callable[[bytes], str] | None:
    """The function that signs the commits of this caller: with the operator's key, for the operator
    only. The signature proves that no agent made the commit.
    """
    if caller.actor != OPERATOR:
        return None
    key = _key(caller)
    if key is None:
        return None
    return lambda content: sign(key, COMMITS, content, caller.env)


def signers_of(workspace: "WorkspaceBase") -> Signers:
    """The keys whose signature makes a commit the operator's: those of `soul_signers`, and the
    operator key.
    """
    key = _key(workspace.caller)
    own = () if key is None else (key.public,)
    return signers((*workspace.config.settings.soul_signers, *own))


def signing_since(caller: "Caller") -> datetime | None:
    """The time since which every commit of the operator is signed; None if no key is set."""
    key = _key(caller)
    return None if key is None else datetime.fromisoformat(key.since)


def show(caller: "Caller") -> Operator:
    return _shown(_key(caller), caller)


def set_key(caller: "Caller", file: Path, *, dry_run: bool = False) -> Operator:
    """Makes a key the operator's. It must sign now; so must one that was set before."""
    require_operator(caller, "set the operator key", _AT_A_TERMINAL)
    key = OperatorKey(read_public(file), os.path.abspath(file), caller.now.isoformat())  # noqa: PTH100 - links stay
    before = _key(caller)
    if before is not None and (before.public, before.file) == (key.public, key.file):
        return show(caller)
    if not dry_run:
        confirm(caller, f"replace the operator key by {key.public}")
        _prove(key, "set the operator key", caller)
        keep_key(key, caller.env, caller.home)
    return _shown(key, caller)._replace(changed=True, dry_run=dry_run)


def remove_key(caller: "Caller", *, dry_run: bool = False) -> Operator:
    """Removes the key; from then on the terminal is enough. The key itself must sign that."""
    require_operator(caller, "remove the operator key", _AT_A_TERMINAL)
    if _key(caller) is None:
        raise UsageError("No operator key is set.", hint="`clawgit operator --key FILE` sets one.")
    if not dry_run:
        confirm(caller, "remove the operator key")
        drop_key(caller.env, caller.home)
    return _shown(None, caller)._replace(changed=True, dry_run=dry_run)


def _key(caller: "Caller") -> OperatorKey | None:
    return operator_key(caller.env, caller.home)


def _shown(key: OperatorKey | None, caller: "Caller") -> Operator:
    note = note_of_key(caller.env, caller.home)
    if key is None:
        return Operator("", "", note)
    warning = _UNASKED.format(key.file.removesuffix(".pub"))
    return Operator(key.public, key.file, note, warning if signs_unasked(key, caller.env) else "")


def _prove(key: OperatorKey, what: str, caller: "Caller") -> None:
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
