"""Keeps secrets, and the masks of secrets, out of what clawgit itself writes."""

from collections.abc import Iterable
from typing import NamedTuple

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import FROM_HISTORY, Intent
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.safety.masks import new_masks
from clawgit.domain.safety.secrets import FINGERPRINT, Secret, findings, new_findings
from clawgit.ops.safety.secrets_allowed import SecretsError, allowed, how_to_allow
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.rules import Changes

_MOST_STATES = 2000
"""How many earlier versions of files are searched for a secret that comes back from history."""


class _New(NamedTuple):
    path: str
    secret: Secret


def refuse_secrets(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> None:
    """Raises if a change adds a secret, or the mask of one, to the text or the name of a file.

    A secret may move between the files of the change, and come back from the history of HEAD, which
    has it anyway. A commit outside that history does not count: anybody can make one.
    """
    returns = intent.verb in FROM_HISTORY
    if returns and intent.actor == OPERATOR:
        return
    known = [_text(before) for before, _ in changes.values()]
    if not returns:
        _refuse_masks(changes, known)
    added = _brought_in(changes, known)
    if not added:
        return
    passed = allowed(workspace, {new.secret.fingerprint for new in added}) | {*intent.lets_in}
    if returns:
        passed |= _in_history(workspace, sorted({new.path for new in added}))
    for new in added:
        if new.secret.fingerprint not in passed:
            raise _secret_error(new)


def _refuse_masks(changes: Changes, known: list[str]) -> None:
    for path, (_, after) in changes.items():
        if masks := new_masks("\n".join(known), _text(after)):
            raise _masked_error(path, masks[0])


def refuse_telling(
    workspace: WorkspaceBase, path: str, text: str, lets_in: tuple[str, ...] = ()
) -> None:
    """Raises if a text for a file has a secret, or the mask of one."""
    if masks := new_masks("", text):
        raise _masked_error(path, masks[0])
    secrets = findings("", text, frozenset(lets_in))
    passed = allowed(workspace, {secret.fingerprint for secret in secrets})
    for secret in secrets:
        if secret.fingerprint not in passed:
            raise _secret_error(_New(path, secret))


def _brought_in(changes: Changes, known: list[str]) -> list[_New]:
    """The secrets in texts, and in names of new files, that none of the files had before."""
    added: list[_New] = []
    for path, (before, after) in changes.items():
        if before is None and after is not None:
            added += _all_new(path, findings("", path))
        added += _all_new(path, new_findings(path, _text(before), _text(after)))
    if not added:
        return []
    # Only now: searching all old texts is slow, and hardly any change adds a secret.
    moved = _fingerprints(known)
    return [new for new in added if new.secret.fingerprint not in moved]


def _in_history(workspace: WorkspaceBase, paths: list[str]) -> set[str]:
    """The secrets that files had in the history of HEAD."""
    git = workspace.cgit
    named = [f":(literal){path}" for path in paths]
    asked = ("log", "--raw", "-m", "--no-abbrev", "--no-renames", "--format=", "HEAD", "--", *named)
    records = (line.split() for line in git.text(*asked, ok=(0, 128)).splitlines())
    oids = dict.fromkeys(record[3] for record in records if set(record[3]) != {"0"})
    states = Batch(git).read([*oids][:_MOST_STATES])
    return _fingerprints(text_of(blob.data) for blob in states if blob)


def _all_new(path: str, secrets: Iterable[Secret]) -> list[_New]:
    return [_New(path, secret) for secret in secrets]


def _fingerprints(texts: Iterable[str]) -> set[str]:
    return {secret.fingerprint for text in texts for secret in findings("", text)}


def _secret_error(new: _New) -> SecretsError:
    secret = new.secret
    return SecretsError(
        f"{new.path}: this looks like a secret ({secret.rule}: {secret.shown}), and history never "
        "forgets.",
        hint="Note where it is kept, not the secret itself. The operator may keep it anyway: "
        "--allow-secret with "
        f"`memory add` and `corrections add`, or {how_to_allow(secret.fingerprint)}",
        findings=[
            {
                "path": new.path,
                "line": secret.line,
                "rule": secret.rule,
                "fingerprint": secret.fingerprint,
            }
        ],
    )


def _masked_error(path: str, mask: str) -> SecretsError:
    return SecretsError(
        f"{path} would get {mask}, which clawgit shows in place of other text: the file holds the "
        "real text.",
        hint="Write only what you change, and leave the line with the mask as the file has it.",
        findings=[
            {
                "path": path,
                "rule": "mask",
                "fingerprint": mask.removeprefix("[secret:")[:FINGERPRINT],
            }
        ],
    )


def _text(data: bytes | None) -> str:
    return text_of(data or b"")
