"""Keeps secrets, and the masks of secrets, out of what clawgit itself writes."""

from collections.abc import Iterable
from typing import NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.safety.masks import new_masks
from clawgit.domain.safety.secrets import FINGERPRINT, Secret, findings, new_findings, text_of
from clawgit.ops.safety.secrets_allowed import SecretsError, allowed, how_to_allow
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.rules import Changes


class _New(NamedTuple):
    path: str
    secret: Secret


def refuse_secrets(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> None:
    """Raises if a change adds a secret, or the mask of one, to the text or the name of a file.

    A secret may move between the files of the change.
    """
    known = [_text(before) for before, _ in changes.values()]
    for path, (_, after) in changes.items():
        if masks := new_masks("\n".join(known), _text(after)):
            raise _masked_error(path, masks[0])
    added = _brought_in(changes, known)
    if not added:
        return
    passed = allowed(workspace, {new.secret.fingerprint for new in added}) | {*intent.lets_in}
    for new in added:
        if new.secret.fingerprint not in passed:
            raise _secret_error(new)


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
    # Only now: searching all old texts takes long, and hardly any change adds a secret.
    moved = _fingerprints(known)
    return [new for new in added if new.secret.fingerprint not in moved]


def _all_new(path: str, secrets: Iterable[Secret]) -> list[_New]:
    return [_New(path, secret) for secret in secrets]


def _fingerprints(texts: Iterable[str]) -> set[str]:
    return {secret.fingerprint for text in texts for secret in findings("", text)}


def _secret_error(new: _New) -> SecretsError:
    secret = new.secret
    return SecretsError(
        f"{new.path}: this looks like a secret ({secret.rule}: {secret.shown}), and history never "
        "forgets.",
        hint="Note where it is kept, not the secret itself. The operator may keep it all the "
        "same: --allow-secret with "
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
        f"{path} would get {mask}, which clawgit shows in the place of other text: the file holds "
        "the real text.",
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
