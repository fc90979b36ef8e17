"""Who belongs to a fleet: workspaces by their remotes, which the operator alone adds and removes,
with the settings that he has accepted, signed by his key.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from clawgit.core.config.trust import TrustRow
from clawgit.core.doors import pygit2
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.git.gitdir import find_repo
from clawgit.git.remotes.transport import PROTOCOLS, RemoteError, local_path
from clawgit.run.fleet.database import Address, opened
from clawgit.safety.operator import (
    ACTS,
    OperatorKey,
    OperatorKeyError,
    has_signed,
    operator_key,
    require_operator,
    sign,
)
from clawgit.safety.rules.remotes import shown_address
from clawgit.safety.trust_store import accepted_rows, trust_file
from clawgit.workspace.workspace import Caller

LOOK = "look"
"""The job of a workspace that was just added: a worker reads its schedule."""

_AGENT = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_AT_A_TERMINAL = "The operator runs this at a terminal."


class Added(NamedTuple):
    """`chat` is the address at which its messages are, for the setting `chat_store` there.
    `settings` are those that workers accept.
    """

    agent: str
    remote: str
    branch: str
    new: bool
    settings: tuple[str, ...]
    chat: str


class Removed(NamedTuple):
    agent: str
    remote: str


class Member(NamedTuple):
    """A workspace as the database has it. `accepted` is what the operator has signed."""

    id: int
    agent: str
    remote: str
    branch: str
    key: str
    accepted: str
    signature: str


def add(
    address: Address, caller: Caller, remote: str, agent: str, branch: str, accepted: Path | None
) -> Added:
    """Adds the workspace of a remote, or changes what is known of it.

    With `accepted`, the settings that the operator has accepted in that workspace go along. His
    key signs them together with the remote; workers accept nothing else. Without, those that were
    signed for this remote and branch stay.
    """
    require_operator(caller, "add a workspace to the fleet", _AT_A_TERMINAL)
    agent = agent or _name_in(remote)
    _refuse_names(agent, branch)
    refuse_address(remote)
    key = operator_key(caller.env, caller.home)
    rows = _rows_in(accepted, caller) if accepted else ()
    if rows and key is None:
        raise OperatorKeyError(
            "Settings go to workers by your signature only, and no operator key is set.",
            hint="clawgit operator --key FILE, then add it again",
        )
    text = _text(agent, remote, branch, rows) if rows else ""
    signature = sign(key, ACTS, text.encode(), caller.env) if text and key else ""
    signed = (key.public if key else "", text, signature)
    with opened(address, role="") as fleet, fleet.together():
        _refuse_other(fleet.rows("agent of", remote=remote), agent, remote)
        if accepted is None:
            # What was signed for this very workspace stays in force.
            signed = next(
                iter(fleet.rows("signed", agent=agent, remote=remote, branch=branch)), signed
            )
        ((ident, is_new),) = fleet.rows(
            "add workspace", agent=agent, remote=remote, branch=branch,
            **dict(zip(("key", "accepted", "signature"), signed, strict=True)),
        )  # fmt: skip
        fleet.run("add generation", workspace=ident)
        fleet.run("add look", workspace=ident, job=LOOK)
    names = tuple(dict.fromkeys(row.name for row in _read(signed[1])))
    return Added(agent, shown_address(remote), branch, is_new, names, address.chat(agent))


def remove(address: Address, caller: Caller, agent: str) -> Removed:
    """Takes a workspace out of the fleet. Its remote and its messages stay."""
    require_operator(caller, "remove a workspace from the fleet", _AT_A_TERMINAL)
    with opened(address, role="") as fleet:
        rows = fleet.rows("remove workspace", agent=agent)
    if not rows:
        raise unknown(agent)
    return Removed(agent, shown_address(rows[0][0]))


def unknown(agent: str) -> NotFoundError:
    return NotFoundError(f"There is no agent {agent!r} in the fleet.", hint="clawgit fleet status")


def refuse_address(remote: str) -> None:
    """Raises for what `sync` would not use, and for an address with a password in it."""
    if shown_address(remote) != remote:
        raise RemoteError(
            f"The address {shown_address(remote)} holds a password or a token.",
            hint="Leave it out; workers use their own keys, or git's credential helper.",
        )
    scheme, colons, _ = remote.partition("://")
    known = PROTOCOLS.split(":")
    if "::" in remote or (colons and scheme.lower() not in known) or remote.startswith("-"):
        raise RemoteError(
            f"{remote!r} is no address that clawgit fetches from.",
            hint=f"A path, HOST:PATH, or one of {', '.join(f'{name}://' for name in known)}",
        )
    path = local_path(Path("/"), remote)
    if path is not None and not colons and not Path(remote).is_absolute():
        raise RemoteError(f"{remote} is a relative path.", hint="Name it from / on.")


def accepted_by_operator(member: Member, env: Mapping[str, str]) -> tuple[TrustRow, ...]:
    """The rows that the operator has signed for this workspace; OperatorKeyError if he has not."""
    if not member.accepted:
        return ()
    key = OperatorKey(member.key, "", "")
    rows = _read(member.accepted)
    # All that is signed is compared: a signature for another workspace is none for this one.
    is_ours = member.accepted == _text(member.agent, member.remote, member.branch, rows)
    if not (
        is_ours
        and member.key
        and has_signed(key, ACTS, member.accepted.encode(), member.signature, env)
    ):
        raise OperatorKeyError(
            f"The settings of {member.agent} are not signed by the key that it was added with.",
            hint="clawgit fleet add, again",
        )
    return rows


def _rows_in(folder: Path, caller: Caller) -> tuple[TrustRow, ...]:
    place = find_repo(folder, caller.env)
    rows = accepted_rows(trust_file(caller.home, caller.env), place)
    return tuple(row for row in rows if row.kind in _SENT)


_SENT = ("setting", "text")
"""Filters of git are of one machine: they would be programs there."""


def _text(agent: str, remote: str, branch: str, rows: Sequence[TrustRow]) -> str:
    shape = [{**row._asdict(), "files": dict(row.files)} for row in rows]
    said = {"agent": agent, "remote": remote, "branch": branch, "accepted": shape}
    return json.dumps(said, sort_keys=True, ensure_ascii=True)


def _read(text: str) -> tuple[TrustRow, ...]:
    return tuple(TrustRow(**row) for row in json.loads(text)["accepted"]) if text else ()


def _name_in(remote: str) -> str:
    return re.split(r"[/:]", remote.rstrip("/"))[-1].removesuffix(".git").lower()


def _refuse_names(agent: str, branch: str) -> None:
    if not _AGENT.fullmatch(agent):
        raise UsageError(
            f"{agent!r} is not a valid name for an agent.",
            hint="Small letters, digits, dashes: --agent coder",
        )
    if branch.startswith("-") or not pygit2.reference_is_valid_name(f"refs/heads/{branch}"):
        raise UsageError(f"{branch!r} is not a valid name for a branch.", hint="--branch main")


def _refuse_other(rows: list[tuple[str]], agent: str, remote: str) -> None:
    """Two agents with one memory would undo each other."""
    for (other,) in rows:
        if other != agent:
            raise UsageError(
                f"{shown_address(remote)} is the workspace of {other} already.",
                hint=f"--agent {other}, or first: clawgit fleet remove {other}",
            )
