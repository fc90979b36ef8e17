"""What the operator lets leave this machine: those entries of `secrets_allow` that are in force."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.config.trust import Row
    from clawgit.ops.workspace.workspace import Workspace

REMOTE = "remote:"
KEY = "secrets_allow"


class SecretsError(ClawgitError):
    """Something would leave this machine that must not, or somebody would allow it who may not."""

    kind = "secrets"


@dataclass(frozen=True, slots=True)
class Allowance:
    """`entry` is a fingerprint, or `remote:` and where that lies. What nobody accepted on this
    machine is listed, and does not count.
    """

    entry: str
    counts: bool
    time: datetime | None
    actor: str
    reason: str


def allowed(workspace: "Workspace", wanted: Iterable[str]) -> frozenset[str]:
    """Those of some fingerprints and remotes that the operator has allowed."""
    wanted = frozenset(wanted)
    return wanted.intersection(workspace.config.settings.secrets_allow) if wanted else frozenset()


def allowances(workspace: "Workspace") -> tuple[Allowance, ...]:
    from clawgit.ops.workspace.trust import rows_of  # noqa: PLC0415 - only who lists them needs to know when

    counting = workspace.config.settings.secrets_allow
    waiting = next((one for one in workspace.config.pending if one.key == KEY), None)
    listed = waiting.value if waiting and isinstance(waiting.value, list) else counting
    rows = {str(row.value): row for row in rows_of(workspace, KEY)} if listed else {}
    return tuple(
        _allowance(str(entry), rows.get(str(entry)), counts=entry in counting) for entry in listed
    )


def entries(text: str) -> tuple[str, ...]:
    """What CONFIG.md lists, in force or not; nothing where it cannot be read."""
    if KEY not in text:
        return ()
    from clawgit.config import load  # noqa: PLC0415 - YAML takes 14 ms to load

    return tuple(load(text).settings.secrets_allow)


def how_to_allow(entry: str) -> str:
    if entry.startswith(REMOTE):
        return f"clawgit secrets allow --remote {entry.removeprefix(REMOTE)}"
    return f"clawgit secrets allow {entry}"


def _allowance(entry: str, row: "Row | None", *, counts: bool) -> Allowance:
    if not counts:
        return Allowance(entry, False, None, "", "nobody accepted it on this machine")
    if row is None:  # the operator's own environment allows it, for this call
        return Allowance(entry, True, None, "operator", "")
    return Allowance(entry, True, datetime.fromisoformat(row.time), "operator", row.reason)
