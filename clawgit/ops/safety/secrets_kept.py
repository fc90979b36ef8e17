"""What our own writes may bring into a file: no secret that its operator has not let in, and no
mask of one.
"""

from collections.abc import Iterator
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
    """Raises where a change of ours brings in a secret, in the text or the name of a file, or the
    mask of one. What stood before in any of its files may be moved. A commit cannot be taken back,
    so this comes before it.
    """
    known = [_text(before) for before, _ in changes.values()]
    for path, (_, after) in changes.items():
        if masks := new_masks("\n".join(known), _text(after)):
            raise _masked_error(path, masks[0])
    found = [*_brought_in(changes, known)]
    passed = (
        allowed(workspace, {one.secret.fingerprint for one in found}) | {*intent.lets_in}
        if found
        else ()
    )
    for one in found:
        if one.secret.fingerprint not in passed:
            raise _secret_error(one)


def refuse_telling(
    workspace: WorkspaceBase, path: str, text: str, lets_in: tuple[str, ...] = ()
) -> None:
    """Raises where a text that somebody wants written into a file tells a secret, or its mask."""
    if masks := new_masks("", text):
        raise _masked_error(path, masks[0])
    found = findings("", text, frozenset(lets_in))
    passed = allowed(workspace, {one.fingerprint for one in found}) if found else frozenset()
    for one in found:
        if one.fingerprint not in passed:
            raise _secret_error(_New(path, one))


def _brought_in(changes: Changes, known: list[str]) -> Iterator[_New]:
    """The secrets in texts, and in names of new files, that none of the files had before."""
    found = []
    for path, (before, after) in changes.items():
        if before is None and after is not None:
            found += [_New(path, secret) for secret in findings("", path)]
        found += [_New(path, secret) for secret in new_findings(path, _text(before), _text(after))]
    if not found:
        return
    # Looking through all old texts is dear, and nearly no change brings in anything.
    moved = {secret.fingerprint for text in known for secret in findings("", text)}
    yield from (new for new in found if new.secret.fingerprint not in moved)


def _secret_error(one: _New) -> SecretsError:
    found = one.secret
    return SecretsError(
        f"{one.path}: this looks like a secret ({found.rule}: {found.shown}), and history never "
        "forgets.",
        hint="Note where it is kept, not the secret itself. The operator may keep it all the "
        "same: --allow-secret with "
        f"`memory add` and `corrections add`, or {how_to_allow(found.fingerprint)}",
        findings=[
            {
                "path": one.path,
                "line": found.line,
                "rule": found.rule,
                "fingerprint": found.fingerprint,
            }
        ],
    )


def _masked_error(path: str, mask: str) -> SecretsError:
    return SecretsError(
        f"{path} would get {mask}, which clawgit shows in the place of a secret: the file holds "
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
