"""Keeps secrets, and the masks of secrets, out of what clawgit itself writes."""

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import FROM_HISTORY, Intent
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.safety.masks import new_masks
from clawgit.domain.safety.secrets import FINGERPRINT, Secret, findings
from clawgit.ops.safety.secrets_allowed import SecretsError, allowed, how_to_allow
from clawgit.ops.safety.secrets_found import brought
from clawgit.ops.safety.text_changes import TextChange, texts_of
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.rules import Changes

_MOST_STATES = 2000
"""How many earlier versions of files are searched for a secret that comes back from history."""


def refuse_secrets(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> None:
    """Raises if a change adds a secret, or the mask of one, to the text or the name of a file.

    A secret may move between the files of the change, and come back from the history of HEAD, which
    has it anyway. A commit outside that history does not count: anybody can make one.
    """
    returns = intent.verb in FROM_HISTORY
    if returns and intent.actor == OPERATOR:
        return
    texts = texts_of(changes)
    if not returns:
        known = "\n".join(change.before for change in texts)
        for change in texts:
            _refuse_masks(change.path, known, change.after)
    added = brought(texts)
    past = _in_history(workspace, {path for path, _ in added}) if returns and added else set[str]()
    _refuse_found(workspace, added, {*intent.lets_in, *past})


def refuse_telling(
    workspace: WorkspaceBase, path: str, text: str, lets_in: tuple[str, ...] = ()
) -> None:
    """Raises if a text for a file has a secret, or the mask of one."""
    _refuse_masks(path, "", text)
    _refuse_found(workspace, brought([TextChange(path, "", text)]), {*lets_in})


def _refuse_found(
    workspace: WorkspaceBase, added: list[tuple[str, Secret]], lets_in: set[str]
) -> None:
    passed = allowed(workspace, {one.fingerprint for _, one in added}) | lets_in
    for path, one in added:
        if one.fingerprint not in passed:
            raise SecretsError(
                f"{path}: this looks like a secret ({one.rule}: {one.shown}), and history never "
                "forgets.",
                hint="Note where it is kept, not the secret itself. The operator may keep it "
                "anyway: --allow-secret with `memory add` and `corrections add`, or "
                f"{how_to_allow(one.fingerprint)}",
                findings=[_told(path, one.rule, one.fingerprint, line=one.line)],
            )


def _refuse_masks(path: str, before: str, after: str) -> None:
    for mask in new_masks(before, after):
        raise SecretsError(
            f"{path} would get {mask}, which clawgit shows in place of other text: the file holds "
            "the real text.",
            hint="Write only what you change, and leave the line with the mask as the file has it.",
            findings=[_told(path, "mask", mask.removeprefix("[secret:")[:FINGERPRINT])],
        )


def _told(path: str, rule: str, fingerprint: str, **place: int) -> dict[str, object]:
    return {"path": path, **place, "rule": rule, "fingerprint": fingerprint}


def _in_history(workspace: WorkspaceBase, paths: set[str]) -> set[str]:
    """The secrets that files had in the history of HEAD."""
    git = workspace.cgit
    named = [f":(literal){path}" for path in sorted(paths)]
    asked = ("log", "--raw", "-m", "--no-abbrev", "--no-renames", "--format=", "HEAD", "--", *named)
    records = git.text(*asked, ok=(0, 128)).splitlines()
    oids = dict.fromkeys(record.split()[3] for record in records)
    states = Batch(git).read([oid for oid in oids if oid.strip("0")][:_MOST_STATES])
    found: set[str] = set()
    for blob in filter(None, states):
        found |= {secret.fingerprint for secret in findings("", text_of(blob.data))}
    return found
