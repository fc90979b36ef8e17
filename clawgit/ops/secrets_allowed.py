"""What the operator lets leave this machine: the entries of `secrets_allow`, and whether it was he who made them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.domain.actors import OPERATOR, Actor
from clawgit.domain.authority import REVIEW, why_unauthorised
from clawgit.domain.history import Commit
from clawgit.errors import ClawgitError
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit

if TYPE_CHECKING:
    from clawgit.ops.workspace import Workspace

CONFIG_FILE = "CONFIG.md"
REMOTE = "remote:"


class SecretsError(ClawgitError):
    """Something would leave this machine that must not, or somebody would allow it who may not."""

    kind = "secrets"


@dataclass(frozen=True, slots=True)
class Allowance:
    """`entry` is a fingerprint, or `remote:` and where that lies. What the operator did not make does not count."""

    entry: str
    counts: bool
    time: datetime | None
    actor: str
    reason: str


def allowed(workspace: "Workspace", wanted: Iterable[str]) -> frozenset[str]:
    """Those of some fingerprints and remotes that the operator has allowed. An entry counts once it is committed, and
    only where its commit does not say that an agent, or nobody known, made it; the environment cannot allow anything.
    """
    wanted = set(wanted)
    return frozenset(one.entry for one in _allowances(workspace, wanted) if one.counts) if wanted else frozenset()


def allowances(workspace: "Workspace") -> tuple[Allowance, ...]:
    return tuple(_allowances(workspace, None))


def entries(text: str) -> tuple[str, ...]:
    """What CONFIG.md lists; nothing where it cannot be read."""
    if "secrets_allow" not in text:
        return ()
    from clawgit.config import load  # noqa: PLC0415 - YAML takes 14 ms to load

    return tuple(load(text).settings.secrets_allow)


def refuse_allowing(before: bytes | None, after: bytes | None) -> None:
    """Whatever way an agent takes, `config set`, `undo` or `restore`: it does not allow its own leak."""
    if more := _more(before, after):
        raise SecretsError(
            f"only the operator may let a secret or a new remote pass: {', '.join(more)}",
            hint=f"The operator runs this at a terminal: {how_to_allow(more[0])}",
        )


def widened(before: bytes | None, after: bytes | None, actor: Actor) -> tuple[str, ...]:
    """The alert that a foreign edit of CONFIG.md deserves which would let something pass."""
    more = _more(before, after) if actor != OPERATOR else ()
    return tuple(f"secrets_allow widened in {CONFIG_FILE}: {entry}" for entry in more)


def how_to_allow(entry: str) -> str:
    if entry.startswith(REMOTE):
        return f"clawgit secrets allow --remote {entry.removeprefix(REMOTE)}"
    return f"clawgit secrets allow {entry}"


def _more(before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    known = entries(_text(before))
    return tuple(entry for entry in entries(_text(after)) if entry not in known)


def _allowances(workspace: "Workspace", wanted: set[str] | None) -> Iterator[Allowance]:
    on_disk = _on_disk(workspace.root / workspace.config_file)
    if wanted is not None and not any(entry in on_disk for entry in wanted):
        return
    git = CGit(workspace.root, workspace.caller.env)
    committed = Batch(git).read([f"HEAD:{workspace.config_file}"])[0]
    in_head = entries(_text(committed.data if committed else None))
    for entry in dict.fromkeys(entries(on_disk)):
        if wanted is None or entry in wanted:
            yield _allowance(entry, _brought_by(git, workspace.config_file, entry) if entry in in_head else None)


def _brought_by(git: CGit, config: str, entry: str) -> Commit | None:
    """The newest commit that says more or less often than the one before that an entry is allowed."""
    oid = git.text("log", "-1", "--format=%H", f"-S{entry}", "HEAD", "--", config).strip()
    return Batch(git).read_commits([oid])[0] if oid else None


def _allowance(entry: str, commit: Commit | None) -> Allowance:
    if commit is None:
        return Allowance(entry, False, None, "", "not committed yet")
    why_not = why_unauthorised(commit.message, REVIEW)
    reason = why_not or commit.message.reason
    return Allowance(entry, why_not is None, commit.time, commit.actor, reason)


def _on_disk(file: Path) -> str:
    try:
        return _text(file.read_bytes())
    except OSError:
        return ""


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")
